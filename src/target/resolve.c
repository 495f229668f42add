/* From facts to a machine: defaults, what follows from what, and the checks that a
 * schema cannot make. A number that follows from others may also be written down;
 * then both must agree, unless one of them was said in a newer layer (a derived
 * target, --set): the newer one wins and the older one follows. */
#include <string.h>

#include "base/number.h"
#include "target/resolve-private.h"

#define MAX_DOMAINS (1u << 20)

/* An error at the place where @id was said, else at the target's root. */
TlDiag *
tl_resolver_complain (TlResolver *resolver, TlKeyId id, const char *code, const char *format, ...)
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

gboolean
tl_resolver_is_set (const TlResolver *resolver, TlKeyId id)
{
  return resolver->facts->fact[id].set;
}

/* -1 when not said. */
int
tl_resolver_layer (const TlResolver *resolver, TlKeyId id)
{
  return tl_resolver_is_set (resolver, id) ? (int) resolver->facts->fact[id].layer : -1;
}

/* The one of @ids that was said last: where a contradiction is told. */
static TlKeyId
newest_of (const TlResolver *resolver, const TlKeyId *ids, guint n)
{
  TlKeyId newest = ids[0];

  for (guint i = 1; i < n; i++)
    if (tl_resolver_layer (resolver, ids[i]) > tl_resolver_layer (resolver, newest))
      newest = ids[i];
  return newest;
}

/* A key that must be said. */
gboolean
tl_resolver_require (TlResolver *resolver, TlKeyId id)
{
  if (tl_resolver_is_set (resolver, id))
    return TRUE;
  TlDiag *diag = tl_resolver_complain (resolver, TL_N_KEYS, "target-missing", "%s is missing", tl_key (id)->name);
  tl_diag_reason (diag, "<%s> says %s", tl_key (id)->section, tl_key (id)->meaning);
  return FALSE;
}

guint64
tl_resolver_number (const TlResolver *resolver, TlKeyId id, guint64 otherwise)
{
  return tl_resolver_is_set (resolver, id) ? resolver->facts->fact[id].list[0].value : otherwise;
}

static guint64
required (TlResolver *resolver, TlKeyId id)
{
  return tl_resolver_require (resolver, id) ? resolver->facts->fact[id].list[0].value : 0;
}

/* --- organisation --- */

/* Drops the older of @follows and its dual when their product contradicts, the
 * former where both may go and @whole says that it can follow; FALSE when both are as
 * new as the newest factor. */
