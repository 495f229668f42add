/* Frames: the moment from the simulator, refined by the commands just before it. */
#include "scene/frame.h"

#include "base/number.h"
#include "sim/trace.h"

#include <string.h>

/* Commands are fetched for this long a stretch at once, in ps. */
#define STRETCH     2000000
#define EVENT_LIMIT 400000

struct _TlFrameSource
{
  TlSimRun   *run;
  TlSimTrace *trace; /* events of from..to, or NULL */
  guint64     from;
  guint64     to;
  guint64     lookback; /* longest a command can still be seen */
};

TlFrameSource *
tl_frame_source_new (TlSimRun *run)
{
  TlFrameSource      *source = g_new0 (TlFrameSource, 1);
  const TlPimMachine *machine = &run->program->machine;

  source->run = run;
  for (guint t = 0; t < machine->tiers; t++)
    {
      const TlTierTiming *timing = &machine->tier[t];
      source->lookback = MAX (source->lookback, (guint64) timing->tRCD + timing->tRP + timing->tCL + timing->tCWL
                                                    + (guint64) machine->burst * 2);
    }
  return source;
}

void
tl_frame_source_free (TlFrameSource *source)
{
  if (source == NULL)
    return;
  g_clear_pointer (&source->trace, tl_sim_trace_unref);
  g_free (source);
}

static gboolean
fetch (TlFrameSource *source, guint64 time, GError **error)
{
  guint64 begin = time > source->lookback ? time - source->lookback : 0;

  if (source->trace != NULL && begin >= source->from && time < source->to)
    return TRUE;
  g_clear_pointer (&source->trace, tl_sim_trace_unref);
  source->from = begin;
  source->to = time + STRETCH;
  source->trace = tl_sim_trace_new (source->run, source->from, source->to, EVENT_LIMIT, NULL, error);
  return source->trace != NULL;
}

/* Sets the states that last from a command until @time is past them. */
static void
refine_banks (TlFrameSource *source, TlFrame *frame)
{
  const TlPimMachine *machine = &source->run->program->machine;
  guint64             begin = frame->time > source->lookback ? frame->time - source->lookback : 0;
  guint64             end = tl_sim_trace_find (source->trace, frame->time + 1);
  g_autofree guint64 *closed_at = g_new0 (guint64, frame->moment->n_pus * frame->moment->n_banks);

  for (guint64 e = tl_sim_trace_find (source->trace, begin); e < end; e++)
    {
      TlSimEvent event;
      tl_sim_trace_event (source->trace, e, &event);
      if (event.kind > TL_EVENT_PRE)
        continue;
      guint               at = event.pu * frame->moment->n_banks + event.bank;
      TlBankFrame        *bank = &frame->bank[at];
      guint               tier = (guint) MIN (event.row / MAX (machine->rows, 1), machine->tiers - 1);
      const TlTierTiming *timing = &machine->tier[tier];
      TlBankState         state = TL_BANK_IDLE;
      guint64             until = 0, starts = event.time;
      switch (event.kind)
        {
        case TL_EVENT_ACT:
          state = closed_at[at] > 0 && source->run->program->page == TL_PAGE_OPEN ? TL_BANK_REOPENING : TL_BANK_OPENING;
          until = event.time + timing->tRCD;
          break;
        case TL_EVENT_RD:
          state = TL_BANK_READING;
          until = event.time + machine->burst;
          break;
        case TL_EVENT_WR:
          state = TL_BANK_WRITING;
          until = event.time + machine->burst;
          break;
        default:
          state = TL_BANK_CLOSING;
          until = event.time + timing->tRP;
          closed_at[at] = event.time + 1;
          tier = bank->state == TL_BANK_CLOSED ? tier : bank->tier;
          break;
        }
      if (until <= frame->time)
        continue;
      *bank = (TlBankFrame) { state, (guint8) tier, event.row, starts, until };
    }
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

TlFrame *
tl_frame_at (TlFrameSource *source, guint64 time, GError **error)
{
  if (!fetch (source, time, error))
    return NULL;
  TlSimMoment *moment = tl_sim_moment_at (source->run, time, NULL, error);
  if (moment == NULL)
    return NULL;
  TlFrame *frame = g_new0 (TlFrame, 1);
  guint    n = moment->n_pus * moment->n_banks;

  frame->run = source->run;
  frame->time = time;
  frame->moment = moment;
  frame->bank = g_new0 (TlBankFrame, n);
  for (guint i = 0; i < n; i++)
    if (moment->bank[i].open)
      frame->bank[i] = (TlBankFrame) { TL_BANK_IDLE, moment->bank[i].tier, moment->bank[i].row, 0, 0 };
  refine_banks (source, frame);
  count_activity (frame);
  follow_broadcast (frame);
  return frame;
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
