/* Who does what in a pipeline at a moment: Search PUs send into the queue, Compute PUs take
 * from it; reads beneath, by how far they are. */
#include "scene/marks.h"
#include "scene/pipe-private.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define HEAD 34 /* of a column: its name and a fact */

static void
draw_head (TlScene *scene, float x, float y, const char *name, const char *facts)
{
  tl_scene_label (scene, x, y + 12, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s", name);
  tl_scene_label (scene, x, y + 26, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s",
                  facts);
}

/* --- Search --- */

/* What a Search PU is at, with the read's number. (transfer full) */
static char *
search_words (const TlView *view, const TlPipeMoment *moment, guint pu)
{
  const TlPipeRun  *run = view->pipe->grid->sim;
  const TlPipeSpan *span = &moment->at[pu];
  guint32           read = span->subject;

  if (span->to == 0)
    {
      for (guint r = 0; r < run->searches->len; r++)
        if (g_array_index (run->searches, TlPipeSearch, r).pu == pu
            && g_array_index (run->searches, TlPipeSearch, r).to > view->pipe->time)
          return g_strdup ("idle");
      return g_strdup (run->pu[pu].busy == 0 ? "has no read" : "done");
    }
  if (span->kind != TL_PIPE_SPAN_LOOKUP && read < run->jobs->len)
    read = g_array_index (run->jobs, TlPipeJob, read).read;
  switch (span->kind)
    {
    case TL_PIPE_SPAN_LOOKUP:
      return g_strdup_printf ("looks up read %u", read);
    case TL_PIPE_SPAN_SEND:
      return g_strdup_printf ("sends read %u", read);
    case TL_PIPE_SPAN_STALL:
      return g_strdup_printf ("stalled: read %u", read);
    default:
      return g_strdup (tl_pipe_words ((TlPipeSpanKind) span->kind));
    }
}

/* The most columns of discs that @count PUs need to be as large as @box lets them. */
static guint
columns_for (guint count, TlBox box, float height_of)
{
  guint best = 1;

  for (guint c = 1; c <= count; c++)
    if (MIN (box.width / c, box.height / ((count + c - 1) / c) * height_of)
        > MIN (box.width / best, box.height / ((count + best - 1) / best) * height_of))
      best = c;
  return best;
}

static void
draw_search (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box)
{
  const TlPipeProgram *program = view->pipe->grid->sim->program;
  guint                n = program->search;
  float                pitch = MIN (box.height / MAX (n, 1), 54);

  if (pitch >= 25 && box.width >= 130)
    {
      for (guint pu = 0; pu < n; pu++)
        {
          float            y = box.y + pitch * ((float) pu + 0.5f) - 4, radius = MIN (pitch * 0.36f, 15);
          g_autofree char *words = search_words (view, moment, pu);

          tl_pipe_draw_pu (scene, view, moment, pu, box.x + 16, y, radius);
          tl_scene_label (scene, box.x + 38, y + 4, TL_ANCHOR_START, 11, FALSE,
                          tl_theme_color (scene->theme, moment->at[pu].to > 0 ? TL_ROLE_INK : TL_ROLE_INK3), "%s",
                          words);
        }
      return;
    }
  guint columns = columns_for (n, box, 0.72f), rows = (n + columns - 1) / columns;
  float wide = MIN (box.width / columns, 44), high = MIN (box.height / rows, 56);
  for (guint pu = 0; pu < n; pu++)
    tl_pipe_draw_pu (scene, view, moment, pu, box.x + wide * ((float) (pu / rows) + 0.5f),
                     box.y + high * ((float) (pu % rows) + 0.5f) - 4, MIN (wide * 0.42f, high * 0.32f));
}

/* --- The queue --- */

#define SLOTS_IN_ROW 8
#define MOST_SLOTS   96

/* Reads whose candidates are queued, the first to go first. */
static GArray *
queued_reads (const TlView *view)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  guint64          time = view->pipe->time;
  GArray          *reads = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
      if (job->sent <= time && time < job->taken)
        g_array_append_val (reads, job->read);
    }
  return reads;
}

