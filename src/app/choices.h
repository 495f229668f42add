/* The choices panel's rows, from a build: every knob with its value, who chose it, what
 * is legal, and why it is refused. Without a display. */
#pragma once

#include "engine/build.h"
#include "passes/knobs.h"

typedef enum
{
  TL_CHOICE_WORDS,  /* one of words */
  TL_CHOICE_OWNER,  /* one of words or an expression */
  TL_CHOICE_NUMBER, /* least..most, legal up to limit */
  TL_CHOICE_TEXT,   /* as the grammar says */
} TlChoiceKind;

typedef struct
{
  char        *key;     /* of the config line; of data for a place line */
  gboolean     place;   /* it is a place line */
  char        *label;   /* "Tile B" */
  char        *value;   /* as one would write it */
  TlChosen     chosen;
  gboolean     written; /* the text says it, so that it can be reset */
  TlChoiceKind kind;
  char       **words;   /* NULL-terminated; may be empty */
  guint32      least;   /* NUMBER */
  guint32      most;    /* end of the slider, past limit where values are forbidden */
  guint32      limit;   /* largest legal value */
  char        *legal;   /* for people: "1 to 256: 3 tiles of 4 x B x B bytes within 768 KiB" */
  char        *summary; /* one line: what the knob does */
  char        *problem; /* why the text's value is refused, or NULL */
  gboolean     warned;  /* a lint hangs on it */
} TlChoice;

/* @original: the tree of an example as it was opened, NULL when it is none: values that
 * are still as there are the example's. @last: the last right build, for its target
 * and derived tile where this one did not get so far; may be NULL. @targets: names that can be written.
 * Returns: (transfer full) GPtrArray of TlChoice *, free function set */
GPtrArray *tl_choices_new (const TlBuild      *build,
                           const TlAst        *original,
                           const TlBuild      *last,
                           const char *const  *targets);
/* How many rows were chosen by @chosen. */
guint      tl_choices_by  (const GPtrArray    *choices,
                           TlChosen            chosen);

/* The column (or row) of tiles that has the fewest owners, as an id for a selection:
 * "tiles-column-3". (transfer full) */
char      *tl_few_owners  (const TlPimProgram *program,
                           gboolean            rows);
/* What the ownership lint says about a program, as a card: "Column phase nearly serial".
 * NULL when it does not fire. */
typedef struct
{
  char    *title;
  char    *body;
  double   gain;     /* 1.37: how much quicker the skewed rule's steps are */
  char    *tiles;    /* id to select */
} TlOwnerCard;
TlOwnerCard *tl_owner_card_new  (const TlPimProgram *program);
void         tl_owner_card_free (TlOwnerCard        *card);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlOwnerCard, tl_owner_card_free)
