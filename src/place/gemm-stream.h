/* The requests of a tiled matrix product C += A B, in the order in which resident thread
 * blocks (CTAs) issue them (models.md section 6; oracle README, kind=gemm). A is M x K
 * row-major at byte 0; B is K x N, or N x K when transposed, from the next multiple of
 * 2 MiB. Nothing writes. */
#pragma once

#include <glib.h>

typedef enum
{
  TL_GEMM_A, /* M x K; its tiles are tile_m x tile_k */
  TL_GEMM_B, /* K x N or N x K; tile_k x tile_n or tile_n x tile_k */
} TlGemmOperand;
#define TL_N_GEMM_OPERANDS 2

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
  guint32  bits[TL_N_GEMM_OPERANDS];  /* of an element; 0: 16. A matrix row and a tile row are whole bytes */
  guint64  ctas;                      /* 0: all; else only the first so many CTAs */
} TlGemmShape;

/* One operand as the shape cuts it into tiles. */
typedef struct
{
  guint64 rows;           /* of the matrix */
  guint64 row_bytes;
  guint64 tile_rows;
  guint64 tile_row_bytes;
  guint64 tile_bytes;     /* both together */
  guint64 tiles_down;     /* tiles in a column of the matrix */
  guint64 tiles_across;
} TlGemmTiles;

/* A request and where in its operand it goes. */
typedef struct
{
  guint64       address; /* quanta, row-major or packed as the shape says */
  guint64       outer;   /* row of tiles of A (m), column of tiles of B (n) */
  guint64       step;    /* tile along K */
  guint64       offset;  /* bytes from the start of the tile as packed */
  TlGemmOperand operand;
} TlGemmRequest;

typedef struct _TlGemmStream TlGemmStream;

/* NULL when a size is out of range or the matrices pass 2^48 bytes. (transfer full) */
TlGemmStream *tl_gemm_stream_new      (const TlGemmShape *shape);
void          tl_gemm_stream_free     (TlGemmStream      *stream);
/* The next at most @room quantum addresses; 0 at the end. */
gsize         tl_gemm_stream_next     (TlGemmStream      *stream,
                                       guint64           *addresses,
                                       gsize              room);
/* The same with all that is known of each. The two may be mixed. */
gsize         tl_gemm_stream_requests (TlGemmStream      *stream,
                                       TlGemmRequest     *requests,
                                       gsize              room);

/* --- for a machine that chooses itself whose turn it is, instead of the two above --- */

/* What the next turn of a slot belongs to. */
typedef struct
{
  guint64       cta;
  guint64       step;     /* along K */
  TlGemmOperand operand;
  gboolean      live;     /* FALSE: the slot has no CTA any more, the rest means nothing */
  guint64       requests; /* of the turn */
} TlGemmTurn;

/* Slots of resident CTAs. */
guint32       tl_gemm_stream_slots    (const TlGemmStream *stream);
void          tl_gemm_stream_peek     (const TlGemmStream *stream,
                                       guint32             slot,
                                       TlGemmTurn         *turn);
/* Takes the turn, of which @requests has room for turn.requests. A slot at the end of its CTA goes on to the next
 * one that no slot has. Idle turns of a skew are the caller's to count. */
void          tl_gemm_stream_take     (TlGemmStream       *stream,
                                       guint32             slot,
                                       TlGemmRequest      *requests);
/* CTAs of the product, or as many as the shape admits. */
guint64       tl_gemm_ctas            (const TlGemmShape  *shape);

/* FALSE when tl_gemm_stream_new would refuse. */
gboolean      tl_gemm_tiles           (const TlGemmShape *shape,
                                       TlGemmOperand      operand,
                                       TlGemmTiles       *tiles);
/* Byte address of an operand's first element, as the shape lays it out; the shape must be one that is admitted. */
guint64       tl_gemm_base            (const TlGemmShape *shape,
                                       TlGemmOperand      operand);
/* Requests of the whole product: counted by closed form. 0 when the shape is refused. */
guint64       tl_gemm_requests        (const TlGemmShape *shape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGemmStream, tl_gemm_stream_free)
