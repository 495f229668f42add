/* The seven problems of the compiler's paper (its Table 1), each a text of its own: one list of
 * passes for all, one module for all closures but for the pair of operators, one for all waves
 * but for what the text says of weights; pair and traversal derived. And how few lines they take. */
#include "support-engine.h"

#include <stdio.h>

static const struct
{
  const char *name;
  const char *text;
  const char *plus;
  const char *times;
  const char *traversal;
} problems[] = {
  { "shortest paths",
    "algorithm p\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
    "data D: i32 = road(1024, 3)\nconfig target = gendram\n",
    "min", "add", "blocked" },
  { "transitive closure",
    "algorithm p\n  D[i,j] = D[i,j] or (D[i,k] and D[k,j])  for k, i, j\n"
    "data D: i32 = matrix(\"m\")\nconfig target = gendram\n",
    "or", "and", "blocked" },
  { "widest path",
    "algorithm p\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))  for k, i, j\n"
    "data D: i32 = road(1024, 3)\nconfig target = gendram\n",
    "max", "min", "blocked" },
  { "minimax path",
    "algorithm p\n  D[i,j] = min(D[i,j], max(D[i,k], D[k,j]))  for k, i, j\n"
    "data D: i32 = road(1024, 3)\nconfig target = gendram\n",
    "min", "max", "blocked" },
  { "alignment",
    "algorithm p\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j\n"
    "data q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig score = match 2 mismatch -4, gap = 2\n",
    "max", "add", "wavefront" },
  { "edit distance",
    "algorithm p\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n  E[i,0] = i\n"
    "  E[0,j] = j\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\n",
    "min", "add", "wavefront" },
  { "Viterbi",
    "algorithm p\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
    "data A = matrix(\"a\")\ndata B = matrix(\"a\")\ndata o = matrix(\"o\")\n",
    "max", "add", "wavefront" },
};

static TlInputs *
inputs_new (void)
{
  TlInputs *inputs = tl_inputs_new_memory ();

  add_text (inputs, "m", "0,1,0\n0,0,1\n1,0,0\n");
  add_text (inputs, "q", ">q\nACGTACGT\n");
  add_text (inputs, "r", ">r\nACGGTACG\n");
  add_text (inputs, "a", "-1,-2\n-3,-1\n");
  add_text (inputs, "o", "0\n1\n1\n");
  return inputs;
}

static TlBuild *
build_problem (guint p, gboolean dumps)
{
  g_autoptr (TlInputs) inputs = inputs_new ();
  TlBuildOptions options = { .dumps = dumps, .no_loc = TRUE };
  TlBuild       *build = tl_build ("p.gdsl", problems[p].text, strlen (problems[p].text), inputs, &options, NULL, NULL);

  must_be_complete (build);
  return build;
}

/* The names of a dump's operations in their order, each once in a row. */
static char *
operations (const char *dump)
{
  GString    *names = g_string_new (NULL);
  const char *last = "";

  g_auto (GStrv) lines = g_strsplit (dump, "\n", -1);
  for (guint l = 0; lines[l] != NULL; l++)
    {
      char *at = strchr (lines[l], '"'), *end = at != NULL ? strchr (at + 1, '"') : NULL;

      if (end == NULL || end[1] != '(')
        continue;
      *end = '\0';
      /* The two operators themselves, and how many data there are, are the problem's. */
      if (strcmp (at + 1, last) == 0 || (g_str_has_prefix (at + 1, "dp.") && strlen (at + 4) <= 3))
        continue;
      last = at + 1;
      g_string_append_printf (names, "%s ", last);
    }
  return g_string_free (names, FALSE);
}

static gboolean
pair_is (const TlSemiring *semiring, guint p)
{
  return strcmp (tl_operator_name (semiring->plus.kind), problems[p].plus) == 0
         && strcmp (tl_operator_name (semiring->times.kind), problems[p].times) == 0;
}

/* The traversal of a module after G2, by its operation. */
static gboolean
traversal_is (const TlBuild *build, const char *traversal)
{
  gboolean waves = strstr (build->dump[TL_STAGE_G2], "\"dp.wavefront_update\"") != NULL;
  gboolean blocks = strstr (build->dump[TL_STAGE_G2], "\"dp.blocked_update\"") != NULL;

  return waves != blocks && strcmp (waves ? "wavefront" : "blocked", traversal) == 0;
}

START_TEST (one_list_of_passes_for_all)
{
  for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
    {
      g_autoptr (TlBuild) build = build_problem (p, TRUE);
      const TlSemiring *semiring = build->grid != NULL ? build->grid->semiring : build->recurrence->semiring;

      printf ("%-18s %s; %s over (%s, %s)\n", problems[p].name, build->passes, problems[p].traversal, problems[p].plus,
              problems[p].times);
      ck_assert_str_eq (build->passes, "recognise, tile, map, communicate, emit");
      ck_assert (pair_is (semiring, p));
      ck_assert_msg (traversal_is (build, problems[p].traversal), "%s", problems[p].name);
      for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G4; stage++)
        ck_assert_ptr_nonnull (build->dump[stage]);
      ck_assert_ptr_nonnull (build->stream);
      /* Another pair or traversal would be seen. */
      ck_assert (!pair_is (semiring, p == 1 ? 0 : 1));
      ck_assert (!traversal_is (build, "product"));
    }
}
END_TEST

