/* Signatures from the numbers of a matrix product, and from what a trace recorded. */
#include "place/signature.h"
#include "base/hash.h"
#include "base/number.h"

#include <string.h>

static void
set_hash (TlSignature *signature)
{
  const guint64 facts[] = { signature->operand,   (guint64) (signature->transposed != 0),
                            signature->tile_rows, signature->tile_row_bytes,
                            signature->bits,      signature->quantum,
                            signature->units,     tl_sequence_hash (signature->sequence) };

  signature->hash = TL_FNV1A64_START;
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    signature->hash = tl_fnv1a64_u64 (signature->hash, facts[i]);
}

/* Takes the sequence. */
static TlSignature *
signature_new (TlGemmOperand operand, gboolean transposed, const TlGemmTiles *tiles, guint32 bits, guint32 quantum,
               TlSequence *sequence)
{
  TlSignature *signature = g_new (TlSignature, 1);

  *signature = (TlSignature) { operand,
                               operand == TL_GEMM_B && transposed,
                               tiles->tile_rows,
                               tiles->tile_row_bytes,
                               bits != 0 ? bits : 16,
                               quantum,
                               tl_ceil_div (tiles->tile_bytes, quantum),
                               sequence,
                               0 };
  set_hash (signature);
  return signature;
}

void
tl_signature_free (TlSignature *signature)
{
  if (signature == NULL)
    return;
  tl_sequence_free (signature->sequence);
  g_free (signature);
}

/* Bits of the unit numbers of a tile; 0 with a diagnostic when there are too many. */
static guint
unit_bits (const TlGemmTiles *tiles, guint32 quantum, TlDiags *diags)
{
  guint64 units = tl_ceil_div (tiles->tile_bytes, quantum);
  guint   bits = MAX (tl_bits_for (units), 1);

  if (bits <= TL_PLACE_MAX_BITS)
    return bits;
  TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "tile-units", NULL, tl_span (0, 0),
                               "a tile of %" G_GUINT64_FORMAT " bytes is too large to be placed", tiles->tile_bytes);
  tl_diag_reason (diag,
                  "it has %" G_GUINT64_FORMAT " units of %u bytes, a plan at most 2^%d; take a smaller tile or a "
                  "larger quantum",
                  units, quantum, TL_PLACE_MAX_BITS);
  return 0;
}

TlSignature *
tl_signature_of_gemm (const TlGemmShape *shape, TlGemmOperand operand, TlDiags *diags)
{
  TlGemmTiles tiles;
  guint       bits;

  if (!tl_gemm_tiles (shape, operand, &tiles))
    {
      tl_diags_add (diags, TL_SEVERITY_ERROR, "gemm-shape", NULL, tl_span (0, 0),
                    "a matrix product of this shape has no requests: a size is 0, the quantum is odd, a tile row is "
                    "no whole number of bytes, or a matrix passes 2^48 bytes");
      return NULL;
    }
  if ((bits = unit_bits (&tiles, shape->quantum, diags)) == 0)
    return NULL;

  guint64 segment = MIN (shape->quantum, tiles.tile_row_bytes);
  guint64 segments = tl_ceil_div (tiles.tile_row_bytes, segment);
  guint64 slab = shape->slab != 0 ? shape->slab : 1;
  guint64 length;
  if (!tl_mul_u64 (segments, tiles.tile_rows, &length) || length > TL_SEQUENCE_MAX_LENGTH)
    {
      tl_diags_add (diags, TL_SEVERITY_ERROR, "sequence-length", NULL, tl_span (0, 0),
                    "a tile of %" G_GUINT64_FORMAT " rows is read by more than the %u requests that a signature has",
                    tiles.tile_rows, TL_SEQUENCE_MAX_LENGTH);
      return NULL;
    }
  g_autofree guint16 *units = g_new (guint16, length);
  gsize               n = 0;
  for (guint64 first = 0; first < tiles.tile_rows; first += slab)
    for (guint64 s = 0; s < segments; s++)
      for (guint64 row = first; row < MIN (first + slab, tiles.tile_rows); row++)
        units[n++] = (guint16) ((row * tiles.tile_row_bytes + s * segment) / shape->quantum);
  return signature_new (operand, shape->transposed, &tiles, shape->bits[operand], shape->quantum,
                        tl_sequence_new (bits, units, n));
}

