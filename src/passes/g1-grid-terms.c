/* Grids: a cell's value as alternatives, each one cell (x) terms. The pair of operators
 * is the one on the ways from the value down to its cells, not a problem's name. */
#include "passes/g1-grid-private.h"

#include <math.h>
#include <string.h>

/* --- Alternatives --- */

typedef struct
{
  TlGridAlternative step;
  gboolean          negative; /* the cell itself is negated */
} Part;

static GArray *
parts_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (Part));
}

static gboolean
too_many (TlGridReader *reader, const TlExpr *expr)
{
  tl_g1_error (reader->g1, "no-recurrence", expr->span, "a cell has more than %d alternatives",
               TL_GRID_MAX_ALTERNATIVES);
  return FALSE;
}

static gboolean
add_term (TlGridReader *reader, const TlExpr *expr, gboolean negative, Part *part)
{
  if (part->step.n_terms == TL_GRID_MAX_TERMS)
    {
      tl_g1_error (reader->g1, "no-recurrence", expr->span, "a cell is combined with more than %d terms",
                   TL_GRID_MAX_TERMS);
      return FALSE;
    }
  part->step.terms[part->step.n_terms++] = (TlGridTerm) { expr, negative };
  return TRUE;
}

/* --- Distances --- */

/* All cells that the updates read, for the corner of iterations that shows what waits for what. */
static void
collect_reads (const TlGridReader *reader, guint update, const TlExpr *expr, GArray *reads)
{
  int own = tl_grid_own (reader, expr);

  if (own >= 0)
    {
      const TlAffineRead read = { update, (guint) own, expr };
      g_array_append_val (reads, read);
      return;
    }
  for (guint i = 0; i < expr->n_args; i++)
    collect_reads (reader, update, expr->args[i], reads);
}

/* Cells that wait for one another, whatever the order. (transfer full) */
static char *
circle_of (const TlGridReader *reader)
{
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (TlAffineRead));
  const char *names[TL_GRID_MAX_TABLES];

  for (guint u = 0; u < reader->n_updates; u++)
    {
      names[u] = reader->updates[u].name;
      collect_reads (reader, u, reader->updates[u].value, reads);
    }
  return tl_affine_circle (reader->grid->loops, names, reader->n_updates, reads);
}

/* TRUE when there is such a circle, which is then said at @expr. */
static gboolean
is_circular (TlGridReader *reader, const TlExpr *expr)
{
  g_autofree char *circle = circle_of (reader);

  if (circle == NULL)
    return FALSE;
  TlDiag *diag = tl_g1_error (reader->g1, "circular", expr->span, "cells wait for one another in a circle");
  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (b): %s; no order of the cells computes each after those that it reads. Let all reads go "
                    "back, as in [i-1,j] and [i,j-1]",
                    circle);
  return TRUE;
}

/* Why a cell is at no constant distance: the first subscript that makes it so, and two
 * iterations that show it. */
static gboolean
refuse_read (TlGridReader *reader, guint update, const TlExpr *expr)
{
  const TlGrid      *grid = reader->grid;
  const TlAffineRead read = { update, (guint) MAX (tl_grid_own (reader, expr), 0), expr };
  const TlExpr      *at = expr;
  TlAffineKind       kind = TL_AFFINE_FORM;

  if (expr->n_args != 2)
    {
      tl_g1_error (reader->g1, "operand-subscripts", expr->span, "%s has %u subscripts where a table's cell has two",
                   expr->text, expr->n_args);
      return FALSE;
    }
  if (is_circular (reader, expr))
    return FALSE;
  for (guint d = 2; d-- > 0;)
    {
      TlAffine form = tl_affine_of (grid->loops, 2, expr->args[d]);
      int      loop;
      gint64   offset;

      if (tl_affine_is_loop (&form, &loop, &offset) && loop == (int) d)
        continue;
      at = form.fault != NULL ? form.fault : expr->args[d];
      kind = form.kind;
    }
  g_autofree char *pair = tl_affine_differing (grid->loops, &read);
  TlDiag          *diag = tl_g1_error (reader->g1, "not-affine", at->span,
                              kind == TL_AFFINE_FORM ? "this cell is not at a constant distance"
                                                              : "this subscript is not affine in the loops");
  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (b): %s%s%s; a cell reads cells of the same two loops plus numbers, such as [i-1,j]: only "
                    "then do all cells wait alike and the order of tiles can be derived",
                    tl_affine_fault (kind), pair != NULL ? ": " : "", pair != NULL ? pair : "");
  return FALSE;
}

