/* A module as generic-form MLIR text. Attributes stand in {...} sorted by name and
 * without the i64 that MLIR leaves out, so that text which went through mlir-opt
 * and back is the same text again. */
#include "ir/ir-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  GString     *out;
  GHashTable  *numbers; /* TlValue * -> number + 1 */
  guint        next_result;
  guint        next_argument;
  TlPrintFlags flags;
} Printer;

static void print_op (Printer *printer, const TlOp *op, guint depth);

static void
print_string (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const guchar *p = (const guchar *) text; *p != '\0'; p++)
    {
      if (*p == '\\')
        g_string_append (out, "\\\\");
      else if (*p == '"' || *p < 0x20 || *p >= 0x7f)
        g_string_append_printf (out, "\\%02X", *p);
      else
        g_string_append_c (out, (char) *p);
    }
  g_string_append_c (out, '"');
}

/* Shortest of the "d.ddde+dd" spellings that reads back as the same value; MLIR
 * wants the point. */
static void
print_float (GString *out, double value)
{
  char text[40];

  for (int digits = 1; digits <= 16; digits++)
    {
      char whole[40];

      g_snprintf (whole, sizeof whole, "%%.%de", digits);
      g_ascii_formatd (text, sizeof text, whole, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  g_string_append (out, text);
}

static gboolean
is_bare (const char *name)
{
  if (!g_ascii_isalpha (name[0]) && name[0] != '_')
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("_$.", *p) == NULL)
      return FALSE;
  return TRUE;
}

static void print_attr (GString *out, const TlAttr *attr, gboolean elide);

static void
print_named (GString *out, const char *name, const TlAttr *value)
{
  if (is_bare (name))
    g_string_append (out, name);
  else
    print_string (out, name);
  if (value->kind == TL_ATTR_UNIT)
    return;
  g_string_append (out, " = ");
  print_attr (out, value, FALSE);
}

static void
print_attr (GString *out, const TlAttr *attr, gboolean elide)
{
  switch (attr->kind)
    {
    case TL_ATTR_UNIT:
      g_string_append (out, "unit");
      break;
    case TL_ATTR_BOOL:
      g_string_append (out, attr->integer ? "true" : "false");
      break;
    case TL_ATTR_INTEGER:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, attr->integer);
      if (!elide || !g_str_equal (attr->type, "i64"))
        g_string_append_printf (out, " : %s", attr->type);
      break;
    case TL_ATTR_FLOAT:
      print_float (out, attr->real);
      if (!elide || !g_str_equal (attr->type, "f64"))
        g_string_append_printf (out, " : %s", attr->type);
      break;
    case TL_ATTR_STRING:
      print_string (out, attr->text);
      break;
    case TL_ATTR_SYMBOL:
      g_string_append_c (out, '@');
      if (is_bare (attr->text))
        g_string_append (out, attr->text);
      else
        print_string (out, attr->text);
      break;
    case TL_ATTR_ARRAY:
      g_string_append_c (out, '[');
      for (guint i = 0; i < attr->n_items; i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          print_attr (out, attr->items[i], TRUE);
        }
      g_string_append_c (out, ']');
      break;
    case TL_ATTR_DICT:
      g_string_append_c (out, '{');
      for (guint i = 0; i < attr->n_items; i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          print_named (out, attr->names[i], attr->items[i]);
        }
      g_string_append_c (out, '}');
      break;
    case TL_ATTR_TYPE:
      g_string_append (out, attr->type);
      break;
    case TL_ATTR_MAP:
      g_string_append_printf (out, "affine_map<%s>", attr->text);
      break;
    case TL_ATTR_OPAQUE:
      g_string_append_printf (out, "#%s", attr->text);
      break;
    }
}

