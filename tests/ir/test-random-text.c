/* Random modules: what is printed reads back as the same text, with and without locations, and one byte of damage is
 * either refused with a place or read as another module that again prints as it reads. */
#include "ir/ir.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  TlModule  *module;
  guint64    state;
  GPtrArray *values; /* of TlValue *, that may be used where the next operation stands */
} Maker;

static guint
below (Maker *maker, guint bound)
{
  return (guint) tl_test_random_below (&maker->state, bound);
}

#define PICK(maker, list) list[below (maker, G_N_ELEMENTS (list))]

static TlType
make_type (Maker *maker)
{
  static const char *const types[] = { "i32",
                                       "index",
                                       "f64",
                                       "ui8",
                                       "!tile.descriptor",
                                       "memref<4x?xf32>",
                                       "!tile.placed<memref<8x128xf16>, 128 : i64>",
                                       "!gendram.tile<memref<4x4xi32>, 0 : i64>" };

  if (below (maker, 3) > 0)
    return tl_type (maker->module, PICK (maker, types));
  return tl_type_matrix (maker->module, below (maker, 3) ? 1 + below (maker, 9999) : 0, 1 + below (maker, 9), "i6");
}

static const char *
make_text (Maker *maker)
{
  static const char *const texts[] = { "",         "a",      "plan",         "a \"quoted\" \\ word", "line\nnext\ttab",
                                       "\x01\x7f", "größer", "\xe2\x82\xac", "loc(\"x\":1:1)",       "]}>,",
                                       "%0",       "@sym" };

  return PICK (maker, texts);
}

static double
make_real (Maker *maker)
{
  union
  {
    guint64 bits;
    double  real;
  } any = { .bits = tl_test_random (&maker->state) };
  static const double some[] = { 0, -0.0, 1, 0.1, 1e300, -1e-300, 5e-324, 3.4028234663852886e+38 };

  return below (maker, 2) && any.bits >> 52 % 2048 != 2047 && any.real == any.real && any.real - any.real == 0
             ? any.real
             : PICK (maker, some);
}

static const TlAttr *
make_attr (Maker *maker, guint depth)
{
  static const gint64      numbers[] = { 0, 1, -1, G_MAXINT64, G_MININT64, 4096 };
  static const char *const maps[] = { "(d0, d1) -> (d1, d0)", "(d0, d1, d2) -> (d0 + d1 mod 2)", "() -> ()" };
  static const char *const opaques[] = { "dp.inf", "gendram.owner<(i * 21 + j) mod 32>" };
  const TlAttr            *items[4];
  TlNamedAttr              named[4];
  static const char *const names[] = { "a", "b.c", "we ird", "zeta" };
  guint                    n = below (maker, 5);

  switch (below (maker, depth < 4 ? 11 : 8))
    {
    case 0:
      return tl_attr_unit (maker->module);
    case 1:
      return tl_attr_bool (maker->module, below (maker, 2) == 1);
    case 2:
      return tl_attr_integer (maker->module, PICK (maker, numbers));
    case 3:
      return tl_attr_float (maker->module, make_real (maker));
    case 4:
      return tl_attr_string (maker->module, make_text (maker));
    case 5:
      return tl_attr_map (maker->module, PICK (maker, maps));
    case 6:
      return tl_attr_opaque (maker->module, PICK (maker, opaques));
    case 7:
      return tl_attr_symbol (maker->module, PICK (maker, names));
    case 8:
      return tl_attr_type (maker->module, make_type (maker));
    case 9:
      for (guint i = 0; i < MIN (n, 4); i++)
        items[i] = make_attr (maker, depth + 1);
      return tl_attr_array (maker->module, items, MIN (n, 4));
    default:
      for (guint i = 0; i < MIN (n, 4); i++)
        named[i] = (TlNamedAttr) { names[i], make_attr (maker, depth + 1) };
      return tl_attr_dict (maker->module, named, MIN (n, 4));
    }
}

static const TlLocation *
make_location (Maker *maker, guint depth)
{
  const TlLocation *parts[3];

  switch (below (maker, depth < 3 ? 4 : 2))
    {
    case 0:
      return tl_location_unknown (maker->module);
    case 1:
      return tl_location_file (maker->module, "dir/a b.gdsl", 1 + below (maker, 999), 1 + below (maker, 120));
    case 2:
      return tl_location_name (maker->module, "left", below (maker, 2) ? make_location (maker, depth + 1) : NULL);
    default:
      for (guint i = 0; i < 3; i++)
        parts[i] = make_location (maker, depth + 1);
      return tl_location_fused (maker->module, parts, 3);
    }
}

static void make_block (Maker *maker, TlBlock *block, guint depth);

