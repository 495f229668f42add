/* The whole run as a strip, and under it the lanes of a window of it. */
#include "base/number.h"
#include "scene/marks.h"
#include "scene/view.h"

#include <math.h>
#include <string.h>

#define LABELS 118
#define STRIP  30
#define LANE   15.8f
#define BAR    12

typedef struct
{
  TlScene      *scene;
  const TlView *view;
  float         x, y, width, height;
} Timeline;

static void
draw_strip (const Timeline *timeline)
{
  TlScene            *scene = timeline->scene;
  TlThemeKind         theme = scene->theme;
  const TlView       *view = timeline->view;
  const TlRunSummary *summary = view->summary;
  g_autoptr (GArray) busy = g_array_new (FALSE, FALSE, sizeof (TlBox));
  g_autoptr (GArray) computing = g_array_new (FALSE, FALSE, sizeof (TlBox));

  tl_scene_begin (scene, "strip", "whole run: share of PUs busy and computing", 0, "whole-run");
  tl_scene_label (scene, timeline->x - LABELS + 10, timeline->y + 13, TL_ANCHOR_START, 11, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "Whole run");
  tl_scene_label (scene, timeline->x - LABELS + 10, timeline->y + 25, TL_ANCHOR_START, 10.5f, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "PUs busy");
  tl_scene_rect (scene, tl_box (timeline->x, timeline->y, timeline->width, STRIP - 4),
                 tl_fill (tl_theme_color (theme, TL_ROLE_SLOT)));
  for (guint c = 0; summary != NULL && c < summary->n; c++)
    {
      float width = timeline->width / summary->n, x = timeline->x + c * width;
      float tall = MIN (summary->busy[c], 1) * (STRIP - 4), low = MIN (summary->computing[c], 1) * (STRIP - 4);
      TlBox full = tl_box (x, timeline->y + STRIP - 4 - tall, MAX (width - 0.5f, 0.5f), tall - low);
      TlBox part = tl_box (x, timeline->y + STRIP - 4 - low, MAX (width - 0.5f, 0.5f), low);
      if (full.height > 0)
        g_array_append_val (busy, full);
      if (part.height > 0)
        g_array_append_val (computing, part);
    }
  TlStyle light = tl_fill (tl_theme_color (theme, TL_ROLE_QUEUE)),
          green = tl_fill (tl_theme_color (theme, TL_ROLE_COMPUTE));
  if (theme == TL_THEME_PRINT)
    {
      light = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), tl_theme_color (theme, TL_ROLE_INK), 0.4f);
      green = tl_fill (tl_theme_color (theme, TL_ROLE_INK));
    }
  tl_scene_rects (scene, (const TlBox *) busy->data, busy->len, light);
  tl_scene_rects (scene, (const TlBox *) computing->data, computing->len, green);
  if (view->run != NULL && view->run->makespan > 0 && view->lanes != NULL)
    {
      double scale = timeline->width / (double) view->run->makespan;
      float  x = timeline->x + (float) (view->lanes->from * scale);
      float  width = MAX ((float) ((view->lanes->to - view->lanes->from) * scale), 2);
      tl_scene_rect (scene, tl_box (x, timeline->y - 1, MIN (width, timeline->x + timeline->width - x), STRIP - 2),
                     tl_fill_stroke (tl_color_alpha (tl_theme_color (theme, TL_ROLE_ACCENT), 0.22),
                                     tl_theme_color (theme, TL_ROLE_ACCENT), 1));
    }
  if (view->run != NULL && view->frame != NULL && view->run->makespan > 0)
    {
      float x
          = timeline->x
            + (float) (timeline->width * (double) MIN (view->frame->time, view->run->makespan) / view->run->makespan);
      TlStyle knob
          = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), tl_theme_color (theme, TL_ROLE_OUTLINE), 1.6f);
      knob.radius = 2;
      tl_scene_rect (scene, tl_box (x - 2.5f, timeline->y - 3, 5, STRIP + 2), knob);
    }
  tl_scene_hit (scene, tl_box (timeline->x, timeline->y - 2, timeline->width, STRIP));
  tl_scene_end (scene);
}

