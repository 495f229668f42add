/* The canonical printer: a tree as text that parses to the same tree. */
#include "dsl/print.h"

#include <math.h>
#include <string.h>

typedef GString Text;

static void print_expr (Text *text, const TlExpr *expr);

static void
print_list (Text *text, TlExpr **args, guint first, guint n_args, const char *separator)
{
  for (guint i = first; i < n_args; i++)
    {
      if (i > first)
        g_string_append (text, separator);
      print_expr (text, args[i]);
    }
}

static void
print_string (Text *text, const char *string)
{
  g_string_append_c (text, '"');
  for (; *string != '\0'; string++)
    if (*string == '\n')
      g_string_append (text, "\\n");
    else
      {
        if (*string == '"' || *string == '\\')
          g_string_append_c (text, '\\');
        g_string_append_c (text, *string);
      }
  g_string_append_c (text, '"');
}

/* The shortest digits that read back as the same value, with a point or exponent. */
static void
print_real (Text *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 1; digits <= 17; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (text, ".0");
}

static void
print_loops (Text *text, const TlLoopName *loops, guint n_loops)
{
  for (guint i = 0; i < n_loops; i++)
    {
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", loops[i].name);
      if (loops[i].range != NULL)
        {
          g_string_append (text, " in ");
          print_expr (text, loops[i].range);
        }
    }
}

static void
print_percent (Text *text, double value)
{
  /* The digits whose hundredth is the same value again. */
  for (int digits = 1; digits <= 17; digits++)
    {
      char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value * 100);
      if (g_ascii_strtod (buffer, NULL) / 100 == value || digits == 17)
        {
          g_string_append_printf (text, "%s%%", buffer);
          return;
        }
    }
}

/* Numbers, names and words. FALSE: it is none. */
static gboolean
print_leaf (Text *text, const TlExpr *expr)
{
  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      g_string_append_printf (text, "%" G_GINT64_FORMAT, expr->integer);
      return TRUE;
    case TL_EXPR_REAL:
      print_real (text, expr->real);
      return TRUE;
    case TL_EXPR_PERCENT:
      print_percent (text, expr->real);
      return TRUE;
    case TL_EXPR_QUANTITY:
    case TL_EXPR_NAME:
      g_string_append (text, expr->text);
      return TRUE;
    case TL_EXPR_STRING:
      print_string (text, expr->text);
      return TRUE;
    case TL_EXPR_INF:
      g_string_append (text, "inf");
      return TRUE;
    case TL_EXPR_TRUE:
      g_string_append (text, "true");
      return TRUE;
    case TL_EXPR_FALSE:
      g_string_append (text, "false");
      return TRUE;
    default:
      return FALSE;
    }
}

