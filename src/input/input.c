/* Inputs: bytes or nothing in, a checked value out. */
#include "input/input.h"

#include "base/hash.h"
#include "base/number.h"
#include "input/dense.h"
#include "input/generate.h"
#include "input/graph-build.h"
#include "input/gunzip.h"
#include "input/matrix-market.h"
#include "input/tensor.h"

#include "sim/closure.h"

#include <gio/gio.h>
#include <math.h>

/* --- Reading --- */

typedef gboolean (*GraphReader) (TlText *text, TlArcs *arcs, TlNodes *nodes);

/* Tells graph files apart by their first line that says something. */
static GraphReader
graph_reader (TlText *text, const char **format)
{
  TlText  copy = *text;
  TlToken token;

  if (tl_is_matrix_market (text->bytes, text->length))
    {
      *format = "MatrixMarket";
      return tl_read_matrix_market;
    }
  while (tl_text_peek (&copy) == '\0' && tl_text_next_line (&copy))
    ;
  tl_text_token (&copy, 0, &token);
  if (token.text[0] == '#' || token.text[0] == '%' || g_ascii_isdigit (token.text[0]) || token.text[0] == '-')
    {
      *format = "SNAP edge list";
      return tl_read_edge_list;
    }
  if (tl_token_is (token, "c") || tl_token_is (token, "p") || tl_token_is (token, "a"))
    {
      *format = "DIMACS .gr";
      return tl_read_dimacs;
    }
  *text = copy;
  g_autofree char *shown = tl_token_text (token);
  TlDiag          *diag = tl_text_fail (text, token.offset, "unknown-format",
                                        "the file is no graph known here: it begins with \"%s\"", shown);
  tl_diag_reason (diag, "read are SNAP edge lists (FROM TO a line, # comments), DIMACS .gr (p sp, a lines) and "
                        "MatrixMarket (%%%%MatrixMarket)");
  return NULL;
}

static gboolean
read_graph (TlText *text, TlInput *input)
{
  GraphReader reader = graph_reader (text, &input->format);
  TlArcs      arcs;
  TlNodes     nodes = { 0 };

  if (reader == NULL)
    return FALSE;
  tl_arcs_init (&arcs, input->element, text->length / 16); /* a line has about that many bytes */
  gboolean good = reader (text, &arcs, &nodes);
  if (good)
    tl_arcs_finish (&arcs, nodes, input);
  else
    g_free (nodes.ids);
  tl_arcs_clear (&arcs);
  if (good && tl_text_given_up (text))
    good = FALSE;
  return good;
}

static gboolean
is_letters (TlInputKind kind)
{
  return kind == TL_INPUT_READS || kind == TL_INPUT_SEQUENCE || kind == TL_INPUT_GENOME;
}

/* Takes over @sequences: the input has as many rows as they have letters. */
static void
take_sequences (TlInput *input, TlSequences *sequences)
{
  input->sequences = sequences;
  input->format = sequences->format;
  input->rows = sequences->n_letters;
  input->columns = 1;
}

/* A recurrence goes over one sequence, its letters counted from 1. */
static gboolean
is_one_record (const TlInput *input, TlDiags *diags)
{
  if (input->kind != TL_INPUT_SEQUENCE || input->sequences->records->len == 1)
    return TRUE;
  const TlSequenceRecord *second = tl_sequences_get (input->sequences, 1);
  TlDiag                 *diag
      = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "second-record", input->name, (guint) MIN (second->line, G_MAXUINT),
                         1, "the file holds %u sequences", input->sequences->records->len);
  tl_diag_reason (diag, "sequence(...) is one; cut \"%s\" out, or take all of them with reads(...)",
                  tl_sequences_get (input->sequences, 0)->name);
  return FALSE;
}

static gboolean
extents_agree (const TlInputPlan *plan, const TlInput *input, TlDiags *diags)
{
  if ((plan->rows == 0 || plan->rows == input->rows) && (plan->columns == 0 || plan->columns == input->columns))
    return TRUE;
  TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "extents-differ", plan->source, plan->span,
                               "the data is declared %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                               " and %s holds %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT,
                               plan->rows, plan->columns, input->name, input->rows, input->columns);
  tl_diag_reason (diag, "two extents for one thing; leave the declared one out");
  return FALSE;
}

