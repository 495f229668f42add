/* Lessons: a bank with its row buffer and the bits of the next request, an owner
 * map, or bars of time by tier; the covered part is never in the list at all. */
#include "scene/view-lesson.h"

#include "base/number.h"
#include "scene/marks.h"
#include "scene/view.h"

#include <math.h>
#include <string.h>

#define MOST_BANKS   4 /* drawn side by side */
#define MOST_CELLS   8 /* rows and columns of a bank */
#define MOST_BITS    12
#define MOST_HISTORY 16

typedef struct
{
  TlScene              *scene;
  const TlLessonMoment *moment;
  TlBox                 box;
  float                 scale; /* of type and cells against 1000 x 420 */
} Lesson;

static TlColor
role (const Lesson *lesson, TlRole which)
{
  return tl_theme_color (lesson->scene->theme, which);
}

static void
label (const Lesson *lesson, float x, float y, TlAnchor anchor, float size, gboolean bold, TlRole ink, const char *text)
{
  tl_scene_label (lesson->scene, x, y, anchor, size * lesson->scale, bold, role (lesson, ink), "%s", text);
}

static const TlLessonOutcome *
outcome_at (const Lesson *lesson, guint index)
{
  return &g_array_index (lesson->moment->play->outcomes, TlLessonOutcome, index);
}

static guint
outcomes (const Lesson *lesson)
{
  return lesson->moment->play->outcomes->len;
}

/* The mark of a row class, or the letter of another answer in a disc. */
static void
draw_letter (const Lesson *lesson, float x, float y, char letter)
{
  float      s = lesson->scale;
  TlColor    outline = role (lesson, TL_ROLE_OUTLINE);
  const char text[] = { letter, '\0' };
  gboolean   rows = lesson->moment->lesson->scene == TL_LESSON_ROWS;

  if (rows && letter == 'H')
    tl_mark_disc (lesson->scene, x, y - 18 * s, 18 * s, role (lesson, TL_ROLE_HIT), outline);
  else if (rows && letter == 'M')
    tl_mark_diamond (lesson->scene, x, y - 18 * s, 20 * s, role (lesson, TL_ROLE_VIEW), role (lesson, TL_ROLE_MISS));
  else if (rows)
    tl_mark_cross (lesson->scene, x, y - 18 * s, 18 * s, role (lesson, TL_ROLE_CONFLICT), outline);
  label (lesson, x, y + (rows ? 16 : 6) * s, TL_ANCHOR_MIDDLE, rows ? 20 : 24, TRUE,
         !rows           ? TL_ROLE_INK
         : letter == 'H' ? TL_ROLE_HIT_INK
         : letter == 'M' ? TL_ROLE_MISS_INK
                         : TL_ROLE_CONFLICT_INK,
         text);
}

/* --- Rows: the bank --- */

/* The row that is open in @domain before the next request; FALSE when it is closed. */
static gboolean
open_row (const Lesson *lesson, guint32 domain, guint64 *row)
{
  for (guint i = lesson->moment->revealed; i-- > 0;)
    if (outcome_at (lesson, i)->domain == domain)
      {
        *row = outcome_at (lesson, i)->row;
        return TRUE;
      }
  return FALSE;
}

/* The unit at a place, or -1 when the lesson's map has none there. */
static gint64
unit_at (const Lesson *lesson, guint32 domain, guint64 row, guint64 column)
{
  TlAddressMap *map = tl_target_map (lesson->moment->play->target);
  guint         columns = tl_address_map_column_bits (map), rows = tl_address_map_row_bits (map);

  return (gint64) tl_address_map_unapply (map, ((guint64) domain << rows | row) << columns | column);
}

