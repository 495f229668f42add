/* The whole run as a strip, and under it the lanes of a window of it. */
#include "base/number.h"
#include "scene/marks.h"
#include "scene/timeline-private.h"

#include <math.h>
#include <string.h>

/* The moment shown, ps; FALSE without one. */
static gboolean
moment_of (const TlView *view, guint64 *time)
{
  if (view->replay != NULL)
    *time = view->replay->moment->time;
  else if (view->pipe != NULL)
    *time = view->pipe->time;
  else if (view->frame != NULL)
    *time = view->frame->time;
  return view->replay != NULL || view->pipe != NULL || view->frame != NULL;
}

static guint64
end_of (const TlView *view)
{
  return view->replay != NULL ? tl_replay_run_end (view->replay->run)
         : view->pipe != NULL ? view->pipe->grid->sim->makespan
         : view->run != NULL  ? view->run->makespan
                              : 0;
}

/* The window of the lanes and the moment, on the strip. */
void
tl_timeline_place (const TlTimeline *timeline)
{
  TlScene    *scene = timeline->scene;
  TlThemeKind theme = scene->theme;
  guint64     end = end_of (timeline->view), time;

  if (end > 0 && timeline->to > timeline->from)
    {
      double scale = timeline->width / (double) end;
      float  x = timeline->x + (float) (timeline->from * scale);
      float  width = MAX ((float) ((timeline->to - timeline->from) * scale), 2);
      /* A window of all of it needs no tint. */
      double share = width < 0.98f * timeline->width ? 0.22 : 0;
      tl_scene_rect (scene,
                     tl_box (x, timeline->y - 1, MIN (width, timeline->x + timeline->width - x), TL_TIMELINE_STRIP - 2),
                     tl_fill_stroke (share > 0 ? tl_color_alpha (tl_theme_color (theme, TL_ROLE_ACCENT), share) : 0,
                                     tl_theme_color (theme, TL_ROLE_ACCENT), 1));
    }
  if (end > 0 && moment_of (timeline->view, &time))
    {
      float   x = timeline->x + (float) (timeline->width * (double) MIN (time, end) / end);
      TlStyle knob
          = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), tl_theme_color (theme, TL_ROLE_OUTLINE), 1.6f);
      knob.radius = 2;
      tl_scene_rect (scene, tl_box (x - 2.5f, timeline->y - 3, 5, TL_TIMELINE_STRIP + 2), knob);
    }
}

void
tl_timeline_strip (const TlTimeline *timeline, const char *second)
{
  TlScene *scene = timeline->scene;
  TlColor  ink = tl_theme_color (scene->theme, TL_ROLE_INK2);

  tl_scene_label (scene, timeline->x - TL_TIMELINE_LABELS + 10, timeline->y + 13, TL_ANCHOR_START, 11, FALSE, ink,
                  "Whole run");
  tl_scene_label (scene, timeline->x - TL_TIMELINE_LABELS + 10, timeline->y + 25, TL_ANCHOR_START, 10.5f, FALSE, ink,
                  "%s", second);
  tl_scene_rect (scene, tl_box (timeline->x, timeline->y, timeline->width, TL_TIMELINE_STRIP - 4),
                 tl_fill (tl_theme_color (scene->theme, TL_ROLE_SLOT)));
}

void
tl_timeline_bar (GArray *boxes, TlBox box)
{
  TlBox *last = boxes->len > 0 ? &g_array_index (boxes, TlBox, boxes->len - 1) : NULL;

  if (last != NULL && fabsf (last->x + last->width - box.x) < 0.01f && last->y == box.y && last->height == box.height)
    last->width += box.width;
  else
    g_array_append_val (boxes, box);
}

