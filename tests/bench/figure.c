/* Figures of the benchmarks. */
#include "figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double
bench_cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static int
by_value (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

double
bench_median (double *times, guint n)
{
  qsort (times, n, sizeof *times, by_value);
  return times[n / 2];
}

void
bench_figure (const char *what, const char *budget, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *measured = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("%-62s %12s %14s\n", what, budget, measured);
  fflush (stdout);
}

void
bench_add_time (GArray *times, double from)
{
  double ms = (bench_cpu_seconds () - from) * 1e3;
  g_array_append_val (times, ms);
}

void
bench_report (const char *what, const char *budget, GArray *times)
{
  if (times->len == 0)
    return;
  double middle = bench_median ((double *) (void *) times->data, times->len);
  printf ("%-58s %12s %9.2f ms %9.2f ms\n", what, budget, middle, g_array_index (times, double, times->len - 1));
  fflush (stdout);
  g_array_set_size (times, 0);
}

double
bench_child (const char *const *argv, double *peak)
{
  g_autofree char *tierc = g_build_filename (g_getenv ("TL_BUILD_ROOT"), "src", "cli", "tierc", NULL);
  struct rusage    usage;
  int              status;

  fflush (stdout); /* what waits there would be the child's too */
  gint64 from = g_get_monotonic_time ();
  pid_t  child = fork ();

  if (child == 0)
    {
      if (freopen ("/dev/null", "w", stdout) != NULL)
        execv (tierc, (char *const *) argv);
      _exit (127);
    }
  if (child < 0 || wait4 (child, &status, 0, &usage) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 0)
    return -1;
  *peak = (double) usage.ru_maxrss * 1024;
  return (double) (g_get_monotonic_time () - from) / G_USEC_PER_SEC;
}
