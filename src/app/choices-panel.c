/* Rows stay while they show the same knobs, so that a slider in the hand is not taken
 * away by the build that it starts. */
#include "app/choices-panel.h"

#include "app/buffer.h"
#include "app/choices.h"
#include "app/completer.h"
#include "dsl/edit.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Changes of a slider that follow each other this quickly are one step of undo. */
#define DRAG_PAUSE_MS 900

typedef struct
{
  GtkBox        *rows_box;
  GtkBox        *card_box;
  GtkLabel      *summary;
  GtkTextBuffer *buffer;
  TlDesk        *desk;
  TlAst         *original; /* of an example as it came, or NULL */
  GPtrArray     *choices;  /* of TlChoice *, shown */
  GPtrArray     *rows;     /* of Row *, as many */
  char         **targets;
  char          *card_tiles;
  gboolean       updating; /* widgets are being set, not turned */
  guint          drag_end; /* timeout that ends an open user action, 0: none open */
} Panel;

typedef struct
{
  Panel     *panel;
  guint      index; /* of the choice */
  GtkWidget *label;
  GtkWidget *drop;  /* WORDS, OWNER */
  GtkWidget *scale; /* NUMBER */
  GtkWidget *hatch;
  GtkWidget *entry; /* NUMBER, TEXT, OWNER: the expression */
  GtkWidget *warn;
  GtkWidget *chip;
  GtkWidget *reset;
  GtkWidget *problem;
} Row;

/* --- edits --- */

static void
end_drag (Panel *panel)
{
  if (panel->drag_end == 0)
    return;
  g_clear_handle_id (&panel->drag_end, g_source_remove);
  gtk_text_buffer_end_user_action (panel->buffer);
}

static gboolean
on_drag_pause (gpointer data)
{
  Panel *panel = data;

  /* A slider that is still held has not ended, however slow its pictures come. */
  for (guint r = 0; r < panel->rows->len; r++)
    {
      Row *row = panel->rows->pdata[r];
      if (row->scale != NULL && gtk_widget_has_css_class (row->scale, "dragging"))
        return G_SOURCE_CONTINUE;
    }
  panel->drag_end = 0;
  gtk_text_buffer_end_user_action (panel->buffer);
  return G_SOURCE_REMOVE;
}

/* Writes the value into the text as it is now, which may be newer than the build.
 * NULL takes it out. */
static void
write_value (Panel *panel, const TlChoice *choice, const char *value)
{
  g_autofree char *text = tl_buffer_text (panel->buffer);
  g_autoptr (TlSource) source = tl_source_new ("", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_autoptr (GArray) edits
      = choice->place ? tl_edit_place (ast, choice->key, value) : tl_edit_config (ast, choice->key, value);

  if (edits->len > 0)
    tl_buffer_apply (panel->buffer, source, edits);
}

/* One of many that make one step of undo. */
static void
drag_value (Panel *panel, const TlChoice *choice, const char *value)
{
  if (panel->drag_end != 0)
    g_source_remove (panel->drag_end);
  else
    gtk_text_buffer_begin_user_action (panel->buffer);
  panel->drag_end = g_timeout_add (DRAG_PAUSE_MS, on_drag_pause, panel);
  write_value (panel, choice, value);
}

static TlChoice *
choice_of (Row *row)
{
  return row->panel->choices->pdata[row->index];
}

/* --- controls --- */

static void
on_drop (GtkDropDown *drop, GParamSpec *pspec, Row *row)
{
  TlChoice *choice = choice_of (row);
  guint     at = gtk_drop_down_get_selected (drop);

  if (row->panel->updating || at == GTK_INVALID_LIST_POSITION)
    return;
  if (at >= g_strv_length (choice->words))
    {
      gtk_widget_set_visible (row->entry, TRUE);
      gtk_widget_grab_focus (row->entry);
      return;
    }
  if (strcmp (choice->words[at], choice->value) != 0)
    write_value (row->panel, choice, choice->words[at]);
}

static void
apply_entry (Row *row)
{
  TlChoice        *choice = choice_of (row);
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row->entry))));

  if (row->panel->updating || strcmp (text, choice->value) == 0)
    return;
  write_value (row->panel, choice, *text != '\0' ? text : NULL);
}

static void
on_entry (GtkEntry *entry, Row *row)
{
  apply_entry (row);
}

