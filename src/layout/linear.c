/* Linear layouts over GF(2): text, values and products. */
#include "layout/linear.h"
#include "layout/layout-private.h"

#include <string.h>

guint
tl_linear_out_bits (const TlLinear *linear)
{
  guint n = 0;

  for (guint o = 0; o < linear->n_out; o++)
    n += linear->out[o].n_bits;
  return n;
}

static guint64
mask (guint bits)
{
  return bits >= 64 ? G_MAXUINT64 : ((guint64) 1 << bits) - 1;
}

static guint
out_offset (const TlLinear *linear, guint out)
{
  guint offset = 0;

  for (guint o = 0; o < out; o++)
    offset += linear->out[o].n_bits;
  return offset;
}

guint64
tl_linear_field (const TlLinear *linear, guint64 packed, guint out)
{
  return (packed >> out_offset (linear, out)) & mask (linear->out[out].n_bits);
}

guint64
tl_linear_apply (const TlLinear *linear, const guint64 *inputs)
{
  guint64 packed = 0;

  for (guint i = 0; i < linear->n_in; i++)
    for (guint k = 0; k < linear->in[i].n_bits; k++)
      if ((inputs[i] >> k) & 1)
        packed ^= linear->in[i].bases[k];
  return packed;
}

/* --- Text --- */

static guint
width_of (guint64 value)
{
  return value == 0 ? 0 : 64 - (guint) __builtin_clzll (value);
}

static gboolean
read_list (TlLinear *linear, const char **at, guint64 values[][TL_LINEAR_MAX_BITS][TL_LINEAR_MAX_DIMS], char **reason)
{
  TlLinearIn *in = &linear->in[linear->n_in];

  while (**at != ']')
    {
      guint n = 0;

      if (in->n_bits == TL_LINEAR_MAX_BITS)
        return tl_refuse (reason, "more than %d bits", TL_LINEAR_MAX_BITS);
      do
        {
          if (!g_ascii_isdigit (**at) || n == TL_LINEAR_MAX_DIMS)
            return tl_refuse (reason, "at \"%.20s\": a basis such as 4.2 is expected", *at);
          char *end;
          values[linear->n_in][in->n_bits][n++] = g_ascii_strtoull (*at, &end, 10);
          *at = end;
        }
      while (**at == '.' && (*at)++ != NULL);
      if (linear->n_out == 0)
        linear->n_out = n;
      if (n != linear->n_out)
        return tl_refuse (reason, "a basis with %u outputs among some with %u", n, linear->n_out);
      in->n_bits++;
      while (g_ascii_isspace (**at) || **at == ',')
        (*at)++;
    }
  (*at)++;
  linear->n_in++;
  return TRUE;
}

gboolean
tl_linear_parse (TlLinear *linear, const char *text, const guint *widths, char **reason)
{
  TlLinear    l = { 0 };
  guint64     values[TL_LINEAR_MAX_DIMS][TL_LINEAR_MAX_BITS][TL_LINEAR_MAX_DIMS] = { { { 0 } } };
  const char *at = text;

  for (;;)
    {
      while (g_ascii_isspace (*at))
        at++;
      if (*at == '\0')
        break;
      if (l.n_in == TL_LINEAR_MAX_DIMS)
        return tl_refuse (reason, "more than %d inputs", TL_LINEAR_MAX_DIMS);
      const char *open = strchr (at, '[');
      gsize       length = open != NULL && open > at ? (gsize) (open - at) - 1 : 0;
      if (open == NULL || (open > at && open[-1] != ':') || length >= TL_LINEAR_NAME)
        return tl_refuse (reason, "at \"%.20s\": name:[bases] is expected", at);
      if (open == at)
        g_snprintf (l.in[l.n_in].name, TL_LINEAR_NAME, "in%u", l.n_in + 1);
      else
        memcpy (l.in[l.n_in].name, at, length);
      at = open + 1;
      while (g_ascii_isspace (*at))
        at++;
      if (!read_list (&l, &at, values, reason))
        return FALSE;
    }
  if (l.n_in == 0)
    return tl_refuse (reason, "a linear layout such as in1:[1 2 4] is expected");
  for (guint o = 0; o < l.n_out; o++)
    {
      g_snprintf (l.out[o].name, TL_LINEAR_NAME, "out%u", o + 1);
      for (guint i = 0; i < l.n_in; i++)
        for (guint k = 0; k < l.in[i].n_bits; k++)
          l.out[o].n_bits = MAX (l.out[o].n_bits, width_of (values[i][k][o]));
      if (widths != NULL && widths[o] < l.out[o].n_bits)
        return tl_refuse (reason, "output %u needs %u bits, not %u", o + 1, l.out[o].n_bits, widths[o]);
      if (widths != NULL)
        l.out[o].n_bits = widths[o];
    }
  if (tl_linear_out_bits (&l) > 63)
    return tl_refuse (reason, "more than 63 output bits");
  for (guint i = 0; i < l.n_in; i++)
    for (guint k = 0; k < l.in[i].n_bits; k++)
      for (guint o = 0; o < l.n_out; o++)
        l.in[i].bases[k] |= values[i][k][o] << out_offset (&l, o);
  *linear = l;
  return TRUE;
}

