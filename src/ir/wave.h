/* Tiles of a recurrence in wavefront order: which of them touch the band, which wave each
 * is in, who computes it and how long that takes. Passes estimate with it, the simulator
 * obeys it, pictures draw it. models.md section 4. */
#pragma once

#include "ir/ir.h"
#include "ir/owner.h"
#include "ir/schedule.h"

/* Rows and columns count cells without borders, from 1; tiles count from 0. Cell (i, j)
 * stands in tile ((i - 1) / tile, (j + skew * i - 1) / tile). */
typedef struct
{
  guint32 tile;      /* B */
  guint32 pes;       /* lanes: rows of a strip */
  guint32 fill;      /* cycles until the last lane of a strip starts */
  guint32 skew;      /* columns by which each row is shifted, so that no tile waits for one to its right */
  guint8  order[2];  /* of tiles: those with equal order[0] * i + order[1] * j are one wave */
  TlEdges edges;     /* padded: every tile takes the time of a whole one */
  guint32 reduced;   /* > 0: every cell of a row takes this many updates, rows are waves (a trellis); 0: one */
  guint32 rows;
  guint32 columns;
  gint64  low;       /* the band: low <= j - i <= high */
  gint64  high;
} TlWaveTiling;

/* Who computes a tile: PU @first + i mod @pus, or j mod @pus where waves are tile rows,
 * unless a rule says otherwise. */
typedef struct
{
  guint32            first;
  guint32            pus;
  gboolean           by_column;
  const TlOwnerRule *rule; /* NULL: the default */
} TlWaveOwner;

typedef struct
{
  guint64 waves;     /* that hold tiles */
  guint64 tiles;
  guint64 widest;    /* tiles of the widest wave */
  guint64 critical;  /* cycles: each wave takes ceil (tiles / PUs) whole tiles; where edges are trimmed, its largest
                      * tile or an equal share of all, whichever is longer */
  guint64 alone;     /* cycles of one PU, one tile after the other, without fill (B0) */
} TlWaveSums;

typedef enum
{
  TL_WAVE_BAND_NONE,
  TL_WAVE_BAND_CELLS, /* this many on both sides */
  TL_WAVE_BAND_SHARE, /* of the rows */
} TlWaveBandKind;

typedef struct
{
  TlWaveBandKind kind;
  double         share;
  gint64         cells;
} TlWaveBand;

/* One object of the memory layout. */
typedef struct
{
  char    *name;
  guint64  bytes;
  guint64  dependent;
  guint64  streamed;
  guint64  in_tier[TL_MAX_TIERS];
} TlWaveObject;

/* Edges that tiles may wait for: corner, above, left, as [down, right]. */
#define TL_WAVE_N_EDGES 3
#define TL_WAVE_EDGES { { 1, 1 }, { 1, 0 }, { 0, 1 } }

/* Half the band's width for @rows rows: round (share * rows), or its cells; -1: no band. */
gint64   tl_wave_half        (const TlWaveBand   *band,
                              guint64             rows);
/* A grid of that size, the band around its own diagonal. */
void     tl_wave_fit         (TlWaveTiling       *tiling,
                              const TlWaveBand   *band,
                              guint32             rows,
                              guint32             columns);
/* The window of a candidate whose first letter would stand @diagonal letters into @letters:
 * it begins half a band before that and is rows + the whole band long, as far as there
 * are letters. *column is its first one, from 0. FALSE: nothing of it is there. */
gboolean tl_wave_fit_window  (TlWaveTiling       *tiling,
                              const TlWaveBand   *band,
                              guint32             rows,
                              gint64              diagonal,
                              guint64             letters,
                              guint64            *column);
/* Tile rows and columns, the skewed ones too. */
guint32  tl_wave_tile_rows   (const TlWaveTiling *tiling);
guint32  tl_wave_tile_columns (const TlWaveTiling *tiling);
/* Tiles *from..*to of tile row @i that touch the band; FALSE: none. */
gboolean tl_wave_row         (const TlWaveTiling *tiling,
                              guint32             i,
                              guint32            *from,
                              guint32            *to);
/* Waves are numbered *first..*last; some between may be empty. FALSE: there is no tile. */
gboolean tl_wave_range       (const TlWaveTiling *tiling,
                              guint64            *first,
                              guint64            *last);
/* Tiles of wave @w: from (*i0, *j0) on, *n of them, each @di down and @dj right of the one
 * before. Returns *n. */
guint32  tl_wave_tiles       (const TlWaveTiling *tiling,
                              guint64             w,
                              guint32            *i0,
                              guint32            *j0,
                              gint32             *di,
                              gint32             *dj);
/* Cycles of tile (i, j): ceil (height / pes) * (width + fill); without @fill for B0. */
guint64  tl_wave_cycles      (const TlWaveTiling *tiling,
                              guint32             i,
                              guint32             j,
                              gboolean            fill);
/* Over all waves; @pus Compute PUs. */
void     tl_wave_sums        (const TlWaveTiling *tiling,
                              guint32             pus,
                              TlWaveSums         *sums);
/* The default rule as text, "(i mod 24) + 8". (transfer full) */
char    *tl_wave_owner_text  (guint32             first,
                              guint32             pus,
                              gboolean            by_column);
/* Outside of first..first + pus - 1 when the rule says so. */
gint64   tl_wave_owner_at    (const TlWaveOwner  *owner,
                              guint32             i,
                              guint32             j);
/* Does a tile of a "dp.wavefront_update" wait for the one @down below and @right to the right of which it lies? */
gboolean tl_wave_waits_for   (const TlOp         *update,
                              gint64              down,
                              gint64              right);
