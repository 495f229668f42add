/* The layout of a place line, `place W = layout <expression>`, as a placement of a tile's units: GF(2) masks, a
 * Kronecker product or modes (spatial is the domain, local is row and column, the column fastest), or shape:stride
 * (a quantum address in the tile's own room, first mode fastest). language.md, Config and place. */
#pragma once

#include "dsl/ast.h"
#include "place/completion.h"

/* @expr: what stands behind the word layout. A tile has 2^@bits units; the machine 2^@columns units a row and
 * 2^@domains domains. FALSE with *reason (transfer full) and *span of what is wrong; the placement is a bijection
 * of the unit bits when TRUE, and no more is checked. */
gboolean tl_place_line_read (const TlExpr *expr,
                             TlSource     *source,
                             guint         bits,
                             guint         columns,
                             guint         domains,
                             TlPlacement  *placement,
                             char        **reason,
                             TlSpan       *span);
/* "gf2 [domain: 4 2 | row: 8 | column: 1]", which reads back. (transfer full) */
char    *tl_place_line_text (const TlPlacement *placement);
