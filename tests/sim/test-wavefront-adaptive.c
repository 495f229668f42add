/* Adaptive bands: cell for cell what their definition in wavefront.h says, both evaluators
 * against a reference in full tables; the fixed band where both hold the way; costs counted
 * one by one. */
#include "sim/wavefront.h"
#include "support/support.h"

#include <string.h>

#define MOST   48
#define LARGE  (G_GINT64_CONSTANT (1) << 40)
#define STEPS  6
#define TABLES 3

/* --- A random case, kept apart from the library's own structures --- */

typedef struct
{
  int    table, di, dj;
  gint64 weight;
  int    pair; /* 0: equal or not; 1: none */
} Step;

typedef struct
{
  gboolean greatest;
  guint    n_tables, n_steps[TABLES];
  Step     steps[TABLES][STEPS];
  gint64   equal, other;
  gint64   n, m, low, high, width, start;
  guint    steered;
  guint8   q[MOST], r[MOST];
  gint64   column[TABLES], row[TABLES]; /* slopes; LARGE: absent */
} Case;

static gint64
below (guint64 *state, gint64 least, gint64 most)
{
  return least + (gint64) tl_test_random_below (state, (guint64) (most - least + 1));
}

static void
case_random (Case *c, guint64 *state)
{
  *c = (Case) { .greatest = below (state, 0, 1), .n_tables = (guint) below (state, 1, TABLES) };
  c->n = below (state, 0, MOST);
  c->m = below (state, 0, MOST);
  c->equal = below (state, -1, 4);
  c->other = below (state, -4, 2);
  for (guint t = 0; t < c->n_tables; t++)
    {
      c->n_steps[t] = (guint) below (state, 1, STEPS);
      for (guint a = 0; a < c->n_steps[t]; a++)
        {
          Step *step = &c->steps[t][a];

          *step = (Step) { .table = (int) below (state, below (state, 0, 2) ? 0 : -1, c->n_tables - 1) };
          step->weight = below (state, -3, 3);
          step->pair = (int) below (state, 0, 1);
          if (step->table < 0)
            continue;
          step->di = (int) below (state, 0, 2);
          step->dj = (int) below (state, 0, 2);
          if (step->di + step->dj == 0 && step->table >= (int) t)
            step->di = 1;
        }
      c->column[t] = below (state, 0, 3) ? below (state, -2, 2) : LARGE;
      c->row[t] = below (state, 0, 3) ? below (state, -2, 2) : LARGE;
    }
  for (guint k = 0; k < MOST; k++)
    {
      c->q[k] = (guint8) below (state, 0, 3);
      c->r[k] = below (state, 0, 3) ? c->q[k] : (guint8) below (state, 0, 3);
    }
  gint64 middle = below (state, -9, 9), half = below (state, 0, 40);
  c->low = below (state, 0, 2) ? middle - half : -c->n;
  c->high = c->low > -c->n ? middle + half : c->m;
  c->width = below (state, 1, below (state, 0, 1) ? 8 : 60);
  c->start = below (state, -12, 12);
  c->steered = (guint) below (state, 0, c->n_tables - 1);
}

/* --- The definition, in full tables --- */

typedef struct
{
  gint64   value[TABLES][MOST + 1][MOST + 1];
  gboolean there[TABLES][MOST + 1][MOST + 1];
  gboolean computed[MOST + 1][MOST + 1];
  guint64  cells;
} Tables;

static gint64
floor_half (gint64 a)
{
  gint64 half = a / 2;

  return 2 * half > a ? half - 1 : half;
}

static void
compute (const Case *c, Tables *all, gint64 i, gint64 j)
{
  all->computed[i][j] = TRUE;
  all->cells++;
  for (guint t = 0; t < c->n_tables; t++)
    for (guint a = 0; a < c->n_steps[t]; a++)
      {
        const Step *step = &c->steps[t][a];
        gint64      value = step->weight;

        if (step->pair == 0)
          value += c->q[i - 1] == c->r[j - 1] ? c->equal : c->other;
        if (step->table >= 0)
          {
            gint64 from_i = i - step->di, from_j = j - step->dj;
            if (from_i < 0 || from_j < 0 || !all->there[step->table][from_i][from_j])
              continue;
            value += all->value[step->table][from_i][from_j];
          }
        if (!all->there[t][i][j] || (c->greatest ? value > all->value[t][i][j] : value < all->value[t][i][j]))
          all->value[t][i][j] = value;
        all->there[t][i][j] = TRUE;
      }
}

