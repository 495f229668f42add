/* Writing and reading by tables. Reading believes nothing: every count is held against the bytes that are left before
 * anything is allocated, every number against its range. */
#include "emit/stream-form-private.h"

#include <string.h>

/* --- Fields --- */

static guint64
load (const void *member, guint bytes)
{
  guint8  one;
  guint32 four;
  guint64 eight;

  switch (bytes)
    {
    case 1:
      memcpy (&one, member, sizeof one);
      return one;
    case 4:
      memcpy (&four, member, sizeof four);
      return four;
    case 8:
      memcpy (&eight, member, sizeof eight);
      return eight;
    }
  g_return_val_if_reached (0);
}

static void
store (void *member, guint bytes, guint64 value)
{
  const guint8  one = (guint8) value;
  const guint32 four = (guint32) value;

  switch (bytes)
    {
    case 1:
      memcpy (member, &one, sizeof one);
      return;
    case 4:
      memcpy (member, &four, sizeof four);
      return;
    case 8:
      memcpy (member, &value, sizeof value);
      return;
    }
  g_return_if_reached ();
}

void
tl_put_fields (GByteArray *out, gconstpointer record, const TlStreamField *fields, guint n)
{
  for (guint f = 0; f < n; f++)
    {
      const void *member = (const char *) record + fields[f].at;

      switch (fields[f].kind)
        {
        case TL_STREAM_TEXT:
          tl_put_text (out, *(char *const *) member);
          break;
        case TL_STREAM_NUMBER:
        case TL_STREAM_WIDE:
          tl_put_varint (out, load (member, fields[f].bytes));
          break;
        case TL_STREAM_REAL:
          tl_put_fixed (out, load (member, sizeof (double)), sizeof (double));
          break;
        }
    }
}

void
tl_get_fields (TlStreamReader *reader, gpointer record, const TlStreamField *fields, guint n)
{
  for (guint f = 0; f < n; f++)
    {
      void   *member = (char *) record + fields[f].at;
      guint64 value;

      switch (fields[f].kind)
        {
        case TL_STREAM_TEXT:
          *(char **) member = tl_get_text (reader);
          break;
        case TL_STREAM_NUMBER:
          value = tl_get_number (reader);
          if (fields[f].bytes == 1 && value > G_MAXUINT8)
            tl_get_fail (reader, "%" G_GUINT64_FORMAT " is out of range", value);
          store (member, fields[f].bytes, value);
          break;
        case TL_STREAM_WIDE:
          store (member, fields[f].bytes, tl_get_varint (reader));
          break;
        case TL_STREAM_REAL:
          store (member, sizeof (double), tl_get_fixed (reader, sizeof (double)));
          break;
        }
    }
}

/* --- Shared parts --- */

#define NUMBER(member) TL_STREAM_FIELD (NUMBER, TlPimMachine, member)
#define WIDE(member)   TL_STREAM_FIELD (WIDE, TlPimMachine, member)
static const TlStreamField machine_fields[] = {
  NUMBER (clock),
  NUMBER (pus),
  NUMBER (search_pus),
  NUMBER (pes),
  NUMBER (channels),
  NUMBER (groups),
  NUMBER (banks),
  NUMBER (tiers),
  WIDE (rows),
  NUMBER (row_bytes),
  NUMBER (beat_bytes),
  WIDE (tier_bytes),
  WIDE (sram_bytes),
  WIDE (scratchpad_bytes),
  NUMBER (ring_bytes),
  NUMBER (ring_hop),
  NUMBER (burst),
  NUMBER (tCCD),
  NUMBER (tRRD),
  NUMBER (tFAW),
  NUMBER (tWTR),
  NUMBER (tREFI),
  NUMBER (tRFC),
  NUMBER (dram_fj_per_bit),
  NUMBER (alu_fj),
  NUMBER (sram_local_fj),
  NUMBER (sram_shared_fj),
  NUMBER (hop_fj_per_bit),
};
#undef NUMBER
#undef WIDE

#define NUMBER(member) TL_STREAM_FIELD (NUMBER, TlTierTiming, member)
static const TlStreamField tier_fields[] = {
  NUMBER (tRCD), NUMBER (tRAS), NUMBER (tRP), NUMBER (tRC), NUMBER (tRTP), NUMBER (tWR), NUMBER (tCL), NUMBER (tCWL),
};
#undef NUMBER

void
tl_put_machine (GByteArray *out, const TlPimMachine *machine)
{
  tl_put_fields (out, machine, machine_fields, G_N_ELEMENTS (machine_fields));
  for (guint t = 0; t < machine->tiers; t++)
    tl_put_fields (out, &machine->tier[t], tier_fields, G_N_ELEMENTS (tier_fields));
}

void
tl_get_machine (TlStreamReader *reader, TlPimMachine *machine)
{
  tl_get_fields (reader, machine, machine_fields, G_N_ELEMENTS (machine_fields));
  if (machine->tiers > TL_MAX_TIERS)
    tl_get_fail (reader, "%u tiers; at most %u", machine->tiers, TL_MAX_TIERS);
  for (guint t = 0; t < machine->tiers && reader->fault == NULL; t++)
    tl_get_fields (reader, &machine->tier[t], tier_fields, G_N_ELEMENTS (tier_fields));
}

