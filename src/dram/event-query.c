/* Questions about events, and digests that answer most of them with no. */
#include "dram/event-query.h"

#include <string.h>

void
tl_event_query_init (TlEventQuery *query)
{
  *query = (TlEventQuery) {
    .domain = -1,
    .bank = -1,
    .tier = -1,
    .channel = -1,
    .row = -1,
    .operand = -1,
    .requester = -1,
    .request = TL_NO_REQUEST,
  };
}

/* A REF is of all domains of its part. */
static gboolean
is_of_domain (const TlMemory *memory, const TlEvent *event, guint32 domain)
{
  if (event->kind != TL_EVENT_REF)
    return event->domain == domain;
  return tl_memory_scope_of (memory, memory->refresh_scope, event->domain)
         == tl_memory_scope_of (memory, memory->refresh_scope, domain);
}

gboolean
tl_event_query_matches (const TlEventQuery *query, const TlMemory *memory, const TlEvent *event)
{
  gboolean has_request = event->request != TL_NO_REQUEST;

  if (query->kinds != 0 && (query->kinds >> event->kind & 1) == 0)
    return FALSE;
  if (query->classes != 0 && (event->row_class == TL_CLASS_NONE || (query->classes >> event->row_class & 1) == 0))
    return FALSE;
  if (query->reasons != 0 && (query->reasons >> event->reason & 1) == 0)
    return FALSE;
  if (query->request != TL_NO_REQUEST && event->request != query->request)
    return FALSE;
  if (query->domain >= 0 && !is_of_domain (memory, event, (guint32) query->domain))
    return FALSE;
  if (query->row >= 0 && (event->kind == TL_EVENT_REF || event->row != query->row))
    return FALSE;
  if (query->operand >= 0 && (!has_request || event->operand != query->operand))
    return FALSE;
  if (query->requester >= 0 && (!has_request || event->requester != query->requester))
    return FALSE;
  if (query->bank >= 0 && (event->kind == TL_EVENT_REF || event->domain % memory->banks != query->bank))
    return FALSE;
  if (query->channel >= 0 && tl_memory_scope_of (memory, TL_SCOPE_CHANNEL, event->domain) != query->channel)
    return FALSE;
  return query->tier < 0
         || (event->kind != TL_EVENT_REF && tl_memory_tier_of (memory, event->domain, event->row) == query->tier);
}

/* --- words --- */

static gboolean
set_number (const char *word, const char *text, guint64 most, gint64 *number, char **reason)
{
  guint64  value;
  gboolean hex = g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");

  if (!g_ascii_string_to_unsigned (hex ? text + 2 : text, hex ? 16 : 10, 0, most, &value, NULL))
    {
      *reason = g_strdup_printf ("\"%s\": a number is expected after the colon", word);
      return FALSE;
    }
  *number = (gint64) value;
  return TRUE;
}

static gboolean
parse_pair (const char *word, const char *value, TlEventQuery *query, char **reason)
{
  const struct
  {
    const char *name;
    gint64     *number;
    guint64     most;
  } numbers[] = {
    { "domain:", &query->domain, G_MAXUINT32 },  { "bank:", &query->bank, G_MAXUINT32 },
    { "tier:", &query->tier, TL_MAX_TIERS - 1 }, { "channel:", &query->channel, G_MAXUINT32 },
    { "row:", &query->row, G_MAXUINT32 },        { "operand:", &query->operand, 255 },
    { "requester:", &query->requester, 65535 },
  };
  gint64 request;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_ascii_strncasecmp (word, numbers[i].name, strlen (numbers[i].name)) == 0)
      return set_number (word, value, numbers[i].most, numbers[i].number, reason);
  if (g_ascii_strncasecmp (word, "request:", 8) == 0)
    {
      if (!set_number (word, value, G_MAXINT64, &request, reason))
        return FALSE;
      query->request = (guint64) request;
      return TRUE;
    }
  *reason
      = g_strdup_printf ("\"%s\": domain, bank, tier, channel, row, operand, requester and request have numbers", word);
  return FALSE;
}

static gboolean
parse_word (const char *word, TlEventQuery *query, char **reason)
{
  const char *colon = strchr (word, ':');

  if (colon != NULL)
    return parse_pair (word, colon + 1, query, reason);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    if (g_ascii_strcasecmp (word, tl_event_kind_name (k)) == 0)
      {
        query->kinds |= 1u << k;
        return TRUE;
      }
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    if (g_ascii_strcasecmp (word, tl_row_class_name (c)) == 0)
      {
        query->classes |= 1u << c;
        return TRUE;
      }
  if (g_ascii_strcasecmp (word, "column") == 0)
    query->kinds |= 1u << TL_EVENT_RD | 1u << TL_EVENT_WR | 1u << TL_EVENT_FORWARD;
  else if (g_ascii_strcasecmp (word, "refresh") == 0)
    query->reasons |= 1u << TL_CLOSE_REFRESH;
  else if (g_ascii_strcasecmp (word, "page") == 0)
    query->reasons |= 1u << TL_CLOSE_PAGE;
  else
    {
      *reason = g_strdup_printf ("\"%s\" is no kind or class of events; there are ACT, RD, WR, PRE, REF, column, hit, "
                                 "miss, conflict, forwarded, page and refresh",
                                 word);
      return FALSE;
    }
  return TRUE;
}

