/* The engine against the definition of its policies: a model that looks at every
 * picosecond, walks the queues request by request and asks the bank rules what is
 * legal. Both must issue the same commands at the same times for the same requests.
 * Open pages, no refresh; every scheduler, bus and queue. */
#include "audit.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  TlAccess access;
  guint64  number;
  guint64  entered;
  guint32  domain;
  guint32  row;
  guint16  column;
  gboolean classed;
} Asked;

typedef enum
{
  FREE,
  RESERVED,
  OWED,
} Held;

typedef struct
{
  Held    held;
  guint64 holder; /* request */
  guint   queue;  /* of the holder */
  guint64 claimer[2];
} Place;

typedef struct
{
  GArray  *queue[2]; /* of Asked, oldest first */
  guint64  claimed[2];
  guint    mode;
  gboolean drain;
  gboolean dirty; /* something may go now */
} Controller;

typedef struct
{
  AuditRun    *run;
  TlBankRules *rules;
  Place       *places;
  Controller  *controllers;
  guint32      n_controllers;
  guint64      now;
  guint64      door;
  guint        through; /* in this clock of the door */
  gsize        next;    /* request at the door */
  gboolean     split;
  GArray      *events; /* of TlEvent */
} Twin;

#define NONE   G_MAXUINT64
#define ROUNDS 300

static Controller *
controller_of (Twin *twin, guint32 domain)
{
  return &twin->controllers[tl_memory_scope_of (&twin->run->memory, TL_SCOPE_CHANNEL, domain)];
}

static Asked *
oldest (Controller *controller, guint q)
{
  return controller->queue[q]->len > 0 ? &g_array_index (controller->queue[q], Asked, 0) : NULL;
}

static void
tell (Twin *twin, guint8 kind, const Asked *asked)
{
  TlEvent event = { .time = twin->now, .kind = kind, .domain = asked->domain, .request = asked->number };

  g_array_append_val (twin->events, event);
}

static gboolean
legal (Twin *twin, guint8 kind, const Asked *asked)
{
  TlCommand command = { twin->now, asked->domain, asked->row, asked->column, kind };

  return tl_bank_rules_earliest (twin->rules, &command) == twin->now;
}

static void
apply (Twin *twin, guint8 kind, const Asked *asked)
{
  TlCommand command = { twin->now, asked->domain, asked->row, asked->column, kind };

  tl_bank_rules_apply (twin->rules, &command);
  tell (twin, kind, asked);
}

static gboolean
hits (Twin *twin, const Asked *asked)
{
  return tl_bank_rules_classify (twin->rules, asked->domain, asked->row) == TL_ROW_HIT;
}

/* --- commands --- */

static gboolean
try_column (Twin *twin, Controller *controller, guint q, guint index)
{
  Asked  asked = g_array_index (controller->queue[q], Asked, index);
  Place *place = &twin->places[asked.domain];
  guint8 kind = asked.access.write ? TL_COMMAND_WR : TL_COMMAND_RD;

  if (!hits (twin, &asked))
    return FALSE;
  gboolean holds = place->held != FREE && place->holder == asked.number;
  if (place->claimer[q] != NONE && place->claimer[q] != asked.number && !holds)
    return FALSE;
  if (!legal (twin, kind, &asked))
    return FALSE;
  apply (twin, kind, &asked);
  if (holds)
    place->held = FREE;
  if (place->claimer[q] == asked.number)
    place->claimer[q] = controller->claimed[q] = NONE;
  g_array_remove_index (controller->queue[q], index);
  return TRUE;
}

/* A row that others of the queue wait for is kept, by the policy that keeps rows. */
static gboolean
kept_for_others (Twin *twin, Controller *controller, guint q, const Asked *asked)
{
  if (twin->run->options.scheduler != TL_SCHEDULER_FR_FCFS)
    return FALSE;
  for (guint i = 0; i < controller->queue[q]->len; i++)
    {
      const Asked *other = &g_array_index (controller->queue[q], Asked, i);
      if (other->domain == asked->domain && hits (twin, other))
        return TRUE;
    }
  return FALSE;
}

static gboolean
try_row (Twin *twin, Controller *controller, guint q, guint index)
{
  Asked   *asked = &g_array_index (controller->queue[q], Asked, index);
  Place   *place = &twin->places[asked->domain];
  gboolean claims = place->claimer[q] == asked->number;

  if (tl_bank_rules_open_row (twin->rules, asked->domain, NULL))
    {
      if (place->held != FREE || hits (twin, asked) || (place->claimer[q] != NONE && !claims))
        return FALSE;
      if (!claims && kept_for_others (twin, controller, q, asked))
        return FALSE;
      if (!legal (twin, TL_COMMAND_PRE, asked))
        return FALSE;
      apply (twin, TL_COMMAND_PRE, asked);
      *place = (Place) { RESERVED, asked->number, q, { place->claimer[0], place->claimer[1] } };
      return TRUE;
    }
  if (place->held != FREE ? place->holder != asked->number : place->claimer[q] != NONE && !claims)
    return FALSE;
  if (!legal (twin, TL_COMMAND_ACT, asked))
    return FALSE;
  apply (twin, TL_COMMAND_ACT, asked);
  *place = (Place) { OWED, asked->number, q, { place->claimer[0], place->claimer[1] } };
  return TRUE;
}

