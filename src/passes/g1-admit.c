/* Admission: which recognised updates may be run blocked (language.md, "What is
 * admitted and what is refused"), clauses (a) and (d) on the semiring, and that
 * the data lie on its carrier with room for their sums. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

static double
as_number (const TlCarrier *carrier, TlScalar value)
{
  if (tl_carrier_is_float (carrier))
    return value.r;
  return value.i == TL_INF ? INFINITY : value.i == -TL_INF ? -INFINITY : (double) value.i;
}

/* --- Laws --- */

static const struct
{
  const char *code;
  const char *what; /* of the operator in %s, or of the pair */
  gboolean    about_plus;
} refusals[TL_N_LAWS] = {
  [TL_LAW_PLUS_ASSOCIATIVE] = { "not-associative", "the accumulation \"%s\" is not associative", TRUE },
  [TL_LAW_PLUS_COMMUTATIVE] = { "not-commutative", "the accumulation \"%s\" is not commutative", TRUE },
  [TL_LAW_DISTRIBUTES_LEFT] = { "not-distributive", "\"%s\" does not distribute over the accumulation", FALSE },
  [TL_LAW_DISTRIBUTES_RIGHT] = { "not-distributive", "\"%s\" does not distribute over the accumulation", FALSE },
  [TL_LAW_TIMES_ASSOCIATIVE] = { "not-associative", "the combination \"%s\" is not associative", FALSE },
  [TL_LAW_IDEMPOTENT] = { "not-idempotent", "accumulating a value twice with \"%s\" changes the result", TRUE },
  [TL_LAW_ABSORPTIVE] = { "not-absorptive", "a longer path by \"%s\" can be better than the one it goes along", FALSE },
  [TL_LAW_ABSORPTIVE_LEFT]
  = { "not-absorptive", "a longer path by \"%s\" can be better than the one it goes along", FALSE },
  [TL_LAW_CLOSED_PLUS] = { "not-closed", "\"%s\" leaves the carrier", TRUE },
  [TL_LAW_CLOSED_TIMES] = { "not-closed", "\"%s\" leaves the carrier", FALSE },
  [TL_LAW_ZERO_NEUTRAL] = { "no-zero", "zero is not neutral for \"%s\"", TRUE },
  [TL_LAW_ZERO_ABSORBING] = { "no-zero", "zero is not absorbing for \"%s\"", FALSE },
  [TL_LAW_ZERO_ABSORBING_RIGHT] = { "no-zero", "zero is not absorbing for \"%s\"", FALSE },
  [TL_LAW_ONE_NEUTRAL] = { "no-one", "one is not neutral for \"%s\"", FALSE },
  [TL_LAW_ONE_NEUTRAL_RIGHT] = { "no-one", "one is not neutral for \"%s\"", FALSE },
};

static const char *
remedy (const TlG1 *g1, const TlG1Match *match, const TlSemiring *s, TlLaw law)
{
  gboolean pair = match->declared == NULL && (s->plus.kind == TL_OPERATOR_MIN || s->plus.kind == TL_OPERATOR_MAX)
                  && s->times.kind == TL_OPERATOR_MUL;

  if (pair && s->plus.kind == TL_OPERATOR_MAX)
    return "say on which values it runs: semiring (max, *) on 0..1: zero = 0, one = 1";
  if (pair)
    return "say on which values it runs: semiring (min, *) on 1..inf: zero = inf, one = 1";
  switch (law)
    {
    case TL_LAW_ABSORPTIVE:
    case TL_LAW_ABSORPTIVE_LEFT:
      if (s->plus.kind == TL_OPERATOR_MIN || s->plus.kind == TL_OPERATOR_MAX)
        return "say in a semiring line a carrier on which no value is better than one, or give the operands names of "
               "their own (C[i,j] from A[i,k] and B[k,j])";
      return "give the operands names of their own (C[i,j] from A[i,k] and B[k,j]): a product meets every path once";
    case TL_LAW_IDEMPOTENT:
    case TL_LAW_TIMES_ASSOCIATIVE:
      return "give the operands names of their own (C[i,j] from A[i,k] and B[k,j]): a product meets every path once";
    case TL_LAW_CLOSED_PLUS:
    case TL_LAW_CLOSED_TIMES:
      return "widen the carrier in the semiring line, or bound the operator";
    case TL_LAW_ZERO_NEUTRAL:
    case TL_LAW_ZERO_ABSORBING:
    case TL_LAW_ZERO_ABSORBING_RIGHT:
    case TL_LAW_ONE_NEUTRAL:
    case TL_LAW_ONE_NEUTRAL_RIGHT:
      return "say carrier, zero and one in a line: semiring (f, g) on LOW..HIGH: zero = Z, one = E";
    default:
      return "use an accumulation and a combination for which it holds, as min with + or max with min";
    }
}

