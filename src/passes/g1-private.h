/* Shared within recognition (g1-*.c): terms, the normal form of a cell's new
 * value, and the state of one recognition. */
#pragma once

#include "passes/g1-affine.h"
#include "passes/g1-laws.h"
#include "passes/recurrence.h"
#include "target/memory.h"

/* --- Laws (g1-algebra.c) --- */

/* Whether @law follows from the known algebra of two built-in operators. */
gboolean tl_g1_algebra_proves (const TlSemiring *semiring,
                               TlLaw             law);

/* TRUE, with the verdict filled, when its law fails at a, b, c; among all tuples of
 * @values; or as far as a search finds. */
gboolean tl_g1_refutes            (const TlSemiring *semiring,
                                   TlLawVerdict     *verdict,
                                   TlScalar          a,
                                   TlScalar          b,
                                   TlScalar          c);
gboolean tl_g1_refuted_among      (const TlSemiring *semiring,
                                   TlLawVerdict     *verdict,
                                   const GArray     *values);
gboolean tl_g1_refuted_by_search  (const TlSemiring *semiring,
                                   TlLawVerdict     *verdict);

/* --- Terms (g1-term.c): a value-numbered graph, equal terms are one pointer --- */

typedef enum
{
  TL_TERM_CONSTANT,
  TL_TERM_A, /* parameters of a user's operator */
  TL_TERM_B,
  TL_TERM_READ,
  TL_TERM_INDEX,     /* a loop's index as a number */
  TL_TERM_UNDEFINED, /* a name read before this iteration gave it a value */
  TL_TERM_OPAQUE,    /* a name or call that has no meaning here (score, gap) */
  TL_TERM_ADD,       /* n-ary, sorted, may hold NEGATEs */
  TL_TERM_MUL,       /* n-ary, sorted */
  TL_TERM_NEGATE,
  TL_TERM_DIVIDE,
  TL_TERM_FLOOR_DIVIDE,
  TL_TERM_MODULO,
  TL_TERM_CALL,      /* a user's operator that is no built-in one */
  /* From here on the value is one of the arguments' or a truth, by their order alone. */
  TL_TERM_MIN, /* n-ary, sorted, no doubles */
  TL_TERM_MAX,
  TL_TERM_AND,
  TL_TERM_OR,
  TL_TERM_XOR,
  TL_TERM_NOT,
  TL_TERM_LESS,
  TL_TERM_LESS_EQUAL,
  TL_TERM_EQUAL,
  TL_TERM_NOT_EQUAL,
  TL_TERM_SELECT, /* args[0] ? args[1] : args[2] */
} TlTermKind;


/* A loop's role (TlLoop) plus an offset; role < 0: a constant, or not affine. */
typedef struct
{
  int    role;
  gint64 offset;
} TlSubscript;

#define TL_ROLE_CONSTANT (-1)
#define TL_ROLE_NONE (-2)  /* not a loop plus a number */
#define TL_ROLE_OTHER (-3) /* needs other data or names */

/* A user's operator. */
typedef struct _TlTerm TlTerm;

typedef struct
{
  const TlOpDecl *decl;
  TlOperator      op;   /* built-in kinds where it is one of them */
  TlTerm         *term; /* of A and B; NULL for a table */
  gboolean        ok;
} TlG1Op;

struct _TlTerm
{
  TlTermKind     kind;
  guint          number; /* in order of making: arguments come before */
  double         value;  /* CONSTANT; infinities as such */
  gint64         whole;  /* CONSTANT that is an integer */
  gboolean       is_whole;
  const char    *name;   /* READ, UNDEFINED, OPAQUE */
  TlSubscript    subs[2];
  guint          n_subs; /* READ: as many subscripts as written; more than 2 never match */
  int            role;   /* INDEX */
  const TlG1Op  *op;     /* CALL */
  TlTerm       **args;
  guint          n_args;
  TlSpan         span;   /* where it was first written */
  TlSpan         op_span;
  const TlExpr  *expr;   /* READ: the subscript as first written */
};

typedef struct
{
  GPtrArray  *terms; /* by number; owned */
  GHashTable *known;
  gboolean    full;  /* the bound was hit */
} TlTerms;

#define TL_MAX_TERMS 6000
#define TL_MAX_TERM_ARGS 256
#define TL_MAX_PUSHED 12 /* how deep signs and negations are pushed into shared terms */