static void
draw_bank (const Lesson *lesson, TlBox box, guint32 domain, guint number)
{
  TlAddressMap          *map = tl_target_map (lesson->moment->play->target);
  guint                  rows = MIN (MOST_CELLS, 1u << MIN (tl_address_map_row_bits (map), 8u));
  guint                  columns = MIN (MOST_CELLS, 1u << MIN (tl_address_map_column_bits (map), 8u));
  float                  s = lesson->scale, left = 64 * s, top = 34 * s, buffer = 66 * s;
  float                  cell = MIN (MIN ((box.width - left) / columns, (box.height - top - buffer) / rows), 74 * s);
  float                  x = box.x + left, y = box.y + top;
  guint64                open = 0;
  gboolean               is_open = open_row (lesson, domain, &open);
  gboolean               asked = lesson->moment->revealed < outcomes (lesson);
  const TlLessonOutcome *next = asked ? outcome_at (lesson, lesson->moment->revealed) : NULL;
  g_autofree char       *title = is_open ? g_strdup_printf ("bank %u: row %" G_GUINT64_FORMAT " is open", domain, open)
                                         : g_strdup_printf ("bank %u: closed", domain);
  g_autofree char       *name = g_strdup_printf ("Bank %u", domain);

  tl_scene_begin (lesson->scene, "bank", title, domain, "lesson-bank-%u", number);
  label (lesson, x, box.y + 20 * s, TL_ANCHOR_START, 17, TRUE, TL_ROLE_INK, name);
  tl_scene_hit (lesson->scene, tl_box (box.x, box.y, left + columns * cell, top + rows * cell));
  for (guint r = 0; r < rows; r++)
    {
      gboolean         lit = is_open && open == r;
      g_autofree char *row = g_strdup_printf ("row %u", r);
      label (lesson, x - 10 * s, y + (r + 0.5f) * cell + 5 * s, TL_ANCHOR_END, 16, lit,
             lit ? TL_ROLE_HIT_INK : TL_ROLE_INK2, row);
      for (guint c = 0; c < columns; c++)
        {
          gint64           unit = unit_at (lesson, domain, r, c);
          gboolean         wanted = next != NULL && next->unit == (guint64) unit;
          g_autofree char *number_text = g_strdup_printf ("%" G_GINT64_FORMAT, unit);
          TlBox            at = tl_box (x + c * cell, y + r * cell, cell - 3 * s, cell - 3 * s);
          TlStyle style = tl_fill_stroke (lit ? tl_color_over (role (lesson, TL_ROLE_HIT), role (lesson, TL_ROLE_VIEW),
                                                               lesson->scene->theme == TL_THEME_PRINT ? 0 : 0.16)
                                              : role (lesson, TL_ROLE_SLOT),
                                          role (lesson, wanted ? TL_ROLE_INK : TL_ROLE_LINE), wanted ? 3 * s : 1);
          tl_scene_rect (lesson->scene, at, style);
          label (lesson, at.x + at.width / 2, at.y + at.height / 2 + 8 * s, TL_ANCHOR_MIDDLE, 22, wanted,
                 lit || wanted ? TL_ROLE_INK : TL_ROLE_INK2, number_text);
        }
    }
  tl_scene_end (lesson->scene);

  float below = y + rows * cell + 16 * s;
  tl_scene_begin (lesson->scene, "row-buffer", title, domain, number == 0 ? "lesson-buffer" : "lesson-buffer-%u",
                  number);
  TlStyle style = tl_fill_stroke (is_open ? tl_color_over (role (lesson, TL_ROLE_HIT), role (lesson, TL_ROLE_VIEW),
                                                           lesson->scene->theme == TL_THEME_PRINT ? 0 : 0.16)
                                          : role (lesson, TL_ROLE_SLOT),
                                  role (lesson, TL_ROLE_OUTLINE), 2);
  TlBox at = tl_box (x, below, columns * cell - 3 * s, 44 * s);
  style.dash = is_open ? TL_DASH_NONE : TL_DASH_4_2;
  tl_scene_rect (lesson->scene, at, style);
  g_autofree char *held = is_open ? g_strdup_printf ("row %" G_GUINT64_FORMAT, open) : g_strdup ("empty");
  label (lesson, at.x + at.width / 2, at.y + 29 * s, TL_ANCHOR_MIDDLE, 22, TRUE, TL_ROLE_INK, held);
  label (lesson, x - 10 * s, at.y + 19 * s, TL_ANCHOR_END, 14, FALSE, TL_ROLE_INK2, "row");
  label (lesson, x - 10 * s, at.y + 36 * s, TL_ANCHOR_END, 14, FALSE, TL_ROLE_INK2, "buffer");
  tl_scene_hit (lesson->scene, at);
  tl_scene_end (lesson->scene);
}

