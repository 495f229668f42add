/* Targets: the presets' numbers, inheritance, overrides, cross-sums, the show text and
 * the agreement of schema and reader. */
#include <string.h>

#include <glib/gstdio.h>

#include "base/number.h"
#include "support/support.h"
#include "target/target-private.h"

static TlTarget *
load (const char *name, const char *const *overrides, TlDiags *diags)
{
  g_autofree char *folder = tl_test_source_path ("tests/targets");
  const char      *folders[] = { folder, NULL };
  TlTargetSearch   search = { .folders = folders };

  return tl_target_load (name, &search, overrides, NULL, tl_span (0, 0), diags);
}

/* One override or none. */
static TlTarget *
good (const char *name, const char *override)
{
  const char *overrides[] = { override, NULL };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = load (name, overrides, diags);

  if (tl_diags_count (diags) > 0)
    {
      g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
      ck_abort_msg ("%s", text);
    }
  ck_assert_ptr_nonnull (target);
  return target;
}

static char *
value_of (const TlTarget *target, const char *key)
{
  for (guint i = 0; i < tl_target_n_rows (target); i++)
    if (strcmp (tl_target_row (target, i)->key, key) == 0)
      return g_strdup (tl_target_row (target, i)->value);
  return g_strdup ("(none)");
}

