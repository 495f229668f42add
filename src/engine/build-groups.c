/* The stages on a module: the pass groups, the owner rule that only a run can choose,
 * the stream and the program decoded from it. */
#include "engine/build-road.h"

#include "base/hash.h"
#include "dsl/print.h"
#include "emit/emit.h"
#include "engine/run.h"
#include "passes/cu-module.h"

#include <string.h>

/* The module as the passes take it over: after G1 of a text, or the dump read again. */
static TlModule *
tl_road_start_module (TlRoad *road, TlDiags *diags)
{
  TlBuild *build = road->build;
  g_autoptr (GArray) facts = NULL;

  if (road->options->from != TL_STAGE_TEXT)
    return tl_module_parse (build->source, diags);
  facts = tl_build_data_facts (build->data);
  if (build->grid != NULL)
    return tl_grid_module (build->grid, facts, &road->knobs, tl_target_pim_machine (build->target),
                           tl_target_name (build->target));
  return tl_g1_module (build->recurrence, build->ast, facts, &road->knobs, tl_target_pim_machine (build->target),
                       tl_target_name (build->target), diags);
}

/* The first file in the locations of a dump: the program it was made from. */
static const char *
program_of_dump (const TlModule *module)
{
  for (const TlOp *op = tl_module_body (module)->first; op != NULL; op = op->next)
    {
      const TlLocation *place = tl_location_first (op->location);

      if (place != NULL && place->text != NULL)
        return place->text;
    }
  return NULL;
}

/* Folder of @path relative to the folder of @output, both as given or from here. */
static char *
way_to_data (const char *output, const char *path)
{
  g_autofree char *from_folder = g_path_get_dirname (output);
  g_autofree char *to_folder = g_path_get_dirname (path);
  g_autofree char *from = g_canonicalize_filename (from_folder, NULL);
  g_autofree char *to = g_canonicalize_filename (to_folder, NULL);
  g_auto (GStrv) from_parts = g_strsplit (from, G_DIR_SEPARATOR_S, -1);
  g_auto (GStrv) to_parts = g_strsplit (to, G_DIR_SEPARATOR_S, -1);
  GString *way = g_string_new (NULL);
  guint    common = 0;

  while (from_parts[common] != NULL && to_parts[common] != NULL && strcmp (from_parts[common], to_parts[common]) == 0)
    common++;
  for (guint p = common; from_parts[p] != NULL; p++)
    if (*from_parts[p] != '\0')
      g_string_append (way, way->len > 0 ? "/.." : "..");
  for (guint p = common; to_parts[p] != NULL; p++)
    if (*to_parts[p] != '\0')
      g_string_append_printf (way, way->len > 0 ? "/%s" : "%s", to_parts[p]);
  return g_string_free (way, FALSE);
}

static char *
stream_base (TlRoad *road, const TlModule *module)
{
  const char *output = road->options->output;
  const char *program = NULL;

  if (output == NULL || strcmp (output, "-") == 0)
    return g_strdup ("");
  if (road->options->from != TL_STAGE_TEXT)
    program = program_of_dump (module);
  if (program == NULL)
    program = road->options->path != NULL ? road->options->path : road->name;
  return way_to_data (output, program);
}

/* What the pipeline's callback keeps of each group. */
typedef struct
{
  TlRoad *road;
  gint64  since;
} Groups;

TlStage
tl_stage_of_group (TlGroup group)
{
  return (TlStage) (TL_STAGE_G1 + (group - TL_GROUP_G1));
}

static void
keep_dump (TlRoad *road, TlStage stage, const TlModule *module)
{
  if (road->options->dumps && stage <= tl_road_last (road))
    {
      g_free (road->build->dump[stage]);
      road->build->dump[stage] = tl_module_print (module, road->options->no_loc ? TL_PRINT_NO_LOC : TL_PRINT_DEFAULT);
    }
}

/* One more pass has been through the module. */
static void
note_pass (TlBuild *build, const char *name)
{
  char *passes = build->passes == NULL ? g_strdup (name) : g_strconcat (build->passes, ", ", name, NULL);

  g_free (build->passes);
  build->passes = passes;
}

static void
after_group (TlGroup group, const TlModule *module, gpointer user_data)
{
  Groups *groups = user_data;
  TlStage stage = tl_stage_of_group (group);

  groups->road->build->ns[stage] += tl_road_now () - groups->since;
  keep_dump (groups->road, stage, module);
  note_pass (groups->road->build, tl_group_pass (group));
  groups->since = tl_road_now ();
}

