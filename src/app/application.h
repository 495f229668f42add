/* The application: what it opens first, its own actions and keys. */
#pragma once

#include <adwaita.h>

/* Returns: (transfer full) */
AdwApplication *tl_application_new        (void);
/* The program a new window starts with: four lines that show hits, misses and conflicts. */
const char     *tl_application_first_text (void);
