/* Stream bytes: round trip, one canonical form, no damage unseen, sizes. */
#include "base/hash.h"
#include "emit/stream.h"
#include "fixture.h"
#include "support/support.h"

#include <string.h>

static TlPimProgram *
random_program (guint64 *state)
{
  TlPimMachine        machine = fixture_machine ();
  TlSemiring          semiring = fixture_semiring ();
  guint32             tile = 1 + (guint32) tl_test_random_below (state, 64);
  guint32             n = 1 + (guint32) tl_test_random_below (state, tile * 30);
  guint32             tiles = (n + tile - 1) / tile;
  g_autofree guint16 *owner = g_new (guint16, (gsize) tiles * tiles);
  TlDataSource        data = { (char *) "D", (char *) "graph(\"f.gr\")", 12345 };
  TlStep              steps[] = { { TL_STEP_A, { 0 } }, { TL_STEP_CONSTANT, { -7 } }, { TL_STEP_MIN, { 0 } } };
  guint8              table[] = { 0, 1, 1, 0 };
  char               *reason = NULL;

  machine.pus = 1 + (guint32) tl_test_random_below (state, 32);
  machine.search_pus = 0;
  machine.banks = 1 + (guint32) tl_test_random_below (state, 8);
  for (gsize x = 0; x < (gsize) tiles * tiles; x++)
    owner[x] = (guint16) tl_test_random_below (state, machine.pus);
  if (tl_test_random_below (state, 3) == 0)
    semiring.times = (TlOperator) { .kind = TL_OPERATOR_EXPRESSION, .steps = steps, .n_steps = 3 };
  if (tl_test_random_below (state, 3) == 0)
    semiring.plus = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = 2, .table = table };
  TlPimProgramSpec spec = {
    .name = "apsp",
    .machine = &machine,
    .n = n,
    .tile = tile,
    .semiring = &semiring,
    .seed = *state,
    .owner_rule = tl_test_random_below (state, 2) ? "by hand" : "skewed",
    .place
    = { .kind = (TlPlaceKind) tl_test_random_below (state, 3), .last = (guint32) tl_test_random_below (state, 8) },
    .edges = (TlEdges) tl_test_random_below (state, 2),
    .copies = (TlCopies) tl_test_random_below (state, 2),
    .copy_writes = (TlCopyWrites) tl_test_random_below (state, 2),
    .ring = (TlRing) tl_test_random_below (state, 2),
    .buffers = 1 + (guint32) tl_test_random_below (state, 2),
    .barriers = (TlBarriers) tl_test_random_below (state, 3),
    .page = (TlPage) tl_test_random_below (state, 2),
    .cycle_check = tl_test_random_below (state, 2),
    .data = &data,
    .n_data = (guint) tl_test_random_below (state, 2),
    .base = "../data",
  };

  if (spec.place.kind == TL_PLACE_TIER)
    spec.place.last = 0;
  if (strcmp (spec.owner_rule, "by hand") == 0)
    spec.owner = owner;
  TlPimProgram *program = tl_pim_program_build (&spec, &reason);
  if (program == NULL)
    ck_abort_msg ("%s", reason);
  return program;
}

static TlPimProgram *
decode (GBytes *bytes)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  gsize         length = 0;
  gconstpointer data = g_bytes_get_data (bytes, &length);
  TlPimProgram *program = tl_stream_decode (data, length, "x.tls", diags);

  if (program == NULL)
    {
      g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));

      ck_abort_msg ("%s", text);
    }
  return program;
}