/* From a started module to one after the last group wanted. */
static gboolean
run_groups (TlRoad *road, TlModule *module, guint candidate, gboolean watched, TlDiags *diags)
{
  Groups            groups = { road, tl_road_now () };
  TlPipelineOptions options = {
    .candidate = candidate,
    .source = road->options->from == TL_STAGE_TEXT ? road->build->source : NULL,
    .owner_span = road->owner_span,
    .after = watched ? after_group : NULL,
    .user_data = &groups,
  };

  return tl_pipeline_run (module, &options, diags);
}

static TlPimProgram *
decode (TlRoad *road, GBytes *stream, TlDiags *diags)
{
  gsize         length = 0;
  gconstpointer data = g_bytes_get_data (stream, &length);

  return tl_stream_decode (data, length, road->name, diags);
}

void
tl_road_decode (TlRoad *road, TlDiags *diags)
{
  TlBuild      *build = road->build;
  gsize         length = 0;
  gconstpointer data = g_bytes_get_data (build->stream, &length);

  if (tl_pipe_is_one (data, length))
    build->pipe = tl_pipe_decode (data, length, road->name, diags);
  else
    build->program = decode (road, build->stream, diags);
}

/* --- owner = auto --- */

/* The rules that are open in @module, NULL-terminated; one entry when none is. */
static char **
candidates (TlRoad *road)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlModule) module = tl_road_start_module (road, ignored);

  if (module == NULL || tl_module_group (module) > TL_GROUP_G2)
    return NULL;
  if (tl_module_group (module) == TL_GROUP_G1 && !tl_g2_tile (module, ignored))
    return NULL;
  return tl_g3_candidates (module);
}

/* Builds and runs one candidate; G_MAXUINT64 when it cannot be built. */
static guint64
try_candidate (TlRoad *road, guint candidate)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlModule) module = tl_road_start_module (road, ignored);
  g_autoptr (GBytes) stream = NULL;
  g_autoptr (TlPimProgram) program = NULL;

  if (module == NULL || !run_groups (road, module, candidate, FALSE, ignored))
    return G_MAXUINT64;
  stream = tl_emit_module (module, NULL, NULL, ignored);
  program = stream != NULL ? decode (road, stream, ignored) : NULL;
  return program != NULL ? tl_makespan (program, road->cancellable) : G_MAXUINT64;
}

/* Index of the candidate whose memoised run ends first; ties to the first. */
static guint
best_candidate (TlRoad *road, gboolean open)
{
  g_auto (GStrv) rules = open ? candidates (road) : NULL;
  guint n = rules != NULL ? g_strv_length (rules) : 0;
  guint best = 0;

  for (guint c = 0; n > 1 && c < n && !tl_road_cancelled (road); c++)
    {
      TlOwnerTrial trial = { .rule = g_strdup (rules[c]), .makespan_ps = try_candidate (road, c) };

      g_array_append_val (road->build->trials, trial);
      if (trial.makespan_ps < g_array_index (road->build->trials, TlOwnerTrial, best).makespan_ps)
        best = c;
    }
  if (road->build->trials->len > best)
    g_array_index (road->build->trials, TlOwnerTrial, best).chosen = TRUE;
  return best;
}

/* --- Groups and streams --- */

static void
take_groups (TlRoad *road)
{
  TlBuild *build = road->build, *previous = road->previous;

  build->passes = g_strdup (previous->passes);
  for (guint s = TL_STAGE_G1; s <= TL_STAGE_G4; s++)
    {
      build->dump[s] = g_strdup (previous->dump[s]);
      build->key[s] = previous->key[s];
      build->reused[s] = TRUE;
      if (previous->stage_diags[s] != NULL && build->stage_diags[s] == NULL)
        build->stage_diags[s] = tl_diags_ref (previous->stage_diags[s]);
    }
  for (guint t = 0; t < previous->trials->len; t++)
    {
      TlOwnerTrial trial = g_array_index (previous->trials, TlOwnerTrial, t);

      trial.rule = g_strdup (trial.rule);
      g_array_append_val (build->trials, trial);
    }
  for (guint t = 0; t < previous->layouts->len; t++)
    {
      TlLayoutTrial trial = g_array_index (previous->layouts, TlLayoutTrial, t);

      trial.layout = g_strdup (trial.layout);
      g_array_append_val (build->layouts, trial);
    }
}

