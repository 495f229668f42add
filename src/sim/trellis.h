/* Values of recurrences in which each state of a step waits for all states of the step
 * before: V[t,s] = (+) over p of (V[t-1,p] (x) transition[p,s]) (x) emission[t,s], as
 * Viterbi's. language.md, example and ruling 1. */
#pragma once

#include "ir/semiring.h"

#include <gio/gio.h>

/* Everything is borrowed. */
typedef struct
{
  const TlSemiring *semiring;
  guint32           steps;      /* at least 1 */
  guint32           states;     /* at least 1 */
  const TlScalar   *first;      /* V[0,s], states of them */
  const TlScalar   *transition; /* states * states, [p][s] */
  const TlScalar   *emission;   /* steps * states, [t][s]; row 0 is not read */
} TlTrellis;

typedef struct
{
  gboolean found;     /* FALSE: all states of the last step are absent */
  TlScalar score;     /* of the last step's states the greatest or the least */
  guint32  state;     /* its state, the lowest among equals */
  guint64  cells;     /* steps * states */
  guint32 *path;      /* steps states; owned; NULL for an accumulation that does not select (+, xor) */
  TlScalar *values;   /* of all cells, step after step; owned; NULL when they are more than TL_TRELLIS_KEPT */
  gboolean left;      /* a state's true value is none of the carrier; then nothing else holds but: */
  guint32  left_step; /* the first step that has one, and of it the first state */
  guint32  left_state;
  gboolean left_above; /* the greatest value, else below the least */
  gboolean cancelled;
} TlTrellisEnd;

#define TL_TRELLIS_KEPT 4096

/* Each state's way goes to the lowest of equal states before it. Call tl_trellis_clear
 * when done. */
void tl_trellis_run   (const TlTrellis *trellis,
                       gboolean         greatest,
                       GCancellable    *cancellable,
                       TlTrellisEnd    *end);
void tl_trellis_clear (TlTrellisEnd    *end);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlTrellisEnd, tl_trellis_clear)
