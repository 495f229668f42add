/* A program as canonical bytes. Owner classes: the distinct tile rows of a PU once,
 * then the class of each row, so that a regular owner map costs a byte a row. */
#include "base/hash.h"
#include "emit/program-private.h"
#include "emit/stream-private.h"

#include <string.h>

static void
put_varint (GByteArray *out, guint64 value)
{
  guint8 bytes[10];
  guint  n = 0;

  do
    {
      bytes[n] = value & 0x7f;
      value >>= 7;
      if (value != 0)
        bytes[n] |= 0x80;
      n++;
    }
  while (value != 0);
  g_byte_array_append (out, bytes, n);
}

static void
put_signed (GByteArray *out, gint64 value)
{
  put_varint (out, ((guint64) value << 1) ^ (guint64) (value >> 63));
}

static void
put_fixed (GByteArray *out, guint64 value, guint n_bytes)
{
  guint8 bytes[8];

  for (guint b = 0; b < n_bytes; b++)
    bytes[b] = (guint8) (value >> (8 * b));
  g_byte_array_append (out, bytes, n_bytes);
}

static void
put_text (GByteArray *out, const char *text)
{
  gsize length = strlen (text);

  put_varint (out, length);
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
}

static void
put_program (GByteArray *out, const TlPimProgram *program)
{
  const guint64 numbers[] = {
    program->n,
    program->tile,
    program->element_bits,
    program->edges,
    program->copies,
    program->copy_writes,
    program->ring,
    program->buffers,
    program->barriers,
    program->page,
    program->values,
    program->baseline,
    program->seed,
    program->cycle_check != FALSE,
  };

  put_text (out, program->name);
  put_text (out, program->target);
  put_text (out, program->mode);
  put_text (out, program->owner_rule);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    put_varint (out, numbers[i]);
}

static void
put_machine (GByteArray *out, const TlPimProgram *program)
{
  const TlPimMachine *m = &program->machine;
  const guint64       numbers[] = {
          m->clock,          m->pus,
          m->search_pus,     m->pes,
          m->channels,       m->groups,
          m->banks,          m->tiers,
          m->rows,           m->row_bytes,
          m->beat_bytes,     m->tier_bytes,
          m->sram_bytes,     m->scratchpad_bytes,
          m->ring_bytes,     m->ring_hop,
          m->burst,          m->tCCD,
          m->tRRD,           m->tFAW,
          m->tWTR,           m->tREFI,
          m->tRFC,           m->dram_fj_per_bit,
          m->alu_fj,         m->sram_local_fj,
          m->sram_shared_fj, m->hop_fj_per_bit,
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    put_varint (out, numbers[i]);
  for (guint t = 0; t < m->tiers; t++)
    {
      const TlTierTiming *tier = &m->tier[t];
      const guint32       times[]
          = { tier->tRCD, tier->tRAS, tier->tRP, tier->tRC, tier->tRTP, tier->tWR, tier->tCL, tier->tCWL };

      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        put_varint (out, times[i]);
    }
}

static void
put_scalar (GByteArray *out, const TlCarrier *carrier, TlScalar value)
{
  guint64 bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      put_signed (out, value.i);
      return;
    }
  memcpy (&bits, &value.r, sizeof bits);
  put_fixed (out, bits, 8);
}

static void
put_operator (GByteArray *out, const TlCarrier *carrier, const TlOperator *op)
{
  put_varint (out, op->kind);
  if (op->kind == TL_OPERATOR_TABLE)
    {
      put_varint (out, op->size);
      g_byte_array_append (out, op->table, op->size * op->size);
    }
  if (op->kind != TL_OPERATOR_EXPRESSION)
    return;
  put_varint (out, op->n_steps);
  for (guint s = 0; s < op->n_steps; s++)
    {
      put_varint (out, op->steps[s].kind);
      if (op->steps[s].kind == TL_STEP_CONSTANT)
        put_scalar (out, carrier, op->steps[s].value);
    }
}

