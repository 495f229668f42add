/* Near misses: why a nest that looks like an update is none, at the token it
 * hangs on, with the edit that would make it one where there is one. */
#include "passes/g1-private.h"

#include <string.h>

static const TlG1Loop *
loop_of (const TlG1 *g1, int role)
{
  for (guint i = 0; i < g1->n_loops; i++)
    if (g1->loops[i].role == role)
      return &g1->loops[i];
  return NULL;
}

/* A loop's index as a subscript that counts from 0: "i", "i - 1". */
static char *
subscript_text (const TlG1 *g1, int role)
{
  const TlG1Loop *loop = loop_of (g1, role);

  if (loop->low == 0)
    return g_strdup (loop->name);
  return g_strdup_printf ("%s %c %" G_GINT64_FORMAT, loop->name, loop->low > 0 ? '-' : '+', ABS (loop->low));
}

static char *
cell_text (const TlG1 *g1, const char *name, int first, int second)
{
  g_autofree char *a = subscript_text (g1, first);
  g_autofree char *b = subscript_text (g1, second);

  return g_strdup_printf ("%s[%s,%s]", name, a, b);
}

static gboolean
has_roles (const TlTerm *term, int first, int second)
{
  return term->kind == TL_TERM_READ && term->n_subs == 2 && term->subs[0].role == first && term->subs[1].role == second;
}

static void
explain_offset (TlG1 *g1, const TlTerm *term, guint at)
{
  const TlExpr *sub = term->expr->args[at];
  int           role = term->subs[at].role;

  if (role == TL_ROLE_CONSTANT)
    {
      TlDiag *diag = tl_g1_error (g1, "offset-subscript", sub->span, "the subscript is a fixed number");
      if (diag != NULL)
        tl_diag_reason (diag, "an update reads the cells [i,j], [i,k] and [k,j] and no others");
      return;
    }
  g_autofree char *right = subscript_text (g1, role);
  TlDiag          *diag
      = tl_g1_error (g1, "offset-subscript", sub->span, "the subscript is off by %" G_GINT64_FORMAT " from %s's range",
                     term->subs[at].offset, loop_of (g1, role)->name);
  if (diag == NULL)
    return;
  tl_diag_reason (diag,
                  "an update reads the cells [i,j], [i,k] and [k,j] and no others, and a subscript must stay inside "
                  "its extent");
  tl_diag_fix (diag, "take the offset out", sub->span, right);
}

/* Two iterations that read cells at different distances, as text: the first one and one in
 * which a single loop is a step on. (transfer full), NULL when there are none. */
static char *
differing_pair (const TlG1 *g1, const TlExpr *cell)
{
  const char *names[TL_G1_MAX_LOOPS] = { NULL };
  gint64      first[TL_G1_MAX_LOOPS], values[TL_G1_MAX_LOOPS], from[2], to[2];

  for (guint l = 0; l < g1->n_loops; l++)
    {
      names[l] = g1->loops[l].name;
      first[l] = MAX (g1->loops[l].low, 0) + 1;
    }
  if (!tl_affine_value (names, first, g1->n_loops, cell->args[0], &from[0])
      || !tl_affine_value (names, first, g1->n_loops, cell->args[1], &from[1]))
    return NULL;
  for (guint l = g1->n_loops; l-- > 0;)
    {
      memcpy (values, first, sizeof values);
      values[l]++;
      if (!tl_affine_value (names, values, g1->n_loops, cell->args[0], &to[0])
          || !tl_affine_value (names, values, g1->n_loops, cell->args[1], &to[1])
          || (to[0] - from[0] < 2 && to[1] - from[1] < 2 && to[0] >= from[0] && to[1] >= from[1]))
        continue;
      return g_strdup_printf ("%s = %d reads [%d,%d], and %s = %d, the other loops as before, [%d,%d]", names[l],
                              (int) first[l], (int) from[0], (int) from[1], names[l], (int) values[l], (int) to[0],
                              (int) to[1]);
    }
  return NULL;
}

/* A subscript that is no loop plus a number. */
static void
explain_form (TlG1 *g1, const TlTerm *term, const TlExpr *sub)
{
  TlAffine         form = tl_g1_affine (g1, sub);
  g_autofree char *pair = differing_pair (g1, term->expr);
  gboolean         affine = form.kind == TL_AFFINE_FORM;
  TlDiag          *diag = affine ? tl_g1_error (g1, "operand-subscripts", sub->span, "the subscript is no loop name")
                                 : tl_g1_error (g1, "not-affine", form.fault->span, "this subscript is not affine in the loops");
  if (diag != NULL)
    tl_diag_reason (diag, "clause (b): %s%s%s; an update reads the cells [i,j], [i,k] and [k,j] and no others",
                    tl_affine_fault (form.kind), pair != NULL ? ": " : "", pair != NULL ? pair : "");
}

