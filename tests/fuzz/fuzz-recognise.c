/* Programs, right and wrong, through parser and recognition: one diagnostic, a
 * recurrence or a grid comes out, in bounded time. A grid becomes a module that holds
 * what its rules ask for, and goes through all pass groups. */
#include "passes/pipeline.h"
#include "target/pim-machine.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_grid (const TlGrid *grid, TlDiags *diags)
{
  TlPimMachine machine = { .clock = 1000,
                           .pus = 4,
                           .search_pus = 1,
                           .pes = 16,
                           .channels = 2,
                           .groups = 2,
                           .banks = 4,
                           .tiers = 1,
                           .rows = 65536,
                           .row_bytes = 1024,
                           .beat_bytes = 128,
                           .tier_bytes = 1 << 30,
                           .scratchpad_bytes = 262144,
                           .sram_bytes = 786432 };
  g_auto (TlPimKnobs) knobs = { 0 };
  tl_pim_knobs_default (&knobs, grid->element, &machine);
  g_autoptr (TlModule) module = tl_grid_module (grid, NULL, &knobs, &machine, "fuzz");

  g_assert_true (tl_module_verify (module, diags));
  if (!tl_g2_tile (module, diags))
    return;
  g_assert_true (tl_module_verify (module, diags));
  if (!tl_g3_map (module, 0, NULL, tl_span (0, 0), diags))
    return;
  g_assert_true (tl_module_verify (module, diags));
  g_assert_true (tl_g4_communicate (module, diags));
  g_assert_true (tl_module_verify (module, diags));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 20000)
    return 0;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) faults = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("fuzz.gdsl", (const char *) data, (gssize) size);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  guint   before = tl_diags_errors (diags);
  TlGrid *grid = NULL;
  g_autoptr (TlRecurrence) recurrence = tl_recognise_any (ast, NULL, &grid, diags);

  g_assert (tl_diags_errors (diags) - before <= 1);
  g_assert ((recurrence == NULL && grid == NULL) || tl_diags_errors (diags) == before);
  /* The road goes on from here only with a text that is right. */
  tl_check (ast, faults);
  if (grid != NULL && tl_diags_errors (diags) == 0 && tl_diags_errors (faults) == 0)
    check_grid (grid, diags);
  tl_grid_free (grid);
  return 0;
}
