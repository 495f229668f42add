/* The cairo painter: PNG, PDF, print, and whatever the window caches. Text by
 * pango, so that every output chooses the same fonts. */
#include "scene/paint.h"

#include <cairo-pdf.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define SANS         "Cantarell, DejaVu Sans, sans-serif"
#define MONO         "DejaVu Sans Mono, monospace"
#define TEXTURE_SIZE 6.0

static void
set_color (cairo_t *cr, TlColor color)
{
  cairo_set_source_rgba (cr, (color >> 24 & 0xff) / 255.0, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0);
}

static void
set_dash (cairo_t *cr, guint8 dash)
{
  static const double patterns[][2] = { { 0, 0 }, { 4, 2 }, { 2, 2 }, { 1, 2 } };

  if (dash == TL_DASH_NONE)
    cairo_set_dash (cr, NULL, 0, 0);
  else
    cairo_set_dash (cr, patterns[dash], 2, 0);
}

static void
rounded_rectangle (cairo_t *cr, const TlBox *box, double radius)
{
  radius = MIN (radius, MIN (box->width, box->height) / 2);
  if (radius <= 0)
    {
      cairo_rectangle (cr, box->x, box->y, box->width, box->height);
      return;
    }
  double right = box->x + box->width, bottom = box->y + box->height;
  cairo_new_sub_path (cr);
  cairo_arc (cr, right - radius, box->y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, right - radius, bottom - radius, radius, 0, G_PI_2);
  cairo_arc (cr, box->x + radius, bottom - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, box->x + radius, box->y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/* One tile of a texture, drawn in the texture's own px. */
static void
draw_texture_tile (cairo_t *cr, TlTexture texture, TlColor color)
{
  const double s = TEXTURE_SIZE;

  set_color (cr, color);
  cairo_set_line_width (cr, 1);
  switch (texture)
    {
    case TL_TEXTURE_CROSS:
      cairo_move_to (cr, -1, -1);
      cairo_line_to (cr, s + 1, s + 1);
      G_GNUC_FALLTHROUGH;
    case TL_TEXTURE_DIAGONAL:
      cairo_move_to (cr, -1, s + 1);
      cairo_line_to (cr, s + 1, -1);
      cairo_move_to (cr, -1, 1);
      cairo_line_to (cr, 1, -1);
      cairo_move_to (cr, s - 1, s + 1);
      cairo_line_to (cr, s + 1, s - 1);
      break;
    case TL_TEXTURE_DOTS:
      cairo_arc (cr, s / 4, s / 4, 0.8, 0, 2 * G_PI);
      cairo_new_sub_path (cr);
      cairo_arc (cr, s * 3 / 4, s * 3 / 4, 0.8, 0, 2 * G_PI);
      cairo_fill (cr);
      return;
    case TL_TEXTURE_HORIZONTAL:
      cairo_move_to (cr, 0, 1.5);
      cairo_line_to (cr, s, 1.5);
      cairo_move_to (cr, 0, 4.5);
      cairo_line_to (cr, s, 4.5);
      break;
    case TL_TEXTURE_VERTICAL:
      cairo_move_to (cr, 1.5, 0);
      cairo_line_to (cr, 1.5, s);
      cairo_move_to (cr, 4.5, 0);
      cairo_line_to (cr, 4.5, s);
      break;
    case TL_TEXTURE_BRICK:
      cairo_move_to (cr, 0, 1.5);
      cairo_line_to (cr, s, 1.5);
      cairo_move_to (cr, 0, 4.5);
      cairo_line_to (cr, s, 4.5);
      cairo_move_to (cr, 1.5, 1.5);
      cairo_line_to (cr, 1.5, 4.5);
      cairo_move_to (cr, 4.5, 4.5);
      cairo_line_to (cr, 4.5, s + 1.5);
      cairo_move_to (cr, 4.5, 0);
      cairo_line_to (cr, 4.5, 1.5);
      break;
    default:
      return;
    }
  cairo_stroke (cr);
}

/* Fills the current path, which is kept, with the texture. */
static void
fill_texture (cairo_t *cr, const TlStyle *style)
{
  if (style->texture == TL_TEXTURE_NONE)
    return;
  if (style->texture == TL_TEXTURE_SOLID)
    {
      set_color (cr, style->texture_color);
      cairo_fill_preserve (cr);
      return;
    }
  cairo_rectangle_t extents = { 0, 0, TEXTURE_SIZE, TEXTURE_SIZE };
  cairo_surface_t  *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);
  cairo_t          *tile = cairo_create (surface);

  draw_texture_tile (tile, style->texture, style->texture_color);
  cairo_destroy (tile);
  cairo_pattern_t *pattern = cairo_pattern_create_for_surface (surface);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  cairo_pattern_destroy (pattern);
  cairo_surface_destroy (surface);
}

static void
paint_path (cairo_t *cr, const TlStyle *style)
{
  if (style->fill & 0xff)
    {
      set_color (cr, style->fill);
      cairo_fill_preserve (cr);
    }
  fill_texture (cr, style);
  if ((style->stroke & 0xff) && style->width > 0)
    {
      set_color (cr, style->stroke);
      cairo_set_line_width (cr, style->width);
      cairo_set_line_cap (cr, style->round_cap ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
      cairo_set_line_join (cr, style->round_cap ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
      set_dash (cr, style->dash);
      cairo_stroke_preserve (cr);
    }
  cairo_new_path (cr);
}

static void
paint_rects (const TlScene *scene, const TlPrimitive *primitive, cairo_t *cr)
{
  const TlStyle *style = &primitive->style;
  gboolean       crisp = style->radius == 0 && !(style->stroke & 0xff) && primitive->rects.count > 32;

  cairo_set_antialias (cr, crisp ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
  for (guint i = 0; i < primitive->rects.count; i++)
    rounded_rectangle (cr, &g_array_index (scene->boxes, TlBox, primitive->rects.first + i), style->radius);
  paint_path (cr, style);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
trace_path (const TlScene *scene, const TlPrimitive *primitive, cairo_t *cr)
{
  for (guint i = 0; i < primitive->path.count; i++)
    {
      const TlPathStep *step = &g_array_index (scene->steps, TlPathStep, primitive->path.first + i);
      switch (step->op)
        {
        case 'M':
          cairo_move_to (cr, step->x[0], step->x[1]);
          break;
        case 'L':
          cairo_line_to (cr, step->x[0], step->x[1]);
          break;
        case 'C':
          cairo_curve_to (cr, step->x[0], step->x[1], step->x[2], step->x[3], step->x[4], step->x[5]);
          break;
        default:
          cairo_close_path (cr);
          break;
        }
    }
}

static void
set_font (PangoLayout *layout, const TlText *text)
{
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_family_static (font, text->mono ? MONO : SANS);
  pango_font_description_set_absolute_size (font, text->size * PANGO_SCALE);
  pango_font_description_set_weight (font, text->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_style (font, text->italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_text (layout, text->text, -1);
}

PangoLayout *
tl_paint_layout (const TlText *text, PangoContext *context)
{
  PangoLayout *layout = pango_layout_new (context);

  set_font (layout, text);
  return layout;
}

static void
paint_text (const TlText *text, PangoLayout *layout, cairo_t *cr)
{
  int width;

  set_font (layout, text);
  pango_layout_get_size (layout, &width, NULL);
  double x = text->x
             - (text->anchor == TL_ANCHOR_START ? 0
                : text->anchor == TL_ANCHOR_END ? 1
                                                : 0.5)
                   * width / PANGO_SCALE;
  set_color (cr, text->color);
  cairo_move_to (cr, x, text->y - pango_layout_get_baseline (layout) / (double) PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

static guint32
premultiplied (TlColor color)
{
  guint32 alpha = color & 0xff;
  guint32 red = (color >> 24 & 0xff) * alpha / 255, green = (color >> 16 & 0xff) * alpha / 255;
  guint32 blue = (color >> 8 & 0xff) * alpha / 255;

  return alpha << 24 | red << 16 | green << 8 | blue;
}

static void
paint_grid (const TlScene *scene, const TlPrimitive *primitive, cairo_t *cr)
{
  guint32          columns = primitive->grid.columns, rows = primitive->grid.rows;
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) columns, (int) rows);
  int              stride = cairo_image_surface_get_stride (image);
  guint8          *pixels = cairo_image_surface_get_data (image);
  const guint8    *cells = scene->cells->data + primitive->grid.first;

  cairo_surface_flush (image);
  for (guint32 y = 0; y < rows; y++)
    for (guint32 x = 0; x < columns; x++)
      {
        guint8 cell = cells[y * columns + x];
        ((guint32 *) (pixels + (gsize) y * stride))[x]
            = cell < primitive->grid.n_colors
                  ? premultiplied (g_array_index (scene->colors, TlColor, primitive->grid.colors_first + cell))
                  : 0;
      }
  cairo_surface_mark_dirty (image);
  cairo_save (cr);
  cairo_translate (cr, primitive->grid.box.x, primitive->grid.box.y);
  cairo_scale (cr, primitive->grid.box.width / columns, primitive->grid.box.height / rows);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, columns, rows);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

void
tl_paint_context (PangoContext *context)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  /* Metrics that do not hang on the resolution keep pictures alike at every scale. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
}

static void
paint_primitive (const TlScene *scene, const TlPrimitive *primitive, PangoLayout *layout, cairo_t *cr)
{
  switch (primitive->kind)
    {
    case TL_PRIMITIVE_RECTS:
      paint_rects (scene, primitive, cr);
      break;
    case TL_PRIMITIVE_PATH:
      trace_path (scene, primitive, cr);
      paint_path (cr, &primitive->style);
      break;
    case TL_PRIMITIVE_TEXT:
      paint_text (&primitive->text, layout, cr);
      break;
    case TL_PRIMITIVE_GRID:
      paint_grid (scene, primitive, cr);
      break;
    case TL_PRIMITIVE_CLIP_BEGIN:
      cairo_save (cr);
      cairo_rectangle (cr, primitive->clip.x, primitive->clip.y, primitive->clip.width, primitive->clip.height);
      cairo_clip (cr);
      break;
    case TL_PRIMITIVE_CLIP_END:
      cairo_restore (cr);
      break;
    case TL_PRIMITIVE_GROUP_BEGIN:
    case TL_PRIMITIVE_GROUP_END:
      break;
    }
}

static PangoLayout *
painting_layout (cairo_t *cr)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);

  tl_paint_context (pango_layout_get_context (layout));
  return layout;
}

void
tl_paint_primitive (const TlScene *scene, const TlPrimitive *primitive, cairo_t *cr)
{
  g_autoptr (PangoLayout) layout = primitive->kind == TL_PRIMITIVE_TEXT ? painting_layout (cr) : NULL;

  paint_primitive (scene, primitive, layout, cr);
}

static void
paint_layers (const TlScene *scene, gboolean all, TlLayer layer, cairo_t *cr)
{
  g_autoptr (PangoLayout) layout = painting_layout (cr);

  cairo_save (cr);
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      gboolean           clip = primitive->kind == TL_PRIMITIVE_CLIP_BEGIN || primitive->kind == TL_PRIMITIVE_CLIP_END;
      if (all || clip || primitive->layer == layer)
        paint_primitive (scene, primitive, layout, cr);
    }
  cairo_restore (cr);
}

void
tl_paint_layer (const TlScene *scene, TlLayer layer, cairo_t *cr)
{
  paint_layers (scene, FALSE, layer, cr);
}

void
tl_paint_cairo (const TlScene *scene, cairo_t *cr)
{
  paint_layers (scene, TRUE, TL_LAYER_MOVING, cr);
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static GBytes *
finish_bytes (GByteArray *bytes, cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "drawing failed: %s", cairo_status_to_string (status));
  return NULL;
}

static cairo_status_t
paint_page (cairo_surface_t *surface, const TlScene *scene, double scale)
{
  cairo_t *cr = cairo_create (surface);

  set_color (cr, tl_theme_color (scene->theme, TL_ROLE_VIEW));
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  tl_paint_cairo (scene, cr);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

GBytes *
tl_paint_png (const TlScene *scene, double scale, GError **error)
{
  int              width = (int) ceil (scene->width * scale), height = (int) ceil (scene->height * scale);
  GByteArray      *bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, MAX (width, 1), MAX (height, 1));
  cairo_status_t   status = paint_page (surface, scene, scale);

  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, bytes);
  cairo_surface_destroy (surface);
  return finish_bytes (bytes, status, error);
}

GBytes *
tl_paint_pdf (const TlScene *scene, const TlFigure *figure, GError **error)
{
  double           mm = figure != NULL && figure->width_mm > 0 ? figure->width_mm : scene->width * 25.4 / 96.0;
  double           scale = mm / 25.4 * 72.0 / scene->width;
  GByteArray      *bytes = g_byte_array_new ();
  cairo_surface_t *surface
      = cairo_pdf_surface_create_for_stream (append_bytes, bytes, scene->width * scale, scene->height * scale);

  /* A fixed date: the same picture is the same file. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "2026-01-01T00:00:00Z");
  if (scene->title != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, scene->title);
  if (scene->description != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, scene->description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Tierloom");
  cairo_status_t status = paint_page (surface, scene, scale);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return finish_bytes (bytes, status, error);
}