static gboolean
on_entry_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, Row *row)
{
  if (key != GDK_KEY_Escape)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (row->entry), choice_of (row)->value);
  return TRUE;
}

static guint32
slider_step (const TlChoice *choice)
{
  return choice->limit >= 64 ? 16 : 1;
}

static void
on_scale (GtkRange *scale, Row *row)
{
  TlChoice *choice = choice_of (row);
  guint32   step = slider_step (choice), value = (guint32) MAX (lround (gtk_range_get_value (scale)), 1);

  if (row->panel->updating)
    return;
  /* The largest legal value is reachable whatever the step. */
  if (value < choice->limit)
    value = MAX ((value + step / 2) / step * step, choice->least);
  value = CLAMP (value, choice->least, choice->limit);
  g_autofree char *text = g_strdup_printf ("%u", value);
  gtk_editable_set_text (GTK_EDITABLE (row->entry), text);
  if (strcmp (text, choice->value) == 0)
    return;
  /* What is shown is what was asked for until the build says so too. */
  g_free (choice->value);
  choice->value = g_strdup (text);
  drag_value (row->panel, choice, text);
}

static void
on_reset (GtkButton *button, Row *row)
{
  write_value (row->panel, choice_of (row), NULL);
}

/* The forbidden end of the slider, hatched. */
static void
draw_hatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  Row         *row = data;
  TlChoice    *choice = choice_of (row);
  GdkRectangle trough;
  GdkRGBA      ink;

  if (choice->most <= choice->least)
    return;
  gtk_range_get_range_rect (GTK_RANGE (row->scale), &trough);
  gtk_style_context_get_color (gtk_widget_get_style_context (row->scale), &ink);
  /* The knob's middle runs from half a knob inside one end to the other. */
  double knob = 9, run = trough.width - 2 * knob;
  double from = trough.x + knob + run * (choice->limit - choice->least) / (choice->most - choice->least) + 2;
  double to = trough.x + trough.width - 1, middle = trough.y + trough.height / 2.0;
  if (to - from < 4)
    return;
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, ink.red, ink.green, ink.blue, 0.55);
  cairo_rectangle (cr, floor (from) + 0.5, floor (middle) - 4.5, ceil (to - from), 9);
  cairo_stroke_preserve (cr);
  cairo_clip (cr);
  for (double x = from - 9; x < to; x += 4)
    {
      cairo_move_to (cr, x, middle + 5);
      cairo_line_to (cr, x + 10, middle - 5);
    }
  cairo_stroke (cr);
}

static gboolean
on_scale_tooltip (GtkWidget *scale, int x, int y, gboolean keyboard, GtkTooltip *tooltip, Row *row)
{
  TlChoice *choice = choice_of (row);

  if (choice->legal == NULL)
    return FALSE;
  g_autofree char *text = g_strdup_printf ("%s\n%s", choice->summary, choice->legal);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
name (GtkWidget *widget, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static GtkWidget *
make_drop (Row *row, const TlChoice *choice)
{
  GtkStringList *words = gtk_string_list_new ((const char *const *) choice->words);

  if (choice->kind == TL_CHOICE_OWNER)
    gtk_string_list_append (words, _ ("expression…"));
  row->drop = gtk_drop_down_new (G_LIST_MODEL (words), NULL);
  gtk_widget_add_css_class (row->drop, "flat");
  gtk_widget_set_hexpand (row->drop, FALSE);
  name (row->drop, choice->label);
  g_signal_connect (row->drop, "notify::selected", G_CALLBACK (on_drop), row);
  return row->drop;
}

static GtkWidget *
make_entry (Row *row, const TlChoice *choice, int chars)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  row->entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (row->entry), chars);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (row->entry), chars);
  name (row->entry, choice->label);
  g_signal_connect (row->entry, "activate", G_CALLBACK (on_entry), row);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_entry_key), row);
  gtk_widget_add_controller (row->entry, keys);
  return row->entry;
}

