/* Admission by tables: the decision against brute force, counterexamples evaluated,
 * and the blocked closure of what is admitted against the scalar loop. */
#include "g1-support.h"
#include "passes/g1-laws.h"

#include <math.h>
#include <string.h>

#define MOST 5

typedef struct
{
  guint  n;
  guint8 plus[MOST * MOST];
  guint8 times[MOST * MOST];
} Pair;

/* --- Brute force, sharing nothing with the checker --- */

static guint
plus (const Pair *p, guint a, guint b)
{
  return p->plus[a * p->n + b];
}

static guint
times (const Pair *p, guint a, guint b)
{
  return p->times[a * p->n + b];
}

static gboolean
is_semiring_for_closures (const Pair *p)
{
  gboolean zero = FALSE, one = FALSE;

  for (guint a = 0; a < p->n; a++)
    for (guint b = 0; b < p->n; b++)
      {
        if (plus (p, a, b) != plus (p, b, a) || plus (p, a, a) != a || plus (p, a, times (p, a, b)) != a
            || plus (p, a, times (p, b, a)) != a)
          return FALSE;
        for (guint c = 0; c < p->n; c++)
          if (plus (p, plus (p, a, b), c) != plus (p, a, plus (p, b, c))
              || times (p, times (p, a, b), c) != times (p, a, times (p, b, c))
              || times (p, a, plus (p, b, c)) != plus (p, times (p, a, b), times (p, a, c))
              || times (p, plus (p, b, c), a) != plus (p, times (p, b, a), times (p, c, a)))
            return FALSE;
      }
  for (guint e = 0; e < p->n; e++)
    {
      gboolean is_zero = TRUE, is_one = TRUE;
      for (guint a = 0; a < p->n; a++)
        {
          is_zero &= plus (p, e, a) == a && times (p, e, a) == e && times (p, a, e) == e;
          is_one &= times (p, e, a) == a && times (p, a, e) == a;
        }
      zero |= is_zero;
      one |= is_one;
    }
  return zero && one;
}

/* --- Closures --- */

static void
update (const Pair *p, guint8 *d, guint n, guint k, guint row, guint rows, guint column, guint columns)
{
  for (guint i = row; i < MIN (row + rows, n); i++)
    for (guint j = column; j < MIN (column + columns, n); j++)
      d[i * n + j] = (guint8) plus (p, d[i * n + j], times (p, d[i * n + k], d[k * n + j]));
}

static void
tile_operation (const Pair *p, guint8 *d, guint n, guint b, guint ti, guint tj, guint tk)
{
  for (guint k = tk * b; k < MIN (tk * b + b, n); k++)
    update (p, d, n, k, ti * b, b, tj * b, b);
}

static void
blocked (const Pair *p, guint8 *d, guint n, guint b)
{
  guint m = (n + b - 1) / b;

  for (guint k = 0; k < m; k++)
    {
      tile_operation (p, d, n, b, k, k, k);
      for (guint x = 0; x < m; x++)
        if (x != k)
          {
            tile_operation (p, d, n, b, k, x, k);
            tile_operation (p, d, n, b, x, k, k);
          }
      for (guint i = 0; i < m; i++)
        for (guint j = 0; j < m; j++)
          if (i != k && j != k)
            tile_operation (p, d, n, b, i, j, k);
    }
}

static gboolean
blocked_equals_scalar (const Pair *p, guint64 *state)
{
  guint  n = 1 + (guint) tl_test_random_below (state, 9);
  guint  b = 1 + (guint) tl_test_random_below (state, n);
  guint8 scalar[81], tiled[81];

  for (guint i = 0; i < n * n; i++)
    scalar[i] = tiled[i] = (guint8) tl_test_random_below (state, p->n);
  for (guint k = 0; k < n; k++)
    update (p, scalar, n, k, 0, n, 0, n);
  blocked (p, tiled, n, b);
  return memcmp (scalar, tiled, n * n) == 0;
}

/* --- Through the front door --- */

