/* From plain parameters and an owner map to a whole program: tiers of the tiles,
 * owner classes as runs along tile rows, and the three-phase loop program of each
 * PU (models.md section 3, Program order). */
#include "emit/program-build.h"

#include "base/number.h"
#include "emit/program-private.h"

#include <string.h>

guint32
tl_pim_legal_tile (const TlPimMachine *machine, guint32 element_bits, guint32 buffers)
{
  g_return_val_if_fail (element_bits > 0 && buffers > 0, 0);
  return (guint32) tl_isqrt (machine->sram_bytes * 8 / (3 * (guint64) buffers * element_bits));
}

gboolean
tl_pim_program_place (TlPimProgram *program, char **reason)
{
  program->tier = g_malloc ((gsize) program->tiles * program->tiles);
  if (tl_place_tiers (&program->place, program->n, program->tile, program->edges, program->element_bits,
                      program->machine.tier_bytes, program->tier))
    return TRUE;
  if (reason != NULL)
    {
      g_autofree char *tier = tl_format_bytes (program->machine.tier_bytes);
      g_autofree char *matrix = tl_format_bytes (((guint64) program->n * program->n * program->element_bits + 7) / 8);

      *reason = g_strdup_printf ("a matrix of %s does not fit where it is placed: a tier holds %s", matrix, tier);
    }
  return FALSE;
}

/* Appends the steps of one phase: what an operation waits for, copies, reads. */
static void
append_phase (GArray *code, const TlPimProgram *program, TlPhase phase)
{
  static const struct
  {
    guint     count;
    TlOperand operands[3];
  } needs[TL_N_PHASES] = {
    [TL_PHASE_PIVOT] = { 1, { TL_OPERAND_C } },
    [TL_PHASE_CROSS] = { 2, { TL_OPERAND_C, TL_OPERAND_PIVOT } },
    [TL_PHASE_INTERNAL] = { 3, { TL_OPERAND_C, TL_OPERAND_LEFT, TL_OPERAND_RIGHT } },
  };
  const guint count = needs[phase].count;
#define STEP(kind_, a_, b_) g_array_append_vals (code, &(TlCode) { kind_, a_, b_ }, 1)

  STEP (TL_CODE_FOR_OWN, phase, 0);
  for (guint o = 0; o < count; o++)
    STEP (TL_CODE_WAIT, needs[phase].operands[o], 0);
  for (guint o = 1; program->copy_writes == TL_COPY_WRITES_CHARGED && o < count; o++)
    STEP (TL_CODE_COPY, needs[phase].operands[o], 0);
  for (guint o = 0; o < count; o++)
    STEP (TL_CODE_READ, needs[phase].operands[o], o > 0);
  STEP (TL_CODE_COMPUTE, program->machine.pes, 0);
  STEP (TL_CODE_WRITE, TL_OPERAND_C, 0);
  if (phase != TL_PHASE_INTERNAL)
    STEP (TL_CODE_BROADCAST, TL_OPERAND_C, 0);
  STEP (TL_CODE_END_OWN, 0, 0);
  if (program->barriers == TL_BARRIERS_STRICT
      || (program->barriers == TL_BARRIERS_SUPERSTEP && phase == TL_PHASE_INTERNAL))
    STEP (TL_CODE_BARRIER, phase, 0);
}

TlCode *
tl_pim_program_code (const TlPimProgram *program, guint *n_code)
{
  GArray *code = g_array_sized_new (FALSE, TRUE, sizeof (TlCode), 48);

  STEP (TL_CODE_LOOP, program->tiles, 0);
  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    append_phase (code, program, phase);
  STEP (TL_CODE_END_LOOP, 0, 0);
#undef STEP
  *n_code = code->len;
  return (TlCode *) g_array_free (code, FALSE);
}

/* The run a PU is in the midst of, along the tile row being walked. */
typedef struct
{
  TlTileRun *runs;
  guint32    n;
  guint32    room;
  guint32    last; /* column of the latest tile */
} RunWriter;

static TlTileRun *
append_runs (RunWriter *writer, guint32 count)
{
  if (writer->n + count > writer->room)
    writer->runs = g_renew (TlTileRun, writer->runs, writer->room = MAX (2 * writer->room, writer->n + count + 8));
  writer->n += count;
  return &writer->runs[writer->n - count];
}

