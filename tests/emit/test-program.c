/* Programs from plain parameters: owners, runs, tiers, copies, loop code. */
#include "base/hash.h"
#include "emit/program-build.h"
#include "fixture.h"
#include "support/support.h"

#include <string.h>

static TlPimProgram *
build (TlPimProgramSpec spec)
{
  TlPimMachine  machine = fixture_machine ();
  TlSemiring    semiring = fixture_semiring ();
  char         *reason = NULL;
  TlPimProgram *program;

  if (spec.machine == NULL)
    spec.machine = &machine;
  spec.semiring = &semiring;
  program = tl_pim_program_build (&spec, &reason);
  if (program == NULL)
    ck_abort_msg ("%s", reason);
  return program;
}

START_TEST (owners_equal_the_oracle)
{
  static const struct
  {
    guint32     n, tile, pus;
    const char *hash;
  } rows[] = {
    { 256, 32, 32, "3860053e16e2c265" },  { 512, 32, 32, "49310ce196802025" },   { 512, 32, 8, "e5c9d4e774097e25" },
    { 777, 64, 24, "bb4bc7a4b2d3e7a7" },  { 5242, 256, 32, "42f49e88bd33a2cf" }, { 6301, 256, 32, "ed4ae1328039453f" },
    { 256, 256, 32, "af63bd4c8601b7df" },
  };
  TlPimMachine machine = fixture_machine ();

  machine.pus = rows[_i].pus;
  machine.search_pus = 0;
  g_autoptr (TlPimProgram) program
      = build ((TlPimProgramSpec) { .machine = &machine, .n = rows[_i].n, .tile = rows[_i].tile });
  g_autofree char *hash = tl_hash_text (tl_pim_program_owner_hash (program));

  ck_assert_str_eq (hash, rows[_i].hash);
}
END_TEST

/* The deliberately wrong golden: the skewed map is not the modulo map's hash. */
START_TEST (a_wrong_owner_hash_differs)
{
  g_autoptr (TlPimProgram) program = build ((TlPimProgramSpec) { .n = 512, .tile = 64, .owner_rule = "skewed" });
  g_autofree char *hash = tl_hash_text (tl_pim_program_owner_hash (program));

  ck_assert_str_ne (hash, "3860053e16e2c265");
}
END_TEST

START_TEST (runs_give_the_owner_map)
{
  guint64             state = tl_test_seed () + _i;
  guint32             tiles = 1 + (guint32) tl_test_random_below (&state, 40);
  g_autofree guint16 *owner = g_new (guint16, tiles * tiles);
  g_autofree guint16 *again = g_new0 (guint16, tiles * tiles);

  for (guint32 x = 0; x < tiles * tiles; x++)
    owner[x] = (guint16) (_i % 3 == 0   ? tl_test_random_below (&state, 32)
                          : _i % 3 == 1 ? (x / tiles * (guint32) (_i + 3) + x) % 32
                                        : tl_test_random_below (&state, 2));
  g_autoptr (TlPimProgram) program
      = build ((TlPimProgramSpec) { .n = tiles * 16, .tile = 16, .owner_rule = "by hand", .owner = owner });

  memset (again, 0xff, sizeof (guint16) * tiles * tiles);
  for (guint32 pu = 0; pu < 32; pu++)
    for (guint32 i = 0; i < tiles; i++)
      for (guint32 r = program->streams[pu].row_runs[i]; r < program->streams[pu].row_runs[i + 1]; r++)
        for (guint32 t = 0; t < program->streams[pu].runs[r].count; t++)
          {
            guint32 j = program->streams[pu].runs[r].first + t * program->streams[pu].runs[r].step;

            ck_assert_uint_lt (j, tiles);
            ck_assert_uint_eq (again[i * tiles + j], G_MAXUINT16);
            again[i * tiles + j] = (guint16) pu;
          }
  ck_assert_mem_eq (owner, again, sizeof (guint16) * tiles * tiles);
  ck_assert (tl_pim_program_check (program, NULL));
}
END_TEST

