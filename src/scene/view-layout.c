/* The layout lens drawn: a matrix whose cells are toggles, one column a unit bit, rows grouped domain, row, column;
 * differences as bars inside and outside the kernel; the accesses; the maps to choose from. */
#include "scene/layout-lens.h"
#include "scene/marks.h"
#include "scene/view-register-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  TlScene              *scene;
  const TlLayoutLens   *of;
  const TlLayoutMoment *moment;
} Picture;

static TlColor
role (const Picture *picture, TlRole name)
{
  return tl_theme_color (picture->scene->theme, name);
}

static void
mono (const Picture *picture, float x, float y, TlAnchor anchor, float size, gboolean bold, TlColor color,
      const char *text)
{
  TlText label
      = { .x = x, .y = y, .size = size, .anchor = anchor, .mono = TRUE, .bold = bold, .color = color, .text = text };

  tl_scene_text (picture->scene, &label);
}

static gboolean
is_id (const char *id, const char *format, guint a, guint b)
{
  char text[32];

  g_snprintf (text, sizeof text, "%s-%u-%u", format, a, b);
  return id != NULL && (strcmp (id, text) == 0);
}

/* Whether the row or column is what is dragged, or what it would change places with. */
static gboolean
is_end (const char *id, const char *kind, guint number)
{
  guint at, row;

  if (id == NULL)
    return FALSE;
  if (sscanf (id, "cell-%u-%u", &row, &at) == 2)
    return strcmp (kind, "bit") == 0 && at == number;
  char text[32];
  g_snprintf (text, sizeof text, "%s-%u", kind, number);
  return strcmp (id, text) == 0;
}

/* --- The matrix --- */

static const char *const part_words[] = { "which bank", "opens a row", "in the open row" };

static TlColor
one_color (const Picture *picture, guint row)
{
  switch (tl_layout_lens_part (picture->of, row))
    {
    case TL_PART_DOMAIN:
      return role (picture, TL_ROLE_COMPUTE);
    case TL_PART_ROW:
      return role (picture, picture->of->hits >= picture->of->conflicts ? TL_ROLE_HIT : TL_ROLE_CONFLICT);
    default:
      return role (picture, TL_ROLE_IDLE);
    }
}

static void
draw_cell (const Picture *picture, TlBox box, guint row, guint bit)
{
  const TlLayoutLens *of = picture->of;
  gboolean            one = of->placement.rows[row] >> bit & 1;
  gboolean            moved = picture->moment->from != NULL
                   && (is_end (picture->moment->from, "bit", bit) || is_end (picture->moment->from, "row", row));
  g_autofree char *name = tl_layout_lens_row_name (of, row);
  g_autofree char *title
      = g_strdup_printf ("%s %s c%u; press to change", name, one ? "hangs on" : "does not hang on", bit);
  TlColor fill
      = one && picture->scene->theme != TL_THEME_PRINT ? one_color (picture, row) : role (picture, TL_ROLE_SLOT);
  TlStyle style = tl_fill_stroke (fill, role (picture, one ? TL_ROLE_OUTLINE : TL_ROLE_LINE), 1);

  style.radius = box.width > 20 ? 5 : 2;
  if (one && box.height < 15 && picture->scene->theme == TL_THEME_PRINT)
    style.fill = role (picture, TL_ROLE_INK);
  if (moved)
    {
      style.dash = TL_DASH_4_2;
      style.stroke = role (picture, TL_ROLE_ACCENT);
      style.width = 1.6f;
    }
  tl_scene_begin (picture->scene, "toggle", title, row * 16 + bit, "cell-%u-%u", row, bit);
  tl_scene_rect (picture->scene, box, style);
  /* A cell too small for its digit is full or empty. */
  if (box.height >= 15)
    mono (picture, box.x + box.width / 2, box.y + box.height / 2 + MIN (box.height * 0.18f, 5), TL_ANCHOR_MIDDLE,
          MIN (14, box.height * 0.6f), one,
          one ? (picture->scene->theme != TL_THEME_PRINT ? tl_color_ink_on (fill) : role (picture, TL_ROLE_INK))
              : role (picture, TL_ROLE_INK3),
          one ? "1" : "·");
  if (is_id (picture->moment->over, "cell", row, bit) && picture->moment->from == NULL)
    tl_mark_hovered (picture->scene, box, picture->scene->theme);
  if (picture->moment->row == (int) row && picture->moment->bit == (int) bit)
    tl_mark_selected (picture->scene, box, picture->scene->theme);
  tl_scene_hit (picture->scene, box);
  tl_scene_end (picture->scene);
}

