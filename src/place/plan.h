/* PLAN of one signature with the domain map free: over all flags K < H of GF(2)^n with dim K =
 * min(c, n), dim H >= dim K and n - dim H <= d, the fewest conflicts, then the most domains, then
 * the fewest ones in the map; ties go to the smaller dim H, then the lexicographically smaller K, then H.
 * Forcing dim K is what keeps the second key from spreading every unit to a domain
 * of its own (tiledram-prototype.md finding 5): tl_plan_loose is that trap.
 *
 * Refining H at the same K never loses a hit nor a domain, so the first two keys are
 * decided at the smallest dim H; larger ones can win by the number of ones only. */
#pragma once

#include "place/completion.h"

/* Accesses looked at, all blocks together: some ten seconds. */
#define TL_PLAN_STEP_LIMIT (G_GUINT64_CONSTANT (1) << 33)

typedef struct
{
  guint    columns; /* c, column bits: a row holds 2^c units */
  guint    domains; /* d, domain bits to be had */
  guint64  step_limit;
  /* Called now and then; FALSE stops with what was found. @fraction is 0..1, negative when how much
   * is left is not known. May be NULL. */
  gboolean (*progress) (double fraction, gpointer data);
  gpointer data;
} TlPlanOptions;

typedef struct
{
  TlSubspace  kernel;        /* K */
  TlSubspace  domain_kernel; /* H */
  guint64     hits;
  guint64     conflicts;
  guint64     coverage;
  TlPlacement placement;
  guint64     blocks; /* domain maps looked at */
  guint64     nodes;  /* of the kernel searches inside them */
  gboolean    exact;  /* FALSE: limit or stop came first; a local search found this */
} TlFreePlan;

typedef struct
{
  guint64  conflicts;
  guint64  coverage;
  gboolean exact;
} TlLoosePlan;

/* Memory: a few megabytes at most, whatever the size. */
void tl_plan_free_domains (const TlSequence    *sequence,
                           const TlPlanOptions *options,
                           TlFreePlan          *plan);
/* The first two keys when K need not fill a row: dim K = min(c, dim H). @plan, of the same problem,
 * spares the work where the two agree; may be NULL. */
void tl_plan_loose        (const TlSequence    *sequence,
                           const TlPlanOptions *options,
                           const TlFreePlan    *plan,
                           TlLoosePlan         *loose);
/* Maps that tie with @plan, of the same problem, in conflicts and domains: @plan itself first, then those that pick
 * unit bits for domain, row and column, by the order that ranks plans; at most @most together. What the
 * first two keys cannot tell apart a replay with time can. Stops early by the options, as a search does.
 * Returns: (transfer full) GArray of TlFreePlan */
GArray *tl_plan_candidates (const TlSequence    *sequence,
                            const TlPlanOptions *options,
                            const TlFreePlan    *plan,
                            guint                most);
