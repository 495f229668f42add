/* From bytes of unknown origin to a program of wavefronts. As with closures nothing is
 * believed, and at the end the program is encoded again and must give the same bytes. */
#include "emit/pipe-private.h"
#include "emit/stream-bytes-private.h"

#include <string.h>

static void
get_program (TlStreamReader *reader, TlPipeProgram *program)
{
  TlWaveTiling *tiling = &program->tiling;
  guint64       share;

  program->name = tl_get_text (reader);
  program->target = tl_get_text (reader);
  program->mode = tl_get_text (reader);
  program->owner_rule = tl_get_text (reader);
  program->owner = tl_get_text (reader);
  program->element_bits = tl_get_number (reader);
  program->n_tables = tl_get_number (reader);
  tiling->tile = tl_get_number (reader);
  tiling->pes = tl_get_number (reader);
  tiling->fill = tl_get_number (reader);
  tiling->skew = tl_get_number (reader);
  for (guint o = 0; o < 2; o++)
    {
      guint32 order = tl_get_number (reader);

      if (order > 1)
        tl_get_fail (reader, "%u is no order of tiles", order);
      tiling->order[o] = (guint8) order;
    }
  tiling->edges = tl_get_number (reader);
  tiling->reduced = tl_get_number (reader);
  program->band.kind = tl_get_number (reader);
  program->band.cells = tl_get_number (reader);
  program->rows = tl_get_varint (reader);
  program->columns = tl_get_varint (reader);
  program->sides[0] = tl_get_number (reader);
  program->sides[1] = tl_get_number (reader);
  program->search = tl_get_number (reader);
  program->compute = tl_get_number (reader);
  program->page = tl_get_number (reader);
  program->ring = tl_get_number (reader);
  program->values = tl_get_number (reader);
  program->baseline = tl_get_number (reader);
  program->seed = tl_get_varint (reader);
  program->streams = (gboolean) tl_get_number (reader);
  program->k = tl_get_number (reader);
  program->pointers = tl_get_number (reader);
  program->positions = tl_get_number (reader);
  program->depth = tl_get_number (reader);
  program->entry_bytes = tl_get_number (reader);
  program->depth_told = (gboolean) tl_get_number (reader);
  program->search_ps = tl_get_varint (reader);
  program->sweep_ps = tl_get_varint (reader);
  share = tl_get_fixed (reader, 8);
  memcpy (&program->band.share, &share, sizeof share);
}

static void
get_objects (TlStreamReader *reader, TlPipeProgram *program)
{
  guint32 count = tl_get_count (reader, 5);

  for (guint32 o = 0; o < count && reader->fault == NULL; o++)
    {
      TlWaveObject object = { .name = tl_get_text (reader) };

      object.bytes = tl_get_varint (reader);
      object.dependent = tl_get_varint (reader);
      object.streamed = tl_get_varint (reader);
      for (guint t = 0; t < program->machine.tiers; t++)
        object.in_tier[t] = tl_get_varint (reader);
      g_array_append_val (program->objects, object);
    }
}

static void
get_steps (TlStreamReader *reader, TlPipeStream *stream)
{
  stream->code = g_new0 (TlCode, TL_PIPE_MAX_CODE);
  stream->n_code = tl_get_count (reader, 3);
  if (stream->n_code > TL_PIPE_MAX_CODE)
    {
      tl_get_fail (reader, "a code of %u steps", stream->n_code);
      stream->n_code = 0;
    }
  for (guint s = 0; s < stream->n_code && reader->fault == NULL; s++)
    {
      guint32 kind = tl_get_number (reader);

      if (kind >= TL_PIPE_N_CODES)
        tl_get_fail (reader, "%u is no step of a code", kind);
      stream->code[s].kind = (guint8) kind;
      stream->code[s].a = tl_get_number (reader);
      stream->code[s].b = tl_get_number (reader);
    }
}

