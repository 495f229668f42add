/* Entries make a new lens at each key press; an operand's plan comes from a worker. */
#include "app/register-window.h"

#include "app/text-column.h"
#include "layout/convert.h"
#include "scene/paint.h"
#include "scene/register-lens.h"

#include <glib/gi18n.h>
#include <string.h>

/* Threads listed in the table. */
#define MOST_ROWS 4096

struct _TlRegisterWindow
{
  TlLensWindow    parent_instance;
  TlRegisterLens *lens;
  TlOperandTile  *tile;        /* the entries show it as it came; NULL: a layout of its own */
  char           *tile_layout; /* its text, which the entry holds while it is shown */
  gint64          element;
  gint64          pinned; /* stays when the pointer leaves; -1: none */
  guint64         slice;
  gboolean        filling; /* the entries are being set, not typed in */

  GtkEntry      *layout;
  GtkEntry      *type;
  GtkEntry      *view_type;
  GtkEntry      *view_layout;
  GtkStack      *stack;
  GtkStringList *rows;
  GtkLabel      *notation[TL_N_NOTATIONS];
  GtkWidget     *copy[TL_N_NOTATIONS];
};

G_DEFINE_FINAL_TYPE (TlRegisterWindow, tl_register_window, TL_TYPE_LENS_WINDOW)

static void
fill_moment (TlRegisterWindow *window, TlRegisterMoment *moment)
{
  *moment = (TlRegisterMoment) { .element = window->element, .slice = window->slice };
  if (window->tile != NULL && window->tile->chain != NULL)
    {
      moment->chain = window->tile->chain;
      moment->map = window->tile->plan->map;
    }
  if (window->tile != NULL)
    moment->operand = window->tile->product.operand[window->tile->operand];
}

static TlBox
picture_box (float width, float height)
{
  return tl_box (12, 6, width - 24, height - 12);
}

static TlScene *
draw (float width, float height, TlThemeKind theme, gpointer data)
{
  TlRegisterWindow *window = data;
  TlScene          *scene = tl_scene_new (width, height, theme);
  TlRegisterMoment  moment;

  fill_moment (window, &moment);
  tl_view_register (scene, picture_box (width, height), window->lens, &moment);
  return scene;
}

static void
follow (TlRegisterWindow *window, gint64 element)
{
  if (window->element == element)
    return;
  window->element = element;
  tl_lens_area_changed (tl_lens_window_area (TL_LENS_WINDOW (window)));
}

static gint64
element_at (TlRegisterWindow *window, float x, float y)
{
  const TlScene   *scene = tl_lens_area_scene (tl_lens_window_area (TL_LENS_WINDOW (window)));
  TlRegisterMoment moment;

  if (scene == NULL || x < 0)
    return -1;
  fill_moment (window, &moment);
  return tl_view_register_at (picture_box (scene->width, scene->height), window->lens, &moment, x, y);
}

static void
on_point (const TlGroup *group, float x, float y, gpointer data)
{
  TlRegisterWindow *window = data;
  gint64            element = element_at (window, x, y);

  follow (window, element >= 0 ? element : window->pinned);
}

static void
on_press (const TlGroup *group, float x, float y, gpointer data)
{
  TlRegisterWindow *window = data;

  window->pinned = element_at (window, x, y);
  follow (window, window->pinned);
}

/* --- What follows from the texts --- */

static void
fill_table (TlRegisterWindow *window)
{
  const TlLayout *layout = &window->lens->from.layout;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);

  if (window->lens->from.valid)
    {
      guint threads = tl_layout_threads (layout), locals = tl_layout_locals (layout);

      for (guint t = 0; t < MIN (threads, MOST_ROWS); t++)
        {
          GString *text = g_string_new (NULL);
          for (guint l = 0; l < MIN (locals, 64); l++)
            {
              g_autofree char *at = tl_register_lens_coordinates (window->lens, tl_layout_index (layout, t, l));
              g_string_append_printf (text, "%s(%s)", l > 0 ? " " : "", at);
            }
          if (locals > 64)
            g_string_append_printf (text, _ (" and %u more"), locals - 64);
          g_ptr_array_add (rows, g_strdup_printf ("%u\t%s", t, text->str));
          g_string_free (text, TRUE);
        }
      if (threads > MOST_ROWS)
        g_ptr_array_add (rows, g_strdup_printf (_ ("%u and on\tnot listed"), MOST_ROWS));
    }
  g_ptr_array_add (rows, NULL);
  gtk_string_list_splice (window->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (window->rows)),
                          (const char *const *) rows->pdata);
}