static void
draw_slots (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box, guint depth)
{
  TlThemeKind theme = scene->theme;
  guint       in_row = MIN (depth, SLOTS_IN_ROW), rows = (depth + in_row - 1) / in_row;
  float       wide = MIN (box.width / in_row, 40), high = MIN (box.height / rows, 34);
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), line = tl_theme_color (theme, TL_ROLE_INK3);
  TlStyle     empty = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_SLOT), line, 0.6f);
  TlStyle     full = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_QUEUE), outline, 1);
  g_autoptr (GArray) reads = queued_reads (view);

  if (theme == TL_THEME_PRINT)
    {
      full.fill = tl_theme_color (theme, TL_ROLE_VIEW);
      full.width = 1.6f;
    }
  for (guint s = 0; s < depth; s++)
    {
      /* The first to go stands at the right end of the top row. */
      TlBox    slot = tl_box (box.x + wide * (float) (in_row - 1 - s % in_row), box.y + high * (float) (s / in_row),
                              MAX (wide - 3, 1), MAX (high - 3, 1));
      gboolean here = s < moment->level;

      tl_scene_rect (scene, slot, here ? full : empty);
      if (!here || s >= reads->len || slot.height < 11)
        continue;
      g_autofree char *number = g_strdup_printf ("%u", g_array_index (reads, guint32, s));
      if (tl_scene_text_width (number, 10, TRUE, FALSE) <= slot.width - 2)
        tl_scene_label (scene, slot.x + slot.width / 2, slot.y + slot.height / 2 + 3.5f, TL_ANCHOR_MIDDLE, 10, TRUE,
                        tl_color_ink_on (full.fill), "%s", number);
    }
  tl_scene_hit (scene, tl_box (box.x, box.y, wide * in_row, high * rows));
}

/* Of very many places the share that is taken. */
static void
draw_share (TlScene *scene, const TlPipeMoment *moment, TlBox box, guint depth)
{
  TlThemeKind theme = scene->theme;
  TlBox       bar = tl_box (box.x, box.y, box.width, MIN (box.height, 34));
  TlStyle     full = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_QUEUE), tl_theme_color (theme, TL_ROLE_OUTLINE), 1);

  tl_scene_rect (scene, bar,
                 tl_fill_stroke (tl_theme_color (theme, TL_ROLE_SLOT), tl_theme_color (theme, TL_ROLE_OUTLINE), 1));
  if (theme == TL_THEME_PRINT)
    {
      full.fill = tl_theme_color (theme, TL_ROLE_VIEW);
      full.texture = TL_TEXTURE_DIAGONAL;
      full.texture_color = tl_theme_color (theme, TL_ROLE_INK);
    }
  float share = bar.width * (float) moment->level / (float) MAX (depth, 1);
  if (share > 0)
    tl_scene_rect (scene, tl_box (bar.x + bar.width - share, bar.y, share, bar.height), full);
  tl_scene_hit (scene, bar);
}

static void
draw_queue (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  guint            depth = run->program->depth;
  g_autofree char *title
      = g_strdup_printf ("queue: %u of %u places taken, %u at most", moment->level, depth, run->high_water);
  TlBox found;

  tl_scene_begin (scene, "queue", title, 0, "queue");
  if (depth <= MOST_SLOTS)
    draw_slots (scene, view, moment, box, depth);
  else
    draw_share (scene, moment, box, depth);
  tl_scene_end (scene);
  if (g_strcmp0 (view->selection, "queue") == 0 && tl_scene_find (scene, "queue", &found) != NULL)
    tl_mark_selected (scene, found, scene->theme);
  else if (g_strcmp0 (view->hover, "queue") == 0 && tl_scene_find (scene, "queue", &found) != NULL)
    tl_mark_hovered (scene, found, scene->theme);
}

/* A dashed arrow of what goes into the queue or out of it. */
static void
draw_arrow (TlScene *scene, float x, float y, float width)
{
  TlColor color = tl_theme_color (scene->theme, scene->theme == TL_THEME_PRINT ? TL_ROLE_INK : TL_ROLE_QUEUE);
  TlStyle line = tl_stroke (color, 2);

  line.dash = TL_DASH_4_2;
  tl_scene_line (scene, x, y, x + width - 4, y, line);
  tl_mark_chevron (scene, x + width - 4, y, 10, TRUE, color, 2);
}

/* --- Compute --- */