static void
add_column (RunWriter *writer, guint32 row_start, guint32 column)
{
  TlTileRun *run = writer->n > row_start ? &writer->runs[writer->n - 1] : NULL;

  if (run != NULL && (run->count == 1 || column - writer->last == run->step))
    {
      run->step = column - writer->last;
      run->count++;
    }
  else
    {
      *append_runs (writer, 1) = (TlTileRun) { column, 1, 1 };
    }
  writer->last = column;
}

/* Tile rows that were seen before: slot of a hash -> row + 1. */
typedef struct
{
  guint32 *slots;
  guint32  mask;
} RowTable;

/* The first row with the owners of row @i; @i itself when it is new. */
static guint32
first_like (RowTable *table, const TlPimProgram *program, guint32 i)
{
  gsize          bytes = program->tiles * sizeof (guint16);
  const guint16 *row = program->owner + (gsize) i * program->tiles;
  guint64        hash = 0, word = 0;

  for (gsize at = 0; at < bytes; at += sizeof word)
    {
      memcpy (&word, (const char *) row + at, MIN (sizeof word, bytes - at));
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
    }
  for (guint32 slot = (guint32) (hash >> 32) & table->mask;; slot = (slot + 1) & table->mask)
    {
      guint32 seen = table->slots[slot];

      if (seen == 0)
        {
          table->slots[slot] = i + 1;
          return i;
        }
      if (memcmp (program->owner + (gsize) (seen - 1) * program->tiles, row, bytes) == 0)
        return seen - 1;
    }
}

static void
write_row (TlPimProgram *program, RunWriter *writers, guint32 i, guint32 like)
{
  guint32 tiles = program->tiles, pus = program->machine.pus;

  for (guint32 pu = 0; pu < pus; pu++)
    {
      guint32 *starts = program->streams[pu].row_runs;

      starts[i] = writers[pu].n;
      if (like < i && starts[like + 1] > starts[like])
        {
          guint32    count = starts[like + 1] - starts[like];
          TlTileRun *runs = append_runs (&writers[pu], count);

          memcpy (runs, writers[pu].runs + starts[like], count * sizeof *runs);
        }
    }
  for (guint32 j = 0; like == i && j < tiles; j++)
    {
      guint32 pu = program->owner[(gsize) i * tiles + j];

      add_column (&writers[pu], program->streams[pu].row_runs[i], j);
    }
}

/* Owner classes: greedy arithmetic runs along each tile row, so that one owner map
 * has one spelling. A run of one tile has step 1. Rows repeat in every regular map. */
void
tl_pim_program_streams (TlPimProgram *program)
{
  guint32               pus = program->machine.pus, tiles = program->tiles;
  g_autofree RunWriter *writers = g_new0 (RunWriter, pus);
  guint                 n_code = 0;
  g_autofree TlCode    *code = tl_pim_program_code (program, &n_code);
  RowTable              table = { .mask = 15 };

  while (table.mask < 2 * tiles)
    table.mask = 2 * table.mask + 1;
  table.slots = g_new0 (guint32, table.mask + 1);
  program->streams = g_new0 (TlPuStream, pus);
  for (guint32 pu = 0; pu < pus; pu++)
    program->streams[pu].row_runs = g_new (guint32, tiles + 1);
  for (guint32 i = 0; i < tiles; i++)
    {
      write_row (program, writers, i, first_like (&table, program, i));
      for (guint32 pu = 0; pu < pus; pu++)
        program->streams[pu].row_runs[i + 1] = writers[pu].n;
    }
  for (guint32 pu = 0; pu < pus; pu++)
    {
      program->streams[pu].runs = writers[pu].runs;
      program->streams[pu].code = g_memdup2 (code, n_code * sizeof *code);
      program->streams[pu].n_code = n_code;
    }
  g_free (table.slots);
}

guint32
tl_pim_program_copies (const TlPimProgram *program, guint32 pu)
{
  const TlPuStream  *stream = &program->streams[pu];
  g_autofree guint8 *column = g_malloc0 (program->tiles);
  guint32            count = 0;

  for (guint32 i = 0; i < program->tiles; i++)
    {
      count += stream->row_runs[i] < stream->row_runs[i + 1];
      /* Rows of equal runs, the common case, add no columns. */
      if (i > 0 && tl_pu_same_row (stream, i, i - 1))
        continue;
      for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
        for (guint32 t = 0; t < stream->runs[r].count; t++)
          {
            guint8 *seen = &column[stream->runs[r].first + t * stream->runs[r].step];

            count += !*seen;
            *seen = 1;
          }
    }
  return count;
}

