/* From config and place lines to the knobs of a product. */
#include "passes/cu-knobs.h"

#include "base/number.h"
#include "dsl/knobs.h"
#include "dsl/print.h"
#include "place/address.h"
#include "place/place-line.h"
#include "place/signature.h"

#include <string.h>

#define DEFAULT_STAGES 3
#define MAX_QUEUE      64 /* what the scheduled engine holds */

static const char *const keys[TL_N_CU_KNOBS] = { "tile",  "stages", "resident", "skew", "weights", "slab", "quantum",
                                                 "queue", "page",   "values",   "seed", "place",   "place" };

/* Keys of the language that mean nothing to a product on a compute unit, and why. */
static const struct
{
  const char *key, *reason;
} foreign_keys[] = {
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
  TlCuKnobs      *knobs;
  const TlAst    *ast;
  const TlTarget *target;
  TlDiags        *diags;
  gboolean        right;
} Resolver;

const char *
tl_cu_knob_name (TlCuKnob id)
{
  g_return_val_if_fail (id < TL_N_CU_KNOBS, NULL);
  return keys[id];
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

  switch (id)
    {
    case TL_CU_TILE:
      return g_strdup_printf ("(%u, %u, %u)", shape->tile_m, shape->tile_n, shape->tile_k);
    case TL_CU_STAGES:
      return g_strdup_printf ("%u", knobs->stages);
    case TL_CU_RESIDENT:
      return g_strdup_printf ("%u", shape->resident);
    case TL_CU_SKEW:
      return g_strdup_printf ("%u", shape->skew);
    case TL_CU_WEIGHTS:
      return g_strdup (shape->transposed ? "nxk" : "kxn");
    case TL_CU_SLAB:
      return g_strdup_printf ("%u", MAX (shape->slab, 1));
    case TL_CU_QUANTUM:
      return g_strdup_printf ("%u", shape->quantum);
    case TL_CU_QUEUE:
      return g_strdup_printf ("%u", knobs->queue);
    case TL_CU_PAGE:
      return g_strdup (tl_page_name (knobs->page));
    case TL_CU_VALUES:
      return g_strdup (tl_values_name (knobs->values));
    case TL_CU_SEED:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, knobs->seed);
    case TL_CU_PLACE_A:
    case TL_CU_PLACE_B:
      return place_text (&knobs->place[id - TL_CU_PLACE_A]);
    default:
      g_return_val_if_reached (NULL);
    }
}

char *
tl_cu_knob_legal (const TlCuKnobs *knobs, TlCuKnob id)
{
  const TlKnob *knob = tl_knob_find (keys[id]);

  switch (id)
    {
    case TL_CU_TILE:
      return g_strdup_printf ("(m, n, k), tile rows of whole bytes, at most %u quanta of %u bytes a tile",
                              1u << TL_PLACE_MAX_BITS, knobs->product.shape.quantum);
    case TL_CU_QUEUE:
      return g_strdup_printf ("1 to %d", MAX_QUEUE);
    case TL_CU_PLACE_A:
    case TL_CU_PLACE_B:
      return g_strdup ("plan, identity, packed or layout EXPRESSION");
    default:
      return knob->grammar != NULL ? g_strdup (knob->grammar) : g_strjoinv (", ", (char **) knob->words);
    }
}

/* --- one value --- */

static TlDiag *refuse (Resolver *resolver, const char *code, TlSpan span, const char *format, ...) G_GNUC_PRINTF (4, 5);

static TlDiag *
refuse (Resolver *resolver, const char *code, TlSpan span, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  resolver->right = FALSE;
  return tl_diags_add (resolver->diags, TL_SEVERITY_ERROR, code, resolver->ast->source, span, "%s", message);
}

