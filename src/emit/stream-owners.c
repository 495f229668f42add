/* The sections of a stream that hold the PUs' owner classes: the distinct tile rows of a PU once, then the class of each
 * row, so that a regular owner map costs a byte a row. */
#include "emit/stream-parts-private.h"

#include <string.h>

#define PU_TAG "PU  "

/* --- Writing --- */

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

void
tl_put_owners (GByteArray *out, const TlPimProgram *program, const guint32 *code_of_pu)
{
  ClassTable table = { .mask = 15 };

  while (table.mask < 2 * program->tiles)
    table.mask = 2 * table.mask + 1;
  table.slots = g_new (guint32, table.mask + 1);
  table.class_of_row = g_new (guint32, program->tiles);
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      guint start = tl_put_section (out, PU_TAG);

      put_pu (out, program, pu, code_of_pu[pu], &table);
      tl_put_section_end (out, start);
    }
  g_free (table.slots);
  g_free (table.class_of_row);
}

/* --- Reading --- */

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

void
tl_get_owners (TlStreamReader *file, TlPimProgram *program)
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
      TlStreamReader section = tl_get_section (file, PU_TAG);

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
