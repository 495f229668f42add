/* tierc ptx: the kernel of a program's matrix product, as PTX or as the tile machine's listing. */
#include "tile/ptx.h"
#include "cli/cli.h"
#include "tile/plan.h"
#include "tile/program.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  gboolean    listing;
  gboolean    json;
  int         sm;
  const char *output;
} Wishes;

static int
build_program (TlCli *cli, const char *path, char **sets, TlBuild **build)
{
  g_auto (TlCliSource) source = { 0 };
  int status;

  if (!tl_cli_source_open (&source, path))
    return TL_EXIT_WRONG;
  if ((status = tl_cli_source_judge_settings (&source, &tl_cli_ptx, sets)) != TL_GO_ON)
    return status;
  if (source.stage != TL_STAGE_TEXT)
    return tl_cli_usage (&tl_cli_ptx, "\"%s\" is compiled already; a kernel is made of a program's text", path);
  TlBuildOptions options = { .until = TL_STAGE_TARGET, .config = (const char *const *) sets };
  *build = tl_cli_source_build (&source, &options, cli->cancellable);
  return tl_cli_build_judge (*build);
}

/* What the builder refuses is said of the whole program. */
static int
refuse (const TlBuild *build, const char *reason)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-kernel", build->source, tl_span (0, 0),
                                "there is no such kernel of this product"),
                  "%s", reason);
  tl_cli_diags_print (diags, build->source);
  return TL_EXIT_WRONG;
}

static int
write_json (const Wishes *wishes, const TlTileProgram *program, const TlTileMatmul *matmul, const char *listing,
            const char *ptx, guint64 shared_bytes)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *activation = tl_element_type_name (matmul->spec.activation);
  g_autofree char *weight = tl_element_type_name (matmul->spec.weight);
  g_autofree char *cost = tl_load_recipe_cost (&matmul->recipe);
  const guint      tile[] = { matmul->tile_m, matmul->tile_n, matmul->tile_k };

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "activation", activation);
  tl_json_text (builder, "weight", weight);
  tl_json_int (builder, "m", matmul->spec.m);
  tl_json_int (builder, "n", matmul->spec.n);
  tl_json_int (builder, "k", matmul->spec.k);
  tl_json_begin_array (builder, "tile");
  for (guint i = 0; i < 3; i++)
    json_builder_add_int_value (builder, tile[i]);
  json_builder_end_array (builder);
  tl_json_int (builder, "stages", matmul->spec.stages);
  tl_json_int (builder, "threads", tl_tile_kernel_threads (matmul->kernel));
  tl_json_begin_array (builder, "grid");
  for (guint i = 0; i < 3; i++)
    json_builder_add_int_value (builder, matmul->grid[i]);
  json_builder_end_array (builder);
  tl_json_int (builder, "weight_bytes", matmul->weight_bytes);
  tl_json_text (builder, "way", tl_load_way_name (matmul->recipe.way));
  tl_json_text (builder, "load_cost", cost);
  tl_json_int (builder, "sm", (guint64) wishes->sm);
  tl_json_int (builder, "shared_bytes", shared_bytes);
  tl_json_text (builder, "listing", listing);
  tl_json_text (builder, "ptx", ptx);
  json_builder_end_object (builder);
  return tl_cli_write_json (wishes->output, json_builder_get_root (builder));
}

static int
write_kernel (const Wishes *wishes, const TlBuild *build)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (TlTileMatmul) matmul = { 0 };
  g_autofree char *reason = NULL;
  g_autofree char *ptx = NULL;
  TlTileProgram    program;
  TlTilePtxOptions options = { (guint) wishes->sm, TL_TILE_PTX_VIEW_NOTHING };
  guint64          shared_bytes = 0;
  guint            at;

  if (!tl_tile_program_read (build->ast, &program, diags))
    {
      tl_cli_diags_print (diags, build->source);
      return TL_EXIT_WRONG;
    }
  if (!tl_tile_matmul_make (&matmul, &program.spec, &reason))
    return refuse (build, reason);
  g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, &at, &reason);
  if (plan == NULL)
    return refuse (build, reason);
  g_autofree char *listing = tl_tile_kernel_to_text (matmul.kernel);
  if (wishes->listing && !wishes->json)
    return tl_output_write (wishes->output, listing, -1);
  ptx = tl_tile_matmul_to_ptx (&matmul, &options, &shared_bytes, &reason);
  if (ptx == NULL)
    return refuse (build, reason);
  if (wishes->json)
    return write_json (wishes, &program, &matmul, listing, ptx, shared_bytes);
  return tl_output_write (wishes->output, ptx, -1);
}

static int
ptx (TlCli *cli, int argc, char **argv)
{
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) sets = NULL;
  g_autofree char   *output = NULL;
  Wishes             wishes = { .sm = 80 };
  const GOptionEntry entries[] = {
    { "sm", 0, 0, G_OPTION_ARG_INT, &wishes.sm, N_ ("Generation of the GPU: 80 (default) or 90"), "SM" },
    { "listing", 'l', 0, G_OPTION_ARG_NONE, &wishes.listing,
      N_ ("Print the tile machine's instructions, with the layout of every register, instead of PTX"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Write to FILE instead of standard output"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &wishes.json, N_ ("Print one JSON object"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_ptx, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_ptx, "one FILE with a matrix product is expected");
  if (wishes.sm != 80 && wishes.sm != 90)
    return tl_cli_usage (&tl_cli_ptx, "--sm is 80 or 90, not %d", wishes.sm);
  if ((status = tl_cli_settings_valid (&tl_cli_ptx, sets)) != TL_GO_ON)
    return status;
  wishes.output = output != NULL ? output : "-";
  if (!tl_output_probe (output))
    return TL_EXIT_WRONG;

  g_autoptr (TlBuild) build = NULL;
  status = build_program (cli, arguments[0], sets, &build);
  return status != TL_GO_ON ? status : write_kernel (&wishes, build);
}

const TlCliCommand tl_cli_ptx = {
  .name = "ptx",
  .arguments = "FILE",
  .summary = N_ ("The kernel of a product with weights of few bits"),
  .details
  = N_ ("FILE holds C[m,n] = C[m,n] + A[m,k] * W[k,n] with weights of 1 to 8 bits, as in: data W: i6[5120, 8192];\n"
        "its config says tile and stages. The kernel takes pointers to a, to the packed w and to c."),
  .run = ptx,
};
