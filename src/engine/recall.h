/* The recurrence that a stream of waves carries beside what the machine does. Private to the
 * engine. */
#pragma once

#include "engine/build.h"

/* A build of @build->pipe's own text as far as the recurrence, its data read, with the stream's
 * program: what values are computed from. NULL with errors on @diags when the text is wrong,
 * holds no such recurrence, or its data are not those that the stream was compiled for. There
 * must be a text. Returns: (transfer full) */
TlBuild *tl_build_recall (TlBuild      *build,
                          TlDiags      *diags,
                          GCancellable *cancellable);
