/* State to a flat block and back: one function for both ways, so that they cannot differ. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct
{
  GByteArray   *to;   /* saving: what is carried is appended */
  const guint8 *from; /* loading: what is carried is taken from here */
  gsize         left; /* of it */
} TlCarry;

static inline gboolean
tl_carry_is_saving (const TlCarry *carry)
{
  return carry->to != NULL;
}

static inline void
tl_carry (TlCarry *carry, gpointer data, gsize size)
{
  if (size == 0)
    return;
  if (carry->to != NULL)
    {
      g_byte_array_append (carry->to, data, (guint) size);
      return;
    }
  g_assert (carry->left >= size);
  memcpy (data, carry->from, size);
  carry->from += size;
  carry->left -= size;
}

typedef struct _TlCauses    TlCauses;
typedef struct _TlBankRules TlBankRules;

/* Of causes that keep as many records, of rules for the same memory. */
void tl_causes_carry     (TlCauses    *causes,
                          TlCarry     *carry);
void tl_bank_rules_carry (TlBankRules *rules,
                          TlCarry     *carry);
