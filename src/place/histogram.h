/* Predecessor-difference histograms: what a domain map leaves of a sequence. Under a
 * domain map (bit i of a unit's domain = parity of rows[i] & unit) each access has
 * the last access of the same domain as its predecessor; it hits exactly when the
 * XOR of the two lies in the row-reuse kernel K. So hits = w(K), misses = domains
 * touched, conflicts = the rest, whatever K is (models.md section 6). */
#pragma once

#include "place/subspace.h"

typedef struct
{
  guint    bits;
  guint32  accesses;
  guint32  coverage;  /* domains touched */
  guint32 *weight;    /* [2^bits]: accesses whose predecessor differs by x; 0 is a repeat */
  guint16 *domain_of; /* scratch, [2^bits] */
  guint32 *last;      /* scratch, [2^bits] */
} TlHistogram;

/* Room for sequences of @bits bits: at most 1 MiB. (transfer full) */
TlHistogram *tl_histogram_new   (guint              bits);
void         tl_histogram_free  (TlHistogram       *histogram);
/* Counts @sequence under @n_rows <= 16 row masks; rows may depend on each other. The work is
 * one step an access and 2^bits. */
void         tl_histogram_count (TlHistogram       *histogram,
                                 const TlSequence  *sequence,
                                 const guint16     *rows,
                                 guint              n_rows);
/* The sum of the weights over a subspace, the repeats included. */
guint64      tl_histogram_over  (const TlHistogram *histogram,
                                 const TlSubspace  *space);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlHistogram, tl_histogram_free)
