/* Conflicts are read off stretches of the run: an ACT whose bank was shut for it. */
#include "scene/why.h"

#include <stdio.h>
#include <string.h>

#define BEFORE      20000000 /* ps looked back for who opened the row in the way */
#define AFTER       2000000
#define STRETCH     1000000
#define EVENT_LIMIT 2000000
#define STRETCHES   200

gboolean
tl_conflict_parse (const char *id, guint32 *pu, guint32 *bank, guint64 *act)
{
  int end = 0;

  return id != NULL && sscanf (id, "conflict-%u-%u-%" G_GUINT64_FORMAT "%n", pu, bank, act, &end) == 3
         && id[end] == '\0';
}

char *
tl_conflict_id (guint32 pu, guint32 bank, guint64 act)
{
  return g_strdup_printf ("conflict-%u-%u-%" G_GUINT64_FORMAT, pu, bank, act);
}

static const TlSimEvent *
event_at (const TlSimSpan *span, guint index)
{
  return &g_array_index (span->events, TlSimEvent, index);
}

static gboolean
is_of (const TlSimEvent *event, guint32 pu, guint32 bank)
{
  return event->kind <= TL_SIM_EVENT_PRE && event->pu == pu && event->bank == bank;
}

/* The operation an event belongs to, and as what the tile in the row served it. */
static void
know_operation (TlConflictSide *side, const TlSimSpan *span, const TlSimEvent *event)
{
  if (event->subject >= span->operations->len)
    return;
  const TlOperation *operation = &g_array_index (span->operations, TlOperation, event->subject);

  side->known = TRUE;
  side->k = operation->k;
  side->i = operation->i;
  side->j = operation->j;
  side->operand = TL_OPERAND_C;
  if (side->use.kind != TL_ROW_TILE)
    side->operand = operation->phase != TL_PHASE_INTERNAL ? TL_OPERAND_PIVOT
                    : side->use.kind == TL_ROW_COPY_LEFT  ? TL_OPERAND_LEFT
                                                          : TL_OPERAND_RIGHT;
}

static void
set_row (TlConflictSide *side, TlSimRun *run, guint32 pu, guint32 bank, guint32 row, guint32 k)
{
  side->row = row;
  side->tier = (guint8) MIN (row / MAX (run->program->machine.rows, 1), run->program->machine.tiers - 1);
  tl_sim_row_use (run, pu, bank, row, k, &side->use);
}

/* Fills in the two sides round the events PRE and ACT of the span. */
static void
fill (TlConflict *conflict, TlSimRun *run, const TlSimSpan *span, guint pre, guint act, guint32 open_row)
{
  const TlPimMachine *machine = &run->program->machine;
  const TlSimEvent   *wanted = event_at (span, act);
  guint32             k = 0;

  conflict->pre = event_at (span, pre)->time;
  conflict->act = wanted->time;
  conflict->column = 0;
  if (wanted->subject < span->operations->len)
    k = g_array_index (span->operations, TlOperation, wanted->subject).k;
  set_row (&conflict->wanted, run, conflict->pu, conflict->bank, wanted->row, k);
  know_operation (&conflict->wanted, span, wanted);
  conflict->wanted.opened = wanted->time;
  for (guint e = act + 1; e < span->events->len && conflict->column == 0; e++)
    if (is_of (event_at (span, e), conflict->pu, conflict->bank))
      {
        conflict->column = event_at (span, e)->time;
        conflict->wanted.write = event_at (span, e)->kind == TL_SIM_EVENT_WR;
        conflict->wanted.last = conflict->column;
      }
  set_row (&conflict->open, run, conflict->pu, conflict->bank, open_row, k);
  for (guint e = pre; e-- > 0 && conflict->open.opened == 0;)
    {
      const TlSimEvent *event = event_at (span, e);
      if (!is_of (event, conflict->pu, conflict->bank))
        continue;
      if (event->kind == TL_SIM_EVENT_ACT)
        {
          conflict->open.opened = event->time;
          if (event->subject < span->operations->len)
            set_row (&conflict->open, run, conflict->pu, conflict->bank, open_row,
                     g_array_index (span->operations, TlOperation, event->subject).k);
          know_operation (&conflict->open, span, event);
        }
      else if (event->kind <= TL_SIM_EVENT_WR && conflict->open.last == 0)
        {
          conflict->open.last = event->time;
          conflict->open.write = event->kind == TL_SIM_EVENT_WR;
          know_operation (&conflict->open, span, event);
        }
    }
  conflict->tRP = machine->tier[conflict->open.tier].tRP;
  conflict->tRCD = machine->tier[conflict->wanted.tier].tRCD;
}

