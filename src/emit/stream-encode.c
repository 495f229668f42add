/* A program as canonical bytes. Owner classes: the distinct tile rows of a PU once,
 * then the class of each row, so that a regular owner map costs a byte a row. */
#include "emit/program-private.h"
#include "emit/stream-bytes-private.h"

#include <string.h>

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

  tl_put_text (out, program->name);
  tl_put_text (out, program->target);
  tl_put_text (out, program->mode);
  tl_put_text (out, program->owner_rule);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    tl_put_varint (out, numbers[i]);
}

static void
put_scalar (GByteArray *out, const TlCarrier *carrier, TlScalar value)
{
  guint64 bits;

  if (!tl_element_type_is_float (carrier->element))
    {
      tl_put_signed (out, value.i);
      return;
    }
  memcpy (&bits, &value.r, sizeof bits);
  tl_put_fixed (out, bits, 8);
}

static void
put_operator (GByteArray *out, const TlCarrier *carrier, const TlOperator *op)
{
  tl_put_varint (out, op->kind);
  if (op->kind == TL_OPERATOR_TABLE)
    {
      tl_put_varint (out, op->size);
      g_byte_array_append (out, op->table, op->size * op->size);
    }
  if (op->kind != TL_OPERATOR_EXPRESSION)
    return;
  tl_put_varint (out, op->n_steps);
  for (guint s = 0; s < op->n_steps; s++)
    {
      tl_put_varint (out, op->steps[s].kind);
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
  tl_put_text (out, program->base);
  tl_put_sources (out, program->data);
}

static void
put_layout (GByteArray *out, const TlPimProgram *program)
{
  const TlPlaceRule *place = &program->place;

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
  tl_put_varint (out, n);
  for (guint32 c = 0; c < n; c++)
    {
      const TlPuStream *stream = &program->streams[first[c]];

      tl_put_varint (out, stream->n_code);
      for (guint s = 0; s < stream->n_code; s++)
        {
          tl_put_varint (out, stream->code[s].kind);
          tl_put_varint (out, stream->code[s].a);
          tl_put_varint (out, stream->code[s].b);
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

  tl_put_varint (out, end - stream->row_runs[row]);
  for (guint32 r = stream->row_runs[row]; r < end; r++)
    {
      const TlTileRun *run = &stream->runs[r];

      tl_put_varint (out, run->first - free_column);
      tl_put_varint (out, run->count);
      if (run->count > 1)
        tl_put_varint (out, run->step);
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
  tl_put_varint (out, pu);
  tl_put_varint (out, code);
  tl_put_varint (out, n_classes);
  g_byte_array_append (out, classes->data, classes->len);
  for (guint32 i = 0; i < program->tiles; i++)
    tl_put_varint (out, table->class_of_row[i]);
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
  start = tl_put_section (out, "PROG");
  put_program (out, program);
  tl_put_section_end (out, start);
  start = tl_put_section (out, "MACH");
  tl_put_machine (out, &program->machine);
  tl_put_section_end (out, start);
  start = tl_put_section (out, "SEMI");
  put_semiring (out, program->semiring);
  tl_put_section_end (out, start);
  start = tl_put_section (out, "DATA");
  put_data (out, program);
  tl_put_section_end (out, start);
  start = tl_put_section (out, "LAYT");
  put_layout (out, program);
  tl_put_section_end (out, start);
  start = tl_put_section (out, "CODE");
  put_code (out, program, code_of_pu);
  tl_put_section_end (out, start);

  while (table.mask < 2 * program->tiles)
    table.mask = 2 * table.mask + 1;
  table.slots = g_new (guint32, table.mask + 1);
  table.class_of_row = g_new (guint32, program->tiles);
  for (guint32 pu = 0; pu < pus; pu++)
    {
      start = tl_put_section (out, TL_STREAM_PU_TAG);
      put_pu (out, program, pu, code_of_pu[pu], &table);
      tl_put_section_end (out, start);
    }
  g_free (table.slots);
  g_free (table.class_of_row);
  tl_put_header (out, TL_STREAM_N_TAGS + pus);
  return g_byte_array_free_to_bytes (out);
}
