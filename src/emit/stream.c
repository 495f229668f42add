/* The form of a closure's stream: knobs, machine, semiring, data, layout, code, then the owner classes of each PU. */
#include "emit/stream.h"

#include "emit/stream-parts-private.h"

#include <string.h>

#define TEXT(member)   TL_STREAM_FIELD (TEXT, TlPimProgram, member)
#define NUMBER(member) TL_STREAM_FIELD (NUMBER, TlPimProgram, member)
#define WIDE(member)   TL_STREAM_FIELD (WIDE, TlPimProgram, member)
static const TlStreamField program_fields[] = {
  TEXT (name),           TEXT (target),  TEXT (mode),     TEXT (owner_rule),    NUMBER (n),    NUMBER (tile),
  NUMBER (element_bits), NUMBER (edges), NUMBER (copies), NUMBER (copy_writes), NUMBER (ring), NUMBER (buffers),
  NUMBER (barriers),     NUMBER (page),  NUMBER (values), NUMBER (baseline),    WIDE (seed),   NUMBER (cycle_check),
};
#undef TEXT
#undef NUMBER
#undef WIDE

static void
put_program (GByteArray *out, gconstpointer program)
{
  tl_put_fields (out, program, program_fields, G_N_ELEMENTS (program_fields));
}

static void
get_program (TlStreamReader *reader, gpointer data)
{
  TlPimProgram *program = data;

  tl_get_fields (reader, program, program_fields, G_N_ELEMENTS (program_fields));
  program->tiles = program->tile > 0 ? program->n / program->tile + (program->n % program->tile != 0) : 0;
}

static void
put_machine (GByteArray *out, gconstpointer program)
{
  tl_put_machine (out, &((const TlPimProgram *) program)->machine);
}

static void
get_machine (TlStreamReader *reader, gpointer program)
{
  tl_get_machine (reader, &((TlPimProgram *) program)->machine);
}

static void
put_semiring (GByteArray *out, gconstpointer program)
{
  tl_put_semiring (out, ((const TlPimProgram *) program)->semiring);
}

static void
get_semiring (TlStreamReader *reader, gpointer data)
{
  TlPimProgram *program = data;

  program->semiring = g_new0 (TlSemiring, 1);
  tl_get_semiring (reader, program->semiring);
}

static void
put_data (GByteArray *out, gconstpointer data)
{
  const TlPimProgram *program = data;

  tl_put_data (out, program->base, program->data);
}

static void
get_data (TlStreamReader *reader, gpointer data)
{
  TlPimProgram *program = data;

  tl_get_data (reader, &program->base, program->data);
}

static void
put_layout (GByteArray *out, gconstpointer data)
{
  const TlPimProgram *program = data;
  const TlPlaceRule  *place = &program->place;

  tl_put_varint (out, place->kind);
  tl_put_varint (out, place->first);
  tl_put_varint (out, place->last);
  for (guint t = 0; place->kind == TL_PLACE_FILL && t < program->machine.tiers; t++)
    tl_put_varint (out, place->reserved[t]);
  tl_put_varint (out, program->objects->len);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);

      tl_put_text (out, share->name);
      tl_put_varint (out, share->tier);
      tl_put_varint (out, share->bytes);
    }
}

static void
get_layout (TlStreamReader *reader, gpointer data)
{
  TlPimProgram *program = data;
  TlPlaceRule  *place = &program->place;
  guint32       shares;

  place->kind = tl_get_number (reader);
  place->first = tl_get_number (reader);
  place->last = tl_get_number (reader);
  for (guint t = 0; place->kind == TL_PLACE_FILL && t < program->machine.tiers; t++)
    place->reserved[t] = tl_get_varint (reader);
  shares = tl_get_count (reader, 3);
  for (guint32 s = 0; s < shares && reader->fault == NULL; s++)
    {
      TlObjectShare share = { .name = tl_get_text (reader) };

      share.tier = tl_get_number (reader);
      share.bytes = tl_get_varint (reader);
      g_array_append_val (program->objects, share);
    }
}