/* A cell that is computed in another order than the loops'. */
static gboolean
refuse_order (TlGridReader *reader, const TlExpr *expr, const gint64 distance[2])
{
  if (is_circular (reader, expr))
    return FALSE;
  TlDiag *diag
      = tl_g1_error (reader->g1, "loop-order", expr->span, "this cell is computed after the one that reads it");
  if (diag != NULL)
    tl_diag_reason (
        diag,
        "clause (b): cell (9,9) reads (%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "); dependences point back "
        "along the rows, then along the columns; mirror the loop, or write the distance the other way round",
        9 - distance[0], 9 - distance[1]);
  return FALSE;
}

/* The cell that @expr reads, as a distance. */
static gboolean
read_cell (TlGridReader *reader, guint update, const TlExpr *expr, Part *part)
{
  const TlGridUpdate *of = &reader->updates[update];
  gint64              distance[2] = { 0, 0 };

  part->step.table = tl_grid_own (reader, expr);
  part->step.span = expr->span;
  for (guint d = 0; d < 2; d++)
    {
      guint  loop = 0;
      gint64 offset = 0;

      if (expr->n_args != 2 || !tl_grid_subscript (reader->grid, expr->args[d], &loop, &offset) || loop != d
          || __builtin_sub_overflow (of->shift[d], offset, &distance[d]))
        return refuse_read (reader, update, expr);
    }
  gboolean forwards = distance[0] > 0 || (distance[0] == 0 && distance[1] > 0);
  gboolean own_cell = distance[0] == 0 && distance[1] == 0;
  if (own_cell && part->step.table == (int) update)
    {
      TlDiag *diag = tl_g1_error (reader->g1, "loop-order", expr->span, "a cell reads itself");
      if (diag != NULL)
        tl_diag_reason (diag, "clause (b): cell (1,1) would wait for itself; a cell reads cells at a distance, as in "
                              "[i-1,j]");
      return FALSE;
    }
  if (distance[0] > TL_GRID_MAX_DISTANCE || ABS (distance[1]) > TL_GRID_MAX_DISTANCE
      || distance[0] < -TL_GRID_MAX_DISTANCE)
    {
      TlDiag *diag = tl_g1_error (reader->g1, "not-affine", expr->span,
                                  "this cell is more than %d rows or columns away", TL_GRID_MAX_DISTANCE);
      if (diag != NULL)
        tl_diag_reason (diag, "a PU keeps the last %d anti-diagonals of each tile beside it", 2 * TL_GRID_MAX_DISTANCE);
      return FALSE;
    }
  if (!forwards && !own_cell)
    return refuse_order (reader, expr, distance);
  part->step.di = (int) distance[0];
  part->step.dj = (int) distance[1];
  return TRUE;
}

static GArray *flatten (TlGridReader *reader, guint update, const TlExpr *expr, gboolean negative);

/* All pairs of @a and @b combined, the terms beside a cell first, as the combination may not
 * commute; frees both. */
static GArray *
combine (TlGridReader *reader, const TlExpr *expr, GArray *a, GArray *b)
{
  g_autoptr (GArray) left = a, right = b;
  g_autoptr (GArray) all = parts_new ();

  if (a == NULL || b == NULL)
    return NULL;
  for (guint l = 0; l < a->len; l++)
    for (guint r = 0; r < b->len; r++)
      {
        Part        part = g_array_index (a, Part, l);
        const Part *other = &g_array_index (b, Part, r);
        gboolean    swap = reader->times.user != NULL && other->step.table != TL_GRID_NONE;

        if (swap && part.step.table == TL_GRID_NONE)
          {
            part = *other;
            other = &g_array_index (a, Part, l);
          }

        if (part.step.table != TL_GRID_NONE && other->step.table != TL_GRID_NONE)
          {
            TlDiag *diag = tl_g1_error (reader->g1, "several-cells", tl_grid_token (expr),
                                        "two cells of the recurrence are combined with each other");
            if (diag != NULL)
              tl_diag_reason (
                  diag, "clause (a): an alternative is one cell combined with weights; over all k, (x) of two cells is "
                        "a closure: D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j");
            return NULL;
          }
        if (part.step.table == TL_GRID_NONE && other->step.table != TL_GRID_NONE)
          {
            part.step.table = other->step.table;
            part.step.di = other->step.di;
            part.step.dj = other->step.dj;
            part.step.span = other->step.span;
            part.negative = other->negative;
          }
        for (guint t = 0; t < other->step.n_terms; t++)
          if (!add_term (reader, other->step.terms[t].expr, other->step.terms[t].negative, &part))
            return NULL;
        g_array_append_val (all, part);
        if (all->len > 4 * TL_GRID_MAX_ALTERNATIVES)
          {
            too_many (reader, expr);
            return NULL;
          }
      }
  return g_steal_pointer (&all);
}

