/* The whole run of a pipeline as a strip, the queue's level, and a lane for each PU that has
 * work. */
#include "scene/pipe-private.h"
#include "scene/timeline-private.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define LEVEL 30 /* height of the queue's lane */

static void
draw_shares (const TlTimeline *timeline, const guint8 *shares, guint n, guint most, TlStyle style)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
  const float full = TL_TIMELINE_STRIP - 4;

  for (guint c = 0; c < n; c++)
    {
      float height = roundf ((float) shares[c] / (float) most * full * 4) / 4, width = timeline->width / (float) n;
      if (height > 0)
        tl_timeline_bar (boxes, tl_box (timeline->x + (float) c * width, timeline->y + full - height, width, height));
    }
  tl_scene_rects (timeline->scene, (const TlBox *) (gpointer) boxes->data, boxes->len, style);
}

static TlStyle
bare (TlThemeKind theme, guint kind)
{
  TlStyle style = tl_pipe_style (theme, kind);

  style.stroke = 0;
  style.width = 0;
  if (theme != TL_THEME_PRINT)
    style.texture = TL_TEXTURE_NONE;
  return style;
}

static void
draw_strip (const TlTimeline *timeline, const TlPipeLanes *lanes)
{
  TlScene *scene = timeline->scene;
  guint    most = 1, compute = timeline->view->pipe->grid->sim->program->compute;

  for (guint c = 0; c < lanes->n_whole; c++)
    most = MAX (most, lanes->sweeping[c]);
  guint            pus = (guint) ceil ((double) most * compute / 255 - 0.05);
  g_autofree char *words = g_strdup_printf ("sweeping, to %u PU%s", pus, pus == 1 ? "" : "s");
  tl_scene_begin (scene, "strip", "whole run: Compute PUs that sweep", 0, "whole-run");
  tl_timeline_strip (timeline, words);
  draw_shares (timeline, lanes->sweeping, lanes->n_whole, most, bare (scene->theme, TL_PIPE_SPAN_SWEEP));
  tl_scene_layer (scene, TL_LAYER_MOVING);
  tl_timeline_place (timeline);
  tl_scene_hit (scene, tl_box (timeline->x, timeline->y - 2, timeline->width, TL_TIMELINE_STRIP));
  tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_end (scene);
}

static void
draw_level (const TlTimeline *timeline, float y, float height)
{
  const TlPipeRun *run = timeline->view->pipe->grid->sim;
  TlScene         *scene = timeline->scene;
  TlThemeKind      theme = scene->theme;
  double           scale = timeline->width / (double) MAX (timeline->to - timeline->from, 1);
  guint            high = MAX (run->high_water, 1);
  TlStyle          style = tl_fill (tl_theme_color (theme, TL_ROLE_QUEUE));
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (TlBox));

  if (theme == TL_THEME_PRINT)
    {
      style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), tl_theme_color (theme, TL_ROLE_INK), 0.3f);
      style.texture = TL_TEXTURE_DIAGONAL;
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK);
    }
  tl_scene_begin (scene, "lane", "level of the queue over time", 0, "lane-queue");
  tl_scene_label (scene, timeline->x - TL_TIMELINE_LABELS + 10, y + 12, TL_ANCHOR_START, 11, TRUE,
                  tl_theme_color (theme, TL_ROLE_INK), "Queue");
  tl_scene_label (scene, timeline->x - 8, y + 12, TL_ANCHOR_END, 10.5f, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                  "%u at most", run->high_water);
  tl_scene_line (scene, timeline->x, y + height, timeline->x + timeline->width, y + height,
                 tl_stroke (tl_theme_color (theme, TL_ROLE_INK3), 0.6f));
  for (guint l = 0; l < run->levels->len; l++)
    {
      const TlPipeLevel *level = &g_array_index (run->levels, TlPipeLevel, l);
      guint64 until = l + 1 < run->levels->len ? g_array_index (run->levels, TlPipeLevel, l + 1).time : run->makespan;
      float   tall = height * (float) level->level / (float) high;

      if (until <= timeline->from || level->time >= timeline->to || level->level == 0)
        continue;
      float  x0 = timeline->x + (float) ((double) (MAX (level->time, timeline->from) - timeline->from) * scale);
      float  x1 = timeline->x + (float) ((double) (MIN (until, timeline->to) - timeline->from) * scale);
      TlBox  bar = tl_box (x0, y + height - tall, MAX (x1 - x0, 0.3f), tall);
      TlBox *last = bars->len > 0 ? &g_array_index (bars, TlBox, bars->len - 1) : NULL;
      /* One bar a pixel column at most: the highest. */
      if (last != NULL && x1 - last->x < 1)
        {
          last->width = MAX (last->width, x1 - last->x);
          if (tall > last->height)
            {
              last->y = bar.y;
              last->height = bar.height;
            }
          continue;
        }
      g_array_append_val (bars, bar);
    }
  tl_scene_rects (scene, (const TlBox *) (gpointer) bars->data, bars->len, style);
  tl_scene_hit (scene, tl_box (timeline->x - TL_TIMELINE_LABELS, y, timeline->width + TL_TIMELINE_LABELS, height));
  tl_scene_end (scene);
}

