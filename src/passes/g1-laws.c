/* Judging the laws of a semiring: both sides of each, every case of a small
 * carrier. What the operators' known algebra proves is in g1-algebra.c, the search
 * on big carriers in g1-search.c. */
#include "passes/g1-laws.h"

#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

#define MAX_EXHAUSTIVE 258 /* a table of 256 with two infinities */
#define MAX_DIRECT     40  /* carriers whose operators leave them, tried triple by triple */

static const struct
{
  const char *name;
  const char *formula;
  char        clause;
  guint8      variables; /* 1: a, 2: a b, 3: a b c, 5: a c */
} laws[TL_N_LAWS] = {
  [TL_LAW_PLUS_ASSOCIATIVE] = { "associativity of the accumulation", "(a (+) b) (+) c = a (+) (b (+) c)", 'a', 3 },
  [TL_LAW_PLUS_COMMUTATIVE] = { "commutativity of the accumulation", "a (+) b = b (+) a", 'a', 2 },
  [TL_LAW_DISTRIBUTES_LEFT] = { "distributivity", "a (x) (b (+) c) = (a (x) b) (+) (a (x) c)", 'a', 3 },
  [TL_LAW_DISTRIBUTES_RIGHT] = { "distributivity from the right", "(b (+) c) (x) a = (b (x) a) (+) (c (x) a)", 'a', 3 },
  [TL_LAW_TIMES_ASSOCIATIVE] = { "associativity of the combination", "(a (x) b) (x) c = a (x) (b (x) c)", 'd', 3 },
  [TL_LAW_IDEMPOTENT] = { "idempotence", "a (+) a = a", 'd', 1 },
  [TL_LAW_ABSORPTIVE] = { "absorption", "a (+) (a (x) c) = a", 'd', 5 },
  [TL_LAW_ABSORPTIVE_LEFT] = { "absorption from the left", "a (+) (c (x) a) = a", 'd', 5 },
  [TL_LAW_CLOSED_PLUS] = { "a carrier closed under the accumulation", "a (+) b lies in the carrier", 'a', 2 },
  [TL_LAW_CLOSED_TIMES] = { "a carrier closed under the combination", "a (x) b lies in the carrier", 'a', 2 },
  [TL_LAW_ZERO_NEUTRAL] = { "zero neutral", "zero (+) a = a", 'a', 1 },
  [TL_LAW_ZERO_ABSORBING] = { "zero absorbing", "zero (x) a = zero", 'a', 1 },
  [TL_LAW_ZERO_ABSORBING_RIGHT] = { "zero absorbing from the right", "a (x) zero = zero", 'a', 1 },
  [TL_LAW_ONE_NEUTRAL] = { "one neutral", "one (x) a = a", 'a', 1 },
  [TL_LAW_ONE_NEUTRAL_RIGHT] = { "one neutral from the right", "a (x) one = a", 'a', 1 },
};

char
tl_law_clause (TlLaw law)
{
  return laws[law].clause;
}

const char *
tl_law_name (TlLaw law)
{
  return laws[law].name;
}

static TlScalar
clamp (const TlCarrier *carrier, TlScalar value)
{
  if (tl_carrier_contains (carrier, value))
    return value;
  return tl_scalar_compare (carrier, value, carrier->low) < 0 ? carrier->low : carrier->high;
}

/* Real results of equal formulas differ by rounding only. */
static gboolean
same (const TlCarrier *carrier, TlScalar left, TlScalar right)
{
  if (!tl_carrier_is_float (carrier) || left.r == right.r)
    return tl_scalar_equal (carrier, left, right);
  return isfinite (left.r) && isfinite (right.r)
         && fabs (left.r - right.r) <= 1e-9 * MAX (1, MAX (fabs (left.r), fabs (right.r)));
}

static TlScalar
plus (const TlSemiring *s, TlScalar a, TlScalar b)
{
  return tl_operator_raw (&s->plus, &s->carrier, a, b);
}

static TlScalar
times (const TlSemiring *s, TlScalar a, TlScalar b)
{
  return tl_operator_raw (&s->times, &s->carrier, a, b);
}

