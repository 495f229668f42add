/* The few shapes that JSON output is made of. */
#include "base/hash.h"
#include "cli/cli.h"

void
tl_json_int (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) value);
}

void
tl_json_flag (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

void
tl_json_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

void
tl_json_text (JsonBuilder *builder, const char *name, const char *value)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  if (value == NULL)
    json_builder_add_null_value (builder);
  else if (g_utf8_validate (value, -1, NULL))
    json_builder_add_string_value (builder, value);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (value, -1);
      json_builder_add_string_value (builder, valid);
    }
}

void
tl_json_scalar (JsonBuilder *builder, const char *name, const char *text)
{
  gint64 integer;
  char  *end = NULL;
  double real;

  if (text == NULL || text[0] == '\0')
    {
      tl_json_text (builder, name, NULL);
      return;
    }
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    {
      json_builder_set_member_name (builder, name);
      json_builder_add_int_value (builder, integer);
      return;
    }
  real = g_ascii_strtod (text, &end);
  if (*end == '\0' && (g_ascii_isdigit (text[0]) || (text[0] == '-' && g_ascii_isdigit (text[1]))))
    {
      json_builder_set_member_name (builder, name);
      json_builder_add_double_value (builder, real);
    }
  else
    tl_json_text (builder, name, text);
}

void
tl_json_hash (JsonBuilder *builder, const char *name, guint64 hash)
{
  g_autofree char *text = tl_hash_text (hash);

  tl_json_text (builder, name, text);
}

void
tl_json_begin_object (JsonBuilder *builder, const char *name)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

void
tl_json_begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}
