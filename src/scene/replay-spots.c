/* What conflicts most: pairs of rows, address bits, domains, each with a bar as long as its
 * share; and the views of a replay by name. */
#include "scene/replay-view.h"

#include "base/number.h"

#include <string.h>

#define ROW    21
#define TITLE  24
#define MARGIN 12

typedef struct
{
  TlScene      *scene;
  const TlView *view;
  TlBox         box;
  float         y;
  float         until; /* of the section */
  guint64       all;   /* conflicts */
} Spots;

/* One row: words, a bar, a number. FALSE when there is no room. */
static gboolean
spot (Spots *spots, const char *id, const char *role, const char *words, const char *title, guint64 count,
      gboolean at_least)
{
  TlScene         *scene = spots->scene;
  TlThemeKind      theme = scene->theme;
  TlBox            row = tl_box (spots->box.x + MARGIN, spots->y, spots->box.width - 2 * MARGIN, ROW - 2);
  double           share = (double) count / (double) MAX (spots->all, 1);
  g_autofree char *number = tl_format_count (count), *percent = tl_format_percent (share, 1);
  gboolean         selected = g_strcmp0 (spots->view->selection, id) == 0;
  TlStyle bar = tl_fill (tl_color_over (tl_theme_color (theme, TL_ROLE_CONFLICT), tl_theme_color (theme, TL_ROLE_VIEW),
                                        theme == TL_THEME_PRINT ? 0 : 0.3));

  if (spots->y + ROW > spots->until)
    return FALSE;
  bar.radius = 2;
  if (theme == TL_THEME_PRINT)
    bar = tl_fill_stroke (bar.fill, tl_theme_color (theme, TL_ROLE_INK), 0.6f);
  tl_scene_begin (scene, role, title, count, "%s", id);
  tl_scene_rect (scene, tl_box (row.x, row.y + 1, MAX (row.width * (float) share, 1.5f), row.height - 2), bar);
  tl_scene_label (scene, row.x + 6, row.y + 14, TL_ANCHOR_START, 11.5f, selected, tl_theme_color (theme, TL_ROLE_INK),
                  "%s", words);
  tl_scene_label (scene, row.x + row.width - 58, row.y + 14, TL_ANCHOR_END, 11.5f, TRUE,
                  tl_theme_color (theme, TL_ROLE_INK), "%s%s", number, at_least ? "+" : "");
  tl_scene_label (scene, row.x + row.width - 4, row.y + 14, TL_ANCHOR_END, 11, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "%s", percent);
  if (selected || g_strcmp0 (spots->view->hover, id) == 0)
    {
      TlStyle chosen = tl_fill (tl_color_alpha (tl_theme_color (theme, TL_ROLE_ACCENT), selected ? 0.22 : 0.1));
      chosen.radius = 4;
      tl_scene_rect (scene, row, chosen);
    }
  tl_scene_hit (scene, row);
  tl_scene_end (scene);
  spots->y += ROW;
  return TRUE;
}

static void
head (Spots *spots, const char *words, guint shown_of)
{
  tl_scene_label (spots->scene, spots->box.x + MARGIN, spots->y + 16, TL_ANCHOR_START, 12, TRUE,
                  tl_theme_color (spots->scene->theme, TL_ROLE_INK), "%s", words);
  tl_scene_label (spots->scene, spots->box.x + spots->box.width - MARGIN - 4, spots->y + 16, TL_ANCHOR_END, 10.5f,
                  FALSE, tl_theme_color (spots->scene->theme, TL_ROLE_INK2), "%u in all", shown_of);
  spots->y += TITLE;
}

