/* Attributes and types of a module's text. */
#include "ir/parse-private.h"

#include <math.h>
#include <string.h>

char *
tl_ir_parse_string (TlIrParser *parser)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *start = (tl_ir_skip (parser), parser->at);

  if (!tl_ir_expect (parser, "\"", "before a string"))
    return NULL;
  while (parser->at < parser->end && *parser->at != '"')
    {
      char c = *parser->at++;

      if (c == '\n' || c == '\0')
        {
          tl_ir_fail (parser, start, "a string that does not end on its line");
          return NULL;
        }
      if (c == '\\')
        {
          gsize left = (gsize) (parser->end - parser->at);

          if (left >= 1 && strchr ("\\\"nt", parser->at[0]) != NULL && parser->at[0] != '\0')
            {
              c = *parser->at++;
              c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
            }
          else if (left >= 2 && g_ascii_isxdigit (parser->at[0]) && g_ascii_isxdigit (parser->at[1])
                   && (parser->at[0] != '0' || parser->at[1] != '0'))
            {
              c = (char) (g_ascii_xdigit_value (parser->at[0]) * 16 + g_ascii_xdigit_value (parser->at[1]));
              parser->at += 2;
            }
          else
            {
              tl_ir_fail (parser, parser->at - 1,
                          "unknown escape in a string: two hex digits but 00, or one of \\ \" n t");
              return NULL;
            }
        }
      g_string_append_c (text, c);
    }
  if (parser->at >= parser->end)
    {
      tl_ir_fail (parser, start, "a string that does not end");
      return NULL;
    }
  parser->at++;
  if (!g_utf8_validate (text->str, (gssize) text->len, NULL))
    {
      tl_ir_fail (parser, start, "a string that is not UTF-8");
      return NULL;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Steps over <...> with all brackets and strings inside; "->" is no bracket. */
gboolean
tl_ir_skip_balanced (TlIrParser *parser)
{
  static const char opening[] = "<([{";
  const char       *start = parser->at;
  char              closing[TL_IR_MAX_DEPTH];
  guint             depth = 0;

  for (; parser->at < parser->end; parser->at++)
    {
      char        c = *parser->at;
      const char *opens = c != '\0' ? strchr (opening, c) : NULL;

      if (opens != NULL)
        {
          if (depth == TL_IR_MAX_DEPTH)
            return tl_ir_fail (parser, parser->at, "brackets nested deeper than %d", TL_IR_MAX_DEPTH);
          closing[depth++] = ">)]}"[opens - opening];
        }
      else if (c == '>' && parser->at > start && parser->at[-1] == '-')
        continue;
      else if (c != '\0' && strchr (">)]}", c) != NULL)
        {
          if (depth == 0 || closing[depth - 1] != c)
            return tl_ir_fail (parser, parser->at, "'%c' closes nothing", c);
          if (--depth == 0)
            {
              parser->at++;
              return TRUE;
            }
        }
      else if (c == '"')
        {
          for (parser->at++; parser->at < parser->end && *parser->at != '"'; parser->at++)
            if (*parser->at == '\\')
              parser->at++;
          if (parser->at >= parser->end)
            break;
        }
      else if ((guchar) c < 0x20 && !g_ascii_isspace (c))
        return tl_ir_fail (parser, parser->at, "a control character");
    }
  parser->at = MIN (parser->at, parser->end);
  return tl_ir_fail (parser, start, "a bracket that is never closed");
}

gboolean
tl_ir_next_is (TlIrParser *parser, char c)
{
  return parser->at < parser->end && *parser->at == c;
}

TlType
tl_ir_parse_type (TlIrParser *parser)
{
  const char      *start = (tl_ir_skip (parser), parser->at);
  g_autofree char *text = NULL;

  if (tl_ir_next_is (parser, '('))
    {
      /* A function type: only attributes hold one. */
      if (!tl_ir_skip_balanced (parser) || !tl_ir_expect (parser, "->", "in a function type"))
        return NULL;
      tl_ir_skip (parser);
      if (tl_ir_next_is (parser, '(') ? !tl_ir_skip_balanced (parser) : tl_ir_parse_type (parser) == NULL)
        return NULL;
    }
  else
    {
      g_autofree char *word = NULL;
      gboolean         own = tl_ir_next_is (parser, '!');

      parser->at += own;
      word = parser->at < parser->end && g_ascii_isalpha (*parser->at) ? tl_ir_word (parser, own ? "_.$" : "_") : NULL;
      if (word == NULL || (own && strchr (word, '.') == NULL))
        {
          tl_ir_fail (parser, start, "expected a type");
          return NULL;
        }
      if (tl_ir_next_is (parser, '<') && !tl_ir_skip_balanced (parser))
        return NULL;
    }
  text = g_strndup (start, parser->at - start);
  return tl_type (parser->module, text);
}

static const TlAttr *
parse_items (TlIrParser *parser, guint depth)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  if (!tl_ir_take (parser, "]"))
    {
      do
        {
          const TlAttr *item = tl_ir_parse_attr (parser, depth + 1);

          if (item == NULL)
            return NULL;
          g_ptr_array_add (items, (gpointer) item);
        }
      while (tl_ir_take (parser, ","));
      if (!tl_ir_expect (parser, "]", "behind a list"))
        return NULL;
    }
  return tl_attr_array (parser->module, (const TlAttr *const *) items->pdata, items->len);
}

