/* The card that tells why a row was shut: the bank's time, the two requests, the bits
 * of the row number that differ, what it cost. */
#include "base/number.h"
#include "scene/marks.h"
#include "scene/view.h"
#include "scene/why-private.h"
#include "scene/why.h"

#include <string.h>

static const char *
operand_words (guint8 operand)
{
  static const char *const words[] = { "the tile itself", "left operand", "right operand", "the pivot" };

  return words[MIN (operand, 3)];
}

static const char *
data_name (const TlView *view)
{
  return view->program->data != NULL && view->program->data->len > 0
             ? ((const TlDataSource *) g_ptr_array_index (view->program->data, 0))->name
             : "D";
}

/* "D[3,5]", "the copy of D[3,7]". (transfer full) */
static char *
tile_text (const TlView *view, const TlConflictSide *side)
{
  const char *copy = side->use.kind == TL_ROW_TILE ? "" : "copy of ";

  if (side->use.kind == TL_ROW_EMPTY)
    return g_strdup ("no tile");
  return g_strdup_printf ("%s%s[%u,%u]", copy, data_name (view), side->use.i, side->use.j);
}

void
tl_why_draw_time (TlScene *scene, TlBox box, const TlWhyTime *time)
{
  TlThemeKind theme = scene->theme;
  TlColor     ink = tl_theme_color (theme, TL_ROLE_INK), outline = tl_theme_color (theme, TL_ROLE_OUTLINE);
  TlColor     paper = tl_theme_color (theme, TL_ROLE_VIEW), red = tl_theme_color (theme, TL_ROLE_CONFLICT);
  guint64     pre_end = time->pre + time->tRP, act_end = time->act + time->tRCD;
  guint64     end = MAX (time->column, act_end), lead = (end - time->pre) / 2 + 1;
  guint64     from = time->pre > lead ? time->pre - lead : 0;
  double      scale = (box.width - 30) / (double) (end - from);
  float       y = box.y + 16, pre = box.x + (float) ((time->pre - from) * scale);
  float       shut = box.x + (float) ((pre_end - from) * scale), act = box.x + (float) ((time->act - from) * scale);
  float       open = box.x + (float) ((act_end - from) * scale), column = box.x + (float) ((end - from) * scale);
  TlStyle     old = tl_fill_stroke (
          tl_color_over (tl_theme_color (theme, TL_ROLE_HIT), paper, theme == TL_THEME_PRINT ? 0 : 0.22), outline, 1);
  TlStyle dots = tl_stroke (tl_theme_color (theme, TL_ROLE_INK2), 1.2f);
  dots.dash = TL_DASH_DOTS;
  tl_scene_rect (scene, tl_box (box.x, y, pre - box.x, 26), old);
  if (pre - box.x > tl_scene_text_width (time->open, 12, FALSE, FALSE) + 12)
    tl_scene_label (scene, box.x + 8, y + 17, TL_ANCHOR_START, 12, FALSE, ink, "%s", time->open);
  tl_scene_rect (scene, tl_box (pre, y, shut - pre, 26), tl_fill_stroke (paper, red, 1.4f));
  if (shut - pre > 30)
    tl_scene_label (scene, (pre + shut) / 2, y + 17, TL_ANCHOR_MIDDLE, 11.5f, TRUE,
                    tl_theme_color (theme, TL_ROLE_CONFLICT_INK), "PRE");
  if (act > shut + 1)
    tl_scene_line (scene, shut, y + 13, act, y + 13, dots);
  TlStyle opening = tl_fill_stroke (tl_color_over (red, paper, theme == TL_THEME_PRINT ? 0 : 0.65), outline, 1);
  if (theme == TL_THEME_PRINT)
    {
      opening.texture = TL_TEXTURE_CROSS;
      opening.texture_color = ink;
    }
  tl_scene_rect (scene, tl_box (act, y, MAX (open - act, 2), 26), opening);
  if (open - act > 30 && theme != TL_THEME_PRINT)
    tl_scene_label (scene, (act + open) / 2, y + 17, TL_ANCHOR_MIDDLE, 11.5f, TRUE, ink, "ACT");
  if (column > open + 1)
    tl_scene_line (scene, open, y + 13, column, y + 13, dots);
  tl_mark_disc (scene, column + 7, y + 13, 10, tl_theme_color (theme, TL_ROLE_HIT), outline);

  g_autofree char *lost = tl_format_ps (end - time->pre), *close = tl_format_ps (time->tRP);
  g_autofree char *reopen = tl_format_ps (time->tRCD), *wait = tl_format_ps (end - time->pre - time->tRP - time->tRCD);
  guint64          clock = MAX (time->clock, 1);
  g_autofree char *cycles = tl_format_count ((end - time->pre + clock - 1) / clock);
  const TlPathStep brace[] = {
    { 'M', { pre, y + 34 } }, { 'L', { pre, y + 39 } }, { 'L', { column, y + 39 } }, { 'L', { column, y + 34 } }
  };
  tl_scene_path (scene, brace, 4, tl_stroke (ink, 1));
  tl_scene_label (scene, box.x + box.width / 2, y + 56, TL_ANCHOR_MIDDLE, 12, TRUE, ink,
                  "%s lost = PRE %s + ACT %s + waits %s   (%s cycles)", lost, close, reopen, wait, cycles);
}

