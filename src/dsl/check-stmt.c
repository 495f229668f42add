/* The statements of an algorithm: the loops and temporaries that each declares, and
 * what may stand where. language.md, rulings 1, 4 and 5. */
#include "dsl/check-private.h"
#include "dsl/lexer.h"

#include <string.h>

static void
collect_renames (const TlExpr *expr, const char *name, TlFix *fix, const char *renamed)
{
  if (expr == NULL)
    return;
  if (expr->kind == TL_EXPR_NAME && strcmp (expr->text, name) == 0)
    tl_fix_edit (fix, expr->span, renamed);
  for (guint i = 0; i < expr->n_args; i++)
    collect_renames (expr->args[i], name, fix, renamed);
}

static void
collect_stmt_renames (const TlStmt *stmt, const char *name, TlFix *fix, const char *renamed)
{
  collect_renames (stmt->target, name, fix, renamed);
  collect_renames (stmt->value, name, fix, renamed);
  for (guint i = 0; i < stmt->n_body; i++)
    collect_stmt_renames (stmt->body[i], name, fix, renamed);
  for (guint i = 0; i < stmt->n_otherwise; i++)
    collect_stmt_renames (stmt->otherwise[i], name, fix, renamed);
}

static int
compare_edits (gconstpointer a, gconstpointer b)
{
  const TlEdit *first = a, *second = b;
  return first->span.start < second->span.start ? -1 : first->span.start > second->span.start;
}

/* A loop that hides an array: the fix gives it a free name throughout. */
static void
check_shadow (TlChecker *checker, const TlStmt *stmt, const TlLoopName *loop)
{
  const TlArrayName *array = tl_check_array (checker, loop->name);

  if (array == NULL)
    return;
  TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "shadowed-data", loop->span,
                            "the loop %s is called like %s", loop->name, array->data != NULL ? "data" : "an array");
  tl_report_reason (diag, "no loop may shadow a data name");
  if (diag == NULL)
    return;
  g_autofree char *renamed = g_utf8_strdown (loop->name, -1);
  if (strcmp (renamed, loop->name) == 0 || tl_check_array (checker, renamed) != NULL
      || tl_check_scope_find (checker, renamed) != NULL || !tl_is_name (renamed))
    {
      g_free (renamed);
      renamed = g_strconcat (loop->name, "_", NULL);
    }
  for (guint i = 0; i < stmt->n_loops; i++)
    if (strcmp (stmt->loops[i].name, renamed) == 0)
      {
        g_free (renamed);
        renamed = g_strconcat (loop->name, "_", NULL);
      }
  g_autofree char *title = g_strdup_printf ("call the loop %s", renamed);
  TlFix           *fix = tl_diag_fix (diag, title, loop->span, renamed);
  collect_stmt_renames (stmt, loop->name, fix, renamed);
  g_array_sort (fix->edits, compare_edits);
}

/* Names in subscripts that no loop declares, those of the target last: the order
 * that makes a closure's k outermost. */
static void
collect_free (TlChecker *checker, const TlExpr *expr, gboolean in_subscript, GPtrArray *names)
{
  if (expr == NULL || expr->kind == TL_EXPR_REDUCE)
    return;
  if (in_subscript && expr->kind == TL_EXPR_NAME && tl_check_array (checker, expr->text) == NULL
      && tl_check_scope_find (checker, expr->text) == NULL && !g_hash_table_contains (checker->sizes, expr->text))
    {
      for (guint i = 0; i < names->len; i++)
        if (strcmp (((const TlExpr *) g_ptr_array_index (names, i))->text, expr->text) == 0)
          return;
      /* More are not listed in any message. */
      if (names->len < 16)
        g_ptr_array_add (names, (gpointer) expr);
    }
  for (guint i = 0; i < expr->n_args; i++)
    collect_free (checker, expr->args[i], in_subscript || expr->kind == TL_EXPR_SUBSCRIPT, names);
}

static char *
missing_loops (TlChecker *checker, const TlStmt *stmt)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new (), of_target = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  collect_free (checker, stmt->target, FALSE, of_target);
  collect_free (checker, stmt->value, FALSE, all);
  for (guint i = 0; i < all->len + of_target->len; i++)
    {
      const TlExpr *name = g_ptr_array_index (i < all->len ? all : of_target, i < all->len ? i : i - all->len);
      gboolean      later = FALSE;
      for (guint k = 0; k < of_target->len && i < all->len; k++)
        later |= strcmp (name->text, ((const TlExpr *) g_ptr_array_index (of_target, k))->text) == 0;
      if (!later)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", name->text);
    }
  return g_string_free (text, FALSE);
}