static void
draw_banks (const Lesson *lesson, TlBox box)
{
  guint32 domains[MOST_BANKS];
  guint   n = 0;

  for (guint i = 0; i < outcomes (lesson); i++)
    {
      gboolean known = FALSE;
      for (guint d = 0; d < n; d++)
        known |= domains[d] == outcome_at (lesson, i)->domain;
      if (!known && n < MOST_BANKS)
        domains[n++] = outcome_at (lesson, i)->domain;
    }
  for (guint d = 0; d < n; d++)
    draw_bank (lesson, tl_box (box.x + d * box.width / n, box.y, box.width / n - 12, box.height), domains[d], d);
}

/* --- Rows: the next request --- */

/* What bit @b of a unit's number chooses. */
static const char *
bit_part (const Lesson *lesson, guint b, TlRole *ink)
{
  TlAddressMap  *map = tl_target_map (lesson->moment->play->target);
  const guint64 *rows = tl_address_map_rows (map);
  guint          columns = tl_address_map_column_bits (map), above = columns + tl_address_map_row_bits (map);
  gboolean       in_column = FALSE, in_row = FALSE, in_bank = FALSE;

  for (guint i = 0; i < tl_address_map_bits (map); i++)
    if (rows[i] >> b & 1)
      {
        in_column |= i < columns;
        in_row |= i >= columns && i < above;
        in_bank |= i >= above;
      }
  *ink = in_row ? TL_ROLE_CONFLICT : in_bank ? TL_ROLE_COMPUTE : TL_ROLE_HIT;
  if (in_row + in_bank + in_column > 1)
    return "mixed";
  return in_row ? "row" : in_bank ? "bank" : "col";
}

static void
draw_bits (const Lesson *lesson, float x, float y, guint64 unit, guint64 other, gboolean compare)
{
  guint bits = MIN (tl_address_map_bits (tl_target_map (lesson->moment->play->target)), MOST_BITS);
  float s = lesson->scale, pitch = 52 * s;

  for (guint b = bits; b-- > 0;)
    {
      TlRole           part_role;
      const char      *part = bit_part (lesson, b, &part_role);
      float            at = x + (bits - 1 - b) * pitch;
      gboolean         differs = compare && ((unit ^ other) >> b & 1);
      TlStyle          style = tl_fill_stroke (tl_color_over (role (lesson, part_role), role (lesson, TL_ROLE_VIEW),
                                                     lesson->scene->theme == TL_THEME_PRINT ? 0 : 0.18),
                                               role (lesson, differs ? TL_ROLE_INK : TL_ROLE_LINE), differs ? 3 * s : 1);
      g_autofree char *name = g_strdup_printf ("b%u", b);
      style.radius = 4;
      tl_scene_rect (lesson->scene, tl_box (at, y, pitch - 6 * s, 44 * s), style);
      tl_scene_label (lesson->scene, at + pitch / 2 - 3 * s, y + 31 * s, TL_ANCHOR_MIDDLE, 26 * s, TRUE,
                      role (lesson, TL_ROLE_INK), "%u", (guint) (unit >> b & 1));
      label (lesson, at + pitch / 2 - 3 * s, y - 7 * s, TL_ANCHOR_MIDDLE, 13, FALSE, TL_ROLE_INK2, name);
      label (lesson, at + pitch / 2 - 3 * s, y + 62 * s, TL_ANCHOR_MIDDLE, 15, TRUE,
             part_role == TL_ROLE_CONFLICT  ? TL_ROLE_CONFLICT_INK
             : part_role == TL_ROLE_COMPUTE ? TL_ROLE_COMPUTE_INK
                                            : TL_ROLE_HIT_INK,
             part);
    }
}

