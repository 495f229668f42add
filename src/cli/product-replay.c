/* The requests of a product as a run to go about in. */
#include "engine/product-replay.h"
#include "base/number.h"
#include "cli/run-product.h"

int
tl_cli_product_judge (const TlBuild *build, guint64 ctas, guint64 most)
{
  const TlGemmShape *shape = &build->product->shape;
  guint64            all = MAX (tl_gemm_ctas (shape), 1), some = ctas > 0 ? MIN (ctas, all) : all;
  double             requests = (double) tl_gemm_requests (shape) * (double) some / (double) all;

  if (requests <= (double) most)
    return TL_GO_ON;
  g_autofree char *here = tl_format_count ((guint64) requests), *limit = tl_format_count (most);
  g_autofree char *fewer = tl_format_count (MAX ((guint64) ((double) most / requests * (double) some), 1));
  fprintf (stderr,
           "%s: error: the product has more requests than are kept\n  because: it has about %s, the limit is %s\n"
           "  fix: take its first blocks alone, --ctas=%s\n",
           build->product->name, here, limit, fewer);
  return TL_EXIT_WRONG;
}

int
tl_cli_product_replay (TlCli *cli, TlBuild *build, guint64 ctas, TlProductLayout layout, guint64 most, TlEventSink sink,
                       gpointer sink_data, TlReplayRun **replay)
{
  const TlCuProgram *program = build->product;
  gboolean           planned = program->rule[0] == TL_CU_PLAN && program->rule[1] == TL_CU_PLAN;
  guint              bit = 1u << layout;
  g_autoptr (TlProgress) progress = NULL;
  TlProductRunOptions options
      = { .ctas = ctas,
          .skip_values = TRUE,
          /* A plan that is slower than none is given up, so none is run beside it. */
          .only = bit | (layout == TL_PRODUCT_PLACED && planned ? 1u << TL_PRODUCT_CONVENTIONAL : 0),
          .record = bit,
          .cancellable = cli->cancellable,
          .progress = tl_progress_count };
  g_autoptr (GError) error = NULL;
  int status = tl_cli_product_judge (build, ctas, most);

  if (status != TL_GO_ON)
    return status;
  options.user = progress = tl_progress_new (program->name);
  g_autoptr (TlProductRun) run = tl_product_run (build, &options);
  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (run->diags, build->source);
  if (run->cancelled)
    {
      fputs ("interrupted; nothing was written\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  if (!run->complete)
    {
      if (tl_diags_errors (run->diags) == 0)
        fprintf (stderr, "%s: error: %s, the operands do not fit the memory of %s\n", program->name,
                 tl_product_layout_name (layout), program->target);
      return TL_EXIT_WRONG;
    }
  if ((*replay = tl_product_replay_of (run, layout, sink, sink_data, &error)) != NULL)
    return TL_GO_ON;
  fprintf (stderr, "%s: error: %s\n", program->name, error->message);
  return TL_EXIT_WRONG;
}
