/* Words about a replay: the line of counters, what is selected, why a row was closed. */
#include "scene/replay-view.h"

#include "base/number.h"
#include "scene/marks.h"
#include "scene/why-private.h"

#include <string.h>

/* --- counters --- */

/* A label and a number; returns where the next may start. */
static float
counter (TlScene *scene, float x, float y, const char *label, const char *value)
{
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", label);
  x += tl_scene_text_width (label, 12, FALSE, FALSE) + 4;
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s", value);
  return x + tl_scene_text_width (value, 12, TRUE, FALSE) + 16;
}

/* The three classes of one count, which says of which it is. */
static float
counts (TlScene *scene, float x, float y, const char *which, const TlRowCounts *of, guint64 requests)
{
  TlThemeKind      theme = scene->theme;
  TlColor          outline = tl_theme_color (theme, TL_ROLE_OUTLINE), paper = tl_theme_color (theme, TL_ROLE_VIEW);
  g_autofree char *hits = tl_format_percent ((double) (of->hit + of->forwarded) / (double) MAX (requests, 1), 1);
  g_autofree char *misses = tl_format_count (of->miss), *conflicts = tl_format_count (of->conflict);

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2), "%s", which);
  x += tl_scene_text_width (which, 12, FALSE, FALSE) + 10;
  tl_mark_disc (scene, x + 4, y - 4, 9, tl_theme_color (theme, TL_ROLE_HIT), outline);
  x = counter (scene, x + 12, y, "", hits);
  tl_mark_diamond (scene, x + 4, y - 4, 10, paper, tl_theme_color (theme, TL_ROLE_MISS));
  x = counter (scene, x + 12, y, "", misses);
  tl_mark_cross (scene, x + 4, y - 4, 9, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
  return counter (scene, x + 12, y, "", conflicts) + 8;
}

void
tl_replay_view_status (TlScene *scene, TlBox box, const TlView *view)
{
  const TlEngine       *engine = tl_replay_run_engine (view->replay->run);
  TlEngineTotals        totals;
  g_autofree TlLatency *all = tl_engine_all_latencies (engine);
  float                 x = box.x + 14, y = box.y + box.height / 2 + 4.2f;
  guint32               clock = MAX (tl_engine_get_memory (engine)->clock, 1);

  tl_engine_totals (engine, &totals);
  g_autofree char *requests = tl_format_count (totals.requests), *makespan = tl_format_ps (totals.makespan);
  g_autofree char *mean = g_strdup_printf ("%.1f cycles", tl_latency_mean (all) / clock);
  g_autofree char *p99 = g_strdup_printf ("%" G_GUINT64_FORMAT " cycles", tl_latency_percentile (all, 99));
  g_autofree char *bandwidth = g_strdup_printf ("%.1f GB/s", tl_engine_bytes_a_second (engine, &totals) / 1e9);
  g_autofree char *parallel = g_strdup_printf ("%.1f", tl_engine_bank_parallelism (&totals));
  tl_scene_begin (scene, "status", "counters of the whole run", 0, "status");
  tl_scene_rect (scene, box, tl_fill (tl_theme_color (scene->theme, TL_ROLE_HEADER)));
  x = counter (scene, x, y, "Requests", requests);
  x = counts (scene, x, y, "in order", &totals.share.in_order, totals.requests);
  x = counts (scene, x, y, "as scheduled", &totals.share.scheduled, totals.requests);
  x = counter (scene, x, y, "latency", mean);
  x = counter (scene, x - 8, y, "99 % within", p99);
  x = counter (scene, x, y, "", bandwidth);
  x = counter (scene, x, y, "banks at once", parallel);
  if (x + 150 < box.x + box.width)
    counter (scene, x, y, "Makespan", makespan);
  tl_scene_end (scene);
}

/* --- what is selected --- */

/* From a label to its value. */
#define VALUES 82

static float fact (TlScene *scene, TlBox box, float y, const char *label, const char *format, ...) G_GNUC_PRINTF (5, 6);

static float
fact (TlScene *scene, TlBox box, float y, const char *label, const char *format, ...)
{
  float   x = box.x + 12;
  va_list args;
  va_start (args, format);
  g_autofree char *value = g_strdup_vprintf (format, args);
  va_end (args);

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", label);
  for (const char *rest = value; rest[0] != '\0'; y += rest[0] != '\0' ? 15 : 17)
    {
      gsize            length = tl_scene_text_break (rest, 12, box.width - 12 - VALUES - 6);
      g_autofree char *line = g_strndup (rest, length);

      tl_scene_label (scene, x + VALUES, y, TL_ANCHOR_START, 12, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK),
                      "%s", g_strchomp (line));
      rest += length;
    }
  return y;
}

