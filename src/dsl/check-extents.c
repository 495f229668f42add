/* Extents as far as the text tells them. Each size name, each dimension of an array
 * and each loop without a range is a variable; uses make variables equal, shapes
 * give them numbers. Two numbers for one variable are an error, and so is a
 * subscript whose linear bounds leave its extent whatever the sizes are.
 * language.md, rulings 1, 4 and 5. */
#include "dsl/check-private.h"

#include <string.h>

#define MAX_TERMS   6
#define NO_VARIABLE G_MAXUINT

typedef struct
{
  guint       parent;
  gboolean    known;
  gint64      value;
  TlSpan      span; /* of the shape or range that gives the value */
  const char *name; /* size name, or NULL */
  gboolean    torn; /* two values were found: judge nothing by it */
} Variable;

/* constant + sum of coefficient * variable; every variable is at least 1. */
typedef struct
{
  gboolean valid;
  gint64   constant;
  guint    n_terms;
  struct
  {
    guint  variable;
    gint64 coefficient;
  } terms[MAX_TERMS];
} Linear;

/* A subscript whose bounds are judged when all extents are known. */
typedef struct
{
  TlSpan        span;
  Linear        low; /* least and greatest value */
  Linear        high;
  gboolean      check_low;
  gboolean      check_high;
  guint         dimension; /* variable */
  gint64        base;      /* 0, or 1 for letters */
  const char   *array;
  /* The loop whose range decides, if it is one: each is judged once. */
  const TlExpr *range;
  gboolean      plain; /* the subscript is that loop alone */
} Bound;

struct _TlExtents
{
  TlChecker  *checker;
  GArray     *variables;  /* of Variable */
  GHashTable *sizes;      /* name -> index + 1 */
  GHashTable *dimensions; /* array name -> GArray of guint */
  GArray     *bounds;     /* of Bound */
  GHashTable *said;       /* what was reported of loops, owned strings */
};

TlExtents *
tl_extents_new (TlChecker *checker)
{
  TlExtents *extents = g_new0 (TlExtents, 1);

  extents->checker = checker;
  extents->variables = g_array_new (FALSE, TRUE, sizeof (Variable));
  extents->sizes = g_hash_table_new (g_str_hash, g_str_equal);
  extents->dimensions = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  extents->said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  extents->bounds = g_array_new (FALSE, TRUE, sizeof (Bound));
  return extents;
}

void
tl_extents_free (TlExtents *extents)
{
  g_array_unref (extents->variables);
  g_hash_table_unref (extents->sizes);
  g_hash_table_unref (extents->dimensions);
  g_array_unref (extents->bounds);
  g_hash_table_unref (extents->said);
  g_free (extents);
}

static guint
new_variable (TlExtents *extents, const char *name)
{
  Variable variable = { extents->variables->len, FALSE, 0, { 0, 0 }, name, FALSE };

  g_array_append_val (extents->variables, variable);
  return extents->variables->len - 1;
}

static Variable *
variable_at (const TlExtents *extents, guint index)
{
  return &g_array_index (extents->variables, Variable, index);
}

static guint
root_of (const TlExtents *extents, guint index)
{
  while (variable_at (extents, index)->parent != index)
    {
      Variable *variable = variable_at (extents, index);
      variable->parent = variable_at (extents, variable->parent)->parent;
      index = variable->parent;
    }
  return index;
}

static guint
size_variable (TlExtents *extents, const char *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (extents->sizes, name));

  if (index == 0)
    {
      index = new_variable (extents, name) + 1;
      g_hash_table_insert (extents->sizes, (gpointer) name, GUINT_TO_POINTER (index));
    }
  return index - 1;
}

static guint
dimension_variable (TlExtents *extents, const TlArrayName *array, guint dimension)
{
  GArray *dimensions = g_hash_table_lookup (extents->dimensions, array->name);

  if (dimensions == NULL)
    {
      dimensions = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (extents->dimensions, (gpointer) array->name, dimensions);
    }
  while (dimensions->len <= dimension)
    {
      guint index = new_variable (extents, NULL);
      g_array_append_val (dimensions, index);
    }
  return g_array_index (dimensions, guint, dimension);
}

