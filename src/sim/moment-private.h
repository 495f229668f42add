/* How a moment changes. */
#pragma once

#include "sim/gather-private.h"
#include "sim/moment.h"

/* Before anything happened. */
TlSimMoment *tl_moment_new     (const TlSimPlan   *plan);
/* @event happens; of what it names in the lists. */
void         tl_moment_apply   (TlSimMoment       *moment,
                                const TlSimPlan   *plan,
                                const TlSimEvent  *event,
                                const GArray      *operations,
                                const GArray      *broadcasts);
/* Counts for the PU and for all. */
void         tl_moment_count   (TlSimMoment       *moment,
                                TlPuMoment        *pu,
                                const TlSimCounts *counts);
/* Sets what time alone changes: time, the broadcast's progress. */
void         tl_moment_at_time (TlSimMoment       *moment,
                                guint64            time);
