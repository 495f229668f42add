/* The words a placed schedule is made of, shared by the passes that choose them,
 * the streams that carry them and the simulator that obeys them. models.md section 3. */
#pragma once

#include "base/number.h"
#include "target/pim-machine.h"

#include <glib.h>

/* The three phases of one super-step k. */
typedef enum
{
  TL_PHASE_PIVOT,    /* tile (k,k) */
  TL_PHASE_CROSS,    /* row and column tiles: for x != k rising (k,x), (x,k) */
  TL_PHASE_INTERNAL, /* (i,j), i, j != k, row by row */
} TlPhase;
#define TL_N_PHASES 3

#define TL_MAX_TILES 4096 /* a side */

/* What an operation on C = (i,j) reads. */
typedef enum
{
  TL_OPERAND_C,     /* (i,j) */
  TL_OPERAND_LEFT,  /* (i,k) */
  TL_OPERAND_RIGHT, /* (k,j) */
  TL_OPERAND_PIVOT, /* (k,k) */
} TlOperand;

typedef enum { TL_EDGES_TRIMMED, TL_EDGES_PADDED } TlEdges;
typedef enum { TL_COPIES_T0, TL_COPIES_HOME } TlCopies;
typedef enum { TL_COPY_WRITES_FREE, TL_COPY_WRITES_CHARGED } TlCopyWrites;
typedef enum { TL_RING_ON, TL_RING_FREE } TlRing;
typedef enum { TL_BARRIERS_DATAFLOW, TL_BARRIERS_SUPERSTEP, TL_BARRIERS_STRICT } TlBarriers;
typedef enum { TL_PAGE_CLOSED, TL_PAGE_OPEN } TlPage;
typedef enum { TL_VALUES_AUTO, TL_VALUES_ON, TL_VALUES_OFF } TlValues;
typedef enum { TL_BASELINE_NONE, TL_BASELINE_B0, TL_BASELINE_B1, TL_BASELINE_B2, TL_BASELINE_B3 } TlBaseline;

/* Where the tiles of D lie: tier of tile index x = i * M + j. */
typedef enum
{
  TL_PLACE_TIER,   /* all in tier first */
  TL_PLACE_FILL,   /* first fit by tile index over first..last, by capacity */
  TL_PLACE_STRIPE, /* first + x mod (last - first + 1) */
} TlPlaceKind;

typedef struct
{
  TlPlaceKind kind;
  guint32     first;
  guint32     last;
  guint64     reserved[TL_MAX_TIERS]; /* FILL: bytes of each tier that are not D's (copies placed before it) */
} TlPlaceRule;

/* One object of the memory layout: a share of it in one tier. A split object has
 * several. Channels and groups are interleaved by owner. */
typedef struct
{
  char   *name; /* "D", "copies" */
  guint32 tier;
  guint64 bytes;
} TlObjectShare;

/* Where the values come from; a run with values reads it again. */
typedef struct
{
  char    *name;         /* of the data: "D" */
  char    *source;       /* as written: graph("ca-GrQc.txt"), road(1024, 7) */
  guint64  content_hash; /* FNV-1a 64 of the file's bytes; 0 when generated */
} TlDataSource;

void    tl_object_share_clear (gpointer share); /* for GArray */
void    tl_data_source_free   (TlDataSource *source);

/* Bytes of an h x w tile whose elements of @bits bits are packed without gaps. */
static inline guint64
tl_tile_bytes (guint64 h, guint64 w, guint64 bits)
{
  return (h * w * bits + 7) / 8;
}

/* Side of tile row (or column) @i of ceil(n / tile). */
static inline guint32
tl_tile_side (guint32 n, guint32 tile, TlEdges edges, guint32 i)
{
  return edges == TL_EDGES_TRIMMED && (i + 1) * (guint64) tile > n ? n - i * tile : tile;
}

/* Fills tier[i * M + j], M = ceil (n / tile), for all tiles. First fit: a tile goes to
 * the lowest tier of first..last whose @tier_bytes less what is reserved still has
 * room for all of it. FALSE when some tile fits nowhere (it then gets tier last).
 * O(M * M). */
gboolean tl_place_tiers       (const TlPlaceRule *rule,
                               guint32            n,
                               guint32            tile,
                               TlEdges            edges,
                               guint32            element_bits,
                               guint64            tier_bytes,
                               guint8            *tier);
/* The same without the tiles: bytes of D in each tier. O(M * tiers). */
gboolean tl_place_bytes       (const TlPlaceRule *rule,
                               guint32            n,
                               guint32            tile,
                               TlEdges            edges,
                               guint32            element_bits,
                               guint64            tier_bytes,
                               guint64           *bytes); /* TL_MAX_TIERS */

/* Bits of an index's first table: its subscript is a word of k letters, or a hash of it
 * where those would be more. */
#define TL_INDEX_MAX_BITS 24

static inline guint
tl_index_bits (guint k)
{
  return MIN (2 * k, TL_INDEX_MAX_BITS);
}

#define TL_QUEUE_MAX_DERIVED 1024

/* Places of a queue whose senders make a candidate in @search_ps and whose receivers take
 * @sweep_ps for one: those that arrive while one is worked on, 1 to 1,024. */
static inline guint32
tl_queue_depth (guint64 search_ps, guint64 sweep_ps)
{
  guint64 depth = search_ps > 0 ? sweep_ps / search_ps + (sweep_ps % search_ps != 0) : TL_QUEUE_MAX_DERIVED;

  return (guint32) CLAMP (depth, 1, TL_QUEUE_MAX_DERIVED);
}

/* Words of the knobs, as in programs and attributes; NULL past the last. */
const char *tl_edges_name       (TlEdges      value);
const char *tl_copies_name      (TlCopies     value);
const char *tl_copy_writes_name (TlCopyWrites value);
const char *tl_ring_name        (TlRing       value);
const char *tl_barriers_name    (TlBarriers   value);
const char *tl_page_name        (TlPage       value);
const char *tl_values_name      (TlValues     value);
const char *tl_baseline_name    (TlBaseline   value); /* "none", "B0", ... */
const char *tl_phase_name       (TlPhase      value); /* "pivot", "cross", "internal" */
const char *tl_operand_name     (TlOperand    value); /* "C", "left", "right", "pivot" */
const char *tl_place_name       (TlPlaceKind  value); /* "tier", "fill", "stripe" */