/* A read that is no cell of an update. */
static void
explain_read (TlG1 *g1, const TlTerm *term, gboolean has_left, gboolean has_right)
{
  if (term->n_subs != 2)
    {
      tl_g1_error (g1, "operand-subscripts", term->span, "%s has %u subscripts where a matrix cell has two", term->name,
                   term->n_subs);
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      const TlExpr *sub = term->expr->args[i];
      if (term->subs[i].role == TL_ROLE_OTHER)
        {
          TlDiag *diag = tl_g1_error (g1, "not-affine", sub->span, "the subscript depends on data");
          if (diag != NULL)
            tl_diag_reason (diag, "clause (b): dependences must be affine in the loop indices, so that tiles can be "
                                  "ordered before the data is known; subscripts are loop names plus numbers");
          return;
        }
      if (term->subs[i].role == TL_ROLE_NONE)
        {
          explain_form (g1, term, sub);
          return;
        }
    }
  for (guint i = 0; i < 2; i++)
    if (term->subs[i].role == TL_ROLE_CONSTANT || term->subs[i].offset != 0)
      {
        explain_offset (g1, term, i);
        return;
      }
  g_autofree char *left = cell_text (g1, term->name, TL_LOOP_I, TL_LOOP_K);
  g_autofree char *right = cell_text (g1, term->name, TL_LOOP_K, TL_LOOP_J);
  g_autofree char *written = tl_g1_text (g1, term->expr->span);
  TlDiag          *diag
      = tl_g1_error (g1, "operand-subscripts", term->span, "%s is not a cell that this update may read", written);
  if (diag == NULL)
    return;
  tl_diag_reason (diag, "the cell [%s,%s] is updated from row %s and column %s: %s and %s",
                  loop_of (g1, TL_LOOP_I)->name, loop_of (g1, TL_LOOP_J)->name, loop_of (g1, TL_LOOP_I)->name,
                  loop_of (g1, TL_LOOP_J)->name, left, right);
  if (has_left != has_right)
    {
      g_autofree char *title = g_strdup_printf ("read %s", has_right ? left : right);
      tl_diag_fix (diag, title, term->expr->span, has_right ? left : right);
    }
}

static gboolean
explain_reads (TlG1 *g1, const TlTerm *value, const guint8 *marks)
{
  const TlTerm *wrong = NULL;
  gboolean      has_left = FALSE, has_right = FALSE;

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i] || term->kind != TL_TERM_READ || term == g1->old)
        continue;
      gboolean plain = term->n_subs == 2 && term->subs[0].offset == 0 && term->subs[1].offset == 0;
      if (plain && has_roles (term, TL_LOOP_I, TL_LOOP_K))
        has_left = TRUE;
      else if (plain && has_roles (term, TL_LOOP_K, TL_LOOP_J))
        has_right = TRUE;
      else if (wrong == NULL)
        wrong = term;
    }
  if (wrong != NULL)
    explain_read (g1, wrong, has_left, has_right);
  return wrong != NULL;
}

gboolean
tl_g1_explain_names (TlG1 *g1, const TlTerm *value)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i] || term->kind != TL_TERM_UNDEFINED)
        continue;
      if (tl_g1_assigns (g1->nest, term->name))
        {
          TlDiag *diag = tl_g1_error (g1, "stale-temporary", term->span,
                                      "%s is used before this iteration gives it a value", term->name);
          if (diag != NULL)
            tl_diag_reason (diag,
                            "it would hold what another iteration left in it, so iterations would not be the same "
                            "update; assign it first, in the innermost loop");
        }
      else
        {
          TlDiag *diag = tl_g1_error (g1, "unknown-temporary", term->span, "%s has no value", term->name);
          if (diag != NULL)
            tl_diag_reason (diag, "it is no loop, no data and no temporary of this nest");
        }
      return TRUE;
    }
  return FALSE;
}

static gboolean
explain_indices (TlG1 *g1, TlTerm *value, const guint8 *marks)
{
  gboolean any;

  if (tl_g1_indices_plain (g1, value, &any))
    return FALSE;
  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i] || term->kind != TL_TERM_INDEX)
        continue;
      TlDiag *diag = tl_g1_error (g1, "depends-on-index", term->span, "the value depends on where the cell is");
      if (diag != NULL)
        tl_diag_reason (diag, "an update treats all cells alike; loop names stand in subscripts, and conditions may "
                              "compare them with one another only where that changes nothing");
      return TRUE;
    }
  return FALSE;
}

