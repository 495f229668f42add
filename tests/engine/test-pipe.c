/* The machine under wavefronts, from program texts: the paper's table, queues shallow and
 * deep, who waits for whom, streams that are damaged, look-ups through the bank rules. */
#include "support-engine.h"

#include "dram/checker.h"
#include "engine/grid-run.h"
#include "input/sequence.h"
#include "sim/pipe-export.h"
#include "sim/pipe-flows.h"

#define ALIGN                                                                                                          \
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "      \
  "within band\n"
#define SCORES "config score = match 2 mismatch -4, gap = 2\n"
#define STREAM                                                                                                         \
  ALIGN "data q = reads(\"reads\")\ndata r = genome(30000, 5)\ndata PTR, CAL = index(r, k = 11)\n"                     \
        "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\nconfig band = 15%\n" SCORES

static void
add_text (TlInputs *inputs, const char *name, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  tl_inputs_add (inputs, name, bytes);
}

/* Reads cut from the genome of STREAM, of the given lengths, a letter changed here and there. */
static TlInputs *
reads_of (const guint *lengths, guint n)
{
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (GString) text = g_string_new (NULL);
  TlInputs *inputs = tl_inputs_new_memory ();
  guint64   state = tl_test_seed ();

  for (guint k = 0; k < n; k++)
    {
      guint64          at = tl_test_random_below (&state, 30000 - lengths[k]);
      g_autofree char *letters = g_strndup (genome->letters + at, lengths[k]);

      for (guint i = 5; i < lengths[k]; i += 13)
        letters[i] = "ACGT"[tl_test_random_below (&state, 4)];
      g_string_append_printf (text, ">%u\n%s\n", k, letters);
    }
  add_text (inputs, "reads", text->str);
  return inputs;
}

static TlBuild *
must_make (const char *text, TlInputs *inputs, const char *const *settings)
{
  TlBuild         *build = build_text (text, inputs, settings);
  g_autofree char *said = diags_text (build->diags);

  ck_assert_msg (build->complete && build->pipe != NULL && build->program == NULL, "%.2000s\n%.1000s", text, said);
  return build;
}

static TlGridRun *
must_time (TlBuild *build, gboolean values)
{
  TlGridRunOptions options = { .trace = TRUE, .time = TRUE, .skip_values = !values, .commands = TRUE, .threads = 2 };
  TlGridRun       *run = tl_grid_run (build, &options);
  g_autofree char *said = diags_text (run->diags);

  ck_assert_msg (run->complete && run->sim != NULL, "%.1000s", said);
  return run;
}

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

/* --- The pipeline --- */

/* What was sent, by read and candidate. */
static char *
sent_text (const TlPipeRun *run)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint r = 0; r < run->searches->len; r++)
    for (guint j = 0; j < run->jobs->len; j++)
      {
        const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
        if (job->read == r)
          g_string_append_printf (text, "%u.%u %d %d %u\n", r, job->candidate, job->reverse, (int) job->diagonal,
                                  job->columns);
      }
  return g_string_free (text, FALSE);
}

/* Times and levels that must hold in any run. */
static void
must_add_up (const TlPipeRun *run)
{
  const TlPipeProgram *program = run->program;
  guint                level = 0;

  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      const TlPipeTimes *times = &run->pu[pu];
      guint64            last = 0;

      ck_assert_uint_eq (times->busy + times->stall + times->wait + times->barrier + times->edges + times->idle,
                         run->makespan);
      for (guint s = 0; s < run->spans->len; s++)
        {
          const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);
          if (span->pu != pu)
            continue;
          ck_assert (span->from >= last && span->to > span->from && span->to <= run->makespan);
          last = span->to;
        }
    }
  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
      ck_assert (job->offered <= job->sent && job->sent < job->arrived && job->arrived <= job->taken
                 && job->taken < job->done);
      ck_assert (j == 0 || job[-1].done <= job->taken);
    }
  for (guint l = 0; l < run->levels->len; l++)
    {
      guint now = g_array_index (run->levels, TlPipeLevel, l).level;
      ck_assert (now == level + 1 || now + 1 == level);
      ck_assert_uint_le (now, program->depth);
      level = now;
    }
  ck_assert_uint_eq (level, 0);
  ck_assert_uint_le (run->high_water, program->depth);
}

