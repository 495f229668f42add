/* Shared by the recognition of grids (g1-grid*.c). */
#pragma once

#include "passes/g1-affine.h"
#include "passes/g1-private.h"
#include "passes/grid.h"

#include <string.h>

/* What one update of a table says, before its alternatives are known. */
typedef struct
{
  const char   *name;
  TlSpan        span;
  const TlExpr *target;
  const TlExpr *value;   /* in the grid's own loop names */
  gint64        shift[2]; /* the target's subscripts are the loops plus these */
} TlGridUpdate;

/* A built-in operator or one of the program's own; two are the same when both fields are. */
typedef struct
{
  TlOperatorKind kind;
  const TlG1Op  *user; /* of kinds EXPRESSION and TABLE; NULL: built in */
} TlGridOperator;

typedef struct
{
  TlG1        *g1;
  TlGrid      *grid;
  TlGridUpdate updates[TL_GRID_MAX_TABLES];
  guint        n_updates;
  gboolean     plus_known;
  gboolean     times_known;
  TlGridOperator plus;
  TlGridOperator times;
  TlSpan       plus_span;
  TlSpan       times_span;
  gboolean     side_known; /* of a combination that does not commute: */
  gboolean     turned;     /* cells stand on its right */
} TlGridReader;

static inline TlSpan
tl_grid_token (const TlExpr *expr)
{
  return expr->op_span.end > 0 ? expr->op_span : expr->span;
}

static inline gboolean
tl_grid_is_word (const TlExpr *expr, const char *word)
{
  return expr->text != NULL && strcmp (expr->text, word) == 0;
}

static inline gboolean
tl_grid_same_operator (TlGridOperator a, TlGridOperator b)
{
  return a.kind == b.kind && a.user == b.user;
}

/* The grid of @g1's algorithm, or NULL with the program's diagnostic. (transfer full) */
TlGrid       *tl_g1_grid          (TlG1 *g1);

/* --- g1-grid-expr.c: expressions made and compared --- */

/* A node of the grid's own, without arguments but with room for @n_args. */
TlExpr       *tl_grid_make        (TlGrid *grid, TlExprKind kind, const char *text, TlSpan span, guint n_args);
/* @expr with other arguments, or itself where they are its own. */
const TlExpr *tl_grid_with_args   (TlGrid *grid, const TlExpr *expr, const TlExpr *const *args);
/* @expr with names replaced as @names says (name -> TlExpr *). */
const TlExpr *tl_grid_substitute  (TlGrid *grid, const TlExpr *expr, GHashTable *names);
gboolean      tl_grid_same        (const TlExpr *a, const TlExpr *b);
/* Equal to "loop + number" with @loop one of grid->loops: its index and the number. FALSE else. */
gboolean      tl_grid_subscript   (const TlGrid *grid, const TlExpr *expr, guint *loop, gint64 *offset);
/* The update whose cells @expr reads, or -1: its number in reader->updates. */
int           tl_grid_own         (const TlGridReader *reader, const TlExpr *expr);
gboolean      tl_grid_holds_own   (const TlGridReader *reader, const TlExpr *expr);
/* The operator that a binary expression's sign says, of + * or and xor. FALSE for others. */
gboolean      tl_grid_operator    (const TlExpr *expr, TlOperatorKind *kind);
/* @expr inside of its nots; *@turned turns round with each. */
const TlExpr *tl_grid_without_not (const TlExpr *expr, gboolean *turned);
/* An if of two values that only picks the greater or the smaller: TL_OPERATOR_MAX or MIN. */
gboolean      tl_grid_is_choice   (const TlExpr *expr, TlOperatorKind *kind);

/* --- g1-grid-nest.c: plain loops as updates --- */
gboolean      tl_grid_read_nest   (TlGridReader *reader, const TlStmt *nest);

/* --- g1-grid-ops.c: which two operators, and their semiring --- */
/* Reads the program's own operators, once its values' type is known. */
gboolean      tl_grid_read_ops    (TlGridReader *reader);
gboolean      tl_grid_find_operators (TlGridReader *reader);
/* The operator of a call, a reduction, a choice or a sign; under a @negative, min and max
 * change places. FALSE where there is none. */
gboolean      tl_grid_operator_of (const TlGridReader *reader, const TlExpr *expr, gboolean negative,
                                   TlGridOperator *op);
/* "max", "+", or the name of one's own. */
const char   *tl_grid_operator_word (TlGridOperator op);
/* Notes on which side of the combination @expr its cell stands: @second of two. FALSE with
 * a diagnostic where both sides occur and the operator does not commute. */
gboolean      tl_grid_note_side   (TlGridReader *reader, const TlExpr *expr, gboolean second);
/* The semiring of what was found, admitted by clause (a). */
gboolean      tl_grid_choose_semiring (TlGridReader *reader);
/* What the alternatives ask of the combination beyond clause (a). */
gboolean      tl_grid_admit_terms (TlGridReader *reader);

/* --- g1-grid-terms.c: values as alternatives --- */
gboolean      tl_grid_flatten     (TlGridReader *reader, guint update, TlGridTable *table);

/* --- g1-grid-band.c: the band, fixed or moving; after dependences and candidates are known --- */
gboolean      tl_grid_read_band   (TlGridReader *reader);

/* --- g1-grid-data.c: what stands beside the updates: borders, result, data --- */
gboolean      tl_grid_read_borders (TlGridReader *reader);
gboolean      tl_grid_read_result (TlGridReader *reader);
gboolean      tl_grid_read_sides  (TlGridReader *reader);
gboolean      tl_grid_read_stream (TlGridReader *reader);
/* Notes what the config says that a wavefront has no use for. */
void          tl_grid_read_config (TlGridReader *reader);

/* --- g1-grid-trellis.c --- */
gboolean      tl_grid_read_trellis (TlGridReader *reader);