static gboolean
has_constant_subscript (const TlChecker *checker, const TlExpr *target)
{
  for (guint i = 0; i < target->n_args; i++)
    {
      gint64 value = 0;
      if (tl_expr_integer (target->args[i], &value)
          || (target->args[i]->kind == TL_EXPR_NAME && g_hash_table_contains (checker->sizes, target->args[i]->text)))
        return TRUE;
    }
  return FALSE;
}

/* E[i,0] = i: the names among the subscripts are its loops. */
static void
push_boundary_loops (TlChecker *checker, const TlStmt *stmt)
{
  for (guint i = 0; i < stmt->target->n_args; i++)
    {
      const TlExpr *subscript = stmt->target->args[i];
      TlLoopName    loop = { subscript->text, subscript->span, NULL };
      if (subscript->kind != TL_EXPR_NAME || tl_check_array (checker, subscript->text) != NULL
          || tl_check_scope_find (checker, subscript->text) != NULL
          || g_hash_table_contains (checker->sizes, subscript->text))
        continue;
      tl_check_push_loop (checker, &loop, TRUE);
      g_array_index (checker->scope, TlScopeName, checker->scope->len - 1).start_unknown = TRUE;
    }
}

/* Marks what the statement's uses say about where its loops start: at 1 over letters,
 * not known where the recurrence looks back along the loop. */
static void
mark_starts (TlChecker *checker, const TlExpr *expr)
{
  if (expr == NULL)
    return;
  const TlArrayName *array = expr->kind == TL_EXPR_SUBSCRIPT ? tl_check_array (checker, expr->text) : NULL;
  for (guint i = 0; i < expr->n_args; i++)
    {
      const TlExpr *arg = expr->args[i];
      mark_starts (checker, arg);
      if (array == NULL)
        continue;
      TlScopeName *loop = arg->kind == TL_EXPR_NAME ? tl_check_scope_find (checker, arg->text) : NULL;
      if (arg->kind == TL_EXPR_BINARY && arg->args[0]->kind == TL_EXPR_NAME && array->one_based)
        loop = tl_check_scope_find (checker, arg->args[0]->text);
      if (loop != NULL && loop->implicit && array->one_based)
        loop->starts_at_one = TRUE;
      if (arg->kind == TL_EXPR_BINARY && arg->args[0]->kind == TL_EXPR_NAME && array->written)
        {
          loop = tl_check_scope_find (checker, arg->args[0]->text);
          if (loop != NULL && loop->implicit)
            loop->start_unknown = TRUE;
        }
    }
}

static void
check_within (TlChecker *checker, const TlExpr *within)
{
  gint64 cells = 0;

  if (tl_expr_integer (within, &cells) || within->kind == TL_EXPR_PERCENT
      || (within->kind == TL_EXPR_NAME && strcmp (within->text, "band") == 0)
      || (within->kind == TL_EXPR_CALL && strcmp (within->text, "adaptive") == 0 && within->n_args >= 1
          && within->n_args <= 2))
    return;
  TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-name", within->span,
                            "a recurrence runs within band, or within a number of cells");
  tl_report_reason (diag, "how wide the band is stands in config: band = 15%%");
  if (within->kind == TL_EXPR_NAME)
    tl_report_fix (diag, within->span, "band", "write band");
}

static void
check_range (TlChecker *checker, const TlExpr *range)
{
  gint64 low = 0, high = 0;

  for (guint i = 0; i < 2; i++)
    tl_check_expr (checker, range->args[i]);
  if (tl_expr_integer (range->args[0], &low) && tl_expr_integer (range->args[1], &high)
      && (range->integer ? low > high : low >= high))
    tl_report_reason (
        tl_report (&checker->reporter, TL_SEVERITY_ERROR, "empty-range", range->span, "this range is empty"),
        "0..N goes from 0 to N - 1");
}

