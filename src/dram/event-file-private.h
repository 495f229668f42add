/* A chunk of an event file, to bytes and back. EVENT-FILE.md says what the bytes are. */
#pragma once

#include "dram/event-file.h"

#define TL_EVENT_COLUMNS       10
#define TL_EVENT_SUMMARY_BYTES 120
#define TL_EVENT_HEAD_BYTES    (24 + TL_EVENT_SUMMARY_BYTES + 8 * TL_EVENT_COLUMNS) /* of a chunk */
#define TL_EVENT_VERSION       2
#define TL_EVENT_VARINT        10 /* bytes, at most */
/* Domains from here on are written, but nothing is remembered of them. */
#define TL_EVENT_STATE_DOMAINS (1u << 20)

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
  OPEN,    /* three values for each row that is open before the first event */
};
G_STATIC_ASSERT (OPEN + 1 == TL_EVENT_COLUMNS);

#define TL_EVENT_ODD (TL_N_EVENTS) /* more than a kind */

/* --- event-encode.c --- */

typedef struct _TlEventEncoder TlEventEncoder;

/* Up to 7 MB, for one thread. @clock: what times are thought to be multiples of. */
TlEventEncoder *tl_event_encoder_new  (guint64          clock);
void            tl_event_encoder_free (TlEventEncoder  *encoder);
/* Takes @n events that follow those before; at most up to the end of a chunk. FALSE with
 * TL_EVENT_FILE_ERROR_EVENT, and the encoder is of no more use. */
gboolean        tl_event_encoder_add  (TlEventEncoder  *encoder,
                                       const TlEvent   *events,
                                       guint32          n,
                                       GError         **error);
/* Events in the chunk so far. */
guint32         tl_event_encoder_count (const TlEventEncoder *encoder);
/* Appends the chunk, which has events, to @bytes, fills @summary but for first_event, and begins
 * the next. */
void            tl_event_encoder_finish (TlEventEncoder *encoder,
                                         GByteArray     *bytes,
                                         TlEventSummary *summary);

/* --- event-decode.c --- */

typedef struct _TlEventDecoder TlEventDecoder;

/* For one thread; as large as the chunks it reads. */
TlEventDecoder *tl_event_decoder_new  (void);
void            tl_event_decoder_free (TlEventDecoder  *decoder);
/* The events of a chunk whose head and check are right; FALSE when they make no sense all the
 * same. */
gboolean        tl_event_decoder_read (TlEventDecoder  *decoder,
                                       const guint8    *data,
                                       gsize            length,
                                       TlEvent         *events);
/* Appends the rows open before its first event, of TlOpenRow. FALSE likewise. */
gboolean        tl_event_decoder_open (TlEventDecoder  *decoder,
                                       const guint8    *data,
                                       gsize            length,
                                       GArray          *rows);

/* --- event-chunk.c --- */

/* Reads the head of a chunk at @data of which @size bytes are there. *length becomes that of
 * the whole chunk. FALSE when it is no head, or more than is there is needed. */
gboolean        tl_event_chunk_head   (const guint8         *data,
                                       gsize                 size,
                                       TlEventSummary       *summary,
                                       gsize                *length);
/* Is the chunk of that length what was written, by its check? */
gboolean        tl_event_chunk_check  (const guint8         *data,
                                       gsize                 length);
/* The check of bytes: any that differs in one word of eight bytes has another. */
guint64         tl_event_check        (gconstpointer         data,
                                       gsize                 length);
void            tl_event_summary_put  (const TlEventSummary *summary,
                                       guint8               *data); /* all but first_event and n */
void            tl_event_summary_get  (TlEventSummary       *summary,
                                       const guint8         *data);

/* --- event-file.c --- */

/* As tl_event_file_read, with a decoder that is kept, and the rows open before, of TlOpenRow. NULL
 * what is not wanted. */
gboolean        tl_event_file_decode  (const TlEventFile    *file,
                                       TlEventDecoder       *decoder,
                                       guint                 chunk,
                                       TlEvent              *events,
                                       GArray               *rows,
                                       GError              **error);

static inline void
tl_put_u32 (guint8 *data, guint32 value)
{
  for (guint b = 0; b < 4; b++)
    data[b] = (guint8) (value >> (8 * b));
}

static inline void
tl_put_u64 (guint8 *data, guint64 value)
{
  for (guint b = 0; b < 8; b++)
    data[b] = (guint8) (value >> (8 * b));
}

static inline guint32
tl_get_u32 (const guint8 *data)
{
  return data[0] | data[1] << 8 | data[2] << 16 | (guint32) data[3] << 24;
}

static inline guint64
tl_get_u64 (const guint8 *data)
{
  return tl_get_u32 (data) | (guint64) tl_get_u32 (data + 4) << 32;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventEncoder, tl_event_encoder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventDecoder, tl_event_decoder_free)
