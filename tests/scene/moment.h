/* The run and the moment that the suites of pictures share. */
#pragma once

#include "engine/run.h"
#include "scene/compose.h"

/* 4 x 4 tiles of 64, rows open, all in motion. */
extern const char moment_text[];
/* One build and run of it for all cases, between the fixtures. */
extern TlRun     *moment_run;

/* (transfer full) */
TlRun    *moment_run_of    (const char  *program,
                            gsize        length);
/* Unchecked fixtures. */
void      moment_set_up    (void);
void      moment_tear_down (void);
/* What every view is drawn of: the moment worth looking at, PU 5 chosen; of the Why card its first conflict. @selection:
 * what the picture borrows, (transfer full). */
TlPicture moment_picture   (TlViewKind   kind,
                            TlThemeKind  theme,
                            char       **selection);
/* (transfer full) */
TlScene  *moment_compose   (TlViewKind   kind,
                            TlThemeKind  theme);
