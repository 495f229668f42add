/* One layout in the other notations: products of primitives (Kronecker), CuTe
 * thread-value shape:stride, GF(2) bases. Each conversion exists or says what is in
 * its way. */
#pragma once

#include "layout/layout.h"

enum
{
  TL_LAYOUT_MAX_BITS = 20, /* of the thread and of the local number */
};

/* The same map as bases over GF(2): XOR of the coordinates of the set bits. */
typedef struct
{
  guint  n_dims;
  gint32 shape[TL_LAYOUT_MAX_DIMS];                    /* powers of two */
  guint  n_thread;
  guint  n_local;
  gint32 thread[TL_LAYOUT_MAX_BITS][TL_LAYOUT_MAX_DIMS]; /* coordinate of bit k; all zero replicates */
  gint32 local[TL_LAYOUT_MAX_BITS][TL_LAYOUT_MAX_DIMS];
} TlLayoutBases;

/* One mode of a flat shape:stride list. */
typedef struct
{
  guint64 size;
  guint64 stride; /* onto the row-major flat index; 0 replicates */
} TlLayoutStride;

/* "local(2,1).spatial(8,4).local(1,2)", or NULL with the cycle of modes that forbids
 * it: the order inside the dimensions, of the spatial and of the local list must be
 * one order. (transfer full) */
char    *tl_layout_to_kronecker (const TlLayout *layout,
                                 char          **reason);
/* That product, or the text of the modes where it is none. (transfer full) */
char    *tl_layout_to_product   (const TlLayout *layout);
/* FALSE names the mode whose size is no power of two. */
gboolean tl_layout_to_bases     (const TlLayout *layout,
                                 TlLayoutBases  *bases,
                                 char          **reason);
/* FALSE names the basis that is more than one bit, or the bit hit twice or never. */
gboolean tl_layout_from_bases   (TlLayout            *layout,
                                 const TlLayoutBases *bases,
                                 char               **reason);
/* "t1=0.1 t2=1.0 l1=0.2": coordinates of each power of two. (transfer full) */
char    *tl_layout_bases_to_text (const TlLayoutBases *bases);
/* Thread and value modes, first fastest, each with room for TL_LAYOUT_MAX_SPATIAL. */
void     tl_layout_to_strides   (const TlLayout *layout,
                                 TlLayoutStride *thread,
                                 guint          *n_thread,
                                 TlLayoutStride *value,
                                 guint          *n_value);
/* "((4,3),(2)):((0,1),(1))"; an empty side is (1):(0). (transfer full) */
char    *tl_layout_to_cute      (const TlLayout *layout);
/* FALSE names the mode that is no run of digits of the row-major index of @shape. */
gboolean tl_layout_from_strides (TlLayout             *layout,
                                 const gint64         *shape,
                                 guint                 n_dims,
                                 const TlLayoutStride *thread,
                                 guint                 n_thread,
                                 const TlLayoutStride *value,
                                 guint                 n_value,
                                 char                **reason);
