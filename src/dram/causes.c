/* Heavy hitters by Metwally's Space-Saving, done in sets of four so that a record costs
 * one cache line: a key that is not counted yet takes the place of its set's rarest.
 * Records are counted some at a time, so that their sets are fetched together. */
#include "dram/causes.h"

#include "dram/carry-private.h"

#define SETS_BITS 9
#define SETS      (1u << SETS_BITS)
#define WAYS      4
#define BATCH     64

/* What a set is searched by: one line of the cache. */
typedef struct
{
  _Alignas(64) guint64 tag[WAYS];
  guint64 count[WAYS]; /* 0: empty */
} Set;

/* What is found by the sets, and what is not counted yet: that may be done while somebody only looks. */
typedef struct
{
  TlRowPair    pairs[SETS][WAYS]; /* count is in the set */
  TlDifference differences[SETS][WAYS];
  guint        n_added;
  TlCause      added[BATCH];
} Counted;

struct _TlCauses
{
  guint64  count;
  guint64  lost;
  guint    keep;
  GArray  *kept; /* of TlCause */
  Set     *sets; /* SETS of pairs, then SETS of differences */
  Counted *counted;
};

TlCauses *
tl_causes_new (guint keep)
{
  TlCauses *causes = g_new0 (TlCauses, 1);

  causes->keep = keep;
  causes->kept = g_array_new (FALSE, FALSE, sizeof (TlCause));
  causes->sets = g_aligned_alloc0 (2 * SETS, sizeof (Set), _Alignof(Set));
  causes->counted = g_new0 (Counted, 1);
  return causes;
}

void
tl_causes_free (TlCauses *causes)
{
  g_array_unref (causes->kept);
  g_aligned_free (causes->sets);
  g_free (causes->counted);
  g_free (causes);
}

/* Tags are one-to-one for rows below 2^22 and domains below 2^20; others are told apart by the pair itself. */
static guint64
pair_tag (guint32 domain, guint32 a, guint32 b)
{
  return ((guint64) b << 42) ^ ((guint64) a << 20) ^ domain;
}

static guint
set_of (guint64 tag)
{
  return (guint) (tag * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - SETS_BITS));
}

/* The way of @tag in @set: where it is, or the rarest, which is to be taken over. An
 * empty way's tag may match by chance; its count tells. */
static inline guint
way_of (const Set *set, guint64 tag)
{
  const guint64 *tags = set->tag, *counts = set->count;
  guint          match = (guint) (tags[0] == tag) | (guint) (tags[1] == tag) << 1 | (guint) (tags[2] == tag) << 2
                | (guint) (tags[3] == tag) << 3;

  if (match != 0)
    return (guint) __builtin_ctz (match);
  /* The way beside its count, since which it is cannot be foreseen and branches would be wrong. */
  guint64 low = MIN (counts[0] * WAYS, counts[1] * WAYS + 1), high = MIN (counts[2] * WAYS + 2, counts[3] * WAYS + 3);
  return (guint) (MIN (low, high) % WAYS);
}

/* A record and where it is counted. */
typedef struct
{
  guint64 pair_tag;
  guint64 bits;
  guint32 pair_set;
  guint32 bits_set;
} Place;

static Place
place_of (const TlCauses *causes, const TlCause *cause)
{
  Place place = { .bits = cause->opener_unit ^ cause->closer_unit };

  place.pair_tag
      = pair_tag (cause->domain, MIN (cause->open_row, cause->wanted_row), MAX (cause->open_row, cause->wanted_row));
  place.pair_set = set_of (place.pair_tag);
  place.bits_set = set_of (place.bits);
  __builtin_prefetch (&causes->sets[place.pair_set], 1);
  __builtin_prefetch (&causes->sets[SETS + place.bits_set], 1);
  return place;
}

static void
add_pair (const TlCauses *causes, const TlCause *cause, const Place *place)
{
  guint32    a = MIN (cause->open_row, cause->wanted_row);
  guint32    b = MAX (cause->open_row, cause->wanted_row);
  Set       *set = &causes->sets[place->pair_set];
  guint      way = way_of (set, place->pair_tag);
  TlRowPair *pair = &causes->counted->pairs[place->pair_set][way];

  if (set->count[way] == 0 || pair->row_a != a || pair->row_b != b || pair->domain != cause->domain)
    *pair = (TlRowPair) { .domain = cause->domain, .row_a = a, .row_b = b, .error = set->count[way] };
  set->tag[way] = place->pair_tag;
  set->count[way]++;
  pair->lost += cause->lost;
  pair->opener = cause->opener;
  pair->closer = cause->closer;
}

static void
add_difference (const TlCauses *causes, const TlCause *cause, const Place *place)
{
  Set          *set = &causes->sets[SETS + place->bits_set];
  guint         way = way_of (set, place->bits);
  TlDifference *difference = &causes->counted->differences[place->bits_set][way];

  if (set->count[way] == 0 || difference->bits != place->bits)
    *difference = (TlDifference) { .bits = place->bits, .error = set->count[way] };
  set->tag[way] = place->bits;
  set->count[way]++;
  difference->lost += cause->lost;
}

