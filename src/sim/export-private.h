/* Text to a stream, a big piece at a time. */
#pragma once

#include "sim/export.h"

typedef struct
{
  GOutputStream *stream;
  GCancellable  *cancellable;
  GError       **error;
  GString       *text;
  gboolean       failed;
} TlExport;

static inline void
tl_export_init (TlExport *export, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  *export = (TlExport){ stream, cancellable, error, g_string_sized_new (1 << 17), FALSE };
}

/* Writes what has gathered if it is much. FALSE once something failed. */
static inline gboolean
tl_export_flush (TlExport *export, gsize at_least)
{
  if (!export->failed && export->text->len > 0 && export->text->len >= at_least)
    {
      export->failed = g_cancellable_set_error_if_cancelled (export->cancellable, export->error)
                       || !g_output_stream_write_all (export->stream, export->text->str, export->text->len, NULL,
                                                      export->cancellable, export->error);
      g_string_truncate (export->text, 0);
    }
  return !export->failed;
}

static inline gboolean
tl_export_finish (TlExport *export)
{
  gboolean done = tl_export_flush (export, 0);

  g_string_free (export->text, TRUE);
  return done;
}

/* A format: what it writes before the events, of each part of them, and after. The state
 * that goes from part to part is its own. */
typedef struct
{
  gpointer (*begin) (TlExport       *export,
                     const TlSimRun *run,
                     gboolean        from_start);
  gboolean (*part)  (TlExport         *export,
                     gpointer          state,
                     const TlSimTrace *trace);
  void     (*end)   (TlExport *export,
                     gpointer  state);
} TlExportKind;

extern const TlExportKind tl_export_kind_csv;
extern const TlExportKind tl_export_kind_vcd;
extern const TlExportKind tl_export_kind_chrome;