/* --- choices --- */

static void
choose_queue (Twin *twin, Controller *controller)
{
  const TlEngineOptions *options = &twin->run->options;
  const Asked           *read = oldest (controller, 0), *write = oldest (controller, 1);
  guint                  high = CLAMP (options->write_high, 1, options->write_queue);
  guint                  low = MIN (options->write_low, high - 1);

  if (write == NULL)
    {
      controller->mode = 0;
      controller->drain = FALSE;
      return;
    }
  guint64  read_by = read != NULL ? read->entered + options->age : NONE;
  guint64  write_by = write->entered + options->write_age;
  gboolean reads_urgent = read_by <= twin->now && read_by <= write_by;
  gboolean writes_urgent = write_by <= twin->now && write_by < read_by;
  if (controller->mode == 0 || !controller->drain)
    {
      controller->drain = writes_urgent || (controller->queue[1]->len >= high && !reads_urgent);
      controller->mode = controller->drain || read == NULL;
    }
  else if (read != NULL && (reads_urgent || (controller->queue[1]->len <= low && !writes_urgent)))
    {
      controller->mode = 0;
      controller->drain = FALSE;
    }
}

static guint
place_in_queue (Controller *controller, guint q, guint64 number)
{
  guint i = 0;

  while (g_array_index (controller->queue[q], Asked, i).number != number)
    i++;
  return i;
}

static gboolean
try_all (Twin *twin, Controller *controller)
{
  const TlEngineOptions *options = &twin->run->options;
  gboolean               issued = FALSE, column = FALSE;

  if (twin->split)
    choose_queue (twin, controller);
  guint        q = controller->mode, other = !q;
  const Asked *first = oldest (controller, q);
  if (first != NULL && controller->claimed[q] == NONE && first->entered + options->age <= twin->now)
    controller->claimed[q] = twin->places[first->domain].claimer[q] = first->number;
  if (controller->claimed[q] != NONE)
    {
      const Asked *claims
          = &g_array_index (controller->queue[q], Asked, place_in_queue (controller, q, controller->claimed[q]));
      const Place *place = &twin->places[claims->domain];
      guint        of = place->held != FREE ? place->queue : q;
      guint64      number = place->held != FREE ? place->holder : claims->number;
      issued |= try_row (twin, controller, of, place_in_queue (controller, of, number));
    }
  guint n
      = options->scheduler == TL_SCHEDULER_IN_ORDER ? MIN (controller->queue[q]->len, 1) : controller->queue[q]->len;
  for (guint i = 0; i < n && !column; i++)
    column = try_column (twin, controller, q, i);
  for (guint i = 0; i < controller->queue[other]->len && !column; i++)
    {
      const Asked *asked = &g_array_index (controller->queue[other], Asked, i);
      const Place *place = &twin->places[asked->domain];
      if (place->held == OWED && place->holder == asked->number)
        column = try_column (twin, controller, other, i);
    }
  gboolean row = FALSE;
  n = options->scheduler == TL_SCHEDULER_IN_ORDER ? MIN (controller->queue[q]->len, 1) : controller->queue[q]->len;
  for (guint i = 0; i < n && !row; i++)
    row = try_row (twin, controller, q, i);
  for (guint i = 0; i < controller->queue[other]->len && !row; i++)
    {
      const Asked *asked = &g_array_index (controller->queue[other], Asked, i);
      const Place *place = &twin->places[asked->domain];
      if (place->held == RESERVED && place->holder == asked->number)
        row = try_row (twin, controller, other, i);
    }
  return issued || column || row;
}

/* --- the door --- */

static gboolean
waits_for (const GArray *queue, guint64 unit)
{
  for (guint i = 0; i < queue->len; i++)
    if (g_array_index (queue, Asked, i).access.unit == unit)
      return TRUE;
  return FALSE;
}

/* The request at the door enters, if it may. */
static gboolean
enter (Twin *twin)
{
  const AuditRun *run = twin->run;

  if (twin->next == run->n)
    return FALSE;
  const TlAccess *access = &run->accesses[twin->next];
  guint64         door = twin->through < run->options.issue ? twin->door : twin->door + run->memory.clock;
  if (access->arrival > twin->now || door > twin->now)
    return FALSE;
  guint64     place = tl_address_map_apply (run->map, access->unit);
  guint64     key = place >> tl_address_map_column_bits (run->map);
  Asked       asked = { .access = *access,
                        .number = twin->next,
                        .entered = twin->now,
                        .domain = (guint32) (key >> tl_address_map_row_bits (run->map)),
                        .row = (guint32) (key & ((1u << tl_address_map_row_bits (run->map)) - 1)),
                        .column = (guint16) (place & ((1u << tl_address_map_column_bits (run->map)) - 1)) };
  Controller *controller = controller_of (twin, asked.domain);
  guint       q = twin->split && access->write;
  gboolean    forwarded = !access->write && twin->split && waits_for (controller->queue[1], access->unit);
  if (!forwarded && q == 1 && waits_for (controller->queue[0], access->unit))
    return FALSE;
  if (!forwarded && controller->queue[q]->len >= (q == 1 ? run->options.write_queue : run->options.window))
    return FALSE;
  if (twin->next == 0 || twin->now >= twin->door + run->memory.clock)
    {
      twin->door = twin->now;
      twin->through = 0;
    }
  twin->through++;
  twin->next++;
  if (forwarded)
    tell (twin, TL_EVENT_FORWARD, &asked);
  else
    {
      g_array_append_val (controller->queue[q], asked);
      controller->dirty = TRUE;
      if (twin->split)
        choose_queue (twin, controller);
    }
  return TRUE;
}

