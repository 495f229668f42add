/* What a run's files share. */
#pragma once

#include "dram/engine-copy.h"
#include "dram/replay-moment-private.h"
#include "dram/replay-run.h"

/* The state between two accesses. */
typedef struct
{
  guint64       event;  /* events told before it */
  guint64       access; /* accesses that came in before it */
  guint64       time;   /* ps, when the last of them did */
  guint8       *packed; /* zstd of engine and moment */
  guint32       packed_bytes;
  guint32       bytes;
  TlEventDigest *digest; /* of the events up to the next one */
} TlCheckpoint;

struct _TlReplayRun
{
  gatomicrefcount refs;
  char           *name;
  TlMemory        memory;
  TlAddressMap   *map;
  TlEngineOptions options; /* without a sink */
  TlAccessLog    *log;
  char          **operands;
  char          **requesters;
  guint           n_operands, n_requesters;
  gboolean        split_writes;
  TlEngine       *engine;
  guint64         events;
  guint64         end;
  TlTimeBins     *bins;
  GArray         *checkpoints; /* of TlCheckpoint, the first before everything */
  gsize           bytes;
};

/* Makes @engine and @moment what checkpoint @index kept; @room is scratch. */
void tl_replay_run_restore (const TlReplayRun *run,
                            guint              index,
                            TlEngine          *engine,
                            TlReplayMoment          *moment,
                            GByteArray        *room);

/* Feeds one access and notes how it came in; *flushed events were handed over so far, which
 * the engine's sink counts. FALSE when the engine was stopped. */
gboolean tl_replay_feed    (TlEngine          *engine,
                            const TlMemory    *memory,
                            TlAddressMap      *map,
                            const TlAccess    *access,
                            const guint64     *flushed,
                            TlEntry           *entry);
