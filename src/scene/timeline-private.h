/* What all timelines have: the strip of the whole run, the axis, the moment. */
#pragma once

#include "scene/view.h"

#define TL_TIMELINE_LABELS 118
#define TL_TIMELINE_STRIP  30
#define TL_TIMELINE_LANE   15.8f
#define TL_TIMELINE_BAR    12

typedef struct
{
  TlScene      *scene;
  const TlView *view;
  float         x, y, width, height;
  guint64       from, to; /* shown */
  float         scale;    /* of the lanes, made for another stretch perhaps, */
  float         offset;   /* and where they begin */
} TlTimeline;

/* The strip's slot with what it shows, in two lines at its left. */
void tl_timeline_strip    (const TlTimeline *timeline, const char *second);
/* The window of the lanes and the moment, on the strip. */
void tl_timeline_place    (const TlTimeline *timeline);
/* Ticks with their times at @y and hair lines down through the lanes. */
void tl_timeline_axis     (const TlTimeline *timeline, float y);
/* A line through the lanes at the moment shown and its time in a chip over @top. */
void tl_timeline_playhead (const TlTimeline *timeline, float top);
/* Adds a bar to the boxes (of TlBox): those of one height that touch are one. */
void tl_timeline_bar      (GArray *boxes, TlBox box);
