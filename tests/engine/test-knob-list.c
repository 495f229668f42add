/* Every knob of a build with its value, who chose it, what it follows from and what it may be; on both kinds of target. */
#include "dsl/knobs.h"
#include "engine/knob-list.h"
#include "passes/cu-knobs.h"
#include "support-engine.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#define PRODUCT                                                                                                        \
  "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[100, 300]\ndata W: i6[300, 200]\n"
#define CLOSURE "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(1024, 7)\n"
#define WAVES                                                                                                          \
  "algorithm edit\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n  E[i,0] = i\n"  \
  "  E[0,j] = j\ndata q = genome(400, 1)\ndata r = genome(500, 2)\nconfig target = gendram\n"

static TlBuild *
build (const char *text, const char *const *folders)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .folders = folders };

  return tl_build ("t.gdsl", text, strlen (text), inputs, folders != NULL ? &options : NULL, NULL, NULL);
}

static const TlKnobState *
state (const GPtrArray *states, const char *name)
{
  for (guint s = 0; s < states->len; s++)
    {
      g_autofree char *own = tl_knob_state_name (states->pdata[s]);

      if (strcmp (own, name) == 0)
        return states->pdata[s];
    }
  ck_abort_msg ("there is no knob %s", name);
}

typedef struct
{
  const char *name, *value, *legal;
  TlChosen    chosen;
} Row;

static void
expect (const char *text, const Row *rows, guint n)
{
  g_autoptr (TlBuild) built = build (text, NULL);
  g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);

  ck_assert_msg (built->complete, "%s", tl_diags_count (built->diags) ? tl_diags_get (built->diags, 0)->message : "");
  ck_assert_uint_eq (states->len, n);
  for (guint r = 0; r < n; r++)
    {
      const TlKnobState *one = state (states, rows[r].name);

      ck_assert_str_eq (one->value, rows[r].value);
      ck_assert_msg (one->chosen == rows[r].chosen, "%s", rows[r].name);
      if (rows[r].legal != NULL)
        ck_assert_str_eq (one->legal, rows[r].legal);
      ck_assert (one->rule != NULL && *one->rule != '\0' && one->legal != NULL && *one->legal != '\0');
      ck_assert (one->chosen != TL_CHOSEN_YOU || one->span.end > one->span.start);
    }
}

START_TEST (a_products_knobs)
{
  static const Row rows[] = {
    { "tile", "(64, 128, 64)", NULL, TL_CHOSEN_DERIVED },
    { "stages", "4", "1 to 64", TL_CHOSEN_YOU },
    { "resident", "1", "1 or more", TL_CHOSEN_DERIVED },
    { "skew", "0", "0 or more", TL_CHOSEN_DERIVED },
    { "weights", "kxn", "kxn or nxk", TL_CHOSEN_DERIVED },
    { "slab", "1", "1 or more", TL_CHOSEN_DERIVED },
    { "quantum", "64", "a power of two from 2 to 65,536", TL_CHOSEN_YOU },
    { "queue", "32", "1 to 64", TL_CHOSEN_DERIVED },
    { "page", "open", "closed or open", TL_CHOSEN_TARGET },
    { "values", "auto", "auto, on or off", TL_CHOSEN_DERIVED },
    { "seed", "0", "0 or more", TL_CHOSEN_DERIVED },
    { "place A", "plan", NULL, TL_CHOSEN_DERIVED },
    { "place W", "packed", NULL, TL_CHOSEN_YOU },
  };

  expect (PRODUCT "config target = cu-t8b16, stages = 4, quantum = 64\nplace W = packed\n", rows, G_N_ELEMENTS (rows));
}
END_TEST

