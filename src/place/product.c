/* Finding the product and its numbers in a tree. */
#include "place/product.h"
#include "base/number.h"
#include "dsl/knobs.h"

#include <string.h>

/* X[a,b] of two names. */
static gboolean
is_matrix (const TlExpr *expr)
{
  return expr->kind == TL_EXPR_SUBSCRIPT && expr->n_args == 2 && expr->args[0]->kind == TL_EXPR_NAME
         && expr->args[1]->kind == TL_EXPR_NAME;
}

static gboolean
is_binary (const TlExpr *expr, const char *op)
{
  return expr->kind == TL_EXPR_BINARY && expr->n_args == 2 && strcmp (expr->text, op) == 0;
}

static gboolean
has_loops (const TlExpr *matrix, const char *first, const char *second)
{
  return strcmp (matrix->args[0]->text, first) == 0 && strcmp (matrix->args[1]->text, second) == 0;
}

/* The one statement inside the loops, or NULL. */
static const TlStmt *
innermost (TlStmt *const *body, guint n)
{
  const TlStmt *update = NULL;

  for (guint i = 0; i < n; i++)
    {
      if (body[i]->kind == TL_STMT_RESULT)
        continue;
      if (update != NULL)
        return NULL;
      update = body[i];
    }
  while (update != NULL && update->kind == TL_STMT_FOR)
    {
      if (update->n_body != 1)
        return NULL;
      update = update->body[0];
    }
  return update != NULL && (update->kind == TL_STMT_UPDATE || update->kind == TL_STMT_ASSIGN) ? update : NULL;
}

/* Whether @left and @right are A[m,k] and W[k,n] or W[n,k]. */
static gboolean
are_operands (const TlExpr *target, const TlExpr *left, const TlExpr *right, TlProduct *product)
{
  const char *m = target->args[0]->text, *n = target->args[1]->text;

  if (strcmp (left->args[0]->text, m) != 0)
    return FALSE;
  const char *k = left->args[1]->text;
  if (strcmp (k, m) == 0 || strcmp (k, n) == 0 || strcmp (m, n) == 0)
    return FALSE;
  if (!has_loops (right, k, n) && !has_loops (right, n, k))
    return FALSE;
  if (strcmp (left->text, target->text) == 0 || strcmp (right->text, target->text) == 0)
    return FALSE;
  product->output = target->text;
  product->operand[TL_GEMM_A] = left->text;
  product->operand[TL_GEMM_B] = right->text;
  product->shape.transposed = has_loops (right, n, k);
  return TRUE;
}

static gboolean
match (const TlStmt *update, TlProduct *product)
{
  const TlExpr *target = update->target, *value = update->value;

  if (target == NULL || value == NULL || !is_matrix (target) || !is_binary (value, "+"))
    return FALSE;
  for (guint side = 0; side < 2; side++)
    {
      const TlExpr *sum = value->args[side], *times = value->args[1 - side];

      if (!is_matrix (sum) || strcmp (sum->text, target->text) != 0
          || !has_loops (sum, target->args[0]->text, target->args[1]->text) || !is_binary (times, "*")
          || !is_matrix (times->args[0]) || !is_matrix (times->args[1]))
        continue;
      if (are_operands (target, times->args[0], times->args[1], product)
          || are_operands (target, times->args[1], times->args[0], product))
        return TRUE;
    }
  return FALSE;
}

