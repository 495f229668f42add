/* PTX of matrix products: run by a small machine of the tests, its results are the tile
 * machine's bit for bit; ptxas takes it; and a View costs no instruction. */
#include "ptx-machine.h"
#include "tile/ptx.h"
#include "tile/run.h"

#include <string.h>

static const char *const weights[]
    = { "u1",     "u2",     "u3",     "u4",     "u5",     "u6",     "u7",     "u8",     "i1",     "i2",     "i3",
        "i4",     "i5",     "i6",     "i7",     "i8",     "f3e1m1", "f4e1m2", "f4e2m1", "f5e1m3", "f5e2m2", "f5e3m1",
        "f6e2m3", "f6e3m2", "f6e4m1", "f7e2m4", "f7e3m3", "f7e4m2", "f7e5m1", "f8e4m3", "f8e5m2" };

static void
make (TlTileMatmul *matmul, const char *activation, const char *weight, TlTileMatmulSpec spec)
{
  g_autofree char *reason = NULL;

  ck_assert (tl_element_type_parse (activation, &spec.activation) && tl_element_type_parse (weight, &spec.weight));
  if (!tl_tile_matmul_make (matmul, &spec, &reason))
    ck_abort_msg ("%s", reason);
}

static char *
ptx_of (const TlTileMatmul *matmul, guint sm, TlTilePtxView view, guint64 *shared)
{
  TlTilePtxOptions options = { sm, view };
  g_autofree char *reason = NULL;
  char            *text = tl_tile_matmul_to_ptx (matmul, &options, shared, &reason);

  ck_assert_msg (text != NULL, "%s", reason);
  return text;
}

/* Bytes of C that differ between the two machines. */
static guint
differences (const TlTileMatmul *matmul, TlTilePtxView view)
{
  const TlTileMatmulSpec *spec = &matmul->spec;
  guint64                 state = tl_test_seed (), shared;
  g_autofree char        *text = ptx_of (matmul, 80, view, &shared);
  gsize                   a_size = spec->m * spec->k * 2, c_size = spec->m * spec->n * 4;
  g_autofree guint8      *a = g_malloc (a_size + 16);
  g_autofree guint8      *w = g_malloc (matmul->weight_bytes + 16);
  g_autofree guint8      *codes = g_malloc (spec->k * spec->n);
  g_autofree guint8      *mine = g_malloc0 (c_size);
  g_autofree guint8      *theirs = g_malloc0 (c_size);
  gsize                   s_size = spec->group > 0 ? (spec->k + spec->group - 1) / spec->group * spec->n * 2 : 0;
  g_autofree guint8      *scales = g_malloc (s_size + 16);
  guint                   wrong = 0;

  for (gsize i = 0; i < a_size / 2; i++)
    {
      guint code = (guint) tl_test_random_below (&state, 1 << 16);
      guint value = spec->activation.exponent == 8 ? (code & 0x87ff) | 0x3800 : code & 0xbfff;
      a[2 * i] = (guint8) value;
      a[2 * i + 1] = (guint8) (value >> 8);
    }
  for (gsize i = 0; i < spec->k * spec->n; i++)
    codes[i] = (guint8) tl_test_random_below (&state, 1u << spec->weight.bits);
  tl_tile_matmul_pack (matmul, codes, w);
  for (gsize i = 0; i < s_size / 2; i++)
    {
      guint code = (guint) tl_test_random_below (&state, 1 << 16);
      guint value = spec->activation.exponent == 8 ? (code & 0x80ff) | 0x3f00 : (code & 0x83ff) | 0x3800;
      scales[2 * i] = (guint8) value;
      scales[2 * i + 1] = (guint8) (value >> 8);
    }

  g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul->kernel, NULL, NULL);
  g_auto (TlTileReport) report = { 0 };
  TlTileBuffer buffers[] = { { a, a_size }, { w, matmul->weight_bytes }, { mine, c_size }, { scales, s_size } };
  guint        n_buffers = s_size > 0 ? 4 : 3;
  TlTileLaunch launch = { .grid = { matmul->grid[0], matmul->grid[1], 1 }, .buffers = buffers, .n_buffers = n_buffers };
  ck_assert_msg (tl_tile_run (plan, &launch, &report), "%s", report.fault.message);
  PtxBuffer theirs_buffers[] = { { a, a_size }, { w, matmul->weight_bytes }, { theirs, c_size }, { scales, s_size } };
  ptx_run (text, tl_tile_kernel_threads (matmul->kernel), matmul->grid, theirs_buffers, n_buffers, shared);
  for (gsize i = 0; i < c_size; i += 4)
    {
      float x, y;

      memcpy (&x, mine + i, 4);
      memcpy (&y, theirs + i, 4);
      wrong += !(x == y || (x != x && y != y));
    }
  return wrong;
}

