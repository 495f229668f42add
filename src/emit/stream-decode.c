/* From bytes of unknown origin to a program. Nothing is believed: every count is
 * held against the bytes that are left before anything is allocated, every number
 * against its range, and at the end the program is encoded again and must give the
 * same bytes, so that one program has one spelling. */
#include "base/hash.h"
#include "emit/program-private.h"
#include "emit/stream-private.h"

#include <string.h>

/* Walks the bytes of one section (or of the file); after the first failure all
 * reads give 0 and @fault says what was wrong at which byte. */
typedef struct
{
  const guint8 *data;
  gsize         at;
  gsize         end;
  char         *fault;
  gsize         fault_at;
} Reader;

static void G_GNUC_PRINTF (2, 3) fail (Reader *reader, const char *format, ...)
{
  va_list arguments;

  if (reader->fault != NULL)
    return;
  va_start (arguments, format);
  reader->fault = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  reader->fault_at = reader->at;
}

static gsize
left (const Reader *reader)
{
  return reader->end - reader->at;
}

static const guint8 *
get_bytes (Reader *reader, gsize count)
{
  if (reader->fault == NULL && count > left (reader))
    fail (reader, "%" G_GSIZE_FORMAT " bytes are missing", count - left (reader));
  if (reader->fault != NULL)
    return NULL;
  reader->at += count;
  return reader->data + (reader->at - count);
}

static guint64
get_fixed (Reader *reader, guint n_bytes)
{
  const guint8 *bytes = get_bytes (reader, n_bytes);
  guint64       value = 0;

  for (guint b = 0; bytes != NULL && b < n_bytes; b++)
    value |= (guint64) bytes[b] << (8 * b);
  return value;
}

static guint64
get_varint (Reader *reader)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 70; shift += 7)
    {
      const guint8 *byte = get_bytes (reader, 1);

      if (byte == NULL)
        return 0;
      if (shift == 63 && *byte > 1)
        break;
      value |= (guint64) (*byte & 0x7f) << shift;
      if (*byte < 0x80)
        {
          if (*byte == 0 && shift > 0)
            fail (reader, "a number has idle bytes");
          return value;
        }
    }
  fail (reader, "a number has more than 64 bits");
  return 0;
}

static guint32
get_number (Reader *reader)
{
  guint64 value = get_varint (reader);

  if (value > G_MAXUINT32)
    fail (reader, "%" G_GUINT64_FORMAT " is out of range", value);
  return reader->fault == NULL ? (guint32) value : 0;
}

/* A count of things of at least @least bytes each, held against what is left. */
static guint32
get_count (Reader *reader, gsize least)
{
  guint64 value = get_varint (reader);

  if (value > left (reader) / least)
    fail (reader, "%" G_GUINT64_FORMAT " entries are announced, there is no room for them", value);
  return reader->fault == NULL ? (guint32) value : 0;
}

static gint64
get_signed (Reader *reader)
{
  guint64 value = get_varint (reader);

  return (gint64) ((value >> 1) ^ (0 - (value & 1)));
}

static char *
get_text (Reader *reader)
{
  guint32       length = get_count (reader, 1);
  const guint8 *bytes;

  if (length > TL_STREAM_MAX_TEXT)
    fail (reader, "a text of %u bytes", length);
  bytes = get_bytes (reader, length);
  if (bytes != NULL && !g_utf8_validate_len ((const char *) bytes, length, NULL))
    fail (reader, "a text is not UTF-8");
  return reader->fault == NULL ? g_strndup ((const char *) bytes, length) : g_strdup ("");
}

