/* Reading small XML files that come from anywhere: bytes at hand, no network, no
 * DOCTYPE, no entities but the five of XML, bounded, then a RELAX NG schema. What is
 * wrong becomes diagnostics with the file's lines. */
#pragma once

#include "base/diag.h"

#include <gio/gio.h>
#include <libxml/relaxng.h>
#include <libxml/tree.h>

/* What sort of file it is, for bounds and messages. */
typedef struct
{
  const char *word;       /* "target": "the file has not the shape of a target" */
  const char *file_code;  /* of diagnostics about its size */
  const char *shape_code; /* ... and about its shape */
  gsize       max_bytes;
} TlXmlKind;

/* NULL with diagnostics unless it is well-formed. Free with xmlFreeDoc. */
xmlDoc     *tl_xml_load     (const TlXmlKind *kind,
                             const char      *file,
                             const char      *bytes,
                             gsize            length,
                             TlDiags         *diags);
/* A schema that is built in; it must be right. Parsed once, the first time, and kept in
 * *@parsed, a static of the caller's that starts as 0; only read afterwards, so it
 * serves all threads. (transfer none) */
xmlRelaxNG *tl_xml_schema   (gsize           *parsed,
                             GResource       *resource,
                             const char      *path);
gboolean    tl_xml_check    (const TlXmlKind *kind,
                             xmlRelaxNG      *schema,
                             const char      *file,
                             xmlDoc          *doc,
                             TlDiags         *diags);
/* "" when there is none. (transfer full) */
char       *tl_xml_attribute (xmlNode        *node,
                              const char     *name);
