/* A suite's figures as the paper gives its own: rates weighted by requests, geometric means of speed-ups. */
#include "study/study.h"

#include <math.h>
#include <string.h>

static const TlStudyRow *
conventional_of (const GArray *rows, const char *name)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const TlStudyRow *row = &g_array_index (rows, TlStudyRow, i);
      if (strcmp (row->layout, "conventional") == 0 && strcmp (row->name, name) == 0)
        return row;
    }
  return NULL;
}

static TlStudyTotal
total_of (const GArray *rows, const char *layout)
{
  TlStudyTotal total = { .layout = layout };
  double       requests = 0, conflict = 0, replayed = 0, hit = 0, miss = 0, replay_conflict = 0, latency = 0, logs = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const TlStudyRow *row = &g_array_index (rows, TlStudyRow, i);
      const TlStudyRow *plain = strcmp (row->layout, layout) == 0 ? conventional_of (rows, row->name) : NULL;

      if (plain == NULL || row->kernel == 0)
        continue;
      double speed_up = (double) plain->kernel / (double) row->kernel;
      requests += (double) row->requests;
      conflict += (double) row->conflict;
      replayed += (double) row->replayed;
      hit += (double) row->replay_hit;
      miss += (double) row->replay_miss;
      replay_conflict += (double) row->replay_conflict;
      latency += row->latency * (double) row->replayed;
      logs += log (speed_up);
      if (total.cases == 0 || speed_up < total.least)
        {
          total.least = speed_up;
          total.least_case = row->name;
        }
      total.most = total.cases == 0 ? speed_up : MAX (total.most, speed_up);
      total.cases++;
    }
  if (total.cases == 0)
    return total;
  total.conflict = conflict / requests;
  total.replay_hit = hit / replayed;
  total.replay_miss = miss / replayed;
  total.replay_conflict = replay_conflict / replayed;
  total.latency = latency / replayed;
  total.speed_up = exp (logs / total.cases);
  return total;
}

GArray *
tl_study_totals (const GArray *rows)
{
  GArray *totals = g_array_new (FALSE, FALSE, sizeof (TlStudyTotal));

  for (guint i = 0; i < rows->len; i++)
    {
      const char *layout = g_array_index (rows, TlStudyRow, i).layout;
      gboolean    known = FALSE;

      for (guint t = 0; t < totals->len; t++)
        known |= strcmp (g_array_index (totals, TlStudyTotal, t).layout, layout) == 0;
      if (known)
        continue;
      TlStudyTotal total = total_of (rows, layout);
      if (total.cases > 0)
        g_array_append_val (totals, total);
    }
  return totals;
}