static void
get_program (Reader *reader, TlPimProgram *program)
{
  program->name = get_text (reader);
  program->target = get_text (reader);
  program->mode = get_text (reader);
  program->owner_rule = get_text (reader);
  program->n = get_number (reader);
  program->tile = get_number (reader);
  program->element_bits = get_number (reader);
  program->edges = get_number (reader);
  program->copies = get_number (reader);
  program->copy_writes = get_number (reader);
  program->ring = get_number (reader);
  program->buffers = get_number (reader);
  program->barriers = get_number (reader);
  program->page = get_number (reader);
  program->values = get_number (reader);
  program->baseline = get_number (reader);
  program->seed = get_varint (reader);
  program->cycle_check = get_number (reader);
  program->tiles = program->tile > 0 ? program->n / program->tile + (program->n % program->tile != 0) : 0;
}

static void
get_machine (Reader *reader, TlPimProgram *program)
{
  TlPimMachine *m = &program->machine;

  m->clock = get_number (reader);
  m->pus = get_number (reader);
  m->search_pus = get_number (reader);
  m->pes = get_number (reader);
  m->channels = get_number (reader);
  m->groups = get_number (reader);
  m->banks = get_number (reader);
  m->tiers = get_number (reader);
  m->rows = get_varint (reader);
  m->row_bytes = get_number (reader);
  m->beat_bytes = get_number (reader);
  m->tier_bytes = get_varint (reader);
  m->sram_bytes = get_varint (reader);
  m->scratchpad_bytes = get_varint (reader);
  m->ring_bytes = get_number (reader);
  m->ring_hop = get_number (reader);
  m->burst = get_number (reader);
  m->tCCD = get_number (reader);
  m->tRRD = get_number (reader);
  m->tFAW = get_number (reader);
  m->tWTR = get_number (reader);
  m->tREFI = get_number (reader);
  m->tRFC = get_number (reader);
  m->dram_fj_per_bit = get_number (reader);
  m->alu_fj = get_number (reader);
  m->sram_local_fj = get_number (reader);
  m->sram_shared_fj = get_number (reader);
  m->hop_fj_per_bit = get_number (reader);
  if (m->tiers > TL_MAX_TIERS)
    fail (reader, "%u tiers; at most %u", m->tiers, TL_MAX_TIERS);
  for (guint t = 0; t < m->tiers && reader->fault == NULL; t++)
    {
      TlTierTiming *tier = &m->tier[t];

      tier->tRCD = get_number (reader);
      tier->tRAS = get_number (reader);
      tier->tRP = get_number (reader);
      tier->tRC = get_number (reader);
      tier->tRTP = get_number (reader);
      tier->tWR = get_number (reader);
      tier->tCL = get_number (reader);
      tier->tCWL = get_number (reader);
    }
}

static TlScalar
get_scalar (Reader *reader, const TlCarrier *carrier)
{
  TlScalar value = { .i = 0 };
  guint64  bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      value.i = get_signed (reader);
      return value;
    }
  bits = get_fixed (reader, 8);
  memcpy (&value.r, &bits, sizeof bits);
  return value;
}

static void
get_operator (Reader *reader, const TlCarrier *carrier, TlOperator *op)
{
  guint32       kind = get_number (reader);
  const guint8 *table;

  if (kind > TL_OPERATOR_TABLE)
    fail (reader, "%u is no operator", kind);
  op->kind = kind;
  if (kind == TL_OPERATOR_TABLE)
    {
      guint32 size = get_number (reader);

      if (size < 1 || size > 256)
        fail (reader, "a table of side %u", size);
      table = get_bytes (reader, (gsize) size * size);
      if (table == NULL)
        return;
      op->size = size;
      op->table = g_memdup2 (table, (gsize) size * size);
    }
  if (kind != TL_OPERATOR_EXPRESSION)
    return;
  op->n_steps = get_count (reader, 1);
  op->steps = g_new0 (TlStep, MAX (op->n_steps, 1));
  for (guint s = 0; s < op->n_steps && reader->fault == NULL; s++)
    {
      guint32 step = get_number (reader);

      if (step > TL_STEP_SELECT)
        fail (reader, "%u is no step of an expression", step);
      op->steps[s].kind = step;
      if (step == TL_STEP_CONSTANT)
        op->steps[s].value = get_scalar (reader, carrier);
    }
}

