/* The one time cursor: which moment of the run is shown, and how it moves. Main
 * thread only. */
#pragma once

#include "scene/frame.h"

#include <glib-object.h>

#define TL_TYPE_PLAYER (tl_player_get_type ())
G_DECLARE_FINAL_TYPE (TlPlayer, tl_player, TL, PLAYER, GObject)

typedef enum
{
  TL_STEP_CYCLE, /* a clock of the machine */
  TL_STEP_EVENT, /* a command or a step of a PU or of the ring */
  TL_STEP_PHASE, /* the next pivot, row-and-column or internal phase */
} TlStepUnit;

/* What a player moves over when it is no run of a program. */
typedef struct
{
  const char *const *units;            /* names of the step units, to be translated, NULL-terminated */
  guint64          (*end)   (gpointer  data); /* ps */
  guint64          (*clock) (gpointer  data);
  void             (*seek)  (gpointer  data,
                             guint64   time);
  /* A unit (index of units) on or back: the time it leads to. FALSE when there is none. */
  gboolean         (*step)  (gpointer  data,
                             guint     unit,
                             gboolean  forward,
                             guint64  *time);
} TlPlayerTrack;

/* Signals without arguments: "moved" (the time or the run changed), "state" (playing,
 * unit or dwell changed). */
TlPlayer  *tl_player_new        (void);
/* Shows @run (referenced; NULL: none). Keeps the time's share of the makespan when
 * the run is of an edited program, so that the picture does not jump. */
void       tl_player_set_run    (TlPlayer   *player,
                                 TlSimRun   *run);
TlSimRun  *tl_player_run        (TlPlayer   *player);
/* Moves over @track instead; @data must outlive it. NULL: over nothing. */
void       tl_player_set_track  (TlPlayer   *player,
                                 const TlPlayerTrack *track,
                                 gpointer    data);
/* The track moved by itself and is at @time. */
void       tl_player_arrive     (TlPlayer   *player,
                                 guint64     time);
/* Of what it moves over, ps; 0 of nothing. */
guint64    tl_player_end        (TlPlayer   *player);
guint64    tl_player_clock      (TlPlayer   *player);
/* Names of the units, to be translated. (transfer none) */
const char *const *tl_player_units (TlPlayer *player);
/* Where frames of the run come from; NULL without a run. (transfer none) */
TlFrameSource *tl_player_source (TlPlayer   *player);
guint64    tl_player_time       (TlPlayer   *player);
void       tl_player_seek       (TlPlayer   *player,
                                 guint64     time);
/* One unit on or back. */
void       tl_player_step       (TlPlayer   *player,
                                 gboolean    forward);
void       tl_player_step_unit  (TlPlayer   *player,
                                 TlStepUnit  unit,
                                 gboolean    forward);
TlStepUnit tl_player_unit       (TlPlayer   *player);
void       tl_player_set_unit   (TlPlayer   *player,
                                 TlStepUnit  unit);
gboolean   tl_player_is_playing (TlPlayer   *player);
void       tl_player_set_playing (TlPlayer  *player,
                                  gboolean   playing);
/* Milliseconds a unit is shown for while playing, 10..5000. */
guint      tl_player_dwell      (TlPlayer   *player);
void       tl_player_set_dwell  (TlPlayer   *player,
                                 guint       ms);
/* Called every frame while playing, @now in microseconds of the frame clock. */
void       tl_player_advance    (TlPlayer   *player,
                                 gint64      now);
