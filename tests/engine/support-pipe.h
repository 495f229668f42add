/* Programs of wavefronts, reads for them and their runs, for the suites of the machine under
 * wavefronts. */
#pragma once

#include "support-engine.h"

#include "engine/grid-run.h"
#include "input/sequence.h"

#define ALIGN                                                                                                          \
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "      \
  "within band\n"
#define SCORES "config score = match 2 mismatch -4, gap = 2\n"
#define STREAM                                                                                                         \
  ALIGN "data q = reads(\"reads\")\ndata r = genome(30000, 5)\ndata PTR, CAL = index(r, k = 11)\n"                     \
        "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\nconfig band = 15%\n" SCORES

/* Reads cut from the genome of STREAM, of the given lengths, a letter changed here and there. */
static inline TlInputs *
reads_of (const guint *lengths, guint n)
{
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (GString) text = g_string_new (NULL);
  TlInputs *inputs = tl_inputs_new_memory ();
  guint64   state = tl_test_seed ();

  for (guint k = 0; k < n; k++)
    {
      guint64          at = tl_test_random_below (&state, 30000 - lengths[k]);
      g_autofree char *letters = g_strndup (genome->letters + at, lengths[k]);

      for (guint i = 5; i < lengths[k]; i += 13)
        letters[i] = "ACGT"[tl_test_random_below (&state, 4)];
      g_string_append_printf (text, ">%u\n%s\n", k, letters);
    }
  add_text (inputs, "reads", text->str);
  return inputs;
}

static inline TlBuild *
must_make (const char *text, TlInputs *inputs, const char *const *settings)
{
  TlBuild         *build = build_text (text, inputs, settings);
  g_autofree char *said = diags_text (build->diags);

  ck_assert_msg (build->complete && build->pipe != NULL && build->program == NULL, "%.2000s\n%.1000s", text, said);
  return build;
}

static inline TlGridRun *
must_time (TlBuild *build, gboolean values)
{
  TlGridRunOptions options = { .trace = TRUE, .time = TRUE, .skip_values = !values, .commands = TRUE, .threads = 2 };
  TlGridRun       *run = tl_grid_run (build, &options);
  g_autofree char *said = diags_text (run->diags);

  ck_assert_msg (run->complete && run->sim != NULL, "%.1000s", said);
  return run;
}
