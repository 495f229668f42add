/* See fixture.h. */
#include "fixture.h"

static TlPimMachine
common (const guint32 *tRCD)
{
  TlPimMachine machine = {
    .clock = 1000,
    .pus = 32,
    .search_pus = 8,
    .pes = 16,
    .channels = 16,
    .groups = 2,
    .banks = 4,
    .tiers = 8,
    .rows = 32768,
    .row_bytes = 1024,
    .beat_bytes = 128,
    .tier_bytes = G_GUINT64_CONSTANT (4) << 30,
    .sram_bytes = 768 << 10,
    .scratchpad_bytes = 256 << 10,
    .ring_bytes = 16,
    .ring_hop = 1,
    .burst = 1000,
    .tCCD = 1000,
    .dram_fj_per_bit = 429,
    .alu_fj = 200,
    .sram_local_fj = 7480,
    .sram_shared_fj = 320600,
    .hop_fj_per_bit = 50,
  };

  for (guint t = 0; t < 8; t++)
    machine.tier[t].tRCD = tRCD[t];
  return machine;
}

TlPimMachine
fixture_machine (void)
{
  static const guint32 tRCD[] = { 2290, 3920, 5990, 8500, 11440, 14820, 18630, 22880 };
  TlPimMachine         machine = common (tRCD);

  machine.tRRD = 4000;
  machine.tFAW = 16000;
  machine.tWTR = 5000;
  for (guint t = 0; t < 8; t++)
    machine.tier[t] = (TlTierTiming) {
      .tRCD = tRCD[t],
      .tRAS = tRCD[t] + 27500,
      .tRP = 4770,
      .tRC = tRCD[t] + 32270,
      .tRTP = 5000,
      .tWR = 10000,
      .tCL = 10000,
      .tCWL = 8000,
    };
  return machine;
}

TlPimMachine
fixture_oracle (void)
{
  static const guint32 tRCD[] = { 2290, 3918, 5984, 8487, 11427, 14806, 18621, 22880 };
  TlPimMachine         machine = common (tRCD);

  for (guint t = 0; t < 8; t++)
    machine.tier[t] = (TlTierTiming) {
      .tRCD = tRCD[t],
      .tRAS = tRCD[t] + 18265,
      .tRP = 14000,
      .tRC = tRCD[t] + 32265,
      .tRTP = 4000,
      .tWR = 15000,
    };
  return machine;
}

TlPimProgram *
fixture_build (TlPimProgramSpec *spec)
{
  g_autofree char *reason = NULL;
  TlElementType    i32;
  g_autoptr (TlSemiring) semiring = NULL;
  TlPimProgram *program;

  g_assert (tl_element_type_parse ("i32", &i32));
  semiring = tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, i32);
  spec->semiring = semiring;
  program = tl_pim_program_build (spec, &reason);
  spec->semiring = NULL;
  if (program == NULL)
    g_test_message ("refused: %s", reason);
  return program;
}

static guint32
pick (guint64 *state, guint32 low, guint32 high)
{
  return low + (guint32) tl_test_random_below (state, high - low + 1);
}

static void
random_machine (guint64 *state, TlPimMachine *machine)
{
  *machine = tl_test_random_below (state, 3) == 0 ? fixture_oracle () : fixture_machine ();
  machine->pus = pick (state, 1, 12);
  machine->search_pus = 0;
  machine->banks = pick (state, 1, 7);
  machine->tiers = pick (state, 1, 8);
  for (guint t = machine->tiers; t < TL_MAX_TIERS; t++)
    machine->tier[t] = (TlTierTiming) { 0 };
  machine->pes = pick (state, 1, 20);
  machine->row_bytes = 128u << pick (state, 0, 4);
  machine->ring_bytes = pick (state, 1, 64);
  machine->ring_hop = pick (state, 0, 3);
  machine->clock = pick (state, 0, 2) == 0 ? pick (state, 300, 2000) : 1000;
  if (pick (state, 0, 1) == 0)
    machine->tRRD = pick (state, 0, 3) * 2500;
  if (pick (state, 0, 1) == 0)
    machine->tFAW = pick (state, 0, 3) * 9000;
  if (pick (state, 0, 2) == 0)
    machine->tCCD = pick (state, 0, 3000);
  if (pick (state, 0, 2) == 0)
    machine->burst = pick (state, 1, 2500);
  for (guint t = 0; pick (state, 0, 2) == 0 && t < machine->tiers; t++)
    {
      machine->tier[t].tCL = pick (state, 0, 15000);
      machine->tier[t].tCWL = pick (state, 0, 15000);
      machine->tier[t].tRP = pick (state, 0, 20000);
      machine->tier[t].tRTP = pick (state, 0, 9000);
      machine->tier[t].tWR = pick (state, 0, 20000);
      machine->tier[t].tRC = machine->tier[t].tRAS + machine->tier[t].tRP;
    }
}

TlPimProgram *
fixture_random (guint64 *state, guint32 most_tiles, char **what)
{
  static const char *const places[] = { "tier", "fill", "stripe" };
  TlPimMachine             machine;
  TlPimProgramSpec         spec = { .machine = &machine };
  g_autofree guint16      *owner = NULL;
  guint32                  tiles;

  random_machine (state, &machine);
  spec.tile = pick (state, 1, 24);
  if (pick (state, 0, 3) == 0)
    spec.tile = 16 * pick (state, 1, 3);
  tiles = pick (state, 1, most_tiles);
  spec.n = spec.tile * (tiles - 1) + pick (state, 1, spec.tile);
  spec.element_bits = 8u << pick (state, 0, 3);
  spec.edges = pick (state, 0, 1);
  spec.copies = pick (state, 0, 1);
  spec.copy_writes = pick (state, 0, 1);
  spec.ring = pick (state, 0, 2) == 0;
  spec.buffers = pick (state, 1, 2);
  spec.barriers = pick (state, 0, 2);
  spec.page = pick (state, 0, 1);
  spec.place.kind = pick (state, 0, 2);
  spec.place.first = pick (state, 0, machine.tiers - 1);
  spec.place.last
      = spec.place.kind == TL_PLACE_TIER ? spec.place.first : pick (state, spec.place.first, machine.tiers - 1);
  if (spec.place.kind == TL_PLACE_FILL)
    machine.tier_bytes = (guint64) machine.row_bytes * pick (state, 20, 4000);
  spec.owner_rule = pick (state, 0, 1) ? "skewed" : "modulo";
  if (pick (state, 0, 2) == 0)
    {
      spec.owner_rule = "table";
      owner = g_new (guint16, tiles * tiles);
      for (guint32 x = 0; x < tiles * tiles; x++)
        owner[x] = (guint16) pick (state, 0, machine.pus - 1);
      spec.owner = owner;
    }
  *what = g_strdup_printf ("n %u tile %u (M %u) pus %u banks %u tiers %u pes %u row %u bits %u ring %u/%u/%u tRRD %u "
                           "tFAW %u tCCD %u burst %u "
                           "edges %d copies %d charged %d buffers %u barriers %d page %d owner %s place %s %u..%u",
                           spec.n, spec.tile, tiles, machine.pus, machine.banks, machine.tiers, machine.pes,
                           machine.row_bytes, spec.element_bits, spec.ring, machine.ring_bytes, machine.ring_hop,
                           machine.tRRD, machine.tFAW, machine.tCCD, machine.burst, spec.edges, spec.copies,
                           spec.copy_writes, spec.buffers, spec.barriers, spec.page, spec.owner_rule,
                           places[spec.place.kind], spec.place.first, spec.place.last);
  return fixture_build (&spec);
}