/* Walks along the span; calls @each for every conflict until it says stop. */
typedef gboolean (*ConflictFunc) (const TlSimSpan *span, guint pre, guint act, guint32 open_row, gpointer data);

static gboolean
walk (const TlSimSpan *span, ConflictFunc each, gpointer data)
{
  g_autoptr (TlSimMoment) moment = tl_sim_moment_copy (span->base);
  guint               n = moment->n_pus * moment->n_banks;
  g_autofree guint   *pre = g_new0 (guint, n);
  g_autofree guint32 *row = g_new0 (guint32, n);

  for (guint e = 0; e < span->events->len; e++)
    {
      const TlSimEvent *event = event_at (span, e);
      guint             at = event->pu * moment->n_banks + event->bank;
      if (event->kind == TL_SIM_EVENT_PRE && event->column == 0)
        {
          pre[at] = e + 1;
          row[at] = moment->bank[at].row;
        }
      else if (event->kind == TL_SIM_EVENT_ACT && moment->bank[at].reserved && pre[at] > 0
               && each (span, pre[at] - 1, e, row[at], data))
        return TRUE;
      tl_sim_span_apply (span, e, moment);
    }
  return FALSE;
}

typedef struct
{
  TlSimRun   *run;
  guint32     pu, bank;
  guint64     act; /* G_MAXUINT64: the one under way at time */
  guint64     time;
  TlConflict *conflict;
} Wanted;

static gboolean
is_wanted (const TlSimSpan *span, guint pre, guint act, guint32 open_row, gpointer data)
{
  Wanted           *wanted = data;
  const TlSimEvent *event = event_at (span, act);
  guint32           tier = event->row / MAX (wanted->run->program->machine.rows, 1);
  guint64           over
      = event->time + wanted->run->program->machine.tier[MIN (tier, wanted->run->program->machine.tiers - 1)].tRCD;

  if (event->pu != wanted->pu || event->bank != wanted->bank)
    return FALSE;
  if (wanted->act != G_MAXUINT64 ? event->time != wanted->act
                                 : event_at (span, pre)->time > wanted->time || over <= wanted->time)
    return FALSE;
  *wanted->conflict = (TlConflict) { .pu = wanted->pu, .bank = wanted->bank };
  fill (wanted->conflict, wanted->run, span, pre, act, open_row);
  return TRUE;
}

static gboolean
find (TlSimRun *run, guint64 around, Wanted *wanted)
{
  /* A short look back is cheap and mostly enough; a long one tells who opened the row. */
  for (guint64 before = 200000; before <= BEFORE; before *= 10)
    {
      g_autoptr (TlSimSpan) span
          = tl_sim_span_new (run, around > before ? around - before : 0, around + AFTER, EVENT_LIMIT, NULL, NULL);
      if (span == NULL)
        return wanted->conflict->act != 0;
      if (walk (span, is_wanted, wanted) && (wanted->conflict->open.opened != 0 || around <= before))
        return TRUE;
    }
  return wanted->conflict->act != 0;
}

gboolean
tl_conflict_find (TlSimRun *run, guint32 pu, guint32 bank, guint64 act, TlConflict *conflict)
{
  Wanted wanted = { run, pu, bank, act, act, conflict };

  conflict->act = 0;
  if (run->program->page != TL_PAGE_OPEN || pu >= run->program->machine.pus || bank >= run->program->machine.banks
      || act > run->makespan)
    return FALSE;
  return find (run, act, &wanted);
}

