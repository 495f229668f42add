/* Owner rules: text to postfix steps, evaluated per tile. A rule of the form
 * (a i + b j + c) mod P is seen to be one, since its classes are residues and need no
 * evaluation at all. GenMLIR Eq. 2; models.md section 3. */
#include "ir/owner.h"

#include <string.h>

#define MAX_DEPTH 64
#define MAX_STEPS 4096
#define MAX_TEXT  (64u << 10)

typedef enum
{
  STEP_I,
  STEP_J,
  STEP_CONSTANT,
  STEP_NEGATE,
  STEP_NOT,
  STEP_ADD,
  STEP_SUBTRACT,
  STEP_MULTIPLY,
  STEP_DIVIDE,
  STEP_MODULO,
  STEP_BIT_OR,
  STEP_BIT_XOR,
  STEP_BIT_AND,
  STEP_EQUAL,
  STEP_NOT_EQUAL,
  STEP_LESS,
  STEP_LESS_EQUAL,
  STEP_GREATER,
  STEP_GREATER_EQUAL,
  STEP_AND,
  STEP_OR,
  STEP_MIN,
  STEP_MAX,
  STEP_SELECT, /* pops else, condition, then */
} StepKind;

typedef struct
{
  StepKind kind;
  gint64   value;
} Step;

struct _TlOwnerRule
{
  guint32  tiles;
  guint32  pus;
  char    *text;
  GArray  *steps; /* of Step, postfix */
  guint    stack; /* deepest it gets */
  gboolean linear;
  guint32  a;
  guint32  b;
  guint32  c;
  GArray  *moves; /* of TlOwnerMove, last one of a tile wins */
};

/* What a subexpression is when it is (a i + b j + c), or that mod modulus. */
typedef struct
{
  gboolean affine;
  gint64   a;
  gint64   b;
  gint64   c;
  gint64   modulus; /* 0: none */
} Form;

typedef struct
{
  TlOwnerRule *rule;
  const char  *text;
  const char  *at;
  char        *reason;
  guint        depth; /* of brackets and operators */
  guint        stack; /* now */
} Compiler;