/* A queue of one place and one of a thousand: the same results, other times. */
START_TEST (depth_changes_times_and_nothing_else)
{
  static const guint lengths[] = { 3000, 40, 45, 50, 60, 55, 40, 45, 50, 60, 55, 40, 45, 50, 60,  55, 40, 45,
                                   50,   60, 55, 40, 45, 50, 60, 55, 40, 45, 50, 60, 55, 40, 300, 45, 50, 60 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) shallow = must_make (STREAM, inputs, SETS ("queue=1", "tile=16", "split=1 : 31"));
  g_autoptr (TlBuild) deep = must_make (STREAM, inputs, SETS ("queue=1000", "tile=16", "split=1 : 31"));
  g_autoptr (TlGridRun) one = must_time (shallow, TRUE);
  g_autoptr (TlGridRun) many = must_time (deep, TRUE);
  g_autoptr (GBytes) paf = tl_grid_run_paf (one);
  g_autoptr (GBytes) other_paf = tl_grid_run_paf (many);
  g_autofree char *sent = sent_text (one->sim), *other_sent = sent_text (many->sim);
  guint            candidates = 0;

  for (guint k = 0; k < one->hits->len; k++)
    candidates += g_array_index (one->hits, TlGridHit, k).candidates;
  ck_assert_uint_eq (one->sim->jobs->len, candidates);
  ck_assert_uint_eq (one->hash, many->hash);
  ck_assert (g_bytes_equal (paf, other_paf));
  ck_assert (strcmp (sent, other_sent) == 0);
  ck_assert_uint_eq (one->sim->lookups, many->sim->lookups);
  ck_assert_uint_gt (one->sim->makespan, many->sim->makespan);
  ck_assert_uint_eq (one->sim->high_water, 1);
  ck_assert_uint_gt (many->sim->high_water, 1);
  must_add_up (one->sim);
  must_add_up (many->sim);
}
END_TEST

static guint64
sum_of (const TlPipeRun *run, TlPipeSpanKind kind, guint32 first, guint32 count)
{
  guint64 sum = 0;

  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);
      if (span->kind == kind && span->pu >= first && span->pu < first + count && span->subject < run->jobs->len)
        sum += span->to - span->from;
    }
  return sum;
}

/* Long alignments behind a shallow queue stall the Search PUs; one Search PU with one slow
 * look-up after the other starves the Compute PUs between candidates. */
START_TEST (each_side_waits_where_it_should)
{
  static const guint long_reads[] = { 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000 };
  static const guint short_reads[] = { 120, 120, 120, 120, 120, 120 };
  g_autoptr (TlInputs) many = reads_of (long_reads, G_N_ELEMENTS (long_reads));
  g_autoptr (TlInputs) few = reads_of (short_reads, G_N_ELEMENTS (short_reads));
  g_autoptr (TlBuild) producers = must_make (STREAM, many, SETS ("queue=1"));
  /* A machine of one lane: words one after the other. */
  g_autoptr (TlBuild) consumers
      = must_make (STREAM, few, SETS ("split=1 : 31", "target.pes=1", "place.CAL=tier 7", "tile=8"));
  g_autoptr (TlGridRun) stalled = must_time (producers, FALSE);
  g_autoptr (TlGridRun) starved = must_time (consumers, FALSE);
  const TlPipeRun *a = stalled->sim, *b = starved->sim;

  must_add_up (a);
  must_add_up (b);
  ck_assert_uint_gt (sum_of (a, TL_PIPE_SPAN_STALL, 0, 8), 4 * sum_of (a, TL_PIPE_SPAN_LOOKUP, 0, 8));
  ck_assert_uint_eq (sum_of (b, TL_PIPE_SPAN_STALL, 0, 1), 0);
  /* The Compute PUs wait for each candidate but the first nowhere in the first run, everywhere in the second. */
  for (guint s = 0; s < a->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (a->spans, TlPipeSpan, s);
      ck_assert (span->kind != TL_PIPE_SPAN_WAIT || span->subject == 0 || span->subject == a->jobs->len);
    }
  for (guint32 j = 1; j < b->jobs->len; j++)
    {
      gboolean waited = FALSE;

      for (guint s = 0; s < b->spans->len; s++)
        {
          const TlPipeSpan *span = &g_array_index (b->spans, TlPipeSpan, s);
          waited |= span->kind == TL_PIPE_SPAN_WAIT && span->subject == j;
        }
      ck_assert (waited);
    }
}
END_TEST

