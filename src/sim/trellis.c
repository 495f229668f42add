/* Trellises: step after step, each state from all states before. */
#include "sim/trellis.h"

#include "sim/exact.h"

#include <string.h>

/* The accumulation over all states before @state, and the first that gives it. */
static TlExact
accumulate (const TlTrellis *trellis, const TlScalar *before, guint32 state, guint32 *way)
{
  const TlSemiring *semiring = trellis->semiring;
  TlExact           value = tl_exact (semiring->zero);
  gboolean          second;

  *way = 0;
  for (guint32 p = 0; p < trellis->states; p++)
    {
      TlExact other
          = tl_exact_times (semiring, tl_exact (before[p]), trellis->transition[(guint64) p * trellis->states + state]);

      value = tl_exact_plus (semiring, value, other, &second);
      if (second)
        *way = p;
    }
  return value;
}

static void
pick (const TlTrellis *trellis, const TlScalar *last, gboolean greatest, TlTrellisEnd *end)
{
  const TlCarrier *carrier = &trellis->semiring->carrier;

  for (guint32 s = 0; s < trellis->states; s++)
    {
      int      order = end->found ? tl_scalar_compare (carrier, last[s], end->score) : 0;
      gboolean nothing = tl_scalar_equal (carrier, last[s], trellis->semiring->zero);
      gboolean first = !end->found || (!nothing && tl_scalar_equal (carrier, end->score, trellis->semiring->zero));

      /* A zero that is a number is the result where there is nothing else. */
      if (tl_exact_is_absent (trellis->semiring, last[s])
          || (!first && (nothing || (greatest ? order <= 0 : order >= 0))))
        continue;
      end->found = TRUE;
      end->score = last[s];
      end->state = s;
    }
}

void
tl_trellis_run (const TlTrellis *trellis, gboolean greatest, GCancellable *cancellable, TlTrellisEnd *end)
{
  const TlSemiring   *semiring = trellis->semiring;
  guint64             states = trellis->states;
  gboolean            traces = tl_operator_selects (&semiring->plus, &semiring->carrier);
  TlScalar           *rows[2] = { g_memdup2 (trellis->first, states * sizeof (TlScalar)), g_new (TlScalar, states) };
  g_autofree guint32 *ways = traces ? g_new0 (guint32, trellis->steps * states) : NULL;
  guint32             way;

  *end = (TlTrellisEnd) { .cells = trellis->steps * states };
  if (end->cells <= TL_TRELLIS_KEPT)
    {
      end->values = g_new0 (TlScalar, end->cells);
      memcpy (end->values, rows[0], states * sizeof (TlScalar));
    }
  for (guint32 t = 1; t < trellis->steps && !end->cancelled && !end->left; t++)
    {
      const TlScalar *before = rows[(t - 1) & 1];

      for (guint32 s = 0; s < states; s++)
        {
          TlExact value = accumulate (trellis, before, s, &way);
          int     left;

          value = tl_exact_times (semiring, value, trellis->emission[t * states + s]);
          rows[t & 1][s] = tl_exact_bring (semiring, value, &left);
          if (left != 0 && !end->left)
            {
              end->left = TRUE;
              end->left_step = t;
              end->left_state = (guint32) s;
              end->left_above = left > 0;
            }
          if (traces)
            ways[t * states + s] = way;
        }
      if (end->values != NULL)
        memcpy (end->values + t * states, rows[t & 1], states * sizeof (TlScalar));
      end->cancelled = g_cancellable_is_cancelled (cancellable);
    }
  if (!end->cancelled && !end->left)
    pick (trellis, rows[(trellis->steps - 1) & 1], greatest, end);
  if (end->found && traces)
    {
      end->path = g_new (guint32, trellis->steps);
      end->path[trellis->steps - 1] = end->state;
      for (guint32 t = trellis->steps - 1; t > 0; t--)
        end->path[t - 1] = ways[t * states + end->path[t]];
    }
  g_free (rows[0]);
  g_free (rows[1]);
}

void
tl_trellis_clear (TlTrellisEnd *end)
{
  g_clear_pointer (&end->path, g_free);
  g_clear_pointer (&end->values, g_free);
}
