/* tierc figure: the same bytes twice, every view and format, labels as text, and a figure that opens again. */
#include "support/support.h"
#include "tierc.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <string.h>

static const char program[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                              "data D: i32 = road(256, 7)\n"
                              "config target = gendram, page = open, tile = 64, barriers = superstep\n"
                              "place D = stripe 0..7\n";

static const char *const views[]
    = { "window", "stack", "iso", "ring", "tiles", "timeline", "status", "inspector", "why" };

static guint
count_elements (const xmlNode *node, const char *name)
{
  guint n = 0;

  for (; node != NULL; node = node->next)
    n += (node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, name) == 0)
         + count_elements (node->children, name);
  return n;
}

/* The pass ladder: the same bytes twice, opens again with its program, and has no moments. */
START_TEST (pass_ladder)
{
  g_auto (Tierc) first = tierc (program, "figure", "-", "-v", "passes", "-o", "p.svg", NULL);
  g_auto (Tierc) again = tierc (NULL, "figure", "p.svg", "-v", "passes", "-o", "-", NULL);
  g_auto (Tierc) small = tierc (program, "figure", "-", "-v", "passes", "--size=640x300", "-o", "-", NULL);
  g_auto (Tierc) moment = tierc (program, "figure", "-", "-v", "passes", "--at=end", NULL);
  g_auto (Tierc) wrong = tierc ("algorithm\n", "figure", "-", "-v", "passes", "-o", "no.svg", NULL);
  gsize            length;
  g_autofree char *svg = get_file ("p.svg", &length);

  ck_assert_msg (first.status == 0, "%s", first.err);
  ck_assert_ptr_nonnull (strstr (svg, ">G4  communicating<"));
  ck_assert_ptr_nonnull (strstr (svg, "gendram.broadcast("));
  ck_assert_msg (again.status == 0, "%s", again.err);
  ck_assert_ptr_nonnull (strstr (again.out, ">G4  communicating<"));
  ck_assert_ptr_nonnull (strstr (small.out, "··· and "));
  ck_assert_msg (moment.status == 2 && strstr (moment.err, "no moments") != NULL, "%s", moment.err);
  ck_assert_int_eq (wrong.status, 1);
  ck_assert (!g_file_test ("no.svg", G_FILE_TEST_EXISTS));
}
END_TEST

/* The layout lens of an operand and of the lesson: the same bytes twice, what the run takes, and what is refused. */
START_TEST (layout_lens)
{
  static const char product[] = "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                                "data A: f16[64, 128]\ndata W: i6[128, 256]\n"
                                "config target = cu-t8b16, tile = (64, 128, 64)\n";

  put_file ("up.gdsl", product, -1);
  g_auto (Tierc) first = tierc (NULL, "figure", "up.gdsl", "-v", "layout", "-o", "-", NULL);
  g_auto (Tierc) again = tierc (NULL, "figure", "up.gdsl", "-v", "layout", "--operand=W", "-o", "-", NULL);
  g_auto (Tierc) left = tierc (NULL, "figure", "up.gdsl", "-v", "layout", "--operand=A", "-o", "-", NULL);
  g_auto (Tierc) plain
      = tierc (NULL, "figure", "up.gdsl", "-v", "layout", "--set", "place.W=identity", "-o", "-", NULL);
  g_auto (Tierc) own = tierc (NULL, "figure", "up.gdsl", "-v", "layout", "--set",
                              "place.W=layout gf2 [domain: 32 16 8 | row: | column: 1 2 4]", "-o", "-", NULL);
  g_auto (Tierc) lesson = tierc (NULL, "figure", "-v", "layout", "-o", "-", NULL);
  g_auto (Tierc) built = tierc (NULL, "build", "up.gdsl", "--json", NULL);
  ck_assert_msg (first.status == 0 && strcmp (first.out, again.out) == 0, "%s", first.err);
  ck_assert (left.status == 0 && strcmp (left.out, first.out) != 0);
  /* It is the map of the build. */
  g_autoptr (JsonNode) root = json_of (built.out);
  JsonArray *places = json_node_get_array (json_at (root, "place"));
  ck_assert_ptr_nonnull (strstr (first.out, json_text_at (json_array_get_element (places, 1), "layout")));
  ck_assert_ptr_nonnull (strstr (first.out, "of the run"));
  ck_assert_ptr_nonnull (strstr (first.out, "row by row as stored: "));
  ck_assert_ptr_nonnull (strstr (plain.out, "the run leaves it row by row"));
  ck_assert_msg (strstr (own.out, "gf2 [domain: 32 16 8 | row: | column: 1 2 4]") != NULL
                     && strstr (own.out, "as written") != NULL,
                 "%s", own.err);
  ck_assert_msg (lesson.status == 0 && strstr (lesson.out, "M") != NULL, "%s", lesson.err);
  static const char *const wrong[][2] = { { "--layout=local(2)", "FILE" },
                                          { "--at=end", "no moments" },
                                          { "--operand=C", "no product with an operand" },
                                          { "--size=300x200", "784x440" },
                                          { "--type=u8", "place.W=layout" } };
  for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
    {
      g_auto (Tierc) no = tierc (NULL, "figure", "up.gdsl", "-v", "layout", wrong[w][0], "-o", "-", NULL);
      ck_assert_msg (no.status == 2 && strstr (no.err, wrong[w][1]) != NULL, "%s: %s", wrong[w][0], no.err);
    }
}
END_TEST

