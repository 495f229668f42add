/* Columns of a chunk. Each value is written as what it differs by from what went before,
 * as a varint; what a request or a domain is known to have by then takes a zero, and
 * zeros take next to nothing once compressed. The guesses are the same on both sides,
 * since both know the same events before. */
#include "dram/event-file-private.h"

#include "base/hash.h"
#include "base/number.h"

#include <string.h>
#include <zstd.h>

G_DEFINE_QUARK (tl - event - file - error - quark, tl_event_file_error)

enum
{
  WHAT,    /* ((class + 1) * 4 + reason) * 12 + kind, + 6 for an odd event; no class: 0 */
  TIME,    /* since the event before, in units */
  REQUEST, /* 0 none; else 1 + zigzag from the one after the last of the kind */
  /* The others of every odd event; of the rest, ... */
  ENTERED, /* 0 as guessed; else 1 + units before time. Where the request is not known */
  WHO,     /* 0 as guessed; else 1 + requester << 8 | operand. There too */
  DOMAIN,  /* 0 as the request's event before; else 1 + zigzag from the last such. There too */
  ROW,     /* zigzag from the guess. Of ACT */
  COLUMN,  /* zigzag from the guess. Of RD, WR and FORWARD */
  OPENER,  /* 0 as guessed, 1 none; else 2 + zigzag from the request. Never */
};
G_STATIC_ASSERT (OPENER + 1 == TL_EVENT_COLUMNS);

#define MAGIC        0x4b4e4843u /* "CHNK" */
#define ODD          6           /* more than a kind */
#define LEVEL        1
#define MOST_REQUEST (G_GUINT64_CONSTANT (1) << 62)
#define VARINT       10 /* bytes, at most */
#define REQUESTS     2048
#define DOMAINS      2048

typedef struct
{
  guint64 request; /* + 1 */
  guint64 entered;
  guint32 domain;
  guint32 who;
} RequestState;

typedef struct
{
  guint64 opener;
  guint32 domain; /* + 1; 0: not met */
  guint32 row;
  guint16 column; /* the next one in order */
} DomainState;

/* What is known from the events before, reset at each chunk. */
typedef struct
{
  RequestState requests[REQUESTS]; /* by request modulo */
  DomainState  domains[DOMAINS];   /* by domain modulo */
  guint64      next[8];            /* of each kind, the request after its last */
  guint32      who;
  guint32      domain;
  guint32      row; /* of the last ACT */
} Known;

struct _TlEventCodec
{
  Known      known;
  guint8    *column[TL_EVENT_COLUMNS];
  gsize      room; /* of each */
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *expander;
};

TlEventCodec *
tl_event_codec_new (void)
{
  return g_new0 (TlEventCodec, 1);
}

static void
make_room (TlEventCodec *codec, gsize room)
{
  if (room <= codec->room)
    return;
  codec->room = room;
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      g_free (codec->column[c]);
      codec->column[c] = g_malloc (room);
    }
}

void
tl_event_codec_free (TlEventCodec *codec)
{
  if (codec == NULL)
    return;
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    g_free (codec->column[c]);
  ZSTD_freeCCtx (codec->compressor);
  ZSTD_freeDCtx (codec->expander);
  g_free (codec);
}

static inline guint64
zigzag (guint64 difference)
{
  return difference << 1 ^ (0 - (difference >> 63));
}

static inline guint64
unzigzag (guint64 code)
{
  return code >> 1 ^ (0 - (code & 1));
}

static inline guint8 *
put (guint8 *at, guint64 value)
{
  while (G_UNLIKELY (value >= 0x80))
    {
      *at++ = (guint8) (value | 0x80);
      value >>= 7;
    }
  *at++ = (guint8) value;
  return at;
}

/* The event has happened: what is known then. */
static inline void
learn (Known *known, const TlEvent *event, guint32 who)
{
  DomainState *domain = &known->domains[event->domain % DOMAINS];

  if (event->request != TL_NO_REQUEST)
    {
      known->requests[event->request % REQUESTS]
          = (RequestState) { event->request + 1, event->entered, event->domain, who };
      known->next[event->kind] = event->request + 1;
    }
  known->who = who;
  if (domain->domain != event->domain + 1)
    *domain = (DomainState) { .domain = event->domain + 1, .opener = TL_NO_REQUEST, .row = known->row };
  if (event->kind == TL_EVENT_ACT)
    {
      known->row = domain->row = event->row;
      domain->opener = event->request;
    }
  else if (tl_event_has_column (event->kind))
    domain->column = event->column + 1;
}

