/* Listings of kernels. */
#include "layout/convert.h"
#include "tile/kernel-private.h"

#include <string.h>

static const char *const op_names[TL_TILE_N_OPS] = {
  "nothing",
  "allocate_register",
  "assign",
  "slice_assign",
  "slice_register",
  "view",
  "cast",
  "squeeze",
  "unsqueeze",
  "transpose",
  "reshape_register",
  "repeat",
  "repeat_interleave",
  "neg",
  "abs",
  "clip",
  "add",
  "sub",
  "mul",
  "div",
  "mod",
  "where",
  "unary",
  "binary",
  "reduce",
  "scan",
  "shuffle_down",
  "shuffle_up",
  "allocate_global",
  "global_view",
  "slice_global",
  "load_global",
  "store_global",
  "load_global_generic",
  "store_global_generic",
  "allocate_shared",
  "free_shared",
  "slice_shared",
  "reshape_shared",
  "permute_shared",
  "load_shared",
  "store_shared",
  "copy_async",
  "copy_async_generic",
  "commit_group",
  "wait_group",
  "wait_all",
  "dot",
  "sync_threads",
  "lock_semaphore",
  "release_semaphore",
  "print_tensor",
  "format_print",
  "annotate_layout",
  "exit",
  "for",
  "if",
  "else",
  "end",
};

/* Between operands, or with a comma in brackets. */
static const char *const expr_signs[TL_TILE_N_EXPRS] = {
  [TL_TILE_PLUS] = " + ",         [TL_TILE_MINUS] = " - ",       [TL_TILE_TIMES] = " * ",
  [TL_TILE_OVER] = " / ",         [TL_TILE_FLOOR_DIV] = " // ",  [TL_TILE_MODULO] = " % ",
  [TL_TILE_LESS] = " < ",         [TL_TILE_LESS_EQUAL] = " <= ", [TL_TILE_EQUAL] = " == ",
  [TL_TILE_BOTH] = " and ",       [TL_TILE_EITHER] = " or ",     [TL_TILE_BIT_AND] = " & ",
  [TL_TILE_BIT_OR] = " | ",       [TL_TILE_BIT_XOR] = " ^ ",     [TL_TILE_SHIFT_LEFT] = " << ",
  [TL_TILE_SHIFT_RIGHT] = " >> ",
};

const char *
tl_tile_op_name (TlTileOp op)
{
  return op < TL_TILE_N_OPS ? op_names[op] : "?";
}

static void
append_expr (GString *text, const TlTileKernel *kernel, guint expr)
{
  const TlTileExpr *e = &g_array_index (kernel->exprs, TlTileExpr, expr);
  char              number[G_ASCII_DTOSTR_BUF_SIZE];

  if (e->size > TL_TILE_MAX_EXPR)
    {
      g_string_append (text, "..");
      return;
    }
  switch (e->kind)
    {
    case TL_TILE_CONSTANT:
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.17g", e->value));
      return;
    case TL_TILE_VARIABLE:
      g_string_append (text, g_array_index (kernel->variables, TlTileVariable, e->a).name);
      return;
    case TL_TILE_INDEX:
      g_string_append_printf (text, "i%u", e->a);
      return;
    case TL_TILE_ELEMENT:
      g_string_append (text, e->a == 0 ? "x" : "y");
      return;
    case TL_TILE_SELECT:
      g_string_append_c (text, '(');
      append_expr (text, kernel, e->a);
      g_string_append (text, " ? ");
      append_expr (text, kernel, e->b);
      g_string_append (text, " : ");
      append_expr (text, kernel, e->c);
      g_string_append_c (text, ')');
      return;
    default:
      break;
    }
  if (expr_signs[e->kind] == NULL)
    g_string_append (text, e->kind == TL_TILE_LEAST ? "min" : "max");
  g_string_append_c (text, '(');
  append_expr (text, kernel, e->a);
  g_string_append (text, expr_signs[e->kind] != NULL ? expr_signs[e->kind] : ", ");
  append_expr (text, kernel, e->b);
  g_string_append_c (text, ')');
}

static void
append_exprs (GString *text, const TlTileKernel *kernel, const char *name, const guint *exprs, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, i == 0 ? " %s=[" : ", ", name);
      append_expr (text, kernel, exprs[i]);
    }
  if (n > 0)
    g_string_append_c (text, ']');
}

static void
append_numbers (GString *text, const char *name, const gint64 *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, i == 0 ? " %s=[" : ", ", name);
      g_string_append_printf (text, "%" G_GINT64_FORMAT, numbers[i]);
    }
  if (n > 0)
    g_string_append_c (text, ']');
}

static const char *
name_of (const TlTileKernel *kernel, guint tensor)
{
  return tensor < kernel->tensors->len ? g_array_index (kernel->tensors, TlTileTensor, tensor).name : "?";
}

