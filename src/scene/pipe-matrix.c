/* The matrix of one problem with room: cell by cell with letters and values where it is
 * small, as the lanes of a PU go over it; the alignment as text under it. */
#include "scene/marks.h"
#include "scene/pipe-private.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_CELL 7
#define SIDE       34 /* letters and numbers of the rows */
#define TOP        32

typedef enum
{
  OFF_WAY,
  ALIKE,
  UNLIKE,
  GAP,
} Way;

typedef struct
{
  TlPipeMap *map;
  guint32    rows, columns; /* of cells, borders with them */
  guint32    first;         /* 0 where row and column 0 are borders, else 1 */
  gboolean   trellis;
  guint8    *way;  /* rows * columns of Way */
  guint64   *tile; /* when each tile is begun, G_MAXUINT64: never */
  float      width, height;
  gboolean   values; /* they fit */
} Cells;

/* The tile that cell (i, j) lies in and its place in it; FALSE for a border or outside of the band. */
static gboolean
tile_of (const Cells *cells, guint32 i, guint32 j, guint32 *ti, guint32 *tj, guint32 *row, guint32 *column)
{
  const TlWaveTiling *tiling = &cells->map->tiling;

  if (cells->trellis)
    {
      if (i == 0)
        return FALSE;
      *ti = i - 1;
      *tj = j / tiling->tile;
      *row = 0;
      *column = j % tiling->tile;
      return TRUE;
    }
  if (i == 0 || j == 0 || (gint64) j - i < tiling->low || (gint64) j - i > tiling->high)
    return FALSE;
  guint32 x = j + tiling->skew * i - 1;
  *ti = (i - 1) / tiling->tile;
  *tj = x / tiling->tile;
  *row = (i - 1) % tiling->tile;
  *column = x % tiling->tile;
  return TRUE;
}

static TlPipeStage
stage_of (const Cells *cells, guint32 i, guint32 j, guint64 *cycle)
{
  const TlPipeMap *map = cells->map;
  const TlPipeRun *run = map->view->pipe->grid->sim;
  guint64          time = map->view->pipe->time, clock = MAX (run->program->machine.clock, 1), begin;
  guint32          ti, tj, row, column;

  *cycle = 0;
  if (!tile_of (cells, i, j, &ti, &tj, &row, &column))
    return TL_PIPE_DONE;
  begin = cells->tile[(gsize) ti * tl_wave_tile_columns (&map->tiling) + tj];
  if (begin == G_MAXUINT64)
    return TL_PIPE_NOT_YET;
  guint64 at = tl_pipe_cell_cycle (&map->tiling, tj, row, column);
  *cycle = begin / clock + at;
  if (time < begin || (time - begin) / clock < at)
    return TL_PIPE_NOT_YET;
  guint64 takes = cells->trellis ? MAX (map->tiling.reduced, 1) : 1;
  return (time - begin) / clock < at + takes && time < map->job->done ? TL_PIPE_NOW : TL_PIPE_DONE;
}

static const char *
value_of (const Cells *cells, guint32 i, guint32 j)
{
  const TlGridRun *grid = cells->map->view->pipe->grid;
  guint64          at = (guint64) i * cells->columns + j;

  return grid->values != NULL && at < grid->n_values ? grid->values[at] : NULL;
}

/* --- The way --- */

static void
mark_way (Cells *cells)
{
  const TlPipeMap *map = cells->map;
  const TlGridRun *grid = map->view->pipe->grid;
  guint64          i = map->hit->start_i, j = map->hit->start_j, number = 0;

  for (guint32 t = 0; cells->trellis && grid->path != NULL && t < grid->path->len && t < cells->rows; t++)
    {
      guint32 state = g_array_index (grid->path, guint32, t);
      if (state < cells->columns)
        cells->way[(gsize) t * cells->columns + state] = ALIKE;
    }
  if (cells->trellis || !tl_pipe_map_has_way (map))
    return;
  for (const char *c = map->hit->cigar; *c != '\0'; c++)
    {
      if (g_ascii_isdigit (*c))
        {
          number = number * 10 + (guint64) (*c - '0');
          continue;
        }
      for (; number > 0; number--)
        {
          i += *c != 'D';
          j += *c != 'I';
          if (i >= cells->rows || j >= cells->columns)
            return;
          char a = i > 0 ? tl_pipe_map_letter (map, 0, i - 1) : '\0',
               b = j > 0 ? tl_pipe_map_letter (map, 1, j - 1) : '\0';
          cells->way[i * cells->columns + j] = *c != 'M' ? GAP : a == b ? ALIKE : UNLIKE;
        }
    }
}

