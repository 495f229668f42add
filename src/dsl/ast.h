/* The syntax tree of a GenDSL program (grammar: GRAMMAR.ebnf beside this file). Every node has its span; nodes that were
 * wrong are left out, the rest is kept (language.md, Diagnostics). Owned by the
 * tree's arena: pointers live as long as the TlAst. */
#pragma once

#include "base/diag.h"
#include "layout/element-type.h"

typedef enum
{
  TL_EXPR_INTEGER,   /* integer; real holds the same value */
  TL_EXPR_REAL,      /* real */
  TL_EXPR_PERCENT,   /* real, already divided by 100 */
  TL_EXPR_QUANTITY,  /* a number with a unit, text "5 ns", "768 KiB" (one space, no _):
                      * for tl_parse_ps and tl_parse_bytes; real holds the number */
  TL_EXPR_STRING,    /* text, unescaped */
  TL_EXPR_INF,
  TL_EXPR_TRUE,
  TL_EXPR_FALSE,
  TL_EXPR_NAME,      /* text; "cu-t8b16" of a target, "gap.open" and "gap.extend" in one piece */
  TL_EXPR_SUBSCRIPT, /* text[args...]; base in text */
  TL_EXPR_CALL,      /* text (args...), min and max included; named arguments in NAMED nodes.
                      * Also "tier 3", "fill 0..7", "stripe 0..3", "layout EXPR" of a place
                      * line and "max H", "min H", "last E" of a result: one argument */
  TL_EXPR_NAMED,     /* text = args[0], inside a call; text args[0], inside WORDS */
  TL_EXPR_UNARY,     /* op in text ("-", "not"), args[0] */
  TL_EXPR_BINARY,    /* op in text: + - * / // mod or and xor == != < <= > >= | ^ & (bitwise in owner) */
  TL_EXPR_CONDITION, /* args[0] if args[1] else args[2] */
  TL_EXPR_REDUCE,    /* max over s (args[0]): text = "max", "min", "sum" or a user op; names in loops */
  TL_EXPR_RANGE,     /* args[0] .. args[1]; integer = 1 when the end is written as inclusive (..=).
                      * In fill, stripe and a semiring's carrier the end belongs to it always */
  TL_EXPR_TUPLE,     /* (a, b, c) */
  TL_EXPR_LIST,      /* [a, b, c] */
  TL_EXPR_RATIO,     /* args[0] : args[1], 8 : 24; shape:stride of a layout */
  TL_EXPR_METHOD,    /* args[0].text(args[1...]): layout expressions */
  TL_EXPR_WORDS,     /* match 2 mismatch -4, matrix "f", open 5 extend 1: args are NAMED */
  TL_EXPR_GF2,       /* gf2 [domain: 4 2 | row: 8 | column: 1]: args are PARTs as written */
  TL_EXPR_PART,      /* text: args (INTEGERs, maybe none), inside GF2 */
} TlExprKind;

/* A loop name as declared. */
typedef struct
{
  const char     *name;
  TlSpan          span;
  struct _TlExpr *range; /* NULL: the extent it is used for */
} TlLoopName;

typedef struct _TlExpr TlExpr;
struct _TlExpr
{
  TlExprKind   kind;
  TlSpan       span;      /* of the whole expression, its own round brackets excluded */
  TlSpan       op_span;   /* of the operator, called or subscripted name; of "if" in a condition */
  const char  *text;
  gint64       integer;
  double       real;
  TlExpr     **args;
  guint        n_args;
  TlLoopName  *loops;     /* REDUCE: the names after over */
  guint        n_loops;
  guint        depth;     /* 1 for a leaf; at most TL_MAX_EXPR_DEPTH, so recursion is safe */
  gboolean     bracketed; /* stood in round brackets of its own */
};

#define TL_MAX_EXPR_DEPTH 400
#define TL_MAX_NEST_DEPTH 64 /* loops and conditions around one statement */

typedef enum
{
  TL_STMT_UPDATE, /* target = value for names... [within band]; a recurrence. Without "for"
                   * (n_loops 0), directly in an algorithm: a boundary, E[i,0] = i */
  TL_STMT_FOR,    /* for loops[0] in range: body; a header of several loops nests */
  TL_STMT_IF,     /* if condition: body [else: otherwise]; "else if" nests in otherwise */
  TL_STMT_ASSIGN, /* target = value, inside a nest */
  TL_STMT_RESULT, /* result = value: CALL max/min/last (NAME) or REDUCE */
} TlStmtKind;

typedef struct _TlStmt TlStmt;
struct _TlStmt
{
  TlStmtKind  kind;
  TlSpan      span;        /* the whole statement, body included */
  TlSpan      head_span;   /* FOR, IF: from the keyword to its colon; else as span */
  TlSpan      assign_span; /* the "=" */
  TlExpr     *target;    /* UPDATE, ASSIGN: subscript or name */
  TlExpr     *value;     /* UPDATE, ASSIGN, RESULT; IF: the condition */
  TlLoopName *loops;     /* UPDATE: the "for" names; FOR: one */
  guint       n_loops;
  TlExpr     *within;    /* "within band": the expression after within, or NULL */
  TlStmt    **body;
  guint       n_body;
  TlStmt    **otherwise; /* else branch */
  guint       n_otherwise;
  gboolean    repaired;  /* a bracket or comma was put in: what it means is a guess */
};

