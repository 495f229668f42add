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

/* --- Accesses --- */

/* The rows of an access: its part in the @piece-th of them, and where that lies. */
typedef struct
{
  guint32 group, domain, row;
  guint32 inside; /* the row: byte of the part's first */
  guint32 bytes;
} Piece;

static Piece
piece_of (const TlPipeMachine *machine, guint object, const TlPipeLane *lane, guint32 number)
{
  const TlPimMachine *pim = &machine->program->machine;
  guint64             start = MAX (lane->at, (lane->at / pim->row_bytes + number) * pim->row_bytes);
  guint64             left = lane->at + lane->bytes - start, row;
  guint32             bank, tier;
  Piece               piece = { .inside = (guint32) (start % pim->row_bytes) };

  piece.bytes = (guint32) MIN (left, pim->row_bytes - piece.inside);
  tl_pipe_object_row (machine->program, object, start, &piece.group, &bank, &tier, &row);
  piece.domain = piece.group * pim->banks + bank;
  piece.row = (guint32) (tier * pim->rows + row);
  return piece;
}

/* The object that the lane reads in now. */
static guint
object_of (const TlPipeMachine *machine, guint32 pu, const TlPipeLane *lane)
{
  const TlCode *code = &machine->program->pus[pu].code[machine->pus[pu].at];

  return lane->stage == 0 ? code->a : code->b;
}

static void
push_leg (TlPipeMachine *machine, guint64 time, guint32 pu, guint lane, TlPipeLeg leg, guint32 piece)
{
  tl_pipe_push_event (
      machine,
      (TlPipeEvent) { .time = time, .pu = pu, .lane = (gint16) lane, .leg = (guint8) leg, .piece = (guint16) piece });
}

/* Bytes @at.. are asked for: a request to each row's bank group. */
static void
ask (TlPipeMachine *machine, guint32 pu, guint lane, guint64 at, guint32 bytes, guint64 time)
{
  const TlPimMachine *pim = &machine->program->machine;
  TlPipeLane         *own = &machine->pus[pu].words.lanes[lane];
  guint               object = object_of (machine, pu, own);

  own->at = at;
  own->bytes = bytes;
  own->pieces = (guint16) ((at + bytes - 1) / pim->row_bytes - at / pim->row_bytes + 1);
  machine->run->lookups++;
  for (guint32 p = 0; p < own->pieces; p++)
    push_leg (
        machine,
        tl_links_send (&machine->links, pu, piece_of (machine, object, own, p).group, TL_PIPE_REQUEST_BYTES, time), pu,
        lane, TL_PIPE_LEG_ARRIVES, p);
}

/* The lane's next word sets out, if one is left. */
static gboolean
next_word (TlPipeMachine *machine, guint32 pu, guint lane, guint64 time)
{
  TlPipeWords *words = &machine->pus[pu].words;

  if (words->next == words->n_entries)
    return FALSE;
  words->lanes[lane] = (TlPipeLane) { .entry = words->entries[words->next++] };
  ask (machine, pu, lane, 4 * (guint64) words->lanes[lane].entry, 8, time);
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

/* All rows of the access are back. TRUE: the lane goes on. */
static gboolean
is_asked_on (TlPipeMachine *machine, const TlPipeEvent *event)
{
  TlPipeWords       *words = &machine->pus[event->pu].words;
  TlPipeLane        *lane = &words->lanes[event->lane];
  const TlSeedIndex *index = machine->data->index;
  guint32            first = index->ptr[lane->entry], n = index->ptr[lane->entry + 1] - first;

  words->latest = MAX (words->latest, event->time);
  if (lane->stage == 1)
    g_array_index (machine->run->searches, TlPipeSearch, machine->pus[event->pu].read).hits += n;
  else if (n > 0 && n <= TL_SEED_MAX_HITS)
    {
      lane->stage = 1;
      ask (machine, event->pu, (guint) event->lane, 4 * (guint64) first, 4 * n, event->time);
      return TRUE;
    }
  return next_word (machine, event->pu, (guint) event->lane, event->time);
}

gboolean
tl_pipe_lane (TlPipeMachine *machine, const TlPipeEvent *event, guint64 *done)
{
  const TlPimMachine *pim = &machine->program->machine;
  TlPipePu           *own = &machine->pus[event->pu];
  TlPipeLane         *lane = &own->words.lanes[event->lane];
  Piece               piece = piece_of (machine, object_of (machine, event->pu, lane), lane, event->piece);
  guint64             time;

  switch ((TlPipeLeg) event->leg)
    {
    case TL_PIPE_LEG_ARRIVES:
      refresh_group (machine, piece.group, event->time);
      time = read_row (machine, piece.domain, piece.row, piece.inside / pim->beat_bytes,
                       (piece.inside + piece.bytes - 1) / pim->beat_bytes, event->time);
      push_leg (machine, time, event->pu, (guint) event->lane,
                piece.group == event->pu ? TL_PIPE_LEG_BACK : TL_PIPE_LEG_RETURNS, event->piece);
      return FALSE;
    case TL_PIPE_LEG_RETURNS:
      time = tl_links_send (&machine->links, piece.group, event->pu, piece.bytes, event->time);
      push_leg (machine, time, event->pu, (guint) event->lane, TL_PIPE_LEG_BACK, event->piece);
      return FALSE;
    case TL_PIPE_LEG_BACK:
      break;
    }
  if (--lane->pieces > 0 || is_asked_on (machine, event) || --own->words.working > 0)
    return FALSE;
  *done = own->words.latest
          + tl_ceil_div (g_array_index (machine->run->searches, TlPipeSearch, own->read).hits, pim->pes) * pim->clock;
  return TRUE;
}
