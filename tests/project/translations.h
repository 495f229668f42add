/* po/POTFILES.in against the tree. */
#pragma once

#include <glib.h>

/* Lists what is wrong, one line each: marked files that are not listed, listed
 * files that are missing or have nothing marked, entries twice or out of order. Looks at
 * ROOT/src (.c, .h), ROOT/ui (.ui) and ROOT/data (.in). @n_marked counts the
 * files with something marked. (transfer full) */
GPtrArray *tl_translations_check (const char *root,
                                  guint      *n_marked);
