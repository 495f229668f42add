/* A stream's own text becomes a recurrence again. It came with the stream and is believed no
 * more than any other program; the machine is the stream's, whatever the text asks for. */
#include "engine/recall.h"

#include "base/hash.h"
#include "engine/build-road.h"

#include <string.h>

static void
say_changed (const TlDataSource *source, guint64 content, TlDiags *diags)
{
  g_autofree char *was = tl_hash_text (source->content_hash);
  g_autofree char *is = tl_hash_text (content);

  tl_diag_reason (tl_diags_add_at (diags, TL_SEVERITY_ERROR, "content-changed", source->name, 0, 0,
                                   "the file is not the one that the stream was compiled for"),
                  "its content hash is %s, the stream says %s; compile the program again", is, was);
}

/* Are the files still those of the stream? */
static gboolean
is_unchanged (const TlBuild *build, const TlPipeProgram *program, TlDiags *diags)
{
  g_autoptr (GArray) facts = tl_build_data_facts (build->data);

  for (guint d = 0; d < program->data->len; d++)
    for (guint f = 0; f < facts->len; f++)
      {
        const TlDataSource *source = program->data->pdata[d];
        const TlDataFacts  *fact = &g_array_index (facts, TlDataFacts, f);

        if (strcmp (source->name, fact->name) != 0 || source->content_hash == fact->content_hash)
          continue;
        say_changed (source, fact->content_hash, diags);
        return FALSE;
      }
  return TRUE;
}

TlBuild *
tl_build_recall (TlBuild *build, TlDiags *diags, GCancellable *cancellable)
{
  static const TlBuildOptions none = { 0 };
  const TlPipeProgram        *program = build->pipe;
  g_autoptr (TlInputs) inputs = tl_inputs_new_based (build->inputs, program->base);
  g_autoptr (TlBuild) recalled = tl_build_new (inputs);
  TlRoad road = { .build = recalled, .name = program->name, .options = &none, .cancellable = cancellable };

  tl_road_read_text (&road, program->text, strlen (program->text));
  tl_road_read_inputs (&road);
  tl_road_recognise (&road);
  tl_pim_knobs_clear (&road.knobs);
  for (guint s = 0; s < TL_N_STAGES; s++)
    if (recalled->stage_diags[s] != NULL)
      for (guint d = 0; d < tl_diags_count (recalled->stage_diags[s]); d++)
        if (tl_diags_get (recalled->stage_diags[s], d)->severity == TL_SEVERITY_ERROR)
          tl_diags_copy (diags, tl_diags_get (recalled->stage_diags[s], d));
  if (tl_diags_errors (diags) > 0 || !is_unchanged (recalled, program, diags))
    return NULL;
  if (recalled->grid == NULL)
    {
      tl_diags_add (diags, TL_SEVERITY_ERROR, "bad-stream", NULL, tl_span (0, 0),
                    "the text that the stream carries is no recurrence in wavefront order");
      return NULL;
    }
  recalled->pipe = tl_pipe_program_ref (build->pipe);
  return g_steal_pointer (&recalled);
}
