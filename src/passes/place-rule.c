/* place X = tier 3 | fill 0..7 | stripe 0..3: where an object lies, as the program says it. */
#include "passes/knobs.h"

#include <string.h>

TlPlaceRead
tl_place_rule_read (TlPlaceRule *rule, const TlExpr *value, guint32 tiers)
{
  const TlExpr *range = value->n_args == 1 ? value->args[0] : NULL;
  gint64        first, last;

  *rule = (TlPlaceRule) { TL_PLACE_TIER };
  if (value->kind == TL_EXPR_NAME && strcmp (value->text, "auto") == 0)
    return TL_PLACE_READ_AUTO;
  for (const char *word; (word = tl_place_name (rule->kind)) != NULL; rule->kind++)
    if (value->kind == TL_EXPR_CALL && strcmp (value->text, word) == 0)
      break;
  if (tl_place_name (rule->kind) == NULL)
    return TL_PLACE_READ_OTHER;
  if (rule->kind == TL_PLACE_TIER)
    {
      if (range == NULL || !tl_expr_integer (range, &first))
        return TL_PLACE_READ_BAD;
      last = first;
    }
  else if (range == NULL || range->kind != TL_EXPR_RANGE || !tl_expr_integer (range->args[0], &first)
           || !tl_expr_integer (range->args[1], &last))
    return TL_PLACE_READ_BAD;
  if (first < 0 || first > last || last >= tiers)
    return TL_PLACE_READ_RANGE;
  rule->first = (guint32) first;
  rule->last = (guint32) last;
  return TL_PLACE_READ_RULE;
}

TlDiag *
tl_place_rule_refuse (TlPlaceRead read, const TlExpr *value, const TlTarget *target, TlSource *source, TlDiags *diags)
{
  gint64  first, last;
  TlDiag *diag;

  if (read == TL_PLACE_READ_OTHER)
    {
      diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", source, value->span,
                           "%s places matrices of compute units; here tiles lie by auto, tier, fill or stripe",
                           value->text != NULL ? value->text : "this");
      tl_diag_reason (diag, "on a pim target each PU has a bank group of its own and a tile lies whole in one tier");
      return diag;
    }
  if (read != TL_PLACE_READ_RANGE)
    return NULL;
  diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "tier-range", source, value->span,
                       "there is no such tier: the stack of %s has tiers 0 to %u", tl_target_name (target),
                       tl_target_pim_machine (target)->tiers - 1);
  if (value->args[0]->kind == TL_EXPR_RANGE && tl_expr_integer (value->args[0]->args[0], &first)
      && tl_expr_integer (value->args[0]->args[1], &last) && first > last)
    tl_diag_reason (diag, "a range of tiers goes from the lower to the higher");
  return diag;
}