static void
draw_pairs (Spots *spots)
{
  const TlMemory *memory = tl_replay_run_memory (spots->view->replay->run);
  const GArray   *pairs = spots->view->replay->spots->pairs;

  head (spots, "Rows that push each other out", pairs->len);
  for (guint i = 0; i < pairs->len; i++)
    {
      const TlRowPair *pair = &g_array_index (pairs, TlRowPair, i);
      g_autofree char *id = g_strdup_printf ("pair-%u-%u-%u", pair->domain, pair->row_a, pair->row_b);
      g_autofree char *label = tl_memory_domain_label (memory, pair->domain), *lost = tl_format_ps (pair->lost);
      g_autofree char *words = g_strdup_printf ("%s  rows %u, %u", label, pair->row_a, pair->row_b);
      g_autofree char *title = g_strdup_printf ("%s: rows %u and %u push each other out, %s lost; Enter goes there",
                                                label, pair->row_a, pair->row_b, lost);
      if (!spot (spots, id, "pair", words, title, pair->count - pair->error, pair->error > 0))
        return;
    }
}

static void
draw_differences (Spots *spots)
{
  const GArray *differences = spots->view->replay->spots->differences;

  head (spots, "Unit bits in which the two differ", differences->len);
  for (guint i = 0; i < differences->len; i++)
    {
      const TlDifference *difference = &g_array_index (differences, TlDifference, i);
      g_autofree char    *id = g_strdup_printf ("difference-%" G_GINT64_MODIFIER "x", difference->bits);
      g_autofree char    *bits = tl_replay_bits (difference->bits), *lost = tl_format_ps (difference->lost);
      g_autofree char    *title
          = g_strdup_printf ("conflicts of two units that differ in %s, %s lost; Enter goes to one", bits, lost);
      float room = spots->box.width - 2 * MARGIN - 120;
      while (tl_scene_text_width (bits, 11.5f, FALSE, FALSE) > room && strrchr (bits, ',') != NULL)
        strcpy (strrchr (bits, ','), " \342\200\246");
      if (!spot (spots, id, "difference", bits, title, difference->count - difference->error, difference->error > 0))
        return;
    }
}

static void
draw_domains (Spots *spots)
{
  const TlMemory *memory = tl_replay_run_memory (spots->view->replay->run);
  const GArray   *domains = spots->view->replay->spots->domains;

  head (spots, "Domains with most conflicts", domains->len);
  for (guint i = 0; i < domains->len; i++)
    {
      const TlRankedDomain *ranked = &g_array_index (domains, TlRankedDomain, i);
      guint64               conflicts = ranked->counts.share.scheduled.conflict;
      g_autofree char      *id = g_strdup_printf ("most-%u", ranked->domain);
      g_autofree char      *name = tl_memory_domain_name (memory, ranked->domain);
      g_autofree char      *title = g_strdup_printf ("%s: Enter goes to a conflict of it", name);
      if (!spot (spots, id, "domain-spot", name, title, conflicts, FALSE))
        return;
    }
}

void
tl_replay_view_spots (TlScene *scene, TlBox box, const TlView *view)
{
  const TlReplaySpots *of = view->replay->spots;
  Spots                spots = { scene,     view, box,
                                 box.y + 2, 0,    tl_causes_count (tl_engine_causes (tl_replay_run_engine (view->replay->run))) };
  float                third = (box.height - 6) / 3;

  tl_scene_rect (scene, box, tl_fill (tl_theme_color (scene->theme, TL_ROLE_VIEW)));
  if (of == NULL || of->domains->len == 0)
    {
      tl_scene_label (scene, box.x + MARGIN, box.y + 24, TL_ANCHOR_START, 13, TRUE,
                      tl_theme_color (scene->theme, TL_ROLE_INK), "No conflicts");
      tl_scene_label (scene, box.x + MARGIN, box.y + 44, TL_ANCHOR_START, 12, FALSE,
                      tl_theme_color (scene->theme, TL_ROLE_INK2), "No row was closed for another one in this run.");
      return;
    }
  spots.until = box.y + third;
  draw_pairs (&spots);
  spots.y = box.y + third + 2;
  spots.until = box.y + 2 * third;
  draw_differences (&spots);
  spots.y = box.y + 2 * third + 2;
  spots.until = box.y + box.height - 2;
  draw_domains (&spots);
}

