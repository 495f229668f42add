/* Checkpoints of a run: the machine at the start of super-steps, packed; and the
 * replay of a part of the run from the checkpoint that serves it. */
#pragma once

#include "sim/machine-private.h"

typedef struct _TlHistory TlHistory;

/* Takes the plan over. */
TlHistory       *tl_history_new       (TlSimPlan        *plan,
                                       gboolean          memo);
void             tl_history_free      (TlHistory        *history);
const TlSimPlan *tl_history_plan      (const TlHistory  *history);
/* Keeps the machine as it is, every use added up; drops every second checkpoint when they grow big. */
void             tl_history_add       (TlHistory        *history,
                                       const TlMachine  *machine);
guint            tl_history_count     (const TlHistory  *history);

/* Keeps what @memo has met for replays to come (transfer full, may be NULL). */
void             tl_history_keep_memo (TlHistory      *history,
                                       TlMemo         *memo);

/* Runs the machine again so that every piece that may have a command, and every
 * operation and broadcast that may be under way, at @from or later is watched, to
 * where every PU is past @to. @wanted (NULL: all) says of each PU whether its pieces
 * and operations are asked for; the others run only as far as these depend on them.
 * @begin is called with the machine as it stands at the checkpoint, before anything is
 * run (of its PUs watch->stand tells); @watch may be NULL, and watch->from is set here.
 * FALSE when cancelled. Any thread, several at once. */
gboolean         tl_history_replay    (TlHistory        *history,
                                       gint64            from,
                                       gint64            to,
                                       const gboolean   *wanted,
                                       const TlWatch    *watch,
                                       void            (*begin) (TlMachine *machine,
                                                                 gpointer   data),
                                       void            (*end)   (TlMachine *machine,
                                                                 gpointer   data),
                                       gpointer          data,
                                       GCancellable     *cancellable);
/* So many operations of @pu at least end within @from..@to: those between the first and
 * the last checkpoint in it. */
guint64          tl_history_operations (const TlHistory *history,
                                       guint             pu,
                                       gint64            from,
                                       gint64            to);
/* k and a PU's times at checkpoint @index, and when the PU was free there. */
guint32          tl_history_pu        (const TlHistory  *history,
                                       guint             index,
                                       guint             pu,
                                       TlPuTimes        *times,
                                       gint64           *end);
