/* Syntax of layout expressions:
 *   expr    = factor { "." call | "*" factor }
 *   factor  = call | "(" expr ")"
 *   call    = name "(" [ arg { ("," | ";") arg } ] ")"
 *   arg     = [ name "=" ] ( integer | "[" integers "]" | "True" | "False" | expr ) */
#include "layout/expr-private.h"

#include "base/word.h"

#include <string.h>

enum
{
  MAX_TEXT = 1 << 16,
  MAX_DEPTH = 64,
};

typedef struct
{
  const char  *text;
  gsize        length;
  gsize        at;
  guint        depth;
  TlExprError *error;
} Reader;

void
tl_expr_free (TlExpr *expr)
{
  if (expr == NULL)
    return;
  g_clear_pointer (&expr->list, g_array_unref);
  g_clear_pointer (&expr->children, g_ptr_array_unref);
  g_free (expr->name);
  g_free (expr->keyword);
  g_free (expr);
}

static TlExpr *
expr_new (TlExprKind kind, gsize at)
{
  TlExpr *expr = g_new0 (TlExpr, 1);

  expr->kind = kind;
  expr->at = at;
  if (kind == TL_EXPR_LIST)
    expr->list = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (kind == TL_EXPR_CALL || kind == TL_EXPR_COMPOSE)
    expr->children = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_expr_free);
  return expr;
}

static void G_GNUC_PRINTF (3, 0) refuse_at (TlExprError *error, gsize at, const char *format, va_list args)
{
  error->at = at;
  if (error->reason == NULL)
    return;
  g_free (*error->reason);
  *error->reason = g_strdup_vprintf (format, args);
}

gboolean
tl_expr_refuse (TlExprError *error, const TlExpr *expr, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  refuse_at (error, expr->at, format, args);
  va_end (args);
  return FALSE;
}

static void *G_GNUC_PRINTF (2, 3) fail (Reader *reader, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  refuse_at (reader->error, reader->at, format, args);
  va_end (args);
  return NULL;
}

/* The next byte that is not white space, 0 at the end. */
static char
peek (Reader *reader)
{
  while (reader->at < reader->length && g_ascii_isspace (reader->text[reader->at]))
    reader->at++;
  return reader->at < reader->length ? reader->text[reader->at] : '\0';
}