static void
draw_header (const Picture *picture, float x, float y, float size, guint bit)
{
  g_autofree char *name = g_strdup_printf ("c%u", bit);
  g_autofree char *title = g_strdup_printf ("unit bit %u; drag it to change places with another", bit);
  gboolean         end = is_end (picture->moment->from, "bit", bit)
                 || (picture->moment->from != NULL && is_end (picture->moment->over, "bit", bit));

  tl_scene_begin (picture->scene, "bit", title, bit, "bit-%u", bit);
  mono (picture, x + size / 2, y, TL_ANCHOR_MIDDLE, size >= 26 ? 13 : 9, TRUE,
        role (picture, end ? TL_ROLE_ACCENT : TL_ROLE_INK), name);
  tl_scene_hit (picture->scene, tl_box (x, y - 16, size, 22));
  tl_scene_end (picture->scene);
}

static void
draw_row_label (const Picture *picture, float x, float y, float size, guint row)
{
  g_autofree char *name = tl_layout_lens_row_name (picture->of, row);
  g_autofree char *title = g_strdup_printf ("%s; drag it to change places with another row", name);
  gboolean         end = is_end (picture->moment->from, "row", row)
                 || (picture->moment->from != NULL && is_end (picture->moment->over, "row", row));
  gboolean bold = tl_layout_lens_part (picture->of, row) == TL_PART_ROW;

  tl_scene_begin (picture->scene, "row", title, row, "row-%u", row);
  tl_scene_label (picture->scene, x - 10, y + size / 2 + 4, TL_ANCHOR_END, 11.5f, bold,
                  role (picture, end    ? TL_ROLE_ACCENT
                                 : bold ? TL_ROLE_INK
                                        : TL_ROLE_INK2),
                  "%s", name);
  tl_scene_hit (picture->scene, tl_box (x - 80, y, 74, size));
  tl_scene_end (picture->scene);
}

/* Returns the y below. */
static float
draw_matrix (const Picture *picture, TlBox box)
{
  const TlLayoutLens *of = picture->of;
  guint               n = of->placement.bits;
  float               room = box.width - 14 - 92 - 96, tall = box.height - 130;
  float               pitch = floorf (MIN (42, MIN (room / (float) n, tall / (float) (n + 1))));
  float               size = pitch - (pitch > 20 ? 4 : 2), x = box.x + 14 + 92, y = box.y + 74;
  const float         groups = 3;

  for (guint bit = 0; bit < n; bit++)
    draw_header (picture, x + (float) (n - 1 - bit) * pitch, y - 12, size, bit);
  for (guint row = 0; row < n; row++)
    {
      TlLayoutPart part = tl_layout_lens_part (of, row);
      gboolean     first = row == 0 || tl_layout_lens_part (of, row - 1) != part;

      if (first && row > 0)
        {
          tl_scene_line (picture->scene, box.x + 14, y + groups - 2, x + (float) n * pitch + 86, y + groups - 2,
                         tl_stroke (role (picture, TL_ROLE_LINE), 1));
          y += 2 * groups;
        }
      if (first)
        tl_scene_label (picture->scene, x + (float) n * pitch + 6, y + size / 2 + 4, TL_ANCHOR_START, 10.5f, FALSE,
                        role (picture, TL_ROLE_INK2), "%s", part_words[part]);
      draw_row_label (picture, x, y, size, row);
      for (guint bit = 0; bit < n; bit++)
        draw_cell (picture, tl_box (x + (float) (n - 1 - bit) * pitch, y, size, size), row, bit);
      y += pitch;
    }
  return y + 8;
}