static void
get_semiring (Reader *reader, TlPimProgram *program)
{
  TlSemiring   *semiring = program->semiring = g_new0 (TlSemiring, 1);
  TlCarrier    *carrier = &semiring->carrier;
  const guint8 *head = get_bytes (reader, 6);

  if (head == NULL)
    return;
  if (head[0] > TL_ELEMENT_BOOL || head[4] > 1 || head[5] > 1)
    {
      fail (reader, "no carrier");
      return;
    }
  carrier->element = (TlElementType) { .kind = head[0], .bits = head[1], .exponent = head[2], .mantissa = head[3] };
  carrier->has_inf = head[4];
  carrier->has_minus_inf = head[5];
  carrier->low = get_scalar (reader, carrier);
  carrier->high = get_scalar (reader, carrier);
  semiring->zero = get_scalar (reader, carrier);
  semiring->one = get_scalar (reader, carrier);
  get_operator (reader, carrier, &semiring->plus);
  get_operator (reader, carrier, &semiring->times);
}

static void
get_data (Reader *reader, TlPimProgram *program)
{
  guint32 count;

  program->base = get_text (reader);
  count = get_count (reader, 10);
  for (guint32 d = 0; d < count && reader->fault == NULL; d++)
    {
      TlDataSource *source = g_new0 (TlDataSource, 1);

      source->name = get_text (reader);
      source->source = get_text (reader);
      source->content_hash = get_fixed (reader, 8);
      g_ptr_array_add (program->data, source);
    }
}

static void
get_layout (Reader *reader, TlPimProgram *program)
{
  TlPlaceRule *place = &program->place;
  guint32      shares;

  place->kind = get_number (reader);
  place->first = get_number (reader);
  place->last = get_number (reader);
  for (guint t = 0; place->kind == TL_PLACE_FILL && t < program->machine.tiers; t++)
    place->reserved[t] = get_varint (reader);
  shares = get_count (reader, 3);
  for (guint32 s = 0; s < shares && reader->fault == NULL; s++)
    {
      TlObjectShare share = { .name = get_text (reader) };

      share.tier = get_number (reader);
      share.bytes = get_varint (reader);
      g_array_append_val (program->objects, share);
    }
}

/* The code must be that of the knobs, one program for all PUs. */
static void
get_code (Reader *reader, const TlPimProgram *program)
{
  guint              n_code = 0;
  g_autofree TlCode *code = tl_pim_program_code (program, &n_code);

  if (get_number (reader) != 1)
    fail (reader, "PUs with codes of their own");
  if (get_number (reader) != n_code)
    fail (reader, "the code is not that of the program's knobs");
  for (guint s = 0; s < n_code && reader->fault == NULL; s++)
    {
      gsize   at = reader->at;
      guint32 kind = get_number (reader), a = get_number (reader), b = get_number (reader);

      if (kind == code[s].kind && a == code[s].a && b == code[s].b)
        continue;
      reader->at = at;
      fail (reader, "step %u of the code is not that of the program's knobs", s);
    }
}

/* Owner classes of one PU: runs of class c are runs[start[c] .. start[c + 1]). */
typedef struct
{
  GArray *runs;  /* of TlTileRun */
  GArray *start; /* of guint32 */
} Classes;

static void
get_class (Reader *reader, guint32 tiles, Classes *classes)
{
  guint32 runs = get_count (reader, 2);
  guint64 column = 0;

  for (guint32 r = 0; r < runs && reader->fault == NULL; r++)
    {
      guint64   first = column + get_number (reader);
      guint32   count = get_number (reader);
      guint32   step = count > 1 ? get_number (reader) : 1;
      TlTileRun run = { (guint32) first, step, count };

      if (count == 0 || step == 0 || count > tiles || first + (guint64) (count - 1) * step >= tiles)
        fail (reader, "a run of tiles leaves its row");
      column = first + (guint64) (count - 1) * step + 1;
      g_array_append_val (classes->runs, run);
    }
  g_array_append_val (classes->start, classes->runs->len);
}

