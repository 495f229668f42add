/* Building kernels, and the values of their expressions. */
#include "tile/kernel-private.h"

#include <math.h>

static void
clear_variable (gpointer variable)
{
  g_free (((TlTileVariable *) variable)->name);
}

static void
clear_tensor (gpointer tensor)
{
  g_free (((TlTileTensor *) tensor)->name);
}

static gboolean
is_leaf (TlTileExprKind kind)
{
  return kind <= TL_TILE_ELEMENT;
}

/* What it is made of is summed up here, since parts may be shared by many. */
static guint
add_expr (TlTileKernel *kernel, TlTileExpr expr)
{
  const guint parts[] = { expr.a, expr.b, expr.c };
  guint64     size = 1;

  expr.varies = expr.kind == TL_TILE_INDEX || expr.kind == TL_TILE_ELEMENT;
  expr.named = expr.kind == TL_TILE_VARIABLE;
  for (guint i = 0; !is_leaf (expr.kind) && i < (expr.kind == TL_TILE_SELECT ? 3 : 2); i++)
    {
      const TlTileExpr *part = &g_array_index (kernel->exprs, TlTileExpr, parts[i]);

      size += part->size;
      expr.varies |= part->varies;
      expr.named |= part->named;
    }
  expr.size = (guint) MIN (size, TL_TILE_MAX_EXPR + 1);
  g_array_append_val (kernel->exprs, expr);
  return kernel->exprs->len - 1;
}

static guint
add_variable (TlTileKernel *kernel, TlTileVariableKind kind, const char *name)
{
  TlTileVariable variable = { kind, g_strdup (name) };

  g_array_append_val (kernel->variables, variable);
  return kernel->variables->len - 1;
}

TlTileKernel *
tl_tile_kernel_new (const char *name, guint threads)
{
  static const char *const blocks[] = { "bx", "by", "bz" };
  TlTileKernel            *kernel = g_new0 (TlTileKernel, 1);
  TlTileTensor             filler = { 0 };

  g_return_val_if_fail (threads >= 1 && threads <= 1024, NULL);
  kernel->name = g_strdup (name);
  kernel->threads = threads;
  kernel->exprs = g_array_new (FALSE, TRUE, sizeof (TlTileExpr));
  kernel->variables = g_array_new (FALSE, TRUE, sizeof (TlTileVariable));
  kernel->tensors = g_array_new (FALSE, TRUE, sizeof (TlTileTensor));
  kernel->code = g_array_new (FALSE, TRUE, sizeof (TlTileInstruction));
  kernel->buffers = g_ptr_array_new_with_free_func (g_free);
  kernel->texts = g_string_chunk_new (256);
  g_array_set_clear_func (kernel->variables, clear_variable);
  g_array_set_clear_func (kernel->tensors, clear_tensor);
  add_expr (kernel, (TlTileExpr) { TL_TILE_CONSTANT });
  g_array_append_val (kernel->tensors, filler);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    add_variable (kernel, TL_TILE_VARIABLE_BLOCK, blocks[i]);
  return kernel;
}

void
tl_tile_kernel_free (TlTileKernel *kernel)
{
  if (kernel == NULL)
    return;
  g_array_unref (kernel->exprs);
  g_array_unref (kernel->variables);
  g_array_unref (kernel->tensors);
  g_array_unref (kernel->code);
  g_ptr_array_unref (kernel->buffers);
  g_string_chunk_free (kernel->texts);
  g_free (kernel->name);
  g_free (kernel);
}

const char *
tl_tile_kernel_name (const TlTileKernel *kernel)
{
  return kernel->name;
}

guint
tl_tile_kernel_threads (const TlTileKernel *kernel)
{
  return kernel->threads;
}

guint
tl_tile_kernel_length (const TlTileKernel *kernel)
{
  return kernel->code->len;
}

guint
tl_tile_kernel_n_tensors (const TlTileKernel *kernel)
{
  return kernel->tensors->len;
}

const TlTileInstruction *
tl_tile_kernel_at (const TlTileKernel *kernel, guint instruction)
{
  g_return_val_if_fail (instruction < kernel->code->len, NULL);
  return &g_array_index (kernel->code, TlTileInstruction, instruction);
}

const TlTileTensor *
tl_tile_kernel_tensor (const TlTileKernel *kernel, guint tensor)
{
  g_return_val_if_fail (tensor < kernel->tensors->len, NULL);
  return &g_array_index (kernel->tensors, TlTileTensor, tensor);
}

guint
tl_tile_block_index (TlTileKernel *kernel, guint dimension)
{
  g_return_val_if_fail (dimension < 3, 0);
  return add_expr (kernel, (TlTileExpr) { TL_TILE_VARIABLE, 0, dimension });
}

guint
tl_tile_loop_variable (TlTileKernel *kernel, const char *name, gint64 *variable)
{
  *variable = add_variable (kernel, TL_TILE_VARIABLE_LOOP, name);
  return add_expr (kernel, (TlTileExpr) { TL_TILE_VARIABLE, 0, (guint) *variable });
}

guint
tl_tile_number (TlTileKernel *kernel, double value)
{
  return add_expr (kernel, (TlTileExpr) { TL_TILE_CONSTANT, value });
}

guint
tl_tile_index (TlTileKernel *kernel, guint dimension)
{
  g_return_val_if_fail (dimension < TL_LAYOUT_MAX_DIMS, 0);
  return add_expr (kernel, (TlTileExpr) { TL_TILE_INDEX, 0, dimension });
}

guint
tl_tile_element (TlTileKernel *kernel, guint operand)
{
  g_return_val_if_fail (operand < 2, 0);
  return add_expr (kernel, (TlTileExpr) { TL_TILE_ELEMENT, 0, operand });
}

