/* Timings: cycles to picoseconds, the times of each tier from what is said of all and
 * of one, and what must hold between them. models.md section 1. */
#include <string.h>

#include "base/number.h"
#include "target/resolve-private.h"

/* A time in ps; cycles are of the machine's clock. */
static guint32
in_ps (TlResolver *resolver, TlKeyId id, const TlQuantity *quantity)
{
  guint64 ps = quantity->value;

  if (quantity->cycles && !tl_mul_u64 (ps, resolver->target->memory.clock, &ps))
    ps = G_MAXUINT64;
  if (ps > G_MAXUINT32)
    {
      tl_resolver_complain (resolver, id, "target-value", "%s is longer than 4.29 ms", tl_key (id)->name);
      return 0;
    }
  if (ps < tl_key (id)->min)
    tl_resolver_complain (resolver, id, "target-value", "%s must not be 0", tl_key (id)->name);
  return ps;
}

guint32
tl_resolver_time (TlResolver *resolver, TlKeyId id, guint32 otherwise)
{
  return tl_resolver_is_set (resolver, id) ? in_ps (resolver, id, &resolver->facts->fact[id].list[0]) : otherwise;
}

static guint32
required_time (TlResolver *resolver, TlKeyId id)
{
  return tl_resolver_require (resolver, id) ? tl_resolver_time (resolver, id, 0) : 0;
}

/* tRCD of tier t by the curve: a + b x + c x^2 at x = upper layer / 128, to the ps. */
static guint32
curve_at (TlResolver *resolver, guint t)
{
  const TlFact     *curve = &resolver->facts->fact[TL_K_TRCD_CURVE];
  unsigned __int128 p = (guint64) resolver->target->layers * (t + 1);
  unsigned __int128 q = (guint64) resolver->target->memory.tiers * 128;
  unsigned __int128 fs = curve->list[0].value * q * q + curve->list[1].value * p * q + curve->list[2].value * p * p;
  unsigned __int128 ps = (fs + q * q * 500) / (q * q * 1000);

  if (ps > G_MAXUINT32)
    {
      tl_resolver_complain (resolver, TL_K_TRCD_CURVE, "target-value", "tRCD of tier %u is longer than 4.29 ms", t);
      return 0;
    }
  return (guint32) ps;
}

/* Whether tRCD comes from the curve: nothing else says it for this many tiers. */
static gboolean
from_curve (TlResolver *resolver)
{
  const TlFact *fact = &resolver->facts->fact[TL_K_TRCD];
  guint         tiers = resolver->target->memory.tiers;

  if (!tl_resolver_is_set (resolver, TL_K_TRCD_CURVE))
    return FALSE;
  int newer = tl_resolver_layer (resolver, TL_K_TRCD_CURVE) - tl_resolver_layer (resolver, TL_K_TRCD);
  return newer > 0 || (newer == 0 && fact->n > 1 && fact->n != tiers);
}

/* What is said for all tiers into values[0 .. tiers). FALSE when nothing is. */
static gboolean
common_times (TlResolver *resolver, TlKeyId id, const guint32 *tRCD, guint32 *values)
{
  const TlFact *fact = &resolver->facts->fact[id];
  guint         tiers = resolver->target->memory.tiers;
  gboolean      curve = id == TL_K_TRCD && from_curve (resolver);

  if (!fact->set && !curve)
    return FALSE;
  if (curve && resolver->target->layers == 0)
    {
      tl_resolver_require (resolver, TL_K_LAYERS);
      return TRUE;
    }
  if (!curve && fact->n > 1 && fact->n != tiers)
    {
      TlDiag *diag = tl_resolver_complain (resolver, id, "target-contradiction", "%s lists %u times for %u tiers",
                                           tl_key (id)->name, fact->n, tiers);
      tl_diag_reason (diag, id == TL_K_TRCD ? "give one, one a tier, or tRCD_curve" : "give one, or one a tier");
      return TRUE;
    }
  guint64 step = !curve && fact->has_step ? in_ps (resolver, id, &fact->step) : 0;
  for (guint t = 0; t < tiers; t++)
    {
      guint64 ps = curve ? curve_at (resolver, t) : in_ps (resolver, id, &fact->list[fact->n > 1 ? t : 0]);
      ps += step * t + (!curve && fact->above_trcd ? tRCD[t] : 0);
      if (ps > G_MAXUINT32)
        {
          tl_resolver_complain (resolver, id, "target-value", "%s of tier %u is longer than 4.29 ms", tl_key (id)->name,
                                t);
          return TRUE;
        }
      values[t] = ps;
    }
  return TRUE;
}

/* Lays what is said of single tiers over @values, which hold what is said of all, if
 * @said. FALSE when a tier has no value. */
