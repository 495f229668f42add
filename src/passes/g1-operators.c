/* The user's own operators: from `op` lines and from what stands between the two
 * operands of an update, to built-in operators, tables or postfix steps. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 128

const TlG1Op *
tl_g1_op_named (const TlG1 *g1, const char *name)
{
  for (guint i = 0; i < g1->ops->len; i++)
    {
      const TlG1Op *op = g1->ops->pdata[i];
      if (strcmp (op->decl->name, name) == 0)
        return op;
    }
  return NULL;
}

const TlDataFacts *
tl_g1_facts (const TlG1 *g1, const char *name)
{
  for (guint i = 0; g1->facts != NULL && i < g1->facts->len; i++)
    {
      const TlDataFacts *facts = &g_array_index (g1->facts, TlDataFacts, i);
      if (g_strcmp0 (facts->name, name) == 0)
        return facts;
    }
  return NULL;
}

/* --- Terms of two operands as operators --- */

/* @args in place of a term's own. */
static TlTerm *
rebuild (TlTerms *terms, TlTerm *term, TlTerm **args)
{
  switch (term->kind)
    {
    case TL_TERM_NEGATE:
      return tl_term_negate (terms, args[0]);
    case TL_TERM_NOT:
      return tl_term_not (terms, args[0]);
    case TL_TERM_SELECT:
      return tl_term_select (terms, args[0], args[1], args[2], term->op_span);
    case TL_TERM_CALL:
      return tl_term_call (terms, term->op, args[0], args[1], term->op_span);
    case TL_TERM_OPAQUE:
      return term;
    case TL_TERM_DIVIDE:
    case TL_TERM_FLOOR_DIVIDE:
    case TL_TERM_MODULO:
    case TL_TERM_XOR:
    case TL_TERM_LESS:
    case TL_TERM_LESS_EQUAL:
    case TL_TERM_EQUAL:
    case TL_TERM_NOT_EQUAL:
      return tl_term_two (terms, term->kind, args[0], args[1], term->op_span);
    default:
      return tl_term_many (terms, term->kind, args, term->n_args, term->op_span);
    }
}

/* @root with @a and @b for the parameters, operators given by expression opened. */
static TlTerm *
substitute (TlTerms *terms, TlTerm *root, TlTerm *a, TlTerm *b)
{
  g_autofree guint8  *marks = tl_term_reach (terms, root);
  guint               n = root->number + 1;
  g_autofree TlTerm **made = g_new0 (TlTerm *, n);

  for (guint i = 0; i < n && !terms->full; i++)
    {
      if (!marks[i])
        continue;
      TlTerm             *term = terms->terms->pdata[i];
      g_autofree TlTerm **args = g_new (TlTerm *, term->n_args + 1);

      for (guint x = 0; x < term->n_args; x++)
        args[x] = made[term->args[x]->number];
      if (term->kind == TL_TERM_A && a != NULL)
        made[i] = a;
      else if (term->kind == TL_TERM_B && b != NULL)
        made[i] = b;
      else if (term->kind == TL_TERM_CALL && term->op->term != NULL)
        made[i] = substitute (terms, term->op->term, args[0], args[1]);
      else
        made[i] = term->n_args == 0 ? term : rebuild (terms, term, args);
    }
  return terms->full ? root : made[n - 1];
}

typedef struct
{
  TlG1         *g1;
  const TlTerm *left;
  const TlTerm *right;
  GArray       *steps; /* of TlStep */
  gboolean      failed;
} Writer;

static void
push (Writer *writer, TlStepKind kind)
{
  TlStep step = { .kind = kind };

  g_array_append_val (writer->steps, step);
  if (writer->steps->len > MAX_STEPS)
    writer->failed = TRUE;
}

