/* What G1 makes of the algorithm part of a program, before it becomes a module:
 * one algebraic update over a semiring. All spellings of one recurrence give the
 * same value but for the spans. language.md, Recognition. */
#pragma once

#include "dsl/ast.h"
#include "ir/semiring.h"

/* What the inputs say about one data name; filled by the engine's resolver. */
typedef struct
{
  char         *name;
  guint64       rows;          /* 0 when unknown */
  guint64       columns;
  guint64       content_hash;  /* 0 when generated */
  gboolean      bounds_known;  /* low and high hold */
  TlScalar      low;           /* least finite value, as the data's element type has it */
  TlScalar      high;          /* greatest finite value */
  /* For `op f = table("f.csv")`: a fact named after the op, rows = columns = 1..256,
   * and its cells 0..255 row by row (row a, column b); NULL for data. Owned by
   * whoever made the fact, as name is. */
  guint8       *cells;
  guint64       records;       /* sequences of reads; 0: no reads */
  guint64       longest;       /* letters of the longest of them */
  TlElementType element;       /* as a file of tensors has it; bits 0: none says */
} TlDataFacts;

/* Loop positions of the update C[i,j] = C[i,j] (+) (L[i,k] (x) R[k,j]). */
typedef enum { TL_LOOP_I, TL_LOOP_J, TL_LOOP_K } TlLoop;

typedef struct
{
  TlSource     *source;        /* owned reference */
  char         *algorithm;     /* name */
  TlSpan        algorithm_span;
  TlSemiring   *semiring;
  TlElementType element;
  char         *output;        /* data names of C, L, R; equal for a closure */
  char         *left;
  char         *right;
  TlSpan        update_span;   /* the whole update statement or nest */
  TlSpan        plus_span;     /* the token(s) the accumulation hangs on */
  TlSpan        times_span;
  TlSpan        output_span;   /* D[i,j] */
  TlSpan        left_span;     /* D[i,k] */
  TlSpan        right_span;    /* D[k,j] */
  gboolean      closure;
  gboolean      transposed;    /* of a product: R is read as R[j,k] */
  /* (d) does not hold for all values of the carrier: check at each k, before D[k,k]
   * is used, that it has not fallen below (min-like) or risen above (max-like) one. */
  gboolean      cycle_check;
  /* A law holds as far as a search could tell, without proof (user-written operators
   * on a big carrier); a warning says so. */
  gboolean      unproved;
} TlRecurrence;

/* Codes of the diagnostics, each with the clause of language.md where there is one:
 *   not recognised: no-recurrence second-statement loop-order loop-count loop-bound
 *     offset-subscript operand-subscript operand-missing output-subscript
 *     stale-temporary unknown-temporary depends-on-index mixed-semirings no-update
 *     keeps-other guard-changes not-accumulated arithmetic-on-bool operand-names
 *   refused: not-associative not-commutative not-distributive not-idempotent
 *     not-absorptive not-closed no-zero no-one data-outside-carrier sums-overflow
 *     float-order not-affine data-dependent bad-operator bad-semiring wrong-type
 *   not on the machine: not-on-this-target
 *   admitted, worth knowing: keeps-larger (warning), semiring-unproved (warning)
 * Clauses stand in the reason as "clause (d)".
 *
 * A product of other arrays than its output (closure FALSE) is admitted over (+, *) on cu targets alone.
 *
 * Finds the one recurrence of @ast, recovers its semiring and decides admission
 * (language.md "What is admitted"). NULL when it is not recognised or refused;
 * @diags then says with clause, token, reason and remedy. @facts: of TlDataFacts,
 * may be empty. Returns: (transfer full) */
TlRecurrence *tl_recognise          (const TlAst   *ast,
                                     const GArray  *facts,
                                     TlDiags       *diags);
void          tl_recurrence_free    (TlRecurrence  *recurrence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRecurrence, tl_recurrence_free)
