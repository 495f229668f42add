/* What several passes need of a module. */
#include "passes/passes-private.h"

#include "base/hash.h"
#include "ir/semiring-op.h"

#include <string.h>

const TlLocation *
tl_pass_place (const TlLocation *location, const char *name)
{
  if (location->kind == TL_LOCATION_NAME && strcmp (location->text, name) == 0)
    return location;
  for (guint i = 0; i < location->n_parts; i++)
    {
      const TlLocation *found = tl_pass_place (location->parts[i], name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

const TlLocation *
tl_pass_with_knob (TlModule *module, const TlLocation *location, const char *knob)
{
  const TlLocation *parts[] = { location, tl_pass_place (tl_module_op (module)->location, knob) };

  return tl_location_fused (module, parts, G_N_ELEMENTS (parts));
}

TlDiag *
tl_pass_error (TlDiags *diags, const TlLocation *location, const char *code, const char *format, ...)
{
  const TlLocation *place = tl_location_first (location);
  g_autofree char  *message = NULL;
  va_list           args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return tl_diags_add_at (diags, TL_SEVERITY_ERROR, code, place != NULL ? place->text : "",
                          place != NULL ? place->line : 0, place != NULL ? place->column : 0, "%s", message);
}

TlGroup
tl_module_group (const TlModule *module)
{
  gint64 group = tl_op_integer (tl_module_op (module), "dp.group", 0);

  return group >= TL_GROUP_G1 && group <= TL_GROUP_G4 ? (TlGroup) group : TL_GROUP_NONE;
}

gboolean
tl_pass_expect (const TlModule *module, TlGroup group, TlDiags *diags)
{
  if (tl_module_group (module) == group)
    return TRUE;
  tl_pass_error (diags, tl_module_op (module)->location, "pass-order",
                 "expected a module after group %d, this one is after %d", (int) group, (int) tl_module_group (module));
  return FALSE;
}

void
tl_pass_done (TlModule *module, TlGroup group)
{
  tl_op_set (tl_module_op (module), "dp.group", tl_attr_integer (module, group));
}

TlOwnerRule *
tl_pass_owner (const TlOp *blocked, guint32 pus, TlDiags *diags)
{
  g_autofree char *body = tl_attr_body (tl_op_attr (blocked, "owner"), "gendram.owner");
  g_autofree char *reason = NULL;
  const TlAttr    *moves = tl_op_attr (blocked, "moves");
  TlOwnerRule     *rule
      = tl_owner_rule_parse (body != NULL ? body : "", (guint32) tl_op_integer (blocked, "tiles", 1), pus, &reason);

  if (rule == NULL)
    {
      tl_pass_error (diags, blocked->location, "owner-rule", "owner: %s", reason);
      return NULL;
    }
  for (guint m = 0; moves != NULL && m < moves->n_items; m++)
    {
      const TlAttr *triple = moves->items[m];
      TlOwnerMove   move = { (guint32) triple->items[0]->integer, (guint32) triple->items[1]->integer,
                             (guint32) triple->items[2]->integer };

      tl_owner_rule_move (rule, &move, 1);
    }
  return rule;
}

TlOp *
tl_pass_inner (const TlOp *phase, const char *name, guint index)
{
  for (TlOp *op = phase->regions[0]->blocks[0]->first; op != NULL; op = op->next)
    if (strcmp (op->name, name) == 0 && index-- == 0)
      return op;
  return NULL;
}

const TlLocation *
tl_pass_span (TlModule *module, TlSource *source, TlSpan span, const char *name)
{
  const TlLocation *location = tl_location_span (module, source, span);

  return name != NULL ? tl_location_name (module, name, location) : location;
}

TlOp *
tl_pass_data_op (TlModule *module, const TlLocation *location, const char *name, TlElementType element,
                 const char *source, const TlDataFacts *facts, guint64 rows, guint64 columns)
{
  TlOp            *op = tl_op_new (module, "dp.data", location);
  g_autofree char *type = tl_element_type_name (element);
  g_autofree char *word = tl_element_mlir_name (element);
  g_autofree char *hash = tl_hash_text (facts != NULL ? facts->content_hash : 0);

  tl_op_set (op, "content_hash", tl_attr_string (module, hash));
  tl_op_set (op, "element", tl_attr_string (module, type));
  tl_op_set (op, "name", tl_attr_string (module, name));
  tl_op_set (op, "source", tl_attr_string (module, source));
  tl_op_add_result (op, tl_type_matrix (module, rows, columns, word));
  return op;
}

GPtrArray *
tl_pass_data (const TlModule *module)
{
  GPtrArray *data = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_data_source_free);

  for (const TlOp *op = tl_module_body (module)->first; op != NULL; op = op->next)
    if (strcmp (op->name, "dp.data") == 0)
      {
        TlDataSource *source = g_new0 (TlDataSource, 1);

        source->name = g_strdup (tl_op_text (op, "name"));
        source->source = g_strdup (tl_op_text (op, "source"));
        source->content_hash = g_ascii_strtoull (tl_op_text (op, "content_hash"), NULL, 16);
        g_ptr_array_add (data, source);
      }
  return data;
}

const TlDataFacts *
tl_pass_facts (const GArray *facts, const char *name)
{
  for (guint f = 0; facts != NULL && f < facts->len; f++)
    if (strcmp (g_array_index (facts, TlDataFacts, f).name, name) == 0)
      return &g_array_index (facts, TlDataFacts, f);
  return NULL;
}
