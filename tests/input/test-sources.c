/* Source calls and generators, dense matrices and operator tables. */
#include "input/input.h"
#include "sim/closure.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define ROAD_HASH   G_GUINT64_CONSTANT (12793592066504033278)
#define POWER_HASH  G_GUINT64_CONSTANT (6185113155081910176)
#define SPARSE_HASH G_GUINT64_CONSTANT (14462190407969967041)

#define TEXT "data D: i32 = call"

static TlInputArgument
whole (const char *name, gint64 value)
{
  return (TlInputArgument) { .name = name, .kind = TL_ARGUMENT_INTEGER, .integer = value, .span = { 14, 18 } };
}

static TlInputArgument
string (const char *value)
{
  return (TlInputArgument) { .kind = TL_ARGUMENT_STRING, .text = value, .span = { 14, 18 } };
}

static TlInputPlan *
plan_call (const char *function, const char *element, const TlInputArgument *arguments, guint n, guint64 rows,
           guint64 columns, gboolean closure, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", TEXT, -1);
  TlInputCall call = { .source = source,
                       .span = { 14, 18 },
                       .function = function,
                       .arguments = arguments,
                       .n_arguments = n,
                       .rows = rows,
                       .columns = columns,
                       .closure = closure };

  ck_assert (tl_element_type_parse (element, &call.element));
  return tl_input_plan (&call, diags);
}

/* --- Wrong calls --- */

START_TEST (wrong_calls_are_refused)
{
  const struct
  {
    const char     *function;
    const char     *element;
    TlInputArgument arguments[3];
    guint           n;
    guint64         rows;
    guint64         columns;
    const char     *says;
  } rows[] = {
    { "grph", "i32", { string ("f") }, 1, 0, 0, "known here are graph" },
    { "graph", "i32", { whole (NULL, 1) }, 1, 0, 0, "a whole number, not a file name" },
    { "graph", "i32", { string ("") }, 1, 0, 0, "empty" },
    { "graph", "i32", { { 0 } }, 0, 0, 0, "needs a file name" },
    { "graph", "i32", { string ("a"), string ("b") }, 2, 0, 0, "fewer arguments" },
    { "road", "i32", { whole (NULL, 10) }, 1, 0, 0, "needs seed" },
    { "road", "i32", { whole (NULL, 0), whole (NULL, 1) }, 2, 0, 0, "1 to 4,194,304" },
    { "road", "i32", { whole (NULL, 5000000), whole (NULL, 1) }, 2, 0, 0, "1 to 4,194,304" },
    { "road", "i32", { string ("x"), whole (NULL, 1) }, 2, 0, 0, "a string, not a whole number" },
    { "road", "i32", { whole (NULL, 8), whole ("seeds", 1) }, 2, 0, 0, "no argument seeds" },
    { "road", "i32", { whole (NULL, 8), whole (NULL, 1), whole ("n", 2) }, 3, 0, 0, "twice" },
    { "road", "i32", { whole (NULL, 8), whole (NULL, 1) }, 2, 9, 9, "two extents" },
    { "road", "i8", { whole (NULL, 8), whole (NULL, 1) }, 2, 0, 0, "i16 or wider" },
    { "random", "i32", { whole (NULL, 1) }, 1, 0, 0, "not known" },
    { "random", "i32", { whole (NULL, 1), whole ("low", 5), whole ("high", 4) }, 3, 8, 8, "above high" },
    { "random", "i8", { whole (NULL, 1), whole ("high", 400) }, 2, 8, 8, "do not fit i8" },
    { "random", "i32", { whole (NULL, 1), whole ("degree", 500) }, 2, 8, 8, "at most 128" },
    { "powerlaw", "i32", { whole (NULL, 8), whole (NULL, 1), whole ("degree", 0) }, 3, 0, 0, "above 0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInputPlan) plan = plan_call (rows[i].function, rows[i].element, rows[i].arguments, rows[i].n,
                                                rows[i].rows, rows[i].columns, TRUE, diags);
      ck_assert_msg (plan == NULL, "row %u is taken", i);
      const TlDiag    *diag = tl_diags_get (diags, 0);
      g_autofree char *said = tl_diag_to_text (diag);
      ck_assert_msg (strstr (said, rows[i].says) != NULL, "row %u: %s", i, said);
      ck_assert_uint_eq (diag->from.line, 1);
      ck_assert_uint_eq (diag->from.column, 15);
      ck_assert_ptr_nonnull (diag->reason);
    }
}
END_TEST

