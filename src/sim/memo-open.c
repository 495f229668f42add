/* Open pages: a piece from the state its PU's last one left. Rows go by name, the tiles
 * of that piece, until a name would not tell them. */
#include "sim/memo-table-private.h"

#include <string.h>

/* A state's row in @bank by name: the piece's own tiles are its loads and its store. */
static gint64
symbol_of_row (const TlMemo *memo, const TlWork *work, guint32 bank, guint32 row)
{
  const guint32 banks = memo->plan->timings.banks;

  for (guint t = 0; t <= work->n_loads; t++)
    {
      const TlTileStream *stream = t < work->n_loads ? &work->load[t] : &work->store;

      if (row >= stream->first_row && (guint64) (row - stream->first_row) * banks + bank < stream->rows)
        return TL_MEMO_SYMBOL_TILE (t, row - stream->first_row);
    }
  return TL_MEMO_SYMBOL_OTHER (row / memo->plan->timings.rows);
}

static void
values_of_group (const TlMemo *memo, const TlWork *work, const TlGroup *group, gint64 base, gint64 *values)
{
  const guint32 banks = memo->plan->timings.banks;

  tl_memo_times_of (memo, group, base, values);
  for (guint32 b = 0; b < banks; b++)
    {
      gboolean open = group->row[b] != 0;

      values[TL_MEMO_FIXED + banks + b] = open ? MAX (group->close[b] - base, 0) : 0;
      values[TL_MEMO_FIXED + 2 * banks + b] = open ? symbol_of_row (memo, work, b, group->row[b] - 1) : 0;
    }
}

/* Rows of other names stay what they are in @group. */
static void
group_of_values (const TlMemo *memo, const TlOpenRows *rows, TlGroup *group)
{
  const guint32 banks = memo->plan->timings.banks;
  const gint64 *values = &g_array_index (memo->values, gint64, (gsize) rows->after * memo->width);

  tl_memo_group_of (memo, values, rows->base, group);
  for (guint32 b = 0; b < banks; b++)
    {
      gint64 symbol = values[TL_MEMO_FIXED + 2 * banks + b];

      group->close[b] = rows->base + values[TL_MEMO_FIXED + banks + b];
      if (symbol == 0)
        group->row[b] = 0;
      else if (symbol < TL_MEMO_SYMBOL_OTHER (0))
        group->row[b] = rows->first[(symbol >> 40) - 1] + (guint32) (symbol & G_MAXUINT32) + 1;
    }
}

void
tl_memo_spell (const TlMemo *memo, TlOpenRows *rows, TlGroup *group)
{
  if (!rows->named)
    return;
  group_of_values (memo, rows, group);
  rows->named = FALSE;
}

/* Entry of the piece from @group. */
static guint32
find_entry (TlMemo *memo, const TlTask *task, TlPieceKind kind, guint64 piece, gint64 start, const TlGroup *group)
{
  TlWork  work;
  guint64 key;
  guint32 found;

  tl_sim_plan_work (memo->plan, task, &work);
  values_of_group (memo, &work, group, start, memo->scratch);
  key = tl_memo_key (memo, piece, tl_memo_intern_values (memo, memo->scratch));
  found = tl_memo_look_up (memo, key);
  if (found != 0)
    return found - 1;

  TlMemoEntry *entry = g_new0 (TlMemoEntry, 1);
  TlGroup      trial = *group;

  tl_piece_run (memo->plan, &work, kind, start, &trial, &entry->times, &entry->tally, NULL, NULL);
  values_of_group (memo, &work, &trial, entry->times.end, memo->scratch);
  entry->times.first -= start;
  entry->times.loaded -= start;
  entry->times.end -= start;
  entry->phase = task->phase;
  entry->after = tl_memo_intern_values (memo, memo->scratch);
  return tl_memo_insert (memo, key, entry);
}

/* Which tiles of a piece lie in one slot (always C as it is read and written; others when
 * a PU's slots do not fit its banks), by number. */
static guint64
pattern_of (TlMemo *memo, guint n, const guint32 *first)
{
  guint32 pattern = 0;
  guint   number = 0;

  for (guint t = 0; t < n; t++)
    {
      guint same = 0;

      while (first[same] != first[t])
        same++;
      pattern = pattern << 3 | same;
    }
  while (number < memo->patterns->len && g_array_index (memo->patterns, guint32, number) != pattern)
    number++;
  if (number == memo->patterns->len)
    g_array_append_val (memo->patterns, pattern);
  return number;
}

/* Which of the next piece's tiles each tile of the last one is, or in which tier it lies.
 * Tiles lie in slots of their own, so the first row tells. */
