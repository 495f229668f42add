/* From pieces, operations and broadcasts to events. */
#include "sim/gather-private.h"

#include <string.h>

void
tl_gather_init (TlGather *gather, TlSimRun *run, gint64 from, gint64 to, guint64 limit, GCancellable *cancellable)
{
  const TlSimPlan *plan = tl_history_plan (run->history);

  *gather = (TlGather) {
    .plan = plan,
    .from = from,
    .commands_from = from,
    .to = to,
    .limit = limit,
    .events = g_array_new (FALSE, FALSE, sizeof (TlSimEvent)),
    .operations = g_array_new (FALSE, TRUE, sizeof (TlOperation)),
    .broadcasts = g_array_new (FALSE, TRUE, sizeof (TlBroadcast)),
    .stop = g_cancellable_new (),
    .user = cancellable,
    .commands = g_array_new (FALSE, FALSE, sizeof (TlCommand)),
    .pending = g_new0 (guint32, 2 * (gsize) plan->pus),
    .run = run,
  };
}

void
tl_gather_clear (TlGather *gather)
{
  g_clear_pointer (&gather->events, g_array_unref);
  g_clear_pointer (&gather->operations, g_array_unref);
  g_clear_pointer (&gather->broadcasts, g_array_unref);
  g_clear_pointer (&gather->commands, g_array_unref);
  g_clear_object (&gather->stop);
  g_clear_pointer (&gather->pending, g_free);
}

static void
add (TlGather *gather, TlSimEventKind kind, gint64 time, guint pu, guint32 subject, guint bank)
{
  TlSimEvent event = {
    .time = (guint64) time,
    .subject = subject,
    .pu = (guint16) pu,
    .kind = (guint8) kind,
    .bank = (guint8) bank,
  };

  if (time < gather->from || time >= gather->to)
    return;
  g_array_append_val (gather->events, event);
}

static gboolean
is_task (const TlOperation *operation, const TlTask *task)
{
  return operation->k == task->k && operation->i == task->i && operation->j == task->j;
}

/* The task's place in the list of operations: a PU has two under way at most. */
static guint32
place_of (TlGather *gather, const TlTask *task)
{
  guint32    *pending = &gather->pending[2 * task->pu];
  TlOperation operation = {
    .k = task->k,
    .i = task->i,
    .j = task->j,
    .pu = task->pu,
    .phase = task->phase,
    .copies = task->copies,
  };

  for (guint p = 0; p < 2; p++)
    if (pending[p] != 0 && is_task (&g_array_index (gather->operations, TlOperation, pending[p] - 1), task))
      return pending[p] - 1;
  g_array_append_val (gather->operations, operation);
  pending[0] = pending[1];
  pending[1] = gather->operations->len;
  return gather->operations->len - 1;
}

static void
add_commands (TlGather *gather, guint pu, guint32 subject)
{
  const guint32 banks = gather->plan->timings.banks;

  for (guint c = 0; c < gather->commands->len; c++)
    {
      const TlCommand *command = &g_array_index (gather->commands, TlCommand, c);
      TlSimEvent       event = {
              .time = command->time,
              .row = command->row,
              .subject = subject,
              .pu = (guint16) pu,
              .column = command->column,
              .kind = command->kind,
              .bank = (guint8) (command->domain - pu * banks),
      };

      if (gather->early != NULL && (gint64) command->time < gather->commands_from)
        gather->early (&event, gather->early_data);
      else if ((gint64) command->time >= gather->from && (gint64) command->time < gather->to)
        g_array_append_val (gather->events, event);
    }
  if (gather->events->len > gather->limit)
    {
      gather->over = TRUE;
      g_cancellable_cancel (gather->stop);
    }
}

static void
add_steps (TlGather *gather, const TlPiece *piece, const TlWork *work, const gint64 *begins, guint32 subject)
{
  const guint pu = piece->task->pu;
  guint       stream = 0;

  if (piece->kind != TL_PIECE_STORE)
    {
      add (gather, TL_SIM_EVENT_START, piece->times.first, pu, subject, 0);
      for (; stream < work->n_loads; stream++)
        add (gather, stream < work->n_copies ? TL_SIM_EVENT_COPY : TL_SIM_EVENT_READ, begins[stream], pu, subject,
             work->operand[stream]);
    }
  if (piece->kind != TL_PIECE_LOAD)
    {
      add (gather, TL_SIM_EVENT_COMPUTE, piece->compute, pu, subject, 0);
      /* The store begins when it may, though its first ACT may have to wait. */
      add (gather, TL_SIM_EVENT_WRITE, piece->kind == TL_PIECE_STORE ? piece->start : begins[stream], pu, subject,
           TL_OPERAND_C);
      add (gather, TL_SIM_EVENT_DONE, piece->times.end, pu, subject, 0);
    }
}

