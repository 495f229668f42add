/* Knobs: defaults, layers, ranges and the words of refusals. */
#include "program.h"
#include "support/support.h"

#include <string.h>

START_TEST (defaults_are_derived)
{
  static const struct
  {
    TlPimKnob   id;
    const char *value;
  } rows[] = {
    { TL_PIM_TILE, "derived" },      { TL_PIM_MODE, "broadcast" },
    { TL_PIM_TRAVERSAL, "blocked" }, { TL_PIM_BARRIERS, "dataflow" },
    { TL_PIM_OWNER, "modulo" },      { TL_PIM_EDGES, "trimmed" },
    { TL_PIM_COPIES, "t0" },         { TL_PIM_COPY_WRITES, "free" },
    { TL_PIM_RING, "on" },           { TL_PIM_BUFFERS, "1" },
    { TL_PIM_SPLIT, "8 : 24" },      { TL_PIM_PRECISION, "32" },
    { TL_PIM_PAGE, "closed" },       { TL_PIM_VALUES, "auto" },
    { TL_PIM_BASELINE, "none" },     { TL_PIM_SEED, "0" },
    { TL_PIM_PLACE, "auto" },
  };
  g_auto (Program) program = { 0 };

  program_open (&program, 1000, "i32", "", NULL);
  ck_assert_uint_eq (tl_diags_count (program.diags), 0);
  ck_assert_uint_eq (G_N_ELEMENTS (rows), TL_N_PIM_KNOBS);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autofree char *text = tl_pim_knob_text (&program.knobs, rows[r].id);

      ck_assert_str_eq (text, rows[r].value);
      ck_assert_int_eq (program.knobs.origin[rows[r].id].chosen, TL_CHOSEN_DERIVED);
    }
}
END_TEST

static const struct
{
  const char *config;
  TlPimKnob   id;
  const char *value;
} taken[] = {
  { "config tile = 128\n", TL_PIM_TILE, "128" },
  { "config mode = broadcast\n", TL_PIM_MODE, "broadcast" },
  { "config traversal = blocked\n", TL_PIM_TRAVERSAL, "blocked" },
  { "config barriers = strict\n", TL_PIM_BARRIERS, "strict" },
  { "config owner = skewed\n", TL_PIM_OWNER, "skewed" },
  { "config owner = auto\n", TL_PIM_OWNER, "auto" },
  { "config owner = (i*(M+2) + j) mod P\n", TL_PIM_OWNER, "(i * (M + 2) + j) mod P" },
  { "config edges = padded\n", TL_PIM_EDGES, "padded" },
  { "config copies = home\n", TL_PIM_COPIES, "home" },
  { "config copy_writes = charged\n", TL_PIM_COPY_WRITES, "charged" },
  { "config ring = free\n", TL_PIM_RING, "free" },
  { "config buffers = 2\n", TL_PIM_BUFFERS, "2" },
  { "config split = 4 : 28\n", TL_PIM_SPLIT, "4 : 28" },
  { "config precision = 64\n", TL_PIM_PRECISION, "64" },
  { "config page = open\n", TL_PIM_PAGE, "open" },
  { "config values = off\n", TL_PIM_VALUES, "off" },
  { "config baseline = B1\n", TL_PIM_BASELINE, "B1" },
  { "config seed = 9\n", TL_PIM_SEED, "9" },
  { "place D = tier 3\n", TL_PIM_PLACE, "tier 3" },
  { "place D = fill 0..7\n", TL_PIM_PLACE, "fill 0..7" },
  { "place D = stripe 1..3\n", TL_PIM_PLACE, "stripe 1..3" },
  { "place D = auto\n", TL_PIM_PLACE, "auto" },
};

