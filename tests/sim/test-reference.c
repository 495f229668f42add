/* A second simulator, written from models.md section 3 alone and as literally as can
 * be: beat by beat, no closed forms, no memo, no event queue. What depends on other
 * PUs is found by repeating the whole run with the times of the run before until
 * nothing changes. It must give the same times and counts on random programs. */
#include "fixture.h"

#include <string.h>

/* A row's identity: what lies there, and which row of it. */
typedef struct
{
  gboolean open;
  guint64  object; /* tile or copy slot with its tier */
  guint32  row;
  guint32  tier; /* of the row open, or closed last */
  gint64   act;
  gint64   pre;   /* closed since */
  gint64   read;  /* last read column in the open row */
  gint64   write; /* end of the last write data in the open row */
  gboolean used;
} Bank;

#define NEVER (G_MININT64 / 4)

typedef struct
{
  Bank        bank[TL_MAX_BANKS];
  GArray     *acts;   /* gint64, program order */
  gint64      column; /* last one */
  gint64      bus;
  gint64      write; /* end of write data */
  TlSimCounts counts;
} Group;

typedef struct
{
  const TlPimProgram *program;
  const TlPimMachine *machine;
  guint32             tiles;
  gint64             *done;   /* k * M * M + x: when the tile is done in k; from the run before */
  gint64             *usable; /* by others */
  gint64             *new_done;
  gint64             *release; /* barrier after phase f of k: k * 3 + f */
  gint64             *new_end; /* latest end before barrier k * 3 + f */
  gint64             *pu_end;
  Group              *group;
} Reference;

static guint64
tile_index (const Reference *ref, guint32 k, guint32 i, guint32 j)
{
  return ((guint64) k * ref->tiles + i) * ref->tiles + j;
}

static void
one_row (Reference *ref, Group *group, guint64 object, guint32 row, guint32 beats, guint32 tier_number, gboolean write,
         gint64 start)
{
  const TlPimMachine *machine = ref->machine;
  const TlTierTiming *tier = &machine->tier[tier_number];
  Bank               *bank = &group->bank[row % machine->banks];
  gboolean            open_page = ref->program->page == TL_PAGE_OPEN;
  gboolean            hit = bank->open && bank->object == object && bank->row == row;

  if (!hit)
    {
      gint64 act = start;

      if (bank->open)
        {
          const TlTierTiming *old = &machine->tier[bank->tier];

          bank->pre = MAX (MAX (start, bank->act + old->tRAS), MAX (bank->read + old->tRTP, bank->write + old->tWR));
          bank->open = FALSE;
          group->counts.pre++;
          group->counts.conflicts++;
        }
      else
        group->counts.misses++;
      if (bank->used)
        {
          act = MAX (act, bank->pre + machine->tier[bank->tier].tRP);
          act = MAX (act, bank->act + machine->tier[bank->tier].tRC);
        }
      if (machine->tRRD > 0 && group->acts->len > 0)
        act = MAX (act, g_array_index (group->acts, gint64, group->acts->len - 1) + machine->tRRD);
      if (machine->tFAW > 0 && group->acts->len > 3)
        act = MAX (act, g_array_index (group->acts, gint64, group->acts->len - 4) + machine->tFAW);
      g_array_append_val (group->acts, act);
      *bank = (Bank) { TRUE, object, row, tier_number, act, bank->pre, NEVER, NEVER, TRUE };
      group->counts.act++;
    }
  for (guint32 beat = 0; beat < beats; beat++)
    {
      gint64 latency = write ? tier->tCWL : tier->tCL;
      gint64 column = MAX (MAX (start, bank->act + tier->tRCD), group->column + MAX (machine->tCCD, machine->burst));

      column = MAX (column, group->bus - latency);
      if (!write)
        column = MAX (column, group->write + machine->tWTR);
      group->column = column;
      group->bus = column + latency + machine->burst;
      if (write)
        {
          group->write = bank->write = group->bus;
          group->counts.wr++;
          group->counts.bytes_written += machine->beat_bytes;
        }
      else
        {
          bank->read = column;
          group->counts.rd++;
          group->counts.bytes_read += machine->beat_bytes;
        }
      group->counts.hits += hit || beat > 0;
    }
  if (!open_page)
    {
      bank->pre = MAX (bank->act + tier->tRAS, MAX (bank->read + tier->tRTP, bank->write + tier->tWR));
      bank->open = FALSE;
      group->counts.pre++;
      group->counts.closings++;
    }
}

