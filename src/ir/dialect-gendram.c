/* Rules of the dialect gendram: placement, copies, broadcasts, barriers. */
#include "ir/dialect-private.h"

#include <string.h>

gboolean
tl_ir_check_shares (TlVerifier *verifier, const TlOp *op, gint64 *first, gint64 *last)
{
  const TlAttr *shares = tl_op_attr (op, "shares");
  gint64        tiers = tl_ir_machine (verifier, "tiers");
  gint64        sum = 0;

  *first = *last = -1;
  for (guint s = 0; s < shares->n_items; s++)
    {
      gint64 tier;

      if (!tl_ir_integer_list (shares->items[s], 2))
        return tl_ir_reject (verifier, op, "share %u is not [tier, bytes]", s);
      tier = shares->items[s]->items[0]->integer;
      if (tier < 0 || tier >= tiers)
        return tl_ir_reject (verifier, op,
                             "tier %" G_GINT64_FORMAT " of share %u: the stack has tiers 0 to %" G_GINT64_FORMAT, tier,
                             s, tiers - 1);
      if (tier <= *last)
        return tl_ir_reject (verifier, op, "the shares' tiers do not rise");
      if (shares->items[s]->items[1]->integer < 1
          || __builtin_add_overflow (sum, shares->items[s]->items[1]->integer, &sum))
        return tl_ir_reject (verifier, op, "share %u has no bytes", s);
      *first = s == 0 ? tier : *first;
      *last = tier;
    }
  if (sum != tl_op_integer (op, "bytes", 0))
    return tl_ir_reject (verifier, op, "the shares hold %" G_GINT64_FORMAT " bytes, the object has %" G_GINT64_FORMAT,
                         sum, tl_op_integer (op, "bytes", 0));
  return shares->n_items > 0 || tl_ir_reject (verifier, op, "tier missing: the object lies nowhere");
}

gboolean
tl_ir_check_place (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr    *reserved = tl_op_attr (op, "reserved");
  const char      *rule = tl_op_text (op, "rule");
  gint64           tiers = tl_ir_machine (verifier, "tiers");
  gint64           share_first;
  gint64           share_last;
  gint64           first;
  gint64           last;
  g_autofree char *memref = NULL;

  if (!g_str_equal (rule, "tier") && !g_str_equal (rule, "fill") && !g_str_equal (rule, "stripe"))
    return tl_ir_reject (verifier, op, "rule = \"%s\" is not tier, fill or stripe", rule);
  first = tl_op_integer (op, "first", 0);
  last = tl_op_integer (op, "last", 0);
  if (first > last || last >= tiers)
    return tl_ir_reject (verifier, op,
                         "tiers %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT ": the stack has tiers 0 to %" G_GINT64_FORMAT,
                         first, last, tiers - 1);
  if (!tl_ir_integer_list (reserved, (guint) tiers))
    return tl_ir_reject (verifier, op, "reserved does not give the bytes of each of %" G_GINT64_FORMAT " tiers", tiers);
  if (!tl_ir_check_shares (verifier, op, &share_first, &share_last))
    return FALSE;
  if (!tl_ir_placed_type (op->results[0]->type, "gendram.matrix", &memref, &first, &last)
      || !g_str_equal (memref, op->operands[0]->type) || first != share_first || last != share_last)
    return tl_ir_reject (verifier, op,
                         "the result %s is not the operand %s in the tiers %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                         op->results[0]->type, op->operands[0]->type, share_first, share_last);
  return TRUE;
}

gboolean
tl_ir_check_reserve (TlVerifier *verifier, const TlOp *op)
{
  gint64 first;
  gint64 last;

  return tl_ir_check_shares (verifier, op, &first, &last) && tl_ir_check_lifetime (verifier, op);
}

gboolean
tl_ir_check_copy (TlVerifier *verifier, const TlOp *op)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  gint64           tiers[4];
  gboolean         home = g_str_equal (tl_ir_knob (verifier, "copies"), "home");

  if (!tl_ir_placed_type (op->operands[0]->type, "gendram.tile", &from, &tiers[0], &tiers[1])
      || !tl_ir_placed_type (op->results[0]->type, "gendram.tile", &to, &tiers[2], &tiers[3])
      || !g_str_equal (from, to))
    return tl_ir_reject (verifier, op, "tier missing: a copy of %s is not %s", op->operands[0]->type,
                         op->results[0]->type);
  if (home ? tiers[2] != tiers[0] || tiers[3] != tiers[1] : tiers[2] != 0 || tiers[3] != 0)
    return tl_ir_reject (verifier, op,
                         "copies = %s, but the copy lies in the tiers %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                         tl_ir_knob (verifier, "copies"), tiers[2], tiers[3]);
  if (!g_str_equal (tl_op_text (op, "writes"), tl_ir_knob (verifier, "copy_writes")))
    return tl_ir_reject (verifier, op, "writes = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "writes"),
                         tl_ir_knob (verifier, "copy_writes"));
  return TRUE;
}

gboolean
tl_ir_check_broadcast (TlVerifier *verifier, const TlOp *op)
{
  if (!g_str_equal (tl_op_text (op, "ring"), tl_ir_knob (verifier, "ring")))
    return tl_ir_reject (verifier, op, "ring = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "ring"),
                         tl_ir_knob (verifier, "ring"));
  return TRUE;
}

gboolean
tl_ir_check_barrier (TlVerifier *verifier, const TlOp *op)
{
  if (!tl_ir_is (op->operands[0]->op, "dp.phase"))
    return tl_ir_reject (verifier, op, "waits for a phase's token, not for %s", op->operands[0]->type);
  return TRUE;
}
