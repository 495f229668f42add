/* Moments: what an event changes. */
#include "sim/moment-private.h"

#include <string.h>

TlSimMoment *
tl_moment_new (const TlSimPlan *plan)
{
  TlSimMoment *moment = g_new0 (TlSimMoment, 1);

  moment->n_pus = plan->pus;
  moment->n_banks = plan->timings.banks;
  moment->pu = g_new0 (TlPuMoment, moment->n_pus);
  moment->bank = g_new0 (TlBankMoment, (gsize) moment->n_pus * moment->n_banks);
  for (guint pu = 0; pu < moment->n_pus; pu++)
    moment->pu[pu].k = G_MAXUINT32;
  return moment;
}

void
tl_sim_moment_free (TlSimMoment *moment)
{
  if (moment == NULL)
    return;
  g_free (moment->pu);
  g_free (moment->bank);
  g_free (moment);
}

TlSimMoment *
tl_sim_moment_copy (const TlSimMoment *moment)
{
  TlSimMoment *copy = g_memdup2 (moment, sizeof *moment);

  copy->pu = g_memdup2 (moment->pu, moment->n_pus * sizeof *moment->pu);
  copy->bank = g_memdup2 (moment->bank, (gsize) moment->n_pus * moment->n_banks * sizeof *moment->bank);
  return copy;
}

void
tl_moment_count (TlSimMoment *moment, TlPuMoment *pu, const TlSimCounts *counts)
{
  tl_sim_counts_add (&moment->counts, counts, 1);
  tl_sim_counts_add (&pu->counts, counts, 1);
}

static void
apply_command (TlSimMoment *moment, const TlSimPlan *plan, const TlSimEvent *event)
{
  TlPuMoment   *pu = &moment->pu[event->pu];
  TlBankMoment *bank = &moment->bank[event->pu * moment->n_banks + event->bank];
  TlSimCounts   counts = { 0 };

  switch ((TlSimEventKind) event->kind)
    {
    case TL_SIM_EVENT_ACT:
      counts.act = 1;
      counts.misses = !bank->reserved;
      *bank = (TlBankMoment) { .open = TRUE, .fresh = TRUE, .row = event->row };
      bank->tier = (guint8) (event->row / plan->timings.rows);
      break;
    case TL_SIM_EVENT_RD:
      counts.rd = 1;
      counts.hits = !bank->fresh;
      counts.bytes_read = plan->timings.beat_bytes;
      bank->fresh = FALSE;
      break;
    case TL_SIM_EVENT_WR:
      counts.wr = 1;
      counts.hits = !bank->fresh;
      counts.bytes_written = plan->timings.beat_bytes;
      bank->fresh = FALSE;
      break;
    case TL_SIM_EVENT_PRE:
      counts.pre = 1;
      counts.refresh_closings = event->column == TL_PRE_FOR_REFRESH;
      counts.closings = !counts.refresh_closings && !plan->timings.open;
      counts.conflicts = !counts.refresh_closings && plan->timings.open;
      *bank = (TlBankMoment) { .reserved = counts.conflicts != 0 };
      break;
    default:
      counts.ref = 1;
      break;
    }
  tl_moment_count (moment, pu, &counts);
}

static void
apply_step (TlSimMoment *moment, const TlSimEvent *event, const TlOperation *operation)
{
  TlPuMoment *pu = &moment->pu[event->pu];
  gboolean    next
      = pu->prefetching && operation->k == pu->next_k && operation->i == pu->next_i && operation->j == pu->next_j;

  switch ((TlSimEventKind) event->kind)
    {
    case TL_SIM_EVENT_START:
      if (pu->activity != TL_PU_IDLE)
        {
          pu->prefetching = TRUE;
          pu->next_k = operation->k;
          pu->next_i = operation->i;
          pu->next_j = operation->j;
          return;
        }
      break;
    case TL_SIM_EVENT_COPY:
    case TL_SIM_EVENT_READ:
      if (next)
        return;
      pu->activity = event->kind == TL_SIM_EVENT_COPY ? TL_PU_COPYING : TL_PU_READING;
      break;
    case TL_SIM_EVENT_COMPUTE:
      if (next)
        {
          pu->prefetching = FALSE;
          pu->next_k = pu->next_i = pu->next_j = 0;
        }
      pu->activity = TL_PU_COMPUTING;
      break;
    case TL_SIM_EVENT_WRITE:
      pu->activity = TL_PU_WRITING;
      break;
    default:
      pu->activity = TL_PU_IDLE;
      break;
    }
  pu->operand = event->bank;
  pu->phase = operation->phase;
  pu->k = operation->k;
  pu->i = operation->i;
  pu->j = operation->j;
}

