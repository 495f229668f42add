/* A module after G4 as a program: its schedule, flat, is what the builder takes; the loop code of a closure's streams
 * must then say what the module's phases say. */
#include "emit/emit.h"

#include "emit/pipe-build.h"
#include "emit/program-build.h"
#include "passes/schedule.h"

#include <string.h>

/* Is any data read from a file named relative to the program's folder? Only then does the way to that folder belong in
 * the stream: other streams are the same wherever they are written. */
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

static TlPimProgram *
program_from_schedule (const TlSchedule *schedule, const char *base, char **reason)
{
  g_autofree guint16      *owner = g_new (guint16, (gsize) schedule->tiles * schedule->tiles);
  g_autofree TlDataSource *data = g_new0 (TlDataSource, schedule->data->len + 1);

  for (guint d = 0; d < schedule->data->len; d++)
    data[d] = *(TlDataSource *) schedule->data->pdata[d];
  tl_schedule_owners (schedule, owner);
  return tl_pim_program_build (
      &(TlPimProgramSpec) {
          .name = schedule->program,
          .target = schedule->target,
          .machine = &schedule->machine,
          .n = schedule->n,
          .tile = schedule->tile,
          .element_bits = schedule->element_bits,
          .semiring = schedule->semiring,
          .owner_rule = schedule->owner_name,
          .take_owner = &owner,
          .place = schedule->place,
          .edges = schedule->knobs.edges,
          .copies = schedule->knobs.copies,
          .copy_writes = schedule->knobs.copy_writes,
          .ring = schedule->knobs.ring,
          .buffers = schedule->knobs.buffers,
          .barriers = schedule->knobs.barriers,
          .page = schedule->knobs.page,
          .values = schedule->knobs.values,
          .baseline = schedule->knobs.baseline,
          .seed = schedule->knobs.seed,
          .cycle_check = schedule->cycle_check,
          .base = reads_files (schedule->data) ? base : NULL,
          .data = data,
          .n_data = schedule->data->len,
          .objects = (const TlObjectShare *) schedule->objects->data,
          .n_objects = schedule->objects->len,
      },
      reason);
}

/* The phases of the module as the steps of one loop program. */
static gboolean
says_the_same (const TlSchedule *schedule, const TlPuStream *stream, char **reason)
{
  guint at = 1;

  for (guint p = 0; p < schedule->n_phases; p++)
    {
      const TlPhaseSchedule *phase = &schedule->phases[p];
      guint                  reads = 0;
      int                    barrier = -1;
      gboolean               broadcast = FALSE, fine = TRUE;

      fine = at < stream->n_code && stream->code[at].kind == TL_CODE_FOR_OWN && stream->code[at].a == phase->kind;
      for (; fine && stream->code[at].kind != TL_CODE_END_OWN; at++)
        {
          const TlCode *step = &stream->code[at];

          if (step->kind == TL_CODE_READ)
            {
              fine = reads < phase->n_reads && step->a == phase->reads[reads]
                     && (step->b != 0) == (phase->from_copy[reads] != FALSE);
              reads++;
            }
          broadcast |= step->kind == TL_CODE_BROADCAST;
        }
      at++;
      if (fine && stream->code[at].kind == TL_CODE_BARRIER)
        barrier = (int) stream->code[at++].a;
      if (fine && reads == phase->n_reads && broadcast == (phase->broadcast != FALSE)
          && (barrier >= 0) == (phase->barrier >= 0))
        continue;
      *reason = g_strdup_printf ("phase %s reads, broadcasts or waits at barriers as no knobs say",
                                 tl_phase_name (phase->kind));
      return FALSE;
    }
  return TRUE;
}

static GBytes *
emit_closure (const TlModule *module, const char *base, char **reason, TlDiags *diags)
{
  g_autoptr (TlSchedule) schedule = tl_schedule_from_module (module, diags);
  g_autoptr (TlPimProgram) program = schedule != NULL ? program_from_schedule (schedule, base, reason) : NULL;

  return program != NULL && says_the_same (schedule, &program->streams[0], reason) ? tl_stream_encode (program) : NULL;
}

/* Scores and operators may come from files that are no data. */
static gboolean
names_files (const char *text)
{
  return text != NULL && (strstr (text, "matrix \"") != NULL || strstr (text, "table(\"") != NULL);
}

static GBytes *
emit_waves (const TlModule *module, const char *base, const char *text, char **reason, TlDiags *diags)
{
  g_autoptr (TlWaveSchedule) schedule = tl_wave_schedule_from_module (module, diags);
  g_autoptr (TlPipeProgram) program
      = schedule != NULL ? tl_pipe_program_build (
            schedule, reads_files (schedule->data) || names_files (text) ? base : NULL, text, reason)
                         : NULL;

  return program != NULL ? tl_pipe_encode (program) : NULL;
}

GBytes *
tl_emit_module (const TlModule *module, const char *base, const char *text, TlDiags *diags)
{
  g_autofree char *reason = NULL;
  GBytes          *bytes = tl_module_find (module, "dp.wavefront_update") != NULL
                               ? emit_waves (module, base, text, &reason, diags)
                               : emit_closure (module, base, &reason, diags);

  if (reason != NULL)
    tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-stream", NULL, tl_span (0, 0),
                                  "no streams can be made of this module"),
                    "%s", reason);
  return bytes;
}
