/* Views by name, their sizes, and the arrangement of all of them. */
#include "scene/view.h"

#include "base/number.h"
#include "scene/marks.h"
#include "scene/pipe-view.h"
#include "scene/replay-view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct
{
  const char *name;
  float       width, height;
  void (*draw) (TlScene *, TlBox, const TlView *);
} views[TL_N_ALL_VIEWS] = {
  [TL_VIEW_WINDOW] = { "window", 1280, 800, tl_view_window },
  [TL_VIEW_STACK] = { "stack", 660, 440, tl_view_stack },
  [TL_VIEW_ISO] = { "iso", 720, 520, tl_view_iso },
  [TL_VIEW_RING] = { "ring", 420, 420, tl_view_ring },
  [TL_VIEW_TILES] = { "tiles", 420, 420, tl_view_tiles },
  [TL_VIEW_TIMELINE] = { "timeline", 1000, 260, tl_view_timeline },
  [TL_VIEW_STATUS] = { "status", 1280, 28, tl_view_status },
  [TL_VIEW_INSPECTOR] = { "inspector", 280, 160, tl_view_inspector },
  [TL_VIEW_WHY] = { "why", 540, 330, tl_view_why },
  [TL_VIEW_SPOTS] = { "spots", 420, 420, NULL },
  [TL_VIEW_MATRIX] = { "matrix", 660, 520, NULL },
};

gboolean
tl_view_is_of_replay (TlViewKind kind)
{
  return kind != TL_VIEW_ISO && kind != TL_VIEW_RING && kind != TL_VIEW_TILES && kind != TL_VIEW_MATRIX;
}

gboolean
tl_view_parse (const char *name, TlViewKind *kind)
{
  for (guint i = 0; i < TL_N_ALL_VIEWS; i++)
    if (strcmp (views[i].name, name) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

const char *
tl_view_name (TlViewKind kind)
{
  return views[kind].name;
}

void
tl_view_size (TlViewKind kind, float *width, float *height)
{
  *width = views[kind].width;
  *height = views[kind].height;
}

static void
describe (TlScene *scene, TlViewKind kind, const TlView *view)
{
  g_autofree char *time = view->frame != NULL ? tl_format_ps (view->frame->time) : g_strdup ("the start");
  g_autofree char *title
      = g_strdup_printf ("%s on %s, %s at %s", view->program->name, view->program->target, views[kind].name, time);
  g_autofree char *caption = view->frame != NULL ? tl_frame_caption (view->frame) : g_strdup ("Not run yet.");

  tl_scene_describe (scene, title, caption);
}

void
tl_view_draw (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view)
{
  if (view->replay != NULL)
    {
      tl_replay_view_draw (kind, scene, box, view);
      return;
    }
  if (view->pipe != NULL)
    {
      tl_pipe_view_draw (kind, scene, box, view);
      return;
    }
  describe (scene, kind, view);
  if (views[kind].draw != NULL)
    views[kind].draw (scene, box, view);
}

/* A mark, a word and a number; returns where the next may start. */
static float
counter (TlScene *scene, float x, float y, const char *label, const char *value)
{
  TlThemeKind theme = scene->theme;

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "%s", label);
  x += tl_scene_text_width (label, 12, FALSE, FALSE) + 5;
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, TRUE, tl_theme_color (theme, TL_ROLE_INK), "%s", value);
  return x + tl_scene_text_width (value, 12, TRUE, FALSE) + 26;
}

void
tl_view_status (TlScene *scene, TlBox box, const TlView *view)
{
  TlThemeKind        theme = scene->theme;
  TlColor            outline = tl_theme_color (theme, TL_ROLE_OUTLINE), paper = tl_theme_color (theme, TL_ROLE_VIEW);
  float              y = box.y + box.height / 2 + 4.2f, x = box.x + 14;
  const TlSimCounts *counts = view->run != NULL ? &view->run->total : NULL;

  tl_scene_begin (scene, "status", "counters of the whole run", 0, "status");
  tl_scene_rect (scene, box, tl_fill (tl_theme_color (theme, TL_ROLE_HEADER)));
  if (counts == NULL)
    {
      tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "Not run yet");
      tl_scene_end (scene);
      return;
    }
  guint64          requests = MAX (counts->rd + counts->wr, 1);
  g_autofree char *hits = tl_format_percent ((double) counts->hits / requests, 1);
  g_autofree char *misses = tl_format_count (counts->misses);
  g_autofree char *conflicts = tl_format_count (counts->conflicts);
  g_autofree char *all = tl_format_count (counts->rd + counts->wr);
  g_autofree char *makespan = tl_format_ps (view->run->makespan);
  double           computing = 0;
  for (guint p = 0; p < view->program->machine.pus; p++)
    computing += (double) view->run->pu[p].times.computing;
  double           whole = MAX ((double) view->run->makespan, 1) * view->program->machine.pus;
  g_autofree char *busy = tl_format_percent (computing / whole, 1);

  tl_mark_disc (scene, x + 4, y - 4, 9, tl_theme_color (theme, TL_ROLE_HIT), outline);
  x = counter (scene, x + 14, y, "Hits", hits);
  tl_mark_diamond (scene, x + 4, y - 4, 10, paper, tl_theme_color (theme, TL_ROLE_MISS));
  x = counter (scene, x + 14, y, "Opening misses", misses);
  tl_mark_cross (scene, x + 4, y - 4, 9, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
  x = counter (scene, x + 14, y, "Conflicts", conflicts);
  x = counter (scene, x, y, "Requests", all);
  x = counter (scene, x, y, "PUs compute", busy);
  x = counter (scene, x, y, "Makespan", makespan);
  if (x < box.x + box.width - 200)
    tl_scene_label (scene, box.x + box.width - 14, y, TL_ANCHOR_END, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                    "in order \302\267 exact \302\267 same bytes on every run");
  tl_scene_end (scene);
}