/* What a replay's requests found, over its whole time. */
static void
draw_class_strip (const TlTimeline *timeline)
{
  static const TlRole    roles[3] = { TL_ROLE_HIT, TL_ROLE_MISS, TL_ROLE_CONFLICT };
  static const TlTexture textures[3] = { TL_TEXTURE_NONE, TL_TEXTURE_DIAGONAL, TL_TEXTURE_SOLID };
  TlScene               *scene = timeline->scene;
  const TlTimeBins      *bins = tl_replay_run_bins (timeline->view->replay->run);
  guint64                end = MAX (end_of (timeline->view), 1), most = 1;
  g_autofree float      *base = g_new0 (float, MAX (bins->used, 1));

  tl_scene_begin (scene, "strip", "whole run: hits, opening misses and conflicts over time", 0, "whole-run");
  tl_timeline_strip (timeline, "conflicts below");
  for (guint b = 0; b < bins->used; b++)
    most = MAX (most, (guint64) bins->all[b].of[0] + bins->all[b].of[1] + bins->all[b].of[2]);
  for (gint c = 2; c >= 0; c--)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      for (guint b = 0; b < bins->used; b++)
        {
          float height = roundf ((float) bins->all[b].of[c] / most * (TL_TIMELINE_STRIP - 4) * 4) / 4;
          float x = (float) ((double) b * bins->width / end * timeline->width);
          float right = MIN ((float) ((double) (b + 1) * bins->width / end * timeline->width), timeline->width);
          if (height <= 0 || right <= x)
            continue;
          TlBox box
              = tl_box (timeline->x + x, timeline->y + TL_TIMELINE_STRIP - 4 - base[b] - height, right - x, height);
          tl_timeline_bar (boxes, box);
          base[b] += height;
        }
      TlStyle style = tl_fill (tl_theme_color (scene->theme, roles[c]));
      if (scene->theme == TL_THEME_PRINT)
        {
          style = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_VIEW), 0x000000ff, 0.4f);
          style.texture = textures[c];
          style.texture_color = 0x000000ff;
        }
      tl_scene_rects (scene, (const TlBox *) boxes->data, boxes->len, style);
    }
  tl_scene_layer (scene, TL_LAYER_MOVING);
  tl_timeline_place (timeline);
  tl_scene_hit (scene, tl_box (timeline->x, timeline->y - 2, timeline->width, TL_TIMELINE_STRIP));
  tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_end (scene);
}

static void
draw_strip (const TlTimeline *timeline)
{
  TlScene            *scene = timeline->scene;
  TlThemeKind         theme = scene->theme;
  const TlView       *view = timeline->view;
  const TlRunSummary *summary = view->summary;
  g_autoptr (GArray) busy = g_array_new (FALSE, FALSE, sizeof (TlBox));
  g_autoptr (GArray) computing = g_array_new (FALSE, FALSE, sizeof (TlBox));

  tl_scene_begin (scene, "strip", "whole run: share of PUs busy and computing", 0, "whole-run");
  tl_timeline_strip (timeline, "PUs busy");
  for (guint c = 0; summary != NULL && c < summary->n; c++)
    {
      float width = timeline->width / summary->n, x = timeline->x + c * width;
      float tall = MIN (summary->busy[c], 1) * (TL_TIMELINE_STRIP - 4),
            low = MIN (summary->computing[c], 1) * (TL_TIMELINE_STRIP - 4);
      TlBox full = tl_box (x, timeline->y + TL_TIMELINE_STRIP - 4 - tall, MAX (width - 0.5f, 0.5f), tall - low);
      TlBox part = tl_box (x, timeline->y + TL_TIMELINE_STRIP - 4 - low, MAX (width - 0.5f, 0.5f), low);
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
  tl_scene_layer (scene, TL_LAYER_MOVING);
  tl_timeline_place (timeline);
  tl_scene_hit (scene, tl_box (timeline->x, timeline->y - 2, timeline->width, TL_TIMELINE_STRIP));
  tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_end (scene);
}

static const struct
{
  TlRole      role;
  float       height; /* of TL_TIMELINE_BAR */
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
  [TL_LANE_HELD] = { TL_ROLE_INK2, 0.1f, FALSE, TL_TEXTURE_NONE, "held up" },
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

/* Where a mark lies in the stretch shown; FALSE when outside. */
static gboolean
place_mark (const TlTimeline *timeline, const TlLaneMark *mark, float *x, float *width)
{
  float from = timeline->offset + mark->x * timeline->scale, to = from + mark->width * timeline->scale;

  from = MAX (from, 0);
  to = MIN (to, timeline->width);
  *x = timeline->x + from;
  *width = to - from;
  return to >= 0 && from <= timeline->width && to >= from;
}

static void
draw_held (const TlTimeline *timeline, const TlLane *lane, float y)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TlPathStep));
  TlStyle style = tl_stroke (tl_theme_color (timeline->scene->theme, TL_ROLE_INK2), 1.2f);

  style.dash = TL_DASH_DOTS;
  for (guint m = 0; m < lane->marks->len; m++)
    {
      const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
      float             x, width;
      if (mark->kind != TL_LANE_HELD || !place_mark (timeline, mark, &x, &width) || width < 2)
        continue;
      TlPathStep move = { 'M', { x, y + TL_TIMELINE_LANE / 2 } },
                 line = { 'L', { x + width, y + TL_TIMELINE_LANE / 2 } };
      g_array_append_val (steps, move);
      g_array_append_val (steps, line);
    }
  tl_scene_path (timeline->scene, (const TlPathStep *) steps->data, steps->len, style);
}

