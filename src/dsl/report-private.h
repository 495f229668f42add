/* Adding diagnostics of one text under a limit. Shared within src/dsl. */
#pragma once

#include "base/word.h"
#include "dsl/ast.h"

typedef struct
{
  TlSource *source;
  TlDiags  *diags;    /* may be NULL: nothing is reported */
  guint     mistakes; /* errors so far */
  guint     warnings;
  gboolean  muted;    /* what is wrong now is the echo of a mistake already reported */
} TlReporter;

/* Whether no further error would be listed. */
gboolean tl_report_full  (const TlReporter *reporter);

/* NULL when there is no list or it is full; the two below take that. */
TlDiag *tl_report        (TlReporter *reporter,
                          TlSeverity  severity,
                          const char *code,
                          TlSpan      span,
                          const char *format,
                          ...) G_GNUC_PRINTF (5, 6);
void    tl_report_reason (TlDiag     *diag,
                          const char *format,
                          ...) G_GNUC_PRINTF (2, 3);
void    tl_report_fix    (TlDiag     *diag,
                          TlSpan      span,
                          const char *replacement,
                          const char *title_format,
                          ...) G_GNUC_PRINTF (4, 5);
void    tl_report_fix_2  (TlDiag     *diag,
                          TlSpan      first,
                          const char *first_replacement,
                          TlSpan      second,
                          const char *second_replacement,
                          const char *title);
