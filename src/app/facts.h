/* What limits a run, in words and figures: the four flows, where the PUs' time goes,
 * the paper's figures where they apply. Without a display. */
#pragma once

#include "engine/product-run.h"
#include "engine/run.h"

typedef struct
{
  char   *label; /* "B3 all of it" */
  char   *value; /* "13.0 ms" */
  double  share; /* 0..1 of the longest, for a bar */
  char   *note;  /* beside it, "" when there is none: "5.0x B0; paper 5.2x" */
} TlFact;

/* B0, B1, B3, B2: from the plainest to the bound. (transfer full) GPtrArray of TlFact * */
GPtrArray *tl_flow_facts  (const TlRun *run);
/* Computing and the waits, as shares of all PUs' time. (transfer full) GPtrArray of TlFact * */
GPtrArray *tl_time_facts  (const TlRun *run);
/* The kernel of a product as its operands are stored, packed and placed. (transfer full)
 * GPtrArray of TlFact * */
GPtrArray *tl_product_facts (const TlProductRun *run);
/* One sentence: what the run waits for most. (transfer full) */
char      *tl_limit_text  (const TlRun *run);
/* Sensitivities (engine/run.h) as rows. (transfer full) GPtrArray of TlFact * */
GPtrArray *tl_sense_facts (const GArray *sensitivities,
                           guint64       makespan_ps);
/* What G1 made of a program, in a sentence: which recurrence over which semiring, what its cells wait for.
 * "" where nothing was recognised. (transfer full) */
char      *tl_recognised_text (const TlBuild *build);