START_TEST (values_are_taken)
{
  g_auto (Program) program = { 0 };
  g_autofree char *text = NULL;
  g_autoptr (TlModule) module = tl_module_new ();
  g_auto (TlPimKnobs) back = { 0 };
  TlSpan span;

  program_open (&program, 1000, "i32", taken[_i].config, NULL);
  ck_assert_msg (tl_diags_count (program.diags) == 0, "%s", tl_diags_get (program.diags, 0)->message);
  text = tl_pim_knob_text (&program.knobs, taken[_i].id);
  ck_assert_str_eq (text, taken[_i].value);
  ck_assert_int_eq (program.knobs.origin[taken[_i].id].chosen, TL_CHOSEN_YOU);
  span = program.knobs.origin[taken[_i].id].span;
  ck_assert_uint_gt (span.end, span.start);
  /* And back from a module's attribute. */
  tl_pim_knobs_to_module (&program.knobs, module);
  ck_assert (tl_pim_knobs_from_module (&back, module, program.diags));
  for (TlPimKnob id = 0; id < TL_N_PIM_KNOBS; id++)
    {
      g_autofree char *one = tl_pim_knob_text (&program.knobs, id);
      g_autofree char *two = tl_pim_knob_text (&back, id);

      ck_assert_str_eq (one, two);
    }
}
END_TEST

static const struct
{
  const char *type;
  const char *config;
  const char *code;
  const char *message;
  const char *fix; /* replacement, or NULL */
} refused[] = {
  { "i32", "config tile = 300\n", "tile-too-large",
    "tile = 300: three tiles of 4 x 300 x 300 bytes are 1,055 KiB, the PU has 768 KiB; largest legal 256", "256" },
  { "i32", "config tile = 256, buffers = 2\n", "tile-too-large",
    "tile = 256: six tiles of 4 x 256 x 256 bytes are 1,536 KiB, the PU has 768 KiB; largest legal 181", "181" },
  { "i32", "config precision = 64, tile = 200\n", "tile-too-large",
    "tile = 200: three tiles of 8 x 200 x 200 bytes are 938 KiB, the PU has 768 KiB; largest legal 181", "181" },
  { "i5", "config tile = 700\n", "tile-too-large", "three tiles of 700 x 700 elements of 5 bits are 897 KiB", "647" },
  { "i32", "config tile = (64, 128, 64)\n", "not-on-this-target", "tile is one number", NULL },
  { "i32", "config mode = pipeline\n", "not-on-this-target", "its mode is broadcast", "broadcast" },
  { "i32", "config traversal = wavefront\n", "not-on-this-target", "its traversal is blocked", "blocked" },
  { "i32", "config split = 8 : 20\n", "split-range", "makes 28 PUs, the target has 32", NULL },
  { "i32", "config precision = 16\n", "precision-range", "elements of type i32 need 32 bits", "32" },
  { "i32", "config owner = move(skewed, (0, 1, 32))\n", "owner-range", "there is no PU 32", NULL },
  { "i32", "place D = tier 8\n", "tier-range", "tiers 0 to 7", NULL },
  { "i32", "place D = fill 5..2\n", "tier-range", "tiers 0 to 7", NULL },
  { "i32", "place D = stripe 0..8\n", "tier-range", "tiers 0 to 7", NULL },
  { "i32", "place D = plan\n", "not-on-this-target", "plan places matrices of compute units", NULL },
  { "i32", "place D = identity\n", "not-on-this-target", "identity places", NULL },
};

START_TEST (illegal_values_are_refused)
{
  g_auto (Program) program = { 0 };
  g_auto (TlPimKnobs) again = { 0 };
  const TlDiag *diag;

  program_open (&program, 1000, refused[_i].type, refused[_i].config, NULL);
  diag = program_diag (&program, refused[_i].code);
  ck_assert_msg (diag != NULL, "row %d: %s", _i,
                 tl_diags_count (program.diags) > 0 ? tl_diags_get (program.diags, 0)->message : "nothing said");
  ck_assert_msg (strstr (diag->message, refused[_i].message) != NULL, "%s", diag->message);
  ck_assert_int_eq (diag->severity, TL_SEVERITY_ERROR);
  ck_assert_uint_eq (diag->from.line, 5);
  ck_assert_int_eq (diag->fixes->len > 0, refused[_i].fix != NULL);
  if (refused[_i].fix != NULL)
    ck_assert_str_eq (g_array_index (((TlFix *) diag->fixes->pdata[0])->edits, TlEdit, 0).replacement, refused[_i].fix);
  ck_assert (!tl_pim_knobs_resolve (&again, program.ast, NULL, "D", program.recurrence->element, program.target,
                                    program.diags));
}
END_TEST

