/* A build is a value: text, inputs and options in, an immutable result out.
 * Everything that wants a compiled program calls this. */
#pragma once

#include "dsl/ast.h"
#include "emit/cu-program.h"
#include "emit/pipe-program.h"
#include "emit/program.h"
#include "engine/inputs.h"
#include "passes/grid.h"
#include "passes/recurrence.h"
#include "target/target.h"

#include <gio/gio.h>

/* The stages in their order. A build begins at one of TEXT (a program), G1..G4 (a
 * module dumped after that group) or STREAM (a .tls file) and goes on from there. */
typedef enum
{
  TL_STAGE_TEXT,   /* tokens, tree, checks */
  TL_STAGE_INPUTS, /* named files: extents, bounds, content hashes */
  TL_STAGE_TARGET, /* the machine */
  TL_STAGE_G1,     /* recognised, admitted */
  TL_STAGE_G2,     /* tiled and ordered */
  TL_STAGE_G3,     /* mapped and placed */
  TL_STAGE_G4,     /* communication */
  TL_STAGE_STREAM, /* bytes, and the program decoded from them */
} TlStage;
#define TL_N_STAGES 8

const char *tl_stage_name (TlStage stage); /* "text", "inputs", "target", "g1", ... "streams" */

typedef struct
{
  TlStage            from;      /* what the source is: TEXT, G1..G4 or STREAM (see tl_build_sniff) */
  TlStage            until;     /* last stage to make; 0 (TEXT) means all */
  const char *const *config;    /* NULL-terminated "KEY=VALUE" as --set has them, "target.KEY=VALUE" and
                                 * "place.NAME=VALUE" too; NULL: none. Only for a program text */
  const char *const *folders;   /* target folders, NULL-terminated; NULL: those of TIERLOOM_TARGETS */
  const char        *path;      /* of the source's file, for target files beside it; NULL: none */
  const char        *output;    /* where the stream will be written: it then records the way from there to the
                                 * data files (of the program that a dump's locations name); NULL: none */
  gboolean           dumps;     /* keep module texts */
  gboolean           no_loc;    /* ... without locations */
} TlBuildOptions;

/* One owner rule tried for owner = auto, in the order they were tried. */
typedef struct
{
  char    *rule;
  guint64  makespan_ps;
  gboolean chosen;
} TlOwnerTrial;

/* One layout of a product's operands, replayed to be told from others that PLAN thinks as good. */
typedef struct
{
  char    *layout;    /* what it is, in words */
  guint64  kernel_ps; /* of the first CTAs; G_MAXUINT64 when it does not fit the memory */
  guint64  requests;  /* of a sample, in order, and the conflicts among them */
  guint64  conflicts;
  gboolean chosen;
} TlLayoutTrial;

/* Read-only for everyone. Fields of stages that were not reached are NULL. */
typedef struct
{
  gatomicrefcount references; /* private */
  TlSource     *source;   /* the program text with the overrides in it, or the module text; NULL for a stream */
  TlDiags      *diags;    /* all of it, sorted: syntax, checks, inputs, lints */
  TlAst        *ast;
  TlRecurrence *recurrence;
  TlGrid       *grid;     /* instead of a recurrence: one in wavefront order (grid-run.h) */
  TlTarget     *target;
  char         *dump[TL_N_STAGES]; /* module text after G1..G4, when asked for */
  char         *passes;   /* the passes that made it, in their order: "recognise, tile, map, communicate, emit" */
  GBytes       *stream;   /* .tls bytes */
  TlPimProgram *program;  /* decoded from them; NULL where they are wavefronts */
  TlPipeProgram *pipe;    /* ... and then this */
  TlCuProgram  *product;  /* instead of a program: a product on a compute unit, to be run by product-run.h; it has no
                           * stream, and the build is complete */
  GArray       *trials;   /* of TlOwnerTrial; empty unless owner = auto */
  GArray       *layouts;  /* of TlLayoutTrial; empty unless PLAN chose a product's layouts */
  TlInputs     *inputs;
  gpointer      data;     /* private: the inputs read, kept for values and rebuilds */
  gpointer      shared;   /* private: holds recurrence */
  TlDiags      *stage_diags[TL_N_STAGES]; /* private */
  guint64       key[TL_N_STAGES];  /* content key of each stage's result */
  gint64        ns[TL_N_STAGES];   /* time each stage took */
  gboolean      reused[TL_N_STAGES]; /* taken from the previous build */
  gboolean      complete; /* no error, and the last stage asked for was made */
  gboolean      cancelled;
} TlBuild;

/* Is it a stream, a module or a program text, told by its first bytes? A module
 * gives G1; which group it was dumped after only the caller knows. */
TlStage   tl_build_sniff (gconstpointer         data,
                          gsize                 length);

/* Never fails: what is wrong is in the result's diags. @name is what diagnostics
 * call the source (a path as the user gave it, "<stdin>"). @options may be NULL.
 * @previous may be NULL: stages whose key is the same are taken from it.
 * Returns: (transfer full) */
TlBuild  *tl_build       (const char           *name,
                          gconstpointer         data,
                          gsize                 length,
                          TlInputs             *inputs,
                          const TlBuildOptions *options,
                          TlBuild              *previous,
                          GCancellable         *cancellable);
TlBuild  *tl_build_ref   (TlBuild              *build);
void      tl_build_unref (TlBuild              *build);

/* Writes @bytes to @path: a temporary file beside it, then a rename, so that
 * nothing is ever half-written. "-" is standard output. */
gboolean  tl_write_file  (const char           *path,
                          GBytes               *bytes,
                          GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlBuild, tl_build_unref)
