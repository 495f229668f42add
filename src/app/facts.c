/* Plain figures of a run. The paper's (GenMLIR) are known for three graphs; beside any
 * other size they would say nothing. models.md section 5. */
#include "app/facts.h"

#include "base/number.h"

#include <glib/gi18n.h>
#include <string.h>

static void
fact_free (gpointer data)
{
  TlFact *fact = data;

  g_free (fact->label);
  g_free (fact->value);
  g_free (fact->note);
  g_free (fact);
}

static TlFact *
add (GPtrArray *facts, const char *label, char *value, double share, char *note)
{
  TlFact *fact = g_new0 (TlFact, 1);

  fact->label = g_strdup (label);
  fact->value = value;
  fact->share = CLAMP (share, 0, 1);
  fact->note = note;
  g_ptr_array_add (facts, fact);
  return fact;
}

static const struct
{
  guint32     n;
  const char *speed_up; /* B0 : B3 */
  const char *to_bound; /* B2 : B3 */
} paper[] = { { 5242, "5.2", ".90" }, { 6301, "5.2", ".90" }, { 65536, "5.8", "1.00" } };

/* What the paper says of B3 against the flow; "" when it says nothing. (transfer full) */
static char *
paper_note (const TlRun *run, guint flow, double ratio)
{
  for (guint p = 0; p < G_N_ELEMENTS (paper) && strcmp (run->target, "gendram") == 0; p++)
    if (paper[p].n == run->n)
      return flow == 0 ? g_strdup_printf (_ ("B3 is %.2f× as quick; paper %s×"), ratio, paper[p].speed_up)
                       : g_strdup_printf (_ ("%.2f of B3; paper %s"), ratio, paper[p].to_bound);
  return flow == 0 ? g_strdup_printf (_ ("B3 is %.2f× as quick"), ratio) : g_strdup_printf (_ ("%.2f of B3"), ratio);
}

GPtrArray *
tl_flow_facts (const TlRun *run)
{
  static const guint order[] = { 0, 1, 3, 2 };
  const char *const  labels[] = { _ ("B0 no tiles, no tiers"), _ ("B1 tiles"), _ ("B2 bound"), _ ("B3 all of it") };
  GPtrArray         *facts = g_ptr_array_new_with_free_func (fact_free);
  guint64            longest = 1, b3 = MAX (run->flows[3], 1);

  for (guint f = 0; f < 4; f++)
    longest = MAX (longest, run->flows[f]);
  for (guint o = 0; o < 4; o++)
    {
      guint  f = order[o];
      double ratio = (double) run->flows[f] / b3;
      char  *note = f == 0 || f == 2 ? paper_note (run, f, ratio)
                    : f == 1         ? g_strdup_printf (_ ("B3 is %.2f× as quick"), ratio)
                                     : g_strdup ("");
      add (facts, labels[f], tl_format_ps (run->flows[f]), (double) run->flows[f] / longest, note);
    }
  return facts;
}

static double
conflicts_of (guint64 conflicts, guint64 requests)
{
  return requests > 0 ? (double) conflicts / (double) requests : 0;
}

GPtrArray *
tl_product_facts (const TlProductRun *run)
{
  const char *const labels[] = { _ ("Row by row"), _ ("Packed tiles"), _ ("As placed") };
  GPtrArray        *facts = g_ptr_array_new_with_free_func (fact_free);
  guint64           longest = 1;

  for (guint l = 0; l < TL_N_PRODUCT_LAYOUTS; l++)
    longest = MAX (longest, run->of[l].done ? run->of[l].replay.kernel : 0);
  for (guint l = 0; l < TL_N_PRODUCT_LAYOUTS; l++)
    {
      const TlProductReplay *one = &run->of[l];
      const TlEngineTotals  *totals = &one->replay.totals;

      if (!one->done)
        continue;
      g_autofree char *order = tl_format_percent (conflicts_of (one->in_order.conflict, one->in_order.requests), 1);
      g_autofree char *scheduled
          = tl_format_percent (conflicts_of (totals->share.scheduled.conflict, totals->requests), 1);
      g_autofree char *stalled = tl_format_percent (tl_product_stalled (one), 1);
      add (facts, labels[l], tl_format_ps (one->replay.kernel), (double) one->replay.kernel / (double) longest,
           g_strdup_printf (_ ("conflicts %s in order, %s scheduled; core waits %s"), order, scheduled, stalled));
    }
  return facts;
}

typedef struct
{
  double computing, tiles, operand, ring, barrier, idle; /* shares of all PUs' time */
} Shares;

static Shares
shares_of (const TlRun *run)
{
  Shares shares = { 0 };
  guint  pus = run->sim->program->machine.pus;
  double whole = MAX ((double) run->sim->makespan, 1) * pus;

  for (guint p = 0; p < pus; p++)
    {
      const TlPuTimes *times = &run->sim->pu[p].times;
      shares.computing += (double) times->computing / whole;
      shares.tiles += (double) (times->busy - MIN (times->busy, times->computing)) / whole;
      shares.operand += (double) times->wait_operand / whole;
      shares.ring += (double) times->wait_ring / whole;
      shares.barrier += (double) times->wait_barrier / whole;
      shares.idle += (double) times->idle / whole;
    }
  return shares;
}

