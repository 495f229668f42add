/* The two grids of the register lens: the tile with the thread and local of each element, brackets for the modes along
 * its axes, and the registers, a row a thread, with the element of each local. From 26 x 13 px a cell numbers,
 * below that one coloured cell each. */
#include "scene/marks.h"
#include "scene/view-register-private.h"

#include <math.h>
#include <string.h>

enum
{
  MOST_LABELLED = 1200, /* cells with numbers and groups of their own */
  MOST_SHADED = 16384,  /* cells that tell odd locals from even ones */
  MOST_BRACKETS = 64,   /* of one mode along an axis */
  MOST_LEVELS = 3,      /* modes with brackets, outer first */
  WRAP_FROM = 32,       /* a tile of one dimension that is longer is set in lines */
  WRAP_TO = 16,         /* of at most so many */
};

static TlColor
role (const Lens *lens, TlRole name)
{
  return tl_theme_color (lens->scene->theme, name);
}

void
tl_lens_card (TlScene *scene, TlBox box, const char *title, const char *rest)
{
  TlStyle style
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_CARD), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);

  style.radius = 10;
  tl_scene_rect (scene, box, style);
  tl_scene_label (scene, box.x + 14, box.y + 24, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "%s", title);
  if (rest != NULL)
    tl_scene_label (scene, box.x + 14 + tl_scene_text_width (title, 13, TRUE, FALSE) + 8, box.y + 24, TL_ANCHOR_START,
                    11, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", rest);
}

/* --- Geometry --- */

static gboolean
is_spatial (const TlLayout *layout, guint mode)
{
  for (guint i = 0; i < layout->n_spatial; i++)
    if (layout->spatial[i] == (gint32) mode)
      return TRUE;
  return FALSE;
}

/* Modes of a dimension that get brackets: all but the last, whose blocks are single cells. */
static guint
levels_of (const TlLayout *layout, gint dim, guint *modes)
{
  guint n = 0, all = 0;

  for (guint m = 0; m < layout->n_modes; m++)
    all += layout->dim[m] == dim;
  for (guint m = 0; m < layout->n_modes && n < MOST_LEVELS && n + 1 < all; m++)
    if (layout->dim[m] == dim)
      modes[n++] = m;
  return n;
}

static Grid
fit (TlBox room, guint64 rows, guint64 columns, float most_width, float most_height)
{
  float width = MIN (most_width, room.width / (float) columns), height = MIN (most_height, room.height / (float) rows);

  /* Whole pixels where there are some, so that cells do not shimmer. */
  if (width >= 2)
    width = floorf (width);
  if (height >= 2)
    height = floorf (height);
  return (Grid) { tl_box (room.x, room.y, width * (float) columns, height * (float) rows), rows, columns, width, height,
                  width >= 26 && height >= 13 && rows * columns <= MOST_LABELLED };
}

static void
measure (Lens *lens, TlBox box)
{
  const TlLayout *layout = &lens->of->from.layout;
  guint           modes[MOST_LEVELS];
  float gap = 12, left = floorf ((box.width - 2 * gap) * 0.38f), middle = floorf ((box.width - 2 * gap) * 0.26f);
  guint n = layout->n_dims;

  lens->card[0] = tl_box (box.x, box.y, left, box.height);
  lens->card[1] = tl_box (box.x + left + gap, box.y, middle, box.height);
  lens->card[2] = tl_box (box.x + left + middle + 2 * gap, box.y, box.width - left - middle - 2 * gap, box.height);
  if (!lens->of->from.valid)
    return;
  guint64 rows = n > 1 ? (guint64) layout->shape[n - 2] : 1, columns = n > 0 ? (guint64) layout->shape[n - 1] : 1;
  if (n == 1 && columns > WRAP_FROM)
    {
      /* A long row reads better in lines. */
      guint64 line = WRAP_TO;

      while (columns % line != 0)
        line--;
      lens->wrapped = line >= 4;
      if (lens->wrapped)
        {
          rows = columns / line;
          columns = line;
        }
    }
  lens->threads = tl_layout_threads (layout);
  lens->locals = tl_layout_locals (layout);
  lens->first = lens->moment->slice % tl_register_lens_slices (lens->of) * rows * columns;
  float aside = 24 + 28 * (float) (n > 1 ? levels_of (layout, (gint) n - 2, modes) : 0);
  float above = 62 + 20 * (float) (lens->wrapped ? 0 : levels_of (layout, (gint) n - 1, modes));
  lens->tile = fit (tl_box (box.x + 14 + aside, box.y + above, left - aside - 28, box.height - above - 16), rows,
                    columns, 58, 26);
  TlBox card = lens->card[1];
  lens->registers
      = fit (tl_box (card.x + 50, card.y + 62, card.width - 64, card.height - 78), lens->threads, lens->locals, 58, 26);
}

