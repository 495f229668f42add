/* Scores and end cells of whole programs beside those of parasail and edlib, where they are
 * installed: their definitions are ours without a band. */
#pragma once

#include <glib.h>

/* All reads of ../shared/data beside the stretch of their genome that they come from (the
 * truth's, or where they were mapped), cut to @most letters: local, global and semi-global with
 * linear and affine gaps, and unit costs; only local and unit costs when @few. Skips what is not
 * there. Returns how many reads were compared. */
guint tl_compare_reads    (guint    most,
                           gboolean few);
/* Made proteins by BLOSUM62, the same forms. Returns how many pairs were compared. */
guint tl_compare_proteins (guint    pairs);
