/* What tierc build shows of a product on a compute unit. */
#include "cli/build-product.h"
#include "base/number.h"
#include "place/place-line.h"

/* A product on a compute unit: its tiles, what was replayed to choose their layouts, and these. */
void
tl_cli_build_product_print (const TlBuild *build)
{
  const TlCuProgram *program = build->product;
  const TlGemmShape *shape = &program->shape;
  const TlCuLayouts *layouts = &program->layouts;

  printf ("%s: %u x %u x %u on %s\n", program->name, shape->m, shape->n, shape->k, program->target);
  printf ("  tiles      %u x %u x %u, %u stages, %u resident, skew %u, weights %s, quanta of %u bytes\n", shape->tile_m,
          shape->tile_n, shape->tile_k, program->stages, shape->resident, shape->skew,
          shape->transposed ? "N x K" : "K x N", shape->quantum);
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      g_autofree char *type = tl_element_type_name (program->type[i]);
      g_autofree char *map = layouts->placed[i] ? tl_place_line_text (&layouts->placement[i]) : g_strdup ("row by row");

      printf ("  %-10s %s, %s: %s\n", program->operand[i], type, tl_cu_place_name (program->rule[i]), map);
    }
  if (program->fallback)
    printf ("  what PLAN found was slower than no layout by more than 2 %%, so none is used\n");
  for (guint i = 0; i < build->layouts->len; i++)
    {
      const TlLayoutTrial *trial = &g_array_index (build->layouts, TlLayoutTrial, i);
      g_autofree char     *time
          = trial->kernel_ps != G_MAXUINT64 ? tl_format_ps (trial->kernel_ps) : g_strdup ("does not fit");

      printf ("    tried    %s: %s%s\n", trial->layout, time, trial->chosen ? ", chosen" : "");
    }
}

void
tl_cli_product_head (JsonBuilder *builder, const char *name, const char *target, const TlGemmShape *shape)
{
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", name);
  tl_json_text (builder, "target", target);
  tl_json_int (builder, "m", shape->m);
  tl_json_int (builder, "n", shape->n);
  tl_json_int (builder, "k", shape->k);
  tl_json_begin_array (builder, "tile");
  json_builder_add_int_value (builder, shape->tile_m);
  json_builder_add_int_value (builder, shape->tile_n);
  json_builder_add_int_value (builder, shape->tile_k);
  json_builder_end_array (builder);
}

JsonNode *
tl_cli_build_product_json (const TlBuild *build)
{
  const TlCuProgram *program = build->product;
  const TlGemmShape *shape = &program->shape;
  const TlCuLayouts *layouts = &program->layouts;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_cli_product_head (builder, program->name, program->target, shape);
  tl_json_int (builder, "stages", program->stages);
  tl_json_int (builder, "resident", shape->resident);
  tl_json_int (builder, "skew", shape->skew);
  tl_json_text (builder, "weights", shape->transposed ? "nxk" : "kxn");
  tl_json_int (builder, "quantum", shape->quantum);
  tl_json_begin_array (builder, "place");
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      g_autofree char *map = layouts->placed[i] ? tl_place_line_text (&layouts->placement[i]) : NULL;

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "operand", program->operand[i]);
      tl_json_text (builder, "rule", tl_cu_place_name (program->rule[i]));
      tl_json_text (builder, "layout", map);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  tl_json_flag (builder, "fallback", program->fallback);
  tl_json_knobs (builder, build);
  tl_json_diags (builder, build->diags, build->source);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