/* After each group the closures' modules are the same operations, and so are the waves'. */
START_TEST (modules_differ_in_pair_and_traversal_only)
{
  static const guint first[] = { 0, 4 }, last[] = { 3, 6 };
  g_autoptr (TlBuild) model = build_problem (first[_i], TRUE);

  for (guint p = first[_i] + 1; p <= last[_i]; p++)
    {
      g_autoptr (TlBuild) build = build_problem (p, TRUE);

      for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G4; stage++)
        {
          g_autofree char *one = operations (model->dump[stage]), *other = operations (build->dump[stage]);
          ck_assert_msg (strcmp (one, other) == 0, "%s after %s:\n%s\n%s", problems[p].name, tl_stage_name (stage), one,
                         other);
        }
    }
  /* Before G2 chooses the traversal, all seven are. */
  g_autoptr (TlBuild) any = build_problem (_i == 0 ? 5 : 1, TRUE);
  g_autofree char *one = operations (model->dump[TL_STAGE_G1]), *other = operations (any->dump[TL_STAGE_G1]);
  g_autofree char *later = operations (model->dump[TL_STAGE_G2]), *other_later = operations (any->dump[TL_STAGE_G2]);
  ck_assert_str_eq (one, other);
  ck_assert_str_ne (later, other_later);
}
END_TEST

/* On one type and one graph three closures' modules are equal byte for byte once the semiring is
 * taken out, in all groups: nothing else of the problem is in them. */
START_TEST (closures_are_equal_but_for_the_semiring)
{
  g_autofree char   *first[TL_N_STAGES] = { NULL };
  static const guint same[] = { 0, 2, 3 };

  for (guint k = 0; k < G_N_ELEMENTS (same); k++)
    {
      g_autoptr (TlBuild) build = build_problem (same[k], TRUE);

      for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G4; stage++)
        {
          const char *rest = strstr (build->dump[stage], "\"dp.data\"");
          ck_assert_ptr_nonnull (rest);
          if (k == 0)
            first[stage] = g_strdup (rest);
          /* (min, +) checks for cycles where the others have none to fear. */
          g_auto (GStrv) parts = g_strsplit (rest, "cycle_check = true", -1);
          g_autofree char *plain = g_strjoinv ("cycle_check = false", parts);
          g_auto (GStrv) first_parts = g_strsplit (first[stage], "cycle_check = true", -1);
          g_autofree char *first_plain = g_strjoinv ("cycle_check = false", first_parts);
          ck_assert_str_eq (plain, first_plain);
        }
    }
  for (guint s = 0; s < TL_N_STAGES; s++)
    g_free (first[s]);
}
END_TEST

/* --- Lines --- */

static guint
lines_of (const char *text)
{
  guint lines = 0;

  g_auto (GStrv) all = g_strsplit (text, "\n", -1);
  for (guint l = 0; all[l] != NULL; l++)
    {
      g_strstrip (all[l]);
      lines += all[l][0] != '\0' && all[l][0] != '#';
    }
  return lines;
}

/* Shortest paths take four lines, alignment nine, a semiring of one's own one more: five. */
START_TEST (programs_are_short)
{
  static const struct
  {
    const char *name;
    guint       lines;
  } rows[] = { { "shortest-roads", 4 }, { "align-reads", 9 }, { "reliability", 5 } };
  g_autofree char *folder = tl_test_source_path ("examples");
  g_autofree char *file = g_strconcat (rows[_i].name, ".gdsl", NULL), *path = g_build_filename (folder, file, NULL);
  g_autofree char *text = NULL;
  TlBuildOptions   options = { .until = TL_STAGE_G1 };

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  printf ("%s: %u lines\n", rows[_i].name, lines_of (text));
  ck_assert_uint_eq (lines_of (text), rows[_i].lines);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);
  g_autoptr (TlBuild) build = tl_build (file, text, strlen (text), inputs, &options, NULL, NULL);
  must_be_complete (build);
  /* None of them can go. */
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint l = 0; lines[l] != NULL && l < 3; l++)
    if (lines[l][0] != '#' && lines[l][0] != '\0')
      {
        g_autoptr (GString) less = g_string_new (NULL);
        for (guint other = 0; lines[other] != NULL; other++)
          if (other != l)
            g_string_append_printf (less, "%s\n", lines[other]);
        g_autoptr (TlBuild) broken = tl_build (file, less->str, less->len, inputs, &options, NULL, NULL);
        ck_assert (!broken->complete);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-seven");
  TCase *tcase = tcase_create ("seven");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, one_list_of_passes_for_all);
  tcase_add_loop_test (tcase, modules_differ_in_pair_and_traversal_only, 0, 2);
  tcase_add_test (tcase, closures_are_equal_but_for_the_semiring);
  tcase_add_loop_test (tcase, programs_are_short, 0, 3);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
