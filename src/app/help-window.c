/* Pages are plain text with "# title", "## heading", "- item" and lines of program
 * indented by four; they are set into one text view, which can be searched, selected
 * and read by a screen reader. */
#include "app/help-window.h"

#include "app/window-shell.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

static const struct
{
  const char *name;
  const char *title;
} pages[] = {
  { "start", N_ ("Getting Started") },     { "language", N_ ("The Language") },
  { "refused", N_ ("What Is Refused") },   { "picture", N_ ("Reading the Picture") },
  { "figures", N_ ("Figures and Files") }, { "lenses", N_ ("Lenses") },
  { "waves", N_ ("Waves and Pipelines") }, { "traces", N_ ("Memory Traces") },
  { "lessons", N_ ("Lessons") },           { "keys", N_ ("Keys") },
};

static GtkTextTagTable *
tags_new (void)
{
  GtkTextTagTable *table = gtk_text_tag_table_new ();
  GtkTextTag      *tags[] = {
         g_object_new (GTK_TYPE_TEXT_TAG, "name", "title", "scale", 1.7, "weight", PANGO_WEIGHT_BOLD, "pixels-below-lines",
                       10, NULL),
         g_object_new (GTK_TYPE_TEXT_TAG, "name", "heading", "scale", 1.2, "weight", PANGO_WEIGHT_BOLD, "pixels-above-lines",
                       14, "pixels-below-lines", 4, NULL),
         g_object_new (GTK_TYPE_TEXT_TAG, "name", "text", "pixels-below-lines", 8, "pixels-inside-wrap", 3, NULL),
         g_object_new (GTK_TYPE_TEXT_TAG, "name", "item", "left-margin", 22, "indent", -12, "pixels-below-lines", 4,
                       "pixels-inside-wrap", 3, NULL),
         g_object_new (GTK_TYPE_TEXT_TAG, "name", "code", "family", "monospace", "left-margin", 22, NULL),
  };

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      gtk_text_tag_table_add (table, tags[i]);
      g_object_unref (tags[i]);
    }
  return table;
}

static void
add (GtkTextBuffer *buffer, const char *text, const char *tag)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, text, -1, tag, NULL);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, "\n", 1);
}

/* Ends the paragraph or item gathered so far. */
static void
flush (GtkTextBuffer *buffer, GString *text, const char *tag)
{
  if (text->len > 0)
    add (buffer, text->str, tag);
  g_string_truncate (text, 0);
}

static void
set_page (GtkTextBuffer *buffer, const char *source)
{
  g_auto (GStrv) lines = g_strsplit (source, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *tag = "text";

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = lines[i];
      gboolean    title = g_str_has_prefix (line, "# "), heading = g_str_has_prefix (line, "## ");
      gboolean    code = g_str_has_prefix (line, "    "), item = g_str_has_prefix (line, "- ");
      if (title || heading || code || item || *line == '\0')
        flush (buffer, text, tag);
      if (title || heading)
        add (buffer, line + (title ? 2 : 3), title ? "title" : "heading");
      else if (code)
        add (buffer, line + 4, "code");
      else if (item)
        {
          tag = "item";
          g_string_assign (text, "• ");
          g_string_append (text, line + 2);
        }
      else if (*line != '\0')
        {
          if (text->len == 0)
            tag = "text";
          else
            g_string_append_c (text, ' ');
          g_string_append (text, line + strspn (line, " "));
        }
    }
  flush (buffer, text, tag);
}

/* In the user's language where there is such a page, else in English. */
static GBytes *
find_page (const char *name)
{
  const char *const *languages = g_get_language_names ();

  for (guint i = 0; languages[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/io/github/tierloom/Tierloom/help/%s/%s.txt", languages[i], name);
      GBytes          *bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      if (bytes != NULL)
        return bytes;
    }
  g_autofree char *path = g_strdup_printf ("/io/github/tierloom/Tierloom/help/C/%s.txt", name);
  return g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static GtkWidget *
page_new (guint index)
{
  g_autoptr (GtkTextTagTable) table = tags_new ();
  g_autoptr (GtkTextBuffer) buffer = gtk_text_buffer_new (table);
  g_autoptr (GBytes) bytes = find_page (pages[index].name);
  GtkWidget *view = gtk_text_view_new_with_buffer (buffer);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  if (bytes != NULL)
    {
      gsize            length;
      const char      *data = g_bytes_get_data (bytes, &length);
      g_autofree char *source = g_strndup (data, length);
      set_page (buffer, source);
    }
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 28);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 28);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 20);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 20);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (pages[index].title), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

void
tl_help_show (GtkWindow *parent, const char *page)
{
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *stack = gtk_stack_new ();
  GtkWidget *sidebar = gtk_stack_sidebar_new ();

  gtk_window_set_title (GTK_WINDOW (window), _ ("Help"));
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 640);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    gtk_stack_add_titled (GTK_STACK (stack), page_new (i), pages[i].name, _ (pages[i].title));
  gtk_stack_sidebar_set_stack (GTK_STACK_SIDEBAR (sidebar), GTK_STACK (stack));
  gtk_widget_set_size_request (sidebar, 190, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (sidebar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Help pages"), -1);
  if (page != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (stack), page);
  gtk_box_append (GTK_BOX (columns), sidebar);
  gtk_box_append (GTK_BOX (columns), stack);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), columns);
  adw_window_set_content (ADW_WINDOW (window), box);
  tl_close_on_escape (window);
  gtk_window_present (GTK_WINDOW (window));
}
