/* The road from text to decoded program, stage by stage. Every stage has a content
 * key made of what it looks at; where a previous build has the same key its result is
 * taken instead of made again. */
#include "engine/build-private.h"

#include "base/hash.h"
#include "dsl/edit.h"
#include "emit/emit.h"
#include "engine/run.h"
#include "passes/pipeline.h"

#include <string.h>
#include <time.h>

/* One build in the making. */
typedef struct
{
  TlBuild              *build;
  const char           *name;
  const TlBuildOptions *options;
  TlBuild              *previous; /* or NULL */
  GCancellable         *cancellable;
  TlPimKnobs            knobs; /* of a program text, once resolved */
  TlSpan                owner_span;
  gboolean              whole; /* all came from the previous build, lints too */
} Road;

const char *
tl_stage_name (TlStage stage)
{
  static const char *const names[TL_N_STAGES] = { "text", "inputs", "target", "g1", "g2", "g3", "g4", "streams" };

  return (guint) stage < TL_N_STAGES ? names[stage] : NULL;
}

static gint64
now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static guint64
mix (guint64 key, guint64 value)
{
  return tl_fnv1a64 (key, &value, sizeof value);
}

static guint64
mix_text (guint64 key, const char *text)
{
  return text == NULL ? mix (key, 1) : tl_fnv1a64 (key, text, strlen (text) + 1);
}

static TlDiags *
stage_diags (Road *road, TlStage stage)
{
  if (road->build->stage_diags[stage] == NULL)
    road->build->stage_diags[stage] = tl_diags_new ();
  return road->build->stage_diags[stage];
}

/* Has the previous build made @stage from the same things? Then its diagnostics come along. */
static gboolean
reuse (Road *road, TlStage stage, guint64 key)
{
  TlBuild *previous = road->previous;

  road->build->key[stage] = key;
  if (previous == NULL || previous->key[stage] != key || previous->stage_diags[stage] == NULL)
    return FALSE;
  g_clear_pointer (&road->build->stage_diags[stage], tl_diags_unref);
  road->build->stage_diags[stage] = tl_diags_ref (previous->stage_diags[stage]);
  road->build->reused[stage] = TRUE;
  return TRUE;
}

static guint
errors (const Road *road)
{
  guint count = 0;

  for (guint s = 0; s < TL_N_STAGES; s++)
    if (road->build->stage_diags[s] != NULL)
      count += tl_diags_errors (road->build->stage_diags[s]);
  return count;
}

static gboolean
cancelled (Road *road)
{
  if (g_cancellable_is_cancelled (road->cancellable))
    road->build->cancelled = TRUE;
  return road->build->cancelled;
}

static TlStage
last_stage (const Road *road)
{
  return road->options->until == TL_STAGE_TEXT ? TL_STAGE_STREAM : road->options->until;
}

/* --- Program text --- */

/* The text with one "KEY=VALUE" in it. */
static TlSource *
apply_setting (TlSource *source, const char *setting, TlDiags *diags)
{
  const char      *equals = strchr (setting, '=');
  g_autofree char *key = equals != NULL ? g_strstrip (g_strndup (setting, (gsize) (equals - setting))) : NULL;
  g_autofree char *value = equals != NULL ? g_strstrip (g_strdup (equals + 1)) : NULL;
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlAst) ast = NULL;
  g_autoptr (GArray) edits = NULL;
  g_autofree char *text = NULL;
  gsize            length = 0;

  if (equals == NULL || *key == '\0' || *value == '\0')
    {
      tl_diag_reason (
          tl_diags_add_at (diags, TL_SEVERITY_ERROR, "bad-setting", setting, 0, 0, "a setting is KEY=VALUE"),
          "as in tile=128, target.tRRD=5ns or place.D=tier 3");
      return tl_source_ref (source);
    }
  if (!g_str_has_prefix (key, "place."))
    return tl_source_with_config (source, key, value);
  ast = tl_parse (source, ignored);
  edits = tl_edit_place (ast, key + strlen ("place."), value);
  text = tl_edit_apply (source, edits, &length);
  return tl_source_new (tl_source_name (source), text, (gssize) length);
}

