/* Seeds: an index of all k-letter words of a sequence, and the places where a read may
 * lie by the words they share. The index is what PTR and CAL hold: where each word's
 * positions begin, and the positions. models.md section 4. */
#pragma once

#include "ir/schedule.h"

#define TL_SEED_MAX_BITS  TL_INDEX_MAX_BITS /* of PTR's subscript; longer words share entries and are told apart by their letters */
#define TL_SEED_MAX_HITS  256  /* a word that stands more often is no seed */
#define TL_SEED_MAX_PLACES 4
#define TL_SEED_FIRST      5
#define TL_SEED_MAX_CANDIDATES (2 * TL_SEED_MAX_PLACES)

typedef struct
{
  const char *letters; /* borrowed */
  guint       k;
  guint       bits;
  guint32    *ptr;     /* 2^bits + 1 */
  guint32    *cal;     /* positions from 0, rising within each entry */
  guint32     n_words; /* entries of cal: words without N or other letters */
} TlSeedIndex;

/* Where a read's first letter would stand in the sequence. */
typedef struct
{
  gint64 diagonal; /* position in the sequence minus position in the read */
  guint  hits;     /* words shared near that diagonal */
  gint64 start;    /* the middle diagonal of the first of these words in the read, up to TL_SEED_FIRST of them: gaps
                    * make the way leave the whole read's diagonal by its ends */
} TlSeedPlace;

/* @letters: A, C, G, T; words with other letters are left out. k 1..31. (transfer full) */
TlSeedIndex *tl_seed_index_new    (const char        *letters,
                                   guint32            n,
                                   guint              k);
void         tl_seed_index_free   (TlSeedIndex       *index);

/* Where a read may be aligned: places on either strand, those of the read first, best
 * first within a strand. */
typedef struct
{
  gboolean    reverse;
  TlSeedPlace place;
} TlSeedCandidate;

/* The candidates of a read of @n letters and its reverse complement @turned among
 * @columns letters: places with at least half of the hits of the best one of both strands
 * whose window, @half letters more on both sides, holds a letter. Returns how many. */
guint        tl_seed_candidates   (const TlSeedIndex *index,
                                   const char        *read,
                                   const char        *turned,
                                   guint32            n,
                                   gint64             half,
                                   guint64            columns,
                                   TlSeedCandidate    candidates[TL_SEED_MAX_CANDIDATES]);
/* The entries of the words of a read in their order, where there are whole words: what
 * a Search PU looks up. @entries: room for @n. Returns how many. */
guint32      tl_seed_entries      (const TlSeedIndex *index,
                                   const char        *read,
                                   guint32            n,
                                   guint32           *entries);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSeedIndex, tl_seed_index_free)
