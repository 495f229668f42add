/* Finding the moment asked for, gathering what a view needs, drawing it. */
#include "scene/compose-private.h"

#include "base/number.h"
#include "scene/why.h"
#include "sim/trace.h"

#include <stdio.h>
#include <string.h>

#define EVENT_LIMIT 20000000

/* When super-step @k goes on, over all PUs. */
static void
step_span (TlSimRun *run, guint32 k, guint64 *from, guint64 *to)
{
  *from = G_MAXUINT64;
  *to = 0;
  for (guint p = 0; p < run->program->machine.pus; p++)
    {
      g_autoptr (GArray) shares = tl_sim_lane (run, p);
      for (guint s = 0; s < shares->len; s++)
        {
          const TlLaneShare *share = &g_array_index (shares, TlLaneShare, s);
          if (share->k > k || share->k_end <= k)
            continue;
          *from = MIN (*from, share->from);
          *to = MAX (*to, share->to);
        }
    }
  if (*from > *to)
    *from = 0;
}

gboolean
tl_compose_fail (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

gboolean
tl_compose_number (const char *text, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number, NULL);
}

/* First operation of that phase of step @k. */
static gboolean
phase_start (TlSimRun *run, guint32 k, guint8 phase, guint64 *time, GError **error)
{
  guint64 from, to;

  step_span (run, k, &from, &to);
  g_autoptr (TlSimWindow) window = tl_sim_window_new (run, from, to, 1000000, NULL, error);
  if (window == NULL)
    return FALSE;
  *time = G_MAXUINT64;
  for (guint o = 0; o < window->operations->len; o++)
    {
      const TlOperation *operation = &g_array_index (window->operations, TlOperation, o);
      if (operation->k == k && operation->phase == phase)
        *time = MIN (*time, operation->start);
    }
  return *time != G_MAXUINT64 || tl_compose_fail (error, "step %u has no %s tiles", k, tl_phase_words (phase));
}

static gboolean
parse_phase (TlSimRun *run, const char *text, guint64 *time, GError **error)
{
  static const char *const names[] = { "pivot", "cross", "internal" };
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  guint64 k;

  if (g_strv_length (parts) != 2 || !tl_compose_number (parts[0], &k))
    return tl_compose_fail (error, "\"phase:%s\" is not phase:K.pivot, phase:K.cross or phase:K.internal", text);
  if (k >= run->program->tiles)
    return tl_compose_fail (error, "there is no step %s: they go from 0 to %u", parts[0], run->program->tiles - 1);
  for (guint8 phase = 0; phase < G_N_ELEMENTS (names); phase++)
    if (strcmp (parts[1], names[phase]) == 0)
      return phase_start (run, (guint32) k, phase, time, error);
  return tl_compose_fail (error, "\"%s\" is no phase: pivot, cross or internal", parts[1]);
}

static gboolean
parse_event (TlSimRun *run, const char *text, guint64 *time, GError **error)
{
  guint64 index;

  if (!tl_compose_number (text, &index))
    return tl_compose_fail (error, "\"event:%s\" is not event:N", text);
  g_autoptr (TlSimTrace) trace = tl_sim_trace_new (run, 0, G_MAXUINT64, EVENT_LIMIT, NULL, NULL);
  if (trace == NULL)
    return tl_compose_fail (error, "the run has too many events to count them; name a time or a phase");
  if (index >= tl_sim_trace_count (trace))
    return tl_compose_fail (error, "the run has %" G_GUINT64_FORMAT " events, numbered from 0",
                            tl_sim_trace_count (trace));
  TlSimEvent event;
  tl_sim_trace_event (trace, index, &event);
  *time = event.time;
  return TRUE;
}