static void
make_tree (Road *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  TlDiags *diags = stage_diags (road, TL_STAGE_TEXT);
  g_autoptr (TlSource) source = tl_source_new (road->name, data, (gssize) length);
  guint64 key;

  for (guint s = 0; road->options->config != NULL && road->options->config[s] != NULL; s++)
    {
      TlSource *edited = apply_setting (source, road->options->config[s], diags);

      tl_source_unref (source);
      source = edited;
    }
  key = tl_fnv1a64 (mix_text (TL_FNV1A64_START, road->name), tl_source_text (source), tl_source_length (source));
  key = mix (key, tl_diags_count (diags));
  if (tl_diags_count (diags) == 0 && reuse (road, TL_STAGE_TEXT, key))
    {
      build->source = tl_source_ref (road->previous->source);
      build->ast = tl_ast_ref (road->previous->ast);
      return;
    }
  build->source = g_steal_pointer (&source);
  build->ast = tl_parse (build->source, diags);
  tl_check (build->ast, diags);
}

static void
read_inputs (Road *road)
{
  TlBuild     *build = road->build;
  TlBuildData *old = road->previous != NULL ? road->previous->data : NULL;
  TlBuildData *data;

  build->data = data
      = tl_build_data_load (build->ast, build->inputs, old, stage_diags (road, TL_STAGE_INPUTS), road->cancellable);
  build->key[TL_STAGE_INPUTS] = data->key;
  build->reused[TL_STAGE_INPUTS] = data->data->len > 0;
  for (guint d = 0; d < data->data->len; d++)
    build->reused[TL_STAGE_INPUTS] &= ((TlBuildDatum *) data->data->pdata[d])->reused;
}

/* "KEY=VALUE" of every target.KEY line, the values as written. */
static char **
target_overrides (const TlAst *ast)
{
  GPtrArray *overrides = g_ptr_array_new ();

  for (guint c = 0; c < ast->n_config; c++)
    if (g_str_has_prefix (ast->config[c]->key, "target."))
      {
        const TlConfigItem *item = ast->config[c];
        TlSpan              span = item->value_span;
        g_autofree char    *written = g_strndup (tl_source_text (ast->source) + span.start, span.end - span.start);
        const char *value = item->value != NULL && item->value->kind == TL_EXPR_STRING ? item->value->text : written;

        g_ptr_array_add (overrides, g_strdup_printf ("%s=%s", item->key + strlen ("target."), value));
      }
  g_ptr_array_add (overrides, NULL);
  return (char **) g_ptr_array_free (overrides, FALSE);
}

static void
read_target (Road *road)
{
  TlBuild            *build = road->build;
  const TlConfigItem *item = tl_ast_config (build->ast, "target");
  const char         *name = item != NULL && item->value != NULL ? item->value->text : "gendram";
  g_auto (GStrv) folders = road->options->folders == NULL ? tl_target_folders () : NULL;
  g_auto (GStrv) overrides = target_overrides (build->ast);
  TlTargetSearch search = {
    .program = road->options->path,
    .folders = road->options->folders != NULL ? road->options->folders : (const char *const *) folders,
  };

  if (name == NULL)
    return; /* the checks of the text have said why */
  build->target
      = tl_target_load (name, &search, (const char *const *) overrides, build->source,
                        item != NULL ? item->value_span : tl_span (0, 0), stage_diags (road, TL_STAGE_TARGET));
  build->key[TL_STAGE_TARGET] = build->target != NULL ? mix_text (tl_target_hash (build->target), name) : 0;
  build->reused[TL_STAGE_TARGET] = build->target != NULL && road->previous != NULL
                                   && road->previous->key[TL_STAGE_TARGET] == build->key[TL_STAGE_TARGET];
}

/* A recurrence is shared by the builds that hold it; a box counts them. */
typedef struct
{
  TlRecurrence *recurrence;
} Shared;

static void
clear_shared (gpointer data)
{
  g_clear_pointer (&((Shared *) data)->recurrence, tl_recurrence_free);
}

static void
keep_recurrence (TlBuild *build, Shared *shared)
{
  build->shared = shared;
  build->recurrence = shared != NULL ? shared->recurrence : NULL;
}