/* Who chose @id: FALSE when nobody did. *text is the target's value where that is it. */
static gboolean
chosen (Resolver *resolver, TlCuKnob id, const TlExpr **value, const char **text)
{
  const TlConfigItem *item = tl_ast_config (resolver->ast, keys[id]);
  TlKnobOrigin       *origin = &resolver->knobs->origin[id];

  *value = NULL;
  *text = NULL;
  if (item != NULL && item->value != NULL)
    {
      *origin = (TlKnobOrigin) { TL_CHOSEN_YOU, item->value_span };
      *value = item->value;
      return TRUE;
    }
  if ((*text = tl_target_knob (resolver->target, keys[id])) == NULL)
    return FALSE;
  origin->chosen = TL_CHOSEN_TARGET;
  return TRUE;
}

static guint64
take_integer (Resolver *resolver, TlCuKnob id, guint64 least, guint64 most, guint64 otherwise)
{
  const TlExpr *value;
  const char   *text;
  gint64        number = 0;
  guint64       read = 0;

  if (!chosen (resolver, id, &value, &text))
    return otherwise;
  if (value != NULL ? tl_expr_integer (value, &number)
                    : g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &read, NULL))
    {
      read = value != NULL ? (guint64) MAX (number, 0) : read;
      if (read >= least && read <= most && number >= 0)
        return read;
    }
  TlDiag *diag = refuse (resolver, "illegal-value", resolver->knobs->origin[id].span, "%s cannot be that", keys[id]);
  tl_diag_reason (diag, "%s is %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " here", keys[id], least, most);
  return otherwise;
}

static guint
take_word (Resolver *resolver, TlCuKnob id, const char *(*name) (int), guint otherwise)
{
  const TlExpr *value;
  const char   *text;

  if (!chosen (resolver, id, &value, &text))
    return otherwise;
  if (value != NULL)
    text = value->kind == TL_EXPR_NAME ? value->text : NULL;
  for (int i = 0; text != NULL && name (i) != NULL; i++)
    if (strcmp (name (i), text) == 0)
      return (guint) i;
  return otherwise; /* the checks of the text refuse other words */
}

static const char *
page_word (int value)
{
  return tl_page_name (value);
}

