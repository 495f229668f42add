/* Products on compute units by the command line: check, build and run, place lines, knobs, what is refused. */
#include "support/support.h"
#include "tierc.h"

#include <math.h>
#include <string.h>

#define UPDATE "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
#define SMALL  UPDATE "data A: i8[64, 256]\ndata W: i6[256, 512]\nconfig target = cu-t8b16, tile = (32, 64, 64)\n"
#define HALF   UPDATE "data A: f16[64, 512]\ndata W: f16[512, 512]\nconfig target = cu-t8b16\n"

static double
number (JsonNode *root, const char *path)
{
  JsonNode *node = json_at (root, path);

  ck_assert_msg (node != NULL, "no %s", path);
  return json_node_get_double (node);
}

/* Counts add up, in order and as scheduled, whole and by operand. */
static void
adds_up (JsonNode *root, const char *prefix)
{
  static const char *const names[] = { "hit", "miss", "conflict", "forwarded" };
  gint64                   sum[2] = { 0, 0 }, requests;
  g_autofree char         *path = g_strconcat (prefix, "requests", NULL);

  requests = json_int_at (root, path);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *order = g_strconcat (prefix, "in_order.", names[i], NULL);
      g_autofree char *scheduled = g_strconcat (prefix, "scheduled.", names[i], NULL);

      sum[0] += i < 3 ? json_int_at (root, order) : 0;
      sum[1] += json_int_at (root, scheduled);
    }
  ck_assert_int_eq (sum[0], requests);
  ck_assert_int_eq (sum[1], requests);
}

