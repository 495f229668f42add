/* Strings of bits. */
#include "layout/packing.h"

guint64
tl_bits_get (const guint8 *bytes, guint64 at, guint bits)
{
  guint64 value = 0;
  guint   done = 0;

  while (done < bits)
    {
      guint   from = (guint) ((at + done) % 8), n = MIN (8 - from, bits - done);
      guint64 piece = ((guint) bytes[(at + done) / 8] >> from) & ((1u << n) - 1);

      value |= piece << done;
      done += n;
    }
  return value;
}

void
tl_bits_put (guint8 *bytes, guint64 at, guint bits, guint64 value)
{
  guint done = 0;

  while (done < bits)
    {
      guint   from = (guint) ((at + done) % 8), n = MIN (8 - from, bits - done);
      guint   mask = ((1u << n) - 1) << from;
      guint8 *byte = &bytes[(at + done) / 8];

      *byte = (guint8) ((*byte & ~mask) | (((guint) (value >> done) << from) & mask));
      done += n;
    }
}

guint64
tl_packing_place (TlPacking packing, guint bits, guint64 element, guint bit)
{
  guint in_word = bits <= 32 ? 32 / bits : 1;
  /* What does not fit takes as many words, or bytes, as it needs. */
  guint words = (bits + 31) / 32;

  switch (packing)
    {
    case TL_PACKING_DENSE:
      return element * bits + bit;
    case TL_PACKING_WHOLE_IN_WORD:
      return element / in_word * (32 * words) + element % in_word * bits + bit;
    case TL_PACKING_BYTE_EACH:
      return element * 8 * ((bits + 7) / 8) + bit;
    case TL_PACKING_WORD_EACH:
      return element * (32 * words) + bit;
    }
  g_return_val_if_reached (0);
}
