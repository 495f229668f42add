/* Who does what in a pipeline at a moment: Search PUs send to the left end of the queue,
 * Compute PUs take from its right end; reads beneath, by how far they are. */
#include "scene/marks.h"
#include "scene/pipe-view.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

/* Colour and texture of what a PU does. */
static TlStyle
style_of (const TlScene *scene, const TlPipeSpan *span)
{
  static const TlRole    roles[TL_PIPE_N_SPANS] = { TL_ROLE_HIT,     TL_ROLE_BROADCAST, TL_ROLE_CONFLICT, TL_ROLE_WAIT,
                                                    TL_ROLE_COMPUTE, TL_ROLE_IDLE,      TL_ROLE_BROADCAST };
  static const TlTexture textures[TL_PIPE_N_SPANS]
      = { TL_TEXTURE_DOTS,  TL_TEXTURE_SOLID,      TL_TEXTURE_CROSS,   TL_TEXTURE_VERTICAL,
          TL_TEXTURE_BRICK, TL_TEXTURE_HORIZONTAL, TL_TEXTURE_DIAGONAL };
  TlThemeKind theme = scene->theme;
  TlStyle     style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_SLOT), tl_theme_color (theme, TL_ROLE_OUTLINE), 1);

  if (span->to == 0)
    return style;
  if (theme == TL_THEME_PRINT)
    {
      style.fill = tl_theme_color (theme, TL_ROLE_VIEW);
      style.texture = textures[span->kind];
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK);
      return style;
    }
  style.fill = tl_theme_color (theme, roles[span->kind]);
  if (span->kind == TL_PIPE_SPAN_STALL)
    {
      style.texture = TL_TEXTURE_DIAGONAL;
      style.texture_color = tl_color_over (tl_theme_color (theme, TL_ROLE_INK), style.fill, 0.35);
    }
  return style;
}

static gboolean
is_id (const char *chosen, const char *kind, guint number)
{
  char id[32];

  g_snprintf (id, sizeof id, "%s-%u", kind, number);
  return chosen != NULL && strcmp (chosen, id) == 0;
}

static void
mark (TlScene *scene, const TlView *view, const char *kind, guint number, TlBox box)
{
  if (is_id (view->selection, kind, number))
    tl_mark_selected (scene, box, scene->theme);
  else if (is_id (view->hover, kind, number))
    tl_mark_hovered (scene, box, scene->theme);
}

static void
draw_pu (TlScene *scene, const TlView *view, guint pu, gboolean search, const TlPipeSpan *span, float x, float y,
         float radius)
{
  TlStyle          style = style_of (scene, span);
  g_autofree char *title = g_strdup_printf ("%s PU %u: %s", search ? "Search" : "Compute", pu,
                                            span->to > 0 ? tl_pipe_span_name ((TlPipeSpanKind) span->kind) : "idle");
  TlBox            box = tl_box (x - radius, y - radius, 2 * radius, 2 * radius);

  tl_scene_begin (scene, "pu", title, pu, "pu-%u", pu);
  if (search)
    tl_mark_hexagon (scene, x, y, radius, style);
  else
    tl_scene_ellipse (scene, x, y, radius, radius, style);
  if (radius >= 9)
    tl_scene_label (scene, x, y + 3.4f, TL_ANCHOR_MIDDLE, 9, FALSE,
                    scene->theme == TL_THEME_PRINT ? tl_theme_color (scene->theme, TL_ROLE_INK)
                                                   : tl_color_ink_on (style.fill),
                    "%u", pu);
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
  mark (scene, view, "pu", pu, box);
}

