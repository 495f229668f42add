/* Grids: borders, result, band, and the data that rows and columns go along. */
#include "passes/g1-grid-private.h"

#include "dsl/knobs.h"

#include <string.h>

static int
table_named (const TlGrid *grid, const char *name)
{
  for (guint t = 0; t < grid->n_tables; t++)
    if (strcmp (grid->tables[t].name, name) == 0)
      return (int) t;
  return -1;
}

/* --- Borders --- */

static gboolean
bad_border (TlGridReader *reader, const TlExpr *at, const char *what, const char *reason)
{
  TlDiag *diag = tl_g1_error (reader->g1, "border-place", at->span, "%s", what);

  if (diag != NULL)
    tl_diag_reason (diag, "%s", reason);
  return FALSE;
}

static gboolean
read_border (TlGridReader *reader, const TlStmt *stmt)
{
  TlGrid       *grid = reader->grid;
  const TlExpr *target = stmt->target;
  int           number = table_named (grid, target->text);
  const char   *loops[2] = { NULL, NULL };

  if (number < 0 || target->n_args != 2)
    return bad_border (reader, target, "a border of what the recurrence does not fill",
                       "a statement without loops gives border cells, E[i,0] = i, of a table that has an update");
  if (tl_grid_holds_own (reader, stmt->value))
    return bad_border (reader, stmt->value, "a border's value reads cells of the recurrence",
                       "borders are known before the first cell: write the value itself, such as -gap * i");
  for (guint d = 0; d < 2; d++)
    {
      gint64 constant = 0;

      if (tl_expr_integer (target->args[d], &constant))
        {
          if (constant != 0)
            return bad_border (reader, target->args[d], "a border is row 0 or column 0",
                               "cells of later rows and columns are computed");
        }
      else if (target->args[d]->kind == TL_EXPR_NAME)
        loops[d] = target->args[d]->text;
      else
        return bad_border (reader, target->args[d], "a border goes along a whole row or column",
                           "its subscripts are 0 and the name of a loop");
    }
  if (loops[0] != NULL && loops[1] != NULL)
    return bad_border (reader, target, "a border has a constant subscript",
                       "E[i,0] = i is the column before the first");
  TlGridTable  *table = &grid->tables[number];
  TlGridBorder *border = loops[0] != NULL ? &table->column : loops[1] != NULL ? &table->row : &table->corner;
  if (border->expr != NULL)
    return bad_border (reader, target, "this border is given twice", "each border has one value for each cell");
  *border = (TlGridBorder) { stmt->value, loops[0] != NULL ? loops[0] : loops[1] };
  return TRUE;
}