/* The tile that @pu sweeps just now; FALSE: none, or not known. */
static gboolean
tile_at (const TlView *view, const TlPipeSpan *span, guint pu, guint *i, guint *j)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  TlWaveTiling     tiling;
  TlWaveOwner      owner;
  guint32          ti = 0, tj = 0, n;
  gint32           di, dj;
  guint64          begin = span->from;
  gboolean         found = FALSE;

  if (span->to == 0 || span->kind != TL_PIPE_SPAN_SWEEP || span->subject >= run->jobs->len)
    return FALSE;
  tl_pipe_job_tiling (run->program, &g_array_index (run->jobs, TlPipeJob, span->subject), &tiling);
  tl_pipe_owner (run->program, &tiling, &owner);
  n = tl_wave_tiles (&tiling, span->wave, &ti, &tj, &di, &dj);
  for (guint32 t = 0; t < n; t++, ti = (guint32) ((gint32) ti + di), tj = (guint32) ((gint32) tj + dj))
    if (tl_wave_owner_at (&owner, ti, tj) == pu && begin <= view->pipe->time)
      {
        begin += tl_wave_cycles (&tiling, ti, tj, TRUE) * run->program->machine.clock;
        *i = ti;
        *j = tj;
        found = TRUE;
      }
  if (owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) owner.rule);
  return found;
}

static void
draw_compute (TlScene *scene, const TlView *view, const TlPipeMoment *moment, TlBox box)
{
  const TlPipeProgram *program = view->pipe->grid->sim->program;
  guint                n = program->compute, columns = columns_for (n, box, 0.8f), rows = (n + columns - 1) / columns;
  float                wide = MIN (box.width / MAX (columns, 1), 80), high = MIN (box.height / MAX (rows, 1), 88);
  gboolean             words = wide >= 36 && high >= 48;
  float                radius = MIN (wide * 0.36f, (high - (words ? 26 : 12)) / 2);

  for (guint p = 0; p < n; p++)
    {
      guint pu = program->search + p, i = 0, j = 0;
      float x = box.x + wide * ((float) (p % columns) + 0.5f), y = box.y + high * (float) (p / columns) + radius + 1;

      tl_pipe_draw_pu (scene, view, moment, pu, x, y, MAX (radius, 2));
      if (words && tile_at (view, &moment->at[pu], pu, &i, &j))
        tl_scene_label (scene, x, y + radius + 20, TL_ANCHOR_MIDDLE, 10, FALSE,
                        tl_theme_color (scene->theme, TL_ROLE_INK), "[%u,%u]", i, j);
    }
}

float
tl_pipe_draw_compute (TlScene *scene, TlBox box, const TlView *view, const TlPipeMoment *moment)
{
  guint            n = view->pipe->grid->sim->program->compute;
  g_autofree char *facts = g_strdup_printf ("%u PUs sweep tiles [i,j]", n);
  float            room = MIN (box.height - HEAD - 26, 52 * ceilf (sqrtf ((float) n)));

  draw_head (scene, box.x, box.y, "Compute", facts);
  draw_compute (scene, view, moment, tl_box (box.x, box.y + HEAD, box.width, room));
  tl_pipe_draw_legend (scene, box.x, box.y + HEAD + room + 8, box.x + box.width, view->pipe->grid->sim);
  return HEAD + room + 26;
}

/* --- Reads --- */

typedef enum
{
  READ_UNSEEN,
  READ_SEARCHED,
  READ_QUEUED,
  READ_SWEPT,
  READ_DONE,
  READ_LOST, /* no candidate */
  N_READ_STATES
} ReadState;

static const char *const read_words[N_READ_STATES]
    = { "not begun", "looked up", "queued", "aligned now", "done", "no candidate" };

/* Of each read, how far it is. (transfer full) */
static guint8 *
states_of (const TlView *view)
{
  const TlPipeRun *run = view->pipe->grid->sim;
  guint64          time = view->pipe->time;
  guint            n = view->pipe->grid->hits->len;
  guint8          *states = g_new0 (guint8, n + 1);

  for (guint r = 0; r < n && r < run->searches->len; r++)
    {
      const TlPipeSearch *search = &g_array_index (run->searches, TlPipeSearch, r);
      if (search->words > 0 && time >= search->from)
        states[r] = time < search->to ? READ_SEARCHED : search->candidates > 0 ? READ_QUEUED : READ_LOST;
    }
  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
      if (job->read < n && job->taken <= time)
        states[job->read] = time < job->done ? READ_SWEPT : READ_DONE;
    }
  return states;
}

