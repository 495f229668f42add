/* Every knob of a build, whatever its target: the value, who chose it, what it follows from when nobody did, and what
 * it may be. language.md, "Config and place". */
#pragma once

#include "engine/build.h"
#include "passes/knobs.h"

typedef struct
{
  char       *key;      /* of a config line: "tile"; "place" of a place line */
  char       *operand;  /* whose place it is; NULL for config lines */
  char       *value;    /* as one would write it: "(64, 128, 64)" */
  TlChosen    chosen;
  TlSpan      span;     /* of the value in the text; empty when it does not stand there */
  const char *rule;     /* what it follows from when nobody says it */
  char       *legal;    /* for people: "1 to 64" */
  char       *detail;   /* of a place among wavefronts, what it comes to: "16 MiB: T0 4 MiB, T1 12 MiB"; else NULL */
} TlKnobState;

/* The knobs that mean something to @build's program on its target, in the order of their table; a build that was made
 * of a module or stream, or that got to no recurrence or target, has none. @target: another one to ask of, where the
 * build has none; may be NULL. Values that are refused are the derived ones. Returns: (transfer full) GPtrArray of
 * TlKnobState *, free function set */
GPtrArray  *tl_build_knobs     (const TlBuild     *build,
                                const TlTarget    *target);
/* What it is called: "tile", "place W". (transfer full) */
char       *tl_knob_state_name (const TlKnobState *state);