static void
draw_verdict (const Picture *picture, TlBox box, float y)
{
  const TlLayoutLens *of = picture->of;
  g_autofree char    *line = tl_layout_lens_line (of);
  g_autofree char    *place = g_strdup_printf ("layout %s", line);

  tl_scene_begin (picture->scene, "legality", of->legal ? "the map is one to one" : of->reason, of->legal,
                  "layout-legality");
  if (of->legal)
    {
      tl_scene_label (picture->scene, box.x + 14, y + 8, TL_ANCHOR_START, 11, FALSE,
                      role (picture, TL_ROLE_COMPUTE_INK), "One to one, rank %u of %u.", of->rank, of->placement.bits);
      float most = (box.width - 28) / tl_scene_text_width ("0", 10.5f, FALSE, TRUE);
      if (g_utf8_strlen (place, -1) <= (glong) most)
        mono (picture, box.x + 14, y + 26, TL_ANCHOR_START, 10.5f, FALSE, role (picture, TL_ROLE_INK2), place);
      if (of->stored_told)
        tl_scene_label (picture->scene, box.x + 14, y + 46, TL_ANCHOR_START, 11, FALSE, role (picture, TL_ROLE_INK2),
                        "row by row as stored: %" G_GUINT64_FORMAT " hits, %" G_GUINT64_FORMAT
                        " conflicts; so: %" G_GUINT64_FORMAT " hits, %" G_GUINT64_FORMAT " conflicts",
                        of->stored_hits, of->stored_conflicts, of->hits, of->conflicts);
    }
  else
    {
      tl_mark_warning (picture->scene, box.x + 22, y + 4, 14, picture->scene->theme);
      tl_lens_paragraph (picture->scene, tl_box (box.x + 36, y + 8, box.width - 50, 40),
                         role (picture, TL_ROLE_CONFLICT_INK), 11, of->reason);
    }
  tl_scene_hit (picture->scene, tl_box (box.x + 14, y - 6, box.width - 28, 36));
  tl_scene_end (picture->scene);
}

/* --- Differences --- */

static const char *
binary (guint value, guint bits, char *text)
{
  for (guint i = 0; i < bits; i++)
    text[i] = value >> (bits - 1 - i) & 1 ? '1' : '0';
  text[bits] = '\0';
  return text;
}

static void
draw_bar (const Picture *picture, TlBox box, const TlLayoutBar *bar, guint32 most)
{
  char    text[TL_PLACE_MAX_BITS + 1];
  guint   bits = picture->of->placement.bits;
  float   label = tl_scene_text_width ("0", 11, FALSE, TRUE) * (float) bits + 12;
  float   room = box.width - label - 96, width = MAX (room * (float) bar->weight / (float) most, 4);
  TlRole  hue = bar->inside ? TL_ROLE_HIT : TL_ROLE_CONFLICT;
  TlStyle style
      = tl_fill_stroke (picture->scene->theme == TL_THEME_PRINT ? role (picture, TL_ROLE_VIEW) : role (picture, hue),
                        role (picture, TL_ROLE_OUTLINE), 1);
  g_autofree char *title
      = g_strdup_printf ("difference %s, %u times: %s the kernel, %s", binary (bar->difference, bits, text),
                         bar->weight, bar->inside ? "inside" : "outside", bar->inside ? "hits" : "conflicts");

  style.radius = 2;
  if (picture->scene->theme == TL_THEME_PRINT)
    {
      style.texture = bar->inside ? TL_TEXTURE_DOTS : TL_TEXTURE_CROSS;
      style.texture_color = role (picture, TL_ROLE_INK);
    }
  tl_scene_begin (picture->scene, "difference", title, bar->difference, "difference-%u", bar->difference);
  mono (picture, box.x + label - 10, box.y + 13, TL_ANCHOR_END, 11, FALSE, role (picture, TL_ROLE_INK), text);
  TlBox at = tl_box (box.x + label, box.y + 1, width, 16);
  tl_scene_rect (picture->scene, at, style);
  /* A mark an access, where there is room for them. */
  if (width / (float) bar->weight >= 12)
    for (guint i = 0; i < bar->weight; i++)
      {
        float x = at.x + width * ((float) i + 0.5f) / (float) bar->weight;
        if (bar->inside)
          tl_mark_disc (picture->scene, x, at.y + 8, 8, role (picture, TL_ROLE_VIEW), role (picture, TL_ROLE_OUTLINE));
        else
          tl_mark_cross (picture->scene, x, at.y + 8, 8, role (picture, TL_ROLE_VIEW), role (picture, TL_ROLE_OUTLINE));
      }
  tl_scene_label (picture->scene, at.x + width + 6, box.y + 13, TL_ANCHOR_START, 11, TRUE,
                  role (picture, bar->inside ? TL_ROLE_HIT_INK : TL_ROLE_CONFLICT_INK), "%u %s%s", bar->weight,
                  bar->inside ? "hit" : "conflict", bar->weight == 1 ? "" : "s");
  tl_scene_hit (picture->scene, box);
  tl_scene_end (picture->scene);
}

