/* Three levels of detail: commands from a trace window, operations, shares of
 * super-steps. Which one is decided by how much would have to be looked at. */
#include "scene/lanes-private.h"

#include <math.h>
#include <string.h>

#define COMMAND_SPAN    6000000 /* ps up to which single commands are fetched */
#define COMMAND_LIMIT   600000
#define LOOKBACK        100000
#define OPERATION_LIMIT 60000

static void
lane_free (gpointer data)
{
  TlLane *lane = data;

  g_array_unref (lane->marks);
  g_array_unref (lane->bins);
  g_free (lane->name);
  g_free (lane->id);
  g_free (lane);
}

TlLane *
tl_lane_add (TlLanes *lanes, gboolean ring, guint32 pu, gint bank)
{
  TlLane *lane = g_new0 (TlLane, 1);

  lane->ring = ring;
  lane->pu = pu;
  lane->bank = bank;
  lane->marks = g_array_new (FALSE, FALSE, sizeof (TlLaneMark));
  lane->bins = g_array_new (FALSE, TRUE, sizeof (TlLaneBin));
  g_ptr_array_add (lanes->lanes, lane);
  return lane;
}

static double
position (const TlLanes *lanes, guint64 time)
{
  double span = (double) (lanes->to - lanes->from);
  double at = time <= lanes->from ? 0 : (double) (time - lanes->from) / span;

  return MIN (at, 1.0) * lanes->columns;
}

void
tl_lane_mark (const TlLanes *lanes, TlLane *lane, TlLaneKind kind, guint64 begin, guint64 end, guint64 event,
              const TlOperation *operation)
{
  if (end <= begin || end <= lanes->from || begin >= lanes->to)
    return;
  double      x = position (lanes, begin), width = position (lanes, end) - x;
  TlLaneMark *last = lane->marks->len > 0 ? &g_array_index (lane->marks, TlLaneMark, lane->marks->len - 1) : NULL;

  if (last != NULL && last->kind == kind && width < 3 && x - (last->x + last->width) < 0.75)
    {
      last->width = MAX (last->width, (float) (x + width - last->x));
      last->count++;
      return;
    }
  TlLaneMark mark = { .x = x, .width = width, .kind = kind, .count = 1, .time = begin, .event = event };
  if (operation != NULL)
    {
      mark.i = operation->i;
      mark.j = operation->j;
      mark.k = operation->k;
    }
  g_array_append_val (lane->marks, mark);
}

void
tl_lane_sum (const TlLanes *lanes, double *sums, guint64 begin, guint64 end, double weight)
{
  double x = position (lanes, MAX (begin, lanes->from)), last = position (lanes, MIN (end, lanes->to));

  if (end <= lanes->from || begin >= lanes->to)
    return;
  while (x < last)
    {
      guint  column = MIN ((guint) x, lanes->columns - 1);
      double step = MIN (last, column + 1.0) - x;
      sums[column] += step * weight;
      if (column + 1 >= lanes->columns)
        break;
      x = column + 1.0;
    }
}

void
tl_lane_bins (TlLane *lane, guint columns, double *const sums[4])
{
  g_array_set_size (lane->bins, columns);
  lane->binned = TRUE;
  for (guint c = 0; c < columns; c++)
    {
      TlLaneBin *bin = &g_array_index (lane->bins, TlLaneBin, c);
      bin->compute = (guint8) lrint (CLAMP (sums[0][c], 0, 1) * 255);
      bin->load = (guint8) lrint (CLAMP (sums[1][c], 0, 1) * 255);
      bin->store = (guint8) lrint (CLAMP (sums[2][c], 0, 1) * 255);
      bin->wait = (guint8) lrint (CLAMP (sums[3][c], 0, 1) * 255);
    }
}

static TlLaneKind
wait_kind (guint8 wait)
{
  return wait == TL_WAIT_BARRIER ? TL_LANE_WAIT_BARRIER
         : wait == TL_WAIT_RING  ? TL_LANE_WAIT_RING
                                 : TL_LANE_WAIT_OPERAND;
}

