/* The loops around an update: which they are, which plays i, j and k, whether
 * each covers its whole extent, and whether k is outermost. */
#include "passes/g1-private.h"

#include <string.h>

char *
tl_g1_text (const TlG1 *g1, TlSpan span)
{
  return g_strndup (tl_source_text (g1->ast->source) + span.start, span.end - span.start);
}

/* --- Finding them --- */

typedef struct
{
  guint         depth;
  const TlExpr *target;
} Deepest;

static gboolean
collect (TlG1 *g1, TlStmt *const *stmts, guint n, guint depth, Deepest *deepest)
{
  gboolean looped = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const TlStmt *stmt = stmts[i];
      gboolean      known = looped || g1->n_loops > depth;

      if (stmt->kind == TL_STMT_FOR)
        {
          if (depth >= TL_G1_MAX_LOOPS)
            {
              tl_g1_error (g1, "loop-count", stmt->head_span, "the nest has more than %d loops", TL_G1_MAX_LOOPS);
              return FALSE;
            }
          if (!known)
            {
              const TlLoopName *loop = &stmt->loops[0];
              g1->loops[depth] = (TlG1Loop) { loop->name, loop->span, loop->range, (int) depth, 0 };
              g1->n_loops = depth + 1;
            }
          looped = TRUE;
          if (n > 1)
            g1->imperfect |= depth > 0;
          if (!collect (g1, stmt->body, stmt->n_body, depth + 1, deepest))
            return FALSE;
        }
      else if (stmt->kind == TL_STMT_IF)
        {
          if (!collect (g1, stmt->body, stmt->n_body, depth, deepest)
              || !collect (g1, stmt->otherwise, stmt->n_otherwise, depth, deepest))
            return FALSE;
        }
      else if (stmt->target != NULL && stmt->target->kind == TL_EXPR_SUBSCRIPT
               && (deepest->target == NULL || depth > deepest->depth))
        *deepest = (Deepest) { depth, stmt->target };
    }
  return TRUE;
}

/* A range's end as a name plus a number; FALSE when it is neither. */
static gboolean
size_of (const TlExpr *expr, const char **name, gint64 *number)
{
  const char *left_name, *right_name;
  gint64      left, right;

  if (tl_expr_integer (expr, number))
    {
      *name = NULL;
      return TRUE;
    }
  if (expr->kind == TL_EXPR_NAME)
    {
      *name = expr->text;
      *number = 0;
      return TRUE;
    }
  if (expr->kind != TL_EXPR_BINARY || (strcmp (expr->text, "+") != 0 && strcmp (expr->text, "-") != 0)
      || !size_of (expr->args[0], &left_name, &left) || !size_of (expr->args[1], &right_name, &right))
    return FALSE;
  gboolean minus = expr->text[0] == '-';
  if ((left_name != NULL && right_name != NULL) || (minus && right_name != NULL))
    return FALSE;
  *name = left_name ? left_name : right_name;
  return minus ? !__builtin_sub_overflow (left, right, number) : !__builtin_add_overflow (left, right, number);
}

gboolean
tl_g1_find_nest (TlG1 *g1)
{
  const TlStmt *nest = g1->nest;

  if (nest->kind == TL_STMT_UPDATE)
    {
      if (nest->n_loops > TL_G1_MAX_LOOPS)
        {
          tl_g1_error (g1, "loop-count", nest->span, "the update has more than %d loops", TL_G1_MAX_LOOPS);
          return FALSE;
        }
      for (guint i = 0; i < nest->n_loops; i++)
        g1->loops[i] = (TlG1Loop) { nest->loops[i].name, nest->loops[i].span, nest->loops[i].range, (int) i, 0 };
      g1->n_loops = nest->n_loops;
      g1->target = nest->target;
    }
  else
    {
      Deepest deepest = { 0, NULL };
      if (!collect (g1, (TlStmt *const *) &nest, 1, 0, &deepest))
        return FALSE;
      g1->target = deepest.target;
    }
  for (guint i = 0; i < g1->n_loops; i++)
    {
      gint64 low = 0;
      if (g1->loops[i].range != NULL && g1->loops[i].range->kind == TL_EXPR_RANGE
          && tl_expr_integer (g1->loops[i].range->args[0], &low) && ABS (low) < G_MAXINT32)
        g1->loops[i].low = low;
    }
  return g1->target != NULL && g1->target->kind == TL_EXPR_SUBSCRIPT;
}

/* --- Subscripts --- */

