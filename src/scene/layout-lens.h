/* The layout lens: the placement of a tile's units as a matrix over GF(2) that is edited, and what each edit makes of
 * the order of accesses, exactly and before anything is simulated. Hits are the weight of the differences inside the
 * row-reuse kernel (place/histogram.h), so a flip recounts and no more (models.md section 6). */
#pragma once

#include "place/histogram.h"
#include "place/plan.h"
#include "scene/scene.h"

typedef enum
{
  TL_PART_DOMAIN,
  TL_PART_ROW,
  TL_PART_COLUMN,
  TL_N_PARTS
} TlLayoutPart;

/* A map to choose from. */
typedef struct
{
  char        *name;
  TlPlacement  placement;
  guint64      hits, misses, conflicts;
} TlLayoutCandidate;

typedef struct
{
  guint16  difference;
  guint32  weight;
  gboolean inside; /* the kernel: hits */
} TlLayoutBar;

typedef struct
{
  char        *name;        /* of the operand or lesson */
  TlSequence  *sequence;
  guint        room[TL_N_PARTS]; /* bits of the machine for this tile */
  TlPlacement  placement;   /* as edited */
  TlHistogram *histogram;   /* under its domain rows */
  /* Of the placement: */
  gboolean     legal;
  guint        rank;
  char        *reason;      /* why it is not legal, with the rank or the bit; NULL */
  guint64      hits, misses, conflicts;
  gboolean     stored_told; /* as the operand is stored, row by row, before any map: */
  guint64      stored_hits, stored_misses, stored_conflicts;
  GArray      *bars;        /* of TlLayoutBar, heaviest first */
  GString     *letters;     /* H, M or C of the first accesses */
  GPtrArray   *candidates;  /* of TlLayoutCandidate * */
} TlLayoutLens;

/* Copies @sequence. @room: domain, row and column bits that the tile may use. @placement is of the sequence's bits.
 * (transfer full) */
TlLayoutLens *tl_layout_lens_new    (const char        *name,
                                     const TlSequence  *sequence,
                                     const guint        room[TL_N_PARTS],
                                     const TlPlacement *placement);
void          tl_layout_lens_free   (TlLayoutLens      *lens);
/* The lesson of eight units in one bank, order 0 4 1 5 2 6 3 7, row = c2. (transfer full) */
TlLayoutLens *tl_layout_lens_lesson (void);

/* Edits; each recounts at once. Rows are numbered through: domain, row, column. */
void          tl_layout_lens_set         (TlLayoutLens      *lens,
                                          const TlPlacement *placement);
void          tl_layout_lens_toggle      (TlLayoutLens      *lens,
                                          guint              row,
                                          guint              bit);
void          tl_layout_lens_swap_rows   (TlLayoutLens      *lens,
                                          guint              a,
                                          guint              b);
void          tl_layout_lens_swap_bits   (TlLayoutLens      *lens,
                                          guint              a,
                                          guint              b);
/* Adds a map to the strip, counted; not twice the same. */
void          tl_layout_lens_add         (TlLayoutLens      *lens,
                                          const char        *name,
                                          const TlPlacement *placement);

TlLayoutPart  tl_layout_lens_part        (const TlLayoutLens *lens,
                                          guint               row);
/* "row 0", "domain 2" (transfer full) */
char         *tl_layout_lens_row_name    (const TlLayoutLens *lens,
                                          guint               row);
/* "gf2 [domain: 4 2 | row: 8 | column: 1]": the value of a place line after `layout`. (transfer full) */
char         *tl_layout_lens_line        (const TlLayoutLens *lens);

typedef struct
{
  int         row, bit;   /* the cell of the keyboard; -1: none */
  const char *from;       /* id that is dragged, or NULL */
  const char *over;       /* id under it, or NULL */
  const char *state;      /* a word about the map: "as written", "while you drag"; NULL */
} TlLayoutMoment;

/* Matrix left, differences, accesses and candidates right; at least 760 x 420. Ids: "cell-ROW-BIT", "row-ROW", "bit-BIT",
 * "candidate-N", "difference-D". */
void          tl_view_layout        (TlScene              *scene,
                                     TlBox                 box,
                                     const TlLayoutLens   *lens,
                                     const TlLayoutMoment *moment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlLayoutLens, tl_layout_lens_free)
