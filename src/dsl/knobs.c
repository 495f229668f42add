/* The table of config keys, and whether a value suits its key. language.md,
 * Config and place; models.md sections 3 to 6. */
#include "dsl/knobs.h"
#include "base/number.h"
#include "dsl/report-private.h"

#include <string.h>

#define ADAPTIVE_MOST (1 << 20)

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static const TlKnob knobs[] = {
  { "target", TL_KNOB_TARGET, NULL, 0, 0, "NAME or \"FILE.xml\"", "the machine it runs on" },
  { "tile", TL_KNOB_TILE, NULL, 1, G_MAXINT32, "256 or (64, 128, 64)", "side of a tile, or its sides m, n and k" },
  { "mode", TL_KNOB_WORDS, WORDS ("broadcast", "pipeline", "none"), 0, 0, NULL, "how PUs talk" },
  { "traversal", TL_KNOB_WORDS, WORDS ("blocked", "wavefront", "product"), 0, 0, NULL, "order of tiles" },
  { "barriers", TL_KNOB_WORDS, WORDS ("dataflow", "superstep", "strict"), 0, 0, NULL, "where PUs wait for each other" },
  { "owner", TL_KNOB_OWNER, WORDS ("modulo", "skewed", "auto"), 0, 0,
    "modulo, skewed, auto, an expression in i, j, M and P, or move(RULE, (i, j, pu), ...)",
    "which PU computes a tile" },
  { "edges", TL_KNOB_WORDS, WORDS ("trimmed", "padded"), 0, 0, NULL, "size of the tiles at the edge" },
  { "copies", TL_KNOB_WORDS, WORDS ("t0", "home"), 0, 0, NULL, "tier of the operands' copies" },
  { "copy_writes", TL_KNOB_WORDS, WORDS ("free", "charged"), 0, 0, NULL,
    "whether copies, or edges of tiles, take time to write" },
  { "ring", TL_KNOB_WORDS, WORDS ("on", "free"), 0, 0, NULL, "whether broadcasts take time" },
  { "buffers", TL_KNOB_INTEGER, NULL, 1, 2, "1 or 2", "sets of tiles a PU holds" },
  { "split", TL_KNOB_SPLIT, NULL, 1, G_MAXINT32, "8 : 24", "Search PUs to Compute PUs" },
  { "precision", TL_KNOB_INTEGER, NULL, 1, 64, "1 to 64", "width of the datapath in bits" },
  { "page", TL_KNOB_WORDS, WORDS ("closed", "open"), 0, 0, NULL, "whether a row stays open after its use" },
  { "queue", TL_KNOB_INTEGER, NULL, 1, G_MAXINT32, "1 or more", "depth of the queue" },
  { "band", TL_KNOB_BAND, NULL, 0, G_MAXINT32, "15%, 300, adaptive(64) or adaptive(64, 15%)",
    "how far from the diagonal cells are computed" },
  { "score", TL_KNOB_SCORE, NULL, 0, 0, "match 2 mismatch -4, or matrix \"FILE\"", "scores of two letters" },
  { "gap", TL_KNOB_GAP, NULL, 0, G_MAXINT32, "2, or open 5 extend 1", "cost of a gap" },
  { "stages", TL_KNOB_INTEGER, NULL, 1, 64, "1 to 64", "tiles in flight on a compute unit" },
  { "quantum", TL_KNOB_BYTES, NULL, 2, 65536, "a power of two from 2 to 65,536", "bytes of one access" },
  { "resident", TL_KNOB_INTEGER, NULL, 1, G_MAXINT32, "1 or more", "blocks of work at once on a compute unit" },
  { "skew", TL_KNOB_INTEGER, NULL, 0, G_MAXINT32, "0 or more", "turns by which each resident block starts later" },
  { "weights", TL_KNOB_WORDS, WORDS ("kxn", "nxk"), 0, 0, NULL, "order of the weight matrix" },
  { "slab", TL_KNOB_INTEGER, NULL, 1, G_MAXINT32, "1 or more", "tiles placed together" },
  { "values", TL_KNOB_WORDS, WORDS ("auto", "on", "off"), 0, 0, NULL, "whether results are computed" },
  { "baseline", TL_KNOB_WORDS, WORDS ("B3", "B0", "B1", "B2"), 0, 0, NULL, "the flow to compare with" },
  { "seed", TL_KNOB_INTEGER, NULL, 0, G_MAXINT64, "0 or more", "start of random data" },
};