static void
bin_operations (TlLanes *lanes, TlLane *lane, const GArray *operations, const GArray *waits)
{
  g_autofree double *sums = g_new0 (double, 4 * (gsize) lanes->columns);
  double *const      rows[4] = { sums, sums + lanes->columns, sums + 2 * lanes->columns, sums + 3 * lanes->columns };

  for (guint o = 0; o < operations->len; o++)
    {
      const TlOperation *operation = &g_array_index (operations, TlOperation, o);
      if (operation->pu != lane->pu)
        continue;
      tl_lane_sum (lanes, rows[0], operation->compute, operation->computed, 1);
      tl_lane_sum (lanes, rows[1], operation->start, operation->loaded, 1);
      tl_lane_sum (lanes, rows[2], operation->computed, operation->end, 1);
    }
  for (guint w = 0; w < waits->len; w++)
    {
      const TlSimWait *wait = &g_array_index (waits, TlSimWait, w);
      if (wait->pu == lane->pu)
        tl_lane_sum (lanes, rows[3], wait->from, wait->to, 1);
    }
  tl_lane_bins (lane, lanes->columns, rows);
}

static gint
by_x (gconstpointer a, gconstpointer b)
{
  const TlLaneMark *first = a, *second = b;

  return (first->x > second->x) - (first->x < second->x);
}

/* Its operations, and what it waits for between them. */
static void
draw_operations (TlLanes *lanes, TlLane *lane, const GArray *operations, const GArray *waits)
{
  guint n = 0;

  for (guint o = 0; o < operations->len; o++)
    n += g_array_index (operations, TlOperation, o).pu == lane->pu;
  if (n > lanes->columns / 2)
    {
      bin_operations (lanes, lane, operations, waits);
      return;
    }
  for (guint o = 0; o < operations->len; o++)
    {
      const TlOperation *operation = &g_array_index (operations, TlOperation, o);
      if (operation->pu != lane->pu)
        continue;
      tl_lane_mark (lanes, lane, TL_LANE_LOAD, operation->start, operation->loaded, G_MAXUINT64, operation);
      tl_lane_mark (lanes, lane, TL_LANE_COMPUTE, operation->compute, operation->computed, G_MAXUINT64, operation);
      tl_lane_mark (lanes, lane, TL_LANE_STORE, operation->computed, operation->end, G_MAXUINT64, operation);
    }
  for (guint w = 0; w < waits->len; w++)
    {
      const TlSimWait *wait = &g_array_index (waits, TlSimWait, w);
      TlOperation      waiting = { .k = wait->k, .i = wait->i, .j = wait->j };
      if (wait->pu == lane->pu)
        tl_lane_mark (lanes, lane, wait_kind (wait->wait), wait->from, wait->to, G_MAXUINT64, &waiting);
    }
  g_array_sort (lane->marks, by_x);
}

static void
draw_shares (TlLanes *lanes, TlLane *lane, TlSimRun *run)
{
  g_autoptr (GArray) shares = tl_sim_lane (run, lane->pu);
  g_autofree double *sums = g_new0 (double, 4 * (gsize) lanes->columns);
  double *const      rows[4] = { sums, sums + lanes->columns, sums + 2 * lanes->columns, sums + 3 * lanes->columns };

  for (guint s = 0; s < shares->len; s++)
    {
      const TlLaneShare *share = &g_array_index (shares, TlLaneShare, s);
      double             span = (double) (share->to - share->from);
      if (share->to <= share->from || share->to <= lanes->from || share->from >= lanes->to)
        continue;
      double parts[4] = { share->times.computing / span, (share->times.busy - share->times.computing) / span, 0,
                          (share->times.wait_operand + share->times.wait_ring + share->times.wait_barrier) / span };
      for (guint part = 0; part < 4; part++)
        if (parts[part] > 0)
          tl_lane_sum (lanes, rows[part], share->from, share->to, parts[part]);
    }
  tl_lane_bins (lane, lanes->columns, rows);
}

void
tl_bank_lane_rest (TlLanes *lanes, TlBankLane *bank, guint64 until, const TlOperation *operation)
{
  if (until <= bank->rest)
    return;
  if ((bank->open && bank->fresh) || (!bank->open && bank->reserved))
    tl_lane_mark (lanes, bank->lane, TL_LANE_HELD, bank->rest, until, G_MAXUINT64, operation);
  else if (bank->open)
    tl_lane_mark (lanes, bank->lane, TL_LANE_ROW, bank->rest, until, G_MAXUINT64, operation);
}

void
tl_bank_lane_command (TlLanes *lanes, TlBankLane *bank, guint8 kind, guint64 time, guint64 end, gboolean reserves,
                      guint64 event, const TlOperation *operation)
{
  TlLaneKind look = kind == TL_COMMAND_ACT   ? bank->reserved ? TL_LANE_REOPEN : TL_LANE_OPEN
                    : kind == TL_COMMAND_PRE ? TL_LANE_CLOSE
                    : kind == TL_COMMAND_WR  ? TL_LANE_WRITE
                                             : TL_LANE_READ;

  tl_bank_lane_rest (lanes, bank, time, operation);
  if (kind == TL_COMMAND_PRE)
    bank->event = event;
  tl_lane_mark (lanes, bank->lane, look, time, end, look == TL_LANE_REOPEN ? bank->event : G_MAXUINT64, operation);
  bank->open = kind != TL_COMMAND_PRE;
  bank->fresh = kind == TL_COMMAND_ACT;
  bank->reserved = reserves;
  bank->rest = end;
}

