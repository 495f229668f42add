/* Scores and end cells beside parasail's and edlib's: every read, its first letters in all
 * forms, and proteins. */
#include "libraries.h"
#include "support/support.h"

static gboolean
has_libraries (void)
{
#if defined HAVE_PARASAIL && defined HAVE_EDLIB
  return TRUE;
#else
  tl_test_skip ("parasail or edlib not installed");
#if defined HAVE_PARASAIL || defined HAVE_EDLIB
  return TRUE; /* with the one that is */
#else
  return FALSE;
#endif
#endif
}

START_TEST (reads_score_alike)
{
  guint compared = has_libraries () ? tl_compare_reads (250, FALSE) : 0;

  if (compared == 0)
    tl_test_skip ("nothing to compare");
  else
    ck_assert_uint_ge (compared, tl_test_rounds (150));
}
END_TEST

START_TEST (proteins_score_alike)
{
  if (has_libraries ())
    tl_compare_proteins (tl_test_rounds (40));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-libraries");
  TCase *tcase = tcase_create ("libraries");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, reads_score_alike);
  tcase_add_test (tcase, proteins_score_alike);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