/* Layouts: the same bytes twice, text as text, and what is asked wrongly refused. */
START_TEST (register_lens)
{
  static const char        product[] = "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                                       "data A: f16[64, 128]\ndata W: i6[128, 256]\n"
                                       "config target = cu-t8b16, tile = (64, 128, 64)\n";
  static const char *const wrong[][3] = {
    { "--layout=local(2", "-", "" },
    { "--layout=local(2)", "--as=u8", "TYPE:EXPR" },
    { "--layout=local(2)", "--type=u9", "no type" },
    { "--layout=local(2)", "--at=cycle:3", "no moments" },
    { "--layout=local(2)", "--element=7", "0 to 1" },
    { "--layout=local(2)", "--operand=W", "FILE of a program" },
  };

  put_file ("up.gdsl", product, -1);
  g_auto (Tierc) first = tierc (NULL, "figure", "up.gdsl", "-v", "register", "--element=3,17", "-o", "r.svg", NULL);
  g_auto (Tierc) second = tierc (NULL, "figure", "up.gdsl", "-v", "register", "--element=3,17", "-o", "-", NULL);
  g_auto (Tierc) own = tierc (NULL, "figure", "-v", "register", "-l", "local(3).spatial(32)",
                              "--as=i6:local(2,1).column_spatial(4,8).local(2,1)", "-o", "-", NULL);
  gsize            length;
  g_autofree char *svg = get_file ("r.svg", &length);

  ck_assert_msg (first.status == 0, "%s", first.err);
  ck_assert_str_eq (svg, second.out);
  ck_assert_ptr_nonnull (strstr (svg, ">W[3,17]<"));
  ck_assert_ptr_nonnull (strstr (svg, ">0 instructions<"));
  ck_assert_ptr_nonnull (strstr (svg, "tier "));
  ck_assert_ptr_nonnull (strstr (own.out, ">0 instructions<"));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      gboolean more = strcmp (wrong[i][1], "-") != 0;
      g_auto (Tierc) run
          = tierc (NULL, "figure", "-v", "register", wrong[i][0], "-o", "w.svg", more ? wrong[i][1] : NULL, NULL);
      ck_assert_msg (run.status != 0 && strstr (run.err, wrong[i][2]) != NULL, "%s: %s", wrong[i][1], run.err);
      ck_assert (!file_exists ("w.svg"));
    }
  g_auto (Tierc) run = tierc (NULL, "figure", "up.gdsl", "-v", "register", "--operand=C", NULL);
  ck_assert_msg (run.status == 2, "%s", run.err);
  g_auto (Tierc) other = tierc (program, "figure", "-", "-v", "register", NULL);
  ck_assert_msg (other.status == 1 && strstr (other.err, "cu target") != NULL, "%s", other.err);
  g_auto (Tierc) stray = tierc (program, "figure", "-", "--type=u4", NULL);
  ck_assert_msg (stray.status == 2 && strstr (stray.err, "--view=register") != NULL, "%s", stray.err);
}
END_TEST

