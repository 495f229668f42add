/* Commands of a trace in formats that other tools read. Each writes to @stream as it
 * goes; deterministic bytes. FALSE with G_IO_ERROR when the stream refuses or the work
 * is cancelled. */
#pragma once

#include "sim/trace.h"

/* Ramulator's column order, one line a command:
 *   clock,command,Channel,BankGroup,Bank,Row,Column,type,source,ps
 * clock is ps in clocks, rounded down; Row counts tier * rows + row in the tier; type is
 * "read" or "write" of column commands; source is the PU. */
gboolean tl_export_csv    (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
/* A value change dump, time scale 1 ps: of each bank its open row (z: closed) and the
 * last command, of each PU what it does, of the ring who sends. A window's first values
 * are x until they change. */
gboolean tl_export_vcd    (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
/* Chrome's trace format (JSON array form), as Perfetto opens it: a process a PU with
 * threads for its computing, its loads and each bank; one process for the ring. */
gboolean tl_export_chrome (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);

typedef enum
{
  TL_EXPORT_CSV,
  TL_EXPORT_VCD,
  TL_EXPORT_CHROME,
} TlExportFormat;

/* The same bytes of a whole run, made part by part: memory stays small at any size. */
gboolean tl_export_run    (TlSimRun         *run,
                           TlExportFormat    format,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
