/* Config items: known keys, legal values, nothing said twice. */
#include "dsl/check-private.h"
#include "dsl/knobs.h"

#include <string.h>

static void
unknown_key (TlChecker *checker, const TlConfigItem *item)
{
  /* Words other tools and papers use for ours. */
  static const char *const elsewhere[][2]
      = { { "B", "tile" },          { "block", "tile" },      { "tile_size", "tile" },
          { "machine", "target" },  { "order", "traversal" }, { "barrier", "barriers" },
          { "ownership", "owner" }, { "bandwidth", "band" },  { "flow", "baseline" } };
  guint         n_knobs = 0;
  const TlKnob *knobs = tl_knobs (&n_knobs);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  const char *meant = NULL;

  if (tl_report_full (&checker->reporter))
    return;
  for (guint i = 0; i < n_knobs; i++)
    g_ptr_array_add (keys, (gpointer) knobs[i].key);
  for (guint i = 0; i < G_N_ELEMENTS (elsewhere) && meant == NULL; i++)
    if (strcmp (item->key, elsewhere[i][0]) == 0)
      meant = elsewhere[i][1];
  if (meant == NULL)
    meant = tl_word_nearest (item->key, (const char *const *) keys->pdata, keys->len);
  g_ptr_array_add (keys, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **) keys->pdata);
  TlDiag          *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-key", item->key_span,
                                     "there is no config key `%s`", item->key);
  if (meant != NULL)
    {
      tl_report_reason (diag, "did you mean %s?", meant);
      tl_report_fix (diag, item->key_span, meant, "write %s", meant);
    }
  else
    tl_report_reason (diag, "keys: %s, and target.KEY for a number of the machine", list);
}

/* A repair that is likely meant, for a value that @knob does not admit. */
static void
suggest_value (TlDiag *diag, const TlKnob *knob, const TlConfigItem *item)
{
  const TlExpr *value = item->value;
  gint64        number = 0;

  if (knob->words != NULL && value->kind == TL_EXPR_NAME)
    {
      const char *meant = tl_word_nearest (value->text, knob->words, g_strv_length ((char **) knob->words));
      if (meant != NULL)
        tl_report_fix (diag, item->value_span, meant, "write %s", meant);
    }
  else if (knob->kind == TL_KNOB_BAND && value->kind == TL_EXPR_REAL && value->real > 0 && value->real <= 1)
    {
      char             digits[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *percent
          = g_strdup_printf ("%s%%", g_ascii_formatd (digits, sizeof digits, "%.6g", value->real * 100));
      tl_report_fix (diag, item->value_span, percent, "write %s", percent);
    }
  else if (knob->kind == TL_KNOB_GAP && tl_expr_integer (value, &number) && number < 0 && number > -G_MAXINT32)
    {
      g_autofree char *cost = g_strdup_printf ("%" G_GINT64_FORMAT, -number);
      tl_report_fix (diag, item->value_span, cost, "gaps are costs: write %s", cost);
    }
}

static void
check_value (TlChecker *checker, const TlConfigItem *item)
{
  const TlKnob    *knob = tl_knob_find (item->key);
  g_autofree char *reason = NULL;
  TlSpan           place = item->value_span;

  if (g_str_has_prefix (item->key, "target."))
    {
      TlExprKind kind = item->value->kind;
      gint64     number = 0;
      if (kind != TL_EXPR_REAL && kind != TL_EXPR_QUANTITY && kind != TL_EXPR_NAME && kind != TL_EXPR_PERCENT
          && !tl_expr_integer (item->value, &number))
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "illegal-value", item->value_span,
                                     "this is no value for a number of the machine"),
                          "write a number, with its unit where it has one: target.tRRD = 5 ns");
      return;
    }
  if (knob == NULL)
    return unknown_key (checker, item);
  if (tl_knob_admits (knob, item->value, &reason, &place))
    return;
  const char      *text = tl_source_text (checker->ast->source);
  guint32          length = item->value_span.end - item->value_span.start;
  g_autofree char *shown = g_utf8_make_valid (text + item->value_span.start, MIN (length, 40));
  TlDiag          *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "illegal-value", place, "%s cannot be %s%s",
                                     item->key, shown, length > 40 ? "..." : "");
  tl_report_reason (diag, "%s", reason);
  suggest_value (diag, knob, item);
}

static gboolean
same_value (const TlChecker *checker, const TlConfigItem *a, const TlConfigItem *b)
{
  const char *text = tl_source_text (checker->ast->source);
  guint32     length = a->value_span.end - a->value_span.start;

  return length == b->value_span.end - b->value_span.start
         && memcmp (text + a->value_span.start, text + b->value_span.start, length) == 0;
}

void
tl_check_config (TlChecker *checker)
{
  const TlAst *ast = checker->ast;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ast->n_config; i++)
    {
      const TlConfigItem *item = ast->config[i];
      const TlConfigItem *before = g_hash_table_lookup (seen, item->key);
      check_value (checker, item);
      if (before != NULL)
        {
          gboolean   same = same_value (checker, before, item);
          TlPosition first = tl_source_position (ast->source, before->span.start);
          TlDiag *diag = tl_report (&checker->reporter, same ? TL_SEVERITY_WARNING : TL_SEVERITY_ERROR, "duplicate-key",
                                    item->key_span, "%s is said twice", item->key);
          tl_report_reason (diag, same ? "line %u says the same" : "line %u gives it another value", first.line);
        }
      g_hash_table_insert (seen, (gpointer) item->key, (gpointer) item);
    }
}