START_TEST (round_trip)
{
  guint64 state = tl_test_seed () * 1000 + _i;
  g_autoptr (TlPimProgram) program = random_program (&state);
  g_autoptr (GBytes) bytes = tl_stream_encode (program);
  g_autoptr (TlPimProgram) again = decode (bytes);
  g_autoptr (GBytes) bytes_again = tl_stream_encode (again);
  g_autofree char *text = tl_stream_print (program);
  g_autofree char *text_again = tl_stream_print (again);

  ck_assert (g_bytes_equal (bytes, bytes_again));
  ck_assert_str_eq (text, text_again);
  ck_assert (tl_semiring_equal (program->semiring, again->semiring));
  ck_assert_mem_eq (program->owner, again->owner, 2u * program->tiles * program->tiles);
  ck_assert_mem_eq (program->tier, again->tier, program->tiles * program->tiles);
  ck_assert_mem_eq (&program->machine, &again->machine, sizeof program->machine);
  ck_assert (tl_pim_program_check (again, NULL));
}
END_TEST

static TlPimProgram *
small_program (void)
{
  TlPimMachine     machine = fixture_machine ();
  TlSemiring       semiring = fixture_semiring ();
  TlDataSource     data = { (char *) "D", (char *) "graph(\"f.gr\")", 12345 };
  TlPimProgramSpec spec = { .name = "apsp",
                            .machine = &machine,
                            .n = 100,
                            .tile = 16,
                            .semiring = &semiring,
                            .data = &data,
                            .n_data = 1,
                            .place = { .kind = TL_PLACE_FILL, .last = 7, .reserved = { 1000 } } };

  machine.pus = 3;
  machine.search_pus = 1;
  return tl_pim_program_build (&spec, NULL);
}

/* Makes every checksum right again. */
static void
repair (guint8 *bytes, gsize length)
{
  gsize at = 32;

  while (at + 16 <= length)
    {
      guint32 size = bytes[at + 4] | bytes[at + 5] << 8 | bytes[at + 6] << 16 | (guint32) bytes[at + 7] << 24;
      guint64 check;

      if (size > length - at - 16)
        return;
      check = tl_fnv1a64 (TL_FNV1A64_START, bytes + at, 8 + size);
      for (guint b = 0; b < 8; b++)
        bytes[at + 8 + size + b] = (guint8) (check >> (8 * b));
      at += 16 + size;
    }
  guint64 check = tl_fnv1a64 (TL_FNV1A64_START, bytes, 24);

  for (guint b = 0; b < 8; b++)
    bytes[24 + b] = (guint8) (check >> (8 * b));
}

/* Every byte, every bit and all ones: refused; with the sums repaired refused or
 * another program. */
START_TEST (flipped_bytes)
{
  g_autoptr (TlPimProgram) program = small_program ();
  g_autoptr (GBytes) stream = tl_stream_encode (program);
  gsize              length = 0, taken = 0;
  const guint8      *data = g_bytes_get_data (stream, &length);
  g_autofree guint8 *bytes = g_memdup2 (data, length);

  for (gsize at = 0; at < length; at++)
    for (guint bit = 0; bit < 9; bit++)
      {
        guint8 flip = bit < 8 ? 1u << bit : 0xff;
        g_autoptr (TlDiags) diags = tl_diags_new ();

        bytes[at] ^= flip;
        ck_assert_ptr_null (tl_stream_decode (bytes, length, "x.tls", diags));
        ck_assert_uint_eq (tl_diags_errors (diags), 1);
        repair (bytes, length);
        g_autoptr (TlPimProgram) other = tl_stream_decode (bytes, length, "x.tls", diags);
        if (other != NULL && memcmp (bytes, data, length) != 0)
          {
            g_autoptr (GBytes) again = tl_stream_encode (other);

            ck_assert (!g_bytes_equal (again, stream));
            taken++;
          }
        memcpy (bytes, data, length);
      }
  ck_assert_uint_gt (taken, 0);
}
END_TEST

START_TEST (every_prefix_is_refused)
{
  g_autoptr (TlPimProgram) program = small_program ();
  g_autoptr (GBytes) stream = tl_stream_encode (program);
  gsize         length = 0;
  const guint8 *data = g_bytes_get_data (stream, &length);

  for (gsize n = 0; n < length; n++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();

      ck_assert_ptr_null (tl_stream_decode (data, n, "x.tls", diags));
      ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->reason, "at byte"));
    }
}
END_TEST