TlSignature *
tl_signature_of_pieces (const TlLoadRecipe *recipe, TlGemmOperand operand, gboolean transposed, guint32 quantum,
                        TlDiags *diags)
{
  TlGemmTiles tiles
      = { .tile_rows = recipe->pieces, .tile_row_bytes = recipe->bytes / recipe->pieces, .tile_bytes = recipe->bytes };
  guint bits = unit_bits (&tiles, quantum, diags);

  if (bits == 0)
    return NULL;
  guint32             n = (guint32) tl_ceil_div (recipe->bytes, quantum);
  g_autofree guint16 *units = g_new (guint16, n);
  for (guint32 i = 0; i < n; i++)
    units[i] = (guint16) i;
  return signature_new (operand, transposed, &tiles, recipe->element_bits, quantum, tl_sequence_new (bits, units, n));
}

/* The accesses of one tile, in order. */
typedef struct
{
  guint64 down, across;
  GArray *units; /* of guint16 */
} TracedTile;

static void
traced_tile_free (gpointer data)
{
  TracedTile *tile = data;

  g_array_unref (tile->units);
  g_free (tile);
}

typedef struct
{
  const TlTracedOperand *operand;
  TlSignatureReport     *report;
  GPtrArray             *tiles; /* of TracedTile *, in the order of their first access */
  GHashTable            *of;    /* number of the tile -> TracedTile * */
} Recording;

static void
record (Recording *recording, guint64 address)
{
  const TlGemmTiles *tiles = &recording->operand->tiles;
  guint64            offset = address - recording->operand->base;
  guint64            row = offset / tiles->row_bytes, byte = offset % tiles->row_bytes;

  if (address < recording->operand->base || row >= tiles->rows)
    {
      recording->report->elsewhere++;
      return;
    }
  guint64 down = row / tiles->tile_rows, across = byte / tiles->tile_row_bytes;
  gint64  number = (gint64) (down * tiles->tiles_across + across);
  guint64 inside = row % tiles->tile_rows * tiles->tile_row_bytes + byte % tiles->tile_row_bytes;
  guint16 unit = (guint16) (inside / recording->operand->quantum);

  TracedTile *tile = g_hash_table_lookup (recording->of, &number);
  if (tile == NULL)
    {
      tile = g_new (TracedTile, 1);
      *tile = (TracedTile) { down, across, g_array_new (FALSE, FALSE, sizeof (guint16)) };
      g_ptr_array_add (recording->tiles, tile);
      g_hash_table_insert (recording->of, g_memdup2 (&number, sizeof number), tile);
    }
  g_array_append_val (tile->units, unit);
  recording->report->requests++;
}

static gboolean
read_trace (Recording *recording, TlTrace *trace, TlDiags *diags)
{
  TlRequest requests[512];
  gsize     n;

  while ((n = tl_trace_read (trace, requests, G_N_ELEMENTS (requests), diags)) > 0)
    for (gsize i = 0; i < n; i++)
      {
        guint64 length = MAX (requests[i].bytes, 1);

        for (guint64 at = 0; at < length; at += recording->operand->quantum)
          record (recording, requests[i].address + at);
        if (recording->report->requests > TL_SIGNATURE_MAX_REQUESTS)
          {
            TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-length", tl_trace_name (trace),
                                            (guint) requests[i].line, 0, "the trace is too long for a signature");
            tl_diag_reason (diag, "the first %u requests of an operand say how its tiles are read; cut it there",
                            TL_SIGNATURE_MAX_REQUESTS);
            return FALSE;
          }
      }
  return !tl_trace_failed (trace);
}

/* Length of the shortest beginning of which all is a repetition, by the failure function. */
static guint
period_of (const guint16 *units, guint length)
{
  g_autofree guint *border = g_new (guint, length);

  border[0] = 0;
  for (guint i = 1; i < length; i++)
    {
      guint k = border[i - 1];
      while (k > 0 && units[i] != units[k])
        k = border[k - 1];
      border[i] = k + (units[i] == units[k]);
    }
  guint period = length - border[length - 1];
  return length % period == 0 ? period : length;
}

