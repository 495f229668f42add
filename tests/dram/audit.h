/* A run of the engine with all it tells, and an audit of it that shares no code with
 * the engine: the checker, the bank rules, and every count made again from the events. */
#pragma once

#include "dram/engine.h"

typedef struct
{
  TlMemory        memory; /* as the options have it */
  TlAddressMap   *map;
  TlEngineOptions options;
  TlAccess       *accesses;
  gsize           n;
  GArray         *events; /* of TlEvent */
  TlEngine       *engine;
} AuditRun;

/* A small machine with timings from @state's numbers, a map of it, options, and @n
 * accesses of a random pattern. */
void     audit_random  (AuditRun *run,
                        guint     n,
                        guint64  *state);
/* Feeds in random pieces and finishes. */
void     audit_execute (AuditRun *run,
                        guint64  *state);
/* Aborts the test, saying @round, where anything does not hold. */
void     audit_check   (AuditRun *run,
                        guint     round);
void     audit_clear   (AuditRun *run);
