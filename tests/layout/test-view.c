/* The verdict on Views: the dense packing for all widths, and what is refused. */
#include "layout/view.h"
#include "oracle.h"

#include <string.h>

static TlElementType
unsigned_of (guint bits)
{
  return (TlElementType) { TL_ELEMENT_UINT, (guint8) bits, 0, 0 };
}

/* For all widths and numbers of locals: the View is free under layouts that have nothing to
 * do with each other, and no bit of the string moves; every other placing moves some. */
START_TEST (all_widths)
{
  guint cases = 0, word = 0, other = 0;

  for (guint b = 1; b <= 8; b++)
    for (guint c = 1; c <= 8; c++)
      for (guint locals = 1; locals <= 64; locals++)
        {
          if (b == c || locals * b % c != 0)
            continue;
          g_autofree char *from_text = g_strdup_printf ("spatial(4,8).local(%u)", locals);
          g_autofree char *to_text = g_strdup_printf ("column_local(1,%u).column_spatial(8,4)", locals * b / c);
          TlLayout         from = oracle_layout (from_text), to = oracle_layout (to_text);
          g_auto (TlView) view = { 0 };
          guint64 moved = 0;

          cases++;
          tl_view_judge (&view, (TlViewSide) { unsigned_of (b), &from }, (TlViewSide) { unsigned_of (c), &to }, 0,
                         FALSE);
          ck_assert_msg (view.verdict == TL_VIEW_FREE && view.condition == 0 && view.bits == locals * b, "%s",
                         view.message);
          ck_assert (tl_view_keeps_place (TL_PACKING_DENSE, b, locals, c, NULL));
          word += tl_view_keeps_place (TL_PACKING_WHOLE_IN_WORD, b, locals, c, NULL);
          other += tl_view_keeps_place (TL_PACKING_BYTE_EACH, b, locals, c, &moved);
          other += tl_view_keeps_place (TL_PACKING_WORD_EACH, b, locals, c, &moved);
          ck_assert_uint_le (moved, MIN (b, c));
        }
  ck_assert_uint_eq (cases, 1518);
  ck_assert_uint_eq (word, 769);
  ck_assert_uint_eq (other, 0);
}
END_TEST

static const struct
{
  const char   *from_type, *from, *to_type, *to;
  TlViewVerdict verdict;
  guint         condition;
} cases[] = {
  { "u8", "local(3).spatial(32).local(1)", "i6", "local(2,1).column_spatial(4,8).local(2,1)", TL_VIEW_FREE, 0 },
  { "u8", "spatial(4)", "u8", "spatial(8)", TL_VIEW_NOT_FREE, 1 },
  { "u8", "local(3).spatial(4)", "u6", "local(5).spatial(4)", TL_VIEW_NOT_FREE, 2 },
  { "u8", "local(3).spatial(4)", "u6", "local(3).spatial(4)", TL_VIEW_NOT_FREE, 2 },
  /* Two bytes of two threads called one. */
  { "u8", "spatial(2)", "u8", "replicated(1,num_workers=2)", TL_VIEW_ILL_DEFINED, 3 },
  { "u8", "replicated(1,num_workers=2)", "u8", "spatial(2)", TL_VIEW_FREE, 0 },
  { "u8", "reduce(spatial(3,4),[0])", "u4", "reduce(spatial(3,4).local(1,2),[0])", TL_VIEW_FREE, 0 },
  { "u8", "reduce(spatial(3,4),[1])", "u8", "reduce(spatial(3,4),[0])", TL_VIEW_ILL_DEFINED, 3 },
  /* Copies in six threads stay copies in pairs of them. */
  { "u8", "reduce(spatial(6,4),[0])", "u8", "spatial(2,1).reduce(spatial(3,4),[0],keepdims=True)", TL_VIEW_FREE, 0 },
  { "u8", "spatial(2,1).reduce(spatial(3,4),[0],keepdims=True)", "u8", "reduce(spatial(6,4),[0])", TL_VIEW_ILL_DEFINED,
    3 },
};

START_TEST (verdicts)
{
  TlLayout      from = oracle_layout (cases[_i].from), to = oracle_layout (cases[_i].to);
  TlElementType from_type, to_type;
  g_auto (TlView) view = { 0 };

  ck_assert (tl_element_type_parse (cases[_i].from_type, &from_type)
             && tl_element_type_parse (cases[_i].to_type, &to_type));
  tl_view_judge (&view, (TlViewSide) { from_type, &from }, (TlViewSide) { to_type, &to }, 0, FALSE);
  ck_assert_msg (view.verdict == cases[_i].verdict && view.condition == cases[_i].condition, "%s to %s: %s, C%u: %s",
                 cases[_i].from, cases[_i].to, tl_view_verdict_name (view.verdict), view.condition, view.message);
  ck_assert_uint_gt (strlen (view.message), 10);
  if (view.condition == 3)
    {
      ck_assert_uint_eq (tl_layout_index (&to, view.first, 0), tl_layout_index (&to, view.second, 0));
      ck_assert_uint_ne (tl_layout_index (&from, view.first, 0), tl_layout_index (&from, view.second, 0));
    }
}
END_TEST