static gboolean
settle (TlResolver *resolver, TlKeyId follows, TlKeyId dual, gboolean whole, int newest)
{
  newest = MAX (newest, MAX (tl_resolver_layer (resolver, follows), tl_resolver_layer (resolver, dual)));
  gboolean old = tl_resolver_layer (resolver, follows) < newest, dual_old = tl_resolver_layer (resolver, dual) < newest;
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
resolve_row (TlResolver *resolver)
{
  TlMemory *memory = &resolver->target->memory;
  gboolean  pim = memory->kind == TL_MACHINE_PIM;
  TlKeyId   unit = pim ? TL_K_BEAT : TL_K_QUANTUM;

  memory->unit_bytes = required (resolver, unit);
  if (memory->unit_bytes == 0)
    return;
  if (!tl_resolver_is_set (resolver, TL_K_ROW) && !tl_resolver_is_set (resolver, TL_K_COLUMNS))
    {
      tl_resolver_require (resolver, pim ? TL_K_ROW : TL_K_COLUMNS);
      return;
    }
  if (tl_resolver_is_set (resolver, TL_K_ROW) && tl_resolver_is_set (resolver, TL_K_COLUMNS)
      && tl_resolver_number (resolver, TL_K_ROW, 0)
             != tl_resolver_number (resolver, TL_K_COLUMNS, 0) * memory->unit_bytes
      && !settle (resolver, pim ? TL_K_COLUMNS : TL_K_ROW, pim ? TL_K_ROW : TL_K_COLUMNS, TRUE,
                  tl_resolver_layer (resolver, unit)))
    {
      g_autofree char *row = tl_quantity_size (tl_resolver_number (resolver, TL_K_ROW, 0));
      g_autofree char *made = tl_quantity_size (tl_resolver_number (resolver, TL_K_COLUMNS, 0) * memory->unit_bytes);
      g_autofree char *bytes = tl_quantity_size (memory->unit_bytes);
      g_autofree char *where = place (&resolver->facts->fact[TL_K_COLUMNS]);
      TlDiag          *diag = tl_resolver_complain (resolver, TL_K_ROW, "target-contradiction",
                                                    "a row of %s contradicts %" G_GUINT64_FORMAT " columns of %s, which are %s",
                                                    row, tl_resolver_number (resolver, TL_K_COLUMNS, 0), bytes, made);
      tl_diag_reason (diag, "columns are given at %s; leave one of the two out and it follows", where);
      return;
    }
  if (tl_resolver_is_set (resolver, TL_K_ROW))
    {
      guint64 row = tl_resolver_number (resolver, TL_K_ROW, 0);
      if (row % memory->unit_bytes != 0 || row == 0)
        {
          g_autofree char *text = tl_quantity_size (row);
          g_autofree char *bytes = tl_quantity_size (memory->unit_bytes);
          const TlKeyId    ids[] = { TL_K_ROW, unit };
          tl_resolver_complain (resolver, newest_of (resolver, ids, 2), "target-contradiction",
                                "a row of %s is no whole number of %ss of %s", text, tl_key (unit)->name, bytes);
          return;
        }
      memory->columns = row / memory->unit_bytes;
      memory->row_bytes = row;
    }
  else
    {
      memory->columns = tl_resolver_number (resolver, TL_K_COLUMNS, 0);
      memory->row_bytes = memory->columns * memory->unit_bytes;
    }
  if (memory->columns > tl_key (TL_K_COLUMNS)->max)
    tl_resolver_complain (resolver, TL_K_ROW, "target-contradiction", "a row of %u columns is too long",
                          memory->columns);
}

/* capacity = channels * pseudo_channels * tiers * groups * banks * rows * row. On pim
 * machines the stack's capacity is given and rows follow; on cu machines an
 * organisation is given and the capacity follows. */
static void
resolve_capacity (TlResolver *resolver)
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
    newest = MAX (newest, tl_resolver_layer (resolver, factors[i]));
  /* Each factor is at most 2^32 and the keys' bounds keep the rest below 2^64. */
  gboolean fits = tl_mul_u64 (product, memory->channels, &product)
                  && tl_mul_u64 (product, memory->pseudo_channels, &product)
                  && tl_mul_u64 (product, memory->tiers, &product) && tl_mul_u64 (product, memory->groups, &product)
                  && tl_mul_u64 (product, memory->banks, &product);
  guint64 rows = tl_resolver_number (resolver, TL_K_ROWS, 0),
          capacity = tl_resolver_number (resolver, TL_K_CAPACITY, 0), all = 0;
  if (!tl_resolver_is_set (resolver, TL_K_ROWS) && !tl_resolver_is_set (resolver, TL_K_CAPACITY))
    {
      tl_resolver_require (resolver, pim ? TL_K_CAPACITY : TL_K_ROWS);
      return;
    }
  if (tl_resolver_is_set (resolver, TL_K_ROWS) && tl_resolver_is_set (resolver, TL_K_CAPACITY)
      && (!fits || !tl_mul_u64 (product, rows, &all) || all != capacity)
      && !settle (resolver, pim ? TL_K_ROWS : TL_K_CAPACITY, pim ? TL_K_CAPACITY : TL_K_ROWS,
                  !pim || (fits && capacity % product == 0), newest))
    {
      g_autofree char *stated = tl_quantity_size (capacity);
      g_autofree char *made = tl_quantity_size (all);
      g_autofree char *row = tl_quantity_size (memory->row_bytes);
      g_autofree char *count = tl_format_count (rows);
      g_autofree char *where = place (&resolver->facts->fact[TL_K_ROWS]);
      TlDiag          *diag = tl_resolver_complain (resolver, TL_K_CAPACITY, "target-contradiction",
                                                    "the capacity of %s contradicts the organisation, which holds %s", stated,
                                           all != 0 ? made : "more");
      tl_diag_reason (
          diag,
          "%u channels x %u pseudo-channels x %u tiers x %u groups x %u banks x %s rows x %s; rows are given "
          "at %s; leave one of the two out and it follows",
          memory->channels, memory->pseudo_channels, memory->tiers, memory->groups, memory->banks, count, row, where);
      return;
    }
  if (tl_resolver_is_set (resolver, TL_K_ROWS))
    {
      if (!fits || !tl_mul_u64 (product, rows, &all) || all > tl_key (TL_K_CAPACITY)->max)
        {
          tl_resolver_complain (resolver, TL_K_ROWS, "target-contradiction", "the stack is larger than 1024 TiB");
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
      tl_resolver_complain (resolver, newest_of (resolver, where, G_N_ELEMENTS (where)), "target-contradiction",
                            "the capacity of %s is no whole number of rows: one row in every bank and tier is %s",
                            stated, fits ? made : "more");
      return;
    }
  memory->capacity = capacity;
  memory->rows = capacity / product;
  if (memory->rows > tl_key (TL_K_ROWS)->max)
    tl_resolver_complain (resolver, TL_K_CAPACITY, "target-contradiction", "a bank has more than 2^32 rows");
}

static void
resolve_organisation (TlResolver *resolver)
{
  TlMemory *memory = &resolver->target->memory;
  gboolean  pim = memory->kind == TL_MACHINE_PIM;

  memory->channels = tl_resolver_number (resolver, TL_K_CHANNELS, 1);
  memory->pseudo_channels = pim ? 1 : tl_resolver_number (resolver, TL_K_PSEUDO_CHANNELS, 1);
  memory->groups = tl_resolver_number (resolver, TL_K_GROUPS, 1);
  memory->tiers = required (resolver, TL_K_TIERS);
  memory->banks = required (resolver, TL_K_BANKS);
  resolver->target->layers = tl_resolver_number (resolver, TL_K_LAYERS, 0);
  if (pim && memory->banks > TL_MAX_BANKS)
    tl_resolver_complain (resolver, TL_K_BANKS, "target-value",
                          "%u banks a group are more than a pim machine may have (%d)", memory->banks, TL_MAX_BANKS);
  guint64 domains = (guint64) memory->channels * memory->pseudo_channels * memory->groups;
  domains *= (guint64) memory->banks * (pim ? 1 : memory->tiers);
  if (domains > MAX_DOMAINS)
    {
      TlDiag *diag = tl_resolver_complain (resolver, TL_K_BANKS, "target-value", "the stack has too many banks");
      tl_diag_reason (diag, "%" G_GUINT64_FORMAT " rows can be open at once; at most %u are simulated", domains,
                      MAX_DOMAINS);
    }
  resolve_row (resolver);
  resolve_capacity (resolver);
  if (resolver->errors == 0 && pim && memory->rows > G_MAXUINT32 / memory->tiers)
    tl_resolver_complain (resolver, TL_K_CAPACITY, "target-value", "a bank has more than 2^32 rows in all tiers");

  TlScope own = pim ? TL_SCOPE_GROUP : TL_SCOPE_CHANNEL;
  memory->data_bus = tl_resolver_number (resolver, TL_K_DATA_BUS, own);
  memory->command_bus
      = tl_resolver_number (resolver, TL_K_COMMAND_BUS, pim ? TL_COMMAND_BUS_NONE : TL_COMMAND_BUS_SPLIT);
  memory->tRRD_scope = tl_resolver_number (resolver, TL_K_TRRD_SCOPE, own);
  memory->tFAW_scope = tl_resolver_number (resolver, TL_K_TFAW_SCOPE, own);
  memory->refresh_scope = tl_resolver_number (resolver, TL_K_REFRESH_SCOPE, own);
  /* PUs are simulated apart: what they would share cannot be said. */
  static const TlKeyId scopes[] = { TL_K_DATA_BUS, TL_K_TRRD_SCOPE, TL_K_TFAW_SCOPE, TL_K_REFRESH_SCOPE };
  for (guint i = 0; pim && i < G_N_ELEMENTS (scopes); i++)
    if (tl_resolver_number (resolver, scopes[i], TL_SCOPE_GROUP) != TL_SCOPE_GROUP)
      tl_resolver_complain (resolver, scopes[i], "target-value",
                            "%s of a pim machine is its bank group, which one PU has to itself",
                            tl_key (scopes[i])->name);
  if (pim && memory->command_bus != TL_COMMAND_BUS_NONE)
    tl_resolver_complain (resolver, TL_K_COMMAND_BUS, "target-value", "a pim machine has no command bus");
}

/* --- what is not memory --- */

/* The share of Search PUs keeps when only the number of PUs changes. */
static guint32
search_pus (TlResolver *resolver, guint32 pus, guint32 before)
{
  guint32 search = tl_resolver_number (resolver, TL_K_SEARCH_PUS, 0);

  if (tl_resolver_layer (resolver, TL_K_SEARCH_PUS) >= tl_resolver_layer (resolver, TL_K_PUS) || before == 0)
    return search;
  return (guint64) search * pus / before;
}

static void
resolve_pim (TlResolver *resolver)
{
  const TlMemory *memory = &resolver->target->memory;
  TlPimMachine   *pim = &resolver->target->pim;
  guint64         groups = (guint64) memory->channels * memory->groups;
  guint64         pe_memory = tl_resolver_number (resolver, TL_K_PE_MEMORY, 0);

  pim->clock = memory->clock;
  pim->pus = required (resolver, TL_K_PUS);
  pim->pes = required (resolver, TL_K_PES);
  pim->scratchpad_bytes = required (resolver, TL_K_SCRATCHPAD);
  pim->ring_bytes = required (resolver, TL_K_RING_WIDTH);
  pim->ring_hop = tl_resolver_number (resolver, TL_K_RING_HOP, 1);
  pim->search_pus = search_pus (resolver, pim->pus, resolver->facts->former_pus);
  if (pim->pus > groups)
    {
      TlDiag *diag = tl_resolver_complain (
          resolver, TL_K_PUS, "target-contradiction",
          "%u PUs are more than the %" G_GUINT64_FORMAT " bank groups: each PU has one of its own", pim->pus, groups);
      tl_diag_reason (diag, "%u channels x %u groups; raise one of them", memory->channels, memory->groups);
    }
  if (pim->search_pus > pim->pus)
    tl_resolver_complain (resolver, TL_K_SEARCH_PUS, "target-contradiction", "%u of %u PUs cannot search",
                          pim->search_pus, pim->pus);
  if (!tl_mul_u64 (pe_memory, pim->pes, &pim->sram_bytes)
      || !tl_add_u64 (pim->sram_bytes, pim->scratchpad_bytes, &pim->sram_bytes))
    tl_resolver_complain (resolver, TL_K_PE_MEMORY, "target-value", "the memory of a PU is too large");
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
  pim->dram_fj_per_bit = tl_resolver_number (resolver, TL_K_DRAM_ENERGY, 0);
  pim->alu_fj = tl_resolver_number (resolver, TL_K_ALU_ENERGY, 0);
  pim->sram_local_fj = tl_resolver_number (resolver, TL_K_SRAM_LOCAL_ENERGY, 0);
  pim->sram_shared_fj = tl_resolver_number (resolver, TL_K_SRAM_SHARED_ENERGY, 0);
  pim->hop_fj_per_bit = tl_resolver_number (resolver, TL_K_HOP_ENERGY, 0);
}

static void
resolve_cu (TlResolver *resolver)
{
  const TlMemory *memory = &resolver->target->memory;
  TlCuMachine    *cu = &resolver->target->cu;
  guint64         longest = 0;

  cu->clock = memory->clock;
  cu->macs = tl_resolver_number (resolver, TL_K_MACS, 2048);
  cu->issue = tl_resolver_number (resolver, TL_K_ISSUE, 1);
  cu->scheduler = tl_resolver_number (resolver, TL_K_SCHEDULER, TL_SCHEDULER_FR_FCFS);
  cu->window = tl_resolver_number (resolver, TL_K_QUEUE, 32);
  cu->write_queue = tl_resolver_number (resolver, TL_K_WRITE_QUEUE, 32);
  cu->write_high = tl_resolver_number (resolver, TL_K_WRITE_HIGH, MIN (26, cu->write_queue));
  cu->write_low = tl_resolver_number (resolver, TL_K_WRITE_LOW, MIN (6, cu->write_high));
  for (guint t = 0; t < memory->tiers; t++)
    longest = MAX (longest, memory->tier[t].tRC);
  cu->age = tl_resolver_is_set (resolver, TL_K_AGE) ? tl_resolver_time (resolver, TL_K_AGE, 0) : 10 * longest;
  if (cu->write_high > cu->write_queue || cu->write_low > cu->write_high)
    tl_resolver_complain (resolver, cu->write_high > cu->write_queue ? TL_K_WRITE_HIGH : TL_K_WRITE_LOW,
                          "target-contradiction", "a write queue of %u cannot be drained from %u down to %u",
                          cu->write_queue, cu->write_high, cu->write_low);
}

static void
resolve_energy (TlResolver *resolver)
{
  TlDramEnergy *energy = &resolver->target->energy;

  energy->activate = tl_resolver_number (resolver, TL_K_ACTIVATE_ENERGY, 0);
  energy->read_per_bit = tl_resolver_number (resolver, TL_K_DRAM_ENERGY, 0);
  energy->write_per_bit = tl_resolver_number (resolver, TL_K_WRITE_ENERGY, energy->read_per_bit);
  energy->refresh = tl_resolver_number (resolver, TL_K_REFRESH_ENERGY, 0);
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
resolve_map (TlResolver *resolver)
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
    newest = MAX (newest, tl_resolver_layer (resolver, factors[i]));
  gboolean mappable = power_of_two (memory->channels) && power_of_two (memory->tiers) && power_of_two (memory->groups)
                      && power_of_two (memory->banks) && power_of_two (memory->rows) && power_of_two (memory->columns);
  if (memory->kind == TL_MACHINE_PIM && (!mappable || !fact->set || tl_resolver_layer (resolver, TL_K_MAP) < newest))
    return;
  TlDiag *diag = tl_resolver_complain (resolver, TL_K_MAP, "target-map", "the address map does not fit the stack");
  tl_diag_reason (diag, "%s", target->map_reason);
}

static int
compare_knobs (gconstpointer a, gconstpointer b)
{
  return strcmp (((const TlKnob *) a)->key, ((const TlKnob *) b)->key);
}

static void
resolve_knobs (TlResolver *resolver)
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
    tl_resolver_complain (resolver, TL_N_KEYS, "target-knob", "page is open or closed, not \"%s\"", page);
}