static gboolean
tier_times (TlResolver *resolver, TlKeyId id, const guint32 *tRCD, gboolean said, guint32 *values)
{
  guint    tiers = resolver->target->memory.tiers;
  gboolean all = TRUE;

  said |= common_times (resolver, id, tRCD, values);
  for (guint t = 0; t < TL_MAX_TIERS; t++)
    {
      const TlFact *own = resolver->facts->tier[id][t];
      if (own != NULL && t < tiers)
        values[t] = in_ps (resolver, id, &own->list[0]);
      else if (own == NULL)
        all = all && t >= tiers;
      else if ((int) own->layer >= tl_resolver_layer (resolver, TL_K_TIERS))
        {
          TlDiag *diag
              = tl_diags_add_at (resolver->diags, TL_SEVERITY_ERROR, "target-tier", own->file, own->line, 0,
                                 "%s is given for tier %u, but there are %u tiers", tl_key (id)->name, t, tiers);
          tl_diag_reason (diag, "tiers count from 0");
          resolver->errors++;
        }
    }
  return said || all;
}

static void
check_tiers (TlResolver *resolver)
{
  TlMemory *memory = &resolver->target->memory;

  for (guint t = 0; t < memory->tiers; t++)
    {
      const TlTierTiming *tier = &memory->tier[t];
      g_autofree char    *tRCD = tl_quantity_time (tier->tRCD);
      g_autofree char    *tRAS = tl_quantity_time (tier->tRAS);
      g_autofree char    *tRC = tl_quantity_time (tier->tRC);
      g_autofree char    *sum = tl_quantity_time ((guint64) tier->tRAS + tier->tRP);
      if (tier->tRAS < tier->tRCD)
        {
          tl_resolver_complain (
              resolver, TL_K_TRAS, "target-contradiction",
              "tRAS of tier %u, %s, is shorter than its tRCD, %s: the row would close before it is read", t, tRAS,
              tRCD);
          return;
        }
      if (tier->tRC < (guint64) tier->tRAS + tier->tRP)
        {
          TlDiag *diag = tl_resolver_complain (resolver, TL_K_TRC, "target-contradiction",
                                               "tRC of tier %u, %s, is shorter than tRAS + tRP, %s", t, tRC, sum);
          tl_diag_reason (diag, "leave tRC out and it follows");
          return;
        }
    }
}

void
tl_resolve_timing (TlResolver *resolver)
{
  static const struct
  {
    TlKeyId id;
    gsize   offset;
  } lists[] = {
    { TL_K_TRCD, G_STRUCT_OFFSET (TlTierTiming, tRCD) }, { TL_K_TRAS, G_STRUCT_OFFSET (TlTierTiming, tRAS) },
    { TL_K_TRP, G_STRUCT_OFFSET (TlTierTiming, tRP) },   { TL_K_TRTP, G_STRUCT_OFFSET (TlTierTiming, tRTP) },
    { TL_K_TWR, G_STRUCT_OFFSET (TlTierTiming, tWR) },   { TL_K_TCL, G_STRUCT_OFFSET (TlTierTiming, tCL) },
    { TL_K_TCWL, G_STRUCT_OFFSET (TlTierTiming, tCWL) },
  };
  TlMemory *memory = &resolver->target->memory;
  guint32   tRCD[TL_MAX_TIERS] = { 0 };

  if (memory->tiers == 0 || memory->tiers > TL_MAX_TIERS)
    return;
  memory->clock = tl_resolver_require (resolver, TL_K_CLOCK) ? tl_resolver_number (resolver, TL_K_CLOCK, 0) : 0;
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      guint32 values[TL_MAX_TIERS] = { 0 };
      if (!tier_times (resolver, lists[i].id, tRCD, FALSE, values))
        tl_resolver_require (resolver, lists[i].id);
      if (lists[i].id == TL_K_TRCD)
        memcpy (tRCD, values, sizeof tRCD);
      for (guint t = 0; t < memory->tiers; t++)
        G_STRUCT_MEMBER (guint32, &memory->tier[t], lists[i].offset) = values[t];
    }
  guint32 tRC[TL_MAX_TIERS] = { 0 };
  for (guint t = 0; t < memory->tiers; t++)
    tRC[t] = MIN ((guint64) memory->tier[t].tRAS + memory->tier[t].tRP, G_MAXUINT32);
  tier_times (resolver, TL_K_TRC, tRCD, TRUE, tRC);
  for (guint t = 0; t < memory->tiers; t++)
    memory->tier[t].tRC = tRC[t];
  memory->tCCD = required_time (resolver, TL_K_TCCD);
  memory->burst = required_time (resolver, TL_K_BURST);
  memory->tRRD = required_time (resolver, TL_K_TRRD);
  memory->tFAW = required_time (resolver, TL_K_TFAW);
  memory->tWTR = required_time (resolver, TL_K_TWTR);
  if (tl_resolver_number (resolver, TL_K_REFRESH, 0) == 1)
    {
      memory->tREFI = required_time (resolver, TL_K_TREFI);
      memory->tRFC = required_time (resolver, TL_K_TRFC);
      if (memory->tREFI != 0 && memory->tRFC >= memory->tREFI)
        {
          g_autofree char *tRFC = tl_quantity_time (memory->tRFC);
          g_autofree char *tREFI = tl_quantity_time (memory->tREFI);
          tl_resolver_complain (resolver, TL_K_TRFC, "target-contradiction",
                                "a refresh takes %s and is due every %s: nothing else could run", tRFC, tREFI);
        }
    }
  else
    memory->tRFC = tl_resolver_time (resolver, TL_K_TRFC, 0);
  if (resolver->errors == 0)
    check_tiers (resolver);
}
