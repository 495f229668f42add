/* The tile map: owners by number, tint and texture; the pivot's row and column; what
 * every PU is working on. From 14 px a tile numbers, from 22 px textures and phase
 * letters, under 9 px one coloured cell a tile. */
#include "scene/marks.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_FROM  14
#define TEXTURE_FROM 22
#define CELLS_UNDER  9

typedef struct
{
  TlScene      *scene;
  const TlView *view;
  float         x, y;  /* of tile (0,0) */
  float         pitch; /* px a tile */
  guint32       tiles;
  guint32       k; /* the pivot, G_MAXUINT32 without a moment */
} Map;

static TlColor
owner_tint (const Map *map, guint pu, double share)
{
  TlThemeKind theme = map->scene->theme;

  if (theme == TL_THEME_PRINT)
    return tl_theme_color (theme, TL_ROLE_VIEW);
  return tl_color_over (tl_theme_owner (theme, pu), tl_theme_color (theme, TL_ROLE_VIEW), share);
}

static double
tint_share (const Map *map, guint32 i, guint32 j)
{
  gboolean on_cross = i == map->k || j == map->k;

  return on_cross ? 0.46 : map->scene->theme == TL_THEME_DARK ? 0.34 : 0.30;
}

/* Large maps: owners mod 8 in two strengths (on and off the pivot's cross). */
static void
draw_cells (const Map *map)
{
  TlColor             colors[16];
  g_autofree guint8  *cells = g_new (guint8, (gsize) map->tiles * map->tiles);
  const TlPimProgram *program = map->view->program;

  for (guint hue = 0; hue < 8; hue++)
    {
      if (map->scene->theme == TL_THEME_PRINT)
        {
          guint8 grey = 235 - hue * 14;
          colors[hue] = (guint32) grey << 24 | grey << 16 | grey << 8 | 0xff;
          colors[8 + hue] = tl_color_over (0x000000ff, colors[hue], 0.35);
          continue;
        }
      colors[hue] = owner_tint (map, hue, 0.34);
      colors[8 + hue] = owner_tint (map, hue, 0.85);
    }
  for (guint32 i = 0; i < map->tiles; i++)
    for (guint32 j = 0; j < map->tiles; j++)
      cells[(gsize) i * map->tiles + j]
          = program->owner[(gsize) i * map->tiles + j] % 8 + (i == map->k || j == map->k ? 8 : 0);
  tl_scene_begin (map->scene, "tiles", "owners of all tiles", 0, "tile-map");
  tl_scene_grid (map->scene, tl_box (map->x, map->y, map->pitch * map->tiles, map->pitch * map->tiles), map->tiles,
                 map->tiles, cells, colors, 16);
  tl_scene_hit (map->scene, tl_box (map->x, map->y, map->pitch * map->tiles, map->pitch * map->tiles));
  tl_scene_end (map->scene);
}

static void
draw_tile (const Map *map, guint32 i, guint32 j)
{
  TlScene         *scene = map->scene;
  TlThemeKind      theme = scene->theme;
  guint            pu = map->view->program->owner[(gsize) i * map->tiles + j];
  gboolean         pivot = i == map->k && j == map->k, cross = (i == map->k) != (j == map->k);
  TlBox            box = tl_box (map->x + j * map->pitch, map->y + i * map->pitch, map->pitch - 1, map->pitch - 1);
  g_autofree char *title = g_strdup_printf ("tile [%u,%u]: PU %u%s", i, j, pu,
                                            pivot   ? ", the pivot"
                                            : cross ? i == map->k ? ", in the pivot's row" : ", in the pivot's column"
                                                    : "");
  TlStyle style = tl_fill (pivot && theme != TL_THEME_PRINT ? tl_color_over (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                                                             tl_theme_color (theme, TL_ROLE_VIEW), 0.7)
                                                            : owner_tint (map, pu, tint_share (map, i, j)));

  if (map->pitch >= TEXTURE_FROM || theme == TL_THEME_PRINT)
    {
      style.texture = tl_theme_owner_texture (pu);
      style.texture_color = tl_color_over (tl_theme_color (theme, TL_ROLE_INK), style.fill, 0.22);
    }
  tl_scene_begin (scene, "tile", title, (guint64) i << 32 | j, "tile-%u-%u", i, j);
  tl_scene_rect (scene, box, style);
  if (map->pitch >= NUMBER_FROM)
    {
      TlColor ink = tl_theme_color (theme, cross || pivot ? TL_ROLE_INK : TL_ROLE_INK2);
      float   size = map->pitch >= TEXTURE_FROM ? 10 : 9;
      if (pivot)
        tl_scene_label (scene, box.x + box.width / 2, box.y + box.height / 2 + size * 0.36f, TL_ANCHOR_MIDDLE, size,
                        TRUE, ink, "K");
      else
        tl_scene_label (scene, box.x + box.width / 2, box.y + box.height / 2 + size * 0.36f, TL_ANCHOR_MIDDLE, size,
                        cross, ink, "%u", pu);
    }
  tl_scene_hit (scene, tl_box (box.x, box.y, map->pitch, map->pitch));
  tl_scene_end (scene);
}

