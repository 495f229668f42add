/* The names in an algorithm: what each one is, that it is declared before its use
 * and used after its declaration, and that arrays have their number of subscripts. */
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
static gboolean
may_be_lost (TlChecker *checker, const char *name)
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
  if (tl_report_full (&checker->reporter) || may_be_lost (checker, name))
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
      tl_report_reason (diag, "known here: %s", list);
    }
}

static void
add_keys (GPtrArray *list, GHashTable *table)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);
  for (GList *at = keys; at != NULL; at = at->next)
    g_ptr_array_add (list, at->data);
}

static GPtrArray *
known_arrays (const TlChecker *checker)
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

static void check_expr (TlChecker *checker, const TlExpr *expr);

static void
check_args (TlChecker *checker, const TlExpr *expr)
{
  for (guint i = 0; i < expr->n_args; i++)
    check_expr (checker, expr->args[i]);
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
      || (checker->in_result && strcmp (expr->text, "last") == 0))
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

static void
check_subscript (TlChecker *checker, const TlExpr *expr, gboolean is_target)
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
      g_autoptr (GPtrArray) known = known_arrays (checker);
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
static void
push_loop (TlChecker *checker, const TlLoopName *loop, gboolean implicit)
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

static void
pop_scope (TlChecker *checker, guint depth)
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
      push_loop (checker, &expr->loops[i], TRUE);
    }
  check_args (checker, expr);
  pop_scope (checker, depth);
}

static void
check_expr (TlChecker *checker, const TlExpr *expr)
{
  const char *not_a_value = NULL;

  switch (expr->kind)
    {
    case TL_EXPR_NAME:
      check_name (checker, expr);
      return;
    case TL_EXPR_SUBSCRIPT:
      check_subscript (checker, expr, FALSE);
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

/* --- Statements --- */

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
      push_loop (checker, &loop, TRUE);
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
      || (within->kind == TL_EXPR_CALL && strcmp (within->text, "adaptive") == 0 && within->n_args == 1))
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
    check_expr (checker, range->args[i]);
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
      push_loop (checker, &stmt->loops[i], stmt->loops[i].range == NULL);
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
      if (!may_be_lost (checker, name->text))
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
  check_subscript (checker, stmt->target, TRUE);
  check_expr (checker, stmt->value);
  if (stmt->within != NULL)
    check_within (checker, stmt->within);
  pop_scope (checker, depth);
}

static void
check_assign (TlChecker *checker, const TlStmt *stmt)
{
  const TlExpr *target = stmt->target;
  TlScopeName  *scope = NULL;

  if (target->kind == TL_EXPR_SUBSCRIPT)
    {
      check_expr (checker, stmt->value);
      check_subscript (checker, target, TRUE);
      return;
    }
  check_expr (checker, stmt->value);
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
      g_autoptr (GPtrArray) known = known_arrays (checker);
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
  check_expr (checker, value);
  checker->in_result = FALSE;
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
          push_loop (checker, &stmt->loops[0], FALSE);
          checker->reporter.muted = FALSE;
          check_stmts (checker, stmt->body, stmt->n_body, TRUE);
          pop_scope (checker, depth);
          break;
        case TL_STMT_IF:
          check_expr (checker, stmt->value);
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
                      "an array that only the algorithm names has no values to start from");
}