/* Most tiles of one tier among row k and column k, over all k. */
static guint32
home_copies (const TlPimProgram *program, guint32 tier)
{
  guint32             tiles = program->tiles, most = 0;
  g_autofree guint32 *in_row = g_new0 (guint32, tiles);
  g_autofree guint32 *in_column = g_new0 (guint32, tiles);

  for (guint32 i = 0; i < tiles; i++)
    for (guint32 j = 0; j < tiles; j++)
      {
        guint32 here = tl_pim_program_tier (program, i, j) == tier;

        in_row[i] += here;
        in_column[j] += here;
      }
  for (guint32 k = 0; k < tiles; k++)
    most = MAX (most, in_row[k] + in_column[k]);
  return most;
}

static void
add_share (TlPimProgram *program, const char *name, guint32 tier, guint64 bytes)
{
  TlObjectShare share = { .tier = tier, .bytes = bytes };

  if (bytes == 0)
    return;
  share.name = g_strdup (name);
  g_array_append_val (program->objects, share);
}

void
tl_pim_program_shares (TlPimProgram *program)
{
  const TlDataSource *matrix = program->data->len > 0 ? program->data->pdata[0] : NULL;
  guint32             pus = program->machine.pus;
  guint64             held[TL_MAX_TIERS] = { 0 }, copies = 0;
  guint64             tile = tl_pim_program_tile_bytes (program, 0, 0);

  tl_place_bytes (&program->place, program->n, program->tile, program->edges, program->element_bits,
                  program->machine.tier_bytes, held);
  for (guint32 pu = 0; pu < pus; pu++)
    copies += tl_pim_program_copies (program, pu);
  if (program->copies == TL_COPIES_T0)
    add_share (program, "copies", 0, copies * tile);
  for (guint32 t = 0; program->copies == TL_COPIES_HOME && t < program->machine.tiers; t++)
    if (held[t] > 0)
      add_share (program, "copies", t, MIN (copies, (guint64) pus * home_copies (program, t)) * tile);
  for (guint32 t = 0; t < program->machine.tiers; t++)
    add_share (program, matrix != NULL ? matrix->name : "D", t, held[t]);
}

static gboolean
fill_owner (TlPimProgram *program, const TlPimProgramSpec *spec, char **reason)
{
  guint32 tiles = program->tiles, pus = program->machine.pus;
  gsize   count = (gsize) tiles * tiles;

  if (spec->owner != NULL || spec->take_owner != NULL)
    {
      program->owner = spec->take_owner != NULL ? g_steal_pointer (spec->take_owner)
                                                : g_memdup2 (spec->owner, count * sizeof (guint16));
      for (gsize x = 0; x < count; x++)
        if (program->owner[x] >= pus)
          {
            if (reason != NULL)
              *reason = g_strdup_printf ("tile %" G_GSIZE_FORMAT " has owner %u; the machine has %u PUs", x,
                                         program->owner[x], pus);
            return FALSE;
          }
      return TRUE;
    }
  if (strcmp (program->owner_rule, "modulo") != 0 && strcmp (program->owner_rule, "skewed") != 0)
    {
      if (reason != NULL)
        *reason = g_strdup_printf ("the owner rule %s needs its map", program->owner_rule);
      return FALSE;
    }
  gboolean skewed = strcmp (program->owner_rule, "skewed") == 0;

  program->owner = g_new (guint16, count);
  for (guint32 i = 0; i < tiles; i++)
    for (guint32 j = 0, pu = tl_pim_owner (i, 0, tiles, pus, skewed); j < tiles; j++)
      {
        program->owner[(gsize) i * tiles + j] = (guint16) pu;
        pu = pu + 1 == pus ? 0 : pu + 1;
      }
  return TRUE;
}

static void
copy_lists (TlPimProgram *program, const TlPimProgramSpec *spec)
{
  for (guint d = 0; d < spec->n_data; d++)
    {
      TlDataSource *source = g_new0 (TlDataSource, 1);

      *source = spec->data[d];
      source->name = g_strdup (spec->data[d].name);
      source->source = g_strdup (spec->data[d].source);
      g_ptr_array_add (program->data, source);
    }
  for (guint o = 0; o < spec->n_objects; o++)
    add_share (program, spec->objects[o].name, spec->objects[o].tier, spec->objects[o].bytes);
}

