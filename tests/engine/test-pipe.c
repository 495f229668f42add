/* The machine under wavefronts without a stream: the paper's table, waves, edges and flows by
 * hand; what the passes make of programs of waves. */
#include "support-pipe.h"

#include "sim/pipe-export.h"
#include "sim/pipe-flows.h"

/* --- One pair --- */

/* models.md section 5: the table, run command by command. The last row is wrong. */
START_TEST (the_alignment_table_is_reproduced)
{
  static const struct
  {
    guint       letters;
    const char *band;
    double      model;
    gboolean    holds;
  } rows[] = { { 2000, "15%", 2.88, TRUE },   { 10000, "15%", 9.63, TRUE }, { 2000, "30%", 4.16, TRUE },
               { 10000, "30%", 16.60, TRUE }, { 4000, "15%", 4.58, TRUE },  { 8000, "30%", 13.50, TRUE },
               { 2000, "15%", 2.90, FALSE } };
  g_autofree char *text = g_strdup_printf (
      ALIGN "data q = genome(%u, 1)\ndata r = genome(%u, 2)\nconfig band = %s, values = off\n" SCORES, rows[_i].letters,
      rows[_i].letters, rows[_i].band);
  g_autoptr (TlBuild) build = must_make (text, NULL, NULL);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  double           ours = (double) sim->alone / (double) sim->makespan;
  TlPipePaper      paper[TL_PIPE_N_PAPER];

  ck_assert_uint_eq (sim->makespan, sim->critical);
  ck_assert_msg ((ours > rows[_i].model - 0.006 && ours < rows[_i].model + 0.006) == rows[_i].holds, "%f", ours);
  tl_pipe_paper (build->pipe, paper);
  for (guint p = 0; p < TL_PIPE_N_PAPER && rows[_i].holds; p++)
    if (paper[p].letters == rows[_i].letters && (guint) (paper[p].error * 100 + 0.5) == (guint) atoi (rows[_i].band))
      ck_assert (paper[p].model == ours);
}
END_TEST

/* All waves by hand: a row of tiles belongs to one PU, a wave lasts as long as its busiest. */
START_TEST (one_grid_takes_its_waves)
{
  static const char *const sets[][3] = { { "tile=48", "edges=trimmed", NULL },
                                         { "tile=32", "split=30 : 2", NULL },
                                         { "tile=16", "owner=(i + j) mod 5 + 8", NULL },
                                         { "tile=16", "owner=skewed", "edges=trimmed" } };
  g_autofree char         *text = g_strdup_printf (
              ALIGN "data q = genome(700, 1)\ndata r = genome(560, 2)\nconfig band = 200, values = off\n" SCORES);
  const char *settings[] = { sets[_i][0], sets[_i][1], sets[_i][2], NULL };
  g_autoptr (TlBuild) build = must_make (text, NULL, settings);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeProgram *program = build->pipe;
  guint32              tile = program->tiling.tile, rows = (700 + tile - 1) / tile, columns = (560 + tile - 1) / tile;
  gboolean             trimmed = program->tiling.edges == TL_EDGES_TRIMMED;
  guint64              total = 0;

  for (guint32 w = 0; w < rows + columns; w++)
    {
      guint64 load[64] = { 0 }, most = 0;

      for (guint32 i = 0; i < rows && i <= w; i++)
        {
          guint32 j = w - i, h, d, pu;
          gint64  i0 = (gint64) i * tile + 1, i1 = MIN (i0 + tile - 1, 700), j0 = (gint64) j * tile + 1;
          gint64  j1 = MIN (j0 + tile - 1, 560);

          if (j >= columns || j0 - i1 > 200 || j1 - i0 < -200)
            continue;
          h = trimmed ? (guint32) (i1 - i0 + 1) : tile;
          d = trimmed ? (guint32) (j1 - j0 + 1) : tile;
          pu = _i == 2 ? (i + j) % 5 : _i == 3 ? (2 * i + j) % 24 : i % program->compute;
          load[pu] += (guint64) ((h + 15) / 16) * (d + 15);
          most = MAX (most, load[pu]);
        }
      total += most;
    }
  ck_assert_uint_eq (run->sim->makespan, total * 1000);
}
END_TEST

/* Order, fill and owner follow from distances: Viterbi's steps are waves, its states do not
 * wait for each other; a recurrence along rows alone has rows without fill. */
