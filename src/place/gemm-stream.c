/* Requests of a tiled matrix product, one turn of a resident CTA after the other. */
#include "place/gemm-stream.h"
#include "base/number.h"

#define BASE_STEP (G_GUINT64_CONSTANT (2) << 20)
#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 48)

/* The tile a slot is at, as far as the matrix reaches. */
typedef struct
{
  TlGemmOperand operand;
  guint64       outer, step;
  guint64       rows;     /* inside the matrix */
  guint64       segments; /* a row, inside the matrix */
  guint64       segment_bytes;
  guint64       start; /* byte address of its corner */
  guint64       pitch; /* bytes from row to row */
  guint64       turns;
} Tile;

/* A CTA at work: where in its k loop, which tile, which turn of it. */
typedef struct
{
  guint64  cta;
  guint64  step; /* k step * 2 + operand */
  guint64  turn;
  guint64  idle; /* turns still to wait */
  gboolean live;
  Tile     tile;
} Slot;

struct _TlGemmStream
{
  TlGemmShape shape;
  TlGemmTiles tiles[TL_N_GEMM_OPERANDS];
  guint64     base[TL_N_GEMM_OPERANDS]; /* byte address */
  guint       shift;                    /* of a quantum that is a power of two, else 0 */
  guint64     n_tiles;                  /* of N */
  guint64     k_steps;
  guint64     ctas;
  guint64     next_cta;
  Slot       *slots;
  guint32     n_live;
  guint32     at;   /* slot whose turn it is */
  guint64     done; /* requests of the turn already given */
};

static gboolean
matrix_bytes (const TlGemmShape *shape, const TlGemmTiles *tiles, guint64 *bytes)
{
  guint64 rows = tiles->rows;
  guint64 row_bytes = tiles->row_bytes;

  if (shape->packed)
    {
      rows = tiles->tiles_down * tiles->tile_rows;
      row_bytes = tiles->tiles_across * tiles->tile_row_bytes;
    }
  return tl_mul_u64 (rows, row_bytes, bytes) && *bytes <= MAX_BYTES;
}

gboolean
tl_gemm_tiles (const TlGemmShape *shape, TlGemmOperand operand, TlGemmTiles *tiles)
{
  gboolean k_down = operand == TL_GEMM_B && !shape->transposed;
  guint64  outer = operand == TL_GEMM_A ? shape->m : shape->n;
  guint64  tile_outer = operand == TL_GEMM_A ? shape->tile_m : shape->tile_n;
  guint64  bits = shape->bits[operand] != 0 ? shape->bits[operand] : 16;
  guint64  columns = k_down ? outer : shape->k;
  guint64  tile_columns = k_down ? tile_outer : shape->tile_k;
  guint64  bytes;

  if (shape->m == 0 || shape->n == 0 || shape->k == 0 || shape->tile_m == 0 || shape->tile_n == 0 || shape->tile_k == 0
      || shape->quantum < 2 || shape->quantum % 2 != 0 || shape->resident == 0 || bits > 64
      || tile_columns * bits % 8 != 0)
    return FALSE;
  *tiles = (TlGemmTiles) {
    .rows = k_down ? shape->k : outer,
    .row_bytes = tl_ceil_div (columns * bits, 8),
    .tile_rows = k_down ? shape->tile_k : tile_outer,
    .tile_row_bytes = tile_columns * bits / 8,
  };
  tiles->tiles_down = tl_ceil_div (tiles->rows, tiles->tile_rows);
  tiles->tiles_across = tl_ceil_div (columns, tile_columns);
  return tl_mul_u64 (tiles->tile_rows, tiles->tile_row_bytes, &tiles->tile_bytes) && tiles->tile_bytes <= MAX_BYTES
         && matrix_bytes (shape, tiles, &bytes);
}

/* Where slot->step leads. */
static void
enter_tile (const TlGemmStream *stream, Slot *slot)
{
  TlGemmOperand      operand = slot->step % 2 == 0 ? TL_GEMM_A : TL_GEMM_B;
  const TlGemmTiles *tiles = &stream->tiles[operand];
  guint64            k = slot->step / 2;
  guint64            outer = operand == TL_GEMM_A ? slot->cta / stream->n_tiles : slot->cta % stream->n_tiles;
  gboolean           k_down = operand == TL_GEMM_B && !stream->shape.transposed;
  guint64            row = (k_down ? k : outer) * tiles->tile_rows;
  guint64            column = (k_down ? outer : k) * tiles->tile_row_bytes;
  Tile              *tile = &slot->tile;

  tile->operand = operand;
  tile->outer = outer;
  tile->step = k;
  tile->rows = MIN (tiles->tile_rows, tiles->rows - row);
  tile->segment_bytes = MIN (stream->shape.quantum, tiles->tile_row_bytes);
  tile->segments = tl_ceil_div (MIN (tiles->tile_row_bytes, tiles->row_bytes - column), tile->segment_bytes);
  if (stream->shape.packed)
    {
      tile->start = stream->base[operand] + (outer * stream->k_steps + k) * tiles->tile_bytes;
      tile->pitch = tiles->tile_row_bytes;
    }
  else
    {
      tile->start = stream->base[operand] + row * tiles->row_bytes + column;
      tile->pitch = tiles->row_bytes;
    }
  tile->turns = stream->shape.slab == 0 ? tile->rows : tl_ceil_div (tile->rows, stream->shape.slab) * tile->segments;
}

