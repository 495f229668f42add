/* From a run and a few words to a finished picture: what `tierc figure` and the
 * export dialog call. */
#pragma once

#include "scene/view.h"

typedef struct
{
  TlViewKind   kind;
  TlThemeKind  theme;
  float        width, height; /* px; 0: the kind's own size */
  const char  *selection;     /* id or NULL */
  guint64      time;          /* the moment, ps */
  guint64      from, to;      /* timeline; to = 0: a window round the moment */
} TlPicture;

/* "cycle:N", "time:12.5ns", "event:N", "phase:K.pivot|cross|internal", "end", "start".
 * FALSE with @error in words when it is none of them or lies outside the run. */
gboolean tl_moment_parse   (TlSimRun        *run,
                            const char      *text,
                            guint64         *time,
                            GError         **error);
/* A moment worth looking at: shortly after a pivot tile set out on the ring, about a
 * third into the run; the first computing otherwise. */
guint64  tl_moment_telling (TlSimRun        *run);
/* Draws. NULL with @error. Returns: (transfer full) */
TlScene *tl_compose        (TlSimRun        *run,
                            const TlPicture *picture,
                            GError         **error);
/* The same of a run of wavefronts with its machine's time. Returns: (transfer full) */
TlScene *tl_pipe_compose   (const TlGridRun *grid,
                            const TlPicture *picture);
/* The state a figure carries, and back: "view=stack;theme=light;time=12;select=tile-3-5".
 * Unknown keys are left alone. (transfer full) */
char    *tl_picture_state  (const TlPicture *picture);
void     tl_picture_parse  (const char      *state,
                            TlPicture       *picture,
                            char           **selection);
