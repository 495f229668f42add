/* A memory trace as a run that can be gone about in: read, replayed on a target, with
 * checkpoints (dram/replay-run.h). What the window and `tierc figure` show. */
#pragma once

#include "dram/replay-cursor.h"
#include "target/target.h"

#include <gio/gio.h>

typedef struct
{
  gboolean wrap;     /* addresses past the capacity are taken modulo it */
  int      pages;    /* TlPages, or -1: as the target says */
  int      scheduler;
  int      refresh;
  guint    window;   /* 0: as the target says */
  /* Called now and then with the share of the accesses that have run; may be NULL. */
  void   (*progress) (double   done,
                      gpointer data);
  gpointer data;
} TlTraceRunOptions;

void         tl_trace_run_options_init (TlTraceRunOptions *options);
/* Does @path look like a trace by its name: .trace, .trc, .stl, or packed, .gz, .zst? */
gboolean     tl_trace_run_is_trace (const char              *path);
/* Reads @path and runs it on @target. NULL with diagnostics when the trace is wrong or does
 * not fit the target; without any when @cancellable was. Any thread.
 * Returns: (transfer full) */
TlReplayRun *tl_trace_run_new      (const char              *path,
                                    const TlTarget          *target,
                                    const TlTraceRunOptions *options,
                                    TlDiags                 *diags,
                                    GCancellable            *cancellable);
/* A moment of it worth looking at, events done: shortly after the conflict nearest to a
 * third of the run, else a third. */
guint64      tl_trace_run_telling  (TlReplayRun             *run);
