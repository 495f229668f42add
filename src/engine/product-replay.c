/* The same engine with the same options, fed with what the machine recorded. */
#include "engine/product-replay.h"

#include <gio/gio.h>

#define LOG_CAP     (64u << 20)
#define KEEP_CAUSES 4096

TlReplayRun *
tl_product_replay (const TlProductRun *run, GError **error)
{
  return tl_product_replay_of (run, TL_PRODUCT_PLACED, NULL, NULL, error);
}

TlReplayRun *
tl_product_replay_of (const TlProductRun *run, TlProductLayout layout, TlEventSink sink, gpointer sink_data,
                      GError **error)
{
  const TlCuProgram *program = run->build->product;
  const GArray      *accesses = run->of[layout].replay.accesses;
  const char *const  operands[] = { program->operand[0], program->operand[1], NULL };
  g_autoptr (TlAccessLog) log = tl_access_log_new (LOG_CAP);
  TlCuWork work;

  if (accesses == NULL || accesses->len == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the accesses of %s were not recorded", program->name);
      return NULL;
    }
  if (!tl_access_log_add (log, (const TlAccess *) accesses->data, NULL, accesses->len, error)
      || !tl_access_log_close (log, error))
    return NULL;
  tl_product_work (&work, &program->shape, program->placing, program->stages, program->page, &program->memory,
                   program->map, &program->machine);
  work.engine.keep_causes = KEEP_CAUSES;
  work.engine.sink = sink;
  work.engine.sink_data = sink_data;

  TlReplayRunOptions options = {
    .name = program->name,
    .memory = &work.memory,
    .map = program->map,
    .options = work.engine,
    .log = log,
    .operands = operands,
  };
  return tl_replay_run_new (&options, error);
}
