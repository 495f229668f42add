/* Matrices and semirings by name. */
#include "closure-matrices.h"

TlElementType
type_of (const char *name)
{
  TlElementType type;

  ck_assert (tl_element_type_parse (name, &type));
  return type;
}

TlSemiring *
semiring_of (TlOperatorKind plus, TlOperatorKind times, const char *element)
{
  TlSemiring *semiring = tl_semiring_known (plus, times, type_of (element));

  ck_assert_ptr_nonnull (semiring);
  return semiring;
}

gboolean
is_real (const char *element)
{
  return tl_element_type_is_float (type_of (element));
}

TlMatrix *
matrix_with (const char *element, guint64 n, guint64 magnitude)
{
  g_autoptr (GError) error = NULL;
  TlMatrix *matrix = tl_matrix_new (type_of (element), magnitude, n, n, 0, &error);

  ck_assert_ptr_nonnull (matrix);
  return matrix;
}

TlMatrix *
matrix_of (const char *element, guint64 n)
{
  return matrix_with (element, n, G_MAXUINT64);
}

TlClosureResult
close_with (TlMatrix *matrix, const TlSemiring *semiring, guint tile, guint threads, gboolean careful)
{
  TlClosureOptions options = { .tile = tile, .threads = threads, .careful = careful };
  return tl_closure_run (matrix, semiring, &options);
}

TlMatrix *
random_matrix (const TlSemiring *semiring, const char *element, guint n, gint64 low, gint64 high, guint64 *state)
{
  TlMatrix *matrix = matrix_with (element, n, (guint64) MAX (high, -low));
  gboolean  real = is_real (element);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        gint64   whole = low + (gint64) tl_test_random_below (state, (guint64) (high - low) + 1);
        TlScalar value = { .i = whole };
        if (real)
          value.r = (double) whole / 7; /* sums then round */
        if (i == j)
          value = semiring->one;
        else if (tl_test_random_below (state, 3) != 0)
          value = semiring->zero;
        if (real && i != j && tl_element_type_is_float (matrix->element) && matrix->element.bits < 64)
          {
            TlScalar lowest = semiring->zero;
            value = tl_operator_evaluate (&semiring->plus, &semiring->carrier, lowest, value); /* rounds to the type */
          }
        tl_matrix_set (matrix, i, j, value);
      }
  return matrix;
}