static void
draw_request (const Lesson *lesson, TlBox box)
{
  float                  s = lesson->scale, y = box.y + 20 * s;
  gboolean               asked = lesson->moment->revealed < outcomes (lesson);
  guint                  index = asked ? lesson->moment->revealed : outcomes (lesson) - 1;
  const TlLessonOutcome *now = outcome_at (lesson, index);
  guint                  bits = MIN (tl_address_map_bits (tl_target_map (lesson->moment->play->target)), MOST_BITS);
  g_autofree char       *head = asked ? g_strdup_printf ("Next request: unit %" G_GUINT64_FORMAT, now->unit)
                                      : g_strdup_printf ("Last request: unit %" G_GUINT64_FORMAT, now->unit);

  tl_scene_begin (lesson->scene, "request", head, now->unit, "lesson-request");
  label (lesson, box.x, y, TL_ANCHOR_START, 22, TRUE, TL_ROLE_INK, head);
  draw_bits (lesson, box.x, y + 34 * s, now->unit, index > 0 ? outcome_at (lesson, index - 1)->unit : 0, index > 0);
  tl_scene_hit (lesson->scene, tl_box (box.x, box.y, 52 * s * bits, 124 * s));
  tl_scene_end (lesson->scene);
  float below = y + 34 * s + 44 * s + 52 * s;
  if (index > 0)
    {
      g_autofree char *text = g_strdup_printf ("Before it: unit %" G_GUINT64_FORMAT ". Thick bits differ.",
                                               outcome_at (lesson, index - 1)->unit);
      label (lesson, box.x, below, TL_ANCHOR_START, 16, FALSE, TL_ROLE_INK2, text);
    }
  if (!asked || lesson->moment->revealed > 0)
    {
      const TlLessonOutcome *last = outcome_at (lesson, lesson->moment->revealed - 1);
      g_autofree char       *text = g_strdup_printf ("Unit %" G_GUINT64_FORMAT ": %s.", last->unit, last->value);
      label (lesson, box.x, below + 30 * s, TL_ANCHOR_START, 16, FALSE, TL_ROLE_INK, text);
    }
}

/* --- Rows: the history --- */

static void
draw_history (const Lesson *lesson, TlBox box)
{
  float s = lesson->scale, pitch = MIN (70 * s, box.width / (MIN (outcomes (lesson), MOST_HISTORY) + 3));
  guint n = outcomes (lesson), revealed = lesson->moment->revealed;
  guint first
      = n > MOST_HISTORY && revealed > MOST_HISTORY / 2 ? MIN (revealed - MOST_HISTORY / 2, n - MOST_HISTORY) : 0;
  guint count[3] = { 0 };

  for (guint i = 0; i < revealed; i++)
    count[outcome_at (lesson, i)->letter == 'H' ? 0 : outcome_at (lesson, i)->letter == 'M' ? 1 : 2]++;
  for (guint i = first; i < MIN (n, first + MOST_HISTORY); i++)
    {
      const TlLessonOutcome *outcome = outcome_at (lesson, i);
      TlBox                  at = tl_box (box.x + (i - first) * pitch, box.y, pitch - 8 * s, 64 * s);
      gboolean               next = i == revealed;
      g_autofree char       *unit = g_strdup_printf ("%" G_GUINT64_FORMAT, outcome->unit);
      g_autofree char       *title = i < revealed ? g_strdup_printf ("%s: %s", outcome->what, outcome->value)
                                                  : g_strdup_printf ("%s: not asked yet", outcome->what);
      TlStyle                style = tl_fill_stroke (role (lesson, i < revealed ? TL_ROLE_VIEW : TL_ROLE_SLOT),
                                                     role (lesson, next ? TL_ROLE_INK : TL_ROLE_LINE), next ? 3 * s : 1);
      style.radius = 6;
      tl_scene_begin (lesson->scene, "outcome", title, i, "lesson-history-%u", i);
      tl_scene_rect (lesson->scene, at, style);
      tl_scene_hit (lesson->scene, at);
      if (i < revealed)
        draw_letter (lesson, at.x + at.width / 2, at.y + 38 * s, outcome->letter);
      else if (next)
        label (lesson, at.x + at.width / 2, at.y + 43 * s, TL_ANCHOR_MIDDLE, 32, TRUE, TL_ROLE_INK, "?");
      label (lesson, at.x + at.width / 2, at.y + 84 * s, TL_ANCHOR_MIDDLE, 16, next, next ? TL_ROLE_INK : TL_ROLE_INK2,
             unit);
      tl_scene_end (lesson->scene);
    }
  float            x = box.x + MIN (n, MOST_HISTORY) * pitch + 16 * s;
  g_autofree char *hits = g_strdup_printf ("H %u", count[0]);
  g_autofree char *misses = g_strdup_printf ("M %u", count[1]);
  g_autofree char *conflicts = g_strdup_printf ("C %u", count[2]);
  label (lesson, x, box.y + 18 * s, TL_ANCHOR_START, 19, TRUE, TL_ROLE_HIT_INK, hits);
  label (lesson, x, box.y + 43 * s, TL_ANCHOR_START, 19, TRUE, TL_ROLE_MISS_INK, misses);
  label (lesson, x, box.y + 68 * s, TL_ANCHOR_START, 19, TRUE, TL_ROLE_CONFLICT_INK, conflicts);
}

