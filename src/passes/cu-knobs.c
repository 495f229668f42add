/* From config and place lines to the knobs of a product. */
#include "passes/cu-knobs.h"

#include "base/number.h"
#include "passes/knob-table-private.h"
#include "place/address.h"
#include "place/place-line.h"
#include "place/signature.h"

#include <string.h>

#define DEFAULT_STAGES 3
#define MAX_QUEUE      64 /* what the scheduled engine holds */

#define WORD(id, key, member, words, why)                                                                              \
  [id] = { key, TL_KNOB_WORD, { key, G_STRUCT_OFFSET (TlCuKnobs, member), sizeof (int), 0, G_MAXINT32 }, words, why }
#define NUMBER(id, key, member, low, high, why)                                                                        \
  [id] = { key, TL_KNOB_NUMBER, { key, G_STRUCT_OFFSET (TlCuKnobs, member), 4, low, high }, NULL, why }
#define OWN(id, key, why) [id] = { key, TL_KNOB_OWN, { 0 }, NULL, why }

static const TlKnobRow rows[TL_N_CU_KNOBS] = {
  OWN (TL_CU_TILE, "tile", "64 x 128 x 64, cut to the matrices"),
  NUMBER (TL_CU_STAGES, "stages", stages, 1, 64, "one is computed, one arrives, one is asked for"),
  NUMBER (TL_CU_RESIDENT, "resident", product.shape.resident, 1, G_MAXINT32, "one block of work at a time"),
  NUMBER (TL_CU_SKEW, "skew", product.shape.skew, 0, G_MAXINT32, "all resident blocks start at once"),
  WORD (TL_CU_WEIGHTS, "weights", product.shape.transposed, tl_word_weights, "as the program subscripts them"),
  NUMBER (TL_CU_SLAB, "slab", product.shape.slab, 1, G_MAXINT32, "tiles are read row by row"),
  OWN (TL_CU_QUANTUM, "quantum", "the target's unit of one access"),
  NUMBER (TL_CU_QUEUE, "queue", queue, 1, MAX_QUEUE, "the requests that the target's scheduler sees"),
  WORD (TL_CU_PAGE, "page", page, tl_word_page, "the target's rule for rows after their use"),
  WORD (TL_CU_VALUES, "values", values, tl_word_values, "computed up to 268,435,456 multiply-adds"),
  [TL_CU_SEED]
  = { "seed", TL_KNOB_NUMBER, TL_FIELD (TlCuKnobs, seed, 0, G_MAXINT64), NULL, "the first stream of random data" },
  OWN (TL_CU_PLACE_A, "place", "on a compute unit PLAN chooses"),
  OWN (TL_CU_PLACE_B, "place", "on a compute unit PLAN chooses"),
};

/* Keys of the language that mean nothing to a product on a compute unit, and why. */
static const TlForeignKey foreign_keys[] = {
  { "barriers", "there are no super-steps: tiles of C do not wait for one another" },
  { "owner", "tiles of C go to resident blocks in their order; owners are PUs of a pim target" },
  { "edges", "the tensor core fills edge tiles up, and only what is in the matrix is read" },
  { "copies", "copies of operands are a pim target's" },
  { "copy_writes", "copies of operands are a pim target's" },
  { "ring", "a compute unit has no ring" },
  { "buffers", "stages is the number of tiles in flight on a compute unit" },
  { "split", "Search and Compute PUs are a pim target's" },
  { "precision", "the tensor core multiplies the data's own types and sums in C's" },
  { "baseline", "B0 to B3 are flows of a pim target; a run shows row-major and packed tiles beside the plan" },
  { "band", "a product computes every cell; bands belong to alignments" },
  { "score", "scores belong to alignments" },
  { "gap", "gaps belong to alignments" },
};

typedef struct
{
  TlKnobTake      take; /* first: the table's functions see this part */
  TlCuKnobs      *knobs;
  const TlAst    *ast;
  const TlTarget *target;
} Resolver;

const char *
tl_cu_knob_name (TlCuKnob id)
{
  g_return_val_if_fail (id < TL_N_CU_KNOBS, NULL);
  return rows[id].key;
}

const char *
tl_cu_place_name (guint rule)
{
  static const char *const names[] = { "plan", "identity", "packed", "layout" };

  return rule < G_N_ELEMENTS (names) ? names[rule] : NULL;
}

static char *
place_text (const TlCuPlace *place)
{
  if (place->rule != TL_CU_LAYOUT)
    return g_strdup (tl_cu_place_name (place->rule));
  g_autofree char *layout = tl_place_line_text (&place->layout);
  return g_strconcat ("layout ", layout, NULL);
}