/* C3 against its meaning: random contents of X, and whether copies of Y agree. */
START_TEST (ill_defined_by_brute_force)
{
  static const char *const sides[] = { "spatial(2,3,2)",
                                       "reduce(spatial(2,3,2),[0])",
                                       "reduce(spatial(2,3,2),[1])",
                                       "reduce(spatial(2,3,2),[2])",
                                       "reduce(spatial(2,3,2),[0,1])",
                                       "reduce(spatial(2,3,2),[0,2])",
                                       "reduce(spatial(2,3,2,ranks=[2,1,0]),[0])",
                                       "reduce(spatial(2,3,2,ranks=[1,2,0]),[1])",
                                       "replicated(1,num_workers=12)",
                                       "reduce(spatial(4,3),[0])" };
  guint64                  state = tl_test_seed ();
  guint                    ill = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sides); j++)
      {
        TlLayout from = oracle_layout (sides[i]), to = oracle_layout (sides[j]);
        g_auto (TlView) view = { 0 };
        guint8   values[64], seen[64];
        gboolean agree = TRUE;

        for (guint k = 0; k < G_N_ELEMENTS (values); k++)
          values[k] = (guint8) (k * 4 + tl_test_random_below (&state, 4));
        memset (seen, 255, sizeof seen);
        for (guint t = 0; t < 12; t++)
          {
            guint8  bits = values[tl_layout_index (&from, t, 0)];
            guint64 x = tl_layout_index (&to, t, 0);

            agree &= seen[x] == 255 || seen[x] == bits;
            seen[x] = bits;
          }
        tl_view_judge (&view, (TlViewSide) { unsigned_of (8), &from }, (TlViewSide) { unsigned_of (8), &to }, 0, FALSE);
        ck_assert_msg ((view.verdict == TL_VIEW_FREE) == agree, "%s to %s", sides[i], sides[j]);
        ill += !agree;
      }
  ck_assert_uint_gt (ill, 10);
}
END_TEST

START_TEST (parts)
{
  TlLayout   from = oracle_layout ("spatial(32).local(8)"), to = oracle_layout ("spatial(32).local(4)");
  TlViewSide x = { unsigned_of (8), &from }, y = { unsigned_of (6), &to };
  g_auto (TlView) part = { 0 }, all = { 0 }, shifted = { 0 }, word = { 0 }, beyond = { 0 };

  tl_view_judge (&all, x, y, 0, FALSE);
  ck_assert (all.verdict == TL_VIEW_NOT_FREE && all.condition == 2);
  tl_view_judge (&part, x, y, 0, TRUE);
  ck_assert_int_eq (part.verdict, TL_VIEW_FREE);
  tl_view_judge (&shifted, x, y, 8, TRUE);
  ck_assert (shifted.verdict == TL_VIEW_NOT_FREE && shifted.condition == 0);
  tl_view_judge (&word, x, y, 32, TRUE);
  ck_assert_int_eq (word.verdict, TL_VIEW_FREE);
  tl_view_judge (&beyond, x, y, 64, TRUE);
  ck_assert (beyond.verdict == TL_VIEW_NOT_FREE && beyond.condition == 2);
}
END_TEST

static gboolean
unpack_row_agrees (const GPtrArray *table, guint row, guint bits)
{
  const char *hex = tl_test_cell (table, row, "bytes_hex");
  guint64     at = g_ascii_strtoull (tl_test_cell (table, row, "start_bit"), NULL, 10);
  guint64     count = g_ascii_strtoull (tl_test_cell (table, row, "count"), NULL, 10);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) again = g_byte_array_new ();
  g_autoptr (GString) values = g_string_new (NULL);

  for (; *hex != '\0'; hex += 2)
    {
      guint8 byte = (guint8) (g_ascii_xdigit_value (hex[0]) * 16 + g_ascii_xdigit_value (hex[1])), other = 0xa5;
      g_byte_array_append (bytes, &byte, 1);
      g_byte_array_append (again, &other, 1);
    }
  for (guint64 i = 0; i < count; i++)
    {
      guint64 code = tl_bits_get (bytes->data, at + i * bits, bits);

      tl_bits_put (again->data, at + i * bits, bits, code);
      ck_assert_uint_eq (tl_bits_get (again->data, at + i * bits, bits), code);
      oracle_append (values, (gint64) code);
    }
  /* What lies before and after is as it was. */
  for (guint64 a = 0; a < 8 * bytes->len; a++)
    ck_assert_uint_eq (again->data[a / 8] >> a % 8 & 1,
                       (a < at || a >= at + count * bits ? 0xa5 : bytes->data[a / 8]) >> a % 8 & 1);
  return g_str_equal (values->str, tl_test_cell (table, row, "values_unsigned"));
}

START_TEST (rows_unpack)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-subbyte-unpack.csv");

  if (table == NULL)
    return;
  ck_assert_uint_eq (table->len, 22);
  for (guint row = 1; row < table->len; row++)
    ck_assert (unpack_row_agrees (table, row, (guint) g_ascii_strtoull (tl_test_cell (table, row, "nbits"), NULL, 10)));
  ck_assert (!unpack_row_agrees (table, 7, 2));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-view");
  TCase *tcase = tcase_create ("view");

  tcase_add_test (tcase, all_widths);
  tcase_add_loop_test (tcase, verdicts, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tcase, ill_defined_by_brute_force);
  tcase_add_test (tcase, parts);
  tcase_add_test (tcase, rows_unpack);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
