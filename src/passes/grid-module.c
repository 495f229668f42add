/* Pass group G1, last step, for grids: one dp.grid_update with its alternatives, distance
 * vectors, borders, band and result; loops are i, j and p there, and names of loops,
 * temporaries and the algorithm are not in it. GenMLIR sections 3.3 and 3.5. */
#include "passes/passes-private.h"

#include "dsl/print.h"
#include "ir/semiring-op.h"
#include "passes/grid.h"

#include <string.h>

static const TlAttr *
table_attr (TlModule *module, const TlGrid *grid, const TlGridTable *table)
{
  const TlAttr *steps[TL_GRID_MAX_ALTERNATIVES];

  for (guint a = 0; a < table->n_alternatives; a++)
    {
      const TlGridAlternative *step = &table->alternatives[a];
      g_autofree char         *text = tl_grid_terms_text (grid, step->terms, step->n_terms);
      const TlAttr            *parts[] = { tl_attr_integer (module, step->table), tl_attr_integer (module, step->di),
                                           tl_attr_integer (module, step->dj), tl_attr_string (module, text) };

      steps[a] = tl_attr_array (module, parts, G_N_ELEMENTS (parts));
    }
  return tl_attr_array (module, steps, table->n_alternatives);
}

/* A border's value with its loop called i (a column) or j (a row). */
static char *
border_text (const TlGrid *grid, const TlGridBorder *border, guint side)
{
  TlGrid     named = *grid;
  TlGridTerm term = { border->expr, FALSE };

  named.loops[0] = named.loops[1] = NULL;
  named.loops[side] = border->loop;
  return tl_grid_terms_text (&named, &term, 1);
}

static const TlAttr *
borders_attr (TlModule *module, const TlGrid *grid, const TlGridTable *table)
{
  static const char *const  names[] = { "column", "corner", "row" };
  const TlGridBorder *const borders[] = { &table->column, &table->corner, &table->row };
  const guint               sides[] = { 0, 0, 1 };
  TlNamedAttr               items[3];
  guint                     n = 0;

  for (guint b = 0; b < 3; b++)
    {
      gboolean zero = borders[b]->expr == NULL && table->zero_border && b != 1;

      if (borders[b]->expr == NULL && !zero)
        continue;
      g_autofree char *text = zero ? g_strdup ("0") : border_text (grid, borders[b], sides[b]);
      items[n++] = (TlNamedAttr) { names[b], tl_attr_string (module, text) };
    }
  return tl_attr_dict (module, items, n);
}

static const TlAttr *
band_attr (TlModule *module, const TlGrid *grid)
{
  static const char *const kinds[] = { "none", "cells", "share" };
  const TlNamedAttr        items[] = { { "cells", tl_attr_integer (module, grid->band_cells) },
                                       { "kind", tl_attr_string (module, kinds[grid->band]) },
                                       { "share", tl_attr_float (module, grid->band_share) } };

  return tl_attr_dict (module, items, G_N_ELEMENTS (items));
}

/* The moving band inside of its envelope, which `band` holds. */
static const TlAttr *
adaptive_attr (TlModule *module, const TlGrid *grid)
{
  static const char *const kinds[] = { "none", "cells", "share" };
  const TlNamedAttr        items[] = { { "cells", tl_attr_integer (module, grid->adaptive_cells) },
                                       { "follows", tl_attr_integer (module, grid->pick_table) },
                                       { "kind", tl_attr_string (module, kinds[grid->adaptive]) },
                                       { "share", tl_attr_float (module, grid->adaptive_share) } };

  return tl_attr_dict (module, items, G_N_ELEMENTS (items));
}

static const TlAttr *
pick_attr (TlModule *module, const TlGrid *grid)
{
  static const char *const picks[] = { "best", "last", "last row", "last column" };
  const TlNamedAttr        items[] = { { "greatest", tl_attr_bool (module, grid->greatest) },
                                       { "of", tl_attr_string (module, picks[grid->pick]) },
                                       { "table", tl_attr_integer (module, grid->pick_table) } };

  return tl_attr_dict (module, items, G_N_ELEMENTS (items));
}

