/* Compute unit and engine in step. The engine is let run only as far as nothing can be issued that is not known yet:
 * data that it has not promised come no sooner than a column latency after what has been seen of it, and free a
 * stage no sooner than one step of the core later. */
#include "sim/cu-machine.h"
#include "base/number.h"

#define UNKNOWN G_MAXUINT64
#define NEVER   (G_MAXUINT64 - 1)
#define RING    (1u << 12)
#define EVERY   (1u << 14) /* requests between looks at the clock of the caller */

/* One of a slot's buffers. */
typedef struct
{
  guint64  free_at;  /* when it may be loaded again; UNKNOWN while it is in use */
  guint64  asked;    /* requests issued for it */
  guint64  come;     /* of which the data are known to come ... */
  guint64  ready;    /* ... by then */
  gboolean complete; /* all of its step has been issued */
} Stage;

typedef struct
{
  Stage     *stages;
  guint64    idle;       /* turns to let pass first */
  guint64    issued;     /* step that the next turn belongs to, from 0 over all CTAs of the slot */
  guint64    first;      /* first step of its present CTA */
  guint64    computed;   /* steps that the core was given */
  guint64    last_ready; /* of the steps before */
  TlGemmTurn turn;       /* the next one */
  gboolean   begun;      /* its step has issued something */
} Slot;

/* A step that waits for the core. */
typedef struct
{
  guint64 ready;
  guint32 slot;
} Waiting;

/* Whose a request in flight is. */
typedef struct
{
  guint64 request; /* TL_NO_REQUEST: nobody's */
  guint32 slot;
  guint32 stage;
} Tag;

typedef struct
{
  const TlCuWork    *work;
  const TlCuOptions *options;
  TlCuResult        *result;
  TlGemmStream      *stream;
  TlEngine          *engine;
  guint64           *data_after; /* of each domain, ps from a column command to its last beat */
  guint64            least_data; /* of them */
  guint64            step;       /* ps of the core */
  guint64            clock;
  guint32            n_slots;
  guint32            at; /* slot whose turn it is */
  Slot              *slots;
  GArray            *waiting; /* of Waiting, one at most a slot, in no order */
  gboolean          *queued;  /* the slot has one there */
  Tag               *tags;    /* ring of room, by request number */
  guint64            room;
  guint64            number; /* requests issued */
  guint64            told;
  guint64            total;
  guint64            port;     /* when it may take the next request */
  guint64            core;     /* when the core is free */
  guint64            seen;     /* all that the engine did before is known */
  TlGemmRequest     *requests; /* of a turn */
  gsize              n_requests;
} Machine;

guint64
tl_cu_step_cycles (const TlGemmShape *shape, guint32 macs)
{
  guint64 work = (guint64) shape->tile_m * shape->tile_n;

  if (!tl_mul_u64 (work, shape->tile_k, &work))
    return G_MAXUINT32;
  return CLAMP (tl_ceil_div (work, MAX (macs, 1)), 1, G_MAXUINT32);
}

/* --- what comes back --- */

/* The slot's next step, if all of it will come, is one for the core. */
static void
queue_step (Machine *machine, guint32 s)
{
  Slot  *slot = &machine->slots[s];
  Stage *stage = &slot->stages[slot->computed % machine->work->stages];

  if (machine->queued[s] || !stage->complete || stage->come < stage->asked)
    return;
  slot->last_ready = MAX (slot->last_ready, stage->ready);
  Waiting waiting = { slot->last_ready, s };
  g_array_append_val (machine->waiting, waiting);
  machine->queued[s] = TRUE;
}

static gboolean
on_events (const TlEvent *events, gsize n, gpointer data)
{
  Machine *machine = data;

  for (gsize i = 0; i < n; i++)
    {
      const TlEvent *event = &events[i];

      if (event->kind != TL_EVENT_RD)
        continue;
      Tag   *tag = &machine->tags[event->request & (machine->room - 1)];
      Stage *stage = &machine->slots[tag->slot].stages[tag->stage];

      g_assert (tag->request == event->request);
      tag->request = TL_NO_REQUEST;
      stage->come++;
      stage->ready = MAX (stage->ready, event->time + machine->data_after[event->domain]);
      if (stage->complete && stage->come == stage->asked)
        queue_step (machine, tag->slot);
    }
  return TRUE;
}

