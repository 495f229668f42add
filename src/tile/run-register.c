/* Instructions on registers, thread by thread: operands' elements are taken out as values,
 * computed with, and put back rounded. */
#include "layout/element-code.h"
#include "tile/run-private.h"

#include <math.h>

static gboolean
is_integer (TlElementType type)
{
  return type.kind != TL_ELEMENT_FLOAT;
}

gboolean
tl_tile_readable (TlTileRun *run, TlTileBlock *block, guint tensor)
{
  if (block->written[run->plan->registers[tensor].storage])
    return TRUE;
  return tl_tile_fault (run, block, TL_TILE_FAULT_UNWRITTEN, TL_TILE_ALL_THREADS, NULL,
                        "reads %s, which nothing has written", tl_tile_tensor (run, tensor)->name);
}

static gint64
integer_of (TlElementType type, guint32 code)
{
  if (type.kind == TL_ELEMENT_INT && type.bits < 64)
    {
      guint64 sign = G_GUINT64_CONSTANT (1) << (type.bits - 1);
      return (gint64) ((code ^ sign) - sign);
    }
  return code;
}

static double
value_of (TlElementType type, guint32 code)
{
  float single;

  if (type.kind == TL_ELEMENT_FLOAT && type.bits == 32)
    {
      memcpy (&single, &code, sizeof single);
      return single;
    }
  return is_integer (type) ? (double) integer_of (type, code) : tl_element_decode (type, code);
}

static guint32
code_of (TlElementType type, double value)
{
  guint32 code;

  if (type.kind == TL_ELEMENT_FLOAT && type.bits == 32)
    {
      float single = (float) value;
      memcpy (&code, &single, sizeof code);
      return code;
    }
  return (guint32) tl_element_round (type, value);
}

/* Local of the operand for local @l of thread @t. */
static inline guint32
gathered (const TlTileGather *gather, guint t, guint locals, guint l)
{
  if (gather->table == NULL)
    return l;
  return gather->table[(gather->one_row ? 0 : (gsize) t * locals) + l];
}

/* Same bits, other places: assign, slices, repeats. */
static void
move_elements (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileGather      *gather = &run->plan->steps[block->at].gather[0];
  guint                    bits = tl_tile_tensor (run, at->result)->type.bits;
  guint                    locals = run->plan->registers[at->result].locals;
  gint64                  *codes = run->integers[0];

  for (guint t = 0; t < run->plan->threads; t++)
    {
      const guint8 *from = tl_tile_bytes (run, block, at->operands[0], t);
      guint8       *to = tl_tile_bytes (run, block, at->result, t);

      for (guint l = 0; l < locals; l++)
        {
          guint32 source = gathered (gather, t, locals, l);
          codes[l] = source == TL_TILE_KEEP ? tl_tile_get (to, bits, l) : tl_tile_get (from, bits, source);
        }
      for (guint l = 0; l < locals; l++)
        tl_tile_put (to, bits, l, (guint32) codes[l]);
    }
}

static void
cast (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  const TlTileGather      *gather = &step->gather[0];
  TlElementType            from = tl_tile_tensor (run, at->operands[0])->type;
  TlElementType            to = tl_tile_tensor (run, at->result)->type;
  guint                    locals = run->plan->registers[at->result].locals;
  gint64                  *codes = run->integers[0];

  for (guint t = 0; t < run->plan->threads; t++)
    {
      const guint8 *source = tl_tile_bytes (run, block, at->operands[0], t);
      guint8       *target = tl_tile_bytes (run, block, at->result, t);

      for (guint l = 0; l < locals; l++)
        {
          guint32 code = tl_tile_get (source, from.bits, gathered (gather, t, locals, l));
          guint64 other;

          if (step->codes != NULL)
            codes[l] = step->codes[code];
          else
            {
              double value = value_of (from, code);
              /* A NaN that the type lacks is made 0. */
              codes[l] = (gint64) (tl_element_encode (to, value, &other) ? other : tl_element_round (to, value));
            }
        }
      for (guint l = 0; l < locals; l++)
        tl_tile_put (target, to.bits, l, (guint32) codes[l]);
    }
}