START_TEST (other_recurrences_take_their_time)
{
  static const struct
  {
    const char *text;
    guint64     cycles;
  } rows[] = {
    { "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
      "data A = matrix(\"a\")\ndata B = matrix(\"b\")\ndata o = matrix(\"o\")\nconfig tile = 32, edges = trimmed\n",
      /* 9 steps; 40 states are two tiles on two PUs, the first ceil (32 / 16) * 40. */
      9 * 2 * 40 },
    { "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
      "  E[i,0] = i\n  E[0,j] = j\ndata q = genome(300, 1)\ndata r = genome(300, 2)\n",
      /* 3 x 3 tiles: five waves of at most three tiles. */
      5 * 9 * 159 },
    { "algorithm m\n  M[i,j] = max(M[i,j-1], 0)  for i, j\n  M[i,0] = 0\ndata M: i32[301, 301]\n",
      /* Rows do not wait for each other: waves are tile columns, no fill. */
      3 * 9 * 144 },
    { "algorithm p\n  P[i,j] = max(P[i-1,j-1] + (q[i] == r[j]), P[i-1,j])  for i, j\n  P[0,j] = 0\n  P[i,0] = 0\n"
      "data q = genome(300, 1)\ndata r = genome(300, 2)\n",
      5 * 9 * 159 },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) a = g_string_new (NULL);

  for (guint k = 0; k < 40; k++)
    for (guint l = 0; l < 40; l++)
      g_string_append_printf (a, "%u%c", (k * 7 + l) % 11, l == 39 ? '\n' : ',');
  add_text (inputs, "a", a->str);
  add_text (inputs, "b", a->str);
  add_text (inputs, "o", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  g_autoptr (TlBuild) build = must_make (rows[_i].text, inputs, NULL);
  g_autoptr (TlGridRun) run = must_time (build, TRUE);
  ck_assert_uint_eq (run->sim->makespan, rows[_i].cycles * 1000);
}
END_TEST

/* Edges on the ring, by hand: a wave's PUs hand on in the order of their sides, a corner of
 * one cell before the row above it, each to the neighbour one hop on; the next wave begins a
 * hop and both messages later for whoever waits. The last row is wrong: too short a ring. */
START_TEST (edges_take_their_time)
{
  static const struct
  {
    const char *sets[4];
    guint       cycles; /* of a tile's row */
    gboolean    holds;
  } rows[] = { { { "tile=48", "split=8 : 24", NULL }, 12, TRUE },
               { { "tile=48", "split=8 : 24", "target.ring_width=128B", NULL }, 2, TRUE },
               { { "tile=48", "split=8 : 24", "target.ring_hop=7", NULL }, 12, TRUE },
               { { "tile=48", "split=8 : 24", "precision=64", NULL }, 24, TRUE },
               { { "tile=48", "split=8 : 24", NULL }, 11, FALSE } };
  const char      *sets[] = { rows[_i].sets[0], rows[_i].sets[1], "copy_writes=charged", rows[_i].sets[2], NULL };
  g_autofree char *text = g_strdup_printf (
      ALIGN "data q = genome(700, 1)\ndata r = genome(560, 2)\nconfig band = 200, values = off\n" SCORES);
  g_autoptr (TlBuild) build = must_make (text, NULL, sets);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  guint32          hop = build->pipe->machine.ring_hop, tile = 48, down = 15, right = 12;
  guint64          now = 0, bytes = 0, due[15] = { 0 }, later[15] = { 0 };

  for (guint32 w = 0; w < down + right - 1; w++)
    {
      guint64 ends[15] = { 0 }, next[15] = { 0 }, after[15] = { 0 }, latest = now;

      for (guint32 i = 0; i < down && i <= w; i++)
        {
          guint32 j = w - i;
          gint64  i0 = (gint64) i * tile + 1, i1 = MIN (i0 + tile - 1, 700), j0 = (gint64) j * tile + 1;
          gint64  j1 = MIN (j0 + tile - 1, 560);
#define TOUCHES(di, dj)                                                                                                \
  (i + (di) < down && j + (dj) < right && j0 + (dj) *48 - MIN (i1 + (di) *48, 700) <= 200                              \
   && MIN (j1 + (dj) *48, 560) - (i0 + (di) *48) >= -200)

          if (j >= right || !TOUCHES (0, 0))
            continue;
          ends[i] = MAX (now, due[i]) + (guint64) (tile / 16) * (tile + 15);
          latest = MAX (latest, ends[i]);
          guint64 free = ends[i];
          if (TOUCHES (1, 1))
            {
              after[i + 1] = free + hop + 1;
              free += 1;
              bytes += build->pipe->element_bits / 8;
            }
          if (TOUCHES (1, 0))
            {
              next[i + 1] = free + hop + rows[_i].cycles;
              bytes += tile * build->pipe->element_bits / 8;
            }
        }
      for (guint32 i = 0; i < down; i++)
        due[i] = MAX (later[i], next[i]);
      memcpy (later, after, sizeof later);
      now = latest;
    }
  ck_assert_uint_eq (sim->makespan == now * 1000, rows[_i].holds);
  ck_assert_uint_eq (sim->edge_bytes, bytes);
  ck_assert (sim->charged);
  for (guint32 pu = 0; pu < 32; pu++)
    ck_assert_uint_eq (sim->pu[pu].busy + sim->pu[pu].barrier + sim->pu[pu].edges + sim->pu[pu].idle, sim->makespan);
}
END_TEST

/* B1 step by step: cells say which tiles there are, every row of every edge takes its cycle.
 * The last row is wrong: it forgets what is written. */
START_TEST (affine_tiling_is_stepped)
{
  static const struct
  {
    const char *sets[4];
    guint       tables;
    gboolean    holds;
  } rows[] = { { { "tile=48", NULL }, 1, TRUE },
               { { "tile=20", "edges=trimmed", "target.ring_width=3B", NULL }, 1, TRUE },
               { { "tile=7", "precision=64", "target.pus=12", "split=2 : 10" }, 1, TRUE },
               { { "tile=100", "edges=trimmed", NULL }, 3, TRUE },
               { { "tile=48", NULL }, 1, FALSE } };
  static const char *const texts[] = {
    ALIGN "data q = genome(350, 1)\ndata r = genome(280, 2)\nconfig band = 90, values = off\n" SCORES,
    "algorithm gotoh\n"
    "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j within band\n"
    "  E[i,j] = max(E[i,j-1], H[i,j-1] - 2)  for i, j within band\n"
    "  F[i,j] = max(F[i-1,j], H[i-1,j] - 2)  for i, j within band\n"
    "data q = genome(350, 1)\ndata r = genome(280, 2)\nconfig band = 90, values = off, score = match 2 mismatch -4\n"
  };
  const char *sets[] = { rows[_i].sets[0], rows[_i].sets[1], rows[_i].sets[2], rows[_i].sets[3], NULL };
  g_autoptr (TlBuild) build = must_make (texts[rows[_i].tables == 3], NULL, sets);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeProgram *program = build->pipe;
  const TlPimMachine  *pim = &program->machine;
  guint32              tile = program->tiling.tile, down = (350 + tile - 1) / tile, right = (280 + tile - 1) / tile;
  g_autofree gboolean *there = g_new0 (gboolean, (gsize) (down + 1) * (right + 1));
  double               row = 0, total = 0;

  ck_assert_uint_eq (program->n_tables, rows[_i].tables);
  for (gint64 i = 1; i <= 350; i++)
    for (gint64 j = 1; j <= 280; j++)
      if (ABS (i - j) <= 90)
        there[(i - 1) / tile * right + (j - 1) / tile] = TRUE;
  for (guint t = 0; t < 4; t++)
    row += (double) pim->tier[t].tRC / 4;
  for (guint32 w = 0; w < down + right; w++)
    {
      double clock[64] = { 0 }, latest = 0;

      for (guint32 i = 0; i < down && i <= w; i++)
        {
          guint32 j = w - i;

          if (j >= right || !there[i * right + j])
            continue;
          double  *now = &clock[(i * right + j) % pim->pus];
          gboolean trimmed = program->tiling.edges == TL_EDGES_TRIMMED;
          guint32  h = trimmed ? MIN (tile, 350 - i * tile) : tile, d = trimmed ? MIN (tile, 280 - j * tile) : tile;
          guint64  edge = (guint64) tile * rows[_i].tables * program->element_bits / 8;
          guint64  come[]
              = { i > 0 && j > 0 && there[(i - 1) * right + j - 1] ? edge / tile : 0,
                  i > 0 && there[(i - 1) * right + j] ? edge : 0, j > 0 && there[i * right + j - 1] ? edge : 0 };

          for (guint s = 0; s < 3; s++)
            {
              for (guint64 at = 0; at < come[s]; at += pim->row_bytes)
                *now += row;
              *now += (double) come[s] * pim->pus / 4 / (2 * pim->ring_bytes) * pim->clock;
            }
          for (guint32 strip = 0; strip < h; strip += 16)
            *now += (double) (d + 15) * pim->clock;
          for (guint64 at = 0; at < edge && rows[_i].holds; at += pim->row_bytes)
            *now += 2 * row;
          latest = MAX (latest, *now);
        }
      total += latest;
    }
  ck_assert_msg ((ABS (total - (double) tl_pipe_affine (run->sim)) <= 1) == rows[_i].holds, "%f and %f", total,
                 (double) tl_pipe_affine (run->sim));
}
END_TEST

/* All states of a step wait for all of the one before: each tile's goes round both ways. */
START_TEST (a_trellis_hands_whole_rows_on)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) a = g_string_new (NULL);

  for (guint k = 0; k < 40 * 40; k++)
    g_string_append_printf (a, "%u%c", k * 7 % 11, k % 40 == 39 ? '\n' : ',');
  add_text (inputs, "a", a->str);
  add_text (inputs, "o", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  g_autoptr (TlBuild) build = must_make (
      "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
      "data A = matrix(\"a\")\ndata B = matrix(\"a\")\ndata o = matrix(\"o\")\n",
      inputs, SETS ("tile=20", "edges=trimmed", "copy_writes=charged"));
  g_autoptr (TlGridRun) run = must_time (build, TRUE);

  /* 9 steps of ceil (20 / 16) * 40; between two of them 80 bytes each way, 16 hops. At first both PUs send at once, and
   * PU 9's message waits until PU 8's is past it: a hop and five cycles, by which PU 8 is later from then on. */
  ck_assert_uint_eq (run->sim->makespan, (9 * 80 + 8 * (5 + 16) + 1 + 5) * 1000);
  ck_assert_uint_eq (run->sim->edge_bytes, 8 * 2 * 80);
}
END_TEST

