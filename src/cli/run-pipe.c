/* What tierc run says of the machine under a recurrence in wavefront order. */
#include "cli/run-pipe.h"

#include "base/number.h"
#include "sim/pipe-export.h"
#include "sim/pipe-flows.h"

#include <gio/gunixoutputstream.h>
#include <string.h>

/* Tables by what is read in them at addresses that hang on other reads. */
typedef struct
{
  double footprint; /* share of all bytes in tier 0 */
  double reused;    /* share of the tables' bytes in tier 0 */
} Residency;

static Residency
residency_of (const TlPipeProgram *program)
{
  guint64 all = 0, fast = 0, tables = 0, fast_tables = 0;

  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

      all += object->bytes;
      fast += object->in_tier[0];
      tables += object->dependent > 0 ? object->bytes : 0;
      fast_tables += object->dependent > 0 ? object->in_tier[0] : 0;
    }
  return (Residency) { all > 0 ? (double) fast / (double) all : 0,
                       tables > 0 ? (double) fast_tables / (double) tables : 0 };
}

/* Sums over one side's PUs. */
static TlPipeTimes
side_times (const TlPipeRun *run, guint32 first, guint32 count)
{
  TlPipeTimes sum = { 0 };

  for (guint32 pu = first; pu < first + count; pu++)
    {
      sum.busy += run->pu[pu].busy;
      sum.stall += run->pu[pu].stall;
      sum.wait += run->pu[pu].wait;
      sum.barrier += run->pu[pu].barrier;
      sum.edges += run->pu[pu].edges;
      sum.idle += run->pu[pu].idle;
    }
  return sum;
}

static guint64
makespan_of (const TlPipeRun *run)
{
  switch (run->program->baseline)
    {
    case TL_BASELINE_B0:
      return run->alone;
    case TL_BASELINE_B1:
      return tl_pipe_affine (run);
    case TL_BASELINE_B2:
      return run->critical;
    default:
      return run->makespan;
    }
}

/* --- JSON --- */

static void
add_times (JsonBuilder *builder, const TlPipeRun *run)
{
  tl_json_begin_array (builder, "pus");
  for (guint32 pu = 0; pu < run->program->machine.pus; pu++)
    {
      const TlPipeProgram *program = run->program;
      gboolean             search = program->streams && pu < program->search;
      gboolean             compute = pu >= program->search && pu < program->search + program->compute;

      json_builder_begin_object (builder);
      tl_json_int (builder, "pu", pu);
      tl_json_text (builder, "role", search ? "search" : compute ? "compute" : "idle");
      tl_json_int (builder, "busy_ps", run->pu[pu].busy);
      tl_json_int (builder, "stall_ps", run->pu[pu].stall);
      tl_json_int (builder, "wait_ps", run->pu[pu].wait);
      tl_json_int (builder, "barrier_ps", run->pu[pu].barrier);
      tl_json_int (builder, "edges_ps", run->pu[pu].edges);
      tl_json_int (builder, "idle_ps", run->pu[pu].idle);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_objects (JsonBuilder *builder, const TlPipeProgram *program)
{
  Residency residency = residency_of (program);

  tl_json_begin_array (builder, "objects");
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

      for (guint t = 0; t < program->machine.tiers; t++)
        if (object->in_tier[t] > 0)
          {
            json_builder_begin_object (builder);
            tl_json_text (builder, "name", object->name);
            tl_json_int (builder, "tier", t);
            tl_json_int (builder, "bytes", object->in_tier[t]);
            json_builder_end_object (builder);
          }
    }
  json_builder_end_array (builder);
  tl_json_begin_object (builder, "residency");
  tl_json_double (builder, "footprint", residency.footprint);
  tl_json_double (builder, "reused", residency.reused);
  json_builder_end_object (builder);
}

static void
add_queue (JsonBuilder *builder, const TlPipeRun *run)
{
  const TlPipeProgram *program = run->program;

  if (!program->streams)
    return;
  tl_json_begin_object (builder, "queue");
  tl_json_int (builder, "depth", program->depth);
  tl_json_text (builder, "chosen", program->depth_told ? "you" : "ratio");
  tl_json_int (builder, "search_ps", program->search_ps);
  tl_json_int (builder, "sweep_ps", program->sweep_ps);
  tl_json_int (builder, "sent", run->jobs->len);
  tl_json_int (builder, "high_water", run->high_water);
  tl_json_double (builder, "mean_level", run->mean_level);
  json_builder_end_object (builder);
}

static void
add_counts (JsonBuilder *builder, const TlPipeRun *run)
{
  const TlSimCounts *total = &run->total;

  tl_json_begin_object (builder, "commands");
  tl_json_int (builder, "act", total->act);
  tl_json_int (builder, "rd", total->rd);
  tl_json_int (builder, "wr", total->wr);
  tl_json_int (builder, "pre", total->pre);
  tl_json_int (builder, "ref", total->ref);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "rows");
  tl_json_int (builder, "hit", total->hits);
  tl_json_int (builder, "miss", total->misses);
  tl_json_int (builder, "conflict", total->conflicts);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "bytes");
  tl_json_int (builder, "read", total->bytes_read);
  tl_json_int (builder, "written", total->bytes_written);
  tl_json_int (builder, "edges", run->edge_bytes);
  json_builder_end_object (builder);
}

