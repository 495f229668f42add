/* Edits are counted at once by the lens; the order of accesses and PLAN's candidates come from a worker. */
#include "app/layout-window.h"

#include "app/buffer.h"
#include "dsl/edit.h"
#include "place/evaluate.h"
#include "scene/operand-lens.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

struct _TlLayoutWindow
{
  TlLensWindow  parent_instance;
  TlLayoutLens *lens;
  TlPlacement   written;  /* what edits began with */
  GPtrArray    *history;  /* of TlPlacement *, for taking back */
  char         *operand;  /* NULL: the lesson */
  int           row, bit; /* of the keyboard; -1 before */
  char         *from, *over;

  GtkWidget *undo;
  GtkWidget *apply;
};

G_DEFINE_FINAL_TYPE (TlLayoutWindow, tl_layout_window, TL_TYPE_LENS_WINDOW)

static TlScene *
draw (float width, float height, TlThemeKind theme, gpointer data)
{
  TlLayoutWindow *window = data;
  TlScene        *scene = tl_scene_new (width, height, theme);
  TlLayoutMoment  moment
      = { .row = window->row,
          .bit = window->bit,
          .from = window->from,
          .over = window->over,
          .state = window->from != NULL                                              ? _ ("while you drag")
                   : tl_placement_equal (&window->lens->placement, &window->written) ? _ ("as written")
                                                                                     : _ ("edited") };

  tl_view_layout (scene, tl_box (12, 6, width - 24, height - 18), window->lens, &moment);
  return scene;
}

static void
changed (TlLayoutWindow *window)
{
  gboolean edited = !tl_placement_equal (&window->lens->placement, &window->written);

  gtk_widget_set_sensitive (window->undo, window->history->len > 0);
  gtk_widget_set_sensitive (window->apply, window->operand != NULL && window->lens->legal);
  if (edited && window->lens->legal && window->operand != NULL)
    gtk_widget_add_css_class (window->apply, "suggested-action");
  else
    gtk_widget_remove_css_class (window->apply, "suggested-action");
  gtk_widget_set_tooltip_text (window->apply, window->operand == NULL ? _ ("The lesson has no place line")
                                              : window->lens->legal ? _ ("Write the map into the program's place line")
                                                                    : window->lens->reason);
  tl_lens_area_changed (tl_lens_window_area (TL_LENS_WINDOW (window)));
}

/* --- Edits --- */

static void
remember (TlLayoutWindow *window)
{
  TlPlacement *before = g_new (TlPlacement, 1);

  *before = window->lens->placement;
  g_ptr_array_add (window->history, before);
}

static void
take_back (TlLayoutWindow *window)
{
  if (window->history->len == 0)
    return;
  g_autofree TlPlacement *before = g_ptr_array_steal_index (window->history, window->history->len - 1);
  tl_layout_lens_set (window->lens, before);
  changed (window);
}

static void
take_all_back (TlLayoutWindow *window)
{
  g_ptr_array_set_size (window->history, 0);
  tl_layout_lens_set (window->lens, &window->written);
  changed (window);
}

/* What a drag from one thing to another means: bits change places with bits, rows with rows. FALSE when nothing. */
static gboolean
swap (TlLayoutWindow *window, const char *from, const char *to)
{
  unsigned row_a, row_b, a, b;
  gboolean cells = sscanf (from, "cell-%u-%u", &row_a, &a) == 2 && sscanf (to, "cell-%u-%u", &row_b, &b) == 2;

  if (cells ? a != b : sscanf (from, "bit-%u", &a) == 1 && sscanf (to, "bit-%u", &b) == 1 && a != b)
    tl_layout_lens_swap_bits (window->lens, a, b);
  else if (cells ? row_a != row_b
                 : sscanf (from, "row-%u", &row_a) == 1 && sscanf (to, "row-%u", &row_b) == 1 && row_a != row_b)
    tl_layout_lens_swap_rows (window->lens, row_a, row_b);
  else
    return FALSE;
  return TRUE;
}

static void
set_id (char **id, const char *value)
{
  char *copy = g_strdup (value);

  g_free (*id);
  *id = copy;
}

