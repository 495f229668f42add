/* What is refused before it runs, and why; layouts for dots; listings. */
#include "tile/atoms.h"
#include "workshop.h"

#include <string.h>

#define A "column_local(2,2).spatial(8,4).local(1,2)"
#define B "local(2,1).column_spatial(4,8).local(2,1)"
#define C "local(2,1).spatial(8,4).local(1,2)"

/* Two registers and an instruction between them. */
static const struct
{
  TlTileInstruction at;
  guint             threads;
  const char       *from_type, *from, *to_type, *to, *says;
} two[] = {
  { { .op = TL_TILE_VIEW }, 32, "u8", "local(3).spatial(32)", "u4", B, "not free" },
  { { .op = TL_TILE_VIEW }, 2, "u8", "spatial(2)", "u8", "replicated(1,num_workers=2)", "ill-defined" },
  { { .op = TL_TILE_VIEW, .amount = 1 }, 4, "u8", "spatial(4).local(8)", "u8", "spatial(4).local(4)", "shifted" },
  { { .op = TL_TILE_VIEW, .amount = -1 }, 4, "u8", "spatial(4)", "u8", "spatial(4)", "no local" },
  { { .op = TL_TILE_CAST }, 4, "u8", "spatial(4)", "u8", "spatial(8)", "8 threads" },
  { { .op = TL_TILE_CAST }, 4, "i64", "spatial(4)", "u8", "spatial(4)", "64 bits" },
  { { .op = TL_TILE_CAST }, 4, "u8", "spatial(4).local(2)", "u8", "local(2).spatial(4)", "does not hold it" },
  { { .op = TL_TILE_CAST }, 4, "u8", "spatial(4)", "u8", "spatial(4).local(2)", "does not stretch" },
  { { .op = TL_TILE_NEG }, 4, "u8", "spatial(4)", "i8", "spatial(4)", "cast it" },
  { { .op = TL_TILE_CLIP, .low = 2, .high = 1 }, 4, "u8", "spatial(4)", "u8", "spatial(4)", "nothing lies between" },
  { { .op = TL_TILE_UNARY }, 4, "u8", "spatial(4)", "u8", "spatial(4)", "function is missing" },
  { { .op = TL_TILE_ASSIGN }, 4, "u8", "spatial(4)", "u8", "spatial(4,1)", "has shape" },
  { { .op = TL_TILE_RESHAPE }, 4, "u8", "spatial(4).local(2)", "u8", "local(2).spatial(4)", "another element" },
  { { .op = TL_TILE_TRANSPOSE, .n_dims = 2, .dims = { 1, 1 } },
    4,
    "u8",
    "spatial(4,1)",
    "u8",
    "spatial(1,4)",
    "twice" },
  { { .op = TL_TILE_TRANSPOSE, .n_dims = 2, .dims = { 0, 1 } },
    4,
    "u8",
    "spatial(4,1)",
    "u8",
    "spatial(1,4)",
    "is not dimension" },
  { { .op = TL_TILE_SQUEEZE, .n_dims = 1, .dims = { 0 } }, 4, "u8", "spatial(4,1)", "u8", "spatial(4)", "size 1" },
  { { .op = TL_TILE_SQUEEZE, .n_dims = 1, .dims = { 2 } },
    4,
    "u8",
    "spatial(4,1)",
    "u8",
    "spatial(4)",
    "no dimension" },
  { { .op = TL_TILE_SLICE_REGISTER, .n_dims = 1, .starts = { 3 } },
    1,
    "u8",
    "local(4)",
    "u8",
    "local(2)",
    "do not fit" },
  { { .op = TL_TILE_SLICE_REGISTER, .n_dims = 1, .starts = { 1 } },
    4,
    "u8",
    "spatial(4).local(2)",
    "u8",
    "replicated(2,num_workers=4)",
    "does not hold it" },
  { { .op = TL_TILE_REPEAT, .n_dims = 1, .amount = 0 }, 1, "u8", "local(4)", "u8", "local(4)", "how often" },
  { { .op = TL_TILE_REPEAT, .n_dims = 1, .amount = 2 }, 1, "u8", "local(4)", "u8", "local(12)", "has shape" },
  { { .op = TL_TILE_REDUCE, .n_dims = 1 }, 1, "u8", "local(4)", "u8", "local(1)", "has shape" },
  { { .op = TL_TILE_REDUCE }, 1, "u8", "local(4)", "u8", "local(1)", "one dimension" },
  { { .op = TL_TILE_SHUFFLE_UP, .amount = 1, .width = 3 }, 4, "u8", "spatial(4)", "u8", "spatial(4)", "groups of" },
  { { .op = TL_TILE_SHUFFLE_UP, .amount = 1, .width = 4 },
    4,
    "u8",
    "spatial(2).replicated(1,num_workers=2)",
    "u8",
    "spatial(2).replicated(1,num_workers=2)",
    "holds copies" },
  { { .op = TL_TILE_ANNOTATE_LAYOUT }, 4, "u8", "spatial(4)", "u8", "replicated(4,num_workers=4)", "another layout" },
};

