/* The last stage of compiling: a module after G4 becomes stream bytes. */
#pragma once

#include "emit/stream.h"
#include "ir/ir.h"

/* @base: folder of the data files relative to where the stream will lie; NULL or
 * "": beside it. Recorded only when some data is read from a file. @text: the program's
 * canonical text, kept by streams of wavefronts, whose values need it; may be NULL. NULL with errors
 * on @diags when the module is not one after G4, or says something that no stream
 * can. Returns: (transfer full) */
GBytes *tl_emit_module (const TlModule *module,
                        const char     *base,
                        const char     *text,
                        TlDiags        *diags);
