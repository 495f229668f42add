/* Grids: plain loops run symbolically, so that temporaries and ifs end as one new value
 * for each table's cell. */
#include "passes/g1-grid-private.h"

#include <string.h>

#define MAX_STATEMENTS 200

typedef struct
{
  TlGridReader *reader;
  guint         n_statements;
  const TlExpr *targets[TL_GRID_MAX_TABLES];
  guint         n_targets;
} Run;

static gboolean
refuse (Run *run, TlSpan span, const char *what)
{
  TlDiag *diag = tl_g1_error (run->reader->g1, "second-statement", span, "%s beside the recurrence in one nest", what);

  if (diag != NULL)
    tl_diag_reason (diag,
                    "two loops around assignments and ifs are a recurrence over a grid; nothing else stands there");
  return FALSE;
}

/* The name under which a written cell's value is kept: no name of a program holds a bracket. */
static char *
key_of (const TlExpr *target)
{
  return g_strconcat ("[", target->text, NULL);
}

static int
target_number (const Run *run, const TlExpr *cell)
{
  for (guint t = 0; cell->kind == TL_EXPR_SUBSCRIPT && t < run->n_targets; t++)
    if (tl_grid_same (cell, run->targets[t]))
      return (int) t;
  return -1;
}

/* @expr with temporaries and cells already written replaced by what they hold. */
static const TlExpr *
value_of (Run *run, GHashTable *names, const TlExpr *expr)
{
  if (target_number (run, expr) >= 0)
    {
      g_autofree char *key = key_of (expr);
      const TlExpr    *held = g_hash_table_lookup (names, key);
      return held != NULL ? held : expr;
    }
  if (expr->kind == TL_EXPR_NAME)
    {
      const TlExpr *held = g_hash_table_lookup (names, expr->text);
      return held != NULL ? held : expr;
    }
  g_autofree const TlExpr **args = g_new (const TlExpr *, expr->n_args);
  for (guint i = 0; i < expr->n_args; i++)
    args[i] = value_of (run, names, expr->args[i]);
  return tl_grid_with_args (run->reader->grid, expr, args);
}

static GHashTable *
copy_of (GHashTable *names)
{
  GHashTable    *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer       name, value;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy, g_strdup (name), value);
  return copy;
}

/* After an if each name is a choice between what both branches gave it. */
static void
join (Run *run, GHashTable *names, GHashTable *yes, GHashTable *no, const TlExpr *condition, TlSpan span)
{
  g_autoptr (GList) keys = g_hash_table_get_keys (yes);
  GHashTableIter iter;
  gpointer       name;

  g_hash_table_iter_init (&iter, no);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (yes, name))
      keys = g_list_prepend (keys, name);
  for (GList *at = keys; at != NULL; at = at->next)
    {
      const char   *key = at->data;
      const TlExpr *values[2] = { g_hash_table_lookup (yes, key), g_hash_table_lookup (no, key) };

      for (guint side = 0; side < 2; side++)
        for (guint t = 0; t < run->n_targets && values[side] == NULL; t++)
          if (key[0] == '[' && strcmp (key + 1, run->targets[t]->text) == 0)
            values[side] = run->targets[t]; /* not written on this side: as before */
      if (values[0] == NULL || values[1] == NULL)
        g_hash_table_remove (names, key); /* a temporary that one side does not know ends here */
      else if (tl_grid_same (values[0], values[1]))
        g_hash_table_insert (names, g_strdup (key), (gpointer) values[0]);
      else
        {
          TlExpr *choice = tl_grid_make (run->reader->grid, TL_EXPR_CONDITION, NULL, span, 3);
          choice->args[0] = (TlExpr *) values[0];
          choice->args[1] = (TlExpr *) condition;
          choice->args[2] = (TlExpr *) values[1];
          choice->op_span = condition->span;
          choice->depth = MAX (values[0]->depth, values[1]->depth) + 1;
          g_hash_table_insert (names, g_strdup (key), choice);
        }
    }
}

static gboolean run_block (Run *run, GHashTable *names, TlStmt *const *stmts, guint n);