static const TlAttr *
dependences_attr (TlModule *module, const TlGrid *grid)
{
  const TlAttr *vectors[TL_GRID_MAX_DEPENDENCES];

  for (guint d = 0; d < grid->n_dependences; d++)
    vectors[d] = tl_attr_integers (module, grid->dependences[d], 2);
  return tl_attr_array (module, vectors, grid->n_dependences);
}

/* One data name; letters are bytes. */
static TlOp *
data_op (TlModule *module, const TlGrid *grid, const TlDataDecl *decl, guint which, const TlDataFacts *facts)
{
  gboolean letters = decl->source != NULL
                     && (strcmp (decl->source->text, "reads") == 0 || strcmp (decl->source->text, "sequence") == 0
                         || strcmp (decl->source->text, "genome") == 0);
  TlElementType    type = decl->type;
  g_autofree char *source = decl->source != NULL ? tl_expr_text (decl->source) : g_strdup ("random(0)");

  if (letters || type.bits == 0)
    tl_element_type_parse (letters ? "u8" : "i32", &type);
  TlOp *op
      = tl_pass_data_op (module, tl_pass_span (module, grid->ast->source, decl->span, NULL), decl->names[which], type,
                         source, facts, facts != NULL ? facts->rows : 0, facts != NULL ? MAX (facts->columns, 1) : 1);
  if (facts != NULL && facts->records > 0)
    {
      tl_op_set (op, "longest", tl_attr_integer (module, (gint64) facts->longest));
      tl_op_set (op, "records", tl_attr_integer (module, (gint64) facts->records));
    }
  return op;
}

/* The extent of a loop: that of the first dimension of data where it stands alone. 0: not known. */
static guint64
extent_in (const TlExpr *expr, const GArray *facts, const char *loop)
{
  guint64 extent = 0;

  for (guint d = 0; expr->kind == TL_EXPR_SUBSCRIPT && d < expr->n_args; d++)
    if (expr->args[d]->kind == TL_EXPR_NAME && strcmp (expr->args[d]->text, loop) == 0)
      {
        const TlDataFacts *known = tl_pass_facts (facts, expr->text);

        if (known != NULL)
          return expr->n_args == 1 ? MAX (known->rows, known->columns) : d == 0 ? known->rows : known->columns;
      }
  for (guint i = 0; i < expr->n_args && extent == 0; i++)
    extent = extent_in (expr->args[i], facts, loop);
  return extent;
}

/* Steps or states of a trellis. */
static guint64
trellis_extent (const TlGrid *grid, const GArray *facts, guint side)
{
  const TlGridAlternative *step = &grid->tables[0].alternatives[0];
  guint64                  extent = 0;

  for (guint t = 0; t < grid->n_emission && extent == 0; t++)
    extent = extent_in (grid->emission[t].expr, facts, grid->loops[side]);
  for (guint t = 0; t < step->n_terms && extent == 0; t++)
    extent = extent_in (step->terms[t].expr, facts, grid->loops[side]);
  return extent;
}

/* Cells a side, borders among them: 0 where reads decide it. */
static guint64
extent_of (const TlGrid *grid, const GArray *facts, guint side)
{
  const TlDataFacts *own = tl_pass_facts (facts, grid->tables[grid->pick_table].name);
  guint64            extent = grid->kind == TL_GRID_TRELLIS ? trellis_extent (grid, facts, side) : 0;

  if (extent > 0)
    return extent;
  if (grid->sides[side].name == NULL && own != NULL)
    return side == 0 ? own->rows : own->columns;
  const char        *name = grid->sides[side].name;
  const TlDataDecl  *decl = name != NULL ? tl_ast_data (grid->ast, name) : NULL;
  const TlDataFacts *known = name != NULL ? tl_pass_facts (facts, name) : NULL;

  if (known == NULL || (decl != NULL && decl->source != NULL && strcmp (decl->source->text, "reads") == 0))
    return 0;
  return known->rows > 0 ? MAX (known->rows, known->columns) + 1 : 0;
}