static void
push_number (Writer *writer, const TlTerm *term, gboolean negated)
{
  gboolean real = tl_element_type_is_float (writer->g1->element);
  TlStep   step = { .kind = TL_STEP_CONSTANT };
  double   value = negated ? -term->value : term->value;

  if (real)
    step.value.r = value;
  else if (isinf (value))
    step.value.i = value > 0 ? TL_INF : -TL_INF;
  else if (term->is_whole)
    step.value.i = negated ? -term->whole : term->whole;
  else
    writer->failed = TRUE; /* a fraction on integers */
  g_array_append_val (writer->steps, step);
}

static void write_term (Writer *writer, const TlTerm *term);

/* Positive terms, then the constant, then what is taken away: "a + b + 1 - c". */
static void
write_sum (Writer *writer, const TlTerm *term)
{
  gboolean first = TRUE;

  for (guint pass = 0; pass < 3; pass++)
    for (guint i = 0; i < term->n_args; i++)
      {
        const TlTerm *arg = term->args[i];
        gboolean      constant = arg->kind == TL_TERM_CONSTANT;
        gboolean      negative = arg->kind == TL_TERM_NEGATE || (constant && arg->value < 0 && isfinite (arg->value));

        if (pass != (negative ? 2u : constant ? 1u : 0u))
          continue;
        if (constant)
          push_number (writer, arg, negative && !first);
        else if (negative && !first)
          write_term (writer, arg->args[0]);
        else
          write_term (writer, arg);
        if (!first)
          push (writer, negative ? TL_STEP_SUBTRACT : TL_STEP_ADD);
        first = FALSE;
      }
}

static void
write_term (Writer *writer, const TlTerm *term)
{
  static const TlStepKind kinds[] = {
    [TL_TERM_MUL] = TL_STEP_MULTIPLY,
    [TL_TERM_NEGATE] = TL_STEP_NEGATE,
    [TL_TERM_DIVIDE] = TL_STEP_DIVIDE,
    [TL_TERM_FLOOR_DIVIDE] = TL_STEP_FLOOR_DIVIDE,
    [TL_TERM_MODULO] = TL_STEP_MODULO,
    [TL_TERM_MIN] = TL_STEP_MIN,
    [TL_TERM_MAX] = TL_STEP_MAX,
    [TL_TERM_AND] = TL_STEP_AND,
    [TL_TERM_OR] = TL_STEP_OR,
    [TL_TERM_XOR] = TL_STEP_XOR,
    [TL_TERM_NOT] = TL_STEP_NOT,
    [TL_TERM_LESS] = TL_STEP_LESS,
    [TL_TERM_LESS_EQUAL] = TL_STEP_LESS_EQUAL,
    [TL_TERM_EQUAL] = TL_STEP_EQUAL,
    [TL_TERM_NOT_EQUAL] = TL_STEP_NOT_EQUAL,
    [TL_TERM_SELECT] = TL_STEP_SELECT,
  };

  if (writer->failed)
    return;
  if (term == writer->left || term == writer->right)
    {
      push (writer, term == writer->left ? TL_STEP_A : TL_STEP_B);
      return;
    }
  switch (term->kind)
    {
    case TL_TERM_CONSTANT:
      push_number (writer, term, FALSE);
      return;
    case TL_TERM_ADD:
      write_sum (writer, term);
      return;
    case TL_TERM_A:
    case TL_TERM_B:
    case TL_TERM_READ:
    case TL_TERM_INDEX:
    case TL_TERM_UNDEFINED:
    case TL_TERM_OPAQUE:
    case TL_TERM_CALL:
      writer->failed = TRUE;
      return;
    default:
      break;
    }
  gboolean many = term->kind == TL_TERM_MUL || (term->kind >= TL_TERM_MIN && term->kind <= TL_TERM_XOR);
  for (guint i = 0; i < term->n_args; i++)
    {
      write_term (writer, term->args[i]);
      if (many && i > 0)
        push (writer, kinds[term->kind]);
    }
  if (!many)
    push (writer, kinds[term->kind]);
}

static TlTerm *
truth_of (TlG1 *g1, TlTerm *term)
{
  if (g1->element.kind == TL_ELEMENT_BOOL)
    return term;
  return tl_term_two (&g1->terms, TL_TERM_NOT_EQUAL, term, tl_term_integer (&g1->terms, 0), term->span);
}

