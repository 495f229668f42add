/* Plain products. Columns of C are taken in blocks whose part of B stays in the cache, rows one after the other. */
#include "sim/product.h"

#include <float.h>
#include <math.h>

#define BLOCK 64

/* A product and the sum it goes into are two roundings; a machine that can do both in one must not. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

typedef struct
{
  const TlMatrix *a, *b;
  gboolean        by_columns;
  TlMatrix       *c;
  GCancellable   *cancellable;
  gint            next; /* block, taken atomically */
  guint64         n_blocks;
  gint            overflow;
} Product;

/* A finite value as a number; TL_INF never stands in a product's operands. */
static double
number_at (const TlMatrix *matrix, guint64 row, guint64 column)
{
  TlScalar value = tl_matrix_get (matrix, row, column);

  return tl_element_type_is_float (matrix->element) ? value.r : (double) value.i;
}

static gint64
integer_at (const TlMatrix *matrix, guint64 row, guint64 column)
{
  return tl_matrix_get (matrix, row, column).i;
}

static double
b_number (const Product *product, guint64 k, guint64 n)
{
  return product->by_columns ? number_at (product->b, n, k) : number_at (product->b, k, n);
}

/* Bits that any value of the type takes when it is written as a whole number times a power of two. */
static guint
digits (TlElementType type)
{
  return tl_element_type_is_float (type) ? type.mantissa + 1u : type.bits;
}

static gboolean
is_whole (const TlMatrix *matrix)
{
  return !tl_element_type_is_float (matrix->element);
}

/* Whether every product of the operands is exact in C's type times itself, so that C's own multiplication rounds once. */
static gboolean
is_plain (const Product *product)
{
  guint room = product->c->storage == TL_STORAGE_F32 ? FLT_MANT_DIG : DBL_MANT_DIG;

  return digits (product->a->element) <= room && digits (product->b->element) <= room;
}

/* left * right of doubles, rounded to odd: what then is rounded to fewer digits is rounded as if at once. */
static double
odd_product (double left, double right)
{
  double product = left * right, rest = fma (left, right, -product);
  union
  {
    double  real;
    guint64 bits;
  } odd = { product };

  if (rest == 0 || !isfinite (product) || (odd.bits & 1) != 0)
    return product;
  return nextafter (product, rest > 0 ? INFINITY : -INFINITY);
}

/* A product of operands too wide for C's own multiplication, rounded once to C. */
static double
wide_product (const Product *product, guint64 row, guint64 k, guint64 n)
{
  gboolean narrow = product->c->storage == TL_STORAGE_F32;

  if (is_whole (product->a) && is_whole (product->b))
    {
      __int128 exact = (__int128) integer_at (product->a, row, k)
                       * (product->by_columns ? integer_at (product->b, n, k) : integer_at (product->b, k, n));
      return narrow ? (float) exact : (double) exact;
    }
  double left = number_at (product->a, row, k), right = b_number (product, k, n);
  return narrow ? (float) odd_product (left, right) : left * right;
}

/* One product at a time, for types that are seldom multiplied. */
static void
multiply_wide (const Product *product, guint64 first, guint64 n)
{
  guint64 depth = product->a->columns;

  for (guint64 row = 0; row < product->a->rows && !g_cancellable_is_cancelled (product->cancellable); row++)
    for (guint64 j = first; j < first + n; j++)
      {
        double sum = tl_matrix_get (product->c, row, j).r;

        for (guint64 k = 0; k < depth; k++)
          {
            double times = wide_product (product, row, k, j);
            sum = product->c->storage == TL_STORAGE_F32 ? (float) sum + (float) times : sum + times;
          }
        tl_matrix_set (product->c, row, j, (TlScalar) { .r = sum });
      }
}

static void
multiply_f32 (const Product *product, guint64 first, guint64 n)
{
  guint64           depth = product->a->columns;
  g_autofree float *b = g_new (float, depth *n);
  g_autofree float *a = g_new (float, depth);
  float            *c = product->c->data;

  for (guint64 k = 0; k < depth; k++)
    for (guint64 j = 0; j < n; j++)
      b[k * n + j] = (float) b_number (product, k, first + j);
  for (guint64 row = 0; row < product->a->rows && !g_cancellable_is_cancelled (product->cancellable); row++)
    {
      float *out = c + row * product->c->columns + first;
      float  sum[BLOCK];

      for (guint64 k = 0; k < depth; k++)
        a[k] = (float) number_at (product->a, row, k);
      for (guint64 j = 0; j < n; j++)
        sum[j] = out[j];
      for (guint64 k = 0; k < depth; k++)
        for (guint64 j = 0; j < n; j++)
          {
            float times = a[k] * b[k * n + j];
            sum[j] += times;
          }
      for (guint64 j = 0; j < n; j++)
        out[j] = sum[j];
    }
}