/* Which operand of the update a data name is; -1: none. */
static gint64
operand_of (const TlGrid *grid, const char *name)
{
  gint64 at = 0;

  for (guint d = 0; name != NULL && d < grid->ast->n_data; d++)
    for (guint n = 0; n < grid->ast->data[d]->n_names; n++, at++)
      if (strcmp (grid->ast->data[d]->names[n], name) == 0)
        return at;
  return -1;
}

static void
set_stream (TlModule *module, const TlGrid *grid, TlOp *op)
{
  const TlExpr     *source = tl_ast_data (grid->ast, grid->stream)->source;
  const TlNamedAttr items[] = { { "k", tl_attr_integer (module, grid->k) },
                                { "pointers", tl_attr_integer (module, operand_of (grid, source->args[0]->text)) },
                                { "positions", tl_attr_integer (module, operand_of (grid, source->args[1]->text)) } };

  tl_op_set (op, "stream", tl_attr_dict (module, items, G_N_ELEMENTS (items)));
}

const TlPlaceDecl *
tl_grid_place (const TlGrid *grid, const char *object)
{
  if (strcmp (object, TL_GRID_EDGES) != 0)
    return tl_ast_place (grid->ast, object);
  for (guint t = 0; t < grid->n_tables; t++)
    if (tl_ast_place (grid->ast, grid->tables[t].name) != NULL)
      return tl_ast_place (grid->ast, grid->tables[t].name);
  return NULL;
}

/* Where the place lines put data, and what waves hand on. */
static void
set_places (TlModule *module, const TlGrid *grid, guint32 tiers, TlOp *op)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TlNamedAttr));
  const TlPlaceDecl *edges = tl_grid_place (grid, TL_GRID_EDGES);

  for (guint p = 0; p < grid->ast->n_places; p++)
    {
      const TlPlaceDecl *decl = grid->ast->places[p];
      gboolean           table = FALSE;
      TlPlaceRule        rule;

      for (guint t = 0; t < grid->n_tables; t++)
        table |= strcmp (grid->tables[t].name, decl->name) == 0;
      /* The last line of a name counts, and of tables the first that has one. */
      if (decl->value == NULL || (table ? edges : tl_ast_place (grid->ast, decl->name)) != decl
          || tl_place_rule_read (&rule, decl->value, tiers) != TL_PLACE_READ_RULE)
        continue;
      const gint64 numbers[] = { rule.first, rule.last, rule.kind };
      TlNamedAttr  item
          = { tl_module_intern (module, table ? TL_GRID_EDGES : decl->name), tl_attr_integers (module, numbers, 3) };
      g_array_append_val (items, item);
    }
  if (items->len > 0)
    tl_op_set (op, "places", tl_attr_dict (module, (const TlNamedAttr *) items->data, items->len));
}

static void
set_update (TlModule *module, const TlGrid *grid, guint32 tiers, TlOp *op)
{
  const TlAttr *tables[TL_GRID_MAX_TABLES], *borders[TL_GRID_MAX_TABLES];
  const gint64  sides[] = { operand_of (grid, grid->sides[0].name), operand_of (grid, grid->sides[1].name) };

  for (guint t = 0; t < grid->n_tables; t++)
    {
      tables[t] = table_attr (module, grid, &grid->tables[t]);
      borders[t] = borders_attr (module, grid, &grid->tables[t]);
    }
  if (grid->adaptive != TL_BAND_NONE)
    tl_op_set (op, "adaptive", adaptive_attr (module, grid));
  tl_op_set (op, "alternatives", tl_attr_array (module, tables, grid->n_tables));
  tl_op_set (op, "band", band_attr (module, grid));
  tl_op_set (op, "borders", tl_attr_array (module, borders, grid->n_tables));
  tl_op_set (op, "deps", dependences_attr (module, grid));
  if (grid->kind == TL_GRID_TRELLIS)
    {
      g_autofree char *emission = tl_grid_terms_text (grid, grid->emission, grid->n_emission);
      tl_op_set (op, "emission", tl_attr_string (module, emission));
    }
  tl_op_set (op, "pick", pick_attr (module, grid));
  tl_op_set (op, "semiring", tl_attr_symbol (module, "semiring"));
  tl_op_set (op, "sides", tl_attr_integers (module, sides, 2));
  if (grid->stream != NULL)
    set_stream (module, grid, op);
  set_places (module, grid, tiers, op);
}