static inline const RequestState *
known_request (const Known *known, guint64 request)
{
  const RequestState *state = &known->requests[request % REQUESTS];

  return request != TL_NO_REQUEST && state->request == request + 1 ? state : NULL;
}

static inline const DomainState *
known_domain (const Known *known, guint32 domain)
{
  const DomainState *state = &known->domains[domain % DOMAINS];

  return state->domain == domain + 1 ? state : NULL;
}

static inline guint32
guess_row (const Known *known, const DomainState *domain, guint kind)
{
  return kind == TL_EVENT_REF ? 0 : kind != TL_EVENT_ACT && domain != NULL ? domain->row : known->row;
}

static inline guint16
guess_column (const DomainState *domain, guint kind)
{
  return tl_event_has_column (kind) && domain != NULL ? domain->column : 0;
}

static inline guint64
guess_opener (const DomainState *domain, guint kind)
{
  return kind == TL_EVENT_PRE && domain != NULL ? domain->opener : TL_NO_REQUEST;
}

/* Exact division by a constant: a shift and a multiplication. */
typedef struct
{
  guint64 by;
  guint64 inverse; /* of the odd part */
  guint64 most;    /* quotient */
  guint   shift;
} Divisor;

static Divisor
divisor (guint64 by)
{
  Divisor divisor = { .by = by, .inverse = 1, .most = G_MAXUINT64 / by };
  guint64 odd = by;

  while (odd % 2 == 0)
    {
      odd /= 2;
      divisor.shift++;
    }
  for (guint i = 0; i < 6; i++)
    divisor.inverse *= 2 - odd * divisor.inverse;
  return divisor;
}

static inline guint64
divide (const Divisor *divisor, guint64 value)
{
  return (value >> divisor->shift) * divisor->inverse;
}

static inline gboolean
divides (const Divisor *divisor, guint64 value)
{
  return (value & ((G_GUINT64_CONSTANT (1) << divisor->shift) - 1)) == 0 && divide (divisor, value) <= divisor->most;
}

/* What all times of the chunk are multiples of, from its start on. */
static Divisor
unit_of (const TlEvent *events, guint32 n, guint64 clock)
{
  Divisor unit = divisor (MAX (clock, 1));
  guint64 before = events[0].time;

  for (guint32 e = 0; e < n; e++)
    {
      guint64 since = events[e].time - before, waited = events[e].time - events[e].entered;

      if (G_UNLIKELY (!divides (&unit, since)))
        unit = divisor (tl_gcd_u64 (unit.by, since));
      if (G_UNLIKELY (!divides (&unit, waited)))
        unit = divisor (tl_gcd_u64 (unit.by, waited));
      before = events[e].time;
    }
  return unit;
}

static gboolean
is_event (const TlEvent *event, guint64 before)
{
  return event->kind < TL_N_EVENTS && (event->row_class < TL_N_ROW_CLASSES || event->row_class == TL_CLASS_NONE)
         && event->reason < TL_N_CLOSE_REASONS && event->time >= before && event->entered <= event->time
         && (event->request == TL_NO_REQUEST || event->request < MOST_REQUEST)
         && (event->opener == TL_NO_REQUEST || event->opener < MOST_REQUEST) && event->domain < G_MAXUINT32
         && event->time < G_MAXINT64;
}

static gboolean
sum_up (const TlEvent *events, guint32 n, TlEventSummary *summary)
{
  guint64 before = events[0].time;

  *summary = (TlEventSummary) {
    .n = n, .from = events[0].time, .to = events[n - 1].time, .least = TL_NO_REQUEST, .low_domain = G_MAXUINT32
  };
  for (guint32 e = 0; e < n; e++)
    {
      const TlEvent *event = &events[e];

      if (!is_event (event, before))
        return FALSE;
      before = event->time;
      if (event->request != TL_NO_REQUEST)
        {
          summary->least = MIN (summary->least, event->request);
          summary->most = MAX (summary->most, event->request);
        }
      summary->low_domain = MIN (summary->low_domain, event->domain);
      summary->high_domain = MAX (summary->high_domain, event->domain);
      summary->kinds[event->kind]++;
      if (event->row_class < TL_N_ROW_CLASSES)
        summary->classes[event->row_class]++;
    }
  return TRUE;
}

