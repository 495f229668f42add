/* G1: the one recurrence of a program. Find its nest, see that it is of the shape
 * that runs, reduce one iteration to the cell's new value, match that against
 * C (+) (L (x) R), name the semiring, decide admission. */
#include "passes/g1-grid-private.h"

#include <string.h>

static gboolean
is_main (const TlStmt *stmt)
{
  return stmt->kind == TL_STMT_FOR || stmt->kind == TL_STMT_IF || (stmt->kind == TL_STMT_UPDATE && stmt->n_loops > 0);
}

static gboolean
find_algorithm (TlG1 *g1)
{
  const TlAst *ast = g1->ast;

  if (ast->n_algorithms == 0)
    {
      if (!ast->damaged)
        tl_g1_error (g1, "no-recurrence", tl_span (0, 0), "the program has no algorithm");
      return FALSE;
    }
  g1->algorithm = ast->algorithms[0];
  if (ast->n_algorithms > 1)
    {
      tl_g1_error (g1, "second-statement", ast->algorithms[1]->name_span, "a second algorithm in one program");
      return FALSE;
    }
  for (guint i = 0; i < g1->algorithm->n_body && g1->nest == NULL; i++)
    if (is_main (g1->algorithm->body[i]))
      g1->nest = g1->algorithm->body[i];
  if (g1->nest == NULL && !ast->damaged)
    {
      TlDiag *diag
          = tl_g1_error (g1, "no-recurrence", g1->algorithm->name_span, "%s has no update", g1->algorithm->name);
      if (diag != NULL)
        tl_diag_reason (
            diag, "an algorithm says how a cell gets its value: D[i,j] = min(D[i,j], D[i,k] + D[k,j]) for k, i, j");
    }
  return g1->nest != NULL;
}

/* Statements beside the nest. */
static gboolean
stands_alone (TlG1 *g1)
{
  for (guint i = 0; i < g1->algorithm->n_body; i++)
    {
      const TlStmt *stmt = g1->algorithm->body[i];
      if (stmt == g1->nest)
        continue;
      TlDiag *diag = tl_g1_error (g1, "second-statement", stmt->kind == TL_STMT_FOR ? stmt->head_span : stmt->span,
                                  "a second statement beside the update");
      if (diag != NULL)
        tl_diag_reason (
            diag, "a closure is one update of all cells; what the matrix holds at first comes from its data line");
      return FALSE;
    }
  return TRUE;
}

static void
set_element (TlG1 *g1)
{
  g1->data = tl_ast_data (g1->ast, g1->target->text);
  g1->element_said = g1->data != NULL && g1->data->type.bits > 0;
  if (g1->element_said)
    g1->element = g1->data->type;
  else
    tl_element_type_parse ("i32", &g1->element);
}

/* C of a product may be without a data line: it is f32 then. */
static gboolean
check_names (TlG1 *g1, const TlG1Match *match, gboolean *closure)
{
  const char *output = g1->target->text;
  gboolean    left = strcmp (match->left->name, output) == 0;
  gboolean    right = strcmp (match->right->name, output) == 0;

  *closure = left && right;
  if (left != right)
    {
      const TlTerm *own = left ? match->left : match->right;
      TlDiag       *diag = tl_g1_error (g1, "operand-names", own->span, "one operand is the output %s, the other is %s",
                                        output, left ? match->right->name : match->left->name);
      if (diag != NULL)
        tl_diag_reason (diag, "a closure reads both operands from its output, a product none: this is neither");
      return FALSE;
    }
  if (*closure && g1->data == NULL)
    {
      if (!g1->ast->lost_data)
        tl_g1_error (g1, "operand-names", g1->target->op_span.end > 0 ? g1->target->op_span : g1->target->span,
                     "%s has no data line", output);
      return FALSE;
    }
  return TRUE;
}

static TlRecurrence *
make_recurrence (TlG1 *g1, const TlG1Match *match, gboolean closure)
{
  TlRecurrence *recurrence = g_new0 (TlRecurrence, 1);

  recurrence->source = tl_source_ref (g1->ast->source);
  recurrence->algorithm = g_strdup (g1->algorithm->name);
  recurrence->algorithm_span = g1->algorithm->name_span;
  recurrence->element = g1->element;
  recurrence->output = g_strdup (g1->target->text);
  recurrence->left = g_strdup (match->left->name);
  recurrence->right = g_strdup (match->right->name);
  recurrence->update_span = g1->nest->span;
  recurrence->plus_span = match->plus_span;
  recurrence->times_span = match->times_span;
  recurrence->output_span = g1->target->span;
  recurrence->left_span = match->left->span;
  recurrence->right_span = match->right->span;
  recurrence->closure = closure;
  recurrence->transposed = !closure && match->right->subs[0].role == TL_LOOP_J;
  return recurrence;
}

