/* The names in expressions: what each one is, and that arrays have their number of
 * subscripts. check-stmt.c declares them, statement by statement. */
#include "dsl/check-private.h"
#include "dsl/lexer.h"

#include <string.h>

/* Words of config that a recurrence may speak of. */
static const char *const knob_names[] = { "band", "gap", "gap.open", "gap.extend", "open", "extend", NULL };

TlArrayName *
tl_check_array (const TlChecker *checker, const char *name)
{
  return g_hash_table_lookup (checker->arrays, name);
}

TlArrayName *
tl_check_add_array (TlChecker *checker, const char *name)
{
  TlArrayName *array = g_new0 (TlArrayName, 1);

  array->name = name;
  g_hash_table_insert (checker->arrays, (gpointer) name, array);
  g_ptr_array_add (checker->array_order, array);
  return array;
}

TlScopeName *
tl_check_scope_find (const TlChecker *checker, const char *name)
{
  for (guint i = checker->scope->len; i-- > 0;)
    if (strcmp (g_array_index (checker->scope, TlScopeName, i).name, name) == 0)
      return &g_array_index (checker->scope, TlScopeName, i);
  return g_hash_table_lookup (checker->temporaries, name);
}

const TlOpDecl *
tl_check_op (const TlChecker *checker, const char *name)
{
  return g_hash_table_lookup (checker->ops, name);
}

/* --- Unknown names --- */

static void
add_words (GHashTable *words, const char *at, const char *end, gboolean first_only)
{
  while (at < end)
    {
      const char *start = at;
      while (at < end && (g_ascii_isalnum (*at) || *at == '_' || (guchar) *at >= 0x80))
        at++;
      if (at > start)
        {
          g_hash_table_add (words, g_strndup (start, at - start));
          if (first_only)
            return;
        }
      else
        at++;
    }
}

/* Whether a line that could not be read may have declared @name: a line that starts
 * with it, or a data or for line that holds it. */
gboolean
tl_check_may_be_lost (TlChecker *checker, const char *name)
{
  if (!checker->ast->damaged)
    return FALSE;
  if (checker->ast->lost_data)
    return TRUE;
  if (checker->lost == NULL)
    {
      const char *text = tl_source_text (checker->ast->source), *end = text + tl_source_length (checker->ast->source);
      checker->lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (const char *line = text; line < end;)
        {
          const char *next = line;
          while (next < end && *next != '\n' && *next != '\r')
            next++;
          while (line < next && (*line == ' ' || *line == '\t'))
            line++;
          gboolean declares = next - line > 5 && (memcmp (line, "data ", 5) == 0 || memcmp (line, "for ", 4) == 0);
          add_words (checker->lost, line, next, !declares);
          line = next + 1;
        }
    }
  return g_hash_table_contains (checker->lost, name);
}

void
tl_check_unknown (TlChecker *checker, const char *what, const char *name, TlSpan span, GPtrArray *known)
{
  if (tl_report_full (&checker->reporter) || tl_check_may_be_lost (checker, name))
    return;
  const char *meant = tl_word_nearest (name, (const char *const *) known->pdata, known->len);
  if (meant == NULL && !g_hash_table_add (checker->unknown, (gpointer) name))
    return;
  TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-name", span, "there is no %s called `%s`",
                            what, name);
  if (meant != NULL)
    {
      tl_report_reason (diag, "did you mean %s?", meant);
      tl_report_fix (diag, span, meant, "write %s", meant);
    }
  else if (known->len > 0 && known->len <= 8)
    {
      g_ptr_array_add (known, NULL);
      g_autofree char *list = tl_word_list ((const char *const *) known->pdata);
      tl_report_reason (diag, "known here: %s; write one of these, or declare it", list);
    }
}

static void
add_keys (GPtrArray *list, GHashTable *table)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);
  for (GList *at = keys; at != NULL; at = at->next)
    g_ptr_array_add (list, at->data);
}

GPtrArray *
tl_check_known_arrays (const TlChecker *checker)
{
  GPtrArray *known = g_ptr_array_new ();

  for (guint i = 0; i < checker->array_order->len; i++)
    g_ptr_array_add (known, (gpointer) ((TlArrayName *) g_ptr_array_index (checker->array_order, i))->name);
  return known;
}