static void
multiply_f64 (const Product *product, guint64 first, guint64 n)
{
  guint64            depth = product->a->columns;
  g_autofree double *b = g_new (double, depth *n);
  double            *c = product->c->data;

  for (guint64 k = 0; k < depth; k++)
    for (guint64 j = 0; j < n; j++)
      b[k * n + j] = b_number (product, k, first + j);
  for (guint64 row = 0; row < product->a->rows && !g_cancellable_is_cancelled (product->cancellable); row++)
    for (guint64 k = 0; k < depth; k++)
      {
        double  left = number_at (product->a, row, k);
        double *out = c + row * product->c->columns + first;

        for (guint64 j = 0; j < n; j++)
          {
            double times = left * b[k * n + j];
            out[j] += times;
          }
      }
}

static void
multiply_integers (Product *product, guint64 first, guint64 n)
{
  guint64            depth = product->a->columns;
  g_autofree gint64 *b = g_new (gint64, depth * n);
  gint64 least = tl_element_type_min (product->c->element), most = tl_element_type_max (product->c->element);

  for (guint64 k = 0; k < depth; k++)
    for (guint64 j = 0; j < n; j++)
      b[k * n + j]
          = product->by_columns ? integer_at (product->b, first + j, k) : integer_at (product->b, k, first + j);
  for (guint64 row = 0; row < product->a->rows && !g_cancellable_is_cancelled (product->cancellable); row++)
    {
      gint64 sum[BLOCK];

      for (guint64 j = 0; j < n; j++)
        sum[j] = integer_at (product->c, row, first + j);
      for (guint64 k = 0; k < depth; k++)
        {
          gint64 left = integer_at (product->a, row, k), times;

          for (guint64 j = 0; j < n; j++)
            if (__builtin_mul_overflow (left, b[k * n + j], &times) || __builtin_add_overflow (sum[j], times, &sum[j])
                || sum[j] < least || sum[j] > most)
              {
                g_atomic_int_set (&product->overflow, TRUE);
                return;
              }
        }
      for (guint64 j = 0; j < n; j++)
        if (sum[j] >= TL_INF || sum[j] <= -TL_INF)
          g_atomic_int_set (&product->overflow, TRUE);
        else
          tl_matrix_set (product->c, row, first + j, (TlScalar) { .i = sum[j] });
    }
}

static gpointer
work (gpointer data)
{
  Product *product = data;

  for (;;)
    {
      guint64 block = (guint64) g_atomic_int_add (&product->next, 1);
      if (block >= product->n_blocks || g_cancellable_is_cancelled (product->cancellable)
          || g_atomic_int_get (&product->overflow))
        return NULL;
      guint64 first = block * BLOCK, n = MIN ((guint64) BLOCK, product->c->columns - first);
      if (!tl_element_type_is_float (product->c->element))
        multiply_integers (product, first, n);
      else if (!is_plain (product))
        multiply_wide (product, first, n);
      else if (product->c->storage == TL_STORAGE_F32)
        multiply_f32 (product, first, n);
      else
        multiply_f64 (product, first, n);
    }
}

TlProductEnd
tl_product_values (const TlMatrix *a, const TlMatrix *b, gboolean by_columns, TlMatrix *c, guint threads,
                   GCancellable *cancellable)
{
  Product   product = { .a = a, .b = b, .by_columns = by_columns, .c = c, .cancellable = cancellable };
  GThread **team;

  g_return_val_if_fail (a->columns == (by_columns ? b->columns : b->rows) && c->rows == a->rows
                            && c->columns == (by_columns ? b->rows : b->columns),
                        TL_PRODUCT_CANCELLED);
  product.n_blocks = c->columns / BLOCK + (c->columns % BLOCK != 0);
  threads = CLAMP (threads != 0 ? threads : g_get_num_processors (), 1, 256);
  threads = (guint) MIN (threads, product.n_blocks);
  team = g_newa (GThread *, MAX (threads, 1));
  for (guint t = 1; t < threads; t++)
    team[t] = g_thread_new ("product", work, &product);
  work (&product);
  for (guint t = 1; t < threads; t++)
    g_thread_join (team[t]);
  if (g_atomic_int_get (&product.overflow))
    return TL_PRODUCT_OVERFLOW;
  return g_cancellable_is_cancelled (cancellable) ? TL_PRODUCT_CANCELLED : TL_PRODUCT_DONE;
}
