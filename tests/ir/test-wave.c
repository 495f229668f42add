/* Waves of tiles against a count by hand: every cell is visited, its tile noted, waves are
 * sets of tiles. And the depth of a queue from two paces. */
#include "ir/wave.h"
#include "support/support.h"

#include <string.h>

#define MOST 40 /* cells a side */

static TlWaveTiling
random_tiling (guint64 *state)
{
  static const guint8 orders[][2] = { { 1, 1 }, { 1, 1 }, { 1, 0 }, { 0, 1 } };
  TlWaveTiling        tiling = { .tile = 1 + (guint32) tl_test_random_below (state, 9), .pes = 1, .fill = 0 };
  const guint8       *order = orders[tl_test_random_below (state, 4)];

  tiling.pes = 1 + (guint32) tl_test_random_below (state, 5);
  tiling.fill = tl_test_random_below (state, 2) ? tiling.pes - 1 : 0;
  tiling.order[0] = order[0];
  tiling.order[1] = order[1];
  tiling.edges = tl_test_random_below (state, 2) ? TL_EDGES_PADDED : TL_EDGES_TRIMMED;
  tiling.rows = 1 + (guint32) tl_test_random_below (state, MOST);
  tiling.columns = 1 + (guint32) tl_test_random_below (state, MOST);
  tiling.low = -(gint64) tl_test_random_below (state, MOST);
  tiling.high = tiling.low + (gint64) tl_test_random_below (state, 2 * MOST);
  return tiling;
}

/* Tiles that hold a cell of the band. */
static void
touch (const TlWaveTiling *tiling, gboolean touched[MOST][MOST])
{
  memset (touched, 0, sizeof (gboolean) * MOST * MOST);
  for (gint64 i = 1; i <= tiling->rows; i++)
    for (gint64 j = MAX (1, i + tiling->low); j <= MIN ((gint64) tiling->columns, i + tiling->high); j++)
      touched[(i - 1) / tiling->tile][(j - 1) / tiling->tile] = TRUE;
}

START_TEST (waves_hold_the_tiles_that_touch_the_band)
{
  guint64  state = tl_test_seed ();
  gboolean touched[MOST][MOST];

  for (guint round = 0; round < tl_test_rounds (20000); round++)
    {
      TlWaveTiling tiling = random_tiling (&state);
      TlWaveSums   sums;
      guint64      first = 0, last = 0, tiles = 0, waves = 0, widest = 0, critical = 0, alone = 0;
      guint32      pus = 1 + (guint32) tl_test_random_below (&state, 6);
      guint64      width[2 * MOST] = { 0 }, cycles[2 * MOST] = { 0 }, largest[2 * MOST] = { 0 };
      gboolean     padded = tiling.edges == TL_EDGES_PADDED;

      touch (&tiling, touched);
      for (guint i = 0; i < MOST; i++)
        for (guint j = 0; j < MOST; j++)
          if (touched[i][j])
            {
              guint   w = tiling.order[0] * i + tiling.order[1] * j;
              guint64 height = padded ? tiling.tile : MIN (tiling.tile, tiling.rows - i * tiling.tile);
              guint64 across = padded ? tiling.tile : MIN (tiling.tile, tiling.columns - j * tiling.tile);
              guint64 strips = (height + tiling.pes - 1) / tiling.pes;

              width[w]++;
              cycles[w] += strips * (across + tiling.fill);
              largest[w] = MAX (largest[w], strips * (across + tiling.fill));
              alone += strips * across;
            }
      for (guint w = 0; w < 2 * MOST; w++)
        {
          tiles += width[w];
          waves += width[w] > 0;
          widest = MAX (widest, width[w]);
          critical += padded ? (width[w] + pus - 1) / pus * largest[w] : MAX (largest[w], (cycles[w] + pus - 1) / pus);
        }
      tl_wave_sums (&tiling, pus, &sums);
      ck_assert_uint_eq (sums.tiles, tiles);
      ck_assert_uint_eq (sums.waves, waves);
      ck_assert_uint_eq (sums.widest, widest);
      ck_assert_uint_eq (sums.critical, critical);
      ck_assert_uint_eq (sums.alone, alone);
      ck_assert_int_eq (tl_wave_range (&tiling, &first, &last), tiles > 0);
      for (guint64 w = first; tiles > 0 && w <= last; w++)
        {
          guint32 i, j;
          gint32  di, dj;
          guint32 n = tl_wave_tiles (&tiling, w, &i, &j, &di, &dj);

          ck_assert_uint_eq (n, width[w]);
          for (guint32 t = 0; t < n; t++, i += (guint32) di, j += (guint32) dj)
            {
              ck_assert (touched[i][j]);
              touched[i][j] = FALSE;
            }
        }
    }
}
END_TEST

