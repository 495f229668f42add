/* The rows of one tile through a bank group. A row's beats advance in closed form:
 * ACT, first column, last column, PRE. One inline walk serves closed and open pages,
 * with and without refresh and command tap; the plain case (closed, none of both) is
 * compiled apart, since a big full run spends its time there. */
#include "sim/group-private.h"

#include <string.h>

#define INLINE static inline __attribute__ ((always_inline))

void
tl_group_init (TlGroup *group, const TlTimings *timings)
{
  memset (group, 0, sizeof *group);
  group->refresh = timings->tREFI;
}

gint64
tl_timings_horizon (const TlTimings *timings)
{
  gint64 longest = 0;

  for (guint t = 0; t < TL_MAX_TIERS; t++)
    {
      const TlTierTiming *tier = &timings->tier[t];

      longest = MAX (longest, (gint64) tier->tRAS + MAX (tier->tRTP, tier->tWR));
    }
  return longest + 1;
}

static void
emit (TlCommandTap *tap, TlCommandKind kind, gint64 time, guint32 bank, guint32 row, guint32 column)
{
  TlCommand command = {
    .time = (guint64) time,
    .domain = tap->first_domain + bank,
    .row = row,
    .column = (guint16) column,
    .kind = (guint8) kind,
  };

  g_array_append_val (tap->commands, command);
}

/* Closes what is open and refreshes all banks of the group, for the refresh that is
 * due. Returns when it is issued. */
static gint64
refresh_once (TlGroup *group, const TlTimings *timings, TlSimCounts *counts, TlCommandTap *tap)
{
  gint64 issue = group->refresh;

  for (guint32 b = 0; b < timings->banks; b++)
    {
      if (timings->open && group->row[b] != 0)
        {
          guint32 row = group->row[b] - 1;
          gint64  pre = MAX (group->refresh, group->close[b]);

          if (tap != NULL)
            emit (tap, TL_COMMAND_PRE, pre, b, row, TL_PRE_FOR_REFRESH);
          group->ready[b] = MAX (group->ready[b], pre + timings->tier[row / timings->rows].tRP);
          group->row[b] = 0;
          counts->pre++;
          counts->refresh_closings++;
        }
      issue = MAX (issue, group->ready[b]);
    }
  for (guint32 b = 0; b < timings->banks; b++)
    group->ready[b] = issue + timings->tRFC;
  if (tap != NULL)
    emit (tap, TL_COMMAND_REF, issue, 0, 0, 0);
  counts->ref++;
  group->refresh += timings->tREFI;
  return issue;
}

void
tl_group_refresh (TlGroup *group, const TlTimings *timings, gint64 time, TlSimCounts *counts, TlCommandTap *tap)
{
  while (timings->tREFI > 0 && group->refresh <= time)
    {
      gint64 issue = refresh_once (group, timings, counts, tap);

      /* On time once, it stays so while the banks idle: the rest in one step. */
      if (tap == NULL && issue + timings->tRFC <= group->refresh && group->refresh <= time)
        {
          gint64 more = (time - group->refresh) / timings->tREFI;

          counts->ref += (guint64) more;
          group->refresh += more * timings->tREFI;
        }
    }
}

/* The state of the group that changes from row to row, in registers. */
typedef struct
{
  gint64 column;
  gint64 act;
  gint64 window[4];
} Walk;

/* The earliest ACT in a bank that is ready at @ready. */
INLINE gint64
activate (Walk *walk, const TlTimings *timings, gint64 start, gint64 ready, const gboolean spaced)
{
  gint64 act = MAX (start, ready);

  if (spaced)
    {
      act = MAX (act, walk->act);
      act = MAX (act, walk->window[0]);
      walk->act = timings->tRRD > 0 ? act + timings->tRRD : 0;
      walk->window[0] = walk->window[1];
      walk->window[1] = walk->window[2];
      walk->window[2] = walk->window[3];
      walk->window[3] = timings->tFAW > 0 ? act + timings->tFAW : 0;
    }
  return act;
}

/* One row with closed pages: ACT, all beats, PRE. Returns its ACT; *ready is when the
 * bank may be opened, before and after. */
INLINE gint64
walk_closed_row (Walk *walk, gint64 *ready, const TlTimings *timings, const TlTierTiming *tier, gint64 span,
                 gint64 start, gint64 *pre_out, const gint64 recovery, const gboolean spaced)
{
  gint64 act = activate (walk, timings, start, *ready, spaced);
  gint64 column = MAX (act + tier->tRCD, walk->column);
  gint64 last = column + span;
  gint64 pre = MAX (act + tier->tRAS, last + recovery);

  walk->column = last + timings->step;
  *ready = MAX (pre + tier->tRP, act + tier->tRC);
  if (pre_out != NULL)
    *pre_out = pre;
  return act;
}

/* The plain case. Every row but the last is full; the first round over the banks
 * finds the earliest ACT. All that changes lives in copies that nothing else points
 * to, so that it stays in registers; four banks, the usual number, are compiled apart. */
