/* One event after the other: a PU walks its code until it must wait; what it waits for
 * wakes it. When nobody is left to be woken and not all have ended, they wait for each
 * other: a deadlock, which the passes' own streams cannot have and a damaged one may. */
#include "sim/pipe-private.h"

#include <string.h>

/* --- The queue --- */

static void
change_level (TlPipeMachine *machine, guint64 time, int by)
{
  TlPipeLevel level;

  machine->level_time += (double) machine->level * (double) (time - machine->level_since);
  machine->level_since = time;
  machine->level = (guint32) ((int) machine->level + by);
  machine->run->high_water = MAX (machine->run->high_water, machine->level);
  level = (TlPipeLevel) { time, machine->level };
  if (!machine->options->brief)
    g_array_append_val (machine->run->levels, level);
}

static void
wake (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  machine->pus[pu].state = TL_PIPE_PU_GOES;
  tl_pipe_push (machine, time, pu);
}

/* Those who wait for a candidate look again. */
static void
wake_takers (TlPipeMachine *machine, guint64 time)
{
  for (guint32 pu = 0; pu < machine->program->machine.pus; pu++)
    if (machine->pus[pu].state == TL_PIPE_PU_WAITS)
      wake (machine, pu, time);
}

static void
add_job (TlPipeMachine *machine, const TlPipeJob *job)
{
  g_array_append_val (machine->run->jobs, *job);
  if (machine->run->jobs->len > machine->n_takers)
    {
      guint n = MAX (2 * machine->n_takers, 64);

      machine->takers = g_renew (guint32, machine->takers, n);
      memset (machine->takers + machine->n_takers, 0, (n - machine->n_takers) * sizeof *machine->takers);
      machine->n_takers = n;
    }
}

/* A candidate onto the ring and into its place. Returns when the sender goes on. */
static guint64
send (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu              *own = &machine->pus[pu];
  const TlSeedCandidate *found = &own->found[own->candidate];
  guint64                end = time;
  TlWaveTiling           tiling = machine->program->tiling;
  TlPipeJob              job = { .read = own->read,
                                 .candidate = own->candidate,
                                 .reverse = found->reverse,
                                 .diagonal = found->place.diagonal,
                                 .hits = found->place.hits,
                                 .sender = (guint16) pu,
                                 .offered = own->since,
                                 .sent = time };

  tl_wave_fit_window (&tiling, &machine->program->band, machine->data->reads[own->read].rows, job.diagonal,
                      machine->data->columns, &job.column);
  job.rows = tiling.rows;
  job.columns = tiling.columns;
  job.low = tiling.low;
  job.high = tiling.high;
  job.arrived = tl_links_broadcast (&machine->links, pu, machine->program->entry_bytes, time, &end);
  change_level (machine, time, 1);
  add_job (machine, &job);
  tl_pipe_span (machine, TL_PIPE_SPAN_SEND, pu, time, end, machine->run->jobs->len - 1, 0);
  wake_takers (machine, job.arrived);
  own->candidate++;
  return end;
}

/* --- Steps --- */

/* The step behind the loop that begins at @at. */
static guint
behind (const TlPipeStream *stream, guint at)
{
  guint depth = 0;

  for (; at < stream->n_code; at++)
    {
      guint8 kind = stream->code[at].kind;

      depth += kind == TL_PIPE_FOR_READS || kind == TL_PIPE_FOR_JOBS || kind == TL_PIPE_FOR_WAVES;
      depth -= kind == TL_PIPE_END_READS || kind == TL_PIPE_END_JOBS || kind == TL_PIPE_END_WAVES;
      if (depth == 0)
        return at + 1;
    }
  return at;
}

/* The first step of the loop that ends at @at. */
static guint
head (const TlPipeStream *stream, guint at)
{
  guint8 kind = stream->code[at].kind;

  while (stream->code[at].kind + 1 != kind)
    at--;
  return at;
}

static void
end_pu (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  machine->pus[pu].state = TL_PIPE_PU_ENDED;
  machine->pus[pu].ended = time;
  machine->run->makespan = MAX (machine->run->makespan, time);
  if (pu < machine->program->search)
    {
      machine->searching--;
      if (machine->searching == 0)
        wake_takers (machine, time);
    }
}

/* What a step does to the PU: go on at once, later, or wait to be woken. */
typedef enum
{
  NEXT,
  LATER, /* pushed */
  WAIT,
} Outcome;

