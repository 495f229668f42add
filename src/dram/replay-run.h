/* A run of the scheduled engine of which any moment can be had again. It is made once,
 * from a sequence of accesses, keeping checkpoints; a cursor (dram/replay-cursor.h) then
 * goes anywhere in it within milliseconds, forward and back. What the run is of does not
 * matter: a trace file, or the accesses that another machine recorded. */
#pragma once

#include "dram/access-log.h"
#include "dram/event-query.h"
#include "dram/time-bins.h"
#include "dram/replay-moment.h"

typedef struct _TlReplayRun TlReplayRun;

typedef struct
{
  const char        *name;       /* of what is run: a file's, a program's */
  const TlMemory    *memory;
  TlAddressMap      *map;        /* of memory, with at most 32 row and 16 column bits */
  TlEngineOptions    options;    /* a sink hears every event while the run is made */
  TlAccessLog       *log;        /* closed; referenced */
  const char *const *operands;   /* names by number, NULL-terminated; NULL: none */
  const char *const *requesters; /* the same */
  guint64            distance;   /* events between checkpoints at first; 0: 32,768 */
  gsize              memory_cap; /* bytes of checkpoints; past it every other one goes. 0: 32 MB */
  /* Called now and then with the accesses done; FALSE stops. May be NULL. */
  gboolean         (*progress)   (guint64  accesses,
                                  gpointer data);
  gpointer           data;
} TlReplayRunOptions;

/* Runs it all. NULL with G_IO_ERROR_CANCELLED when progress or the sink stopped it, with
 * G_FILE_ERROR when the log cannot be read. Any thread. Returns: (transfer full) */
TlReplayRun     *tl_replay_run_new      (const TlReplayRunOptions *options,
                                         GError                  **error);
TlReplayRun     *tl_replay_run_ref      (TlReplayRun       *run);
void             tl_replay_run_unref    (TlReplayRun       *run);

/* --- immutable, any thread --- */

const char      *tl_replay_run_name     (const TlReplayRun *run);
const TlMemory  *tl_replay_run_memory   (const TlReplayRun *run); /* as the options have it */
TlAddressMap    *tl_replay_run_map      (const TlReplayRun *run); /* (transfer none) */
const TlEngineOptions *tl_replay_run_options (const TlReplayRun *run);
TlAccessLog     *tl_replay_run_log      (const TlReplayRun *run); /* (transfer none) */
/* The engine at the end: totals, latencies, causes. (transfer none) */
const TlEngine  *tl_replay_run_engine   (const TlReplayRun *run);
guint64          tl_replay_run_events   (const TlReplayRun *run);
/* ps, of the last event and of the end of the last data, whichever is later. */
guint64          tl_replay_run_end      (const TlReplayRun *run);
/* NULL where no name was given. */
const char      *tl_replay_run_operand  (const TlReplayRun *run,
                                         guint              operand);
const char      *tl_replay_run_requester (const TlReplayRun *run,
                                          guint              requester);
const TlTimeBins *tl_replay_run_bins    (const TlReplayRun *run);
/* Spans lie between checkpoints; span 0 starts with the run. */
guint            tl_replay_run_n_spans  (const TlReplayRun *run);
const TlEventDigest *tl_replay_run_digest (const TlReplayRun *run,
                                           guint              span);
guint64          tl_replay_run_span_event (const TlReplayRun *run,
                                           guint              span); /* its first */
/* Bytes that checkpoints and digests take. */
gsize            tl_replay_run_bytes    (const TlReplayRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlReplayRun, tl_replay_run_unref)
