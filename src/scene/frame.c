/* Frames: a stretch of the run is fetched and walked along, event by event; states that
 * last (a row being opened) are kept beside it. */
#include "scene/frame.h"

#include "base/number.h"
#include "sim/span.h"

#include <string.h>

/* A stretch ends when it holds about so many events or is so long, in ps. */
#define STRETCH     400000
#define EVENT_LIMIT 4000000
#define KEEP_EVERY  512

/* The latest command to a bank's row, and how long it can be seen. */
typedef struct
{
  guint64 since;
  guint64 until;
  guint32 row;
  guint8  state; /* TlBankState */
  guint8  tier;
  guint8  shut; /* a row was closed for one that conflicts */
} BankMark;

/* The machine after the first `at` events of the stretch. */
typedef struct
{
  guint        at;
  TlSimMoment *moment;
  BankMark    *mark;
} Cursor;

/* A stretch being made ahead of time. */
typedef struct
{
  TlSimRun  *run;
  guint64    from;
  guint64    lookback;
  TlSimSpan *span;
  gint       done;
} Ahead;

struct _TlFrameSource
{
  TlSimRun  *run;
  TlSimSpan *span;     /* or NULL */
  guint64    begins;   /* frames can be made from here (span->from, but for the lookback) */
  guint64    lookback; /* longest a command can still be seen */
  Cursor     cursor;
  GPtrArray *kept; /* of Cursor *, at 0, KEEP_EVERY, 2 KEEP_EVERY, ... */
  GThread   *thread;
  Ahead     *ahead; /* what it makes, or NULL */
};

static guint
n_banks (const TlSimMoment *moment)
{
  return moment->n_pus * moment->n_banks;
}

static void
cursor_clear (Cursor *cursor)
{
  g_clear_pointer (&cursor->moment, tl_sim_moment_free);
  g_clear_pointer (&cursor->mark, g_free);
}

static void
cursor_free (gpointer data)
{
  cursor_clear (data);
  g_free (data);
}

static void
cursor_copy (Cursor *to, const Cursor *from)
{
  cursor_clear (to);
  to->at = from->at;
  to->moment = tl_sim_moment_copy (from->moment);
  to->mark = g_memdup2 (from->mark, n_banks (from->moment) * sizeof *from->mark);
}

TlFrameSource *
tl_frame_source_new (TlSimRun *run)
{
  TlFrameSource      *source = g_new0 (TlFrameSource, 1);
  const TlPimMachine *machine = &run->program->machine;

  source->run = tl_sim_run_ref (run);
  source->kept = g_ptr_array_new_with_free_func (cursor_free);
  for (guint t = 0; t < machine->tiers; t++)
    {
      const TlTierTiming *timing = &machine->tier[t];
      source->lookback = MAX (source->lookback, (guint64) timing->tRCD + timing->tRP + timing->tCL + timing->tCWL
                                                    + (guint64) machine->burst * 2);
    }
  return source;
}

static gpointer
make_ahead (gpointer data)
{
  Ahead  *ahead = data;
  guint64 from = ahead->from, next;

  /* Where nothing happens for long, the next thing to happen is what will be shown. */
  if (tl_sim_next_event (ahead->run, from > 0 ? from - 1 : 0, &next) && next > from + STRETCH)
    from = next;
  ahead->from = from;
  ahead->span = tl_sim_span_new (ahead->run, from > ahead->lookback ? from - ahead->lookback : 0, from + STRETCH,
                                 EVENT_LIMIT, NULL, NULL);
  g_atomic_int_set (&ahead->done, 1);
  return NULL;
}

static void
drop_ahead (TlFrameSource *source)
{
  if (source->thread != NULL)
    g_thread_join (g_steal_pointer (&source->thread));
  if (source->ahead != NULL)
    {
      g_clear_pointer (&source->ahead->span, tl_sim_span_free);
      tl_sim_run_unref (source->ahead->run);
      g_clear_pointer (&source->ahead, g_free);
    }
}

