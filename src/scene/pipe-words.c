/* What is selected in words, the status line, all of a pipeline as the window arranges it,
 * and a figure of it. */
#include "scene/compose.h"
#include "scene/marks.h"
#include "scene/pipe-private.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

#define VALUES 66 /* from a label to its value */

static float fact (TlScene *scene, TlBox box, float y, const char *name, const char *format, ...) G_GNUC_PRINTF (5, 6);

static float
fact (TlScene *scene, TlBox box, float y, const char *name, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tl_scene_label (scene, box.x + 12, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s",
                  name);
  for (const char *rest = text; rest[0] != '\0'; y += rest[0] != '\0' ? 15 : 17)
    {
      gsize            length = tl_scene_text_break (rest, 12, box.width - 12 - VALUES - 6);
      g_autofree char *line = g_strndup (rest, length);

      tl_scene_label (scene, box.x + 12 + VALUES, y, TL_ANCHOR_START, 12, FALSE,
                      tl_theme_color (scene->theme, TL_ROLE_INK), "%s", g_strchomp (line));
      rest += length;
    }
  return y;
}

static float
title (TlScene *scene, TlBox box, const char *text)
{
  tl_scene_label (scene, box.x + 12, box.y + 22, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "%s", text);
  return box.y + 44;
}

/* "12.5 %" of the run. (transfer full) */
static char *
share (const TlPipeRun *run, guint64 time)
{
  return tl_format_percent ((double) time / (double) MAX (run->makespan, 1), 1);
}

static void
inspect_pu (TlScene *scene, TlBox box, const TlView *view, guint pu)
{
  const TlPipeRun   *run = view->pipe->grid->sim;
  const TlPipeTimes *times = &run->pu[pu];
  gboolean           search = run->program->streams && pu < run->program->search;
  g_autofree char   *name = g_strdup_printf ("%s PU %u", search ? "Search" : "Compute", pu);
  g_autofree char   *busy = share (run, times->busy), *stall = share (run, times->stall);
  g_autofree char   *wait = share (run, times->wait), *barrier = share (run, times->barrier);
  g_auto (TlPipeMoment) moment = { 0 };
  float y = title (scene, box, name);

  tl_pipe_moment (run, view->pipe->index, view->pipe->time, &moment);
  y = fact (scene, box, y, "now", "%s",
            moment.at[pu].to > 0 ? tl_pipe_words ((TlPipeSpanKind) moment.at[pu].kind) : "idle");
  y = fact (scene, box, y, "busy", "%s of the run", busy);
  if (search)
    fact (scene, box, y, "stalled", "%s, for room in the queue", stall);
  else
    {
      if (run->program->streams)
        y = fact (scene, box, y, "waits", "%s, for candidates", wait);
      fact (scene, box, y, "barriers", "%s, for the wave's last tile", barrier);
    }
}

static void
inspect_tile (TlScene *scene, TlBox box, const TlView *view, guint i, guint j)
{
  TlPipeMap map;
  guint64   from = 0, to = 0;

  if (!tl_pipe_map_open (&map, scene, view))
    return;
  g_autofree char *name = g_strdup_printf ("Tile [%u,%u]", i, j), *owner = NULL;
  guint64          wave = (guint64) map.tiling.order[0] * i + (guint64) map.tiling.order[1] * j;
  g_autofree char *cycles = tl_format_count (tl_wave_cycles (&map.tiling, i, j, TRUE));
  float            y = title (scene, box, name);

  y = fact (scene, box, y, "owner", "PU %d by %s", (int) tl_wave_owner_at (&map.owner, i, j),
            view->pipe->grid->sim->program->owner);
  y = fact (scene, box, y, "wave", "%" G_GUINT64_FORMAT ", %s", wave,
            tl_pipe_map_stage (&map, wave) == TL_PIPE_NOW    ? "swept now"
            : tl_pipe_map_stage (&map, wave) == TL_PIPE_DONE ? "done"
                                                             : "not yet");
  y = fact (scene, box, y, "takes", "%s cycles, %u of them until all lanes work", cycles, map.tiling.fill);
  if (tl_pipe_tile_time (view->pipe->grid->sim, view->pipe->index, map.number, i, j, &from, &to))
    {
      g_autofree char *start = tl_format_ps (from), *end = tl_format_ps (to);
      fact (scene, box, y, "swept", "%s to %s", start, end);
    }
  tl_pipe_map_close (&map);
}