/* A row shifted against the one above: the tile of a cell is that of its shifted column, and
 * with a full band no tile is missed. */
START_TEST (skewed_tiles_hold_all_cells)
{
  guint64  state = tl_test_seed () + 1;
  gboolean touched[MOST][6 * MOST];

  for (guint round = 0; round < tl_test_rounds (2000); round++)
    {
      TlWaveTiling tiling = random_tiling (&state);

      tiling.skew = 1 + (guint32) tl_test_random_below (&state, 3);
      tiling.low = -MOST;
      tiling.high = MOST;
      memset (touched, 0, sizeof touched);
      for (guint32 i = 1; i <= tiling.rows; i++)
        for (guint32 j = 1; j <= tiling.columns; j++)
          touched[(i - 1) / tiling.tile][(j + tiling.skew * i - 1) / tiling.tile] = TRUE;
      for (guint32 i = 0; i < tl_wave_tile_rows (&tiling); i++)
        {
          guint32 from, to;

          ck_assert (tl_wave_row (&tiling, i, &from, &to));
          ck_assert (touched[i][from] && touched[i][to]);
          for (guint32 j = 0; j < 6 * MOST; j++)
            ck_assert (!touched[i][j] || (j >= from && j <= to));
        }
    }
}
END_TEST

/* At the edge a trimmed tile takes the time of its own cells. */
START_TEST (edges_are_trimmed_or_padded)
{
  TlWaveTiling tiling = { .tile = 144,
                          .pes = 16,
                          .fill = 15,
                          .order = { 1, 1 },
                          .edges = TL_EDGES_PADDED,
                          .rows = 150,
                          .columns = 200,
                          .low = -150,
                          .high = 200 };

  ck_assert_uint_eq (tl_wave_cycles (&tiling, 0, 0, TRUE), 9 * 159);
  ck_assert_uint_eq (tl_wave_cycles (&tiling, 1, 1, TRUE), 9 * 159);
  tiling.edges = TL_EDGES_TRIMMED;
  ck_assert_uint_eq (tl_wave_cycles (&tiling, 0, 0, TRUE), 9 * 159);
  ck_assert_uint_eq (tl_wave_cycles (&tiling, 1, 0, TRUE), 1 * 159);
  ck_assert_uint_eq (tl_wave_cycles (&tiling, 0, 1, TRUE), 9 * (56 + 15));
  ck_assert_uint_eq (tl_wave_cycles (&tiling, 1, 1, FALSE), 1 * 56);
}
END_TEST

START_TEST (windows_lie_around_their_diagonal)
{
  const TlWaveBand band = { TL_WAVE_BAND_SHARE, 0.15, 0 };
  TlWaveTiling     tiling = { .tile = 144, .pes = 16, .order = { 1, 1 } };
  guint64          column = 99;

  ck_assert (tl_wave_fit_window (&tiling, &band, 1000, 500, 10000, &column));
  ck_assert_uint_eq (column, 350);
  ck_assert_uint_eq (tiling.columns, 1300);
  ck_assert_int_eq (tiling.low, 0);
  ck_assert_int_eq (tiling.high, 300);
  /* It is cut off at both ends of the letters, and the band stays on the diagonal. */
  ck_assert (tl_wave_fit_window (&tiling, &band, 1000, -100, 800, &column));
  ck_assert_uint_eq (column, 0);
  ck_assert_uint_eq (tiling.columns, 800);
  ck_assert_int_eq (tiling.low, -250);
  ck_assert_int_eq (tiling.high, 50);
  ck_assert (!tl_wave_fit_window (&tiling, &band, 1000, 2000, 1800, &column));
  ck_assert (!tl_wave_fit_window (&tiling, &band, 1000, -1150, 1800, &column));
}
END_TEST

START_TEST (a_queue_is_as_deep_as_the_ratio)
{
  ck_assert_uint_eq (tl_queue_depth (10, 100), 10);
  ck_assert_uint_eq (tl_queue_depth (10, 101), 11);
  ck_assert_uint_eq (tl_queue_depth (100, 10), 1);
  ck_assert_uint_eq (tl_queue_depth (1, 1u << 30), TL_QUEUE_MAX_DERIVED);
  ck_assert_uint_eq (tl_queue_depth (0, 5), TL_QUEUE_MAX_DERIVED);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-wave");
  TCase *tcase = tcase_create ("wave");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, waves_hold_the_tiles_that_touch_the_band);
  tcase_add_test (tcase, skewed_tiles_hold_all_cells);
  tcase_add_test (tcase, edges_are_trimmed_or_padded);
  tcase_add_test (tcase, windows_lie_around_their_diagonal);
  tcase_add_test (tcase, a_queue_is_as_deep_as_the_ratio);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