void
tl_frame_source_free (TlFrameSource *source)
{
  if (source == NULL)
    return;
  drop_ahead (source);
  g_clear_pointer (&source->span, tl_sim_span_free);
  cursor_clear (&source->cursor);
  g_ptr_array_unref (source->kept);
  tl_sim_run_unref (source->run);
  g_free (source);
}

static gboolean
holds (const TlFrameSource *source, guint64 time)
{
  return source->span != NULL && time >= source->begins && time < source->span->to;
}

static void
take_span (TlFrameSource *source, TlSimSpan *span, guint64 begins)
{
  g_clear_pointer (&source->span, tl_sim_span_free);
  source->span = span;
  source->begins = begins;
  g_ptr_array_set_size (source->kept, 0);
  cursor_clear (&source->cursor);
  if (span == NULL)
    return;
  source->cursor.at = 0;
  source->cursor.moment = tl_sim_moment_copy (span->base);
  source->cursor.mark = g_new0 (BankMark, n_banks (span->base));
}

static gboolean
fetch (TlFrameSource *source, guint64 time, GError **error)
{
  if (holds (source, time))
    return TRUE;
  if (source->ahead != NULL && time >= source->ahead->from && g_atomic_int_get (&source->ahead->done)
      && source->ahead->span != NULL && time < source->ahead->span->to)
    {
      take_span (source, g_steal_pointer (&source->ahead->span), source->ahead->from);
      drop_ahead (source);
      return TRUE;
    }
  /* Some way back too, most of it when that is where the time goes. */
  gboolean   back = source->span != NULL && time < source->begins && source->begins - time < STRETCH;
  guint64    before = back ? STRETCH / 8 * 7 : STRETCH / 8, begins = time > before ? time - before : 0;
  TlSimSpan *span = tl_sim_span_new (source->run, begins > source->lookback ? begins - source->lookback : 0,
                                     begins + STRETCH, EVENT_LIMIT, NULL, error);
  if (span == NULL)
    return FALSE;
  take_span (source, span, begins);
  return TRUE;
}

/* What the next event does to its bank's mark. */
static void
mark_event (TlFrameSource *source, const TlSimEvent *event)
{
  Cursor             *cursor = &source->cursor;
  const TlPimMachine *machine = &source->run->program->machine;

  if (event->kind > TL_SIM_EVENT_PRE)
    return;
  guint               at = event->pu * cursor->moment->n_banks + event->bank;
  BankMark           *mark = &cursor->mark[at];
  guint               tier = (guint) MIN (event->row / MAX (machine->rows, 1), machine->tiers - 1);
  const TlTierTiming *timing = &machine->tier[tier];

  mark->since = event->time;
  switch (event->kind)
    {
    case TL_SIM_EVENT_ACT:
      mark->state = mark->shut || cursor->moment->bank[at].reserved ? TL_BANK_REOPENING : TL_BANK_OPENING;
      mark->until = event->time + timing->tRCD;
      mark->shut = FALSE;
      break;
    case TL_SIM_EVENT_RD:
      mark->state = TL_BANK_READING;
      mark->until = event->time + machine->burst;
      break;
    case TL_SIM_EVENT_WR:
      mark->state = TL_BANK_WRITING;
      mark->until = event->time + machine->burst;
      break;
    default:
      mark->state = TL_BANK_CLOSING;
      mark->until = event->time + timing->tRP;
      mark->shut = source->run->program->page == TL_PAGE_OPEN && event->column == 0;
      if (cursor->moment->bank[at].open)
        {
          mark->row = cursor->moment->bank[at].row;
          mark->tier = cursor->moment->bank[at].tier;
          return;
        }
      break;
    }
  mark->row = event->row;
  mark->tier = (guint8) tier;
}

