/* Counting in source order. A unit's domain and row are one key (the place above the
 * column); a domain remembers the key it holds, so that a request is a few table
 * look-ups, one compare and one store. */
#include "dram/in-order.h"

#include <string.h>

#include "base/gf2.h"
#include "dram/replay.h"

#define CHUNK_BITS 11
#define BATCH      4096

/* 32-bit keys leave all ones free for "closed". */
#define CLOSED32 G_MAXUINT32
#define CLOSED64 G_MAXUINT64

struct _TlInOrder
{
  TlAddressMap *map;
  TlPages       pages;
  guint         row_bits;
  guint         chunk_bits;
  guint         n_chunks;
  gboolean      wide; /* keys of 64 bits */
  gsize         n_domains;
  guint32      *tables32; /* n_chunks of 2^chunk_bits keys */
  guint64      *tables64;
  guint32      *open32; /* n_domains keys */
  guint64      *open64;
  guint64       requests;
  guint64       hit;
  guint64       miss;
  guint64       writes;
};

static void
build_tables (TlInOrder *counter, guint bits)
{
  const guint64 *rows = tl_address_map_rows (counter->map);
  guint          column_bits = tl_address_map_column_bits (counter->map);

  counter->n_chunks = MAX ((bits + CHUNK_BITS - 1) / CHUNK_BITS, 1);
  counter->chunk_bits = MAX ((bits + counter->n_chunks - 1) / counter->n_chunks, 1);
  gsize size = (gsize) 1 << counter->chunk_bits;
  if (counter->wide)
    counter->tables64 = g_new0 (guint64, counter->n_chunks * size);
  else
    counter->tables32 = g_new0 (guint32, counter->n_chunks * size);
  for (guint chunk = 0; chunk < counter->n_chunks; chunk++)
    for (guint b = 0; b < counter->chunk_bits && chunk * counter->chunk_bits + b < bits; b++)
      {
        guint64 unit = G_GUINT64_CONSTANT (1) << (chunk * counter->chunk_bits + b);
        guint64 key = tl_gf2_apply (rows + column_bits, bits - column_bits, unit);
        for (gsize i = 0, half = (gsize) 1 << b; i < half; i++)
          if (counter->wide)
            counter->tables64[chunk * size + half + i] = counter->tables64[chunk * size + i] ^ key;
          else
            counter->tables32[chunk * size + half + i] = counter->tables32[chunk * size + i] ^ (guint32) key;
      }
}

TlInOrder *
tl_in_order_new (TlAddressMap *map, TlPages pages)
{
  TlInOrder *counter = g_new0 (TlInOrder, 1);
  guint      bits = tl_address_map_bits (map);
  guint      key_bits = bits - tl_address_map_column_bits (map);

  counter->map = tl_address_map_ref (map);
  counter->pages = pages;
  counter->row_bits = tl_address_map_row_bits (map);
  counter->wide = key_bits > 31;
  counter->n_domains = (gsize) 1 << (key_bits - counter->row_bits);
  build_tables (counter, bits);
  if (counter->wide)
    counter->open64 = g_new (guint64, counter->n_domains);
  else
    counter->open32 = g_new (guint32, counter->n_domains);
  tl_in_order_reset (counter);
  return counter;
}

void
tl_in_order_free (TlInOrder *counter)
{
  tl_address_map_unref (counter->map);
  g_free (counter->tables32);
  g_free (counter->tables64);
  g_free (counter->open32);
  g_free (counter->open64);
  g_free (counter);
}

void
tl_in_order_reset (TlInOrder *counter)
{
  if (counter->wide)
    memset (counter->open64, 0xff, counter->n_domains * sizeof (guint64));
  else
    memset (counter->open32, 0xff, counter->n_domains * sizeof (guint32));
  counter->requests = counter->hit = counter->miss = counter->writes = 0;
}

static inline guint64
key64 (const TlInOrder *counter, guint64 unit)
{
  guint64 mask = (G_GUINT64_CONSTANT (1) << counter->chunk_bits) - 1;
  guint64 key = 0;

  for (guint chunk = 0; chunk < counter->n_chunks; chunk++)
    key ^= counter->tables64[(chunk << counter->chunk_bits) + (unit >> (chunk * counter->chunk_bits) & mask)];
  return key;
}

/* The hot loop: @chunks is a constant at each call, so that the look-ups unroll. */
static inline __attribute__ ((always_inline)) void
feed32 (TlInOrder *counter, const guint64 *units, gsize n, guint chunks)
{
  const guint32 *tables = counter->tables32;
  guint32       *open = counter->open32;
  guint          bits = counter->chunk_bits, row_bits = counter->row_bits;
  guint64        mask = (G_GUINT64_CONSTANT (1) << bits) - 1;
  guint64        hit = 0, miss = 0;

  for (gsize i = 0; i < n; i++)
    {
      guint64 unit = units[i];
      guint32 key = tables[unit & mask];
      for (guint chunk = 1; chunk < chunks; chunk++)
        key ^= tables[((gsize) chunk << bits) + (unit >> (chunk * bits) & mask)];
      guint32 held = open[key >> row_bits];
      open[key >> row_bits] = key;
      hit += held == key;
      miss += held == CLOSED32;
    }
  counter->hit += hit;
  counter->miss += miss;
}