/* --- Drawing --- */

static TlStyle
cell_style (const Cells *cells, TlPipeStage stage, Way way)
{
  static const TlRole roles[] = { TL_ROLE_VIEW, TL_ROLE_HIT, TL_ROLE_CONFLICT, TL_ROLE_MISS };
  TlThemeKind         theme = cells->map->scene->theme;
  TlColor             view = tl_theme_color (theme, TL_ROLE_VIEW), ink = tl_theme_color (theme, TL_ROLE_INK);
  TlStyle             style = tl_fill_stroke (stage == TL_PIPE_NOT_YET ? tl_theme_color (theme, TL_ROLE_SLOT) : view,
                                  tl_theme_color (theme, TL_ROLE_LINE), 0.5f);

  if (theme == TL_THEME_PRINT)
    {
      if (stage == TL_PIPE_NOW)
        {
          style.texture = way == OFF_WAY ? TL_TEXTURE_SOLID : TL_TEXTURE_DIAGONAL;
          style.texture_color = ink;
        }
      style.stroke = ink;
      style.width = way != OFF_WAY ? 1.6f : stage == TL_PIPE_NOT_YET ? 0.2f : 0.4f;
      return style;
    }
  if (stage == TL_PIPE_NOW)
    {
      style.fill = tl_color_over (tl_theme_color (theme, TL_ROLE_COMPUTE), view, 0.75);
      style.stroke = tl_theme_color (theme, TL_ROLE_OUTLINE);
      style.width = 1;
    }
  if (way != OFF_WAY)
    {
      if (stage != TL_PIPE_NOW)
        style.fill = tl_color_over (tl_theme_color (theme, roles[way]), view, stage == TL_PIPE_DONE ? 0.34 : 0.14);
      style.stroke = tl_theme_color (theme, TL_ROLE_OUTLINE);
      style.width = 1.2f;
    }
  return style;
}

/* A disc where the two letters are alike, a cross where not, a diamond for a gap. */
static void
way_mark (TlScene *scene, Way way, float x, float y, float size)
{
  TlThemeKind theme = scene->theme;
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), view = tl_theme_color (theme, TL_ROLE_VIEW);

  if (way == ALIKE)
    tl_scene_ellipse (scene, x, y, size / 2, size / 2, tl_fill (tl_theme_color (theme, TL_ROLE_HIT)));
  else if (way == UNLIKE)
    tl_mark_cross (scene, x, y, size, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
  else if (way == GAP)
    tl_mark_diamond (scene, x, y, size + 1, view, tl_theme_color (theme, TL_ROLE_MISS_INK));
}

static void
draw_cell (const Cells *cells, guint32 i, guint32 j)
{
  TlPipeMap  *map = cells->map;
  TlScene    *scene = map->scene;
  guint64     cycle;
  TlPipeStage stage = stage_of (cells, i, j, &cycle);
  Way         way = cells->way[(gsize) i * cells->columns + j];
  const char *value = value_of (cells, i, j);
  guint32     ti, tj, row, column;
  gboolean    inside = tile_of (cells, i, j, &ti, &tj, &row, &column);
  TlBox       box = tl_box (map->x + (float) j * cells->width, map->y + (float) i * cells->height, cells->width - 1,
                            cells->height - 1);
  TlStyle     style = cell_style (cells, stage, way);
  g_autofree char *when = tl_format_count (cycle);
  g_autofree char *title = !inside
                               ? g_strdup_printf ("cell (%u,%u), a border: %s", i, j, value != NULL ? value : "none")
                               : g_strdup_printf ("cell (%u,%u): %s, computed in cycle %s", i, j,
                                                  value != NULL ? value : "no value", when);

  /* What no band holds is paper. */
  if (!inside && value == NULL && i > 0 && j > 0)
    return;
  tl_scene_begin (scene, "cell", title, (guint64) i << 32 | j, "cell-%u-%u", i, j);
  tl_scene_rect (scene, box, style);
  if (cells->values && value != NULL && stage != TL_PIPE_NOT_YET)
    tl_scene_label (scene, box.x + box.width / 2, box.y + box.height / 2 + 3.6f, TL_ANCHOR_MIDDLE, 10, way != OFF_WAY,
                    !inside && way == OFF_WAY ? tl_theme_color (scene->theme, TL_ROLE_INK3)
                                              : tl_color_ink_on (style.fill),
                    "%s", value);
  if (way != OFF_WAY && cells->values && cells->height >= 16)
    way_mark (scene, way, box.x + box.width - 4, box.y + 4, 5);
  else if (way != OFF_WAY && !cells->values)
    way_mark (scene, way, box.x + box.width / 2, box.y + box.height / 2, MIN (cells->width, cells->height) * 0.5f);
  tl_scene_hit (scene, tl_box (box.x, box.y, cells->width, cells->height));
  tl_scene_end (scene);
}

