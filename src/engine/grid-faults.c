/* What a run of a grid says of values that do not fit and results that are not there. */
#include "engine/grid-faults.h"

#include "base/number.h"

static const TlDataDecl *
declared (const TlGrid *grid)
{
  for (guint t = grid->n_tables; t-- > 0;)
    {
      const TlDataDecl *data = tl_ast_data (grid->ast, grid->tables[t].name);

      if (data != NULL && data->type.bits > 0)
        return data;
    }
  return NULL;
}

/* The narrowest type after the grid's own whose values reach @bound; bits 0 when there is none. */
static TlElementType
wider_than (TlElementType own, const guint64 *bound)
{
  static const char *const wholes[] = { "i8", "i16", "i32", "i64" }, *const reals[] = { "f32", "f64" };
  gboolean      real = tl_element_type_is_float (own);
  TlElementType type = { 0 };

  for (guint t = 0; t < (real ? G_N_ELEMENTS (reals) : G_N_ELEMENTS (wholes)); t++)
    {
      g_assert_true (tl_element_type_parse (real ? reals[t] : wholes[t], &type));
      TlCarrier full = tl_carrier_full (type);
      gboolean  holds = real || bound == NULL ? TRUE : *bound <= (guint64) full.high.i;

      if (type.bits > own.bits && holds)
        return type;
    }
  return (TlElementType) { 0 };
}

/* "; declare data H: i16", with its fix. */
static void
propose (const TlGrid *grid, TlDiag *diag, const char *why, TlElementType type)
{
  const TlDataDecl *data = declared (grid);

  if (type.bits == 0)
    {
      tl_diag_reason (
          diag, "%s; values neither wrap nor clamp, and no wider type exists: cut the data or the costs down", why);
      return;
    }
  g_autofree char *name = tl_element_type_name (type);
  tl_diag_reason (diag, "%s; values neither wrap nor clamp: declare data %s: %s", why,
                  data != NULL ? data->names[0] : grid->tables[grid->pick_table].name, name);
  if (data == NULL)
    return;
  g_autofree char *title = g_strdup_printf ("make the type %s", name);
  tl_diag_fix (diag, title, data->type_span, name);
}

static TlDiag *
say (const TlGrid *grid, const char *cell, gboolean above, const char *query, TlDiags *diags)
{
  const TlCarrier  *carrier = &grid->semiring->carrier;
  const TlDataDecl *data = declared (grid);
  g_autofree char  *end = tl_scalar_text (carrier, above ? carrier->high : carrier->low);
  g_autofree char  *type = tl_element_type_name (grid->element);

  return tl_diags_add (diags, TL_SEVERITY_ERROR, "sums-overflow", grid->ast->source,
                       data != NULL ? data->type_span : grid->tables[grid->pick_table].span,
                       "%s is %s %s, the %s %s%s%s", cell, above ? "past" : "below", end, above ? "greatest" : "least",
                       type, query != NULL ? ", in " : "", query != NULL ? query : "");
}

void
tl_grid_say_left (const TlGrid *grid, const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                  const TlWaveEnd *end, const char *query, TlDiags *diags)
{
  const TlWaveLeft *left = &end->left;
  guint64           bound = 0;
  gboolean          known = tl_wave_bound (recurrence, problem, &bound);
  g_autofree char  *reach = tl_format_count (bound),
                  *letters = tl_format_count ((guint64) problem->rows + problem->columns);
  g_autofree char *cell = g_strdup_printf ("cell (%u,%u) of %s", left->i, left->j, grid->tables[left->table].name);
  g_autofree char *why = known ? g_strdup_printf ("over the %s rows and columns values may reach %s", letters, reach)
                               : g_strdup_printf ("its value is made of values that fit");

  propose (grid, say (grid, cell, left->above, query, diags), why, wider_than (grid->element, known ? &bound : NULL));
}

void
tl_grid_say_left_state (const TlGrid *grid, const TlTrellis *trellis, const TlTrellisEnd *end, TlDiags *diags)
{
  g_autofree char *steps = tl_format_count (trellis->steps);
  g_autofree char *cell
      = g_strdup_printf ("state %u of step %u of %s", end->left_state, end->left_step, grid->tables[0].name);
  g_autofree char *why = g_strdup_printf ("weights of %s steps are combined", steps);

  propose (grid, say (grid, cell, end->left_above, NULL, diags), why, wider_than (grid->element, NULL));
}

void
tl_grid_say_outside (const TlGrid *grid, const TlGridScope *scope, TlSpan span, TlDiags *diags)
{
  const TlCarrier *carrier = &grid->semiring->carrier;
  const TlCarrier  full = tl_carrier_full (grid->element);
  gboolean whole = !tl_carrier_is_float (carrier) && carrier->low.i == full.low.i && carrier->high.i == full.high.i;
  g_autofree char *pair = tl_semiring_text (grid->semiring);
  g_autofree char *low = tl_scalar_text (carrier, carrier->low), *high = tl_scalar_text (carrier, carrier->high);
  g_autofree char *value = tl_scalar_text (carrier, scope->value);

  TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "data-outside-carrier", grid->ast->source, span,
                               "the value %s here is none of %s", value, pair);
  if (whole && grid->element.kind == TL_ELEMENT_INT && scope->value.i != TL_INF && scope->value.i != -TL_INF)
    {
      guint64          bound = scope->value.i < 0 ? -(guint64) scope->value.i : (guint64) scope->value.i;
      g_autofree char *type = tl_element_type_name (grid->element);
      g_autofree char *why = g_strdup_printf ("%s holds %s..%s", type, low, high);

      propose (grid, diag, why, wider_than (grid->element, &bound));
      return;
    }
  tl_diag_reason (diag, "%s runs on the values %s%s..%s%s; a semiring line can say other values, zero and one", pair,
                  carrier->has_minus_inf ? "-inf, " : "", low, high, carrier->has_inf ? ", inf" : "");
}

void
tl_grid_say_absent (const TlGrid *grid, guint64 rows, guint64 columns, const char *query, TlDiags *diags)
{
  gint64              band = tl_grid_band (grid, rows);
  const TlConfigItem *item = tl_ast_config (grid->ast, "band");
  guint64             differ = rows > columns ? rows - columns : columns - rows;
  const char         *name = grid->tables[grid->pick_table].name;
  gboolean            narrow = grid->pick == TL_GRID_LAST && band >= 0 && differ > (guint64) band;
  TlDiag             *diag = tl_diags_add (diags, TL_SEVERITY_WARNING, "no-result", grid->ast->source,
                               narrow && item != NULL ? item->value_span : grid->tables[grid->pick_table].span,
                               grid->pick == TL_GRID_LAST ? "%s has no last cell%s%s: it is absent"
                                                                      : "%s has no cell to pick%s%s: all are absent",
                                           name, query != NULL ? " for " : "", query != NULL ? query : "");

  if (narrow)
    tl_diag_reason (diag,
                    "the band holds cells with |i - j| <= %" G_GINT64_FORMAT
                    ", and the sides differ by %" G_GUINT64_FORMAT ": take a band of %" G_GUINT64_FORMAT " or more",
                    band, differ, differ);
  else
    tl_diag_reason (diag,
                    "no way leads there from a border or from an alternative of its own%s; absent cells are "
                    "skipped, and a border that nobody gives is absent",
                    band >= 0 ? " within the band" : "");
}
