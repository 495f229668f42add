/* The layout lens: what it counts after any edit is what an independent count of the accesses gives; what it calls one to
 * one is; the lesson by one drag. */
#include "base/gf2.h"
#include "dsl/ast.h"
#include "place/evaluate.h"
#include "scene/layout-lens.h"
#include "scene/paint.h"
#include "sheet.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const TlLayoutMoment plain = { .row = -1, .bit = -1 };

static TlScene *
draw (const TlLayoutLens *lens, const TlLayoutMoment *moment, TlThemeKind theme)
{
  TlScene *scene = tl_scene_new (1000, 560, theme);

  tl_view_layout (scene, tl_box (12, 12, 976, 536), lens, moment);
  return scene;
}

START_TEST (the_lesson_by_one_drag)
{
  g_autoptr (TlLayoutLens) lens = tl_layout_lens_lesson ();

  ck_assert_str_eq (lens->letters->str, "MCCCCCCC");
  ck_assert (lens->hits == 0 && lens->conflicts == 7 && lens->misses == 1 && lens->legal);
  /* The one of row c2 is dragged to c1. */
  tl_layout_lens_swap_bits (lens, 2, 1);
  ck_assert_str_eq (lens->letters->str, "MHHHCHHH");
  ck_assert (lens->hits == 6 && lens->conflicts == 1 && lens->misses == 1 && lens->legal);
  g_autofree char *line = tl_layout_lens_line (lens);
  ck_assert_str_eq (line, "gf2 [domain: | row: 2 | column: 1 4]");
  g_autoptr (TlScene) scene = draw (lens, &plain, TL_THEME_LIGHT);
  static const struct
  {
    const char *id, *says;
  } bars[] = { { "difference-4", "4 times: inside" },
               { "difference-5", "2 times: inside" },
               { "difference-7", "1 times: outside" } };
  for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
    {
      const TlGroup *group = tl_scene_find (scene, bars[i].id, NULL);
      ck_assert_ptr_nonnull (group);
      ck_assert_msg (strstr (group->title, bars[i].says) != NULL, "%s", group->title);
    }
  tl_layout_lens_swap_bits (lens, 2, 1);
  ck_assert_str_eq (lens->letters->str, "MCCCCCCC");
}
END_TEST

static TlSequence *
random_sequence (guint64 *state, guint bits)
{
  guint               n = 1 + (guint) tl_test_random_below (state, 300);
  g_autofree guint16 *units = g_new (guint16, n);

  for (guint i = 0; i < n; i++)
    units[i] = (guint16) tl_test_random_below (state, 1u << bits);
  return tl_sequence_new (bits, units, n);
}

static void
check (const TlLayoutLens *lens)
{
  TlPlacementCounts counts;
  gboolean          one_to_one = tl_placement_evaluate (&lens->placement, lens->sequence, &counts);
  guint64           h = 0, m = 0, c = 0, weight = 0;
  guint             ones = 0;

  ck_assert_uint_eq (lens->hits, counts.hit);
  ck_assert_uint_eq (lens->misses, counts.miss);
  ck_assert_uint_eq (lens->conflicts, counts.conflict);
  ck_assert_int_eq (lens->legal, one_to_one);
  ck_assert_int_eq (lens->reason != NULL, !lens->legal);
  for (const char *letter = lens->letters->str; *letter != '\0'; letter++)
    {
      h += *letter == 'H';
      m += *letter == 'M';
      c += *letter == 'C';
    }
  ck_assert (h == counts.hit && m == counts.miss && c == counts.conflict);
  for (guint i = 0; i < lens->bars->len; i++)
    weight += g_array_index (lens->bars, TlLayoutBar, i).weight;
  ck_assert_uint_eq (weight, lens->hits + lens->conflicts);
  for (guint i = 0; i < lens->placement.bits; i++)
    ones += (guint) __builtin_popcount (lens->placement.rows[i]);
  ck_assert_uint_eq (lens->placement.nonzeros, ones);
  if (!lens->legal)
    {
      /* The two units that it names do share a place. */
      unsigned unit = 0, rank, of;
      ck_assert_int_eq (sscanf (lens->reason, "Rank %u of %u", &rank, &of), 2);
      ck_assert (rank == lens->rank && rank < of && of == lens->placement.bits);
      const char *named = strstr (lens->reason, "units 0 and ");
      ck_assert (named != NULL && sscanf (named, "units 0 and %u", &unit) == 1 && unit != 0);
      for (guint i = 0; i < lens->placement.bits; i++)
        ck_assert_int_eq (tl_gf2_parity (lens->placement.rows[i] & unit), 0);
    }
}

/* Thousands of random edits, each counted anew by the evaluator, which knows no histogram. */
START_TEST (edits_are_counted_exactly)
{
  static const guint room[] = { 64, 64, 64 };
  guint64            state = tl_test_seed ();
  guint              edits = 0, illegal = 0;

  for (guint round = 0; round < tl_test_rounds (200); round++)
    {
      guint bits = 1 + (guint) tl_test_random_below (&state, 8);
      g_autoptr (TlSequence) sequence = random_sequence (&state, bits);
      TlPlacement placement;

      tl_placement_identity (bits, (guint) tl_test_random_below (&state, bits + 1),
                             (guint) tl_test_random_below (&state, bits + 1), &placement);
      g_autoptr (TlLayoutLens) lens = tl_layout_lens_new ("random", sequence, room, &placement);
      check (lens);
      for (guint e = 0; e < 40; e++, edits++)
        {
          guint a = (guint) tl_test_random_below (&state, bits), b = (guint) tl_test_random_below (&state, bits);

          switch (tl_test_random_below (&state, 3))
            {
            case 0:
              tl_layout_lens_toggle (lens, a, b);
              break;
            case 1:
              tl_layout_lens_swap_rows (lens, a, b);
              break;
            default:
              tl_layout_lens_swap_bits (lens, a, b);
            }
          check (lens);
          illegal += !lens->legal;
        }
    }
  printf ("%u edits, %u of them not one to one\n", edits, illegal);
  ck_assert_uint_gt (illegal, edits / 10);
}
END_TEST

