/* The line up to the caret says what is asked for: a section, a key, a value, a
 * source, a name. */
#include "app/suggest.h"

#include "dsl/knobs.h"
#include "dsl/lexer.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  GPtrArray  *list;
  const char *prefix;
} Writer;

static void
suggestion_free (gpointer data)
{
  TlSuggestion *suggestion = data;

  g_free (suggestion->text);
  g_free (suggestion->note);
  g_free (suggestion);
}

static void
offer (Writer *writer, const char *text, const char *note)
{
  if (!g_str_has_prefix (text, writer->prefix))
    return;
  TlSuggestion *suggestion = g_new0 (TlSuggestion, 1);
  suggestion->text = g_strdup (text);
  suggestion->note = g_strdup (note);
  g_ptr_array_add (writer->list, suggestion);
}

static void
offer_data (Writer *writer, const TlAst *ast)
{
  for (guint d = 0; d < ast->n_data; d++)
    for (guint n = 0; n < ast->data[d]->n_names; n++)
      offer (writer, ast->data[d]->names[n], _ ("data"));
}

static void
offer_sections (Writer *writer)
{
  offer (writer, "algorithm", _ ("the recurrence"));
  offer (writer, "semiring", _ ("a semiring of one's own"));
  offer (writer, "op", _ ("an operator of one's own"));
  offer (writer, "data", _ ("what it runs on"));
  offer (writer, "config", _ ("knobs"));
  offer (writer, "place", _ ("which tiers data lie in"));
}

static void
offer_keys (Writer *writer, const TlAst *ast)
{
  guint         n;
  const TlKnob *knobs = tl_knobs (&n);

  for (guint k = 0; k < n; k++)
    if (tl_ast_config (ast, knobs[k].key) == NULL || g_str_equal (knobs[k].key, writer->prefix))
      offer (writer, knobs[k].key, knobs[k].summary);
}

static void
offer_values (Writer *writer, const TlAst *ast, const char *key, const char *const *targets)
{
  const TlKnob *knob = tl_knob_find (key);

  if (knob == NULL)
    return;
  if (knob->kind == TL_KNOB_TARGET)
    for (guint t = 0; targets != NULL && targets[t] != NULL; t++)
      offer (writer, targets[t], _ ("target"));
  for (guint w = 0; knob->words != NULL && knob->words[w] != NULL; w++)
    offer (writer, knob->words[w], w == 0 ? _ ("the first choice") : knob->summary);
  if (knob->kind == TL_KNOB_OWNER)
    {
      offer (writer, "(i * (M | 1) + j) mod P", _ ("the skewed rule, written out"));
      offer (writer, "i mod P", _ ("whole tile rows"));
      offer (writer, "j mod P", _ ("whole tile columns"));
    }
  if (knob->kind == TL_KNOB_TILE)
    for (guint side = 512; side >= 16; side /= 2)
      {
        g_autofree char *text = g_strdup_printf ("%u", side);
        offer (writer, text, knob->summary);
      }
  if (knob->kind == TL_KNOB_INTEGER && knob->most - knob->least < 8)
    for (gint64 value = knob->least; value <= knob->most; value++)
      {
        g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);
        offer (writer, text, knob->summary);
      }
}

static void
offer_sources (Writer *writer)
{
  offer (writer, "graph(\"ca-GrQc.txt\")", _ ("a graph: SNAP, DIMACS or MatrixMarket"));
  offer (writer, "matrix(\"weights.csv\")", _ ("a dense matrix"));
  offer (writer, "road(1024, 7)", _ ("a generated road network: nodes, seed"));
  offer (writer, "powerlaw(1024, 7)", _ ("a generated web: nodes, seed"));
  offer (writer, "random(7)", _ ("random small integers: seed"));
}

static void
offer_types (Writer *writer)
{
  static const char *const types[] = { "i32", "i16", "i8", "u8", "u16", "bool", "f32", "f64", "i64", NULL };

  for (guint t = 0; types[t] != NULL; t++)
    offer (writer, types[t], _ ("element type"));
}