/* The pivot's row and column, and a ring round every tile being worked on. */
static void
draw_work (const Map *map)
{
  TlScene       *scene = map->scene;
  const TlFrame *frame = map->view->frame;
  TlStyle outline = tl_stroke (tl_theme_color (scene->theme, TL_ROLE_OUTLINE), map->pitch >= CELLS_UNDER ? 2 : 1);
  float   side = map->pitch * map->tiles;

  if (frame == NULL || map->k >= map->tiles)
    return;
  tl_scene_rect (scene, tl_box (map->x - 1, map->y + map->k * map->pitch - 1, side + 1, map->pitch + 1), outline);
  tl_scene_rect (scene, tl_box (map->x + map->k * map->pitch - 1, map->y - 1, map->pitch + 1, side + 1), outline);
  g_autoptr (GArray) rings = g_array_new (FALSE, FALSE, sizeof (TlBox));
  for (guint p = 0; p < frame->moment->n_pus; p++)
    {
      const TlPuMoment *pu = &frame->moment->pu[p];
      if (pu->activity == TL_PU_IDLE || pu->k == G_MAXUINT32)
        continue;
      float inset = map->pitch >= CELLS_UNDER ? 1.5f : 0;
      TlBox box = tl_box (map->x + pu->j * map->pitch + inset, map->y + pu->i * map->pitch + inset,
                          MAX (map->pitch - 1 - 2 * inset, 1), MAX (map->pitch - 1 - 2 * inset, 1));
      g_array_append_val (rings, box);
    }
  TlColor compute = tl_theme_color (scene->theme, TL_ROLE_COMPUTE);
  if (map->pitch >= CELLS_UNDER)
    tl_scene_rects (scene, (const TlBox *) rings->data, rings->len, tl_stroke (compute, 2));
  else
    tl_scene_rects (scene, (const TlBox *) rings->data, rings->len, tl_fill (compute));
}

static void
draw_axes (const Map *map)
{
  TlScene *scene = map->scene;
  guint    every = 1;

  while (every * map->pitch < 16 || (every > 1 && every % 2 != 0))
    every = every < 2 ? 2 : every * 2;
  for (guint32 t = 0; t < map->tiles; t += every)
    {
      gboolean pivot = t == map->k;
      TlColor  ink = tl_theme_color (scene->theme, pivot ? TL_ROLE_INK : TL_ROLE_INK2);
      tl_scene_label (scene, map->x + (t + 0.5f) * map->pitch, map->y - 4, TL_ANCHOR_MIDDLE, 9, pivot, ink, "%u", t);
      tl_scene_label (scene, map->x - 5, map->y + (t + 0.5f) * map->pitch + 3.2f, TL_ANCHOR_END, 9, pivot, ink, "%u",
                      t);
    }
}

static void
mark (const Map *map, TlBox box, gboolean selected)
{
  if (selected)
    tl_mark_selected (map->scene, box, map->scene->theme);
  else
    tl_mark_hovered (map->scene, box, map->scene->theme);
}