/* What this machine and this family of programs can do, before the passes look. */
static gboolean
suits_target (Road *road, TlDiags *diags)
{
  TlBuild      *build = road->build;
  TlRecurrence *recurrence = build->recurrence;
  TlDiag       *diag;

  if (tl_target_kind (build->target) != TL_MACHINE_PIM)
    {
      diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", build->source, recurrence->update_span,
                           "%s runs tiled matrix products, not this recurrence", tl_target_name (build->target));
      tl_diag_reason (diag, "a closure updates the matrix it reads, so its tiles hang on each other; take a pim "
                            "target such as gendram");
      return FALSE;
    }
  if (recurrence->closure)
    return TRUE;
  diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", build->source, recurrence->update_span,
                       "%s runs closures, not a product of two matrices", tl_target_name (build->target));
  tl_diag_reason (diag, "output and both operands must be the same array, D[i,j] from D[i,k] and D[k,j]");
  return FALSE;
}

/* Recognises, checks the data against the semiring, resolves the knobs. */
static gboolean
recognise (Road *road)
{
  TlBuild *build = road->build;
  TlDiags *diags = stage_diags (road, TL_STAGE_G1);
  g_autoptr (GArray) facts = tl_build_data_facts (build->data);
  const TlConfigItem *owner = tl_ast_config (build->ast, "owner");
  const TlBuildDatum *matrix;
  Shared             *shared;

  if (build->ast->damaged && build->ast->n_algorithms == 0)
    return FALSE;
  shared = g_atomic_rc_box_new0 (Shared);
  shared->recurrence = tl_recognise (build->ast, facts, diags);
  keep_recurrence (build, shared);
  if (build->recurrence == NULL || build->target == NULL || !suits_target (road, diags))
    return FALSE;
  matrix = tl_build_data_find (build->data, build->recurrence->output);
  if (matrix != NULL && matrix->input != NULL)
    tl_build_datum_check (matrix, build->recurrence->semiring, TRUE, diags);
  road->owner_span = owner != NULL ? owner->value_span : tl_span (0, 0);
  tl_pim_knobs_resolve (&road->knobs, build->ast, NULL, build->recurrence->output, build->recurrence->element,
                        build->target, diags);
  return errors (road) == 0;
}

/* --- Modules --- */

/* The module as the passes take it over: after G1 of a text, or the dump read again. */
static TlModule *
start_module (Road *road, TlDiags *diags)
{
  TlBuild *build = road->build;
  g_autoptr (GArray) facts = NULL;

  if (road->options->from != TL_STAGE_TEXT)
    return tl_module_parse (build->source, diags);
  facts = tl_build_data_facts (build->data);
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
stream_base (Road *road, const TlModule *module)
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
  Road  *road;
  gint64 since;
} Groups;

static TlStage
stage_of_group (TlGroup group)
{
  return (TlStage) (TL_STAGE_G1 + (group - TL_GROUP_G1));
}

static void
keep_dump (Road *road, TlStage stage, const TlModule *module)
{
  if (road->options->dumps && stage <= last_stage (road))
    {
      g_free (road->build->dump[stage]);
      road->build->dump[stage] = tl_module_print (module, road->options->no_loc ? TL_PRINT_NO_LOC : TL_PRINT_DEFAULT);
    }
}

static void
after_group (TlGroup group, const TlModule *module, gpointer user_data)
{
  Groups *groups = user_data;
  TlStage stage = stage_of_group (group);

  groups->road->build->ns[stage] += now_ns () - groups->since;
  keep_dump (groups->road, stage, module);
  groups->since = now_ns ();
}

/* From a started module to one after the last group wanted. */
static gboolean
run_groups (Road *road, TlModule *module, guint candidate, gboolean watched, TlDiags *diags)
{
  Groups            groups = { road, now_ns () };
  TlPipelineOptions options = {
    .candidate = candidate,
    .source = road->options->from == TL_STAGE_TEXT ? road->build->source : NULL,
    .owner_span = road->owner_span,
    .after = watched ? after_group : NULL,
    .user_data = &groups,
  };

  return tl_pipeline_run (module, &options, diags);
}

/* Decoded, because the simulator may look at nothing else. */
static TlPimProgram *
decode (Road *road, GBytes *stream, TlDiags *diags)
{
  gsize         length = 0;
  gconstpointer data = g_bytes_get_data (stream, &length);

  return tl_stream_decode (data, length, road->name, diags);
}

/* --- owner = auto --- */

/* The rules that are open in @module, NULL-terminated; one entry when none is. */
static char **
candidates (Road *road)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlModule) module = start_module (road, ignored);

  if (module == NULL || tl_module_group (module) > TL_GROUP_G2)
    return NULL;
  if (tl_module_group (module) == TL_GROUP_G1 && !tl_g2_tile (module, ignored))
    return NULL;
  return tl_g3_candidates (module);
}

