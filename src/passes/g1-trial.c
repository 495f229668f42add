/* Trying an update: a value equals C (+) T when it does for every order of the
 * terms that it compares, infinite operands and all positions of i, j and k
 * included. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

#define MAX_WORK 40000000 /* terms evaluated in all trials of one recognition */

guint
tl_g1_index_value (guint index_case, int role)
{
  return role == TL_LOOP_I ? index_case % 3 : role == TL_LOOP_J ? index_case / 3 % 3 : index_case / 9;
}

/* Whether the data says that the diagonal is at least one: graphs and their
 * generators put one there. */
static gboolean
diagonal_is_one (const TlG1 *g1)
{
  static const char *const graphs[] = { "graph", "road", "powerlaw" };
  const TlExpr            *source = g1->data != NULL ? g1->data->source : NULL;

  for (guint i = 0; source != NULL && source->kind == TL_EXPR_CALL && i < G_N_ELEMENTS (graphs); i++)
    if (strcmp (source->text, graphs[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Where i = k or j = k the update of a closure changes nothing that is admitted:
 * a (+) (a (x) D[k,k]) = a by clause (d), or D[k,k] is checked not to pass one. On
 * the diagonal nothing passes one either, where one stands there at first. */
gboolean
tl_g1_may_skip (const TlG1 *g1, guint index_case, gboolean closure)
{
  guint i = tl_g1_index_value (index_case, TL_LOOP_I);
  guint j = tl_g1_index_value (index_case, TL_LOOP_J);
  guint k = tl_g1_index_value (index_case, TL_LOOP_K);

  return closure && (i == k || j == k || (i == j && diagonal_is_one (g1)));
}

gboolean
tl_g1_indices_plain (TlG1 *g1, TlTerm *value, gboolean *any)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  *any = FALSE;
  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      guint         indices = 0;

      if (!marks[i])
        continue;
      for (guint a = 0; a < term->n_args; a++)
        indices += term->args[a]->kind == TL_TERM_INDEX;
      gboolean compares = term->kind >= TL_TERM_LESS && term->kind <= TL_TERM_NOT_EQUAL;
      if (indices > 0 && !(compares && indices == 2))
        return FALSE;
      *any |= indices > 0;
    }
  return value->kind != TL_TERM_INDEX;
}

/* Values are ranks: places between and at the numbers that the update names.
 * Infinities lie outside. */
#define PLUS_INF  1000000
#define MINUS_INF (-1000000)

typedef struct
{
  TlG1         *g1;
  const TlTerm *value;
  const TlTerm *old;
  const TlTerm *left;
  const TlTerm *right;
  const TlTerm *times; /* candidate combination */
  gboolean      minimum;
  gboolean      closure;
  guint8       *marks;
  GPtrArray    *free;      /* terms whose rank is chosen */
  gint         *ranks;     /* by term number */
  guint8       *chosen;    /* by term number: among free */
  double       *constants; /* sorted, finite, distinct */
  guint         n_constants;
  guint         gap; /* ranks between two constants */
  guint         n_ranks;
  gint          least;         /* rank that no read is below, 0 for none */
  gint          infinities[2]; /* which a read may be; 0 for none */
  guint        *numbers;       /* of the terms that are evaluated, rising */
  guint         n_numbers;
} Trial;

static gint
constant_rank (const Trial *trial, double value)
{
  if (isinf (value))
    return value > 0 ? PLUS_INF : MINUS_INF;
  for (guint i = 0; i < trial->n_constants; i++)
    if (trial->constants[i] == value)
      return (gint) (i * (trial->gap + 1) + trial->gap);
  g_assert_not_reached ();
}

/* An infinite operand decides a sum: +-inf, or 0 when it does not. */
static gint
infinite_sum (const Trial *trial, const TlTerm *term)
{
  gint infinity = 0;

  for (guint i = 0; i < term->n_args; i++)
    {
      gint inner = trial->ranks[term->args[i]->number];
      if (tl_term_is_ordered (term->args[i]) || (inner != PLUS_INF && inner != MINUS_INF))
        continue;
      if (infinity != 0 && inner != infinity)
        return 0;
      infinity = inner;
    }
  return term->kind == TL_TERM_NEGATE ? -infinity : infinity;
}

static gboolean
truth (gint rank, gint zero)
{
  return rank != zero;
}

/* Ranks of truths are those of 0 and 1, which are always among the constants. */
static gint
ordered_rank (const Trial *trial, const TlTerm *term, gint zero, gint one, guint index_case)
{
  const gint *ranks = trial->ranks;
  gint        a = term->args[0]->kind == TL_TERM_INDEX ? (gint) tl_g1_index_value (index_case, term->args[0]->role)
                                                       : ranks[term->args[0]->number];
  gint        b = term->n_args < 2                       ? 0
                  : term->args[1]->kind == TL_TERM_INDEX ? (gint) tl_g1_index_value (index_case, term->args[1]->role)
                                                         : ranks[term->args[1]->number];
  gboolean    result;

  switch (term->kind)
    {
    case TL_TERM_MIN:
    case TL_TERM_MAX:
      for (guint i = 1; i < term->n_args; i++)
        {
          b = ranks[term->args[i]->number];
          if (term->kind == TL_TERM_MIN ? b < a : b > a)
            a = b;
        }
      return a;
    case TL_TERM_AND:
    case TL_TERM_OR:
      result = term->kind == TL_TERM_AND;
      for (guint i = 0; i < term->n_args; i++)
        if (truth (ranks[term->args[i]->number], zero) != (term->kind == TL_TERM_AND))
          result = term->kind == TL_TERM_OR;
      break;
    case TL_TERM_XOR:
      result = truth (a, zero) != truth (b, zero);
      break;
    case TL_TERM_NOT:
      result = !truth (a, zero);
      break;
    case TL_TERM_LESS:
      result = a < b;
      break;
    case TL_TERM_LESS_EQUAL:
      result = a <= b;
      break;
    case TL_TERM_EQUAL:
      result = a == b;
      break;
    case TL_TERM_NOT_EQUAL:
      result = a != b;
      break;
    default:
      return ranks[term->args[truth (a, zero) ? 1 : 2]->number];
    }
  return result ? one : zero;
}

/* Whether value equals the update under the ranks chosen so far, all being chosen. */
static gboolean
agrees (Trial *trial, guint index_case)
{
  gint zero = constant_rank (trial, 0), one = constant_rank (trial, 1);

  for (guint n = 0; n < trial->n_numbers; n++)
    {
      guint         i = trial->numbers[n];
      const TlTerm *term = trial->g1->terms.terms->pdata[i];

      if (tl_term_is_ordered (term))
        trial->ranks[i] = ordered_rank (trial, term, zero, one, index_case);
      else if (term->kind == TL_TERM_CONSTANT)
        trial->ranks[i] = constant_rank (trial, term->value);
      else
        {
          gint infinity = infinite_sum (trial, term);
          if (infinity != 0 || trial->chosen[i] == 0)
            trial->ranks[i] = infinity;
        }
    }
  gint value = trial->ranks[trial->value->number];
  gint old = trial->ranks[trial->old->number];
  gint times = trial->ranks[trial->times->number];
  gint expected = trial->minimum ? MIN (old, times) : MAX (old, times);
  return value == expected || (value == old && tl_g1_may_skip (trial->g1, index_case, trial->closure));
}

static gboolean
agrees_everywhere (Trial *trial, guint at, guint index_case)
{
  if (at == trial->free->len)
    {
      trial->g1->work += trial->n_numbers;
      return trial->g1->work <= MAX_WORK && agrees (trial, index_case);
    }
  const TlTerm *term = trial->free->pdata[at];
  gboolean      read = term->kind == TL_TERM_READ;

  for (guint i = 0; i < 2; i++)
    if (read && trial->infinities[i] != 0)
      {
        trial->ranks[term->number] = trial->infinities[i];
        if (!agrees_everywhere (trial, at + 1, index_case))
          return FALSE;
      }
  /* A read whose own value nobody compares is finite or not, that is all. */
  gint first = read ? trial->least : 0;
  gint last = trial->chosen[term->number] == 2 ? first : (gint) trial->n_ranks - 1;
  for (gint rank = first; rank <= last; rank++)
    {
      trial->ranks[term->number] = rank;
      if (!agrees_everywhere (trial, at + 1, index_case))
        return FALSE;
    }
  return TRUE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;
  return (left > right) - (left < right);
}

static void
collect_constants (Trial *trial)
{
  const GPtrArray *all = trial->g1->terms.terms;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (double));
  const double always[2] = { 0, 1 };

  g_array_append_vals (found, always, 2);
  for (guint i = 0; i < all->len; i++)
    {
      const TlTerm *term = all->pdata[i];
      if (trial->marks[i] && term->kind == TL_TERM_CONSTANT && isfinite (term->value))
        g_array_append_val (found, term->value);
    }
  g_array_sort (found, compare_doubles);
  trial->constants = g_new (double, found->len);
  for (guint i = 0; i < found->len; i++)
    {
      double value = g_array_index (found, double, i);
      if (i == 0 || value != trial->constants[trial->n_constants - 1])
        trial->constants[trial->n_constants++] = value;
    }
}

/* Which terms' ranks are chosen: those that ordered terms (or the result) look at,
 * and reads inside sums, of which only "infinite or not" matters. */
static void
collect_free (Trial *trial)
{
  const GPtrArray *all = trial->g1->terms.terms;
  gboolean         compared_constant = FALSE;
  guint            seen = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const TlTerm *term = all->pdata[i];
      if (!trial->marks[i])
        continue;
      if (term->kind == TL_TERM_READ && trial->chosen[i] == 0)
        trial->chosen[i] = 2;
      for (guint a = 0; tl_term_is_ordered (term) && a < term->n_args; a++)
        {
          const TlTerm *arg = term->args[a];
          compared_constant |= arg->kind == TL_TERM_CONSTANT && isfinite (arg->value);
          if (!tl_term_is_ordered (arg) && arg->kind != TL_TERM_CONSTANT && arg->kind != TL_TERM_INDEX)
            trial->chosen[arg->number] = 1;
        }
    }
  for (guint i = 0; i < all->len; i++)
    if (trial->chosen[i] != 0)
      {
        g_ptr_array_add (trial->free, all->pdata[i]);
        seen += trial->chosen[i] == 1;
      }
  trial->gap = MAX (seen, 1);
  /* Without numbers to compare with, one gap above 0 and 1 holds every order. */
  trial->n_ranks = trial->n_constants * (trial->gap + 1) + trial->gap;
  if (!compared_constant)
    trial->n_ranks = trial->gap;
}

