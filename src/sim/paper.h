/* The paper's figures beside the model's (models.md section 5), each with the
 * assumption that carries it. The values here are the paper's; what the model says is
 * computed when asked for. */
#pragma once

#include "sim/run.h"

typedef enum
{
  TL_STANDING_EXACT,      /* a test holds it */
  TL_STANDING_CLOSE,      /* within the stated share */
  TL_STANDING_ASSUMPTION, /* depends on what the paper does not say */
} TlStanding;

typedef struct
{
  const char *figure;     /* "speed-up B3/B0" */
  const char *case_name;  /* "5,242 nodes" */
  const char *unit;       /* "", "GiB", "ns" */
  double      paper;
  double      model;      /* NAN: not modelled, assumption says why */
  TlStanding  standing;
  double      tolerance;  /* share of the paper's value, for CLOSE */
  const char *assumption; /* what carries the model's value */
} TlPaperFigure;

/* What the paper says of shortest paths over one of its three graphs. */
typedef struct
{
  guint32     n;
  const char *name;     /* "5,242 nodes" */
  double      speed_up; /* B3 over B0 */
  double      bound;    /* B3 / B2 */
  double      strict;   /* the same figure, for the row with strict barriers */
} TlPaperGraph;

/* NULL for other sizes. */
const TlPaperGraph *tl_paper_graph (guint32 n);

/* All figures of the closure for @machine; runs the memoised simulation at 5,242,
 * 6,301 and 65,536 nodes, twice (one or two seconds). Returns: (transfer full), of
 * TlPaperFigure, texts static; NULL with @error when cancelled. */
GArray *tl_paper_figures (const TlPimMachine *machine,
                          GCancellable       *cancellable,
                          GError            **error);