static TlBox
cell_box (const Grid *grid, guint64 row, guint64 column)
{
  return tl_box (grid->box.x + (float) column * grid->width, grid->box.y + (float) row * grid->height, grid->width,
                 grid->height);
}

static gboolean
cell_at (const Grid *grid, float x, float y, guint64 *row, guint64 *column)
{
  if (grid->width <= 0 || grid->height <= 0 || x < grid->box.x || y < grid->box.y)
    return FALSE;
  *column = (guint64) ((x - grid->box.x) / grid->width);
  *row = (guint64) ((y - grid->box.y) / grid->height);
  return *column < grid->columns && *row < grid->rows;
}

gint64
tl_view_register_at (TlBox box, const TlRegisterLens *of, const TlRegisterMoment *moment, float x, float y)
{
  Lens    lens = { .of = of, .moment = moment };
  guint64 row, column;

  measure (&lens, box);
  if (!of->from.valid)
    return -1;
  if (cell_at (&lens.tile, x, y, &row, &column))
    return (gint64) (lens.first + row * lens.tile.columns + column);
  if (cell_at (&lens.registers, x, y, &row, &column))
    return (gint64) tl_layout_index (&of->from.layout, (guint) row, (guint) column);
  return -1;
}

/* --- Cells --- */

/* Hue by thread, lighter where the local is odd. In print the same in greys. */
static TlColor
cell_color (const Lens *lens, guint hue, gboolean odd)
{
  TlThemeKind theme = lens->scene->theme;

  if (theme == TL_THEME_PRINT)
    {
      guint8 grey = (guint8) (252 - hue * 9 - (odd ? 0 : 5));
      return (guint32) grey << 24 | (guint32) grey << 16 | (guint32) grey << 8 | 0xff;
    }
  return tl_color_over (tl_theme_owner (theme, hue), role (lens, TL_ROLE_VIEW),
                        (theme == TL_THEME_DARK ? 0.38 : 0.32) - (odd ? 0.11 : 0));
}

static void
paint_grid (const Lens *lens, const Grid *grid, const guint8 *cells)
{
  TlColor colors[16];

  /* Many cells show the thread alone: runs of it stay one shape in a figure. */
  gboolean by_local = grid->rows * grid->columns <= MOST_SHADED;

  for (guint i = 0; i < 16; i++)
    colors[i] = cell_color (lens, i / 2, by_local && i % 2 != 0);
  if (grid->labelled)
    {
      /* Cells apart, so that they read as places. */
      for (guint i = 0; i < 16; i++)
        {
          g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
          TlStyle style = tl_fill (colors[i]);

          style.radius = 2;
          for (guint64 c = 0; c < grid->rows * grid->columns; c++)
            if (cells[c] == i)
              {
                TlBox box = cell_box (grid, c / grid->columns, c % grid->columns);
                TlBox inner = tl_box (box.x + 1, box.y + 1, box.width - 2, box.height - 2);
                g_array_append_val (boxes, inner);
              }
          if (boxes->len > 0)
            tl_scene_rects (lens->scene, (const TlBox *) boxes->data, boxes->len, style);
        }
      return;
    }
  tl_scene_grid (lens->scene, grid->box, (guint32) grid->columns, (guint32) grid->rows, cells, colors, 16);
  TlStyle frame = tl_stroke (role (lens, TL_ROLE_LINE), 1);
  tl_scene_rect (lens->scene, grid->box, frame);
}

