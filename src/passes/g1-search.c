/* The search for a counterexample on carriers too big to try in full: corner
 * values, the operators' own constants, seeded random values. */
#include "passes/g1-private.h"

#include <math.h>

#define RANDOM_TRIPLES 20000
#define WIDE           32768 /* values searched where a carrier has no end of its own */

static void
add_value (GArray *values, const TlCarrier *carrier, double number)
{
  TlScalar value = tl_carrier_is_float (carrier) ? (TlScalar) { .r = number }
                   : isinf (number)              ? (TlScalar) { .i = number > 0 ? TL_INF : -TL_INF }
                                                 : (TlScalar) { .i = (gint64) number };

  if (!tl_carrier_contains (carrier, value))
    return;
  for (guint i = 0; i < values->len; i++)
    if (tl_scalar_equal (carrier, g_array_index (values, TlScalar, i), value))
      return;
  g_array_append_val (values, value);
}

static double
number_of (const TlCarrier *carrier, TlScalar value)
{
  if (tl_carrier_is_float (carrier))
    return value.r;
  return value.i == TL_INF ? INFINITY : value.i == -TL_INF ? -INFINITY : (double) value.i;
}

static void
add_around (GArray *values, const TlCarrier *carrier, double number)
{
  add_value (values, carrier, number);
  if (isfinite (number) && fabs (number) <= WIDE)
    {
      add_value (values, carrier, number - 1);
      add_value (values, carrier, number + 1);
    }
}

static void
add_constants (GArray *values, const TlCarrier *carrier, const TlOperator *op)
{
  for (guint s = 0; s < op->n_steps && values->len < 48; s++)
    if (op->steps[s].kind == TL_STEP_CONSTANT)
      add_around (values, carrier, number_of (carrier, op->steps[s].value));
}

/* The finite range that is searched: the carrier's own where it is narrow, else
 * numbers whose sums and products are exact. */
static void
search_range (const TlCarrier *carrier, double *low, double *high)
{
  *low = MAX (number_of (carrier, carrier->low), -WIDE);
  *high = MIN (number_of (carrier, carrier->high), WIDE);
  if (*low > *high)
    *low = *high = number_of (carrier, carrier->low) > WIDE ? number_of (carrier, carrier->low)
                                                            : number_of (carrier, carrier->high);
}

static GArray *
corner_values (const TlSemiring *s)
{
  static const double usual[] = { 0, 1, 2, 3, -1, -2, 5, 7, -5, 0.5, 0.25, 0.75, -0.5, 100, -100, 255 };
  GArray             *values = g_array_new (FALSE, FALSE, sizeof (TlScalar));
  gboolean            real = tl_carrier_is_float (&s->carrier);
  double              low, high;

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (real || usual[i] == floor (usual[i]))
      add_value (values, &s->carrier, usual[i]);
  search_range (&s->carrier, &low, &high);
  add_value (values, &s->carrier, INFINITY);
  add_value (values, &s->carrier, -INFINITY);
  add_around (values, &s->carrier, low);
  add_around (values, &s->carrier, high);
  add_around (values, &s->carrier, number_of (&s->carrier, s->zero));
  add_around (values, &s->carrier, number_of (&s->carrier, s->one));
  add_constants (values, &s->carrier, &s->plus);
  add_constants (values, &s->carrier, &s->times);
  return values;
}

/* splitmix64 */
static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A corner value, one near a corner, or any of the range; reals are dyadic. */
static TlScalar
random_value (const TlSemiring *s, const GArray *corners, guint64 *state)
{
  double   low, high;
  guint64  choice = next_random (state);
  TlScalar corner = g_array_index (corners, TlScalar, choice / 8 % corners->len);

  if (choice % 8 == 0)
    return corner;
  search_range (&s->carrier, &low, &high);
  double span = high - low;
  double scale = choice % 8 < 4 ? MIN (span, 16) : span;
  double start
      = choice % 8 < 4 ? CLAMP (choice % 8 == 1 ? number_of (&s->carrier, corner) : 0, low, high - scale) : low;
  double fraction = (double) (next_random (state) % 4097) / 4096;
  double number = start + scale * fraction;
  if (!tl_carrier_is_float (&s->carrier))
    number = round (number);
  TlScalar value = tl_carrier_is_float (&s->carrier) ? (TlScalar) { .r = number } : (TlScalar) { .i = (gint64) number };
  return tl_carrier_contains (&s->carrier, value) ? value : corner;
}

gboolean
tl_g1_refuted_by_search (const TlSemiring *s, TlLawVerdict *verdict)
{
  g_autoptr (GArray) corners = corner_values (s);
  guint64 state = 1;

  if (corners->len == 0 || tl_g1_refuted_among (s, verdict, corners))
    return corners->len > 0;
  for (guint i = 0; i < RANDOM_TRIPLES; i++)
    {
      TlScalar a = random_value (s, corners, &state);
      TlScalar b = random_value (s, corners, &state);
      TlScalar c = random_value (s, corners, &state);
      if (tl_g1_refutes (s, verdict, a, b, c))
        return TRUE;
    }
  return FALSE;
}
