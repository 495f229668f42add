/* Declarations: data and their sources, semirings, operators, places. */
#include "base/number.h"
#include "dsl/check-private.h"

#include <math.h>
#include <string.h>

/* What a source takes. */
typedef struct
{
  const char *name;
  const char *arguments; /* positional: s string, n number, d data name; "*" any more numbers */
  const char *named;     /* space-separated names it also takes */
  const char *form;      /* for people */
  guint       results;   /* names it fills; 0: any number */
  guint       rank;      /* 0: not known from the text */
  gboolean    square;
} SourceForm;

static const SourceForm sources[] = {
  { "graph", "s", "", "graph(\"FILE\")", 1, 2, TRUE },
  { "matrix", "s", "", "matrix(\"FILE.csv\")", 1, 0, FALSE },
  { "reads", "s", "", "reads(\"FILE\")", 1, 1, FALSE },
  { "sequence", "s", "", "sequence(\"FILE\")", 1, 1, FALSE },
  { "tensor", "ss", "", "tensor(\"FILE\", \"NAME\")", 1, 0, FALSE },
  { "random", "n*", "seed low high n density", "random(SEED)", 0, 0, FALSE },
  { "road", "nn", "n seed", "road(N, SEED)", 1, 2, TRUE },
  { "powerlaw", "nn", "n seed", "powerlaw(N, SEED)", 1, 2, TRUE },
  { "genome", "nn", "n seed", "genome(N, SEED)", 1, 1, FALSE },
  { "index", "d", "k", "index(SEQUENCE, k = 11)", 2, 0, FALSE },
  { "stream", "ddd", "", "stream(PTR, CAL, READS)", 1, 0, FALSE },
};

static const SourceForm *
find_source (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (strcmp (sources[i].name, name) == 0)
      return &sources[i];
  return NULL;
}

static void
wrong_arguments (TlChecker *checker, const SourceForm *form, TlSpan span, const char *what)
{
  tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "source-arguments", span,
                               "this argument of %s %s", form->name, what),
                    "it is written %s", form->form);
}

static gboolean
is_named_of (const SourceForm *form, const char *name)
{
  g_auto (GStrv) names = g_strsplit (form->named, " ", -1);
  return g_strv_contains ((const char *const *) names, name);
}

/* A data name as argument of index or stream. */
static void
check_data_argument (TlChecker *checker, const TlDataDecl *data, const TlExpr *arg)
{
  TlArrayName *array = tl_check_array (checker, arg->text);

  for (guint i = 0; i < data->n_names; i++)
    if (strcmp (data->names[i], arg->text) == 0)
      {
        tl_report (&checker->reporter, TL_SEVERITY_ERROR, "circular-data", arg->span, "%s is made from itself",
                   arg->text);
        return;
      }
  if (array != NULL)
    {
      array->used = TRUE;
      return;
    }
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  for (guint i = 0; i < checker->array_order->len; i++)
    g_ptr_array_add (known, (gpointer) ((TlArrayName *) g_ptr_array_index (checker->array_order, i))->name);
  tl_check_unknown (checker, "data", arg->text, arg->span, known);
}