START_TEST (a_run)
{
  g_auto (Tierc) run = tierc (SMALL, "run", "-", "--json", NULL);
  g_auto (Tierc) again = tierc (SMALL, "run", "-", "--json", NULL);
  g_auto (Tierc) plan = tierc (SMALL, "plan", "-", "--json", NULL);
  g_auto (Tierc) text = tierc (SMALL, "run", "-", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  ck_assert_str_eq (run.out, again.out);
  g_autoptr (JsonNode) root = json_of (run.out);
  g_autoptr (JsonNode) planned = json_of (plan.out);
  adds_up (root, "");
  adds_up (root, "conventional.");
  adds_up (root, "packed.");
  ck_assert_int_eq (json_int_at (root, "ctas"), 16);
  ck_assert_int_eq (json_int_at (root, "kernel.steps"), 64);
  ck_assert_int_eq (json_int_at (root, "kernel.cycles"),
                    json_int_at (root, "kernel.compute_cycles") + json_int_at (root, "kernel.stall_cycles"));
  /* What PLAN counts in order is what the run counts. */
  static const char *const same[][2] = { { "conventional.in_order.conflict", "in_order.conventional.conflict" },
                                         { "conventional.in_order.hit", "in_order.conventional.hit" },
                                         { "packed.in_order.conflict", "in_order.packed.conflict" },
                                         { "requests", "requests" } };
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    ck_assert_int_eq (json_int_at (root, same[i][0]), json_int_at (planned, same[i][1]));
  ck_assert (number (root, "speed_up") >= 0.98);
  JsonArray *operands = json_node_get_array (json_at (root, "per_operand"));
  ck_assert_uint_eq (json_array_get_length (operands), 2);
  ck_assert_int_eq (json_int_at (json_array_get_element (operands, 0), "requests")
                        + json_int_at (json_array_get_element (operands, 1), "requests"),
                    json_int_at (root, "requests"));
  ck_assert_uint_eq (strlen (json_text_at (root, "result.hash")), 16);
  static const char *const said[] = { "row-major", "packed tiles", "planned", "paper, tiled", "stalled", "chosen" };
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    ck_assert_msg (strstr (text.out, said[i]) != NULL, "%s: %s", said[i], text.out);
}
END_TEST

/* Replays of a prototype, tierce of a percent apart at most (models.md section 6, profile A): hit and conflict of the
 * first 16 blocks, row-major and packed, and the speed-up of packed tiles. */
static const struct
{
  guint  n, k;
  double hit, conflict, packed_hit, packed_conflict, speed_up;
} known[] = { { 8192, 5120, 59.0, 36.6, 87.5, 9.4, 1.45 },
              { 768, 2048, 33.3, 62.3, 87.5, 9.3, 1.55 },
              { 1024, 2048, 33.3, 63.0, 87.5, 9.3, 1.55 } };

/* How many of the row's numbers are not ours. */
static guint
judge_known (guint row, double hit)
{
  g_autofree char *text = g_strdup_printf (
      UPDATE "data A: f16[64, %u]\ndata W: f16[%u, %u]\nconfig target = cu-t8b16, tile = (64, 128, 64)\n", known[row].k,
      known[row].k, known[row].n);
  g_auto (Tierc) run = tierc (text, "run", "-", "--ctas=16", "--json", "--set", "values=off", NULL);
  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  double requests = (double) json_int_at (root, "requests");
  const struct
  {
    const char *path;
    double      wanted;
  } cells[] = { { "conventional.scheduled.hit", hit },
                { "conventional.scheduled.conflict", known[row].conflict },
                { "packed.scheduled.hit", known[row].packed_hit },
                { "packed.scheduled.conflict", known[row].packed_conflict } };
  guint wrong = fabs (number (root, "speed_up_packed") - known[row].speed_up) > 0.06;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    wrong += fabs (100.0 * (double) json_int_at (root, cells[i].path) / requests - cells[i].wanted) > 0.4;
  ck_assert (number (root, "speed_up") >= number (root, "speed_up_packed") * 0.98);
  return wrong;
}

START_TEST (known_replays)
{
  ck_assert_uint_eq (judge_known ((guint) _i, known[_i].hit), 0);
}
END_TEST

START_TEST (a_wrong_replay_fails)
{
  ck_assert_uint_eq (judge_known (1, known[1].hit + 1), 1);
}
END_TEST

/* Every spelling of the layout of one row. */
START_TEST (place_lines)
{
  static const struct
  {
    const char *place, *rule;
    gint64      conflicts; /* in order, of the whole; -1: as packed */
  } rows[] = {
    { "place A = packed\nplace W = packed\n", "packed", -1 },
    { "place A = identity\nplace W = identity\n", "identity", -2 },
    { "place A = layout gf2 [domain: 8 16 32 | row: | column: 1 2 4]\nplace W = packed\n", "layout", -3 },
    { "place A = layout spatial(8).local(8)\nplace W = packed\n", "layout", -3 },
    { "place A = layout (64):(1)\nplace W = packed\n", "layout", -3 },
    { "place A = identity\nplace W = plan\n", "identity", -3 },
    { "place A = auto\n", "plan", -3 },
  };
  gint64 layouts[G_N_ELEMENTS (rows)];

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strconcat (HALF, rows[i].place, NULL);
      g_auto (Tierc) check = tierc (text, "check", "-", NULL);
      g_auto (Tierc) run = tierc (text, "run", "-", "--json", "--set", "values=off", NULL);

      ck_assert_msg (check.status == 0 && run.status == 0, "%s: %s%s", rows[i].place, check.err, run.err);
      g_autoptr (JsonNode) root = json_of (run.out);
      JsonArray *places = json_node_get_array (json_at (root, "place"));
      ck_assert_str_eq (json_text_at (json_array_get_element (places, 0), "rule"), rows[i].rule);
      layouts[i] = json_int_at (root, "in_order.conflict");
      if (rows[i].conflicts == -1)
        ck_assert_int_eq (layouts[i], json_int_at (root, "packed.in_order.conflict"));
      if (rows[i].conflicts == -2)
        {
          ck_assert_int_eq (layouts[i], json_int_at (root, "conventional.in_order.conflict"));
          ck_assert_int_eq (json_int_at (root, "kernel.cycles"), json_int_at (root, "conventional.kernel.cycles"));
        }
    }
  /* Three words for one layout. */
  ck_assert (layouts[2] == layouts[3] && layouts[3] == layouts[4]);
}
END_TEST

