/* SNAP edge lists: '#' comments, then one directed arc a line, FROM TO [WEIGHT], ids
 * any whole numbers. Nodes are the ids that occur, in rising order. */
#include "input/graph-build.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  gboolean nodes_said;
  gboolean edges_said;
  guint64  nodes;
  guint64  edges;
  guint64  line;
} Declared;

/* "# Nodes: 5242 Edges: 28980", the counts that SNAP writes. */
static void
read_comment (TlText *text, Declared *declared)
{
  TlToken  token;
  gboolean nodes = FALSE, edges = FALSE;

  while (tl_text_token (text, 0, &token))
    {
      guint64  number = 0;
      gboolean whole = token.length > 0 && token.length < 19;
      for (gsize i = 0; i < token.length && whole; i++)
        {
          whole = g_ascii_isdigit (token.text[i]);
          number = number * 10 + (guint64) (token.text[i] - '0');
        }
      if (whole && nodes && !declared->nodes_said)
        {
          declared->nodes_said = TRUE;
          declared->nodes = number;
          declared->line = text->line;
        }
      if (whole && edges && !declared->edges_said)
        {
          declared->edges_said = TRUE;
          declared->edges = number;
          declared->line = text->line;
        }
      nodes = tl_token_is (token, "Nodes:");
      edges = tl_token_is (token, "Edges:");
    }
}

/* --- Original ids to nodes --- */

/* Least significant byte first, as many passes as the greatest id has bytes. */
static void
sort_ids (guint64 *ids, gsize count)
{
  g_autofree guint64 *other = g_new (guint64, MAX (count, 1));
  guint64             all = 0;
  guint64            *a = ids, *b = other;

  for (gsize i = 0; i < count; i++)
    all |= ids[i];
  for (guint shift = 0; shift < 64 && all >> shift != 0; shift += 8)
    {
      gsize at[257] = { 0 };
      for (gsize i = 0; i < count; i++)
        at[(a[i] >> shift & 255) + 1]++;
      for (guint v = 0; v < 256; v++)
        at[v + 1] += at[v];
      for (gsize i = 0; i < count; i++)
        b[at[a[i] >> shift & 255]++] = a[i];
      guint64 *swap = a;
      a = b;
      b = swap;
    }
  if (a != ids)
    memcpy (ids, a, count * sizeof *ids);
}

static guint32
rank_of (const gint64 *ids, gsize count, guint64 id)
{
  gsize low = 0, high = count;

  while (high - low > 1)
    {
      gsize middle = low + (high - low) / 2;
      if ((guint64) ids[middle] <= id)
        low = middle;
      else
        high = middle;
    }
  return (guint32) low;
}

/* Ids close together: a look-up table of at most 4 * 8 bytes an end. */
static void
number_by_table (const guint64 *ends, gsize count, guint64 top, TlArcs *arcs, TlNodes *nodes)
{
  guint32            *from = (guint32 *) (gpointer) arcs->from->data, *to = (guint32 *) (gpointer) arcs->to->data;
  g_autofree guint32 *rank = g_new0 (guint32, top + 1);
  guint32             n = 0;

  for (gsize i = 0; i < count; i++)
    rank[ends[i]] = 1;
  for (guint64 id = 0; id <= top; id++)
    n += rank[id];
  nodes->n = n;
  nodes->ids = g_new (gint64, n);
  n = 0;
  for (guint64 id = 0; id <= top; id++)
    if (rank[id] != 0)
      {
        nodes->ids[n] = (gint64) id;
        rank[id] = n++;
      }
  for (gsize i = 0; i < count / 2; i++)
    {
      from[i] = rank[ends[2 * i]];
      to[i] = rank[ends[2 * i + 1]];
    }
}

