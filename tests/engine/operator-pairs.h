/* 500 pairs of operators on eight values, given as tables; what holds of them by trying everything; programs that use
 * them, and whether a refusal is right. */
#pragma once

#include "support-engine.h"

#define N     8
#define PAIRS 500

typedef enum
{
  PLUS_ASSOCIATIVE,
  PLUS_COMMUTATIVE,
  DISTRIBUTES_LEFT,
  DISTRIBUTES_RIGHT,
  TIMES_ASSOCIATIVE,
  IDEMPOTENT,
  ABSORPTIVE,
  N_LAWS
} Law;

#define CLAUSE_A                                                                                                       \
  ((1 << PLUS_ASSOCIATIVE) | (1 << PLUS_COMMUTATIVE) | (1 << DISTRIBUTES_LEFT) | (1 << DISTRIBUTES_RIGHT))

typedef struct
{
  guint8 plus[N][N];
  guint8 times[N][N];
} Pair;

typedef struct
{
  guint    failing; /* bits of Law */
  gboolean has_zero, has_one;
  guint    zero, one;
} Truth;

Truth         truth_of      (const Pair    *p);
/* 160 lawful ones, 20 for each law that alone fails, the rest as they come; the same every time for the same @state.
 * (transfer full), of Pair */
GArray       *make_pairs    (guint64       *state);
/* One that satisfies everything. */
void          make_lawful   (Pair          *p,
                             guint64       *state);
/* The same pair with its values called differently. */
void          rename_values (Pair          *p,
                             guint64       *state);
/* @algorithm, its operators f and g, then @data. (transfer full) */
char         *program_of    (const Pair    *p,
                             const char    *algorithm,
                             const char    *data);
const TlDiag *first_error   (const TlDiags *diags);
/* Does @diag name a law of @asked that fails, with a counterexample, or a neutral value that is not there? */
void          check_refusal (const Pair    *p,
                             const Truth   *truth,
                             const TlDiag  *diag,
                             guint          asked);

static inline guint
below (guint64 *state, guint bound)
{
  return (guint) tl_test_random_below (state, bound);
}
