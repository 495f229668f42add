/* The memory of a pim machine, and the numbering of domains and scopes. */
#include "target/memory.h"

void
tl_memory_from_pim (TlMemory *memory, const TlPimMachine *machine)
{
  *memory = (TlMemory) {
    .kind = TL_MACHINE_PIM,
    .clock = machine->clock,
    .channels = machine->channels,
    .pseudo_channels = 1,
    .tiers = machine->tiers,
    .groups = machine->groups,
    .banks = machine->banks,
    .rows = machine->rows,
    .columns = machine->row_bytes / machine->beat_bytes,
    .unit_bytes = machine->beat_bytes,
    .row_bytes = machine->row_bytes,
    .capacity = machine->tier_bytes * machine->tiers,
    .burst = machine->burst,
    .tCCD = machine->tCCD,
    .tRRD = machine->tRRD,
    .tFAW = machine->tFAW,
    .tWTR = machine->tWTR,
    .tREFI = machine->tREFI,
    .tRFC = machine->tRFC,
    .data_bus = TL_SCOPE_GROUP,
    .tRRD_scope = TL_SCOPE_GROUP,
    .tFAW_scope = TL_SCOPE_GROUP,
    .refresh_scope = TL_SCOPE_GROUP,
    .command_bus = TL_COMMAND_BUS_NONE,
    .pages = TL_PAGES_CLOSED,
  };
  for (guint t = 0; t < machine->tiers; t++)
    memory->tier[t] = machine->tier[t];
}

guint32
tl_memory_domains (const TlMemory *memory)
{
  guint32 domains = memory->channels * memory->pseudo_channels * memory->groups * memory->banks;

  return memory->kind == TL_MACHINE_CU ? domains * memory->tiers : domains;
}

guint64
tl_memory_domain_rows (const TlMemory *memory)
{
  return memory->kind == TL_MACHINE_CU ? memory->rows : memory->rows * memory->tiers;
}

/* Domains that one part of @scope holds. */
static guint32
scope_domains (const TlMemory *memory, TlScope scope)
{
  guint32 tiers = memory->kind == TL_MACHINE_CU ? memory->tiers : 1;

  switch (scope)
    {
    case TL_SCOPE_BANK:
      return 1;
    case TL_SCOPE_GROUP:
      return memory->banks;
    case TL_SCOPE_TIER:
      return memory->banks * memory->groups;
    case TL_SCOPE_PSEUDO_CHANNEL:
      return memory->banks * memory->groups * tiers;
    case TL_SCOPE_CHANNEL:
      return memory->banks * memory->groups * tiers * memory->pseudo_channels;
    }
  g_return_val_if_reached (1);
}

guint32
tl_memory_scopes (const TlMemory *memory, TlScope scope)
{
  return tl_memory_domains (memory) / scope_domains (memory, scope);
}

guint32
tl_memory_scope_of (const TlMemory *memory, TlScope scope, guint32 domain)
{
  return domain / scope_domains (memory, scope);
}

guint32
tl_memory_tier_of (const TlMemory *memory, guint32 domain, guint64 row)
{
  if (memory->kind == TL_MACHINE_CU)
    return domain / (memory->banks * memory->groups) % memory->tiers;
  return row / memory->rows;
}

static char *
name_of (const TlMemory *memory, guint32 domain, gboolean label)
{
  GString *name = g_string_new (NULL);
  struct
  {
    const char *word;
    char        letter;
    guint32     parts;
    guint32     at;
  } levels[] = {
    { "bank", 'B', memory->banks, 0 },
    { "group", 'G', memory->groups, 0 },
    { "tier", 'T', memory->kind == TL_MACHINE_CU ? memory->tiers : 1, 0 },
    { "pseudo-channel", 'P', memory->pseudo_channels, 0 },
    { "channel", 'C', memory->channels, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      levels[i].at = domain % levels[i].parts;
      domain /= levels[i].parts;
    }
  for (guint i = G_N_ELEMENTS (levels); i-- > 0;)
    if (levels[i].parts > 1 && label)
      g_string_append_printf (name, "%s%c%u", name->len > 0 ? "." : "", levels[i].letter, levels[i].at);
    else if (levels[i].parts > 1)
      g_string_append_printf (name, "%s%s %u", name->len > 0 ? " " : "", levels[i].word, levels[i].at);
  if (name->len == 0)
    g_string_append (name, label ? "B0" : "bank 0");
  return g_string_free (name, FALSE);
}

char *
tl_memory_domain_name (const TlMemory *memory, guint32 domain)
{
  return name_of (memory, domain, FALSE);
}

char *
tl_memory_domain_label (const TlMemory *memory, guint32 domain)
{
  return name_of (memory, domain, TRUE);
}