START_TEST (a_closures_knobs)
{
  static const Row rows[] = {
    { "tile", "256", "1 to 181: 6 tiles of 32-bit elements within 768 KiB", TL_CHOSEN_DERIVED },
    { "mode", "broadcast", NULL, TL_CHOSEN_DERIVED },
    { "traversal", "blocked", NULL, TL_CHOSEN_DERIVED },
    { "barriers", "dataflow", NULL, TL_CHOSEN_DERIVED },
    { "owner", "skewed", NULL, TL_CHOSEN_YOU },
    { "edges", "trimmed", "trimmed or padded", TL_CHOSEN_DERIVED },
    { "copies", "t0", NULL, TL_CHOSEN_DERIVED },
    { "copy_writes", "free", NULL, TL_CHOSEN_DERIVED },
    { "ring", "on", NULL, TL_CHOSEN_DERIVED },
    { "buffers", "2", "1 or 2", TL_CHOSEN_YOU },
    { "split", "8 : 24", NULL, TL_CHOSEN_DERIVED },
    { "precision", "32", "32 to 64 bits", TL_CHOSEN_DERIVED },
    { "page", "closed", NULL, TL_CHOSEN_DERIVED },
    { "values", "auto", NULL, TL_CHOSEN_DERIVED },
    { "baseline", "B3", NULL, TL_CHOSEN_DERIVED },
    { "seed", "0", "0 or more", TL_CHOSEN_DERIVED },
    { "place D", "stripe 0..3", NULL, TL_CHOSEN_YOU },
  };
  Row with_tile[G_N_ELEMENTS (rows)];

  /* Two sets of tiles make the derived one smaller. */
  memcpy (with_tile, rows, sizeof rows);
  with_tile[0].value = "181";
  expect (CLOSURE "config target = gendram, owner = skewed, buffers = 2\nplace D = stripe 0..3\n", with_tile,
          G_N_ELEMENTS (with_tile));
}
END_TEST

/* Waves have no barriers, copies or buffers; what is derived later is told from the program. */
START_TEST (waves_have_fewer)
{
  g_autoptr (TlBuild) built = build (WAVES, NULL);
  g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);

  ck_assert_msg (built->complete, "%s", tl_diags_count (built->diags) ? tl_diags_get (built->diags, 0)->message : "");
  ck_assert_str_eq (state (states, "traversal")->value, "wavefront");
  ck_assert_str_eq (state (states, "tile")->value, "144");
  for (guint s = 0; s < states->len; s++)
    ck_assert_str_ne (((const TlKnobState *) states->pdata[s])->key, "barriers");
}
END_TEST

/* Each object of wavefronts has its place: by what hangs on it, or as a line says it. */
START_TEST (waves_place_every_object)
{
  g_autoptr (TlBuild) built = build (WAVES "place q = stripe 1..2\n", NULL);
  g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);
  guint places = 0;

  ck_assert (built->complete);
  for (guint s = 0; s < states->len; s++)
    {
      const TlKnobState *each = states->pdata[s];

      if (strcmp (each->key, "place") != 0)
        {
          ck_assert_ptr_null (each->detail);
          continue;
        }
      ck_assert_ptr_nonnull (each->operand);
      ck_assert_ptr_nonnull (each->detail);
      ck_assert_str_eq (each->legal, "auto, tier N, fill A..B or stripe A..B within 0 to 7");
      places++;
    }
  ck_assert_uint_eq (places, built->pipe->objects->len);
  ck_assert_str_eq (state (states, "place q")->value, "stripe 1..2");
  ck_assert_int_eq (state (states, "place q")->chosen, TL_CHOSEN_YOU);
  ck_assert_int_eq (state (states, "place r")->chosen, TL_CHOSEN_DERIVED);
  ck_assert_str_eq (state (states, "place r")->value, "tier 0");
  ck_assert (g_str_has_suffix (state (states, "place r")->detail, " in T0"));
  ck_assert_ptr_nonnull (strstr (state (states, "place q")->detail, ": T1 "));
}
END_TEST

