/* The four closures on real graphs against references that share no code: a search
 * from every node. Distances by breadth-first search and Dijkstra, reachability by
 * search, widest and minimax paths by joining arcs in order of weight. */
#include "input/input.h"
#include "sim/closure.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The file read once more, by hand: pairs of ids and a weight. */
typedef struct
{
  guint   n;
  guint   m;
  guint  *from;
  guint  *to;
  gint64 *weight;
  guint  *start; /* n + 1: arcs out of v are order[start[v] .. start[v + 1]) */
  guint  *order;
} Plain;

static int
compare_longs (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return (x > y) - (x < y);
}

static guint
index_of (const gint64 *ids, guint n, gint64 id)
{
  const gint64 *found = bsearch (&id, ids, n, sizeof *ids, compare_longs);
  return (guint) (found - ids);
}

static Plain
read_plain (const char *text)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  guint count = g_strv_length (lines), m = 0, n = 0;
  Plain plain = { .from = g_new (guint, count), .to = g_new (guint, count), .weight = g_new (gint64, count) };
  g_autofree gint64 *ends = g_new (gint64, 2 * count), *ids = g_new (gint64, 2 * count);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      long long a, b, w = 1;
      if (sscanf (lines[i], "a %lld %lld %lld", &a, &b, &w) != 3 && sscanf (lines[i], "%lld %lld", &a, &b) != 2)
        continue;
      ends[2 * m] = a;
      ends[2 * m + 1] = b;
      plain.weight[m++] = w;
    }
  memcpy (ids, ends, 2 * m * sizeof *ids);
  qsort (ids, 2 * m, sizeof *ids, compare_longs);
  for (guint i = 0; i < 2 * m; i++)
    if (n == 0 || ids[n - 1] != ids[i])
      ids[n++] = ids[i];
  plain.n = n;
  plain.m = m;
  plain.start = g_new0 (guint, n + 2);
  plain.order = g_new (guint, m);
  for (guint a = 0; a < m; a++)
    {
      plain.from[a] = index_of (ids, n, ends[2 * a]);
      plain.to[a] = index_of (ids, n, ends[2 * a + 1]);
      plain.start[plain.from[a] + 1]++;
    }
  for (guint v = 0; v < n; v++)
    plain.start[v + 1] += plain.start[v];
  g_autofree guint *next = g_memdup2 (plain.start, (n + 1) * sizeof *next);
  for (guint a = 0; a < m; a++)
    plain.order[next[plain.from[a]]++] = a;
  return plain;
}

static void
clear_plain (Plain *plain)
{
  g_free (plain->from);
  g_free (plain->to);
  g_free (plain->weight);
  g_free (plain->start);
  g_free (plain->order);
}

static void
breadth_first (const Plain *plain, guint source, gint64 *distance)
{
  g_autofree guint *queue = g_new (guint, plain->n);
  guint             head = 0, tail = 0;

  for (guint v = 0; v < plain->n; v++)
    distance[v] = TL_INF;
  distance[source] = 0;
  queue[tail++] = source;
  while (head < tail)
    {
      guint u = queue[head++];
      for (guint o = plain->start[u]; o < plain->start[u + 1]; o++)
        {
          guint v = plain->to[plain->order[o]];
          if (distance[v] != TL_INF)
            continue;
          distance[v] = distance[u] + 1;
          queue[tail++] = v;
        }
    }
}

/* Grows a tree from the source, always by the node that is best off; @widest: a path
 * is worth its narrowest arc; @minimax: costs its dearest; else costs the sum. */
static void
grow_tree (const Plain *plain, guint source, gboolean widest, gboolean minimax, gint64 *value)
{
  g_autofree gboolean *done = g_new0 (gboolean, plain->n);

  for (guint v = 0; v < plain->n; v++)
    value[v] = widest ? 0 : TL_INF;
  value[source] = widest ? TL_INF : 0;
  for (;;)
    {
      guint best = plain->n;
      for (guint v = 0; v < plain->n; v++)
        if (!done[v] && value[v] != (widest ? 0 : TL_INF)
            && (best == plain->n || (widest ? value[v] > value[best] : value[v] < value[best])))
          best = v;
      if (best == plain->n)
        return;
      done[best] = TRUE;
      for (guint o = plain->start[best]; o < plain->start[best + 1]; o++)
        {
          guint  v = plain->to[plain->order[o]];
          gint64 w = plain->weight[plain->order[o]];
          gint64 through = widest ? MIN (value[best], w) : minimax ? MAX (value[best], w) : value[best] + w;
          if (widest ? through > value[v] : through < value[v])
            value[v] = through;
        }
    }
}