static const TlAttr *
parse_dict (TlIrParser *parser, guint depth)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TlNamedAttr));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (!tl_ir_take (parser, "}"))
    {
      do
        {
          const char      *start = (tl_ir_skip (parser), parser->at);
          g_autofree char *name
              = tl_ir_next_is (parser, '"') ? tl_ir_parse_string (parser) : tl_ir_word (parser, "_$.");
          TlNamedAttr item;

          if (name == NULL || *name == '\0')
            {
              tl_ir_fail (parser, start, "expected the name of an attribute");
              return NULL;
            }
          item.name = tl_module_intern (parser->module, name);
          if (!g_hash_table_add (seen, (gpointer) item.name))
            {
              tl_ir_fail (parser, start, "the attribute %s is given twice", name);
              return NULL;
            }
          item.value = tl_ir_take (parser, "=") ? tl_ir_parse_attr (parser, depth + 1) : tl_attr_unit (parser->module);
          if (item.value == NULL)
            return NULL;
          g_array_append_val (items, item);
        }
      while (tl_ir_take (parser, ","));
      if (!tl_ir_expect (parser, "}", "behind a dictionary"))
        return NULL;
    }
  return tl_attr_dict (parser->module, (const TlNamedAttr *) items->data, items->len);
}

static void
skip_digits (TlIrParser *parser, gboolean hex)
{
  while (parser->at < parser->end && (hex ? g_ascii_isxdigit (*parser->at) : g_ascii_isdigit (*parser->at)))
    parser->at++;
}

/* "-12", "0xff", "1.5e-3". */
static void
skip_number (TlIrParser *parser, gboolean *hex, gboolean *real)
{
  parser->at += *parser->at == '-';
  *hex = parser->end - parser->at > 2 && parser->at[0] == '0' && parser->at[1] == 'x';
  parser->at += *hex ? 2 : 0;
  skip_digits (parser, *hex);
  *real = !*hex && tl_ir_next_is (parser, '.');
  if (!*real)
    return;
  parser->at++;
  skip_digits (parser, FALSE);
  if (parser->end - parser->at > 1 && (*parser->at == 'e' || *parser->at == 'E'))
    {
      parser->at++;
      parser->at += parser->at < parser->end && strchr ("+-", *parser->at) != NULL && *parser->at != '\0';
      skip_digits (parser, FALSE);
    }
}

