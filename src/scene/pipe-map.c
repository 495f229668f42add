/* The tiles of one problem: the band in tiles, who owns them, which wave is swept, and the
 * way of the alignment through its cells. */
#include "scene/marks.h"
#include "scene/pipe-private.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_FROM 14
#define MOST_TILES  40000 /* drawn one by one */
#define LARGEST     110
#define LEFT        44
#define TOP         18

gboolean
tl_pipe_map_open (TlPipeMap *map, TlScene *scene, const TlView *view)
{
  const TlPipeRun *run = view->pipe->grid->sim;

  *map = (TlPipeMap) { .scene = scene, .view = view };
  tl_pipe_moment (run, view->pipe->index, view->pipe->time, &map->moment);
  map->number = tl_pipe_shown_job (view->pipe, &map->moment, view->selection);
  if (map->number == G_MAXUINT32)
    {
      tl_pipe_moment_clear (&map->moment);
      return FALSE;
    }
  map->job = &g_array_index (run->jobs, TlPipeJob, map->number);
  map->hit = &g_array_index (view->pipe->grid->hits, TlGridHit, map->job->read);
  tl_pipe_job_tiling (run->program, map->job, &map->tiling);
  tl_pipe_owner (run->program, &map->tiling, &map->owner);
  return TRUE;
}

void
tl_pipe_map_close (TlPipeMap *map)
{
  if (map->owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) map->owner.rule);
  tl_pipe_moment_clear (&map->moment);
}

TlPipeStage
tl_pipe_map_stage (const TlPipeMap *map, guint64 wave)
{
  guint64 time = map->view->pipe->time;

  if (time >= map->job->done)
    return TL_PIPE_DONE;
  if (time < map->job->taken || !map->moment.sweeping || map->moment.job != map->number)
    return TL_PIPE_NOT_YET;
  return wave < map->moment.wave ? TL_PIPE_DONE : wave == map->moment.wave ? TL_PIPE_NOW : TL_PIPE_NOT_YET;
}

gboolean
tl_pipe_map_has_way (const TlPipeMap *map)
{
  const TlGridHit *hit = map->hit;

  return hit->found && hit->traced && map->tiling.skew == 0 && hit->cigar != NULL && hit->reverse == map->job->reverse
         && hit->end_j > map->job->column && hit->start_j >= map->job->column
         && hit->end_j <= map->job->column + map->job->columns;
}

char
tl_pipe_map_letter (const TlPipeMap *map, guint side, guint64 at)
{
  return tl_grid_run_letter (map->view->pipe->grid, side, map->job->read, side == 0 && map->job->reverse,
                             side == 0 ? at : map->job->column + at);
}

char *
tl_pipe_map_title (const TlPipeMap *map)
{
  const TlPipeProgram *program = map->view->pipe->grid->sim->program;
  g_autofree char     *rows = tl_format_count (map->job->rows + (map->tiling.reduced > 0));
  g_autofree char     *columns = tl_format_count (map->job->columns);

  if (program->streams)
    return g_strdup_printf ("read %u down, %.16s across, strand %c", map->job->read, map->hit->target,
                            map->job->reverse ? '-' : '+');
  return map->tiling.reduced > 0 ? g_strdup_printf ("%s steps of %s states", rows, columns)
                                 : g_strdup_printf ("%s rows by %s columns", rows, columns);
}

/* --- Tiles --- */

static TlStyle
tile_style (const TlPipeMap *map, guint pu, TlPipeStage stage)
{
  static const double shares[] = { 0.22, 0.95, 0.5 };
  TlThemeKind         theme = map->scene->theme;
  TlColor             view = tl_theme_color (theme, TL_ROLE_VIEW);
  TlStyle             style = tl_fill (tl_color_over (tl_theme_owner (theme, pu), view, shares[stage]));
  gboolean            large = MIN (map->tile_width, map->tile_height) >= 8;

  if (theme == TL_THEME_PRINT)
    {
      style = tl_fill_stroke (stage == TL_PIPE_NOW ? tl_theme_color (theme, TL_ROLE_INK) : view,
                              tl_theme_color (theme, TL_ROLE_INK), large ? 0.6f : 0.3f);
      style.texture = stage == TL_PIPE_DONE ? TL_TEXTURE_DIAGONAL : TL_TEXTURE_NONE;
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK);
    }
  else if (stage == TL_PIPE_NOW)
    {
      style.stroke = tl_theme_color (theme, TL_ROLE_OUTLINE);
      style.width = large ? 2 : 0.6f;
    }
  return style;
}

static TlBox
tile_box (const TlPipeMap *map, guint32 i, guint32 j)
{
  float gap = MIN (map->tile_width, map->tile_height) > 3 ? 1 : 0;

  return tl_box (map->x + (float) j * map->tile_width, map->y + (float) i * map->tile_height,
                 MAX (map->tile_width - gap, 0.5f), MAX (map->tile_height - gap, 0.5f));
}