/* Reads first, so that sums over them are known to be infinite when they are. */
static int
reads_first (gconstpointer a, gconstpointer b)
{
  const TlTerm *left = *(TlTerm *const *) a, *right = *(TlTerm *const *) b;
  int           order = (right->kind == TL_TERM_READ) - (left->kind == TL_TERM_READ);

  return order != 0 ? order : (left->number > right->number) - (left->number < right->number);
}

gboolean
tl_g1_try_update (TlG1 *g1, TlTerm *value, TlTerm *left, TlTerm *right, TlTerm *times, gboolean minimum,
                  gboolean lattice)
{
  guint    n = g1->terms.terms->len;
  gboolean indexed, ok = TRUE;
  Trial    trial
      = { .g1 = g1, .value = value, .old = g1->old, .left = left, .right = right, .times = times, .minimum = minimum };

  if (!tl_g1_indices_plain (g1, value, &indexed) || tl_term_holds (&g1->terms, times, g1->old))
    return FALSE;
  trial.closure = strcmp (left->name, g1->old->name) == 0 && strcmp (right->name, g1->old->name) == 0;
  trial.marks = tl_term_reach (&g1->terms, value);
  g_autofree guint8 *more = tl_term_reach (&g1->terms, times);
  for (guint i = 0; i < n; i++)
    trial.marks[i] |= more[i];
  trial.marks[g1->old->number] = 1;
  trial.free = g_ptr_array_new ();
  trial.ranks = g_new0 (gint, n);
  trial.chosen = g_new0 (guint8, n);
  trial.chosen[g1->old->number] = 1;
  if (!tl_term_is_ordered (times))
    trial.chosen[times->number] = 1;
  collect_constants (&trial);
  collect_free (&trial);
  g_ptr_array_sort (trial.free, reads_first);
  trial.numbers = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (trial.marks[i]
          && (tl_term_is_ordered (term) || term->kind == TL_TERM_CONSTANT || term->kind == TL_TERM_ADD
              || term->kind == TL_TERM_NEGATE))
        trial.numbers[trial.n_numbers++] = i;
    }
  trial.infinities[0] = minimum || lattice ? PLUS_INF : MINUS_INF;
  if (g1->ast->n_semirings > 0)
    trial.infinities[1] = -trial.infinities[0];
  /* max over min and min over max live on values that are not negative. */
  gboolean full = trial.n_ranks > trial.gap;
  if (lattice && full && g1->ast->n_semirings == 0)
    trial.least = constant_rank (&trial, 0);
  for (guint c = 0; c < (indexed ? 27 : 1) && ok; c++)
    ok = agrees_everywhere (&trial, 0, indexed ? c : 5);
  g_free (trial.marks);
  g_free (trial.ranks);
  g_free (trial.chosen);
  g_free (trial.numbers);
  g_free (trial.constants);
  g_ptr_array_unref (trial.free);
  return ok;
}