static char *
operator_name (const char *name, const TlOperator *op, const TlCarrier *carrier)
{
  return name != NULL ? g_strdup (name) : tl_operator_text (op, carrier);
}

static void
refuse_law (TlG1 *g1, const TlG1Match *match, const TlSemiring *s, const TlLawVerdict *verdict)
{
  TlLaw            law = verdict->law;
  g_autofree char *plus = operator_name (match->plus_name, &s->plus, &s->carrier);
  g_autofree char *times = operator_name (match->times_name, &s->times, &s->carrier);
  const char      *text = refusals[law].about_plus ? plus : times;
  g_autofree char *case_text = tl_law_text (s, verdict);
  g_autofree char *pair = g_strdup_printf ("(%s, %s)", plus, times);
  g_autofree char *message = NULL;
  const char      *code = refusals[law].code;

  if (match->no_zero && law == TL_LAW_ZERO_NEUTRAL)
    message = g_strdup_printf ("no value is a zero of \"%s\": none is neutral", text);
  else if (match->no_one && law == TL_LAW_ONE_NEUTRAL)
    message = g_strdup_printf ("no value is a one of \"%s\": none is neutral", text);
  else
    {
      const char *format = refusals[law].what;
      const char *gap = strstr (format, "%s");
      message = g_strdup_printf ("%.*s%s%s", (int) (gap - format), format, text, gap + 2);
    }
  /* A combination written in place that mixes operations is a near miss first. */
  if (match->mixed && match->declared == NULL)
    code = "mixed-semirings";
  TlDiag *diag = tl_g1_error (g1, code, refusals[law].about_plus ? match->plus_span : match->times_span, "%s", message);
  if (diag != NULL)
    tl_diag_reason (diag, "clause (%c), %s of %s: %s; %s", tl_law_clause (law), tl_law_name (law), pair, case_text,
                    remedy (g1, match, s, law));
}

/* Moves an end of @part so that @value, a zero or a one, is among its values. */
static void
take_in (TlCarrier *part, TlScalar value)
{
  if (isinf (as_number (part, value)))
    {
      part->has_inf |= as_number (part, value) > 0;
      part->has_minus_inf |= as_number (part, value) < 0;
      return;
    }
  if (tl_scalar_compare (part, value, part->low) < 0)
    part->low = value;
  if (tl_scalar_compare (part, value, part->high) > 0)
    part->high = value;
}

/* Whether @law holds on the values that can occur: a part of the carrier with the
 * data, zero and one in it that both operators stay in. */
static gboolean
holds_on_values (const TlSemiring *s, const TlDataFacts *facts, TlLaw law, gboolean *searched)
{
  for (guint ends = 1; ends < 4; ends++)
    {
      TlSemiring part = *s;

      if (ends & 1)
        {
          part.carrier.low = facts->low;
          part.carrier.has_minus_inf = FALSE;
        }
      if (ends & 2)
        {
          part.carrier.high = facts->high;
          part.carrier.has_inf = FALSE;
        }
      take_in (&part.carrier, s->zero);
      take_in (&part.carrier, s->one);
      const TlLaw needed[] = { TL_LAW_CLOSED_PLUS, TL_LAW_CLOSED_TIMES, law };
      gboolean    holds = TRUE, tried = FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (needed) && holds; i++)
        {
          TlLawVerdict verdict = tl_semiring_law (&part, needed[i]);
          holds = verdict.holds;
          tried |= verdict.basis == TL_BASIS_SEARCH;
        }
      if (holds)
        {
          *searched |= tried;
          return TRUE;
        }
    }
  return FALSE;
}

