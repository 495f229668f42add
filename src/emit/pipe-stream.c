/* The form of a stream of wavefronts: knobs, machine, data, layout, code. */
#include "emit/pipe-private.h"
#include "emit/stream-form-private.h"

#include <string.h>

#define TEXT(member)   TL_STREAM_FIELD (TEXT, TlPipeProgram, member)
#define NUMBER(member) TL_STREAM_FIELD (NUMBER, TlPipeProgram, member)
#define WIDE(member)   TL_STREAM_FIELD (WIDE, TlPipeProgram, member)
#define REAL(member)   TL_STREAM_FIELD (REAL, TlPipeProgram, member)
static const TlStreamField program_fields[] = {
  TEXT (name),
  TEXT (target),
  TEXT (mode),
  TEXT (owner_rule),
  TEXT (owner),
  NUMBER (element_bits),
  NUMBER (n_tables),
  NUMBER (tiling.tile),
  NUMBER (tiling.pes),
  NUMBER (tiling.fill),
  NUMBER (tiling.skew),
  NUMBER (tiling.order[0]),
  NUMBER (tiling.order[1]),
  NUMBER (tiling.edges),
  NUMBER (tiling.reduced),
  NUMBER (band.kind),
  NUMBER (band.cells),
  WIDE (rows),
  WIDE (columns),
  NUMBER (sides[0]),
  NUMBER (sides[1]),
  NUMBER (search),
  NUMBER (compute),
  NUMBER (page),
  NUMBER (ring),
  NUMBER (copy_writes),
  NUMBER (values),
  NUMBER (baseline),
  WIDE (seed),
  NUMBER (streams),
  NUMBER (k),
  NUMBER (pointers),
  NUMBER (positions),
  NUMBER (depth),
  NUMBER (entry_bytes),
  NUMBER (depth_told),
  WIDE (search_ps),
  WIDE (sweep_ps),
  REAL (band.share),
};
#undef TEXT
#undef NUMBER
#undef WIDE
#undef REAL

static void
put_program (GByteArray *out, gconstpointer program)
{
  tl_put_fields (out, program, program_fields, G_N_ELEMENTS (program_fields));
}

static void
get_program (TlStreamReader *reader, gpointer program)
{
  tl_get_fields (reader, program, program_fields, G_N_ELEMENTS (program_fields));
}

static void
put_machine (GByteArray *out, gconstpointer program)
{
  tl_put_machine (out, &((const TlPipeProgram *) program)->machine);
}

static void
get_machine (TlStreamReader *reader, gpointer program)
{
  tl_get_machine (reader, &((TlPipeProgram *) program)->machine);
}

static void
put_data (GByteArray *out, gconstpointer data)
{
  const TlPipeProgram *program = data;

  tl_put_data (out, program->base, program->data);
}

static void
get_data (TlStreamReader *reader, gpointer data)
{
  TlPipeProgram *program = data;

  tl_get_data (reader, &program->base, program->data);
}

static void
put_text (GByteArray *out, gconstpointer program)
{
  tl_put_text (out, ((const TlPipeProgram *) program)->text);
}

static void
get_text (TlStreamReader *reader, gpointer program)
{
  ((TlPipeProgram *) program)->text = tl_get_text (reader);
}

#define TEXT(member) TL_STREAM_FIELD (TEXT, TlWaveObject, member)
#define WIDE(member) TL_STREAM_FIELD (WIDE, TlWaveObject, member)
static const TlStreamField object_fields[] = { TEXT (name), WIDE (bytes), WIDE (dependent), WIDE (streamed) };
#undef TEXT
#undef WIDE

static void
put_objects (GByteArray *out, gconstpointer data)
{
  const TlPipeProgram *program = data;

  tl_put_varint (out, program->objects->len);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

      tl_put_fields (out, object, object_fields, G_N_ELEMENTS (object_fields));
      for (guint t = 0; t < program->machine.tiers; t++)
        tl_put_varint (out, object->in_tier[t]);
    }
}

static void
get_objects (TlStreamReader *reader, gpointer data)
{
  TlPipeProgram *program = data;
  guint32        count = tl_get_count (reader, 5);

  for (guint32 o = 0; o < count && reader->fault == NULL; o++)
    {
      TlWaveObject object = { .name = NULL };

      tl_get_fields (reader, &object, object_fields, G_N_ELEMENTS (object_fields));
      for (guint t = 0; t < program->machine.tiers; t++)
        object.in_tier[t] = tl_get_varint (reader);
      g_array_append_val (program->objects, object);
    }
}

/* The distinct loop programs, then the number of each PU's. */
static void
put_code (GByteArray *out, gconstpointer data)
{
  const TlPipeProgram   *program = data;
  guint32                pus = program->machine.pus, n;
  g_autofree guint32    *first = g_new (guint32, pus), *number = g_new (guint32, pus);
  g_autofree TlCodeView *codes = g_new (TlCodeView, pus);

  for (guint32 pu = 0; pu < pus; pu++)
    codes[pu] = (TlCodeView) { program->pus[pu].code, program->pus[pu].n_code };
  n = tl_number_codes (codes, pus, first, number);
  tl_put_varint (out, n);
  for (guint32 c = 0; c < n; c++)
    tl_put_code (out, codes[first[c]]);
  for (guint32 pu = 0; pu < pus; pu++)
    tl_put_varint (out, number[pu]);
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
get_code (TlStreamReader *reader, gpointer data)
{
  TlPipeProgram           *program = data;
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

static gboolean
complete (gpointer program, char **reason)
{
  return tl_pipe_program_check (program, reason);
}

static const TlStreamSection sections[] = {
  { "PIPE", put_program, get_program }, { "MACH", put_machine, get_machine }, { "DATA", put_data, get_data },
  { "TEXT", put_text, get_text },       { "LAYT", put_objects, get_objects }, { "CODE", put_code, get_code },
};

static const TlStreamForm form = { .sections = sections, .n_sections = G_N_ELEMENTS (sections), .complete = complete };

GBytes *
tl_pipe_encode (const TlPipeProgram *program)
{
  return tl_stream_write (&form, program);
}

gboolean
tl_pipe_is_one (gconstpointer data, gsize length)
{
  return tl_stream_is_one (data, length) && length >= TL_STREAM_HEADER_BYTES + 4
         && memcmp ((const guint8 *) data + TL_STREAM_HEADER_BYTES, sections[0].tag, 4) == 0;
}

TlPipeProgram *
tl_pipe_decode (gconstpointer data, gsize length, const char *name, TlDiags *diags)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_program_alloc ();

  return tl_stream_read (&form, program, data, length, name, diags) ? g_steal_pointer (&program) : NULL;
}