/* What edges of tiles take, either way, and the rule that holds. */
static const char *
edges_rule (const TlPipeRun *run)
{
  return run->charged
             ? "copy_writes = charged: each edge goes over the ring behind its sweep, and the next sweep waits for it"
             : "copy_writes = free: a tile takes ceil (B / lanes) (B + fill) cycles, its edges travel meanwhile "
               "(models.md section 4)";
}

static void
add_edges (JsonBuilder *builder, const TlGridRun *grid)
{
  tl_json_begin_object (builder, "edges");
  tl_json_int (builder, "bytes", grid->sim->edge_bytes);
  tl_json_text (builder, "copy_writes", grid->sim->charged ? "charged" : "free");
  tl_json_int (builder, "free_ps", grid->free_ps);
  tl_json_int (builder, "charged_ps", grid->charged_ps);
  tl_json_text (builder, "rule", edges_rule (grid->sim));
  json_builder_end_object (builder);
}

static void
add_ring (JsonBuilder *builder, const TlPipeRun *run)
{
  tl_json_begin_object (builder, "ring");
  tl_json_int (builder, "messages", run->ring_messages);
  tl_json_int (builder, "bytes", run->ring_bytes);
  tl_json_int (builder, "links", run->ring_links);
  tl_json_int (builder, "busy_ps", run->ring_busy);
  tl_json_int (builder, "waited_ps", run->ring_waited);
  json_builder_end_object (builder);
}

static void
add_paper (JsonBuilder *builder, const TlPipeProgram *program)
{
  TlPipePaper rows[TL_PIPE_N_PAPER];

  if (!program->streams)
    return;
  tl_pipe_paper (program, rows);
  tl_json_begin_array (builder, "beside_paper");
  for (guint r = 0; r < TL_PIPE_N_PAPER; r++)
    {
      json_builder_begin_object (builder);
      tl_json_text (builder, "case", rows[r].name);
      tl_json_double (builder, "paper", rows[r].paper);
      tl_json_double (builder, "model", rows[r].model);
      tl_json_double (builder, "with_edges", rows[r].edges);
      tl_json_double (builder, "over_B1", rows[r].affine);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
tl_cli_pipe_json (JsonBuilder *builder, const TlGridRun *grid)
{
  const TlPipeRun     *run = grid->sim;
  const TlPipeProgram *program = run->program;

  tl_json_int (builder, "tile", program->tiling.tile);
  tl_json_text (builder, "mode", program->mode);
  tl_json_begin_object (builder, "owner");
  tl_json_text (builder, "rule", program->owner_rule);
  tl_json_text (builder, "map", program->owner);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "split");
  tl_json_int (builder, "search", program->search);
  tl_json_int (builder, "compute", program->compute);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "ops");
  tl_json_int (builder, "total", run->tiles);
  tl_json_int (builder, "waves", run->waves);
  tl_json_int (builder, "widest", run->widest);
  tl_json_int (builder, "lookups", run->lookups);
  json_builder_end_object (builder);
  add_queue (builder, run);
  add_counts (builder, run);
  tl_json_int (builder, "makespan_ps", makespan_of (run));
  tl_json_int (builder, "bound_ps", run->critical);
  tl_json_begin_object (builder, "flows");
  tl_json_int (builder, "B0", run->alone);
  tl_json_int (builder, "B1", tl_pipe_affine (run));
  tl_json_int (builder, "B2", run->critical);
  tl_json_int (builder, "B3", run->makespan);
  json_builder_end_object (builder);
  add_edges (builder, grid);
  add_ring (builder, run);
  add_times (builder, run);
  add_objects (builder, program);
  add_paper (builder, program);
}