gboolean
tl_moment_parse (TlSimRun *run, const char *text, guint64 *time, GError **error)
{
  g_autofree char *reason = NULL;

  *time = 0;
  if (strcmp (text, "end") == 0)
    *time = run->makespan;
  else if (strcmp (text, "start") == 0)
    *time = 0;
  else if (g_str_has_prefix (text, "cycle:"))
    {
      if (!tl_compose_number (text + 6, time) || !tl_mul_u64 (*time, run->program->machine.clock, time))
        return tl_compose_fail (error, "\"%s\" is not cycle:N", text);
    }
  else if (g_str_has_prefix (text, "time:"))
    {
      if (!tl_parse_ps (text + 5, time, &reason))
        return tl_compose_fail (error, "%s", reason);
    }
  else if (g_str_has_prefix (text, "phase:"))
    return parse_phase (run, text + 6, time, error);
  else if (g_str_has_prefix (text, "event:"))
    return parse_event (run, text + 6, time, error);
  else
    return tl_compose_fail (error, "\"%s\" is no moment: cycle:N, time:12.5ns, event:N, phase:K.internal, start or end",
                            text);
  if (*time > run->makespan)
    {
      g_autofree char *end = tl_format_ps (run->makespan);
      return tl_compose_fail (error, "\"%s\" lies after the end of the run at %s", text, end);
    }
  return TRUE;
}

guint64
tl_moment_telling (TlSimRun *run)
{
  const TlPimMachine *machine = &run->program->machine;
  guint64             from, to;
  guint32             k = run->program->tiles / 3;

  step_span (run, k, &from, &to);
  g_autoptr (TlSimWindow) window = tl_sim_window_new (run, from, to, 200000, NULL, NULL);
  for (guint b = 0; window != NULL && b < window->broadcasts->len; b++)
    {
      const TlBroadcast *broadcast = &g_array_index (window->broadcasts, TlBroadcast, b);
      if (broadcast->k == k && broadcast->i == k && broadcast->j == k && broadcast->end > broadcast->start)
        return MIN (broadcast->start + (guint64) machine->ring_hop * machine->clock * (machine->pus * 3 / 8),
                    run->makespan);
    }
  return MIN (from, run->makespan);
}

/* PUs whose lanes tell most: the sender, then those that are busy. */
static guint
choose_lanes (const TlFrame *frame, const char *selection, guint *pus, guint most)
{
  guint n = 0, pu;

  if (selection != NULL
      && (sscanf (selection, "pu-%u", &pu) == 1 || sscanf (selection, "bank-%u", &pu) == 1
          || sscanf (selection, "lane-pu-%u", &pu) == 1)
      && pu < frame->moment->n_pus)
    pus[n++] = pu;
  if (frame->moment->sending && !(n == 1 && pus[0] == frame->moment->broadcast.pu))
    pus[n++] = frame->moment->broadcast.pu;
  for (guint pass = 0; pass < 2; pass++)
    for (pu = 0; pu < frame->moment->n_pus && n < most; pu++)
      {
        gboolean taken = FALSE;
        for (guint i = 0; i < n; i++)
          taken |= pus[i] == pu;
        if (!taken && (pass == 1 || frame->moment->pu[pu].activity != TL_PU_IDLE))
          pus[n++] = pu;
      }
  return n;
}

/* The conflict a Why card is of: the selected one, the one of the selected bank at the moment, the next one, or the last
 * one before. (transfer full), NULL when there is none. */
static char *
find_conflict (TlSimRun *run, const TlPicture *picture)
{
  TlConflict conflict;
  guint32    pu, bank;
  guint64    act;

  if (tl_conflict_parse (picture->selection, &pu, &bank, &act))
    return g_strdup (picture->selection);
  if ((picture->selection != NULL && sscanf (picture->selection, "bank-%u-%u", &pu, &bank) == 2
       && tl_conflict_at (run, pu, bank, picture->time, &conflict))
      || tl_conflict_next (run, picture->time, G_MAXUINT32, G_MAXUINT32, TRUE, &conflict)
      || tl_conflict_next (run, picture->time, G_MAXUINT32, G_MAXUINT32, FALSE, &conflict))
    return tl_conflict_id (conflict.pu, conflict.bank, conflict.act);
  return NULL;
}

