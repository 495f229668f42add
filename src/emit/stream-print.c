/* A program as text for people: what `tierc build --emit=streams` shows on demand. */
#include "base/hash.h"
#include "base/number.h"
#include "emit/program-private.h"
#include "emit/stream.h"

#include <string.h>

void
tl_print_data (GString *out, const char *base, const GPtrArray *sources)
{
  if (*base != '\0')
    g_string_append_printf (out, "  data folder %s\n", base);
  for (guint d = 0; d < sources->len; d++)
    {
      const TlDataSource *source = sources->pdata[d];
      g_autofree char    *content = tl_hash_text (source->content_hash);

      g_string_append_printf (out, "  data %s = %s%s%s\n", source->name, source->source,
                              source->content_hash != 0 ? ", content " : "", source->content_hash != 0 ? content : "");
    }
}

static void
print_head (GString *out, const TlPimProgram *program)
{
  g_autofree char *semiring = tl_semiring_text (program->semiring);
  g_autofree char *element = tl_element_type_name (program->semiring->carrier.element);
  g_autofree char *hash = tl_hash_text (tl_pim_program_owner_hash (program));

  g_string_append_printf (out, "program %s on %s\n", program->name, program->target);
  g_string_append_printf (out, "  %s on %s, %u-bit elements%s\n", semiring, element, program->element_bits,
                          program->cycle_check ? ", checked for negative cycles" : "");
  g_string_append_printf (out, "  n %u, tile %u, %u x %u tiles\n", program->n, program->tile, program->tiles,
                          program->tiles);
  g_string_append_printf (out, "  mode %s, owner %s (map %s)\n", program->mode, program->owner_rule, hash);
  g_string_append_printf (out, "  edges %s, copies %s, copy_writes %s, ring %s, buffers %u\n",
                          tl_edges_name (program->edges), tl_copies_name (program->copies),
                          tl_copy_writes_name (program->copy_writes), tl_ring_name (program->ring), program->buffers);
  g_string_append_printf (out, "  barriers %s, page %s, values %s, baseline %s, seed %" G_GUINT64_FORMAT "\n",
                          tl_barriers_name (program->barriers), tl_page_name (program->page),
                          tl_values_name (program->values), tl_baseline_name (program->baseline), program->seed);
  tl_print_data (out, program->base, program->data);
}

static void
print_time (GString *out, const char *name, guint64 ps)
{
  g_autofree char *text = tl_format_ps (ps);

  g_string_append_printf (out, " %s %s", name, text);
}

static void
print_machine (GString *out, const TlPimMachine *machine)
{
  g_autofree char *tier = tl_format_bytes (machine->tier_bytes);
  g_autofree char *sram = tl_format_bytes (machine->sram_bytes);

  g_string_append_printf (out, "machine\n  %u PUs of %u lanes, %s each, clock %u ps\n", machine->pus, machine->pes,
                          sram, machine->clock);
  g_string_append_printf (out,
                          "  %u channels x %u bank groups x %u banks, %u tiers of %s, rows of %u bytes, "
                          "beats of %u\n",
                          machine->channels, machine->groups, machine->banks, machine->tiers, tier, machine->row_bytes,
                          machine->beat_bytes);
  g_string_append_printf (out, "  ring %u bytes a cycle, %u cycles a hop\n ", machine->ring_bytes, machine->ring_hop);
  print_time (out, "burst", machine->burst);
  print_time (out, "tCCD", machine->tCCD);
  print_time (out, "tRRD", machine->tRRD);
  print_time (out, "tFAW", machine->tFAW);
  print_time (out, "tWTR", machine->tWTR);
  print_time (out, "tREFI", machine->tREFI);
  print_time (out, "tRFC", machine->tRFC);
  g_string_append_c (out, '\n');
  for (guint t = 0; t < machine->tiers; t++)
    {
      const TlTierTiming *timing = &machine->tier[t];

      g_string_append_printf (out, "  tier %u:", t);
      print_time (out, "tRCD", timing->tRCD);
      print_time (out, "tRAS", timing->tRAS);
      print_time (out, "tRP", timing->tRP);
      print_time (out, "tRC", timing->tRC);
      print_time (out, "tRTP", timing->tRTP);
      print_time (out, "tWR", timing->tWR);
      print_time (out, "tCL", timing->tCL);
      print_time (out, "tCWL", timing->tCWL);
      g_string_append_c (out, '\n');
    }
}

