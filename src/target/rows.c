/* A target as rows: every number resolved, with its unit, mark and origin. The hash
 * is made from the same rows, so that what is shown is what is compared. */
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "target/target-private.h"

const char *
tl_mark_text (TlMark mark)
{
  static const char *const texts[] = { "P", "D", "A", "set", "=" };

  return mark < G_N_ELEMENTS (texts) ? texts[mark] : "?";
}

static const char *
keep (TlTarget *target, const char *text)
{
  return g_string_chunk_insert_const (target->strings, text != NULL ? text : "");
}

/* A row of @id; what @facts does not say is a default or follows. */
static void
add (TlTarget *target, const TlFacts *facts, TlKeyId id, const char *value, const char *otherwise)
{
  const TlFact *fact = &facts->fact[id];
  TlTargetRow   row = {
      .key = tl_key (id)->name,
      .section = tl_key (id)->section,
      .value = keep (target, value),
      .meaning = tl_key (id)->meaning,
      .mark = fact->set                                 ? fact->mark
              : g_str_has_prefix (otherwise, "follows") ? TL_MARK_FOLLOWS
                                                        : TL_MARK_ASSUMED,
      .origin = keep (target, fact->set ? fact->origin : otherwise),
      .file = keep (target, fact->set ? fact->file : ""),
      .line = fact->set ? fact->line : 0,
  };

  /* A single tier's value is newer than the list it changes. */
  for (guint t = 0; t < TL_MAX_TIERS; t++)
    {
      const TlFact *own = facts->tier[id][t];
      if (own != NULL && t < target->memory.tiers && (!fact->set || own->layer > fact->layer))
        {
          row.mark = own->mark;
          row.origin = keep (target, own->origin);
          row.file = keep (target, own->file);
          row.line = own->line;
        }
    }
  g_array_append_val (target->rows, row);
}

static void
add_count (TlTarget *target, const TlFacts *facts, TlKeyId id, guint64 value, const char *otherwise)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  add (target, facts, id, text, otherwise);
}

static void
add_size (TlTarget *target, const TlFacts *facts, TlKeyId id, guint64 bytes, const char *otherwise)
{
  g_autofree char *text = tl_quantity_size (bytes);

  add (target, facts, id, text, otherwise);
}

static void
add_time (TlTarget *target, const TlFacts *facts, TlKeyId id, guint64 ps, const char *otherwise)
{
  g_autofree char *text = tl_quantity_time (ps);

  add (target, facts, id, text, otherwise);
}

static void
add_energy (TlTarget *target, const TlFacts *facts, TlKeyId id, guint64 fj)
{
  g_autofree char *text = tl_quantity_energy (fj, tl_key (id)->kind == TL_KEY_BIT_ENERGY);

  add (target, facts, id, text, "default");
}

static void
add_choice (TlTarget *target, const TlFacts *facts, TlKeyId id, guint value)
{
  g_auto (GStrv) words = g_strsplit (tl_key (id)->choices, " ", -1);

  add (target, facts, id, words[value], "default");
}

static void
add_tiers (TlTarget *target, const TlFacts *facts, TlKeyId id, gsize offset, const char *otherwise)
{
  const TlMemory *memory = &target->memory;
  GString        *text = g_string_new (NULL);
  gboolean        alike = TRUE;

  for (guint t = 0; t < memory->tiers; t++)
    {
      guint32          ps = G_STRUCT_MEMBER (guint32, &memory->tier[t], offset);
      g_autofree char *one = tl_quantity_time (ps);
      alike = alike && ps == G_STRUCT_MEMBER (guint32, &memory->tier[0], offset);
      g_string_append_printf (text, "%s%s", t == 0 ? "" : ", ", one);
    }
  if (alike)
    {
      g_autofree char *one = tl_quantity_time (G_STRUCT_MEMBER (guint32, &memory->tier[0], offset));
      g_string_assign (text, one);
    }
  add (target, facts, id, text->str, otherwise);
  g_string_free (text, TRUE);
}

