#include "program.h"

#include "ir/semiring-op.h"
#include "support/support.h"

#include <string.h>

static TlSpan
find (const Program *program, const char *text)
{
  const char *at = strstr (tl_source_text (program->source), text);
  guint32     start;

  g_assert (at != NULL);
  start = (guint32) (at - tl_source_text (program->source));
  return tl_span (start, start + (guint32) strlen (text));
}

static TlSemiring *
min_plus (TlElementType element)
{
  TlSemiring *semiring = g_new0 (TlSemiring, 1);

  semiring->carrier.element = element;
  semiring->carrier.has_inf = TRUE;
  semiring->plus.kind = element.kind == TL_ELEMENT_BOOL ? TL_OPERATOR_OR : TL_OPERATOR_MIN;
  semiring->times.kind = element.kind == TL_ELEMENT_BOOL ? TL_OPERATOR_AND : TL_OPERATOR_ADD;
  if (tl_element_type_is_float (element))
    {
      semiring->carrier.low.r = -65504;
      semiring->carrier.high.r = 65504;
      semiring->zero.r = __builtin_inf ();
      return semiring;
    }
  semiring->carrier.low.i = tl_element_type_min (element);
  semiring->carrier.high.i = tl_element_type_max (element);
  semiring->zero.i = TL_INF;
  return semiring;
}

void
program_open (Program *program, guint64 n, const char *type, const char *config, const char *const *overrides)
{
  g_autofree char *text = g_strdup_printf ("algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                           "data D: %s = graph(\"roads.gr\")\nconfig target = gendram\n%s",
                                           type, config);
  TlDataFacts      fact = { .name = (char *) "D", .rows = n, .columns = n, .content_hash = 0x1234 };
  TlRecurrence    *recurrence = g_new0 (TlRecurrence, 1);
  TlElementType    element;

  g_assert (tl_element_type_parse (type, &element));
  memset (program, 0, sizeof *program);
  program->diags = tl_diags_new ();
  program->source = tl_source_new ("apsp.gdsl", text, -1);
  program->ast = tl_parse (program->source, program->diags);
  program->target = tl_target_load ("gendram", NULL, overrides, NULL, tl_span (0, 0), program->diags);
  g_assert (program->target != NULL);
  program->facts = g_array_new (FALSE, FALSE, sizeof (TlDataFacts));
  g_array_append_val (program->facts, fact);
  program->recurrence = recurrence;
  recurrence->source = tl_source_ref (program->source);
  recurrence->algorithm = g_strdup ("apsp");
  recurrence->algorithm_span = find (program, "algorithm apsp");
  recurrence->semiring = min_plus (element);
  recurrence->element = element;
  recurrence->output = g_strdup ("D");
  recurrence->left = g_strdup ("D");
  recurrence->right = g_strdup ("D");
  recurrence->update_span = find (program, "D[i,j] = min(D[i,j], D[i,k] + D[k,j])");
  recurrence->plus_span = find (program, "min");
  recurrence->times_span = find (program, "+");
  recurrence->output_span = find (program, "D[i,j]");
  recurrence->left_span = find (program, "D[i,k]");
  recurrence->right_span = find (program, "D[k,j]");
  recurrence->closure = TRUE;
  recurrence->cycle_check = TRUE;
  tl_pim_knobs_resolve (&program->knobs, program->ast, NULL, "D", element, program->target, program->diags);
}

void
program_close (Program *program)
{
  TlRecurrence *recurrence = program->recurrence;

  if (program->source == NULL)
    return;
  tl_source_unref (recurrence->source);
  g_free (recurrence->algorithm);
  tl_semiring_free (recurrence->semiring);
  g_free (recurrence->output);
  g_free (recurrence->left);
  g_free (recurrence->right);
  g_free (recurrence);
  tl_pim_knobs_clear (&program->knobs);
  g_array_unref (program->facts);
  tl_ast_unref (program->ast);
  tl_target_unref (program->target);
  tl_diags_unref (program->diags);
  g_clear_pointer (&program->source, tl_source_unref);
}

TlModule *
program_module (Program *program, TlGroup group, guint candidate)
{
  g_autoptr (TlModule) module
      = tl_g1_module (program->recurrence, program->ast, program->facts, &program->knobs,
                      tl_target_pim_machine (program->target), tl_target_name (program->target), program->diags);

  if (module == NULL || !tl_module_verify (module, program->diags)
      || (group >= TL_GROUP_G2 && (!tl_g2_tile (module, program->diags) || !tl_module_verify (module, program->diags)))
      || (group >= TL_GROUP_G3
          && (!tl_g3_map (module, candidate, program->source, program->knobs.origin[TL_PIM_OWNER].span, program->diags)
              || !tl_module_verify (module, program->diags)))
      || (group >= TL_GROUP_G4
          && (!tl_g4_communicate (module, program->diags) || !tl_module_verify (module, program->diags))))
    return NULL;
  return g_steal_pointer (&module);
}

const TlDiag *
program_diag (const Program *program, const char *code)
{
  for (guint d = 0; d < tl_diags_count (program->diags); d++)
    if (strcmp (tl_diags_get (program->diags, d)->code, code) == 0)
      return tl_diags_get (program->diags, d);
  return NULL;
}
