/* Views are filled only while somebody can see them. */
#include "app/ladder.h"

#include "app/buffer.h"
#include "app/facts.h"
#include "emit/stream.h"
#include "scene/rungs.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#define N_RUNGS 4
/* Shorter runs of unchanged lines are shown. */
#define FOLD_FROM 3

typedef struct
{
  struct _Ladder *ladder;
  GtkWidget      *expander;
  GtkWidget      *words; /* what the group made, in a sentence; NULL but for the first */
  GtkTextView    *view;
  TlRung         *rung;
  GPtrArray      *shown; /* line of the view -> TlRungLine *, NULL: a fold */
  GtkTextTag     *same;
  GtkTextTag     *stem;
  GtkTextTag     *fold;
} Rung;

typedef struct _Ladder
{
  GtkBox          *box;
  GtkWidget       *stack;
  GtkSourceView   *editor;
  GtkTextBuffer   *source; /* the editor's */
  TlDesk          *desk;
  Rung             rungs[N_RUNGS];
  GtkToggleButton *all;
  GtkSpinButton   *pu;
  GtkTextView     *stream;
  TlBuild         *build; /* whose modules are shown, or NULL */
  gboolean         dirty; /* there is a newer one */
} Ladder;

static GtkTextView *
make_view (const char *label)
{
  GtkWidget *view = gtk_source_view_new ();

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 8);
  gtk_widget_add_css_class (view, "module");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_TEXT_VIEW (view);
}

/* --- one rung --- */

static void
mark_stems (Rung *rung)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (rung->view);
  GtkTextBuffer *source = rung->ladder->source;
  GtkTextIter    start, end, caret;

  if (rung->shown == NULL)
    return;
  gtk_text_buffer_get_iter_at_mark (source, &caret, gtk_text_buffer_get_insert (source));
  guint line = (guint) gtk_text_iter_get_line (&caret) + 1;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag (buffer, rung->stem, &start, &end);
  for (guint l = 0; l < rung->shown->len; l++)
    {
      const TlRungLine *shown = rung->shown->pdata[l];
      if (shown == NULL || !tl_rung_stems (shown, line))
        continue;
      gtk_text_buffer_get_iter_at_line (buffer, &start, (int) l);
      end = start;
      gtk_text_iter_forward_line (&end);
      gtk_text_buffer_apply_tag (buffer, rung->stem, &start, &end);
    }
}

static void
add_line (Rung *rung, const char *text, TlRungLine *line, GtkTextTag *tag)
{
  GtkTextBuffer   *buffer = gtk_text_view_get_buffer (rung->view);
  g_autofree char *whole = g_strconcat (rung->shown->len > 0 ? "\n" : "", text, NULL);
  GtkTextIter      end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  if (tag != NULL)
    gtk_text_buffer_insert_with_tags (buffer, &end, whole, -1, tag, NULL);
  else
    gtk_text_buffer_insert (buffer, &end, whole, -1);
  g_ptr_array_add (rung->shown, line);
}

static void
fill_rung (Rung *rung)
{
  gboolean all = gtk_toggle_button_get_active (rung->ladder->all);

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (rung->view), "", 0);
  g_clear_pointer (&rung->shown, g_ptr_array_unref);
  rung->shown = g_ptr_array_new ();
  for (guint l = 0; rung->rung != NULL && l < rung->rung->lines->len;)
    {
      TlRungLine *line = rung->rung->lines->pdata[l];
      guint       until = tl_rung_same_until (rung->rung, l);
      if (!all && until >= l + FOLD_FROM)
        {
          g_autofree char *fold
              = g_strdup_printf (ngettext ("··· %u line as before", "··· %u lines as before", until - l), until - l);
          add_line (rung, fold, NULL, rung->fold);
          l = until;
          continue;
        }
      add_line (rung, line->text, line, line->changed ? NULL : rung->same);
      l++;
    }
  mark_stems (rung);
}