static void
draw_side (TlScene *scene, float x, float y, const TlView *view, const TlConflictSide *side, gboolean wanted)
{
  TlThemeKind      theme = scene->theme;
  TlColor          ink = tl_theme_color (theme, TL_ROLE_INK), ink2 = tl_theme_color (theme, TL_ROLE_INK2);
  g_autofree char *tile = tile_text (view, side);
  guint            rows = (guint) MAX (view->program->machine.rows, 1);

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12.5f, TRUE, ink, "%s %s", wanted ? "Wanted:" : "Open:", tile);
  tl_scene_label (scene, x, y + 17, TL_ANCHOR_START, 11.5f, FALSE, ink2, "row %u of T%u, row %u of the tile",
                  side->row % rows, side->tier, side->use.index);
  if (side->known)
    tl_scene_label (scene, x, y + 33, TL_ANCHOR_START, 11.5f, FALSE, ink2, "%s of %s[%u,%u] at step %u, %s",
                    operand_words (side->operand), data_name (view), side->i, side->j, side->k + 1,
                    side->write ? "written" : "read");
  else
    tl_scene_label (scene, x, y + 33, TL_ANCHOR_START, 11.5f, FALSE, ink2, "left open by an earlier tile");
  if (side->opened > 0 || side->last > 0)
    {
      g_autofree char *opened = tl_format_ps (side->opened), *last = tl_format_ps (side->last);
      tl_scene_label (scene, x, y + 49, TL_ANCHOR_START, 11.5f, FALSE, ink2, "%s %s, %s %s", "opened at",
                      side->opened > 0 ? opened : "?", wanted ? "first used" : "last used",
                      side->last > 0 ? last : "never");
    }
}

static guint
bits_of (guint32 value)
{
  guint bits = 0;

  while (value >> bits != 0 && bits < 31)
    bits++;
  return MAX (bits, 1);
}

void
tl_why_draw_bits (TlScene *scene, float x, float y, float width, guint64 open, guint64 wanted, guint bits)
{
  TlThemeKind theme = scene->theme;
  guint64     numbers[2] = { open, wanted }, difference = open ^ wanted;
  float       pitch = MIN (22, (width - 80) / bits);

  for (guint b = 0; b < bits; b++)
    {
      float    left = x + 80 + (bits - 1 - b) * pitch;
      gboolean differs = (difference >> b & 1) != 0;
      if (pitch >= 16)
        tl_scene_label (scene, left + pitch / 2 - 1, y - 4, TL_ANCHOR_MIDDLE, 9, FALSE,
                        tl_theme_color (theme, TL_ROLE_INK2), "%u", b);
      for (guint n = 0; n < 2; n++)
        {
          TlColor fill = differs
                             ? tl_color_over (tl_theme_color (theme, TL_ROLE_CONFLICT),
                                              tl_theme_color (theme, TL_ROLE_VIEW), theme == TL_THEME_PRINT ? 0 : 0.55)
                             : tl_theme_color (theme, TL_ROLE_VIEW);
          TlStyle style = tl_fill_stroke (fill, tl_theme_color (theme, differs ? TL_ROLE_OUTLINE : TL_ROLE_LINE),
                                          differs ? 1.6f : 1);
          style.radius = 3;
          tl_scene_rect (scene, tl_box (left, y + n * 22, pitch - 2, 19), style);
          tl_scene_text (scene, &(TlText) { .x = left + pitch / 2 - 1,
                                            .y = y + n * 22 + 14,
                                            .size = MIN (12, pitch * 0.7f),
                                            .mono = TRUE,
                                            .bold = differs,
                                            .anchor = TL_ANCHOR_MIDDLE,
                                            .color = tl_theme_color (theme, TL_ROLE_INK),
                                            .text = numbers[n] >> b & 1 ? "1" : "0" });
        }
    }
  tl_scene_label (scene, x, y + 14, TL_ANCHOR_START, 11.5f, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "open");
  tl_scene_label (scene, x, y + 36, TL_ANCHOR_START, 11.5f, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "wanted");
}