static void
mark_entry (GtkEntry *entry, const char *problem)
{
  if (problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (entry), problem);
}

static const char *
text_of (GtkEntry *entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

static void
update (TlRegisterWindow *window)
{
  TlRegisterLens *lens = tl_register_lens_new (text_of (window->layout), text_of (window->type),
                                               text_of (window->view_type), text_of (window->view_layout));

  g_clear_pointer (&window->lens, tl_register_lens_free);
  window->lens = lens;
  /* Of another layout the program's places would be lies. */
  if (window->tile != NULL && g_strcmp0 (text_of (window->layout), window->tile_layout) != 0)
    {
      g_clear_pointer (&window->tile, tl_operand_tile_free);
      tl_lens_window_leave_tile (TL_LENS_WINDOW (window));
    }
  guint64 all = lens->from.valid ? tl_layout_elements (&lens->from.layout) : 0;
  if (window->element >= (gint64) all)
    window->element = all > 0 ? 0 : -1;
  window->pinned = MIN (window->pinned, (gint64) all - 1);
  window->slice %= MAX (tl_register_lens_slices (lens), 1);
  mark_entry (window->layout, lens->from.valid ? NULL : lens->from.reason);
  mark_entry (window->view_layout, lens->viewed && !lens->to.valid ? lens->to.reason : NULL);
  for (TlNotation n = 0; n < TL_N_NOTATIONS; n++)
    {
      const char      *why = lens->from.valid ? lens->why_not[n] : _ ("no layout");
      g_autofree char *none = lens->notation[n] == NULL ? g_strdup_printf (_ ("none: %s"), why) : NULL;

      gtk_label_set_text (window->notation[n], none != NULL ? none : lens->notation[n]);
      gtk_widget_set_tooltip_text (GTK_WIDGET (window->notation[n]), none != NULL ? none : lens->notation[n]);
      gtk_widget_set_sensitive (window->copy[n], lens->notation[n] != NULL);
    }
  if (g_strcmp0 (gtk_stack_get_visible_child_name (window->stack), "table") == 0)
    fill_table (window);
  tl_lens_area_changed (tl_lens_window_area (TL_LENS_WINDOW (window)));
}

static void
on_typed (TlRegisterWindow *window)
{
  if (!window->filling)
    update (window);
}

static void
set_texts (TlRegisterWindow *window, const char *layout, const char *type, const char *view_type,
           const char *view_layout)
{
  window->filling = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (window->layout), layout);
  gtk_editable_set_text (GTK_EDITABLE (window->type), type);
  gtk_editable_set_text (GTK_EDITABLE (window->view_type), view_type);
  gtk_editable_set_text (GTK_EDITABLE (window->view_layout), view_layout);
  window->filling = FALSE;
  update (window);
}

/* --- Operands of the program --- */

static char *
show_tile (TlLensWindow *lens, TlOperandTile *planned)
{
  TlRegisterWindow *window = TL_REGISTER_WINDOW (lens);
  g_autoptr (TlOperandTile) tile = planned;

  if (!tile->image.told)
    return g_strdup (tile->image.why_not);
  const TlTileMatmul *matmul = &tile->image.matmul;
  gboolean            weights = tile->operand == TL_GEMM_B;
  g_autofree char    *type = tl_element_type_name (weights ? matmul->spec.weight : matmul->spec.activation);
  g_autofree char    *load = weights && matmul->recipe.owners == 1 ? tl_layout_to_product (&matmul->recipe.load) : NULL;
  g_autofree char    *bytes = load == NULL ? g_strdup ("")
                              : matmul->spec.tiling.warps_m > 1
                                  ? g_strdup_printf ("replicated(1,num_workers=%u).%s", matmul->spec.tiling.warps_m, load)
                                  : g_strdup (load);

  g_clear_pointer (&window->tile, tl_operand_tile_free);
  g_free (window->tile_layout);
  window->tile_layout = tl_layout_to_product (&tile->image.layout);
  window->tile = g_steal_pointer (&tile);
  window->element = window->pinned = 0;
  set_texts (window, window->tile_layout, type, *bytes != '\0' ? "u8" : "", bytes);
  return NULL;
}

/* --- Keys, copying, figures --- */

/* One step through the last two dimensions. */
static void
move (TlRegisterWindow *window, int rows, int columns)
{
  const TlLayout *layout = &window->lens->from.layout;
  guint           n = layout->n_dims;

  if (!window->lens->from.valid || n == 0)
    return;
  gint64 across = layout->shape[n - 1], down = n > 1 ? layout->shape[n - 2] : 1;
  gint64 at = MAX (window->element, 0) % (across * down);
  gint64 row = CLAMP (at / across + rows, 0, down - 1), column = CLAMP (at % across + columns, 0, across - 1);
  window->pinned = (gint64) window->slice * across * down + row * across + column;
  follow (window, window->pinned);
}