static void
title_rung (Rung *rung, guint index)
{
  static const char *const names[N_RUNGS] = { N_ ("recognised"), N_ ("tiled"), N_ ("mapped"), N_ ("communicating") };
  g_autofree char         *label = NULL;

  if (rung->rung == NULL)
    label = g_strdup_printf (_ ("G%u %s: not reached"), index + 1, _ (names[index]));
  else
    label = g_strdup_printf (
        ngettext ("G%u %s: %u line of %u new or changed", "G%u %s: %u lines of %u new or changed", rung->rung->changed),
        index + 1, _ (names[index]), rung->rung->changed, rung->rung->lines->len);
  gtk_expander_set_label (GTK_EXPANDER (rung->expander), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (rung->expander), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
go_to_source (Rung *rung, guint line)
{
  const TlRungLine *shown = rung->shown != NULL && line < rung->shown->len ? rung->shown->pdata[line] : NULL;

  if (rung->shown != NULL && line < rung->shown->len && shown == NULL)
    gtk_toggle_button_set_active (rung->ladder->all, TRUE);
  else if (shown != NULL && shown->line > 0)
    tl_buffer_go (GTK_TEXT_VIEW (rung->ladder->editor), shown->line, MAX (shown->column, 1));
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, Rung *rung)
{
  GtkTextIter iter, start, end;
  int         buffer_x, buffer_y;

  if (gtk_text_buffer_get_selection_bounds (gtk_text_view_get_buffer (rung->view), &start, &end))
    return;
  gtk_text_view_window_to_buffer_coords (rung->view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y, &buffer_x, &buffer_y);
  gtk_text_view_get_line_at_y (rung->view, &iter, buffer_y, NULL);
  go_to_source (rung, (guint) gtk_text_iter_get_line (&iter));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, Rung *rung)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (rung->view);
  GtkTextIter    iter;

  if (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  go_to_source (rung, (guint) gtk_text_iter_get_line (&iter));
  return TRUE;
}

static void
make_rung (Ladder *ladder, guint index, GtkBox *box)
{
  Rung               *rung = &ladder->rungs[index];
  g_autofree char    *label = g_strdup_printf (_ ("Module after G%u"), index + 1);
  GtkWidget          *scroll = gtk_scrolled_window_new ();
  GtkGesture         *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  rung->ladder = ladder;
  rung->view = make_view (label);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (rung->view);
  rung->same = gtk_text_buffer_create_tag (buffer, "same", NULL);
  rung->fold = gtk_text_buffer_create_tag (buffer, "fold", "style", PANGO_STYLE_ITALIC, NULL);
  rung->stem = gtk_text_buffer_create_tag (buffer, "stem", NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), GTK_WIDGET (rung->view));
  rung->expander = gtk_expander_new ("");
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  if (index == 0)
    {
      rung->words = gtk_label_new ("");
      gtk_label_set_wrap (GTK_LABEL (rung->words), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (rung->words), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_xalign (GTK_LABEL (rung->words), 0);
      gtk_label_set_selectable (GTK_LABEL (rung->words), FALSE);
      gtk_widget_add_css_class (rung->words, "recognised");
      gtk_box_append (GTK_BOX (content), rung->words);
    }
  gtk_box_append (GTK_BOX (content), scroll);
  gtk_expander_set_child (GTK_EXPANDER (rung->expander), content);
  gtk_expander_set_expanded (GTK_EXPANDER (rung->expander), TRUE);
  gtk_widget_add_css_class (rung->expander, "rung");
  gtk_box_append (box, rung->expander);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (click, "released", G_CALLBACK (on_released), rung);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), rung);
  gtk_widget_add_controller (GTK_WIDGET (rung->view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (rung->view), keys);
}

/* --- the streams of a PU --- */

static void
show_stream (Ladder *ladder)
{
  TlBuild *build = ladder->build;

  if (build == NULL || build->program == NULL)
    {
      gtk_text_buffer_set_text (gtk_text_view_get_buffer (ladder->stream),
                                _ ("No streams: the build did not get there."), -1);
      return;
    }
  g_autofree char *all = tl_stream_print (build->program);
  g_autofree char *own = tl_stream_of_pu (all, (guint) gtk_spin_button_get_value_as_int (ladder->pu));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (ladder->stream), own, -1);
}

static GtkWidget *
make_streams (Ladder *ladder)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scroll = gtk_scrolled_window_new (), *label = gtk_label_new (_ ("Stream of PU"));

  ladder->pu = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, 31, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (ladder->pu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("PU whose stream is shown"), -1);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (ladder->pu));
  gtk_widget_add_css_class (line, "ladder-head");
  gtk_box_append (GTK_BOX (box), line);
  ladder->stream = make_view (_ ("Stream"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), GTK_WIDGET (ladder->stream));
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_box_append (GTK_BOX (box), scroll);
  g_signal_connect_swapped (ladder->pu, "value-changed", G_CALLBACK (show_stream), ladder);
  return box;
}

/* --- following --- */

static void
refresh (Ladder *ladder)
{
  TlBuild *build = tl_live_build (tl_desk_live (ladder->desk));

  ladder->dirty = FALSE;
  if (build == NULL || build == ladder->build)
    return;
  g_clear_pointer (&ladder->build, tl_build_unref);
  ladder->build = tl_build_ref (build);
  g_autofree char *recognised = tl_recognised_text (build);
  gtk_label_set_text (GTK_LABEL (ladder->rungs[0].words), recognised);
  gtk_widget_set_visible (ladder->rungs[0].words, recognised[0] != '\0');
  for (guint r = 0; r < N_RUNGS; r++)
    {
      const char *dump = build->dump[TL_STAGE_G1 + r];
      g_clear_pointer (&ladder->rungs[r].shown, g_ptr_array_unref);
      g_clear_pointer (&ladder->rungs[r].rung, tl_rung_free);
      if (dump != NULL)
        ladder->rungs[r].rung = tl_rung_new (dump, r > 0 ? build->dump[TL_STAGE_G1 + r - 1] : NULL);
      fill_rung (&ladder->rungs[r]);
      title_rung (&ladder->rungs[r], r);
    }
  if (build->program != NULL)
    gtk_spin_button_set_range (ladder->pu, 0, build->program->machine.pus - 1);
  show_stream (ladder);
}

