/* Semirings as values: a carrier, two operators, zero and one. The passes decide
 * about them, the IR names them, streams carry them, the simulator evaluates them. */
#pragma once

#include "layout/element-type.h"

#include <glib.h>

/* A carrier value. Integer, bool and table carriers use @i, float carriers @r.
 * The infinities of integer carriers are TL_INF and -TL_INF, of float carriers IEEE's. */
typedef union
{
  gint64 i;
  double r;
} TlScalar;

#define TL_INF G_MAXINT64

/* The element type's finite values from low to high, and the infinities named.
 * language.md, Values. */
typedef struct
{
  TlElementType element;
  gboolean      has_inf;
  gboolean      has_minus_inf;
  TlScalar      low;  /* least finite value, inclusive */
  TlScalar      high; /* greatest finite value, inclusive */
} TlCarrier;

typedef enum
{
  TL_OPERATOR_MIN,
  TL_OPERATOR_MAX,
  TL_OPERATOR_ADD,
  TL_OPERATOR_MUL,
  TL_OPERATOR_OR,
  TL_OPERATOR_AND,
  TL_OPERATOR_XOR,
  TL_OPERATOR_EXPRESSION, /* user-written, over a and b */
  TL_OPERATOR_TABLE,      /* size x size table over carrier 0..size-1 */
} TlOperatorKind;

/* One postfix step of an expression operator. */
typedef enum
{
  TL_STEP_A,
  TL_STEP_B,
  TL_STEP_CONSTANT, /* pushes value */
  TL_STEP_NEGATE,
  TL_STEP_NOT,
  TL_STEP_ADD,
  TL_STEP_SUBTRACT,
  TL_STEP_MULTIPLY,
  TL_STEP_DIVIDE,  /* floor for integers; by zero gives inf */
  TL_STEP_MODULO,  /* sign of the divisor; by zero gives 0 */
  TL_STEP_MIN,
  TL_STEP_MAX,
  TL_STEP_AND,
  TL_STEP_OR,
  TL_STEP_LESS,
  TL_STEP_LESS_EQUAL,
  TL_STEP_EQUAL,
  TL_STEP_NOT_EQUAL,
  TL_STEP_SELECT, /* pops else, then, condition */
} TlStepKind;

typedef struct
{
  TlStepKind kind;
  TlScalar   value;
} TlStep;

typedef struct
{
  TlOperatorKind kind;
  guint32        size;    /* table side, 1..256 */
  guint8        *table;   /* size * size, row a column b; owned */
  TlStep        *steps;   /* postfix; owned */
  guint          n_steps;
} TlOperator;

typedef struct
{
  TlCarrier  carrier;
  TlOperator plus;  /* accumulation */
  TlOperator times; /* combination */
  TlScalar   zero;  /* neutral of plus */
  TlScalar   one;   /* neutral of times */
} TlSemiring;

/* (transfer full) copies own their tables and steps. */
TlSemiring *tl_semiring_copy     (const TlSemiring *semiring);
void        tl_semiring_free     (TlSemiring *semiring);
gboolean    tl_semiring_equal    (const TlSemiring *a,
                                  const TlSemiring *b);
/* Evaluates a (op) b on the carrier: infinities absorb as language.md "Values"
 * says (inf (x) a = inf for (min,+) whatever a's sign); finite integer results
 * that leave the carrier's range saturate to inf or -inf where the carrier has
 * them, else to high or low. */
TlScalar    tl_operator_evaluate (const TlOperator *op,
                                  const TlCarrier  *carrier,
                                  TlScalar          a,
                                  TlScalar          b);
gboolean    tl_scalar_equal      (const TlCarrier *carrier,
                                  TlScalar         a,
                                  TlScalar         b);
/* "inf", "-inf", "12", "0.5"; parses back to the same value. (transfer full) */
char       *tl_scalar_text       (const TlCarrier *carrier,
                                  TlScalar         value);
/* "min", "+", "table", ... (transfer full) */
char       *tl_operator_text     (const TlOperator *op);
/* "(min, +)" (transfer full) */
char       *tl_semiring_text     (const TlSemiring *semiring);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSemiring, tl_semiring_free)