static void
draw_rows (const Lesson *lesson)
{
  TlBox box = lesson->box;
  float s = lesson->scale, bottom = 96 * s, middle = box.width * 0.46f;

  draw_banks (lesson, tl_box (box.x, box.y, middle, box.height - bottom - 12 * s));
  draw_request (lesson, tl_box (box.x + middle + 16 * s, box.y, box.width - middle, box.height - bottom));
  draw_history (lesson, tl_box (box.x + 8 * s, box.y + box.height - bottom, box.width - 8 * s, bottom));
}

/* --- Owners and tiers: the questions --- */

static void
draw_questions (const Lesson *lesson, TlBox box)
{
  float s = lesson->scale, y = box.y;

  for (guint i = 0; i < outcomes (lesson); i++)
    {
      const TlLessonOutcome *outcome = outcome_at (lesson, i);
      gboolean               revealed = i < lesson->moment->revealed, next = i == lesson->moment->revealed;
      TlBox                  at = tl_box (box.x, y, 64 * s, 64 * s);
      g_autofree char       *title
          = g_strdup_printf ("%s: %s", outcome->what, revealed ? outcome->value : "not revealed yet");
      TlStyle style = tl_fill_stroke (role (lesson, revealed ? TL_ROLE_VIEW : TL_ROLE_SLOT),
                                      role (lesson, next ? TL_ROLE_INK : TL_ROLE_LINE), next ? 3 * s : 1);
      style.radius = 6;
      tl_scene_begin (lesson->scene, "outcome", title, i, "lesson-question-%u", i);
      tl_scene_rect (lesson->scene, at, style);
      tl_scene_hit (lesson->scene, tl_box (box.x, y, box.width, 64 * s));
      if (revealed)
        draw_letter (lesson, at.x + at.width / 2, at.y + 34 * s, outcome->letter);
      else if (next)
        label (lesson, at.x + at.width / 2, at.y + 43 * s, TL_ANCHOR_MIDDLE, 32, TRUE, TL_ROLE_INK, "?");
      label (lesson, at.x + 80 * s, at.y + 26 * s, TL_ANCHOR_START, 19, TRUE, TL_ROLE_INK, outcome->what);
      if (revealed)
        label (lesson, at.x + 80 * s, at.y + 52 * s, TL_ANCHOR_START, 16, FALSE, TL_ROLE_INK2, outcome->value);
      tl_scene_end (lesson->scene);
      y += 88 * s;
    }
}

static void
draw_owners (const Lesson *lesson)
{
  const TlPimProgram *program = lesson->moment->play->build->program;
  float               s = lesson->scale, side = MIN (lesson->box.height, lesson->box.width * 0.5f);
  TlBox               map = tl_box (lesson->box.x, lesson->box.y, side, side);

  if (lesson->moment->revealed > 0)
    {
      g_autofree char *selection = g_strdup_printf ("pu-%u", program->owner[0]);
      TlView           view = { .program = program, .selection = selection };
      g_autofree char *legend = g_strdup_printf ("PU of each tile; those of PU %u are outlined", program->owner[0]);
      tl_view_tiles (lesson->scene, map, &view);
      label (lesson, map.x + side + 40 * s, lesson->box.y + lesson->box.height - 12 * s, TL_ANCHOR_START, 15, FALSE,
             TL_ROLE_INK2, legend);
    }
  else
    {
      TlBox   cover = tl_box (map.x + 24, map.y + 14, side - 28, side - 18);
      TlStyle style = tl_fill_stroke (role (lesson, TL_ROLE_SLOT), role (lesson, TL_ROLE_LINE), 1);
      tl_scene_begin (lesson->scene, "cover", "the owner map is covered until the first answer", 0, "lesson-cover");
      tl_scene_rect (lesson->scene, cover, style);
      tl_scene_hit (lesson->scene, cover);
      g_autofree char *size = g_strdup_printf ("%u x %u tiles", program->tiles, program->tiles);
      label (lesson, cover.x + cover.width / 2, cover.y + cover.height / 2, TL_ANCHOR_MIDDLE, 44, TRUE, TL_ROLE_INK2,
             "?");
      label (lesson, cover.x + cover.width / 2, cover.y + cover.height / 2 + 36 * s, TL_ANCHOR_MIDDLE, 17, FALSE,
             TL_ROLE_INK2, size);
      tl_scene_end (lesson->scene);
    }
  draw_questions (lesson, tl_box (map.x + side + 40 * s, lesson->box.y + 24 * s, lesson->box.width - side - 48 * s,
                                  lesson->box.height - 24 * s));
}