/* (min, +) and (max, +): what (d) lacks is checked while they run. */
static gboolean
checked_at_run (const TlSemiring *s)
{
  return s->times.kind == TL_OPERATOR_ADD && (s->plus.kind == TL_OPERATOR_MIN || s->plus.kind == TL_OPERATOR_MAX);
}

static gboolean
never_better_than_one (const TlSemiring *s, const TlDataFacts *facts)
{
  return s->plus.kind == TL_OPERATOR_MIN ? tl_scalar_compare (&s->carrier, facts->low, s->one) >= 0
                                         : tl_scalar_compare (&s->carrier, facts->high, s->one) <= 0;
}

static gboolean
admit_laws (TlG1 *g1, const TlG1Match *match, const TlDataFacts *facts, TlRecurrence *recurrence)
{
  const TlSemiring *s = recurrence->semiring;
  gboolean          known = facts != NULL && facts->bounds_known;
  TlLawVerdict      verdicts[TL_N_LAWS];

  tl_semiring_laws (s, verdicts);
  for (guint law = 0; law < TL_N_LAWS; law++)
    {
      if (tl_law_clause (law) == 'd' && !recurrence->closure)
        continue;
      if (verdicts[law].holds)
        {
          recurrence->unproved |= verdicts[law].basis == TL_BASIS_SEARCH;
          continue;
        }
      gboolean absorption = law == TL_LAW_ABSORPTIVE || law == TL_LAW_ABSORPTIVE_LEFT;
      if (absorption && checked_at_run (s))
        {
          recurrence->cycle_check = !known || !never_better_than_one (s, facts);
          continue;
        }
      if (absorption && known && holds_on_values (s, facts, law, &recurrence->unproved))
        continue;
      refuse_law (g1, match, s, &verdicts[law]);
      return FALSE;
    }
  return TRUE;
}

/* --- The data --- */

static TlSpan
type_place (const TlG1 *g1)
{
  return g1->data == NULL ? g1->nest->span : g1->element_said ? g1->data->type_span : g1->data->span;
}

static gboolean
data_on_carrier (TlG1 *g1, const TlG1Match *match, const TlSemiring *s, const TlDataFacts *facts)
{
  const TlCarrier *carrier = &s->carrier;
  gboolean         below = tl_scalar_compare (carrier, facts->low, carrier->low) < 0;

  if (!below && tl_scalar_compare (carrier, facts->high, carrier->high) <= 0)
    return TRUE;
  g_autofree char *value = tl_scalar_text (carrier, below ? facts->low : facts->high);
  g_autofree char *low = tl_scalar_text (carrier, carrier->low);
  g_autofree char *high = carrier->has_inf ? g_strdup ("inf") : tl_scalar_text (carrier, carrier->high);
  g_autofree char *pair = tl_semiring_text (s);
  TlDiag          *diag = tl_g1_error (g1, "data-outside-carrier", g1->data ? g1->data->span : g1->nest->span,
                                       "%s holds %s, which is no value of %s", g1->target->text, value, pair);
  gboolean made = g1->data != NULL && (g1->data->source == NULL || g_strcmp0 (g1->data->source->text, "random") == 0);
  if (diag != NULL)
    tl_diag_reason (diag, "%s runs on the values %s..%s%s%s", pair, low, high,
                    match->logical            ? "; for more than 0 and 1 use min and max"
                    : match->declared == NULL ? "; a semiring line can say other values, zero and one"
                                              : ", as its semiring line says",
                    made ? "; random(SEED, low = L, high = H) makes others" : "");
  return FALSE;
}

