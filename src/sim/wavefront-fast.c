/* Grid recurrences anti-diagonal after anti-diagonal: min or max with + on 32-bit whole
 * numbers, with steps that never go back, so that the cells of one diagonal i + j wait
 * only for earlier ones and are computed side by side. Each alternative is one pass over
 * the diagonal that the compiler turns into vector code. */
#include "sim/wavefront-private.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_UNDEFINED__)
#define CLONES __attribute__ ((target_clones ("default", "avx2", "arch=x86-64-v4")))
#else
#define CLONES
#endif

/* Absent cells for max; least turns values round, so that one set of kernels does: it
 * maximises their negatives. Sums of an absent cell and steps stay below NOTHING. */
#define ABSENT  (-(1 << 30))
#define NOTHING (-(1 << 29))

/* Two letters without a way: with values below 2^27 still absent, and above 32 bits' end when
 * combined with an absent cell, as long as none lies below ABSENT. */
#define NO_WAY (NOTHING - (1 << 28))

#define MAX_DEPTH (2 * TL_WAVE_MAX_DISTANCE + 1)

/* --- Kernels over n cells of a diagonal --- */

CLONES static void
set_step (gint32 *restrict to, const gint32 *restrict from, gint32 weight, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = from[k] + weight;
}

CLONES static void
set_pair (gint32 *restrict to, const gint32 *restrict from, const gint32 *restrict pair, gint32 weight, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = from[k] + pair[k] + weight;
}

CLONES static void
add_step (gint32 *restrict to, const gint32 *restrict from, gint32 weight, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 value = from[k] + weight;
      to[k] = value > to[k] ? value : to[k];
    }
}

CLONES static void
add_pair (gint32 *restrict to, const gint32 *restrict from, const gint32 *restrict pair, gint32 weight, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 value = from[k] + pair[k] + weight;
      to[k] = value > to[k] ? value : to[k];
    }
}

/* Several alternatives at once; their order is no matter where no way is noted. */
CLONES static void
set_two (gint32 *restrict to, const gint32 *restrict a, gint32 of_a, const gint32 *restrict b, gint32 of_b, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 first = a[k] + of_a, second = b[k] + of_b;
      to[k] = first > second ? first : second;
    }
}

CLONES static void
add_two (gint32 *restrict to, const gint32 *restrict a, gint32 of_a, const gint32 *restrict b, gint32 of_b, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 first = a[k] + of_a, second = b[k] + of_b, best = first > second ? first : second;
      to[k] = best > to[k] ? best : to[k];
    }
}

/* No value of a cell is less than @least: an alternative that reads none. */
CLONES static void
at_least (gint32 *restrict to, gint32 least, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = to[k] > least ? to[k] : least;
}

/* The same, noting which alternative was taken: the first of equals. */
CLONES static void
trace_step (gint32 *restrict to, gint32 *restrict way, const gint32 *restrict from, gint32 weight, gint32 alternative,
            guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 value = from[k] + weight;
      way[k] = value > to[k] ? alternative : way[k];
      to[k] = value > to[k] ? value : to[k];
    }
}

CLONES static void
trace_pair (gint32 *restrict to, gint32 *restrict way, const gint32 *restrict from, const gint32 *restrict pair,
            gint32 weight, gint32 alternative, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    {
      gint32 value = from[k] + pair[k] + weight;
      way[k] = value > to[k] ? alternative : way[k];
      to[k] = value > to[k] ? value : to[k];
    }
}

CLONES static void
narrow (guint8 *restrict to, const gint32 *restrict way, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = (guint8) way[k];
}

CLONES static gint32
greatest_of (const gint32 *values, guint32 n)
{
  gint32 best = values[0];

  for (guint32 k = 1; k < n; k++)
    best = values[k] > best ? values[k] : best;
  return best;
}

CLONES static gint32
least_of (const gint32 *values, guint32 n)
{
  gint32 best = G_MAXINT32;

  for (guint32 k = 0; k < n; k++)
    {
      /* An absent cell is no value. */
      gint32 value = values[k] > NOTHING ? values[k] : G_MAXINT32;
      best = value < best ? value : best;
    }
  return best;
}

