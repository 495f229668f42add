/* Setting config and place lines: the value changes, all else stays byte for byte. */
#include "dsl-test.h"
#include "dsl/knobs.h"

#define TEXT                                                                                                           \
  "algorithm apsp # shortest\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\") # "     \
  "input\n"

static const struct
{
  const char *text;
  const char *key;
  const char *value;
  const char *expected;
} config_rows[] = {
  /* Replaced where it stands. */
  { TEXT "config tile = 64 # mine\n", "tile", "128", TEXT "config tile = 128 # mine\n" },
  { TEXT "config  tile=64 ,ring = free\n", "tile", "(64, 128, 64)", TEXT "config  tile=(64, 128, 64) ,ring = free\n" },
  { TEXT "config tile = (64,128,64), ring = free\n", "tile", "256", TEXT "config tile = 256, ring = free\n" },
  { TEXT "config tile = 64, ring = free\n", "ring", "on", TEXT "config tile = 64, ring = on\n" },
  { TEXT "config score = match 2 mismatch -4\n", "score", "matrix \"m\"", TEXT "config score = matrix \"m\"\n" },
  { TEXT "config tile = 64\n", "tile", "64", TEXT "config tile = 64\n" },
  /* Joined to the last config line, or put on one of its own. */
  { TEXT "config tile = 64 # mine\n", "ring", "free", TEXT "config tile = 64, ring = free # mine\n" },
  { TEXT, "ring", "free", TEXT "config ring = free\n" },
  { TEXT "config target = gendram, mode = broadcast, traversal = blocked, barriers = strict\n", "edges", "padded",
    TEXT "config target = gendram, mode = broadcast, traversal = blocked, barriers = strict\nconfig edges = padded\n" },
  { TEXT "config tile = 64", "ring", "free", TEXT "config tile = 64, ring = free" },
  { "data D: i32", "ring", "free", "data D: i32\nconfig ring = free" },
  { "data D: i32\r\nplace D = plan\r\n", "ring", "free", "data D: i32\r\nplace D = plan\r\nconfig ring = free\r\n" },
  { "", "ring", "free", "config ring = free\n" },
  { "  data D: i32\n  config tile = 64, mode = none, edges = trimmed, copies = t0, copy_writes = free\n", "ring",
    "free",
    "  data D: i32\n  config tile = 64, mode = none, edges = trimmed, copies = t0, copy_writes = free\n  config ring = "
    "free\n" },
  { TEXT "config target.pus = 8\n", "target.pus", "16", TEXT "config target.pus = 16\n" },
  { TEXT "config tile = 64\n", "target.tRRD", "5 ns", TEXT "config tile = 64, target.tRRD = 5 ns\n" },
  /* Taken out. */
  { TEXT "config tile = 64 # mine\n", "tile", NULL, TEXT "# mine\n" },
  { TEXT "config tile = 64\nplace D = plan\n", "tile", NULL, TEXT "place D = plan\n" },
  { TEXT "config tile = 64, ring = free\n", "tile", NULL, TEXT "config ring = free\n" },
  { TEXT "config tile = 64, ring = free\n", "ring", NULL, TEXT "config tile = 64\n" },
  { TEXT "config tile = 64, ring = free, edges = padded\n", "ring", NULL, TEXT "config tile = 64, edges = padded\n" },
  { TEXT "config tile = 64\n", "ring", NULL, TEXT "config tile = 64\n" },
  /* Said more than once: said once after. */
  { TEXT "config tile = 64, tile = 32\n", "tile", "16", TEXT "config tile = 16\n" },
  { TEXT "config tile = 64\nconfig tile = 32\n", "tile", "16", TEXT "config tile = 16\n" },
  { TEXT "config tile = 64, tile = 32\n", "tile", NULL, TEXT "" },
  { TEXT "config ring = on, tile = 64, tile = 32, tile = 3\n", "tile", NULL, TEXT "config ring = on\n" },
};

START_TEST (config_is_set)
{
  g_autoptr (TlSource) source = tl_source_new ("t", config_rows[_i].text, -1);
  g_autoptr (TlSource) edited = tl_source_with_config (source, config_rows[_i].key, config_rows[_i].value);

  ck_assert_str_eq (tl_source_text (edited), config_rows[_i].expected);
}
END_TEST

static const struct
{
  const char *text;
  const char *name;
  const char *value;
  const char *expected;
} place_rows[] = {
  { TEXT "place D = plan # c\n", "D", "tier 3", TEXT "place D = tier 3 # c\n" },
  { TEXT, "D", "tier 3", TEXT "place D = tier 3\n" },
  { TEXT "config tile = 64\n\n# end\n", "D", "plan", TEXT "config tile = 64\nplace D = plan\n\n# end\n" },
  { TEXT "place D = plan\nconfig tile = 64\n", "D", NULL, TEXT "config tile = 64\n" },
  { TEXT "place D = plan # why\n", "D", NULL, TEXT "# why\n" },
  { TEXT "place A = layout (4,2):(1,4)\n", "D", "auto", TEXT "place A = layout (4,2):(1,4)\nplace D = auto\n" },
};

