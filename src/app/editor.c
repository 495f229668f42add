/* The editor follows the buffer (colours), the live road (squiggles) and the caret
 * (hover). Spans are used only while the buffer still holds the text they are of. */
#include "app/editor.h"

#include "app/buffer.h"
#include "app/completer.h"
#include "app/inks.h"
#include "app/places.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* Longer texts get the language file's colours alone. */
#define MOST_INKED (256 * 1024)

typedef struct
{
  GtkSourceView   *view;
  GtkSourceBuffer *buffer;
  TlDesk          *desk;
  GtkTextTag      *ink[TL_N_INKS];
  GtkTextTag      *squiggle[TL_SEVERITY_ERROR + 1];
  guint            recolour; /* idle source, 0: none */
} Editor;

/* Foreground on light and on dark; inks of mock tokens, 5:1 or better. */
static const struct
{
  const char *light, *dark;
  gboolean    bold, italic;
} looks[TL_N_INKS] = {
  [TL_INK_KEYWORD] = { "#1C71D8", "#78AEED", TRUE, FALSE }, [TL_INK_ALGORITHM] = { "#222222", "#F2F2F2", TRUE, FALSE },
  [TL_INK_DATA] = { "#00588A", "#7CC0F0", FALSE, FALSE },   [TL_INK_LOOP] = { "#A03E76", "#EBA9CC", FALSE, FALSE },
  [TL_INK_KNOB] = { "#222222", "#F2F2F2", FALSE, FALSE },   [TL_INK_TYPE] = { "#00704F", "#4FD6AC", FALSE, FALSE },
  [TL_INK_CALL] = { "#00704F", "#4FD6AC", FALSE, FALSE },   [TL_INK_NUMBER] = { "#B84A00", "#FF9A66", FALSE, FALSE },
  [TL_INK_STRING] = { "#5B6400", "#D6C25A", FALSE, FALSE }, [TL_INK_COMMENT] = { "#6B6A6F", "#9E9EA4", FALSE, TRUE },
  [TL_INK_BAD] = { "#C01C28", "#FF7B63", FALSE, FALSE },
};

static void
colour_tags (Editor *editor)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA  error, warning, note;

  for (guint i = 0; i < TL_N_INKS; i++)
    g_object_set (editor->ink[i], "foreground", dark ? looks[i].dark : looks[i].light, NULL);
  gdk_rgba_parse (&error, dark ? "#FF7B63" : "#C01C28");
  gdk_rgba_parse (&warning, dark ? "#F0B030" : "#C78A00");
  gdk_rgba_parse (&note, dark ? "#78AEED" : "#1C71D8");
  g_object_set (editor->squiggle[TL_SEVERITY_ERROR], "underline-rgba", &error, NULL);
  g_object_set (editor->squiggle[TL_SEVERITY_WARNING], "underline-rgba", &warning, NULL);
  g_object_set (editor->squiggle[TL_SEVERITY_NOTE], "underline-rgba", &note, NULL);
}

static void
make_tags (Editor *editor)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (editor->buffer);

  for (guint i = 0; i < TL_N_INKS; i++)
    {
      g_autofree char *name = g_strdup_printf ("ink-%s", tl_ink_name (i));
      editor->ink[i]
          = gtk_text_buffer_create_tag (buffer, name, "weight", looks[i].bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL,
                                        "style", looks[i].italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL, NULL);
    }
  for (guint s = TL_SEVERITY_NOTE; s <= TL_SEVERITY_ERROR; s++)
    {
      g_autofree char *name = g_strdup_printf ("squiggle-%s", tl_severity_name (s));
      editor->squiggle[s] = gtk_text_buffer_create_tag (
          buffer, name, "underline", s == TL_SEVERITY_NOTE ? PANGO_UNDERLINE_SINGLE : PANGO_UNDERLINE_ERROR, NULL);
    }
  colour_tags (editor);
}

/* --- colours --- */

