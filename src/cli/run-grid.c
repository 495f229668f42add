/* tierc run of a recurrence in wavefront order: its values, for people, as JSON, PAF or
 * CSV; the machine's time is run-pipe.c's. */
#include "cli/run-pipe.h"

#include "base/hash.h"
#include "base/number.h"
#include "engine/grid-run.h"

#include <string.h>

#define SHOWN 10 /* reads listed for people */

static void
add_score (JsonBuilder *builder, const TlGridHit *hit)
{
  char  *end;
  double value = g_ascii_strtod (hit->score, &end);

  if (!hit->found)
    tl_json_text (builder, "score", NULL);
  else if (strpbrk (hit->score, ".en") == NULL)
    json_builder_add_int_value (json_builder_set_member_name (builder, "score"),
                                g_ascii_strtoll (hit->score, NULL, 10));
  else if (*end == '\0' && strpbrk (hit->score, "n") == NULL)
    {
      json_builder_set_member_name (builder, "score");
      json_builder_add_double_value (builder, value);
    }
  else
    tl_json_text (builder, "score", hit->score);
}

static void
add_hit (JsonBuilder *builder, const TlGridRun *run, const TlGridHit *hit)
{
  add_score (builder, hit);
  tl_json_int (builder, "end_i", hit->end_i);
  tl_json_int (builder, "end_j", hit->end_j);
  tl_json_int (builder, "cells", hit->cells);
  if (run->path != NULL)
    {
      tl_json_begin_array (builder, "path");
      for (guint t = 0; t < run->path->len; t++)
        json_builder_add_int_value (builder, g_array_index (run->path, guint32, t));
      json_builder_end_array (builder);
    }
  if (hit->traced)
    {
      tl_json_int (builder, "start_i", hit->start_i);
      tl_json_int (builder, "start_j", hit->start_j);
      tl_json_text (builder, "cigar", hit->cigar);
    }
}

/* What an adaptive band computed of its envelope. */
static void
add_band (JsonBuilder *builder, const TlGridRun *run)
{
  if (run->envelope_cells == 0)
    return;
  tl_json_begin_object (builder, "adaptive_band");
  tl_json_int (builder, "cells", run->cells);
  tl_json_int (builder, "envelope_cells", run->envelope_cells);
  tl_json_int (builder, "tile", run->tile);
  tl_json_int (builder, "tiles", run->tiles);
  tl_json_int (builder, "envelope_tiles", run->envelope_tiles);
  json_builder_end_object (builder);
}