static GtkWidget *
make_slider (Row *row, const TlChoice *choice)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *overlay = gtk_overlay_new ();
  guint32    step = slider_step (choice);

  row->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, choice->least, MAX (choice->most, 2), step);
  gtk_range_set_increments (GTK_RANGE (row->scale), step, 4 * step);
  gtk_range_set_fill_level (GTK_RANGE (row->scale), choice->limit);
  gtk_range_set_restrict_to_fill_level (GTK_RANGE (row->scale), TRUE);
  gtk_scale_set_draw_value (GTK_SCALE (row->scale), FALSE);
  gtk_widget_set_size_request (row->scale, 84, -1);
  gtk_widget_set_has_tooltip (row->scale, TRUE);
  name (row->scale, choice->label);
  row->hatch = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (row->hatch), draw_hatch, row, NULL);
  gtk_widget_set_can_target (row->hatch, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), row->scale);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), row->hatch);
  gtk_widget_set_hexpand (overlay, TRUE);
  gtk_box_append (GTK_BOX (box), overlay);
  gtk_box_append (GTK_BOX (box), make_entry (row, choice, 4));
  g_signal_connect (row->scale, "value-changed", G_CALLBACK (on_scale), row);
  g_signal_connect (row->scale, "query-tooltip", G_CALLBACK (on_scale_tooltip), row);
  return box;
}

static Row *
make_row (Panel *panel, guint index)
{
  Row       *row = g_new0 (Row, 1);
  TlChoice  *choice = panel->choices->pdata[index];
  GtkWidget *all = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  row->panel = panel;
  row->index = index;
  row->label = gtk_label_new (choice->label);
  gtk_label_set_xalign (GTK_LABEL (row->label), 0);
  gtk_widget_set_size_request (row->label, 78, -1);
  gtk_widget_add_css_class (row->label, "choice-label");
  gtk_box_append (GTK_BOX (line), row->label);
  if (choice->kind == TL_CHOICE_NUMBER)
    gtk_box_append (GTK_BOX (line), make_slider (row, choice));
  else if (choice->kind == TL_CHOICE_TEXT)
    gtk_box_append (GTK_BOX (line), make_entry (row, choice, 12));
  else
    gtk_box_append (GTK_BOX (line), make_drop (row, choice));
  row->warn = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  gtk_widget_add_css_class (row->warn, "warning");
  gtk_box_append (GTK_BOX (line), row->warn);
  gtk_widget_set_hexpand (space, choice->kind != TL_CHOICE_NUMBER);
  gtk_box_append (GTK_BOX (line), space);
  row->reset = gtk_button_new_from_icon_name ("edit-clear-symbolic");
  gtk_widget_add_css_class (row->reset, "flat");
  gtk_widget_add_css_class (row->reset, "reset");
  gtk_widget_set_tooltip_text (row->reset, _ ("Back to derived"));
  g_autofree char *spoken = g_strdup_printf (_ ("%s: back to derived"), choice->label);
  name (row->reset, spoken);
  g_signal_connect (row->reset, "clicked", G_CALLBACK (on_reset), row);
  gtk_box_append (GTK_BOX (line), row->reset);
  row->chip = gtk_label_new ("");
  gtk_widget_add_css_class (row->chip, "chooser");
  gtk_widget_set_valign (row->chip, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (line), row->chip);
  gtk_widget_add_css_class (line, "choice");
  gtk_box_append (GTK_BOX (all), line);
  if (choice->kind == TL_CHOICE_OWNER)
    {
      make_entry (row, choice, 12);
      gtk_editable_set_max_width_chars (GTK_EDITABLE (row->entry), -1);
      gtk_widget_add_css_class (row->entry, "owner-rule");
      gtk_box_append (GTK_BOX (all), row->entry);
    }
  row->problem = gtk_label_new ("");
  gtk_label_set_wrap (GTK_LABEL (row->problem), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (row->problem), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (row->problem), 0);
  gtk_widget_add_css_class (row->problem, "error");
  gtk_widget_add_css_class (row->problem, "choice-problem");
  gtk_box_append (GTK_BOX (all), row->problem);
  gtk_box_append (panel->rows_box, all);
  return row;
}

static const char *
chosen_word (TlChosen chosen)
{
  switch (chosen)
    {
    case TL_CHOSEN_YOU:
      return _ ("you");
    case TL_CHOSEN_EXAMPLE:
      return _ ("example");
    case TL_CHOSEN_TARGET:
      return _ ("target");
    default:
      return _ ("derived");
    }
}

