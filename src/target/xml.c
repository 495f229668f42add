/* The hardened XML reader: bytes at hand, no network, no DOCTYPE, no entities but
 * the five of XML, libxml2's own bounds on depth (256) and text (10 MB). */
#include "target/xml.h"

#include <string.h>

#include <libxml/parser.h>

#define MAX_REPORTS 10

typedef struct
{
  const char *file;
  TlDiags    *diags;
  const char *code;
  const char *summary;
  guint       reports;
  gboolean    doctype;
  guint       doctype_line;
} Context;

/* libxml2's messages end in a newline and may quote the document. */
static char *
tidy (const char *message)
{
  g_autofree char *valid = g_utf8_make_valid (message != NULL ? message : "unknown error", -1);

  for (char *at = valid; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  g_strstrip (valid);
  return g_steal_pointer (&valid);
}

static void
report (void *data, xmlErrorPtr error)
{
  Context *context = data;

  if (error == NULL || context->doctype || context->reports++ >= MAX_REPORTS)
    return;
  g_autofree char *message = error->message != NULL && strstr (error->message, "Excessive depth") != NULL
                                 ? g_strdup ("elements are nested more than 256 deep")
                                 : tidy (error->message);
  TlDiag *diag = tl_diags_add_at (context->diags, TL_SEVERITY_ERROR, context->code, context->file, MAX (error->line, 0),
                                  MAX (error->int2, 0), "%s", context->summary);
  tl_diag_reason (diag, "%s", message);
}

/* Schemas say nothing of columns: int2 holds other things there. */
static void
report_shape (void *data, xmlErrorPtr error)
{
  if (error != NULL)
    error->int2 = 0;
  report (data, error);
}

static void
refuse_doctype (void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  xmlParserCtxt *parser = data;
  Context       *context = parser->_private;

  context->doctype = TRUE;
  context->doctype_line = parser->input != NULL ? MAX (parser->input->line, 0) : 0;
  xmlStopParser (parser);
}

static xmlParserInput *
refuse_entity (void *data, const xmlChar *public, const xmlChar *system)
{
  return NULL;
}

xmlDoc *
tl_xml_load (const TlXmlKind *kind, const char *file, const char *bytes, gsize length, TlDiags *diags)
{
  Context context = { .file = file, .diags = diags, .code = "xml", .summary = "the file is not well-formed XML" };

  if (length > kind->max_bytes)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, kind->file_code, file, 0, 0,
                                      "the file is too large for a %s", kind->word);
      tl_diag_reason (diag, "it has %" G_GSIZE_FORMAT " bytes; a %s has at most %" G_GSIZE_FORMAT, length, kind->word,
                      kind->max_bytes);
      return NULL;
    }
  xmlParserCtxt *parser = xmlNewParserCtxt ();
  if (parser == NULL)
    return NULL;
  /* The hooks are this parser's own: libxml2's entity loader is one for the whole
   * process and others load their files through it. */
  parser->_private = &context;
  parser->sax->internalSubset = refuse_doctype;
  parser->sax->externalSubset = refuse_doctype;
  parser->sax->resolveEntity = refuse_entity;
  xmlStructuredErrorFunc before = xmlStructuredError;
  void                  *before_context = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc (&context, report);
  xmlDoc  *doc = xmlCtxtReadMemory (parser, bytes, length, file, NULL, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
  gboolean well_formed = parser->wellFormed;
  xmlSetStructuredErrorFunc (before_context, before);
  xmlFreeParserCtxt (parser);
  if (context.doctype)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "xml-doctype", file, context.doctype_line, 0,
                                      "a %s has no DOCTYPE", kind->word);
      tl_diag_reason (diag, "document types and entities are not read; leave the line out");
    }
  else if ((doc == NULL || !well_formed) && context.reports == 0)
    tl_diags_add_at (diags, TL_SEVERITY_ERROR, "xml", file, 0, 0, "the file is not well-formed XML");
  if (context.doctype || !well_formed || context.reports > 0)
    g_clear_pointer (&doc, xmlFreeDoc);
  return doc;
}

static xmlRelaxNG *
parse_schema (GResource *resource, const char *path)
{
  g_autoptr (GBytes) text = g_resource_lookup_data (resource, path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize                 length = 0;
  const char           *bytes = g_bytes_get_data (text, &length);
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewMemParserCtxt (bytes, length);
  xmlRelaxNG           *schema = xmlRelaxNGParse (parser);

  g_assert (schema != NULL);
  xmlRelaxNGFreeParserCtxt (parser);
  return schema;
}

xmlRelaxNG *
tl_xml_schema (gsize *parsed, GResource *resource, const char *path)
{
  if (g_once_init_enter (parsed))
    g_once_init_leave (parsed, (gsize) parse_schema (resource, path));
  return (xmlRelaxNG *) *parsed;
}

gboolean
tl_xml_check (const TlXmlKind *kind, xmlRelaxNG *schema, const char *file, xmlDoc *doc, TlDiags *diags)
{
  g_autofree char     *summary = g_strdup_printf ("the file has not the shape of a %s", kind->word);
  Context              context = { .file = file, .diags = diags, .code = kind->shape_code, .summary = summary };
  xmlRelaxNGValidCtxt *validator = xmlRelaxNGNewValidCtxt (schema);

  xmlRelaxNGSetValidStructuredErrors (validator, report_shape, &context);
  int result = xmlRelaxNGValidateDoc (validator, doc);
  xmlRelaxNGFreeValidCtxt (validator);
  if (result != 0 && context.reports == 0)
    tl_diags_add_at (diags, TL_SEVERITY_ERROR, context.code, file, 0, 0, "%s", context.summary);
  return result == 0;
}

char *
tl_xml_attribute (xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp (node, BAD_CAST name);
  char    *copy = g_strdup (value != NULL ? (char *) value : "");

  xmlFree (value);
  return copy;
}
