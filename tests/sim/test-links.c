/* Messages on the ring's links against a twin that goes cycle by cycle, each link taking the
 * messages that are to cross it one after the other. */
#include "sim/links.h"
#include "support/support.h"

#include <string.h>

#define CLOCK 500 /* ps */

typedef struct
{
  guint32  from;
  guint32  hops;
  gboolean rising;
  guint64  bytes;
  guint64  ready;   /* cycle */
  guint32  crossed; /* links entered so far */
  guint64  head;    /* cycle from which its head waits at its next link */
  guint64  there;   /* cycle of its tail */
  gboolean ended;
} Way;

/* --- The twin --- */

static guint32
link_of (const Way *way, guint32 crossed, guint32 stops)
{
  guint32 at = way->rising ? (way->from + crossed) % stops : (way->from + stops - crossed % stops) % stops;

  return 2 * at + !way->rising;
}

/* Which way crosses the link next: the first given that has not yet. */
static Way *
next_of (GArray *ways, guint32 link, guint32 stops)
{
  for (guint w = 0; w < ways->len; w++)
    {
      Way *way = &g_array_index (ways, Way, w);

      for (guint32 h = way->crossed; h < way->hops; h++)
        if (link_of (way, h, stops) == link)
          return h == way->crossed ? way : NULL;
    }
  return NULL;
}

static void
run_twin (GArray *ways, guint32 stops, guint64 hop, guint64 width, guint64 *busy)
{
  g_autofree guint64 *held = g_new0 (guint64, 2 * stops);
  guint               left = ways->len;

  *busy = 0;
  for (guint w = 0; w < ways->len; w++)
    {
      Way *way = &g_array_index (ways, Way, w);

      way->head = way->ready;
      if (way->hops == 0)
        {
          way->there = way->ready;
          left--;
        }
    }
  for (guint64 cycle = 0; left > 0; cycle++)
    {
      gboolean moved;

      do
        {
          moved = FALSE;
          for (guint32 link = 0; link < 2 * stops; link++)
            {
              Way *way = held[link] == 0 ? next_of (ways, link, stops) : NULL;

              if (way == NULL || way->head > cycle)
                continue;
              held[link] = (way->bytes + width - 1) / width;
              *busy += held[link];
              way->crossed++;
              way->head = cycle + hop;
              moved = TRUE;
              if (way->crossed < way->hops)
                continue;
              way->there = cycle + hop + held[link];
              left--;
            }
        }
      while (moved);
      for (guint32 link = 0; link < 2 * stops; link++)
        held[link] -= held[link] > 0;
    }
}

/* --- The tests --- */

static TlPimMachine
machine_of (guint32 stops, guint32 hop, guint32 width)
{
  return (TlPimMachine) {
    .pus = stops, .channels = 1, .groups = stops, .ring_hop = hop, .ring_bytes = width, .clock = CLOCK
  };
}

static void
add_way (GArray *ways, guint32 from, guint32 hops, gboolean rising, guint64 bytes, guint64 ready)
{
  Way way = { .from = from, .hops = hops, .rising = rising, .bytes = bytes, .ready = ready };

  g_array_append_val (ways, way);
}