char *
tl_cu_knob_text (const TlCuKnobs *knobs, TlCuKnob id)
{
  const TlGemmShape *shape = &knobs->product.shape;

  g_return_val_if_fail (id < TL_N_CU_KNOBS, NULL);
  switch (id)
    {
    case TL_CU_TILE:
      return g_strdup_printf ("(%u, %u, %u)", shape->tile_m, shape->tile_n, shape->tile_k);
    case TL_CU_SLAB:
      return g_strdup_printf ("%u", MAX (shape->slab, 1));
    case TL_CU_QUANTUM:
      return g_strdup_printf ("%u", shape->quantum);
    case TL_CU_PLACE_A:
    case TL_CU_PLACE_B:
      return place_text (&knobs->place[id - TL_CU_PLACE_A]);
    default:
      return tl_knob_row_text (&rows[id], knobs);
    }
}

char *
tl_cu_knob_legal (const TlCuKnobs *knobs, TlCuKnob id)
{
  g_return_val_if_fail (id < TL_N_CU_KNOBS, NULL);
  switch (id)
    {
    case TL_CU_TILE:
      return g_strdup_printf ("(m, n, k), tile rows of whole bytes, at most %u quanta of %u bytes a tile",
                              1u << TL_PLACE_MAX_BITS, knobs->product.shape.quantum);
    case TL_CU_PLACE_A:
    case TL_CU_PLACE_B:
      return g_strdup ("plan, identity, packed or layout EXPRESSION");
    default:
      return tl_knob_row_legal (&rows[id]);
    }
}

const char *
tl_cu_knob_rule (TlCuKnob id)
{
  g_return_val_if_fail (id < TL_N_CU_KNOBS, NULL);
  return rows[id].rule;
}

/* A tile is three sides, and so many units as PLAN takes. */
static void
check_tile (Resolver *resolver)
{
  TlCuKnobs          *knobs = resolver->knobs;
  const TlConfigItem *item = tl_ast_config (resolver->ast, "tile");
  TlGemmShape        *shape = &knobs->product.shape;
  TlGemmTiles         tiles;

  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      if (!tl_gemm_tiles (shape, i, &tiles))
        return;
      guint64 units = tl_ceil_div (tiles.tile_bytes, shape->quantum);
      if (units <= (guint64) 1 << TL_PLACE_MAX_BITS)
        continue;
      g_autofree char *count = tl_format_count (units);
      TlDiag          *diag
          = tl_knob_refuse (&resolver->take, "product-tile", item != NULL ? item->value_span : tl_span (0, 0),
                            "a tile of %s has %s quanta of %u bytes", knobs->product.operand[i], count, shape->quantum);
      tl_diag_reason (diag, "layouts are planned for up to %u units a tile; take smaller tiles or a larger quantum",
                      1u << TL_PLACE_MAX_BITS);
      return;
    }
}

/* --- place --- */

static void
refuse_layout (Resolver *resolver, TlGemmOperand operand, TlSpan span, const char *reason)
{
  TlDiag *diag = tl_knob_refuse (&resolver->take, "layout-illegal", span, "this is no layout of a tile of %s",
                                 resolver->knobs->product.operand[operand]);

  tl_diag_reason (diag, "%s; place %s = plan finds one", reason, resolver->knobs->product.operand[operand]);
}

static void
take_layout (Resolver *resolver, TlGemmOperand operand, const TlExpr *expr)
{
  TlCuPlace       *place = &resolver->knobs->place[operand];
  g_autofree char *reason = NULL;
  TlPlaceBits      bits;
  TlGemmTiles      tiles;
  TlSpan           span = expr->span;

  if (!tl_gemm_tiles (&resolver->knobs->product.shape, operand, &tiles))
    return;
  guint64 units = tl_ceil_div (tiles.tile_bytes, resolver->knobs->product.shape.quantum);
  guint   n = MAX (tl_bits_for (units), 1);
  if (n > TL_PLACE_MAX_BITS)
    return;
  tl_place_bits (tl_target_map (resolver->target), &bits);
  if (!tl_place_line_read (expr, resolver->ast->source, n, bits.n_column, bits.n_domain, &place->layout, &reason,
                           &span))
    {
      refuse_layout (resolver, operand, span, reason);
      return;
    }
  place->rule = TL_CU_LAYOUT;
  g_autofree TlTileMap *map = tl_tile_map_new (&place->layout, tl_target_map (resolver->target), 0, &reason);
  if (map == NULL)
    refuse_layout (resolver, operand, expr->span, reason);
}

