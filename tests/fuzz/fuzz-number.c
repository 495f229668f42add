/* Quantities: what parses is formatted and must parse again. */
#include "base/number.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *reason = NULL;
  g_autofree char *other = NULL;
  guint64          value;

  if (tl_parse_ps (text, &value, &reason))
    {
      g_autofree char *exact = g_strdup_printf ("%" G_GUINT64_FORMAT " ps", value);
      guint64          again;

      g_assert_true (tl_parse_ps (exact, &again, NULL) && again == value);
      g_free (tl_format_ps (value));
    }
  else
    g_assert_nonnull (reason);
  if (tl_parse_bytes (text, &value, &other))
    g_free (tl_format_bytes (value));
  return 0;
}
