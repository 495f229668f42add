/* What tierc writes of a product's requests: events of each layout, moments as figures; and its knobs. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

#define UPDATE "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
#define HALF   UPDATE "data A: f16[64, 512]\ndata W: f16[512, 512]\nconfig target = cu-t8b16\n"

/* Lines of a table that hold @word in their second cell. */
static gint64
lines_of (const char *text, const char *word)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gint64 n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *comma = strchr (lines[i], ',');
      n += comma != NULL && g_str_has_prefix (comma + 1, word) && comma[1 + strlen (word)] == ',';
    }
  return n;
}

/* The events in a file are those that are counted, of each layout; replaying them tells the same. */
START_TEST (events_are_counted)
{
  static const char *const layouts[] = { "conventional", "packed", "placed" };
  g_auto (Tierc) run = tierc (HALF, "run", "-", "--json", "--set", "values=off", NULL);
  g_autoptr (JsonNode) root = json_of (run.out);

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autofree char *placement = g_strconcat ("--placement=", layouts[i], NULL);
      g_auto (Tierc) written = tierc (HALF, "run", "-", "--json", "--set", "values=off", placement,
                                      "--commands=all.csv", "--trace=t.csv", NULL);
      gsize length;
      ck_assert_msg (written.status == 0, "%s", written.err);
      ck_assert_str_eq (written.out, run.out);
      g_autofree char *commands = get_file ("all.csv", &length), *events = get_file ("t.csv", &length);
      static const struct
      {
        const char *command, *key;
      } rows[] = { { "ACT", "act" }, { "RD", "rd" }, { "PRE", "pre" }, { "REF", "ref" } };
      for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
        {
          g_autofree char *path
              = g_strdup_printf ("%s%scommands.%s", i < 2 ? layouts[i] : "", i < 2 ? "." : "", rows[r].key);

          ck_assert_int_eq (lines_of (commands, rows[r].command), json_int_at (root, path));
          ck_assert_int_eq (lines_of (events, rows[r].command), json_int_at (root, path));
        }
    }
  ck_assert_int_gt (json_int_at (root, "conventional.commands.act"), json_int_at (root, "packed.commands.act"));
  g_auto (Tierc) columns = tierc (HALF, "run", "-", "--trace=t.events", "--ctas=1", "--set", "values=off", NULL);
  gsize            length;
  g_autofree char *file = get_file ("t.events", &length);
  ck_assert_msg (columns.status == 0 && file != NULL, "%s", columns.err);
  ck_assert_uint_eq (lines_of (file, "ACT"), 0);
  g_auto (Tierc) wrong = tierc (HALF, "run", "-", "--placement=nowhere", NULL);
  ck_assert_int_eq (wrong.status, 2);
  g_auto (Tierc) closure
      = tierc ("algorithm p\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\n", "run",
               "-", "--placement=packed", NULL);
  ck_assert_int_eq (closure.status, 2);
}
END_TEST

/* Moments of a product's requests: each layout its own, the same bytes twice, and a figure that opens again as it was. */
START_TEST (moments)
{
  static const char *const layouts[] = { "conventional", "packed", "placed" };
  static const char *const views[] = { "window", "stack", "timeline", "status", "inspector", "why", "spots" };
  g_autofree char         *last = NULL;

  put_file ("up.gdsl", HALF, -1);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autofree char *placement = g_strconcat ("--placement=", layouts[i], NULL);
      g_auto (Tierc) first
          = tierc (NULL, "figure", "up.gdsl", placement, "--ctas=2", "--at=cycle:700", "-o", "f.svg", NULL);
      g_auto (Tierc) again
          = tierc (NULL, "figure", "up.gdsl", placement, "--ctas=2", "--at=cycle:700", "-o", "-", NULL);
      gsize            length;
      g_autofree char *svg = get_file ("f.svg", &length);

      ck_assert_msg (first.status == 0, "%s", first.err);
      ck_assert_str_eq (svg, again.out);
      ck_assert_ptr_nonnull (strstr (svg, "up on cu-t8b16"));
      g_auto (Tierc) back = tierc (NULL, "figure", "f.svg", "--ctas=2", "-o", "-", NULL);
      ck_assert_msg (back.status == 0, "%s", back.err);
      ck_assert_str_eq (back.out, svg);
      ck_assert (last == NULL || strcmp (last, svg) != 0);
      g_free (last);
      last = g_steal_pointer (&svg);
    }
  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    {
      g_auto (Tierc) view
          = tierc (HALF, "figure", "-", "--ctas=1", "--placement=conventional", "-v", views[v], "-o", "-", NULL);
      ck_assert_msg (view.status == 0 && strstr (view.out, "</svg>") != NULL, "%s: %s", views[v], view.err);
    }
  static const char *const wrong[][2] = { { "--view=ring", "no view ring" },
                                          { "--placement=x", "--placement is" },
                                          { "--at=phase:1.pivot", "no moment" } };
  for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
    {
      g_auto (Tierc) no = tierc (HALF, "figure", "-", "--ctas=1", wrong[w][0], "-o", "-", NULL);
      ck_assert_msg (no.status == 2 && strstr (no.err, wrong[w][1]) != NULL, "%s", no.err);
    }
  g_auto (Tierc) large = tierc (UPDATE "data A: f16[4096, 32768]\ndata W: f16[32768, 4096]\nconfig target = cu-t8b16, "
                                       "tile = (64, 64, 64), values = off\n",
                                "figure", "-", "-o", "-", NULL);
  ck_assert_msg (large.status == 1 && strstr (large.err, "--ctas=") != NULL, "%s", large.err);
}
END_TEST

/* tierc build says every knob, with who chose it. */
START_TEST (knobs_are_told)
{
  g_auto (Tierc) text = tierc (HALF, "build", "-", "--set", "stages=5", NULL);
  g_auto (Tierc) json = tierc (HALF, "build", "-", "--set", "stages=5", "--json", NULL);
  g_autoptr (JsonNode) root = json_of (json.out);
  JsonArray *knobs = json_node_get_array (json_at (root, "knobs"));

  ck_assert_msg (text.status == 0 && strstr (text.out, "stages       5                 you") != NULL, "%s", text.out);
  ck_assert_uint_eq (json_array_get_length (knobs), 13);
  ck_assert_str_eq (json_text_at (json_array_get_element (knobs, 1), "key"), "stages");
  ck_assert_str_eq (json_text_at (json_array_get_element (knobs, 1), "value"), "5");
  ck_assert_str_eq (json_text_at (json_array_get_element (knobs, 1), "chosen"), "you");
  ck_assert_str_eq (json_text_at (json_array_get_element (knobs, 1), "legal"), "1 to 64");
  ck_assert_str_eq (json_text_at (json_array_get_element (knobs, 12), "operand"), "W");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-product-events");
  TCase *cases = tcase_create ("product-events");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, events_are_counted);
  tcase_add_test (cases, moments);
  tcase_add_test (cases, knobs_are_told);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
