/* A run over time, however long: what each domain did in each of up to 1,024 pieces of
 * time, which become twice as long when they no longer suffice. */
#pragma once

#include "dram/event.h"

typedef struct
{
  guint32 of[3];   /* classes decided in it: hit, miss, conflict */
  guint32 columns; /* reads and writes */
} TlTimeBin;

typedef struct
{
  guint32     n_domains;
  guint       n_bins;  /* room */
  guint       used;    /* bins up to the last that has something */
  guint64     width;   /* ps a bin */
  TlTimeBin **domains; /* NULL for one that did nothing, or came after the most there is room for */
  guint32     n_rows;
  TlTimeBin  *all;     /* of all domains, forwarded requests as hits */
} TlTimeBins;

/* Returns: (transfer full) */
TlTimeBins *tl_time_bins_new  (guint32        n_domains,
                               guint32        clock);
void        tl_time_bins_free (TlTimeBins    *bins);
void        tl_time_bins_add  (TlTimeBins    *bins,
                               const TlEvent *event);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTimeBins, tl_time_bins_free)