START_TEST (missing_files_are_said)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInputArgument file = string ("none.gr");
  g_autoptr (TlInputPlan) plan = plan_call ("graph", "i32", &file, 1, 0, 0, TRUE, diags);
  g_autoptr (GError) absent = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "x");
  g_autoptr (GError) denied = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "no permission");

  ck_assert_str_eq (plan->file, "none.gr");
  tl_input_missing (plan, absent, diags);
  tl_input_missing (plan, denied, diags);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "missing-file");
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "none.gr"));
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.column, 15);
  ck_assert_str_eq (tl_diags_get (diags, 1)->code, "unreadable-file");
  ck_assert_str_eq (tl_diags_get (diags, 1)->reason, "no permission");
}
END_TEST

/* --- Generators --- */

static TlInput *
generate (const char *function, const char *element, const TlInputArgument *arguments, guint n, guint64 rows,
          gboolean closure)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInputPlan) plan = plan_call (function, element, arguments, n, rows, rows, closure, diags);

  ck_assert_ptr_nonnull (plan);
  ck_assert_ptr_null (plan->file);
  return tl_input_load (plan, NULL, NULL, 0, diags);
}

static guint64
arcs_hash (const TlGraph *graph)
{
  guint64 hash = graph->n;

  for (guint64 a = 0; a < graph->n_arcs; a++)
    hash
        = (hash * 31 + graph->from[a]) * 31 + graph->to[a] + (graph->weight != NULL ? (guint64) graph->weight[a].i : 0);
  return hash;
}

static guint64
reached_from_first (const TlGraph *graph)
{
  g_autofree gboolean *seen = g_new0 (gboolean, graph->n);
  guint64              count = 1;
  gboolean             more = TRUE;

  seen[0] = TRUE;
  while (more)
    {
      more = FALSE;
      for (guint64 a = 0; a < graph->n_arcs; a++)
        if (seen[graph->from[a]] && !seen[graph->to[a]])
          {
            seen[graph->to[a]] = more = TRUE;
            count++;
          }
    }
  return count;
}

START_TEST (roads_look_like_roads)
{
  static const gint64 sizes[] = { 1, 2, 5, 100, 1024, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      TlInputArgument a[] = { whole (NULL, sizes[i]), whole (NULL, 7) },
                      b[] = { whole (NULL, sizes[i]), whole (NULL, 8) };
      g_autoptr (TlInput) one = generate ("road", "i32", a, 2, 0, TRUE), two = generate ("road", "i32", a, 2, 0, TRUE);
      g_autoptr (TlInput) other = generate ("road", "i32", b, 2, 0, TRUE);
      const TlGraph *graph = one->graph;
      ck_assert_uint_eq (graph->n, sizes[i]);
      ck_assert_uint_eq (arcs_hash (graph), arcs_hash (two->graph));
      ck_assert (sizes[i] < 3 || arcs_hash (graph) != arcs_hash (other->graph));
      ck_assert_uint_eq (reached_from_first (graph), graph->n);
      ck_assert (graph->n_arcs <= 5 * graph->n / 2 + 2);
      for (guint64 arc = 0; arc < graph->n_arcs; arc++)
        if (graph->weight[arc].i < 1 || graph->weight[arc].i > 2829 || graph->from[arc] == graph->to[arc])
          ck_abort_msg ("arc %" G_GUINT64_FORMAT, arc);
      if (sizes[i] >= 1024)
        {
          ck_assert (graph->n_arcs > 23 * graph->n / 10); /* the Isle of Man has 2.36 arcs a node */
          ck_assert (one->high.i > 1000);
        }
    }
}
END_TEST

/* What a seed means is fixed: these change only with a new generator name. */
START_TEST (generators_are_fixed)
{
  TlInputArgument a[] = { whole (NULL, 64), whole (NULL, 7) },
                  d[] = { whole (NULL, 7), whole (NULL, 64), whole ("degree", 4) };
  g_autoptr (TlInput) road = generate ("road", "i32", a, 2, 0, TRUE);
  g_autoptr (TlInput) power = generate ("powerlaw", "i32", a, 2, 0, TRUE);
  g_autoptr (TlInput) sparse = generate ("random", "i32", d, 3, 0, TRUE);

  g_print ("road %" G_GUINT64_FORMAT " powerlaw %" G_GUINT64_FORMAT " random %" G_GUINT64_FORMAT "\n",
           arcs_hash (road->graph), arcs_hash (power->graph), arcs_hash (sparse->graph));
  ck_assert_uint_eq (arcs_hash (road->graph), ROAD_HASH);
  ck_assert_uint_eq (arcs_hash (power->graph), POWER_HASH);
  ck_assert_uint_eq (arcs_hash (sparse->graph), SPARSE_HASH);
  ck_assert_uint_ne (arcs_hash (sparse->graph), ROAD_HASH);
}
END_TEST

