/* The pieces of a card that tells why a row was closed, for programs and for traces. */
#pragma once

#include "scene/scene.h"

typedef struct
{
  guint64     pre, act, column; /* ps; column: the first use of the wanted row */
  guint64     tRP, tRCD;        /* of the row closed, of the row opened */
  guint64     clock;
  const char *open;             /* words for the open row */
} TlWhyTime;

/* The bank's time from the last use of the open row to the first of the wanted one. About
 * 80 px high. */
void tl_why_draw_time (TlScene         *scene,
                       TlBox            box,
                       const TlWhyTime *time);
/* Two numbers bit by bit, at most @bits; those that differ stand out. 41 px high, bit
 * numbers above. */
void tl_why_draw_bits (TlScene         *scene,
                       float            x,
                       float            y,
                       float            width,
                       guint64          open,
                       guint64          wanted,
                       guint            bits);
