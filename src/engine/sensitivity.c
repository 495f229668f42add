/* Which assumption carries a makespan: each assumed number of the machine moved by a
 * fifth down and up, the streams run again. models.md section 3, last line. */
#include "engine/run.h"

#include "base/number.h"
#include "emit/program-build.h"

#include <stdlib.h>

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

/* FALSE when the machine cannot be moved so, or the run was cancelled. */
static gboolean
run_moved (const TlPimProgram *program, const Knob *knob, gboolean up, guint64 *makespan_ps, char **text,
           GCancellable *cancellable)
{
  TlPimMachine machine = program->machine;
  g_autoptr (TlPimProgram) other = NULL;

  move (&machine, knob, up);
  other = tl_pim_program_with_machine (program, &machine, NULL);
  if (other == NULL)
    return FALSE;
  *makespan_ps = tl_makespan (other, cancellable);
  *text = value_text (&machine, knob);
  return *makespan_ps != G_MAXUINT64;
}

static int
by_effect (gconstpointer a, gconstpointer b)
{
  const TlSensitivity *first = a, *second = b;

  return (first->effect < second->effect) - (first->effect > second->effect);
}

static double
share (guint64 makespan_ps, guint64 other_ps)
{
  guint64 difference = makespan_ps > other_ps ? makespan_ps - other_ps : other_ps - makespan_ps;

  return makespan_ps > 0 ? (double) difference / (double) makespan_ps : 0;
}

static void
clear (gpointer data)
{
  TlSensitivity *sensitivity = data;

  g_free (sensitivity->what);
  g_free (sensitivity->low_text);
  g_free (sensitivity->high_text);
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

GArray *
tl_sensitivities (const TlPimProgram *program, guint64 makespan_ps, GCancellable *cancellable)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (TlSensitivity));

  g_array_set_clear_func (all, clear);
  for (guint k = 0; k < G_N_ELEMENTS (knobs); k++)
    {
      TlSensitivity sensitivity = { 0 };

      if (!matters (program, &knobs[k]))
        continue;
      if (run_moved (program, &knobs[k], FALSE, &sensitivity.low_ps, &sensitivity.low_text, cancellable)
          && run_moved (program, &knobs[k], TRUE, &sensitivity.high_ps, &sensitivity.high_text, cancellable))
        {
          sensitivity.what = g_strdup (knobs[k].what);
          sensitivity.effect = MAX (share (makespan_ps, sensitivity.low_ps), share (makespan_ps, sensitivity.high_ps));
          g_array_append_val (all, sensitivity);
        }
      else
        clear (&sensitivity);
      if (g_cancellable_is_cancelled (cancellable))
        break;
    }
  g_array_sort (all, by_effect);
  return all;
}