static void
check_arguments (TlChecker *checker, const TlDataDecl *data, const SourceForm *form)
{
  const TlExpr *call = data->source;
  const char   *want = form->arguments;
  guint         given = 0;

  for (guint i = 0; i < call->n_args; i++)
    {
      const TlExpr *arg = call->args[i];
      gint64        number = 0;
      if (arg->kind == TL_EXPR_NAMED)
        {
          if (!is_named_of (form, arg->text))
            wrong_arguments (checker, form, arg->span, "takes no such argument");
          else if (!tl_expr_integer (arg->args[0], &number) && arg->args[0]->kind != TL_EXPR_REAL)
            wrong_arguments (checker, form, arg->args[0]->span, "is a number");
          else if (strcmp (arg->text, "k") == 0 && (number < 1 || number > 31))
            wrong_arguments (checker, form, arg->args[0]->span, "has k from 1 to 31");
          given++;
          continue;
        }
      if (*want == '\0')
        {
          wrong_arguments (checker, form, arg->span, "has no place");
          return;
        }
      if (*want == 's' && arg->kind != TL_EXPR_STRING)
        wrong_arguments (checker, form, arg->span, "is a string");
      else if (*want == 's' && arg->text[0] == '\0')
        wrong_arguments (checker, form, arg->span, "is empty");
      else if ((*want == 'n' || *want == '*') && !tl_expr_integer (arg, &number)
               && !(*want == '*' && (arg->kind == TL_EXPR_REAL || arg->kind == TL_EXPR_NAME)))
        wrong_arguments (checker, form, arg->span, "is a whole number");
      else if (*want == 'n' && number < 0)
        wrong_arguments (checker, form, arg->span, "is not negative");
      else if (*want == 'd' && arg->kind != TL_EXPR_NAME)
        wrong_arguments (checker, form, arg->span, "is the name of data");
      else if (*want == 'd')
        check_data_argument (checker, data, arg);
      given++;
      if (*want != '*')
        want++;
    }
  guint needed = strlen (form->arguments) - (strchr (form->arguments, '*') != NULL);
  needed += strcmp (form->name, "index") == 0;
  if (given < needed)
    {
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "source-arguments", call->span,
                                "%s lacks an argument", form->name);
      tl_report_reason (diag, "it is written %s", form->form);
    }
}

/* data D = "f.gr": the ending tells what was meant. */
static void
bare_file (TlChecker *checker, const TlExpr *source)
{
  static const char *const endings[][2]
      = { { ".gr", "graph" }, { ".mtx", "graph" },   { ".txt", "graph" },   { ".csv", "matrix" },
          { ".fq", "reads" }, { ".fastq", "reads" }, { ".fa", "sequence" }, { ".fasta", "sequence" } };
  TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-source", source->span,
                            "a file alone does not say what it holds");

  tl_report_reason (diag, "write graph(\"FILE\"), matrix(..), reads(..), sequence(..) or tensor(..)");
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (source->text, endings[i][0]))
      {
        g_autofree char *opening = g_strconcat (endings[i][1], "(", NULL);
        tl_report_fix_2 (diag, tl_span (source->span.start, source->span.start), opening,
                         tl_span (source->span.end, source->span.end), ")", "say what it is");
        return;
      }
}

static void
check_source (TlChecker *checker, const TlDataDecl *data)
{
  const TlExpr     *source = data->source;
  const SourceForm *form = NULL;

  if (source->kind == TL_EXPR_STRING)
    return bare_file (checker, source);
  if (source->kind != TL_EXPR_CALL)
    {
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-source", source->span,
                                   "this is no source of data"),
                        "a source is written like a call: graph(\"FILE\"), random(1)");
      return;
    }
  form = find_source (source->text);
  if (form == NULL)
    {
      const char *names[G_N_ELEMENTS (sources) + 1] = { NULL };
      for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
        names[i] = sources[i].name;
      const char      *meant = tl_word_nearest (source->text, names, G_N_ELEMENTS (sources));
      g_autofree char *list = g_strjoinv (", ", (char **) names);
      TlDiag          *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-source", source->op_span,
                                         "there is no source `%s`", source->text);
      tl_report_reason (diag, "sources: %s", list);
      if (meant != NULL)
        tl_report_fix (diag, source->op_span, meant, "write %s", meant);
      return;
    }
  check_arguments (checker, data, form);
  if (form->results > 0 && data->n_names != form->results)
    {
      TlSpan names = tl_span_join (data->name_spans[0], data->name_spans[data->n_names - 1]);
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "name-count", names,
                                   "%s gives %u array%s, here are %u names", form->name, form->results,
                                   form->results == 1 ? "" : "s", data->n_names),
                        form->results == 2 ? "its two are the pointer table and the position list: data PTR, CAL = ..."
                                           : "each data line declares what one source gives");
    }
  if (form->rank > 0 && data->n_shape > 0 && data->n_shape != form->rank)
    tl_report (&checker->reporter, TL_SEVERITY_ERROR, "shape-rank",
               tl_span_join (data->shape[0]->span, data->shape[data->n_shape - 1]->span),
               "%s gives %u dimension%s, the shape says %u", form->name, form->rank, form->rank == 1 ? "" : "s",
               data->n_shape);
}

