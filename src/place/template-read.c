/* Reading template libraries: the schema tells the shape, the rest is checked here. */
#include "place/template.h"
#include "place/templates-resource.h"
#include "target/xml.h"

#include <string.h>

static const TlXmlKind templates_kind = { .word = "template library",
                                          .file_code = "templates-file",
                                          .shape_code = "templates-shape",
                                          .max_bytes = TL_TEMPLATES_MAX_BYTES };

typedef struct
{
  const char *file;
  TlDiags    *diags;
  gboolean    failed;
} Reader;

static TlDiag *
fault (Reader *reader, xmlNode *node, const char *code, const char *message)
{
  reader->failed = TRUE;
  return tl_diags_add_at (reader->diags, TL_SEVERITY_ERROR, code, reader->file, (guint) MAX (xmlGetLineNo (node), 0), 0,
                          "%s", message);
}

/* The schema has seen to the digits; the bounds are ours. */
static guint64
count (Reader *reader, xmlNode *node, const char *name, guint64 least, guint64 most)
{
  g_autofree char *text = tl_xml_attribute (node, name);
  guint64          value = 0;

  if (!g_ascii_string_to_unsigned (text, 10, least, most, &value, NULL))
    tl_diag_reason (fault (reader, node, "template-number", "a number of the template is out of range"),
                    "%s is %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT ", not %s", name, least, most, text);
  return value;
}

static guint64
hash (xmlNode *node)
{
  g_autofree char *text = tl_xml_attribute (node, "hash");

  return g_ascii_strtoull (text, NULL, 16);
}

static gboolean
says (xmlNode *node, const char *name, const char *wanted)
{
  g_autofree char *text = tl_xml_attribute (node, name);

  return strcmp (text, wanted) == 0;
}

/* Appends rows of digits to the placement; all have as many digits. Returns how many rows there are. */
static guint
read_rows (Reader *reader, xmlNode *node, TlPlacement *placement, guint *n_rows)
{
  xmlChar *content = xmlNodeGetContent (node);
  g_auto (GStrv) words = g_strsplit_set (content != NULL ? (char *) content : "", " \n\r\t", -1);
  guint n = 0;

  xmlFree (content);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize length = strlen (words[i]);

      if (length == 0)
        continue;
      if (placement->bits == 0 && length <= TL_PLACE_MAX_BITS)
        placement->bits = (guint) length;
      if (length != placement->bits || *n_rows == placement->bits)
        {
          tl_diag_reason (fault (reader, node, "template-layout", "the layout is no square matrix"),
                          "a unit's number has 1 to %d bits; there is a row for each of them, with a digit for each",
                          TL_PLACE_MAX_BITS);
          return n;
        }
      guint16 row = 0;
      for (gsize d = 0; d < length; d++)
        row = (guint16) (row << 1 | (words[i][d] == '1'));
      placement->rows[(*n_rows)++] = row;
      placement->nonzeros += (guint) __builtin_popcount (row);
      n++;
    }
  return n;
}

static void
read_layout (Reader *reader, xmlNode *node, TlTemplate *template)
{
  TlPlacement *placement = &template->placement;
  guint        n_rows = 0;

  template->split = (guint) count (reader, node, "split", 0, 32);
  for (xmlNode *part = node->children; part != NULL && !reader->failed; part = part->next)
    if (part->type == XML_ELEMENT_NODE)
      {
        guint n = read_rows (reader, part, placement, &n_rows);

        if (strcmp ((const char *) part->name, "domain") == 0)
          placement->n_domain = n;
        else if (strcmp ((const char *) part->name, "row") == 0)
          placement->n_row = n;
        else
          placement->n_column = n;
      }
  TlSubspace span = tl_subspace_span (placement->rows, n_rows);
  if (!reader->failed && (placement->bits == 0 || span.dim != placement->bits))
    tl_diag_reason (fault (reader, node, "template-layout", "the layout is not injective"),
                    "its %u rows of %u bits have the rank %u, so two units would share a place", n_rows,
                    placement->bits, span.dim);
}

static void
read_signature (Reader *reader, xmlNode *node, TlTemplate *template)
{
  template->signature_hash = hash (node);
  template->operand = says (node, "operand", "A") ? TL_GEMM_A : TL_GEMM_B;
  template->transposed = says (node, "weights", "nxk");
  template->tile_rows = count (reader, node, "rows", 1, TL_SEQUENCE_MAX_LENGTH);
  template->tile_row_bytes = count (reader, node, "row_bytes", 1, G_MAXUINT32);
  template->bits = (guint32) count (reader, node, "bits", 1, 64);
  template->quantum = (guint32) count (reader, node, "quantum", 2, 1 << 20);
  template->accesses = count (reader, node, "accesses", 1, TL_SEQUENCE_MAX_LENGTH);
}

