/* What a module of wavefronts says, flat: what its passes share and what emission needs. */
#pragma once

#include "ir/ir.h"
#include "ir/wave.h"
#include "passes/knobs.h"

/* An edge that tiles wait for. */
typedef struct
{
  guint8   down;
  guint8   right;
  gboolean travels; /* some owner is another PU than that of the tile that waits */
} TlWaveEdge;

typedef struct
{
  char         *program;
  char         *target;
  TlPimMachine  machine;
  TlPimKnobs    knobs;
  guint32       element_bits;
  TlWaveTiling  tiling;      /* without a size, reduced 1 for a trellis */
  TlWaveBand    band;
  guint64       rows;        /* cells, 0: each read's own or not known */
  guint64       columns;
  guint         n_tables;
  char         *owner;       /* rule text */
  char         *owner_name;
  gboolean      streams;
  guint         k;
  guint         pointers;    /* numbers of objects */
  guint         positions;
  guint32       sides[2];    /* number of the data read along rows and columns + 1; 0: none */
  guint32       depth;       /* of the queue */
  guint32       entry_bytes;
  gboolean      depth_told;
  guint64       search_ps;
  guint64       sweep_ps;
  guint         n_edges;
  TlWaveEdge    edges[TL_WAVE_N_EDGES];
  GPtrArray    *data;        /* of TlDataSource * */
  GArray       *objects;     /* of TlWaveObject */
} TlWaveSchedule;

/* Tile, lanes, fill, skew and order of a "dp.wavefront_update", and its band; no size. */
void            tl_wave_read_update          (const TlOp         *update,
                                              const TlPimMachine *machine,
                                              TlEdges             edges,
                                              TlWaveTiling       *tiling,
                                              TlWaveBand         *band);
/* NULL with errors on @diags when @module is no module of wavefronts after G4.
 * Returns: (transfer full) */
TlWaveSchedule *tl_wave_schedule_from_module (const TlModule     *module,
                                              TlDiags            *diags);
void            tl_wave_schedule_free        (TlWaveSchedule     *schedule);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlWaveSchedule, tl_wave_schedule_free)