static void
make_op (Maker *maker, TlBlock *block, guint depth)
{
  static const char *const names[] = { "tile.load", "dp.data", "x.y", "a_b.c-d" };
  static const char *const keys[] = { "alpha", "sym_name", "unit", "we ird", "z.z" };
  TlOp                    *op = tl_op_new (maker->module, names[below (maker, 3)], make_location (maker, 0));
  guint                    before = maker->values->len;

  for (guint i = below (maker, 4); i > 0 && maker->values->len > 0; i--)
    tl_op_add_operand (op, maker->values->pdata[below (maker, maker->values->len)]);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (below (maker, 3) == 0)
      tl_op_set (op, keys[i], make_attr (maker, 0));
  for (guint i = depth < 4 && below (maker, 4) == 0 ? 1 + below (maker, 2) : 0; i > 0; i--)
    {
      make_block (maker, tl_op_add_region (op), depth + 1);
      g_ptr_array_set_size (maker->values, (gint) before);
    }
  for (guint i = below (maker, 3); i > 0; i--)
    g_ptr_array_add (maker->values, tl_op_add_result (op, make_type (maker)));
  tl_block_append (block, op);
}

static void
make_block (Maker *maker, TlBlock *block, guint depth)
{
  for (guint i = below (maker, 3); depth > 0 && i > 0; i--)
    g_ptr_array_add (maker->values, tl_block_add_argument (block, make_type (maker)));
  for (guint i = below (maker, 6); i > 0; i--)
    make_op (maker, block, depth);
}

static TlModule *
make_module (guint64 seed)
{
  Maker maker = { .module = tl_module_new (), .state = seed, .values = g_ptr_array_new () };

  if (below (&maker, 2))
    tl_op_set (tl_module_op (maker.module), "dp.group", tl_attr_integer (maker.module, below (&maker, 5)));
  tl_op_set (tl_module_op (maker.module), "tile.knobs", make_attr (&maker, 0));
  make_block (&maker, tl_module_body (maker.module), 0);
  for (guint i = below (&maker, 8); i > 0; i--)
    make_op (&maker, tl_module_body (maker.module), 0);
  g_ptr_array_unref (maker.values);
  return maker.module;
}

static TlModule *
parse (const char *text, gssize length, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("random.mlir", text, length);

  return tl_module_parse (source, diags);
}

static void
reads_back (const TlModule *module, TlPrintFlags flags, guint64 seed)
{
  g_autofree char *text = tl_module_print (module, flags);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) back = parse (text, -1, diags);

  if (back == NULL)
    g_printerr ("%u:%u: %s\n%s\n", tl_diags_get (diags, 0)->from.line, tl_diags_get (diags, 0)->from.column,
                tl_diags_get (diags, 0)->message, text);
  ck_assert_msg (back != NULL, "seed %" G_GUINT64_FORMAT " does not read back", seed);
  g_autofree char *again = tl_module_print (back, flags);
  if (strcmp (again, text) != 0)
    g_printerr ("%s\n%s\n", text, again);
  ck_assert_msg (strcmp (again, text) == 0, "seed %" G_GUINT64_FORMAT " reads back as another", seed);
}

START_TEST (modules_read_back)
{
  guint64 seed = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (1500); round++)
    {
      g_autoptr (TlModule) module = make_module (seed + round);

      reads_back (module, TL_PRINT_DEFAULT, seed + round);
      reads_back (module, TL_PRINT_NO_LOC, seed + round);
    }
}
END_TEST

START_TEST (damage_is_survived)
{
  guint64 seed = tl_test_seed (), state = seed;
  guint   refused = 0, rounds = tl_test_rounds (3000);

  for (guint round = 0; round < rounds; round++)
    {
      g_autoptr (TlModule) module = make_module (seed + round);
      g_autofree char *text = tl_module_print (module, TL_PRINT_DEFAULT);
      gsize            length = strlen (text), at = (gsize) tl_test_random_below (&state, length);
      g_autoptr (TlDiags) diags = tl_diags_new ();

      if (tl_test_random_below (&state, 3) == 0)
        text[length = at] = '\0';
      else
        text[at] = "()<>{}[]\"%^#@!:,=-01a \n"[tl_test_random_below (&state, 24)];
      g_autoptr (TlModule) other = parse (text, (gssize) length, diags);
      if (other != NULL)
        reads_back (other, TL_PRINT_DEFAULT, seed + round);
      else
        {
          ck_assert_uint_eq (tl_diags_errors (diags), 1);
          ck_assert_uint_gt (tl_diags_get (diags, 0)->from.line, 0);
          refused++;
        }
      if (other != NULL)
        tl_module_verify (other, diags);
    }
  ck_assert_uint_gt (refused, rounds / 8);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-random-text");
  TCase *tcase = tcase_create ("random");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, modules_read_back);
  tcase_add_test (tcase, damage_is_survived);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