/* Both row numbers, and in words what makes them two rows of one bank. */
static void
draw_rows (TlScene *scene, float x, float y, float width, const TlView *view, const TlConflict *conflict)
{
  TlThemeKind theme = scene->theme;
  guint       rows = (guint) MAX (view->program->machine.rows, 1);
  guint32     numbers[2] = { conflict->open.row % rows, conflict->wanted.row % rows };
  guint32     difference = numbers[0] ^ numbers[1];
  guint       bits = MAX (bits_of (numbers[0]), bits_of (numbers[1]));
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint b = 0; b < bits; b++)
    if ((difference >> b & 1) != 0)
      g_string_append_printf (names, "%s%u", names->len > 0 ? ", " : "", b);
  tl_why_draw_bits (scene, x, y, width, numbers[0], numbers[1], bits);
  if (difference == 0)
    tl_scene_label (scene, x, y + 60, TL_ANCHOR_START, 12, TRUE, tl_theme_color (theme, TL_ROLE_CONFLICT_INK),
                    "Same number in T%u and T%u: two rows of one bank, one row buffer.", conflict->open.tier,
                    conflict->wanted.tier);
  else
    tl_scene_label (scene, x, y + 60, TL_ANCHOR_START, 12, TRUE, tl_theme_color (theme, TL_ROLE_CONFLICT_INK),
                    "Row %s %s differ%s: another row of the same bank.",
                    strchr (names->str, ',') != NULL ? "bits" : "bit", names->str,
                    strchr (names->str, ',') != NULL ? "" : "s");
}

void
tl_view_why (TlScene *scene, TlBox box, const TlView *view)
{
  TlThemeKind theme = scene->theme;
  TlColor     ink = tl_theme_color (theme, TL_ROLE_INK), ink2 = tl_theme_color (theme, TL_ROLE_INK2);
  TlStyle     card = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_CARD), tl_theme_color (theme, TL_ROLE_LINE), 1);
  guint32     pu, bank;
  guint64     act;
  TlConflict  conflict;
  float       x = box.x + 16, y = box.y + 28;

  card.radius = 10;
  tl_scene_begin (scene, "card", "why the row was shut", 0, "why");
  tl_scene_rect (scene, tl_box (box.x + 0.5f, box.y + 0.5f, box.width - 1, box.height - 1), card);
  if (view->run == NULL || !tl_conflict_parse (view->selection, &pu, &bank, &act)
      || !tl_conflict_find (view->run, pu, bank, act, &conflict))
    {
      tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, ink, "No conflict is selected");
      tl_scene_label (scene, x, y + 20, TL_ANCHOR_START, 12, FALSE, ink2, "%s",
                      view->program->page == TL_PAGE_OPEN ? "N goes to the next one."
                                                          : "With page = closed there are none.");
      tl_scene_end (scene);
      return;
    }
  guint            groups = MAX (view->program->machine.groups, 1);
  g_autofree char *at = tl_format_ps (conflict.act);
  tl_mark_cross (scene, x + 9, y - 6, 18, tl_theme_color (theme, TL_ROLE_CONFLICT),
                 tl_theme_color (theme, TL_ROLE_OUTLINE));
  tl_scene_label (scene, x + 28, y, TL_ANCHOR_START, 18, TRUE, ink, "Conflict");
  tl_scene_label (scene, x + 112, y, TL_ANCHOR_START, 12.5f, FALSE, ink2, "bank C%u.G%u.B%u of PU %u at %s",
                  pu / groups, pu % groups, bank, pu, at);
  g_autofree char *open_row
      = g_strdup_printf ("row %u open", (guint) (conflict.open.row % MAX (view->program->machine.rows, 1)));
  TlWhyTime time
      = { conflict.pre, conflict.act, conflict.column, conflict.tRP, conflict.tRCD, view->program->machine.clock,
          open_row };
  tl_why_draw_time (scene, tl_box (x, y + 14, box.width - 32, 80), &time);
  draw_side (scene, x, y + 112, view, &conflict.open, FALSE);
  draw_side (scene, x + (box.width - 32) / 2, y + 112, view, &conflict.wanted, TRUE);
  draw_rows (scene, x, y + 190, box.width - 32, view, &conflict);
  if (view->statement != NULL)
    {
      tl_scene_label (scene, x, y + 276, TL_ANCHOR_START, 11.5f, FALSE, ink2, "line %u", view->statement_line);
      tl_scene_text (
          scene,
          &(TlText) { .x = x + 50, .y = y + 276, .size = 11.5f, .mono = TRUE, .color = ink, .text = view->statement });
    }
  tl_scene_end (scene);
}
