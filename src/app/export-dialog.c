/* Choices left, the figure itself right, drawn by the same code that writes it. */
#include "app/export-dialog.h"

#include "app/chooser.h"
#include "app/document-file.h"
#include "app/figure.h"
#include "app/window-shell.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

typedef struct
{
  TlDesk           *desk; /* whose moment it is */
  char             *name; /* of its document */
  char             *path; /* NULL: nowhere */
  AdwToastOverlay  *toasts;
  const TlViewKind *kinds; /* that are offered */
  guint             n_kinds;
  GtkWidget        *dialog;
  AdwComboRow      *format, *view, *theme;
  GtkSpinButton    *width;
  AdwActionRow     *width_row;
  GtkWidget        *preview;
  GtkLabel         *facts;
  GtkWidget        *save;
  TlRun            *run;
  char             *selection;
  TlFigureWish      wish;
  TlScene          *scene; /* of the wish, NULL: cannot be drawn */
  GObject          *chooser;
  gboolean          setting; /* the width is being set, not chosen */
} Export;

/* What can be drawn of each kind of run. */
static const TlViewKind of_tiers[]
    = { TL_VIEW_WINDOW, TL_VIEW_STACK, TL_VIEW_ISO, TL_VIEW_RING, TL_VIEW_TILES, TL_VIEW_TIMELINE };
static const TlViewKind of_requests[] = { TL_VIEW_WINDOW, TL_VIEW_STACK, TL_VIEW_SPOTS, TL_VIEW_TIMELINE };
static const TlViewKind of_waves[] = { TL_VIEW_WINDOW, TL_VIEW_STACK, TL_VIEW_MATRIX, TL_VIEW_TILES, TL_VIEW_TIMELINE };

static void
find_kinds (Export *export)
{
  TlDesk *desk = export->desk;

  export->kinds = of_tiers;
  export->n_kinds = G_N_ELEMENTS (of_tiers);
  if (tl_desk_replay (desk) != NULL)
    {
      export->kinds = of_requests;
      export->n_kinds = G_N_ELEMENTS (of_requests);
    }
  else if (tl_live_grid (tl_desk_live (desk)) != NULL)
    {
      export->kinds = of_waves;
      export->n_kinds = G_N_ELEMENTS (of_waves);
    }
}

static const char *
kind_words (const Export *export, TlViewKind kind)
{
  switch (kind)
    {
    case TL_VIEW_WINDOW:
      return _ ("Whole window");
    case TL_VIEW_STACK:
      return export->kinds == of_waves ? _ ("PUs and queue") : _ ("Stack, flat");
    case TL_VIEW_ISO:
      return _ ("Stack, in projection");
    case TL_VIEW_RING:
      return _ ("Ring");
    case TL_VIEW_TILES:
      return _ ("Tile map");
    case TL_VIEW_MATRIX:
      return _ ("Matrix");
    case TL_VIEW_SPOTS:
      return _ ("Hot spots");
    default:
      return _ ("Timeline");
    }
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  Export *export = data;

  if (export->scene == NULL)
    return;
  double scale = MIN (width / (double) export->scene->width, height / (double) export->scene->height);
  cairo_translate (cr, floor ((width - scale * export->scene->width) / 2),
                   floor ((height - scale * export->scene->height) / 2));
  cairo_scale (cr, scale, scale);
  tl_paint_cairo (export->scene, cr);
}

static void
show_facts (Export *export, const GError *error)
{
  g_autofree char *text = NULL;

  if (error != NULL)
    text = g_strdup (error->message);
  else if (export->wish.format == TL_FIGURE_PNG)
    text = g_strdup_printf (_ ("%u × %u px"), export->wish.width_px,
                            (guint) lround (export->wish.width_px * export->scene->height / export->scene->width));
  else
    {
      g_autofree char *width = g_strdup_printf ("%.0f", export->wish.width_mm);
      g_autofree char *height
          = g_strdup_printf ("%.0f", export->wish.width_mm * export->scene->height / export->scene->width);
      /* Type of 9 px is the smallest in a picture. */
      double           points = 9 * export->wish.width_mm / export->scene->width * 72 / 25.4;
      g_autofree char *smallest = g_strdup_printf ("%.1f", points);
      text = g_strdup_printf (points < 5 ? _ ("%s × %s mm; the smallest type has %s pt, too small to read in print")
                                         : _ ("%s × %s mm; the smallest type has %s pt"),
                              width, height, smallest);
    }
  gtk_label_set_text (export->facts, text);
}

static void
redraw (Export *export)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&export->scene, tl_scene_free);
  export->scene = export->run != NULL
                      ? tl_figure_scene (export->run, &export->wish, &error)
                      : tl_desk_picture (export->desk, export->wish.picture.kind, export->wish.picture.theme);
  if (export->scene == NULL && error == NULL)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                                 _ ("There is no picture yet: the program has not run."));
  show_facts (export, error);
  gtk_widget_set_sensitive (export->save, export->scene != NULL);
  if (export->scene != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (export->preview), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    export->scene->description != NULL ? export->scene->description : "", -1);
  gtk_widget_queue_draw (export->preview);
}