static void
draw_letters (const Cells *cells)
{
  const TlPipeMap *map = cells->map;
  TlScene         *scene = map->scene;
  TlColor          ink = tl_theme_color (scene->theme, TL_ROLE_INK), pale = tl_theme_color (scene->theme, TL_ROLE_INK2);

  for (guint side = 0; side < 2; side++)
    {
      guint32 n = side == 0 ? cells->rows : cells->columns;
      float   pitch = side == 0 ? cells->height : cells->width;
      guint32 every = pitch >= 22 ? 1 : 5;

      for (guint32 k = 0; k < n; k++)
        {
          char  letter = cells->trellis || k == 0 ? '\0' : tl_pipe_map_letter (map, side, k - 1);
          float at = (side == 0 ? map->y : map->x) + ((float) k + 0.5f) * pitch;
          float x = side == 0 ? map->x - 9 : at, y = side == 0 ? at + 3.5f : map->y - 5;
          char  text[2] = { letter, '\0' };

          if (letter != '\0')
            tl_scene_text (scene, &(TlText) { .x = x,
                                              .y = y,
                                              .size = CLAMP (pitch + 0.5f, 9, 11.5f),
                                              .anchor = TL_ANCHOR_MIDDLE,
                                              .bold = TRUE,
                                              .mono = TRUE,
                                              .color = ink,
                                              .text = text });
          if (k % every == 0 || (letter == '\0' && pitch >= 14))
            tl_scene_label (scene, side == 0 ? map->x - (letter != '\0' ? 16 : 6) : at,
                            side == 0 ? at + 3.2f : map->y - (letter != '\0' || !cells->trellis ? 17 : 6),
                            side == 0 ? TL_ANCHOR_END : TL_ANCHOR_MIDDLE, 9, FALSE, pale, "%u", k);
        }
    }
}

/* Whether all values fit into cells of that width. */
static gboolean
values_fit (const Cells *cells)
{
  const TlGridRun *grid = cells->map->view->pipe->grid;

  for (guint64 v = 0; v < grid->n_values && grid->values != NULL; v++)
    if (grid->values[v] != NULL && tl_scene_text_width (grid->values[v], 10, TRUE, FALSE) + 3 > cells->width)
      return FALSE;
  return grid->values != NULL && cells->height >= 13;
}

static void
find_tiles (Cells *cells)
{
  const TlPipeMap *map = cells->map;
  guint32          rows = tl_wave_tile_rows (&map->tiling), columns = tl_wave_tile_columns (&map->tiling);

  cells->tile = g_new (guint64, (gsize) rows * columns + 1);
  for (guint32 i = 0; i < rows; i++)
    for (guint32 j = 0; j < columns; j++)
      {
        guint64 *begin = &cells->tile[(gsize) i * columns + j], end;
        if (!tl_pipe_tile_time (map->view->pipe->grid->sim, map->view->pipe->index, map->number, i, j, begin, &end))
          *begin = G_MAXUINT64;
      }
}

