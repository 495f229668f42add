/* Laws of register layouts on random ones. */
#include "layout/convert.h"
#include "support/support.h"

#include <string.h>

/* A valid layout of @n_dims dimensions: modes shuffled into both lists, replications between. */
static TlLayout
random_layout (guint64 *state, guint n_dims, guint most)
{
  gint64   shape[3], modes[16], spatial[20], local[16], order[16];
  guint    n_modes = 0, n_spatial = 0, n_local = 0;
  TlLayout layout;

  for (guint d = 0; d < n_dims; d++)
    {
      shape[d] = 1;
      for (guint k = tl_test_random_below (state, most + 1); k > 0; k--)
        {
          modes[n_modes] = 1 + (gint64) tl_test_random_below (state, 4);
          shape[d] *= modes[n_modes++];
        }
    }
  for (guint m = 0; m < n_modes; m++)
    {
      guint j = tl_test_random_below (state, m + 1);
      order[m] = order[j];
      order[j] = m;
    }
  for (guint i = 0; i < n_modes; i++)
    {
      if (tl_test_random_below (state, 5) == 0)
        spatial[n_spatial++] = -1 - (gint64) tl_test_random_below (state, 3);
      if (tl_test_random_below (state, 2) == 0)
        spatial[n_spatial++] = order[i];
      else
        local[n_local++] = order[i];
    }
  g_autofree char *reason = NULL;
  if (!tl_layout_init (&layout, shape, n_dims, modes, n_modes, spatial, n_spatial, local, n_local, &reason))
    ck_abort_msg ("%s", reason);
  return layout;
}

START_TEST (products_and_quotients)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 2000; round++)
    {
      guint    n = 1 + tl_test_random_below (&state, 3);
      TlLayout a = random_layout (&state, n, 2), b = random_layout (&state, n, 2), c = random_layout (&state, n, 1);
      TlLayout ab, bc, left, right, q;

      ck_assert (tl_layout_compose (&ab, &a, &b, NULL) && tl_layout_compose (&bc, &b, &c, NULL));
      ck_assert (tl_layout_compose (&left, &ab, &c, NULL) && tl_layout_compose (&right, &a, &bc, NULL));
      ck_assert (tl_layout_equal (&left, &right));
      ck_assert (tl_layout_divide (&q, &ab, &b, NULL) && tl_layout_equal (&q, &a));
      ck_assert (tl_layout_left_divide (&q, &ab, &a, NULL) && tl_layout_equal (&q, &b));
    }
}
END_TEST

START_TEST (forms_go_round)
{
  guint64 state = tl_test_seed ();
  guint   products = 0, bases_found = 0;

  for (guint round = 0; round < 3000; round++)
    {
      TlLayout         a = random_layout (&state, 1 + tl_test_random_below (&state, 3), 3), again = a;
      TlLayoutBases    bases;
      TlLayoutStride   thread[TL_LAYOUT_MAX_SPATIAL], value[TL_LAYOUT_MAX_SPATIAL];
      guint            n_thread, n_value;
      gint64           shape[TL_LAYOUT_MAX_DIMS];
      g_autofree char *text = tl_layout_to_text (&a);
      g_autofree char *reason = NULL;
      g_autofree char *product = tl_layout_to_kronecker (&a, &reason);

      ck_assert (tl_layout_canonicalize (&again, NULL) && tl_layout_equal (&a, &again));
      ck_assert (tl_layout_parse (&again, text, -1, NULL, NULL) && tl_layout_equal (&a, &again));
      ck_assert ((product == NULL) == (reason != NULL));
      if (product != NULL)
        {
          products++;
          ck_assert (tl_layout_parse (&again, product, -1, NULL, NULL) && tl_layout_equal (&a, &again));
        }
      for (guint d = 0; d < a.n_dims; d++)
        shape[d] = a.shape[d];
      tl_layout_to_strides (&a, thread, &n_thread, value, &n_value);
      ck_assert (tl_layout_from_strides (&again, shape, a.n_dims, thread, n_thread, value, n_value, NULL));
      ck_assert (tl_layout_equal (&a, &again));
      if (tl_layout_to_bases (&a, &bases, NULL))
        {
          bases_found++;
          ck_assert (tl_layout_from_bases (&again, &bases, NULL) && tl_layout_equal (&a, &again));
        }
    }
  ck_assert_uint_gt (products, 500);
  ck_assert_uint_gt (bases_found, 100);
}
END_TEST