static void
show_words (Row *row, const TlChoice *choice)
{
  guint at = 0, n = g_strv_length (choice->words);

  while (at < n && strcmp (choice->words[at], choice->value) != 0)
    at++;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (row->drop), at < n || choice->kind == TL_CHOICE_OWNER ? at : 0);
  if (choice->kind == TL_CHOICE_OWNER)
    {
      gtk_widget_set_visible (row->entry, at == n);
      if (at == n)
        gtk_editable_set_text (GTK_EDITABLE (row->entry), choice->value);
    }
}

static void
show_choice (Row *row)
{
  const char      *you[] = { "chooser", "you", NULL }, *others[] = { "chooser", NULL };
  TlChoice        *choice = choice_of (row);
  g_autofree char *tip = g_strdup_printf (_ ("%s\nLegal: %s"), choice->summary, choice->legal);

  if (row->drop != NULL)
    {
      show_words (row, choice);
      gtk_widget_set_tooltip_text (row->drop, tip);
    }
  else if (!gtk_widget_has_focus (gtk_widget_get_first_child (row->entry))
           || strcmp (gtk_editable_get_text (GTK_EDITABLE (row->entry)), choice->value) != 0)
    {
      gtk_editable_set_text (GTK_EDITABLE (row->entry), choice->value);
      gtk_widget_set_tooltip_text (row->entry, tip);
    }
  if (row->scale != NULL)
    {
      gtk_range_set_range (GTK_RANGE (row->scale), choice->least, MAX (choice->most, 2));
      gtk_range_set_fill_level (GTK_RANGE (row->scale), choice->limit);
      if (row->panel->drag_end == 0)
        gtk_range_set_value (GTK_RANGE (row->scale), atoi (choice->value));
      gtk_widget_queue_draw (row->hatch);
    }
  gtk_widget_set_tooltip_text (row->label, tip);
  gtk_widget_set_visible (row->warn, choice->warned);
  gtk_widget_set_visible (row->reset, choice->written);
  gtk_label_set_text (GTK_LABEL (row->chip), chosen_word (choice->chosen));
  gtk_widget_set_css_classes (row->chip, choice->chosen == TL_CHOSEN_YOU ? you : others);
  gtk_label_set_text (GTK_LABEL (row->problem), choice->problem != NULL ? choice->problem : "");
  gtk_widget_set_visible (row->problem, choice->problem != NULL);
}

/* --- the card --- */

static void
on_try (GtkButton *button, Panel *panel)
{
  TlChoice owner = { .key = (char *) "owner" };

  write_value (panel, &owner, "skewed");
}

static void
on_show (GtkButton *button, Panel *panel)
{
  tl_desk_select (panel->desk, panel->card_tiles);
}

static GtkWidget *
card_button (const char *label, GCallback callback, Panel *panel)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  name (button, label);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", callback, panel);
  return button;
}

static GtkWidget *
card_label (const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css);
  return label;
}

static void
show_card (Panel *panel, const TlBuild *build)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (panel->card_box))) != NULL)
    gtk_box_remove (panel->card_box, child);
  g_clear_pointer (&panel->card_tiles, g_free);
  g_autoptr (TlOwnerCard) card = build->program != NULL ? tl_owner_card_new (build->program) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (panel->card_box), card != NULL);
  if (card == NULL)
    return;
  panel->card_tiles = g_strdup (card->tiles);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *act = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *show = card_button (_ ("Show tiles"), G_CALLBACK (on_show), panel);
  gtk_widget_add_css_class (icon, "warning");
  gtk_box_append (GTK_BOX (head), icon);
  gtk_box_append (GTK_BOX (head), card_label (card->title, "card-title"));
  gtk_box_append (panel->card_box, head);
  gtk_box_append (panel->card_box, card_label (card->body, "card-body"));
  gtk_box_append (GTK_BOX (act), card_button (_ ("Try skewed"), G_CALLBACK (on_try), panel));
  gtk_widget_add_css_class (show, "flat");
  gtk_box_append (GTK_BOX (act), show);
  if (card->gain > 1.005)
    {
      g_autofree char *gain = g_strdup_printf (_ ("→ %.2f×"), card->gain);
      GtkWidget       *label = card_label (gain, "gain");
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_label_set_wrap (GTK_LABEL (label), FALSE);
      gtk_widget_set_tooltip_text (label, _ ("So many times fewer steps with owner = skewed"));
      gtk_widget_set_hexpand (label, TRUE);
      gtk_box_append (GTK_BOX (act), label);
    }
  gtk_box_append (panel->card_box, act);
}

