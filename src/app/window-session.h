/* View and moment of a window as a picture's state, and the session that starts where
 * the last one stopped. */
#pragma once

#include "app/session.h"
#include "app/window.h"

/* Shows what @state says, at once or as soon as the program has run. Stops playing. */
void  tl_window_show_state     (TlWindow   *window,
                                const char *state);
/* Keeps the session's file up with this window from now on. */
void  tl_window_session_follow (TlWindow   *window);
/* The session as it is now. */
void  tl_window_session_save   (TlWindow   *window);
/* Size of the last window; before it is shown. */
void  tl_window_session_size   (TlWindow        *window,
                                const TlSession *session);
