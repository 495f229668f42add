/* One row a diagnostic. Rows are made anew when what they say differs from what is
 * shown, so that typing does not move the focus of a list that stays the same. */
#include "app/problems.h"

#include "app/buffer.h"
#include "app/choices.h"
#include "app/places.h"

#include <glib/gi18n.h>
#include <string.h>

/* More rows help nobody; the rest is counted. */
#define MOST_ROWS 50

typedef struct
{
  GtkListBox    *list;
  GtkWidget     *frame;
  GtkSourceView *view;
  TlDesk        *desk;
  TlBuild       *build; /* that rows are of, or NULL */
  char          *shown; /* the text of all rows */
} Problems;

static const char *
severity_word (TlSeverity severity)
{
  return severity == TL_SEVERITY_ERROR ? _ ("Error") : severity == TL_SEVERITY_WARNING ? _ ("Warning") : _ ("Note");
}

static const char *
severity_icon (TlSeverity severity)
{
  return severity == TL_SEVERITY_ERROR     ? "dialog-error-symbolic"
         : severity == TL_SEVERITY_WARNING ? "dialog-warning-symbolic"
                                           : "dialog-information-symbolic";
}

static gboolean
in_text (const TlBuild *build, const TlDiag *diag)
{
  return build->source != NULL && tl_place_is_in (build->source, diag);
}

static void
on_fix (GtkButton *button, Problems *problems)
{
  const GArray *edits = g_object_get_data (G_OBJECT (button), "edits");

  if (problems->build != NULL
      && tl_buffer_apply (gtk_text_view_get_buffer (GTK_TEXT_VIEW (problems->view)), problems->build->source, edits))
    gtk_widget_grab_focus (GTK_WIDGET (problems->view));
}

static void
on_light (GtkButton *button, Problems *problems)
{
  TlRun *run = tl_live_run (tl_desk_live (problems->desk));

  if (run == NULL || run->build->program == NULL)
    return;
  g_autofree char *id = tl_few_owners (run->build->program, g_object_get_data (G_OBJECT (button), "rows") != NULL);
  tl_desk_select (problems->desk, id);
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, Problems *problems)
{
  guint line = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "line"));

  tl_buffer_go (GTK_TEXT_VIEW (problems->view), line, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "column")));
}

static GtkWidget *
small_button (GtkBox *box, const char *label, GCallback callback, Problems *problems)
{
  GtkWidget *button = gtk_button_new_with_label (label);
  GtkWidget *text = gtk_button_get_child (GTK_BUTTON (button));

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "fix");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (button, "clicked", callback, problems);
  gtk_box_append (box, button);
  return button;
}

static GtkWidget *
text_label (const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css);
  return label;
}

/* "Warning 4:12" or "Error iom.gr:7:1". (transfer full) */
static char *
heading (const TlBuild *build, const TlDiag *diag)
{
  const char *word = severity_word (diag->severity);

  if (diag->from.line == 0)
    return diag->file[0] != '\0' && !in_text (build, diag) && build->source != NULL
                   && strcmp (diag->file, tl_source_name (build->source)) != 0
               ? g_strdup_printf ("%s %s", word, diag->file)
               : g_strdup (word);
  if (in_text (build, diag))
    return g_strdup_printf ("%s %u:%u", word, diag->from.line, diag->from.column);
  return g_strdup_printf ("%s %s:%u:%u", word, diag->file, diag->from.line, diag->from.column);
}

static void
add_fixes (Problems *problems, GtkBox *box, const TlBuild *build, const TlDiag *diag)
{
  for (guint f = 0; f < diag->fixes->len; f++)
    {
      const TlFix *fix = diag->fixes->pdata[f];
      if (fix->edits->len == 0 || build->source == NULL)
        continue;
      g_autofree char *label = g_strdup_printf (_ ("Fix: %s"), fix->title);
      GtkWidget       *button = small_button (box, label, G_CALLBACK (on_fix), problems);
      gtk_widget_set_tooltip_text (button, fix->title);
      g_object_set_data (G_OBJECT (button), "edits", fix->edits);
    }
  gboolean rows = strcmp (diag->code, "owner-rows") == 0;
  if (rows || strcmp (diag->code, "owner-columns") == 0)
    {
      GtkWidget *button = small_button (box, _ ("Show its tiles"), G_CALLBACK (on_light), problems);
      g_object_set_data (G_OBJECT (button), "rows", GINT_TO_POINTER (rows));
    }
}