/* Is everything that such an event need not say as guessed? */
static inline gboolean
is_usual (const Known *known, const TlEvent *event, guint32 who, const RequestState *request, const DomainState *domain)
{
  const guint kind = event->kind;

  return (request == NULL
          || (request->entered == event->entered && request->who == who && request->domain == event->domain))
         && (kind == TL_EVENT_ACT || event->row == guess_row (known, domain, kind))
         && (tl_event_has_column (kind) || event->column == 0) && event->opener == guess_opener (domain, kind);
}

static void
fill_columns (TlEventCodec *codec, const TlEvent *events, guint32 n, const Divisor *unit,
              guint8 *ends[TL_EVENT_COLUMNS])
{
  Known  *known = &codec->known;
  guint64 before = events[0].time;
  guint8 *at[TL_EVENT_COLUMNS];

  memset (known, 0, sizeof *known);
  memcpy (at, codec->column, sizeof at);
  for (guint32 e = 0; e < n; e++)
    {
      const TlEvent      *event = &events[e];
      const guint         kind = event->kind, row_class = event->row_class == TL_CLASS_NONE ? 0 : event->row_class + 1u;
      const RequestState *request = known_request (known, event->request);
      const DomainState  *domain = known_domain (known, event->domain);
      const guint32       who = (guint32) event->requester << 8 | event->operand;
      const gboolean      none = event->request == TL_NO_REQUEST;
      const gboolean      odd = !is_usual (known, event, who, request, domain);

      *at[WHAT]++ = (guint8) ((row_class * TL_N_CLOSE_REASONS + event->reason) * 2 * ODD + kind + (odd ? ODD : 0));
      at[TIME] = put (at[TIME], divide (unit, event->time - before));
      before = event->time;
      at[REQUEST] = put (at[REQUEST], none ? 0 : 1 + zigzag (event->request - known->next[kind]));
      if (odd || request == NULL)
        {
          gboolean guessed
              = request != NULL ? event->entered == request->entered : none && event->entered == event->time;

          at[ENTERED] = put (at[ENTERED], guessed ? 0 : 1 + divide (unit, event->time - event->entered));
          at[WHO] = put (at[WHO], who == (request != NULL ? request->who : known->who) ? 0 : 1 + (guint64) who);
          if (request != NULL && request->domain == event->domain)
            at[DOMAIN] = put (at[DOMAIN], 0);
          else
            {
              at[DOMAIN] = put (at[DOMAIN], 1 + zigzag ((guint64) event->domain - known->domain));
              known->domain = event->domain;
            }
        }
      if (odd || kind == TL_EVENT_ACT)
        at[ROW] = put (at[ROW], zigzag ((guint64) event->row - guess_row (known, domain, kind)));
      if (odd || tl_event_has_column (kind))
        at[COLUMN] = put (at[COLUMN], zigzag ((guint64) event->column - guess_column (domain, kind)));
      if (odd && event->opener == guess_opener (domain, kind))
        at[OPENER] = put (at[OPENER], 0);
      else if (odd)
        at[OPENER] = put (
            at[OPENER], event->opener == TL_NO_REQUEST ? 1 : 2 + zigzag (event->opener - (none ? 0 : event->request)));
      learn (known, event, who);
    }
  memcpy (ends, at, sizeof at);
}

void
tl_event_summary_put (const TlEventSummary *summary, guint8 *data)
{
  tl_put_u64 (data, summary->from);
  tl_put_u64 (data + 8, summary->to);
  tl_put_u64 (data + 16, summary->least);
  tl_put_u64 (data + 24, summary->most);
  tl_put_u32 (data + 32, summary->low_domain);
  tl_put_u32 (data + 36, summary->high_domain);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    tl_put_u32 (data + 40 + 4 * k, summary->kinds[k]);
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    tl_put_u32 (data + 64 + 4 * c, summary->classes[c]);
}