static void
table_text (GString *text, const char *name, const guint8 *cells, guint n)
{
  g_string_append_printf (text, "op %s = table([", name);
  for (guint a = 0; a < n; a++)
    {
      g_string_append (text, a > 0 ? ", [" : "[");
      for (guint b = 0; b < n; b++)
        g_string_append_printf (text, b > 0 ? ", %u" : "%u", cells[a * n + b]);
      g_string_append (text, "]");
    }
  g_string_append (text, "])\n");
}

static gboolean
admitted (const Pair *p, const char *type, TlDiags *diags)
{
  GString *text = g_string_new ("algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))  for k, i, j\n");

  table_text (text, "f", p->plus, p->n);
  table_text (text, "g", p->times, p->n);
  g_string_append_printf (text, "data D: %s\n", type);
  g_autofree char *program = g_string_free (text, FALSE);
  g_autoptr (TlRecurrence) recurrence = recognise_text (program, NULL, diags);
  ck_assert_int_eq (recurrence == NULL, tl_diags_errors (diags) == 1);
  return recurrence != NULL;
}

static TlSemiring
semiring_of (const Pair *p)
{
  TlElementType type;

  g_assert_true (tl_element_type_parse ("u8", &type));
  TlSemiring s = { .carrier = tl_carrier_full (type) };
  s.carrier.high.i = p->n - 1;
  s.plus = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = p->n, .table = (guint8 *) p->plus };
  s.times = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = p->n, .table = (guint8 *) p->times };
  return s;
}

/* A verdict's counterexample, evaluated with the tables alone. */
static gboolean
really_fails (const Pair *p, const TlLawVerdict *v)
{
  guint a = (guint) v->a.i, b = (guint) v->b.i, c = (guint) v->c.i;

  switch (v->law)
    {
    case TL_LAW_PLUS_ASSOCIATIVE:
      return plus (p, plus (p, a, b), c) != plus (p, a, plus (p, b, c));
    case TL_LAW_PLUS_COMMUTATIVE:
      return plus (p, a, b) != plus (p, b, a);
    case TL_LAW_DISTRIBUTES_LEFT:
      return times (p, a, plus (p, b, c)) != plus (p, times (p, a, b), times (p, a, c));
    case TL_LAW_DISTRIBUTES_RIGHT:
      return times (p, plus (p, b, c), a) != plus (p, times (p, b, a), times (p, c, a));
    case TL_LAW_TIMES_ASSOCIATIVE:
      return times (p, times (p, a, b), c) != times (p, a, times (p, b, c));
    case TL_LAW_IDEMPOTENT:
      return plus (p, a, a) != a;
    case TL_LAW_ABSORPTIVE:
      return plus (p, a, times (p, a, c)) != a;
    case TL_LAW_ABSORPTIVE_LEFT:
      return plus (p, a, times (p, c, a)) != a;
    case TL_LAW_ZERO_NEUTRAL:
      return plus (p, 0, a) != a;
    case TL_LAW_ZERO_ABSORBING:
      return times (p, 0, a) != 0;
    case TL_LAW_ZERO_ABSORBING_RIGHT:
      return times (p, a, 0) != 0;
    case TL_LAW_ONE_NEUTRAL:
      return times (p, 0, a) != a;
    case TL_LAW_ONE_NEUTRAL_RIGHT:
      return times (p, a, 0) != a;
    default:
      return FALSE;
    }
}

/* All verdicts of the pair (zero and one both 0) tell the truth. */
static void
check_verdicts (const Pair *p)
{
  TlSemiring   s = semiring_of (p);
  TlLawVerdict verdicts[TL_N_LAWS];

  tl_semiring_laws (&s, verdicts);
  for (guint law = 0; law < TL_N_LAWS; law++)
    {
      ck_assert_int_eq (verdicts[law].law, law);
      ck_assert_int_ne (verdicts[law].basis, TL_BASIS_SEARCH);
      if (verdicts[law].holds)
        continue;
      ck_assert (really_fails (p, &verdicts[law]));
      ck_assert (!tl_law_evaluate (&s, law, verdicts[law].a, verdicts[law].b, verdicts[law].c, NULL, NULL));
    }
}

/* --- Pairs --- */