START_TEST (place_is_set)
{
  g_autoptr (TlSource) source = tl_source_new ("t", place_rows[_i].text, -1);
  g_autoptr (TlAst) ast = tl_parse (source, NULL);
  g_autoptr (GArray) edits = tl_edit_place (ast, place_rows[_i].name, place_rows[_i].value);
  g_autofree char *text = tl_edit_apply (source, edits, NULL);

  ck_assert_str_eq (text, place_rows[_i].expected);
}
END_TEST

/* After setting any knob to any of its words on random layouts the key has that value
 * and every other item its own. */
START_TEST (other_items_stay)
{
  guint64       state = tl_test_seed ();
  guint         n_knobs = 0;
  const TlKnob *knobs = tl_knobs (&n_knobs);

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (GString) text = g_string_new (TEXT);
      const TlKnob *set = NULL;
      for (guint i = 0; i < n_knobs; i++)
        if (knobs[i].kind == TL_KNOB_WORDS && tl_test_random_below (&state, 2))
          {
            gboolean joined = text->str[text->len - 1] != '\n' && tl_test_random_below (&state, 2);
            if (!joined && text->str[text->len - 1] != '\n')
              g_string_append (text, tl_test_random_below (&state, 2) ? " # remark\n" : "\n\n");
            g_string_append_printf (text, "%s%s = %s", joined ? ",  " : "config ", knobs[i].key, knobs[i].words[0]);
          }
      g_string_append (text, tl_test_random_below (&state, 2) ? "\n" : "");
      do
        set = &knobs[tl_test_random_below (&state, n_knobs)];
      while (set->kind != TL_KNOB_WORDS);

      g_autoptr (TlSource) source = tl_source_new ("t", text->str, -1);
      g_autoptr (TlAst) before = tl_parse (source, NULL);
      g_autoptr (TlSource) edited = tl_source_with_config (source, set->key, set->words[1]);
      g_auto (Checked) after = check_bytes (tl_source_text (edited), -1);
      ck_assert_msg (tl_diags_count (after.diags) == 0, "%s", tl_source_text (edited));
      ck_assert_str_eq (tl_ast_config (after.ast, set->key)->value->text, set->words[1]);
      for (guint i = 0; i < before->n_config; i++)
        if (strcmp (before->config[i]->key, set->key) != 0)
          ck_assert_str_eq (tl_ast_config (after.ast, before->config[i]->key)->value->text,
                            before->config[i]->value->text);
      g_autoptr (TlSource) removed = tl_source_with_config (edited, set->key, NULL);
      g_auto (Checked) without = check_bytes (tl_source_text (removed), -1);
      ck_assert_msg (tl_diags_count (without.diags) == 0, "%s", tl_source_text (removed));
      ck_assert_ptr_null (tl_ast_config (without.ast, set->key));
      ck_assert_uint_eq (without.ast->n_config, after.ast->n_config - 1);
    }
}
END_TEST

/* The table can fail: a changed remark would be seen. */
START_TEST (a_wrong_row_fails)
{
  g_autoptr (TlSource) source = tl_source_new ("t", TEXT "config tile = 64 # mine\n", -1);
  g_autoptr (TlSource) edited = tl_source_with_config (source, "tile", "128");

  ck_assert_str_ne (tl_source_text (edited), TEXT "config tile = 128\n");
}
END_TEST

START_TEST (edits_apply_in_any_order)
{
  g_autoptr (TlSource) source = tl_source_new ("t", "abcdef", -1);
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (TlEdit));
  const TlEdit list[] = { { { 4, 6 }, (char *) "X" },
                          { { 0, 1 }, (char *) "" },
                          { { 2, 2 }, (char *) "--" },
                          { { 0, 3 }, (char *) "overlaps" },
                          { { 5, 99 }, (char *) "outside" } };
  gsize        length = 0;

  g_array_append_vals (edits, list, G_N_ELEMENTS (list));
  g_autofree char *text = tl_edit_apply (source, edits, &length);
  ck_assert_str_eq (text, "b--cdX");
  ck_assert_uint_eq (length, 6);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-edit");
  TCase *tcase = tcase_create ("edit");

  tcase_add_loop_test (tcase, config_is_set, 0, G_N_ELEMENTS (config_rows));
  tcase_add_loop_test (tcase, place_is_set, 0, G_N_ELEMENTS (place_rows));
  tcase_add_test (tcase, other_items_stay);
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, edits_apply_in_any_order);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
