/* A chunk of an event file: to bytes and back. */
#pragma once

#include "dram/event-file.h"

#define TL_EVENT_COLUMNS       9
#define TL_EVENT_SUMMARY_BYTES 80
#define TL_EVENT_HEAD_BYTES    (24 + TL_EVENT_SUMMARY_BYTES + 8 * TL_EVENT_COLUMNS) /* of a chunk */

typedef struct _TlEventCodec TlEventCodec;

/* Up to 6 MB, for one thread. */
TlEventCodec *tl_event_codec_new    (void);
void          tl_event_codec_free   (TlEventCodec         *codec);
/* Appends the chunk of @n events to @bytes and fills @summary but for first_event. */
gboolean      tl_event_codec_encode (TlEventCodec         *codec,
                                     const TlEvent        *events,
                                     guint32               n,
                                     guint64               clock,
                                     GByteArray           *bytes,
                                     TlEventSummary       *summary,
                                     GError              **error);
/* Reads the head of a chunk at @data of which @size bytes are there. *length becomes that of
 * the whole chunk. FALSE when it is no head, or more than is there is needed. */
gboolean      tl_event_chunk_head   (const guint8         *data,
                                     gsize                 size,
                                     TlEventSummary       *summary,
                                     gsize                *length);
/* Is the chunk of that length what was written, by its check? */
gboolean      tl_event_chunk_check  (const guint8         *data,
                                     gsize                 length);
/* The events of a chunk that passed both; FALSE when they make no sense all the same. */
gboolean      tl_event_codec_decode (TlEventCodec         *codec,
                                     const guint8         *data,
                                     gsize                 length,
                                     TlEvent              *events);

void          tl_event_summary_put  (const TlEventSummary *summary,
                                     guint8               *data); /* all but first_event and n */
void          tl_event_summary_get  (TlEventSummary       *summary,
                                     const guint8         *data);

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventCodec, tl_event_codec_free)