static gint64
one_tile (Reference *ref, guint pu, guint32 i, guint32 j, guint32 tier, guint64 object, gboolean write, gint64 start)
{
  const TlPimMachine *machine = ref->machine;
  guint64             height = tl_pim_program_extent (ref->program, i), width = tl_pim_program_extent (ref->program, j);
  guint64             bytes = (height * width * ref->program->element_bits + 7) / 8;

  for (guint32 row = 0; (guint64) row * machine->row_bytes < bytes; row++)
    {
      guint64 here = MIN (machine->row_bytes, bytes - (guint64) row * machine->row_bytes);

      one_row (ref, &ref->group[pu], object, row, (guint32) ((here + machine->beat_bytes - 1) / machine->beat_bytes),
               tier, write, start);
    }
  return ref->group[pu].bus;
}

/* A tile of the PU itself. */
static gint64
own_tile (Reference *ref, guint pu, guint32 i, guint32 j, gboolean write, gint64 start)
{
  return one_tile (ref, pu, i, j, tl_pim_program_tier (ref->program, i, j), tile_index (ref, 0, i, j), write, start);
}

static gboolean
owns_in_row (const Reference *ref, guint pu, guint32 i)
{
  for (guint32 j = 0; j < ref->tiles; j++)
    if (ref->program->owner[i * ref->tiles + j] == pu)
      return TRUE;
  return FALSE;
}

/* The PU's copy of an operand: kept by tile row for (i,k), by tile column for (k,j). */
static gint64
copy_of (Reference *ref, guint pu, guint32 i, guint32 j, gboolean by_column, gboolean write, gint64 start)
{
  guint32 tier = ref->program->copies == TL_COPIES_T0 ? 0 : tl_pim_program_tier (ref->program, i, j);
  guint64 slot = by_column ? ref->tiles + j : i;

  return one_tile (ref, pu, i, j, tier, G_GUINT64_CONSTANT (1) << 40 | (guint64) tier << 32 | slot, write, start);
}

typedef struct
{
  guint32 k, i, j, phase;
} Op;

static GArray *
operations_of (const Reference *ref, guint pu)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Op));
  guint32 M = ref->tiles;
#define MINE(i, j) (ref->program->owner[(i) *M + (j)] == pu)
#define ADD(...)   g_array_append_vals (list, &(Op) { __VA_ARGS__ }, 1)

  for (guint32 k = 0; k < M; k++)
    {
      if (MINE (k, k))
        ADD (k, k, k, 0);
      for (guint32 x = 0; x < M; x++)
        {
          if (x != k && MINE (k, x))
            ADD (k, k, x, 1);
          if (x != k && MINE (x, k))
            ADD (k, x, k, 1);
        }
      for (guint32 i = 0; i < M; i++)
        for (guint32 j = 0; j < M; j++)
          if (i != k && j != k && MINE (i, j))
            ADD (k, i, j, 2);
    }
  return list;
}

static gint64
usable_by (const Reference *ref, guint pu, guint32 k, guint32 i, guint32 j)
{
  guint64 at = tile_index (ref, k, i, j);

  return ref->program->owner[i * ref->tiles + j] == pu ? ref->done[at] : ref->usable[at];
}

/* When all that the operation reads from others is usable. */
static gint64
operands_usable (const Reference *ref, guint pu, const Op *op)
{
  if (op->phase == 0)
    return 0;
  if (op->phase == 1)
    return usable_by (ref, pu, op->k, op->k, op->k);
  return MAX (usable_by (ref, pu, op->k, op->i, op->k), usable_by (ref, pu, op->k, op->k, op->j));
}

/* The last barrier before the operation: its release; -1 when there is none. */
static gint64
barrier_before (const Reference *ref, const Op *op, gint64 *number)
{
  TlBarriers barriers = ref->program->barriers;
  gint64     last = -1;

  if (barriers == TL_BARRIERS_STRICT)
    last = (gint64) op->k * 3 + op->phase - 1;
  else if (barriers == TL_BARRIERS_SUPERSTEP)
    last = (gint64) op->k * 3 - 1;
  *number = last;
  return last < 0 ? 0 : ref->release[last];
}