static void
print_location (GString *out, const TlLocation *location)
{
  switch (location->kind)
    {
    case TL_LOCATION_UNKNOWN:
      g_string_append (out, "unknown");
      break;
    case TL_LOCATION_FILE:
      print_string (out, location->text);
      g_string_append_printf (out, ":%u:%u", location->line, location->column);
      break;
    case TL_LOCATION_NAME:
      print_string (out, location->text);
      if (location->n_parts > 0)
        {
          g_string_append_c (out, '(');
          print_location (out, location->parts[0]);
          g_string_append_c (out, ')');
        }
      break;
    case TL_LOCATION_FUSED:
      g_string_append (out, "fused[");
      for (guint i = 0; i < location->n_parts; i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          print_location (out, location->parts[i]);
        }
      g_string_append_c (out, ']');
      break;
    }
}

static void
print_value (Printer *printer, const TlValue *value)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (printer->numbers, value));

  if (number == 0)
    g_string_append (printer->out, "%undefined");
  else if (value->op == NULL)
    g_string_append_printf (printer->out, "%%arg%u", number - 1);
  else if (value->op->n_results == 1)
    g_string_append_printf (printer->out, "%%%u", number - 1);
  else
    g_string_append_printf (printer->out, "%%%u#%u", number - 1, value->index);
}

static void
indent (Printer *printer, guint depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (printer->out, "  ");
}

static void
print_block (Printer *printer, const TlBlock *block, guint number, guint depth)
{
  if (block->n_arguments > 0 || number > 0)
    {
      indent (printer, depth - 1);
      g_string_append_printf (printer->out, "^bb%u", number);
      for (guint i = 0; i < block->n_arguments; i++)
        {
          g_hash_table_insert (printer->numbers, block->arguments[i], GUINT_TO_POINTER (++printer->next_argument));
          g_string_append (printer->out, i == 0 ? "(" : ", ");
          print_value (printer, block->arguments[i]);
          g_string_append_printf (printer->out, ": %s", block->arguments[i]->type);
        }
      g_string_append (printer->out, block->n_arguments > 0 ? "):\n" : ":\n");
    }
  for (const TlOp *op = block->first; op != NULL; op = op->next)
    print_op (printer, op, depth);
}

static void
print_op (Printer *printer, const TlOp *op, guint depth)
{
  GString *out = printer->out;

  indent (printer, depth);
  if (op->n_results > 0)
    {
      guint number = ++printer->next_result;

      for (guint i = 0; i < op->n_results; i++)
        g_hash_table_insert (printer->numbers, op->results[i], GUINT_TO_POINTER (number));
      g_string_append_printf (out, "%%%u", number - 1);
      if (op->n_results > 1)
        g_string_append_printf (out, ":%u", op->n_results);
      g_string_append (out, " = ");
    }
  print_string (out, op->name);
  g_string_append_c (out, '(');
  for (guint i = 0; i < op->n_operands; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      print_value (printer, op->operands[i]);
    }
  g_string_append_c (out, ')');
  for (guint r = 0; r < op->n_regions; r++)
    {
      g_string_append (out, r == 0 ? " ({\n" : ", {\n");
      for (guint b = 0; b < op->regions[r]->n_blocks; b++)
        print_block (printer, op->regions[r]->blocks[b], b, depth + 1);
      indent (printer, depth);
      g_string_append_c (out, '}');
    }
  if (op->n_regions > 0)
    g_string_append_c (out, ')');
  for (guint i = 0; i < op->n_attrs; i++)
    {
      g_string_append (out, i == 0 ? " {" : ", ");
      print_named (out, op->attrs[i].name, op->attrs[i].value);
    }
  g_string_append (out, op->n_attrs > 0 ? "} : (" : " : (");
  for (guint i = 0; i < op->n_operands; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", op->operands[i]->type);
  g_string_append (out, op->n_results == 1 ? ") -> " : ") -> (");
  for (guint i = 0; i < op->n_results; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", op->results[i]->type);
  if (op->n_results != 1)
    g_string_append_c (out, ')');
  if ((printer->flags & TL_PRINT_NO_LOC) == 0)
    {
      g_string_append (out, " loc(");
      print_location (out, op->location);
      g_string_append_c (out, ')');
    }
  g_string_append_c (out, '\n');
}

char *
tl_module_print (const TlModule *module, TlPrintFlags flags)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  Printer printer = { g_string_new (NULL), numbers, 0, 0, flags };

  print_op (&printer, module->op, 0);
  return g_string_free (printer.out, FALSE);
}
