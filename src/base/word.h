/* Words that people type: which known one a mistyped one meant, lists to read. */
#pragma once

#include <glib.h>

/* Number of edits (insert, delete, replace, swap of neighbours) between two
 * words, letter case and underscores against hyphens counting for little. */
guint       tl_word_distance (const char        *a,
                              const char        *b);
/* The likeliest of @candidates (@n, NULLs skipped) for a mistyped @word, or NULL
 * when none is near enough to be offered. */
const char *tl_word_nearest  (const char        *word,
                              const char *const *candidates,
                              guint              n);
/* "a, b, c or d" of a NULL-terminated list. (transfer full) */
char       *tl_word_list     (const char *const *words);
