/* Owner rules: grammar, values, residue classes, moves, and the owner maps of the
 * reference table. */
#include "base/hash.h"
#include "ir/owner.h"
#include "support/support.h"

#include <string.h>

START_TEST (rules_have_values)
{
  static const struct
  {
    const char *text;
    gint64      value; /* at i = 5, j = 3 with M = 21, P = 32 */
  } rows[] = {
    { "(i * M + j) mod P", 12 },
    { "(i*(M|1)+j) mod P", 12 },
    { "i", 5 },
    { "i - j", 2 },
    { "j - i", -2 },
    { "(j - i) mod P", 30 },
    { "-7 mod 4", 1 },
    { "-(7 mod 4)", -3 },
    { "-7 / 2", -4 },
    { "-7 // 2", -4 },
    { "7 mod -4", -1 },
    { "i | j", 7 },
    { "i ^ j", 6 },
    { "i & j", 1 },
    { "i | j & 1", 5 },
    { "1 + 2 * 3 - 4", 3 },
    { "2 * 3 mod 4", 2 },
    { "min(i, j, 4)", 3 },
    { "max(i, min(j, 100), 4)", 5 },
    { "1 if i lt j else 2", 2 },
    { "1 if i gt j else 2", 1 },
    { "1 if i le 5 and j ge 3 else 2", 1 },
    { "1 if not i == j else 2", 1 },
    { "1 if i != j or j == j else 2", 1 },
    { "(1 if i == 4 else 2 if j == 3 else 3)", 2 },
    { "1 / 0", G_MININT64 },
    { "i mod (j - 3)", G_MININT64 },
    { "9223372036854775807 + 1", G_MININT64 },
  };
  g_autofree char *reason = NULL;
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (rows[_i].text, 21, 32, &reason);

  ck_assert_msg (rule != NULL, "%s: %s", rows[_i].text, reason);
  ck_assert_msg (tl_owner_rule_at (rule, 5, 3) == rows[_i].value, "%s is %" G_GINT64_FORMAT, rows[_i].text,
                 tl_owner_rule_at (rule, 5, 3));
}
END_TEST

START_TEST (faults_are_refused)
{
  static const char *const rows[] = {
    "",      "i +",    "k",           "i j",    "(i",    "i)",
    "i < j", "1 if i", "1 if i else", "min(i)", "min i", "99999999999999999999",
    "i mod", "ij",     "mod 4",       "i ** j", "i = j", "\"i\"",
  };
  g_autofree char *reason = NULL;
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (rows[_i], 4, 4, &reason);

  ck_assert_msg (rule == NULL, "%s was taken", rows[_i]);
  ck_assert_ptr_nonnull (reason);
}
END_TEST

START_TEST (size_is_bounded)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GString) wide = g_string_new ("1");
  g_autoptr (GString) minus = g_string_new (NULL);
  g_autofree char *reason = NULL;
  g_autofree char *reason2 = NULL;
  g_autofree char *reason3 = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '(');
  for (guint i = 0; i < 4000; i++)
    g_string_append (wide, "+1");
  for (guint i = 0; i < 60000; i++)
    g_string_append_c (minus, '-');
  ck_assert_ptr_null (tl_owner_rule_parse (deep->str, 4, 4, &reason));
  ck_assert_ptr_null (tl_owner_rule_parse (wide->str, 4, 4, &reason2));
  ck_assert_ptr_null (tl_owner_rule_parse (minus->str, 4, 4, &reason3));
  ck_assert_ptr_nonnull (strstr (reason2, "4096 steps"));
  ck_assert_ptr_nonnull (strstr (reason3, "deeper"));
}
END_TEST

START_TEST (classes_are_seen)
{
  static const struct
  {
    const char *text;
    gboolean    linear;
    guint32     a, b, c;
  } rows[] = {
    { "(i * M + j) mod P", TRUE, 21 % 8, 1, 0 },
    { "(i * (M | 1) + j * 3 + 5) mod P", TRUE, 21 % 8, 3, 5 },
    { "(2 * (i - j) - 1) mod 8", TRUE, 2, 6, 7 },
    { "j mod P", TRUE, 0, 1, 0 },
    { "5 mod P", TRUE, 0, 0, 5 },
    { "(i * j) mod P", FALSE },
    { "(i + j) mod 4", FALSE },
    { "i + j", FALSE },
    { "i / 4", FALSE },
    { "3", TRUE, 0, 0, 3 },
    { "((i + j) mod P) / 2", FALSE },
    { "(i + j mod 3) mod P", FALSE },
    { "(i ^ j) mod P", FALSE },
    { "(i + j) mod P if i == 0 else 1", FALSE },
  };
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (rows[_i].text, 21, 8, NULL);
  guint32 a;
  guint32 b;
  guint32 c;

  ck_assert_ptr_nonnull (rule);
  ck_assert_msg (tl_owner_rule_linear (rule, &a, &b, &c) == rows[_i].linear, "%s", rows[_i].text);
  if (rows[_i].linear)
    ck_assert (a == rows[_i].a && b == rows[_i].b && c == rows[_i].c);
}
END_TEST

