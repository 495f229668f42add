/* A program through the passes by hand: text in, modules out, without recognition,
 * so that these tests stand on their own. */
#pragma once

#include "passes/pipeline.h"
#include "target/target.h"

typedef struct
{
  TlSource     *source;
  TlAst        *ast;
  TlTarget     *target;
  TlRecurrence *recurrence;
  TlPimKnobs    knobs;
  TlDiags      *diags;
  GArray       *facts;
} Program;

/* min-plus closure of D, n x n, of @type, with the @config lines (each ending in a
 * newline; "" for none). @overrides as tl_target_load takes them, or NULL. */
void      program_open   (Program            *program,
                          guint64             n,
                          const char         *type,
                          const char         *config,
                          const char *const  *overrides);
void      program_close  (Program            *program);
/* The module after @group; NULL with errors in program->diags. */
TlModule *program_module (Program            *program,
                          TlGroup             group,
                          guint               candidate);
/* The first diagnostic of that code, or NULL. */
const TlDiag *program_diag (const Program    *program,
                          const char         *code);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Program, program_close)