/* MLIR writes what has no short decimal as the bits of its type. */
static gboolean
read_bits (TlIrParser *parser, const char *start, const char *text, TlType type, double *value)
{
  guint64 bits = g_ascii_strtoull (text + 2, NULL, 16);
  guint32 narrow = (guint32) bits;
  float   single;

  if (strlen (text) > 18 || text[0] == '-' || (!g_str_equal (type, "f64") && !g_str_equal (type, "f32")))
    return tl_ir_fail (parser, start, "a float in hex is the bits of an f32 or f64");
  memcpy (value, &bits, sizeof *value);
  memcpy (&single, &narrow, sizeof single);
  if (g_str_equal (type, "f32"))
    *value = single;
  return TRUE;
}

static const TlAttr *
parse_real (TlIrParser *parser, const char *start, const char *text, gboolean hex, TlType type)
{
  double  value = hex ? 0 : g_ascii_strtod (text, NULL);
  TlAttr *attr;

  if (hex && !read_bits (parser, start, text, type, &value))
    return NULL;
  if (!isfinite (value))
    {
      tl_ir_fail (parser, start, "the number %s has no finite value", text);
      return NULL;
    }
  attr = (TlAttr *) tl_attr_float (parser->module, value);
  attr->type = type != NULL ? type : attr->type;
  return attr;
}

static const TlAttr *
parse_integer (TlIrParser *parser, const char *start, const char *text, gboolean hex, TlType type)
{
  gint64      value = 0;
  const char *digits = text + (text[0] == '-') + (hex ? 2 : 0);
  gboolean    fits = *digits != '\0';

  for (; *digits != '\0' && fits; digits++)
    fits = !__builtin_mul_overflow (value, hex ? 16 : 10, &value)
           && (text[0] == '-' ? !__builtin_sub_overflow (value, g_ascii_xdigit_value (*digits), &value)
                              : !__builtin_add_overflow (value, g_ascii_xdigit_value (*digits), &value));
  if (!fits)
    {
      tl_ir_fail (parser, start, "the integer %s does not fit 64 bits", text);
      return NULL;
    }
  if (type != NULL && g_str_equal (type, "i1"))
    return tl_attr_bool (parser->module, value != 0);
  if (type != NULL && strcspn (type, "<(!") != strlen (type))
    {
      tl_ir_fail (parser, start, "an integer of type %s", type);
      return NULL;
    }
  return type != NULL ? tl_attr_typed_integer (parser->module, value, type) : tl_attr_integer (parser->module, value);
}

static const TlAttr *
parse_number (TlIrParser *parser)
{
  const char      *start = parser->at;
  gboolean         real, hex, floats;
  g_autofree char *text = (skip_number (parser, &hex, &real), g_strndup (start, parser->at - start));
  TlType           type = NULL;

  if (tl_ir_take (parser, ":") && (type = tl_ir_parse_type (parser)) == NULL)
    return NULL;
  floats = type != NULL && type[0] == 'f';
  if (floats && !real && !hex)
    {
      tl_ir_fail (parser, start, "a number of type %s is written with a point", type);
      return NULL;
    }
  return real || floats ? parse_real (parser, start, text, hex, type) : parse_integer (parser, start, text, hex, type);
}

/* "#map0", "#gendram.owner<...>" or "#dp<\"inf\">". */
static const TlAttr *
parse_hash (TlIrParser *parser)
{
  const char      *start = parser->at++;
  g_autofree char *word = tl_ir_word (parser, "_.$");
  g_autofree char *text = NULL;

  if (word == NULL || !g_ascii_isalpha (word[0]))
    {
      tl_ir_fail (parser, start, "expected an attribute behind #");
      return NULL;
    }
  if (strchr (word, '.') == NULL && !tl_ir_next_is (parser, '<'))
    {
      const TlAttr *map = g_hash_table_lookup (parser->maps, word);

      if (map == NULL)
        tl_ir_fail (parser, start, "the alias #%s is not defined", word);
      return map;
    }
  if (strchr (word, '.') == NULL)
    {
      g_autofree char *body = NULL;

      parser->at++;
      body = tl_ir_parse_string (parser);
      if (body == NULL || !tl_ir_expect (parser, ">", "behind an attribute's text"))
        return NULL;
      text = g_strdup_printf ("%s.%s", word, body);
      if (body[strcspn (body, "\n\t\"\\")] != '\0' || !g_ascii_isalpha (body[0]))
        {
          tl_ir_fail (parser, start, "an attribute of the dialect %s that is not known here", word);
          return NULL;
        }
      return tl_attr_opaque (parser->module, text);
    }
  if (tl_ir_next_is (parser, '<') && !tl_ir_skip_balanced (parser))
    return NULL;
  text = g_strndup (start + 1, parser->at - start - 1);
  return tl_attr_opaque (parser->module, text);
}