/* PUs of one side in columns of equal length. */
static void
draw_side (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box, guint first, guint count,
           gboolean search)
{
  guint columns = 1, rows;
  float pitch;

  /* As square as the box: the number of columns that gives the largest discs. */
  for (guint c = 1; c <= count; c++)
    if (MIN (box.width / c, box.height / ((count + c - 1) / c))
        > MIN (box.width / columns, box.height / ((count + columns - 1) / columns)))
      columns = c;
  rows = (count + columns - 1) / columns;
  pitch = MIN (MIN (box.width / columns, box.height / rows), 44);
  float x0 = box.x + (box.width - pitch * columns) / 2, y0 = box.y + (box.height - pitch * rows) / 2;
  for (guint p = 0; p < count; p++)
    draw_pu (scene, view, first + p, search, &moment->at[first + p], x0 + pitch * (p / rows + 0.5f),
             y0 + pitch * (p % rows + 0.5f), pitch * 0.42f);
}

#define MOST_SLOTS 64

/* Places of the queue, those that are taken filled; of very deep ones a bar of the share. */
static void
draw_queue (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  TlThemeKind      theme = scene->theme;
  guint            depth = run->program->depth, slots = MIN (depth, MOST_SLOTS);
  float            height = MIN (46, box.height * 0.4f), width = box.width - 28, y = box.y + (box.height - height) / 2;
  float            x = box.x + 14, pitch = MIN (width / slots, 26);
  g_autofree char *title
      = g_strdup_printf ("queue: %u of %u places taken, high-water mark %u", moment->level, depth, run->high_water);
  TlColor ink = tl_theme_color (theme, TL_ROLE_INK2);
  TlStyle empty = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_SLOT), tl_theme_color (theme, TL_ROLE_OUTLINE), 1);
  TlStyle full = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_QUEUE), tl_theme_color (theme, TL_ROLE_OUTLINE), 1);
  guint   taken = depth <= MOST_SLOTS ? moment->level : (guint) ceil ((double) moment->level * slots / depth);

  if (theme == TL_THEME_PRINT)
    {
      full.fill = tl_theme_color (theme, TL_ROLE_VIEW);
      full.texture = TL_TEXTURE_DIAGONAL;
      full.texture_color = tl_theme_color (theme, TL_ROLE_INK);
    }
  if (pitch < 6)
    empty.width = full.width = 0.4f;
  x += (width - pitch * slots) / 2;
  tl_scene_begin (scene, "queue", title, 0, "queue");
  for (guint s = 0; s < slots; s++)
    {
      /* The first to go stands at the right end. */
      gboolean here = slots - 1 - s < taken;
      tl_scene_rect (scene, tl_box (x + s * pitch, y, MAX (pitch - 2, 1), height), here ? full : empty);
    }
  tl_scene_hit (scene, tl_box (x, y, pitch * slots, height));
  tl_scene_end (scene);
  tl_scene_label (scene, x + pitch * slots / 2, y - 8, TL_ANCHOR_MIDDLE, 11, TRUE, tl_theme_color (theme, TL_ROLE_INK),
                  "%u of %u", moment->level, depth);
  tl_scene_label (scene, x + pitch * slots / 2, y + height + 16, TL_ANCHOR_MIDDLE, 10, FALSE, ink, "high-water mark %u",
                  run->high_water);
  TlColor line = tl_theme_color (theme, TL_ROLE_INK3);
  tl_mark_chevron (scene, box.x + 5, y + height / 2, 9, TRUE, line, 1.5f);
  tl_mark_chevron (scene, box.x + box.width - 5, y + height / 2, 9, TRUE, line, 1.5f);
  if (view->selection != NULL && strcmp (view->selection, "queue") == 0)
    tl_mark_selected (scene, tl_box (x, y, pitch * slots - 2, height), theme);
}

typedef enum
{
  READ_UNSEEN,
  READ_SEARCHED,
  READ_QUEUED,
  READ_SWEPT,
  READ_DONE
} ReadState;

static ReadState
state_of (const TlView *view, const TlPipeMoment *moment, guint read)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  guint64          time = view->pipe->time;
  ReadState        state = READ_UNSEEN;

  if (read < run->searches->len)
    {
      const TlPipeSearch *search = &g_array_index (run->searches, TlPipeSearch, read);
      if (search->words > 0 && time >= search->from)
        state = time < search->to ? READ_SEARCHED : search->candidates > 0 ? READ_QUEUED : READ_DONE;
    }
  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
      if (job->read == read && job->taken <= time)
        state = time < job->done ? READ_SWEPT : READ_DONE;
    }
  return state;
}