void
tl_gather_piece (TlGather *gather, const TlPiece *piece)
{
  const TlSimPlan *plan = gather->plan;
  const gint64     earliest = piece->kind == TL_PIECE_STORE ? MIN (piece->start, piece->compute) : piece->start;
  const gint64     begin = plan->timings.tREFI > 0 ? MIN (earliest, piece->idle_from) : earliest;
  TlGroup          group;
  TlWork           work;
  TlPieceTimes     times;
  TlTally          tally;
  TlCommandTap     tap = {
        .first_domain = piece->task->pu * plan->timings.banks,
        .commands = gather->commands,
        .some = plan->timings.tREFI == 0,
        .from = gather->commands_from,
        .to = gather->to,
  };
  gint64  begins[7];
  guint32 subject;

  if (g_cancellable_is_cancelled (gather->user))
    g_cancellable_cancel (gather->stop);
  if (gather->over || begin >= gather->to || piece->times.end + plan->horizon < gather->from)
    return;
  g_array_set_size (gather->commands, 0);
  tl_piece_before (piece, &group);
  tl_sim_plan_work (plan, piece->task, &work);
  tl_piece_run (plan, &work, piece->kind, piece->start, &group, &times, &tally, &tap, begins);
  g_assert (times.end == piece->times.end && times.first == piece->times.first);
  subject = place_of (gather, piece->task);
  if (gather->skipped != NULL)
    tl_sim_counts_add (&gather->skipped[piece->task->pu], &tap.skipped, 1);
  if (gather->left != NULL && plan->timings.open)
    gather->left (piece->task->pu, tap.row, gather->early_data);
  add_steps (gather, piece, &work, begins, subject);
  add_commands (gather, piece->task->pu, subject);
}

void
tl_gather_start (TlGather *gather, const TlTask *task, gint64 first)
{
  add (gather, TL_SIM_EVENT_START, first, task->pu, place_of (gather, task), 0);
}

void
tl_gather_operation (TlGather *gather, const TlOperation *operation)
{
  TlTask   task = { .k = operation->k, .i = operation->i, .j = operation->j, .pu = operation->pu };
  guint32 *pending = &gather->pending[2 * operation->pu];

  for (guint p = 0; p < 2; p++)
    if (pending[p] != 0 && is_task (&g_array_index (gather->operations, TlOperation, pending[p] - 1), &task))
      g_array_index (gather->operations, TlOperation, pending[p] - 1) = *operation;
}

void
tl_gather_broadcast (TlGather *gather, const TlBroadcast *broadcast)
{
  guint32 subject = gather->broadcasts->len;

  if ((gint64) broadcast->usable < gather->from || (gint64) broadcast->start >= gather->to)
    return;
  g_array_append_val (gather->broadcasts, *broadcast);
  add (gather, TL_SIM_EVENT_SEND, (gint64) broadcast->start, broadcast->pu, subject, 0);
  add (gather, TL_SIM_EVENT_RING_FREE, (gint64) broadcast->end, broadcast->pu, subject, 0);
  add (gather, TL_SIM_EVENT_RECEIVED, (gint64) broadcast->usable, broadcast->pu, subject, 0);
}

void
tl_gather_refresh (TlGather *gather, TlMachine *machine)
{
  const TlSimPlan *plan = gather->plan;
  const gint64     to = MIN (gather->to - 1, (gint64) gather->run->makespan);
  const gboolean   over = (guint64) tl_machine_makespan (machine) == gather->run->makespan && machine->finished;

  for (guint pu = 0; plan->timings.tREFI > 0 && pu < plan->pus; pu++)
    {
      TlCommandTap tap = { .first_domain = pu * plan->timings.banks, .commands = gather->commands };
      TlGroup      group = machine->pu[pu].group;
      TlSimCounts  counts = { 0 };

      /* A PU with more to do refreshes before its next operation. */
      if (!over && plan->own_start[pu] < plan->own_start[pu + 1])
        continue;
      g_array_set_size (gather->commands, 0);
      tl_group_refresh (&group, &plan->timings, to, &counts, &tap);
      add_commands (gather, pu, G_MAXUINT32);
    }
}

/* At one time: what ends before what begins, steps before commands; the ring after
 * all PUs. */
static const guint8 ranks[TL_N_SIM_EVENTS] = {
  [TL_SIM_EVENT_DONE] = 0,      [TL_SIM_EVENT_COMPUTE] = 1,  [TL_SIM_EVENT_START] = 2, [TL_SIM_EVENT_COPY] = 3,
  [TL_SIM_EVENT_READ] = 3,      [TL_SIM_EVENT_WRITE] = 3,    [TL_SIM_EVENT_ACT] = 4,   [TL_SIM_EVENT_RD] = 4,
  [TL_SIM_EVENT_WR] = 4,        [TL_SIM_EVENT_PRE] = 4,      [TL_SIM_EVENT_REF] = 4,   [TL_SIM_EVENT_SEND] = 5,
  [TL_SIM_EVENT_RING_FREE] = 6, [TL_SIM_EVENT_RECEIVED] = 7,
};

static gint
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const TlSimEvent *x = a, *y = b;
  guint8            rank_x = ranks[x->kind], rank_y = ranks[y->kind];
  gboolean          ring_x = rank_x > 4, ring_y = rank_y > 4;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (ring_x != ring_y)
    return ring_x ? 1 : -1;
  if (!ring_x && x->pu != y->pu)
    return x->pu < y->pu ? -1 : 1;
  return (gint) rank_x - rank_y;
}

void
tl_gather_sort (TlGather *gather)
{
  g_array_sort_with_data (gather->events, compare, NULL);
}
