/* What a scheduled replay shows: both counts, time, latency, bandwidth, bank
 * parallelism, energy, and why rows were closed. */
#include "base/number.h"
#include "cli/replay.h"

#include <string.h>

/* "b3 b9": the bits of a unit's number that differ. (transfer full) */
static char *
bits_text (guint64 bits)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 64; i++)
    if ((bits >> i & 1) != 0)
      g_string_append_printf (text, "%sb%u", text->len > 0 ? " " : "", i);
  return g_string_free (text, FALSE);
}

/* How many domains were asked for. */
static guint32
touched_domains (const TlEngine *engine)
{
  guint32 touched = 0;

  for (guint32 d = 0; d < tl_memory_domains (tl_engine_get_memory (engine)); d++)
    {
      TlDomainCounts counts;
      tl_engine_domain (engine, d, &counts);
      touched += tl_row_counts_sum (&counts.share.in_order) > 0;
    }
  return touched;
}

/* What all data buses could move. */
static double
peak_bandwidth (const TlMemory *memory)
{
  double apart = MAX (memory->burst, memory->tCCD);

  return (double) memory->unit_bytes * tl_memory_scopes (memory, memory->data_bus) / (MAX (apart, 1) * 1e-12);
}

static guint64
cycles_of (guint64 ps, guint32 clock)
{
  return ps / clock + (ps % clock != 0);
}

/* --- text --- */

static void
print_row (const TlCliReplay *replay, const char *label, guint64 in_order, guint64 scheduled, guint64 of,
           const char *meaning)
{
  g_autofree char *a = tl_format_count (in_order);
  g_autofree char *a_share = tl_format_percent (of > 0 ? (double) in_order / (double) of : 0, 2);
  g_autofree char *b = tl_format_count (scheduled);
  g_autofree char *b_share = tl_format_percent (of > 0 ? (double) scheduled / (double) of : 0, 2);

  printf ("  %-16s", label);
  if (replay->both)
    printf (" %15s %9s", a, a_share);
  printf (" %15s %9s  %s\n", b, b_share, meaning);
}

static void
print_latency (const char *label, const TlLatency *latency)
{
  static const double percents[] = { 50, 90, 99 };

  if (latency->count == 0)
    return;
  printf ("  %-16s mean %.1f", label, tl_latency_mean (latency) / latency->clock);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    printf (", p%.0f %" G_GUINT64_FORMAT, percents[i], tl_latency_percentile (latency, percents[i]));
  printf (", most %" G_GUINT64_FORMAT " cycles\n", cycles_of (latency->max, latency->clock));
}

static void
print_count (const char *label, guint64 count, const char *rest)
{
  g_autofree char *digits = tl_format_count (count);

  printf ("  %-16s %15s  %s\n", label, digits, rest);
}

static void
print_time (const TlCliReplay *replay, const TlEngineTotals *totals)
{
  const TlMemory     *memory = tl_engine_get_memory (replay->engine);
  const TlDramEnergy *energy = tl_target_energy (replay->target);
  g_autofree char    *time = tl_format_ps (totals->makespan);
  g_autofree char    *conflict = tl_format_count (totals->pre_conflict);
  g_autofree char    *page = tl_format_count (totals->pre_page);
  g_autofree char    *refresh = tl_format_count (totals->pre_refresh);
  g_autofree char    *precharges
      = g_strdup_printf ("%s for conflicts, %s by the page policy, %s by refresh", conflict, page, refresh);
  double pJ = tl_engine_energy (replay->engine, energy);

  print_count ("activations", totals->act, "one a miss or conflict");
  print_count ("precharges", totals->pre_conflict + totals->pre_page + totals->pre_refresh, precharges);
  if (totals->refreshes + totals->self_refreshes > 0)
    print_count ("refreshes", totals->refreshes,
                 totals->self_refreshes > 0 ? "and more by the memory itself while it rested" : "");
  print_count ("cycles", cycles_of (totals->makespan, memory->clock), time);
  print_latency ("read latency", tl_engine_latency (replay->engine, FALSE));
  print_latency ("write latency", tl_engine_latency (replay->engine, TRUE));
  double bandwidth = tl_engine_bytes_a_second (replay->engine, totals), peak = peak_bandwidth (memory);
  printf ("  %-16s %.2f GB/s of %.2f\n", "bandwidth", bandwidth / 1e9, peak / 1e9);
  printf ("  %-16s %.2f of %u domains work at a time\n", "bank parallelism", tl_engine_bank_parallelism (totals),
          tl_memory_domains (memory));
  if (pJ > 0)
    printf ("  %-16s %.3f uJ\n", "energy", pJ / 1e6);
}