static gboolean
run_assign (Run *run, GHashTable *names, const TlStmt *stmt)
{
  const TlExpr *value = value_of (run, names, stmt->value);

  if (value->depth > TL_MAX_EXPR_DEPTH)
    {
      tl_g1_error (run->reader->g1, "no-recurrence", stmt->span, "the nest is too large to be recognised");
      return FALSE;
    }
  if (stmt->target->kind == TL_EXPR_NAME)
    {
      g_hash_table_insert (names, g_strdup (stmt->target->text), (gpointer) value);
      return TRUE;
    }
  if (target_number (run, stmt->target) < 0)
    {
      for (guint t = 0; t < run->n_targets; t++)
        if (strcmp (run->targets[t]->text, stmt->target->text) == 0)
          return refuse (run, stmt->span, "a second cell of one table");
      if (run->n_targets == TL_GRID_MAX_TABLES)
        return refuse (run, stmt->span, "a fifth table");
      run->targets[run->n_targets++] = stmt->target;
    }
  g_hash_table_insert (names, key_of (stmt->target), (gpointer) value);
  return TRUE;
}

static gboolean
run_block (Run *run, GHashTable *names, TlStmt *const *stmts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const TlStmt *stmt = stmts[i];

      if (++run->n_statements > MAX_STATEMENTS)
        return refuse (run, stmt->span, "more than 200 statements");
      if (stmt->kind == TL_STMT_IF)
        {
          const TlExpr *condition = value_of (run, names, stmt->value);
          g_autoptr (GHashTable) yes = copy_of (names), no = copy_of (names);

          if (!run_block (run, yes, stmt->body, stmt->n_body)
              || !run_block (run, no, stmt->otherwise, stmt->n_otherwise))
            return FALSE;
          join (run, names, yes, no, condition, stmt->head_span);
        }
      else if ((stmt->kind == TL_STMT_ASSIGN || stmt->kind == TL_STMT_UPDATE) && stmt->n_loops == 0)
        {
          if (!run_assign (run, names, stmt))
            return FALSE;
        }
      else
        return refuse (run, stmt->span, stmt->kind == TL_STMT_FOR ? "a third loop" : "a statement");
    }
  return TRUE;
}

/* The first name in @expr that the nest gives a value, though later or in another iteration. */
static const TlExpr *
find_stale (const TlStmt *nest, const TlExpr *expr)
{
  if (expr->kind == TL_EXPR_NAME && tl_g1_assigns (nest, expr->text))
    return expr;
  for (guint i = 0; i < expr->n_args; i++)
    {
      const TlExpr *found = find_stale (nest, expr->args[i]);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_stale (Run *run, const TlStmt *nest, const TlExpr *value)
{
  const TlExpr *stale = find_stale (nest, value);

  if (stale == NULL)
    return FALSE;
  TlDiag *diag = tl_g1_error (run->reader->g1, "stale-temporary", stale->span,
                              "%s is used before this iteration gives it a value", stale->text);
  if (diag != NULL)
    tl_diag_reason (diag, "it would hold what another iteration left in it, so iterations would not be the same "
                          "update; assign it first, in the innermost loop");
  return TRUE;
}

gboolean
tl_grid_read_nest (TlGridReader *reader, const TlStmt *nest)
{
  Run           run = { .reader = reader };
  const TlStmt *inner = nest;
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (inner->n_body == 1 && inner->body[0]->kind == TL_STMT_FOR)
    inner = inner->body[0];
  if (!run_block (&run, names, inner->body, inner->n_body))
    return FALSE;
  for (guint t = 0; t < run.n_targets; t++)
    {
      g_autofree char *key = key_of (run.targets[t]);
      const TlExpr    *value = g_hash_table_lookup (names, key);

      if (is_stale (&run, nest, value))
        return FALSE;
      reader->updates[reader->n_updates++] = (TlGridUpdate) {
        .name = run.targets[t]->text, .span = nest->span, .target = run.targets[t], .value = value
      };
    }
  return run.n_targets > 0 || refuse (&run, nest->head_span, "nothing");
}