/* Odd sizes and every way of loading; blocks of several warps, swizzled tiles. */
START_TEST (results_are_the_tile_machines)
{
  static const TlTileMatmulSpec specs[] = {
    { .m = 19, .n = 21, .k = 38, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2, .way = TL_LOAD_REPEAT },
    { .m = 19, .n = 9, .k = 36, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 3, .way = TL_LOAD_SHARED_BYTE },
    { .m = 9, .n = 9, .k = 40, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2, .way = TL_LOAD_PAD },
    { .m = 33, .n = 40, .k = 72, .tiling = { 2, 1, 1, 2, 2 }, .vector = 1, .stages = 2, .way = TL_LOAD_REPEAT },
  };
  const char *weight = weights[_i];

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_auto (TlTileMatmul) matmul = { 0 };

      make (&matmul, i == 1 || g_str_equal (weight, "f7e5m1") ? "bf16" : "f16", weight, specs[i]);
      guint wrong = differences (&matmul, i == 0 ? TL_TILE_PTX_VIEW_COPIES : TL_TILE_PTX_VIEW_NOTHING);
      ck_assert_msg (wrong == 0, "%s, case %u: %u differ", weight, i, wrong);
    }
}
END_TEST

START_TEST (larger_tiles)
{
  static const TlTileMatmulSpec spec
      = { .m = 60, .n = 130, .k = 136, .tiling = { 2, 2, 2, 8, 4 }, .vector = 1, .stages = 3 };
  g_auto (TlTileMatmul) matmul = { 0 };

  make (&matmul, "f16", "i6", spec);
  ck_assert_uint_eq (differences (&matmul, TL_TILE_PTX_VIEW_NOTHING), 0);
  ck_assert_uint_gt (differences (&matmul, TL_TILE_PTX_VIEW_PERMUTES), 0);
}
END_TEST

/* 12 bits of an opcode -> how many of the kernel's instructions have it; NOPs left out. An
 * instruction has 16 bytes. (transfer full) */
static GArray *
opcodes (const guint8 *elf, gsize size)
{
  GArray *counts = g_array_new (FALSE, TRUE, sizeof (guint));
  guint64 sections, offset, length, names;

  g_array_set_size (counts, 4096);
  ck_assert (size > 64 && memcmp (elf, "\177ELF\2", 5) == 0);
  memcpy (&sections, elf + 40, 8);
  guint entry = elf[58] | (guint) elf[59] << 8, n = elf[60] | (guint) elf[61] << 8;
  guint names_at = elf[62] | (guint) elf[63] << 8;
  ck_assert_uint_le (sections + (guint64) entry * n, size);
  memcpy (&names, elf + sections + (guint64) entry * names_at + 24, 8);
  for (guint i = 0; i < n; i++)
    {
      const guint8 *section = elf + sections + (guint64) entry * i;
      guint32       name;

      memcpy (&name, section, 4);
      if (names + name >= size || strncmp ((const char *) elf + names + name, ".text.matmul", 12) != 0)
        continue;
      memcpy (&offset, section + 24, 8);
      memcpy (&length, section + 32, 8);
      ck_assert_uint_le (offset + length, size);
      for (guint64 at = offset; at < offset + length; at += 16)
        {
          guint opcode = elf[at] | (guint) (elf[at + 1] & 15) << 8;
          if (opcode != 0x918)
            g_array_index (counts, guint, opcode)++;
        }
    }
  return counts;
}

/* What the assembler makes of a text, and what it says; NULL when it is not installed. */
static GArray *
assemble (const char *text, guint sm, char **said)
{
  g_autofree char *from = g_build_filename (tl_test_folder (), "kernel.ptx", NULL);
  g_autofree char *to = g_build_filename (tl_test_folder (), "kernel.cubin", NULL);
  g_autofree char *arch = g_strdup_printf ("-arch=sm_%u", sm);
  g_autofree char *ptxas = g_find_program_in_path ("ptxas");
  g_autofree char *elf = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  int   status;

  if (ptxas == NULL && g_file_test ("/usr/local/cuda/bin/ptxas", G_FILE_TEST_IS_EXECUTABLE))
    ptxas = g_strdup ("/usr/local/cuda/bin/ptxas");
  if (ptxas == NULL)
    return NULL;
  ck_assert (g_file_set_contents (from, text, -1, NULL));
  const char *command[] = { ptxas, "-v", arch, from, "-o", to, NULL };
  if (!g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, said, &status,
                     &error))
    ck_abort_msg ("%s", error->message);
  ck_assert_msg (status == 0, "%s\n%s", *said, text);
  ck_assert (g_file_get_contents (to, &elf, &size, NULL));
  return opcodes ((const guint8 *) elf, size);
}

