/* What the files of the desk share. */
#pragma once

#include "app/desk.h"
#include "engine/trace-run.h"
#include "scene/replay-compose.h"

struct _TlDesk
{
  GObject        parent_instance;
  TlLive        *live;
  TlPlayer      *player;
  char          *selection;
  char          *hover;
  TlThemeKind    theme;
  guint64        from, to;
  TlFrame       *frame;     /* of the player's time, NULL: to be made */
  TlLanes       *lanes;     /* the newest there are; drawn stretched until those of from..to come */
  gboolean       lanes_fit; /* they are of from..to, columns and lane_pus, or such are on their way */
  guint          lanes_generation;
  guint          columns;     /* they were made for */
  guint          lane_pus[3]; /* PUs with lanes of their own */
  guint          n_lane_pus;
  guint32        lane_domain; /* of a trace, first of the lanes */
  TlRunSummary  *summary;
  TlReplayTrack *replay;     /* shown instead of a program's run */
  gboolean       begun;      /* a first run was shown */
  gboolean       waves;      /* the player moves over a run of wavefronts */
  TlPipeShown    pipe;       /* of the player's time */
  TlPipeIndex   *index;      /* of the run of wavefronts, NULL: to be made */
  TlPipeLanes   *pipe_lanes; /* of its stretch shown, likewise */
  GObject       *focused;    /* weak */
  char          *statement;  /* of the run's build, NULL: to be looked up */
  guint          statement_line;
};

/* Tells the lenses; @what: TL_DESK_... */
void      tl_desk_changed           (TlDesk   *desk,
                                     guint     what);
/* The run that the player moves over, or NULL. */
TlSimRun *tl_desk_shown_run         (TlDesk   *desk);
/* Sets out to make the lanes of from..to, @columns wide; what was set out for before comes too late. */
void      tl_desk_want_lanes        (TlDesk   *desk,
                                     TlSimRun *run,
                                     guint     columns);
/* The same of a trace: the selected domain first, then those that conflict most. */
void      tl_desk_want_replay_lanes (TlDesk   *desk,
                                     guint     columns);
/* Those at once, for a picture. (transfer full), NULL when they cannot be made. */
TlLanes  *tl_desk_replay_lanes      (TlDesk      *desk,
                                     TlReplayRun *run,
                                     guint        columns);
