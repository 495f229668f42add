/* Rows of the choices panel from builds, the ownership card, and what limits a run. */
#include "app/choices.h"
#include "app/facts.h"
#include "dsl/edit.h"
#include "support/support.h"

#include <string.h>

#define HEAD "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(1024, 7)\n"

static TlBuild *
build (const char *text)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  return tl_build ("t.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
}

static const TlChoice *
row (const GPtrArray *choices, const char *key)
{
  for (guint c = 0; c < choices->len; c++)
    if (strcmp (((const TlChoice *) choices->pdata[c])->key, key) == 0)
      return choices->pdata[c];
  return NULL;
}

static const char *const targets[] = { "gendram", "lesson", NULL };

START_TEST (every_knob_has_a_row)
{
  g_autoptr (TlBuild) built = build (HEAD "config target = gendram, page = open\nplace D = stripe 0..7\n");
  g_autoptr (GPtrArray) choices = tl_choices_new (built, NULL, NULL, targets);

  ck_assert (built->complete);
  ck_assert_uint_eq (choices->len, TL_N_PIM_KNOBS + 1);
  for (guint id = 0; id < TL_N_PIM_KNOBS; id++)
    {
      const TlChoice *one = row (choices, id == TL_PIM_PLACE ? "D" : tl_pim_knob_name (id));
      ck_assert_ptr_nonnull (one);
      ck_assert_ptr_nonnull (one->value);
      ck_assert_ptr_nonnull (one->legal);
      ck_assert_ptr_null (one->problem);
      if (one->kind == TL_CHOICE_WORDS)
        ck_assert (g_strv_contains ((const char *const *) one->words, one->value));
    }
  ck_assert_str_eq (row (choices, "tile")->value, "256");
  ck_assert_int_eq (row (choices, "tile")->chosen, TL_CHOSEN_DERIVED);
  ck_assert_uint_eq (row (choices, "tile")->limit, 256);
  ck_assert_uint_gt (row (choices, "tile")->most, 256);
  ck_assert_str_eq (row (choices, "page")->value, "open");
  ck_assert_int_eq (row (choices, "page")->chosen, TL_CHOSEN_YOU);
  ck_assert_str_eq (row (choices, "D")->value, "stripe 0..7");
  ck_assert_str_eq (row (choices, "target")->value, "gendram");
  ck_assert_uint_eq (tl_choices_by (choices, TL_CHOSEN_YOU), 3);
}
END_TEST

START_TEST (an_examples_values_are_the_examples)
{
  static const char text[] = HEAD "config target = gendram, page = open\n";
  g_autoptr (TlBuild) came = build (text);
  g_autoptr (TlBuild) now = build (HEAD "config target = gendram, page = closed\n");
  g_autoptr (GPtrArray) before = tl_choices_new (came, came->ast, NULL, targets);
  g_autoptr (GPtrArray) after = tl_choices_new (now, came->ast, NULL, targets);

  ck_assert_int_eq (row (before, "page")->chosen, TL_CHOSEN_EXAMPLE);
  ck_assert_int_eq (row (after, "page")->chosen, TL_CHOSEN_YOU);
  ck_assert_int_eq (row (after, "target")->chosen, TL_CHOSEN_EXAMPLE);
}
END_TEST

START_TEST (refused_values_say_why)
{
  g_autoptr (TlBuild) good = build (HEAD "config target = gendram\n");
  g_autoptr (TlBuild) bad = build (HEAD "config target = gendram, tile = 300\n");
  g_autoptr (TlBuild) rule = build (HEAD "config target = gendram, owner = i * 100\n");
  g_autoptr (GPtrArray) choices = tl_choices_new (bad, NULL, good, targets);
  g_autoptr (GPtrArray) owners = tl_choices_new (rule, NULL, good, targets);

  ck_assert (!bad->complete);
  ck_assert_str_eq (row (choices, "tile")->value, "300");
  ck_assert_ptr_nonnull (row (choices, "tile")->problem);
  ck_assert_ptr_nonnull (strstr (row (choices, "tile")->problem, "256"));
  ck_assert_ptr_nonnull (row (owners, "owner")->problem);
  ck_assert_ptr_null (row (choices, "page")->problem);
}
END_TEST

