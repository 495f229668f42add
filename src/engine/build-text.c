/* The stages on a program text: tree, inputs, target, recurrence. */
#include "engine/build-road.h"

#include "base/hash.h"
#include "dsl/edit.h"
#include "dsl/knobs.h"

#include <string.h>

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

void
tl_road_read_text (TlRoad *road, gconstpointer data, gsize length)
{
  TlBuild *build = road->build;
  TlDiags *diags = tl_road_diags (road, TL_STAGE_TEXT);
  g_autoptr (TlSource) source = tl_source_new (road->name, data, (gssize) length);
  guint64 key;

  for (guint s = 0; road->options->config != NULL && road->options->config[s] != NULL; s++)
    {
      TlSource *edited = apply_setting (source, road->options->config[s], diags);

      tl_source_unref (source);
      source = edited;
    }
  key = tl_fnv1a64 (tl_road_mix_text (TL_FNV1A64_START, road->name), tl_source_text (source),
                    tl_source_length (source));
  key = tl_road_mix (key, tl_diags_count (diags));
  if (tl_diags_count (diags) == 0 && tl_road_reuse (road, TL_STAGE_TEXT, key))
    {
      build->source = tl_source_ref (road->previous->source);
      build->ast = tl_ast_ref (road->previous->ast);
      return;
    }
  build->source = g_steal_pointer (&source);
  build->ast = tl_parse (build->source, diags);
  tl_check (build->ast, diags);
}

void
tl_road_read_inputs (TlRoad *road)
{
  TlBuild     *build = road->build;
  TlBuildData *old = road->previous != NULL ? road->previous->data : NULL;
  TlBuildData *data;

  build->data = data
      = tl_build_data_load (build->ast, build->inputs, old, tl_road_diags (road, TL_STAGE_INPUTS), road->cancellable);
  build->key[TL_STAGE_INPUTS] = data->key;
  build->reused[TL_STAGE_INPUTS] = data->data->len > 0;
  for (guint d = 0; d < data->data->len; d++)
    build->reused[TL_STAGE_INPUTS] &= ((TlBuildDatum *) data->data->pdata[d])->reused;
}

/* "KEY=VALUE" of every target.KEY line, the values as written. */
static char **
target_overrides (const TlAst *ast, gboolean cu)
{
  GPtrArray *overrides = g_ptr_array_new ();

  for (guint c = 0; c < ast->n_config; c++)
    if (g_str_has_prefix (ast->config[c]->key, "target.")
        || (cu && strcmp (ast->config[c]->key, "quantum") == 0 && ast->config[c]->value != NULL
            && tl_knob_admits (tl_knob_find ("quantum"), ast->config[c]->value, NULL, NULL)))
      {
        const TlConfigItem *item = ast->config[c];
        const char         *key = strrchr (item->key, '.') != NULL ? item->key + strlen ("target.") : item->key;
        TlSpan              span = item->value_span;
        g_autofree char    *written = g_strndup (tl_source_text (ast->source) + span.start, span.end - span.start);
        const char *value = item->value != NULL && item->value->kind == TL_EXPR_STRING ? item->value->text : written;

        gint64 bytes;

        if (strcmp (item->key, "quantum") == 0 && item->value != NULL && tl_expr_integer (item->value, &bytes))
          g_ptr_array_add (overrides, g_strdup_printf ("%s=%" G_GINT64_FORMAT " B", key, bytes));
        else
          g_ptr_array_add (overrides, g_strdup_printf ("%s=%s", key, value));
      }
  g_ptr_array_add (overrides, NULL);
  return (char **) g_ptr_array_free (overrides, FALSE);
}

void
tl_road_read_target (TlRoad *road)
{
  TlBuild            *build = road->build;
  const TlConfigItem *item = tl_ast_config (build->ast, "target");
  const char         *name = item != NULL && item->value != NULL ? item->value->text : "gendram";
  g_auto (GStrv) folders = road->options->folders == NULL ? tl_target_folders () : NULL;
  g_auto (GStrv) overrides = target_overrides (build->ast, FALSE);
  TlTargetSearch search = {
    .program = road->options->path,
    .folders = road->options->folders != NULL ? road->options->folders : (const char *const *) folders,
  };

  if (name == NULL)
    return; /* the checks of the text have said why */
  build->target
      = tl_target_load (name, &search, (const char *const *) overrides, build->source,
                        item != NULL ? item->value_span : tl_span (0, 0), tl_road_diags (road, TL_STAGE_TARGET));
  /* Other quanta make other rows: a number of the machine, where it is a compute unit. */
  if (build->target != NULL && tl_target_kind (build->target) == TL_MACHINE_CU
      && tl_ast_config (build->ast, "quantum") != NULL)
    {
      g_auto (GStrv) all = target_overrides (build->ast, TRUE);

      tl_target_unref (build->target);
      build->target
          = tl_target_load (name, &search, (const char *const *) all, build->source,
                            item != NULL ? item->value_span : tl_span (0, 0), tl_road_diags (road, TL_STAGE_TARGET));
    }
  build->key[TL_STAGE_TARGET] = build->target != NULL ? tl_road_mix_text (tl_target_hash (build->target), name) : 0;
  build->reused[TL_STAGE_TARGET] = build->target != NULL && road->previous != NULL
                                   && road->previous->key[TL_STAGE_TARGET] == build->key[TL_STAGE_TARGET];
}