void      tl_terms_init        (TlTerms *terms);
void      tl_terms_clear       (TlTerms *terms);
TlTerm   *tl_term_number       (TlTerms *terms, double value);
TlTerm   *tl_term_integer      (TlTerms *terms, gint64 value);
TlTerm   *tl_term_leaf         (TlTerms *terms, const TlTerm *model);
/* n-ary kinds: ADD MUL MIN MAX AND OR XOR; folds, flattens, sorts. */
TlTerm   *tl_term_many         (TlTerms *terms, TlTermKind kind, TlTerm *const *args, guint n_args, TlSpan op_span);
TlTerm   *tl_term_two          (TlTerms *terms, TlTermKind kind, TlTerm *a, TlTerm *b, TlSpan op_span);
TlTerm   *tl_term_negate       (TlTerms *terms, TlTerm *a);
TlTerm   *tl_term_not          (TlTerms *terms, TlTerm *a);
TlTerm   *tl_term_select       (TlTerms *terms, TlTerm *condition, TlTerm *yes, TlTerm *no, TlSpan op_span);
TlTerm   *tl_term_call         (TlTerms *terms, const TlG1Op *op, TlTerm *a, TlTerm *b, TlSpan op_span);
gboolean  tl_term_is_truth     (const TlTerm *term);
/* Marks what @root reaches: an array of terms->len bytes. (transfer full) */
guint8   *tl_term_reach        (const TlTerms *terms, const TlTerm *root);
gboolean  tl_term_holds        (const TlTerms *terms, const TlTerm *root, const TlTerm *inner);
int       tl_term_compare      (const TlTerm *a, const TlTerm *b);
/* Between g1-term.c and g1-order.c. */
int       tl_term_compare_pointers (gconstpointer a, gconstpointer b);
TlTerm   *tl_term_make         (TlTerms *terms, TlTermKind kind, TlTerm **args, guint n_args, TlSpan op_span);
TlTerm   *tl_term_sum          (TlTerms *terms, TlTerm *const *args, guint n_args, TlSpan op_span);
TlTerm   *tl_term_product      (TlTerms *terms, TlTerm *const *args, guint n_args, TlSpan op_span);
GPtrArray *tl_term_flatten     (TlTerms *terms, TlTermKind kind, TlTerm *const *args, guint n_args,
                                TlTerm **constant);

/* Decided by the order of its arguments alone. */
static inline gboolean
tl_term_is_ordered (const TlTerm *term)
{
  return term->kind >= TL_TERM_MIN;
}

/* --- One recognition --- */

typedef struct
{
  const char   *name;
  TlSpan        span;
  const TlExpr *range;
  int           role;  /* TlLoop, or its position where there are no three loops */
  gint64        low;   /* the range's first value */
} TlG1Loop;

#define TL_G1_MAX_LOOPS TL_AFFINE_MAX_LOOPS

typedef struct
{
  const TlAst       *ast;
  const TlAlgorithm *algorithm;
  const GArray      *facts;
  TlDiags           *diags;
  TlTerms            terms;
  GPtrArray         *ops;     /* of TlG1Op *, owned */
  TlG1Loop           loops[TL_G1_MAX_LOOPS]; /* outermost first */
  guint              n_loops;
  const TlExpr      *target;  /* D[i,j] as first written to */
  const TlStmt      *nest;    /* the UPDATE or the outermost FOR */
  const TlDataDecl  *data;    /* of the output, or NULL */
  TlElementType      element;
  gboolean           element_said;
  gboolean           failed;  /* a diagnostic was given; nothing more is said */
  gboolean           takes_grids; /* recurrences over constant distances are for tl_g1_grid */
  gboolean           knows_machine; /* its kind is in machine, else the target's name tells */
  TlMachineKind      machine;
  gboolean           is_grid;     /* this is one; failed is set and nothing was said */
  gboolean           lenient; /* unknown names and calls are OPAQUE */
  guint              depth;   /* loops entered */
  TlTerm            *cell;    /* the output cell's value so far */
  TlTerm            *old;     /* and at first */
  gboolean           written;
  guint              n_statements;
  guint64            work;    /* terms evaluated by trials, bounded */
  guint              loops_done; /* FORs executed, to tell what follows one */
  gboolean           imperfect;  /* something stands between the headers of the nest */
} TlG1;

/* What the match found. */
typedef struct
{
  TlOperator  plus;
  TlOperator  times;
  gboolean    logical; /* on 0 and 1 of an integer type */
  gboolean    mixed;   /* the combination was written in place and mixes kinds of operators */
  const char *plus_name;  /* of the user's operator, or NULL */
  const char *times_name;
  gboolean    no_zero; /* no value of the carrier is neutral */
  gboolean    no_one;
  const TlSemiringDecl *declared; /* or NULL */
  TlTerm     *old;
  TlTerm     *left;
  TlTerm     *right;
  TlSpan      plus_span;
  TlSpan      times_span;
} TlG1Match;

/* The one diagnostic of a recognition: NULL when one was given before. */
TlDiag   *tl_g1_error          (TlG1 *g1, const char *code, TlSpan span, const char *format, ...)
                               G_GNUC_PRINTF (4, 5);