static void
report_conflict (TlExtents *extents, const char *name, TlSpan span, const Variable *a, const Variable *b)
{
  TlSource  *source = extents->checker->ast->source;
  TlPosition first = tl_source_position (source, a->span.start), second = tl_source_position (source, b->span.start);
  TlDiag    *diag = tl_report (&extents->checker->reporter, TL_SEVERITY_ERROR, "two-extents", span,
                               "%s has two extents, %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT, name, a->value, b->value);

  tl_report_reason (
      diag, "%" G_GINT64_FORMAT " is written at %u:%u, %" G_GINT64_FORMAT " at %u:%u; a name stands for one extent",
      a->value, first.line, first.column, b->value, second.line, second.column);
}

/* Makes two variables one, because @name at @span is both. */
static void
unite (TlExtents *extents, guint a, guint b, const char *name, TlSpan span)
{
  guint root_a = root_of (extents, a), root_b = root_of (extents, b);

  if (root_a == root_b)
    return;
  Variable *first = variable_at (extents, root_a), *second = variable_at (extents, root_b);
  if (first->known && second->known && first->value != second->value)
    {
      if (!first->torn || !second->torn)
        report_conflict (extents, name, span, first, second);
      first->torn = second->torn = TRUE;
      return;
    }
  if (second->known && !first->known)
    {
      first->known = TRUE;
      first->value = second->value;
      first->span = second->span;
    }
  if (first->name == NULL)
    first->name = second->name;
  second->parent = root_a;
}

/* --- Linear forms --- */

static const Linear invalid = { FALSE, 0, 0, { { 0, 0 } } };

static Linear
constant (gint64 value)
{
  return (Linear) { TRUE, value, 0, { { 0, 0 } } };
}

/* a + factor * b */
static Linear
add (const TlExtents *extents, Linear a, Linear b, gint64 factor)
{
  gint64 scaled = 0;

  if (!a.valid || !b.valid || __builtin_mul_overflow (b.constant, factor, &scaled)
      || __builtin_add_overflow (a.constant, scaled, &a.constant))
    return invalid;
  for (guint i = 0; i < b.n_terms; i++)
    {
      guint root = root_of (extents, b.terms[i].variable), at = 0;
      if (__builtin_mul_overflow (b.terms[i].coefficient, factor, &scaled))
        return invalid;
      while (at < a.n_terms && root_of (extents, a.terms[at].variable) != root)
        at++;
      if (at == MAX_TERMS)
        return invalid;
      if (at == a.n_terms)
        {
          a.terms[at].variable = root;
          a.terms[at].coefficient = 0;
          a.n_terms++;
        }
      if (__builtin_add_overflow (a.terms[at].coefficient, scaled, &a.terms[at].coefficient))
        return invalid;
    }
  return a;
}

static Linear
of_variable (guint variable)
{
  Linear form = constant (0);

  form.n_terms = 1;
  form.terms[0].variable = variable;
  form.terms[0].coefficient = 1;
  return form;
}

/* Puts known numbers in and drops what cancels. */
static Linear
settled (const TlExtents *extents, Linear form)
{
  Linear result = constant (form.constant);

  if (!form.valid)
    return form;
  for (guint i = 0; i < form.n_terms; i++)
    {
      const Variable *root = variable_at (extents, root_of (extents, form.terms[i].variable));
      result = add (extents, result, root->known ? constant (root->value) : of_variable (form.terms[i].variable),
                    form.terms[i].coefficient);
    }
  guint kept = 0;
  for (guint i = 0; result.valid && i < result.n_terms; i++)
    if (result.terms[i].coefficient != 0)
      result.terms[kept++] = result.terms[i];
  result.n_terms = kept;
  return result;
}

/* Whether the form is positive for all sizes of at least 1. */
static gboolean
always_positive (Linear form)
{
  gint64 least = form.constant;

  if (!form.valid)
    return FALSE;
  for (guint i = 0; i < form.n_terms; i++)
    if (form.terms[i].coefficient < 0 || __builtin_add_overflow (least, form.terms[i].coefficient, &least))
      return FALSE;
  return least > 0;
}

static Linear linear_bound (TlExtents *extents, const TlExpr *expr, gboolean high, guint depth);

/* Least or greatest value of a loop. */
static Linear
loop_bound (TlExtents *extents, const TlScopeName *loop, gboolean high, guint depth)
{
  if (loop->range == NULL)
    {
      gint64 start = loop->starts_at_one;
      if (!high)
        return loop->start_unknown && !loop->starts_at_one ? invalid : constant (start);
      return add (extents, of_variable (loop->extent), constant (start - 1), 1);
    }
  Linear bound = linear_bound (extents, loop->range->args[high], high, depth);
  return high && !loop->range->integer ? add (extents, bound, constant (-1), 1) : bound;
}

/* Least or greatest value that a subscript can have under the loops in scope. */
static Linear
linear_bound (TlExtents *extents, const TlExpr *expr, gboolean high, guint depth)
{
  gint64             factor = 0;
  const TlScopeName *loop = NULL;

  if (depth > 32)
    return invalid;
  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      return constant (expr->integer);
    case TL_EXPR_NAME:
      loop = tl_check_scope_find (extents->checker, expr->text);
      if (loop != NULL && loop->kind == TL_SCOPE_LOOP)
        return loop_bound (extents, loop, high, depth + 1);
      if (loop == NULL && g_hash_table_contains (extents->checker->sizes, expr->text))
        return of_variable (size_variable (extents, expr->text));
      return invalid;
    case TL_EXPR_UNARY:
      if (strcmp (expr->text, "-") != 0)
        return invalid;
      return add (extents, constant (0), linear_bound (extents, expr->args[0], !high, depth + 1), -1);
    case TL_EXPR_BINARY:
      if (strcmp (expr->text, "+") == 0)
        return add (extents, linear_bound (extents, expr->args[0], high, depth + 1),
                    linear_bound (extents, expr->args[1], high, depth + 1), 1);
      if (strcmp (expr->text, "-") == 0)
        return add (extents, linear_bound (extents, expr->args[0], high, depth + 1),
                    linear_bound (extents, expr->args[1], !high, depth + 1), -1);
      if (strcmp (expr->text, "*") == 0)
        for (guint i = 0; i < 2; i++)
          if (tl_expr_integer (expr->args[i], &factor))
            return add (extents, constant (0),
                        linear_bound (extents, expr->args[1 - i], factor < 0 ? !high : high, depth + 1), factor);
      return invalid;
    default:
      return invalid;
    }
}

