/* The groups: what each leaves, from where each may go on, and the flat schedule. */
#include "ir/page.h"
#include "passes/schedule.h"
#include "passes/traversal.h"
#include "program.h"

static const char *const page_overrides[]
    = { "tiers=2", "tRCD=2 ns, 4 ns", "pus=4", "channels=2", "search_pus=1", "capacity=2 GiB", NULL };

/* The modules on the dialects' page are what the passes make. */
START_TEST (page_is_true)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autofree char *text = NULL;
  g_autofree char *page = page_module ((guint) _i);

  program_open (&program, 1000, "i32", "config barriers = superstep, owner = skewed\n", page_overrides);
  module = program_module (&program, (TlGroup) _i, 0);
  ck_assert_ptr_nonnull (module);
  text = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_str_eq (text, page);
}
END_TEST

START_TEST (another_program_is_another_page)
{
  /* The deliberately wrong row. */
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autofree char *text = NULL;
  g_autofree char *page = page_module (4);

  program_open (&program, 1001, "i32", "config barriers = superstep, owner = skewed\n", page_overrides);
  module = program_module (&program, TL_GROUP_G4, 0);
  text = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_str_ne (text, page);
}
END_TEST

/* Programs that differ in every knob. */
static const struct
{
  guint64     n;
  const char *type;
  const char *config;
} programs[] = {
  { 1000, "i32", "" },
  { 1, "i32", "" },
  { 255, "u8", "config barriers = strict\n" },
  { 65536, "i32", "config owner = skewed, barriers = superstep\n" },
  { 5242, "i32", "config tile = 128, edges = padded, copies = home, copy_writes = charged\n" },
  { 5242, "f32", "config buffers = 2, ring = free, page = open\nplace D = stripe 0..3\n" },
  { 777, "i64", "config owner = (i * 7 + j * 3 + 1) mod P, tile = 64\nplace D = tier 5\n" },
  { 777, "f16", "config owner = auto, precision = 32\nplace D = fill 2..7\n" },
  { 333, "bool", "config tile = 32, values = off, seed = 12\n" },
  { 90000, "i32", "config copies = home\n" },
};

static char *
run_from (Program *program, TlGroup from, gboolean through_text)
{
  g_autoptr (TlModule) module = program_module (program, from, 0);
  g_autoptr (TlModule) read = NULL;
  TlPipelineOptions options = { 0 };

  ck_assert_msg (module != NULL, "%s", tl_diags_get (program->diags, 0)->message);
  if (through_text)
    {
      g_autofree char *text = tl_module_print (module, TL_PRINT_DEFAULT);

      read = page_parse (text, program->diags);
      ck_assert_ptr_nonnull (read);
    }
  ck_assert (tl_pipeline_run (read != NULL ? read : module, &options, program->diags));
  return tl_module_print (read != NULL ? read : module, TL_PRINT_DEFAULT);
}

/* A dump after any group, read and gone on from, ends in the same module, locations and all. */
START_TEST (dumps_go_on)
{
  for (guint p = 0; p < G_N_ELEMENTS (programs); p++)
    {
      g_auto (Program) program = { 0 };
      g_autofree char *straight = NULL;

      program_open (&program, programs[p].n, programs[p].type, programs[p].config, NULL);
      straight = run_from (&program, TL_GROUP_G1, FALSE);
      for (TlGroup from = TL_GROUP_G1; from <= TL_GROUP_G4; from++)
        {
          g_autofree char *other = run_from (&program, from, TRUE);

          ck_assert_str_eq (other, straight);
        }
    }
}
END_TEST

/* All programs after all groups, one behind the other as --split-input-file takes them. (transfer full) */
static char *
all_dumps (void)
{
  GString *all = g_string_new (NULL);

  for (guint p = 0; p < G_N_ELEMENTS (programs); p++)
    for (TlGroup group = TL_GROUP_G1; group <= TL_GROUP_G4; group++)
      {
        g_auto (Program) program = { 0 };
        g_autoptr (TlModule) module = NULL;
        g_autofree char *text = NULL;

        program_open (&program, programs[p].n, programs[p].type, programs[p].config, NULL);
        module = program_module (&program, group, 0);
        text = tl_module_print (module, TL_PRINT_DEFAULT);
        g_string_append_printf (all, "%s%s", all->len > 0 ? "// -----\n" : "", text);
      }
  return g_string_free (all, FALSE);
}