static GArray *
flatten_all (TlGridReader *reader, guint update, const TlExpr *expr, gboolean sums, gboolean negative, guint skip)
{
  GArray *all = NULL;

  for (guint i = 0; i < expr->n_args; i++)
    {
      if (i == skip)
        continue;
      GArray *part = flatten (reader, update, expr->args[i], negative);
      if (all == NULL || part == NULL)
        {
          g_clear_pointer (&all, g_array_unref);
          all = part;
        }
      else if (sums)
        {
          g_array_append_vals (all, part->data, part->len);
          g_array_unref (part);
        }
      else
        all = combine (reader, expr, all, part);
      if (all == NULL)
        return NULL;
    }
  return all;
}

static GArray *
depends (TlGridReader *reader, const TlExpr *expr)
{
  TlDiag *diag = tl_g1_error (reader->g1, "data-dependent", tl_grid_token (expr->args[1]),
                              "which cells are read depends on a condition");
  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (c): control flow must not depend on data (X-drop does), since the schedule is made before "
                    "any value is known; combine all alternatives with %s, and let the letters choose a weight: "
                    "(2 if q[i] == r[j] else -4)",
                    tl_grid_operator_word (reader->plus));
  return NULL;
}

/* A number of the semiring as an expression. */
static const TlExpr *
make_number (TlGridReader *reader, TlScalar value, TlSpan span)
{
  const TlCarrier *carrier = &reader->grid->semiring->carrier;
  gboolean         real = tl_carrier_is_float (carrier);
  gboolean         infinite = real ? isinf (value.r) : ABS (value.i) == TL_INF;
  gboolean         minus = infinite && (real ? value.r < 0 : value.i < 0);
  TlExprKind       kind = infinite ? TL_EXPR_INF : real ? TL_EXPR_REAL : TL_EXPR_INTEGER;
  TlExpr          *number = tl_grid_make (reader->grid, kind, NULL, span, 0);

  if (!infinite && real)
    number->real = value.r;
  else if (!infinite)
    number->integer = value.i;
  if (!minus)
    return number;
  TlExpr *negated = tl_grid_make (reader->grid, TL_EXPR_UNARY, "-", span, 1);
  negated->args[0] = number;
  negated->depth = 2;
  return negated;
}

static gboolean
same_part (const Part *a, const Part *b)
{
  gboolean same = a->step.table == b->step.table && a->step.di == b->step.di && a->step.dj == b->step.dj
                  && a->negative == b->negative && a->step.n_terms == b->step.n_terms;

  for (guint t = 0; same && t < a->step.n_terms; t++)
    same = a->step.terms[t].negative == b->step.terms[t].negative
           && tl_grid_same (a->step.terms[t].expr, b->step.terms[t].expr);
  return same;
}

/* Adds those of @parts that @others lack, each combined with one where the condition of @expr
 * chooses @parts, else with zero, which takes it out: all are read, whatever the letters. */
static gboolean
add_chosen (TlGridReader *reader, const TlExpr *expr, const GArray *parts, const GArray *others, gboolean yes,
            GArray *all)
{
  const TlSemiring *semiring = reader->grid->semiring;

  for (guint p = 0; p < parts->len; p++)
    {
      Part     part = g_array_index (parts, Part, p);
      gboolean both = FALSE;

      for (guint o = 0; o < others->len; o++)
        both |= same_part (&part, &g_array_index (others, Part, o));
      if (!both)
        {
          TlExpr *choice = tl_grid_make (reader->grid, TL_EXPR_CONDITION, NULL, expr->span, 3);

          choice->args[0] = (TlExpr *) make_number (reader, yes ? semiring->one : semiring->zero, expr->span);
          choice->args[1] = expr->args[1];
          choice->args[2] = (TlExpr *) make_number (reader, yes ? semiring->zero : semiring->one, expr->span);
          choice->op_span = expr->op_span;
          choice->depth = expr->args[1]->depth + 1;
          if (!add_term (reader, choice, FALSE, &part))
            return FALSE;
        }
      /* What both sides have hangs on no condition, and stands once. */
      if (!both || yes)
        g_array_append_val (all, part);
    }
  return TRUE;
}

