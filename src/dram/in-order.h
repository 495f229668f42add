/* Row-buffer counts in source order from a closed start: what PLAN minimises
 * (models.md section 2). Each domain holds one open row. Open pages: a request finds
 * its row (hit), a closed domain (miss) or another row (conflict). Closed pages: a
 * row stays open across its run of requests, then is closed, so what would be a
 * conflict is a closing and a miss. hit + miss + conflict = requests, always. */
#pragma once

#include "base/diag.h"
#include "dram/bank-rules.h"
#include "dram/trace.h"
#include "target/target.h"

typedef struct
{
  guint64 requests;
  guint64 hit;
  guint64 miss;
  guint64 conflict;
  guint64 act;     /* activations: miss + conflict */
  guint64 pre;     /* open pages: conflict; closed pages: act, the last rows closed at the end */
  guint64 reads;
  guint64 writes;
  guint64 domains; /* that were touched */
} TlInOrderCounts;

typedef struct _TlInOrder TlInOrder;

/* 8 bytes a domain. Returns: (transfer full) */
TlInOrder *tl_in_order_new      (TlAddressMap        *map,
                                 TlPages              pages);
void       tl_in_order_free     (TlInOrder           *counter);
void       tl_in_order_reset    (TlInOrder           *counter);
/* The next @n units (unit numbers, below 2^bits of the map); all reads. */
void       tl_in_order_feed     (TlInOrder           *counter,
                                 const guint64       *units,
                                 gsize                n);
/* The same and says the class (TlRowClass) of each. */
void       tl_in_order_classify (TlInOrder           *counter,
                                 const guint64       *units,
                                 gsize                n,
                                 guint8              *classes);
void       tl_in_order_counts   (const TlInOrder     *counter,
                                 TlInOrderCounts     *counts);

typedef struct
{
  TlPages  pages;
  gboolean wrap;     /* addresses past the capacity are taken modulo, else an error */
  /* Called every million requests or so; FALSE stops (then the replay fails without
   * a diagnostic). May be NULL. */
  gboolean (*progress) (guint64 requests, gpointer data);
  gpointer data;
  guint8  *classes;  /* receives the class (TlRowClass) of the first n_classes requests; may be NULL */
  gsize    n_classes;
} TlReplayOptions;

/* Replays a whole trace in order on @target. FALSE with a diagnostic when the trace
 * is wrong, an address lies past the capacity, or the target has no address map;
 * *counts then holds what was counted before. */
gboolean   tl_replay_in_order   (TlTrace               *trace,
                                 const TlTarget        *target,
                                 const TlReplayOptions *options,
                                 TlInOrderCounts       *counts,
                                 TlDiags               *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlInOrder, tl_in_order_free)