static void
add_reads (JsonBuilder *builder, const TlGridRun *run)
{
  tl_json_int (builder, "reads", run->hits->len);
  tl_json_int (builder, "mapped", run->mapped);
  tl_json_int (builder, "cells", run->cells);
  json_builder_end_object (builder);
  tl_json_begin_array (builder, "alignments");
  for (guint k = 0; k < run->hits->len; k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);

      json_builder_begin_object (builder);
      tl_json_text (builder, "query", hit->query);
      tl_json_text (builder, "strand", hit->reverse ? "-" : "+");
      tl_json_int (builder, "candidates", hit->candidates);
      tl_json_int (builder, "quality", hit->quality);
      add_hit (builder, run, hit);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_lints (JsonBuilder *builder)
{
  tl_json_begin_array (builder, "lints");
  json_builder_end_array (builder);
}

/* @no_values: why there are none, or NULL. */
static JsonNode *
grid_json (const TlGridRun *run, const char *no_values)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", run->program);
  tl_json_text (builder, "target", run->target);
  if (run->sim != NULL)
    tl_cli_pipe_json (builder, run);
  else
    {
      tl_json_text (builder, "makespan_ps", NULL);
      tl_json_text (builder, "makespan_reason", run->sim_reason);
    }
  if (no_values != NULL)
    {
      tl_json_text (builder, "result", NULL);
      tl_json_text (builder, "result_reason", no_values);
      add_lints (builder);
      json_builder_end_object (builder);
      return json_builder_get_root (builder);
    }
  tl_json_begin_object (builder, "result");
  tl_json_hash (builder, "hash", run->hash);
  tl_json_begin_object (builder, "summary");
  add_band (builder, run);
  if (run->reads)
    add_reads (builder, run);
  else
    {
      add_hit (builder, run, &g_array_index (run->hits, TlGridHit, 0));
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  add_lints (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- For people --- */

static void
print_dependences (const TlGrid *grid)
{
  printf ("  %u table%s; dependences", grid->n_tables, grid->n_tables == 1 ? "" : "s");
  for (guint d = 0; d < grid->n_dependences; d++)
    if (grid->kind == TL_GRID_TRELLIS)
      printf (" (1,*)");
    else
      printf (" (%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ")", grid->dependences[d][0], grid->dependences[d][1]);
  printf ("; cells with equal %" G_GINT64_FORMAT " i + %" G_GINT64_FORMAT " j do not wait for each other\n",
          grid->wave[0], grid->wave[1]);
}

static void
print_one (const TlGridRun *run, const TlGridHit *hit)
{
  g_autofree char *cells = tl_format_count (hit->cells);

  if (!hit->found)
    {
      printf ("\nResult\n  none: the cell asked for is absent (outside of the band?); %s cells computed\n", cells);
      return;
    }
  printf ("\nResult\n  score %s at (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "); %s cells computed\n", hit->score,
          hit->end_i, hit->end_j, cells);
  if (hit->traced)
    printf ("  from (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "): %.300s%s\n", hit->start_i, hit->start_j, hit->cigar,
            strlen (hit->cigar) > 300 ? "..." : "");
  if (run->path == NULL)
    return;
  printf ("  path");
  for (guint t = 0; t < MIN (run->path->len, 100); t++)
    printf (" %u", g_array_index (run->path, guint32, t));
  printf ("%s\n", run->path->len > 100 ? " ..." : "");
}

static void
print_reads (const TlGridRun *run)
{
  g_autofree char *cells = tl_format_count (run->cells);

  printf ("\nResult\n  %" G_GUINT64_FORMAT " of %u reads mapped; %s cells computed\n", run->mapped, run->hits->len,
          cells);
  printf ("  %-24s %7s %s %9s %9s %8s %4s %9s\n", "read", "letters", "strand", "from", "to", "score", "MAPQ",
          "identity");
  for (guint k = 0; k < MIN (run->hits->len, SHOWN); k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);
      g_autofree char *identity
          = tl_format_percent (hit->length > 0 ? (double) hit->matches / (double) hit->length : 0, 1);

      if (!hit->found)
        printf ("  %-24.24s %7" G_GUINT64_FORMAT " no candidate\n", hit->query, hit->rows);
      else
        printf ("  %-24.24s %7" G_GUINT64_FORMAT " %6s %9" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT " %8s %4u %9s\n",
                hit->query, hit->rows, hit->reverse ? "-" : "+", hit->start_j, hit->end_j, hit->score, hit->quality,
                identity);
    }
  if (run->hits->len > SHOWN)
    printf ("  and %u more; --result=OUT.paf or --json has all of them\n", run->hits->len - SHOWN);
}

static void
print_band (const TlGridRun *run)
{
  g_autofree char *cells = tl_format_count (run->cells), *all = tl_format_count (run->envelope_cells);
  g_autofree char *tiles = tl_format_count (run->tiles), *all_tiles = tl_format_count (run->envelope_tiles);

  if (run->envelope_cells == 0)
    return;
  g_autofree char *share = tl_format_percent ((double) run->cells / (double) run->envelope_cells, 1);
  printf ("\nAdaptive band\n  computed %s of the envelope's %s cells (%s)\n", cells, all, share);
  printf ("  touched %s of its %s tiles of %u x %u; the others are skipped\n", tiles, all_tiles, run->tile, run->tile);
  if (run->sim != NULL && run->sim->skipped > 0)
    puts ("  B3 above leaves them out; B0 and B2 compute the whole envelope");
}