/* What a PU waits for as a pale ground, its work on it as high as its share of the time. */
static void
draw_lane (const TlTimeline *timeline, const TlPipeLanes *lanes, guint pu, float y, float height)
{
  const TlPipeRun *run = timeline->view->pipe->grid->sim;
  TlScene         *scene = timeline->scene;
  gsize            base = (gsize) (pu - lanes->first) * lanes->columns;
  float            width = timeline->width / (float) lanes->columns;
  g_autofree char *title = g_strdup_printf (
      "%s PU %u over time", run->program->streams && pu < run->program->search ? "Search" : "Compute", pu);

  tl_scene_begin (scene, "lane", title, pu, "lane-pu-%u", pu);
  for (guint pass = 0; pass < 2 * TL_PIPE_N_SPANS + 1; pass++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      gboolean ground = pass < TL_PIPE_N_SPANS, stall = pass == 2 * TL_PIPE_N_SPANS;
      guint    kind = stall ? TL_PIPE_SPAN_STALL : pass % TL_PIPE_N_SPANS;

      for (guint c = 0; c < lanes->columns; c++)
        {
          guint8 busy = lanes->busy[base + c], held = lanes->stall[base + c];
          float  share = ground  ? lanes->rest[base + c] == kind + 1
                         : stall ? (float) held / 255
                                 : (lanes->work[base + c] == kind ? (float) busy / 255 : 0);
          float  tall = ground ? height : MIN (ceilf (share * height * 4) / 4, height);
          float  under = stall ? MIN (ceilf ((float) busy / 255 * height * 4) / 4, height - tall) : 0;

          if (share > 0)
            tl_timeline_bar (boxes, tl_box (timeline->x + (float) c * width, y + height - under - tall, width, tall));
        }
      TlStyle style = bare (scene->theme, kind);
      if (ground && height >= 8 && kind == TL_PIPE_SPAN_WAIT)
        {
          style = tl_pipe_style (scene->theme, kind);
          style.width = 0;
        }
      if (ground && height < 8)
        style.texture = TL_TEXTURE_NONE;
      if (!ground && scene->theme == TL_THEME_PRINT)
        {
          style.stroke = tl_theme_color (scene->theme, TL_ROLE_INK);
          style.width = 0.4f;
        }
      tl_scene_rects (scene, (const TlBox *) (gpointer) boxes->data, boxes->len, style);
    }
  tl_scene_hit (scene, tl_box (timeline->x, y, timeline->width, height));
  tl_scene_end (scene);
}