/* Ids far apart: sorted, then searched. */
static void
number_by_search (const guint64 *ends, gsize count, TlArcs *arcs, TlNodes *nodes)
{
  guint32 *from = (guint32 *) (gpointer) arcs->from->data, *to = (guint32 *) (gpointer) arcs->to->data;
  guint64 *sorted = g_memdup2 (ends, count * sizeof *ends);
  gsize    n = 0;

  sort_ids (sorted, count);
  for (gsize i = 0; i < count; i++)
    if (n == 0 || sorted[n - 1] != sorted[i])
      sorted[n++] = sorted[i];
  nodes->n = n;
  nodes->ids = (gint64 *) g_renew (guint64, sorted, n);
  for (gsize i = 0; i < count / 2; i++)
    {
      from[i] = rank_of (nodes->ids, n, ends[2 * i]);
      to[i] = rank_of (nodes->ids, n, ends[2 * i + 1]);
    }
}

/* Numbers the @count ends of the arcs (from, to, from, to ...) by rising id. */
static void
number_nodes (const guint64 *ends, gsize count, TlArcs *arcs, TlNodes *nodes)
{
  guint64 top = 0;

  for (gsize i = 0; i < count; i++)
    top = MAX (top, ends[i]);
  if (top < 8 * (guint64) count)
    number_by_table (ends, count, top, arcs, nodes);
  else
    number_by_search (ends, count, arcs, nodes);
  if (top == nodes->n - 1)
    g_clear_pointer (&nodes->ids, g_free); /* 0..n-1 without a gap */
}

/* --- Lines --- */

typedef struct
{
  TlText *text;
  TlArcs *arcs;
  GArray *ends;    /* of guint64: from, to, from, to ... */
  guint   columns; /* of the first arc, 2 or 3; 0 before it */
  guint64 columns_line;
  guint64 held; /* arc lines, good or bad */
} Lines;

static void
wrong_columns (Lines *lines, gsize offset, guint found)
{
  TlDiag *diag;

  if (lines->columns == 0)
    {
      diag = tl_text_fail (lines->text, offset, "bad-columns",
                           "an arc has two columns, or three with its weight, not %s", found > 3 ? "more" : "one");
      tl_diag_reason (diag, "write FROM TO, or FROM TO WEIGHT, between blanks or tabs");
      return;
    }
  diag = tl_text_fail (lines->text, offset, "bad-columns",
                       "this line has %s%u columns, the first arc (line %" G_GUINT64_FORMAT ") has %u",
                       found > 3 ? "more than " : "", MIN (found, 3), lines->columns_line, lines->columns);
  tl_diag_reason (diag, found < lines->columns ? "a column is missing; is the file cut off here?"
                                               : "either every arc has a weight or none has");
}

static void
read_arc (Lines *lines)
{
  TlText  *text = lines->text;
  TlToken  tokens[3];
  TlToken  more;
  guint64  ids[2];
  guint    found = 0;
  TlScalar weight = tl_unit_weight (lines->arcs->element);

  lines->held++;
  while (found < 3 && tl_text_token (text, 0, &tokens[found]))
    found++;
  if (found == 3 && tl_text_token (text, 0, &more))
    {
      wrong_columns (lines, more.offset, 4);
      return;
    }
  /* What is no number is said before the columns are counted: it is the better clue. */
  for (guint i = 0; i < MIN (found, 2); i++)
    if (!tl_text_whole (text, tokens[i], "a node's id", G_MAXINT64, &ids[i]))
      return;
  if (found < 2 || (lines->columns != 0 && found != lines->columns))
    {
      wrong_columns (lines, found < MAX (lines->columns, 2) ? text->at : tokens[found - 1].offset, found);
      return;
    }
  if (lines->columns == 0)
    {
      lines->columns = found;
      lines->columns_line = text->line;
      lines->arcs->weighted = found == 3 && lines->arcs->element.kind != TL_ELEMENT_BOOL;
    }
  if (found == 3)
    {
      if (!tl_text_value (text, tokens[2], lines->arcs->element, FALSE, &weight))
        return;
      if (lines->arcs->element.kind == TL_ELEMENT_BOOL)
        weight.i = 1; /* an arc listed is there, whatever it weighs */
    }
  g_array_append_vals (lines->ends, ids, 2);
  gsize        at = found == 3 ? tokens[2].offset : tokens[0].offset;
  TlInputPlace place = { text->line, at };
  tl_arcs_add (lines->arcs, 0, 0, weight, place);
}