/* Every word of both strands asks for its pointers, those that stand somewhere for their
 * positions; every command is legal to a checker that shares nothing with the bank rules. */
START_TEST (look_ups_are_real)
{
  static const guint       lengths[] = { 500, 300, 800, 120, 90, 1000 };
  static const char *const pages[] = { "page=closed", "page=open" };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (TlBuild) build = must_make (
      STREAM, inputs,
      SETS (pages[_i % 2], "place.PTR=fill 1..2", _i < 2 ? NULL : "target.refresh=on", "target.tREFI=900ns"));
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  g_autoptr (TlSeedIndex) index = tl_seed_index_new (genome->letters, 30000, 11);
  guint64  words = 0, known = 0, beats = 0;
  TlMemory memory;
  TlBreach breach;

  tl_memory_from_pim (&memory, &build->pipe->machine);
  memory.pages = _i % 2 ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  gboolean legal
      = tl_check_commands (&memory, (TlCommand *) (gpointer) sim->commands->data, sim->commands->len, &breach);
  g_autofree char *what = legal ? NULL : tl_breach_text (&breach);
  ck_assert_msg (legal, "%s", what);
  g_autoptr (GBytes) bytes = tl_inputs_load (build->inputs, "reads", NULL, NULL, NULL);
  g_autofree char *reads = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (reads, "\n", -1);
  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++)
    {
      g_autofree char    *turned = g_malloc (lengths[k]);
      g_autofree guint32 *entries = g_new (guint32, lengths[k]);

      tl_sequence_complement (lines[2 * k + 1], lengths[k], turned);
      for (guint strand = 0; strand < 2; strand++)
        {
          guint32 n = tl_seed_entries (index, strand == 0 ? lines[2 * k + 1] : turned, lengths[k], entries);

          words += n;
          for (guint32 e = 0; e < n; e++)
            {
              guint32 first = index->ptr[entries[e]], last = index->ptr[entries[e] + 1];
              guint64 at = 4 * (guint64) entries[e];

              beats += (at + 7) / 128 - at / 128 + 1;
              known += last > first;
              if (last > first)
                beats += (4 * (guint64) last - 1) / 128 - 4 * (guint64) first / 128 + 1;
            }
        }
    }
  ck_assert_uint_eq (sim->lookups, words + known);
  ck_assert_uint_eq (sim->total.rd, beats);
  ck_assert_uint_eq (sim->total.hits + sim->total.misses + sim->total.conflicts, beats);
  ck_assert_uint_eq (sim->total.act, sim->total.misses + sim->total.conflicts);
  ck_assert_uint_eq (sim->total.conflicts > 0, _i % 2);
  ck_assert_uint_eq (sim->total.ref > 0, _i >= 2);
  ck_assert_uint_gt (sim->acts_in_tier[1], 0);
  ck_assert_uint_eq (sim->acts_in_tier[0] + sim->acts_in_tier[1], sim->total.act);
}
END_TEST

/* One lane, one word after the other, by hand: a request of 8 bytes round the shorter way, the
 * row's ACT as early as its bank may, the data of the beats asked for, and back. */
