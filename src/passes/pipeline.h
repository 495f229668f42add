/* The passes in their order. A module goes in after G1 (or after any later group)
 * and comes out after G4; between two groups it is verified and may be dumped. */
#pragma once

#include "dsl/ast.h"
#include "ir/ir.h"
#include "passes/grid.h"
#include "passes/knobs.h"
#include "passes/recurrence.h"

typedef enum
{
  TL_GROUP_NONE,
  TL_GROUP_G1, /* recognised: dp.semiring, dp.data, dp.grid_update */
  TL_GROUP_G2, /* tiled: three phases with dependences, or wavefronts; buffers */
  TL_GROUP_G3, /* mapped: mode, owner, tiers, the queue of a stream */
  TL_GROUP_G4, /* communicating: copies, broadcasts, barriers; sends, receives, edges of tiles */
} TlGroup;

/* Which group the module has been through (its attribute dp.group), NONE if unsaid. */
TlGroup   tl_module_group   (const TlModule       *module);

/* What the passes of a group do to every program, in a word: "recognise", "tile", "map", "communicate". */
const char *tl_group_pass   (TlGroup               group);

/* G1's last step: the recognised recurrence as a module, with the user's knobs and the
 * machine's numbers as attributes. NULL with errors on @diags when the shape is not
 * known or not square. Returns: (transfer full) */
TlModule *tl_g1_module      (const TlRecurrence   *recurrence,
                             const TlAst          *ast,
                             const GArray         *facts, /* of TlDataFacts */
                             const TlPimKnobs        *knobs,
                             const TlPimMachine   *machine,
                             const char           *target,
                             TlDiags              *diags);

/* The same for a grid. (transfer full) */
TlModule *tl_grid_module    (const TlGrid         *grid,
                             const GArray         *facts, /* of TlDataFacts */
                             const TlPimKnobs     *knobs,
                             const TlPimMachine   *machine,
                             const char           *target);

/* One group each, on the module in place. FALSE with errors on @diags. @source is where
 * a fix-it would go and may be NULL (a dump). */
gboolean  tl_g2_tile        (TlModule             *module,
                             TlDiags              *diags);
gboolean  tl_g3_map         (TlModule             *module,
                             guint                 candidate, /* of tl_g3_candidates, 0 the first */
                             TlSource             *source,
                             TlSpan                owner_span,
                             TlDiags              *diags);
gboolean  tl_g4_communicate (TlModule             *module,
                             TlDiags              *diags);

/* The owner rules a module after G2 leaves open, best guess first by predicted loads:
 * names "modulo", "skewed". One unless owner = auto. NULL-terminated, (transfer full) */
char    **tl_g3_candidates  (const TlModule       *module);

/* Called with the module after each group. */
typedef void (*TlGroupFunc) (TlGroup         group,
                             const TlModule *module,
                             gpointer        user_data);

typedef struct
{
  guint       candidate;  /* which owner candidate to map with */
  TlSource   *source;     /* for fix-its; may be NULL */
  TlSpan      owner_span; /* value of the owner knob in it, or empty */
  TlGroupFunc after;      /* may be NULL */
  gpointer    user_data;
} TlPipelineOptions;

/* Runs the groups that are still to come. The module is verified first, and after each
 * group. FALSE with errors on @diags; the module is then as far as it got. */
gboolean  tl_pipeline_run   (TlModule                *module,
                             const TlPipelineOptions *options,
                             TlDiags                 *diags);
