/* The functional closure: which kernel a matrix and a semiring get.
 *
 * Sums on integers run on a sentinel: inf becomes Z, about half of the storage's
 * range, and the kernel knows nothing of infinities. That is honest when
 * 4 (n + 1) max|w| <= Z. Let W = (n + 1) max|w| <= Z / 4. The matrix with Z for inf is
 * that of a complete graph; while no D[k,k] has fallen below one, its entries are
 * lengths of simple paths. One without a Z arc is at most W; one with a Z arc at
 * least Z - W > Z / 2, so that the larger never wins against the smaller and one
 * comparison with Z / 2 at the end tells them apart. No entry passes Z, so no sum
 * passes 2 Z, which the storage holds. A cycle with a Z arc weighs at least Z - W > 0:
 * it adds no negative cycle. Otherwise the values move to i64; sums that may pass even
 * that go to the careful kernel. */
#include "sim/closure-private.h"

#include <math.h>
#include <string.h>

/* Nodes below which threads cost more than they save. */
#define PAYS_TO_SHARE 128

/* What the elements are, from one pass over them. */
typedef struct
{
  guint64  magnitude; /* largest absolute value of a finite integer */
  double   real;      /* the same of a float */
  gboolean negative;  /* a finite one is below 0 */
  gboolean inf;
  gboolean minus_inf;
  gboolean nan;
} Contents;

static Contents
look (const TlMatrix *matrix)
{
  Contents contents = { 0 };
  gsize    count = matrix->rows * matrix->columns;
  gboolean real = tl_element_type_is_float (matrix->element);

  for (gsize i = 0; i < count; i++)
    {
      TlScalar value = tl_matrix_at (matrix, i);
      if (real)
        {
          if (value.r != value.r)
            contents.nan = TRUE;
          else if (value.r - value.r != 0)
            {
              contents.inf |= value.r > 0;
              contents.minus_inf |= value.r < 0;
            }
          else
            {
              contents.negative |= value.r < 0;
              contents.real = MAX (contents.real, ABS (value.r));
            }
        }
      else if (value.i == TL_INF)
        contents.inf = TRUE;
      else if (value.i == -TL_INF)
        contents.minus_inf = TRUE;
      else
        {
          contents.negative |= value.i < 0;
          contents.magnitude = MAX (contents.magnitude, value.i < 0 ? -(guint64) value.i : (guint64) value.i);
        }
    }
  return contents;
}

gboolean
tl_closure_step (const TlClosureRun *run, double fraction)
{
  if (run->options->progress != NULL)
    run->options->progress (fraction, run->options->progress_data);
  return run->options->cancellable == NULL || !g_cancellable_is_cancelled (run->options->cancellable);
}

/* --- Which pair of operators --- */

static gboolean
pair_of (const TlSemiring *semiring, TlPair *pair)
{
  TlOperatorKind plus = semiring->plus.kind, times = semiring->times.kind;
  gboolean       boolean = semiring->carrier.element.kind == TL_ELEMENT_BOOL;

  if (boolean && plus == TL_OPERATOR_OR)
    plus = TL_OPERATOR_MAX;
  else if (boolean && (plus == TL_OPERATOR_AND || plus == TL_OPERATOR_MUL))
    plus = TL_OPERATOR_MIN;
  if (boolean && times == TL_OPERATOR_OR)
    times = TL_OPERATOR_MAX;
  else if (boolean && (times == TL_OPERATOR_AND || times == TL_OPERATOR_MUL))
    times = TL_OPERATOR_MIN;

  if (plus == TL_OPERATOR_MIN && times == TL_OPERATOR_ADD && !boolean)
    *pair = TL_PAIR_MIN_PLUS;
  else if (plus == TL_OPERATOR_MAX && times == TL_OPERATOR_ADD && !boolean)
    *pair = TL_PAIR_MAX_PLUS;
  else if (plus == TL_OPERATOR_MAX && times == TL_OPERATOR_MIN)
    *pair = TL_PAIR_MAX_MIN;
  else if (plus == TL_OPERATOR_MIN && times == TL_OPERATOR_MAX)
    *pair = TL_PAIR_MIN_MAX;
  else if (plus == TL_OPERATOR_MAX && times == TL_OPERATOR_MUL)
    *pair = TL_PAIR_MAX_TIMES;
  else
    return FALSE;
  return TRUE;
}

guint64
tl_closure_reach (const TlSemiring *semiring, guint64 n, guint64 magnitude)
{
  guint64 reach;

  if (semiring->times.kind != TL_OPERATOR_ADD || n == 0)
    return magnitude;
  if (__builtin_mul_overflow (n - 1, magnitude, &reach))
    return G_MAXUINT64;
  return MAX (reach, magnitude);
}

/* The next type to try: unsigned u8 is followed by i16 where negatives are no matter. */
static gboolean
holds (TlElementType element, guint64 reach, double real_reach)
{
  if (tl_element_type_is_float (element))
    return real_reach <= tl_carrier_full (element).high.r;
  return reach <= (guint64) tl_carrier_full (element).high.i;
}