START_TEST (a_look_up_goes_there_and_back)
{
  static const guint       lengths[] = { 150 };
  static const char *const sets[][6] = { { "target.pes=1", "split=1 : 31", "tile=8", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "target.ring_hop=3", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "target.ring_width=1B", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "ring=free", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "place.CAL=tier 7", NULL } };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 1);
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (TlSeedIndex) index = tl_seed_index_new (genome->letters, 30000, 11);
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[_i]);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeProgram *program = build->pipe;
  const TlPimMachine  *pim = &program->machine;
  g_autoptr (GBytes) bytes = tl_inputs_load (build->inputs, "reads", NULL, NULL, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char    *turned = g_malloc (lengths[0]);
  g_autofree guint64 *ready = g_new0 (guint64, pim->channels * pim->groups * pim->banks);
  guint32             entries[300], n, hits = 0;
  guint64             now = 0;

  tl_sequence_complement (lines[1], lengths[0], turned);
  n = tl_seed_entries (index, lines[1], lengths[0], entries);
  n += tl_seed_entries (index, turned, lengths[0], entries + n);
  for (guint32 e = 0; e < n; e++)
    for (guint table = 0; table < 2; table++)
      {
        guint64 at = 4 * (guint64) (table == 0 ? entries[e] : index->ptr[entries[e]]), row, back = 0, busy = 0,
                set_out = 0, held = 0;
        guint64  length = table == 0 ? 8 : 4 * (guint64) (index->ptr[entries[e] + 1] - index->ptr[entries[e]]);
        gboolean rising = FALSE;

        hits += table == 1 ? (guint32) length / 4 : 0;
        /* Of an access to two rows the second request follows the first, where both go the same way. */
        for (guint64 end = at + length; at < end; at = MIN (end, (at / 1024 + 1) * 1024))
          {
            guint64 last = MIN (end, (at / 1024 + 1) * 1024) - 1, there = now, act, read;
            guint32 group, bank, tier, hops;

            tl_pipe_object_row (program, table == 0 ? program->pointers : program->positions, at, &group, &bank, &tier,
                                &row);
            const TlTierTiming *timing = &pim->tier[tier];
            hops = MIN (group, 32 - group);
            if (hops > 0 && program->ring == TL_RING_ON)
              {
                there += (hops * pim->ring_hop + (8 + pim->ring_bytes - 1) / pim->ring_bytes) * pim->clock;
                there += rising == (group <= 16) ? busy : 0;
                rising = group <= 16;
                busy = (8 + pim->ring_bytes - 1) / pim->ring_bytes * pim->clock;
              }
            guint64 *bank_ready = &ready[group * pim->banks + bank];
            act = MAX (there, *bank_ready);
            read = act + timing->tRCD + (last / 128 - at / 128) * MAX (pim->tCCD, pim->burst);
            *bank_ready = MAX (act + timing->tRC, MAX (act + timing->tRAS, read + timing->tRTP) + timing->tRP);
            there = read + timing->tCL + pim->burst;
            if (hops > 0 && program->ring == TL_RING_ON)
              {
                guint64 length_of = (last - at + pim->ring_bytes) / pim->ring_bytes * pim->clock;
                guint64 hop = pim->ring_hop * pim->clock;

                /* A part that set out before is ahead: at its own stop from below 16, one hop on from above;
                 * 15's goes the other way round than 16's. */
                guint64 meets = group < 16 ? there + hop : there;
                guint64 free = group == 16 || set_out > there ? 0 : group < 16 ? held : held + hop;
                there += free > meets ? free - meets : 0;
                set_out = there;
                held = there + length_of;
                there += hops * hop + length_of;
              }
            back = MAX (back, there);
          }
        now = MAX (now, back);
      }
  const TlPipeSearch *search = &g_array_index (run->sim->searches, TlPipeSearch, 0);
  ck_assert_uint_eq (search->hits, hits);
  ck_assert_uint_eq (search->to, now + hits * pim->clock);
  ck_assert_uint_eq (search->words, n);
}
END_TEST

/* More lanes than the ring has room for: they wait for each other, on a wider one less. */
START_TEST (look_ups_share_the_ring)
{
  static const guint lengths[] = { 900, 900, 900, 900, 900, 900, 900, 900 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  static const char *const sets[][2]
      = { { "target.ring_width=1B", NULL }, { NULL }, { "target.ring_width=128B", NULL }, { "ring=free", NULL } };
  guint64 waited[4], searched[4];

  for (guint b = 0; b < 4; b++)
    {
      g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[b]);
      g_autoptr (TlGridRun) run = must_time (build, FALSE);

      waited[b] = run->sim->ring_waited;
      searched[b] = g_array_index (run->sim->searches, TlPipeSearch, 0).to;
      ck_assert_uint_le (run->sim->ring_busy, run->sim->ring_links * run->sim->makespan);
      ck_assert_uint_gt (run->sim->ring_messages, run->sim->lookups);
    }
  for (guint b = 1; b < 4; b++)
    {
      ck_assert_uint_le (waited[b], waited[b - 1]);
      ck_assert_uint_le (searched[b], searched[b - 1]);
    }
  ck_assert_uint_lt (waited[1], waited[0]);
  ck_assert_uint_eq (waited[3], 0);
}
END_TEST