void
tl_shared_recurrence_clear (gpointer data)
{
  g_clear_pointer (&((TlSharedRecurrence *) data)->recurrence, tl_recurrence_free);
  g_clear_pointer (&((TlSharedRecurrence *) data)->grid, tl_grid_free);
}

void
tl_road_keep_recurrence (TlBuild *build, TlSharedRecurrence *shared)
{
  build->shared = shared;
  build->recurrence = shared != NULL ? shared->recurrence : NULL;
  build->grid = shared != NULL ? shared->grid : NULL;
}

/* What this machine and this family of programs can do, before the passes look. */
static gboolean
suits_target (TlRoad *road, TlDiags *diags)
{
  TlBuild      *build = road->build;
  TlRecurrence *recurrence = build->recurrence;
  TlDiag       *diag;

  if (tl_target_kind (build->target) != TL_MACHINE_PIM && !recurrence->closure)
    return TRUE;
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

/* The knobs of a grid, or why it does not run there. */
static gboolean
resolve_grid (TlRoad *road, TlDiags *diags)
{
  TlBuild      *build = road->build;
  const TlGrid *grid = build->grid;

  if (build->target == NULL)
    return FALSE;
  if (tl_target_kind (build->target) != TL_MACHINE_PIM)
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", build->source, grid->update_span,
                                    "%s runs tiled matrix products, not this recurrence",
                                    tl_target_name (build->target)),
                      "recurrences over constant distances go by wavefronts; take a pim target such as gendram");
      return FALSE;
    }
  tl_pim_knobs_resolve_wave (&road->knobs, build->ast, grid->stream != NULL, grid->element, build->target, diags);
  return tl_road_errors (road) == 0;
}

/* Recognises, checks the data against the semiring, resolves the knobs. */
gboolean
tl_road_recognise (TlRoad *road)
{
  TlBuild *build = road->build;
  TlDiags *diags = tl_road_diags (road, TL_STAGE_G1);
  g_autoptr (GArray) facts = tl_build_data_facts (build->data);
  const TlConfigItem *owner = tl_ast_config (build->ast, "owner");
  const TlBuildDatum *matrix;
  TlSharedRecurrence *shared;

  if (build->ast->damaged && build->ast->n_algorithms == 0)
    return FALSE;
  shared = g_atomic_rc_box_new0 (TlSharedRecurrence);
  if (build->target != NULL)
    shared->recurrence = tl_recognise_on (build->ast, facts, tl_target_kind (build->target), &shared->grid, diags);
  else
    {
      g_autoptr (TlDiags) said = tl_diags_new ();

      /* What a machine that is not known cannot do is not known either. */
      shared->recurrence = tl_recognise_any (build->ast, facts, &shared->grid, said);
      for (guint d = 0; d < tl_diags_count (said); d++)
        if (strcmp (tl_diags_get (said, d)->code, "float-order") != 0
            && strcmp (tl_diags_get (said, d)->code, "not-on-this-target") != 0)
          tl_diags_copy (diags, tl_diags_get (said, d));
    }
  tl_road_keep_recurrence (build, shared);
  if (build->grid != NULL)
    return resolve_grid (road, diags);
  if (build->recurrence == NULL || build->target == NULL || !suits_target (road, diags))
    return FALSE;
  if (!build->recurrence->closure)
    {
      tl_road_make_product (road);
      return FALSE;
    }
  matrix = tl_build_data_find (build->data, build->recurrence->output);
  if (matrix != NULL && matrix->input != NULL)
    tl_build_datum_check (matrix, build->recurrence->semiring, TRUE, diags);
  road->owner_span = owner != NULL ? owner->value_span : tl_span (0, 0);
  tl_pim_knobs_resolve (&road->knobs, build->ast, NULL, build->recurrence->output, build->recurrence->element,
                        build->target, diags);
  return tl_road_errors (road) == 0;
}
