/* The program of a compute unit, decoded from a module after G4: all that the machine needs to run a product, and
 * nothing else of the road is looked at. A product has no stream file: a CTA's commands are the same for each, and the
 * module's descriptors say all of them. */
#pragma once

#include "ir/schedule.h"
#include "passes/cu-module.h"

/* Read-only for everyone. */
typedef struct
{
  gatomicrefcount references;
  char           *name;     /* of the algorithm */
  char           *target;
  char           *output;   /* C */
  char           *operand[TL_N_GEMM_OPERANDS];
  TlElementType   type[TL_N_GEMM_OPERANDS];
  TlElementType   result;   /* of C */
  TlDataSource   *source[3]; /* of C ("zeros" when no line says it), A and B */
  gboolean        by_columns; /* B is subscripted [n,k] */
  TlGemmShape     shape;    /* packed when both operands are */
  guint           stages;
  TlPage          page;
  TlValues        values;
  guint64         seed;
  TlCuPlaceRule   rule[TL_N_GEMM_OPERANDS]; /* as asked for */
  gboolean        fallback; /* a plan was slower than none: what it was for lies row by row */
  TlCuLayouts     layouts;
  TlGemmPlacing  *placing;  /* NULL: as the shape says */
  TlMemory        memory;
  TlAddressMap   *map;
  TlCuMachine     machine;
  TlDramEnergy    energy;
} TlCuProgram;

/* NULL with diagnostics when the module is not after G4 or not right. (transfer full) */
TlCuProgram *tl_cu_program_new   (const TlModule    *module,
                                  TlDiags           *diags);
TlCuProgram *tl_cu_program_ref   (TlCuProgram       *program);
void         tl_cu_program_unref (TlCuProgram       *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlCuProgram, tl_cu_program_unref)
