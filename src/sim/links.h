/* The ring as a road from stop to stop: two links leave each stop, one to either
 * neighbour, and a message holds only those of its way. What closures broadcast goes both
 * ways round and holds all of them (ring.c). models.md section 3, Broadcast: a link takes
 * ring_bytes a cycle, a hop ring_hop cycles.
 *
 * A message goes the shorter way, rising stop numbers where both are as long. Its head
 * enters a link when it is there and the link has let the message before it through; the
 * tail follows bytes / ring_bytes cycles behind. Links take messages in the order in which
 * they were sent, so callers send in order of time. */
#pragma once

#include "ir/schedule.h"

typedef struct
{
  guint32  stops;
  guint64  hop;         /* ps */
  guint64  clock;       /* ps */
  guint32  cycle_bytes; /* of one link */
  gboolean free;        /* ring = free: everything is there at once, and nothing is counted but bytes */
  guint64 *until;       /* owned: of links 2 s (to s + 1) and 2 s + 1 (to s - 1): when they are free again */
  guint64  messages;
  guint64  bytes;
  guint64  busy;        /* ps, over all links */
  guint64  waited;      /* ps, over all messages: for links that others held */
} TlLinks;

/* A stop for each bank group, as PU p lies at group p, and for further PUs. */
void    tl_links_init      (TlLinks            *links,
                            const TlPimMachine *machine,
                            gboolean            free);
void    tl_links_clear     (TlLinks            *links);
/* When the last byte of a message that is ready at @ready is there. Nothing travels from a
 * stop to itself: @ready. */
guint64 tl_links_send      (TlLinks            *links,
                            guint32             from,
                            guint32             to,
                            guint64             bytes,
                            guint64             ready);
/* To every other stop, both ways round. *gone: when the last byte has left @from; may be NULL. */
guint64 tl_links_broadcast (TlLinks            *links,
                            guint32             from,
                            guint64             bytes,
                            guint64             ready,
                            guint64            *gone);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlLinks, tl_links_clear)
