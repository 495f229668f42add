/* Columns of a chunk back to events; the guesses are those of the writer. */
#include "dram/event-known-private.h"

#include <zstd.h>

struct _TlEventDecoder
{
  Known      known;
  guint8    *column[TL_EVENT_COLUMNS];
  gsize      room[TL_EVENT_COLUMNS];
  ZSTD_DCtx *expander;
};

/* Columns being read. */
typedef struct
{
  const guint8 *at[TL_EVENT_COLUMNS];
  const guint8 *end[TL_EVENT_COLUMNS];
  gboolean      bad;
} Columns;

TlEventDecoder *
tl_event_decoder_new (void)
{
  TlEventDecoder *decoder = g_new0 (TlEventDecoder, 1);

  decoder->expander = ZSTD_createDCtx ();
  return decoder;
}

void
tl_event_decoder_free (TlEventDecoder *decoder)
{
  if (decoder == NULL)
    return;
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    g_free (decoder->column[c]);
  g_free (decoder->known.domains);
  ZSTD_freeDCtx (decoder->expander);
  g_free (decoder);
}

static G_GNUC_NO_INLINE guint64
take_long (Columns *columns, guint column)
{
  const guint8 *at = columns->at[column], *end = columns->end[column];
  guint64       value = 0;

  for (guint shift = 0; at < end; shift += 7)
    {
      const guint8 byte = *at++;

      if (shift == 63 && byte > 1)
        break;
      value |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        {
          columns->at[column] = at;
          return value;
        }
      if (shift == 63)
        break;
    }
  columns->bad = TRUE;
  return 0;
}

static inline guint64
take (Columns *columns, guint column)
{
  const guint8 *at = columns->at[column];

  if (G_LIKELY (at < columns->end[column] && at[0] < 0x80))
    {
      columns->at[column] = at + 1;
      return at[0];
    }
  return take_long (columns, column);
}

static gboolean
open_column (TlEventDecoder *decoder, const guint8 *data, guint c, const guint8 *packed, Columns *columns)
{
  const guint8 *entry = data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;
  const gsize   raw = tl_get_u32 (entry), length = tl_get_u32 (entry + 4);

  if (raw > decoder->room[c] || decoder->column[c] == NULL)
    {
      g_free (decoder->column[c]);
      decoder->room[c] = MAX (raw, 64);
      decoder->column[c] = g_malloc (decoder->room[c]);
    }
  if (ZSTD_decompressDCtx (decoder->expander, decoder->column[c], decoder->room[c], packed, length) != raw)
    return FALSE;
  columns->at[c] = decoder->column[c];
  columns->end[c] = decoder->column[c] + raw;
  return TRUE;
}

/* The columns from @first on. */
static gboolean
open_columns (TlEventDecoder *decoder, const guint8 *data, guint first, Columns *columns)
{
  const guint8 *packed = data + TL_EVENT_HEAD_BYTES;

  *columns = (Columns) { .bad = FALSE };
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      if (c >= first && !open_column (decoder, data, c, packed, columns))
        return FALSE;
      packed += tl_get_u32 (data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c + 4);
    }
  return TRUE;
}

/* The next row that is open before the first event. */
static TlOpenRow
take_open (Columns *columns, guint32 next, const TlOpenRow *before)
{
  guint64 domain = next + take (columns, OPEN), code;
  guint64 row = before->row + unzigzag (take (columns, OPEN)), opener = before->opener;

  code = take (columns, OPEN);
  if (code != 0)
    opener += unzigzag (code - 1);
  columns->bad
      |= domain < next || domain >= TL_EVENT_STATE_DOMAINS || row > G_MAXUINT32 || opener >= TL_EVENT_MOST_REQUEST;
  return (TlOpenRow) { .domain = (guint32) domain, .row = (guint32) row, .opener = code != 0 ? opener : TL_NO_REQUEST };
}