GPtrArray *
tl_time_facts (const TlRun *run)
{
  GPtrArray *facts = g_ptr_array_new_with_free_func (fact_free);
  Shares     shares;

  if (run->sim == NULL)
    return facts;
  shares = shares_of (run);
  add (facts, _ ("compute"), tl_format_percent (shares.computing, 1), shares.computing, g_strdup (""));
  add (facts, _ ("move tiles"), tl_format_percent (shares.tiles, 1), shares.tiles, g_strdup (""));
  add (facts, _ ("wait for tiles"), tl_format_percent (shares.operand, 1), shares.operand, g_strdup (""));
  add (facts, _ ("wait for the ring"), tl_format_percent (shares.ring, 1), shares.ring, g_strdup (""));
  add (facts, _ ("wait at barriers"), tl_format_percent (shares.barrier, 1), shares.barrier, g_strdup (""));
  add (facts, _ ("have nothing left"), tl_format_percent (shares.idle, 1), shares.idle, g_strdup (""));
  return facts;
}

char *
tl_limit_text (const TlRun *run)
{
  Shares shares;
  double most;

  if (run->sim == NULL)
    return g_strdup ("");
  shares = shares_of (run);
  most = MAX (MAX (MAX (shares.tiles, shares.operand), MAX (shares.ring, shares.barrier)), shares.idle);
  if (shares.computing >= 0.85)
    return g_strdup (_ ("The PUs compute nearly all the time: the bound is close."));
  if (most == shares.operand)
    return g_strdup (_ ("PUs wait most for tiles that others have yet to compute."));
  if (most == shares.ring)
    return g_strdup (_ ("PUs wait most for broadcasts on the ring."));
  if (most == shares.barrier)
    return g_strdup (_ ("PUs wait most at barriers for the slowest of them."));
  if (most == shares.tiles)
    return g_strdup (_ ("Moving tiles between rows and scratchpads takes most of what is lost."));
  return g_strdup (_ ("Some PUs own too little and are done long before the end."));
}

/* "-1.2 %" */
static char *
change (guint64 now, guint64 before)
{
  double           share = ((double) now - (double) before) / MAX ((double) before, 1);
  g_autofree char *size = tl_format_percent (ABS (share), 1);

  return g_strdup_printf ("%s%s", share < 0 ? "\xe2\x88\x92" : "+", size);
}

GPtrArray *
tl_sense_facts (const GArray *sensitivities, guint64 makespan_ps)
{
  GPtrArray *facts = g_ptr_array_new_with_free_func (fact_free);
  double     largest = 0;

  for (guint s = 0; s < MIN (sensitivities->len, 3); s++)
    largest = MAX (largest, g_array_index (sensitivities, TlSensitivity, s).effect);
  for (guint s = 0; s < MIN (sensitivities->len, 3); s++)
    {
      const TlSensitivity *one = &g_array_index (sensitivities, TlSensitivity, s);
      g_autofree char     *low = change (one->low_ps, makespan_ps), *high = change (one->high_ps, makespan_ps);
      add (facts, one->what, g_strdup_printf ("%s / %s", low, high), largest > 0 ? one->effect / largest : 0,
           g_strdup_printf (_ ("%s and %s instead"), one->low_text, one->high_text));
    }
  return facts;
}

/* --- What was recognised --- */

/* "[i-1,j-1], [i-1,j]" (transfer full) */
static char *
waits_text (const TlGrid *grid)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < grid->n_dependences; d++)
    {
      g_string_append (text, d > 0 ? ", [" : "[");
      for (guint side = 0; side < 2; side++)
        {
          gint64 distance = grid->dependences[d][side];
          g_string_append_printf (text, "%s%s", side > 0 ? "," : "", grid->loops[side]);
          if (distance != 0)
            g_string_append_printf (text, "%+" G_GINT64_FORMAT, -distance);
        }
      g_string_append_c (text, ']');
    }
  return g_string_free (text, FALSE);
}

static char *
grid_text (const TlGrid *grid)
{
  g_autofree char *semiring = tl_semiring_text (grid->semiring), *waits = waits_text (grid);
  GString         *text = g_string_new (NULL);
  g_autofree char *names = NULL;
  const char      *tables[TL_GRID_MAX_TABLES + 1] = { NULL };

  for (guint t = 0; t < grid->n_tables; t++)
    tables[t] = grid->tables[t].name;
  names = g_strjoinv (", ", (char **) tables);
  if (grid->kind == TL_GRID_TRELLIS)
    {
      g_string_append_printf (text, _ ("%s is a trellis over %s: each %s of a step waits for all of the step before."),
                              names, semiring, grid->loops[1]);
      return g_string_free (text, FALSE);
    }
  g_string_append_printf (text, _ ("%s over %s; a cell waits for %s."), names, semiring, waits);
  g_string_append_printf (text, _ (" Cells of equal %s go together."),
                          grid->wave[0] == 1 && grid->wave[1] == 1   ? "i + j"
                          : grid->wave[0] == 2 && grid->wave[1] == 1 ? "2i + j"
                          : grid->wave[0] == 1 && grid->wave[1] == 2 ? "i + 2j"
                          : grid->wave[0] == 1 && grid->wave[1] == 0 ? "i"
                                                                     : "wave");
  if (grid->stream != NULL)
    g_string_append_printf (text, _ (" Candidates come by words of %u letters."), (guint) grid->k);
  return g_string_free (text, FALSE);
}

char *
tl_recognised_text (const TlBuild *build)
{
  if (build->grid != NULL)
    return grid_text (build->grid);
  if (build->recurrence == NULL)
    return g_strdup ("");
  g_autofree char *semiring = tl_semiring_text (build->recurrence->semiring);
  return g_strdup_printf (build->recurrence->closure ? _ ("%s is a closure over %s.") : _ ("%s is a product over %s."),
                          build->recurrence->output, semiring);
}
