/* Three levels of detail: commands from a trace window, operations, shares of
 * super-steps. Which one is decided by how much would have to be looked at. */
#include "scene/lanes.h"

#include "sim/trace.h"

#include <math.h>
#include <string.h>

#define COMMAND_SPAN    6000000 /* ps up to which single commands are fetched */
#define COMMAND_LIMIT   600000
#define OPERATION_LIMIT 60000

static void
lane_free (gpointer data)
{
  TlLane *lane = data;

  g_array_unref (lane->marks);
  g_array_unref (lane->bins);
  g_free (lane);
}

static TlLane *
lane_add (TlLanes *lanes, gboolean ring, guint32 pu, gint bank)
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

/* Adds begin..end when it shows at all; what is under a pixel wide melts into the
 * mark before it if that is of the same kind. */
static void
mark_add (const TlLanes *lanes, TlLane *lane, TlLaneKind kind, guint64 begin, guint64 end, const TlOperation *operation)
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
  TlLaneMark mark = { .x = x, .width = width, .kind = kind, .count = 1 };
  if (operation != NULL)
    {
      mark.i = operation->i;
      mark.j = operation->j;
      mark.k = operation->k;
    }
  g_array_append_val (lane->marks, mark);
}

/* Adds begin..end to the columns it covers, in parts of a column. */
static void
bin_add (const TlLanes *lanes, double *sums, guint64 begin, guint64 end)
{
  double x = position (lanes, MAX (begin, lanes->from)), last = position (lanes, MIN (end, lanes->to));

  if (end <= lanes->from || begin >= lanes->to)
    return;
  while (x < last)
    {
      guint  column = MIN ((guint) x, lanes->columns - 1);
      double step = MIN (last, column + 1.0) - x;
      sums[column] += step;
      if (column + 1 >= lanes->columns)
        break;
      x = column + 1.0;
    }
}

static void
bins_set (TlLane *lane, guint columns, double *const sums[4])
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
wait_kind (TlSimRun *run, const TlOperation *operation)
{
  if (run->program->barriers == TL_BARRIERS_STRICT)
    return TL_LANE_WAIT_BARRIER;
  return operation->phase == TL_PHASE_PIVOT ? TL_LANE_WAIT_OPERAND : TL_LANE_WAIT_RING;
}

static void
draw_operations (TlLanes *lanes, TlLane *lane, TlSimRun *run, const GArray *operations)
{
  guint64 before = lanes->from;
  guint   n = 0;

  for (guint o = 0; o < operations->len; o++)
    n += g_array_index (operations, TlOperation, o).pu == lane->pu;
  if (n > lanes->columns / 2)
    {
      g_autofree double *sums = g_new0 (double, 4 * (gsize) lanes->columns);
      double *const rows[4] = { sums, sums + lanes->columns, sums + 2 * lanes->columns, sums + 3 * lanes->columns };
      for (guint o = 0; o < operations->len; o++)
        {
          const TlOperation *operation = &g_array_index (operations, TlOperation, o);
          if (operation->pu != lane->pu)
            continue;
          bin_add (lanes, rows[0], operation->compute, operation->computed);
          bin_add (lanes, rows[1], operation->start, operation->loaded);
          bin_add (lanes, rows[2], operation->computed, operation->end);
          bin_add (lanes, rows[3], before, operation->start);
          before = MAX (before, operation->end);
        }
      bins_set (lane, lanes->columns, rows);
      return;
    }
  for (guint o = 0; o < operations->len; o++)
    {
      const TlOperation *operation = &g_array_index (operations, TlOperation, o);
      if (operation->pu != lane->pu)
        continue;
      if (operation->start > before)
        mark_add (lanes, lane, wait_kind (run, operation), before, operation->start, operation);
      mark_add (lanes, lane, TL_LANE_LOAD, operation->start, operation->loaded, operation);
      mark_add (lanes, lane, TL_LANE_COMPUTE, operation->compute, operation->computed, operation);
      mark_add (lanes, lane, TL_LANE_STORE, operation->computed, operation->end, operation);
      before = MAX (before, operation->end);
    }
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
      g_autofree double *cover = g_new0 (double, lanes->columns);
      bin_add (lanes, cover, share->from, share->to);
      for (guint c = 0; c < lanes->columns; c++)
        for (guint part = 0; part < 4; part++)
          rows[part][c] += cover[c] * parts[part];
    }
  bins_set (lane, lanes->columns, rows);
}

