/* The checks that need only the text, in one list: sections, data, operators,
 * algorithms, config, placement. Each is a file of its own. */
#include "dsl/check-private.h"

#include <string.h>

static void
check_sections (TlChecker *checker)
{
  const TlAst *ast = checker->ast;

  for (guint i = 1; i < ast->n_algorithms; i++)
    {
      TlPosition first = tl_source_position (ast->source, ast->algorithms[0]->span.start);
      TlSpan     span = ast->algorithms[i]->name_span;
      TlDiag    *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "several-algorithms", span,
                                   "a second algorithm, %s", ast->algorithms[i]->name);
      tl_report_reason (diag,
                        "a program has one algorithm; coupled recurrences stand in it one below the other. The "
                        "first is on line %u",
                        first.line);
    }
  for (guint i = 1; i < ast->n_semirings; i++)
    {
      TlPosition first = tl_source_position (ast->source, ast->semirings[0]->span.start);
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "several-semirings", ast->semirings[i]->span,
                                   "a second semiring"),
                        "a program has at most one; the first is on line %u", first.line);
    }
  if (ast->damaged)
    return;
  guint32 end = tl_source_length (ast->source);
  if (ast->n_algorithms == 0)
    {
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "missing-algorithm", tl_span (0, 0),
                                "the program has no algorithm");
      tl_report_reason (diag, "a program is an algorithm, the data it runs on, and perhaps config and place lines");
    }
  for (guint i = 0; i < ast->n_algorithms; i++)
    if (ast->algorithms[i]->n_body == 0)
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "empty-algorithm",
                                   ast->algorithms[i]->name_span, "the algorithm %s has no statement",
                                   ast->algorithms[i]->name),
                        "its recurrence stands below it, indented");
  if (ast->n_algorithms > 0 && ast->algorithms[0]->n_body > 0 && ast->n_data == 0)
    {
      const char *text = tl_source_text (ast->source);
      const char *array
          = checker->array_order->len > 0 ? ((TlArrayName *) g_ptr_array_index (checker->array_order, 0))->name : "D";
      gboolean         ended = end == 0 || text[end - 1] == '\n' || text[end - 1] == '\r';
      g_autofree char *line = g_strdup_printf ("%sdata %s: i32 = graph(\"FILE\")\n", ended ? "" : "\n", array);
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "missing-data", ast->algorithms[0]->name_span,
                                "the program has no data section");
      tl_report_reason (diag, "nothing says what %s holds", array);
      tl_report_fix (diag, tl_span (end, end), line, "add a data line");
    }
}

void
tl_check (const TlAst *ast, TlDiags *diags)
{
  g_return_if_fail (ast != NULL && diags != NULL);

  TlChecker checker = {
    .ast = ast,
    .reporter = { ast->source, diags, 0, 0, FALSE },
    .arrays = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free),
    .array_order = g_ptr_array_new (),
    .sizes = g_hash_table_new (g_str_hash, g_str_equal),
    .used_ops = g_hash_table_new (g_str_hash, g_str_equal),
    .ops = g_hash_table_new (g_str_hash, g_str_equal),
    .temporaries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free),
    .scope = g_array_new (FALSE, TRUE, sizeof (TlScopeName)),
    .unused_loops = g_array_new (FALSE, TRUE, sizeof (TlScopeName)),
    .unknown = g_hash_table_new (g_str_hash, g_str_equal),
  };

  for (guint i = 0; i < ast->n_ops; i++)
    g_hash_table_insert (checker.ops, (gpointer) ast->ops[i]->name, ast->ops[i]);
  tl_check_data (&checker);
  tl_check_collect (&checker);
  check_sections (&checker);
  checker.extents = tl_extents_new (&checker);
  tl_extents_declare (checker.extents);
  tl_check_semirings (&checker);
  for (guint i = 0; i < ast->n_algorithms; i++)
    tl_check_algorithm (&checker, ast->algorithms[i]);
  tl_extents_finish (checker.extents);
  tl_check_ops (&checker);
  tl_check_config (&checker);
  tl_check_places (&checker);
  /* What is not used may be the echo of a mistake. */
  if (!ast->damaged && checker.reporter.mistakes == 0)
    {
      tl_check_unused_loops (&checker);
      tl_check_unused (&checker);
    }

  tl_extents_free (checker.extents);
  g_hash_table_unref (checker.arrays);
  g_ptr_array_unref (checker.array_order);
  g_hash_table_unref (checker.sizes);
  g_hash_table_unref (checker.used_ops);
  g_hash_table_unref (checker.unknown);
  g_hash_table_unref (checker.ops);
  g_hash_table_unref (checker.temporaries);
  g_clear_pointer (&checker.lost, g_hash_table_unref);
  g_array_unref (checker.scope);
  g_array_unref (checker.unused_loops);
}
