/* The engine's events in formats that other tools read, as they come: lines
 * (dram/event-csv.h), a value change dump, Chrome's trace format. Deterministic bytes.
 *
 *   VCD     time scale 1 ps; a scope for each channel, pseudo-channel and tier, in it for each
 *           domain its row (z: closed) and its state (closed, opening, open, closing,
 *           refreshing); of each data bus what it carries (idle, read, write) and for which
 *           request
 *   Chrome  a process for each tier of a channel with a thread a domain: slices from ACT to
 *           PRE with opening, reads and writes inside, closings with the two requests of a
 *           conflict, refreshes; one process with a thread a data bus */
#pragma once

#include "dram/event.h"

#include <gio/gio.h>

typedef enum
{
  TL_EVENT_TEXT_CSV,
  TL_EVENT_TEXT_VCD,
  TL_EVENT_TEXT_CHROME,
} TlEventTextKind;

/* By the ending of @path, .csv, .vcd or .json in any case; FALSE for any other. */
gboolean     tl_event_text_kind  (const char      *path,
                                  TlEventTextKind *kind);

typedef struct _TlEventText TlEventText;

/* @memory is copied, @stream referenced and not closed. (transfer full) */
TlEventText *tl_event_text_new   (TlEventTextKind  kind,
                                  GOutputStream   *stream,
                                  const TlMemory  *memory);
/* Events in order. FALSE with an error once the stream refused something. */
gboolean     tl_event_text_add   (TlEventText     *text,
                                  const TlEvent   *events,
                                  gsize            n,
                                  GError         **error);
/* Writes what is left and ends what is open. */
gboolean     tl_event_text_close (TlEventText     *text,
                                  GError         **error);
void         tl_event_text_free  (TlEventText     *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventText, tl_event_text_free)
