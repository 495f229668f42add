/* A program of wavefronts as the machine gets it: what the decoder makes of the bytes of a
 * .tls file. Search PUs look words of reads up in an index and send candidates through a
 * bounded queue; Compute PUs take them and sweep their tiles wave after wave. Without a
 * stream the Compute PUs share one grid. models.md section 4. */
#pragma once

#include "emit/program.h"
#include "ir/wave.h"

/* One step of a PU's loop program (TlCode). What the passes make is
 *   Search   FOR_READS { LOOKUP p, c  SEND } END_READS
 *   Compute  FOR_JOBS { [RECEIVE] FOR_WAVES { SWEEP EDGE.. BARRIER } END_WAVES } END_JOBS
 * The decoder takes any code that nests rightly: whether PUs then wait for each other for
 * ever is for the simulator to see. */
typedef enum
{
  TL_PIPE_FOR_READS, /* for each of its reads: read r is Search PU r mod search's */
  TL_PIPE_END_READS,
  TL_PIPE_LOOKUP,    /* all words of the read, both strands, first in object a, then in object b */
  TL_PIPE_SEND,      /* the read's candidates, best first, into the queue */
  TL_PIPE_FOR_JOBS,  /* until the queue is closed; without one once for each problem */
  TL_PIPE_END_JOBS,
  TL_PIPE_RECEIVE,   /* the next candidate of the queue */
  TL_PIPE_FOR_WAVES, /* of the problem at hand */
  TL_PIPE_END_WAVES,
  TL_PIPE_SWEEP,     /* own tiles of the wave */
  TL_PIPE_EDGE,      /* hand the edge of distance (a & 1, a >> 1) on; b = 1: to another PU */
  TL_PIPE_BARRIER,   /* all Compute PUs */
} TlPipeCode;
#define TL_PIPE_N_CODES 12
#define TL_PIPE_MAX_CODE 64 /* steps of one PU */
#define TL_PIPE_MAX_TEXT (1u << 16) /* bytes of the recurrence; a longer one is left out */

typedef struct
{
  TlCode *code;
  guint   n_code;
} TlPipeStream;

typedef struct
{
  gatomicrefcount references; /* private */
  char         *name;
  char         *target;
  char         *mode;         /* "pipeline" or "none" */
  char         *owner_rule;   /* as shown: "modulo" */
  char         *owner;        /* "(i mod 24) + 8" */
  TlPimMachine  machine;
  guint32       element_bits;
  guint32       n_tables;
  TlWaveTiling  tiling;       /* rows, columns, low and high 0: a problem brings them; reduced 1 for a trellis */
  TlWaveBand    band;
  guint64       rows;         /* cells without borders; 0: each read's own, or the data's */
  guint64       columns;
  guint32       sides[2];     /* number of the data read along rows and columns + 1; 0: none */
  guint32       search;       /* PUs 0..search - 1 */
  guint32       compute;      /* PUs search..search + compute - 1 */
  TlPage        page;
  TlRing        ring;
  TlCopyWrites  copy_writes;  /* CHARGED: a tile waits for the edges that other PUs hand it over the ring */
  TlValues      values;
  TlBaseline    baseline;     /* NONE: run the streams (B3) */
  guint64       seed;
  gboolean      streams;      /* candidates come through the queue; what follows holds only then */
  guint32       k;            /* letters of a word */
  guint32       pointers;     /* object: PTR, 2^bits + 1 entries of 4 bytes */
  guint32       positions;    /* object: CAL, 4 bytes a position */
  guint32       depth;        /* places of the queue */
  guint32       entry_bytes;
  gboolean      depth_told;   /* by the program, else from the ratio sweep_ps : search_ps */
  guint64       search_ps;
  guint64       sweep_ps;
  char         *base;         /* folder of the data files relative to the stream's file; "" beside it */
  char         *text;         /* the recurrence, whose values the machine's time knows nothing of, as canonical
                               * program text; "" where the stream was made of a module */
  GPtrArray    *data;         /* of TlDataSource * */
  GArray       *objects;      /* of TlWaveObject */
  TlPipeStream *pus;          /* machine.pus of them */
} TlPipeProgram;

TlPipeProgram *tl_pipe_program_ref    (TlPipeProgram       *program);
void           tl_pipe_program_unref  (TlPipeProgram       *program);
/* The same program with another depth of its queue, for comparing; told.
 * Returns: (transfer full) */
TlPipeProgram *tl_pipe_program_deeper (const TlPipeProgram *program,
                                       guint32              depth);
/* Is every number in range, does the code nest? The decoder and the builder end with it. */
gboolean       tl_pipe_program_check  (const TlPipeProgram *program,
                                       char               **reason);
/* "for-reads", "lookup", ... NULL past the last. */
const char    *tl_pipe_code_name      (guint                kind);

/* Bytes of the canonical form. Returns: (transfer full) */
GBytes        *tl_pipe_encode         (const TlPipeProgram *program);
/* As tl_stream_decode, for the streams that tl_pipe_is_one says. Returns: (transfer full) */
TlPipeProgram *tl_pipe_decode         (gconstpointer        data,
                                       gsize                length,
                                       const char          *name,
                                       TlDiags             *diags);
/* Is the stream (tl_stream_is_one) one of wavefronts? */
gboolean       tl_pipe_is_one         (gconstpointer        data,
                                       gsize                length);
/* For people. (transfer full) */
char          *tl_pipe_print          (const TlPipeProgram *program);
/* Row of the stack that byte @at of object @object lies in, of those that each bank group
 * and bank take in turn: group row mod groups, bank row / groups mod banks. *tier is its
 * tier, *row the row within bank and tier. */
void           tl_pipe_object_row     (const TlPipeProgram *program,
                                       guint                object,
                                       guint64              at,
                                       guint32             *group,
                                       guint32             *bank,
                                       guint32             *tier,
                                       guint64             *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlPipeProgram, tl_pipe_program_unref)