/* Whether a cell that is there is none of least..most. */
CLONES static gboolean
any_outside (const gint32 *values, gint32 least, gint32 most, guint32 n)
{
  gint32 outside = 0;

  for (guint32 k = 0; k < n; k++)
    outside |= (values[k] > most) | ((values[k] > NOTHING) & (values[k] < least));
  return outside != 0;
}

/* Two letters equal or not. */
CLONES static void
compare_letters (gint32 *restrict to, const guint8 *restrict q, const guint8 *restrict r, gint32 equal, gint32 other,
                 guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = q[k] == r[k] ? equal : other;
}

CLONES static void
look_up (gint32 *restrict to, const guint8 *restrict q, const guint8 *restrict r, const gint32 *restrict pairs,
         guint32 n_codes, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = pairs[q[k] * n_codes + r[k]];
}

/* to = row[k] where r[k] is @letter: of few letters quicker than to look up each cell. */
CLONES static void
choose_letter (gint8 *restrict to, const gint8 *restrict row, const guint8 *restrict r, guint8 letter, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = r[k] == letter ? row[k] : to[k];
}

CLONES static void
widen (gint32 *restrict to, const gint8 *restrict from, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = from[k];
}

/* --- The grid --- */

#define FEW_LETTERS 8

typedef struct
{
  const TlWaveRecurrence *recurrence;
  const TlWaveProblem    *problem;
  const TlWaveOptions    *options;
  gint32                  sign;                      /* 1 for max, -1 for min: stored = sign * value */
  guint32                 depth;                     /* diagonals kept */
  guint32                 pad;                       /* cells kept on both sides of a diagonal */
  guint8                 *turned;                    /* r backwards: along a diagonal both sequences then go forwards */
  gint32                 *pairs[TL_WAVE_MAX_PAIRS];  /* sign * value, n_codes * n_codes */
  gboolean                simple[TL_WAVE_MAX_PAIRS]; /* one value for equal letters, one for all others */
  gint8                  *rows_of[TL_WAVE_MAX_PAIRS];    /* of few letters and small values: for each letter of r its
                                                       * values with all of q; NULL else */
  gint8                  *chosen;                        /* of the present diagonal */
  gint32                 *pair_at[TL_WAVE_MAX_PAIRS];    /* of the present diagonal */
  gint32                 *diagonals[TL_WAVE_MAX_TABLES]; /* depth of them, each with room for rows + 1 cells and pads */
  guint64                 room;
  gint32                 *zeros;                    /* room of them */
  gint32                 *way;                      /* of the present diagonal, when tracing */
  guint8                 *ways[TL_WAVE_MAX_TABLES]; /* all cells, diagonal after diagonal; NULL when not tracing */
  guint64                *from;                     /* where each diagonal's begin, minus its first i */
  guint64                 noted;                    /* cells in ways */
  gint32                  record;                   /* best stored value that a moving band saw */
  gboolean                clamps;                   /* cells may lie below ABSENT */
  gboolean                checks;                   /* values may leave the carrier */
  gint32                  most;                     /* the greatest and the least stored value that it has */
  gint32                  least;
} Grid;

/* Cell i of diagonal @s of a table; i may be up to pad outside. */
static inline gint32 *
cells_of (const Grid *grid, guint table, guint64 s)
{
  return grid->diagonals[table] + (s % grid->depth) * grid->room + grid->pad;
}

static gboolean
is_simple (const TlWaveRecurrence *recurrence, const TlScalar *pairs)
{
  guint n = recurrence->n_codes;

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (pairs[a * n + b].i != (a == b ? pairs[0].i : pairs[n > 1 ? 1 : 0].i))
        return FALSE;
  return TRUE;
}

/* @pairs' values for each letter of r along q. NULL where letters are many or values large. */
static gint8 *
rows_of (const Grid *grid, const gint32 *pairs)
{
  guint   n_codes = grid->recurrence->n_codes;
  guint32 rows = grid->problem->rows;

  for (guint k = 0; k < n_codes * n_codes; k++)
    if (n_codes > FEW_LETTERS || pairs[k] < G_MININT8 || pairs[k] > G_MAXINT8)
      return NULL;
  gint8 *values = g_malloc (MAX ((gsize) n_codes * rows, 1));
  for (guint b = 0; b < n_codes; b++)
    for (guint32 i = 0; i < rows; i++)
      values[(gsize) b * rows + i] = (gint8) pairs[grid->problem->q[i] * n_codes + b];
  return values;
}

