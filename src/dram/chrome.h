/* The pieces of Chrome's trace format (JSON array form, as Perfetto opens it), appended to
 * text: what any machine's trace is made of. Names hold nothing that JSON would escape. */
#pragma once

#include <glib.h>

/* "]"; an empty array when there was nothing. */
void tl_chrome_end      (GString    *text,
                         gboolean    any);
/* The name of a process (@thread FALSE) or of one of its threads. */
void tl_chrome_name     (GString    *text,
                         gboolean   *any,
                         gboolean    thread,
                         guint       pid,
                         guint       tid,
                         const char *name);
/* What a process counts from @time on. */
void tl_chrome_counter  (GString    *text,
                         gboolean   *any,
                         const char *name,
                         guint       pid,
                         guint64     time,
                         const char *what,
                         guint64     value);
/* A slice of a thread from @from to @to, ps, open for ",\"args\":{...}": ends with "}". */
void tl_chrome_slice    (GString    *text,
                         gboolean   *any,
                         const char *name,
                         const char *category,
                         guint       pid,
                         guint       tid,
                         guint64     from,
                         guint64     to);