static Outcome
do_reads (TlPipeMachine *machine, guint32 pu, gboolean first)
{
  TlPipePu           *own = &machine->pus[pu];
  const TlPipeStream *stream = &machine->program->pus[pu];

  if (first)
    own->read = pu;
  else
    own->read += machine->program->search;
  if (own->read >= machine->data->n_reads || pu >= machine->program->search)
    own->at = first ? behind (stream, own->at) : own->at + 1;
  else
    own->at = first ? own->at + 1 : head (stream, own->at) + 1;
  own->candidate = own->n_found = 0;
  return NEXT;
}

static Outcome
do_lookup (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu *own = &machine->pus[pu];

  own->since = time;
  if (tl_pipe_begin_words (machine, pu, time))
    {
      own->state = TL_PIPE_PU_LOOKS;
      return WAIT;
    }
  own->at++;
  return NEXT;
}

/* The last lane is done: what was found. */
static void
end_lookup (TlPipeMachine *machine, guint32 pu, guint64 done)
{
  TlPipePu         *own = &machine->pus[pu];
  const TlPipeRead *read = &machine->data->reads[own->read];
  TlPipeSearch     *search = &g_array_index (machine->run->searches, TlPipeSearch, own->read);
  gint64            half = MAX (tl_wave_half (&machine->program->band, read->rows), 0);

  search->to = done;
  own->n_found = tl_seed_candidates (machine->data->index, read->letters, read->turned, read->rows, half,
                                     machine->data->columns, own->found);
  search->candidates = own->n_found;
  tl_pipe_span (machine, TL_PIPE_SPAN_LOOKUP, pu, search->from, done, own->read, 0);
  own->at++;
  own->since = done;
  wake (machine, pu, done);
}

static Outcome
do_send (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu *own = &machine->pus[pu];

  if (own->candidate >= own->n_found)
    {
      own->at++;
      return NEXT;
    }
  if (machine->level >= machine->program->depth)
    {
      own->since = time;
      own->state = TL_PIPE_PU_STALLED;
      g_array_append_val (machine->stalled, pu);
      return WAIT;
    }
  own->since = time;
  guint64 end = send (machine, pu, time);
  if (end == time)
    return NEXT;
  tl_pipe_push (machine, end, pu);
  return LATER;
}

/* A place is free: the first who waits for one has it. */
static void
give_place (TlPipeMachine *machine, guint64 time)
{
  change_level (machine, time, -1);
  if (machine->stalled->len == 0)
    return;
  guint32   pu = g_array_index (machine->stalled, guint32, 0);
  TlPipePu *own = &machine->pus[pu];
  g_array_remove_index (machine->stalled, 0);

  tl_pipe_span (machine, TL_PIPE_SPAN_STALL, pu, own->since, time, machine->run->jobs->len, 0);
  wake (machine, pu, send (machine, pu, time));
}

static Outcome
do_jobs (TlPipeMachine *machine, guint32 pu, gboolean first)
{
  TlPipePu           *own = &machine->pus[pu];
  const TlPipeStream *stream = &machine->program->pus[pu];
  gboolean            over;

  if (first)
    own->jobs = 0;
  if (machine->program->streams)
    {
      if (!first && !own->fresh)
        {
          tl_pipe_fail (machine, TL_PIPE_ERROR_DEADLOCK,
                        "PU %u goes round for ever: it takes no candidate from the queue", pu);
          return WAIT;
        }
      over = FALSE; /* the receive says when */
    }
  else
    {
      own->jobs += !first;
      over = own->jobs >= machine->run->jobs->len;
    }
  own->fresh = !machine->program->streams;
  if (over)
    own->at = first ? behind (stream, own->at) : own->at + 1;
  else
    own->at = first ? own->at + 1 : head (stream, own->at) + 1;
  return NEXT;
}

static Outcome
do_receive (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu           *own = &machine->pus[pu];
  const TlPipeStream *stream = &machine->program->pus[pu];

  if (own->jobs < machine->run->jobs->len)
    {
      TlPipeJob *job = &g_array_index (machine->run->jobs, TlPipeJob, own->jobs);

      if (job->arrived > time)
        {
          own->state = TL_PIPE_PU_WAITS;
          wake (machine, pu, job->arrived);
          return WAIT;
        }
      tl_pipe_span (machine, TL_PIPE_SPAN_WAIT, pu, own->since, time, own->jobs, 0);
      job->taken = MAX (job->taken, time);
      if (++machine->takers[own->jobs] == machine->program->compute)
        give_place (machine, time);
      own->jobs++;
      own->fresh = TRUE;
      own->at++;
      return NEXT;
    }
  if (machine->searching > 0)
    {
      own->state = TL_PIPE_PU_WAITS;
      return WAIT;
    }
  tl_pipe_span (machine, TL_PIPE_SPAN_WAIT, pu, own->since, time, machine->run->jobs->len, 0);
  while (stream->code[own->at].kind != TL_PIPE_END_JOBS)
    own->at++;
  own->at++;
  own->since = time;
  return NEXT;
}

