/* Whole reads of 2,000 to 10,000 letters beside parasail and edlib: local scores, unit costs. */
#include "libraries.h"
#include "support/support.h"

#include <stdio.h>

START_TEST (whole_reads_score_alike)
{
  guint compared = 0;

#if defined HAVE_PARASAIL || defined HAVE_EDLIB
  compared = tl_compare_reads (G_MAXUINT16, TRUE);
#else
  tl_test_skip ("parasail and edlib not installed");
#endif
  printf ("%u whole reads compared\n", compared);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-libraries-whole");
  TCase *tcase = tcase_create ("whole");

  tcase_set_timeout (tcase, 280);
  tcase_add_test (tcase, whole_reads_score_alike);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