static GPtrArray *
known_values (const TlChecker *checker)
{
  GPtrArray *known = g_ptr_array_new ();

  for (guint i = checker->scope->len; i-- > 0;)
    g_ptr_array_add (known, (gpointer) g_array_index (checker->scope, TlScopeName, i).name);
  add_keys (known, checker->temporaries);
  add_keys (known, checker->sizes);
  for (guint i = 0; knob_names[i] != NULL; i++)
    if (strchr (knob_names[i], '.') == NULL && strcmp (knob_names[i], "open") != 0
        && strcmp (knob_names[i], "extend") != 0)
      g_ptr_array_add (known, (gpointer) knob_names[i]);
  if (checker->in_result)
    g_ptr_array_add (known, (gpointer) "last");
  return known;
}

/* --- Collecting --- */

static void
collect_sizes (TlChecker *checker, const TlExpr *expr)
{
  if (expr == NULL)
    return;
  if (expr->kind == TL_EXPR_NAME && tl_check_scope_find (checker, expr->text) == NULL)
    g_hash_table_add (checker->sizes, (gpointer) expr->text);
  for (guint i = 0; i < expr->n_args; i++)
    collect_sizes (checker, expr->args[i]);
}

static void
collect_stmts (TlChecker *checker, TlStmt *const *stmts, guint n_stmts)
{
  for (guint i = 0; i < n_stmts; i++)
    {
      const TlStmt *stmt = stmts[i];
      guint         depth = checker->scope->len;
      if (stmt->target != NULL && stmt->target->kind == TL_EXPR_SUBSCRIPT)
        {
          TlArrayName *array = tl_check_array (checker, stmt->target->text);
          if (array == NULL)
            array = tl_check_add_array (checker, stmt->target->text);
          array->written = TRUE;
        }
      for (guint k = 0; k < stmt->n_loops; k++)
        {
          TlScopeName loop = { .name = stmt->loops[k].name };
          collect_sizes (checker, stmt->loops[k].range);
          g_array_append_val (checker->scope, loop);
        }
      collect_stmts (checker, stmt->body, stmt->n_body);
      collect_stmts (checker, stmt->otherwise, stmt->n_otherwise);
      g_array_set_size (checker->scope, depth);
    }
}

void
tl_check_collect (TlChecker *checker)
{
  const TlAst *ast = checker->ast;

  for (guint i = 0; i < ast->n_data; i++)
    for (guint k = 0; k < ast->data[i]->n_shape; k++)
      collect_sizes (checker, ast->data[i]->shape[k]);
  for (guint i = 0; i < ast->n_algorithms; i++)
    collect_stmts (checker, ast->algorithms[i]->body, ast->algorithms[i]->n_body);
}

/* --- Expressions --- */

static void
check_args (TlChecker *checker, const TlExpr *expr)
{
  for (guint i = 0; i < expr->n_args; i++)
    tl_check_expr (checker, expr->args[i]);
}

static void
report_rank (TlChecker *checker, const TlArrayName *array, TlSpan span, guint given)
{
  TlPosition from = tl_source_position (checker->ast->source, array->rank_span.start);
  TlDiag    *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "subscript-count", span,
                               "%s has %u dimension%s, here %s %u subscript%s", array->name, array->rank_max,
                            array->rank_max == 1 ? "" : "s", given == 1 ? "is" : "are", given, given == 1 ? "" : "s");
  tl_report_reason (diag, array->data != NULL ? "it is declared on line %u" : "so it was used first on line %u",
                    from.line);
}

static void
check_name (TlChecker *checker, const TlExpr *expr)
{
  TlScopeName *scope = tl_check_scope_find (checker, expr->text);
  TlArrayName *array = NULL;

  if (scope != NULL)
    {
      scope->used = TRUE;
      return;
    }
  array = tl_check_array (checker, expr->text);
  if (array != NULL)
    {
      array->used = TRUE;
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "subscript-count", expr->span,
                                "%s is an array; here it has no subscripts", expr->text);
      tl_report_reason (diag, "a recurrence speaks of elements: %s[..]", expr->text);
      return;
    }
  if (g_hash_table_contains (checker->sizes, expr->text) || g_strv_contains (knob_names, expr->text)
      || (checker->in_result && strcmp (expr->text, "last") == 0) || tl_check_is_carried (checker, expr->text))
    return;
  g_autoptr (GPtrArray) known = known_values (checker);
  if (tl_check_op (checker, expr->text) != NULL)
    {
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "operand-count", expr->span,
                                   "the operator %s stands without its operands", expr->text),
                        "write %s(a, b)", expr->text);
      return;
    }
  tl_check_unknown (checker, "name", expr->text, expr->span, known);
}

