/* A program of wavefronts as canonical bytes. */
#include "emit/pipe-private.h"
#include "emit/stream-bytes-private.h"

#include <string.h>

static void
put_program (GByteArray *out, const TlPipeProgram *program)
{
  const TlWaveTiling *tiling = &program->tiling;
  const guint64       numbers[] = {
          program->element_bits,
          program->n_tables,
          tiling->tile,
          tiling->pes,
          tiling->fill,
          tiling->skew,
          tiling->order[0],
          tiling->order[1],
          tiling->edges,
          tiling->reduced,
          program->band.kind,
          (guint64) program->band.cells,
          program->rows,
          program->columns,
          program->sides[0],
          program->sides[1],
          program->search,
          program->compute,
          program->page,
          program->ring,
          program->values,
          program->baseline,
          program->seed,
          program->streams,
          program->k,
          program->pointers,
          program->positions,
          program->depth,
          program->entry_bytes,
          program->depth_told,
          program->search_ps,
          program->sweep_ps,
  };
  guint64 share;

  tl_put_text (out, program->name);
  tl_put_text (out, program->target);
  tl_put_text (out, program->mode);
  tl_put_text (out, program->owner_rule);
  tl_put_text (out, program->owner);
  for (guint n = 0; n < G_N_ELEMENTS (numbers); n++)
    tl_put_varint (out, numbers[n]);
  memcpy (&share, &program->band.share, sizeof share);
  tl_put_fixed (out, share, 8);
}

static void
put_objects (GByteArray *out, const TlPipeProgram *program)
{
  tl_put_varint (out, program->objects->len);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

      tl_put_text (out, object->name);
      tl_put_varint (out, object->bytes);
      tl_put_varint (out, object->dependent);
      tl_put_varint (out, object->streamed);
      for (guint t = 0; t < program->machine.tiers; t++)
        tl_put_varint (out, object->in_tier[t]);
    }
}

static gboolean
same_code (const TlPipeStream *a, const TlPipeStream *b)
{
  if (a->n_code != b->n_code)
    return FALSE;
  for (guint c = 0; c < a->n_code; c++)
    if (a->code[c].kind != b->code[c].kind || a->code[c].a != b->code[c].a || a->code[c].b != b->code[c].b)
      return FALSE;
  return TRUE;
}

/* The distinct loop programs, numbered as they first appear, then the number of each PU's. */
static void
put_code (GByteArray *out, const TlPipeProgram *program)
{
  guint32             pus = program->machine.pus, n = 0;
  g_autofree guint32 *first = g_new (guint32, pus), *code_of = g_new (guint32, pus);

  for (guint32 pu = 0; pu < pus; pu++)
    {
      guint32 c = 0;

      while (c < n && !same_code (&program->pus[first[c]], &program->pus[pu]))
        c++;
      if (c == n)
        first[n++] = pu;
      code_of[pu] = c;
    }
  tl_put_varint (out, n);
  for (guint32 c = 0; c < n; c++)
    {
      const TlPipeStream *stream = &program->pus[first[c]];

      tl_put_varint (out, stream->n_code);
      for (guint s = 0; s < stream->n_code; s++)
        {
          tl_put_varint (out, stream->code[s].kind);
          tl_put_varint (out, stream->code[s].a);
          tl_put_varint (out, stream->code[s].b);
        }
    }
  for (guint32 pu = 0; pu < pus; pu++)
    tl_put_varint (out, code_of[pu]);
}

GBytes *
tl_pipe_encode (const TlPipeProgram *program)
{
  static const char tags[TL_PIPE_N_TAGS][5] = TL_PIPE_TAGS;
  GByteArray       *out = g_byte_array_sized_new (1 << 12);

  g_byte_array_set_size (out, TL_STREAM_HEADER_BYTES);
  for (guint s = 0; s < TL_PIPE_N_TAGS; s++)
    {
      guint start = tl_put_section (out, tags[s]);

      switch (s)
        {
        case 0:
          put_program (out, program);
          break;
        case 1:
          tl_put_machine (out, &program->machine);
          break;
        case 2:
          tl_put_text (out, program->base);
          tl_put_sources (out, program->data);
          break;
        case 3:
          put_objects (out, program);
          break;
        default:
          put_code (out, program);
        }
      tl_put_section_end (out, start);
    }
  tl_put_header (out, TL_PIPE_N_TAGS);
  return g_byte_array_free_to_bytes (out);
}