static float
class_fact (TlScene *scene, TlBox box, float y, const char *label, const TlRowCounts *of)
{
  g_autofree char *hits = tl_format_count (of->hit), *misses = tl_format_count (of->miss);
  g_autofree char *conflicts = tl_format_count (of->conflict);

  return fact (scene, box, y, label, "%s hit%s, %s miss%s, %s conflict%s", hits, of->hit == 1 ? "" : "s", misses,
               of->miss == 1 ? "" : "es", conflicts, of->conflict == 1 ? "" : "s");
}

static void
inspect_domain (TlScene *scene, TlBox box, const TlView *view, guint32 d)
{
  const TlMemory       *memory = tl_replay_run_memory (view->replay->run);
  const TlReplayMoment *moment = view->replay->moment;
  const TlDomainMoment *domain = &moment->domains[d];
  float                 x = box.x + 12, y = box.y + 22;
  g_autofree char      *name = tl_memory_domain_name (memory, d), *since = tl_format_ps (domain->since);
  guint64               ready, close;
  guint                 waiting = 0;

  for (guint32 q = 0; q < 2 * moment->n_channels; q++)
    for (guint i = 0; i < moment->lists[q]->len; i++)
      waiting += g_array_index (moment->lists[q], TlEntry, i).domain == d;
  tl_replay_moment_next (moment, d, &ready, &close);
  g_autofree char *next = tl_format_ps (ready - MIN (moment->time, ready)),
                  *shut = close == TL_TIME_NEVER ? NULL : tl_format_ps (close - MIN (moment->time, close));
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s", name);
  y += 22;
  if (domain->open)
    y = fact (scene, box, y, "row", "%u open since %s, for request %" G_GUINT64_FORMAT, domain->row, since,
              domain->opener);
  else if (domain->reserved)
    y = fact (scene, box, y, "row", "%u closed at %s for row %u", domain->row, since, domain->wanted);
  else
    y = fact (scene, box, y, "row", "%s", domain->since > 0 ? "closed" : "closed, nothing was asked yet");
  if (ready != TL_TIME_NEVER)
    y = fact (scene, box, y, "next", "%s in %s%s%s", domain->open ? "a column" : "an ACT", next,
              shut != NULL ? ", PRE in " : "", shut != NULL ? shut : "");
  y = fact (scene, box, y, "waiting", "%u request%s", waiting, waiting == 1 ? "" : "s");
  y = class_fact (scene, box, y, "in order", &domain->counts.share.in_order);
  class_fact (scene, box, y, "as scheduled", &domain->counts.share.scheduled);
}

static void
inspect_run (TlScene *scene, TlBox box, const TlView *view)
{
  static const char *const pages[] = { "open", "closed" };
  const TlReplayShown     *shown = view->replay;
  const TlEngineOptions   *options = tl_replay_run_options (shown->run);
  const TlMemory          *memory = tl_replay_run_memory (shown->run);
  float                    x = box.x + 12, y = box.y + 22;
  guint                    reads = 0, writes = 0;
  g_autofree char         *capacity = tl_format_bytes (memory->capacity), *row = tl_format_bytes (memory->row_bytes);

  for (guint32 q = 0; q < 2 * shown->moment->n_channels; q++)
    *(q % 2 == 0 ? &reads : &writes) += shown->moment->lists[q]->len;
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, tl_theme_color (scene->theme, TL_ROLE_INK), "%s on %s",
                  tl_replay_run_name (shown->run), shown->target);
  y = fact (scene, box, y + 22, "memory", "%s, rows of %s, %u domain%s", capacity, row, tl_memory_domains (memory),
            tl_memory_domains (memory) == 1 ? "" : "s");
  g_autofree char *scheduler = g_ascii_strup (tl_scheduler_name (options->scheduler), -1);
  y = fact (scene, box, y, "controller", "%s, pages %s, window %u", scheduler, pages[options->pages], options->window);
  y = fact (scene, box, y, "refresh", "%s", tl_refresh_name (options->refresh));
  y = fact (scene, box, y, "waiting", "%u read%s, %u write%s", reads, reads == 1 ? "" : "s", writes,
            writes == 1 ? "" : "s");
  y = class_fact (scene, box, y, "until now", &shown->moment->share.scheduled);
  if (y + 4 < box.y + box.height)
    fact (scene, box, y, "select", "a domain, a lane or a spot");
}

