/* The tiles of one problem: the band in tiles, who owns them, which wave is swept, and the
 * way of the alignment through its cells. Then what is selected in words, the status line,
 * and all of it as the window arranges it. */
#include "scene/compose.h"
#include "scene/marks.h"
#include "scene/pipe-view.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_FROM 14
#define MOST_TILES  40000 /* drawn one by one */

typedef struct
{
  TlScene            *scene;
  const TlView       *view;
  const TlPipeMoment *moment;
  const TlPipeJob    *job;
  guint32             number;
  TlWaveTiling        tiling;
  TlWaveOwner         owner;
  float               x, y, pitch;
} Map;

/* 0 not yet, 1 at hand, 2 done. */
static guint
stage_of (const Map *map, guint64 wave)
{
  guint64 time = map->view->pipe->time;

  if (time >= map->job->done)
    return 2;
  if (time < map->job->taken || !map->moment->sweeping || map->moment->job != map->number)
    return 0;
  return wave < map->moment->wave ? 2 : wave == map->moment->wave;
}

static TlStyle
tile_style (const Map *map, guint pu, guint stage)
{
  static const double shares[] = { 0.3, 0.92, 0.55 };
  TlThemeKind         theme = map->scene->theme;
  TlColor             view = tl_theme_color (theme, TL_ROLE_VIEW);
  TlStyle             style = tl_fill (tl_color_over (tl_theme_owner (theme, pu), view, shares[stage]));

  if (theme == TL_THEME_PRINT)
    {
      static const guint8 greys[] = { 245, 90, 200 };
      style.fill = (guint32) greys[stage] << 24 | greys[stage] << 16 | greys[stage] << 8 | 0xff;
    }
  return style;
}

static void
draw_tile (const Map *map, guint32 i, guint32 j, guint pu, guint stage)
{
  static const char *const words[] = { "not yet", "being swept", "done" };
  TlScene                 *scene = map->scene;
  TlBox                    box = tl_box (map->x + j * map->pitch, map->y + i * map->pitch, MAX (map->pitch - 1, 0.5f),
                                         MAX (map->pitch - 1, 0.5f));
  TlStyle                  style = tile_style (map, pu, stage);
  g_autofree char         *title = g_strdup_printf ("tile [%u,%u]: PU %u, %s", i, j, pu, words[stage]);

  if (stage == 1)
    {
      style.stroke = tl_theme_color (scene->theme, TL_ROLE_OUTLINE);
      style.width = map->pitch >= 8 ? 1.5f : 0.5f;
    }
  tl_scene_begin (scene, "tile", title, (guint64) i << 32 | j, "tile-%u-%u", i, j);
  tl_scene_rect (scene, box, style);
  if (map->pitch >= NUMBER_FROM)
    tl_scene_label (scene, box.x + box.width / 2, box.y + box.height / 2 + 3.2f, TL_ANCHOR_MIDDLE, 9, FALSE,
                    tl_color_ink_on (style.fill), "%u", pu);
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
}

/* Tiles wave by wave; of too many the band's outline alone. */
static void
draw_tiles (const Map *map)
{
  guint64    first = 0, last = 0;
  TlWaveSums sums;

  tl_wave_sums (&map->tiling, 1, &sums);
  if (!tl_wave_range (&map->tiling, &first, &last) || sums.tiles > MOST_TILES)
    return;
  for (guint64 w = first; w <= last; w++)
    {
      guint32 i = 0, j = 0;
      gint32  di, dj;
      guint32 n = tl_wave_tiles (&map->tiling, w, &i, &j, &di, &dj);
      guint   stage = stage_of (map, w);

      for (guint32 t = 0; t < n; t++, i = (guint32) ((gint32) i + di), j = (guint32) ((gint32) j + dj))
        draw_tile (map, i, j, (guint) tl_wave_owner_at (&map->owner, i, j), stage);
    }
}