static void
print_inner (Text *text, const TlExpr *expr)
{
  if (print_leaf (text, expr))
    return;
  switch (expr->kind)
    {
    case TL_EXPR_SUBSCRIPT:
      g_string_append_printf (text, "%s[", expr->text);
      print_list (text, expr->args, 0, expr->n_args, ",");
      g_string_append_c (text, ']');
      break;
    case TL_EXPR_CALL:
      g_string_append_printf (text, "%s(", expr->text);
      print_list (text, expr->args, 0, expr->n_args, ", ");
      g_string_append_c (text, ')');
      break;
    case TL_EXPR_NAMED:
      g_string_append_printf (text, "%s = ", expr->text);
      print_expr (text, expr->args[0]);
      break;
    case TL_EXPR_UNARY:
      g_string_append_printf (text, "%s%s", expr->text, expr->text[0] == 'n' ? " " : "");
      print_expr (text, expr->args[0]);
      break;
    case TL_EXPR_BINARY:
      print_expr (text, expr->args[0]);
      g_string_append_printf (text, " %s ", expr->text);
      print_expr (text, expr->args[1]);
      break;
    case TL_EXPR_CONDITION:
      print_expr (text, expr->args[0]);
      g_string_append (text, " if ");
      print_expr (text, expr->args[1]);
      g_string_append (text, " else ");
      print_expr (text, expr->args[2]);
      break;
    case TL_EXPR_REDUCE:
      g_string_append_printf (text, "%s over ", expr->text);
      print_loops (text, expr->loops, expr->n_loops);
      /* These brackets are part of the form; those of the operand would double them. */
      g_string_append (text, " (");
      print_expr (text, expr->args[0]);
      g_string_append_c (text, ')');
      break;
    case TL_EXPR_RANGE:
      print_expr (text, expr->args[0]);
      g_string_append (text, expr->integer ? "..=" : "..");
      print_expr (text, expr->args[1]);
      break;
    case TL_EXPR_TUPLE:
      g_string_append_c (text, '(');
      print_list (text, expr->args, 0, expr->n_args, ", ");
      g_string_append_c (text, ')');
      break;
    case TL_EXPR_LIST:
      g_string_append_c (text, '[');
      print_list (text, expr->args, 0, expr->n_args, ", ");
      g_string_append_c (text, ']');
      break;
    case TL_EXPR_RATIO:
      print_expr (text, expr->args[0]);
      g_string_append (text, " : ");
      print_expr (text, expr->args[1]);
      break;
    case TL_EXPR_METHOD:
      print_expr (text, expr->args[0]);
      g_string_append_printf (text, ".%s(", expr->text);
      print_list (text, expr->args, 1, expr->n_args, ", ");
      g_string_append_c (text, ')');
      break;
    case TL_EXPR_WORDS:
      for (guint i = 0; i < expr->n_args; i++)
        {
          g_string_append_printf (text, "%s%s ", i > 0 ? " " : "", expr->args[i]->text);
          print_expr (text, expr->args[i]->args[0]);
        }
      break;
    case TL_EXPR_GF2:
      g_string_append (text, "gf2 [");
      print_list (text, expr->args, 0, expr->n_args, " | ");
      g_string_append_c (text, ']');
      break;
    case TL_EXPR_PART:
      g_string_append_printf (text, "%s:", expr->text);
      for (guint i = 0; i < expr->n_args; i++)
        {
          g_string_append_c (text, ' ');
          print_expr (text, expr->args[i]);
        }
      break;
    default:
      break;
    }
}

static void
print_expr (Text *text, const TlExpr *expr)
{
  if (expr->bracketed)
    g_string_append_c (text, '(');
  print_inner (text, expr);
  if (expr->bracketed)
    g_string_append_c (text, ')');
}

static void print_stmts (Text *text, TlStmt *const *stmts, guint n_stmts, guint indent);

static void
print_stmt (Text *text, const TlStmt *stmt, guint indent)
{
  g_string_append_printf (text, "%*s", (int) indent, "");
  switch (stmt->kind)
    {
    case TL_STMT_UPDATE:
    case TL_STMT_ASSIGN:
      print_expr (text, stmt->target);
      g_string_append (text, " = ");
      print_expr (text, stmt->value);
      if (stmt->n_loops > 0)
        {
          g_string_append (text, "  for ");
          print_loops (text, stmt->loops, stmt->n_loops);
        }
      if (stmt->within != NULL)
        {
          g_string_append (text, " within ");
          print_expr (text, stmt->within);
        }
      g_string_append_c (text, '\n');
      break;
    case TL_STMT_FOR:
      g_string_append (text, "for ");
      print_loops (text, stmt->loops, stmt->n_loops);
      g_string_append (text, ":\n");
      print_stmts (text, stmt->body, stmt->n_body, indent + 2);
      break;
    case TL_STMT_IF:
      g_string_append (text, "if ");
      print_expr (text, stmt->value);
      g_string_append (text, ":\n");
      print_stmts (text, stmt->body, stmt->n_body, indent + 2);
      if (stmt->n_otherwise > 0)
        {
          g_string_append_printf (text, "%*selse:\n", (int) indent, "");
          print_stmts (text, stmt->otherwise, stmt->n_otherwise, indent + 2);
        }
      break;
    case TL_STMT_RESULT:
      g_string_append (text, "result = ");
      if (stmt->value->kind == TL_EXPR_CALL && stmt->value->n_args == 1)
        g_string_append_printf (text, "%s %s", stmt->value->text, stmt->value->args[0]->text);
      else
        print_expr (text, stmt->value);
      g_string_append_c (text, '\n');
      break;
    }
}

