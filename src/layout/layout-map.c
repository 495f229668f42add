/* The map of a layout, both ways. */
#include "layout/layout.h"

guint
tl_layout_threads (const TlLayout *layout)
{
  guint n = 1;

  for (guint i = 0; i < layout->n_spatial; i++)
    n *= (guint) (layout->spatial[i] < 0 ? -layout->spatial[i] : layout->modes[layout->spatial[i]]);
  return n;
}

guint
tl_layout_locals (const TlLayout *layout)
{
  guint n = 1;

  for (guint i = 0; i < layout->n_local; i++)
    n *= (guint) layout->modes[layout->local[i]];
  return n;
}

guint64
tl_layout_elements (const TlLayout *layout)
{
  guint64 n = 1;

  for (guint m = 0; m < layout->n_modes; m++)
    n *= (guint64) layout->modes[m];
  return n;
}

guint
tl_layout_copies (const TlLayout *layout)
{
  guint n = 1;

  for (guint i = 0; i < layout->n_spatial; i++)
    n *= layout->spatial[i] < 0 ? (guint) -layout->spatial[i] : 1;
  return n;
}

/* Modes lie in row-major order, so the flat index has them as digits. */
void
tl_layout_weights (const TlLayout *layout, guint64 *weights)
{
  guint64 weight = 1;

  for (guint m = layout->n_modes; m-- > 0;)
    {
      weights[m] = weight;
      weight *= (guint64) layout->modes[m];
    }
}

static guint64
thread_part (const TlLayout *layout, const guint64 *weights, guint thread)
{
  guint64 index = 0;

  for (guint i = layout->n_spatial; i-- > 0;)
    {
      gint32 m = layout->spatial[i];
      guint  size = (guint) (m < 0 ? -m : layout->modes[m]);

      if (m >= 0)
        index += thread % size * weights[m];
      thread /= size;
    }
  return index;
}

static guint64
local_part (const TlLayout *layout, const guint64 *weights, guint local)
{
  guint64 index = 0;

  for (guint i = layout->n_local; i-- > 0;)
    {
      guint size = (guint) layout->modes[layout->local[i]];

      index += local % size * weights[layout->local[i]];
      local /= size;
    }
  return index;
}

guint64
tl_layout_index (const TlLayout *layout, guint thread, guint local)
{
  guint64 weights[2 * TL_LAYOUT_MAX_MODES];

  tl_layout_weights (layout, weights);
  return thread_part (layout, weights, thread) + local_part (layout, weights, local);
}

guint
tl_layout_where (const TlLayout *layout, guint64 index, guint32 *threads, guint *local)
{
  guint64 weights[2 * TL_LAYOUT_MAX_MODES];
  guint   n = 1;

  tl_layout_weights (layout, weights);
  *local = 0;
  for (guint i = 0; i < layout->n_local; i++)
    {
      guint m = (guint) layout->local[i];
      *local = *local * (guint) layout->modes[m] + (guint) (index / weights[m] % (guint64) layout->modes[m]);
    }
  /* Slowest digit first keeps the threads ascending. */
  threads[0] = 0;
  for (guint i = 0; i < layout->n_spatial; i++)
    {
      gint32 m = layout->spatial[i];

      if (m >= 0)
        {
          guint digit = (guint) (index / weights[m] % (guint64) layout->modes[m]);
          for (guint k = 0; k < n; k++)
            threads[k] = threads[k] * (guint) layout->modes[m] + digit;
        }
      else
        {
          guint copies = (guint) -m;
          for (guint k = n; k-- > 0;)
            for (guint c = copies; c-- > 0;)
              threads[k * copies + c] = threads[k] * copies + c;
          n *= copies;
        }
    }
  return n;
}

void
tl_layout_map (const TlLayout *layout, guint64 *indices)
{
  guint64 weights[2 * TL_LAYOUT_MAX_MODES];
  guint   n_threads = tl_layout_threads (layout), n_locals = tl_layout_locals (layout);

  tl_layout_weights (layout, weights);
  for (guint l = 0; l < n_locals; l++)
    indices[l] = local_part (layout, weights, l);
  /* Thread 0's row is the locals' part of every other. */
  for (guint t = 1; t < n_threads; t++)
    {
      guint64 base = thread_part (layout, weights, t);
      for (guint l = 0; l < n_locals; l++)
        indices[(gsize) t * n_locals + l] = base + indices[l];
    }
}