gboolean
tl_closure_fits (const TlSemiring *semiring, TlElementType element, guint64 n, guint64 magnitude, double magnitude_real,
                 TlElementType *needed)
{
  guint64 reach = tl_closure_reach (semiring, n, magnitude);
  double  real_reach
      = semiring->times.kind == TL_OPERATOR_ADD && n > 1 ? (double) (n - 1) * magnitude_real : magnitude_real;
  TlElementType type = element;

  while (type.bits != 0 && !holds (type, reach, real_reach))
    type = tl_element_type_next (type);
  if (needed != NULL)
    *needed = type;
  return tl_element_type_equal (type, element);
}

/* --- Fast runs --- */

/* The element of the storage that never wins under the pair; @value has room for 8 bytes. */
static void
losing_element (TlStorage storage, TlPair pair, gint64 sentinel, gpointer value)
{
  gboolean low = pair == TL_PAIR_MAX_PLUS || pair == TL_PAIR_MAX_MIN || pair == TL_PAIR_MAX_PLUS_CAREFUL;
  double   real = pair == TL_PAIR_MAX_TIMES ? 0 : low ? -INFINITY : INFINITY;
  gint64   whole = low ? -sentinel : sentinel;

  switch (storage)
    {
    case TL_STORAGE_U8:
      *(guint8 *) value = low ? 0 : 1;
      break;
    case TL_STORAGE_I16:
      *(gint16 *) value = (gint16) whole;
      break;
    case TL_STORAGE_I32:
      *(gint32 *) value = (gint32) whole;
      break;
    case TL_STORAGE_I64:
      *(gint64 *) value = whole;
      break;
    case TL_STORAGE_F32:
      *(float *) value = (float) real;
      break;
    default:
      *(double *) value = real;
    }
}

/* Replaces elements past @limit (at or above it; at or below -limit when @low) by @to. */
#define REPLACE(T)                                                                                                     \
  for (gsize i = 0; i < count; i++)                                                                                    \
    {                                                                                                                  \
      T *cell = (T *) matrix->data + i;                                                                                \
      if (low ? *cell <= (T) -limit : *cell >= (T) limit)                                                              \
        *cell = (T) (low ? -to : to);                                                                                  \
    }

static void
replace_infinities (TlMatrix *matrix, gboolean low, gint64 limit, gint64 to)
{
  gsize count = matrix->rows * matrix->columns;

  if (matrix->storage == TL_STORAGE_I16)
    REPLACE (gint16)
  else if (matrix->storage == TL_STORAGE_I32)
    REPLACE (gint32)
  else
    REPLACE (gint64)
}

/* Moves an integer matrix to i64. */
static gboolean
widen (TlMatrix *matrix)
{
  gsize   count = matrix->rows * matrix->columns;
  gint64 *data = g_try_new (gint64, MAX (count, 1));

  if (data == NULL)
    return FALSE;
  for (gsize i = 0; i < count; i++)
    data[i] = tl_matrix_at (matrix, i).i;
  g_free (matrix->data);
  matrix->data = data;
  matrix->storage = TL_STORAGE_I64;
  return TRUE;
}

/* Z of a storage: twice of it still fits. */
static gint64
sentinel_of (TlStorage storage)
{
  return tl_storage_inf (storage) / 2;
}

static gboolean
sentinel_serves (TlStorage storage, guint64 n, guint64 magnitude)
{
  guint64 wide;

  return !__builtin_mul_overflow (n + 1, magnitude, &wide) && wide <= (guint64) sentinel_of (storage) / 4;
}

static TlClosureResult
run_sums (const TlClosureRun *run, TlPair pair, const Contents *contents)
{
  TlMatrix *matrix = run->matrix;
  gboolean  low = pair == TL_PAIR_MAX_PLUS;
  guint64   one = 0, zero = 0;

  if (!sentinel_serves (matrix->storage, matrix->rows, contents->magnitude) && matrix->storage != TL_STORAGE_I64
      && !widen (matrix))
    return (TlClosureResult) { TL_CLOSURE_MEMORY, 0, "sums" };
  if (!sentinel_serves (matrix->storage, matrix->rows, contents->magnitude))
    {
      TlPair careful = low ? TL_PAIR_MAX_PLUS_CAREFUL : TL_PAIR_MIN_PLUS_CAREFUL;
      losing_element (matrix->storage, careful, TL_INF, &zero);
      return tl_closure_fast (run, tl_kernel_find (matrix->storage, careful, FALSE), NULL, &zero, &one);
    }
  gint64 inf = tl_storage_inf (matrix->storage), sentinel = sentinel_of (matrix->storage);
  losing_element (matrix->storage, pair, sentinel, &zero);
  replace_infinities (matrix, low, inf, sentinel);
  TlClosureResult result = tl_closure_fast (run, tl_kernel_find (matrix->storage, pair, FALSE), NULL, &zero, &one);
  replace_infinities (matrix, low, sentinel / 2, inf);
  return result;
}