/* PNG is measured in pixels, the others on paper. */
static void
show_width (Export *export)
{
  gboolean pixels = export->wish.format == TL_FIGURE_PNG;

  export->setting = TRUE;
  gtk_spin_button_set_range (export->width, pixels ? 100 : 20, pixels ? 8192 : 2000);
  gtk_spin_button_set_increments (export->width, pixels ? 10 : 1, pixels ? 100 : 10);
  gtk_spin_button_set_value (export->width, pixels ? export->wish.width_px : export->wish.width_mm);
  adw_action_row_set_subtitle (export->width_row,
                               pixels ? _ ("Pixels") : _ ("Millimetres: 84 is a column, 174 a page"));
  export->setting = FALSE;
}

static void
on_format (Export *export)
{
  export->wish.format = (TlFigureFormat) adw_combo_row_get_selected (export->format);
  show_width (export);
  redraw (export);
}

static void
on_view (Export *export)
{
  export->wish.picture.kind = export->kinds[MIN (adw_combo_row_get_selected (export->view), export->n_kinds - 1)];
  redraw (export);
}

static void
on_theme (Export *export)
{
  export->wish.picture.theme = (TlThemeKind) adw_combo_row_get_selected (export->theme);
  redraw (export);
}

static void
on_width (Export *export)
{
  double value = gtk_spin_button_get_value (export->width);
  g_autoptr (GError) error = NULL;

  if (export->setting)
    return;
  if (export->wish.format == TL_FIGURE_PNG)
    export->wish.width_px = (guint) lround (value);
  else
    export->wish.width_mm = value;
  if (export->scene != NULL)
    show_facts (export, NULL);
}

static void
on_saved_to (GtkNativeDialog *chooser, int response, Export *export)
{
  g_autofree char *path = tl_chooser_answer (&export->chooser, response);
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  g_autofree char *suffix = g_strdup_printf (".%s", tl_figure_suffix (export->wish.format));
  g_autofree char *full = g_str_has_suffix (path, suffix) ? g_strdup (path) : g_strconcat (path, suffix, NULL);
  const TlBuild   *build = export->run != NULL ? export->run->build : tl_live_build (tl_desk_live (export->desk));
  g_autoptr (GBytes) bytes = tl_figure_paint (export->scene, build, &export->wish, export->name, &error);
  g_autofree char *shown = g_filename_display_basename (full);
  if (strcmp (full, path) != 0 && g_file_test (full, G_FILE_TEST_EXISTS))
    {
      g_autofree char *words
          = g_strdup_printf (_ ("“%s” exists already; choose it by its full name to replace it."), shown);
      gtk_label_set_text (export->facts, words);
      return;
    }
  if (bytes == NULL || !tl_document_bytes_write (full, bytes, &error))
    {
      gtk_label_set_text (export->facts, error->message);
      return;
    }
  g_autofree char *text = g_strdup_printf (_ ("“%s” is written."), shown);
  /* A toast reads its text as markup, and file names hold anything. */
  g_autofree char *markup = g_markup_escape_text (text, -1);
  adw_toast_overlay_add_toast (export->toasts, adw_toast_new (markup));
  gtk_window_close (GTK_WINDOW (export->dialog));
}

static void
on_save (GtkButton *button, Export *export)
{
  g_autoptr (GtkFileChooserNative) chooser = gtk_file_chooser_native_new (
      _ ("Save the Figure"), GTK_WINDOW (export->dialog), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  const char      *name = export->name, *path = export->path;
  const char      *dot = strrchr (name, '.');
  g_autofree char *stem = dot != NULL && dot != name ? g_strndup (name, (gsize) (dot - name)) : g_strdup (name);
  g_autofree char *wanted = g_strdup_printf ("%s-%s.%s", stem, tl_view_name (export->wish.picture.kind),
                                             tl_figure_suffix (export->wish.format));

  if (path != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (path);
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
    }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), wanted);
  g_signal_connect (chooser, "response", G_CALLBACK (on_saved_to), export);
  tl_chooser_show (&export->chooser, chooser);
}

static void
export_free (gpointer data)
{
  Export *export = data;

  tl_chooser_end (&export->chooser);
  g_clear_pointer (&export->scene, tl_scene_free);
  g_clear_pointer (&export->run, tl_run_unref);
  g_object_unref (export->desk);
  g_object_unref (export->toasts);
  g_free (export->name);
  g_free (export->path);
  g_free (export->selection);
  g_free (export);
}

static AdwComboRow *
combo (GtkWidget *group, const char *title, const char *const *names, guint selected)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) model = gtk_string_list_new (names);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (model));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return ADW_COMBO_ROW (row);
}