static void
put_semiring (GByteArray *out, const TlSemiring *semiring)
{
  const TlCarrier *carrier = &semiring->carrier;
  const guint8     head[] = { carrier->element.kind,     carrier->element.bits,     carrier->element.exponent,
                              carrier->element.mantissa, carrier->has_inf != FALSE, carrier->has_minus_inf != FALSE };

  g_byte_array_append (out, head, sizeof head);
  put_scalar (out, carrier, carrier->low);
  put_scalar (out, carrier, carrier->high);
  put_scalar (out, carrier, semiring->zero);
  put_scalar (out, carrier, semiring->one);
  put_operator (out, carrier, &semiring->plus);
  put_operator (out, carrier, &semiring->times);
}

static void
put_data (GByteArray *out, const TlPimProgram *program)
{
  put_text (out, program->base);
  put_varint (out, program->data->len);
  for (guint d = 0; d < program->data->len; d++)
    {
      const TlDataSource *source = program->data->pdata[d];

      put_text (out, source->name);
      put_text (out, source->source);
      put_fixed (out, source->content_hash, 8);
    }
}

static void
put_layout (GByteArray *out, const TlPimProgram *program)
{
  const TlPlaceRule *place = &program->place;

  put_varint (out, place->kind);
  put_varint (out, place->first);
  put_varint (out, place->last);
  for (guint t = 0; place->kind == TL_PLACE_FILL && t < program->machine.tiers; t++)
    put_varint (out, place->reserved[t]);
  put_varint (out, program->objects->len);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, o);

      put_text (out, share->name);
      put_varint (out, share->tier);
      put_varint (out, share->bytes);
    }
}

static gboolean
same_code (const TlPuStream *a, const TlPuStream *b)
{
  if (a->n_code != b->n_code)
    return FALSE;
  for (guint c = 0; c < a->n_code; c++)
    if (a->code[c].kind != b->code[c].kind || a->code[c].a != b->code[c].a || a->code[c].b != b->code[c].b)
      return FALSE;
  return TRUE;
}

/* The distinct loop programs, numbered as they first appear. */
static void
put_code (GByteArray *out, const TlPimProgram *program, guint32 *code_of_pu)
{
  guint32             pus = program->machine.pus, n = 0;
  g_autofree guint32 *first = g_new (guint32, pus); /* the PU that first has code c */

  for (guint32 pu = 0; pu < pus; pu++)
    {
      guint32 c = 0;

      while (c < n && !same_code (&program->streams[first[c]], &program->streams[pu]))
        c++;
      if (c == n)
        first[n++] = pu;
      code_of_pu[pu] = c;
    }
  put_varint (out, n);
  for (guint32 c = 0; c < n; c++)
    {
      const TlPuStream *stream = &program->streams[first[c]];

      put_varint (out, stream->n_code);
      for (guint s = 0; s < stream->n_code; s++)
        {
          put_varint (out, stream->code[s].kind);
          put_varint (out, stream->code[s].a);
          put_varint (out, stream->code[s].b);
        }
    }
}

/* Slots of the table that finds a tile row's class: the index of the row that
 * first showed it, plus one. */
typedef struct
{
  guint32 *slots;
  guint32  mask;
  guint32 *class_of_row;
} ClassTable;

/* The row that first had the runs of row @i, @i itself when it is new. */
static guint32
first_like (const ClassTable *table, const TlPuStream *stream, guint32 i)
{
  guint64 hash = 0;

  for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
    {
      const TlTileRun *run = &stream->runs[r];

      hash = (hash ^ run->first ^ ((guint64) run->step << 24) ^ ((guint64) run->count << 44))
             * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
    }
  for (guint32 slot = (guint32) (hash >> 32) & table->mask;; slot = (slot + 1) & table->mask)
    {
      if (table->slots[slot] == 0)
        {
          table->slots[slot] = i + 1;
          return i;
        }
      if (tl_pu_same_row (stream, table->slots[slot] - 1, i))
        return table->slots[slot] - 1;
    }
}

