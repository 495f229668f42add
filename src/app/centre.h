/* What the middle and the right of a window are called for the kind of run that it shows,
 * and which pictures they hold: tiers of a stack, a pipeline, a matrix; tiles or hot spots. */
#pragma once

#include "app/canvas.h"

typedef struct
{
  GtkLabel        *title;
  GtkWidget       *both;   /* the two buttons */
  GtkToggleButton *first;  /* flat stack, or the PUs of a pipeline */
  GtkToggleButton *second; /* stack in projection, or the matrix */
  GtkStackPage    *page;   /* of tiles or hot spots */
  TlCanvas        *middle;
  TlCanvas        *right;
  TlDesk          *desk;
} TlCentreParts;

/* Follows the desk until the parts' widgets are gone. */
void tl_centre_attach (const TlCentreParts *parts);