static TlInput *
read_bytes (const TlInputPlan *plan, const char *name, const char *bytes, gsize length, TlDiags *diags)
{
  g_autoptr (TlInput) input = g_new0 (TlInput, 1);
  g_autoptr (GBytes) unpacked = NULL;
  TlText text;

  g_atomic_ref_count_init (&input->refs);
  input->kind = plan->kind;
  input->name = g_strdup (name);
  input->element = plan->element;
  input->plan = tl_input_plan_copy (plan);
  guint64 most = plan->kind == TL_INPUT_TENSOR ? TL_INPUT_MAX_TENSORS : TL_INPUT_MAX_BYTES;
  if (length > most)
    {
      g_autofree char *size = tl_format_bytes (length), *allowed = tl_format_bytes (most);
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "file-too-large", name, 0, 0, "the file has %s", size);
      tl_diag_reason (diag, "readers take at most %s%s; cut the file down", allowed,
                      plan->kind == TL_INPUT_TENSOR ? "" : " of text");
      return NULL;
    }
  input->content_hash = tl_fnv1a64 (TL_FNV1A64_START, bytes, length);
  if (plan->kind == TL_INPUT_TENSOR)
    return tl_read_tensor (input, (const guint8 *) bytes, length, diags) && extents_agree (plan, input, diags)
               ? g_steal_pointer (&input)
               : NULL;
  if (is_letters (plan->kind))
    {
      TlSequences *sequences = tl_sequences_read (name, bytes, length, TL_INPUT_MAX_BYTES, diags);
      if (sequences == NULL)
        return NULL;
      take_sequences (input, sequences);
      return is_one_record (input, diags) ? g_steal_pointer (&input) : NULL;
    }
  if (tl_is_gzip (bytes, length))
    {
      unpacked = tl_gunzip (name, bytes, length, TL_INPUT_MAX_BYTES, diags);
      if (unpacked == NULL)
        return NULL;
      bytes = g_bytes_get_data (unpacked, &length);
    }
  if (!tl_text_open (&text, name, bytes, length, diags))
    return NULL;
  if (!(plan->kind == TL_INPUT_MATRIX ? tl_read_dense (&text, input) : read_graph (&text, input)))
    {
      if (tl_text_given_up (&text))
        tl_diags_add_at (diags, TL_SEVERITY_NOTE, "given-up", name, (guint) text.line, 1,
                         "reading stops here after %d errors", TL_TEXT_MAX_ERRORS);
      return NULL;
    }
  return extents_agree (plan, input, diags) ? g_steal_pointer (&input) : NULL;
}

static TlInput *
generate_letters (const TlInputPlan *plan)
{
  TlInput *input = g_new0 (TlInput, 1);

  g_atomic_ref_count_init (&input->refs);
  input->kind = plan->kind;
  input->element = plan->element;
  take_sequences (input, tl_sequences_generate (plan->rows, plan->seed));
  return input;
}

TlInput *
tl_input_load (const TlInputPlan *plan, const char *name, gconstpointer bytes, gsize length, TlDiags *diags)
{
  if (plan->file != NULL)
    return read_bytes (plan, name, bytes != NULL ? bytes : "", length, diags);
  static const char *const functions[]
      = { "graph", "matrix", "random", "road", "powerlaw", "reads", "sequence", "genome", "tensor" };
  TlInput *input = is_letters (plan->kind) ? generate_letters (plan) : tl_generate (plan);
  gboolean seed_first = plan->kind == TL_INPUT_RANDOM;
  input->plan = tl_input_plan_copy (plan);
  input->name = g_strdup_printf ("%s(%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT ")", functions[plan->kind],
                                 seed_first ? plan->seed : plan->rows, seed_first ? plan->rows : plan->seed);
  return input;
}

void
tl_input_missing (const TlInputPlan *plan, const GError *error, TlDiags *diags)
{
  gboolean absent = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                    || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  TlDiag *diag
      = tl_diags_add (diags, TL_SEVERITY_ERROR, absent ? "missing-file" : "unreadable-file", plan->source, plan->span,
                      absent ? "there is no file \"%s\"" : "the file \"%s\" cannot be read", plan->file);

  if (absent)
    tl_diag_reason (diag, "paths are relative to the program file; correct the name or put the file there");
  else
    tl_diag_reason (diag, "%s", error != NULL ? error->message : "no reason was given");
}

TlInput *
tl_input_ref (TlInput *input)
{
  g_atomic_ref_count_inc (&input->refs);
  return input;
}

void
tl_input_unref (TlInput *input)
{
  if (input == NULL || !g_atomic_ref_count_dec (&input->refs))
    return;
  if (input->graph != NULL)
    {
      g_free (input->graph->from);
      g_free (input->graph->to);
      g_free (input->graph->weight);
      g_free (input->graph->ids);
      g_free (input->graph);
    }
  tl_matrix_free (input->dense);
  tl_sequences_free (input->sequences);
  tl_input_plan_free (input->plan);
  g_free (input->name);
  g_free (input);
}