static void
grid_open (Grid *grid)
{
  const TlWaveRecurrence *recurrence = grid->recurrence;
  const TlWaveProblem    *problem = grid->problem;
  guint                   reach = 1, most = 1;

  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint a = 0; a < recurrence->tables[t].n_alternatives; a++)
      {
        const TlWaveAlternative *step = &recurrence->tables[t].alternatives[a];
        if (step->table == TL_WAVE_NONE)
          continue;
        reach = MAX (reach, (guint) (step->di + step->dj));
        most = MAX (most, (guint) MAX (step->di, step->dj));
      }
  grid->sign = recurrence->semiring->plus.kind == TL_OPERATOR_MAX ? 1 : -1;
  grid->depth = reach + 1;
  grid->pad = reach + most + 2;
  grid->room = (guint64) problem->rows + 1 + 2 * grid->pad;
  for (guint t = 0; t < recurrence->n_tables; t++)
    {
      grid->diagonals[t] = g_new (gint32, grid->room * grid->depth);
      for (guint64 k = 0; k < grid->room * grid->depth; k++)
        grid->diagonals[t][k] = ABSENT;
    }
  grid->zeros = g_new0 (gint32, grid->room);
  grid->chosen = g_new (gint8, grid->room);
  grid->turned = g_malloc (MAX (problem->columns, 1));
  for (guint32 j = 0; j < problem->columns; j++)
    grid->turned[j] = problem->r[problem->columns - 1 - j];
  for (guint p = 0; p < recurrence->n_pairs; p++)
    {
      guint n = recurrence->n_codes * recurrence->n_codes;
      grid->pairs[p] = g_new (gint32, n);
      for (guint k = 0; k < n; k++)
        {
          TlScalar pair = recurrence->pairs[p][k];

          grid->pairs[p][k] = tl_wave_is_no_way (recurrence, pair) ? NO_WAY : grid->sign * (gint32) pair.i;
          grid->clamps |= grid->pairs[p][k] == NO_WAY;
        }
      grid->simple[p] = is_simple (recurrence, recurrence->pairs[p]);
      grid->pair_at[p] = g_new (gint32, grid->room);
      if (!grid->simple[p])
        grid->rows_of[p] = rows_of (grid, grid->pairs[p]);
    }
}

/* Room to note every cell's way. FALSE when that is more than the limit. */
static gboolean
open_ways (Grid *grid)
{
  const TlWaveProblem *problem = grid->problem;
  guint64              limit = grid->options->trace_limit != 0 ? grid->options->trace_limit : TL_WAVE_TRACE_LIMIT;
  guint64              s_end = (guint64) problem->rows + problem->columns, cells = 0;

  grid->from = g_new (guint64, s_end + 1);
  for (guint64 s = 0; s <= s_end; s++)
    cells += tl_wave_most (problem, (gint64) s);
  if (cells > limit / grid->recurrence->n_tables)
    return FALSE;
  grid->way = g_new (gint32, grid->room);
  for (guint t = 0; t < grid->recurrence->n_tables; t++)
    grid->ways[t] = g_malloc (MAX (cells, 1));
  return TRUE;
}

static void
grid_close (Grid *grid)
{
  for (guint t = 0; t < grid->recurrence->n_tables; t++)
    {
      g_free (grid->diagonals[t]);
      g_free (grid->ways[t]);
    }
  for (guint p = 0; p < grid->recurrence->n_pairs; p++)
    {
      g_free (grid->pairs[p]);
      g_free (grid->pair_at[p]);
      g_free (grid->rows_of[p]);
    }
  g_free (grid->chosen);
  g_free (grid->turned);
  g_free (grid->zeros);
  g_free (grid->way);
  g_free (grid->from);
}

/* --- One diagonal --- */

