/* Source calls: which reader or generator, with which arguments. */
#include "input/input.h"

#include "base/number.h"

#include <string.h>

/* Most nodes a graph generator makes, and a dense random matrix has a side. */
#define MAX_GENERATED (1 << 22)
#define MAX_LETTERS   (1 << 28)

typedef enum
{
  WANT_FILE,
  WANT_NAME,
  WANT_INTEGER,
  WANT_REAL
} Want;

typedef struct
{
  const char *name;
  Want        want;
  gboolean    required;
  gboolean    positional;
} Parameter;

#define MAX_PARAMETERS 5

static const struct
{
  const char *function;
  TlInputKind kind;
  const char *form; /* as the remedy shows it */
  Parameter   parameters[MAX_PARAMETERS];
} calls[] = {
  { "graph", TL_INPUT_GRAPH, "graph(\"FILE\")", { { "file", WANT_FILE, TRUE, TRUE } } },
  { "matrix", TL_INPUT_MATRIX, "matrix(\"FILE.csv\")", { { "file", WANT_FILE, TRUE, TRUE } } },
  { "random",
    TL_INPUT_RANDOM,
    "random(SEED, N, low = L, high = H, degree = D), all but SEED optional",
    { { "seed", WANT_INTEGER, TRUE, TRUE },
      { "n", WANT_INTEGER, FALSE, TRUE },
      { "low", WANT_INTEGER, FALSE, FALSE },
      { "high", WANT_INTEGER, FALSE, FALSE },
      { "degree", WANT_REAL, FALSE, FALSE } } },
  { "road",
    TL_INPUT_ROAD,
    "road(N, SEED)",
    { { "n", WANT_INTEGER, TRUE, TRUE }, { "seed", WANT_INTEGER, TRUE, TRUE } } },
  { "powerlaw",
    TL_INPUT_POWERLAW,
    "powerlaw(N, SEED, degree = D), degree optional",
    { { "n", WANT_INTEGER, TRUE, TRUE },
      { "seed", WANT_INTEGER, TRUE, TRUE },
      { "degree", WANT_REAL, FALSE, FALSE } } },
  { "reads", TL_INPUT_READS, "reads(\"FILE.fastq\")", { { "file", WANT_FILE, TRUE, TRUE } } },
  { "sequence", TL_INPUT_SEQUENCE, "sequence(\"FILE.fa\")", { { "file", WANT_FILE, TRUE, TRUE } } },
  { "genome",
    TL_INPUT_GENOME,
    "genome(N, SEED)",
    { { "n", WANT_INTEGER, TRUE, TRUE }, { "seed", WANT_INTEGER, TRUE, TRUE } } },
  { "tensor",
    TL_INPUT_TENSOR,
    "tensor(\"FILE.safetensors\", \"NAME\"), or a FILE.gguf",
    { { "file", WANT_FILE, TRUE, TRUE }, { "name", WANT_NAME, TRUE, TRUE } } },
};

gboolean
tl_input_knows (const char *function)
{
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (function != NULL && strcmp (function, calls[i].function) == 0)
      return TRUE;
  return FALSE;
}

/* --- Arguments to parameters --- */

typedef struct
{
  const TlInputCall     *call;
  TlDiags               *diags;
  const Parameter       *parameters;
  guint                  n_parameters;
  const char            *function;
  const char            *form;
  const TlInputArgument *given[MAX_PARAMETERS];
  guint                  errors;
} Binding;