static GtkWidget *
choices_new (Export *export)
{
  gboolean          of_program = tl_live_build (tl_desk_live (export->desk)) != NULL;
  const char *const formats[]
      = { of_program ? _ ("SVG, opens again in Tierloom") : _ ("SVG"), _ ("PDF"), _ ("PNG"), NULL };
  const char       *views[8] = { NULL };
  const char *const themes[] = { _ ("Light"), _ ("Dark"), _ ("Print: black, with textures"), NULL };
  GtkWidget        *group = adw_preferences_group_new ();
  GtkWidget        *row = adw_action_row_new ();
  guint             view = 0;

  for (guint i = 0; i < export->n_kinds; i++)
    {
      views[i] = kind_words (export, export->kinds[i]);
      if (export->kinds[i] == export->wish.picture.kind)
        view = i;
    }
  export->format = combo (group, _ ("Format"), formats, export->wish.format);
  export->view = combo (group, _ ("View"), views, view);
  export->theme = combo (group, _ ("Theme"), themes, export->wish.picture.theme);
  export->width = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (20, 2000, 1));
  export->width_row = ADW_ACTION_ROW (row);
  gtk_widget_set_valign (GTK_WIDGET (export->width), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (export->width), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Width"), -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Width"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), GTK_WIDGET (export->width));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  gtk_widget_set_size_request (group, 330, -1);
  return group;
}

static GtkWidget *
content_new (Export *export)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  export->preview = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (export->preview), draw, export, NULL);
  gtk_widget_set_hexpand (export->preview, TRUE);
  gtk_widget_set_vexpand (export->preview, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (export->preview), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Preview"), -1);
  export->facts = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_wrap (export->facts, TRUE);
  gtk_label_set_xalign (export->facts, 0);
  gtk_widget_add_css_class (GTK_WIDGET (export->facts), "dim-label");
  export->save = gtk_button_new_with_mnemonic (_ ("_Save…"));
  gtk_widget_add_css_class (export->save, "suggested-action");
  gtk_accessible_update_property (GTK_ACCESSIBLE (export->save), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Save the figure"),
                                  -1);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), export->save);
  gtk_box_append (GTK_BOX (left), choices_new (export));
  gtk_box_append (GTK_BOX (left), GTK_WIDGET (export->facts));
  gtk_box_append (GTK_BOX (columns), left);
  gtk_box_append (GTK_BOX (columns), export->preview);
  gtk_widget_set_margin_top (columns, 18);
  gtk_widget_set_margin_bottom (columns, 18);
  gtk_widget_set_margin_start (columns, 18);
  gtk_widget_set_margin_end (columns, 18);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), columns);
  return box;
}

void
tl_export_dialog_show (GtkWindow *parent, TlDesk *desk, const char *name, const char *path, TlViewKind kind,
                       AdwToastOverlay *toasts)
{
  TlRun *run = tl_live_run (tl_desk_live (desk));
  Export *export = g_new0 (Export, 1);

  tl_player_set_playing (tl_desk_player (desk), FALSE);
  export->desk = g_object_ref (desk);
  export->name = g_strdup (name);
  export->path = g_strdup (path);
  export->toasts = g_object_ref (toasts);
  export->run = run != NULL && tl_desk_replay (desk) == NULL ? tl_run_ref (run) : NULL;
  find_kinds (export);
  export->selection = g_strdup (tl_desk_selection (desk));
  export->wish = (TlFigureWish) {
    .picture = { .kind = kind,
                 .theme = TL_THEME_LIGHT,
                 .selection = export->selection,
                 .time = tl_player_time (tl_desk_player (desk)) },
    .width_mm = 174,
    .width_px = 1280,
  };
  tl_desk_window (desk, &export->wish.picture.from, &export->wish.picture.to);
  export->dialog = adw_window_new ();
  gtk_window_set_title (GTK_WINDOW (export->dialog), _ ("Export Figure"));
  gtk_window_set_transient_for (GTK_WINDOW (export->dialog), parent);
  gtk_window_set_modal (GTK_WINDOW (export->dialog), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (export->dialog), 980, 560);
  g_object_set_data_full (G_OBJECT (export->dialog), "tl-export", export, export_free);
  adw_window_set_content (ADW_WINDOW (export->dialog), content_new (export));
  show_width (export);
  redraw (export);
  g_signal_connect_swapped (export->format, "notify::selected", G_CALLBACK (on_format), export);
  g_signal_connect_swapped (export->view, "notify::selected", G_CALLBACK (on_view), export);
  g_signal_connect_swapped (export->theme, "notify::selected", G_CALLBACK (on_theme), export);
  g_signal_connect_swapped (export->width, "value-changed", G_CALLBACK (on_width), export);
  g_signal_connect (export->save, "clicked", G_CALLBACK (on_save), export);
  tl_close_on_escape (export->dialog);
  gtk_window_present (GTK_WINDOW (export->dialog));
}
