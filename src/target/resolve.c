/* From facts to a machine: defaults, what follows from what, and the checks that a
 * schema cannot make. A number that follows from others may also be written down;
 * then both must agree, unless one of them was said in a newer layer (a derived
 * target, --set): the newer one wins and the older one follows. */
#include <string.h>

#include "base/number.h"
#include "target/target-private.h"

#define MAX_DOMAINS (1u << 20)

typedef struct
{
  TlTarget *target;
  TlFacts  *facts;
  TlDiags  *diags;
  guint     errors;
} Resolver;

static TlDiag *complain (Resolver *resolver, TlKeyId id, const char *code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* An error at the place where @id was said, else at the target's root. */
static TlDiag *
complain (Resolver *resolver, TlKeyId id, const char *code, const char *format, ...)
{
  const TlFact    *fact = id < TL_N_KEYS && resolver->facts->fact[id].set ? &resolver->facts->fact[id] : NULL;
  va_list          arguments;
  g_autofree char *message = NULL;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  resolver->errors++;
  return tl_diags_add_at (resolver->diags, TL_SEVERITY_ERROR, code, fact != NULL ? fact->file : resolver->facts->file,
                          fact != NULL ? fact->line : resolver->facts->line, 0, "%s", message);
}

/* "FILE:LINE" or "--set ...", for reasons. (transfer full) */
static char *
place (const TlFact *fact)
{
  return fact->line > 0 ? g_strdup_printf ("%s:%u", fact->file, fact->line) : g_strdup (fact->file);
}

static gboolean
is_set (const Resolver *resolver, TlKeyId id)
{
  return resolver->facts->fact[id].set;
}

/* -1 when not said. */
static int
layer (const Resolver *resolver, TlKeyId id)
{
  return is_set (resolver, id) ? (int) resolver->facts->fact[id].layer : -1;
}

/* The one of @ids that was said last: where a contradiction is told. */
static TlKeyId
newest_of (const Resolver *resolver, const TlKeyId *ids, guint n)
{
  TlKeyId newest = ids[0];

  for (guint i = 1; i < n; i++)
    if (layer (resolver, ids[i]) > layer (resolver, newest))
      newest = ids[i];
  return newest;
}

/* A key that must be said; 0 with an error when it is not. */
static gboolean
require (Resolver *resolver, TlKeyId id)
{
  if (is_set (resolver, id))
    return TRUE;
  TlDiag *diag = complain (resolver, TL_N_KEYS, "target-missing", "%s is missing", tl_key (id)->name);
  tl_diag_reason (diag, "<%s> says %s", tl_key (id)->section, tl_key (id)->meaning);
  return FALSE;
}

static guint64
number (Resolver *resolver, TlKeyId id, guint64 otherwise)
{
  return is_set (resolver, id) ? resolver->facts->fact[id].list[0].value : otherwise;
}

static guint64
required (Resolver *resolver, TlKeyId id)
{
  return require (resolver, id) ? resolver->facts->fact[id].list[0].value : 0;
}

/* --- organisation --- */

/* Drops the older of @follows and its dual when their product contradicts, the
 * former where both may go and @whole says that it can follow; FALSE when both are as
 * new as the newest factor. */
static gboolean
settle (Resolver *resolver, TlKeyId follows, TlKeyId dual, gboolean whole, int newest)
{
  newest = MAX (newest, MAX (layer (resolver, follows), layer (resolver, dual)));
  gboolean old = layer (resolver, follows) < newest, dual_old = layer (resolver, dual) < newest;
  if (old && (whole || !dual_old))
    resolver->facts->fact[follows].set = FALSE;
  else if (dual_old)
    resolver->facts->fact[dual].set = FALSE;
  else
    return FALSE;
  return TRUE;
}

/* row = columns * unit. */
static void
resolve_row (Resolver *resolver)
{
  TlMemory *memory = &resolver->target->memory;
  gboolean  pim = memory->kind == TL_MACHINE_PIM;
  TlKeyId   unit = pim ? TL_K_BEAT : TL_K_QUANTUM;

  memory->unit_bytes = required (resolver, unit);
  if (memory->unit_bytes == 0)
    return;
  if (!is_set (resolver, TL_K_ROW) && !is_set (resolver, TL_K_COLUMNS))
    {
      require (resolver, pim ? TL_K_ROW : TL_K_COLUMNS);
      return;
    }
  if (is_set (resolver, TL_K_ROW) && is_set (resolver, TL_K_COLUMNS)
      && number (resolver, TL_K_ROW, 0) != number (resolver, TL_K_COLUMNS, 0) * memory->unit_bytes
      && !settle (resolver, pim ? TL_K_COLUMNS : TL_K_ROW, pim ? TL_K_ROW : TL_K_COLUMNS, TRUE, layer (resolver, unit)))
    {
      g_autofree char *row = tl_quantity_size (number (resolver, TL_K_ROW, 0));
      g_autofree char *made = tl_quantity_size (number (resolver, TL_K_COLUMNS, 0) * memory->unit_bytes);
      g_autofree char *bytes = tl_quantity_size (memory->unit_bytes);
      g_autofree char *where = place (&resolver->facts->fact[TL_K_COLUMNS]);
      TlDiag          *diag = complain (resolver, TL_K_ROW, "target-contradiction",
                                        "a row of %s contradicts %" G_GUINT64_FORMAT " columns of %s, which are %s", row,
                                        number (resolver, TL_K_COLUMNS, 0), bytes, made);
      tl_diag_reason (diag, "columns are given at %s; leave one of the two out and it follows", where);
      return;
    }
  if (is_set (resolver, TL_K_ROW))
    {
      guint64 row = number (resolver, TL_K_ROW, 0);
      if (row % memory->unit_bytes != 0 || row == 0)
        {
          g_autofree char *text = tl_quantity_size (row);
          g_autofree char *bytes = tl_quantity_size (memory->unit_bytes);
          const TlKeyId    ids[] = { TL_K_ROW, unit };
          complain (resolver, newest_of (resolver, ids, 2), "target-contradiction",
                    "a row of %s is no whole number of %ss of %s", text, tl_key (unit)->name, bytes);
          return;
        }
      memory->columns = row / memory->unit_bytes;
      memory->row_bytes = row;
    }
  else
    {
      memory->columns = number (resolver, TL_K_COLUMNS, 0);
      memory->row_bytes = memory->columns * memory->unit_bytes;
    }
  if (memory->columns > tl_key (TL_K_COLUMNS)->max)
    complain (resolver, TL_K_ROW, "target-contradiction", "a row of %u columns is too long", memory->columns);
}

/* capacity = channels * pseudo_channels * tiers * groups * banks * rows * row. On pim
 * machines the stack's capacity is given and rows follow; on cu machines an
 * organisation is given and the capacity follows. */
static void
resolve_capacity (Resolver *resolver)
{
  static const TlKeyId factors[] = { TL_K_CHANNELS, TL_K_PSEUDO_CHANNELS, TL_K_TIERS, TL_K_GROUPS, TL_K_BANKS,
                                     TL_K_ROW,      TL_K_COLUMNS,         TL_K_BEAT,  TL_K_QUANTUM };
  TlMemory            *memory = &resolver->target->memory;
  gboolean             pim = memory->kind == TL_MACHINE_PIM;
  guint64              product = memory->row_bytes;
  int                  newest = -1;

  if (resolver->errors > 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    newest = MAX (newest, layer (resolver, factors[i]));
  /* Each factor is at most 2^32 and the keys' bounds keep the rest below 2^64. */
  gboolean fits = tl_mul_u64 (product, memory->channels, &product)
                  && tl_mul_u64 (product, memory->pseudo_channels, &product)
                  && tl_mul_u64 (product, memory->tiers, &product) && tl_mul_u64 (product, memory->groups, &product)
                  && tl_mul_u64 (product, memory->banks, &product);
  guint64 rows = number (resolver, TL_K_ROWS, 0), capacity = number (resolver, TL_K_CAPACITY, 0), all = 0;
  if (!is_set (resolver, TL_K_ROWS) && !is_set (resolver, TL_K_CAPACITY))
    {
      require (resolver, pim ? TL_K_CAPACITY : TL_K_ROWS);
      return;
    }
  if (is_set (resolver, TL_K_ROWS) && is_set (resolver, TL_K_CAPACITY)
      && (!fits || !tl_mul_u64 (product, rows, &all) || all != capacity)
      && !settle (resolver, pim ? TL_K_ROWS : TL_K_CAPACITY, pim ? TL_K_CAPACITY : TL_K_ROWS,
                  !pim || (fits && capacity % product == 0), newest))
    {
      g_autofree char *stated = tl_quantity_size (capacity);
      g_autofree char *made = tl_quantity_size (all);
      g_autofree char *row = tl_quantity_size (memory->row_bytes);
      g_autofree char *count = tl_format_count (rows);
      g_autofree char *where = place (&resolver->facts->fact[TL_K_ROWS]);
      TlDiag          *diag = complain (resolver, TL_K_CAPACITY, "target-contradiction",
                                        "the capacity of %s contradicts the organisation, which holds %s", stated,
                               all != 0 ? made : "more");
      tl_diag_reason (
          diag,
          "%u channels x %u pseudo-channels x %u tiers x %u groups x %u banks x %s rows x %s; rows are given "
          "at %s; leave one of the two out and it follows",
          memory->channels, memory->pseudo_channels, memory->tiers, memory->groups, memory->banks, count, row, where);
      return;
    }
  if (is_set (resolver, TL_K_ROWS))
    {
      if (!fits || !tl_mul_u64 (product, rows, &all) || all > tl_key (TL_K_CAPACITY)->max)
        {
          complain (resolver, TL_K_ROWS, "target-contradiction", "the stack is larger than 1024 TiB");
          return;
        }
      memory->rows = rows;
      memory->capacity = all;
      return;
    }
  if (!fits || capacity % product != 0 || capacity == 0)
    {
      g_autofree char *stated = tl_quantity_size (capacity);
      g_autofree char *made = tl_quantity_size (product);
      const TlKeyId    where[] = { TL_K_CAPACITY, TL_K_CHANNELS, TL_K_TIERS, TL_K_GROUPS, TL_K_BANKS, TL_K_ROW };
      complain (resolver, newest_of (resolver, where, G_N_ELEMENTS (where)), "target-contradiction",
                "the capacity of %s is no whole number of rows: one row in every bank and tier is %s", stated,
                fits ? made : "more");
      return;
    }
  memory->capacity = capacity;
  memory->rows = capacity / product;
  if (memory->rows > tl_key (TL_K_ROWS)->max)
    complain (resolver, TL_K_CAPACITY, "target-contradiction", "a bank has more than 2^32 rows");
}

static void
resolve_organisation (Resolver *resolver)
{
  TlMemory *memory = &resolver->target->memory;
  gboolean  pim = memory->kind == TL_MACHINE_PIM;

  memory->channels = number (resolver, TL_K_CHANNELS, 1);
  memory->pseudo_channels = pim ? 1 : number (resolver, TL_K_PSEUDO_CHANNELS, 1);
  memory->groups = number (resolver, TL_K_GROUPS, 1);
  memory->tiers = required (resolver, TL_K_TIERS);
  memory->banks = required (resolver, TL_K_BANKS);
  resolver->target->layers = number (resolver, TL_K_LAYERS, 0);
  if (pim && memory->banks > TL_MAX_BANKS)
    complain (resolver, TL_K_BANKS, "target-value", "%u banks a group are more than a pim machine may have (%d)",
              memory->banks, TL_MAX_BANKS);
  guint64 domains = (guint64) memory->channels * memory->pseudo_channels * memory->groups;
  domains *= (guint64) memory->banks * (pim ? 1 : memory->tiers);
  if (domains > MAX_DOMAINS)
    {
      TlDiag *diag = complain (resolver, TL_K_BANKS, "target-value", "the stack has too many banks");
      tl_diag_reason (diag, "%" G_GUINT64_FORMAT " rows can be open at once; at most %u are simulated", domains,
                      MAX_DOMAINS);
    }
  resolve_row (resolver);
  resolve_capacity (resolver);
  if (resolver->errors == 0 && pim && memory->rows > G_MAXUINT32 / memory->tiers)
    complain (resolver, TL_K_CAPACITY, "target-value", "a bank has more than 2^32 rows in all tiers");

  TlScope own = pim ? TL_SCOPE_GROUP : TL_SCOPE_CHANNEL;
  memory->data_bus = number (resolver, TL_K_DATA_BUS, own);
  memory->command_bus = number (resolver, TL_K_COMMAND_BUS, pim ? TL_COMMAND_BUS_NONE : TL_COMMAND_BUS_SPLIT);
  memory->tRRD_scope = number (resolver, TL_K_TRRD_SCOPE, own);
  memory->tFAW_scope = number (resolver, TL_K_TFAW_SCOPE, own);
  memory->refresh_scope = number (resolver, TL_K_REFRESH_SCOPE, own);
  /* PUs are simulated apart: what they would share cannot be said. */
  static const TlKeyId scopes[] = { TL_K_DATA_BUS, TL_K_TRRD_SCOPE, TL_K_TFAW_SCOPE, TL_K_REFRESH_SCOPE };
  for (guint i = 0; pim && i < G_N_ELEMENTS (scopes); i++)
    if (number (resolver, scopes[i], TL_SCOPE_GROUP) != TL_SCOPE_GROUP)
      complain (resolver, scopes[i], "target-value",
                "%s of a pim machine is its bank group, which one PU has to itself", tl_key (scopes[i])->name);
  if (pim && memory->command_bus != TL_COMMAND_BUS_NONE)
    complain (resolver, TL_K_COMMAND_BUS, "target-value", "a pim machine has no command bus");
}

/* --- timing --- */

/* A time in ps; cycles are of the machine's clock. */
static guint32
in_ps (Resolver *resolver, TlKeyId id, const TlQuantity *quantity)
{
  guint64 ps = quantity->value;

  if (quantity->cycles && !tl_mul_u64 (ps, resolver->target->memory.clock, &ps))
    ps = G_MAXUINT64;
  if (ps > G_MAXUINT32)
    {
      complain (resolver, id, "target-value", "%s is longer than 4.29 ms", tl_key (id)->name);
      return 0;
    }
  if (ps < tl_key (id)->min)
    complain (resolver, id, "target-value", "%s must not be 0", tl_key (id)->name);
  return ps;
}

static guint32
time_of (Resolver *resolver, TlKeyId id, guint32 otherwise)
{
  return is_set (resolver, id) ? in_ps (resolver, id, &resolver->facts->fact[id].list[0]) : otherwise;
}

static guint32
required_time (Resolver *resolver, TlKeyId id)
{
  return require (resolver, id) ? time_of (resolver, id, 0) : 0;
}

/* tRCD of tier t by the curve: a + b x + c x^2 at x = upper layer / 128, to the ps. */
static guint32
curve_at (Resolver *resolver, guint t)
{
  const TlFact     *curve = &resolver->facts->fact[TL_K_TRCD_CURVE];
  unsigned __int128 p = (guint64) resolver->target->layers * (t + 1);
  unsigned __int128 q = (guint64) resolver->target->memory.tiers * 128;
  unsigned __int128 fs = curve->list[0].value * q * q + curve->list[1].value * p * q + curve->list[2].value * p * p;
  unsigned __int128 ps = (fs + q * q * 500) / (q * q * 1000);

  if (ps > G_MAXUINT32)
    {
      complain (resolver, TL_K_TRCD_CURVE, "target-value", "tRCD of tier %u is longer than 4.29 ms", t);
      return 0;
    }
  return (guint32) ps;
}

/* Whether tRCD comes from the curve: nothing else says it for this many tiers. */
static gboolean
from_curve (Resolver *resolver)
{
  const TlFact *fact = &resolver->facts->fact[TL_K_TRCD];
  guint         tiers = resolver->target->memory.tiers;

  if (!is_set (resolver, TL_K_TRCD_CURVE))
    return FALSE;
  int newer = layer (resolver, TL_K_TRCD_CURVE) - layer (resolver, TL_K_TRCD);
  return newer > 0 || (newer == 0 && fact->n > 1 && fact->n != tiers);
}

/* What is said for all tiers into values[0 .. tiers). FALSE when nothing is. */
static gboolean
common_times (Resolver *resolver, TlKeyId id, const guint32 *tRCD, guint32 *values)
{
  const TlFact *fact = &resolver->facts->fact[id];
  guint         tiers = resolver->target->memory.tiers;
  gboolean      curve = id == TL_K_TRCD && from_curve (resolver);

  if (!fact->set && !curve)
    return FALSE;
  if (curve && resolver->target->layers == 0)
    {
      require (resolver, TL_K_LAYERS);
      return TRUE;
    }
  if (!curve && fact->n > 1 && fact->n != tiers)
    {
      TlDiag *diag = complain (resolver, id, "target-contradiction", "%s lists %u times for %u tiers",
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
          complain (resolver, id, "target-value", "%s of tier %u is longer than 4.29 ms", tl_key (id)->name, t);
          return TRUE;
        }
      values[t] = ps;
    }
  return TRUE;
}

/* Lays what is said of single tiers over @values, which hold what is said of all, if
 * @said. FALSE when a tier has no value. */
static gboolean
tier_times (Resolver *resolver, TlKeyId id, const guint32 *tRCD, gboolean said, guint32 *values)
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
      else if ((int) own->layer >= layer (resolver, TL_K_TIERS))
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
check_tiers (Resolver *resolver)
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
          complain (resolver, TL_K_TRAS, "target-contradiction",
                    "tRAS of tier %u, %s, is shorter than its tRCD, %s: the row would close before it is read", t, tRAS,
                    tRCD);
          return;
        }
      if (tier->tRC < (guint64) tier->tRAS + tier->tRP)
        {
          TlDiag *diag = complain (resolver, TL_K_TRC, "target-contradiction",
                                   "tRC of tier %u, %s, is shorter than tRAS + tRP, %s", t, tRC, sum);
          tl_diag_reason (diag, "leave tRC out and it follows");
          return;
        }
    }
}