/* --- Passes --- */

/* Figure 4b on a small scale: the index first, pointers before positions, what waves hand on
 * next, what is only streamed last; place lines win. */
START_TEST (objects_lie_by_what_hangs_on_them)
{
  static const guint lengths[] = { 900, 900 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 2);
  /* Tiers of 4 MiB: 16 MiB of pointers fill four of them and a little of the fifth. */
  g_autoptr (TlBuild) build
      = must_make (STREAM, inputs, SETS ("target.rows=32", "target.capacity=32MiB", "place.q=tier 7"));
  const TlPipeProgram *program = build->pipe;

  ck_assert_uint_eq (program->machine.tier_bytes, 4 << 20);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);
      gboolean            pointers = strcmp (object->name, "PTR") == 0;

      for (guint t = 0; t < 4; t++)
        ck_assert_uint_eq (object->in_tier[t], pointers ? 4 << 20 : 0);
      if (strcmp (object->name, "q") == 0)
        ck_assert_uint_eq (object->in_tier[7], object->bytes);
      else
        ck_assert_uint_eq (object->in_tier[4], pointers ? 4 : object->bytes);
    }
  g_autoptr (TlBuild) full = build_text (STREAM, inputs, SETS ("target.rows=8", "target.capacity=8MiB"));
  ck_assert (!full->complete);
  ck_assert_str_eq (tl_diags_get (full->diags, 0)->code, "does-not-fit");
}
END_TEST

