/* From the data lines of a program, or from the sources that a stream names, to
 * inputs. The only place where the engine asks for files. */
#include "engine/build-data.h"

#include "base/hash.h"

#include <string.h>

static void
datum_free (gpointer pointer)
{
  TlBuildDatum *datum = pointer;

  g_free (datum->name);
  g_free (datum->cells);
  tl_input_unref (datum->input);
  g_clear_pointer (&datum->plan, tl_input_plan_free);
  g_clear_pointer (&datum->bytes, g_bytes_unref);
  tl_diags_unref (datum->diags);
  g_free (datum);
}

TlBuildData *
tl_build_data_ref (TlBuildData *data)
{
  g_atomic_ref_count_inc (&data->references);
  return data;
}

void
tl_build_data_unref (TlBuildData *data)
{
  if (data == NULL || !g_atomic_ref_count_dec (&data->references))
    return;
  g_ptr_array_unref (data->data);
  g_free (data);
}

const TlBuildDatum *
tl_build_data_find (const TlBuildData *data, const char *name)
{
  for (guint d = 0; data != NULL && d < data->data->len; d++)
    if (strcmp (((TlBuildDatum *) data->data->pdata[d])->name, name) == 0)
      return data->data->pdata[d];
  return NULL;
}

static void
count_records (const TlSequences *sequences, TlDataFacts *fact)
{
  fact->records = sequences->records->len;
  for (guint r = 0; r < sequences->records->len; r++)
    fact->longest = MAX (fact->longest, tl_sequences_get (sequences, r)->length);
}

GArray *
tl_build_data_facts (const TlBuildData *data)
{
  GArray *facts = g_array_new (FALSE, TRUE, sizeof (TlDataFacts));

  for (guint d = 0; d < data->data->len; d++)
    {
      const TlBuildDatum *datum = data->data->pdata[d];
      TlDataFacts         fact = { 0 };

      if (datum->input != NULL)
        {
          tl_input_facts (datum->input, datum->name, &fact);
          g_free (fact.name);
          if (datum->input->kind == TL_INPUT_READS && datum->input->sequences != NULL)
            count_records (datum->input->sequences, &fact);
        }
      else
        {
          fact.rows = datum->rows;
          fact.columns = datum->columns;
        }
      fact.name = datum->name;
      fact.cells = datum->cells;
      g_array_append_val (facts, fact);
    }
  return facts;
}