static void
draw_tile (const TlPipeMap *map, guint32 i, guint32 j, guint pu, TlPipeStage stage)
{
  static const char *const words[] = { "not yet", "swept now", "done" };
  TlScene                 *scene = map->scene;
  TlBox                    box = tile_box (map, i, j);
  TlStyle                  style = tile_style (map, pu, stage);
  g_autofree char         *title = g_strdup_printf ("tile [%u,%u]: PU %u, %s", i, j, pu, words[stage]);
  g_autofree char         *number = g_strdup_printf ("%u", pu);
  float                    wide = tl_scene_text_width (number, 10, stage == TL_PIPE_NOW, FALSE);

  tl_scene_begin (scene, "tile", title, (guint64) i << 32 | j, "tile-%u-%u", i, j);
  tl_scene_rect (scene, box, style);
  if (box.height >= NUMBER_FROM - 1 && wide + 2 <= box.width)
    {
      float x = box.x + box.width / 2, y = box.y + box.height / 2 + 3.6f;
      if (style.texture != TL_TEXTURE_NONE)
        tl_scene_rect (scene, tl_box (x - wide / 2 - 2, y - 9.5f, wide + 4, 12),
                       tl_fill (tl_theme_color (scene->theme, TL_ROLE_VIEW)));
      tl_scene_label (scene, x, y, TL_ANCHOR_MIDDLE, 10, stage == TL_PIPE_NOW, tl_color_ink_on (style.fill), "%s",
                      number);
    }
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
}

/* Tiles wave by wave, those swept now last and so on top; of too many none. */
static void
draw_all (const TlPipeMap *map)
{
  guint64    first = 0, last = 0;
  TlWaveSums sums;

  tl_wave_sums (&map->tiling, 1, &sums);
  if (!tl_wave_range (&map->tiling, &first, &last) || sums.tiles > MOST_TILES)
    return;
  for (int pass = 0; pass < 2; pass++)
    for (guint64 w = first; w <= last; w++)
      {
        guint32     i = 0, j = 0;
        gint32      di, dj;
        guint32     n = tl_wave_tiles (&map->tiling, w, &i, &j, &di, &dj);
        TlPipeStage stage = tl_pipe_map_stage (map, w);

        for (guint32 t = 0; t < n && (stage == TL_PIPE_NOW) == (pass == 1);
             t++, i = (guint32) ((gint32) i + di), j = (guint32) ((gint32) j + dj))
          draw_tile (map, i, j, (guint) tl_wave_owner_at (&map->owner, i, j), stage);
      }
}

/* --- The way --- */

/* The way's cells as a line: the CIGAR walked from its first cell. */
static void
draw_way (const TlPipeMap *map)
{
  const TlGridHit *hit = map->hit;
  float            right = map->tile_width / (float) map->tiling.tile,
        down = map->tile_height / (float) (map->tiling.reduced > 0 ? 1 : map->tiling.tile);
  g_autoptr (GArray) xy = g_array_new (FALSE, FALSE, sizeof (float));
  guint64 i = hit->start_i, j = hit->start_j - MIN (hit->start_j, map->job->column), number = 0;
  float   point[2] = { map->x + (float) j * right, map->y + (float) i * down };

  if (!tl_pipe_map_has_way (map))
    return;
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
      float x = map->x + (float) j * right, y = map->y + (float) i * down;
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
                    tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_VIEW), 4));
  tl_scene_polygon (map->scene, (const float *) (gpointer) xy->data, xy->len / 2, FALSE,
                    tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_INK), 1.8f));
  tl_mark_disc (map->scene, point[0], point[1], 7, tl_theme_color (map->scene->theme, TL_ROLE_VIEW),
                tl_theme_color (map->scene->theme, TL_ROLE_INK));
  tl_scene_end (map->scene);
}

static void
draw_chosen (const TlPipeMap *map, const char *id, gboolean selected)
{
  guint i, j;

  if (id == NULL || sscanf (id, "tile-%u-%u", &i, &j) != 2 || i >= tl_wave_tile_rows (&map->tiling)
      || j >= tl_wave_tile_columns (&map->tiling))
    return;
  if (selected)
    tl_mark_selected (map->scene, tile_box (map, i, j), map->scene->theme);
  else
    tl_mark_hovered (map->scene, tile_box (map, i, j), map->scene->theme);
}

/* --- Axes --- */

