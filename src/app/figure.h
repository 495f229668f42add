/* A figure of what a window shows: the scene, and the bytes of a file. Needs no widget. */
#pragma once

#include "engine/run.h"
#include "scene/compose.h"
#include "scene/paint.h"

typedef enum
{
  TL_FIGURE_SVG,
  TL_FIGURE_PDF,
  TL_FIGURE_PNG,
} TlFigureFormat;

typedef struct
{
  TlFigureFormat format;
  TlPicture      picture;  /* kind, theme, moment, selection (borrowed) */
  double         width_mm; /* SVG, PDF: 20 to 2000 */
  guint          width_px; /* PNG: 100 to 8192 */
} TlFigureWish;

/* The picture in @wish of @run. NULL with @error in words. (transfer full) */
TlScene    *tl_figure_scene  (TlRun              *run,
                              const TlFigureWish *wish,
                              GError            **error);
/* The file of @scene: an SVG or PDF carries the program of @build (may be NULL), the view and the moment. (transfer full) */
GBytes     *tl_figure_paint  (TlScene            *scene,
                              const TlBuild      *build,
                              const TlFigureWish *wish,
                              const char         *name,
                              GError            **error);
/* The same of the picture in @wish of @run. */
GBytes     *tl_figure_bytes  (TlRun              *run,
                              const TlFigureWish *wish,
                              const char         *name,
                              GError            **error);
/* "svg", "pdf", "png" */
const char *tl_figure_suffix (TlFigureFormat      format);