/* All at once, as the window arranges them. */
static void
draw_window (TlScene *scene, TlBox box, const TlView *view)
{
  const float      status = 28, top = 34, right = MIN (400, box.width * 0.32f), bottom = MIN (240, box.height * 0.32f);
  TlThemeKind      theme = scene->theme;
  TlStyle          line = tl_stroke (tl_theme_color (theme, TL_ROLE_LINE), 1);
  g_autofree char *caption = tl_replay_caption (view->replay);
  float            middle = box.height - top - bottom - status;

  tl_scene_rect (scene, box, tl_fill (tl_theme_color (theme, TL_ROLE_VIEW)));
  tl_scene_rect (scene, tl_box (box.x, box.y, box.width, top), tl_fill (tl_theme_color (theme, TL_ROLE_HEADER)));
  tl_scene_label (scene, box.x + 14, box.y + 22, TL_ANCHOR_START, 13, TRUE, tl_theme_color (theme, TL_ROLE_INK),
                  "%s on %s", tl_replay_run_name (view->replay->run), view->replay->target);
  tl_replay_view_stack (scene, tl_box (box.x, box.y + top, box.width - right, middle - 34), view);
  TlStyle chip = tl_fill (tl_color_over (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                         tl_theme_color (theme, TL_ROLE_VIEW), theme == TL_THEME_PRINT ? 0 : 0.16));
  chip.radius = 8;
  tl_scene_rect (scene, tl_box (box.x + 10, box.y + top + middle - 32, box.width - right - 20, 26), chip);
  tl_scene_clip (scene, tl_box (box.x + 10, box.y + top + middle - 32, box.width - right - 26, 26));
  tl_scene_label (scene, box.x + 20, box.y + top + middle - 15, TL_ANCHOR_START, 12, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK), "%s", caption);
  tl_scene_unclip (scene);
  tl_scene_line (scene, box.x + box.width - right, box.y + top, box.x + box.width - right, box.y + top + middle, line);
  tl_replay_view_inspector (scene, tl_box (box.x + box.width - right + 8, box.y + top + 8, right - 16, 150), view);
  tl_replay_view_spots (scene, tl_box (box.x + box.width - right, box.y + top + 164, right, middle - 166), view);
  tl_scene_line (scene, box.x, box.y + top + middle, box.x + box.width, box.y + top + middle, line);
  tl_view_timeline (scene, tl_box (box.x, box.y + top + middle + 2, box.width, bottom - 2), view);
  tl_replay_view_status (scene, tl_box (box.x, box.y + box.height - status, box.width, status), view);
}

void
tl_replay_view_draw (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view)
{
  g_autofree char *caption = tl_replay_caption (view->replay);
  g_autofree char *time = tl_format_ps (view->replay->moment->time);
  g_autofree char *title = g_strdup_printf ("%s on %s, %s at %s", tl_replay_run_name (view->replay->run),
                                            view->replay->target, tl_view_name (kind), time);

  tl_scene_describe (scene, title, caption);
  switch (kind)
    {
    case TL_VIEW_WINDOW:
      draw_window (scene, box, view);
      break;
    case TL_VIEW_STACK:
      tl_replay_view_stack (scene, box, view);
      break;
    case TL_VIEW_TIMELINE:
      tl_view_timeline (scene, box, view);
      break;
    case TL_VIEW_STATUS:
      tl_replay_view_status (scene, box, view);
      break;
    case TL_VIEW_INSPECTOR:
      tl_replay_view_inspector (scene, box, view);
      break;
    case TL_VIEW_WHY:
      tl_replay_view_why (scene, box, view);
      break;
    case TL_VIEW_SPOTS:
      tl_replay_view_spots (scene, box, view);
      break;
    case TL_VIEW_ISO:
    case TL_VIEW_RING:
    case TL_VIEW_TILES:
    case TL_VIEW_MATRIX:
    case TL_N_ALL_VIEWS:
      tl_scene_label (scene, box.x + MARGIN, box.y + 24, TL_ANCHOR_START, 13, TRUE,
                      tl_theme_color (scene->theme, TL_ROLE_INK), "A trace has no such picture");
      break;
    }
}