/* A semiring with a law or two, its values renamed: chains, a square, sums that stop. */
static void
structured (Pair *p, guint64 *state)
{
  guint8              name[MOST];
  /* 1 x 2 = 1 and 2 x 1 = 0 on a chain of four. */
  static const guint8 turning[16] = { 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 2, 2, 0, 1, 2, 3 };
  guint               kind = (guint) tl_test_random_below (state, 5);
  Pair                plain;

  plain.n = kind == 2 || kind == 4 ? 4 : 2 + (guint) tl_test_random_below (state, MOST - 1);
  for (guint a = 0; a < plain.n; a++)
    for (guint b = 0; b < plain.n; b++)
      {
        guint at = a * plain.n + b;
        plain.plus[at] = (guint8) (kind == 2 ? (a | b) : kind == 4 ? MAX (a, b) : MIN (a, b));
        plain.times[at] = (guint8) (kind == 0   ? MAX (a, b)
                                    : kind == 4 ? turning[at]
                                    : kind == 2 ? (a & b)
                                                : MIN (a + b, plain.n - 1));
      }
  for (guint i = 0; i < plain.n; i++)
    name[i] = (guint8) i;
  for (guint i = plain.n; i > 1; i--)
    {
      guint  other = (guint) tl_test_random_below (state, i);
      guint8 kept = name[i - 1];
      name[i - 1] = name[other];
      name[other] = kept;
    }
  p->n = plain.n;
  for (guint a = 0; a < p->n; a++)
    for (guint b = 0; b < p->n; b++)
      {
        p->plus[name[a] * p->n + name[b]] = name[plain.plus[a * p->n + b]];
        p->times[name[a] * p->n + name[b]] = name[plain.times[a * p->n + b]];
      }
  /* Often one cell is off. */
  if (kind == 3 || tl_test_random_below (state, 3) == 0)
    {
      guint8 *cells = tl_test_random_below (state, 2) ? p->plus : p->times;
      cells[tl_test_random_below (state, p->n * p->n)] = (guint8) tl_test_random_below (state, p->n);
    }
}

static void
any_pair (Pair *p, guint64 *state)
{
  p->n = 2 + (guint) tl_test_random_below (state, MOST - 1);
  for (guint i = 0; i < p->n * p->n; i++)
    {
      p->plus[i] = (guint8) tl_test_random_below (state, p->n);
      p->times[i] = (guint8) tl_test_random_below (state, p->n);
    }
}

START_TEST (random_pairs_are_decided_rightly)
{
  guint64 state = tl_test_seed ();
  guint   yes = 0, no = 0, differ = 0;

  for (guint i = 0; i < 4000; i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      Pair p;

      if (i % 4 == 0)
        any_pair (&p, &state);
      else
        structured (&p, &state);
      gboolean expected = is_semiring_for_closures (&p);
      ck_assert_int_eq (admitted (&p, "u8", diags), expected);
      check_verdicts (&p);
      yes += expected;
      no += !expected;
      for (guint t = 0; t < 10; t++)
        {
          gboolean equal = blocked_equals_scalar (&p, &state);
          ck_assert (equal || !expected);
          differ += !equal;
        }
    }
  ck_assert_uint_ge (yes, 500);
  ck_assert_uint_ge (no, 500);
  /* Tables without the laws do differ when blocked, so the equality above can fail. */
  ck_assert_uint_ge (differ, 1000);
}
END_TEST

/* min and max with tables of their own ways: neighbours decide distributivity there. */
START_TEST (chains_are_decided_rightly)
{
  guint64 state = tl_test_seed () + 7;
  guint   rising = 0;

  for (guint i = 0; i < 3000; i++)
    {
      Pair p;
      any_pair (&p, &state);
      if (i % 2 == 0) /* rising in both arguments */
        for (guint at = 0; at < p.n * p.n; at++)
          p.times[at] = (guint8) MIN (p.n - 1, (at / p.n + at % p.n * (i % 4)) / 2 + p.times[at] % 2);
      for (guint at = 0; at < p.n * p.n; at++)
        p.plus[at] = (guint8) (i % 3 ? MIN (at / p.n, at % p.n) : MAX (at / p.n, at % p.n));
      TlSemiring   s = semiring_of (&p), plain = s;
      TlLawVerdict chain[TL_N_LAWS], table[TL_N_LAWS];
      s.plus = (TlOperator) { .kind = i % 3 ? TL_OPERATOR_MIN : TL_OPERATOR_MAX };
      tl_semiring_laws (&s, chain);
      tl_semiring_laws (&plain, table);
      for (guint law = 0; law < TL_N_LAWS; law++)
        {
          ck_assert_int_eq (chain[law].holds, table[law].holds);
          ck_assert (chain[law].holds || really_fails (&p, &chain[law]));
        }
      rising += chain[TL_LAW_DISTRIBUTES_LEFT].holds && chain[TL_LAW_DISTRIBUTES_RIGHT].holds;
    }
  ck_assert_uint_ge (rising, 100);
}
END_TEST

