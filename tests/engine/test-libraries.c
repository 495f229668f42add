/* Scores and end cells beside parasail's and edlib's: the first letters of some reads of every
 * file in all forms, its first read as a whole, and proteins. */
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

/* One read in eight; under the sanitizers the first one. */
START_TEST (reads_score_alike)
{
  const TlCompareShare first_letters = { 8 * 10 / tl_test_rounds (10), 250, TRUE };
  guint                compared = has_libraries () ? tl_compare_reads ((guint) _i, &first_letters) : 0;

  if (compared == 0)
    tl_test_skip ("nothing to compare");
  else
    ck_assert_uint_ge (compared, tl_test_rounds (3));
}
END_TEST

/* Under the sanitizers its first 400 letters. */
START_TEST (a_whole_read_scores_alike)
{
  const TlCompareShare first = { G_MAXUINT, tl_test_rounds (10) == 10 ? G_MAXUINT16 : 400, FALSE };

  if (has_libraries () && tl_compare_reads ((guint) _i, &first) == 0)
    tl_test_skip ("nothing to compare");
}
END_TEST

START_TEST (proteins_score_alike)
{
  if (has_libraries ())
    tl_compare_proteins (tl_test_rounds (20));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-libraries");
  TCase *tcase = tcase_create ("libraries");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, reads_score_alike, 0, TL_READ_FILES);
  tcase_add_loop_test (tcase, a_whole_read_scores_alike, 0, TL_READ_FILES);
  tcase_add_test (tcase, proteins_score_alike);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
