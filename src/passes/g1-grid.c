/* Grids: from the statements of an algorithm to tables, their order, dependences and the
 * wavefront that follows from these. */
#include "passes/g1-grid-private.h"

#include <string.h>

/* --- Updates --- */

/* An update of another loop order or naming than the first, in the first one's names. */
static void
rename_loops (TlGridReader *reader, TlGridUpdate *update, const char *const names[2])
{
  g_autoptr (GHashTable) map = g_hash_table_new (g_str_hash, g_str_equal);
  TlGrid *grid = reader->grid;

  for (guint l = 0; l < 2; l++)
    if (strcmp (names[l], grid->loops[l]) != 0)
      g_hash_table_insert (map, (gpointer) names[l],
                           tl_grid_make (grid, TL_EXPR_NAME, grid->loops[l], update->span, 0));
  update->target = tl_grid_substitute (grid, update->target, map);
  update->value = tl_grid_substitute (grid, update->value, map);
}

/* The loop that a target's subscript goes along: "i" or "i + 1". */
static const char *
loop_of (const TlExpr *expr)
{
  while (expr->kind == TL_EXPR_BINARY && expr->n_args == 2)
    expr = expr->args[0]->kind == TL_EXPR_INTEGER ? expr->args[1] : expr->args[0];
  return expr->kind == TL_EXPR_NAME ? expr->text : NULL;
}

static gboolean
wrong_target (TlGridReader *reader, const TlGridUpdate *update)
{
  TlDiag *diag = tl_g1_error (reader->g1, "output-subscript", update->target->span,
                              "a table's cell has two subscripts, each a loop of its own");

  if (diag != NULL)
    tl_diag_reason (diag, "as in %s[i,j] = ...  for i, j", update->name);
  return FALSE;
}

/* A target whose subscripts are no loop plus a number: cells that no iteration writes, where
 * the greatest common divisor of a form does not divide what it would have to be. */
static gboolean
skips_cells (TlGridReader *reader, const TlGridUpdate *update)
{
  const char *names[2] = { loop_of (update->target->args[0]), loop_of (update->target->args[1]) };
  const char *said[TL_AFFINE_MAX_LOOPS] = { NULL };
  guint       n = 0;

  for (guint l = 0; l < reader->g1->n_loops && n < TL_AFFINE_MAX_LOOPS; l++)
    said[n++] = reader->g1->loops[l].name;
  for (guint d = 0; d < 2; d++)
    {
      const TlExpr *sub = update->target->args[d];
      TlAffine      form = tl_affine_of (said, n, sub);
      gint64        divisor = 0;

      for (guint l = 0; l < n; l++)
        for (gint64 b = form.by[l]; b != 0;)
          {
            gint64 rest = divisor % b;
            divisor = b;
            b = rest;
          }
      if (form.kind != TL_AFFINE_FORM || ABS (divisor) <= 1 || names[0] == NULL)
        continue;
      g_autofree char *text = tl_g1_text (reader->g1, sub->span);
      TlDiag *diag = tl_g1_error (reader->g1, "output-subscript", sub->span, "some cells are written by no iteration");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (b): %s is never %" G_GINT64_FORMAT ", as %" G_GINT64_FORMAT
                        " does not divide 1; every "
                        "cell of a table is written: let the subscripts be loops plus numbers, %s[i,j]",
                        text, form.constant + 1, ABS (divisor), update->name);
      return TRUE;
    }
  return FALSE;
}

static gboolean
place_update (TlGridReader *reader, TlGridUpdate *update)
{
  TlGrid     *grid = reader->grid;
  const char *names[2] = { NULL, NULL };

  if (update->target->n_args == 2 && skips_cells (reader, update))
    return FALSE;
  for (guint d = 0; d < 2 && update->target->n_args == 2; d++)
    names[d] = loop_of (update->target->args[d]);
  if (names[0] == NULL || names[1] == NULL || strcmp (names[0], names[1]) == 0)
    return wrong_target (reader, update);
  if (grid->loops[0] == NULL)
    {
      grid->loops[0] = names[0];
      grid->loops[1] = names[1];
    }
  rename_loops (reader, update, names);
  for (guint d = 0; d < 2; d++)
    {
      guint loop = 0;

      if (!tl_grid_subscript (grid, update->target->args[d], &loop, &update->shift[d]) || loop != d)
        return wrong_target (reader, update);
    }
  return TRUE;
}

