/* No folder includes one above it; the table of src/DESIGN.md is the law. */
#include "project/floors.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

START_TEST (the_tree_keeps_its_floors)
{
  g_autofree char *root = tl_test_source_path ("");
  guint            n_includes;
  g_autoptr (GPtrArray) faults = tl_floors_check (root, &n_includes);

  for (guint i = 0; i < faults->len; i++)
    printf ("%s\n", (char *) g_ptr_array_index (faults, i));
  ck_assert_uint_eq (faults->len, 0);
  ck_assert_uint_gt (n_includes, 20);
}
END_TEST

/* The order of the build must be the order of the table. */
START_TEST (the_build_has_the_same_order)
{
  g_autofree char *design_path = tl_test_source_path ("src/DESIGN.md");
  g_autofree char *meson_path = tl_test_source_path ("src/meson.build");
  g_autofree char *design = NULL;
  g_autofree char *meson = NULL;

  ck_assert (g_file_get_contents (design_path, &design, NULL, NULL));
  ck_assert (g_file_get_contents (meson_path, &meson, NULL, NULL));
  const char *row = design;
  const char *at = strstr (meson, "foreach room : [");
  const char *end = strchr (at, ']');
  guint       n = 0;

  ck_assert_ptr_nonnull (end);
  for (at = strchr (at, '\''); at != NULL && at < end; at = strchr (strchr (at + 1, '\'') + 1, '\''), n++)
    {
      g_autofree char *name = g_strndup (at + 1, strcspn (at + 1, "'"));
      g_autofree char *cell = g_strdup_printf ("| `src/%s` |", name);

      row = strstr (row, cell);
      ck_assert_msg (row != NULL, "%s is not where the table has it", name);
    }
  ck_assert_uint_ge (n, 15);
}
END_TEST

static void
put (const char *root, const char *relative, const char *text)
{
  g_autofree char *path = g_build_filename (root, relative, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  ck_assert_int_eq (g_mkdir_with_parents (folder, 0700), 0);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
}

/* A tree of two floors, right as it stands; each row adds one file that must be refused, and how often. */
static const struct
{
  const char *file;
  const char *text;
  const char *why; /* NULL: allowed */
} trees[] = {
  { "src/upper/a.c", "#include \"upper/a.h\"\n#include <zstd.h>\n#include \"lower/b.h\"\n", NULL },
  { "tests/upper/a.c", "#include \"support/support.h\"\n#include <zstd.h>\n#include \"upper/x-private.h\"\n", NULL },
  { "tests/upper/a.c", "#include \"helper.h\"\n", NULL },
  { "tests/bench/a.c", "#include \"upper/a.h\"\n", NULL },
  { "src/lower/a.c", "\n#include \"upper/a.h\"\n", "src/lower/a.c:2: \"upper/a.h\" is of a floor above src/lower" },
  { "src/lower/a.h", "  #  include \"upper/a.h\"\n", "src/lower/a.h:1: \"upper/a.h\" is of a floor above src/lower" },
  { "src/lower/a.c", "#include <zstd.h>\n",
    "src/lower/a.c:1: <zstd.h> is of zstd, which the row of src/lower does not name" },
  { "src/lower/a.c", "#include \"a.h\"\n", "src/lower/a.c:1: \"a.h\" is not written from src/" },
  { "src/lower/a.c", "#include \"../upper/a.h\"\n", "src/lower/a.c:1: \"../upper/a.h\" is not written from src/" },
  { "src/lower/a.c", "#include \"nowhere/a.h\"\n", "src/lower/a.c:1: \"nowhere/a.h\" is in no folder of the table" },
  { "src/lower/a.c", "#include NAME\n", "src/lower/a.c:1: an include that is no plain name cannot be judged" },
  { "src/upper/a.c", "#include \"lower/x-private.h\"\n",
    "src/upper/a.c:1: \"lower/x-private.h\" is private to its folder" },
  { "tests/lower/a.c", "#include \"upper/a.h\"\n", "tests/lower/a.c:1: \"upper/a.h\" is of a floor above src/lower" },
  { "src/third/a.c", "\n", "src/third: the table of src/DESIGN.md has no row for it" },
  { "src/lower/deep/a.c", "\n", "src/lower/deep: a folder within a folder has no floor" },
};

START_TEST (a_broken_tree_is_refused)
{
  g_autofree char *root = g_strdup_printf ("%s/tree-%d", tl_test_folder (), _i);
  guint            n_includes;

  put (root, "src/DESIGN.md", "| `src/lower` | x | |\n| `src/upper` | y | zstd |\n");
  put (root, trees[_i].file, trees[_i].text);
  g_autoptr (GPtrArray) faults = tl_floors_check (root, &n_includes);
  ck_assert_uint_eq (faults->len, trees[_i].why != NULL ? 1 : 0);
  if (trees[_i].why != NULL)
    ck_assert_str_eq (g_ptr_array_index (faults, 0), trees[_i].why);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("project-floors");
  TCase *tcase = tcase_create ("floors");

  tcase_add_test (tcase, the_tree_keeps_its_floors);
  tcase_add_test (tcase, the_build_has_the_same_order);
  tcase_add_loop_test (tcase, a_broken_tree_is_refused, 0, G_N_ELEMENTS (trees));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