static void
inspect_cell (TlScene *scene, TlBox box, const TlView *view, guint i, guint j)
{
  TlPipeMap        map;
  const TlGridRun *grid = view->pipe->grid;

  if (!tl_pipe_map_open (&map, scene, view))
    return;
  gboolean         trellis = map.tiling.reduced > 0;
  guint64          at = (guint64) i * (map.job->columns + !trellis) + j;
  g_autofree char *name
      = trellis ? g_strdup_printf ("Step %u, state %u", i, j) : g_strdup_printf ("Cell (%u,%u)", i, j);
  char  a = i > 0 ? tl_pipe_map_letter (&map, 0, i - 1) : '\0', b = j > 0 ? tl_pipe_map_letter (&map, 1, j - 1) : '\0';
  float y = title (scene, box, name);

  y = fact (scene, box, y, "value", "%s",
            grid->values != NULL && at < grid->n_values && grid->values[at] != NULL ? grid->values[at] : "none");
  if (!trellis && a != '\0' && b != '\0')
    y = fact (scene, box, y, "letters", "%c against %c", a, b);
  if (!trellis && i > 0 && j > 0)
    {
      guint32 ti = (i - 1) / map.tiling.tile, x = j + map.tiling.skew * i - 1, tj = x / map.tiling.tile;
      y = fact (scene, box, y, "tile", "[%u,%u], lane %u of %u", ti, tj, (i - 1) % map.tiling.tile % map.tiling.pes,
                map.tiling.pes);
    }
  if (!trellis && (i == 0 || j == 0))
    fact (scene, box, y, "border", "given by the program");
  tl_pipe_map_close (&map);
}

static void
inspect_read (TlScene *scene, TlBox box, const TlView *view, guint read)
{
  const TlGridRun *grid = view->pipe->grid;
  const TlGridHit *hit = &g_array_index (grid->hits, TlGridHit, read);
  g_autofree char *name = g_strdup_printf ("Read %u: %.24s", read, hit->query);
  g_autofree char *letters = tl_format_count (hit->rows);
  float            y = title (scene, box, name);

  y = fact (scene, box, y, "letters", "%s, %u candidate%s", letters, hit->candidates, hit->candidates == 1 ? "" : "s");
  if (hit->found)
    {
      g_autofree char *from = tl_format_count (hit->start_j + 1), *to = tl_format_count (hit->end_j);
      y = fact (scene, box, y, "score", "%s, strand %c", hit->score, hit->reverse ? '-' : '+');
      y = fact (scene, box, y, "lies at", hit->traced ? "%s to %s of %.12s" : "%s..%s of %.12s", from, to, hit->target);
      if (hit->length > 0)
        {
          g_autofree char *alike = tl_format_percent ((double) hit->matches / (double) hit->length, 1);
          g_autofree char *length = tl_format_count (hit->length);
          y = fact (scene, box, y, "alike", "%s of %s letters, quality %u", alike, length, hit->quality);
        }
    }
  else if (hit->candidates == 0 && hit->score[0] == '\0' && hit->cells > 0)
    y = fact (scene, box, y, "lies at", "no place was found");
  if (read < grid->sim->searches->len)
    {
      const TlPipeSearch *search = &g_array_index (grid->sim->searches, TlPipeSearch, read);
      g_autofree char    *time = tl_format_ps (search->to - search->from);
      g_autofree char    *words = tl_format_count (search->words), *hits = tl_format_count (search->hits);
      y = fact (scene, box, y, "look-up", "PU %u, %s words, %s hits", search->pu, words, hits);
      fact (scene, box, y, "took", "%s", time);
    }
}

static void
inspect_queue (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  g_auto (TlPipeMoment) moment = { 0 };
  float y = title (scene, box, "Queue");

  tl_pipe_moment (run, view->pipe->index, view->pipe->time, &moment);
  g_autofree char *search = tl_format_ps (run->program->search_ps), *sweep = tl_format_ps (run->program->sweep_ps);
  y = fact (scene, box, y, "now", "%u of %u places taken", moment.level, run->program->depth);
  y = fact (scene, box, y, "level", "%.2f on average, %u at most", run->mean_level, run->high_water);
  if (!run->program->depth_told)
    fact (scene, box, y, "depth", "from %s a sweep, %s a search", sweep, search);
  else
    fact (scene, box, y, "depth", "as the program says");
}

