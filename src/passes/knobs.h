/* The knobs of a pim program: value, who chose it, legal range, and why a value is
 * refused. language.md "Config and place"; models.md section 3. */
#pragma once

#include "dsl/ast.h"
#include "ir/ir.h"
#include "ir/schedule.h"
#include "ir/owner.h"
#include "target/target.h"

typedef enum
{
  TL_CHOSEN_DERIVED, /* by Tierloom, from the program and the machine */
  TL_CHOSEN_TARGET,  /* the target's <knobs> */
  TL_CHOSEN_YOU,     /* a config or place line, or --set */
  TL_CHOSEN_EXAMPLE, /* a config line of an example opened as it came */
} TlChosen;

typedef enum
{
  TL_PIM_TILE,
  TL_PIM_MODE,
  TL_PIM_TRAVERSAL,
  TL_PIM_BARRIERS,
  TL_PIM_OWNER,
  TL_PIM_EDGES,
  TL_PIM_COPIES,
  TL_PIM_COPY_WRITES,
  TL_PIM_RING,
  TL_PIM_BUFFERS,
  TL_PIM_SPLIT,
  TL_PIM_PRECISION,
  TL_PIM_PAGE,
  TL_PIM_VALUES,
  TL_PIM_BASELINE,
  TL_PIM_SEED,
  TL_PIM_PLACE,
  TL_N_PIM_KNOBS,                /* of a closure */
  TL_PIM_QUEUE = TL_N_PIM_KNOBS, /* of wavefronts alone */
  TL_N_ALL_PIM_KNOBS
} TlPimKnob;

typedef enum
{
  TL_OWNER_MODULO,
  TL_OWNER_SKEWED,
  TL_OWNER_AUTO,       /* the engine runs both and keeps the better */
  TL_OWNER_EXPRESSION,
} TlOwnerKind;

typedef struct
{
  TlChosen    chosen;
  TlSpan      span;    /* of the value in the program text; empty when not there */
} TlKnobOrigin;

typedef struct
{
  guint32      tile;       /* B; 0: derived in G2 */
  TlOwnerKind  owner;
  char        *owner_text; /* EXPRESSION: rule text over i j M P (owner.h) */
  GArray      *moves;      /* of TlOwnerMove: owner = move(RULE, (i, j, pu), ...) */
  TlBarriers   barriers;
  TlEdges      edges;
  TlCopies     copies;
  TlCopyWrites copy_writes;
  TlRing       ring;
  guint32      buffers;    /* 1 or 2 */
  guint32      search;     /* split Search : Compute PUs; a closure uses all of them */
  guint32      compute;
  guint32      precision;  /* bits of the datapath */
  TlPage       page;
  TlValues     values;
  TlBaseline   baseline;
  guint64      seed;
  gboolean     place_auto; /* D by sigma; place holds only when FALSE */
  TlPlaceRule  place;
  guint32      queue;      /* places between Search and Compute PUs; 0: derived in G3 */
  gboolean     wave;       /* of a recurrence in wavefront order; words of mode and traversal hang on it */
  gboolean     stream;     /* ... over streamed candidates */
  TlKnobOrigin origin[TL_N_ALL_PIM_KNOBS];
} TlPimKnobs;

/* Resolves the knobs for the closure of matrix @matrix with elements of type @element
 * on @target, a pim target: derived defaults, then the target's <knobs>, then the config
 * and place lines of @ast, then those of @overrides (may be NULL). Keys that have no
 * meaning here are answered with the warning, values that ask for what a closure on this
 * machine cannot do with the error "not-on-this-target". Values that tl_check has refused
 * are passed over silently. FALSE when a value is illegal; @knobs then holds the default
 * in its place, so that a build can go on. Call tl_pim_knobs_clear when done. */
gboolean    tl_pim_knobs_resolve (TlPimKnobs      *knobs,
                                  const TlAst     *ast,
                                  const TlAst     *overrides,
                                  const char      *matrix,
                                  TlElementType    element,
                                  const TlTarget  *target,
                                  TlDiags         *diags);
/* The same for a recurrence in wavefront order, which may run over candidates of a
 * @stream: edges are padded unless said, barriers strict, and the place lines are read in
 * G1. What such a recurrence has no use for is answered in G1 too. */
gboolean    tl_pim_knobs_resolve_wave (TlPimKnobs     *knobs,
                                       const TlAst    *ast,
                                       gboolean        stream,
                                       TlElementType   element,
                                       const TlTarget *target,
                                       TlDiags        *diags);
void        tl_pim_knobs_clear   (TlPimKnobs      *knobs);
/* Derived defaults without a program. */
void        tl_pim_knobs_default (TlPimKnobs         *knobs,
                                  TlElementType       element,
                                  const TlPimMachine *machine);

const char *tl_pim_knob_name (TlPimKnob            id); /* "tile" */
const char *tl_chosen_name   (TlChosen             chosen); /* "derived", "target", "you", "example" */
/* The value as one would write it: "256", "dataflow", "fill 0..7". (transfer full) */
char       *tl_pim_knob_text (const TlPimKnobs    *knobs,
                              TlPimKnob            id);

/* What it may be, for people. @bits: of the data's elements. (transfer full) */
char       *tl_pim_knob_legal (const TlPimKnobs   *knobs,
                               TlPimKnob           id,
                               const TlPimMachine *machine,
                               guint               bits);
/* What it follows from when nobody says it. */
const char *tl_pim_knob_rule (TlPimKnob            id);
/* Whether a program of these knobs (a closure, or waves) has the knob at all. */
gboolean    tl_pim_knob_applies (const TlPimKnobs *knobs,
                                 TlPimKnob         id);

typedef enum
{
  TL_PLACE_READ_RULE,
  TL_PLACE_READ_AUTO,
  TL_PLACE_READ_OTHER, /* a placement of compute units */
  TL_PLACE_READ_BAD,   /* not tiers at all: the checks of the text have said so */
  TL_PLACE_READ_RANGE, /* no such tiers, or from a higher to a lower one */
} TlPlaceRead;

/* A place line's value as a rule of tiers below @tiers. */
TlPlaceRead tl_place_rule_read (TlPlaceRule    *rule,
                                const TlExpr   *value,
                                guint32         tiers);
/* The diagnostic of what cannot be: OTHER and RANGE. NULL for the others. */
TlDiag     *tl_place_rule_refuse (TlPlaceRead     read,
                                  const TlExpr   *value,
                                  const TlTarget *target,
                                  TlSource       *source,
                                  TlDiags        *diags);

/* B* = floor (sqrt (S / 3w)), S / 6w with two buffers: the largest legal tile. */
guint32     tl_largest_tile  (guint64              sram_bytes,
                              guint32              bits,
                              guint32              buffers);

/* The attribute gendram.knobs of a module, and back (FALSE and an error on @diags when
 * the dictionary is not one of ours). */
void        tl_pim_knobs_to_module   (const TlPimKnobs *knobs,
                                      TlModule         *module);
gboolean    tl_pim_knobs_from_module (TlPimKnobs       *knobs,
                                      const TlModule   *module,
                                      TlDiags          *diags);
/* The attribute gendram.target: name and all machine numbers, and back. */
void        tl_machine_to_module   (const TlPimMachine *machine,
                                    const char         *name,
                                    TlModule           *module);
gboolean    tl_machine_from_module (TlPimMachine       *machine,
                                    char              **name, /* transfer full */
                                    const TlModule     *module,
                                    TlDiags            *diags);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlPimKnobs, tl_pim_knobs_clear)