/* While it is held the counts are those of the map that letting go would make. */
static void
on_drag (const char *from_id, const TlGroup *over, gboolean done, gpointer data)
{
  TlLayoutWindow  *window = data;
  g_autofree char *from = g_strdup (from_id), *to = over != NULL ? g_strdup (over->id) : NULL;

  if (window->from != NULL)
    {
      g_autofree TlPlacement *before = g_ptr_array_steal_index (window->history, window->history->len - 1);
      tl_layout_lens_set (window->lens, before);
    }
  remember (window);
  gboolean moved = to != NULL && swap (window, from, to);
  set_id (&window->from, done ? NULL : from);
  set_id (&window->over, done ? NULL : to);
  if (done && !moved)
    g_ptr_array_set_size (window->history, (gint) window->history->len - 1);
  changed (window);
}

static void
toggle (TlLayoutWindow *window, guint row, guint bit)
{
  remember (window);
  tl_layout_lens_toggle (window->lens, row, bit);
  changed (window);
}

static void
on_press (const TlGroup *group, float x, float y, gpointer data)
{
  TlLayoutWindow *window = data;
  unsigned        row, bit, candidate;

  if (group == NULL)
    return;
  if (sscanf (group->id, "cell-%u-%u", &row, &bit) == 2)
    {
      window->row = (int) row;
      window->bit = (int) bit;
      toggle (window, row, bit);
    }
  else if (sscanf (group->id, "candidate-%u", &candidate) == 1 && candidate < window->lens->candidates->len)
    {
      const TlLayoutCandidate *chosen = window->lens->candidates->pdata[candidate];
      remember (window);
      tl_layout_lens_set (window->lens, &chosen->placement);
      changed (window);
    }
}

static void
on_point (const TlGroup *group, float x, float y, gpointer data)
{
  TlLayoutWindow *window = data;
  const char     *id = group != NULL && g_str_has_prefix (group->id, "cell-") ? group->id : NULL;

  if (window->from != NULL || g_strcmp0 (id, window->over) == 0)
    return;
  set_id (&window->over, id);
  tl_lens_area_changed (tl_lens_window_area (TL_LENS_WINDOW (window)));
}

/* One step of the keyboard's cell; with Shift what it leaves changes places with what it comes to. */
static void
move (TlLayoutWindow *window, int rows, int bits, gboolean exchange)
{
  int n = (int) window->lens->placement.bits;
  int row = CLAMP (MAX (window->row, 0) + rows, 0, n - 1);
  int bit = CLAMP ((window->bit < 0 ? n - 1 : window->bit) + bits, 0, n - 1);

  if (exchange && window->row >= 0 && (row != window->row || bit != window->bit))
    {
      remember (window);
      if (rows != 0)
        tl_layout_lens_swap_rows (window->lens, (guint) window->row, (guint) row);
      else
        tl_layout_lens_swap_bits (window->lens, (guint) window->bit, (guint) bit);
    }
  if (window->row < 0 && !exchange)
    {
      row = 0;
      bit = n - 1;
    }
  window->row = row;
  window->bit = bit;
  changed (window);
}

static gboolean
on_key (guint key, GdkModifierType state, gpointer data)
{
  TlLayoutWindow *window = data;
  gboolean        exchange = (state & GDK_SHIFT_MASK) != 0;

  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      move (window, 0, 1, exchange);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      move (window, 0, -1, exchange);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      move (window, -1, 0, exchange);
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      move (window, 1, 0, exchange);
      return TRUE;
    case GDK_KEY_space:
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (window->row >= 0 && window->bit >= 0)
        toggle (window, (guint) window->row, (guint) window->bit);
      return TRUE;
    case GDK_KEY_BackSpace:
      take_back (window);
      return TRUE;
    case GDK_KEY_Escape:
      if (tl_placement_equal (&window->lens->placement, &window->written))
        return FALSE;
      take_all_back (window);
      return TRUE;
    default:
      return FALSE;
    }
}

static const TlLensCalls calls = { draw, on_point, on_press, on_drag, on_key };

/* The place line, as one step of the program's undo. */
static void
on_apply (TlLayoutWindow *window)
{
  TlWindow *program = tl_lens_window_program (TL_LENS_WINDOW (window));
  TlBuild  *build = program != NULL ? tl_live_build (tl_desk_live (tl_window_desk (program))) : NULL;

  if (build == NULL || build->ast == NULL || build->source == NULL || window->operand == NULL || !window->lens->legal)
    return;
  g_autofree char *line = tl_layout_lens_line (window->lens);
  g_autofree char *value = g_strdup_printf ("layout %s", line);
  g_autoptr (GArray) edits = tl_edit_place (build->ast, window->operand, value);
  if (tl_buffer_apply (GTK_TEXT_BUFFER (tl_window_buffer (program)), build->source, edits))
    {
      g_autofree char *said = g_strdup_printf ("place %s = %s", window->operand, value);
      window->written = window->lens->placement;
      tl_lens_window_say (TL_LENS_WINDOW (window), said);
    }
  else
    tl_lens_window_say (TL_LENS_WINDOW (window), _ ("The text is being read; try again in a moment."));
  changed (window);
}

