/* What G1 makes of a program whose cells read cells at constant distances (alignment, edit
 * distance, ...) or a reduction over the row before (Viterbi): tables of alternatives over
 * a semiring, their dependences, borders, band and result. language.md, rulings 1 to 3;
 * all spellings of one recurrence give the same value but for names and spans. */
#pragma once

#include "passes/recurrence.h"
#include "target/memory.h"

#define TL_GRID_MAX_TABLES       4
#define TL_GRID_MAX_ALTERNATIVES 16
#define TL_GRID_MAX_TERMS        8
#define TL_GRID_MAX_DISTANCE     8
#define TL_GRID_MAX_DEPENDENCES  (TL_GRID_MAX_TABLES * TL_GRID_MAX_ALTERNATIVES)
#define TL_GRID_NONE             (-1)

/* Loop indices and data values in the weights of alternatives. */
typedef struct
{
  const TlExpr *expr;
  gboolean      negative; /* combined with the negated value: H - gap */
} TlGridTerm;

/* cell [i - di, j - dj] of a table (x) all terms; no table: the terms alone. */
typedef struct
{
  int        table; /* TL_GRID_NONE: none */
  int        di;
  int        dj;
  TlGridTerm terms[TL_GRID_MAX_TERMS];
  guint      n_terms;
  TlSpan     span;
} TlGridAlternative;

/* A border's values, by the loop along it; NULL expr: absent. */
typedef struct
{
  const TlExpr *expr;
  const char   *loop; /* NULL: it does not run along the border */
} TlGridBorder;

typedef struct
{
  const char       *name;
  TlSpan            span;
  guint             n_alternatives;
  TlGridAlternative alternatives[TL_GRID_MAX_ALTERNATIVES];
  gboolean          zero_border; /* a literal 0 among its alternatives: borders that no statement gives are 0 */
  TlGridBorder      column;      /* cells (i,0) */
  TlGridBorder      row;         /* cells (0,j) */
  TlGridBorder      corner;      /* (0,0) when it has a statement of its own */
} TlGridTable;

typedef enum
{
  TL_GRID_WAVE,    /* cells at constant distances */
  TL_GRID_TRELLIS, /* V[t,s] from all V[t-1,p] */
} TlGridKind;

typedef enum
{
  TL_GRID_BEST,        /* over all cells, the first in row order */
  TL_GRID_LAST,
  TL_GRID_LAST_ROW,    /* over the last row */
  TL_GRID_LAST_COLUMN,
} TlGridPick;

typedef enum
{
  TL_BAND_NONE,
  TL_BAND_CELLS, /* this many cells on both sides */
  TL_BAND_SHARE, /* of the rows */
} TlBandKind;

/* Letters or numbers that rows or columns go along: row i has element i + offset. */
typedef struct
{
  const char *name; /* of the data, NULL when nothing along this side is read */
  gint64      offset;
  TlSpan      span;
} TlGridSide;

/* An operator of the program's own, for weights that call it. */
typedef struct
{
  const char *name;
  TlOperator  op;
} TlGridOp;

typedef struct
{
  TlGridKind    kind;
  TlAst        *ast;        /* what the expressions belong to; owned reference */
  GPtrArray    *made;       /* expressions made here, owned */
  GArray       *ops;        /* of TlGridOp, owned */
  char         *algorithm;
  TlSpan        algorithm_span;
  TlSpan        update_span;
  TlSpan        plus_span;
  TlSemiring   *semiring;
  TlElementType element;
  const char   *loops[2];   /* of rows and columns, as the program calls them */
  const char   *over;       /* TRELLIS: the name reduced over */
  guint         n_tables;
  TlGridTable   tables[TL_GRID_MAX_TABLES]; /* in an order in which a cell's can be computed */
  TlGridTerm    emission[TL_GRID_MAX_TERMS]; /* TRELLIS: combined after the reduction */
  guint         n_emission;
  guint         n_dependences;
  gint64        dependences[TL_GRID_MAX_DEPENDENCES][2]; /* distinct, greatest first; TRELLIS: (1, 0), for any p */
  gint64        wave[2];    /* cells with equal wave[0] * i + wave[1] * j do not wait for each other */
  TlGridSide    sides[2];   /* rows, columns */
  TlBandKind    band;        /* of an adaptive band its envelope, which does not move */
  double        band_share;
  gint64        band_cells;
  TlBandKind    adaptive;    /* NONE: the band does not move. Else how many cells of an anti-diagonal it holds */
  double        adaptive_share;
  gint64        adaptive_cells;
  TlGridPick    pick;
  guint         pick_table;
  gboolean      greatest;
  const char   *stream;     /* data name of the candidates; NULL: none */
  gint64        k;          /* letters of a seed */
} TlGrid;