START_TEST (sizes_and_time)
{
  static const struct
  {
    guint32     n;
    const char *owner;
  } rows[] = { { 65536, "modulo" }, { 65536, "skewed" }, { 5242, "modulo" }, { 65000, "skewed" } };
  TlPimMachine     machine = fixture_machine ();
  TlSemiring       semiring = fixture_semiring ();
  TlPimProgramSpec spec = { .machine = &machine,
                            .n = rows[_i].n,
                            .semiring = &semiring,
                            .owner_rule = rows[_i].owner,
                            .place = { .kind = TL_PLACE_FILL, .last = 7 } };
  gint64           start = g_get_monotonic_time ();
  g_autoptr (TlPimProgram) program = tl_pim_program_build (&spec, NULL);
  gint64 built = g_get_monotonic_time ();
  g_autoptr (GBytes) stream = tl_stream_encode (program);
  gint64 encoded = g_get_monotonic_time ();
  g_autoptr (TlPimProgram) again = decode (stream);
  gint64 decoded = g_get_monotonic_time ();

  g_print ("n %u %s: %" G_GSIZE_FORMAT " bytes, build %d us, encode %d us, decode %d us\n", rows[_i].n, rows[_i].owner,
           g_bytes_get_size (stream), (int) (built - start), (int) (encoded - built), (int) (decoded - encoded));
  ck_assert_uint_le (g_bytes_get_size (stream), 1 << 20);
}
END_TEST

/* Any owner map still fits: 65,536 tiles with owners thrown by dice. */
START_TEST (random_owners_stay_below_a_megabyte)
{
  guint64             state = tl_test_seed ();
  TlPimMachine        machine = fixture_machine ();
  TlSemiring          semiring = fixture_semiring ();
  g_autofree guint16 *owner = g_new (guint16, 256 * 256);
  TlPimProgramSpec    spec = { .machine = &machine,
                               .n = 65536,
                               .semiring = &semiring,
                               .owner_rule = "by hand",
                               .owner = owner,
                               .place = { .kind = TL_PLACE_FILL, .last = 7 } };

  for (gsize x = 0; x < 256 * 256; x++)
    owner[x] = (guint16) tl_test_random_below (&state, 32);
  g_autoptr (TlPimProgram) program = tl_pim_program_build (&spec, NULL);
  g_autoptr (GBytes) stream = tl_stream_encode (program);
  g_autoptr (TlPimProgram) again = decode (stream);

  ck_assert_uint_le (g_bytes_get_size (stream), 1 << 20);
  ck_assert_mem_eq (program->owner, again->owner, sizeof (guint16) * 256 * 256);
}
END_TEST

START_TEST (printed_text)
{
  g_autoptr (TlPimProgram) program = small_program ();
  g_autofree char *text = tl_stream_print (program);

  ck_assert_ptr_nonnull (strstr (text, "for own internal tiles:\n      wait C\n      wait left\n      wait right\n"
                                       "      read C\n      read left from its copy\n"));
  ck_assert_ptr_nonnull (strstr (text, "PU 1: channel 0, bank group 1, 16 tiles\n  rows 0..1: 1 step 3 x 2\n"));
}
END_TEST

int
main (int argc, char **argv)
{
  Suite *suite = suite_create ("emit-stream");
  TCase *tcase = tcase_create ("stream");

  if (argc == 2) /* writes the seed of the fuzz corpus */
    {
      g_autoptr (TlPimProgram) program = small_program ();
      g_autoptr (GBytes) stream = tl_stream_encode (program);

      return !g_file_set_contents (argv[1], g_bytes_get_data (stream, NULL), (gssize) g_bytes_get_size (stream), NULL);
    }
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, round_trip, 0, 200);
  tcase_add_test (tcase, flipped_bytes);
  tcase_add_test (tcase, every_prefix_is_refused);
  tcase_add_loop_test (tcase, sizes_and_time, 0, 4);
  tcase_add_test (tcase, random_owners_stay_below_a_megabyte);
  tcase_add_test (tcase, printed_text);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
