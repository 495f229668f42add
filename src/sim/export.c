/* Exports of a trace that is there, and of a whole run part by part. */
#include "sim/export-private.h"

/* 32 bytes each while they are gathered, 22 after. */
#define PART (1u << 20)

static gboolean
export_trace (const TlExportKind *kind, const TlSimTrace *trace, GOutputStream *stream, GCancellable *cancellable,
              GError **error)
{
  TlExport export;
  gpointer state;

  tl_export_init (&export, stream, cancellable, error);
  state = kind->begin (&export, tl_sim_trace_run (trace), tl_sim_trace_is_whole (trace));
  kind->part (&export, state, trace);
  kind->end (&export, state);
  return tl_export_finish (&export);
}

gboolean
tl_export_csv (const TlSimTrace *trace, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  return export_trace (&tl_export_kind_csv, trace, stream, cancellable, error);
}

gboolean
tl_export_vcd (const TlSimTrace *trace, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  return export_trace (&tl_export_kind_vcd, trace, stream, cancellable, error);
}

gboolean
tl_export_chrome (const TlSimTrace *trace, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  return export_trace (&tl_export_kind_chrome, trace, stream, cancellable, error);
}

typedef struct
{
  const TlExportKind *kind;
  TlExport export;
  gpointer state;
} Parts;

static gboolean
add_part (const TlSimTrace *trace, gpointer data, GError **error)
{
  Parts *parts = data;

  return parts->kind->part (&parts->export, parts->state, trace);
}

gboolean
tl_export_run (TlSimRun *run, TlExportFormat format, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const TlExportKind *const kinds[] = { &tl_export_kind_csv, &tl_export_kind_vcd, &tl_export_kind_chrome };
  Parts                     parts = { .kind = kinds[format] };
  gboolean                  walked;

  tl_export_init (&parts.export, stream, cancellable, error);
  parts.state = parts.kind->begin (&parts.export, run, TRUE);
  walked = tl_sim_trace_walk (run, 0, G_MAXUINT64, PART, add_part, &parts, cancellable, error);
  if (!walked)
    parts.export.failed = TRUE;
  parts.kind->end (&parts.export, parts.state);
  return tl_export_finish (&parts.export);
}
