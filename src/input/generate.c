/* Generators: random, road and power-law graphs. All arithmetic is whole numbers and
 * one fixed generator (splitmix64), so that a seed means the same everywhere. */
#include "input/generate.h"

#include "base/number.h"
#include "input/graph-build.h"

typedef struct
{
  guint64 state;
} Random;

static guint64
mix (guint64 z)
{
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static guint64
next (Random *random)
{
  return mix (random->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));
}

/* Uniform in 0..bound-1. */
static guint64
below (Random *random, guint64 bound)
{
  return (guint64) (((unsigned __int128) next (random) * bound) >> 64);
}

static gint64
between (Random *random, gint64 low, gint64 high)
{
  return low + (gint64) below (random, (guint64) (high - low) + 1);
}

static TlScalar
weight_of (TlElementType element, gint64 value)
{
  return tl_element_type_is_float (element) ? (TlScalar) { .r = (double) value } : (TlScalar) { .i = value };
}

static const TlInputPlace nowhere = { 0, 0 };

/* --- random --- */

TlScalar
tl_random_element (const TlInputPlan *plan, guint64 row, guint64 column)
{
  Random random = { mix (plan->seed + G_GUINT64_CONSTANT (0x632be59bd9b4e019)) + row * plan->columns + column };
  return weight_of (plan->element, between (&random, plan->low, plan->high));
}

static void
random_arcs (const TlInputPlan *plan, TlArcs *arcs)
{
  Random  random = { plan->seed };
  guint64 n = plan->rows, count = (guint64) (plan->degree * (double) n);

  arcs->weighted = plan->element.kind != TL_ELEMENT_BOOL;
  for (guint64 a = 0; a < count && n > 1; a++)
    {
      guint32 from = (guint32) below (&random, n), to = (guint32) below (&random, n - 1);
      gint64  value = between (&random, plan->low, plan->high);
      tl_arcs_add (arcs, from, to + (to >= from), weight_of (plan->element, arcs->weighted ? value : 1), nowhere);
    }
}

/* --- road --- */

typedef struct
{
  guint32 a;
  guint32 b;
  guint64 order; /* random; ways are looked at in this order */
} Way;

static int
compare_ways (gconstpointer first, gconstpointer second)
{
  const Way *x = first, *y = second;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static guint32
root_of (guint32 *parent, guint32 v)
{
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

static void
road_arcs (const TlInputPlan *plan, TlArcs *arcs)
{
  Random              random = { plan->seed };
  guint32             n = (guint32) plan->rows;
  guint32             side = (guint32) tl_isqrt (n);
  g_autofree gint64  *x = g_new (gint64, n), *y = g_new (gint64, n);
  g_autofree guint32 *parent = g_new (guint32, n);
  g_autoptr (GArray) ways = g_array_new (FALSE, FALSE, sizeof (Way));

  side += (guint64) side * side < n;
  for (guint32 v = 0; v < n; v++)
    {
      x[v] = (gint64) (v % side) * 1000 + between (&random, -300, 300);
      y[v] = (gint64) (v / side) * 1000 + between (&random, -300, 300);
      parent[v] = v;
    }
  for (guint32 v = 0; v < n; v++)
    {
      Way right = { v, v + 1, next (&random) }, down = { v, v + side, next (&random) };
      if (v % side + 1 < side && v + 1 < n)
        g_array_append_val (ways, right);
      if ((guint64) v + side < n)
        g_array_append_val (ways, down);
    }
  g_array_sort (ways, compare_ways);
  arcs->weighted = plan->element.kind != TL_ELEMENT_BOOL;
  guint64 spare = n / 4 + 1; /* ways beyond the spanning tree */
  for (guint i = 0; i < ways->len; i++)
    {
      const Way *way = &g_array_index (ways, Way, i);
      guint32    a = root_of (parent, way->a), b = root_of (parent, way->b);
      gboolean   needed = a != b, one_way = FALSE;
      if (needed)
        parent[a] = b;
      else if (spare == 0)
        continue;
      else
        {
          spare--;
          one_way = below (&random, 12) == 0;
        }
      gint64   dx = x[way->a] - x[way->b], dy = y[way->a] - y[way->b];
      guint64  straight = tl_isqrt ((guint64) (dx * dx + dy * dy));
      guint64  length = MAX (straight * (1000 + below (&random, 251)) / 1000, 1);
      TlScalar weight = weight_of (plan->element, arcs->weighted ? (gint64) length : 1);
      tl_arcs_add (arcs, way->a, way->b, weight, nowhere);
      if (!one_way)
        tl_arcs_add (arcs, way->b, way->a, weight, nowhere);
    }
}

/* --- powerlaw --- */

static void
join (TlArcs *arcs, GArray *ends, guint32 a, guint32 b)
{
  TlScalar unit = tl_unit_weight (arcs->element);

  tl_arcs_add (arcs, a, b, unit, nowhere);
  tl_arcs_add (arcs, b, a, unit, nowhere);
  g_array_append_val (ends, a);
  g_array_append_val (ends, b);
}

/* Barabasi and Albert: an end drawn from the list of all ends so far is a node drawn
 * with a chance proportional to its degree. */
static void
powerlaw_arcs (const TlInputPlan *plan, TlArcs *arcs)
{
  Random  random = { plan->seed };
  guint32 n = (guint32) plan->rows, m = (guint32) CLAMP (plan->degree / 2, 1, 64);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 v = 1; v < n; v++)
    {
      guint32 chosen[64];
      guint   count = 0, want = MIN (v, m);
      if (v <= m)
        for (; count < want; count++)
          chosen[count] = count;
      while (count < want)
        {
          guint32  candidate = g_array_index (ends, guint32, below (&random, ends->len));
          gboolean taken = FALSE;
          for (guint i = 0; i < count; i++)
            taken = taken || chosen[i] == candidate;
          if (!taken)
            chosen[count++] = candidate;
        }
      for (guint i = 0; i < count; i++)
        join (arcs, ends, v, chosen[i]);
    }
}

TlInput *
tl_generate (const TlInputPlan *plan)
{
  TlInput *input = g_new0 (TlInput, 1);
  TlArcs   arcs;
  TlNodes  nodes = { .n = plan->rows };

  g_atomic_ref_count_init (&input->refs);
  input->kind = plan->kind;
  input->element = plan->element;
  input->format = "generated";
  input->rows = plan->rows;
  input->columns = plan->columns;
  if (plan->kind == TL_INPUT_RANDOM && plan->degree == 0)
    {
      input->bounds_known = TRUE;
      input->low = weight_of (plan->element, plan->low);
      input->high = weight_of (plan->element, plan->high);
      return input;
    }
  tl_arcs_init (&arcs, plan->element, 4 * plan->rows);
  if (plan->kind == TL_INPUT_ROAD)
    road_arcs (plan, &arcs);
  else if (plan->kind == TL_INPUT_POWERLAW)
    powerlaw_arcs (plan, &arcs);
  else
    random_arcs (plan, &arcs);
  tl_arcs_finish (&arcs, nodes, input);
  tl_arcs_clear (&arcs);
  return input;
}
