/* The syntax tree of a GenDSL program. Every node has its span; nodes that were
 * wrong are left out, the rest is kept (language.md, Diagnostics). Owned by the
 * tree's arena: pointers live as long as the TlAst. */
#pragma once

#include "base/diag.h"
#include "layout/element-type.h"

typedef enum
{
  TL_EXPR_INTEGER,   /* integer */
  TL_EXPR_REAL,      /* real */
  TL_EXPR_PERCENT,   /* real, already divided by 100 */
  TL_EXPR_QUANTITY,  /* integer or real with a unit in text: 5 ns, 768 KiB */
  TL_EXPR_STRING,    /* text, unescaped */
  TL_EXPR_INF,
  TL_EXPR_TRUE,
  TL_EXPR_FALSE,
  TL_EXPR_NAME,      /* text */
  TL_EXPR_SUBSCRIPT, /* text[args...]; base in text */
  TL_EXPR_CALL,      /* text (args...), min and max included; named arguments in NAMED nodes */
  TL_EXPR_NAMED,     /* text = args[0], inside a call */
  TL_EXPR_UNARY,     /* op in text ("-", "not"), args[0] */
  TL_EXPR_BINARY,    /* op in text: + - * / mod or and == != < <= > >= | ^ & (bitwise in owner) */
  TL_EXPR_CONDITION, /* args[0] if args[1] else args[2] */
  TL_EXPR_REDUCE,    /* max over s (args[0]): text = "max" or "min", names in text2 */
  TL_EXPR_RANGE,     /* args[0] .. args[1]; integer = 1 when the end is inclusive (..=) */
  TL_EXPR_TUPLE,     /* (a, b, c) */
  TL_EXPR_LIST,      /* [a, b, c] */
  TL_EXPR_RATIO,     /* 8 : 24 */
  TL_EXPR_METHOD,    /* args[0].text(args[1...]): layout expressions */
} TlExprKind;

typedef struct _TlExpr TlExpr;
struct _TlExpr
{
  TlExprKind   kind;
  TlSpan       span;      /* of the whole expression, brackets excluded */
  TlSpan       op_span;   /* of the operator or called name */
  const char  *text;
  const char  *text2;
  gint64       integer;
  double       real;
  TlExpr     **args;
  guint        n_args;
  gboolean     bracketed; /* stood in round brackets of its own */
};

typedef enum
{
  TL_STMT_UPDATE, /* target = value for names..., [within band]; a recurrence */
  TL_STMT_FOR,    /* for names[0] in range: body */
  TL_STMT_IF,     /* if condition: body [else: otherwise] */
  TL_STMT_ASSIGN, /* target = value, inside a nest; op text for "min=" kinds is none */
  TL_STMT_RESULT, /* result = value */
} TlStmtKind;

/* A loop name as declared. */
typedef struct
{
  const char *name;
  TlSpan      span;
  TlExpr     *range; /* NULL: the extent it is used for */
} TlLoopName;

typedef struct _TlStmt TlStmt;
struct _TlStmt
{
  TlStmtKind  kind;
  TlSpan      span;
  TlExpr     *target;    /* UPDATE, ASSIGN: subscript or name */
  TlExpr     *value;     /* UPDATE, ASSIGN, RESULT; IF: the condition */
  TlLoopName *loops;     /* UPDATE: the "for" names; FOR: one */
  guint       n_loops;
  TlExpr     *within;    /* "within band": the expression after within, or NULL */
  TlStmt    **body;
  guint       n_body;
  TlStmt    **otherwise; /* else branch */
  guint       n_otherwise;
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
  TlExpr     *plus;    /* NAME or operator NAME whose text is "+", "*", "or", ... */
  TlExpr     *times;
  TlExpr     *carrier; /* RANGE, LIST, type NAME, or NULL */
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
  TlExpr     *value;
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
  TlExpr      **shape;   /* extents; names allowed */
  guint         n_shape;
  TlExpr       *source;  /* CALL, or NULL */
} TlDataDecl;

/* One KEY = VALUE of a config line; keys with grammars of their own (score, gap)
 * keep the value's words in words. */
typedef struct
{
  TlSpan      span;
  const char *key;
  TlSpan      key_span;
  TlExpr     *value;
  TlSpan      value_span; /* the value's text as written */
} TlConfigItem;

/* place X = auto | plan | ... */
typedef struct
{
  TlSpan      span;
  const char *name;
  TlSpan      name_span;
  TlExpr     *value; /* NAME, CALL; tier 3 is CALL "tier" (3), fill 0..7 is CALL "fill" (RANGE) */
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
  gpointer         arena;  /* private */
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
/* The last item of that key (later ones win, with a warning from tl_check), or NULL. */
const TlConfigItem *tl_ast_config   (const TlAst *ast,
                                     const char  *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlAst, tl_ast_unref)
