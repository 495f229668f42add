/* Lines and columns back into bytes: positions rise with offsets, so a search finds them. */
#include "app/places.h"

#include "dsl/lexer.h"

#include <string.h>

gboolean
tl_place_is_in (const TlSource *source, const TlDiag *diag)
{
  return diag->from.line > 0 && strcmp (diag->file, tl_source_name (source)) == 0;
}

static gboolean
before (TlPosition a, TlPosition b)
{
  return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static guint32
offset_of (const TlSource *source, TlPosition position)
{
  guint32 low = 0, high = tl_source_length (source);

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (before (tl_source_position (source, middle), position))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

TlSpan
tl_place_span (TlSource *source, const TlDiag *diag)
{
  if (!tl_place_is_in (source, diag))
    return tl_span (0, 0);
  if (diag->span.end > diag->span.start && diag->span.end <= tl_source_length (source))
    return diag->span;
  guint32 at
      = diag->span.start > 0 ? MIN (diag->span.start, tl_source_length (source)) : offset_of (source, diag->from);
  g_autoptr (GArray) tokens = tl_lex (source, NULL);
  for (guint t = 0; t < tokens->len; t++)
    {
      const TlToken *token = &g_array_index (tokens, TlToken, t);
      if (token->span.start <= at && at < token->span.end && token->kind != TL_TOKEN_NEWLINE)
        return token->span;
    }
  return tl_span (at, at);
}