void
tl_replay_view_inspector (TlScene *scene, TlBox box, const TlView *view)
{
  TlStyle card
      = tl_fill_stroke (tl_theme_color (scene->theme, TL_ROLE_CARD), tl_theme_color (scene->theme, TL_ROLE_LINE), 1);
  guint32 domain;

  card.radius = 10;
  tl_scene_begin (scene, "inspector", "what is selected", 0, "inspector");
  tl_scene_rect (scene, tl_box (box.x + 0.5f, box.y + 0.5f, box.width - 1, box.height - 1), card);
  tl_scene_clip (scene, box);
  if (tl_replay_domain_of (view->replay->run, view->selection, &domain))
    inspect_domain (scene, box, view, domain);
  else if (view->replay->conflict != NULL)
    inspect_domain (scene, box, view, view->replay->conflict->cause.domain);
  else
    inspect_run (scene, box, view);
  tl_scene_unclip (scene);
  tl_scene_end (scene);
}

/* --- why --- */

static void
draw_side (TlScene *scene, float x, float y, const TlView *view, gboolean wanted)
{
  const TlReplayConflict *conflict = view->replay->conflict;
  const TlMemory         *memory = tl_replay_run_memory (view->replay->run);
  const TlAccess         *access = wanted ? &conflict->closer : &conflict->opener;
  guint64                 line = wanted ? conflict->closer_line : conflict->opener_line;
  const char             *operand = tl_replay_run_operand (view->replay->run, access->operand);
  const char             *requester = tl_replay_run_requester (view->replay->run, access->requester);
  TlColor                 ink = tl_theme_color (scene->theme, TL_ROLE_INK);
  TlColor                 ink2 = tl_theme_color (scene->theme, TL_ROLE_INK2);
  g_autofree char        *number = tl_format_count (wanted ? conflict->cause.closer : conflict->cause.opener);
  g_autofree char        *at = tl_format_ps (wanted ? conflict->entered : conflict->opened);
  g_autoptr (GString) from = g_string_new (NULL);

  if (line > 0)
    g_string_append_printf (from, "line %" G_GUINT64_FORMAT " of the trace", line);
  if (operand != NULL)
    g_string_append_printf (from, "%s%s", from->len > 0 ? ", " : "", operand);
  if (requester != NULL)
    g_string_append_printf (from, "%s%s", from->len > 0 ? ", " : "", requester);
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 12.5f, TRUE, ink, "%s row %u",
                  wanted ? "Wanted:" : "Open:", wanted ? conflict->cause.wanted_row : conflict->cause.open_row);
  tl_scene_label (scene, x, y + 17, TL_ANCHOR_START, 11.5f, FALSE, ink2,
                  "request %s %s 0x%" G_GINT64_MODIFIER "x (unit %" G_GUINT64_FORMAT ")", number,
                  access->write ? "writes" : "reads", access->unit * memory->unit_bytes, access->unit);
  tl_scene_label (scene, x, y + 33, TL_ANCHOR_START, 11.5f, FALSE, ink2, "%s", from->str);
  tl_scene_label (scene, x, y + 49, TL_ANCHOR_START, 11.5f, FALSE, ink2, "%s %s",
                  wanted ? "came in at" : "row opened at", at);
}

/* Which parts of a place the bits choose. (transfer full) */
static char *
chosen_by (TlAddressMap *map, guint64 bits)
{
  const guint64 *rows = tl_address_map_rows (map);
  guint          column = tl_address_map_column_bits (map), row = tl_address_map_row_bits (map);
  gboolean       in_row = FALSE, in_column = FALSE, in_domain = FALSE;

  for (guint p = 0; p < tl_address_map_bits (map); p++)
    if ((rows[p] & bits) != 0)
      *(p < column ? &in_column : p < column + row ? &in_row : &in_domain) = TRUE;
  return g_strdup_printf ("%s%s%s", in_row ? "the row" : "", in_column ? in_row ? ", the column" : "the column" : "",
                          in_domain ? " and, cancelled out, the domain" : "");
}