static void
draw_tile_cells (const Lens *lens)
{
  const TlLayout     *layout = &lens->of->from.layout;
  const Grid         *grid = &lens->tile;
  g_autofree guint8  *cells = g_new (guint8, grid->rows * grid->columns);
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  gboolean            by_local = grid->rows * grid->columns <= MOST_SHADED;
  guint               local;

  for (guint64 c = 0; c < grid->rows * grid->columns; c++)
    {
      tl_layout_where (layout, lens->first + c, threads, &local);
      cells[c] = (guint8) (threads[0] % 8 * 2 + (by_local && local % 2 != 0));
    }
  paint_grid (lens, grid, cells);
  if (!grid->labelled)
    {
      tl_scene_begin (lens->scene, "tile", "the tile: point at an element to follow it", 0, "register-tile");
      tl_scene_hit (lens->scene, grid->box);
      tl_scene_end (lens->scene);
      return;
    }
  for (guint64 c = 0; c < grid->rows * grid->columns; c++)
    {
      TlBox            box = cell_box (grid, c / grid->columns, c % grid->columns);
      guint            n = tl_layout_where (layout, lens->first + c, threads, &local);
      g_autofree char *at = tl_register_lens_coordinates (lens->of, lens->first + c);
      g_autofree char *more = n > 1 ? g_strdup_printf (" and %u more", n - 1) : g_strdup ("");
      g_autofree char *title = g_strdup_printf ("element %s: thread %u%s, local %u", at, threads[0], more, local);
      gboolean         both = box.width >= 40;

      tl_scene_begin (lens->scene, "element", title, lens->first + c, "element-%" G_GUINT64_FORMAT, lens->first + c);
      tl_scene_label (lens->scene, box.x + (both ? box.width * 0.42f : box.width / 2), box.y + box.height / 2 + 4,
                      TL_ANCHOR_MIDDLE, MIN (11, box.height - 2), FALSE, role (lens, TL_ROLE_INK), "%u%s", threads[0],
                      n > 1 ? "+" : "");
      if (both)
        tl_scene_label (lens->scene, box.x + box.width - 6, box.y + box.height / 2 + 4, TL_ANCHOR_END, 9, FALSE,
                        role (lens, TL_ROLE_INK2), "%u", local);
      tl_scene_hit (lens->scene, box);
      tl_scene_end (lens->scene);
    }
}

static void
draw_register_cells (const Lens *lens)
{
  const TlLayout    *layout = &lens->of->from.layout;
  const Grid        *grid = &lens->registers;
  g_autofree guint8 *cells = g_new (guint8, grid->rows * grid->columns);
  gboolean           by_local = grid->rows * grid->columns <= MOST_SHADED;

  for (guint64 t = 0; t < grid->rows; t++)
    for (guint64 l = 0; l < grid->columns; l++)
      cells[t * grid->columns + l] = (guint8) (t % 8 * 2 + (by_local && l % 2 != 0));
  paint_grid (lens, grid, cells);
  tl_scene_begin (lens->scene, "registers", "the registers, a row a thread: point at one to follow its element", 0,
                  "register-threads");
  tl_scene_hit (lens->scene, grid->box);
  tl_scene_end (lens->scene);
  for (guint64 c = 0; grid->labelled && c < grid->rows * grid->columns; c++)
    {
      TlBox            box = cell_box (grid, c / grid->columns, c % grid->columns);
      guint64          index = tl_layout_index (layout, (guint) (c / grid->columns), (guint) (c % grid->columns));
      g_autofree char *at = tl_register_lens_coordinates (lens->of, index);

      if (tl_scene_text_width (at, 10, FALSE, FALSE) < box.width - 4)
        tl_scene_label (lens->scene, box.x + box.width / 2, box.y + box.height / 2 + 3.5f, TL_ANCHOR_MIDDLE,
                        MIN (10, box.height - 2), FALSE, role (lens, TL_ROLE_INK), "%s", at);
    }
}

/* --- Axes --- */

/* Every so many-th number, so that they stay apart. */
static guint64
label_step (float pitch, float least)
{
  guint64 step = 1;

  while (pitch * (float) step < least)
    step *= 2;
  return step;
}

static void
draw_numbers (const Lens *lens, const Grid *grid, gboolean rows, guint64 row_step)
{
  for (guint64 i = 0, step = label_step (grid->width, 24); i < grid->columns; i += step)
    tl_scene_label (lens->scene, grid->box.x + ((float) i + 0.5f) * grid->width, grid->box.y - 6, TL_ANCHOR_MIDDLE, 10,
                    FALSE, role (lens, TL_ROLE_INK2), "%" G_GUINT64_FORMAT, i);
  for (guint64 i = 0, step = label_step (grid->height, 13); rows && i < grid->rows; i += step)
    tl_scene_label (lens->scene, grid->box.x - 6, grid->box.y + ((float) i + 0.5f) * grid->height + 3.5f, TL_ANCHOR_END,
                    10, FALSE, role (lens, TL_ROLE_INK2), "%" G_GUINT64_FORMAT, i * row_step);
}

