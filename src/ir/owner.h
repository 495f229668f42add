/* Which PU owns (computes) tile (i,j): a rule over i, j, the tiles a side M and
 * the number of PUs P, and a list of tiles moved by hand. models.md section 3. */
#pragma once

#include "base/diag.h"

typedef struct _TlOwnerRule TlOwnerRule;

/* A tile moved by hand. */
typedef struct
{
  guint32 i;
  guint32 j;
  guint32 pu;
} TlOwnerMove;

/* Text of the two named rules with their numbers in:
 * modulo (i * M + j) mod P, skewed (i * (M | 1) + j) mod P. (transfer full) */
char        *tl_owner_modulo_text  (guint32 tiles,
                                    guint32 pus);
char        *tl_owner_skewed_text  (guint32 tiles,
                                    guint32 pus);

/* Compiles @text, the body of #gendram.owner<...>: names i j M P, integers,
 * + - * / // mod | ^ & (bitwise), == != lt le gt ge, not and or, a if c else b,
 * min() max(), brackets; / and // round down, mod has the divisor's sign; comparisons are
 * words since < and > are brackets in MLIR. M and P become numbers. NULL (and
 * @reason, transfer full) when it is not well formed, nested deeper than 64 or
 * longer than 4,096 steps. Returns: (transfer full) */
TlOwnerRule *tl_owner_rule_parse   (const char         *text,
                                    guint32             tiles,
                                    guint32             pus,
                                    char              **reason);
void         tl_owner_rule_free    (TlOwnerRule        *rule);
/* Moves win over the rule; the last of two for one tile wins. */
void         tl_owner_rule_move    (TlOwnerRule        *rule,
                                    const TlOwnerMove  *moves,
                                    guint               n_moves);
const TlOwnerMove *tl_owner_rule_moves (const TlOwnerRule *rule,
                                    guint              *n_moves);
guint32      tl_owner_rule_tiles   (const TlOwnerRule  *rule);
guint32      tl_owner_rule_pus     (const TlOwnerRule  *rule);

/* TRUE when the rule is seen to equal (a * i + b * j + c) mod P with 0 <= a, b, c < P,
 * moves apart: the owner classes then are residue classes. */
gboolean     tl_owner_rule_linear  (const TlOwnerRule  *rule,
                                    guint32            *a,
                                    guint32            *b,
                                    guint32            *c);
/* Owner of one tile; may be outside 0..P-1 (or G_MININT64 after a division by
 * zero) unless tl_owner_rule_check was content. */
gint64       tl_owner_rule_at      (const TlOwnerRule  *rule,
                                    guint32             i,
                                    guint32             j);
/* Evaluates all tiles (nothing to do for linear rules). FALSE, with the first bad
 * tile and its value, when an owner is outside 0..P-1; moves are checked too. */
gboolean     tl_owner_rule_check   (const TlOwnerRule  *rule,
                                    guint32            *i,
                                    guint32            *j,
                                    gint64             *value);
/* map[i * M + j] for a checked rule. */
void         tl_owner_rule_fill    (const TlOwnerRule  *rule,
                                    guint16            *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlOwnerRule, tl_owner_rule_free)
