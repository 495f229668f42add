/* What to draw: a flat list of primitives in z-order, made by pure code and handed
 * to one of three painters. Lengths in px at 100 %, y downwards. Primitives stand
 * in groups; a group has an id (stable name of the thing), a role for accessible
 * readers, a tooltip and hit areas. */
#pragma once

#include "scene/theme.h"

typedef enum
{
  TL_PRIMITIVE_RECTS, /* rectangles of one style: equal neighbours merged by the builder */
  TL_PRIMITIVE_PATH,
  TL_PRIMITIVE_TEXT,
  TL_PRIMITIVE_GRID,  /* cells of palette colours, drawn without smoothing */
  TL_PRIMITIVE_GROUP_BEGIN,
  TL_PRIMITIVE_GROUP_END,
  TL_PRIMITIVE_CLIP_BEGIN, /* to a rectangle */
  TL_PRIMITIVE_CLIP_END,
} TlPrimitiveKind;

typedef struct
{
  float x, y, width, height;
} TlBox;

typedef enum { TL_DASH_NONE, TL_DASH_4_2, TL_DASH_2_2, TL_DASH_DOTS } TlDash;

/* Alpha 0 means no fill or no stroke. */
typedef struct
{
  TlColor fill;
  TlColor stroke;
  float   width;     /* of the stroke */
  float   radius;    /* of rectangle corners */
  guint8  dash;      /* TlDash */
  guint8  texture;   /* TlTexture drawn over the fill in the colour texture_color */
  guint8  round_cap; /* line ends and joins */
  TlColor texture_color;
} TlStyle;

typedef enum { TL_ANCHOR_START, TL_ANCHOR_MIDDLE, TL_ANCHOR_END } TlAnchor;

typedef struct
{
  float       x, y;  /* of the anchor, on the baseline */
  float       size;  /* px */
  guint8      anchor;
  guint8      bold;
  guint8      mono;
  guint8      italic;
  TlColor     color;
  const char *text;  /* UTF-8, in the scene's strings */
} TlText;

/* One step of a path: M and L take x y, C takes three pairs, Z none. */
typedef struct
{
  char  op;
  float x[6];
} TlPathStep;

typedef struct
{
  const char *id;      /* "bank-T0-P12-B3": unique in the scene, letters, digits, hyphens */
  const char *role;    /* "bank", "pu", "tile", "lane", ... */
  const char *title;   /* one line for tooltip, <title> and accessible name; may be NULL */
  guint64     data;    /* whatever the maker wants to find again */
} TlGroup;

/* What seldom changes lies under what moves: painters that keep what they drew may
 * draw the whole static layer first. */
typedef enum { TL_LAYER_MOVING, TL_LAYER_STATIC } TlLayer;

typedef struct
{
  TlPrimitiveKind kind;
  guint8          layer; /* TlLayer */
  TlStyle         style;
  union
  {
    struct { guint32 first, count; } rects; /* in boxes */
    struct { guint32 first, count; } path;  /* in steps */
    TlText  text;
    struct { TlBox box; guint32 columns, rows, first; guint16 colors_first, n_colors; } grid; /* cells at first */
    guint32 group;
    TlBox   clip;
  };
} TlPrimitive;

/* A rectangle or a quadrilateral that belongs to a group. */
typedef struct
{
  guint32  group;
  gboolean quad;
  TlBox    box;      /* bounds */
  float    corner[8];
} TlHit;

typedef struct
{
  float         width, height;
  TlThemeKind   theme;
  char         *title;       /* of the whole picture */
  char         *description; /* one or two sentences for those who cannot see it */
  GArray       *primitives;  /* of TlPrimitive */
  GArray       *boxes;       /* of TlBox */
  GArray       *steps;       /* of TlPathStep */
  GArray       *groups;      /* of TlGroup */
  GArray       *hits;        /* of TlHit, later ones on top */
  GByteArray   *cells;       /* palette indices of grids */
  GArray       *colors;      /* palettes of grids, of TlColor */
  GStringChunk *strings;
  GArray       *open;        /* private: groups begun */
  TlLayer       layer;       /* of what is added next */
} TlScene;

/* Returns: (transfer full) */
TlScene   *tl_scene_new         (float        width,
                                 float        height,
                                 TlThemeKind  theme);
void       tl_scene_free        (TlScene     *scene);
void       tl_scene_describe    (TlScene     *scene,
                                 const char  *title,
                                 const char  *description);