static void
resolve_timing (Resolver *resolver)
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
  memory->clock = required (resolver, TL_K_CLOCK);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      guint32 values[TL_MAX_TIERS] = { 0 };
      if (!tier_times (resolver, lists[i].id, tRCD, FALSE, values))
        require (resolver, lists[i].id);
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
  if (number (resolver, TL_K_REFRESH, 0) == 1)
    {
      memory->tREFI = required_time (resolver, TL_K_TREFI);
      memory->tRFC = required_time (resolver, TL_K_TRFC);
      if (memory->tREFI != 0 && memory->tRFC >= memory->tREFI)
        {
          g_autofree char *tRFC = tl_quantity_time (memory->tRFC);
          g_autofree char *tREFI = tl_quantity_time (memory->tREFI);
          complain (resolver, TL_K_TRFC, "target-contradiction",
                    "a refresh takes %s and is due every %s: nothing else could run", tRFC, tREFI);
        }
    }
  else
    memory->tRFC = time_of (resolver, TL_K_TRFC, 0);
  if (resolver->errors == 0)
    check_tiers (resolver);
}

/* --- what is not memory --- */

/* The share of Search PUs keeps when only the number of PUs changes. */
static guint32
search_pus (Resolver *resolver, guint32 pus, guint32 before)
{
  guint32 search = number (resolver, TL_K_SEARCH_PUS, 0);

  if (layer (resolver, TL_K_SEARCH_PUS) >= layer (resolver, TL_K_PUS) || before == 0)
    return search;
  return (guint64) search * pus / before;
}

