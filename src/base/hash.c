/* FNV-1a as its authors define it: xor the byte in, then multiply. */
#include "base/hash.h"

guint64
tl_fnv1a64 (guint64 hash, gconstpointer data, gsize length)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

guint64
tl_fnv1a64_u64 (guint64 hash, guint64 value)
{
  guint64 bytes = GUINT64_TO_LE (value);

  return tl_fnv1a64 (hash, &bytes, sizeof bytes);
}

char *
tl_hash_text (guint64 hash)
{
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
}