void
tl_event_summary_get (TlEventSummary *summary, const guint8 *data)
{
  G_STATIC_ASSERT (64 + 4 * TL_N_ROW_CLASSES == TL_EVENT_SUMMARY_BYTES && 40 + 4 * TL_N_EVENTS == 64);
  summary->from = tl_get_u64 (data);
  summary->to = tl_get_u64 (data + 8);
  summary->least = tl_get_u64 (data + 16);
  summary->most = tl_get_u64 (data + 24);
  summary->low_domain = tl_get_u32 (data + 32);
  summary->high_domain = tl_get_u32 (data + 36);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    summary->kinds[k] = tl_get_u32 (data + 40 + 4 * k);
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    summary->classes[c] = tl_get_u32 (data + 64 + 4 * c);
}

gboolean
tl_event_codec_encode (TlEventCodec *codec, const TlEvent *events, guint32 n, guint64 clock, GByteArray *bytes,
                       TlEventSummary *summary, GError **error)
{
  const guint start = bytes->len;
  guint8     *ends[TL_EVENT_COLUMNS];
  guint8      check[8];
  Divisor     unit;

  g_return_val_if_fail (n > 0 && n <= TL_EVENT_CHUNK, FALSE);
  if (!sum_up (events, n, summary))
    {
      g_set_error_literal (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT,
                           "an event is out of order or names what there is not");
      return FALSE;
    }
  if (codec->compressor == NULL)
    codec->compressor = ZSTD_createCCtx ();
  make_room (codec, (gsize) n * VARINT);
  unit = unit_of (events, n, clock);
  fill_columns (codec, events, n, &unit, ends);
  g_byte_array_set_size (bytes, start + TL_EVENT_HEAD_BYTES);
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      const gsize raw = (gsize) (ends[c] - codec->column[c]), room = ZSTD_compressBound (raw);
      const guint at = bytes->len;
      gsize       packed;
      guint8     *entry;

      g_byte_array_set_size (bytes, at + (guint) room);
      packed = ZSTD_compressCCtx (codec->compressor, bytes->data + at, room, codec->column[c], raw, LEVEL);
      g_assert (!ZSTD_isError (packed));
      g_byte_array_set_size (bytes, at + (guint) packed);
      entry = bytes->data + start + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;
      tl_put_u32 (entry, (guint32) raw);
      tl_put_u32 (entry + 4, (guint32) packed);
    }
  guint8 *head = bytes->data + start;

  tl_put_u32 (head, MAGIC);
  tl_put_u32 (head + 4, bytes->len - start + 8);
  tl_put_u32 (head + 8, n);
  tl_put_u32 (head + 12, 0);
  tl_put_u64 (head + 16, unit.by);
  tl_event_summary_put (summary, head + 24);
  tl_put_u64 (check, tl_fnv1a64 (TL_FNV1A64_START, head, bytes->len - start));
  g_byte_array_append (bytes, check, sizeof check);
  return TRUE;
}

gboolean
tl_event_chunk_head (const guint8 *data, gsize size, TlEventSummary *summary, gsize *length)
{
  gsize sum = TL_EVENT_HEAD_BYTES + 8;

  if (size < TL_EVENT_HEAD_BYTES + 8 || tl_get_u32 (data) != MAGIC || tl_get_u32 (data + 12) != 0)
    return FALSE;
  *length = tl_get_u32 (data + 4);
  *summary = (TlEventSummary) { .n = tl_get_u32 (data + 8) };
  tl_event_summary_get (summary, data + 24);
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      const guint8 *entry = data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;

      if (tl_get_u32 (entry) > TL_EVENT_CHUNK * VARINT)
        return FALSE;
      sum += tl_get_u32 (entry + 4);
    }
  return summary->n > 0 && summary->n <= TL_EVENT_CHUNK && *length == sum && *length <= size
         && tl_get_u64 (data + 16) > 0;
}

gboolean
tl_event_chunk_check (const guint8 *data, gsize length)
{
  return tl_fnv1a64 (TL_FNV1A64_START, data, length - 8) == tl_get_u64 (data + length - 8);
}

/* Columns being read. */
typedef struct
{
  const guint8 *at[TL_EVENT_COLUMNS];
  const guint8 *end[TL_EVENT_COLUMNS];
  gboolean      bad;
} Columns;

static inline guint64
take (Columns *columns, guint column)
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

