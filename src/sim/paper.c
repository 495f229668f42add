/* The paper's figures beside the model's. */
#include "sim/paper.h"

#include "emit/program-build.h"
#include "sim/flows.h"
#include "sim/traffic.h"

#include <math.h>

#define GIB 1073741824.0

static void
add (GArray *figures, const char *figure, const char *case_name, const char *unit, double paper, double model,
     TlStanding standing, double tolerance, const char *assumption)
{
  TlPaperFigure entry = { figure, case_name, unit, paper, model, standing, tolerance, assumption };

  g_array_append_val (figures, entry);
}

static void
add_traffic (GArray *figures, const TlPimMachine *machine)
{
  const double b0 = tl_traffic_b0 (65536, 4) / GIB, b3 = tl_traffic_b3 (65536, 256, 4) / GIB;
  TlTraffic    replay;

  tl_traffic_replay_fast (256, 256, 4, machine->sram_bytes, TL_TOUCH_C_FIRST, &replay);
  add (figures, "traffic B0", "65,536 nodes", "GiB", 3.15e6, b0, TL_STANDING_EXACT, 0.005,
       "3 w N^3: each update moves two operands and its own value");
  add (figures, "traffic B3", "65,536 nodes, replayed", "GiB", 1.63e4, (double) (replay.read + replay.written) / GIB,
       TL_STANDING_EXACT, 0.005, "LRU over whole tiles in the PU's SRAM; C is touched before its operands");
  add (figures, "traffic B3", "65,536 nodes, closed form", "GiB", 1.63e4, b3, TL_STANDING_EXACT, 0.01,
       "4 w N^3 / B; the replay stays 0.4 % below");
  add (figures, "traffic ratio B0/B3", "65,536 nodes", "", 192, b0 / b3, TL_STANDING_EXACT, 0.001,
       "3 B / 4 at B = 256");
}

static void
add_latencies (GArray *figures, const TlPimMachine *machine)
{
  static const char *const assumption = "tRC of the tier: tRCD + 27.50 ns + tRP";
  double                   sum = 0;

  if (machine->tiers < 8)
    return;
  for (guint t = 0; t < 4; t++)
    sum += machine->tier[t].tRC * 1e-3;
  add (figures, "row cycle", "tier 0", "ns", 34.6, machine->tier[0].tRC * 1e-3, TL_STANDING_EXACT, 0.003, assumption);
  add (figures, "row cycle", "mean of tiers 0 to 3", "ns", 37.4, sum / 4, TL_STANDING_EXACT, 0.003, assumption);
  add (figures, "row cycle", "tier 4", "ns", 43.7, machine->tier[4].tRC * 1e-3, TL_STANDING_EXACT, 0.003, assumption);
  add (figures, "row cycle", "tier 7", "ns", 55.1, machine->tier[7].tRC * 1e-3, TL_STANDING_EXACT, 0.003, assumption);
}

/* Figure 4b: the last tier that 17 GB of tables reach, first fit. */
static void
add_placement (GArray *figures, const TlPimMachine *machine)
{
  double left = 17 * GIB;
  guint  tier = 0;

  while (tier < machine->tiers && left > (double) machine->tier_bytes)
    {
      left -= (double) machine->tier_bytes;
      tier++;
    }
  add (figures, "last tier of PTR and CAL", "17 GB of tables", "", 4, tier, TL_STANDING_EXACT, 0,
       "highest sigma first, lowest tier with room");
}

static TlPimProgram *
program_of (const TlPimMachine *machine, guint32 n, TlBarriers barriers)
{
  TlElementType i32;
  g_autoptr (TlSemiring) semiring = NULL;
  g_autoptr (TlPimProgram) first = NULL;
  TlPimProgramSpec spec = {
    .machine = machine,
    .n = n,
    .barriers = barriers,
    .place = { TL_PLACE_FILL, 0, machine->tiers - 1, { 0 } },
  };

  tl_element_type_parse ("i32", &i32);
  semiring = tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, i32);
  spec.semiring = semiring;
  first = tl_pim_program_build (&spec, NULL);
  if (first == NULL)
    return NULL;
  /* The copies' room in tier 0 is taken before the matrix is placed. */
  for (guint o = 0; o < first->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (first->objects, TlObjectShare, o);

      if (g_strcmp0 (share->name, "copies") == 0)
        spec.place.reserved[share->tier] += MIN (share->bytes, machine->tier_bytes - spec.place.reserved[share->tier]);
    }
  return tl_pim_program_build (&spec, NULL);
}

static double
residency (const TlPimProgram *program)
{
  double in_t0 = 0, all = 0;

  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);

      all += (double) share->bytes;
      in_t0 += share->tier == 0 ? (double) share->bytes : 0;
    }
  return all > 0 ? 100 * in_t0 / all : 0;
}

static const TlPaperGraph graphs[] = {
  { 5242, "5,242 nodes", 5.2, 0.90, 0.90 },
  { 6301, "6,301 nodes", 5.2, 0.90, 0.90 },
  { 65536, "65,536 nodes", 5.8, 1.00, 1.00 },
};

