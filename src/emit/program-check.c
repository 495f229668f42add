/* Is a program whole? Every number in its range, and streams, owners, knobs and
 * code in agreement; nothing after this needs to look again. */
#include "emit/program-private.h"

#include <string.h>

#define MAX_PS    (1u << 30) /* 1.07 ms: sums of a few fit 32 bits */
#define MAX_NODES (1u << 26)
#define MAX_STACK 64 /* of an operator's expression */

static gboolean
in_range (char **reason, const char *what, guint64 value, guint64 low, guint64 high)
{
  if (value >= low && value <= high)
    return TRUE;
  return tl_refuse (reason, "%s is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, what, value,
                    low, high);
}

static gboolean
check_tier (const TlTierTiming *tier, char **reason)
{
  return in_range (reason, "tRCD", tier->tRCD, 0, MAX_PS) && in_range (reason, "tRAS", tier->tRAS, 0, MAX_PS)
         && in_range (reason, "tRP", tier->tRP, 0, MAX_PS) && in_range (reason, "tRC", tier->tRC, 0, MAX_PS)
         && in_range (reason, "tRTP", tier->tRTP, 0, MAX_PS) && in_range (reason, "tWR", tier->tWR, 0, MAX_PS)
         && in_range (reason, "tCL", tier->tCL, 0, MAX_PS) && in_range (reason, "tCWL", tier->tCWL, 0, MAX_PS);
}

gboolean
tl_pim_machine_ranges (const TlPimMachine *machine, char **reason)
{
  static const TlTierTiming none = { 0 };

  if (!in_range (reason, "clock", machine->clock, 1, MAX_PS) || !in_range (reason, "PUs", machine->pus, 1, TL_MAX_PUS)
      || !in_range (reason, "search PUs", machine->search_pus, 0, machine->pus)
      || !in_range (reason, "lanes", machine->pes, 1, 1 << 16)
      || !in_range (reason, "channels", machine->channels, 1, TL_MAX_PUS)
      || !in_range (reason, "bank groups", machine->groups, 1, TL_MAX_PUS)
      || !in_range (reason, "PUs", machine->pus, 1, (guint64) machine->channels * machine->groups)
      || !in_range (reason, "banks", machine->banks, 1, TL_MAX_BANKS)
      || !in_range (reason, "tiers", machine->tiers, 1, TL_MAX_TIERS)
      || !in_range (reason, "rows", machine->rows, 1, G_GUINT64_CONSTANT (1) << 40)
      || !in_range (reason, "row bytes", machine->row_bytes, 1, 1 << 20)
      || !in_range (reason, "beat bytes", machine->beat_bytes, 1, machine->row_bytes)
      || !in_range (reason, "tier bytes", machine->tier_bytes, 1, G_GUINT64_CONSTANT (1) << 50)
      || !in_range (reason, "SRAM bytes", machine->sram_bytes, 1, G_GUINT64_CONSTANT (1) << 40)
      || !in_range (reason, "scratchpad bytes", machine->scratchpad_bytes, 0, machine->sram_bytes)
      || !in_range (reason, "ring bytes", machine->ring_bytes, 1, 1 << 20)
      || !in_range (reason, "ring hop", machine->ring_hop, 0, 1 << 20)
      || !in_range (reason, "burst", machine->burst, 1, MAX_PS) || !in_range (reason, "tCCD", machine->tCCD, 0, MAX_PS)
      || !in_range (reason, "tRRD", machine->tRRD, 0, MAX_PS) || !in_range (reason, "tFAW", machine->tFAW, 0, MAX_PS)
      || !in_range (reason, "tWTR", machine->tWTR, 0, MAX_PS) || !in_range (reason, "tREFI", machine->tREFI, 0, MAX_PS)
      || !in_range (reason, "tRFC", machine->tRFC, 0, MAX_PS))
    return FALSE;
  for (guint t = 0; t < machine->tiers; t++)
    if (!check_tier (&machine->tier[t], reason))
      return FALSE;
  for (guint t = machine->tiers; t < TL_MAX_TIERS; t++)
    if (memcmp (&machine->tier[t], &none, sizeof none) != 0)
      return tl_refuse (reason, "tier %u has timings; the machine has %u tiers", t, machine->tiers);
  return TRUE;
}

static gboolean
check_place (const TlPimProgram *program, char **reason)
{
  const TlPlaceRule *place = &program->place;

  if (!in_range (reason, "placement", place->kind, 0, TL_PLACE_STRIPE)
      || !in_range (reason, "tier", place->first, 0, program->machine.tiers - 1))
    return FALSE;
  if (place->kind == TL_PLACE_TIER && place->last != 0 && place->last != place->first)
    return tl_refuse (reason, "one tier is placed in, two are named");
  if (place->kind != TL_PLACE_TIER && !in_range (reason, "tier", place->last, place->first, program->machine.tiers - 1))
    return FALSE;
  for (guint t = 0; t < TL_MAX_TIERS; t++)
    {
      guint64 most = place->kind == TL_PLACE_FILL && t < program->machine.tiers ? program->machine.tier_bytes : 0;

      if (!in_range (reason, "reserved bytes", place->reserved[t], 0, most))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_objects (const TlPimProgram *program, char **reason)
{
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);

      if (!in_range (reason, "tier of an object", share->tier, 0, program->machine.tiers - 1)
          || !in_range (reason, "bytes of an object", share->bytes, 1, G_GUINT64_CONSTANT (1) << 50))
        return FALSE;
    }
  return TRUE;
}

