/* Locations and aliases of a module's text. An alias may be used before it is defined,
 * and many times: what it would be written out is counted before anyone does. */
#include "ir/parse-private.h"

#include <string.h>

#define MAX_NAME 4096u

static const TlLocation *parse_location (TlIrParser *parser, guint depth);

static const TlLocation *
parse_fused (TlIrParser *parser, guint depth)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  TlLocation        *location;
  const TlLocation **copy;

  tl_ir_skip (parser);
  if (tl_ir_next_is (parser, '<') && !tl_ir_skip_balanced (parser))
    return NULL;
  if (!tl_ir_expect (parser, "[", "behind fused"))
    return NULL;
  do
    {
      const TlLocation *part = parse_location (parser, depth + 1);

      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, (gpointer) part);
    }
  while (tl_ir_take (parser, ","));
  if (!tl_ir_expect (parser, "]", "behind the fused locations"))
    return NULL;
  location = tl_ir_location_new (parser->module);
  copy = tl_ir_alloc (parser->module, parts->len * sizeof *copy);
  memcpy (copy, parts->pdata, parts->len * sizeof *copy);
  location->kind = TL_LOCATION_FUSED;
  location->parts = copy;
  location->n_parts = parts->len;
  return location;
}

/* The alias's location: empty until its definition is read. */
static TlLocation *
alias_location (TlIrParser *parser, const char *name)
{
  TlLocation *location = g_hash_table_lookup (parser->locations, name);

  if (location == NULL)
    {
      location = tl_ir_location_new (parser->module);
      location->kind = (TlLocationKind) -1;
      g_hash_table_insert (parser->locations, (gpointer) tl_module_intern (parser->module, name), location);
    }
  return location;
}

static const TlLocation *
parse_location (TlIrParser *parser, guint depth)
{
  const char      *start = (tl_ir_skip (parser), parser->at);
  g_autofree char *text = NULL;
  guint64          line;
  guint64          column;

  if (depth >= TL_IR_MAX_DEPTH)
    {
      tl_ir_fail (parser, start, "locations nested deeper than %d", TL_IR_MAX_DEPTH);
      return NULL;
    }
  if (tl_ir_take (parser, "unknown"))
    return tl_location_unknown (parser->module);
  if (tl_ir_take (parser, "fused"))
    return parse_fused (parser, depth);
  if (tl_ir_take (parser, "#"))
    {
      text = tl_ir_word (parser, "_");
      if (text != NULL)
        return alias_location (parser, text);
      tl_ir_fail (parser, start, "expected the name of an alias");
      return NULL;
    }
  if (!tl_ir_next_is (parser, '"'))
    {
      tl_ir_fail (parser, start, "expected a location: unknown, \"FILE\":LINE:COLUMN, \"NAME\"(...) or fused[...]");
      return NULL;
    }
  text = tl_ir_parse_string (parser);
  if (text == NULL)
    return NULL;
  if (strlen (text) > MAX_NAME)
    {
      tl_ir_fail (parser, start, "a name of more than %u bytes in a location", MAX_NAME);
      return NULL;
    }
  if (tl_ir_take (parser, ":"))
    {
      if (!tl_ir_unsigned (parser, G_MAXUINT32, &line) || !tl_ir_expect (parser, ":", "behind a line number")
          || !tl_ir_unsigned (parser, G_MAXUINT32, &column))
        return NULL;
      return tl_location_file (parser->module, text, (guint) line, (guint) column);
    }
  if (tl_ir_take (parser, "("))
    {
      const TlLocation  *child = parse_location (parser, depth + 1);
      TlLocation        *location;
      const TlLocation **parts;

      if (child == NULL || !tl_ir_expect (parser, ")", "behind a named location"))
        return NULL;
      location = (TlLocation *) tl_location_name (parser->module, text, NULL);
      parts = tl_ir_alloc (parser->module, sizeof *parts);
      parts[0] = child;
      location->parts = parts;
      location->n_parts = 1;
      return location;
    }
  return tl_location_name (parser->module, text, NULL);
}