/* Builds and runs one candidate; G_MAXUINT64 when it cannot be built. */
static guint64
try_candidate (Road *road, guint candidate)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlModule) module = start_module (road, ignored);
  g_autoptr (GBytes) stream = NULL;
  g_autoptr (TlPimProgram) program = NULL;

  if (module == NULL || !run_groups (road, module, candidate, FALSE, ignored))
    return G_MAXUINT64;
  stream = tl_emit_module (module, NULL, ignored);
  program = stream != NULL ? decode (road, stream, ignored) : NULL;
  return program != NULL ? tl_makespan (program, road->cancellable) : G_MAXUINT64;
}

/* Index of the candidate whose memoised run ends first; ties to the first. */
static guint
best_candidate (Road *road, gboolean open)
{
  g_auto (GStrv) rules = open ? candidates (road) : NULL;
  guint n = rules != NULL ? g_strv_length (rules) : 0;
  guint best = 0;

  for (guint c = 0; n > 1 && c < n && !cancelled (road); c++)
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
take_groups (Road *road)
{
  TlBuild *build = road->build, *previous = road->previous;

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
}

static void
take_stream (Road *road)
{
  TlBuild *build = road->build, *previous = road->previous;

  g_clear_pointer (&build->stream, g_bytes_unref);
  build->stream = previous->stream != NULL ? g_bytes_ref (previous->stream) : NULL;
  build->program = previous->program != NULL ? tl_pim_program_ref (previous->program) : NULL;
  build->key[TL_STAGE_STREAM] = previous->key[TL_STAGE_STREAM];
  build->reused[TL_STAGE_STREAM] = TRUE;
}

/* Bytes are made quickly; the same bytes as last time need not be decoded again. */
static void
make_stream (Road *road, const TlModule *module)
{
  TlBuild         *build = road->build;
  TlDiags         *diags = stage_diags (road, TL_STAGE_STREAM);
  gint64           start = now_ns ();
  g_autofree char *base = stream_base (road, module);
  gsize            length = 0;
  gconstpointer    data;

  build->stream = tl_emit_module (module, base, diags);
  if (build->stream != NULL)
    {
      data = g_bytes_get_data (build->stream, &length);
      build->key[TL_STAGE_STREAM] = tl_fnv1a64 (TL_FNV1A64_START, data, length);
      if (road->previous != NULL && road->previous->program != NULL
          && g_bytes_equal (road->previous->stream, build->stream))
        take_stream (road);
      else
        build->program = decode (road, build->stream, diags);
    }
  build->ns[TL_STAGE_STREAM] = now_ns () - start;
}

/* G1's key: everything a module can hang on. */
static guint64
road_key (const Road *road)
{
  const TlBuild *build = road->build;
  guint64        key = TL_FNV1A64_START;

  for (guint s = TL_STAGE_TEXT; s <= TL_STAGE_TARGET; s++)
    key = mix (key, build->key[s]);
  key = mix (mix (mix (key, road->options->dumps), road->options->no_loc), last_stage (road));
  return mix_text (mix_text (mix (key, road->options->from), road->options->output), road->options->path);
}

/* All groups that are still to come, then the stream. @open: owner = auto is possible. */
static void
make_groups (Road *road, gboolean open)
{
  TlBuild *build = road->build;
  TlDiags *diags = stage_diags (road, TL_STAGE_G1);
  g_autoptr (TlModule) module = NULL;
  gint64 start = now_ns ();
  guint  best;

  module = start_module (road, diags);
  if (module == NULL)
    return;
  build->ns[TL_STAGE_G1] += now_ns () - start;
  if (tl_module_group (module) != TL_GROUP_NONE)
    keep_dump (road, stage_of_group (tl_module_group (module)), module);
  if (last_stage (road) <= TL_STAGE_G1)
    return;
  best = best_candidate (road, open);
  if (cancelled (road) || !run_groups (road, module, best, TRUE, stage_diags (road, TL_STAGE_G4)))
    return;
  if (last_stage (road) == TL_STAGE_STREAM)
    make_stream (road, module);
}

/* The same as last time as far as the module's stages can see? Then all of it is. */
static gboolean
take_all (Road *road, guint64 key)
{
  TlBuild *previous = road->previous;

  for (guint s = TL_STAGE_G1; s <= TL_STAGE_G4; s++)
    road->build->key[s] = mix (key, s);
  if (previous == NULL || !previous->complete || previous->key[TL_STAGE_G1] != mix (key, TL_STAGE_G1))
    return FALSE;
  road->whole = TRUE;
  take_groups (road);
  keep_recurrence (road->build, previous->shared != NULL ? g_atomic_rc_box_acquire (previous->shared) : NULL);
  take_stream (road);
  if (previous->stage_diags[TL_STAGE_STREAM] != NULL)
    road->build->stage_diags[TL_STAGE_STREAM] = tl_diags_ref (previous->stage_diags[TL_STAGE_STREAM]);
  return TRUE;
}

static void
build_text (Road *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  gint64   start = now_ns ();

  make_tree (road, data, length);
  build->ns[TL_STAGE_TEXT] = now_ns () - start;
  start = now_ns ();
  read_inputs (road);
  build->ns[TL_STAGE_INPUTS] = now_ns () - start;
  start = now_ns ();
  read_target (road);
  build->ns[TL_STAGE_TARGET] = now_ns () - start;
  if (cancelled (road) || last_stage (road) < TL_STAGE_G1)
    return;
  if (errors (road) == 0 && take_all (road, road_key (road)))
    return;
  start = now_ns ();
  if (recognise (road))
    {
      build->ns[TL_STAGE_G1] = now_ns () - start;
      make_groups (road, road->knobs.owner == TL_OWNER_AUTO);
    }
}

static void
build_module (Road *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  TlDiags *diags = stage_diags (road, TL_STAGE_TEXT);
  g_autoptr (TlModule) module = NULL;
  gint64  start = now_ns ();
  TlGroup group;

  build->source = tl_source_new (road->name, data, (gssize) length);
  build->key[TL_STAGE_TEXT] = tl_fnv1a64 (mix_text (TL_FNV1A64_START, road->name), data, length);
  if (take_all (road, road_key (road)))
    {
      build->stage_diags[TL_STAGE_TEXT] = diags;
      return;
    }
  module = tl_module_parse (build->source, diags);
  build->ns[TL_STAGE_TEXT] = now_ns () - start;
  if (module == NULL)
    return;
  group = tl_module_group (module);
  if (group != TL_GROUP_NONE && stage_of_group (group) != road->options->from)
    tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_WARNING, "other-group", build->source, tl_span (0, 0),
                                  "this is a module after %s, not after %s", tl_stage_name (stage_of_group (group)),
                                  tl_stage_name (road->options->from)),
                    "the build goes on from where the module says it is");
  make_groups (road, group <= TL_GROUP_G2);
}