static gboolean
read_updates (TlGridReader *reader)
{
  const TlAlgorithm *algorithm = reader->g1->algorithm;

  for (guint s = 0; s < algorithm->n_body; s++)
    {
      const TlStmt *stmt = algorithm->body[s];

      if (stmt->kind == TL_STMT_FOR && reader->n_updates == 0)
        {
          if (!tl_grid_read_nest (reader, stmt))
            return FALSE;
          continue;
        }
      if (stmt->kind == TL_STMT_RESULT || (stmt->kind == TL_STMT_UPDATE && stmt->n_loops == 0))
        continue;
      if (stmt->kind == TL_STMT_UPDATE && stmt->n_loops != 2)
        {
          TlDiag *diag = tl_g1_error (reader->g1, "no-recurrence", stmt->target->span, "a recurrence over %s loop%s",
                                      stmt->n_loops == 1 ? "one" : "more than two", stmt->n_loops == 1 ? "" : "s");
          if (diag != NULL)
            tl_diag_reason (diag, "a wavefront goes over the two subscripts of a table, H[i,j] = ...  for i, j%s",
                            stmt->n_loops == 1 ? "; give it a second one of extent 1, or write a reduction" : "");
          return FALSE;
        }
      gboolean again = FALSE;
      for (guint u = 0; u < reader->n_updates && stmt->kind == TL_STMT_UPDATE; u++)
        again |= strcmp (reader->updates[u].name, stmt->target->text) == 0;
      if (stmt->kind != TL_STMT_UPDATE || again || reader->n_updates == TL_GRID_MAX_TABLES || stmt->n_loops != 2)
        {
          TlDiag *diag
              = tl_g1_error (reader->g1, "second-statement", stmt->kind == TL_STMT_FOR ? stmt->head_span : stmt->span,
                             "a statement that is no update of a table of its own");
          if (diag != NULL)
            tl_diag_reason (diag,
                            "coupled recurrences are up to %d updates over two loops, each of another table: H[i,j] = "
                            "...  for i, j",
                            TL_GRID_MAX_TABLES);
          return FALSE;
        }
      reader->updates[reader->n_updates++] = (TlGridUpdate) {
        .name = stmt->target->text, .span = stmt->span, .target = stmt->target, .value = stmt->value
      };
    }
  for (guint u = 0; u < reader->n_updates; u++)
    if (!place_update (reader, &reader->updates[u]))
      return FALSE;
  return TRUE;
}

/* In loops that start elsewhere a letter's number counts from the target's subscript. */
static void
count_from_target (TlGridReader *reader)
{
  for (guint u = 0; u < reader->n_updates; u++)
    {
      TlGridUpdate *update = &reader->updates[u];
      g_autoptr (GHashTable) map = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint d = 0; d < 2; d++)
        if (update->shift[d] != 0)
          {
            TlGrid *grid = reader->grid;
            TlExpr *sum = tl_grid_make (grid, TL_EXPR_BINARY, "-", update->span, 2);
            TlExpr *number = tl_grid_make (grid, TL_EXPR_INTEGER, NULL, update->span, 0);

            number->integer = update->shift[d];
            sum->args[0] = tl_grid_make (grid, TL_EXPR_NAME, grid->loops[d], update->span, 0);
            sum->args[1] = number;
            sum->depth = 2;
            g_hash_table_insert (map, (gpointer) grid->loops[d], sum);
          }
      update->value = tl_grid_substitute (reader->grid, update->value, map);
      update->shift[0] = update->shift[1] = 0;
    }
}

/* --- Order of the tables --- */