/* Gives the core every step that no unknown one can come before. */
static void
feed_core (Machine *machine, guint64 horizon)
{
  while (machine->waiting->len > 0)
    {
      guint best = 0;

      for (guint i = 1; i < machine->waiting->len; i++)
        {
          const Waiting *a = &g_array_index (machine->waiting, Waiting, i);
          const Waiting *b = &g_array_index (machine->waiting, Waiting, best);
          if (a->ready < b->ready || (a->ready == b->ready && a->slot < b->slot))
            best = i;
        }
      Waiting first = g_array_index (machine->waiting, Waiting, best);
      if (first.ready >= horizon)
        return;
      g_array_remove_index_fast (machine->waiting, best);
      machine->queued[first.slot] = FALSE;
      Slot  *slot = &machine->slots[first.slot];
      Stage *stage = &slot->stages[slot->computed % machine->work->stages];
      machine->core = MAX (machine->core, first.ready) + machine->step;
      *stage = (Stage) { .free_at = machine->core };
      slot->computed++;
      machine->result->steps++;
      machine->result->compute += machine->step;
      queue_step (machine, first.slot);
    }
}

/* Lets the engine do all that it does before @time. */
static void
look_until (Machine *machine, guint64 time)
{
  tl_engine_run_until (machine->engine, time);
  machine->seen = MAX (machine->seen, time);
  feed_core (machine, machine->seen + machine->least_data);
}

/* No stage comes free before that of which it is not known yet. */
static guint64
horizon_of (const Machine *machine)
{
  return machine->seen + machine->least_data + machine->step;
}

/* --- what is asked for --- */

/* When the slot may issue its next turn: UNKNOWN, or NEVER when it has none. */
static guint64
may_issue (const Machine *machine, const Slot *slot)
{
  guint   stages = machine->work->stages;
  guint64 time = 0;

  if (!slot->turn.live)
    return NEVER;
  if (slot->begun)
    return 0;
  if (slot->issued > slot->first)
    return slot->stages[slot->issued % stages].free_at;
  for (guint i = 0; i < stages; i++)
    time = MAX (time, slot->stages[i].free_at);
  return time;
}

/* The next slot that may issue at @time, G_MAXUINT32 for none; *soonest is when one may whose time is known,
 * *skewed whether one lets turns pass. */
static guint32
find_slot (const Machine *machine, guint64 time, guint64 *soonest, gboolean *stalled, gboolean *skewed)
{
  *soonest = UNKNOWN;
  *stalled = *skewed = FALSE;
  for (guint32 i = 0; i < machine->n_slots; i++)
    {
      guint32     s = (machine->at + i) % machine->n_slots;
      const Slot *slot = &machine->slots[s];

      if (slot->idle > 0)
        {
          *skewed |= slot->turn.live;
          continue;
        }
      guint64 when = may_issue (machine, slot);
      if (when <= time)
        return s;
      if (when == NEVER)
        continue;
      *stalled = TRUE;
      *soonest = MIN (*soonest, when);
    }
  return G_MAXUINT32;
}

/* Turns pass for those that are skewed between the pointer and @to. */
static void
pass_turns (Machine *machine, guint32 to)
{
  for (guint32 s = machine->at; s != to; s = (s + 1) % machine->n_slots)
    if (machine->slots[s].idle > 0)
      machine->slots[s].idle--;
  machine->at = to;
}

/* Nobody but skewed slots is left: they let turns pass among themselves. */
static void
skip_turns (Machine *machine)
{
  guint64 least = G_MAXUINT64;

  for (guint32 s = 0; s < machine->n_slots; s++)
    if (machine->slots[s].turn.live && machine->slots[s].idle > 0)
      least = MIN (least, machine->slots[s].idle);
  for (guint32 s = 0; s < machine->n_slots; s++)
    machine->slots[s].idle -= MIN (machine->slots[s].idle, least);
}