/* Whatever the text, rows come or do not, and nothing breaks. */
START_TEST (broken_texts_have_rows_too)
{
  static const char *const texts[] = { "",
                                       "config",
                                       "config tile = ",
                                       "algorithm\n",
                                       HEAD "config target = nowhere\n",
                                       HEAD "config target = cu-t8b16\n",
                                       "config owner = (((\nplace D = \n",
                                       HEAD "place D = tier 99\n",
                                       HEAD "config tile = 0, tile = 9\n" };

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (TlBuild) built = build (texts[t]);
      g_autoptr (GPtrArray) choices = tl_choices_new (built, NULL, NULL, targets);
      for (guint c = 0; c < choices->len; c++)
        ck_assert_ptr_nonnull (((const TlChoice *) choices->pdata[c])->value);
    }
}
END_TEST

/* What the panel writes is what the next build's row shows. */
START_TEST (a_turned_knob_comes_back)
{
  static const struct
  {
    const char *key, *value;
    gboolean    place;
  } turns[] = { { "tile", "128", FALSE },   { "owner", "skewed", FALSE }, { "barriers", "strict", FALSE },
                { "D", "fill 0..7", TRUE }, { "page", "open", FALSE },    { "owner", "(i * 3 + j) mod P", FALSE },
                { "buffers", "2", FALSE },  { "baseline", "B1", FALSE },  { "target", "gendram", FALSE } };
  g_autoptr (TlBuild) first = build (HEAD);

  for (guint t = 0; t < G_N_ELEMENTS (turns); t++)
    {
      g_autoptr (GArray) edits = turns[t].place ? tl_edit_place (first->ast, turns[t].key, turns[t].value)
                                                : tl_edit_config (first->ast, turns[t].key, turns[t].value);
      g_autofree char *text = tl_edit_apply (first->source, edits, NULL);
      g_autoptr (TlBuild) built = build (text);
      g_autoptr (GPtrArray) choices = tl_choices_new (built, NULL, NULL, targets);
      const TlChoice *shown = row (choices, turns[t].key);
      ck_assert_msg (strcmp (shown->value, turns[t].value) == 0, "%s = %s shows %s", turns[t].key, turns[t].value,
                     shown->value);
      ck_assert (shown->written);
      /* And taking it out gives the text back. */
      g_autoptr (GArray) back = turns[t].place ? tl_edit_place (built->ast, turns[t].key, NULL)
                                               : tl_edit_config (built->ast, turns[t].key, NULL);
      g_autofree char *again = tl_edit_apply (built->source, back, NULL);
      ck_assert_str_eq (again, HEAD);
    }
}
END_TEST

#define PRODUCT                                                                                                        \
  "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[64, 256]\ndata W: i6[256, 256]\n"       \
  "config target = cu-t8b16\n"

