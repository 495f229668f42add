/* Runs of wavefronts in formats that other tools read. Each writes to @stream as it goes;
 * deterministic bytes. FALSE with G_IO_ERROR when the stream refuses or the work is
 * cancelled. */
#pragma once

#include "sim/pipe.h"

/* One line a stretch, from_ps,to_ps,pu,what,read,candidate,wave,level; then the queue's
 * levels, what being "queue". Cells that do not apply are empty. */
gboolean tl_pipe_export_spans    (const TlPipeRun *run,
                                  GOutputStream   *stream,
                                  GCancellable    *cancellable,
                                  GError         **error);
/* The look-ups' commands in tl_export_csv's columns; source is the bank group's PU. Nothing
 * but the heading when the run did not keep them. */
gboolean tl_pipe_export_commands (const TlPipeRun *run,
                                  GOutputStream   *stream,
                                  GCancellable    *cancellable,
                                  GError         **error);
/* A value change dump, time scale 1 ps: of each PU what it does, of each bank of its group the
 * open row (z: closed) and the last command, the queue's level. */
gboolean tl_pipe_export_vcd      (const TlPipeRun *run,
                                  GOutputStream   *stream,
                                  GCancellable    *cancellable,
                                  GError         **error);
/* Chrome's trace format: a process a PU with threads for its work and, where the run kept
 * commands, each bank; the queue's level as a counter. */
gboolean tl_pipe_export_chrome   (const TlPipeRun *run,
                                  GOutputStream   *stream,
                                  GCancellable    *cancellable,
                                  GError         **error);

/* --- Beside the paper --- */

/* A row of the paper's alignment speed-ups (models.md section 5). */
typedef struct
{
  const char *name;   /* "PacBio, 2 kbp" */
  guint32     letters;
  double      error;  /* band: round (error * letters) */
  double      paper;
  double      model;  /* B0 over B3: one PU against waves on the Compute PUs, edges free as in models.md section 4 */
  double      edges;  /* the same with edges charged on the ring */
  double      affine; /* B1 over B3, edges free (pipe-flows.h); the paper's TL_PIPE_PAPER_AFFINE hang on assumptions */
} TlPipePaper;
#define TL_PIPE_N_PAPER 4
#define TL_PIPE_PAPER_AFFINE "1.2 to 1.4"

/* With the tiles, lanes and Compute PUs of @program, a read against as many letters. */
void     tl_pipe_paper           (const TlPipeProgram *program,
                                  TlPipePaper          rows[TL_PIPE_N_PAPER]);