gboolean
tl_conflict_at (TlSimRun *run, guint32 pu, guint32 bank, guint64 time, TlConflict *conflict)
{
  Wanted wanted = { run, pu, bank, G_MAXUINT64, time, conflict };

  conflict->act = 0;
  if (run->program->page != TL_PAGE_OPEN || pu >= run->program->machine.pus || bank >= run->program->machine.banks
      || time > run->makespan)
    return FALSE;
  return find (run, time, &wanted);
}

typedef struct
{
  guint64  time;
  guint32  pu, bank;
  gboolean anchored; /* a conflict at time is where the search starts */
  gboolean passed;   /* it was met */
  gboolean forward;
  gboolean found;
  guint32  found_pu, found_bank;
  guint64  act;
} Search;

static gboolean
search_conflict (const TlSimSpan *span, guint pre, guint act, guint32 open_row, gpointer data)
{
  Search           *search = data;
  const TlSimEvent *event = event_at (span, act);
  gboolean          is_anchor = event->time == search->time && event->pu == search->pu && event->bank == search->bank;

  if (search->forward)
    {
      if (event->time < search->time || (event->time == search->time && !search->passed))
        {
          search->passed |= is_anchor;
          return FALSE;
        }
    }
  else if (event->time > search->time || is_anchor || (event->time == search->time && !search->anchored))
    return TRUE;
  search->found = TRUE;
  search->found_pu = event->pu;
  search->found_bank = event->bank;
  search->act = event->time;
  return search->forward;
}

gboolean
tl_conflict_next (TlSimRun *run, guint64 time, guint32 pu, guint32 bank, gboolean forward, TlConflict *conflict)
{
  Search  search = { .time = time, .pu = pu, .bank = bank, .anchored = pu != G_MAXUINT32, .forward = forward };
  guint64 at = time;

  if (run->program->page != TL_PAGE_OPEN)
    return FALSE;
  for (guint s = 0; s < STRETCHES && !search.found; s++)
    {
      /* What is shut just before the stretch opens in it. */
      guint64 length = (guint64) STRETCH << MIN (s / 4, 6), overlap = 200000, from, to, next;
      if (forward)
        {
          from = at > overlap ? at - overlap : 0;
          to = at + length;
        }
      else
        {
          from = at > length + overlap ? at - length - overlap : 0;
          to = at + 1;
        }
      g_autoptr (TlSimSpan) span = tl_sim_span_new (run, from, to, EVENT_LIMIT, NULL, NULL);
      if (span == NULL)
        return FALSE;
      walk (span, search_conflict, &search);
      if (search.found)
        break;
      if (forward)
        {
          if (!tl_sim_next_event (run, to - 1, &next))
            return FALSE;
          at = next;
        }
      else
        {
          if (from == 0 || !tl_sim_previous_event (run, from + overlap, &next))
            return FALSE;
          at = MIN (next, from + overlap);
        }
    }
  return search.found && tl_conflict_find (run, search.found_pu, search.found_bank, search.act, conflict);
}

gboolean
tl_event_of (TlSimRun *run, guint64 time, guint32 pu, guint32 bank, gboolean forward, guint64 *found)
{
  guint64 at = time;

  for (guint s = 0; s < STRETCHES; s++)
    {
      guint64 from = forward ? at : at > STRETCH ? at - STRETCH : 0, to = forward ? at + STRETCH : at, next;
      g_autoptr (TlSimSpan) span = tl_sim_span_new (run, from, MAX (to, from + 1), EVENT_LIMIT, NULL, NULL);
      gboolean any = FALSE;
      if (span == NULL)
        return FALSE;
      for (guint e = span->first; e < span->events->len; e++)
        {
          const TlSimEvent *event = event_at (span, e);
          gboolean          step = event->kind > TL_SIM_EVENT_REF && event->kind <= TL_SIM_EVENT_DONE;
          if (event->pu != pu || (bank != G_MAXUINT32 && (step || event->bank != bank)))
            continue;
          if (forward ? event->time <= time : event->time >= time)
            continue;
          *found = event->time;
          any = TRUE;
          if (forward)
            return TRUE;
        }
      if (any)
        return TRUE;
      if (forward ? !tl_sim_next_event (run, to - 1, &next) : from == 0 || !tl_sim_previous_event (run, from, &next))
        return FALSE;
      at = forward ? next : next + 1;
    }
  return FALSE;
}