/* --- For people --- */

static void
print_share (const char *name, const TlPipeTimes *times, guint32 pus, guint64 makespan)
{
  double whole = (double) MAX (makespan, 1) * MAX (pus, 1);

  printf ("  %-14s %3u PUs  busy %5.1f %%  stalled %5.1f %%  waiting %5.1f %%  at barriers %5.1f %%", name, pus,
          100 * (double) times->busy / whole, 100 * (double) times->stall / whole, 100 * (double) times->wait / whole,
          100 * (double) times->barrier / whole);
  if (times->edges > 0)
    printf ("  for edges %5.1f %%", 100 * (double) times->edges / whole);
  printf ("  idle %5.1f %%\n", 100 * (double) times->idle / whole);
}

static void
print_flow (const char *name, guint64 ps, guint64 makespan)
{
  g_autofree char *text = tl_format_ps (ps);

  printf ("  %-30s %12s  %6.2f x\n", name, text, (double) ps / (double) MAX (makespan, 1));
}

/* The makespan either way to count what tiles hand on. */
static void
print_edges (const TlGridRun *grid)
{
  const TlPipeRun *run = grid->sim;

  if (run->edge_bytes == 0 || grid->free_ps == 0 || grid->charged_ps == 0)
    return;
  if (run->charged)
    print_flow ("    with edges free", grid->free_ps, run->makespan);
  else
    print_flow ("    with edges on the ring", grid->charged_ps, run->makespan);
}

/* How full the ring was. */
static void
print_ring (const TlPipeRun *run)
{
  double links = (double) run->ring_links * (double) MAX (run->makespan, 1);

  if (run->ring_messages == 0)
    return;
  g_autofree char *messages = tl_format_count (run->ring_messages), *bytes = tl_format_bytes (run->ring_bytes);
  g_autofree char *waited = tl_format_ps (run->ring_waited / run->ring_messages);
  printf ("  ring           %s messages, %s; links busy %.1f %%; a message waits %s for others on average\n", messages,
          bytes, 100 * (double) run->ring_busy / links, waited);
}

static void
print_time (const TlGridRun *grid)
{
  const TlPipeRun     *run = grid->sim;
  const TlPipeProgram *program = run->program;
  g_autofree char     *makespan = tl_format_ps (makespan_of (run)), *tiles = tl_format_count (run->tiles);
  g_autofree char     *waves = tl_format_count (run->waves), *edges = tl_format_bytes (run->edge_bytes);

  g_autofree char *size = program->tiling.reduced > 0
                              ? g_strdup_printf ("%u states", program->tiling.tile)
                              : g_strdup_printf ("%u x %u", program->tiling.tile, program->tiling.tile);
  printf ("\nTime on %s\n  %s; tiles of %s: %s, in %s waves of at most %" G_GUINT64_FORMAT "; %s of edges changed PU\n",
          program->target, makespan, size, tiles, waves, run->widest, edges);
  print_flow ("B0  one PU, no overlap", run->alone, run->makespan);
  print_flow ("B1  affine tiling only", tl_pipe_affine (run), run->makespan);
  print_flow ("B2  the waves' critical path", run->critical, run->makespan);
  print_flow (run->charged ? "B3  simulated, edges charged" : "B3  as simulated", run->makespan, run->makespan);
  print_edges (grid);
  if (program->streams)
    {
      puts ("  look-ups take time in B3 alone");
      TlPipeTimes search = side_times (run, 0, program->search);
      print_share ("Search", &search, program->search, run->makespan);
    }
  TlPipeTimes compute = side_times (run, program->search, program->compute);
  print_share ("Compute", &compute, program->compute, run->makespan);
  print_ring (run);
}