static void
reference (const Case *c, Tables *all)
{
  gint64   centre = floor_half (-c->start), record = 0;
  gboolean down = TRUE, any = FALSE, floors = FALSE;

  memset (all, 0, sizeof *all);
  for (guint t = 0; t < c->n_tables; t++)
    {
      for (gint64 j = 0; j <= c->m && c->row[t] != LARGE; j++)
        all->value[t][0][j] = c->row[t] * j, all->there[t][0][j] = TRUE;
      for (gint64 i = 0; i <= c->n && c->column[t] != LARGE; i++)
        all->value[t][i][0] = c->column[t] * i, all->there[t][i][0] = TRUE;
    }
  for (guint a = 0; a < c->n_steps[c->steered]; a++)
    floors |= c->steps[c->steered][a].table < 0;
  for (gint64 s = 0; s <= c->n + c->m; s++)
    {
      gint64 best_row = -1, best = 0;

      if (centre > floor_half (s - c->low))
        centre = floor_half (s - c->low);
      if (centre < floor_half (s - c->high + 1))
        centre = floor_half (s - c->high + 1);
      if (centre < s - c->m)
        centre = s - c->m;
      if (centre > c->n)
        centre = c->n;
      for (gint64 i = 1; i <= c->n; i++)
        {
          gint64 j = s - i;
          if (j < 1 || j > c->m || j - i < c->low || j - i > c->high)
            continue;
          if (i < centre - floor_half (c->width - 1) || i > centre + floor_half (c->width))
            continue;
          compute (c, all, i, j);
          if (!all->there[c->steered][i][j])
            continue;
          gint64 value = all->value[c->steered][i][j];
          if (best_row < 0 || (c->greatest ? value > best : value < best)
              || (value == best && ABS (i - centre) < ABS (best_row - centre)))
            {
              best_row = i;
              best = value;
            }
        }
      gboolean follows = best_row >= 0;
      if (follows && floors && any && (c->greatest ? best <= record : best >= record))
        follows = FALSE;
      if (best_row >= 0 && (!any || (c->greatest ? best > record : best < record)))
        record = best;
      any |= best_row >= 0;
      if (follows && best_row != centre)
        down = best_row > centre;
      else
        down = !down;
      if (down)
        centre++;
    }
}

/* --- The library's view of a case --- */

typedef struct
{
  TlWaveRecurrence recurrence;
  TlWaveProblem    problem;
  TlScalar         columns[TABLES][MOST + 1];
  TlScalar         rows[TABLES][MOST + 1];
} Ours;

static void
ours_init (Ours *ours, const Case *c)
{
  TlElementType i32;

  memset (ours, 0, sizeof *ours);
  ck_assert (tl_element_type_parse ("i32", &i32));
  ours->recurrence = (TlWaveRecurrence) { .n_tables = c->n_tables, .n_codes = 4, .n_pairs = 1 };
  ours->recurrence.semiring = tl_semiring_known (c->greatest ? TL_OPERATOR_MAX : TL_OPERATOR_MIN, TL_OPERATOR_ADD, i32);
  ours->recurrence.pairs[0] = g_new (TlScalar, 16);
  for (guint k = 0; k < 16; k++)
    ours->recurrence.pairs[0][k].i = k / 4 == k % 4 ? c->equal : c->other;
  ours->problem = (TlWaveProblem) { .q = c->q,
                                    .r = c->r,
                                    .rows = (guint32) c->n,
                                    .columns = (guint32) c->m,
                                    .low = c->low,
                                    .high = c->high,
                                    .adaptive = (guint32) c->width,
                                    .steered = c->steered,
                                    .start = c->start };
  for (guint t = 0; t < c->n_tables; t++)
    {
      for (guint a = 0; a < c->n_steps[t]; a++)
        {
          const Step *step = &c->steps[t][a];
          ours->recurrence.tables[t].alternatives[a] = (TlWaveAlternative) {
            step->table, step->di, step->dj, step->pair == 0 ? 0 : TL_WAVE_NONE, { .i = step->weight }
          };
        }
      ours->recurrence.tables[t].n_alternatives = c->n_steps[t];
      for (gint64 k = 0; k <= MOST; k++)
        {
          ours->columns[t][k].i = c->column[t] == LARGE ? 0 : c->column[t] * k;
          ours->rows[t][k].i = c->row[t] == LARGE ? 0 : c->row[t] * k;
        }
      ours->problem.column[t] = c->column[t] != LARGE ? ours->columns[t] : NULL;
      ours->problem.row[t] = c->row[t] != LARGE ? ours->rows[t] : NULL;
    }
}

