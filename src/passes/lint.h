/* The ownership lint: says before any simulation when one PU owns too much of a
 * tile row or column, and what that costs. models.md section 3. */
#pragma once

#include "base/diag.h"
#include "ir/schedule.h"
#include "ir/owner.h"

typedef struct
{
  gboolean fires;         /* owners of some tile column or row < min(M, P) */
  gboolean rows;          /* it is the rows that are short of owners, not the columns */
  guint32  owners;        /* fewest owners of one tile column (or row) */
  guint32  wanted;        /* min(M, P) */
  guint64  steps;         /* T of this map under strict barriers, in operations */
  guint64  skewed_steps;  /* T of the skewed rule */
  double   loss;          /* 1 - skewed/this; 0 when negative ("none") */
} TlOwnerLint;

/* T = sum over k of (1 + largest row-and-column load of a PU + largest internal load).
 * By residue classes for linear rules without moves, by counting otherwise. */
guint64     tl_owner_steps         (const TlOwnerRule *rule);
guint64     tl_owner_map_steps     (const guint16     *owner, /* M * M */
                                    guint32            tiles,
                                    guint32            pus);
TlOwnerLint tl_owner_lint_rule     (const TlOwnerRule *rule);
/* The same of any map, say of a decoded stream. */
TlOwnerLint tl_owner_lint_map      (const guint16     *owner,
                                    guint32            tiles,
                                    guint32            pus);
/* Tiles of which copies are kept at once: a PU keeps one for each tile row and one for
 * each tile column in which it owns a tile. Sum over the PUs; @most: of one PU. */
guint64     tl_owner_copies        (const TlOwnerRule *rule,
                                    guint64           *most);
/* Adds the warning "owner-columns" (or "owner-rows") when @lint fires. @rule_name as
 * shown ("modulo", "(i * 3 + j) mod 32"). @source may be NULL; @span is the owner's
 * value in it, or empty when there is none (the fix then appends a config line).
 * Returns whether it fired. */
gboolean    tl_lint_owner          (const TlOwnerLint *lint,
                                    const char        *rule_name,
                                    guint32            tiles,
                                    guint32            pus,
                                    TlBarriers         barriers,
                                    TlSource          *source,
                                    TlSpan             span,
                                    TlDiags           *diags);
/* Adds the warning "tier-overfull" for the first tier whose @matrix and @copies bytes
 * (one each a tier) are together more than @tier_bytes. A placement told by hand is
 * taken at its word; what lies twice is said. The place is that of tl_diags_add_at.
 * Returns whether it fired. */
gboolean    tl_lint_tiers          (const guint64     *matrix,
                                    const guint64     *copies,
                                    guint32            tiers,
                                    guint64            tier_bytes,
                                    const char        *file,
                                    guint              line,
                                    guint              column,
                                    TlDiags           *diags);
