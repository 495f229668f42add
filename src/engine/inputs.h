/* Where a build gets the files that a program names: a resolver that gives bytes
 * and a content hash for a name as written. A build asks it and nothing else, so
 * that it is a pure function of text, inputs and options. */
#pragma once

#include <gio/gio.h>

/* Thread-safe, reference-counted. A folder resolver keeps what it has read and
 * reads a file again only when its size, time or inode changed; that is the only
 * cache, and it lives as long as its owner wants. */
typedef struct _TlInputs TlInputs;

/* Files relative to @folder (of the program; NULL: the current folder), absolute
 * names as they are. @fallback is looked in next, NULL: none; a stream uses both:
 * beside the .tls file first, then its recorded base. Returns: (transfer full) */
TlInputs *tl_inputs_new_folder (const char     *folder,
                                const char     *fallback);
/* What @inputs gives, then what it gives for the name behind @base/ ("" : nothing more): a
 * stream's data lie there. Returns: (transfer full) */
TlInputs *tl_inputs_new_based  (TlInputs       *inputs,
                                const char     *base);
/* Only what tl_inputs_add gives: tests, and texts that name no file. */
TlInputs *tl_inputs_new_memory (void);
/* Adds or replaces one file of a memory resolver. */
void      tl_inputs_add        (TlInputs       *inputs,
                                const char     *name,
                                GBytes         *bytes);
TlInputs *tl_inputs_ref        (TlInputs       *inputs);
void      tl_inputs_unref      (TlInputs       *inputs);

/* Bytes of the file @name and their FNV-1a 64. At most 4 GiB.
 * Returns: (transfer full), NULL with @error (G_IO_ERROR or G_FILE_ERROR). */
GBytes   *tl_inputs_load       (TlInputs       *inputs,
                                const char     *name,
                                guint64        *content_hash,
                                GCancellable   *cancellable,
                                GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlInputs, tl_inputs_unref)