static void
draw_marks (const TlTimeline *timeline, const TlLane *lane, float y)
{
  TlScene *scene = timeline->scene;

  draw_held (timeline, lane, y);
  for (TlLaneKind kind = 0; kind < TL_N_LANE_KINDS; kind++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      float height = looks[kind].height * TL_TIMELINE_BAR;
      for (guint m = 0; m < lane->marks->len && kind != TL_LANE_HELD; m++)
        {
          const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
          float             x, width;
          if (mark->kind != kind || !place_mark (timeline, mark, &x, &width))
            continue;
          TlBox box = tl_box (x, y + (TL_TIMELINE_LANE - height) / 2, MAX (width, 0.5f), height);
          g_array_append_val (boxes, box);
        }
      TlStyle style = kind_style (scene->theme, kind);
      if (boxes->len > 200)
        style.width = 0;
      tl_scene_rects (scene, (const TlBox *) boxes->data, boxes->len, style);
    }
}

/* A word in a mark that has room for it. */
static void
draw_word (const TlTimeline *timeline, const TlLaneMark *mark, float x, float width, float y)
{
  TlThemeKind      theme = timeline->scene->theme;
  const char      *data = timeline->view->program->data != NULL && timeline->view->program->data->len > 0
                              ? ((const TlDataSource *) g_ptr_array_index (timeline->view->program->data, 0))->name
                              : "D";
  g_autofree char *tile = g_strdup_printf ("%s[%u,%u]", data, mark->i, mark->j);
  g_autofree char *text = NULL;
  TlColor          ink = mark->kind <= TL_LANE_WAIT_BARRIER || theme == TL_THEME_PRINT
                             ? tl_theme_color (theme, TL_ROLE_INK)
                             : tl_color_ink_on (tl_theme_color (theme, looks[mark->kind].role));

  if (mark->count > 1)
    return;
  if (mark->kind == TL_LANE_COMPUTE)
    text = g_strdup_printf ("computes %s", tile);
  else if (mark->kind == TL_LANE_LOAD)
    text = g_strdup_printf ("fills its scratchpad for %s", tile);
  else if (mark->kind == TL_LANE_STORE)
    text = g_strdup_printf ("writes %s back", tile);
  else
    text = g_strdup (looks[mark->kind].words);
  float wide = tl_scene_text_width (text, 9, FALSE, FALSE);
  if (width < wide + 10)
    return;
  /* Textures run under words otherwise. */
  if (mark->kind <= TL_LANE_WAIT_BARRIER || theme == TL_THEME_PRINT)
    tl_scene_rect (timeline->scene, tl_box (x + 3, y - 5, wide + 4, 10),
                   tl_fill (tl_theme_color (theme, theme == TL_THEME_PRINT ? TL_ROLE_VIEW : TL_ROLE_WAIT)));
  tl_scene_label (timeline->scene, x + 5, y + 3.2f, TL_ANCHOR_START, 9, FALSE, ink, "%s", text);
}

static void
draw_beats (const TlTimeline *timeline, const TlLaneMark *mark, float x, float y)
{
  float step = timeline->scale * mark->width / mark->count,
        first = timeline->x + timeline->offset + mark->x * timeline->scale;

  if (step < 5)
    return;
  for (guint beat = 0; beat < MIN (mark->count, 512); beat++)
    {
      float at = first + (beat + 0.5f) * step;
      if (at > x && at < timeline->x + timeline->width)
        tl_scene_ellipse (timeline->scene, at, y, 2.4f, 2.4f,
                          tl_fill (tl_theme_color (timeline->scene->theme, TL_ROLE_VIEW)));
    }
}

