/* Small kernels for tests: registers from layout texts, moved from and to arrays. */
#pragma once

#include "support/support.h"
#include "tile/run.h"

typedef struct
{
  TlTileKernel *kernel;
  TlTilePlan   *plan;
  TlTileBuffer  buffers[12];
  guint         n_buffers;
  TlTileReport  report;
} Workshop;

TlLayout      layout_of      (const char *text);
TlElementType type_of        (const char *name);

Workshop     *workshop_new   (guint threads);
void          workshop_free  (Workshop *shop);
guint         reg            (Workshop *shop, const char *type, const char *layout);
guint         shared         (Workshop *shop, const char *type, const char *layout);
guint         number         (Workshop *shop, double value);
/* A buffer of the array, seen row-major in the given sizes. */
guint         view           (Workshop *shop, const char *type, gpointer data, gsize size, guint n, ...);
/* All of the array, in the register's shape, into it; and out of it. */
guint         load           (Workshop *shop, guint reg, gpointer data, gsize size);
guint         store          (Workshop *shop, guint reg, gpointer data, gsize size);
guint         add            (Workshop *shop, TlTileInstruction instruction);
guint         op             (Workshop *shop, TlTileOp op, guint result, guint a, guint b);
/* Aborts with the reason when it cannot be planned. */
void          plan           (Workshop *shop);
/* The reason why it cannot, and at which instruction. (transfer full) */
char         *refusal        (Workshop *shop, guint *at);
/* Plans and runs; FALSE when faulty. */
gboolean      run            (Workshop *shop, guint blocks);
void          run_well       (Workshop *shop);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Workshop, workshop_free)
