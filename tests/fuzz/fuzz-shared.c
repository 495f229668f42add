/* Shared-memory layouts: what parses prints and parses to the same offsets. */
#include "layout/shared.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  TlShared         shared, again;
  gsize            at;
  g_autofree char *reason = NULL;

  if (!tl_shared_parse (&shared, (const char *) data, (gssize) size, &at, &reason))
    {
      g_assert_nonnull (reason);
      g_assert_true (at <= size);
      return 0;
    }
  g_autofree char *text = tl_shared_to_text (&shared);
  g_assert_true (tl_shared_parse (&again, text, -1, NULL, NULL));
  g_assert_cmpuint (tl_shared_size (&again), ==, tl_shared_size (&shared));
  for (guint64 x = 0; x < MIN (tl_shared_elements (&shared), 64); x++)
    g_assert_cmpuint (tl_shared_offset (&again, x), ==, tl_shared_offset (&shared, x));
  return 0;
}
