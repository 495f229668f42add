/* Programs of other shapes than one update over three loops: what clauses (b) and
 * (c) refuse for good, and what a machine or this release cannot run. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

/* --- The target --- */

const char *
tl_g1_target (const TlG1 *g1)
{
  const TlConfigItem *item = tl_ast_config (g1->ast, "target");

  return item != NULL && item->value != NULL && item->value->text != NULL ? item->value->text : "gendram";
}

gboolean
tl_g1_target_is_cu (const TlG1 *g1)
{
  const char *target = tl_g1_target (g1);

  if (g1->knows_machine)
    return g1->machine == TL_MACHINE_CU;
  return g_str_has_prefix (target, "cu-") || g_str_has_prefix (target, "hbm");
}

char *
tl_g1_float_sums (TlElementType element)
{
  g_autofree char *name = tl_element_type_name (element);
  double           big = ldexp (1, element.mantissa + 1); /* odd numbers above it are between two floats */

  return g_strdup_printf ("(%.0f + 1) + 1 is %.0f in %s, %.0f + (1 + 1) is %.0f", big, big, name, big, big + 2);
}

static gboolean
not_here (TlG1 *g1, TlSpan span, const char *what, const char *reason)
{
  TlDiag *diag = tl_g1_error (g1, "not-on-this-target", span, "%s cannot run on %s", what, tl_g1_target (g1));

  if (diag != NULL)
    tl_diag_reason (diag,
                    "%s; this version runs closures D[i,j] = D[i,j] (+) (D[i,k] (x) D[k,j]) on pim targets such as "
                    "gendram",
                    reason);
  return TRUE;
}

/* A program that the recognition of grids takes over. FALSE where it does not. */
static gboolean
is_grid (TlG1 *g1)
{
  if (!g1->takes_grids || tl_g1_target_is_cu (g1))
    return FALSE;
  g1->is_grid = g1->failed = TRUE;
  return TRUE;
}

/* --- Walking expressions --- */

typedef gboolean (*ExprFunc) (const TlExpr *expr, gpointer data);