/* The number of cells that differ from the reference. */
static guint
differing (const Case *c, const Ours *ours, const Tables *all, gboolean plain)
{
  guint wrong = 0;

  for (guint t = 0; t < c->n_tables; t++)
    {
      g_autofree TlScalar *cells = tl_wave_cells (&ours->recurrence, &ours->problem, t, plain);

      for (gint64 i = 0; i <= c->n; i++)
        for (gint64 j = 0; j <= c->m; j++)
          {
            gint64   got = cells[i * (c->m + 1) + j].i;
            gboolean absent = got == ours->recurrence.semiring->zero.i;
            wrong += all->there[t][i][j] ? absent || got != all->value[t][i][j] : !absent;
          }
    }
  return wrong;
}

START_TEST (cells_are_those_of_the_definition)
{
  guint64            state = tl_test_seed () + 31 * (guint64) _i;
  g_autofree Tables *all = g_new (Tables, 1);
  guint              fast = 0;

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      Case c;
      Ours ours;

      case_random (&c, &state);
      ours_init (&ours, &c);
      reference (&c, all);
      for (guint plain = 0; plain < 2; plain++)
        {
          TlWaveOptions options = { .pick = TL_WAVE_BEST, .table = c.steered, .greatest = TRUE, .plain = plain };
          g_auto (TlWaveEnd) end = { 0 };

          ck_assert_uint_eq (differing (&c, &ours, all, plain), 0);
          tl_wave_run (&ours.recurrence, &ours.problem, &options, &end);
          ck_assert_uint_eq (end.cells, all->cells);
        }
      fast += tl_wave_is_fast (&ours.recurrence, &ours.problem);
      tl_wave_recurrence_clear (&ours.recurrence);
    }
  ck_assert_uint_gt (fast, 0);
}
END_TEST

/* Another width, another start or no tie rule would be seen. */
START_TEST (a_wrong_definition_is_seen)
{
  guint64            state = tl_test_seed () + 5;
  g_autofree Tables *all = g_new (Tables, 1);
  guint              seen[2] = { 0, 0 };

  for (guint round = 0; round < 40; round++)
    {
      Case c, other;
      Ours ours;

      case_random (&c, &state);
      ours_init (&ours, &c);
      for (guint wrong = 0; wrong < 2; wrong++)
        {
          other = c;
          other.width += wrong == 0;
          other.start += wrong == 1 ? 2 : 0;
          reference (&other, all);
          seen[wrong] += differing (&c, &ours, all, FALSE) > 0;
        }
      tl_wave_recurrence_clear (&ours.recurrence);
    }
  ck_assert_uint_gt (seen[0], 5);
  ck_assert_uint_gt (seen[1], 5);
}
END_TEST

/* --- Ends and ways: both evaluators alike --- */

START_TEST (ends_and_ways_are_the_same)
{
  guint64 state = tl_test_seed () + 900 + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (40); round++)
    {
      Case c;
      Ours ours;

      case_random (&c, &state);
      ours_init (&ours, &c);
      for (guint p = 0; p < 8; p++)
        {
          TlWaveOptions options
              = { .pick = p & 3, .greatest = p >> 2, .table = c.steered, .trace = TRUE, .keep_rows = TRUE };
          g_auto (TlWaveEnd) one = { 0 }, other = { 0 };

          tl_wave_run (&ours.recurrence, &ours.problem, &options, &one);
          options.plain = TRUE;
          tl_wave_run (&ours.recurrence, &ours.problem, &options, &other);
          ck_assert_int_eq (one.found, other.found);
          ck_assert_uint_eq (one.rows->len, other.rows->len);
          ck_assert_int_eq (memcmp (one.rows->data, other.rows->data, one.rows->len * sizeof (TlWaveRows)), 0);
          if (!one.found)
            continue;
          ck_assert_int_eq (one.score.i, other.score.i);
          ck_assert (one.traced && other.traced);
          g_autofree char *way = tl_wave_cigar (&one, &ours.problem, NULL, NULL);
          g_autofree char *other_way = tl_wave_cigar (&other, &ours.problem, NULL, NULL);
          ck_assert_str_eq (way, other_way);
          ck_assert_uint_eq (one.start_i, other.start_i);
          ck_assert_uint_eq (one.start_j, other.start_j);
          ck_assert_uint_eq (one.end_i, other.end_i);
          ck_assert_uint_eq (one.end_j, other.end_j);
        }
      tl_wave_recurrence_clear (&ours.recurrence);
    }
}
END_TEST

