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
  /* (d) does not hold for all values of the carrier: check at each k, before D[k,k]
   * is used, that it has not fallen below (min-like) or risen above (max-like) one. */
  gboolean      cycle_check;
} TlRecurrence;

/* Finds the one recurrence of @ast, recovers its semiring and decides admission
 * (language.md "What is admitted"). NULL when it is not recognised or refused;
 * @diags then says with clause, token, reason and remedy. @facts: of TlDataFacts,
 * may be empty. Returns: (transfer full) */
TlRecurrence *tl_recognise          (const TlAst   *ast,
                                     const GArray  *facts,
                                     TlDiags       *diags);
void          tl_recurrence_free    (TlRecurrence  *recurrence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRecurrence, tl_recurrence_free)