/* name, override, key, value; the last row is wrong on purpose and must fail. */
static const struct
{
  const char *name, *override, *key, *value;
} rows[] = {
  { "gendram", NULL, "tRCD", "2.29 ns, 3.92 ns, 5.99 ns, 8.5 ns, 11.44 ns, 14.82 ns, 18.63 ns, 22.88 ns" },
  { "gendram", NULL, "tRC", "34.56 ns, 36.19 ns, 38.26 ns, 40.77 ns, 43.71 ns, 47.09 ns, 50.9 ns, 55.15 ns" },
  { "gendram", NULL, "tRP", "4.77 ns" },
  { "gendram", NULL, "tCL", "10 ns" },
  { "gendram", NULL, "tCWL", "8 ns" },
  { "gendram", NULL, "tCCD", "1 ns" },
  { "gendram", NULL, "tRTP", "5 ns" },
  { "gendram", NULL, "tWR", "10 ns" },
  { "gendram", NULL, "tWTR", "5 ns" },
  { "gendram", NULL, "tRRD", "4 ns" },
  { "gendram", NULL, "tFAW", "16 ns" },
  { "gendram", NULL, "refresh", "off" },
  { "gendram", NULL, "tREFI", "3900 ns" },
  { "gendram", NULL, "tRFC", "260 ns" },
  { "gendram", NULL, "capacity", "32 GiB" },
  { "gendram", NULL, "row", "1 KiB" },
  { "gendram", NULL, "rows", "32768" },
  { "gendram", NULL, "dram_energy", "0.429 pJ/bit" },
  { "gendram", NULL, "sram_shared_energy", "320.6 pJ" },
  { "gendram-stratum", NULL, "row", "4 KiB" },
  { "gendram-stratum", NULL, "capacity", "32 GiB" },
  { "gendram-stratum", NULL, "columns", "32" },
  { "cu-t8b16", NULL, "capacity", "1 GiB" },
  { "cu-t8b16", "quantum=64 B", "capacity", "512 MiB" },
  { "cu-t8b16", NULL, "tRCD", "6 ns, 8 ns, 10 ns, 12 ns, 14 ns, 16 ns, 18 ns, 20 ns" },
  { "cu-t4b16c4", NULL, "tRAS", "26 ns, 28 ns, 30 ns, 32 ns" },
  { "cu-t16b8", NULL, "columns", "8" },
  { "cu-t8b16r12c4", NULL, "rows", "4096" },
  { "cu-t8b32r12", NULL, "banks", "32" },
  { "cu-t4b32", NULL, "tiers", "4" },
  { "cu-t2b4", NULL, "columns", "4" },
  { "cu-t2b2", NULL, "banks", "2" },
  { "hbm2", NULL, "capacity", "8 GiB" },
  { "hbm3", NULL, "capacity", "16 GiB" },
  { "lesson", NULL, "capacity", "512 B" },
  { "oracle", NULL, "tRCD", "2.29 ns, 3.918 ns, 5.984 ns, 8.487 ns, 11.427 ns, 14.806 ns, 18.621 ns, 22.88 ns" },
  { "oracle", NULL, "tRAS", "20.555 ns, 22.183 ns, 24.249 ns, 26.752 ns, 29.692 ns, 33.071 ns, 36.886 ns, 41.145 ns" },
  { "oracle", NULL, "tRC", "34.555 ns, 36.183 ns, 38.249 ns, 40.752 ns, 43.692 ns, 47.071 ns, 50.886 ns, 55.145 ns" },
  { "oracle", NULL, "tRRD", "0 ns" },
  /* Overrides: what follows, follows; what is older gives way. */
  { "gendram", "pus=8", "pus", "8" },
  { "gendram", "pus=8", "search_pus", "2" },
  { "gendram", "target.banks=2", "rows", "65536" },
  { "gendram", "banks=2", "capacity", "32 GiB" },
  { "gendram", "banks=3", "capacity", "24 GiB" },
  { "gendram", "rows=1024", "capacity", "1 GiB" },
  { "gendram", "capacity=64 GiB", "rows", "65536" },
  { "gendram", "row=4 KiB", "columns", "32" },
  { "gendram", "tiers=4", "tRCD", "3.922 ns, 8.498 ns, 14.817 ns, 22.879 ns" },
  { "gendram", "tiers=16", "tRAS",
    "29.134 ns, 29.788 ns, 30.551 ns, 31.422 ns, 32.403 ns, 33.492 ns, 34.691 ns, 35.998 ns, 37.414 ns, 38.94 ns, "
    "40.574 ns, 42.317 ns, 44.169 ns, 46.13 ns, 48.2 ns, 50.379 ns" },
  { "gendram", "tRRD=5ns", "tRRD", "5 ns" },
  { "gendram", "tRCD=5 ns", "tRAS", "32.5 ns" },
  { "gendram", "tRCD.7=30 ns", "tRC", "34.56 ns, 36.19 ns, 38.26 ns, 40.77 ns, 43.71 ns, 47.09 ns, 50.9 ns, 62.27 ns" },
  { "gendram", "tRAS=tRCD + 30 ns", "tRAS",
    "32.29 ns, 33.92 ns, 35.99 ns, 38.5 ns, 41.44 ns, 44.82 ns, 48.63 ns, 52.88 ns" },
  { "gendram", "tRTP=2 ns + 1 ns a tier", "tRTP", "2 ns, 3 ns, 4 ns, 5 ns, 6 ns, 7 ns, 8 ns, 9 ns" },
  { "gendram", "tRC.1=50 ns", "tRC", "34.56 ns, 50 ns, 38.26 ns, 40.77 ns, 43.71 ns, 47.09 ns, 50.9 ns, 55.15 ns" },
  { "gendram", "clock=2 GHz", "burst", "0.5 ns" },
  { "gendram", "clock=625 ps", "clock", "0.625 ns" },
  { "cu-t8b16", "map=MOP4CLXOR", "map", "MOP4CLXOR" },
  { "cu-t8b16", "queue=8", "queue", "8" },
  { "gendram", "quantum=64 B", "columns", "16" },
  { "gendram", NULL, "tRP", "4.78 ns" },
};

START_TEST (numbers_are_as_written)
{
  g_autoptr (TlTarget) target = good (rows[_i].name, rows[_i].override);
  g_autofree char *value = value_of (target, rows[_i].key);

  if (_i + 1 == G_N_ELEMENTS (rows))
    ck_assert_str_ne (value, rows[_i].value);
  else
    ck_assert_str_eq (value, rows[_i].value);
}
END_TEST

