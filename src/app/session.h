/* Where the last session stood, so that the next one goes on there: the program, the
 * view and the moment, the window's size. View state, never part of a program. No toolkit. */
#pragma once

#include <glib.h>

typedef struct
{
  char    *path;   /* of the program, NULL: it was never saved */
  char    *state;  /* tl_picture_state of what was shown, or NULL */
  int      width, height; /* 0: not known */
  gboolean maximized;
  int      cursor; /* offset in characters */
} TlSession;

/* "tierloom/session" in the state folder. (transfer full) */
char     *tl_session_file  (void);
/* FALSE and an empty @session when there is none or it is not one. */
gboolean  tl_session_load  (const char      *file,
                            TlSession       *session);
/* FALSE when it cannot be written: a pity, and no more. */
gboolean  tl_session_save  (const char      *file,
                            const TlSession *session);
void      tl_session_clear (TlSession       *session);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlSession, tl_session_clear)
