/* FNV-1a, 64 bits: owner maps, content hashes of inputs, section checks. */
#pragma once

#include <glib.h>

#define TL_FNV1A64_START G_GUINT64_CONSTANT (0xcbf29ce484222325)

/* Goes on from @hash (start with TL_FNV1A64_START) over @length bytes. */
guint64 tl_fnv1a64    (guint64       hash,
                       gconstpointer data,
                       gsize         length);
/* Goes on over the eight bytes of @value, the lowest first. */
guint64 tl_fnv1a64_u64 (guint64       hash,
                        guint64       value);
/* 16 lower-case hex digits. (transfer full) */
char   *tl_hash_text  (guint64 hash);
