/* The register lens: a register layout from its text, in four notations, the View of its bits as other elements, and the
 * way of one element. A value made from texts, so that each key press makes a new one (models: research on layouts;
 * Tilus). */
#pragma once

#include "layout/element-type.h"
#include "layout/layout.h"
#include "place/chain.h"
#include "scene/scene.h"

typedef enum
{
  TL_NOTATION_KRONECKER, /* local(2,1).spatial(8,4) */
  TL_NOTATION_MODES,     /* register_layout([..],[..],[..],[..]) */
  TL_NOTATION_STRIDES,   /* ((4,8),(2)):((1,8),(4)) */
  TL_NOTATION_BASES,     /* t1=0.1 l1=1.0 */
  TL_N_NOTATIONS
} TlNotation;

/* A text of the lens and what became of it. */
typedef struct
{
  gboolean valid;
  char    *reason; /* why it is not; NULL */
  gsize    at;     /* byte of the expression that is wrong */
  TlLayout layout;
  TlElementType type;
} TlLensSide;

typedef struct
{
  TlLensSide from;
  gboolean   viewed;  /* a View is asked for; then: */
  TlLensSide to;
  gboolean   judged;  /* both sides are valid; then: */
  gboolean   free;    /* no bit moves */
  guint      condition; /* C1 to C3 that fails; 0 */
  char      *message;
  char      *notation[TL_N_NOTATIONS]; /* NULL: there is none, as */
  char      *why_not[TL_N_NOTATIONS];
} TlRegisterLens;

/* @view_type and @view_layout: NULL or "" for no View. (transfer full) */
TlRegisterLens *tl_register_lens_new   (const char           *layout,
                                        const char           *type,
                                        const char           *view_type,
                                        const char           *view_layout);
void            tl_register_lens_free  (TlRegisterLens       *lens);
const char     *tl_notation_name       (TlNotation            notation); /* "Kronecker" */
/* Slices of a layout of more than two dimensions: all but the last two, row-major; 1 for others. */
guint64         tl_register_lens_slices (const TlRegisterLens *lens);
/* What has to move where the View is not free, a line each, at most @most and then how many more; empty when it
 * is free or nothing can be said. (transfer full) char * */
GPtrArray      *tl_register_lens_moves (const TlRegisterLens *lens,
                                        guint                 most);

/* What of the lens is shown. */
typedef struct
{
  gint64              element;    /* traced, row-major; -1: none */
  guint64             slice;
  guint               thread;     /* of the ruler, when no element is traced */
  gboolean            notations;  /* draw them too */
  /* Down to DRAM, for a tile of a placed operand; NULL: to the bytes of the image. */
  const TlChain      *chain;
  const TlAddressMap *map;
  const char         *operand;    /* its name */
} TlRegisterMoment;

/* "element 3,1", "thread 5, local 1", ... the traced element's way, a line each; empty without one.
 * (transfer full) char * */
GPtrArray      *tl_register_lens_trace (const TlRegisterLens   *lens,
                                        const TlRegisterMoment *moment);
/* Tile on the left, registers in the middle, View and way on the right; at least 900 x 420. */
void            tl_view_register       (TlScene                *scene,
                                        TlBox                   box,
                                        const TlRegisterLens   *lens,
                                        const TlRegisterMoment *moment);
/* The element under a point of either grid of that picture, -1 for none. */
gint64          tl_view_register_at    (TlBox                   box,
                                        const TlRegisterLens   *lens,
                                        const TlRegisterMoment *moment,
                                        float                   x,
                                        float                   y);
/* "3,1" (transfer full) */
char           *tl_register_lens_coordinates (const TlRegisterLens *lens,
                                              guint64               element);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRegisterLens, tl_register_lens_free)
