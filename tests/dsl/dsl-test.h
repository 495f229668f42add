/* What the suites of the language share: a text checked in one call, and fixes applied. */
#pragma once

#include "dsl/edit.h"
#include "dsl/print.h"
#include "support/diags.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  TlSource *source;
  TlAst    *ast;
  TlDiags  *diags;
} Checked;

static inline Checked
check_bytes (const char *text, gssize length)
{
  Checked checked = { tl_source_new ("test.gdsl", text, length), NULL, tl_diags_new () };

  checked.ast = tl_parse (checked.source, checked.diags);
  tl_check (checked.ast, checked.diags);
  tl_diags_sort (checked.diags);
  return checked;
}

static inline Checked
check_text (const char *text)
{
  return check_bytes (text, -1);
}

static inline void
checked_clear (Checked *checked)
{
  tl_ast_unref (checked->ast);
  tl_diags_unref (checked->diags);
  tl_source_unref (checked->source);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Checked, checked_clear)

static inline const TlDiag *
find_code (const TlDiags *diags, const char *code)
{
  for (guint i = 0; i < tl_diags_count (diags); i++)
    if (strcmp (tl_diags_get (diags, i)->code, code) == 0)
      return tl_diags_get (diags, i);
  return NULL;
}

/* The text after the @which-th fix of @diag. (transfer full) */
static inline char *
apply_fix (const Checked *checked, const TlDiag *diag, guint which)
{
  const TlFix *fix = g_ptr_array_index (diag->fixes, which);
  return tl_edit_apply (checked->source, fix->edits, NULL);
}

/* A program around one expression, which may speak of i, j, k, N, D, A and v. */
static inline char *
around_expression (const char *expression)
{
  return g_strdup_printf ("algorithm a\n  D[i,j] = min(D[i,j], %s)  for k, i, j\n"
                          "data D: i32 = graph(\"f.gr\")\ndata A: f32[N, N]\ndata v: f32[N]\n"
                          "op f(a, b) = a + b\n",
                          expression);
}

/* Shortest paths with @lines after them. */
static inline char *
after_program (const char *lines)
{
  return g_strdup_printf ("algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                          "data D: i32 = graph(\"f.gr\")\n%s\n",
                          lines);
}
