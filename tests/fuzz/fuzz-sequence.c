/* Access sequences: whatever is read stays inside the unit bits and is planned right; whatever is not
 * read is said. The first byte chooses the bits. */
#include "place/evaluate.h"
#include "place/plan.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (size == 0 || size > 4096)
    return 0;
  guint bits = 1 + data[0] % TL_PLACE_MAX_BITS;
  g_autoptr (TlSource) source = tl_source_new ("s", (const char *) data + 1, (gssize) size - 1);
  g_autoptr (TlSequence) sequence = tl_sequence_parse (source, bits, diags);
  g_assert_true ((sequence == NULL) == (tl_diags_errors (diags) > 0));
  if (sequence == NULL)
    return 0;
  for (guint32 i = 0; i < sequence->length; i++)
    g_assert_cmpuint (sequence->units[i] >> bits, ==, 0);

  TlPlanOptions     options = { .columns = data[0] / 16 % 8, .domains = data[0] / 32, .step_limit = 100000 };
  TlFreePlan        plan;
  TlPlacementCounts counts;
  tl_plan_free_domains (sequence, &options, &plan);
  g_assert_true (tl_placement_evaluate (&plan.placement, sequence, &counts));
  g_assert_true (counts.hit == plan.hits && counts.conflict == plan.conflicts && counts.coverage == plan.coverage);
  return 0;
}