START_TEST (pim_machine_is_complete)
{
  g_autoptr (TlTarget) target = good ("gendram", NULL);
  const TlPimMachine *pim = tl_target_pim_machine (target);

  ck_assert_ptr_nonnull (pim);
  ck_assert_ptr_null (tl_target_cu_machine (target));
  ck_assert_uint_eq (pim->clock, 1000);
  ck_assert_uint_eq (pim->pus, 32);
  ck_assert_uint_eq (pim->search_pus, 8);
  ck_assert_uint_eq (pim->pes, 16);
  ck_assert_uint_eq (pim->channels * pim->groups, 32);
  ck_assert_uint_eq (pim->banks, 4);
  ck_assert_uint_eq (pim->tiers, 8);
  ck_assert_uint_eq (pim->rows, 32768);
  ck_assert_uint_eq (pim->row_bytes, 1024);
  ck_assert_uint_eq (pim->beat_bytes, 128);
  ck_assert_uint_eq (pim->tier_bytes, G_GUINT64_CONSTANT (4) << 30);
  ck_assert_uint_eq (pim->sram_bytes, 768 << 10);
  ck_assert_uint_eq (pim->scratchpad_bytes, 256 << 10);
  ck_assert_uint_eq (pim->ring_bytes, 16);
  ck_assert_uint_eq (pim->burst, 1000);
  ck_assert_uint_eq (pim->tREFI, 0);
  ck_assert_uint_eq (pim->tier[7].tRCD, 22880);
  ck_assert_uint_eq (pim->tier[0].tRC, 34560);
  ck_assert_uint_eq (pim->dram_fj_per_bit, 429);
  ck_assert_uint_eq (pim->sram_shared_fj, 320600);

  /* The memory made from the machine alone is the target's own. */
  TlMemory memory;
  tl_memory_from_pim (&memory, pim);
  const TlMemory *own = tl_target_memory (target);
  ck_assert_uint_eq (memory.capacity, own->capacity);
  ck_assert_uint_eq (memory.columns, own->columns);
  ck_assert_uint_eq (memory.data_bus, own->data_bus);
  ck_assert_uint_eq (memory.tRRD_scope, own->tRRD_scope);
  ck_assert_uint_eq (memory.command_bus, own->command_bus);
  ck_assert_uint_eq (memory.pages, own->pages);
  ck_assert_int_eq (memcmp (memory.tier, own->tier, sizeof memory.tier), 0);
}
END_TEST

/* Every latency of the GenMLIR paper's table 2, to 0.1 ns. */
START_TEST (tier_latencies_are_the_papers)
{
  g_autoptr (TlTarget) target = good ("gendram", NULL);
  const TlPimMachine *pim = tl_target_pim_machine (target);
  guint64             mean = 0;

  for (guint t = 0; t < 4; t++)
    mean += pim->tier[t].tRC;
  const struct
  {
    guint64 ours, papers;
  } pairs[]
      = { { pim->tier[0].tRC, 34600 }, { mean / 4, 37400 }, { pim->tier[4].tRC, 43700 }, { pim->tier[7].tRC, 55100 } };
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    ck_assert_uint_le (MAX (pairs[i].ours, pairs[i].papers) - MIN (pairs[i].ours, pairs[i].papers), 100);
}
END_TEST

START_TEST (knobs_come_from_the_target)
{
  g_autoptr (TlTarget) oracle = good ("oracle", NULL);
  g_autoptr (TlTarget) gendram = good ("gendram", NULL);
  const char *key, *value;

  ck_assert_uint_eq (tl_target_n_knobs (oracle), 4);
  tl_target_get_knob (oracle, 3, &key, &value);
  ck_assert_str_eq (key, "ring");
  ck_assert_str_eq (value, "free");
  ck_assert_str_eq (tl_target_knob (oracle, "edges"), "padded");
  ck_assert_ptr_null (tl_target_knob (gendram, "edges"));
}
END_TEST

