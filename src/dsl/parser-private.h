/* What the files of the parser share: the token stream, where a statement ends,
 * and how mistakes are reported and stepped over. */
#pragma once

#include "dsl/arena-private.h"
#include "dsl/lexer-private.h"

/* A token that is no white space, comment, line end or rubbish. */
typedef struct
{
  TlToken  token;
  guint32  indent; /* of a line's first token: columns before it, tabs to 8 */
  gboolean first;  /* of its line; true for the end of the text */
} TlParserToken;

/* A loop or condition whose line is still open for an else. */
typedef struct
{
  TlStmt *stmt;
  guint32 indent;
} TlOpenIf;

typedef struct
{
  TlReporter     reporter;
  TlSource      *source;
  const char    *text;
  TlArena       *arena;
  TlParserToken *tokens; /* the last is END */
  guint          n_tokens;
  guint          at;
  guint          start;    /* first token of the statement */
  guint          brackets; /* open ones in the statement */
  guint          nesting;  /* depth of the recursion in expressions */
  gboolean       failed;   /* the statement is beyond repair; already reported */
  gboolean       units;    /* numbers may have units here */
  gboolean       layouts;  /* layout notation: methods, gf2, True */
  TlFix         *bracket_fix; /* of this statement's first missing bracket */
  gboolean       patched;  /* something was put right: what follows may be an echo */
  gboolean guessed; /* a bracket or comma was put in, perhaps not where it was meant */
  gboolean       damaged;
  gboolean       lost_data;
  GArray        *lexed_mistakes; /* of guint32, rising: where the lexer reported */
  GArray        *open_ifs; /* of TlOpenIf */
  guint          nest;     /* headers around the statement */
} TlParser;

/* --- parser.c: the stream --- */

static inline const TlToken *
tl_parser_token (const TlParser *parser)
{
  return &parser->tokens[parser->at].token;
}

/* Whether the statement ends before the present token. */
gboolean    tl_parser_ended       (const TlParser *parser);
gboolean    tl_parser_is_symbol   (const TlParser *parser,
                                   guint16         symbol);
gboolean    tl_parser_is_reserved (const TlParser *parser,
                                   TlReserved      word);
gboolean    tl_parser_is_word     (const TlParser *parser,
                                   const char     *word);
/* Looks @ahead tokens, all of them on the statement's line(s); NULL past its end. */
const TlToken *tl_parser_ahead    (const TlParser *parser,
                                   guint           ahead);
gboolean    tl_parser_take_symbol (TlParser       *parser,
                                   guint16         symbol);
void        tl_parser_open        (TlParser       *parser);
/* Takes the bracket that closes the one opened at token @opened; a missing one is
 * reported and thought of as there. */
void        tl_parser_close       (TlParser       *parser,
                                   guint           opened,
                                   char            bracket);
/* The text of a token, in the arena. */
const char *tl_parser_text        (TlParser       *parser,
                                   TlSpan          span);
/* End of the token before the present one. */
guint32     tl_parser_last_end    (const TlParser *parser);
/* The present token, or the place after the last one when the statement has ended. */
TlSpan      tl_parser_here        (const TlParser *parser);
/* "`for`", "the end of the line", "the number 12". (transfer full) */
char       *tl_parser_describe    (const TlParser *parser);
/* Gives the statement up, with a message unless one of this statement explains it.
 * NULL when nothing was added. */
TlDiag     *tl_parser_fail        (TlParser       *parser,
                                   const char     *code,
                                   TlSpan          span,
                                   const char     *format,
                                   ...) G_GNUC_PRINTF (4, 5);
/* Reports a mistake whose repair is certain enough to go on. */
TlDiag     *tl_parser_patch       (TlParser       *parser,
                                   const char     *code,
                                   TlSpan          span,
                                   const char     *format,
                                   ...) G_GNUC_PRINTF (4, 5);
/* A name to be declared; reserved words are reported and taken. NULL (failed) when
 * there is no name. @what: "the algorithm's name". */
const char *tl_parser_name        (TlParser       *parser,
                                   const char     *what,
                                   TlSpan         *span);

/* --- parse-expr.c --- */

TlExpr     *tl_parser_new_expr    (TlParser       *parser,
                                   TlExprKind      kind,
                                   TlSpan          span);
/* Sets args and depth; NULL (failed) when the tree gets too deep. */
TlExpr     *tl_parser_with_args   (TlParser       *parser,
                                   TlExpr         *expr,
                                   GPtrArray      *args);
TlExpr     *tl_parser_with_1      (TlParser       *parser,
                                   TlExpr         *expr,
                                   TlExpr         *arg);
TlExpr     *tl_parser_with_2      (TlParser       *parser,
                                   TlExpr         *expr,
                                   TlExpr         *first,
                                   TlExpr         *second);
/* Brackets, signs and branches that may nest before the text is refused. */
#define TL_MAX_NESTING 150

/* All of the expression grammar. NULL when failed. */
TlExpr     *tl_parse_expr         (TlParser       *parser);
/* An expression that decides: a lone "=" is reported as "==". */
TlExpr     *tl_parse_condition    (TlParser       *parser);
/* a .. b or a ..= b. */
TlExpr     *tl_parse_range        (TlParser       *parser);

/* --- parse-number.c --- */

/* INTEGER, REAL or PERCENT at the present token. */
TlExpr     *tl_parse_number       (TlParser       *parser);
TlExpr     *tl_parse_quantity     (TlParser       *parser);
/* A whole number, - allowed. */
TlExpr     *tl_parse_integer      (TlParser       *parser);
TlExpr     *tl_parse_string       (TlParser       *parser);

/* --- parse-operand.c --- */

/* What stands between operators, layout methods included. */
TlExpr     *tl_parse_operand      (TlParser       *parser);
/* name [in range], ... */
TlLoopName *tl_parse_loop_names   (TlParser       *parser,
                                   guint          *n_loops);

/* --- parse-config.c --- */

/* The items after "config" at @config_at, appended to @items. */
void         tl_parse_config      (TlParser       *parser,
                                   guint           config_at,
                                   GPtrArray      *items);
TlPlaceDecl *tl_parse_place       (TlParser       *parser);

/* --- parse-data.c --- */

TlDataDecl     *tl_parse_data     (TlParser       *parser);
TlSemiringDecl *tl_parse_semiring (TlParser       *parser);
TlOpDecl       *tl_parse_op       (TlParser       *parser);

/* --- parse-stmt.c --- */

/* One statement of an algorithm and the lines that belong to it, appended to
 * @stmts. */
void            tl_parse_statement (TlParser       *parser,
                                    GPtrArray      *stmts);
/* All lines more indented than @indent. */
void            tl_parse_block     (TlParser       *parser,
                                    guint32         indent,
                                    GPtrArray      *stmts);
/* Whether the line that starts at token @at is a section: "data D", "config", ... */
gboolean        tl_parser_is_section (const TlParser *parser,
                                      guint           at);
void            tl_parser_begin    (TlParser       *parser);
/* Ends a statement: what is left of it is reported unless it failed, and skipped. */
void            tl_parser_finish   (TlParser       *parser);
