/* Linear layouts against the table of outside facts; each row is restated as an
 * operation here, its result taken from the table. */
#include "layout/linear.h"
#include "layout/shared.h"
#include "oracle.h"

#include <string.h>

static char *
bare (const TlLinear *linear)
{
  g_autofree char *text = tl_linear_to_text (linear);

  return g_strdup (strchr (text, '['));
}

static TlLinear
parse (const char *text, const guint *widths)
{
  TlLinear         linear;
  g_autofree char *reason = NULL;

  if (!tl_linear_parse (&linear, text, widths, &reason))
    ck_abort_msg ("%s: %s", text, reason);
  return linear;
}

static char *
apply (const char *text, guint64 x, guint64 y)
{
  TlLinear linear = parse (text, NULL);
  guint64  inputs[2] = { x, y };
  guint64  packed = tl_linear_apply (&linear, inputs);
  GString *result = g_string_new (NULL);

  for (guint o = 0; o < linear.n_out; o++)
    g_string_append_printf (result, "%s%" G_GUINT64_FORMAT, o > 0 ? "." : "", tl_linear_field (&linear, packed, o));
  return g_string_free (result, FALSE);
}

static char *
solve (const char *a_text, const char *b_text)
{
  TlLinear a = parse (a_text, NULL), b = parse (b_text, NULL), c;

  ck_assert (tl_linear_invert_and_compose (&c, &a, &b, NULL));
  g_autofree char *text = bare (&c);
  return a.in[0].n_bits == b.in[0].n_bits ? g_steal_pointer (&text)
                                          : g_strdup_printf ("%s in a %u-wide out dim", text, 1u << c.out[0].n_bits);
}

static char *
phases (guint columns)
{
  TlSwizzlePhases p = tl_swizzle_phases (columns, 16);

  return g_strdup_printf ("vec %u perPhase %u maxPhase %u", p.vec, p.per_phase, p.max_phase);
}

