/* The compute unit against a slow one that looks at every cycle, and against what must hold of any. */
#include <stdio.h>
#include <string.h>

#include "sim/cu-machine.h"
#include "support/support.h"
#include "target/target.h"

/* --- the slow one --- */

#define MAX_STEPS 4096
#define MAX_SLOTS 8

/* All requests of a slot's turns in their order, step by step, and what became of each step. */
typedef struct
{
  guint   requests[MAX_STEPS]; /* of step i of the slot */
  guint   left[MAX_STEPS];     /* not come yet */
  guint64 ready[MAX_STEPS];
  guint64 done[MAX_STEPS]; /* cycle in which the core ends; 0: not yet */
  guint64 cta[MAX_STEPS];
  guint   n;      /* steps begun or done */
  guint   issued; /* all requests of which are out */
  guint   given;  /* to the core */
  guint   idle;
} SlowSlot;

typedef struct
{
  const TlCuWork *work;
  SlowSlot        slot[MAX_SLOTS];
  GArray         *owner; /* of guint64: slot * MAX_STEPS + step of each request */
  guint64         clock;
} Slow;

static gboolean
slow_event (const TlEvent *events, gsize n, gpointer data)
{
  Slow *slow = data;

  for (gsize i = 0; i < n; i++)
    if (events[i].kind == TL_EVENT_RD)
      {
        const TlMemory *memory = &slow->work->memory;
        guint64         owner = g_array_index (slow->owner, guint64, events[i].request);
        SlowSlot       *slot = &slow->slot[owner / MAX_STEPS];
        guint           step = (guint) (owner % MAX_STEPS);
        guint32         tier = tl_memory_tier_of (memory, events[i].domain, events[i].row);
        guint64         end = events[i].time + memory->tier[tier].tCL + memory->burst;

        slot->left[step]--;
        slot->ready[step] = MAX (slot->ready[step], end);
      }
  return TRUE;
}

/* May the slot's next turn be issued in the cycle at @now? */
static gboolean
slow_may (const Slow *slow, const SlowSlot *slot, const TlGemmTurn *turn, gboolean first_turn, guint64 now)
{
  guint step = slot->issued;

  if (!turn->live)
    return FALSE;
  if (!first_turn)
    return TRUE;
  for (guint i = 0; i < step; i++)
    {
      gboolean other_cta = slot->cta[i] != turn->cta;
      if ((other_cta || i + slow->work->stages <= step) && (slot->done[i] == 0 || slot->done[i] > now))
        return FALSE;
    }
  return TRUE;
}