static const char *
values_word (int value)
{
  return tl_values_name (value);
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
          = refuse (resolver, "product-tile", item != NULL ? item->value_span : tl_span (0, 0),
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
  TlDiag *diag = refuse (resolver, "layout-illegal", span, "this is no layout of a tile of %s",
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
  TlDiag          *diag = refuse (resolver, "not-on-this-target", line->value_span,
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
            tl_diags_add (resolver->diags, TL_SEVERITY_WARNING, "not-on-this-target", resolver->ast->source, line->span,
                          "placing %s does nothing", line->name),
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
  const char         *word = item != NULL && item->value != NULL ? item->value->text : NULL;

  if (word == NULL || strcmp (word, derived) == 0)
    return;
  TlDiag          *diag = refuse (resolver, "not-on-this-target", item->value_span,
                                  "%s = %s does not suit a product; its %s is %s", key, word, key, derived);
  g_autofree char *title = g_strdup_printf ("set %s = %s", key, derived);
  tl_diag_reason (diag, "%s", reason);
  tl_diag_fix (diag, title, item->value_span, derived);
}

static void
judge_keys (Resolver *resolver)
{
  const TlConfigItem *tile = tl_ast_config (resolver->ast, "tile");

  if (tile != NULL && tile->value != NULL && tile->value->kind == TL_EXPR_TUPLE && tile->value->n_args == 2)
    tl_diag_reason (refuse (resolver, "product-tile", tile->value_span, "a tile of a product has three sides"),
                    "they are those along m, n and k, as in tile = (64, 128, 64)");
  judge_derived (resolver, "traversal", "product", "tiles of C go one after the other, k rising in each");
  judge_derived (resolver, "mode", "none", "a compute unit talks to nobody");
  for (guint f = 0; f < G_N_ELEMENTS (foreign_keys); f++)
    {
      const TlConfigItem *item = tl_ast_config (resolver->ast, foreign_keys[f].key);

      if (item != NULL)
        tl_diag_reason (tl_diags_add (resolver->diags, TL_SEVERITY_WARNING, "not-on-this-target", resolver->ast->source,
                                      item->span, "%s does nothing for a product on %s", foreign_keys[f].key,
                                      tl_target_name (resolver->target)),
                        "%s", foreign_keys[f].reason);
    }
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
  TlDiag          *diag = refuse (resolver, "wrong-type", decl != NULL ? decl->type_span : recurrence->output_span,
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
        TlDiag *diag
            = refuse (resolver, "product-sizes", decl->shape[i]->span, "%s has %" G_GINT64_FORMAT " %s, its product %u",
                      decl->names[0], extent, i == 0 ? "rows" : "columns", sides[i]);
        tl_diag_reason (diag, "%s has as many as %s", i == 0 ? "it" : "it", resolver->knobs->product.operand[i]);
        return;
      }
}

static void
find_extents (const TlRecurrence *recurrence, const GArray *facts, guint64 extents[4])
{
  const char *const names[] = { recurrence->left, recurrence->right };

  memset (extents, 0, 4 * sizeof *extents);
  for (guint i = 0; i < 2; i++)
    for (guint f = 0; facts != NULL && f < facts->len; f++)
      {
        const TlDataFacts *fact = &g_array_index (facts, TlDataFacts, f);
        if (strcmp (fact->name, names[i]) == 0)
          {
            extents[2 * i] = fact->rows;
            extents[2 * i + 1] = fact->columns;
          }
      }
}

/* The target's own tile and counts, where no line says them. */
static void
take_shape (Resolver *resolver)
{
  static const TlCuKnob ids[] = { TL_CU_RESIDENT, TL_CU_SKEW, TL_CU_SLAB };
  TlGemmShape          *shape = &resolver->knobs->product.shape;
  guint32 *const        fields[] = { &shape->resident, &shape->skew, &shape->slab };
  const TlExpr         *value;
  const char           *text;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    *fields[i] = (guint32) take_integer (resolver, ids[i], ids[i] == TL_CU_SKEW ? 0 : 1, G_MAXINT32, *fields[i]);
  chosen (resolver, TL_CU_TILE, &value, &text);
  chosen (resolver, TL_CU_WEIGHTS, &value, &text);
  chosen (resolver, TL_CU_QUANTUM, &value, &text);
}

gboolean
tl_cu_knobs_resolve (TlCuKnobs *knobs, const TlAst *ast, const TlRecurrence *recurrence, const GArray *facts,
                     const TlTarget *target, TlDiags *diags)
{
  Resolver           resolver = { knobs, ast, target, diags, TRUE };
  const TlMemory    *memory = tl_target_memory (target);
  const TlCuMachine *machine = tl_target_cu_machine (target);
  guint64            extents[4];

  g_return_val_if_fail (machine != NULL, FALSE);
  *knobs = (TlCuKnobs) { 0 };
  judge_keys (&resolver);
  find_extents (recurrence, facts, extents);
  if (!resolver.right
      || !tl_product_of (ast, recurrence->output, recurrence->left, recurrence->right, recurrence->transposed, extents,
                         memory->unit_bytes, &knobs->product, diags))
    return FALSE;
  take_shape (&resolver);
  knobs->stages = (guint) take_integer (&resolver, TL_CU_STAGES, 1, 64, DEFAULT_STAGES);
  knobs->queue = (guint) take_integer (&resolver, TL_CU_QUEUE, 1, MAX_QUEUE, machine->window);
  knobs->seed = take_integer (&resolver, TL_CU_SEED, 0, G_MAXINT64, 0);
  knobs->page
      = take_word (&resolver, TL_CU_PAGE, page_word, memory->pages == TL_PAGES_OPEN ? TL_PAGE_OPEN : TL_PAGE_CLOSED);
  knobs->values = take_word (&resolver, TL_CU_VALUES, values_word, TL_VALUES_AUTO);
  check_types (&resolver, recurrence);
  check_output (&resolver);
  check_tile (&resolver);
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    take_place (&resolver, i);
  judge_other_places (&resolver);
  return resolver.right;
}