START_TEST (foreign_keys_are_answered)
{
  static const char *const keys[] = { "stages = 3", "quantum = 64", "resident = 2", "skew = 7", "weights = nxk",
                                      "queue = 4",  "band = 15%",   "gap = 2",      "slab = 2" };
  g_auto (Program) program = { 0 };
  g_autofree char *config = g_strdup_printf ("config %s\n", keys[_i]);

  program_open (&program, 1000, "i32", config, NULL);
  ck_assert_ptr_nonnull (program_diag (&program, "not-on-this-target"));
  ck_assert_int_eq (program_diag (&program, "not-on-this-target")->severity, TL_SEVERITY_WARNING);
  ck_assert_ptr_nonnull (program_diag (&program, "not-on-this-target")->reason);
  ck_assert_uint_eq (tl_diags_errors (program.diags), 0);
}
END_TEST

START_TEST (largest_tiles)
{
  static const struct
  {
    guint64 sram;
    guint32 bits;
    guint32 buffers;
    guint32 side;
  } rows[] = {
    { 786432, 32, 1, 256 }, { 786432, 32, 2, 181 }, { 786432, 64, 1, 181 }, { 786432, 8, 1, 512 },
    { 786432, 1, 1, 1448 }, { 11, 32, 1, 0 },       { 12, 32, 1, 1 },       { 3, 5, 1, 1 },
  };
  guint32 side = tl_largest_tile (rows[_i].sram, rows[_i].bits, rows[_i].buffers);

  ck_assert_uint_eq (side, rows[_i].side);
  ck_assert_uint_le (3 * rows[_i].buffers * tl_tile_bytes (side, side, rows[_i].bits), rows[_i].sram);
  ck_assert_uint_gt (3 * rows[_i].buffers * tl_tile_bytes (side + 1, side + 1, rows[_i].bits), rows[_i].sram);
}
END_TEST

/* A target's <knobs> come before the derived ones and after the program's. */
START_TEST (targets_choose_and_programs_win)
{
  static const char xml[] = "<?xml version=\"1.0\"?>\n<target name=\"mine\" base=\"gendram\" version=\"1\">\n"
                            "  <knobs edges=\"padded\" barriers=\"strict\" tile=\"64\" owner=\"skewed\"/>\n</target>\n";
  g_auto (Program) program = { 0 };
  g_auto (TlPimKnobs) knobs = { 0 };
  g_autoptr (TlTarget) target = NULL;
  g_autoptr (TlSource) set_source = tl_source_new ("--set", "config barriers = superstep\n", -1);
  g_autoptr (TlAst) set = NULL;

  program_open (&program, 1000, "i32", "config tile = 32\n", NULL);
  set = tl_parse (set_source, program.diags);
  target = tl_target_parse ("mine.xml", xml, sizeof xml - 1, NULL, NULL, program.diags);
  ck_assert_msg (target != NULL, "%s",
                 tl_diags_count (program.diags) > 0 ? tl_diags_get (program.diags, 0)->message : "");
  ck_assert (tl_pim_knobs_resolve (&knobs, program.ast, NULL, "D", program.recurrence->element, target, program.diags));
  ck_assert_int_eq (knobs.edges, TL_EDGES_PADDED);
  ck_assert_int_eq (knobs.barriers, TL_BARRIERS_STRICT);
  ck_assert_int_eq (knobs.owner, TL_OWNER_SKEWED);
  ck_assert_uint_eq (knobs.tile, 32);
  ck_assert_int_eq (knobs.origin[TL_PIM_EDGES].chosen, TL_CHOSEN_TARGET);
  ck_assert_int_eq (knobs.origin[TL_PIM_TILE].chosen, TL_CHOSEN_YOU);
  ck_assert_int_eq (knobs.origin[TL_PIM_RING].chosen, TL_CHOSEN_DERIVED);
  tl_pim_knobs_clear (&knobs);
  ck_assert (tl_pim_knobs_resolve (&knobs, program.ast, set, "D", program.recurrence->element, target, program.diags));
  ck_assert_int_eq (knobs.barriers, TL_BARRIERS_SUPERSTEP);
  ck_assert_int_eq (knobs.origin[TL_PIM_BARRIERS].chosen, TL_CHOSEN_YOU);
}
END_TEST

