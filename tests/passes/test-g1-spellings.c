/* All spellings of one recurrence are one recurrence. */
#include "g1-spellings.h"
#include "g1-support.h"

#define SPELLINGS 400

/* Whether @text is recognised as @reference is; says what differs when @loud. */
static gboolean
equals_reference (const char *text, const TlRecurrence *reference, gboolean loud)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) recurrence = recognise_text (text, NULL, diags);

  if (recurrence != NULL && tl_diags_count (diags) == 0 && same_recurrence (recurrence, reference))
    return TRUE;
  if (loud)
    {
      g_autofree char *said = diags_text (diags);
      g_printerr ("not the same recurrence:\n%s%s\n", text, said);
    }
  return FALSE;
}

START_TEST (spellings_are_equal)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) reference = recognise_text (spelled_reference (_i), NULL, diags);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 state = tl_test_seed () + (guint64) _i;
  guint   wrong = 0;

  ck_assert_ptr_nonnull (reference);
  for (guint tries = 0; g_hash_table_size (seen) < SPELLINGS && tries < 20 * SPELLINGS; tries++)
    {
      char *text = spell (_i, &state);
      if (g_hash_table_add (seen, text))
        wrong += !equals_reference (text, reference, wrong < 5);
    }
  ck_assert_uint_ge (g_hash_table_size (seen), 200);
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

/* The four recurrences differ from one another: equality here can fail. */
START_TEST (others_are_not_equal)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) reference = recognise_text (spelled_reference (_i), NULL, diags);

  for (guint other = 0; other < N_SPELLED; other++)
    ck_assert_int_eq (equals_reference (spelled_reference (other), reference, FALSE), (int) other == _i);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-g1-spellings");
  TCase *tcase = tcase_create ("spellings");

  tcase_add_loop_test (tcase, spellings_are_equal, 0, N_SPELLED);
  tcase_add_loop_test (tcase, others_are_not_equal, 0, N_SPELLED);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