/* Iterators go forward only: one pass over the text, however long. */
static gboolean
recolour (gpointer data)
{
  Editor          *editor = data;
  GtkTextBuffer   *buffer = GTK_TEXT_BUFFER (editor->buffer);
  g_autofree char *text = tl_buffer_text (buffer);
  GtkTextIter      start, end;

  editor->recolour = 0;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  for (guint i = 0; i < TL_N_INKS; i++)
    gtk_text_buffer_remove_tag (buffer, editor->ink[i], &start, &end);
  if (strlen (text) > MOST_INKED)
    return G_SOURCE_REMOVE;
  g_autoptr (TlSource) source = tl_source_new ("", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_autoptr (GArray) inks = tl_inks (source, ast);
  guint32 at = 0;
  int     offset = 0;
  for (guint n = 0; n < inks->len; n++)
    {
      const TlInked *inked = &g_array_index (inks, TlInked, n);
      offset += (int) g_utf8_strlen (text + at, inked->span.start - at);
      gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
      offset += (int) g_utf8_strlen (text + inked->span.start, inked->span.end - inked->span.start);
      gtk_text_buffer_get_iter_at_offset (buffer, &end, offset);
      at = inked->span.end;
      gtk_text_buffer_apply_tag (buffer, editor->ink[inked->ink], &start, &end);
    }
  return G_SOURCE_REMOVE;
}

static void
on_text (GtkTextBuffer *buffer, Editor *editor)
{
  if (editor->recolour == 0)
    editor->recolour = g_idle_add_full (G_PRIORITY_HIGH_IDLE, recolour, editor, NULL);
}

/* --- squiggles and marks --- */

static const char *
category (TlSeverity severity)
{
  return severity == TL_SEVERITY_ERROR ? "tl-error" : severity == TL_SEVERITY_WARNING ? "tl-warning" : "tl-note";
}

/* The build whose spans are of the buffer's text, or NULL. */
static TlBuild *
current_build (Editor *editor)
{
  TlBuild         *build = tl_live_build (tl_desk_live (editor->desk));
  g_autofree char *text
      = build != NULL && build->source != NULL ? tl_buffer_text (GTK_TEXT_BUFFER (editor->buffer)) : NULL;

  return text != NULL && strcmp (text, tl_source_text (build->source)) == 0 ? build : NULL;
}

/* A span that is empty or only a line end still has to be seen. */
static void
squiggle_span (GtkTextBuffer *buffer, const char *text, TlSpan span, GtkTextIter *start, GtkTextIter *end)
{
  tl_buffer_iter (buffer, text, span.start, start);
  tl_buffer_iter (buffer, text, span.end, end);
  if (gtk_text_iter_equal (start, end) && !gtk_text_iter_forward_char (end))
    gtk_text_iter_backward_char (start);
}

static void
squiggle (Editor *editor, TlLive *live)
{
  TlBuild       *build = current_build (editor);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (editor->buffer);
  GtkTextIter    start, end;

  if (build == NULL)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  for (guint s = TL_SEVERITY_NOTE; s <= TL_SEVERITY_ERROR; s++)
    {
      gtk_text_buffer_remove_tag (buffer, editor->squiggle[s], &start, &end);
      gtk_source_buffer_remove_source_marks (editor->buffer, &start, &end, category (s));
    }
  for (guint d = 0; d < tl_diags_count (build->diags); d++)
    {
      const TlDiag *diag = tl_diags_get (build->diags, d);
      if (!tl_place_is_in (build->source, diag))
        continue;
      squiggle_span (buffer, tl_source_text (build->source), tl_place_span (build->source, diag), &start, &end);
      gtk_text_buffer_apply_tag (buffer, editor->squiggle[diag->severity], &start, &end);
      /* The gutter looks for marks where lines begin. */
      gtk_text_iter_set_line_offset (&start, 0);
      gtk_source_buffer_create_source_mark (editor->buffer, NULL, category (diag->severity), &start);
    }
}

/* What is wrong at byte @offset, with reasons and titles of fixes. (transfer full), NULL: nothing */
static char *
message_at (TlBuild *build, guint32 offset)
{
  GString *out = g_string_new (NULL);

  for (guint d = 0; d < tl_diags_count (build->diags); d++)
    {
      const TlDiag *diag = tl_diags_get (build->diags, d);
      TlSpan        span = tl_place_span (build->source, diag);
      if (!tl_place_is_in (build->source, diag) || offset < span.start || offset >= MAX (span.end, span.start + 1))
        continue;
      g_autofree char *message = g_markup_escape_text (diag->message, -1);
      g_string_append_printf (out, "%s<b>%s</b>", out->len > 0 ? "\n\n" : "", message);
      if (diag->reason != NULL)
        {
          g_autofree char *reason = g_markup_escape_text (diag->reason, -1);
          g_string_append_printf (out, "\n%s", reason);
        }
      for (guint f = 0; f < diag->fixes->len; f++)
        {
          g_autofree char *title = g_markup_escape_text (((const TlFix *) diag->fixes->pdata[f])->title, -1);
          g_string_append_printf (out, "\n<i>%s %s</i>", _ ("Fix:"), title);
        }
    }
  return g_string_free (out, out->len == 0);
}

static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, Editor *editor)
{
  GtkTextView *view = GTK_TEXT_VIEW (widget);
  TlBuild     *build = current_build (editor);
  GtkTextIter  iter, first;
  int          buffer_x, buffer_y;

  if (build == NULL)
    return FALSE;
  if (keyboard)
    gtk_text_buffer_get_iter_at_mark (GTK_TEXT_BUFFER (editor->buffer), &iter,
                                      gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (editor->buffer)));
  else
    {
      gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, x, y, &buffer_x, &buffer_y);
      if (!gtk_text_view_get_iter_at_location (view, &iter, buffer_x, buffer_y))
        return FALSE;
    }
  gtk_text_buffer_get_start_iter (GTK_TEXT_BUFFER (editor->buffer), &first);
  g_autofree char *before = gtk_text_buffer_get_text (GTK_TEXT_BUFFER (editor->buffer), &first, &iter, TRUE);
  g_autofree char *message = message_at (build, (guint32) strlen (before));
  if (message == NULL)
    return FALSE;
  gtk_tooltip_set_markup (tooltip, message);
  return TRUE;
}

