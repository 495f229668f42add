/* The list is read when it is opened: a program dropped into the folder is there at once. */
#include "app/examples.h"

#include "app/window-files.h"
#include "config.h"
#include "engine/lesson.h"

#include <glib/gi18n.h>
#include <string.h>

/* One program or lesson of the list. */
typedef struct
{
  char    *path;        /* of a lesson: its name */
  char    *title;       /* "shortest-roads" */
  char    *description; /* its first comment line, or "" */
  gboolean lesson;
} Example;

static void
example_free (gpointer data)
{
  Example *example = data;

  g_free (example->path);
  g_free (example->title);
  g_free (example->description);
  g_free (example);
}

/* Folder "examples" or "lessons" where they are installed, else where they were built
 * from; TIERLOOM_EXAMPLES names another one for examples. NULL: there is none. (transfer full) */
static char *
find_folder (const char *name)
{
  const char      *wanted = g_getenv ("TIERLOOM_EXAMPLES");
  g_autofree char *installed = g_build_filename (TL_PKGDATADIR, name, NULL);
  g_autofree char *source = g_build_filename (TL_SOURCE_ROOT, name, NULL);

  if (wanted != NULL && g_str_equal (name, "examples"))
    return g_strdup (wanted);
  if (g_file_test (source, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&source);
  return g_file_test (installed, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&installed) : NULL;
}

/* The first comment line says what a program shows. */
static char *
first_comment (const char *path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_utf8_validate (text, -1, NULL) || text[0] != '#')
    return g_strdup ("");
  text[strcspn (text, "\r\n")] = '\0';
  return g_strdup (g_strstrip (text + strspn (text, "#")));
}

static int
compare_examples (gconstpointer a, gconstpointer b)
{
  const Example *first = *(const Example *const *) a, *second = *(const Example *const *) b;

  return strcmp (first->title, second->title);
}

/* In teaching order, the eight units before all. */
static void
add_lessons (GPtrArray *examples)
{
  const char *const *names = tl_lesson_names ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      TlLesson *lesson = tl_lesson_load (names[i], diags);
      if (lesson == NULL)
        continue;
      Example *example = g_new0 (Example, 1);
      example->path = g_strdup (names[i]);
      example->title = g_strdup_printf (_ ("Lesson: %s"), lesson->title);
      example->description = g_strdup (lesson->question);
      example->lesson = TRUE;
      g_ptr_array_insert (examples, (int) i, example);
      tl_lesson_free (lesson);
    }
}

/* Of Example, lessons first (the one of eight units before all), then by name. (transfer full) */
static GPtrArray *
examples_new (void)
{
  GPtrArray       *examples = g_ptr_array_new_with_free_func (example_free);
  g_autofree char *folder = find_folder ("examples");
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (!g_str_has_suffix (name, ".gdsl"))
        continue;
      Example *example = g_new0 (Example, 1);
      example->path = g_build_filename (folder, name, NULL);
      example->title = g_strndup (name, strlen (name) - strlen (".gdsl"));
      example->description = first_comment (example->path);
      g_ptr_array_add (examples, example);
    }
  g_ptr_array_sort (examples, compare_examples);
  add_lessons (examples);
  return examples;
}

static GtkWidget *
row_of (const Example *example)
{
  GtkWidget       *row = adw_action_row_new ();
  g_autofree char *title = g_markup_escape_text (example->title, -1);
  g_autofree char *description = g_markup_escape_text (example->description, -1);
  g_autofree char *label = g_strdup_printf ("%s: %s", example->title, example->description);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), description);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 2);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), example->lesson ? "lesson" : "path", g_strdup (example->path), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return row;
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, GtkPopover *popover)
{
  const char *path = g_object_get_data (G_OBJECT (row), "path");
  const char *lesson = g_object_get_data (G_OBJECT (row), "lesson");

  gtk_popover_popdown (popover);
  if (path != NULL)
    gtk_widget_activate_action (GTK_WIDGET (popover), "win.example", "s", path);
  else if (lesson != NULL)
    gtk_widget_activate_action (GTK_WIDGET (popover), "app.lesson", "s", lesson);
}

/* Before the popover shows: rows that went while it is up would take the focus, and with it the popover, away. */
static void
list_examples (GtkMenuButton *button, gpointer list)
{
  g_autoptr (GPtrArray) examples = examples_new ();
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
  for (guint i = 0; i < examples->len; i++)
    gtk_list_box_append (list, row_of (examples->pdata[i]));
  if (examples->len == 0)
    {
      GtkWidget *nothing = gtk_label_new (_ ("No examples are installed."));
      gtk_widget_set_margin_top (nothing, 12);
      gtk_widget_set_margin_bottom (nothing, 12);
      gtk_list_box_append (list, nothing);
    }
}

void
tl_examples_fill (GtkMenuButton *button)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Examples"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 480);
  gtk_widget_set_focusable (scroller, FALSE);
  gtk_widget_set_size_request (scroller, 420, -1);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), popover);
  gtk_menu_button_set_popover (button, popover);
  gtk_menu_button_set_create_popup_func (button, list_examples, list, NULL);
}

void
tl_examples_open (TlWindow *window, const char *path)
{
  tl_window_open_example (window, path);
}
