/* tierc plan on bare sequences and on programs. */
#include "support/support.h"
#include "tierc.h"

#include <stdio.h>
#include <string.h>

/* The JSON members equal the table of known values, row by row. */
START_TEST (known_values)
{
  static const struct
  {
    const char *column, *member;
  } cells[] = {
    { "L", "accesses" },
    { "fixed_cov", "fixed.coverage" },
    { "fixed_pairs", "fixed.pairs" },
    { "exact_w", "fixed.weight" },
    { "greedy_w", "fixed.greedy_weight" },
    { "fixed_conf", "fixed.conflicts" },
    { "ident_hit", "identity.hit" },
    { "ident_miss", "identity.miss" },
    { "ident_conf", "identity.conflict" },
    { "best_conf", "best.conflicts" },
    { "best_cov", "best.coverage" },
    { "best_nnz", "best.nonzeros" },
    { "loose_conf", "loose.conflicts" },
    { "loose_cov", "loose.coverage" },
  };
  g_autofree char *path = tl_test_shared_path ("oracle/tiledram.csv");
  guint            rows = 0;

  if (path == NULL)
    {
      tl_test_skip ("no oracle/tiledram.csv");
      return;
    }
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  for (guint row = 1; row < table->len; row++)
    {
      if (strcmp (tl_test_cell (table, row, "kind"), "kernel") != 0)
        continue;
      g_autofree char *bits = g_strconcat ("--bits=", tl_test_cell (table, row, "n"), NULL);
      g_autofree char *columns = g_strconcat ("--columns=", tl_test_cell (table, row, "c"), NULL);
      g_autofree char *domains = g_strconcat ("--domains=", tl_test_cell (table, row, "d"), NULL);
      g_autofree char *map = g_strconcat ("--domain-map=", tl_test_cell (table, row, "D"), NULL);
      g_strdelimit (map, " ", ',');
      g_auto (Tierc) plan = tierc (tl_test_cell (table, row, "seq"), "plan", "--sequence=-", bits, columns, domains,
                                   map, "--json", NULL);
      ck_assert_msg (plan.status == 0, "%s", plan.err);
      g_autoptr (JsonNode) root = json_of (plan.out);
      for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
        ck_assert_int_eq (json_int_at (root, cells[i].member),
                          g_ascii_strtoll (tl_test_cell (table, row, cells[i].column), NULL, 10));
      rows++;
    }
  ck_assert_uint_eq (rows, 18);
}
END_TEST

START_TEST (the_example)
{
  g_autofree char *path = tl_test_source_path ("examples/two-passes.txt");
  g_autofree char *sequence = g_strconcat ("--sequence=", path, NULL);
  g_auto (Tierc) text = tierc (NULL, "plan", sequence, "--bits=5", "--columns=2", "--domains=2", NULL);

  ck_assert_msg (text.status == 0, "%s", text.err);
  ck_assert_ptr_nonnull (strstr (text.out, "b1 ^ b3"));
  ck_assert_ptr_nonnull (strstr (text.out, "exact"));
}
END_TEST