/* Moves the cursor to just after the events at or before @time. */
static void
seek (TlFrameSource *source, guint64 time)
{
  Cursor *cursor = &source->cursor;
  guint   past = tl_sim_span_find (source->span, time);

  if (past < cursor->at || past / KEEP_EVERY > cursor->at / KEEP_EVERY + 1)
    {
      guint which = MIN (past / KEEP_EVERY, source->kept->len > 0 ? source->kept->len - 1 : 0);
      if (source->kept->len > 0 && (past < cursor->at || which * KEEP_EVERY > cursor->at))
        cursor_copy (cursor, g_ptr_array_index (source->kept, which));
    }
  for (; cursor->at < past; cursor->at++)
    {
      if (cursor->at % KEEP_EVERY == 0 && cursor->at / KEEP_EVERY == source->kept->len)
        {
          Cursor *kept = g_new0 (Cursor, 1);
          cursor_copy (kept, cursor);
          g_ptr_array_add (source->kept, kept);
        }
      mark_event (source, &g_array_index (source->span->events, TlSimEvent, cursor->at));
      tl_sim_span_apply (source->span, cursor->at, cursor->moment);
    }
  tl_sim_span_settle (source->span, cursor->moment, time);
}

static void
count_activity (TlFrame *frame)
{
  for (guint p = 0; p < frame->moment->n_pus; p++)
    {
      const TlPuMoment *pu = &frame->moment->pu[p];
      switch (pu->activity)
        {
        case TL_PU_COMPUTING:
          frame->computing++;
          break;
        case TL_PU_READING:
        case TL_PU_COPYING:
          frame->reading++;
          break;
        case TL_PU_WRITING:
          frame->writing++;
          break;
        default:
          frame->waiting += pu->wait != TL_WAIT_END && pu->wait != TL_WAIT_NONE;
          break;
        }
      if (pu->k != G_MAXUINT32 && (pu->k > frame->k || (pu->k == frame->k && pu->phase > frame->phase)))
        {
          frame->k = pu->k;
          frame->phase = pu->phase;
        }
    }
}

/* The head leaves when the ring is granted and goes one hop a ring cycle; the last
 * byte follows when the ring is free again. */
static void
follow_broadcast (TlFrame *frame)
{
  const TlSimMoment  *moment = frame->moment;
  const TlPimMachine *machine = &frame->run->program->machine;
  guint64             hop = (guint64) machine->ring_hop * machine->clock;
  guint               furthest = machine->pus / 2;

  if (!moment->sending && !moment->hopping)
    return;
  frame->hops = hop == 0 ? furthest : (guint) MIN ((frame->time - moment->broadcast.start) / hop, furthest);
  if (frame->time >= moment->broadcast.end && hop > 0)
    frame->reached = (guint) MIN ((frame->time - moment->broadcast.end) / hop * 2, machine->pus - 1);
}

static void
show_banks (const TlFrameSource *source, TlFrame *frame)
{
  for (guint i = 0; i < n_banks (frame->moment); i++)
    {
      const BankMark     *mark = &source->cursor.mark[i];
      const TlBankMoment *bank = &frame->moment->bank[i];

      if (mark->until > frame->time)
        frame->bank[i] = (TlBankFrame) { mark->state, mark->tier, mark->row, mark->since, mark->until };
      else if (bank->open)
        frame->bank[i] = (TlBankFrame) { TL_BANK_IDLE, bank->tier, bank->row, mark->since, 0 };
    }
}

TlFrame *
tl_frame_at (TlFrameSource *source, guint64 time, GError **error)
{
  if (!fetch (source, time, error))
    return NULL;
  seek (source, time);

  TlFrame *frame = g_new0 (TlFrame, 1);
  frame->run = source->run;
  frame->time = time;
  frame->moment = tl_sim_moment_copy (source->cursor.moment);
  frame->bank = g_new0 (TlBankFrame, n_banks (frame->moment));
  show_banks (source, frame);
  count_activity (frame);
  follow_broadcast (frame);
  return frame;
}