/* Where each PU's code stands among the distinct ones. (transfer full) */
static guint32 *
number_codes (const TlPimProgram *program, guint32 *first, guint32 *distinct)
{
  guint32                pus = program->machine.pus;
  guint32               *number = g_new (guint32, pus);
  g_autofree TlCodeView *codes = g_new (TlCodeView, pus);

  for (guint32 pu = 0; pu < pus; pu++)
    codes[pu] = (TlCodeView) { program->streams[pu].code, program->streams[pu].n_code };
  *distinct = tl_number_codes (codes, pus, first, number);
  return number;
}

static void
put_code (GByteArray *out, gconstpointer data)
{
  const TlPimProgram *program = data;
  guint32             n;
  g_autofree guint32 *first = g_new (guint32, program->machine.pus);
  g_autofree guint32 *number = number_codes (program, first, &n);

  tl_put_varint (out, n);
  for (guint32 c = 0; c < n; c++)
    tl_put_code (out, (TlCodeView) { program->streams[first[c]].code, program->streams[first[c]].n_code });
}

/* The code must be that of the knobs, one program for all PUs. */
static void
get_code (TlStreamReader *reader, gpointer data)
{
  const TlPimProgram *program = data;
  char               *reason = NULL;
  gboolean            fine = tl_pim_program_ranges (program, &reason);
  guint               n_code = 0;

  tl_get_check (reader, fine, reason);
  if (!fine)
    return;
  g_autofree TlCode *code = tl_pim_program_code (program, &n_code);
  if (tl_get_number (reader) != 1)
    tl_get_fail (reader, "PUs with codes of their own");
  if (tl_get_number (reader) != n_code)
    tl_get_fail (reader, "the code is not that of the program's knobs");
  for (guint s = 0; s < n_code && reader->fault == NULL; s++)
    {
      gsize   at = reader->at;
      guint32 kind = tl_get_number (reader), a = tl_get_number (reader), b = tl_get_number (reader);

      if (kind == code[s].kind && a == code[s].a && b == code[s].b)
        continue;
      reader->at = at;
      tl_get_fail (reader, "step %u of the code is not that of the program's knobs", s);
    }
}

static guint32
count_pus (gconstpointer program)
{
  return ((const TlPimProgram *) program)->machine.pus;
}

static void
put_owners (GByteArray *out, gconstpointer data)
{
  const TlPimProgram *program = data;
  guint32             n;
  g_autofree guint32 *first = g_new (guint32, program->machine.pus);
  g_autofree guint32 *number = number_codes (program, first, &n);

  tl_put_owners (out, program, number);
}

static void
get_owners (TlStreamReader *file, gpointer program)
{
  tl_get_owners (file, program);
}

static gboolean
complete (gpointer program, char **reason)
{
  if (!tl_pim_program_place (program, reason))
    return FALSE;
  tl_pim_program_streams (program);
  return TRUE;
}

static const TlStreamSection sections[] = {
  { "PROG", put_program, get_program }, { "MACH", put_machine, get_machine }, { "SEMI", put_semiring, get_semiring },
  { "DATA", put_data, get_data },       { "LAYT", put_layout, get_layout },   { "CODE", put_code, get_code },
};

static const TlStreamForm form = { sections, G_N_ELEMENTS (sections), count_pus, put_owners, get_owners, complete };

GBytes *
tl_stream_encode (const TlPimProgram *program)
{
  return tl_stream_write (&form, program);
}

gboolean
tl_stream_is_one (gconstpointer data, gsize length)
{
  return length >= TL_STREAM_MAGIC_BYTES && memcmp (data, TL_STREAM_MAGIC, TL_STREAM_MAGIC_BYTES) == 0;
}

TlPimProgram *
tl_stream_decode (gconstpointer data, gsize length, const char *name, TlDiags *diags)
{
  g_autoptr (TlPimProgram) program = tl_pim_program_alloc ();

  return tl_stream_read (&form, program, data, length, name, diags) ? g_steal_pointer (&program) : NULL;
}