START_TEST (copies_are_264_at_65536)
{
  g_autoptr (TlPimProgram) program
      = build ((TlPimProgramSpec) { .n = 65536, .place = { .kind = TL_PLACE_FILL, .last = 7 } });
  guint64 bytes = 0;

  ck_assert_uint_eq (program->tile, 256);
  for (guint32 pu = 0; pu < 32; pu++)
    ck_assert_uint_eq (tl_pim_program_copies (program, pu), 264);
  for (guint o = 0; o < program->objects->len; o++)
    if (strcmp (g_array_index (program->objects, TlObjectShare, o).name, "copies") == 0)
      bytes += g_array_index (program->objects, TlObjectShare, o).bytes;
  ck_assert_uint_eq (bytes, G_GUINT64_CONSTANT (264) * 32 << 18);
}
END_TEST

/* First fit by brute force: lowest tier with room. */
START_TEST (fill_is_first_fit)
{
  TlPimMachine machine = fixture_machine ();
  guint64      room[8];

  machine.tier_bytes = 64 << 10;
  for (guint t = 0; t < 8; t++)
    room[t] = machine.tier_bytes;
  room[1] -= 5000;
  g_autoptr (TlPimProgram) program = build (
      (TlPimProgramSpec) { .machine = &machine,
                           .n = 300,
                           .tile = 64,
                           .place = { .kind = TL_PLACE_FILL, .first = 1, .last = 7, .reserved = { 0, 5000 } } });

  for (guint32 i = 0; i < program->tiles; i++)
    for (guint32 j = 0; j < program->tiles; j++)
      {
        guint   tier = 1;
        guint64 bytes = tl_pim_program_tile_bytes (program, i, j);

        while (room[tier] < bytes)
          tier++;
        room[tier] -= bytes;
        ck_assert_uint_eq (tl_pim_program_tier (program, i, j), tier);
      }
}
END_TEST

START_TEST (bad_parameters_are_refused)
{
  TlPimMachine     machine = fixture_machine ();
  TlSemiring       semiring = fixture_semiring ();
  guint16          owner[4] = { 0, 1, 32, 3 };
  TlPimProgramSpec spec = { .machine = &machine, .semiring = &semiring, .n = 512, .tile = 256 };
  g_autofree char *reason = NULL;

  switch (_i)
    {
    case 0:
      spec.n = 0;
      break;
    case 1:
      spec.tile = 257;
      break;
    case 2:
      spec.owner_rule = "odd";
      break;
    case 3:
      spec.owner_rule = "by hand", spec.owner = owner;
      break;
    case 4:
      machine.clock = 0;
      break;
    case 5:
      machine.banks = 65;
      break;
    case 6:
      spec.place.first = 8;
      break;
    case 7:
      machine.tier_bytes = 1 << 19;
      break;
    case 8:
      spec.buffers = 2;
      break;
    case 9:
      machine.channels = 8;
      break;
    default:
      spec.n = 1 << 22, spec.tile = 16;
    }
  ck_assert_ptr_null (tl_pim_program_build (&spec, &reason));
  ck_assert_ptr_nonnull (reason);
}
END_TEST

START_TEST (another_machine_keeps_the_rest)
{
  g_autoptr (TlPimProgram) program
      = build ((TlPimProgramSpec) { .n = 1000, .tile = 64, .barriers = TL_BARRIERS_STRICT });
  TlPimMachine machine = program->machine;

  machine.tRRD = 5000;
  machine.pes = 8;
  g_autoptr (TlPimProgram) other = tl_pim_program_with_machine (program, &machine, NULL);

  ck_assert_ptr_nonnull (other);
  ck_assert_uint_eq (other->machine.tRRD, 5000);
  ck_assert_mem_eq (other->owner, program->owner, 2 * 16 * 16);
  ck_assert (tl_pim_program_check (other, NULL));
  machine.pus = 31;
  ck_assert_ptr_null (tl_pim_program_with_machine (program, &machine, NULL));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("emit-program");
  TCase *tcase = tcase_create ("program");

  tcase_add_loop_test (tcase, owners_equal_the_oracle, 0, 7);
  tcase_add_test (tcase, a_wrong_owner_hash_differs);
  tcase_add_loop_test (tcase, runs_give_the_owner_map, 0, 60);
  tcase_add_test (tcase, copies_are_264_at_65536);
  tcase_add_test (tcase, fill_is_first_fit);
  tcase_add_loop_test (tcase, bad_parameters_are_refused, 0, 11);
  tcase_add_test (tcase, another_machine_keeps_the_rest);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
