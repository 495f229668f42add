/* The load recipe against the table of outside values, and for every number of bits. */
#include "layout/element-type.h"
#include "layout/packing.h"
#include "layout/recipe.h"
#include "layout/view.h"
#include "oracle.h"

#include <string.h>

static guint
cell (const GPtrArray *table, guint row, const char *name)
{
  return (guint) g_ascii_strtoull (tl_test_cell (table, row, name), NULL, 10);
}

/* The table's bytes, loaded as its layout of bytes says and read as its elements. */
static gboolean
row_agrees (const GPtrArray *table, guint row, const char *target_text)
{
  TlLayout target = oracle_layout (target_text), bytes_layout = oracle_layout (tl_test_cell (table, row, "u8_layout"));
  TlLoadRecipe recipe;
  const char  *hex = tl_test_cell (table, row, "memory_hex");
  guint        bits = cell (table, row, "nbits");
  g_autoptr (GString) values = g_string_new (NULL);
  g_autofree char *reason = NULL;

  if (!tl_load_recipe_make (&recipe, bits, &target, TL_LOAD_REPEAT, 0, &reason))
    ck_abort_msg ("%s", reason);
  if (recipe.repeat != 1 || recipe.threads != cell (table, row, "threads")
      || recipe.thread_bits != cell (table, row, "bits_per_thread")
      || recipe.image_bits != 8 * cell (table, row, "n_bytes") || recipe.piece_bits != 8 * cell (table, row, "n1")
      || recipe.pieces != cell (table, row, "n2") || !tl_layout_equal (&recipe.load, &bytes_layout)
      || strlen (hex) != 2 * recipe.bytes)
    return FALSE;

  guint64            n = tl_layout_elements (&target);
  g_autofree guint8 *bytes = g_new (guint8, recipe.bytes);
  g_autofree guint8 *again = g_new (guint8, recipe.bytes);
  g_autofree guint8 *codes = g_new (guint8, n);
  for (guint64 i = 0; i < recipe.bytes; i++)
    bytes[i] = (guint8) (g_ascii_xdigit_value (hex[2 * i]) * 16 + g_ascii_xdigit_value (hex[2 * i + 1]));
  tl_load_recipe_unpack (&recipe, bytes, codes);
  for (guint64 i = 0; i < n; i++)
    oracle_append (values, codes[i]);
  tl_load_recipe_pack (&recipe, codes, again);
  ck_assert_mem_eq (bytes, again, recipe.bytes);
  return g_str_equal (values->str, tl_test_cell (table, row, "logical_values_row_major_unsigned"));
}

START_TEST (rows_are_equal)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-view-load.csv");

  if (table == NULL)
    return;
  ck_assert_uint_eq (table->len, 13);
  for (guint row = 1; row < table->len; row++)
    ck_assert_msg (row_agrees (table, row, tl_test_cell (table, row, "target_layout")), "row %u", row);
  ck_assert (!row_agrees (table, 2, "local(2,1).spatial(4,8).local(2,1)"));
}
END_TEST

/* What a thread's loads bring, by the layout of bytes alone: where it says byte, take it;
 * of a shared byte the thread's piece. */
static gboolean
image_agrees (const TlLoadRecipe *recipe)
{
  g_autofree guint64 *map = g_new (guint64, (gsize) recipe->threads * tl_layout_locals (&recipe->load));
  guint               locals = tl_layout_locals (&recipe->load);
  guint               per_local = recipe->owners > 1 ? recipe->piece_bits : 8, wrong = 0;

  tl_layout_map (&recipe->load, map);
  for (guint t = 0; t < recipe->threads; t++)
    for (guint p = 0; p < recipe->image_bits; p++)
      {
        guint64 byte = map[t * locals + p / per_local];
        guint   bit = p % per_local + (recipe->owners > 1 ? t % recipe->owners * recipe->piece_bits : 0);

        wrong += tl_load_recipe_place (recipe, t, p) != 8 * byte + bit;
      }
  return wrong == 0 && recipe->image_bits == locals * per_local;
}