static void
print_queue (const TlPipeRun *run)
{
  const TlPipeProgram *program = run->program;
  g_autofree char     *search = tl_format_ps (program->search_ps), *sweep = tl_format_ps (program->sweep_ps);

  if (!program->streams)
    return;
  printf ("\nQueue\n  %u candidates through %u place%s%s; high-water mark %u, mean level %.2f\n", run->jobs->len,
          program->depth, program->depth == 1 ? "" : "s", program->depth_told ? " (as you said)" : "", run->high_water,
          run->mean_level);
  printf ("  predicted: a candidate every %s, each taking %s\n", search, sweep);
}

static void
print_rows (const TlPipeRun *run)
{
  const TlSimCounts *total = &run->total;
  g_autofree char   *lookups = tl_format_count (run->lookups), *act = tl_format_count (total->act);
  g_autofree char   *bytes = tl_format_bytes (total->bytes_read), *beats = tl_format_count (total->rd);
  Residency          residency = residency_of (run->program);

  if (run->lookups > 0)
    {
      printf ("\nLook-ups\n  %s, %s beats (%s), %s activations:", lookups, beats, bytes, act);
      for (guint t = 0; t < run->program->machine.tiers; t++)
        if (run->acts_in_tier[t] > 0)
          {
            g_autofree char *share = tl_format_percent ((double) run->acts_in_tier[t] / (double) total->act, 1);
            printf (" T%u %s", t, share);
          }
      printf ("\n");
    }
  printf ("\nPlacement\n ");
  for (guint o = 0; o < run->program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (run->program->objects, TlWaveObject, o);

      for (guint t = 0; t < run->program->machine.tiers; t++)
        if (object->in_tier[t] > 0)
          {
            g_autofree char *size = tl_format_bytes (object->in_tier[t]);
            printf (" %s T%u %s;", object->name, t, size);
          }
    }
  printf ("\n  in tier 0: %.1f %% of the footprint, %.1f %% of what is read again\n", 100 * residency.footprint,
          100 * residency.reused);
}

static void
print_paper (const TlPipeProgram *program)
{
  TlPipePaper rows[TL_PIPE_N_PAPER];

  if (!program->streams || strcmp (program->target, "gendram") != 0)
    return;
  tl_pipe_paper (program, rows);
  printf ("\nBeside the paper: alignment, speed-up over B0    paper    model  with edges   over B1\n");
  for (guint r = 0; r < TL_PIPE_N_PAPER; r++)
    printf ("  %-44s %7.1f  %7.2f  %10.2f  %8.2f\n", rows[r].name, rows[r].paper, rows[r].model, rows[r].edges,
            rows[r].affine);
  printf ("  with this program's tiles of %u; 144 was found by search and then explained by three tiles in the "
          "scratchpad\n",
          program->tiling.tile);
  printf ("  over B1 the paper has %s; ours hangs on what B1 is charged for (edges by row cycles and over the ring)\n",
          TL_PIPE_PAPER_AFFINE);
}

void
tl_cli_pipe_summary (const TlGridRun *run)
{
  print_time (run);
  print_queue (run->sim);
  print_rows (run->sim);
  print_paper (run->sim->program);
}

/* --- Files --- */

int
tl_cli_pipe_trace (const TlPipeRun *run, TlCommandsFormat format, const char *path, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TlOutput) output = tl_output_open (path);
  gboolean fine;

  if (output == NULL)
    return TL_EXIT_WRONG;
  g_autoptr (GOutputStream) raw = g_unix_output_stream_new (fileno (tl_output_file (output)), FALSE);
  g_autoptr (GOutputStream) stream = g_buffered_output_stream_new_sized (raw, 1 << 18);
  fine = format == TL_COMMANDS_CSV      ? tl_pipe_export_commands (run, stream, cancellable, &error)
         : format == TL_COMMANDS_VCD    ? tl_pipe_export_vcd (run, stream, cancellable, &error)
         : format == TL_COMMANDS_CHROME ? tl_pipe_export_chrome (run, stream, cancellable, &error)
                                        : tl_pipe_export_spans (run, stream, cancellable, &error);
  if (fine && g_output_stream_flush (stream, NULL, &error))
    return tl_output_commit (output) ? TL_EXIT_FINE : TL_EXIT_WRONG;
  if (g_cancellable_is_cancelled (cancellable))
    return TL_EXIT_INTERRUPTED;
  fprintf (stderr, "%s: error: %s\n", path, error != NULL ? error->message : "cannot be written");
  return TL_EXIT_WRONG;
}
