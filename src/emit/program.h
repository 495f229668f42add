/* A pim program as the machine gets it: what the decoder makes of the bytes of a
 * .tls file, and all that the simulator may look at. Per PU a short loop program
 * over the tiles it owns (its owner class), never unrolled. models.md section 3. */
#pragma once

#include "base/diag.h"
#include "ir/schedule.h"
#include "ir/semiring.h"
#include "target/pim-machine.h"

/* One step of a PU's loop program. All PUs have the same barriers; the whole is
 *   LOOP M { FOR_OWN p { WAIT.. COPY.. READ.. COMPUTE WRITE [BROADCAST] } [BARRIER p] for p = 0, 1, 2 } END_LOOP
 * Pivot tiles wait for and read C; cross tiles C, PIVOT; internal tiles C, LEFT,
 * RIGHT, in that order. Operands come from copies (READ b = 1), C from the tile.
 * COPY of every operand iff copy_writes is charged; BROADCAST after pivot and
 * cross tiles; BARRIER after each phase iff strict, after the last one iff
 * superstep. tl_pim_program_check refuses any other code. */
typedef enum
{
  TL_CODE_LOOP,      /* for k = 0 .. M-1; a = M */
  TL_CODE_END_LOOP,
  TL_CODE_FOR_OWN,   /* for each own tile of phase a, in its order */
  TL_CODE_END_OWN,
  TL_CODE_WAIT,      /* operand a (TlOperand) must be usable here */
  TL_CODE_COPY,      /* write the received copy of operand a, if this is its first use */
  TL_CODE_READ,      /* stream operand a in; b = 1 from its copy, 0 from the tile itself */
  TL_CODE_COMPUTE,   /* h * d * ceil(w / a) cycles, a lanes */
  TL_CODE_WRITE,     /* stream C out */
  TL_CODE_BROADCAST, /* C to all other PUs */
  TL_CODE_BARRIER,   /* all PUs and their broadcasts; a = number in the super-step */
} TlCodeKind;

typedef struct
{
  guint8  kind; /* TlCodeKind */
  guint32 a;
  guint32 b;
} TlCode;

/* Own tiles in one tile row: columns first, first + step, ..., count of them. */
typedef struct
{
  guint32 first;
  guint32 step;
  guint32 count;
} TlTileRun;

typedef struct
{
  TlCode    *code;
  guint      n_code;
  guint32   *row_runs; /* M + 1 entries: runs of tile row i are runs[row_runs[i] .. row_runs[i+1]) */
  TlTileRun *runs;
} TlPuStream;

typedef struct
{
  gatomicrefcount references; /* private */
  char         *name;   /* the algorithm's */
  char         *target; /* the target's */
  TlPimMachine  machine;
  guint32       n;      /* nodes */
  guint32       tile;   /* B */
  guint32       tiles;  /* M = ceil (n / B) tiles a side */
  guint32       element_bits; /* of the datapath: what a tile's bytes are counted in */
  TlSemiring   *semiring;
  char         *owner_rule; /* as shown: "modulo", "skewed", "(i * 257 + j) mod 32" */
  TlPlaceRule   place;
  TlEdges       edges;
  TlCopies      copies;
  TlCopyWrites  copy_writes;
  TlRing        ring;
  guint32       buffers; /* 1 or 2 */
  TlBarriers    barriers;
  TlPage        page;
  TlValues      values;
  TlBaseline    baseline; /* NONE: run the streams (that is B3) */
  guint64       seed;
  gboolean      cycle_check; /* values: no D[k,k] may pass one, else the closure does not exist */
  char         *mode;    /* how PUs talk: "broadcast" */
  char         *base;    /* folder of the data files relative to the stream's file; "" beside it */
  GPtrArray    *data;    /* of TlDataSource * */
  GArray       *objects; /* of TlObjectShare */
  TlPuStream   *streams; /* machine.pus of them */
  /* Derived by the decoder from the runs, which it checks to be disjoint and to
   * cover all tiles: owner of tile (i,j) at [i * tiles + j]. */
  guint16      *owner;
  /* Derived from the placement rule: tier of tile (i,j) at [i * tiles + j]. */
  guint8       *tier;
} TlPimProgram;

TlPimProgram *tl_pim_program_ref   (TlPimProgram *program);
void          tl_pim_program_unref (TlPimProgram *program);

/* Side lengths of tile row (or column) i: tile, or the rest at the edge when trimmed. */
static inline guint32
tl_pim_program_extent (const TlPimProgram *program, guint32 i)
{
  if (program->edges == TL_EDGES_TRIMMED && i + 1 == program->tiles)
    return program->n - i * program->tile;
  return program->tile;
}

/* Bytes of tile (i,j), its elements packed to the bit. */
static inline guint64
tl_pim_program_tile_bytes (const TlPimProgram *program, guint32 i, guint32 j)
{
  guint64 elements = (guint64) tl_pim_program_extent (program, i) * tl_pim_program_extent (program, j);

  return (elements * program->element_bits + 7) / 8;
}

/* Tier of tile (i,j) under the rule. FILL is first fit in the order of tile
 * indices over whole tiers of the stack: a tile goes to the lowest tier of
 * first..last with room for its rows beside the reserved bytes. */
static inline guint32
tl_pim_program_tier (const TlPimProgram *program, guint32 i, guint32 j)
{
  return program->tier[(gsize) i * program->tiles + j];
}

/* Channel and bank group (in its channel) of PU @pu: where its tiles and copies lie. */
static inline guint32
tl_pim_program_channel (const TlPimProgram *program, guint32 pu)
{
  return pu / program->machine.groups;
}

static inline guint32
tl_pim_program_group (const TlPimProgram *program, guint32 pu)
{
  return pu % program->machine.groups;
}

/* FNV-1a 64 of the owners row by row: one byte a tile up to 256 PUs, else two,
 * little-endian. */
guint64       tl_pim_program_owner_hash (const TlPimProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlPimProgram, tl_pim_program_unref)