static void
refuse_foreign (TlResolver *resolver)
{
  guint machine = resolver->target->kind == TL_MACHINE_PIM ? TL_ON_PIM : TL_ON_CU;

  for (guint i = 0; i < TL_N_KEYS; i++)
    if (tl_resolver_is_set (resolver, i) && (tl_key (i)->machines & machine) == 0)
      {
        TlDiag *diag = tl_resolver_complain (resolver, i, "target-foreign",
                                             "%s is a number of %s machines; this is a %s machine", tl_key (i)->name,
                                             machine == TL_ON_PIM ? "cu" : "pim", machine == TL_ON_PIM ? "pim" : "cu");
        if (i == TL_K_QUANTUM || i == TL_K_BEAT)
          tl_diag_reason (diag, "its unit is called %s", i == TL_K_QUANTUM ? "beat" : "quantum");
      }
}

gboolean
tl_resolve (TlTarget *target, TlFacts *facts, TlDiags *diags)
{
  TlResolver resolver = { .target = target, .facts = facts, .diags = diags };

  target->kind = facts->kind;
  target->memory.kind = facts->kind;
  refuse_foreign (&resolver);
  resolve_organisation (&resolver);
  tl_resolve_timing (&resolver);
  if (target->kind == TL_MACHINE_PIM)
    resolve_pim (&resolver);
  else
    resolve_cu (&resolver);
  resolve_energy (&resolver);
  resolve_knobs (&resolver);
  if (resolver.errors == 0)
    resolve_map (&resolver);
  if (resolver.errors > 0)
    return FALSE;
  tl_target_describe (target, facts);
  return TRUE;
}