/* Signs on commands wide enough to hold one. */
static void
draw_signs (const TlTimeline *timeline, const TlLane *lane, float y)
{
  TlScene    *scene = timeline->scene;
  TlThemeKind theme = scene->theme;
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), view = tl_theme_color (theme, TL_ROLE_VIEW);
  float       middle = y + TL_TIMELINE_LANE / 2;

  for (guint m = 0; m < lane->marks->len; m++)
    {
      const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
      float             x, width;
      if (!place_mark (timeline, mark, &x, &width) || width < 9)
        continue;
      switch (mark->kind)
        {
        case TL_LANE_CLOSE:
          tl_mark_triangle (scene, x + MIN (width / 2, 8), middle, 7, FALSE, view, outline);
          break;
        case TL_LANE_OPEN:
          tl_mark_diamond (scene, x + MIN (width / 2, 8), middle, 8, view, tl_theme_color (theme, TL_ROLE_MISS_INK));
          break;
        case TL_LANE_REOPEN:
          tl_mark_cross (scene, x + MIN (width / 2, 8), middle, 8, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
          break;
        case TL_LANE_READ:
        case TL_LANE_WRITE:
          draw_beats (timeline, mark, x, middle);
          break;
        case TL_LANE_SEND:
          for (float at = 8; at < width - 4 && at < 400; at += 16)
            tl_mark_chevron (scene, x + at, middle, 7, TRUE, tl_theme_color (theme, TL_ROLE_BROADCAST_EDGE), 1.4f);
          break;
        case TL_LANE_ROW:
        case TL_LANE_HELD:
          break;
        default:
          draw_word (timeline, mark, x, width, middle);
          break;
        }
    }
}

/* Every conflict can be clicked; see scene/why.h for the id. */
static void
draw_conflict_hits (const TlTimeline *timeline, const TlLane *lane, float y)
{
  for (guint m = 0; m < lane->marks->len; m++)
    {
      const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
      float             x, width;
      if (mark->kind != TL_LANE_REOPEN || mark->count > 1 || !place_mark (timeline, mark, &x, &width) || width < 3)
        continue;
      g_autofree char *at = tl_format_ps (mark->time);
      g_autofree char *title = lane->rows ? g_strdup_printf ("conflict in %s at %s: Enter tells why", lane->name, at)
                                          : g_strdup_printf ("conflict in bank %d of PU %u at %s: Enter tells why",
                                                             lane->bank, lane->pu, at);
      if (lane->rows && mark->event == G_MAXUINT64)
        continue;
      if (lane->rows)
        tl_scene_begin (timeline->scene, "conflict", title, mark->event, "conflict-%" G_GUINT64_FORMAT, mark->event);
      else
        tl_scene_begin (timeline->scene, "conflict", title, mark->time, "conflict-%u-%d-%" G_GUINT64_FORMAT, lane->pu,
                        lane->bank, mark->time);
      tl_scene_hit (timeline->scene, tl_box (x, y, width, TL_TIMELINE_LANE));
      tl_scene_end (timeline->scene);
    }
}

static void
draw_bins (const TlTimeline *timeline, const TlLane *lane, float y)
{
  /* Of a PU, and of a row or a bus. */
  static const TlLaneKind parts[2][3]
      = { { TL_LANE_COMPUTE, TL_LANE_LOAD, TL_LANE_STORE }, { TL_LANE_READ, TL_LANE_OPEN, TL_LANE_REOPEN } };
  g_autofree float *base = g_new0 (float, lane->bins->len);

  for (guint part = 0; part < G_N_ELEMENTS (parts[0]); part++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      for (guint c = 0; c < lane->bins->len; c++)
        {
          const TlLaneBin *bin = &g_array_index (lane->bins, TlLaneBin, c);
          guint8           value = part == 0 ? bin->compute : part == 1 ? bin->load : bin->store;
          float            height = roundf (value / 255.0f * TL_TIMELINE_BAR * 4) / 4;
          if (height <= 0)
            continue;
          float x = timeline->offset + c * timeline->scale, end = MIN (x + timeline->scale, timeline->width);
          x = MAX (x, 0);
          if (end <= x)
            continue;
          TlBox box = tl_box (timeline->x + x, y + (TL_TIMELINE_LANE + TL_TIMELINE_BAR) / 2 - base[c] - height, end - x,
                              height);
          tl_timeline_bar (boxes, box);
          base[c] += height;
        }
      TlStyle style = kind_style (timeline->scene->theme, parts[lane->rows][part]);
      style.width = 0;
      tl_scene_rects (timeline->scene, (const TlBox *) boxes->data, boxes->len, style);
    }
}