/* The job at hand. */
static guint32
job_of (const TlPipeMachine *machine, const TlPipePu *own)
{
  return machine->program->streams ? own->jobs - 1 : own->jobs;
}

static Outcome
do_waves (TlPipeMachine *machine, guint32 pu, guint64 time, gboolean first)
{
  TlPipePu           *own = &machine->pus[pu];
  const TlPipeStream *stream = &machine->program->pus[pu];

  if (!own->fresh)
    {
      tl_pipe_fail (machine, TL_PIPE_ERROR_DEADLOCK, "PU %u sweeps waves before it has received a candidate", pu);
      return WAIT;
    }
  if (first && !tl_pipe_take_tiling (machine, job_of (machine, own)))
    return WAIT;
  own->wave = first ? machine->first_wave : own->wave + 1;
  if (first)
    own->last_wave = machine->last_wave;
  if (own->wave > own->last_wave)
    {
      TlPipeJob *job = &g_array_index (machine->run->jobs, TlPipeJob, job_of (machine, own));

      job->done = MAX (job->done, time);
      own->at = first ? behind (stream, own->at) : own->at + 1;
      own->since = time;
    }
  else
    own->at = first ? own->at + 1 : head (stream, own->at) + 1;
  return NEXT;
}

static gboolean
computes (const TlPipeMachine *machine, guint32 pu)
{
  return pu >= machine->program->search && pu < machine->program->search + machine->program->compute;
}

static Outcome
do_sweep (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu *own = &machine->pus[pu];

  if (!computes (machine, pu))
    {
      own->at++;
      return NEXT;
    }
  guint64 due = tl_pipe_edges_due (machine, pu, own->wave);
  if (due > time)
    {
      tl_pipe_span (machine, TL_PIPE_SPAN_EDGES, pu, time, due, job_of (machine, own), own->wave);
      tl_pipe_push (machine, due, pu);
      return LATER;
    }
  own->at++;
  guint64 end = time + tl_pipe_load (machine, job_of (machine, own), pu, own->wave) * machine->program->machine.clock;
  if (machine->failed)
    return WAIT;
  if (end == time)
    return NEXT;
  tl_pipe_span (machine, TL_PIPE_SPAN_SWEEP, pu, time, end, job_of (machine, own), own->wave);
  tl_pipe_push (machine, end, pu);
  return LATER;
}

/* The ring takes edges from the scratchpad: the PU goes on at once. */
static Outcome
do_edge (TlPipeMachine *machine, guint32 pu, const TlCode *code, guint64 time)
{
  TlPipePu *own = &machine->pus[pu];

  own->at++;
  if (machine->charged && code->b != 0 && computes (machine, pu))
    tl_pipe_hand_on (machine, job_of (machine, own), pu, own->wave, code->a, time);
  return machine->failed ? WAIT : NEXT;
}

static Outcome
do_barrier (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu *own = &machine->pus[pu];

  own->since = time;
  own->state = TL_PIPE_PU_MEETS;
  if (++machine->met < machine->program->compute)
    return WAIT;
  machine->met = 0;
  for (guint32 other = 0; other < machine->program->machine.pus; other++)
    if (machine->pus[other].state == TL_PIPE_PU_MEETS)
      {
        TlPipePu *met = &machine->pus[other];

        tl_pipe_span (machine, TL_PIPE_SPAN_BARRIER, other, met->since, time, job_of (machine, met), met->wave);
        met->at++;
        met->since = time;
        if (other != pu)
          wake (machine, other, time);
      }
  own->state = TL_PIPE_PU_GOES;
  return NEXT;
}

