/* The knobs of a pim program: value, who chose it, legal range, and why a value is
 * refused. language.md "Config and place"; models.md section 3. */
#pragma once

#include "dsl/ast.h"
#include "ir/ir.h"
#include "ir/schedule.h"
#include "passes/owner.h"
#include "target/pim-machine.h"

typedef enum
{
  TL_CHOSEN_DERIVED, /* by Tierloom, from the program and the machine */
  TL_CHOSEN_TARGET,  /* the target's <knobs> */
  TL_CHOSEN_YOU,     /* a config or place line, or --set */
  TL_CHOSEN_EXAMPLE, /* a config line of an example opened as it came */
} TlChosen;

typedef enum
{
  TL_KNOB_TILE,
  TL_KNOB_MODE,
  TL_KNOB_TRAVERSAL,
  TL_KNOB_BARRIERS,
  TL_KNOB_OWNER,
  TL_KNOB_EDGES,
  TL_KNOB_COPIES,
  TL_KNOB_COPY_WRITES,
  TL_KNOB_RING,
  TL_KNOB_BUFFERS,
  TL_KNOB_SPLIT,
  TL_KNOB_PRECISION,
  TL_KNOB_PAGE,
  TL_KNOB_VALUES,
  TL_KNOB_BASELINE,
  TL_KNOB_SEED,
  TL_KNOB_PLACE,
  TL_N_KNOBS
} TlKnobId;

typedef enum
{
  TL_OWNER_MODULO,
  TL_OWNER_SKEWED,
  TL_OWNER_AUTO,       /* the engine runs both and keeps the better */
  TL_OWNER_EXPRESSION,
} TlOwnerKind;

/* What a knob is, for lists and menus. */
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
  TlKnobOrigin origin[TL_N_KNOBS];
} TlKnobs;

/* A default a target carries in its <knobs>. */
typedef struct
{
  const char *key;   /* "edges" */
  const char *value; /* "padded" */
} TlKnobDefault;

/* Resolves the knobs of @ast (its config lines, then those of @overrides, which come
 * from --set and may be NULL) for the closure of matrix @matrix with elements of type
 * @element on @machine. Keys of other targets and of later stages are answered with
 * "not-on-this-target". FALSE when a value is illegal; @knobs then holds the default in
 * its place, so that a build can go on. Call tl_knobs_clear when done. */
gboolean    tl_knobs_resolve (TlKnobs             *knobs,
                              const TlAst         *ast,
                              const TlAst         *overrides,
                              const char          *matrix,
                              TlElementType        element,
                              const TlPimMachine  *machine,
                              const char          *target,
                              const TlKnobDefault *defaults,
                              guint                n_defaults,
                              TlDiags             *diags);
void        tl_knobs_clear   (TlKnobs             *knobs);
/* Derived defaults without a program. */
void        tl_knobs_default (TlKnobs             *knobs,
                              TlElementType        element,
                              const TlPimMachine  *machine);

const char *tl_knob_name     (TlKnobId             id); /* "tile" */
const char *tl_chosen_name   (TlChosen             chosen); /* "derived", "target", "you", "example" */
/* The value as one would write it: "256", "dataflow", "fill 0..7". (transfer full) */
char       *tl_knob_text     (const TlKnobs       *knobs,
                              TlKnobId             id);

/* B* = floor (sqrt (S / 3w)), S / 6w with two buffers: the largest legal tile. */
guint32     tl_largest_tile  (guint64              sram_bytes,
                              guint32              bits,
                              guint32              buffers);

/* The attribute gendram.knobs of a module, and back (FALSE and an error on @diags when
 * the dictionary is not one of ours). */
void        tl_knobs_to_module   (const TlKnobs   *knobs,
                                  TlModule        *module);
gboolean    tl_knobs_from_module (TlKnobs         *knobs,
                                  const TlModule  *module,
                                  TlDiags         *diags);
/* The attribute gendram.target: name and all machine numbers, and back. */
void        tl_machine_to_module   (const TlPimMachine *machine,
                                    const char         *name,
                                    TlModule           *module);
gboolean    tl_machine_from_module (TlPimMachine       *machine,
                                    char              **name, /* transfer full */
                                    const TlModule     *module,
                                    TlDiags            *diags);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlKnobs, tl_knobs_clear)