START_TEST (refused_between_registers)
{
  g_autoptr (Workshop) shop = workshop_new (two[_i].threads);
  TlTileInstruction at = two[_i].at;
  guint             wrong = 99;

  at.operands[0] = reg (shop, two[_i].from_type, two[_i].from);
  at.result = reg (shop, two[_i].to_type, two[_i].to);
  op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
  add (shop, at);
  g_autofree char *reason = refusal (shop, &wrong);
  ck_assert_msg (strstr (reason, two[_i].says) != NULL, "%s: %s", tl_tile_op_name (at.op), reason);
  ck_assert_uint_eq (wrong, 1);
}
END_TEST

START_TEST (refused_control)
{
  static const struct
  {
    const char *script, *says; /* f for, F the same variable again, i if, e else, . end */
  } cases[] = {
    { "f", "no end" },  { "i", "no end" },   { ".", "no loop" },          { "e", "no if" },     { "fe.", "no if" },
    { "ie", "no end" }, { "iee.", "no if" }, { "fF..", "same variable" }, { "f..", "no loop" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Workshop) shop = workshop_new (4);
      gint64 variable;
      guint  loop = tl_tile_loop_variable (shop->kernel, "i", &variable), one = number (shop, 1);

      for (const char *at = cases[i].script; *at != '\0'; at++)
        if (*at == 'f' || *at == 'F')
          add (shop, (TlTileInstruction) {
                         .op = TL_TILE_FOR, .amount = variable, .n_offsets = 3, .offsets = { one, one, one } });
        else
          add (shop, (TlTileInstruction) { .op = *at == 'i'   ? TL_TILE_IF
                                                 : *at == 'e' ? TL_TILE_ELSE
                                                              : TL_TILE_END,
                                           .function = *at == 'i' ? loop : 0 });
      g_autofree char *reason = refusal (shop, NULL);
      ck_assert_msg (strstr (reason, cases[i].says) != NULL, "%s: %s", cases[i].script, reason);
    }
  /* Threads may not part ways. */
  g_autoptr (Workshop) shop = workshop_new (4);
  add (shop, (TlTileInstruction) { .op = TL_TILE_IF, .function = tl_tile_index (shop->kernel, 0) });
  g_autofree char *reason = refusal (shop, NULL);
  ck_assert_msg (strstr (reason, "the same for all threads") != NULL, "%s", reason);
}
END_TEST

static char *
dot_refusal (const char *a_type, const char *a, const char *b_type, const char *b, const char *c_type, const char *c,
             guint threads)
{
  g_autoptr (Workshop) shop = workshop_new (threads);
  guint x = reg (shop, a_type, a), y = reg (shop, b_type, b), z = reg (shop, c_type, c);

  add (shop, (TlTileInstruction) { .op = TL_TILE_DOT, .result = z, .operands = { x, y, z } });
  return refusal (shop, NULL);
}

