/* What is offered at each place of a program. */
#include "app/suggest.h"
#include "support/support.h"

#include <string.h>

/* The caret stands where | is. @has and @lacks are suggestions; "" says nothing. */
static const struct
{
  const char *text;
  const char *has;
  const char *lacks;
} rows[] = {
  { "|", "algorithm", "gendram" },
  { "alg|", "algorithm", "config" },
  { "algorithm a\n  D[i,j] = m|", "min", "gendram" },
  { "data D: |", "i32", "graph(\"ca-GrQc.txt\")" },
  { "data D: i|", "i32", "bool" },
  { "data D: i32 = ro|", "road(1024, 7)", "random(7)" },
  { "config |", "target", "gendram" },
  { "config ta|", "target", "tile" },
  { "config target = |", "gendram", "modulo" },
  { "config target = cu|", "cu-t8b16", "gendram" },
  { "config target = gendram, |", "owner", "target" },
  { "config owner = |", "skewed", "gendram" },
  { "config owner = (i * |", "", "target" },
  { "config barriers = s|", "superstep", "dataflow" },
  { "config page = closed,\n  barr|", "barriers", "page" },
  { "config tile = |", "256", "modulo" },
  { "config buffers = |", "2", "3" },
  { "data D: i32\nplace |", "D", "fill 0..7" },
  { "data D: i32\nplace D = |", "stripe 0..7", "D" },
  { "# config target = |", "", "gendram" },
  /* Deliberately wrong: no knob is called so. */
  { "config |", "colour", "" },
};

static gboolean
offers (const GPtrArray *list, const char *text)
{
  for (guint s = 0; s < list->len; s++)
    if (strcmp (((const TlSuggestion *) list->pdata[s])->text, text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
right (guint row)
{
  static const char *const targets[] = { "cu-t8b16", "gendram", "lesson", NULL };
  guint32                  offset = (guint32) (strchr (rows[row].text, '|') - rows[row].text), start;
  GString                 *text = g_string_new (rows[row].text);

  g_string_erase (text, offset, 1);
  g_autoptr (TlSource) source = tl_source_new ("t", text->str, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_autoptr (GPtrArray) list = tl_suggest (ast, offset, targets, &start);
  g_string_free (text, TRUE);
  ck_assert_uint_le (start, offset);
  return (rows[row].has[0] == '\0' || offers (list, rows[row].has))
         && (rows[row].lacks[0] == '\0' || !offers (list, rows[row].lacks));
}

START_TEST (places_offer_what_fits)
{
  ck_assert_msg (right (_i), "%s", rows[_i].text);
}
END_TEST

START_TEST (a_wrong_row_fails)
{
  ck_assert (!right (G_N_ELEMENTS (rows) - 1));
}
END_TEST

/* Every suggestion begins like the word that it replaces, at any place of any text. */
START_TEST (suggestions_go_on_with_the_word)
{
  static const char text[]
      = "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 7)\n"
        "config target = gendram, tile = 256\nplace D = fill 0..7\n";
  g_autoptr (TlSource) source = tl_source_new ("t", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);

  for (guint32 offset = 0; offset < sizeof text; offset++)
    {
      guint32 start;
      g_autoptr (GPtrArray) list = tl_suggest (ast, offset, NULL, &start);
      for (guint s = 0; s < list->len; s++)
        ck_assert (strncmp (((const TlSuggestion *) list->pdata[s])->text, text + start, offset - start) == 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("suggest");
  TCase *tcase = tcase_create ("suggest");

  tcase_add_loop_test (tcase, places_offer_what_fits, 0, G_N_ELEMENTS (rows) - 1);
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, suggestions_go_on_with_the_word);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