static gboolean
is_current (const TlSimMoment *moment, const TlBroadcast *broadcast)
{
  return moment->broadcast.k == broadcast->k && moment->broadcast.i == broadcast->i
         && moment->broadcast.j == broadcast->j && moment->broadcasts > 0;
}

static void
apply_ring (TlSimMoment *moment, const TlSimEvent *event, const TlBroadcast *broadcast)
{
  if (event->kind == TL_SIM_EVENT_SEND)
    {
      if (moment->broadcasts == 0 || broadcast->start >= moment->broadcast.start)
        {
          moment->broadcast = *broadcast;
          moment->sending = moment->hopping = TRUE;
        }
      moment->broadcasts++;
    }
  else if (is_current (moment, broadcast))
    {
      moment->sending = FALSE;
      moment->hopping = event->kind == TL_SIM_EVENT_RING_FREE;
    }
}

void
tl_moment_apply (TlSimMoment *moment, const TlSimPlan *plan, const TlSimEvent *event, const GArray *operations,
                 const GArray *broadcasts)
{
  if (event->kind <= TL_SIM_EVENT_REF)
    apply_command (moment, plan, event);
  else if (event->kind <= TL_SIM_EVENT_DONE)
    apply_step (moment, event, &g_array_index (operations, TlOperation, event->subject));
  else
    apply_ring (moment, event, &g_array_index (broadcasts, TlBroadcast, event->subject));
}

void
tl_moment_at_time (TlSimMoment *moment, guint64 time)
{
  const TlBroadcast *broadcast = &moment->broadcast;

  moment->time = time;
  if (moment->broadcasts == 0)
    moment->progress = 0;
  else if (time >= broadcast->usable)
    moment->progress = 1;
  else
    moment->progress = (double) (time - broadcast->start) / (double) (broadcast->usable - broadcast->start);
}

static gboolean
same_pu (const TlPuMoment *a, const TlPuMoment *b)
{
  return a->activity == b->activity && (a->activity == TL_PU_IDLE || a->operand == b->operand) && a->k == b->k
         && (a->k == G_MAXUINT32 || (a->i == b->i && a->j == b->j && a->phase == b->phase))
         && a->prefetching == b->prefetching
         && (!a->prefetching || (a->next_k == b->next_k && a->next_i == b->next_i && a->next_j == b->next_j))
         && tl_sim_counts_equal (&a->counts, &b->counts);
}

static gboolean
same_bank (const TlBankMoment *a, const TlBankMoment *b)
{
  return a->open == b->open && (!a->open || (a->row == b->row && a->tier == b->tier && a->fresh == b->fresh))
         && a->reserved == b->reserved;
}

gboolean
tl_sim_moment_equal (const TlSimMoment *a, const TlSimMoment *b, char **what)
{
  g_autofree char *found = NULL;

  if (a->time != b->time)
    found = g_strdup ("time");
  for (guint pu = 0; found == NULL && pu < a->n_pus; pu++)
    if (!same_pu (&a->pu[pu], &b->pu[pu]))
      found = g_strdup_printf ("PU %u", pu);
  for (guint bank = 0; found == NULL && bank < a->n_pus * a->n_banks; bank++)
    if (!same_bank (&a->bank[bank], &b->bank[bank]))
      found = g_strdup_printf ("bank %u of PU %u", bank % a->n_banks, bank / a->n_banks);
  if (found == NULL
      && (a->sending != b->sending || a->hopping != b->hopping || a->broadcasts != b->broadcasts
          || memcmp (&a->broadcast, &b->broadcast, sizeof a->broadcast) != 0 || a->progress != b->progress))
    found = g_strdup ("ring");
  if (found == NULL && !tl_sim_counts_equal (&a->counts, &b->counts))
    found = g_strdup ("counts");
  if (what != NULL)
    *what = g_strdup (found);
  return found == NULL;
}