static gboolean
accept (Reader *reader, char c)
{
  if (peek (reader) != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

static gboolean
expect (Reader *reader, char c)
{
  if (accept (reader, c))
    return TRUE;
  if (reader->at >= reader->length)
    fail (reader, "a \"%c\" is missing at the end", c);
  else
    fail (reader, "a \"%c\" is expected here", c);
  return FALSE;
}

static char *
read_name (Reader *reader)
{
  peek (reader);
  gsize start = reader->at;

  while (reader->at < reader->length && (g_ascii_isalnum (reader->text[reader->at]) || reader->text[reader->at] == '_'))
    reader->at++;
  if (start == reader->at || g_ascii_isdigit (reader->text[start]))
    {
      reader->at = start;
      return NULL;
    }
  return g_strndup (reader->text + start, reader->at - start);
}

static gboolean
read_int (Reader *reader, gint64 *value)
{
  gboolean negative = accept (reader, '-');
  gint64   v = 0;
  guint    digits = 0;

  for (peek (reader); reader->at < reader->length && g_ascii_isdigit (reader->text[reader->at]); reader->at++)
    if (++digits > 12)
      {
        fail (reader, "this number is too large");
        return FALSE;
      }
    else
      v = v * 10 + (reader->text[reader->at] - '0');
  if (digits == 0)
    {
      fail (reader, "an integer is expected here");
      return FALSE;
    }
  *value = negative ? -v : v;
  return TRUE;
}

static TlExpr *read_expr (Reader *reader);

static TlExpr *
read_list (Reader *reader)
{
  g_autoptr (TlExpr) list = expr_new (TL_EXPR_LIST, reader->at);

  reader->at++;
  if (accept (reader, ']'))
    return g_steal_pointer (&list);
  do
    {
      gint64 value;

      if (!read_int (reader, &value))
        return NULL;
      g_array_append_val (list->list, value);
    }
  while (accept (reader, ',') && peek (reader) != ']');
  return expect (reader, ']') ? g_steal_pointer (&list) : NULL;
}

/* A value without its keyword. */
static TlExpr *
read_value (Reader *reader)
{
  char next = peek (reader);

  if (next == '[')
    return read_list (reader);
  if (next == '-' || g_ascii_isdigit (next))
    {
      g_autoptr (TlExpr) expr = expr_new (TL_EXPR_INT, reader->at);
      return read_int (reader, &expr->value) ? g_steal_pointer (&expr) : NULL;
    }
  gsize            start = reader->at;
  g_autofree char *name = read_name (reader);
  gboolean         yes = g_strcmp0 (name, "True") == 0;
  if (yes || g_strcmp0 (name, "False") == 0)
    {
      TlExpr *expr = expr_new (TL_EXPR_BOOL, start);
      expr->value = yes;
      return expr;
    }
  reader->at = start;
  return read_expr (reader);
}

static TlExpr *
read_argument (Reader *reader)
{
  peek (reader);
  gsize            start = reader->at;
  g_autofree char *name = read_name (reader);
  TlExpr          *value;

  if (name != NULL && peek (reader) == '=')
    {
      reader->at++;
      value = read_value (reader);
      if (value != NULL)
        value->keyword = g_steal_pointer (&name);
      return value;
    }
  reader->at = start;
  return read_value (reader);
}

static TlExpr *
read_call (Reader *reader)
{
  peek (reader);
  g_autoptr (TlExpr) call = expr_new (TL_EXPR_CALL, reader->at);

  call->name = read_name (reader);
  if (call->name == NULL)
    return reader->at >= reader->length ? fail (reader, "a layout such as local(2,1) is missing at the end")
                                        : fail (reader, "a layout such as local(2,1) is expected here");
  if (!expect (reader, '('))
    return NULL;
  if (accept (reader, ')'))
    return g_steal_pointer (&call);
  do
    {
      TlExpr *argument = read_argument (reader);

      if (argument == NULL)
        return NULL;
      g_ptr_array_add (call->children, argument);
    }
  while (accept (reader, ',') || accept (reader, ';'));
  return expect (reader, ')') ? g_steal_pointer (&call) : NULL;
}

static TlExpr *
read_factor (Reader *reader)
{
  if (!accept (reader, '('))
    return read_call (reader);
  g_autoptr (TlExpr) inner = read_expr (reader);
  return inner != NULL && expect (reader, ')') ? g_steal_pointer (&inner) : NULL;
}

static TlExpr *
read_product (Reader *reader)
{
  g_autoptr (TlExpr) first = read_factor (reader);

  if (first == NULL || (peek (reader) != '.' && peek (reader) != '*'))
    return g_steal_pointer (&first);
  g_autoptr (TlExpr) product = expr_new (TL_EXPR_COMPOSE, first->at);
  g_ptr_array_add (product->children, g_steal_pointer (&first));
  for (;;)
    {
      TlExpr *next;

      if (accept (reader, '.'))
        next = read_call (reader);
      else if (accept (reader, '*'))
        next = read_factor (reader);
      else
        return g_steal_pointer (&product);
      if (next == NULL)
        return NULL;
      g_ptr_array_add (product->children, next);
    }
}

static TlExpr *
read_expr (Reader *reader)
{
  if (reader->depth >= MAX_DEPTH)
    return fail (reader, "nested more than %d deep", MAX_DEPTH);
  reader->depth++;
  TlExpr *expr = read_product (reader);
  reader->depth--;
  return expr;
}

TlExpr *
tl_expr_parse (const char *text, gssize length, TlExprError *error)
{
  Reader reader = { text, length < 0 ? strlen (text) : (gsize) length, 0, 0, error };

  if (reader.length > MAX_TEXT)
    return fail (&reader, "an expression has at most %d bytes", MAX_TEXT);
  g_autoptr (TlExpr) expr = read_expr (&reader);
  if (expr == NULL)
    return NULL;
  peek (&reader);
  if (reader.at < reader.length)
    return fail (&reader, "the expression ends here, but text follows; chain with \".\" or \"*\"");
  return g_steal_pointer (&expr);
}

/* --- Arguments --- */

const TlExpr *
tl_expr_keyword (const TlExpr *call, const char *name)
{
  for (guint i = 0; i < call->children->len; i++)
    {
      const TlExpr *child = g_ptr_array_index (call->children, i);
      if (g_strcmp0 (child->keyword, name) == 0)
        return child;
    }
  return NULL;
}

gboolean
tl_expr_judge (gboolean fine, const TlExpr *expr, char **reason, TlExprError *error)
{
  g_autofree char *owned = *reason;

  return fine || tl_expr_refuse (error, expr, "%s: %s", expr->kind == TL_EXPR_CALL ? expr->name : "product", owned);
}

gboolean
tl_expr_unknown (TlExprError *error, const TlExpr *call, const char *what, const char *const *names, guint n)
{
  const char *nearest = tl_word_nearest (call->name, names, n);

  return nearest != NULL
             ? tl_expr_refuse (error, call, "there is no %s \"%s\"; did you mean \"%s\"?", what, call->name, nearest)
             : tl_expr_refuse (error, call, "there is no %s \"%s\"", what, call->name);
}

gboolean
tl_expr_bind (const TlExpr *call, const char *parameters, const TlExpr **arguments, TlExprError *error)
{
  g_auto (GStrv) names = g_strsplit (parameters, " ", -1);
  guint n = g_strv_length (names), next = 0;

  memset (arguments, 0, n * sizeof *arguments);
  for (guint i = 0; i < call->children->len; i++)
    {
      const TlExpr *child = g_ptr_array_index (call->children, i);
      guint         place = next;

      if (child->keyword == NULL)
        next++;
      else
        for (place = 0; place < n; place++)
          {
            gsize length = strcspn (names[place], "=");
            if (strlen (child->keyword) == length && strncmp (names[place], child->keyword, length) == 0)
              break;
          }
      if (place >= n)
        return child->keyword != NULL ? tl_expr_refuse (error, child, "%s takes no \"%s\"", call->name, child->keyword)
                                      : tl_expr_refuse (error, child, "%s takes at most %u arguments", call->name, n);
      if (arguments[place] != NULL)
        return tl_expr_refuse (error, child, "%s is given twice to %s", names[place], call->name);
      arguments[place] = child;
    }
  for (guint i = 0; i < n; i++)
    if (arguments[i] == NULL && !g_str_has_suffix (names[i], "="))
      return tl_expr_refuse (error, call, "%s needs its argument \"%s\"", call->name, names[i]);
  return TRUE;
}

gboolean
tl_expr_int (const TlExpr *expr, gint64 *value, TlExprError *error)
{
  if (expr->kind != TL_EXPR_INT && expr->kind != TL_EXPR_BOOL)
    return tl_expr_refuse (error, expr, "an integer is expected here");
  *value = expr->value;
  return TRUE;
}

gboolean
tl_expr_ints (const TlExpr *expr, const gint64 **ints, guint *n, TlExprError *error)
{
  if (expr->kind == TL_EXPR_INT)
    {
      *ints = &expr->value;
      *n = 1;
      return TRUE;
    }
  if (expr->kind != TL_EXPR_LIST)
    return tl_expr_refuse (error, expr, "a list of integers such as [2,1] is expected here");
  *ints = (const gint64 *) (gconstpointer) expr->list->data;
  *n = expr->list->len;
  return TRUE;
}

gboolean
tl_expr_sizes (const TlExpr *call, gint64 *ints, guint room, guint *n, TlExprError *error)
{
  *n = 0;
  for (guint i = 0; i < call->children->len; i++)
    {
      const TlExpr *child = g_ptr_array_index (call->children, i);
      const gint64 *more;
      guint         n_more;

      if (child->keyword != NULL)
        continue;
      if (child->kind == TL_EXPR_LIST && i > 0)
        return tl_expr_refuse (error, child, "sizes are one list or integers, not both");
      if (!tl_expr_ints (child, &more, &n_more, error))
        return FALSE;
      if (*n + n_more > room)
        return tl_expr_refuse (error, child, "a layout has at most %u dimensions", room);
      if (n_more > 0)
        memcpy (ints + *n, more, n_more * sizeof *ints);
      *n += n_more;
    }
  return TRUE;
}
