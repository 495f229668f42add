/* Modules, operations, blocks and values: making them and taking them apart. */
#include "ir/ir-private.h"

#include <string.h>

#define FIRST_CHUNK   (4u << 10)
#define LARGEST_CHUNK (64u << 10)

gpointer
tl_ir_alloc (TlModule *module, gsize size)
{
  const gsize header = (sizeof (TlChunk) + 15) & ~(gsize) 15;
  TlChunk    *chunk = module->chunks;
  gpointer    memory;

  size = (size + 15) & ~(gsize) 15;
  if (chunk == NULL || chunk->size - chunk->used < size)
    {
      gsize room = chunk == NULL ? FIRST_CHUNK : MIN (2 * chunk->size, LARGEST_CHUNK);

      room = MAX (room, header + size);
      chunk = g_malloc (room);
      chunk->next = module->chunks;
      chunk->used = header;
      chunk->size = room;
      module->chunks = chunk;
    }
  memory = (char *) chunk + chunk->used;
  chunk->used += size;
  return memset (memory, 0, size);
}

gpointer
tl_ir_grow (TlModule *module, gpointer items, guint n, gsize item_size)
{
  gpointer larger;

  if ((n & (n - 1)) != 0)
    return items;
  larger = tl_ir_alloc (module, (n == 0 ? 1 : 2 * (gsize) n) * item_size);
  if (n > 0)
    memcpy (larger, items, n * item_size);
  return larger;
}

const char *
tl_module_intern (TlModule *module, const char *text)
{
  const char *known = g_hash_table_lookup (module->strings, text);
  char       *copy;
  gsize       length;

  if (known != NULL)
    return known;
  length = strlen (text) + 1;
  copy = memcpy (tl_ir_alloc (module, length), text, length);
  g_hash_table_add (module->strings, copy);
  return copy;
}

TlModule *
tl_module_new (void)
{
  TlModule *module = g_new0 (TlModule, 1);

  g_atomic_ref_count_init (&module->references);
  module->strings = g_hash_table_new (g_str_hash, g_str_equal);
  module->unknown = tl_ir_location_new (module);
  module->i64 = tl_module_intern (module, "i64");
  module->f64 = tl_module_intern (module, "f64");
  module->op = tl_op_new (module, "builtin.module", module->unknown);
  tl_op_add_region (module->op);
  return module;
}

TlModule *
tl_module_ref (TlModule *module)
{
  g_atomic_ref_count_inc (&module->references);
  return module;
}

void
tl_module_unref (TlModule *module)
{
  if (!g_atomic_ref_count_dec (&module->references))
    return;
  g_hash_table_unref (module->strings);
  while (module->chunks != NULL)
    {
      TlChunk *chunk = module->chunks;
      module->chunks = chunk->next;
      g_free (chunk);
    }
  g_free (module);
}

TlOp *
tl_module_op (const TlModule *module)
{
  return module->op;
}

TlBlock *
tl_module_body (const TlModule *module)
{
  return module->op->n_regions > 0 && module->op->regions[0]->n_blocks > 0 ? module->op->regions[0]->blocks[0] : NULL;
}

TlOp *
tl_module_find (const TlModule *module, const char *name)
{
  TlBlock *body = tl_module_body (module);

  for (TlOp *op = body != NULL ? body->first : NULL; op != NULL; op = op->next)
    if (g_str_equal (op->name, name))
      return op;
  return NULL;
}

TlOp *
tl_module_symbol (const TlModule *module, const char *symbol)
{
  TlBlock *body = tl_module_body (module);

  for (TlOp *op = body != NULL ? body->first : NULL; op != NULL; op = op->next)
    {
      const TlAttr *name = tl_op_attr (op, "sym_name");

      if (name != NULL && name->kind == TL_ATTR_STRING && g_str_equal (name->text, symbol))
        return op;
    }
  return NULL;
}

static void
replace_in (TlOp *op, TlValue *old, TlValue *replacement)
{
  for (guint i = 0; i < op->n_operands; i++)
    if (op->operands[i] == old)
      op->operands[i] = replacement;
  for (guint r = 0; r < op->n_regions; r++)
    for (guint b = 0; b < op->regions[r]->n_blocks; b++)
      for (TlOp *inner = op->regions[r]->blocks[b]->first; inner != NULL; inner = inner->next)
        replace_in (inner, old, replacement);
}

void
tl_module_replace (TlModule *module, TlValue *old, TlValue *replacement)
{
  replace_in (module->op, old, replacement);
}

TlOp *
tl_op_new (TlModule *module, const char *name, const TlLocation *location)
{
  TlOp *op = tl_ir_alloc (module, sizeof *op);

  op->name = tl_module_intern (module, name);
  op->location = location != NULL ? location : module->unknown;
  op->module = module;
  return op;
}

