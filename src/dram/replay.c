/* Traces through the engine. */
#include "dram/replay.h"

#define BATCH 1024

gboolean
tl_request_units (const TlRequest *request, const TlMemory *memory, gboolean wrap, const char *name, guint64 *unit,
                  guint64 *n, TlDiags *diags)
{
  guint64 last = request->address + MAX (request->bytes, 1) - 1;

  if (!wrap && (last < request->address || last >= memory->capacity))
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-address", name, MIN (request->line, G_MAXUINT32),
                                      0, "address 0x%" G_GINT64_MODIFIER "x lies past the capacity", request->address);
      tl_diag_reason (diag,
                      "the target has 0x%" G_GINT64_MODIFIER "x bytes; --wrap takes addresses modulo that, or a larger "
                      "target holds them",
                      memory->capacity);
      return FALSE;
    }
  *unit = request->address / memory->unit_bytes;
  *n = (request->address % memory->unit_bytes + MAX (request->bytes, 1) - 1) / memory->unit_bytes + 1;
  return TRUE;
}

gboolean
tl_replay_possible (const TlTarget *target, TlDiags *diags)
{
  if (tl_target_map (target) == NULL)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-map", tl_target_file (target), 0, 0,
                                      "the target has no address map, so no trace can be replayed on it");
      tl_diag_reason (diag, "%s", tl_target_map_reason (target));
      return FALSE;
    }
  if (tl_address_map_row_bits (tl_target_map (target)) <= 32
      && tl_address_map_column_bits (tl_target_map (target)) <= 16)
    return TRUE;
  TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-rows", tl_target_file (target), 0, 0,
                                  "the target's rows are too many, or too long, to be scheduled");
  tl_diag_reason (diag, "a domain may have 2^32 rows of 2^16 units; counting in order has no such limit");
  return FALSE;
}

/* --- a trace --- */

typedef struct
{
  TlTrace               *trace;
  const TlMemory        *memory;
  const TlReplayOptions *options;
  TlEngine              *engine;
  TlInOrder             *named; /* tells the classes of the first requests */
  guint64                cycle; /* latest */
  guint64                requests;
  guint64                told;
  gsize                  n;
  TlAccess               accesses[BATCH];
} Replay;

static gboolean
flush (Replay *replay)
{
  gboolean good = tl_engine_feed (replay->engine, replay->accesses, replay->n, NULL);

  replay->n = 0;
  return good;
}

static void
time_wrong (const Replay *replay, const TlRequest *request, const char *what, const char *reason, TlDiags *diags)
{
  TlDiag *diag
      = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-time", tl_trace_name (replay->trace),
                         MIN (request->line, G_MAXUINT32), 0, "cycle %" G_GUINT64_FORMAT " %s", request->cycle, what);

  tl_diag_reason (diag, "%s", reason);
}

/* When @request arrives, ps. FALSE with a diagnostic. */
static gboolean
arrival (Replay *replay, const TlRequest *request, guint64 *time, TlDiags *diags)
{
  *time = 0;
  if (request->cycle == 0)
    return TRUE;
  if (request->cycle < replay->cycle)
    {
      g_autofree char *reason = g_strdup_printf (
          "the request before it is of cycle %" G_GUINT64_FORMAT
          "; a trace is in order of time: sort it, or leave the cycles out and each comes as soon as it can",
          replay->cycle);
      time_wrong (replay, request, "runs backwards", reason, diags);
      return FALSE;
    }
  if (request->cycle > TL_ENGINE_MAX_TIME / replay->memory->clock)
    {
      time_wrong (replay, request, "is out of range", "a replay reaches 53 days; are these cycles of a faster clock?",
                  diags);
      return FALSE;
    }
  replay->cycle = request->cycle;
  *time = request->cycle * replay->memory->clock;
  return TRUE;
}

static gboolean
add_request (Replay *replay, const TlRequest *request, TlDiags *diags)
{
  guint64 units = replay->memory->capacity / replay->memory->unit_bytes;
  guint64 unit, n, time;

  if (!tl_request_units (request, replay->memory, replay->options->wrap, tl_trace_name (replay->trace), &unit, &n,
                         diags)
      || !arrival (replay, request, &time, diags))
    return FALSE;
  for (; n > 0; n--, unit++)
    {
      if (replay->n == BATCH && !flush (replay))
        return FALSE;
      guint64 at = unit % units;
      if (replay->requests < replay->options->n_classes && replay->options->classes != NULL)
        tl_in_order_classify (replay->named, &at, 1, &replay->options->classes[replay->requests]);
      replay->accesses[replay->n++]
          = (TlAccess) { .unit = at, .arrival = time, .write = request->write, .operand = 0, .requester = 0 };
      replay->requests++;
    }
  return TRUE;
}

gboolean
tl_replay_scheduled (TlTrace *trace, const TlTarget *target, const TlReplayOptions *options, TlEngine *engine,
                     TlDiags *diags)
{
  g_autofree TlRequest *requests = g_new (TlRequest, BATCH);
  g_autofree Replay    *replay = g_new0 (Replay, 1);
  gboolean              good = TRUE;
  gsize                 n;

  if (!tl_replay_possible (target, diags))
    return FALSE;
  g_autoptr (TlInOrder) named = tl_in_order_new (tl_target_map (target), tl_engine_get_memory (engine)->pages);
  replay->trace = trace;
  replay->memory = tl_target_memory (target);
  replay->options = options;
  replay->engine = engine;
  replay->named = named;
  while (good && (n = tl_trace_read (trace, requests, BATCH, diags)) > 0)
    {
      for (gsize i = 0; i < n && good; i++)
        good = add_request (replay, &requests[i], diags);
      if (good && options->progress != NULL && replay->requests - replay->told >= 1000000)
        {
          replay->told = replay->requests;
          good = options->progress (replay->told, options->data);
        }
    }
  gboolean flushed = flush (replay);
  return tl_engine_finish (engine) && flushed && good && !tl_trace_failed (trace);
}

double
tl_engine_energy (const TlEngine *engine, const TlDramEnergy *energy)
{
  TlEngineTotals totals;
  double         bits = 8.0 * tl_engine_get_memory (engine)->unit_bytes;

  tl_engine_totals (engine, &totals);
  guint64 reads = totals.reads - totals.share.scheduled.forwarded;
  double  fJ = (double) energy->activate * (double) totals.act + (double) energy->read_per_bit * bits * (double) reads
              + (double) energy->write_per_bit * bits * (double) totals.writes
              + (double) energy->refresh * (double) (totals.refreshes + totals.self_refreshes);
  return fJ / 1000;
}