typedef struct
{
  const char *name;
  TlSpan      name_span;
  TlSpan      span;
  TlStmt    **body;
  guint       n_body;
} TlAlgorithm;

/* semiring (max, *) on 0..1: zero = 0, one = 1 */
typedef struct
{
  TlSpan      span;
  TlExpr     *plus;    /* NAME whose text is "min", "+", "*", "or", "and", "xor", ... or a user op */
  TlExpr     *times;
  TlExpr     *carrier; /* RANGE (both ends belong to it), type NAME, or NULL */
  TlExpr     *zero;    /* NULL when not said */
  TlExpr     *one;
} TlSemiringDecl;

/* op f(a, b) = expr, op f = table("f.csv") or op f = table([[...]]) */
typedef struct
{
  TlSpan      span;
  const char *name;
  TlSpan      name_span;
  const char *parameters[2]; /* NULL for tables */
  TlSpan      parameter_spans[2];
  TlExpr     *value; /* an expression of the parameters, or CALL "table" (STRING or LIST of LISTs) */
  gboolean    repaired; /* as in TlStmt */
} TlOpDecl;

/* data D: i32[64, 5120] = graph("f"), data PTR, CAL = index(r, k = 11) */
typedef struct
{
  TlSpan        span;
  const char  **names;
  TlSpan       *name_spans;
  guint         n_names;
  TlElementType type;    /* bits 0 when not written */
  TlSpan        type_span;
  TlExpr      **shape;   /* extents: integers, size names, sums of them; one shape for all names */
  guint         n_shape;
  TlExpr       *source;  /* CALL, or NULL */
  gboolean      damaged; /* type, shape or source were wrong and are left out */
} TlDataDecl;

/* One KEY = VALUE of a config line; knobs.h says which keys there are. "target.pus"
 * is a key too: one number of the machine. */
typedef struct
{
  TlSpan      span;
  TlSpan      line_span; /* from "config" to the end of that line's last item */
  const char *key;
  TlSpan      key_span;
  TlExpr     *value;
  TlSpan      value_span; /* the value's text as written, brackets included */
} TlConfigItem;

/* place X = auto | plan | ... */
typedef struct
{
  TlSpan      span;
  const char *name;
  TlSpan      name_span;
  TlExpr     *value; /* NAME (auto, plan, identity, packed) or CALL tier, fill, stripe, layout */
  TlSpan      value_span;
} TlPlaceDecl;

typedef struct _TlAst TlAst;
struct _TlAst
{
  TlSource        *source;
  TlAlgorithm    **algorithms; /* one in a right program */
  guint            n_algorithms;
  TlSemiringDecl **semirings;
  guint            n_semirings;
  TlOpDecl       **ops;
  guint            n_ops;
  TlDataDecl     **data;
  guint            n_data;
  TlConfigItem   **config; /* in source order, over all config lines */
  guint            n_config;
  TlPlaceDecl    **places;
  guint            n_places;
  gboolean         damaged;   /* something was wrong and is left out */
  gboolean         lost_data; /* so was a data line whose names are not known */
  gpointer         arena;     /* private */
  gatomicrefcount  refs;      /* private */
};

/* Parses @source. Never fails: what is wrong goes to @diags, what is right into
 * the tree. Depth and size are bounded. Returns: (transfer full) */
TlAst              *tl_parse        (TlSource   *source,
                                     TlDiags    *diags);
TlAst              *tl_ast_ref      (TlAst      *ast);
void                tl_ast_unref    (TlAst      *ast);
/* Semantic checks that need only the text: names, duplicates, shadowing, extents,
 * config keys and the grammar of their values. */
void                tl_check        (const TlAst *ast,
                                     TlDiags     *diags);
/* The last item of that key, or NULL. tl_check warns of a key said twice alike
 * and refuses one said twice with different values. */
const TlConfigItem *tl_ast_config   (const TlAst *ast,
                                     const char  *key);
/* The declaration that names @name, or NULL. */
const TlDataDecl   *tl_ast_data     (const TlAst *ast,
                                     const char  *name);
/* The last place line of that name, or NULL. */
const TlPlaceDecl  *tl_ast_place    (const TlAst *ast,
                                     const char  *name);
/* Value of an integer constant expression (+ - * / // mod | ^ & over integers).
 * FALSE when it has names, is no integer or overflows. */
gboolean            tl_expr_integer (const TlExpr *expr,
                                     gint64       *value);
/* Whether a function of that name rounds: round, floor, ... The language has none of them. */
gboolean            tl_function_rounds (const char *name);
/* Named argument @name of a CALL or WORDS node, or NULL. */
const TlExpr       *tl_expr_named   (const TlExpr *call,
                                     const char   *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlAst, tl_ast_unref)