static const struct
{
  TlRole      role;
  float       height; /* of BAR */
  gboolean    hollow;
  TlTexture   texture;
  const char *words;
} looks[TL_N_LANE_KINDS] = {
  [TL_LANE_WAIT_OPERAND] = { TL_ROLE_WAIT, 0.7f, FALSE, TL_TEXTURE_HORIZONTAL, "waits for a tile" },
  [TL_LANE_WAIT_RING] = { TL_ROLE_WAIT, 0.7f, FALSE, TL_TEXTURE_VERTICAL, "waits for the ring" },
  [TL_LANE_WAIT_BARRIER] = { TL_ROLE_WAIT, 0.7f, FALSE, TL_TEXTURE_CROSS, "waits at the barrier" },
  [TL_LANE_COPY] = { TL_ROLE_QUEUE, 0.8f, FALSE, TL_TEXTURE_DIAGONAL, "writes a copy" },
  [TL_LANE_LOAD] = { TL_ROLE_QUEUE, 0.9f, FALSE, TL_TEXTURE_NONE, "fills its scratchpad" },
  [TL_LANE_COMPUTE] = { TL_ROLE_COMPUTE, 1, FALSE, TL_TEXTURE_NONE, "computes" },
  [TL_LANE_STORE] = { TL_ROLE_HIT, 0.9f, FALSE, TL_TEXTURE_NONE, "writes back" },
  [TL_LANE_CLOSE] = { TL_ROLE_CONFLICT, 0.8f, TRUE, TL_TEXTURE_NONE, "PRE" },
  [TL_LANE_OPEN] = { TL_ROLE_MISS, 1, FALSE, TL_TEXTURE_NONE, "ACT, opening" },
  [TL_LANE_REOPEN] = { TL_ROLE_CONFLICT, 1, FALSE, TL_TEXTURE_NONE, "ACT after a conflict" },
  [TL_LANE_READ] = { TL_ROLE_HIT, 1, FALSE, TL_TEXTURE_NONE, "reads" },
  [TL_LANE_WRITE] = { TL_ROLE_HIT, 1, FALSE, TL_TEXTURE_HORIZONTAL, "writes" },
  [TL_LANE_ROW] = { TL_ROLE_HIT, 0.45f, FALSE, TL_TEXTURE_NONE, "row open" },
  [TL_LANE_SEND] = { TL_ROLE_BROADCAST, 1, FALSE, TL_TEXTURE_NONE, "broadcast" },
};

static TlStyle
kind_style (TlThemeKind theme, TlLaneKind kind)
{
  TlColor color = tl_theme_color (theme, looks[kind].role), view = tl_theme_color (theme, TL_ROLE_VIEW);
  TlStyle style = tl_fill_stroke (color, tl_theme_color (theme, TL_ROLE_OUTLINE), 0.6f);

  if (looks[kind].hollow)
    style = tl_fill_stroke (view, color, 1);
  if (kind == TL_LANE_OPEN || kind == TL_LANE_REOPEN)
    style.fill = tl_color_over (color, view, 0.6);
  if (kind == TL_LANE_ROW)
    style = tl_fill (tl_color_over (color, view, 0.3));
  if (kind <= TL_LANE_WAIT_BARRIER)
    style.stroke = tl_theme_color (theme, TL_ROLE_LINE);
  style.texture = looks[kind].texture;
  style.texture_color = kind <= TL_LANE_WAIT_BARRIER ? tl_theme_color (theme, TL_ROLE_INK3) : view;
  if (theme == TL_THEME_PRINT && kind > TL_LANE_WAIT_BARRIER)
    {
      static const TlTexture print[TL_N_LANE_KINDS]
          = { [TL_LANE_LOAD] = TL_TEXTURE_DOTS,        [TL_LANE_COMPUTE] = TL_TEXTURE_DIAGONAL,
              [TL_LANE_STORE] = TL_TEXTURE_HORIZONTAL, [TL_LANE_REOPEN] = TL_TEXTURE_SOLID,
              [TL_LANE_READ] = TL_TEXTURE_DOTS,        [TL_LANE_WRITE] = TL_TEXTURE_HORIZONTAL,
              [TL_LANE_SEND] = TL_TEXTURE_VERTICAL,    [TL_LANE_COPY] = TL_TEXTURE_CROSS };
      style = tl_fill_stroke (view, 0x000000ff, 0.6f);
      style.texture = print[kind];
      style.texture_color = 0x000000ff;
    }
  return style;
}

static void
draw_marks (const Timeline *timeline, const TlLane *lane, float y)
{
  TlScene *scene = timeline->scene;

  for (TlLaneKind kind = 0; kind < TL_N_LANE_KINDS; kind++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      float height = looks[kind].height * BAR;
      for (guint m = 0; m < lane->marks->len; m++)
        {
          const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
          if (mark->kind != kind)
            continue;
          TlBox box = tl_box (timeline->x + mark->x, y + (LANE - height) / 2, MAX (mark->width, 0.5f), height);
          g_array_append_val (boxes, box);
        }
      TlStyle style = kind_style (scene->theme, kind);
      if (boxes->len > 200)
        style.width = 0;
      tl_scene_rects (scene, (const TlBox *) boxes->data, boxes->len, style);
    }
}