/* All of them, into @rows, into what is known, or both (NULL: not). */
static void
take_all_open (Columns *columns, guint32 n, Known *known, GArray *rows)
{
  TlOpenRow before = { .opener = 0 };
  guint32   next = 0;

  for (guint32 i = 0; i < n && !columns->bad; i++)
    {
      TlOpenRow open = take_open (columns, next, &before);

      if (columns->bad)
        return;
      if (rows != NULL)
        g_array_append_val (rows, open);
      if (known != NULL)
        {
          known_reach (known, open.domain);
          known->domains[open.domain]
              = (DomainState) { .opener = open.opener, .row = open.row, .met = TRUE, .open = TRUE };
        }
      next = open.domain + 1;
      before.row = open.row;
      before.opener = open.opener == TL_NO_REQUEST ? before.opener : open.opener;
    }
  columns->bad |= columns->at[OPEN] != columns->end[OPEN];
}

static inline guint64
take_time (Columns *columns, guint64 unit)
{
  guint64 value = take (columns, TIME), time;

  columns->bad |= __builtin_mul_overflow (value, unit, &time);
  return time;
}

static inline guint8
take_byte (Columns *columns, guint column)
{
  if (columns->at[column] < columns->end[column])
    return *columns->at[column]++;
  columns->bad = TRUE;
  return 0;
}

/* Who asked, when, and where: @request is what is known of it, or NULL. */
static inline guint32
take_request (Columns *columns, Known *known, guint64 unit, const RequestState *request, TlEvent *event)
{
  guint64 code = take (columns, ENTERED), domain, waited;
  guint32 who;

  if (code == 0)
    {
      event->entered = request != NULL ? request->entered : event->time;
      columns->bad |= request == NULL && event->request != TL_NO_REQUEST;
    }
  else
    {
      columns->bad |= __builtin_mul_overflow (code - 1, unit, &waited);
      event->entered = event->time - waited;
    }
  code = take (columns, WHO);
  columns->bad |= code > 1u << 24;
  who = code == 0 ? (request != NULL ? request->who : known->who) : (guint32) (code - 1);
  code = take (columns, DOMAIN);
  if (code == 0)
    {
      columns->bad |= request == NULL;
      domain = request != NULL ? request->domain : 0;
    }
  else
    {
      domain = known->domain + unzigzag (code - 1);
      columns->bad |= domain >= G_MAXUINT32;
      known->domain = (guint32) domain;
    }
  event->domain = (guint32) domain;
  return who;
}

static inline void
take_event (Columns *columns, Known *known, guint64 unit, guint64 before, TlEvent *event)
{
  const guint    what = take_byte (columns, WHAT), kind = what % TL_EVENT_ODD, rest = what / (2 * TL_EVENT_ODD);
  const gboolean odd = what / TL_EVENT_ODD % 2 == 1;
  guint64        code, row, column = 0;
  guint32        who;

  G_STATIC_ASSERT ((TL_N_ROW_CLASSES + 1) * TL_N_CLOSE_REASONS * 2 * TL_EVENT_ODD <= 256);
  columns->bad |= rest >= (TL_N_ROW_CLASSES + 1) * TL_N_CLOSE_REASONS;
  *event = (TlEvent) { .kind = (guint8) kind,
                       .reason = (guint8) (rest % TL_N_CLOSE_REASONS),
                       .row_class = (guint8) (rest / TL_N_CLOSE_REASONS - 1) };
  event->time = before + take_time (columns, unit);
  columns->bad |= event->time < before || event->time >= G_MAXINT64;
  code = take (columns, REQUEST);
  event->request = code == 0 ? TL_NO_REQUEST : known->next[kind] + unzigzag (code - 1);
  columns->bad |= code != 0 && event->request >= TL_EVENT_MOST_REQUEST;

  const RequestState *request = known_request (known, event->request);

  if (odd || request == NULL)
    who = take_request (columns, known, unit, request, event);
  else
    {
      who = request->who;
      event->entered = request->entered;
      event->domain = request->domain;
    }
  columns->bad |= event->entered > event->time;
  event->requester = (guint16) (who >> 8);
  event->operand = (guint8) who;

  DomainState *domain = known_domain (known, event->domain);

  row = guess_row (known, domain, kind);
  if (odd || kind == TL_EVENT_ACT)
    row += unzigzag (take (columns, ROW));
  if (odd || has_column (kind))
    column = guess_column (domain, kind) + unzigzag (take (columns, COLUMN));
  columns->bad |= row > G_MAXUINT32 || column > G_MAXUINT16;
  event->row = (guint32) row;
  event->column = (guint16) column;
  code = odd ? take (columns, OPENER) : 0;
  event->opener = code == 0   ? guess_opener (domain, kind)
                  : code == 1 ? TL_NO_REQUEST
                              : (event->request == TL_NO_REQUEST ? 0 : event->request) + unzigzag (code - 2);
  columns->bad |= code > 1 && event->opener >= TL_EVENT_MOST_REQUEST;
  if (G_UNLIKELY (columns->bad))
    return;
  if (event->request != TL_NO_REQUEST)
    {
      known->requests[event->request % KNOWN_REQUESTS]
          = (RequestState) { event->request, event->entered, event->domain, who };
      known->next[kind] = event->request + 1;
    }
  known_learn (known, domain, event, kind, who);
}