static gboolean
same_counts (const GArray *a, const GArray *b)
{
  return memcmp (a->data, b->data, a->len * sizeof (guint)) == 0;
}

/* Groups that lie in a tile, across tiles, over all of k, and that cut atoms; ragged edges; both types. */
static const struct
{
  const char      *activation, *weight;
  TlTileMatmulSpec spec;
} scaled[] = {
  { "f16", "u4", { .m = 20, .n = 30, .k = 74, .group = 32, .tiling = { 1, 2, 1, 1, 2 }, .vector = 1, .stages = 2 } },
  { "f16", "i6", { .m = 20, .n = 30, .k = 96, .group = 16, .tiling = { 1, 1, 1, 2, 2 }, .vector = 1, .stages = 2 } },
  { "f16", "f6e3m2", { .m = 17, .n = 9, .k = 64, .group = 5, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 3 } },
  { "bf16", "i8", { .m = 17, .n = 9, .k = 70, .group = 64, .tiling = { 1, 1, 1, 1, 2 }, .vector = 1, .stages = 2 } },
  { "bf16", "u2", { .m = 16, .n = 40, .k = 48, .group = 1000, .tiling = { 1, 1, 1, 2, 1 }, .vector = 1, .stages = 2 } },
  { "bf16", "f8e4m3", { .m = 9, .n = 8, .k = 40, .group = 1, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 } },
};

START_TEST (scales_of_groups)
{
  g_auto (TlTileMatmul) matmul = { 0 }, bare = { 0 };
  TlTileMatmulSpec without = scaled[_i].spec;

  make (&matmul, scaled[_i].activation, scaled[_i].weight, scaled[_i].spec);
  ck_assert_uint_eq (differences (&matmul, TL_TILE_PTX_VIEW_NOTHING), 0);
  for (guint sm = 80; sm <= 90; sm += 10)
    {
      g_autofree char *text = ptx_of (&matmul, sm, TL_TILE_PTX_VIEW_NOTHING, NULL);
      g_autofree char *said = NULL;
      g_autoptr (GArray) counts = NULL;

      ck_assert_ptr_nonnull (strstr (text, ".param .u64 s)"));
      counts = assemble (text, sm, &said);
      if (counts == NULL)
        {
          tl_test_skip ("ptxas not installed");
          return;
        }
      ck_assert_msg (strstr (said, "0 bytes spill stores, 0 bytes spill loads") != NULL, "%s", said);
    }
  /* Without scales the text has none. */
  without.group = 0;
  make (&bare, scaled[_i].activation, scaled[_i].weight, without);
  g_autofree char *plain = ptx_of (&bare, 80, TL_TILE_PTX_VIEW_NOTHING, NULL);
  ck_assert (strstr (plain, "ld.global") == NULL && strstr (plain, ".param .u64 s") == NULL);
}
END_TEST

/* Rows of A lie on 16 bytes in every tile that is swizzled, so matrices are loaded whole. */
START_TEST (matrices_are_loaded_whole)
{
  static const TlTileMatmulSpec spec
      = { .m = 64, .n = 128, .k = 128, .tiling = { 2, 2, 2, 8, 4 }, .vector = 1, .stages = 3 };
  g_auto (TlTileMatmul) matmul = { 0 };
  guint matrices = 0, words = 0;

  make (&matmul, "f16", "i6", spec);
  g_autofree char *text = ptx_of (&matmul, 80, TL_TILE_PTX_VIEW_NOTHING, NULL);
  for (const char *at = text; (at = strstr (at, "ldmatrix")) != NULL; at++)
    matrices++;
  for (const char *at = text; (at = strstr (at, "ld.shared.b32")) != NULL; at++)
    words++;
  ck_assert_uint_eq (matrices, 4 * 2);
  ck_assert_uint_eq (words, 0);
}
END_TEST

