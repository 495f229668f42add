/* The cases of each suite. Models' dimensions are of their public configurations; up: K = hidden, N = expert, down the
 * other way; M = max (64, tile_m); elements of 16 bits, quanta of the target, weights K x N, one resident block. */
#include "study/study.h"

#include <string.h>

static const struct
{
  const char *name;
  guint16     hidden, expert;
} models[] = {
  { "Llama 4", 5120, 8192 },      { "Mixtral 8x7B", 4096, 14336 }, { "DeepSeek-V3", 7168, 2048 },
  { "Qwen3-30B-A3B", 2048, 768 }, { "gpt-oss-20b", 2880, 2880 },   { "OLMoE", 2048, 1024 },
};

static const guint16 tiles[][3]
    = { { 64, 128, 64 },  { 64, 64, 32 },  { 128, 256, 64 }, { 128, 128, 64 }, { 64, 64, 64 },
        { 128, 128, 32 }, { 64, 256, 64 }, { 32, 64, 64 },   { 256, 128, 64 } };

static const char *const organisations[]
    = { "cu-t8b16", "cu-t4b32", "cu-t16b8", "cu-t8b16r12c4", "cu-t8b32r12", "cu-t4b16c4" };

static void
case_free (gpointer data)
{
  g_free (((TlStudyCase *) data)->name);
  g_free (data);
}

static void
add (GPtrArray *cases, guint model, gboolean down, const guint16 tile[3], const char *target, gboolean hashes)
{
  TlStudyCase *one = g_new0 (TlStudyCase, 1);

  *one = (TlStudyCase) { .name = g_strdup_printf ("%s %s %ux%ux%u %s", models[model].name, down ? "down" : "up",
                                                  tile[0], tile[1], tile[2], target),
                         .target = target,
                         .m = MAX (64, tile[0]),
                         .n = down ? models[model].hidden : models[model].expert,
                         .k = down ? models[model].expert : models[model].hidden,
                         .tile = { tile[0], tile[1], tile[2] },
                         .hashes = hashes };
  g_ptr_array_add (cases, one);
}

const char *const *
tl_study_suites (void)
{
  static const char *const names[] = { "moe108", "retarget36", "hashes", NULL };

  return names;
}

GPtrArray *
tl_study_cases (const char *suite)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (case_free);

  if (strcmp (suite, "moe108") == 0)
    for (guint m = 0; m < G_N_ELEMENTS (models); m++)
      for (guint down = 0; down < 2; down++)
        for (guint t = 0; t < G_N_ELEMENTS (tiles); t++)
          add (cases, m, down, tiles[t], organisations[0], FALSE);
  else if (strcmp (suite, "retarget36") == 0)
    for (guint o = 0; o < G_N_ELEMENTS (organisations); o++)
      for (guint m = 0; m < G_N_ELEMENTS (models); m++)
        add (cases, m, FALSE, tiles[1], organisations[o], FALSE);
  else if (strcmp (suite, "hashes") == 0)
    add (cases, 0, FALSE, tiles[0], organisations[0], TRUE);
  else
    return NULL;
  return g_steal_pointer (&cases);
}