/* mlir-opt keeps every dump, with its locations. */
START_TEST (mlir_opt_keeps_dumps)
{
  static const char *const tools[] = { "mlir-opt-15", "mlir-opt-14" };
  g_autofree char         *tool = g_find_program_in_path (tools[_i]);
  g_autofree char         *path = g_build_filename (tl_test_folder (), "dump.mlir", NULL);
  g_autofree char         *text = NULL;
  g_autofree char         *once = NULL;
  g_autofree char         *twice = NULL;
  g_auto (GStrv) before = NULL;
  g_auto (GStrv) after = NULL;
  int   status = -1;
  char *argv[] = { tool,
                   (char *) "--allow-unregistered-dialect",
                   (char *) "--mlir-print-op-generic",
                   (char *) "--mlir-print-debuginfo",
                   (char *) "--split-input-file",
                   path,
                   NULL };

  if (tool == NULL)
    {
      tl_test_skip ("%s not installed", tools[_i]);
      return;
    }
  text = all_dumps ();
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  ck_assert (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &once, NULL, &status, NULL));
  ck_assert_int_eq (status, 0);
  ck_assert (g_file_set_contents (path, once, -1, NULL));
  ck_assert (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &twice, NULL, &status, NULL));
  /* 14 does not print where block arguments stand and gives them new places each time. */
  ck_assert_msg (_i == 1 || strcmp (once, twice) == 0, "printing again is not the same");
  before = g_strsplit (text, "// -----\n", -1);
  after = g_strsplit (once, "// -----\n", -1);
  ck_assert_uint_eq (g_strv_length (before), 4 * G_N_ELEMENTS (programs));
  ck_assert_uint_ge (g_strv_length (after), g_strv_length (before)); /* 14 ends with a separator too */
  for (guint d = 0; before[d] != NULL; d++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlModule) read = page_parse (after[d], diags);
      g_autofree char *again = NULL;

      ck_assert_msg (read != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
      again = tl_module_print (read, TL_PRINT_DEFAULT);
      ck_assert_msg (strcmp (again, before[d]) == 0, "dump %u came back as another", d);
    }
}
END_TEST

START_TEST (locations_lead_back)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autofree char *text = NULL;
  g_autofree char *bare = NULL;

  program_open (&program, 5000, "i32", "config tile = 64, owner = skewed, barriers = strict, copies = home\n", NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  text = tl_module_print (module, TL_PRINT_DEFAULT);
  bare = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_ptr_nonnull (strstr (text, "\"left\"(\"apsp.gdsl\":2:24)"));
  ck_assert_ptr_nonnull (strstr (text, "\"tile\"(\"apsp.gdsl\":5:15)"));
  ck_assert_ptr_nonnull (strstr (text, "\"owner\"(\"apsp.gdsl\":5:27)"));
  ck_assert_ptr_nonnull (strstr (text, "\"barriers\"(\"apsp.gdsl\":5:46)"));
  ck_assert_ptr_nonnull (strstr (text, "loc(\"apsp\"(fused[\"apsp.gdsl\":1:1"));
  ck_assert_ptr_null (strstr (bare, "loc("));
  ck_assert_str_eq (tl_op_text (tl_module_op (module), "dp.program"), "apsp");
}
END_TEST

/* Names of loops and of the algorithm leave no trace after G1 without locations. */
START_TEST (algorithm_is_not_named)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) one = NULL;
  g_autoptr (TlModule) two = NULL;
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;

  program_open (&program, 5000, "i32", "", NULL);
  one = program_module (&program, TL_GROUP_G1, 0);
  g_free (program.recurrence->algorithm);
  program.recurrence->algorithm = g_strdup ("shortest");
  program.recurrence->update_span = tl_span (1, 2);
  two = program_module (&program, TL_GROUP_G1, 0);
  text = tl_module_print (one, TL_PRINT_NO_LOC);
  other = tl_module_print (two, TL_PRINT_NO_LOC);
  ck_assert_str_eq (text, other);
  ck_assert_ptr_null (strstr (text, "apsp"));
}
END_TEST

