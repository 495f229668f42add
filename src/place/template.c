/* Templates: made, hashed, found, written. */
#include "place/template.h"
#include "base/hash.h"

#include <gio/gio.h>
#include <string.h>

TlTemplate *
tl_template_new (const char *name, const TlTarget *target, const TlSignature *signature, const TlFreePlan *plan,
                 guint split)
{
  TlTemplate *template = g_new (TlTemplate, 1);

  *template = (TlTemplate) {
    .name = g_strdup (name),
    .target = g_strdup (tl_target_name (target)),
    .target_hash = tl_target_hash (target),
    .signature_hash = signature->hash,
    .operand = signature->operand,
    .transposed = signature->transposed,
    .tile_rows = signature->tile_rows,
    .tile_row_bytes = signature->tile_row_bytes,
    .bits = signature->bits,
    .quantum = signature->quantum,
    .accesses = signature->sequence->length,
    .split = split,
    .placement = plan->placement,
    .hits = plan->hits,
    .conflicts = plan->conflicts,
    .coverage = plan->coverage,
    .exact = plan->exact,
  };
  return template;
}

void
tl_template_free (TlTemplate *template)
{
  if (template == NULL)
    return;
  g_free (template->name);
  g_free (template->target);
  g_free (template);
}

guint64
tl_template_hash (const TlTemplate *template)
{
  const TlPlacement *placement = &template->placement;
  const guint64      facts[] = { template->target_hash,
                                 template->signature_hash,
                                 template->operand,
                                 (guint64) (template->transposed != 0),
                                 template->tile_rows,
                                 template->tile_row_bytes,
                                 template->bits,
                                 template->quantum,
                                 template->accesses,
                                 template->split,
                                 placement->bits,
                                 placement->n_domain,
                                 placement->n_row,
                                 placement->n_column,
                                 placement->nonzeros,
                                 template->hits,
                                 template->conflicts,
                                 template->coverage,
                                 (guint64) (template->exact != 0) };
  /* Names end in a NUL, so that where one ends tells too. */
  guint64            hash = tl_fnv1a64 (TL_FNV1A64_START, template->name, strlen (template->name) + 1);

  hash = tl_fnv1a64 (hash, template->target, strlen (template->target) + 1);
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    hash = tl_fnv1a64_u64 (hash, facts[i]);
  for (guint i = 0; i < placement->bits; i++)
    hash = tl_fnv1a64_u64 (hash, placement->rows[i]);
  return hash;
}

static void
append_rows (GString *text, const char *name, const guint16 *rows, guint n, guint bits)
{
  g_string_append_printf (text, "      <%s>", name);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      for (guint b = bits; b-- > 0;)
        g_string_append_c (text, rows[i] >> b & 1 ? '1' : '0');
    }
  g_string_append_printf (text, "</%s>\n", name);
}

static void
append_template (GString *text, const TlTemplate *template)
{
  const TlPlacement *placement = &template->placement;
  g_autofree char   *name = g_markup_escape_text (template->name, -1);
  g_autofree char   *target = g_markup_escape_text (template->target, -1);
  g_autofree char   *hash = tl_hash_text (tl_template_hash (template));
  g_autofree char   *target_hash = tl_hash_text (template->target_hash);
  g_autofree char   *signature_hash = tl_hash_text (template->signature_hash);

  g_string_append_printf (text, "  <template name=\"%s\" hash=\"%s\">\n    <target name=\"%s\" hash=\"%s\"/>\n", name,
                          hash, target, target_hash);
  g_string_append_printf (
      text,
      "    <signature hash=\"%s\" operand=\"%c\"%s rows=\"%" G_GUINT64_FORMAT "\" row_bytes=\"%" G_GUINT64_FORMAT
      "\" bits=\"%u\" quantum=\"%u\" accesses=\"%" G_GUINT64_FORMAT "\"/>\n",
      signature_hash, template->operand == TL_GEMM_A ? 'A' : 'B',
      template->operand == TL_GEMM_A ? ""
      : template->transposed         ? " weights=\"nxk\""
                                     : " weights=\"kxn\"",
      template->tile_rows, template->tile_row_bytes, template->bits, template->quantum, template->accesses);
  g_string_append_printf (text, "    <layout split=\"%u\">\n", template->split);
  append_rows (text, "domain", placement->rows, placement->n_domain, placement->bits);
  append_rows (text, "row", placement->rows + placement->n_domain, placement->n_row, placement->bits);
  append_rows (text, "column", placement->rows + placement->n_domain + placement->n_row, placement->n_column,
               placement->bits);
  g_string_append_printf (text,
                          "    </layout>\n    <rank hits=\"%" G_GUINT64_FORMAT "\" conflicts=\"%" G_GUINT64_FORMAT
                          "\" domains=\"%" G_GUINT64_FORMAT "\" terms=\"%u\" exact=\"%s\"/>\n  </template>\n",
                          template->hits, template->conflicts, template->coverage, placement->nonzeros,
                          template->exact ? "true" : "false");
}

char *
tl_templates_text (const GPtrArray *templates)
{
  GString *text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<templates version=\"1\">\n");

  for (guint i = 0; i < templates->len; i++)
    append_template (text, g_ptr_array_index (templates, i));
  g_string_append (text, "</templates>\n");
  return g_string_free (text, FALSE);
}

gboolean
tl_templates_save (const GPtrArray *templates, const char *path, GError **error)
{
  g_autofree char *text = tl_templates_text (templates);

  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, error);
}

const TlTemplate *
tl_templates_find (const GPtrArray *templates, const char *name, const TlTarget *target, const TlSignature *signature,
                   int split, TlDiags *diags)
{
  const TlTemplate *best = NULL, *elsewhere = NULL, *namesake = NULL;

  for (guint i = 0; i < templates->len; i++)
    {
      const TlTemplate *template = g_ptr_array_index (templates, i);
      gboolean same_target = template->target_hash == tl_target_hash (target);
      gboolean same_signature = template->signature_hash == signature->hash;

      if (split >= 0 && template->split != (guint) split)
        continue;
      if (same_target && same_signature && (best == NULL || template->split < best->split))
        best = template;
      else if (same_signature && elsewhere == NULL)
        elsewhere = template;
      else if (same_target && namesake == NULL && strcmp (template->name, name) == 0)
        namesake = template;
    }
  if (best != NULL)
    return best;

  g_autofree char *wanted = tl_hash_text (elsewhere != NULL ? tl_target_hash (target) : signature->hash);
  if (elsewhere != NULL)
    {
      g_autofree char *there = tl_hash_text (elsewhere->target_hash);
      TlDiag          *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "template-target", NULL, tl_span (0, 0),
                                            "the template of operand %s is for another machine", name);
      tl_diag_reason (diag, "it was planned for %s with the hash %s, %s has %s; plan again", elsewhere->target, there,
                      tl_target_name (target), wanted);
    }
  else if (namesake != NULL)
    {
      g_autofree char *there = tl_hash_text (namesake->signature_hash);
      TlDiag          *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "template-signature", NULL, tl_span (0, 0),
                                            "the template of operand %s is for other accesses", name);
      tl_diag_reason (diag, "its signature is %s, the operand's %s: tile, element, quantum or order differ; plan again",
                      there, wanted);
    }
  else
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "template-missing", NULL, tl_span (0, 0),
                                   "there is no template of operand %s", name);
      tl_diag_reason (diag, "none of the library has the signature %s", wanted);
    }
  return NULL;
}
