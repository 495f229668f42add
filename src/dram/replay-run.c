/* Making a run: every access goes in by itself, every event is folded into the moment,
 * and where enough events have passed the state is kept, packed. */
#include "dram/replay-run.h"

#include "dram/engine-private.h"
#include "dram/replay-run-private.h"

#include <gio/gio.h>
#include <string.h>
#include <zstd.h>

#define DISTANCE   32768
#define MEMORY_CAP (32u << 20)
#define TELL_EVERY 262144

/* --- one access --- */

gboolean
tl_replay_feed (TlEngine *engine, const TlMemory *memory, TlAddressMap *map, const TlAccess *access,
                const guint64 *flushed, TlEntry *entry)
{
  guint64      place = tl_address_map_apply (map, access->unit);
  guint        column_bits = tl_address_map_column_bits (map), row_bits = tl_address_map_row_bits (map);
  guint64      key = place >> column_bits;
  guint32      domain = (guint32) (key >> row_bits);
  TlRowCounts  before = engine->counts[domain].share.in_order;
  guint64      forwarded = engine->counts[domain].share.scheduled.forwarded, waiting = engine->totals.requests;
  TlRowCounts *after = &engine->counts[domain].share.in_order;

  if (!tl_engine_feed (engine, access, 1, NULL))
    return FALSE;
  *entry = (TlEntry) {
    .request = waiting,
    .unit = access->unit,
    .entered = engine->now,
    .domain = domain,
    .row = (guint32) (key & (tl_bit (row_bits) - 1)),
    .column = (guint16) (place & (tl_bit (column_bits) - 1)),
    .requester = access->requester,
    .operand = access->operand,
    .write = access->write != FALSE,
    .in_order = after->hit > before.hit     ? TL_ROW_HIT
                : after->miss > before.miss ? TL_ROW_MISS
                                            : TL_ROW_CONFLICT,
    .state = engine->counts[domain].share.scheduled.forwarded > forwarded ? TL_ENTRY_FORWARDED : TL_WAIT_ASKED,
  };
  entry->position = *flushed + engine->n_events;
  /* Its FORWARD event was told after it came in. */
  if (entry->state == TL_ENTRY_FORWARDED)
    entry->position--;
  return TRUE;
}

/* --- making --- */

typedef struct
{
  TlReplayRun    *run;
  TlEventSink     sink; /* the caller's */
  gpointer        sink_data;
  TlReplayMoment *moment;
  GArray         *entries; /* of TlEntry: came in, and not yet in the moment */
  guint           taken;   /* of entries */
  TlEventDigest  *digest;
  guint64         flushed; /* events handed over */
  guint64         distance;
  gsize           cap;
  GByteArray     *block;
  ZSTD_CCtx      *packer;
} Maker;

/* Those that came in before the next event, or all. */
static void
take_entries (Maker *maker, gboolean all)
{
  while (maker->taken < maker->entries->len)
    {
      const TlEntry *entry = &g_array_index (maker->entries, TlEntry, maker->taken);
      if (!all && entry->position > maker->moment->event)
        return;
      tl_replay_moment_enter (maker->moment, entry, maker->run->split_writes);
      maker->taken++;
    }
  g_array_set_size (maker->entries, 0);
  maker->taken = 0;
}

static gboolean
hear (const TlEvent *events, gsize n, gpointer data)
{
  Maker *maker = data;

  for (gsize i = 0; i < n; i++)
    {
      take_entries (maker, FALSE);
      tl_replay_moment_apply (maker->moment, &maker->run->memory, &events[i]);
      tl_event_digest_add (maker->digest, &maker->run->memory, &events[i]);
      tl_time_bins_add (maker->run->bins, &events[i]);
    }
  maker->flushed += n;
  return maker->sink == NULL || maker->sink (events, n, maker->sink_data);
}

/* --- checkpoints --- */

static gsize
checkpoint_bytes (const TlCheckpoint *checkpoint)
{
  return sizeof *checkpoint + checkpoint->packed_bytes + sizeof *checkpoint->digest;
}

static void
clear_checkpoint (gpointer data)
{
  TlCheckpoint *checkpoint = data;

  g_free (checkpoint->packed);
  g_free (checkpoint->digest);
}