/* A literal 0 stands among the alternatives: a local recurrence, whose border is 0. */
static gboolean
has_floor (const TlGridTable *table)
{
  for (guint a = 0; a < table->n_alternatives; a++)
    {
      const TlGridAlternative *step = &table->alternatives[a];
      gint64                   value;

      if (step->table == TL_GRID_NONE && step->n_terms == 1 && tl_expr_integer (step->terms[0].expr, &value)
          && value == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
starts_alone (const TlGridTable *table)
{
  for (guint a = 0; a < table->n_alternatives; a++)
    if (table->alternatives[a].table == TL_GRID_NONE)
      return TRUE;
  return FALSE;
}

gboolean
tl_grid_read_borders (TlGridReader *reader)
{
  const TlAlgorithm *algorithm = reader->g1->algorithm;
  TlGrid            *grid = reader->grid;
  gboolean           starts = FALSE;

  for (guint s = 0; s < algorithm->n_body; s++)
    if (algorithm->body[s]->kind == TL_STMT_UPDATE && algorithm->body[s]->n_loops == 0
        && !read_border (reader, algorithm->body[s]))
      return FALSE;
  for (guint t = 0; t < grid->n_tables; t++)
    {
      TlGridTable *table = &grid->tables[t];
      gboolean     said = table->column.expr != NULL || table->row.expr != NULL || table->corner.expr != NULL;

      table->zero_border = has_floor (table);
      starts |= said || table->zero_border || starts_alone (table);
    }
  if (starts)
    return TRUE;
  TlDiag *diag = tl_g1_error (reader->g1, "border-missing", grid->tables[grid->pick_table].span,
                              "no cell of %s has a value to start from", grid->tables[0].name);
  if (diag != NULL)
    tl_diag_reason (diag,
                    "cells outside are absent: give borders, %s[i,0] = i and %s[0,j] = j, or let 0 be one of the "
                    "alternatives",
                    grid->tables[0].name, grid->tables[0].name);
  return FALSE;
}

/* --- Result --- */

static guint
default_table (const TlGrid *grid)
{
  for (guint t = 0; t < grid->n_tables; t++)
    if (has_floor (&grid->tables[t]))
      return t;
  for (guint t = 0; t < grid->n_tables; t++)
    if (grid->tables[t].column.expr != NULL && grid->tables[t].row.expr != NULL)
      return t;
  return grid->n_tables - 1;
}

static gboolean
bad_result (TlGridReader *reader, const TlExpr *at)
{
  TlDiag *diag = tl_g1_error (reader->g1, "unknown-result", at->span, "this result is not one of the recurrence");

  if (diag != NULL)
    tl_diag_reason (diag, "it is max H, min H, last H, max over j (H[last, j]) or max over i (H[i, last])");
  return FALSE;
}

static gboolean
read_reduction (TlGridReader *reader, const TlExpr *value)
{
  TlGrid       *grid = reader->grid;
  const TlExpr *cell = value->args[0];
  int           number = cell->kind == TL_EXPR_SUBSCRIPT ? table_named (grid, cell->text) : -1;

  if (number < 0 || cell->n_args != 2 || value->n_loops != 1
      || (strcmp (value->text, "max") != 0 && strcmp (value->text, "min") != 0))
    return bad_result (reader, value);
  gboolean      row = tl_grid_names (cell->args[0], "last") && cell->args[0]->kind == TL_EXPR_NAME;
  gboolean      column = tl_grid_names (cell->args[1], "last") && cell->args[1]->kind == TL_EXPR_NAME;
  const TlExpr *along = row ? cell->args[1] : cell->args[0];
  if (row == column || along->kind != TL_EXPR_NAME || strcmp (along->text, value->loops[0].name) != 0)
    return bad_result (reader, value);
  grid->pick = row ? TL_GRID_LAST_ROW : TL_GRID_LAST_COLUMN;
  grid->pick_table = (guint) number;
  grid->greatest = strcmp (value->text, "max") == 0;
  return TRUE;
}

gboolean
tl_grid_read_result (TlGridReader *reader)
{
  const TlAlgorithm *algorithm = reader->g1->algorithm;
  TlGrid            *grid = reader->grid;

  grid->pick_table = default_table (grid);
  grid->greatest = reader->plus.kind != TL_OPERATOR_MIN;
  grid->pick = grid->kind == TL_GRID_TRELLIS                 ? TL_GRID_LAST_ROW
               : has_floor (&grid->tables[grid->pick_table]) ? TL_GRID_BEST
                                                             : TL_GRID_LAST;
  for (guint s = 0; s < algorithm->n_body; s++)
    {
      const TlExpr *value = algorithm->body[s]->value;

      if (algorithm->body[s]->kind != TL_STMT_RESULT)
        continue;
      if (value->kind == TL_EXPR_REDUCE)
        return read_reduction (reader, value);
      int number = value->kind == TL_EXPR_CALL && value->n_args == 1 && value->args[0]->kind == TL_EXPR_NAME
                       ? table_named (grid, value->args[0]->text)
                       : -1;
      if (number < 0 || (grid->kind == TL_GRID_TRELLIS && strcmp (value->text, "last") == 0))
        return bad_result (reader, value);
      grid->pick_table = (guint) number;
      grid->pick = strcmp (value->text, "last") == 0 ? TL_GRID_LAST : TL_GRID_BEST;
      if (grid->pick == TL_GRID_BEST)
        grid->greatest = strcmp (value->text, "max") == 0;
    }
  return TRUE;
}

/* --- The rest of the config --- */

void
tl_grid_read_config (TlGridReader *reader)
{
  static const char *const used[] = { "target", "tile", "traversal", "mode",        "split", "queue", "edges",
                                      "owner",  "ring", "precision", "page",        "band",  "score", "gap",
                                      "values", "seed", "baseline",  "copy_writes", NULL }; /* target.KEY too */
  const TlAst             *ast = reader->g1->ast;
  const TlConfigItem      *first = NULL;
  g_autoptr (GString) keys = g_string_new (NULL);
  guint         n_knobs, n = 0;
  const TlKnob *knobs = tl_knobs (&n_knobs);

  for (guint k = n_knobs; k-- > 0;)
    {
      const TlConfigItem *item = g_strv_contains (used, knobs[k].key) ? NULL : tl_ast_config (ast, knobs[k].key);

      if (item == NULL)
        continue;
      g_string_prepend (keys, n == 0 ? "" : n == 1 ? " and " : ", ");
      g_string_prepend (keys, knobs[k].key);
      if (first == NULL || item->span.start < first->span.start)
        first = item;
      n++;
    }
  if (n > 0)
    tl_diag_reason (
        tl_diags_add (reader->g1->diags, TL_SEVERITY_NOTE, "knob-unused", ast->source, first->span,
                      "%s %s nothing for a recurrence in wavefront order", keys->str, n == 1 ? "does" : "do"),
        "its tiles go by waves with a barrier behind each, on the PUs that the split gives to computing; knobs of "
        "closures and of compute units have no say there");
}

/* --- Rows and columns --- */

/* Notes which data @expr reads along which side. */
static gboolean
read_side (TlGridReader *reader, const TlExpr *expr)
{
  TlGrid *grid = reader->grid;
  guint   loop = 0;
  gint64  offset = 0;

  for (guint i = 0; i < expr->n_args; i++)
    if (!read_side (reader, expr->args[i]))
      return FALSE;
  if (expr->kind != TL_EXPR_SUBSCRIPT)
    return TRUE;
  if (expr->n_args != 1 || !tl_grid_subscript (grid, expr->args[0], &loop, &offset))
    {
      TlDiag *diag = tl_g1_error (reader->g1, "not-on-this-target", expr->span,
                                  "a weight read from %s at no constant distance along one side", expr->text);
      if (diag != NULL)
        tl_diag_reason (diag, "weights hang on one element along the rows and one along the columns, q[i] and r[j], as "
                              "letters and vectors give them; this version reads no other weights");
      return FALSE;
    }
  TlGridSide *side = &grid->sides[loop];
  if (side->name != NULL && (strcmp (side->name, expr->text) != 0 || side->offset != offset))
    {
      TlDiag *diag = tl_g1_error (reader->g1, "not-on-this-target", expr->span,
                                  "%s and %s are both read along one side, or one of them at two places", side->name,
                                  expr->text);
      if (diag != NULL)
        tl_diag_reason (diag, "this version follows one sequence along the rows and one along the columns");
      return FALSE;
    }
  *side = (TlGridSide) { expr->text, offset, expr->span };
  return TRUE;
}

static gboolean
check_score (TlGridReader *reader, const TlExpr *expr)
{
  const TlConfigItem *item = tl_ast_config (reader->g1->ast, "score");
  const char         *missing = NULL;

  for (guint i = 0; i < expr->n_args; i++)
    if (!check_score (reader, expr->args[i]))
      return FALSE;
  if (expr->kind == TL_EXPR_CALL && strcmp (expr->text, "score") == 0 && item == NULL)
    missing = "score = match 2 mismatch -4, or score = matrix \"BLOSUM62\"";
  else if (expr->kind == TL_EXPR_NAME
           && (g_str_has_prefix (expr->text, "gap") || strcmp (expr->text, "open") == 0
               || strcmp (expr->text, "extend") == 0))
    {
      const TlConfigItem *gap = tl_ast_config (reader->g1->ast, "gap");
      gboolean            plain = strcmp (expr->text, "gap") == 0;

      if (gap == NULL || (gap->value->kind == TL_EXPR_WORDS) == plain)
        missing = plain ? "gap = 2" : "gap = open 5 extend 1";
    }
  if (missing == NULL)
    return TRUE;
  TlDiag *diag = tl_g1_error (reader->g1, "unknown-score", expr->span, "%s has no value", expr->text);
  if (diag != NULL)
    tl_diag_reason (diag, "say it in a config line: %s", missing);
  return FALSE;
}

gboolean
tl_grid_read_sides (TlGridReader *reader)
{
  TlGrid *grid = reader->grid;

  for (guint t = 0; t < grid->n_tables; t++)
    {
      const TlGridTable  *table = &grid->tables[t];
      const TlGridBorder *borders[] = { &table->column, &table->row, &table->corner };

      for (guint a = 0; a < table->n_alternatives; a++)
        for (guint k = 0; k < table->alternatives[a].n_terms; k++)
          {
            const TlExpr *expr = table->alternatives[a].terms[k].expr;
            if (!check_score (reader, expr) || (grid->kind == TL_GRID_WAVE && !read_side (reader, expr)))
              return FALSE;
            for (guint l = 0; grid->kind == TL_GRID_WAVE && l < 2; l++)
              if (!tl_grid_reads (grid, expr) && tl_grid_names (expr, grid->loops[l]))
                {
                  TlDiag *diag = tl_g1_error (reader->g1, "depends-on-index", expr->span,
                                              "the weight hangs on the loop %s itself", grid->loops[l]);
                  if (diag != NULL)
                    tl_diag_reason (diag, "weights hang on the letters of a cell; a border may hang on its loop");
                  return FALSE;
                }
          }
      for (guint b = 0; b < G_N_ELEMENTS (borders); b++)
        if (borders[b]->expr != NULL && !check_score (reader, borders[b]->expr))
          return FALSE;
    }
  return TRUE;
}

/* --- Candidates --- */

gboolean
tl_grid_read_stream (TlGridReader *reader)
{
  const TlAst *ast = reader->g1->ast;
  TlGrid      *grid = reader->grid;

  for (guint d = 0; d < ast->n_data; d++)
    {
      const TlExpr *source = ast->data[d]->source;
      if (source == NULL || source->kind != TL_EXPR_CALL || strcmp (source->text, "stream") != 0 || source->n_args != 3)
        continue;
      const TlDataDecl *index = tl_ast_data (ast, source->args[0]->text);
      const TlExpr     *made = index != NULL ? index->source : NULL;
      const TlExpr     *k = made != NULL && made->kind == TL_EXPR_CALL ? tl_expr_named (made, "k") : NULL;
      TlDiag           *diag = NULL;

      if (made == NULL || strcmp (made->text, "index") != 0 || index->n_names != 2 || k == NULL
          || !tl_expr_integer (k, &grid->k) || strcmp (source->args[0]->text, index->names[0]) != 0
          || strcmp (source->args[1]->text, index->names[1]) != 0)
        diag = tl_g1_error (reader->g1, "bad-stream", source->span, "the stream's tables are no index");
      else if (g_strcmp0 (grid->sides[0].name, source->args[2]->text) != 0
               || g_strcmp0 (grid->sides[1].name, made->args[0]->text) != 0 || grid->kind != TL_GRID_WAVE)
        diag = tl_g1_error (reader->g1, "bad-stream", source->span,
                            "the stream is not over the sequences of the recurrence");
      else
        {
          grid->stream = ast->data[d]->names[0];
          continue;
        }
      if (diag != NULL)
        tl_diag_reason (diag, "it goes data PTR, CAL = index(r, k = 11), then data hits = stream(PTR, CAL, q), q being "
                              "read along the rows and r along the columns");
      return FALSE;
    }
  return TRUE;
}