char *
tl_linear_to_text (const TlLinear *linear)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < linear->n_in; i++)
    {
      g_string_append_printf (text, "%s%s:[", i > 0 ? " " : "", linear->in[i].name);
      for (guint k = 0; k < linear->in[i].n_bits; k++)
        for (guint o = 0; o < linear->n_out; o++)
          g_string_append_printf (text, "%s%" G_GUINT64_FORMAT,
                                  o > 0   ? "."
                                  : k > 0 ? " "
                                          : "",
                                  tl_linear_field (linear, linear->in[i].bases[k], o));
      g_string_append_c (text, ']');
    }
  return g_string_free (text, FALSE);
}

void
tl_linear_zeros (TlLinear *linear, guint n_bits, const char *in, const char *out)
{
  *linear = (TlLinear) { .n_in = 1, .n_out = 1 };
  g_strlcpy (linear->in[0].name, in, TL_LINEAR_NAME);
  g_strlcpy (linear->out[0].name, out, TL_LINEAR_NAME);
  linear->in[0].n_bits = MIN (n_bits, TL_LINEAR_MAX_BITS);
}

void
tl_linear_identity (TlLinear *linear, guint n_bits, const char *in, const char *out)
{
  tl_linear_zeros (linear, n_bits, in, out);
  linear->out[0].n_bits = linear->in[0].n_bits;
  for (guint k = 0; k < linear->in[0].n_bits; k++)
    linear->in[0].bases[k] = (guint64) 1 << k;
}

/* --- Products --- */

static int
find_in (const TlLinear *linear, const char *name)
{
  for (guint i = 0; i < linear->n_in; i++)
    if (strcmp (linear->in[i].name, name) == 0)
      return (int) i;
  return -1;
}

static int
find_out (const TlLinear *linear, const char *name)
{
  for (guint o = 0; o < linear->n_out; o++)
    if (strcmp (linear->out[o].name, name) == 0)
      return (int) o;
  return -1;
}

/* A basis of @from as one of @to, each output shifted up by shift[o of to]. */
static guint64
carry (const TlLinear *to, const TlLinear *from, guint64 packed, const guint *shift)
{
  guint64 result = 0;

  for (guint o = 0; o < from->n_out; o++)
    {
      guint there = (guint) find_out (to, from->out[o].name);
      result |= tl_linear_field (from, packed, o) << (out_offset (to, there) + (shift != NULL ? shift[there] : 0));
    }
  return result;
}