guint
tl_tile_binary (TlTileKernel *kernel, TlTileExprKind kind, guint a, guint b)
{
  g_return_val_if_fail (kind >= TL_TILE_PLUS && kind < TL_TILE_SELECT, 0);
  g_return_val_if_fail (a > 0 && a < kernel->exprs->len && b > 0 && b < kernel->exprs->len, 0);
  return add_expr (kernel, (TlTileExpr) { kind, 0, a, b });
}

guint
tl_tile_select (TlTileKernel *kernel, guint condition, guint a, guint b)
{
  g_return_val_if_fail (condition > 0 && a > 0 && b > 0, 0);
  g_return_val_if_fail (MAX (condition, MAX (a, b)) < kernel->exprs->len, 0);
  return add_expr (kernel, (TlTileExpr) { TL_TILE_SELECT, 0, condition, a, b });
}

static guint
add_tensor (TlTileKernel *kernel, TlTileTensor tensor)
{
  g_array_append_val (kernel->tensors, tensor);
  return kernel->tensors->len - 1;
}

guint
tl_tile_register (TlTileKernel *kernel, const char *name, TlElementType type, const TlLayout *layout)
{
  return add_tensor (kernel, (TlTileTensor) { TL_TILE_REGISTER, g_strdup (name), type, .layout = *layout });
}

guint
tl_tile_shared (TlTileKernel *kernel, const char *name, TlElementType type, const TlShared *layout)
{
  return add_tensor (kernel, (TlTileTensor) { TL_TILE_SHARED, g_strdup (name), type, .shared = *layout });
}

guint
tl_tile_global (TlTileKernel *kernel, const char *name, TlElementType type)
{
  return add_tensor (kernel, (TlTileTensor) { TL_TILE_GLOBAL, g_strdup (name), type });
}

gint64
tl_tile_buffer (TlTileKernel *kernel, const char *name)
{
  g_ptr_array_add (kernel->buffers, g_strdup (name));
  return (gint64) kernel->buffers->len - 1;
}

guint
tl_tile_add (TlTileKernel *kernel, TlTileInstruction instruction)
{
  if (instruction.text != NULL)
    instruction.text = g_string_chunk_insert (kernel->texts, instruction.text);
  g_array_append_val (kernel->code, instruction);
  return kernel->code->len - 1;
}

/* Integers of bit operations; what is too large for one is 0. */
static gint64
integer (double value)
{
  return fabs (value) < 9007199254740992.0 ? (gint64) value : 0;
}

/* What is no number shifts by nothing. */
static double
shifted (double value, double by)
{
  return ldexp (value, isnan (by) ? 0 : (int) CLAMP (by, -2000, 2000));
}

double
tl_tile_evaluate (const TlTileKernel *kernel, guint expr, const TlTileScope *scope)
{
  const TlTileExpr *e = &g_array_index (kernel->exprs, TlTileExpr, expr);
  double            a, b;

  switch (e->kind)
    {
    case TL_TILE_CONSTANT:
      return e->value;
    case TL_TILE_VARIABLE:
      return scope->variables[e->a];
    case TL_TILE_INDEX:
      return (double) scope->index[e->a];
    case TL_TILE_ELEMENT:
      return scope->elements[e->a];
    case TL_TILE_SELECT:
      return tl_tile_evaluate (kernel, tl_tile_evaluate (kernel, e->a, scope) != 0 ? e->b : e->c, scope);
    default:
      break;
    }
  a = tl_tile_evaluate (kernel, e->a, scope);
  b = tl_tile_evaluate (kernel, e->b, scope);
  switch (e->kind)
    {
    case TL_TILE_PLUS:
      return a + b;
    case TL_TILE_MINUS:
      return a - b;
    case TL_TILE_TIMES:
      return a * b;
    case TL_TILE_OVER:
      return a / b;
    case TL_TILE_FLOOR_DIV:
      return floor (a / b);
    case TL_TILE_MODULO:
      return a - b * floor (a / b);
    case TL_TILE_LEAST:
      return MIN (a, b);
    case TL_TILE_GREATEST:
      return MAX (a, b);
    case TL_TILE_LESS:
      return a < b;
    case TL_TILE_LESS_EQUAL:
      return a <= b;
    case TL_TILE_EQUAL:
      return a == b;
    case TL_TILE_BOTH:
      return a != 0 && b != 0;
    case TL_TILE_EITHER:
      return a != 0 || b != 0;
    case TL_TILE_BIT_AND:
      return (double) (integer (a) & integer (b));
    case TL_TILE_BIT_OR:
      return (double) (integer (a) | integer (b));
    case TL_TILE_BIT_XOR:
      return (double) (integer (a) ^ integer (b));
    case TL_TILE_SHIFT_LEFT:
      return shifted (a, b);
    case TL_TILE_SHIFT_RIGHT:
      return floor (shifted (a, -b));
    default:
      g_return_val_if_reached (0);
    }
}

gboolean
tl_tile_expr_varies (const TlTileKernel *kernel, guint expr)
{
  return g_array_index (kernel->exprs, TlTileExpr, expr).varies;
}

gboolean
tl_tile_expr_constant (const TlTileKernel *kernel, guint expr, double *value)
{
  const TlTileExpr *e = &g_array_index (kernel->exprs, TlTileExpr, expr);
  TlTileScope       scope = { 0 };

  if (e->varies || e->named || e->size > TL_TILE_MAX_EXPR)
    return FALSE;
  *value = tl_tile_evaluate (kernel, expr, &scope);
  return TRUE;
}
