/* Preferences: GSettings of the schema io.github.tierloom.Tierloom, found where it is
 * installed or where it was built. Without it every preference has its first value. */
#pragma once

#include <gio/gio.h>

/* The settings of the running application, NULL when there is no schema. (transfer none) */
GSettings *tl_settings         (void);
gboolean   tl_settings_boolean (const char *key,
                                gboolean    otherwise);
/* "" without a schema. (transfer full) */
char      *tl_settings_string  (const char *key);
