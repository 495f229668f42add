/* From a flag K < H to an invertible map of unit bits: domain rows are a basis of
 * the annihilator of H, row rows extend it to that of K, column rows extend both to
 * the whole space. Each extension has the fewest ones (a matroid, so greedy by
 * number of ones, then integer, is exact and the choices do not disturb each other). */
#pragma once

#include "place/subspace.h"

typedef struct
{
  guint   bits;
  guint   n_domain;
  guint   n_row;
  guint   n_column;
  guint16 rows[TL_PLACE_MAX_BITS]; /* domain rows, row rows, column rows */
  guint   nonzeros;
} TlPlacement;

/* All vectors but zero by number of ones, then integer: the order of every completion. */
typedef struct
{
  guint    bits;
  guint32  n;
  guint16 *vectors;
} TlByOnes;

TlByOnes *tl_by_ones_new        (guint             bits);
void      tl_by_ones_free       (TlByOnes         *order);

/* Fills @rows with a minimum-weight extension of the @n_rows given rows (they are
 * independent and annihilate @space) to a basis of the annihilator of @space. Returns the number of ones that it adds,
 * or G_MAXUINT as soon as that is sure to be more than @at_most (the rows added then mean nothing). */
guint     tl_completion_extend  (const TlByOnes   *order,
                                 const TlSubspace *space,
                                 guint16          *rows,
                                 guint             n_rows,
                                 guint             at_most);
/* The whole map of a flag. */
void      tl_completion_of_flag (const TlByOnes   *order,
                                 const TlSubspace *kernel,
                                 const TlSubspace *domain_kernel,
                                 TlPlacement      *placement);
/* The flag that a map belongs to: what its domain rows annihilate, and what its domain and row rows do. */
void      tl_placement_flag     (const TlPlacement *placement,
                                 TlSubspace        *kernel,
                                 TlSubspace        *domain_kernel);
/* Column = the low c bits, domain = the next d, row = the rest; what n lacks is left out. */
void      tl_placement_identity (guint             bits,
                                 guint             c,
                                 guint             d,
                                 TlPlacement      *placement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlByOnes, tl_by_ones_free)
