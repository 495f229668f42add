/* Events to columns, in one pass as they come, and a chunk of them to bytes. Each value is
 * written as what it differs by from what is guessed (event-known-private.h), as a varint;
 * what is as guessed takes a zero, and zeros take next to nothing once compressed.
 *
 * A few nanoseconds are all an event may cost: kinds follow each other as they like, so
 * that values which only some kinds have are written always and kept by moving on or not. */
#include "dram/event-known-private.h"

#include "base/number.h"

#include <zstd.h>

#define LEVEL 1

/* Exact division by a constant: a shift and a multiplication. */
typedef struct
{
  guint64 by;
  guint64 inverse; /* of the odd part */
  guint64 most;    /* quotient */
  guint   shift;
} Divisor;

struct _TlEventEncoder
{
  Known          known;
  Divisor        unit; /* only ever becomes smaller */
  guint64        before;
  guint32        n;
  guint32        n_open;
  guint8        *column[TL_EVENT_COLUMNS];
  guint8        *at[TL_EVENT_COLUMNS];
  gsize          room[TL_EVENT_COLUMNS];
  TlEventSummary summary;
  ZSTD_CCtx     *compressor;
};

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

static G_GNUC_NO_INLINE guint8 *
put_long (guint8 *at, guint64 value)
{
  while (value >= 0x80)
    {
      *at++ = (guint8) (value | 0x80);
      value >>= 7;
    }
  *at++ = (guint8) value;
  return at;
}

/* One byte more than it takes may be written. */
static inline guint8 *
put (guint8 *at, guint64 value)
{
  guint more = value >= 0x80;

  if (G_UNLIKELY (value >= 0x4000))
    return put_long (at, value);
  at[0] = (guint8) (value | more << 7);
  at[1] = (guint8) (value >> 7);
  return at + 1 + more;
}

/* The rows that are open before the first event of a chunk. */
static void
put_open (TlEventEncoder *encoder)
{
  guint32 next = 0, row = 0;
  guint64 opener = 0;
  guint8 *at;

  encoder->n_open = 0;
  for (guint32 d = 0; d < encoder->known.n_domains; d++)
    encoder->n_open += encoder->known.domains[d].open;
  gsize room = (gsize) encoder->n_open * 3 * TL_EVENT_VARINT + 16;
  if (room > encoder->room[OPEN])
    {
      g_free (encoder->column[OPEN]);
      encoder->column[OPEN] = g_malloc (room);
      encoder->room[OPEN] = room;
    }
  at = encoder->column[OPEN];
  for (guint32 d = 0; d < encoder->known.n_domains; d++)
    {
      const DomainState *state = &encoder->known.domains[d];
      if (!state->open)
        continue;
      at = put (at, d - next);
      at = put (at, zigzag ((guint64) state->row - row));
      at = put (at, state->opener == TL_NO_REQUEST ? 0 : 1 + zigzag (state->opener - opener));
      encoder->summary.low_row = MIN (encoder->summary.low_row, state->row);
      encoder->summary.high_row = MAX (encoder->summary.high_row, state->row);
      next = d + 1;
      row = state->row;
      opener = state->opener == TL_NO_REQUEST ? opener : state->opener;
    }
  encoder->at[OPEN] = at;
}

static void
begin (TlEventEncoder *encoder)
{
  encoder->n = 0;
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    encoder->at[c] = encoder->column[c];
  encoder->summary = (TlEventSummary) { .least = TL_NO_REQUEST, .low_domain = G_MAXUINT32, .low_row = G_MAXUINT32 };
  known_begin (&encoder->known);
  put_open (encoder);
}

TlEventEncoder *
tl_event_encoder_new (guint64 clock)
{
  TlEventEncoder *encoder = g_new0 (TlEventEncoder, 1);

  encoder->unit = divisor (MAX (clock, 1));
  for (guint c = 0; c < OPEN; c++)
    {
      encoder->room[c] = (c == WHAT ? 1 : TL_EVENT_VARINT) * TL_EVENT_CHUNK + 16;
      encoder->column[c] = g_malloc (encoder->room[c]);
    }
  encoder->compressor = ZSTD_createCCtx ();
  begin (encoder);
  return encoder;
}

void
tl_event_encoder_free (TlEventEncoder *encoder)
{
  if (encoder == NULL)
    return;
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    g_free (encoder->column[c]);
  g_free (encoder->known.domains);
  ZSTD_freeCCtx (encoder->compressor);
  g_free (encoder);
}

guint32
tl_event_encoder_count (const TlEventEncoder *encoder)
{
  return encoder->n;
}