START_TEST (power_laws_have_hubs)
{
  TlInputArgument a[] = { whole (NULL, 5000), whole (NULL, 3) };
  g_autoptr (TlInput) input = generate ("powerlaw", "i32", a, 2, 0, TRUE);
  g_autofree guint *degree = g_new0 (guint, 5000);
  guint             top = 0, low = 0;

  ck_assert_uint_eq (reached_from_first (input->graph), 5000);
  for (guint64 i = 0; i < input->graph->n_arcs; i++)
    degree[input->graph->from[i]]++;
  for (guint v = 0; v < 5000; v++)
    {
      top = MAX (top, degree[v]);
      low += degree[v] <= 4;
    }
  ck_assert_uint_gt (top, 100); /* the mean is 6 */
  ck_assert_uint_gt (low, 2000);
  ck_assert_ptr_null (input->graph->weight);
}
END_TEST

START_TEST (random_matrices)
{
  static const char *const elements[] = { "i32", "u4", "i3", "bool", "f32", "f6e3m2", "i64" };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
    for (guint closure = 0; closure < 2; closure++)
      {
        g_autoptr (TlDiags) diags = tl_diags_new ();
        TlInputArgument seed = whole (NULL, 5);
        g_autoptr (TlInput) input = generate ("random", elements[e], &seed, 1, 40, closure != 0);
        gboolean real = tl_element_type_is_float (input->element), boolean = input->element.kind == TL_ELEMENT_BOOL;
        g_autoptr (TlSemiring) semiring = tl_semiring_known (
            boolean ? TL_OPERATOR_OR : TL_OPERATOR_MIN, boolean ? TL_OPERATOR_AND : TL_OPERATOR_ADD, input->element);
        ck_assert_ptr_null (input->graph);
        ck_assert (input->bounds_known);
        g_autoptr (TlMatrix) matrix = tl_input_matrix (input, semiring, 0, diags);
        g_autoptr (TlMatrix) again = tl_input_matrix (input, semiring, 0, diags);
        ck_assert (tl_matrix_equal (matrix, again));
        TlMatrixSummary summary = tl_matrix_summary (matrix, semiring->zero);
        ck_assert_uint_eq (summary.finite, 1600);
        double low = real ? summary.min.r : (double) summary.min.i,
               high = real ? summary.max.r : (double) summary.max.i;
        ck_assert_msg (low < high && high <= 15 && low >= (closure ? 0 : -8), "%s: %g to %g", elements[e], low, high);
        ck_assert (!closure || boolean
                   || (real ? tl_matrix_get (matrix, 3, 3).r == 0 : tl_matrix_get (matrix, 3, 3).i == 0));
      }
}
END_TEST

/* --- Dense files --- */

static TlInput *
load_dense (const char *element, const char *text, TlDiags *diags)
{
  TlInputArgument file = string ("m.csv");
  g_autoptr (TlInputPlan) plan = plan_call ("matrix", element, &file, 1, 0, 0, TRUE, diags);

  return tl_input_load (plan, "m.csv", text, strlen (text), diags);
}

START_TEST (dense_files_are_read)
{
  static const struct
  {
    const char *element;
    const char *text;
    guint       rows, columns;
    double      values[6];
  } rows[] = {
    { "i32", "0,3,inf\n2,0,-inf\n", 2, 3, { 0, 3, INFINITY, 2, 0, -INFINITY } },
    { "i32", "\xef\xbb\xbf# c\r\n 0 ,\t3\r\n\r\n7 , 1", 2, 2, { 0, 3, 7, 1 } },
    { "i32", "0 3\n7\t1\n", 2, 2, { 0, 3, 7, 1 } },
    { "i32", "0;3;9\n", 1, 3, { 0, 3, 9 } },
    { "f64", "0.5,-1e-3\n", 1, 2, { 0.5, -0.001 } },
    { "bool", "1,0\ntrue,false\n", 2, 2, { 1, 0, 1, 0 } },
    { "i8", "127\n", 1, 1, { 127 } },
    { "i32", "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n", 2, 2, { 1, 3, 2, 4 } },
    { "i32", "%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 3 9\n", 2, 3, { 0, 0, 0, 0, 0, 9 } },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInput) input = load_dense (rows[r].element, rows[r].text, diags);
      ck_assert_msg (input != NULL, "row %u", r);
      ck_assert_uint_eq (input->rows, rows[r].rows);
      ck_assert_uint_eq (input->columns, rows[r].columns);
      for (guint i = 0; i < rows[r].rows * rows[r].columns; i++)
        {
          TlScalar value = tl_matrix_get (input->dense, i / rows[r].columns, i % rows[r].columns);
          double   got = tl_element_type_is_float (input->element) ? value.r
                         : value.i == TL_INF                       ? INFINITY
                         : value.i == -TL_INF                      ? -INFINITY
                                                                   : (double) value.i;
          ck_assert_msg (got == rows[r].values[i], "row %u value %u", r, i);
        }
    }
}
END_TEST