static Outcome
step (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu     *own = &machine->pus[pu];
  const TlCode *code = &machine->program->pus[pu].code[own->at];

  switch ((TlPipeCode) code->kind)
    {
    case TL_PIPE_FOR_READS:
    case TL_PIPE_END_READS:
      return do_reads (machine, pu, code->kind == TL_PIPE_FOR_READS);
    case TL_PIPE_LOOKUP:
      return do_lookup (machine, pu, time);
    case TL_PIPE_SEND:
      return do_send (machine, pu, time);
    case TL_PIPE_FOR_JOBS:
    case TL_PIPE_END_JOBS:
      return do_jobs (machine, pu, code->kind == TL_PIPE_FOR_JOBS);
    case TL_PIPE_RECEIVE:
      return do_receive (machine, pu, time);
    case TL_PIPE_FOR_WAVES:
    case TL_PIPE_END_WAVES:
      return do_waves (machine, pu, time, code->kind == TL_PIPE_FOR_WAVES);
    case TL_PIPE_SWEEP:
      return do_sweep (machine, pu, time);
    case TL_PIPE_BARRIER:
      return do_barrier (machine, pu, time);
    case TL_PIPE_EDGE:
      return do_edge (machine, pu, code, time);
    }
  g_return_val_if_reached (WAIT);
}

/* The PU walks its code from @time on until it must wait. */
static void
walk (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu           *own = &machine->pus[pu];
  const TlPipeStream *stream = &machine->program->pus[pu];

  if (own->state != TL_PIPE_PU_GOES)
    return;
  while (own->at < stream->n_code && !machine->failed)
    if (step (machine, pu, time) != NEXT)
      return;
  if (!machine->failed)
    end_pu (machine, pu, time);
}

/* --- The whole --- */

/* Who waits for what, that first which others wait for. */
static void
say_deadlock (TlPipeMachine *machine)
{
  static const struct
  {
    TlPipePuState state;
    const char   *waits;
  } order[] = { { TL_PIPE_PU_MEETS, "waits at a barrier that not all PUs reach" },
                { TL_PIPE_PU_STALLED, "waits for a place in the queue, which nobody empties" },
                { TL_PIPE_PU_WAITS, "waits for a candidate that nobody sends" },
                { TL_PIPE_PU_LOOKS, "looks words up and never ends" },
                { TL_PIPE_PU_GOES, "stands still" } };

  for (guint o = 0; o < G_N_ELEMENTS (order); o++)
    for (guint32 pu = 0; pu < machine->program->machine.pus; pu++)
      if (machine->pus[pu].state == order[o].state)
        {
          tl_pipe_fail (machine, TL_PIPE_ERROR_DEADLOCK, "deadlock: PU %u %s", pu, order[o].waits);
          return;
        }
}

static void
run_events (TlPipeMachine *machine)
{
  const TlPipeOptions *options = machine->options;
  TlPipeEvent          event;
  guint64              n = 0, done;

  while (!machine->failed && tl_pipe_pop (machine, &event))
    {
      if ((++n & 0xfff) == 0)
        {
          if (g_cancellable_set_error_if_cancelled (options->cancellable, machine->error))
            {
              machine->failed = TRUE;
              return;
            }
          if (options->progress != NULL && machine->data->n_reads > 0)
            options->progress ((double) machine->pus[0].read / (double) machine->data->n_reads, options->data);
        }
      if (event.lane < 0)
        walk (machine, event.pu, event.time);
      else if (tl_pipe_lane (machine, &event, &done))
        end_lookup (machine, event.pu, done);
    }
  if (!machine->failed)
    say_deadlock (machine);
}

/* Without a stream all problems are there from the beginning. */
static void
make_jobs (TlPipeMachine *machine)
{
  for (guint r = 0; r < machine->data->n_reads && !machine->program->streams; r++)
    {
      TlWaveTiling tiling = machine->program->tiling;
      TlPipeJob    job = { .read = r };

      tl_wave_fit (&tiling, &machine->program->band, machine->data->reads[r].rows, (guint32) machine->data->columns);
      job.rows = tiling.rows;
      job.columns = tiling.columns;
      job.low = tiling.low;
      job.high = tiling.high;
      add_job (machine, &job);
    }
}

