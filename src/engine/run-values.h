/* The values of a run, computed on a thread of their own: private to the engine. */
#pragma once

#include "engine/build-private.h"
#include "sim/closure.h"
#include "sim/matrix.h"

#define TL_VALUES_MAX_AUTO 8192 /* nodes up to which values are computed unasked */

typedef struct _TlValuesJob TlValuesJob;

typedef struct
{
  TlMatrix *matrix; /* NULL: there is no result */
  char     *reason; /* why */
  TlDiags  *diags;
  gint64    ns;
} TlValuesResult;

/* Why @build's values are not to be computed, NULL when they are. (transfer full) */
char        *tl_values_unwanted (const TlBuild  *build,
                                 gboolean        force,
                                 gboolean        skip);
/* @background: when no other thread wants the processor. */
TlValuesJob *tl_values_start    (TlBuild        *build,
                                 guint           threads,
                                 gboolean        background,
                                 GCancellable   *cancellable);
/* Waits for its end and frees the job. */
void         tl_values_finish   (TlValuesJob    *job,
                                 TlValuesResult *result);
