/* Matrix products. The value of each element is by definition
 *   c, then for k = 0, 1, ..: c = round (c + a[m,k] * b[k,n])
 * with f32 addition, or i32 addition that wraps. Products of 16-bit floats are exact in f32. */
#include "layout/element-code.h"
#include "tile/run-private.h"

enum
{
  COLUMNS = 8, /* at once; atoms are as wide */
};

/* All elements of a register in row-major order. */
static void
gather_floats (TlTileRun *run, TlTileBlock *block, guint tensor, const guint32 *holders, guint64 n, float *values)
{
  TlElementType type = tl_tile_tensor (run, tensor)->type;
  guint         locals = run->plan->registers[tensor].locals;

  for (guint64 i = 0; i < n; i++)
    {
      const guint8 *bytes = tl_tile_bytes (run, block, tensor, holders[i] / locals);
      guint32       code = tl_tile_get (bytes, type.bits, holders[i] % locals), bits;

      if (type.exponent == 8)
        bits = code << 16;
      else if ((code & 0x7c00) != 0 && (code & 0x7c00) != 0x7c00)
        bits = ((code & 0x8000) << 16) | (((code & 0x7fff) << 13) + (112u << 23));
      else if ((code & 0x7c00) == 0)
        {
          /* A zero or a subnormal f16, in units of 2^-24. */
          values[i] = (float) (code & 0x3ff) * (code >> 15 ? -0x1p-24f : 0x1p-24f);
          continue;
        }
      else
        {
          values[i] = (float) tl_element_decode (type, code);
          continue;
        }
      memcpy (&values[i], &bits, sizeof bits);
    }
}

static void
gather_integers (TlTileRun *run, TlTileBlock *block, guint tensor, const guint32 *holders, guint64 n, gint32 *values)
{
  TlElementType type = tl_tile_tensor (run, tensor)->type;
  guint         locals = run->plan->registers[tensor].locals;

  for (guint64 i = 0; i < n; i++)
    {
      guint32 code
          = tl_tile_get (tl_tile_bytes (run, block, tensor, holders[i] / locals), type.bits, holders[i] % locals);

      values[i] = type.kind == TL_ELEMENT_INT ? (gint8) code : (gint32) code;
    }
}

static void
multiply_floats (const float *restrict a, const float *restrict b, float *restrict c, guint64 m, guint64 n, guint64 k)
{
  for (guint64 row = 0; row < m; row++)
    for (guint64 first = 0; first < n; first += COLUMNS)
      {
        float *out = c + row * n + first, sum[COLUMNS];

        for (guint j = 0; j < COLUMNS; j++)
          sum[j] = out[j];
        for (guint64 i = 0; i < k; i++)
          {
            const float *in = b + i * n + first;
            float        left = a[row * k + i];

            for (guint j = 0; j < COLUMNS; j++)
              sum[j] += left * in[j];
          }
        for (guint j = 0; j < COLUMNS; j++)
          out[j] = sum[j];
      }
}

static void
multiply_integers (const gint32 *restrict a, const gint32 *restrict b, guint32 *restrict c, guint64 m, guint64 n,
                   guint64 k)
{
  for (guint64 row = 0; row < m; row++)
    for (guint64 i = 0; i < k; i++)
      for (guint64 j = 0; j < n; j++)
        c[row * n + j] += (guint32) (a[row * k + i] * b[i * n + j]);
}

static void
run_floats (TlTileRun *run, TlTileBlock *block, guint64 m, guint64 n, guint64 k)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  guint                    locals = run->plan->registers[at->result].locals;
  gsize                    places = (gsize) run->plan->threads * locals;
  g_autofree float        *a = g_new (float, m *k);
  g_autofree float        *b = g_new (float, k *n);
  g_autofree float        *c = g_new (float, m *n);
  guint32                  code;

  for (gsize i = 0; i < places; i++)
    {
      code = tl_tile_get (tl_tile_bytes (run, block, at->operands[2], (guint) (i / locals)), 32, (guint) (i % locals));
      memcpy (&c[step->index[i]], &code, sizeof code);
    }
  gather_floats (run, block, at->operands[0], step->holder[0], m * k, a);
  gather_floats (run, block, at->operands[1], step->holder[1], k * n, b);
  multiply_floats (a, b, c, m, n, k);
  for (gsize i = 0; i < places; i++)
    {
      memcpy (&code, &c[step->index[i]], sizeof code);
      tl_tile_put (tl_tile_bytes (run, block, at->result, (guint) (i / locals)), 32, (guint) (i % locals), code);
    }
}

static void
run_integers (TlTileRun *run, TlTileBlock *block, guint64 m, guint64 n, guint64 k)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  guint                    locals = run->plan->registers[at->result].locals;
  gsize                    places = (gsize) run->plan->threads * locals;
  g_autofree gint32       *a = g_new (gint32, m * k);
  g_autofree gint32       *b = g_new (gint32, k * n);
  g_autofree guint32      *c = g_new (guint32, m * n);

  for (gsize i = 0; i < places; i++)
    c[step->index[i]]
        = tl_tile_get (tl_tile_bytes (run, block, at->operands[2], (guint) (i / locals)), 32, (guint) (i % locals));
  gather_integers (run, block, at->operands[0], step->holder[0], m * k, a);
  gather_integers (run, block, at->operands[1], step->holder[1], k * n, b);
  multiply_integers (a, b, c, m, n, k);
  for (gsize i = 0; i < places; i++)
    tl_tile_put (tl_tile_bytes (run, block, at->result, (guint) (i / locals)), 32, (guint) (i % locals),
                 c[step->index[i]]);
}

gboolean
tl_tile_run_dot (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction  *at = tl_tile_now (run, block);
  const TlTileStep         *step = &run->plan->steps[block->at];
  const TlTileRegisterPlan *pa = &run->plan->registers[at->operands[0]], *pc = &run->plan->registers[at->result];
  guint64                   m = (guint64) pc->shape[0], n = (guint64) pc->shape[1], k = (guint64) pa->shape[1];

  for (guint i = 0; i < 3; i++)
    if (!tl_tile_readable (run, block, at->operands[i]))
      return FALSE;
  if (tl_tile_tensor (run, at->operands[0])->type.kind == TL_ELEMENT_FLOAT)
    run_floats (run, block, m, n, k);
  else
    run_integers (run, block, m, n, k);
  block->written[pc->storage] = TRUE;
  run->report->dots += step->atoms;
  run->report->thread_steps += step->atoms * TL_TILE_WARP;
  return TRUE;
}
