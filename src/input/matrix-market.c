/* The MatrixMarket exchange format: a banner, '%' comments, a size line, then entries
 * (coordinate: ROW COLUMN [VALUE]) or values column by column (array). */
#include "input/matrix-market.h"

#include "base/number.h"
#include "input/graph-build.h"

#include <string.h>

typedef enum
{
  GENERAL,
  SYMMETRIC,
  SKEW
} Symmetry;

typedef struct
{
  TlText       *text;
  TlElementType element;
  gboolean      infinite;
  gboolean      array;
  gboolean      pattern;
  Symmetry      symmetry;
  guint64       rows;
  guint64       columns;
  guint64       declared;
  guint64       line; /* of the size line */
  guint64       held;
  guint64       at_row; /* array: the next value */
  guint64       at_column;
  TlEntryFunc   entry;
  gpointer      data;
} Market;

gboolean
tl_is_matrix_market (const char *bytes, gsize length)
{
  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    {
      bytes += 3;
      length -= 3;
    }
  return length >= 14 && g_ascii_strncasecmp (bytes, "%%MatrixMarket", 14) == 0;
}

/* Index of the word in @words, or -1 with a diagnostic that lists them. */
static int
choose (Market *market, const char *what, const char *const *words, guint n_words)
{
  TlToken  token;
  gboolean there = tl_text_token (market->text, 0, &token);

  for (guint i = 0; i < n_words && there; i++)
    if (tl_token_is_word (token, words[i]))
      return (int) i;
  g_autofree char *shown = tl_token_text (token);
  g_autoptr (GString) list = g_string_new (NULL);
  for (guint i = 0; i < n_words; i++)
    g_string_append_printf (list, "%s%s", i == 0 ? "" : i + 1 == n_words ? " or " : ", ", words[i]);
  TlDiag *diag = there ? tl_text_fail (market->text, token.offset, "unknown-format", "the %s is \"%s\"", what, shown)
                       : tl_text_fail (market->text, token.offset, "bad-columns", "the banner says no %s", what);
  tl_diag_reason (diag, "read here are %s; convert the file", list->str);
  return -1;
}

static gboolean
read_banner (Market *market)
{
  static const char *const objects[] = { "matrix" };
  static const char *const formats[] = { "coordinate", "array" };
  static const char *const fields[] = { "real", "integer", "pattern", "double" };
  static const char *const symmetries[] = { "general", "symmetric", "skew-symmetric" };
  TlToken                  banner;
  int                      format, field, symmetry;

  tl_text_token (market->text, 0, &banner);
  if (choose (market, "object", objects, 1) < 0 || (format = choose (market, "format", formats, 2)) < 0
      || (field = choose (market, "field", fields, 4)) < 0
      || (symmetry = choose (market, "symmetry", symmetries, 3)) < 0)
    return FALSE;
  market->array = format == 1;
  market->pattern = field == 2;
  market->symmetry = (Symmetry) symmetry;
  if (market->pattern && (market->array || market->symmetry == SKEW))
    {
      TlDiag *diag = tl_text_fail (market->text, banner.offset, "unknown-format", "a pattern cannot be %s",
                                   market->array ? "an array" : "skew-symmetric");
      tl_diag_reason (diag, "a pattern lists the places of entries and holds no values");
      return FALSE;
    }
  return TRUE;
}

static gboolean
no_more_columns (Market *market, const char *form)
{
  TlToken token;

  if (!tl_text_token (market->text, 0, &token))
    return TRUE;
  g_autofree char *shown = tl_token_text (token);
  TlDiag *diag = tl_text_fail (market->text, token.offset, "bad-columns", "\"%s\" is one column too many", shown);
  tl_diag_reason (diag, "the line should read \"%s\"", form);
  return FALSE;
}

static gboolean
column (Market *market, const char *form, TlToken *token)
{
  if (tl_text_token (market->text, 0, token))
    return TRUE;
  TlDiag *diag = tl_text_fail (market->text, market->text->at, "bad-columns", "the line ends too early");
  tl_diag_reason (diag, "it should read \"%s\"; is the file cut off here?", form);
  return FALSE;
}