/* --- What is shown --- */

static void
show_lens (TlLayoutWindow *window, TlLayoutLens *lens, const char *operand)
{
  g_clear_pointer (&window->lens, tl_layout_lens_free);
  window->lens = lens;
  window->written = lens->placement;
  g_ptr_array_set_size (window->history, 0);
  set_id (&window->operand, operand);
  set_id (&window->from, NULL);
  set_id (&window->over, NULL);
  window->row = window->bit = -1;
  changed (window);
}

static void
show_lesson (TlLensWindow *lens)
{
  show_lens (TL_LAYOUT_WINDOW (lens), tl_layout_lens_lesson (), NULL);
}

static char *
show_tile (TlLensWindow *window, TlOperandTile *planned)
{
  g_autoptr (TlOperandTile) tile = planned;
  const char              *operand = tile->product.operand[tile->operand];
  guint                    units = (guint) tile->plan->signature[tile->operand]->units;
  const TlOperandLensNames names = { .written = _ ("as written"),
                                     .run = _ ("of the run"),
                                     .plan = "PLAN",
                                     .packed = _ ("packed"),
                                     .identity = _ ("identity"),
                                     .tie = _ ("as good, %u") };
  g_autofree char         *name
      = tile->unused ? g_strdup_printf (_ ("a tile of %s, %u units; the run leaves it row by row"), operand, units)
                     : g_strdup_printf (_ ("a tile of %s, %u units"), operand, units);

  show_lens (TL_LAYOUT_WINDOW (window), tl_layout_lens_of_operand (tile, name, &names), operand);
  return NULL;
}

/* --- Set up --- */

static void
fill_header (TlLayoutWindow *window, AdwHeaderBar *header)
{
  window->undo = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  window->apply = gtk_button_new_with_label (_ ("Apply to the Program"));
  gtk_widget_set_tooltip_text (window->undo, _ ("Take the last edit back"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (window->undo), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Take the last edit back"), -1);
  g_signal_connect_swapped (window->undo, "clicked", G_CALLBACK (take_back), window);
  g_signal_connect_swapped (window->apply, "clicked", G_CALLBACK (on_apply), window);
  adw_header_bar_pack_start (header, window->undo);
  adw_header_bar_pack_end (header, window->apply);
}

static void
tl_layout_window_finalize (GObject *object)
{
  TlLayoutWindow *window = TL_LAYOUT_WINDOW (object);

  tl_layout_lens_free (window->lens);
  g_ptr_array_unref (window->history);
  g_free (window->operand);
  g_free (window->from);
  g_free (window->over);
  G_OBJECT_CLASS (tl_layout_window_parent_class)->finalize (object);
}

static void
tl_layout_window_class_init (TlLayoutWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tl_layout_window_finalize;
  TL_LENS_WINDOW_CLASS (klass)->show_own = show_lesson;
  TL_LENS_WINDOW_CLASS (klass)->show_tile = show_tile;
}

static void
tl_layout_window_init (TlLayoutWindow *window)
{
  TlLensWindow *lens = TL_LENS_WINDOW (window);

  gtk_window_set_title (GTK_WINDOW (window), _ ("Layout Lens"));
  gtk_window_set_default_size (GTK_WINDOW (window), 1120, 660);
  gtk_widget_set_size_request (GTK_WIDGET (window), 820, 520);
  window->history = g_ptr_array_new_with_free_func (g_free);
  tl_lens_window_fill (lens, _ ("The lesson of eight units"), &calls, _ ("Layout"));
  fill_header (window, tl_lens_window_header (lens));
  gtk_box_append (tl_lens_window_box (lens), GTK_WIDGET (tl_lens_window_area (lens)));
  show_lesson (lens);
}

void
tl_layout_window_open (TlWindow *program)
{
  tl_lens_window_open (TL_TYPE_LAYOUT_WINDOW, program);
}
