/* What the stages of a build share: content keys, diagnostics by stage, reuse. */
#include "engine/build-road.h"

#include "base/hash.h"

#include <string.h>
#include <time.h>

gint64
tl_road_now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

guint64
tl_road_mix (guint64 key, guint64 value)
{
  return tl_fnv1a64 (key, &value, sizeof value);
}

guint64
tl_road_mix_text (guint64 key, const char *text)
{
  return text == NULL ? tl_road_mix (key, 1) : tl_fnv1a64 (key, text, strlen (text) + 1);
}

TlDiags *
tl_road_diags (TlRoad *road, TlStage stage)
{
  if (road->build->stage_diags[stage] == NULL)
    road->build->stage_diags[stage] = tl_diags_new ();
  return road->build->stage_diags[stage];
}

/* Has the previous build made @stage from the same things? Then its diagnostics come along. */
gboolean
tl_road_reuse (TlRoad *road, TlStage stage, guint64 key)
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

guint
tl_road_errors (const TlRoad *road)
{
  guint count = 0;

  for (guint s = 0; s < TL_N_STAGES; s++)
    if (road->build->stage_diags[s] != NULL)
      count += tl_diags_errors (road->build->stage_diags[s]);
  return count;
}

gboolean
tl_road_cancelled (TlRoad *road)
{
  if (g_cancellable_is_cancelled (road->cancellable))
    road->build->cancelled = TRUE;
  return road->build->cancelled;
}

TlStage
tl_road_last (const TlRoad *road)
{
  return road->options->until == TL_STAGE_TEXT ? TL_STAGE_STREAM : road->options->until;
}