static void
resolve_pim (Resolver *resolver)
{
  const TlMemory *memory = &resolver->target->memory;
  TlPimMachine   *pim = &resolver->target->pim;
  guint64         groups = (guint64) memory->channels * memory->groups;
  guint64         pe_memory = number (resolver, TL_K_PE_MEMORY, 0);

  pim->clock = memory->clock;
  pim->pus = required (resolver, TL_K_PUS);
  pim->pes = required (resolver, TL_K_PES);
  pim->scratchpad_bytes = required (resolver, TL_K_SCRATCHPAD);
  pim->ring_bytes = required (resolver, TL_K_RING_WIDTH);
  pim->ring_hop = number (resolver, TL_K_RING_HOP, 1);
  pim->search_pus = search_pus (resolver, pim->pus, resolver->facts->former_pus);
  if (pim->pus > groups)
    {
      TlDiag *diag = complain (resolver, TL_K_PUS, "target-contradiction",
                               "%u PUs are more than the %" G_GUINT64_FORMAT " bank groups: each PU has one of its own",
                               pim->pus, groups);
      tl_diag_reason (diag, "%u channels x %u groups; raise one of them", memory->channels, memory->groups);
    }
  if (pim->search_pus > pim->pus)
    complain (resolver, TL_K_SEARCH_PUS, "target-contradiction", "%u of %u PUs cannot search", pim->search_pus,
              pim->pus);
  if (!tl_mul_u64 (pe_memory, pim->pes, &pim->sram_bytes)
      || !tl_add_u64 (pim->sram_bytes, pim->scratchpad_bytes, &pim->sram_bytes))
    complain (resolver, TL_K_PE_MEMORY, "target-value", "the memory of a PU is too large");
  pim->channels = memory->channels;
  pim->groups = memory->groups;
  pim->banks = memory->banks;
  pim->tiers = memory->tiers;
  pim->rows = memory->rows;
  pim->row_bytes = memory->row_bytes;
  pim->beat_bytes = memory->unit_bytes;
  pim->tier_bytes = memory->tiers > 0 ? memory->capacity / memory->tiers : 0;
  pim->burst = memory->burst;
  pim->tCCD = memory->tCCD;
  pim->tRRD = memory->tRRD;
  pim->tFAW = memory->tFAW;
  pim->tWTR = memory->tWTR;
  pim->tREFI = memory->tREFI;
  pim->tRFC = memory->tRFC;
  memcpy (pim->tier, memory->tier, sizeof pim->tier);
  pim->dram_fj_per_bit = number (resolver, TL_K_DRAM_ENERGY, 0);
  pim->alu_fj = number (resolver, TL_K_ALU_ENERGY, 0);
  pim->sram_local_fj = number (resolver, TL_K_SRAM_LOCAL_ENERGY, 0);
  pim->sram_shared_fj = number (resolver, TL_K_SRAM_SHARED_ENERGY, 0);
  pim->hop_fj_per_bit = number (resolver, TL_K_HOP_ENERGY, 0);
}