/* One line of the card: a label and what is so. */
static float fact (TlScene *scene, float x, float y, const char *label, const char *format, ...) G_GNUC_PRINTF (5, 6);

static float
fact (TlScene *scene, float x, float y, const char *label, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *value = g_strdup_vprintf (format, args);
  va_end (args);

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", label);
  tl_scene_label (scene, x + 84, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s",
                  value);
  return y + 17;
}

static void
inspect_tile (TlScene *scene, TlBox box, const TlView *view, guint i, guint j)
{
  const TlPimProgram *program = view->program;
  guint               pu = program->owner[(gsize) i * program->tiles + j];
  float               x = box.x + 12, y = box.y + 22;
  guint64             h = tl_pim_program_extent (program, i), w = tl_pim_program_extent (program, j);
  g_autofree char    *bytes = tl_format_bytes ((h * w * program->element_bits + 7) / 8);

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "Tile [%u,%u]", i,
                  j);
  y = fact (scene, x, y + 22, "owner", "PU %u by %s", pu, program->owner_rule);
  y = fact (scene, x, y, "lies in", "T%u", tl_pim_program_tier (program, i, j));
  y = fact (scene, x, y, "size", "%" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT ", %s", h, w, bytes);
  if (view->frame != NULL)
    fact (scene, x, y, "now", "%s",
          i == view->frame->k && j == view->frame->k   ? "the pivot"
          : i == view->frame->k || j == view->frame->k ? "on the pivot's cross"
                                                       : "internal");
}

static void
inspect_pu (TlScene *scene, TlBox box, const TlView *view, guint pu)
{
  float             x = box.x + 12, y = box.y + 22;
  const TlPuReport *report = view->run != NULL ? &view->run->pu[pu] : NULL;

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "PU %u", pu);
  if (report == NULL)
    return;
  double           whole = MAX ((double) view->run->makespan, 1);
  g_autofree char *busy = tl_format_percent (report->times.busy / whole, 1);
  g_autofree char *computing = tl_format_percent (report->times.computing / whole, 1);
  g_autofree char *operand = tl_format_percent (report->times.wait_operand / whole, 1);
  g_autofree char *ring = tl_format_percent (report->times.wait_ring / whole, 1);
  g_autofree char *barrier = tl_format_percent (report->times.wait_barrier / whole, 1);
  y = fact (scene, x, y + 22, "busy", "%s, computes %s", busy, computing);
  y = fact (scene, x, y, "waits", "tiles %s, ring %s", operand, ring);
  y = fact (scene, x, y, "", "barriers %s", barrier);
  fact (scene, x, y, "operations", "%" G_GUINT64_FORMAT,
        report->operations[0] + report->operations[1] + report->operations[2]);
}

static void
inspect_bank (TlScene *scene, TlBox box, const TlView *view, guint pu, guint bank)
{
  static const char *const states[] = {
    "closed", "row open", "being closed", "being opened", "opened after a conflict", "being read", "being written"
  };
  const TlPimMachine *machine = &view->program->machine;
  float               x = box.x + 12, y = box.y + 22;

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK),
                  "Bank C%u.G%u.B%u", pu / MAX (machine->groups, 1), pu % MAX (machine->groups, 1), bank);
  y += 22;
  if (view->frame == NULL)
    return;
  const TlBankFrame *frame = &view->frame->bank[pu * view->frame->moment->n_banks + bank];
  y = fact (scene, x, y, "state", "%s", states[frame->state]);
  if (frame->state != TL_BANK_CLOSED)
    y = fact (scene, x, y, "row", "%u of T%u", (guint) (frame->row % MAX (machine->rows, 1)), frame->tier);
  if (frame->until > 0)
    {
      g_autofree char *since = tl_format_ps (frame->since), *until = tl_format_ps (frame->until - frame->since);
      y = fact (scene, x, y, "since", "%s, takes %s", since, until);
    }
  fact (scene, x, y, "group of", "PU %u", pu);
}

