/* The application: what it opens first, its own actions and keys. */
#pragma once

#include <adwaita.h>

/* Returns: (transfer full) */
AdwApplication *tl_application_new (void);
