/* Seeds: the index by counting, and places by sliding over sorted diagonals. */
#include "sim/seeds.h"

#include <string.h>

/* The word that ends at each letter, fed one letter after the other. */
typedef struct
{
  guint   k;
  guint64 word;
  guint   good; /* letters since the last that is none of ACGT */
} Words;

static gboolean
feed (Words *words, char letter)
{
  static const char order[] = "ACGT";
  const char       *found = memchr (order, letter, 4);

  if (found == NULL)
    {
      words->good = 0;
      return FALSE;
    }
  words->word = ((words->word << 2) | (guint64) (found - order)) & ((G_GUINT64_CONSTANT (1) << (2 * words->k)) - 1);
  words->good = MIN (words->good + 1, words->k);
  return words->good == words->k;
}

static guint32
entry_of (const TlSeedIndex *index, guint64 word)
{
  if (2 * index->k <= index->bits)
    return (guint32) word;
  return (guint32) ((word * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> (64 - index->bits));
}

TlSeedIndex *
tl_seed_index_new (const char *letters, guint32 n, guint k)
{
  TlSeedIndex *index = g_new0 (TlSeedIndex, 1);

  g_return_val_if_fail (k >= 1 && k <= 31, index);
  index->letters = letters;
  index->k = k;
  index->bits = MIN (2 * k, TL_SEED_MAX_BITS);
  index->ptr = g_new0 (guint32, ((gsize) 1 << index->bits) + 1);
  for (guint pass = 0; pass < 2; pass++)
    {
      Words words = { .k = k };

      for (guint32 i = 0; i < n; i++)
        {
          if (!feed (&words, letters[i]))
            continue;
          guint32 entry = entry_of (index, words.word);
          if (pass == 0)
            index->ptr[entry + 1]++;
          else
            index->cal[index->ptr[entry]++] = i + 1 - k;
        }
      if (pass == 1)
        break;
      for (gsize e = 0; e < (gsize) 1 << index->bits; e++)
        index->ptr[e + 1] += index->ptr[e];
      index->n_words = index->ptr[(gsize) 1 << index->bits];
      index->cal = g_new (guint32, MAX (index->n_words, 1));
    }
  /* Filling moved each beginning to its end: the next one's beginning. */
  memmove (index->ptr + 1, index->ptr, ((gsize) 1 << index->bits) * sizeof *index->ptr);
  index->ptr[0] = 0;
  return index;
}

void
tl_seed_index_free (TlSeedIndex *index)
{
  if (index == NULL)
    return;
  g_free (index->ptr);
  g_free (index->cal);
  g_free (index);
}

/* A word that read and sequence share. */
typedef struct
{
  gint64  diagonal;
  guint32 at; /* in the read */
} Hit;

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *first = a, *second = b;

  if (first->diagonal != second->diagonal)
    return first->diagonal < second->diagonal ? -1 : 1;
  return first->at < second->at ? -1 : first->at > second->at;
}

/* All words that read and sequence share, by rising diagonal. */
static GArray *
shared_words (const TlSeedIndex *index, const char *read, guint32 n)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  Words   words = { .k = index->k };

  for (guint32 i = 0; i < n; i++)
    {
      if (!feed (&words, read[i]))
        continue;
      guint32 entry = entry_of (index, words.word), start = i + 1 - index->k;
      guint32 first = index->ptr[entry], last = index->ptr[entry + 1];

      for (guint32 c = first; last - first <= TL_SEED_MAX_HITS && c < last; c++)
        {
          const Hit hit = { (gint64) index->cal[c] - start, start };
          if (2 * index->k <= index->bits || memcmp (index->letters + index->cal[c], read + start, index->k) == 0)
            g_array_append_val (hits, hit);
        }
    }
  g_array_sort (hits, compare_hits);
  return hits;
}

static gboolean
is_near (const TlSeedPlace *places, guint n, gint64 diagonal, guint32 width)
{
  for (guint p = 0; p < n; p++)
    if (ABS (places[p].diagonal - diagonal) < (gint64) width)
      return TRUE;
  return FALSE;
}

/* The middle diagonal of the first words of a stretch. */
static gint64
start_of (const Hit *hits, guint n)
{
  Hit   first[TL_SEED_FIRST];
  guint count = 0;

  for (guint h = 0; h < n; h++)
    {
      guint to = MIN (count, TL_SEED_FIRST - 1);

      if (count == TL_SEED_FIRST && hits[h].at >= first[to].at)
        continue;
      for (; to > 0 && first[to - 1].at > hits[h].at; to--)
        first[to] = first[to - 1];
      first[to] = hits[h];
      count = MIN (count + 1, TL_SEED_FIRST);
    }
  qsort (first, count, sizeof first[0], compare_hits);
  return first[count / 2].diagonal;
}

/* Up to @max places, those with most hits first, ties by diagonal: stretches of @width
 * diagonals, no two nearer than that, none with less than half of the first one's hits.
 * Returns how many. */
static guint
find_places (const TlSeedIndex *index, const char *read, guint32 n, guint32 width, TlSeedPlace *places, guint max)
{
  g_autoptr (GArray) hits = shared_words (index, read, n);
  const Hit *d = (const Hit *) (gpointer) hits->data;
  guint      count = 0;

  while (count < max)
    {
      TlSeedPlace best = { 0 };
      guint       best_first = 0;

      for (guint first = 0, end = 0; first < hits->len; first++)
        {
          while (end < hits->len && d[end].diagonal - d[first].diagonal <= (gint64) width)
            end++;
          /* The middle one of the stretch: drift by gaps is as large before it as behind it. */
          gint64 middle = d[first + (end - first) / 2].diagonal;
          if (end - first <= best.hits || is_near (places, count, middle, width))
            continue;
          best = (TlSeedPlace) { .diagonal = middle, .hits = end - first };
          best_first = first;
        }
      if (best.hits == 0 || (count > 0 && best.hits < (places[0].hits + 1) / 2))
        break;
      best.start = start_of (d + best_first, best.hits);
      places[count++] = best;
    }
  return count;
}

guint
tl_seed_candidates (const TlSeedIndex *index, const char *read, const char *turned, guint32 n, gint64 half,
                    guint64 columns, TlSeedCandidate candidates[TL_SEED_MAX_CANDIDATES])
{
  TlSeedPlace places[2][TL_SEED_MAX_PLACES];
  guint       n_places[2], most = 0, count = 0;

  for (guint strand = 0; strand < 2; strand++)
    {
      n_places[strand] = find_places (index, strand == 0 ? read : turned, n, (guint32) MAX (half, 16), places[strand],
                                      TL_SEED_MAX_PLACES);
      if (n_places[strand] > 0)
        most = MAX (most, places[strand][0].hits);
    }
  for (guint strand = 0; strand < 2; strand++)
    for (guint p = 0; p < n_places[strand]; p++)
      {
        const TlSeedPlace *place = &places[strand][p];
        gint64             first = place->diagonal - half, last = first + n + 2 * half;

        if (2 * place->hits >= most && MAX (first, 0) < MIN (last, (gint64) columns))
          candidates[count++] = (TlSeedCandidate) { strand == 1, *place };
      }
  return count;
}

guint32
tl_seed_entries (const TlSeedIndex *index, const char *read, guint32 n, guint32 *entries)
{
  Words   words = { .k = index->k };
  guint32 count = 0;

  for (guint32 i = 0; i < n; i++)
    if (feed (&words, read[i]))
      entries[count++] = entry_of (index, words.word);
  return count;
}