static void
print_causes (const TlCliReplay *replay, const TlEngineTotals *totals)
{
  const TlMemory  *memory = tl_engine_get_memory (replay->engine);
  const TlCauses  *causes = tl_engine_causes (replay->engine);
  g_autofree char *lost = tl_format_ps (tl_causes_lost (causes));

  if (replay->causes == 0 || tl_causes_count (causes) == 0)
    return;
  printf ("  %-16s %s of bank time, from closing a row until the other can be read\n", "lost to conflicts", lost);
  g_autoptr (GArray) pairs = tl_causes_row_pairs (causes, replay->causes);
  printf ("  rows that push each other out\n");
  for (guint i = 0; i < pairs->len; i++)
    {
      const TlRowPair *pair = &g_array_index (pairs, TlRowPair, i);
      g_autofree char *name = tl_memory_domain_name (memory, pair->domain);
      g_autofree char *count = tl_format_count (pair->count - pair->error);
      printf ("    %15s%s  %s: row %u and row %u; at last request %" G_GUINT64_FORMAT
              " closed that of request %" G_GUINT64_FORMAT "\n",
              count, pair->error > 0 ? " or more" : "", name, pair->row_a, pair->row_b, pair->closer, pair->opener);
    }
  g_autoptr (GArray) differences = tl_causes_differences (causes, replay->causes);
  printf ("  unit bits in which the two differ\n");
  for (guint i = 0; i < differences->len; i++)
    {
      const TlDifference *difference = &g_array_index (differences, TlDifference, i);
      g_autofree char    *bits = bits_text (difference->bits);
      g_autofree char    *count = tl_format_count (difference->count - difference->error);
      printf ("    %15s%s  %s\n", count, difference->error > 0 ? " or more" : "", bits);
    }
  g_autoptr (GArray) domains = tl_engine_ranked_domains (replay->engine);
  printf ("  domains with most conflicts\n");
  for (guint i = 0; i < MIN (domains->len, replay->causes); i++)
    {
      const TlRankedDomain *ranked = &g_array_index (domains, TlRankedDomain, i);
      g_autofree char      *name = tl_memory_domain_name (memory, ranked->domain);
      g_autofree char      *count = tl_format_count (ranked->counts.share.scheduled.conflict);
      g_autofree char      *share = tl_format_percent (
               (double) ranked->counts.share.scheduled.conflict / (double) MAX (totals->share.scheduled.conflict, 1), 1);
      printf ("    %15s  %s, %s of all\n", count, name, share);
    }
}