START_TEST (knobs_of_waves_are_judged)
{
  static const struct
  {
    const char *set;
    const char *code; /* NULL: admitted */
    const char *says;
  } rows[] = {
    { "mode=none", "not-on-this-target",
      "mode = none does not suit a recurrence in wavefront order; its mode is pipeline" },
    { "mode=broadcast", "not-on-this-target", "its mode is pipeline" },
    { "traversal=blocked", "not-on-this-target", "its traversal is wavefront" },
    { "traversal=wavefront", NULL, NULL },
    { "split=0 : 32", "illegal-value", "split" },
    { "split=32 : 0", "illegal-value", "split" },
    { "split=4 : 4", "split-range", "makes 8 PUs" },
    { "split=31 : 1", NULL, NULL },
    { "owner=i mod 24", "owner-range", "tile (0,0) is given to PU 0" },
    { "owner=move(modulo, (0, 0, 9))", "not-on-this-target", "not moved by hand" },
    { "tile=145", "tile-too-large", "three tiles" },
    { "queue=7", NULL, NULL },
    { "place.CAL=tier 9", "tier-range", "no such tier" },
    { "place.CAL=plan", "not-on-this-target", "plan places matrices" },
    { "place.CAL=stripe 2..5", NULL, NULL },
  };
  static const guint lengths[] = { 900 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 1);
  g_autoptr (TlBuild) build = build_text (STREAM, inputs, SETS (rows[_i].set));
  g_autofree char *said = diags_text (build->diags);

  ck_assert_msg ((build->complete != FALSE) == (rows[_i].code == NULL), "%s", said);
  if (rows[_i].code == NULL)
    return;
  ck_assert_uint_eq (tl_diags_errors (build->diags), 1);
  ck_assert_str_eq (tl_diags_get (build->diags, 0)->code, rows[_i].code);
  ck_assert_msg (strstr (said, rows[_i].says) != NULL, "%s", said);
}
END_TEST

