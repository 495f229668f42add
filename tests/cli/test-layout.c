/* tierc layout: all notations, Views and recipes. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

#define MMA "local(2,1).column_spatial(4,8).local(2,1)"

/* Of an array of integers at @path, joined by blanks. (transfer full) */
static char *
ints_at (JsonNode *root, const char *path)
{
  GString   *text = g_string_new (NULL);
  JsonArray *array = json_node_get_array (json_at (root, path));

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "", json_array_get_int_element (array, i));
  return g_string_free (text, FALSE);
}

static char *
map_at (JsonNode *root)
{
  GString   *text = g_string_new (NULL);
  JsonArray *array = json_node_get_array (json_at (root, "map"));

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", json_array_get_string_element (array, i));
  return g_string_free (text, FALSE);
}

/* Rows of the outside table through the whole program: one in nine, the first always. */
START_TEST (known_layouts)
{
  g_autofree char *path = tl_test_shared_path ("oracle/tilus-layouts.csv");
  guint            rows = 0;

  if (path == NULL)
    {
      tl_test_skip ("no oracle/tilus-layouts.csv");
      return;
    }
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  for (guint row = 1; row < table->len; row += 9)
    {
      const char *expr = tl_test_cell (table, row, "expr");
      if (strcmp (tl_test_cell (table, row, "case"), "R065") == 0)
        continue;
      g_auto (Tierc) run = tierc (NULL, "layout", expr, "--json", NULL);
      if (strcmp (tl_test_cell (table, row, "status"), "ok") != 0)
        {
          ck_assert_int_eq (run.status, 1);
          continue;
        }
      g_autoptr (JsonNode) root = json_of (run.out);
      static const char *const lists[] = { "shape", "mode_shape", "spatial_modes", "local_modes" };
      for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
        {
          g_autofree char *ours = ints_at (root, lists[i]);
          ck_assert_str_eq (ours, tl_test_cell (table, row, lists[i]));
        }
      g_autofree char *map = map_at (root);
      ck_assert_str_eq (map, tl_test_cell (table, row, "map"));
      rows++;
    }
  ck_assert_uint_ge (rows, 11);
}
END_TEST

