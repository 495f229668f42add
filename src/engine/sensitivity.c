/* Which assumption carries a makespan: each assumed number of the machine moved by a
 * fifth down and up, the streams run again. models.md section 3, last line. */
#include "engine/run.h"

#include "base/number.h"
#include "emit/program-build.h"

#include <string.h>

/* A run of more tiles a side is ranked on a corner of it, and only the knobs that lead
 * there are run in full: what is shown is exact, which are shown is nearly so. */
#define MANY_TILES 48
#define FEW_TILES  24
#define FINALISTS  5

typedef enum
{
  UNIT_PS,
  UNIT_BYTES_A_CYCLE,
  UNIT_CYCLES,
  UNIT_COUNT,
} Unit;

typedef enum
{
  WHERE_MACHINE, /* one number of the machine at offset */
  WHERE_TIERS,   /* the same number of every tier at offset in TlTierTiming */
  WHERE_TIMINGS, /* tRCD, tRAS and tRC of every tier */
} Where;

/* One assumption. */
typedef struct
{
  const char *what;
  Where       where;
  gsize       offset;
  Unit        unit;
  guint32     least;
} Knob;

#define MACHINE(name, field, unit, least)                                                                              \
  {                                                                                                                    \
    name, WHERE_MACHINE, G_STRUCT_OFFSET (TlPimMachine, field), unit, least                                            \
  }
#define TIERS(name, field)                                                                                             \
  {                                                                                                                    \
    name, WHERE_TIERS, G_STRUCT_OFFSET (TlTierTiming, field), UNIT_PS, 0                                               \
  }

static const Knob knobs[] = {
  MACHINE ("tRRD", tRRD, UNIT_PS, 0),
  MACHINE ("tFAW", tFAW, UNIT_PS, 0),
  MACHINE ("tCCD", tCCD, UNIT_PS, 0),
  MACHINE ("tWTR", tWTR, UNIT_PS, 0),
  MACHINE ("burst", burst, UNIT_PS, 1),
  MACHINE ("ring width", ring_bytes, UNIT_BYTES_A_CYCLE, 1),
  MACHINE ("ring hop", ring_hop, UNIT_CYCLES, 0),
  MACHINE ("banks a group", banks, UNIT_COUNT, 1),
  TIERS ("tCL", tCL),
  TIERS ("tCWL", tCWL),
  TIERS ("tRTP", tRTP),
  TIERS ("tWR", tWR),
  TIERS ("tRP", tRP),
  { "tier timings", WHERE_TIMINGS, G_STRUCT_OFFSET (TlTierTiming, tRCD), UNIT_PS, 0 },
};

/* A fifth more or less, and at least one step where steps are whole. */
static guint32
moved (guint32 value, const Knob *knob, gboolean up)
{
  guint32 by = (guint32) (((guint64) value + 2) / 5);

  if (knob->unit != UNIT_PS && value > 0)
    by = MAX (by, 1);
  return up ? value + by : MAX (value - MIN (by, value), knob->least);
}

static guint32 *
field (TlPimMachine *machine, const Knob *knob, guint tier)
{
  gpointer base = knob->where == WHERE_MACHINE ? (gpointer) machine : (gpointer) &machine->tier[tier];

  return (guint32 *) ((char *) base + knob->offset);
}

static void
move_tier (TlTierTiming *tier, const Knob *knob, gboolean up)
{
  /* A row cycle stays what it was beyond tRAS and tRP. */
  guint32 slack = tier->tRC > tier->tRAS + tier->tRP ? tier->tRC - tier->tRAS - tier->tRP : 0;

  if (knob->where == WHERE_TIMINGS)
    {
      tier->tRCD = moved (tier->tRCD, knob, up);
      tier->tRAS = moved (tier->tRAS, knob, up);
    }
  else
    {
      guint32 *number = (guint32 *) ((char *) tier + knob->offset);

      *number = moved (*number, knob, up);
    }
  tier->tRC = tier->tRAS + tier->tRP + slack;
}

static void
move (TlPimMachine *machine, const Knob *knob, gboolean up)
{
  if (knob->where == WHERE_MACHINE)
    {
      guint32 *number = field (machine, knob, 0);

      *number = moved (*number, knob, up);
      return;
    }
  for (guint t = 0; t < machine->tiers; t++)
    move_tier (&machine->tier[t], knob, up);
}

static char *
value_text (const TlPimMachine *machine, const Knob *knob)
{
  guint32          value = *field ((TlPimMachine *) machine, knob, 0);
  g_autofree char *time = tl_format_ps (value);

  switch (knob->unit)
    {
    case UNIT_PS:
      return knob->where == WHERE_MACHINE ? g_strdup (time) : g_strdup_printf ("%s in tier 0", time);
    case UNIT_BYTES_A_CYCLE:
      return g_strdup_printf ("%u B a cycle", value);
    case UNIT_CYCLES:
      return g_strdup_printf ("%u cycles", value);
    default:
      return g_strdup_printf ("%u", value);
    }
}

