/* Structures as dictionary attributes and back. */
#include "passes/dict-private.h"

#include <string.h>

guint64
tl_field_get (gconstpointer base, const TlField *field)
{
  guint64 wide;
  guint32 narrow;

  if (field->bytes == sizeof wide)
    return memcpy (&wide, (const char *) base + field->offset, sizeof wide), wide;
  return memcpy (&narrow, (const char *) base + field->offset, sizeof narrow), narrow;
}

/* Not inlined: gcc 12 under sanitizers takes the widths of all fields for each one's. */
void G_GNUC_NO_INLINE
tl_field_set (gpointer base, const TlField *field, guint64 value)
{
  guint32 narrow = (guint32) value;

  if (field->bytes == sizeof value)
    memcpy ((char *) base + field->offset, &value, sizeof value);
  else
    memcpy ((char *) base + field->offset, &narrow, sizeof narrow);
}

/* --- into a module --- */

TlNamedAttr
tl_dict_number (TlModule *module, const char *key, guint64 value)
{
  return (TlNamedAttr) { key, tl_attr_integer (module, (gint64) value) };
}

TlNamedAttr
tl_dict_text (TlModule *module, const char *key, const char *text)
{
  return (TlNamedAttr) { key, tl_attr_string (module, text) };
}

guint
tl_dict_fields (TlModule *module, gconstpointer base, const TlField *fields, guint n, TlNamedAttr *items)
{
  for (guint f = 0; f < n; f++)
    items[f] = tl_dict_number (module, fields[f].key, tl_field_get (base, &fields[f]));
  return n;
}

TlNamedAttr
tl_dict_tiers (TlModule *module, gconstpointer base, gsize size, guint tiers, const TlField *fields, guint n)
{
  g_autofree const TlAttr **dicts = g_new0 (const TlAttr *, MAX (tiers, 1));
  g_autofree TlNamedAttr   *items = g_new0 (TlNamedAttr, n);

  for (guint t = 0; t < tiers; t++)
    {
      tl_dict_fields (module, (const char *) base + t * size, fields, n, items);
      dicts[t] = tl_attr_dict (module, items, n);
    }
  return (TlNamedAttr) { "tier", tl_attr_array (module, dicts, tiers) };
}

/* --- and back --- */

void
tl_dict_complain (TlDictReader *reader, const char *key, const char *what)
{
  if (reader->right)
    tl_diags_add_at (reader->diags, TL_SEVERITY_ERROR, "invalid-ir", "", 0, 0, "%s: %s %s", reader->name, key, what);
  reader->right = FALSE;
}

TlDictReader
tl_dict_reader (const TlModule *module, const char *name, TlDiags *diags)
{
  TlDictReader reader = { tl_op_attr (tl_module_op (module), name), name, diags, TRUE };

  if (reader.dict == NULL || reader.dict->kind != TL_ATTR_DICT)
    tl_dict_complain (&reader, "the dictionary", "is missing");
  return reader;
}

guint64
tl_dict_read_number (TlDictReader *reader, const char *key, guint64 least, guint64 most)
{
  const TlAttr *attr = tl_attr_get (reader->dict, key);

  if (attr == NULL || attr->kind != TL_ATTR_INTEGER)
    tl_dict_complain (reader, key, "is missing or no integer");
  else if (attr->integer < 0 || (guint64) attr->integer < least || (guint64) attr->integer > most)
    tl_dict_complain (reader, key, "is out of range");
  else
    return (guint64) attr->integer;
  return least;
}

const char *
tl_dict_read_text (TlDictReader *reader, const char *key)
{
  const TlAttr *attr = tl_attr_get (reader->dict, key);

  if (attr != NULL && attr->kind == TL_ATTR_STRING)
    return attr->text;
  tl_dict_complain (reader, key, "is missing or no string");
  return "";
}

guint
tl_dict_read_word (TlDictReader *reader, const char *key, TlWordFunc words)
{
  int word = tl_word_find (words, tl_dict_read_text (reader, key));

  if (word >= 0)
    return (guint) word;
  tl_dict_complain (reader, key, "is none of its words");
  return 0;
}

void
tl_dict_read_fields (TlDictReader *reader, gpointer base, const TlField *fields, guint n)
{
  for (guint f = 0; f < n; f++)
    tl_field_set (base, &fields[f], tl_dict_read_number (reader, fields[f].key, fields[f].least, fields[f].most));
}

void
tl_dict_read_tiers (TlDictReader *reader, gpointer base, gsize size, guint tiers, const TlField *fields, guint n)
{
  const TlAttr *list = tl_attr_get (reader->dict, "tier");

  if (!reader->right)
    return;
  if (list == NULL || list->kind != TL_ATTR_ARRAY || list->n_items != tiers)
    {
      tl_dict_complain (reader, "tier", "does not list the timing of each tier");
      return;
    }
  for (guint t = 0; t < tiers && reader->right; t++)
    {
      TlDictReader tier = { list->items[t], reader->name, reader->diags, TRUE };

      if (list->items[t]->kind != TL_ATTR_DICT)
        tl_dict_complain (&tier, "tier", "is no dictionary");
      else
        tl_dict_read_fields (&tier, (char *) base + t * size, fields, n);
      reader->right = tier.right;
    }
}
