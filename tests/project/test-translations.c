/* Every file with text marked for translation is in po/POTFILES.in, and no other. */
#include "project/translations.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <stdio.h>

START_TEST (the_list_is_the_tree)
{
  g_autofree char *root = tl_test_source_path ("");
  guint            n_marked;
  g_autoptr (GPtrArray) faults = tl_translations_check (root, &n_marked);

  for (guint i = 0; i < faults->len; i++)
    printf ("%s\n", (char *) g_ptr_array_index (faults, i));
  ck_assert_uint_eq (faults->len, 0);
}
END_TEST

static const struct
{
  const char *file;
  const char *text;
  const char *list;
  const char *fault; /* NULL: well */
} rows[] = {
  { "src/a.c", "puts (_(\"Hello\"));", "# words\nsrc/a.c\n", NULL },
  { "src/a.c", "{ N_ (\n  \"Hello\") }", "src/a.c\n", NULL },
  { "src/a.c", "my_(\"Hello\"); _x (\"\"); // _ (hello)", "", NULL },
  { "ui/a.ui", "<property translatable=\"yes\">", "ui/a.ui\n", NULL },
  { "src/a.c", "puts (_(\"Hello\"));", "", "src/a.c: not listed" },
  { "src/a.c", "puts (_(\"Hello\"));", "#src/a.c\n", "src/a.c: not listed" },
  { "ui/a.ui", "<property translatable=\"yes\">", "", "ui/a.ui: not listed" },
  { "data/x.desktop.in", "Name=x", "", "data/x.desktop.in: not listed" },
  { "src/a.c", "puts (\"Hello\");", "src/a.c\n", "src/a.c: listed, but has nothing marked" },
  { "src/a.c", "_(\"Hello\")", "src/a.c\nsrc/a.c\n", "src/a.c: twice or out of order" },
};

START_TEST (a_wrong_list_is_refused)
{
  g_autofree char *root = g_strdup_printf ("%s/tree-%d", tl_test_folder (), _i);
  g_autofree char *list = g_build_filename (root, "po", "POTFILES.in", NULL);
  g_autofree char *file = g_build_filename (root, rows[_i].file, NULL);
  g_autofree char *po = g_path_get_dirname (list);
  g_autofree char *folder = g_path_get_dirname (file);
  guint            n_marked;

  ck_assert_int_eq (g_mkdir_with_parents (po, 0700), 0);
  ck_assert_int_eq (g_mkdir_with_parents (folder, 0700), 0);
  ck_assert (g_file_set_contents (list, rows[_i].list, -1, NULL));
  ck_assert (g_file_set_contents (file, rows[_i].text, -1, NULL));
  g_autoptr (GPtrArray) faults = tl_translations_check (root, &n_marked);
  ck_assert_uint_eq (faults->len, rows[_i].fault != NULL ? 1 : 0);
  if (rows[_i].fault != NULL)
    ck_assert_str_eq (g_ptr_array_index (faults, 0), rows[_i].fault);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("project-translations");
  TCase *tcase = tcase_create ("translations");

  tcase_add_test (tcase, the_list_is_the_tree);
  tcase_add_loop_test (tcase, a_wrong_list_is_refused, 0, G_N_ELEMENTS (rows));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