/* Signs on commands wide enough to hold one. */
static void
draw_signs (const Timeline *timeline, const TlLane *lane, float y)
{
  TlScene    *scene = timeline->scene;
  TlThemeKind theme = scene->theme;
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), view = tl_theme_color (theme, TL_ROLE_VIEW);

  for (guint m = 0; m < lane->marks->len; m++)
    {
      const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
      float             x = timeline->x + mark->x + MIN (mark->width / 2, 8), middle = y + LANE / 2;
      if (mark->width < 9)
        continue;
      switch (mark->kind)
        {
        case TL_LANE_CLOSE:
          tl_mark_triangle (scene, x, middle, 7, FALSE, view, outline);
          break;
        case TL_LANE_OPEN:
          tl_mark_diamond (scene, x, middle, 8, view, tl_theme_color (theme, TL_ROLE_MISS_INK));
          break;
        case TL_LANE_REOPEN:
          tl_mark_cross (scene, x, middle, 8, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
          break;
        case TL_LANE_READ:
        case TL_LANE_WRITE:
          for (guint dot = 0; dot < MIN (mark->count, 64) && mark->width / mark->count >= 5; dot++)
            tl_scene_ellipse (scene, timeline->x + mark->x + (dot + 0.5f) * mark->width / mark->count, middle, 1.9f,
                              1.9f, tl_fill (view));
          break;
        case TL_LANE_SEND:
          for (float at = 8; at < mark->width - 4 && at < 400; at += 16)
            tl_mark_chevron (scene, timeline->x + mark->x + at, middle, 7, TRUE,
                             tl_theme_color (theme, TL_ROLE_BROADCAST_EDGE), 1.4f);
          break;
        case TL_LANE_COMPUTE:
        case TL_LANE_LOAD:
          {
            g_autofree char *text = g_strdup_printf (
                "%s [%u,%u]", mark->kind == TL_LANE_COMPUTE ? "computes" : "reads for", mark->i, mark->j);
            if (mark->count == 1 && mark->width > tl_scene_text_width (text, 9, FALSE, FALSE) + 8)
              tl_scene_label (scene, timeline->x + mark->x + 4, middle + 3.2f, TL_ANCHOR_START, 9, FALSE,
                              mark->kind == TL_LANE_COMPUTE && theme != TL_THEME_PRINT ? 0xFFFFFFff : 0x1E1E1Eff, "%s",
                              text);
            break;
          }
        default:
          break;
        }
    }
}

static void
draw_bins (const Timeline *timeline, const TlLane *lane, float y)
{
  static const struct
  {
    TlRole     role;
    TlLaneKind kind;
  } parts[] = { { TL_ROLE_COMPUTE, TL_LANE_COMPUTE }, { TL_ROLE_QUEUE, TL_LANE_LOAD }, { TL_ROLE_HIT, TL_LANE_STORE } };
  g_autofree float *base = g_new0 (float, lane->bins->len);

  for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      for (guint c = 0; c < lane->bins->len; c++)
        {
          const TlLaneBin *bin = &g_array_index (lane->bins, TlLaneBin, c);
          guint8           value = part == 0 ? bin->compute : part == 1 ? bin->load : bin->store;
          float            height = roundf (value / 255.0f * BAR * 4) / 4;
          if (height <= 0)
            continue;
          TlBox  box = tl_box (timeline->x + c, y + (LANE + BAR) / 2 - base[c] - height, 1, height);
          TlBox *last = boxes->len > 0 ? &g_array_index (boxes, TlBox, boxes->len - 1) : NULL;
          if (last != NULL && last->x + last->width == box.x && last->y == box.y && last->height == box.height)
            last->width += 1;
          else
            g_array_append_val (boxes, box);
          base[c] += height;
        }
      TlStyle style = kind_style (timeline->scene->theme, parts[part].kind);
      style.width = 0;
      tl_scene_rects (timeline->scene, (const TlBox *) boxes->data, boxes->len, style);
    }
}

