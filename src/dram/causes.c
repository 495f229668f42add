/* Heavy hitters by Metwally's Space-Saving, done in sets of four so that a record costs
 * one cache line: a key that is not counted yet takes the place of its set's rarest. */
#include "dram/causes.h"

#include "dram/carry-private.h"

#define SETS_BITS 9
#define SETS      (1u << SETS_BITS)
#define WAYS      4

/* What a set is searched by: one line of the cache. */
typedef struct
{
  _Alignas(64) guint64 tag[WAYS];
  guint64 count[WAYS]; /* 0: empty */
} Set;

struct _TlCauses
{
  guint64      count;
  guint64      lost;
  guint        keep;
  GArray      *kept;              /* of TlCause */
  Set         *sets;              /* SETS of pairs, then SETS of differences */
  TlRowPair    pairs[SETS][WAYS]; /* count is in the set */
  TlDifference differences[SETS][WAYS];
};

TlCauses *
tl_causes_new (guint keep)
{
  TlCauses *causes = g_new0 (TlCauses, 1);

  causes->keep = keep;
  causes->kept = g_array_new (FALSE, FALSE, sizeof (TlCause));
  causes->sets = g_aligned_alloc0 (2 * SETS, sizeof (Set), _Alignof(Set));
  return causes;
}

void
tl_causes_free (TlCauses *causes)
{
  g_array_unref (causes->kept);
  g_aligned_free (causes->sets);
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
static guint
way_of (const Set *set, guint64 tag)
{
  guint match = 0, low, high;

  for (guint i = 0; i < WAYS; i++)
    match |= (guint) (set->tag[i] == tag) << i;
  if (match != 0)
    return (guint) __builtin_ctz (match);
  low = set->count[1] < set->count[0];
  high = 2 + (set->count[3] < set->count[2]);
  return set->count[high] < set->count[low] ? high : low;
}

static void
add_pair (TlCauses *causes, const TlCause *cause)
{
  guint32    a = MIN (cause->open_row, cause->wanted_row);
  guint32    b = MAX (cause->open_row, cause->wanted_row);
  guint64    tag = pair_tag (cause->domain, a, b);
  guint      at = set_of (tag);
  Set       *set = &causes->sets[at];
  guint      way = way_of (set, tag);
  TlRowPair *pair = &causes->pairs[at][way];

  if (set->count[way] == 0 || pair->row_a != a || pair->row_b != b || pair->domain != cause->domain)
    *pair = (TlRowPair) { .domain = cause->domain, .row_a = a, .row_b = b, .error = set->count[way] };
  set->tag[way] = tag;
  set->count[way]++;
  pair->lost += cause->lost;
  pair->opener = cause->opener;
  pair->closer = cause->closer;
}

static void
add_difference (TlCauses *causes, const TlCause *cause)
{
  guint64       bits = cause->opener_unit ^ cause->closer_unit;
  guint         at = set_of (bits);
  Set          *set = &causes->sets[SETS + at];
  guint         way = way_of (set, bits);
  TlDifference *difference = &causes->differences[at][way];

  if (set->count[way] == 0 || difference->bits != bits)
    *difference = (TlDifference) { .bits = bits, .error = set->count[way] };
  set->tag[way] = bits;
  set->count[way]++;
  difference->lost += cause->lost;
}

void
tl_causes_expect (const TlCauses *causes, guint32 domain, guint32 open_row, guint32 wanted_row, guint64 difference)
{
  guint at = set_of (pair_tag (domain, MIN (open_row, wanted_row), MAX (open_row, wanted_row)));

  __builtin_prefetch (&causes->sets[at], 1);
  for (guint way = 0; way < WAYS; way++)
    __builtin_prefetch (&causes->pairs[at][way], 1);
  at = set_of (difference);
  __builtin_prefetch (&causes->sets[SETS + at], 1);
  for (guint way = 0; way < WAYS; way += 2)
    __builtin_prefetch (&causes->differences[at][way], 1);
}

void
tl_causes_add (TlCauses *causes, const TlCause *cause)
{
  causes->count++;
  causes->lost += cause->lost;
  if (causes->kept->len < causes->keep)
    g_array_append_val (causes->kept, *cause);
  add_pair (causes, cause);
  add_difference (causes, cause);
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

  for (guint i = 0; i < SETS * WAYS; i++)
    if (causes->sets[i / WAYS].count[i % WAYS] > 0)
      {
        TlRowPair pair = causes->pairs[i / WAYS][i % WAYS];
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

  for (guint i = 0; i < SETS * WAYS; i++)
    if (causes->sets[SETS + i / WAYS].count[i % WAYS] > 0)
      {
        TlDifference difference = causes->differences[i / WAYS][i % WAYS];
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
  tl_carry (carry, causes->pairs, sizeof causes->pairs);
  tl_carry (carry, causes->differences, sizeof causes->differences);
}
