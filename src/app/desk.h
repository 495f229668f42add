/* What all lenses of one window share: the live build and run, the time, the frame
 * of that moment, one selection, one hover, the timeline's window. Lenses read it
 * and redraw when it says so. Main thread only. */
#pragma once

#include "app/live.h"
#include "app/player.h"
#include "app/replay-track.h"
#include "scene/view.h"

#define TL_TYPE_DESK (tl_desk_get_type ())
G_DECLARE_FINAL_TYPE (TlDesk, tl_desk, TL, DESK, GObject)

typedef enum
{
  TL_DESK_RUN = 1 << 0,       /* another run, or it went stale or fresh */
  TL_DESK_TIME = 1 << 1,      /* another moment */
  TL_DESK_SELECTION = 1 << 2,
  TL_DESK_HOVER = 1 << 3,
  TL_DESK_WINDOW = 1 << 4,    /* what the timeline shows */
  TL_DESK_THEME = 1 << 5,
  TL_DESK_FOCUS = 1 << 7,     /* another lens has the keyboard */
  TL_DESK_LANES = 1 << 6,     /* lanes of the window are there */
} TlDeskChange;

/* Signal "changed" (guint flags of TlDeskChange). */
TlDesk        *tl_desk_new            (void);
TlLive        *tl_desk_live           (TlDesk      *desk); /* (transfer none) */
TlPlayer      *tl_desk_player         (TlDesk      *desk); /* (transfer none) */

/* Ids as in scene/view.h; NULL for nothing. */
const char    *tl_desk_selection      (TlDesk      *desk);
void           tl_desk_select         (TlDesk      *desk,
                                       const char  *id);
const char    *tl_desk_hover          (TlDesk      *desk);
void           tl_desk_set_hover      (TlDesk      *desk,
                                       const char  *id);
TlThemeKind    tl_desk_theme          (TlDesk      *desk);
void           tl_desk_set_theme      (TlDesk      *desk,
                                       TlThemeKind  theme);
/* The stretch of time the lanes show. tl_desk_zoom: factor < 1 shows less, the moment
 * at @anchor (0..1 of the width) stays where it is. */
void           tl_desk_window         (TlDesk      *desk,
                                       guint64     *from,
                                       guint64     *to);
void           tl_desk_set_window     (TlDesk      *desk,
                                       guint64      from,
                                       guint64      to);
void           tl_desk_zoom           (TlDesk      *desk,
                                       double       factor,
                                       double       anchor);
void           tl_desk_pan            (TlDesk      *desk,
                                       double       widths);

/* The lens that last had the keyboard: whose items the table lists. NULL before. */
GObject       *tl_desk_focused        (TlDesk      *desk);
void           tl_desk_set_focused    (TlDesk      *desk,
                                       GObject     *lens);

/* What a lens @columns px wide draws: FALSE while there is no run. The view's parts
 * belong to the desk and hold until its next change. */
gboolean       tl_desk_view           (TlDesk      *desk,
                                       guint        columns,
                                       TlView      *view);
/* A picture of its own size of what is shown now, without hover. NULL without a run.
 * (transfer full) */
TlScene       *tl_desk_picture        (TlDesk      *desk,
                                       TlViewKind   kind,
                                       TlThemeKind  theme);
/* The moment in words; "" without a run. (transfer full) */
char          *tl_desk_caption        (TlDesk      *desk);

/* Shows a run of a trace instead of a program's; NULL: none. @target: name of the machine. */
void           tl_desk_set_replay     (TlDesk      *desk,
                                       TlReplayRun *run,
                                       const char  *target);
/* NULL while no trace is shown. (transfer none) */
TlReplayTrack *tl_desk_replay         (TlDesk      *desk);
/* Of a trace: to the moment after @events events. */
void           tl_desk_go             (TlDesk      *desk,
                                       guint64      events);
/* Of a trace: to the conflict whose PRE is event @event, and selects it. */
void           tl_desk_go_conflict    (TlDesk      *desk,
                                       guint64      event);
