/* Requests of tiled matrix products and what the row buffers make of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram/in-order.h"
#include "machine.h"
#include "place/gemm-stream.h"
#include "support/support.h"

static guint32
number (const GPtrArray *table, guint row, const char *name)
{
  return (guint32) strtoul (tl_test_cell (table, row, name), NULL, 10);
}

/* "t8/b16/row13/col3" */
static TlAddressMap *
map_of (const char *organisation)
{
  guint tiers, banks, row_bits, column_bits;

  ck_assert_int_eq (sscanf (organisation, "t%u/b%u/row%u/col%u", &tiers, &banks, &row_bits, &column_bits), 4);
  return machine_map (tiers, banks, row_bits, column_bits, "RoBaTiCoCh");
}

/* How many of the row's values are not ours. @room: addresses asked for at once. */
static guint
judge_row (const GPtrArray *table, guint row, gsize room)
{
  TlGemmShape shape = {
    .m = number (table, row, "M"),
    .n = number (table, row, "N"),
    .k = number (table, row, "K"),
    .tile_m = number (table, row, "BM"),
    .tile_n = number (table, row, "BN"),
    .tile_k = number (table, row, "BK"),
    .quantum = number (table, row, "Q"),
    .transposed = number (table, row, "trans") != 0,
    .resident = number (table, row, "R"),
    .packed = number (table, row, "layout") != 0,
    .slab = number (table, row, "slab"),
  };
  g_autoptr (TlAddressMap) map = map_of (tl_test_cell (table, row, "org"));
  g_autoptr (TlInOrder) counter = tl_in_order_new (map, TL_PAGES_OPEN);
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (&shape);
  g_autofree guint64 *addresses = g_new (guint64, room);
  g_autoptr (GString) first = g_string_new (NULL);
  guint           n_first = 0;
  gsize           n;
  TlInOrderCounts counts;
  guint           wrong = 0;

  while ((n = tl_gemm_stream_next (stream, addresses, room)) > 0)
    {
      for (gsize i = 0; i < n && n_first < 8; i++, n_first++)
        g_string_append_printf (first, "%s%" G_GUINT64_FORMAT, n_first > 0 ? " " : "", addresses[i]);
      tl_in_order_feed (counter, addresses, n);
    }
  tl_in_order_counts (counter, &counts);
  const struct
  {
    const char *name;
    guint64     value;
  } values[]
      = { { "req", counts.requests }, { "hit", counts.hit }, { "miss", counts.miss }, { "conf", counts.conflict } };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (values[i].value != number (table, row, values[i].name))
      {
        g_print ("%s %s: %" G_GUINT64_FORMAT ", not %s\n", tl_test_cell (table, row, "id"), values[i].name,
                 values[i].value, tl_test_cell (table, row, values[i].name));
        wrong++;
      }
  return wrong + (strcmp (first->str, tl_test_cell (table, row, "first8")) != 0);
}

START_TEST (gemm_rows)
{
  g_autofree char *path = tl_test_shared_path ("oracle/tiledram.csv");
  guint            rows = 0, wrong = 0;

  if (path == NULL)
    {
      tl_test_skip ("no oracle/tiledram.csv");
      return;
    }
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  for (guint row = 1; row < table->len; row++)
    if (strcmp (tl_test_cell (table, row, "kind"), "gemm") == 0)
      {
        rows++;
        wrong += judge_row (table, row, rows % 2 == 0 ? 7 : 4096);
      }
  ck_assert_uint_eq (rows, 18);
  ck_assert_uint_eq (wrong, 0);
  char *cell = (char *) tl_test_cell (table, 1, "conf");
  cell[0] = '8';
  ck_assert_uint_eq (judge_row (table, 1, 4096), 1);
}
END_TEST

/* Two CTAs side by side; the second waits three turns, then both alternate. */
START_TEST (skew)
{
  TlGemmShape          shape = { .m = 2,
                                 .n = 2,
                                 .k = 2,
                                 .tile_m = 2,
                                 .tile_n = 1,
                                 .tile_k = 2,
                                 .quantum = 2,
                                 .transposed = TRUE,
                                 .resident = 2,
                                 .skew = 3 };
  static const guint64 wanted[] = { 0, 1, 2, 3, 1048576, 1048577, 0, 1, 2, 3, 1048578, 1048579 };
  guint64              addresses[16];
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (&shape);

  ck_assert_uint_eq (tl_gemm_stream_next (stream, addresses, 16), G_N_ELEMENTS (wanted));
  ck_assert_int_eq (memcmp (addresses, wanted, sizeof wanted), 0);
  ck_assert_uint_eq (tl_gemm_stream_next (stream, addresses, 16), 0);
}
END_TEST