/* --- the caret as hover --- */

/* A recurrence may be an earlier build's; its spans hold while the text up to them is
 * the same. */
static TlSpan
still (const TlBuild *build, TlSpan span)
{
  const TlRecurrence *recurrence = build->recurrence;

  if (recurrence->source == NULL || span.end > tl_source_length (recurrence->source)
      || span.end > tl_source_length (build->source)
      || memcmp (tl_source_text (recurrence->source), tl_source_text (build->source), span.end) != 0)
    return tl_span (0, 0);
  return span;
}

static void
caret_hover (Editor *editor)
{
  TlBuild *build = current_build (editor);

  if (build == NULL || build->ast == NULL || !gtk_widget_has_focus (GTK_WIDGET (editor->view)))
    return;
  TlSpan output = { 0 }, left = { 0 }, right = { 0 };
  if (build->recurrence != NULL)
    {
      output = still (build, build->recurrence->output_span);
      left = still (build, build->recurrence->left_span);
      right = still (build, build->recurrence->right_span);
    }
  tl_desk_set_hover (editor->desk,
                     tl_caret_id (build->ast, output, left, right, tl_buffer_caret (GTK_TEXT_BUFFER (editor->buffer))));
}

static void
on_caret (GtkTextBuffer *buffer, GParamSpec *pspec, Editor *editor)
{
  caret_hover (editor);
}

static void
on_focus (GtkWidget *view, GParamSpec *pspec, Editor *editor)
{
  if (gtk_widget_has_focus (view))
    caret_hover (editor);
  else
    tl_desk_set_hover (editor->desk, NULL);
}

static void
on_built (TlLive *live, Editor *editor)
{
  squiggle (editor, live);
  caret_hover (editor);
}

static void
on_dark (AdwStyleManager *manager, GParamSpec *pspec, Editor *editor)
{
  colour_tags (editor);
}

/* --- set-up --- */

static void
set_language (Editor *editor)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();

  gtk_source_language_manager_prepend_search_path (manager, "resource:///io/github/tierloom/Tierloom/language-specs");
  gtk_source_buffer_set_language (editor->buffer, gtk_source_language_manager_get_language (manager, "gendsl"));
}

static void
set_mark (Editor *editor, TlSeverity severity, const char *icon, int priority)
{
  g_autoptr (GtkSourceMarkAttributes) attributes = gtk_source_mark_attributes_new ();

  gtk_source_mark_attributes_set_icon_name (attributes, icon);
  gtk_source_view_set_mark_attributes (editor->view, category (severity), attributes, priority);
}

static void
editor_free (gpointer data)
{
  Editor *editor = data;

  g_clear_handle_id (&editor->recolour, g_source_remove);
  g_signal_handlers_disconnect_by_data (editor->buffer, editor);
  g_signal_handlers_disconnect_by_data (tl_desk_live (editor->desk), editor);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), editor);
  g_object_unref (editor->buffer);
  g_object_unref (editor->desk);
  g_free (editor);
}

void
tl_editor_attach (GtkSourceView *view, TlDesk *desk)
{
  Editor *editor = g_new0 (Editor, 1);

  /* Loads the library's own style, without which its popups have no size. */
  gtk_source_init ();
  editor->view = view;
  editor->buffer = g_object_ref (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view))));
  editor->desk = g_object_ref (desk);
  set_language (editor);
  make_tags (editor);
  gtk_source_view_set_show_line_marks (view, TRUE);
  set_mark (editor, TL_SEVERITY_ERROR, "dialog-error-symbolic", 3);
  set_mark (editor, TL_SEVERITY_WARNING, "dialog-warning-symbolic", 2);
  set_mark (editor, TL_SEVERITY_NOTE, "dialog-information-symbolic", 1);
  gtk_widget_set_has_tooltip (GTK_WIDGET (view), TRUE);
  tl_completer_attach (view, desk);

  g_signal_connect (editor->buffer, "changed", G_CALLBACK (on_text), editor);
  g_signal_connect (editor->buffer, "notify::cursor-position", G_CALLBACK (on_caret), editor);
  g_signal_connect (view, "query-tooltip", G_CALLBACK (on_tooltip), editor);
  g_signal_connect (view, "notify::has-focus", G_CALLBACK (on_focus), editor);
  g_signal_connect (tl_desk_live (desk), "built", G_CALLBACK (on_built), editor);
  g_signal_connect (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), editor);
  g_object_set_data_full (G_OBJECT (view), "tl-editor", editor, editor_free);
}
