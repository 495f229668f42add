/* Grids as numbers: letters become codes, terms of two letters become tables, borders
 * become arrays. */
#include "engine/grid-values.h"

#include "engine/grid-faults.h"
#include "input/score-matrix.h"

#include <string.h>

#define MAX_TRELLIS (1 << 26) /* cells, transitions */

static gboolean
fail (const TlGrid *grid, TlDiags *diags, TlSpan span, const char *code, const char *message, const char *reason)
{
  tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, code, grid->ast->source, span, "%s", message), "%s", reason);
  return FALSE;
}

/* Says what is no value of the carrier, where @scope found one. */
static gboolean
is_outside (const TlGrid *grid, const TlGridScope *scope, TlSpan span, TlDiags *diags)
{
  if (scope->outside)
    tl_grid_say_outside (grid, scope, span, diags);
  return scope->outside;
}

/* --- Sides as codes --- */

static guint64
length_of (const TlInput *input)
{
  if (input->sequences != NULL)
    return input->sequences->n_letters;
  return MAX (input->rows, input->columns);
}

/* An element as the recurrence calculates. */
static TlScalar
element_at (const TlGrid *grid, const TlMatrix *matrix, guint64 row, guint64 column)
{
  gboolean real = tl_carrier_is_float (&grid->semiring->carrier);
  TlScalar value = tl_matrix_get (matrix, row, column);

  if (real && !tl_element_type_is_float (matrix->element))
    value.r = (double) value.i;
  else if (!real && tl_element_type_is_float (matrix->element))
    value.i = (gint64) CLAMP (value.r, -1e15, 1e15);
  return value;
}

static TlScalar
element_of (const TlGridValues *values, const TlInput *input, const TlMatrix *matrix, guint64 at)
{
  if (input->sequences == NULL)
    return input->rows == 1 ? element_at (values->grid, matrix, 0, at) : element_at (values->grid, matrix, at, 0);
  guchar letter = (guchar) input->sequences->letters[at];
  return tl_carrier_is_float (&values->grid->semiring->carrier) ? (TlScalar) { .r = letter }
                                                                : (TlScalar) { .i = letter };
}

/* The code of a value, a new one if need be. FALSE when there are 256 already. */
static gboolean
code_of (TlGridValues *values, GHashTable *codes, TlScalar value, guint8 *code)
{
  gpointer known;

  if (!g_hash_table_lookup_extended (codes, &value.i, NULL, &known))
    {
      if (values->values->len == 256)
        return FALSE;
      known = GUINT_TO_POINTER (values->values->len);
      g_hash_table_insert (codes, g_memdup2 (&value.i, sizeof value.i), known);
      g_array_append_val (values->values, value);
    }
  *code = (guint8) GPOINTER_TO_UINT (known);
  return TRUE;
}

/* A read that lies the other way round has the complements of its letters. */
static void
code_complements (TlGridValues *values, GHashTable *codes)
{
  for (guint v = 0, n = values->values->len; v < n; v++)
    {
      char     letter = (char) g_array_index (values->values, TlScalar, v).i, other;
      TlScalar value;
      guint8   code;

      tl_sequence_complement (&letter, 1, &other);
      value.i = (guchar) other;
      code_of (values, codes, value, &code);
    }
}

static gboolean
code_side (TlGridValues *values, guint side, GHashTable *codes, TlDiags *diags)
{
  const TlGrid     *grid = values->grid;
  const TlGridSide *said = &grid->sides[side];
  TlGridCodes      *out = &values->sides[side];
  const TlInput    *input = out->input;
  gboolean          letters = input->sequences != NULL;
  g_autoptr (TlMatrix) matrix = NULL;
  gint64 first = said->offset + (letters ? 0 : 1); /* element of row 1, from 0 */

  if (letters && said->offset != 0)
    return fail (grid, diags, said->span, "offset-subscript", "letters are read beside their row",
                 "letter i belongs to row i, counted from 1: read q[i]");
  if (!letters && input->rows != 1 && input->columns != 1)
    return fail (grid, diags, said->span, "shape-rank", "a matrix stands where a vector is read",
                 "one row or one column is a vector");
  if (!letters && (matrix = tl_input_matrix (input, grid->semiring, 0, diags)) == NULL)
    return FALSE;
  if (first < 0 || (guint64) first >= length_of (input))
    return fail (grid, diags, said->span, "offset-subscript", "row 1 would read outside of its data",
                 "elements of a vector count from 0, rows from 1");
  out->n = length_of (input) - (guint64) first;
  if (out->n > TL_WAVE_MAX_LETTERS)
    return fail (grid, diags, said->span, "too-large", "there are more than 536,870,911 elements along one side",
                 "cut the data down");
  out->codes = g_malloc (out->n);
  for (guint64 k = 0; k < out->n; k++)
    {
      if (!code_of (values, codes, element_of (values, input, matrix, (guint64) first + k), &out->codes[k]))
        return fail (grid, diags, said->span, "too-many-values", "more than 256 different values along the sides",
                     "weights are kept as a table of both sides' values; take a coarser scale");
    }
  return TRUE;
}