/* Multiplies what a column of times says by @factor; @first: from there on, 0 stays. */
static void
rescale (TlEventEncoder *encoder, guint column, guint64 factor, guint64 first)
{
  g_autofree guint8 *old = encoder->column[column];
  guint8            *end = encoder->at[column], *at;

  encoder->column[column] = at = g_malloc (encoder->room[column]);
  for (const guint8 *from = old; from != end;)
    {
      guint64 value = 0;
      for (guint shift = 0;; shift += 7)
        {
          value |= (guint64) (*from & 0x7f) << shift;
          if ((*from++ & 0x80) == 0)
            break;
        }
      at = put_long (at, value < first ? value : (value - first) * factor + first);
    }
  encoder->at[column] = at;
}

/* Lets the unit divide @time. */
static G_GNUC_NO_INLINE void
refine (TlEventEncoder *encoder, guint64 time)
{
  guint64 by = tl_gcd_u64 (encoder->unit.by, time);

  if (by == encoder->unit.by)
    return;
  rescale (encoder, TIME, encoder->unit.by / by, 0);
  rescale (encoder, ENTERED, encoder->unit.by / by, 1);
  encoder->unit = divisor (by);
}

/* What an odd event says besides. */
static inline guint64
opener_code (const TlEvent *event, const DomainState *domain)
{
  guint64 from = event->request == TL_NO_REQUEST ? 0 : event->request;

  if (event->opener == guess_opener (domain, event->kind))
    return 0;
  return event->opener == TL_NO_REQUEST ? 1 : 2 + zigzag (event->opener - from);
}

/* Is everything that such an event need not say as guessed? */
static inline gboolean
is_usual (const Known *known, const TlEvent *event, guint32 who, const RequestState *request, const DomainState *domain)
{
  const guint kind = event->kind;
  gboolean    usual = (kind == TL_EVENT_ACT) | (event->row == guess_row (known, domain, kind));

  usual &= has_column (kind) | (event->column == 0);
  usual &= event->opener == guess_opener (domain, kind);
  return usual
         & ((request->request != event->request)
            | ((request->entered == event->entered) & (request->who == who) & (request->domain == event->domain)));
}

/* Of an event whose request or domain may be new in the chunk; of the others all has been counted. The
 * domain's row may be that of events to come. */
static inline void
sum_up (TlEventSummary *summary, const TlEvent *event, guint32 domain_row)
{
  guint32 row = event->kind == TL_EVENT_REF ? domain_row : MIN (event->row, domain_row);

  summary->least = MIN (summary->least, event->request);
  summary->most = MAX (summary->most, event->request == TL_NO_REQUEST ? 0 : event->request);
  summary->low_domain = MIN (summary->low_domain, event->domain);
  summary->high_domain = MAX (summary->high_domain, event->domain);
  summary->low_row = MIN (summary->low_row, row);
  summary->high_row = MAX (summary->high_row, MAX (event->row, domain_row));
  summary->domains[event->domain / 64 % 4] |= G_GUINT64_CONSTANT (1) << event->domain % 64;
}

