/* Interned bank states and the table of pieces met so far. */
#include "sim/memo-table-private.h"

#include <string.h>

/* The table of states hashes by number, looking at the vector; the number past the
 * last one is the scratch vector. */
typedef struct
{
  TlMemo *memo;
  guint   hash;
  gint64  values[];
} StateKey;

static guint
hash_values (const gint64 *values, guint width)
{
  guint64 hash = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (guint v = 0; v < width; v++)
    {
      hash ^= (guint64) values[v];
      hash *= G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
      hash ^= hash >> 32;
    }
  return (guint) hash;
}

static guint
state_hash (gconstpointer key)
{
  return ((const StateKey *) key)->hash;
}

static gboolean
state_equal (gconstpointer a, gconstpointer b)
{
  const StateKey *x = a, *y = b;

  return x->hash == y->hash && memcmp (x->values, y->values, x->memo->width * sizeof (gint64)) == 0;
}

guint32
tl_memo_intern_values (TlMemo *memo, const gint64 *values)
{
  gsize                size = sizeof (StateKey) + memo->width * sizeof (gint64);
  g_autofree StateKey *key = g_malloc (size);
  gpointer             found;
  gint64               longest = 0;
  guint8               strange = FALSE;
  guint32              state = memo->longest->len;
  guint                times = memo->plan->timings.open ? TL_MEMO_FIXED + 2 * memo->plan->timings.banks : memo->width;

  key->memo = memo;
  key->hash = hash_values (values, memo->width);
  memcpy (key->values, values, memo->width * sizeof (gint64));
  found = g_hash_table_lookup (memo->states, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  for (guint v = 0; v < times; v++)
    longest = MAX (longest, values[v]);
  g_assert (state < 1u << 24);
  g_array_append_vals (memo->values, values, memo->width);
  g_array_append_val (memo->longest, longest);
  for (guint v = times; v < memo->width; v++)
    strange |= values[v] >= TL_MEMO_SYMBOL_OTHER (0);
  g_array_append_val (memo->strange, strange);
  g_hash_table_insert (memo->states, g_steal_pointer (&key), GUINT_TO_POINTER (state + 1));
  return state;
}

TlMemo *
tl_memo_new (const TlSimPlan *plan, gboolean forget_bank_state)
{
  TlMemo *memo = g_new0 (TlMemo, 1);

  memo->plan = plan;
  memo->forget = forget_bank_state;
  memo->width = TL_MEMO_FIXED + plan->timings.banks * (plan->timings.open ? 3 : 1);
  memo->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  memo->longest = g_array_new (FALSE, FALSE, sizeof (gint64));
  memo->patterns = g_array_new (FALSE, FALSE, sizeof (guint32));
  memo->strange = g_array_new (FALSE, FALSE, sizeof (guint8));
  memo->states = g_hash_table_new_full (state_hash, state_equal, g_free, NULL);
  memo->entries = g_ptr_array_new_with_free_func (g_free);
  memo->mask = 255;
  memo->keys = g_new0 (guint64, memo->mask + 1);
  memo->found = g_new0 (guint32, memo->mask + 1);
  memo->last_key = G_MAXUINT64;
  memset (memo->scratch, 0, sizeof memo->scratch);
  tl_memo_intern_values (memo, memo->scratch);
  return memo;
}

void
tl_memo_free (TlMemo *memo)
{
  if (memo == NULL)
    return;
  g_array_unref (memo->values);
  g_array_unref (memo->longest);
  g_array_unref (memo->strange);
  g_array_unref (memo->patterns);
  g_hash_table_unref (memo->states);
  g_ptr_array_unref (memo->entries);
  g_free (memo->keys);
  g_free (memo->found);
  g_free (memo->steps);
  g_free (memo->step_found);
  g_free (memo);
}

guint32
tl_memo_count (const TlMemo *memo)
{
  return memo->entries->len;
}

const TlMemoEntry *
tl_memo_entry (const TlMemo *memo, guint32 entry)
{
  return memo->entries->pdata[entry];
}

static inline gint64
relative (gint64 time, gint64 base)
{
  return MAX (time - base, 0);
}

void
tl_memo_times_of (const TlMemo *memo, const TlGroup *group, gint64 base, gint64 *values)
{
  const guint32 banks = memo->plan->timings.banks;

  values[0] = relative (group->column, base);
  values[1] = relative (group->bus, base);
  values[2] = relative (group->read, base);
  values[3] = relative (group->act, base);
  for (guint w = 0; w < 4; w++)
    values[4 + w] = relative (group->window[w], base);
  for (guint32 b = 0; b < banks; b++)
    values[TL_MEMO_FIXED + b] = relative (group->ready[b], base);
}

void
tl_memo_group_of (const TlMemo *memo, const gint64 *values, gint64 base, TlGroup *group)
{
  const guint32 banks = memo->plan->timings.banks;

  group->column = base + values[0];
  group->bus = base + values[1];
  group->read = base + values[2];
  group->act = base + values[3];
  for (guint w = 0; w < 4; w++)
    group->window[w] = base + values[4 + w];
  for (guint32 b = 0; b < banks; b++)
    group->ready[b] = base + values[TL_MEMO_FIXED + b];
}

guint32
tl_memo_settle (TlMemo *memo, guint32 state, gint64 later)
{
  if (later == 0 || state == 0)
    return state;
  if (later >= g_array_index (memo->longest, gint64, state))
    return 0;
  const gint64 *values = &g_array_index (memo->values, gint64, (gsize) state * memo->width);

  for (guint v = 0; v < memo->width; v++)
    memo->scratch[v] = MAX (values[v] - later, 0);
  return tl_memo_intern_values (memo, memo->scratch);
}

guint32
tl_memo_intern (TlMemo *memo, const TlGroup *group, gint64 base)
{
  tl_memo_times_of (memo, group, base, memo->scratch);
  return tl_memo_intern_values (memo, memo->scratch);
}

void
tl_memo_extract (const TlMemo *memo, guint32 state, gint64 base, TlGroup *group)
{
  tl_group_init (group, &memo->plan->timings);
  tl_memo_group_of (memo, &g_array_index (memo->values, gint64, (gsize) state * memo->width), base, group);
}

static void
grow (TlMemo *memo)
{
  guint32             old = memo->mask;
  g_autofree guint64 *keys = memo->keys;
  g_autofree guint32 *found = memo->found;

  memo->mask = old * 2 + 1;
  memo->keys = g_new0 (guint64, memo->mask + 1);
  memo->found = g_new0 (guint32, memo->mask + 1);
  for (guint32 o = 0; o <= old; o++)
    if (found[o] != 0)
      {
        guint32 at = (guint32) ((keys[o] * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) & memo->mask;

        while (memo->found[at] != 0)
          at = (at + 1) & memo->mask;
        memo->keys[at] = keys[o];
        memo->found[at] = found[o];
      }
}

/* Place of @key in the table: its own, or the free one it would get. */
static guint32
place (const TlMemo *memo, guint64 key)
{
  guint32 at = (guint32) ((key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) & memo->mask;

  while (memo->found[at] != 0 && memo->keys[at] != key)
    at = (at + 1) & memo->mask;
  return at;
}

guint32
tl_memo_insert (TlMemo *memo, guint64 key, TlMemoEntry *entry)
{
  guint32 number = memo->entries->len;

  g_ptr_array_add (memo->entries, entry);
  if (memo->entries->len * 2 > memo->mask)
    grow (memo);
  guint32 at = place (memo, key);

  memo->keys[at] = key;
  memo->found[at] = number + 1;
  memo->last_key = key;
  memo->last = number + 1;
  return number;
}

guint32
tl_memo_look_up (TlMemo *memo, guint64 key)
{
  if (key == memo->last_key)
    return memo->last;
  guint32 found = memo->found[place (memo, key)];

  if (found != 0)
    {
      memo->last_key = key;
      memo->last = found;
    }
  return found;
}

guint32
tl_memo_find (TlMemo *memo, const TlTask *task, TlPieceKind kind, guint32 state)
{
  guint64 key = tl_memo_key (memo, tl_memo_piece (memo, task, kind), state);
  guint32 found = tl_memo_look_up (memo, key);

  if (G_LIKELY (found != 0))
    return found - 1;

  TlMemoEntry *entry = g_new0 (TlMemoEntry, 1);
  TlGroup      group;
  TlWork       work;

  tl_sim_plan_work (memo->plan, task, &work);
  tl_memo_extract (memo, state, 0, &group);
  tl_piece_run (memo->plan, &work, kind, 0, &group, &entry->times, &entry->tally, NULL, NULL);
  entry->phase = task->phase;
  entry->after = tl_memo_intern (memo, &group, entry->times.end);
  return tl_memo_insert (memo, key, entry);
}