START_TEST (forms)
{
  static const struct
  {
    const char *form, *expr, *out;
  } cases[] = {
    { "kron", "spatial(2,3).local(3,4)", "spatial(2,3).local(3,4)\n" },
    { "cute", "spatial(2,3)", "((3,2),(1)):((1,3),(0))\n" },
    { "gf2", "spatial(2).local(2)", "t1=2 l1=1\n" },
    { "map", "local(2).spatial(2)", "0:0 1:0 0:1 1:1\n" },
    { "inverse", "local(2).spatial(2)", "0 2\n1 3\n" },
    { "table", "spatial(2,1).local(1,2)", "0:0 0:1\n1:0 1:1\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *form = g_strconcat ("--form=", cases[i].form, NULL);
      g_auto (Tierc) run = tierc (NULL, "layout", form, cases[i].expr, NULL);

      ck_assert_int_eq (run.status, 0);
      ck_assert_msg (strcmp (run.out, cases[i].out) == 0, "%s: %s", cases[i].form, run.out);
    }
  g_auto (Tierc) all = tierc (MMA, "layout", "-", "-f", "all", NULL);
  ck_assert_int_eq (all.status, 0);
  ck_assert_ptr_nonnull (strstr (all.out, "spatial_modes  [3, 1]"));
  g_auto (Tierc) cyclic = tierc (NULL, "layout", "--form=kron", "register_layout([6],[2,3],[1,0],[])", NULL);
  ck_assert_msg (cyclic.status == 0 && g_str_has_prefix (cyclic.out, "none: "), "%s", cyclic.out);
}
END_TEST

static const struct
{
  const char *expr, *type, *view, *verdict, *condition;
} views[] = {
  { "local(3).spatial(32).local(1)", "u8", "i6:" MMA, "free", NULL },
  { "spatial(4)", "u8", "u8:spatial(8)", "not-free", "C1" },
  { "local(3).spatial(32)", "u8", "u4:" MMA, "not-free", "C2" },
  { "spatial(2)", "u8", "u8:replicated(1,num_workers=2)", "ill-defined", "C3" },
};

START_TEST (views_are_judged)
{
  g_autofree char *type = g_strconcat ("--type=", views[_i].type, NULL);
  g_autofree char *view = g_strconcat ("--view=", views[_i].view, NULL);
  g_auto (Tierc) json = tierc (NULL, "layout", views[_i].expr, type, view, "--json", NULL);
  g_auto (Tierc) text = tierc (NULL, "layout", views[_i].expr, type, view, NULL);

  ck_assert_int_eq (json.status, 0);
  ck_assert_int_eq (text.status, 0);
  g_autoptr (JsonNode) root = json_of (json.out);
  ck_assert_str_eq (json_text_at (root, "view.verdict"), views[_i].verdict);
  ck_assert_ptr_nonnull (strstr (text.out, views[_i].verdict));
  ck_assert_ptr_nonnull (strstr (text.out, json_text_at (root, "view.message")));
  if (views[_i].condition != NULL)
    {
      ck_assert_str_eq (json_text_at (root, "view.condition"), views[_i].condition);
      ck_assert_ptr_nonnull (strstr (text.out, views[_i].condition));
    }
  else
    {
      ck_assert (json_node_is_null (json_at (root, "view.condition")));
      ck_assert_int_eq (json_int_at (root, "view.instructions"), 0);
    }
}
END_TEST

START_TEST (recipes)
{
  g_auto (Tierc) six = tierc (NULL, "layout", MMA, "--recipe", "--type=u6", NULL);
  g_auto (Tierc) one = tierc (NULL, "layout", MMA, "-r", "-t", "u1", "--json", NULL);

  ck_assert_int_eq (six.status, 0);
  ck_assert_msg (strstr (six.out, "repeat 1     3 loads of 1 byte, 2 merges, 0 shifts, 96 bytes of memory: u8 "
                                  "local(3).spatial(32)\n")
                     != NULL,
                 "%s", six.out);
  ck_assert_msg (strstr (six.out, "repeat 4     3 loads of 4 bytes, 0 merges") != NULL, "%s", six.out);
  g_autoptr (JsonNode) root = json_of (one.out);
  JsonArray *ways = json_node_get_array (json_at (root, "recipe"));
  ck_assert_uint_eq (json_array_get_length (ways), 4);
  JsonObject *share = json_array_get_object_element (ways, 2);
  ck_assert_str_eq (json_object_get_string_member (share, "way"), "share");
  ck_assert_str_eq (json_object_get_string_member (share, "load"), "spatial(16).replicated(1,num_workers=2)");
  ck_assert_int_eq (json_object_get_int_member (share, "bytes"), 16);
  ck_assert_int_eq (json_object_get_int_member (share, "owners"), 2);
  ck_assert_int_eq (json_object_get_int_member (share, "shifts"), 1);
  /* An odd number of threads cannot share bytes. */
  g_auto (Tierc) odd = tierc (NULL, "layout", "spatial(3).local(4)", "-r", "-t", "u1", NULL);
  ck_assert_msg (odd.status == 0 && strstr (odd.out, "share        none: ") != NULL, "%s", odd.out);
}
END_TEST

/* The u1 example of the recipe: thread 0's four bits are elements 0,0 1,0 8,0 and 9,0; thread 5 reads byte 2 from bit 4. */
START_TEST (elements_are_followed)
{
  g_auto (Tierc) last = tierc (NULL, "layout", MMA, "--type=u1", "--element=9,0", NULL);
  g_auto (Tierc) placed = tierc (NULL, "layout", MMA, "--type=u1", "-e", "3,1", "--target=cu-t8b16", "--json", NULL);
  g_auto (Tierc) wide = tierc (NULL, "layout", MMA, "--type=u6", "--element=1,0", NULL);

  ck_assert_msg (last.status == 0, "%s", last.err);
  ck_assert_str_eq (last.out, "thread 0, local 3: bits 3-3 of the thread; of the image byte 0 bits 3-3\n");
  ck_assert_str_eq (wide.out, "thread 0, local 1: bits 6-11 of the thread; of the image byte 0 bits 6-7, byte 32 bits "
                              "0-3\n");
  ck_assert_msg (placed.status == 0, "%s", placed.err);
  g_autoptr (JsonNode) root = json_of (placed.out);
  JsonObject *part = json_array_get_object_element (json_node_get_array (json_at (root, "element.parts")), 0);
  ck_assert_int_eq (json_int_at (root, "element.local"), 1);
  ck_assert_int_eq (json_object_get_int_member (part, "thread"), 5);
  ck_assert_int_eq (json_object_get_int_member (part, "byte"), 2);
  ck_assert_int_eq (json_object_get_int_member (part, "bit"), 5);
  ck_assert_int_eq (json_object_get_int_member (part, "unit"), 0);
  ck_assert (json_object_has_member (part, "tier") && json_object_has_member (part, "row"));
}
END_TEST

START_TEST (what_is_wrong)
{
  static const struct
  {
    int         status;
    const char *arguments[5], *says;
  } cases[] = {
    { 2, { "layout" }, "one expression" },
    { 2, { "layout", "--form=ring", "local(2)" }, "no form" },
    { 2, { "layout", "--view=u8:local(2)", "local(2)" }, "--type" },
    { 2, { "layout", "--recipe", "local(2)" }, "--type" },
    { 2, { "layout", "--type=u9", "local(2)" }, "no type \"u9\"" },
    { 2, { "layout", "--type=u8", "--view=local(2)", "local(2)" }, "TYPE:EXPR" },
    { 2, { "layout", "--element=1,1", "local(2,2)" }, "--type" },
    { 2, { "layout", "--type=u4", "--element=1", "local(2,2)" }, "2 coordinates" },
    { 2, { "layout", "--type=u4", "--element=1,2", "local(2,2)" }, "0 to 1" },
    { 2, { "layout", "--type=u4", "--target=cu-t8b16", "local(2,2)" }, "--element" },
    { 1, { "layout", "--type=u4", "--element=1,1", "--target=gendram", "local(2,2)" }, "cu targets" },
    { 1, { "layout", "--type=u1", "--element=0", "spatial(3).local(1)" }, "share a byte" },
    { 1, { "layout", "locale(2)" }, "did you mean \"local\"" },
    { 1, { "layout", "--type=u8", "--view=u8:local(2", "local(2)" }, "<view>:1:8" },
    { 1, { "layout", "divide(spatial(6),spatial(4))" }, "divide" },
    { 1, { "layout", "--form=map", "local(65536).spatial(16384)" }, "too many places" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *arguments[6] = { NULL };
      for (guint k = 0; k < 5; k++)
        arguments[k] = cases[i].arguments[k];
      g_auto (Tierc) run = tierc_argv (NULL, arguments);

      ck_assert_msg (run.status == cases[i].status, "%s %s: %d", cases[i].arguments[1], run.err, run.status);
      ck_assert_msg (strstr (run.err, cases[i].says) != NULL, "%s", run.err);
      ck_assert_str_eq (run.out, "");
    }
}
END_TEST

START_TEST (manual_and_completion_know_the_options)
{
  static const char *const options[] = { "form", "type", "view", "recipe", "element", "target", "json" };
  g_autofree char         *man_path = tl_test_source_path ("data/man/tierc.1");
  g_autofree char         *completion_path = tl_test_source_path ("data/completion/tierc");
  g_autofree char         *man = NULL;
  g_autofree char         *completion = NULL;
  g_auto (Tierc) help = tierc (NULL, "layout", "--help", NULL);

  ck_assert (g_file_get_contents (man_path, &man, NULL, NULL));
  ck_assert (g_file_get_contents (completion_path, &completion, NULL, NULL));
  const char *page = strstr (man, ".SS tierc layout"), *line = strstr (completion, "layout) options=");
  ck_assert (page != NULL && line != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *plain = g_strconcat ("--", options[i], NULL);
      g_autofree char *escaped = g_strconcat ("\\-\\-", options[i], NULL);

      ck_assert_ptr_nonnull (strstr (help.out, plain));
      ck_assert_ptr_nonnull (strstr (page, escaped));
      ck_assert_ptr_nonnull (strstr (line, plain));
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-layout");
  TCase *cases = tcase_create ("layout");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, known_layouts);
  tcase_add_test (cases, forms);
  tcase_add_loop_test (cases, views_are_judged, 0, G_N_ELEMENTS (views));
  tcase_add_test (cases, recipes);
  tcase_add_test (cases, elements_are_followed);
  tcase_add_test (cases, what_is_wrong);
  tcase_add_test (cases, manual_and_completion_know_the_options);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
