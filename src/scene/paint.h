/* The painters that need no toolkit: cairo for PNG, PDF and print, and an SVG writer
 * of our own with real text, ids, titles, patterns, millimetres and the same bytes
 * every time. */
#pragma once

#include "scene/scene.h"

#include <cairo.h>
#include <gio/gio.h>
#include <pango/pangocairo.h>

/* Draws @scene at scale 1 in user space; colours, patterns and fonts included. */
void     tl_paint_cairo (const TlScene *scene,
                         cairo_t       *cr);

/* One primitive, or all of one layer; clips are kept. */
void     tl_paint_primitive  (const TlScene     *scene,
                              const TlPrimitive *primitive,
                              cairo_t           *cr);
void     tl_paint_layer      (const TlScene     *scene,
                              TlLayer            layer,
                              cairo_t           *cr);
/* Fonts as the painter sets them: a layout that @cr shows draws the same letters.
 * Returns: (transfer full) */
PangoLayout *tl_paint_layout (const TlText      *text,
                              PangoContext      *context);
/* Sets the font options the painter draws with. */
void     tl_paint_context    (PangoContext      *context);

/* What a figure carries besides its picture, so that it opens again. */
typedef struct
{
  double      width_mm;  /* true size; 0: 25.4/96 mm a px */
  const char *program;   /* program text, or NULL */
  const char *name;      /* its file name */
  const char *state;     /* view and moment, "key=value;..." or NULL */
  const char *version;
  gint        inset;     /* px of background round the picture */
} TlFigure;

/* Bytes of a figure. @figure may be NULL. @scale of PNG: device px a px.
 * Returns: (transfer full), NULL with @error. */
GBytes  *tl_paint_svg   (const TlScene   *scene,
                         const TlFigure  *figure,
                         GError         **error);
GBytes  *tl_paint_png   (const TlScene   *scene,
                         double           scale,
                         GError         **error);
GBytes  *tl_paint_pdf   (const TlScene   *scene,
                         const TlFigure  *figure,
                         GError         **error);

/* The program and state inside an SVG made by tl_paint_svg. FALSE with @error when it
 * is no such figure. All (transfer full). */
gboolean tl_figure_read (const char      *svg,
                         gsize            length,
                         char           **program,
                         char           **name,
                         char           **state,
                         GError         **error);