/* A farther tier takes longer, a free ring less. */
START_TEST (tiers_and_ring_set_the_pace)
{
  static const guint lengths[] = { 2000 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 1);
  static const char *const sets[][3]
      = { { "ring=free", NULL, NULL }, { NULL, NULL, NULL }, { "place.PTR=tier 7", "place.CAL=tier 7", NULL } };
  guint64 searched[3];

  for (guint b = 0; b < 3; b++)
    {
      g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[b]);
      g_autoptr (TlGridRun) run = must_time (build, FALSE);
      const TlPipeSearch *search = &g_array_index (run->sim->searches, TlPipeSearch, 0);

      searched[b] = search->to - search->from;
      ck_assert_uint_gt (run->sim->makespan, run->sim->critical);
    }
  ck_assert_uint_lt (searched[0], searched[1]);
  ck_assert_uint_lt (searched[1], searched[2]);
}
END_TEST

/* --- Other tools' formats --- */

typedef gboolean (*Export) (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error);

static char *
exported (const TlPipeRun *run, Export export)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  ck_assert (export(run, stream, NULL, &error));
  ck_assert (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  ck_assert (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static guint
occurrences (const char *text, const char *what)
{
  guint n = 0;

  for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
    n++;
  return n;
}

/* Each says every command, stretch and level once, in order of time. */
START_TEST (exports_hold_what_happened)
{
  static const guint       lengths[] = { 300, 500, 90, 400 };
  static const char *const texts[] = { STREAM, ALIGN "data q = genome(300, 1)\ndata r = genome(280, 2)\n"
                                                     "config band = 60, copy_writes = charged\n" SCORES };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (texts[_i % 2], inputs,
                                         SETS (_i < 2 ? "page=closed" : "page=open", "tile=48",
                                               _i < 2 ? NULL : "target.refresh=on", "target.tREFI=900ns"));
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  g_autofree char *vcd = exported (sim, tl_pipe_export_vcd), *again = exported (sim, tl_pipe_export_vcd);
  g_autofree char *chrome = exported (sim, tl_pipe_export_chrome), *table = exported (sim, tl_pipe_export_commands);
  g_autofree char *spans = exported (sim, tl_pipe_export_spans);
  g_auto (GStrv) lines = g_strsplit (vcd, "\n", -1);
  guint64 time = 0;

  ck_assert_str_eq (vcd, again);
  ck_assert_uint_eq (occurrences (vcd, "$var "), 32 * 9 + 1);
  ck_assert_uint_eq (occurrences (vcd, "\nsACT "), sim->total.act);
  ck_assert_uint_eq (occurrences (vcd, "\nsRD "), sim->total.rd);
  ck_assert_uint_eq (occurrences (vcd, "\nsPRE "), sim->total.pre);
  ck_assert_uint_eq (occurrences (vcd, "\nsREF "), 4 * sim->total.ref);
  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    {
      g_autofree char *word = g_strdup_printf ("\ns%s ", tl_pipe_span_name ((TlPipeSpanKind) kind));
      g_autofree char *slice = g_strdup_printf ("{\"name\":\"%s\",", tl_pipe_span_name ((TlPipeSpanKind) kind));
      guint            n = 0;

      g_strdelimit (word + 2, " ", '_');
      word[strlen (word) - 1] = ' ';
      for (guint s = 0; s < sim->spans->len; s++)
        n += g_array_index (sim->spans, TlPipeSpan, s).kind == kind;
      ck_assert_uint_eq (occurrences (vcd, word), n);
      ck_assert_uint_eq (occurrences (chrome, slice), n);
      ck_assert_uint_eq (n > 0, _i % 2 == 0 ? kind <= TL_PIPE_SPAN_BARRIER && kind != TL_PIPE_SPAN_STALL
                                            : kind == TL_PIPE_SPAN_SWEEP || kind >= TL_PIPE_SPAN_BARRIER);
    }
  for (guint l = 0; lines[l] != NULL; l++)
    if (lines[l][0] == '#')
      {
        guint64 now = g_ascii_strtoull (lines[l] + 1, NULL, 10);
        ck_assert (now > time || time == 0);
        time = now;
      }
  ck_assert_uint_eq (time, sim->makespan);
  ck_assert_uint_eq (occurrences (chrome, "{\"name\":\"row\""), sim->total.act);
  ck_assert_uint_eq (occurrences (chrome, "{\"name\":\"queue\""), sim->levels->len);
  ck_assert_uint_eq (occurrences (chrome, "{"), occurrences (chrome, "}"));
  ck_assert_uint_eq (occurrences (table, "\n"), sim->commands->len + 1);
  ck_assert_uint_eq (occurrences (spans, "\n"), sim->spans->len + sim->levels->len + 1);
}
END_TEST

/* --- Streams --- */

/* The same program with one step of one PU's code left out, as bytes and back. */
static TlPipeProgram *
without_step (TlBuild *build, guint32 pu, TlPipeCode kind, TlDiags *diags)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_program_deeper (build->pipe, build->pipe->depth);
  TlPipeStream *stream = &program->pus[pu];

  for (guint s = 0; s < stream->n_code; s++)
    if (stream->code[s].kind == kind)
      {
        memmove (&stream->code[s], &stream->code[s + 1], (stream->n_code - s - 1) * sizeof (TlCode));
        stream->n_code--;
        break;
      }
  g_autoptr (GBytes) bytes = tl_pipe_encode (program);
  return tl_pipe_decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "x.tls", diags);
}

