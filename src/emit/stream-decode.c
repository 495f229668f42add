/* From bytes of unknown origin to a program. Nothing is believed: every count is
 * held against the bytes that are left before anything is allocated, every number
 * against its range, and at the end the program is encoded again and must give the
 * same bytes, so that one program has one spelling. */
#include "emit/program-private.h"
#include "emit/stream-bytes-private.h"

#include <string.h>

static void
get_program (TlStreamReader *reader, TlPimProgram *program)
{
  program->name = tl_get_text (reader);
  program->target = tl_get_text (reader);
  program->mode = tl_get_text (reader);
  program->owner_rule = tl_get_text (reader);
  program->n = tl_get_number (reader);
  program->tile = tl_get_number (reader);
  program->element_bits = tl_get_number (reader);
  program->edges = tl_get_number (reader);
  program->copies = tl_get_number (reader);
  program->copy_writes = tl_get_number (reader);
  program->ring = tl_get_number (reader);
  program->buffers = tl_get_number (reader);
  program->barriers = tl_get_number (reader);
  program->page = tl_get_number (reader);
  program->values = tl_get_number (reader);
  program->baseline = tl_get_number (reader);
  program->seed = tl_get_varint (reader);
  program->cycle_check = tl_get_number (reader);
  program->tiles = program->tile > 0 ? program->n / program->tile + (program->n % program->tile != 0) : 0;
}

static TlScalar
get_scalar (TlStreamReader *reader, const TlCarrier *carrier)
{
  TlScalar value = { .i = 0 };
  guint64  bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      value.i = tl_get_signed (reader);
      return value;
    }
  bits = tl_get_fixed (reader, 8);
  memcpy (&value.r, &bits, sizeof bits);
  return value;
}

static void
get_operator (TlStreamReader *reader, const TlCarrier *carrier, TlOperator *op)
{
  guint32       kind = tl_get_number (reader);
  const guint8 *table;

  if (kind > TL_OPERATOR_TABLE)
    tl_get_fail (reader, "%u is no operator", kind);
  op->kind = kind;
  if (kind == TL_OPERATOR_TABLE)
    {
      guint32 size = tl_get_number (reader);

      if (size < 1 || size > 256)
        tl_get_fail (reader, "a table of side %u", size);
      table = tl_get_bytes (reader, (gsize) size * size);
      if (table == NULL)
        return;
      op->size = size;
      op->table = g_memdup2 (table, (gsize) size * size);
    }
  if (kind != TL_OPERATOR_EXPRESSION)
    return;
  op->n_steps = tl_get_count (reader, 1);
  op->steps = g_new0 (TlStep, MAX (op->n_steps, 1));
  for (guint s = 0; s < op->n_steps && reader->fault == NULL; s++)
    {
      guint32 step = tl_get_number (reader);

      if (step > TL_STEP_SELECT)
        tl_get_fail (reader, "%u is no step of an expression", step);
      op->steps[s].kind = step;
      if (step == TL_STEP_CONSTANT)
        op->steps[s].value = get_scalar (reader, carrier);
    }
}

static void
get_semiring (TlStreamReader *reader, TlPimProgram *program)
{
  TlSemiring   *semiring = program->semiring = g_new0 (TlSemiring, 1);
  TlCarrier    *carrier = &semiring->carrier;
  const guint8 *head = tl_get_bytes (reader, 6);

  if (head == NULL)
    return;
  if (head[0] > TL_ELEMENT_BOOL || head[4] > 1 || head[5] > 1)
    {
      tl_get_fail (reader, "no carrier");
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
get_data (TlStreamReader *reader, TlPimProgram *program)
{
  program->base = tl_get_text (reader);
  tl_get_sources (reader, program->data);
}

static void
get_layout (TlStreamReader *reader, TlPimProgram *program)
{
  TlPlaceRule *place = &program->place;
  guint32      shares;

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

/* The code must be that of the knobs, one program for all PUs. */
static void
get_code (TlStreamReader *reader, const TlPimProgram *program)
{
  guint              n_code = 0;
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

/* Owner classes of one PU: runs of class c are runs[start[c] .. start[c + 1]). */
typedef struct
{
  GArray *runs;  /* of TlTileRun */
  GArray *start; /* of guint32 */
} Classes;

static void
get_class (TlStreamReader *reader, guint32 tiles, Classes *classes)
{
  guint32 runs = tl_get_count (reader, 2);
  guint64 column = 0;

  for (guint32 r = 0; r < runs && reader->fault == NULL; r++)
    {
      guint64   first = column + tl_get_number (reader);
      guint32   count = tl_get_number (reader);
      guint32   step = count > 1 ? tl_get_number (reader) : 1;
      TlTileRun run = { (guint32) first, step, count };

      if (count == 0 || step == 0 || count > tiles || first + (guint64) (count - 1) * step >= tiles)
        tl_get_fail (reader, "a run of tiles leaves its row");
      column = first + (guint64) (count - 1) * step + 1;
      g_array_append_val (classes->runs, run);
    }
  g_array_append_val (classes->start, classes->runs->len);
}

/* Gives the tiles of one class in tile row @i to @pu. */
static void
take_row (TlStreamReader *reader, const Classes *classes, guint32 class, TlPimProgram *program, guint32 i, guint32 pu)
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
              tl_get_fail (reader, "tile (%u, %u) has two owners", i, j);
              return;
            }
          row[j] = (guint16) pu;
        }
    }
}

