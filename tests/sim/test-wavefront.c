/* Grid recurrences: the oracle's alignments, textbook loops beside both evaluators,
 * random recurrences cell for cell, and ways that add up to their scores. */
#include "sim/wavefront.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* --- Building --- */

static TlWaveRecurrence
recurrence_new (TlOperatorKind plus, guint n_tables)
{
  TlElementType    i32;
  TlWaveRecurrence recurrence = { .n_tables = n_tables };

  ck_assert (tl_element_type_parse ("i32", &i32));
  recurrence.semiring = tl_semiring_known (plus, TL_OPERATOR_ADD, i32);
  ck_assert_ptr_nonnull (recurrence.semiring);
  return recurrence;
}

static void
add_pairs (TlWaveRecurrence *recurrence, guint n_codes, gint64 equal, gint64 other)
{
  TlScalar *pairs = g_new (TlScalar, n_codes * n_codes);

  for (guint k = 0; k < n_codes * n_codes; k++)
    pairs[k].i = k / n_codes == k % n_codes ? equal : other;
  recurrence->n_codes = n_codes;
  recurrence->pairs[recurrence->n_pairs++] = pairs;
}

static void
add_step (TlWaveRecurrence *recurrence, guint table, int from, int di, int dj, int pair, gint64 weight)
{
  TlWaveTable *steps = &recurrence->tables[table];

  steps->alternatives[steps->n_alternatives++] = (TlWaveAlternative) { from, di, dj, pair, { .i = weight } };
}

/* H = max (0, H + score, H - gap, H - gap) */
static TlWaveRecurrence
local_linear (gint64 match, gint64 mismatch, gint64 gap)
{
  TlWaveRecurrence recurrence = recurrence_new (TL_OPERATOR_MAX, 1);

  add_pairs (&recurrence, 4, match, mismatch);
  add_step (&recurrence, 0, TL_WAVE_NONE, 0, 0, TL_WAVE_NONE, 0);
  add_step (&recurrence, 0, 0, 1, 1, 0, 0);
  add_step (&recurrence, 0, 0, 1, 0, TL_WAVE_NONE, -gap);
  add_step (&recurrence, 0, 0, 0, 1, TL_WAVE_NONE, -gap);
  return recurrence;
}

/* E along a row, F down a column, H last; @floor: local. */
static TlWaveRecurrence
affine (gint64 match, gint64 mismatch, gint64 open, gint64 extend, gboolean local)
{
  TlWaveRecurrence recurrence = recurrence_new (TL_OPERATOR_MAX, 3);

  add_pairs (&recurrence, 4, match, mismatch);
  add_step (&recurrence, 0, 2, 0, 1, TL_WAVE_NONE, -open - extend);
  add_step (&recurrence, 0, 0, 0, 1, TL_WAVE_NONE, -extend);
  add_step (&recurrence, 1, 2, 1, 0, TL_WAVE_NONE, -open - extend);
  add_step (&recurrence, 1, 1, 1, 0, TL_WAVE_NONE, -extend);
  if (local)
    add_step (&recurrence, 2, TL_WAVE_NONE, 0, 0, TL_WAVE_NONE, 0);
  add_step (&recurrence, 2, 2, 1, 1, 0, 0);
  add_step (&recurrence, 2, 0, 0, 0, TL_WAVE_NONE, 0);
  add_step (&recurrence, 2, 1, 0, 0, TL_WAVE_NONE, 0);
  return recurrence;
}

static TlWaveRecurrence
edit_distance (void)
{
  TlWaveRecurrence recurrence = recurrence_new (TL_OPERATOR_MIN, 1);

  add_pairs (&recurrence, 4, 0, 1);
  add_step (&recurrence, 0, 0, 1, 1, 0, 0);
  add_step (&recurrence, 0, 0, 1, 0, TL_WAVE_NONE, 1);
  add_step (&recurrence, 0, 0, 0, 1, TL_WAVE_NONE, 1);
  return recurrence;
}