/* Gives the tiles of one class in tile row @i to @pu. */
static void
take_row (Reader *reader, const Classes *classes, guint32 class, TlPimProgram *program, guint32 i, guint32 pu)
{
  guint32  end = g_array_index (classes->start, guint32, class + 1);
  guint16 *row = &program->owner[(gsize) i * program->tiles];

  for (guint32 r = g_array_index (classes->start, guint32, class); r < end; r++)
    {
      TlTileRun run = g_array_index (classes->runs, TlTileRun, r);

      for (guint32 t = 0; t < run.count; t++)
        {
          guint32 j = run.first + t * run.step;

          if (row[j] != G_MAXUINT16)
            {
              fail (reader, "tile (%u, %u) has two owners", i, j);
              return;
            }
          row[j] = (guint16) pu;
        }
    }
}

static void
get_pu (Reader *reader, TlPimProgram *program, guint32 pu, Classes *classes)
{
  guint32 n_classes, none = 0;

  g_array_set_size (classes->runs, 0);
  g_array_set_size (classes->start, 0);
  g_array_append_val (classes->start, none);
  if (get_number (reader) != pu)
    fail (reader, "the section is not that of PU %u", pu);
  if (get_number (reader) != 0)
    fail (reader, "PU %u has a code that is not there", pu);
  n_classes = get_count (reader, 1);
  for (guint32 c = 0; c < n_classes && reader->fault == NULL; c++)
    get_class (reader, program->tiles, classes);
  for (guint32 i = 0; i < program->tiles && reader->fault == NULL; i++)
    {
      guint32 class = get_number (reader);

      if (class >= n_classes)
        fail (reader, "tile row %u has a class that is not there", i);
      else
        take_row (reader, classes, class, program, i, pu);
    }
}

/* Opens the next section: tag, length and checksum must be right. */
static Reader
open_section (Reader *file, const char *tag)
{
  gsize         start = file->at;
  const guint8 *found = get_bytes (file, 4);
  guint32       length = (guint32) get_fixed (file, 4);
  Reader        section = { .data = file->data, .at = file->at, .end = file->at };

  if (found != NULL && memcmp (found, tag, 4) != 0)
    fail (file, "section %.4s expected", tag);
  if (get_bytes (file, length) == NULL)
    return section;
  section.end = file->at;
  if (get_fixed (file, 8) != tl_fnv1a64 (TL_FNV1A64_START, file->data + start, 8 + (gsize) length))
    fail (file, "section %.4s is damaged: its checksum differs", tag);
  return section;
}

static void
close_section (Reader *file, Reader *section)
{
  if (section->fault == NULL && section->at != section->end)
    fail (section, "bytes are left over at the end of a section");
  if (section->fault == NULL)
    return;
  if (file->fault == NULL)
    {
      file->fault = section->fault;
      file->fault_at = section->fault_at;
    }
  else
    g_free (section->fault);
}

static void
check_range (Reader *file, gboolean fine, char *reason)
{
  if (!fine)
    fail (file, "%s", reason);
  g_free (reason);
}

static void
read_owners (Reader *file, TlPimProgram *program)
{
  gsize   count = (gsize) program->tiles * program->tiles;
  Classes classes;

  /* Each PU's section names the class of every tile row. */
  if ((gsize) program->tiles * program->machine.pus > left (file))
    fail (file, "%u PUs with %u tile rows each need more bytes than there are", program->machine.pus, program->tiles);
  if (file->fault != NULL)
    return;
  program->owner = g_new (guint16, count);
  memset (program->owner, 0xff, count * sizeof *program->owner);
  classes.runs = g_array_new (FALSE, FALSE, sizeof (TlTileRun));
  classes.start = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 pu = 0; pu < program->machine.pus && file->fault == NULL; pu++)
    {
      Reader section = open_section (file, TL_STREAM_PU_TAG);

      if (file->fault == NULL)
        get_pu (&section, program, pu, &classes);
      if (file->fault == NULL || section.fault != NULL)
        close_section (file, &section);
    }
  g_array_unref (classes.runs);
  g_array_unref (classes.start);
  for (gsize x = 0; x < count && file->fault == NULL; x++)
    if (program->owner[x] == G_MAXUINT16)
      fail (file, "tile %" G_GSIZE_FORMAT " has no owner", x);
}

