/* Signatures of tiles: from numbers and from traces, and whether they recur. */
#include <string.h>

#include "place/signature.h"
#include "support/support.h"

static const TlGemmShape plain
    = { .m = 64, .n = 256, .k = 128, .tile_m = 64, .tile_n = 128, .tile_k = 64, .quantum = 128, .resident = 1 };

START_TEST (of_numbers)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmShape shape = plain;
  g_autoptr (TlSignature) a = tl_signature_of_gemm (&shape, TL_GEMM_A, diags);
  g_autoptr (TlSignature) b = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);

  ck_assert (a->units == 64 && a->sequence->bits == 6 && a->sequence->length == 64);
  ck_assert (b->units == 128 && b->sequence->bits == 7 && b->sequence->length == 128);
  for (guint i = 0; i < 128; i++)
    ck_assert_uint_eq (b->sequence->units[i], i);
  /* The matrices' sizes do not matter, the tile's do; nor does where the tile is. */
  shape.m = 640;
  shape.k = 4096;
  g_autoptr (TlSignature) same = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);
  ck_assert_uint_eq (same->hash, b->hash);
  ck_assert_uint_ne (a->hash, b->hash);
  shape.bits[TL_GEMM_B] = 8;
  shape.tile_n = 256;
  g_autoptr (TlSignature) narrow = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);
  ck_assert_uint_eq (tl_sequence_hash (narrow->sequence), tl_sequence_hash (b->sequence));
  ck_assert_uint_ne (narrow->hash, b->hash);
  /* Six bits: rows of 96 bytes, 48 quanta; a request a row, two rows may share a unit. */
  shape.bits[TL_GEMM_B] = 6;
  shape.tile_n = 128;
  g_autoptr (TlSignature) ragged = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);
  ck_assert (ragged->units == 48 && ragged->sequence->bits == 6 && ragged->sequence->length == 64);
  ck_assert (ragged->sequence->units[1] == 0 && ragged->sequence->units[2] == 1);
  /* Slabs go down the rows first. */
  shape = plain;
  shape.slab = 32;
  g_autoptr (TlSignature) slabs = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);
  ck_assert (slabs->sequence->units[1] == 2 && slabs->sequence->units[32] == 1 && slabs->sequence->units[64] == 64);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
}
END_TEST

START_TEST (refused_numbers)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmShape large = plain, empty = plain;

  large.tile_n = 1 << 20;
  empty.k = 0;
  ck_assert_ptr_null (tl_signature_of_gemm (&large, TL_GEMM_B, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "tile-units");
  ck_assert_ptr_null (tl_signature_of_gemm (&empty, TL_GEMM_A, diags));
  ck_assert_str_eq (tl_diags_get (diags, 1)->code, "gemm-shape");
}
END_TEST

/* The requests of a product as a trace; request number @wrong goes astray. */
static TlTrace *
trace_of (const TlGemmShape *shape, guint64 wrong)
{
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (shape);
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 address;

  for (guint64 i = 0; tl_gemm_stream_next (stream, &address, 1) == 1; i++)
    g_string_append_printf (text, "LD 0x%" G_GINT64_MODIFIER "x\n", (address + (i == wrong)) * shape->quantum);
  gsize length = text->len;
  g_autoptr (GInputStream) bytes
      = g_memory_input_stream_new_from_data (g_string_free (g_steal_pointer (&text), FALSE), (gssize) length, g_free);
  return tl_trace_new (bytes, "recorded");
}

static TlTracedOperand
operand_of (const TlGemmShape *shape, TlGemmOperand operand)
{
  TlTracedOperand traced
      = { operand, shape->transposed, operand == TL_GEMM_B ? 2 << 20 : 0, { 0 }, 16, shape->quantum };

  ck_assert (tl_gemm_tiles (shape, operand, &traced.tiles));
  return traced;
}