static gboolean
is_whole (const TlGemmTiles *tiles, const TracedTile *tile)
{
  return (tile->down + 1) * tiles->tile_rows <= tiles->rows
         && (tile->across + 1) * tiles->tile_row_bytes <= tiles->row_bytes;
}

/* Whether the matrix reaches where an access to @unit begins. */
static gboolean
reached (const TlTracedOperand *operand, const TracedTile *tile, guint16 unit)
{
  const TlGemmTiles *tiles = &operand->tiles;
  guint64            inside = (guint64) unit * operand->quantum;
  guint64            row = tile->down * tiles->tile_rows + inside / tiles->tile_row_bytes;
  guint64            byte = tile->across * tiles->tile_row_bytes + inside % tiles->tile_row_bytes;

  return row < tiles->rows && byte < tiles->row_bytes;
}

/* Whether @tile is read as @order says, again and again. */
static gboolean
repeats (const Recording *recording, const TracedTile *tile, const guint16 *order, guint length, TlDiags *diags)
{
  const guint16 *units = (const guint16 *) (gpointer) tile->units->data;
  gboolean       whole = is_whole (&recording->operand->tiles, tile);
  guint          at = 0;

  for (guint i = 0; i < tile->units->len; i++)
    {
      guint skipped = 0;

      while (!whole && skipped < length && !reached (recording->operand, tile, order[at]))
        {
          at = (at + 1) % length;
          skipped++;
        }
      if (units[i] != order[at])
        {
          TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "no-recurrence-of-accesses", NULL, tl_span (0, 0),
                                       "tile (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT ") is not read as the first "
                                       "tile is: its access %u goes to unit %u, not %u",
                                       tile->down, tile->across, i, units[i], order[at]);
          tl_diag_reason (diag,
                          "one signature stands for all tiles of an operand only when each repeats the same order "
                          "of accesses");
          return FALSE;
        }
      at = (at + 1) % length;
    }
  return TRUE;
}

static gboolean
checked (const Recording *recording, const guint16 *order, guint length, TlDiags *diags)
{
  for (guint i = 0; i < recording->tiles->len; i++)
    {
      const TracedTile *tile = g_ptr_array_index (recording->tiles, i);

      if (!repeats (recording, tile, order, length, diags))
        return FALSE;
      if (is_whole (&recording->operand->tiles, tile))
        {
          recording->report->whole++;
          recording->report->instances += tile->units->len / length;
        }
    }
  return TRUE;
}

TlSignature *
tl_signature_from_trace (TlTrace *trace, const TlTracedOperand *operand, TlSignatureReport *report, TlDiags *diags)
{
  g_autoptr (GPtrArray) tiles = g_ptr_array_new_with_free_func (traced_tile_free);
  g_autoptr (GHashTable) of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Recording recording = { operand, report, tiles, of };
  guint     bits = unit_bits (&operand->tiles, operand->quantum, diags);

  *report = (TlSignatureReport) { 0 };
  if (bits == 0 || !read_trace (&recording, trace, diags))
    return NULL;
  report->tiles = tiles->len;
  if (tiles->len == 0)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-elsewhere", tl_trace_name (trace), 0, 0,
                       "no request of the trace goes to the operand, which lies from byte %" G_GUINT64_FORMAT " on",
                       operand->base);
      return NULL;
    }
  const TracedTile *first = g_ptr_array_index (tiles, 0);
  for (guint i = 0; i < tiles->len; i++)
    if (is_whole (&operand->tiles, g_ptr_array_index (tiles, i)))
      {
        first = g_ptr_array_index (tiles, i);
        break;
      }
  const guint16 *order = (const guint16 *) (gpointer) first->units->data;
  guint          length = period_of (order, first->units->len);
  if (length > TL_SEQUENCE_MAX_LENGTH)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "sequence-length", tl_trace_name (trace), 0, 0,
                       "a tile is read by %u requests, a signature has at most %u", length, TL_SEQUENCE_MAX_LENGTH);
      return NULL;
    }
  if (!checked (&recording, order, length, diags))
    return NULL;
  return signature_new (operand->operand, operand->transposed, &operand->tiles, operand->bits, operand->quantum,
                        tl_sequence_new (bits, order, length));
}