static void
add_row (Problems *problems, const TlBuild *build, const TlDiag *diag)
{
  GtkWidget       *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget       *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *icon;
  g_autofree char *place = heading (build, diag);
  g_autofree char *spoken = g_strdup_printf ("%s: %s", place, diag->message);

  icon = gtk_image_new_from_icon_name (severity_icon (diag->severity));
  gtk_widget_add_css_class (icon, diag->severity == TL_SEVERITY_ERROR ? "error" : "warning");
  gtk_box_append (GTK_BOX (head), icon);
  gtk_box_append (GTK_BOX (head), text_label (place, "place"));
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), text_label (diag->message, "message"));
  if (diag->reason != NULL)
    gtk_box_append (GTK_BOX (box), text_label (diag->reason, "reason"));
  add_fixes (problems, GTK_BOX (box), build, diag);
  gtk_widget_add_css_class (box, "problem");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  if (in_text (build, diag))
    {
      g_object_set_data (G_OBJECT (row), "line", GUINT_TO_POINTER (diag->from.line));
      g_object_set_data (G_OBJECT (row), "column", GUINT_TO_POINTER (diag->from.column));
    }
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), in_text (build, diag));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_list_box_append (problems->list, row);
}

static void
clear_rows (GtkListBox *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, child);
}

/* Diagnostics of the build, then those of its run and of the run's values. What the card over the choices says
 * of a built program's owners is not said twice. */
static GPtrArray *
all_diags (TlBuild *build, TlLive *live)
{
  GPtrArray *all = g_ptr_array_new ();
  TlRun     *run = tl_live_run (live);
  TlDiags   *said = tl_live_run_diags (live), *values = tl_live_value_diags (live);

  for (guint d = 0; d < tl_diags_count (build->diags); d++)
    if (build->program == NULL || !g_str_has_prefix (tl_diags_get (build->diags, d)->code, "owner-"))
      g_ptr_array_add (all, (gpointer) tl_diags_get (build->diags, d));
  for (guint d = 0; said != NULL && d < tl_diags_count (said); d++)
    g_ptr_array_add (all, (gpointer) tl_diags_get (said, d));
  for (guint d = 0; run != NULL && run->build == build && values != NULL && d < tl_diags_count (values); d++)
    g_ptr_array_add (all, (gpointer) tl_diags_get (values, d));
  return all;
}

static void
update (Problems *problems)
{
  TlLive  *live = tl_desk_live (problems->desk);
  TlBuild *build = tl_live_build (live);
  GString *said = g_string_new (NULL);

  if (build == NULL)
    {
      g_string_free (said, TRUE);
      return;
    }
  g_autoptr (GPtrArray) diags = all_diags (build, live);
  for (guint d = 0; d < diags->len; d++)
    {
      g_autofree char *text = tl_diag_to_text (diags->pdata[d]);
      g_string_append (said, text);
    }
  gboolean same = g_strcmp0 (problems->shown, said->str) == 0;
  TlBuild *before = problems->build;
  problems->build = tl_build_ref (build);
  if (!same || diags->len > 0)
    {
      clear_rows (problems->list);
      for (guint d = 0; d < MIN (diags->len, MOST_ROWS); d++)
        add_row (problems, build, diags->pdata[d]);
      if (diags->len > MOST_ROWS)
        {
          g_autofree char *more = g_strdup_printf (_ ("and %u more"), diags->len - MOST_ROWS);
          gtk_list_box_append (problems->list, text_label (more, "reason"));
        }
    }
  g_clear_pointer (&before, tl_build_unref);
  g_free (problems->shown);
  problems->shown = g_string_free (said, FALSE);
  gtk_widget_set_visible (problems->frame, diags->len > 0);
}

static void
problems_free (gpointer data)
{
  Problems *problems = data;

  g_signal_handlers_disconnect_by_data (tl_desk_live (problems->desk), problems);
  g_clear_pointer (&problems->build, tl_build_unref);
  g_object_unref (problems->desk);
  g_free (problems->shown);
  g_free (problems);
}

void
tl_problems_attach (GtkListBox *list, GtkWidget *frame, GtkSourceView *view, TlDesk *desk)
{
  Problems *problems = g_new0 (Problems, 1);
  TlLive   *live = tl_desk_live (desk);

  problems->list = list;
  problems->frame = frame;
  problems->view = view;
  problems->desk = g_object_ref (desk);
  gtk_widget_set_visible (frame, FALSE);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), problems);
  g_signal_connect_swapped (live, "built", G_CALLBACK (update), problems);
  g_signal_connect_swapped (live, "ran", G_CALLBACK (update), problems);
  g_signal_connect_swapped (live, "valued", G_CALLBACK (update), problems);
  g_object_set_data_full (G_OBJECT (list), "tl-problems", problems, problems_free);
}