/* Offsets were kept in place of columns: counted only for the two that are shown. */
static void
settle_place (const TlText *text, TlInputPlace *place)
{
  gsize   start = place->column;
  guint64 column = 1;

  if (place->line == 0)
    return;
  while (start > 0 && text->bytes[start - 1] != '\n' && text->bytes[start - 1] != '\r')
    {
      start--;
      column++;
    }
  if (start == 0 && text->length >= 3 && memcmp (text->bytes, "\xef\xbb\xbf", 3) == 0)
    column -= 3;
  place->column = column;
}

static gboolean
check_counts (TlText *text, const Declared *declared, guint64 n_arcs, guint64 n)
{
  g_autofree char *held = tl_format_count (n_arcs), *held_nodes = tl_format_count (n);
  g_autofree char *said = tl_format_count (declared->edges), *said_nodes = tl_format_count (declared->nodes);

  if (declared->edges_said && declared->edges > n_arcs)
    {
      TlDiag *diag = tl_diags_add_at (text->diags, TL_SEVERITY_ERROR, "truncated-file", text->name,
                                      (guint) declared->line, 1, "the file declares %s edges and holds %s", said, held);
      tl_diag_reason (diag, "it is cut off, or the comment is wrong; fetch the file again or correct the comment");
      return FALSE;
    }
  if (declared->edges_said && declared->edges != n_arcs)
    {
      TlDiag *diag = tl_diags_add_at (text->diags, TL_SEVERITY_WARNING, "count-mismatch", text->name,
                                      (guint) declared->line, 1, "the file declares %s edges and holds %s", said, held);
      tl_diag_reason (diag, "the arcs are taken as they stand");
    }
  if (declared->nodes_said && declared->nodes != n)
    {
      TlDiag *diag
          = tl_diags_add_at (text->diags, TL_SEVERITY_WARNING, "count-mismatch", text->name, (guint) declared->line, 1,
                             "the file declares %s nodes and its arcs name %s", said_nodes, held_nodes);
      tl_diag_reason (diag, "nodes without an arc are not in an edge list; the matrix has one row for each node named");
    }
  return TRUE;
}

gboolean
tl_read_edge_list (TlText *text, TlArcs *arcs, TlNodes *nodes)
{
  Lines    lines = { text, arcs, NULL, 0, 0 };
  Declared declared = { 0 };
  gboolean good;

  lines.ends = g_array_sized_new (FALSE, FALSE, sizeof (guint64), (guint) MIN (text->length / 5, 1 << 24));
  do
    {
      char first = tl_text_peek (text);
      if (first == '#' || first == '%')
        read_comment (text, &declared);
      else if (first != '\0')
        read_arc (&lines);
    }
  while (tl_text_next_line (text) && !tl_text_given_up (text));

  good = text->errors == 0;
  if (good && lines.ends->len == 0)
    {
      TlDiag *diag = tl_text_fail (text, text->at, "empty-file", "the file holds no arcs, only comments");
      tl_diag_reason (diag, "an edge list has one arc a line, FROM TO; was it written to the end?");
      good = FALSE;
    }
  /* A cut in the middle of a line is a wrong line and a wrong count: both are said. */
  if (!good && !tl_text_given_up (text) && declared.edges_said && declared.edges > lines.held)
    check_counts (text, &declared, lines.held, 0);
  if (good)
    {
      number_nodes ((const guint64 *) (gpointer) lines.ends->data, lines.ends->len, arcs, nodes);
      settle_place (text, &arcs->low_place);
      settle_place (text, &arcs->high_place);
      good = check_counts (text, &declared, arcs->from->len, nodes->n);
    }
  g_array_unref (lines.ends);
  return good;
}
