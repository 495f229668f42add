/* Short ways to builds and runs for the engine's suites. */
#pragma once

#include "engine/run.h"
#include "support/diags.h"
#include "support/support.h"

#include <string.h>

#define SETS(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* Builds a program text; settings may be NULL. */
static inline TlBuild *
build_text (const char *text, TlInputs *inputs, const char *const *settings)
{
  TlBuildOptions options = { .config = settings };
  g_autoptr (TlInputs) none = tl_inputs_new_memory ();

  return tl_build ("test.gdsl", text, strlen (text), inputs != NULL ? inputs : none, &options, NULL, NULL);
}

static inline void
add_text (TlInputs *inputs, const char *name, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  tl_inputs_add (inputs, name, bytes);
}

static inline void
must_be_complete (const TlBuild *build)
{
  if (!build->complete)
    {
      g_autofree char *text = diags_text (build->diags);

      ck_abort_msg ("build failed:\n%.2000s", text);
    }
}

static inline gboolean
has_code (const TlDiags *diags, const char *code)
{
  for (guint d = 0; d < tl_diags_count (diags); d++)
    if (strcmp (tl_diags_get (diags, d)->code, code) == 0)
      return TRUE;
  return FALSE;
}

static inline TlRun *
must_run (TlBuild *build, const TlRunOptions *options)
{
  TlRun *run;

  must_be_complete (build);
  run = tl_run (build, options, NULL);
  if (!run->complete)
    {
      g_autofree char *text = diags_text (run->diags);

      ck_abort_msg ("run failed:\n%.2000s", text);
    }
  return run;
}

/* Everything that `tierc run --json` prints, as text. (transfer full) */
static inline char *
run_text (const TlRun *run)
{
  GString *all = g_string_new (NULL);

#define U64 G_GUINT64_FORMAT
  g_string_append_printf (all, "%s %s %u %u %u %s %s owner %s %016" G_GINT64_MODIFIER "x %u %u\n", run->program,
                          run->target, run->n, run->tile, run->tiles_per_side, run->mode, run->simulation,
                          run->owner.rule, run->owner.fnv1a64, run->owner.min, run->owner.max);
  g_string_append_printf (all, "ops %" U64 " %" U64 " %" U64 " %" U64 "\n", run->ops.total, run->ops.pivot,
                          run->ops.rowcol, run->ops.internal);
  g_string_append_printf (all, "commands %" U64 " %" U64 " %" U64 " %" U64 " %" U64 "\n", run->commands.act,
                          run->commands.rd, run->commands.wr, run->commands.pre, run->commands.ref);
  g_string_append_printf (all, "rows %" U64 " %" U64 " %" U64 " bytes %" U64 " %" U64 "\n", run->rows.hit,
                          run->rows.miss, run->rows.conflict, run->bytes.read, run->bytes.written);
  g_string_append_printf (all, "makespan %" U64 " bound %" U64 " flows %" U64 " %" U64 " %" U64 " %" U64 "\n",
                          run->makespan_ps, run->bound_ps, run->flows[0], run->flows[1], run->flows[2], run->flows[3]);
  g_string_append_printf (all, "result %d %016" G_GINT64_MODIFIER "x %" U64 " %s %s %s\n", run->has_result,
                          run->result_hash, run->finite, run->min_text != NULL ? run->min_text : "-",
                          run->max_text != NULL ? run->max_text : "-",
                          run->result_reason != NULL ? run->result_reason : "-");
  for (guint l = 0; l < run->lints->len; l++)
    {
      const TlRunLint *lint = run->lints->pdata[l];

      g_string_append_printf (all, "lint %s: %s\n", lint->code, lint->message);
    }
#undef U64
  return g_string_free (all, FALSE);
}