static void
fill_pairs (Grid *grid, gint64 s, gint64 first, guint32 n)
{
  const TlWaveProblem *problem = grid->problem;
  const guint8        *q = problem->q + first - 1;
  /* j = s - i counts down as i counts up; turned[columns - j] is letter j. */
  const guint8        *r = grid->turned + ((gint64) problem->columns - s + first);
  guint                n_codes = grid->recurrence->n_codes;

  for (guint p = 0; p < grid->recurrence->n_pairs; p++)
    if (grid->rows_of[p] != NULL)
      {
        for (guint b = 0; b < n_codes; b++)
          choose_letter (grid->chosen, grid->rows_of[p] + (gsize) b * problem->rows + first - 1, r, (guint8) b, n);
        widen (grid->pair_at[p], grid->chosen, n);
      }
    else if (grid->simple[p])
      compare_letters (grid->pair_at[p], q, r, grid->pairs[p][0], grid->pairs[p][n_codes > 1 ? 1 : 0], n);
    else
      look_up (grid->pair_at[p], q, r, grid->pairs[p], n_codes, n);
}

/* The cells that alternative @step reads for rows from @first on, NULL when they are
 * before the first diagonal. An alternative without a cell reads zeros. */
static const gint32 *
source_of (const Grid *grid, const TlWaveAlternative *step, gint64 s, gint64 first)
{
  gint64 back = step->di + step->dj;

  if (step->table == TL_WAVE_NONE)
    return grid->zeros;
  return back > s ? NULL : cells_of (grid, (guint) step->table, (guint64) (s - back)) + (first - step->di);
}

static void
set_absent (gint32 *to, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    to[k] = ABSENT;
}

/* All alternatives of one table where no ways are noted: those with letters first, then those of
 * cells by twos, then the best that stands alone. */
static void
join_table (Grid *grid, guint table, gint64 s, gint64 first, guint32 n)
{
  const TlWaveTable *steps = &grid->recurrence->tables[table];
  gint32            *to = cells_of (grid, table, (guint64) s) + first;
  const gint32      *plain[TL_WAVE_MAX_ALTERNATIVES];
  gint32             weights[TL_WAVE_MAX_ALTERNATIVES], alone = ABSENT;
  guint              n_plain = 0, a = 0;
  gboolean           set = FALSE;

  for (guint k = 0; k < steps->n_alternatives; k++)
    {
      const TlWaveAlternative *step = &steps->alternatives[k];
      const gint32            *from = source_of (grid, step, s, first);
      gint32                   weight = grid->sign * (gint32) step->weight.i;

      if (from != NULL && step->pair != TL_WAVE_NONE)
        {
          (set ? add_pair : set_pair) (to, from, grid->pair_at[step->pair], weight, n);
          set = TRUE;
        }
      else if (step->table == TL_WAVE_NONE)
        alone = MAX (alone, weight);
      else if (from != NULL)
        {
          plain[n_plain] = from;
          weights[n_plain++] = weight;
        }
    }
  if (!set && n_plain == 0)
    set_absent (to, n);
  else if (!set && n_plain == 1)
    set_step (to, plain[0], weights[0], n);
  else if (!set)
    set_two (to, plain[0], weights[0], plain[1], weights[1], n);
  for (a = set ? 0 : 2; a + 1 < n_plain; a += 2)
    add_two (to, plain[a], weights[a], plain[a + 1], weights[a + 1], n);
  if (a < n_plain)
    add_step (to, plain[a], weights[a], n);
  if (alone > NOTHING)
    at_least (to, alone, n);
}

/* All alternatives of one table over rows first..first + n - 1 of diagonal @s. */
static void
fill_table (Grid *grid, guint table, gint64 s, gint64 first, guint32 n)
{
  const TlWaveTable *steps = &grid->recurrence->tables[table];
  gint32            *to = cells_of (grid, table, (guint64) s) + first;

  if (grid->ways[table] == NULL)
    {
      join_table (grid, table, s, first, n);
      return;
    }
  memset (grid->way, 0, n * sizeof *grid->way);
  for (guint a = 0; a < steps->n_alternatives; a++)
    {
      const TlWaveAlternative *step = &steps->alternatives[a];
      const gint32            *from = source_of (grid, step, s, first);
      const gint32            *pair = step->pair != TL_WAVE_NONE ? grid->pair_at[step->pair] : NULL;
      gint32                   weight = grid->sign * (gint32) step->weight.i;

      if (from == NULL && a == 0)
        set_absent (to, n);
      else if (from == NULL)
        continue;
      else if (a == 0 && pair != NULL)
        set_pair (to, from, pair, weight, n);
      else if (a == 0)
        set_step (to, from, weight, n);
      else if (pair != NULL)
        trace_pair (to, grid->way, from, pair, weight, (gint32) a, n);
      else
        trace_step (to, grid->way, from, weight, (gint32) a, n);
    }
  narrow (grid->ways[table] + (grid->from[s] + (guint64) first), grid->way, n);
}