static gint64
load (Reference *ref, guint pu, const Op *op, guint8 *seen, gint64 start)
{
  gint64   now = start;
  gboolean charged = ref->program->copy_writes == TL_COPY_WRITES_CHARGED;
  guint32  M = ref->tiles;
  struct
  {
    guint32  i, j;
    gboolean by_column;
  } operands[2] = { { op->i, op->k, FALSE }, { op->k, op->j, TRUE } };
  guint n = op->phase;

  if (op->phase == 1)
    {
      operands[0].i = operands[0].j = op->k;
      operands[0].by_column = !owns_in_row (ref, pu, op->k);
    }
  for (guint o = 0; charged && o < n; o++)
    {
      guint64 at = tile_index (ref, op->k, operands[o].i, operands[o].j);

      if (ref->program->owner[operands[o].i * M + operands[o].j] != pu && !seen[at])
        now = copy_of (ref, pu, operands[o].i, operands[o].j, operands[o].by_column, TRUE, now);
      seen[at] = TRUE;
    }
  now = own_tile (ref, pu, op->i, op->j, FALSE, now);
  for (guint o = 0; o < n; o++)
    now = copy_of (ref, pu, operands[o].i, operands[o].j, operands[o].by_column, FALSE, now);
  return now;
}

static gint64
compute_time (const Reference *ref, const Op *op)
{
  const TlPimProgram *program = ref->program;
  guint64             lanes = ref->machine->pes;

  return (gint64) ((guint64) tl_pim_program_extent (program, op->i) * tl_pim_program_extent (program, op->k)
                   * ((tl_pim_program_extent (program, op->j) + lanes - 1) / lanes) * ref->machine->clock);
}

static void
done (Reference *ref, guint pu, const Op *op, gint64 end)
{
  ref->new_done[tile_index (ref, op->k, op->i, op->j)] = end;
  ref->pu_end[pu] = MAX (ref->pu_end[pu], end);
  for (guint32 b = op->k * 3 + op->phase; b < 3 * ref->tiles; b++)
    ref->new_end[b] = MAX (ref->new_end[b], end);
}

static void
run_pu (Reference *ref, guint pu)
{
  g_autoptr (GArray) list = operations_of (ref, pu);
  g_autofree guint8 *seen = g_malloc0 ((gsize) ref->tiles * ref->tiles * ref->tiles);
  gint64             free_at = 0, loaded = 0, computes = 0;
  gboolean           is_loaded = FALSE;

  for (guint n = 0; n < list->len; n++)
    {
      const Op *op = &g_array_index (list, Op, n), *next = n + 1 < list->len ? op + 1 : NULL;
      gint64    barrier, next_barrier, computed, store, usable;

      if (!is_loaded)
        {
          gint64 ready = MAX (free_at, MAX (barrier_before (ref, op, &barrier), operands_usable (ref, pu, op)));

          loaded = computes = load (ref, pu, op, seen, ready);
        }
      barrier_before (ref, op, &barrier);
      computed = store = computes + compute_time (ref, op);
      is_loaded = FALSE;
      if (ref->program->buffers == 2 && next != NULL)
        {
          barrier_before (ref, next, &next_barrier);
          usable = operands_usable (ref, pu, next);
          is_loaded = next_barrier == barrier && usable <= computes && (next->i != op->i || next->j != op->j);
          if (is_loaded)
            {
              loaded = load (ref, pu, next, seen, computes);
              store = MAX (computed, loaded);
            }
        }
      free_at = own_tile (ref, pu, op->i, op->j, TRUE, store);
      computes = MAX (loaded, free_at);
      done (ref, pu, op, free_at);
    }
}

/* Broadcasts in program order. */
static gint64
ring (Reference *ref, gint64 *usable)
{
  const TlPimMachine *machine = ref->machine;
  gint64              ring_free = 0;
  guint32             M = ref->tiles;

  for (guint32 k = 0; k < M; k++)
    for (guint32 x = 0; x < 1 + 2 * M; x++)
      {
        guint32 i = x == 0 || x % 2 == 1 ? k : (x - 1) / 2, j = x == 0 || x % 2 == 0 ? k : (x - 1) / 2;
        guint64 at = tile_index (ref, k, i, j);
        guint64 bytes = ((guint64) tl_pim_program_extent (ref->program, i) * tl_pim_program_extent (ref->program, j)
                             * ref->program->element_bits
                         + 7)
                        / 8;

        if (x > 0 && i == j)
          continue;
        if (ref->program->ring == TL_RING_FREE)
          {
            usable[at] = ref->new_done[at];
            continue;
          }
        ring_free = MAX (ring_free, ref->new_done[at])
                    + (gint64) ((bytes + machine->ring_bytes - 1) / machine->ring_bytes * machine->clock);
        usable[at] = ring_free + (gint64) (machine->pus / 2) * machine->ring_hop * machine->clock;
      }
  return ring_free;
}

