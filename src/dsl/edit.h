/* Edits of a program text that keep everything else as it is, comments and
 * layout included: what --set, the window's knobs and its drags do. */
#pragma once

#include "dsl/ast.h"

/* The edits (ascending, disjoint) after which `config KEY = VALUE` holds: the
 * item's value is replaced where the key is said, else the item joins the last
 * config line or a new line. @value NULL takes the key out. @value is text as a
 * program would have it; it is not checked, so parse and check the new text.
 * Returns: (transfer full) GArray of TlEdit, empty when nothing changes */
GArray *tl_edit_config (const TlAst    *ast,
                        const char     *key,
                        const char     *value);
/* The same for `place NAME = VALUE`. */
GArray *tl_edit_place  (const TlAst    *ast,
                        const char     *name,
                        const char     *value);
/* The text of @source after @edits (of TlEdit, any order, disjoint; those that
 * overlap an earlier one or lie outside are left out). Returns: (transfer full) */
char   *tl_edit_apply  (const TlSource *source,
                        const GArray   *edits,
                        gsize          *length);
/* One step for both: the new text. Returns: (transfer full) a source of the same name */
TlSource *tl_source_with_config (TlSource   *source,
                                 const char *key,
                                 const char *value);
