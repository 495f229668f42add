/* Attributes: immutable trees in a module's arena. */
#include "ir/ir-private.h"

#include <math.h>
#include <string.h>

static TlAttr *
attr_new (TlModule *module, TlAttrKind kind)
{
  TlAttr *attr = tl_ir_alloc (module, sizeof *attr);

  attr->kind = kind;
  attr->nodes = 1;
  return attr;
}

static const TlAttr *
text_attr (TlModule *module, TlAttrKind kind, const char *text)
{
  TlAttr *attr = attr_new (module, kind);

  attr->text = tl_module_intern (module, text);
  return attr;
}

const TlAttr *
tl_attr_unit (TlModule *module)
{
  return attr_new (module, TL_ATTR_UNIT);
}

const TlAttr *
tl_attr_bool (TlModule *module, gboolean value)
{
  TlAttr *attr = attr_new (module, TL_ATTR_BOOL);

  attr->integer = value != FALSE;
  return attr;
}

const TlAttr *
tl_attr_typed_integer (TlModule *module, gint64 value, TlType type)
{
  TlAttr *attr = attr_new (module, TL_ATTR_INTEGER);

  attr->integer = value;
  attr->type = type;
  return attr;
}

const TlAttr *
tl_attr_integer (TlModule *module, gint64 value)
{
  return tl_attr_typed_integer (module, value, module->i64);
}

const TlAttr *
tl_attr_float (TlModule *module, double value)
{
  TlAttr *attr = attr_new (module, TL_ATTR_FLOAT);

  g_return_val_if_fail (isfinite (value), attr);
  attr->real = value;
  attr->type = module->f64;
  return attr;
}

const TlAttr *
tl_attr_string (TlModule *module, const char *text)
{
  return text_attr (module, TL_ATTR_STRING, text);
}

const TlAttr *
tl_attr_symbol (TlModule *module, const char *name)
{
  return text_attr (module, TL_ATTR_SYMBOL, name);
}

const TlAttr *
tl_attr_map (TlModule *module, const char *text)
{
  return text_attr (module, TL_ATTR_MAP, text);
}

const TlAttr *
tl_attr_opaque (TlModule *module, const char *text)
{
  return text_attr (module, TL_ATTR_OPAQUE, text);
}

const TlAttr *
tl_attr_type (TlModule *module, TlType type)
{
  TlAttr *attr = attr_new (module, TL_ATTR_TYPE);

  attr->type = type;
  return attr;
}

/* Saturates: what is larger than the bound is refused by who parses it. */
static guint32
count_nodes (const TlAttr *const *items, guint n_items)
{
  guint64 nodes = 1;

  for (guint i = 0; i < n_items; i++)
    nodes += items[i]->nodes;
  return (guint32) MIN (nodes, (guint64) G_MAXUINT32);
}

const TlAttr *
tl_attr_array (TlModule *module, const TlAttr *const *items, guint n_items)
{
  TlAttr *attr = attr_new (module, TL_ATTR_ARRAY);

  attr->items
      = n_items > 0 ? memcpy (tl_ir_alloc (module, n_items * sizeof *items), items, n_items * sizeof *items) : NULL;
  attr->n_items = n_items;
  attr->nodes = count_nodes (items, n_items);
  return attr;
}

const TlAttr *
tl_attr_integers (TlModule *module, const gint64 *values, guint n_values)
{
  TlAttr        *attr = attr_new (module, TL_ATTR_ARRAY);
  const TlAttr **items = tl_ir_alloc (module, n_values * sizeof *items);

  for (guint i = 0; i < n_values; i++)
    items[i] = tl_attr_integer (module, values[i]);
  attr->items = items;
  attr->n_items = n_values;
  attr->nodes = 1 + n_values;
  return attr;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (((const TlNamedAttr *) a)->name, ((const TlNamedAttr *) b)->name);
}

const TlAttr *
tl_attr_dict (TlModule *module, const TlNamedAttr *items, guint n_items)
{
  TlAttr        *attr = attr_new (module, TL_ATTR_DICT);
  const TlAttr **values = tl_ir_alloc (module, n_items * sizeof *values);
  const char   **names = tl_ir_alloc (module, n_items * sizeof *names);
  TlNamedAttr   *sorted = tl_ir_alloc (module, n_items * sizeof *sorted);

  if (n_items > 0)
    {
      memcpy (sorted, items, n_items * sizeof *sorted);
      qsort (sorted, n_items, sizeof *sorted, compare_names);
    }
  for (guint i = 0; i < n_items; i++)
    {
      names[i] = tl_module_intern (module, sorted[i].name);
      values[i] = sorted[i].value;
    }
  attr->items = values;
  attr->names = names;
  attr->n_items = n_items;
  attr->nodes = count_nodes (values, n_items);
  return attr;
}

const TlAttr *
tl_attr_get (const TlAttr *dict, const char *name)
{
  if (dict == NULL || dict->kind != TL_ATTR_DICT)
    return NULL;
  for (guint i = 0; i < dict->n_items; i++)
    if (g_str_equal (dict->names[i], name))
      return dict->items[i];
  return NULL;
}

char *
tl_attr_body (const TlAttr *attr, const char *name)
{
  gsize length = strlen (name);
  gsize whole;

  if (attr == NULL || attr->kind != TL_ATTR_OPAQUE || strncmp (attr->text, name, length) != 0)
    return NULL;
  whole = strlen (attr->text);
  if (whole == length)
    return g_strdup ("");
  if (attr->text[length] != '<' || attr->text[whole - 1] != '>')
    return NULL;
  return g_strndup (attr->text + length + 1, whole - length - 2);
}
