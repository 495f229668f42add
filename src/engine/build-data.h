/* The data lines of a program as inputs: private to the engine. */
#pragma once

#include "dsl/ast.h"
#include "emit/pipe-program.h"
#include "emit/program.h"
#include "engine/inputs.h"
#include "input/input.h"

/* One data name, or one operator table (input NULL, cells set). */
typedef struct
{
  char    *name;
  guint64  key;      /* of the call, the type, the extents and the content */
  TlInput *input;    /* NULL when it could not be read, or has extents only */
  gboolean reused;   /* from an earlier build: the input's own spans are that text's */
  TlInputPlan *plan; /* of this text */
  GBytes  *bytes;    /* of its file */
  guint64  rows;     /* declared, or the input's */
  guint64  columns;
  guint8  *cells;    /* of a table of side rows */
  TlDiags *diags;    /* what reading it said */
} TlBuildDatum;

/* Immutable once made. */
typedef struct
{
  gatomicrefcount references;
  GPtrArray      *data; /* of TlBuildDatum * */
  guint64         key;  /* over all of them */
} TlBuildData;

/* Loads what @ast names. Data whose key is the same in @previous (may be NULL) is
 * taken from it. Returns: (transfer full) */
TlBuildData        *tl_build_data_load  (const TlAst        *ast,
                                         TlInputs           *inputs,
                                         const TlBuildData  *previous,
                                         TlDiags            *diags,
                                         GCancellable       *cancellable);
TlBuildData        *tl_build_data_ref   (TlBuildData        *data);
void                tl_build_data_unref (TlBuildData        *data);
/* NULL when there is none of that name. */
const TlBuildDatum *tl_build_data_find  (const TlBuildData  *data,
                                         const char         *name);
/* tl_input_check with places in this text, whether the input was reused or not. */
gboolean            tl_build_datum_check (const TlBuildDatum *datum,
                                          const TlSemiring   *semiring,
                                          gboolean            closure,
                                          TlDiags            *diags);
/* For the passes: (transfer full) GArray of TlDataFacts; names and cells are the data's. */
GArray             *tl_build_data_facts (const TlBuildData  *data);

/* The matrix of a decoded program, read again by its source as written: beside the
 * stream first, then in its base folder. NULL with an error on @diags when it is not
 * there, is wrong, or is not what the stream was compiled for. (transfer full) */
TlInput            *tl_program_input    (const TlPimProgram *program,
                                         TlInputs           *inputs,
                                         TlDiags            *diags,
                                         GCancellable       *cancellable);

/* The same of what a program of wavefronts reads along its rows (@side 0) or columns (1).
 * NULL without an error when nothing is read there. (transfer full) */
TlInput            *tl_pipe_input    (const TlPipeProgram *program,
                                      guint                side,
                                      TlInputs            *inputs,
                                      TlDiags             *diags,
                                      GCancellable        *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlBuildData, tl_build_data_unref)
