/* Trees of CuTe modes; shared by the files of the algebra. */
#pragma once

#include "layout/cute.h"

enum
{
  TL_CUTE_MAX_LEAVES = 64,
  TL_CUTE_MAX_DEPTH = 16,
};

/* A leaf, or a tuple of parts. */
struct _TlCute
{
  guint64    size;
  guint64    stride;
  GPtrArray *parts; /* of TlCute *; NULL in a leaf */
};

typedef struct
{
  guint64 size;
  guint64 stride;
} TlCuteMode;

TlCute *tl_cute_leaf    (guint64 size,
                         guint64 stride);
/* An empty tuple to add parts to. */
TlCute *tl_cute_tuple   (void);
TlCute *tl_cute_copy    (const TlCute *layout);
/* Appends the leaves in order. */
void    tl_cute_flatten (const TlCute *layout,
                         GArray       *modes);
/* A leaf for one mode, a flat tuple for more, joined and without ones. */
TlCute *tl_cute_joined  (const TlCuteMode *modes,
                         guint             n);
