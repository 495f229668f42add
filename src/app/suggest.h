/* What may be written at a place of a program: sections, data names, knobs, their
 * legal values, targets, sources. Without a display; the completer shows it. */
#pragma once

#include "dsl/ast.h"

typedef struct
{
  char *text; /* what is written */
  char *note; /* one line: what it is */
} TlSuggestion;

/* At byte @offset of @ast's source. @targets: names that can be written, NULL-terminated,
 * may be NULL. @start: where the word being written begins; all suggestions replace
 * start..offset. Only those that begin like that word, in the order of language.md.
 * Returns: (transfer full) GPtrArray of TlSuggestion *, free function set */
GPtrArray *tl_suggest (const TlAst       *ast,
                       guint32            offset,
                       const char *const *targets,
                       guint32           *start);