/* A recorded product gives the signatures of its numbers, whatever the residents. */
START_TEST (of_traces)
{
  static const struct
  {
    TlGemmShape shape;
    guint64     a_instances, b_instances, b_tiles, b_whole;
  } rows[] = {
    { { 64, 256, 128, 64, 128, 64, 128, FALSE, 1, 0, FALSE, 0, { 0 } }, 4, 4, 4, 4 },
    { { 64, 256, 128, 64, 128, 64, 128, TRUE, 1, 0, FALSE, 0, { 0 } }, 4, 4, 4, 4 },
    { { 64, 512, 256, 64, 128, 64, 128, TRUE, 1, 0, FALSE, 32, { 0 } }, 16, 16, 16, 16 },
    /* Three n tiles, the last half outside; two k tiles, m in one. */
    { { 64, 320, 128, 64, 128, 64, 128, FALSE, 1, 0, FALSE, 0, { 0 } }, 6, 4, 6, 4 },
    { { 192, 320, 128, 64, 128, 64, 128, TRUE, 1, 0, FALSE, 0, { 0 } }, 18, 12, 6, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (TlGemmOperand operand = TL_GEMM_A; operand <= TL_GEMM_B; operand++)
      {
        g_autoptr (TlDiags) diags = tl_diags_new ();
        g_autoptr (TlTrace) trace = trace_of (&rows[i].shape, G_MAXUINT64);
        TlTracedOperand   traced = operand_of (&rows[i].shape, operand);
        TlSignatureReport report;
        g_autoptr (TlSignature) recorded = tl_signature_from_trace (trace, &traced, &report, diags);
        g_autoptr (TlSignature) wanted = tl_signature_of_gemm (&rows[i].shape, operand, diags);

        ck_assert_msg (recorded != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
        ck_assert_uint_eq (recorded->hash, wanted->hash);
        ck_assert_uint_eq (report.requests + report.elsewhere, tl_gemm_requests (&rows[i].shape));
        ck_assert_uint_eq (report.instances, operand == TL_GEMM_A ? rows[i].a_instances : rows[i].b_instances);
        if (operand == TL_GEMM_B)
          {
            ck_assert_uint_eq (report.tiles, rows[i].b_tiles);
            ck_assert_uint_eq (report.whole, rows[i].b_whole);
          }
      }
}
END_TEST

/* Residents that do not share a tile of B at a time leave its signature whole. */
START_TEST (of_interleaved_traces)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmShape shape = plain;

  shape.resident = 2;
  shape.skew = 7;
  g_autoptr (TlTrace) trace = trace_of (&shape, G_MAXUINT64);
  TlTracedOperand   traced = operand_of (&shape, TL_GEMM_B);
  TlSignatureReport report;
  g_autoptr (TlSignature) recorded = tl_signature_from_trace (trace, &traced, &report, diags);
  g_autoptr (TlSignature) wanted = tl_signature_of_gemm (&shape, TL_GEMM_B, diags);

  ck_assert_uint_eq (recorded->hash, wanted->hash);
}
END_TEST

static const struct
{
  guint64     wrong, base;
  const char *code;
} bad[] = {
  { 300, 2 << 20, "no-recurrence-of-accesses" }, /* one access of the second tile of B */
  { G_MAXUINT64, 512 << 20, "trace-elsewhere" },
};

START_TEST (no_recurrence)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTrace) trace = trace_of (&plain, bad[_i].wrong);
  TlTracedOperand   traced = operand_of (&plain, TL_GEMM_B);
  TlSignatureReport report;

  traced.base = bad[_i].base;
  ck_assert_ptr_null (tl_signature_from_trace (trace, &traced, &report, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, bad[_i].code);
}
END_TEST

START_TEST (a_broken_trace)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GInputStream) bytes = g_memory_input_stream_new_from_data ("LD 0x0\nLD what\n", -1, NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (bytes, "t");
  TlTracedOperand   traced = operand_of (&plain, TL_GEMM_A);
  TlSignatureReport report;

  ck_assert_ptr_null (tl_signature_from_trace (trace, &traced, &report, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-signature");
  TCase *cases = tcase_create ("signatures");

  tcase_add_test (cases, of_numbers);
  tcase_add_test (cases, refused_numbers);
  tcase_add_test (cases, of_traces);
  tcase_add_test (cases, of_interleaved_traces);
  tcase_add_loop_test (cases, no_recurrence, 0, G_N_ELEMENTS (bad));
  tcase_add_test (cases, a_broken_trace);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
