/* What `tierc replay` shows. Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "dram/replay.h"

/* A replay that was scheduled, with what is shown of it. */
typedef struct
{
  const TlTarget        *target;
  const TlTrace         *trace;
  const TlEngine        *engine;
  const TlEngineOptions *options;
  const char            *classes; /* "M C C H" in order, or NULL */
  gboolean               both;    /* the counts in order too */
  guint                  causes;  /* rows of each ranking; 0: none */
} TlCliReplay;

void      tl_cli_replay_print (const TlCliReplay *replay);
/* (transfer full) */
JsonNode *tl_cli_replay_json  (const TlCliReplay *replay);

/* The head that both counts share: trace, format, target, page. */
void      tl_cli_replay_head  (JsonBuilder    *builder,
                               const TlTrace  *trace,
                               const TlTarget *target,
                               TlPages         pages);

/* --- replay-output.c --- */

/* Files for the engine's events. */
typedef struct _TlCliEvents TlCliEvents;

/* @commands (CSV) and @trace (an event file) are paths or NULL; @name is of the trace or program
 * that is replayed on @memory of @target. NULL after saying why. (transfer full) */
TlCliEvents *tl_cli_events_new   (const char     *commands,
                                  const char     *trace,
                                  const char     *name,
                                  const char     *target,
                                  const TlMemory *memory);
/* "128 domains of 8192 rows of 8 units of 128 bytes": what an event file says of its machine. (transfer full) */
char        *tl_cli_organisation (const TlMemory *memory);
/* A TlEventSink; @data is the TlCliEvents. */
gboolean     tl_cli_events_add   (const TlEvent  *some,
                                  gsize           n,
                                  gpointer        data);
/* Puts the files in place. FALSE after saying why, of a failure before too. */
gboolean     tl_cli_events_close (TlCliEvents    *events);
void         tl_cli_events_free  (TlCliEvents    *events);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlCliEvents, tl_cli_events_free)