static gboolean
built_in (TlG1 *g1, TlTerm *term, TlTerm *left, TlTerm *right, TlOperator *op)
{
  static const struct
  {
    TlTermKind     term;
    TlOperatorKind op;
  } kinds[] = {
    { TL_TERM_MIN, TL_OPERATOR_MIN }, { TL_TERM_MAX, TL_OPERATOR_MAX }, { TL_TERM_ADD, TL_OPERATOR_ADD },
    { TL_TERM_MUL, TL_OPERATOR_MUL }, { TL_TERM_OR, TL_OPERATOR_OR },   { TL_TERM_AND, TL_OPERATOR_AND },
    { TL_TERM_XOR, TL_OPERATOR_XOR },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean truth = kinds[i].term >= TL_TERM_AND;
      if (kinds[i].term != term->kind)
        continue;
      if (term
          != tl_term_two (&g1->terms, kinds[i].term, truth ? truth_of (g1, left) : left,
                          truth ? truth_of (g1, right) : right, term->op_span))
        return FALSE;
      *op = (TlOperator) { .kind = kinds[i].op };
      return TRUE;
    }
  return FALSE;
}

/* table[b][a] for table[a][b]. */
static TlOperator
transposed (const TlOperator *op)
{
  TlOperator turned = tl_operator_copy (op);

  for (guint a = 0; a < op->size; a++)
    for (guint b = 0; b < op->size; b++)
      turned.table[b * op->size + a] = op->table[a * op->size + b];
  return turned;
}

gboolean
tl_g1_operator_from (TlG1 *g1, TlTerm *term, TlTerm *left, TlTerm *right, TlOperator *op)
{
  if (term->kind == TL_TERM_CALL && term->op->op.kind == TL_OPERATOR_TABLE)
    {
      gboolean straight = term->args[0] == left && term->args[1] == right;
      if (!straight && !(term->args[0] == right && term->args[1] == left))
        return FALSE;
      *op = straight ? tl_operator_copy (&term->op->op) : transposed (&term->op->op);
      return TRUE;
    }
  term = substitute (&g1->terms, term, NULL, NULL);
  if (built_in (g1, term, left, right, op))
    return TRUE;
  Writer writer = { g1, left, right, g_array_new (FALSE, TRUE, sizeof (TlStep)), FALSE };
  write_term (&writer, term);
  if (writer.failed || g1->terms.full)
    {
      g_array_unref (writer.steps);
      return FALSE;
    }
  guint n = writer.steps->len;
  *op = (TlOperator) { .kind = TL_OPERATOR_EXPRESSION,
                       .n_steps = n,
                       .steps = (TlStep *) (gpointer) g_array_free (writer.steps, FALSE) };
  return TRUE;
}

/* --- op lines --- */

