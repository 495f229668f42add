/* Quantities: exact parsing, formatting, integer roots. */
#include "base/number.h"
#include "support/support.h"

START_TEST (times_are_exact)
{
  static const struct
  {
    const char *text;
    guint64     ps;
  } rows[] = {
    { "2.29 ns", 2290 }, { "4.77ns", 4770 }, { "15 ps", 15 }, { "3.9us", 3900000 }, { "1 s", 1000000000000 },
  };
  guint64 ps = 0;

  ck_assert (tl_parse_ps (rows[_i].text, &ps, NULL));
  ck_assert_uint_eq (ps, rows[_i].ps);
}
END_TEST

START_TEST (bad_times_are_refused)
{
  static const char *const rows[]
      = { "", "ns", "-1 ns", "1", "1 parsec", "0.0001 ns", "99999999999999999999 s", "1.2.3 ns" };
  guint64          ps = 0;
  g_autofree char *reason = NULL;

  ck_assert (!tl_parse_ps (rows[_i], &ps, &reason));
  ck_assert_ptr_nonnull (reason);
}
END_TEST

START_TEST (quantities_read_well)
{
  g_autofree char *bytes = tl_format_bytes (1080000);
  g_autofree char *time = tl_format_ps (1054321098);
  g_autofree char *count = tl_format_count (16777216);
  guint64          parsed = 0;

  ck_assert_str_eq (bytes, "1 MiB");
  ck_assert_str_eq (time, "1.054 ms");
  ck_assert_str_eq (count, "16,777,216");
  ck_assert (tl_parse_bytes ("8192 bits", &parsed, NULL));
  ck_assert_uint_eq (parsed, 1024);
  ck_assert (!tl_parse_bytes ("3 bits", &parsed, NULL));
}
END_TEST

START_TEST (roots_are_floors)
{
  ck_assert_uint_eq (tl_isqrt (65535), 255);
  ck_assert_uint_eq (tl_isqrt (65536), 256);
  ck_assert_uint_eq (tl_isqrt (G_MAXUINT64), 4294967295u);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("base-number");
  TCase *tcase = tcase_create ("number");

  tcase_add_loop_test (tcase, times_are_exact, 0, 5);
  tcase_add_loop_test (tcase, bad_times_are_refused, 0, 8);
  tcase_add_test (tcase, quantities_read_well);
  tcase_add_test (tcase, roots_are_floors);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