/* Every number of bits a thread, all ways; the memory image read back by a View, element by
 * element, is the tile. */
START_TEST (every_width_and_way)
{
  static const guint threads[] = { 1, 3, 8, 32, 48, 64 };
  guint64            state = tl_test_seed ();

  for (guint bits = 1; bits <= 8; bits++)
    for (guint k = 0; k < G_N_ELEMENTS (threads); k++)
      for (guint locals = 1; locals <= 37; locals += threads[k] == 8 ? 1 : 5)
        for (guint w = 0; w < 3; w++)
          {
            g_autofree char *text = g_strdup_printf ("spatial(%u,1).column_local(1,%u)", threads[k], locals);
            g_autofree char *reason = NULL;
            TlLayout         target = oracle_layout (text);
            TlLoadRecipe     recipe;
            guint            b = bits * locals;
            gboolean         made = tl_load_recipe_make (&recipe, bits, &target, (TlLoadWay) w, 0, &reason);
            guint            share = b % 8 == 0 ? 1 : b % 4 == 0 ? 2 : b % 2 == 0 ? 4 : 8;

            ck_assert_int_eq (made, w != TL_LOAD_SHARED_BYTE || threads[k] % share == 0);
            if (!made)
              {
                ck_assert_ptr_nonnull (reason);
                continue;
              }
            guint64            n = tl_layout_elements (&recipe.target);
            g_autofree guint8 *codes = g_new (guint8, n);
            g_autofree guint8 *bytes = g_new (guint8, recipe.bytes);
            g_autofree guint8 *again = g_new (guint8, n);
            for (guint64 i = 0; i < n; i++)
              codes[i] = (guint8) tl_test_random_below (&state, 1u << bits);
            tl_load_recipe_pack (&recipe, codes, bytes);
            tl_load_recipe_unpack (&recipe, bytes, again);
            ck_assert_mem_eq (codes, again, n);
            ck_assert (image_agrees (&recipe));
            ck_assert_uint_eq (recipe.bytes, w == TL_LOAD_PAD ? (guint64) threads[k] * ((b + 7) / 8)
                                                              : (guint64) threads[k] * b * recipe.repeat / 8);
            /* The View of what was loaded is free; shared bytes are taken apart into pieces first. */
            g_autofree char *pieces = g_strdup_printf ("local(%u).spatial(%u)", recipe.pieces, threads[k]);
            TlLayout         loaded = recipe.owners > 1 ? oracle_layout (pieces) : recipe.load;
            TlElementType    unit = { TL_ELEMENT_UINT, (guint8) (recipe.owners > 1 ? recipe.piece_bits : 8), 0, 0 };
            g_auto (TlView) view = { 0 };
            tl_view_judge (&view, (TlViewSide) { unit, &loaded },
                           (TlViewSide) { { TL_ELEMENT_UINT, (guint8) bits, 0, 0 }, &recipe.target }, 0,
                           w == TL_LOAD_PAD);
            ck_assert_msg (view.verdict == TL_VIEW_FREE, "%s", view.message);
          }
}
END_TEST

/* The operand of m16n8k16: four elements a thread. */
static const struct
{
  guint bits, share, r_byte, n, n1, n2, merges, r_word, wide;
} costs[] = {
  { 1, 2, 2, 1, 1, 1, 0, 8, 4 },  { 2, 1, 1, 1, 1, 1, 0, 4, 4 },  { 3, 2, 2, 3, 1, 3, 2, 8, 12 },
  { 4, 1, 1, 2, 2, 1, 0, 2, 4 },  { 5, 2, 2, 5, 1, 5, 3, 8, 20 }, { 6, 1, 1, 3, 1, 3, 2, 4, 12 },
  { 7, 2, 2, 7, 1, 7, 5, 8, 28 }, { 8, 1, 1, 4, 4, 1, 0, 1, 4 },
};

