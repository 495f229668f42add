/* Chrome's trace format. Times are microseconds, exact to the picosecond. */
#include "dram/chrome.h"

static void
append_time (GString *text, const char *key, guint64 ps)
{
  g_string_append_printf (text, ",\"%s\":%" G_GUINT64_FORMAT ".%06u", key, ps / 1000000, (guint) (ps % 1000000));
}

/* What stands between two records: begin with FALSE. */
static void
separate (GString *text, gboolean *any)
{
  g_string_append (text, *any ? ",\n" : "[\n");
  *any = TRUE;
}

void
tl_chrome_end (GString *text, gboolean any)
{
  g_string_append (text, any ? "\n]\n" : "[]\n");
}

void
tl_chrome_name (GString *text, gboolean *any, gboolean thread, guint pid, guint tid, const char *name)
{
  separate (text, any);
  g_string_append_printf (text, "{\"name\":\"%s_name\",\"ph\":\"M\",\"pid\":%u", thread ? "thread" : "process", pid);
  if (thread)
    g_string_append_printf (text, ",\"tid\":%u", tid);
  g_string_append_printf (text, ",\"args\":{\"name\":\"%s\"}}", name);
}

void
tl_chrome_slice (GString *text, gboolean *any, const char *name, const char *category, guint pid, guint tid,
                 guint64 from, guint64 to)
{
  separate (text, any);
  g_string_append_printf (text, "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u", name, category,
                          pid, tid);
  append_time (text, "ts", from);
  append_time (text, "dur", to - from);
}

void
tl_chrome_counter (GString *text, gboolean *any, const char *name, guint pid, guint64 time, const char *what,
                   guint64 value)
{
  separate (text, any);
  g_string_append_printf (text, "{\"name\":\"%s\",\"ph\":\"C\",\"pid\":%u", name, pid);
  append_time (text, "ts", time);
  g_string_append_printf (text, ",\"args\":{\"%s\":%" G_GUINT64_FORMAT "}}", what, value);
}