/* Counts what was added. */
static void
settle (const TlCauses *causes)
{
  Counted *counted = causes->counted;
  Place    places[BATCH];

  for (guint i = 0; i < counted->n_added; i++)
    places[i] = place_of (causes, &counted->added[i]);
  for (guint i = 0; i < counted->n_added; i++)
    add_pair (causes, &counted->added[i], &places[i]);
  for (guint i = 0; i < counted->n_added; i++)
    add_difference (causes, &counted->added[i], &places[i]);
  counted->n_added = 0;
}

void
tl_causes_add (TlCauses *causes, const TlCause *cause)
{
  causes->count++;
  causes->lost += cause->lost;
  if (G_UNLIKELY (causes->kept->len < causes->keep))
    g_array_append_val (causes->kept, *cause);
  causes->counted->added[causes->counted->n_added++] = *cause;
  if (causes->counted->n_added == BATCH)
    settle (causes);
}

guint64
tl_causes_count (const TlCauses *causes)
{
  return causes->count;
}

guint64
tl_causes_lost (const TlCauses *causes)
{
  return causes->lost;
}

guint
tl_causes_n_kept (const TlCauses *causes)
{
  return causes->kept->len;
}

const TlCause *
tl_causes_kept (const TlCauses *causes, guint index)
{
  g_return_val_if_fail (index < causes->kept->len, NULL);
  return &g_array_index (causes->kept, TlCause, index);
}

static int
by_pair (gconstpointer a, gconstpointer b)
{
  const TlRowPair *x = a, *y = b;

  if (x->count - x->error != y->count - y->error)
    return x->count - x->error < y->count - y->error ? 1 : -1;
  if (x->domain != y->domain)
    return x->domain < y->domain ? -1 : 1;
  if (x->row_a != y->row_a)
    return x->row_a < y->row_a ? -1 : 1;
  return (x->row_b > y->row_b) - (x->row_b < y->row_b);
}

static int
by_difference (gconstpointer a, gconstpointer b)
{
  const TlDifference *x = a, *y = b;

  if (x->count - x->error != y->count - y->error)
    return x->count - x->error < y->count - y->error ? 1 : -1;
  return (x->bits > y->bits) - (x->bits < y->bits);
}

GArray *
tl_causes_row_pairs (const TlCauses *causes, guint n)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (TlRowPair));

  settle (causes);
  for (guint i = 0; i < SETS * WAYS; i++)
    if (causes->sets[i / WAYS].count[i % WAYS] > 0)
      {
        TlRowPair pair = causes->counted->pairs[i / WAYS][i % WAYS];
        pair.count = causes->sets[i / WAYS].count[i % WAYS];
        g_array_append_val (ranked, pair);
      }
  g_array_sort (ranked, by_pair);
  if (ranked->len > n)
    g_array_set_size (ranked, n);
  return ranked;
}

GArray *
tl_causes_differences (const TlCauses *causes, guint n)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (TlDifference));

  settle (causes);
  for (guint i = 0; i < SETS * WAYS; i++)
    if (causes->sets[SETS + i / WAYS].count[i % WAYS] > 0)
      {
        TlDifference difference = causes->counted->differences[i / WAYS][i % WAYS];
        difference.count = causes->sets[SETS + i / WAYS].count[i % WAYS];
        g_array_append_val (ranked, difference);
      }
  g_array_sort (ranked, by_difference);
  if (ranked->len > n)
    g_array_set_size (ranked, n);
  return ranked;
}

void
tl_causes_carry (TlCauses *causes, TlCarry *carry)
{
  guint n = causes->kept->len;

  settle (causes);
  tl_carry (carry, &causes->count, sizeof causes->count);
  tl_carry (carry, &causes->lost, sizeof causes->lost);
  tl_carry (carry, &n, sizeof n);
  g_array_set_size (causes->kept, n);
  for (guint i = 0; i < n; i++)
    {
      TlCause *kept = &g_array_index (causes->kept, TlCause, i), clean;

      /* The same bytes of the same records: nothing between the fields. */
      memset (&clean, 0, sizeof clean);
      clean.time = kept->time;
      clean.opener = kept->opener;
      clean.closer = kept->closer;
      clean.opener_unit = kept->opener_unit;
      clean.closer_unit = kept->closer_unit;
      clean.lost = kept->lost;
      clean.domain = kept->domain;
      clean.open_row = kept->open_row;
      clean.wanted_row = kept->wanted_row;
      tl_carry (carry, &clean, sizeof clean);
      memcpy (kept, &clean, sizeof clean);
    }
  tl_carry (carry, causes->sets, 2 * SETS * sizeof (Set));
  tl_carry (carry, causes->counted->pairs, sizeof causes->counted->pairs);
  tl_carry (carry, causes->counted->differences, sizeof causes->counted->differences);
}