static gboolean
open_columns (TlEventCodec *codec, const guint8 *data, Columns *columns)
{
  const guint8 *packed = data + TL_EVENT_HEAD_BYTES;

  if (codec->expander == NULL)
    codec->expander = ZSTD_createDCtx ();
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    make_room (codec, tl_get_u32 (data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c));
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      const guint8 *entry = data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;
      const gsize   raw = tl_get_u32 (entry), length = tl_get_u32 (entry + 4);

      if (ZSTD_decompressDCtx (codec->expander, codec->column[c], codec->room, packed, length) != raw)
        return FALSE;
      packed += length;
      columns->at[c] = codec->column[c];
      columns->end[c] = codec->column[c] + raw;
    }
  columns->bad = FALSE;
  return TRUE;
}

static inline guint64
take_time (Columns *columns, guint64 unit)
{
  guint64 value = take (columns, TIME);

  columns->bad |= unit != 1 && value > G_MAXUINT64 / unit;
  return value * unit;
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
  guint64 code = take (columns, ENTERED), domain;
  guint32 who;

  if (code == 0)
    {
      event->entered = request != NULL ? request->entered : event->time;
      columns->bad |= request == NULL && event->request != TL_NO_REQUEST;
    }
  else
    {
      columns->bad |= code - 1 > G_MAXUINT64 / unit;
      event->entered = event->time - (code - 1) * unit;
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
  const guint    what = take_byte (columns, WHAT), kind = what % ODD, rest = what / (2 * ODD);
  const gboolean odd = what / ODD % 2 == 1;
  guint64        code, row, column = 0;
  guint32        who;

  G_STATIC_ASSERT (TL_N_EVENTS == ODD && (TL_N_ROW_CLASSES + 1) * TL_N_CLOSE_REASONS * 2 * ODD <= 256);
  columns->bad |= rest >= (TL_N_ROW_CLASSES + 1) * TL_N_CLOSE_REASONS;
  *event = (TlEvent) { .kind = (guint8) kind,
                       .reason = (guint8) (rest % TL_N_CLOSE_REASONS),
                       .row_class = (guint8) (rest / TL_N_CLOSE_REASONS - 1) };
  event->time = before + take_time (columns, unit);
  columns->bad |= event->time < before;
  code = take (columns, REQUEST);
  event->request = code == 0 ? TL_NO_REQUEST : known->next[kind] + unzigzag (code - 1);
  columns->bad |= code != 0 && event->request >= MOST_REQUEST;

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

  const DomainState *domain = known_domain (known, event->domain);

  row = guess_row (known, domain, kind);
  if (odd || kind == TL_EVENT_ACT)
    row += unzigzag (take (columns, ROW));
  if (odd || tl_event_has_column (kind))
    column = guess_column (domain, kind) + unzigzag (take (columns, COLUMN));
  columns->bad |= row > G_MAXUINT32 || column > G_MAXUINT16;
  event->row = (guint32) row;
  event->column = (guint16) column;
  code = odd ? take (columns, OPENER) : 0;
  event->opener = code == 0   ? guess_opener (domain, kind)
                  : code == 1 ? TL_NO_REQUEST
                              : (event->request == TL_NO_REQUEST ? 0 : event->request) + unzigzag (code - 2);
  columns->bad |= code > 1 && event->opener >= MOST_REQUEST;
  if (!columns->bad)
    learn (known, event, who);
}

gboolean
tl_event_codec_decode (TlEventCodec *codec, const guint8 *data, gsize length, TlEvent *events)
{
  const guint32  n = tl_get_u32 (data + 8);
  const guint64  unit = tl_get_u64 (data + 16);
  guint64        before = tl_get_u64 (data + 24);
  Columns        columns;
  TlEventSummary found;
  guint8         bytes[TL_EVENT_SUMMARY_BYTES];

  if (!open_columns (codec, data, &columns))
    return FALSE;
  memset (&codec->known, 0, sizeof codec->known);
  for (guint32 e = 0; e < n && !columns.bad; e++)
    {
      take_event (&columns, &codec->known, unit, before, &events[e]);
      before = events[e].time;
    }
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    columns.bad |= columns.at[c] != columns.end[c];
  if (columns.bad || !sum_up (events, n, &found))
    return FALSE;
  tl_event_summary_put (&found, bytes);
  return memcmp (bytes, data + 24, sizeof bytes) == 0;
}
