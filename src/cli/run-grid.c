/* tierc run of a grid: values alone, for people, as JSON, PAF or CSV. */
#include "cli/run.h"

#include "base/hash.h"
#include "base/number.h"
#include "engine/grid-run.h"

#include <string.h>

#define SHOWN 10 /* reads listed for people */

static void
show_progress (guint64 done, guint64 total, gpointer user)
{
  tl_progress_show (user, total > 0 ? (double) done / (double) total : -1, NULL);
}

static void
add_score (JsonBuilder *builder, const TlGridHit *hit)
{
  char  *end;
  double value = g_ascii_strtod (hit->score, &end);

  if (!hit->found)
    tl_json_text (builder, "score", NULL);
  else if (strpbrk (hit->score, ".en") == NULL)
    tl_json_int (builder, "score", hit->value);
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

static JsonNode *
grid_json (const TlGridRun *run)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", run->program);
  tl_json_text (builder, "target", run->target);
  tl_json_text (builder, "makespan_ps", NULL);
  tl_json_text (builder, "makespan_reason", "values only: the time of a wavefront is not simulated");
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
  tl_json_begin_array (builder, "lints");
  json_builder_end_array (builder);
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
}

static void
grid_summary (const TlBuild *build, const TlGridRun *run)
{
  const TlGrid    *grid = build->grid;
  g_autofree char *semiring = tl_semiring_text (grid->semiring);

  printf ("%s: a recurrence over %s in wavefront order, values only\n", run->program, semiring);
  print_dependences (grid);
  printf ("  the time it takes on %s is not simulated by this version\n", run->target);
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

/* values = off, and nothing asks for them. */
static gboolean
is_off (const TlBuild *build)
{
  const TlConfigItem *item = tl_ast_config (build->ast, "values");

  return item != NULL && item->value != NULL && g_strcmp0 (item->value->text, "off") == 0;
}

int
tl_cli_run_grid (TlCli *cli, TlBuild *build, const char *result, gboolean json)
{
  if (is_off (build) && result == NULL)
    {
      fputs ("values = off: there is nothing else to compute for a recurrence in wavefront order\n", stderr);
      return TL_EXIT_WRONG;
    }
  g_autoptr (TlProgress) progress = tl_progress_new (build->grid->algorithm);
  TlGridRunOptions options
      = { .trace = TRUE, .cancellable = cli->cancellable, .progress = show_progress, .user = progress };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (run->diags, build->source);
  if (run->cancelled)
    {
      fputs ("interrupted; nothing was written\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  if (!run->complete)
    return TL_EXIT_WRONG;
  if (result != NULL)
    {
      g_autoptr (GBytes) bytes = g_str_has_suffix (result, ".paf") ? tl_grid_run_paf (run) : grid_csv (run);

      if (!tl_write_file (result, bytes, &error))
        {
          fprintf (stderr, "%s: error: %s\n", result, error->message);
          return TL_EXIT_WRONG;
        }
    }
  if (json)
    return tl_cli_write_json ("-", grid_json (run));
  grid_summary (build, run);
  return TL_EXIT_FINE;
}