static void
resolve_cu (Resolver *resolver)
{
  const TlMemory *memory = &resolver->target->memory;
  TlCuMachine    *cu = &resolver->target->cu;
  guint64         longest = 0;

  cu->clock = memory->clock;
  cu->macs = number (resolver, TL_K_MACS, 2048);
  cu->issue = number (resolver, TL_K_ISSUE, 1);
  cu->scheduler = number (resolver, TL_K_SCHEDULER, TL_SCHEDULER_FR_FCFS);
  cu->window = number (resolver, TL_K_QUEUE, 32);
  cu->write_queue = number (resolver, TL_K_WRITE_QUEUE, 32);
  cu->write_high = number (resolver, TL_K_WRITE_HIGH, MIN (26, cu->write_queue));
  cu->write_low = number (resolver, TL_K_WRITE_LOW, MIN (6, cu->write_high));
  for (guint t = 0; t < memory->tiers; t++)
    longest = MAX (longest, memory->tier[t].tRC);
  cu->age = is_set (resolver, TL_K_AGE) ? time_of (resolver, TL_K_AGE, 0) : 10 * longest;
  if (cu->write_high > cu->write_queue || cu->write_low > cu->write_high)
    complain (resolver, cu->write_high > cu->write_queue ? TL_K_WRITE_HIGH : TL_K_WRITE_LOW, "target-contradiction",
              "a write queue of %u cannot be drained from %u down to %u", cu->write_queue, cu->write_high,
              cu->write_low);
}