static double
float_result (const TlTileInstruction *at, double a, double b, double c)
{
  switch (at->op)
    {
    case TL_TILE_NEG:
      return -a;
    case TL_TILE_ABS:
      return fabs (a);
    case TL_TILE_CLIP:
      return a < at->low ? at->low : a > at->high ? at->high : a;
    case TL_TILE_ADD:
      return a + b;
    case TL_TILE_SUB:
      return a - b;
    case TL_TILE_MUL:
      return a * b;
    case TL_TILE_DIV:
      return a / b;
    case TL_TILE_MOD:
      return fmod (a, b);
    default:
      return a != 0 ? b : c;
    }
}

/* Wraps around as machines do: only the low bits of what this gives are kept. */
static gint64
integer_result (const TlTileInstruction *at, gint64 a, gint64 b, gint64 c)
{
  switch (at->op)
    {
    case TL_TILE_NEG:
      return -a;
    case TL_TILE_ABS:
      return ABS (a);
    case TL_TILE_CLIP:
      return (gint64) CLAMP ((double) a, MAX (at->low, -1e15), MIN (at->high, 1e15));
    case TL_TILE_ADD:
      return a + b;
    case TL_TILE_SUB:
      return a - b;
    case TL_TILE_MUL:
      return (gint64) ((guint64) a * (guint64) b);
    case TL_TILE_DIV:
      return a / b;
    case TL_TILE_MOD:
      return a % b;
    default:
      return a != 0 ? b : c;
    }
}

static gboolean
elementwise (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  TlElementType            type = tl_tile_tensor (run, at->result)->type;
  guint                    locals = run->plan->registers[at->result].locals, n = tl_tile_n_operands (at->op);
  guint32                  mask = (guint32) ((G_GUINT64_CONSTANT (1) << type.bits) - 1);

  for (guint t = 0; t < run->plan->threads; t++)
    {
      guint8 *target = tl_tile_bytes (run, block, at->result, t);

      for (guint k = 0; k < n; k++)
        {
          TlElementType own = tl_tile_tensor (run, at->operands[k])->type;
          const guint8 *source = tl_tile_bytes (run, block, at->operands[k], t);

          for (guint l = 0; l < locals; l++)
            {
              guint32 code = tl_tile_get (source, own.bits, gathered (&step->gather[k], t, locals, l));

              if (is_integer (type) && is_integer (own))
                run->integers[k][l] = integer_of (own, code);
              else if (is_integer (type))
                run->integers[k][l] = value_of (own, code) != 0;
              else
                run->values[k][l] = value_of (own, code);
            }
        }
      for (guint l = 0; l < locals; l++)
        {
          if (!is_integer (type))
            {
              double result = float_result (at, run->values[0][l], run->values[1][l], run->values[2][l]);
              tl_tile_put (target, type.bits, l, code_of (type, result));
              continue;
            }
          if ((at->op == TL_TILE_DIV || at->op == TL_TILE_MOD) && run->integers[1][l] == 0)
            return tl_tile_fault (run, block, TL_TILE_FAULT_ARITHMETIC, t, NULL, "divides %" G_GINT64_FORMAT " by zero",
                                  run->integers[0][l]);
          gint64 result = integer_result (at, run->integers[0][l], run->integers[1][l], run->integers[2][l]);
          tl_tile_put (target, type.bits, l, (guint32) (guint64) result & mask);
        }
    }
  return TRUE;
}