static TlStyle
read_style (TlThemeKind theme, ReadState state)
{
  static const TlRole roles[N_READ_STATES]
      = { TL_ROLE_VIEW, TL_ROLE_HIT, TL_ROLE_QUEUE, TL_ROLE_COMPUTE, TL_ROLE_WAIT, TL_ROLE_VIEW };
  static const TlTexture print[N_READ_STATES]
      = { TL_TEXTURE_NONE, TL_TEXTURE_DOTS, TL_TEXTURE_HORIZONTAL, TL_TEXTURE_SOLID, TL_TEXTURE_NONE, TL_TEXTURE_NONE };
  TlStyle style = tl_fill_stroke (tl_theme_color (theme, roles[state]), tl_theme_color (theme, TL_ROLE_OUTLINE), 1);

  if (state == READ_UNSEEN)
    style.stroke = tl_theme_color (theme, TL_ROLE_INK3);
  if (theme == TL_THEME_PRINT)
    {
      style.fill = tl_theme_color (theme, TL_ROLE_VIEW);
      style.texture = print[state];
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK);
    }
  return style;
}

/* The second cue: a stroke for being looked up, a bar at the left while it waits, a tick, a cross. */
static void
read_cue (TlScene *scene, ReadState state, TlBox cell)
{
  TlThemeKind theme = scene->theme;
  float       right = cell.x + cell.width, bottom = cell.y + cell.height, s = MIN (cell.width, 20) / 5;
  TlColor ink = state == READ_LOST ? tl_theme_color (theme, TL_ROLE_CONFLICT) : tl_theme_color (theme, TL_ROLE_INK2);
  TlStyle stroke = tl_stroke (ink, 1.4f);
  const float tick[] = { right - 2.2f * s,  bottom - 1.2f * s, right - 1.6f * s,
                         bottom - 0.5f * s, right - 0.5f * s,  bottom - 2.1f * s };

  if (state == READ_DONE)
    tl_scene_polygon (scene, tick, 3, FALSE, stroke);
  if (state == READ_LOST)
    {
      tl_scene_line (scene, right - 2 * s, bottom - 2 * s, right - 0.5f * s, bottom - 0.5f * s, stroke);
      tl_scene_line (scene, right - 2 * s, bottom - 0.5f * s, right - 0.5f * s, bottom - 2 * s, stroke);
    }
  if (state == READ_SEARCHED && theme != TL_THEME_PRINT)
    tl_scene_rect (scene, tl_box (cell.x + 1, bottom - 3, cell.width - 2, 2),
                   tl_fill (tl_color_ink_on (tl_theme_color (theme, TL_ROLE_HIT))));
}

static void
draw_read (TlScene *scene, const TlView *view, guint r, ReadState state, TlBox cell)
{
  const TlGridHit *hit = &g_array_index (view->pipe->grid->hits, TlGridHit, r);
  TlThemeKind      theme = scene->theme;
  TlStyle          style = read_style (theme, state);
  g_autofree char *letters = tl_format_count (hit->rows), *number = g_strdup_printf ("%u", r);
  g_autofree char *title = g_strdup_printf ("read %u, %s, %s letters: %s", r, hit->query, letters, read_words[state]);

  if (cell.width < 5)
    style.width = 0;
  tl_scene_begin (scene, "read", title, r, "read-%u", r);
  tl_scene_rect (scene, cell, style);
  if (cell.width >= 9)
    read_cue (scene, state, cell);
  if (tl_scene_text_width (number, 9.5f, FALSE, FALSE) + 3 <= cell.width && cell.height >= 12)
    {
      float   middle = cell.x + cell.width / 2, base = cell.y + cell.height / 2 + 3;
      TlColor ink = tl_color_ink_on (style.fill);
      if (theme == TL_THEME_PRINT && style.texture != TL_TEXTURE_NONE)
        {
          ink = tl_theme_color (theme, TL_ROLE_INK);
          float wide = tl_scene_text_width (number, 9.5f, FALSE, FALSE) + 3;
          tl_scene_rect (scene, tl_box (middle - wide / 2, base - 9, wide, 11),
                         tl_fill (tl_theme_color (theme, TL_ROLE_VIEW)));
        }
      tl_scene_label (scene, middle, base, TL_ANCHOR_MIDDLE, 9.5f, state == READ_SWEPT, ink, "%s", number);
    }
  tl_scene_hit (scene, cell);
  tl_scene_end (scene);
  tl_pipe_mark (scene, view, "read", r, cell);
}

