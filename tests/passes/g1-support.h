/* What the suites of recognition share: from text to a recurrence, and comparing two. */
#pragma once

#include "passes/recurrence.h"
#include "support/diags.h"
#include "support/support.h"

/* Parses and recognises; @diags gets everything said. (transfer full), or NULL */
static inline TlRecurrence *
recognise_text (const char *text, const GArray *facts, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("test.gdsl", text, -1);
  g_autoptr (TlAst)    ast = tl_parse (source, diags);

  return tl_recognise (ast, facts, diags);
}

/* Equal in all but places and the algorithm's name. */
static inline gboolean
same_recurrence (const TlRecurrence *a, const TlRecurrence *b)
{
  return tl_semiring_equal (a->semiring, b->semiring) && tl_element_type_equal (a->element, b->element)
         && g_str_equal (a->output, b->output) && g_str_equal (a->left, b->left) && g_str_equal (a->right, b->right)
         && a->closure == b->closure && a->cycle_check == b->cycle_check && a->unproved == b->unproved;
}
