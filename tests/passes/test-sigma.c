/* Placement of objects by sigma: the genomics case, and the properties that any list
 * must keep. */
#include "passes/sigma.h"
#include "support/support.h"

#include <string.h>

#define GB G_GUINT64_CONSTANT (1000000000)

static guint64
bytes_in (const GArray *shares, guint object, guint tier)
{
  guint64 bytes = 0;

  for (guint s = 0; s < shares->len; s++)
    {
      const TlTierShare *share = &g_array_index (shares, TlTierShare, s);

      if (share->object == object && share->tier == tier)
        bytes += share->bytes;
    }
  return bytes;
}

/* GenMLIR figure 4b: 17 GB of tables fill T0..T3 and 1 GB of T4, H follows in T4. */
START_TEST (tables_before_scores_before_reads)
{
  static const TlMemoryObject objects[] = {
    { "reads", 6 * GB, 0, 6 * GB },
    { "H", 2 * GB, 1 * GB, 100 * GB },
    { "PTR/CAL", 17 * GB, 900 * GB, 10 * GB },
    { "buffers", 4 * GB, 0, 40 * GB },
  };
  guint64 room[8];
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (TlTierShare));

  for (guint t = 0; t < 8; t++)
    room[t] = 4 * GB;
  ck_assert (tl_sigma_place (objects, 4, room, 8, shares, NULL));
  for (guint t = 0; t < 4; t++)
    ck_assert_uint_eq (bytes_in (shares, 2, t), 4 * GB);
  ck_assert_uint_eq (bytes_in (shares, 2, 4), 1 * GB);
  ck_assert_uint_eq (bytes_in (shares, 1, 4), 2 * GB);
  ck_assert_uint_eq (bytes_in (shares, 3, 4), 1 * GB); /* ties by name: buffers, then reads */
  ck_assert_uint_eq (bytes_in (shares, 3, 5), 3 * GB);
  ck_assert_uint_eq (bytes_in (shares, 0, 5), 1 * GB);
  ck_assert_uint_eq (bytes_in (shares, 0, 6), 4 * GB);
  ck_assert_uint_eq (bytes_in (shares, 0, 7), 1 * GB);
}
END_TEST

START_TEST (order_is_exact)
{
  TlMemoryObject big = { "b", 1, G_MAXUINT64, G_MAXUINT64 - 1 };
  TlMemoryObject one = { "a", 1, G_MAXUINT64 - 1, G_MAXUINT64 - 2 };
  TlMemoryObject never = { "z", 1, 1, 0 };
  TlMemoryObject nothing = { "y", 1, 0, 0 };
  TlMemoryObject idle = { "x", 1, 0, 5 };

  ck_assert_int_lt (tl_sigma_compare (&one, &big), 0); /* 1 + 1/(n-2) above 1 + 1/(n-1) */
  ck_assert_int_lt (tl_sigma_compare (&never, &one), 0);
  ck_assert_int_gt (tl_sigma_compare (&nothing, &one), 0);
  ck_assert_int_lt (tl_sigma_compare (&idle, &nothing), 0); /* both 0: by name */
  ck_assert_int_eq (tl_sigma_compare (&big, &big), 0);
}
END_TEST

/* Least cost over all splits at whole units: each object's bytes to tiers, by trying. */
static void
try_all (const TlMemoryObject *objects, guint n, guint object, guint64 left, guint64 *room, guint tiers, guint tier,
         double cost, const double *latency, double *best)
{
  double sigma;

  if (cost >= *best)
    return;
  if (object == n)
    {
      *best = cost;
      return;
    }
  sigma = (double) objects[object].dependent / (double) objects[object].streamed;
  if (left == 0)
    {
      try_all (objects, n, object + 1, object + 1 < n ? objects[object + 1].bytes : 0, room, tiers, 0, cost, latency,
               best);
      return;
    }
  if (tier == tiers)
    return;
  for (guint64 here = 0; here <= MIN (left, room[tier]); here++)
    {
      room[tier] -= here;
      try_all (objects, n, object, left - here, room, tiers, tier + 1, cost + sigma * (double) here * latency[tier],
               latency, best);
      room[tier] += here;
    }
}

static guint
random_objects (TlMemoryObject *objects, char names[][4], guint most, guint64 largest, guint64 *state)
{
  guint n = 1 + (guint) tl_test_random_below (state, most);

  for (guint o = 0; o < n; o++)
    {
      g_snprintf (names[o], 4, "o%u", o);
      objects[o] = (TlMemoryObject) { names[o], 1 + tl_test_random_below (state, largest),
                                      tl_test_random_below (state, 50), 1 + tl_test_random_below (state, 20) };
    }
  return n;
}