/* Runs cycle by cycle; the accesses as the machine records them. Returns the kernel's end in ps. */
static guint64
slow_run (const TlCuWork *work, GArray *accesses)
{
  g_autofree Slow *slow = g_new0 (Slow, 1);
  TlEngineOptions  options = work->engine;
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (&work->shape);
  guint64  step_time = tl_cu_step_cycles (&work->shape, work->macs) * work->memory.clock;
  guint64  core = 0, port = 0;
  guint    at = 0, n = tl_gemm_stream_slots (stream);
  gboolean first_turn[MAX_SLOTS];

  ck_assert_uint_le (n, MAX_SLOTS);
  slow->work = work;
  slow->clock = work->memory.clock;
  slow->owner = g_array_new (FALSE, FALSE, sizeof (guint64));
  options.sink = slow_event;
  options.sink_data = slow;
  g_autoptr (TlEngine) engine = tl_engine_new (&work->memory, work->map, &options);
  for (guint s = 0; s < n; s++)
    {
      slow->slot[s].idle = s * work->shape.skew;
      first_turn[s] = TRUE;
    }
  for (guint64 now = 0;; now += slow->clock)
    {
      gboolean alive = FALSE, could = FALSE, waits = FALSE;

      tl_engine_run_until (engine, MAX (now, tl_engine_now (engine)));
      /* The core. */
      while (core <= now)
        {
          SlowSlot *best = NULL;
          guint64   best_ready = 0;

          for (guint s = 0; s < n; s++)
            {
              SlowSlot *slot = &slow->slot[s];
              guint64   ready = 0;

              if (slot->given >= slot->issued || slot->left[slot->given] > 0)
                continue;
              for (guint i = 0; i <= slot->given; i++)
                ready = MAX (ready, slot->ready[i]);
              if (ready <= now && (best == NULL || ready < best_ready))
                {
                  best = slot;
                  best_ready = ready;
                }
            }
          if (best == NULL)
            break;
          core = MAX (core, best_ready) + step_time;
          best->done[best->given++] = core;
        }
      /* The port. */
      for (guint i = 0; i < n; i++)
        {
          TlGemmTurn turn;
          tl_gemm_stream_peek (stream, i, &turn);
          alive |= turn.live || slow->slot[i].given < slow->slot[i].issued;
          if (turn.live && slow->slot[i].idle == 0)
            {
              could |= slow_may (slow, &slow->slot[i], &turn, first_turn[i], now);
              waits = TRUE;
            }
        }
      if (!alive)
        break;
      if (port > now)
        continue;
      while (!could && !waits)
        {
          /* Only skewed ones are left. */
          gboolean any = FALSE;
          for (guint i = 0; i < n; i++)
            {
              TlGemmTurn turn;
              tl_gemm_stream_peek (stream, i, &turn);
              if (slow->slot[i].idle > 0)
                slow->slot[i].idle--;
              if (turn.live)
                {
                  any = TRUE;
                  could |= slow->slot[i].idle == 0 && slow_may (slow, &slow->slot[i], &turn, first_turn[i], now);
                  waits |= slow->slot[i].idle == 0;
                }
            }
          if (!any)
            break;
        }
      if (!could)
        continue;
      for (;; at = (at + 1) % n)
        {
          SlowSlot  *slot = &slow->slot[at];
          TlGemmTurn turn, next;

          tl_gemm_stream_peek (stream, at, &turn);
          if (slot->idle > 0)
            {
              slot->idle--;
              continue;
            }
          if (!slow_may (slow, slot, &turn, first_turn[at], now))
            continue;
          g_autofree TlGemmRequest *requests = g_new (TlGemmRequest, turn.requests);
          tl_gemm_stream_take (stream, at, requests);
          ck_assert_uint_lt (slot->issued, MAX_STEPS);
          slot->cta[slot->issued] = turn.cta;
          port = now;
          for (guint64 r = 0; r < turn.requests; r++)
            {
              TlAccess access = {
                .unit = requests[r].address, .arrival = port, .requester = (guint16) turn.cta, .operand = turn.operand
              };
              guint64 owner = (guint64) at * MAX_STEPS + slot->issued;

              if (work->placing != NULL)
                tl_gemm_placing_apply (work->placing, &requests[r], 1, &access.unit);
              g_array_append_val (slow->owner, owner);
              slot->left[slot->issued]++;
              tl_engine_feed (engine, &access, 1, NULL);
              access.arrival = tl_engine_now (engine);
              port = access.arrival + slow->clock;
              g_array_append_val (accesses, access);
            }
          tl_gemm_stream_peek (stream, at, &next);
          first_turn[at] = !next.live || next.cta != turn.cta || next.step != turn.step;
          slot->issued += first_turn[at];
          at = (at + 1) % n;
          break;
        }
    }
  tl_engine_finish (engine);
  g_array_unref (slow->owner);
  return core;
}

/* --- machines --- */

static TlTarget *
load (const char *name, const char *const *overrides)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = tl_target_load (name, NULL, overrides, NULL, tl_span (0, 0), diags);

  ck_assert_msg (target != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : name);
  return target;
}

static void
work_on (TlCuWork *work, TlTarget *target, const TlGemmShape *shape, guint stages)
{
  *work = (TlCuWork) { .shape = *shape,
                       .stages = stages,
                       .macs = tl_target_cu_machine (target)->macs,
                       .memory = *tl_target_memory (target),
                       .map = tl_target_map (target) };
  tl_engine_options_init (&work->engine, target);
}