/* What we get for a case of the table. (transfer full) */
static char *
ours (const char *name)
{
  static const char *const two = "in1:[4.2 2.1 1.0] in2:[1.2 2.1]";
  static const char *const tw = "t:[1.1 2.2] w:[0.1 0.2]";
  TlLinear                 a, b, c;
  guint64                  masks[TL_LINEAR_MAX_DIMS];

  switch (atoi (name + 1))
    {
    case 1:
      return apply (two, 1, 0);
    case 2:
      return apply (two, 0, 1);
    case 3:
      return apply (two, 0, 0);
    case 4:
      return apply (tw, 3, 3);
    case 5:
      return apply (tw, 2, 1);
    case 6:
      return apply ("x:[4 8 1 2]", 6, 0);
    case 7:
      return apply ("x:[4 8 1 2]", 15, 0);
    case 8:
      return apply ("[1 2 14 12]", 6, 0);
    case 9:
      {
        a = parse ("in1:[1.1 0.1] in2:[1.0 1.2]", (guint[]) { 2, 2 });
        b = parse ("out1:[2.2 1.0] out2:[1.1 2.1]", NULL);
        ck_assert (tl_linear_compose (&c, &a, &b, NULL));
        g_autofree char *text = tl_linear_to_text (&c);
        return g_strdup_printf ("%s; %ssurjective", text, tl_linear_surjective (&c) ? "" : "not ");
      }
    case 10:
      tl_linear_identity (&a, 4, "in", "out");
      tl_linear_identity (&b, 5, "in", "out");
      ck_assert (tl_linear_product (&c, &a, &b, NULL));
      return bare (&c);
    case 11:
      tl_linear_identity (&a, 3, "in", "out");
      tl_linear_zeros (&b, 4, "in", "out");
      ck_assert (tl_linear_product (&c, &a, &b, NULL));
      return bare (&c);
    case 12:
      tl_linear_identity (&a, 2, "in", "out1");
      tl_linear_identity (&b, 3, "in", "out2");
      ck_assert (tl_linear_product (&c, &a, &b, NULL));
      return tl_linear_to_text (&c);
    case 13:
      a = parse ("in1:[1 4 8] in2:[2]", NULL);
      ck_assert (tl_linear_reshape_ins (&c, &a, (const char *const[]) { "in3", "in4" }, (guint[]) { 1, 3 }, 2, NULL));
      return tl_linear_to_text (&c);
    case 14:
      a = parse ("in1:[1.0 4.1 8.4] in2:[3.2]", (guint[]) { 4, 3 });
      ck_assert (tl_linear_reshape_outs (&c, &a, (const char *const[]) { "out" }, (guint[]) { 7 }, 1, NULL));
      return tl_linear_to_text (&c);
    case 15:
      a = parse ("in1:[1 4 8] in2:[3]", NULL);
      ck_assert (
          tl_linear_reshape_outs (&c, &a, (const char *const[]) { "out2", "out3" }, (guint[]) { 1, 3 }, 2, NULL));
      return tl_linear_to_text (&c);
    case 16:
      return solve ("[2 1 4]", "[4 1 2]");
    case 17:
      return solve ("[2 1 4]", "[0 2 1 4]");
    case 18:
      return solve ("[1 2 4]", "[0 4 1 2]");
    case 19:
      return solve ("[1 2 4]", "[4 1 2 0]");
    case 20:
      return solve ("[1 2 4]", "[0 4 1 2 0]");
    case 21:
    case 22:
    case 23:
      {
        static const char *const texts[] = { "[1 2 4 9]", "[1 2 4 10]", "[1 4 2]" };
        a = parse (texts[atoi (name + 1) - 21], NULL);
        return g_strdup_printf ("%" G_GUINT64_FORMAT, tl_linear_consecutive (&a));
      }
    case 24:
      tl_linear_identity (&a, 3, "in", "out");
      tl_linear_identity (&b, 2, "in", "out");
      ck_assert (tl_linear_divide_left (&c, &a, &b, NULL));
      tl_linear_identity (&a, 1, "in", "out");
      return g_strdup (memcmp (&a, &c, sizeof a) == 0 ? "identity(2)" : "another");
    case 25:
      a = parse ("in1:[1.1 2.2 0.8 0.4] in2:[0.2 0.1]", NULL);
      b = parse ("in1:[1.1 2.2] in2:[0.2 0.1]", NULL);
      ck_assert (tl_linear_divide_left (&c, &a, &b, NULL));
      return tl_linear_to_text (&c);
    case 26:
      tl_linear_identity (&a, 1, "in", "out");
      tl_linear_zeros (&b, 2, "in", "out");
      ck_assert (tl_linear_product (&c, &a, &b, NULL));
      tl_linear_identity (&b, 2, "in", "out");
      ck_assert (tl_linear_product (&c, &c, &b, NULL));
      tl_linear_zeros (&b, 1, "in", "out");
      ck_assert (tl_linear_product (&c, &c, &b, NULL));
      tl_linear_free_bits (&c, masks);
      ck_assert_uint_eq (masks[0], 38);
      return g_strdup ("0b100110");
    case 27:
      a = parse ("in1:[1.1 2.2 0.0] in2:[1.0 0.1 2.0]", NULL);
      tl_linear_free_bits (&a, masks);
      return g_strdup (masks[0] == 4 && masks[1] == 2 ? "in1=0b100 in2=0b10" : "other masks");
    case 28:
      {
        GString *registers = g_string_new (NULL);

        a = parse ("[1 2 4]", NULL);
        ck_assert (tl_linear_reorder (&c, &a, 0, (guint[]) { 2, 0, 1 }, NULL));
        for (guint64 i = 0; i < 8; i++)
          oracle_append (registers, (gint64) tl_linear_apply (&c, &i) + 1);
        g_autofree char *bases = bare (&c);
        g_autofree char *values = g_string_free (registers, FALSE);
        return g_strdup_printf ("%s; on 8 registers: %s", bases, values);
      }
    case 29:
      return phases (64);
    case 30:
      return phases (32);
    default:
      return phases (16);
    }
}

/* The table writes bases of one input with or without its name. */
static gboolean
agrees (const char *a, const char *b)
{
  return g_str_equal (a, b) || (g_str_has_prefix (b, "in:") && g_str_equal (a, b + 3));
}

START_TEST (rows_are_equal)
{
  g_autoptr (GPtrArray) table = oracle_table ("linear-layout-facts.csv");
  guint wrong = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    {
      g_autofree char *text = ours (tl_test_cell (table, row, "case"));

      if (agrees (text, tl_test_cell (table, row, "result")))
        continue;
      g_print ("%s: %s, not %s\n", tl_test_cell (table, row, "case"), text, tl_test_cell (table, row, "result"));
      wrong++;
    }
  ck_assert_uint_eq (table->len, 32);
  ck_assert_uint_eq (wrong, 0);
  g_autofree char *other = ours ("L002");
  ck_assert (!agrees (other, tl_test_cell (table, 1, "result")));
}
END_TEST

START_TEST (inverses_invert)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 500; round++)
    {
      TlLinear         linear, inverse, both;
      g_autofree char *reason = NULL;

      tl_linear_identity (&linear, 6, "in", "out");
      for (guint k = 0; k < 6; k++)
        linear.in[0].bases[k] = tl_test_random_below (&state, 64);
      if (!tl_linear_invert (&inverse, &linear, &reason))
        {
          ck_assert (!tl_linear_surjective (&linear) && reason != NULL);
          continue;
        }
      ck_assert (tl_linear_compose (&both, &linear, &inverse, NULL));
      for (guint64 x = 0; x < 64; x++)
        ck_assert_uint_eq (tl_linear_apply (&both, &x), x);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-linear");
  TCase *tcase = tcase_create ("linear");

  tcase_add_test (tcase, rows_are_equal);
  tcase_add_test (tcase, inverses_invert);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
