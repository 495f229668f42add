/* What the characters of a program are, for colouring them: keywords, names of data,
 * loops and knobs, numbers, strings, comments. From tokens and tree, without a
 * display. The language file colours what can be told word by word; this is laid
 * over it and knows what a name stands for. */
#pragma once

#include "dsl/ast.h"

typedef enum
{
  TL_INK_KEYWORD,   /* algorithm, config, for, within ... */
  TL_INK_ALGORITHM, /* the algorithm's name */
  TL_INK_DATA,      /* a name of the data section */
  TL_INK_LOOP,      /* a loop name, and i j M P of an owner rule */
  TL_INK_KNOB,      /* key of a config item */
  TL_INK_TYPE,      /* element type */
  TL_INK_CALL,      /* min, max, graph, road, an operator's name */
  TL_INK_NUMBER,
  TL_INK_STRING,
  TL_INK_COMMENT,
  TL_INK_BAD,       /* nothing of the language */
  TL_N_INKS
} TlInk;

typedef struct
{
  TlSpan span; /* bytes of the source */
  TlInk  ink;
} TlInked;

/* Ascending and disjoint. @ast may be NULL, else of the same source.
 * Returns: (transfer full) GArray of TlInked */
GArray     *tl_inks      (TlSource    *source,
                          const TlAst *ast);
const char *tl_ink_name  (TlInk        ink); /* "keyword" */

/* What the caret at byte @offset stands on, as a hover id of scene/view.h: "tiles" on
 * the owner, "tiers" on data and place lines, "operand-C", "operand-left",
 * "operand-right" on the update's operands. NULL: nothing of the picture.
 * @output, @left, @right: spans of the recurrence's operands, empty when not known. */
const char *tl_caret_id  (const TlAst *ast,
                          TlSpan       output,
                          TlSpan       left,
                          TlSpan       right,
                          guint32      offset);