/* Which tiers the tiles lie in, one strip a tier, T0 at the bottom. */
static void
draw_tiers (const Lesson *lesson, TlBox box)
{
  const TlPimProgram *program = lesson->moment->play->build->program;
  const TlPimMachine *machine = &program->machine;
  float               s = lesson->scale, strip = MIN (box.height / machine->tiers, 48 * s);
  gsize               all = (gsize) program->tiles * program->tiles;
  guint64             tiles[TL_MAX_TIERS] = { 0 };

  for (gsize t = 0; t < all; t++)
    tiles[program->tier[t]]++;
  for (guint t = 0; t < machine->tiers; t++)
    {
      float            y = box.y + (machine->tiers - 1 - t) * strip, x = box.x + 128 * s, width = box.width - 132 * s;
      double           share = (double) tiles[t] / MAX (all, 1);
      g_autofree char *latency = tl_format_ps (machine->tier[t].tRCD);
      g_autofree char *title
          = g_strdup_printf ("tier %u: a row opens in %s, %.0f %% of the tiles", t, latency, share * 100);
      g_autofree char *name = g_strdup_printf ("T%u", t);
      TlStyle          rail = tl_fill (role (lesson, TL_ROLE_SLOT)),
              bar = tl_fill_stroke (tl_theme_tier (lesson->scene->theme, t, machine->tiers),
                                    role (lesson, TL_ROLE_OUTLINE), 1);
      rail.radius = bar.radius = 3;
      tl_scene_begin (lesson->scene, "tier", title, t, "lesson-tier-%u", t);
      label (lesson, box.x, y + strip * 0.62f, TL_ANCHOR_START, 17, TRUE, TL_ROLE_INK, name);
      label (lesson, x - 10 * s, y + strip * 0.62f, TL_ANCHOR_END, 15, FALSE, TL_ROLE_INK2, latency);
      tl_scene_rect (lesson->scene, tl_box (x, y + strip * 0.2f, width, strip * 0.6f), rail);
      if (share > 0)
        tl_scene_rect (lesson->scene, tl_box (x, y + strip * 0.2f, width * (float) share, strip * 0.6f), bar);
      tl_scene_hit (lesson->scene, tl_box (box.x, y, box.width, strip));
      tl_scene_end (lesson->scene);
    }
}

/* Makespan before and now, now only when it is revealed. */
static void
draw_bars (const Lesson *lesson, TlBox box)
{
  const TlLessonPlay *play = lesson->moment->play;
  float               s = lesson->scale;
  guint64             before = outcomes (lesson) > 1 ? outcome_at (lesson, 1)->before : 0;
  guint64             now = play->run->makespan_ps, longest = MAX (MAX (before, now), 1);
  gboolean            shown = lesson->moment->revealed >= outcomes (lesson);

  /* Even the scale must not tell what is covered. */
  if (!shown)
    longest = MAX (before + before / 3, 1);
  for (guint b = before > 0 ? 0 : 1; b < 2; b++)
    {
      gboolean         covered = b == 1 && !shown;
      guint64          value = b == 0 ? before : now;
      float            y = box.y + b * 52 * s, x = box.x + 78 * s, width = box.width - 200 * s;
      g_autofree char *text = covered ? g_strdup ("?") : tl_format_ps (value);
      TlStyle          style = tl_fill_stroke (role (lesson, covered  ? TL_ROLE_SLOT
                                                             : b == 0 ? TL_ROLE_IDLE
                                                                      : TL_ROLE_COMPUTE),
                                               role (lesson, TL_ROLE_OUTLINE), 1);
      style.dash = covered ? TL_DASH_4_2 : TL_DASH_NONE;
      float length = covered ? width : width * (float) ((double) value / longest);
      tl_scene_begin (lesson->scene, "bar", covered ? "the makespan is covered" : "makespan", b, "lesson-bar-%u", b);
      label (lesson, x - 10 * s, y + 24 * s, TL_ANCHOR_END, 16, FALSE, TL_ROLE_INK2, b == 0 ? "before" : "now");
      tl_scene_rect (lesson->scene, tl_box (x, y, length, 34 * s), style);
      label (lesson, x + length + 10 * s, y + 25 * s, TL_ANCHOR_START, 20, TRUE, TL_ROLE_INK, text);
      tl_scene_hit (lesson->scene, tl_box (x, y, width, 34 * s));
      tl_scene_end (lesson->scene);
    }
}