const TlKnob *
tl_knobs (guint *n_knobs)
{
  *n_knobs = G_N_ELEMENTS (knobs);
  return knobs;
}

const TlKnob *
tl_knob_find (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    if (strcmp (knobs[i].key, key) == 0)
      return &knobs[i];
  return NULL;
}

/* What the value may be, for people. (transfer full) */
static char *
legal_values (const TlKnob *knob)
{
  return knob->grammar != NULL ? g_strdup (knob->grammar) : tl_word_list (knob->words);
}

static gboolean
refuse (const TlKnob *knob, TlSpan span, char **reason, TlSpan *place)
{
  g_autofree char *legal = legal_values (knob);

  if (reason != NULL)
    *reason = g_strdup_printf ("%s is %s", knob->key, legal);
  if (place != NULL)
    *place = span;
  return FALSE;
}

static gboolean
integer_within (const TlExpr *value, gint64 least, gint64 most)
{
  gint64 number = 0;
  return tl_expr_integer (value, &number) && number >= least && number <= most;
}

static gboolean
is_word_of (const TlKnob *knob, const TlExpr *value)
{
  return value->kind == TL_EXPR_NAME && g_strv_contains (knob->words, value->text);
}

static gboolean
admits_tile (const TlKnob *knob, const TlExpr *value, char **reason, TlSpan *place)
{
  if (value->kind != TL_EXPR_TUPLE)
    return integer_within (value, knob->least, knob->most) || refuse (knob, value->span, reason, place);
  if (value->n_args > 3)
    return refuse (knob, value->span, reason, place);
  for (guint i = 0; i < value->n_args; i++)
    if (!integer_within (value->args[i], knob->least, knob->most))
      return refuse (knob, value->args[i]->span, reason, place);
  return TRUE;
}

/* Whole-number arithmetic in i, j, M and P; @bad is the part that is not. */
static gboolean
is_owner_expression (const TlExpr *expr, const TlExpr **bad)
{
  static const char *const operators[] = { "+", "-", "*", "/", "//", "mod", "|", "^", "&", NULL };
  static const char *const variables[] = { "i", "j", "M", "P", NULL };

  *bad = expr;
  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      return TRUE;
    case TL_EXPR_NAME:
      return g_strv_contains (variables, expr->text);
    case TL_EXPR_UNARY:
      return strcmp (expr->text, "-") == 0 && is_owner_expression (expr->args[0], bad);
    case TL_EXPR_BINARY:
      return g_strv_contains (operators, expr->text) && is_owner_expression (expr->args[0], bad)
             && is_owner_expression (expr->args[1], bad);
    default:
      return FALSE;
    }
}

/* A rule, or move(RULE, (i, j, pu), ...): the rule with some tiles moved by hand. */
static gboolean
admits_owner (const TlKnob *knob, const TlExpr *value, char **reason, TlSpan *place)
{
  const TlExpr *bad = value;
  const TlExpr *rule = value;

  if (value->kind == TL_EXPR_CALL && strcmp (value->text, "move") == 0 && value->n_args > 0)
    {
      rule = value->args[0];
      for (guint m = 1; m < value->n_args; m++)
        {
          const TlExpr *moved = value->args[m];
          gboolean      fine = moved->kind == TL_EXPR_TUPLE && moved->n_args == 3;

          for (guint n = 0; fine && n < 3; n++)
            fine = integer_within (moved->args[n], 0, G_MAXINT32);
          if (!fine)
            return refuse (knob, moved->span, reason, place);
        }
    }
  return is_word_of (knob, rule) || is_owner_expression (rule, &bad) || refuse (knob, bad->span, reason, place);
}

/* A share of the rows or a number of cells. */
static gboolean
is_width (const TlExpr *value, gint64 least, gint64 most)
{
  if (value->kind == TL_EXPR_PERCENT)
    return value->real <= 1 && (value->real > 0 || least == 0);
  return integer_within (value, least, most);
}

