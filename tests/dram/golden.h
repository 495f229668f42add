/* Targets and address patterns that have golden counts. */
#pragma once

#include "target/target.h"

/* A target of the project or of tests/targets, with an override or NULL; aborts the test
 * where there is none. (transfer full) */
TlTarget *golden_target  (const char *name,
                          const char *override);
/* The @i-th byte address of a pattern in units of @unit bytes: "seq", one unit after the
 * other, or "tile", 64 rows of 128 B at a stride of 8,192 B, the base then advancing by 128 B. */
guint64   golden_address (const char *pattern,
                          guint64     i,
                          guint       unit);