/* Puts the tables into an order in which those that one reads in the same cell stand
 * before it, the earliest written first. */
static gboolean
sort_tables (TlGridReader *reader)
{
  TlGrid     *grid = reader->grid;
  TlGridTable sorted[TL_GRID_MAX_TABLES];
  int         place[TL_GRID_MAX_TABLES];
  guint       n = 0;

  for (guint t = 0; t < grid->n_tables; t++)
    place[t] = -1;
  while (n < grid->n_tables)
    {
      guint next = grid->n_tables;

      for (guint t = 0; t < grid->n_tables && next == grid->n_tables; t++)
        {
          gboolean ready = place[t] < 0;
          for (guint a = 0; ready && a < grid->tables[t].n_alternatives; a++)
            {
              const TlGridAlternative *step = &grid->tables[t].alternatives[a];
              ready = step->table == TL_GRID_NONE || step->di != 0 || step->dj != 0 || place[step->table] >= 0;
            }
          if (ready)
            next = t;
        }
      if (next == grid->n_tables)
        {
          TlDiag *diag
              = tl_g1_error (reader->g1, "circular", grid->tables[0].span, "tables read one another in the same cell");
          if (diag != NULL)
            tl_diag_reason (diag,
                            "clause (b): no order of the cells computes each after those that it reads; one of the "
                            "tables has to be there first: let it read the other at a distance, as in E[i,j-1]");
          return FALSE;
        }
      place[next] = (int) n;
      sorted[n++] = grid->tables[next];
    }
  for (guint t = 0; t < n; t++)
    {
      grid->tables[t] = sorted[t];
      for (guint a = 0; a < sorted[t].n_alternatives; a++)
        if (sorted[t].alternatives[a].table != TL_GRID_NONE)
          grid->tables[t].alternatives[a].table = place[sorted[t].alternatives[a].table];
    }
  return TRUE;
}

/* --- Dependences --- */

static int
compare_distances (gconstpointer a, gconstpointer b)
{
  const gint64 *first = a, *second = b;

  if (first[0] != second[0])
    return first[0] > second[0] ? -1 : 1;
  return first[1] > second[1] ? -1 : first[1] < second[1];
}

static void
collect_dependences (TlGrid *grid)
{
  for (guint t = 0; t < grid->n_tables; t++)
    for (guint a = 0; a < grid->tables[t].n_alternatives; a++)
      {
        const TlGridAlternative *step = &grid->tables[t].alternatives[a];
        gboolean                 known = step->table == TL_GRID_NONE || (step->di == 0 && step->dj == 0);

        for (guint d = 0; d < grid->n_dependences; d++)
          known |= grid->dependences[d][0] == step->di && grid->dependences[d][1] == step->dj;
        if (known)
          continue;
        grid->dependences[grid->n_dependences][0] = step->di;
        grid->dependences[grid->n_dependences++][1] = step->dj;
      }
  qsort (grid->dependences, grid->n_dependences, sizeof grid->dependences[0], compare_distances);
}

gboolean
tl_grid_wave (const gint64 (*dependences)[2], guint n_dependences, gint64 wave[2])
{
  for (gint64 sum = 1; sum <= 64; sum++)
    for (gint64 b = 0; b <= sum; b++)
      {
        gboolean waits = TRUE;

        for (guint d = 0; d < n_dependences && waits; d++)
          waits = (sum - b) * dependences[d][0] + b * dependences[d][1] >= 1;
        if (!waits)
          continue;
        wave[0] = sum - b;
        wave[1] = b;
        return TRUE;
      }
  return FALSE;
}

/* --- The whole --- */

/* The type of the table where it has a data line, else of the values that it is made of:
 * a float if one of them is, else i32, or bool for truths. */
