/* Heavy hitters by Metwally's Space-Saving, done in sets of four so that a record costs
 * one cache line: a key that is not counted yet takes the place of its set's rarest. */
#include "dram/causes.h"

#include <string.h>

#define SETS_BITS 10
#define SETS      (1u << SETS_BITS)
#define WAYS      4

struct _TlCauses
{
  guint64      count;
  guint64      lost;
  guint        keep;
  GArray      *kept;        /* of TlCause */
  TlRowPair    pairs[SETS][WAYS]; /* count 0: empty */
  TlDifference differences[SETS][WAYS];
};

TlCauses *
tl_causes_new (guint keep)
{
  TlCauses *causes = g_new0 (TlCauses, 1);

  causes->keep = keep;
  causes->kept = g_array_new (FALSE, FALSE, sizeof (TlCause));
  return causes;
}

void
tl_causes_free (TlCauses *causes)
{
  g_array_unref (causes->kept);
  g_free (causes);
}

TlCauses *
tl_causes_copy (const TlCauses *causes)
{
  TlCauses *copy = g_memdup2 (causes, sizeof *causes);

  copy->kept = g_array_copy (causes->kept);
  return copy;
}

static guint
set_of (guint64 key)
{
  return (guint) (key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - SETS_BITS));
}

static void
add_pair (TlCauses *causes, const TlCause *cause)
{
  guint32    a = MIN (cause->open_row, cause->wanted_row);
  guint32    b = MAX (cause->open_row, cause->wanted_row);
  guint64    key = ((guint64) a << 32 | b) ^ (guint64) cause->domain * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  TlRowPair *set = causes->pairs[set_of (key)];
  TlRowPair *at = &set[0];

  for (guint i = 0; i < WAYS; i++)
    {
      if (set[i].row_b == b && set[i].row_a == a && set[i].domain == cause->domain && set[i].count > 0)
        {
          at = &set[i];
          break;
        }
      if (set[i].count < at->count)
        at = &set[i];
    }
  if (at->row_a != a || at->row_b != b || at->domain != cause->domain || at->count == 0)
    *at = (TlRowPair) { .domain = cause->domain, .row_a = a, .row_b = b, .count = at->count, .error = at->count };
  at->count++;
  at->lost += cause->lost;
  at->opener = cause->opener;
  at->closer = cause->closer;
}

static void
add_difference (TlCauses *causes, const TlCause *cause)
{
  guint64       bits = cause->opener_unit ^ cause->closer_unit;
  TlDifference *set = causes->differences[set_of (bits)];
  TlDifference *at = &set[0];

  for (guint i = 0; i < WAYS; i++)
    {
      if (set[i].bits == bits && set[i].count > 0)
        {
          at = &set[i];
          break;
        }
      if (set[i].count < at->count)
        at = &set[i];
    }
  if (at->bits != bits || at->count == 0)
    *at = (TlDifference) { .bits = bits, .count = at->count, .error = at->count };
  at->count++;
  at->lost += cause->lost;
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

  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
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

  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return (x->bits > y->bits) - (x->bits < y->bits);
}

GArray *
tl_causes_row_pairs (const TlCauses *causes, guint n)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (TlRowPair));

  for (guint i = 0; i < SETS * WAYS; i++)
    if (causes->pairs[i / WAYS][i % WAYS].count > 0)
      g_array_append_val (ranked, causes->pairs[i / WAYS][i % WAYS]);
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
    if (causes->differences[i / WAYS][i % WAYS].count > 0)
      g_array_append_val (ranked, causes->differences[i / WAYS][i % WAYS]);
  g_array_sort (ranked, by_difference);
  if (ranked->len > n)
    g_array_set_size (ranked, n);
  return ranked;
}