/* Streams that nobody would emit: the machine says who waits for what. */
START_TEST (deadlocks_are_reported)
{
  static const struct
  {
    guint32     pu;
    TlPipeCode  kind;
    const char *says;
  } rows[] = {
    { 12, TL_PIPE_RECEIVE, "PU 12 sweeps waves before it has received a candidate" },
    { 31, TL_PIPE_BARRIER, "waits at a barrier that not all PUs reach" },
    { 8, TL_PIPE_SWEEP, NULL }, /* somebody else's tiles are not done: nothing hangs */
    { 3, TL_PIPE_SEND, NULL },
    { 3, TL_PIPE_LOOKUP, NULL },
  };
  static const guint lengths[] = { 300, 300, 300, 300, 300, 300, 300, 300, 300, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, SETS ("queue=2"));
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlPipeProgram) damaged = without_step (build, rows[_i].pu, rows[_i].kind, diags);
  g_autofree char *said = diags_text (diags);
  TlPipeProgram   *kept = build->pipe;

  ck_assert_msg (damaged != NULL, "%s", said);
  build->pipe = damaged;
  TlGridRunOptions options = { .time = TRUE, .skip_values = TRUE };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  build->pipe = kept;
  if (rows[_i].says == NULL)
    {
      ck_assert (run->complete);
      return;
    }
  ck_assert (!run->complete && run->sim == NULL);
  ck_assert_str_eq (tl_diags_get (run->diags, 0)->code, "deadlock");
  ck_assert_msg (strstr (tl_diags_get (run->diags, 0)->message, rows[_i].says) != NULL, "%s",
                 tl_diags_get (run->diags, 0)->message);
}
END_TEST

/* A Compute PU without any code takes no candidate: places are never given back. */
START_TEST (a_queue_that_nobody_empties_is_reported)
{
  static const guint lengths[] = { 300, 300, 300, 300, 300, 300, 300, 300, 300, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, SETS ("queue=2"));
  g_autoptr (TlPipeProgram) program = tl_pipe_program_deeper (build->pipe, 2);
  TlPipeProgram *kept = build->pipe;

  for (guint32 pu = 8; pu < 32; pu++)
    program->pus[pu].n_code = 0;
  build->pipe = program;
  TlGridRunOptions options = { .time = TRUE, .skip_values = TRUE };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  build->pipe = kept;
  ck_assert (!run->complete);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (run->diags, 0)->message, "a place in the queue, which nobody empties"));
}
END_TEST

