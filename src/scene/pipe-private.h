/* Shared by the views of a run of wavefronts. */
#pragma once

#include "scene/pipe-view.h"

/* --- What a PU does: a colour, and a texture or stroke that says it too --- */

TlStyle tl_pipe_style     (TlThemeKind theme, guint kind); /* kind >= TL_PIPE_N_SPANS: nothing */
/* The bar under a PU: 14 x 6 round @x, @y. */
void    tl_pipe_cue       (TlScene *scene, float x, float y, guint kind);
/* A disc, or a hexagon for a Search PU, with its number and the bar. */
void    tl_pipe_draw_pu   (TlScene *scene, const TlView *view, const TlPipeMoment *moment, guint pu, float x, float y,
                           float radius);
/* The Compute PUs with the tile each sweeps, under their heading and over their legend. Returns the height
 * that was taken. */
float   tl_pipe_draw_compute (TlScene *scene, TlBox box, const TlView *view, const TlPipeMoment *moment);
/* What the bars mean, on one line at @y. */
void    tl_pipe_draw_legend (TlScene *scene, float x, float y, float right, const TlPipeRun *run);
/* Ring round a thing that is selected or hovered over. */
void    tl_pipe_mark      (TlScene *scene, const TlView *view, const char *kind, guint number, TlBox box);

/* --- The problem shown --- */

typedef struct
{
  TlScene            *scene;
  const TlView       *view;
  TlPipeMoment        moment; /* owned */
  const TlPipeJob    *job;
  guint32             number; /* of it */
  const TlGridHit    *hit;
  TlWaveTiling        tiling;
  TlWaveOwner         owner;
  float               x, y, width, height; /* of the matrix */
  float               tile_width, tile_height;
} TlPipeMap;

typedef enum { TL_PIPE_NOT_YET, TL_PIPE_NOW, TL_PIPE_DONE } TlPipeStage;

/* FALSE when no problem was begun. Close it when TRUE. */
gboolean    tl_pipe_map_open   (TlPipeMap *map, TlScene *scene, const TlView *view);
void        tl_pipe_map_close  (TlPipeMap *map);
TlPipeStage tl_pipe_map_stage  (const TlPipeMap *map, guint64 wave);
/* Is the way found, in the window that is shown, and along straight tiles? */
gboolean    tl_pipe_map_has_way (const TlPipeMap *map);
/* A letter of the read as it lies, or of the window: from 0; '\0': numbers. */
char        tl_pipe_map_letter (const TlPipeMap *map, guint side, guint64 at);
/* What the map shows in a line: the read and where its window lies. (transfer full) */
char       *tl_pipe_map_title  (const TlPipeMap *map);
/* Cell by cell in @box; FALSE when there is no room for letters. */
gboolean    tl_pipe_draw_cells (TlPipeMap *map, TlBox box);
/* Tile by tile in @box. */
void        tl_pipe_draw_tiles (TlPipeMap *map, TlBox box);
/* What the tiles' looks mean, on one line at @y. */
void        tl_pipe_tiles_legend (const TlPipeMap *map, float x, float y, float right);
/* Both sequences over each other, block after block from the place of the wave on; of a trellis its states. */
void        tl_pipe_draw_text  (const TlPipeMap *map, TlBox box);

