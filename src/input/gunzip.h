/* gzip files, bounded. Within src/input. */
#pragma once

#include "base/diag.h"

/* Whether the bytes begin as a gzip file does. */
gboolean tl_is_gzip (gconstpointer bytes,
                     gsize         length);
/* The bytes that all members hold, at most @limit. NULL with a diagnostic when the
 * file is damaged, ends early or holds more. Returns: (transfer full) */
GBytes  *tl_gunzip  (const char   *name,
                     gconstpointer bytes,
                     gsize         length,
                     guint64       limit,
                     TlDiags      *diags);
