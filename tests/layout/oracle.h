/* Shared by the layout suites: rows of outside tables against ours. */
#pragma once

#include "layout/layout.h"
#include "support/support.h"

/* Integers separated by spaces. (transfer full): of gint64 */
GArray  *oracle_ints   (const char *text);
/* The table, or NULL after skipping the test. (transfer full) */
GPtrArray *oracle_table (const char *name);
/* Integers joined by one space. */
void     oracle_append (GString *text,
                        gint64   value);
/* Aborts when @text is no layout. */
TlLayout oracle_layout (const char *text);