/* One bracket a block of a mode: blue a digit of the local, green of the thread. */
static void
draw_brackets (const Lens *lens, gint dim, gboolean down)
{
  const TlLayout *layout = &lens->of->from.layout;
  const Grid     *grid = &lens->tile;
  guint           modes[MOST_LEVELS];
  guint           n = dim >= 0 ? levels_of (layout, dim, modes) : 0;
  guint64         block = down ? grid->rows : grid->columns;
  float           pitch = down ? grid->height : grid->width;

  for (guint level = 0; level < n; level++)
    {
      guint    mode = modes[level];
      gboolean spatial = is_spatial (layout, mode);
      guint64  size = (guint64) layout->modes[mode];
      TlColor  color = role (lens, spatial ? TL_ROLE_COMPUTE_INK : TL_ROLE_HIT_INK);
      float    off = (down ? 30 : 22) + (down ? 28 : 20) * (float) (n - 1 - level);

      block /= size;
      guint64 blocks = (down ? grid->rows : grid->columns) / block;
      if (blocks > MOST_BRACKETS)
        break;
      g_autofree char *title
          = g_strdup_printf ("a factor of %" G_GUINT64_FORMAT " along dimension %d: a digit of the %s", size, dim,
                             spatial ? "thread" : "local");
      tl_scene_begin (lens->scene, "factor", title, mode, "factor-%u", mode);
      for (guint64 b = 0; b < blocks; b++)
        {
          float from = (down ? grid->box.y : grid->box.x) + (float) (b * block) * pitch + 2;
          float to = from + (float) block * pitch - 4, middle = (from + to) / 2;

          if (down)
            {
              const TlPathStep steps[] = { { 'M', { grid->box.x - off + 5, from } },
                                           { 'L', { grid->box.x - off, from } },
                                           { 'L', { grid->box.x - off, to } },
                                           { 'L', { grid->box.x - off + 5, to } } };
              tl_scene_path (lens->scene, steps, 4, tl_stroke (color, 1.4f));
              if (to - from >= 9)
                tl_scene_label (lens->scene, grid->box.x - off - 4, middle + 3.5f, TL_ANCHOR_END, 10, FALSE, color,
                                "%s%" G_GUINT64_FORMAT, spatial ? "t" : "l", b % size);
            }
          else
            {
              const TlPathStep steps[] = { { 'M', { from, grid->box.y - off + 4 } },
                                           { 'L', { from, grid->box.y - off } },
                                           { 'L', { to, grid->box.y - off } },
                                           { 'L', { to, grid->box.y - off + 4 } } };
              tl_scene_path (lens->scene, steps, 4, tl_stroke (color, 1.4f));
              if (to - from >= 16)
                tl_scene_label (lens->scene, middle, grid->box.y - off - 3, TL_ANCHOR_MIDDLE, 10, FALSE, color,
                                "%s%" G_GUINT64_FORMAT, spatial ? "t" : "l", b % size);
            }
        }
      if (down)
        tl_scene_hit (lens->scene, tl_box (grid->box.x - off - 16, grid->box.y, 20, grid->box.height));
      else
        tl_scene_hit (lens->scene, tl_box (grid->box.x, grid->box.y - off - 14, grid->box.width, 18));
      tl_scene_end (lens->scene);
    }
}

/* --- The traced element in both --- */

/* Cells too small for a ring are tinted, and the one that is traced is framed from outside. */
static void
ring (const Lens *lens, const Grid *grid, guint64 row, guint64 column, gboolean strong)
{
  TlBox   box = cell_box (grid, row, column);
  TlColor ink = role (lens, TL_ROLE_INK);

  if (box.width >= 9 && box.height >= 9)
    {
      TlStyle style = tl_stroke (ink, strong ? 2.4f : 1.2f);
      style.radius = 2;
      tl_scene_rect (lens->scene, tl_box (box.x + 1, box.y + 1, box.width - 2, box.height - 2), style);
      return;
    }
  box.width = MAX (box.width, 1);
  box.height = MAX (box.height, 1);
  if (!strong)
    {
      tl_scene_rect (lens->scene, box, tl_fill (tl_color_alpha (ink, 0.5)));
      return;
    }
  tl_scene_rect (lens->scene, box, tl_fill (ink));
  tl_scene_rect (lens->scene, tl_box (box.x - 4, box.y - 4, box.width + 8, box.height + 8), tl_stroke (ink, 2));
}