/* --- Declarations and uses --- */

static void
declare_shape (TlExtents *extents, const TlArrayName *array)
{
  for (guint i = 0; i < MIN (array->data->n_shape, array->rank_max); i++)
    {
      const TlExpr *extent = array->data->shape[i];
      Variable     *variable = NULL;
      gint64        value = 0;
      guint         index = dimension_variable (extents, array, i);
      if (extent->kind == TL_EXPR_NAME)
        unite (extents, index, size_variable (extents, extent->text), extent->text, extent->span);
      else if (tl_expr_integer (extent, &value) && value > 0)
        {
          variable = variable_at (extents, root_of (extents, index));
          variable->known = TRUE;
          variable->value = value;
          variable->span = extent->span;
        }
    }
}

void
tl_extents_declare (TlExtents *extents)
{
  static const char *const square[] = { "graph", "road", "powerlaw", NULL };

  for (guint i = 0; i < extents->checker->array_order->len; i++)
    {
      const TlArrayName *array = g_ptr_array_index (extents->checker->array_order, i);
      if (array->data == NULL)
        continue;
      const TlExpr *source = array->data->source;
      declare_shape (extents, array);
      if (source != NULL && source->kind == TL_EXPR_CALL && g_strv_contains (square, source->text))
        unite (extents, dimension_variable (extents, array, 0), dimension_variable (extents, array, 1), array->name,
               array->data->n_shape > 0 ? array->data->shape[0]->span : source->span);
    }
}

