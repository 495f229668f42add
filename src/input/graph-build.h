/* Arcs as a reader or generator finds them, then a graph. Within src/input. */
#pragma once

#include "input/input.h"
#include "input/text.h"

typedef struct
{
  TlElementType element;
  GArray       *from;     /* of guint32 */
  GArray       *to;
  GArray       *weight;   /* of TlScalar; stays empty when unweighted */
  gboolean      weighted;
  gboolean      any;      /* low and high hold */
  TlScalar      low;
  TlScalar      high;
  TlInputPlace  low_place;
  TlInputPlace  high_place;
} TlArcs;

/* What a text reader made: the graph's nodes and how they are called. */
typedef struct
{
  guint64  n;
  gint64  *ids;      /* or NULL */
  gint64   first_id;
} TlNodes;

/* @expected: about how many arcs there will be, at most 2^24 get room at once. */
void     tl_arcs_init     (TlArcs       *arcs,
                           TlElementType element,
                           gsize         expected);
void     tl_arcs_clear    (TlArcs       *arcs);
/* @place: where the weight stands. */
void     tl_arcs_add      (TlArcs       *arcs,
                           guint32       from,
                           guint32       to,
                           TlScalar      weight,
                           TlInputPlace  place);
/* The value of an unweighted arc: 1, true. */
TlScalar tl_unit_weight   (TlElementType element);
/* Moves arcs and nodes into @input: graph, rows, columns, bounds. */
void     tl_arcs_finish   (TlArcs       *arcs,
                           TlNodes       nodes,
                           TlInput      *input);

/* Readers: the text stands at its first byte. FALSE with diagnostics. */
gboolean tl_read_edge_list     (TlText  *text,
                                TlArcs  *arcs,
                                TlNodes *nodes);
gboolean tl_read_dimacs        (TlText  *text,
                                TlArcs  *arcs,
                                TlNodes *nodes);
gboolean tl_read_matrix_market (TlText  *text,
                                TlArcs  *arcs,
                                TlNodes *nodes);