static TlRecurrence *
recognise (TlG1 *g1)
{
  g_auto (TlG1Match) match = { 0 };
  gboolean closure;

  if (!find_algorithm (g1))
    return NULL;
  if (!tl_g1_find_nest (g1))
    {
      tl_g1_error (g1, "no-recurrence", g1->nest->span, "the nest writes no cell of a matrix");
      return NULL;
    }
  set_element (g1);
  if (tl_g1_other_shapes (g1) || !stands_alone (g1) || !tl_g1_assign_roles (g1) || !tl_g1_check_bounds (g1))
    return NULL;
  tl_g1_read_ops (g1);
  TlTerm *value = g1->failed ? NULL : tl_g1_new_value (g1);
  if (value == NULL || !tl_g1_match (g1, value, &match))
    return NULL;
  if (!check_names (g1, &match, &closure) || !tl_g1_check_order (g1, closure))
    return NULL;
  if (!closure && !g1->element_said)
    tl_element_type_parse ("f32", &g1->element);
  g_autoptr (TlSemiring) semiring = tl_g1_semiring (g1, &match);
  if (semiring == NULL)
    return NULL;
  if (closure && tl_g1_target_is_cu (g1))
    {
      TlDiag *diag
          = tl_g1_error (g1, "not-on-this-target", g1->target->span, "a closure cannot run on %s", tl_g1_target (g1));
      if (diag != NULL)
        tl_diag_reason (diag,
                        "a compute unit runs tiled products over (+, *); closures run on pim targets such as gendram");
      return NULL;
    }
  g_autoptr (TlRecurrence) recurrence = make_recurrence (g1, &match, closure);
  recurrence->semiring = g_steal_pointer (&semiring);
  if (!tl_g1_admit (g1, &match, recurrence))
    return NULL;
  if (!closure && !tl_g1_product (g1, &match, recurrence->semiring))
    return NULL;
  return g_steal_pointer (&recurrence);
}

static void
free_op (gpointer data)
{
  TlG1Op *op = data;

  tl_operator_clear (&op->op);
  g_free (op);
}

static TlRecurrence *
recognise_any (const TlAst *ast, const GArray *facts, const TlMachineKind *machine, TlGrid **grid, TlDiags *diags)
{
  TlG1 g1 = { .ast = ast,
              .facts = facts,
              .diags = diags,
              .takes_grids = grid != NULL,
              .knows_machine = machine != NULL,
              .machine = machine != NULL ? *machine : TL_MACHINE_PIM };

  g1.ops = g_ptr_array_new_with_free_func (free_op);
  tl_terms_init (&g1.terms);
  TlRecurrence *recurrence = recognise (&g1);
  if (g1.is_grid)
    {
      g1.failed = FALSE;
      *grid = tl_g1_grid (&g1);
    }
  tl_terms_clear (&g1.terms);
  g_ptr_array_unref (g1.ops);
  return recurrence;
}

TlRecurrence *
tl_recognise (const TlAst *ast, const GArray *facts, TlDiags *diags)
{
  return recognise_any (ast, facts, NULL, NULL, diags);
}

TlRecurrence *
tl_recognise_any (const TlAst *ast, const GArray *facts, TlGrid **grid, TlDiags *diags)
{
  *grid = NULL;
  return recognise_any (ast, facts, NULL, grid, diags);
}

TlRecurrence *
tl_recognise_on (const TlAst *ast, const GArray *facts, TlMachineKind machine, TlGrid **grid, TlDiags *diags)
{
  *grid = NULL;
  return recognise_any (ast, facts, &machine, grid, diags);
}

void
tl_recurrence_free (TlRecurrence *recurrence)
{
  if (recurrence == NULL)
    return;
  g_clear_pointer (&recurrence->source, tl_source_unref);
  g_clear_pointer (&recurrence->semiring, tl_semiring_free);
  g_free (recurrence->algorithm);
  g_free (recurrence->output);
  g_free (recurrence->left);
  g_free (recurrence->right);
  g_free (recurrence);
}