START_TEST (views_repeat_and_are_well_formed)
{
  g_autofree char *view = g_strdup_printf ("--view=%s", views[_i]);

  put_file ("v.gdsl", program, -1);
  g_auto (Tierc) first = tierc (NULL, "figure", "v.gdsl", view, "-o", "a.svg", NULL);
  g_auto (Tierc) second = tierc (NULL, "figure", "v.gdsl", view, "-o", "b.svg", NULL);
  g_auto (Tierc) standard = tierc (NULL, "figure", "v.gdsl", view, "-o", "-", NULL);
  gsize            length, other_length;
  g_autofree char *svg = get_file ("a.svg", &length), *other = get_file ("b.svg", &other_length);

  ck_assert_msg (first.status == 0, "%s", first.err);
  ck_assert_int_eq (second.status, 0);
  ck_assert_uint_eq (length, other_length);
  ck_assert (memcmp (svg, other, length) == 0);
  ck_assert_str_eq (standard.out, svg);
  ck_assert_uint_lt (length, 150 * 1024);
  xmlDoc *document = xmlReadMemory (svg, (int) length, "a.svg", NULL, XML_PARSE_NONET);
  ck_assert_ptr_nonnull (document);
  ck_assert_uint_gt (count_elements (xmlDocGetRootElement (document), "text"), 3);
  ck_assert_uint_gt (count_elements (xmlDocGetRootElement (document), "title"), 0);
  ck_assert_uint_eq (count_elements (xmlDocGetRootElement (document), "script"), 0);
  /* A label is text, not the outlines of letters. */
  ck_assert_uint_eq (count_elements (xmlDocGetRootElement (document), "symbol"), 0);
  ck_assert_uint_eq (count_elements (xmlDocGetRootElement (document), "use"), 0);
  xmlFreeDoc (document);
}
END_TEST

START_TEST (other_formats_repeat)
{
  put_file ("v.gdsl", program, -1);
  for (guint i = 0; i < 2; i++)
    {
      const char *names[][2] = { { "a.pdf", "b.pdf" }, { "a.png", "b.png" } };
      g_auto (Tierc) first = tierc (NULL, "figure", "v.gdsl", "-o", names[i][0], NULL);
      g_auto (Tierc) second = tierc (NULL, "figure", "v.gdsl", "-o", names[i][1], NULL);
      gsize            length, other_length;
      g_autofree char *bytes = get_file (names[i][0], &length), *other = get_file (names[i][1], &other_length);
      ck_assert_int_eq (first.status + second.status, 0);
      ck_assert_uint_eq (length, other_length);
      ck_assert (memcmp (bytes, other, length) == 0);
    }
}
END_TEST

/* The program is in the figure, and so is what was looked at. */
START_TEST (a_figure_opens_again)
{
  put_file ("v.gdsl", program, -1);
  g_auto (Tierc) first = tierc (NULL, "figure", "v.gdsl", "--view=iso", "--theme=dark", "--size=900x700",
                                "--at=cycle:50000", "--select=tile-1-2", "-o", "first.svg", NULL);
  g_auto (Tierc) again = tierc (NULL, "figure", "first.svg", "-o", "again.svg", NULL);
  g_auto (Tierc) other = tierc (NULL, "figure", "first.svg", "--at=cycle:60000", "-o", "other.svg", NULL);
  g_autofree char *one = get_file ("first.svg", NULL), *two = get_file ("again.svg", NULL);
  g_autofree char *three = get_file ("other.svg", NULL);

  ck_assert_msg (first.status == 0 && again.status == 0 && other.status == 0, "%s%s%s", first.err, again.err,
                 other.err);
  ck_assert_str_eq (one, two);
  ck_assert_str_ne (one, three);
  ck_assert_ptr_nonnull (strstr (three, "view=iso;theme=dark;time=60000000;"));
  ck_assert_ptr_nonnull (strstr (one, "name=\"v.gdsl\""));
}
END_TEST

START_TEST (what_is_no_figure_is_refused)
{
  static const char *const wrong[] = { "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "no XML", "" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      put_file ("wrong.svg", wrong[i], -1);
      g_auto (Tierc) result = tierc (NULL, "figure", "wrong.svg", "-o", "out.svg", NULL);
      ck_assert_int_eq (result.status, 1);
      ck_assert_ptr_nonnull (strstr (result.err, "no figure"));
      ck_assert (!file_exists ("out.svg"));
    }
  g_auto (Tierc) view = tierc (NULL, "figure", "wrong.svg", "--view=sky", NULL);
  ck_assert_int_eq (view.status, 2);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    ck_assert_ptr_nonnull (strstr (view.err, views[i]));
}
END_TEST

/* The help names the views that there are. */
START_TEST (help_names_all_views)
{
  g_auto (Tierc) help = tierc (NULL, "figure", "--help", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    ck_assert_msg (strstr (help.out, views[i]) != NULL, "%s", views[i]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-figure");
  TCase *tcase = tcase_create ("figure");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, register_lens);
  tcase_add_test (tcase, layout_lens);
  tcase_add_test (tcase, pass_ladder);
  tcase_add_loop_test (tcase, views_repeat_and_are_well_formed, 0, G_N_ELEMENTS (views));
  tcase_add_test (tcase, other_formats_repeat);
  tcase_add_test (tcase, a_figure_opens_again);
  tcase_add_test (tcase, what_is_no_figure_is_refused);
  tcase_add_test (tcase, help_names_all_views);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