/* A bank's commands: PRE and ACT as long as they last, beats, and rails between. */
static void
draw_commands (TlLanes *lanes, TlLane *lane, TlSimRun *run, const TlSimTrace *trace)
{
  const TlPimMachine *machine = &run->program->machine;
  guint64             rail = 0;
  gboolean            open = FALSE, closed_before = FALSE;

  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;
      tl_sim_trace_event (trace, e, &event);
      if (event.kind > TL_EVENT_PRE || event.pu != lane->pu || event.bank != (guint) lane->bank)
        continue;
      const TlTierTiming *timing = &machine->tier[MIN (event.row / MAX (machine->rows, 1), machine->tiers - 1)];
      guint64             begin = event.time, end = event.time;
      TlLaneKind          kind = TL_LANE_READ;
      switch (event.kind)
        {
        case TL_EVENT_ACT:
          kind = closed_before && run->program->page == TL_PAGE_OPEN ? TL_LANE_REOPEN : TL_LANE_OPEN;
          end = begin + timing->tRCD;
          break;
        case TL_EVENT_PRE:
          kind = TL_LANE_CLOSE;
          end = begin + timing->tRP;
          break;
        case TL_EVENT_RD:
          end = begin + machine->burst;
          break;
        default:
          kind = TL_LANE_WRITE;
          end = begin + machine->burst;
          break;
        }
      if (open && begin > rail)
        mark_add (lanes, lane, TL_LANE_ROW, rail, begin, NULL);
      mark_add (lanes, lane, kind, begin, end, NULL);
      open = kind != TL_LANE_CLOSE;
      closed_before |= kind == TL_LANE_CLOSE;
      rail = end;
    }
  if (open)
    mark_add (lanes, lane, TL_LANE_ROW, rail, lanes->to, NULL);
}

static void
draw_ring (TlLanes *lanes, TlLane *lane, const GArray *broadcasts)
{
  for (guint b = 0; b < broadcasts->len; b++)
    {
      const TlBroadcast *broadcast = &g_array_index (broadcasts, TlBroadcast, b);
      TlOperation        operation = { .i = broadcast->i, .j = broadcast->j, .k = broadcast->k };
      mark_add (lanes, lane, TL_LANE_SEND, broadcast->start, MAX (broadcast->end, broadcast->start + 1), &operation);
    }
}

TlLanes *
tl_lanes_new (TlSimRun *run, guint64 from, guint64 to, guint columns, const guint *pus, guint n_pus, GError **error)
{
  TlLanes *lanes = g_new0 (TlLanes, 1);
  g_autoptr (TlSimTrace) trace = NULL;
  g_autoptr (TlSimWindow) window = NULL;

  lanes->from = from;
  lanes->to = MAX (to, from + 1);
  lanes->columns = MAX (columns, 1);
  lanes->lanes = g_ptr_array_new_with_free_func (lane_free);
  if (lanes->to - from <= COMMAND_SPAN)
    {
      /* What began before the window may reach into it. */
      guint64 begin = from > 100000 ? from - 100000 : 0;
      trace = tl_sim_trace_new (run, begin, lanes->to, COMMAND_LIMIT, NULL, NULL);
    }
  g_autoptr (GError) problem = NULL;
  window = tl_sim_window_new (run, from, lanes->to, OPERATION_LIMIT, NULL, &problem);
  if (window == NULL && !g_error_matches (problem, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      tl_lanes_free (lanes);
      return NULL;
    }
  lanes->commands = trace != NULL;
  TlLane *ring = lane_add (lanes, TRUE, 0, -1);
  if (window != NULL)
    draw_ring (lanes, ring, window->broadcasts);
  for (guint p = 0; p < n_pus; p++)
    {
      TlLane *lane = lane_add (lanes, FALSE, pus[p], -1);
      if (window != NULL)
        draw_operations (lanes, lane, run, window->operations);
      else
        draw_shares (lanes, lane, run);
      for (guint b = 0; trace != NULL && b < run->program->machine.banks; b++)
        draw_commands (lanes, lane_add (lanes, FALSE, pus[p], (gint) b), run, trace);
    }
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