/* Returns the group's index. */
guint32    tl_scene_begin       (TlScene     *scene,
                                 const char  *role,
                                 const char  *title,
                                 guint64      data,
                                 const char  *id_format,
                                 ...) G_GNUC_PRINTF (5, 6);
void       tl_scene_end         (TlScene     *scene);
void       tl_scene_clip        (TlScene     *scene,
                                 TlBox        box);
void       tl_scene_unclip      (TlScene     *scene);

/* What is added from here on belongs to @layer; MOVING at first. Static things must not
 * lie over moving ones. Returns the layer before. */
TlLayer    tl_scene_layer       (TlScene     *scene,
                                 TlLayer      layer);

void       tl_scene_rect        (TlScene     *scene,
                                 TlBox        box,
                                 TlStyle      style);
/* Several of one style; one path in SVG. */
void       tl_scene_rects       (TlScene     *scene,
                                 const TlBox *boxes,
                                 guint        n_boxes,
                                 TlStyle      style);
/* "M x y L x y C ... Z" as steps. */
void       tl_scene_path        (TlScene          *scene,
                                 const TlPathStep *steps,
                                 guint             n_steps,
                                 TlStyle           style);
void       tl_scene_line        (TlScene     *scene,
                                 float        x1,
                                 float        y1,
                                 float        x2,
                                 float        y2,
                                 TlStyle      style);
/* Closed when @closed. @xy: n pairs. */
void       tl_scene_polygon     (TlScene     *scene,
                                 const float *xy,
                                 guint        n,
                                 gboolean     closed,
                                 TlStyle      style);
void       tl_scene_ellipse     (TlScene     *scene,
                                 float        cx,
                                 float        cy,
                                 float        rx,
                                 float        ry,
                                 TlStyle      style);
void       tl_scene_text        (TlScene     *scene,
                                 const TlText *text);
/* The usual case: regular sans. */
void       tl_scene_label       (TlScene     *scene,
                                 float        x,
                                 float        y,
                                 TlAnchor     anchor,
                                 float        size,
                                 gboolean     bold,
                                 TlColor      color,
                                 const char  *format,
                                 ...) G_GNUC_PRINTF (8, 9);
/* @cells: rows * columns palette indices, row by row. */
void       tl_scene_grid        (TlScene       *scene,
                                 TlBox          box,
                                 guint32        columns,
                                 guint32        rows,
                                 const guint8  *cells,
                                 const TlColor *colors,
                                 guint          n_colors);
/* Hit areas of the group that is open. */
void       tl_scene_hit         (TlScene     *scene,
                                 TlBox        box);
void       tl_scene_hit_quad    (TlScene     *scene,
                                 const float  corner[8]);

/* An estimate of a text's width that does not depend on any font. */
float      tl_scene_text_width  (const char  *text,
                                 float        size,
                                 gboolean     bold,
                                 gboolean     mono);
/* How many bytes of @text go on one line of @width: up to a comma or a blank, all when it fits. */
gsize       tl_scene_text_break (const char  *text,
                                 float        size,
                                 float        width);

/* Topmost group under the point, NULL when there is none. */
const TlGroup *tl_scene_pick    (const TlScene *scene,
                                 float          x,
                                 float          y);
/* Group by id; @box (may be NULL) becomes the bounds of its hits. */
const TlGroup *tl_scene_find    (const TlScene *scene,
                                 const char    *id,
                                 TlBox         *box);
/* All groups with hits, in reading order (rows of 8 px, then x): what the keyboard
 * walks and the table twin lists. GArray of guint32, (transfer full). */
GArray        *tl_scene_items   (const TlScene *scene);
/* Where a drawn primitive leaves colour, stroke included; text by the estimate. */
TlBox          tl_scene_bounds  (const TlScene     *scene,
                                 const TlPrimitive *primitive);
/* Equal for primitives that look alike, whichever scenes they are of. */
guint64        tl_scene_hash    (const TlScene     *scene,
                                 const TlPrimitive *primitive);
/* A canonical text of everything, for tests. (transfer full) */
char          *tl_scene_dump    (const TlScene *scene);

static inline TlBox
tl_box (float x, float y, float width, float height)
{
  return (TlBox) { x, y, width, height };
}

static inline TlStyle
tl_fill (TlColor color)
{
  return (TlStyle) { .fill = color };
}

static inline TlStyle
tl_stroke (TlColor color, float width)
{
  return (TlStyle) { .stroke = color, .width = width };
}

static inline TlStyle
tl_fill_stroke (TlColor fill, TlColor stroke, float width)
{
  return (TlStyle) { .fill = fill, .stroke = stroke, .width = width };
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlScene, tl_scene_free)
