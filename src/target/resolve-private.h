/* Shared by the files that make a machine of facts. */
#pragma once

#include "target/target-private.h"

typedef struct
{
  TlTarget *target;
  TlFacts  *facts;
  TlDiags  *diags;
  guint     errors;
} TlResolver;

/* An error at the place where @id was said, else (TL_N_KEYS too) at the target's root. */
TlDiag  *tl_resolver_complain (TlResolver       *resolver,
                               TlKeyId           id,
                               const char       *code,
                               const char       *format,
                               ...) G_GNUC_PRINTF (4, 5);
gboolean tl_resolver_is_set   (const TlResolver *resolver,
                               TlKeyId           id);
/* Of the layer that says @id; -1 when none does. */
int      tl_resolver_layer    (const TlResolver *resolver,
                               TlKeyId           id);
/* FALSE with an error when @id is not said. */
gboolean tl_resolver_require  (TlResolver       *resolver,
                               TlKeyId           id);
guint64  tl_resolver_number   (const TlResolver *resolver,
                               TlKeyId           id,
                               guint64           otherwise);
/* In ps; cycles are of the memory's clock, which is known then. */
guint32  tl_resolver_time     (TlResolver       *resolver,
                               TlKeyId           id,
                               guint32           otherwise);
/* Fills the memory's clock and timings; its tiers are known. */
void     tl_resolve_timing    (TlResolver       *resolver);
