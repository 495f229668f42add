/* MatrixMarket files, value by value. Within src/input. */
#pragma once

#include "input/input.h"
#include "input/text.h"

/* One entry, counted from 0; mirrored ones of symmetric files are given too. */
typedef void (*TlEntryFunc) (gpointer     data,
                             guint64      row,
                             guint64      column,
                             TlScalar     value,
                             TlInputPlace place);

/* The size, before the first entry; FALSE stops (with a diagnostic of its own). */
typedef gboolean (*TlSizeFunc) (gpointer data,
                                TlText  *text,
                                guint64  rows,
                                guint64  columns,
                                gboolean pattern,
                                gboolean array);

gboolean tl_is_matrix_market (const char   *bytes,
                              gsize         length);
/* Reads "matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric".
 * @infinite: infinities are values. FALSE with diagnostics. */
gboolean tl_matrix_market    (TlText       *text,
                              TlElementType element,
                              gboolean      infinite,
                              TlSizeFunc    size,
                              TlEntryFunc   entry,
                              gpointer      data);
