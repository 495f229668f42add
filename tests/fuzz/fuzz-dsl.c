/* The language: any bytes through lexer, parser, checks, printer and edits. */
#include "dsl/edit.h"
#include "dsl/lexer.h"
#include "dsl/print.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 65536)
    return 0;
  g_autoptr (TlSource) source = tl_source_new ("fuzz", (const char *) data, (gssize) size);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);

  tl_check (ast, diags);
  tl_diags_sort (diags);
  for (guint i = 0; i < tl_diags_count (diags); i++)
    {
      const TlDiag *diag = tl_diags_get (diags, i);
      g_assert (diag->span.start <= diag->span.end && diag->span.end <= size);
      for (guint k = 0; k < diag->fixes->len; k++)
        g_free (tl_edit_apply (source, ((TlFix *) g_ptr_array_index (diag->fixes, k))->edits, NULL));
    }
  g_autofree char *text = tl_ast_text (ast);
  g_autoptr (TlSource) set = tl_source_with_config (source, "ring", "free");
  g_autoptr (TlSource) removed = tl_source_with_config (set, "ring", NULL);
  if (tl_diags_errors (diags) > 0)
    return 0;

  /* What is right prints to what is right, in the same words again. */
  g_autoptr (TlSource) printed = tl_source_new ("printed", text, -1);
  g_autoptr (TlAst) again = tl_parse (printed, diags);
  g_autofree char *text_again = tl_ast_text (again);
  g_assert (tl_diags_errors (diags) == 0);
  g_assert (g_str_equal (text, text_again));
  return 0;
}