/* A box for each read: the picker. */
static void
draw_reads (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box)
{
  static const char *const words[] = { "not begun", "being looked up", "queued", "being aligned", "done" };
  static const TlRole      roles[] = { TL_ROLE_SLOT, TL_ROLE_HIT, TL_ROLE_QUEUE, TL_ROLE_COMPUTE, TL_ROLE_IDLE };
  const GArray            *hits = view->pipe->grid->hits;
  TlThemeKind              theme = scene->theme;
  guint                    n = hits->len, rows = 1;
  float                    pitch;

  tl_scene_label (scene, box.x, box.y + 11, TL_ANCHOR_START, 11, TRUE, tl_theme_color (theme, TL_ROLE_INK), "Reads");
  box.y += 17;
  box.height -= 17;
  while (rows < 64 && box.width / ((n + rows - 1) / rows) < MIN (14, box.height / (rows + 1)))
    rows++;
  guint columns = (n + rows - 1) / rows;
  pitch = MIN (MIN (box.width / MAX (columns, 1), box.height / rows), 24);
  for (guint r = 0; r < n && pitch >= 2; r++)
    {
      const TlGridHit *hit = &g_array_index (hits, TlGridHit, r);
      ReadState        state = state_of (view, moment, r);
      TlBox            cell = tl_box (box.x + (r % columns) * pitch, box.y + (r / columns) * pitch, MAX (pitch - 2, 1),
                                      MAX (pitch - 2, 1));
      TlStyle style = tl_fill_stroke (tl_theme_color (theme, roles[state]), tl_theme_color (theme, TL_ROLE_OUTLINE),
                                      pitch > 5 ? 1 : 0);
      g_autofree char *title
          = g_strdup_printf ("%s, %" G_GUINT64_FORMAT " letters: %s", hit->query, hit->rows, words[state]);

      if (theme == TL_THEME_PRINT)
        style.fill = state >= READ_SWEPT ? tl_theme_color (theme, TL_ROLE_INK3) : tl_theme_color (theme, TL_ROLE_VIEW);
      tl_scene_begin (scene, "read", title, r, "read-%u", r);
      tl_scene_rect (scene, cell, style);
      if (pitch >= 18)
        tl_scene_label (scene, cell.x + cell.width / 2, cell.y + cell.height / 2 + 3.2f, TL_ANCHOR_MIDDLE, 8, FALSE,
                        tl_color_ink_on (style.fill), "%u", r);
      tl_scene_hit (scene, cell);
      tl_scene_end (scene);
      mark (scene, view, "read", r, cell);
    }
}

