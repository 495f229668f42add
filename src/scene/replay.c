/* What the views of a replay share: ranked spots, ids, words. */
#include "scene/replay.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

#define SPOTS 64

TlReplaySpots *
tl_replay_spots_new (const TlReplayRun *run)
{
  TlReplaySpots  *spots = g_new0 (TlReplaySpots, 1);
  const TlEngine *engine = tl_replay_run_engine (run);

  spots->pairs = tl_causes_row_pairs (tl_engine_causes (engine), SPOTS);
  spots->differences = tl_causes_differences (tl_engine_causes (engine), SPOTS);
  spots->domains = tl_engine_ranked_domains (engine);
  return spots;
}

void
tl_replay_spots_free (TlReplaySpots *spots)
{
  if (spots == NULL)
    return;
  g_array_unref (spots->pairs);
  g_array_unref (spots->differences);
  g_array_unref (spots->domains);
  g_free (spots);
}

/* --- ids --- */

gboolean
tl_replay_domain_of (const TlReplayRun *run, const char *id, guint32 *domain)
{
  guint32 a, b;

  if (id == NULL
      || (sscanf (id, "domain-%u", domain) != 1 && sscanf (id, "lane-domain-%u", domain) != 1
          && sscanf (id, "most-%u", domain) != 1 && sscanf (id, "pair-%u-%u-%u", domain, &a, &b) != 3))
    return FALSE;
  return *domain < tl_memory_domains (tl_replay_run_memory (run));
}

/* The nearest event at or before @from that is meant, else the first after it. */
static gboolean
find_near (TlReplayCursor *cursor, const TlEventQuery *query, guint64 from, guint64 *event)
{
  return tl_replay_cursor_find (cursor, query, from, FALSE, event, NULL, NULL, NULL)
         || tl_replay_cursor_find (cursor, query, from, TRUE, event, NULL, NULL, NULL);
}

/* The conflict that request @closer met. */
static gboolean
find_closer (TlReplayCursor *cursor, guint64 closer, guint64 *event)
{
  TlEventQuery query;

  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  query.request = closer;
  return tl_replay_cursor_find (cursor, &query, 0, TRUE, event, NULL, NULL, NULL);
}

/* A conflict with that difference: among those kept whole, else looked for from @from on. */
static gboolean
find_difference (TlReplayCursor *cursor, guint64 bits, guint64 from, guint64 *event)
{
  const guint     most = 4096;
  const TlCauses *causes = tl_engine_causes (tl_replay_run_engine (tl_replay_cursor_run (cursor)));
  TlEventQuery    query;

  for (guint i = 0; i < tl_causes_n_kept (causes); i++)
    {
      const TlCause *cause = tl_causes_kept (causes, i);
      if ((cause->opener_unit ^ cause->closer_unit) == bits)
        return find_closer (cursor, cause->closer, event);
    }
  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  for (guint i = 0; i < most && tl_replay_cursor_find (cursor, &query, from, TRUE, event, NULL, NULL, NULL); i++)
    {
      TlReplayConflict conflict;
      if (tl_replay_cursor_conflict (cursor, *event, &conflict, NULL)
          && (conflict.opener.unit ^ conflict.closer.unit) == bits)
        return TRUE;
      from = *event + 1;
    }
  return FALSE;
}

gboolean
tl_replay_find_of (TlReplayCursor *cursor, const TlReplaySpots *spots, const char *id, guint64 from, guint64 *event)
{
  TlEventQuery query;
  guint32      domain, a, b;
  guint64      bits;

  if (id == NULL)
    return FALSE;
  if (sscanf (id, "conflict-%" G_GUINT64_FORMAT, event) == 1)
    return *event < tl_replay_run_events (tl_replay_cursor_run (cursor));
  if (sscanf (id, "pair-%u-%u-%u", &domain, &a, &b) == 3)
    {
      for (guint i = 0; spots != NULL && i < spots->pairs->len; i++)
        {
          const TlRowPair *pair = &g_array_index (spots->pairs, TlRowPair, i);
          if (pair->domain == domain && pair->row_a == a && pair->row_b == b)
            return find_closer (cursor, pair->closer, event);
        }
      return FALSE;
    }
  if (sscanf (id, "difference-%" G_GINT64_MODIFIER "x", &bits) == 1)
    return find_difference (cursor, bits, from, event);
  if (!tl_replay_domain_of (tl_replay_cursor_run (cursor), id, &domain))
    return FALSE;
  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  query.domain = domain;
  return find_near (cursor, &query, from, event);
}

/* --- words --- */

char *
tl_replay_bits (guint64 bits)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 64; i++)
    if ((bits >> i & 1) != 0)
      g_string_append_printf (text, "%sb%u", text->len > 0 ? ", " : "", i);
  return g_string_free (text, FALSE);
}

static char *
done_text (const TlReplayShown *shown)
{
  const TlEvent   *done = &shown->moment->done;
  const TlMemory  *memory = tl_replay_run_memory (shown->run);
  g_autofree char *where = NULL;
  g_autofree char *request = tl_format_count (done->request);

  if (done->kind >= TL_N_EVENTS)
    return g_strdup ("Nothing has happened yet.");
  where = tl_memory_domain_name (memory, done->domain);
  switch ((TlEventKind) done->kind)
    {
    case TL_EVENT_ACT:
      return g_strdup_printf ("ACT: row %u of %s opens for request %s%s.", done->row, where, request,
                              done->row_class == TL_ROW_MISS ? " (opening miss)" : " after a conflict");
    case TL_EVENT_PRE:
      if (done->reason == TL_CLOSE_CONFLICT)
        return g_strdup_printf ("Conflict: row %u of %s is closed, request %s wants row %u.", done->row, where, request,
                                shown->moment->domains[done->domain].wanted);
      return g_strdup_printf ("PRE: row %u of %s is closed for %s.", done->row, where,
                              done->reason == TL_CLOSE_REFRESH ? "a refresh" : "nobody wants it any more");
    case TL_EVENT_RD:
    case TL_EVENT_WR:
      return g_strdup_printf ("%s: request %s %s column %u of row %u of %s%s.", tl_event_kind_name (done->kind),
                              request, done->kind == TL_EVENT_RD ? "reads" : "writes", done->column, done->row, where,
                              done->row_class == TL_ROW_HIT ? " (hit)" : "");
    case TL_EVENT_REF:
      return g_strdup_printf ("REF: the part of %s is refreshed.", where);
    case TL_EVENT_FORWARD:
      return g_strdup_printf ("Request %s is answered from the write queue.", request);
    }
  return g_strdup ("");
}

char *
tl_replay_caption (const TlReplayShown *shown)
{
  g_autofree char *done = done_text (shown);
  guint64          n = tl_replay_moment_waiting (shown->moment);
  g_autofree char *count = tl_format_count (n);
  g_autofree char *waiting = g_strdup_printf ("%s request%s", count, n == 1 ? " waits" : "s wait");
  guint            open = 0;

  for (guint32 d = 0; d < shown->moment->n_domains; d++)
    open += shown->moment->domains[d].open;
  return g_strdup_printf ("%s %s; %u of %u domains have a row open.", done, waiting, open, shown->moment->n_domains);
}
