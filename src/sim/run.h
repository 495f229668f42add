/* A run of a pim program: every operation at its picosecond, and what was counted.
 * models.md section 3 says what happens; this is the door for engine and window.
 *
 * Two modes, equal bit for bit (a test holds them to it): FULL walks every row of
 * every tile; MEMO looks an operation up by (phase, tiers, size, copies written,
 * bank state relative to its start; buffers = 2 in two halves: the loads of the
 * operation that follows, if they come now, then the write-back of this one), and
 * walks it once when it is new. */
#pragma once

#include "emit/program.h"
#include "sim/counts.h"

#include <gio/gio.h>

typedef enum { TL_SIM_MEMO, TL_SIM_FULL } TlSimMode;

typedef enum
{
  TL_SIM_ERROR_PROGRAM,  /* its code or numbers make no sense: the stream is wrong */
  TL_SIM_ERROR_TOO_BIG,  /* asked to keep more than the limit */
  TL_SIM_ERROR_RANGE,    /* a time past the end of 63 bits */
} TlSimError;
#define TL_SIM_ERROR (tl_sim_error_quark ())
GQuark tl_sim_error_quark (void);

/* One tile sent round the ring. In order of grant. */
typedef struct
{
  guint32 k;
  guint32 i;
  guint32 j;
  guint32 pu;     /* its owner */
  guint64 done;   /* the tile is computed and written back */
  guint64 start;  /* granted; ring free: = done */
  guint64 end;    /* the ring is free again */
  guint64 usable; /* by every other PU */
} TlBroadcast;

/* One operation: a tile updated once. Times in ps. */
typedef struct
{
  guint64 ready;    /* all it waits for is there */
  guint64 start;    /* first command */
  guint64 loaded;   /* last beat of what it reads */
  guint64 compute;  /* starts to compute; with one buffer = loaded */
  guint64 computed;
  guint64 end;      /* last data beat of the write-back: the tile is done */
  guint32 k;
  guint32 i;
  guint32 j;
  guint16 pu;
  guint8  phase;    /* TlPhase */
  guint8  copies;   /* copies written first: 1 left or pivot, 2 right */
} TlOperation;

typedef struct
{
  TlSimCounts counts;
  TlPuTimes   times;
  guint64     operations[TL_N_PHASES];
  guint64     end;  /* of its last operation */
} TlPuReport;

/* Femtojoules by the machine's table (models.md section 3, Energy: assumed). */
typedef struct
{
  double dram;
  double alu;
  double sram;
  double ring;
  double total;
} TlSimEnergy;

/* The result, immutable. */
typedef struct
{
  TlPimProgram *program;       /* owned reference */
  TlSimMode     mode;          /* that ran */
  char         *mode_reason;   /* why not the mode asked for, or NULL */
  guint64       makespan;      /* ps, latest end of an operation */
  guint64       operations[TL_N_PHASES];
  TlSimCounts   total;
  TlSimCounts   phase[TL_N_PHASES];
  TlSimCounts   tier[TL_MAX_TIERS];
  TlPuReport   *pu;            /* program->machine.pus of them */
  guint64       broadcasts;
  guint64       ring_busy;     /* ps */
  guint64       ring_bytes;    /* sent by owners, once each */
  TlSimEnergy   energy;
  guint64       memo_entries;  /* operations walked in MEMO mode */
  struct _TlHistory *history;  /* checkpoints; see sim/moment.h */
  gatomicrefcount references;  /* private */
} TlSimRun;

/* Watches the operations of a run as they are decided: by PU in order of time,
 * between PUs in no order that means anything. */
typedef void (*TlOperationFunc) (const TlOperation *operation,
                                 gpointer           data);
/* Called now and then, @fraction rising from 0 to 1. */
typedef void (*TlSimProgress)   (double             fraction,
                                 gpointer           data);

typedef struct
{
  TlSimMode       mode;
  GCancellable   *cancellable;       /* or NULL; cancelled: G_IO_ERROR_CANCELLED */
  TlSimProgress   progress;          /* or NULL */
  gpointer        progress_data;
  TlOperationFunc operation;         /* or NULL */
  gpointer        operation_data;
  gboolean        forget_bank_state; /* test only: a memo key without the state must give other times */
} TlSimOptions;

/* Simulates @program's streams. @options may be NULL: memo, nothing watched. Refresh
 * has an absolute phase, so with it on a memo run falls back to full and says why.
 * Returns: (transfer full) */
TlSimRun *tl_sim_run       (TlPimProgram       *program,
                            const TlSimOptions *options,
                            GError            **error);
TlSimRun *tl_sim_run_ref   (TlSimRun           *run);
void      tl_sim_run_unref (TlSimRun           *run);

/* Equal in everything but mode, reason and memo entries; *what (transfer full, may
 * be NULL) names the first difference. */
gboolean  tl_sim_run_equal (const TlSimRun     *a,
                            const TlSimRun     *b,
                            char              **what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSimRun, tl_sim_run_unref)