/* Names at the left: of each PU where there is room, else of the first of eight; the side's once. */
static void
draw_names (const TlTimeline *timeline, const TlPipeLanes *lanes, float y, float pitch)
{
  const TlPipeProgram *program = timeline->view->pipe->grid->sim->program;
  TlScene             *scene = timeline->scene;
  TlColor ink = tl_theme_color (scene->theme, TL_ROLE_INK), pale = tl_theme_color (scene->theme, TL_ROLE_INK2);
  guint   every = MAX ((guint) ceilf (11 / pitch), 1);

  if (every > 1)
    every = every <= 2 ? 2 : every <= 4 ? 4 : 8;
  for (guint p = 0; p < lanes->count; p++)
    {
      guint    pu = lanes->first + p;
      gboolean first = p == 0 || pu == program->search;
      float    top = y + (float) p * pitch;

      if (first)
        {
          tl_scene_label (scene, timeline->x - TL_TIMELINE_LABELS + 10, top + MAX (MIN (pitch, 12), 9), TL_ANCHOR_START,
                          11, TRUE, ink, "%s", pu < program->search ? "Search" : "Compute");
          tl_scene_line (scene, timeline->x - TL_TIMELINE_LABELS + 10, top - 0.5f, timeline->x + timeline->width,
                         top - 0.5f, tl_stroke (tl_theme_color (scene->theme, TL_ROLE_LINE), 0.6f));
        }
      if ((pu < program->search ? pu : pu - program->search) % every == 0)
        tl_scene_label (scene, timeline->x - 8, top + MAX (MIN (pitch, 12), 9), TL_ANCHOR_END, 9.5f, FALSE, pale,
                        "PU %u", pu);
    }
}

void
tl_pipe_view_timeline (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  TlTimeline           timeline = { scene,
                                    view,
                                    box.x + TL_TIMELINE_LABELS,
                                    box.y + 4,
                                    box.width - TL_TIMELINE_LABELS - 12,
                                    box.height - 6,
                                    view->from,
                                    view->to,
                                    1,
                                    0 };
  guint                columns = (guint) MAX (timeline.width, 1);
  const TlPipeLanes   *lanes = view->pipe->lanes;
  g_autoptr (TlPipeLanes) own = NULL;

  tl_pipe_stretch (run, &timeline.from, &timeline.to);
  if (lanes == NULL || lanes->from != timeline.from || lanes->to != timeline.to || lanes->columns != columns)
    lanes = own = tl_pipe_lanes_new (run, view->pipe->index, timeline.from, timeline.to, columns);
  TlLayer before = tl_scene_layer (scene, TL_LAYER_STATIC);
  float   y = timeline.y + TL_TIMELINE_STRIP + 16, bottom = timeline.y + timeline.height;
  draw_strip (&timeline, lanes);
  tl_timeline_axis (&timeline, timeline.y + TL_TIMELINE_STRIP + 8);
  if (program->streams)
    {
      float level = MIN (LEVEL, (bottom - y) * 0.2f);
      draw_level (&timeline, y, level);
      y += level + 5;
    }
  float pitch = MIN ((bottom - y) / (float) MAX (lanes->count, 1), TL_TIMELINE_LANE);
  draw_names (&timeline, lanes, y, pitch);
  for (guint p = 0; p < lanes->count; p++)
    draw_lane (&timeline, lanes, lanes->first + p, y + (float) p * pitch, MAX (pitch - (pitch > 3 ? 1 : 0.3f), 0.5f));
  tl_scene_layer (scene, TL_LAYER_MOVING);
  for (guint p = 0; p < lanes->count; p++)
    tl_pipe_mark (scene, view, "pu", lanes->first + p,
                  tl_box (timeline.x, y + (float) p * pitch, timeline.width, MAX (pitch - 1, 1)));
  tl_timeline_playhead (&timeline, timeline.y + TL_TIMELINE_STRIP + 14);
  tl_scene_layer (scene, before);
}