/* Every other one goes; its events are those of the one before it. */
static void
thin (Maker *maker)
{
  TlReplayRun *run = maker->run;
  guint        n = 0;

  for (guint i = 0; i < run->checkpoints->len; i++)
    {
      TlCheckpoint *checkpoint = &g_array_index (run->checkpoints, TlCheckpoint, i);
      TlCheckpoint *before = n > 0 ? &g_array_index (run->checkpoints, TlCheckpoint, n - 1) : NULL;
      /* The last one's events are still coming in. */
      if (i % 2 == 1 && i + 1 < run->checkpoints->len)
        {
          tl_event_digest_merge (before->digest, checkpoint->digest);
          run->bytes -= checkpoint_bytes (checkpoint);
          clear_checkpoint (checkpoint);
        }
      else
        g_array_index (run->checkpoints, TlCheckpoint, n++) = *checkpoint;
    }
  /* Those beyond have moved. */
  run->checkpoints->len = n;
  maker->distance *= 2;
}

/* Keeps the state as it is between two accesses. FALSE when the sink stopped the engine. */
static gboolean
keep (Maker *maker, guint64 access)
{
  TlReplayRun *run = maker->run;
  TlCarry      carry = { .to = maker->block };
  TlCheckpoint checkpoint = { .access = access, .time = run->engine->now };
  gsize        room;

  g_byte_array_set_size (maker->block, 0);
  if (!tl_engine_save (run->engine, maker->block))
    return FALSE;
  take_entries (maker, TRUE);
  tl_replay_moment_carry (maker->moment, &carry);
  room = ZSTD_compressBound (maker->block->len);
  g_autofree guint8 *packed = g_malloc (room);
  gsize              size = ZSTD_compressCCtx (maker->packer, packed, room, maker->block->data, maker->block->len, 1);
  /* The room is enough, so that nothing can fail but memory. */
  g_assert (!ZSTD_isError (size));
  checkpoint.event = maker->moment->event;
  checkpoint.packed = g_memdup2 (packed, size);
  checkpoint.packed_bytes = (guint32) size;
  checkpoint.bytes = maker->block->len;
  checkpoint.digest = g_new (TlEventDigest, 1);
  tl_event_digest_init (checkpoint.digest);
  maker->digest = checkpoint.digest;
  run->bytes += checkpoint_bytes (&checkpoint);
  g_array_append_val (run->checkpoints, checkpoint);
  while (run->bytes > maker->cap && run->checkpoints->len > 3)
    thin (maker);
  return TRUE;
}

void
tl_replay_run_restore (const TlReplayRun *run, guint index, TlEngine *engine, TlReplayMoment *moment, GByteArray *room)
{
  const TlCheckpoint *checkpoint = &g_array_index (run->checkpoints, TlCheckpoint, index);
  TlCarry             carry;
  gsize               size;

  g_byte_array_set_size (room, checkpoint->bytes);
  size = ZSTD_decompress (room->data, room->len, checkpoint->packed, checkpoint->packed_bytes);
  g_assert (size == checkpoint->bytes);
  size = tl_engine_load (engine, room->data, size);
  carry = (TlCarry) { .from = room->data + size, .left = room->len - size };
  tl_replay_moment_carry (moment, &carry);
}

/* --- the run --- */

static gboolean
cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped");
  return FALSE;
}

static gboolean
run_all (Maker *maker, const TlReplayRunOptions *options, GError **error)
{
  TlReplayRun         *run = maker->run;
  g_autofree TlAccess *accesses = g_new (TlAccess, TL_ACCESS_BLOCK);
  guint64              all = tl_access_log_count (run->log), done = 0, kept = 0;

  if (!keep (maker, 0))
    return cancelled (error);
  for (guint64 block = 0; done < all; block++)
    {
      guint n = tl_access_log_read (run->log, block, accesses, NULL, error);
      if (n == 0)
        return FALSE;
      for (guint i = 0; i < n; i++, done++)
        {
          TlEntry entry;
          if (!tl_replay_feed (run->engine, &run->memory, run->map, &accesses[i], &maker->flushed, &entry))
            return cancelled (error);
          g_array_append_val (maker->entries, entry);
          if (maker->flushed + run->engine->n_events - kept < maker->distance)
            continue;
          if (!keep (maker, done + 1))
            return cancelled (error);
          kept = maker->moment->event;
        }
      if (options->progress != NULL && (done == all || done / TELL_EVERY != (done - n) / TELL_EVERY)
          && !options->progress (done, options->data))
        return cancelled (error);
    }
  if (!tl_engine_finish (run->engine))
    return cancelled (error);
  take_entries (maker, TRUE);
  return TRUE;
}

static guint
names_copy (const char *const *names, char ***copy)
{
  *copy = names != NULL ? g_strdupv ((char **) names) : NULL;
  return *copy != NULL ? g_strv_length (*copy) : 0;
}

