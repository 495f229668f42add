/* CuTe layouts: text, size and values. */
#include "layout/cute-private.h"
#include "layout/layout-private.h"

TlCute *
tl_cute_leaf (guint64 size, guint64 stride)
{
  TlCute *leaf = g_new0 (TlCute, 1);

  leaf->size = size;
  leaf->stride = stride;
  return leaf;
}

TlCute *
tl_cute_tuple (void)
{
  TlCute *tuple = tl_cute_leaf (1, 0);

  tuple->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_cute_free);
  return tuple;
}

void
tl_cute_free (TlCute *layout)
{
  if (layout == NULL)
    return;
  g_clear_pointer (&layout->parts, g_ptr_array_unref);
  g_free (layout);
}

TlCute *
tl_cute_copy (const TlCute *layout)
{
  if (layout->parts == NULL)
    return tl_cute_leaf (layout->size, layout->stride);
  TlCute *copy = tl_cute_tuple ();
  for (guint i = 0; i < layout->parts->len; i++)
    g_ptr_array_add (copy->parts, tl_cute_copy (g_ptr_array_index (layout->parts, i)));
  return copy;
}

void
tl_cute_flatten (const TlCute *layout, GArray *modes)
{
  if (layout->parts == NULL)
    {
      TlCuteMode mode = { layout->size, layout->stride };
      g_array_append_val (modes, mode);
    }
  else
    for (guint i = 0; i < layout->parts->len; i++)
      tl_cute_flatten (g_ptr_array_index (layout->parts, i), modes);
}

guint64
tl_cute_size (const TlCute *layout)
{
  guint64 size = layout->size;

  for (guint i = 0; layout->parts != NULL && i < layout->parts->len; i++)
    size *= tl_cute_size (g_ptr_array_index (layout->parts, i));
  return size;
}

guint64
tl_cute_cosize (const TlCute *layout)
{
  return tl_cute_at (layout, tl_cute_size (layout) - 1) + 1;
}

static guint64
value_at (const TlCute *layout, guint64 *coordinate)
{
  guint64 value = 0;

  if (layout->parts == NULL)
    {
      value = *coordinate % layout->size * layout->stride;
      *coordinate /= layout->size;
    }
  else
    for (guint i = 0; i < layout->parts->len; i++)
      value += value_at (g_ptr_array_index (layout->parts, i), coordinate);
  return value;
}

guint64
tl_cute_at (const TlCute *layout, guint64 coordinate)
{
  return value_at (layout, &coordinate);
}

TlCute *
tl_cute_joined (const TlCuteMode *modes, guint n)
{
  g_autoptr (TlCute) tuple = tl_cute_tuple ();
  TlCute *last = NULL;

  for (guint i = 0; i < n; i++)
    if (modes[i].size == 1)
      continue;
    else if (last != NULL && last->size * last->stride == modes[i].stride)
      last->size *= modes[i].size;
    else
      {
        last = tl_cute_leaf (modes[i].size, modes[i].stride);
        g_ptr_array_add (tuple->parts, last);
      }
  if (tuple->parts->len == 0)
    return tl_cute_leaf (1, 0);
  return tuple->parts->len == 1 ? tl_cute_copy (last) : g_steal_pointer (&tuple);
}

/* --- Text --- */

typedef struct
{
  const char *at;
  guint       leaves;
} Reader;

