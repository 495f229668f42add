/* Templates: what PLAN chose for a signature on a machine, kept in a library file (XML, schema
 * templates.rng) and refused where a hash differs: the template's own, the machine's or the
 * signature's (TileDRAM section 5.1). */
#pragma once

#include "place/plan.h"
#include "place/signature.h"
#include "target/target.h"

typedef struct
{
  char         *name;           /* of the operand; UTF-8, 1..64 characters */
  char         *target;
  guint64       target_hash;
  guint64       signature_hash;
  TlGemmOperand operand;
  gboolean      transposed;
  guint64       tile_rows;
  guint64       tile_row_bytes;
  guint32       bits;           /* of an element */
  guint32       quantum;        /* bytes */
  guint64       accesses;
  guint         split;          /* domain bits kept from the tile (gemm-plan.h) */
  TlPlacement   placement;
  guint64       hits, conflicts, coverage;
  gboolean      exact;
} TlTemplate;

/* (transfer full) */
TlTemplate       *tl_template_new    (const char        *name,
                                      const TlTarget    *target,
                                      const TlSignature *signature,
                                      const TlFreePlan  *plan,
                                      guint              split);
void              tl_template_free   (TlTemplate        *template);
/* FNV-1a 64 over all of it. */
guint64           tl_template_hash   (const TlTemplate  *template);

#define TL_TEMPLATES_MAX_BYTES (8 << 20)

/* A library is a GPtrArray of TlTemplate *, in the order of the file, no two of one target hash, signature
 * hash and split. NULL with diagnostics at the file's lines. (transfer full) */
GPtrArray        *tl_templates_parse (const char        *file,
                                      const char        *bytes,
                                      gsize              length,
                                      TlDiags           *diags);
/* NULL with a diagnostic also when the file cannot be read. (transfer full) */
GPtrArray        *tl_templates_load  (const char        *path,
                                      TlDiags           *diags);
/* The XML of a library; parse gives the same again. (transfer full) */
char             *tl_templates_text  (const GPtrArray   *templates);
/* Writes a library whole or not at all: beside the file, then renamed. */
gboolean          tl_templates_save  (const GPtrArray   *templates,
                                      const char        *path,
                                      GError           **error);
/* The template of this signature on this machine, of the least split, or with @split >= 0 of that. NULL with a
 * diagnostic that says what differs ("template-missing", "template-target", "template-signature"). @name is
 * the operand's. (transfer none) */
const TlTemplate *tl_templates_find  (const GPtrArray   *templates,
                                      const char        *name,
                                      const TlTarget    *target,
                                      const TlSignature *signature,
                                      int                split,
                                      TlDiags           *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTemplate, tl_template_free)