/* Operations of the modules after each group, those inside of others too, without numbers. */
static char *
groups_of (const char *text, TlInputs *inputs)
{
  TlBuildOptions options = { .dumps = TRUE, .no_loc = TRUE, .until = TL_STAGE_G4 };
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  GString *list = g_string_new (NULL);

  for (guint s = TL_STAGE_G1; s <= TL_STAGE_G4; s++)
    if (build->dump[s] != NULL)
      g_string_append_printf (list, "%s ", tl_stage_name ((TlStage) s));
  return g_string_free (list, FALSE);
}

/* The seven problems of the paper's table: one list of passes, whatever the semiring and
 * whichever traversal the dependences give. */
START_TEST (seven_problems_go_through_the_same_passes)
{
  static const char *const texts[]
      = { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(256, 7)\n",
          "algorithm c\n  D[i,j] = D[i,j] or (D[i,k] and D[k,j])  for k, i, j\ndata D: bool = road(256, 7)\n",
          "algorithm w\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))  for k, i, j\ndata D: i32 = road(256, 7)\n",
          "algorithm m\n  D[i,j] = min(D[i,j], max(D[i,k], D[k,j]))  for k, i, j\ndata D: i32 = road(256, 7)\n",
          ALIGN "data q = genome(300, 1)\ndata r = genome(300, 2)\nconfig band = 50\n" SCORES,
          "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
          "  E[i,0] = i\n  E[0,j] = j\ndata q = genome(300, 1)\ndata r = genome(300, 2)\n",
          "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
          "data A = matrix(\"m\")\ndata B = matrix(\"m\")\ndata o = matrix(\"o\")\n" };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  add_text (inputs, "m", "0,1\n1,0\n");
  add_text (inputs, "o", "0\n1\n");
  for (guint p = 0; p < G_N_ELEMENTS (texts); p++)
    {
      g_autofree char *list = groups_of (texts[p], inputs);
      g_autoptr (TlBuild) build = build_text (texts[p], inputs, NULL);

      ck_assert_str_eq (list, "g1 g2 g3 g4 ");
      ck_assert (build->complete && build->stream != NULL);
      ck_assert_int_eq (build->pipe != NULL, p >= 4);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-pipe");
  TCase *tcase = tcase_create ("pipe");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, the_alignment_table_is_reproduced, 0, 7);
  tcase_add_loop_test (tcase, one_grid_takes_its_waves, 0, 4);
  tcase_add_loop_test (tcase, other_recurrences_take_their_time, 0, 4);
  tcase_add_loop_test (tcase, edges_take_their_time, 0, 5);
  tcase_add_loop_test (tcase, affine_tiling_is_stepped, 0, 5);
  tcase_add_test (tcase, a_trellis_hands_whole_rows_on);
  tcase_add_test (tcase, objects_lie_by_what_hangs_on_them);
  tcase_add_loop_test (tcase, knobs_of_waves_are_judged, 0, 15);
  tcase_add_test (tcase, seven_problems_go_through_the_same_passes);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