static void
inspect_program (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  const TlGridHit     *hit = &g_array_index (view->pipe->grid->hits, TlGridHit, 0);
  g_autofree char     *name = g_strdup_printf ("%s on %s", program->name, program->target);
  float                y = title (scene, box, name);

  y = fact (scene, box, y, "tiles", program->tiling.reduced > 0 ? "a step by %u states" : "%u by %u cells",
            program->tiling.tile, program->tiling.tile);
  y = fact (scene, box, y, "owner", "PU %s", program->owner);
  if (program->streams)
    y = fact (scene, box, y, "queue", "%u places, %.2f taken on average", program->depth, run->mean_level);
  if (!view->pipe->grid->reads && hit->found)
    y = fact (scene, box, y, "score", "%s", hit->score);
  if (!view->pipe->grid->reads && hit->found && hit->length > 0)
    {
      g_autofree char *alike = tl_format_percent ((double) hit->matches / (double) hit->length, 1);
      y = fact (scene, box, y, "alike", "%s of %" G_GUINT64_FORMAT " letters", alike, hit->length);
    }
  fact (scene, box, y, "select", program->streams ? "a read, a tile, the queue or a PU" : "a tile, a cell or a PU");
}

void
tl_pipe_view_inspector (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeProgram *program = view->pipe->grid->sim->program;
  const char          *id = view->selection != NULL ? view->selection : "";
  TlStyle              card
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_CARD), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);
  guint i, j;

  card.radius = 10;
  tl_scene_begin (scene, "inspector", "what is selected", 0, "inspector");
  tl_scene_rect (scene, box, card);
  tl_scene_clip (scene, box);
  if ((sscanf (id, "pu-%u", &i) == 1 || sscanf (id, "lane-pu-%u", &i) == 1) && i < program->machine.pus)
    inspect_pu (scene, box, view, i);
  else if (sscanf (id, "tile-%u-%u", &i, &j) == 2)
    inspect_tile (scene, box, view, i, j);
  else if (sscanf (id, "cell-%u-%u", &i, &j) == 2)
    inspect_cell (scene, box, view, i, j);
  else if (sscanf (id, "read-%u", &i) == 1 && i < view->pipe->grid->hits->len)
    inspect_read (scene, box, view, i);
  else if (program->streams && (strcmp (id, "queue") == 0 || strcmp (id, "lane-queue") == 0))
    inspect_queue (scene, box, view);
  else
    inspect_program (scene, box, view);
  tl_scene_unclip (scene);
  tl_scene_end (scene);
}

/* A word and a number; returns where the next may start. */
static float
counter (TlScene *scene, float x, float y, float right, const char *label, const char *value)
{
  float wide = tl_scene_text_width (label, 12, FALSE, FALSE) + 5;

  if (x + wide + tl_scene_text_width (value, 12, TRUE, FALSE) > right)
    return x;
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", label);
  tl_scene_label (scene, x + wide, y, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s",
                  value);
  return x + wide + tl_scene_text_width (value, 12, TRUE, FALSE) + 22;
}

void
tl_pipe_view_status (TlScene *scene, TlBox box, const TlView *view)
{
  const TlGridRun *grid = view->pipe->grid;
  const TlPipeRun *run = grid->sim;
  g_autofree char *makespan = tl_format_ps (run->makespan), *tiles = tl_format_count (run->tiles);
  g_autofree char *waves = tl_format_count (run->waves), *lookups = tl_format_count (run->lookups);
  g_autofree char *gain = g_strdup_printf ("%.2f\303\227", (double) run->alone / (double) MAX (run->makespan, 1));
  float            x = box.x + 14, y = box.y + box.height / 2 + 4.2f, right = box.x + box.width - 14;
  guint64          busy = 0;

  for (guint pu = run->program->search; pu < run->program->search + run->program->compute; pu++)
    busy += run->pu[pu].busy;
  g_autofree char *sweep
      = tl_format_percent ((double) busy / (double) MAX (run->makespan, 1) / MAX (run->program->compute, 1), 1);
  tl_scene_begin (scene, "status", "counters of the whole run", 0, "status");
  tl_scene_rect (scene, box, tl_fill (tl_theme_color (scene->theme, TL_ROLE_HEADER)));
  if (grid->reads && grid->mapped > 0)
    {
      g_autofree char *mapped = g_strdup_printf ("%" G_GUINT64_FORMAT " of %u", grid->mapped, grid->hits->len);
      x = counter (scene, x, y, right, "Reads placed", mapped);
    }
  x = counter (scene, x, y, right, "Tiles", tiles);
  x = counter (scene, x, y, right, "Waves", waves);
  x = counter (scene, x, y, right, "Compute PUs busy", sweep);
  if (run->program->streams)
    {
      g_autofree char *queue = g_strdup_printf ("%u of %u", run->high_water, run->program->depth);
      x = counter (scene, x, y, right, "Look-ups", lookups);
      x = counter (scene, x, y, right, "Queue at most", queue);
    }
  x = counter (scene, x, y, right, "Makespan", makespan);
  counter (scene, x, y, right, "Against one PU", gain);
  tl_scene_end (scene);
}

