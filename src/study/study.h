/* Suites: the products that TileDRAM's figures are about, run case by case on as many threads as wanted, their results
 * kept in a store so that a study that was interrupted, or split in shards, goes on where it was. A suite's cases and
 * their dimensions are ours where the paper does not say them (models.md section 6). */
#pragma once

#include "base/diag.h"

#include <gio/gio.h>

/* One product on one machine. */
typedef struct
{
  char       *name;   /* "Llama 4 up 64x128x64 cu-t8b16" */
  const char *target;
  guint32     m, n, k, tile[3];
  gboolean    hashes; /* fixed global hashes beside the layouts */
} TlStudyCase;

/* What one layout of a case came to. */
typedef struct
{
  char    *name;     /* of the case */
  char    *layout;   /* "conventional", "packed", "planned", or a hash */
  guint64  requests, hit, miss, conflict;                  /* in order, of the whole product */
  guint64  replayed, replay_hit, replay_miss, replay_conflict; /* as scheduled, of the first CTAs */
  guint64  kernel, compute; /* cycles of these */
  double   latency;         /* cycles, mean */
} TlStudyRow;

/* "moe108", "retarget36", "hashes"; NULL-terminated. */
const char *const *tl_study_suites (void);
/* Of TlStudyCase *; NULL when there is no such suite. (transfer full) */
GPtrArray *tl_study_cases    (const char        *suite);
void       tl_study_row_clear (gpointer          row); /* for GArray */
/* Runs a case, the first @ctas blocks with time. @config: NULL or NULL-terminated "KEY=VALUE" over its program's. Rows are appended to @rows (of TlStudyRow). FALSE when cancelled or,
 * with diagnostics, wrong. Any thread. */
gboolean   tl_study_run_case (const TlStudyCase *one,
                              guint64            ctas,
                              const char *const *config,
                              GArray            *rows,
                              GCancellable      *cancellable,
                              TlDiags           *diags);
/* FNV-1a 64 of all that a case's rows hang on: a stored case of another key is run again. 0 when its machine cannot be
 * read. */
guint64    tl_study_case_key (const TlStudyCase *one,
                              guint64            ctas,
                              const char *const *config);

/* --- store.c: results in an SQLite file --- */

typedef struct _TlStudyStore TlStudyStore;

/* ":memory:" keeps nothing. G_IO_ERROR when it cannot be opened or is no store. (transfer full) */
TlStudyStore *tl_study_store_open (const char    *path,
                                   GError       **error);
void          tl_study_store_free (TlStudyStore  *store);
/* Whether the case was stored under that key. */
gboolean      tl_study_store_has  (TlStudyStore  *store,
                                   const char    *suite,
                                   const char    *name,
                                   guint64        key);
/* Replaces what is kept of the case, all of it or nothing. */
gboolean      tl_study_store_put  (TlStudyStore  *store,
                                   const char    *suite,
                                   guint64        key,
                                   const GArray  *rows,
                                   GError       **error);
/* All rows of a suite, by case and layout as they were put. (transfer full), of TlStudyRow */
GArray       *tl_study_store_rows (TlStudyStore  *store,
                                   const char    *suite,
                                   GError       **error);

/* --- report.c --- */

/* One layout over all cases of a suite that have it and the conventional one. */
typedef struct
{
  const char *layout; /* the rows' */
  guint       cases;
  double      conflict; /* in order, weighted by requests */
  double      replay_hit, replay_miss, replay_conflict; /* as scheduled, weighted by replayed requests */
  double      latency;  /* cycles, weighted by replayed requests */
  double      speed_up, least, most; /* over the conventional kernel: geomean and range */
  const char *least_case;
} TlStudyTotal;

/* Of TlStudyTotal, in the order in which layouts first occur; @rows must outlive it. (transfer full) */
GArray       *tl_study_totals     (const GArray *rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlStudyStore, tl_study_store_free)