static void
choose_element (TlGridReader *reader, gboolean truths)
{
  const TlAst *ast = reader->g1->ast;
  TlGrid      *grid = reader->grid;

  tl_element_type_parse (truths ? "bool" : "i32", &grid->element);
  for (guint d = 0; d < ast->n_data; d++)
    if (tl_element_type_is_float (ast->data[d]->type))
      grid->element = ast->data[d]->type;
  for (guint u = 0; u < reader->n_updates; u++)
    {
      const TlDataDecl *data = tl_ast_data (ast, reader->updates[u].name);
      if (data != NULL && data->type.bits > 0)
        grid->element = data->type;
    }
}

/* The pair of operators and their semiring. */
static gboolean
find_semiring (TlGridReader *reader)
{
  choose_element (reader, FALSE);
  if (!tl_grid_read_ops (reader) || !tl_grid_find_operators (reader))
    return FALSE;
  choose_element (reader, reader->plus_known && reader->plus.kind == TL_OPERATOR_OR);
  reader->g1->element = reader->grid->element;
  return tl_grid_choose_semiring (reader);
}

static gboolean
make_tables (TlGridReader *reader)
{
  TlGrid *grid = reader->grid;

  for (guint u = 0; u < reader->n_updates; u++)
    {
      TlGridTable *table = &grid->tables[grid->n_tables++];

      table->name = reader->updates[u].name;
      table->span = reader->updates[u].target->span;
      if (!tl_grid_flatten (reader, u, table))
        return FALSE;
    }
  return sort_tables (reader);
}

static gboolean
holds_reduction (const TlExpr *expr)
{
  if (expr->kind == TL_EXPR_REDUCE)
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (holds_reduction (expr->args[i]))
      return TRUE;
  return FALSE;
}

static gboolean
read_grid (TlGridReader *reader)
{
  TlGrid  *grid = reader->grid;
  gboolean reduces = FALSE;

  if (!read_updates (reader))
    return FALSE;
  count_from_target (reader);
  for (guint u = 0; u < reader->n_updates; u++)
    reduces |= holds_reduction (reader->updates[u].value);
  if (!find_semiring (reader) || (reduces ? !tl_grid_read_trellis (reader) : !make_tables (reader))
      || !tl_grid_admit_terms (reader))
    return FALSE;
  if (!reduces)
    {
      collect_dependences (grid);
      if (!tl_grid_wave (grid->dependences, grid->n_dependences, grid->wave))
        {
          tl_g1_error (reader->g1, "not-affine", grid->update_span, "no wavefront goes over these dependences");
          return FALSE;
        }
    }
  if (!tl_grid_read_result (reader) || !tl_grid_read_borders (reader) || !tl_grid_read_sides (reader)
      || !tl_grid_read_stream (reader) || !tl_grid_read_band (reader))
    return FALSE;
  tl_grid_read_config (reader);
  return TRUE;
}

static void
clear_op (gpointer data)
{
  tl_operator_clear (&((TlGridOp *) data)->op);
}

TlGrid *
tl_g1_grid (TlG1 *g1)
{
  g_autoptr (TlGrid) grid = g_new0 (TlGrid, 1);
  TlGridReader reader = { .g1 = g1, .grid = grid };

  grid->ast = tl_ast_ref ((TlAst *) g1->ast);
  grid->made = g_ptr_array_new_with_free_func (g_free);
  grid->ops = g_array_new (FALSE, FALSE, sizeof (TlGridOp));
  g_array_set_clear_func (grid->ops, clear_op);
  grid->algorithm = g_strdup (g1->algorithm->name);
  grid->algorithm_span = g1->algorithm->name_span;
  grid->update_span = g1->nest->span;
  return read_grid (&reader) && !g1->failed ? g_steal_pointer (&grid) : NULL;
}

void
tl_grid_free (TlGrid *grid)
{
  if (grid == NULL)
    return;
  g_clear_pointer (&grid->semiring, tl_semiring_free);
  g_clear_pointer (&grid->made, g_ptr_array_unref);
  g_clear_pointer (&grid->ops, g_array_unref);
  g_clear_pointer (&grid->ast, tl_ast_unref);
  g_free (grid->algorithm);
  g_free (grid);
}
