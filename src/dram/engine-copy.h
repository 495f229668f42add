/* An engine's whole state in a flat block, and back: checkpoints (dram/replay-run.h). */
#pragma once

#include "dram/engine.h"

/* Hands waiting events to the sink and appends the state to @block: about 0.8 MB, mostly
 * zeros. Equal states give equal bytes. FALSE when the sink stopped the engine. */
gboolean tl_engine_save (TlEngine     *engine,
                         GByteArray   *block);
/* Makes @engine's state that of the block of an engine with the same memory, map and
 * options; its own sink stays. @block is @size bytes that tl_engine_save made. Returns
 * how many it took. */
gsize    tl_engine_load (TlEngine     *engine,
                         const guint8 *block,
                         gsize         size);
