/* Substitution matrices: scores of two letters, from a file in the form that NCBI's have
 * or built in. language.md, ruling 3. */
#pragma once

#include "base/diag.h"

typedef struct
{
  gint32   scores[256 * 256]; /* [letter of q][letter of r], upper case */
  gboolean known[256];        /* letters that the matrix has */
} TlScoreMatrix;

/* The built-in matrix of that name (BLOSUM62, in any case), or NULL. (transfer full) */
TlScoreMatrix *tl_score_matrix_named (const char    *name);
/* Reads a file: # comments, a line of letters, then a line for each letter with its
 * scores. NULL with line, column and reason. (transfer full) */
TlScoreMatrix *tl_score_matrix_read  (const char    *name,
                                      gconstpointer  bytes,
                                      gsize          length,
                                      TlDiags       *diags);