/* --- Beside the fixed band --- */

/* As wide as the envelope it is the fixed band. Narrower, no score is better than that, and
 * it is the same one where the fixed band's way lies in the rows that were computed. */
START_TEST (the_fixed_band_agrees)
{
  guint64 state = tl_test_seed () + 400 + (guint64) _i;
  guint   same = 0, inside = 0;

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      Case c;
      Ours ours;

      case_random (&c, &state);
      ours_init (&ours, &c);
      TlWaveProblem fixed = ours.problem, wide = ours.problem;
      TlWaveOptions options
          = { .pick = TL_WAVE_BEST, .greatest = c.greatest, .table = c.steered, .trace = TRUE, .keep_rows = TRUE };
      g_auto (TlWaveEnd) one = { 0 }, moving = { 0 }, whole = { 0 };

      fixed.adaptive = 0;
      wide.adaptive = 4 * MOST;
      tl_wave_run (&ours.recurrence, &fixed, &options, &one);
      tl_wave_run (&ours.recurrence, &wide, &options, &whole);
      tl_wave_run (&ours.recurrence, &ours.problem, &options, &moving);
      ck_assert_uint_eq (one.cells, whole.cells);
      ck_assert_int_eq (one.found, whole.found);
      ck_assert (!one.found || one.score.i == whole.score.i);
      ck_assert_uint_le (moving.cells, one.cells);
      if (one.found && moving.found)
        {
          gint64   i = one.start_i, j = one.start_j;
          gboolean holds = TRUE;

          ck_assert (c.greatest ? moving.score.i <= one.score.i : moving.score.i >= one.score.i);
          for (guint k = 0; k <= one.moves->len && holds; k++)
            {
              const TlWaveRows *rows = &g_array_index (moving.rows, TlWaveRows, i + j);
              holds = i == 0 || j == 0 || (i >= rows->first && i <= rows->last);
              if (k == one.moves->len)
                break;
              TlWaveMove move = g_array_index (one.moves, TlWaveMove, k);
              i += move.di;
              j += move.dj;
            }
          inside += holds;
          same += moving.score.i == one.score.i;
          ck_assert (!holds || moving.score.i == one.score.i);
        }
      tl_wave_recurrence_clear (&ours.recurrence);
    }
  ck_assert_uint_gt (inside, 0);
  ck_assert_uint_ge (same, inside);
}
END_TEST