static void
take_place (Resolver *resolver, TlGemmOperand operand)
{
  TlCuKnobs         *knobs = resolver->knobs;
  const char        *name = knobs->product.operand[operand];
  const TlPlaceDecl *line = tl_ast_place (resolver->ast, name);
  const TlExpr      *value = line != NULL ? line->value : NULL;

  knobs->place[operand].rule = TL_CU_PLAN;
  if (value == NULL)
    return;
  knobs->origin[TL_CU_PLACE_A + operand] = (TlKnobOrigin) { TL_CHOSEN_YOU, line->value_span };
  if (strcmp (value->text, "layout") == 0 && value->kind == TL_EXPR_CALL && value->n_args == 1)
    {
      take_layout (resolver, operand, value->args[0]);
      return;
    }
  if (strcmp (value->text, "auto") == 0)
    return;
  for (guint rule = TL_CU_PLAN; rule < TL_CU_LAYOUT; rule++)
    if (strcmp (value->text, tl_cu_place_name (rule)) == 0)
      {
        knobs->place[operand].rule = rule;
        return;
      }
  TlDiag          *diag = tl_knob_refuse (&resolver->take, "not-on-this-target", line->value_span,
                                          "%s places whole tiles of a pim target, and %s is a compute unit", value->text,
                                          tl_target_name (resolver->target));
  g_autofree char *title = g_strdup_printf ("place %s = plan", name);
  tl_diag_reason (diag,
                  "beside a compute unit each tier and bank is a domain with a row of its own, and a tile lies in "
                  "many of them; say plan, identity, packed or a layout");
  tl_diag_fix (diag, title, line->value_span, "plan");
}

/* Place lines of what is not read from DRAM. */
static void
judge_other_places (Resolver *resolver)
{
  const TlProduct *product = &resolver->knobs->product;

  for (guint i = 0; i < resolver->ast->n_places; i++)
    {
      const TlPlaceDecl *line = resolver->ast->places[i];

      if (strcmp (line->name, product->output) == 0)
        tl_diag_reason (
            tl_diags_add (resolver->take.diags, TL_SEVERITY_WARNING, "not-on-this-target", resolver->ast->source,
                          line->span, "placing %s does nothing", line->name),
            "sums stay in registers while k runs, and the few writes of %s are not replayed; only %s and %s "
            "are read tile by tile",
            line->name, product->operand[TL_GEMM_A], product->operand[TL_GEMM_B]);
    }
}

/* --- keys that follow from the product --- */

static void
judge_derived (Resolver *resolver, const char *key, const char *derived, const char *reason)
{
  const TlConfigItem *item = tl_ast_config (resolver->ast, key);
  TlDiag             *diag = item != NULL && item->value != NULL && item->value->text != NULL
                                 ? tl_knob_agree (&resolver->take, item->value, key, derived, "product")
                                 : NULL;

  if (diag != NULL)
    tl_diag_reason (diag, "%s", reason);
}

static void
judge_keys (Resolver *resolver)
{
  const TlConfigItem *tile = tl_ast_config (resolver->ast, "tile");

  if (tile != NULL && tile->value != NULL && tile->value->kind == TL_EXPR_TUPLE && tile->value->n_args == 2)
    tl_diag_reason (
        tl_knob_refuse (&resolver->take, "product-tile", tile->value_span, "a tile of a product has three sides"),
        "they are those along m, n and k, as in tile = (64, 128, 64)");
  judge_derived (resolver, "traversal", "product", "tiles of C go one after the other, k rising in each");
  judge_derived (resolver, "mode", "none", "a compute unit talks to nobody");
  tl_knob_warn_foreign (&resolver->take, resolver->ast, foreign_keys, G_N_ELEMENTS (foreign_keys), "a product");
}

/* --- types --- */

static gboolean
is_whole (TlElementType type)
{
  return !tl_element_type_is_float (type);
}