/* Largest magnitude of a combination of @n edges, by growing the path edge by
 * edge at the corners of what is reached so far; inf when it passes 64 bits. */
static double
grown_magnitude (const TlSemiring *s, double magnitude, guint64 n)
{
  TlCarrier wide = s->carrier;
  gboolean  real = tl_carrier_is_float (&wide);
  double    reach = magnitude;

  for (guint64 step = 1; step < n && isfinite (reach) && reach < 9e18; step++)
    {
      double next = reach;
      for (guint corner = 0; corner < 8; corner++)
        {
          double   a = corner & 1 ? reach : -reach, b = corner & 2 ? magnitude : -magnitude;
          TlScalar x = real ? (TlScalar) { .r = a } : (TlScalar) { .i = (gint64) a };
          TlScalar y = real ? (TlScalar) { .r = b } : (TlScalar) { .i = (gint64) b };
          /* Values outside the carrier do not occur. */
          if (as_number (&wide, wide.low) > MIN (a, b))
            continue;
          double z = as_number (&wide, tl_operator_raw (&s->times, &wide, corner & 4 ? y : x, corner & 4 ? x : y));
          next = MAX (next, fabs (z));
        }
      if (next == reach)
        break;
      reach = next;
    }
  return reach;
}

static gboolean
grows (const TlSemiring *s)
{
  return s->times.kind == TL_OPERATOR_ADD || s->times.kind == TL_OPERATOR_MUL
         || s->times.kind == TL_OPERATOR_EXPRESSION;
}

static double
reach_of (const TlSemiring *s, double magnitude, guint64 n, gboolean cycle_check)
{
  if (s->times.kind == TL_OPERATOR_ADD)
    return magnitude * (double) (cycle_check ? n + 1 : n > 0 ? n - 1 : 0);
  return grown_magnitude (s, magnitude, n > 0 ? n - 1 : 0);
}

/* (N - 1) max|w| or, under the check, (N + 1) max|w|: exact below 2^63. */
static gboolean
sums_fit (const TlSemiring *s, const TlDataFacts *facts, gboolean cycle_check, TlElementType element, double *reach)
{
  TlCarrier full = tl_carrier_full (element);
  double    low = fabs (as_number (&s->carrier, facts->low));
  double    high = fabs (as_number (&s->carrier, facts->high));
  double    magnitude = MAX (low, high);

  *reach = reach_of (s, magnitude, facts->rows, cycle_check);
  if (tl_element_type_is_float (element))
    return *reach <= full.high.r;
  if (s->times.kind == TL_OPERATOR_ADD)
    {
      __int128 exact = (__int128) MAX (ABS ((__int128) facts->low.i), ABS ((__int128) facts->high.i))
                       * (cycle_check       ? (__int128) facts->rows + 1
                          : facts->rows > 0 ? (__int128) facts->rows - 1
                                            : 0);
      return exact <= full.high.i;
    }
  return *reach <= (double) full.high.i;
}