void
tl_check_subscript (TlChecker *checker, const TlExpr *expr, gboolean is_target)
{
  TlArrayName *array = tl_check_array (checker, expr->text);

  check_args (checker, expr);
  if (array == NULL)
    {
      TlScopeName *scope = tl_check_scope_find (checker, expr->text);
      if (scope != NULL)
        {
          scope->used = TRUE;
          tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-an-array", expr->op_span,
                                       "%s is a %s, not an array", expr->text,
                                       scope->kind == TL_SCOPE_LOOP ? "loop" : "temporary"),
                            "only arrays have subscripts");
          return;
        }
      g_autoptr (GPtrArray) known = tl_check_known_arrays (checker);
      tl_check_unknown (checker, "array", expr->text, expr->op_span, known);
      return;
    }
  if (!is_target)
    {
      array->used = TRUE;
      checker->reads_data |= array->data != NULL;
    }
  if (array->rank == 0)
    {
      array->rank = array->rank_max = expr->n_args;
      array->rank_span = expr->span;
    }
  else if (expr->n_args < array->rank || expr->n_args > array->rank_max)
    {
      report_rank (checker, array, expr->span, expr->n_args);
      return;
    }
  tl_extents_use (checker->extents, array, expr, is_target);
}

/* min(a = b): a comparison was meant. */
static void
check_named (TlChecker *checker, const TlExpr *expr)
{
  const char *text = tl_source_text (checker->ast->source);
  guint32     at = expr->op_span.end;

  while (at < expr->args[0]->span.start && text[at] != '=')
    at++;
  TlSpan  span = tl_span (at, MIN (at + 1, expr->span.end));
  TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "assignment-in-condition", span,
                            "`=` gives a value; `==` compares");
  tl_report_fix (diag, span, "==", "write ==");
  check_args (checker, expr);
}

static gboolean
holds_written (const TlChecker *checker, const TlExpr *expr)
{
  const TlArrayName *array = expr->kind == TL_EXPR_SUBSCRIPT ? tl_check_array (checker, expr->text) : NULL;

  if (array != NULL && array->written)
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (holds_written (checker, expr->args[i]))
      return TRUE;
  return FALSE;
}

static void
check_call (TlChecker *checker, const TlExpr *expr)
{
  gboolean is_min_max = strcmp (expr->text, "min") == 0 || strcmp (expr->text, "max") == 0;
  gboolean is_score = strcmp (expr->text, "score") == 0;
  gboolean is_op = tl_check_op (checker, expr->text) != NULL;

  check_args (checker, expr);
  if (is_op)
    g_hash_table_add (checker->used_ops, (gpointer) expr->text);
  if (is_min_max && expr->n_args < 2 && (expr->n_args == 0 || expr->args[0]->kind != TL_EXPR_NAMED))
    tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "operand-count", expr->span,
                                 "%s takes two values or more", expr->text),
                      "over the values of a loop it is %s over p (...)", expr->text);
  else if ((is_score || is_op) && expr->n_args != 2)
    tl_report (&checker->reporter, TL_SEVERITY_ERROR, "operand-count", expr->span, "%s takes two values, here %s %u",
               expr->text, expr->n_args == 1 ? "is" : "are", expr->n_args);
  if (is_min_max || is_score || is_op)
    return;

  TlArrayName *array = tl_check_array (checker, expr->text);
  if (array != NULL)
    {
      array->used = TRUE;
      const char *text = tl_source_text (checker->ast->source);
      guint32     open = expr->op_span.end;
      while (open < expr->span.end && text[open] != '(')
        open++;
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "wrong-bracket", expr->span,
                                "%s is an array: its subscripts stand in square brackets", expr->text);
      if (text[expr->span.end - 1] == ')' && open < expr->span.end - 1)
        tl_report_fix_2 (diag, tl_span (open, open + 1), "[", tl_span (expr->span.end - 1, expr->span.end), "]",
                         "use square brackets");
      return;
    }
  /* Cells that are rounded are refused for what that does, clause (a), not for the name. */
  if (tl_function_rounds (expr->text) && holds_written (checker, expr))
    return;
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  g_ptr_array_add (known, (gpointer) "min");
  g_ptr_array_add (known, (gpointer) "max");
  g_ptr_array_add (known, (gpointer) "score");
  for (guint i = 0; i < checker->ast->n_ops; i++)
    g_ptr_array_add (known, (gpointer) checker->ast->ops[i]->name);
  const char *meant = tl_word_nearest (expr->text, (const char *const *) known->pdata, known->len);
  TlDiag     *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-function", expr->op_span,
                                "there is no function `%s`", expr->text);
  if (meant != NULL)
    tl_report_fix (diag, expr->op_span, meant, "write %s", meant);
  else
    tl_report_reason (diag, "a recurrence has min, max, score and what op declares");
}

