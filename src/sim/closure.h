/* Functional execution of the closure form D[i,j] = D[i,j] (+) (D[i,k] (x) D[k,j]):
 * the blocked three-phase algorithm of the machine, on real values. language.md,
 * Values; models.md section 3 (program order). */
#pragma once

#include "sim/matrix.h"

#include <gio/gio.h>

typedef enum
{
  TL_CLOSURE_DONE,
  TL_CLOSURE_CYCLE,     /* D[k,k] fell below one (rose above it, for max-like): node k */
  TL_CLOSURE_CANCELLED, /* the matrix then holds nothing of use */
  TL_CLOSURE_MEMORY,    /* no room for the working copy that wide sums need */
} TlClosureEnd;

/* Called in the thread that called tl_closure_run, @fraction rising from 0 to 1. */
typedef void (*TlClosureProgress) (double   fraction,
                                   gpointer data);

typedef struct
{
  guint32           tile;        /* B of the program, >= 1: on floats the blocked order is the definition */
  guint             threads;     /* 0: one a processor; the result does not depend on it */
  gboolean          cycle_check; /* before D[k,k] is used; (min,+) and (max,+) are always checked */
  gboolean          careful;     /* only the plain kernel, one evaluation an update: what fast ones are tested against */
  GCancellable     *cancellable; /* or NULL */
  TlClosureProgress progress;    /* or NULL */
  gpointer          progress_data;
} TlClosureOptions;

typedef struct
{
  TlClosureEnd end;
  guint64      node;   /* CYCLE: the first k, rising, whose D[k,k] is better than one */
  const char  *kernel; /* which one ran: "i32 sentinel", "bits", "table", "plain" */
} TlClosureResult;

/* Replaces the square @matrix by its closure. inf (x) a = inf whatever a's sign,
 * finite sums neither wrap nor clamp as long as tl_closure_fits holds. Integer,
 * bool and table carriers are exact and do not depend on the tile; floats follow
 * the blocked order: k rising, per k pivot, then row and column tiles, then the
 * rest, each tile operation with its k outermost and in place. */
TlClosureResult tl_closure_run  (TlMatrix               *matrix,
                                 const TlSemiring       *semiring,
                                 const TlClosureOptions *options);

/* The largest absolute value that a shortest (longest, ...) path over @n nodes can
 * have when no finite entry is larger than @magnitude: (n - 1) magnitude where
 * the combination adds, @magnitude itself otherwise; G_MAXUINT64 on overflow. */
guint64         tl_closure_reach (const TlSemiring      *semiring,
                                  guint64                n,
                                  guint64                magnitude);
/* Whether the reach fits the element type; @needed (may be NULL) becomes the
 * narrowest type of the same kind that holds it, bits = 0 when there is none.
 * For floats @magnitude_real counts, for the rest @magnitude. */
gboolean        tl_closure_fits  (const TlSemiring      *semiring,
                                  TlElementType          element,
                                  guint64                n,
                                  guint64                magnitude,
                                  double                 magnitude_real,
                                  TlElementType         *needed);
