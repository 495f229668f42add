/* The passes, in their order. */
#include "passes/passes-private.h"

const char *
tl_group_pass (TlGroup group)
{
  static const char *const names[] = { "", "recognise", "tile", "map", "communicate" };

  return names[group];
}

/* What every group leaves must hold before the next one looks at it. */
static gboolean
finish (TlModule *module, const TlPipelineOptions *options, TlDiags *diags)
{
  if (!tl_module_verify (module, diags))
    return FALSE;
  if (options->after != NULL)
    options->after (tl_module_group (module), module, options->user_data);
  return TRUE;
}

gboolean
tl_pipeline_run (TlModule *module, const TlPipelineOptions *options, TlDiags *diags)
{
  if (!finish (module, options, diags))
    return FALSE;
  if (tl_module_group (module) == TL_GROUP_G1)
    if (!tl_g2_tile (module, diags) || !finish (module, options, diags))
      return FALSE;
  if (tl_module_group (module) == TL_GROUP_G2)
    if (!tl_g3_map (module, options->candidate, options->source, options->owner_span, diags)
        || !finish (module, options, diags))
      return FALSE;
  if (tl_module_group (module) == TL_GROUP_G3)
    if (!tl_g4_communicate (module, diags) || !finish (module, options, diags))
      return FALSE;
  return TRUE;
}