START_TEST (bad_target_knobs_are_said)
{
  static const char xml[] = "<?xml version=\"1.0\"?>\n<target name=\"mine\" base=\"gendram\" version=\"1\">\n"
                            "  <knobs tile=\"9999\"/>\n</target>\n";
  static const char words[] = "<?xml version=\"1.0\"?>\n<target name=\"mine\" base=\"gendram\" version=\"1\">\n"
                              "  <knobs edges=\"round\"/>\n</target>\n";
  g_auto (Program) program = { 0 };
  g_auto (TlPimKnobs) knobs = { 0 };
  g_autoptr (TlTarget) large = NULL;
  g_autoptr (TlTarget) wrong = NULL;

  program_open (&program, 1000, "i32", "", NULL);
  large = tl_target_parse ("mine.xml", xml, sizeof xml - 1, NULL, NULL, program.diags);
  ck_assert (!tl_pim_knobs_resolve (&knobs, program.ast, NULL, "D", program.recurrence->element, large, program.diags));
  ck_assert_ptr_nonnull (program_diag (&program, "tile-too-large"));
  ck_assert_str_eq (program_diag (&program, "tile-too-large")->file, "mine.xml");
  tl_pim_knobs_clear (&knobs);
  wrong = tl_target_parse ("mine.xml", words, sizeof words - 1, NULL, NULL, program.diags);
  ck_assert (
      wrong == NULL
      || !tl_pim_knobs_resolve (&knobs, program.ast, NULL, "D", program.recurrence->element, wrong, program.diags));
  ck_assert_ptr_nonnull (program_diag (&program, "target-knob"));
}
END_TEST

START_TEST (machines_come_back)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = tl_module_new ();
  g_autofree char    *name = NULL;
  g_autofree char    *text = NULL;
  g_autofree char    *text_again = NULL;
  const TlPimMachine *machine;
  TlPimMachine        back;

  program_open (&program, 1000, "i32", "", NULL);
  machine = tl_target_pim_machine (program.target);
  tl_machine_to_module (machine, "gendram", module);
  ck_assert (tl_machine_from_module (&back, &name, module, program.diags));
  ck_assert_str_eq (name, "gendram");
  text = tl_module_print (module, TL_PRINT_NO_LOC);
  tl_machine_to_module (&back, name, module);
  text_again = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_str_eq (text, text_again);
  ck_assert_uint_eq (back.tier[7].tRCD, machine->tier[7].tRCD);
  ck_assert_uint_eq (back.sram_bytes, machine->sram_bytes);
  /* Every byte of a machine that is not a tier beyond the last is carried. */
  for (guint t = machine->tiers; t < TL_MAX_TIERS; t++)
    back.tier[t] = machine->tier[t];
  ck_assert_mem_eq (&back, machine, sizeof back);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-knobs");
  TCase *tcase = tcase_create ("knobs");

  tcase_add_test (tcase, defaults_are_derived);
  tcase_add_loop_test (tcase, values_are_taken, 0, G_N_ELEMENTS (taken));
  tcase_add_loop_test (tcase, illegal_values_are_refused, 0, G_N_ELEMENTS (refused));
  tcase_add_loop_test (tcase, foreign_keys_are_answered, 0, 9);
  tcase_add_loop_test (tcase, largest_tiles, 0, 8);
  tcase_add_test (tcase, targets_choose_and_programs_win);
  tcase_add_test (tcase, bad_target_knobs_are_said);
  tcase_add_test (tcase, machines_come_back);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
