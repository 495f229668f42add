/* A whole trace through the scheduled engine: requests are cut into units, their cycles
 * are the machine's clocks. A line without a cycle comes as soon as the door lets it. */
#pragma once

#include "dram/engine.h"
#include "dram/in-order.h"

/* The units that @request touches, *unit the first and *n how many (the units go on
 * modulo the capacity). FALSE with a diagnostic when it reaches past the capacity and
 * @wrap is FALSE. */
gboolean tl_request_units     (const TlRequest       *request,
                               const TlMemory        *memory,
                               gboolean               wrap,
                               const char            *name,
                               guint64               *unit,
                               guint64               *n,
                               TlDiags               *diags);

/* FALSE with a diagnostic when @target has no address map, or rows that are too many
 * to be numbered in commands (2^32). */
gboolean tl_replay_possible   (const TlTarget        *target,
                               TlDiags               *diags);

/* Takes the accesses of a trace, with the line of each; FALSE stops. */
typedef gboolean (*TlAccessFunc) (const TlAccess        *accesses,
                                  const guint64         *lines,
                                  gsize                  n,
                                  gpointer               data);
/* Cuts the requests of @trace into accesses of @target and hands them to @func, some at a
 * time, those before a fault too. FALSE with a diagnostic when the trace is wrong, an
 * address lies past the capacity and @wrap is FALSE, or cycles run backwards or out of
 * range; without one when @func stopped. */
gboolean tl_replay_accesses   (TlTrace               *trace,
                               const TlTarget        *target,
                               gboolean               wrap,
                               TlAccessFunc           func,
                               gpointer               data,
                               TlDiags               *diags);

/* Replays @trace on @engine, which was made for @target, and lets it finish. Of @options wrap, progress and
 * classes (those in order) count; pages are the engine's. FALSE with a diagnostic when
 * the trace is wrong, an address lies past the capacity, or cycles run backwards or out
 * of range; the engine then has served what came before. FALSE without one when
 * progress or the engine's sink stopped it. */
gboolean tl_replay_scheduled  (TlTrace               *trace,
                               const TlTarget        *target,
                               const TlReplayOptions *options,
                               TlEngine              *engine,
                               TlDiags               *diags);

/* Energy by the target's table, pJ; 0 when it has none. */
double   tl_engine_energy     (const TlEngine        *engine,
                               const TlDramEnergy    *energy);
/* The same of what an engine counted. */
double   tl_totals_energy (const TlEngineTotals  *totals,
                           guint32                unit_bytes,
                           const TlDramEnergy    *energy);
/* Bytes a second, over the makespan; 0 of nothing. */
double   tl_engine_bytes_a_second (const TlEngine       *engine,
                                   const TlEngineTotals *totals);
/* Domains that work at a time, while any does. */
double   tl_engine_bank_parallelism (const TlEngineTotals *totals);
/* Of reads and writes together. (transfer full), free with g_free */
TlLatency *tl_engine_all_latencies (const TlEngine *engine);

typedef struct
{
  guint32        domain;
  TlDomainCounts counts;
} TlRankedDomain;
/* Domains with conflicts as scheduled, most first. (transfer full), of TlRankedDomain */
GArray  *tl_engine_ranked_domains (const TlEngine       *engine);
