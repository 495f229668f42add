/* Pass group G1, last step, for grids: one dp.grid_update with its alternatives, distance
 * vectors, borders, band and result; loops are i, j and p there, and names of loops,
 * temporaries and the algorithm are not in it. GenMLIR sections 3.3 and 3.5. */
#include "passes/passes-private.h"

#include "base/hash.h"
#include "dsl/print.h"
#include "ir/semiring-op.h"
#include "passes/grid.h"

#include <string.h>

static const TlLocation *
place (TlModule *module, const TlGrid *grid, TlSpan span)
{
  return tl_location_span (module, grid->ast->source, span);
}

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
      if (borders[b]->expr == NULL && !(table->zero_border && b != 1))
        continue;
      g_autofree char *text = table->zero_border ? g_strdup ("0") : border_text (grid, borders[b], sides[b]);
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
  const TlNamedAttr        items[] = { { "at_least_width", tl_attr_bool (module, grid->envelope_derived) },
                                       { "cells", tl_attr_integer (module, grid->adaptive_cells) },
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
  TlOp            *op = tl_op_new (module, "dp.data", place (module, grid, decl->span));
  g_autofree char *hash = tl_hash_text (facts != NULL ? facts->content_hash : 0);
  g_autofree char *source = decl->source != NULL ? tl_expr_text (decl->source) : g_strdup ("random(0)");

  if (letters || type.bits == 0)
    tl_element_type_parse (letters ? "u8" : "i32", &type);
  g_autofree char *element = tl_element_type_name (type);
  g_autofree char *word = tl_element_mlir_name (type);
  tl_op_set (op, "content_hash", tl_attr_string (module, hash));
  tl_op_set (op, "element", tl_attr_string (module, element));
  tl_op_set (op, "name", tl_attr_string (module, decl->names[which]));
  tl_op_set (op, "source", tl_attr_string (module, source));
  tl_op_add_result (
      op, tl_type_matrix (module, facts != NULL ? facts->rows : 0, facts != NULL ? MAX (facts->columns, 1) : 1, word));
  return op;
}

/* Cells a side, borders among them: 0 where reads decide it. */
static guint64
extent_of (const TlGrid *grid, const GArray *facts, guint side)
{
  const char        *name = grid->sides[side].name;
  const TlDataDecl  *decl = name != NULL ? tl_ast_data (grid->ast, name) : NULL;
  const TlDataFacts *known = name != NULL ? tl_pass_facts (facts, name) : NULL;

  if (known == NULL || (decl != NULL && decl->source != NULL && strcmp (decl->source->text, "reads") == 0))
    return 0;
  return known->rows > 0 ? MAX (known->rows, known->columns) + 1 : 0;
}

static void
set_update (TlModule *module, const TlGrid *grid, TlOp *op)
{
  const TlAttr *tables[TL_GRID_MAX_TABLES], *borders[TL_GRID_MAX_TABLES];

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
tl_grid_module (const TlGrid *grid, const GArray *facts, const TlPimMachine *machine, const char *target)
{
  TlModule *module = tl_module_new ();
  TlBlock  *body = tl_module_body (module);
  g_auto (TlPimKnobs) knobs = { 0 };
  const TlLocation *plus = place (module, grid, grid->plus_span);
  g_autofree char  *word = tl_element_mlir_name (grid->element);

  tl_module_op (module)->location
      = tl_location_name (module, grid->algorithm, place (module, grid, grid->algorithm_span));
  tl_block_append (body, tl_semiring_to_op (module, grid->semiring, "semiring", plus, plus, plus));
  TlOp *update = tl_op_new (module, "dp.grid_update", place (module, grid, grid->update_span));
  for (guint d = 0; d < grid->ast->n_data; d++)
    for (guint n = 0; n < grid->ast->data[d]->n_names; n++)
      {
        const TlDataDecl *decl = grid->ast->data[d];
        TlOp             *op = data_op (module, grid, decl, n, tl_pass_facts (facts, decl->names[n]));

        tl_block_append (body, op);
        tl_op_add_operand (update, op->results[0]);
      }
  set_update (module, grid, update);
  tl_op_add_result (update, tl_type_matrix (module, extent_of (grid, facts, 0), extent_of (grid, facts, 1), word));
  tl_block_append (body, update);
  TlOp *result = tl_op_new (module, "dp.result", update->location);
  tl_op_add_operand (result, update->results[0]);
  tl_block_append (body, result);
  read_knobs (grid, machine, &knobs);
  tl_pim_knobs_to_module (&knobs, module);
  tl_machine_to_module (machine, target, module);
  tl_pass_done (module, TL_GROUP_G1);
  return module;
}