static gint64
floor_divide (gint64 a, gint64 b)
{
  gint64 quotient = a / b;

  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/* FALSE on overflow or division by zero. */
static gboolean
apply (StepKind kind, gint64 a, gint64 b, gint64 *result)
{
  switch (kind)
    {
    case STEP_ADD:
      return !__builtin_add_overflow (a, b, result);
    case STEP_SUBTRACT:
      return !__builtin_sub_overflow (a, b, result);
    case STEP_MULTIPLY:
      return !__builtin_mul_overflow (a, b, result);
    case STEP_DIVIDE:
    case STEP_MODULO:
      if (b == 0 || (a == G_MININT64 && b == -1))
        return FALSE;
      *result = kind == STEP_DIVIDE ? floor_divide (a, b) : a - floor_divide (a, b) * b;
      return TRUE;
    case STEP_BIT_OR:
      *result = a | b;
      return TRUE;
    case STEP_BIT_XOR:
      *result = a ^ b;
      return TRUE;
    case STEP_BIT_AND:
      *result = a & b;
      return TRUE;
    case STEP_EQUAL:
      *result = a == b;
      return TRUE;
    case STEP_NOT_EQUAL:
      *result = a != b;
      return TRUE;
    case STEP_LESS:
      *result = a < b;
      return TRUE;
    case STEP_LESS_EQUAL:
      *result = a <= b;
      return TRUE;
    case STEP_GREATER:
      *result = a > b;
      return TRUE;
    case STEP_GREATER_EQUAL:
      *result = a >= b;
      return TRUE;
    case STEP_AND:
      *result = a != 0 && b != 0;
      return TRUE;
    case STEP_OR:
      *result = a != 0 || b != 0;
      return TRUE;
    case STEP_MIN:
      *result = MIN (a, b);
      return TRUE;
    case STEP_MAX:
      *result = MAX (a, b);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean fail (Compiler *compiler, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Compiler *compiler, const char *format, ...)
{
  va_list args;

  if (compiler->reason != NULL)
    return FALSE;
  va_start (args, format);
  compiler->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

static gboolean
push_step (Compiler *compiler, StepKind kind, gint64 value)
{
  Step step = { kind, value };

  if (compiler->rule->steps->len >= MAX_STEPS)
    return fail (compiler, "the rule has more than %d steps", MAX_STEPS);
  g_array_append_val (compiler->rule->steps, step);
  if (kind <= STEP_CONSTANT)
    compiler->rule->stack = MAX (compiler->rule->stack, ++compiler->stack);
  else if (kind >= STEP_ADD)
    compiler->stack -= kind == STEP_SELECT ? 2 : 1;
  return TRUE;
}

static void
skip (Compiler *compiler)
{
  while (g_ascii_isspace (*compiler->at))
    compiler->at++;
}

static gboolean
take (Compiler *compiler, const char *token)
{
  gsize length = strlen (token);

  skip (compiler);
  if (strncmp (compiler->at, token, length) != 0)
    return FALSE;
  if (g_ascii_isalpha (token[0]) && (g_ascii_isalnum (compiler->at[length]) || compiler->at[length] == '_'))
    return FALSE;
  compiler->at += length;
  return TRUE;
}

static Form
constant_form (gint64 value)
{
  return (Form) { TRUE, 0, 0, value, 0 };
}

/* The form of a (kind) b, not affine where it is not seen to be. */
static Form
combine (StepKind kind, Form a, Form b)
{
  Form     form = { FALSE, 0, 0, 0, 0 };
  gboolean constants = a.affine && b.affine && a.modulus == 0 && b.modulus == 0;

  if (!constants)
    return form;
  if (a.a == 0 && a.b == 0 && b.a == 0 && b.b == 0)
    {
      form.affine = apply (kind, a.c, b.c, &form.c);
      return form;
    }
  switch (kind)
    {
    case STEP_ADD:
    case STEP_SUBTRACT:
      form.affine
          = apply (kind, a.a, b.a, &form.a) && apply (kind, a.b, b.b, &form.b) && apply (kind, a.c, b.c, &form.c);
      break;
    case STEP_MULTIPLY:
      if (b.a != 0 || b.b != 0)
        {
          Form swap = a;
          a = b;
          b = swap;
        }
      form.affine = b.a == 0 && b.b == 0 && apply (kind, a.a, b.c, &form.a) && apply (kind, a.b, b.c, &form.b)
                    && apply (kind, a.c, b.c, &form.c);
      break;
    case STEP_MODULO:
      form = a;
      form.affine = b.a == 0 && b.b == 0 && b.c > 0;
      form.modulus = b.c;
      break;
    default:
      break;
    }
  return form;
}

static gboolean parse_choice (Compiler *compiler, Form *form);

static gboolean
parse_pair (Compiler *compiler, StepKind kind, Form *form)
{
  Form second;

  *form = (Form) { FALSE };
  if (!take (compiler, "("))
    return fail (compiler, "expected '(' behind %s", kind == STEP_MIN ? "min" : "max");
  if (!parse_choice (compiler, form))
    return FALSE;
  do
    {
      if (!take (compiler, ","))
        return fail (compiler, "expected ',' between the values of %s", kind == STEP_MIN ? "min" : "max");
      if (!parse_choice (compiler, &second) || !push_step (compiler, kind, 0))
        return FALSE;
      *form = combine (kind, *form, second);
    }
  while (!take (compiler, ")"));
  return TRUE;
}

static gboolean
parse_number (Compiler *compiler, Form *form)
{
  gint64 value = 0;

  for (; g_ascii_isdigit (*compiler->at); compiler->at++)
    if (!apply (STEP_MULTIPLY, value, 10, &value) || !apply (STEP_ADD, value, *compiler->at - '0', &value))
      return fail (compiler, "a number too large");
  *form = constant_form (value);
  return push_step (compiler, STEP_CONSTANT, value);
}

static gboolean
parse_atom (Compiler *compiler, Form *form)
{
  skip (compiler);
  if (g_ascii_isdigit (*compiler->at))
    return parse_number (compiler, form);
  if (take (compiler, "("))
    return parse_choice (compiler, form) && (take (compiler, ")") || fail (compiler, "expected ')'"));
  if (take (compiler, "min"))
    return parse_pair (compiler, STEP_MIN, form);
  if (take (compiler, "max"))
    return parse_pair (compiler, STEP_MAX, form);
  if (take (compiler, "i"))
    {
      *form = (Form) { TRUE, 1, 0, 0, 0 };
      return push_step (compiler, STEP_I, 0);
    }
  if (take (compiler, "j"))
    {
      *form = (Form) { TRUE, 0, 1, 0, 0 };
      return push_step (compiler, STEP_J, 0);
    }
  if (take (compiler, "M"))
    {
      *form = constant_form (compiler->rule->tiles);
      return push_step (compiler, STEP_CONSTANT, compiler->rule->tiles);
    }
  if (take (compiler, "P"))
    {
      *form = constant_form (compiler->rule->pus);
      return push_step (compiler, STEP_CONSTANT, compiler->rule->pus);
    }
  if (*compiler->at == '\0')
    return fail (compiler, "the rule ends where a value was expected");
  return fail (compiler, "expected a value (i, j, M, P, a number or a bracket), not '%.12s'", compiler->at);
}

static gboolean
parse_unary (Compiler *compiler, Form *form)
{
  gboolean right;

  if (++compiler->depth > MAX_DEPTH)
    return fail (compiler, "the rule is nested deeper than %d", MAX_DEPTH);
  if (take (compiler, "-"))
    {
      right = parse_unary (compiler, form) && push_step (compiler, STEP_NEGATE, 0);
      *form = combine (STEP_SUBTRACT, constant_form (0), *form);
    }
  else
    right = parse_atom (compiler, form);
  compiler->depth--;
  return right;
}

typedef struct
{
  const char *token;
  StepKind    kind;
} Operator;

/* Loosest first. */
static const Operator levels[][8] = {
  { { "or", STEP_OR } },
  { { "and", STEP_AND } },
  { { NULL } }, /* not: a prefix */
  { { "==", STEP_EQUAL },
    { "!=", STEP_NOT_EQUAL },
    { "le", STEP_LESS_EQUAL },
    { "lt", STEP_LESS },
    { "ge", STEP_GREATER_EQUAL },
    { "gt", STEP_GREATER } },
  { { "|", STEP_BIT_OR } },
  { { "^", STEP_BIT_XOR } },
  { { "&", STEP_BIT_AND } },
  { { "+", STEP_ADD }, { "-", STEP_SUBTRACT } },
  { { "*", STEP_MULTIPLY }, { "//", STEP_DIVIDE }, { "/", STEP_DIVIDE }, { "mod", STEP_MODULO } },
};
#define NOT_LEVEL 2

static gboolean
parse_level (Compiler *compiler, guint level, Form *form)
{
  const Operator *found;
  Form            second;

  if (level == G_N_ELEMENTS (levels))
    return parse_unary (compiler, form);
  if (level == NOT_LEVEL)
    {
      guint nots = 0;

      while (take (compiler, "not"))
        nots++;
      if (!parse_level (compiler, level + 1, form))
        return FALSE;
      for (guint n = 0; n < nots; n++)
        if (!push_step (compiler, STEP_NOT, 0))
          return FALSE;
      if (nots > 0)
        *form = (Form) { FALSE };
      return TRUE;
    }
  if (!parse_level (compiler, level + 1, form))
    return FALSE;
  do
    {
      found = NULL;
      for (const Operator *operator= levels[level]; operator->token != NULL && found == NULL; operator++)
        if (take (compiler, operator->token))
          found = operator;
      if (found != NULL)
        {
          if (!parse_level (compiler, level + 1, &second) || !push_step (compiler, found->kind, 0))
            return FALSE;
          *form = combine (found->kind, *form, second);
        }
    }
  while (found != NULL);
  return TRUE;
}

/* a if c else b */
static gboolean
parse_choice (Compiler *compiler, Form *form)
{
  Form other;

  if (++compiler->depth > MAX_DEPTH)
    return fail (compiler, "the rule is nested deeper than %d", MAX_DEPTH);
  if (!parse_level (compiler, 0, form))
    return FALSE;
  if (take (compiler, "if"))
    {
      if (!parse_level (compiler, 0, &other))
        return FALSE;
      if (!take (compiler, "else"))
        return fail (compiler, "expected 'else'");
      if (!parse_choice (compiler, &other) || !push_step (compiler, STEP_SELECT, 0))
        return FALSE;
      *form = (Form) { FALSE };
    }
  compiler->depth--;
  return TRUE;
}

/* (a i + b j + c) mod P, or without mod when all its values are PUs anyway: it takes
 * its extremes at the corners. A rule whose steps overflow at a corner is evaluated. */
static void
set_linear (TlOwnerRule *rule, Form form)
{
  gint64 p = rule->pus;

  if (!form.affine || (form.modulus != p && form.modulus != 0))
    return;
  for (guint corner = 0; corner < 4; corner++)
    {
      gint64 owner = tl_owner_rule_at (rule, corner & 1 ? rule->tiles - 1 : 0, corner & 2 ? rule->tiles - 1 : 0);

      if (owner < 0 || owner >= p)
        return;
    }
  rule->linear = TRUE;
  rule->a = (guint32) (form.a - floor_divide (form.a, p) * p);
  rule->b = (guint32) (form.b - floor_divide (form.b, p) * p);
  rule->c = (guint32) (form.c - floor_divide (form.c, p) * p);
}

TlOwnerRule *
tl_owner_rule_parse (const char *text, guint32 tiles, guint32 pus, char **reason)
{
  g_autoptr (TlOwnerRule) rule = g_new0 (TlOwnerRule, 1);
  Compiler compiler = { rule, text, text, NULL, 0, 0 };
  Form     form = { FALSE };

  g_return_val_if_fail (tiles > 0 && pus > 0, NULL);
  rule->tiles = tiles;
  rule->pus = pus;
  rule->text = g_strdup (text);
  rule->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  rule->moves = g_array_new (FALSE, FALSE, sizeof (TlOwnerMove));
  if (strlen (text) > MAX_TEXT)
    fail (&compiler, "the rule is longer than %u bytes", MAX_TEXT);
  else if (parse_choice (&compiler, &form))
    {
      skip (&compiler);
      if (*compiler.at != '\0')
        fail (&compiler, "expected an operator, not '%.12s'", compiler.at);
    }
  if (compiler.reason != NULL)
    {
      if (reason != NULL)
        *reason = compiler.reason;
      else
        g_free (compiler.reason);
      return NULL;
    }
  set_linear (rule, form);
  return g_steal_pointer (&rule);
}

void
tl_owner_rule_free (TlOwnerRule *rule)
{
  g_free (rule->text);
  g_array_unref (rule->steps);
  g_array_unref (rule->moves);
  g_free (rule);
}

char *
tl_owner_modulo_text (guint32 tiles, guint32 pus)
{
  return g_strdup_printf ("(i * %u + j) mod %u", tiles, pus);
}

char *
tl_owner_skewed_text (guint32 tiles, guint32 pus)
{
  return g_strdup_printf ("(i * %u + j) mod %u", tiles | 1, pus);
}

void
tl_owner_rule_move (TlOwnerRule *rule, const TlOwnerMove *moves, guint n_moves)
{
  if (n_moves > 0)
    g_array_append_vals (rule->moves, moves, n_moves);
}

const TlOwnerMove *
tl_owner_rule_moves (const TlOwnerRule *rule, guint *n_moves)
{
  *n_moves = rule->moves->len;
  return (const TlOwnerMove *) rule->moves->data;
}

guint32
tl_owner_rule_tiles (const TlOwnerRule *rule)
{
  return rule->tiles;
}

guint32
tl_owner_rule_pus (const TlOwnerRule *rule)
{
  return rule->pus;
}

gboolean
tl_owner_rule_linear (const TlOwnerRule *rule, guint32 *a, guint32 *b, guint32 *c)
{
  *a = rule->a;
  *b = rule->b;
  *c = rule->c;
  return rule->linear;
}

static gint64
evaluate (const TlOwnerRule *rule, guint32 i, guint32 j)
{
  gint64 stack[MAX_STEPS];
  guint  top = 0;

  for (guint s = 0; s < rule->steps->len; s++)
    {
      const Step *step = &g_array_index (rule->steps, Step, s);

      switch (step->kind)
        {
        case STEP_I:
          stack[top++] = i;
          break;
        case STEP_J:
          stack[top++] = j;
          break;
        case STEP_CONSTANT:
          stack[top++] = step->value;
          break;
        case STEP_NEGATE:
          if (!apply (STEP_SUBTRACT, 0, stack[top - 1], &stack[top - 1]))
            return G_MININT64;
          break;
        case STEP_NOT:
          stack[top - 1] = stack[top - 1] == 0;
          break;
        case STEP_SELECT:
          top -= 2;
          stack[top - 1] = stack[top] != 0 ? stack[top - 1] : stack[top + 1];
          break;
        default:
          top--;
          if (!apply (step->kind, stack[top - 1], stack[top], &stack[top - 1]))
            return G_MININT64;
        }
    }
  return stack[0];
}

gint64
tl_owner_rule_at (const TlOwnerRule *rule, guint32 i, guint32 j)
{
  for (guint m = rule->moves->len; m > 0; m--)
    {
      const TlOwnerMove *move = &g_array_index (rule->moves, TlOwnerMove, m - 1);

      if (move->i == i && move->j == j)
        return move->pu;
    }
  return evaluate (rule, i, j);
}

gboolean
tl_owner_rule_check (const TlOwnerRule *rule, guint32 *i, guint32 *j, gint64 *value)
{
  for (guint m = 0; m < rule->moves->len; m++)
    {
      const TlOwnerMove *move = &g_array_index (rule->moves, TlOwnerMove, m);

      if (move->i >= rule->tiles || move->j >= rule->tiles || move->pu >= rule->pus)
        {
          *i = move->i;
          *j = move->j;
          *value = move->pu;
          return FALSE;
        }
    }
  if (rule->linear)
    return TRUE;
  for (*i = 0; *i < rule->tiles; (*i)++)
    for (*j = 0; *j < rule->tiles; (*j)++)
      {
        *value = evaluate (rule, *i, *j);
        if (*value < 0 || *value >= rule->pus)
          return FALSE;
      }
  return TRUE;
}

void
tl_owner_rule_fill (const TlOwnerRule *rule, guint16 *map)
{
  guint32 start = rule->c;

  for (guint32 i = 0; i < rule->tiles; i++)
    {
      guint16 *row = map + (gsize) i * rule->tiles;
      guint32  owner = start;

      for (guint32 j = 0; j < rule->tiles && !rule->linear; j++)
        row[j] = (guint16) evaluate (rule, i, j);
      for (guint32 j = 0; j < rule->tiles && rule->linear; j++)
        {
          row[j] = (guint16) owner;
          owner += rule->b;
          owner -= owner >= rule->pus ? rule->pus : 0;
        }
      start += rule->a;
      start -= start >= rule->pus ? rule->pus : 0;
    }
  for (guint m = 0; m < rule->moves->len; m++)
    {
      const TlOwnerMove *move = &g_array_index (rule->moves, TlOwnerMove, m);

      map[(gsize) move->i * rule->tiles + move->j] = (guint16) move->pu;
    }
}
