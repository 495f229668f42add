/* Semirings in words: scalars that parse back, operators as their users wrote
 * them, pairs. */
#include "ir/semiring.h"

#include <errno.h>
#include <math.h>
#include <string.h>

const char *
tl_operator_name (TlOperatorKind kind)
{
  static const char *const names[] = {
    [TL_OPERATOR_MIN] = "min",     [TL_OPERATOR_MAX] = "max",
    [TL_OPERATOR_ADD] = "add",     [TL_OPERATOR_MUL] = "mul",
    [TL_OPERATOR_OR] = "or",       [TL_OPERATOR_AND] = "and",
    [TL_OPERATOR_XOR] = "xor",     [TL_OPERATOR_EXPRESSION] = "expression",
    [TL_OPERATOR_TABLE] = "table",
  };
  return names[kind];
}

/* Each step: its word, its sign in infix text, how tightly it binds (0: a call). */
static const struct
{
  const char *name;
  const char *sign;
  int         binds;
} steps[] = {
  [TL_STEP_A] = { "a", NULL, 9 },
  [TL_STEP_B] = { "b", NULL, 9 },
  [TL_STEP_CONSTANT] = { "constant", NULL, 9 },
  [TL_STEP_NEGATE] = { "negate", "-", 7 },
  [TL_STEP_NOT] = { "not", "not ", 3 },
  [TL_STEP_ADD] = { "add", " + ", 5 },
  [TL_STEP_SUBTRACT] = { "subtract", " - ", 5 },
  [TL_STEP_MULTIPLY] = { "multiply", " * ", 6 },
  [TL_STEP_DIVIDE] = { "divide", " / ", 6 },
  [TL_STEP_FLOOR_DIVIDE] = { "floor-divide", " // ", 6 },
  [TL_STEP_MODULO] = { "modulo", " mod ", 6 },
  [TL_STEP_MIN] = { "min", "min", 0 },
  [TL_STEP_MAX] = { "max", "max", 0 },
  [TL_STEP_AND] = { "and", " and ", 2 },
  [TL_STEP_OR] = { "or", " or ", 1 },
  [TL_STEP_XOR] = { "xor", " xor ", 1 },
  [TL_STEP_LESS] = { "less", " < ", 4 },
  [TL_STEP_LESS_EQUAL] = { "less-equal", " <= ", 4 },
  [TL_STEP_EQUAL] = { "equal", " == ", 4 },
  [TL_STEP_NOT_EQUAL] = { "not-equal", " != ", 4 },
  [TL_STEP_SELECT] = { "select", NULL, 0 },
};

