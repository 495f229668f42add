/* Placement of memory objects by latency sensitivity: sigma(o) = dependent
 * accesses / streamed bytes, decreasing, ties by name, each into the lowest tiers
 * with room, objects may split. GenMLIR section 3.3; models.md section 3. */
#pragma once

#include <glib.h>

typedef struct
{
  const char *name;
  guint64     bytes;
  guint64     dependent; /* accesses whose address hangs on the access before */
  guint64     streamed;  /* bytes read or written in order; 0 with dependent > 0: infinite sigma */
} TlMemoryObject;

/* Share of object @object in @tier. */
typedef struct
{
  guint   object;
  guint   tier;
  guint64 bytes;
} TlTierShare;

/* < 0 when @a is placed before @b. Exact (128-bit products). */
int      tl_sigma_compare (const TlMemoryObject *a,
                           const TlMemoryObject *b);
/* Places all of @objects into @room (free bytes per tier, lowest tier first; reduced
 * as they are placed). Appends TlTierShare to @shares in placing order. FALSE when
 * they do not fit: *missing is then the bytes left over; what fits is placed. */
gboolean tl_sigma_place   (const TlMemoryObject *objects,
                           guint                 n_objects,
                           guint64              *room,
                           guint                 n_tiers,
                           GArray               *shares,
                           guint64              *missing);
/* Sum over shares of sigma * bytes * latency of the tier: what the greedy minimises
 * (finite sigma only). For tests and for showing. */
double   tl_sigma_cost    (const TlMemoryObject *objects,
                           guint                 n_objects,
                           const GArray         *shares,
                           const double         *latency);
