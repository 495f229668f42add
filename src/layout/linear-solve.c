/* Linear layouts over GF(2): what elimination answers. */
#include "layout/layout-private.h"
#include "layout/linear.h"

#include <string.h>

/* Columns eliminated so far: each with its top bit as pivot, and which inputs (bits of
 * all inputs in a row) make it. */
typedef struct
{
  guint64 value[64];
  guint64 made_of[64];
  guint   n;
  guint64 kernel[64]; /* combinations that make nothing */
  guint   n_kernel;
} Basis;

static guint64
reduce (const Basis *basis, guint64 value, guint64 *made_of)
{
  for (guint i = 0; i < basis->n; i++)
    {
      guint top = 63 - (guint) __builtin_clzll (basis->value[i]);
      if ((value >> top) & 1)
        {
          value ^= basis->value[i];
          *made_of ^= basis->made_of[i];
        }
    }
  return value;
}

/* Keeps pivots fully reduced and falling, so that one pass of reduce is enough. Returns
 * FALSE when @value depends on those before it. */
static gboolean
insert (Basis *basis, guint64 value, guint64 made_of)
{
  value = reduce (basis, value, &made_of);
  if (value == 0)
    {
      if (basis->n_kernel < 64)
        basis->kernel[basis->n_kernel++] = made_of;
      return FALSE;
    }
  guint top = 63 - (guint) __builtin_clzll (value), at = 0;
  while (at < basis->n && basis->value[at] > value)
    at++;
  for (guint i = 0; i < basis->n; i++)
    if ((basis->value[i] >> top) & 1)
      {
        basis->value[i] ^= value;
        basis->made_of[i] ^= made_of;
      }
  memmove (basis->value + at + 1, basis->value + at, (basis->n - at) * sizeof *basis->value);
  memmove (basis->made_of + at + 1, basis->made_of + at, (basis->n - at) * sizeof *basis->made_of);
  basis->value[at] = value;
  basis->made_of[at] = made_of;
  basis->n++;
  return TRUE;
}

static guint
n_in_bits (const TlLinear *linear)
{
  guint n = 0;

  for (guint i = 0; i < linear->n_in; i++)
    n += linear->in[i].n_bits;
  return n;
}

void
tl_linear_free_bits (const TlLinear *linear, guint64 *masks)
{
  Basis basis = { 0 };

  for (guint i = 0; i < linear->n_in; i++)
    {
      masks[i] = 0;
      for (guint k = 0; k < linear->in[i].n_bits; k++)
        if (!insert (&basis, linear->in[i].bases[k], 0))
          masks[i] |= (guint64) 1 << k;
    }
}

gboolean
tl_linear_surjective (const TlLinear *linear)
{
  Basis basis = { 0 };

  for (guint i = 0; i < linear->n_in; i++)
    for (guint k = 0; k < linear->in[i].n_bits; k++)
      insert (&basis, linear->in[i].bases[k], 0);
  return basis.n == tl_linear_out_bits (linear);
}

/* Of the solutions x + kernel the least number: no kernel pivot stays set. */
static guint64
least (const Basis *kernel, guint64 x)
{
  guint64 unused = 0;

  return reduce (kernel, x, &unused);
}

gboolean
tl_linear_invert_and_compose (TlLinear *result, const TlLinear *a, const TlLinear *b, char **reason)
{
  TlLinear l = *a;
  Basis    basis = { 0 }, kernel = { 0 };
  guint    bit = 0;

  if (n_in_bits (b) > 63)
    return tl_refuse (reason, "more than 63 input bits");
  if (a->n_out != b->n_out)
    return tl_refuse (reason, "%u outputs and %u outputs", a->n_out, b->n_out);
  for (guint o = 0; o < a->n_out; o++)
    if (a->out[o].n_bits > b->out[o].n_bits && tl_linear_out_bits (a) != tl_linear_out_bits (b))
      return tl_refuse (reason, "output %s has %u bits in one layout and %u in the other", a->out[o].name,
                        a->out[o].n_bits, b->out[o].n_bits);
  for (guint i = 0; i < b->n_in; i++)
    for (guint k = 0; k < b->in[i].n_bits; k++)
      insert (&basis, b->in[i].bases[k], (guint64) 1 << bit++);
  for (guint i = 0; i < basis.n_kernel; i++)
    insert (&kernel, basis.kernel[i], 0);
  l.n_out = b->n_in;
  for (guint o = 0; o < l.n_out; o++)
    {
      memcpy (l.out[o].name, b->in[o].name, TL_LINEAR_NAME);
      l.out[o].n_bits = b->in[o].n_bits;
    }
  for (guint i = 0; i < a->n_in; i++)
    for (guint k = 0; k < a->in[i].n_bits; k++)
      {
        guint64 x = 0, target = 0;
        guint   offset = 0;

        for (guint o = 0; o < a->n_out; o++)
          {
            target |= tl_linear_field (a, a->in[i].bases[k], o) << offset;
            offset += b->out[o].n_bits;
          }
        if (reduce (&basis, target, &x) != 0)
          return tl_refuse (reason, "the second layout does not reach bit %u of input %s of the first", k,
                            a->in[i].name);
        l.in[i].bases[k] = least (&kernel, x);
      }
  *result = l;
  return TRUE;
}

gboolean
tl_linear_invert (TlLinear *result, const TlLinear *linear, char **reason)
{
  TlLinear identity = { .n_in = linear->n_out, .n_out = linear->n_out };
  guint    offset = 0;

  if (n_in_bits (linear) != tl_linear_out_bits (linear) || !tl_linear_surjective (linear))
    return tl_refuse (reason, "the layout is not one-to-one: %u input bits, %u output bits%s", n_in_bits (linear),
                      tl_linear_out_bits (linear), tl_linear_surjective (linear) ? "" : ", not all values reached");
  memcpy (identity.out, linear->out, sizeof identity.out);
  for (guint o = 0; o < linear->n_out; o++)
    {
      memcpy (identity.in[o].name, linear->out[o].name, TL_LINEAR_NAME);
      if (linear->out[o].n_bits > TL_LINEAR_MAX_BITS)
        return tl_refuse (reason, "an output of more than %d bits", TL_LINEAR_MAX_BITS);
      identity.in[o].n_bits = linear->out[o].n_bits;
      for (guint k = 0; k < linear->out[o].n_bits; k++)
        identity.in[o].bases[k] = (guint64) 1 << offset++;
    }
  return tl_linear_invert_and_compose (result, &identity, linear, reason);
}