static gboolean
refers_to_data (const TlExpr *expr)
{
  if (expr->kind == TL_EXPR_SUBSCRIPT || expr->kind == TL_EXPR_CALL)
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (refers_to_data (expr->args[i]))
      return TRUE;
  return FALSE;
}

static int
loop_position (const TlG1 *g1, const char *name)
{
  for (guint i = 0; i < g1->n_loops; i++)
    if (strcmp (g1->loops[i].name, name) == 0)
      return (int) i;
  return -1;
}

TlAffine
tl_g1_affine (const TlG1 *g1, const TlExpr *expr)
{
  const char *names[TL_AFFINE_MAX_LOOPS] = { NULL };

  for (guint l = 0; l < g1->n_loops; l++)
    names[l] = g1->loops[l].name;
  return tl_affine_of (names, g1->n_loops, expr);
}

static TlSubscript
written_subscript (const TlG1 *g1, const TlExpr *expr)
{
  TlSubscript sub = { TL_ROLE_CONSTANT, 0 };
  TlAffine    form;
  int         loop;

  if (refers_to_data (expr))
    return (TlSubscript) { TL_ROLE_OTHER, 0 };
  form = tl_g1_affine (g1, expr);
  if (!tl_affine_is_loop (&form, &loop, &sub.offset))
    return (TlSubscript) { TL_ROLE_NONE, 0 };
  if (loop >= 0)
    sub.role = g1->loops[loop].role;
  return sub;
}

TlSubscript
tl_g1_subscript (const TlG1 *g1, const TlExpr *expr)
{
  TlSubscript sub = written_subscript (g1, expr);

  for (guint i = 0; i < g1->n_loops; i++)
    if (sub.role >= 0 && g1->loops[i].role == sub.role
        && __builtin_add_overflow (sub.offset, g1->loops[i].low, &sub.offset))
      return (TlSubscript) { TL_ROLE_NONE, 0 };
  return sub;
}

/* --- Roles --- */

gboolean
tl_g1_assign_roles (TlG1 *g1)
{
  const TlExpr *target = g1->target;

  if (g1->n_loops != 3)
    {
      tl_g1_error (g1, "loop-count", g1->nest->kind == TL_STMT_FOR ? g1->nest->head_span : g1->nest->span,
                   "an update of this kind has three loops, this one has %u", g1->n_loops);
      return FALSE;
    }
  if (target->n_args != 2)
    {
      tl_g1_error (g1, "output-subscript", target->span, "%s has %u subscripts where a matrix cell has two",
                   target->text, target->n_args);
      return FALSE;
    }
  int position[2];
  for (guint a = 0; a < 2; a++)
    {
      TlSubscript sub = written_subscript (g1, target->args[a]);
      if (sub.role < 0)
        {
          TlDiag *diag = tl_g1_error (g1, "output-subscript", target->args[a]->span,
                                      "the subscript of the cell that is written is not a loop name");
          if (diag != NULL)
            tl_diag_reason (diag, "an update writes every cell [i,j] of its matrix, i and j being loops");
          return FALSE;
        }
      position[a] = sub.role;
    }
  if (position[0] == position[1])
    {
      tl_g1_error (g1, "output-subscript", target->span, "the update writes the diagonal only, both subscripts are %s",
                   g1->loops[position[0]].name);
      return FALSE;
    }
  for (guint i = 0; i < 3; i++)
    g1->loops[i].role = (int) i == position[0] ? TL_LOOP_I : (int) i == position[1] ? TL_LOOP_J : TL_LOOP_K;
  return TRUE;
}

/* --- Bounds --- */

static guint64
declared_extent (const TlG1 *g1)
{
  const TlDataFacts *facts = tl_g1_facts (g1, g1->target->text);
  gint64             extent;

  if (facts != NULL && facts->rows > 0)
    return facts->rows;
  if (g1->data != NULL && g1->data->n_shape > 0 && tl_expr_integer (g1->data->shape[0], &extent) && extent > 0)
    return (guint64) extent;
  return 0;
}

/* A range that covers all, in the spelling of @loop's: shifted where the
 * subscripts of the output are. */
