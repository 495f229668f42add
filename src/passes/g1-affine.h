/* Subscripts as whole-number forms of loops, and what cells they make wait for which: decided
 * on the forms where these are affine, shown on a corner of the lattice of iterations.
 * language.md, clause (b). Shared within recognition (g1-*.c). */
#pragma once

#include "dsl/ast.h"

#define TL_AFFINE_MAX_LOOPS 8

typedef enum
{
  TL_AFFINE_FORM,    /* by[0] * loop 0 + by[1] * loop 1 + ... + constant */
  TL_AFFINE_PRODUCT, /* loops multiplied with one another */
  TL_AFFINE_MODULO,  /* a remainder that changes from iteration to iteration */
  TL_AFFINE_DIVIDE,  /* a quotient that is rounded */
  TL_AFFINE_DATA,    /* looks at data */
  TL_AFFINE_OTHER,   /* another name, a choice, or numbers that are too large */
} TlAffineKind;

typedef struct
{
  TlAffineKind  kind;
  gint64        by[TL_AFFINE_MAX_LOOPS];
  gint64        constant;
  const TlExpr *fault; /* the part that is not affine; NULL for a form */
} TlAffine;

/* The normal form of @expr over loops of these names: sums, differences, multiples, and
 * quotients and remainders that come out even ("(2 * i - 2) / 2" is i - 1). */
TlAffine     tl_affine_of       (const char *const *names,
                                 guint              n_names,
                                 const TlExpr      *expr);
/* One loop plus a number: its index, else -1 for a number alone. FALSE for all others. */
gboolean     tl_affine_is_loop  (const TlAffine    *form,
                                 int               *loop,
                                 gint64            *offset);
/* @expr at these values of the loops, remainders and quotients too (rounded down). FALSE when it
 * looks at anything else, or divides by 0. */
gboolean     tl_affine_value    (const char *const *names,
                                 const gint64      *values,
                                 guint              n_names,
                                 const TlExpr      *expr,
                                 gint64            *value);
/* "two loops are multiplied": what is not affine about it. */
const char  *tl_affine_fault    (TlAffineKind       kind);

/* --- Cells that read cells --- */

/* A cell of a table of two subscripts, which iteration (i, j) writes, and one that it reads. */
typedef struct
{
  guint         from; /* table written */
  guint         to;   /* table read */
  const TlExpr *read; /* subscripts of the cell read */
} TlAffineRead;

/* Two iterations of 1..TL_AFFINE_CORNER in both loops whose distances to the cell that they
 * read by @read differ, as text: "(1,1) reads (2,1), 1 row later; (1,2) reads (3,2), 2 rows
 * later". NULL when there are none there. (transfer full) */
char        *tl_affine_differing (const char *const   names[2],
                                  const TlAffineRead *read);
/* The shortest circle of cells that wait for one another within that corner, through any of
 * @reads: "H (1,2) waits for H (2,1), H (2,1) waits for H (1,2)". NULL: there is none.
 * (transfer full) */
char        *tl_affine_circle   (const char *const   loops[2],
                                 const char *const  *tables,
                                 guint               n_tables,
                                 const GArray       *reads); /* of TlAffineRead */

#define TL_AFFINE_CORNER 12