/* The first expression, outermost first, for which @func holds. */
static const TlExpr *
find_expr (const TlExpr *expr, ExprFunc func, gpointer data)
{
  if (expr == NULL)
    return NULL;
  if (func (expr, data))
    return expr;
  for (guint i = 0; i < expr->n_args; i++)
    {
      const TlExpr *found = find_expr (expr->args[i], func, data);
      if (found != NULL)
        return found;
    }
  for (guint i = 0; i < expr->n_loops; i++)
    {
      const TlExpr *found = find_expr (expr->loops[i].range, func, data);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The same over a statement's targets, values and conditions. */
static const TlExpr *
find_in (const TlStmt *stmt, ExprFunc func, gpointer data)
{
  const TlExpr *found = find_expr (stmt->value, func, data);

  if (found == NULL)
    found = find_expr (stmt->target, func, data);
  for (guint i = 0; i < stmt->n_body && found == NULL; i++)
    found = find_in (stmt->body[i], func, data);
  for (guint i = 0; i < stmt->n_otherwise && found == NULL; i++)
    found = find_in (stmt->otherwise[i], func, data);
  return found;
}

static gboolean
is_reduce (const TlExpr *expr, gpointer data)
{
  return expr->kind == TL_EXPR_REDUCE;
}

static gboolean
is_name (const TlExpr *expr, gpointer name)
{
  return expr->kind == TL_EXPR_NAME && strcmp (expr->text, name) == 0;
}

static gboolean
is_data (const TlExpr *expr, gpointer data)
{
  return expr->kind == TL_EXPR_SUBSCRIPT;
}

/* A cell of the array named @name. */
static gboolean
is_own (const TlExpr *expr, gpointer name)
{
  return expr->kind == TL_EXPR_SUBSCRIPT && strcmp (expr->text, name) == 0;
}

/* A cell of the array named @name whose subscript looks at data: a tree. */
static gboolean
is_indirect (const TlExpr *expr, gpointer name)
{
  for (guint i = 0; is_own (expr, name) && i < expr->n_args; i++)
    if (find_expr (expr->args[i], is_data, NULL) != NULL)
      return TRUE;
  return FALSE;
}

/* --- Clause (b) --- */

typedef struct
{
  const char *array;
  const char *loop;
  guint       cells;   /* own cells with the loop in a subscript */
  gboolean    shifted; /* one of them with a number beside it */
} Split;

static gboolean
count_split (const TlExpr *expr, gpointer data)
{
  Split *split = data;

  if (!is_own (expr, (gpointer) split->array))
    return FALSE;
  for (guint i = 0; i < expr->n_args; i++)
    if (find_expr (expr->args[i], is_name, (gpointer) split->loop) != NULL)
      {
        split->cells++;
        split->shifted |= expr->args[i]->kind != TL_EXPR_NAME;
      }
  return FALSE;
}

/* A range that looks at another loop of the nest. */
static gboolean
depends_on_loop (const TlG1 *g1, const TlExpr *range)
{
  for (guint i = 0; i < g1->n_loops; i++)
    if (find_expr (range, is_name, (gpointer) g1->loops[i].name) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
refuse_split (TlG1 *g1, TlSpan span, const char *loop)
{
  TlDiag *diag
      = tl_g1_error (g1, "not-affine", span, "each cell depends on a number of cells that grows with its place");

  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (b): the split point %s runs between the bounds of a cell, as in matrix-chain "
                    "parenthesisation or a tree, so dependences are no grid of constant distances: cell (1,2) waits "
                    "for cells 1 away, cell (1,9) for cells 1 to 8 away; write a closure over all k (k outermost) or a "
                    "recurrence over constant distances such as [i-1,j]",
                    loop);
  return TRUE;
}

static gboolean
clause_b (TlG1 *g1)
{
  const char   *array = g1->target->text;
  const TlExpr *indirect = find_in (g1->nest, is_indirect, (gpointer) array);

  if (indirect != NULL)
    {
      TlDiag *diag = tl_g1_error (g1, "not-affine", indirect->span, "which cell is read depends on data");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (b): dependences must be affine in the loop indices, a tree or a list of predecessors "
                        "is not: with 2 in the first place and 1 in the second, cells 1 and 2 would wait for each "
                        "other, and nobody knows before the data is read; number the nodes so that a cell reads at "
                        "constant distances, or write the closure over the adjacency matrix");
      return TRUE;
    }
  const TlExpr *reduce = find_in (g1->nest, is_reduce, NULL);
  if (reduce != NULL && reduce->n_loops > 0)
    {
      Split split = { array, reduce->loops[0].name, 0, FALSE };
      find_expr (reduce, count_split, &split);
      gboolean bounded = reduce->loops[0].range != NULL && depends_on_loop (g1, reduce->loops[0].range);
      if (split.cells >= 2 && (split.shifted || bounded))
        return refuse_split (g1, reduce->span, split.loop);
    }
  for (guint i = 0; i < g1->n_loops; i++)
    {
      Split split = { array, g1->loops[i].name, 0, FALSE };
      if (g1->loops[i].range == NULL || !depends_on_loop (g1, g1->loops[i].range))
        continue;
      find_in (g1->nest, count_split, &split);
      if (split.cells >= 2 && split.shifted)
        return refuse_split (g1, g1->loops[i].range->span, split.loop);
    }
  return FALSE;
}

/* --- Clause (c) --- */

static gboolean
refuse_control (TlG1 *g1, TlSpan span, const char *what)
{
  TlDiag *diag = tl_g1_error (g1, "data-dependent", span, "%s", what);

  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (c): control flow must not depend on data (X-drop does), since the schedule is made before "
                    "any value is known; use a fixed band, \"within band\", which bounds the work and needs no look at "
                    "the scores, or one that moves inside of a fixed one, band = adaptive(64, 15%%)");
  return TRUE;
}

static gboolean
clause_c_bounds (TlG1 *g1)
{
  for (guint i = 0; i < g1->n_loops; i++)
    {
      const TlExpr *data = find_expr (g1->loops[i].range, is_data, NULL);
      if (data != NULL)
        return refuse_control (g1, data->span, "a loop's bound is read from data");
    }
  return FALSE;
}

static gboolean
holds_own (const TlG1 *g1, const TlTerm *term)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, term);

  for (guint i = 0; i <= term->number; i++)
    {
      const TlTerm *inner = g1->terms.terms->pdata[i];
      if (marks[i] && inner->kind == TL_TERM_READ && strcmp (inner->name, g1->target->text) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Choices by the recurrence's own values, and values rounded on their way. */
static gboolean
clauses_on_value (TlG1 *g1, const TlTerm *value)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i])
        continue;
      if (term->kind == TL_TERM_SELECT && holds_own (g1, term->args[0]))
        return refuse_control (g1, term->args[0]->span.end > 0 ? term->args[0]->span : term->op_span,
                               "whether a cell is computed depends on the scores so far");
      gboolean rounds = term->kind == TL_TERM_FLOOR_DIVIDE || term->kind == TL_TERM_MODULO
                        || (term->kind == TL_TERM_OPAQUE && tl_function_rounds (term->name));
      if (rounds && holds_own (g1, term))
        {
          TlDiag *diag = tl_g1_error (g1, "not-associative", term->op_span, "values are rounded on their way");
          if (diag != NULL)
            tl_diag_reason (
                diag, "clause (a): fixed-point sums with rounding are not associative: rounded down, 1 / 2 + 1 / 2 "
                      "is 0 and (1 + 1) / 2 is 1, so the order of a tiled schedule would change the result; work "
                      "with logarithms, as in max over p (V[t-1,p] + logA[p,s])");
          return TRUE;
        }
    }
  return FALSE;
}