/* A postfix expression leaves one value and never takes from an empty stack. */
static gboolean
check_operator (const TlOperator *op, char **reason)
{
  guint depth = 0;

  for (guint c = 0; op->kind == TL_OPERATOR_TABLE && c < op->size * op->size; c++)
    if (op->table[c] >= op->size)
      return tl_refuse (reason, "an operator's table of side %u holds %u", op->size, op->table[c]);
  if (op->kind != TL_OPERATOR_EXPRESSION)
    return TRUE;
  for (guint s = 0; s < op->n_steps; s++)
    {
      TlStepKind kind = op->steps[s].kind;
      guint      takes = 2;

      if (kind == TL_STEP_A || kind == TL_STEP_B || kind == TL_STEP_CONSTANT)
        takes = 0;
      else if (kind == TL_STEP_NEGATE || kind == TL_STEP_NOT)
        takes = 1;
      else if (kind == TL_STEP_SELECT)
        takes = 3;
      if (depth < takes)
        return tl_refuse (reason, "step %u of an operator lacks its operands", s);
      depth = depth - takes + 1;
      if (depth > MAX_STACK)
        return tl_refuse (reason, "an operator needs a stack deeper than %u", MAX_STACK);
    }
  return depth == 1 ? TRUE : tl_refuse (reason, "an operator leaves %u values", depth);
}

static gboolean
check_semiring (const TlSemiring *semiring, char **reason)
{
  const TlCarrier *carrier = &semiring->carrier;
  g_autofree char *name = tl_element_type_name (carrier->element);
  TlElementType    parsed = { 0 };

  if (name == NULL || !tl_element_type_parse (name, &parsed) || !tl_element_type_equal (parsed, carrier->element))
    return tl_refuse (reason, "the carrier's element type is none");
  if (!tl_element_type_is_float (carrier->element) ? carrier->low.i > carrier->high.i
                                                   : !(carrier->low.r <= carrier->high.r))
    return tl_refuse (reason, "the carrier is empty");
  return check_operator (&semiring->plus, reason) && check_operator (&semiring->times, reason);
}

gboolean
tl_pim_program_ranges (const TlPimProgram *program, char **reason)
{
  if (!tl_pim_machine_ranges (&program->machine, reason) || !in_range (reason, "n", program->n, 1, MAX_NODES)
      || !in_range (reason, "tile", program->tile, 1, 1 << 16)
      || !in_range (reason, "element bits", program->element_bits, 1, 64)
      || !in_range (reason, "tiles a side", program->tiles, 1, TL_MAX_TILES)
      || !in_range (reason, "buffers", program->buffers, 1, 2)
      || !in_range (reason, "edges", program->edges, 0, TL_EDGES_PADDED)
      || !in_range (reason, "copies", program->copies, 0, TL_COPIES_HOME)
      || !in_range (reason, "copy writes", program->copy_writes, 0, TL_COPY_WRITES_CHARGED)
      || !in_range (reason, "ring", program->ring, 0, TL_RING_FREE)
      || !in_range (reason, "barriers", program->barriers, 0, TL_BARRIERS_STRICT)
      || !in_range (reason, "page", program->page, 0, TL_PAGE_OPEN)
      || !in_range (reason, "values", program->values, 0, TL_VALUES_OFF)
      || !in_range (reason, "baseline", program->baseline, 0, TL_BASELINE_B3)
      || !in_range (reason, "cycle check", (guint) program->cycle_check, 0, 1) || !check_place (program, reason)
      || !check_objects (program, reason) || !check_semiring (program->semiring, reason))
    return FALSE;
  if (program->tiles != (program->n + program->tile - 1) / program->tile)
    return tl_refuse (reason, "%u nodes in tiles of %u are not %u tiles a side", program->n, program->tile,
                      program->tiles);
  if (program->tile > tl_pim_legal_tile (&program->machine, program->element_bits, program->buffers))
    return tl_refuse (reason, "tile = %u is above the largest legal %u", program->tile,
                      tl_pim_legal_tile (&program->machine, program->element_bits, program->buffers));
  return TRUE;
}

/* Every tile in exactly one run, of the PU that the map says. */
static gboolean
check_owners (const TlPimProgram *program, char **reason)
{
  guint32 tiles = program->tiles;
  guint64 covered = 0;

  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      const TlPuStream *stream = &program->streams[pu];

      for (guint32 i = 0; i < tiles; i++)
        for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
          for (guint32 t = 0; t < stream->runs[r].count; t++)
            {
              guint64 j = stream->runs[r].first + (guint64) t * stream->runs[r].step;

              if (j >= tiles || program->owner[(gsize) i * tiles + j] != pu)
                return tl_refuse (reason, "tile row %u: a run of PU %u leaves its tiles", i, pu);
              covered++;
            }
    }
  if (covered != (guint64) tiles * tiles)
    return tl_refuse (reason, "the owner classes hold %" G_GUINT64_FORMAT " tiles of %u x %u", covered, tiles, tiles);
  return TRUE;
}

gboolean
tl_pim_program_check (const TlPimProgram *program, char **reason)
{
  guint              n_code = 0;
  g_autofree TlCode *code = NULL;

  if (!tl_pim_program_ranges (program, reason))
    return FALSE;
  code = tl_pim_program_code (program, &n_code);
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      const TlPuStream *stream = &program->streams[pu];

      for (guint c = 0; c < MAX (n_code, stream->n_code); c++)
        if (c >= n_code || c >= stream->n_code || stream->code[c].kind != code[c].kind || stream->code[c].a != code[c].a
            || stream->code[c].b != code[c].b)
          return tl_refuse (reason, "PU %u, step %u: the code is not that of the program's knobs", pu, c);
    }
  return check_owners (program, reason);
}