static void
draw_difference (TlScene *scene, float x, float y, float width, const TlView *view)
{
  const TlReplayConflict *conflict = view->replay->conflict;
  TlAddressMap           *map = tl_replay_run_map (view->replay->run);
  guint64                 a = conflict->opener.unit, b = conflict->closer.unit, bits = a ^ b;
  guint                   most = MAX (64 - (guint) __builtin_clzll (a | b | 1), 1);
  g_autofree char        *names = tl_replay_bits (bits), *choose = chosen_by (map, bits);
  TlColor                 ink = tl_theme_color (scene->theme, TL_ROLE_CONFLICT_INK);
  TlColor                 ink2 = tl_theme_color (scene->theme, TL_ROLE_INK2);

  tl_why_draw_bits (scene, x, y, width, a, b, most);
  tl_scene_label (scene, x, y + 60, TL_ANCHOR_START, 12, TRUE, ink, "Unit bits %s differ: they choose %s.", names,
                  choose);
  for (guint i = 0; view->replay->spots != NULL && i < view->replay->spots->differences->len; i++)
    {
      const TlDifference *known = &g_array_index (view->replay->spots->differences, TlDifference, i);
      if (known->bits != bits)
        continue;
      g_autofree char *count = tl_format_count (known->count - known->error), *lost = tl_format_ps (known->lost);
      tl_scene_label (scene, x, y + 78, TL_ANCHOR_START, 11.5f, FALSE, ink2,
                      "This difference makes %s%s conflicts of the run and costs %s.", count,
                      known->error > 0 ? " or more" : "", lost);
    }
}

void
tl_replay_view_why (TlScene *scene, TlBox box, const TlView *view)
{
  TlThemeKind             theme = scene->theme;
  const TlReplayConflict *conflict = view->replay->conflict;
  const TlMemory         *memory = tl_replay_run_memory (view->replay->run);
  TlColor                 ink = tl_theme_color (theme, TL_ROLE_INK), ink2 = tl_theme_color (theme, TL_ROLE_INK2);
  TlStyle card = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_CARD), tl_theme_color (theme, TL_ROLE_LINE), 1);
  float   x = box.x + 16, y = box.y + 28;

  card.radius = 10;
  tl_scene_begin (scene, "card", "why the row was closed", 0, "why");
  tl_scene_rect (scene, tl_box (box.x + 0.5f, box.y + 0.5f, box.width - 1, box.height - 1), card);
  if (conflict == NULL)
    {
      tl_scene_label (scene, x, y, TL_ANCHOR_START, 13, TRUE, ink, "No conflict is selected");
      tl_scene_label (scene, x, y + 20, TL_ANCHOR_START, 12, FALSE, ink2, "%s",
                      tl_replay_run_options (view->replay->run)->pages == TL_PAGES_OPEN
                          ? "N goes to the next one."
                          : "With closed pages there are none.");
      tl_scene_end (scene);
      return;
    }
  const TlCause      *cause = &conflict->cause;
  const TlTierTiming *old = &memory->tier[tl_memory_tier_of (memory, cause->domain, cause->open_row)];
  const TlTierTiming *new = &memory->tier[tl_memory_tier_of (memory, cause->domain, cause->wanted_row)];
  g_autofree char *at = tl_format_ps (cause->time), *name = tl_memory_domain_name (memory, cause->domain);
  g_autofree char *open = g_strdup_printf ("row %u open", cause->open_row);
  guint64          ready = cause->time + MAX (cause->lost, (guint64) old->tRP + new->tRCD);
  TlWhyTime        time = { cause->time, ready - new->tRCD, ready, old->tRP, new->tRCD, memory->clock, open };

  tl_mark_cross (scene, x + 9, y - 6, 18, tl_theme_color (theme, TL_ROLE_CONFLICT),
                 tl_theme_color (theme, TL_ROLE_OUTLINE));
  tl_scene_label (scene, x + 28, y, TL_ANCHOR_START, 18, TRUE, ink, "Conflict");
  tl_scene_label (scene, x + 112, y, TL_ANCHOR_START, 12.5f, FALSE, ink2, "%s at %s", name, at);
  tl_why_draw_time (scene, tl_box (x, y + 14, box.width - 32, 80), &time);
  draw_side (scene, x, y + 112, view, FALSE);
  draw_side (scene, x + (box.width - 32) / 2, y + 112, view, TRUE);
  draw_difference (scene, x, y + 190, box.width - 32, view);
  tl_scene_end (scene);
}