/* What stands beside the computed part of diagonal @s: absent cells, and the borders. */
static void
fill_sides (Grid *grid, guint table, gint64 s, gint64 first, gint64 last)
{
  const TlWaveProblem *problem = grid->problem;
  gint32              *cells = cells_of (grid, table, (guint64) s);
  gint64               reach = grid->pad - 1, least = -(gint64) grid->pad, most = (gint64) problem->rows + grid->pad;

  for (gint64 i = MAX (first - reach, least); i < MIN (first, most + 1); i++)
    cells[i] = ABSENT;
  for (gint64 i = last + 1; i <= MIN (last + reach, most); i++)
    cells[i] = ABSENT;
  for (guint side = 0; side < 2; side++)
    {
      gint64 i = side == 0 ? 0 : s, j = s - i;

      if (i > problem->rows || j > problem->columns)
        continue;
      TlScalar value = tl_wave_border (grid->recurrence, problem, table, (guint32) i, (guint32) j);
      cells[i] = value.i == grid->recurrence->semiring->zero.i ? ABSENT : grid->sign * (gint32) value.i;
    }
}

static TlScalar
value_of (const Grid *grid, gint32 stored)
{
  return stored <= NOTHING ? grid->recurrence->semiring->zero : (TlScalar) { .i = (gint64) grid->sign * stored };
}

static void
offer (const Grid *grid, TlWaveEnd *end, gint32 stored, gint64 i, gint64 j)
{
  TlScalar score = value_of (grid, stored);

  if (!tl_wave_beats (grid->recurrence, grid->options, end, score, (guint32) i, (guint32) j))
    return;
  end->found = TRUE;
  end->score = score;
  end->end_i = (guint32) i;
  end->end_j = (guint32) j;
}

/* The diagonal's best cell, the highest one among equals. */
static void
pick_best (const Grid *grid, gint64 s, gint64 first, guint32 n, TlWaveEnd *end)
{
  const gint32 *cells = cells_of (grid, grid->options->table, (guint64) s) + first;
  gboolean      up = (grid->sign > 0) == !!grid->options->greatest; /* the greatest stored value is picked */
  gint32        best = up ? greatest_of (cells, n) : least_of (cells, n);

  if (best <= NOTHING || best == G_MAXINT32)
    return;
  if (end->found)
    {
      gint64 there = grid->sign * end->score.i;
      if (up ? best < there : best > there)
        return;
      if (best == there && first >= end->end_i)
        return;
    }
  for (guint32 k = 0; k < n; k++)
    if (cells[k] == best)
      {
        offer (grid, end, best, first + k, s - first - k);
        return;
      }
}

static void
pick (const Grid *grid, gint64 s, gint64 first, gint64 last, TlWaveEnd *end)
{
  const TlWaveProblem *problem = grid->problem;
  const gint32        *cells = cells_of (grid, grid->options->table, (guint64) s);
  gint64               i = grid->options->pick == TL_WAVE_LAST_COLUMN ? s - (gint64) problem->columns : problem->rows;

  if (grid->options->pick == TL_WAVE_BEST)
    pick_best (grid, s, first, (guint32) (last - first + 1), end);
  else if (i >= first && i <= last && (grid->options->pick != TL_WAVE_LAST || s - i == problem->columns))
    offer (grid, end, cells[i], i, s - i);
}

/* The row of the diagonal's best cell in the steered table, the nearest to the moving band's
 * centre; -1 when all are absent. */
static gint64
best_near (Grid *grid, gint64 s, gint64 first, gint64 last, gint64 centre, gboolean *is_record)
{
  const gint32 *cells = cells_of (grid, grid->problem->steered, (guint64) s);
  gint32        best = last >= first ? greatest_of (cells + first, (guint32) (last - first + 1)) : ABSENT;

  *is_record = best > MAX (grid->record, NOTHING);
  if (best <= NOTHING)
    return -1;
  grid->record = MAX (grid->record, best);
  for (gint64 off = 0;; off++)
    {
      if (centre - off >= first && centre - off <= last && cells[centre - off] == best)
        return centre - off;
      if (centre + off >= first && centre + off <= last && cells[centre + off] == best)
        return centre + off;
    }
}