/* What the events say of themselves. */
static void
sum_up (TlEventSummary *summary, const TlEvent *events, guint32 n)
{
  *summary = (TlEventSummary) { .from = events[0].time,
                                .to = events[n - 1].time,
                                .least = TL_NO_REQUEST,
                                .low_domain = G_MAXUINT32,
                                .low_row = G_MAXUINT32 };
  for (guint32 e = 0; e < n; e++)
    {
      const TlEvent *event = &events[e];

      summary->least = MIN (summary->least, event->request);
      summary->most = MAX (summary->most, event->request == TL_NO_REQUEST ? 0 : event->request);
      summary->low_domain = MIN (summary->low_domain, event->domain);
      summary->high_domain = MAX (summary->high_domain, event->domain);
      summary->low_row = MIN (summary->low_row, event->kind == TL_EVENT_REF ? summary->low_row : event->row);
      summary->high_row = MAX (summary->high_row, event->row);
      summary->domains[event->domain / 64 % 4] |= G_GUINT64_CONSTANT (1) << event->domain % 64;
      summary->kinds[event->kind]++;
      if (event->row_class < TL_N_ROW_CLASSES)
        summary->classes[event->row_class]++;
    }
}

gboolean
tl_event_decoder_read (TlEventDecoder *decoder, const guint8 *data, gsize length, TlEvent *events)
{
  const guint32  n = tl_get_u32 (data + 8);
  const guint64  unit = tl_get_u64 (data + 16);
  guint64        before = tl_get_u64 (data + 24);
  Columns        columns;
  TlEventSummary found, said;
  guint8         bytes[TL_EVENT_SUMMARY_BYTES];

  if (!open_columns (decoder, data, 0, &columns))
    return FALSE;
  for (guint32 d = 0; d < decoder->known.n_domains; d++)
    decoder->known.domains[d].open = FALSE;
  known_begin (&decoder->known);
  take_all_open (&columns, tl_get_u32 (data + 12), &decoder->known, NULL);
  for (guint32 e = 0; e < n && !columns.bad; e++)
    {
      take_event (&columns, &decoder->known, unit, before, &events[e]);
      before = events[e].time;
    }
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    columns.bad |= columns.at[c] != columns.end[c];
  if (columns.bad)
    return FALSE;
  /* Rows may be said to reach further than they do. */
  sum_up (&found, events, n);
  tl_event_summary_get (&said, data + 24);
  if (said.low_row > found.low_row || said.high_row < found.high_row)
    return FALSE;
  found.low_row = said.low_row;
  found.high_row = said.high_row;
  tl_event_summary_put (&found, bytes);
  return memcmp (bytes, data + 24, sizeof bytes) == 0;
}

gboolean
tl_event_decoder_open (TlEventDecoder *decoder, const guint8 *data, gsize length, GArray *rows)
{
  Columns columns;

  if (!open_columns (decoder, data, OPEN, &columns))
    return FALSE;
  take_all_open (&columns, tl_get_u32 (data + 12), NULL, rows);
  return !columns.bad;
}
