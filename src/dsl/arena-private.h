/* Memory that lives as long as a tree and is freed with it. Shared within src/dsl. */
#pragma once

#include <glib.h>

typedef struct _TlArena TlArena;

TlArena *tl_arena_new    (void);
void     tl_arena_free   (TlArena    *arena);
/* Zeroed, aligned for any type. */
gpointer tl_arena_alloc  (TlArena    *arena,
                          gsize       size);
/* NUL-terminated copy. */
char    *tl_arena_text   (TlArena    *arena,
                          const char *text,
                          gsize       length);
/* Copy of the pointers of @items, NULL when it is empty. */
gpointer tl_arena_list   (TlArena    *arena,
                          GPtrArray  *items);

#define tl_arena_new_of(arena, type, n) ((type *) tl_arena_alloc ((arena), sizeof (type) * (n)))
