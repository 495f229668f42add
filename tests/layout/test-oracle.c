/* Register layouts against the table of outside values: every row, and one wrong. */
#include "layout/convert.h"
#include "oracle.h"

static char *
join (const gint32 *list, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    oracle_append (text, list[i]);
  return g_string_free (text, FALSE);
}

static char *
map_text (const TlLayout *layout)
{
  GString            *text = g_string_new (NULL);
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));

  for (guint64 x = 0; x < tl_layout_elements (layout); x++)
    {
      guint local, n = tl_layout_where (layout, x, threads, &local);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%s%u", i > 0 ? "+" : x > 0 ? " " : "", threads[i]);
      g_string_append_printf (text, ":%u", local);
    }
  return g_string_free (text, FALSE);
}

static char *
inverse_text (const TlLayout *layout)
{
  GString            *text = g_string_new (NULL);
  gsize               n = (gsize) tl_layout_threads (layout) * tl_layout_locals (layout);
  g_autofree guint64 *indices = g_new (guint64, n);

  tl_layout_map (layout, indices);
  for (gsize i = 0; i < n; i++)
    {
      ck_assert_uint_eq (indices[i],
                         tl_layout_index (layout, i / tl_layout_locals (layout), i % tl_layout_locals (layout)));
      oracle_append (text, (gint64) indices[i]);
    }
  return g_string_free (text, FALSE);
}

static char *
cute_text (const TlLayout *layout)
{
  char *text = tl_layout_to_cute (layout);

  for (char *at = text; *at != '\0'; at++)
    if (*at == ',')
      *at = ' ';
  return text;
}

/* Whether all of a row is as the table has it; says what is not. */
static gboolean
row_agrees (const GPtrArray *table, guint row, const char *expr)
{
  const char      *status = tl_test_cell (table, row, "status");
  TlLayout         layout, again;
  g_autofree char *reason = NULL;
  gboolean         parsed = tl_layout_parse (&layout, expr, -1, NULL, &reason);
  TlLayoutBases    bases;

  if (g_str_equal (status, "error"))
    {
      g_print ("refused: %s: %s\n", expr, reason);
      return !parsed && reason != NULL && strlen (reason) > 10;
    }
  if (!parsed)
    {
      g_print ("%s: %s\n", expr, reason);
      return FALSE;
    }
  gboolean         has_bases = tl_layout_to_bases (&layout, &bases, NULL);
  g_autofree char *bases_text = has_bases ? tl_layout_bases_to_text (&bases) : g_strdup ("");
  g_autofree char *threads = g_strdup_printf ("%u", tl_layout_threads (&layout));
  g_autofree char *locals = g_strdup_printf ("%u", tl_layout_locals (&layout));
  g_autofree char *shape = join (layout.shape, layout.n_dims);
  g_autofree char *modes = join (layout.modes, layout.n_modes);
  g_autofree char *spatial = join (layout.spatial, layout.n_spatial);
  g_autofree char *local = join (layout.local, layout.n_local);
  g_autofree char *map = map_text (&layout);
  g_autofree char *inverse = inverse_text (&layout);
  g_autofree char *cute = cute_text (&layout);
  struct
  {
    const char *column, *ours;
  } cells[] = {
    { "shape", shape },       { "mode_shape", modes }, { "spatial_modes", spatial },
    { "local_modes", local }, { "threads", threads },  { "locals", locals },
    { "map", map },           { "inv", inverse },      { "gf2_bases", bases_text },
    { "cute_tv", cute },
  };
  gboolean fine = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (!g_str_equal (tl_test_cell (table, row, cells[i].column), cells[i].ours))
      {
        g_print ("%s: %s: %.80s, not %.80s\n", expr, cells[i].column, cells[i].ours,
                 tl_test_cell (table, row, cells[i].column));
        fine = FALSE;
      }
  g_autofree char *printed = tl_layout_to_text (&layout);
  fine &= tl_layout_parse (&again, printed, -1, NULL, NULL) && tl_layout_equal (&layout, &again);
  return fine;
}

START_TEST (rows_are_equal)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-layouts.csv");
  guint wrong = 0, rows = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    {
      if (g_str_equal (tl_test_cell (table, row, "case"), "R065"))
        continue;
      rows++;
      wrong += !row_agrees (table, row, tl_test_cell (table, row, "expr"));
    }
  ck_assert_uint_eq (rows, 108);
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

START_TEST (a_wrong_row_fails)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-layouts.csv");

  if (table == NULL)
    return;
  /* local(3,4).spatial(2,3) with its factors the other way round; a good one called an error. */
  ck_assert (!row_agrees (table, 3, "spatial(2,3).local(3,4)"));
  for (guint row = 1; row < table->len; row++)
    if (g_str_equal (tl_test_cell (table, row, "case"), "R066"))
      ck_assert (!row_agrees (table, row, "spatial(6)"));
}
END_TEST

/* The table keeps a fault of its origin there: the right one by brute force. */
START_TEST (flatten_keeps_the_map)
{
  static const char *const operands[] = { "spatial(3,4).local(2,1)", "column_local(2,3,2).spatial(2,2,5)",
                                          "reduce(spatial(3,4,2),[1],keepdims=True).local(2,3,1)" };
  TlLayout                 layout, flat;

  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    {
      g_autofree char *text = g_strdup_printf ("flatten(%s)", operands[i]);

      ck_assert (tl_layout_parse (&layout, operands[i], -1, NULL, NULL));
      ck_assert (tl_layout_parse (&flat, text, -1, NULL, NULL));
      ck_assert_uint_eq (flat.n_dims, 1);
      ck_assert_uint_eq (flat.shape[0], tl_layout_elements (&layout));
      for (guint t = 0; t < tl_layout_threads (&layout); t++)
        for (guint l = 0; l < tl_layout_locals (&layout); l++)
          ck_assert_uint_eq (tl_layout_index (&flat, t, l), tl_layout_index (&layout, t, l));
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-oracle");
  TCase *tcase = tcase_create ("oracle");

  tcase_add_test (tcase, rows_are_equal);
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, flatten_keeps_the_map);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
