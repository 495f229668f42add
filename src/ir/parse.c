/* Reads generic-form MLIR: what tl_module_print writes, and what mlir-opt 14 and 15
 * print back for it, with aliases of maps (#map = ...) and of locations (#loc1 = ...,
 * used before they are defined). The text is untrusted: nesting, aliases and sizes
 * are bounded, and nothing is expanded that could grow faster than the text. */
#include "ir/parse-private.h"

#include <string.h>

#define MAX_RESULTS 1024

typedef struct
{
  TlValue **values;
  guint     n_values;
} Pack;

gboolean
tl_ir_fail (TlIrParser *parser, const char *at, const char *format, ...)
{
  va_list          args;
  g_autofree char *message = NULL;
  guint32          offset = (guint32) (at - parser->start);

  if (parser->failed)
    return FALSE;
  parser->failed = TRUE;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  tl_diags_add (parser->diags, TL_SEVERITY_ERROR, "mlir-syntax", parser->source, tl_span (offset, offset + 1), "%s",
                message);
  return FALSE;
}

void
tl_ir_skip (TlIrParser *parser)
{
  for (;;)
    {
      while (parser->at < parser->end && g_ascii_isspace (*parser->at))
        parser->at++;
      if (parser->end - parser->at < 2 || parser->at[0] != '/' || parser->at[1] != '/')
        return;
      while (parser->at < parser->end && *parser->at != '\n')
        parser->at++;
    }
}

gboolean
tl_ir_take (TlIrParser *parser, const char *token)
{
  gsize length = strlen (token);

  tl_ir_skip (parser);
  if ((gsize) (parser->end - parser->at) < length || memcmp (parser->at, token, length) != 0)
    return FALSE;
  /* A word must end where it ends. */
  if (g_ascii_isalnum (token[length - 1]) && parser->at + length < parser->end
      && (g_ascii_isalnum (parser->at[length]) || parser->at[length] == '_'))
    return FALSE;
  parser->at += length;
  return TRUE;
}

gboolean
tl_ir_expect (TlIrParser *parser, const char *token, const char *where)
{
  if (tl_ir_take (parser, token))
    return TRUE;
  return tl_ir_fail (parser, parser->at, "expected '%s' %s", token, where);
}

/* The longest run of letters, digits and @extra. (transfer full), NULL when empty. */
char *
tl_ir_word (TlIrParser *parser, const char *extra)
{
  const char *start;

  tl_ir_skip (parser);
  start = parser->at;
  while (parser->at < parser->end
         && (g_ascii_isalnum (*parser->at) || (*parser->at != '\0' && strchr (extra, *parser->at) != NULL)))
    parser->at++;
  return parser->at > start ? g_strndup (start, parser->at - start) : NULL;
}

gboolean
tl_ir_unsigned (TlIrParser *parser, guint64 most, guint64 *value)
{
  const char *start;

  tl_ir_skip (parser);
  start = parser->at;
  *value = 0;
  for (; parser->at < parser->end && g_ascii_isdigit (*parser->at); parser->at++)
    {
      guint digit = (guint) (*parser->at - '0');

      if (*value > (most - MIN (most, digit)) / 10)
        return tl_ir_fail (parser, start, "number too large: at most %" G_GUINT64_FORMAT, most);
      *value = *value * 10 + digit;
    }
  return parser->at > start || tl_ir_fail (parser, start, "expected a number");
}

/* "%0", "%arg1", "%0#2"; the number behind # in *index. (transfer full) */
static char *
value_name (TlIrParser *parser, guint64 *index)
{
  char *name;

  *index = 0;
  if (!tl_ir_take (parser, "%"))
    {
      tl_ir_fail (parser, parser->at, "expected a value: %% and its name");
      return NULL;
    }
  name = tl_ir_word (parser, "_$.-");
  if (name == NULL)
    tl_ir_fail (parser, parser->at, "expected the name of a value");
  else if (parser->at < parser->end && *parser->at == '#')
    {
      parser->at++;
      if (!tl_ir_unsigned (parser, MAX_RESULTS, index))
        g_clear_pointer (&name, g_free);
    }
  return name;
}