static void
add_organisation (TlTarget *target, const TlFacts *facts)
{
  const TlMemory *memory = &target->memory;
  gboolean        pim = target->kind == TL_MACHINE_PIM;

  add_count (target, facts, TL_K_CHANNELS, memory->channels, "default");
  if (!pim)
    add_count (target, facts, TL_K_PSEUDO_CHANNELS, memory->pseudo_channels, "default");
  add_count (target, facts, TL_K_TIERS, memory->tiers, "");
  if (target->layers > 0)
    add_count (target, facts, TL_K_LAYERS, target->layers, "");
  add_count (target, facts, TL_K_GROUPS, memory->groups, "default");
  add_count (target, facts, TL_K_BANKS, memory->banks, "");
  add_count (target, facts, TL_K_ROWS, memory->rows, "follows from the capacity");
  add_count (target, facts, TL_K_COLUMNS, memory->columns, "follows from row and unit");
  add_size (target, facts, pim ? TL_K_BEAT : TL_K_QUANTUM, memory->unit_bytes, "");
  add_size (target, facts, TL_K_ROW, memory->row_bytes, "follows from columns and unit");
  add_size (target, facts, TL_K_CAPACITY, memory->capacity, "follows from the organisation");
  add_choice (target, facts, TL_K_DATA_BUS, memory->data_bus);
  add_choice (target, facts, TL_K_COMMAND_BUS, memory->command_bus);
  add (target, facts, TL_K_MAP, target->map_text, "default");
}

static void
add_timing (TlTarget *target, const TlFacts *facts)
{
  const TlMemory *memory = &target->memory;

  add_time (target, facts, TL_K_CLOCK, memory->clock, "");
  add_tiers (target, facts, TL_K_TRCD, G_STRUCT_OFFSET (TlTierTiming, tRCD), "follows from tRCD_curve");
  if (facts->fact[TL_K_TRCD_CURVE].set)
    add (target, facts, TL_K_TRCD_CURVE, facts->fact[TL_K_TRCD_CURVE].text, "");
  add_tiers (target, facts, TL_K_TRAS, G_STRUCT_OFFSET (TlTierTiming, tRAS), "");
  add_tiers (target, facts, TL_K_TRP, G_STRUCT_OFFSET (TlTierTiming, tRP), "");
  add_tiers (target, facts, TL_K_TRC, G_STRUCT_OFFSET (TlTierTiming, tRC), "follows: tRAS + tRP");
  add_tiers (target, facts, TL_K_TRTP, G_STRUCT_OFFSET (TlTierTiming, tRTP), "");
  add_tiers (target, facts, TL_K_TWR, G_STRUCT_OFFSET (TlTierTiming, tWR), "");
  add_tiers (target, facts, TL_K_TCL, G_STRUCT_OFFSET (TlTierTiming, tCL), "");
  add_tiers (target, facts, TL_K_TCWL, G_STRUCT_OFFSET (TlTierTiming, tCWL), "");
  add_time (target, facts, TL_K_TCCD, memory->tCCD, "");
  add_time (target, facts, TL_K_BURST, memory->burst, "");
  add_time (target, facts, TL_K_TRRD, memory->tRRD, "");
  add_choice (target, facts, TL_K_TRRD_SCOPE, memory->tRRD_scope);
  add_time (target, facts, TL_K_TFAW, memory->tFAW, "");
  add_choice (target, facts, TL_K_TFAW_SCOPE, memory->tFAW_scope);
  add_time (target, facts, TL_K_TWTR, memory->tWTR, "");
  add_choice (target, facts, TL_K_REFRESH, memory->tREFI != 0);
  add_choice (target, facts, TL_K_REFRESH_SCOPE, memory->refresh_scope);
  if (memory->tREFI != 0)
    {
      add_time (target, facts, TL_K_TREFI, memory->tREFI, "");
      add_time (target, facts, TL_K_TRFC, memory->tRFC, "");
    }
  else
    for (guint id = TL_K_TREFI; id <= TL_K_TRFC; id++)
      if (facts->fact[id].set)
        {
          const TlQuantity *time = &facts->fact[id].list[0];
          add_time (target, facts, id, time->cycles ? time->value * memory->clock : time->value, "");
        }
}