START_TEST (schedules_say_it_all)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autoptr (TlSchedule) schedule = NULL;
  g_autofree guint16 *owner = NULL;
  g_autofree guint8  *tier = NULL;

  program_open (&program, 5242, "i32",
                "config owner = skewed, barriers = strict, edges = padded, seed = 3\nplace D = stripe 1..4\n", NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  schedule = tl_schedule_from_module (module, program.diags);
  ck_assert_ptr_nonnull (schedule);
  ck_assert_str_eq (schedule->program, "apsp");
  ck_assert_str_eq (schedule->target, "gendram");
  ck_assert_uint_eq (schedule->n, 5242);
  ck_assert_uint_eq (schedule->tile, 256);
  ck_assert_uint_eq (schedule->tiles, 21);
  ck_assert_uint_eq (schedule->element_bits, 32);
  ck_assert (schedule->cycle_check);
  ck_assert (tl_semiring_equal (schedule->semiring, program.recurrence->semiring));
  ck_assert_str_eq (schedule->owner_name, "skewed");
  ck_assert_int_eq (schedule->knobs.edges, TL_EDGES_PADDED);
  ck_assert_uint_eq (schedule->knobs.seed, 3);
  ck_assert_mem_eq (&schedule->machine, tl_target_pim_machine (program.target), sizeof schedule->machine);
  ck_assert_uint_eq (schedule->data->len, 1);
  ck_assert_str_eq (((TlDataSource *) schedule->data->pdata[0])->source, "graph(\"roads.gr\")");
  ck_assert_uint_eq (((TlDataSource *) schedule->data->pdata[0])->content_hash, 0x1234);
  owner = g_new (guint16, 21 * 21);
  tier = g_new (guint8, 21 * 21);
  tl_schedule_owners (schedule, owner);
  tl_schedule_tiers (schedule, tier);
  for (guint i = 0; i < 21; i++)
    for (guint j = 0; j < 21; j++)
      {
        ck_assert_uint_eq (owner[i * 21 + j], (i * 21 + j) % 32);
        ck_assert_uint_eq (tier[i * 21 + j], 1 + (i * 21 + j) % 4);
      }
  ck_assert_uint_eq (schedule->n_phases, 3);
  for (guint p = 0; p < 3; p++)
    {
      ck_assert_int_eq (schedule->phases[p].kind, p);
      ck_assert_uint_eq (schedule->phases[p].n_reads, p + 1);
      ck_assert_int_eq (schedule->phases[p].reads[0], TL_OPERAND_C);
      ck_assert (!schedule->phases[p].from_copy[0]);
      ck_assert_int_eq (schedule->phases[p].broadcast, p < 2);
      ck_assert_int_eq (schedule->phases[p].barrier, p);
      for (guint r = 1; r <= p; r++)
        ck_assert (schedule->phases[p].from_copy[r]);
    }
  ck_assert_int_eq (schedule->phases[1].reads[1], TL_OPERAND_PIVOT);
  ck_assert_int_eq (schedule->phases[2].reads[1], TL_OPERAND_LEFT);
  ck_assert_int_eq (schedule->phases[2].reads[2], TL_OPERAND_RIGHT);
}
END_TEST