static gboolean table_wrong (TlG1 *g1, TlSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
table_wrong (TlG1 *g1, TlSpan span, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  TlDiag *diag = tl_g1_error (g1, "bad-operator", span, "%s", message);

  if (diag != NULL)
    tl_diag_reason (diag,
                    "a table of n values has n rows of n cells 0..n-1, n at most 256: row a, column b is a (op) b");
  return FALSE;
}

static gboolean
read_listed_table (TlG1 *g1, const TlExpr *rows, TlOperator *op)
{
  guint n = rows->n_args;

  if (n < 1 || n > 256)
    return table_wrong (g1, rows->span, "the table has %u rows", n);
  op->size = n;
  op->table = g_new0 (guint8, (gsize) n * n);
  for (guint a = 0; a < n; a++)
    {
      const TlExpr *row = rows->args[a];
      if (row->kind != TL_EXPR_LIST || row->n_args != n)
        return table_wrong (g1, row->span, "row %u of the table does not hold %u cells", a, n);
      for (guint b = 0; b < n; b++)
        {
          const TlExpr *cell = row->args[b];
          gint64        value;
          if (cell->kind == TL_EXPR_TRUE || cell->kind == TL_EXPR_FALSE)
            value = cell->kind == TL_EXPR_TRUE;
          else if (!tl_expr_integer (cell, &value))
            value = -1;
          if (value < 0 || value >= n)
            return table_wrong (g1, cell->span, "a cell of the table is not one of 0..%u", n - 1);
          op->table[a * n + b] = (guint8) value;
        }
    }
  return TRUE;
}

static gboolean
read_table (TlG1 *g1, const TlOpDecl *decl, TlOperator *op)
{
  const TlExpr *argument = decl->value->n_args == 1 ? decl->value->args[0] : NULL;

  op->kind = TL_OPERATOR_TABLE;
  if (argument != NULL && argument->kind == TL_EXPR_LIST)
    return read_listed_table (g1, argument, op);
  if (argument == NULL || argument->kind != TL_EXPR_STRING)
    return table_wrong (g1, decl->value->span, "table takes a file name or a list of rows");
  const TlDataFacts *facts = tl_g1_facts (g1, decl->name);
  if (facts == NULL || facts->cells == NULL)
    return table_wrong (g1, argument->span, "the table \"%s\" of %s was not read", argument->text, decl->name);
  if (facts->rows != facts->columns || facts->rows < 1 || facts->rows > 256)
    return table_wrong (g1, argument->span, "the table has %" G_GUINT64_FORMAT " rows of %" G_GUINT64_FORMAT " cells",
                        facts->rows, facts->columns);
  op->size = (guint32) facts->rows;
  op->table = g_memdup2 (facts->cells, (gsize) op->size * op->size);
  for (guint i = 0; i < op->size * op->size; i++)
    if (op->table[i] >= op->size)
      return table_wrong (g1, argument->span, "row %u, column %u of the table holds %u, not one of 0..%u", i / op->size,
                          i % op->size, op->table[i], op->size - 1);
  return TRUE;
}

static gboolean
read_expression (TlG1 *g1, const TlOpDecl *decl, TlG1Op *op)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  const TlTerm parameters[2] = { { .kind = TL_TERM_A }, { .kind = TL_TERM_B } };
  TlTerm      *a = tl_term_leaf (&g1->terms, &parameters[0]);
  TlTerm      *b = tl_term_leaf (&g1->terms, &parameters[1]);
  guint        depth = g1->depth;

  if (decl->parameters[0] == NULL || decl->parameters[1] == NULL)
    {
      tl_g1_error (g1, "bad-operator", decl->span, "%s needs two parameters", decl->name);
      return FALSE;
    }
  g_hash_table_insert (names, (gpointer) decl->parameters[0], a);
  g_hash_table_insert (names, (gpointer) decl->parameters[1], b);
  g1->depth = 0;
  TlTerm *term = tl_g1_expression (g1, names, decl->value);
  g1->depth = depth;
  if (term == NULL)
    return FALSE;
  op->term = substitute (&g1->terms, term, NULL, NULL);
  if (tl_g1_operator_from (g1, op->term, a, b, &op->op))
    return TRUE;
  TlDiag *diag = tl_g1_error (g1, "bad-operator", decl->value->span, "%s is no operator of %s and %s", decl->name,
                              decl->parameters[0], decl->parameters[1]);
  if (diag != NULL)
    tl_diag_reason (diag,
                    "an operator is an expression of its two parameters and numbers of its type alone (a table "
                    "inside an expression is not possible), of at most %d steps",
                    MAX_STEPS);
  return FALSE;
}

void
tl_g1_read_ops (TlG1 *g1)
{
  for (guint i = 0; i < g1->ast->n_ops && !g1->failed; i++)
    {
      const TlOpDecl *decl = g1->ast->ops[i];
      TlG1Op         *op = g_new0 (TlG1Op, 1);

      op->decl = decl;
      if (decl->value != NULL)
        op->ok = decl->value->kind == TL_EXPR_CALL && strcmp (decl->value->text, "table") == 0
                     ? read_table (g1, decl, &op->op)
                     : read_expression (g1, decl, op);
      g_ptr_array_add (g1->ops, op);
    }
}