const TlAttr *
tl_ir_parse_map (TlIrParser *parser)
{
  const char      *start = (tl_ir_skip (parser), parser->at);
  g_autofree char *text = NULL;
  g_autoptr (GString) tidy = g_string_new (NULL);

  if (!tl_ir_next_is (parser, '<'))
    {
      tl_ir_fail (parser, start, "expected '<' behind affine_map");
      return NULL;
    }
  if (!tl_ir_skip_balanced (parser))
    return NULL;
  text = g_strndup (start + 1, parser->at - start - 2);
  g_strstrip (text);
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isspace (*p))
      g_string_append_c (tidy, *p);
    else if (!g_ascii_isspace (p[1]))
      g_string_append_c (tidy, ' ');
  return tl_attr_map (parser->module, tidy->str);
}

static const TlAttr *
parse_attr_kind (TlIrParser *parser, guint depth)
{
  g_autofree char *text = NULL;
  char             c;

  if (parser->at >= parser->end)
    {
      tl_ir_fail (parser, parser->at, "the text ends where an attribute was expected");
      return NULL;
    }
  c = *parser->at;
  if (c == '"')
    return (text = tl_ir_parse_string (parser)) != NULL ? tl_attr_string (parser->module, text) : NULL;
  if (tl_ir_take (parser, "["))
    return parse_items (parser, depth);
  if (tl_ir_take (parser, "{"))
    return parse_dict (parser, depth);
  if (c == '-' || g_ascii_isdigit (c))
    return parse_number (parser);
  if (c == '#')
    return parse_hash (parser);
  if (tl_ir_take (parser, "@"))
    {
      text = tl_ir_next_is (parser, '"') ? tl_ir_parse_string (parser) : tl_ir_word (parser, "_$.-");
      if (text == NULL || *text == '\0')
        {
          tl_ir_fail (parser, parser->at, "expected the name of a symbol");
          return NULL;
        }
      return tl_attr_symbol (parser->module, text);
    }
  if (tl_ir_take (parser, "true"))
    return tl_attr_bool (parser->module, TRUE);
  if (tl_ir_take (parser, "false"))
    return tl_attr_bool (parser->module, FALSE);
  if (tl_ir_take (parser, "unit"))
    return tl_attr_unit (parser->module);
  if (tl_ir_take (parser, "affine_map"))
    return tl_ir_parse_map (parser);
  {
    TlType type = tl_ir_parse_type (parser);

    return type != NULL ? tl_attr_type (parser->module, type) : NULL;
  }
}

const TlAttr *
tl_ir_parse_attr (TlIrParser *parser, guint depth)
{
  const TlAttr *attr;

  tl_ir_skip (parser);
  if (depth >= TL_IR_MAX_DEPTH)
    {
      tl_ir_fail (parser, parser->at, "attributes nested deeper than %d", TL_IR_MAX_DEPTH);
      return NULL;
    }
  if (++parser->attr_nodes > TL_IR_MAX_ATTR_NODES)
    {
      tl_ir_fail (parser, parser->at, "more than %u attributes", TL_IR_MAX_ATTR_NODES);
      return NULL;
    }
  attr = parse_attr_kind (parser, depth);
  if (attr == NULL && !parser->failed)
    tl_ir_fail (parser, parser->at, "expected an attribute");
  return attr;
}
