/* The requests of a tiled matrix product C += A B on 16-bit elements, in the order in which
 * resident thread blocks (CTAs) issue them (models.md section 6; oracle README,
 * kind=gemm). A is M x K row-major at byte 0; B is K x N, or N x K when transposed,
 * from the next multiple of 2 MiB. Nothing writes. */
#pragma once

#include <glib.h>

typedef struct
{
  guint32  m, n, k;                   /* matrix sizes, >= 1 */
  guint32  tile_m, tile_n, tile_k;    /* tile sizes, >= 1 */
  guint32  quantum;                   /* bytes of one request at most, >= 2 and even */
  gboolean transposed;                /* B is N x K row-major */
  guint32  resident;                  /* CTAs at a time, >= 1 */
  guint32  skew;                      /* slot i idles i * skew turns first */
  gboolean packed;                    /* each tile contiguous, edge tiles at full size */
  guint32  slab;                      /* 0: row by row; s: blocks of s rows, segment by segment */
} TlGemmShape;

typedef struct _TlGemmStream TlGemmStream;

/* NULL when a size is out of range or the matrices pass 2^48 bytes. (transfer full) */
TlGemmStream *tl_gemm_stream_new  (const TlGemmShape *shape);
void          tl_gemm_stream_free (TlGemmStream      *stream);
/* The next at most @room quantum addresses; 0 at the end. */
gsize         tl_gemm_stream_next (TlGemmStream      *stream,
                                   guint64           *addresses,
                                   gsize              room);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGemmStream, tl_gemm_stream_free)