static void
append_rest (GString *text, const TlTileKernel *kernel, const TlTileInstruction *at)
{
  static const char *const folds[] = { "sum", "min", "max", "any", "all" };
  const TlTileOp           op = at->op;

  if (op == TL_TILE_GLOBAL_VIEW && at->amount >= 0 && at->amount < kernel->buffers->len)
    g_string_append_printf (text, " %s", (const char *) g_ptr_array_index (kernel->buffers, at->amount));
  append_exprs (text, kernel, "at", at->offsets, at->n_offsets);
  append_exprs (text, kernel, "sizes", at->sizes, at->n_sizes);
  append_exprs (text, kernel, "strides", at->strides, at->n_strides);
  append_numbers (text, "dims", at->dims, at->n_dims);
  if (op == TL_TILE_SLICE_ASSIGN || op == TL_TILE_SLICE_REGISTER)
    {
      guint whole = op == TL_TILE_SLICE_ASSIGN ? at->result : at->operands[0];
      append_numbers (text, "starts", at->starts, tl_tile_kernel_tensor (kernel, whole)->layout.n_dims);
    }
  if (at->function > 0)
    {
      g_string_append (text, " of ");
      append_expr (text, kernel, at->function);
    }
  if (at->mask > 0)
    {
      g_string_append (text, " where ");
      append_expr (text, kernel, at->mask);
    }
  if (op == TL_TILE_WAIT_GROUP || op == TL_TILE_REPEAT || op == TL_TILE_REPEAT_INTERLEAVE || op == TL_TILE_SHUFFLE_DOWN
      || op == TL_TILE_SHUFFLE_UP || (op == TL_TILE_VIEW && at->amount > 0))
    g_string_append_printf (text, " %" G_GINT64_FORMAT, at->amount);
  if (op == TL_TILE_CLIP)
    g_string_append_printf (text, " to %g..%g", at->low, at->high);
  if (op == TL_TILE_REDUCE || op == TL_TILE_SCAN)
    g_string_append_printf (text, " %s", folds[MIN ((guint) at->fold, G_N_ELEMENTS (folds) - 1)]);
  if (at->text != NULL)
    {
      g_autofree char *escaped = g_strescape (at->text, NULL);
      g_string_append_printf (text, " \"%s\"", escaped);
    }
}

/* One line of the listing: "w = view w8 : i6 local(2,1)..". (transfer full) */
static char *
instruction_text (const TlTileKernel *kernel, guint instruction)
{
  const TlTileInstruction *at = tl_tile_kernel_at (kernel, instruction);
  GString                 *text = g_string_new (NULL);

  if (at->op == TL_TILE_FOR)
    {
      if (at->amount >= 0 && at->amount < kernel->variables->len)
        g_string_append_printf (text, "for %s", g_array_index (kernel->variables, TlTileVariable, at->amount).name);
      append_exprs (text, kernel, "from, below, by", at->offsets, at->n_offsets);
      return g_string_free (text, FALSE);
    }
  if (at->result > 0)
    g_string_append_printf (text, "%s = ", name_of (kernel, at->result));
  g_string_append (text, tl_tile_op_name (at->op));
  for (guint k = 0; k < G_N_ELEMENTS (at->operands) && at->operands[k] > 0; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : " ", name_of (kernel, at->operands[k]));
  append_rest (text, kernel, at);
  return g_string_free (text, FALSE);
}

static void
append_tensor (GString *text, const TlTileTensor *tensor)
{
  static const char *const spaces[] = { "register", "shared", "global" };
  g_autofree char         *type = tl_element_type_name (tensor->type);
  g_autofree char         *layout = NULL;

  if (tensor->space == TL_TILE_REGISTER)
    {
      layout = tl_layout_to_kronecker (&tensor->layout, NULL);
      if (layout == NULL)
        layout = tl_layout_to_text (&tensor->layout);
    }
  else if (tensor->space == TL_TILE_SHARED && tensor->shared.n_dims > 0)
    layout = tl_shared_to_text (&tensor->shared);
  g_string_append_printf (text, "%s %s: %s%s%s\n", spaces[tensor->space], tensor->name, type, layout != NULL ? " " : "",
                          layout != NULL ? layout : "");
}

char *
tl_tile_kernel_to_text (const TlTileKernel *kernel)
{
  GString *text = g_string_new (NULL);
  guint    depth = 0;

  g_string_append_printf (text, "kernel %s, %u threads\n", kernel->name, kernel->threads);
  for (guint i = 1; i < kernel->tensors->len; i++)
    append_tensor (text, &g_array_index (kernel->tensors, TlTileTensor, i));
  for (guint i = 0; i < kernel->code->len; i++)
    {
      TlTileOp         op = g_array_index (kernel->code, TlTileInstruction, i).op;
      g_autofree char *line = instruction_text (kernel, i);

      depth -= (op == TL_TILE_END || op == TL_TILE_ELSE) && depth > 0;
      g_string_append_printf (text, "%4u  %*s%s\n", i, (int) (2 * depth), "", line);
      depth += op == TL_TILE_FOR || op == TL_TILE_IF || op == TL_TILE_ELSE;
    }
  return g_string_free (text, FALSE);
}
