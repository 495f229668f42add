/* What a placement makes of a sequence, counted access by access with one open row a
 * domain: independent of histograms, kernels and the search, to check them. */
#pragma once

#include "place/completion.h"

typedef struct
{
  guint64 hit;
  guint64 miss;
  guint64 conflict;
  guint64 coverage; /* domains touched; equals miss, as all start closed */
} TlPlacementCounts;

/* FALSE when the rows are no bijection of the unit bits; *counts is set all the same. */
gboolean tl_placement_evaluate (const TlPlacement *placement,
                                const TlSequence  *sequence,
                                TlPlacementCounts *counts);
