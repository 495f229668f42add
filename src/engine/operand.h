/* The operand tile of a product that is built for a cu target: its layout in the registers of the kernel's threads, the
 * order in which its units are read, its placement, and the way of each element down to DRAM. */
#pragma once

#include "engine/build.h"
#include "place/product.h"
#include "tile/image.h"

typedef struct
{
  TlBuild        *build;
  TlProduct       product;   /* names are the build's */
  TlGemmOperand   operand;
  TlTileImage     image;
  TlGemmPlan     *plan;
  TlPlacement     placement; /* of the run where the build got so far; else the place line's layout, else the plan's */
  guint           split;     /* how the domains are shared (gemm-plan.h) */
  gboolean        written;   /* the placement is the place line's */
  gboolean        of_run;    /* it is the one that the run takes, chosen by replaying what ties */
  gboolean        unused;    /* the run leaves the operand row by row, and the placement is what would be */
  TlGemmPlacing  *placing;
  TlChain        *chain;     /* NULL when the operand has no unit map; then: */
  char           *no_chain;  /* why */
} TlOperandTile;

/* Takes a reference of @build, which has an AST and a target, and of a product that it made takes the layouts; a plan takes a tenth of a second and more. NULL with a
 * diagnostic when the program is no product on a cu target, or its tiles cannot be placed. @progress and @data as
 * TlGemmPlanOptions; may be NULL. (transfer full) */
TlOperandTile *tl_operand_tile_new  (TlBuild       *build,
                                     TlGemmOperand  operand,
                                     gboolean     (*progress) (double fraction, gpointer data),
                                     gpointer       data,
                                     TlDiags       *diags);
void           tl_operand_tile_free (TlOperandTile *tile);
/* What the data of operand @name of @build, a TlBuild, say of it: for tl_product_read_on. */
void           tl_operand_facts     (const char     *name,
                                     TlOperandFacts *known,
                                     gconstpointer   build);
/* The operand of that name; FALSE when the product has none. */
gboolean       tl_operand_find      (const TlBuild *build,
                                     const char    *name,
                                     TlGemmOperand *operand);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlOperandTile, tl_operand_tile_free)