/* --- map and knobs --- */

static gboolean
power_of_two (guint64 n)
{
  return n != 0 && (n & (n - 1)) == 0;
}

/* A machine whose numbers are no powers of two has no map; a pim machine can do
 * without one. So can one whose map was written for other numbers. */
static void
resolve_map (Resolver *resolver)
{
  static const TlKeyId factors[] = { TL_K_CHANNELS, TL_K_TIERS,   TL_K_GROUPS, TL_K_BANKS,   TL_K_ROWS,
                                     TL_K_ROW,      TL_K_COLUMNS, TL_K_BEAT,   TL_K_QUANTUM, TL_K_CAPACITY };
  TlTarget            *target = resolver->target;
  const TlMemory      *memory = &target->memory;
  const TlFact        *fact = &resolver->facts->fact[TL_K_MAP];
  int                  newest = -1;

  target->map_text = g_strdup (fact->set ? fact->text : memory->kind == TL_MACHINE_CU ? "RoBaTiCoCh" : "TiRoBaCoCh");
  target->map = tl_address_map_parse (target->map_text, memory, &target->map_reason);
  if (target->map != NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    newest = MAX (newest, layer (resolver, factors[i]));
  gboolean mappable = power_of_two (memory->channels) && power_of_two (memory->tiers) && power_of_two (memory->groups)
                      && power_of_two (memory->banks) && power_of_two (memory->rows) && power_of_two (memory->columns);
  if (memory->kind == TL_MACHINE_PIM && (!mappable || !fact->set || layer (resolver, TL_K_MAP) < newest))
    return;
  TlDiag *diag = complain (resolver, TL_K_MAP, "target-map", "the address map does not fit the stack");
  tl_diag_reason (diag, "%s", target->map_reason);
}

static int
compare_knobs (gconstpointer a, gconstpointer b)
{
  return strcmp (((const TlKnob *) a)->key, ((const TlKnob *) b)->key);
}

static void
resolve_knobs (Resolver *resolver)
{
  TlTarget      *target = resolver->target;
  TlMemory      *memory = &target->memory;
  GHashTableIter iter;
  gpointer       key, value;

  g_hash_table_iter_init (&iter, resolver->facts->knobs);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      TlKnob knob = { g_string_chunk_insert_const (target->strings, key),
                      g_string_chunk_insert_const (target->strings, value) };
      g_array_append_val (target->knobs, knob);
    }
  g_array_sort (target->knobs, compare_knobs);

  const char *page = tl_target_knob (target, "page");
  memory->pages = memory->kind == TL_MACHINE_CU ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  if (page != NULL && strcmp (page, "open") == 0)
    memory->pages = TL_PAGES_OPEN;
  else if (page != NULL && strcmp (page, "closed") == 0)
    memory->pages = TL_PAGES_CLOSED;
  else if (page != NULL)
    complain (resolver, TL_N_KEYS, "target-knob", "page is open or closed, not \"%s\"", page);
}