START_TEST (bad_dense_files_are_refused)
{
  static const struct
  {
    const char *element;
    const char *text;
    const char *code;
    guint       line, column;
  } rows[] = {
    { "i32", "", "empty-file", 1, 1 },
    { "i32", "# c\n", "empty-file", 2, 1 },
    { "i32", "1,2\n3\n", "bad-columns", 2, 2 },
    { "i32", "1,2\n3,4,5\n", "bad-columns", 2, 5 },
    { "i32", "1,,2\n", "bad-number", 1, 3 },
    { "i32", "1,2,\n", "bad-number", 1, 5 },
    { "i32", "1,2 3\n", "bad-columns", 1, 5 },
    { "i32", "a,b\n1,2\n", "bad-number", 1, 1 },
    { "i32", "1,2.5\n", "not-whole", 1, 3 },
    { "i8", "1,200\n", "value-too-large", 1, 3 },
    { "bool", "1,inf\n", "bad-number", 1, 3 },
    { "i32", "%%MatrixMarket matrix coordinate integer general\n2000000000 2000000000 0\n", "matrix-too-large", 2, 1 },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInput) input = load_dense (rows[r].element, rows[r].text, diags);
      ck_assert_msg (input == NULL, "row %u is read", r);
      const TlDiag    *diag = tl_diags_get (diags, 0);
      g_autofree char *said = tl_diag_to_text (diag);
      ck_assert_msg (strcmp (diag->code, rows[r].code) == 0 && diag->from.line == rows[r].line
                         && diag->from.column == rows[r].column && diag->reason != NULL,
                     "row %u: %s", r, said);
    }
}
END_TEST

START_TEST (dense_values_are_checked)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) minus = load_dense ("i32", "0,1\n-inf,0\n", diags),
                      wide = load_dense ("i32", "0,1,2\n1,0,3\n", diags);
  g_autoptr (TlSemiring) semiring = tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, minus->element);

  ck_assert (!tl_input_check (minus, semiring, TRUE, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "not-on-carrier");
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 2);
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.column, 1);
  ck_assert (!tl_input_check (wide, semiring, TRUE, diags));
  ck_assert_str_eq (tl_diags_get (diags, 1)->code, "not-square");
}
END_TEST

START_TEST (operator_tables)
{
  static const struct
  {
    const char *text;
    const char *code; /* NULL: good */
    guint       line, column;
  } rows[] = {
    { "0,1\n1,1\n", NULL, 0, 0 },         { "0 0 0\n0 1 1\n0 1 2", NULL, 0, 0 },
    { "0,1\n", "bad-table", 1, 1 },       { "0,1\n1,2\n", "bad-table", 2, 3 },
    { "0,1\n1,-1\n", "bad-table", 2, 3 }, { "0,1\n1,inf\n", "bad-table", 2, 3 },
    { "0,x\n", "bad-number", 1, 3 },      { "", "empty-file", 1, 1 },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      TlOperator op = { 0 };
      gboolean   good = tl_input_table ("f.csv", rows[r].text, strlen (rows[r].text), &op, diags);
      ck_assert_msg (good == (rows[r].code == NULL), "row %u", r);
      if (!good)
        {
          ck_assert_str_eq (tl_diags_get (diags, 0)->code, rows[r].code);
          ck_assert_msg (tl_diags_get (diags, 0)->from.line == rows[r].line
                             && tl_diags_get (diags, 0)->from.column == rows[r].column,
                         "row %u", r);
          continue;
        }
      ck_assert_int_eq (op.kind, TL_OPERATOR_TABLE);
      ck_assert_uint_eq (op.size, r == 0 ? 2 : 3);
      ck_assert_uint_eq (op.table[1 * op.size + 1], 1);
      tl_operator_clear (&op);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("input-sources");
  TCase *tcase = tcase_create ("sources");

  tcase_add_test (tcase, wrong_calls_are_refused);
  tcase_add_test (tcase, missing_files_are_said);
  tcase_add_test (tcase, roads_look_like_roads);
  tcase_add_test (tcase, generators_are_fixed);
  tcase_add_test (tcase, power_laws_have_hubs);
  tcase_add_test (tcase, random_matrices);
  tcase_add_test (tcase, dense_files_are_read);
  tcase_add_test (tcase, bad_dense_files_are_refused);
  tcase_add_test (tcase, dense_values_are_checked);
  tcase_add_test (tcase, operator_tables);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