void
tl_put_data (GByteArray *out, const char *base, const GPtrArray *sources)
{
  tl_put_text (out, base);
  tl_put_varint (out, sources->len);
  for (guint d = 0; d < sources->len; d++)
    {
      const TlDataSource *source = sources->pdata[d];

      tl_put_text (out, source->name);
      tl_put_text (out, source->source);
      tl_put_fixed (out, source->content_hash, 8);
    }
}

void
tl_get_data (TlStreamReader *reader, char **base, GPtrArray *sources)
{
  *base = tl_get_text (reader);
  guint32 count = tl_get_count (reader, 10);

  for (guint32 d = 0; d < count && reader->fault == NULL; d++)
    {
      TlDataSource *source = g_new0 (TlDataSource, 1);

      source->name = tl_get_text (reader);
      source->source = tl_get_text (reader);
      source->content_hash = tl_get_fixed (reader, 8);
      g_ptr_array_add (sources, source);
    }
}

guint32
tl_number_codes (const TlCodeView *codes, guint32 n, guint32 *first, guint32 *number)
{
  guint32 distinct = 0;

  for (guint32 pu = 0; pu < n; pu++)
    {
      guint32 c = 0;

      while (c < distinct && !tl_code_equal (codes[first[c]], codes[pu]))
        c++;
      if (c == distinct)
        first[distinct++] = pu;
      number[pu] = c;
    }
  return distinct;
}

void
tl_put_code (GByteArray *out, TlCodeView code)
{
  tl_put_varint (out, code.n);
  for (guint s = 0; s < code.n; s++)
    {
      tl_put_varint (out, code.steps[s].kind);
      tl_put_varint (out, code.steps[s].a);
      tl_put_varint (out, code.steps[s].b);
    }
}

/* --- Whole files --- */

static guint32
count_sections (const TlStreamForm *form, gconstpointer program)
{
  return form->n_sections + (form->n_more != NULL ? form->n_more (program) : 0);
}

GBytes *
tl_stream_write (const TlStreamForm *form, gconstpointer program)
{
  GByteArray *out = g_byte_array_sized_new (1 << 14);

  g_byte_array_set_size (out, TL_STREAM_HEADER_BYTES);
  for (guint s = 0; s < form->n_sections; s++)
    {
      guint start = tl_put_section (out, form->sections[s].tag);

      form->sections[s].put (out, program);
      tl_put_section_end (out, start);
    }
  if (form->put_more != NULL)
    form->put_more (out, program);
  tl_put_header (out, count_sections (form, program));
  return g_byte_array_free_to_bytes (out);
}

static void
read_all (TlStreamReader *file, const TlStreamForm *form, gpointer program)
{
  guint32 sections = tl_get_header (file);

  for (guint s = 0; s < form->n_sections && file->fault == NULL; s++)
    {
      TlStreamReader section = tl_get_section (file, form->sections[s].tag);

      if (file->fault != NULL)
        return;
      form->sections[s].get (&section, program);
      tl_get_section_end (file, &section);
    }
  if (file->fault != NULL)
    return;
  if (sections != count_sections (form, program))
    tl_get_fail (file, "%u sections where there are %u", sections, count_sections (form, program));
  else if (form->get_more != NULL)
    form->get_more (file, program);
  if (file->fault == NULL && tl_get_left (file) > 0)
    tl_get_fail (file, "bytes are left over at the end of the file");
}

static void
finish (TlStreamReader *file, const TlStreamForm *form, gpointer program)
{
  char    *reason = NULL;
  gboolean fine = form->complete (program, &reason);
  g_autoptr (GBytes) again = NULL;
  const guint8 *bytes;
  gsize         length = 0;

  tl_get_check (file, fine, reason);
  if (!fine)
    return;
  again = tl_stream_write (form, program);
  bytes = g_bytes_get_data (again, &length);
  if (length == file->end && memcmp (bytes, file->data, length) == 0)
    return;
  for (file->at = 0; file->at < MIN (length, file->end) && bytes[file->at] == file->data[file->at];)
    file->at++;
  tl_get_fail (file, "the stream is not in its one canonical form");
}

gboolean
tl_stream_read (const TlStreamForm *form, gpointer program, gconstpointer data, gsize length, const char *name,
                TlDiags *diags)
{
  TlStreamReader file = { .data = data, .end = length };
  TlDiag        *diag;

  if (length > TL_STREAM_MAX_BYTES)
    tl_get_fail (&file, "the file is larger than %u MiB", TL_STREAM_MAX_BYTES >> 20);
  else
    read_all (&file, form, program);
  if (file.fault == NULL)
    finish (&file, form, program);
  if (file.fault == NULL)
    return TRUE;
  diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "bad-stream", name, 0, 0, "this is no stream that can be run: %s",
                          file.fault);
  tl_diag_reason (diag,
                  "at byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT "; emit it again with tierc build --emit=streams",
                  file.fault_at, length);
  g_free (file.fault);
  return FALSE;
}