static void
add_machine (TlTarget *target, const TlFacts *facts)
{
  const TlPimMachine *pim = &target->pim;
  const TlCuMachine  *cu = &target->cu;

  if (target->kind == TL_MACHINE_PIM)
    {
      add_count (target, facts, TL_K_PUS, pim->pus, "");
      add_count (target, facts, TL_K_SEARCH_PUS, pim->search_pus, "default");
      add_count (target, facts, TL_K_PES, pim->pes, "");
      add_size (target, facts, TL_K_SCRATCHPAD, pim->scratchpad_bytes, "");
      add_size (target, facts, TL_K_PE_MEMORY, (pim->sram_bytes - pim->scratchpad_bytes) / pim->pes, "default");
      add_size (target, facts, TL_K_RING_WIDTH, pim->ring_bytes, "");
      add_count (target, facts, TL_K_RING_HOP, pim->ring_hop, "default");
      return;
    }
  add_count (target, facts, TL_K_MACS, cu->macs, "default");
  add_count (target, facts, TL_K_ISSUE, cu->issue, "default");
  add_choice (target, facts, TL_K_SCHEDULER, cu->scheduler);
  add_count (target, facts, TL_K_QUEUE, cu->window, "default");
  add_time (target, facts, TL_K_AGE, cu->age, "follows: 10 tRC");
  add_count (target, facts, TL_K_WRITE_QUEUE, cu->write_queue, "default");
  add_count (target, facts, TL_K_WRITE_HIGH, cu->write_high, "default");
  add_count (target, facts, TL_K_WRITE_LOW, cu->write_low, "default");
}

static void
add_energies (TlTarget *target, const TlFacts *facts)
{
  for (guint id = TL_K_DRAM_ENERGY; id <= TL_K_REFRESH_ENERGY; id++)
    if ((target->kind == TL_MACHINE_PIM && id <= TL_K_HOP_ENERGY) || facts->fact[id].set)
      add_energy (target, facts, id, facts->fact[id].set ? facts->fact[id].list[0].value : 0);
}

/* What decides a run; not where a number was found, nor how a curve or map was spelled. */
static guint64
hash_of (const TlTarget *target)
{
  GString *text = g_string_new (target->kind == TL_MACHINE_PIM ? "pim\n" : "cu\n");

  for (guint i = 0; i < target->rows->len; i++)
    {
      const TlTargetRow *row = &g_array_index (target->rows, TlTargetRow, i);
      if (row->key == tl_key (TL_K_TRCD_CURVE)->name || row->key == tl_key (TL_K_LAYERS)->name
          || row->key == tl_key (TL_K_MAP)->name)
        continue;
      if (target->memory.tREFI == 0 && (row->key == tl_key (TL_K_TREFI)->name || row->key == tl_key (TL_K_TRFC)->name))
        continue;
      g_string_append_printf (text, "%s=%s\n", row->key, row->value);
    }
  for (guint i = 0; i < target->knobs->len; i++)
    {
      const TlKnob *knob = &g_array_index (target->knobs, TlKnob, i);
      g_string_append_printf (text, "knob %s=%s\n", knob->key, knob->value);
    }
  if (target->map != NULL)
    {
      g_autofree char *map = tl_address_map_to_text (target->map);
      g_string_append (text, map);
    }
  guint64 hash = tl_fnv1a64 (TL_FNV1A64_START, text->str, text->len);
  g_string_free (text, TRUE);
  return hash;
}

void
tl_target_describe (TlTarget *target, TlFacts *facts)
{
  add_organisation (target, facts);
  add_timing (target, facts);
  add_machine (target, facts);
  add_energies (target, facts);
  target->hash = hash_of (target);
}