static void
turn_slice (TlRegisterWindow *window, int by)
{
  guint64 slices = tl_register_lens_slices (window->lens);

  if (slices < 2)
    return;
  window->slice = (window->slice + slices + (guint64) (gint64) by) % slices;
  move (window, 0, 0);
  tl_lens_area_changed (tl_lens_window_area (TL_LENS_WINDOW (window)));
}

static gboolean
on_key (guint key, GdkModifierType state, gpointer data)
{
  TlRegisterWindow *window = data;
  int               step = (state & GDK_SHIFT_MASK) != 0 ? 8 : 1;

  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      move (window, 0, -step);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      move (window, 0, step);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      move (window, -step, 0);
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      move (window, step, 0);
      return TRUE;
    case GDK_KEY_Page_Up:
      turn_slice (window, -1);
      return TRUE;
    case GDK_KEY_Page_Down:
      turn_slice (window, 1);
      return TRUE;
    case GDK_KEY_Escape:
      if (window->element < 0)
        return FALSE;
      window->pinned = -1;
      follow (window, -1);
      return TRUE;
    default:
      return FALSE;
    }
}

static const TlLensCalls calls = { .draw = draw, .point = on_point, .press = on_press, .key = on_key };

static void
on_copy (GtkButton *button, TlRegisterWindow *window)
{
  guint            n = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "notation"));
  g_autofree char *said = g_strdup_printf (_ ("Copied: %s"), tl_notation_name (n));

  if (window->lens->notation[n] == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), window->lens->notation[n]);
  tl_lens_window_say (TL_LENS_WINDOW (window), said);
}

static void
on_copy_picture (TlRegisterWindow *window)
{
  TlRegisterMoment moment;
  g_autoptr (TlScene) scene = tl_scene_new (1180, 640, TL_THEME_LIGHT);
  g_autoptr (GError) error = NULL;

  fill_moment (window, &moment);
  moment.notations = TRUE;
  tl_view_register (scene, tl_box (12, 12, 1156, 616), window->lens, &moment);
  g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, &error);
  if (svg == NULL)
    {
      tl_lens_window_say (TL_LENS_WINDOW (window), error->message);
      return;
    }
  g_autofree char *text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), text);
  tl_lens_window_say (TL_LENS_WINDOW (window), _ ("The picture is copied as SVG."));
}

static void
on_table (GtkToggleButton *button, TlRegisterWindow *window)
{
  gboolean table = gtk_toggle_button_get_active (button);

  if (table)
    fill_table (window);
  gtk_stack_set_visible_child_name (window->stack, table ? "table" : "picture");
}

/* --- Set up --- */

static GtkWidget *
table_new (TlRegisterWindow *window)
{
  GtkWidget  *scrolled = gtk_scrolled_window_new ();
  const char *titles[] = { _ ("Thread"), _ ("Elements, local by local") };

  window->rows = gtk_string_list_new (NULL);
  GtkWidget *view = gtk_column_view_new (
      GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (g_object_ref (window->rows)))));
  for (guint c = 0; c < 2; c++)
    tl_text_column_add (GTK_COLUMN_VIEW (view), titles[c], c, c == 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("The layout as a table"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  return scrolled;
}

static GtkEntry *
entry_new (TlRegisterWindow *window, GtkGrid *grid, int column, const char *label, const char *hint, int chars)
{
  GtkWidget *name = gtk_label_new_with_mnemonic (label), *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), chars);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), chars);
  gtk_widget_add_css_class (entry, "monospace");
  gtk_widget_set_hexpand (entry, chars > 10);
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), entry);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_grid_attach (grid, name, column, 0, 1, 1);
  gtk_grid_attach (grid, entry, column + 1, 0, 1, 1);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_typed), window);
  return GTK_ENTRY (entry);
}

static GtkWidget *
form_new (TlRegisterWindow *window)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_widget_set_margin_start (grid, 12);
  gtk_widget_set_margin_end (grid, 12);
  gtk_widget_set_margin_top (grid, 8);
  gtk_widget_set_margin_bottom (grid, 4);
  window->layout = entry_new (window, GTK_GRID (grid), 0, _ ("_Layout"), "local(2,1).spatial(8,4)", 30);
  window->type = entry_new (window, GTK_GRID (grid), 2, _ ("of _type"), "u8", 6);
  window->view_type = entry_new (window, GTK_GRID (grid), 4, _ ("_read as"), _ ("type"), 6);
  window->view_layout = entry_new (window, GTK_GRID (grid), 6, _ ("un_der"), _ ("another layout, or nothing"), 26);
  return grid;
}