gint64
tl_input_node_id (const TlInput *input, guint64 node)
{
  if (input->graph == NULL)
    return (gint64) node;
  return input->graph->ids != NULL ? input->graph->ids[node] : input->graph->first_id + (gint64) node;
}

void
tl_input_facts (const TlInput *input, const char *data, TlDataFacts *facts)
{
  *facts = (TlDataFacts) { .name = g_strdup (data),
                           .rows = input->rows,
                           .columns = input->columns,
                           .content_hash = input->content_hash,
                           .element = input->kind == TL_INPUT_TENSOR ? input->element : (TlElementType) { 0 },
                           .bounds_known = input->bounds_known,
                           .low = input->low,
                           .high = input->high };
}

/* --- Is it on the carrier, do sums fit --- */

static TlDiag *
refuse (const TlInput *input, TlInputPlace place, TlDiags *diags, const char *code, const char *message)
{
  if (input->plan != NULL && input->plan->file == NULL)
    return tl_diags_add (diags, TL_SEVERITY_ERROR, code, input->plan->source, input->plan->span, "%s", message);
  return tl_diags_add_at (diags, TL_SEVERITY_ERROR, code, input->name, (guint) MIN (place.line, G_MAXUINT),
                          (guint) MIN (place.column, G_MAXUINT), "%s", message);
}

static gboolean
on_carrier (const TlInput *input, const TlSemiring *semiring, TlScalar value, TlInputPlace place, TlDiags *diags)
{
  const TlCarrier *carrier = &semiring->carrier;

  if (tl_carrier_contains (carrier, value))
    return TRUE;
  g_autofree char *shown = tl_scalar_text (carrier, value), *low = tl_scalar_text (carrier, carrier->low);
  g_autofree char *high = tl_scalar_text (carrier, carrier->high), *name = tl_semiring_text (semiring);
  g_autofree char *message = g_strdup_printf ("the value %s is not on the carrier of %s", shown, name);
  TlDiag          *diag = refuse (input, place, diags, "not-on-carrier", message);
  tl_diag_reason (diag, "its values are %s to %s%s%s; change the data or the semiring", low, high,
                  carrier->has_inf ? " and inf" : "", carrier->has_minus_inf ? " and -inf" : "");
  return FALSE;
}

static guint64
magnitude_of (const TlInput *input)
{
  if (!input->bounds_known || tl_element_type_is_float (input->element))
    return 0;
  return MAX ((guint64) ABS (input->low.i), (guint64) ABS (input->high.i));
}

static double
real_magnitude_of (const TlInput *input)
{
  if (!input->bounds_known || !tl_element_type_is_float (input->element))
    return 0;
  return MAX (ABS (input->low.r), ABS (input->high.r));
}

static gboolean
sums_fit (const TlInput *input, const TlSemiring *semiring, TlDiags *diags)
{
  TlElementType needed;
  gboolean      real = tl_element_type_is_float (input->element);

  if (semiring->times.kind != TL_OPERATOR_ADD || !input->bounds_known
      || (semiring->plus.kind != TL_OPERATOR_MIN && semiring->plus.kind != TL_OPERATOR_MAX)
      || tl_closure_fits (semiring, input->element, input->rows, magnitude_of (input), real_magnitude_of (input),
                          &needed))
    return TRUE;
  gboolean         low_is_larger = real ? -input->low.r > input->high.r : -input->low.i > input->high.i;
  TlScalar         largest = low_is_larger ? input->low : input->high;
  g_autofree char *shown = tl_scalar_text (&semiring->carrier, largest);
  g_autofree char *steps = tl_format_count (input->rows - 1), *name = tl_element_type_name (input->element);
  TlCarrier        full = tl_carrier_full (input->element);
  g_autofree char *top = tl_scalar_text (&full, full.high);
  g_autofree char *message
      = g_strdup_printf ("sums may not fit %s: a path of %s steps of weight %s", name, steps, shown);
  TlDiag *diag = refuse (input, low_is_larger ? input->low_place : input->high_place, diags, "sums-too-large", message);
  if (needed.bits != 0)
    {
      g_autofree char *wider = tl_element_type_name (needed);
      tl_diag_reason (diag, "(n - 1) max|w| = %s x %s is past %s, the largest %s; declare the data as %s", steps, shown,
                      top, name, wider);
    }
  else
    tl_diag_reason (diag, "(n - 1) max|w| = %s x %s is past %s, the largest %s; %s", steps, shown, top, name,
                    real ? "scale the weights down" : "declare the data as f64 or scale the weights down");
  return FALSE;
}