static void
offer_places (Writer *writer)
{
  offer (writer, "auto", _ ("first fit by tile number, copies first"));
  offer (writer, "tier 0", _ ("all of it in one tier"));
  offer (writer, "fill 0..7", _ ("tier after tier, by room"));
  offer (writer, "stripe 0..7", _ ("tile by tile round the tiers"));
}

/* The last key with an "=" and no comma behind it, outside brackets. (transfer full) */
static char *
open_key (const char *line)
{
  const char *item = line;
  int         depth = 0;

  for (const char *at = line; *at != '\0'; at++)
    {
      if (*at == '(' || *at == '[')
        depth++;
      else if (*at == ')' || *at == ']')
        depth--;
      else if (*at == ',' && depth == 0)
        item = at + 1;
    }
  const char *equals = strchr (item, '=');
  return equals != NULL ? g_strstrip (g_strndup (item, equals - item)) : NULL;
}

/* An item of a config line may stand on a line of its own after a comma. */
static const char *
statement_start (const char *text, const char *line)
{
  while (line > text)
    {
      const char *end = line - 1;
      while (end > text && g_ascii_isspace (end[-1]) && end[-1] != '\n')
        end--;
      if (end == text || strchr (",=+-*/(", end[-1]) == NULL)
        break;
      line = end - 1;
      while (line > text && line[-1] != '\n')
        line--;
    }
  return line;
}

GPtrArray *
tl_suggest (const TlAst *ast, guint32 offset, const char *const *targets, guint32 *start)
{
  const char *text = tl_source_text (ast->source);
  guint32     at = MIN (offset, tl_source_length (ast->source)), word = at;
  Writer      writer = { g_ptr_array_new_with_free_func (suggestion_free) };

  while (word > 0 && (g_ascii_isalnum (text[word - 1]) || strchr ("_-.", text[word - 1]) != NULL)
         && text[word - 1] != '\0')
    word--;
  *start = word;
  g_autofree char *prefix = g_strndup (text + word, at - word);
  writer.prefix = prefix;
  const char *line = text + word;
  while (line > text && line[-1] != '\n')
    line--;
  if (memchr (line, '#', text + at - line) != NULL)
    return writer.list;
  gboolean bare = line + strspn (line, " \t") >= text + word;
  line = statement_start (text, line);
  g_autofree char *before = g_strstrip (g_strndup (line, text + word - line));

  if (g_str_has_prefix (before, "config") && (before[6] == '\0' || g_ascii_isspace (before[6])))
    {
      g_autofree char *key = open_key (before + 6);
      if (key != NULL)
        offer_values (&writer, ast, key, targets);
      else
        offer_keys (&writer, ast);
    }
  else if (g_str_has_prefix (before, "data") && (before[4] == '\0' || g_ascii_isspace (before[4])))
    {
      if (strchr (before, '=') != NULL)
        offer_sources (&writer);
      else if (strchr (before, ':') != NULL)
        offer_types (&writer);
    }
  else if (g_str_has_prefix (before, "place") && (before[5] == '\0' || g_ascii_isspace (before[5])))
    {
      if (strchr (before, '=') != NULL)
        offer_places (&writer);
      else
        offer_data (&writer, ast);
    }
  else if (bare && *before == '\0')
    {
      offer_sections (&writer);
      offer_data (&writer, ast);
      offer (&writer, "for", _ ("a loop"));
      offer (&writer, "result", _ ("which cell is the result"));
    }
  else
    {
      offer_data (&writer, ast);
      offer (&writer, "min", _ ("the smaller"));
      offer (&writer, "max", _ ("the larger"));
      offer (&writer, "for", _ ("loop names"));
      offer (&writer, "within", _ ("only cells of a band"));
      offer (&writer, "mod", _ ("remainder"));
    }
  return writer.list;
}