/* All pairs of tables of two values, on bits, numbers and as bool; of three values all
 * accumulations that commute, with every combination that has a one. */
START_TEST (all_small_pairs_are_decided_rightly)
{
  static const char *const types[] = { "u1", "i32", "bool" };
  guint                    yes = 0;

  for (guint code = 0; code < 256; code++)
    {
      Pair p = { .n = 2 };
      for (guint i = 0; i < 4; i++)
        {
          p.plus[i] = code >> i & 1;
          p.times[i] = code >> (4 + i) & 1;
        }
      gboolean expected = is_semiring_for_closures (&p);
      yes += expected;
      check_verdicts (&p);
      for (guint t = 0; t < G_N_ELEMENTS (types); t++)
        {
          g_autoptr (TlDiags) diags = tl_diags_new ();
          gboolean got = admitted (&p, types[t], diags);
          if (got == expected)
            continue;
          /* On bool the update itself is judged: C and not (L nor R) is C and (L or R). */
          ck_assert_int_eq (t, 2);
          ck_assert (got);
          guint64 state = code;
          for (guint i = 0; i < 50; i++)
            ck_assert (blocked_equals_scalar (&p, &state));
        }
    }
  ck_assert_uint_eq (yes, 2);
}
END_TEST

START_TEST (pairs_of_three_are_decided_rightly)
{
  guint yes = 0;

  for (guint plus_code = 0; plus_code < 27; plus_code++)
    for (guint times_code = 0; times_code < 6561; times_code++)
      {
        /* Idempotent and commutative; one is value 2, the rest is free. */
        guint8 x = plus_code % 3, y = plus_code / 3 % 3, z = (guint8) (plus_code / 9);
        Pair   p = { .n = 3, .plus = { 0, x, y, x, 1, z, y, z, 2 } };
        guint  rest = times_code;
        for (guint a = 0; a < 2; a++)
          for (guint b = 0; b < 2; b++, rest /= 3)
            p.times[a * 3 + b] = rest % 3;
        if (rest % 81 != 0)
          continue;
        for (guint a = 0; a < 3; a++)
          p.times[a * 3 + 2] = p.times[6 + a] = (guint8) a;
        TlSemiring   s = semiring_of (&p);
        TlLawVerdict verdicts[TL_N_LAWS];
        gboolean     holds = TRUE;
        tl_semiring_laws (&s, verdicts);
        for (guint law = 0; law < TL_LAW_CLOSED_PLUS; law++)
          holds &= verdicts[law].holds;
        /* Zero comes with the laws: the least of a finite absorptive semiring. */
        ck_assert_int_eq (holds, is_semiring_for_closures (&p));
        yes += holds;
      }
  ck_assert_uint_ge (yes, 4);
}
END_TEST

/* --- Built-in pairs on ranges: algebra against trying everything --- */

