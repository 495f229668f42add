/* A sequence of accesses kept small, so that a run can be made again from any of them.
 * Blocks of 4,096 accesses, one to a few bytes each; past a stated size the blocks go
 * to a temporary file that no longer has a name. */
#pragma once

#include "dram/engine.h"

#define TL_ACCESS_BLOCK 4096

typedef struct _TlAccessLog TlAccessLog;

/* At most @memory_cap bytes of blocks stay in memory. Returns: (transfer full) */
TlAccessLog *tl_access_log_new   (gsize               memory_cap);
TlAccessLog *tl_access_log_ref   (TlAccessLog        *log);
void         tl_access_log_unref (TlAccessLog        *log);
/* Adds @n accesses; @lines (may be NULL: 0) says where each stood in its trace. FALSE
 * with G_FILE_ERROR when the temporary file takes no more. One thread, before reading. */
gboolean     tl_access_log_add   (TlAccessLog        *log,
                                  const TlAccess     *accesses,
                                  const guint64      *lines,
                                  gsize               n,
                                  GError            **error);
/* Writes out what is not yet in a block; nothing is added after it. */
gboolean     tl_access_log_close (TlAccessLog        *log,
                                  GError            **error);
guint64      tl_access_log_count (const TlAccessLog  *log);
/* Bytes of blocks, in memory and in the file. */
guint64      tl_access_log_bytes (const TlAccessLog  *log);
gboolean     tl_access_log_is_on_disk (const TlAccessLog *log);
/* Block @block of a closed log, access @block * TL_ACCESS_BLOCK first, into room for
 * TL_ACCESS_BLOCK; @lines may be NULL. Returns how many; 0 with @error when the file is
 * gone bad. Any thread. */
guint        tl_access_log_read  (const TlAccessLog  *log,
                                  guint64             block,
                                  TlAccess           *accesses,
                                  guint64            *lines,
                                  GError            **error);
/* One access and, if not NULL, its line. FALSE with @error, or when there is none. */
gboolean     tl_access_log_get   (const TlAccessLog  *log,
                                  guint64             index,
                                  TlAccess           *access,
                                  guint64            *line,
                                  GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlAccessLog, tl_access_log_unref)
