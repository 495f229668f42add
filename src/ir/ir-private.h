/* Shared inside src/ir: the arena and what a module holds besides its operations. */
#pragma once

#include "ir/ir.h"

/* Memory that lives as long as its module: chunks that double up to 64 KiB. */
typedef struct _TlChunk TlChunk;
struct _TlChunk
{
  TlChunk *next;
  gsize    used;
  gsize    size;
};

struct _TlModule
{
  gatomicrefcount references;
  TlChunk        *chunks;
  GHashTable     *strings; /* interned, keys in the arena */
  TlOp           *op;
  TlLocation     *unknown;
  TlType          i64;
  TlType          f64;
};

/* Zeroed, aligned to 16. */
gpointer tl_ir_alloc  (TlModule *module, gsize size);
/* Room for one more in an arena array of @n items: doubles at powers of two. */
gpointer tl_ir_grow   (TlModule *module, gpointer items, guint n, gsize item_size);
/* A location whose content is given later (aliases that are used before they are defined). */
TlLocation *tl_ir_location_new (TlModule *module);

/* The dialects' rules for one operation; called after structure was found right. */
typedef struct
{
  TlDiags        *diags;
  const TlModule *module;
  int             group; /* dp.group, 0 when unsaid */
} TlVerifier;

/* Adds an error that names @op and says why; returns FALSE. */
gboolean tl_ir_reject    (TlVerifier *verifier, const TlOp *op, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Operands, results, regions and attributes as the table has them. */
gboolean tl_ir_check_shape   (TlVerifier *verifier, const TlOp *op);
/* Symbols, capacities, and how many operations each pass group leaves; the module's own shape is right. */
gboolean tl_ir_check_module  (TlVerifier *verifier);
/* The operation's own rule; all shapes and the module are right. */
gboolean tl_ir_check_meaning (TlVerifier *verifier, const TlOp *op);