static void
draw_trace (const Lens *lens)
{
  const TlLayout *layout = &lens->of->from.layout;
  gint64          element = lens->moment->element;
  guint64         per_slice = lens->tile.rows * lens->tile.columns;
  guint           local;

  if (element < 0 || (guint64) element >= tl_layout_elements (layout))
    return;
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  guint               n = tl_layout_where (layout, (guint64) element, threads, &local);

  /* All that its first thread holds, then the element itself. */
  for (guint l = 0; l < MIN (lens->locals, 256); l++)
    {
      guint64 other = tl_layout_index (layout, threads[0], l);
      if (other >= lens->first && other < lens->first + per_slice)
        ring (lens, &lens->tile, (other - lens->first) / lens->tile.columns, (other - lens->first) % lens->tile.columns,
              FALSE);
    }
  if ((guint64) element >= lens->first && (guint64) element < lens->first + per_slice)
    ring (lens, &lens->tile, ((guint64) element - lens->first) / lens->tile.columns,
          ((guint64) element - lens->first) % lens->tile.columns, TRUE);
  for (guint i = 0; i < MIN (n, 256); i++)
    ring (lens, &lens->registers, threads[i], local, TRUE);
}

/* --- The whole --- */

static void
draw_refusal (const Lens *lens)
{
  TlBox box = lens->card[0];

  tl_lens_card (lens->scene, box, "Layout", NULL);
  tl_mark_warning (lens->scene, box.x + 24, box.y + 52, 16, lens->scene->theme);
  tl_scene_begin (lens->scene, "problem", lens->of->from.reason, 0, "register-problem");
  tl_lens_paragraph (lens->scene, tl_box (box.x + 42, box.y + 56, box.width - 56, box.height - 60),
                     role (lens, TL_ROLE_INK), 12, lens->of->from.reason);
  tl_scene_hit (lens->scene, tl_box (box.x + 14, box.y + 40, box.width - 28, 40));
  tl_scene_end (lens->scene);
}

static void
describe (const Lens *lens)
{
  g_autoptr (GPtrArray) trace = tl_register_lens_trace (lens->of, lens->moment);
  GString *text = g_string_new (NULL);

  if (!lens->of->from.valid)
    g_string_append_printf (text, "The layout cannot be read: %s.", lens->of->from.reason);
  else
    g_string_append_printf (text, "%u threads with %u values each hold %" G_GUINT64_FORMAT " elements.", lens->threads,
                            lens->locals, tl_layout_elements (&lens->of->from.layout));
  for (guint i = 0; i < trace->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? " " : "; ", (const char *) trace->pdata[i]);
  if (lens->of->judged)
    g_string_append_printf (text, " View: %s.", lens->of->message);
  tl_scene_describe (lens->scene, "Register layout", text->str);
  g_string_free (text, TRUE);
}

void
tl_view_register (TlScene *scene, TlBox box, const TlRegisterLens *of, const TlRegisterMoment *moment)
{
  Lens lens = { .scene = scene, .of = of, .moment = moment };

  measure (&lens, box);
  TlLayer before = tl_scene_layer (scene, TL_LAYER_STATIC);
  if (!of->from.valid)
    draw_refusal (&lens);
  else
    {
      const TlLayout  *layout = &of->from.layout;
      g_autofree char *size = lens.wrapped ? g_strdup_printf ("%" G_GUINT64_FORMAT, lens.tile.rows * lens.tile.columns)
                                           : g_strdup_printf ("%" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT,
                                                              lens.tile.rows, lens.tile.columns);
      g_autofree char *tile
          = lens.first > 0 || tl_register_lens_slices (of) > 1
                ? g_strdup_printf ("%s, slice %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, size,
                                   moment->slice % tl_register_lens_slices (of), tl_register_lens_slices (of))
                : g_strdup_printf ("%s: thread, and its local (small)", size);
      g_autofree char *registers = g_strdup_printf ("%u threads x %u", lens.threads, lens.locals);

      tl_lens_card (scene, lens.card[0], "Tile", tile);
      if (!lens.wrapped)
        {
          draw_brackets (&lens, (gint) layout->n_dims - 2, TRUE);
          draw_brackets (&lens, (gint) layout->n_dims - 1, FALSE);
        }
      draw_numbers (&lens, &lens.tile, lens.tile.rows > 1, lens.wrapped ? lens.tile.columns : 1);
      draw_tile_cells (&lens);
      tl_lens_card (scene, lens.card[1], "Registers", registers);
      draw_numbers (&lens, &lens.registers, TRUE, 1);
      draw_register_cells (&lens);
    }
  tl_lens_draw_view (&lens);
  tl_scene_layer (scene, TL_LAYER_MOVING);
  if (of->from.valid)
    {
      draw_trace (&lens);
      tl_lens_draw_way (&lens);
    }
  tl_scene_layer (scene, before);
  describe (&lens);
}