static void
get_code (TlStreamReader *reader, TlPipeProgram *program)
{
  guint32                  n = tl_get_count (reader, 1), pus = program->machine.pus;
  g_autofree TlPipeStream *codes = NULL;

  if (n > pus || pus > TL_MAX_PUS)
    tl_get_fail (reader, "%u codes for %u PUs", n, pus);
  if (reader->fault != NULL)
    return;
  codes = g_new0 (TlPipeStream, n + 1);
  program->pus = g_new0 (TlPipeStream, pus);
  for (guint32 c = 0; c < n && reader->fault == NULL; c++)
    get_steps (reader, &codes[c]);
  for (guint32 pu = 0; pu < pus && reader->fault == NULL; pu++)
    {
      guint32 c = tl_get_number (reader);

      if (c >= n)
        {
          tl_get_fail (reader, "PU %u has a code that is not there", pu);
          break;
        }
      program->pus[pu].n_code = codes[c].n_code;
      program->pus[pu].code = g_memdup2 (codes[c].code, TL_PIPE_MAX_CODE * sizeof (TlCode));
    }
  for (guint32 c = 0; c < n; c++)
    g_free (codes[c].code);
}

static void
read_all (TlStreamReader *file, TlPipeProgram *program)
{
  static const char tags[TL_PIPE_N_TAGS][5] = TL_PIPE_TAGS;
  guint32           sections = tl_get_header (file);

  if (file->fault == NULL && sections != TL_PIPE_N_TAGS)
    tl_get_fail (file, "%u sections", sections);
  for (guint s = 0; s < TL_PIPE_N_TAGS && file->fault == NULL; s++)
    {
      TlStreamReader section = tl_get_section (file, tags[s]);

      if (file->fault != NULL)
        return;
      switch (s)
        {
        case 0:
          get_program (&section, program);
          break;
        case 1:
          tl_get_machine (&section, &program->machine);
          break;
        case 2:
          program->base = tl_get_text (&section);
          tl_get_sources (&section, program->data);
          break;
        case 3:
          get_objects (&section, program);
          break;
        default:
          get_code (&section, program);
        }
      tl_get_section_end (file, &section);
    }
  if (file->fault == NULL && tl_get_left (file) > 0)
    tl_get_fail (file, "bytes are left over at the end of the file");
}

static void
finish (TlStreamReader *file, TlPipeProgram *program)
{
  char    *reason = NULL;
  gboolean fine = tl_pipe_program_check (program, &reason);
  g_autoptr (GBytes) again = NULL;
  gsize         length = 0;
  const guint8 *bytes;

  tl_get_check (file, fine, reason);
  if (!fine)
    return;
  again = tl_pipe_encode (program);
  bytes = g_bytes_get_data (again, &length);
  if (length == file->end && memcmp (bytes, file->data, length) == 0)
    return;
  for (file->at = 0; file->at < MIN (length, file->end) && bytes[file->at] == file->data[file->at];)
    file->at++;
  tl_get_fail (file, "the stream is not in its one canonical form");
}

gboolean
tl_pipe_is_one (gconstpointer data, gsize length)
{
  return tl_stream_is_one (data, length) && length >= TL_STREAM_HEADER_BYTES + 4
         && memcmp ((const guint8 *) data + TL_STREAM_HEADER_BYTES, "PIPE", 4) == 0;
}

TlPipeProgram *
tl_pipe_decode (gconstpointer data, gsize length, const char *name, TlDiags *diags)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_program_alloc ();
  TlStreamReader file = { .data = data, .end = length };
  TlDiag        *diag;

  if (length > TL_STREAM_MAX_BYTES)
    tl_get_fail (&file, "the file is larger than %u MiB", TL_STREAM_MAX_BYTES >> 20);
  else
    read_all (&file, program);
  if (file.fault == NULL)
    finish (&file, program);
  if (file.fault == NULL)
    return g_steal_pointer (&program);
  diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "bad-stream", name, 0, 0, "this is no stream that can be run: %s",
                          file.fault);
  tl_diag_reason (diag,
                  "at byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT "; emit it again with tierc build --emit=streams",
                  file.fault_at, length);
  g_free (file.fault);
  return NULL;
}
