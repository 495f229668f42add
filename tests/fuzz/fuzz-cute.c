/* CuTe layouts: what parses prints and parses to the same layout, and its algebra ends. */
#include "layout/cute.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Two layouts parted by a line; the second may be missing. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 2);
  g_autofree char *reason = NULL;
  g_autoptr (TlCute) a = lines[0] != NULL ? tl_cute_parse (lines[0], &reason) : NULL;

  if (a == NULL)
    {
      g_assert_true (lines[0] == NULL || reason != NULL);
      return 0;
    }
  g_autofree char *printed = tl_cute_to_text (a);
  g_autoptr (TlCute) again = tl_cute_parse (printed, NULL);
  g_assert_nonnull (again);
  g_autofree char *twice = tl_cute_to_text (again);
  g_assert_cmpstr (printed, ==, twice);
  g_autoptr (TlCute) coalesced = tl_cute_coalesce (a);
  g_assert_cmpuint (tl_cute_size (coalesced), ==, tl_cute_size (a));
  for (guint64 i = 0; i < MIN (tl_cute_size (a), 64); i++)
    g_assert_cmpuint (tl_cute_at (coalesced, i), ==, tl_cute_at (a, i));
  g_autoptr (TlCute) right = tl_cute_right_inverse (a);
  g_autoptr (TlCute) left = tl_cute_left_inverse (a, NULL);
  g_autoptr (TlCute) rest = tl_cute_complement (a, 4096, NULL);
  g_autoptr (TlCute) b = lines[1] != NULL ? tl_cute_parse (lines[1], NULL) : NULL;
  if (b == NULL)
    return 0;
  g_autofree char *why = NULL;
  g_autoptr (TlCute) composed = tl_cute_compose (a, b, &why);
  g_assert_true ((composed != NULL) != (why != NULL));
  /* Several modes distribute, which is the composition only where their sums do not carry. */
  for (guint64 i = 0; composed != NULL && strchr (lines[1], '(') == NULL && i < MIN (tl_cute_size (b), 64); i++)
    if (tl_cute_at (b, i) < tl_cute_size (a))
      g_assert_cmpuint (tl_cute_at (composed, i), ==, tl_cute_at (a, tl_cute_at (b, i)));
  g_autoptr (TlCute) divided = tl_cute_divide (a, b, NULL);
  g_autoptr (TlCute) product = tl_cute_product (a, b, NULL);
  return 0;
}
