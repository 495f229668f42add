/* Running a kernel with real values. Blocks run one after the other, the threads of a block
 * together, instruction by instruction; what real threads could not rely on is reported:
 * data races, places out of bounds, memory read before it is written or while a copy to it
 * is under way. The values follow by definition: a dot adds in rising k, one rounding to
 * nearest even for each addition, so a run gives the same bits everywhere. */
#pragma once

#include "tile/plan.h"

#include <gio/gio.h>

typedef enum
{
  TL_TILE_FAULT_RACE,          /* two threads touch a place, one writes, nothing orders them */
  TL_TILE_FAULT_OUT_OF_BOUNDS,
  TL_TILE_FAULT_UNWRITTEN,     /* read before anything was written */
  TL_TILE_FAULT_UNDER_WAY,     /* touched while a copy to it is not waited for */
  TL_TILE_FAULT_FREED,         /* shared memory after it was freed, or before it is there */
  TL_TILE_FAULT_ARITHMETIC,    /* an integer divided by zero */
  TL_TILE_FAULT_MEMORY,        /* more shared or global memory than there is */
  TL_TILE_FAULT_DEADLOCK,      /* all blocks wait for semaphores */
  TL_TILE_FAULT_LAUNCH,        /* a buffer or size is not as it must be */
  TL_TILE_FAULT_TOO_LONG,      /* more instructions than the launch allows */
} TlTileFaultKind;

/* A thread that stands for all threads of the block, in thread and other_thread. */
#define TL_TILE_ALL_THREADS G_MAXUINT

typedef struct
{
  TlTileFaultKind kind;
  guint           instruction;
  guint           thread;
  guint           block[3];
  gboolean        has_other;         /* the access it clashes with */
  guint           other_instruction;
  guint           other_thread;
  guint           other_block[3];
  char           *message;           /* one sentence, with all of the above */
} TlTileFault;

typedef struct
{
  guint8 *data;
  gsize   size; /* bytes */
} TlTileBuffer;

typedef struct
{
  guint         grid[3];       /* blocks */
  TlTileBuffer *buffers;       /* in the order of their making; written in place */
  guint         n_buffers;
  guint64       shared_bytes;  /* that a block may have; 0: 227 KiB */
  guint64       most_steps;    /* instructions of all blocks; 0: no end */
  gboolean      unchecked;     /* look for no races: quicker, same values */
  GCancellable *cancellable;   /* may be NULL */
} TlTileLaunch;

typedef struct
{
  gboolean    faulty;
  gboolean    cancelled;
  TlTileFault fault;           /* the first, when faulty */
  guint64     steps;           /* instructions of blocks */
  guint64     thread_steps;    /* of threads: one for each local of the result, for each atom of a dot one a lane */
  guint64     dots;            /* atoms */
  guint64     barriers;
  guint64     copied_bytes;    /* by asynchronous copies */
  guint64     shared_peak;     /* most bytes of shared memory at once, in a block */
  char       *printed;         /* what the kernel printed */
} TlTileReport;

/* FALSE when faulty or cancelled; fills @report in any case. */
gboolean    tl_tile_run              (const TlTilePlan   *plan,
                                      const TlTileLaunch *launch,
                                      TlTileReport       *report);
void        tl_tile_report_clear     (TlTileReport       *report);
/* "race", "out-of-bounds", .. */
const char *tl_tile_fault_kind_name  (TlTileFaultKind     kind);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlTileReport, tl_tile_report_clear)
