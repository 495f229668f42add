/* Modes -> a product of local, spatial and replicated layouts. In a product the modes
 * of a factor come after those of the factors before it in every dimension and in both
 * lists; so it exists exactly when these three kinds of chains agree on an order. */
#include "layout/convert.h"
#include "layout/layout-private.h"

enum
{
  MAX_NODES = TL_LAYOUT_MAX_MODES + TL_LAYOUT_MAX_SPATIAL
};

/* Modes, then replications. */
typedef struct
{
  const TlLayout *layout;
  guint           n;
  gint32          entry[MAX_NODES]; /* mode number or -n */
  gboolean        spatial[MAX_NODES];
  int             after[MAX_NODES][2]; /* nodes that must stand before: in the list, in the dimension; -1 none */
  gboolean        done[MAX_NODES];
} Graph;

static void
graph_init (Graph *graph, const TlLayout *layout)
{
  int last = -1;

  *graph = (Graph) { .layout = layout, .n = layout->n_modes };
  for (guint m = 0; m < layout->n_modes; m++)
    {
      graph->entry[m] = (gint32) m;
      graph->after[m][0] = -1;
      graph->after[m][1] = m > 0 && layout->dim[m - 1] == layout->dim[m] ? (int) m - 1 : -1;
    }
  for (guint i = 0; i < layout->n_spatial; i++)
    {
      gint32 m = layout->spatial[i];
      int    node = m >= 0 ? m : (int) graph->n++;

      graph->entry[node] = m;
      if (m < 0)
        graph->after[node][1] = -1;
      graph->spatial[node] = TRUE;
      graph->after[node][0] = last;
      last = node;
    }
  last = -1;
  for (guint i = 0; i < layout->n_local; i++)
    {
      graph->after[layout->local[i]][0] = last;
      last = layout->local[i];
    }
}

static gboolean
ready (const Graph *graph, guint node)
{
  if (graph->done[node])
    return FALSE;
  for (guint k = 0; k < 2; k++)
    if (graph->after[node][k] >= 0 && !graph->done[graph->after[node][k]])
      return FALSE;
  return TRUE;
}

static void
append_node (const Graph *graph, guint node, GString *text)
{
  gint32 m = graph->entry[node];

  if (m < 0)
    g_string_append_printf (text, "the replication over %d", -m);
  else
    g_string_append_printf (text, "mode %d (size %d of dimension %u)", m, graph->layout->modes[m],
                            graph->layout->dim[m]);
}

/* Walks back along unmet predecessors until a node comes again. */
static void
name_cycle (const Graph *graph, char **reason)
{
  g_autoptr (GString) text = g_string_new ("no product of local and spatial layouts: ");
  guint path[MAX_NODES + 1], n = 0, start = 0;
  int   place[MAX_NODES];

  if (reason == NULL)
    return;
  while (graph->done[start])
    start++;
  for (guint i = 0; i < graph->n; i++)
    place[i] = -1;
  guint node = start;
  while (place[node] < 0)
    {
      place[node] = (int) n;
      path[n++] = node;
      guint k = graph->after[node][0] >= 0 && !graph->done[graph->after[node][0]] ? 0 : 1;
      node = (guint) graph->after[node][k];
    }
  for (guint i = (guint) place[node]; i < n; i++)
    {
      guint    next = i + 1 < n ? path[i + 1] : node;
      gboolean by_list = graph->after[path[i]][0] == (int) next;

      append_node (graph, next, text);
      g_string_append (text, " stands before ");
      append_node (graph, path[i], text);
      if (!by_list)
        g_string_append_printf (text, " inside dimension %u", graph->layout->dim[path[i]]);
      else
        g_string_append (text, graph->spatial[path[i]] ? " among the threads" : " among the locals");
      if (i + 1 < n)
        g_string_append (text, ", and ");
    }
  *reason = g_strdup (text->str);
}

/* One factor: sizes of distinct dimensions, rising (or falling: a column layout). */
static void
append_factor (const Graph *graph, const guint *nodes, guint n, GString *text)
{
  const TlLayout *layout = graph->layout;
  gint32          sizes[TL_LAYOUT_MAX_DIMS];
  gboolean        falling = n > 1 && layout->dim[nodes[0]] > layout->dim[nodes[1]];

  if (text->len > 0)
    g_string_append_c (text, '.');
  for (guint d = 0; d < layout->n_dims; d++)
    sizes[d] = 1;
  gint32 copies = n > 0 && graph->entry[nodes[0]] < 0 ? -graph->entry[nodes[0]] : 0;
  if (copies == 0)
    for (guint i = 0; i < n; i++)
      sizes[layout->dim[nodes[i]]] = layout->modes[nodes[i]];
  g_string_append_printf (text, "%s%s(", falling ? "column_" : "",
                          copies > 0                          ? "replicated"
                          : n > 0 && graph->spatial[nodes[0]] ? "spatial"
                                                              : "local");
  for (guint d = 0; d < layout->n_dims; d++)
    g_string_append_printf (text, "%s%d", d > 0 ? "," : "", sizes[d]);
  if (copies > 0)
    g_string_append_printf (text, "%snum_workers=%d", layout->n_dims > 0 ? "," : "", copies);
  g_string_append_c (text, ')');
}

/* Whether @node can join a factor of @n nodes: same kind, dimensions going on rising or falling. */
static gboolean
joins (const Graph *graph, const guint *nodes, guint n, guint node)
{
  const TlLayout *layout = graph->layout;

  if (graph->entry[node] < 0 || graph->entry[nodes[0]] < 0 || graph->spatial[node] != graph->spatial[nodes[0]])
    return FALSE;
  int step = (int) layout->dim[node] - (int) layout->dim[nodes[n - 1]];
  int first = n > 1 ? (int) layout->dim[nodes[1]] - (int) layout->dim[nodes[0]] : step;
  return step != 0 && (step > 0) == (first > 0);
}

char *
tl_layout_to_kronecker (const TlLayout *layout, char **reason)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Graph graph;
  guint nodes[MAX_NODES], n = 0;

  graph_init (&graph, layout);
  for (guint left = graph.n; left > 0; left--)
    {
      int next = -1;

      for (guint i = 0; i < graph.n; i++)
        if (ready (&graph, i))
          {
            if (n > 0 && joins (&graph, nodes, n, i))
              {
                next = (int) i;
                break;
              }
            if (next < 0)
              next = (int) i;
          }
      if (next < 0)
        {
          name_cycle (&graph, reason);
          return NULL;
        }
      if (n > 0 && !joins (&graph, nodes, n, (guint) next))
        {
          append_factor (&graph, nodes, n, text);
          n = 0;
        }
      nodes[n++] = (guint) next;
      graph.done[next] = TRUE;
    }
  append_factor (&graph, nodes, n, text);
  return g_strdup (text->str);
}

char *
tl_layout_to_product (const TlLayout *layout)
{
  char *product = tl_layout_to_kronecker (layout, NULL);

  return product != NULL ? product : tl_layout_to_text (layout);
}