static char *
real_text (double value)
{
  char text[64];

  for (int digits = 1; digits < 18; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  return g_strdup (text);
}

char *
tl_scalar_text (const TlCarrier *carrier, TlScalar value)
{
  gboolean real = tl_carrier_is_float (carrier);

  if (real ? isinf (value.r) && value.r > 0 : value.i == TL_INF)
    return g_strdup ("inf");
  if (real ? isinf (value.r) && value.r < 0 : value.i <= -TL_INF)
    return g_strdup ("-inf");
  if (real)
    return real_text (value.r == 0 ? 0 : value.r);
  return g_strdup_printf ("%" G_GINT64_FORMAT, value.i);
}

gboolean
tl_scalar_parse (const TlCarrier *carrier, const char *text, TlScalar *value)
{
  gboolean real = tl_carrier_is_float (carrier);
  char    *end = NULL;

  if (strcmp (text, "inf") == 0 || strcmp (text, "-inf") == 0)
    {
      gboolean minus = text[0] == '-';
      *value = real ? (TlScalar) { .r = minus ? -INFINITY : INFINITY } : (TlScalar) { .i = minus ? -TL_INF : TL_INF };
      return TRUE;
    }
  const char *digits = text + (text[0] == '-');
  if (!g_ascii_isdigit (digits[0]) || (real && (digits[1] == 'x' || digits[1] == 'X')))
    return FALSE;
  errno = 0;
  if (real)
    value->r = g_ascii_strtod (text, &end);
  else
    value->i = g_ascii_strtoll (text, &end, 10);
  if (*end != '\0' || (real ? !isfinite (value->r) : errno != 0 || value->i == TL_INF || value->i <= -TL_INF))
    return FALSE;
  return TRUE;
}

/* One piece of infix text and how tightly its outermost sign binds. */
typedef struct
{
  char *text;
  int   binds;
} Piece;

static void
piece_clear (gpointer data)
{
  g_free (((Piece *) data)->text);
}

static char *
bracket (const Piece *piece, int least)
{
  return piece->binds >= least ? g_strdup (piece->text) : g_strdup_printf ("(%s)", piece->text);
}

static Piece
join_two (TlStepKind kind, const Piece *a, const Piece *b)
{
  int binds = steps[kind].binds;

  if (binds == 0)
    return (Piece) { g_strdup_printf ("%s(%s, %s)", steps[kind].sign, a->text, b->text), 9 };
  g_autofree char *left = bracket (a, binds == 4 ? 5 : binds);
  g_autofree char *right = bracket (b, binds + 1);
  return (Piece) { g_strconcat (left, steps[kind].sign, right, NULL), binds };
}

static char *
expression_text (const TlOperator *op, const TlCarrier *carrier)
{
  g_autoptr (GArray) stack = g_array_sized_new (FALSE, FALSE, sizeof (Piece), op->n_steps + 1);

  g_array_set_clear_func (stack, piece_clear);
  for (guint s = 0; s < op->n_steps; s++)
    {
      TlStepKind  kind = op->steps[s].kind;
      const guint arity = kind <= TL_STEP_CONSTANT                        ? 0
                          : kind == TL_STEP_NEGATE || kind == TL_STEP_NOT ? 1
                          : kind == TL_STEP_SELECT                        ? 3
                                                                          : 2;
      g_return_val_if_fail (stack->len >= arity, g_strdup ("expression"));
      const Piece *top = &((const Piece *) (gpointer) stack->data)[stack->len - arity];
      Piece        made;

      if (kind == TL_STEP_CONSTANT)
        {
          made.text = tl_scalar_text (carrier, op->steps[s].value);
          made.binds = made.text[0] == '-' ? 7 : 9;
        }
      else if (arity == 0)
        made = (Piece) { g_strdup (steps[kind].name), 9 };
      else if (arity == 1)
        {
          g_autofree char *inner = bracket (&top[0], steps[kind].binds + 1);
          made = (Piece) { g_strconcat (steps[kind].sign, inner, NULL), steps[kind].binds };
        }
      else if (arity == 3)
        {
          g_autofree char *yes = bracket (&top[1], 1);
          g_autofree char *condition = bracket (&top[0], 1);
          made = (Piece) { g_strdup_printf ("%s if %s else %s", yes, condition, top[2].text), 0 };
        }
      else
        made = join_two (kind, &top[0], &top[1]);
      g_array_set_size (stack, stack->len - arity);
      g_array_append_val (stack, made);
    }
  g_return_val_if_fail (stack->len == 1, g_strdup ("expression"));
  return g_strdup (g_array_index (stack, Piece, 0).text);
}

char *
tl_operator_text (const TlOperator *op, const TlCarrier *carrier)
{
  switch (op->kind)
    {
    case TL_OPERATOR_ADD:
      return g_strdup ("+");
    case TL_OPERATOR_MUL:
      return g_strdup ("*");
    case TL_OPERATOR_EXPRESSION:
      return expression_text (op, carrier);
    default:
      return g_strdup (tl_operator_name (op->kind));
    }
}

char *
tl_semiring_text (const TlSemiring *semiring)
{
  g_autofree char *plus = tl_operator_text (&semiring->plus, &semiring->carrier);
  g_autofree char *times = tl_operator_text (&semiring->times, &semiring->carrier);

  return g_strdup_printf ("(%s, %s)", plus, times);
}