guint
tl_target_n_rows (const TlTarget *target)
{
  return target->rows->len;
}

const TlTargetRow *
tl_target_row (const TlTarget *target, guint index)
{
  g_return_val_if_fail (index < target->rows->len, NULL);
  return &g_array_index (target->rows, TlTargetRow, index);
}

/* --- as text --- */

static void
show_row (GString *text, const TlTargetRow *row)
{
  g_string_append_printf (text, "  %-18s %-24s ", row->key, row->value);
  if (strlen (row->value) > 24)
    g_string_append_printf (text, "\n  %-18s %-24s ", "", "");
  g_string_append_printf (text, "%-3s", tl_mark_text (row->mark));
  if (*row->origin != '\0')
    g_string_append_printf (text, " %s", row->origin);
  g_string_append_c (text, '\n');
}

static void
show_map (GString *text, const TlTarget *target)
{
  if (target->map == NULL)
    {
      g_string_append_printf (text, "address map\n  none: %s\n", target->map_reason);
      return;
    }
  g_autofree char *lists = tl_address_map_to_text (target->map);
  g_auto (GStrv) lines = g_strsplit (lists, "\n", -1);
  g_autofree char *unit = tl_quantity_size (target->memory.unit_bytes);
  g_string_append_printf (text, "address map (%u bits of the unit's number, units of %s, lowest bit first)\n",
                          tl_address_map_bits (target->map), unit);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    g_string_append_printf (text, "  %s\n", lines[i]);
}

static void
show_sums (GString *text, const TlTarget *target)
{
  const TlMemory  *memory = &target->memory;
  g_autofree char *capacity = tl_quantity_size (memory->capacity);
  g_autofree char *row = tl_quantity_size (memory->row_bytes);
  g_autofree char *unit = tl_quantity_size (memory->unit_bytes);
  g_autofree char *rows = tl_format_count (memory->rows);
  g_autofree char *domains = tl_format_count (tl_memory_domains (memory));

  g_string_append_printf (
      text,
      "sums\n  capacity %s = %u channels x %u pseudo-channels x %u tiers x %u groups x %u banks x %s "
      "rows x %s\n  row %s = %u columns x %s; %s rows can be open at once\n",
      capacity, memory->channels, memory->pseudo_channels, memory->tiers, memory->groups, memory->banks, rows, row, row,
      memory->columns, unit, domains);
  if (target->kind == TL_MACHINE_PIM)
    {
      g_autofree char *tier = tl_quantity_size (target->pim.tier_bytes);
      g_autofree char *sram = tl_quantity_size (target->pim.sram_bytes);
      g_string_append_printf (text, "  a tier holds %s; a PU has %s of SRAM\n", tier, sram);
    }
}

char *
tl_target_show (const TlTarget *target)
{
  GString         *text = g_string_new (NULL);
  const char      *section = "";
  g_autofree char *hash = tl_hash_text (target->hash);

  g_string_append_printf (text, "%s (%s)%s%s\nfrom %s, hash %s\n", target->name,
                          target->kind == TL_MACHINE_PIM ? "pim" : "cu", *target->title != '\0' ? ": " : "",
                          target->title, target->file, hash);
  for (guint i = 0; i < target->rows->len; i++)
    {
      const TlTargetRow *row = &g_array_index (target->rows, TlTargetRow, i);
      if (strcmp (section, row->section) != 0)
        g_string_append_printf (text, "%s\n", row->section);
      section = row->section;
      show_row (text, row);
    }
  if (target->knobs->len > 0)
    g_string_append (text, "knobs\n");
  for (guint i = 0; i < target->knobs->len; i++)
    {
      const TlKnob *knob = &g_array_index (target->knobs, TlKnob, i);
      g_string_append_printf (text, "  %-18s %s\n", knob->key, knob->value);
    }
  show_sums (text, target);
  show_map (text, target);
  g_string_append (
      text, "P stated by a paper, D derived from its figures, A assumed, set by you, = follows from the others\n");
  return g_string_free (text, FALSE);
}
