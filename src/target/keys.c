/* The table of keys: each number and choice of a machine, where it stands in a
 * target file, what values it takes and what it means. The schema in
 * targets/target.rng lists the same names; a test compares the two. */
#include <string.h>

#include "base/word.h"
#include "target/target-private.h"

#define MAX_PS       G_MAXUINT32
#define ORGANISATION "organisation"
#define TIMING       "timing"
#define PROCESSING   "processing"
#define COMPUTE      "compute"
#define ENERGY       "energy"

#define SCOPES "channel pseudo_channel tier group bank"

static const TlKey keys[TL_N_KEYS] = {
  [TL_K_CHANNELS] = { "channels", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, 4096, NULL, "channels of the stack" },
  [TL_K_PSEUDO_CHANNELS]
  = { "pseudo_channels", ORGANISATION, TL_KEY_COUNT, TL_ON_CU, 1, 64, NULL, "pseudo-channels a channel" },
  [TL_K_TIERS] = { "tiers", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, TL_MAX_TIERS, NULL, "tiers (or ranks)" },
  [TL_K_LAYERS] = { "layers", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, 1 << 20, NULL,
                    "DRAM layers of the stack, dealt evenly to the tiers; used by tRCD_curve" },
  [TL_K_GROUPS] = { "groups", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, 1024, NULL,
                    "bank groups a pseudo-channel (of a tier on cu machines)" },
  [TL_K_BANKS] = { "banks", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, 4096, NULL, "banks a bank group" },
  [TL_K_ROWS]
  = { "rows", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, G_GUINT64_CONSTANT (1) << 32, NULL, "rows a bank and tier" },
  [TL_K_COLUMNS]
  = { "columns", ORGANISATION, TL_KEY_COUNT, TL_ON_BOTH, 1, 65536, NULL, "units (column accesses) a row" },
  [TL_K_BEAT] = { "beat", ORGANISATION, TL_KEY_SIZE, TL_ON_PIM, 1, 65536, NULL, "what one column access moves" },
  [TL_K_QUANTUM] = { "quantum", ORGANISATION, TL_KEY_SIZE, TL_ON_CU, 1, 65536, NULL, "what one column access moves" },
  [TL_K_ROW] = { "row", ORGANISATION, TL_KEY_SIZE, TL_ON_BOTH, 1, 1 << 26, NULL, "what one row buffer holds" },
  [TL_K_CAPACITY] = { "capacity", ORGANISATION, TL_KEY_SIZE, TL_ON_BOTH, 1, G_GUINT64_CONSTANT (1) << 50, NULL,
                      "bytes of the whole stack" },
  [TL_K_DATA_BUS] = { "data_bus", ORGANISATION, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, SCOPES, "what shares one data bus" },
  [TL_K_COMMAND_BUS] = { "command_bus", ORGANISATION, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, "none single split",
                         "commands a channel takes a clock: any, one, or one for columns and one for rows" },
  [TL_K_MAP] = { "map", ORGANISATION, TL_KEY_MAP, TL_ON_BOTH, 0, 0, NULL,
                 "address map: a name like RoBaTiCoCh, or bit lists, lowest bit first: bank = [b9, b10 ^ b14]" },
  [TL_K_CLOCK] = { "clock", TIMING, TL_KEY_CLOCK, TL_ON_BOTH, 1, MAX_PS, NULL, "clock, as a frequency or a period" },
  [TL_K_TRCD] = { "tRCD", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "ACT to column command, a tier" },
  [TL_K_TRCD_CURVE] = { "tRCD_curve", TIMING, TL_KEY_CURVE, TL_ON_BOTH, 0, MAX_PS, NULL,
                        "a, b, c of tRCD = a + b x + c x^2, x = upper layer of the tier / 128; for tier counts that "
                        "tRCD does not list" },
  [TL_K_TRAS] = { "tRAS", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "ACT to PRE, a tier" },
  [TL_K_TRP] = { "tRP", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "PRE to ACT, a tier" },
  [TL_K_TRC]
  = { "tRC", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "ACT to ACT of a bank, a tier; else tRAS + tRP" },
  [TL_K_TRTP] = { "tRTP", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "last read column to PRE, a tier" },
  [TL_K_TWR] = { "tWR", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "end of write data to PRE, a tier" },
  [TL_K_TCL] = { "tCL", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "read column to data, a tier" },
  [TL_K_TCWL] = { "tCWL", TIMING, TL_KEY_TIER_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "write column to data, a tier" },
  [TL_K_TCCD] = { "tCCD", TIMING, TL_KEY_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "column to column on one data bus" },
  [TL_K_BURST]
  = { "burst", TIMING, TL_KEY_TIME, TL_ON_BOTH, 1, MAX_PS, NULL, "time the data bus is busy for one unit" },
  [TL_K_TRRD] = { "tRRD", TIMING, TL_KEY_TIME, TL_ON_BOTH, 0, MAX_PS, NULL,
                  "ACT to ACT within tRRD_scope; 0: no rule, and no order between banks" },
  [TL_K_TRRD_SCOPE] = { "tRRD_scope", TIMING, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, SCOPES, "where tRRD holds" },
  [TL_K_TFAW] = { "tFAW", TIMING, TL_KEY_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "window of at most four ACTs; 0: no rule" },
  [TL_K_TFAW_SCOPE] = { "tFAW_scope", TIMING, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, SCOPES, "where tFAW holds" },
  [TL_K_TWTR] = { "tWTR", TIMING, TL_KEY_TIME, TL_ON_BOTH, 0, MAX_PS, NULL, "end of write data to read column" },
  [TL_K_REFRESH] = { "refresh", TIMING, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, "off on", "whether rows are refreshed" },
  [TL_K_REFRESH_SCOPE]
  = { "refresh_scope", TIMING, TL_KEY_CHOICE, TL_ON_BOTH, 0, 0, SCOPES, "what one refresh command refreshes" },
  [TL_K_TREFI] = { "tREFI", TIMING, TL_KEY_TIME, TL_ON_BOTH, 1, MAX_PS, NULL, "refresh interval" },
  [TL_K_TRFC] = { "tRFC", TIMING, TL_KEY_TIME, TL_ON_BOTH, 1, MAX_PS, NULL, "time a refresh takes" },
  [TL_K_PUS]
  = { "pus", PROCESSING, TL_KEY_COUNT, TL_ON_PIM, 1, TL_MAX_PUS, NULL, "processing units; PU p has bank group p" },
  [TL_K_SEARCH_PUS]
  = { "search_pus", PROCESSING, TL_KEY_COUNT, TL_ON_PIM, 0, TL_MAX_PUS, NULL, "PUs that search, of all" },
  [TL_K_PES] = { "pes", PROCESSING, TL_KEY_COUNT, TL_ON_PIM, 1, 65536, NULL, "lanes of a PU: updates a cycle" },
  [TL_K_SCRATCHPAD]
  = { "scratchpad", PROCESSING, TL_KEY_SIZE, TL_ON_PIM, 0, G_GUINT64_CONSTANT (1) << 40, NULL, "scratchpad of a PU" },
  [TL_K_PE_MEMORY]
  = { "pe_memory", PROCESSING, TL_KEY_SIZE, TL_ON_PIM, 0, G_GUINT64_CONSTANT (1) << 30, NULL, "memory of one lane" },
  [TL_K_RING_WIDTH]
  = { "ring_width", PROCESSING, TL_KEY_SIZE, TL_ON_PIM, 1, 1 << 20, NULL, "what a ring link moves a cycle" },
  [TL_K_RING_HOP] = { "ring_hop", PROCESSING, TL_KEY_COUNT, TL_ON_PIM, 0, 65536, NULL, "cycles a hop on the ring" },
  [TL_K_MACS] = { "macs", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 1, 1 << 24, NULL, "multiply-adds a cycle" },
  [TL_K_ISSUE] = { "issue", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 1, 1024, NULL, "requests a cycle" },
  [TL_K_SCHEDULER] = { "scheduler", COMPUTE, TL_KEY_CHOICE, TL_ON_CU, 0, 0, "fr-fcfs plain-fr-fcfs in-order",
                       "order of service: hits first and rows with hits kept, hits first, or as they came" },
  [TL_K_QUEUE] = { "queue", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 1, 64, NULL, "requests the scheduler sees" },
  [TL_K_AGE] = { "age", COMPUTE, TL_KEY_TIME, TL_ON_CU, 0, MAX_PS, NULL,
                 "wait after which a request may close a row with hits; else 10 tRC" },
  [TL_K_WRITE_QUEUE] = { "write_queue", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 0, 64, NULL, "writes held back" },
  [TL_K_WRITE_HIGH] = { "write_high", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 0, 64, NULL, "writes that start a drain" },
  [TL_K_WRITE_LOW] = { "write_low", COMPUTE, TL_KEY_COUNT, TL_ON_CU, 0, 64, NULL, "writes at which a drain ends" },
  [TL_K_DRAM_ENERGY] = { "dram_energy", ENERGY, TL_KEY_BIT_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "DRAM access" },
  [TL_K_ALU_ENERGY] = { "alu_energy", ENERGY, TL_KEY_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "one update" },
  [TL_K_SRAM_LOCAL_ENERGY]
  = { "sram_local_energy", ENERGY, TL_KEY_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "access to a lane's memory" },
  [TL_K_SRAM_SHARED_ENERGY]
  = { "sram_shared_energy", ENERGY, TL_KEY_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "access to the scratchpad" },
  [TL_K_HOP_ENERGY] = { "hop_energy", ENERGY, TL_KEY_BIT_ENERGY, TL_ON_PIM, 0, MAX_PS, NULL, "one hop on the ring" },
  [TL_K_ACTIVATE_ENERGY]
  = { "activate_energy", ENERGY, TL_KEY_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "opening a row and closing it" },
  [TL_K_WRITE_ENERGY]
  = { "write_energy", ENERGY, TL_KEY_BIT_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "DRAM write; else as dram_energy" },
  [TL_K_REFRESH_ENERGY] = { "refresh_energy", ENERGY, TL_KEY_ENERGY, TL_ON_BOTH, 0, MAX_PS, NULL, "one refresh" },
};

