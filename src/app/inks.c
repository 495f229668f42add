/* Tokens say most of it; for words the tree says what a name was declared as. */
#include "app/inks.h"

#include "dsl/lexer.h"

#include <string.h>

/* What names stand for, and where words have a meaning of their own. */
typedef struct
{
  const TlAst *ast;
  const char  *text;
  GHashTable  *data; /* names, owned by the tree */
  GHashTable  *loops;
  GHashTable  *knobs; /* start of a key's span */
  GHashTable  *types; /* start of a type's span */
} Names;

static void
collect_loops (Names *names, const TlLoopName *loops, guint n_loops)
{
  for (guint l = 0; l < n_loops; l++)
    if (loops[l].name != NULL)
      g_hash_table_add (names->loops, (gpointer) loops[l].name);
}

static void
collect_expr (Names *names, const TlExpr *expr)
{
  if (expr == NULL)
    return;
  collect_loops (names, expr->loops, expr->n_loops);
  for (guint a = 0; a < expr->n_args; a++)
    collect_expr (names, expr->args[a]);
}

static void
collect_stmts (Names *names, TlStmt **stmts, guint n_stmts)
{
  for (guint s = 0; s < n_stmts; s++)
    {
      collect_loops (names, stmts[s]->loops, stmts[s]->n_loops);
      collect_expr (names, stmts[s]->value);
      collect_stmts (names, stmts[s]->body, stmts[s]->n_body);
      collect_stmts (names, stmts[s]->otherwise, stmts[s]->n_otherwise);
    }
}

static void
names_init (Names *names, TlSource *source, const TlAst *ast)
{
  names->ast = ast;
  names->text = tl_source_text (source);
  names->data = g_hash_table_new (g_str_hash, g_str_equal);
  names->loops = g_hash_table_new (g_str_hash, g_str_equal);
  names->knobs = g_hash_table_new (NULL, NULL);
  names->types = g_hash_table_new (NULL, NULL);
  if (ast == NULL)
    return;
  for (guint a = 0; a < ast->n_algorithms; a++)
    collect_stmts (names, ast->algorithms[a]->body, ast->algorithms[a]->n_body);
  for (guint d = 0; d < ast->n_data; d++)
    {
      for (guint n = 0; n < ast->data[d]->n_names; n++)
        g_hash_table_add (names->data, (gpointer) ast->data[d]->names[n]);
      if (ast->data[d]->type.bits > 0)
        g_hash_table_add (names->types, GUINT_TO_POINTER (ast->data[d]->type_span.start));
    }
  for (guint c = 0; c < ast->n_config; c++)
    g_hash_table_add (names->knobs, GUINT_TO_POINTER (ast->config[c]->key_span.start));
}

static void
names_clear (Names *names)
{
  g_hash_table_unref (names->data);
  g_hash_table_unref (names->loops);
  g_hash_table_unref (names->knobs);
  g_hash_table_unref (names->types);
}

static gboolean
within (TlSpan span, guint32 offset)
{
  return span.start <= offset && offset < span.end;
}

static gboolean
in_owner_value (const TlAst *ast, guint32 offset)
{
  for (guint c = 0; ast != NULL && c < ast->n_config; c++)
    if (ast->config[c]->key != NULL && strcmp (ast->config[c]->key, "owner") == 0
        && within (ast->config[c]->value_span, offset))
      return TRUE;
  return FALSE;
}

static gboolean
in_algorithm (const TlAst *ast, guint32 offset)
{
  for (guint a = 0; ast != NULL && a < ast->n_algorithms; a++)
    if (within (ast->algorithms[a]->span, offset))
      return TRUE;
  return FALSE;
}

static gboolean
is_algorithm_name (const TlAst *ast, guint32 offset)
{
  for (guint a = 0; ast != NULL && a < ast->n_algorithms; a++)
    if (ast->algorithms[a]->name_span.start == offset && ast->algorithms[a]->name_span.end > offset)
      return TRUE;
  return FALSE;
}

/* A word that begins a line may begin a section. */
static gboolean
is_section (const char *word)
{
  static const char *const sections[] = { "algorithm", "semiring", "op", "data", "config", "place", NULL };

  return g_strv_contains (sections, word);
}