START_TEST (dumps_go_on)
{
  static const char *const groups[] = { "g1", "g2", "g3", "g4" };
  g_auto (Tierc) last = tierc (SMALL, "build", "-", "--dump=g4", NULL);

  ck_assert_msg (last.status == 0, "%s", last.err);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autofree char *dump = g_strconcat ("--dump=", groups[i], NULL);
      g_autofree char *from = g_strconcat ("--from=", groups[i], NULL);
      g_auto (Tierc) module = tierc (SMALL, "build", "-", dump, NULL);
      g_auto (Tierc) on = tierc (module.out, "build", "-", from, "--dump=g4", NULL);

      ck_assert_msg (on.status == 0, "%s", on.err);
      ck_assert_str_eq (on.out, last.out);
    }
  static const char *const said[]
      = { "\"tile.product\"", "\"tile.place\"", "\"tile.descriptor\"", "\"tile.load\"", "\"tile.wait\"", "-:2:28" };
  for (guint i = 0; i < G_N_ELEMENTS (said) - 1; i++)
    ck_assert_ptr_nonnull (strstr (last.out, said[i]));
  char *bad = strstr (last.out, "tiles = [2, 8, 4]");
  ck_assert_ptr_nonnull (bad);
  bad[9] = '3';
  g_auto (Tierc) wrong = tierc (last.out, "build", "-", "--from=g4", "--dump=g4", NULL);
  ck_assert_int_eq (wrong.status, 1);
  ck_assert_msg (strstr (wrong.err, "tile covering") != NULL, "%s", wrong.err);
}
END_TEST

START_TEST (refused)
{
  static const struct
  {
    const char *text, *set, *said;
  } rows[] = {
    { SMALL "data C: i32[64, 512]\n", "target=gendram", "not-on-this-target" },
    { HALF, "target=gendram", "float-order" },
    { SMALL "place W = tier 3\n", NULL, "a tile lies in many of them" },
    { SMALL "place W = fill 0..3\n", NULL, "fix: place W = plan" },
    { SMALL "place W = layout gf2 [domain: 8 | row: | column: 1 2 4]\n", NULL, "a unit's number" },
    { SMALL "place W = layout gf2 [domain: 8 24 | row: | column: 1 2 16]\n", NULL, "not independent" },
    { SMALL "place W = layout local(8, 2)\n", NULL, "it maps 16 units" },
    { SMALL "place W = layout (32):(2)\n", NULL, "holes" },
    { SMALL, "tile=(32, 64)", "three sides" },
    { SMALL, "tile=(32, 3, 64)", "whole number of bytes" },
    { SMALL, "traversal=blocked", "its traversal is product" },
    { SMALL, "quantum=33", "quantum" },
    { SMALL, "target.rows=2^2", "memory" },
    { SMALL "data C: u8[64, 512]\n", NULL, "i32, i64, f32 or f64" },
    { SMALL "data C: f32[64, 500]\n", NULL, "500" },
    { UPDATE "data A: f16[64, 256]\ndata W: f16[128, 512]\nconfig target = cu-t8b16\n", NULL, "k has two extents" },
    { "algorithm p\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\n",
      "target=cu-t8b16", "a closure cannot run" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Tierc) run = rows[i].set != NULL ? tierc (rows[i].text, "run", "-", "--set", rows[i].set, NULL)
                                               : tierc (rows[i].text, "run", "-", NULL);
      ck_assert_msg (run.status == 1 && strstr (run.err, rows[i].said) != NULL, "%u: %d %s", i, run.status, run.err);
    }
  g_auto (Tierc) warned = tierc (SMALL "place C = packed\n", "check", "-", "--set", "owner=skewed", NULL);
  ck_assert_int_eq (warned.status, 0);
  ck_assert_msg (strstr (warned.err, "placing C does nothing") != NULL
                     && strstr (warned.err, "owner does nothing") != NULL,
                 "%s", warned.err);
}
END_TEST