static void
same_as_slow (const TlCuWork *work)
{
  g_autoptr (GArray) accesses = g_array_new (FALSE, FALSE, sizeof (TlAccess));
  g_auto (TlCuResult) result = { 0 };
  TlCuOptions options = { .record = TRUE };
  guint64     kernel = slow_run (work, accesses);

  tl_cu_run (work, &options, &result);
  ck_assert_uint_eq (result.accesses->len, accesses->len);
  for (guint i = 0; i < accesses->len; i++)
    {
      const TlAccess *a = &g_array_index (accesses, TlAccess, i), *b = &g_array_index (result.accesses, TlAccess, i);
      ck_assert_msg (a->unit == b->unit && a->arrival == b->arrival && a->requester == b->requester
                         && a->operand == b->operand,
                     "request %u: unit %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT
                     " of CTA %u, the slow one has %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT " of CTA %u",
                     i, b->unit, b->arrival, b->requester, a->unit, a->arrival, a->requester);
    }
  ck_assert_uint_eq (result.kernel, kernel);
  ck_assert_uint_eq (result.totals.requests, tl_gemm_requests (&work->shape));
  ck_assert_uint_eq (tl_row_counts_sum (&result.totals.share.scheduled), result.totals.requests);
  ck_assert_uint_eq (result.requests_of[0] + result.requests_of[1], result.totals.requests);
  ck_assert_uint_eq (result.ctas, tl_gemm_ctas (&work->shape));
  ck_assert_uint_eq (result.compute, result.steps * tl_cu_step_cycles (&work->shape, work->macs) * work->memory.clock);
  ck_assert_uint_le (result.compute, result.kernel);
}

static guint
between (guint64 *random, guint low, guint high)
{
  return low + (guint) tl_test_random_below (random, high - low);
}

START_TEST (equals_the_slow_one)
{
  static const char *const names[] = { "cu-t2b2", "cu-t2b4", "cu-t8b16" };
  guint64                  random = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      const char *overrides[] = { between (&random, 0, 2) ? "tREFI=700 cycles" : "tRRD=5 cycles",
                                  between (&random, 0, 2) ? "queue=4" : "queue=32", NULL };
      g_autoptr (TlTarget) target = load (names[between (&random, 0, 3)], overrides);
      TlCuWork    work;
      TlGemmShape shape = { .m = between (&random, 1, 70),
                            .n = between (&random, 1, 200),
                            .k = between (&random, 1, 200),
                            .tile_m = 1u << between (&random, 2, 6),
                            .tile_n = 1u << between (&random, 4, 7),
                            .tile_k = 1u << between (&random, 4, 7),
                            .quantum = 128,
                            .transposed = between (&random, 0, 2),
                            .resident = between (&random, 1, 5),
                            .skew = between (&random, 0, 40),
                            .slab = between (&random, 0, 2) ? 4 : 0,
                            .packed = between (&random, 0, 2),
                            .ctas = between (&random, 0, 9) };

      work_on (&work, target, &shape, between (&random, 1, 5));
      work.macs = 1u << between (&random, 4, 13);
      same_as_slow (&work);
    }
}
END_TEST

/* A compute-bound product takes its steps and one load; recorded accesses give the same run without the loop. */
START_TEST (bounds_and_records)
{
  g_autoptr (TlTarget) target = load ("cu-t8b16", NULL);
  TlGemmShape shape
      = { .m = 64, .n = 256, .k = 512, .tile_m = 64, .tile_n = 128, .tile_k = 64, .quantum = 128, .resident = 1 };
  TlCuWork work;
  g_auto (TlCuResult) result = { 0 };
  TlCuOptions    options = { .record = TRUE };
  TlEngineTotals open;

  work_on (&work, target, &shape, 3);
  tl_cu_run (&work, &options, &result);
  ck_assert_uint_eq (result.steps, 16);
  ck_assert_uint_eq (result.compute, 16 * 256 * work.memory.clock);
  ck_assert_uint_ge (result.kernel, result.compute);
  g_autoptr (TlEngine) engine = tl_engine_new (&work.memory, work.map, &work.engine);
  ck_assert (tl_engine_feed (engine, (const TlAccess *) (gpointer) result.accesses->data, result.accesses->len, NULL));
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &open);
  ck_assert_mem_eq (&open.share, &result.totals.share, sizeof open.share);
  ck_assert_uint_eq (open.makespan, result.totals.makespan);
  ck_assert_uint_eq (open.act, result.totals.act);
}
END_TEST

