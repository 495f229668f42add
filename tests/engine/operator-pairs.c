/* Making pairs and judging refusals: no line in common with the checker. */
#include "operator-pairs.h"

/* --- Trying everything --- */

Truth
truth_of (const Pair *p)
{
  Truth truth = { 0 };

  for (guint a = 0; a < N; a++)
    {
      gboolean zero = TRUE, one = TRUE;

      if (p->plus[a][a] != a)
        truth.failing |= 1 << IDEMPOTENT;
      for (guint b = 0; b < N; b++)
        {
          zero &= p->plus[a][b] == b && p->plus[b][a] == b && p->times[a][b] == a && p->times[b][a] == a;
          one &= p->times[a][b] == b && p->times[b][a] == b;
          if (p->plus[a][b] != p->plus[b][a])
            truth.failing |= 1 << PLUS_COMMUTATIVE;
          if (p->plus[a][p->times[a][b]] != a || p->plus[a][p->times[b][a]] != a)
            truth.failing |= 1 << ABSORPTIVE;
          for (guint c = 0; c < N; c++)
            {
              if (p->plus[p->plus[a][b]][c] != p->plus[a][p->plus[b][c]])
                truth.failing |= 1 << PLUS_ASSOCIATIVE;
              if (p->times[p->times[a][b]][c] != p->times[a][p->times[b][c]])
                truth.failing |= 1 << TIMES_ASSOCIATIVE;
              if (p->times[a][p->plus[b][c]] != p->plus[p->times[a][b]][p->times[a][c]])
                truth.failing |= 1 << DISTRIBUTES_LEFT;
              if (p->times[p->plus[b][c]][a] != p->plus[p->times[b][a]][p->times[c][a]])
                truth.failing |= 1 << DISTRIBUTES_RIGHT;
            }
        }
      if (zero)
        truth.has_zero = TRUE, truth.zero = a;
      if (one)
        truth.has_one = TRUE, truth.one = a;
    }
  return truth;
}

/* --- Making pairs --- */

void
rename_values (Pair *p, guint64 *state)
{
  const Pair plain = *p;
  guint8     name[N];

  for (guint i = 0; i < N; i++)
    name[i] = (guint8) i;
  for (guint i = N; i > 1; i--)
    {
      guint  other = below (state, i);
      guint8 kept = name[i - 1];
      name[i - 1] = name[other];
      name[other] = kept;
    }
  for (guint a = 0; a < N; a++)
    for (guint b = 0; b < N; b++)
      {
        p->plus[name[a]][name[b]] = name[plain.plus[a][b]];
        p->times[name[a]][name[b]] = name[plain.times[a][b]];
      }
}

/* max with a combination that is min between blocks of the chain and something of its own in
 * each: min, a sum that stops at the block's bottom, or the bottom. */
static void
chain_of_blocks (Pair *p, guint64 *state, guint from)
{
  for (guint a = 0; a < N; a++)
    for (guint b = 0; b < N; b++)
      {
        p->plus[a][b] = (guint8) MAX (a, b);
        if (a >= from || b >= from)
          p->times[a][b] = (guint8) MIN (a, b);
      }
  /* A block is from..to - 1; the value above it, and the top of the last one, are neutral in it. */
  for (guint low = from, high; low < N - 1; low = high)
    {
      guint kind = below (state, 3);

      high = low + 1 + below (state, 5);
      high = MIN (high, N - 1);
      for (guint a = low; a < high; a++)
        for (guint b = low; b < high; b++)
          p->times[a][b] = (guint8) (kind == 0 ? MIN (a, b) : kind == 1 && a + b > high + low ? a + b - high : low);
    }
}

/* Pairs that satisfy everything: chains of blocks, sums that stop, subsets, a chain times a
 * chain, and a combination that does not commute. */