static TlDiag *wrong (Binding *binding, TlSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

static TlDiag *
wrong (Binding *binding, TlSpan span, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  binding->errors++;
  TlDiag *diag
      = tl_diags_add (binding->diags, TL_SEVERITY_ERROR, "bad-source", binding->call->source, span, "%s", message);
  return tl_diag_reason (diag, "it goes %s", binding->form);
}

static const char *const kind_words[] = { "a whole number", "a number", "a string" };

static void
check_kind (Binding *binding, const Parameter *parameter, const TlInputArgument *argument)
{
  static const char *const wants[]
      = { "a file name in double quotes", "a name in double quotes", "a whole number", "a number" };
  gboolean good = parameter->want <= WANT_NAME      ? argument->kind == TL_ARGUMENT_STRING
                  : parameter->want == WANT_INTEGER ? argument->kind == TL_ARGUMENT_INTEGER
                                                    : argument->kind != TL_ARGUMENT_STRING;

  if (!good)
    wrong (binding, argument->span, "%s of %s is %s, not %s", parameter->name, binding->function,
           kind_words[argument->kind], wants[parameter->want]);
  else if (parameter->want == WANT_FILE && argument->text[0] == '\0')
    wrong (binding, argument->span, "the file name is empty");
  else if (parameter->want == WANT_NAME && argument->text[0] == '\0')
    wrong (binding, argument->span, "the name is empty");
}

static void
bind (Binding *binding)
{
  guint next = 0;

  for (guint a = 0; a < binding->call->n_arguments; a++)
    {
      const TlInputArgument *argument = &binding->call->arguments[a];
      guint                  p = next;
      if (argument->name != NULL)
        for (p = 0; p < binding->n_parameters; p++)
          if (strcmp (binding->parameters[p].name, argument->name) == 0)
            break;
      if (p >= binding->n_parameters || (argument->name == NULL && !binding->parameters[p].positional))
        {
          if (argument->name != NULL)
            wrong (binding, argument->span, "%s has no argument %s", binding->function, argument->name);
          else
            wrong (binding, argument->span, "%s takes fewer arguments", binding->function);
          continue;
        }
      if (argument->name == NULL)
        next++;
      if (binding->given[p] != NULL)
        {
          wrong (binding, argument->span, "%s is given twice", binding->parameters[p].name);
          continue;
        }
      binding->given[p] = argument;
      check_kind (binding, &binding->parameters[p], argument);
    }
  for (guint p = 0; p < binding->n_parameters; p++)
    if (binding->parameters[p].required && binding->given[p] == NULL)
      wrong (binding, binding->call->span, "%s needs %s", binding->function,
             binding->parameters[p].want == WANT_FILE ? "a file name" : binding->parameters[p].name);
}

static const TlInputArgument *
given (const Binding *binding, const char *name)
{
  for (guint p = 0; p < binding->n_parameters; p++)
    if (strcmp (binding->parameters[p].name, name) == 0)
      return binding->given[p];
  return NULL;
}

/* --- Generators --- */

static void
plan_extents (Binding *binding, TlInputPlan *plan)
{
  const TlInputCall     *call = binding->call;
  const TlInputArgument *n = given (binding, "n");

  plan->rows = call->rows;
  plan->columns = call->columns != 0 ? call->columns : call->rows;
  if (n != NULL)
    {
      if (n->integer < 1 || n->integer > MAX_GENERATED)
        {
          wrong (binding, n->span, "%s makes 1 to 4,194,304 nodes, not %" G_GINT64_FORMAT, binding->function,
                 n->integer);
          return;
        }
      if (call->rows != 0 && (call->rows != (guint64) n->integer || plan->columns != (guint64) n->integer))
        {
          TlDiag *diag = wrong (binding, n->span,
                                "the data is declared %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                                " and %s makes %" G_GINT64_FORMAT " nodes",
                                call->rows, plan->columns, binding->function, n->integer);
          tl_diag_reason (diag, "two extents for one thing; leave one of them out");
          return;
        }
      plan->rows = plan->columns = (guint64) n->integer;
    }
  if (plan->rows == 0)
    {
      TlDiag *diag = wrong (binding, call->span, "the size of the data is not known");
      tl_diag_reason (diag, "declare it, D: i32[64, 64], or say it, random(1, 64)");
    }
  else if (plan->rows > MAX_GENERATED || plan->columns > MAX_GENERATED)
    wrong (binding, call->span, "%s makes at most 4,194,304 rows and columns", binding->function);
}

/* Small whole numbers that the type holds exactly. */
static void
plan_range (Binding *binding, TlInputPlan *plan)
{
  const TlInputArgument *low = given (binding, "low"), *high = given (binding, "high");
  TlElementType          element = plan->element;
  gboolean               real = tl_element_type_is_float (element);
  gint64 top = real ? (gint64) MIN (tl_carrier_full (element).high.r, (double) (1 << MIN (element.mantissa + 1, 20)))
                    : tl_element_type_max (element);
  gint64 bottom = real ? -top : tl_element_type_min (element);

  plan->low = bottom < 0 && !plan->closure && plan->degree == 0 ? MAX (bottom, -8) : 0;
  plan->high = MIN (top, plan->low < 0 ? 7 : 15);
  if (low != NULL)
    plan->low = low->integer;
  if (high != NULL)
    plan->high = high->integer;
  else if (plan->high < plan->low)
    plan->high = plan->low <= top - 15 ? plan->low + 15 : top;
  if (low == NULL && plan->low > plan->high)
    plan->low = MAX (bottom, plan->high - 15);
  if (plan->low > plan->high)
    wrong (binding, low->span, "low is %" G_GINT64_FORMAT ", above high, %" G_GINT64_FORMAT, plan->low, plan->high);
  else if (plan->low < bottom || plan->high > top || plan->high == TL_INF || plan->low <= -TL_INF)
    {
      g_autofree char *name = tl_element_type_name (element);
      TlDiag          *diag = wrong (binding,
                            plan->high > top && high != NULL ? high->span
                                     : low != NULL                    ? low->span
                                                                      : binding->call->span,
                                     "values from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " do not fit %s", plan->low,
                                     plan->high, name);
      tl_diag_reason (diag, "%s holds whole numbers from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " exactly", name,
                      bottom, top);
    }
}

static void
plan_letters (Binding *binding, TlInputPlan *plan)
{
  const TlInputArgument *n = given (binding, "n");

  if (n->integer < 1 || n->integer > MAX_LETTERS)
    wrong (binding, n->span, "%s makes 1 to 268,435,456 letters, not %" G_GINT64_FORMAT, binding->function, n->integer);
  plan->rows = (guint64) n->integer;
  plan->columns = 1;
}

static void
plan_generator (Binding *binding, TlInputPlan *plan)
{
  const TlInputArgument *seed = given (binding, "seed"), *degree = given (binding, "degree");

  plan->seed = seed != NULL ? (guint64) seed->integer : 0;
  if (plan->kind == TL_INPUT_GENOME)
    {
      plan_letters (binding, plan);
      return;
    }
  plan_extents (binding, plan);
  if (binding->errors > 0)
    return;
  if (plan->kind == TL_INPUT_POWERLAW)
    plan->degree = 6;
  if (degree != NULL)
    {
      plan->degree = degree->kind == TL_ARGUMENT_INTEGER ? (double) degree->integer : degree->real;
      if (!(plan->degree > 0 && plan->degree <= 128))
        wrong (binding, degree->span, "degree is not above 0 and at most 128");
      else if (plan->rows != plan->columns)
        wrong (binding, degree->span, "arcs need a square matrix");
    }
  if (plan->kind != TL_INPUT_RANDOM && plan->rows != plan->columns)
    wrong (binding, binding->call->span, "%s makes a square matrix", binding->function);
  if (plan->kind == TL_INPUT_RANDOM)
    plan_range (binding, plan);
  if (binding->errors == 0 && plan->kind == TL_INPUT_ROAD && !tl_element_type_is_float (plan->element)
      && plan->element.kind != TL_ELEMENT_BOOL && tl_element_type_max (plan->element) < 2829)
    {
      g_autofree char *name = tl_element_type_name (plan->element);
      TlDiag *diag = wrong (binding, binding->call->span, "lengths of up to 2,829 decimetres do not fit %s", name);
      tl_diag_reason (diag, "declare the data as i16 or wider");
    }
}

TlInputPlan *
tl_input_plan (const TlInputCall *call, TlDiags *diags)
{
  const char                  *function = call->function != NULL ? call->function : "random";
  static const TlInputArgument zero_seed = { .kind = TL_ARGUMENT_INTEGER };
  TlInputCall                  whole = *call;

  if (call->function == NULL)
    {
      whole.arguments = &zero_seed;
      whole.n_arguments = 1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (strcmp (function, calls[i].function) != 0)
        continue;
      Binding binding = {
        .call = &whole, .diags = diags, .parameters = calls[i].parameters, .function = function, .form = calls[i].form
      };
      while (binding.n_parameters < MAX_PARAMETERS && calls[i].parameters[binding.n_parameters].name != NULL)
        binding.n_parameters++;
      bind (&binding);
      g_autoptr (TlInputPlan) plan = g_new0 (TlInputPlan, 1);
      plan->kind = calls[i].kind;
      plan->element = call->element;
      plan->rows = call->rows;
      plan->columns = call->columns;
      plan->closure = call->closure;
      plan->span = call->span;
      plan->source = call->source != NULL ? tl_source_ref (call->source) : NULL;
      if (given (&binding, "file") != NULL)
        plan->file = g_strdup (given (&binding, "file")->text);
      if (binding.errors == 0 && given (&binding, "name") != NULL)
        plan->tensor = g_strdup (given (&binding, "name")->text);
      if (binding.errors == 0 && calls[i].parameters[0].want != WANT_FILE)
        plan_generator (&binding, plan);
      return binding.errors == 0 ? g_steal_pointer (&plan) : NULL;
    }
  TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "unknown-source", call->source, call->span,
                               "data cannot come from %s", function);
  tl_diag_reason (diag, "known here are graph, matrix, random, road, powerlaw, reads, sequence, genome and tensor");
  return NULL;
}

TlInputPlan *
tl_input_plan_copy (const TlInputPlan *plan)
{
  TlInputPlan *copy = g_memdup2 (plan, sizeof *plan);

  copy->file = g_strdup (plan->file);
  copy->tensor = g_strdup (plan->tensor);
  copy->source = plan->source != NULL ? tl_source_ref (plan->source) : NULL;
  return copy;
}

void
tl_input_plan_free (TlInputPlan *plan)
{
  if (plan == NULL)
    return;
  g_clear_pointer (&plan->source, tl_source_unref);
  g_free (plan->file);
  g_free (plan->tensor);
  g_free (plan);
}