/* A subscript that is no loop: mistyped, or left out after for. */
static void
report_free (TlChecker *checker, const TlStmt *stmt, const TlExpr *name)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autofree char *added = g_strconcat (name->text, ", ", NULL);
  TlSpan           first = tl_span (stmt->loops[0].span.start, stmt->loops[0].span.start);
  TlDiag          *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-name", name->span,
                                     "the subscript %s is no loop of this recurrence", name->text);

  for (guint i = 0; i < stmt->n_loops; i++)
    g_ptr_array_add (loops, (gpointer) stmt->loops[i].name);
  const char *meant = tl_word_nearest (name->text, (const char *const *) loops->pdata, loops->len);
  tl_report_reason (diag, "its loops are named after `for`");
  if (meant != NULL)
    tl_report_fix (diag, name->span, meant, "write %s", meant);
  tl_report_fix (diag, first, added, "add %s to the loops", name->text);
}

static void
check_update (TlChecker *checker, const TlStmt *stmt, gboolean in_nest)
{
  guint depth = checker->scope->len;

  if (stmt->target->kind != TL_EXPR_SUBSCRIPT)
    {
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-an-element", stmt->target->span,
                                "%s is no array element", stmt->target->text);
      tl_report_reason (diag, "a recurrence gives values to elements: D[i,j] = ...; temporaries stand inside a nest");
      return;
    }
  if (stmt->n_loops == 0 && !in_nest)
    {
      if (!has_constant_subscript (checker, stmt->target))
        {
          g_autofree char *loops = missing_loops (checker, stmt);
          TlDiag          *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "missing-loops", stmt->span,
                                             "this recurrence does not say its loops");
          tl_report_reason (diag, "a boundary has a constant subscript, E[i,0] = i; all else ends in `for ...`");
          if (loops[0] != '\0')
            {
              g_autofree char *tail = g_strconcat ("  for ", loops, NULL);
              tl_report_fix (diag, tl_span (stmt->span.end, stmt->span.end), tail, "add for %s", loops);
            }
          return;
        }
      push_boundary_loops (checker, stmt);
    }
  for (guint i = 0; i < stmt->n_loops; i++)
    {
      if (stmt->loops[i].range != NULL)
        check_range (checker, stmt->loops[i].range);
      check_shadow (checker, stmt, &stmt->loops[i]);
      tl_check_push_loop (checker, &stmt->loops[i], stmt->loops[i].range == NULL);
    }
  mark_starts (checker, stmt->target);
  mark_starts (checker, stmt->value);

  /* A loop that was left out is one mistake, however often its name stands there. */
  g_autoptr (GPtrArray) free_names = g_ptr_array_new ();
  if (stmt->n_loops > 0)
    {
      collect_free (checker, stmt->value, FALSE, free_names);
      collect_free (checker, stmt->target, FALSE, free_names);
    }
  for (guint i = 0; i < free_names->len; i++)
    {
      const TlExpr *name = g_ptr_array_index (free_names, i);
      if (!tl_check_may_be_lost (checker, name->text))
        report_free (checker, stmt, name);
      TlScopeName entry = { .name = name->text,
                            .kind = TL_SCOPE_LOOP,
                            .span = name->span,
                            .implicit = TRUE,
                            .start_unknown = TRUE,
                            .used = TRUE };
      entry.extent = tl_extents_loop (checker->extents, &entry);
      g_array_append_val (checker->scope, entry);
    }
  tl_check_subscript (checker, stmt->target, TRUE);
  tl_check_expr (checker, stmt->value);
  if (stmt->within != NULL)
    check_within (checker, stmt->within);
  tl_check_pop_scope (checker, depth);
}

static void
check_assign (TlChecker *checker, const TlStmt *stmt)
{
  const TlExpr *target = stmt->target;
  TlScopeName  *scope = NULL;

  if (target->kind == TL_EXPR_SUBSCRIPT)
    {
      tl_check_expr (checker, stmt->value);
      tl_check_subscript (checker, target, TRUE);
      return;
    }
  tl_check_expr (checker, stmt->value);
  scope = tl_check_scope_find (checker, target->text);
  if (scope != NULL && scope->kind == TL_SCOPE_LOOP)
    {
      tl_report (&checker->reporter, TL_SEVERITY_ERROR, "assigned-loop", target->span,
                 "the loop %s cannot be given a value", target->text);
      return;
    }
  if (tl_check_array (checker, target->text) != NULL)
    {
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "subscript-count", target->span,
                                   "%s is an array; here it has no subscripts", target->text),
                        "a statement gives a value to one element, or to a temporary of another name");
      return;
    }
  if (scope == NULL)
    {
      TlScopeName *entry = g_new0 (TlScopeName, 1);
      *entry = (TlScopeName) { .name = target->text, .kind = TL_SCOPE_TEMPORARY, .span = target->span };
      g_hash_table_insert (checker->temporaries, (gpointer) entry->name, entry);
    }
}