static void
check_types (Resolver *resolver, const TlRecurrence *recurrence)
{
  TlCuKnobs        *knobs = resolver->knobs;
  const TlDataDecl *decl = tl_ast_data (resolver->ast, knobs->product.output);
  TlElementType     f16 = { TL_ELEMENT_FLOAT, 16, 5, 10 };
  gboolean          whole = TRUE;

  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      if (knobs->product.type[i].bits == 0)
        knobs->product.type[i] = f16;
      whole &= is_whole (knobs->product.type[i]);
    }
  knobs->result = recurrence->element;
  guint bits = knobs->result.bits;
  if (is_whole (knobs->result) ? whole && (bits == 32 || bits == 64) && knobs->result.kind == TL_ELEMENT_INT
                               : bits == 32 || bits == 64)
    return;
  g_autofree char *type = tl_element_type_name (knobs->result);
  TlDiag          *diag
      = tl_knob_refuse (&resolver->take, "wrong-type", decl != NULL ? decl->type_span : recurrence->output_span,
                        "sums of this product are not kept in %s", type);
  tl_diag_reason (diag, whole ? "products of whole numbers are summed in i32, i64, f32 or f64"
                              : "products of floats are summed in f32 or f64, k rising, each sum rounded once");
  if (decl != NULL && decl->type.bits > 0)
    tl_diag_fix (diag, "sum in f32", decl->type_span, "f32");
}

/* C's own size, where a line says it. */
static void
check_output (Resolver *resolver)
{
  const TlGemmShape *shape = &resolver->knobs->product.shape;
  const TlDataDecl  *decl = tl_ast_data (resolver->ast, resolver->knobs->product.output);
  const guint32      sides[] = { shape->m, shape->n };
  gint64             extent;

  for (guint i = 0; decl != NULL && decl->n_shape == 2 && i < 2; i++)
    if (tl_expr_integer (decl->shape[i], &extent) && extent != sides[i])
      {
        TlDiag *diag = tl_knob_refuse (&resolver->take, "product-sizes", decl->shape[i]->span,
                                       "%s has %" G_GINT64_FORMAT " %s, its product %u", decl->names[0], extent,
                                       i == 0 ? "rows" : "columns", sides[i]);
        tl_diag_reason (diag, "%s has as many as %s", i == 0 ? "it" : "it", resolver->knobs->product.operand[i]);
        return;
      }
}

static void
find_facts (const TlRecurrence *recurrence, const GArray *facts, TlOperandFacts known[TL_N_GEMM_OPERANDS])
{
  const char *const names[] = { recurrence->left, recurrence->right };

  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      known[i] = (TlOperandFacts) { 0 };
      for (guint f = 0; facts != NULL && f < facts->len; f++)
        {
          const TlDataFacts *fact = &g_array_index (facts, TlDataFacts, f);
          if (strcmp (fact->name, names[i]) == 0)
            known[i] = (TlOperandFacts) { fact->rows, fact->columns, fact->element };
        }
    }
}

/* Tile and quantum have been read with the product; places stand in lines of their own. */
static gboolean
take_own (TlKnobTake *take, guint id, const TlExpr *value)
{
  return id < TL_CU_PLACE_A;
}

gboolean
tl_cu_knobs_resolve (TlCuKnobs *knobs, const TlAst *ast, const TlRecurrence *recurrence, const GArray *facts,
                     const TlTarget *target, TlDiags *diags)
{
  TlKnobTake         take = { .rows = rows,
                              .n_rows = TL_N_CU_KNOBS,
                              .knobs = knobs,
                              .origin = knobs->origin,
                              .own = take_own,
                              .target = target,
                              .source = ast->source,
                              .by = TL_CHOSEN_YOU,
                              .diags = diags,
                              .right = TRUE };
  Resolver           resolver = { take, knobs, ast, target };
  const TlMemory    *memory = tl_target_memory (target);
  const TlCuMachine *machine = tl_target_cu_machine (target);
  g_autoptr (TlDiags) said_already = tl_diags_new ();
  TlOperandFacts known[TL_N_GEMM_OPERANDS];
  gboolean       read;

  g_return_val_if_fail (machine != NULL, FALSE);
  *knobs = (TlCuKnobs) { 0 };
  judge_keys (&resolver);
  find_facts (recurrence, facts, known);
  read = tl_product_of (ast, recurrence->output, recurrence->left, recurrence->right, recurrence->transposed, known,
                        target, &knobs->product, resolver.take.right ? diags : said_already);
  resolver.take.right &= read;
  knobs->stages = DEFAULT_STAGES;
  knobs->queue = machine->window;
  knobs->page = memory->pages == TL_PAGES_OPEN ? TL_PAGE_OPEN : TL_PAGE_CLOSED;
  tl_knob_take_target (&resolver.take);
  tl_knob_take_config (&resolver.take, ast);
  if (read)
    {
      check_types (&resolver, recurrence);
      check_output (&resolver);
      check_tile (&resolver);
    }
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    take_place (&resolver, i);
  judge_other_places (&resolver);
  return resolver.take.right;
}
