/* DIMACS challenge 9 graphs: 'c' comments, "p sp NODES ARCS", "a FROM TO LENGTH",
 * ids from 1 to NODES. */
#include "input/graph-build.h"

#include "base/number.h"

typedef struct
{
  TlText *text;
  TlArcs *arcs;
  guint64 n;        /* 0 before the problem line */
  guint64 declared; /* arcs */
  guint64 line;     /* of the problem line */
  guint64 held;     /* arc lines, good or bad */
} Dimacs;

/* The next column of the line, or FALSE with a diagnostic that it is missing. */
static gboolean
column (Dimacs *dimacs, TlToken *token, const char *form)
{
  if (tl_text_token (dimacs->text, 0, token))
    return TRUE;
  TlDiag *diag = tl_text_fail (dimacs->text, dimacs->text->at, "bad-columns", "the line ends too early");
  tl_diag_reason (diag, "it should read \"%s\"; is the file cut off here?", form);
  return FALSE;
}

static gboolean
line_end (Dimacs *dimacs, const char *form)
{
  TlToken token;

  if (!tl_text_token (dimacs->text, 0, &token))
    return TRUE;
  g_autofree char *shown = tl_token_text (token);
  TlDiag *diag = tl_text_fail (dimacs->text, token.offset, "bad-columns", "\"%s\" is one column too many", shown);
  tl_diag_reason (diag, "the line should read \"%s\"", form);
  return FALSE;
}

static void
read_problem (Dimacs *dimacs, TlToken start)
{
  static const char form[] = "p sp NODES ARCS";
  TlText           *text = dimacs->text;
  TlToken           kind, nodes, arcs;
  guint64           n, m;

  if (dimacs->n != 0)
    {
      TlDiag *diag = tl_text_fail (text, start.offset, "second-problem",
                                   "a second problem line; the first is line %" G_GUINT64_FORMAT, dimacs->line);
      tl_diag_reason (diag, "a file holds one graph; split it");
      return;
    }
  if (!column (dimacs, &kind, form))
    return;
  if (!tl_token_is (kind, "sp"))
    {
      g_autofree char *shown = tl_token_text (kind);
      TlDiag *diag = tl_text_fail (text, kind.offset, "unknown-format", "the problem is \"%s\", not \"sp\"", shown);
      tl_diag_reason (diag, "shortest-path graphs say \"%s\"; coordinates and other problems are other files", form);
      return;
    }
  if (!column (dimacs, &nodes, form) || !tl_text_whole (text, nodes, "the number of nodes", TL_INPUT_MAX_NODES, &n)
      || !column (dimacs, &arcs, form) || !tl_text_whole (text, arcs, "the number of arcs", G_MAXINT64, &m)
      || !line_end (dimacs, form))
    return;
  if (n == 0)
    {
      TlDiag *diag = tl_text_fail (text, nodes.offset, "empty-file", "the graph has no nodes");
      tl_diag_reason (diag, "a matrix needs at least one");
      return;
    }
  dimacs->n = n;
  dimacs->declared = m;
  dimacs->line = text->line;
}

static gboolean
node (Dimacs *dimacs, TlToken token, guint32 *number)
{
  guint64 id;

  if (!tl_text_whole (dimacs->text, token, "a node's id", G_MAXINT64, &id))
    return FALSE;
  if (id >= 1 && id <= dimacs->n)
    {
      *number = (guint32) (id - 1);
      return TRUE;
    }
  g_autofree char *nodes = tl_format_count (dimacs->n);
  TlDiag          *diag = tl_text_fail (dimacs->text, token.offset, "id-out-of-range",
                                        "node %" G_GUINT64_FORMAT " is not one of 1 to %s", id, nodes);
  tl_diag_reason (diag,
                  "line %" G_GUINT64_FORMAT " declares %s nodes and ids count from 1; correct the one or the other",
                  dimacs->line, nodes);
  return FALSE;
}

static void
read_arc (Dimacs *dimacs, TlToken start)
{
  static const char form[] = "a FROM TO LENGTH";
  TlText           *text = dimacs->text;
  TlToken           tokens[3];
  guint32           from, to;
  TlScalar          weight;

  dimacs->held++;
  if (dimacs->n == 0)
    {
      /* Said once: a problem line that was wrong has been reported already. */
      if (text->errors == 0)
        {
          TlDiag *diag = tl_text_fail (text, start.offset, "no-problem-line", "an arc before the problem line");
          tl_diag_reason (diag, "\"p sp NODES ARCS\" has to come first");
        }
      return;
    }
  for (guint i = 0; i < 3; i++)
    if (!column (dimacs, &tokens[i], form))
      return;
  if (!node (dimacs, tokens[0], &from) || !node (dimacs, tokens[1], &to)
      || !tl_text_value (text, tokens[2], dimacs->arcs->element, FALSE, &weight) || !line_end (dimacs, form))
    return;
  if (dimacs->arcs->element.kind == TL_ELEMENT_BOOL)
    weight.i = 1; /* an arc listed is there, however long */
  TlInputPlace place = { text->line, tokens[2].offset - text->line_start + 1 };
  tl_arcs_add (dimacs->arcs, from, to, weight, place);
}

gboolean
tl_read_dimacs (TlText *text, TlArcs *arcs, TlNodes *nodes)
{
  Dimacs dimacs = { .text = text, .arcs = arcs };

  arcs->weighted = arcs->element.kind != TL_ELEMENT_BOOL;
  do
    {
      TlToken token;
      if (!tl_text_token (text, 0, &token) || token.text[0] == 'c')
        continue;
      if (tl_token_is (token, "p"))
        read_problem (&dimacs, token);
      else if (tl_token_is (token, "a"))
        read_arc (&dimacs, token);
      else
        {
          g_autofree char *shown = tl_token_text (token);
          TlDiag          *diag = tl_text_fail (text, token.offset, "unknown-line", "a line begins with \"%s\"", shown);
          tl_diag_reason (diag, "lines of a .gr file begin with c, p or a");
        }
    }
  while (tl_text_next_line (text) && !tl_text_given_up (text));

  gboolean good = text->errors == 0;
  if (tl_text_given_up (text) || (!good && dimacs.n == 0))
    return FALSE;
  if (dimacs.n == 0)
    {
      TlDiag *diag = tl_text_fail (text, text->at, "no-problem-line", "the file has no problem line");
      tl_diag_reason (diag, "\"p sp NODES ARCS\" has to come before the arcs; is the file cut off?");
      return FALSE;
    }
  if (dimacs.held != dimacs.declared)
    {
      g_autofree char *said = tl_format_count (dimacs.declared), *held = tl_format_count (dimacs.held);
      gboolean         few = dimacs.held < dimacs.declared;
      TlDiag          *diag
          = tl_diags_add_at (text->diags, TL_SEVERITY_ERROR, few ? "truncated-file" : "count-mismatch", text->name,
                             (guint) dimacs.line, 1, "the file declares %s arcs and holds %s", said, held);
      tl_diag_reason (diag, few ? "it is cut off, or the count is wrong; fetch it again or correct the problem line"
                                : "correct the problem line, or take out the arcs that are too many");
      return FALSE;
    }
  *nodes = (TlNodes) { .n = dimacs.n, .first_id = 1 };
  return good;
}