/* The algorithm's name around its own place and those of the knobs that the program sets. */
static const TlLocation *
module_place (TlModule *module, const TlGrid *grid, const TlPimKnobs *knobs)
{
  const TlLocation *parts[TL_N_ALL_PIM_KNOBS + 1];
  guint             n = 0;

  parts[n++] = tl_pass_span (module, grid->ast->source, grid->algorithm_span, NULL);
  for (guint id = 0; id < TL_N_ALL_PIM_KNOBS; id++)
    if (knobs->origin[id].chosen >= TL_CHOSEN_YOU && knobs->origin[id].span.end > knobs->origin[id].span.start)
      parts[n++] = tl_location_name (module, tl_pim_knob_name (id),
                                     tl_pass_span (module, grid->ast->source, knobs->origin[id].span, NULL));
  return tl_location_name (module, grid->algorithm, tl_location_fused (module, parts, n));
}

/* The knobs that G2 asks about. */
static void
read_knobs (const TlGrid *grid, const TlPimMachine *machine, TlPimKnobs *knobs)
{
  const TlConfigItem *tile = tl_ast_config (grid->ast, "tile");
  gint64              side = 0;

  tl_pim_knobs_default (knobs, grid->element, machine);
  if (tile != NULL && tile->value != NULL && tl_expr_integer (tile->value, &side) && side > 0 && side <= G_MAXINT32)
    knobs->tile = (guint32) side;
}

guint32
tl_grid_tile (const TlGrid *grid, const TlPimMachine *machine)
{
  g_auto (TlPimKnobs) knobs = { 0 };

  if (machine == NULL)
    return 0;
  read_knobs (grid, machine, &knobs);
  return knobs.tile > 0 ? knobs.tile : tl_wave_largest_tile (machine, knobs.precision);
}

TlModule *
tl_grid_module (const TlGrid *grid, const GArray *facts, const TlPimKnobs *knobs, const TlPimMachine *machine,
                const char *target)
{
  TlModule         *module = tl_module_new ();
  TlBlock          *body = tl_module_body (module);
  const TlLocation *plus = tl_pass_span (module, grid->ast->source, grid->plus_span, NULL);
  g_autofree char  *word = tl_element_mlir_name (grid->element);

  tl_module_op (module)->location = module_place (module, grid, knobs);
  tl_block_append (body, tl_semiring_to_op (module, grid->semiring, "semiring", plus, plus, plus));
  TlOp *update
      = tl_op_new (module, "dp.grid_update", tl_pass_span (module, grid->ast->source, grid->update_span, NULL));
  for (guint d = 0; d < grid->ast->n_data; d++)
    for (guint n = 0; n < grid->ast->data[d]->n_names; n++)
      {
        const TlDataDecl *decl = grid->ast->data[d];
        TlOp             *op = data_op (module, grid, decl, n, tl_pass_facts (facts, decl->names[n]));

        tl_block_append (body, op);
        tl_op_add_operand (update, op->results[0]);
      }
  set_update (module, grid, machine->tiers, update);
  tl_op_add_result (update, tl_type_matrix (module, extent_of (grid, facts, 0), extent_of (grid, facts, 1), word));
  tl_block_append (body, update);
  TlOp *result = tl_op_new (module, "dp.result", update->location);
  tl_op_add_operand (result, update->results[0]);
  tl_block_append (body, result);
  tl_pim_knobs_to_module (knobs, module);
  tl_machine_to_module (machine, target, module);
  tl_pass_done (module, TL_GROUP_G1);
  return module;
}
