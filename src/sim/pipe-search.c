/* Look-ups: a lane reads a word's two entries of the first table, then the positions that
 * lie between them in the second. Each access goes to the bank group that holds its row
 * and through the bank rules there. */
#include "sim/pipe-private.h"

#include <string.h>

static void
issue (TlPipeMachine *machine, TlCommand *command, guint64 not_before)
{
  command->time = not_before;
  command->time = tl_bank_rules_earliest (machine->rules, command);
  tl_bank_rules_apply (machine->rules, command);
  if (machine->run->commands != NULL)
    g_array_append_val (machine->run->commands, *command);
}

/* Refreshes of a group that fall due before @time, closing what is open. */
static void
refresh_group (TlPipeMachine *machine, guint32 group, guint64 time)
{
  const TlPimMachine *pim = &machine->program->machine;

  while (machine->refresh != NULL && machine->refresh[group] <= time)
    {
      guint64   due = machine->refresh[group], last = due;
      TlCommand command = { .kind = TL_COMMAND_PRE };

      for (guint32 b = 0; b < pim->banks; b++)
        {
          command.domain = group * pim->banks + b;
          if (!tl_bank_rules_open_row (machine->rules, command.domain, &command.row))
            continue;
          issue (machine, &command, due);
          machine->run->total.pre++;
          machine->run->total.refresh_closings++;
          last = MAX (last, command.time);
        }
      command = (TlCommand) { .kind = TL_COMMAND_REF, .domain = group * pim->banks };
      issue (machine, &command, last);
      machine->run->total.ref++;
      machine->refresh[group] += pim->tREFI;
    }
}

/* One row's beats. Returns the end of the last. */
static guint64
read_row (TlPipeMachine *machine, guint32 domain, guint32 row, guint32 first, guint32 last, guint64 time)
{
  TlSimCounts *counts = &machine->run->total;
  TlCommand    command = { .domain = domain, .row = row };
  TlRowClass   found = tl_bank_rules_classify (machine->rules, domain, row);
  guint64      end = 0;

  if (found == TL_ROW_CONFLICT)
    {
      command.kind = TL_COMMAND_PRE;
      tl_bank_rules_open_row (machine->rules, domain, &command.row);
      issue (machine, &command, time);
      command.row = row;
      counts->pre++;
      counts->conflicts++;
    }
  counts->misses += found == TL_ROW_MISS;
  counts->hits += last - first + (found == TL_ROW_HIT);
  if (found != TL_ROW_HIT)
    {
      command.kind = TL_COMMAND_ACT;
      issue (machine, &command, time);
      counts->act++;
      machine->run->acts_in_tier[row / machine->program->machine.rows]++;
    }
  command.kind = TL_COMMAND_RD;
  for (guint32 beat = first; beat <= last; beat++)
    {
      command.column = (guint16) beat;
      issue (machine, &command, time);
      end = tl_bank_rules_data_end (machine->rules, &command);
      counts->rd++;
      counts->bytes_read += machine->program->machine.beat_bytes;
    }
  if (machine->program->page == TL_PAGE_CLOSED)
    {
      command.kind = TL_COMMAND_PRE;
      command.column = 0;
      issue (machine, &command, time);
      counts->pre++;
      counts->closings++;
    }
  return end;
}

/* From a PU to a bank group, one way, the shorter way round. */
static guint64
way (const TlPipeMachine *machine, guint32 pu, guint32 group)
{
  const TlPimMachine *pim = &machine->program->machine;
  guint32             ring = MAX (pim->pus, group + 1), hops = pu > group ? pu - group : group - pu;

  if (machine->program->ring == TL_RING_FREE)
    return 0;
  return (guint64) MIN (hops, ring - hops) * pim->ring_hop * pim->clock;
}

/* Bytes @at.. of @object, row after row. Returns when the last of them is back at @pu. */
static guint64
access_object (TlPipeMachine *machine, guint32 pu, guint object, guint64 at, guint64 bytes, guint64 time)
{
  const TlPimMachine *pim = &machine->program->machine;
  guint64             back = time;

  machine->run->lookups++;
  while (bytes > 0)
    {
      guint64 inside = at % pim->row_bytes, here = MIN (bytes, pim->row_bytes - inside), row, end;
      guint32 group, bank, tier;

      tl_pipe_object_row (machine->program, object, at, &group, &bank, &tier, &row);
      refresh_group (machine, group, time);
      end = read_row (machine, group * pim->banks + bank, (guint32) (tier * pim->rows + row),
                      (guint32) (inside / pim->beat_bytes), (guint32) ((inside + here - 1) / pim->beat_bytes), time);
      back = MAX (back, end + way (machine, pu, group));
      at += here;
      bytes -= here;
    }
  return back;
}