gboolean
tl_frame_next (TlFrameSource *source, guint64 time, guint64 *next)
{
  if (holds (source, time))
    {
      guint at = tl_sim_span_find (source->span, time);
      if (at < source->span->events->len)
        {
          *next = g_array_index (source->span->events, TlSimEvent, at).time;
          return TRUE;
        }
      time = source->span->to - 1;
    }
  /* What was made ahead begins with the next event, or has it. */
  if (source->ahead != NULL && g_atomic_int_get (&source->ahead->done) && source->ahead->span != NULL
      && source->span != NULL && time + 1 == source->span->to)
    {
      guint at = tl_sim_span_find (source->ahead->span, time);
      if (at < source->ahead->span->events->len)
        {
          *next = g_array_index (source->ahead->span->events, TlSimEvent, at).time;
          return TRUE;
        }
    }
  return tl_sim_next_event (source->run, time, next);
}

gboolean
tl_frame_previous (TlFrameSource *source, guint64 time, guint64 *previous)
{
  if (holds (source, time) && time > source->begins)
    {
      guint at = tl_sim_span_find (source->span, time - 1);
      if (at > 0 && g_array_index (source->span->events, TlSimEvent, at - 1).time >= source->begins)
        {
          *previous = g_array_index (source->span->events, TlSimEvent, at - 1).time;
          return TRUE;
        }
    }
  return tl_sim_previous_event (source->run, time, previous);
}

void
tl_frame_look_ahead (TlFrameSource *source, guint64 time)
{
  if (!holds (source, time) || source->span->to >= source->run->makespan)
    return;
  if (source->ahead != NULL)
    {
      gboolean done = g_atomic_int_get (&source->ahead->done);
      /* Still of use, or not yet known to be. */
      if (!done
          || (source->ahead->span != NULL && source->ahead->span->to > source->span->to
              && source->ahead->from >= source->span->to))
        return;
      drop_ahead (source);
    }
  source->ahead = g_new0 (Ahead, 1);
  source->ahead->run = tl_sim_run_ref (source->run);
  source->ahead->from = source->span->to;
  source->ahead->lookback = source->lookback;
  source->thread = g_thread_new ("look-ahead", make_ahead, source->ahead);
}

void
tl_frame_free (TlFrame *frame)
{
  if (frame == NULL)
    return;
  tl_sim_moment_free (frame->moment);
  g_free (frame->bank);
  g_free (frame);
}

const char *
tl_phase_words (guint8 phase)
{
  static const char *const words[] = { "pivot", "row and column", "internal" };

  return words[MIN (phase, 2)];
}

static const char *
data_name (const TlPimProgram *program)
{
  if (program->data == NULL || program->data->len == 0)
    return "D";
  return ((const TlDataSource *) g_ptr_array_index (program->data, 0))->name;
}

char *
tl_frame_caption (const TlFrame *frame)
{
  const TlSimMoment *moment = frame->moment;
  GString           *text = g_string_new (NULL);

  if (moment->sending || moment->hopping)
    g_string_append_printf (text, "PU %u sends %s[%u,%u] round the ring, %u hops out. ", moment->broadcast.pu,
                            data_name (frame->run->program), moment->broadcast.i, moment->broadcast.j, frame->hops);
  if (frame->time >= frame->run->makespan)
    g_string_append (text, "The run is over. ");
  else
    {
      g_string_append_printf (text, "Step %u of %u, %s tiles: %u %s compute", frame->k + 1, frame->run->program->tiles,
                              tl_phase_words (frame->phase), frame->computing, frame->computing == 1 ? "PU" : "PUs");
      if (frame->reading > 0)
        g_string_append_printf (text, ", %u read", frame->reading);
      if (frame->writing > 0)
        g_string_append_printf (text, ", %u write", frame->writing);
      if (frame->waiting > 0)
        g_string_append_printf (text, ", %u wait", frame->waiting);
      g_string_append_c (text, '.');
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
