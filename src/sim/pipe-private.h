/* Shared by the parts of the wavefront machine: the order of events, PUs between two
 * steps, the index in its rows. */
#pragma once

#include "dram/bank-rules.h"
#include "base/number.h"
#include "sim/links.h"
#include "sim/pipe.h"

/* --- Events, the earliest first, of equals the first made --- */

/* What happens to a lane's access, or to the part of it that lies in one row. */
typedef enum
{
  TL_PIPE_LEG_ARRIVES, /* the request is at the row's bank group */
  TL_PIPE_LEG_RETURNS, /* its data are read and set out */
  TL_PIPE_LEG_BACK,    /* ... and are at the PU */
} TlPipeLeg;

typedef struct
{
  guint64 time;
  guint64 order;
  guint32 pu;
  gint16  lane;  /* -1: the PU itself goes on */
  guint8  leg;   /* TlPipeLeg */
  guint16 piece; /* of the access: which of its rows */
} TlPipeEvent;

/* --- A Search PU's words --- */

typedef struct
{
  guint64 at;     /* the access at hand: bytes at..at + bytes - 1 of its object */
  guint32 bytes;
  guint32 entry;  /* of the word at hand */
  guint16 pieces; /* rows of the access that are not back yet */
  guint8  stage;  /* 0: reads its pointers, 1: its positions */
} TlPipeLane;

typedef struct
{
  guint32    *entries; /* of both strands' words, owned */
  guint32     n_entries;
  guint32     next;
  guint32     working; /* lanes with a word */
  guint64     latest;  /* the last of them was done */
  TlPipeLane *lanes;   /* owned */
} TlPipeWords;

typedef enum
{
  TL_PIPE_PU_GOES,
  TL_PIPE_PU_LOOKS,   /* its lanes work */
  TL_PIPE_PU_STALLED, /* for a place in the queue */
  TL_PIPE_PU_WAITS,   /* for a candidate */
  TL_PIPE_PU_MEETS,   /* at the barrier */
  TL_PIPE_PU_ENDED,
} TlPipePuState;

typedef struct
{
  TlPipePuState state;
  guint         at;       /* step of its code */
  guint64       since;    /* of the state */
  guint64       ended;
  guint32       read;     /* at hand */
  guint32       candidate;
  guint32       jobs;     /* taken, or done without a stream */
  gboolean      fresh;    /* a job was taken in this round of FOR_JOBS */
  guint64       wave;     /* at hand */
  guint64       last_wave; /* of the problem at hand */
  TlSeedCandidate found[TL_SEED_MAX_CANDIDATES];
  guint         n_found;
  TlPipeWords   words;
} TlPipePu;

/* The loads of one wave, each Compute PU's. */
typedef struct
{
  guint32  job; /* G_MAXUINT32: none */
  guint64  wave;
  guint64 *cycles; /* owned */
  GArray  *edges;  /* of TlPipeEdge, those that another PU waits for; only where they take time */
  guint32 *first;  /* owned: number of each Compute PU's first one + 1; 0: none */
  guint32 *last;   /* owned */
} TlPipeLoads;

/* An edge of a tile that leaves its PU. */
typedef struct
{
  guint32 from;  /* PU */
  guint32 to;    /* G_MAXUINT32: to all who have tiles of the next wave */
  guint32 bytes;
  guint8  side;  /* as TL_PIPE_EDGE's a */
  guint8  waves; /* how many later its tile is */
  guint32 next;  /* number of the next one of that PU + 1; 0: none */
} TlPipeEdge;

/* Waves whose edges may be under way at once. */
#define TL_PIPE_DUE 4

typedef struct
{
  TlPipeRun           *run;
  const TlPipeProgram *program;
  const TlPipeData    *data;
  const TlPipeOptions *options;
  TlPipePu            *pus;
  GArray              *events; /* of TlPipeEvent, a heap */
  guint64              order;
  /* memory */
  TlBankRules         *rules;
  guint64             *refresh; /* of each bank group: when one falls due; NULL: never */
  /* queue */
  guint32              level;
  TlLinks              links;
  GArray              *stalled; /* of guint32: PUs, the first come first */
  guint32              searching; /* PUs that may still send */
  guint32             *takers;  /* of each job: how many have taken it */
  guint                n_takers;
  double               level_time; /* sum of level * ps */
  guint64              level_since;
  /* waves */
  TlWaveTiling         tiling;  /* of job tiling_of */
  guint32              tiling_of;
  guint32              counted; /* jobs whose waves are in the sums */
  guint64              first_wave;
  guint64              last_wave;
  TlWaveOwner          owner;
  TlPipeLoads          loads;
  guint32              summed;  /* jobs, and waves of the last of them, whose tiles are in the run's sums */
  guint64              summed_wave;
  gboolean             charged; /* edges take time */
  guint64             *due;     /* ... [wave mod TL_PIPE_DUE][PU]: when all edges that its tiles wait for are there */
  guint32              met;

  GError             **error;
  gboolean             failed;
} TlPipeMachine;

/* --- pipe-events.c --- */

/* The event's order is filled in. */
void     tl_pipe_push_event (TlPipeMachine *machine, TlPipeEvent event);
/* The PU goes on at @time. */
void     tl_pipe_push   (TlPipeMachine *machine, guint64 time, guint32 pu);
gboolean tl_pipe_pop    (TlPipeMachine *machine, TlPipeEvent *event);
void     tl_pipe_span   (TlPipeMachine *machine, TlPipeSpanKind kind, guint32 pu, guint64 from, guint64 to,
                         guint32 subject, guint64 wave);
void     tl_pipe_fail   (TlPipeMachine *machine, TlPipeError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* --- pipe-search.c --- */

/* The read at hand is looked up from @time on; its lanes' events are pushed. FALSE: it has no word. */
gboolean tl_pipe_begin_words (TlPipeMachine *machine, guint32 pu, guint64 time);
/* A lane's access goes on. TRUE: it was the last one; *done is when its hits are counted. */
gboolean tl_pipe_lane        (TlPipeMachine *machine, const TlPipeEvent *event, guint64 *done);

/* --- pipe-sweep.c --- */

/* Makes @job the one whose waves are at hand. FALSE when it failed. */
gboolean tl_pipe_take_tiling (TlPipeMachine *machine, guint32 job);
/* Cycles that @pu's own tiles of the wave take; 0 with a failure. */
guint64  tl_pipe_load        (TlPipeMachine *machine, guint32 job, guint32 pu, guint64 wave);
/* When all edges are there that other PUs hand @pu for the wave; 0: it waits for none. */
guint64  tl_pipe_edges_due   (TlPipeMachine *machine, guint32 pu, guint64 wave);
/* Edges of @pu's own tiles of the wave, of that side, onto the ring. */
void     tl_pipe_hand_on     (TlPipeMachine *machine, guint32 job, guint32 pu, guint64 wave, guint side, guint64 time);
