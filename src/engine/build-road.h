/* One build in the making, and the stages that fill it. */
#pragma once

#include "engine/build-private.h"
#include "passes/pipeline.h"

typedef struct
{
  TlBuild              *build;
  const char           *name;
  const TlBuildOptions *options;
  TlBuild              *previous; /* or NULL */
  GCancellable         *cancellable;
  TlPimKnobs            knobs; /* of a program text, once resolved */
  TlSpan                owner_span;
  gboolean              whole; /* all came from the previous build, lints too */
} TlRoad;

/* A recurrence is shared by the builds that hold it; a box counts them. */
typedef struct
{
  TlRecurrence *recurrence;
  TlGrid       *grid;
} TlSharedRecurrence;

/* --- build-road.c: clocks, keys, what stages share --- */

gint64   tl_road_now             (void); /* ns */
guint64  tl_road_mix             (guint64 key, guint64 value);
guint64  tl_road_mix_text        (guint64 key, const char *text);
TlDiags *tl_road_diags           (TlRoad *road, TlStage stage);
/* Has the previous build made @stage from the same things? Then its diagnostics come along. */
gboolean tl_road_reuse           (TlRoad *road, TlStage stage, guint64 key);
guint    tl_road_errors          (const TlRoad *road);
gboolean tl_road_cancelled       (TlRoad *road);
TlStage  tl_road_last            (const TlRoad *road);

/* --- build-text.c: from a program text to its recurrence --- */

void     tl_road_read_text       (TlRoad *road, gconstpointer data, gsize length);
void     tl_road_read_inputs     (TlRoad *road);
void     tl_road_read_target     (TlRoad *road);
gboolean tl_road_recognise       (TlRoad *road);
void     tl_road_keep_recurrence (TlBuild *build, TlSharedRecurrence *shared);
void     tl_shared_recurrence_clear (gpointer shared);

/* --- build-product.c: products on compute units --- */

/* From the recurrence, recognised and on a cu target, to the machine's program. */
void     tl_road_make_product    (TlRoad *road);
/* The groups of a product's module that are still to come. */
void     tl_road_go_on_product   (TlRoad *road, TlModule *module);

/* --- build-groups.c: from a module to the decoded program --- */

TlStage  tl_stage_of_group       (TlGroup group);
guint64  tl_road_key             (const TlRoad *road);
/* The same as last time as far as the module's stages can see? Then all of it is. */
gboolean tl_road_take_all        (TlRoad *road, guint64 key);
/* The build's stream, decoded, because the simulator may look at nothing else. */
void     tl_road_decode          (TlRoad *road, TlDiags *diags);
/* All groups that are still to come, then the stream. @open: owner = auto is possible. */
void     tl_road_make_groups     (TlRoad *road, gboolean open);