static gboolean
define (TlIrParser *parser, const char *at, const char *name, TlValue **values, guint n_values)
{
  Pack *pack;

  if (g_hash_table_contains (parser->values, name))
    return tl_ir_fail (parser, at, "%%%s is defined twice", name);
  pack = tl_ir_alloc (parser->module, sizeof *pack);
  pack->values = values;
  pack->n_values = n_values;
  name = tl_module_intern (parser->module, name);
  g_hash_table_insert (parser->values, (gpointer) name, pack);
  g_ptr_array_add (parser->defined, (gpointer) name);
  return TRUE;
}

/* Names of a region are not seen behind it. */
static void
leave_scope (TlIrParser *parser, guint level)
{
  while (parser->defined->len > level)
    g_hash_table_remove (parser->values, g_ptr_array_steal_index (parser->defined, parser->defined->len - 1));
}

static gboolean
parse_operands (TlIrParser *parser, TlOp *op)
{
  if (!tl_ir_expect (parser, "(", "before the operands"))
    return FALSE;
  if (tl_ir_take (parser, ")"))
    return TRUE;
  do
    {
      guint64          index;
      const char      *at = (tl_ir_skip (parser), parser->at);
      g_autofree char *name = value_name (parser, &index);
      const Pack      *pack;

      if (name == NULL)
        return FALSE;
      pack = g_hash_table_lookup (parser->values, name);
      if (pack == NULL)
        return tl_ir_fail (parser, at, "\"%s\" uses %%%s before its definition", op->name, name);
      if (index >= pack->n_values)
        return tl_ir_fail (parser, at, "%%%s has %u results, no number %" G_GUINT64_FORMAT, name, pack->n_values,
                           index);
      tl_op_add_operand (op, pack->values[index]);
    }
  while (tl_ir_take (parser, ","));
  return tl_ir_expect (parser, ")", "behind the operands");
}

/* The types behind the colon. Result types are appended to @results. */
static gboolean
parse_signature (TlIrParser *parser, TlOp *op, GPtrArray *results)
{
  guint n = 0;

  if (!tl_ir_expect (parser, ":", "before the operation's types")
      || !tl_ir_expect (parser, "(", "before the operand types"))
    return FALSE;
  if (!tl_ir_take (parser, ")"))
    {
      do
        {
          const char *at = (tl_ir_skip (parser), parser->at);
          TlType      type = tl_ir_parse_type (parser);

          if (type == NULL)
            return FALSE;
          if (n < op->n_operands && op->operands[n]->type != type)
            return tl_ir_fail (parser, at, "operand %u of \"%s\" has the type %s, not %s", n, op->name,
                               op->operands[n]->type, type);
          n++;
        }
      while (tl_ir_take (parser, ","));
      if (!tl_ir_expect (parser, ")", "behind the operand types"))
        return FALSE;
    }
  if (n != op->n_operands)
    return tl_ir_fail (parser, parser->at, "\"%s\" has %u operands and %u operand types", op->name, op->n_operands, n);
  if (!tl_ir_expect (parser, "->", "before the result types"))
    return FALSE;
  if (!tl_ir_take (parser, "("))
    {
      TlType type = tl_ir_parse_type (parser);

      if (type == NULL)
        return FALSE;
      g_ptr_array_add (results, (gpointer) type);
      return TRUE;
    }
  if (tl_ir_take (parser, ")"))
    return TRUE;
  do
    {
      TlType type = tl_ir_parse_type (parser);

      if (type == NULL)
        return FALSE;
      if (results->len >= MAX_RESULTS)
        return tl_ir_fail (parser, parser->at, "more than %d results", MAX_RESULTS);
      g_ptr_array_add (results, (gpointer) type);
    }
  while (tl_ir_take (parser, ","));
  return tl_ir_expect (parser, ")", "behind the result types");
}

static gboolean
parse_block_arguments (TlIrParser *parser, TlBlock *block)
{
  if (!tl_ir_take (parser, "("))
    return TRUE;
  do
    {
      guint64          index;
      const char      *at = (tl_ir_skip (parser), parser->at);
      g_autofree char *name = value_name (parser, &index);
      TlValue        **value;
      TlType           type;

      if (name == NULL || !tl_ir_expect (parser, ":", "before the argument's type")
          || (type = tl_ir_parse_type (parser)) == NULL)
        return FALSE;
      value = tl_ir_alloc (parser->module, sizeof *value);
      *value = tl_block_add_argument (block, type);
      if (!define (parser, at, name, value, 1))
        return FALSE;
      if (tl_ir_take (parser, "loc") && tl_ir_parse_location_body (parser) == NULL)
        return FALSE;
    }
  while (tl_ir_take (parser, ","));
  return tl_ir_expect (parser, ")", "behind the block's arguments");
}