/* One whole run from the times of the run before; TRUE when it changes any. */
static gboolean
run_once (Reference *ref)
{
  gsize              count = (gsize) ref->tiles * ref->tiles * ref->tiles;
  g_autofree gint64 *usable = g_new0 (gint64, count);
  gboolean           changed = FALSE;

  memset (ref->new_end, 0, 3 * ref->tiles * sizeof (gint64));
  for (guint pu = 0; pu < ref->machine->pus; pu++)
    {
      GArray *acts = ref->group[pu].acts;

      g_array_set_size (acts, 0);
      ref->group[pu] = (Group) { .acts = acts, .column = NEVER, .write = NEVER };
      ref->pu_end[pu] = 0;
      run_pu (ref, pu);
    }
  ring (ref, usable);
  for (guint32 b = 0; b < 3 * ref->tiles; b++)
    {
      gint64 release = ref->new_end[b];

      for (guint32 k = 0; k <= b / 3; k++)
        for (guint32 x = 0; x < ref->tiles; x++)
          {
            /* The pivot's broadcast counts from the first barrier on, the others' from the second. */
            if (k < b / 3 || b % 3 > 0 || x == k)
              release = MAX (release, MAX (usable[tile_index (ref, k, k, x)], usable[tile_index (ref, k, x, k)]));
          }
      changed |= release != ref->release[b];
      ref->release[b] = release;
    }
  changed |= memcmp (usable, ref->usable, count * sizeof *usable) != 0
             || memcmp (ref->new_done, ref->done, count * sizeof (gint64)) != 0;
  memcpy (ref->usable, usable, count * sizeof *usable);
  memcpy (ref->done, ref->new_done, count * sizeof (gint64));
  return changed;
}

static void
reference_init (Reference *ref, const TlPimProgram *program)
{
  gsize count = (gsize) program->tiles * program->tiles * program->tiles;

  *ref = (Reference) { .program = program, .machine = &program->machine, .tiles = program->tiles };
  ref->done = g_new (gint64, count);
  ref->usable = g_new (gint64, count);
  ref->new_done = g_new0 (gint64, count);
  ref->release = g_new0 (gint64, 3 * program->tiles);
  ref->new_end = g_new0 (gint64, 3 * program->tiles);
  ref->pu_end = g_new0 (gint64, program->machine.pus);
  ref->group = g_new0 (Group, program->machine.pus);
  for (guint pu = 0; pu < program->machine.pus; pu++)
    ref->group[pu].acts = g_array_new (FALSE, FALSE, sizeof (gint64));
  /* Late at first: no operation starts before what it waits for. */
  for (gsize x = 0; x < count; x++)
    ref->done[x] = ref->usable[x] = G_GINT64_CONSTANT (1) << 50;
}

static void
reference_clear (Reference *ref)
{
  for (guint pu = 0; pu < ref->machine->pus; pu++)
    g_array_unref (ref->group[pu].acts);
  g_free (ref->done);
  g_free (ref->usable);
  g_free (ref->new_done);
  g_free (ref->release);
  g_free (ref->new_end);
  g_free (ref->pu_end);
  g_free (ref->group);
}

static void
compare (const TlPimProgram *program, const TlSimRun *run, const char *what)
{
  Reference ref;
  guint     rounds = 0;

  reference_init (&ref, program);
  while (run_once (&ref))
    ck_assert_msg (++rounds < 2000, "%s: does not settle", what);
  for (guint pu = 0; pu < program->machine.pus; pu++)
    {
      ck_assert_msg ((guint64) ref.pu_end[pu] == run->pu[pu].end,
                     "%s: PU %u ends at %" G_GINT64_FORMAT ", not %" G_GUINT64_FORMAT, what, pu, ref.pu_end[pu],
                     run->pu[pu].end);
      ck_assert_msg (tl_sim_counts_equal (&ref.group[pu].counts, &run->pu[pu].counts), "%s: counts of PU %u", what, pu);
    }
  reference_clear (&ref);
}

START_TEST (both_simulators_agree)
{
  guint64 state = tl_test_seed () + 7;

  for (guint done_ = 0; done_ < 250;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 5, &what);
      g_autoptr (TlSimRun) run = NULL;

      if (program == NULL)
        continue;
      run = tl_sim_run (program, &(TlSimOptions) { .mode = done_ % 2 ? TL_SIM_FULL : TL_SIM_MEMO }, NULL);
      compare (program, run, what);
      done_++;
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-reference");
  TCase *tcase = tcase_create ("reference");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, both_simulators_agree);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