gboolean
tl_law_evaluate (const TlSemiring *s, TlLaw law, TlScalar a, TlScalar b, TlScalar c, TlScalar *left, TlScalar *right)
{
  TlScalar x = a, y = a;

  switch (law)
    {
    case TL_LAW_PLUS_ASSOCIATIVE:
      x = plus (s, plus (s, a, b), c);
      y = plus (s, a, plus (s, b, c));
      break;
    case TL_LAW_PLUS_COMMUTATIVE:
      x = plus (s, a, b);
      y = plus (s, b, a);
      break;
    case TL_LAW_DISTRIBUTES_LEFT:
      x = times (s, a, plus (s, b, c));
      y = plus (s, times (s, a, b), times (s, a, c));
      break;
    case TL_LAW_DISTRIBUTES_RIGHT:
      x = times (s, plus (s, b, c), a);
      y = plus (s, times (s, b, a), times (s, c, a));
      break;
    case TL_LAW_TIMES_ASSOCIATIVE:
      x = times (s, times (s, a, b), c);
      y = times (s, a, times (s, b, c));
      break;
    case TL_LAW_IDEMPOTENT:
      x = plus (s, a, a);
      break;
    case TL_LAW_ABSORPTIVE:
      x = plus (s, a, times (s, a, c));
      break;
    case TL_LAW_ABSORPTIVE_LEFT:
      x = plus (s, a, times (s, c, a));
      break;
    case TL_LAW_CLOSED_PLUS:
      x = plus (s, a, b);
      y = clamp (&s->carrier, x);
      break;
    case TL_LAW_CLOSED_TIMES:
      x = times (s, a, b);
      y = clamp (&s->carrier, x);
      break;
    case TL_LAW_ZERO_NEUTRAL:
      x = plus (s, s->zero, a);
      break;
    case TL_LAW_ZERO_ABSORBING:
      x = times (s, s->zero, a);
      y = s->zero;
      break;
    case TL_LAW_ZERO_ABSORBING_RIGHT:
      x = times (s, a, s->zero);
      y = s->zero;
      break;
    case TL_LAW_ONE_NEUTRAL:
      x = times (s, s->one, a);
      break;
    case TL_LAW_ONE_NEUTRAL_RIGHT:
      x = times (s, a, s->one);
      break;
    case TL_N_LAWS:
      g_assert_not_reached ();
    }
  if (left != NULL)
    *left = x;
  if (right != NULL)
    *right = y;
  return same (&s->carrier, x, y);
}

/* TRUE, with @verdict filled, when the law fails at a, b, c. */
gboolean
tl_g1_refutes (const TlSemiring *s, TlLawVerdict *verdict, TlScalar a, TlScalar b, TlScalar c)
{
  if (tl_law_evaluate (s, verdict->law, a, b, c, &verdict->left, &verdict->right))
    return FALSE;
  verdict->holds = FALSE;
  verdict->a = a;
  verdict->b = b;
  verdict->c = c;
  return TRUE;
}

/* Tries all tuples of @values that the law has variables for. */
gboolean
tl_g1_refuted_among (const TlSemiring *s, TlLawVerdict *verdict, const GArray *values)
{
  const TlScalar *v = (const TlScalar *) (gpointer) values->data;
  guint           variables = laws[verdict->law].variables;

  for (guint a = 0; a < values->len; a++)
    for (guint b = 0; b < (variables & 2 ? values->len : 1); b++)
      for (guint c = 0; c < (variables == 3 || variables == 5 ? values->len : 1); c++)
        if (tl_g1_refutes (s, verdict, v[a], v[b], v[c]))
          return TRUE;
  return FALSE;
}

/* Every value of the carrier, infinities last; NULL when there are more than @most. */
static GArray *
all_values (const TlCarrier *carrier, guint most)
{
  if (tl_carrier_is_float (carrier) || carrier->high.i < carrier->low.i
      || (guint64) carrier->high.i - (guint64) carrier->low.i >= most)
    return NULL;
  GArray *values = g_array_new (FALSE, FALSE, sizeof (TlScalar));
  for (gint64 i = carrier->low.i; i <= carrier->high.i; i++)
    {
      TlScalar value = { .i = i };
      g_array_append_val (values, value);
    }
  const TlScalar infinities[] = { { .i = TL_INF }, { .i = -TL_INF } };
  if (carrier->has_inf)
    g_array_append_val (values, infinities[0]);
  if (carrier->has_minus_inf)
    g_array_append_val (values, infinities[1]);
  return values;
}

/* --- Exhaustive: operators as tables of value numbers, so that 256 ^ 3 is quick --- */

typedef struct
{
  guint    n;
  guint16 *plus; /* n * n value numbers */
  guint16 *times;
} Tables;

static gint
value_number (const TlCarrier *carrier, TlScalar value)
{
  gint64 finite = carrier->high.i - carrier->low.i + 1;

  if (!tl_carrier_contains (carrier, value))
    return -1;
  if (value.i == TL_INF)
    return (gint) finite;
  if (value.i == -TL_INF)
    return (gint) finite + (carrier->has_inf ? 1 : 0);
  return (gint) (value.i - carrier->low.i);
}