static void
draw_places (const Lesson *lesson)
{
  TlBox box = lesson->box;
  float s = lesson->scale, middle = box.width * 0.42f;

  draw_tiers (lesson, tl_box (box.x, box.y + 8 * s, middle, box.height - 16 * s));
  draw_questions (lesson, tl_box (box.x + middle + 40 * s, box.y + 24 * s, box.width - middle - 48 * s, 0));
  draw_bars (lesson, tl_box (box.x + middle + 30 * s, box.y + box.height - 120 * s, box.width - middle - 40 * s, 0));
}

char *
tl_lesson_history (const TlLessonMoment *moment)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (moment->revealed, moment->play->outcomes->len); i++)
    g_string_append_printf (text, i > 0 ? " %c" : "%c",
                            g_array_index (moment->play->outcomes, TlLessonOutcome, i).letter);
  if (moment->revealed < moment->play->outcomes->len)
    g_string_append (text, moment->revealed > 0 ? " ?" : "?");
  return g_string_free (text, FALSE);
}

static const char *
choice_name (const TlLesson *lesson, char letter)
{
  guint                 n;
  const TlLessonChoice *choices = tl_lesson_choices (lesson->scene, &n);

  for (guint i = 0; i < n; i++)
    if (choices[i].letter == letter)
      return choices[i].name;
  return "";
}

char *
tl_lesson_caption (const TlLessonMoment *moment)
{
  GString            *text = g_string_new (NULL);
  const GArray       *outcomes = moment->play->outcomes;
  const TlLessonCase *at = g_ptr_array_index (moment->lesson->cases, moment->play->index);

  if (moment->guess != 0)
    g_string_append_printf (text, "Not %s. Look again, or reveal it. ", choice_name (moment->lesson, moment->guess));
  else if (moment->revealed > 0 && moment->revealed <= outcomes->len)
    {
      const TlLessonOutcome *last = &g_array_index (outcomes, TlLessonOutcome, moment->revealed - 1);
      g_string_append_printf (text, "%c%s, %s: %s. ", g_ascii_toupper (last->what[0]), last->what + 1,
                              choice_name (moment->lesson, last->letter), last->value);
    }
  if (moment->revealed < outcomes->len)
    g_string_append_printf (text, "Asked: %s.", g_array_index (outcomes, TlLessonOutcome, moment->revealed).what);
  else
    g_string_append (text, at->answer);
  return g_string_free (text, FALSE);
}

void
tl_view_lesson (TlScene *scene, TlBox box, const TlLessonMoment *moment)
{
  Lesson           lesson = { .scene = scene, .moment = moment, .box = box };
  g_autofree char *caption = tl_lesson_caption (moment);
  g_autofree char *history = tl_lesson_history (moment);
  g_autofree char *description
      = *history != '\0' ? g_strdup_printf ("%s So far: %s", caption, history) : g_strdup (caption);

  lesson.scale = MIN (box.width / 1000, box.height / 420);
  tl_scene_describe (scene, moment->lesson->title, description);
  switch (moment->lesson->scene)
    {
    case TL_LESSON_ROWS:
      draw_rows (&lesson);
      break;
    case TL_LESSON_OWNERS:
      draw_owners (&lesson);
      break;
    case TL_LESSON_TIERS:
    default:
      draw_places (&lesson);
    }
}
