/* One iteration of a nest run symbolically, so that temporaries, conditions and
 * repeated writes end as the one new value of the output cell. */
#include "passes/g1-private.h"

#include <string.h>

#define MAX_STATEMENTS 1000

static TlSpan
token_of (const TlExpr *expr)
{
  return expr->op_span.end > 0 ? expr->op_span : expr->span;
}

gboolean
tl_g1_assigns (const TlStmt *stmt, const char *name)
{
  if (stmt->kind == TL_STMT_ASSIGN || stmt->kind == TL_STMT_UPDATE)
    return stmt->target != NULL && stmt->target->kind == TL_EXPR_NAME && strcmp (stmt->target->text, name) == 0;
  for (guint i = 0; i < stmt->n_body; i++)
    if (tl_g1_assigns (stmt->body[i], name))
      return TRUE;
  for (guint i = 0; i < stmt->n_otherwise; i++)
    if (tl_g1_assigns (stmt->otherwise[i], name))
      return TRUE;
  return FALSE;
}

static void run_block (TlG1 *g1, GHashTable *names, TlStmt *const *stmts, guint n);

static void
second_statement (TlG1 *g1, TlSpan span, const char *what)
{
  TlDiag *diag = tl_g1_error (g1, "second-statement", span, "%s beside the update in one nest", what);

  if (diag != NULL)
    tl_diag_reason (diag, "a nest that is recognised does one thing: it gives %s[...] its new value", g1->target->text);
}

/* Names that the loop changes have, at its start, the value of another iteration. */
static void
forget_assigned (TlG1 *g1, GHashTable *names, const TlStmt *loop)
{
  GHashTableIter iter;
  gpointer       name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (tl_g1_assigns (loop, name))
      g_hash_table_iter_replace (&iter, tl_g1_undefined (g1, name, loop->head_span));
}

static void
run_loop (TlG1 *g1, GHashTable *names, const TlStmt *stmt)
{
  const TlG1Loop *loop = g1->depth < g1->n_loops ? &g1->loops[g1->depth] : NULL;

  if (loop == NULL || loop->span.start != stmt->loops[0].span.start)
    {
      second_statement (g1, stmt->head_span, "a second loop");
      return;
    }
  forget_assigned (g1, names, stmt);
  g1->depth++;
  run_block (g1, names, stmt->body, stmt->n_body);
  g1->depth--;
  g1->loops_done++;
}

static void
run_assign (TlG1 *g1, GHashTable *names, const TlStmt *stmt)
{
  TlTerm *value = tl_g1_expression (g1, names, stmt->value);

  if (value == NULL)
    return;
  if (stmt->target->kind == TL_EXPR_NAME)
    {
      g_hash_table_insert (names, (gpointer) stmt->target->text, value);
      return;
    }
  if (g1->depth < g1->n_loops || stmt->target->kind != TL_EXPR_SUBSCRIPT)
    {
      if (!g1->lenient)
        second_statement (g1, stmt->span, "a statement");
      return;
    }
  gboolean same = strcmp (stmt->target->text, g1->target->text) == 0 && stmt->target->n_args == g1->target->n_args;
  for (guint i = 0; same && i < stmt->target->n_args; i++)
    {
      TlSubscript a = tl_g1_subscript (g1, stmt->target->args[i]);
      TlSubscript b = tl_g1_subscript (g1, g1->target->args[i]);
      same = a.role == b.role && a.offset == b.offset && a.role >= TL_ROLE_CONSTANT;
    }
  if (!same)
    {
      if (!g1->lenient)
        second_statement (g1, stmt->span, "a second cell is written");
      return;
    }
  g1->cell = value;
  g1->written = TRUE;
}

static GHashTable *
copy_names (GHashTable *names)
{
  GHashTable    *copy = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer       name, term;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &term))
    g_hash_table_insert (copy, name, term);
  return copy;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* After both branches each name is a choice between what they gave it. */