gboolean
tl_pipe_draw_cells (TlPipeMap *map, TlBox box)
{
  Cells cells = { .map = map, .trellis = map->tiling.reduced > 0 };
  guint i, j;

  cells.rows = map->job->rows + 1;
  cells.columns = map->job->columns + (cells.trellis ? 0 : 1);
  cells.height = MIN ((box.height - TOP - 4) / (float) cells.rows, 36);
  cells.width
      = MIN ((box.width - SIDE - 8) / (float) cells.columns, MIN (cells.height * 2.2f, cells.trellis ? 76 : 46));
  cells.height = MIN (cells.height, cells.width * 1.2f);
  if (cells.width < LEAST_CELL || cells.height < LEAST_CELL)
    return FALSE;
  cells.width = floorf (cells.width);
  cells.height = floorf (cells.height);
  map->x = floorf (box.x + SIDE);
  map->y = box.y + TOP;
  map->width = cells.width * (float) cells.columns;
  map->height = cells.height * (float) cells.rows;
  cells.values = values_fit (&cells);
  cells.way = g_new0 (guint8, (gsize) cells.rows * cells.columns);
  find_tiles (&cells);
  mark_way (&cells);
  draw_letters (&cells);
  for (guint32 r = 0; r < cells.rows; r++)
    for (guint32 c = 0; c < cells.columns; c++)
      draw_cell (&cells, r, c);
  for (int selected = 0; selected < 2; selected++)
    {
      const char *id = selected ? map->view->selection : map->view->hover;
      if (id == NULL || sscanf (id, "cell-%u-%u", &i, &j) != 2 || i >= cells.rows || j >= cells.columns)
        continue;
      TlBox chosen = tl_box (map->x + (float) j * cells.width, map->y + (float) i * cells.height, cells.width - 1,
                             cells.height - 1);
      if (selected)
        tl_mark_selected (map->scene, chosen, map->scene->theme);
      else
        tl_mark_hovered (map->scene, chosen, map->scene->theme);
    }
  g_free (cells.way);
  g_free (cells.tile);
  return TRUE;
}

/* --- As text --- */

typedef struct
{
  GString *rows, *bars, *columns;
  guint64  at_row; /* letters of the alignment up to which @row rows are used up */
} Text;

static void
build_text (const TlPipeMap *map, guint64 row, Text *text)
{
  guint64 i = map->hit->start_i, j = map->hit->start_j - map->job->column, number = 0;

  for (const char *c = map->hit->cigar; *c != '\0'; c++)
    {
      if (g_ascii_isdigit (*c))
        {
          number = number * 10 + (guint64) (*c - '0');
          continue;
        }
      for (; number > 0; number--)
        {
          char a = *c == 'D' ? '-' : tl_pipe_map_letter (map, 0, i),
               b = *c == 'I' ? '-' : tl_pipe_map_letter (map, 1, j);
          i += *c != 'D';
          j += *c != 'I';
          if (a == '\0' || b == '\0')
            return;
          g_string_append_c (text->rows, a);
          g_string_append_c (text->columns, b);
          g_string_append_c (text->bars, *c != 'M' ? ' ' : a == b ? '|' : '.');
          if (i <= row)
            text->at_row = text->rows->len;
        }
    }
}

/* The row that the wave has come to. */
static guint64
row_now (const TlPipeMap *map)
{
  guint64 first = 0, last = 0;

  if (!map->moment.sweeping || map->moment.job != map->number || !tl_wave_range (&map->tiling, &first, &last))
    return 0;
  return map->job->rows * (map->moment.wave - first) / MAX (last - first + 1, 1);
}

static guint64
letters_in (const char *text, gsize n)
{
  guint64 count = 0;

  for (gsize c = 0; c < n; c++)
    count += text[c] != '-';
  return count;
}

/* Tints behind what is not alike, so that the eye finds it. */
static void
tint_text (TlScene *scene, const char *bars, gsize n, float x, float y, float pitch)
{
  TlThemeKind theme = scene->theme;

  for (gsize c = 0; c < n && theme != TL_THEME_PRINT; c++)
    if (bars[c] != '|')
      tl_scene_rect (
          scene, tl_box (x + (float) c * pitch, y, pitch, 40),
          tl_fill (tl_color_alpha (tl_theme_color (theme, bars[c] == '.' ? TL_ROLE_CONFLICT : TL_ROLE_MISS), 0.25)));
}