gboolean
tl_event_query_parse (const char *text, TlEventQuery *query, char **reason)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n,", -1);
  g_autofree char *why = NULL;

  tl_event_query_init (query);
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0' && !parse_word (words[i], query, &why))
      {
        if (reason != NULL)
          *reason = g_steal_pointer (&why);
        return FALSE;
      }
  return TRUE;
}

/* --- digests --- */

void
tl_event_digest_init (TlEventDigest *digest)
{
  memset (digest, 0, sizeof *digest);
  digest->from = digest->least = G_MAXUINT64;
}

static void
set_bit (guint64 *bits, guint at)
{
  bits[at / 64] |= G_GUINT64_CONSTANT (1) << at % 64;
}

static gboolean
has_bit (const guint64 *bits, guint at)
{
  return (bits[at / 64] >> at % 64 & 1) != 0;
}

static guint
row_bit (guint64 row, guint64 domain)
{
  guint64 key = (row << 24 ^ domain) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (key >> 40) % TL_DIGEST_ROWS;
}

/* No domain has this number. */
#define ANY_DOMAIN 0xffffff

void
tl_event_digest_add (TlEventDigest *digest, const TlMemory *memory, const TlEvent *event)
{
  digest->from = MIN (digest->from, event->time);
  digest->to = MAX (digest->to, event->time);
  digest->kinds[event->kind]++;
  digest->reasons[event->reason]++;
  if (event->row_class != TL_CLASS_NONE)
    digest->classes[event->row_class]++;
  if (event->kind == TL_EVENT_REF)
    return;
  set_bit (digest->domains, event->domain % 4096);
  digest->tiers |= 1u << tl_memory_tier_of (memory, event->domain, event->row);
  set_bit (digest->rows, row_bit (event->row, ANY_DOMAIN));
  set_bit (digest->rows, row_bit (event->row, event->domain));
  if (event->request == TL_NO_REQUEST)
    return;
  digest->least = MIN (digest->least, event->request);
  digest->most = MAX (digest->most, event->request);
  set_bit (digest->operands, event->operand);
  set_bit (digest->requesters, event->requester % 1024);
}

static void
merge_bits (guint64 *to, const guint64 *from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] |= from[i];
}

void
tl_event_digest_merge (TlEventDigest *digest, const TlEventDigest *next)
{
  digest->from = MIN (digest->from, next->from);
  digest->to = MAX (digest->to, next->to);
  digest->least = MIN (digest->least, next->least);
  digest->most = MAX (digest->most, next->most);
  for (guint i = 0; i < TL_N_EVENTS; i++)
    digest->kinds[i] += next->kinds[i];
  for (guint i = 0; i < TL_N_ROW_CLASSES; i++)
    digest->classes[i] += next->classes[i];
  for (guint i = 0; i < TL_N_CLOSE_REASONS; i++)
    digest->reasons[i] += next->reasons[i];
  digest->tiers |= next->tiers;
  merge_bits (digest->operands, next->operands, G_N_ELEMENTS (digest->operands));
  merge_bits (digest->requesters, next->requesters, G_N_ELEMENTS (digest->requesters));
  merge_bits (digest->domains, next->domains, G_N_ELEMENTS (digest->domains));
  merge_bits (digest->rows, next->rows, G_N_ELEMENTS (digest->rows));
}

/* Is any of the wanted sorts there? Nothing wanted is always there. */
static gboolean
some_of (guint wanted, const guint32 *counts, guint n)
{
  gboolean some = wanted == 0;

  for (guint i = 0; i < n && !some; i++)
    some = (wanted >> i & 1) != 0 && counts[i] > 0;
  return some;
}

/* A REF, of which nothing but the kind is noted, could be meant. */
static gboolean
may_refresh (const TlEventDigest *digest, const TlEventQuery *query)
{
  return digest->kinds[TL_EVENT_REF] > 0 && (query->kinds == 0 || (query->kinds >> TL_EVENT_REF & 1) != 0)
         && query->classes == 0 && query->tier < 0 && query->row < 0 && query->operand < 0 && query->requester < 0
         && query->bank < 0 && query->request == TL_NO_REQUEST;
}

gboolean
tl_event_digest_may (const TlEventDigest *digest, const TlEventQuery *query)
{
  if (!some_of (query->kinds, digest->kinds, TL_N_EVENTS)
      || !some_of (query->classes, digest->classes, TL_N_ROW_CLASSES)
      || !some_of (query->reasons, digest->reasons, TL_N_CLOSE_REASONS))
    return FALSE;
  if (may_refresh (digest, query))
    return TRUE;
  if (query->request != TL_NO_REQUEST && (query->request < digest->least || query->request > digest->most))
    return FALSE;
  if (query->domain >= 0 && !has_bit (digest->domains, (guint) query->domain % 4096))
    return FALSE;
  if (query->tier >= 0 && (query->tier >= TL_MAX_TIERS || (digest->tiers >> query->tier & 1) == 0))
    return FALSE;
  if (query->operand >= 0 && (query->operand > 255 || !has_bit (digest->operands, (guint) query->operand)))
    return FALSE;
  if (query->requester >= 0 && !has_bit (digest->requesters, (guint) query->requester % 1024))
    return FALSE;
  return query->row < 0
         || has_bit (digest->rows,
                     row_bit ((guint64) query->row, query->domain >= 0 ? (guint64) query->domain : ANY_DOMAIN));
}