/* Extents are positive, and their product is a number. */
static void
check_shape (TlChecker *checker, const TlDataDecl *data)
{
  guint64 elements = 1;

  for (guint i = 0; i < data->n_shape; i++)
    {
      gint64 extent = 0;
      if (!tl_expr_integer (data->shape[i], &extent))
        continue;
      if (extent < 1)
        {
          tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "bad-extent", data->shape[i]->span,
                                       "an extent is at least 1"),
                            "a shape lists how many elements there are along each dimension");
          return;
        }
      if (!tl_mul_u64 (elements, (guint64) extent, &elements) || elements > G_MAXINT64 / 8)
        {
          tl_report (&checker->reporter, TL_SEVERITY_ERROR, "bad-extent",
                     tl_span_join (data->shape[0]->span, data->shape[data->n_shape - 1]->span),
                     "this shape has more elements than can be counted");
          return;
        }
    }
}

static void
declare (TlChecker *checker, const TlDataDecl *data, guint index)
{
  const char       *name = data->names[index];
  TlArrayName      *array = tl_check_array (checker, name);
  const SourceForm *form
      = data->source != NULL && data->source->kind == TL_EXPR_CALL ? find_source (data->source->text) : NULL;

  if (array != NULL)
    {
      TlSpan before = { 0 };
      for (guint i = 0; i < array->data->n_names; i++)
        if (strcmp (array->data->names[i], name) == 0)
          before = array->data->name_spans[i];
      TlPosition first = tl_source_position (checker->ast->source, before.start);
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-data", data->name_spans[index],
                                   "%s is declared twice", name),
                        "the first is on line %u", first.line);
      return;
    }
  array = tl_check_add_array (checker, name);
  array->data = data;
  array->rank_span = data->name_spans[index];
  array->rank = array->rank_max = data->n_shape;
  if (form != NULL && form->rank > 0)
    array->rank = array->rank_max = form->rank;
  else if (data->n_shape == 0 && form != NULL && strcmp (form->name, "matrix") == 0)
    {
      array->rank = 1;
      array->rank_max = 2;
    }
  array->one_based = form != NULL && form->rank == 1;
}

void
tl_check_data (TlChecker *checker)
{
  const TlAst *ast = checker->ast;

  for (guint i = 0; i < ast->n_data; i++)
    for (guint k = 0; k < ast->data[i]->n_names; k++)
      declare (checker, ast->data[i], k);
  for (guint i = 0; i < ast->n_data; i++)
    {
      checker->reporter.muted = ast->data[i]->damaged;
      check_shape (checker, ast->data[i]);
      if (ast->data[i]->source != NULL)
        check_source (checker, ast->data[i]);
    }
  checker->reporter.muted = FALSE;
}

void
tl_check_unused (TlChecker *checker)
{
  for (guint i = 0; i < checker->array_order->len; i++)
    {
      const TlArrayName *array = g_ptr_array_index (checker->array_order, i);
      const TlExpr      *source = array->data != NULL ? array->data->source : NULL;
      /* A stream feeds the recurrence without being named in it. */
      if (array->data == NULL || array->used || array->written
          || (source != NULL && source->kind == TL_EXPR_CALL && strcmp (source->text, "stream") == 0))
        continue;
      TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_WARNING, "unused-data", array->rank_span,
                                "%s is not used", array->name);
      tl_report_reason (diag, "neither the algorithm nor another data line names it");
    }
  for (guint i = 0; i < checker->ast->n_ops; i++)
    if (!g_hash_table_contains (checker->used_ops, checker->ast->ops[i]->name))
      tl_report (&checker->reporter, TL_SEVERITY_WARNING, "unused-op", checker->ast->ops[i]->name_span,
                 "the operator %s is not used", checker->ast->ops[i]->name);
}

/* --- place --- */

