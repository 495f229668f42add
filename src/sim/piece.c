/* A piece of an operation on a bank group: its tiles one after the other, the first
 * ACT of each not before the last beat of the one before. */
#include "sim/memo-private.h"

static gint64
run_stream (const TlSimPlan *plan, const TlTileStream *stream, gint64 start, TlGroup *group, gint64 *first,
            TlTally *tally, TlCommandTap *tap, gint64 *begins)
{
  TlSimCounts *counts = &tally->counts[tally->n];
  gint64       command = 0;
  gint64       end;

  *counts = (TlSimCounts) { 0 };
  end = tl_group_stream (group, &plan->timings, stream, start, &command, counts, tap);
  if (begins != NULL)
    begins[tally->n] = tally->n == 0 ? command : start;
  tally->tier[tally->n++] = stream->tier;
  tl_sim_counts_add (&tally->total, counts, 1);
  *first = MIN (*first, command);
  return end;
}

void
tl_piece_run (const TlSimPlan *plan, const TlWork *work, TlPieceKind kind, gint64 start, TlGroup *group,
              TlPieceTimes *times, TlTally *tally, TlCommandTap *tap, gint64 *begins)
{
  gint64 now = start;

  tally->n = 0;
  tally->total = (TlSimCounts) { 0 };
  *times = (TlPieceTimes) { .first = G_MAXINT64, .compute = work->compute };
  for (guint s = 0; kind != TL_PIECE_STORE && s < work->n_loads; s++)
    now = run_stream (plan, &work->load[s], now, group, &times->first, tally, tap, begins);
  times->loaded = now;
  if (kind == TL_PIECE_WHOLE)
    now += work->compute;
  if (kind != TL_PIECE_LOAD)
    now = run_stream (plan, &work->store, now, group, &times->first, tally, tap, begins);
  times->end = now;
}