/* The extents of a matrix that fit 32 bits. */
static gboolean
read_extents (const TlAst *ast, const char *name, const TlOperandFacts *known, guint32 *rows, guint32 *columns,
              TlElementType *type, TlDiags *diags)
{
  const TlDataDecl *data = tl_ast_data (ast, name);
  gint64            extent[2] = { 0, 0 };

  if (known != NULL)
    {
      extent[0] = (gint64) MIN (known->rows, (guint64) G_MAXINT64);
      extent[1] = (gint64) MIN (known->columns, (guint64) G_MAXINT64);
    }
  for (guint i = 0; data != NULL && i < 2 && data->n_shape == 2; i++)
    if (extent[i] == 0 && !tl_expr_integer (data->shape[i], &extent[i]))
      extent[i] = 0;
  if (extent[0] < 1 || extent[1] < 1 || extent[0] > G_MAXINT32 || extent[1] > G_MAXINT32)
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "product-sizes", ast->source,
                                   data != NULL ? data->span : tl_span (0, 0), "the size of \"%s\" is not known", name);
      tl_diag_reason (diag, "a plan needs the numbers of rows and columns, as in: data %s: f16[64, 5120]", name);
      return FALSE;
    }
  *rows = (guint32) extent[0];
  *columns = (guint32) extent[1];
  *type = data->type.bits == 0 && known != NULL ? known->element : data->type;
  return TRUE;
}

static gboolean
read_sizes (const TlAst *ast, const TlOperandFacts *facts, TlProduct *product, TlDiags *diags)
{
  TlGemmShape *shape = &product->shape;
  guint32      rows[2], columns[2];

  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      if (!read_extents (ast, product->operand[i], facts != NULL ? &facts[i] : NULL, &rows[i], &columns[i],
                         &product->type[i], diags))
        return FALSE;
      shape->bits[i] = product->type[i].bits != 0 ? product->type[i].bits : 16;
    }
  shape->m = rows[TL_GEMM_A];
  shape->k = columns[TL_GEMM_A];
  shape->n = shape->transposed ? rows[TL_GEMM_B] : columns[TL_GEMM_B];
  guint32 other = shape->transposed ? columns[TL_GEMM_B] : rows[TL_GEMM_B];
  if (shape->k == other)
    return TRUE;
  const TlDataDecl *data = tl_ast_data (ast, product->operand[TL_GEMM_B]);
  TlDiag           *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "product-sizes", ast->source, data->span,
                                         "\"%s\" and \"%s\" do not fit each other", product->operand[TL_GEMM_A],
                                         product->operand[TL_GEMM_B]);
  tl_diag_reason (diag, "the sum runs over %u columns of the one and %u of the other", shape->k, other);
  return FALSE;
}

/* What a config line says of @key, else the target's own <knobs>, which *line then keeps; NULL when neither does. */
static const TlExpr *
value_of (const TlAst *ast, const TlTarget *target, const char *key, TlAst **line)
{
  const TlConfigItem *item = tl_ast_config (ast, key);

  if (item != NULL || target == NULL || (*line = tl_knob_default (target, key, NULL)) == NULL)
    return item != NULL ? item->value : NULL;
  return tl_ast_config (*line, key)->value;
}

static guint32
integer_of (const TlAst *ast, const TlTarget *target, const char *key, guint32 otherwise)
{
  g_autoptr (TlAst) line = NULL;
  const TlExpr *value = value_of (ast, target, key, &line);
  gint64        number;

  if (value == NULL || !tl_expr_integer (value, &number) || number < 0 || number > G_MAXINT32)
    return otherwise;
  return (guint32) number;
}

static void
read_tile (const TlAst *ast, const TlTarget *target, TlGemmShape *shape)
{
  g_autoptr (TlAst) line = NULL;
  const TlExpr *value = value_of (ast, target, "tile", &line);
  gint64        side[3] = { MIN (shape->m, 64), MIN (shape->n, 128), MIN (shape->k, 64) };

  for (guint i = 0; value != NULL && i < 3; i++)
    {
      const TlExpr *one = value->kind == TL_EXPR_TUPLE ? value->n_args == 3 ? value->args[i] : NULL : value;

      if (one == NULL || !tl_expr_integer (one, &side[i]))
        side[i] = 0;
    }
  shape->tile_m = (guint32) CLAMP (side[0], 0, G_MAXINT32);
  shape->tile_n = (guint32) CLAMP (side[1], 0, G_MAXINT32);
  shape->tile_k = (guint32) CLAMP (side[2], 0, G_MAXINT32);
}