START_TEST (what_has_no_place_is_named)
{
  static const guint   room[] = { 1, 2, 2 };
  static const guint16 order[] = { 0, 1, 2, 3 };
  g_autoptr (TlSequence) sequence = tl_sequence_new (5, order, G_N_ELEMENTS (order));
  const TlPlacement wide = { 5, 2, 1, 2, { 1, 2, 4, 8, 16 }, 5 }, empty = { 5, 1, 2, 2, { 1, 2, 4, 0, 16 }, 4 };
  g_autoptr (TlLayoutLens) lens = tl_layout_lens_new ("small", sequence, room, &wide);

  ck_assert (!lens->legal);
  ck_assert_str_eq (lens->reason, "2 domain bits are more than the machine's 1: domain bit 1 has no place.");
  tl_layout_lens_set (lens, &empty);
  ck_assert_str_eq (lens->reason, "Rank 4 of 5: column 0 depends on no bit, so units 0 and 8 would share a place.");
  tl_layout_lens_toggle (lens, 3, 4);
  ck_assert_str_eq (lens->reason,
                    "Rank 4 of 5: column 0 and column 1 are the same, so units 0 and 8 would share a place.");
  g_autoptr (TlScene) scene = draw (lens, &plain, TL_THEME_PRINT);
  g_autofree char *dump = tl_scene_dump (scene);
  ck_assert_ptr_nonnull (strstr (dump, "Rank 4 of 5"));
  tl_layout_lens_toggle (lens, 3, 4);
  tl_layout_lens_toggle (lens, 3, 3);
  ck_assert (lens->legal && lens->reason == NULL);
}
END_TEST

/* Every cell, row and column has its hit; the same bytes twice; text inside and not too small, up to 16 bits. */
START_TEST (pictures_hold_everything)
{
  static const guint       sizes[] = { 1, 3, 8, 12, 16 };
  static const TlThemeKind themes[] = { TL_THEME_LIGHT, TL_THEME_DARK, TL_THEME_PRINT };
  guint64                  state = tl_test_seed ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
      {
        static const guint room[] = { 7, 13, 3 };
        guint              bits = sizes[i];
        g_autoptr (TlSequence) sequence = random_sequence (&state, bits);
        TlPlacement placement;
        tl_placement_identity (bits, 3, 4, &placement);
        g_autoptr (TlLayoutLens) lens = tl_layout_lens_new ("W", sequence, room, &placement);
        tl_layout_lens_add (lens, "identity", &placement);
        tl_layout_lens_add (lens, "again", &placement);
        ck_assert_uint_eq (lens->candidates->len, 1);
        TlLayoutMoment moment = { .row = 0, .bit = 0, .from = "bit-0", .over = "bit-1", .state = "while you drag" };
        g_autoptr (TlScene) scene = draw (lens, &moment, themes[t]);
        g_autoptr (TlScene) again = draw (lens, &moment, themes[t]);
        g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, NULL);
        g_autoptr (GBytes) same = tl_paint_svg (again, NULL, NULL);
        ck_assert (g_bytes_equal (svg, same));
        for (guint row = 0; row < bits; row++)
          for (guint bit = 0; bit < bits; bit++)
            {
              g_autofree char *id = g_strdup_printf ("cell-%u-%u", row, bit);
              TlBox            box;
              const TlGroup   *group = tl_scene_find (scene, id, &box);
              ck_assert_ptr_nonnull (group);
              ck_assert_ptr_eq (tl_scene_pick (scene, box.x + box.width / 2, box.y + box.height / 2), group);
            }
        ck_assert_ptr_nonnull (tl_scene_find (scene, "candidate-0", NULL));
        all_text_is_readable (scene, "the layout lens");
      }
}
END_TEST

/* What it would write is a place line that the language reads. */
START_TEST (the_line_is_read)
{
  g_autoptr (TlLayoutLens) lens = tl_layout_lens_lesson ();
  g_autofree char *line = tl_layout_lens_line (lens);
  g_autofree char *text = g_strdup_printf ("algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                                           "data A: f16[64, 128]\ndata W: i6[128, 256]\n"
                                           "config target = cu-t8b16\nplace W = layout %s\n",
                                           line);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("a.gdsl", text, -1);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  tl_check (ast, diags);

  ck_assert_uint_eq (tl_diags_errors (diags), 0);
  ck_assert_ptr_nonnull (tl_ast_place (ast, "W"));
}
END_TEST

/* A wrong letter must be noticed. */
START_TEST (another_row_is_another_lesson)
{
  g_autoptr (TlLayoutLens) lens = tl_layout_lens_lesson ();

  tl_layout_lens_swap_bits (lens, 2, 0);
  ck_assert_str_ne (lens->letters->str, "MHHHCHHH");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-layout");
  TCase *cases = tcase_create ("lens");

  tcase_add_test (cases, the_lesson_by_one_drag);
  tcase_add_test (cases, edits_are_counted_exactly);
  tcase_add_test (cases, what_has_no_place_is_named);
  tcase_add_test (cases, pictures_hold_everything);
  tcase_add_test (cases, the_line_is_read);
  tcase_add_test (cases, another_row_is_another_lesson);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
