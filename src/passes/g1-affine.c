/* Affine forms of subscripts, and which cells wait for which. */
#include "passes/g1-affine.h"

#include <string.h>

/* --- Forms --- */

static TlAffine
none (TlAffineKind kind, const TlExpr *fault)
{
  return (TlAffine) { .kind = kind, .fault = fault };
}

static gboolean
is_constant (const TlAffine *form)
{
  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    if (form->by[l] != 0)
      return FALSE;
  return TRUE;
}

/* Every coefficient and the constant, multiplied. */
static TlAffine
scaled (const TlAffine *form, gint64 factor, const TlExpr *expr)
{
  TlAffine out = *form;
  gboolean bad = __builtin_mul_overflow (out.constant, factor, &out.constant);

  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    bad |= __builtin_mul_overflow (out.by[l], factor, &out.by[l]);
  return bad ? none (TL_AFFINE_OTHER, expr) : out;
}

static TlAffine
sum (const TlAffine *a, const TlAffine *b, const TlExpr *expr)
{
  TlAffine out = *a;
  gboolean bad = __builtin_add_overflow (a->constant, b->constant, &out.constant);

  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    bad |= __builtin_add_overflow (a->by[l], b->by[l], &out.by[l]);
  return bad ? none (TL_AFFINE_OTHER, expr) : out;
}

static gint64
floor_div (gint64 a, gint64 b)
{
  gint64 quotient = a / b;

  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

static gboolean
divides (gint64 divisor, const TlAffine *form)
{
  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    if (form->by[l] % divisor != 0)
      return FALSE;
  return TRUE;
}

/* A quotient or remainder by a number is affine where the number divides all coefficients:
 * (m q + r) / m = q + r / m for whole q. */
static TlAffine
divided (const TlAffine *form, const TlAffine *by, gboolean remainder, const TlExpr *expr)
{
  gint64   divisor = by->constant;
  TlAffine out = *form;

  if (!is_constant (by) || divisor == 0 || divisor < -G_MAXINT32 || divisor > G_MAXINT32 || !divides (divisor, form))
    return none (remainder ? TL_AFFINE_MODULO : TL_AFFINE_DIVIDE, expr);
  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    out.by[l] = remainder ? 0 : form->by[l] / divisor;
  gint64 quotient = floor_div (form->constant, divisor);
  out.constant = remainder ? form->constant - quotient * divisor : quotient;
  return out;
}

static TlAffine
binary (const char *const *names, guint n_names, const TlExpr *expr)
{
  TlAffine a = tl_affine_of (names, n_names, expr->args[0]);
  TlAffine b = a.kind == TL_AFFINE_FORM ? tl_affine_of (names, n_names, expr->args[1]) : a;

  if (b.kind != TL_AFFINE_FORM)
    return b;
  if (strcmp (expr->text, "+") == 0)
    return sum (&a, &b, expr);
  if (strcmp (expr->text, "-") == 0)
    {
      TlAffine negative = scaled (&b, -1, expr);
      return negative.kind == TL_AFFINE_FORM ? sum (&a, &negative, expr) : negative;
    }
  if (strcmp (expr->text, "*") == 0)
    {
      if (is_constant (&a) || is_constant (&b))
        return is_constant (&b) ? scaled (&a, b.constant, expr) : scaled (&b, a.constant, expr);
      return none (TL_AFFINE_PRODUCT, expr);
    }
  if (strcmp (expr->text, "/") == 0 || strcmp (expr->text, "//") == 0)
    return divided (&a, &b, FALSE, expr);
  if (strcmp (expr->text, "mod") == 0)
    return divided (&a, &b, TRUE, expr);
  return none (TL_AFFINE_OTHER, expr);
}

TlAffine
tl_affine_of (const char *const *names, guint n_names, const TlExpr *expr)
{
  TlAffine form = { .kind = TL_AFFINE_FORM };

  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      form.constant = expr->integer;
      return form;
    case TL_EXPR_NAME:
      for (guint l = 0; l < MIN (n_names, TL_AFFINE_MAX_LOOPS); l++)
        if (names[l] != NULL && strcmp (names[l], expr->text) == 0)
          {
            form.by[l] = 1;
            return form;
          }
      return none (TL_AFFINE_OTHER, expr);
    case TL_EXPR_UNARY:
      form = tl_affine_of (names, n_names, expr->args[0]);
      if (form.kind != TL_AFFINE_FORM || strcmp (expr->text, "+") == 0)
        return form;
      return strcmp (expr->text, "-") == 0 ? scaled (&form, -1, expr) : none (TL_AFFINE_OTHER, expr);
    case TL_EXPR_BINARY:
      return binary (names, n_names, expr);
    case TL_EXPR_SUBSCRIPT:
      return none (TL_AFFINE_DATA, expr);
    default:
      return none (TL_AFFINE_OTHER, expr);
    }
}