/* Right of a lane's name: the row that its domain has open. */
static void
draw_row_facts (const TlTimeline *timeline, const TlLane *lane, float y)
{
  const TlDomainMoment *domain;
  TlScene              *scene = timeline->scene;

  if (lane->bus || lane->domain >= timeline->view->replay->moment->n_domains)
    return;
  domain = &timeline->view->replay->moment->domains[lane->domain];
  tl_scene_layer (scene, TL_LAYER_MOVING);
  g_autofree char *row = g_strdup_printf ("row %u", domain->row);
  float            taken = tl_scene_text_width (lane->name, 11, FALSE, FALSE) + 10;
  if (domain->open && taken + tl_scene_text_width (row, 10.5f, FALSE, FALSE) + 14 < TL_TIMELINE_LABELS)
    tl_scene_label (scene, timeline->x - 8, y + TL_TIMELINE_LANE / 2 + 4, TL_ANCHOR_END, 10.5f, FALSE,
                    tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", row);
  tl_scene_layer (scene, TL_LAYER_STATIC);
}

/* Right of a lane's name: the tile that its PU is at, and the tile's tier. */
static void
draw_lane_facts (const TlTimeline *timeline, const TlLane *lane, float y)
{
  const TlFrame *frame = timeline->view->frame;
  TlScene       *scene = timeline->scene;
  TlColor        ink = tl_theme_color (scene->theme, TL_ROLE_INK2);

  if (frame == NULL || lane->bank >= 0)
    return;
  tl_scene_layer (scene, TL_LAYER_MOVING);
  if (lane->ring && (frame->moment->sending || frame->moment->hopping))
    tl_scene_label (scene, timeline->x - 8, y + TL_TIMELINE_LANE / 2 + 4, TL_ANCHOR_END, 10.5f, FALSE, ink, "[%u,%u]",
                    frame->moment->broadcast.i, frame->moment->broadcast.j);
  else if (!lane->ring && frame->moment->pu[lane->pu].k != G_MAXUINT32)
    {
      const TlPuMoment *pu = &frame->moment->pu[lane->pu];
      tl_scene_label (scene, timeline->x - 8, y + TL_TIMELINE_LANE / 2 + 4, TL_ANCHOR_END, 10.5f, FALSE, ink,
                      "[%u,%u] T%u", pu->i, pu->j, tl_pim_program_tier (timeline->view->program, pu->i, pu->j));
    }
  tl_scene_layer (scene, TL_LAYER_STATIC);
}

static void
draw_lane (const TlTimeline *timeline, const TlLane *lane, float y)
{
  TlScene         *scene = timeline->scene;
  TlThemeKind      theme = scene->theme;
  g_autofree char *name = lane->rows       ? g_strdup (lane->name)
                          : lane->ring     ? g_strdup ("Ring")
                          : lane->bank < 0 ? g_strdup_printf ("PU %u", lane->pu)
                                           : g_strdup_printf ("bank %d", lane->bank);
  gboolean         bank = !lane->ring && lane->bank >= 0;

  if (lane->rows)
    {
      g_autofree char *title
          = lane->bus ? g_strdup_printf ("data bus %u: what it carries", lane->domain)
                      : tl_memory_domain_name (tl_replay_run_memory (timeline->view->replay->run), lane->domain);
      tl_scene_begin (scene, "lane", title, lane->domain, "%s", lane->id);
    }
  else if (lane->ring)
    tl_scene_begin (scene, "lane", "ring: broadcasts", 0, "lane-ring");
  else if (!bank)
    tl_scene_begin (scene, "lane", name, lane->pu, "lane-pu-%u", lane->pu);
  else
    tl_scene_begin (scene, "lane", name, (guint64) lane->pu << 32 | (guint) lane->bank, "lane-bank-%u-%d", lane->pu,
                    lane->bank);
  if (lane->rows)
    draw_row_facts (timeline, lane, y);
  else
    draw_lane_facts (timeline, lane, y);
  tl_scene_label (scene, timeline->x - TL_TIMELINE_LABELS + (bank && !lane->rows ? 22 : 10),
                  y + TL_TIMELINE_LANE / 2 + 4, TL_ANCHOR_START, 11, !bank,
                  tl_theme_color (theme, bank ? TL_ROLE_INK2 : TL_ROLE_INK), "%s", name);
  if (!bank)
    tl_scene_line (scene, timeline->x - TL_TIMELINE_LABELS + 10, y - 0.5f, timeline->x + timeline->width, y - 0.5f,
                   tl_stroke (tl_theme_color (theme, TL_ROLE_LINE), 0.6f));
  if (lane->binned)
    draw_bins (timeline, lane, y);
  else
    {
      draw_marks (timeline, lane, y);
      draw_signs (timeline, lane, y);
    }
  tl_scene_hit (scene,
                tl_box (timeline->x - TL_TIMELINE_LABELS, y, timeline->width + TL_TIMELINE_LABELS, TL_TIMELINE_LANE));
  if (bank && !lane->binned)
    draw_conflict_hits (timeline, lane, y);
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
tick_text (const TlTimeline *timeline, guint64 time, guint64 step)
{
  if (step >= time / 1000)
    return tl_format_ps (time);
  g_autofree char *text = tl_format_ps (time - timeline->from);
  return g_strdup_printf ("+%s", text);
}

/* Across, of the chip that tells the moment. */
static TlBox
chip_of (const TlTimeline *timeline, guint64 time, const char *text)
{
  double share = (double) (time - timeline->from) / (double) (timeline->to - timeline->from);
  float  x = timeline->x + (float) (share * timeline->width);
  float  wide = tl_scene_text_width (text, 10, TRUE, FALSE) + 10;

  return tl_box (CLAMP (x - wide / 2, timeline->x - 20, timeline->x + timeline->width - wide), 0, wide, 13);
}

/* The lines lie still; the words make room for the chip that tells the moment. */
void
tl_timeline_axis (const TlTimeline *timeline, float y)
{
  guint64     span = timeline->to - timeline->from, step = tick_step (span, timeline->width), moment;
  TlScene    *scene = timeline->scene;
  TlThemeKind theme = scene->theme;
  gboolean    far = step < timeline->from / 1000;
  guint64     first = far ? timeline->from : (timeline->from + step - 1) / step * step;
  TlBox       chip = tl_box (-1e6f, 0, 0, 0);

  for (guint64 t = first; t < timeline->to; t += step)
    {
      float x = timeline->x + (float) ((double) (t - timeline->from) / span * timeline->width);
      tl_scene_line (scene, x, y + 2, x, timeline->y + timeline->height,
                     tl_stroke (tl_color_alpha (tl_theme_color (theme, TL_ROLE_LINE), 0.6), 0.6f));
    }
  if (moment_of (timeline->view, &moment) && moment >= timeline->from && moment <= timeline->to)
    {
      g_autofree char *text = tick_text (timeline, moment, step);
      chip = chip_of (timeline, moment, text);
    }
  TlLayer before = tl_scene_layer (scene, TL_LAYER_MOVING);
  for (guint64 t = first; t < timeline->to; t += step)
    {
      float            x = timeline->x + (float) ((double) (t - timeline->from) / span * timeline->width);
      g_autofree char *text = tick_text (timeline, t, step);
      float            half = tl_scene_text_width (text, 10, FALSE, FALSE) / 2;
      if (x + half < timeline->x + timeline->width && (x + half < chip.x - 2 || x - half > chip.x + chip.width + 2))
        tl_scene_label (scene, x, y, TL_ANCHOR_MIDDLE, 10, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "%s", text);
    }
  tl_scene_layer (scene, before);
}

void
tl_timeline_playhead (const TlTimeline *timeline, float top)
{
  TlThemeKind theme = timeline->scene->theme;
  TlColor     ink = tl_theme_color (theme, TL_ROLE_INK);
  guint64     time;

  if (!moment_of (timeline->view, &time) || time < timeline->from || time > timeline->to)
    return;
  float x
      = timeline->x + (float) ((double) (time - timeline->from) / (timeline->to - timeline->from) * timeline->width);
  g_autofree char *text = tick_text (timeline, time, tick_step (timeline->to - timeline->from, timeline->width));
  TlBox            chip = chip_of (timeline, time, text);
  TlStyle          style = tl_fill (ink);

  chip.y = top - 15;

  style.radius = 5;
  tl_scene_begin (timeline->scene, "playhead", "the moment shown", time, "playhead");
  tl_scene_line (timeline->scene, x, top - 4, x, timeline->y + timeline->height, tl_stroke (ink, 1.6f));
  tl_scene_rect (timeline->scene, chip, style);
  tl_scene_label (timeline->scene, chip.x + chip.width / 2, chip.y + 10, TL_ANCHOR_MIDDLE, 10, TRUE,
                  tl_theme_color (theme, TL_ROLE_VIEW), "%s", text);
  tl_scene_end (timeline->scene);
}

static void
draw_lane_chosen (const TlTimeline *timeline, const TlLane *lane, float y, const char *id, gboolean selected)
{
  g_autofree char *own = lane->rows       ? g_strdup (lane->id + strlen ("lane-"))
                         : lane->ring     ? g_strdup ("ring")
                         : lane->bank < 0 ? g_strdup_printf ("pu-%u", lane->pu)
                                          : g_strdup_printf ("bank-%u-%d", lane->pu, lane->bank);
  TlBox box = tl_box (timeline->x - TL_TIMELINE_LABELS + 4, y + 0.5f, TL_TIMELINE_LABELS - 8, TL_TIMELINE_LANE - 1);

  if (id == NULL || (strcmp (id, own) != 0 && !(g_str_has_prefix (id, "lane-") && strcmp (id + 5, own) == 0)))
    return;
  TlStyle style
      = tl_fill (tl_color_alpha (tl_theme_color (timeline->scene->theme, TL_ROLE_ACCENT), selected ? 0.22 : 0.1));
  style.radius = 4;
  tl_scene_rect (timeline->scene, box, style);
}

void
tl_view_timeline (TlScene *scene, TlBox box, const TlView *view)
{
  TlTimeline timeline
      = { scene, view, box.x + TL_TIMELINE_LABELS, box.y + 4, box.width - TL_TIMELINE_LABELS - 12, box.height - 6, 0, 0,
          1,     0 };
  float y = timeline.y + TL_TIMELINE_STRIP + 18, first = y;

  if (view->lanes != NULL)
    {
      timeline.from = view->to > view->from ? view->from : view->lanes->from;
      timeline.to = view->to > view->from ? view->to : view->lanes->to;
      double span = (double) (timeline.to - timeline.from), own = (double) (view->lanes->to - view->lanes->from);
      timeline.scale = (float) (own / span * timeline.width / view->lanes->columns);
      timeline.offset
          = (float) (((double) view->lanes->from - (double) timeline.from) / span * (double) timeline.width);
    }
  TlLayer before = tl_scene_layer (scene, TL_LAYER_STATIC);
  if (view->replay != NULL)
    draw_class_strip (&timeline);
  else
    draw_strip (&timeline);
  if (view->lanes != NULL)
    {
      tl_timeline_axis (&timeline, timeline.y + TL_TIMELINE_STRIP + 8);
      if (view->lanes->how != NULL)
        tl_scene_label (scene, timeline.x - TL_TIMELINE_LABELS + 10, timeline.y + TL_TIMELINE_STRIP + 8,
                        TL_ANCHOR_START, 9, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", view->lanes->how);
      tl_scene_clip (scene, box);
      for (guint l = 0; l < view->lanes->lanes->len && y + TL_TIMELINE_LANE <= box.y + box.height + 2;
           l++, y += TL_TIMELINE_LANE)
        draw_lane (&timeline, g_ptr_array_index (view->lanes->lanes, l), y);
      tl_scene_layer (scene, TL_LAYER_MOVING);
      y = first;
      for (guint l = 0; l < view->lanes->lanes->len && y + TL_TIMELINE_LANE <= box.y + box.height + 2;
           l++, y += TL_TIMELINE_LANE)
        {
          draw_lane_chosen (&timeline, g_ptr_array_index (view->lanes->lanes, l), y, view->hover, FALSE);
          draw_lane_chosen (&timeline, g_ptr_array_index (view->lanes->lanes, l), y, view->selection, TRUE);
        }
      tl_timeline_playhead (&timeline, timeline.y + TL_TIMELINE_STRIP + 16);
      tl_scene_unclip (scene);
    }
  tl_scene_layer (scene, before);
}