START_TEST (barriers_stand_where_told)
{
  static const struct
  {
    const char *config;
    int         barrier[3];
  } rows[] = {
    { "config barriers = strict\n", { 0, 1, 2 } },
    { "config barriers = superstep\n", { -1, -1, 0 } },
    { "config barriers = dataflow\n", { -1, -1, -1 } },
    { "", { -1, -1, -1 } },
  };
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autoptr (TlSchedule) schedule = NULL;

  program_open (&program, 1000, "i32", rows[_i].config, NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  schedule = tl_schedule_from_module (module, program.diags);
  for (guint p = 0; p < 3; p++)
    ck_assert_int_eq (schedule->phases[p].barrier, rows[_i].barrier[p]);
}
END_TEST

/* owner = auto hands both rules on, the one with fewer predicted steps first. */
START_TEST (auto_hands_candidates_on)
{
  static const struct
  {
    guint64     n;
    const char *first;
    const char *second;
  } rows[] = { { 4096, "skewed", "modulo" }, { 2048, "modulo", "skewed" }, { 5242, "modulo", NULL } };
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_auto (GStrv) names = NULL;

  program_open (&program, rows[_i].n, "i32", "config owner = auto\n", NULL);
  module = program_module (&program, TL_GROUP_G2, 0);
  names = tl_g3_candidates (module);
  ck_assert_str_eq (names[0], rows[_i].first);
  ck_assert (g_strcmp0 (names[1], rows[_i].second) == 0);
  for (guint c = 0; names[c] != NULL; c++)
    {
      g_autoptr (TlModule) mapped = program_module (&program, TL_GROUP_G3, c);

      ck_assert_str_eq (tl_op_text (tl_module_find (mapped, "dp.blocked_update"), "owner_rule"), names[c]);
    }
}
END_TEST

START_TEST (lint_speaks_in_g3)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  const TlDiag *diag;

  program_open (&program, 4096, "i32", "config barriers = strict\n", NULL);
  module = program_module (&program, TL_GROUP_G3, 0);
  diag = program_diag (&program, "owner-columns");
  ck_assert_ptr_nonnull (diag);
  ck_assert_ptr_nonnull (strstr (diag->message, "predicted loss 30 % of the run"));
  ck_assert_uint_eq (diag->from.line, 2);
  ck_assert_uint_eq (diag->from.column, 3);
}
END_TEST

/* --- placement --- */

static guint64
share (const TlSchedule *schedule, const char *name, guint tier)
{
  for (guint o = 0; o < schedule->objects->len; o++)
    {
      const TlObjectShare *object = &g_array_index (schedule->objects, TlObjectShare, o);

      if (strcmp (object->name, name) == 0 && object->tier == tier)
        return object->bytes;
    }
  return 0;
}

/* The 65,536-node matrix: 2.06 GiB of copies in tier 0, D behind them up to tier 4. */
START_TEST (copies_come_first)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autoptr (TlSchedule) schedule = NULL;
  const guint64 gib = G_GUINT64_CONSTANT (1) << 30;
  const guint64 copies = (guint64) 264 * 32 * 262144;

  program_open (&program, 65536, "i32", "", NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  schedule = tl_schedule_from_module (module, program.diags);
  ck_assert_uint_eq (share (schedule, "copies", 0), copies);
  ck_assert_uint_eq (share (schedule, "D", 0), 4 * gib - copies);
  for (guint t = 1; t < 4; t++)
    ck_assert_uint_eq (share (schedule, "D", t), 4 * gib);
  ck_assert_uint_eq (share (schedule, "D", 4), copies);
  ck_assert_uint_eq (schedule->place.reserved[0], copies);
  ck_assert_int_eq (schedule->place.kind, TL_PLACE_FILL);
}
END_TEST

