/* What the kernels of the functional closure share. */
#pragma once

#include "sim/closure-team.h"
#include "sim/closure.h"
#include "sim/matrix-private.h"

/* Columns of a packed strip, and the piece that the innermost loops are over. */
#define TL_STRIP 256
#define TL_LANE 64
/* Steps of k that one pass of a kernel takes: operand depths are padded to it. */
#define TL_DEPTH 8

/* How a float result is rounded to an element narrower than f32: nearest even at
 * @cut bits below f32's fraction, at least @step (2^least exponent), above @top inf. */
typedef struct
{
  guint32 cut;   /* 23 - mantissa bits */
  float   shift; /* 1.5 * 2^23 * step: adding and subtracting it rounds to the step */
  float   least; /* smallest normal */
  float   top;   /* greatest finite */
} TlRounding;

/* One element type and one pair of operators. */
typedef struct
{
  const char *name;
  guint       size;    /* bytes of an element */
  gboolean    exact;   /* the order of updates cannot show */
  /* c[i][j] = c[i][j] (+) a[i][k] (x) b[k][j] for k rising; rows x depth by depth x
   * width, depth a multiple of TL_DEPTH, width of TL_LANE; b has rows of TL_STRIP.
   * No operand overlaps another. */
  void (*update) (gpointer          c,
                  gsize             ldc,
                  gconstpointer     a,
                  gsize             lda,
                  gconstpointer     b,
                  guint             rows,
                  guint             depth,
                  guint             width,
                  const TlRounding *rounding);
  /* c[j] = c[j] (+) *a (x) b[j]; none of them overlaps another. */
  void (*relax)  (gpointer          c,
                  gconstpointer     a,
                  gconstpointer     b,
                  guint             width,
                  const TlRounding *rounding);
  /* Whether @value has passed @one: (value (+) one) is value and not one. */
  gboolean (*passed) (gconstpointer value,
                      gconstpointer one);
} TlKernel;

/* The careful pairs, i64 alone, test each operand for inf and each sum for overflow;
 * the others rely on a sentinel or on IEEE. */
typedef enum { TL_PAIR_MIN_PLUS, TL_PAIR_MAX_PLUS, TL_PAIR_MAX_MIN, TL_PAIR_MIN_MAX, TL_PAIR_MAX_TIMES,
               TL_PAIR_MIN_PLUS_CAREFUL, TL_PAIR_MAX_PLUS_CAREFUL, TL_N_PAIRS } TlPair;

/* NULL when there is none for that storage and pair. @narrow: the element is a
 * float narrower than f32 and results are rounded. */
const TlKernel *tl_kernel_find (TlStorage storage,
                                TlPair    pair,
                                gboolean  narrow);

/* A run under way, as every kernel's driver gets it. */
typedef struct
{
  TlMatrix               *matrix;
  const TlSemiring       *semiring;
  const TlClosureOptions *options;
  TlTeam                 *team;
} TlClosureRun;

/* Says how far the run is; FALSE when it was cancelled. */
gboolean        tl_closure_step  (const TlClosureRun *run,
                                  double              fraction);

/* Blocked, vectorised: closure-fast.c. @zero and @one are elements of the storage:
 * what pads operands (it never wins) and what D[k,k] must not pass (NULL: no check). */
TlClosureResult tl_closure_fast  (const TlClosureRun *run,
                                  const TlKernel     *kernel,
                                  const TlRounding   *rounding,
                                  gconstpointer       zero,
                                  gconstpointer       one);
/* (or, and) on rows of bits: closure-bits.c. */
TlClosureResult tl_closure_bits  (const TlClosureRun *run);
/* Carriers of at most 256 values as look-ups; FALSE when the carrier is larger or a
 * value lies outside it: closure-table.c. */
gboolean        tl_closure_table (const TlClosureRun *run,
                                  TlClosureResult    *result);
/* Any semiring, one evaluation an update, in the machine's order: closure-plain.c. */
TlClosureResult tl_closure_plain (const TlClosureRun *run);
