/* Commands of a trace in formats that other tools read. Each writes to @stream as it
 * goes; deterministic bytes. */
#pragma once

#include "sim/trace.h"

/* Ramulator's command trace columns: clk,cmd,channel,pseudochannel,bankgroup,bank,row,column,
 * one line a command, times in clocks (rounded up) and the exact ps as last column. */
gboolean tl_export_csv    (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
/* A value change dump: per bank its open row and tier, per PU what it does, the ring;
 * time scale 1 ps. */
gboolean tl_export_vcd    (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
/* Chrome's trace format (JSON array form), as Perfetto opens it: a process a PU, a
 * thread a bank and one for the PU's steps, one process for the ring. */
gboolean tl_export_chrome (const TlSimTrace *trace,
                           GOutputStream    *stream,
                           GCancellable     *cancellable,
                           GError          **error);