gboolean
tl_input_check (const TlInput *input, const TlSemiring *semiring, gboolean closure, TlDiags *diags)
{
  gboolean real = tl_element_type_is_float (input->element), good = TRUE;
  TlScalar inf = real ? (TlScalar) { .r = INFINITY } : (TlScalar) { .i = TL_INF };
  TlScalar minus_inf = real ? (TlScalar) { .r = -INFINITY } : (TlScalar) { .i = -TL_INF };

  if (input->sequences != NULL)
    {
      TlDiag *diag = refuse (input, (TlInputPlace) { 1, 1 }, diags, "not-a-matrix", "letters are no matrix of values");
      tl_diag_reason (diag, "a closure or product takes graph, matrix, random, road or powerlaw");
      return FALSE;
    }
  if (closure && input->rows != input->columns)
    {
      g_autofree char *message
          = g_strdup_printf ("the matrix is %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, input->rows, input->columns);
      TlDiag *diag = refuse (input, (TlInputPlace) { 1, 1 }, diags, "not-square", message);
      tl_diag_reason (diag, "a closure's matrix has a row and a column for each node");
      return FALSE;
    }
  if (input->bounds_known)
    {
      good = on_carrier (input, semiring, input->low, input->low_place, diags) && good;
      if (tl_scalar_compare (&semiring->carrier, input->low, input->high) != 0)
        good = on_carrier (input, semiring, input->high, input->high_place, diags) && good;
    }
  if (input->has_inf)
    good = on_carrier (input, semiring, inf, input->inf_place, diags) && good;
  if (input->has_minus_inf)
    good = on_carrier (input, semiring, minus_inf, input->minus_inf_place, diags) && good;
  return good && (!closure || sums_fit (input, semiring, diags));
}

/* --- The dense matrix --- */

static void
combine_into (TlMatrix *matrix, const TlSemiring *semiring, guint64 row, guint64 column, TlScalar value)
{
  TlScalar old = tl_matrix_get (matrix, row, column);

  tl_matrix_set (matrix, row, column, tl_operator_evaluate (&semiring->plus, &semiring->carrier, old, value));
}

TlMatrix *
tl_input_matrix (const TlInput *input, const TlSemiring *semiring, guint64 limit, TlDiags *diags)
{
  g_autoptr (GError) error = NULL;
  g_return_val_if_fail (input->sequences == NULL, NULL);
  gboolean ordered = semiring->plus.kind == TL_OPERATOR_MIN || semiring->plus.kind == TL_OPERATOR_MAX;
  guint64  magnitude = ordered ? tl_closure_reach (semiring, input->rows, magnitude_of (input)) : G_MAXUINT64;
  TlScalar ends[2] = { semiring->zero, semiring->one };

  for (guint i = 0; i < 2 && !tl_element_type_is_float (input->element); i++)
    if (ends[i].i != TL_INF && ends[i].i != -TL_INF)
      magnitude = MAX (magnitude, (guint64) ABS (ends[i].i));
  TlMatrix *matrix = tl_matrix_new (input->element, magnitude, input->rows, input->columns, limit, &error);
  if (matrix == NULL)
    {
      TlDiag *diag = refuse (input, (TlInputPlace) { 0, 0 }, diags, "matrix-too-large", error->message);
      tl_diag_reason (diag,
                      "values are computed on the whole matrix; run without them (values = off) or on a smaller graph");
      return NULL;
    }
  if (input->dense != NULL)
    {
      for (guint64 i = 0; i < input->rows; i++)
        for (guint64 j = 0; j < input->columns; j++)
          tl_matrix_set (matrix, i, j, tl_matrix_get (input->dense, i, j));
      return matrix;
    }
  if (input->graph == NULL)
    {
      for (guint64 i = 0; i < input->rows; i++)
        for (guint64 j = 0; j < input->columns; j++)
          tl_matrix_set (matrix, i, j, tl_random_element (input->plan, i, j));
      for (guint64 i = 0; input->plan->closure && i < MIN (input->rows, input->columns); i++)
        combine_into (matrix, semiring, i, i, semiring->one);
      return matrix;
    }
  const TlGraph *graph = input->graph;
  tl_matrix_fill (matrix, semiring->zero);
  for (guint64 v = 0; v < graph->n; v++)
    tl_matrix_set (matrix, v, v, semiring->one);
  for (guint64 a = 0; a < graph->n_arcs; a++)
    combine_into (matrix, semiring, graph->from[a], graph->to[a],
                  graph->weight != NULL ? graph->weight[a] : tl_unit_weight (input->element));
  return matrix;
}
