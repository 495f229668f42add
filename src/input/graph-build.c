/* Arcs in growing columns, bounds on the way. */
#include "input/graph-build.h"

void
tl_arcs_init (TlArcs *arcs, TlElementType element, gsize expected)
{
  guint room = (guint) MIN (expected, 1 << 24);

  *arcs = (TlArcs) { .element = element,
                     .from = g_array_sized_new (FALSE, FALSE, sizeof (guint32), room),
                     .to = g_array_sized_new (FALSE, FALSE, sizeof (guint32), room),
                     .weight = g_array_new (FALSE, FALSE, sizeof (TlScalar)) };
}

void
tl_arcs_clear (TlArcs *arcs)
{
  g_clear_pointer (&arcs->from, g_array_unref);
  g_clear_pointer (&arcs->to, g_array_unref);
  g_clear_pointer (&arcs->weight, g_array_unref);
}

TlScalar
tl_unit_weight (TlElementType element)
{
  return tl_element_type_is_float (element) ? (TlScalar) { .r = 1 } : (TlScalar) { .i = 1 };
}

void
tl_arcs_add (TlArcs *arcs, guint32 from, guint32 to, TlScalar weight, TlInputPlace place)
{
  gboolean real = tl_element_type_is_float (arcs->element);

  g_array_append_val (arcs->from, from);
  g_array_append_val (arcs->to, to);
  if (arcs->weighted)
    g_array_append_val (arcs->weight, weight);
  if (!arcs->any || (real ? weight.r < arcs->low.r : weight.i < arcs->low.i))
    {
      arcs->low = weight;
      arcs->low_place = place;
    }
  if (!arcs->any || (real ? weight.r > arcs->high.r : weight.i > arcs->high.i))
    {
      arcs->high = weight;
      arcs->high_place = place;
    }
  arcs->any = TRUE;
}

void
tl_arcs_finish (TlArcs *arcs, TlNodes nodes, TlInput *input)
{
  TlGraph *graph = g_new0 (TlGraph, 1);

  graph->n = nodes.n;
  graph->ids = nodes.ids;
  graph->first_id = nodes.first_id;
  graph->n_arcs = arcs->from->len;
  graph->from = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&arcs->from), FALSE);
  graph->to = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&arcs->to), FALSE);
  graph->weight = (TlScalar *) (gpointer) g_array_free (g_steal_pointer (&arcs->weight), !arcs->weighted);
  input->graph = graph;
  input->rows = input->columns = nodes.n;
  input->bounds_known = arcs->any;
  input->low = arcs->low;
  input->high = arcs->high;
  input->low_place = arcs->low_place;
  input->high_place = arcs->high_place;
}