static void
check_result (TlChecker *checker, const TlStmt *stmt)
{
  const TlExpr *value = stmt->value;

  if (checker->n_results++ > 0)
    tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-result", stmt->span, "the result is said twice");
  if (value->kind == TL_EXPR_CALL && value->n_args == 1 && value->args[0]->kind == TL_EXPR_NAME
      && (strcmp (value->text, "max") == 0 || strcmp (value->text, "min") == 0 || strcmp (value->text, "last") == 0))
    {
      TlArrayName *array = tl_check_array (checker, value->args[0]->text);
      if (array != NULL)
        {
          array->used = TRUE;
          return;
        }
      g_autoptr (GPtrArray) known = tl_check_known_arrays (checker);
      tl_check_unknown (checker, "array", value->args[0]->text, value->args[0]->span, known);
      return;
    }
  if (value->kind != TL_EXPR_REDUCE)
    {
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-result", value->span,
                                   "this is no form of a result"),
                        "it is max H, min H, last E, or max over s (V[last, s])");
      return;
    }
  checker->in_result = TRUE;
  tl_check_expr (checker, value);
  checker->in_result = FALSE;
}

static gboolean
assigns (const TlStmt *stmt, const char *name)
{
  if (stmt->target != NULL && stmt->target->kind == TL_EXPR_NAME && strcmp (stmt->target->text, name) == 0)
    return TRUE;
  for (guint i = 0; i < stmt->n_body; i++)
    if (assigns (stmt->body[i], name))
      return TRUE;
  for (guint i = 0; i < stmt->n_otherwise; i++)
    if (assigns (stmt->otherwise[i], name))
      return TRUE;
  return FALSE;
}

gboolean
tl_check_is_carried (const TlChecker *checker, const char *name)
{
  return checker->nest != NULL && assigns (checker->nest, name);
}

static void
check_stmts (TlChecker *checker, TlStmt *const *stmts, guint n_stmts, gboolean in_nest)
{
  for (guint i = 0; i < n_stmts; i++)
    {
      const TlStmt *stmt = stmts[i];
      guint         depth = checker->scope->len;
      checker->reporter.muted = stmt->repaired;
      switch (stmt->kind)
        {
        case TL_STMT_UPDATE:
          check_update (checker, stmt, in_nest);
          break;
        case TL_STMT_FOR:
          check_range (checker, stmt->loops[0].range);
          check_shadow (checker, stmt, &stmt->loops[0]);
          tl_check_push_loop (checker, &stmt->loops[0], FALSE);
          checker->reporter.muted = FALSE;
          checker->nest = in_nest ? checker->nest : stmt;
          check_stmts (checker, stmt->body, stmt->n_body, TRUE);
          checker->nest = in_nest ? checker->nest : NULL;
          tl_check_pop_scope (checker, depth);
          break;
        case TL_STMT_IF:
          tl_check_expr (checker, stmt->value);
          checker->reporter.muted = FALSE;
          check_stmts (checker, stmt->body, stmt->n_body, TRUE);
          check_stmts (checker, stmt->otherwise, stmt->n_otherwise, TRUE);
          break;
        case TL_STMT_ASSIGN:
          check_assign (checker, stmt);
          break;
        case TL_STMT_RESULT:
          check_result (checker, stmt);
          break;
        }
      checker->reporter.muted = FALSE;
    }
}

void
tl_check_unused_loops (TlChecker *checker)
{
  for (guint i = 0; i < checker->unused_loops->len; i++)
    {
      const TlScopeName *loop = &g_array_index (checker->unused_loops, TlScopeName, i);
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_WARNING, "unused-loop", loop->span,
                                   "the loop %s is not used", loop->name),
                        "what it goes around is done over and over alike");
    }
}

void
tl_check_algorithm (TlChecker *checker, const TlAlgorithm *algorithm)
{
  g_array_set_size (checker->scope, 0);
  g_hash_table_remove_all (checker->temporaries);
  check_stmts (checker, algorithm->body, algorithm->n_body, FALSE);
  if (!checker->ast->damaged && checker->ast->n_data > 0 && !checker->reads_data && checker->reporter.mistakes == 0
      && algorithm->n_body > 0)
    tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "missing-data", algorithm->name_span,
                                 "the algorithm %s reads none of the program's data", algorithm->name),
                      "an array that only the algorithm names has no values to start from; give it a data line");
}