void
tl_op_add_operand (TlOp *op, TlValue *value)
{
  op->operands = tl_ir_grow (op->module, op->operands, op->n_operands, sizeof (TlValue *));
  op->operands[op->n_operands++] = value;
}

TlValue *
tl_op_add_result (TlOp *op, TlType type)
{
  TlValue *value = tl_ir_alloc (op->module, sizeof *value);

  value->type = type;
  value->op = op;
  value->index = op->n_results;
  op->results = tl_ir_grow (op->module, op->results, op->n_results, sizeof (TlValue *));
  op->results[op->n_results++] = value;
  return value;
}

TlBlock *
tl_op_add_region (TlOp *op)
{
  TlRegion *region = tl_ir_alloc (op->module, sizeof *region);
  TlBlock  *block = tl_ir_alloc (op->module, sizeof *block);

  region->op = op;
  region->blocks = tl_ir_grow (op->module, NULL, 0, sizeof (TlBlock *));
  region->blocks[0] = block;
  region->n_blocks = 1;
  block->region = region;
  op->regions = tl_ir_grow (op->module, op->regions, op->n_regions, sizeof (TlRegion *));
  op->regions[op->n_regions++] = region;
  return block;
}

/* Index of the attribute of that name, or where it would stand. */
static guint
attr_position (const TlOp *op, const char *name, gboolean *found)
{
  guint at = 0;
  int   order = 1;

  while (at < op->n_attrs && (order = strcmp (op->attrs[at].name, name)) < 0)
    at++;
  *found = at < op->n_attrs && order == 0;
  return at;
}

void
tl_op_set (TlOp *op, const char *name, const TlAttr *value)
{
  gboolean found;
  guint    at = attr_position (op, name, &found);

  if (value == NULL)
    {
      if (found)
        memmove (op->attrs + at, op->attrs + at + 1, (--op->n_attrs - at) * sizeof (TlNamedAttr));
      return;
    }
  if (!found)
    {
      /* tl_ir_grow doubles at powers of two and removal may have lowered the count: always ask for one more. */
      TlNamedAttr *attrs = tl_ir_alloc (op->module, (op->n_attrs + 1) * sizeof (TlNamedAttr));

      if (at > 0)
        memcpy (attrs, op->attrs, at * sizeof (TlNamedAttr));
      if (op->n_attrs > at)
        memcpy (attrs + at + 1, op->attrs + at, (op->n_attrs - at) * sizeof (TlNamedAttr));
      op->attrs = attrs;
      op->n_attrs++;
      op->attrs[at].name = tl_module_intern (op->module, name);
    }
  op->attrs[at].value = value;
}

const TlAttr *
tl_op_attr (const TlOp *op, const char *name)
{
  gboolean found;
  guint    at = attr_position (op, name, &found);

  return found ? op->attrs[at].value : NULL;
}

gint64
tl_op_integer (const TlOp *op, const char *name, gint64 otherwise)
{
  const TlAttr *attr = tl_op_attr (op, name);

  return attr != NULL && (attr->kind == TL_ATTR_INTEGER || attr->kind == TL_ATTR_BOOL) ? attr->integer : otherwise;
}

const char *
tl_op_text (const TlOp *op, const char *name)
{
  const TlAttr *attr = tl_op_attr (op, name);

  return attr != NULL ? attr->text : NULL;
}

TlValue *
tl_block_add_argument (TlBlock *block, TlType type)
{
  TlModule *module = block->region->op->module;
  TlValue  *value = tl_ir_alloc (module, sizeof *value);

  value->type = type;
  value->block = block;
  value->index = block->n_arguments;
  block->arguments = tl_ir_grow (module, block->arguments, block->n_arguments, sizeof (TlValue *));
  block->arguments[block->n_arguments++] = value;
  return value;
}

void
tl_block_append (TlBlock *block, TlOp *op)
{
  tl_block_insert (block, NULL, op);
}

void
tl_block_insert (TlBlock *block, TlOp *before, TlOp *op)
{
  g_return_if_fail (op->block == NULL && (before == NULL || before->block == block));
  op->block = block;
  op->next = before;
  op->prev = before != NULL ? before->prev : block->last;
  *(op->prev != NULL ? &op->prev->next : &block->first) = op;
  *(op->next != NULL ? &op->next->prev : &block->last) = op;
}

void
tl_op_remove (TlOp *op)
{
  g_return_if_fail (op->block != NULL);
  *(op->prev != NULL ? &op->prev->next : &op->block->first) = op->next;
  *(op->next != NULL ? &op->next->prev : &op->block->last) = op->prev;
  op->block = NULL;
  op->prev = op->next = NULL;
}