/* Notes the highest cell of the diagonal whose value is none of the carrier. */
static void
check_range (const Grid *grid, guint table, gint64 s, gint64 first, guint32 n, TlWaveEnd *end)
{
  const gint32 *cells = cells_of (grid, table, (guint64) s) + first;

  if (!any_outside (cells, grid->least, grid->most, n))
    return;
  for (guint32 k = 0; k < n; k++)
    if (cells[k] > grid->most || (cells[k] > NOTHING && cells[k] < grid->least))
      {
        tl_wave_note_left (end, table, (guint32) (first + k), (guint32) (s - first - k),
                           (cells[k] > grid->most) == (grid->sign > 0));
        return;
      }
}

static void
find_range (Grid *grid)
{
  const TlCarrier *carrier = &grid->recurrence->semiring->carrier;
  gint64           low = CLAMP (carrier->low.i, NOTHING, -NOTHING), high = CLAMP (carrier->high.i, NOTHING, -NOTHING);
  guint64          bound;

  grid->most = (gint32) (grid->sign > 0 ? high : -low);
  grid->least = (gint32) (grid->sign > 0 ? low : -high);
  grid->checks = !tl_wave_bound (grid->recurrence, grid->problem, &bound) || (gint64) bound > MIN (high, -low);
}

static guint
way_back (gpointer data, guint table, guint32 i, guint32 j)
{
  Grid *grid = data;

  return grid->ways[table][grid->from[(guint64) i + j] + i];
}

void
tl_wave_fast (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
              TlScalar *cells, TlWaveEnd *end)
{
  Grid        grid = { .recurrence = recurrence, .problem = problem, .options = options };
  gint64      s_end = (gint64) problem->rows + problem->columns;
  TlWaveSteer steer;
  gboolean    traces, record;

  grid.record = ABSENT;
  tl_wave_steer_init (&steer, recurrence, problem);
  grid_open (&grid);
  find_range (&grid);
  traces = options->trace && open_ways (&grid);
  for (gint64 s = 0; s <= s_end && !end->cancelled; s++)
    {
      gint64 first, last;

      tl_wave_diagonal (problem, s, &first, &last);
      last = MAX (last, first - 1);
      if (problem->adaptive > 0)
        tl_wave_steer_enter (&steer, problem, s, &first, &last);
      if (traces)
        grid.from[s] = grid.noted - (guint64) first;
      grid.noted += (guint64) (last - first + 1);
      if (last >= first)
        {
          fill_pairs (&grid, s, first, (guint32) (last - first + 1));
          end->cells += (guint64) (last - first + 1);
        }
      for (guint t = 0; t < recurrence->n_tables; t++)
        {
          if (last >= first)
            {
              fill_table (&grid, t, s, first, (guint32) (last - first + 1));
              if (grid.clamps)
                at_least (cells_of (&grid, t, (guint64) s) + first, ABSENT, (guint32) (last - first + 1));
              if (grid.checks)
                check_range (&grid, t, s, first, (guint32) (last - first + 1), end);
            }
          fill_sides (&grid, t, s, first, last);
        }
      if (last >= first)
        pick (&grid, s, first, last, end);
      if (problem->adaptive > 0)
        {
          gint64 best = best_near (&grid, s, first, last, steer.centre, &record);
          tl_wave_steer_leave (&steer, best, record);
          tl_wave_note_rows (end, options, first, last);
        }
      for (gint64 i = first; cells != NULL && i <= last; i++)
        cells[(guint64) i * (problem->columns + 1) + (guint64) (s - i)]
            = value_of (&grid, cells_of (&grid, options->table, (guint64) s)[i]);
      /* A fixed band may hold an earlier cell on a later diagonal; a moving one has lost its way. */
      if (end->left.found && problem->adaptive > 0)
        break;
      end->cancelled = s % 256 == 0 && g_cancellable_is_cancelled (options->cancellable);
    }
  if (traces && end->found && !end->cancelled && !end->left.found)
    tl_wave_walk (recurrence, problem, options, way_back, &grid, end);
  grid_close (&grid);
}