/* Letters of the rows down the side and of the columns along the top, at the edges of tiles. */
static void
draw_axes (const TlPipeMap *map, guint32 rows, guint32 columns)
{
  TlScene         *scene = map->scene;
  TlColor          ink = tl_theme_color (scene->theme, TL_ROLE_INK2);
  guint64          height = map->tiling.reduced > 0 ? 1 : map->tiling.tile, last = map->tiling.skew > 0 ? 0 : columns;
  guint32          down = MAX ((guint32) ceilf (14 / map->tile_height), 1), right = 1;
  g_autofree char *widest = tl_format_count (map->job->column + (guint64) columns * map->tiling.tile);

  right = MAX ((guint32) ceilf ((tl_scene_text_width (widest, 9.5f, FALSE, FALSE) + 8) / map->tile_width), 1);
  for (guint32 i = 0; i < rows; i += down)
    {
      g_autofree char *text = tl_format_count ((guint64) i * height + 1);
      tl_scene_label (scene, map->x - 6, map->y + (float) i * map->tile_height + 9, TL_ANCHOR_END, 9.5f, FALSE, ink,
                      "%s", text);
    }
  for (guint32 j = 0; j < last; j += right)
    {
      g_autofree char *text
          = tl_format_count (map->job->column + (guint64) j * map->tiling.tile + (map->tiling.reduced == 0));
      tl_scene_label (scene, map->x + (float) j * map->tile_width, map->y - 5, TL_ANCHOR_START, 9.5f, FALSE, ink, "%s",
                      text);
    }
}

void
tl_pipe_draw_tiles (TlPipeMap *map, TlBox box)
{
  guint32 rows = MAX (tl_wave_tile_rows (&map->tiling), 1), columns = MAX (tl_wave_tile_columns (&map->tiling), 1);
  float   width = box.width - LEFT - 6, height = box.height - TOP - 4;

  /* In a slot that is being folded nothing can be told apart. */
  if (width < 8 || height < 8)
    return;
  map->tile_width = MIN (width / (float) columns, LARGEST);
  map->tile_height = MIN (height / (float) rows, LARGEST);
  if (map->tiling.reduced == 0)
    map->tile_width = map->tile_height = MIN (map->tile_width, map->tile_height);
  map->x = box.x + LEFT;
  map->y = box.y + TOP;
  map->width = map->tile_width * (float) columns;
  map->height = map->tile_height * (float) rows;
  tl_scene_rect (map->scene, tl_box (map->x - 1, map->y - 1, map->width + 1, map->height + 1),
                 tl_fill_stroke (tl_theme_color (map->scene->theme, TL_ROLE_SLOT),
                                 tl_theme_color (map->scene->theme, TL_ROLE_LINE), 1));
  draw_axes (map, rows, columns);
  draw_all (map);
  draw_way (map);
  draw_chosen (map, map->view->hover, FALSE);
  draw_chosen (map, map->view->selection, TRUE);
}

void
tl_pipe_tiles_legend (const TlPipeMap *map, float x, float y, float right)
{
  static const char *const words[] = { "not yet", "swept now", "done", "way" };
  TlPipeMap                small = *map;
  guint                    pu = (guint) MAX (tl_wave_owner_at (&map->owner, 0, 0), 0);

  small.tile_width = small.tile_height = 11;
  for (guint w = 0; w < (tl_pipe_map_has_way (map) ? 4 : 3); w++)
    {
      float width = tl_scene_text_width (words[w], 10.5f, FALSE, FALSE) + 28;
      if (x + width - 12 > right)
        return;
      if (w < 3)
        tl_scene_rect (map->scene, tl_box (x, y - 9, 11, 11), tile_style (&small, pu, (TlPipeStage) w));
      else
        tl_scene_line (map->scene, x, y - 8, x + 11, y + 1,
                       tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_INK), 1.8f));
      tl_scene_label (map->scene, x + 15, y, TL_ANCHOR_START, 10.5f, FALSE,
                      tl_theme_color (map->scene->theme, TL_ROLE_INK2), "%s", words[w]);
      x += width;
    }
  if (x + 84 <= right)
    tl_scene_label (map->scene, x, y, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (map->scene->theme, TL_ROLE_INK2),
                    "number: PU");
}

void
tl_pipe_view_tiles (TlScene *scene, TlBox box, const TlView *view)
{
  TlPipeMap map;
  TlColor   ink = tl_theme_color (scene->theme, TL_ROLE_INK2);

  if (!tl_pipe_map_open (&map, scene, view))
    {
      tl_scene_label (scene, box.x + 12, box.y + 20, TL_ANCHOR_START, 12, FALSE, ink,
                      "No read has a candidate: nothing is aligned.");
      return;
    }
  g_autofree char *title = tl_pipe_map_title (&map);
  float            legend = box.height >= 140 ? 20 : 0;
  tl_scene_label (scene, box.x + 12, box.y + 12, TL_ANCHOR_START, 11, FALSE, ink, "%s", title);
  tl_pipe_draw_tiles (&map, tl_box (box.x, box.y + 18, box.width, box.height - 18 - legend));
  if (legend > 0 && map.height > 0)
    tl_pipe_tiles_legend (&map, box.x + 12, MIN (map.y + map.height + 17, box.y + box.height - 6), box.x + box.width);
  tl_pipe_map_close (&map);
}