START_TEST (costs_of_the_b_operand)
{
  TlLayout     target = oracle_layout ("local(2,1).column_spatial(4,8).local(2,1)");
  TlLoadRecipe byte, word, shared, odd;

  ck_assert (tl_load_recipe_make (&byte, costs[_i].bits, &target, TL_LOAD_REPEAT, 0, NULL));
  ck_assert_uint_eq (byte.repeat, costs[_i].r_byte);
  ck_assert_uint_eq (byte.image_bits, 8 * costs[_i].n);
  ck_assert_uint_eq (byte.piece_bits, 8 * costs[_i].n1);
  ck_assert_uint_eq (byte.pieces, costs[_i].n2);
  ck_assert_uint_eq (byte.merges, costs[_i].merges);
  ck_assert_uint_eq (byte.shifts, 0);
  ck_assert_uint_eq (tl_load_recipe_aligned (costs[_i].bits, &target), costs[_i].r_word);
  ck_assert (tl_load_recipe_make (&word, costs[_i].bits, &target, TL_LOAD_REPEAT, costs[_i].r_word, NULL));
  ck_assert_uint_eq (word.image_bits, 8 * costs[_i].wide);
  ck_assert_uint_eq (word.piece_bits, 32);
  ck_assert_uint_eq (word.merges, 0);
  ck_assert (tl_load_recipe_make (&shared, costs[_i].bits, &target, TL_LOAD_SHARED_BYTE, 0, NULL));
  ck_assert_uint_eq (shared.owners, costs[_i].share);
  ck_assert_uint_eq (shared.shifts, costs[_i].share > 1 ? shared.pieces : 0);
  if (costs[_i].r_byte > 1)
    ck_assert (!tl_load_recipe_make (&odd, costs[_i].bits, &target, TL_LOAD_REPEAT, 3, NULL));
}
END_TEST

/* Four bits a thread: bytes B4 1E of two times two threads. */
START_TEST (one_bit_worked_out)
{
  static const guint8 bytes[16] = { 0xb4, 0x1e };
  static const guint8 bits[4][4] = { { 0, 0, 1, 0 }, { 1, 1, 0, 1 }, { 0, 1, 1, 1 }, { 1, 0, 0, 0 } };
  TlLayout            target = oracle_layout ("local(2,1).column_spatial(4,8).local(2,1)");
  TlLoadRecipe        recipe;
  guint8              codes[128];

  ck_assert (tl_load_recipe_make (&recipe, 1, &target, TL_LOAD_SHARED_BYTE, 0, NULL));
  ck_assert_uint_eq (recipe.bytes, 16);
  g_autofree char *load = tl_layout_to_text (&recipe.load);
  ck_assert_str_eq (load, "register_layout([16],[16],[0,-2],[])");
  tl_load_recipe_unpack (&recipe, bytes, codes);
  for (guint t = 0; t < 4; t++)
    for (guint l = 0; l < 4; l++)
      ck_assert_uint_eq (codes[tl_layout_index (&target, t, l)], bits[t][l]);
  ck_assert_uint_eq (tl_layout_index (&target, 0, 3), 9 * 8);
  /* Thread 1's bit 5 of three-bit elements is bit 5 of byte 16. */
  ck_assert (tl_load_recipe_make (&recipe, 3, &target, TL_LOAD_SHARED_BYTE, 0, NULL));
  ck_assert_uint_eq (tl_load_recipe_place (&recipe, 1, 5), 133);
  ck_assert_uint_eq (recipe.bytes, 48);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-recipe");
  TCase *tcase = tcase_create ("recipe");

  tcase_add_test (tcase, rows_are_equal);
  tcase_add_test (tcase, every_width_and_way);
  tcase_add_loop_test (tcase, costs_of_the_b_operand, 0, G_N_ELEMENTS (costs));
  tcase_add_test (tcase, one_bit_worked_out);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
