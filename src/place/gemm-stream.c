/* Requests of a tiled matrix product, one turn of a resident CTA after the other. */
#include "place/gemm-stream.h"
#include "base/number.h"

#define ELEMENT_BYTES 2
#define BASE_STEP     (G_GUINT64_CONSTANT (2) << 20)
#define MAX_BYTES     (G_GUINT64_CONSTANT (1) << 48)

/* One operand: a row-major matrix cut into tiles. */
typedef struct
{
  guint64 rows, columns; /* of the matrix */
  guint64 tile_rows, tile_columns;
  guint64 base; /* byte address */
  guint64 tile_bytes;
} Operand;

/* A CTA at work: where in its k loop, which tile, which turn of it. */
typedef struct
{
  guint64  cta;
  guint64  step; /* k step * 2 + operand */
  guint64  turn;
  guint64  idle; /* turns still to wait */
  gboolean live;
} Slot;

struct _TlGemmStream
{
  TlGemmShape shape;
  Operand     operand[2];
  guint64     n_tiles; /* of N */
  guint64     k_steps;
  guint64     ctas;
  guint64     next_cta;
  Slot       *slots;
  guint32     n_live;
  guint32     at;   /* slot whose turn it is */
  guint64     done; /* requests of the turn already given */
};

/* The tile a slot is at, as far as the matrix reaches. */
typedef struct
{
  const Operand *operand;
  guint64        row, column; /* its corner */
  guint64        rows;        /* inside the matrix */
  guint64        segments;    /* a row, inside the matrix */
  guint64        segment_bytes;
  guint64        start; /* packed: byte address */
} Tile;

static gboolean
matrix_bytes (const TlGemmShape *shape, const Operand *operand, guint64 *bytes)
{
  guint64 rows = operand->rows;
  guint64 columns = operand->columns;

  if (shape->packed)
    {
      rows = tl_ceil_div (rows, operand->tile_rows) * operand->tile_rows;
      columns = tl_ceil_div (columns, operand->tile_columns) * operand->tile_columns;
    }
  return tl_mul_u64 (rows, columns, bytes) && tl_mul_u64 (*bytes, ELEMENT_BYTES, bytes) && *bytes <= MAX_BYTES;
}

TlGemmStream *
tl_gemm_stream_new (const TlGemmShape *shape)
{
  guint64 a_bytes, b_bytes;

  if (shape->m == 0 || shape->n == 0 || shape->k == 0 || shape->tile_m == 0 || shape->tile_n == 0 || shape->tile_k == 0
      || shape->quantum < ELEMENT_BYTES || shape->quantum % ELEMENT_BYTES != 0 || shape->resident == 0)
    return NULL;
  Operand a = { shape->m, shape->k, shape->tile_m, shape->tile_k, 0, 0 };
  Operand b = { shape->k, shape->n, shape->tile_k, shape->tile_n, 0, 0 };
  if (shape->transposed)
    b = (Operand) { shape->n, shape->k, shape->tile_n, shape->tile_k, 0, 0 };
  if (!matrix_bytes (shape, &a, &a_bytes) || !matrix_bytes (shape, &b, &b_bytes))
    return NULL;
  b.base = tl_ceil_div (a_bytes, BASE_STEP) * BASE_STEP;
  a.tile_bytes = a.tile_rows * a.tile_columns * ELEMENT_BYTES;
  b.tile_bytes = b.tile_rows * b.tile_columns * ELEMENT_BYTES;

  TlGemmStream *stream = g_new0 (TlGemmStream, 1);
  stream->shape = *shape;
  stream->operand[0] = a;
  stream->operand[1] = b;
  stream->n_tiles = tl_ceil_div (shape->n, shape->tile_n);
  stream->k_steps = tl_ceil_div (shape->k, shape->tile_k);
  stream->ctas = stream->n_tiles * tl_ceil_div (shape->m, shape->tile_m);
  stream->n_live = (guint32) MIN ((guint64) shape->resident, stream->ctas);
  stream->shape.resident = stream->n_live;
  stream->slots = g_new0 (Slot, stream->n_live);
  for (guint32 i = 0; i < stream->n_live; i++)
    stream->slots[i] = (Slot) { .cta = i, .idle = (guint64) i * shape->skew, .live = TRUE };
  stream->next_cta = stream->n_live;
  return stream;
}

