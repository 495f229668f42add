/* A run is a simulation of a build: counters, makespan, flows, values. All that
 * the JSON of `tierc run` on pim shows, as plain numbers. */
#pragma once

#include "engine/build.h"
#include "sim/run.h"

typedef enum
{
  TL_RUN_AUTO, /* memoised where that is exact, else every command */
  TL_RUN_MEMO, /* refused where it is not exact */
  TL_RUN_FULL, /* every command */
} TlRunMode;

/* Called now and then from the calling thread: @done of @total operations. */
typedef void (*TlRunProgress) (guint64 done, guint64 total, gpointer user);

typedef struct
{
  TlRunMode     mode;
  gboolean      force_values;  /* wanted whatever the program's values knob says: --result */
  gboolean      skip_values;   /* not wanted now */
  gboolean      sensitivities; /* also re-run on changed machines */
  guint         threads;       /* for values; 0: all cores */
  TlRunProgress progress;
  gpointer      user;
} TlRunOptions;

/* What the makespan becomes when one assumption moves. */
typedef struct
{
  char   *what;       /* "tRRD", "ring width", "banks a group", "tier timings" */
  char   *low_text;   /* "3.2 ns" */
  char   *high_text;
  guint64 low_ps;     /* makespan at -20 % */
  guint64 high_ps;    /* at +20 % */
  double  effect;     /* largest |change| of the makespan, as a share */
} TlSensitivity;

typedef struct
{
  char *code;
  char *message;
} TlRunLint;

/* Read-only for everyone. */
typedef struct
{
  gatomicrefcount references; /* private */
  TlBuild    *build;
  TlDiags    *diags;          /* of the run: negative cycle, content changed, ... */
  gboolean    complete;       /* it ran to its end without an error */
  gboolean    cancelled;

  const char *program;        /* owned by the build */
  const char *target;
  guint32     n, tile, tiles_per_side;
  const char *mode;           /* how PUs talk: "broadcast" */
  const char *simulation;     /* "memo" or "full" */
  struct { const char *rule; guint64 fnv1a64; guint32 min, max; } owner;
  struct { guint64 total, pivot, rowcol, internal; } ops;
  struct { guint64 act, rd, wr, pre, ref; } commands;
  struct { guint64 hit, miss, conflict; } rows;
  struct { guint64 read, written; } bytes;
  guint64     makespan_ps;    /* of the flow asked for: B3 unless baseline says otherwise */
  guint64     bound_ps;       /* N^3 / (P lanes) cycles */
  guint64     flows[4];       /* ps of B0, B1, B2, B3 */
  guint64     busy_ps;        /* over all PUs, computing */
  guint64     energy_pj;

  gboolean    has_result;
  guint64     result_hash;    /* FNV-1a 64 of the elements as .npy has them */
  guint64     finite;         /* entries that are no infinity */
  char       *min_text;       /* least and greatest finite value, "" when none */
  char       *max_text;
  char       *result_reason;  /* why there is no result; NULL with one */

  GPtrArray  *lints;          /* of TlRunLint * */
  GArray     *sensitivities;  /* of TlSensitivity, the three largest first */
  gint64      simulate_ns, values_ns;
  TlSimRun   *sim;            /* owned: counters, waits, checkpoints of the program's own streams (flow B3),
                               * whatever flow the makespan is of */
  gpointer    values;         /* private: the closure matrix */
} TlRun;

/* Never fails: what is wrong is in the result's diags. @build must be complete.
 * Values are computed on a second thread beside the simulation.
 * Returns: (transfer full) */
TlRun    *tl_run               (TlBuild             *build,
                                const TlRunOptions  *options,
                                GCancellable        *cancellable);
/* Computes the values of @build, unless the program does without, on time that nothing
 * else has a use for, and keeps only what is wrong with them: a negative cycle, data that
 * cannot be read. Some 2 N^2 .. 8 N^2 bytes meanwhile. NULL when cancelled.
 * Returns: (transfer full) (nullable) */
TlDiags  *tl_run_check_values  (TlBuild             *build,
                                GCancellable        *cancellable);
TlRun    *tl_run_ref           (TlRun               *run);
void      tl_run_unref         (TlRun               *run);

/* Entry (i,j) of the result as text; NULL without values. (transfer full) */
char     *tl_run_value_text    (const TlRun         *run,
                                guint32              i,
                                guint32              j);
/* Writes the closure matrix, .npy or .csv by the path's ending: a temporary file
 * beside it, then a rename. */
gboolean  tl_run_write_result  (const TlRun         *run,
                                const char          *path,
                                GError             **error);

/* The makespan of @program on its own machine, memoised where exact. */
guint64   tl_makespan          (const TlPimProgram  *program,
                                GCancellable        *cancellable);
/* +-20 % of each assumption, the largest effect first: all of them up to 48 tiles a
 * side, else the five that lead on a corner of 24 x 24 tiles. Runs side by side on
 * all cores. (transfer full): GArray of TlSensitivity. */
GArray   *tl_sensitivities     (const TlPimProgram  *program,
                                guint64              makespan_ps,
                                GCancellable        *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRun, tl_run_unref)