/* --- following the build --- */

/* Rows can stay when every knob has the same control with the same words. */
static gboolean
same_rows (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint c = 0; c < a->len; c++)
    {
      const TlChoice *first = a->pdata[c], *second = b->pdata[c];
      if (first->kind != second->kind || strcmp (first->key, second->key) != 0
          || strcmp (first->label, second->label) != 0 || first->limit != second->limit
          || (first->words == NULL) != (second->words == NULL)
          || (first->words != NULL
              && !g_strv_equal ((const char *const *) first->words, (const char *const *) second->words)))
        return FALSE;
    }
  return TRUE;
}

static void
clear_rows (Panel *panel)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (panel->rows_box))) != NULL)
    gtk_box_remove (panel->rows_box, child);
  g_ptr_array_set_size (panel->rows, 0);
}

static void
show_summary (Panel *panel)
{
  guint            you = tl_choices_by (panel->choices, TL_CHOSEN_YOU);
  g_autofree char *text = g_strdup_printf (_ ("%u by you, the rest derived"), you);

  gtk_label_set_text (panel->summary, text);
}

static void
update (Panel *panel)
{
  TlBuild *build = tl_live_build (tl_desk_live (panel->desk));
  TlRun   *run = tl_live_run (tl_desk_live (panel->desk));

  if (build == NULL)
    return;
  GPtrArray *choices
      = tl_choices_new (build, panel->original, run != NULL ? run->build : NULL, (const char *const *) panel->targets);
  gboolean same = same_rows (panel->choices, choices);
  panel->updating = TRUE;
  if (!same)
    clear_rows (panel);
  g_clear_pointer (&panel->choices, g_ptr_array_unref);
  panel->choices = choices;
  for (guint c = 0; !same && c < choices->len; c++)
    g_ptr_array_add (panel->rows, make_row (panel, c));
  for (guint c = 0; c < choices->len; c++)
    show_choice (panel->rows->pdata[c]);
  show_card (panel, build);
  show_summary (panel);
  panel->updating = FALSE;
}

static void
panel_free (gpointer data)
{
  Panel *panel = data;

  g_signal_handlers_disconnect_by_data (tl_desk_live (panel->desk), panel);
  g_signal_handlers_disconnect_by_data (panel->buffer, panel);
  g_clear_handle_id (&panel->drag_end, g_source_remove);
  g_clear_pointer (&panel->original, tl_ast_unref);
  g_clear_pointer (&panel->choices, g_ptr_array_unref);
  g_ptr_array_unref (panel->rows);
  g_strfreev (panel->targets);
  g_free (panel->card_tiles);
  g_object_unref (panel->buffer);
  g_object_unref (panel->desk);
  g_free (panel);
}

void
tl_choices_panel_attach (GtkBox *rows, GtkBox *card, GtkLabel *summary, GtkSourceView *editor, TlDesk *desk)
{
  Panel *panel = g_new0 (Panel, 1);

  panel->rows_box = rows;
  panel->card_box = card;
  panel->summary = summary;
  panel->buffer = g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor)));
  panel->desk = g_object_ref (desk);
  panel->rows = g_ptr_array_new_with_free_func (g_free);
  panel->targets = tl_target_names (NULL);
  gtk_widget_set_visible (GTK_WIDGET (card), FALSE);
  g_signal_connect_swapped (tl_desk_live (desk), "built", G_CALLBACK (update), panel);
  g_signal_connect_swapped (panel->buffer, "undo", G_CALLBACK (end_drag), panel);
  g_signal_connect_swapped (panel->buffer, "redo", G_CALLBACK (end_drag), panel);
  g_object_set_data (G_OBJECT (editor), "tl-choices", panel);
  g_object_set_data_full (G_OBJECT (rows), "tl-choices", panel, panel_free);
}

void
tl_choices_panel_opened (GtkSourceView *editor, gboolean example)
{
  Panel *panel = g_object_get_data (G_OBJECT (editor), "tl-choices");

  g_return_if_fail (panel != NULL);
  end_drag (panel);
  g_clear_pointer (&panel->original, tl_ast_unref);
  if (!example)
    return;
  g_autofree char *text = tl_buffer_text (panel->buffer);
  g_autoptr (TlSource) source = tl_source_new ("", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  panel->original = tl_parse (source, diags);
}