static void
put_runs (GByteArray *out, const TlPuStream *stream, guint32 row)
{
  guint32 end = stream->row_runs[row + 1], free_column = 0;

  put_varint (out, end - stream->row_runs[row]);
  for (guint32 r = stream->row_runs[row]; r < end; r++)
    {
      const TlTileRun *run = &stream->runs[r];

      put_varint (out, run->first - free_column);
      put_varint (out, run->count);
      if (run->count > 1)
        put_varint (out, run->step);
      free_column = run->first + (run->count - 1) * run->step + 1;
    }
}

static void
put_pu (GByteArray *out, const TlPimProgram *program, guint32 pu, guint32 code, ClassTable *table)
{
  const TlPuStream *stream = &program->streams[pu];
  guint32           n_classes = 0;
  g_autoptr (GByteArray) classes = g_byte_array_new ();

  memset (table->slots, 0, (table->mask + 1) * sizeof *table->slots);
  for (guint32 i = 0; i < program->tiles; i++)
    {
      guint32 first = first_like (table, stream, i);

      if (first == i)
        {
          put_runs (classes, stream, i);
          table->class_of_row[i] = n_classes++;
        }
      else
        table->class_of_row[i] = table->class_of_row[first];
    }
  put_varint (out, pu);
  put_varint (out, code);
  put_varint (out, n_classes);
  g_byte_array_append (out, classes->data, classes->len);
  for (guint32 i = 0; i < program->tiles; i++)
    put_varint (out, table->class_of_row[i]);
}

/* Leaves room for the frame; close_section fills it in. */
static guint
open_section (GByteArray *out, const char *tag)
{
  guint start = out->len;

  g_byte_array_append (out, (const guint8 *) tag, 4);
  put_fixed (out, 0, 4);
  return start;
}

static void
close_section (GByteArray *out, guint start)
{
  guint32 length = out->len - start - 8;

  for (guint b = 0; b < 4; b++)
    out->data[start + 4 + b] = (guint8) (length >> (8 * b));
  put_fixed (out, tl_fnv1a64 (TL_FNV1A64_START, out->data + start, out->len - start), 8);
}

static void
put_header (GByteArray *out, guint32 sections)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();

  g_byte_array_append (header, (const guint8 *) TL_STREAM_MAGIC, TL_STREAM_MAGIC_BYTES);
  put_fixed (header, TL_STREAM_VERSION, 4);
  put_fixed (header, sections, 4);
  put_fixed (header, out->len, 8);
  put_fixed (header, tl_fnv1a64 (TL_FNV1A64_START, header->data, header->len), 8);
  memcpy (out->data, header->data, TL_STREAM_HEADER_BYTES);
}

GBytes *
tl_stream_encode (const TlPimProgram *program)
{
  GByteArray         *out = g_byte_array_sized_new (1 << 14);
  guint32             pus = program->machine.pus;
  g_autofree guint32 *code_of_pu = g_new (guint32, pus);
  ClassTable          table = { .mask = 15 };
  guint               start;

  g_byte_array_set_size (out, TL_STREAM_HEADER_BYTES);
  start = open_section (out, "PROG");
  put_program (out, program);
  close_section (out, start);
  start = open_section (out, "MACH");
  put_machine (out, program);
  close_section (out, start);
  start = open_section (out, "SEMI");
  put_semiring (out, program->semiring);
  close_section (out, start);
  start = open_section (out, "DATA");
  put_data (out, program);
  close_section (out, start);
  start = open_section (out, "LAYT");
  put_layout (out, program);
  close_section (out, start);
  start = open_section (out, "CODE");
  put_code (out, program, code_of_pu);
  close_section (out, start);

  while (table.mask < 2 * program->tiles)
    table.mask = 2 * table.mask + 1;
  table.slots = g_new (guint32, table.mask + 1);
  table.class_of_row = g_new (guint32, program->tiles);
  for (guint32 pu = 0; pu < pus; pu++)
    {
      start = open_section (out, TL_STREAM_PU_TAG);
      put_pu (out, program, pu, code_of_pu[pu], &table);
      close_section (out, start);
    }
  g_free (table.slots);
  g_free (table.class_of_row);
  put_header (out, TL_STREAM_N_TAGS + pus);
  return g_byte_array_free_to_bytes (out);
}