guint
tl_extents_loop (TlExtents *extents, const TlScopeName *loop)
{
  return loop->range == NULL ? new_variable (extents, NULL) : NO_VARIABLE;
}

/* for i in 0..N over D[i,j]: N is D's extent, whatever is added to either. */
static void
name_extent (TlExtents *extents, const TlExpr *subscript, guint dimension)
{
  const TlExpr *base = subscript;

  if (base->kind == TL_EXPR_BINARY && (strcmp (base->text, "+") == 0 || strcmp (base->text, "-") == 0)
      && base->args[1]->kind == TL_EXPR_INTEGER)
    base = base->args[0];
  const TlScopeName *loop = base->kind == TL_EXPR_NAME ? tl_check_scope_find (extents->checker, base->text) : NULL;
  if (loop == NULL || loop->kind != TL_SCOPE_LOOP || loop->range == NULL)
    return;
  const TlExpr *end = loop->range->args[1];
  if (end->kind == TL_EXPR_BINARY && (strcmp (end->text, "+") == 0 || strcmp (end->text, "-") == 0)
      && end->args[1]->kind == TL_EXPR_INTEGER)
    end = end->args[0];
  if (end->kind == TL_EXPR_NAME && tl_check_scope_find (extents->checker, end->text) == NULL)
    unite (extents, size_variable (extents, end->text), dimension, end->text, end->span);
}

void
tl_extents_use (TlExtents *extents, const TlArrayName *array, const TlExpr *expr, gboolean is_target)
{
  for (guint i = 0; i < expr->n_args; i++)
    {
      const TlExpr      *subscript = expr->args[i];
      guint              dimension = dimension_variable (extents, array, i);
      const TlScopeName *loop
          = subscript->kind == TL_EXPR_NAME ? tl_check_scope_find (extents->checker, subscript->text) : NULL;
      /* A recurrence over letters has a row and a column more than there are letters,
       * and its cells outside are absent: its own array says nothing. */
      gboolean open_ended = loop != NULL && loop->starts_at_one;
      gboolean absent = FALSE;
      if (loop != NULL && loop->kind == TL_SCOPE_LOOP && loop->range == NULL)
        {
          if (!open_ended && !(loop->start_unknown && array->data == NULL))
            unite (extents, loop->extent, dimension, loop->name, subscript->span);
          else if (array->one_based)
            unite (extents, loop->extent, dimension, loop->name, subscript->span);
        }
      else if (array->data != NULL)
        name_extent (extents, subscript, dimension);
      for (guint k = 0; k < extents->checker->scope->len; k++)
        absent |= g_array_index (extents->checker->scope, TlScopeName, k).implicit && array->written;
      if (absent || extents->checker->reporter.muted)
        continue;
      Bound bound = {
        .span = subscript->span,
        .low = linear_bound (extents, subscript, FALSE, 0),
        .high = linear_bound (extents, subscript, TRUE, 0),
        .check_low = TRUE,
        .check_high = array->data != NULL,
        .dimension = dimension,
        .base = array->one_based,
        .array = array->name,
        .plain = loop != NULL,
      };
      const TlExpr *base = subscript->kind == TL_EXPR_BINARY ? subscript->args[0] : subscript;
      loop = base->kind == TL_EXPR_NAME ? tl_check_scope_find (extents->checker, base->text) : NULL;
      bound.range = loop != NULL ? loop->range : NULL;
      g_array_append_val (extents->bounds, bound);
    }
}