/* "H[i-1,j-1] + a if C else H[i-1,j-1] + b", C looking at letters alone, is H (x) (a if C else b);
 * of other cells each is combined with one or zero, as C says. */
static GArray *
flatten_condition (TlGridReader *reader, guint update, const TlExpr *expr, gboolean negative)
{
  if (tl_grid_holds_own (reader, expr->args[1]))
    return depends (reader, expr);
  g_autoptr (GArray) yes = flatten (reader, update, expr->args[0], negative);
  g_autoptr (GArray) no = yes != NULL ? flatten (reader, update, expr->args[2], negative) : NULL;
  if (no == NULL)
    return NULL;
  const Part *a = &g_array_index (yes, Part, 0), *b = &g_array_index (no, Part, 0);
  if (yes->len != 1 || no->len != 1 || a->step.table != b->step.table || a->step.di != b->step.di
      || a->step.dj != b->step.dj || a->negative != b->negative || a->step.n_terms > 1 || b->step.n_terms > 1
      || (reader->times.kind != TL_OPERATOR_ADD && (a->step.n_terms == 0 || b->step.n_terms == 0)))
    {
      g_autoptr (GArray) chosen = parts_new ();

      if (reader->times.user != NULL)
        return depends (reader, expr); /* whose zero may take nothing out */
      return add_chosen (reader, expr, yes, no, TRUE, chosen) && add_chosen (reader, expr, no, yes, FALSE, chosen)
                 ? g_steal_pointer (&chosen)
                 : NULL;
    }
  Part    part = *a;
  TlExpr *choice = tl_grid_make (reader->grid, TL_EXPR_CONDITION, NULL, expr->span, 3);
  for (guint side = 0; side < 2; side++)
    {
      const Part   *of = side == 0 ? a : b;
      const TlExpr *value = of->step.n_terms > 0 ? of->step.terms[0].expr
                                                 : tl_grid_make (reader->grid, TL_EXPR_INTEGER, NULL, expr->span, 0);
      if (of->step.n_terms > 0 && of->step.terms[0].negative)
        {
          TlExpr *negated = tl_grid_make (reader->grid, TL_EXPR_UNARY, "-", expr->span, 1);
          negated->args[0] = (TlExpr *) value;
          value = negated;
        }
      choice->args[side * 2] = (TlExpr *) value;
    }
  choice->args[1] = expr->args[1];
  part.step.n_terms = 0;
  add_term (reader, choice, FALSE, &part);
  GArray *all = parts_new ();
  g_array_append_val (all, part);
  return all;
}

static GArray *
no_alternative (TlGridReader *reader, const TlExpr *expr)
{
  gboolean rounds = (expr->kind == TL_EXPR_CALL && tl_function_rounds (expr->text)) || tl_grid_is_word (expr, "/")
                    || tl_grid_is_word (expr, "//") || tl_grid_is_word (expr, "mod");

  if (rounds)
    {
      TlDiag *diag
          = tl_g1_error (reader->g1, "not-associative", tl_grid_token (expr), "values are rounded on their way");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (a): sums with rounding are not associative: rounded down, 1 / 2 + 1 / 2 is 0 and "
                        "(1 + 1) / 2 is 1, so the order of a tiled schedule would change the result; work with "
                        "logarithms or exact integers");
      return NULL;
    }
  TlDiag *diag = tl_g1_error (reader->g1, "no-recurrence", tl_grid_token (expr),
                              "%s of a cell is no combination over a semiring", expr->text ? expr->text : "this");
  if (diag != NULL)
    tl_diag_reason (diag, "cells are accumulated with min, max, or, and +, and combined with +, *, min, max and and");
  return NULL;
}

/* Both operands of an operator of one's own. */
static GArray *
flatten_own (TlGridReader *reader, guint update, const TlExpr *expr, gboolean sums)
{
  gboolean cells = tl_grid_holds_own (reader, expr->args[1]);

  if (!sums && !tl_grid_holds_own (reader, expr->args[cells ? 0 : 1]) && !tl_grid_note_side (reader, expr, cells))
    return NULL;
  return flatten_all (reader, update, expr, sums, FALSE, G_MAXUINT);
}