static void
draw_legend (TlScene *scene, TlBox box, gboolean streams, gboolean edges)
{
  TlPipeSpan span = { .to = 1 };
  float      x = box.x;

  for (guint kind = streams ? 0 : TL_PIPE_SPAN_SWEEP; kind < (edges ? TL_PIPE_N_SPANS : TL_PIPE_SPAN_EDGES); kind++)
    {
      const char *name = tl_pipe_span_name ((TlPipeSpanKind) kind);
      float       width = tl_scene_text_width (name, 10, FALSE, FALSE) + 26;

      if (x + width > box.x + box.width)
        return;
      span.kind = (guint8) kind;
      tl_scene_rect (scene, tl_box (x, box.y + 2, 10, 10), style_of (scene, &span));
      tl_scene_label (scene, x + 14, box.y + 11, TL_ANCHOR_START, 10, FALSE,
                      tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", name);
      x += width;
    }
}

void
tl_pipe_view_pus (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  TlColor              ink = tl_theme_color (scene->theme, TL_ROLE_INK);
  float                reads = program->streams ? MIN (90, box.height * 0.26f) : 0, top = 18;
  TlBox                middle = tl_box (box.x + 8, box.y + top, box.width - 16, box.height - top - reads - 22);
  g_auto (TlPipeMoment) moment = { 0 };

  tl_pipe_moment (run, view->pipe->time, &moment);
  if (program->streams)
    {
      float side = middle.width * 0.22f, queue = middle.width * 0.34f;

      tl_scene_label (scene, middle.x, box.y + 12, TL_ANCHOR_START, 11, TRUE, ink, "Search");
      tl_scene_label (scene, middle.x + side + queue / 2, box.y + 12, TL_ANCHOR_MIDDLE, 11, TRUE, ink, "Queue");
      tl_scene_label (scene, middle.x + middle.width, box.y + 12, TL_ANCHOR_END, 11, TRUE, ink, "Compute");
      draw_side (scene, view, &moment, tl_box (middle.x, middle.y, side, middle.height), 0, program->search, TRUE);
      draw_queue (scene, view, &moment, tl_box (middle.x + side, middle.y, queue, middle.height));
      draw_side (scene, view, &moment,
                 tl_box (middle.x + side + queue, middle.y, middle.width - side - queue, middle.height),
                 program->search, program->compute, FALSE);
      draw_reads (scene, view, &moment, tl_box (middle.x, middle.y + middle.height + 6, middle.width, reads - 6));
    }
  else
    {
      tl_scene_label (scene, middle.x, box.y + 12, TL_ANCHOR_START, 11, TRUE, ink, "Compute PUs");
      draw_side (scene, view, &moment, middle, program->search, program->compute, FALSE);
    }
  draw_legend (scene, tl_box (middle.x, box.y + box.height - 15, middle.width, 14), program->streams, run->charged);
}

/* --- Lanes --- */

static void
draw_level (TlScene *scene, const TlView *view, TlBox box, guint64 from, guint64 to)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  double           scale = box.width / (double) MAX (to - from, 1);
  guint            high = MAX (run->high_water, 1);
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (TlBox));

  tl_scene_begin (scene, "lane", "level of the queue", 0, "lane-queue");
  for (guint l = 0; l < run->levels->len; l++)
    {
      const TlPipeLevel *level = &g_array_index (run->levels, TlPipeLevel, l);
      guint64 until = l + 1 < run->levels->len ? g_array_index (run->levels, TlPipeLevel, l + 1).time : run->makespan;
      float   height = box.height * (float) level->level / (float) high;

      if (until <= from || level->time >= to || level->level == 0)
        continue;
      float  x0 = box.x + (float) ((double) (MAX (level->time, from) - from) * scale);
      float  x1 = box.x + (float) ((double) (MIN (until, to) - from) * scale);
      TlBox  bar = tl_box (x0, box.y + box.height - height, MAX (x1 - x0, 0.3f), height);
      TlBox *last = bars->len > 0 ? &g_array_index (bars, TlBox, bars->len - 1) : NULL;
      /* One bar a pixel column at most: the highest. */
      if (last != NULL && x1 - last->x < 1)
        {
          last->width = MAX (last->width, x1 - last->x);
          if (height > last->height)
            {
              last->y = bar.y;
              last->height = bar.height;
            }
          continue;
        }
      g_array_append_val (bars, bar);
    }
  tl_scene_rects (scene, (const TlBox *) (gpointer) bars->data, bars->len,
                  tl_fill (tl_theme_color (scene->theme, TL_ROLE_QUEUE)));
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
}

