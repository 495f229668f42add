/* The words of enumerations, as functions of one type, so that tables can hold them. */
#pragma once

#include <glib.h>

/* The word of a value counted from 0; NULL behind the last. */
typedef const char *(*TlWordFunc) (int value);

const char *tl_word_barriers    (int value);
const char *tl_word_edges       (int value);
const char *tl_word_copies      (int value);
const char *tl_word_copy_writes (int value);
const char *tl_word_ring        (int value);
const char *tl_word_page        (int value);
const char *tl_word_values      (int value);
const char *tl_word_baseline    (int value);
const char *tl_word_place       (int value); /* of tiles in tiers */
const char *tl_word_weights     (int value); /* kxn, nxk */
const char *tl_word_cu_place    (int value); /* of an operand's tiles */
const char *tl_word_scope       (int value); /* of a timing */
const char *tl_word_bus         (int value);
const char *tl_word_scheduler   (int value);

/* The value whose word is @text; -1 when none is. */
int         tl_word_find        (TlWordFunc  words,
                                 const char *text);