/* --- What later versions or other machines run --- */

static gboolean
is_at_distance (const TlExpr *expr, gpointer data)
{
  const TlG1 *g1 = data;

  for (guint i = 0; is_own (expr, (gpointer) g1->target->text) && i < expr->n_args; i++)
    {
      TlSubscript sub = tl_g1_subscript (g1, expr->args[i]);
      if (sub.role >= 0 ? sub.offset != 0 : expr->args[i]->kind == TL_EXPR_BINARY)
        return TRUE;
    }
  return FALSE;
}

/* Letters lie along two loops in grids alone. */
static gboolean
reads_letters (const TlG1 *g1)
{
  static const char *const letters[] = { "sequence", "reads", "genome" };

  for (guint d = 0; d < g1->ast->n_data; d++)
    for (guint l = 0; l < G_N_ELEMENTS (letters); l++)
      if (g1->ast->data[d]->source != NULL && g_strcmp0 (g1->ast->data[d]->source->text, letters[l]) == 0)
        return TRUE;
  return FALSE;
}

static gboolean
reads_at_distance (TlG1 *g1)
{
  return find_in (g1->nest, is_at_distance, g1) != NULL;
}

/* A recurrence over constant distances (alignment, edit distance, Viterbi), or a
 * reduction over a third name. */
static gboolean
wavefront (TlG1 *g1)
{
  const TlExpr *reduce = find_in (g1->nest, is_reduce, NULL);
  guint         loops = g1->n_loops;

  if (reduce == NULL && !(loops <= 2 || (g1->target->n_args > 2 && loops == g1->target->n_args)))
    return FALSE;
  g1->lenient = TRUE;
  TlTerm *value = tl_g1_new_value (g1);
  g1->lenient = FALSE;
  if (value == NULL || ((reduce != NULL || reads_at_distance (g1)) && clauses_on_value (g1, value)))
    return TRUE;
  if (reduce != NULL)
    {
      Split split = { g1->target->text, reduce->n_loops > 0 ? reduce->loops[0].name : "", 0, FALSE };
      find_expr (reduce, count_split, &split);
      if (split.cells >= 2 && !reads_at_distance (g1))
        {
          TlDiag *diag = tl_g1_error (g1, "loop-order", reduce->op_span.end > 0 ? reduce->op_span : reduce->span,
                                      "%s must be the outermost loop", split.loop);
          if (diag != NULL)
            tl_diag_reason (diag,
                            "the cells over %s are updated by the same program, so each %s has to be done for all "
                            "cells before the next: %s[i,j] = %s(%s[i,j], ...) for %s, i, j",
                            split.loop, split.loop, split.array, reduce->text, split.array, split.loop);
          return TRUE;
        }
      if ((reads_at_distance (g1) || split.cells == 1) && is_grid (g1))
        return TRUE;
      return not_here (g1, reduce->op_span.end > 0 ? reduce->op_span : reduce->span, "a reduction over a name",
                       reads_at_distance (g1) ? "recurrences over constant distances need the wavefront traversal"
                                              : "it is a product, which needs the product traversal");
    }
  if ((reads_at_distance (g1) || (loops == 2 && reads_letters (g1))) && is_grid (g1))
    return TRUE;
  if (reads_at_distance (g1))
    return not_here (g1, g1->target->span, "a recurrence over constant distances such as [i-1,j-1]",
                     "it needs the wavefront traversal");
  /* Two loops that read no neighbour: leave the reason to the roles of loops. */
  tl_terms_clear (&g1->terms);
  tl_terms_init (&g1->terms);
  g1->written = FALSE;
  g1->n_statements = 0;
  g1->loops_done = 0;
  g1->depth = 0;
  return FALSE;
}