const TlLocation *
tl_ir_parse_location_body (TlIrParser *parser)
{
  const TlLocation *location;

  if (!tl_ir_expect (parser, "(", "behind loc") || (location = parse_location (parser, 0)) == NULL
      || !tl_ir_expect (parser, ")", "behind a location"))
    return NULL;
  return location;
}

gboolean
tl_ir_parse_alias (TlIrParser *parser)
{
  const char      *start = parser->at++;
  g_autofree char *name = tl_ir_word (parser, "_");

  if (name == NULL || !tl_ir_expect (parser, "=", "behind the name of an alias"))
    return tl_ir_fail (parser, start, "expected the definition of an alias");
  if (tl_ir_take (parser, "loc"))
    {
      const TlLocation *location = tl_ir_parse_location_body (parser);
      TlLocation       *alias;

      if (location == NULL)
        return FALSE;
      alias = alias_location (parser, name);
      if (alias->kind != (TlLocationKind) -1)
        return tl_ir_fail (parser, start, "the alias #%s is defined twice", name);
      if (location->kind == (TlLocationKind) -1)
        return tl_ir_fail (parser, start, "the alias #%s stands for another alias", name);
      *alias = *location;
      return TRUE;
    }
  if (!tl_ir_take (parser, "affine_map"))
    return tl_ir_fail (parser, parser->at, "only affine maps and locations have aliases here");
  {
    const TlAttr *map = tl_ir_parse_map (parser);

    if (map == NULL)
      return FALSE;
    if (!g_hash_table_insert (parser->maps, (gpointer) tl_module_intern (parser->module, name), (gpointer) map))
      return tl_ir_fail (parser, start, "the alias #%s is defined twice", name);
    return TRUE;
  }
}

#define CYCLE G_MAXUINT32

/* Parts of @location when written out, CYCLE when it holds itself. @sizes remembers
 * finished ones; 0 in it marks one being counted. */
static guint32
written_size (const TlLocation *location, GHashTable *sizes, guint depth)
{
  gpointer known;
  guint64  size = 1;

  if (location->n_parts == 0)
    return 1;
  if (g_hash_table_lookup_extended (sizes, location, NULL, &known))
    return known != NULL ? GPOINTER_TO_UINT (known) : CYCLE;
  if (depth >= TL_IR_MAX_DEPTH)
    return CYCLE;
  g_hash_table_insert (sizes, (gpointer) location, NULL);
  for (guint i = 0; i < location->n_parts; i++)
    {
      guint32 part = written_size (location->parts[i], sizes, depth + 1);

      if (part == CYCLE)
        return CYCLE;
      size = MIN (size + part, (guint64) CYCLE - 1);
    }
  g_hash_table_insert (sizes, (gpointer) location, GUINT_TO_POINTER ((guint32) size));
  return (guint32) size;
}

gboolean
tl_ir_check_locations (TlIrParser *parser)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer       name;
  gpointer       location;
  guint64        total = 0;

  g_hash_table_iter_init (&iter, parser->locations);
  while (g_hash_table_iter_next (&iter, &name, &location))
    if (((TlLocation *) location)->kind == (TlLocationKind) -1)
      return tl_ir_fail (parser, parser->end, "the location alias #%s is used but not defined", (char *) name);
  for (guint i = 0; i < parser->used_locations->len; i++)
    {
      guint32 size = written_size (parser->used_locations->pdata[i], sizes, 0);

      if (size == CYCLE)
        return tl_ir_fail (parser, parser->end, "a location holds itself or is nested deeper than %d", TL_IR_MAX_DEPTH);
      total += size;
      if (total > TL_IR_MAX_ATTR_NODES)
        return tl_ir_fail (parser, parser->end, "more than %u places in the locations", TL_IR_MAX_ATTR_NODES);
    }
  return TRUE;
}