static float
draw_bars (const Picture *picture, TlBox box, float y, float foot)
{
  const GArray *bars = picture->of->bars;
  guint         most = (guint) MAX ((foot - y - 16) / 22, 1), shown = MIN (bars->len, most);
  guint64       hidden = 0;

  for (guint i = 0; i < shown; i++, y += 22)
    draw_bar (picture, tl_box (box.x + 14, y, box.width - 28, 18), &g_array_index (bars, TlLayoutBar, i),
              g_array_index (bars, TlLayoutBar, 0).weight);
  for (guint i = shown; i < bars->len; i++)
    hidden += g_array_index (bars, TlLayoutBar, i).weight;
  if (hidden > 0)
    {
      tl_scene_label (picture->scene, box.x + 14, y + 12, TL_ANCHOR_START, 10.5f, FALSE, role (picture, TL_ROLE_INK2),
                      "and %u more differences, %" G_GUINT64_FORMAT " accesses", bars->len - shown, hidden);
      y += 18;
    }
  return y;
}

/* --- Accesses, counts, candidates --- */

static void
draw_letters (const Picture *picture, TlBox box, float y)
{
  const char *letters = picture->of->letters->str;
  guint       n = MIN ((guint) strlen (letters), (guint) ((box.width - 150) / 26));

  for (guint i = 0; i < n; i++)
    {
      float      x = box.x + 26 + 26 * (float) i;
      TlColor    outline = role (picture, TL_ROLE_OUTLINE);
      const char text[] = { letters[i], '\0' };

      if (letters[i] == 'H')
        tl_mark_disc (picture->scene, x, y, 13, role (picture, TL_ROLE_HIT), outline);
      else if (letters[i] == 'M')
        tl_mark_diamond (picture->scene, x, y, 15, role (picture, TL_ROLE_VIEW), role (picture, TL_ROLE_MISS));
      else
        tl_mark_cross (picture->scene, x, y, 13, role (picture, TL_ROLE_CONFLICT), outline);
      mono (picture, x, y + 21, TL_ANCHOR_MIDDLE, 10, FALSE, role (picture, TL_ROLE_INK), text);
    }
  if (n < picture->of->sequence->length)
    tl_scene_label (picture->scene, box.x + 26 + 26 * (float) n - 6, y + 5, TL_ANCHOR_START, 11, FALSE,
                    role (picture, TL_ROLE_INK2), "…");
  tl_scene_begin (picture->scene, "counts", "what the order of accesses makes of this map, exactly", 0,
                  "layout-counts");
  tl_scene_label (picture->scene, box.x + box.width - 14, y + 4, TL_ANCHOR_END, 14, TRUE, role (picture, TL_ROLE_INK),
                  "%" G_GUINT64_FORMAT " hit%s", picture->of->hits, picture->of->hits == 1 ? "" : "s");
  tl_scene_label (picture->scene, box.x + box.width - 14, y + 22, TL_ANCHOR_END, 11, FALSE,
                  role (picture, TL_ROLE_INK2), "%" G_GUINT64_FORMAT " conflict%s, %" G_GUINT64_FORMAT " opening",
                  picture->of->conflicts, picture->of->conflicts == 1 ? "" : "s", picture->of->misses);
  tl_scene_hit (picture->scene, tl_box (box.x + box.width - 120, y - 10, 106, 38));
  tl_scene_end (picture->scene);
}

static gboolean
is_shown_map (const TlLayoutLens *lens, const TlPlacement *placement)
{
  return lens->placement.n_domain == placement->n_domain && lens->placement.n_row == placement->n_row
         && memcmp (lens->placement.rows, placement->rows, placement->bits * sizeof *placement->rows) == 0;
}

