/* Lanes of a replay: commands of domains and data of buses, told apart or summed. */
#include "scene/replay.h"

#include "scene/lanes-private.h"

#include <string.h>

/* Events that are walked for lanes; beyond, the run's own pieces of time have to do. */
#define WALK_LIMIT 1000000
#define LOOKBACK   400000 /* ps: what began before may reach in */
#define MOST_BUSES 2

#define NO_LANE G_MAXUINT16

typedef struct
{
  guint64 time;
  guint64 index;
  guint32 row;
  guint32 domain;
  guint16 lane; /* of its domain, NO_LANE: data of a bus only */
  guint8  kind;
  guint8  reason;
} Command;

typedef struct
{
  const TlReplayRun *run;
  const guint32     *domains;
  guint              n_domains;
  guint16           *lane; /* of each domain, or NO_LANE */
  GArray            *commands;
  guint              own; /* of them, of the domains */
} Gather;

static gboolean
gather (const TlEvent *events, gsize n, guint64 index, gpointer data)
{
  Gather *self = data;

  for (gsize i = 0; i < n; i++)
    {
      const TlEvent *event = &events[i];
      guint16        lane = self->lane[event->domain];
      if (event->kind > TL_EVENT_PRE || (lane == NO_LANE && event->kind != TL_EVENT_RD && event->kind != TL_EVENT_WR))
        continue;
      Command command = { event->time, index + i, event->row, event->domain, lane, event->kind, event->reason };
      g_array_append_val (self->commands, command);
      self->own += lane != NO_LANE;
    }
  return TRUE;
}

static const TlTierTiming *
timing_of (const TlMemory *memory, guint32 domain, guint32 row)
{
  return &memory->tier[tl_memory_tier_of (memory, domain, row)];
}

static guint64
takes (const TlMemory *memory, const Command *command)
{
  const TlTierTiming *tier = timing_of (memory, command->domain, command->row);

  return command->kind == TL_EVENT_ACT   ? tier->tRCD
         : command->kind == TL_EVENT_PRE ? tier->tRP
                                         : MAX (memory->burst, memory->clock);
}

static TlLane *
add_domain (TlLanes *lanes, const TlMemory *memory, guint32 domain)
{
  TlLane *lane = tl_lane_add (lanes, FALSE, domain, 0);

  lane->rows = TRUE;
  lane->domain = domain;
  lane->name = tl_memory_domain_label (memory, domain);
  lane->id = g_strdup_printf ("lane-domain-%u", domain);
  return lane;
}

static TlLane *
add_bus (TlLanes *lanes, guint32 bus)
{
  TlLane *lane = tl_lane_add (lanes, FALSE, bus, -1);

  lane->rows = lane->bus = TRUE;
  lane->domain = bus;
  lane->name = g_strdup_printf ("Bus %u", bus);
  lane->id = g_strdup_printf ("lane-bus-%u", bus);
  return lane;
}

/* --- marks --- */

static void
draw_bus (TlLanes *lanes, TlLane *lane, const Gather *self)
{
  const TlMemory *memory = tl_replay_run_memory (self->run);

  for (guint c = 0; c < self->commands->len; c++)
    {
      const Command *command = &g_array_index (self->commands, Command, c);
      gboolean       write = command->kind == TL_EVENT_WR;
      if ((command->kind != TL_EVENT_RD && !write)
          || tl_memory_scope_of (memory, memory->data_bus, command->domain) != lane->domain)
        continue;
      const TlTierTiming *tier = timing_of (memory, command->domain, command->row);
      guint64             begin = command->time + (write ? tier->tCWL : tier->tCL);
      tl_lane_mark (lanes, lane, write ? TL_LANE_WRITE : TL_LANE_READ, begin, begin + memory->burst, G_MAXUINT64, NULL);
    }
}

static void
draw_domain (TlLanes *lanes, TlBankLane *bank, guint at, const Gather *self)
{
  const TlMemory *memory = tl_replay_run_memory (self->run);

  for (guint c = 0; c < self->commands->len; c++)
    {
      const Command *command = &g_array_index (self->commands, Command, c);
      if (command->lane == at)
        tl_bank_lane_command (lanes, bank, command->kind, command->time, command->time + takes (memory, command),
                              command->reason == TL_CLOSE_CONFLICT, command->index, NULL);
    }
  tl_bank_lane_rest (lanes, bank, lanes->to, NULL);
}

/* --- sums --- */

/* Time for data, for openings, for conflicts. */
static void
sum_commands (TlLanes *lanes, TlLane *lane, gint at, const Gather *self)
{
  const TlMemory    *memory = tl_replay_run_memory (self->run);
  g_autofree double *sums = g_new0 (double, 4 * (gsize) lanes->columns);
  double *const      rows[4] = { sums, sums + lanes->columns, sums + 2 * lanes->columns, sums + 3 * lanes->columns };
  gboolean           reserved = FALSE;

  for (guint c = 0; c < self->commands->len; c++)
    {
      const Command *command = &g_array_index (self->commands, Command, c);
      gboolean       column = command->kind == TL_EVENT_RD || command->kind == TL_EVENT_WR;
      guint          part = column ? 0 : command->kind == TL_EVENT_PRE || reserved ? 2 : 1;
      if (lane->bus ? !column || tl_memory_scope_of (memory, memory->data_bus, command->domain) != lane->domain
                    : command->lane != at)
        continue;
      if (command->kind == TL_EVENT_PRE)
        reserved = command->reason == TL_CLOSE_CONFLICT;
      else if (command->kind == TL_EVENT_ACT)
        reserved = FALSE;
      tl_lane_sum (lanes, rows[part], command->time, command->time + takes (memory, command), 1);
    }
  tl_lane_bins (lane, lanes->columns, rows);
}