INLINE gint64
stream_plain (TlGroup *group, const TlTimings *const_timings, const TlTileStream *stream, gint64 start, Walk *outer,
              const gint64 recovery, const guint32 banks, const gboolean spaced)
{
  const TlTimings timings = { .step = const_timings->step, .tRRD = const_timings->tRRD, .tFAW = const_timings->tFAW };
  const TlTierTiming tier = const_timings->tier[stream->tier];
  const gint64       full = (const_timings->beats - 1) * timings.step;
  const gint64       last_span = (stream->last_beats - 1) * timings.step;
  const guint32      rows = stream->rows - 1;
  Walk               walk = *outer;
  gint64             ready[TL_MAX_BANKS];
  gint64             first = G_MAXINT64, act;
  guint32            r = 0;

  memcpy (ready, group->ready, banks * sizeof *ready);
  for (; r < MIN (banks, rows); r++)
    {
      act = walk_closed_row (&walk, &ready[r], &timings, &tier, full, start, NULL, recovery, spaced);
      first = MIN (first, act);
    }
  for (; r + banks <= rows; r += banks)
#pragma GCC unroll 4
    for (guint32 b = 0; b < banks; b++)
      walk_closed_row (&walk, &ready[b], &timings, &tier, full, start, NULL, recovery, spaced);
  for (; r < rows; r++)
    walk_closed_row (&walk, &ready[r % banks], &timings, &tier, full, start, NULL, recovery, spaced);
  act = walk_closed_row (&walk, &ready[rows % banks], &timings, &tier, last_span, start, NULL, recovery, spaced);
  memcpy (group->ready, ready, banks * sizeof *ready);
  *outer = walk;
  return rows < banks ? MIN (first, act) : first;
}

static gint64
stream_plain_spaced (TlGroup *group, const TlTimings *timings, const TlTileStream *stream, gint64 start, Walk *walk,
                     gint64 recovery)
{
  return timings->banks == 4 ? stream_plain (group, timings, stream, start, walk, recovery, 4, TRUE)
                             : stream_plain (group, timings, stream, start, walk, recovery, timings->banks, TRUE);
}

static gint64
stream_plain_free (TlGroup *group, const TlTimings *timings, const TlTileStream *stream, gint64 start, Walk *walk,
                   gint64 recovery)
{
  return timings->banks == 4 ? stream_plain (group, timings, stream, start, walk, recovery, 4, FALSE)
                             : stream_plain (group, timings, stream, start, walk, recovery, timings->banks, FALSE);
}

static void
emit_beats (TlCommandTap *tap, const TlTimings *timings, const TlTileStream *stream, guint32 bank, guint32 row,
            guint32 beats, gint64 column)
{
  for (guint32 beat = 0; beat < beats; beat++)
    emit (tap, stream->write ? TL_COMMAND_WR : TL_COMMAND_RD, column + beat * timings->step, bank, row, beat);
}

/* Is a visit with commands at @first .. @last in sight of the tap? If it is over, it is
 * counted there. */
static gboolean
is_tapped (TlCommandTap *tap, gint64 first, gint64 last, const TlSimCounts *visit, guint32 bank, guint32 row)
{
  if (tap == NULL)
    return FALSE;
  if (!tap->some)
    return TRUE;
  if (last < tap->from)
    {
      tl_sim_counts_add (&tap->skipped, visit, 1);
      tap->row[bank] = row + 1;
      return FALSE;
    }
  return first < tap->to;
}

/* What the beats of a visit count by themselves. */
static TlSimCounts
count_beats (const TlTimings *timings, const TlTileStream *stream, guint32 beats)
{
  guint64 bytes = (guint64) beats * timings->beat_bytes;

  return stream->write ? (TlSimCounts) { .wr = beats, .bytes_written = bytes }
                       : (TlSimCounts) { .rd = beats, .bytes_read = bytes };
}

static gint64
general_closed_row (Walk *walk, TlGroup *group, const TlTimings *timings, const TlTileStream *stream, guint32 r,
                    guint32 beats, gint64 start, gint64 recovery, TlSimCounts *counts, TlCommandTap *tap)
{
  const TlTierTiming *tier = &timings->tier[stream->tier];
  guint32             bank = r % timings->banks, row = stream->first_row + r / timings->banks;
  gint64              span = (beats - 1) * timings->step, pre = 0;
  TlSimCounts         visit = count_beats (timings, stream, beats);

  /* A refresh that falls due before the row would open goes first. */
  while (timings->tREFI > 0)
    {
      Walk   trial = *walk;
      gint64 act = activate (&trial, timings, start, group->ready[bank], TRUE);

      if (act < group->refresh)
        break;
      tl_group_refresh (group, timings, act, counts, tap);
    }
  gint64 act = walk_closed_row (walk, &group->ready[bank], timings, tier, span, start, &pre, recovery, TRUE);

  visit.act = visit.pre = visit.misses = visit.closings = 1;
  visit.hits = beats - 1;
  if (is_tapped (tap, act, pre, &visit, bank, row))
    {
      emit (tap, TL_COMMAND_ACT, act, bank, row, 0);
      emit_beats (tap, timings, stream, bank, row, beats, walk->column - timings->step - span);
      emit (tap, TL_COMMAND_PRE, pre, bank, row, 0);
    }
  tl_sim_counts_add (counts, &visit, 1);
  return act;
}

