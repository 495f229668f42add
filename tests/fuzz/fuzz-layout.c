/* Layout expressions: what parses prints and parses to the same layout. */
#include "layout/convert.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  TlLayout         layout, again;
  TlLayoutBases    bases;
  gsize            at;
  g_autofree char *reason = NULL;

  if (!tl_layout_parse (&layout, (const char *) data, (gssize) size, &at, &reason))
    {
      g_assert_nonnull (reason);
      g_assert_true (at <= size);
      return 0;
    }
  g_autofree char *text = tl_layout_to_text (&layout);
  g_assert_true (tl_layout_parse (&again, text, -1, NULL, NULL) && tl_layout_equal (&layout, &again));
  g_autofree char *product = tl_layout_to_kronecker (&layout, NULL);
  if (product != NULL && tl_layout_parse (&again, product, -1, NULL, NULL))
    g_assert_true (tl_layout_equal (&layout, &again));
  if (tl_layout_to_bases (&layout, &bases, NULL))
    g_assert_true (tl_layout_from_bases (&again, &bases, NULL) && tl_layout_equal (&layout, &again));
  return 0;
}
