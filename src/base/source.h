/* An immutable, reference-counted text with a name, and spans into it. */
#pragma once

#include <glib.h>

/* Half-open range of byte offsets into one source. */
typedef struct
{
  guint32 start;
  guint32 end;
} TlSpan;

typedef struct _TlSource TlSource;

/* A position as shown to people: line and column from 1, columns in characters
 * (a tab is one character). */
typedef struct
{
  guint line;
  guint column;
} TlPosition;

/* Copies @text. @length < 0 means NUL-terminated. At most 4 GiB - 1 bytes. The
 * text need not be valid UTF-8; columns then count each bad byte as one. A
 * leading BOM is kept in the text and not counted in columns.
 * Returns: (transfer full) */
TlSource   *tl_source_new      (const char *name,
                                const char *text,
                                gssize      length);
TlSource   *tl_source_ref      (TlSource *source);
void        tl_source_unref    (TlSource *source);

/* The name is what diagnostics print: a path as the user gave it. */
const char *tl_source_name     (const TlSource *source);
/* NUL-terminated; may hold NULs inside. */
const char *tl_source_text     (const TlSource *source);
guint32     tl_source_length   (const TlSource *source);
/* Offsets past the end give the end's position. O(log lines). */
TlPosition  tl_source_position (const TlSource *source,
                                guint32         offset);
/* The text of one line (from 1) without its line end. (transfer full), NULL past the last. */
char       *tl_source_line     (const TlSource *source,
                                guint           line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSource, tl_source_unref)

static inline TlSpan
tl_span (guint32 start, guint32 end)
{
  return (TlSpan) { start, end };
}

/* The smallest span that holds both. */
static inline TlSpan
tl_span_join (TlSpan a, TlSpan b)
{
  return (TlSpan) { MIN (a.start, b.start), MAX (a.end, b.end) };
}
