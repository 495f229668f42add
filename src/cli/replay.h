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
