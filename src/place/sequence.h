/* Access signatures: the order in which one tile instance touches its units. A unit
 * is one column access; units are numbered 0 .. 2^bits - 1, and a sequence may skip
 * units (ragged tiles) and repeat them (several passes). */
#pragma once

#include "base/diag.h"

#define TL_PLACE_MAX_BITS 16
#define TL_SEQUENCE_MAX_LENGTH (1u << 20)
/* A text past this size is refused unread. */
#define TL_SEQUENCE_MAX_BYTES (8u << 20)

typedef struct
{
  guint    bits;   /* 1..TL_PLACE_MAX_BITS */
  guint32  length; /* 1..TL_SEQUENCE_MAX_LENGTH */
  guint16 *units;
} TlSequence;

/* Copies @units, each below 2^bits. (transfer full) */
TlSequence *tl_sequence_new      (guint          bits,
                                  const guint16 *units,
                                  gsize          length);
void        tl_sequence_free     (TlSequence    *sequence);

/* Reads unit numbers in decimal or 0x hexadecimal, separated by white space; '#' starts
 * a comment to the end of the line. NULL with a diagnostic, which points at the word, when one
 * is no number or lies outside 0 .. 2^bits - 1, when there is none, or more than
 * TL_SEQUENCE_MAX_LENGTH. (transfer full) */
TlSequence *tl_sequence_parse    (TlSource      *source,
                                  guint          bits,
                                  TlDiags       *diags);

/* The units that occur, ascending, once each. (transfer full) */
TlSequence *tl_sequence_distinct (const TlSequence *sequence);
/* FNV-1a 64 over bits, length and the units (16 bits each, low byte first): equal for equal sequences,
 * on every machine. */
guint64     tl_sequence_hash     (const TlSequence *sequence);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSequence, tl_sequence_free)
