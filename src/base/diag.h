/* Diagnostics: what is wrong, where, why, and what to do about it. One list a
 * build; every reader, pass and check adds to it and goes on where it can. */
#pragma once

#include "base/source.h"

typedef enum
{
  TL_SEVERITY_NOTE,    /* worth knowing */
  TL_SEVERITY_WARNING, /* lints; the program is right */
  TL_SEVERITY_ERROR,   /* the program or an input is wrong */
} TlSeverity;

/* Replace the bytes of @span by @replacement. */
typedef struct
{
  TlSpan span;
  char  *replacement;
} TlEdit;

typedef struct
{
  char   *title; /* what the fix does, an imperative: "reorder the loops" */
  GArray *edits; /* of TlEdit, ascending, disjoint */
} TlFix;

typedef struct
{
  TlSeverity severity;
  char      *code;       /* stable word with hyphens: "unknown-name" */
  char      *file;       /* as the user gave it; "" when there is none */
  TlSpan     span;       /* in the source; {0,0} for places outside a program text */
  TlPosition from;       /* {0,0} when only the file is known */
  TlPosition to;         /* position just past the end */
  char      *message;    /* plain words, one sentence, no full stop */
  char      *reason;     /* why it is so, or NULL */
  GPtrArray *fixes;      /* of TlFix *; may be empty */
} TlDiag;

typedef struct _TlDiags TlDiags;

/* Why something cannot be, where there is no list: sets *@reason (transfer full, may be
 * NULL) and returns FALSE, for "return tl_refuse (...)". */
gboolean      tl_refuse        (char      **reason,
                                const char *format,
                                ...) G_GNUC_PRINTF (2, 3);

/* Returns: (transfer full) */
TlDiags      *tl_diags_new     (void);
TlDiags      *tl_diags_ref     (TlDiags *diags);
void          tl_diags_unref   (TlDiags *diags);

guint         tl_diags_count   (const TlDiags *diags);
guint         tl_diags_errors  (const TlDiags *diags);
const TlDiag *tl_diags_get     (const TlDiags *diags,
                                guint          index);
/* Sorts by file, place and severity, errors first at one place; stable. */
void          tl_diags_sort    (TlDiags *diags);
/* Appends a copy of one of another list. */
void          tl_diags_copy    (TlDiags       *diags,
                                const TlDiag  *from);
/* Appends copies of all of @from. */
void          tl_diags_append  (TlDiags       *diags,
                                const TlDiags *from);

/* Adds one at a span of a program text. @source may be NULL (then no place).
 * Returns: (transfer none), to hang a reason or fixes on before the next add. */
TlDiag       *tl_diags_add     (TlDiags    *diags,
                                TlSeverity  severity,
                                const char *code,
                                TlSource   *source,
                                TlSpan      span,
                                const char *format,
                                ...) G_GNUC_PRINTF (6, 7);
/* Adds one at a place of another file (graph, trace, XML); line and column may
 * be 0 when unknown. */
TlDiag       *tl_diags_add_at  (TlDiags    *diags,
                                TlSeverity  severity,
                                const char *code,
                                const char *file,
                                guint       line,
                                guint       column,
                                const char *format,
                                ...) G_GNUC_PRINTF (7, 8);
TlDiag       *tl_diag_reason   (TlDiag     *diag,
                                const char *format,
                                ...) G_GNUC_PRINTF (2, 3);
/* A fix of one edit; add more with tl_fix_edit. Returns: (transfer none) */
TlFix        *tl_diag_fix      (TlDiag     *diag,
                                const char *title,
                                TlSpan      span,
                                const char *replacement);
void          tl_fix_edit      (TlFix      *fix,
                                TlSpan      span,
                                const char *replacement);

const char   *tl_severity_name (TlSeverity severity); /* "note", "warning", "error" */

/* "file:line:column: error: message [code]" with the reason and fix titles on
 * lines of their own, ending in a newline. (transfer full) */
char         *tl_diag_to_text  (const TlDiag *diag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlDiags, tl_diags_unref)
