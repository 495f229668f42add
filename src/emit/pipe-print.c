/* A program of wavefronts as text for people. */
#include "emit/pipe-program.h"

#include "base/number.h"
#include "emit/program-private.h"

static void
print_head (GString *out, const TlPipeProgram *program)
{
  const TlWaveTiling *tiling = &program->tiling;

  g_string_append_printf (out, "program %s on %s\n", program->name, program->target);
  g_string_append_printf (out, "  tiles of %u, %u-bit elements, %u table%s, edges %s\n", tiling->tile,
                          program->element_bits, program->n_tables, program->n_tables == 1 ? "" : "s",
                          tl_edges_name (tiling->edges));
  g_string_append_printf (out, "  waves of tiles with equal %u i + %u j, %u lanes, fill %u, skew %u\n",
                          tiling->order[0], tiling->order[1], tiling->pes, tiling->fill, tiling->skew);
  g_string_append_printf (out, "  mode %s, Search PUs %u, Compute PUs %u, owner %s\n", program->mode,
                          program->streams ? program->search : 0, program->compute, program->owner);
  g_string_append_printf (out, "  ring %s, edges of tiles %s\n", tl_ring_name (program->ring),
                          tl_copy_writes_name (program->copy_writes));
  if (program->streams)
    {
      g_autofree char *search = tl_format_ps (program->search_ps), *sweep = tl_format_ps (program->sweep_ps);

      g_string_append_printf (out, "  queue of %u places, %u bytes each, %s; a candidate in %s, worked on for %s\n",
                              program->depth, program->entry_bytes, program->depth_told ? "as told" : "from the ratio",
                              search, sweep);
      g_string_append_printf (out, "  words of %u letters\n", program->k);
    }
  if (*program->text == '\0')
    g_string_append (out, "  no recurrence: the stream was made of a module\n");
  tl_print_data (out, program->base, program->data);
}

static void
print_objects (GString *out, const TlPipeProgram *program)
{
  g_string_append (out, "memory layout\n");
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

      for (guint t = 0; t < program->machine.tiers; t++)
        if (object->in_tier[t] > 0)
          {
            g_autofree char *bytes = tl_format_bytes (object->in_tier[t]);
            g_string_append_printf (out, "  %-8s tier %u, %s\n", object->name, t, bytes);
          }
    }
}

static TlCodeView
code_of (const TlPipeProgram *program, guint32 pu)
{
  return (TlCodeView) { program->pus[pu].code, program->pus[pu].n_code };
}

static void
print_code (GString *out, const TlPipeProgram *program, guint32 first, guint32 last)
{
  const TlPipeStream *stream = &program->pus[first];
  guint               indent = 1;

  g_string_append_printf (out, first == last ? "PU %u\n" : "PUs %u to %u\n", first, last);
  if (stream->n_code == 0)
    g_string_append (out, "  idle\n");
  for (guint s = 0; s < stream->n_code; s++)
    {
      const TlCode *step = &stream->code[s];
      gboolean      ends
          = step->kind == TL_PIPE_END_READS || step->kind == TL_PIPE_END_JOBS || step->kind == TL_PIPE_END_WAVES;

      indent -= ends;
      g_string_append_printf (out, "%*s%s", (int) (2 * indent), "", tl_pipe_code_name (step->kind));
      if (step->kind == TL_PIPE_LOOKUP)
        g_string_append_printf (out, " %s, %s", g_array_index (program->objects, TlWaveObject, step->a).name,
                                g_array_index (program->objects, TlWaveObject, step->b).name);
      if (step->kind == TL_PIPE_EDGE)
        g_string_append_printf (out, " (%u,%u) %s", step->a & 1, step->a >> 1, step->b != 0 ? "travels" : "stays");
      g_string_append_c (out, '\n');
      indent += step->kind == TL_PIPE_FOR_READS || step->kind == TL_PIPE_FOR_JOBS || step->kind == TL_PIPE_FOR_WAVES;
    }
}

char *
tl_pipe_print (const TlPipeProgram *program)
{
  GString *out = g_string_new (NULL);
  guint32  pus = program->machine.pus;

  print_head (out, program);
  print_objects (out, program);
  for (guint32 first = 0, last; first < pus; first = last + 1)
    {
      for (last = first; last + 1 < pus && tl_code_equal (code_of (program, first), code_of (program, last + 1));)
        last++;
      print_code (out, program, first, last);
    }
  return g_string_free (out, FALSE);
}