START_TEST (greedy_is_as_good_as_trying_all)
{
  guint64 state = tl_test_seed ();
  guint   worse = 0;

  for (guint round = 0; round < 150; round++)
    {
      static const double latency[] = { 2, 5, 11, 23 };
      TlMemoryObject      objects[6];
      char                names[6][4];
      guint               n = random_objects (objects, names, 6, 4, &state);
      guint               tiers = 2 + (guint) tl_test_random_below (&state, 3);
      guint64             room[4];
      guint64             room_left[4];
      guint64             missing;
      double              best = 1e300;
      double              cost;
      g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (TlTierShare));

      for (guint t = 0; t < 4; t++)
        room[t] = room_left[t] = t + 1 < tiers ? tl_test_random_below (&state, 9) : 24;
      ck_assert (tl_sigma_place (objects, n, room_left, tiers, shares, &missing));
      cost = tl_sigma_cost (objects, n, shares, latency);
      try_all (objects, n, 0, objects[0].bytes, room, tiers, 0, 0, latency, &best);
      ck_assert_msg (cost <= best * (1 + 1e-9) + 1e-9 && cost >= best * (1 - 1e-9) - 1e-9, "greedy %g, best %g", cost,
                     best);
      /* The deliberately wrong order, least sigma first, must be seen to be worse somewhere. */
      for (guint o = 0; o < n; o++)
        objects[o].dependent = 60 - objects[o].dependent;
      g_array_set_size (shares, 0);
      memcpy (room_left, room, sizeof room);
      tl_sigma_place (objects, n, room_left, tiers, shares, &missing);
      for (guint o = 0; o < n; o++)
        objects[o].dependent = 60 - objects[o].dependent;
      worse += tl_sigma_cost (objects, n, shares, latency) > best * (1 + 1e-9);
    }
  ck_assert_uint_gt (worse, 20);
}
END_TEST

/* Never more in a tier than it has; all bytes placed; and who has the greater sigma lies nowhere above. */
START_TEST (never_overfills_and_is_monotone)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 500; round++)
    {
      TlMemoryObject objects[12];
      char           names[12][4];
      guint          n = random_objects (objects, names, 12, 1000, &state);
      guint64        room[8];
      guint64        before[8];
      guint64        used[8] = { 0 };
      guint64        placed[12] = { 0 };
      guint          lowest[12];
      guint          highest[12] = { 0 };
      guint64        missing;
      guint64        sum = 0;
      g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (TlTierShare));
      gboolean fits;

      for (guint t = 0; t < 8; t++)
        before[t] = room[t] = tl_test_random_below (&state, 900);
      fits = tl_sigma_place (objects, n, room, 8, shares, &missing);
      for (guint o = 0; o < n; o++)
        {
          lowest[o] = 8;
          sum += objects[o].bytes;
        }
      for (guint s = 0; s < shares->len; s++)
        {
          const TlTierShare *share = &g_array_index (shares, TlTierShare, s);

          ck_assert_uint_gt (share->bytes, 0);
          used[share->tier] += share->bytes;
          placed[share->object] += share->bytes;
          lowest[share->object] = MIN (lowest[share->object], share->tier);
          highest[share->object] = MAX (highest[share->object], share->tier);
        }
      for (guint t = 0; t < 8; t++)
        {
          ck_assert_uint_le (used[t], before[t]);
          ck_assert_uint_eq (room[t], before[t] - used[t]);
        }
      for (guint o = 0; o < n; o++)
        {
          ck_assert_uint_le (placed[o], objects[o].bytes);
          sum -= placed[o];
          for (guint other = 0; other < n; other++)
            if (other != o && placed[other] > 0 && placed[o] > 0 && tl_sigma_compare (&objects[o], &objects[other]) < 0)
              ck_assert_uint_le (highest[o], lowest[other]);
        }
      ck_assert_uint_eq (sum, missing);
      ck_assert_int_eq (fits, missing == 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-sigma");
  TCase *tcase = tcase_create ("sigma");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, tables_before_scores_before_reads);
  tcase_add_test (tcase, order_is_exact);
  tcase_add_test (tcase, greedy_is_as_good_as_trying_all);
  tcase_add_test (tcase, never_overfills_and_is_monotone);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