static gboolean parse_op (TlIrParser *parser, TlBlock *block, guint depth);

static gboolean
parse_region (TlIrParser *parser, TlOp *op, guint depth)
{
  TlBlock *block = tl_op_add_region (op);
  guint    level = parser->defined->len;
  gboolean labelled = FALSE;

  if (!tl_ir_expect (parser, "{", "before a region"))
    return FALSE;
  if (depth >= TL_IR_MAX_DEPTH)
    return tl_ir_fail (parser, parser->at, "regions nested deeper than %d", TL_IR_MAX_DEPTH);
  while (!tl_ir_take (parser, "}"))
    {
      if (parser->at >= parser->end)
        return tl_ir_fail (parser, parser->at, "the text ends inside a region of \"%s\"", op->name);
      if (*parser->at != '^')
        {
          if (!parse_op (parser, block, depth))
            return FALSE;
          continue;
        }
      parser->at++;
      g_free (tl_ir_word (parser, "_$.-"));
      if (labelled || block->first != NULL)
        {
          TlRegion *region = op->regions[op->n_regions - 1];

          block = tl_ir_alloc (parser->module, sizeof *block);
          block->region = region;
          region->blocks = tl_ir_grow (parser->module, region->blocks, region->n_blocks, sizeof (TlBlock *));
          region->blocks[region->n_blocks++] = block;
        }
      labelled = TRUE;
      if (!parse_block_arguments (parser, block) || !tl_ir_expect (parser, ":", "behind a block's label"))
        return FALSE;
    }
  leave_scope (parser, level);
  return TRUE;
}

/* Names left of "=": each with the number of results it stands for. */
typedef struct
{
  char       *name;
  guint       count;
  const char *at;
} ResultName;

static void
result_name_clear (gpointer data)
{
  g_free (((ResultName *) data)->name);
}

static gboolean
parse_result_names (TlIrParser *parser, GArray *names, guint *total)
{
  do
    {
      guint64    index;
      guint64    count = 1;
      ResultName name = { NULL, 1, (tl_ir_skip (parser), parser->at) };

      if ((name.name = value_name (parser, &index)) == NULL)
        return FALSE;
      g_array_append_val (names, name);
      if (tl_ir_take (parser, ":") && !tl_ir_unsigned (parser, MAX_RESULTS, &count))
        return FALSE;
      if (count == 0)
        return tl_ir_fail (parser, name.at, "a name for no result");
      g_array_index (names, ResultName, names->len - 1).count = (guint) count;
      *total += (guint) count;
      if (*total > MAX_RESULTS)
        return tl_ir_fail (parser, name.at, "more than %d results", MAX_RESULTS);
    }
  while (tl_ir_take (parser, ","));
  return tl_ir_expect (parser, "=", "behind the names of the results");
}

static gboolean
parse_op_rest (TlIrParser *parser, TlOp *op, const char *start, const GArray *names, guint total, guint depth)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  guint first = 0;

  if (!parse_operands (parser, op))
    return FALSE;
  if (tl_ir_take (parser, "["))
    return tl_ir_fail (parser, parser->at, "\"%s\" has successors; Tierloom's operations have none", op->name);
  if (tl_ir_take (parser, "<{"))
    return tl_ir_fail (parser, parser->at, "properties <{...}> are not read; print with mlir-opt 14 or 15");
  if (tl_ir_take (parser, "("))
    {
      do
        if (!parse_region (parser, op, depth + 1))
          return FALSE;
      while (tl_ir_take (parser, ","));
      if (!tl_ir_expect (parser, ")", "behind the regions"))
        return FALSE;
    }
  tl_ir_skip (parser);
  if (parser->at < parser->end && *parser->at == '{')
    {
      const TlAttr *attrs = tl_ir_parse_attr (parser, 0);

      if (attrs == NULL)
        return FALSE;
      for (guint i = 0; i < attrs->n_items; i++)
        tl_op_set (op, attrs->names[i], attrs->items[i]);
    }
  if (!parse_signature (parser, op, types))
    return FALSE;
  if (types->len != total && names->len > 0)
    return tl_ir_fail (parser, start, "\"%s\" has %u results and names for %u", op->name, types->len, total);
  for (guint i = 0; i < types->len; i++)
    tl_op_add_result (op, types->pdata[i]);
  for (guint i = 0; i < names->len; i++)
    {
      const ResultName *name = &g_array_index (names, ResultName, i);

      if (!define (parser, name->at, name->name, op->results + first, name->count))
        return FALSE;
      first += name->count;
    }
  if (tl_ir_take (parser, "loc"))
    {
      op->location = tl_ir_parse_location_body (parser);
      if (op->location == NULL)
        return FALSE;
      g_ptr_array_add (parser->used_locations, (gpointer) op->location);
    }
  return TRUE;
}

