/* Reading sequences: what is taken, and what is said about what is not. */
#include <string.h>

#include "place/sequence.h"
#include "support/support.h"

START_TEST (good)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  static const char    text[] = "\xef\xbb\xbf# order of one tile\n0 0x1F\t7\r\n7 # twice\n31";
  static const guint16 wanted[] = { 0, 31, 7, 7, 31 };
  static const guint16 distinct[] = { 0, 7, 31 };
  g_autoptr (TlSource) source = tl_source_new ("s", text, sizeof text - 1);
  g_autoptr (TlSequence) sequence = tl_sequence_parse (source, 5, diags);

  ck_assert_uint_eq (tl_diags_count (diags), 0);
  ck_assert_uint_eq (sequence->length, G_N_ELEMENTS (wanted));
  ck_assert_int_eq (memcmp (sequence->units, wanted, sizeof wanted), 0);
  g_autoptr (TlSequence) once = tl_sequence_distinct (sequence);
  ck_assert_uint_eq (once->length, G_N_ELEMENTS (distinct));
  ck_assert_int_eq (memcmp (once->units, distinct, sizeof distinct), 0);
  g_autoptr (TlSequence) same = tl_sequence_new (5, wanted, 5);
  g_autoptr (TlSequence) wider = tl_sequence_new (6, wanted, 5);
  ck_assert_uint_eq (tl_sequence_hash (sequence), tl_sequence_hash (same));
  ck_assert_uint_ne (tl_sequence_hash (sequence), tl_sequence_hash (wider));
}
END_TEST

static const struct
{
  const char *text, *code;
  guint       line, column;
} bad[] = {
  { "1 2\n 3x 4", "not-a-unit", 2, 2 },
  { "0 -1", "not-a-unit", 1, 3 },
  { "0x", "not-a-unit", 1, 1 },
  { "1 32", "unit-range", 1, 3 },
  { "99999999999999999999999", "unit-range", 1, 1 },
  { "0x100000001", "unit-range", 1, 1 },
  { " # nothing\n", "empty-sequence", 1, 1 },
  { "", "empty-sequence", 1, 1 },
};

START_TEST (wrong)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("s", bad[_i].text, -1);

  ck_assert_ptr_null (tl_sequence_parse (source, 5, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  const TlDiag *diag = tl_diags_get (diags, 0);
  ck_assert_str_eq (diag->code, bad[_i].code);
  ck_assert_uint_eq (diag->from.line, bad[_i].line);
  ck_assert_uint_eq (diag->from.column, bad[_i].column);
  ck_assert_ptr_nonnull (diag->reason);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-sequence");
  TCase *cases = tcase_create ("reading");

  tcase_add_test (cases, good);
  tcase_add_loop_test (cases, wrong, 0, G_N_ELEMENTS (bad));
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
