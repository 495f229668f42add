/* The layout lens of an operand tile: its order of accesses, its placement, and the maps to choose from. */
#pragma once

#include "engine/operand.h"
#include "scene/layout-lens.h"

/* What the maps are called; shown as they are. */
typedef struct
{
  const char *written;  /* by the place line */
  const char *run;      /* taken by the run */
  const char *plan;     /* first by conflicts */
  const char *packed;   /* the same, when it is the plain one */
  const char *identity; /* unit after unit */
  const char *tie;      /* "as good, %u" */
} TlOperandLensNames;

/* @name of the tile. (transfer full) */
TlLayoutLens *tl_layout_lens_of_operand (const TlOperandTile      *tile,
                                         const char               *name,
                                         const TlOperandLensNames *names);
