/* Tokens of GenDSL. The list is lossless: the spans follow each other without a
 * gap and cover the whole text, white space, comments and rubbish included, so
 * that an editor can colour with it and an edit can keep the layout. */
#pragma once

#include "base/diag.h"

typedef enum
{
  TL_TOKEN_SPACE,    /* blanks and tabs */
  TL_TOKEN_BOM,      /* only at the very start */
  TL_TOKEN_COMMENT,  /* "#" to the end of the line, line end excluded */
  TL_TOKEN_NEWLINE,  /* LF, CR LF or CR */
  TL_TOKEN_WORD,     /* a name; sections ("data", "config", ...) are names by spelling */
  TL_TOKEN_RESERVED, /* min max or and not over for in if else within mod inf result */
  TL_TOKEN_INTEGER,  /* 12, 1_000, 0x1F */
  TL_TOKEN_REAL,     /* 0.5, 1e-3 */
  TL_TOKEN_PERCENT,  /* 15%, 0.5% */
  TL_TOKEN_QUANTITY, /* 5ns, 768KiB: a number with letters right behind it */
  TL_TOKEN_STRING,   /* with its quotes */
  TL_TOKEN_SYMBOL,   /* operator, bracket, comma, colon: see symbol */
  TL_TOKEN_BAD,      /* nothing of the language: stray characters, NUL bytes, bad UTF-8 */
  TL_TOKEN_END,      /* empty, at the end of the text */
} TlTokenKind;

/* Symbols of one character are that character, longer ones these. */
typedef enum
{
  TL_SYMBOL_NONE = 0,
  TL_SYMBOL_DOTS = 256,    /* .. */
  TL_SYMBOL_DOTS_EQUAL,    /* ..= */
  TL_SYMBOL_EQUAL,         /* == */
  TL_SYMBOL_NOT_EQUAL,     /* != */
  TL_SYMBOL_LESS_EQUAL,    /* <= */
  TL_SYMBOL_GREATER_EQUAL, /* >= */
  TL_SYMBOL_FLOOR_DIVIDE,  /* // */
  /* Not of the language, but lexed whole so that the message can say what to write. */
  TL_SYMBOL_PLUS_EQUAL,
  TL_SYMBOL_MINUS_EQUAL,
  TL_SYMBOL_TIMES_EQUAL,
} TlSymbol;

typedef enum
{
  TL_RESERVED_NONE = 0,
  TL_RESERVED_MIN,
  TL_RESERVED_MAX,
  TL_RESERVED_OR,
  TL_RESERVED_AND,
  TL_RESERVED_NOT,
  TL_RESERVED_OVER,
  TL_RESERVED_FOR,
  TL_RESERVED_IN,
  TL_RESERVED_IF,
  TL_RESERVED_ELSE,
  TL_RESERVED_WITHIN,
  TL_RESERVED_MOD,
  TL_RESERVED_INF,
  TL_RESERVED_RESULT,
} TlReserved;

typedef struct
{
  TlSpan  span;
  guint16 kind;   /* TlTokenKind */
  guint16 symbol; /* SYMBOL: TlSymbol or a character; RESERVED: TlReserved. What was meant,
                   * where a foreign spelling ("&&", a typographic minus) has been reported */
} TlToken;

/* Text longer than this is not lexed; the list is then one BAD token and END. */
#define TL_MAX_SOURCE_BYTES (4u << 20)

/* All tokens of @source, the last one END. @diags may be NULL; else what is no
 * token is reported there, at most TL_MAX_MISTAKES times.
 * Returns: (transfer full) GArray of TlToken */
GArray     *tl_lex                   (TlSource *source,
                                      TlDiags  *diags);
/* Errors that lexer and parser report of one text before they say that there are more. */
#define TL_MAX_MISTAKES 100

/* "word", "comment", ...; stable, for tools. */
const char *tl_token_kind_name       (TlTokenKind kind);
/* NONE when @word may be a name. */
TlReserved  tl_reserved_find         (const char *word,
                                      gsize       length);
const char *tl_reserved_text         (TlReserved word);
/* "<=", "(": how a symbol is written. */
const char *tl_symbol_text           (guint16 symbol);
/* Whether @text can be written as a name: ruling 5 of language.md. */
gboolean    tl_is_name               (const char *text);