static TlRounding
rounding_to (TlElementType element)
{
  int     least = 2 - (1 << (element.exponent - 1));
  guint32 top_bits;
  float   top = (float) tl_carrier_full (element).high.r;

  memcpy (&top_bits, &top, sizeof top_bits);
  return (TlRounding) { .cut = 23u - element.mantissa,
                        .shift = (float) (1.5 * ldexp (1, 23 + least - element.mantissa)),
                        .least = (float) ldexp (1, least),
                        .top = top };
}

static TlClosureResult
run_reals (const TlClosureRun *run, TlPair pair)
{
  TlMatrix       *matrix = run->matrix;
  gboolean        narrow = matrix->element.bits < 32;
  const TlKernel *kernel = tl_kernel_find (matrix->storage, pair, narrow);
  TlRounding      rounding = narrow ? rounding_to (matrix->element) : (TlRounding) { 0 };
  gboolean        check = run->options->cycle_check || !kernel->exact;
  double          zero = 0, one = run->semiring->one.r;
  float           single_one = (float) one;

  losing_element (matrix->storage, pair, 0, &zero);
  return tl_closure_fast (run, kernel, &rounding, &zero,
                          !check                              ? NULL
                          : matrix->storage == TL_STORAGE_F32 ? (gconstpointer) &single_one
                                                              : &one);
}

static TlClosureResult
run_orders (const TlClosureRun *run, TlPair pair)
{
  TlStorage storage = run->matrix->storage;
  guint64   zero = 0;

  losing_element (storage, pair, tl_storage_inf (storage), &zero);
  return tl_closure_fast (run, tl_kernel_find (storage, pair, FALSE), NULL, &zero, NULL);
}

/* Whether no result can leave the carrier, so that nothing saturates. */
static gboolean
stays_inside (const TlClosureRun *run, const Contents *contents)
{
  const TlCarrier *carrier = &run->semiring->carrier;
  guint64          n = run->matrix->rows;

  if (tl_carrier_is_float (carrier))
    {
      double reach
          = run->semiring->times.kind == TL_OPERATOR_ADD && n > 1 ? (double) (n - 1) * contents->real : contents->real;
      return reach <= carrier->high.r && (!contents->negative || -reach >= carrier->low.r);
    }
  guint64 reach = tl_closure_reach (run->semiring, n, contents->magnitude);
  return reach <= (guint64) MAX (carrier->high.i, 0)
         && (!contents->negative || (carrier->low.i < 0 && reach <= -(guint64) carrier->low.i));
}

/* Runs the fast kernel for the pair if there is one and it is exact on these
 * contents; FALSE otherwise. */
static gboolean
run_fast (const TlClosureRun *run, const Contents *contents, TlClosureResult *result)
{
  TlPair   pair;
  TlScalar one = run->semiring->one;
  gboolean real = tl_element_type_is_float (run->matrix->element);

  if (contents->nan || !pair_of (run->semiring, &pair) || !stays_inside (run, contents))
    return FALSE;
  switch (pair)
    {
    case TL_PAIR_MIN_PLUS:
    case TL_PAIR_MAX_PLUS:
      if ((pair == TL_PAIR_MIN_PLUS ? contents->minus_inf : contents->inf) || (real ? one.r != 0 : one.i != 0))
        return FALSE;
      *result = real ? run_reals (run, pair) : run_sums (run, pair, contents);
      return TRUE;
    case TL_PAIR_MAX_TIMES:
      /* Products stay in 0..1, where they only fall. */
      if (!real || contents->negative || contents->inf || contents->minus_inf || contents->real > 1 || one.r != 1)
        return FALSE;
      *result = run_reals (run, pair);
      return TRUE;
    default:
      if (run->options->cycle_check)
        return FALSE;
      if (run->matrix->storage == TL_STORAGE_U8 && pair == TL_PAIR_MAX_MIN)
        *result = tl_closure_bits (run);
      else
        *result = real ? run_reals (run, pair) : run_orders (run, pair);
      return TRUE;
    }
}

TlClosureResult
tl_closure_run (TlMatrix *matrix, const TlSemiring *semiring, const TlClosureOptions *options)
{
  TlClosureResult result = { TL_CLOSURE_DONE, 0, "plain" };

  g_return_val_if_fail (matrix->rows == matrix->columns, result);
  g_return_val_if_fail (tl_element_type_equal (matrix->element, semiring->carrier.element), result);
  g_autoptr (TlTeam) team = tl_team_new (matrix->rows < PAYS_TO_SHARE ? 1 : options->threads);
  TlClosureRun run = { matrix, semiring, options, team };

  if (options->careful)
    return tl_closure_plain (&run);
  Contents contents = look (matrix);
  if (run_fast (&run, &contents, &result) || tl_closure_table (&run, &result))
    return result;
  return tl_closure_plain (&run);
}
