/* Dense matrices: comma separated rows (semicolons and blanks serve too), and
 * MatrixMarket files as they stand, missing entries 0. Operator tables are read the
 * same way. */
#include "input/dense.h"

#include "base/number.h"
#include "input/matrix-market.h"

#include <gio/gio.h>
#include <math.h>

typedef struct
{
  TlElementType element;
  GArray       *values; /* of TlScalar, row by row */
  GArray       *places; /* of TlInputPlace beside them; NULL when not wanted */
  guint64       rows;
  guint64       columns;
  guint64       first_line; /* of the first row */
  TlInput      *input;      /* bounds are noted here; NULL for tables */
} Dense;

static void
note (TlInput *input, TlScalar value, TlInputPlace place)
{
  gboolean real = tl_element_type_is_float (input->element);

  if (real ? isinf (value.r) : value.i == TL_INF || value.i == -TL_INF)
    {
      gboolean      minus = real ? value.r < 0 : value.i < 0;
      gboolean     *has = minus ? &input->has_minus_inf : &input->has_inf;
      TlInputPlace *first = minus ? &input->minus_inf_place : &input->inf_place;
      if (!*has)
        *first = place;
      *has = TRUE;
      return;
    }
  if (!input->bounds_known || (real ? value.r < input->low.r : value.i < input->low.i))
    {
      input->low = value;
      input->low_place = place;
    }
  if (!input->bounds_known || (real ? value.r > input->high.r : value.i > input->high.i))
    {
      input->high = value;
      input->high_place = place;
    }
  input->bounds_known = TRUE;
}

/* What stands between values: a comma or semicolon if the first row has one. */
static char
find_separator (const TlText *text)
{
  for (gsize i = text->at; i < text->length && text->bytes[i] != '\n' && text->bytes[i] != '\r'; i++)
    if (text->bytes[i] == ',' || text->bytes[i] == ';')
      return text->bytes[i];
  return 0;
}

/* One row; FALSE when a cell is wrong. */
static gboolean
read_row (TlText *text, Dense *dense, char separator)
{
  guint64  columns = 0;
  TlToken  token;
  TlScalar value;

  do
    {
      if (columns > 0 && separator != 0)
        text->at++; /* over the separator seen below */
      if (!tl_text_token (text, separator, &token))
        {
          TlDiag *diag = tl_text_fail (text, token.offset, "bad-number", "a value is missing");
          tl_diag_reason (diag, "between two separators, or at the end of a row, stands nothing; write 0 or inf");
          return FALSE;
        }
      if (!tl_text_value (text, token, dense->element, TRUE, &value))
        return FALSE;
      TlInputPlace place = { text->line, token.offset - text->line_start + 1 };
      g_array_append_val (dense->values, value);
      if (dense->places != NULL)
        g_array_append_val (dense->places, place);
      if (dense->input != NULL)
        note (dense->input, value, place);
      columns++;
      char next = tl_text_peek (text);
      if (next != '\0' && separator != 0 && next != separator)
        {
          TlDiag *diag = tl_text_fail (text, text->at, "bad-columns", "a separator is missing");
          tl_diag_reason (diag, "the first row puts '%c' between its values", separator);
          return FALSE;
        }
    }
  while (tl_text_peek (text) != '\0');
  if (dense->rows == 0)
    {
      dense->columns = columns;
      dense->first_line = text->line;
    }
  if (columns != dense->columns)
    {
      TlDiag *diag = tl_text_fail (text, columns > dense->columns ? token.offset : text->at, "bad-columns",
                                   "this row has %" G_GUINT64_FORMAT " values, the first (line %" G_GUINT64_FORMAT
                                   ") has %" G_GUINT64_FORMAT,
                                   columns, dense->first_line, dense->columns);
      tl_diag_reason (diag, columns < dense->columns ? "a row is short; is the file cut off here?"
                                                     : "rows are of one length");
      return FALSE;
    }
  dense->rows++;
  return TRUE;
}

static gboolean
read_rows (TlText *text, Dense *dense)
{
  int separator = -1;

  do
    {
      char first = tl_text_peek (text);
      if (first == '\0' || first == '#')
        continue;
      if (separator < 0)
        separator = find_separator (text);
      read_row (text, dense, (char) separator);
    }
  while (tl_text_next_line (text) && !tl_text_given_up (text));
  if (text->errors == 0 && dense->rows == 0)
    {
      TlDiag *diag = tl_text_fail (text, text->at, "empty-file", "the file holds no values, only comments");
      tl_diag_reason (diag, "a matrix has one row a line, values between commas");
    }
  return text->errors == 0;
}