static void
moment (Twin *twin)
{
  guint32 c = 0;

  for (guint32 i = 0; i < twin->n_controllers; i++)
    twin->controllers[i].dirty = TRUE;
  while (c < twin->n_controllers)
    {
      while (enter (twin))
        ;
      for (c = 0; c < twin->n_controllers && !twin->controllers[c].dirty; c++)
        ;
      if (c == twin->n_controllers)
        break;
      twin->controllers[c].dirty = FALSE;
      while (try_all (twin, &twin->controllers[c]))
        ;
    }
}

static gboolean
busy (const Twin *twin)
{
  for (guint32 c = 0; c < twin->n_controllers; c++)
    if (twin->controllers[c].queue[0]->len + twin->controllers[c].queue[1]->len > 0)
      return TRUE;
  return twin->next < twin->run->n;
}

static GArray *
run_twin (AuditRun *run)
{
  Twin twin = { .run = run, .rules = tl_bank_rules_new (&run->memory) };

  twin.split = run->options.write_queue > 0 && run->options.scheduler != TL_SCHEDULER_IN_ORDER;
  twin.n_controllers = tl_memory_scopes (&run->memory, TL_SCOPE_CHANNEL);
  twin.controllers = g_new0 (Controller, twin.n_controllers);
  twin.places = g_new0 (Place, tl_memory_domains (&run->memory));
  twin.events = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  for (guint32 c = 0; c < twin.n_controllers; c++)
    for (guint q = 0; q < 2; q++)
      {
        twin.controllers[c].queue[q] = g_array_new (FALSE, FALSE, sizeof (Asked));
        twin.controllers[c].claimed[q] = NONE;
      }
  for (guint32 d = 0; d < tl_memory_domains (&run->memory); d++)
    twin.places[d].claimer[0] = twin.places[d].claimer[1] = NONE;
  for (; busy (&twin); twin.now++)
    moment (&twin);
  for (guint32 c = 0; c < twin.n_controllers; c++)
    for (guint q = 0; q < 2; q++)
      g_array_unref (twin.controllers[c].queue[q]);
  g_free (twin.controllers);
  g_free (twin.places);
  tl_bank_rules_free (twin.rules);
  return twin.events;
}

/* Events of one time may be told in another order where channels do not see one
 * another: each channel's are compared. */
static void
compare (AuditRun *run, const GArray *twin, guint round)
{
  guint32 channels = tl_memory_scopes (&run->memory, TL_SCOPE_CHANNEL);

  ck_assert_msg (run->events->len == twin->len, "round %u: %u events, twin %u", round, run->events->len, twin->len);
  for (guint32 c = 0; c < channels; c++)
    for (guint i = 0, j = 0; i < twin->len; i++)
      {
        const TlEvent *b = &g_array_index (twin, TlEvent, i);
        if (tl_memory_scope_of (&run->memory, TL_SCOPE_CHANNEL, b->domain) != c)
          continue;
        while (tl_memory_scope_of (&run->memory, TL_SCOPE_CHANNEL, g_array_index (run->events, TlEvent, j).domain) != c)
          j++;
        const TlEvent *a = &g_array_index (run->events, TlEvent, j++);
        ck_assert_msg (a->time == b->time && a->kind == b->kind && a->domain == b->domain && a->request == b->request,
                       "round %u, channel %u, event %u: %s of request %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT
                       ", twin %s of request %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT,
                       round, c, i, tl_event_kind_name (a->kind), a->request, a->time, tl_event_kind_name (b->kind),
                       b->request, b->time);
      }
}

START_TEST (the_engine_does_what_the_policy_says)
{
  guint64 seed = tl_test_seed () + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (ROUNDS); round++)
    {
      guint64  state = seed * 1000003 + round;
      AuditRun run;
      do
        {
          audit_random (&run, 20 + (guint) tl_test_random_below (&state, 250), &state);
          if (run.memory.clock > 3)
            audit_clear (&run);
        }
      while (run.map == NULL);
      run.options.pages = TL_PAGES_OPEN;
      run.options.refresh = TL_REFRESH_NONE;
      audit_execute (&run, &state);
      g_autoptr (GArray) twin = run_twin (&run);
      compare (&run, twin, round);
      audit_clear (&run);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-engine-twin");
  TCase *tcase = tcase_create ("twin");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, the_engine_does_what_the_policy_says, 0, 4);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