static void
print_layout (GString *out, const TlPimProgram *program)
{
  const TlPlaceRule *place = &program->place;

  g_string_append_printf (out, "memory layout\n  tiles: %s %u", tl_place_name (place->kind), place->first);
  if (place->kind != TL_PLACE_TIER)
    g_string_append_printf (out, "..%u", place->last);
  g_string_append_c (out, '\n');
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);
      g_autofree char     *bytes = tl_format_bytes (share->bytes);

      g_string_append_printf (out, "  %s: %s in tier %u\n", share->name, bytes, share->tier);
    }
}

static void
print_code (GString *out, const TlPuStream *stream)
{
  guint depth = 1;

  g_string_append (out, "code of every PU\n");
  for (guint c = 0; c < stream->n_code; c++)
    {
      const TlCode *step = &stream->code[c];

      if (step->kind == TL_CODE_END_LOOP || step->kind == TL_CODE_END_OWN)
        {
          depth--;
          continue;
        }
      g_string_append_printf (out, "%*s", 2 * depth, "");
      switch (step->kind)
        {
        case TL_CODE_LOOP:
          g_string_append_printf (out, "for k in 0..%u:\n", step->a);
          depth++;
          break;
        case TL_CODE_FOR_OWN:
          g_string_append_printf (out, "for own %s tiles:\n", tl_phase_name (step->a));
          depth++;
          break;
        case TL_CODE_WAIT:
          g_string_append_printf (out, "wait %s\n", tl_operand_name (step->a));
          break;
        case TL_CODE_COPY:
          g_string_append_printf (out, "copy %s\n", tl_operand_name (step->a));
          break;
        case TL_CODE_READ:
          g_string_append_printf (out, "read %s%s\n", tl_operand_name (step->a), step->b ? " from its copy" : "");
          break;
        case TL_CODE_COMPUTE:
          g_string_append_printf (out, "compute on %u lanes\n", step->a);
          break;
        case TL_CODE_WRITE:
          g_string_append_printf (out, "write %s\n", tl_operand_name (step->a));
          break;
        case TL_CODE_BROADCAST:
          g_string_append_printf (out, "broadcast %s\n", tl_operand_name (step->a));
          break;
        default:
          g_string_append_printf (out, "barrier %u\n", step->a);
        }
    }
}

static void
print_owner_class (GString *out, const TlPimProgram *program, guint32 pu)
{
  const TlPuStream *stream = &program->streams[pu];
  guint64           tiles = 0;

  for (guint32 r = 0; r < stream->row_runs[program->tiles]; r++)
    tiles += stream->runs[r].count;
  g_string_append_printf (out, "PU %u: channel %u, bank group %u, %" G_GUINT64_FORMAT " tiles\n", pu,
                          tl_pim_program_channel (program, pu), tl_pim_program_group (program, pu), tiles);
  for (guint32 i = 0, next; i < program->tiles; i = next)
    {
      for (next = i + 1; next < program->tiles && tl_pu_same_row (stream, i, next);)
        next++;
      if (stream->row_runs[i] == stream->row_runs[i + 1])
        continue;
      g_string_append_printf (out, "  rows %u..%u:", i, next);
      for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
        {
          const TlTileRun *run = &stream->runs[r];

          if (run->count == 1)
            g_string_append_printf (out, " %u", run->first);
          else
            g_string_append_printf (out, " %u step %u x %u", run->first, run->step, run->count);
        }
      g_string_append_c (out, '\n');
    }
}

char *
tl_stream_print (const TlPimProgram *program)
{
  GString *out = g_string_new (NULL);

  print_head (out, program);
  print_machine (out, &program->machine);
  print_layout (out, program);
  print_code (out, &program->streams[0]);
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    print_owner_class (out, program, pu);
  return g_string_free (out, FALSE);
}
