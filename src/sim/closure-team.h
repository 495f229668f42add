/* Threads that do numbered pieces of one job at a time. Within src/sim. */
#pragma once

#include <glib.h>

typedef struct _TlTeam TlTeam;

/* Does piece @item; @worker is 0 .. size-1, one piece at a time a worker. */
typedef void (*TlTeamWork) (gpointer data,
                            guint64  item,
                            guint    worker);

/* @size threads, the caller's included; 0: one a processor. Returns: (transfer full) */
TlTeam *tl_team_new  (guint       size);
guint   tl_team_size (TlTeam     *team);
/* Does pieces 0 .. n-1 in any order on all threads; returns when all are done. */
void    tl_team_run  (TlTeam     *team,
                      guint64     n,
                      TlTeamWork  work,
                      gpointer    data);
void    tl_team_free (TlTeam     *team);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTeam, tl_team_free)