/* Sizes and what config lines say, for operands that are known. */
static gboolean
complete (const TlAst *ast, const TlOperandFacts *facts, guint32 quantum, const TlTarget *target, TlSpan span,
          TlProduct *product, TlDiags *diags)
{
  TlGemmShape *shape = &product->shape;
  TlGemmTiles  tiles;
  g_autoptr (TlAst) line = NULL;

  if (!read_sizes (ast, facts, product, diags))
    return FALSE;
  read_tile (ast, target, shape);
  shape->quantum = quantum;
  shape->resident = integer_of (ast, target, "resident", 1);
  shape->skew = integer_of (ast, target, "skew", 0);
  shape->slab = integer_of (ast, target, "slab", 0);
  const TlExpr *weights = value_of (ast, target, "weights", &line);
  if (weights != NULL && weights->kind == TL_EXPR_NAME)
    shape->transposed = strcmp (weights->text, "nxk") == 0;
  if (tl_gemm_tiles (shape, TL_GEMM_A, &tiles) && tl_gemm_tiles (shape, TL_GEMM_B, &tiles))
    return TRUE;
  const TlConfigItem *item = tl_ast_config (ast, "tile");
  TlDiag             *diag
      = tl_diags_add (diags, TL_SEVERITY_ERROR, "product-tile", ast->source, item != NULL ? item->value_span : span,
                      "tiles of %u x %u x %u cannot be read whole", shape->tile_m, shape->tile_n, shape->tile_k);
  tl_diag_reason (
      diag,
      "a row of a tile is a whole number of bytes, a quantum an even number of them (it is %u), and a matrix "
      "less than 2^48 bytes",
      shape->quantum);
  return FALSE;
}

static gboolean
read_text (const TlAst *ast, guint32 quantum, const TlTarget *target,
           void (*facts) (const char *name, TlOperandFacts *known, gconstpointer data), gconstpointer data,
           TlProduct *product, TlDiags *diags)
{
  const TlAlgorithm *algorithm = ast->n_algorithms == 1 ? ast->algorithms[0] : NULL;
  const TlStmt      *update = algorithm != NULL ? innermost (algorithm->body, algorithm->n_body) : NULL;

  *product = (TlProduct) { .name = algorithm != NULL ? algorithm->name : NULL };
  if (update == NULL || !match (update, product))
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "no-product", ast->source,
                                   update != NULL      ? update->span
                                   : algorithm != NULL ? algorithm->name_span
                                                       : tl_span (0, 0),
                                   "this is no matrix product, so there are no operand tiles to place");
      tl_diag_reason (diag, "tiles are placed of C[m,n] = C[m,n] + A[m,k] * W[k,n], with A and W other arrays than C");
      return FALSE;
    }
  TlOperandFacts known[TL_N_GEMM_OPERANDS] = { { 0 } };
  for (guint i = 0; facts != NULL && i < TL_N_GEMM_OPERANDS; i++)
    facts (product->operand[i], &known[i], data);
  return complete (ast, known, quantum, target, update->span, product, diags);
}

gboolean
tl_product_read (const TlAst *ast, guint32 quantum, TlProduct *product, TlDiags *diags)
{
  return read_text (ast, quantum, NULL, NULL, NULL, product, diags);
}

gboolean
tl_product_read_on (const TlAst *ast, const TlTarget                                                          *target,
                    void (*facts) (const char *name, TlOperandFacts *known, gconstpointer data), gconstpointer data,
                    TlProduct *product, TlDiags *diags)
{
  return read_text (ast, tl_target_memory (target)->unit_bytes, target, facts, data, product, diags);
}

gboolean
tl_product_of (const TlAst *ast, const char *output, const char *left, const char *right, gboolean transposed,
               const TlOperandFacts *facts, const TlTarget *target, TlProduct *product, TlDiags *diags)
{
  *product = (TlProduct) { .name = ast->n_algorithms > 0 ? ast->algorithms[0]->name : NULL,
                           .output = output,
                           .operand = { left, right },
                           .shape = { .transposed = transposed } };
  return complete (ast, facts, tl_target_memory (target)->unit_bytes, target, tl_span (0, 0), product, diags);
}
