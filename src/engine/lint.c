/* Lints that a program alone tells: the same for a text, a dump and a stream. */
#include "passes/lint.h"
#include "base/number.h"
#include "engine/build-private.h"

#include <string.h>

static void
lint_owner (const TlPimProgram *program, TlDiags *diags)
{
  TlOwnerLint lint = tl_owner_lint_map (program->owner, program->tiles, program->machine.pus);

  tl_lint_owner (&lint, program->owner_rule, program->tiles, program->machine.pus, program->barriers, NULL,
                 tl_span (0, 0), diags);
}

static void
lint_tiers (const TlPimProgram *program, TlDiags *diags)
{
  guint64 matrix[TL_MAX_TIERS] = { 0 }, copies[TL_MAX_TIERS] = { 0 };

  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);

      *(strcmp (share->name, "copies") == 0 ? &copies[share->tier] : &matrix[share->tier]) += share->bytes;
    }
  tl_lint_tiers (matrix, copies, program->machine.tiers, program->machine.tier_bytes, "", 0, 0, diags);
}

void
tl_program_lint_groups (const TlPimProgram *program, TlDiags *diags)
{
  const TlPimMachine *machine = &program->machine;
  guint64             room = machine->tier_bytes / ((guint64) machine->channels * machine->groups) * machine->tiers;
  guint64             most = 0;
  guint32             most_pu = 0;

  for (guint32 pu = 0; pu < machine->pus; pu++)
    {
      const TlPuStream *stream = &program->streams[pu];
      guint64           bytes = 0;

      for (guint32 i = 0; i < program->tiles; i++)
        for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
          {
            const TlTileRun *run = &stream->runs[r];
            guint32          last = run->first + (run->count - 1) * run->step;

            bytes += (run->count - 1) * tl_pim_program_tile_bytes (program, i, run->first)
                     + tl_pim_program_tile_bytes (program, i, last);
          }
      if (bytes > most)
        {
          most = bytes;
          most_pu = pu;
        }
    }
  if (most > room)
    {
      g_autofree char *owned = tl_format_bytes (most);
      g_autofree char *holds = tl_format_bytes (room);

      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_WARNING, "group-overfull", NULL, tl_span (0, 0),
                                    "PU %u owns %s of the matrix; its bank group holds %s in all tiers", most_pu, owned,
                                    holds),
                      "a PU's tiles lie in its own bank group; the run is timed as if they fitted. More PUs, or an "
                      "owner rule that spreads the tiles, mend it");
    }
}

void
tl_program_lint (const TlPimProgram *program, TlDiags *diags)
{
  lint_owner (program, diags);
  lint_tiers (program, diags);
}
