/* Knobs of either kind of target as a table: a row a knob says where its value lies, what it may be and why it is what
 * it is when nobody says so. One walk over the table takes target defaults and program lines (language.md, "Config and
 * place"); what is special to a machine is a function beside its table. */
#pragma once

#include "passes/dict-private.h"
#include "passes/knobs.h"

typedef enum
{
  TL_KNOB_WORD,   /* an enumeration, by its words */
  TL_KNOB_NUMBER, /* within the field's bounds */
  TL_KNOB_OWN,    /* taken and told by the machine's own functions */
} TlKnobForm;

typedef struct
{
  const char *key;
  TlKnobForm  form;
  TlField     field; /* WORD: of an int; NUMBER */
  TlWordFunc  word;
  const char *rule;  /* what the value follows from when nobody says it */
} TlKnobRow;

/* A key of the language that means nothing here, and why. */
typedef struct
{
  const char *key, *reason;
} TlForeignKey;

typedef struct _TlKnobTake TlKnobTake;

struct _TlKnobTake
{
  const TlKnobRow *rows;
  guint            n_rows;
  gpointer         knobs;   /* of which the fields are */
  TlKnobOrigin    *origin;  /* of each row */
  /* Takes a value that is OWN; FALSE when it is refused. */
  gboolean       (*own)    (TlKnobTake   *take,
                            guint         id,
                            const TlExpr *value);
  /* Whether the row means something to this program; NULL: all do. */
  gboolean       (*means)  (const TlKnobTake *take,
                            guint             id);
  const TlTarget  *target;
  TlSource        *source;  /* of the value at hand */
  TlChosen         by;
  TlDiags         *diags;
  gboolean         right;
};

/* An error at the value at hand: in the text, or in the target's file. (transfer none) */
TlDiag  *tl_knob_refuse  (TlKnobTake         *take,
                          const char         *code,
                          TlSpan              span,
                          const char         *format,
                          ...) G_GNUC_PRINTF (4, 5);
/* "set KEY = VALUE", where the text can be changed. */
void     tl_knob_fix     (TlKnobTake         *take,
                          TlDiag             *diag,
                          TlSpan              span,
                          const char         *key,
                          const char         *value);
/* One value, with its origin. */
void     tl_knob_take    (TlKnobTake         *take,
                          guint               id,
                          const TlExpr       *value,
                          TlSpan              span);
/* All defaults of the target, read as if they stood in a config line. */
void     tl_knob_take_target (TlKnobTake     *take);
/* All config lines of @ast. */
void     tl_knob_take_config (TlKnobTake     *take,
                              const TlAst    *ast);
/* Warns of keys that mean nothing to @what ("a closure") on this target. */
void     tl_knob_warn_foreign (TlKnobTake         *take,
                               const TlAst        *ast,
                               const TlForeignKey *foreign,
                               guint               n,
                               const char         *what);
/* A word that follows from the program: what is written must agree. @what: "closure". NULL when it does, else the
 * error, fixed, which still wants its reason. */
TlDiag  *tl_knob_agree   (TlKnobTake         *take,
                          const TlExpr       *value,
                          const char         *key,
                          const char         *derived,
                          const char         *what);
/* The value as one would write it; NULL for OWN. (transfer full) */
char    *tl_knob_row_text (const TlKnobRow   *row,
                           gconstpointer      knobs);
/* What it may be, for people; NULL when only the machine knows. (transfer full) */
char    *tl_knob_row_legal (const TlKnobRow  *row);