/* A loop's name: not another loop's, nor an array's. */
void
tl_check_push_loop (TlChecker *checker, const TlLoopName *loop, gboolean implicit)
{
  TlScopeName entry
      = { .name = loop->name, .kind = TL_SCOPE_LOOP, .span = loop->span, .range = loop->range, .implicit = implicit };

  if (tl_check_scope_find (checker, loop->name) != NULL)
    {
      TlPosition first
          = tl_source_position (checker->ast->source, tl_check_scope_find (checker, loop->name)->span.start);
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-loop", loop->span,
                                   "%s already has a meaning here", loop->name),
                        "the first is at %u:%u; loops around one statement have different names", first.line,
                        first.column);
      entry.used = TRUE;
    }
  entry.extent = tl_extents_loop (checker->extents, &entry);
  g_array_append_val (checker->scope, entry);
}

void
tl_check_pop_scope (TlChecker *checker, guint depth)
{
  for (guint i = depth; i < checker->scope->len; i++)
    {
      const TlScopeName *entry = &g_array_index (checker->scope, TlScopeName, i);
      if (entry->kind == TL_SCOPE_LOOP && !entry->used)
        g_array_append_val (checker->unused_loops, *entry);
    }
  g_array_set_size (checker->scope, depth);
}

static void
check_reduce (TlChecker *checker, const TlExpr *expr)
{
  static const char *const known[] = { "max", "min", "sum", NULL };
  guint                    depth = checker->scope->len;

  if (tl_check_op (checker, expr->text) != NULL)
    g_hash_table_add (checker->used_ops, (gpointer) expr->text);
  else if (!g_strv_contains (known, expr->text))
    {
      const char *meant = tl_word_nearest (expr->text, known, 3);
      TlDiag     *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-function", expr->op_span,
                                    "`%s` cannot go over a loop", expr->text);
      tl_report_reason (diag, "max over p (...), min over p (...), sum over p (...), or an operator of op");
      if (meant != NULL)
        tl_report_fix (diag, expr->op_span, meant, "write %s", meant);
    }
  for (guint i = 0; i < expr->n_loops; i++)
    {
      if (tl_check_array (checker, expr->loops[i].name) != NULL)
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "shadowed-data", expr->loops[i].span,
                                     "the loop %s is called like an array", expr->loops[i].name),
                          "give the loop another name");
      tl_check_push_loop (checker, &expr->loops[i], TRUE);
    }
  check_args (checker, expr);
  tl_check_pop_scope (checker, depth);
}

void
tl_check_expr (TlChecker *checker, const TlExpr *expr)
{
  const char *not_a_value = NULL;

  switch (expr->kind)
    {
    case TL_EXPR_NAME:
      check_name (checker, expr);
      return;
    case TL_EXPR_SUBSCRIPT:
      tl_check_subscript (checker, expr, FALSE);
      return;
    case TL_EXPR_CALL:
      check_call (checker, expr);
      return;
    case TL_EXPR_NAMED:
      check_named (checker, expr);
      return;
    case TL_EXPR_REDUCE:
      check_reduce (checker, expr);
      return;
    case TL_EXPR_STRING:
      not_a_value = "a string";
      break;
    case TL_EXPR_PERCENT:
      not_a_value = "a percentage";
      break;
    case TL_EXPR_TUPLE:
      not_a_value = "a list in brackets";
      break;
    case TL_EXPR_LIST:
      not_a_value = "a list";
      break;
    default:
      check_args (checker, expr);
      return;
    }
  tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-a-value", expr->span,
                               "%s is no value of a recurrence", not_a_value),
                    "it computes with elements, numbers, loops and sizes");
}
