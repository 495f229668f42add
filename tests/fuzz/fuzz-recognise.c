/* Programs, right and wrong, through parser and recognition: one diagnostic, a
 * recurrence or a grid comes out, in bounded time. A grid becomes a module that holds
 * what its rules ask for, and wavefronts of it. */
#include "passes/pipeline.h"
#include "target/pim-machine.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_grid (const TlGrid *grid, TlDiags *diags)
{
  TlPimMachine machine = { .pus = 4, .pes = 16, .tiers = 1, .scratchpad_bytes = 262144, .sram_bytes = 786432 };
  g_autoptr (TlModule) module = tl_grid_module (grid, NULL, &machine, "fuzz");

  g_assert_true (tl_module_verify (module, diags));
  if (tl_g2_tile (module, diags))
    g_assert_true (tl_module_verify (module, diags));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 20000)
    return 0;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("fuzz.gdsl", (const char *) data, (gssize) size);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  guint   before = tl_diags_errors (diags);
  TlGrid *grid = NULL;
  g_autoptr (TlRecurrence) recurrence = tl_recognise_any (ast, NULL, &grid, diags);

  g_assert (tl_diags_errors (diags) - before <= 1);
  g_assert ((recurrence == NULL && grid == NULL) || tl_diags_errors (diags) == before);
  if (grid != NULL)
    check_grid (grid, diags);
  tl_grid_free (grid);
  return 0;
}