/* One block of @n letters from @from on: three lines and the numbers of their ends. */
static void
draw_block (const TlPipeMap *map, const Text *text, gsize from, gsize n, float x, float y, float pitch)
{
  TlScene       *scene = map->scene;
  TlColor        ink = tl_theme_color (scene->theme, TL_ROLE_INK), pale = tl_theme_color (scene->theme, TL_ROLE_INK2);
  const GString *lines[] = { text->rows, text->bars, text->columns };

  tint_text (scene, text->bars->str + from, n, x, y, pitch);
  for (guint l = 0; l < 3; l++)
    {
      const char *part = lines[l]->str + from;
      float       base = y + 10 + 12 * (float) l;
      guint64     before = letters_in (lines[l]->str, from) + (l == 2 ? map->hit->start_j : map->hit->start_i);

      /* Letter by letter: no font is exactly as wide as the estimate. */
      for (gsize c = 0; c < n; c++)
        {
          char letter[2] = { part[c], '\0' };
          if (part[c] != ' ')
            tl_scene_text (scene, &(TlText) { .x = x + ((float) c + 0.5f) * pitch,
                                              .y = base,
                                              .size = 11.5f,
                                              .anchor = TL_ANCHOR_MIDDLE,
                                              .mono = TRUE,
                                              .color = l == 1 ? pale : ink,
                                              .text = letter });
        }
      g_autofree char *first = tl_format_count (before + 1);
      if (l != 1)
        tl_scene_label (scene, x - 6, base, TL_ANCHOR_END, 9.5f, FALSE, pale, "%s", first);
    }
}

static void
draw_states (const TlPipeMap *map, TlBox box)
{
  const GArray *path = map->view->pipe->grid->path;
  TlScene      *scene = map->scene;
  float         x = box.x, y = box.y + 32;

  if (path == NULL)
    return;
  tl_scene_label (scene, box.x, box.y + 12, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "Way");
  tl_scene_label (scene, box.x + 36, box.y + 12, TL_ANCHOR_START, 10.5f, FALSE,
                  tl_theme_color (scene->theme, TL_ROLE_INK2), "the state of each step");
  for (guint t = 0; t < path->len && y < box.y + box.height; t++)
    {
      g_autofree char *state = g_strdup_printf ("%u", g_array_index (path, guint32, t));
      float            wide = tl_scene_text_width (state, 12, FALSE, TRUE) + 8;
      if (x + wide > box.x + box.width)
        {
          x = box.x;
          y += 18;
        }
      tl_scene_text (scene, &(TlText) { .x = x,
                                        .y = y,
                                        .size = 12,
                                        .mono = TRUE,
                                        .color = tl_theme_color (scene->theme, TL_ROLE_INK),
                                        .text = state });
      x += wide;
    }
}

void
tl_pipe_draw_text (const TlPipeMap *map, TlBox box)
{
  const float pitch = tl_scene_text_width ("A", 11.5f, FALSE, TRUE), number = 48, block = 46;
  TlScene    *scene = map->scene;
  gsize       room = (gsize) MAX ((box.width - number) / pitch, 8);
  guint       blocks = (guint) MAX ((box.height - 34) / block, 1);
  Text        text = { g_string_new (NULL), g_string_new (NULL), g_string_new (NULL), 0 };

  if (map->tiling.reduced > 0)
    draw_states (map, box);
  else if (tl_pipe_map_has_way (map))
    build_text (map, row_now (map), &text);
  if (text.rows->len > 0)
    {
      gsize            from = text.at_row / room * room;
      g_autofree char *alike = tl_format_count (map->hit->matches), *all = tl_format_count (map->hit->length);

      if (text.rows->len <= room * blocks)
        from = 0;
      tl_scene_begin (scene, "alignment", "both sequences over each other", 0, "alignment");
      tl_scene_label (scene, box.x, box.y + 12, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                      "Alignment");
      tl_scene_label (scene, box.x + 70, box.y + 12, TL_ANCHOR_START, 10.5f, FALSE,
                      tl_theme_color (scene->theme, TL_ROLE_INK2), "%s of %s letters alike", alike, all);
      tl_scene_label (scene, box.x, box.y + 27, TL_ANCHOR_START, 10.5f, FALSE,
                      tl_theme_color (scene->theme, TL_ROLE_INK2), "%.22s above %.22s", map->hit->query,
                      map->hit->target);
      for (guint b = 0; b < blocks && from + b * room < text.rows->len; b++)
        draw_block (map, &text, from + b * room, MIN (text.rows->len - from - b * room, room), box.x + number,
                    box.y + 34 + block * (float) b, pitch);
      tl_scene_hit (scene, box);
      tl_scene_end (scene);
    }
  for (guint l = 0; l < 3; l++)
    g_string_free (l == 0 ? text.rows : l == 1 ? text.bars : text.columns, TRUE);
}