/* As tl_recognise, for programs of either form: a closure's recurrence, or NULL and
 * *@grid, or NULL with diagnostics. Codes of grids beside those of recurrence.h:
 *   adaptive-band (note): admitted although it looks at values
 *   not-affine loop-order circular mixed-semirings several-cells border-missing
 *   border-differs unknown-score bad-band float-order data-dependent not-on-this-target */
TlRecurrence *tl_recognise_any     (const TlAst      *ast,
                                    const GArray     *facts,
                                    TlGrid          **grid, /* (transfer full) */
                                    TlDiags          *diags);
/* The same for a machine whose kind is known; without one it is guessed by the target's name. */
TlRecurrence *tl_recognise_on      (const TlAst      *ast,
                                    const GArray     *facts,
                                    TlMachineKind     machine,
                                    TlGrid          **grid,
                                    TlDiags          *diags);
void          tl_grid_free         (TlGrid           *grid);

/* The least (a, b), a + b and then b, with a * di + b * dj >= 1 for all distances: the
 * order of a wavefront, from the dependences alone. FALSE when there is none up to 64. */
gboolean      tl_grid_wave         (const gint64    (*dependences)[2],
                                    guint             n_dependences,
                                    gint64            wave[2]);

/* Half the width of the band in a grid of that many rows: cells with |i - j'| <= h are in
 * it, or in the envelope of an adaptive band. -1: there is none. */
gint64        tl_grid_band         (const TlGrid     *grid,
                                    guint64           rows);
/* Cells of an anti-diagonal that an adaptive band holds, at least 1; 0: the band is fixed. */
guint32       tl_grid_adaptive     (const TlGrid     *grid,
                                    guint64           rows);

/* Side of the tiles that G2 gives it on @machine; 0 where that is no pim machine. */
guint32       tl_grid_tile         (const TlGrid       *grid,
                                    const TlPimMachine *machine);

#define TL_ADAPTIVE_MOST  (1 << 20) /* cells */
#define TL_ADAPTIVE_SHARE 0.15      /* of the rows: the envelope of a candidate where nobody says it */

/* --- Values of terms --- */

/* Asked for an element of data, or a score of two letters (@name "score"). FALSE: there is none. */
typedef gboolean (*TlGridRead) (const char *name, const TlScalar *subscripts, guint n, TlScalar *value, gpointer data);

typedef struct
{
  const TlGrid *grid;
  const char   *names[3];  /* loops that have a value */
  gint64        values[3];
  guint         n_names;
  TlGridRead    read;
  gpointer      data;
  const TlExpr *fault;     /* what could not be evaluated */
  gboolean      outside;   /* its value is none of the carrier: */
  TlScalar      value;     /* this one */
} TlGridScope;

/* The value of @expr, not yet brought onto the semiring's carrier. gap, gap.open and gap.extend come from the
 * config. FALSE with scope->fault set. */
gboolean      tl_grid_evaluate     (TlGridScope      *scope,
                                    const TlExpr     *expr,
                                    TlScalar         *value);
/* All terms combined, on the carrier; one when there are none. */
gboolean      tl_grid_combine      (TlGridScope      *scope,
                                    const TlGridTerm *terms,
                                    guint             n_terms,
                                    TlScalar         *value);
/* Whether @expr reads letters or elements of data, or scores. */
gboolean      tl_grid_reads        (const TlGrid     *grid,
                                    const TlExpr     *expr);
/* Whether @name stands in @expr. */
gboolean      tl_grid_names        (const TlExpr     *expr,
                                    const char       *name);
/* config score = match M mismatch X; FALSE when it is a matrix, whose file or built-in
 * name then is *@matrix, or unsaid (*@matrix NULL). */
gboolean      tl_grid_match_scores (const TlAst      *ast,
                                    gint64           *match,
                                    gint64           *mismatch,
                                    const char      **matrix);
/* The text of terms with loops called i, j and p, the same for all spellings.
 * (transfer full) */
char         *tl_grid_terms_text   (const TlGrid     *grid,
                                    const TlGridTerm *terms,
                                    guint             n_terms);

/* What waves hand on to each other, as an object of the memory layout. */
#define TL_GRID_EDGES "H"
/* The place line of an object: of its own name, of TL_GRID_EDGES the first table's that has
 * one; NULL: none. */
const TlPlaceDecl *tl_grid_place (const TlGrid *grid,
                                  const char   *object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGrid, tl_grid_free)