const TlPaperGraph *
tl_paper_graph (guint32 n)
{
  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    if (graphs[i].n == n)
      return &graphs[i];
  return NULL;
}

static gboolean
add_graph (GArray *figures, const TlPimMachine *machine, const TlPaperGraph *graph, GCancellable *cancellable,
           GError **error)
{
  TlSimOptions options = { .cancellable = cancellable };
  g_autoptr (TlPimProgram) program = program_of (machine, graph->n, TL_BARRIERS_DATAFLOW);
  g_autoptr (TlPimProgram) strict = program_of (machine, graph->n, TL_BARRIERS_STRICT);
  g_autoptr (TlSimRun) run = NULL;
  g_autoptr (TlSimRun) strict_run = NULL;
  TlFlows flows;

  /* A machine too small for the graph has no such figure. */
  if (program == NULL || strict == NULL)
    return TRUE;
  run = tl_sim_run (program, &options, error);
  strict_run = run != NULL ? tl_sim_run (strict, &options, error) : NULL;
  if (strict_run == NULL)
    return FALSE;
  tl_flows (run, &flows);
  add (
      figures, "speed-up B3/B0", graph->name, "", graph->speed_up, flows.b0 / flows.b3, TL_STANDING_CLOSE, 0.05,
      "B0's row costs: a row cycle and a read-modify-write a segment, nothing overlapped, no ring; other readings span "
      "4.7 to 7.2");
  add (figures, "B3/B2", graph->name, "", graph->bound, flows.b2 / flows.b3, TL_STANDING_ASSUMPTION, 0,
       "dataflow, edges trimmed, ring of 16 bytes a cycle; the copies' writes are free");
  add (figures, "B3/B2, strict barriers", graph->name, "", graph->strict, flows.b2 / (double) strict_run->makespan,
       TL_STANDING_ASSUMPTION, 0,
       "three barriers a super-step with Eq. 2's owners, as the paper's text has it: contradicts its own figure when P "
       "divides M");
  add (figures, "B3/B2, strict barriers, computing alone", graph->name, "", graph->strict,
       flows.b2 / tl_flow_strict (machine, graph->n, 0, program->element_bits), TL_STANDING_ASSUMPTION, 0,
       "the same with no memory and no ring: the barriers' own loss");
  add (figures, "speed-up B3/B1", graph->name, "", 1.3, flows.b1 / flows.b3, TL_STANDING_ASSUMPTION, 0,
       "B1 fetches operands over a narrow ring, which B0 is not charged; the paper gives 1.2 to 1.4");
  if (graph->n == 65536)
    {
      add (figures, "row cycles in tier 0", "share of the footprint", "%", 25, residency (program),
           TL_STANDING_ASSUMPTION, 0, "a 16 GiB matrix, and copies reserved before it");
      add (figures, "row cycles in tier 0", "share of the reused set", "%", 100,
           program->copies == TL_COPIES_T0 ? 100 : 0, TL_STANDING_ASSUMPTION, 0,
           "operands are read from copies in tier 0; all row cycles together are not");
    }
  return TRUE;
}

static void
add_alignment (GArray *figures, const TlPimMachine *machine)
{
  static const char *const assumption
      = "tile side 144 from three 4-byte tiles in the scratchpad: found by search, then explained; compute time only";
  static const struct
  {
    const char *name;
    guint32     length;
    double      error;
    double      paper;
  } reads[] = {
    { "PacBio, 2,000 bases", 2000, 0.15, 2.8 },
    { "PacBio, 10,000 bases", 10000, 0.15, 9.9 },
    { "ONT 2D, 2,000 bases", 2000, 0.30, 4.1 },
    { "ONT 2D, 10,000 bases", 10000, 0.30, 16.7 },
  };

  if (machine->scratchpad_bytes < 3 * 4 * (guint64) machine->pes * machine->pes || machine->search_pus >= machine->pus)
    return;
  for (guint r = 0; r < G_N_ELEMENTS (reads); r++)
    add (figures, "alignment speed-up B3/B0", reads[r].name, "", reads[r].paper,
         tl_flow_alignment (machine, reads[r].length, reads[r].error), TL_STANDING_CLOSE, 0.05, assumption);
  add (figures, "alignment traffic", "untiered", "GB", 0.92, NAN, TL_STANDING_ASSUMPTION, 0,
       "equals 33 bytes a band cell, which no decomposition explains: not modelled");
  add (figures, "alignment traffic", "tiered", "GB", 0.50, NAN, TL_STANDING_ASSUMPTION, 0,
       "equals 18 bytes a band cell, which no decomposition explains: not modelled");
}

GArray *
tl_paper_figures (const TlPimMachine *machine, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) figures = g_array_new (FALSE, TRUE, sizeof (TlPaperFigure));

  add_traffic (figures, machine);
  add_latencies (figures, machine);
  add_placement (figures, machine);
  for (guint g = 0; g < G_N_ELEMENTS (graphs); g++)
    if (!add_graph (figures, machine, &graphs[g], cancellable, error))
      return NULL;
  add_alignment (figures, machine);
  return g_steal_pointer (&figures);
}
