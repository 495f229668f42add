/* Linear layouts: what parses prints and parses to the same layout, and inverts if it can. */
#include "layout/linear.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *reason = NULL;
  TlLinear         linear, again, inverse, both;
  guint            widths[TL_LINEAR_MAX_DIMS];
  guint64          masks[TL_LINEAR_MAX_DIMS];

  if (!tl_linear_parse (&linear, text, NULL, &reason))
    {
      g_assert_nonnull (reason);
      return 0;
    }
  for (guint o = 0; o < linear.n_out; o++)
    widths[o] = linear.out[o].n_bits;
  g_autofree char *printed = tl_linear_to_text (&linear);
  g_assert_true (tl_linear_parse (&again, printed, widths, NULL));
  g_autofree char *twice = tl_linear_to_text (&again);
  g_assert_cmpstr (printed, ==, twice);
  tl_linear_free_bits (&linear, masks);
  if (linear.n_in > 0 && linear.n_out > 0)
    tl_linear_consecutive (&linear);
  if (tl_linear_invert (&inverse, &linear, NULL) && tl_linear_compose (&both, &linear, &inverse, NULL))
    for (guint i = 0; i < linear.n_in; i++)
      for (guint k = 0; k < linear.in[i].n_bits; k++)
        {
          guint64 inputs[TL_LINEAR_MAX_DIMS] = { 0 };

          inputs[i] = G_GUINT64_CONSTANT (1) << k;
          guint64 packed = tl_linear_apply (&both, inputs);
          for (guint o = 0; o < both.n_out; o++)
            g_assert_cmpuint (tl_linear_field (&both, packed, o), ==, o == i ? inputs[i] : 0);
        }
  return 0;
}