static char *
full_range (const TlG1 *g1, const TlG1Loop *loop, const char *name, guint64 extent)
{
  g_autofree char *end = name != NULL ? g_strdup (name)
                         : extent > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, extent)
                                      : g_strdup ("N");
  gint64           shift = 0;

  for (guint a = 0; a < g1->target->n_args; a++)
    {
      TlSubscript sub = written_subscript (g1, g1->target->args[a]);
      if (sub.role == loop->role)
        shift = -sub.offset;
    }
  if (loop->role == TL_LOOP_K)
    shift = 0;
  if (shift == 0)
    return g_strdup_printf ("0..%s", end);
  return g_strdup_printf ("%" G_GINT64_FORMAT "..%s%s%" G_GINT64_FORMAT, shift, end, shift < 0 ? " - " : "+",
                          ABS (shift));
}

static gboolean
check_one (TlG1 *g1, const TlG1Loop *loop, guint64 extent)
{
  const TlExpr *range = loop->range;
  const char   *name = NULL;
  gint64        low, high;

  if (range == NULL)
    return TRUE;
  if (range->kind != TL_EXPR_RANGE)
    {
      tl_g1_error (g1, "loop-bound", range->span, "the range of %s is not written as LOW..END", loop->name);
      return FALSE;
    }
  if (!tl_expr_integer (range->args[0], &low) || !size_of (range->args[1], &name, &high)
      || (name != NULL && loop_position (g1, name) >= 0))
    {
      TlDiag *diag = tl_g1_error (g1, "loop-bound", range->span, "%s does not run over the whole extent", loop->name);
      if (diag != NULL)
        {
          g_autofree char *all = full_range (g1, loop, NULL, extent);
          tl_diag_reason (diag, "a bound that is not a fixed number or a size makes the loop visit a part of the "
                                "matrix; every cell has to meet every k");
          tl_diag_fix (diag, "let the loop run over the whole extent", range->span, all);
        }
      return FALSE;
    }
  high += range->integer == 1;
  gint64 missing = name != NULL ? low - high : extent > 0 ? (gint64) extent - (high - low) : 0;
  if (missing == 0)
    return TRUE;
  g_autofree char *all = full_range (g1, loop, name, extent);
  TlDiag          *diag = tl_g1_error (g1, "loop-bound", range->span,
                              missing > 0 ? "%s leaves out %" G_GINT64_FORMAT " of its extent"
                                                   : "%s runs %" G_GINT64_FORMAT " past its extent",
                                       loop->name, ABS (missing));
  if (diag != NULL)
    {
      tl_diag_reason (diag, missing > 0 ? "every cell has to meet every k, so all three loops cover the whole extent"
                                        : "a subscript must stay inside its extent");
      tl_diag_fix (diag, "let the loop run over the whole extent", range->span, all);
    }
  return FALSE;
}

gboolean
tl_g1_check_bounds (TlG1 *g1)
{
  guint64 extent = declared_extent (g1);

  for (guint i = 0; i < g1->n_loops; i++)
    if (!check_one (g1, &g1->loops[i], extent))
      return FALSE;
  return TRUE;
}

/* --- Order --- */

/* The text that says a loop: its name and its range. */
static TlSpan
loop_span (const TlG1Loop *loop)
{
  return loop->range != NULL ? tl_span_join (loop->span, loop->range->span) : loop->span;
}

gboolean
tl_g1_check_order (TlG1 *g1, gboolean closure)
{
  guint k = 0;

  while (k < 3 && g1->loops[k].role != TL_LOOP_K)
    k++;
  if (!closure || k == 0)
    return TRUE;
  TlDiag *diag = tl_g1_error (g1, "loop-order", g1->loops[k].span, "%s must be the outermost loop", g1->loops[k].name);
  if (diag == NULL)
    return FALSE;
  tl_diag_reason (diag,
                  "the update reads %s[%s,%s] and %s[%s,%s], which must hold all paths over earlier %s before any "
                  "cell uses them",
                  g1->target->text, g1->loops[k == 1 ? 0 : 0].name, g1->loops[k].name, g1->target->text,
                  g1->loops[k].name, g1->loops[k == 2 ? 1 : 2].name, g1->loops[k].name);
  if (g1->imperfect)
    return FALSE;
  /* k's words go first, those before it move one place on. */
  TlFix *fix = NULL;
  for (guint at = 0; at <= k; at++)
    {
      g_autofree char *words = tl_g1_text (g1, loop_span (&g1->loops[at == 0 ? k : at - 1]));
      if (fix == NULL)
        fix = tl_diag_fix (diag, "reorder the loops", loop_span (&g1->loops[at]), words);
      else
        tl_fix_edit (fix, loop_span (&g1->loops[at]), words);
    }
  return FALSE;
}