static void
grid_summary (const TlBuild *build, const TlGridRun *run, const char *no_values)
{
  if (build->grid != NULL)
    {
      g_autofree char *semiring = tl_semiring_text (build->grid->semiring);

      printf ("%s: a recurrence over %s in wavefront order\n", run->program, semiring);
      print_dependences (build->grid);
    }
  else
    printf ("%s: a stream of waves for %s\n", run->program, run->target);
  if (run->sim != NULL)
    tl_cli_pipe_summary (run);
  if (no_values != NULL)
    {
      printf ("\nNo values: %s\n", no_values);
      return;
    }
  if (run->reads)
    print_reads (run);
  else
    print_one (run, &g_array_index (run->hits, TlGridHit, 0));
  print_band (run);
}

/* --- Files --- */

static GBytes *
grid_csv (const TlGridRun *run)
{
  GString *text = g_string_new ("query,strand,score,end_i,end_j,cells,start_i,start_j,cigar\n");

  for (guint k = 0; k < run->hits->len; k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);
      g_auto (GStrv) parts = g_strsplit (hit->query, "\"", -1);
      g_autofree char *name = g_strjoinv ("\"\"", parts);

      g_string_append_printf (text, "\"%s\",%s,%s,", name, hit->reverse ? "-" : "+", hit->score);
      if (hit->found)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT, hit->end_i, hit->end_j);
      else
        g_string_append_c (text, ',');
      g_string_append_printf (text, ",%" G_GUINT64_FORMAT ",", hit->cells);
      if (hit->traced)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%s\n", hit->start_i, hit->start_j,
                                hit->cigar);
      else
        g_string_append (text, ",,\n");
    }
  return g_string_free_to_bytes (text);
}

/* Why no values are computed: nothing asks for them, or the stream has no recurrence. */
static const char *
without_values (const TlBuild *build, const TlRunOutputs *outputs)
{
  if (build->grid == NULL && *build->pipe->text == '\0')
    return "this stream was made of a module and does not carry its recurrence; build it from the program, or run that";
  return outputs->result == NULL && build->pipe->values == TL_VALUES_OFF ? "values = off" : NULL;
}

static int
write_files (const TlGridRun *run, const TlRunOutputs *outputs, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  int status = TL_EXIT_FINE;

  if (outputs->result != NULL)
    {
      g_autoptr (GBytes) bytes = g_str_has_suffix (outputs->result, ".paf") ? tl_grid_run_paf (run) : grid_csv (run);

      if (!tl_write_file (outputs->result, bytes, &error))
        {
          fprintf (stderr, "%s: error: %s\n", outputs->result, error->message);
          return TL_EXIT_WRONG;
        }
    }
  if (run->sim == NULL)
    return TL_EXIT_FINE;
  if (outputs->trace != NULL)
    status = tl_cli_pipe_trace (run->sim, outputs->trace_format, outputs->trace, cancellable);
  if (status == TL_EXIT_FINE && outputs->commands != NULL)
    status = tl_cli_pipe_trace (run->sim, outputs->format, outputs->commands, cancellable);
  return status;
}

int
tl_cli_run_grid (TlCli *cli, TlBuild *build, const TlRunOutputs *outputs)
{
  const char *no_values = without_values (build, outputs);
  g_autoptr (TlProgress) progress = tl_progress_new (build->pipe->name);
  TlGridRunOptions options = { .trace = TRUE,
                               .time = TRUE,
                               .both_edges = TRUE,
                               .skip_values = no_values != NULL,
                               .commands = outputs->commands != NULL
                                           || (outputs->trace != NULL && outputs->trace_format != TL_COMMANDS_EVENTS),
                               .cancellable = cli->cancellable,
                               .progress = tl_progress_count,
                               .user = progress };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  int status;

  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (run->diags, build->source);
  if (run->cancelled)
    {
      fputs ("interrupted; nothing was written\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  if (!run->complete)
    return TL_EXIT_WRONG;
  if ((status = write_files (run, outputs, cli->cancellable)) != TL_EXIT_FINE)
    return status;
  if (outputs->json)
    return tl_cli_write_json ("-", grid_json (run, no_values));
  grid_summary (build, run, no_values);
  return TL_EXIT_FINE;
}