/* --- All of it --- */

/* What the marks mean, on one line. */
static void
draw_legend (const TlPipeMap *map, float x, float y, float right)
{
  static const char *const words[] = { "letters alike", "unlike", "gap", "computed now" };
  gboolean                 trellis = map->tiling.reduced > 0;
  Cells                    cells = { .map = (TlPipeMap *) map };

  for (guint w = tl_pipe_map_has_way (map) || trellis ? 0 : 3; w < G_N_ELEMENTS (words); w++)
    {
      const char *word = trellis && w == 0 ? "way" : words[w];
      float       width = tl_scene_text_width (word, 10.5f, FALSE, FALSE) + 32;

      if (trellis && (w == 1 || w == 2))
        continue;
      if (x + width - 14 > right)
        return;
      tl_scene_rect (map->scene, tl_box (x, y - 9.5f, 13, 12),
                     cell_style (&cells, w < 3 ? TL_PIPE_DONE : TL_PIPE_NOW, w < 3 ? (Way) (w + 1) : OFF_WAY));
      if (w < 3)
        way_mark (map->scene, (Way) (w + 1), x + 6.5f, y - 3.5f, 6);
      tl_scene_label (map->scene, x + 18, y, TL_ANCHOR_START, 10.5f, FALSE,
                      tl_theme_color (map->scene->theme, TL_ROLE_INK2), "%s", word);
      x += width;
    }
}

void
tl_pipe_view_matrix (TlScene *scene, TlBox box, const TlView *view)
{
  TlPipeMap map;
  TlColor   ink = tl_theme_color (scene->theme, TL_ROLE_INK), pale = tl_theme_color (scene->theme, TL_ROLE_INK2);

  if (!tl_pipe_map_open (&map, scene, view))
    {
      tl_scene_label (scene, box.x + 12, box.y + 20, TL_ANCHOR_START, 12, FALSE, pale,
                      "No read has a candidate: nothing is aligned.");
      return;
    }
  gboolean         streams = view->pipe->grid->sim->program->streams;
  float            side = CLAMP (box.width * 0.4f, 180, 440), y = box.y;
  TlBox            room = tl_box (box.x + 8, box.y + 20, box.width - side - 34, box.height - 42);
  float            x = room.x + room.width + 24;
  g_autofree char *title = tl_pipe_map_title (&map);

  tl_scene_label (scene, box.x + 12, box.y + 13, TL_ANCHOR_START, 12, FALSE, ink, "%s", title);
  if (map.hit->found)
    tl_scene_label (scene, room.x + room.width, box.y + 13, TL_ANCHOR_END, 12, TRUE, ink, "score %s", map.hit->score);
  if (tl_pipe_draw_cells (&map, room))
    draw_legend (&map, room.x + 4, MIN (map.y + map.height + 17, box.y + box.height - 4), room.x + room.width + 20);
  else
    {
      tl_pipe_draw_tiles (&map, room);
      if (map.height > 0)
        tl_pipe_tiles_legend (&map, room.x + 4, MIN (map.y + map.height + 17, box.y + box.height - 4),
                              room.x + room.width + 20);
    }
  if (!streams)
    y += tl_pipe_draw_compute (scene, tl_box (x, box.y, box.width - side - 34 > 0 ? side : 0, box.height * 0.56f), view,
                               &map.moment);
  tl_pipe_draw_text (&map, tl_box (x, y, side, box.y + box.height - y));
  tl_pipe_map_close (&map);
}
