/* The section of a stream that holds its semiring: carrier, constants, operators. */
#include "emit/stream-parts-private.h"

#include <string.h>

static void
put_scalar (GByteArray *out, const TlCarrier *carrier, TlScalar value)
{
  guint64 bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      tl_put_signed (out, value.i);
      return;
    }
  memcpy (&bits, &value.r, sizeof bits);
  tl_put_fixed (out, bits, 8);
}

static void
put_operator (GByteArray *out, const TlCarrier *carrier, const TlOperator *op)
{
  tl_put_varint (out, op->kind);
  if (op->kind == TL_OPERATOR_TABLE)
    {
      tl_put_varint (out, op->size);
      g_byte_array_append (out, op->table, op->size * op->size);
    }
  if (op->kind != TL_OPERATOR_EXPRESSION)
    return;
  tl_put_varint (out, op->n_steps);
  for (guint s = 0; s < op->n_steps; s++)
    {
      tl_put_varint (out, op->steps[s].kind);
      if (op->steps[s].kind == TL_STEP_CONSTANT)
        put_scalar (out, carrier, op->steps[s].value);
    }
}

void
tl_put_semiring (GByteArray *out, const TlSemiring *semiring)
{
  const TlCarrier *carrier = &semiring->carrier;
  const guint8     head[] = { carrier->element.kind,     carrier->element.bits,     carrier->element.exponent,
                              carrier->element.mantissa, carrier->has_inf != FALSE, carrier->has_minus_inf != FALSE };

  g_byte_array_append (out, head, sizeof head);
  put_scalar (out, carrier, carrier->low);
  put_scalar (out, carrier, carrier->high);
  put_scalar (out, carrier, semiring->zero);
  put_scalar (out, carrier, semiring->one);
  put_operator (out, carrier, &semiring->plus);
  put_operator (out, carrier, &semiring->times);
}

static TlScalar
get_scalar (TlStreamReader *reader, const TlCarrier *carrier)
{
  TlScalar value = { .i = 0 };
  guint64  bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      value.i = tl_get_signed (reader);
      return value;
    }
  bits = tl_get_fixed (reader, 8);
  memcpy (&value.r, &bits, sizeof bits);
  return value;
}

static void
get_operator (TlStreamReader *reader, const TlCarrier *carrier, TlOperator *op)
{
  guint32       kind = tl_get_number (reader);
  const guint8 *table;

  if (kind > TL_OPERATOR_TABLE)
    tl_get_fail (reader, "%u is no operator", kind);
  op->kind = kind;
  if (kind == TL_OPERATOR_TABLE)
    {
      guint32 size = tl_get_number (reader);

      if (size < 1 || size > 256)
        tl_get_fail (reader, "a table of side %u", size);
      table = tl_get_bytes (reader, (gsize) size * size);
      if (table == NULL)
        return;
      op->size = size;
      op->table = g_memdup2 (table, (gsize) size * size);
    }
  if (kind != TL_OPERATOR_EXPRESSION)
    return;
  op->n_steps = tl_get_count (reader, 1);
  op->steps = g_new0 (TlStep, MAX (op->n_steps, 1));
  for (guint s = 0; s < op->n_steps && reader->fault == NULL; s++)
    {
      guint32 step = tl_get_number (reader);

      if (step > TL_STEP_SELECT)
        tl_get_fail (reader, "%u is no step of an expression", step);
      op->steps[s].kind = step;
      if (step == TL_STEP_CONSTANT)
        op->steps[s].value = get_scalar (reader, carrier);
    }
}

void
tl_get_semiring (TlStreamReader *reader, TlSemiring *semiring)
{
  TlCarrier    *carrier = &semiring->carrier;
  const guint8 *head = tl_get_bytes (reader, 6);

  if (head == NULL)
    return;
  if (head[0] > TL_ELEMENT_BOOL || head[4] > 1 || head[5] > 1)
    {
      tl_get_fail (reader, "no carrier");
      return;
    }
  carrier->element = (TlElementType) { .kind = head[0], .bits = head[1], .exponent = head[2], .mantissa = head[3] };
  carrier->has_inf = head[4];
  carrier->has_minus_inf = head[5];
  carrier->low = get_scalar (reader, carrier);
  carrier->high = get_scalar (reader, carrier);
  semiring->zero = get_scalar (reader, carrier);
  semiring->one = get_scalar (reader, carrier);
  get_operator (reader, carrier, &semiring->plus);
  get_operator (reader, carrier, &semiring->times);
}
