/* What the benchmarks share: processor time, figures beside their budgets, medians. */
#pragma once

#include <glib.h>

/* Processor time of this process so far, in seconds. */
double bench_cpu_seconds (void);
/* Sorts @times and returns the upper of the middle ones; @n > 0. */
double bench_median      (double     *times,
                          guint       n);
/* Prints a line: what was measured, its budget, what came out. */
void   bench_figure      (const char *what,
                          const char *budget,
                          const char *format,
                          ...) G_GNUC_PRINTF (3, 4);

/* Adds the processor time since @from (of bench_cpu_seconds), in ms, to @times, of double. */
void   bench_add_time    (GArray     *times,
                          double      from);
/* Prints median and worst of the times and forgets them. */
void   bench_report      (const char *what,
                          const char *budget,
                          GArray     *times);

/* Runs tierc on what @argv has after its name; its wall time in seconds, or a negative number,
 * and its peak memory in bytes. */
double bench_child       (const char *const *argv,
                          double            *peak);
