/* A bump allocator: blocks of rising size, freed together. */
#include "dsl/arena-private.h"

#include <string.h>

#define FIRST_BLOCK   4096u
#define LARGEST_BLOCK (256u << 10)

typedef struct _Block Block;
struct _Block
{
  Block *next;
  gsize  size;
  gsize  used;
};

struct _TlArena
{
  Block *blocks; /* the first is the one being filled */
};

#define HEADER ((sizeof (Block) + 15) & ~(gsize) 15)

TlArena *
tl_arena_new (void)
{
  return g_new0 (TlArena, 1);
}

void
tl_arena_free (TlArena *arena)
{
  if (arena == NULL)
    return;
  for (Block *block = arena->blocks; block != NULL;)
    {
      Block *next = block->next;
      g_free (block);
      block = next;
    }
  g_free (arena);
}

gpointer
tl_arena_alloc (TlArena *arena, gsize size)
{
  size = (size + 15) & ~(gsize) 15;
  if (arena->blocks == NULL || arena->blocks->size - arena->blocks->used < size)
    {
      gsize  wanted = arena->blocks == NULL ? FIRST_BLOCK : MIN (2 * arena->blocks->size, LARGEST_BLOCK);
      Block *block = g_malloc (HEADER + MAX (wanted, size));
      block->next = arena->blocks;
      block->size = MAX (wanted, size);
      block->used = 0;
      arena->blocks = block;
    }
  gpointer memory = (char *) arena->blocks + HEADER + arena->blocks->used;
  arena->blocks->used += size;
  return memset (memory, 0, size);
}

char *
tl_arena_text (TlArena *arena, const char *text, gsize length)
{
  char *copy = tl_arena_alloc (arena, length + 1);

  if (length > 0)
    memcpy (copy, text, length);
  return copy;
}

gpointer
tl_arena_list (TlArena *arena, GPtrArray *items)
{
  if (items->len == 0)
    return NULL;
  gpointer list = tl_arena_alloc (arena, sizeof (gpointer) * items->len);
  return memcpy (list, items->pdata, sizeof (gpointer) * items->len);
}