void
tl_cli_replay_print (const TlCliReplay *replay)
{
  const TlEngineOptions *options = replay->options;
  TlEngineTotals         totals;

  tl_engine_totals (replay->engine, &totals);
  const TlRowCounts *a = &totals.share.in_order, *b = &totals.share.scheduled;
  g_autofree char   *requests = tl_format_count (totals.requests);
  g_autofree char   *reads = tl_format_count (totals.reads);
  g_autofree char   *writes = tl_format_count (totals.writes);
  printf ("%s (%s) on %s, %s, pages %s, %s, window %u, refresh %s\n", tl_trace_name (replay->trace),
          tl_trace_format_name (tl_trace_format (replay->trace)), tl_target_name (replay->target),
          replay->both ? "in order and as scheduled" : "as scheduled",
          options->pages == TL_PAGES_OPEN ? "open" : "closed", tl_scheduler_name (options->scheduler), options->window,
          tl_refresh_name (options->refresh));
  printf ("  %-16s %15s  %s reads, %s writes; %u of %u domains\n", "requests", requests, reads, writes,
          touched_domains (replay->engine), tl_memory_domains (tl_engine_get_memory (replay->engine)));
  if (replay->both)
    printf ("  %-16s %25s %25s\n", "", "in order", "as scheduled");
  guint64 of = totals.requests;
  print_row (replay, "hits", a->hit, b->hit, of, "the row was open");
  print_row (replay, "opening misses", a->miss, b->miss, of, "the domain was closed");
  print_row (replay, "conflicts", a->conflict, b->conflict, of, "another row was open");
  print_row (replay, "forwarded", a->forwarded, b->forwarded, of, "read from the write queue");
  if (replay->classes != NULL && replay->both)
    printf ("  %-16s %s\n", "one by one", replay->classes);
  print_time (replay, &totals);
  print_causes (replay, &totals);
}

/* --- JSON --- */

static void
add_counts (JsonBuilder *builder, const char *name, const TlRowCounts *counts, gboolean scheduled)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "hit", counts->hit);
  tl_json_int (builder, "miss", counts->miss);
  tl_json_int (builder, "conflict", counts->conflict);
  if (scheduled)
    tl_json_int (builder, "forwarded", counts->forwarded);
}

static void
add_share (JsonBuilder *builder, const TlCliReplay *replay, const TlShare *share)
{
  if (replay->both)
    {
      add_counts (builder, "in_order", &share->in_order, FALSE);
      json_builder_end_object (builder);
    }
  add_counts (builder, "scheduled", &share->scheduled, TRUE);
  json_builder_end_object (builder);
  guint64 n = tl_row_counts_sum (&share->scheduled);
  double  clock = tl_engine_get_memory (replay->engine)->clock;
  tl_json_double (builder, "mean_latency", n > 0 ? (double) share->latency / (double) n / clock : 0);
  tl_json_int (builder, "lost_ps", share->lost);
}

static void
add_latency (JsonBuilder *builder, const char *name, const TlLatency *latency)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "count", latency->count);
  tl_json_double (builder, "mean", tl_latency_mean (latency) / latency->clock);
  tl_json_int (builder, "p50", tl_latency_percentile (latency, 50));
  tl_json_int (builder, "p90", tl_latency_percentile (latency, 90));
  tl_json_int (builder, "p99", tl_latency_percentile (latency, 99));
  tl_json_int (builder, "p999", tl_latency_percentile (latency, 99.9));
  tl_json_int (builder, "max", cycles_of (latency->max, latency->clock));
  tl_json_begin_array (builder, "histogram");
  for (guint i = 0; i < TL_LATENCY_BUCKETS; i++)
    if (latency->bucket[i] > 0)
      {
        json_builder_begin_array (builder);
        json_builder_add_int_value (builder, (gint64) tl_latency_bucket_top (i));
        json_builder_add_int_value (builder, (gint64) latency->bucket[i]);
        json_builder_end_array (builder);
      }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_over_time (JsonBuilder *builder, const TlEngine *engine)
{
  guint                 n;
  guint64               width;
  const TlBandwidthBin *bins = tl_engine_bandwidth (engine, &n, &width);

  tl_json_begin_object (builder, "over_time");
  tl_json_int (builder, "width_ps", width);
  tl_json_begin_array (builder, "bins");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, (gint64) bins[i].reads);
      json_builder_add_int_value (builder, (gint64) bins[i].writes);
      json_builder_add_int_value (builder, (gint64) bins[i].conflicts);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_set_bits (JsonBuilder *builder, const char *name, guint64 bits)
{
  tl_json_begin_array (builder, name);
  for (guint i = 0; i < 64; i++)
    if ((bits >> i & 1) != 0)
      json_builder_add_int_value (builder, i);
  json_builder_end_array (builder);
}