void
make_lawful (Pair *p, guint64 *state)
{
  static const guint8 turning[4][4] = { { 0, 0, 0, 0 }, { 0, 0, 1, 1 }, { 0, 0, 2, 2 }, { 0, 1, 2, 3 } };
  guint               kind = below (state, 6);

  chain_of_blocks (p, state, kind == 4 ? 3 : 0);
  for (guint a = 0; a < N; a++)
    for (guint b = 0; b < N; b++)
      switch (kind)
        {
        case 1: /* subsets of three */
          p->plus[a][b] = (guint8) (a | b);
          p->times[a][b] = (guint8) (a & b);
          break;
        case 2: /* min and a sum that stops */
          p->plus[a][b] = (guint8) MIN (a, b);
          p->times[a][b] = (guint8) MIN (a + b, N - 1);
          break;
        case 3: /* two values beside four, the four with a sum that stops or min */
          p->plus[a][b] = (guint8) (((a | b) & 4) + MAX (a & 3, b & 3));
          p->times[a][b] = (guint8) (((a & b) & 4) + MIN (a & 3, b & 3));
          break;
        case 4: /* 1 x 2 = 1 and 2 x 1 = 0 below blocks of their own */
          if (a < 3 && b < 3)
            p->times[a][b] = turning[a][b];
          break;
        default:
          break;
        }
  rename_values (p, state);
}

/* Pairs that fail this law and no other. */
static void
make_failing (Pair *p, Law law, guint64 *state)
{
  /* All associative combinations on a chain of four, no greater than either operand, that rise
   * with the first operand and not with the second. */
  static const guint8 one_sided[6][4][4] = {
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 1, 0 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 1, 0, 3 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 2 }, { 0, 1, 0, 3 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 1, 0 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 1, 1 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 1 }, { 0, 0, 0, 2 }, { 0, 1, 0, 3 } },
  };
  guint first = 1 + below (state, 3), second = first + 1 + below (state, 3), turn = below (state, 2);

  memset (p, 0, sizeof *p); /* a combination that is always 0 */
  switch (law)
    {
    case PLUS_COMMUTATIVE: /* of equals by block the first stays */
      for (guint a = 0; a < N; a++)
        for (guint b = 0; b < N; b++)
          {
            guint of_a = (a >= first) + (a >= second), of_b = (b >= first) + (b >= second);
            p->plus[a][b] = (guint8) (of_a >= of_b ? a : b);
          }
      break;
    case PLUS_ASSOCIATIVE: /* 0 is neutral, the rest as it comes */
      for (guint a = 0; a < N; a++)
        for (guint b = 0; b <= a; b++)
          p->plus[a][b] = p->plus[b][a] = (guint8) (a == b || b == 0 ? a : 1 + below (state, N - 1));
      break;
    case IDEMPOTENT: /* sums: they go round, stop, or go round in parts */
      first = below (state, 4);
      for (guint a = 0; a < N; a++)
        for (guint b = 0; b < N; b++)
          p->plus[a][b] = (guint8) (first == 0   ? (a + b) % N
                                    : first == 1 ? (a ^ b)
                                    : first == 2 ? MIN (a + b, N - 1)
                                                 : ((a + b) & 3) | ((a ^ b) & 4));
      break;
    case ABSORPTIVE: /* sums on a chain, or one operation twice */
      first = below (state, 3);
      for (guint a = 0; a < N; a++)
        for (guint b = 0; b < N; b++)
          {
            p->plus[a][b] = (guint8) MAX (a, b);
            p->times[a][b] = (guint8) (first == 0             ? MAX (a, b)
                                       : first == 1           ? MIN (a + b, N - 1)
                                       : a > turn && b > turn ? MIN (a + b - turn, N - 1)
                                                              : MIN (a, b));
          }
      break;
    case DISTRIBUTES_LEFT:
    case DISTRIBUTES_RIGHT:
      chain_of_blocks (p, state, 4);
      first = below (state, G_N_ELEMENTS (one_sided));
      for (guint a = 0; a < 4; a++)
        for (guint b = 0; b < 4; b++)
          p->times[a][b] = law == DISTRIBUTES_LEFT ? one_sided[first][a][b] : one_sided[first][b][a];
      break;
    case TIMES_ASSOCIATIVE:
      /* Three values below a chain of blocks: any combination that is no greater than either. */
      chain_of_blocks (p, state, 3);
      for (guint a = 0; a < 3; a++)
        for (guint b = 0; b < 3; b++)
          p->times[a][b] = (guint8) below (state, MIN (a, b) + 1);
      break;
    case N_LAWS:
      break;
    }
  rename_values (p, state);
}