/* Long relatives with gaps: a narrow band follows what a fixed one of that width loses. */
START_TEST (it_follows_where_a_fixed_one_loses)
{
  enum
  {
    N = 1500,
    GAP = 60
  };
  guint64          state = tl_test_seed () + 3;
  guint8           q[N], r[N + GAP];
  TlElementType    i32;
  TlScalar         column[N + 1], row[N + GAP + 1];
  TlWaveProblem    problem = { .q = q, .r = r, .rows = N, .columns = N + GAP, .column = { column }, .row = { row } };
  TlWaveOptions    options = { .pick = TL_WAVE_LAST, .greatest = TRUE, .trace = TRUE };
  TlWaveRecurrence recurrence = { .n_tables = 1, .n_codes = 4, .n_pairs = 1 };
  gint64           scores[3];

  ck_assert (tl_element_type_parse ("i32", &i32));
  recurrence.semiring = tl_semiring_known (TL_OPERATOR_MAX, TL_OPERATOR_ADD, i32);
  recurrence.pairs[0] = g_new (TlScalar, 16);
  for (guint k = 0; k < 16; k++)
    recurrence.pairs[0][k].i = k / 4 == k % 4 ? 2 : -4;
  recurrence.tables[0]
      = (TlWaveTable) { 3, { { 0, 1, 1, 0, { 0 } }, { 0, 1, 0, -1, { -2 } }, { 0, 0, 1, -1, { -2 } } } };
  for (guint k = 0; k < N; k++)
    q[k] = (guint8) tl_test_random_below (&state, 4);
  for (guint k = 0; k < N + GAP; k++)
    r[k] = k % 25 == 7 && k < 25 * GAP ? (guint8) tl_test_random_below (&state, 4) : q[MIN (k - (k + 17) / 25, N - 1)];
  for (gint64 k = 0; k <= N; k++)
    column[k].i = -2 * k;
  for (gint64 k = 0; k <= N + GAP; k++)
    row[k].i = -2 * k;
  for (guint way = 0; way < 3; way++)
    {
      g_auto (TlWaveEnd) end = { 0 };

      problem.low = way == 1 ? -16 : -N;
      problem.high = way == 1 ? 16 : N + GAP;
      problem.adaptive = way == 2 ? 33 : 0;
      tl_wave_run (&recurrence, &problem, &options, &end);
      ck_assert_int_eq (end.found, way != 1); /* the corner lies outside of the fixed band */
      scores[way] = end.found ? end.score.i : 0;
      ck_assert (way != 2 || end.cells < 33 * (2 * N + GAP));
    }
  ck_assert_int_eq (scores[0], scores[2]);
  tl_wave_recurrence_clear (&recurrence);
}
END_TEST

/* --- Costs --- */

START_TEST (tiles_are_counted_rightly)
{
  guint64            state = tl_test_seed () + 50 + (guint64) _i;
  g_autofree Tables *all = g_new (Tables, 1);

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      Case          c;
      Ours          ours;
      TlWaveCost    cost;
      TlWaveOptions options = { .pick = TL_WAVE_LAST, .keep_rows = TRUE };
      gint64        side = below (&state, 1, 20);
      guint64       cells = 0, envelope = 0, touched = 0;
      g_auto (TlWaveEnd) end = { 0 };

      case_random (&c, &state);
      ours_init (&ours, &c);
      reference (&c, all);
      for (gint64 ti = 0; ti * side < c.n; ti++)
        for (gint64 tj = 0; tj * side < c.m; tj++)
          {
            gboolean in = FALSE, on = FALSE;
            for (gint64 i = ti * side + 1; i <= MIN (ti * side + side, c.n); i++)
              for (gint64 j = tj * side + 1; j <= MIN (tj * side + side, c.m); j++)
                {
                  gboolean here = j - i >= c.low && j - i <= c.high;
                  cells += here;
                  in |= here;
                  on |= all->computed[i][j];
                }
            envelope += in;
            touched += on;
          }
      tl_wave_run (&ours.recurrence, &ours.problem, &options, &end);
      tl_wave_cost (&ours.problem, end.rows, (guint32) side, &cost);
      ck_assert_uint_eq (cost.envelope_cells, cells);
      ck_assert_uint_eq (cost.envelope_tiles, envelope);
      ck_assert_uint_eq (cost.tiles, touched);
      for (gint64 i = 1; i <= c.n; i++)
        for (gint64 j = 1; j <= c.m; j++)
          {
            guint64 bit = (guint64) ((i - 1) / side * cost.tile_columns + (j - 1) / side);
            ck_assert (!all->computed[i][j] || cost.touched[bit / 8] >> bit % 8 & 1);
          }
      g_free (cost.touched);
      tl_wave_recurrence_clear (&ours.recurrence);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-wavefront-adaptive");
  TCase *tcase = tcase_create ("adaptive");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, cells_are_those_of_the_definition, 0, 8);
  tcase_add_test (tcase, a_wrong_definition_is_seen);
  tcase_add_loop_test (tcase, ends_and_ways_are_the_same, 0, 4);
  tcase_add_loop_test (tcase, the_fixed_band_agrees, 0, 4);
  tcase_add_test (tcase, it_follows_where_a_fixed_one_loses);
  tcase_add_loop_test (tcase, tiles_are_counted_rightly, 0, 4);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
