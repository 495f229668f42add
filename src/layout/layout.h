/* Register layouts: which thread holds which element of a tile, and as which of its
 * locals. One form for all of them (unified modes): every dimension is split into
 * factors (modes), and each mode is a digit of the thread number or of the local
 * number. Digits are row-major everywhere: the last of a list is fastest. Sizes need
 * not be powers of two. Tilus, section on the layout system. */
#pragma once

#include <glib.h>

enum
{
  TL_LAYOUT_MAX_DIMS = 8,
  TL_LAYOUT_MAX_MODES = 32,   /* in the canonical form */
  TL_LAYOUT_MAX_SPATIAL = 48, /* modes and replications of the spatial list */
  TL_LAYOUT_MAX_SIZE = 1 << 20, /* threads, and locals */
};

/* A value type, always valid and canonical when it comes from a function below:
 * no mode or replication of size 1, and no two neighbours that could be one. Arrays
 * have room for what an operation writes before it is made canonical. */
typedef struct
{
  guint  n_dims;
  guint  n_modes;
  guint  n_spatial;
  guint  n_local;
  gint32 shape[TL_LAYOUT_MAX_DIMS];
  gint32 modes[2 * TL_LAYOUT_MAX_MODES];     /* dimension by dimension, outer factor first */
  guint8 dim[2 * TL_LAYOUT_MAX_MODES];       /* of each mode */
  gint32 spatial[2 * TL_LAYOUT_MAX_SPATIAL]; /* mode numbers; -n replicates over n threads */
  gint32 local[2 * TL_LAYOUT_MAX_MODES];     /* mode numbers */
} TlLayout;

/* Every function that can refuse returns FALSE and says why in *reason (transfer
 * full, may be NULL), in words; the result is then unset. Results may alias operands. */

/* --- layout.c: building --- */

/* The literal: modes of a dimension multiply to it; every mode is named exactly once,
 * in @spatial or in @local. */
gboolean tl_layout_init           (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   const gint64 *modes,
                                   guint         n_modes,
                                   const gint64 *spatial,
                                   guint         n_spatial,
                                   const gint64 *local,
                                   guint         n_local,
                                   char        **reason);
/* One mode a dimension, all local or all spatial. @ranks (or NULL: 0, 1, ..): the
 * dimension of rank r is the r-th slowest; columns are the reverse. */
gboolean tl_layout_local          (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   const gint64 *ranks,
                                   char        **reason);
gboolean tl_layout_spatial        (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   const gint64 *ranks,
                                   char        **reason);
gboolean tl_layout_column_local   (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   char        **reason);
gboolean tl_layout_column_spatial (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   char        **reason);
/* Every one of @n_threads threads holds the whole tile. */
gboolean tl_layout_replicated     (TlLayout     *layout,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   gint64        n_threads,
                                   char        **reason);
/* From the last dimension on as many threads as divide it; the rest local; threads
 * left over replicate. */
gboolean tl_layout_auto           (TlLayout     *layout,
                                   gint64        n_threads,
                                   const gint64 *shape,
                                   guint         n_dims,
                                   char        **reason);
/* Checks and makes canonical what was written field by field (dim[] included).
 * Idempotent. */
gboolean tl_layout_canonicalize   (TlLayout     *layout,
                                   char        **reason);
/* Of canonical layouts: the same map. */
gboolean tl_layout_equal          (const TlLayout *a,
                                   const TlLayout *b);

/* --- layout-algebra.c, layout-divide.c, layout-dims.c: operations --- */

/* A * B, also written A.f(..): A outside, B inside. The shorter rank is padded with
 * leading ones. Associative, not commutative. */
gboolean tl_layout_compose        (TlLayout       *product,
                                   const TlLayout *a,
                                   const TlLayout *b,
                                   char          **reason);
/* The X with layout = X * right. */
gboolean tl_layout_divide         (TlLayout       *quotient,
                                   const TlLayout *layout,
                                   const TlLayout *right,
                                   char          **reason);
/* The X with layout = left * X. */
gboolean tl_layout_left_divide    (TlLayout       *quotient,
                                   const TlLayout *layout,
                                   const TlLayout *left,
                                   char          **reason);
/* Threads along @dims come to hold the same element, locals along them merge. */
gboolean tl_layout_reduce         (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *dims,
                                   guint           n,
                                   gboolean        keep_dims,
                                   char          **reason);
/* Reduces leading extra dimensions away and those that are 1 in @shape to 1. */
gboolean tl_layout_reduce_to      (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *shape,
                                   guint           n_dims,
                                   char          **reason);
/* Dimension i of the result is dimension dims[i]. */
gboolean tl_layout_permute        (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *dims,
                                   guint           n,
                                   char          **reason);
/* The same row-major order of elements in another shape. Refused where a new
 * dimension would cut a mode unevenly. */
gboolean tl_layout_reshape        (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *shape,
                                   guint           n_dims,
                                   char          **reason);
/* Takes dimensions of size 1 away; puts them in, @dims being places of the result. */
gboolean tl_layout_squeeze        (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *dims,
                                   guint           n,
                                   char          **reason);
gboolean tl_layout_unsqueeze      (TlLayout       *result,
                                   const TlLayout *layout,
                                   const gint64   *dims,
                                   guint           n,
                                   char          **reason);
/* Dimensions of both side by side; threads and locals of A outside. */
gboolean tl_layout_concat         (TlLayout       *result,
                                   const TlLayout *a,
                                   const TlLayout *b,
                                   char          **reason);
/* Dimensions first..last (inclusive; negative from the end) become one. */
gboolean tl_layout_flatten        (TlLayout       *result,
                                   const TlLayout *layout,
                                   gint64          first,
                                   gint64          last,
                                   char          **reason);

/* --- layout-map.c: the map both ways --- */

guint    tl_layout_threads        (const TlLayout *layout);
guint    tl_layout_locals         (const TlLayout *layout);
guint64  tl_layout_elements       (const TlLayout *layout);
/* How many threads hold each element. */
guint    tl_layout_copies         (const TlLayout *layout);
/* Row-major weight of each mode in the flat index; @weights has room for all modes. */
void     tl_layout_weights        (const TlLayout *layout,
                                   guint64        *weights);
/* Row-major flat index of the element that @thread holds as @local; both in range. */
guint64  tl_layout_index          (const TlLayout *layout,
                                   guint           thread,
                                   guint           local);
/* The threads, ascending, that hold @index, and as which local (the same in all).
 * @threads has room for tl_layout_copies. Returns their number. */
guint    tl_layout_where          (const TlLayout *layout,
                                   guint64         index,
                                   guint32        *threads,
                                   guint          *local);
/* All of the map: @indices[t * locals + l], room for threads * locals. */
void     tl_layout_map            (const TlLayout *layout,
                                   guint64        *indices);

/* --- parse.c, print.c: text --- */

/* "name(ints; ranks=[..])" chained by "." or "*", and prefix functions:
 * compose(local(2,1), spatial(8,4)). FALSE after saying in @reason why and in @at
 * (bytes from the start; may be NULL) where. @length < 0: NUL-terminated. */
gboolean tl_layout_parse          (TlLayout       *layout,
                                   const char     *text,
                                   gssize          length,
                                   gsize          *at,
                                   char          **reason);
/* "register_layout([4,6],[2,2,3,2],[0,2],[3,1])", which parses back. (transfer full) */
char    *tl_layout_to_text        (const TlLayout *layout);