/* As anything comes: a lawful pair with cells off, or no structure at all. */
static void
make_any (Pair *p, guint64 *state)
{
  guint off = 1 + below (state, 3);

  make_lawful (p, state);
  if (off == 3)
    for (guint k = 0; k < N * N; k++)
      p->times[k / N][k % N] = (guint8) below (state, N);
  for (guint k = 0; k < off; k++)
    (below (state, 2) ? p->plus : p->times)[below (state, N)][below (state, N)] = (guint8) below (state, N);
}

GArray *
make_pairs (guint64 *state)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  Pair    p;

  for (guint tries = 0; pairs->len < 160; tries++)
    {
      make_lawful (&p, state);
      Truth truth = truth_of (&p);
      ck_assert (truth.failing == 0 && truth.has_zero && truth.has_one);
      g_array_append_val (pairs, p);
    }
  for (Law law = 0; law < N_LAWS; law++)
    for (guint found = 0, tries = 0; found < 20; tries++)
      {
        ck_assert_msg (tries < 20000, "law %d: %u found", law, found);
        make_failing (&p, law, state);
        if (truth_of (&p).failing != 1u << law)
          continue;
        g_array_append_val (pairs, p);
        found++;
      }
  while (pairs->len < PAIRS)
    {
      make_any (&p, state);
      g_array_append_val (pairs, p);
    }
  return pairs;
}

/* --- Programs --- */

static void
add_table (GString *text, const char *name, const guint8 cells[N][N])
{
  g_string_append_printf (text, "op %s = table([", name);
  for (guint a = 0; a < N; a++)
    {
      g_string_append (text, a > 0 ? ", [" : "[");
      for (guint b = 0; b < N; b++)
        g_string_append_printf (text, b > 0 ? ", %u" : "%u", cells[a][b]);
      g_string_append_c (text, ']');
    }
  g_string_append (text, "])\n");
}

char *
program_of (const Pair *p, const char *algorithm, const char *data)
{
  GString *text = g_string_new (algorithm);

  add_table (text, "f", p->plus);
  add_table (text, "g", p->times);
  g_string_append (text, data);
  return g_string_free (text, FALSE);
}

const TlDiag *
first_error (const TlDiags *diags)
{
  for (guint d = 0; d < tl_diags_count (diags); d++)
    if (tl_diags_get (diags, d)->severity == TL_SEVERITY_ERROR)
      return tl_diags_get (diags, d);
  return NULL;
}

/* --- Refusals --- */

static guint
value_in (const char *text, const char *key, gboolean *there)
{
  g_autofree char *whole = g_strdup_printf ("%s = ", key);
  const char      *at = strstr (text, whole);

  *there = at != NULL;
  return at != NULL ? (guint) g_ascii_strtoull (at + strlen (whole), NULL, 10) : 0;
}

static guint
side_in (const char *text, const char *side)
{
  g_autofree char *whole = g_strdup_printf ("%s side ", side);
  const char      *at = strstr (text, whole);

  ck_assert_ptr_nonnull (at);
  at += strlen (whole);
  return (guint) g_ascii_strtoull (g_str_has_prefix (at, "is ") ? at + 3 : at, NULL, 10);
}

/* Evaluates what the reason says with the tables alone: which law (N_LAWS: of zero or one),
 * and that its sides are as said and differ. */