/* The way's cells as a line: the CIGAR walked from its first cell. */
static void
draw_way (const Map *map)
{
  const TlGridHit *hit = &g_array_index (map->view->pipe->grid->hits, TlGridHit, map->job->read);
  float            cell = map->pitch / (float) map->tiling.tile;
  g_autoptr (GArray) xy = g_array_new (FALSE, FALSE, sizeof (float));
  guint64 i = hit->start_i, j = hit->start_j - MIN (hit->start_j, map->job->column), number = 0;
  float   point[2];

  if (!hit->found || !hit->traced || map->tiling.skew > 0 || hit->cigar == NULL || hit->reverse != map->job->reverse
      || hit->end_j <= map->job->column || hit->start_j < map->job->column
      || hit->end_j > map->job->column + map->job->columns)
    return;
  point[0] = map->x + (float) j * cell;
  point[1] = map->y + (float) i * cell;
  g_array_append_vals (xy, point, 2);
  for (const char *c = hit->cigar; *c != '\0'; c++)
    {
      if (g_ascii_isdigit (*c))
        {
          number = number * 10 + (guint64) (*c - '0');
          continue;
        }
      i += *c == 'D' ? 0 : number;
      j += *c == 'I' ? 0 : number;
      number = 0;
      float x = map->x + (float) j * cell, y = map->y + (float) i * cell;
      /* Turns of less than half a pixel are one line. */
      if (fabsf (x - point[0]) + fabsf (y - point[1]) < 0.5f && c[1] != '\0')
        continue;
      point[0] = x;
      point[1] = y;
      g_array_append_vals (xy, point, 2);
    }
  g_autofree char *title
      = g_strdup_printf ("the way of %s: score %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " letters match",
                         hit->query, hit->score, hit->matches, hit->length);
  tl_scene_begin (map->scene, "way", title, map->job->read, "way");
  tl_scene_polygon (map->scene, (const float *) (gpointer) xy->data, xy->len / 2, FALSE,
                    tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_VIEW), 3.5f));
  tl_scene_polygon (map->scene, (const float *) (gpointer) xy->data, xy->len / 2, FALSE,
                    tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_INK), 1.5f));
  tl_scene_end (map->scene);
}

static void
draw_chosen (const Map *map, const char *id, gboolean selected)
{
  guint i, j;

  if (id == NULL || sscanf (id, "tile-%u-%u", &i, &j) != 2 || i >= tl_wave_tile_rows (&map->tiling)
      || j >= tl_wave_tile_columns (&map->tiling))
    return;
  TlBox box
      = tl_box (map->x + j * map->pitch, map->y + i * map->pitch, MAX (map->pitch - 1, 1), MAX (map->pitch - 1, 1));
  if (selected)
    tl_mark_selected (map->scene, box, map->scene->theme);
  else
    tl_mark_hovered (map->scene, box, map->scene->theme);
}

/* FALSE when no problem was begun. */
static gboolean
open_map (Map *map, const TlView *view, TlPipeMoment *moment)
{
  const TlPipeRun *run = view->pipe->grid->sim;

  tl_pipe_moment (run, view->pipe->time, moment);
  map->view = view;
  map->moment = moment;
  map->number = tl_pipe_shown_job (view->pipe, moment, view->selection);
  if (map->number == G_MAXUINT32)
    return FALSE;
  map->job = &g_array_index (run->jobs, TlPipeJob, map->number);
  tl_pipe_job_tiling (run->program, map->job, &map->tiling);
  tl_pipe_owner (run->program, &map->tiling, &map->owner);
  return TRUE;
}

static void
close_map (Map *map)
{
  if (map->owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) map->owner.rule);
}