static void
draw_lane (const Timeline *timeline, const TlLane *lane, float y)
{
  TlScene         *scene = timeline->scene;
  TlThemeKind      theme = scene->theme;
  g_autofree char *name = lane->ring       ? g_strdup ("Ring")
                          : lane->bank < 0 ? g_strdup_printf ("PU %u", lane->pu)
                                           : g_strdup_printf ("bank %d", lane->bank);
  gboolean         bank = !lane->ring && lane->bank >= 0;

  if (lane->ring)
    tl_scene_begin (scene, "lane", "ring: broadcasts", 0, "lane-ring");
  else if (!bank)
    tl_scene_begin (scene, "lane", name, lane->pu, "lane-pu-%u", lane->pu);
  else
    tl_scene_begin (scene, "lane", name, (guint64) lane->pu << 32 | (guint) lane->bank, "lane-bank-%u-%d", lane->pu,
                    lane->bank);
  tl_scene_label (scene, timeline->x - LABELS + (bank ? 22 : 10), y + LANE / 2 + 4, TL_ANCHOR_START, 11, !bank,
                  tl_theme_color (theme, bank ? TL_ROLE_INK2 : TL_ROLE_INK), "%s", name);
  if (!bank)
    tl_scene_line (scene, timeline->x - LABELS + 10, y - 0.5f, timeline->x + timeline->width, y - 0.5f,
                   tl_stroke (tl_theme_color (theme, TL_ROLE_LINE), 0.6f));
  if (lane->binned)
    draw_bins (timeline, lane, y);
  else
    {
      draw_marks (timeline, lane, y);
      draw_signs (timeline, lane, y);
    }
  tl_scene_hit (scene, tl_box (timeline->x - LABELS, y, timeline->width + LABELS, LANE));
  tl_scene_end (scene);
}

/* A step of 1, 2 or 5 times a power of ten that leaves at least 70 px a tick. */
static guint64
tick_step (guint64 span, float width)
{
  double least = span / (double) width * 70;
  double power = pow (10, floor (log10 (MAX (least, 1))));

  for (guint m = 0; m < 3; m++)
    {
      static const double steps[] = { 1, 2, 5 };
      if (power * steps[m] >= least)
        return (guint64) (power * steps[m]);
    }
  return (guint64) (power * 10);
}

/* Times from the start of the run while their unit tells ticks apart, else from the
 * left edge. */
static char *
tick_text (const TlLanes *lanes, guint64 time, guint64 step)
{
  if (step >= time / 1000)
    return tl_format_ps (time);
  g_autofree char *text = tl_format_ps (time - lanes->from);
  return g_strdup_printf ("+%s", text);
}

static void
draw_axis (const Timeline *timeline, float y)
{
  const TlLanes *lanes = timeline->view->lanes;
  guint64        span = lanes->to - lanes->from, step = tick_step (span, timeline->width);
  TlThemeKind    theme = timeline->scene->theme;

  gboolean far = step < lanes->from / 1000;

  for (guint64 t = far ? lanes->from : (lanes->from + step - 1) / step * step; t < lanes->to; t += step)
    {
      float            x = timeline->x + (float) ((double) (t - lanes->from) / span * timeline->width);
      g_autofree char *text = tick_text (lanes, t, step);
      tl_scene_line (timeline->scene, x, y + 2, x, timeline->y + timeline->height,
                     tl_stroke (tl_color_alpha (tl_theme_color (theme, TL_ROLE_LINE), 0.6), 0.6f));
      if (x + tl_scene_text_width (text, 10, FALSE, FALSE) / 2 < timeline->x + timeline->width)
        tl_scene_label (timeline->scene, x, y, TL_ANCHOR_MIDDLE, 10, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "%s",
                        text);
    }
}

static void
draw_playhead (const Timeline *timeline, float top)
{
  const TlLanes *lanes = timeline->view->lanes;
  const TlFrame *frame = timeline->view->frame;
  TlColor        ink = tl_theme_color (timeline->scene->theme, TL_ROLE_INK);

  if (frame == NULL || frame->time < lanes->from || frame->time > lanes->to)
    return;
  float x = timeline->x + (float) ((double) (frame->time - lanes->from) / (lanes->to - lanes->from) * timeline->width);
  tl_scene_begin (timeline->scene, "playhead", "the moment shown", frame->time, "playhead");
  tl_scene_line (timeline->scene, x, top, x, timeline->y + timeline->height, tl_stroke (ink, 1.6f));
  const float tip[] = { x - 5, top - 4, x + 5, top - 4, x, top + 3 };
  tl_scene_polygon (timeline->scene, tip, 3, TRUE, tl_fill (ink));
  tl_scene_end (timeline->scene);
}

void
tl_view_timeline (TlScene *scene, TlBox box, const TlView *view)
{
  Timeline timeline = { scene, view, box.x + LABELS, box.y + 4, box.width - LABELS - 12, box.height - 6 };
  float    y = timeline.y + STRIP + 16;

  draw_strip (&timeline);
  if (view->lanes == NULL)
    return;
  draw_axis (&timeline, timeline.y + STRIP + 8);
  tl_scene_clip (scene, tl_box (box.x, box.y, box.width, box.height));
  for (guint l = 0; l < view->lanes->lanes->len && y + LANE <= box.y + box.height; l++, y += LANE)
    draw_lane (&timeline, g_ptr_array_index (view->lanes->lanes, l), y);
  draw_playhead (&timeline, timeline.y + STRIP + 14);
  tl_scene_unclip (scene);
}