static void
draw_candidates (const Picture *picture, TlBox box, float y)
{
  const GPtrArray *candidates = picture->of->candidates;
  float            gap = 8, width = (box.width - 28 + gap) / 3 - gap;

  tl_scene_label (picture->scene, box.x + 14, y, TL_ANCHOR_START, 11, FALSE, role (picture, TL_ROLE_INK2),
                  "maps to choose from, by conflicts, then domains, then ones");
  y += 8;
  for (guint i = 0; i < MIN (candidates->len, 6); i++)
    {
      const TlLayoutCandidate *candidate = candidates->pdata[i];
      gboolean                 now = is_shown_map (picture->of, &candidate->placement);
      TlBox   chip = tl_box (box.x + 14 + (float) (i % 3) * (width + gap), y + (float) (i / 3) * 44, width, 38);
      TlStyle style = tl_fill_stroke (role (picture, TL_ROLE_SLOT), role (picture, now ? TL_ROLE_ACCENT : TL_ROLE_LINE),
                                      now ? 2 : 1);
      g_autofree char *title = g_strdup_printf (
          "%s: %" G_GUINT64_FORMAT " hits, %" G_GUINT64_FORMAT " conflicts, %" G_GUINT64_FORMAT " domains, %u ones",
          candidate->name, candidate->hits, candidate->conflicts, candidate->misses, candidate->placement.nonzeros);

      style.radius = 8;
      tl_scene_begin (picture->scene, "candidate", title, i, "candidate-%u", i);
      tl_scene_rect (picture->scene, chip, style);
      tl_scene_label (picture->scene, chip.x + 8, chip.y + 15, TL_ANCHOR_START, 11, TRUE, role (picture, TL_ROLE_INK),
                      "%s", candidate->name);
      tl_scene_label (picture->scene, chip.x + 8, chip.y + 30, TL_ANCHOR_START, 10, FALSE,
                      role (picture, candidate->conflicts > candidate->hits ? TL_ROLE_CONFLICT_INK : TL_ROLE_INK2),
                      "%" G_GUINT64_FORMAT " conflict%s, %" G_GUINT64_FORMAT " domain%s", candidate->conflicts,
                      candidate->conflicts == 1 ? "" : "s", candidate->misses, candidate->misses == 1 ? "" : "s");
      tl_scene_hit (picture->scene, chip);
      tl_scene_end (picture->scene);
    }
}

static void
describe (const Picture *picture)
{
  const TlLayoutLens *of = picture->of;
  g_autofree char    *line = tl_layout_lens_line (of);
  g_autofree char    *cell = NULL;

  if (picture->moment->row >= 0 && picture->moment->bit >= 0 && picture->moment->row < (int) of->placement.bits)
    {
      g_autofree char *name = tl_layout_lens_row_name (of, (guint) picture->moment->row);
      cell = g_strdup_printf ("At %s, c%d: %s. ", name, picture->moment->bit,
                              of->placement.rows[picture->moment->row] >> picture->moment->bit & 1 ? "one" : "none");
    }
  g_autofree char *text = g_strdup_printf ("%s%s: %s. %s%" G_GUINT64_FORMAT " hits, %" G_GUINT64_FORMAT
                                           " conflicts, %" G_GUINT64_FORMAT " openings in %u accesses.",
                                           cell != NULL ? cell : "", of->name, line, of->legal ? "" : of->reason,
                                           of->hits, of->conflicts, of->misses, of->sequence->length);

  tl_scene_describe (picture->scene, "Layout", text);
}

void
tl_view_layout (TlScene *scene, TlBox box, const TlLayoutLens *lens, const TlLayoutMoment *moment)
{
  Picture picture = { scene, lens, moment };
  float   gap = 12, left = floorf ((box.width - gap) * 0.46f);
  TlBox   matrix = tl_box (box.x, box.y, left, box.height);
  TlBox   counts = tl_box (box.x + left + gap, box.y, box.width - left - gap, box.height);
  float   strip = lens->candidates->len > 3 ? 112 : lens->candidates->len > 0 ? 68 : 0;

  tl_lens_card (scene, matrix, "Layout", lens->name);
  if (moment->state != NULL)
    {
      float   width = tl_scene_text_width (moment->state, 10.5f, FALSE, FALSE) + 20;
      TlStyle style = tl_fill (role (&picture, TL_ROLE_WAIT));
      TlBox   chip = tl_box (matrix.x + matrix.width - width - 12, matrix.y + 10, width, 20);
      style.radius = 10;
      tl_scene_rect (scene, chip, style);
      tl_scene_label (scene, chip.x + width / 2, chip.y + 14, TL_ANCHOR_MIDDLE, 10.5f, FALSE,
                      role (&picture, TL_ROLE_INK), "%s", moment->state);
    }
  draw_verdict (&picture, matrix, draw_matrix (&picture, matrix) + 12);
  tl_lens_card (scene, counts, "Differences", "between neighbours of a bank in the order of accesses");
  draw_bars (&picture, counts, counts.y + 42, counts.y + counts.height - strip - 72);
  draw_letters (&picture, counts, counts.y + counts.height - strip - 46);
  if (strip > 0)
    draw_candidates (&picture, counts, counts.y + counts.height - strip + 4);
  describe (&picture);
}