static void
refuse_foreign (Resolver *resolver)
{
  guint machine = resolver->target->kind == TL_MACHINE_PIM ? TL_ON_PIM : TL_ON_CU;

  for (guint i = 0; i < TL_N_KEYS; i++)
    if (is_set (resolver, i) && (tl_key (i)->machines & machine) == 0)
      {
        TlDiag *diag
            = complain (resolver, i, "target-foreign", "%s is a number of %s machines; this is a %s machine",
                        tl_key (i)->name, machine == TL_ON_PIM ? "cu" : "pim", machine == TL_ON_PIM ? "pim" : "cu");
        if (i == TL_K_QUANTUM || i == TL_K_BEAT)
          tl_diag_reason (diag, "its unit is called %s", i == TL_K_QUANTUM ? "beat" : "quantum");
      }
}

gboolean
tl_resolve (TlTarget *target, TlFacts *facts, TlDiags *diags)
{
  Resolver resolver = { .target = target, .facts = facts, .diags = diags };

  target->kind = facts->kind;
  target->memory.kind = facts->kind;
  refuse_foreign (&resolver);
  resolve_organisation (&resolver);
  resolve_timing (&resolver);
  if (target->kind == TL_MACHINE_PIM)
    resolve_pim (&resolver);
  else
    resolve_cu (&resolver);
  resolve_knobs (&resolver);
  if (resolver.errors == 0)
    resolve_map (&resolver);
  if (resolver.errors > 0)
    return FALSE;
  tl_target_describe (target, facts);
  return TRUE;
}
