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
  TlTrace        *trace;
  const TlMemory *memory;
  gboolean        wrap;
  TlAccessFunc    func;
  gpointer        data;
  guint64         cycle; /* latest */
  gsize           n;
  TlAccess        accesses[BATCH];
  guint64         lines[BATCH];
} Reader;

static gboolean
hand_over (Reader *reader)
{
  gboolean good = reader->n == 0 || reader->func (reader->accesses, reader->lines, reader->n, reader->data);

  reader->n = 0;
  return good;
}

static void
time_wrong (const Reader *reader, const TlRequest *request, const char *what, const char *reason, TlDiags *diags)
{
  TlDiag *diag
      = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-time", tl_trace_name (reader->trace),
                         MIN (request->line, G_MAXUINT32), 0, "cycle %" G_GUINT64_FORMAT " %s", request->cycle, what);

  tl_diag_reason (diag, "%s", reason);
}

/* When @request arrives, ps. FALSE with a diagnostic. */
static gboolean
arrival (Reader *reader, const TlRequest *request, guint64 *time, TlDiags *diags)
{
  *time = 0;
  if (request->cycle == 0)
    return TRUE;
  if (request->cycle < reader->cycle)
    {
      g_autofree char *reason = g_strdup_printf (
          "the request before it is of cycle %" G_GUINT64_FORMAT
          "; a trace is in order of time: sort it, or leave the cycles out and each comes as soon as it can",
          reader->cycle);
      time_wrong (reader, request, "runs backwards", reason, diags);
      return FALSE;
    }
  if (request->cycle > TL_ENGINE_MAX_TIME / reader->memory->clock)
    {
      time_wrong (reader, request, "is out of range", "a replay reaches 53 days; are these cycles of a faster clock?",
                  diags);
      return FALSE;
    }
  reader->cycle = request->cycle;
  *time = request->cycle * reader->memory->clock;
  return TRUE;
}

static gboolean
add_request (Reader *reader, const TlRequest *request, TlDiags *diags)
{
  guint64 units = reader->memory->capacity / reader->memory->unit_bytes;
  guint64 unit, n, time;

  if (!tl_request_units (request, reader->memory, reader->wrap, tl_trace_name (reader->trace), &unit, &n, diags)
      || !arrival (reader, request, &time, diags))
    return FALSE;
  for (; n > 0; n--, unit++)
    {
      if (reader->n == BATCH && !hand_over (reader))
        return FALSE;
      reader->lines[reader->n] = request->line;
      reader->accesses[reader->n++]
          = (TlAccess) { .unit = unit % units, .arrival = time, .write = request->write, .operand = 0, .requester = 0 };
    }
  return TRUE;
}

gboolean
tl_replay_accesses (TlTrace *trace, const TlTarget *target, gboolean wrap, TlAccessFunc func, gpointer data,
                    TlDiags *diags)
{
  g_autofree TlRequest *requests = g_new (TlRequest, BATCH);
  g_autofree Reader    *reader = g_new0 (Reader, 1);
  gboolean              good = TRUE;
  gsize                 n;

  if (!tl_replay_possible (target, diags))
    return FALSE;
  reader->trace = trace;
  reader->memory = tl_target_memory (target);
  reader->wrap = wrap;
  reader->func = func;
  reader->data = data;
  while (good && (n = tl_trace_read (trace, requests, BATCH, diags)) > 0)
    for (gsize i = 0; i < n && good; i++)
      good = add_request (reader, &requests[i], diags);
  /* What came before a fault counts. */
  gboolean handed = hand_over (reader);
  return handed && good && !tl_trace_failed (trace);
}

typedef struct
{
  const TlReplayOptions *options;
  TlEngine              *engine;
  TlInOrder             *named; /* tells the classes of the first requests */
  guint64                requests;
  guint64                told;
} Replay;

static gboolean
feed (const TlAccess *accesses, const guint64 *lines, gsize n, gpointer data)
{
  Replay                *replay = data;
  const TlReplayOptions *options = replay->options;

  for (gsize i = 0; i < n && options->classes != NULL && replay->requests + i < options->n_classes; i++)
    tl_in_order_classify (replay->named, &accesses[i].unit, 1, &options->classes[replay->requests + i]);
  replay->requests += n;
  if (!tl_engine_feed (replay->engine, accesses, n, NULL))
    return FALSE;
  if (options->progress == NULL || replay->requests - replay->told < 1000000)
    return TRUE;
  replay->told = replay->requests;
  return options->progress (replay->told, options->data);
}

gboolean
tl_replay_scheduled (TlTrace *trace, const TlTarget *target, const TlReplayOptions *options, TlEngine *engine,
                     TlDiags *diags)
{
  Replay replay = { .options = options, .engine = engine };

  if (!tl_replay_possible (target, diags))
    return FALSE;
  g_autoptr (TlInOrder) named = tl_in_order_new (tl_target_map (target), tl_engine_get_memory (engine)->pages);
  replay.named = named;
  gboolean good = tl_replay_accesses (trace, target, options->wrap, feed, &replay, diags);
  return tl_engine_finish (engine) && good;
}

double
tl_engine_energy (const TlEngine *engine, const TlDramEnergy *energy)
{
  TlEngineTotals totals;

  tl_engine_totals (engine, &totals);
  return tl_totals_energy (&totals, tl_engine_get_memory (engine)->unit_bytes, energy);
}

double
tl_totals_energy (const TlEngineTotals *totals, guint32 unit_bytes, const TlDramEnergy *energy)
{
  double  bits = 8.0 * unit_bytes;
  guint64 reads = totals->reads - totals->share.scheduled.forwarded;
  double  fJ = (double) energy->activate * (double) totals->act + (double) energy->read_per_bit * bits * (double) reads
              + (double) energy->write_per_bit * bits * (double) totals->writes
              + (double) energy->refresh * (double) (totals->refreshes + totals->self_refreshes);

  return fJ / 1000;
}

double
tl_engine_bytes_a_second (const TlEngine *engine, const TlEngineTotals *totals)
{
  double bytes = (double) totals->requests * tl_engine_get_memory (engine)->unit_bytes;

  return totals->makespan > 0 ? bytes / ((double) totals->makespan * 1e-12) : 0;
}

double
tl_engine_bank_parallelism (const TlEngineTotals *totals)
{
  return totals->active > 0 ? (double) totals->busy / (double) totals->active : 0;
}

TlLatency *
tl_engine_all_latencies (const TlEngine *engine)
{
  TlLatency *all = tl_latency_new (tl_engine_get_memory (engine)->clock);

  tl_latency_merge (all, tl_engine_latency (engine, FALSE));
  tl_latency_merge (all, tl_engine_latency (engine, TRUE));
  return all;
}

static int
by_conflicts (gconstpointer a, gconstpointer b)
{
  const TlRankedDomain *x = a, *y = b;
  guint64               m = x->counts.share.scheduled.conflict, n = y->counts.share.scheduled.conflict;

  if (m != n)
    return m < n ? 1 : -1;
  return (x->domain > y->domain) - (x->domain < y->domain);
}

GArray *
tl_engine_ranked_domains (const TlEngine *engine)
{
  GArray *domains = g_array_new (FALSE, FALSE, sizeof (TlRankedDomain));

  for (guint32 d = 0; d < tl_memory_domains (tl_engine_get_memory (engine)); d++)
    {
      TlRankedDomain ranked = { .domain = d };
      tl_engine_domain (engine, d, &ranked.counts);
      if (ranked.counts.share.scheduled.conflict > 0)
        g_array_append_val (domains, ranked);
    }
  g_array_sort (domains, by_conflicts);
  return domains;
}