static void
check_tiers (TlChecker *checker, const TlExpr *call)
{
  const TlExpr *arg = call->args[0];
  gint64        low = 0, high = 0;

  if (strcmp (call->text, "tier") == 0)
    {
      if (!tl_expr_integer (arg, &low) || low < 0)
        tl_report_reason (
            tl_report (&checker->reporter, TL_SEVERITY_ERROR, "illegal-value", arg->span, "a tier is numbered from 0"),
            "place D = tier 3");
      return;
    }
  if (!tl_expr_integer (arg->args[0], &low) || !tl_expr_integer (arg->args[1], &high) || low < 0 || high < low)
    tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "illegal-value", arg->span,
                                 "%s goes over tiers from a lower to a higher number", call->text),
                      "place D = %s 0..7, both ends included", call->text);
}

/* Names of the layout notations (research: layouts, expression grammar). */
static void
check_layout (TlChecker *checker, const TlExpr *expr)
{
  static const char *const names[]
      = { "local",   "spatial",     "column_local", "column_spatial",     "replicated", "register_layout", "compose",
          "divide",  "left_divide", "reduce",       "reduce_to",          "reshape",    "permute",         "concat",
          "squeeze", "unsqueeze",   "flatten",      "auto_local_spatial", NULL };

  if ((expr->kind == TL_EXPR_CALL || expr->kind == TL_EXPR_METHOD) && !g_strv_contains (names, expr->text))
    {
      const char *meant = tl_word_nearest (expr->text, names, G_N_ELEMENTS (names) - 1);
      TlDiag     *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-layout", expr->op_span,
                                    "there is no layout `%s`", expr->text);
      if (meant != NULL)
        tl_report_fix (diag, expr->op_span, meant, "write %s", meant);
    }
  for (guint i = 0; i < expr->n_args; i++)
    check_layout (checker, expr->args[i]);
}

void
tl_check_places (TlChecker *checker)
{
  const TlAst *ast = checker->ast;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ast->n_places; i++)
    {
      const TlPlaceDecl *place = ast->places[i];
      const TlPlaceDecl *before = g_hash_table_lookup (seen, place->name);
      if (before != NULL)
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-place", place->name_span,
                                     "%s is placed twice", place->name),
                          "the first is on line %u", tl_source_position (ast->source, before->span.start).line);
      g_hash_table_insert (seen, (gpointer) place->name, (gpointer) place);
      if (tl_check_array (checker, place->name) == NULL)
        {
          g_autoptr (GPtrArray) known = g_ptr_array_new ();
          for (guint k = 0; k < checker->array_order->len; k++)
            g_ptr_array_add (known, (gpointer) ((TlArrayName *) g_ptr_array_index (checker->array_order, k))->name);
          tl_check_unknown (checker, "array", place->name, place->name_span, known);
        }
      if (place->value->kind != TL_EXPR_CALL)
        continue;
      if (strcmp (place->value->text, "layout") == 0)
        check_layout (checker, place->value->args[0]);
      else
        check_tiers (checker, place->value);
    }
}

/* --- semiring and op --- */

/* A number, inf or a truth value, perhaps with a sign. */
static gboolean
constant_of (const TlExpr *expr, double *value)
{
  gint64 integer = 0;

  if (expr->kind == TL_EXPR_UNARY && strcmp (expr->text, "-") == 0 && constant_of (expr->args[0], value))
    {
      *value = -*value;
      return TRUE;
    }
  switch (expr->kind)
    {
    case TL_EXPR_INF:
      *value = INFINITY;
      return TRUE;
    case TL_EXPR_TRUE:
    case TL_EXPR_FALSE:
      *value = expr->kind == TL_EXPR_TRUE;
      return TRUE;
    case TL_EXPR_REAL:
      *value = expr->real;
      return TRUE;
    default:
      if (!tl_expr_integer (expr, &integer))
        return FALSE;
      *value = (double) integer;
      return TRUE;
    }
}