static guint16 *
tabulate (const TlOperator *op, const TlCarrier *carrier, const GArray *values)
{
  guint    n = values->len;
  guint16 *table = g_new (guint16, (gsize) n * n);

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        TlScalar value
            = tl_operator_raw (op, carrier, g_array_index (values, TlScalar, a), g_array_index (values, TlScalar, b));
        gint number = value_number (carrier, value);
        if (number < 0)
          {
            g_free (table);
            return NULL;
          }
        table[a * n + b] = (guint16) number;
      }
  return table;
}

/* The first c for which a ternary law fails at value numbers a, b; n when there is
 * none. Rows instead of cells: 256 ^ 3 of them are tried. */
static guint
first_failure (const Tables *t, TlLaw law, const guint16 *column, guint a, guint b)
{
  guint          n = t->n, c = 0;
  const guint16 *x = law == TL_LAW_PLUS_ASSOCIATIVE ? t->plus : t->times;
  const guint16 *of_a = x + (gsize) a * n;

  if (law == TL_LAW_PLUS_ASSOCIATIVE || law == TL_LAW_TIMES_ASSOCIATIVE)
    {
      const guint16 *of_ab = x + (gsize) of_a[b] * n, *of_b = x + (gsize) b * n;
      while (c < n && of_ab[c] == of_a[of_b[c]])
        c++;
      return c;
    }
  /* By a from the left is row a, from the right column a. */
  const guint16 *by_a = law == TL_LAW_DISTRIBUTES_LEFT ? of_a : column;
  const guint16 *plus_b = t->plus + (gsize) b * n, *plus_ab = t->plus + (gsize) by_a[b] * n;
  while (c < n && by_a[plus_b[c]] == plus_ab[by_a[c]])
    c++;
  return c;
}

static gboolean
is_distributive_law (TlLaw law)
{
  return law == TL_LAW_DISTRIBUTES_LEFT || law == TL_LAW_DISTRIBUTES_RIGHT;
}

/* min or max over values whose numbers rise with them. */
static gboolean
is_chain (const TlSemiring *s)
{
  return (s->plus.kind == TL_OPERATOR_MIN || s->plus.kind == TL_OPERATOR_MAX) && !s->carrier.has_minus_inf;
}

/* Over min and max of a chain to distribute is to rise with each argument, and
 * neighbours tell. */
static gboolean
refuted_on_chain (const TlSemiring *s, TlLawVerdict *verdict, const Tables *t, const GArray *values)
{
  const TlScalar *v = (const TlScalar *) (gpointer) values->data;
  gboolean        left = verdict->law == TL_LAW_DISTRIBUTES_LEFT;

  for (guint a = 0; a < t->n; a++)
    for (guint b = 0; b + 1 < t->n; b++)
      {
        guint here = left ? t->times[a * t->n + b] : t->times[b * t->n + a];
        guint next = left ? t->times[a * t->n + b + 1] : t->times[(b + 1) * t->n + a];
        if (here > next)
          return tl_g1_refutes (s, verdict, v[a], v[b], v[b + 1]);
      }
  return FALSE;
}

static gboolean
refuted_by_tables (const TlSemiring *s, TlLawVerdict *verdict, const Tables *t, const GArray *values)
{
  const TlScalar     *v = (const TlScalar *) (gpointer) values->data;
  g_autofree guint16 *column = g_new (guint16, t->n);

  if (laws[verdict->law].variables != 3)
    return tl_g1_refuted_among (s, verdict, values);
  if (is_distributive_law (verdict->law) && is_chain (s))
    return refuted_on_chain (s, verdict, t, values);
  for (guint a = 0; a < t->n; a++)
    {
      for (guint i = 0; i < t->n; i++)
        column[i] = t->times[i * t->n + a];
      for (guint b = 0; b < t->n; b++)
        {
          guint c = first_failure (t, verdict->law, column, a, b);
          if (c < t->n)
            return tl_g1_refutes (s, verdict, v[a], v[b], v[c]);
        }
    }
  return FALSE;
}

/* --- Doors --- */

/* Sums past the end of the element type are no wrong results here: data that
 * could reach them are refused. */
static gboolean
is_closed_law (TlLaw law)
{
  return law == TL_LAW_CLOSED_PLUS || law == TL_LAW_CLOSED_TIMES;
}