/* Filling by classes equals evaluating each tile. */
START_TEST (filling_equals_evaluating)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 300; round++)
    {
      guint32          tiles = 1 + (guint32) tl_test_random_below (&state, 40);
      guint32          pus = 1 + (guint32) tl_test_random_below (&state, 40);
      g_autofree char *text
          = g_strdup_printf ("(i * %d - j * %d + %d) mod P", (int) tl_test_random_below (&state, 99) - 49,
                             (int) tl_test_random_below (&state, 99), (int) tl_test_random_below (&state, 99));
      g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (text, tiles, pus, NULL);
      g_autofree guint16 *map = g_new (guint16, tiles * tiles);
      TlOwnerMove         move
          = { (guint32) tl_test_random_below (&state, tiles), (guint32) tl_test_random_below (&state, tiles),
              (guint32) tl_test_random_below (&state, pus) };
      guint32 a, b, c;
      gint64  value;

      ck_assert_ptr_nonnull (rule);
      ck_assert (tl_owner_rule_linear (rule, &a, &b, &c));
      tl_owner_rule_move (rule, &move, 1);
      ck_assert (tl_owner_rule_check (rule, &a, &b, &value));
      tl_owner_rule_fill (rule, map);
      for (guint32 i = 0; i < tiles; i++)
        for (guint32 j = 0; j < tiles; j++)
          ck_assert_int_eq (map[i * tiles + j], tl_owner_rule_at (rule, i, j));
      ck_assert_uint_eq (map[move.i * tiles + move.j], move.pu);
    }
}
END_TEST

START_TEST (owners_out_of_range_are_found)
{
  g_autoptr (TlOwnerRule) above = tl_owner_rule_parse ("i + j", 5, 8, NULL);
  g_autoptr (TlOwnerRule) below = tl_owner_rule_parse ("j - i", 5, 8, NULL);
  g_autoptr (TlOwnerRule) right = tl_owner_rule_parse ("i + j", 4, 8, NULL);
  TlOwnerMove moves[] = { { 0, 4, 0 }, { 1, 1, 8 } };
  guint32     i;
  guint32     j;
  gint64      value;

  ck_assert (!tl_owner_rule_check (above, &i, &j, &value) && i == 4 && j == 4 && value == 8);
  ck_assert (!tl_owner_rule_check (below, &i, &j, &value) && i == 1 && j == 0 && value == -1);
  ck_assert (tl_owner_rule_check (right, &i, &j, &value));
  tl_owner_rule_move (right, &moves[0], 1);
  ck_assert (!tl_owner_rule_check (right, &i, &j, &value) && i == 0 && j == 4);
  tl_owner_rule_move (above, &moves[1], 1);
  ck_assert (!tl_owner_rule_check (above, &i, &j, &value) && value == 8 && i == 1);
}
END_TEST

/* Owner maps of the structure rows. */
START_TEST (reference_maps)
{
  g_autofree char *path = tl_test_shared_path ("oracle/gendram-oracle.csv");
  g_autoptr (GPtrArray) table = NULL;
  guint rows = 0;
  guint wrong = 0;

  if (path == NULL)
    {
      tl_test_skip ("the reference table is not here");
      return;
    }
  table = tl_test_read_csv (path);
  for (guint r = 1; r < table->len; r++)
    {
      g_autofree char    *tiles = NULL;
      g_autofree char    *pus = NULL;
      g_autofree char    *hash = NULL;
      g_autofree char    *own = NULL;
      g_autofree char    *text = NULL;
      g_autofree char    *shifted = NULL;
      g_autofree guint16 *map = NULL;
      g_autofree guint8  *bytes = NULL;
      guint32             m;
      guint32             p;

      if (strcmp (tl_test_cell (table, r, "kind"), "structure") != 0)
        continue;
      tiles = tl_test_pair (tl_test_cell (table, r, "expected"), "M");
      hash = tl_test_pair (tl_test_cell (table, r, "expected"), "owner_fnv1a64");
      pus = tl_test_pair (tl_test_cell (table, r, "inputs"), "P");
      m = (guint32) g_ascii_strtoull (tiles, NULL, 10);
      p = (guint32) g_ascii_strtoull (pus, NULL, 10);
      text = tl_owner_modulo_text (m, p);
      shifted = g_strdup_printf ("(i * %u + j + 1) mod %u", m, p);
      map = g_new (guint16, m * m);
      bytes = g_new (guint8, m * m);
      for (guint pass = 0; pass < 2; pass++)
        {
          g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (pass == 0 ? text : shifted, m, p, NULL);

          tl_owner_rule_fill (rule, map);
          for (guint x = 0; x < m * m; x++)
            bytes[x] = (guint8) map[x];
          g_free (own);
          own = tl_hash_text (tl_fnv1a64 (TL_FNV1A64_START, bytes, m * m));
          if (pass == 0)
            ck_assert_str_eq (own, hash);
          else
            wrong += strcmp (own, hash) != 0; /* the deliberately wrong rule */
        }
      rows++;
    }
  ck_assert_uint_ge (rows, 16);
  ck_assert_uint_eq (wrong, rows);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-owner");
  TCase *tcase = tcase_create ("owner");

  tcase_add_loop_test (tcase, rules_have_values, 0, 28);
  tcase_add_loop_test (tcase, faults_are_refused, 0, 18);
  tcase_add_test (tcase, size_is_bounded);
  tcase_add_loop_test (tcase, classes_are_seen, 0, 14);
  tcase_add_test (tcase, filling_equals_evaluating);
  tcase_add_test (tcase, owners_out_of_range_are_found);
  tcase_add_test (tcase, reference_maps);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