static guint32
read_header (Reader *file)
{
  const guint8 *magic = get_bytes (file, TL_STREAM_MAGIC_BYTES);
  guint32       version, sections;
  guint64       length, check;

  if (magic == NULL || memcmp (magic, TL_STREAM_MAGIC, TL_STREAM_MAGIC_BYTES) != 0)
    {
      file->at = 0;
      fail (file, "the file does not begin like a stream");
      return 0;
    }
  version = (guint32) get_fixed (file, 4);
  sections = (guint32) get_fixed (file, 4);
  length = get_fixed (file, 8);
  check = get_fixed (file, 8);
  if (file->fault != NULL)
    return 0;
  if (check != tl_fnv1a64 (TL_FNV1A64_START, file->data, TL_STREAM_HEADER_BYTES - 8))
    fail (file, "the header is damaged: its checksum differs");
  if (version != TL_STREAM_VERSION)
    fail (file, "version %u; this Tierloom reads version %u", version, TL_STREAM_VERSION);
  if (length != file->end)
    fail (file, "%" G_GUINT64_FORMAT " bytes are announced, there are %" G_GSIZE_FORMAT, length, file->end);
  return sections;
}

static void
read_tables (Reader *file, TlPimProgram *program)
{
  static const char tags[TL_STREAM_N_TAGS][5] = TL_STREAM_TAGS;

  for (guint s = 0; s < TL_STREAM_N_TAGS && file->fault == NULL; s++)
    {
      Reader section = open_section (file, tags[s]);

      if (file->fault != NULL)
        return;
      switch (s)
        {
        case 0:
          get_program (&section, program);
          break;
        case 1:
          get_machine (&section, program);
          break;
        case 2:
          get_semiring (&section, program);
          break;
        case 3:
          get_data (&section, program);
          break;
        case 4:
          get_layout (&section, program);
          break;
        default:
          {
            char    *reason = NULL;
            gboolean fine = tl_pim_program_ranges (program, &reason);

            check_range (&section, fine, reason);
            if (fine)
              get_code (&section, program);
          }
        }
      close_section (file, &section);
    }
}

static void
read_all (Reader *file, TlPimProgram *program)
{
  guint32 sections = read_header (file);

  if (file->fault == NULL)
    read_tables (file, program);
  if (file->fault == NULL && sections != TL_STREAM_N_TAGS + program->machine.pus)
    fail (file, "%u sections for %u PUs", sections, program->machine.pus);
  if (file->fault == NULL)
    read_owners (file, program);
  if (file->fault == NULL && left (file) > 0)
    fail (file, "bytes are left over at the end of the file");
}

/* Derives what the bytes do not hold and compares the whole with its encoding. */
static void
finish (Reader *file, TlPimProgram *program)
{
  char    *reason = NULL;
  gboolean placed = tl_pim_program_place (program, &reason);
  g_autoptr (GBytes) again = NULL;
  const guint8 *bytes;
  gsize         length = 0;

  check_range (file, placed, reason);
  if (!placed)
    return;
  tl_pim_program_streams (program);
  again = tl_stream_encode (program);
  bytes = g_bytes_get_data (again, &length);
  if (length == file->end && memcmp (bytes, file->data, length) == 0)
    return;
  for (file->at = 0; file->at < MIN (length, file->end) && bytes[file->at] == file->data[file->at];)
    file->at++;
  fail (file, "the stream is not in its one canonical form");
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
  Reader  file = { .data = data, .end = length };
  TlDiag *diag;

  if (length > TL_STREAM_MAX_BYTES)
    fail (&file, "the file is larger than %u MiB", TL_STREAM_MAX_BYTES >> 20);
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