static Law
law_refuted (const Pair *p, const char *reason)
{
  static const struct
  {
    const char *formula;
    Law         law;
  } formulas[] = {
    { "(a (+) b) (+) c = a (+) (b (+) c)", PLUS_ASSOCIATIVE },
    { "a (+) b = b (+) a", PLUS_COMMUTATIVE },
    { "a (x) (b (+) c) = (a (x) b) (+) (a (x) c)", DISTRIBUTES_LEFT },
    { "(b (+) c) (x) a = (b (x) a) (+) (c (x) a)", DISTRIBUTES_RIGHT },
    { "(a (x) b) (x) c = a (x) (b (x) c)", TIMES_ASSOCIATIVE },
    { "a (+) a = a", IDEMPOTENT },
    { "a (+) (a (x) c) = a", ABSORPTIVE },
    { "a (+) (c (x) a) = a", ABSORPTIVE },
    { "zero (+) a = a", N_LAWS },
    { "zero (x) a = zero", N_LAWS },
    { "a (x) zero = zero", N_LAWS },
    { "one (x) a = a", N_LAWS },
    { "a (x) one = a", N_LAWS },
  };
  const char *at = strstr (reason, " fails at ");
  gboolean    there;

  ck_assert_msg (at != NULL, "no counterexample: %s", reason);
  guint a = value_in (at, "at a", &there), b = value_in (at, ", b", &there), c = value_in (at, ", c", &there);
  guint left = side_in (at, "left"), right = side_in (at, "right"), ours_left = a, ours_right = a, f;

  for (f = 0; f < G_N_ELEMENTS (formulas); f++)
    {
      gsize length = strlen (formulas[f].formula);
      if ((gsize) (at - reason) >= length + 2 && strncmp (at - length, formulas[f].formula, length) == 0
          && strncmp (at - length - 2, ": ", 2) == 0)
        break;
    }
  ck_assert_msg (f < G_N_ELEMENTS (formulas), "no law: %s", reason);
  switch (f)
    {
    case 0:
      ours_left = p->plus[p->plus[a][b]][c];
      ours_right = p->plus[a][p->plus[b][c]];
      break;
    case 1:
      ours_left = p->plus[a][b];
      ours_right = p->plus[b][a];
      break;
    case 2:
      ours_left = p->times[a][p->plus[b][c]];
      ours_right = p->plus[p->times[a][b]][p->times[a][c]];
      break;
    case 3:
      ours_left = p->times[p->plus[b][c]][a];
      ours_right = p->plus[p->times[b][a]][p->times[c][a]];
      break;
    case 4:
      ours_left = p->times[p->times[a][b]][c];
      ours_right = p->times[a][p->times[b][c]];
      break;
    case 5:
      ours_left = p->plus[a][a];
      break;
    case 6:
      ours_left = p->plus[a][p->times[a][c]];
      break;
    case 7:
      ours_left = p->plus[a][p->times[c][a]];
      break;
    default:
      /* That no value at all is neutral, or that the neutral one does not absorb, the caller asks. */
      ck_assert_uint_ne (left, right);
      return N_LAWS;
    }
  ck_assert_uint_eq (ours_left, left);
  ck_assert_uint_eq (ours_right, right);
  ck_assert_uint_ne (left, right);
  return formulas[f].law;
}

void
check_refusal (const Pair *p, const Truth *truth, const TlDiag *diag, guint asked)
{
  static const char *const codes[] = { "not-associative", "not-commutative", "not-distributive", "not-distributive",
                                       "not-associative", "not-idempotent",  "not-absorptive" };
  Law                      law = law_refuted (p, diag->reason);

  if (law == N_LAWS)
    {
      ck_assert (!(truth->failing & asked));
      ck_assert (g_str_equal (diag->code, "no-zero") ? !truth->has_zero : !truth->has_one);
      return;
    }
  ck_assert_str_eq (diag->code, codes[law]);
  ck_assert (truth->failing & asked & (1u << law));
  ck_assert_ptr_nonnull (strstr (diag->reason, (1 << law) & CLAUSE_A ? "clause (a)" : "clause (d)"));
}
