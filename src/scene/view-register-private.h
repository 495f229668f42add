/* Shared by the files that draw the register lens. Private to src/scene. */
#pragma once

#include "scene/register-lens.h"

typedef struct
{
  TlBox    box;
  guint64  rows, columns;
  float    width, height; /* of a cell */
  gboolean labelled;
} Grid;

typedef struct
{
  TlScene                *scene;
  const TlRegisterLens   *of;
  const TlRegisterMoment *moment;
  TlBox                   card[3];
  guint                   threads, locals;
  guint64                 first; /* element of the slice shown */
  gboolean                wrapped; /* a tile of one dimension, in lines */
  Grid                    tile, registers;
} Lens;

/* A card with its title and a word about it. */
void tl_lens_card      (TlScene     *scene,
                        TlBox        box,
                        const char  *title,
                        const char  *rest);
/* Wrapped text from @box.y as the first baseline on; returns the baseline after the last line. */
float tl_lens_paragraph (TlScene    *scene,
                         TlBox       box,
                         TlColor     color,
                         float       size,
                         const char *text);
/* --- view-ruler.c --- */

/* The card of the View: bit ruler, verdict, notations. */
void tl_lens_draw_view (const Lens  *lens);
/* The traced element's way, at the foot of the card. */
void tl_lens_draw_way  (const Lens  *lens);