static void
build_stream (Road *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  gint64   start = now_ns ();

  build->stream = g_bytes_new (data, length);
  build->key[TL_STAGE_STREAM] = tl_fnv1a64 (TL_FNV1A64_START, data, length);
  build->program = tl_stream_decode (data, length, road->name, stage_diags (road, TL_STAGE_STREAM));
  build->ns[TL_STAGE_STREAM] = now_ns () - start;
}

/* A program whose G3 did not run here is linted from what it says. */
static void
lint_program (Road *road)
{
  TlBuild *build = road->build;

  if (build->program == NULL || road->whole)
    return;
  if (road->options->from >= TL_STAGE_G3)
    tl_program_lint (build->program, stage_diags (road, TL_STAGE_STREAM));
  tl_program_lint_groups (build->program, stage_diags (road, TL_STAGE_STREAM));
}

TlStage
tl_build_sniff (gconstpointer data, gsize length)
{
  const char *text = data;
  gsize       at = 0;

  if (tl_stream_is_one (data, length))
    return TL_STAGE_STREAM;
  while (at < length)
    {
      if (g_ascii_isspace (text[at]))
        at++;
      else if (length - at >= 2 && text[at] == '/' && text[at + 1] == '/')
        while (at < length && text[at] != '\n')
          at++;
      else
        break;
    }
  return at < length
                 && (text[at] == '"' || (length - at > 6 && memcmp (text + at, "module", 6) == 0) || text[at] == '#')
                 && g_strstr_len (text + at, (gssize) (length - at), "builtin.module") != NULL
             ? TL_STAGE_G1
             : TL_STAGE_TEXT;
}

static void
clear_trial (gpointer trial)
{
  g_free (((TlOwnerTrial *) trial)->rule);
}

