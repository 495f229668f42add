/* From a path on the command line to a build. */
#include "cli/cli.h"
#include "emit/pipe-program.h"
#include "emit/stream.h"

#include <string.h>

/* Folder of a stream's data; NULL when it is damaged. (transfer full) */
static char *
base_of (gconstpointer data, gsize length)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlPipeProgram) pipe = NULL;
  g_autoptr (TlPimProgram) program = NULL;

  if (tl_pipe_is_one (data, length))
    return (pipe = tl_pipe_decode (data, length, "", ignored)) != NULL ? g_strdup (pipe->base) : NULL;
  return (program = tl_stream_decode (data, length, "", ignored)) != NULL ? g_strdup (program->base) : NULL;
}

gboolean
tl_cli_source_open (TlCliSource *source, const char *path)
{
  gboolean standard = strcmp (path, "-") == 0;

  *source = (TlCliSource) { 0 };
  source->bytes = tl_cli_read (path, TL_STREAM_MAX_BYTES);
  if (source->bytes == NULL)
    return FALSE;
  source->name = g_strdup (standard ? "<stdin>" : path);
  source->path = standard ? NULL : g_strdup (path);
  gsize         length;
  gconstpointer data = g_bytes_get_data (source->bytes, &length);
  source->stage = tl_build_sniff (data, length);

  g_autofree char *folder = standard ? NULL : g_path_get_dirname (path);
  g_autofree char *fallback = NULL;
  if (source->stage == TL_STAGE_STREAM)
    {
      /* A stream says where its data lie as seen from where it was written. */
      g_autofree char *base = base_of (data, length);
      if (base != NULL && *base != '\0')
        fallback
            = g_path_is_absolute (base) || folder == NULL ? g_strdup (base) : g_build_filename (folder, base, NULL);
    }
  source->inputs = tl_inputs_new_folder (folder, fallback);
  return TRUE;
}

int
tl_cli_source_judge_settings (const TlCliSource *source, const TlCliCommand *command, char **sets)
{
  if (sets == NULL || sets[0] == NULL || source->stage == TL_STAGE_TEXT)
    return TL_GO_ON;
  return tl_cli_usage (command, "--set changes a program's text, and \"%s\" is compiled already; build it with --set",
                       source->name);
}

void
tl_cli_source_clear (TlCliSource *source)
{
  g_clear_pointer (&source->name, g_free);
  g_clear_pointer (&source->path, g_free);
  g_clear_pointer (&source->bytes, g_bytes_unref);
  g_clear_pointer (&source->inputs, tl_inputs_unref);
}

TlBuild *
tl_cli_source_build (const TlCliSource *source, TlBuildOptions *options, GCancellable *cancellable)
{
  gsize         length;
  gconstpointer data = g_bytes_get_data (source->bytes, &length);

  options->path = source->path;
  return tl_build (source->name, data, length, source->inputs, options, NULL, cancellable);
}

int
tl_cli_build_judge (TlBuild *build)
{
  tl_cli_diags_print (build->diags, build->source);
  if (build->cancelled)
    {
      fputs ("interrupted\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  return build->complete ? TL_GO_ON : TL_EXIT_WRONG;
}
