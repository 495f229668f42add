/* The .tls file: a pim program as bytes. Magic, version and counts; then sections,
 * each with tag, length and FNV-1a 64: PROG knobs, MACH numbers, SEMI semiring,
 * DATA sources, LAYT memory layout, CODE loop programs, PU owner classes (one a
 * PU). Integers are minimal LEB128. The form is canonical: what decodes encodes to
 * the same bytes. */
#pragma once

#include "emit/program.h"

#define TL_STREAM_SUFFIX ".tls"
#define TL_STREAM_MAX_BYTES (256u << 20) /* of a file that the decoder looks at */

/* Returns: (transfer full) */
GBytes       *tl_stream_encode   (const TlPimProgram *program);

/* NULL when the bytes are no stream, were damaged, or say something out of
 * range; @diags then has one error with the byte offset in its reason. @name is
 * the file's, for the diagnostics. Returns: (transfer full) */
TlPimProgram *tl_stream_decode   (gconstpointer       data,
                                  gsize               length,
                                  const char         *name,
                                  TlDiags            *diags);

/* Do the bytes begin like a stream? */
gboolean      tl_stream_is_one   (gconstpointer       data,
                                  gsize               length);

/* For people: header, machine, memory layout, then owner classes and loop code of
 * each PU (PUs with equal code share it). (transfer full) */
char         *tl_stream_print    (const TlPimProgram *program);