/* What a machine says of itself holds where the program is silent, on compute units too. */
START_TEST (machines_have_defaults)
{
  g_autofree char *folder = g_dir_make_tmp ("tierloom-knobs-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.xml", NULL);
  const char      *folders[] = { folder, NULL };
  static const struct
  {
    const char *config;
    Row         rows[6];
  } cases[] = {
    { "",
      { { "tile", "(32, 64, 32)", NULL, TL_CHOSEN_TARGET },
        { "weights", "nxk", NULL, TL_CHOSEN_TARGET },
        { "resident", "2", NULL, TL_CHOSEN_TARGET },
        { "stages", "5", NULL, TL_CHOSEN_TARGET },
        { "page", "open", NULL, TL_CHOSEN_TARGET },
        { "skew", "0", NULL, TL_CHOSEN_DERIVED } } },
    { ", tile = 64, weights = kxn, resident = 1, stages = 2, page = closed, skew = 3",
      { { "tile", "(64, 64, 64)", NULL, TL_CHOSEN_YOU },
        { "weights", "kxn", NULL, TL_CHOSEN_YOU },
        { "resident", "1", NULL, TL_CHOSEN_YOU },
        { "stages", "2", NULL, TL_CHOSEN_YOU },
        { "page", "closed", NULL, TL_CHOSEN_YOU },
        { "skew", "3", NULL, TL_CHOSEN_YOU } } },
  };

  ck_assert (g_file_set_contents (path,
                                  "<target name=\"own\" base=\"cu-t8b16\"><knobs tile=\"(32, 64, 32)\" weights=\"nxk\" "
                                  "resident=\"2\" stages=\"5\"/></target>\n",
                                  -1, NULL));
  g_autofree char *shipped = g_strdup (g_getenv ("TIERLOOM_TARGETS"));
  const char      *both[] = { folder, shipped, NULL };
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *text = g_strconcat (PRODUCT "config target = own", cases[c].config, "\n", NULL);
      g_autoptr (TlBuild) built = build (text, shipped != NULL ? both : folders);
      g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);

      ck_assert_msg (built->complete, "%s",
                     tl_diags_count (built->diags) ? tl_diags_get (built->diags, 0)->message : "");
      for (guint r = 0; r < G_N_ELEMENTS (cases[c].rows); r++)
        {
          const Row *row = &cases[c].rows[r];

          ck_assert_str_eq (state (states, row->name)->value, row->value);
          ck_assert_msg (state (states, row->name)->chosen == row->chosen, "%s", row->name);
        }
      ck_assert_uint_eq (built->product->shape.resident, c == 0 ? 2 : 1);
      ck_assert_uint_eq (built->product->stages, c == 0 ? 5 : 2);
      ck_assert_uint_eq (built->product->shape.tile_n, 64);
      ck_assert_int_eq (built->product->shape.transposed, c == 0);
    }
  g_unlink (path);
  g_rmdir (folder);
}
END_TEST

/* Values that are refused leave the others to be shown. */
START_TEST (refused_values_leave_the_rest)
{
  static const char *const configs[]
      = { "stages = 65", "tile = (5, 5, 5)", "tile = (2, 2)", "queue = 65", "mode = broadcast" };

  for (guint c = 0; c < G_N_ELEMENTS (configs); c++)
    {
      g_autofree char *text = g_strconcat (PRODUCT "config target = cu-t8b16, skew = 3, ", configs[c], "\n", NULL);
      g_autoptr (TlBuild) built = build (text, NULL);
      g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);

      ck_assert (!built->complete);
      ck_assert_uint_eq (tl_diags_errors (built->diags), 1);
      ck_assert_uint_eq (states->len, TL_N_CU_KNOBS);
      ck_assert_str_eq (state (states, "skew")->value, "3");
      for (guint s = 0; s < states->len; s++)
        ck_assert_ptr_nonnull (((const TlKnobState *) states->pdata[s])->value);
    }
}
END_TEST

/* No recurrence, no target: no knobs, and nothing breaks. */
START_TEST (what_has_none)
{
  static const char *const texts[] = { "", "algorithm\n", CLOSURE "config target = nowhere\n",
                                       CLOSURE "config target = cu-t8b16\n", PRODUCT "config target = gendram\n" };

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (TlBuild) built = build (texts[t], NULL);
      g_autoptr (GPtrArray) states = tl_build_knobs (built, NULL);

      ck_assert_uint_eq (states->len, 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("knob-list");
  TCase *tcase = tcase_create ("knob-list");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, a_products_knobs);
  tcase_add_test (tcase, a_closures_knobs);
  tcase_add_test (tcase, waves_have_fewer);
  tcase_add_test (tcase, waves_place_every_object);
  tcase_add_test (tcase, machines_have_defaults);
  tcase_add_test (tcase, refused_values_leave_the_rest);
  tcase_add_test (tcase, what_has_none);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
