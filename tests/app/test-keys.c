/* The keys that exist, as the sources name them, are the keys that the shortcuts window and the help page tell, and the
 * menu's actions are there. */
#include "support/support.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <string.h>

static char *
source (const char *path)
{
  g_autofree char *whole = tl_test_source_path (path);
  char            *text = NULL;

  ck_assert_msg (g_file_get_contents (whole, &text, NULL, NULL), "%s", path);
  return text;
}

/* All first groups of @pattern in @text. */
static GPtrArray *
matches (const char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  g_regex_match (regex, text, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    g_ptr_array_add (found, g_match_info_fetch (match, 1));
  return found;
}

/* Every accelerator of the shortcuts window, one each. */
static GHashTable *
shown_keys (const char *ui, gsize length)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  xmlDoc     *document = xmlReadMemory (ui, (int) length, "shortcuts.ui", NULL, XML_PARSE_NONET);
  ck_assert_ptr_nonnull (document);
  xmlXPathContext *context = xmlXPathNewContext (document);
  xmlXPathObject  *result = xmlXPathEvalExpression (BAD_CAST "//property[@name='accelerator']/text()", context);

  for (int i = 0; result->nodesetval != NULL && i < result->nodesetval->nodeNr; i++)
    {
      g_auto (GStrv) parts = g_strsplit ((const char *) result->nodesetval->nodeTab[i]->content, " ", -1);
      for (guint k = 0; parts[k] != NULL; k++)
        g_hash_table_add (keys, g_strdup (parts[k]));
    }
  xmlXPathFreeObject (result);
  xmlXPathFreeContext (context);
  xmlFreeDoc (document);
  return keys;
}

/* "Ctrl+Shift+S" of "<Control><Shift>s", as the help page writes it. */
static char *
help_words (const char *key)
{
  static const char *const names[][2]
      = { { "space", "Space" },    { "period", "full stop" },    { "comma", "," },         { "bracketleft", "[" },
          { "bracketright", "]" }, { "Page_Down", "Page Down" }, { "Page_Up", "Page Up" }, { "question", "?" } };
  GString    *words = g_string_new (NULL);
  const char *name = strrchr (key, '>') != NULL ? strrchr (key, '>') + 1 : key;

  if (strstr (key, "<Control>") != NULL)
    g_string_append (words, "Ctrl+");
  if (strstr (key, "<Shift>") != NULL)
    g_string_append (words, "Shift+");
  if (strcmp (key, "comma") == 0)
    name = "Comma";
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i][0]) == 0)
      name = names[i][1];
  if (strlen (name) == 1)
    g_string_append_c (words, g_ascii_toupper (*name));
  else
    g_string_append (words, name);
  return g_string_free (words, FALSE);
}

static gboolean
tells (const char *help, const char *words)
{
  g_autofree char *escaped = g_regex_escape_string (words, -1);
  g_autofree char *pattern = g_strdup_printf ("(?<![+\\w])%s(?!\\w)", escaped);

  return g_regex_match_simple (pattern, help, 0, 0);
}

START_TEST (keys_of_the_program_are_told)
{
  g_autofree char *application = source ("src/app/application.c"), *ui = source ("ui/shortcuts.ui");
  g_autofree char *help = source ("data/help/C/keys.txt");
  g_autoptr (GHashTable) shown = shown_keys (ui, strlen (ui));
  g_autoptr (GPtrArray) keys = matches (application, "\\{ \"(?:app|win|window)\\.[a-z-]+\", \\{ \"([^\"]+)\" \\} \\}");

  ck_assert_uint_ge (keys->len, 10);
  for (guint i = 0; i < keys->len; i++)
    {
      g_autofree char *words = help_words (keys->pdata[i]);
      ck_assert_msg (g_hash_table_contains (shown, keys->pdata[i]), "the shortcuts window lacks %s",
                     (char *) keys->pdata[i]);
      ck_assert_msg (tells (help, words), "the help lacks %s", words);
    }
}
END_TEST

static const char *const sources[] = { "src/app/canvas-keys.c", "src/app/lesson-window.c" };

