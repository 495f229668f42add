/* Ranked causes against plain counting, and latencies against sorted ones. */
#include "dram/causes.h"
#include "dram/latency.h"
#include "support/support.h"

static TlCause
cause_of (guint32 domain, guint32 open_row, guint32 wanted_row, guint64 difference, guint64 number)
{
  return (TlCause) { .time = number,
                     .opener = number,
                     .closer = number + 1,
                     .opener_unit = 1000,
                     .closer_unit = 1000 ^ difference,
                     .lost = 10 + number % 3,
                     .domain = domain,
                     .open_row = open_row,
                     .wanted_row = wanted_row };
}

/* As long as a set is not too small for its pairs, all is exact, and either order of
 * two rows is one pair. */
START_TEST (few_are_exact)
{
  g_autoptr (TlCauses) causes = tl_causes_new (10);
  guint64 state = tl_test_seed (), count[2][3] = { 0 }, lost = 0;

  for (guint i = 0; i < 5000; i++)
    {
      guint   domain = (guint) tl_test_random_below (&state, 2), third = (guint) tl_test_random_below (&state, 3);
      guint   a = third, b = third + 1;
      TlCause cause = cause_of (domain, i % 2 ? a : b, i % 2 ? b : a, 1u << third, i);
      tl_causes_add (causes, &cause);
      count[domain][third]++;
      lost += cause.lost;
    }
  g_autoptr (GArray) pairs = tl_causes_row_pairs (causes, 100);
  ck_assert_uint_eq (pairs->len, 6);
  for (guint i = 0; i < pairs->len; i++)
    {
      const TlRowPair *pair = &g_array_index (pairs, TlRowPair, i);
      ck_assert_uint_eq (pair->row_b, pair->row_a + 1);
      ck_assert_uint_eq (pair->count, count[pair->domain][pair->row_a]);
      ck_assert_uint_eq (pair->error, 0);
      ck_assert_uint_eq (pair->closer, pair->opener + 1);
      ck_assert (i == 0 || pair->count <= g_array_index (pairs, TlRowPair, i - 1).count);
    }
  g_autoptr (GArray) differences = tl_causes_differences (causes, 2);
  ck_assert_uint_eq (differences->len, 2);
  for (guint i = 0; i < 2; i++)
    {
      const TlDifference *difference = &g_array_index (differences, TlDifference, i);
      guint               third = (guint) __builtin_ctzll (difference->bits);
      ck_assert_uint_eq (difference->count, count[0][third] + count[1][third]);
    }
  ck_assert_uint_eq (tl_causes_count (causes), 5000);
  ck_assert_uint_eq (tl_causes_lost (causes), lost);
  ck_assert_uint_eq (tl_causes_n_kept (causes), 10);
  ck_assert_uint_eq (tl_causes_kept (causes, 9)->time, 9);
}
END_TEST

/* One in twenty conflicts is one pair, the others are all different: it is found, and
 * what is said of it is certain. */
START_TEST (frequent_ones_are_found)
{
  g_autoptr (TlCauses) causes = tl_causes_new (0);
  guint64 state = tl_test_seed () + (guint64) _i, often = 0;

  for (guint i = 0; i < 200000; i++)
    {
      gboolean hot = tl_test_random_below (&state, 20) == 0;
      TlCause  cause
          = hot ? cause_of (77, 5000, 9, 0x1234, i)
                : cause_of ((guint32) tl_test_random_below (&state, 128), (guint32) tl_test_random_below (&state, 8192),
                            (guint32) tl_test_random_below (&state, 8192), tl_test_random (&state), i);
      tl_causes_add (causes, &cause);
      often += hot;
    }
  g_autoptr (GArray) pairs = tl_causes_row_pairs (causes, 1);
  g_autoptr (GArray) differences = tl_causes_differences (causes, 1);
  const TlRowPair    *pair = &g_array_index (pairs, TlRowPair, 0);
  const TlDifference *difference = &g_array_index (differences, TlDifference, 0);
  ck_assert_uint_eq (pair->domain, 77);
  ck_assert_uint_eq (pair->row_a, 9);
  ck_assert_uint_eq (pair->row_b, 5000);
  ck_assert_uint_ge (pair->count, often);
  ck_assert_uint_le (pair->count - pair->error, often);
  ck_assert_uint_eq (difference->bits, 0x1234);
  ck_assert_uint_ge (difference->count, often);
  ck_assert_uint_le (difference->count - difference->error, often);
  g_autoptr (GArray) all = tl_causes_row_pairs (causes, G_MAXUINT);
  /* Every place is used, and each record counted once. */
  guint64 sum = 0;
  for (guint i = 0; i < all->len; i++)
    sum += g_array_index (all, TlRowPair, i).count;
  ck_assert_uint_eq (all->len, 2048);
  ck_assert_uint_eq (sum, 200000);
}
END_TEST

START_TEST (buckets_are_in_order)
{
  guint last = 0;

  for (guint64 cycles = 0; cycles < 5000; cycles++)
    {
      guint bucket = tl_latency_bucket (cycles);
      ck_assert_uint_ge (bucket, last);
      ck_assert_uint_le (bucket, last + 1);
      ck_assert_uint_ge (tl_latency_bucket_top (bucket), cycles);
      ck_assert_uint_eq (tl_latency_bucket (tl_latency_bucket_top (bucket)), bucket);
      ck_assert_uint_eq (tl_latency_bucket (tl_latency_bucket_top (bucket) + 1), bucket + 1);
      last = bucket;
    }
  ck_assert_uint_eq (tl_latency_bucket_top (300), 300);
  ck_assert_uint_eq (tl_latency_bucket (G_MAXUINT64), TL_LATENCY_BUCKETS - 1);
  ck_assert_uint_eq (tl_latency_bucket_top (TL_LATENCY_BUCKETS - 1), G_MAXUINT64);
}
END_TEST

START_TEST (nothing_has_no_latency)
{
  g_autofree TlLatency *latency = tl_latency_new (1000);

  ck_assert_double_eq (tl_latency_mean (latency), 0);
  ck_assert_uint_eq (tl_latency_percentile (latency, 99), 0);
  tl_latency_add (latency, 1);
  tl_latency_add (latency, 1500);
  tl_latency_add (latency, G_GUINT64_CONSTANT (1) << 60);
  ck_assert_uint_eq (tl_latency_percentile (latency, 1), 1);
  ck_assert_uint_eq (tl_latency_percentile (latency, 50), 2);
  ck_assert_uint_eq (tl_latency_percentile (latency, 100), ((G_GUINT64_CONSTANT (1) << 60) + 999) / 1000);
  g_autofree TlLatency *sum = tl_latency_new (1000);
  tl_latency_merge (sum, latency);
  tl_latency_merge (sum, latency);
  ck_assert_uint_eq (sum->count, 6);
  ck_assert_uint_eq (sum->sum, 2 * latency->sum);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-causes");
  TCase *tcase = tcase_create ("causes");

  tcase_add_test (tcase, few_are_exact);
  tcase_add_loop_test (tcase, frequent_ones_are_found, 0, 3);
  tcase_add_test (tcase, buckets_are_in_order);
  tcase_add_test (tcase, nothing_has_no_latency);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
