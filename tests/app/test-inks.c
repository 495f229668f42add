/* What every word of a program is coloured as, and what the caret lights. */
#include "app/inks.h"
#include "support/support.h"

#include <string.h>

static const char program[] = "# shortest\n"
                              "algorithm apsp\n"
                              "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                              "data D: i32 = graph(\"ca-GrQc.txt\")\n"
                              "config target = gendram, owner = (i * M + j) mod 32, tile = 128\n"
                              "place D = stripe 0..7 ?\n";

/* The n-th time (from 1) that a text stands in the program, and its ink; -1: none. */
static const struct
{
  const char *text;
  guint       nth;
  int         ink;
} expected[] = {
  { "# shortest", 1, TL_INK_COMMENT },
  { "algorithm", 1, TL_INK_KEYWORD },
  { "apsp", 1, TL_INK_ALGORITHM },
  { "D", 1, TL_INK_DATA },
  { "i", 2, TL_INK_LOOP },
  { "min", 1, TL_INK_CALL },
  { "for", 1, TL_INK_KEYWORD },
  { "data", 1, TL_INK_KEYWORD },
  { "i32", 1, TL_INK_TYPE },
  { "graph", 1, TL_INK_CALL },
  { "\"ca-GrQc.txt\"", 1, TL_INK_STRING },
  { "config", 1, TL_INK_KEYWORD },
  { "target", 1, TL_INK_KNOB },
  { "gendram", 1, -1 },
  { "owner", 1, TL_INK_KNOB },
  { "M", 1, TL_INK_LOOP },
  { "mod", 1, TL_INK_KEYWORD },
  { "32,", 1, TL_INK_NUMBER },
  { "place", 1, TL_INK_KEYWORD },
  { "stripe", 1, -1 },
  { "?", 1, TL_INK_BAD },
  /* Deliberately wrong: a keyword is no number. */
  { "algorithm", 1, TL_INK_NUMBER },
};

static const char *
find (const char *text, guint nth)
{
  const char *at = program;

  for (guint n = 0; n < nth; n++)
    at = strstr (n == 0 ? at : at + 1, text);
  return at;
}

static int
ink_at (const GArray *inks, guint32 offset)
{
  for (guint n = 0; n < inks->len; n++)
    if (g_array_index (inks, TlInked, n).span.start <= offset && offset < g_array_index (inks, TlInked, n).span.end)
      return (int) g_array_index (inks, TlInked, n).ink;
  return -1;
}

START_TEST (words_have_their_ink)
{
  g_autoptr (TlSource) source = tl_source_new ("t.gdsl", program, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_autoptr (GArray) inks = tl_inks (source, ast);
  guint wrong = 0;

  for (guint e = 0; e < G_N_ELEMENTS (expected); e++)
    {
      const char *at = find (expected[e].text, expected[e].nth);
      /* The second i is the one of D[i,j]: "algorithm" has the first. */
      if (strcmp (expected[e].text, "i") == 0)
        at = strstr (program, "[i,j]") + 1;
      ck_assert_ptr_nonnull (at);
      int ink = ink_at (inks, (guint32) (at - program));
      if (e + 1 < G_N_ELEMENTS (expected))
        ck_assert_msg (ink == expected[e].ink, "%s is %s", expected[e].text, ink < 0 ? "plain" : tl_ink_name (ink));
      else
        wrong += ink != expected[e].ink;
    }
  ck_assert_uint_eq (wrong, 1);
}
END_TEST

/* Any bytes: spans ascend, stay inside, and never overlap. */
START_TEST (spans_ascend_in_any_text)
{
  static const char *const bits[]
      = { "algorithm ", "D[i,j]", " = ", "min(", ")",        "\n", "  ", "\"",          "#",
          "config ",    "tile",   "12",  "\xff", "\xc3\xa9", "..", ",",  "data X: i32", "for k" };

  guint64 seed = tl_test_seed ();

  for (guint round = 0; round < 400; round++)
    {
      GString *text = g_string_new (NULL);
      for (guint n = tl_test_random_below (&seed, 30); n-- > 0;)
        g_string_append (text, bits[tl_test_random_below (&seed, G_N_ELEMENTS (bits))]);
      g_autoptr (TlSource) source = tl_source_new ("t", text->str, text->len);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = tl_parse (source, diags);
      g_autoptr (GArray) inks = tl_inks (source, ast);
      guint32 at = 0;
      for (guint n = 0; n < inks->len; n++)
        {
          TlSpan span = g_array_index (inks, TlInked, n).span;
          ck_assert_uint_ge (span.start, at);
          ck_assert_uint_gt (span.end, span.start);
          at = span.end;
        }
      ck_assert_uint_le (at, text->len);
      for (guint32 offset = 0; offset <= text->len; offset++)
        tl_caret_id (ast, tl_span (0, 0), tl_span (0, 0), tl_span (0, 0), offset);
      g_string_free (text, TRUE);
    }
}
END_TEST

START_TEST (the_caret_lights_what_it_stands_on)
{
  g_autoptr (TlSource) source = tl_source_new ("t.gdsl", program, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  guint32 left = (guint32) (strstr (program, "D[i,k]") - program);
  guint32 right = (guint32) (strstr (program, "D[k,j]") - program);
  guint32 output = (guint32) (strstr (program, "D[i,j] =") - program);
  TlSpan  spans[] = { { output, output + 6 }, { left, left + 6 }, { right, right + 6 } };
  const struct
  {
    const char *text, *id;
  } rows[] = { { "D[i,j] =", "operand-C" }, { "D[i,k]", "operand-left" }, { "D[k,j]", "operand-right" },
               { "(i * M", "tiles" },       { "tile = 128", "tiles" },    { "place D", "tiers" },
               { "data D", "tiers" },       { "gendram", "tiers" },       { "algorithm", NULL } };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      guint32 at = (guint32) (strstr (program, rows[r].text) - program) + 1;
      ck_assert_pstr_eq (tl_caret_id (ast, spans[0], spans[1], spans[2], at), rows[r].id);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("inks");
  TCase *tcase = tcase_create ("inks");

  tcase_add_test (tcase, words_have_their_ink);
  tcase_add_test (tcase, spans_ascend_in_any_text);
  tcase_add_test (tcase, the_caret_lights_what_it_stands_on);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
