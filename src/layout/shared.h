/* Shared-memory layouts: where an element of a tile lies in a scratchpad, as strides of
 * modes and, over them, a swizzle that XORs higher bits of the offset onto lower ones. */
#pragma once

#include "layout/layout.h"

/* offset ^ ((offset >> shift) & (mask of @bits bits from @base)); bits 0 is none. */
typedef struct
{
  guint base;
  guint bits;
  guint shift;
} TlSwizzle;

/* A value type; canonical when it comes from a function below: no mode of size 1, and no
 * mode whose stride its neighbour inside the dimension just continues. */
typedef struct
{
  guint     n_dims;
  guint     n_modes;
  gint32    shape[TL_LAYOUT_MAX_DIMS];
  gint32    modes[2 * TL_LAYOUT_MAX_MODES];
  guint8    dim[2 * TL_LAYOUT_MAX_MODES];
  gint64    strides[2 * TL_LAYOUT_MAX_MODES]; /* in elements, not negative */
  TlSwizzle swizzle;
} TlShared;

/* As in layout.h: FALSE and a *reason in words. */
gboolean tl_shared_init              (TlShared     *shared,
                                      const gint64 *shape,
                                      guint         n_dims,
                                      const gint64 *modes,
                                      guint         n_modes,
                                      const gint64 *strides,
                                      guint         n_strides,
                                      TlSwizzle     swizzle,
                                      char        **reason);
/* Row-major, or column-major (first dimension fastest). */
gboolean tl_shared_major             (TlShared     *shared,
                                      const gint64 *shape,
                                      guint         n_dims,
                                      gboolean      column,
                                      char        **reason);
/* Rows in column blocks of at most 128 bytes, swizzled so that eight rows of a column
 * lie in different banks. The rows must be a multiple of 8 and a row of 16 bytes;
 * @bytes of an element are a power of two up to 16. */
gboolean tl_shared_row_major_swizzle (TlShared     *shared,
                                      const gint64 *shape,
                                      guint         n_dims,
                                      gint64        bytes,
                                      char        **reason);
/* Tiles of @inner laid out as @outer says; drops swizzles. */
gboolean tl_shared_compose           (TlShared       *product,
                                      const TlShared *outer,
                                      const TlShared *inner,
                                      char          **reason);
gboolean tl_shared_permute           (TlShared       *result,
                                      const TlShared *shared,
                                      const gint64   *dims,
                                      guint           n,
                                      char          **reason);
gboolean tl_shared_reshape           (TlShared       *result,
                                      const TlShared *shared,
                                      const gint64   *shape,
                                      guint           n_dims,
                                      char          **reason);
/* Keeps @dims (rising); the others stand at 0. */
gboolean tl_shared_slice             (TlShared       *result,
                                      const TlShared *shared,
                                      const gint64   *dims,
                                      guint           n,
                                      char          **reason);
gboolean tl_shared_unsqueeze         (TlShared       *result,
                                      const TlShared *shared,
                                      const gint64   *dims,
                                      guint           n,
                                      char          **reason);
guint64  tl_shared_elements          (const TlShared *shared);
/* Largest offset before the swizzle, plus one. */
guint64  tl_shared_size              (const TlShared *shared);
/* Offset in elements of the element with row-major flat @index. */
guint64  tl_shared_offset            (const TlShared *shared,
                                      guint64         index);

/* row_major(3,5), column_major(..), row_major_swizzle([8,64],2), shared_layout([..],
 * [modes],[strides],Swizzle(base=,bits=,shift=)), compose, permute, reshape, slice,
 * unsqueeze; as tl_layout_parse. */
gboolean tl_shared_parse             (TlShared       *shared,
                                      const char     *text,
                                      gssize          length,
                                      gsize          *at,
                                      char          **reason);
/* shared_layout(..) that parses back. (transfer full) */
char    *tl_shared_to_text           (const TlShared *shared);

/* Swizzle of the left operand of a tensor-core product whose rows hold @columns elements
 * of @bits bits: 16-byte vectors, @per_phase rows to a phase, @max_phase phases. */
typedef struct
{
  guint vec;
  guint per_phase;
  guint max_phase;
} TlSwizzlePhases;

TlSwizzlePhases tl_swizzle_phases    (guint columns,
                                      guint bits);