static void
draw_command (TlLanes *lanes, TlBankLane *bank, const TlPimMachine *machine, gboolean open_pages,
              const TlSimEvent *event, const TlOperation *operation)
{
  const TlTierTiming *timing = &machine->tier[MIN (event->row / MAX (machine->rows, 1), machine->tiers - 1)];
  guint8              kind = event->kind == TL_SIM_EVENT_ACT   ? TL_COMMAND_ACT
                             : event->kind == TL_SIM_EVENT_PRE ? TL_COMMAND_PRE
                             : event->kind == TL_SIM_EVENT_WR  ? TL_COMMAND_WR
                                                               : TL_COMMAND_RD;
  guint64 takes = kind == TL_COMMAND_ACT ? timing->tRCD : kind == TL_COMMAND_PRE ? timing->tRP : machine->burst;

  tl_bank_lane_command (lanes, bank, kind, event->time, event->time + takes,
                        kind == TL_COMMAND_PRE && open_pages && event->column == 0, G_MAXUINT64, operation);
}

static const TlOperation *
operation_of (const TlSimSpan *span, const TlSimEvent *event)
{
  return event->subject < span->operations->len ? &g_array_index (span->operations, TlOperation, event->subject) : NULL;
}

static void
draw_commands (TlLanes *lanes, TlBankLane *banks, TlSimRun *run, const TlSimSpan *span, guint32 pu)
{
  const TlPimMachine *machine = &run->program->machine;
  g_autoptr (TlSimMoment) moment = tl_sim_moment_copy (span->base);
  guint e = 0;

  for (; e < span->first; e++)
    tl_sim_span_apply (span, e, moment);
  for (guint b = 0; b < machine->banks; b++)
    {
      const TlBankMoment *bank = &moment->bank[pu * moment->n_banks + b];
      banks[b].open = bank->open;
      banks[b].fresh = bank->open && bank->fresh;
      banks[b].reserved = bank->reserved;
      banks[b].rest = span->from;
    }
  for (; e < span->events->len; e++)
    {
      const TlSimEvent *event = &g_array_index (span->events, TlSimEvent, e);
      if (event->kind <= TL_SIM_EVENT_PRE && event->pu == pu)
        draw_command (lanes, &banks[event->bank], machine, run->program->page == TL_PAGE_OPEN, event,
                      operation_of (span, event));
    }
  for (guint b = 0; b < machine->banks; b++)
    tl_bank_lane_rest (lanes, &banks[b], lanes->to, NULL);
}

static void
draw_ring (TlLanes *lanes, TlLane *lane, const GArray *broadcasts)
{
  for (guint b = 0; b < broadcasts->len; b++)
    {
      const TlBroadcast *broadcast = &g_array_index (broadcasts, TlBroadcast, b);
      TlOperation        operation = { .i = broadcast->i, .j = broadcast->j, .k = broadcast->k };
      tl_lane_mark (lanes, lane, TL_LANE_SEND, broadcast->start, MAX (broadcast->end, broadcast->start + 1),
                    G_MAXUINT64, &operation);
    }
}

/* Single commands from one stretch; operations come with it. */
static void
draw_span (TlLanes *lanes, TlSimRun *run, const TlSimSpan *span, const guint *pus, guint n_pus)
{
  const guint            n_banks = run->program->machine.banks;
  g_autofree TlBankLane *banks = g_new0 (TlBankLane, n_banks);

  draw_ring (lanes, tl_lane_add (lanes, TRUE, 0, -1), span->broadcasts);
  for (guint p = 0; p < n_pus; p++)
    {
      draw_operations (lanes, tl_lane_add (lanes, FALSE, pus[p], -1), span->operations, span->waits);
      for (guint b = 0; b < n_banks; b++)
        banks[b] = (TlBankLane) { .lane = tl_lane_add (lanes, FALSE, pus[p], (gint) b) };
      draw_commands (lanes, banks, run, span, pus[p]);
    }
}

