/* The road from text to decoded program, stage by stage. Every stage has a content
 * key made of what it looks at; where a previous build has the same key its result is
 * taken instead of made again. */
#include "engine/build-road.h"

#include "base/hash.h"
#include "emit/stream.h"

#include <string.h>

const char *
tl_stage_name (TlStage stage)
{
  static const char *const names[TL_N_STAGES] = { "text", "inputs", "target", "g1", "g2", "g3", "g4", "streams" };

  return (guint) stage < TL_N_STAGES ? names[stage] : NULL;
}

static void
build_text (TlRoad *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  gint64   start = tl_road_now ();

  tl_road_read_text (road, data, length);
  build->ns[TL_STAGE_TEXT] = tl_road_now () - start;
  start = tl_road_now ();
  tl_road_read_inputs (road);
  build->ns[TL_STAGE_INPUTS] = tl_road_now () - start;
  start = tl_road_now ();
  tl_road_read_target (road);
  build->ns[TL_STAGE_TARGET] = tl_road_now () - start;
  if (tl_road_cancelled (road) || tl_road_last (road) < TL_STAGE_G1)
    return;
  if (tl_road_errors (road) == 0 && tl_road_take_all (road, tl_road_key (road)))
    return;
  start = tl_road_now ();
  if (!tl_road_recognise (road))
    return;
  build->ns[TL_STAGE_G1] = tl_road_now () - start;
  tl_road_make_groups (road, road->knobs.owner == TL_OWNER_AUTO);
}

static void
build_module (TlRoad *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  TlDiags *diags = tl_road_diags (road, TL_STAGE_TEXT);
  g_autoptr (TlModule) module = NULL;
  gint64  start = tl_road_now ();
  TlGroup group;

  build->source = tl_source_new (road->name, data, (gssize) length);
  build->key[TL_STAGE_TEXT] = tl_fnv1a64 (tl_road_mix_text (TL_FNV1A64_START, road->name), data, length);
  if (tl_road_take_all (road, tl_road_key (road)))
    {
      build->stage_diags[TL_STAGE_TEXT] = diags;
      return;
    }
  module = tl_module_parse (build->source, diags);
  build->ns[TL_STAGE_TEXT] = tl_road_now () - start;
  if (module == NULL)
    return;
  group = tl_module_group (module);
  if (group != TL_GROUP_NONE && tl_stage_of_group (group) != road->options->from)
    tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_WARNING, "other-group", build->source, tl_span (0, 0),
                                  "this is a module after %s, not after %s", tl_stage_name (tl_stage_of_group (group)),
                                  tl_stage_name (road->options->from)),
                    "the build goes on from where the module says it is");
  tl_road_make_groups (road, group <= TL_GROUP_G2);
}

static void
build_stream (TlRoad *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  gint64   start = tl_road_now ();

  build->stream = g_bytes_new (data, length);
  build->key[TL_STAGE_STREAM] = tl_fnv1a64 (TL_FNV1A64_START, data, length);
  tl_road_decode (road, tl_road_diags (road, TL_STAGE_STREAM));
  build->ns[TL_STAGE_STREAM] = tl_road_now () - start;
}

/* A program whose G3 did not run here is linted from what it says. */
static void
lint_program (TlRoad *road)
{
  TlBuild *build = road->build;

  if (build->program == NULL || road->whole)
    return;
  if (road->options->from >= TL_STAGE_G3)
    tl_program_lint (build->program, tl_road_diags (road, TL_STAGE_STREAM));
  tl_program_lint_groups (build->program, tl_road_diags (road, TL_STAGE_STREAM));
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

static void
clear_layout (gpointer trial)
{
  g_free (((TlLayoutTrial *) trial)->layout);
}

TlBuild *
tl_build_new (TlInputs *inputs)
{
  TlBuild *build = g_new0 (TlBuild, 1);

  g_atomic_ref_count_init (&build->references);
  build->inputs = inputs != NULL ? tl_inputs_ref (inputs) : tl_inputs_new_memory ();
  build->diags = tl_diags_new ();
  build->trials = g_array_new (FALSE, TRUE, sizeof (TlOwnerTrial));
  g_array_set_clear_func (build->trials, clear_trial);
  build->layouts = g_array_new (FALSE, TRUE, sizeof (TlLayoutTrial));
  g_array_set_clear_func (build->layouts, clear_layout);
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
finish (TlRoad *road)
{
  TlBuild *build = road->build;
  gboolean made;

  lint_program (road);
  for (guint s = 0; s < TL_N_STAGES; s++)
    if (build->stage_diags[s] != NULL)
      append_news (build->diags, s > TL_STAGE_TEXT ? build->stage_diags[TL_STAGE_TEXT] : NULL, build->stage_diags[s]);
  tl_diags_sort (build->diags);
  made = tl_road_last (road) == TL_STAGE_STREAM
             ? build->program != NULL || build->pipe != NULL || build->product != NULL
             : TRUE;
  build->complete = made && !build->cancelled && tl_diags_errors (build->diags) == 0;
}

TlBuild *
tl_build (const char *name, gconstpointer data, gsize length, TlInputs *inputs, const TlBuildOptions *options,
          TlBuild *previous, GCancellable *cancellable)
{
  static const TlBuildOptions none = { 0 };
  TlRoad                      road = {
                         .build = tl_build_new (inputs),
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
  g_free (build->passes);
  g_clear_pointer (&build->source, tl_source_unref);
  g_clear_pointer (&build->ast, tl_ast_unref);
  if (build->shared != NULL)
    g_atomic_rc_box_release_full (build->shared, tl_shared_recurrence_clear);
  g_clear_pointer (&build->target, tl_target_unref);
  g_clear_pointer (&build->stream, g_bytes_unref);
  g_clear_pointer (&build->program, tl_pim_program_unref);
  g_clear_pointer (&build->pipe, tl_pipe_program_unref);
  g_clear_pointer (&build->product, tl_cu_program_unref);
  tl_build_data_unref (build->data);
  tl_inputs_unref (build->inputs);
  g_array_unref (build->trials);
  g_array_unref (build->layouts);
  tl_diags_unref (build->diags);
  g_free (build);
}