START_TEST (what_does_not_fit_is_refused)
{
  static const struct
  {
    guint64     n;
    const char *config;
    const char *code;
    const char *message;
    const char *reason;
  } rows[] = {
    { 100000, "config copies = home\n", "does-not-fit", "n = 100,000: 37.3 GiB", "enough for n = 92,681" },
    { 100000, "", "does-not-fit", "n = 100,000: 37.3 GiB", "enough for n = 92,681" },
    { 80000, "", "copies-do-not-fit", "copies = t0", "copies = home" },
    { 40000, "place D = tier 1\n", "does-not-fit", "do not fit tier 1 of gendram", "enough for n = 32,768" },
    { 60000, "place D = fill 6..7\n", "does-not-fit", "do not fit tiers 6 to 7", "8 GiB" },
    { 60000, "place D = stripe 0..1\n", "does-not-fit", "do not fit tiers 0 to 1", "8 GiB" },
    { 60000, "config tile = 14\n", "tile-too-small", "4,286 tiles a side, at most 4096", "60000" },
    { 1000, "config owner = i + j\n", NULL, NULL, NULL },
    { 9000, "config owner = i + j\n", "owner-range", "tile (0,32) gets no owner", "gives 32 there" },
    { 9000, "config owner = i mod (j - 5)\n", "owner-range", "tile (0,5) gets no owner", "divides by zero" },
  };
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  const TlDiag *diag;

  program_open (&program, rows[_i].n, "i32", rows[_i].config, NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  if (rows[_i].code == NULL)
    {
      ck_assert_ptr_nonnull (module);
      return;
    }
  ck_assert_ptr_null (module);
  diag = program_diag (&program, rows[_i].code);
  ck_assert_msg (diag != NULL, "row %d: %s", _i, tl_diags_get (program.diags, 0)->message);
  ck_assert_msg (strstr (diag->message, rows[_i].message) != NULL, "%s", diag->message);
  ck_assert_msg (strstr (diag->reason, rows[_i].reason) != NULL, "%s", diag->reason);
  ck_assert_str_eq (diag->file, "apsp.gdsl");
  ck_assert_uint_gt (diag->from.line, 0);
}
END_TEST

START_TEST (placed_twice_is_said)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;

  program_open (&program, 65536, "i32", "place D = fill 0..7\n", NULL);
  module = program_module (&program, TL_GROUP_G4, 0);
  ck_assert_ptr_nonnull (module);
  ck_assert_ptr_nonnull (program_diag (&program, "tier-overfull"));
  ck_assert_int_eq (program_diag (&program, "tier-overfull")->severity, TL_SEVERITY_WARNING);
}
END_TEST

START_TEST (extents_are_needed)
{
  static const struct
  {
    guint64     rows;
    guint64     columns;
    const char *code;
  } rows[] = { { 0, 0, "unknown-extent" },
               { 10, 11, "not-square" },
               { G_GUINT64_CONSTANT (1) << 40, G_GUINT64_CONSTANT (1) << 40, "too-large" } };
  g_auto (Program) program = { 0 };
  TlDataFacts *fact;

  program_open (&program, 10, "i32", "", NULL);
  fact = &g_array_index (program.facts, TlDataFacts, 0);
  fact->rows = rows[_i].rows;
  fact->columns = rows[_i].columns;
  ck_assert_ptr_null (program_module (&program, TL_GROUP_G1, 0));
  ck_assert_ptr_nonnull (program_diag (&program, rows[_i].code));
}
END_TEST

START_TEST (distinct_matrices_wait)
{
  g_auto (Program) program = { 0 };

  program_open (&program, 10, "i32", "", NULL);
  program.recurrence->closure = FALSE;
  ck_assert_ptr_null (program_module (&program, TL_GROUP_G1, 0));
  ck_assert_ptr_nonnull (program_diag (&program, "not-on-this-target"));
}
END_TEST

