/* A machine for the PTX that kernels are written in: enough of it to run a matrix product. */
#pragma once

#include "support/support.h"

typedef struct
{
  guint8 *data;
  gsize   size;
} PtxBuffer;

/* Runs all blocks of @grid of the text's one kernel, with parameters a, w, c and, with four buffers, s; aborts on what it
 * does not know and on what lies outside. */
void ptx_run (const char *text, guint threads, const guint *grid, const PtxBuffer *buffers, guint n_buffers,
              guint64 shared_bytes);