/* Fuzz targets read many files, and a few letters may ask for much. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define MOST_BYTES (8u << 20)
#else
#define MOST_BYTES TL_MATRIX_LIMIT
#endif

static gboolean
market_size (gpointer data, TlText *text, guint64 rows, guint64 columns, gboolean pattern, gboolean array)
{
  Dense *dense = data;

  /* A sparse file may declare any size: the matrix must be allowed before it is made. */
  if (rows > MOST_BYTES / sizeof (TlScalar) / columns)
    {
      TlDiag *diag = tl_text_fail (text, text->line_start, "matrix-too-large",
                                   "the matrix is %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, rows, columns);
      tl_diag_reason (diag, "dense data of more than 4 GiB are not read; graph (\"...\") keeps only the entries");
      return FALSE;
    }
  dense->rows = rows;
  dense->columns = columns;
  g_array_set_size (dense->values, (guint) (rows * columns));
  return TRUE;
}

static void
market_entry (gpointer data, guint64 row, guint64 column, TlScalar value, TlInputPlace place)
{
  Dense *dense = data;

  g_array_index (dense->values, TlScalar, row * dense->columns + column) = value;
  note (dense->input, value, place);
}

/* An element that no entry named is 0, which then is one of the values. */
static void
note_zeros (Dense *dense)
{
  TlScalar zero = tl_element_type_is_float (dense->element) ? (TlScalar) { .r = 0 } : (TlScalar) { .i = 0 };

  note (dense->input, zero, (TlInputPlace) { 1, 1 });
}

gboolean
tl_read_dense (TlText *text, TlInput *input)
{
  Dense dense = { .element = input->element, .input = input, .values = g_array_new (FALSE, TRUE, sizeof (TlScalar)) };
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (tl_is_matrix_market (text->bytes, text->length))
    {
      input->format = "MatrixMarket";
      good = tl_matrix_market (text, input->element, TRUE, market_size, market_entry, &dense);
      if (good)
        note_zeros (&dense);
    }
  else
    {
      input->format = "dense matrix";
      good = read_rows (text, &dense);
    }
  if (good)
    {
      TlMatrix *matrix = tl_matrix_new (input->element, G_MAXUINT64, dense.rows, dense.columns, 0, &error);
      if (matrix == NULL)
        {
          TlDiag *diag = tl_diags_add_at (text->diags, TL_SEVERITY_ERROR, "matrix-too-large", text->name, 0, 0, "%s",
                                          error->message);
          tl_diag_reason (diag, "take a smaller matrix or a narrower type");
          good = FALSE;
        }
      for (guint64 i = 0; good && i < dense.values->len; i++)
        tl_matrix_set (matrix, i / dense.columns, i % dense.columns, g_array_index (dense.values, TlScalar, i));
      input->dense = matrix;
      input->rows = dense.rows;
      input->columns = dense.columns;
    }
  g_array_unref (dense.values);
  return good;
}

/* --- Operator tables --- */

gboolean
tl_input_table (const char *name, gconstpointer bytes, gsize length, TlOperator *op, TlDiags *diags)
{
  static const TlElementType whole = { TL_ELEMENT_INT, 64, 0, 0 };
  TlText                     text;
  Dense                      dense = { .element = whole,
                                       .values = g_array_new (FALSE, TRUE, sizeof (TlScalar)),
                                       .places = g_array_new (FALSE, FALSE, sizeof (TlInputPlace)) };
  gboolean                   good = tl_text_open (&text, name, bytes, length, diags) && read_rows (&text, &dense);

  if (good && (dense.rows != dense.columns || dense.rows > 256))
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "bad-table", name, (guint) dense.first_line, 1,
                                      "the table has %" G_GUINT64_FORMAT " rows of %" G_GUINT64_FORMAT " values",
                                      dense.rows, dense.columns);
      tl_diag_reason (diag, "an operator's table is square, 1 to 256 a side: row a, column b holds a op b");
      good = FALSE;
    }
  for (guint64 i = 0; good && i < dense.values->len; i++)
    {
      gint64 value = g_array_index (dense.values, TlScalar, i).i;
      if (value >= 0 && (guint64) value < dense.rows)
        continue;
      g_autofree char *shown = value == TL_INF ? g_strdup ("inf") : g_strdup_printf ("%" G_GINT64_FORMAT, value);
      TlInputPlace     place = g_array_index (dense.places, TlInputPlace, i);
      TlDiag          *diag
          = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "bad-table", name, (guint) place.line, (guint) place.column,
                             "row %" G_GUINT64_FORMAT ", column %" G_GUINT64_FORMAT " of the table is %s",
                             i / dense.columns, i % dense.columns, shown);
      tl_diag_reason (diag, "a table over %" G_GUINT64_FORMAT " values holds 0 to %" G_GUINT64_FORMAT, dense.rows,
                      dense.rows - 1);
      good = FALSE;
    }
  if (good)
    {
      tl_operator_clear (op);
      op->kind = TL_OPERATOR_TABLE;
      op->size = (guint32) dense.rows;
      op->table = g_malloc (dense.values->len);
      for (guint i = 0; i < dense.values->len; i++)
        op->table[i] = (guint8) g_array_index (dense.values, TlScalar, i).i;
    }
  g_array_unref (dense.places);
  g_array_unref (dense.values);
  return good;
}