START_TEST (hash_follows_the_numbers)
{
  g_autoptr (TlTarget) a = good ("gendram", NULL);
  g_autoptr (TlTarget) same = good ("gendram", "tRRD=4000 ps");
  g_autoptr (TlTarget) other = good ("gendram", "tRRD=4001 ps");
  g_autoptr (TlTarget) lists = good ("lesson", "map=RoBaTiCoCh");
  g_autoptr (TlTarget) lesson = good ("lesson", NULL);
  g_autoptr (TlTarget) lesson1 = good ("lesson-c1", NULL);

  ck_assert_uint_eq (tl_target_hash (a), tl_target_hash (same));
  ck_assert_uint_ne (tl_target_hash (a), tl_target_hash (other));
  ck_assert_uint_eq (tl_target_hash (lists), tl_target_hash (lesson));
  ck_assert_uint_ne (tl_target_hash (lesson), tl_target_hash (lesson1));
}
END_TEST

START_TEST (show_and_list_are_complete)
{
  g_autoptr (TlTarget) target = good ("gendram", NULL);
  g_autofree char *text = tl_target_show (target);
  g_autofree char *keys = tl_target_keys_text ();
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *folder = tl_test_source_path ("tests/targets");
  const char      *folders[] = { folder, NULL };
  TlTargetSearch   search = { .folders = folders };
  gboolean         oracle = FALSE, gendram = FALSE;

  ck_assert_ptr_nonnull (strstr (text, "capacity 32 GiB = 16 channels"));
  ck_assert_ptr_nonnull (strstr (text, "address map (28 bits"));
  ck_assert_ptr_nonnull (strstr (text, "Stratum, table 1"));
  for (guint i = 0; i < TL_N_KEYS; i++)
    ck_assert_ptr_nonnull (strstr (keys, tl_key (i)->name));
  list = tl_target_list (&search);
  for (guint i = 0; i < list->len; i++)
    {
      const TlTargetEntry *entry = g_ptr_array_index (list, i);
      oracle |= strcmp (entry->name, "oracle") == 0;
      gendram |= strcmp (entry->name, "gendram") == 0 && entry->kind == TL_MACHINE_PIM;
      if (i > 0)
        ck_assert_str_lt (((TlTargetEntry *) g_ptr_array_index (list, i - 1))->name, entry->name);
    }
  ck_assert (oracle && gendram);
}
END_TEST

/* Each row of the oracle's table can be set: PUs and banks as it wants them. */
START_TEST (oracle_rows_can_be_set)
{
  g_autofree char *path = tl_test_shared_path ("oracle/gendram-oracle.csv");

  if (path == NULL)
    {
      tl_test_skip ("shared oracle not here");
      return;
    }
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  guint structures = 0;
  for (guint i = 1; i < table->len; i++)
    {
      if (strcmp (tl_test_cell (table, i, "kind"), "structure") != 0)
        continue;
      const char      *inputs = tl_test_cell (table, i, "inputs");
      g_autofree char *pus = tl_test_pair (inputs, "P");
      g_autofree char *banks = tl_test_pair (inputs, "banks");
      g_autofree char *set_pus = g_strconcat ("target.pus=", pus, NULL);
      g_autofree char *set_banks = g_strconcat ("target.banks=", banks, NULL);
      const char      *overrides[] = { set_pus, set_banks, NULL };
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlTarget) target = load ("oracle", overrides, diags);
      ck_assert_ptr_nonnull (target);
      ck_assert_uint_eq (tl_target_pim_machine (target)->pus, g_ascii_strtoull (pus, NULL, 10));
      ck_assert_uint_eq (tl_target_pim_machine (target)->banks, g_ascii_strtoull (banks, NULL, 10));
      ck_assert_uint_eq (tl_target_pim_machine (target)->tier_bytes, G_GUINT64_CONSTANT (4) << 30);
      structures++;
    }
  ck_assert_uint_eq (structures, 16);
}
END_TEST