/* A stream file is the whole program: it runs alone, to the same picosecond; damage is seen. */
START_TEST (streams_run_alone_and_show_damage)
{
  static const guint lengths[] = { 400, 700, 60, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, NULL);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  gsize            length;
  const guint8    *data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions   options = { .from = TL_STAGE_STREAM };
  guint64          state = tl_test_seed () + 3;
  g_autofree char *text = tl_pipe_print (build->pipe);

  ck_assert_int_eq (tl_build_sniff (data, length), TL_STAGE_STREAM);
  g_autoptr (TlBuild) alone = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);
  ck_assert (alone->complete && alone->pipe != NULL && alone->grid == NULL);
  g_autoptr (TlGridRun) again = must_time (alone, FALSE);
  ck_assert_uint_eq (again->sim->makespan, run->sim->makespan);
  ck_assert_uint_eq (again->sim->total.act, run->sim->total.act);
  g_autoptr (GBytes) encoded = tl_pipe_encode (alone->pipe);
  ck_assert (g_bytes_equal (encoded, build->stream));
  ck_assert_ptr_nonnull (strstr (text, "PUs 0 to 7\n  for-reads\n    lookup PTR, CAL\n    send\n  end-reads\n"));
  ck_assert_ptr_nonnull (strstr (text, "PUs 8 to 31\n  for-jobs\n    receive\n    for-waves\n      sweep\n"));
  for (guint round = 0; round < tl_test_rounds (400); round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (data, length);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      gsize at = tl_test_random_below (&state, length);

      bytes[at] ^= (guint8) (1 + tl_test_random_below (&state, 255));
      ck_assert_ptr_null (tl_pipe_decode (bytes, length, "x.tls", diags));
      ck_assert_uint_eq (tl_diags_errors (diags), 1);
      ck_assert_ptr_null (tl_pipe_decode (data, at, "x.tls", diags));
    }
}
END_TEST

/* Files of the texts below. */
static TlInputs *
files_of_streams (void)
{
  static const guint lengths[] = { 300, 500, 90 };
  TlInputs          *inputs = reads_of (lengths, G_N_ELEMENTS (lengths));

  add_text (inputs, "m", "-4,-1,-6,-2\n-3,-8,-5,-7\n-3,-2,-8,-5\n-7,0,-7,-5\n");
  add_text (inputs, "o", "2\n0\n2\n1\n0\n0\n1\n1\n");
  add_text (inputs, "sub.txt", "   A  C  G  T\nA  3 -2 -1 -2\nC -2  3 -2 -1\nG -1 -2  3 -2\nT -2 -1 -2  3\n");
  return inputs;
}

