/* tierc layout EXPR --element: who holds an element, in which bits of the thread, where in the memory image of the
 * load recipe they lie, and with a target in which unit, tier, bank, row and column. */
#include "cli/chain.h"
#include "cli/layout.h"

#include <string.h>

/* The least whole image: as it is, or a byte shared where a thread's bits are no whole bytes. */
static gboolean
make_recipe (TlElementType type, const TlLayout *layout, TlLoadRecipe *recipe, char **reason)
{
  gboolean whole = (guint64) tl_layout_locals (layout) * type.bits % 8 == 0;

  return tl_load_recipe_make (recipe, type.bits, layout, whole ? TL_LOAD_REPEAT : TL_LOAD_SHARED_BYTE, 0, reason);
}

/* One tile on a machine, the pieces placed by PLAN. */
typedef struct
{
  TlTarget      *target;
  TlGemmShape    shape;
  TlGemmPlacing *placing;
  TlChain       *chain;
} Machine;

static void
machine_clear (Machine *machine)
{
  tl_chain_free (machine->chain);
  tl_gemm_placing_free (machine->placing);
  g_clear_pointer (&machine->target, tl_target_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Machine, machine_clear)

static gboolean
load_target (const char *name, Machine *machine)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (GStrv) folders = tl_target_folders ();
  const TlTargetSearch search = { NULL, (const char *const *) folders };

  machine->target = tl_target_load (name, &search, NULL, NULL, tl_span (0, 0), diags);
  tl_cli_diags_print (diags, NULL);
  if (machine->target == NULL)
    return FALSE;
  if (tl_target_kind (machine->target) == TL_MACHINE_CU && tl_target_map (machine->target) != NULL)
    return TRUE;
  fprintf (stderr,
           "layout: error: tiles of registers are placed on cu targets with an address map, such as cu-t8b16\n");
  return FALSE;
}

static gboolean
place_tile (const TlLoadRecipe *recipe, Machine *machine)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *reason = NULL;
  TlAddressMap    *map = tl_target_map (machine->target);
  TlPlaceBits      bits;
  TlPlacement      other;
  TlFreePlan       plan;

  if (recipe->target.n_dims != 2)
    {
      fprintf (stderr, "layout: error: a tile of weights has two dimensions, this layout has %u\n",
               recipe->target.n_dims);
      return FALSE;
    }
  machine->shape = (TlGemmShape) { .m = 1,
                                   .n = (guint32) recipe->target.shape[1],
                                   .k = (guint32) recipe->target.shape[0],
                                   .tile_m = 1,
                                   .tile_n = (guint32) recipe->target.shape[1],
                                   .tile_k = (guint32) recipe->target.shape[0],
                                   .quantum = tl_target_memory (machine->target)->unit_bytes,
                                   .resident = 1,
                                   .bits = { 8, recipe->element_bits } };
  g_autoptr (TlSignature) pieces = tl_signature_of_pieces (recipe, TL_GEMM_B, FALSE, machine->shape.quantum, diags);
  tl_place_bits (map, &bits);
  TlPlanOptions options = { bits.n_column, bits.n_domain, TL_PLAN_STEP_LIMIT, NULL, NULL };
  tl_placement_identity (1, bits.n_column, bits.n_domain, &other);
  if (pieces != NULL)
    {
      tl_plan_free_domains (pieces->sequence, &options, &plan);
      const TlPlacement *placements[] = { &other, &plan.placement };
      machine->placing = tl_gemm_placing_new (&machine->shape, map, placements, 0, diags);
    }
  tl_cli_diags_print (diags, NULL);
  if (machine->placing == NULL)
    return FALSE;
  TlChainSpec spec = { .shape = &machine->shape, .operand = TL_GEMM_B, .recipe = recipe };
  machine->chain = tl_chain_new (&spec, machine->placing, map, &reason);
  if (machine->chain == NULL)
    fprintf (stderr, "layout: error: %s\n", reason);
  return machine->chain != NULL;
}

/* Coordinates to the row-major index. Returns TL_GO_ON or an exit status. */
static int
read_index (const char *text, const TlLayout *layout, guint64 *index)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  *index = 0;
  if (g_strv_length (parts) != layout->n_dims)
    return tl_cli_usage (&tl_cli_layout, "--element wants %u coordinate%s, such as 3,1; \"%s\" is none", layout->n_dims,
                         layout->n_dims == 1 ? "" : "s", text);
  for (guint d = 0; d < layout->n_dims; d++)
    {
      guint64 value;

      if (!g_ascii_string_to_unsigned (g_strstrip (parts[d]), 10, 0, (guint64) layout->shape[d] - 1, &value, NULL))
        return tl_cli_usage (&tl_cli_layout, "coordinate %u of --element is 0 to %d, not \"%s\"", d,
                             layout->shape[d] - 1, parts[d]);
      *index = *index * (guint64) layout->shape[d] + value;
    }
  return TL_GO_ON;
}

static void
print_bits (const TlLoadRecipe *recipe, const TlLayout *layout, guint64 index)
{
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  guint               local, n = tl_layout_where (layout, index, threads, &local), bits = recipe->element_bits;

  for (guint i = 0; i < n; i++)
    {
      printf ("thread %u, local %u: bits %u-%u of the thread; of the image", threads[i], local, local * bits,
              local * bits + bits - 1);
      for (guint k = 0, run; k < bits; k += run)
        {
          guint64 at = tl_load_recipe_place (recipe, threads[i], local * bits + k);

          for (run = 1; k + run < bits && (at + run) % 8 != 0
                        && tl_load_recipe_place (recipe, threads[i], local * bits + k + run) == at + run;)
            run++;
          printf ("%s byte %" G_GUINT64_FORMAT " bits %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, k > 0 ? "," : "",
                  at / 8, at % 8, at % 8 + run - 1);
        }
      puts ("");
    }
}

int
tl_layout_print_element (const char *text, TlElementType type, const TlLayout *layout, const char *target,
                         gboolean json)
{
  g_autofree char *reason = NULL;
  g_auto (Machine) machine = { 0 };
  g_auto (TlChainElement) element = { 0 };
  TlLoadRecipe recipe;
  guint64      index;
  int          status = read_index (text, layout, &index);

  if (status != TL_GO_ON)
    return status;
  if (!make_recipe (type, layout, &recipe, &reason))
    {
      fprintf (stderr, "layout: error: no recipe loads this tile: %s\n", reason);
      return TL_EXIT_WRONG;
    }
  if (target == NULL)
    {
      print_bits (&recipe, layout, index);
      return TL_EXIT_FINE;
    }
  if (!load_target (target, &machine) || !place_tile (&recipe, &machine))
    return TL_EXIT_WRONG;
  guint64 columns = (guint64) layout->shape[layout->n_dims - 1];
  tl_chain_of_element (machine.chain, index / columns, index % columns, &element);
  TlAddressMap *map = tl_target_map (machine.target);
  if (!json)
    {
      g_autofree char *name = g_strdup_printf ("element %s on %s", text, tl_target_name (machine.target));
      tl_cli_print_element (machine.chain, map, machine.shape.quantum, name, &element);
      return TL_EXIT_FINE;
    }
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "target", tl_target_name (machine.target));
  tl_json_int (builder, "units", tl_chain_units (machine.chain));
  tl_json_int (builder, "quantum", machine.shape.quantum);
  tl_json_begin_object (builder, "element");
  tl_cli_json_element (builder, map, &element);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return tl_cli_write_json ("-", json_builder_get_root (builder));
}