/* Is @name assigned by a recurrence? Then its random values are a closure's. */
static gboolean
assigns (TlStmt *const *body, guint n_body, const char *name)
{
  for (guint s = 0; s < n_body; s++)
    {
      const TlStmt *stmt = body[s];

      if ((stmt->kind == TL_STMT_UPDATE || stmt->kind == TL_STMT_ASSIGN) && stmt->target != NULL
          && stmt->target->kind == TL_EXPR_SUBSCRIPT && strcmp (stmt->target->text, name) == 0)
        return TRUE;
      if (assigns (stmt->body, stmt->n_body, name) || assigns (stmt->otherwise, stmt->n_otherwise, name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_output (const TlAst *ast, const char *name)
{
  for (guint a = 0; a < ast->n_algorithms; a++)
    if (assigns (ast->algorithms[a]->body, ast->algorithms[a]->n_body, name))
      return TRUE;
  return FALSE;
}

static gboolean
fill_argument (TlInputArgument *argument, const TlExpr *expr, TlSource *source, TlDiags *diags)
{
  const TlExpr *value = expr;

  argument->span = expr->span;
  if (expr->kind == TL_EXPR_NAMED)
    {
      argument->name = expr->text;
      value = expr->args[0];
    }
  if (tl_expr_integer (value, &argument->integer))
    {
      argument->kind = TL_ARGUMENT_INTEGER;
      argument->real = (double) argument->integer;
      return TRUE;
    }
  if (value->kind == TL_EXPR_STRING)
    {
      argument->kind = TL_ARGUMENT_STRING;
      argument->text = value->text;
      return TRUE;
    }
  argument->kind = TL_ARGUMENT_REAL;
  if (value->kind == TL_EXPR_REAL || value->kind == TL_EXPR_PERCENT)
    {
      argument->real = value->real;
      return TRUE;
    }
  if (value->kind == TL_EXPR_UNARY && strcmp (value->text, "-") == 0 && value->args[0]->kind == TL_EXPR_REAL)
    {
      argument->real = -value->args[0]->real;
      return TRUE;
    }
  tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "bad-argument", source, value->span,
                                "a data source takes numbers and strings"),
                  "it is read before the program runs, so nothing in it can hang on a name");
  return FALSE;
}

/* The call of one data name, with arguments in @arguments. FALSE with an error. */
static gboolean
make_call (TlInputCall *call, GArray *arguments, const TlExpr *expr, TlSource *source, guint64 seed, TlDiags *diags)
{
  call->source = source;
  if (expr == NULL)
    {
      TlInputArgument argument = { .kind = TL_ARGUMENT_INTEGER, .integer = (gint64) (seed & G_MAXINT64) };

      call->function = "random";
      argument.real = (double) argument.integer;
      argument.span = call->span;
      g_array_append_val (arguments, argument);
    }
  else
    {
      call->span = expr->span;
      call->function = expr->text;
      for (guint a = 0; a < expr->n_args; a++)
        {
          TlInputArgument argument = { 0 };

          if (!fill_argument (&argument, expr->args[a], source, diags))
            return FALSE;
          g_array_append_val (arguments, argument);
        }
    }
  call->arguments = (const TlInputArgument *) arguments->data;
  call->n_arguments = arguments->len;
  return TRUE;
}

static guint64
mix (guint64 key, guint64 value)
{
  return tl_fnv1a64 (key, &value, sizeof value);
}

static guint64
mix_text (guint64 key, const char *text, gsize length)
{
  return mix (tl_fnv1a64 (key, text, length), length);
}

static guint64
span_key (guint64 key, const TlSource *source, TlSpan span)
{
  return mix_text (key, tl_source_text (source) + span.start, span.end - span.start);
}

/* Bytes and content of the file a plan wants; 0 bytes for generators. */
static gboolean
fetch (const TlInputPlan *plan, TlInputs *inputs, const char *base, GBytes **bytes, guint64 *content, TlDiags *diags,
       GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (plan->file == NULL)
    return TRUE;
  *bytes = tl_inputs_load (inputs, plan->file, content, cancellable, &error);
  if (*bytes == NULL && base != NULL && *base != '\0' && !g_path_is_absolute (plan->file)
      && g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_autofree char *other = g_build_filename (base, plan->file, NULL);

      *bytes = tl_inputs_load (inputs, other, content, cancellable, NULL);
    }
  if (*bytes == NULL)
    tl_input_missing (plan, error, diags);
  return *bytes != NULL;
}

static TlInput *
load (const TlInputPlan *plan, GBytes *bytes, TlDiags *diags)
{
  gsize         length = 0;
  gconstpointer data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  return tl_input_load (plan, plan->file, data, length, diags);
}

/* A declared extent that is a plain number, 0 for a name. */
static guint64
extent (const TlDataDecl *decl, guint index)
{
  gint64 value = 0;

  return index < decl->n_shape && tl_expr_integer (decl->shape[index], &value) && value > 0 ? (guint64) value : 0;
}

static void
load_datum (TlBuildDatum *datum, const TlAst *ast, const TlDataDecl *decl, guint which, TlInputs *inputs,
            const TlBuildData *previous, guint64 seed, GCancellable *cancellable)
{
  g_autoptr (GArray) arguments = g_array_new (FALSE, TRUE, sizeof (TlInputArgument));
  const TlBuildDatum *old = tl_build_data_find (previous, datum->name);
  TlInputCall         call = { .span = decl->name_spans[which], .element = decl->type };
  guint64             content = 0;

  datum->rows = extent (decl, 0);
  datum->columns = decl->n_shape == 1 ? 1 : extent (decl, 1);
  if (decl->damaged)
    return;
  if (call.element.bits == 0 && (decl->source == NULL || g_strcmp0 (decl->source->text, "tensor") != 0))
    tl_element_type_parse ("i32", &call.element);
  call.rows = datum->rows;
  call.columns = datum->columns;
  call.closure = is_output (ast, datum->name);
  if (decl->source == NULL && (datum->rows == 0 || datum->columns == 0))
    return;
  if (decl->source != NULL && (strcmp (decl->source->text, "index") == 0 || strcmp (decl->source->text, "stream") == 0))
    return; /* made from other data when they are needed */
  if (!make_call (&call, arguments, decl->source, ast->source, seed, datum->diags))
    return;
  if (!tl_input_knows (call.function))
    {
      tl_diag_reason (tl_diags_add (datum->diags, TL_SEVERITY_ERROR, "not-on-this-target", ast->source,
                                    decl->source->op_span, "%s (...) is no matrix that a closure can run on",
                                    call.function),
                      "closures take graph, matrix, random, road or powerlaw");
      return;
    }
  datum->plan = tl_input_plan (&call, datum->diags);
  if (datum->plan == NULL || !fetch (datum->plan, inputs, NULL, &datum->bytes, &content, datum->diags, cancellable))
    return;

  datum->key = mix (mix (mix (datum->key, content), call.closure), seed);
  datum->key = span_key (datum->key, ast->source, decl->source != NULL ? decl->source->span : tl_span (0, 0));
  datum->key = mix (mix (datum->key, datum->rows), datum->columns);
  datum->key = mix (datum->key, (guint64) call.element.kind << 32 | (guint64) call.element.bits << 16
                                    | (guint64) call.element.exponent << 8 | call.element.mantissa);
  if (old != NULL && old->key == datum->key && old->input != NULL)
    {
      datum->input = tl_input_ref (old->input);
      datum->reused = TRUE;
      tl_diags_append (datum->diags, old->diags);
    }
  else
    datum->input = load (datum->plan, datum->bytes, datum->diags);
  if (datum->input != NULL)
    {
      datum->rows = datum->input->rows;
      datum->columns = datum->input->columns;
    }
}

gboolean
tl_build_datum_check (const TlBuildDatum *datum, const TlSemiring *semiring, gboolean closure, TlDiags *diags)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  g_autoptr (TlInput) fresh = NULL;

  if (!datum->reused)
    return tl_input_check (datum->input, semiring, closure, diags);
  if (tl_input_check (datum->input, semiring, closure, ignored))
    {
      tl_diags_append (diags, ignored);
      return TRUE;
    }
  fresh = load (datum->plan, datum->bytes, ignored);
  return fresh != NULL && tl_input_check (fresh, semiring, closure, diags);
}

static void
load_table (TlBuildDatum *datum, const TlAst *ast, const TlOpDecl *decl, TlInputs *inputs, GCancellable *cancellable)
{
  const TlExpr *file = decl->value->args[0];
  g_autoptr (GError) error = NULL;
  guint64 content = 0;
  g_autoptr (GBytes) bytes = tl_inputs_load (inputs, file->text, &content, cancellable, &error);
  TlOperator    op = { 0 };
  gsize         length = 0;
  gconstpointer data;

  if (bytes == NULL)
    {
      tl_diag_reason (tl_diags_add (datum->diags, TL_SEVERITY_ERROR, "no-file", ast->source, file->span,
                                    "the table of %s cannot be read: %s", decl->name, error->message),
                      "paths are relative to the program's folder");
      return;
    }
  datum->key = mix (datum->key, content);
  data = g_bytes_get_data (bytes, &length);
  if (!tl_input_table (file->text, data, length, &op, datum->diags))
    return;
  datum->rows = datum->columns = op.size;
  datum->cells = g_memdup2 (op.table, (gsize) op.size * op.size);
  tl_operator_clear (&op);
}

static TlBuildDatum *
datum_new (const char *name)
{
  TlBuildDatum *datum = g_new0 (TlBuildDatum, 1);

  datum->name = g_strdup (name);
  datum->key = mix_text (TL_FNV1A64_START, name, strlen (name));
  datum->diags = tl_diags_new ();
  return datum;
}

static gboolean
is_table_file (const TlOpDecl *decl)
{
  return decl->value != NULL && decl->value->kind == TL_EXPR_CALL && strcmp (decl->value->text, "table") == 0
         && decl->value->n_args == 1 && decl->value->args[0]->kind == TL_EXPR_STRING;
}

static void
add (TlBuildData *data, TlBuildDatum *datum, TlDiags *diags)
{
  tl_diags_append (diags, datum->diags);
  data->key = mix (data->key, datum->key);
  g_ptr_array_add (data->data, datum);
}

TlBuildData *
tl_build_data_load (const TlAst *ast, TlInputs *inputs, const TlBuildData *previous, TlDiags *diags,
                    GCancellable *cancellable)
{
  TlBuildData        *data = g_new0 (TlBuildData, 1);
  const TlConfigItem *seed_item = tl_ast_config (ast, "seed");
  gint64              seed = 0;

  g_atomic_ref_count_init (&data->references);
  data->data = g_ptr_array_new_with_free_func (datum_free);
  data->key = TL_FNV1A64_START;
  if (seed_item != NULL && seed_item->value != NULL)
    tl_expr_integer (seed_item->value, &seed);
  for (guint d = 0; d < ast->n_data; d++)
    for (guint n = 0; n < ast->data[d]->n_names; n++)
      {
        TlBuildDatum *datum = datum_new (ast->data[d]->names[n]);

        load_datum (datum, ast, ast->data[d], n, inputs, previous, (guint64) seed, cancellable);
        add (data, datum, diags);
      }
  for (guint o = 0; o < ast->n_ops; o++)
    if (is_table_file (ast->ops[o]))
      {
        TlBuildDatum *datum = datum_new (ast->ops[o]->name);

        load_table (datum, ast, ast->ops[o], inputs, cancellable);
        add (data, datum, diags);
      }
  return data;
}

/* The source call of a stream's datum, parsed as if it stood in a program. */
static TlAst *
parse_source (const TlDataSource *source, TlDiags *diags)
{
  g_autofree char *text
      = g_strdup_printf ("data D%s%s\n", *source->source != '\0' ? " = " : ": i32[1, 1]", source->source);
  g_autoptr (TlSource) program = tl_source_new (source->source, text, -1);

  return tl_parse (program, diags);
}

/* What a stream's source gives, if it still is what the stream was compiled for. @call
 * holds what the program knows beside it. */
static TlInput *
source_input (const TlDataSource *source, const char *base, TlInputCall *call, guint32 n, guint64 seed,
              TlInputs *inputs, TlDiags *diags, GCancellable *cancellable)
{
  g_autoptr (GArray) arguments = g_array_new (FALSE, TRUE, sizeof (TlInputArgument));
  g_autoptr (TlInputPlan) plan = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (TlAst) ast = parse_source (source, diags);
  const TlExpr *expr;
  guint64       content = 0;

  if (ast->n_data != 1 || ast->damaged)
    return NULL;
  expr = ast->data[0]->source;
  if (expr == NULL || strcmp (expr->text, "random") == 0)
    call->rows = call->columns = n;
  if (!make_call (call, arguments, expr, ast->source, seed, diags))
    return NULL;
  plan = tl_input_plan (call, diags);
  if (plan == NULL || !fetch (plan, inputs, base, &bytes, &content, diags, cancellable))
    return NULL;
  if (content != source->content_hash)
    {
      g_autofree char *was = tl_hash_text (source->content_hash);
      g_autofree char *is = tl_hash_text (content);

      tl_diag_reason (tl_diags_add_at (diags, TL_SEVERITY_ERROR, "content-changed", plan->file, 0, 0,
                                       "the file is not the one that the stream was compiled for"),
                      "its content hash is %s, the stream says %s; compile the program again", is, was);
      return NULL;
    }
  return load (plan, bytes, diags);
}

TlInput *
tl_pipe_input (const TlPipeProgram *program, guint side, TlInputs *inputs, TlDiags *diags, GCancellable *cancellable)
{
  TlInputCall call = { 0 };

  if (program->sides[side] == 0)
    return NULL;
  return source_input (program->data->pdata[program->sides[side] - 1], program->base, &call,
                       (guint32) (side == 0 ? program->rows : program->columns), program->seed, inputs, diags,
                       cancellable);
}

TlInput *
tl_program_input (const TlPimProgram *program, TlInputs *inputs, TlDiags *diags, GCancellable *cancellable)
{
  const TlDataSource *source = program->data->len > 0 ? program->data->pdata[0] : NULL;
  TlInputCall         call = { .element = program->semiring->carrier.element, .closure = TRUE };
  g_autoptr (TlInput) input = NULL;

  if (source == NULL)
    {
      tl_diags_add (diags, TL_SEVERITY_ERROR, "no-data", NULL, tl_span (0, 0), "the program names no data");
      return NULL;
    }
  input = source_input (source, program->base, &call, program->n, program->seed, inputs, diags, cancellable);
  if (input == NULL)
    return NULL;
  if (input->rows != program->n || input->columns != program->n)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "content-changed", input->name, 0, 0,
                       "%s is %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT ", the stream is for %u nodes", input->name,
                       input->rows, input->columns, program->n);
      return NULL;
    }
  return tl_input_check (input, program->semiring, TRUE, diags) ? g_steal_pointer (&input) : NULL;
}