/* A stream alone gives what its program gives: scores, ends, ways, states, picoseconds. */
START_TEST (streams_bring_their_values)
{
  static const char *const texts[] = {
    STREAM,
    STREAM "config values = off\n",
    ALIGN "data q = genome(300, 1)\ndata r = genome(280, 2)\nconfig band = 60\n" SCORES,
    "algorithm adaptive\n"
    "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j within band\n"
    "data q = genome(700, 1)\ndata r = genome(700, 1)\nconfig band = adaptive(64), tile = 16\n" SCORES,
    "algorithm nw\n  N[i,j] = max(N[i-1,j-1] + score(q[i], r[j]), N[i-1,j] - 3, N[i,j-1] - 3)  for i, j\n"
    "  N[i,0] = -3 * i\n  N[0,j] = -3 * j\n  result = last N\ndata q = genome(120, 1)\ndata r = genome(130, 2)\n"
    "config score = matrix \"sub.txt\"\n",
    "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
    "  E[i,0] = i\n  E[0,j] = j\ndata q = genome(300, 1)\ndata r = genome(300, 2)\n",
    "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
    "  result = max over s (V[last, s])\ndata A = matrix(\"m\")\ndata B = matrix(\"m\")\ndata o = matrix(\"o\")\n",
  };
  g_autoptr (TlInputs) inputs = files_of_streams ();
  g_autoptr (TlBuild) build = must_make (texts[_i], inputs, NULL);
  gsize          length;
  gconstpointer  data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions options = { .from = TL_STAGE_STREAM };
  g_autoptr (TlBuild) stream = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);
  gboolean wanted = _i != 1;
  g_autoptr (TlGridRun) run = must_time (build, wanted);
  g_autoptr (TlGridRun) alone = must_time (stream, wanted);

  ck_assert (stream->complete && stream->grid == NULL && *stream->pipe->text != '\0');
  ck_assert_uint_eq (alone->sim->makespan, run->sim->makespan);
  ck_assert_uint_eq (alone->sim->skipped, run->sim->skipped);
  ck_assert_uint_eq (alone->hash, run->hash);
  ck_assert_uint_eq (alone->cells, run->cells);
  ck_assert_uint_eq (alone->cells > 0, wanted);
  ck_assert_uint_eq (alone->hits->len, run->hits->len);
  for (guint k = 0; wanted && k < run->hits->len; k++)
    {
      ck_assert_str_eq (g_array_index (alone->hits, TlGridHit, k).score, g_array_index (run->hits, TlGridHit, k).score);
      ck_assert_str_eq (g_array_index (alone->hits, TlGridHit, k).cigar, g_array_index (run->hits, TlGridHit, k).cigar);
    }
  ck_assert_uint_eq (alone->path != NULL, _i == 6);
  if (run->path != NULL)
    ck_assert_mem_eq (alone->path->data, run->path->data, run->path->len * sizeof (guint32));
}
END_TEST

/* Other data than it was compiled for are refused; of a module nobody knows the recurrence. */
START_TEST (streams_say_what_they_lack)
{
  g_autoptr (TlInputs) inputs = files_of_streams ();
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, NULL);
  gsize            length;
  gconstpointer    data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions   options = { .from = TL_STAGE_STREAM }, dump = { .dumps = TRUE }, from = { .from = TL_STAGE_G3 };
  TlGridRunOptions values = { .time = TRUE };
  g_autoptr (TlBuild) stream = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);

  add_text (inputs, "reads", ">other\nACGTACGTACGTACGTACGTACGTACGT\n");
  g_autoptr (TlGridRun) run = tl_grid_run (stream, &values);
  ck_assert (!run->complete);
  ck_assert_str_eq (tl_diags_get (run->diags, 0)->code, "content-changed");

  g_autoptr (TlBuild) dumped = tl_build ("p.gdsl", STREAM, strlen (STREAM), inputs, &dump, NULL, NULL);
  g_autoptr (TlBuild) module
      = tl_build ("p.mlir", dumped->dump[TL_STAGE_G3], strlen (dumped->dump[TL_STAGE_G3]), inputs, &from, NULL, NULL);
  ck_assert (module->complete && *module->pipe->text == '\0');
  g_autoptr (TlGridRun) timed = tl_grid_run (module, &values);
  ck_assert (timed->complete && timed->sim != NULL && timed->cells == 0);
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
  tcase_add_test (tcase, depth_changes_times_and_nothing_else);
  tcase_add_test (tcase, each_side_waits_where_it_should);
  tcase_add_loop_test (tcase, look_ups_are_real, 0, 4);
  tcase_add_loop_test (tcase, a_look_up_goes_there_and_back, 0, 5);
  tcase_add_test (tcase, look_ups_share_the_ring);
  tcase_add_test (tcase, tiers_and_ring_set_the_pace);
  tcase_add_loop_test (tcase, exports_hold_what_happened, 0, 4);
  tcase_add_loop_test (tcase, deadlocks_are_reported, 0, 5);
  tcase_add_test (tcase, a_queue_that_nobody_empties_is_reported);
  tcase_add_test (tcase, streams_run_alone_and_show_damage);
  tcase_add_loop_test (tcase, streams_bring_their_values, 0, 7);
  tcase_add_test (tcase, streams_say_what_they_lack);
  tcase_add_test (tcase, objects_lie_by_what_hangs_on_them);
  tcase_add_loop_test (tcase, knobs_of_waves_are_judged, 0, 15);
  tcase_add_test (tcase, seven_problems_go_through_the_same_passes);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
