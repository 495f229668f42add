/* tierc run --json: one object with stable keys. */
#include "cli/run.h"

static void
add_result (JsonBuilder *builder, const TlRun *run)
{
  if (!run->has_result)
    {
      tl_json_text (builder, "result", NULL);
      tl_json_text (builder, "result_reason", run->result_reason);
      return;
    }
  tl_json_begin_object (builder, "result");
  tl_json_hash (builder, "hash", run->result_hash);
  tl_json_begin_object (builder, "summary");
  tl_json_int (builder, "finite", run->finite);
  tl_json_scalar (builder, "min", run->min_text);
  tl_json_scalar (builder, "max", run->max_text);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

JsonNode *
tl_cli_run_json (const TlRun *run)
{
  static const char *const flows[] = { "B0", "B1", "B2", "B3" };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", run->program);
  tl_json_text (builder, "target", run->target);
  tl_json_int (builder, "n", run->n);
  tl_json_int (builder, "tile", run->tile);
  tl_json_int (builder, "tiles_per_side", run->tiles_per_side);
  tl_json_text (builder, "mode", run->mode);
  tl_json_begin_object (builder, "owner");
  tl_json_text (builder, "rule", run->owner.rule);
  tl_json_hash (builder, "fnv1a64", run->owner.fnv1a64);
  tl_json_int (builder, "min", run->owner.min);
  tl_json_int (builder, "max", run->owner.max);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "ops");
  tl_json_int (builder, "total", run->ops.total);
  tl_json_int (builder, "pivot", run->ops.pivot);
  tl_json_int (builder, "rowcol", run->ops.rowcol);
  tl_json_int (builder, "internal", run->ops.internal);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "commands");
  tl_json_int (builder, "act", run->commands.act);
  tl_json_int (builder, "rd", run->commands.rd);
  tl_json_int (builder, "wr", run->commands.wr);
  tl_json_int (builder, "pre", run->commands.pre);
  tl_json_int (builder, "ref", run->commands.ref);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "rows");
  tl_json_int (builder, "hit", run->rows.hit);
  tl_json_int (builder, "miss", run->rows.miss);
  tl_json_int (builder, "conflict", run->rows.conflict);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "bytes");
  tl_json_int (builder, "read", run->bytes.read);
  tl_json_int (builder, "written", run->bytes.written);
  json_builder_end_object (builder);
  tl_json_int (builder, "makespan_ps", run->makespan_ps);
  tl_json_int (builder, "bound_ps", run->bound_ps);
  tl_json_begin_object (builder, "flows");
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++)
    tl_json_int (builder, flows[i], run->flows[i]);
  json_builder_end_object (builder);
  add_result (builder, run);
  tl_json_begin_array (builder, "lints");
  for (guint i = 0; i < run->lints->len; i++)
    {
      const TlRunLint *lint = g_ptr_array_index (run->lints, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "code", lint->code);
      tl_json_text (builder, "message", lint->message);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