gboolean
tl_linear_product (TlLinear *result, const TlLinear *inner, const TlLinear *outer, char **reason)
{
  TlLinear l = { 0 };
  guint    shift[TL_LINEAR_MAX_DIMS] = { 0 };

  for (guint list = 0; list < 2; list++)
    {
      const TlLinear *from = list == 0 ? inner : outer;

      for (guint o = 0; o < from->n_out; o++)
        {
          int there = find_out (&l, from->out[o].name);

          if (there < 0 && l.n_out == TL_LINEAR_MAX_DIMS)
            return tl_refuse (reason, "more than %d outputs", TL_LINEAR_MAX_DIMS);
          if (there < 0)
            l.out[l.n_out++] = from->out[o];
          else
            {
              shift[there] = l.out[there].n_bits;
              l.out[there].n_bits += from->out[o].n_bits;
            }
        }
    }
  if (tl_linear_out_bits (&l) > 63)
    return tl_refuse (reason, "more than 63 output bits");
  for (guint list = 0; list < 2; list++)
    {
      const TlLinear *from = list == 0 ? inner : outer;

      for (guint i = 0; i < from->n_in; i++)
        {
          int there = find_in (&l, from->in[i].name);

          if (there < 0)
            {
              if (l.n_in == TL_LINEAR_MAX_DIMS)
                return tl_refuse (reason, "more than %d inputs", TL_LINEAR_MAX_DIMS);
              there = (int) l.n_in++;
              memcpy (l.in[there].name, from->in[i].name, TL_LINEAR_NAME);
            }
          TlLinearIn *in = &l.in[there];
          if (in->n_bits + from->in[i].n_bits > TL_LINEAR_MAX_BITS)
            return tl_refuse (reason, "input %s has more than %d bits", in->name, TL_LINEAR_MAX_BITS);
          for (guint k = 0; k < from->in[i].n_bits; k++)
            in->bases[in->n_bits++] = carry (&l, from, from->in[i].bases[k], list == 1 ? shift : NULL);
        }
    }
  *result = l;
  return TRUE;
}

gboolean
tl_linear_divide_left (TlLinear *result, const TlLinear *linear, const TlLinear *inner, char **reason)
{
  TlLinear l = *linear;
  guint    low[TL_LINEAR_MAX_DIMS] = { 0 };
  guint64  forbidden = 0;

  for (guint o = 0; o < inner->n_out; o++)
    {
      int there = find_out (linear, inner->out[o].name);

      if (there < 0 || inner->out[o].n_bits > linear->out[there].n_bits)
        return tl_refuse (reason, "output %s of the divisor is not in the layout", inner->out[o].name);
      low[there] = inner->out[o].n_bits;
      forbidden |= mask (low[there]) << out_offset (linear, (guint) there);
    }
  for (guint o = 0; o < l.n_out; o++)
    l.out[o].n_bits -= low[o];
  for (guint i = 0; i < inner->n_in; i++)
    if (find_in (linear, inner->in[i].name) < 0 && inner->in[i].n_bits > 0)
      return tl_refuse (reason, "input %s of the divisor is not in the layout", inner->in[i].name);
  for (guint i = 0; i < l.n_in; i++)
    {
      int   there = find_in (inner, l.in[i].name);
      guint skip = there < 0 ? 0 : inner->in[there].n_bits;

      if (skip > linear->in[i].n_bits)
        return tl_refuse (reason, "input %s of the divisor has more bits", l.in[i].name);
      l.in[i].n_bits -= skip;
      memset (l.in[i].bases, 0, sizeof l.in[i].bases);
      for (guint k = 0; k < linear->in[i].n_bits; k++)
        {
          guint64 basis = linear->in[i].bases[k];

          if (k < skip)
            {
              if (basis != carry (linear, inner, inner->in[there].bases[k], NULL))
                return tl_refuse (reason, "bit %u of input %s differs from the divisor's", k, l.in[i].name);
              continue;
            }
          if ((basis & forbidden) != 0)
            return tl_refuse (reason, "bit %u of input %s reaches into the divisor's outputs", k, l.in[i].name);
          for (guint o = 0; o < l.n_out; o++)
            l.in[i].bases[k - skip] |= (tl_linear_field (linear, basis, o) >> low[o]) << out_offset (&l, o);
        }
    }
  *result = l;
  return TRUE;
}