/* From the pieces of time that the run kept. */
static void
sum_pieces (TlLanes *lanes, TlLane *lane, TlReplayRun *run)
{
  const TlMemory    *memory = tl_replay_run_memory (run);
  const TlTimeBins  *bins = tl_replay_run_bins (run);
  g_autofree double *sums = g_new0 (double, 4 * (gsize) lanes->columns);
  double *const      rows[4] = { sums, sums + lanes->columns, sums + 2 * lanes->columns, sums + 3 * lanes->columns };

  for (guint32 d = 0; d < bins->n_domains; d++)
    {
      const TlTierTiming *tier = timing_of (memory, d, 0);
      double              lasts[3] = { MAX (memory->burst, memory->clock), tier->tRCD, tier->tRP + tier->tRCD };
      if (bins->domains[d] == NULL
          || (lane->bus ? tl_memory_scope_of (memory, memory->data_bus, d) != lane->domain : d != lane->domain))
        continue;
      for (guint b = 0; b < bins->used; b++)
        {
          const TlTimeBin *bin = &bins->domains[d][b];
          guint64          from = b * bins->width;
          double           counts[3]
              = { bin->columns, lane->bus ? 0 : bin->of[TL_ROW_MISS], lane->bus ? 0 : bin->of[TL_ROW_CONFLICT] };
          for (guint part = 0; part < 3; part++)
            if (counts[part] > 0)
              tl_lane_sum (lanes, rows[part], from, from + bins->width,
                           counts[part] * lasts[part] / (double) bins->width);
        }
    }
  tl_lane_bins (lane, lanes->columns, rows);
}

/* --- all --- */

static gboolean
walk (TlReplayCursor *cursor, TlLanes *lanes, Gather *self, TlBankLane *banks, GError **error)
{
  guint64               begin = lanes->from > LOOKBACK ? lanes->from - LOOKBACK : 0;
  const TlReplayMoment *moment = tl_replay_cursor_at_time (cursor, begin, error);

  if (moment == NULL)
    return FALSE;
  for (guint d = 0; d < self->n_domains; d++)
    {
      const TlDomainMoment *domain = &moment->domains[self->domains[d]];
      banks[d].open = domain->open;
      banks[d].fresh = domain->open && domain->last_kind == TL_EVENT_ACT;
      banks[d].reserved = domain->reserved;
      banks[d].rest = begin;
      banks[d].event = G_MAXUINT64;
    }
  return tl_replay_cursor_walk (cursor, begin > 0 ? begin + 1 : 0, lanes->to, gather, self, error);
}

TlLanes *
tl_replay_lanes_new (TlReplayCursor *cursor, guint64 from, guint64 to, guint columns, const guint32 *domains,
                     guint n_domains, GError **error)
{
  TlReplayRun        *run = tl_replay_cursor_run (cursor);
  const TlMemory     *memory = tl_replay_run_memory (run);
  TlLanes            *lanes = tl_lanes_begin (from, to, columns);
  g_autofree guint16 *lane = g_new (guint16, tl_memory_domains (memory));
  g_autoptr (GArray) commands = g_array_new (FALSE, FALSE, sizeof (Command));
  g_autofree TlBankLane *banks = g_new0 (TlBankLane, MAX (n_domains, 1));
  Gather                 self = { run, domains, n_domains, lane, commands, 0 };
  gboolean               walked = tl_replay_cursor_events_in (cursor, from, lanes->to) <= WALK_LIMIT;
  guint                  buses = 0, first;

  memset (lane, 0xff, tl_memory_domains (memory) * sizeof *lane);
  for (guint d = 0; d < n_domains; d++)
    lane[domains[d]] = (guint16) d;
  if (walked && !walk (cursor, lanes, &self, banks, error))
    {
      tl_lanes_free (lanes);
      return NULL;
    }
  for (guint d = 0; d < n_domains && buses < MOST_BUSES; d++)
    {
      guint32  bus = tl_memory_scope_of (memory, memory->data_bus, domains[d]);
      gboolean there = FALSE;
      for (guint l = 0; l < lanes->lanes->len; l++)
        there |= ((TlLane *) g_ptr_array_index (lanes->lanes, l))->domain == bus;
      if (there || memory->data_bus == TL_SCOPE_BANK)
        continue;
      add_bus (lanes, bus);
      buses++;
    }
  first = lanes->lanes->len;
  for (guint d = 0; d < n_domains; d++)
    banks[d].lane = add_domain (lanes, memory, domains[d]);
  /* A few marks a column can be told apart; more of them are sums. */
  lanes->commands = walked && self.own <= 4 * lanes->columns * MAX (n_domains, 1) / 3;
  for (guint l = 0; l < lanes->lanes->len; l++)
    {
      TlLane *each = g_ptr_array_index (lanes->lanes, l);
      if (!walked)
        sum_pieces (lanes, each, run);
      else if (!lanes->commands)
        sum_commands (lanes, each, each->bus ? -1 : (gint) (l - first), &self);
      else if (each->bus)
        draw_bus (lanes, each, &self);
      else
        draw_domain (lanes, &banks[l - first], l - first, &self);
    }
  return lanes;
}