static GArray *
flatten_operator (TlGridReader *reader, guint update, const TlExpr *expr, gboolean negative)
{
  TlGridOperator op;

  if (expr->kind != TL_EXPR_REDUCE && tl_grid_operator_of (reader, expr, negative, &op)
      && (tl_grid_same_operator (op, reader->plus) || tl_grid_same_operator (op, reader->times)))
    {
      gboolean sums = tl_grid_same_operator (op, reader->plus);

      if (op.user != NULL)
        return negative ? no_alternative (reader, expr) : flatten_own (reader, update, expr, sums);
      return flatten_all (reader, update, expr, sums, negative, expr->kind == TL_EXPR_CONDITION ? 1 : G_MAXUINT);
    }
  if (expr->kind == TL_EXPR_CONDITION)
    return flatten_condition (reader, update, expr, negative);
  if (expr->kind == TL_EXPR_UNARY && tl_grid_is_word (expr, "-") && reader->times.kind == TL_OPERATOR_ADD)
    return flatten (reader, update, expr->args[0], !negative);
  if (expr->kind == TL_EXPR_BINARY && tl_grid_is_word (expr, "-") && reader->times.kind == TL_OPERATOR_ADD)
    {
      GArray *left = flatten (reader, update, expr->args[0], negative);
      return combine (reader, expr, left, left != NULL ? flatten (reader, update, expr->args[1], !negative) : NULL);
    }
  return no_alternative (reader, expr);
}

static GArray *
flatten (TlGridReader *reader, guint update, const TlExpr *expr, gboolean negative)
{
  Part part = { .step = { .table = TL_GRID_NONE, .span = expr->span }, .negative = negative };

  if (tl_grid_holds_own (reader, expr) && tl_grid_own (reader, expr) < 0)
    return flatten_operator (reader, update, expr, negative);
  if (tl_grid_own (reader, expr) >= 0 ? !read_cell (reader, update, expr, &part)
                                      : !add_term (reader, expr, negative, &part))
    return NULL;
  GArray *all = parts_new ();
  g_array_append_val (all, part);
  return all;
}

/* Weights alone first, then by distance, the greatest first: ties go to the first. */
static int
compare_parts (gconstpointer a, gconstpointer b, gpointer data)
{
  const Part *first = a, *second = b;
  gboolean    cells[] = { first->step.table != TL_GRID_NONE, second->step.table != TL_GRID_NONE };
  guint sums[] = { (guint) (first->step.di + ABS (first->step.dj)), (guint) (second->step.di + ABS (second->step.dj)) };

  if (cells[0] != cells[1])
    return cells[0] ? 1 : -1;
  if (sums[0] != sums[1])
    return sums[0] > sums[1] ? -1 : 1;
  if (first->step.di != second->step.di)
    return first->step.di > second->step.di ? -1 : 1;
  if (first->step.dj != second->step.dj)
    return first->step.dj > second->step.dj ? -1 : 1;
  if (first->step.table != second->step.table)
    return first->step.table < second->step.table ? -1 : 1;
  g_autofree char *texts[] = { tl_grid_terms_text (data, first->step.terms, first->step.n_terms) };
  g_autofree char *others[] = { tl_grid_terms_text (data, second->step.terms, second->step.n_terms) };
  return strcmp (texts[0], others[0]);
}

gboolean
tl_grid_flatten (TlGridReader *reader, guint update, TlGridTable *table)
{
  g_autoptr (GArray) parts = flatten (reader, update, reader->updates[update].value, FALSE);

  if (parts == NULL)
    return FALSE;
  if (parts->len > TL_GRID_MAX_ALTERNATIVES)
    return too_many (reader, reader->updates[update].value);
  g_array_sort_with_data (parts, compare_parts, reader->grid);
  for (guint p = 0; p < parts->len; p++)
    {
      const Part *part = &g_array_index (parts, Part, p);

      if (part->step.table != TL_GRID_NONE && part->negative)
        {
          TlDiag *diag = tl_g1_error (reader->g1, "mixed-semirings", part->step.span, "a cell is negated");
          if (diag != NULL)
            tl_diag_reason (diag, "clause (a): a negated cell turns the order of values round, so min and max change "
                                  "places; negate the weights instead");
          return FALSE;
        }
      table->alternatives[table->n_alternatives++] = part->step;
    }
  return TRUE;
}
