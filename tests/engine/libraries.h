/* Scores and end cells of whole programs beside those of parasail and edlib, where they are
 * installed: their definitions are ours without a band. */
#pragma once

#include <glib.h>

#define TL_READ_FILES 5 /* of ../shared/data */

typedef struct
{
  guint    step;  /* each such read, from the first on */
  guint    most;  /* letters of a read that are taken */
  gboolean every; /* all ends of parasail with both kinds of scores; else those of one or two ends, of one sequence
                   * name for, scores by match and by matrix in turns */
} TlCompareShare;

/* Reads of file @file beside the stretch of their genome that they come from: local, global and
 * semi-global forms, linear and affine gaps, match and mismatch and a matrix; unit costs, global and
 * with r's ends free. Returns how many were compared: 0 where there is no such file or library. */
guint tl_compare_reads    (guint                 file,
                           const TlCompareShare *share);
/* Made proteins by BLOSUM62, all combinations. Returns how many pairs were compared. */
guint tl_compare_proteins (guint                 pairs);
