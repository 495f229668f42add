/* The rule of floors as a function, so that the suite can also hold it against a
 * tree that breaks it. */
#pragma once

#include <glib.h>

/* Reads ROOT/src/DESIGN.md and every .c and .h below ROOT/src and ROOT/tests, and
 * lists what breaks the rule, one line each: "src/a/b.c:3: why". Empty when all is
 * well. @n_includes counts the includes that were judged. (transfer full) */
GPtrArray *tl_floors_check (const char *root,
                            guint      *n_includes);