static gboolean
skip (Reader *reader, char c)
{
  while (g_ascii_isspace (*reader->at) || *reader->at == ',')
    reader->at++;
  if (*reader->at != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

/* Shapes first (into size), then strides into the same tree. */
static TlCute *
read_shape (Reader *reader, guint depth)
{
  if (skip (reader, '('))
    {
      g_autoptr (TlCute) tuple = tl_cute_tuple ();

      while (!skip (reader, ')'))
        {
          TlCute *part = depth < TL_CUTE_MAX_DEPTH ? read_shape (reader, depth + 1) : NULL;
          if (part == NULL)
            return NULL;
          g_ptr_array_add (tuple->parts, part);
        }
      return g_steal_pointer (&tuple);
    }
  char   *end;
  guint64 size = g_ascii_isdigit (*reader->at) ? g_ascii_strtoull (reader->at, &end, 10) : 0;
  if (size < 1 || size > (guint64) 1 << 40 || ++reader->leaves > TL_CUTE_MAX_LEAVES)
    return NULL;
  reader->at = end;
  return tl_cute_leaf (size, 0);
}

static gboolean
read_strides (Reader *reader, TlCute *layout)
{
  if (layout->parts != NULL)
    {
      if (!skip (reader, '('))
        return FALSE;
      for (guint i = 0; i < layout->parts->len; i++)
        if (!read_strides (reader, g_ptr_array_index (layout->parts, i)))
          return FALSE;
      return skip (reader, ')');
    }
  while (g_ascii_isspace (*reader->at) || *reader->at == ',')
    reader->at++;
  if (!g_ascii_isdigit (*reader->at))
    return FALSE;
  char *end;
  layout->stride = g_ascii_strtoull (reader->at, &end, 10);
  reader->at = end;
  return layout->stride <= (guint64) 1 << 40;
}

/* First mode fastest. */
static void
compact (TlCute *layout, guint64 *stride)
{
  if (layout->parts == NULL)
    {
      layout->stride = *stride;
      *stride *= layout->size;
    }
  else
    for (guint i = 0; i < layout->parts->len; i++)
      compact (g_ptr_array_index (layout->parts, i), stride);
}

/* Sizes and values within 62 bits, so that the algebra need not check each step. */
static gboolean
in_range (const TlCute *layout, guint64 *size, guint64 *last)
{
  if (layout->parts == NULL)
    return !__builtin_mul_overflow (*size, layout->size, size) && *size <= (guint64) 1 << 40
           && layout->stride <= ((guint64) 1 << 40) / layout->size
           && (*last += (layout->size - 1) * layout->stride) <= (guint64) 1 << 40;
  for (guint i = 0; i < layout->parts->len; i++)
    if (!in_range (g_ptr_array_index (layout->parts, i), size, last))
      return FALSE;
  return TRUE;
}

TlCute *
tl_cute_parse (const char *text, char **reason)
{
  Reader  reader = { text, 0 };
  guint64 size = 1, last = 0, stride = 1;
  g_autoptr (TlCute) layout = read_shape (&reader, 0);

  if (layout == NULL)
    {
      tl_refuse (reason, "at \"%.20s\": a size or a tuple of sizes is expected, at most %d", reader.at,
                 TL_CUTE_MAX_LEAVES);
      return NULL;
    }
  if (!skip (&reader, ':'))
    compact (layout, &stride);
  else if (!read_strides (&reader, layout))
    {
      tl_refuse (reason, "at \"%.20s\": the strides must have the form of the shape", reader.at);
      return NULL;
    }
  while (g_ascii_isspace (*reader.at))
    reader.at++;
  if (*reader.at != '\0')
    {
      tl_refuse (reason, "\"%.20s\" follows the layout", reader.at);
      return NULL;
    }
  if (!in_range (layout, &size, &last))
    {
      tl_refuse (reason, "the layout is too large");
      return NULL;
    }
  return g_steal_pointer (&layout);
}

static void
append (const TlCute *layout, gboolean strides, GString *text)
{
  if (layout->parts == NULL)
    {
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, strides ? layout->stride : layout->size);
      return;
    }
  g_string_append_c (text, '(');
  for (guint i = 0; i < layout->parts->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      append (g_ptr_array_index (layout->parts, i), strides, text);
    }
  g_string_append_c (text, ')');
}

char *
tl_cute_to_text (const TlCute *layout)
{
  GString *text = g_string_new (NULL);

  append (layout, FALSE, text);
  g_string_append_c (text, ':');
  append (layout, TRUE, text);
  return g_string_free (text, FALSE);
}