static TlScalar *
border (guint32 n, gint64 first, gint64 start, gint64 step)
{
  TlScalar *cells = g_new (TlScalar, (gsize) n + 1);

  for (guint32 k = 0; k <= n; k++)
    cells[k].i = k == 0 ? first : start + step * (gint64) k;
  return cells;
}

static guint8 *
random_letters (guint64 *state, guint32 n)
{
  guint8 *letters = g_malloc (MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    letters[i] = (guint8) tl_test_random_below (state, 4);
  return letters;
}

/* A copy with some letters changed, lost or doubled. */
static guint8 *
mutate (guint64 *state, const guint8 *letters, guint32 n, guint percent, guint32 *length)
{
  guint8 *copy = g_malloc (2 * (gsize) n + 1);

  *length = 0;
  for (guint32 i = 0; i < n; i++)
    {
      guint64 chance = tl_test_random_below (state, 100);
      if (chance < percent / 3)
        continue;
      copy[(*length)++] = chance < 2 * percent / 3 ? (guint8) tl_test_random_below (state, 4) : letters[i];
      if (chance > 99 - percent / 3)
        copy[(*length)++] = (guint8) tl_test_random_below (state, 4);
    }
  return copy;
}

/* --- The oracle --- */

static guint8 *
letters_of (const char *text, guint32 *n)
{
  guint8 *letters = g_malloc (MAX (strlen (text), 1));

  *n = (guint32) strlen (text);
  for (guint32 i = 0; i < *n; i++)
    letters[i] = (guint8) strcspn ("ACGT", (char[]) { text[i], '\0' });
  return letters;
}

static gint64
number_of (const char *pairs, const char *key)
{
  g_autofree char *text = tl_test_pair (pairs, key);

  ck_assert_ptr_nonnull (text);
  return g_ascii_strtoll (text, NULL, 10);
}

static gboolean
row_holds (const char *inputs, const char *expected, gint64 off, gboolean plain)
{
  g_autofree char   *problem = tl_test_pair (inputs, "problem");
  g_autofree char   *a = tl_test_pair (inputs, "a"), *b = tl_test_pair (inputs, "b");
  gboolean           local = strcmp (problem, "sw") == 0;
  guint32            n, m;
  g_autofree guint8 *q = letters_of (a, &n), *r = letters_of (b, &m);
  gint64             band = local ? number_of (inputs, "band") : G_MAXINT32;
  g_auto (TlWaveRecurrence) recurrence
      = local ? local_linear (number_of (inputs, "match"), number_of (inputs, "mismatch"), -number_of (inputs, "gap"))
              : edit_distance ();
  g_autofree TlScalar *column = border (n, 0, 0, local ? 0 : 1), *row = border (m, 0, 0, local ? 0 : 1);
  TlWaveProblem        grid
      = { .q = q, .r = r, .rows = n, .columns = m, .low = -band, .high = band, .column = { column }, .row = { row } };
  TlWaveOptions options = { .pick = local ? TL_WAVE_BEST : TL_WAVE_LAST, .greatest = local, .plain = plain };
  g_auto (TlWaveEnd) end = { 0 };

  tl_wave_run (&recurrence, &grid, &options, &end);
  if (!local)
    return end.found && end.score.i + off == number_of (expected, "distance");
  return end.found && end.score.i + off == number_of (expected, "score") && end.end_i == number_of (expected, "end_i")
         && end.end_j == number_of (expected, "end_j") && (gint64) end.cells == number_of (expected, "cells");
}

START_TEST (the_oracle_agrees)
{
  g_autoptr (GPtrArray) table = tl_test_shared_csv ("oracle/gendram-oracle.csv");
  guint seen = 0;

  if (table == NULL)
    return;
  for (guint k = 1; k < table->len; k++)
    {
      const char *inputs = tl_test_cell (table, k, "inputs"), *expected = tl_test_cell (table, k, "expected");

      if (!g_str_has_prefix (inputs, "problem=sw") && !g_str_has_prefix (inputs, "problem=edit"))
        continue;
      for (guint plain = 0; plain < 2; plain++)
        {
          ck_assert_msg (row_holds (inputs, expected, 0, plain), "%s", tl_test_cell (table, k, "id"));
          ck_assert_msg (!row_holds (inputs, expected, 1, plain), "a wrong row passes");
        }
      seen++;
    }
  ck_assert_uint_eq (seen, 4);
}
END_TEST

/* --- Textbook loops --- */

#define NOWHERE (-(G_GINT64_CONSTANT (1) << 40))

static gint64
best_of (gint64 a, gint64 b)
{
  return a > b ? a : b;
}

/* Gotoh's three tables in full, without a line in common with the library. */
static gint64 *
gotoh (const guint8 *q, gint64 n, const guint8 *r, gint64 m, gint64 low, gint64 high, const gint64 scores[4],
       gboolean local)
{
  gint64  w = m + 1;
  gint64 *h = g_new (gint64, (n + 1) * w), *e = g_new (gint64, (n + 1) * w), *f = g_new (gint64, (n + 1) * w);

  for (gint64 i = 0; i <= n; i++)
    for (gint64 j = 0; j <= m; j++)
      {
        gint64 at = i * w + j;

        h[at] = e[at] = f[at] = NOWHERE;
        if (i == 0 || j == 0)
          h[at] = local || i + j == 0 ? 0 : -scores[2] - scores[3] * (i + j);
        else if (j - i >= low && j - i <= high)
          {
            e[at] = best_of (h[at - 1] - scores[2] - scores[3], e[at - 1] - scores[3]);
            f[at] = best_of (h[at - w] - scores[2] - scores[3], f[at - w] - scores[3]);
            h[at] = best_of (h[at - w - 1] + (q[i - 1] == r[j - 1] ? scores[0] : scores[1]), best_of (e[at], f[at]));
            if (local)
              h[at] = best_of (h[at], 0);
          }
      }
  g_free (e);
  g_free (f);
  return h;
}

static void
compare_cells (const TlWaveRecurrence *recurrence, const TlWaveProblem *grid, guint table, const gint64 *expected)
{
  guint64 n = ((guint64) grid->rows + 1) * (grid->columns + 1);

  for (guint plain = 0; plain < 2; plain++)
    {
      g_autofree TlScalar *cells = tl_wave_cells (recurrence, grid, table, plain);
      for (guint64 k = 0; k < n; k++)
        ck_assert_msg (expected[k] < NOWHERE / 2 ? cells[k].i == -TL_INF : cells[k].i == expected[k],
                       "plain %u: cell %" G_GUINT64_FORMAT " is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, plain, k,
                       cells[k].i, expected[k]);
    }
}

START_TEST (textbook_alignment_agrees)
{
  guint64 state = tl_test_seed () + (guint64) _i;

  for (guint round = 0; round < 12; round++)
    {
      guint32            n = (guint32) tl_test_random_below (&state, 60), m;
      g_autofree guint8 *q = random_letters (&state, n);
      g_autofree guint8 *r = mutate (&state, q, n, 30, &m);
      gint64   scores[4] = { 1 + (gint64) tl_test_random_below (&state, 4), -(gint64) tl_test_random_below (&state, 5),
                             (gint64) tl_test_random_below (&state, 6), 1 + (gint64) tl_test_random_below (&state, 3) };
      gboolean local = round & 1;
      gint64   band = round < 4 ? G_MAXINT32 : (gint64) tl_test_random_below (&state, 30);
      gint64   shift = round % 3 == 0 ? band / 2 : 0;
      g_auto (TlWaveRecurrence) recurrence = affine (scores[0], scores[1], scores[2], scores[3], local);
      g_autofree TlScalar *column = border (n, 0, local ? 0 : -scores[2], local ? 0 : -scores[3]);
      g_autofree TlScalar *row = border (m, 0, local ? 0 : -scores[2], local ? 0 : -scores[3]);
      TlWaveProblem grid = { .q = q,
                             .r = r,
                             .rows = n,
                             .columns = m,
                             .low = shift - band,
                             .high = shift + band,
                             .column = { [2] = column },
                             .row = { [2] = row } };
      g_autofree gint64   *expected = gotoh (q, n, r, m, grid.low, grid.high, scores, local);

      ck_assert (tl_wave_is_fast (&recurrence, &grid));
      compare_cells (&recurrence, &grid, 2, expected);
    }
}
END_TEST

/* Bands of all widths, none of them in the middle, in grids that are no squares: each cell, and
 * whether there is a last one. */
START_TEST (bands_are_exact)
{
  guint64 state = tl_test_seed () + 13 * (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (20); round++)
    {
      guint32 most = round % 4 == 0 ? 3 : 220;
      guint32 n = (guint32) tl_test_random_below (&state, most), m = (guint32) tl_test_random_below (&state, most);
      g_autofree guint8 *q = random_letters (&state, n), *r = random_letters (&state, m);
      gint64             scores[4]
          = { 2, -(gint64) tl_test_random_below (&state, 4), (gint64) tl_test_random_below (&state, 4), 1 };
      gboolean local = round & 1;
      gint64   low = (gint64) tl_test_random_below (&state, most) - most / 2;
      gint64   high = low + (gint64) tl_test_random_below (&state, round % 3 == 0 ? 4 : most);
      g_auto (TlWaveRecurrence) recurrence = affine (scores[0], scores[1], scores[2], scores[3], local);
      g_autofree TlScalar *column = border (n, 0, local ? 0 : -scores[2], local ? 0 : -scores[3]);
      g_autofree TlScalar *row = border (m, 0, local ? 0 : -scores[2], local ? 0 : -scores[3]);
      TlWaveProblem grid = { .q = q,
                             .r = r,
                             .rows = n,
                             .columns = m,
                             .low = low,
                             .high = high,
                             .column = { [2] = column },
                             .row = { [2] = row } };
      g_autofree gint64   *expected = gotoh (q, n, r, m, low, high, scores, local);
      gint64               last = expected[((gsize) n + 1) * ((gsize) m + 1) - 1];

      compare_cells (&recurrence, &grid, 2, expected);
      for (guint plain = 0; plain < 2; plain++)
        {
          TlWaveOptions options = { .pick = TL_WAVE_LAST, .table = 2, .greatest = TRUE, .plain = plain, .trace = TRUE };
          g_auto (TlWaveEnd) end = { 0 };

          tl_wave_run (&recurrence, &grid, &options, &end);
          ck_assert_int_eq (end.found, last > NOWHERE / 2);
          ck_assert (!end.found || end.score.i == last);
        }
    }
}
END_TEST

/* --- Random recurrences --- */

static TlWaveRecurrence
random_recurrence (guint64 *state)
{
  guint            n_tables = 1 + (guint) tl_test_random_below (state, 3);
  TlWaveRecurrence recurrence
      = recurrence_new (tl_test_random_below (state, 2) ? TL_OPERATOR_MAX : TL_OPERATOR_MIN, n_tables);

  add_pairs (&recurrence, 4, (gint64) tl_test_random_below (state, 7) - 3,
             (gint64) tl_test_random_below (state, 7) - 3);
  add_pairs (&recurrence, 4, 0, 0);
  for (guint k = 0; k < 16; k++)
    recurrence.pairs[1][k].i = (gint64) tl_test_random_below (state, 9) - 4;
  if (tl_test_random_below (state, 3) == 0) /* letters without a way */
    for (guint k = 0; k < 16; k += 1 + (guint) tl_test_random_below (state, 4))
      recurrence.pairs[1][k] = recurrence.semiring->zero;
  for (guint t = 0; t < n_tables; t++)
    for (guint a = 0, n = 1 + (guint) tl_test_random_below (state, 5); a < n; a++)
      {
        int from = (int) tl_test_random_below (state, n_tables + 1) - 1;
        int di = (int) tl_test_random_below (state, 4), dj = (int) tl_test_random_below (state, 4);
        int pair = (int) tl_test_random_below (state, 3) - 1;

        if (di + dj == 0 && from >= (int) t)
          di = 1;
        add_step (&recurrence, t, from, from < 0 ? 0 : di, from < 0 ? 0 : dj, pair,
                  (gint64) tl_test_random_below (state, 9) - 4);
      }
  return recurrence;
}

static void
same_end (const TlWaveEnd *a, const TlWaveEnd *b)
{
  ck_assert_int_eq (a->found, b->found);
  ck_assert_uint_eq (a->cells, b->cells);
  if (!a->found)
    return;
  ck_assert_int_eq (a->score.i, b->score.i);
  ck_assert_uint_eq (a->end_i, b->end_i);
  ck_assert_uint_eq (a->end_j, b->end_j);
  ck_assert_int_eq (a->traced, b->traced);
  if (!a->traced)
    return;
  ck_assert_uint_eq (a->start_i, b->start_i);
  ck_assert_uint_eq (a->start_j, b->start_j);
  ck_assert_uint_eq (a->moves->len, b->moves->len);
  ck_assert (a->moves->len == 0 || memcmp (a->moves->data, b->moves->data, a->moves->len * sizeof (TlWaveMove)) == 0);
}

START_TEST (both_ways_give_the_same)
{
  guint64 state = tl_test_seed () + 77 * (guint64) _i;

  for (guint round = 0; round < 8; round++)
    {
      guint32 n = (guint32) tl_test_random_below (&state, 40), m = (guint32) tl_test_random_below (&state, 40);
      g_autofree guint8 *q = random_letters (&state, n), *r = random_letters (&state, m);
      g_auto (TlWaveRecurrence) recurrence = random_recurrence (&state);
      gint64 centre = (gint64) tl_test_random_below (&state, 20) - 10,
             band = (gint64) tl_test_random_below (&state, 25);
      TlWaveProblem grid = { .q = q, .r = r, .rows = n, .columns = m, .low = centre - band, .high = centre + band };
      g_autofree TlScalar *column = border (n, 0, 0, (gint64) tl_test_random_below (&state, 5) - 2);
      g_autofree TlScalar *row = border (m, 0, 0, (gint64) tl_test_random_below (&state, 5) - 2);

      for (guint t = 0; t < recurrence.n_tables; t++)
        {
          grid.column[t] = tl_test_random_below (&state, 3) ? column : NULL;
          grid.row[t] = tl_test_random_below (&state, 3) ? row : NULL;
        }
      ck_assert (tl_wave_is_fast (&recurrence, &grid));
      for (guint t = 0; t < recurrence.n_tables; t++)
        {
          g_autofree TlScalar *fast = tl_wave_cells (&recurrence, &grid, t, FALSE);
          g_autofree TlScalar *plain = tl_wave_cells (&recurrence, &grid, t, TRUE);

          for (guint64 k = 0; k < ((guint64) n + 1) * (m + 1); k++)
            ck_assert_int_eq (fast[k].i, plain[k].i);
          for (guint p = 0; p < 8; p++)
            {
              TlWaveOptions options = { .pick = p & 3, .greatest = p >> 2, .table = t, .trace = TRUE };
              g_auto (TlWaveEnd) one = { 0 }, other = { 0 };

              tl_wave_run (&recurrence, &grid, &options, &one);
              options.plain = TRUE;
              tl_wave_run (&recurrence, &grid, &options, &other);
              same_end (&one, &other);
            }
        }
    }
}
END_TEST

/* The first cell in row order, and of it the first table, that i8 does not hold: from the cells of i32. */
static TlWaveLeft
first_outside (const TlWaveRecurrence *recurrence, const TlWaveProblem *grid)
{
  TlWaveLeft first = { FALSE };
  TlScalar  *cells[TL_WAVE_MAX_TABLES];

  for (guint t = 0; t < recurrence->n_tables; t++)
    cells[t] = tl_wave_cells (recurrence, grid, t, TRUE);
  for (guint32 i = 1; i <= grid->rows; i++)
    for (guint32 j = 1; j <= grid->columns; j++)
      for (guint t = 0; t < recurrence->n_tables; t++)
        {
          gint64 value = cells[t][(guint64) i * (grid->columns + 1) + j].i;

          if (ABS (value) != TL_INF && (value < -128 || value > 127) && !first.found)
            first = (TlWaveLeft) { TRUE, t, i, j, value > 0 };
        }
  for (guint t = 0; t < recurrence->n_tables; t++)
    g_free (cells[t]);
  return first;
}

static void
same_left (const TlWaveLeft *a, const TlWaveLeft *b)
{
  ck_assert_int_eq (a->found, b->found);
  ck_assert_uint_eq (a->table, b->table);
  ck_assert_uint_eq (a->i, b->i);
  ck_assert_uint_eq (a->j, b->j);
  ck_assert_int_eq (a->above, b->above);
}

/* What does not fit is seen by both evaluators at the same cell; what does has the values of i32. */
START_TEST (narrow_types_never_clamp)
{
  guint64       state = tl_test_seed () + 31 * (guint64) _i;
  guint         outside = 0, inside = 0;
  TlElementType i8;

  ck_assert (tl_element_type_parse ("i8", &i8));
  for (guint round = 0; round < 24; round++)
    {
      guint32 n = (guint32) tl_test_random_below (&state, 70), m = (guint32) tl_test_random_below (&state, 70);
      g_autofree guint8 *q = random_letters (&state, n), *r = random_letters (&state, m);
      g_auto (TlWaveRecurrence) recurrence = random_recurrence (&state);
      gint64               band = (gint64) tl_test_random_below (&state, 60);
      TlWaveProblem        grid = { .q = q, .r = r, .rows = n, .columns = m, .low = -band, .high = band };
      g_autofree TlScalar *column = border (n, 0, 0, 0), *row = border (m, 0, 0, 0);
      TlOperatorKind       plus = recurrence.semiring->plus.kind;

      for (guint t = 0; t < recurrence.n_tables; t++)
        {
          grid.column[t] = column;
          grid.row[t] = row;
          for (guint a = 0; a < recurrence.tables[t].n_alternatives; a++)
            recurrence.tables[t].alternatives[a].weight.i *= 3;
        }
      TlWaveOptions options = { .pick = TL_WAVE_BEST, .greatest = round & 1, .trace = TRUE };
      TlWaveLeft    expected = first_outside (&recurrence, &grid);
      g_auto (TlWaveEnd) wide = { 0 };

      tl_wave_run (&recurrence, &grid, &options, &wide);
      ck_assert (!wide.left.found);
      g_clear_pointer (&recurrence.semiring, tl_semiring_free);
      recurrence.semiring = tl_semiring_known (plus, TL_OPERATOR_ADD, i8);
      ck_assert (tl_wave_is_fast (&recurrence, &grid));
      for (guint plain = 0; plain < 2; plain++)
        {
          g_auto (TlWaveEnd) end = { 0 };

          options.plain = plain;
          tl_wave_run (&recurrence, &grid, &options, &end);
          same_left (&end.left, &expected);
          if (!expected.found)
            same_end (&end, &wide);
        }
      outside += expected.found;
      inside += !expected.found;
      TlWaveLeft lefts[2];
      grid.adaptive = 1 + (guint32) tl_test_random_below (&state, 20);
      for (guint plain = 0; plain < 2; plain++)
        {
          g_auto (TlWaveEnd) end = { 0 };

          options.plain = plain;
          tl_wave_run (&recurrence, &grid, &options, &end);
          lefts[plain] = end.left;
        }
      same_left (&lefts[0], &lefts[1]);
    }
  ck_assert_uint_gt (outside, 0);
  ck_assert_uint_gt (inside, 0);
}
END_TEST

/* Sums of all ways, in the last of 64 bits too. */
START_TEST (sums_say_where_they_end)
{
  static const char *const types[] = { "i8", "i16", "i32", "i64" };
  guint8                   letters[40] = { 0 };
  TlElementType            type;
  g_autofree TlScalar     *ones = border (40, 1, 1, 0);
  TlWaveRecurrence         recurrence = { .n_tables = 1, .n_codes = 1 };
  guint32                  sides[] = { 20, 20, 20, 40 };
  TlWaveProblem grid = { .q = letters, .r = letters, .low = -99, .high = 99, .column = { ones }, .row = { ones } };
  TlWaveOptions options = { .pick = TL_WAVE_LAST, .greatest = TRUE };
  g_auto (TlWaveEnd) end = { 0 };

  ck_assert (tl_element_type_parse (types[_i], &type));
  recurrence.semiring = tl_semiring_known (TL_OPERATOR_ADD, TL_OPERATOR_MUL, type);
  add_step (&recurrence, 0, 0, 1, 0, TL_WAVE_NONE, 1);
  add_step (&recurrence, 0, 0, 0, 1, TL_WAVE_NONE, 1);
  grid.rows = grid.columns = sides[_i];
  tl_wave_run (&recurrence, &grid, &options, &end);
  guint32 i = 0, j = 0;
  for (guint32 a = 1; a <= grid.rows && i == 0; a++)
    for (guint32 b = 1; b <= grid.columns && i == 0; b++)
      {
        long double value = 1, top = powl (2, type.bits - 1) - 1;

        for (guint32 k = 1; k <= a; k++)
          value = value * (b + k) / k;
        if (value > top + 0.5L)
          {
            i = a;
            j = b;
          }
      }
  ck_assert (end.left.found && end.left.above);
  ck_assert_uint_eq (end.left.i, i);
  ck_assert_uint_eq (end.left.j, j);
  tl_wave_recurrence_clear (&recurrence);
}
END_TEST

/* A step that goes back along j is not for diagonals, and (max, min) is no sum. */
START_TEST (others_are_computed_plainly)
{
  guint8 letters[3] = { 0, 1, 2 };
  g_auto (TlWaveRecurrence) recurrence = recurrence_new (TL_OPERATOR_MIN, 1);
  TlScalar      ones[4] = { { .i = 1 }, { .i = 1 }, { .i = 1 }, { .i = 1 } };
  TlWaveProblem grid = { .q = letters, .r = letters, .rows = 3, .columns = 3, .low = -9, .high = 9, .row = { ones } };

  add_pairs (&recurrence, 4, 0, 1);
  add_step (&recurrence, 0, 0, 1, -1, TL_WAVE_NONE, 5);
  add_step (&recurrence, 0, 0, 1, 1, TL_WAVE_NONE, 9);
  ck_assert (!tl_wave_is_fast (&recurrence, &grid));
  g_autofree TlScalar *cells = tl_wave_cells (&recurrence, &grid, 0, FALSE);
  ck_assert_int_eq (cells[4 + 1].i, 6);
  ck_assert_int_eq (cells[4 + 3].i, 10);
  ck_assert_int_eq (cells[8 + 2].i, 15);

  TlElementType    i32;
  TlWaveRecurrence widest = { .n_tables = 1, .n_codes = 4 };

  ck_assert (tl_element_type_parse ("i32", &i32));
  widest.semiring = tl_semiring_known (TL_OPERATOR_MAX, TL_OPERATOR_MIN, i32);
  add_step (&widest, 0, 0, 1, 0, TL_WAVE_NONE, 3);
  ck_assert (!tl_wave_is_fast (&widest, &grid));
  g_autofree TlScalar *widths = tl_wave_cells (&widest, &grid, 0, FALSE);
  ck_assert_int_eq (widths[4 + 1].i, 1);
  tl_wave_recurrence_clear (&widest);
}
END_TEST

/* --- Ways --- */

START_TEST (ways_add_up_to_their_scores)
{
  guint64            state = tl_test_seed () + 5 * (guint64) _i;
  guint32            n = 50 + (guint32) tl_test_random_below (&state, 200), m;
  g_autofree guint8 *q = random_letters (&state, n);
  g_autofree guint8 *r = mutate (&state, q, n, 20, &m);
  gboolean           local = _i & 1;
  gint64             open = _i & 2 ? 3 : 0;
  g_auto (TlWaveRecurrence) recurrence = affine (2, -3, open, 1, local);
  g_autofree TlScalar *column = border (n, 0, local ? 0 : -open, local ? 0 : -1);
  g_autofree TlScalar *row = border (m, 0, local ? 0 : -open, local ? 0 : -1);
  TlWaveProblem        grid = { .q = q,
                                .r = r,
                                .rows = n,
                                .columns = m,
                                .low = -(gint64) n,
                                .high = m,
                                .column = { [2] = column },
                                .row = { [2] = row } };
  TlWaveOptions        options = { .pick = local ? TL_WAVE_BEST : TL_WAVE_LAST,
                                   .table = 2,
                                   .greatest = TRUE,
                                   .trace = TRUE,
                                   .along_row = !local,
                                   .along_column = !local };
  g_auto (TlWaveEnd) end = { 0 };
  guint64 matches, columns, i, j;
  gint64  score = 0;

  tl_wave_run (&recurrence, &grid, &options, &end);
  ck_assert (end.traced);
  g_autofree char *cigar = tl_wave_cigar (&end, &grid, &matches, &columns);
  i = end.start_i;
  j = end.start_j;
  for (const char *c = cigar; *c != '\0'; c++)
    {
      char   *kind;
      guint64 length = g_ascii_strtoull (c, &kind, 10);

      ck_assert_uint_gt (length, 0);
      for (guint64 k = 0; *kind == 'M' && k < length; k++)
        score += q[i + k] == r[j + k] ? 2 : -3;
      score -= *kind == 'M' ? 0 : open + (gint64) length;
      i += *kind != 'D' ? length : 0;
      j += *kind != 'I' ? length : 0;
      c = kind;
    }
  ck_assert_uint_eq (i, end.end_i);
  ck_assert_uint_eq (j, end.end_j);
  ck_assert_int_eq (score, end.score.i);
  ck_assert_uint_le (matches, columns);
  options.trace_limit = 1000;
  tl_wave_end_clear (&end);
  tl_wave_run (&recurrence, &grid, &options, &end);
  ck_assert (end.found && !end.traced);
  ck_assert_int_eq (score, end.score.i);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-wavefront");
  TCase *tcase = tcase_create ("wavefront");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, the_oracle_agrees);
  tcase_add_loop_test (tcase, textbook_alignment_agrees, 0, 10);
  tcase_add_loop_test (tcase, bands_are_exact, 0, 8);
  tcase_add_loop_test (tcase, both_ways_give_the_same, 0, 20);
  tcase_add_loop_test (tcase, narrow_types_never_clamp, 0, 12);
  tcase_add_loop_test (tcase, sums_say_where_they_end, 0, 4);
  tcase_add_test (tcase, others_are_computed_plainly);
  tcase_add_loop_test (tcase, ways_add_up_to_their_scores, 0, 12);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
