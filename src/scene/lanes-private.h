/* What makers of lanes share. */
#pragma once

#include "scene/lanes.h"

/* A bank's lane as its commands come: what it is at the end of the one before. */
typedef struct
{
  TlLane  *lane;
  gboolean open;
  gboolean reserved; /* closed for a row that conflicts */
  gboolean fresh;    /* opened, nothing read yet */
  guint64  rest;     /* the command before ends */
  guint64  event;    /* the latest PRE for a conflict, G_MAXUINT64: none known */
} TlBankLane;

/* Without lanes yet. (transfer full) */
TlLanes *tl_lanes_begin    (guint64            from,
                            guint64            to,
                            guint              columns);
TlLane  *tl_lane_add       (TlLanes           *lanes,
                            gboolean           ring,
                            guint32            pu,
                            gint               bank);
/* Adds begin..end when it shows at all; what is under a pixel wide melts into the mark
 * before it if that is of the same kind. @operation may be NULL. */
void     tl_lane_mark      (const TlLanes     *lanes,
                            TlLane            *lane,
                            TlLaneKind         kind,
                            guint64            begin,
                            guint64            end,
                            guint64            event,
                            const TlOperation *operation);
/* Adds begin..end times @weight to the columns it covers, in parts of a column. */
void     tl_lane_sum       (const TlLanes     *lanes,
                            double            *sums,
                            guint64            begin,
                            guint64            end,
                            double             weight);
/* Four rows of sums become the bins of @lane. */
void     tl_lane_bins      (TlLane            *lane,
                            guint              columns,
                            double *const      sums[4]);
/* What lies between the command before and @until. */
void     tl_bank_lane_rest (TlLanes           *lanes,
                            TlBankLane        *bank,
                            guint64            until,
                            const TlOperation *operation);
/* A command (TlCommandKind: ACT, PRE, RD or WR) that takes from @time to @end; @reserves: a
 * PRE for a conflict, @event then as in TlLaneMark. */
void     tl_bank_lane_command (TlLanes           *lanes,
                               TlBankLane        *bank,
                               guint8             kind,
                               guint64            time,
                               guint64            end,
                               gboolean           reserves,
                               guint64            event,
                               const TlOperation *operation);
