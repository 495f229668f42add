/* Target files as XML: their bound and their schema. */
#include "target/target-private.h"
#include "target/target-resource.h"
#include "target/xml.h"

static const TlXmlKind target_kind
    = { .word = "target", .file_code = "target-file", .shape_code = "target-shape", .max_bytes = TL_TARGET_MAX_BYTES };

xmlDoc *
tl_xml_read (const char *file, const char *bytes, gsize length, TlDiags *diags)
{
  return tl_xml_load (&target_kind, file, bytes, length, diags);
}

static xmlRelaxNG *
schema (void)
{
  static gsize parsed = 0;

  return tl_xml_schema (&parsed, tl_target_get_resource (), "/tierloom/targets/target.rng");
}

gboolean
tl_xml_validate (const char *file, xmlDoc *doc, TlDiags *diags)
{
  return tl_xml_check (&target_kind, schema (), file, doc, diags);
}