static TlSemiring
without_ends (const TlSemiring *s)
{
  TlSemiring wide = *s;
  TlCarrier  full = tl_carrier_full (s->carrier.element);

  if (tl_carrier_is_float (&full))
    {
      if (wide.carrier.low.r == full.low.r)
        wide.carrier.low.r = -INFINITY;
      if (wide.carrier.high.r == full.high.r)
        wide.carrier.high.r = INFINITY;
      return wide;
    }
  if (wide.carrier.low.i == full.low.i && s->carrier.element.kind != TL_ELEMENT_UINT)
    wide.carrier.low.i = -TL_INF + 1;
  if (wide.carrier.high.i == full.high.i)
    wide.carrier.high.i = TL_INF - 1;
  return wide;
}

static gboolean
has_table (const TlSemiring *s)
{
  return s->plus.kind == TL_OPERATOR_TABLE || s->times.kind == TL_OPERATOR_TABLE;
}

static TlLawVerdict
judge (const TlSemiring *s, TlLaw law, const GArray *values, const Tables *tables)
{
  TlLawVerdict verdict = { .law = law, .holds = TRUE };

  if (values != NULL && tables->plus != NULL && tables->times != NULL)
    {
      verdict.basis = TL_BASIS_EXHAUSTIVE;
      verdict.holds = !refuted_by_tables (s, &verdict, tables, values);
      return verdict;
    }
  gboolean table = has_table (s);
  gboolean few = values != NULL && (values->len <= MAX_DIRECT || laws[law].variables != 3);
  if (few && (!table || is_closed_law (law)))
    {
      const TlSemiring wide = is_closed_law (law) ? without_ends (s) : *s;
      verdict.basis = TL_BASIS_EXHAUSTIVE;
      verdict.holds = !tl_g1_refuted_among (&wide, &verdict, values);
      return verdict;
    }
  verdict.basis = TL_BASIS_SEARCH;
  if (table && !is_closed_law (law))
    /* A table whose results leave it: the closed laws say so, nothing else can be asked. */
    return verdict;
  const TlSemiring wide = is_closed_law (law) ? without_ends (s) : *s;
  verdict.holds = !tl_g1_refuted_by_search (&wide, &verdict);
  return verdict;
}

/* Judges the laws from @first to @last. */
static void
judge_laws (const TlSemiring *s, TlLaw first, TlLaw last, TlLawVerdict *verdicts)
{
  g_autoptr (GArray) values = NULL;
  Tables   tables = { 0 };
  gboolean prepared = FALSE;

  for (guint law = first; law <= last; law++)
    {
      if (tl_g1_algebra_proves (s, law))
        {
          verdicts[law - first] = (TlLawVerdict) { .law = law, .holds = TRUE, .basis = TL_BASIS_ALGEBRA };
          continue;
        }
      if (values == NULL)
        values = all_values (&s->carrier, MAX_EXHAUSTIVE);
      /* Laws of one or two values are tried without tables, if they can be. */
      if (!prepared && values != NULL && (laws[law].variables == 3 || has_table (s)))
        {
          prepared = TRUE;
          tables.n = values->len;
          tables.plus = tabulate (&s->plus, &s->carrier, values);
          tables.times = tabulate (&s->times, &s->carrier, values);
        }
      verdicts[law - first] = judge (s, law, values, &tables);
    }
  g_free (tables.plus);
  g_free (tables.times);
}

void
tl_semiring_laws (const TlSemiring *s, TlLawVerdict verdicts[TL_N_LAWS])
{
  judge_laws (s, 0, TL_N_LAWS - 1, verdicts);
}

TlLawVerdict
tl_semiring_law (const TlSemiring *s, TlLaw law)
{
  TlLawVerdict verdict;

  judge_laws (s, law, law, &verdict);
  return verdict;
}

/* @formula with its letters and signs replaced by values and operators. */
char *
tl_law_text (const TlSemiring *s, const TlLawVerdict *verdict)
{
  g_autofree char *a = tl_scalar_text (&s->carrier, verdict->a);
  g_autofree char *b = tl_scalar_text (&s->carrier, verdict->b);
  g_autofree char *c = tl_scalar_text (&s->carrier, verdict->c);
  g_autofree char *left = tl_scalar_text (&s->carrier, verdict->left);
  g_autofree char *right = tl_scalar_text (&s->carrier, verdict->right);
  guint            variables = laws[verdict->law].variables;
  GString         *text = g_string_new (NULL);

  g_string_append_printf (text, "%s fails at a = %s", laws[verdict->law].formula, a);
  if (variables & 2)
    g_string_append_printf (text, ", b = %s", b);
  if (variables == 3 || variables == 5)
    g_string_append_printf (text, ", c = %s", c);
  if (is_closed_law (verdict->law))
    g_string_append_printf (text, ": the result is %s", left);
  else
    g_string_append_printf (text, ": the left side is %s, the right side %s", left, right);
  return g_string_free (text, FALSE);
}