static void
feed64 (TlInOrder *counter, const guint64 *units, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 key = key64 (counter, units[i]);
      guint64 held = counter->open64[key >> counter->row_bits];
      counter->open64[key >> counter->row_bits] = key;
      counter->hit += held == key;
      counter->miss += held == CLOSED64;
    }
}

void
tl_in_order_feed (TlInOrder *counter, const guint64 *units, gsize n)
{
  counter->requests += n;
  if (counter->wide)
    feed64 (counter, units, n);
  else if (counter->n_chunks == 1)
    feed32 (counter, units, n, 1);
  else if (counter->n_chunks == 2)
    feed32 (counter, units, n, 2);
  else if (counter->n_chunks == 3)
    feed32 (counter, units, n, 3);
  else
    feed32 (counter, units, n, counter->n_chunks);
}

void
tl_in_order_classify (TlInOrder *counter, const guint64 *units, gsize n, guint8 *classes)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 hit = counter->hit, miss = counter->miss;
      tl_in_order_feed (counter, &units[i], 1);
      if (counter->hit > hit)
        classes[i] = TL_ROW_HIT;
      else if (counter->miss > miss || counter->pages == TL_PAGES_CLOSED)
        classes[i] = TL_ROW_MISS;
      else
        classes[i] = TL_ROW_CONFLICT;
    }
}

void
tl_in_order_counts (const TlInOrder *counter, TlInOrderCounts *counts)
{
  guint64 others = counter->requests - counter->hit;

  *counts = (TlInOrderCounts) {
    .requests = counter->requests,
    .hit = counter->hit,
    .miss = counter->pages == TL_PAGES_CLOSED ? others : counter->miss,
    .conflict = counter->pages == TL_PAGES_CLOSED ? 0 : others - counter->miss,
    .act = others,
    .pre = counter->pages == TL_PAGES_CLOSED ? others : others - counter->miss,
    .reads = counter->requests - counter->writes,
    .writes = counter->writes,
    .domains = counter->miss, /* each is opened from closed once */
  };
}

/* --- whole traces --- */

typedef struct
{
  TlInOrder *counter;
  guint8    *classes; /* of the first n_classes requests, to be filled */
  gsize      n_classes;
  guint64    units[BATCH];
  gsize      n;
} Pending;

static void
flush (Pending *pending)
{
  gsize before = (gsize) MIN (pending->counter->requests, pending->n_classes);
  gsize named = MIN (pending->n, pending->n_classes - before);

  if (named > 0)
    tl_in_order_classify (pending->counter, pending->units, named, pending->classes + before);
  tl_in_order_feed (pending->counter, pending->units + named, pending->n - named);
  pending->n = 0;
}

/* Adds the units that @request touches. FALSE with a diagnostic past the capacity. */
static gboolean
add_request (Pending *pending, const TlRequest *request, const TlMemory *memory, gboolean wrap, const char *name,
             TlDiags *diags)
{
  guint64 units = memory->capacity / memory->unit_bytes;
  guint64 unit, n;

  if (!tl_request_units (request, memory, wrap, name, &unit, &n, diags))
    return FALSE;
  for (; n > 0; n--, unit++)
    {
      if (pending->n == BATCH)
        flush (pending);
      pending->units[pending->n++] = unit % units;
      pending->counter->writes += request->write;
    }
  return TRUE;
}

gboolean
tl_replay_in_order (TlTrace *trace, const TlTarget *target, const TlReplayOptions *options, TlInOrderCounts *counts,
                    TlDiags *diags)
{
  const TlMemory       *memory = tl_target_memory (target);
  g_autofree TlRequest *requests = g_new (TlRequest, BATCH);
  gboolean              good = TRUE;
  gsize                 n;

  memset (counts, 0, sizeof *counts);
  if (tl_target_map (target) == NULL)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-map", tl_target_file (target), 0, 0,
                                      "the target has no address map, so no trace can be replayed on it");
      tl_diag_reason (diag, "%s", tl_target_map_reason (target));
      return FALSE;
    }
  g_autoptr (TlInOrder) counter = tl_in_order_new (tl_target_map (target), options->pages);
  g_autofree Pending *pending = g_new0 (Pending, 1);
  pending->counter = counter;
  pending->classes = options->classes;
  pending->n_classes = options->classes != NULL ? options->n_classes : 0;
  guint64 told = 0;
  while (good && (n = tl_trace_read (trace, requests, BATCH, diags)) > 0)
    {
      for (gsize i = 0; i < n && good; i++)
        good = add_request (pending, &requests[i], memory, options->wrap, tl_trace_name (trace), diags);
      if (good && options->progress != NULL && counter->requests - told >= 1000000)
        {
          told = counter->requests;
          good = options->progress (told, options->data);
        }
    }
  flush (pending);
  tl_in_order_counts (counter, counts);
  return good && !tl_trace_failed (trace);
}