/* What is said of each request agrees with its address, packed, ragged, in any number at a time. */
START_TEST (requests_in_full)
{
  static const TlGemmShape shapes[] = {
    { 100, 200, 136, 64, 64, 64, 64, FALSE, 2, 3, FALSE, 0, { 0 } },
    { 100, 200, 136, 64, 64, 64, 64, TRUE, 3, 1, FALSE, 16, { 0 } },
    { 64, 256, 128, 64, 128, 64, 128, FALSE, 1, 0, FALSE, 0, { 16, 6 } },
    { 64, 256, 128, 64, 128, 64, 128, TRUE, 2, 7, FALSE, 8, { 8, 4 } },
  };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      TlGemmShape packed = shapes[s];
      TlGemmTiles tiles[2];
      guint64     n = 0;
      g_autoptr (TlGemmStream) plain = tl_gemm_stream_new (&shapes[s]);
      packed.packed = TRUE;
      g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (&packed);
      ck_assert (tl_gemm_tiles (&packed, TL_GEMM_A, &tiles[0]) && tl_gemm_tiles (&packed, TL_GEMM_B, &tiles[1]));
      guint64 b_base = (tiles[0].tiles_down * tiles[0].tiles_across * tiles[0].tile_bytes + (2 << 20) - 1) >> 21 << 21;
      for (TlGemmRequest request, other; tl_gemm_stream_requests (stream, &request, 1) == 1; n++)
        {
          const TlGemmTiles *of = &tiles[request.operand];
          guint64            k_steps = (shapes[s].k + shapes[s].tile_k - 1) / shapes[s].tile_k;
          guint64            start = (request.outer * k_steps + request.step) * of->tile_bytes;

          ck_assert_uint_eq (tl_gemm_stream_requests (plain, &other, 1), 1);
          ck_assert (request.operand == other.operand && request.outer == other.outer && request.step == other.step
                     && request.offset == other.offset);
          ck_assert_uint_lt (request.offset, of->tile_bytes);
          ck_assert_uint_eq (request.address, ((request.operand == TL_GEMM_B ? b_base : 0) + start + request.offset)
                                                  / shapes[s].quantum);
        }
      ck_assert_uint_eq (n, tl_gemm_requests (&shapes[s]));
      ck_assert_uint_gt (n, 0);
    }
}
END_TEST

/* The published trace of Llama 4: 7,864,320 copies of 16 bytes. */
START_TEST (a_known_count)
{
  TlGemmShape shape
      = { .m = 64, .n = 8192, .k = 5120, .tile_m = 64, .tile_n = 128, .tile_k = 64, .quantum = 16, .resident = 1 };

  ck_assert_uint_eq (tl_gemm_requests (&shape), 7864320);
  shape.quantum = 128;
  ck_assert_uint_eq (tl_gemm_requests (&shape), 983040);
}
END_TEST

START_TEST (sizes_out_of_range)
{
  TlGemmShape good = { .m = 4, .n = 4, .k = 4, .tile_m = 2, .tile_n = 2, .tile_k = 2, .quantum = 4, .resident = 1 };
  TlGemmShape bad[6] = { good, good, good, good, good, good };

  bad[0].k = 0;
  bad[1].quantum = 3;
  bad[2].resident = 0;
  bad[3].m = bad[3].k = G_MAXUINT32;
  bad[4].bits[1] = 65;
  bad[5].bits[0] = 3;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    ck_assert_ptr_null (tl_gemm_stream_new (&bad[i]));
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (&good);
  ck_assert_ptr_nonnull (stream);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-gemm-stream");
  TCase *cases = tcase_create ("requests");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, gemm_rows);
  tcase_add_test (cases, skew);
  tcase_add_test (cases, requests_in_full);
  tcase_add_test (cases, a_known_count);
  tcase_add_test (cases, sizes_out_of_range);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