static void
get_pu (TlStreamReader *reader, TlPimProgram *program, guint32 pu, Classes *classes)
{
  guint32 n_classes, none = 0;

  g_array_set_size (classes->runs, 0);
  g_array_set_size (classes->start, 0);
  g_array_append_val (classes->start, none);
  if (tl_get_number (reader) != pu)
    tl_get_fail (reader, "the section is not that of PU %u", pu);
  if (tl_get_number (reader) != 0)
    tl_get_fail (reader, "PU %u has a code that is not there", pu);
  n_classes = tl_get_count (reader, 1);
  for (guint32 c = 0; c < n_classes && reader->fault == NULL; c++)
    get_class (reader, program->tiles, classes);
  for (guint32 i = 0; i < program->tiles && reader->fault == NULL; i++)
    {
      guint32 class = tl_get_number (reader);

      if (class >= n_classes)
        tl_get_fail (reader, "tile row %u has a class that is not there", i);
      else
        take_row (reader, classes, class, program, i, pu);
    }
}

static void
read_owners (TlStreamReader *file, TlPimProgram *program)
{
  gsize   count = (gsize) program->tiles * program->tiles;
  Classes classes;

  /* Each PU's section names the class of every tile row. */
  if ((gsize) program->tiles * program->machine.pus > tl_get_left (file))
    tl_get_fail (file, "%u PUs with %u tile rows each need more bytes than there are", program->machine.pus,
                 program->tiles);
  if (file->fault != NULL)
    return;
  program->owner = g_new (guint16, count);
  memset (program->owner, 0xff, count * sizeof *program->owner);
  classes.runs = g_array_new (FALSE, FALSE, sizeof (TlTileRun));
  classes.start = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 pu = 0; pu < program->machine.pus && file->fault == NULL; pu++)
    {
      TlStreamReader section = tl_get_section (file, TL_STREAM_PU_TAG);

      if (file->fault == NULL)
        get_pu (&section, program, pu, &classes);
      if (file->fault == NULL || section.fault != NULL)
        tl_get_section_end (file, &section);
    }
  g_array_unref (classes.runs);
  g_array_unref (classes.start);
  for (gsize x = 0; x < count && file->fault == NULL; x++)
    if (program->owner[x] == G_MAXUINT16)
      tl_get_fail (file, "tile %" G_GSIZE_FORMAT " has no owner", x);
}

static void
read_tables (TlStreamReader *file, TlPimProgram *program)
{
  static const char tags[TL_STREAM_N_TAGS][5] = TL_STREAM_TAGS;

  for (guint s = 0; s < TL_STREAM_N_TAGS && file->fault == NULL; s++)
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

            tl_get_check (&section, fine, reason);
            if (fine)
              get_code (&section, program);
          }
        }
      tl_get_section_end (file, &section);
    }
}

static void
read_all (TlStreamReader *file, TlPimProgram *program)
{
  guint32 sections = tl_get_header (file);

  if (file->fault == NULL)
    read_tables (file, program);
  if (file->fault == NULL && sections != TL_STREAM_N_TAGS + program->machine.pus)
    tl_get_fail (file, "%u sections for %u PUs", sections, program->machine.pus);
  if (file->fault == NULL)
    read_owners (file, program);
  if (file->fault == NULL && tl_get_left (file) > 0)
    tl_get_fail (file, "bytes are left over at the end of the file");
}

/* Derives what the bytes do not hold and compares the whole with its encoding. */
static void
finish (TlStreamReader *file, TlPimProgram *program)
{
  char    *reason = NULL;
  gboolean placed = tl_pim_program_place (program, &reason);
  g_autoptr (GBytes) again = NULL;
  const guint8 *bytes;
  gsize         length = 0;

  tl_get_check (file, placed, reason);
  if (!placed)
    return;
  tl_pim_program_streams (program);
  again = tl_stream_encode (program);
  bytes = g_bytes_get_data (again, &length);
  if (length == file->end && memcmp (bytes, file->data, length) == 0)
    return;
  for (file->at = 0; file->at < MIN (length, file->end) && bytes[file->at] == file->data[file->at];)
    file->at++;
  tl_get_fail (file, "the stream is not in its one canonical form");
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
