/* Interned bank states and the table of pieces met so far. */
#include "sim/memo-private.h"

#include <string.h>

#define FIXED 8 /* column, bus, read, act, window[4] */

/* Names of open rows in a state: closed, row q of the piece's tile t, or another
 * row, of which only its tier matters. */
#define SYMBOL_TILE(t, q)  (((gint64) (t) + 1) << 40 | (q))
#define SYMBOL_OTHER(tier) ((G_GINT64_CONSTANT (1) << 50) | (tier))

struct _TlMemo
{
  const TlSimPlan *plan;
  gboolean         forget;
  guint            width;   /* numbers a state */
  GArray          *values;  /* of gint64, width a state */
  GArray          *longest; /* of gint64, the largest time of each state */
  GHashTable      *states;  /* of state number + 1, by content */
  GPtrArray       *entries; /* of TlMemoEntry * */
  guint64         *keys;    /* open addressing: piece, state */
  guint32         *found;   /* entry + 1 */
  guint32          mask;
  guint64          last_key;
  guint32          last; /* entry of last_key + 1 */
  gint64           scratch[FIXED + 3 * TL_MAX_BANKS];
};

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

static guint32
intern (TlMemo *memo, const gint64 *values)
{
  gsize                size = sizeof (StateKey) + memo->width * sizeof (gint64);
  g_autofree StateKey *key = g_malloc (size);
  gpointer             found;
  gint64               longest = 0;
  guint32              state = memo->longest->len;
  guint                times = memo->plan->timings.open ? FIXED + 2 * memo->plan->timings.banks : memo->width;

  key->memo = memo;
  key->hash = hash_values (values, memo->width);
  memcpy (key->values, values, memo->width * sizeof (gint64));
  found = g_hash_table_lookup (memo->states, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  for (guint v = 0; v < times; v++)
    longest = MAX (longest, values[v]);
  g_array_append_vals (memo->values, values, memo->width);
  g_array_append_val (memo->longest, longest);
  g_hash_table_insert (memo->states, g_steal_pointer (&key), GUINT_TO_POINTER (state + 1));
  return state;
}

TlMemo *
tl_memo_new (const TlSimPlan *plan, gboolean forget_bank_state)
{
  TlMemo *memo = g_new0 (TlMemo, 1);

  memo->plan = plan;
  memo->forget = forget_bank_state;
  memo->width = FIXED + plan->timings.banks * (plan->timings.open ? 3 : 1);
  memo->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  memo->longest = g_array_new (FALSE, FALSE, sizeof (gint64));
  memo->states = g_hash_table_new_full (state_hash, state_equal, g_free, NULL);
  memo->entries = g_ptr_array_new_with_free_func (g_free);
  memo->mask = 255;
  memo->keys = g_new0 (guint64, memo->mask + 1);
  memo->found = g_new0 (guint32, memo->mask + 1);
  memo->last_key = G_MAXUINT64;
  memset (memo->scratch, 0, sizeof memo->scratch);
  intern (memo, memo->scratch);
  return memo;
}

void
tl_memo_free (TlMemo *memo)
{
  if (memo == NULL)
    return;
  g_array_unref (memo->values);
  g_array_unref (memo->longest);
  g_hash_table_unref (memo->states);
  g_ptr_array_unref (memo->entries);
  g_free (memo->keys);
  g_free (memo->found);
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

static void
times_of_group (const TlMemo *memo, const TlGroup *group, gint64 base, gint64 *values)
{
  const guint32 banks = memo->plan->timings.banks;

  values[0] = relative (group->column, base);
  values[1] = relative (group->bus, base);
  values[2] = relative (group->read, base);
  values[3] = relative (group->act, base);
  for (guint w = 0; w < 4; w++)
    values[4 + w] = relative (group->window[w], base);
  for (guint32 b = 0; b < banks; b++)
    values[FIXED + b] = relative (group->ready[b], base);
}

static void
group_of_times (const TlMemo *memo, const gint64 *values, gint64 base, TlGroup *group)
{
  const guint32 banks = memo->plan->timings.banks;

  group->column = base + values[0];
  group->bus = base + values[1];
  group->read = base + values[2];
  group->act = base + values[3];
  for (guint w = 0; w < 4; w++)
    group->window[w] = base + values[4 + w];
  for (guint32 b = 0; b < banks; b++)
    group->ready[b] = base + values[FIXED + b];
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
  return intern (memo, memo->scratch);
}

guint32
tl_memo_intern (TlMemo *memo, const TlGroup *group, gint64 base)
{
  times_of_group (memo, group, base, memo->scratch);
  return intern (memo, memo->scratch);
}

void
tl_memo_extract (const TlMemo *memo, guint32 state, gint64 base, TlGroup *group)
{
  tl_group_init (group, &memo->plan->timings);
  group_of_times (memo, &g_array_index (memo->values, gint64, (gsize) state * memo->width), base, group);
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

static guint32
insert (TlMemo *memo, guint64 key, TlMemoEntry *entry)
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

static inline guint64
key_of (const TlMemo *memo, const TlTask *task, TlPieceKind kind, guint32 state)
{
  guint64 piece = (guint64) tl_sim_plan_class (memo->plan, task) * 3 + kind;

  return piece << 32 | (memo->forget ? 0 : state);
}

static inline guint32
look_up (TlMemo *memo, guint64 key)
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
  guint64 key = key_of (memo, task, kind, state);
  guint32 found = look_up (memo, key);

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
  return insert (memo, key, entry);
}

/* Rows by name: the piece's own tiles are its loads and its store. */
static gint64
symbol_of_row (const TlMemo *memo, const TlWork *work, guint32 bank, guint32 row)
{
  const guint32 banks = memo->plan->timings.banks;

  for (guint t = 0; t <= work->n_loads; t++)
    {
      const TlTileStream *stream = t < work->n_loads ? &work->load[t] : &work->store;

      if (row >= stream->first_row && (guint64) (row - stream->first_row) * banks + bank < stream->rows)
        return SYMBOL_TILE (t, row - stream->first_row);
    }
  return SYMBOL_OTHER (row / memo->plan->timings.rows);
}

static void
values_of_group (const TlMemo *memo, const TlWork *work, const TlGroup *group, gint64 base, gint64 *values)
{
  const guint32 banks = memo->plan->timings.banks;

  times_of_group (memo, group, base, values);
  for (guint32 b = 0; b < banks; b++)
    {
      gboolean open = group->row[b] != 0;

      values[FIXED + banks + b] = open ? relative (group->close[b], base) : 0;
      values[FIXED + 2 * banks + b] = open ? symbol_of_row (memo, work, b, group->row[b] - 1) : 0;
    }
}

static void
group_of_values (const TlMemo *memo, const TlWork *work, const gint64 *values, gint64 base, TlGroup *group)
{
  const guint32 banks = memo->plan->timings.banks;

  group_of_times (memo, values, base, group);
  for (guint32 b = 0; b < banks; b++)
    {
      gint64 symbol = values[FIXED + 2 * banks + b];

      group->close[b] = base + values[FIXED + banks + b];
      if (symbol == 0)
        group->row[b] = 0;
      else if (symbol < SYMBOL_OTHER (0))
        {
          guint t = (guint) (symbol >> 40) - 1;

          group->row[b] = (t < work->n_loads ? work->load[t].first_row : work->store.first_row)
                          + (guint32) (symbol & G_MAXUINT32) + 1;
        }
    }
}

guint32
tl_memo_apply (TlMemo *memo, const TlTask *task, TlPieceKind kind, gint64 start, TlGroup *group)
{
  TlWork  work;
  guint64 key;
  guint32 found, number;

  tl_sim_plan_work (memo->plan, task, &work);
  values_of_group (memo, &work, group, start, memo->scratch);
  key = key_of (memo, task, kind, intern (memo, memo->scratch));
  found = look_up (memo, key);
  if (found != 0)
    number = found - 1;
  else
    {
      TlMemoEntry *entry = g_new0 (TlMemoEntry, 1);
      TlGroup      trial = *group;

      tl_piece_run (memo->plan, &work, kind, start, &trial, &entry->times, &entry->tally, NULL, NULL);
      values_of_group (memo, &work, &trial, entry->times.end, memo->scratch);
      entry->times.first -= start;
      entry->times.loaded -= start;
      entry->times.end -= start;
      entry->phase = task->phase;
      entry->after = intern (memo, memo->scratch);
      number = insert (memo, key, entry);
    }
  const TlMemoEntry *entry = memo->entries->pdata[number];

  group_of_values (memo, &work, &g_array_index (memo->values, gint64, (gsize) entry->after * memo->width),
                   start + entry->times.end, group);
  return number;
}