/* A function of the index and up to two elements; with no operand the register's beginning. */
static void
functional (TlTileRun *run, TlTileBlock *block, guint n)
{
  const TlTileInstruction  *at = tl_tile_now (run, block);
  const TlTileStep         *step = &run->plan->steps[block->at];
  const TlTileRegisterPlan *reg = &run->plan->registers[at->result];
  TlElementType             type = tl_tile_tensor (run, at->result)->type;
  TlTileScope               scope = { .variables = block->variables };

  for (guint t = 0; t < run->plan->threads; t++)
    {
      guint8 *target = tl_tile_bytes (run, block, at->result, t);

      for (guint l = 0; l < reg->locals; l++)
        {
          for (guint d = 0; step->coords != NULL && d < reg->n_dims; d++)
            scope.index[d] = step->coords[((gsize) t * reg->locals + l) * reg->n_dims + d];
          for (guint k = 0; k < n; k++)
            {
              TlElementType own = tl_tile_tensor (run, at->operands[k])->type;
              const guint8 *source = tl_tile_bytes (run, block, at->operands[k], t);
              scope.elements[k]
                  = value_of (own, tl_tile_get (source, own.bits, gathered (&step->gather[k], t, reg->locals, l)));
            }
          double value = at->function > 0 ? tl_tile_evaluate (run->kernel, at->function, &scope) : 0;
          run->integers[0][l] = code_of (type, value);
        }
      for (guint l = 0; l < reg->locals; l++)
        tl_tile_put (target, type.bits, l, (guint32) run->integers[0][l]);
    }
}

static double
fold (TlTileFold how, double a, double b)
{
  switch (how)
    {
    case TL_TILE_SUM:
      return a + b;
    case TL_TILE_MIN:
      return MIN (a, b);
    case TL_TILE_MAX:
      return MAX (a, b);
    case TL_TILE_ANY:
      return a != 0 || b != 0;
    default:
      return a != 0 && b != 0;
    }
}

/* Rounded, or wrapped, to the type after each step. */
static double
fold_step (TlElementType type, TlTileFold how, double a, double b)
{
  double result = fold (how, a, b);

  if (is_integer (type))
    return value_of (type, (guint32) (guint64) (gint64) result & (guint32) ((G_GUINT64_CONSTANT (1) << type.bits) - 1));
  return value_of (type, code_of (type, result));
}

static double
fold_start (TlElementType type, TlTileFold how)
{
  switch (how)
    {
    case TL_TILE_MIN:
      return is_integer (type) ? tl_element_type_greatest (type) : value_of (type, code_of (type, HUGE_VAL));
    case TL_TILE_MAX:
      return is_integer (type) ? tl_element_type_lowest (type) : value_of (type, code_of (type, -HUGE_VAL));
    case TL_TILE_ALL:
      return value_of (type, code_of (type, 1));
    default:
      return 0;
    }
}

static double
held_value (TlTileRun *run, TlTileBlock *block, guint tensor, guint32 holder)
{
  TlElementType type = tl_tile_tensor (run, tensor)->type;
  guint         locals = run->plan->registers[tensor].locals;

  return value_of (type, tl_tile_get (tl_tile_bytes (run, block, tensor, holder / locals), type.bits, holder % locals));
}

/* Reduce and scan, over whole rows of elements wherever they are. */
static void
fold_elements (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction  *at = tl_tile_now (run, block);
  const TlTileStep         *step = &run->plan->steps[block->at];
  const TlTileRegisterPlan *from = &run->plan->registers[at->operands[0]], *to = &run->plan->registers[at->result];
  TlElementType             type = tl_tile_tensor (run, at->result)->type;
  guint64                   inner = 1, outer = 1, n = (guint64) from->shape[at->dims[0]];

  for (guint d = 0; d < at->dims[0]; d++)
    outer *= (guint64) from->shape[d];
  for (guint d = (guint) at->dims[0] + 1; d < from->n_dims; d++)
    inner *= (guint64) from->shape[d];
  g_autofree double *results = g_new (double, outer *inner *(at->op == TL_TILE_SCAN ? n : 1));
  for (guint64 o = 0; o < outer; o++)
    for (guint64 i = 0; i < inner; i++)
      {
        double sum = fold_start (type, at->fold);

        for (guint64 k = 0; k < n; k++)
          {
            guint64 index = (o * n + k) * inner + i;
            double  value = held_value (run, block, at->operands[0], step->holder[0][index]);

            if (at->op == TL_TILE_SCAN && at->flag)
              results[index] = sum;
            sum = fold_step (type, at->fold, sum, value);
            if (at->op == TL_TILE_SCAN && !at->flag)
              results[index] = sum;
          }
        if (at->op == TL_TILE_REDUCE)
          results[o * inner + i] = sum;
      }
  for (guint t = 0; t < run->plan->threads; t++)
    for (guint l = 0; l < to->locals; l++)
      tl_tile_put (tl_tile_bytes (run, block, at->result, t), type.bits, l,
                   code_of (type, results[step->index[(gsize) t * to->locals + l]]));
}

