/* All reads of one file as wholes, 1,000 to 12,600 letters, beside parasail and edlib: local,
 * global and semi-global, linear and affine gaps. READ_FILE: which file. */
#include "libraries.h"
#include "support/support.h"

#include <stdio.h>

START_TEST (whole_reads_score_alike)
{
  const TlCompareShare all = { 1, G_MAXUINT16, FALSE };
  guint                compared = tl_compare_reads (READ_FILE, &all);

#if defined HAVE_PARASAIL || defined HAVE_EDLIB
  if (compared == 0)
    tl_test_skip ("nothing to compare");
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

  tcase_set_timeout (tcase, 580);
  tcase_add_test (tcase, whole_reads_score_alike);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