/* Of language.md's config keys those that a machine may have a default for. */
static const char *const knobs[] = {
  "baseline", "barriers", "buffers", "copies", "copy_writes", "edges",  "mode", "owner",     "page",   "precision",
  "resident", "ring",     "skew",    "slab",   "split",       "stages", "tile", "traversal", "values", "weights",
};

const TlKey *
tl_key (TlKeyId id)
{
  return &keys[id];
}

gboolean
tl_key_find (const char *name, TlKeyId *id)
{
  for (guint i = 0; i < TL_N_KEYS; i++)
    if (strcmp (keys[i].name, name) == 0)
      {
        *id = i;
        return TRUE;
      }
  return FALSE;
}

const char *
tl_key_nearest (const char *name)
{
  const char *names[TL_N_KEYS];

  for (guint i = 0; i < TL_N_KEYS; i++)
    names[i] = keys[i].name;
  return tl_word_nearest (name, names, TL_N_KEYS);
}

gboolean
tl_knob_known (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    if (strcmp (knobs[i], name) == 0)
      return TRUE;
  return FALSE;
}

char *
tl_target_keys_text (void)
{
  static const char *const kinds[] = {
    [TL_KEY_COUNT] = "count",           [TL_KEY_TIME] = "time",
    [TL_KEY_TIER_TIME] = "time a tier", [TL_KEY_CURVE] = "three times",
    [TL_KEY_CLOCK] = "clock",           [TL_KEY_SIZE] = "size",
    [TL_KEY_ENERGY] = "energy",         [TL_KEY_BIT_ENERGY] = "energy a bit",
    [TL_KEY_CHOICE] = "choice",         [TL_KEY_MAP] = "map",
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < TL_N_KEYS; i++)
    {
      const char *machines = keys[i].machines == TL_ON_BOTH ? "" : keys[i].machines == TL_ON_PIM ? " (pim)" : " (cu)";
      g_string_append_printf (text, "%-18s %-12s  %s%s", keys[i].name, kinds[keys[i].kind], keys[i].meaning, machines);
      if (keys[i].choices != NULL)
        g_string_append_printf (text, ": %s", keys[i].choices);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