START_TEST (algebra_agrees_with_trying)
{
  static const gint64 ranges[][2]
      = { { -2, 2 }, { 0, 3 }, { -3, 0 }, { 1, 3 }, { 0, 1 }, { -1, 0 }, { 2, 2 }, { 0, 0 } };
  TlElementType type;
  guint         failures = 0;

  ck_assert (tl_element_type_parse ("i32", &type));
  for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
    for (guint inf = 0; inf < 4; inf++)
      for (guint pair = 0; pair < 49; pair++)
        {
          TlSemiring   s = { .carrier = tl_carrier_full (type) };
          TlLawVerdict verdicts[TL_N_LAWS];
          g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (TlScalar));

          s.carrier.low.i = ranges[r][0];
          s.carrier.high.i = ranges[r][1];
          s.carrier.has_inf = inf & 1;
          s.carrier.has_minus_inf = inf >> 1;
          s.plus.kind = pair / 7;
          s.times.kind = pair % 7;
          for (gint64 v = ranges[r][0]; v <= ranges[r][1]; v++)
            {
              TlScalar value = { .i = v };
              g_array_append_val (values, value);
            }
          const TlScalar ends[2] = { { .i = TL_INF }, { .i = -TL_INF } };
          if (inf & 1)
            g_array_append_val (values, ends[0]);
          if (inf & 2)
            g_array_append_val (values, ends[1]);
          s.zero = g_array_index (values, TlScalar, pair % values->len);
          s.one = g_array_index (values, TlScalar, pair / 3 % values->len);
          tl_semiring_laws (&s, verdicts);
          for (guint law = 0; law < TL_N_LAWS; law++)
            {
              gboolean holds = TRUE;
              for (guint a = 0; a < values->len && holds; a++)
                for (guint b = 0; b < values->len && holds; b++)
                  for (guint c = 0; c < values->len && holds; c++)
                    holds = tl_law_evaluate (&s, law, g_array_index (values, TlScalar, a),
                                             g_array_index (values, TlScalar, b), g_array_index (values, TlScalar, c),
                                             NULL, NULL);
              if (verdicts[law].holds != holds)
                g_printerr ("range %u inf %u pair (%s, %s), %s: %s\n", r, inf, tl_operator_name (s.plus.kind),
                            tl_operator_name (s.times.kind), tl_law_name (law), holds ? "holds" : "fails");
              ck_assert_int_eq (verdicts[law].holds, holds);
              failures += !holds;
            }
        }
  ck_assert_uint_ge (failures, 1000);
}
END_TEST

/* Known semirings cost no search. */
START_TEST (known_semirings_are_proved)
{
  static const char *const types[] = { "i8", "i32", "i64", "u8", "u32", "f16", "f32", "f64", "bool", "i4", "u1" };
  TlElementType            type;
  guint                    seen = 0;

  ck_assert (tl_element_type_parse (types[_i], &type));
  for (guint pair = 0; pair < 49; pair++)
    {
      g_autoptr (TlSemiring) s = tl_semiring_known (pair / 7, pair % 7, type);
      TlLawVerdict verdicts[TL_N_LAWS];
      if (s == NULL)
        continue;
      seen++;
      tl_semiring_laws (s, verdicts);
      for (guint law = 0; law < TL_N_LAWS; law++)
        if (tl_law_clause (law) == 'a'
            || (s->plus.kind <= TL_OPERATOR_MAX && law != TL_LAW_ABSORPTIVE && law != TL_LAW_ABSORPTIVE_LEFT))
          {
            ck_assert (verdicts[law].holds);
            ck_assert_int_eq (verdicts[law].basis, TL_BASIS_ALGEBRA);
          }
      gboolean sums
          = s->times.kind == TL_OPERATOR_ADD || s->plus.kind == TL_OPERATOR_ADD || s->plus.kind == TL_OPERATOR_XOR;
      gboolean whole = s->carrier.low.i == 0 && type.kind == TL_ELEMENT_UINT && s->plus.kind == TL_OPERATOR_MIN;
      ck_assert_int_eq (verdicts[TL_LAW_ABSORPTIVE].holds, !sums || whole);
    }
  ck_assert_uint_ge (seen, 3);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-g1-laws");
  TCase *tcase = tcase_create ("laws");

  tcase_add_test (tcase, random_pairs_are_decided_rightly);
  tcase_add_test (tcase, chains_are_decided_rightly);
  tcase_add_test (tcase, all_small_pairs_are_decided_rightly);
  tcase_add_test (tcase, pairs_of_three_are_decided_rightly);
  tcase_add_test (tcase, algebra_agrees_with_trying);
  tcase_add_loop_test (tcase, known_semirings_are_proved, 0, 11);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
