/* Event files as input of tierc replay. Private to src/cli. */
#pragma once

#include "cli/replay.h"

typedef struct
{
  const char        *path;
  const char        *target;    /* NULL: the file's own */
  const char *const *overrides; /* of it, NULL-terminated */
  const char        *find;      /* words as tl_event_query_parse has them, or NULL: all */
  const char        *between;   /* "FROM..TO", or NULL */
  guint              list;      /* events that are shown one by one */
  const char        *commands;  /* paths, or NULL */
  const char        *trace;
  gboolean           json;
} TlEventsWishes;

/* By its first bytes. */
gboolean tl_cli_is_event_file (const char           *path);
/* Counts, lists and writes those of its events that are meant. Returns an exit status. */
int      tl_cli_replay_events (TlCli                *cli,
                               const TlEventsWishes *wishes);