/* The last round is wrong on purpose: a hop more than there is. */
START_TEST (links_equal_their_twin)
{
  guint64  state = tl_test_seed ();
  guint    rounds = tl_test_rounds (60);
  gboolean differs = FALSE;

  for (guint round = 0; round <= rounds; round++)
    {
      guint32 stops = 1 + (guint32) tl_test_random_below (&state, 33), hop = (guint32) tl_test_random_below (&state, 4);
      guint32 width = 1 + (guint32) tl_test_random_below (&state, 20);
      TlPimMachine machine = machine_of (stops, hop, width);
      g_auto (TlLinks) links = { 0 };
      g_autoptr (GArray) ways = g_array_new (FALSE, FALSE, sizeof (Way));
      g_autoptr (GArray) there = g_array_new (FALSE, FALSE, sizeof (guint64));
      guint64 now = 0, busy, length = 0;

      tl_links_init (&links, &machine, FALSE);
      for (guint m = 0; m < 80; m++)
        {
          guint32 from = (guint32) tl_test_random_below (&state, stops),
                  to = (guint32) tl_test_random_below (&state, stops);
          guint32 up = (to + stops - from) % stops, down = stops - up;
          guint64 bytes = 1 + tl_test_random_below (&state, 100), time;

          now += tl_test_random_below (&state, 3);
          if (tl_test_random_below (&state, 8) > 0)
            {
              time = tl_links_send (&links, from, to, bytes, now * CLOCK);
              add_way (ways, from, MIN (up, down), up <= down, bytes, now);
              g_array_append_val (there, time);
              continue;
            }
          time = tl_links_broadcast (&links, from, bytes, now * CLOCK, NULL);
          add_way (ways, from, stops / 2, TRUE, bytes, now);
          g_array_append_val (there, time);
          add_way (ways, from, (stops - 1) / 2, FALSE, bytes, now);
          time = G_MAXUINT64; /* part of the one before */
          g_array_append_val (there, time);
        }
      run_twin (ways, stops, hop + (round == rounds), width, &busy);
      for (guint w = 0; w < ways->len; w++)
        {
          guint64 last = g_array_index (ways, Way, w).there, ours = g_array_index (there, guint64, w);

          length += g_array_index (ways, Way, w).hops * ((g_array_index (ways, Way, w).bytes + width - 1) / width);
          if (ours == G_MAXUINT64)
            continue;
          if (w + 1 < ways->len && g_array_index (there, guint64, w + 1) == G_MAXUINT64)
            last = MAX (last, g_array_index (ways, Way, w + 1).there);
          differs |= round == rounds && last * CLOCK != ours;
          ck_assert_msg (round == rounds || last * CLOCK == ours, "round %u, message %u: %lu and %lu", round, w,
                         (gulong) (last * CLOCK), (gulong) ours);
        }
      ck_assert_uint_eq (links.busy, busy * CLOCK);
      ck_assert_uint_eq (busy, length);
    }
  ck_assert (differs);
}
END_TEST

/* Alone a message takes its bytes and its hops; a second one on its way waits behind it, one
 * on the other side of the ring does not. */
START_TEST (a_message_holds_only_its_way)
{
  TlPimMachine machine = machine_of (32, 1, 16);
  g_auto (TlLinks) links = { 0 };
  guint64 gone;

  tl_links_init (&links, &machine, FALSE);
  ck_assert_uint_eq (tl_links_send (&links, 3, 3, 100, 7), 7);
  ck_assert_uint_eq (links.messages, 0);
  ck_assert_uint_eq (tl_links_send (&links, 0, 5, 160, 0), (10 + 5) * CLOCK);
  ck_assert_uint_eq (tl_links_send (&links, 1, 3, 16, 0), (11 + 1 + 2) * CLOCK);
  ck_assert_uint_eq (links.waited, 11 * CLOCK);
  ck_assert_uint_eq (tl_links_send (&links, 31, 30, 16, 0), (1 + 1) * CLOCK);
  ck_assert_uint_eq (tl_links_send (&links, 0, 16, 16, 20 * CLOCK), (20 + 1 + 16) * CLOCK);
  ck_assert_uint_eq (tl_links_send (&links, 20, 0, 16, 20 * CLOCK), (20 + 1 + 12) * CLOCK);
  ck_assert_uint_eq (tl_links_broadcast (&links, 9, 16, 100 * CLOCK, &gone), (100 + 1 + 16) * CLOCK);
  ck_assert_uint_eq (gone, 101 * CLOCK);
}
END_TEST

/* ring = free: no time, but the bytes are counted. */
START_TEST (a_free_ring_takes_no_time)
{
  TlPimMachine machine = machine_of (8, 3, 16);
  g_auto (TlLinks) links = { 0 };
  guint64 gone;

  tl_links_init (&links, &machine, TRUE);
  ck_assert_uint_eq (tl_links_send (&links, 0, 5, 1000, 12), 12);
  ck_assert_uint_eq (tl_links_broadcast (&links, 0, 24, 12, &gone), 12);
  ck_assert_uint_eq (gone, 12);
  ck_assert_uint_eq (links.messages, 2);
  ck_assert_uint_eq (links.bytes, 1024);
  ck_assert_uint_eq (links.busy + links.waited, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-links");
  TCase *tcase = tcase_create ("links");

  tcase_add_test (tcase, links_equal_their_twin);
  tcase_add_test (tcase, a_message_holds_only_its_way);
  tcase_add_test (tcase, a_free_ring_takes_no_time);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
