/* Locations: where in the program text an operation stems from. */
#include "ir/ir-private.h"

#include <string.h>

TlLocation *
tl_ir_location_new (TlModule *module)
{
  return tl_ir_alloc (module, sizeof (TlLocation));
}

const TlLocation *
tl_location_unknown (TlModule *module)
{
  return module->unknown;
}

const TlLocation *
tl_location_file (TlModule *module, const char *file, guint line, guint column)
{
  TlLocation *location = tl_ir_location_new (module);

  location->kind = TL_LOCATION_FILE;
  location->text = tl_module_intern (module, file);
  location->line = line;
  location->column = column;
  return location;
}

const TlLocation *
tl_location_span (TlModule *module, TlSource *source, TlSpan span)
{
  TlPosition position;

  if (source == NULL)
    return module->unknown;
  position = tl_source_position (source, span.start);
  return tl_location_file (module, tl_source_name (source), position.line, position.column);
}

const TlLocation *
tl_location_name (TlModule *module, const char *name, const TlLocation *child)
{
  TlLocation *location = tl_ir_location_new (module);

  location->kind = TL_LOCATION_NAME;
  location->text = tl_module_intern (module, name);
  if (child != NULL && child->kind != TL_LOCATION_UNKNOWN)
    {
      const TlLocation **parts = tl_ir_alloc (module, sizeof *parts);

      parts[0] = child;
      location->parts = parts;
      location->n_parts = 1;
    }
  return location;
}

static gboolean
same_place (const TlLocation *a, const TlLocation *b)
{
  if (a->kind != b->kind || a->line != b->line || a->column != b->column || a->n_parts != b->n_parts
      || g_strcmp0 (a->text, b->text) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_parts; i++)
    if (!same_place (a->parts[i], b->parts[i]))
      return FALSE;
  return TRUE;
}

static void
collect (const TlLocation *location, GPtrArray *flat)
{
  if (location->kind == TL_LOCATION_UNKNOWN)
    return;
  if (location->kind == TL_LOCATION_FUSED)
    {
      for (guint i = 0; i < location->n_parts; i++)
        collect (location->parts[i], flat);
      return;
    }
  for (guint i = 0; i < flat->len; i++)
    if (same_place (flat->pdata[i], location))
      return;
  g_ptr_array_add (flat, (gpointer) location);
}

const TlLocation *
tl_location_fused (TlModule *module, const TlLocation *const *parts, guint n_parts)
{
  g_autoptr (GPtrArray) flat = g_ptr_array_new ();
  TlLocation        *location;
  const TlLocation **copy;

  for (guint i = 0; i < n_parts; i++)
    if (parts[i] != NULL)
      collect (parts[i], flat);
  if (flat->len == 0)
    return module->unknown;
  if (flat->len == 1)
    return flat->pdata[0];
  location = tl_ir_location_new (module);
  copy = tl_ir_alloc (module, flat->len * sizeof *copy);
  memcpy (copy, flat->pdata, flat->len * sizeof *copy);
  location->kind = TL_LOCATION_FUSED;
  location->parts = copy;
  location->n_parts = flat->len;
  return location;
}

const TlLocation *
tl_location_first (const TlLocation *location)
{
  if (location->kind == TL_LOCATION_FILE)
    return location;
  for (guint i = 0; i < location->n_parts; i++)
    {
      const TlLocation *first = tl_location_first (location->parts[i]);

      if (first != NULL)
        return first;
    }
  return NULL;
}