START_TEST (the_assembler_takes_it)
{
  static const TlTileMatmulSpec small
      = { .m = 19, .n = 21, .k = 38, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 };
  g_auto (TlTileMatmul) matmul = { 0 };
  g_autofree char *said = NULL;
  TlTileMatmulSpec spec = small;

  spec.way = (TlLoadWay) (_i % 3);
  make (&matmul, g_str_equal (weights[_i], "f7e5m1") ? "bf16" : "f16", weights[_i], spec);
  g_autofree char *text = ptx_of (&matmul, _i % 2 == 0 ? 80 : 90, TL_TILE_PTX_VIEW_NOTHING, NULL);
  g_autoptr (GArray) counts = assemble (text, _i % 2 == 0 ? 80 : 90, &said);
  if (counts == NULL)
    {
      tl_test_skip ("ptxas not installed");
      return;
    }
  ck_assert_msg (strstr (said, "0 bytes spill stores, 0 bytes spill loads") != NULL, "%s", said);
  ck_assert_uint_gt (g_array_index (counts, guint, 0x23c), 0);
}
END_TEST

/* With the View written out as copies the machine's instructions are the same ones, as many of
 * each; a permutation of bytes costs some. */
START_TEST (a_view_costs_nothing)
{
  static const struct
  {
    const char      *weight;
    TlTileMatmulSpec spec;
    guint            sm;
  } cases[] = {
    { "i6", { .m = 64, .n = 1024, .k = 1024, .tiling = { 2, 2, 2, 8, 4 }, .vector = 1, .stages = 3 }, 80 },
    { "u4", { .m = 64, .n = 1024, .k = 1024, .tiling = { 2, 2, 2, 8, 4 }, .vector = 1, .stages = 3 }, 90 },
    { "u5", { .m = 32, .n = 64, .k = 64, .tiling = { 1, 1, 1, 2, 1 }, .vector = 1, .stages = 2 }, 80 },
    { "u3",
      { .m = 32, .n = 64, .k = 64, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2, .way = TL_LOAD_SHARED_BYTE },
      90 },
  };
  GArray *counts[3] = { NULL };
  g_auto (TlTileMatmul) matmul = { 0 };

  make (&matmul, "f16", cases[_i].weight, cases[_i].spec);
  for (guint view = 0; view < 3; view++)
    {
      g_autofree char *text = ptx_of (&matmul, cases[_i].sm, (TlTilePtxView) view, NULL);
      g_autofree char *said = NULL;

      counts[view] = assemble (text, cases[_i].sm, &said);
      if (counts[view] == NULL)
        {
          tl_test_skip ("ptxas not installed");
          return;
        }
      ck_assert_msg (strstr (said, "0 bytes spill stores, 0 bytes spill loads") != NULL, "%s", said);
    }
  ck_assert (same_counts (counts[0], counts[1]));
  ck_assert (!same_counts (counts[0], counts[2]));
  for (guint view = 0; view < 3; view++)
    g_array_unref (counts[view]);
}
END_TEST

START_TEST (what_it_is_not_written_for)
{
  static const TlTileMatmulSpec spec
      = { .m = 16, .n = 8, .k = 32, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 };
  static const struct
  {
    const char *activation, *says;
    guint       group, vector, k, sm;
  } cases[] = { { "i8", "f16 and bf16", 0, 1, 32, 80 },
                { "f16", "vectors", 0, 2, 32, 80 },
                { "f16", "odd", 0, 1, 31, 80 },
                { "f16", "sm_80 and sm_90", 0, 1, 32, 70 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TlTileMatmul) matmul = { 0 };
      TlTileMatmulSpec own = spec;
      TlTilePtxOptions options = { cases[i].sm, TL_TILE_PTX_VIEW_NOTHING };
      g_autofree char *reason = NULL;

      own.group = cases[i].group;
      own.vector = cases[i].vector;
      own.k = cases[i].k;
      make (&matmul, cases[i].activation, "u4", own);
      ck_assert_ptr_null (tl_tile_matmul_to_ptx (&matmul, &options, NULL, &reason));
      ck_assert_msg (strstr (reason, cases[i].says) != NULL, "%s", reason);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-ptx");
  TCase *tcase = tcase_create ("ptx");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, results_are_the_tile_machines, 0, G_N_ELEMENTS (weights));
  tcase_add_test (tcase, larger_tiles);
  tcase_add_loop_test (tcase, the_assembler_takes_it, 0, G_N_ELEMENTS (weights));
  tcase_add_loop_test (tcase, a_view_costs_nothing, 0, 4);
  tcase_add_loop_test (tcase, scales_of_groups, 0, G_N_ELEMENTS (scaled));
  tcase_add_test (tcase, matrices_are_loaded_whole);
  tcase_add_test (tcase, what_it_is_not_written_for);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