static guint64
relation (const TlOpenRows *rows, guint n, const guint32 *first)
{
  guint64 relation = 0;

  G_STATIC_ASSERT (TL_MAX_TIERS <= 32);
  for (guint t = 0; t < rows->n; t++)
    {
      guint same = 0;

      while (same < n && first[same] != rows->first[t])
        same++;
      relation = relation << 6 | (same < n ? same : 32u | rows->tier[t]);
    }
  return relation << 3 | rows->n;
}

static inline gboolean
is_step (const TlMemoStep *a, const TlMemoStep *b)
{
  return a->relation == b->relation && a->piece == b->piece && a->later == b->later && a->after == b->after;
}

static guint32
place (const TlMemo *memo, const TlMemoStep *step)
{
  guint64 hash = step->relation;
  guint32 at;

  hash = (hash ^ step->piece) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ (guint64) step->later) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  hash = (hash ^ hash >> 32 ^ step->after) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  at = (guint32) (hash >> 32) & memo->step_mask;
  while (memo->step_found[at] != 0 && !is_step (&memo->steps[at], step))
    at = (at + 1) & memo->step_mask;
  return at;
}

static void
remember (TlMemo *memo, const TlMemoStep *step, guint32 found)
{
  memo->last_step = *step;
  memo->last_found = found;
}

static void
grow (TlMemo *memo)
{
  guint32                old = memo->steps != NULL ? memo->step_mask + 1 : 0;
  g_autofree TlMemoStep *steps = memo->steps;
  g_autofree guint32    *found = memo->step_found;

  memo->step_mask = MAX (2 * old, 256) - 1;
  memo->steps = g_new0 (TlMemoStep, (gsize) memo->step_mask + 1);
  memo->step_found = g_new0 (guint32, (gsize) memo->step_mask + 1);
  for (guint32 o = 0; o < old; o++)
    if (found[o] != 0)
      {
        guint32 at = place (memo, &steps[o]);

        memo->steps[at] = steps[o];
        memo->step_found[at] = found[o];
      }
}

/* Entry + 1 that follows by @step, or 0. */
static inline guint32
look_up_step (TlMemo *memo, const TlMemoStep *step)
{
  guint32 found;

  if (memo->last_found != 0 && is_step (step, &memo->last_step))
    return memo->last_found;
  if (memo->steps == NULL)
    return 0;
  found = memo->step_found[place (memo, step)];
  if (found != 0)
    remember (memo, step, found);
  return found;
}

static void
insert_step (TlMemo *memo, const TlMemoStep *step, guint32 found)
{
  guint32 at;

  if (memo->n_steps * 2 >= memo->step_mask)
    grow (memo);
  at = place (memo, step);
  memo->steps[at] = *step;
  memo->step_found[at] = found;
  memo->n_steps++;
  remember (memo, step, found);
}

guint32
tl_memo_apply (TlMemo *memo, const TlTask *task, TlPieceKind kind, gint64 start, TlOpenRows *rows, TlGroup *group)
{
  guint32 first[7], number;
  guint8  tier[7];
  guint   n = tl_sim_plan_first_rows (memo->plan, task, first, tier);
  guint64 piece = tl_memo_piece (memo, task, kind) | pattern_of (memo, n, first) << 24;

  if (rows->named && !memo->forget)
    {
      TlMemoStep step = {
        .relation = relation (rows, n, first),
        .later = MIN (start - rows->base, g_array_index (memo->longest, gint64, rows->after)),
        .piece = piece,
        .after = rows->after,
      };
      guint32 found = look_up_step (memo, &step);

      if (G_UNLIKELY (found == 0))
        {
          tl_memo_spell (memo, rows, group);
          found = find_entry (memo, task, kind, piece, start, group) + 1;
          insert_step (memo, &step, found);
        }
      number = found - 1;
    }
  else
    {
      tl_memo_spell (memo, rows, group);
      number = find_entry (memo, task, kind, piece, start, group);
    }
  const TlMemoEntry *entry = memo->entries->pdata[number];
  gboolean           strange = g_array_index (memo->strange, guint8, entry->after);

  /* Rows without a name have to be known by number. */
  if (strange)
    tl_memo_spell (memo, rows, group);
  rows->after = entry->after;
  rows->base = start + entry->times.end;
  rows->n = (guint8) n;
  memcpy (rows->first, first, sizeof first);
  memcpy (rows->tier, tier, sizeof tier);
  rows->named = TRUE;
  if (strange)
    tl_memo_spell (memo, rows, group);
  return number;
}