static GtkWidget *
notations_new (TlRegisterWindow *window)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_widget_set_margin_start (grid, 16);
  gtk_widget_set_margin_end (grid, 12);
  gtk_widget_set_margin_bottom (grid, 8);
  for (TlNotation n = 0; n < TL_N_NOTATIONS; n++)
    {
      GtkWidget       *name = gtk_label_new (tl_notation_name (n)), *text = gtk_label_new (NULL);
      GtkWidget       *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");
      g_autofree char *label = g_strdup_printf (_ ("Copy as %s"), tl_notation_name (n));
      int              column = (int) (n % 2) * 3, row = (int) (n / 2);

      gtk_widget_add_css_class (name, "dim-label");
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_label_set_xalign (GTK_LABEL (text), 0);
      gtk_label_set_selectable (GTK_LABEL (text), TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
      gtk_widget_set_hexpand (text, TRUE);
      gtk_widget_add_css_class (text, "monospace");
      gtk_widget_add_css_class (copy, "flat");
      gtk_widget_set_tooltip_text (copy, label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
      g_object_set_data (G_OBJECT (copy), "notation", GUINT_TO_POINTER (n));
      g_signal_connect (copy, "clicked", G_CALLBACK (on_copy), window);
      gtk_grid_attach (GTK_GRID (grid), name, column, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), text, column + 1, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), copy, column + 2, row, 1, 1);
      window->notation[n] = GTK_LABEL (text);
      window->copy[n] = copy;
    }
  return grid;
}

static void
fill_header (TlRegisterWindow *window, AdwHeaderBar *header)
{
  GtkWidget *table = gtk_toggle_button_new_with_label (_ ("Table"));
  GtkWidget *picture = gtk_button_new_with_label (_ ("Copy SVG"));

  gtk_widget_set_tooltip_text (table, _ ("Show the layout as a table"));
  gtk_widget_set_tooltip_text (picture, _ ("Copy the picture as SVG"));
  g_signal_connect (table, "toggled", G_CALLBACK (on_table), window);
  g_signal_connect_swapped (picture, "clicked", G_CALLBACK (on_copy_picture), window);
  adw_header_bar_pack_end (header, table);
  adw_header_bar_pack_end (header, picture);
}

static void
tl_register_window_dispose (GObject *object)
{
  TlRegisterWindow *window = TL_REGISTER_WINDOW (object);

  g_clear_object (&window->rows);
  G_OBJECT_CLASS (tl_register_window_parent_class)->dispose (object);
}

static void
tl_register_window_finalize (GObject *object)
{
  TlRegisterWindow *window = TL_REGISTER_WINDOW (object);

  tl_register_lens_free (window->lens);
  tl_operand_tile_free (window->tile);
  g_free (window->tile_layout);
  G_OBJECT_CLASS (tl_register_window_parent_class)->finalize (object);
}

static void
tl_register_window_class_init (TlRegisterWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tl_register_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = tl_register_window_finalize;
  TL_LENS_WINDOW_CLASS (klass)->show_tile = show_tile;
}

static void
tl_register_window_init (TlRegisterWindow *window)
{
  TlLensWindow *lens = TL_LENS_WINDOW (window);
  GtkBox       *box = tl_lens_window_box (lens);

  gtk_window_set_title (GTK_WINDOW (window), _ ("Register Lens"));
  gtk_window_set_default_size (GTK_WINDOW (window), 1240, 760);
  gtk_widget_set_size_request (GTK_WIDGET (window), 900, 560);
  window->stack = GTK_STACK (gtk_stack_new ());
  tl_lens_window_fill (lens, _ ("A layout of your own"), &calls, _ ("Register layout"));
  fill_header (window, tl_lens_window_header (lens));
  gtk_box_append (box, form_new (window));
  gtk_stack_add_named (window->stack, GTK_WIDGET (tl_lens_window_area (lens)), "picture");
  gtk_stack_add_named (window->stack, table_new (window), "table");
  gtk_box_append (box, GTK_WIDGET (window->stack));
  gtk_box_append (box, notations_new (window));
  set_texts (window, "local(2,1).column_spatial(4,8).local(2,1)", "i6", "u8", "local(3).spatial(32)");
}

void
tl_register_window_open (TlWindow *program)
{
  tl_lens_window_open (TL_TYPE_REGISTER_WINDOW, program);
}
