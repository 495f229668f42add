/* Shared by the files of src/layout. */
#pragma once

#include "base/diag.h"
#include "layout/layout.h"

/* Whether @dims are distinct and below @n_dims; @chosen receives a bit each. */
gboolean tl_layout_choose  (const gint64 *dims,
                            guint         n,
                            guint         n_dims,
                            guint32      *chosen,
                            char        **reason);
/* Leading dimensions of size 1 up to @n_dims. */
void     tl_layout_pad     (TlLayout *layout,
                            guint     n_dims);
/* Whether @shape is of 1..G_MAXINT32 numbers, at most eight. */
gboolean tl_layout_shape_valid (const gint64 *shape,
                                guint         n_dims,
                                char        **reason);
/* Makes one of neighbours that can be: same dimension, next to each other in it and in
 * their list. */
void     tl_layout_merge   (TlLayout *layout);