gboolean
tl_event_encoder_add (TlEventEncoder *encoder, const TlEvent *events, guint32 n, GError **error)
{
  Known         *known = &encoder->known;
  TlEventSummary summary = encoder->summary;
  guint64        before = encoder->n > 0 ? encoder->before : events[0].time;
  guint64        spans = 0, numbers = 0; /* what has to be small of all of them */
  gboolean       wrong = FALSE;
  Divisor        unit = encoder->unit;
  guint8        *at[TL_EVENT_COLUMNS]; /* here, since bytes that are written might change anything elsewhere */

  g_return_val_if_fail (n > 0 && n <= TL_EVENT_CHUNK - encoder->n, FALSE);
  if (encoder->n == 0)
    summary.from = before;
  memcpy (at, encoder->at, sizeof at);
  for (guint32 e = 0; e < n; e++)
    {
      const TlEvent *event = &events[e];
      const guint    kind = event->kind % 8, row_class = (guint8) (event->row_class + 1);
      RequestState  *request = &known->requests[event->request % KNOWN_REQUESTS];
      DomainState   *domain = known_domain (known, event->domain);
      const guint32  who = (guint32) event->requester << 8 | event->operand;
      const gboolean none = event->request == TL_NO_REQUEST, met = request->request == event->request;
      const gboolean odd = !is_usual (known, event, who, request, domain);
      const gboolean says = odd | !met;
      const guint64  since = event->time - before, waited = event->time - event->entered;
      const gboolean act = kind == TL_EVENT_ACT, column = has_column (kind);

      spans |= since | waited;
      numbers |= (event->request + 1) | (event->opener + 1);
      wrong |= (event->kind >= TL_N_EVENTS) | (row_class > TL_N_ROW_CLASSES) | (event->reason >= TL_N_CLOSE_REASONS);
      before = event->time;
      if (G_UNLIKELY (!divides (&unit, since) || (says && !divides (&unit, waited))))
        {
          memcpy (encoder->at, at, sizeof at);
          refine (encoder, since);
          refine (encoder, waited);
          unit = encoder->unit;
          memcpy (at, encoder->at, sizeof at);
        }
      *at[WHAT]++ = (guint8) ((row_class * TL_N_CLOSE_REASONS + event->reason) * 2 * TL_EVENT_ODD + kind
                              + (odd ? TL_EVENT_ODD : 0));
      at[TIME] = put (at[TIME], divide (&unit, since));
      at[REQUEST] = put (at[REQUEST], none ? 0 : 1 + zigzag (event->request - known->next[kind]));
      if (says)
        {
          gboolean guessed = met ? event->entered == request->entered : none & (event->entered == event->time);
          gboolean elsewhere = !met | (request->domain != event->domain);

          at[ENTERED] = put (at[ENTERED], guessed ? 0 : 1 + divide (&unit, waited));
          at[WHO] = put (at[WHO], who == (met ? request->who : known->who) ? 0 : 1 + (guint64) who);
          at[DOMAIN] = put (at[DOMAIN], elsewhere ? 1 + zigzag ((guint64) event->domain - known->domain) : 0);
          known->domain = elsewhere ? event->domain : known->domain;
          sum_up (&summary, event, domain->row);
          if (!none)
            *request = (RequestState) { event->request, event->entered, event->domain, who };
        }
      if (G_LIKELY (!odd))
        {
          /* One of the two at most. */
          guint64 value = act ? (guint64) event->row - known->row : (guint64) event->column - domain->column;
          guint   which = act ? ROW : COLUMN;
          guint8 *end = put (at[which], act | column ? zigzag (value) : 0);
          at[which] = act | column ? end : at[which];
        }
      else
        {
          at[ROW] = put (at[ROW], zigzag ((guint64) event->row - guess_row (known, domain, kind)));
          at[COLUMN] = put (at[COLUMN], zigzag ((guint64) event->column - guess_column (domain, kind)));
          at[OPENER] = put (at[OPENER], opener_code (event, domain));
        }
      summary.low_row = MIN (summary.low_row, act ? event->row : summary.low_row);
      summary.high_row = MAX (summary.high_row, act ? event->row : 0);
      known->next[kind] = none ? known->next[kind] : event->request + 1;
      known_learn (known, domain, event, kind, who);
    }
  if (wrong || (spans >> 63) != 0 || numbers > TL_EVENT_MOST_REQUEST || before >= G_MAXINT64
      || summary.high_domain == G_MAXUINT32)
    {
      g_set_error_literal (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT,
                           "an event is out of order or names what there is not");
      return FALSE;
    }
  memcpy (encoder->at, at, sizeof at);
  encoder->n += n;
  encoder->before = before;
  summary.to = before;
  encoder->summary = summary;
  return TRUE;
}

/* How many of each kind and class, from the column that says it. */
static void
count_kinds (TlEventEncoder *encoder)
{
  guint32 counts[4][256] = { { 0 } };

  /* Four tables: alike events would wait for each other's. */
  for (guint32 e = 0; e < encoder->n; e++)
    counts[e % 4][encoder->column[WHAT][e]]++;
  for (guint what = 0; what < 256; what++)
    {
      guint32 count = counts[0][what] + counts[1][what] + counts[2][what] + counts[3][what];
      guint   row_class = what / (2 * TL_EVENT_ODD * TL_N_CLOSE_REASONS);

      encoder->summary.kinds[what % TL_EVENT_ODD] += count;
      if (row_class > 0 && count > 0)
        encoder->summary.classes[row_class - 1] += count;
    }
}

void
tl_event_encoder_finish (TlEventEncoder *encoder, GByteArray *bytes, TlEventSummary *summary)
{
  const guint start = bytes->len;
  guint8      check[8];

  g_return_if_fail (encoder->n > 0);
  count_kinds (encoder);
  encoder->summary.n = encoder->n;
  *summary = encoder->summary;
  g_byte_array_set_size (bytes, start + TL_EVENT_HEAD_BYTES);
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      const gsize raw = (gsize) (encoder->at[c] - encoder->column[c]), room = ZSTD_compressBound (raw);
      const guint at = bytes->len;
      gsize       packed;
      guint8     *entry;

      g_byte_array_set_size (bytes, at + (guint) room);
      packed = ZSTD_compressCCtx (encoder->compressor, bytes->data + at, room, encoder->column[c], raw, LEVEL);
      g_assert (!ZSTD_isError (packed));
      g_byte_array_set_size (bytes, at + (guint) packed);
      entry = bytes->data + start + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;
      tl_put_u32 (entry, (guint32) raw);
      tl_put_u32 (entry + 4, (guint32) packed);
    }
  guint8 *head = bytes->data + start;

  memcpy (head, "CHNK", 4);
  tl_put_u32 (head + 4, bytes->len - start + 8);
  tl_put_u32 (head + 8, encoder->n);
  tl_put_u32 (head + 12, encoder->n_open);
  tl_put_u64 (head + 16, encoder->unit.by);
  tl_event_summary_put (summary, head + 24);
  tl_put_u64 (check, tl_event_check (head, bytes->len - start));
  g_byte_array_append (bytes, check, sizeof check);
  begin (encoder);
}
