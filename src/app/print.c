/* Page one holds the picture in the print theme, the pages after it the program's text. */
#include "app/print.h"

#include "app/figure.h"

#include <glib/gi18n.h>

typedef struct
{
  TlWindow    *window;
  TlScene     *scene;
  char        *title;
  PangoLayout *text;
  GArray      *breaks; /* first line of each page of text, of int; ends with the number of lines */
} Job;

static void
on_begin (GtkPrintOperation *operation, GtkPrintContext *context, Job *job)
{
  double                height = gtk_print_context_get_height (context), used = 0;
  g_autofree char      *text = tl_document_text (tl_window_document (job->window));
  PangoFontDescription *font = pango_font_description_from_string ("Monospace 9");

  job->text = gtk_print_context_create_pango_layout (context);
  pango_layout_set_font_description (job->text, font);
  pango_layout_set_width (job->text, (int) (gtk_print_context_get_width (context) * PANGO_SCALE));
  pango_layout_set_wrap (job->text, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_text (job->text, text, -1);
  pango_font_description_free (font);
  int lines = pango_layout_get_line_count (job->text);
  for (int line = 0; line < lines; line++)
    {
      PangoRectangle extents;
      pango_layout_line_get_extents (pango_layout_get_line_readonly (job->text, line), NULL, &extents);
      double tall = extents.height / (double) PANGO_SCALE;
      if (line == 0 || used + tall > height)
        {
          g_array_append_val (job->breaks, line);
          used = 0;
        }
      used += tall;
    }
  gtk_print_operation_set_n_pages (operation, 1 + (int) job->breaks->len);
  g_array_append_val (job->breaks, lines);
}

static void
draw_picture (GtkPrintContext *context, const Job *job)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  double   width = gtk_print_context_get_width (context), height = gtk_print_context_get_height (context);
  g_autoptr (PangoLayout) title = gtk_print_context_create_pango_layout (context);
  int title_height;

  pango_layout_set_text (title, job->title, -1);
  pango_layout_set_width (title, (int) (width * PANGO_SCALE));
  pango_layout_get_pixel_size (title, NULL, &title_height);
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_layout (cr, title);
  double scale = MIN (width / job->scene->width, (height - title_height - 12) / job->scene->height);
  cairo_translate (cr, 0, title_height + 12);
  cairo_scale (cr, scale, scale);
  tl_paint_cairo (job->scene, cr);
}

static void
on_draw (GtkPrintOperation *operation, GtkPrintContext *context, int page, Job *job)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  double   y = 0;

  if (page == 0)
    {
      draw_picture (context, job);
      return;
    }
  if ((guint) page >= job->breaks->len)
    return;
  for (int line = g_array_index (job->breaks, int, page - 1); line < g_array_index (job->breaks, int, page); line++)
    {
      PangoLayoutLine *shown = pango_layout_get_line_readonly (job->text, line);
      PangoRectangle   extents;
      pango_layout_line_get_extents (shown, NULL, &extents);
      cairo_move_to (cr, 0, y - extents.y / (double) PANGO_SCALE);
      pango_cairo_show_layout_line (cr, shown);
      y += extents.height / (double) PANGO_SCALE;
    }
}

static void
job_free (Job *job)
{
  tl_scene_free (job->scene);
  g_free (job->title);
  g_clear_object (&job->text);
  g_array_free (job->breaks, TRUE);
  g_object_unref (job->window);
  g_free (job);
}

static void
on_done (GtkPrintOperation *operation, GtkPrintOperationResult result, Job *job)
{
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    {
      gtk_print_operation_get_error (operation, &error);
      tl_window_toast (job->window, _ ("Printing failed: %s"), error != NULL ? error->message : _ ("no reason given"));
    }
  job_free (job);
}

void
tl_print (TlWindow *window)
{
  TlDesk      *desk = tl_window_desk (window);
  TlFigureWish wish = {
    .picture = { .kind = TL_VIEW_WINDOW,
                 .theme = TL_THEME_PRINT,
                 .selection = tl_desk_selection (desk),
                 .time = tl_player_time (tl_desk_player (desk)) },
  };
  g_autoptr (GError) error = NULL;

  tl_player_set_playing (tl_desk_player (desk), FALSE);
  tl_desk_window (desk, &wish.picture.from, &wish.picture.to);
  TlRun   *run = tl_live_run (tl_desk_live (desk));
  TlScene *scene = run == NULL ? tl_desk_picture (desk, TL_VIEW_WINDOW, TL_THEME_PRINT) : NULL;
  if (scene == NULL)
    scene = tl_figure_scene (run, &wish, &error);
  if (scene == NULL)
    {
      tl_window_toast (window, "%s", error->message);
      return;
    }
  Job *job = g_new0 (Job, 1);
  g_autoptr (GtkPrintOperation) operation = gtk_print_operation_new ();
  job->window = g_object_ref (window);
  job->scene = scene;
  job->title = g_strdup_printf ("%s — %s", tl_document_name (tl_window_document (window)),
                                scene->title != NULL ? scene->title : "Tierloom");
  job->breaks = g_array_new (FALSE, FALSE, sizeof (int));
  gtk_print_operation_set_job_name (operation, tl_document_name (tl_window_document (window)));
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_signal_connect (operation, "begin-print", G_CALLBACK (on_begin), job);
  g_signal_connect (operation, "draw-page", G_CALLBACK (on_draw), job);
  g_signal_connect (operation, "done", G_CALLBACK (on_done), job);
  if (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (window), &error)
          == GTK_PRINT_OPERATION_RESULT_ERROR
      && error != NULL)
    tl_window_toast (window, _ ("Printing failed: %s"), error->message);
}
