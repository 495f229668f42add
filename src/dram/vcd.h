/* The pieces of a value change dump, appended to text: what any machine's dump is made of.
 * Signals are numbered; their identifiers are the numbers in printable characters. */
#pragma once

#include <glib.h>

/* "$version ... $timescale 1 ps $end". */
void tl_vcd_begin      (GString    *text);
/* @kind "wire" or "string". */
void tl_vcd_variable   (GString    *text,
                        const char *kind,
                        guint       width,
                        guint       signal,
                        const char *name);
/* The values of a signal: a number of a wire; z, nothing there; x, not known; a word of a
 * string, blanks as underscores. */
void tl_vcd_number     (GString    *text,
                        guint64     value,
                        guint       signal);
void tl_vcd_none       (GString    *text,
                        guint       signal);
void tl_vcd_unknown    (GString    *text,
                        guint       signal);
void tl_vcd_word       (GString    *text,
                        const char *word,
                        guint       signal);
/* A moment, ps. */
void tl_vcd_time       (GString    *text,
                        guint64     time);