/* Many tiles at once: a ring round each. */
static void
mark_tiles (const Map *map, gboolean (*chosen) (const Map *, guint, guint, guint), guint which, gboolean selected)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));

  for (guint i = 0; i < map->tiles; i++)
    for (guint j = 0; j < map->tiles; j++)
      if (chosen (map, i, j, which))
        {
          TlBox box = tl_box (map->x + j * map->pitch, map->y + i * map->pitch, MAX (map->pitch - 1, 1),
                              MAX (map->pitch - 1, 1));
          g_array_append_val (boxes, box);
        }
  tl_scene_rects (map->scene, (const TlBox *) boxes->data, boxes->len,
                  tl_stroke (tl_theme_color (map->scene->theme, TL_ROLE_OUTLINE), selected ? 2 : 1));
}

static gboolean
is_of_pu (const Map *map, guint i, guint j, guint pu)
{
  return map->view->program->owner[(gsize) i * map->tiles + j] == pu;
}

static gboolean
is_worked_on (const Map *map, guint i, guint j, guint unused)
{
  const TlSimMoment *moment = map->view->frame != NULL ? map->view->frame->moment : NULL;

  for (guint p = 0; moment != NULL && p < moment->n_pus; p++)
    if (moment->pu[p].activity != TL_PU_IDLE && moment->pu[p].k != G_MAXUINT32 && moment->pu[p].i == i
        && moment->pu[p].j == j)
      return TRUE;
  return FALSE;
}

/* What ids of many tiles mean: "tiles" all, "tiles-row-3", "tiles-column-3", and the
 * operands of the update at this moment: "operand-left" D[i,k] is column k,
 * "operand-right" D[k,j] row k, "operand-C" D[i,j] what is worked on. */
static gboolean
mark_many (const Map *map, const char *id, gboolean selected)
{
  float side = map->pitch * map->tiles;
  guint row = G_MAXUINT32, column = G_MAXUINT32;

  if (strcmp (id, "tiles") == 0)
    mark (map, tl_box (map->x, map->y, side - 1, side - 1), selected);
  else if (strcmp (id, "operand-C") == 0)
    mark_tiles (map, is_worked_on, 0, TRUE);
  else if (strcmp (id, "operand-left") == 0)
    column = map->k;
  else if (strcmp (id, "operand-right") == 0)
    row = map->k;
  else if (sscanf (id, "tiles-row-%u", &row) != 1 && sscanf (id, "tiles-column-%u", &column) != 1)
    return FALSE;
  if (row < map->tiles)
    mark (map, tl_box (map->x, map->y + row * map->pitch, side - 1, map->pitch - 1), selected);
  if (column < map->tiles)
    mark (map, tl_box (map->x + column * map->pitch, map->y, map->pitch - 1, side - 1), selected);
  return TRUE;
}

/* The tile an id names ("tile-3-5"), the PU whose tiles are meant ("pu-7"), or many. */
static void
draw_chosen (const Map *map, const char *id, gboolean selected)
{
  guint i, j, pu;

  if (id == NULL || mark_many (map, id, selected))
    return;
  if (sscanf (id, "tile-%u-%u", &i, &j) == 2 && i < map->tiles && j < map->tiles)
    mark (map, tl_box (map->x + j * map->pitch, map->y + i * map->pitch, map->pitch - 1, map->pitch - 1), selected);
  else if (sscanf (id, "pu-%u", &pu) == 1)
    mark_tiles (map, is_of_pu, pu, selected);
}

void
tl_view_tiles (TlScene *scene, TlBox box, const TlView *view)
{
  const float left = 24, top = 14;
  Map         map = { .scene = scene, .view = view, .tiles = view->program->tiles };
  float       room = MIN (box.width - left - 4, box.height - top - 4);

  map.pitch = room / map.tiles;
  if (map.pitch >= CELLS_UNDER)
    map.pitch = floorf (MIN (map.pitch, 40));
  map.x = box.x + left;
  map.y = box.y + top;
  map.k = view->frame != NULL ? view->frame->k : G_MAXUINT32;

  draw_axes (&map);
  if (map.pitch < CELLS_UNDER)
    draw_cells (&map);
  else
    for (guint32 i = 0; i < map.tiles; i++)
      for (guint32 j = 0; j < map.tiles; j++)
        draw_tile (&map, i, j);
  draw_work (&map);
  draw_chosen (&map, view->hover, FALSE);
  draw_chosen (&map, view->selection, TRUE);
}