static gboolean
admits_band (const TlKnob *knob, const TlExpr *value, char **reason, TlSpan *place)
{
  if (value->kind != TL_EXPR_CALL || strcmp (value->text, "adaptive") != 0)
    return is_width (value, knob->least, knob->most) || refuse (knob, value->span, reason, place);
  if (value->n_args < 1 || value->n_args > 2)
    return refuse (knob, value->span, reason, place);
  if (is_width (value->args[0], 1, ADAPTIVE_MOST))
    return value->n_args == 1 || is_width (value->args[1], knob->least, knob->most)
           || refuse (knob, value->args[1]->span, reason, place);
  if (reason != NULL)
    *reason = g_strdup ("adaptive(WIDTH) moves 1 to 1,048,576 cells of an anti-diagonal, or a share of the rows up to "
                        "100%, with the scores; adaptive(WIDTH, ENVELOPE) keeps them within ENVELOPE of the diagonal");
  if (place != NULL)
    *place = value->args[0]->span;
  return FALSE;
}

/* Both words, each once, each with a number within bounds. */
static gboolean
has_words (const TlExpr *value, const char *first, const char *second, gint64 least, gint64 most)
{
  return value->kind == TL_EXPR_WORDS && value->n_args == 2 && tl_expr_named (value, first) != NULL
         && tl_expr_named (value, second) != NULL && integer_within (tl_expr_named (value, first), least, most)
         && integer_within (tl_expr_named (value, second), least, most);
}

static gboolean
admits_bytes (const TlKnob *knob, const TlExpr *value, char **reason, TlSpan *place)
{
  guint64 bytes = 0;
  gint64  number = 0;

  if (value->kind == TL_EXPR_QUANTITY && tl_parse_bytes (value->text, &bytes, NULL))
    number = (gint64) MIN (bytes, (guint64) G_MAXINT64);
  else if (!tl_expr_integer (value, &number))
    return refuse (knob, value->span, reason, place);
  return (number >= knob->least && number <= knob->most && (number & (number - 1)) == 0)
         || refuse (knob, value->span, reason, place);
}

gboolean
tl_knob_admits (const TlKnob *knob, const TlExpr *value, char **reason, TlSpan *place)
{
  g_return_val_if_fail (knob != NULL && value != NULL, FALSE);
  switch (knob->kind)
    {
    case TL_KNOB_WORDS:
      return is_word_of (knob, value) || refuse (knob, value->span, reason, place);
    case TL_KNOB_INTEGER:
      return integer_within (value, knob->least, knob->most) || refuse (knob, value->span, reason, place);
    case TL_KNOB_TARGET:
      return ((value->kind == TL_EXPR_NAME || value->kind == TL_EXPR_STRING) && value->text[0] != '\0')
             || refuse (knob, value->span, reason, place);
    case TL_KNOB_TILE:
      return admits_tile (knob, value, reason, place);
    case TL_KNOB_OWNER:
      return admits_owner (knob, value, reason, place);
    case TL_KNOB_SPLIT:
      return (value->kind == TL_EXPR_RATIO && integer_within (value->args[0], knob->least, knob->most)
              && integer_within (value->args[1], knob->least, knob->most))
             || refuse (knob, value->span, reason, place);
    case TL_KNOB_BAND:
      return admits_band (knob, value, reason, place);
    case TL_KNOB_SCORE:
      return has_words (value, "match", "mismatch", G_MININT32, G_MAXINT32)
             || (value->kind == TL_EXPR_WORDS && value->n_args == 1 && tl_expr_named (value, "matrix") != NULL
                 && tl_expr_named (value, "matrix")->kind == TL_EXPR_STRING)
             || refuse (knob, value->span, reason, place);
    case TL_KNOB_GAP:
      return integer_within (value, knob->least, knob->most)
             || has_words (value, "open", "extend", knob->least, knob->most)
             || refuse (knob, value->span, reason, place);
    case TL_KNOB_BYTES:
      return admits_bytes (knob, value, reason, place);
    }
  g_assert_not_reached ();
}

TlAst *
tl_knob_default (const TlTarget *target, const char *key, char **reason)
{
  const char      *text = tl_target_knob (target, key);
  const TlKnob    *knob = tl_knob_find (key);
  g_autofree char *line = NULL;
  g_autofree char *why = NULL;
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (text == NULL)
    return NULL;
  line = g_strdup_printf ("config %s = %s\n", key, text);
  g_autoptr (TlSource) source = tl_source_new (tl_target_file (target), line, -1);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  const TlConfigItem *item = tl_ast_config (ast, key);
  if (item != NULL && item->value != NULL && tl_diags_errors (diags) == 0 && knob != NULL
      && tl_knob_admits (knob, item->value, &why, NULL))
    return g_steal_pointer (&ast);
  if (reason != NULL)
    *reason = why != NULL ? g_steal_pointer (&why) : g_strdup ("it is no value");
  return NULL;
}