gboolean
tl_affine_is_loop (const TlAffine *form, int *loop, gint64 *offset)
{
  *loop = -1;
  *offset = form->constant;
  if (form->kind != TL_AFFINE_FORM)
    return FALSE;
  for (guint l = 0; l < TL_AFFINE_MAX_LOOPS; l++)
    {
      if (form->by[l] == 0)
        continue;
      if (form->by[l] != 1 || *loop >= 0)
        return FALSE;
      *loop = (int) l;
    }
  return TRUE;
}

gboolean
tl_affine_value (const char *const *names, const gint64 *values, guint n_names, const TlExpr *expr, gint64 *value)
{
  gint64 a, b;

  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      *value = expr->integer;
      return TRUE;
    case TL_EXPR_NAME:
      for (guint l = 0; l < n_names; l++)
        if (names[l] != NULL && strcmp (names[l], expr->text) == 0)
          {
            *value = values[l];
            return TRUE;
          }
      return FALSE;
    case TL_EXPR_UNARY:
      return tl_affine_value (names, values, n_names, expr->args[0], &a) && strcmp (expr->text, "not") != 0
             && (strcmp (expr->text, "-") == 0 ? !__builtin_sub_overflow ((gint64) 0, a, value) : (*value = a, TRUE));
    case TL_EXPR_BINARY:
      if (!tl_affine_value (names, values, n_names, expr->args[0], &a)
          || !tl_affine_value (names, values, n_names, expr->args[1], &b))
        return FALSE;
      if (strcmp (expr->text, "+") == 0)
        return !__builtin_add_overflow (a, b, value);
      if (strcmp (expr->text, "-") == 0)
        return !__builtin_sub_overflow (a, b, value);
      if (strcmp (expr->text, "*") == 0)
        return !__builtin_mul_overflow (a, b, value);
      if (b == 0 || a == G_MININT64 || b == G_MININT64)
        return FALSE;
      if (strcmp (expr->text, "/") == 0 || strcmp (expr->text, "//") == 0)
        *value = floor_div (a, b);
      else if (strcmp (expr->text, "mod") == 0)
        *value = a - floor_div (a, b) * b;
      else
        return FALSE;
      return TRUE;
    default:
      return FALSE;
    }
}

const char *
tl_affine_fault (TlAffineKind kind)
{
  static const char *const faults[] = {
    [TL_AFFINE_FORM] = "it is no loop plus a number",
    [TL_AFFINE_PRODUCT] = "loops are multiplied with one another",
    [TL_AFFINE_MODULO] = "a remainder jumps back",
    [TL_AFFINE_DIVIDE] = "a quotient is rounded",
    [TL_AFFINE_DATA] = "it looks at data",
    [TL_AFFINE_OTHER] = "it is made of something else than loops and numbers",
  };

  return faults[kind];
}

/* --- A corner of the lattice --- */

/* The cell that iteration @at reads. */
static gboolean
cell_read (const char *const names[2], const TlAffineRead *read, const gint64 at[2], gint64 cell[2])
{
  return read->read->n_args == 2 && tl_affine_value (names, at, 2, read->read->args[0], &cell[0])
         && tl_affine_value (names, at, 2, read->read->args[1], &cell[1]) && ABS (cell[0]) < G_MAXINT32
         && ABS (cell[1]) < G_MAXINT32;
}

/* "(1,2) reads (3,4), 2 rows and 2 columns later" */
static void
add_reading (GString *text, const gint64 at[2], const gint64 cell[2])
{
  static const char *const words[2][2] = { { "row", "rows" }, { "column", "columns" } };
  gboolean                 any = FALSE;

  g_string_append_printf (text, "(%d,%d) reads (%d,%d)", (int) at[0], (int) at[1], (int) cell[0], (int) cell[1]);
  for (guint d = 0; d < 2; d++)
    {
      gint64 away = at[d] - cell[d];

      if (away == 0)
        continue;
      g_string_append_printf (text, "%s%d %s %s", any ? " and " : ", ", (int) ABS (away), words[d][ABS (away) != 1],
                              away > 0 ? "earlier" : "later");
      any = TRUE;
    }
  if (!any)
    g_string_append (text, ", itself");
}

char *
tl_affine_differing (const char *const names[2], const TlAffineRead *read)
{
  gint64 first[2] = { 0, 0 }, at[2], cell[2], first_cell[2] = { 0, 0 };

  for (at[0] = 1; at[0] <= TL_AFFINE_CORNER; at[0]++)
    for (at[1] = 1; at[1] <= TL_AFFINE_CORNER; at[1]++)
      {
        if (!cell_read (names, read, at, cell))
          return NULL;
        if (first[0] == 0)
          {
            memcpy (first, at, sizeof first);
            memcpy (first_cell, cell, sizeof first_cell);
            continue;
          }
        if (at[0] - cell[0] == first[0] - first_cell[0] && at[1] - cell[1] == first[1] - first_cell[1])
          continue;
        GString *text = g_string_new (NULL);
        add_reading (text, first, first_cell);
        g_string_append (text, "; ");
        add_reading (text, at, cell);
        return g_string_free (text, FALSE);
      }
  return NULL;
}