TlPimProgram *
tl_pim_program_build (const TlPimProgramSpec *spec, char **reason)
{
  g_autoptr (TlPimProgram) program = tl_pim_program_alloc ();

  g_return_val_if_fail (spec->machine != NULL && spec->semiring != NULL, NULL);
  program->name = g_strdup (spec->name != NULL ? spec->name : "program");
  program->target = g_strdup (spec->target != NULL ? spec->target : "gendram");
  program->machine = *spec->machine;
  program->n = spec->n;
  program->element_bits = spec->element_bits > 0 ? spec->element_bits : spec->semiring->carrier.element.bits;
  program->buffers = MAX (spec->buffers, 1);
  program->tile = spec->tile;
  if (program->tile == 0 && program->element_bits > 0)
    program->tile = tl_pim_legal_tile (&program->machine, program->element_bits, program->buffers);
  program->tiles = program->tile > 0 ? (guint32) tl_ceil_div (program->n, program->tile) : 0;
  program->semiring = tl_semiring_copy (spec->semiring);
  program->owner_rule = g_strdup (spec->owner_rule != NULL ? spec->owner_rule : "modulo");
  program->place = spec->place;
  program->edges = spec->edges;
  program->copies = spec->copies;
  program->copy_writes = spec->copy_writes;
  program->ring = spec->ring;
  program->barriers = spec->barriers;
  program->page = spec->page;
  program->values = spec->values;
  program->baseline = spec->baseline;
  program->seed = spec->seed;
  program->cycle_check = spec->cycle_check != FALSE;
  program->mode = g_strdup (spec->mode != NULL ? spec->mode : "broadcast");
  program->base = g_strdup (spec->base != NULL ? spec->base : "");
  copy_lists (program, spec);
  if (!tl_pim_program_ranges (program, reason) || !fill_owner (program, spec, reason)
      || !tl_pim_program_place (program, reason))
    return NULL;
  tl_pim_program_streams (program);
  if (program->objects->len == 0)
    tl_pim_program_shares (program);
  return g_steal_pointer (&program);
}

/* All of @program as parameters, borrowed from it; @data: room for its sources. */
static TlPimProgramSpec
spec_of (const TlPimProgram *program, TlDataSource *data)
{
  for (guint d = 0; d < program->data->len; d++)
    data[d] = *(TlDataSource *) program->data->pdata[d];
  return (TlPimProgramSpec) {
    .name = program->name,
    .target = program->target,
    .machine = &program->machine,
    .n = program->n,
    .tile = program->tile,
    .element_bits = program->element_bits,
    .semiring = program->semiring,
    .owner_rule = program->owner_rule,
    .owner = program->owner,
    .place = program->place,
    .edges = program->edges,
    .copies = program->copies,
    .copy_writes = program->copy_writes,
    .ring = program->ring,
    .buffers = program->buffers,
    .barriers = program->barriers,
    .page = program->page,
    .values = program->values,
    .baseline = program->baseline,
    .seed = program->seed,
    .cycle_check = program->cycle_check,
    .mode = program->mode,
    .base = program->base,
    .data = data,
    .n_data = program->data->len,
    .objects = (TlObjectShare *) program->objects->data,
    .n_objects = program->objects->len,
  };
}

TlPimProgram *
tl_pim_program_with_machine (const TlPimProgram *program, const TlPimMachine *machine, char **reason)
{
  g_autofree TlDataSource *data = g_new0 (TlDataSource, program->data->len + 1);
  TlPimProgramSpec         spec = spec_of (program, data);

  if (machine->pus != program->machine.pus)
    {
      if (reason != NULL)
        *reason = g_strdup ("another number of PUs needs other owners");
      return NULL;
    }
  spec.machine = machine;
  return tl_pim_program_build (&spec, reason);
}

TlPimProgram *
tl_pim_program_corner (const TlPimProgram *program, guint32 tiles)
{
  g_autofree TlDataSource *data = g_new0 (TlDataSource, program->data->len + 1);
  g_autofree guint16      *owner = NULL;
  TlPimProgramSpec         spec = spec_of (program, data);

  g_return_val_if_fail (tiles > 0, NULL);
  tiles = MIN (tiles, program->tiles);
  owner = g_new (guint16, (gsize) tiles * tiles);
  for (guint32 i = 0; i < tiles; i++)
    memcpy (owner + (gsize) i * tiles, program->owner + (gsize) i * program->tiles, tiles * sizeof *owner);
  spec.n = MIN (program->n, tiles * program->tile);
  spec.take_owner = &owner;
  spec.n_objects = 0;
  if (spec.place.kind == TL_PLACE_FILL)
    {
      spec.place.kind = TL_PLACE_STRIPE;
      memset (spec.place.reserved, 0, sizeof spec.place.reserved);
    }
  return tl_pim_program_build (&spec, NULL);
}