/* When an access that leaves now is at its first row. */
static guint64
arrival (const TlPipeMachine *machine, guint32 pu, guint object, guint64 at, guint64 time)
{
  guint32 group, bank, tier;
  guint64 row;

  tl_pipe_object_row (machine->program, object, at, &group, &bank, &tier, &row);
  return time + way (machine, pu, group);
}

/* The lane's next word sets out, if one is left. */
static gboolean
next_word (TlPipeMachine *machine, guint32 pu, guint lane, guint64 time)
{
  TlPipeWords  *words = &machine->pus[pu].words;
  const TlCode *code = &machine->program->pus[pu].code[machine->pus[pu].at];

  if (words->next == words->n_entries)
    return FALSE;
  words->lanes[lane] = (TlPipeLane) { words->entries[words->next++], 0 };
  tl_pipe_push (machine, arrival (machine, pu, code->a, 4 * (guint64) words->lanes[lane].entry, time), pu,
                (gint32) lane);
  return TRUE;
}

gboolean
tl_pipe_begin_words (TlPipeMachine *machine, guint32 pu, guint64 time)
{
  TlPipePu          *own = &machine->pus[pu];
  TlPipeWords       *words = &own->words;
  const TlPipeRead  *read = &machine->data->reads[own->read];
  const TlSeedIndex *index = machine->data->index;
  guint32            lanes = machine->program->machine.pes;
  TlPipeSearch      *search = &g_array_index (machine->run->searches, TlPipeSearch, own->read);

  g_free (words->entries);
  words->entries = g_new (guint32, 2 * (gsize) read->rows + 1);
  words->n_entries = tl_seed_entries (index, read->letters, read->rows, words->entries);
  words->n_entries += tl_seed_entries (index, read->turned, read->rows, words->entries + words->n_entries);
  if (words->lanes == NULL)
    words->lanes = g_new0 (TlPipeLane, lanes);
  words->next = words->working = 0;
  words->latest = time;
  *search = (TlPipeSearch) { .pu = (guint16) pu, .words = words->n_entries, .from = time, .to = time };
  for (guint32 lane = 0; lane < lanes && next_word (machine, pu, lane, time); lane++)
    words->working++;
  return words->working > 0;
}

gboolean
tl_pipe_lane (TlPipeMachine *machine, const TlPipeEvent *event, guint64 *done)
{
  TlPipePu          *own = &machine->pus[event->pu];
  TlPipeWords       *words = &own->words;
  TlPipeLane        *lane = &words->lanes[event->lane];
  const TlCode      *code = &machine->program->pus[event->pu].code[own->at];
  const TlSeedIndex *index = machine->data->index;
  TlPipeSearch      *search = &g_array_index (machine->run->searches, TlPipeSearch, own->read);
  guint32            first = index->ptr[lane->entry], n = index->ptr[lane->entry + 1] - first;
  guint64            back;

  if (lane->stage == 0)
    {
      back = access_object (machine, event->pu, code->a, 4 * (guint64) lane->entry, 8, event->time);
      if (n > 0 && n <= TL_SEED_MAX_HITS)
        {
          lane->stage = 1;
          tl_pipe_push (machine, arrival (machine, event->pu, code->b, 4 * (guint64) first, back), event->pu,
                        event->lane);
          return FALSE;
        }
    }
  else
    {
      back = access_object (machine, event->pu, code->b, 4 * (guint64) first, 4 * (guint64) n, event->time);
      search->hits += n;
    }
  words->latest = MAX (words->latest, back);
  if (next_word (machine, event->pu, (guint) event->lane, back))
    return FALSE;
  if (--words->working > 0)
    return FALSE;
  *done = words->latest + tl_ceil_div (search->hits, machine->program->machine.pes) * machine->program->machine.clock;
  return TRUE;
}