/* Doubles the ring until the request's place is free. */
static Tag *
new_tag (Machine *machine, guint64 request)
{
  while (machine->tags[request & (machine->room - 1)].request != TL_NO_REQUEST)
    {
      guint64 room = 2 * machine->room;
      Tag    *tags = g_new (Tag, room);

      for (guint64 i = 0; i < room; i++)
        tags[i].request = TL_NO_REQUEST;
      for (guint64 i = 0; i < machine->room; i++)
        if (machine->tags[i].request != TL_NO_REQUEST)
          tags[machine->tags[i].request & (room - 1)] = machine->tags[i];
      g_free (machine->tags);
      machine->tags = tags;
      machine->room = room;
    }
  return &machine->tags[request & (machine->room - 1)];
}

static void
issue (Machine *machine, guint32 s, guint64 unit, TlGemmOperand operand, guint64 cta)
{
  Slot    *slot = &machine->slots[s];
  guint32  stage = (guint32) (slot->issued % machine->work->stages);
  TlAccess access
      = { .unit = unit, .arrival = machine->port, .requester = (guint16) MIN (cta, G_MAXUINT16), .operand = operand };

  *new_tag (machine, machine->number) = (Tag) { machine->number, s, stage };
  machine->number++;
  slot->stages[stage].asked++;
  tl_engine_feed (machine->engine, &access, 1, NULL);
  access.arrival = tl_engine_now (machine->engine);
  machine->port = access.arrival + machine->clock;
  machine->result->requests_of[operand]++;
  if (machine->result->accesses != NULL)
    g_array_append_val (machine->result->accesses, access);
}

/* The slot's turn, from the port's time on. */
static void
take_turn (Machine *machine, guint32 s)
{
  Slot                *slot = &machine->slots[s];
  const TlGemmPlacing *placing = machine->work->placing;
  TlGemmTurn           turn = slot->turn;
  Stage               *stage = &slot->stages[slot->issued % machine->work->stages];
  guint64              unit;

  if (machine->n_requests < turn.requests)
    {
      machine->n_requests = turn.requests;
      machine->requests = g_renew (TlGemmRequest, machine->requests, machine->n_requests);
    }
  if (!slot->begun)
    *stage = (Stage) { .free_at = UNKNOWN };
  slot->begun = TRUE;
  tl_gemm_stream_take (machine->stream, s, machine->requests);
  for (guint64 i = 0; i < turn.requests; i++)
    {
      unit = machine->requests[i].address;
      if (placing != NULL)
        tl_gemm_placing_apply (placing, &machine->requests[i], 1, &unit);
      issue (machine, s, unit, turn.operand, turn.cta);
    }
  tl_gemm_stream_peek (machine->stream, s, &slot->turn);
  gboolean same_cta = slot->turn.live && slot->turn.cta == turn.cta;
  if (!same_cta || slot->turn.step != turn.step)
    {
      stage->complete = TRUE;
      slot->begun = FALSE;
      slot->issued++;
      if (!same_cta)
        {
          slot->first = slot->issued;
          machine->result->ctas++;
        }
      /* Its last data may be known already. */
      queue_step (machine, s);
    }
  machine->at = (s + 1) % machine->n_slots;
}

static gboolean
stopped (Machine *machine)
{
  const TlCuOptions *options = machine->options;

  if (options == NULL || machine->number - machine->told < EVERY)
    return FALSE;
  machine->told = machine->number;
  if (options->progress != NULL)
    options->progress (machine->number, machine->total, options->data);
  machine->result->cancelled = g_cancellable_is_cancelled (options->cancellable);
  return machine->result->cancelled;
}

static void
run (Machine *machine)
{
  while (!stopped (machine) && (machine->work->limit == 0 || machine->number < machine->work->limit))
    {
      guint64  soonest;
      gboolean stalled, skewed;

      if (horizon_of (machine) <= machine->port)
        look_until (machine, machine->port);
      guint32 s = find_slot (machine, machine->port, &soonest, &stalled, &skewed);
      if (s != G_MAXUINT32)
        {
          pass_turns (machine, s);
          take_turn (machine, s);
        }
      else if (stalled)
        {
          /* One whose time is not known is free no sooner than the horizon. */
          if (soonest < horizon_of (machine))
            machine->port = soonest;
          else
            look_until (machine, horizon_of (machine));
        }
      else if (skewed)
        skip_turns (machine);
      else
        break;
    }
  tl_engine_finish (machine->engine);
  feed_core (machine, G_MAXUINT64);
}

