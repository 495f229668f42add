/* A text file in memory, read token by token, with its places. Within src/input. */
#pragma once

#include "base/diag.h"
#include "ir/semiring.h"

typedef struct
{
  const char *name;
  const char *bytes;
  gsize       length;
  gsize       at;         /* next byte */
  gsize       line_start; /* offset of the current line */
  guint64     line;       /* from 1 */
  TlDiags    *diags;
  guint       errors;     /* reported by this reader */
} TlText;

/* A word of one line. */
typedef struct
{
  const char *text; /* not terminated */
  gsize       length;
  gsize       offset;
} TlToken;

/* After so many errors a reader gives up. */
#define TL_TEXT_MAX_ERRORS 10

/* Starts at the first byte after a BOM. FALSE with a diagnostic when the text is
 * empty but for white space, or binary (holds a NUL). */
gboolean tl_text_open      (TlText       *text,
                            const char   *name,
                            const char   *bytes,
                            gsize         length,
                            TlDiags      *diags);
/* The next word of the line: between blanks, tabs and @also (0: nothing more). FALSE
 * at the line's end, which is left. */
gboolean tl_text_token     (TlText       *text,
                            char          also,
                            TlToken      *token);
/* First byte of the rest of the line after blanks, '\0' at its end. */
char     tl_text_peek      (TlText       *text);
/* To the next line, over LF, CR LF or CR. FALSE at the end of the file. */
gboolean tl_text_next_line (TlText       *text);
gboolean tl_token_is       (TlToken       token,
                            const char   *word); /* case matters */
gboolean tl_token_is_word  (TlToken       token,
                            const char   *word); /* it does not */
/* The token for a message, at most 40 bytes, unprintable ones as '?'. (transfer full) */
char    *tl_token_text     (TlToken       token);

/* Adds an error at @offset of the current line. Returns the diagnostic for its reason. */
TlDiag  *tl_text_fail      (TlText       *text,
                            gsize         offset,
                            const char   *code,
                            const char   *format,
                            ...) G_GNUC_PRINTF (4, 5);
/* Whether the reader has reported so many errors that it should stop. */
gboolean tl_text_given_up  (const TlText *text);

/* A whole number from 0 to @max. FALSE with a diagnostic that calls it @what. */
gboolean tl_text_whole     (TlText       *text,
                            TlToken       token,
                            const char   *what,
                            guint64       max,
                            guint64      *value);
/* A value of @element: exact for integers and bool (0 is false, all else true; the
 * words true and false), rounded to nearest for floats. @infinite: "inf" and "-inf"
 * are values too. FALSE with a diagnostic. */
gboolean tl_text_value     (TlText       *text,
                            TlToken       token,
                            TlElementType element,
                            gboolean      infinite,
                            TlScalar     *value);