static void
add_pairs (JsonBuilder *builder, const TlCliReplay *replay)
{
  g_autoptr (GArray) pairs = tl_causes_row_pairs (tl_engine_causes (replay->engine), replay->causes);

  tl_json_begin_array (builder, "row_pairs");
  for (guint i = 0; i < pairs->len; i++)
    {
      const TlRowPair *pair = &g_array_index (pairs, TlRowPair, i);
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "domain", pair->domain);
      tl_json_int (builder, "row_a", pair->row_a);
      tl_json_int (builder, "row_b", pair->row_b);
      tl_json_int (builder, "count", pair->count);
      tl_json_int (builder, "error", pair->error);
      tl_json_int (builder, "lost_ps", pair->lost);
      tl_json_int (builder, "opener", pair->opener);
      tl_json_int (builder, "closer", pair->closer);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_differences (JsonBuilder *builder, const TlCliReplay *replay)
{
  g_autoptr (GArray) differences = tl_causes_differences (tl_engine_causes (replay->engine), replay->causes);

  tl_json_begin_array (builder, "differences");
  for (guint i = 0; i < differences->len; i++)
    {
      const TlDifference *difference = &g_array_index (differences, TlDifference, i);
      tl_json_begin_object (builder, NULL);
      add_set_bits (builder, "bits", difference->bits);
      tl_json_int (builder, "count", difference->count);
      tl_json_int (builder, "error", difference->error);
      tl_json_int (builder, "lost_ps", difference->lost);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_records (JsonBuilder *builder, const TlCliReplay *replay)
{
  const TlCauses *causes = tl_engine_causes (replay->engine);

  tl_json_begin_array (builder, "records");
  for (guint i = 0; i < MIN (tl_causes_n_kept (causes), replay->causes); i++)
    {
      const TlCause *cause = tl_causes_kept (causes, i);
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "time_ps", cause->time);
      tl_json_int (builder, "domain", cause->domain);
      tl_json_int (builder, "open_row", cause->open_row);
      tl_json_int (builder, "wanted_row", cause->wanted_row);
      tl_json_int (builder, "opener", cause->opener);
      tl_json_int (builder, "closer", cause->closer);
      tl_json_int (builder, "opener_unit", cause->opener_unit);
      tl_json_int (builder, "closer_unit", cause->closer_unit);
      add_set_bits (builder, "bits", cause->opener_unit ^ cause->closer_unit);
      tl_json_int (builder, "lost_ps", cause->lost);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_causes (JsonBuilder *builder, const TlCliReplay *replay)
{
  g_autoptr (GArray) domains = tl_engine_ranked_domains (replay->engine);

  tl_json_begin_object (builder, "causes");
  tl_json_int (builder, "count", tl_causes_count (tl_engine_causes (replay->engine)));
  tl_json_int (builder, "lost_ps", tl_causes_lost (tl_engine_causes (replay->engine)));
  add_pairs (builder, replay);
  add_differences (builder, replay);
  tl_json_begin_array (builder, "domains");
  for (guint i = 0; i < MIN (domains->len, replay->causes); i++)
    {
      const TlRankedDomain *ranked = &g_array_index (domains, TlRankedDomain, i);
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "domain", ranked->domain);
      tl_json_int (builder, "conflicts", ranked->counts.share.scheduled.conflict);
      tl_json_int (builder, "lost_ps", ranked->counts.share.lost);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  add_records (builder, replay);
  json_builder_end_object (builder);
}

static void
add_settings (JsonBuilder *builder, const TlEngineOptions *options)
{
  tl_json_text (builder, "scheduler", tl_scheduler_name (options->scheduler));
  tl_json_int (builder, "window", options->window);
  tl_json_int (builder, "write_queue", options->scheduler == TL_SCHEDULER_IN_ORDER ? 0 : options->write_queue);
  tl_json_text (builder, "refresh", tl_refresh_name (options->refresh));
}

static void
add_parts (JsonBuilder *builder, const TlCliReplay *replay)
{
  const TlMemory *memory = tl_engine_get_memory (replay->engine);
  TlShare         share;

  tl_json_begin_array (builder, "per_tier");
  for (guint t = 0; t < memory->tiers; t++)
    {
      tl_engine_tier (replay->engine, t, &share);
      tl_json_begin_object (builder, NULL);
      add_share (builder, replay, &share);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  tl_json_begin_array (builder, "per_domain");
  for (guint32 d = 0; d < tl_memory_domains (memory); d++)
    {
      TlDomainCounts counts;
      tl_engine_domain (replay->engine, d, &counts);
      if (tl_row_counts_sum (&counts.share.in_order) == 0)
        continue;
      g_autofree char *name = tl_memory_domain_name (memory, d);
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "domain", d);
      tl_json_text (builder, "name", name);
      add_share (builder, replay, &counts.share);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  /* A trace names no operands; all its requests are one. */
  tl_engine_operand (replay->engine, 0, &share);
  tl_json_begin_array (builder, "per_operand");
  tl_json_begin_object (builder, NULL);
  tl_json_int (builder, "operand", 0);
  add_share (builder, replay, &share);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

JsonNode *
tl_cli_replay_json (const TlCliReplay *replay)
{
  const TlMemory *memory = tl_engine_get_memory (replay->engine);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree TlLatency *all = tl_engine_all_latencies (replay->engine);
  TlEngineTotals        totals;

  tl_engine_totals (replay->engine, &totals);
  tl_json_begin_object (builder, NULL);
  tl_cli_replay_head (builder, replay->trace, replay->target, replay->options->pages);
  add_settings (builder, replay->options);
  tl_json_int (builder, "requests", totals.requests);
  tl_json_int (builder, "reads", totals.reads);
  tl_json_int (builder, "writes", totals.writes);
  tl_json_int (builder, "domains", touched_domains (replay->engine));
  if (replay->both)
    {
      add_counts (builder, "in_order", &totals.share.in_order, FALSE);
      json_builder_end_object (builder);
    }
  add_counts (builder, "scheduled", &totals.share.scheduled, TRUE);
  tl_json_int (builder, "cycles", cycles_of (totals.makespan, memory->clock));
  tl_json_double (builder, "mean_latency", tl_latency_mean (all) / memory->clock);
  tl_json_int (builder, "p99_latency", tl_latency_percentile (all, 99));
  json_builder_end_object (builder);
  if (replay->classes != NULL && replay->both)
    tl_json_text (builder, "classes", replay->classes);
  tl_json_begin_object (builder, "commands");
  tl_json_int (builder, "act", totals.act);
  tl_json_int (builder, "rd", totals.reads - totals.share.scheduled.forwarded);
  tl_json_int (builder, "wr", totals.writes);
  tl_json_int (builder, "pre", totals.pre_conflict + totals.pre_page + totals.pre_refresh);
  tl_json_int (builder, "ref", totals.refreshes);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "closings");
  tl_json_int (builder, "conflict", totals.pre_conflict);
  tl_json_int (builder, "page", totals.pre_page);
  tl_json_int (builder, "refresh", totals.pre_refresh);
  json_builder_end_object (builder);
  tl_json_int (builder, "makespan_ps", totals.makespan);
  tl_json_double (builder, "bandwidth", tl_engine_bytes_a_second (replay->engine, &totals));
  tl_json_double (builder, "bank_parallelism", tl_engine_bank_parallelism (&totals));
  tl_json_double (builder, "energy_pj", tl_engine_energy (replay->engine, tl_target_energy (replay->target)));
  tl_json_begin_object (builder, "latency");
  add_latency (builder, "reads", tl_engine_latency (replay->engine, FALSE));
  add_latency (builder, "writes", tl_engine_latency (replay->engine, TRUE));
  json_builder_end_object (builder);
  add_over_time (builder, replay->engine);
  add_parts (builder, replay);
  if (replay->causes > 0)
    add_causes (builder, replay);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