void
tl_pipe_view_tiles (TlScene *scene, TlBox box, const TlView *view)
{
  const float left = 22, top = 16;
  Map         map = { .scene = scene };
  TlColor     ink = tl_theme_color (scene->theme, TL_ROLE_INK2);
  g_auto (TlPipeMoment) moment = { 0 };

  if (!open_map (&map, view, &moment))
    {
      tl_scene_label (scene, box.x + 12, box.y + 20, TL_ANCHOR_START, 11, FALSE, ink, "no read has a candidate");
      return;
    }
  guint32 rows = MAX (tl_wave_tile_rows (&map.tiling), 1), columns = MAX (tl_wave_tile_columns (&map.tiling), 1);
  map.pitch = MIN (MIN ((box.width - left - 4) / columns, (box.height - top - 4) / rows), 34);
  map.x = box.x + left;
  map.y = box.y + top;
  TlStyle frame
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_SLOT), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);
  tl_scene_rect (scene, tl_box (map.x - 1, map.y - 1, map.pitch * columns + 1, map.pitch * rows + 1), frame);
  tl_scene_label (scene, map.x, box.y + 11, TL_ANCHOR_START, 10, FALSE, ink, "%s",
                  view->pipe->grid->sim->program->streams ? "letters of the window" : "columns");
  draw_tiles (&map);
  draw_way (&map);
  draw_chosen (&map, view->hover, FALSE);
  draw_chosen (&map, view->selection, TRUE);
  close_map (&map);
}

/* --- Words --- */

static float G_GNUC_PRINTF (5, 6) fact (TlScene *scene, float x, float y, const char *name, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 11, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", name);
  tl_scene_label (scene, x + 66, y, TL_ANCHOR_START, 11, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s", text);
  return y + 17;
}

static void
title (TlScene *scene, TlBox box, const char *text)
{
  tl_scene_label (scene, box.x + 12, box.y + 22, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "%s", text);
}

static void
inspect_pu (TlScene *scene, TlBox box, const TlView *view, guint pu)
{
  const TlPipeRun   *run = view->pipe->grid->sim;
  const TlPipeTimes *times = &run->pu[pu];
  double             whole = (double) MAX (run->makespan, 1);
  gboolean           search = run->program->streams && pu < run->program->search;
  g_autofree char   *name = g_strdup_printf ("%s PU %u", search ? "Search" : "Compute", pu);
  g_auto (TlPipeMoment) moment = { 0 };
  float y = box.y + 44;

  tl_pipe_moment (run, view->pipe->time, &moment);
  title (scene, box, name);
  y = fact (scene, box.x + 12, y, "does", "%s",
            moment.at[pu].to > 0 ? tl_pipe_span_name ((TlPipeSpanKind) moment.at[pu].kind) : "nothing");
  y = fact (scene, box.x + 12, y, "busy", "%.1f %%", 100 * (double) times->busy / whole);
  if (search)
    fact (scene, box.x + 12, y, "stalled", "%.1f %% for room in the queue", 100 * (double) times->stall / whole);
  else
    {
      y = fact (scene, box.x + 12, y, "waits", "%.1f %% for candidates", 100 * (double) times->wait / whole);
      fact (scene, box.x + 12, y, "barriers", "%.1f %%", 100 * (double) times->barrier / whole);
    }
}

static void
inspect_tile (TlScene *scene, TlBox box, const TlView *view, guint i, guint j)
{
  Map map = { .scene = scene };
  g_auto (TlPipeMoment) moment = { 0 };
  float y = box.y + 44;

  if (!open_map (&map, view, &moment))
    return;
  g_autofree char *name = g_strdup_printf ("Tile [%u,%u]", i, j);
  title (scene, box, name);
  y = fact (scene, box.x + 12, y, "owner", "PU %d", (int) tl_wave_owner_at (&map.owner, i, j));
  y = fact (scene, box.x + 12, y, "wave", "%u", map.tiling.order[0] * i + map.tiling.order[1] * j);
  fact (scene, box.x + 12, y, "takes", "%" G_GUINT64_FORMAT " cycles", tl_wave_cycles (&map.tiling, i, j, TRUE));
  close_map (&map);
}

static void
inspect_read (TlScene *scene, TlBox box, const TlView *view, guint read)
{
  const TlGridRun *grid = view->pipe->grid;
  const TlGridHit *hit = &g_array_index (grid->hits, TlGridHit, read);
  g_autofree char *name = g_strdup_printf ("%.28s", hit->query);
  float            y = box.y + 44;

  title (scene, box, name);
  y = fact (scene, box.x + 12, y, "letters", "%" G_GUINT64_FORMAT ", %u candidate%s", hit->rows, hit->candidates,
            hit->candidates == 1 ? "" : "s");
  if (hit->found)
    {
      y = fact (scene, box.x + 12, y, "score", "%s at (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "), strand %c",
                hit->score, hit->end_i, hit->end_j, hit->reverse ? '-' : '+');
      if (hit->length > 0)
        y = fact (scene, box.x + 12, y, "alike", "%.1f %% of %" G_GUINT64_FORMAT,
                  100.0 * (double) hit->matches / (double) hit->length, hit->length);
    }
  if (read < grid->sim->searches->len)
    {
      const TlPipeSearch *search = &g_array_index (grid->sim->searches, TlPipeSearch, read);
      g_autofree char    *time = tl_format_ps (search->to - search->from);
      fact (scene, box.x + 12, y, "search", "PU %u, %u words, %u hits, %s", search->pu, search->words, search->hits,
            time);
    }
}