static gboolean
read_size (Market *market)
{
  const char *form = market->array ? "ROWS COLUMNS" : "ROWS COLUMNS ENTRIES";
  TlText     *text = market->text;
  TlToken     token;

  if (!column (market, form, &token)
      || !tl_text_whole (text, token, "the number of rows", TL_INPUT_MAX_NODES, &market->rows)
      || !column (market, form, &token)
      || !tl_text_whole (text, token, "the number of columns", TL_INPUT_MAX_NODES, &market->columns))
    return FALSE;
  if (market->array)
    {
      guint64 n = market->rows;
      if (market->symmetry != GENERAL && n != market->columns)
        {
          TlDiag *diag
              = tl_text_fail (text, text->line_start, "not-square",
                              "a symmetric matrix of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, n, market->columns);
          tl_diag_reason (diag, "only a square one is symmetric; correct the size or the banner");
          return FALSE;
        }
      market->declared = market->symmetry == GENERAL     ? n * market->columns
                         : market->symmetry == SYMMETRIC ? n * (n + 1) / 2
                                                         : n * (n - (n > 0)) / 2;
      market->at_row = market->symmetry == SKEW ? 1 : 0;
    }
  else if (!column (market, form, &token)
           || !tl_text_whole (text, token, "the number of entries", G_MAXINT64, &market->declared))
    return FALSE;
  market->line = text->line;
  if (!no_more_columns (market, form))
    return FALSE;
  if (market->rows == 0 || market->columns == 0)
    {
      TlDiag *diag = tl_text_fail (text, text->line_start, "empty-file", "the matrix has no elements");
      tl_diag_reason (diag, "a matrix needs at least one row and one column");
      return FALSE;
    }
  return TRUE;
}

static gboolean
index_of (Market *market, TlToken token, const char *what, guint64 extent, guint64 *index)
{
  guint64 number;

  if (!tl_text_whole (market->text, token, what, G_MAXINT64, &number))
    return FALSE;
  if (number >= 1 && number <= extent)
    {
      *index = number - 1;
      return TRUE;
    }
  g_autofree char *extents = tl_format_count (extent);
  TlDiag          *diag = tl_text_fail (market->text, token.offset, "id-out-of-range",
                                        "%s %" G_GUINT64_FORMAT " is not one of 1 to %s", what, number, extents);
  tl_diag_reason (diag, "line %" G_GUINT64_FORMAT " declares %s and they count from 1; correct the one or the other",
                  market->line, extents);
  return FALSE;
}

static TlScalar
negated (TlElementType element, TlScalar value)
{
  if (tl_element_type_is_float (element))
    return (TlScalar) { .r = -value.r };
  return (TlScalar) { .i = value.i == TL_INF ? -TL_INF : value.i == -TL_INF ? TL_INF : -value.i };
}

static void
give (Market *market, guint64 row, guint64 column_index, TlScalar value, TlInputPlace place)
{
  market->entry (market->data, row, column_index, value, place);
  if (market->symmetry == GENERAL || row == column_index)
    return;
  market->entry (market->data, column_index, row, market->symmetry == SKEW ? negated (market->element, value) : value,
                 place);
}

static void
read_entry (Market *market)
{
  const char  *form = market->pattern ? "ROW COLUMN" : "ROW COLUMN VALUE";
  TlText      *text = market->text;
  TlToken      row_token, column_token, token;
  guint64      row, column_index;
  TlScalar     value = tl_unit_weight (market->element);
  TlInputPlace place;

  market->held++;
  if (!column (market, form, &row_token) || !index_of (market, row_token, "row", market->rows, &row)
      || !column (market, form, &column_token)
      || !index_of (market, column_token, "column", market->columns, &column_index))
    return;
  place = (TlInputPlace) { text->line, row_token.offset - text->line_start + 1 };
  if (!market->pattern)
    {
      if (!column (market, form, &token) || !tl_text_value (text, token, market->element, market->infinite, &value))
        return;
      place.column = token.offset - text->line_start + 1;
    }
  if (!no_more_columns (market, form))
    return;
  if (market->symmetry == SKEW && row == column_index)
    {
      TlDiag *diag = tl_text_fail (text, row_token.offset, "bad-symmetry",
                                   "a skew-symmetric matrix has no entry on its diagonal");
      tl_diag_reason (diag, "entry (r, r) would be its own negative; leave it out or change the banner");
      return;
    }
  if (market->symmetry == SKEW && market->element.kind == TL_ELEMENT_UINT && value.i != 0)
    {
      g_autofree char *name = tl_element_type_name (market->element);
      TlDiag          *diag = tl_text_fail (text, token.offset, "value-too-large",
                                            "the mirrored value is negative and does not fit %s", name);
      tl_diag_reason (diag, "%s holds no negative values; declare a signed type", name);
      return;
    }
  give (market, row, column_index, value, place);
}

static void
read_values (Market *market)
{
  TlText  *text = market->text;
  TlToken  token;
  TlScalar value;

  while (tl_text_token (text, 0, &token) && !tl_text_given_up (text))
    {
      gboolean good = tl_text_value (text, token, market->element, market->infinite, &value);
      if (++market->held > market->declared)
        continue;
      if (good)
        give (market, market->at_row, market->at_column, value,
              (TlInputPlace) { text->line, token.offset - text->line_start + 1 });
      if (++market->at_row == market->rows)
        {
          market->at_column++;
          market->at_row = market->symmetry == GENERAL     ? 0
                           : market->symmetry == SYMMETRIC ? market->at_column
                                                           : market->at_column + 1;
        }
    }
}

gboolean
tl_matrix_market (TlText *text, TlElementType element, gboolean infinite, TlSizeFunc size, TlEntryFunc entry,
                  gpointer data)
{
  Market   market = { .text = text, .element = element, .infinite = infinite, .entry = entry, .data = data };
  gboolean sized = FALSE;

  if (!read_banner (&market))
    return FALSE;
  while (tl_text_next_line (text) && !tl_text_given_up (text))
    {
      char first = tl_text_peek (text);
      if (first == '\0' || first == '%')
        continue;
      if (sized && market.array)
        read_values (&market);
      else if (sized)
        read_entry (&market);
      else if (!(sized = read_size (&market))
               || !size (data, text, market.rows, market.columns, market.pattern, market.array))
        return FALSE;
    }
  gboolean good = text->errors == 0;
  if (tl_text_given_up (text))
    return FALSE;
  if (!sized)
    {
      TlDiag *diag = tl_text_fail (text, text->at, "truncated-file", "the file ends before its size line");
      tl_diag_reason (diag, "after the banner and comments comes \"ROWS COLUMNS%s\"", market.array ? "" : " ENTRIES");
      return FALSE;
    }
  if (market.held != market.declared)
    {
      g_autofree char *said = tl_format_count (market.declared), *held = tl_format_count (market.held);
      gboolean         few = market.held < market.declared;
      TlDiag *diag = tl_diags_add_at (text->diags, TL_SEVERITY_ERROR, few ? "truncated-file" : "count-mismatch",
                                      text->name, (guint) market.line, 1, "the file declares %s %s and holds %s", said,
                                      market.array ? "values" : "entries", held);
      tl_diag_reason (diag, few ? "it is cut off, or the count is wrong; fetch it again or correct the size line"
                                : "correct the size line, or take out what is too much");
      return FALSE;
    }
  return good;
}

/* --- As a graph --- */

typedef struct
{
  TlArcs  *arcs;
  TlNodes *nodes;
} Graph;

static gboolean
graph_size (gpointer data, TlText *text, guint64 rows, guint64 columns, gboolean pattern, gboolean array)
{
  Graph *graph = data;

  if (rows != columns)
    {
      TlDiag *diag = tl_text_fail (text, text->line_start, "not-square",
                                   "the matrix is %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, rows, columns);
      tl_diag_reason (diag, "a graph's matrix has a row and a column for each node; read others with matrix (\"...\")");
      return FALSE;
    }
  graph->nodes->n = rows;
  graph->nodes->first_id = 1;
  graph->arcs->weighted = !pattern && graph->arcs->element.kind != TL_ELEMENT_BOOL;
  return TRUE;
}

static void
graph_entry (gpointer data, guint64 row, guint64 column_index, TlScalar value, TlInputPlace place)
{
  Graph *graph = data;

  /* Of a bool matrix only what is true is an arc. */
  if (graph->arcs->element.kind == TL_ELEMENT_BOOL && value.i == 0)
    return;
  tl_arcs_add (graph->arcs, (guint32) row, (guint32) column_index, value, place);
}

gboolean
tl_read_matrix_market (TlText *text, TlArcs *arcs, TlNodes *nodes)
{
  Graph graph = { arcs, nodes };
  return tl_matrix_market (text, arcs->element, FALSE, graph_size, graph_entry, &graph);
}