/* A product on a compute unit: every knob has a row, and what a row writes is what the next build shows. */
START_TEST (products_have_rows)
{
  static const struct
  {
    const char *key, *value;
    gboolean    place;
  } turns[] = { { "tile", "(32, 64, 64)", FALSE },
                { "stages", "4", FALSE },
                { "resident", "2", FALSE },
                { "skew", "7", FALSE },
                { "weights", "nxk", FALSE },
                { "quantum", "64", FALSE },
                { "slab", "4", FALSE },
                { "page", "closed", FALSE },
                { "queue", "16", FALSE },
                { "values", "off", FALSE },
                { "seed", "5", FALSE },
                { "A", "identity", TRUE },
                { "W", "packed", TRUE },
                { "target", "cu-t4b32", FALSE } };
  g_autoptr (TlBuild) first = build (PRODUCT);
  g_autoptr (GPtrArray) shown = tl_choices_new (first, NULL, NULL, targets);

  ck_assert_uint_eq (shown->len, G_N_ELEMENTS (turns));
  for (guint t = 0; t < G_N_ELEMENTS (turns); t++)
    {
      const TlChoice *before = row (shown, turns[t].key);
      ck_assert_ptr_nonnull (before);
      ck_assert_str_ne (before->legal, "");
      ck_assert (before->kind != TL_CHOICE_WORDS
                 || g_strv_contains ((const char *const *) before->words, before->value));
      g_autoptr (GArray) edits = turns[t].place ? tl_edit_place (first->ast, turns[t].key, turns[t].value)
                                                : tl_edit_config (first->ast, turns[t].key, turns[t].value);
      g_autofree char *text = tl_edit_apply (first->source, edits, NULL);
      g_autoptr (TlBuild) built = build (text);
      g_autoptr (GPtrArray) choices = tl_choices_new (built, NULL, NULL, targets);
      const TlChoice *after = row (choices, turns[t].key);
      ck_assert_msg (built->complete, "%s", turns[t].key);
      ck_assert_str_eq (after->value, turns[t].value);
      ck_assert_int_eq (after->chosen, TL_CHOSEN_YOU);
    }
  /* A refused value stands in its row with the reason, and the rows stay. */
  g_autoptr (TlBuild) bad = build (PRODUCT "config stages = 65, tile = (64, 128, 64)\n");
  g_autoptr (GPtrArray) refused = tl_choices_new (bad, NULL, first, targets);
  ck_assert_uint_eq (refused->len, G_N_ELEMENTS (turns));
  ck_assert_str_eq (row (refused, "stages")->value, "65");
  ck_assert_ptr_nonnull (row (refused, "stages")->problem);
  ck_assert_ptr_null (row (refused, "tile")->problem);
}
END_TEST

START_TEST (the_card_names_the_loss)
{
  g_autoptr (TlBuild) modulo = build ("algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                      "data D: i32 = road(4096, 7)\n");
  g_autoptr (TlBuild) skewed = build ("algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                      "data D: i32 = road(4096, 7)\nconfig owner = skewed\n");
  g_autoptr (TlOwnerCard) card = tl_owner_card_new (modulo->program);

  ck_assert_ptr_nonnull (card);
  ck_assert_double_gt (card->gain, 1.2);
  ck_assert_str_eq (card->tiles, "tiles-column-0");
  ck_assert_ptr_nonnull (strstr (card->body, "2 owners"));
  ck_assert_ptr_null (tl_owner_card_new (skewed->program));
}
END_TEST

START_TEST (facts_add_up)
{
  g_autoptr (TlBuild) built = build (HEAD "config target = gendram\n");
  TlRunOptions options = { .skip_values = TRUE };
  g_autoptr (TlRun) run = tl_run (built, &options, NULL);
  g_autoptr (GPtrArray) flows = tl_flow_facts (run);
  g_autoptr (GPtrArray) times = tl_time_facts (run);
  g_autofree char *limit = tl_limit_text (run);
  double           sum = 0, most = 0;

  ck_assert (run->complete);
  ck_assert_uint_eq (flows->len, 4);
  for (guint f = 0; f < flows->len; f++)
    most = MAX (most, ((const TlFact *) flows->pdata[f])->share);
  ck_assert_double_eq (most, 1);
  for (guint f = 0; f < times->len; f++)
    sum += ((const TlFact *) times->pdata[f])->share;
  ck_assert_double_eq_tol (sum, 1, 1e-6);
  ck_assert_uint_gt (strlen (limit), 10);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("choices");
  TCase *tcase = tcase_create ("choices");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, every_knob_has_a_row);
  tcase_add_test (tcase, an_examples_values_are_the_examples);
  tcase_add_test (tcase, refused_values_say_why);
  tcase_add_test (tcase, broken_texts_have_rows_too);
  tcase_add_test (tcase, a_turned_knob_comes_back);
  tcase_add_test (tcase, products_have_rows);
  tcase_add_test (tcase, the_card_names_the_loss);
  tcase_add_test (tcase, facts_add_up);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