gboolean
tl_linear_compose (TlLinear *result, const TlLinear *linear, const TlLinear *after, char **reason)
{
  TlLinear l = *linear;

  if (after->n_in != linear->n_out)
    return tl_refuse (reason, "%u outputs feed %u inputs", linear->n_out, after->n_in);
  for (guint o = 0; o < linear->n_out; o++)
    if (linear->out[o].n_bits > after->in[o].n_bits)
      return tl_refuse (reason, "output %s has %u bits, the input it feeds %u", linear->out[o].name,
                        linear->out[o].n_bits, after->in[o].n_bits);
  l.n_out = after->n_out;
  memcpy (l.out, after->out, sizeof l.out);
  for (guint i = 0; i < l.n_in; i++)
    for (guint k = 0; k < l.in[i].n_bits; k++)
      {
        guint64 inputs[TL_LINEAR_MAX_DIMS];

        for (guint o = 0; o < linear->n_out; o++)
          inputs[o] = tl_linear_field (linear, linear->in[i].bases[k], o);
        l.in[i].bases[k] = tl_linear_apply (after, inputs);
      }
  *result = l;
  return TRUE;
}

gboolean
tl_linear_reshape_ins (TlLinear *result, const TlLinear *linear, const char *const *names, const guint *bits, guint n,
                       char **reason)
{
  TlLinear l = *linear;
  guint64  all[TL_LINEAR_MAX_DIMS * TL_LINEAR_MAX_BITS];
  guint    n_all = 0, need = 0;

  for (guint i = 0; i < linear->n_in; i++)
    for (guint k = 0; k < linear->in[i].n_bits; k++)
      all[n_all++] = linear->in[i].bases[k];
  for (guint i = 0; i < n; i++)
    need += bits[i];
  if (n > TL_LINEAR_MAX_DIMS || need != n_all)
    return tl_refuse (reason, "%u input bits do not become %u", n_all, need);
  memset (l.in, 0, sizeof l.in);
  l.n_in = n;
  n_all = 0;
  for (guint i = 0; i < n; i++)
    {
      if (bits[i] > TL_LINEAR_MAX_BITS)
        return tl_refuse (reason, "an input has at most %d bits", TL_LINEAR_MAX_BITS);
      g_strlcpy (l.in[i].name, names[i], TL_LINEAR_NAME);
      for (guint k = 0; k < bits[i]; k++)
        l.in[i].bases[l.in[i].n_bits++] = all[n_all++];
    }
  *result = l;
  return TRUE;
}

/* Packed with the first lowest, outputs need only new borders. */
gboolean
tl_linear_reshape_outs (TlLinear *result, const TlLinear *linear, const char *const *names, const guint *bits, guint n,
                        char **reason)
{
  TlLinear l = *linear;
  guint    need = 0;

  for (guint o = 0; o < n; o++)
    need += bits[o];
  if (n > TL_LINEAR_MAX_DIMS || need != tl_linear_out_bits (linear))
    return tl_refuse (reason, "%u output bits do not become %u", tl_linear_out_bits (linear), need);
  l.n_out = n;
  for (guint o = 0; o < n; o++)
    {
      g_strlcpy (l.out[o].name, names[o], TL_LINEAR_NAME);
      l.out[o].n_bits = bits[o];
    }
  *result = l;
  return TRUE;
}

guint64
tl_linear_consecutive (const TlLinear *linear)
{
  guint64 most = 1, reached = 0;

  if (linear->n_in == 0 || linear->n_out == 0)
    return 1;
  while (most < 1u << MIN (linear->in[0].n_bits, 31)
         && tl_linear_field (linear, linear->in[0].bases[__builtin_ctzll (most)], 0) == most
         && linear->in[0].bases[__builtin_ctzll (most)] == most)
    most *= 2;
  /* No other bit may disturb the low bits of the output. */
  for (guint i = 0; i < linear->n_in; i++)
    for (guint k = i == 0 ? (guint) __builtin_ctzll (most) : 0; k < linear->in[i].n_bits; k++)
      reached |= tl_linear_field (linear, linear->in[i].bases[k], 0);
  while ((reached & (most - 1)) != 0)
    most /= 2;
  return most;
}

gboolean
tl_linear_reorder (TlLinear *result, const TlLinear *linear, guint in, const guint *order, char **reason)
{
  TlLinear l = *linear;
  guint64  seen = 0;

  for (guint k = 0; k < l.in[in].n_bits; k++)
    {
      if (order[k] >= l.in[in].n_bits || (seen >> order[k]) & 1)
        return tl_refuse (reason, "the order names each bit once");
      seen |= (guint64) 1 << order[k];
      l.in[in].bases[k] = linear->in[in].bases[order[k]];
    }
  *result = l;
  return TRUE;
}