void
tl_pipe_view_inspector (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  TlStyle              card
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_CARD), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);
  guint i, j;

  card.radius = 10;
  tl_scene_begin (scene, "inspector", "what is selected", 0, "inspector");
  tl_scene_rect (scene, box, card);
  if (view->selection != NULL
      && (sscanf (view->selection, "pu-%u", &i) == 1 || sscanf (view->selection, "lane-pu-%u", &i) == 1)
      && i < program->machine.pus)
    inspect_pu (scene, box, view, i);
  else if (view->selection != NULL && sscanf (view->selection, "tile-%u-%u", &i, &j) == 2)
    inspect_tile (scene, box, view, i, j);
  else if (view->selection != NULL && sscanf (view->selection, "read-%u", &i) == 1 && i < view->pipe->grid->hits->len)
    inspect_read (scene, box, view, i);
  else
    {
      g_autofree char *name = g_strdup_printf ("%s on %s", program->name, program->target);
      float            y = box.y + 44;

      title (scene, box, name);
      y = fact (scene, box.x + 12, y, "tiles", "%u x %u", program->tiling.tile, program->tiling.tile);
      y = fact (scene, box.x + 12, y, "owner", "%s", program->owner);
      if (program->streams)
        y = fact (scene, box.x + 12, y, "queue", "%u places, mean level %.2f", program->depth, run->mean_level);
      fact (scene, box.x + 12, y, "select", "a read, a tile or a PU");
    }
  tl_scene_end (scene);
}

void
tl_pipe_view_status (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  g_autofree char *makespan = tl_format_ps (run->makespan), *tiles = tl_format_count (run->tiles);
  TlColor          ink = tl_theme_color (scene->theme, TL_ROLE_INK2);
  g_autofree char *lookups = tl_format_count (run->lookups);

  tl_scene_label (scene, box.x + 14, box.y + box.height / 2 + 4, TL_ANCHOR_START, 11, FALSE, ink,
                  "%s  -  %s tiles in %" G_GUINT64_FORMAT " waves  -  %.2f x over one PU", makespan, tiles, run->waves,
                  (double) run->alone / (double) MAX (run->makespan, 1));
  if (run->program->streams)
    tl_scene_label (scene, box.x + box.width - 14, box.y + box.height / 2 + 4, TL_ANCHOR_END, 11, FALSE, ink,
                    "%s look-ups, queue up to %u of %u", lookups, run->high_water, run->program->depth);
}

