/* A line on the terminal while something takes long. */
#include "cli/cli.h"

#include <math.h>
#include <unistd.h>

#define FIRST_AFTER G_USEC_PER_SEC
#define EVERY       (G_USEC_PER_SEC / 5)

struct _TlProgress
{
  GMutex   lock;
  char    *what;
  gboolean shown_at_all;
  gboolean is_terminal;
  gint64   started; /* us, monotonic */
  gint64   next;
};

TlProgress *
tl_progress_new (const char *what)
{
  TlProgress *progress = g_new0 (TlProgress, 1);

  g_mutex_init (&progress->lock);
  progress->what = g_strdup (what);
  progress->is_terminal = isatty (STDERR_FILENO) != 0;
  progress->started = g_get_monotonic_time ();
  progress->next = progress->started + FIRST_AFTER;
  return progress;
}

static char *
duration_text (double seconds)
{
  if (seconds < 90)
    return g_strdup_printf ("%.0f s", ceil (seconds));
  if (seconds < 90 * 60)
    return g_strdup_printf ("%.0f min", ceil (seconds / 60));
  return g_strdup_printf ("%.1f h", seconds / 3600);
}

void
tl_progress_show (TlProgress *progress, double fraction, const char *detail)
{
  if (!progress->is_terminal)
    return;
  g_mutex_lock (&progress->lock);
  gint64 now = g_get_monotonic_time ();
  if (now >= progress->next)
    {
      double           seconds = (double) (now - progress->started) / G_USEC_PER_SEC;
      g_autofree char *far = NULL;

      if (fraction > 0)
        {
          g_autofree char *left = duration_text (seconds / fraction - seconds);
          far = g_strdup_printf ("%.0f %%, %s left", fraction * 100, left);
        }
      else
        far = duration_text (seconds);
      fprintf (stderr, "\r%s: %s%s%s\033[K", progress->what, far, detail != NULL ? ", " : "",
               detail != NULL ? detail : "");
      fflush (stderr);
      progress->shown_at_all = TRUE;
      progress->next = now + EVERY;
    }
  g_mutex_unlock (&progress->lock);
}

void
tl_progress_count (guint64 done, guint64 total, gpointer progress)
{
  tl_progress_show (progress, total > 0 ? (double) done / (double) total : -1, NULL);
}

void
tl_progress_free (TlProgress *progress)
{
  if (progress == NULL)
    return;
  if (progress->shown_at_all)
    {
      fputs ("\r\033[K", stderr);
      fflush (stderr);
    }
  g_mutex_clear (&progress->lock);
  g_free (progress->what);
  g_free (progress);
}