static TlBuild *
build_new (TlInputs *inputs)
{
  TlBuild *build = g_new0 (TlBuild, 1);

  g_atomic_ref_count_init (&build->references);
  build->inputs = inputs != NULL ? tl_inputs_ref (inputs) : tl_inputs_new_memory ();
  build->diags = tl_diags_new ();
  build->trials = g_array_new (FALSE, TRUE, sizeof (TlOwnerTrial));
  g_array_set_clear_func (build->trials, clear_trial);
  return build;
}

/* Says @diag, of a stage after the text's own checks, again what they said of that
 * place, or only what follows from an array that they could not find? */
static gboolean
repeats (const TlDiags *text, const TlDiag *diag)
{
  static const char *const lost[] = { "unknown-name", "missing-data", "missing-algorithm", NULL };
  static const char *const follows[] = { "operand-names", "no-recurrence", NULL };

  if (diag->severity != TL_SEVERITY_ERROR)
    return FALSE;
  for (guint i = 0; i < tl_diags_count (text); i++)
    {
      const TlDiag *said = tl_diags_get (text, i);

      if (said->severity != TL_SEVERITY_ERROR || strcmp (said->file, diag->file) != 0)
        continue;
      if (said->span.start < diag->span.end && diag->span.start < said->span.end)
        return TRUE;
      if (g_strv_contains (lost, said->code) && g_strv_contains (follows, diag->code))
        return TRUE;
    }
  return FALSE;
}

static void
append_news (TlDiags *diags, const TlDiags *text, const TlDiags *from)
{
  for (guint i = 0; i < tl_diags_count (from); i++)
    if (text == NULL || !repeats (text, tl_diags_get (from, i)))
      tl_diags_copy (diags, tl_diags_get (from, i));
}

static void
finish (Road *road)
{
  TlBuild *build = road->build;
  gboolean made;

  lint_program (road);
  for (guint s = 0; s < TL_N_STAGES; s++)
    if (build->stage_diags[s] != NULL)
      append_news (build->diags, s > TL_STAGE_TEXT ? build->stage_diags[TL_STAGE_TEXT] : NULL, build->stage_diags[s]);
  tl_diags_sort (build->diags);
  made = last_stage (road) == TL_STAGE_STREAM ? build->program != NULL : TRUE;
  build->complete = made && !build->cancelled && tl_diags_errors (build->diags) == 0;
}

TlBuild *
tl_build (const char *name, gconstpointer data, gsize length, TlInputs *inputs, const TlBuildOptions *options,
          TlBuild *previous, GCancellable *cancellable)
{
  static const TlBuildOptions none = { 0 };
  Road                        road = {
                           .build = build_new (inputs),
                           .name = name,
                           .options = options != NULL ? options : &none,
                           .previous = previous,
                           .cancellable = cancellable,
  };

  switch (road.options->from)
    {
    case TL_STAGE_STREAM:
      build_stream (&road, data, length);
      break;
    case TL_STAGE_G1:
    case TL_STAGE_G2:
    case TL_STAGE_G3:
    case TL_STAGE_G4:
      build_module (&road, data, length);
      break;
    default:
      build_text (&road, data, length);
    }
  finish (&road);
  tl_pim_knobs_clear (&road.knobs);
  return road.build;
}

TlBuild *
tl_build_ref (TlBuild *build)
{
  g_atomic_ref_count_inc (&build->references);
  return build;
}

void
tl_build_unref (TlBuild *build)
{
  if (build == NULL || !g_atomic_ref_count_dec (&build->references))
    return;
  for (guint s = 0; s < TL_N_STAGES; s++)
    {
      g_free (build->dump[s]);
      g_clear_pointer (&build->stage_diags[s], tl_diags_unref);
    }
  g_clear_pointer (&build->source, tl_source_unref);
  g_clear_pointer (&build->ast, tl_ast_unref);
  if (build->shared != NULL)
    g_atomic_rc_box_release_full (build->shared, clear_shared);
  g_clear_pointer (&build->target, tl_target_unref);
  g_clear_pointer (&build->stream, g_bytes_unref);
  g_clear_pointer (&build->program, tl_pim_program_unref);
  tl_build_data_unref (build->data);
  tl_inputs_unref (build->inputs);
  g_array_unref (build->trials);
  tl_diags_unref (build->diags);
  g_free (build);
}