static void
join_names (TlG1 *g1, GHashTable *names, GHashTable *yes, GHashTable *no, TlTerm *condition, TlSpan span)
{
  GHashTableIter iter;
  gpointer       name;
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  g_hash_table_iter_init (&iter, yes);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (all, name);
  g_hash_table_iter_init (&iter, no);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (yes, name))
      g_ptr_array_add (all, name);
  g_hash_table_remove_all (names);
  /* Terms are numbered in the order of making: keep that free of hash order. */
  g_ptr_array_sort (all, compare_names);
  for (guint i = 0; i < all->len; i++)
    {
      TlTerm *a = g_hash_table_lookup (yes, all->pdata[i]);
      TlTerm *b = g_hash_table_lookup (no, all->pdata[i]);
      if (a == NULL)
        a = tl_g1_undefined (g1, all->pdata[i], span);
      if (b == NULL)
        b = tl_g1_undefined (g1, all->pdata[i], span);
      g_hash_table_insert (names, all->pdata[i], tl_term_select (&g1->terms, condition, a, b, span));
    }
}

static void
run_if (TlG1 *g1, GHashTable *names, const TlStmt *stmt)
{
  TlTerm *condition = tl_g1_condition (g1, names, stmt->value);

  if (condition == NULL)
    return;
  g_autoptr (GHashTable) yes = copy_names (names);
  g_autoptr (GHashTable) no = copy_names (names);
  TlTerm  *before = g1->cell;
  gboolean written = g1->written;
  TlSpan   token = token_of (stmt->value);

  run_block (g1, yes, stmt->body, stmt->n_body);
  TlTerm  *after_yes = g1->cell;
  gboolean written_yes = g1->written;
  g1->cell = before;
  g1->written = written;
  run_block (g1, no, stmt->otherwise, stmt->n_otherwise);
  if (g1->failed)
    return;
  g1->cell = tl_term_select (&g1->terms, condition, after_yes, g1->cell, token);
  g1->written |= written_yes;
  join_names (g1, names, yes, no, condition, token);
}

static void
run_block (TlG1 *g1, GHashTable *names, TlStmt *const *stmts, guint n)
{
  guint loops_before = g1->loops_done;

  for (guint i = 0; i < n && !g1->failed; i++)
    {
      const TlStmt *stmt = stmts[i];

      if (++g1->n_statements > MAX_STATEMENTS)
        {
          tl_g1_error (g1, "no-recurrence", stmt->span, "the nest is too large to be recognised");
          return;
        }
      if (g1->loops_done != loops_before && !g1->lenient)
        {
          second_statement (g1, stmt->kind == TL_STMT_FOR ? stmt->head_span : stmt->span,
                            stmt->kind == TL_STMT_FOR ? "a second loop" : "a statement");
          return;
        }
      switch (stmt->kind)
        {
        case TL_STMT_FOR:
          run_loop (g1, names, stmt);
          break;
        case TL_STMT_IF:
          run_if (g1, names, stmt);
          break;
        case TL_STMT_RESULT:
          second_statement (g1, stmt->span, "a result");
          break;
        default:
          if (stmt->n_loops > 0)
            second_statement (g1, stmt->span, "an update");
          else
            run_assign (g1, names, stmt);
        }
    }
}

TlTerm *
tl_g1_new_value (TlG1 *g1)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  TlTerm model = { .kind = TL_TERM_READ,
                   .name = g1->target->text,
                   .n_subs = g1->target->n_args,
                   .span = g1->target->span,
                   .op_span = g1->target->op_span,
                   .expr = g1->target };

  for (guint i = 0; i < MIN (g1->target->n_args, 2); i++)
    model.subs[i] = tl_g1_subscript (g1, g1->target->args[i]);
  g1->old = g1->cell = tl_term_leaf (&g1->terms, &model);
  if (g1->nest->kind == TL_STMT_UPDATE)
    {
      g1->depth = g1->n_loops;
      g1->cell = tl_g1_expression (g1, names, g1->nest->value);
      g1->written = TRUE;
    }
  else
    run_block (g1, names, (TlStmt *const *) &g1->nest, 1);
  if (!g1->failed && g1->terms.full)
    tl_g1_error (g1, "no-recurrence", g1->nest->span, "the update is too large to be recognised");
  return g1->failed ? NULL : g1->cell;
}