/* "N", "N - 1", "5120": a form for people. (transfer full) */
static char *
form_text (const TlExtents *extents, Linear form)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < form.n_terms; i++)
    {
      const Variable *root = variable_at (extents, root_of (extents, form.terms[i].variable));
      gint64          coefficient = form.terms[i].coefficient;
      if (root->name == NULL || coefficient != 1 || i > 0)
        {
          g_string_assign (text, "past the end");
          return g_string_free (text, FALSE);
        }
      g_string_append (text, root->name);
    }
  if (form.n_terms == 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, form.constant);
  else if (form.constant != 0)
    g_string_append_printf (text, " %c %" G_GINT64_FORMAT, form.constant < 0 ? '-' : '+', ABS (form.constant));
  return g_string_free (text, FALSE);
}

static gboolean
is_torn (const TlExtents *extents, guint dimension, const Linear *forms, guint n_forms)
{
  gboolean torn = variable_at (extents, root_of (extents, dimension))->torn;

  for (guint i = 0; i < n_forms; i++)
    for (guint k = 0; forms[i].valid && k < forms[i].n_terms; k++)
      torn |= variable_at (extents, root_of (extents, forms[i].terms[k].variable))->torn;
  return torn;
}

/* Whether an earlier bound said the same of the same loop. */
static gboolean
is_repeated (TlExtents *extents, const Bound *bound)
{
  const char *text = tl_source_text (extents->checker->ast->source);

  if (bound->range == NULL)
    return FALSE;
  return !g_hash_table_add (extents->said,
                            g_strdup_printf ("%u %.*s", bound->range->span.start,
                                             (int) (bound->span.end - bound->span.start), text + bound->span.start));
}

/* 0..=N and 0..N+1 over an extent N end one too late. */
static void
fix_range (TlExtents *extents, TlDiag *diag, const Bound *bound, Linear excess)
{
  const TlExpr *range = bound->range;
  const char   *text = tl_source_text (extents->checker->ast->source);

  if (range == NULL || !bound->plain || excess.n_terms > 0 || excess.constant != 1)
    return;
  const TlExpr *end = range->args[1];
  if (range->integer)
    tl_report_fix (diag, range->op_span, "..", "leave the end out");
  else if (end->kind == TL_EXPR_BINARY && strcmp (end->text, "+") == 0 && end->args[1]->kind == TL_EXPR_INTEGER
           && end->args[1]->integer == 1)
    {
      g_autofree char *shorter
          = g_strndup (text + end->args[0]->span.start, end->args[0]->span.end - end->args[0]->span.start);
      tl_report_fix (diag, end->span, shorter, "end at %s", shorter);
    }
}

static void
check_bound (TlExtents *extents, guint index)
{
  const Bound *bound = &g_array_index (extents->bounds, Bound, index);
  Linear       forms[2] = { settled (extents, bound->low), settled (extents, bound->high) };
  Linear       extent = settled (extents, of_variable (bound->dimension));
  Linear       below = settled (extents, add (extents, constant (bound->base), forms[0], -1));
  Linear   above = settled (extents, add (extents, add (extents, forms[1], extent, -1), constant (1 - bound->base), 1));
  gboolean is_below = bound->check_low && always_positive (below);
  gboolean is_above = bound->check_high && always_positive (above);

  if ((!is_below && !is_above) || is_torn (extents, bound->dimension, forms, 2) || is_repeated (extents, bound))
    return;
  g_autofree char *value = form_text (extents, forms[!is_below]);
  g_autofree char *end = form_text (extents, extent);
  TlDiag          *diag = tl_report (&extents->checker->reporter, TL_SEVERITY_ERROR, "outside-extent", bound->span,
                                     "this subscript of %s leaves its extent", bound->array);
  if (is_below)
    tl_report_reason (diag, "it goes down to %s; %s counts from %" G_GINT64_FORMAT, value, bound->array, bound->base);
  else if (strcmp (end, "past the end") == 0)
    tl_report_reason (diag, "it goes past the last element");
  else
    tl_report_reason (diag, "it goes up to %s; the extent is %s, counted from %" G_GINT64_FORMAT, value, end,
                      bound->base);
  if (!is_below)
    fix_range (extents, diag, bound, above);
}

void
tl_extents_finish (TlExtents *extents)
{
  for (guint i = 0; i < extents->bounds->len; i++)
    check_bound (extents, i);
}
