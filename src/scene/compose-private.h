/* Reading what is asked for, shared by the composers of programs and of traces. */
#pragma once

#include "scene/compose.h"

/* Sets @error and returns FALSE. */
gboolean tl_compose_fail   (GError     **error,
                            const char  *format,
                            ...) G_GNUC_PRINTF (2, 3);
/* A plain decimal number and nothing else. */
gboolean tl_compose_number (const char  *text,
                            guint64     *number);