guint64
tl_gemm_ctas (const TlGemmShape *shape)
{
  guint64 all = tl_ceil_div (shape->n, shape->tile_n) * tl_ceil_div (shape->m, shape->tile_m);

  return shape->ctas != 0 ? MIN (all, shape->ctas) : all;
}

guint64
tl_gemm_base (const TlGemmShape *shape, TlGemmOperand operand)
{
  TlGemmTiles tiles;
  guint64     bytes;

  if (operand == TL_GEMM_A || !tl_gemm_tiles (shape, TL_GEMM_A, &tiles) || !matrix_bytes (shape, &tiles, &bytes))
    return 0;
  return tl_ceil_div (bytes, BASE_STEP) * BASE_STEP;
}

TlGemmStream *
tl_gemm_stream_new (const TlGemmShape *shape)
{
  TlGemmTiles tiles[TL_N_GEMM_OPERANDS];

  if (!tl_gemm_tiles (shape, TL_GEMM_A, &tiles[TL_GEMM_A]) || !tl_gemm_tiles (shape, TL_GEMM_B, &tiles[TL_GEMM_B]))
    return NULL;

  TlGemmStream *stream = g_new0 (TlGemmStream, 1);
  stream->shape = *shape;
  stream->tiles[TL_GEMM_A] = tiles[TL_GEMM_A];
  stream->tiles[TL_GEMM_B] = tiles[TL_GEMM_B];
  stream->base[TL_GEMM_B] = tl_gemm_base (shape, TL_GEMM_B);
  if ((shape->quantum & (shape->quantum - 1)) == 0)
    stream->shift = (guint) __builtin_ctz (shape->quantum);
  stream->n_tiles = tl_ceil_div (shape->n, shape->tile_n);
  stream->k_steps = tl_ceil_div (shape->k, shape->tile_k);
  stream->ctas = tl_gemm_ctas (shape);
  stream->n_live = (guint32) MIN ((guint64) shape->resident, stream->ctas);
  stream->shape.resident = stream->n_live;
  stream->slots = g_new0 (Slot, stream->n_live);
  for (guint32 i = 0; i < stream->n_live; i++)
    {
      stream->slots[i] = (Slot) { .cta = i, .idle = (guint64) i * shape->skew, .live = TRUE };
      enter_tile (stream, &stream->slots[i]);
    }
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

static guint64
requests_of (const TlGemmStream *stream, const Slot *slot)
{
  const Tile *tile = &slot->tile;

  if (stream->shape.slab == 0)
    return tile->segments;
  guint64 first = slot->turn / tile->segments * stream->shape.slab;
  return MIN (stream->shape.slab, tile->rows - first);
}

/* Row and byte in the row of one request of the slot's turn. */
static inline void
place_of (const TlGemmStream *stream, const Slot *slot, guint64 request, guint64 *row, guint64 *byte)
{
  const Tile *tile = &slot->tile;

  if (stream->shape.slab == 0)
    {
      *row = slot->turn;
      *byte = request * tile->segment_bytes;
    }
  else
    {
      *row = slot->turn / tile->segments * stream->shape.slab + request;
      *byte = slot->turn % tile->segments * tile->segment_bytes;
    }
}

static inline guint64
quantum_of (const TlGemmStream *stream, guint64 byte)
{
  return stream->shift != 0 ? byte >> stream->shift : byte / stream->shape.quantum;
}

/* After a turn: the next of the tile, the next tile, the next CTA. */
static void
advance (TlGemmStream *stream, Slot *slot)
{
  if (++slot->turn < slot->tile.turns)
    return;
  slot->turn = 0;
  if (++slot->step == 2 * stream->k_steps)
    {
      slot->step = 0;
      slot->cta = stream->next_cta++;
      if (slot->cta >= stream->ctas)
        {
          slot->live = FALSE;
          stream->n_live--;
          return;
        }
    }
  enter_tile (stream, slot);
}

/* One request of the slot's turn. */
static inline TlGemmRequest
request_of (const TlGemmStream *stream, const Slot *slot, guint64 request)
{
  const Tile *tile = &slot->tile;
  guint64     row, byte;

  place_of (stream, slot, request, &row, &byte);
  return (TlGemmRequest) { quantum_of (stream, tile->start + row * tile->pitch + byte), tile->outer, tile->step,
                           row * stream->tiles[tile->operand].tile_row_bytes + byte, tile->operand };
}

/* Fills one of the two arrays. */
static inline gsize
next (TlGemmStream *stream, guint64 *addresses, TlGemmRequest *requests, gsize room)
{
  gsize n = 0;

  while (n < room && stream->n_live > 0)
    {
      Slot *slot = &stream->slots[stream->at];

      if (slot->live && slot->idle > 0)
        slot->idle--;
      else if (slot->live)
        {
          guint64 all = requests_of (stream, slot);

          for (; n < room && stream->done < all; stream->done++, n++)
            {
              TlGemmRequest request = request_of (stream, slot, stream->done);

              if (addresses != NULL)
                addresses[n] = request.address;
              else
                requests[n] = request;
            }
          if (stream->done < all)
            break;
          stream->done = 0;
          advance (stream, slot);
        }
      if (++stream->at == stream->shape.resident)
        stream->at = 0;
    }
  return n;
}

gsize
tl_gemm_stream_next (TlGemmStream *stream, guint64 *addresses, gsize room)
{
  return next (stream, addresses, NULL, room);
}

gsize
tl_gemm_stream_requests (TlGemmStream *stream, TlGemmRequest *requests, gsize room)
{
  return next (stream, NULL, requests, room);
}

guint32
tl_gemm_stream_slots (const TlGemmStream *stream)
{
  return stream->shape.resident;
}

void
tl_gemm_stream_peek (const TlGemmStream *stream, guint32 slot, TlGemmTurn *turn)
{
  const Slot *one = &stream->slots[slot];

  *turn = (TlGemmTurn) { one->cta, one->tile.step, one->tile.operand, one->live, 0 };
  if (one->live)
    turn->requests = requests_of (stream, one);
}

void
tl_gemm_stream_take (TlGemmStream *stream, guint32 slot, TlGemmRequest *requests)
{
  Slot   *one = &stream->slots[slot];
  guint64 all = requests_of (stream, one);

  for (guint64 i = 0; i < all; i++)
    requests[i] = request_of (stream, one, i);
  advance (stream, one);
}

/* Segments over all tiles of one row of them. */
static guint64
segments_across (const TlGemmShape *shape, const TlGemmTiles *tiles)
{
  guint64 segment = MIN (shape->quantum, tiles->tile_row_bytes);
  guint64 last = tiles->row_bytes - (tiles->tiles_across - 1) * tiles->tile_row_bytes;

  return (tiles->tiles_across - 1) * tl_ceil_div (tiles->tile_row_bytes, segment) + tl_ceil_div (last, segment);
}

/* Requests of the first CTAs: of whole rows of tiles of C, and of the beginning of one. */
static guint64
requests_of_ctas (const TlGemmShape *shape, const TlGemmTiles *a, const TlGemmTiles *b, guint64 columns)
{
  guint64 whole = shape->ctas / columns, rest = shape->ctas % columns;
  guint64 rows = MIN (whole * shape->tile_m, a->rows), more = MIN ((whole + 1) * shape->tile_m, a->rows) - rows;
  guint64 across_a = segments_across (shape, a), across_b = segments_across (shape, b);
  guint64 of_rest;

  if (shape->transposed)
    of_rest = MIN (rest * shape->tile_n, b->rows) * across_b;
  else
    of_rest = b->rows * rest * tl_ceil_div (b->tile_row_bytes, MIN (shape->quantum, b->tile_row_bytes));
  return rows * across_a * columns + whole * b->rows * across_b + more * across_a * rest + of_rest;
}

guint64
tl_gemm_requests (const TlGemmShape *shape)
{
  TlGemmTiles a, b;

  if (!tl_gemm_tiles (shape, TL_GEMM_A, &a) || !tl_gemm_tiles (shape, TL_GEMM_B, &b))
    return 0;
  /* Each tile of A is read once for each column of tiles of B, and the other way round. */
  guint64 columns = tl_ceil_div (shape->n, shape->tile_n);
  guint64 rows = tl_ceil_div (shape->m, shape->tile_m);
  if (tl_gemm_ctas (shape) < columns * rows)
    return requests_of_ctas (shape, &a, &b, columns);
  return a.rows * segments_across (shape, &a) * columns + b.rows * segments_across (shape, &b) * rows;
}