#define CORNER_CELLS (TL_AFFINE_CORNER * TL_AFFINE_CORNER)

static guint
node_of (guint table, gint64 i, gint64 j)
{
  return table * CORNER_CELLS + (guint) ((i - 1) * TL_AFFINE_CORNER + j - 1);
}

/* Cells in the corner that wait for others: each read of each cell. */
static GArray **
waits (const char *const loops[2], guint n_tables, const GArray *reads)
{
  GArray **out = g_new (GArray *, n_tables * CORNER_CELLS);
  gint64   at[2], cell[2];

  for (guint n = 0; n < n_tables * CORNER_CELLS; n++)
    out[n] = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint r = 0; r < reads->len; r++)
    {
      const TlAffineRead *read = &g_array_index (reads, TlAffineRead, r);

      for (at[0] = 1; at[0] <= TL_AFFINE_CORNER; at[0]++)
        for (at[1] = 1; at[1] <= TL_AFFINE_CORNER; at[1]++)
          if (cell_read (loops, read, at, cell) && cell[0] >= 1 && cell[0] <= TL_AFFINE_CORNER && cell[1] >= 1
              && cell[1] <= TL_AFFINE_CORNER)
            {
              guint to = node_of (read->to, cell[0], cell[1]);
              g_array_append_val (out[node_of (read->from, at[0], at[1])], to);
            }
    }
  return out;
}

/* The way from @start back to it, breadth first: before[] holds it backwards. 0: there is none
 * shorter than @most. A cell that reads itself is a circle only when @alone. */
static guint
circle_from (GArray *const *out, guint n_nodes, guint start, guint most, gboolean alone, guint *before)
{
  g_autofree guint *depth = g_new0 (guint, n_nodes), *queue = g_new (guint, n_nodes + 1);
  guint             head = 0, tail = 0;

  queue[tail++] = start;
  while (head < tail)
    {
      guint node = queue[head++];

      if (depth[node] + 1 >= most)
        return 0;
      for (guint e = 0; e < out[node]->len; e++)
        {
          guint to = g_array_index (out[node], guint, e);

          if (to == node && !alone)
            continue;
          if (to == start)
            {
              before[start] = node;
              return depth[node] + 1;
            }
          if (depth[to] != 0)
            continue;
          depth[to] = depth[node] + 1;
          before[to] = node;
          queue[tail++] = to;
        }
    }
  return 0;
}

static void
add_cell (GString *text, const char *const *tables, guint node)
{
  guint place = node % CORNER_CELLS;

  g_string_append_printf (text, "%s (%u,%u)", tables[node / CORNER_CELLS], place / TL_AFFINE_CORNER + 1,
                          place % TL_AFFINE_CORNER + 1);
}

/* The cells along the circle that starts at nodes[0], as text. */
static char *
circle_text (const char *const *tables, const guint *nodes, guint length)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < length; k++)
    {
      g_string_append (text, k > 0 ? ", " : "");
      add_cell (text, tables, nodes[k]);
      g_string_append (text, " waits for ");
      if (nodes[k] == nodes[k + 1])
        g_string_append (text, "itself");
      else
        add_cell (text, tables, nodes[k + 1]);
    }
  return g_string_free (text, FALSE);
}

char *
tl_affine_circle (const char *const loops[2], const char *const *tables, guint n_tables, const GArray *reads)
{
  guint             n_nodes = n_tables * CORNER_CELLS, best = CORNER_CELLS, start = 0;
  GArray          **out = waits (loops, n_tables, reads);
  g_autofree guint *before = g_new0 (guint, n_nodes);
  char             *text = NULL;

  /* Two cells tell more than one that reads itself. */
  for (guint alone = 0; alone < 2 && best == CORNER_CELLS; alone++)
    for (guint n = 0; n < n_nodes && best > 2 - alone; n++)
      {
        guint length = circle_from (out, n_nodes, n, best, alone, before);
        if (length == 0)
          continue;
        best = length;
        start = n;
      }
  if (best < CORNER_CELLS)
    {
      g_autofree guint *nodes = g_new (guint, best + 1);

      circle_from (out, n_nodes, start, best + 1, best == 1, before);
      nodes[best] = start;
      for (guint k = best; k-- > 0;)
        nodes[k] = before[nodes[k + 1]];
      text = circle_text (tables, nodes, best);
    }
  for (guint n = 0; n < n_nodes; n++)
    g_array_unref (out[n]);
  g_free (out);
  return text;
}