static gboolean
parse_op_start (TlIrParser *parser, GArray *names, guint *total, char **name, const char **start)
{
  tl_ir_skip (parser);
  *start = parser->at;
  if (parser->at < parser->end && *parser->at == '%' && !parse_result_names (parser, names, total))
    return FALSE;
  tl_ir_skip (parser);
  if (parser->at >= parser->end || *parser->at != '"')
    return tl_ir_fail (
        parser, parser->at,
        "expected an operation in generic form: its name in double quotes (mlir-opt --mlir-print-op-generic)");
  *start = parser->at;
  *name = tl_ir_parse_string (parser);
  if (*name == NULL)
    return FALSE;
  if (**name == '\0')
    return tl_ir_fail (parser, *start, "an operation without a name");
  return TRUE;
}

static gboolean
parse_op (TlIrParser *parser, TlBlock *block, guint depth)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (ResultName));
  g_autofree char *name = NULL;
  const char      *start;
  guint            total = 0;
  TlOp            *op;

  g_array_set_clear_func (names, result_name_clear);
  if (!parse_op_start (parser, names, &total, &name, &start))
    return FALSE;
  op = tl_op_new (parser->module, name, NULL);
  if (!parse_op_rest (parser, op, start, names, total, depth))
    return FALSE;
  tl_block_append (block, op);
  return TRUE;
}

/* The module itself takes the place of the empty one. */
static gboolean
parse_root (TlIrParser *parser)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (ResultName));
  g_autofree char *name = NULL;
  const char      *start;
  guint            total = 0;
  TlOp            *op = parser->module->op;

  g_array_set_clear_func (names, result_name_clear);
  if (!parse_op_start (parser, names, &total, &name, &start))
    return FALSE;
  if (!g_str_equal (name, "builtin.module") || names->len > 0)
    return tl_ir_fail (parser, start, "expected \"builtin.module\", not \"%s\"", name);
  op->regions = NULL;
  op->n_regions = 0;
  if (!parse_op_rest (parser, op, start, names, total, 0))
    return FALSE;
  return op->n_results == 0 || tl_ir_fail (parser, start, "the module has results");
}

static gboolean
parse_top (TlIrParser *parser)
{
  gboolean seen = FALSE;

  for (;;)
    {
      tl_ir_skip (parser);
      if (parser->at >= parser->end)
        break;
      if (*parser->at == '#')
        {
          if (!tl_ir_parse_alias (parser))
            return FALSE;
        }
      else if (seen)
        return tl_ir_fail (parser, parser->at, "something stands behind the module");
      else if (parse_root (parser))
        seen = TRUE;
      else
        return FALSE;
    }
  return seen ? tl_ir_check_locations (parser) : tl_ir_fail (parser, parser->at, "no module in this text");
}

TlModule *
tl_module_parse (TlSource *source, TlDiags *diags)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlIrParser parser = {
    .source = source,
    .diags = diags,
    .module = module,
    .start = tl_source_text (source),
    .at = tl_source_text (source),
    .end = tl_source_text (source) + tl_source_length (source),
    .values = g_hash_table_new (g_str_hash, g_str_equal),
    .defined = g_ptr_array_new (),
    .maps = g_hash_table_new (g_str_hash, g_str_equal),
    .locations = g_hash_table_new (g_str_hash, g_str_equal),
    .used_locations = g_ptr_array_new (),
  };
  const char *bad;
  gboolean    right;

  right = g_utf8_validate_len (parser.start, tl_source_length (source), &bad)
              ? parse_top (&parser)
              : tl_ir_fail (&parser, bad, "the text is not UTF-8 here");

  g_hash_table_unref (parser.values);
  g_ptr_array_unref (parser.defined);
  g_hash_table_unref (parser.maps);
  g_hash_table_unref (parser.locations);
  g_ptr_array_unref (parser.used_locations);
  return right ? g_steal_pointer (&module) : NULL;
}