/* The condition that a value still hangs on. */
static const TlTerm *
first_choice (TlG1 *g1, const TlTerm *value, const guint8 *marks)
{
  for (guint i = value->number + 1; i-- > 0;)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i] && term->kind == TL_TERM_SELECT)
        return term;
    }
  return NULL;
}

static gboolean
is_comparison (const TlTerm *term)
{
  return term->kind >= TL_TERM_LESS && term->kind <= TL_TERM_NOT_EQUAL;
}

static void
explain_choice (TlG1 *g1, const TlTerm *choice)
{
  const TlTerm *condition = choice->args[0];
  TlSpan        span = condition->span.end > 0 ? condition->span : choice->op_span;
  gboolean      keeps = choice->args[1] == g1->old || choice->args[2] == g1->old;
  const TlTerm *other = choice->args[1] == g1->old ? choice->args[2] : choice->args[1];
  TlDiag       *diag;

  if (keeps && is_comparison (condition) && (condition->args[0] == g1->old || condition->args[1] == g1->old))
    {
      diag = tl_g1_error (g1, "keeps-other", other->span.end > 0 ? other->span : span,
                          "what is kept is not what was compared");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "the condition compares one value with the cell and the cell gets another, so the update is "
                        "no minimum or maximum");
      return;
    }
  if (keeps && tl_term_holds (&g1->terms, condition, g1->old))
    {
      diag
          = tl_g1_error (g1, "not-accumulated", span, "the condition does not make the cell's value the better of two");
      if (diag != NULL)
        tl_diag_reason (diag, "the new value has to be the old one combined by one operation with what comes over k");
      return;
    }
  diag = tl_g1_error (g1, "guard-changes", span, "the condition leaves out updates that could change a cell");
  if (diag != NULL)
    tl_diag_reason (diag, "clause (c): control flow must not depend on data; a condition around an update is accepted "
                          "where the update changes nothing when it is false (an operand that is inf, i = k or j = k), "
                          "and that could not be shown here");
}

static void
explain_mixture (TlG1 *g1, const TlTerm *value, const guint8 *marks)
{
  const TlTerm *wrong = value;

  /* The place where the old value goes through a second operation. */
  for (guint i = value->number; i-- > 0;)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i] && term->n_args > 1 && term->kind != value->kind && tl_term_holds (&g1->terms, term, g1->old))
        {
          wrong = term;
          break;
        }
    }
  TlDiag *diag = tl_g1_error (g1, "mixed-semirings", wrong->op_span.end > 0 ? wrong->op_span : wrong->span,
                              "the old value of the cell goes through more than one operation");
  if (diag != NULL)
    tl_diag_reason (diag,
                    "in C (+) (L (x) R) one operation accumulates and one combines; here they are mixed, so there is "
                    "no semiring to run it over");
}

void
tl_g1_explain (TlG1 *g1, TlTerm *value, const TlTerm *left, const TlTerm *right)
{
  g_autofree guint8 *marks = NULL;
  const TlExpr      *target = g1->target;
  TlDiag            *diag = NULL;

  if (g1->failed)
    return;
  marks = tl_term_reach (&g1->terms, value);
  if (tl_g1_explain_names (g1, value) || explain_reads (g1, value, marks) || explain_indices (g1, value, marks))
    return;
  if (value == g1->old)
    diag = tl_g1_error (g1, "no-update", target->span, "the nest leaves %s[...] as it is", target->text);
  else if (left == NULL || right == NULL)
    {
      g_autofree char *cell = left == NULL ? cell_text (g1, target->text, TL_LOOP_I, TL_LOOP_K)
                                           : cell_text (g1, target->text, TL_LOOP_K, TL_LOOP_J);
      diag = tl_g1_error (g1, "operand-missing", value->span.end > 0 ? value->span : target->span,
                          "the update does not use %s", cell);
      if (diag != NULL)
        tl_diag_reason (diag, "an update combines a cell of row i with a cell of column j, both at k");
      return;
    }
  else if (!marks[g1->old->number])
    {
      diag = tl_g1_error (g1, "not-accumulated", target->span, "the old value of %s[...] is lost", target->text);
      if (diag != NULL)
        tl_diag_reason (diag,
                        "every k would overwrite what earlier ones found; write the old cell into the new value, as "
                        "in min(%s[i,j], ...)",
                        target->text);
      return;
    }
  if (diag != NULL)
    {
      tl_diag_reason (diag, "the new value equals the old one whatever the cells hold");
      return;
    }
  const TlTerm *choice = first_choice (g1, value, marks);
  if (choice != NULL)
    explain_choice (g1, choice);
  else
    explain_mixture (g1, value, marks);
}
