/* The programs that come with Tierloom, in a list under a button. */
#pragma once

#include "app/window.h"

/* One program or lesson of the list. */
typedef struct
{
  char    *path;        /* of a lesson: its name */
  char    *title;       /* "shortest-roads" */
  char    *description; /* its first comment line, or "" */
  gboolean lesson;
} TlExample;

/* Folder "examples" or "lessons" where they are installed, else where they were built
 * from; TIERLOOM_EXAMPLES names another one for examples. NULL: there is none. (transfer full) */
char      *tl_examples_folder  (const char    *name);
/* Of TlExample, lessons first (the one of eight units before all), then by name. (transfer full) */
GPtrArray *tl_examples_list    (void);
/* Gives @button a popover with them; choosing one activates win.example (s path)
 * or app.lesson (s name). */
void       tl_examples_fill    (GtkMenuButton *button);
/* Opens the example in @path. */
void       tl_examples_open    (TlWindow      *window,
                                const char    *path);
