/* Runs a fuzz target over the files of its corpus, as a plain test. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
main (int argc, char **argv)
{
  guint passed = 0;
  g_autoptr (GDir) dir = argc == 2 ? g_dir_open (argv[1], 0, NULL) : NULL;

  if (dir == NULL)
    {
      fprintf (stderr, "no corpus folder %s\n", argc == 2 ? argv[1] : "given");
      return EXIT_FAILURE;
    }
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (argv[1], name, NULL);
      g_autofree char *data = NULL;
      gsize            size;

      if (!g_file_get_contents (path, &data, &size, NULL))
        {
          fprintf (stderr, "cannot read %s\n", path);
          return EXIT_FAILURE;
        }
      printf ("%s\n", name);
      fflush (stdout);
      LLVMFuzzerTestOneInput ((const guint8 *) data, size);
      passed++;
    }
  printf ("tests: %u passed, %u failed, 0 skipped\n", passed, passed == 0);
  return passed == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
