/* The rows of oracle/gendram-oracle.csv through the engine: program text, the
 * oracle's target, the row's numbers as overrides. */
#include "support-engine.h"

#include "base/hash.h"

static GPtrArray *
table (void)
{
  return tl_test_shared_csv ("oracle/gendram-oracle.csv");
}

static guint64
number (const char *pairs, const char *key)
{
  g_autofree char *text = tl_test_pair (pairs, key);

  ck_assert_msg (text != NULL, "no %s", key);
  return g_ascii_strtoull (text, NULL, 10);
}

static TlBuild *
build_row (const char *inputs, const char *barriers)
{
  static const char *const places[] = { "tier 0", "fill 0..7", "stripe 0..3", "stripe 0..7" };
  g_autofree char         *target = tl_test_source_path ("tests/targets/oracle.xml");
  g_autofree char *text = g_strdup_printf ("algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                           "data D: i32 = road(%" G_GUINT64_FORMAT
                                           ", 1)\nconfig target = \"%s\", values = off, barriers = %s\n"
                                           "place D = %s\n",
                                           number (inputs, "N"), target, barriers, places[number (inputs, "tiermode")]);
  g_autofree char *tile = g_strdup_printf ("tile=%" G_GUINT64_FORMAT, number (inputs, "B"));
  g_autofree char *pus = g_strdup_printf ("target.pus=%" G_GUINT64_FORMAT, number (inputs, "P"));
  g_autofree char *banks = g_strdup_printf ("target.banks=%" G_GUINT64_FORMAT, number (inputs, "banks"));

  return build_text (text, NULL, SETS (tile, pus, banks));
}

static void
compare (const TlRun *run, const char *expected, const char *barriers)
{
  g_autofree char *makespan = g_strdup_printf ("makespan_ps_%s", barriers);
  g_autofree char *hash = tl_hash_text (run->owner.fnv1a64);
  g_autofree char *wanted = tl_test_pair (expected, "owner_fnv1a64");

  ck_assert_uint_eq (run->tiles_per_side, number (expected, "M"));
  ck_assert_uint_eq (run->ops.total, number (expected, "tile_ops"));
  ck_assert_uint_eq (run->ops.pivot, number (expected, "phase1"));
  ck_assert_uint_eq (run->ops.rowcol, number (expected, "phase2"));
  ck_assert_uint_eq (run->ops.internal, number (expected, "phase3"));
  ck_assert_uint_eq (run->owner.min, number (expected, "tiles_per_pu_min"));
  ck_assert_uint_eq (run->owner.max, number (expected, "tiles_per_pu_max"));
  ck_assert_str_eq (hash, wanted);
  ck_assert_uint_eq (run->commands.act, number (expected, "row_activations"));
  ck_assert_uint_eq (run->commands.rd, number (expected, "read_bursts"));
  ck_assert_uint_eq (run->commands.wr, number (expected, "write_bursts"));
  ck_assert_uint_eq (run->bytes.read, number (expected, "bytes_read"));
  ck_assert_uint_eq (run->bytes.written, number (expected, "bytes_written"));
  ck_assert_uint_eq (run->rows.hit + run->rows.miss + run->rows.conflict, run->commands.rd + run->commands.wr);
  ck_assert_uint_eq (run->rows.miss, run->commands.act);
  ck_assert_uint_eq (run->makespan_ps, number (expected, makespan));
}

START_TEST (structure)
{
  static const char *const barriers[] = { "strict", "dataflow" };
  g_autoptr (GPtrArray) rows = table ();
  guint seen = 0;

  if (rows == NULL)
    return;
  for (guint r = 1; r < rows->len; r++)
    {
      if (strcmp (tl_test_cell (rows, r, "kind"), "structure") != 0)
        continue;
      seen++;
      for (guint b = 0; b < 2; b++)
        {
          g_autoptr (TlBuild) build = build_row (tl_test_cell (rows, r, "inputs"), barriers[b]);
          g_autoptr (TlRun) run = must_run (build, NULL);

          ck_assert_str_eq (run->simulation, "memo");
          compare (run, tl_test_cell (rows, r, "expected"), barriers[b]);
        }
    }
  ck_assert_uint_eq (seen, 16);
}
END_TEST

/* The deliberately wrong row: another bank count must give another makespan. */
START_TEST (a_wrong_row_fails)
{
  g_autoptr (TlBuild) build = build_row ("N=256;B=32;P=32;banks=2;tiermode=0", "strict");
  g_autoptr (TlRun) run = must_run (build, NULL);

  ck_assert_uint_ne (run->makespan_ps, 86436840);
}
END_TEST

/* "0 inf 3/..." as a csv file. */
static GBytes *
as_csv (const char *matrix)
{
  char *text = g_strconcat (matrix, "\n", NULL);

  g_strdelimit (text, " ", ',');
  g_strdelimit (text, "/", '\n');
  return g_bytes_new_take (text, strlen (text));
}

START_TEST (functions)
{
  static const struct
  {
    const char *problem, *update, *type;
  } problems[] = {
    { "apsp", "min(D[i,j], D[i,k] + D[k,j])", "i32" },
    { "closure", "D[i,j] or (D[i,k] and D[k,j])", "bool" },
    { "widest", "max(D[i,j], min(D[i,k], D[k,j]))", "i32" },
    { "minimax", "min(D[i,j], max(D[i,k], D[k,j]))", "i32" },
  };
  g_autoptr (GPtrArray) rows = table ();
  guint seen = 0;

  if (rows == NULL)
    return;
  for (guint r = 1; r < rows->len; r++)
    for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
      {
        const char      *pairs = tl_test_cell (rows, r, "inputs");
        g_autofree char *problem = tl_test_pair (pairs, "problem");
        g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

        if (strcmp (tl_test_cell (rows, r, "kind"), "function") != 0 || strcmp (problem, problems[p].problem) != 0)
          continue;
        seen++;
        g_autofree char *matrix = tl_test_pair (pairs, "matrix");
        g_autofree char *result = tl_test_pair (tl_test_cell (rows, r, "expected"), "result");
        g_autoptr (GBytes) csv = as_csv (matrix);
        g_autofree char *text
            = g_strdup_printf ("algorithm f\n  D[i,j] = %s  for k, i, j\ndata D: %s = matrix(\"m.csv\")\n"
                               "config target = gendram, tile = %" G_GUINT64_FORMAT "\n",
                               problems[p].update, problems[p].type, number (pairs, "B"));
        tl_inputs_add (inputs, "m.csv", csv);
        g_autoptr (TlBuild) build = build_text (text, inputs, NULL);
        g_autoptr (TlRun) run = must_run (build, NULL);
        g_auto (GStrv) lines = g_strsplit (result, "/", -1);
        guint n = (guint) number (pairs, "N");

        ck_assert_uint_eq (g_strv_length (lines), n);
        for (guint i = 0; i < n; i++)
          {
            g_auto (GStrv) cells = g_strsplit (lines[i], " ", -1);

            for (guint j = 0; j < n; j++)
              {
                g_autofree char *value = tl_run_value_text (run, i, j);

                ck_assert_str_eq (value, cells[j]);
              }
          }
      }
  ck_assert_uint_eq (seen, 8);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-oracle");
  TCase *tcase = tcase_create ("oracle");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, structure);
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, functions);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