START_TEST (wrong_sequences)
{
  put_file ("s", "0 1\n2 16\n", -1);
  g_auto (Tierc) range = tierc (NULL, "plan", "--sequence=s", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) word = tierc ("0 one", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) none = tierc (NULL, "plan", "--sequence=nowhere", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) map
      = tierc ("0", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", "--domain-map=16", NULL);
  g_auto (Tierc) masks
      = tierc ("0", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", "--domain-map=1,2", NULL);

  ck_assert_int_eq (range.status, 1);
  ck_assert_msg (strstr (range.err, "s:2:3") != NULL && strstr (range.err, "because") != NULL, "%s", range.err);
  ck_assert_int_eq (word.status, 1);
  ck_assert_msg (strstr (word.err, "<stdin>:1:3") != NULL, "%s", word.err);
  ck_assert_int_eq (none.status, 1);
  ck_assert_ptr_nonnull (strstr (none.err, "nowhere"));
  ck_assert_int_eq (map.status, 2);
  ck_assert_int_eq (masks.status, 2);
}
END_TEST

#define PROGRAM                                                                                                        \
  "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[64, 2048]\ndata W: f16[2048, 768]\n"    \
  "config target = cu-t8b16, tile = (32, 64, 64)\n"

/* A product whose rates are known: 85.2 % conflicts row-major, 12.3 % packed; N x K with two blocks 83.2, 10.2, 10.2. */
START_TEST (a_program)
{
  g_auto (Tierc) one = tierc (PROGRAM, "plan", "-", "--json", "--candidates=5", NULL);
  g_auto (Tierc) two = tierc (PROGRAM, "plan", "-", "--json", "--set", "weights=nxk", "--set", "resident=2", "--set",
                              "skew=7", "--operand=W", NULL);

  ck_assert_msg (one.status == 0, "%s", one.err);
  g_autoptr (JsonNode) root = json_of (one.out);
  gint64 requests = json_int_at (root, "requests");
  ck_assert_int_eq (requests, 73728);
  ck_assert_int_eq ((json_int_at (root, "in_order.conventional.conflict") * 2000 + requests) / (2 * requests), 852);
  ck_assert_int_eq ((json_int_at (root, "in_order.packed.conflict") * 2000 + requests) / (2 * requests), 123);
  ck_assert_int_le (json_int_at (root, "in_order.planned.conflict"), json_int_at (root, "in_order.packed.conflict"));
  ck_assert_int_eq (json_int_at (root, "in_order.planned.conflict") + json_int_at (root, "in_order.planned.hit")
                        + json_int_at (root, "in_order.planned.miss"),
                    requests);
  ck_assert_ptr_nonnull (json_at (root, "in_order.hashes.row-to-bank"));
  JsonArray *operands = json_node_get_array (json_at (root, "operands"));
  ck_assert_uint_eq (json_array_get_length (operands), 2);
  JsonNode *w = json_array_get_element (operands, 1);
  ck_assert_str_eq (json_text_at (w, "operand"), "W");
  ck_assert (json_int_at (w, "n") == 6 && json_int_at (w, "c") == 3 && json_int_at (w, "conflicts") == 0);
  ck_assert_uint_eq (strlen (json_text_at (w, "signature")), 16);
  ck_assert_uint_eq (json_array_get_length (json_node_get_array (json_at (w, "candidates"))), 5);

  ck_assert_msg (two.status == 0, "%s", two.err);
  g_autoptr (JsonNode) wide = json_of (two.out);
  requests = json_int_at (wide, "requests");
  ck_assert_int_eq ((json_int_at (wide, "in_order.conventional.conflict") * 2000 + requests) / (2 * requests), 832);
  ck_assert_int_le ((json_int_at (wide, "in_order.planned.conflict") * 2000 + requests) / (2 * requests), 102);
  ck_assert_uint_eq (json_array_get_length (json_node_get_array (json_at (wide, "operands"))), 1);
}
END_TEST

/* Weights of six bits down to their places and back; no two share a bit. */
START_TEST (elements_are_followed)
{
  static const char *const asked[] = { "0,0", "3,17", "63,127", "64,128", "99,255", "0,255" };
  static const char        program[] = "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                                       "data A: f16[64, 100]\ndata W: i6[100, 256]\n"
                                       "config target = cu-t8b16, tile = (64, 128, 64)\n";
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autofree char *option = g_strconcat ("--element=", asked[i], NULL);
      g_auto (Tierc) down = tierc (program, "plan", "-", option, "--json", NULL);
      ck_assert_msg (down.status == 0, "%s", down.err);
      g_autoptr (JsonNode) root = json_of (down.out);
      ck_assert_str_eq (json_text_at (root, "operand"), "W");
      ck_assert_str_eq (json_text_at (root, "image"), "pieces");
      ck_assert_int_eq (json_int_at (root, "units"), 48);
      ck_assert_int_eq (json_int_at (root, "copied.hit") + json_int_at (root, "copied.miss"), 48);
      JsonArray *parts = json_node_get_array (json_at (root, "element.parts"));
      gint64     bits = 0;
      for (guint p = 0; p < json_array_get_length (parts); p++)
        {
          JsonNode        *part = json_array_get_element (parts, p);
          g_autofree char *at = g_strdup_printf ("--at=tier=%d,bank=%d,row=%d,column=%d",
                                                 (int) json_int_at (part, "tier"), (int) json_int_at (part, "bank"),
                                                 (int) json_int_at (part, "row"), (int) json_int_at (part, "column"));
          g_auto (Tierc) up = tierc (program, "plan", "-", at, "--json", NULL);
          gboolean found = FALSE;
          ck_assert_msg (up.status == 0, "%s", up.err);
          g_autoptr (JsonNode) back = json_of (up.out);
          JsonArray *elements = json_node_get_array (json_at (back, "at.elements"));
          for (guint e = 0; e < json_array_get_length (elements); e++)
            {
              JsonNode        *one = json_array_get_element (elements, e);
              g_autofree char *name
                  = g_strdup_printf ("%d,%d", (int) json_int_at (one, "row"), (int) json_int_at (one, "column"));
              gint64 first = json_int_at (one, "first_bit"), n = json_int_at (one, "bits");
              gint64 wanted = json_int_at (part, "first_bit");
              found |= strcmp (name, asked[i]) == 0 && first <= wanted
                       && first + n >= wanted + json_int_at (part, "bits");
            }
          ck_assert_msg (found, "%s is not at %s", asked[i], at);
          ck_assert (g_hash_table_add (taken, g_strdup_printf ("%s %d %d", at, (int) json_int_at (part, "byte"),
                                                               (int) json_int_at (part, "bit"))));
          bits += json_int_at (part, "bits");
        }
      ck_assert_int_eq (bits, 6);
    }
  g_auto (Tierc) text = tierc (program, "plan", "-", "--element=3,17", NULL);
  ck_assert_msg (strstr (text.out, "threads 5, 69, local 9") != NULL, "%s", text.out);
  g_auto (Tierc) left = tierc (program, "plan", "-", "--element=3,17", "--operand=A", NULL);
  ck_assert_msg (strstr (left.out, "row by row") != NULL, "%s", left.out);
  g_auto (Tierc) other = tierc (program, "plan", "-", "--at=tier=7,bank=15,row=8191", NULL);
  ck_assert_msg (strstr (other.out, "nothing of A") != NULL, "%s", other.out);
}
END_TEST

START_TEST (templates)
{
  put_file ("up.gdsl", PROGRAM, -1);
  g_auto (Tierc) written = tierc (NULL, "plan", "up.gdsl", "-o", "lib.xml", NULL);
  g_auto (Tierc) printed = tierc (NULL, "plan", "up.gdsl", "-o", "-", NULL);
  g_auto (Tierc) read = tierc (NULL, "plan", "up.gdsl", "--templates=lib.xml", "--json", NULL);
  g_auto (Tierc) planned = tierc (NULL, "plan", "up.gdsl", "--json", NULL);
  g_auto (Tierc) tile = tierc (NULL, "plan", "up.gdsl", "--templates=lib.xml", "--set", "tile=(32, 128, 64)", NULL);
  g_auto (Tierc) machine = tierc (NULL, "plan", "up.gdsl", "--templates=lib.xml", "--set", "target=cu-t4b32", NULL);
  gsize            length;
  g_autofree char *library = get_file ("lib.xml", &length);

  ck_assert_msg (written.status == 0, "%s", written.err);
  ck_assert_ptr_nonnull (strstr (written.out, "planned"));
  ck_assert_str_eq (printed.out, library);
  ck_assert_msg (read.status == 0, "%s", read.err);
  g_autoptr (JsonNode) by_templates = json_of (read.out);
  g_autoptr (JsonNode) by_plan = json_of (planned.out);
  ck_assert_int_eq (json_int_at (by_templates, "in_order.planned.conflict"),
                    json_int_at (by_plan, "in_order.planned.conflict"));
  ck_assert_int_eq (tile.status, 1);
  ck_assert_msg (strstr (tile.err, "template-signature") != NULL, "%s", tile.err);
  ck_assert_int_eq (machine.status, 1);
  ck_assert_msg (strstr (machine.err, "template-target") != NULL, "%s", machine.err);
  char *digit = strstr (library, "100000");
  digit[0] = '0';
  digit[1] = '1';
  put_file ("changed.xml", library, (gssize) length);
  g_auto (Tierc) changed = tierc (NULL, "plan", "up.gdsl", "--templates=changed.xml", NULL);
  ck_assert_int_eq (changed.status, 1);
  ck_assert_msg (strstr (changed.err, "changed.xml:") != NULL, "%s", changed.err);
}
END_TEST

START_TEST (wrong_programs)
{
  static const struct
  {
    const char *input, *argument, *said;
    int         status;
  } rows[] = {
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\nconfig target = "
      "gendram\n",
      "--json", "no-product", 1 },
    { PROGRAM, "--set=target=gendram", "not-on-this-target", 1 },
    { PROGRAM, "--set=quantum=33", "quantum", 1 },
    { PROGRAM, "--set=target.rows=2^3", "region-full", 1 },
    { PROGRAM, "--operand=V", "they are A and W", 2 },
    { PROGRAM, "--bits=4", "--sequence", 2 },
    { PROGRAM, "--candidates=-1", "--candidates", 2 },
    { PROGRAM, "--templates=nowhere.xml", "nowhere.xml", 1 },
    { PROGRAM, "--output=nowhere/lib.xml", "nowhere", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Tierc) plan = tierc (rows[i].input, "plan", "-", rows[i].argument, NULL);
      ck_assert_msg (plan.status == rows[i].status && strstr (plan.err, rows[i].said) != NULL, "%u: %d %s", i,
                     plan.status, plan.err);
    }
  g_auto (Tierc) mixed = tierc ("0", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", "-o", "x", NULL);
  ck_assert_int_eq (mixed.status, 2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-plan");
  TCase *cases = tcase_create ("plan");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, known_values);
  tcase_add_test (cases, the_example);
  tcase_add_test (cases, wrong_sequences);
  tcase_add_test (cases, a_program);
  tcase_add_test (cases, elements_are_followed);
  tcase_add_test (cases, templates);
  tcase_add_test (cases, wrong_programs);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