static void
check_operator (TlChecker *checker, const TlExpr *operator)
{
  static const char *const known[] = { "min", "max", "+", "*", "or", "and", "xor", NULL };
  g_autoptr (GPtrArray) candidates = g_ptr_array_new ();

  if (tl_check_op (checker, operator->text) != NULL)
    {
      g_hash_table_add (checker->used_ops, (gpointer) operator->text);
      return;
    }
  if (g_strv_contains (known, operator->text))
    return;
  for (guint i = 0; known[i] != NULL; i++)
    g_ptr_array_add (candidates, (gpointer) known[i]);
  for (guint i = 0; i < checker->ast->n_ops; i++)
    g_ptr_array_add (candidates, (gpointer) checker->ast->ops[i]->name);
  const char *meant = g_ascii_isalpha (operator->text[0])
                          ? tl_word_nearest (operator->text, (const char *const *) candidates->pdata, candidates->len)
                          : NULL;
  TlDiag     *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-operator", operator->span,
                                "`%s` is no operator of a semiring", operator->text);
  tl_report_reason (diag, "operators: min, max, +, *, or, and, xor, or one declared by op");
  if (meant != NULL)
    tl_report_fix (diag, operator->span, meant, "write %s", meant);
}

static void
check_neutral (TlChecker *checker, const TlSemiringDecl *semiring, const TlExpr *neutral, const char *word)
{
  double value = 0, low = 0, high = 0;

  if (neutral == NULL)
    return;
  if (!constant_of (neutral, &value))
    {
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-constant", neutral->span,
                                   "%s of a semiring is a constant", word),
                        "write a number, inf, true or false");
      return;
    }
  const TlExpr *carrier = semiring->carrier;
  if (carrier != NULL && carrier->kind == TL_EXPR_RANGE && constant_of (carrier->args[0], &low)
      && constant_of (carrier->args[1], &high) && (value < low || value > high))
    tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "outside-carrier", neutral->span,
                                 "%s lies outside the carrier", word),
                      "zero and one are elements of the carrier");
}

void
tl_check_semirings (TlChecker *checker)
{
  for (guint i = 0; i < checker->ast->n_semirings; i++)
    {
      const TlSemiringDecl *semiring = checker->ast->semirings[i];
      const TlExpr         *carrier = semiring->carrier;
      double                low = 0, high = 0;
      TlElementType         type;

      check_operator (checker, semiring->plus);
      check_operator (checker, semiring->times);
      if (carrier != NULL && carrier->kind == TL_EXPR_RANGE)
        {
          if (!constant_of (carrier->args[0], &low) || !constant_of (carrier->args[1], &high))
            tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-constant", carrier->span,
                       "the ends of a carrier are constants");
          else if (low > high)
            tl_report (&checker->reporter, TL_SEVERITY_ERROR, "empty-range", carrier->span, "this carrier is empty");
        }
      else if (carrier != NULL && !(carrier->kind == TL_EXPR_NAME && tl_element_type_parse (carrier->text, &type)))
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-type", carrier->span,
                                     "a carrier is a range or an element type"),
                          "semiring (max, *) on 0..1, or on f32");
      check_neutral (checker, semiring, semiring->zero, "zero");
      check_neutral (checker, semiring, semiring->one, "one");
    }
}

static void
check_table (TlChecker *checker, const TlOpDecl *op)
{
  const TlExpr *arg = op->value->n_args == 1 ? op->value->args[0] : NULL;
  const char   *fault = NULL;
  TlSpan        span = op->value->span;

  if (arg == NULL || (arg->kind != TL_EXPR_STRING && arg->kind != TL_EXPR_LIST))
    fault = "a table is a file or a list of rows";
  else if (arg->kind == TL_EXPR_STRING)
    fault = arg->text[0] == '\0' ? "the table's file has no name" : NULL;
  else if (arg->n_args == 0 || arg->n_args > 256)
    fault = "a table has 1 to 256 rows";
  else
    for (guint r = 0; r < arg->n_args && fault == NULL; r++)
      {
        const TlExpr *row = arg->args[r];
        span = row->span;
        if (row->kind != TL_EXPR_LIST || row->n_args != arg->n_args)
          fault = "each row has as many entries as there are rows";
        for (guint c = 0; fault == NULL && c < row->n_args; c++)
          {
            gint64 entry = 0;
            if (!tl_expr_integer (row->args[c], &entry) || entry < 0 || entry >= arg->n_args)
              {
                fault = "an entry is one of the elements 0, 1, ... rows - 1";
                span = row->args[c]->span;
              }
          }
      }
  if (fault != NULL)
    tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "bad-table", span, "%s", fault),
                      "op f = table(\"FILE.csv\"), or op f = table([[0, 1], [1, 0]])");
}

