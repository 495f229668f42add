/* Every structure row of the oracle, to the picosecond, memoised; the smaller ones by
 * the full run too. */
#include "base/hash.h"
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const char *inputs;
  const char *expected;
} Row;

static guint64
number (const char *pairs, const char *key)
{
  g_autofree char *text = tl_test_pair (pairs, key);

  ck_assert_msg (text != NULL, "no %s", key);
  return g_ascii_strtoull (text, NULL, 10);
}

static TlPimProgram *
program_of (const char *inputs, TlBarriers barriers)
{
  static const TlPlaceRule places[] = {
    { TL_PLACE_TIER, 0, 0, { 0 } },
    { TL_PLACE_FILL, 0, 7, { 0 } },
    { TL_PLACE_STRIPE, 0, 3, { 0 } },
    { TL_PLACE_STRIPE, 0, 7, { 0 } },
  };
  TlPimMachine     machine = fixture_oracle ();
  TlPimProgramSpec spec = {
    .machine = &machine,
    .n = (guint32) number (inputs, "N"),
    .tile = (guint32) number (inputs, "B"),
    .place = places[number (inputs, "tiermode")],
    .edges = TL_EDGES_PADDED,
    .copies = TL_COPIES_T0,
    .ring = TL_RING_FREE,
    .barriers = barriers,
  };

  machine.pus = (guint32) number (inputs, "P");
  machine.search_pus = 0;
  machine.banks = (guint32) number (inputs, "banks");
  machine.pes = (guint32) number (inputs, "lanes");
  return fixture_build (&spec);
}

/* The first key whose value is not the expected one, or NULL. */
static const char *
mismatch (const char *inputs, const char *expected, TlSimMode mode)
{
  for (guint s = 0; s < 2; s++)
    {
      g_autoptr (TlPimProgram) program = program_of (inputs, s == 0 ? TL_BARRIERS_DATAFLOW : TL_BARRIERS_STRICT);
      TlSimOptions options = { .mode = mode };
      g_autoptr (GError) error = NULL;
      g_autoptr (TlSimRun) run = NULL;
      const char *makespan = s == 0 ? "makespan_ps_dataflow" : "makespan_ps_strict";

      ck_assert_ptr_nonnull (program);
      run = tl_sim_run (program, &options, &error);
      ck_assert_msg (run != NULL, "%s", error != NULL ? error->message : "");
      const struct
      {
        const char *key;
        guint64     value;
      } values[] = {
        { makespan, run->makespan },
        { "phase1", run->operations[0] },
        { "phase2", run->operations[1] },
        { "phase3", run->operations[2] },
        { "row_activations", run->total.act },
        { "read_bursts", run->total.rd },
        { "write_bursts", run->total.wr },
        { "bytes_read", run->total.bytes_read },
        { "bytes_written", run->total.bytes_written },
      };

      for (guint v = 0; v < G_N_ELEMENTS (values); v++)
        if (number (expected, values[v].key) != values[v].value)
          return values[v].key;
      ck_assert_uint_eq (run->total.hits + run->total.misses + run->total.conflicts, run->total.rd + run->total.wr);
      ck_assert_uint_eq (run->total.pre, run->total.act);
      ck_assert_uint_eq (run->total.misses, run->total.act);
    }
  return NULL;
}

START_TEST (structure_rows_are_equal)
{
  g_autofree char *path = tl_test_shared_path ("oracle/gendram-oracle.csv");
  g_autoptr (GPtrArray) table = NULL;
  guint rows = 0;

  if (path == NULL)
    {
      tl_test_skip ("oracle/gendram-oracle.csv is not there");
      return;
    }
  table = tl_test_read_csv (path);
  for (guint r = 1; r < table->len; r++)
    {
      const char *inputs = tl_test_cell (table, r, "inputs"), *expected = tl_test_cell (table, r, "expected");
      const char *key;

      if (strcmp (tl_test_cell (table, r, "kind"), "structure") != 0)
        continue;
      key = mismatch (inputs, expected, TL_SIM_MEMO);
      ck_assert_msg (key == NULL, "%s: %s differs", tl_test_cell (table, r, "id"), key);
      if (number (inputs, "N") <= 2048)
        {
          key = mismatch (inputs, expected, TL_SIM_FULL);
          ck_assert_msg (key == NULL, "%s, full: %s differs", tl_test_cell (table, r, "id"), key);
        }
      rows++;
    }
  ck_assert_uint_ge (rows, 16);
}
END_TEST

/* One picosecond off, one activation off: the comparison must see it. */
START_TEST (wrong_rows_are_seen)
{
  const char *inputs = "N=256;B=32;P=32;banks=4;tiermode=0;lanes=16;w=4";
  const char *right
      = "makespan_ps_strict=86436840;makespan_ps_dataflow=69187760;phase1=8;phase2=112;phase3=392;"
        "row_activations=7680;read_bursts=45056;write_bursts=16384;bytes_read=5767168;bytes_written=2097152";
  const char *late
      = "makespan_ps_strict=86436841;makespan_ps_dataflow=69187760;phase1=8;phase2=112;phase3=392;"
        "row_activations=7680;read_bursts=45056;write_bursts=16384;bytes_read=5767168;bytes_written=2097152";

  ck_assert_ptr_null (mismatch (inputs, right, TL_SIM_MEMO));
  ck_assert_str_eq (mismatch (inputs, late, TL_SIM_MEMO), "makespan_ps_strict");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-oracle");
  TCase *tcase = tcase_create ("oracle");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, structure_rows_are_equal);
  tcase_add_test (tcase, wrong_rows_are_seen);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