void
tl_gemm_stream_free (TlGemmStream *stream)
{
  if (stream == NULL)
    return;
  g_free (stream->slots);
  g_free (stream);
}

static Tile
tile_of (const TlGemmStream *stream, const Slot *slot)
{
  const Operand *operand = &stream->operand[slot->step % 2];
  guint64        k = slot->step / 2;
  guint64        outer = slot->step % 2 == 0 ? slot->cta / stream->n_tiles : slot->cta % stream->n_tiles;
  gboolean       k_down = slot->step % 2 == 1 && !stream->shape.transposed;
  guint64        row_bytes = operand->tile_columns * ELEMENT_BYTES;
  Tile           tile = { operand };

  tile.row = (k_down ? k : outer) * operand->tile_rows;
  tile.column = (k_down ? outer : k) * operand->tile_columns;
  tile.rows = MIN (operand->tile_rows, operand->rows - tile.row);
  tile.segment_bytes = MIN (stream->shape.quantum, row_bytes);
  guint64 columns = MIN (operand->tile_columns, operand->columns - tile.column);
  tile.segments = tl_ceil_div (columns * ELEMENT_BYTES, tile.segment_bytes);
  tile.start = operand->base + (outer * stream->k_steps + k) * operand->tile_bytes;
  return tile;
}

static guint64
turns_of (const TlGemmStream *stream, const Tile *tile)
{
  if (stream->shape.slab == 0)
    return tile->rows;
  return tl_ceil_div (tile->rows, stream->shape.slab) * tile->segments;
}

static guint64
requests_of (const TlGemmStream *stream, const Tile *tile, guint64 turn)
{
  if (stream->shape.slab == 0)
    return tile->segments;
  guint64 first = turn / tile->segments * stream->shape.slab;
  return MIN (stream->shape.slab, tile->rows - first);
}

static guint64
address_of (const TlGemmStream *stream, const Tile *tile, guint64 turn, guint64 request)
{
  const Operand *operand = tile->operand;
  gboolean       by_rows = stream->shape.slab == 0;
  guint64        row = by_rows ? turn : turn / tile->segments * stream->shape.slab + request;
  guint64        offset = (by_rows ? request : turn % tile->segments) * tile->segment_bytes;
  guint64        byte;

  if (stream->shape.packed)
    byte = tile->start + row * operand->tile_columns * ELEMENT_BYTES + offset;
  else
    byte = operand->base + ((tile->row + row) * operand->columns + tile->column) * ELEMENT_BYTES + offset;
  return byte / stream->shape.quantum;
}

/* After a turn: the next of the tile, the next tile, the next CTA. */
static void
advance (TlGemmStream *stream, Slot *slot, const Tile *tile)
{
  if (++slot->turn < turns_of (stream, tile))
    return;
  slot->turn = 0;
  if (++slot->step < 2 * stream->k_steps)
    return;
  slot->step = 0;
  slot->cta = stream->next_cta++;
  if (slot->cta >= stream->ctas)
    {
      slot->live = FALSE;
      stream->n_live--;
    }
}

gsize
tl_gemm_stream_next (TlGemmStream *stream, guint64 *addresses, gsize room)
{
  gsize n = 0;

  while (n < room && stream->n_live > 0)
    {
      Slot *slot = &stream->slots[stream->at];

      if (slot->live && slot->idle > 0)
        slot->idle--;
      else if (slot->live)
        {
          Tile    tile = tile_of (stream, slot);
          guint64 requests = requests_of (stream, &tile, slot->turn);

          while (n < room && stream->done < requests)
            addresses[n++] = address_of (stream, &tile, slot->turn, stream->done++);
          if (stream->done < requests)
            break;
          stream->done = 0;
          advance (stream, slot, &tile);
        }
      stream->at = (stream->at + 1) % stream->shape.resident;
    }
  return n;
}