/* Beside the program, then the folders, then what is built in. */
START_TEST (lookup_goes_outwards)
{
  g_autofree char *program = g_build_filename (tl_test_folder (), "p.gdsl", NULL);
  g_autofree char *beside = g_build_filename (tl_test_folder (), "nearby.xml", NULL);
  g_autofree char *inner = g_build_filename (tl_test_folder (), "inner", NULL);
  g_autofree char *far = g_build_filename (inner, "nearby.xml", NULL);
  g_autofree char *derived = g_build_filename (inner, "derived.xml", NULL);
  const char      *folders[] = { inner, NULL };
  TlTargetSearch   search = { program, folders }, no_program = { NULL, folders };
  g_autoptr (TlDiags) diags = tl_diags_new ();

  g_mkdir_with_parents (inner, 0700);
  g_file_set_contents (beside, "<target name='nearby' base='gendram'><timing><tRRD>1 ns</tRRD></timing></target>", -1,
                       NULL);
  g_file_set_contents (far, "<target name='nearby' base='gendram'><timing><tRRD>2 ns</tRRD></timing></target>", -1,
                       NULL);
  g_file_set_contents (derived, "<target name='derived' base='nearby'/>", -1, NULL);
  g_autoptr (TlTarget) a = tl_target_load ("nearby", &search, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (TlTarget) b = tl_target_load ("nearby", &no_program, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (TlTarget) c = tl_target_load ("nearby.xml", &search, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (TlTarget) d = tl_target_load ("derived", &search, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (TlTarget) e = tl_target_load (derived, NULL, NULL, NULL, tl_span (0, 0), diags);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
  ck_assert_uint_eq (tl_target_memory (a)->tRRD, 1000);
  ck_assert_uint_eq (tl_target_memory (b)->tRRD, 2000);
  ck_assert_uint_eq (tl_target_memory (c)->tRRD, 1000);
  ck_assert_uint_eq (tl_target_memory (d)->tRRD, 1000);
  ck_assert_uint_eq (tl_target_memory (e)->tRRD, 2000);
  ck_assert_str_eq (tl_target_name (d), "derived");

  g_setenv ("TIERLOOM_TARGETS", "a::b", TRUE);
  g_auto (GStrv) split = tl_target_folders ();
  g_unsetenv ("TIERLOOM_TARGETS");
  ck_assert_uint_eq (g_strv_length (split), 2);
}
END_TEST

/* Schema and reader know the same keys, sections and knobs; presets pass both. */
START_TEST (schema_agrees_with_reader)
{
  for (guint i = 0; i < TL_N_KEYS; i++)
    for (guint wrong = 0; wrong < 2; wrong++)
      {
        const TlKey     *key = tl_key (i);
        const char      *section = !wrong ? key->section : strcmp (key->section, "timing") == 0 ? "energy" : "timing";
        g_autofree char *xml = g_strdup_printf (
            "<target name='x' machine='cu'><%s><%s mark='P' source='s'%s>1</%s></%s></target>", section, key->name,
            key->kind == TL_KEY_TIER_TIME ? " tier='3'" : "", key->name, section);
        g_autoptr (TlDiags) diags = tl_diags_new ();
        xmlDoc *doc = tl_xml_read ("x.xml", xml, strlen (xml), diags);
        ck_assert_ptr_nonnull (doc);
        ck_assert_int_eq (tl_xml_validate ("x.xml", doc, diags), !wrong);
        xmlFreeDoc (doc);
      }
  g_autoptr (GPtrArray) names = tl_lookup_names (NULL);
  ck_assert_uint_ge (names->len, 14);
  for (guint i = 0; i < names->len; i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      gboolean failed;
      g_autoptr (TlTargetFile) file = tl_lookup_name (g_ptr_array_index (names, i), NULL, NULL, diags, &failed);
      gsize       length;
      const char *bytes = g_bytes_get_data (file->bytes, &length);
      xmlDoc     *doc = tl_xml_read (file->file, bytes, length, diags);
      ck_assert (tl_xml_validate (file->file, doc, diags));
      xmlFreeDoc (doc);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target-target");
  TCase *tcase = tcase_create ("target");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, numbers_are_as_written, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, pim_machine_is_complete);
  tcase_add_test (tcase, tier_latencies_are_the_papers);
  tcase_add_test (tcase, knobs_come_from_the_target);
  tcase_add_test (tcase, hash_follows_the_numbers);
  tcase_add_test (tcase, show_and_list_are_complete);
  tcase_add_test (tcase, oracle_rows_can_be_set);
  tcase_add_test (tcase, lookup_goes_outwards);
  tcase_add_test (tcase, schema_agrees_with_reader);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