/* Whole operations: what each waited for lies between the one before and it. */
static void
draw_window (TlLanes *lanes, TlSimRun *run, const TlSimWindow *window, const guint *pus, guint n_pus)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (TlSimWait));
  g_autofree guint64 *before = g_new (guint64, run->program->machine.pus);
  gboolean            strict = run->program->barriers == TL_BARRIERS_STRICT;

  for (guint p = 0; p < run->program->machine.pus; p++)
    before[p] = lanes->from;
  for (guint o = 0; o < window->operations->len; o++)
    {
      const TlOperation *operation = &g_array_index (window->operations, TlOperation, o);
      TlSimWait          wait = { before[operation->pu],
                                  operation->ready,
                                  operation->k,
                                  operation->i,
                                  operation->j,
                                  operation->pu,
                                  (guint8) (strict                               ? TL_WAIT_BARRIER
                                            : operation->phase == TL_PHASE_PIVOT ? TL_WAIT_OPERAND
                                                                                 : TL_WAIT_RING) };
      if (wait.to > wait.from)
        g_array_append_val (waits, wait);
      before[operation->pu] = MAX (before[operation->pu], operation->end);
    }
  draw_ring (lanes, tl_lane_add (lanes, TRUE, 0, -1), window->broadcasts);
  for (guint p = 0; p < n_pus; p++)
    draw_operations (lanes, tl_lane_add (lanes, FALSE, pus[p], -1), window->operations, waits);
}

TlLanes *
tl_lanes_begin (guint64 from, guint64 to, guint columns)
{
  TlLanes *lanes = g_new0 (TlLanes, 1);

  lanes->from = from;
  lanes->to = MAX (to, from + 1);
  lanes->columns = MAX (columns, 1);
  lanes->lanes = g_ptr_array_new_with_free_func (lane_free);
  return lanes;
}

TlLanes *
tl_lanes_new (TlSimRun *run, guint64 from, guint64 to, guint columns, const guint *pus, guint n_pus, GError **error)
{
  TlLanes *lanes = tl_lanes_begin (from, to, columns);
  g_autoptr (GError) problem = NULL;

  if (lanes->to - from <= COMMAND_SPAN)
    {
      /* What began before the window may reach into it. */
      g_autoptr (TlSimSpan) span
          = tl_sim_span_new (run, from > LOOKBACK ? from - LOOKBACK : 0, lanes->to, COMMAND_LIMIT, NULL, NULL);
      if (span != NULL)
        {
          lanes->commands = TRUE;
          draw_span (lanes, run, span, pus, n_pus);
          return lanes;
        }
    }
  g_autoptr (TlSimWindow) window
      = tl_sim_window_new_of (run, pus, n_pus, from, lanes->to, OPERATION_LIMIT, NULL, &problem);
  if (window != NULL)
    {
      draw_window (lanes, run, window, pus, n_pus);
      return lanes;
    }
  if (!g_error_matches (problem, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      tl_lanes_free (lanes);
      return NULL;
    }
  tl_lane_add (lanes, TRUE, 0, -1);
  for (guint p = 0; p < n_pus; p++)
    draw_shares (lanes, tl_lane_add (lanes, FALSE, pus[p], -1), run);
  return lanes;
}

void
tl_lanes_free (TlLanes *lanes)
{
  if (lanes == NULL)
    return;
  g_ptr_array_unref (lanes->lanes);
  g_free (lanes);
}

TlRunSummary *
tl_run_summary_new (TlSimRun *run, guint columns)
{
  TlRunSummary *summary = g_new0 (TlRunSummary, 1);
  guint         pus = run->program->machine.pus;
  double        span = MAX ((double) run->makespan, 1);

  summary->n = columns;
  summary->computing = g_new0 (float, columns);
  summary->busy = g_new0 (float, columns);
  for (guint p = 0; p < pus; p++)
    {
      g_autoptr (GArray) shares = tl_sim_lane (run, p);
      for (guint s = 0; s < shares->len; s++)
        {
          const TlLaneShare *share = &g_array_index (shares, TlLaneShare, s);
          double             begin = share->from / span * columns, end = share->to / span * columns;
          double             computing = share->times.computing / MAX ((double) (share->to - share->from), 1) / pus;
          double             busy = share->times.busy / MAX ((double) (share->to - share->from), 1) / pus;
          for (guint c = (guint) begin; c < columns && c < end; c++)
            {
              double cover = MIN (end, c + 1.0) - MAX (begin, (double) c);
              summary->computing[c] += (float) (cover * computing);
              summary->busy[c] += (float) (cover * busy);
            }
        }
    }
  return summary;
}

void
tl_run_summary_free (TlRunSummary *summary)
{
  if (summary == NULL)
    return;
  g_free (summary->computing);
  g_free (summary->busy);
  g_free (summary);
}