static gboolean
find_sides (TlGridValues *values, const TlBuildData *data, TlDiags *diags)
{
  const TlGrid *grid = values->grid;
  g_autoptr (GHashTable) codes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint side = 0; side < 2; side++)
    {
      const TlGridSide   *said = &grid->sides[side];
      const TlBuildDatum *datum = said->name != NULL ? tl_build_data_find (data, said->name) : NULL;

      if (said->name == NULL)
        continue;
      if (datum == NULL || datum->input == NULL)
        return fail (grid, diags, said->span, "missing-data", "what is read here has no values",
                     "give its data line a source: sequence(\"FILE\"), reads(\"FILE\") or matrix(\"FILE.csv\")");
      values->sides[side].input = datum->input;
      if (datum->input->kind == TL_INPUT_READS && side == 1)
        return fail (grid, diags, said->span, "many-columns", "reads stand along the columns",
                     "one sequence goes along the columns; let the reads go along the rows");
      values->letters |= datum->input->sequences != NULL;
    }
  for (guint side = 0; side < 2; side++)
    {
      const TlInput *input = values->sides[side].input;

      if (input != NULL && (input->sequences != NULL) != values->letters)
        return fail (grid, diags, grid->sides[side].span, "mixed-values",
                     "letters along one side, numbers along the other", "both sides are letters, or both are numbers");
      if (input != NULL && !code_side (values, side, codes, diags))
        return FALSE;
    }
  if (values->letters && grid->stream != NULL)
    code_complements (values, codes);
  return TRUE;
}

/* --- Tables of two letters --- */

#define ROW_PROBE    (G_GINT64_CONSTANT (1) << 40) /* loop values that tell the sides apart */
#define COLUMN_PROBE (G_GINT64_CONSTANT (1) << 41)

typedef struct
{
  const TlGridValues  *values;
  const TlScoreMatrix *matrix;
  gint64               match;
  gint64               mismatch;
  gboolean             scores;  /* match and mismatch hold */
  TlScalar             pair[2]; /* the two letters */
  gint64               unknown; /* a letter that the matrix lacks, 0: none */
} Pairs;

static gboolean
score_of (Pairs *pairs, const TlScalar *letters, TlScalar *value)
{
  gboolean real = tl_carrier_is_float (&pairs->values->grid->semiring->carrier);
  gint64   score;

  gint64 a = real ? (gint64) letters[0].r : letters[0].i, b = real ? (gint64) letters[1].r : letters[1].i;
  if (pairs->matrix != NULL)
    {
      guchar x = (guchar) CLAMP (a, 0, 255), y = (guchar) CLAMP (b, 0, 255);

      if (!pairs->matrix->known[x] || !pairs->matrix->known[y])
        {
          pairs->unknown = pairs->matrix->known[x] ? y : x;
          return FALSE;
        }
      score = pairs->matrix->scores[x * 256 + y];
    }
  else if (pairs->scores)
    score = a == b && !(pairs->values->letters && a == 'N') ? pairs->match : pairs->mismatch;
  else
    return FALSE;
  *value = real ? (TlScalar) { .r = (double) score } : (TlScalar) { .i = score };
  return TRUE;
}