void
tl_pipe_view_window (TlScene *scene, TlBox box, const TlView *view)
{
  const float      status = 28, bottom = MIN (300, box.height * 0.36f), right = MIN (400, box.width * 0.32f), top = 34;
  TlThemeKind      theme = scene->theme;
  TlColor          line = tl_theme_color (theme, TL_ROLE_LINE), ink = tl_theme_color (theme, TL_ROLE_INK);
  float            middle = box.y + box.height - status - bottom, split = box.x + box.width - right;
  TlStyle          note = tl_fill (tl_color_over (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                                  tl_theme_color (theme, TL_ROLE_VIEW), theme == TL_THEME_PRINT ? 0 : 0.16));
  g_autofree char *caption = tl_pipe_caption (view->pipe), *time = tl_format_ps (view->pipe->time);
  gboolean         streams = view->pipe->grid->sim->program->streams;

  note.radius = 8;
  tl_scene_label (scene, box.x + 14, box.y + 22, TL_ANCHOR_START, 13, TRUE, ink, streams ? "Pipeline" : "Waves");
  tl_scene_label (scene, box.x + (streams ? 80 : 66), box.y + 22, TL_ANCHOR_START, 12, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "at %s", time);
  tl_pipe_view_pus (scene, tl_box (box.x + 8, box.y + top, split - box.x - 16, middle - box.y - top - 46), view);
  tl_scene_rect (scene, tl_box (box.x + 10, middle - 40, split - box.x - 20, 32), note);
  tl_scene_label (scene, box.x + 22, middle - 20, TL_ANCHOR_START, 12, FALSE, ink, "%s", caption);
  tl_scene_line (scene, split, box.y, split, middle, tl_stroke (line, 1));
  tl_scene_label (scene, split + 14, box.y + 22, TL_ANCHOR_START, 13, TRUE, ink, "Tiles");
  float card = MIN (156, (middle - box.y) * 0.36f);
  tl_pipe_view_tiles (scene, tl_box (split + 4, box.y + top, right - 12, middle - box.y - top - card - 14), view);
  tl_pipe_view_inspector (scene, tl_box (split + 10, middle - card - 8, right - 20, card), view);
  tl_scene_line (scene, box.x, middle, box.x + box.width, middle, tl_stroke (line, 1));
  tl_pipe_view_timeline (scene, tl_box (box.x, middle + 4, box.width, bottom - 6), view);
  tl_pipe_view_status (scene, tl_box (box.x, box.y + box.height - status, box.width, status), view);
}

void
tl_pipe_view_draw (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view)
{
  static void (*const draw[TL_N_ALL_VIEWS]) (TlScene *, TlBox, const TlView *)
      = { [TL_VIEW_WINDOW] = tl_pipe_view_window, [TL_VIEW_STACK] = tl_pipe_view_pus,
          [TL_VIEW_ISO] = tl_pipe_view_pus,       [TL_VIEW_RING] = tl_pipe_view_pus,
          [TL_VIEW_TILES] = tl_pipe_view_tiles,   [TL_VIEW_TIMELINE] = tl_pipe_view_timeline,
          [TL_VIEW_STATUS] = tl_pipe_view_status, [TL_VIEW_INSPECTOR] = tl_pipe_view_inspector,
          [TL_VIEW_MATRIX] = tl_pipe_view_matrix };
  g_autofree char *caption = tl_pipe_caption (view->pipe);
  g_autofree char *name = g_strdup_printf ("%s on %s", view->pipe->grid->program, view->pipe->grid->target);

  tl_scene_describe (scene, name, caption);
  if (draw[kind] != NULL)
    draw[kind](scene, box, view);
}

TlScene *
tl_pipe_compose (const TlGridRun *grid, const TlPicture *picture)
{
  float width = picture->width, height = picture->height;
  g_autoptr (TlPipeIndex) index = tl_pipe_index_new (grid->sim);
  TlPipeShown shown = { .grid = grid, .time = picture->time, .index = index };
  TlView      view = { .pipe = &shown, .selection = picture->selection, .from = picture->from, .to = picture->to };

  if (width <= 0 || height <= 0)
    tl_view_size (picture->kind, &width, &height);
  TlScene *scene = tl_scene_new (width, height, picture->theme);
  tl_view_draw (picture->kind, scene, tl_box (0, 0, width, height), &view);
  return scene;
}