/* One-mode factors of a layout, multiplied in every order until one gives the layout. */
static gboolean
some_order_makes_it (const TlLayout *layout, const TlLayout *factors, guint n, const TlLayout *product, guint used)
{
  if (used == (1u << n) - 1)
    return tl_layout_equal (product, layout);
  for (guint i = 0; i < n; i++)
    {
      TlLayout next;

      if (used >> i & 1)
        continue;
      ck_assert (tl_layout_compose (&next, product, &factors[i], NULL));
      if (some_order_makes_it (layout, factors, n, &next, used | 1u << i))
        return TRUE;
    }
  return FALSE;
}

static guint
one_mode_factors (const TlLayout *layout, TlLayout *factors)
{
  gint64 ones[TL_LAYOUT_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
  guint  n = 0;

  for (guint i = 0; i < layout->n_spatial + layout->n_local; i++)
    {
      gboolean spatial = i < layout->n_spatial;
      gint32   m = spatial ? layout->spatial[i] : layout->local[i - layout->n_spatial];
      gint64   shape[TL_LAYOUT_MAX_DIMS];

      for (guint d = 0; d < layout->n_dims; d++)
        shape[d] = m >= 0 && layout->dim[m] == d ? layout->modes[m] : 1;
      if (m < 0)
        ck_assert (tl_layout_replicated (&factors[n++], ones, layout->n_dims, -m, NULL));
      else if (spatial)
        ck_assert (tl_layout_spatial (&factors[n++], shape, layout->n_dims, NULL, NULL));
      else
        ck_assert (tl_layout_local (&factors[n++], shape, layout->n_dims, NULL, NULL));
    }
  return n;
}

START_TEST (products_exist_by_brute_force)
{
  guint64 state = tl_test_seed ();
  guint   exist = 0, none = 0;

  for (guint round = 0; round < 400; round++)
    {
      TlLayout a = random_layout (&state, 1 + tl_test_random_below (&state, 2), 3), one, factors[80];
      gint64   ones[TL_LAYOUT_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 };

      if (a.n_spatial + a.n_local > 5)
        continue;
      guint n = one_mode_factors (&a, factors);
      ck_assert (tl_layout_local (&one, ones, a.n_dims, NULL, NULL));
      g_autofree char *product = tl_layout_to_kronecker (&a, NULL);
      gboolean         exists = some_order_makes_it (&a, factors, n, &one, 0);
      ck_assert_int_eq (product != NULL, exists);
      exist += exists;
      none += !exists;
    }
  ck_assert_uint_gt (exist, 50);
  ck_assert_uint_gt (none, 20);
}
END_TEST

START_TEST (places_and_elements_agree)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 300; round++)
    {
      TlLayout            a = random_layout (&state, 1 + tl_test_random_below (&state, 3), 2);
      g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (&a));

      for (guint64 x = 0; x < tl_layout_elements (&a); x++)
        {
          guint local, n = tl_layout_where (&a, x, threads, &local);

          ck_assert_uint_eq (n, tl_layout_copies (&a));
          for (guint i = 0; i < n; i++)
            {
              ck_assert (i == 0 || threads[i - 1] < threads[i]);
              ck_assert_uint_eq (tl_layout_index (&a, threads[i], local), x);
            }
        }
    }
}
END_TEST

/* Said, not judged: the aim is a millisecond. */
START_TEST (a_tile_is_quick)
{
  TlLayout            layout, product, quotient;
  g_autofree guint64 *indices = g_new (guint64, 128 * 64);
  gint64              from = g_get_monotonic_time ();

  for (guint i = 0; i < 100; i++)
    {
      ck_assert (tl_layout_parse (&layout, "spatial(4,1).local(2,2).spatial(8,4).local(4,4)", -1, NULL, NULL));
      ck_assert (tl_layout_compose (&product, &layout, &layout, NULL));
      ck_assert (tl_layout_divide (&quotient, &product, &layout, NULL));
      ck_assert_uint_eq (tl_layout_threads (&layout) * tl_layout_locals (&layout), 128 * 64);
      tl_layout_map (&layout, indices);
    }
  g_print ("parse, compose, divide and the map of 128 threads x 64 locals: %.1f us\n",
           (double) (g_get_monotonic_time () - from) / 100);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-property");
  TCase *tcase = tcase_create ("property");

  tcase_add_test (tcase, products_and_quotients);
  tcase_add_test (tcase, forms_go_round);
  tcase_add_test (tcase, products_exist_by_brute_force);
  tcase_add_test (tcase, places_and_elements_agree);
  tcase_add_test (tcase, a_tile_is_quick);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
