/* Access signatures of operand tiles: tile shape, element width, quantum and the order in
 * which one instance touches its units (models.md section 6; TileDRAM section 4.1). A unit
 * is one quantum of the tile as packed: its rows one after the other. What one signature
 * stands for really recurs: all whole tiles of an operand are read in the same order,
 * ragged ones in that order without the units that the matrix does not reach. */
#pragma once

#include "dram/trace.h"
#include "layout/recipe.h"
#include "place/gemm-stream.h"
#include "place/sequence.h"

typedef struct
{
  TlGemmOperand operand;
  gboolean      transposed;     /* of B: N x K */
  guint64       tile_rows;
  guint64       tile_row_bytes;
  guint32       bits;           /* of an element */
  guint32       quantum;        /* bytes of a unit */
  guint64       units;          /* quanta of a whole tile; a part counts */
  TlSequence   *sequence;
  guint64       hash;           /* FNV-1a 64 over all of these */
} TlSignature;

/* What a whole tile of @operand is read like. NULL with a diagnostic when the shape is refused,
 * a tile has more than 2^TL_PLACE_MAX_BITS units or TL_SEQUENCE_MAX_LENGTH accesses. (transfer full) */
TlSignature *tl_signature_of_gemm    (const TlGemmShape *shape,
                                      TlGemmOperand      operand,
                                      TlDiags           *diags);
/* What a tile is read like whose image is the pieces of @recipe: it is copied whole, its units ascending, once each,
 * whatever the width of its elements. Its rows are those of pieces, one piece of every thread. NULL with a
 * diagnostic when there are too many units. (transfer full) */
TlSignature *tl_signature_of_pieces  (const TlLoadRecipe *recipe,
                                      TlGemmOperand       operand,
                                      gboolean            transposed,
                                      guint32             quantum,
                                      TlDiags            *diags);
void         tl_signature_free       (TlSignature       *signature);

/* Requests of a recorded trace that are looked at; 2 bytes each. */
#define TL_SIGNATURE_MAX_REQUESTS (1u << 24)

/* An operand in the address space of a trace. */
typedef struct
{
  TlGemmOperand operand;
  gboolean      transposed;
  guint64       base;     /* byte address of its first element */
  TlGemmTiles   tiles;
  guint32       bits;
  guint32       quantum;
} TlTracedOperand;

typedef struct
{
  guint64 requests;  /* of the operand */
  guint64 elsewhere; /* of the trace, to other addresses */
  guint64 tiles;     /* that were touched */
  guint64 whole;     /* of these inside the matrix */
  guint64 instances; /* of whole tiles */
} TlSignatureReport;

/* Reads @trace to its end, takes the first whole tile as the one that stands for all (the shortest
 * order of which its accesses are a repetition) and checks that every other tile repeats it. Requests
 * are told apart by tile, so resident CTAs may interleave as long as no two share a tile at a time.
 * NULL with a diagnostic when they do not, when the trace is wrong, too long or does not touch the
 * operand. (transfer full) */
TlSignature *tl_signature_from_trace (TlTrace               *trace,
                                      const TlTracedOperand *operand,
                                      TlSignatureReport     *report,
                                      TlDiags               *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSignature, tl_signature_free)
