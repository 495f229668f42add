/* What every suite shares: running, finding inputs, reading tables, skipping, and
 * a seeded generator for property tests. */
#pragma once

#include <check.h>
#include <glib.h>

/* As in check.h, but an assertion that holds notes nothing. check writes its place
 * to a file each time, for the fault report of a forked test; these do not fork, and
 * loops over a million assertions cost minutes under the sanitizers. */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) \
  ((expr) ? (void) 0 \
          : _ck_assert_failed (__FILE__, __LINE__, "Assertion '" #expr "' failed", ##__VA_ARGS__))

/* Runs the suite, prints "NAME: P passed, F failed, S skipped" as its last line
 * and returns main's exit status. */
int      tl_test_run          (Suite      *suite);
/* Counts the running test as skipped and says why: "skipped: ptxas not installed". */
void     tl_test_skip         (const char *format,
                               ...) G_GNUC_PRINTF (1, 2);

/* Path of a file in the project's source tree. (transfer full) */
char    *tl_test_source_path  (const char *relative);
/* Path below ../shared ("data/ca-GrQc.txt"), or NULL when it is not there: then
 * call tl_test_skip and return. (transfer full) */
char    *tl_test_shared_path  (const char *relative);
/* A private folder for the test's files, removed at exit. */
const char *tl_test_folder    (void);

/* RFC 4180 table: rows of cells; row 0 is the header. (transfer full): GPtrArray
 * of GPtrArray of char *. */
GPtrArray  *tl_test_read_csv  (const char *path);
/* The same of a table below ../shared, or NULL, the test being skipped, when it is not
 * there. (transfer full) */
GPtrArray  *tl_test_shared_csv (const char *relative);
/* Cell of column @name in @row, aborts when there is none. */
const char *tl_test_cell      (const GPtrArray *table,
                               guint            row,
                               const char      *name);
/* Value of @key in "key=value;key=value", NULL when absent. (transfer full) */
char       *tl_test_pair      (const char *pairs,
                               const char *key);

/* How many of @rounds random rounds this run makes: all of them, or a tenth, at least
 * one, in a build with sanitizers, where each takes ten times as long. */
guint    tl_test_rounds       (guint rounds);
/* Seed of this run: TL_TEST_SEED or a fixed default; printed once. */
guint64  tl_test_seed         (void);
/* splitmix64 step. */
guint64  tl_test_random       (guint64 *state);
/* Uniform in 0..bound-1. */
guint64  tl_test_random_below (guint64 *state,
                               guint64  bound);
