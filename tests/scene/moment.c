/* The run and the moment that the suites of pictures share. */
#include "moment.h"

#include "scene/why.h"
#include "support/support.h"

#include <string.h>

const char moment_text[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                           "data D: i32 = road(256, 7)\n"
                           "config target = gendram, page = open, tile = 64, barriers = superstep\n"
                           "place D = stripe 0..7\n";

TlRun *moment_run;

TlRun *
moment_run_of (const char *program, gsize length)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (NULL, NULL);
  g_autofree char *targets = g_build_filename (g_getenv ("TL_SOURCE_ROOT"), "targets", NULL);
  const char      *folders[] = { targets, NULL };
  TlBuildOptions   options = { .folders = folders };
  g_autoptr (TlBuild) build = tl_build ("views.gdsl", program, length, inputs, &options, NULL, NULL);
  TlRunOptions run_options = { .skip_values = TRUE };

  ck_assert (build->complete);
  return tl_run (build, &run_options, NULL);
}

void
moment_set_up (void)
{
  moment_run = moment_run_of (moment_text, strlen (moment_text));
}

void
moment_tear_down (void)
{
  g_clear_pointer (&moment_run, tl_run_unref);
}

TlPicture
moment_picture (TlViewKind kind, TlThemeKind theme, char **selection)
{
  TlPicture picture = { .kind = kind, .theme = theme, .time = tl_moment_telling (moment_run->sim) };

  *selection = g_strdup ("pu-5");
  if (kind == TL_VIEW_WHY)
    {
      TlConflict conflict;
      ck_assert (tl_conflict_next (moment_run->sim, picture.time, G_MAXUINT32, G_MAXUINT32, TRUE, &conflict));
      g_free (*selection);
      *selection = tl_conflict_id (conflict.pu, conflict.bank, conflict.act);
      picture.time = conflict.act;
    }
  picture.selection = *selection;
  return picture;
}

TlScene *
moment_compose (TlViewKind kind, TlThemeKind theme)
{
  g_autofree char *selection = NULL;
  g_autoptr (GError) error = NULL;
  TlPicture picture = moment_picture (kind, theme, &selection);
  TlScene  *scene = tl_compose (moment_run->sim, &picture, &error);

  ck_assert_msg (scene != NULL, "%s: %s", tl_view_name (kind), error != NULL ? error->message : "");
  return scene;
}
