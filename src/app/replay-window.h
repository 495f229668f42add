/* The window of a memory trace: the stack of its domains, lanes over time, what conflicts
 * most and why, on a target that is chosen in its head. */
#pragma once

#include <adwaita.h>

#define TL_TYPE_REPLAY_WINDOW (tl_replay_window_get_type ())
G_DECLARE_FINAL_TYPE (TlReplayWindow, tl_replay_window, TL, REPLAY_WINDOW, AdwApplicationWindow)

/* A window of its own for the trace at @path, which runs on a worker; shown at once. */
void tl_replay_window_open (GtkApplication *application,
                            const char     *path);
