/* The config keys: which there are, and what a value may be as far as the text
 * alone can tell. One table for the checks, completion, the window and help. */
#pragma once

#include "dsl/ast.h"
#include "target/target.h"

typedef enum
{
  TL_KNOB_WORDS,   /* one of words, nothing else */
  TL_KNOB_INTEGER, /* least..most */
  TL_KNOB_TARGET,  /* NAME | "FILE.xml" */
  TL_KNOB_TILE,    /* INT | (INT, INT) | (INT, INT, INT) */
  TL_KNOB_OWNER,   /* one of words, an expression in i j M P, or move (RULE, (i, j, pu), ...) */
  TL_KNOB_SPLIT,   /* INT : INT */
  TL_KNOB_BAND,    /* WIDTH | adaptive(WIDTH [, WIDTH]); WIDTH: PERCENT | INT */
  TL_KNOB_SCORE,   /* match INT mismatch INT | matrix STRING */
  TL_KNOB_GAP,     /* INT | open INT extend INT */
  TL_KNOB_BYTES,   /* INT, a size in bytes or with its unit */
} TlKnobKind;

typedef struct
{
  const char        *key;
  TlKnobKind         kind;
  const char *const *words;   /* NULL-terminated; the first is the default where models.md says so */
  gint64             least;   /* INTEGER, BYTES */
  gint64             most;
  const char        *grammar; /* for people: "modulo, skewed, auto, or an expression in i, j, M and P" */
  const char        *summary; /* one line: "order of tiles" */
} TlKnob;

/* All knobs in the order of language.md. */
const TlKnob *tl_knobs      (guint *n_knobs);
/* NULL when there is none of that name; "target.KEY" is no knob of the table. */
const TlKnob *tl_knob_find  (const char *key);
/* Whether @value suits @knob. If not, @reason (transfer full) says what is wrong
 * and @place which part of the value. */
gboolean      tl_knob_admits (const TlKnob *knob,
                              const TlExpr *value,
                              char        **reason,
                              TlSpan       *place);
/* The target's own default of @key as the tree of a config line. NULL when the target has none, and with @reason (may
 * be NULL; transfer full) when what it has is no legal value. (transfer full) */
TlAst        *tl_knob_default (const TlTarget *target,
                               const char     *key,
                               char          **reason);