/* Open pages: a hit, or PRE when another row is open, then ACT. Returns the first
 * command. */
static gint64
general_open_row (Walk *walk, TlGroup *group, const TlTimings *timings, const TlTileStream *stream, guint32 r,
                  guint32 beats, gint64 start, gint64 recovery, TlSimCounts *counts, TlCommandTap *tap)
{
  const TlTierTiming *tier = &timings->tier[stream->tier];
  guint32             bank = r % timings->banks, row = stream->first_row + r / timings->banks, old = 0;
  gint64              column = 0, first = 0, act = 0;
  TlSimCounts         visit = count_beats (timings, stream, beats);

  while (timings->tREFI > 0)
    {
      gint64 command = group->row[bank] == row + 1 ? MAX (start, walk->column)
                       : group->row[bank] != 0     ? MAX (start, group->close[bank])
                                                   : MAX (start, group->ready[bank]);

      if (command < group->refresh)
        break;
      tl_group_refresh (group, timings, command, counts, tap);
    }
  if (group->row[bank] == row + 1)
    {
      column = first = MAX (start, walk->column);
      visit.hits = beats;
    }
  else
    {
      gint64 ready = group->ready[bank];

      if (group->row[bank] != 0)
        {
          old = group->row[bank] - 1;
          first = MAX (start, group->close[bank]);
          ready = MAX (ready, first + timings->tier[old / timings->rows].tRP);
          visit.pre = visit.conflicts = 1;
        }
      else
        visit.misses = 1;
      act = activate (walk, timings, start, ready, TRUE);
      first = visit.conflicts ? first : act;
      column = MAX (act + tier->tRCD, walk->column);
      group->row[bank] = row + 1;
      group->ready[bank] = act + tier->tRC;
      group->close[bank] = act + tier->tRAS;
      visit.act = 1;
      visit.hits = beats - 1;
    }
  gint64 last = column + (beats - 1) * timings->step;

  if (is_tapped (tap, first, last, &visit, bank, row))
    {
      if (visit.pre > 0)
        emit (tap, TL_COMMAND_PRE, first, bank, old, 0);
      if (visit.act > 0)
        emit (tap, TL_COMMAND_ACT, act, bank, row, 0);
      emit_beats (tap, timings, stream, bank, row, beats, column);
    }
  tl_sim_counts_add (counts, &visit, 1);
  walk->column = last + timings->step;
  group->close[bank] = MAX (group->close[bank], last + recovery);
  return first;
}

static gint64
stream_general (TlGroup *group, const TlTimings *timings, const TlTileStream *stream, gint64 start, Walk *walk,
                gint64 recovery, TlSimCounts *counts, TlCommandTap *tap)
{
  gint64 first = G_MAXINT64;

  for (guint32 r = 0; r < stream->rows; r++)
    {
      guint32 beats = r + 1 < stream->rows ? timings->beats : stream->last_beats;
      gint64  command = timings->open
                            ? general_open_row (walk, group, timings, stream, r, beats, start, recovery, counts, tap)
                            : general_closed_row (walk, group, timings, stream, r, beats, start, recovery, counts, tap);

      first = MIN (first, command);
    }
  return first;
}

gint64
tl_group_stream (TlGroup *group, const TlTimings *timings, const TlTileStream *stream, gint64 start, gint64 *first,
                 TlSimCounts *counts, TlCommandTap *tap)
{
  const TlTierTiming *tier = &timings->tier[stream->tier];
  gint64              latency = stream->write ? tier->tCWL : tier->tCL;
  gint64              recovery = stream->write ? tier->tCWL + timings->burst + tier->tWR : tier->tRTP;
  guint64             beats = (guint64) (stream->rows - 1) * timings->beats + stream->last_beats;
  Walk                walk = { .column = MAX (group->column, group->bus - latency), .act = group->act };

  if (!stream->write)
    walk.column = MAX (walk.column, group->read);
  memcpy (walk.window, group->window, sizeof walk.window);

  if (timings->open || timings->tREFI > 0 || tap != NULL)
    *first = stream_general (group, timings, stream, start, &walk, recovery, counts, tap);
  else
    {
      *first = timings->tRRD > 0 || timings->tFAW > 0
                   ? stream_plain_spaced (group, timings, stream, start, &walk, recovery)
                   : stream_plain_free (group, timings, stream, start, &walk, recovery);
      counts->act += stream->rows;
      counts->pre += stream->rows;
      counts->closings += stream->rows;
      counts->misses += stream->rows;
      counts->hits += beats - stream->rows;
      if (stream->write)
        {
          counts->wr += beats;
          counts->bytes_written += beats * timings->beat_bytes;
        }
      else
        {
          counts->rd += beats;
          counts->bytes_read += beats * timings->beat_bytes;
        }
    }

  group->column = walk.column;
  group->act = walk.act;
  memcpy (group->window, walk.window, sizeof walk.window);
  group->bus = walk.column - timings->step + latency + timings->burst;
  if (stream->write)
    group->read = group->bus + timings->tWTR;
  return group->bus;
}