static gboolean
room_for_sums (TlG1 *g1, const TlSemiring *s, const TlDataFacts *facts, gboolean cycle_check)
{
  double   reach;
  TlScalar end = tl_carrier_full (s->carrier.element).high;

  if (facts->rows == 0 || !grows (s)
      || (s->times.kind != TL_OPERATOR_ADD && tl_scalar_compare (&s->carrier, s->carrier.high, end) < 0))
    return TRUE; /* a carrier with an end of its own is closed, the laws saw to that */
  if (sums_fit (s, facts, cycle_check, s->carrier.element, &reach))
    return TRUE;
  TlElementType    type = s->carrier.element;
  double           unused;
  g_autofree char *name = tl_element_type_name (type);
  do
    type = tl_element_type_next (type);
  while (type.bits != 0 && !sums_fit (s, facts, cycle_check, type, &unused));
  g_autofree char *wider = type.bits != 0 ? tl_element_type_name (type) : NULL;
  TlDiag *diag = tl_g1_error (g1, "sums-overflow", type_place (g1), "values of %s may reach %.0f, more than %s holds",
                              g1->target->text, reach, name);
  if (diag == NULL)
    return FALSE;
  g_autofree char *low = tl_scalar_text (&s->carrier, facts->low);
  g_autofree char *high = tl_scalar_text (&s->carrier, facts->high);
  const char      *why = s->times.kind != TL_OPERATOR_ADD ? "a path of N - 1 edges combines as many values"
                         : cycle_check                    ? "with the check for cycles no value passes (N + 1) max|w|"
                                                          : "a path has at most N - 1 edges, each at most max|w|";
  tl_diag_reason (diag, "%s, with N = %" G_GUINT64_FORMAT " and values %s..%s; sums never wrap or clamp%s%s", why,
                  facts->rows, low, high, wider ? "; use " : "; no wider type exists, scale the weights",
                  wider ? wider : "");
  if (wider != NULL && g1->data != NULL)
    {
      g_autofree char *title = g_strdup_printf ("make the type %s", wider);
      g_autofree char *inserted = g_strdup_printf (": %s", wider);
      if (g1->element_said)
        tl_diag_fix (diag, title, g1->data->type_span, wider);
      else if (g1->data->n_names == 1)
        tl_diag_fix (diag, title, tl_span (g1->data->name_spans[0].end, g1->data->name_spans[0].end), inserted);
    }
  return FALSE;
}

/* What is known about the values without reading any: data that have no source are
 * small and not negative for a closure. */
static const TlDataFacts *
facts_of (const TlG1 *g1, const TlCarrier *carrier, TlDataFacts *assumed)
{
  const TlDataFacts *facts = tl_g1_facts (g1, g1->target->text);

  if (facts != NULL && facts->bounds_known)
    return facts;
  if (g1->data == NULL || g1->data->source != NULL || g1->data->damaged)
    return facts;
  *assumed = facts != NULL ? *facts : (TlDataFacts) { 0 };
  assumed->rows = 0;
  assumed->bounds_known = TRUE;
  if (tl_carrier_is_float (carrier))
    assumed->high.r = carrier->high.r;
  else
    assumed->high.i = carrier->high.i;
  assumed->low = tl_carrier_is_float (carrier) ? (TlScalar) { .r = MAX (0, carrier->low.r) }
                                               : (TlScalar) { .i = MAX (0, carrier->low.i) };
  return assumed;
}

gboolean
tl_g1_admit (TlG1 *g1, const TlG1Match *match, TlRecurrence *recurrence)
{
  const TlSemiring  *s = recurrence->semiring;
  TlDataFacts        assumed;
  const TlDataFacts *facts = facts_of (g1, &s->carrier, &assumed);
  gboolean           known = facts != NULL && facts->bounds_known;

  if (known && recurrence->closure && !data_on_carrier (g1, match, s, facts))
    return FALSE;
  if (!admit_laws (g1, match, facts, recurrence))
    return FALSE;
  if (known && recurrence->closure && !room_for_sums (g1, s, facts, recurrence->cycle_check))
    return FALSE;
  if (recurrence->unproved)
    {
      g_autofree char *pair = tl_semiring_text (s);
      TlDiag          *diag = tl_diags_add (g1->diags, TL_SEVERITY_WARNING, "semiring-unproved", g1->ast->source,
                                            match->times_span, "the laws of %s were tried, not proved", pair);
      tl_diag_reason (diag,
                      "corner values and some 20,000 random triples showed no counterexample; where one exists the "
                      "blocked result is wrong. A table, or a smaller carrier in a semiring line, is tried in full");
    }
  if (recurrence->closure && recurrence->cycle_check && s->plus.kind == TL_OPERATOR_MAX)
    {
      TlDiag *diag = tl_diags_add (g1->diags, TL_SEVERITY_WARNING, "keeps-larger", g1->ast->source, match->plus_span,
                                   "the larger value is kept: these are longest paths");
      tl_diag_reason (diag, "(max, +) has a result only where no cycle is positive, which is checked at each k; for "
                            "shortest paths keep the smaller value");
    }
  return TRUE;
}