/* The order of tiles follows from what is read, not from a name. */
START_TEST (traversal_is_derived)
{
  static const struct
  {
    const char *operands;
    const char *maps;
    TlTraversal traversal;
  } rows[] = {
    { "%0, %0, %0", "(d0, d1, d2) -> (d0, d1)|(d0, d1, d2) -> (d0, d2)|(d0, d1, d2) -> (d2, d1)",
      TL_TRAVERSAL_BLOCKED },
    { "%0, %1, %2", "(d0, d1, d2) -> (d0, d1)|(d0, d1, d2) -> (d0, d2)|(d0, d1, d2) -> (d2, d1)",
      TL_TRAVERSAL_PRODUCT },
    { "%0, %1, %0", "(d0, d1, d2) -> (d0, d1)|(d0, d1, d2) -> (d0, d2)|(d0, d1, d2) -> (d2, d1)",
      TL_TRAVERSAL_BLOCKED },
    { "%0, %0, %0", "(d0, d1) -> (d0, d1)|(d0, d1) -> (d0, d1)|(d0, d1) -> (d0, d1)", TL_TRAVERSAL_WAVEFRONT },
    { "%0, %0, %0", "(d0) -> (d0)|(d0) -> (d0)|(d0) -> (d0)", TL_TRAVERSAL_NONE },
  };
  g_auto (GStrv) maps = g_strsplit (rows[_i].maps, "|", 3);
  g_autofree char *text = g_strdup_printf (
      "\"builtin.module\"() ({\n  %%0 = \"dp.data\"() : () -> i32\n  %%1 = \"dp.data\"() : () -> i32\n"
      "  %%2 = \"dp.data\"() : () -> i32\n  %%3 = \"dp.grid_update\"(%s) {deps = [[1, 1], [1, 0], [0, 1]], "
      "maps = [affine_map<%s>, affine_map<%s>, affine_map<%s>]} : (i32, i32, i32) -> i32\n}) : () -> ()",
      rows[_i].operands, maps[0], maps[1], maps[2]);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);

  ck_assert_ptr_nonnull (module);
  ck_assert_int_eq (tl_traversal_of (tl_module_find (module, "dp.grid_update")), rows[_i].traversal);
}
END_TEST

START_TEST (moved_tiles_win)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;
  g_autoptr (TlSchedule) schedule = NULL;
  g_autofree char *text = NULL;
  guint16          owner[16];

  program_open (&program, 1000, "i32", "config owner = move(modulo, (0, 1, 31), (3, 3, 7))\n", NULL);
  tl_check (program.ast, program.diags);
  module = program_module (&program, TL_GROUP_G4, 0);
  ck_assert_msg (module != NULL, "%s", tl_diags_count (program.diags) ? tl_diags_get (program.diags, 0)->message : "");
  text = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_ptr_nonnull (strstr (text, "moves = [[0, 1, 31], [3, 3, 7]]"));
  schedule = tl_schedule_from_module (module, program.diags);
  tl_schedule_owners (schedule, owner);
  ck_assert_uint_eq (owner[1], 31);
  ck_assert_uint_eq (owner[15], 7);
  ck_assert_uint_eq (owner[2], 2);
}
END_TEST

/* No group may be done twice, and none before the one it builds on. */
START_TEST (groups_keep_their_order)
{
  g_auto (Program) program = { 0 };
  g_autoptr (TlModule) module = NULL;

  program_open (&program, 1000, "i32", "", NULL);
  module = program_module (&program, TL_GROUP_G2, 0);
  ck_assert (!tl_g2_tile (module, program.diags));
  ck_assert (!tl_g4_communicate (module, program.diags));
  ck_assert_ptr_null (tl_schedule_from_module (module, program.diags));
  ck_assert_ptr_nonnull (program_diag (&program, "pass-order"));
  ck_assert (tl_g3_map (module, 0, NULL, tl_span (0, 0), program.diags));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-groups");
  TCase *tcase = tcase_create ("groups");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, page_is_true, 1, 5);
  tcase_add_test (tcase, another_program_is_another_page);
  tcase_add_test (tcase, dumps_go_on);
  tcase_add_loop_test (tcase, mlir_opt_keeps_dumps, 0, 2);
  tcase_add_test (tcase, locations_lead_back);
  tcase_add_test (tcase, algorithm_is_not_named);
  tcase_add_test (tcase, schedules_say_it_all);
  tcase_add_loop_test (tcase, barriers_stand_where_told, 0, 4);
  tcase_add_loop_test (tcase, auto_hands_candidates_on, 0, 3);
  tcase_add_test (tcase, lint_speaks_in_g3);
  tcase_add_test (tcase, copies_come_first);
  tcase_add_loop_test (tcase, what_does_not_fit_is_refused, 0, 10);
  tcase_add_test (tcase, placed_twice_is_said);
  tcase_add_loop_test (tcase, extents_are_needed, 0, 3);
  tcase_add_test (tcase, distinct_matrices_wait);
  tcase_add_loop_test (tcase, traversal_is_derived, 0, 5);
  tcase_add_test (tcase, moved_tiles_win);
  tcase_add_test (tcase, groups_keep_their_order);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
