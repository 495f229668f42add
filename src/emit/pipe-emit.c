/* A module of wavefronts after G4 as stream bytes. */
#include "emit/pipe-build.h"

#include <string.h>

/* Is any data read from a file named relative to the program's folder? */
static gboolean
reads_files (const GPtrArray *data)
{
  for (guint d = 0; d < data->len; d++)
    {
      const TlDataSource *source = data->pdata[d];
      const char         *name = strchr (source->source, '"');

      if (source->content_hash != 0 && name != NULL && !g_path_is_absolute (name + 1))
        return TRUE;
    }
  return FALSE;
}

GBytes *
tl_pipe_emit (const TlModule *module, const char *base, TlDiags *diags)
{
  g_autoptr (TlWaveSchedule) schedule = tl_wave_schedule_from_module (module, diags);
  g_autoptr (TlPipeProgram) program = NULL;
  g_autofree char *reason = NULL;

  if (schedule == NULL)
    return NULL;
  program = tl_pipe_program_build (schedule, reads_files (schedule->data) ? base : NULL, &reason);
  if (program != NULL)
    return tl_pipe_encode (program);
  tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-stream", NULL, tl_span (0, 0),
                                "no streams can be made of this module"),
                  "%s", reason);
  return NULL;
}