static void
on_built (TlLive *live, Ladder *ladder)
{
  ladder->dirty = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (ladder->box)))
    refresh (ladder);
}

static void
on_map (GtkWidget *box, Ladder *ladder)
{
  if (ladder->dirty)
    refresh (ladder);
}

static void
on_all (GtkToggleButton *button, Ladder *ladder)
{
  for (guint r = 0; r < N_RUNGS; r++)
    fill_rung (&ladder->rungs[r]);
}

static void
on_caret (GtkTextBuffer *buffer, GParamSpec *pspec, Ladder *ladder)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (ladder->box)))
    for (guint r = 0; r < N_RUNGS; r++)
      mark_stems (&ladder->rungs[r]);
}

static void
on_desk (TlDesk *desk, guint what, Ladder *ladder)
{
  guint pu;

  if ((what & TL_DESK_SELECTION) != 0 && tl_desk_selection (desk) != NULL
      && (sscanf (tl_desk_selection (desk), "pu-%u", &pu) == 1
          || sscanf (tl_desk_selection (desk), "lane-pu-%u", &pu) == 1))
    gtk_spin_button_set_value (ladder->pu, pu);
}

static void
on_dark (AdwStyleManager *manager, GParamSpec *pspec, Ladder *ladder)
{
  gboolean                     dark = adw_style_manager_get_dark (manager);
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();
  GtkSourceStyleScheme        *scheme
      = gtk_source_style_scheme_manager_get_scheme (schemes, dark ? "Adwaita-dark" : "Adwaita");

  for (guint r = 0; r < N_RUNGS; r++)
    {
      Rung *rung = &ladder->rungs[r];
      gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (rung->view)), scheme);
      g_object_set (rung->same, "foreground", dark ? "#8E8E94" : "#77767B", NULL);
      g_object_set (rung->fold, "foreground", dark ? "#8E8E94" : "#77767B", NULL);
      g_object_set (rung->stem, "paragraph-background", dark ? "#2B3A4E" : "#DCE8F8", NULL);
    }
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (ladder->stream)), scheme);
}

static GtkWidget *
make_modules (Ladder *ladder)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroll = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  ladder->all = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_label (_ ("Show unchanged lines")));
  gtk_accessible_update_property (GTK_ACCESSIBLE (ladder->all), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Show unchanged lines"), -1);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (ladder->all));
  gtk_widget_add_css_class (line, "ladder-head");
  gtk_box_append (GTK_BOX (page), line);
  for (guint r = 0; r < N_RUNGS; r++)
    make_rung (ladder, r, GTK_BOX (box));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), box);
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_box_append (GTK_BOX (page), scroll);
  g_signal_connect (ladder->all, "toggled", G_CALLBACK (on_all), ladder);
  return page;
}

static void
ladder_free (gpointer data)
{
  Ladder *ladder = data;

  g_signal_handlers_disconnect_by_data (tl_desk_live (ladder->desk), ladder);
  g_signal_handlers_disconnect_by_data (ladder->desk, ladder);
  g_signal_handlers_disconnect_by_data (ladder->source, ladder);
  g_object_unref (ladder->source);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), ladder);
  for (guint r = 0; r < N_RUNGS; r++)
    {
      g_clear_pointer (&ladder->rungs[r].shown, g_ptr_array_unref);
      g_clear_pointer (&ladder->rungs[r].rung, tl_rung_free);
    }
  g_clear_pointer (&ladder->build, tl_build_unref);
  g_object_unref (ladder->desk);
  g_free (ladder);
}

void
tl_ladder_attach (GtkBox *box, GtkSourceView *editor, TlDesk *desk)
{
  Ladder    *ladder = g_new0 (Ladder, 1);
  GtkWidget *switcher = gtk_stack_switcher_new ();

  ladder->box = box;
  ladder->editor = editor;
  ladder->desk = g_object_ref (desk);
  ladder->dirty = TRUE;
  ladder->stack = gtk_stack_new ();
  gtk_stack_add_titled (GTK_STACK (ladder->stack), make_modules (ladder), "modules", _ ("Modules"));
  gtk_stack_add_titled (GTK_STACK (ladder->stack), make_streams (ladder), "streams", _ ("Streams"));
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (ladder->stack));
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_widget_add_css_class (switcher, "panel-switch");
  gtk_box_append (box, switcher);
  gtk_box_append (box, ladder->stack);
  on_dark (adw_style_manager_get_default (), NULL, ladder);
  for (guint r = 0; r < N_RUNGS; r++)
    title_rung (&ladder->rungs[r], r);

  g_signal_connect (tl_desk_live (desk), "built", G_CALLBACK (on_built), ladder);
  g_signal_connect (desk, "changed", G_CALLBACK (on_desk), ladder);
  g_signal_connect (box, "map", G_CALLBACK (on_map), ladder);
  ladder->source = g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor)));
  g_signal_connect (ladder->source, "notify::cursor-position", G_CALLBACK (on_caret), ladder);
  g_signal_connect (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), ladder);
  g_object_set_data_full (G_OBJECT (box), "tl-ladder", ladder, ladder_free);
}