static void
read_rank (Reader *reader, xmlNode *node, TlTemplate *template)
{
  template->hits = count (reader, node, "hits", 0, TL_SEQUENCE_MAX_LENGTH);
  template->conflicts = count (reader, node, "conflicts", 0, TL_SEQUENCE_MAX_LENGTH);
  template->coverage = count (reader, node, "domains", 1, TL_SEQUENCE_MAX_LENGTH);
  guint64 terms = count (reader, node, "terms", 1, TL_PLACE_MAX_BITS * TL_PLACE_MAX_BITS);
  template->exact = says (node, "exact", "true");
  if (reader->failed)
    return;
  if (terms != template->placement.nonzeros)
    tl_diag_reason (fault (reader, node, "template-rank", "the rank is not that of the layout"),
                    "the layout has %u ones, terms says %" G_GUINT64_FORMAT, template->placement.nonzeros, terms);
  else if (template->hits + template->conflicts + template->coverage != template->accesses)
    tl_diag_reason (fault (reader, node, "template-rank", "the rank is not that of the signature"),
                    "hits, conflicts and domains are %" G_GUINT64_FORMAT " together, accesses %" G_GUINT64_FORMAT,
                    template->hits + template->conflicts + template->coverage, template->accesses);
}

static TlTemplate *
read_template (Reader *reader, xmlNode *node)
{
  TlTemplate *template = g_new0 (TlTemplate, 1);

  template->name = tl_xml_attribute (node, "name");
  for (xmlNode *part = node->children; part != NULL && !reader->failed; part = part->next)
    if (part->type != XML_ELEMENT_NODE)
      continue;
    else if (strcmp ((const char *) part->name, "target") == 0)
      {
        template->target = tl_xml_attribute (part, "name");
        template->target_hash = hash (part);
      }
    else if (strcmp ((const char *) part->name, "signature") == 0)
      read_signature (reader, part, template);
    else if (strcmp ((const char *) part->name, "layout") == 0)
      read_layout (reader, part, template);
    else
      read_rank (reader, part, template);
  guint64 units = reader->failed
                      ? 0
                      : (template->tile_rows * template->tile_row_bytes + template->quantum - 1) / template->quantum;
  if (!reader->failed && units > (guint64) 1 << template->placement.bits)
    tl_diag_reason (fault (reader, node, "template-layout", "the layout has too few units for its tile"),
                    "the tile has %" G_GUINT64_FORMAT " units, the layout 2^%u", units, template->placement.bits);
  if (!reader->failed && hash (node) != tl_template_hash (template))
    tl_diag_reason (fault (reader, node, "template-hash", "the template was changed after it was planned"),
                    "its hash is not that of what it says; plan it again");
  return template;
}

static gboolean
is_twice (const GPtrArray *templates, const TlTemplate *template)
{
  for (guint i = 0; i < templates->len; i++)
    {
      const TlTemplate *other = g_ptr_array_index (templates, i);
      if (other->target_hash == template->target_hash && other->signature_hash == template->signature_hash
          && other->split == template->split)
        return TRUE;
    }
  return FALSE;
}

static xmlRelaxNG *
schema (void)
{
  static gsize parsed = 0;

  return tl_xml_schema (&parsed, tl_templates_get_resource (), "/tierloom/place/templates.rng");
}

GPtrArray *
tl_templates_parse (const char *file, const char *bytes, gsize length, TlDiags *diags)
{
  xmlDoc *doc = tl_xml_load (&templates_kind, file, bytes, length, diags);
  g_autoptr (GPtrArray) templates = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_template_free);
  Reader reader = { file, diags, doc == NULL };

  if (doc != NULL && !tl_xml_check (&templates_kind, schema (), file, doc, diags))
    reader.failed = TRUE;
  for (xmlNode *node = reader.failed ? NULL : xmlDocGetRootElement (doc)->children; node != NULL && !reader.failed;
       node = node->next)
    if (node->type == XML_ELEMENT_NODE)
      {
        TlTemplate *template = read_template (&reader, node);

        if (!reader.failed && is_twice (templates, template))
          tl_diag_reason (fault (&reader, node, "template-twice", "a template stands twice in the library"),
                          "machine, signature and split are those of another one");
        g_ptr_array_add (templates, template);
      }
  if (doc != NULL)
    xmlFreeDoc (doc);
  return reader.failed ? NULL : g_steal_pointer (&templates);
}

GPtrArray *
tl_templates_load (const char *path, TlDiags *diags)
{
  /* A pipe would never end, or never begin. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "templates-file", path, 0, 0, "this is not a regular file");
      return NULL;
    }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 chunk[16384];
  gssize n = 0;

  while (stream != NULL && bytes->len <= TL_TEMPLATES_MAX_BYTES
         && (n = g_input_stream_read (G_INPUT_STREAM (stream), chunk, sizeof chunk, NULL, &error)) > 0)
    g_byte_array_append (bytes, chunk, (guint) n);
  if (error != NULL)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "templates-file", path, 0, 0, "the file cannot be read: %s",
                       error->message);
      return NULL;
    }
  return tl_templates_parse (path, bytes->data != NULL ? (const char *) bytes->data : "", bytes->len, diags);
}
