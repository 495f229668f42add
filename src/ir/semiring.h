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
  TL_STEP_XOR,
  TL_STEP_FLOOR_DIVIDE, /* floor for floats too */
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

/* One of language.md's known semirings on @element: (min,+), (max,+), (or,and), (and,or),
 * (xor,and), (max,min), (min,max), (+,x), with its carrier, zero and one. On bool min and
 * max are "and" and "or". A logical semiring on a wider type has the carrier 0..1.
 * NULL for other pairs, and where the type lacks a value (-inf, or one of 0 and 1).
 * Returns: (transfer full) */
TlSemiring *tl_semiring_known    (TlOperatorKind    plus,
                                  TlOperatorKind    times,
                                  TlElementType     element);

/* All finite values of @element, no infinities. Integer ranges stop short of TL_INF. */
TlCarrier   tl_carrier_full      (TlElementType     element);
gboolean    tl_carrier_is_float  (const TlCarrier  *carrier);
gboolean    tl_carrier_contains  (const TlCarrier  *carrier,
                                  TlScalar          value);

/* Operators are held by value: clear frees table and steps, copy makes new ones. */
TlOperator  tl_operator_copy     (const TlOperator *op);
void        tl_operator_clear    (TlOperator       *op);
gboolean    tl_operator_equal    (const TlOperator *a,
                                  const TlOperator *b,
                                  const TlCarrier  *carrier);

/* Evaluates a (op) b on the carrier: infinities absorb as language.md "Values"
 * says (inf (x) a = inf for (min,+) whatever a's sign; 0 * inf = 0); finite integer
 * results that leave the carrier's range saturate to inf or -inf where the carrier
 * has them, else to high or low. Float results are rounded to the element type,
 * ties to even. Logical operators take anything but 0 as true and give 0 or 1. */
TlScalar    tl_operator_evaluate (const TlOperator *op,
                                  const TlCarrier  *carrier,
                                  TlScalar          a,
                                  TlScalar          b);
/* The same without bringing the result into the carrier's range: what tells whether
 * the carrier is closed. Integers beyond 64 bits become TL_INF or -TL_INF; floats
 * are not rounded to the element type. */
TlScalar    tl_operator_raw      (const TlOperator *op,
                                  const TlCarrier  *carrier,
                                  TlScalar          a,
                                  TlScalar          b);

/* @value, as tl_operator_raw gives it, brought onto the carrier as tl_operator_evaluate does.
 * *@left (may be NULL): 1 or -1 where it lay above or below all finite values, else 0. */
TlScalar    tl_carrier_bring     (const TlCarrier  *carrier,
                                  TlScalar          value,
                                  int              *left);

/* Whether a (op) b = b (op) a, as far as it is known: a table by its cells, an expression by
 * trying a carrier of up to 64 finite values; FALSE for one on a larger carrier. */
gboolean    tl_operator_commutes (const TlOperator *op,
                                  const TlCarrier  *carrier);
/* Whether a (op) b is always a or b, known in the same way: then a value has a way back. */
gboolean    tl_operator_selects  (const TlOperator *op,
                                  const TlCarrier  *carrier);

gboolean    tl_scalar_equal      (const TlCarrier *carrier,
                                  TlScalar         a,
                                  TlScalar         b);
/* -1, 0, 1; the order of min and max. */
int         tl_scalar_compare    (const TlCarrier *carrier,
                                  TlScalar         a,
                                  TlScalar         b);
/* "inf", "-inf", "12", "0.5"; parses back to the same value. (transfer full) */
char       *tl_scalar_text       (const TlCarrier *carrier,
                                  TlScalar         value);
/* FALSE when @text is no number, inf or -inf, or does not fit 64 bits. The value
 * need not lie in the carrier. */
gboolean    tl_scalar_parse      (const TlCarrier *carrier,
                                  const char      *text,
                                  TlScalar        *value);
/* "min", "+", "or", "table", or the expression, "a + b + 1". (transfer full) */
char       *tl_operator_text     (const TlOperator *op,
                                  const TlCarrier  *carrier);
/* "(min, +)" (transfer full) */
char       *tl_semiring_text     (const TlSemiring *semiring);
/* Stable lower-case words for text forms: "min", "add", "mul", ..., "expression",
 * "table"; and of steps: "a", "b", "constant", "less-equal", ... */
const char *tl_operator_name     (TlOperatorKind    kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSemiring, tl_semiring_free)