/* --- beginning and end --- */

static void
prepare_domains (Machine *machine)
{
  const TlMemory *memory = &machine->work->memory;
  guint32         n = tl_memory_domains (memory);

  machine->data_after = g_new (guint64, n);
  machine->least_data = G_MAXUINT64;
  for (guint32 d = 0; d < n; d++)
    {
      guint32 tier = tl_memory_tier_of (memory, d, 0);
      machine->data_after[d] = (guint64) memory->tier[tier].tCL + memory->burst;
      machine->least_data = MIN (machine->least_data, machine->data_after[d]);
    }
}

static void
prepare_slots (Machine *machine)
{
  machine->n_slots = tl_gemm_stream_slots (machine->stream);
  machine->slots = g_new0 (Slot, machine->n_slots);
  machine->queued = g_new0 (gboolean, machine->n_slots);
  machine->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  for (guint32 s = 0; s < machine->n_slots; s++)
    {
      Slot *slot = &machine->slots[s];

      slot->stages = g_new0 (Stage, machine->work->stages);
      slot->idle = (guint64) s * machine->work->shape.skew;
      tl_gemm_stream_peek (machine->stream, s, &slot->turn);
    }
  machine->room = RING;
  machine->tags = g_new (Tag, machine->room);
  for (guint64 i = 0; i < machine->room; i++)
    machine->tags[i].request = TL_NO_REQUEST;
}

static void
take_result (Machine *machine)
{
  TlCuResult      *result = machine->result;
  const TlLatency *latency = tl_engine_latency (machine->engine, FALSE);

  tl_engine_totals (machine->engine, &result->totals);
  result->kernel = machine->number < machine->total ? MAX (machine->core, result->totals.makespan) : machine->core;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    tl_engine_operand (machine->engine, i, &result->operand[i]);
  result->mean_latency = tl_latency_mean (latency) / (double) machine->clock;
  result->p99_latency = tl_latency_percentile (latency, 99);
}

static void
machine_clear (Machine *machine)
{
  for (guint32 s = 0; s < machine->n_slots; s++)
    g_free (machine->slots[s].stages);
  g_free (machine->slots);
  g_free (machine->queued);
  g_free (machine->tags);
  g_free (machine->requests);
  g_free (machine->data_after);
  g_clear_pointer (&machine->waiting, g_array_unref);
  g_clear_pointer (&machine->stream, tl_gemm_stream_free);
  g_clear_pointer (&machine->engine, tl_engine_free);
}

void
tl_cu_run (const TlCuWork *work, const TlCuOptions *options, TlCuResult *result)
{
  Machine         machine = { .work = work,
                              .options = options,
                              .result = result,
                              .stream = tl_gemm_stream_new (&work->shape),
                              .clock = work->memory.clock,
                              .step = tl_cu_step_cycles (&work->shape, work->macs) * work->memory.clock,
                              .total = tl_gemm_requests (&work->shape) };
  TlEngineOptions engine = work->engine;

  *result = (TlCuResult) { 0 };
  g_return_if_fail (machine.stream != NULL && work->stages > 0 && work->memory.clock > 0);
  engine.sink = on_events;
  engine.sink_data = &machine;
  machine.engine = tl_engine_new (&work->memory, work->map, &engine);
  if (options != NULL && options->record)
    result->accesses = g_array_new (FALSE, FALSE, sizeof (TlAccess));
  prepare_domains (&machine);
  prepare_slots (&machine);
  run (&machine);
  take_result (&machine);
  machine_clear (&machine);
}

void
tl_cu_result_clear (TlCuResult *result)
{
  g_clear_pointer (&result->accesses, g_array_unref);
}