static gboolean
data_of_later (TlG1 *g1)
{
  static const char *const here[] = { "graph", "matrix", "random", "road", "powerlaw", "tensor" };

  for (guint i = 0; i < g1->ast->n_data; i++)
    {
      const TlExpr *source = g1->ast->data[i]->source;
      gboolean      known = source == NULL || source->kind != TL_EXPR_CALL;
      for (guint h = 0; !known && h < G_N_ELEMENTS (here); h++)
        known = strcmp (source->text, here[h]) == 0;
      if (known)
        continue;
      g_autofree char *what = g_strdup_printf ("data from %s(...)", source->text);
      return not_here (g1, source->op_span.end > 0 ? source->op_span : source->span, what,
                       "it belongs to alignment or to tiled matrix products");
    }
  return FALSE;
}

static gboolean
place_of_later (TlG1 *g1)
{
  static const char *const later[] = { "plan", "identity", "packed", "layout" };

  for (guint i = 0; i < g1->ast->n_places; i++)
    {
      const TlPlaceDecl *place = g1->ast->places[i];
      for (guint l = 0; place->value != NULL && place->value->text != NULL && l < G_N_ELEMENTS (later); l++)
        if (strcmp (place->value->text, later[l]) == 0)
          {
            g_autofree char *what = g_strdup_printf ("place %s = %s", place->name, later[l]);
            return not_here (g1, place->value_span, what,
                             "layouts of rows and columns are for cu targets; a pim target places whole tiles: auto, "
                             "tier 3, fill 0..7, stripe 0..3");
          }
    }
  return FALSE;
}

/* Several recurrences, one of which reads another: affine gaps. */
static gboolean
coupled (TlG1 *g1)
{
  const TlAlgorithm *algorithm = g1->algorithm;
  const TlStmt      *first = NULL;

  for (guint i = 0; i < algorithm->n_body; i++)
    {
      const TlStmt *stmt = algorithm->body[i];
      if (stmt->kind != TL_STMT_UPDATE || stmt->n_loops == 0 || stmt->target == NULL || stmt->target->text == NULL)
        continue;
      if (first != NULL && strcmp (first->target->text, stmt->target->text) != 0
          && (find_in (first, is_own, (gpointer) stmt->target->text) != NULL
              || find_in (stmt, is_own, (gpointer) first->target->text) != NULL))
        return is_grid (g1)
               || not_here (g1, stmt->target->span, "a set of coupled recurrences",
                            "recurrences that read one another need the wavefront traversal");
      if (first == NULL)
        first = stmt;
    }
  return FALSE;
}

gboolean
tl_g1_other_shapes (TlG1 *g1)
{
  const TlExpr *band = g1->nest->within;

  if (clause_c_bounds (g1) || clause_b (g1))
    return TRUE;
  if (wavefront (g1) || coupled (g1))
    return TRUE;
  if (band != NULL)
    return not_here (g1, band->span, "a band", "bands belong to recurrences over constant distances");
  for (guint i = 0; i < g1->algorithm->n_body; i++)
    if (g1->algorithm->body[i]->kind == TL_STMT_RESULT)
      return not_here (g1, g1->algorithm->body[i]->span, "a result of its own",
                       "the result of a closure is its matrix");
  return data_of_later (g1) || (!tl_g1_target_is_cu (g1) && place_of_later (g1));
}

gboolean
tl_g1_product (TlG1 *g1, const TlG1Match *match, const TlSemiring *semiring)
{
  g_autofree char *pair = tl_semiring_text (semiring);
  g_autofree char *what = g_strdup_printf ("the product over %s", pair);
  gboolean         sums = semiring->plus.kind == TL_OPERATOR_ADD && tl_element_type_is_float (g1->element);

  if (sums && !tl_g1_target_is_cu (g1))
    {
      g_autofree char *sums_text = tl_g1_float_sums (g1->element);
      TlDiag          *diag = tl_g1_error (g1, "float-order", match->plus_span, "sums of floats in no fixed order");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (a): float addition is not associative: %s; and %s adds tiles in whatever order they "
                        "are done; use an integer type, or a cu target, where k rises and each sum is rounded once",
                        sums_text, tl_g1_target (g1));
      return FALSE;
    }
  if (!tl_g1_target_is_cu (g1))
    {
      not_here (g1, match->plus_span, what,
                "its operands are other arrays than its output; products over (+, *) run on compute units such as "
                "cu-t8b16");
      return FALSE;
    }
  if (semiring->plus.kind == TL_OPERATOR_ADD && semiring->times.kind == TL_OPERATOR_MUL)
    return TRUE;
  TlDiag *diag
      = tl_g1_error (g1, "not-on-this-target", match->plus_span, "%s cannot run on %s", what, tl_g1_target (g1));
  if (diag != NULL)
    tl_diag_reason (diag,
                    "the tensor core of a compute unit multiplies and adds and nothing else; write C[m,n] + A[m,k] "
                    "* W[k,n], or a closure for a pim target such as gendram");
  return FALSE;
}