/* 3 x 2 x 2 by hand, as integers and in f32; W[n,k] is the same product of the turned weights. */
START_TEST (values)
{
  put_file ("a.csv", "1,2\n3,4\n5,-6\n", -1);
  put_file ("w.csv", "1,-1\n2,3\n", -1);
  put_file ("wt.csv", "1,2\n-1,3\n", -1);
#define DATA(w)                                                                                                        \
  "data A: i8[3, 2] = matrix(\"a.csv\")\ndata W: i8[2, 2] = matrix(\"" w                                               \
  "\")\nconfig target = cu-t8b16, tile = (2, 2, 2)\n"
  put_file ("i.gdsl", UPDATE DATA ("w.csv") "data C: i32[3, 2]\n", -1);
  put_file ("f.gdsl", UPDATE DATA ("w.csv"), -1);
  put_file ("t.gdsl", "algorithm up\n  C[m,n] = W[n,k] * A[m,k] + C[m,n]  for m, n, k\n" DATA ("wt.csv"), -1);
  static const char *const programs[] = { "i.gdsl", "f.gdsl", "t.gdsl" };
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_auto (Tierc) run = tierc (NULL, "run", programs[i], "--result=c.csv", NULL);
      gsize length;

      ck_assert_msg (run.status == 0, "%s: %s", programs[i], run.err);
      g_autofree char *text = get_file ("c.csv", &length);
      g_strdelimit (text, "\r", ' ');
      ck_assert_msg (strncmp (text, "5,5\n11,9\n-7,-23", 14) == 0, "%s: %s", programs[i], text);
    }
  put_file ("big.csv", "2000000000,2000000000\n", -1);
  put_file ("one.csv", "1\n1\n", -1);
  put_file ("o.gdsl",
            UPDATE "data A: i32[1, 2] = matrix(\"big.csv\")\ndata W: i8[2, 1] = matrix(\"one.csv\")\n"
                   "data C: i32[1, 1]\nconfig target = cu-t8b16, tile = (1, 1, 2)\n",
            -1);
  g_auto (Tierc) overflow = tierc (NULL, "run", "o.gdsl", NULL);
  ck_assert_int_eq (overflow.status, 1);
  ck_assert_msg (strstr (overflow.err, "sums-overflow") != NULL, "%s", overflow.err);
}
END_TEST

START_TEST (resident_blocks)
{
  g_auto (Tierc) one = tierc (HALF, "run", "-", "--json", "--set", "resident=2", "--set", "skew=7", "--set",
                              "weights=nxk", "--set", "stages=4", "--set", "values=off", NULL);
  g_auto (Tierc) few = tierc (HALF, "run", "-", "--json", "--ctas=1", "--set", "quantum=64", NULL);

  ck_assert_msg (one.status == 0 && few.status == 0, "%s%s", one.err, few.err);
  g_autoptr (JsonNode) root = json_of (one.out);
  ck_assert_int_eq (json_int_at (root, "resident"), 2);
  ck_assert_str_eq (json_text_at (root, "weights"), "nxk");
  adds_up (root, "");
  g_autoptr (JsonNode) first = json_of (few.out);
  ck_assert_int_eq (json_int_at (first, "ctas"), 1);
  ck_assert_int_eq (json_int_at (first, "all_ctas"), 4);
  ck_assert_int_eq (json_int_at (first, "quantum"), 64);
  ck_assert_int_eq (json_int_at (first, "requests"), 8 * (64 * 2 + 64 * 4));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-product");
  TCase *cases = tcase_create ("product");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, a_run);
  tcase_add_loop_test (cases, known_replays, 0, G_N_ELEMENTS (known));
  tcase_add_test (cases, a_wrong_replay_fails);
  tcase_add_test (cases, place_lines);
  tcase_add_test (cases, dumps_go_on);
  tcase_add_test (cases, refused);
  tcase_add_test (cases, values);
  tcase_add_test (cases, resident_blocks);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