void
tl_view_inspector (TlScene *scene, TlBox box, const TlView *view)
{
  guint   i, j;
  TlStyle card
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_CARD), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);

  card.radius = 10;
  tl_scene_begin (scene, "inspector", "what is selected", 0, "inspector");
  tl_scene_rect (scene, box, card);
  if (view->selection != NULL && sscanf (view->selection, "tile-%u-%u", &i, &j) == 2 && i < view->program->tiles
      && j < view->program->tiles)
    inspect_tile (scene, box, view, i, j);
  else if (view->selection != NULL && sscanf (view->selection, "bank-%u-%u", &i, &j) == 2
           && i < view->program->machine.pus && j < view->program->machine.banks)
    inspect_bank (scene, box, view, i, j);
  else if (view->selection != NULL
           && (sscanf (view->selection, "pu-%u", &i) == 1 || sscanf (view->selection, "lane-pu-%u", &i) == 1)
           && i < view->program->machine.pus)
    inspect_pu (scene, box, view, i);
  else
    {
      tl_scene_label (scene, box.x + 12, box.y + 22, TL_ANCHOR_START, 13, TRUE,
                      tl_theme_color (scene->theme, TL_ROLE_INK), "%s on %s", view->program->name,
                      view->program->target);
      float y = fact (scene, box.x + 12, box.y + 44, "N", "%u, tiles of %u, M = %u", view->program->n,
                      view->program->tile, view->program->tiles);
      y = fact (scene, box.x + 12, y, "owner", "%s", view->program->owner_rule);
      fact (scene, box.x + 12, y, "select", "a tile, a PU or a bank");
    }
  tl_scene_end (scene);
}

static void
draw_caption (TlScene *scene, TlBox box, const TlView *view)
{
  TlThemeKind theme = scene->theme;
  TlStyle     style = tl_fill (tl_color_over (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                              tl_theme_color (theme, TL_ROLE_VIEW), theme == TL_THEME_PRINT ? 0 : 0.16));

  style.radius = 8;
  if (view->frame == NULL)
    return;
  g_autofree char *caption = tl_frame_caption (view->frame);
  tl_scene_rect (scene, box, style);
  tl_scene_label (scene, box.x + 12, box.y + box.height / 2 + 4, TL_ANCHOR_START, 12, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK), "%s", caption);
}

void
tl_view_window (TlScene *scene, TlBox box, const TlView *view)
{
  const float status = 28, bottom = MIN (240, box.height * 0.32f), right = MIN (320, box.width * 0.28f), top = 34;
  TlThemeKind theme = scene->theme;
  TlColor     line = tl_theme_color (theme, TL_ROLE_LINE), ink = tl_theme_color (theme, TL_ROLE_INK);
  float       middle = box.y + box.height - status - bottom;
  float       split = box.x + box.width - right;

  tl_scene_label (scene, box.x + 14, box.y + 22, TL_ANCHOR_START, 13, TRUE, ink, "Stack");
  if (view->frame != NULL)
    {
      g_autofree char *time = tl_format_ps (view->frame->time);
      tl_scene_label (scene, box.x + 62, box.y + 22, TL_ANCHOR_START, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                      "row buffers at %s, step %u of %u", time, view->frame->k + 1, view->program->tiles);
    }
  tl_view_stack (scene, tl_box (box.x + 8, box.y + top, split - box.x - 16, middle - box.y - top - 48), view);
  draw_caption (scene, tl_box (box.x + 10, middle - 40, split - box.x - 20, 32), view);
  tl_scene_line (scene, split, box.y, split, middle, tl_stroke (line, 1));
  tl_scene_label (scene, split + 14, box.y + 22, TL_ANCHOR_START, 13, TRUE, ink, "Tiles");
  tl_scene_label (scene, box.x + box.width - 12, box.y + 22, TL_ANCHOR_END, 12, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "M = %u", view->program->tiles);
  tl_view_tiles (scene, tl_box (split + 4, box.y + top, right - 12, right - 12), view);
  float card = box.y + top + right - 4;
  if (middle - card > 80)
    tl_view_inspector (scene, tl_box (split + 10, card, right - 20, MIN (middle - card - 8, 150)), view);
  tl_scene_line (scene, box.x, middle, box.x + box.width, middle, tl_stroke (line, 1));
  tl_view_timeline (scene, tl_box (box.x, middle + 4, box.width, bottom - 6), view);
  tl_view_status (scene, tl_box (box.x, box.y + box.height - status, box.width, status), view);
}