static TlReplayRun *
new_run (const TlReplayRunOptions *options)
{
  TlReplayRun *run = g_new0 (TlReplayRun, 1);

  g_atomic_ref_count_init (&run->refs);
  run->name = g_strdup (options->name);
  run->map = tl_address_map_ref (options->map);
  run->options = options->options;
  run->options.sink = NULL;
  run->options.sink_data = NULL;
  run->log = tl_access_log_ref (options->log);
  run->n_operands = names_copy (options->operands, &run->operands);
  run->n_requesters = names_copy (options->requesters, &run->requesters);
  run->checkpoints = g_array_new (FALSE, FALSE, sizeof (TlCheckpoint));
  g_array_set_clear_func (run->checkpoints, clear_checkpoint);
  return run;
}

TlReplayRun *
tl_replay_run_new (const TlReplayRunOptions *options, GError **error)
{
  g_autoptr (TlReplayRun) run = new_run (options);
  g_autoptr (TlReplayMoment) moment = NULL;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (TlEntry));
  g_autoptr (GByteArray) block = g_byte_array_new ();
  TlEngineOptions heard = options->options;
  gboolean        done;

  Maker maker = {
    .run = run,
    .sink = options->options.sink,
    .sink_data = options->options.sink_data,
    .entries = entries,
    .distance = options->distance > 0 ? options->distance : DISTANCE,
    .cap = options->memory_cap > 0 ? options->memory_cap : MEMORY_CAP,
    .block = block,
    .packer = ZSTD_createCCtx (),
  };
  heard.sink = hear;
  heard.sink_data = &maker;
  run->engine = tl_engine_new (options->memory, options->map, &heard);
  run->memory = *tl_engine_get_memory (run->engine);
  run->split_writes = run->engine->split_writes;
  run->bins = tl_time_bins_new (run->engine->n_domains, run->memory.clock);
  maker.moment = moment = tl_replay_moment_new (&run->memory);
  done = run_all (&maker, options, error);
  ZSTD_freeCCtx (maker.packer);
  run->engine->options.sink = NULL;
  run->engine->options.sink_data = NULL;
  if (!done)
    return NULL;
  run->events = moment->event;
  run->end = MAX (moment->time, moment->data_end);
  return g_steal_pointer (&run);
}

TlReplayRun *
tl_replay_run_ref (TlReplayRun *run)
{
  g_atomic_ref_count_inc (&run->refs);
  return run;
}

void
tl_replay_run_unref (TlReplayRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->refs))
    return;
  g_clear_pointer (&run->engine, tl_engine_free);
  tl_time_bins_free (run->bins);
  tl_address_map_unref (run->map);
  tl_access_log_unref (run->log);
  g_array_unref (run->checkpoints);
  g_strfreev (run->operands);
  g_strfreev (run->requesters);
  g_free (run->name);
  g_free (run);
}

/* --- what it is --- */

const char *
tl_replay_run_name (const TlReplayRun *run)
{
  return run->name;
}

const TlMemory *
tl_replay_run_memory (const TlReplayRun *run)
{
  return &run->memory;
}

TlAddressMap *
tl_replay_run_map (const TlReplayRun *run)
{
  return run->map;
}

const TlEngineOptions *
tl_replay_run_options (const TlReplayRun *run)
{
  return &run->options;
}

TlAccessLog *
tl_replay_run_log (const TlReplayRun *run)
{
  return run->log;
}

const TlEngine *
tl_replay_run_engine (const TlReplayRun *run)
{
  return run->engine;
}

guint64
tl_replay_run_events (const TlReplayRun *run)
{
  return run->events;
}

guint64
tl_replay_run_end (const TlReplayRun *run)
{
  return run->end;
}

const char *
tl_replay_run_operand (const TlReplayRun *run, guint operand)
{
  return operand < run->n_operands ? run->operands[operand] : NULL;
}

const char *
tl_replay_run_requester (const TlReplayRun *run, guint requester)
{
  return requester < run->n_requesters ? run->requesters[requester] : NULL;
}

const TlTimeBins *
tl_replay_run_bins (const TlReplayRun *run)
{
  return run->bins;
}

guint
tl_replay_run_n_spans (const TlReplayRun *run)
{
  return run->checkpoints->len;
}

const TlEventDigest *
tl_replay_run_digest (const TlReplayRun *run, guint span)
{
  g_return_val_if_fail (span < run->checkpoints->len, NULL);
  return g_array_index (run->checkpoints, TlCheckpoint, span).digest;
}

guint64
tl_replay_run_span_event (const TlReplayRun *run, guint span)
{
  g_return_val_if_fail (span < run->checkpoints->len, 0);
  return g_array_index (run->checkpoints, TlCheckpoint, span).event;
}

gsize
tl_replay_run_bytes (const TlReplayRun *run)
{
  return run->bytes;
}