static gboolean
word_ink (const Names *names, const TlToken *token, const TlToken *next, gboolean first, TlInk *ink)
{
  static const char *const variables[] = { "i", "j", "M", "P", NULL };
  g_autofree char         *word = g_strndup (names->text + token->span.start, token->span.end - token->span.start);
  guint32                  start = token->span.start;

  if (first && is_section (word))
    *ink = TL_INK_KEYWORD;
  else if (is_algorithm_name (names->ast, start))
    *ink = TL_INK_ALGORITHM;
  else if (g_hash_table_contains (names->knobs, GUINT_TO_POINTER (start)) && start > 0)
    *ink = TL_INK_KNOB;
  else if (g_hash_table_contains (names->types, GUINT_TO_POINTER (start)) && start > 0)
    *ink = TL_INK_TYPE;
  else if (in_owner_value (names->ast, start))
    {
      if (!g_strv_contains (variables, word))
        return FALSE;
      *ink = TL_INK_LOOP;
    }
  else if (g_hash_table_contains (names->data, word))
    *ink = TL_INK_DATA;
  else if (in_algorithm (names->ast, start) && g_hash_table_contains (names->loops, word))
    *ink = TL_INK_LOOP;
  else if (next != NULL && next->kind == TL_TOKEN_SYMBOL && next->symbol == '(')
    *ink = TL_INK_CALL;
  else
    return FALSE;
  return TRUE;
}

static gboolean
token_ink (const Names *names, const TlToken *token, const TlToken *next, gboolean first, TlInk *ink)
{
  switch (token->kind)
    {
    case TL_TOKEN_COMMENT:
      *ink = TL_INK_COMMENT;
      return TRUE;
    case TL_TOKEN_STRING:
      *ink = TL_INK_STRING;
      return TRUE;
    case TL_TOKEN_INTEGER:
    case TL_TOKEN_REAL:
    case TL_TOKEN_PERCENT:
    case TL_TOKEN_QUANTITY:
      *ink = TL_INK_NUMBER;
      return TRUE;
    case TL_TOKEN_BAD:
      *ink = TL_INK_BAD;
      return TRUE;
    case TL_TOKEN_RESERVED:
      *ink = token->symbol == TL_RESERVED_MIN || token->symbol == TL_RESERVED_MAX ? TL_INK_CALL
             : token->symbol == TL_RESERVED_INF                                   ? TL_INK_NUMBER
                                                                                  : TL_INK_KEYWORD;
      return TRUE;
    case TL_TOKEN_WORD:
      return word_ink (names, token, next, first, ink);
    default:
      return FALSE;
    }
}

GArray *
tl_inks (TlSource *source, const TlAst *ast)
{
  GArray *inked = g_array_new (FALSE, FALSE, sizeof (TlInked));
  g_autoptr (GArray) tokens = tl_lex (source, NULL);
  Names    names;
  gboolean first = TRUE;

  names_init (&names, source, ast);
  for (guint t = 0; t < tokens->len; t++)
    {
      const TlToken *token = &g_array_index (tokens, TlToken, t);
      const TlToken *next = t + 1 < tokens->len ? token + 1 : NULL;
      TlInked        one = { token->span };

      if (next != NULL && next->kind == TL_TOKEN_SPACE && t + 2 < tokens->len)
        next++;
      if (token->span.end > token->span.start && token_ink (&names, token, next, first, &one.ink))
        g_array_append_val (inked, one);
      if (token->kind == TL_TOKEN_NEWLINE)
        first = TRUE;
      else if (token->kind != TL_TOKEN_SPACE && token->kind != TL_TOKEN_BOM)
        first = FALSE;
    }
  names_clear (&names);
  return inked;
}

const char *
tl_ink_name (TlInk ink)
{
  static const char *const names[TL_N_INKS]
      = { "keyword", "algorithm", "data", "loop", "knob", "type", "call", "number", "string", "comment", "bad" };

  return names[ink];
}

/* The caret belongs to the span it stands right behind of, too. */
static gboolean
touches (TlSpan span, guint32 offset)
{
  return span.end > span.start && span.start <= offset && offset <= span.end;
}

const char *
tl_caret_id (const TlAst *ast, TlSpan output, TlSpan left, TlSpan right, guint32 offset)
{
  if (touches (left, offset))
    return "operand-left";
  if (touches (right, offset))
    return "operand-right";
  if (touches (output, offset))
    return "operand-C";
  for (guint c = 0; ast != NULL && c < ast->n_config; c++)
    if (touches (ast->config[c]->span, offset) && ast->config[c]->key != NULL)
      {
        const char *key = ast->config[c]->key;
        if (strcmp (key, "owner") == 0 || strcmp (key, "tile") == 0)
          return "tiles";
        if (strcmp (key, "target") == 0 || strcmp (key, "copies") == 0)
          return "tiers";
      }
  for (guint d = 0; ast != NULL && d < ast->n_data; d++)
    if (touches (ast->data[d]->span, offset))
      return "tiers";
  for (guint p = 0; ast != NULL && p < ast->n_places; p++)
    if (touches (ast->places[p]->span, offset))
      return "tiers";
  return NULL;
}