/* Expressions (g1-build.c) and statements (g1-nest.c) as terms. */
TlTerm   *tl_g1_undefined      (TlG1 *g1, const char *name, TlSpan span);
TlTerm   *tl_g1_expression     (TlG1 *g1, GHashTable *names, const TlExpr *expr);
TlTerm   *tl_g1_condition      (TlG1 *g1, GHashTable *names, const TlExpr *expr);
/* The cell's new value after one innermost iteration; NULL with a diagnostic. */
TlTerm   *tl_g1_new_value      (TlG1 *g1);
/* Affine form of a subscript under the loops. */
TlSubscript tl_g1_subscript    (const TlG1 *g1, const TlExpr *expr);

/* Loops (g1-loops.c): collects them with the target, gives roles, checks order and bounds. */
gboolean  tl_g1_find_nest      (TlG1 *g1);
gboolean  tl_g1_assign_roles   (TlG1 *g1);
gboolean  tl_g1_check_bounds   (TlG1 *g1);
/* Whether @stmt or anything in it assigns to @name. */
gboolean  tl_g1_assigns        (const TlStmt *stmt, const char *name);
/* Text of a span of the program. (transfer full) */
char     *tl_g1_text           (const TlG1 *g1, TlSpan span);
/* A subscript's own loop and offset, before ranges that do not start at 0 are counted in. */
/* Its form over the loops of the nest, outermost first. */
TlAffine  tl_g1_affine         (const TlG1 *g1, const TlExpr *expr);
gboolean  tl_g1_check_order    (TlG1 *g1, gboolean closure);

/* Operators and semirings of the user (g1-operators.c). */
void      tl_g1_read_ops       (TlG1 *g1);
const TlG1Op *tl_g1_op_named   (const TlG1 *g1, const char *name);
/* An operator of L and R (or A and B): built-in where it is one, else postfix steps. */
gboolean  tl_g1_operator_from  (TlG1 *g1, TlTerm *term, TlTerm *left, TlTerm *right, TlOperator *op);
TlSemiring *tl_g1_semiring     (TlG1 *g1, TlG1Match *match);
const TlDataFacts *tl_g1_facts (const TlG1 *g1, const char *name);

/* Recognition of @value as one update (g1-match.c), reasons when it is none (g1-near.c). */
gboolean  tl_g1_match          (TlG1 *g1, TlTerm *value, TlG1Match *match);
void      tl_g1_match_clear    (TlG1Match *match);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlG1Match, tl_g1_match_clear)
void      tl_g1_explain        (TlG1 *g1, TlTerm *value, const TlTerm *left, const TlTerm *right);
/* TRUE when @value uses a name without a value, which is then said. */
gboolean  tl_g1_explain_names  (TlG1 *g1, const TlTerm *value);
/* A recurrence of bits by its truth table (g1-bits.c). */
gboolean  tl_g1_match_bits     (TlG1 *g1, TlTerm *value, TlTerm *left, TlTerm *right, gboolean all_pairs,
                                TlG1Match *match);
/* Whether @value equals C (+) @times, (+) being min or max (g1-trial.c). @lattice: over
 * min and max alone, whose values are not negative. */
gboolean  tl_g1_try_update     (TlG1 *g1, TlTerm *value, TlTerm *left, TlTerm *right, TlTerm *times, gboolean minimum,
                                gboolean lattice);
/* For each of the 27 cases of i, j, k in 0..2: whether the update may be left out there. */
gboolean  tl_g1_may_skip       (const TlG1 *g1, guint index_case, gboolean closure);
guint     tl_g1_index_value    (guint index_case, int role);
/* TRUE when index terms of @value only compare with one another. */
gboolean  tl_g1_indices_plain  (TlG1 *g1, TlTerm *value, gboolean *any);

/* Admission (g1-admit.c): fills cycle_check and unproved. */
gboolean  tl_g1_admit          (TlG1 *g1, const TlG1Match *match, TlRecurrence *recurrence);

/* Programs of other shapes (g1-later.c): clause (b), clause (c), not on this target.
 * TRUE when it gave the program's diagnostic. */
gboolean  tl_g1_other_shapes   (TlG1 *g1);
/* Whether the machine runs a product over @semiring; FALSE after saying why not. */
gboolean  tl_g1_product        (TlG1 *g1, const TlG1Match *match, const TlSemiring *semiring);
/* "(16777216 + 1) + 1 is 16777216 in f32, 16777216 + (1 + 1) is 16777218". (transfer full) */
char     *tl_g1_float_sums       (TlElementType element);
gboolean  tl_g1_target_is_cu   (const TlG1 *g1);
const char *tl_g1_target       (const TlG1 *g1);