static gboolean
read_pair (const char *name, const TlScalar *subscripts, guint n, TlScalar *value, gpointer data)
{
  Pairs *pairs = data;

  if (strcmp (name, "score") == 0)
    return score_of (pairs, subscripts, value);
  gboolean real = tl_carrier_is_float (&pairs->values->grid->semiring->carrier);
  double   place = real ? subscripts[0].r : (double) subscripts[0].i;
  for (guint side = 0; n == 1 && side < 2; side++)
    {
      const TlGridSide *said = &pairs->values->grid->sides[side];
      double            probe = (double) (side == 0 ? ROW_PROBE : COLUMN_PROBE);

      if (said->name != NULL && strcmp (said->name, name) == 0 && place == probe + (double) said->offset)
        {
          *value = pairs->pair[side];
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
pair_fault (const Pairs *pairs, const TlGridScope *scope, const TlExpr *expr, TlDiags *diags)
{
  const TlGrid *grid = pairs->values->grid;
  TlSpan        span = scope->fault != NULL ? scope->fault->span : expr->span;

  if (is_outside (grid, scope, span, diags))
    return FALSE;
  if (pairs->unknown == 0)
    return fail (
        grid, diags, span, "bad-weight", "this weight has no value",
        "weights are made of letters or elements, numbers, gap costs, score, +, -, *, min, max and comparisons");
  g_autofree char *reason = g_strdup_printf ("the score matrix has no line for the letter %c", (char) pairs->unknown);
  return fail (grid, diags, span, "unknown-letter", "a letter of the data has no score", reason);
}

static gboolean
fill_pairs (Pairs *pairs, const TlGridTerm *terms, guint n_terms, TlScalar *table, TlDiags *diags)
{
  const TlGridValues *values = pairs->values;
  const TlGrid       *grid = values->grid;
  guint               n = values->values->len;

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        TlGridScope scope = { .grid = grid,
                              .names = { grid->loops[0], grid->loops[1] },
                              .values = { ROW_PROBE, COLUMN_PROBE },
                              .n_names = 2,
                              .read = read_pair,
                              .data = pairs };

        pairs->pair[0] = g_array_index (values->values, TlScalar, a);
        pairs->pair[1] = g_array_index (values->values, TlScalar, b);
        if (!tl_grid_combine (&scope, terms, n_terms, &table[a * n + b]))
          return pair_fault (pairs, &scope, terms[0].expr, diags);
      }
  return TRUE;
}

/* The table of these terms: one that is known already, or a new one. */
static gboolean
find_pairs (Pairs *pairs, TlWaveRecurrence *recurrence, GPtrArray *texts, const TlGridTerm *terms, guint n_terms,
            int *number, TlDiags *diags)
{
  const TlGrid *grid = pairs->values->grid;
  char         *text = tl_grid_terms_text (grid, terms, n_terms);
  guint         n = pairs->values->values->len;

  for (guint t = 0; t < texts->len; t++)
    if (strcmp (texts->pdata[t], text) == 0)
      {
        *number = (int) t;
        g_free (text);
        return TRUE;
      }
  g_ptr_array_add (texts, text);
  if (recurrence->n_pairs == TL_WAVE_MAX_PAIRS)
    return fail (grid, diags, terms[0].expr->span, "no-recurrence", "more than 8 different weights of two letters",
                 "join some of them");
  *number = (int) recurrence->n_pairs;
  recurrence->pairs[recurrence->n_pairs++] = g_new0 (TlScalar, MAX (n * n, 1));
  return fill_pairs (pairs, terms, n_terms, recurrence->pairs[*number], diags);
}

static gboolean
fill_step (Pairs *pairs, TlWaveRecurrence *recurrence, GPtrArray *texts, const TlGridAlternative *from,
           TlWaveAlternative *to, TlDiags *diags)
{
  const TlGrid *grid = pairs->values->grid;
  TlGridTerm    constants[TL_GRID_MAX_TERMS], letters[TL_GRID_MAX_TERMS];
  guint         n_constants = 0, n_letters = 0;
  TlGridScope   scope = { .grid = grid };

  gboolean reads = FALSE;
  for (guint t = 0; t < from->n_terms; t++)
    reads |= tl_grid_reads (grid, from->terms[t].expr);
  /* Terms keep their order where the combination does not commute. */
  reads &= !tl_operator_commutes (&grid->semiring->times, &grid->semiring->carrier);
  for (guint t = 0; t < from->n_terms; t++)
    if (reads || tl_grid_reads (grid, from->terms[t].expr))
      letters[n_letters++] = from->terms[t];
    else
      constants[n_constants++] = from->terms[t];
  *to = (TlWaveAlternative) { .table = from->table, .di = from->di, .dj = from->dj, .pair = TL_WAVE_NONE };
  if (!tl_grid_combine (&scope, constants, n_constants, &to->weight))
    return pair_fault (pairs, &scope, constants[0].expr, diags);
  return n_letters == 0 || find_pairs (pairs, recurrence, texts, letters, n_letters, &to->pair, diags);
}

static gboolean
read_matrix (Pairs *pairs, const char *name, TlScoreMatrix **matrix, TlInputs *inputs, TlDiags *diags)
{
  const TlConfigItem *item = tl_ast_config (pairs->values->grid->ast, "score");
  g_autoptr (GError) error = NULL;
  guint64 content = 0;

  *matrix = tl_score_matrix_named (name);
  if (*matrix == NULL)
    {
      g_autoptr (GBytes) bytes = tl_inputs_load (inputs, name, &content, NULL, &error);
      gsize         length = 0;
      gconstpointer data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

      if (bytes == NULL)
        return fail (pairs->values->grid, diags, item->value_span, "missing-file", "there is no such score matrix",
                     "it is BLOSUM62, or a file relative to the program");
      *matrix = tl_score_matrix_read (name, data, length, diags);
    }
  pairs->matrix = *matrix;
  return *matrix != NULL;
}

static gboolean
fill_recurrence (TlGridValues *values, TlInputs *inputs, TlDiags *diags)
{
  const TlGrid             *grid = values->grid;
  Pairs                     pairs = { .values = values };
  TlWaveRecurrence         *recurrence = &values->recurrence;
  g_autofree TlScoreMatrix *matrix = NULL;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  pairs.scores = tl_grid_match_scores (grid->ast, &pairs.match, &pairs.mismatch, &name);
  if (name != NULL && !read_matrix (&pairs, name, &matrix, inputs, diags))
    return FALSE;
  recurrence->semiring = tl_semiring_copy (grid->semiring);
  recurrence->n_codes = MAX (values->values->len, 1);
  recurrence->n_tables = grid->n_tables;
  for (guint t = 0; t < grid->n_tables; t++)
    {
      recurrence->tables[t].n_alternatives = grid->tables[t].n_alternatives;
      for (guint a = 0; a < grid->tables[t].n_alternatives; a++)
        if (!fill_step (&pairs, recurrence, texts, &grid->tables[t].alternatives[a],
                        &recurrence->tables[t].alternatives[a], diags))
          return FALSE;
    }
  return TRUE;
}

gboolean
tl_grid_values_init (TlGridValues *values, const TlGrid *grid, const TlBuildData *data, TlInputs *inputs,
                     TlDiags *diags)
{
  *values = (TlGridValues) { .grid = grid, .values = g_array_new (FALSE, FALSE, sizeof (TlScalar)) };
  return grid->kind == TL_GRID_TRELLIS || (find_sides (values, data, diags) && fill_recurrence (values, inputs, diags));
}

void
tl_grid_values_clear (TlGridValues *values)
{
  tl_wave_recurrence_clear (&values->recurrence);
  g_free (values->sides[0].codes);
  g_free (values->sides[1].codes);
  g_clear_pointer (&values->values, g_array_unref);
}

/* --- Borders --- */

static gboolean
border_value (const TlGrid *grid, const TlGridBorder *border, gint64 at, TlGridRead read, gpointer data,
              TlScalar *value, TlDiags *diags)
{
  TlGridScope scope
      = { .grid = grid, .names = { border->loop }, .values = { at }, .n_names = 1, .read = read, .data = data };

  const TlGridTerm term = { border->expr, FALSE };

  if (tl_grid_combine (&scope, &term, 1, value))
    return TRUE;
  TlSpan span = scope.fault != NULL ? scope.fault->span : border->expr->span;
  return !is_outside (grid, &scope, span, diags)
         && fail (grid, diags, span, "bad-weight", "this border has no value",
                  "it is made of its loop, numbers and gap costs");
}

/* The cells of one border, NULL where it is absent; @other: the border on the other side. */
static gboolean
fill_border (const TlGrid *grid, const TlGridTable *table, const TlGridBorder *border, const TlGridBorder *other,
             guint32 n, GPtrArray *cells, const TlScalar **out, TlDiags *diags)
{
  const TlGridBorder *corner = table->corner.expr != NULL ? &table->corner : border->expr != NULL ? border : other;
  TlScalar           *values;

  if (border->expr == NULL && !table->zero_border && table->corner.expr == NULL)
    return TRUE;
  values = g_new0 (TlScalar, (gsize) n + 1);
  g_ptr_array_add (cells, values);
  *out = values;
  for (guint32 k = 0; k <= n; k++)
    {
      const TlGridBorder *from = k == 0 && (table->corner.expr != NULL || table->zero_border) ? corner : border;

      if (from->expr == NULL && !table->zero_border)
        values[k] = grid->semiring->zero;
      if (from->expr != NULL && !border_value (grid, from, k, NULL, NULL, &values[k], diags))
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_grid_values_borders (const TlGridValues *values, TlWaveProblem *problem, GPtrArray *cells, TlDiags *diags)
{
  const TlGrid *grid = values->grid;

  for (guint t = 0; t < grid->n_tables; t++)
    {
      const TlGridTable *table = &grid->tables[t];

      if (!fill_border (grid, table, &table->column, &table->row, problem->rows, cells, &problem->column[t], diags)
          || !fill_border (grid, table, &table->row, &table->column, problem->columns, cells, &problem->row[t], diags))
        return FALSE;
      if (problem->column[t] == NULL || problem->row[t] == NULL)
        continue;
      if (!tl_scalar_equal (&grid->semiring->carrier, problem->column[t][0], problem->row[t][0]))
        return fail (grid, diags, table->row.expr != NULL ? table->row.expr->span : table->span, "border-differs",
                     "both borders give cell (0,0), and not the same value",
                     "make them agree, or give it on its own: H[0,0] = 0");
    }
  return TRUE;
}

/* --- Trellises --- */

typedef struct
{
  const TlGrid      *grid;
  const TlBuildData *data;
  GHashTable        *matrices; /* name -> TlMatrix, owned */
  TlDiags           *diags;
} Reads;

static const TlMatrix *
matrix_named (Reads *reads, const char *name)
{
  TlMatrix           *matrix = g_hash_table_lookup (reads->matrices, name);
  const TlBuildDatum *datum = matrix == NULL ? tl_build_data_find (reads->data, name) : NULL;

  if (matrix == NULL && datum != NULL && datum->input != NULL && datum->input->sequences == NULL)
    {
      matrix = tl_input_matrix (datum->input, reads->grid->semiring, 0, reads->diags);
      if (matrix != NULL)
        g_hash_table_insert (reads->matrices, g_strdup (name), matrix);
    }
  return matrix;
}

static gboolean
read_element (const char *name, const TlScalar *subscripts, guint n, TlScalar *value, gpointer data)
{
  Reads          *reads = data;
  const TlMatrix *matrix = matrix_named (reads, name);
  gboolean        real = tl_carrier_is_float (&reads->grid->semiring->carrier);
  guint64         at[2] = { 0, 0 };

  if (matrix == NULL || n < 1 || n > 2)
    return FALSE;
  for (guint d = 0; d < n; d++)
    {
      double place = real ? subscripts[d].r : (double) subscripts[d].i;

      if (!(place >= 0 && place < (double) G_MAXUINT32))
        return FALSE;
      at[d] = (guint64) place;
    }
  if (n == 1 && matrix->rows == 1)
    at[1] = at[0], at[0] = 0;
  else if (n == 1 && matrix->columns != 1)
    return FALSE;
  if (at[0] >= matrix->rows || at[1] >= matrix->columns)
    return FALSE;
  *value = element_at (reads->grid, matrix, at[0], at[1]);
  return TRUE;
}

/* The extent of a loop: that of the first dimension of data where it stands alone. 0: none. */
static guint64
extent_in (Reads *reads, const TlExpr *expr, const char *loop)
{
  guint64 extent = 0;

  for (guint d = 0; expr->kind == TL_EXPR_SUBSCRIPT && d < expr->n_args; d++)
    if (expr->args[d]->kind == TL_EXPR_NAME && strcmp (expr->args[d]->text, loop) == 0)
      {
        const TlMatrix *matrix = matrix_named (reads, expr->text);

        if (matrix != NULL)
          return expr->n_args == 1 ? MAX (matrix->rows, matrix->columns) : d == 0 ? matrix->rows : matrix->columns;
      }
  for (guint i = 0; i < expr->n_args && extent == 0; i++)
    extent = extent_in (reads, expr->args[i], loop);
  return extent;
}

static guint64
extent_of (Reads *reads, const char *loop)
{
  const TlGrid            *grid = reads->grid;
  const TlGridAlternative *step = &grid->tables[0].alternatives[0];
  const TlBuildDatum      *own = tl_build_data_find (reads->data, grid->tables[0].name);
  guint64                  extent = 0;

  for (guint t = 0; t < grid->n_emission && extent == 0; t++)
    extent = extent_in (reads, grid->emission[t].expr, loop);
  for (guint t = 0; t < step->n_terms && extent == 0; t++)
    extent = extent_in (reads, step->terms[t].expr, loop);
  if (extent == 0 && own != NULL)
    extent = strcmp (loop, grid->loops[0]) == 0 ? own->rows : own->columns;
  return extent;
}

static gboolean
term_fault (const TlGridScope *scope, const TlExpr *expr, TlDiags *diags)
{
  TlSpan span = scope->fault != NULL ? scope->fault->span : expr->span;

  return !is_outside (scope->grid, scope, span, diags)
         && fail (scope->grid, diags, span, "bad-weight", "this weight has no value",
                  "an element that it reads is not there, or it is made of something else than data and numbers");
}

static gboolean
fill_trellis (Reads *reads, TlTrellis *trellis, TlScalar *first, TlScalar *transition, TlScalar *emission)
{
  const TlGrid            *grid = reads->grid;
  const TlGridAlternative *step = &grid->tables[0].alternatives[0];
  const TlGridBorder      *border = &grid->tables[0].row;
  TlGridScope              scope = { .grid = grid, .n_names = 2, .read = read_element, .data = reads };

  if (border->expr == NULL)
    return fail (grid, reads->diags, grid->tables[0].span, "border-missing", "step 0 has no values",
                 "give them: V[0,s] = init[s] + logB[s,o[0]]");
  for (guint32 s = 0; s < trellis->states; s++)
    if (!border_value (grid, border, s, read_element, reads, &first[s], reads->diags))
      return FALSE;
  scope.names[0] = grid->over;
  scope.names[1] = grid->loops[1];
  for (guint32 p = 0; p < trellis->states; p++)
    for (guint32 s = 0; s < trellis->states; s++)
      {
        scope.values[0] = p;
        scope.values[1] = s;
        if (!tl_grid_combine (&scope, step->terms, step->n_terms, &transition[(guint64) p * trellis->states + s]))
          return term_fault (&scope, step->terms[0].expr, reads->diags);
      }
  scope.names[0] = grid->loops[0];
  for (guint32 t = 1; t < trellis->steps; t++)
    for (guint32 s = 0; s < trellis->states; s++)
      {
        scope.values[0] = t;
        scope.values[1] = s;
        if (!tl_grid_combine (&scope, grid->emission, grid->n_emission, &emission[(guint64) t * trellis->states + s]))
          return term_fault (&scope, grid->emission[0].expr, reads->diags);
      }
  return TRUE;
}

gboolean
tl_grid_values_trellis (const TlGridValues *values, const TlBuildData *data, TlTrellis *trellis, GPtrArray *cells,
                        TlDiags *diags)
{
  const TlGrid *grid = values->grid;
  g_autoptr (GHashTable) matrices
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) tl_matrix_free);
  Reads   reads = { .grid = grid, .data = data, .matrices = matrices, .diags = diags };
  guint64 steps = extent_of (&reads, grid->loops[0]), states = extent_of (&reads, grid->loops[1]);

  if (steps == 0 || states == 0)
    return fail (grid, diags, grid->tables[0].span, "unknown-extent", "the number of steps or states is not known",
                 "neither the data read with its loops nor a shape of the table says it");
  if (steps * states > MAX_TRELLIS || states * states > MAX_TRELLIS)
    return fail (grid, diags, grid->tables[0].span, "too-large", "the trellis has more than 67,108,864 cells",
                 "cut the observations or the states down");
  TlScalar *arrays[]
      = { g_new0 (TlScalar, states), g_new0 (TlScalar, states * states), g_new0 (TlScalar, steps * states) };
  for (guint a = 0; a < G_N_ELEMENTS (arrays); a++)
    g_ptr_array_add (cells, arrays[a]);
  *trellis = (TlTrellis) { grid->semiring, (guint32) steps, (guint32) states, arrays[0], arrays[1], arrays[2] };
  return fill_trellis (&reads, trellis, arrays[0], arrays[1], arrays[2]);
}