/* One knob moved both ways on one program. */
typedef struct
{
  const TlPimProgram *program;
  const Knob         *knob;
  guint64             makespan_ps; /* as it is */
  TlSensitivity       result;      /* what: NULL until both ways have run */
} Trial;

static double
share (guint64 makespan_ps, guint64 other_ps)
{
  guint64 difference = makespan_ps > other_ps ? makespan_ps - other_ps : other_ps - makespan_ps;

  return makespan_ps > 0 ? (double) difference / (double) makespan_ps : 0;
}

/* FALSE when the machine cannot be moved so, or the run was cancelled. */
static gboolean
run_moved (const Trial *trial, gboolean up, guint64 *makespan_ps, char **text, GCancellable *cancellable)
{
  TlPimMachine machine = trial->program->machine;
  g_autoptr (TlPimProgram) other = NULL;

  move (&machine, trial->knob, up);
  other = tl_pim_program_with_machine (trial->program, &machine, NULL);
  if (other == NULL)
    return FALSE;
  *makespan_ps = tl_makespan (other, cancellable);
  *text = value_text (&machine, trial->knob);
  return *makespan_ps != G_MAXUINT64;
}

static void
clear (gpointer data)
{
  TlSensitivity *sensitivity = data;

  g_free (sensitivity->what);
  g_free (sensitivity->low_text);
  g_free (sensitivity->high_text);
}

static void
run_trial (gpointer data, gpointer user_data)
{
  Trial         *trial = data;
  TlSensitivity *result = &trial->result;

  if (!run_moved (trial, FALSE, &result->low_ps, &result->low_text, user_data)
      || !run_moved (trial, TRUE, &result->high_ps, &result->high_text, user_data))
    return;
  result->what = g_strdup (trial->knob->what);
  result->effect = MAX (share (trial->makespan_ps, result->low_ps), share (trial->makespan_ps, result->high_ps));
}

/* Runs all trials, side by side where there are processors. */
static void
run_trials (Trial *trials, guint n, GCancellable *cancellable)
{
  guint        threads = MIN (g_get_num_processors (), 8);
  GThreadPool *pool
      = n > 1 && threads > 1 ? g_thread_pool_new (run_trial, cancellable, (int) threads, FALSE, NULL) : NULL;

  for (guint t = 0; t < n; t++)
    if (pool == NULL || !g_thread_pool_push (pool, &trials[t], NULL))
      run_trial (&trials[t], cancellable);
  if (pool != NULL)
    g_thread_pool_free (pool, FALSE, TRUE);
}

/* The ring's numbers move nothing where it is free, a rule that is off stays off. */
static gboolean
matters (const TlPimProgram *program, const Knob *knob)
{
  TlPimMachine machine = program->machine;

  if (program->ring == TL_RING_FREE
      && (knob->offset == G_STRUCT_OFFSET (TlPimMachine, ring_bytes)
          || knob->offset == G_STRUCT_OFFSET (TlPimMachine, ring_hop))
      && knob->where == WHERE_MACHINE)
    return FALSE;
  return *field (&machine, knob, 0) > 0;
}

/* Trials of the knobs in @order that matter, results in @all, largest effect first. */
static void
collect (const TlPimProgram *program, guint64 makespan_ps, const guint *order, guint n, GArray *all, guint *indices,
         GCancellable *cancellable)
{
  Trial trials[G_N_ELEMENTS (knobs)] = { 0 };

  for (guint t = 0; t < n; t++)
    trials[t] = (Trial) { program, &knobs[order[t]], makespan_ps, { 0 } };
  run_trials (trials, n, cancellable);
  for (guint t = 0; t < n; t++)
    {
      guint at = 0;

      if (trials[t].result.what == NULL)
        {
          clear (&trials[t].result);
          continue;
        }
      while (at < all->len && g_array_index (all, TlSensitivity, at).effect >= trials[t].result.effect)
        at++;
      g_array_insert_val (all, at, trials[t].result);
      if (indices != NULL)
        {
          memmove (indices + at + 1, indices + at, (all->len - 1 - at) * sizeof *indices);
          indices[at] = order[t];
        }
    }
}

GArray *
tl_sensitivities (const TlPimProgram *program, guint64 makespan_ps, GCancellable *cancellable)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (TlSensitivity));
  guint   order[G_N_ELEMENTS (knobs)], n = 0;

  g_array_set_clear_func (all, clear);
  for (guint k = 0; k < G_N_ELEMENTS (knobs); k++)
    if (matters (program, &knobs[k]))
      order[n++] = k;
  if (program->tiles > MANY_TILES)
    {
      g_autoptr (TlPimProgram) corner = tl_pim_program_corner (program, FEW_TILES);
      g_autoptr (GArray) first = g_array_new (FALSE, TRUE, sizeof (TlSensitivity));
      guint ranked[G_N_ELEMENTS (knobs)];

      g_array_set_clear_func (first, clear);
      if (corner != NULL)
        {
          collect (corner, tl_makespan (corner, cancellable), order, n, first, ranked, cancellable);
          n = MIN (first->len, FINALISTS);
          memcpy (order, ranked, n * sizeof *order);
        }
    }
  collect (program, makespan_ps, order, n, all, NULL, cancellable);
  return all;
}