/* Shares of time by pixel column: what took most of it colours the column. */
static void
draw_lane (TlScene *scene, const TlView *view, guint pu, TlBox box, guint64 from, guint64 to)
{
  const TlPipeRun   *run = view->pipe->grid->sim;
  guint              columns = MAX ((guint) box.width, 1);
  g_autofree double *share = g_new0 (double, (gsize) columns *TL_PIPE_N_SPANS);
  double             step = (double) MAX (to - from, 1) / columns;
  TlPipeSpan         one = { .to = 1 };

  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      if (span->pu != pu || span->to <= from || span->from >= to)
        continue;
      double a = (double) (MAX (span->from, from) - from) / step, b = (double) (MIN (span->to, to) - from) / step;
      for (guint c = (guint) a; c < columns && c < b; c++)
        share[(gsize) c * TL_PIPE_N_SPANS + span->kind] += MIN (b, c + 1) - MAX (a, c);
    }
  tl_scene_begin (scene, "lane", run->program->streams && pu < run->program->search ? "Search PU" : "Compute PU", pu,
                  "lane-pu-%u", pu);
  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    {
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));

      for (guint c = 0; c < columns; c++)
        {
          const double *shares = &share[(gsize) c * TL_PIPE_N_SPANS];
          guint         most = 0;

          for (guint k = 1; k < TL_PIPE_N_SPANS; k++)
            most = shares[k] > shares[most] ? k : most;
          if (most != kind || shares[most] <= 0)
            continue;
          TlBox *last = boxes->len > 0 ? &g_array_index (boxes, TlBox, boxes->len - 1) : NULL;
          if (last != NULL && last->x + last->width >= box.x + c - 0.01f)
            last->width = box.x + c + 1 - last->x;
          else
            {
              TlBox bar = tl_box (box.x + c, box.y, 1, box.height);
              g_array_append_val (boxes, bar);
            }
        }
      one.kind = (guint8) kind;
      TlStyle style = style_of (scene, &one);
      style.stroke = 0;
      if (kind == TL_PIPE_SPAN_BARRIER)
        style.fill = tl_color_alpha (style.fill, 0.5);
      tl_scene_rects (scene, (const TlBox *) (gpointer) boxes->data, boxes->len, style);
    }
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
}

void
tl_pipe_view_timeline (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  const float          left = 84, right = 12;
  guint                first = program->streams ? 0 : program->search;
  guint                count = program->search + program->compute - first;
  guint64              from = view->from, to = view->to;
  TlThemeKind          theme = scene->theme;
  TlColor              ink = tl_theme_color (theme, TL_ROLE_INK2);
  float                level = program->streams ? MIN (34, box.height * 0.2f) : 0, axis = 16;

  if (to <= from || from >= run->makespan)
    {
      from = 0;
      to = MAX (run->makespan, 1);
    }
  to = MIN (to, MAX (run->makespan, from + 1));
  float lanes = box.height - level - axis - 8, pitch = lanes / MAX (count, 1);
  float x = box.x + left, width = box.width - left - right, y = box.y + level + 6;
  if (program->streams)
    {
      tl_scene_label (scene, x - 8, box.y + level - 4, TL_ANCHOR_END, 10, FALSE, ink, "queue, to %u", run->high_water);
      draw_level (scene, view, tl_box (x, box.y + 2, width, level - 2), from, to);
    }
  for (guint p = 0; p < count; p++)
    {
      TlBox lane = tl_box (x, y + p * pitch, width, MAX (pitch - (pitch > 4 ? 1 : 0), 0.5f));

      draw_lane (scene, view, first + p, lane, from, to);
      if (pitch >= 10 || (first + p) % 8 == 0)
        tl_scene_label (scene, x - 8, lane.y + MIN (pitch, 12) - 2, TL_ANCHOR_END, MIN (10, MAX (pitch, 8)), FALSE, ink,
                        "%s %u", program->streams && first + p < program->search ? "Search" : "Compute", first + p);
      mark (scene, view, "pu", first + p, lane);
    }
  for (guint t = 0; t <= 4; t++)
    {
      g_autofree char *text = tl_format_ps (from + (to - from) * t / 4);
      float            at = x + width * t / 4;

      tl_scene_label (scene, at, box.y + box.height - 3,
                      t == 0   ? TL_ANCHOR_START
                      : t == 4 ? TL_ANCHOR_END
                               : TL_ANCHOR_MIDDLE,
                      10, FALSE, ink, "%s", text);
    }
  if (view->pipe->time >= from && view->pipe->time <= to)
    {
      float at = x + width * (float) ((double) (view->pipe->time - from) / (double) (to - from));
      tl_scene_line (scene, at, box.y, at, y + lanes, tl_stroke (tl_theme_color (theme, TL_ROLE_ACCENT), 1.5f));
    }
}
