/* The laws that admission rests on (language.md, "What is admitted and what is
 * refused"), judged on a semiring's carrier: by known algebra where both operators
 * are built in, exhaustively on small carriers, else by a search for a
 * counterexample. */
#pragma once

#include "ir/semiring.h"

/* In the order in which admission looks at them. */
typedef enum
{
  TL_LAW_PLUS_ASSOCIATIVE,  /* (a + b) + c = a + (b + c): clause (a) */
  TL_LAW_PLUS_COMMUTATIVE,  /* a + b = b + a: (a) */
  TL_LAW_DISTRIBUTES_LEFT,  /* a x (b + c) = (a x b) + (a x c): (a) */
  TL_LAW_DISTRIBUTES_RIGHT, /* (b + c) x a = (b x a) + (c x a): (a) */
  TL_LAW_TIMES_ASSOCIATIVE, /* (a x b) x c = a x (b x c): (d) */
  TL_LAW_IDEMPOTENT,        /* a + a = a: (d) */
  TL_LAW_ABSORPTIVE,        /* a + (a x c) = a: (d) */
  TL_LAW_ABSORPTIVE_LEFT,   /* a + (c x a) = a: (d), for a combination that does not commute */
  TL_LAW_CLOSED_PLUS,       /* a + b lies in the carrier: (a) */
  TL_LAW_CLOSED_TIMES,      /* a x b lies in the carrier: (a) */
  TL_LAW_ZERO_NEUTRAL,      /* zero + a = a: (a) */
  TL_LAW_ZERO_ABSORBING,    /* zero x a = zero: (a) */
  TL_LAW_ZERO_ABSORBING_RIGHT, /* a x zero = zero: (a) */
  TL_LAW_ONE_NEUTRAL,       /* one x a = a: (a) */
  TL_LAW_ONE_NEUTRAL_RIGHT, /* a x one = a: (a) */
  TL_N_LAWS
} TlLaw;

typedef enum
{
  TL_BASIS_ALGEBRA,    /* follows from the operators' known algebra */
  TL_BASIS_EXHAUSTIVE, /* every case of the carrier was tried */
  TL_BASIS_SEARCH,     /* corner values and random ones: no proof when the law holds */
} TlLawBasis;

/* What holds of one law. If it does not, a, b, c are carrier values (those that the
 * law names) for which its sides differ; left and right are the sides. For the two
 * closed laws left is the result and right the nearest carrier value. */
typedef struct
{
  TlLaw      law;
  gboolean   holds;
  TlLawBasis basis;
  TlScalar   a;
  TlScalar   b;
  TlScalar   c;
  TlScalar   left;
  TlScalar   right;
} TlLawVerdict;

/* Judges all laws. On float carriers they are judged for real numbers, integer sums
 * and products within the element type's own range as if it had no end (language.md
 * refuses data whose sums could leave it). Deterministic. */
void         tl_semiring_laws  (const TlSemiring *semiring,
                                TlLawVerdict      verdicts[TL_N_LAWS]);
/* One law alone. */
TlLawVerdict tl_semiring_law   (const TlSemiring *semiring,
                                TlLaw             law);
/* Evaluates both sides of @law at a, b, c; TRUE when they are equal. */
gboolean     tl_law_evaluate   (const TlSemiring *semiring,
                                TlLaw             law,
                                TlScalar          a,
                                TlScalar          b,
                                TlScalar          c,
                                TlScalar         *left,
                                TlScalar         *right);
/* The clause of language.md it belongs to: 'a' or 'd'. */
char         tl_law_clause     (TlLaw             law);
/* What it is called: "absorption". */
const char  *tl_law_name       (TlLaw             law);
/* "a = 3, c = 1: 3 + (3 x 1) gives 6, not 3" in the operators' own spelling. (transfer full) */
char        *tl_law_text       (const TlSemiring   *semiring,
                                const TlLawVerdict *verdict);
