/* What a module after G4 says, flat: all that emission needs. */
#pragma once

#include "ir/ir.h"
#include "ir/schedule.h"
#include "ir/semiring.h"
#include "passes/knobs.h"
#include "ir/owner.h"
#include "target/pim-machine.h"

/* One phase of a super-step as each PU runs it, operation after operation. */
typedef struct
{
  TlPhase   kind;
  guint     n_reads;      /* C first, then in this order, tile after tile */
  TlOperand reads[3];     /* PIVOT {C}; CROSS {C, PIVOT}; INTERNAL {C, LEFT, RIGHT} */
  gboolean  from_copy[3]; /* read the local copy, not the tile itself */
  gboolean  broadcast;    /* C goes to all other PUs when done */
  int       barrier;      /* number, in the super-step, of the barrier behind it; -1: none */
} TlPhaseSchedule;

typedef struct
{
  char           *program;      /* the algorithm's name, "program" when unsaid */
  char           *target;
  TlPimMachine    machine;
  TlPimKnobs      knobs;        /* as resolved; tile, owner and place are decided below */
  guint32         n;
  guint32         tile;         /* B */
  guint32         tiles;        /* M */
  guint32         element_bits; /* of the datapath */
  TlSemiring     *semiring;
  gboolean        cycle_check;  /* negative-cycle check at each k */
  char           *owner_name;   /* "modulo", "skewed" or the rule's text */
  TlOwnerRule    *owner;        /* checked: every owner is a PU; holds the moves */
  TlPlaceRule     place;        /* of D */
  GPtrArray      *data;         /* of TlDataSource * */
  GArray         *objects;      /* of TlObjectShare: copies and D, by object, tiers rising */
  guint           n_phases;     /* 3 */
  TlPhaseSchedule phases[TL_N_PHASES];
} TlSchedule;

/* NULL with errors on @diags when the module is not one after G4. O(program), not
 * O(tiles), but for owner rules that are not linear. Returns: (transfer full) */
TlSchedule *tl_schedule_from_module (const TlModule   *module,
                                     TlDiags          *diags);
void        tl_schedule_free        (TlSchedule       *schedule);

/* Owner of all tiles, row by row. @map: M * M. */
void        tl_schedule_owners      (const TlSchedule *schedule,
                                     guint16          *map);
/* Tier of all tiles, row by row. @tier: M * M. */
void        tl_schedule_tiers       (const TlSchedule *schedule,
                                     guint8           *tier);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSchedule, tl_schedule_free)
