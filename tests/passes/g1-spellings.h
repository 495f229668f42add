/* Programs that mean the same: scalar nests and one-line updates of one semiring,
 * with every axis of language.md's "Recognition" chosen at random. */
#pragma once

#include <glib.h>

typedef enum { SPELL_SHORTEST, SPELL_CLOSURE, SPELL_WIDEST, SPELL_MINIMAX, N_SPELLED } Spelled;

/* The four-line program that all spellings must equal. */
const char *spelled_reference (Spelled which);
/* One spelling. (transfer full) */
char       *spell             (Spelled  which,
                               guint64 *state);
