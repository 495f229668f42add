/* The knobs of a matrix product on a compute unit: value, who chose it, and why a value is refused.
 * language.md "Config and place"; models.md section 6. */
#pragma once

#include "passes/knobs.h"
#include "passes/recurrence.h"
#include "place/completion.h"
#include "place/product.h"

typedef enum
{
  TL_CU_TILE,
  TL_CU_STAGES,
  TL_CU_RESIDENT,
  TL_CU_SKEW,
  TL_CU_WEIGHTS,
  TL_CU_SLAB,
  TL_CU_QUANTUM,
  TL_CU_QUEUE,
  TL_CU_PAGE,
  TL_CU_VALUES,
  TL_CU_SEED,
  TL_CU_PLACE_A, /* of the first operand, and of the second */
  TL_CU_PLACE_B,
  TL_N_CU_KNOBS
} TlCuKnob;

typedef enum
{
  TL_CU_PLAN,     /* PLAN chooses the layout */
  TL_CU_IDENTITY, /* row by row, as the operand is stored */
  TL_CU_PACKED,   /* each tile contiguous */
  TL_CU_LAYOUT,   /* a layout of the user's */
} TlCuPlaceRule;

typedef struct
{
  TlCuPlaceRule rule;
  TlPlacement   layout; /* LAYOUT */
} TlCuPlace;

typedef struct
{
  TlProduct    product; /* its shape has tile, quantum, order of weights, resident, skew and slab; names are the recurrence's */
  TlElementType result; /* of C */
  guint        stages;
  guint        queue;   /* requests that the scheduler sees */
  TlPage       page;
  TlValues     values;
  guint64      seed;
  TlCuPlace    place[TL_N_GEMM_OPERANDS];
  TlKnobOrigin origin[TL_N_CU_KNOBS];
} TlCuKnobs;

/* Resolves the knobs for the product @recurrence on @target, a cu target with an address map: derived
 * defaults, then the target's <knobs>, then config and place lines. @facts: of TlDataFacts, for extents that data
 * have and no line says; may be NULL. FALSE with diagnostics when something is illegal. */
gboolean    tl_cu_knobs_resolve (TlCuKnobs          *knobs,
                                 const TlAst        *ast,
                                 const TlRecurrence *recurrence,
                                 const GArray       *facts,
                                 const TlTarget     *target,
                                 TlDiags            *diags);
const char *tl_cu_knob_name     (TlCuKnob            id); /* "tile"; "place" for both of the last */
/* The value as one would write it. (transfer full) */
char       *tl_cu_knob_text     (const TlCuKnobs    *knobs,
                                 TlCuKnob            id);
/* What it may be, for people. (transfer full) */
char       *tl_cu_knob_legal    (const TlCuKnobs    *knobs,
                                 TlCuKnob            id);
/* What it follows from when nobody says it. */
const char *tl_cu_knob_rule     (TlCuKnob            id);
/* "plan", "identity", "packed", "layout"; NULL past the last. */
const char *tl_cu_place_name    (guint               rule);