static void
check_op_expr (TlChecker *checker, const TlOpDecl *op, const TlExpr *expr)
{
  const char *known[] = { op->parameters[0], op->parameters[1] };

  switch (expr->kind)
    {
    case TL_EXPR_NAME:
      if (strcmp (expr->text, known[0]) != 0 && strcmp (expr->text, known[1]) != 0)
        {
          const char *meant = tl_word_nearest (expr->text, known, 2);
          TlDiag     *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-name", expr->span,
                                        "nothing here is called `%s`", expr->text);
          tl_report_reason (diag, "an operator's expression has its operands %s and %s only", known[0], known[1]);
          if (meant != NULL)
            tl_report_fix (diag, expr->span, meant, "write %s", meant);
        }
      return;
    case TL_EXPR_CALL:
      if (strcmp (expr->text, "min") != 0 && strcmp (expr->text, "max") != 0)
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "unknown-function", expr->op_span,
                                     "an operator cannot call `%s`", expr->text),
                          "it has min, max, arithmetic, comparisons, and a if c else b");
      else if (expr->n_args < 2)
        tl_report (&checker->reporter, TL_SEVERITY_ERROR, "operand-count", expr->span, "%s takes two values or more",
                   expr->text);
      break;
    case TL_EXPR_INTEGER:
    case TL_EXPR_REAL:
    case TL_EXPR_INF:
    case TL_EXPR_TRUE:
    case TL_EXPR_FALSE:
    case TL_EXPR_UNARY:
    case TL_EXPR_BINARY:
    case TL_EXPR_CONDITION:
      break;
    default:
      tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "not-a-value", expr->span,
                                   "this is no value of an operator"),
                        "it has min, max, arithmetic, comparisons, and a if c else b");
      return;
    }
  for (guint i = 0; i < expr->n_args; i++)
    check_op_expr (checker, op, expr->args[i]);
}

void
tl_check_ops (TlChecker *checker)
{
  const TlAst *ast = checker->ast;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ast->n_ops; i++)
    {
      const TlOpDecl *op = ast->ops[i];
      const TlOpDecl *before = g_hash_table_lookup (seen, op->name);
      checker->reporter.muted = op->repaired;
      if (before != NULL)
        tl_report_reason (tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-op", op->name_span,
                                     "the operator %s is declared twice", op->name),
                          "the first is on line %u", tl_source_position (ast->source, before->span.start).line);
      if (tl_check_array (checker, op->name) != NULL)
        tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-name", op->name_span,
                   "%s is both an operator and an array", op->name);
      g_hash_table_insert (seen, (gpointer) op->name, (gpointer) op);

      gboolean table = op->value->kind == TL_EXPR_CALL && strcmp (op->value->text, "table") == 0;
      if (table && op->parameters[0] == NULL)
        check_table (checker, op);
      else if (op->parameters[0] == NULL)
        {
          TlDiag *diag = tl_report (&checker->reporter, TL_SEVERITY_ERROR, "operand-count", op->name_span,
                                    "the operator %s names no operands", op->name);
          tl_report_reason (diag, "op %s(a, b) = ..., or op %s = table(\"FILE.csv\")", op->name, op->name);
          tl_report_fix (diag, tl_span (op->name_span.end, op->name_span.end), "(a, b)", "name them a and b");
        }
      else if (strcmp (op->parameters[0], op->parameters[1]) == 0)
        tl_report (&checker->reporter, TL_SEVERITY_ERROR, "duplicate-name", op->parameter_spans[1],
                   "both operands of %s are called %s", op->name, op->parameters[0]);
      else
        check_op_expr (checker, op, op->value);
    }
  checker->reporter.muted = FALSE;
}
