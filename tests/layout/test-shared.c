/* Shared-memory layouts against the table of outside values. */
#include "layout/shared.h"
#include "oracle.h"

static gboolean
row_agrees (const GPtrArray *table, guint row, const char *expr)
{
  TlShared         shared, again;
  g_autofree char *reason = NULL;
  gboolean         parsed = tl_shared_parse (&shared, expr, -1, NULL, &reason);

  if (g_str_equal (tl_test_cell (table, row, "status"), "error"))
    return !parsed && reason != NULL;
  if (!parsed)
    {
      g_print ("%s: %s\n", expr, reason);
      return FALSE;
    }
  g_autoptr (GString) shape = g_string_new (NULL);
  g_autoptr (GString) modes = g_string_new (NULL);
  g_autoptr (GString) strides = g_string_new (NULL);
  g_autoptr (GString) swizzle = g_string_new (NULL);
  g_autoptr (GString) size = g_string_new (NULL);
  g_autoptr (GString) offsets = g_string_new (NULL);
  g_autofree char *text = tl_shared_to_text (&shared);

  for (guint d = 0; d < shared.n_dims; d++)
    oracle_append (shape, shared.shape[d]);
  for (guint m = 0; m < shared.n_modes; m++)
    {
      oracle_append (modes, shared.modes[m]);
      oracle_append (strides, shared.strides[m]);
    }
  if (shared.swizzle.bits > 0)
    g_string_printf (swizzle, "%u %u %u", shared.swizzle.base, shared.swizzle.bits, shared.swizzle.shift);
  oracle_append (size, (gint64) tl_shared_size (&shared));
  for (guint64 x = 0; x < tl_shared_elements (&shared); x++)
    oracle_append (offsets, (gint64) tl_shared_offset (&shared, x));
  gboolean fine = tl_shared_parse (&again, text, -1, NULL, NULL) && tl_shared_size (&again) == tl_shared_size (&shared);
  struct
  {
    const char *column, *ours;
  } cells[] = {
    { "shape", shape->str },     { "mode_shape", modes->str }, { "mode_strides", strides->str },
    { "count_size", size->str }, { "offsets", offsets->str },  { "swizzle_base_bits_shift", swizzle->str },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (!g_str_equal (tl_test_cell (table, row, cells[i].column), cells[i].ours))
      {
        g_print ("%s: %s: %.80s, not %.80s\n", expr, cells[i].column, cells[i].ours,
                 tl_test_cell (table, row, cells[i].column));
        fine = FALSE;
      }
  return fine;
}

START_TEST (rows_are_equal)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-shared.csv");
  guint wrong = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    wrong += !row_agrees (table, row, tl_test_cell (table, row, "expr"));
  ck_assert_uint_eq (table->len, 28);
  ck_assert_uint_eq (wrong, 0);
  ck_assert (!row_agrees (table, 1, "column_major(3,5)"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-shared");
  TCase *tcase = tcase_create ("shared");

  tcase_add_test (tcase, rows_are_equal);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