static void
print_stmts (Text *text, TlStmt *const *stmts, guint n_stmts, guint indent)
{
  for (guint i = 0; i < n_stmts; i++)
    print_stmt (text, stmts[i], indent);
}

static void
print_data (Text *text, const TlDataDecl *data)
{
  g_string_append (text, "data ");
  for (guint i = 0; i < data->n_names; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", data->names[i]);
  if (data->type.bits > 0)
    {
      g_autofree char *type = tl_element_type_name (data->type);
      g_string_append_printf (text, ": %s", type);
      if (data->n_shape > 0)
        {
          g_string_append_c (text, '[');
          print_list (text, data->shape, 0, data->n_shape, ", ");
          g_string_append_c (text, ']');
        }
    }
  if (data->source != NULL)
    {
      g_string_append (text, " = ");
      print_expr (text, data->source);
    }
  g_string_append_c (text, '\n');
}

static void
print_semiring (Text *text, const TlSemiringDecl *semiring)
{
  g_string_append_printf (text, "semiring (%s, %s)", semiring->plus->text, semiring->times->text);
  if (semiring->carrier != NULL)
    {
      g_string_append (text, " on ");
      print_expr (text, semiring->carrier);
    }
  if (semiring->zero != NULL)
    {
      g_string_append (text, ": zero = ");
      print_expr (text, semiring->zero);
    }
  if (semiring->one != NULL)
    {
      g_string_append (text, semiring->zero != NULL ? ", one = " : ": one = ");
      print_expr (text, semiring->one);
    }
  g_string_append_c (text, '\n');
}

static void
print_place (Text *text, const TlPlaceDecl *place)
{
  g_string_append_printf (text, "place %s = %s", place->name, place->value->text);
  if (place->value->kind == TL_EXPR_CALL)
    {
      g_string_append_c (text, ' ');
      print_expr (text, place->value->args[0]);
    }
  g_string_append_c (text, '\n');
}

char *
tl_expr_text (const TlExpr *expr)
{
  g_return_val_if_fail (expr != NULL, NULL);
  Text *text = g_string_new (NULL);
  print_expr (text, expr);
  return g_string_free (text, FALSE);
}

char *
tl_ast_text (const TlAst *ast)
{
  g_return_val_if_fail (ast != NULL, NULL);
  Text *text = g_string_new (NULL);

  for (guint i = 0; i < ast->n_semirings; i++)
    print_semiring (text, ast->semirings[i]);
  for (guint i = 0; i < ast->n_ops; i++)
    {
      const TlOpDecl *op = ast->ops[i];
      g_string_append_printf (text, "op %s", op->name);
      if (op->parameters[0] != NULL)
        g_string_append_printf (text, "(%s, %s)", op->parameters[0], op->parameters[1]);
      g_string_append (text, " = ");
      print_expr (text, op->value);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < ast->n_algorithms; i++)
    {
      g_string_append_printf (text, "algorithm %s\n", ast->algorithms[i]->name);
      print_stmts (text, ast->algorithms[i]->body, ast->algorithms[i]->n_body, 2);
    }
  for (guint i = 0; i < ast->n_data; i++)
    print_data (text, ast->data[i]);
  for (guint i = 0; i < ast->n_config; i++)
    {
      g_string_append_printf (text, "config %s = ", ast->config[i]->key);
      print_expr (text, ast->config[i]->value);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < ast->n_places; i++)
    print_place (text, ast->places[i]);
  return g_string_free (text, FALSE);
}
