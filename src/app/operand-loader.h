/* Operand tiles of the program in a window, planned on a worker: lenses of their own ask for them. */
#pragma once

#include "app/window.h"
#include "engine/operand.h"

/* Whether the newest build of @window is a product with operands; fills their names (transfer none, of the build). */
gboolean       tl_operand_names       (TlWindow            *window,
                                       const char          *names[TL_N_GEMM_OPERANDS]);
/* Adds "W of the program" for each of them to @what, whose model is a GtkStringList of one line, and selects the weights. */
void           tl_operand_menu        (TlWindow            *window,
                                       GtkDropDown         *what);
/* Plans and calls @done with this as the result; @source may be any object. */
void           tl_operand_load        (GObject             *source,
                                       TlWindow            *window,
                                       TlGemmOperand        operand,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  done,
                                       gpointer             data);
/* NULL with @error in words. (transfer full) */
TlOperandTile *tl_operand_load_finish (GAsyncResult        *result,
                                       GError             **error);