/* In order the machine asks as the stream does while one CTA is resident. */
START_TEST (counts_in_order)
{
  g_autoptr (TlTarget) target = load ("cu-t8b16", NULL);
  TlGemmShape shape
      = { .m = 128, .n = 384, .k = 256, .tile_m = 64, .tile_n = 128, .tile_k = 64, .quantum = 128, .resident = 1 };
  TlCuWork work;
  g_auto (TlCuResult) result = { 0 };
  TlInOrderCounts counts;
  guint64         classes[TL_N_GEMM_OPERANDS][TL_N_ROW_CLASSES];

  work_on (&work, target, &shape, 3);
  tl_cu_run (&work, NULL, &result);
  ck_assert (tl_gemm_count_operands (&shape, work.map, NULL, 0, NULL, &counts, classes, NULL));
  ck_assert_uint_eq (counts.requests, result.totals.requests);
  for (TlRowClass c = TL_ROW_HIT; c <= TL_ROW_CONFLICT; c++)
    {
      ck_assert_uint_eq (classes[0][c], result.operand[0].in_order.of[c]);
      ck_assert_uint_eq (classes[1][c], result.operand[1].in_order.of[c]);
    }
  ck_assert_uint_eq (counts.conflict, result.totals.share.in_order.conflict);
}
END_TEST

static void
count (guint64 done, guint64 total, gpointer data)
{
  ck_assert_uint_le (done, total);
  ++*(guint *) data;
}

/* A run that is cut gives out the same requests first, and says when their data had come. */
START_TEST (cut_short)
{
  g_autoptr (TlTarget) target = load ("cu-t2b4", NULL);
  TlGemmShape shape
      = { .m = 64, .n = 256, .k = 512, .tile_m = 32, .tile_n = 64, .tile_k = 32, .quantum = 128, .resident = 2 };
  TlCuWork    work;
  TlCuOptions options = { .record = TRUE };
  g_auto (TlCuResult) whole = { 0 };
  g_auto (TlCuResult) part = { 0 };

  work_on (&work, target, &shape, 2);
  tl_cu_run (&work, &options, &whole);
  work.limit = 501;
  tl_cu_run (&work, &options, &part);
  ck_assert_uint_ge (part.accesses->len, 501);
  ck_assert_uint_lt (part.accesses->len, 501 + 8);
  for (guint i = 0; i < part.accesses->len; i++)
    {
      const TlAccess *a = &g_array_index (part.accesses, TlAccess, i),
                     *b = &g_array_index (whole.accesses, TlAccess, i);
      ck_assert (a->unit == b->unit && a->arrival == b->arrival && a->requester == b->requester);
    }
  ck_assert_uint_ge (part.kernel, part.totals.makespan);
  ck_assert_uint_lt (part.kernel, whole.kernel);
}
END_TEST

START_TEST (cancelled)
{
  g_autoptr (TlTarget) target = load ("cu-t8b16", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  TlGemmShape shape
      = { .m = 64, .n = 2048, .k = 2048, .tile_m = 64, .tile_n = 128, .tile_k = 64, .quantum = 128, .resident = 2 };
  TlCuWork work;
  g_auto (TlCuResult) result = { 0 };
  guint       told = 0;
  TlCuOptions options = { .cancellable = cancellable, .progress = count, .data = &told };

  g_cancellable_cancel (cancellable);
  work_on (&work, target, &shape, 3);
  tl_cu_run (&work, &options, &result);
  ck_assert (result.cancelled && told == 1);
  ck_assert_uint_lt (result.totals.requests, tl_gemm_requests (&shape));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-cu-machine");
  TCase *cases = tcase_create ("cu-machine");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, equals_the_slow_one);
  tcase_add_test (cases, bounds_and_records);
  tcase_add_test (cases, counts_in_order);
  tcase_add_test (cases, cut_short);
  tcase_add_test (cases, cancelled);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