TlScene *
tl_compose (TlSimRun *run, const TlPicture *picture, GError **error)
{
  float width = picture->width, height = picture->height;

  if (width <= 0 || height <= 0)
    tl_view_size (picture->kind, &width, &height);
  g_autoptr (TlFrameSource) source = tl_frame_source_new (run);
  g_autoptr (TlFrame) frame = tl_frame_at (source, picture->time, error);
  if (frame == NULL)
    return NULL;
  g_autoptr (TlLanes) lanes = NULL;
  g_autoptr (TlRunSummary) summary = NULL;
  if (picture->kind == TL_VIEW_WINDOW || picture->kind == TL_VIEW_TIMELINE)
    {
      guint   pus[4];
      guint   n = choose_lanes (frame, picture->selection, pus, 3);
      guint64 from = picture->from, to = picture->to;
      if (to <= from)
        {
          from = picture->time > 40000 ? picture->time - 40000 : 0;
          to = MIN (from + 160000, MAX (run->makespan, from + 1));
        }
      lanes = tl_lanes_new (run, from, to, (guint) MAX (width - 130, 64), pus, n, error);
      if (lanes == NULL)
        return NULL;
      summary = tl_run_summary_new (run, (guint) MIN (MAX (width / 3, 64), 600));
    }
  g_autofree char *conflict = picture->kind == TL_VIEW_WHY ? find_conflict (run, picture) : NULL;
  TlView           view = { .program = run->program,
                            .run = run,
                            .frame = frame,
                            .lanes = lanes,
                            .summary = summary,
                            .selection = picture->kind == TL_VIEW_WHY ? conflict : picture->selection };
  TlScene         *scene = tl_scene_new (width, height, picture->theme);
  tl_view_draw (picture->kind, scene, tl_box (0, 0, width, height), &view);
  return scene;
}

char *
tl_picture_state (const TlPicture *picture)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (
      text, "view=%s;theme=%s;time=%" G_GUINT64_FORMAT ";from=%" G_GUINT64_FORMAT ";to=%" G_GUINT64_FORMAT,
      tl_view_name (picture->kind), tl_theme_name (picture->theme), picture->time, picture->from, picture->to);
  if (picture->width > 0 && picture->height > 0)
    g_string_append_printf (text, ";size=%gx%g", picture->width, picture->height);
  if (picture->selection != NULL)
    g_string_append_printf (text, ";select=%s", picture->selection);
  return g_string_free (text, FALSE);
}

/* "1280x800" */
static void
parse_size (const char *text, TlPicture *picture)
{
  char  *end;
  double width = g_ascii_strtod (text, &end), height = *end == 'x' ? g_ascii_strtod (end + 1, &end) : 0;

  if (*end != '\0' || !(width >= 100 && width <= 8192) || !(height >= 80 && height <= 8192))
    return;
  picture->width = (float) width;
  picture->height = (float) height;
}

void
tl_picture_parse (const char *state, TlPicture *picture, char **selection)
{
  g_auto (GStrv) parts = g_strsplit (state, ";", 32);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *value = strchr (parts[i], '=');
      if (value == NULL)
        continue;
      *value++ = '\0';
      if (strcmp (parts[i], "view") == 0)
        tl_view_parse (value, &picture->kind);
      else if (strcmp (parts[i], "theme") == 0)
        tl_theme_parse (value, &picture->theme);
      else if (strcmp (parts[i], "time") == 0)
        tl_compose_number (value, &picture->time);
      else if (strcmp (parts[i], "from") == 0)
        tl_compose_number (value, &picture->from);
      else if (strcmp (parts[i], "to") == 0)
        tl_compose_number (value, &picture->to);
      else if (strcmp (parts[i], "size") == 0)
        parse_size (value, picture);
      else if (strcmp (parts[i], "select") == 0 && selection != NULL && *selection == NULL)
        *selection = g_strdup (value);
    }
}