START_TEST (refused_dots)
{
  static const struct
  {
    const char *a_type, *a, *b_type, *b, *c_type, *c, *says;
    guint       threads;
  } cases[] = {
    { "f16", A, "bf16", B, "f32", C, "no atom multiplies f16 by bf16", 32 },
    { "f16", A, "f16", B, "f16", C, "no atom", 32 },
    { "u4", A, "u4", B, "f32", C, "no atom", 32 },
    { "f16", A, "f16", "local(4,1).column_spatial(4,8)", "f32", C, "not tiled", 32 },
    { "f16", A, "f16", A, "f32", C, "not m x k", 32 },
    /* The second warp has the second rows of A and the first of C. */
    { "f16", "spatial(2,1)." A, "f16", "replicated(1,1,num_workers=2)." B, "f32",
      "column_spatial(1,1).local(2,1).replicated(1,1,num_workers=2)." C, "does not hold all", 64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = dot_refusal (cases[i].a_type, cases[i].a, cases[i].b_type, cases[i].b, cases[i].c_type,
                                             cases[i].c, cases[i].threads);
      ck_assert_msg (strstr (reason, cases[i].says) != NULL, "%s", reason);
    }
}
END_TEST

/* Layouts of blocks, as written out; and that the plan takes them. */
START_TEST (dot_layouts)
{
  static const TlTileTiling tilings[]
      = { { 1, 1, 1, 1, 1 }, { 2, 1, 1, 1, 1 }, { 1, 3, 2, 1, 2 }, { 2, 2, 2, 4, 4 }, { 4, 2, 1, 3, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (tilings); i++)
    for (guint vector = 1; vector <= 4; vector++)
      for (guint type = 0; type < 2; type++)
        {
          const TlTileTiling *t = &tilings[i];
          const char         *name = type == 0 ? "bf16" : "i8";
          guint               pieces = vector * (type == 0 ? 2 : 4);
          TlTileAtom          atom;
          TlLayout            a, b, c;
          g_autofree char    *reason = NULL;
          g_autofree char    *text = g_strdup_printf ("reduce(spatial(%u,1,%u,ranks=[1,0,2]),[2]).local(%u,%u)."
                                                         "column_local(2,2).spatial(8,4).local(1,%u)",
                                                      t->warps_m, t->warps_n, t->repeat_m, t->repeat_k, pieces);
          TlLayout            expected = layout_of (text);

          ck_assert (tl_tile_atom_find (type_of (name), vector, &atom));
          if (!tl_tile_dot_layouts (&atom, t, &a, &b, &c, &reason))
            ck_abort_msg ("%s", reason);
          ck_assert (tl_layout_equal (&a, &expected));
          ck_assert_uint_eq (tl_layout_threads (&b), 32 * t->warps_m * t->warps_n);
          ck_assert_uint_eq (tl_layout_threads (&c), 32 * t->warps_m * t->warps_n);

          g_autoptr (Workshop) shop = workshop_new (32 * t->warps_m * t->warps_n);
          guint x = tl_tile_register (shop->kernel, "a", type_of (name), &a);
          guint y = tl_tile_register (shop->kernel, "b", type_of (name), &b);
          guint z = tl_tile_register (shop->kernel, "c", tl_tile_atom_result (type_of (name)), &c);
          guint at = add (shop, (TlTileInstruction) { .op = TL_TILE_DOT, .result = z, .operands = { x, y, z } });
          plan (shop);
          ck_assert_uint_eq (tl_tile_plan_atoms (shop->plan, at),
                             t->warps_m * t->warps_n * t->repeat_m * t->repeat_n * t->repeat_k * vector);
        }
}
END_TEST

START_TEST (refused_memory)
{
  gint32 a[4];
  g_autoptr (Workshop) ranks = workshop_new (4);
  guint g = view (ranks, "i32", a, sizeof a, 2, 2, 2), x = reg (ranks, "i32", "spatial(4)");
  add (ranks, (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL, .result = x, .operands = { g }, .n_dims = 1 });
  g_autofree char *reason = refusal (ranks, NULL);
  ck_assert_msg (strstr (reason, "0 offsets are given for 2") != NULL, "%s", reason);

  g_autoptr (Workshop) types = workshop_new (4);
  guint s = shared (types, "u8", "row_major(4)"), y = reg (types, "i8", "spatial(4)");
  op (types, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  op (types, TL_TILE_LOAD_SHARED, y, s, 0);
  g_autofree char *type_reason = refusal (types, NULL);
  ck_assert_msg (strstr (type_reason, "different types") != NULL, "%s", type_reason);

  g_autoptr (Workshop) early = workshop_new (4);
  s = shared (early, "u8", "row_major(4)");
  y = reg (early, "u8", "spatial(4)");
  op (early, TL_TILE_LOAD_SHARED, y, s, 0);
  g_autofree char *early_reason = refusal (early, NULL);
  ck_assert_msg (strstr (early_reason, "not defined yet") != NULL, "%s", early_reason);

  g_autoptr (Workshop) twice = workshop_new (4);
  s = shared (twice, "u8", "row_major(4)");
  op (twice, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  op (twice, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  g_autofree char *twice_reason = refusal (twice, NULL);
  ck_assert_msg (strstr (twice_reason, "defined already") != NULL, "%s", twice_reason);

  g_autoptr (Workshop) spaces = workshop_new (4);
  s = shared (spaces, "u8", "row_major(4)");
  op (spaces, TL_TILE_NEG, s, s, 0);
  g_autofree char *space_reason = refusal (spaces, NULL);
  ck_assert_msg (strstr (space_reason, "is a shared tensor, and a register one is needed") != NULL, "%s", space_reason);

  g_autoptr (Workshop) none = workshop_new (4);
  add (none, (TlTileInstruction) { .op = TL_TILE_NO_OP });
  g_autofree char *none_reason = refusal (none, NULL);
  ck_assert_msg (strstr (none_reason, "no such instruction") != NULL, "%s", none_reason);
}
END_TEST

START_TEST (listing)
{
  gint32 a[8];
  g_autoptr (Workshop) shop = workshop_new (4);
  gint64 variable;
  guint  i = tl_tile_loop_variable (shop->kernel, "i", &variable), g = view (shop, "i32", a, sizeof a, 1, 8);
  guint  x = reg (shop, "i32", "spatial(4)");

  add (shop, (TlTileInstruction) { .op = TL_TILE_FOR,
                                   .amount = variable,
                                   .n_offsets = 3,
                                   .offsets = { number (shop, 0), number (shop, 8), number (shop, 4) } });
  add (shop,
       (TlTileInstruction) {
           .op = TL_TILE_LOAD_GLOBAL, .result = x, .operands = { g }, .n_offsets = 1, .offsets = { i }, .n_dims = 1 });
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_UNARY,
                 .result = x,
                 .operands = { x },
                 .function = tl_tile_binary (shop->kernel, TL_TILE_GREATEST, tl_tile_element (shop->kernel, 0), i) });
  op (shop, TL_TILE_END, 0, 0, 0);
  g_autofree char *text = tl_tile_kernel_to_text (shop->kernel);
  ck_assert_str_eq (text, "kernel test, 4 threads\n"
                          "global g1: i32\n"
                          "register r2: i32 spatial(4)\n"
                          "   0  g1 = global_view g1 sizes=[8]\n"
                          "   1  for i from, below, by=[0, 8, 4]\n"
                          "   2    r2 = load_global g1 at=[i] dims=[0]\n"
                          "   3    r2 = unary r2 of max(x, i)\n"
                          "   4  end\n");
  for (guint k = 0; k < TL_TILE_N_OPS; k++)
    ck_assert_ptr_nonnull (tl_tile_op_name ((TlTileOp) k));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-plan");
  TCase *tcase = tcase_create ("plan");

  tcase_add_loop_test (tcase, refused_between_registers, 0, G_N_ELEMENTS (two));
  tcase_add_test (tcase, refused_control);
  tcase_add_test (tcase, refused_dots);
  tcase_add_test (tcase, dot_layouts);
  tcase_add_test (tcase, refused_memory);
  tcase_add_test (tcase, listing);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