static TlInput *
load (const char *text, gsize length, const char *element, TlDiags *diags)
{
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "g" };
  TlInputCall     call = { .function = "graph", .arguments = &file, .n_arguments = 1, .closure = TRUE };

  tl_element_type_parse (element, &call.element);
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  return tl_input_load (plan, "g", text, length, diags);
}

/* Closure of the file, seconds it took on the clock and on all processors. */
static TlMatrix *
closed (const char *text, gsize length, TlOperatorKind plus, TlOperatorKind times, const char *element, double *seconds,
        double *processor)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load (text, length, element, diags);
  ck_assert_ptr_nonnull (input);
  g_autoptr (TlSemiring) semiring = tl_semiring_known (plus, times, input->element);
  ck_assert (tl_input_check (input, semiring, TRUE, diags));
  TlMatrix        *matrix = tl_input_matrix (input, semiring, 0, diags);
  TlClosureOptions options = { .tile = 256 };
  gint64           start = g_get_monotonic_time ();
  clock_t          work = clock ();
  ck_assert_ptr_nonnull (matrix);
  ck_assert_int_eq (tl_closure_run (matrix, semiring, &options).end, TL_CLOSURE_DONE);
  *seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  *processor = (double) (clock () - work) / CLOCKS_PER_SEC;
  return matrix;
}

typedef enum
{
  DISTANCE,
  STEPS,
  REACH,
  WIDEST,
  MINIMAX
} Problem;

static const struct
{
  const char *file;
  Problem     problem;
  const char *element;
} rows[] = {
  { "data/ca-GrQc.txt", STEPS, "i32" },        { "data/p2p-Gnutella08.txt", STEPS, "i32" },
  { "data/iom-osm-1024.gr", DISTANCE, "i32" }, { "data/iom-osm-1024.gr", DISTANCE, "f64" },
  { "data/iom-osm-1024.gr", DISTANCE, "i64" }, { "data/iom-osm-1024.gr", REACH, "bool" },
  { "data/iom-osm-1024.gr", WIDEST, "i32" },   { "data/iom-osm-1024.gr", MINIMAX, "i32" },
  { "data/iom-osm-256.gr", WIDEST, "i16" },    { "data/iom-osm-256.gr", MINIMAX, "f32" },
  { "data/ca-GrQc.txt", REACH, "bool" },       { "data/p2p-Gnutella08.txt", REACH, "bool" },
};

START_TEST (closures_of_real_graphs)
{
  static const TlOperatorKind plus[]
      = { TL_OPERATOR_MIN, TL_OPERATOR_MIN, TL_OPERATOR_OR, TL_OPERATOR_MAX, TL_OPERATOR_MIN };
  static const TlOperatorKind times[]
      = { TL_OPERATOR_ADD, TL_OPERATOR_ADD, TL_OPERATOR_AND, TL_OPERATOR_MIN, TL_OPERATOR_MAX };
  g_autofree char *path = tl_test_shared_path (rows[_i].file), *text = NULL;
  Problem          problem = rows[_i].problem;
  gsize            length = 0;
  double           seconds = 0, processor = 0;

  if (path == NULL)
    {
      tl_test_skip ("%s not there", rows[_i].file);
      return;
    }
  ck_assert (g_file_get_contents (path, &text, &length, NULL));
  g_autoptr (TlMatrix) matrix
      = closed (text, length, plus[problem], times[problem], rows[_i].element, &seconds, &processor);
  Plain              plain = read_plain (text);
  g_autofree gint64 *wanted = g_new (gint64, plain.n);
  gboolean           real = tl_element_type_is_float (matrix->element);

  ck_assert_uint_eq (matrix->rows, plain.n);
  for (guint source = 0; source < plain.n; source++)
    {
      if (problem == STEPS || problem == REACH)
        breadth_first (&plain, source, wanted);
      else
        grow_tree (&plain, source, problem == WIDEST, problem == MINIMAX, wanted);
      for (guint v = 0; v < plain.n; v++)
        {
          TlScalar value = tl_matrix_get (matrix, source, v);
          gint64   want = problem == REACH ? wanted[v] != TL_INF : wanted[v];
          gint64   got = !real ? value.i : isinf (value.r) ? TL_INF : (gint64) value.r;
          if (got != want)
            ck_abort_msg ("%s: (%u,%u) is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, rows[_i].file, source, v, got,
                          want);
        }
    }
  g_print ("%s: %u nodes, closed in %.2f s (%.2f s of processor time), %.1f updates a ns\n", rows[_i].file, plain.n,
           seconds, processor, pow (plain.n, 3) / MAX (seconds, 1e-6) / 1e9);
  clear_plain (&plain);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("input-values");
  TCase *tcase = tcase_create ("values");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, closures_of_real_graphs, 0, G_N_ELEMENTS (rows));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