static void
begin (TlPipeMachine *machine)
{
  const TlPipeProgram *program = machine->program;
  guint32              pus = program->machine.pus, groups = program->machine.channels * program->machine.groups;

  machine->pus = g_new0 (TlPipePu, pus);
  machine->events = g_array_new (FALSE, FALSE, sizeof (TlPipeEvent));
  machine->stalled = g_array_new (FALSE, FALSE, sizeof (guint32));
  machine->loads = (TlPipeLoads) { .job = G_MAXUINT32,
                                   .cycles = g_new0 (guint64, program->compute),
                                   .edges = g_array_new (FALSE, FALSE, sizeof (TlPipeEdge)),
                                   .first = g_new0 (guint32, program->compute),
                                   .last = g_new0 (guint32, program->compute) };
  machine->charged = machine->run->charged;
  machine->due = g_new0 (guint64, TL_PIPE_DUE * (gsize) pus);
  tl_links_init (&machine->links, &program->machine, program->ring == TL_RING_FREE);
  machine->tiling_of = G_MAXUINT32;
  machine->searching = program->streams ? program->search : 0;
  if (program->streams)
    {
      TlMemory memory;

      tl_memory_from_pim (&memory, &program->machine);
      memory.pages = program->page == TL_PAGE_OPEN ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
      machine->rules = tl_bank_rules_new (&memory);
      if (program->machine.tREFI > 0)
        machine->refresh = g_new (guint64, groups);
      for (guint32 g = 0; machine->refresh != NULL && g < groups; g++)
        machine->refresh[g] = program->machine.tREFI;
      g_array_set_size (machine->run->searches, machine->data->n_reads);
    }
  make_jobs (machine);
  for (guint32 pu = 0; pu < pus; pu++)
    tl_pipe_push (machine, 0, pu);
}

static void
end (TlPipeMachine *machine)
{
  TlPipeRun *run = machine->run;

  for (guint32 pu = 0; pu < machine->program->machine.pus; pu++)
    {
      const TlPipeTimes *times = &run->pu[pu];
      guint64            known = times->busy + times->stall + times->wait + times->barrier + times->edges;

      run->pu[pu].idle = run->makespan > known ? run->makespan - known : 0;
      g_free (machine->pus[pu].words.entries);
      g_free (machine->pus[pu].words.lanes);
    }
  run->ring_messages = machine->links.messages;
  run->ring_bytes = machine->links.bytes;
  run->ring_busy = machine->links.busy;
  run->ring_waited = machine->links.waited;
  run->ring_links = 2 * machine->links.stops;
  run->mean_level = run->makespan > 0 ? machine->level_time / (double) run->makespan : 0;
  if (run->commands != NULL)
    tl_commands_sort ((TlCommand *) (gpointer) run->commands->data, run->commands->len);
  if (machine->owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) machine->owner.rule);
  g_clear_pointer (&machine->rules, tl_bank_rules_free);
  g_free (machine->refresh);
  g_free (machine->pus);
  g_free (machine->takers);
  g_free (machine->loads.cycles);
  g_array_unref (machine->loads.edges);
  g_free (machine->loads.first);
  g_free (machine->loads.last);
  g_free (machine->due);
  tl_links_clear (&machine->links);
  g_array_unref (machine->events);
  g_array_unref (machine->stalled);
}

TlPipeRun *
tl_pipe_run (TlPipeProgram *program, const TlPipeData *data, const TlPipeOptions *options, GError **error)
{
  static const TlPipeOptions none = { 0 };
  TlPipeRun                 *run = g_new0 (TlPipeRun, 1);
  TlPipeMachine              machine
      = { .run = run, .program = program, .data = data, .options = options != NULL ? options : &none, .error = error };

  g_atomic_ref_count_init (&run->references);
  run->program = tl_pipe_program_ref (program);
  run->pu = g_new0 (TlPipeTimes, program->machine.pus);
  run->searches = g_array_new (FALSE, TRUE, sizeof (TlPipeSearch));
  run->jobs = g_array_new (FALSE, TRUE, sizeof (TlPipeJob));
  run->spans = g_array_new (FALSE, FALSE, sizeof (TlPipeSpan));
  run->levels = g_array_new (FALSE, FALSE, sizeof (TlPipeLevel));
  run->all_spans = TRUE;
  run->charged = machine.options->edges == TL_PIPE_EDGES_CHARGED
                 || (machine.options->edges == TL_PIPE_EDGES_AS_TOLD && program->copy_writes == TL_COPY_WRITES_CHARGED);
  if (machine.options->commands)
    run->commands = g_array_new (FALSE, FALSE, sizeof (TlCommand));
  begin (&machine);
  run_events (&machine);
  end (&machine);
  if (!machine.failed)
    return run;
  tl_pipe_run_unref (run);
  return NULL;
}

TlPipeRun *
tl_pipe_run_ref (TlPipeRun *run)
{
  g_atomic_ref_count_inc (&run->references);
  return run;
}

void
tl_pipe_run_unref (TlPipeRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->references))
    return;
  tl_pipe_program_unref (run->program);
  g_free (run->pu);
  g_array_unref (run->searches);
  g_array_unref (run->jobs);
  g_array_unref (run->spans);
  g_array_unref (run->levels);
  g_clear_pointer (&run->commands, g_array_unref);
  g_free (run);
}