static void
shuffle (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  guint                    bits = tl_tile_tensor (run, at->result)->type.bits;
  guint                    locals = run->plan->registers[at->result].locals, threads = run->plan->threads;
  g_autofree guint32      *codes = g_new (guint32, (gsize) threads * locals);

  for (guint t = 0; t < threads; t++)
    for (guint l = 0; l < locals; l++)
      codes[(gsize) t * locals + l]
          = tl_tile_get (tl_tile_bytes (run, block, at->operands[0], step->index[t]), bits, l);
  for (guint t = 0; t < threads; t++)
    for (guint l = 0; l < locals; l++)
      tl_tile_put (tl_tile_bytes (run, block, at->result, t), bits, l, codes[(gsize) t * locals + l]);
}

gboolean
tl_tile_run_register (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  guint                    n = tl_tile_n_operands (at->op);

  for (guint k = 0; k < n; k++)
    if (!tl_tile_readable (run, block, at->operands[k]))
      return FALSE;
  if (tl_tile_is_form (at->op))
    return TRUE;
  switch (at->op)
    {
    case TL_TILE_SLICE_ASSIGN:
      if (!tl_tile_readable (run, block, at->result))
        return FALSE;
      move_elements (run, block);
      break;
    case TL_TILE_ASSIGN:
    case TL_TILE_SLICE_REGISTER:
    case TL_TILE_REPEAT:
    case TL_TILE_REPEAT_INTERLEAVE:
      move_elements (run, block);
      break;
    case TL_TILE_CAST:
      cast (run, block);
      break;
    case TL_TILE_ALLOCATE_REGISTER:
    case TL_TILE_UNARY:
    case TL_TILE_BINARY:
      functional (run, block, n);
      break;
    case TL_TILE_REDUCE:
    case TL_TILE_SCAN:
      fold_elements (run, block);
      break;
    case TL_TILE_SHUFFLE_DOWN:
    case TL_TILE_SHUFFLE_UP:
      shuffle (run, block);
      break;
    default:
      if (!elementwise (run, block))
        return FALSE;
    }
  block->written[run->plan->registers[at->result].storage] = TRUE;
  return TRUE;
}

void
tl_tile_print_tensor (TlTileRun *run, TlTileBlock *block, guint tensor)
{
  const TlTileRegisterPlan *reg = &run->plan->registers[tensor];
  const TlTileTensor       *found = tl_tile_tensor (run, tensor);
  g_autofree guint32       *holders = tl_tile_holders (run->plan, tensor);
  guint64                   n = tl_layout_elements (&found->layout);
  guint64                   row = reg->n_dims > 0 ? (guint64) reg->shape[reg->n_dims - 1] : 1;
  g_autofree char          *shape = tl_tile_shape_text (reg->shape, reg->n_dims);

  g_string_append_printf (run->printed, "%s %s\n", found->name, shape);
  for (guint64 i = 0; i < n; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.9g", held_value (run, block, tensor, holders[i]));
      g_string_append (run->printed, number);
      g_string_append_c (run->printed, (i + 1) % row == 0 ? '\n' : ' ');
    }
}
