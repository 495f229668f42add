/* What all views show of one moment: the machine's state with, for every bank, what
 * is being done to its row just now. Made from a run and a time; a source keeps the
 * commands around the last moment, so that stepping and playing ask little. */
#pragma once

#include "sim/moment.h"

typedef enum
{
  TL_BANK_CLOSED,
  TL_BANK_IDLE,     /* a row is open, nothing happens */
  TL_BANK_CLOSING,  /* between PRE and PRE + tRP */
  TL_BANK_OPENING,  /* between ACT and ACT + tRCD, the bank was closed: an opening miss */
  TL_BANK_REOPENING,/* the same after another row was shut for it: a conflict */
  TL_BANK_READING,  /* beats on the data bus */
  TL_BANK_WRITING,
} TlBankState;

typedef struct
{
  guint8  state; /* TlBankState */
  guint8  tier;  /* of the open, closing or opening row */
  guint32 row;
  guint64 since; /* ps, of the command that made it so */
  guint64 until; /* when it ends; 0 when open-ended */
} TlBankFrame;

typedef struct
{
  TlSimRun    *run;    /* borrowed */
  guint64      time;
  TlSimMoment *moment; /* owned */
  TlBankFrame *bank;   /* PU * banks + bank */
  guint        hops;   /* of the broadcast under way: how far its head is, 0 when none */
  guint        reached; /* PUs that have it whole */
  guint        computing, reading, writing, waiting; /* PUs that do */
  guint32      k;      /* the latest super-step any PU is in */
  guint8       phase;  /* TlPhase of that */
} TlFrame;

typedef struct _TlFrameSource TlFrameSource;

/* References @run. Main thread only; it may have one thread of its own at work ahead.
 * Returns: (transfer full) */
TlFrameSource *tl_frame_source_new  (TlSimRun       *run);
void           tl_frame_source_free (TlFrameSource  *source);
/* The frame just after all events at or before @time: microseconds inside the stretch
 * of time that the source holds, milliseconds elsewhere. NULL with @error.
 * Returns: (transfer full) */
TlFrame       *tl_frame_at          (TlFrameSource  *source,
                                     guint64         time,
                                     GError        **error);
/* Time of the first event after @time (of the last one before it); FALSE when there is
 * none. From the stretch held where it can. */
gboolean       tl_frame_next        (TlFrameSource  *source,
                                     guint64         time,
                                     guint64        *next);
gboolean       tl_frame_previous    (TlFrameSource  *source,
                                     guint64         time,
                                     guint64        *previous);
/* Makes the stretch that playing on from @time will come to, on another thread. */
void           tl_frame_look_ahead  (TlFrameSource  *source,
                                     guint64         time);
void           tl_frame_free        (TlFrame        *frame);
/* The moment in one or two plain sentences: what the caption and a screen reader say.
 * (transfer full) */
char          *tl_frame_caption     (const TlFrame  *frame);
/* "pivot", "row and column", "internal" */
const char    *tl_phase_words       (guint8          phase);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlFrame, tl_frame_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlFrameSource, tl_frame_source_free)