void
tl_pipe_view_window (TlScene *scene, TlBox box, const TlView *view)
{
  const float      status = 28, bottom = MIN (300, box.height * 0.36f), right = MIN (520, box.width * 0.42f), top = 30;
  TlThemeKind      theme = scene->theme;
  TlColor          line = tl_theme_color (theme, TL_ROLE_LINE), ink = tl_theme_color (theme, TL_ROLE_INK);
  float            middle = box.y + box.height - status - bottom, split = box.x + box.width - right;
  TlStyle          note = tl_fill (tl_color_over (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                                  tl_theme_color (theme, TL_ROLE_VIEW), theme == TL_THEME_PRINT ? 0 : 0.16));
  g_autofree char *caption = tl_pipe_caption (view->pipe);

  note.radius = 8;
  tl_scene_label (scene, box.x + 14, box.y + 20, TL_ANCHOR_START, 13, TRUE, ink, "Pipeline");
  tl_pipe_view_pus (scene, tl_box (box.x + 8, box.y + top, split - box.x - 16, middle - box.y - top - 44), view);
  tl_scene_rect (scene, tl_box (box.x + 10, middle - 38, split - box.x - 20, 30), note);
  tl_scene_label (scene, box.x + 22, middle - 19, TL_ANCHOR_START, 11, FALSE, ink, "%s", caption);
  tl_scene_line (scene, split, box.y, split, middle, tl_stroke (line, 1));
  tl_scene_label (scene, split + 14, box.y + 20, TL_ANCHOR_START, 13, TRUE, ink, "Waves");
  float card = MIN (130, (middle - box.y) * 0.3f);
  tl_pipe_view_tiles (scene, tl_box (split + 8, box.y + top, right - 16, middle - box.y - top - card - 14), view);
  tl_pipe_view_inspector (scene, tl_box (split + 10, middle - card - 6, right - 20, card), view);
  tl_scene_line (scene, box.x, middle, box.x + box.width, middle, tl_stroke (line, 1));
  tl_pipe_view_timeline (scene, tl_box (box.x, middle + 6, box.width, bottom - 8), view);
  tl_pipe_view_status (scene, tl_box (box.x, box.y + box.height - status, box.width, status), view);
}

void
tl_pipe_view_draw (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view)
{
  static void (*const draw[TL_N_ALL_VIEWS]) (TlScene *, TlBox, const TlView *)
      = { [TL_VIEW_WINDOW] = tl_pipe_view_window, [TL_VIEW_STACK] = tl_pipe_view_pus,
          [TL_VIEW_ISO] = tl_pipe_view_pus,       [TL_VIEW_RING] = tl_pipe_view_pus,
          [TL_VIEW_TILES] = tl_pipe_view_tiles,   [TL_VIEW_TIMELINE] = tl_pipe_view_timeline,
          [TL_VIEW_STATUS] = tl_pipe_view_status, [TL_VIEW_INSPECTOR] = tl_pipe_view_inspector };
  g_autofree char *caption = tl_pipe_caption (view->pipe);
  g_autofree char *name = g_strdup_printf ("%s on %s", view->pipe->grid->program, view->pipe->grid->target);

  tl_scene_describe (scene, name, caption);
  if (draw[kind] != NULL)
    draw[kind](scene, box, view);
}

TlScene *
tl_pipe_compose (const TlGridRun *grid, const TlPicture *picture)
{
  float       width = picture->width, height = picture->height;
  TlPipeShown shown = { grid, picture->time };
  TlView      view = { .pipe = &shown, .selection = picture->selection, .from = picture->from, .to = picture->to };

  if (width <= 0 || height <= 0)
    tl_view_size (picture->kind, &width, &height);
  TlScene *scene = tl_scene_new (width, height, picture->theme);
  tl_view_draw (picture->kind, scene, tl_box (0, 0, width, height), &view);
  return scene;
}