/* Keys of the pictures and the lessons: what a case names, keypad twins aside. */
START_TEST (keys_of_the_pictures_are_told)
{
  g_autofree char *text = source (sources[_i]), *ui = source ("ui/shortcuts.ui");
  g_autofree char *help = source ("data/help/C/keys.txt");
  g_autoptr (GHashTable) shown = shown_keys (ui, strlen (ui));
  g_autoptr (GPtrArray) keys = matches (text, "case GDK_KEY_(?!KP_)(\\w+):");

  ck_assert_uint_ge (keys->len, 7);
  for (guint i = 0; i < keys->len; i++)
    {
      const char      *key = keys->pdata[i];
      gboolean         letter = strlen (key) == 1;
      g_autofree char *lower = letter ? g_ascii_strdown (key, -1) : g_strdup (key);
      g_autofree char *shifted = g_strdup_printf ("<Shift>%s", lower);
      gboolean         upper = letter && g_ascii_isupper (*key);
      g_autofree char *words = help_words (upper && g_hash_table_contains (shown, shifted) ? shifted : lower);
      /* Backspace is the second key of a thing whose first is shown. */
      ck_assert_msg (strcmp (key, "BackSpace") == 0 || g_hash_table_contains (shown, lower)
                         || g_hash_table_contains (shown, shifted),
                     "the shortcuts window lacks %s", key);
      ck_assert_msg (strcmp (key, "BackSpace") == 0 || tells (help, words), "the help lacks %s", words);
    }
}
END_TEST

/* And nothing is told that no source knows. */
START_TEST (told_keys_exist)
{
  /* GTK's and the text view's own; Ctrl+F is the find bar's. */
  static const char *const own[]
      = { "<Control>z", "<Control><Shift>z", "<Control>space", "<Control>question", "F10", "<Control>f" };
  g_autofree char *application = source ("src/app/application.c"), *ui = source ("ui/shortcuts.ui");
  g_autofree char *canvas = source (sources[0]), *lesson = source (sources[1]), *left = source ("src/app/left.c");
  g_autofree char *text = g_strconcat (canvas, lesson, NULL);
  g_autoptr (GHashTable) shown = shown_keys (ui, strlen (ui));
  GHashTableIter iter;
  gpointer       key;

  ck_assert_ptr_nonnull (strstr (left, "GDK_KEY_f, GDK_CONTROL_MASK"));
  g_hash_table_iter_init (&iter, shown);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const char      *name = strrchr (key, '>') != NULL ? strrchr (key, '>') + 1 : key;
      g_autofree char *in_table = g_strdup_printf ("\"%s\"", (char *) key);
      g_autofree char *in_case = g_strdup_printf ("GDK_KEY_%s:", name);
      gboolean         known = strstr (application, in_table) != NULL || strstr (text, in_case) != NULL;
      for (guint i = 0; i < G_N_ELEMENTS (own); i++)
        known |= strcmp (key, own[i]) == 0;
      ck_assert_msg (known, "%s is told and does nothing", (char *) key);
    }

  /* The deliberately wrong rows: a key that nobody tells, and one that nobody knows. */
  g_autofree char *help = source ("data/help/C/keys.txt");
  ck_assert (!g_hash_table_contains (shown, "<Control>j"));
  ck_assert (!tells (help, "Ctrl+J"));
  ck_assert (!tells (help, "trl+S"));
}
END_TEST

START_TEST (actions_of_the_menu_exist)
{
  g_autofree char *ui = source ("ui/window.ui");
  g_autofree char *application = source ("src/app/application.c"), *shell = source ("src/app/window-shell.c");
  g_autofree char *files = source ("src/app/window-files.c"), *lessons = source ("src/app/lesson-window.c");
  g_autofree char *text = g_strconcat (application, shell, files, lessons, NULL);
  g_autoptr (GPtrArray) actions
      = matches (ui, "<(?:attribute name=\"action\"|property name=\"action-name\")>(?:app|win)\\.([a-z-]+)<");

  ck_assert_uint_ge (actions->len, 10);
  for (guint i = 0; i < actions->len; i++)
    {
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", (char *) actions->pdata[i]);
      /* GtkApplicationWindow makes this one of ui/shortcuts.ui. */
      if (strcmp (actions->pdata[i], "show-help-overlay") != 0)
        ck_assert_msg (strstr (text, quoted) != NULL, "nothing does %s", (char *) actions->pdata[i]);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("app-keys");
  TCase *tcase = tcase_create ("keys");

  tcase_add_test (tcase, keys_of_the_program_are_told);
  tcase_add_loop_test (tcase, keys_of_the_pictures_are_told, 0, G_N_ELEMENTS (sources));
  tcase_add_test (tcase, told_keys_exist);
  tcase_add_test (tcase, actions_of_the_menu_exist);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