static void
draw_read_legend (TlScene *scene, float x, float y, float right)
{
  for (ReadState state = 0; state < N_READ_STATES; state++)
    {
      float width = tl_scene_text_width (read_words[state], 10.5f, FALSE, FALSE) + 30;
      TlBox cell = tl_box (x, y - 9.5f, 12, 12);

      if (x + width - 14 > right)
        return;
      tl_scene_rect (scene, cell, read_style (scene->theme, state));
      read_cue (scene, state, cell);
      tl_scene_label (scene, x + 16, y, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2),
                      "%s", read_words[state]);
      x += width;
    }
}

/* A box for each read: the picker. */
static void
draw_reads (TlScene *scene, const TlView *view, TlBox box)
{
  guint              n = view->pipe->grid->hits->len, rows = 1, done = 0;
  float              pitch;
  g_autofree guint8 *states = states_of (view);

  for (guint r = 0; r < n; r++)
    done += states[r] >= READ_DONE;
  g_autofree char *facts = g_strdup_printf ("%u of %u done; choose one to see its matrix", done, n);
  tl_scene_label (scene, box.x, box.y + 12, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "Reads");
  tl_scene_label (scene, box.x + 48, box.y + 12, TL_ANCHOR_START, 10.5f, FALSE,
                  tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", facts);
  box.y += 20;
  box.height -= 20;
  while (rows < 64 && box.width / (float) ((n + rows - 1) / rows) < MIN (18, box.height / (float) (rows + 1)))
    rows++;
  guint columns = MAX ((n + rows - 1) / rows, 1);
  pitch = MIN (MIN (box.width / (float) columns, box.height / (float) rows), 26);
  for (guint r = 0; r < n && pitch >= 2; r++)
    draw_read (scene, view, r, states[r],
               tl_box (box.x + (float) (r % columns) * pitch, box.y + (float) (r / columns) * pitch, MAX (pitch - 3, 1),
                       MAX (pitch - 3, 1)));
}

/* --- All of it --- */

static void
draw_pipeline (TlScene *scene, TlBox box, const TlView *view, const TlPipeMoment *moment)
{
  const TlPipeRun     *run = view->pipe->grid->sim;
  const TlPipeProgram *program = run->program;
  float                reads = CLAMP (box.height * 0.2f, 46, 96), legend = 36, arrow = 34;
  TlBox            middle = tl_box (box.x + 8, box.y + HEAD, box.width - 16, box.height - HEAD - reads - legend - 8);
  float            side = floorf (middle.width * 0.27f), queue = floorf (MIN (middle.width * 0.28f, 330));
  float            x = middle.x + side + arrow, compute = x + queue + arrow;
  float            right = middle.x + middle.width;
  g_autofree char *searches = g_strdup_printf ("%u PUs look words up", program->search);
  g_autofree char *level
      = g_strdup_printf ("%u of %u places, %u at most", moment->level, program->depth, run->high_water);
  g_autofree char *sweeps = g_strdup_printf ("%u PUs sweep tiles [i,j]", program->compute);

  draw_head (scene, middle.x, box.y, "Search", searches);
  draw_head (scene, x, box.y, "Queue", level);
  draw_head (scene, compute, box.y, "Compute", sweeps);
  draw_search (scene, view, moment, tl_box (middle.x, middle.y, side, middle.height));
  draw_queue (scene, view, moment, tl_box (x, middle.y + 4, queue, middle.height - 8));
  draw_compute (scene, view, moment, tl_box (compute, middle.y, right - compute, middle.height));
  draw_arrow (scene, x - arrow + 4, middle.y + 12, arrow - 10);
  draw_arrow (scene, x + queue + 5, middle.y + 12, arrow - 10);
  draw_reads (scene, view, tl_box (middle.x, middle.y + middle.height + 6, middle.width, reads));
  draw_read_legend (scene, middle.x, box.y + box.height - 21, right);
  tl_pipe_draw_legend (scene, middle.x, box.y + box.height - 5, right, run);
}

void
tl_pipe_view_pus (TlScene *scene, TlBox box, const TlView *view)
{
  g_auto (TlPipeMoment) moment = { 0 };

  tl_pipe_moment (view->pipe->grid->sim, view->pipe->index, view->pipe->time, &moment);
  if (view->pipe->grid->sim->program->streams)
    draw_pipeline (scene, box, view, &moment);
  else
    tl_pipe_view_matrix (scene, box, view);
}