static void
take_stream (TlRoad *road)
{
  TlBuild *build = road->build, *previous = road->previous;

  g_clear_pointer (&build->stream, g_bytes_unref);
  build->stream = previous->stream != NULL ? g_bytes_ref (previous->stream) : NULL;
  build->program = previous->program != NULL ? tl_pim_program_ref (previous->program) : NULL;
  build->pipe = previous->pipe != NULL ? tl_pipe_program_ref (previous->pipe) : NULL;
  build->product = previous->product != NULL ? tl_cu_program_ref (previous->product) : NULL;
  build->key[TL_STAGE_STREAM] = previous->key[TL_STAGE_STREAM];
  build->reused[TL_STAGE_STREAM] = TRUE;
}

/* Bytes are made quickly; the same bytes as last time need not be decoded again. */
static void
make_stream (TlRoad *road, const TlModule *module)
{
  TlBuild         *build = road->build;
  TlDiags         *diags = tl_road_diags (road, TL_STAGE_STREAM);
  gint64           start = tl_road_now ();
  g_autofree char *base = stream_base (road, module);
  g_autofree char *text = build->grid != NULL ? tl_ast_text (build->ast) : NULL;
  gsize            length = 0;
  gconstpointer    data;

  build->stream = tl_emit_module (module, base, text, diags);
  if (build->stream != NULL)
    {
      note_pass (build, "emit");
      data = g_bytes_get_data (build->stream, &length);
      build->key[TL_STAGE_STREAM] = tl_fnv1a64 (TL_FNV1A64_START, data, length);
      if (road->previous != NULL && (road->previous->program != NULL || road->previous->pipe != NULL)
          && g_bytes_equal (road->previous->stream, build->stream))
        take_stream (road);
      else
        tl_road_decode (road, diags);
    }
  build->ns[TL_STAGE_STREAM] = tl_road_now () - start;
}

/* G1's key: everything a module can hang on. */
guint64
tl_road_key (const TlRoad *road)
{
  const TlBuild *build = road->build;
  guint64        key = TL_FNV1A64_START;

  for (guint s = TL_STAGE_TEXT; s <= TL_STAGE_TARGET; s++)
    key = tl_road_mix (key, build->key[s]);
  key = tl_road_mix (tl_road_mix (tl_road_mix (key, road->options->dumps), road->options->no_loc), tl_road_last (road));
  return tl_road_mix_text (tl_road_mix_text (tl_road_mix (key, road->options->from), road->options->output),
                           road->options->path);
}

/* Does the module hold a recurrence over constant distances, whole or in wavefronts? */
static gboolean
holds_grid (const TlModule *module)
{
  const TlOp *update = tl_module_find (module, "dp.grid_update");

  return tl_module_find (module, "dp.wavefront_update") != NULL
         || (update != NULL && tl_op_attr (update, "alternatives") != NULL);
}

/* All groups that are still to come, then the stream. @open: owner = auto is possible. */
void
tl_road_make_groups (TlRoad *road, gboolean open)
{
  TlBuild *build = road->build;
  TlDiags *diags = tl_road_diags (road, TL_STAGE_G1);
  g_autoptr (TlModule) module = NULL;
  gint64 start = tl_road_now ();
  guint  best;

  module = tl_road_start_module (road, diags);
  if (module == NULL)
    return;
  build->ns[TL_STAGE_G1] += tl_road_now () - start;
  if (tl_module_is_product (module))
    {
      tl_road_go_on_product (road, module);
      return;
    }
  if (tl_module_group (module) != TL_GROUP_NONE)
    keep_dump (road, tl_stage_of_group (tl_module_group (module)), module);
  if (tl_road_last (road) <= TL_STAGE_G1)
    return;
  best = best_candidate (road, open && !holds_grid (module));
  if (tl_road_cancelled (road) || !run_groups (road, module, best, TRUE, tl_road_diags (road, TL_STAGE_G4)))
    return;
  if (tl_road_last (road) == TL_STAGE_STREAM)
    make_stream (road, module);
}

/* The same as last time as far as the module's stages can see? Then all of it is. */
gboolean
tl_road_take_all (TlRoad *road, guint64 key)
{
  TlBuild *previous = road->previous;

  for (guint s = TL_STAGE_G1; s <= TL_STAGE_G4; s++)
    road->build->key[s] = tl_road_mix (key, s);
  if (previous == NULL || !previous->complete || previous->key[TL_STAGE_G1] != tl_road_mix (key, TL_STAGE_G1))
    return FALSE;
  road->whole = TRUE;
  take_groups (road);
  tl_road_keep_recurrence (road->build, previous->shared != NULL ? g_atomic_rc_box_acquire (previous->shared) : NULL);
  take_stream (road);
  if (previous->stage_diags[TL_STAGE_STREAM] != NULL)
    road->build->stage_diags[TL_STAGE_STREAM] = tl_diags_ref (previous->stage_diags[TL_STAGE_STREAM]);
  return TRUE;
}
