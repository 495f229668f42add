/* Subspaces of GF(2)^n, n <= 16, as reduced echelon bases: vectors are integers
 * (bit i = coordinate i), pivots descend. A subspace has exactly one such basis, so
 * bases compare as subspaces. */
#pragma once

#include "place/sequence.h"

typedef struct
{
  guint   dim;
  guint16 basis[TL_PLACE_MAX_BITS];
} TlSubspace;

/* The span of @n vectors. */
TlSubspace tl_subspace_span       (const guint16    *vectors,
                                   guint             n);
/* {x : x . v = 0 for all v of @space} in GF(2)^n; its own inverse. */
TlSubspace tl_subspace_complement (const TlSubspace *space,
                                   guint             n);
/* All 2^dim vectors, the zero vector first. @vectors has room for them. */
void       tl_subspace_vectors    (const TlSubspace *space,
                                   guint16          *vectors);
gboolean   tl_subspace_contains   (const TlSubspace *space,
                                   guint16           vector);
/* Whether all vectors of @inner are in @outer. */
gboolean   tl_subspace_inside     (const TlSubspace *inner,
                                   const TlSubspace *outer);
/* Lexicographic by basis vectors; a beginning of the other comes first. */
int        tl_subspace_compare    (const TlSubspace *a,
                                   const TlSubspace *b);

/* Number of subspaces of dimension @dim (the Gaussian binomial), G_MAXDOUBLE never reached for n <= 16. */
double     tl_subspace_count      (guint             n,
                                   guint             dim);
/* FALSE stops. */
typedef gboolean (*TlSubspaceVisit) (const TlSubspace *space,
                                     gpointer          data);
/* Visits each subspace of dimension @dim of GF(2)^n once. FALSE when a visit stopped it. */
gboolean   tl_subspace_each       (guint             n,
                                   guint             dim,
                                   TlSubspaceVisit   visit,
                                   gpointer          data);
/* The same for those spanned by unit vectors. */
gboolean   tl_subspace_each_plain (guint             n,
                                   guint             dim,
                                   TlSubspaceVisit   visit,
                                   gpointer          data);
