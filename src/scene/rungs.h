/* The rungs of the pass ladder: a module after a group, line by line, with what the
 * group changed and which source lines each line stems from. Without a display. */
#pragma once

#include <glib.h>

typedef struct
{
  char    *text;    /* without its location */
  GArray  *lines;   /* of guint: source lines it stems from, ascending */
  guint    line;    /* the first place of its location; 0: none */
  guint    column;
  gboolean changed; /* not in the rung before (numbers of values apart) */
} TlRungLine;

typedef struct
{
  GPtrArray *lines;   /* of TlRungLine * */
  guint      changed; /* how many are new or different */
  guint      removed; /* lines of the rung before that are gone */
} TlRung;

/* @dump: module text with locations; @before: that of the group before, NULL for the
 * first (all lines are then new). Returns: (transfer full) */
TlRung  *tl_rung_new   (const char   *dump,
                        const char   *before);
void     tl_rung_free  (TlRung       *rung);
gboolean tl_rung_stems (const TlRungLine *line,
                        guint             source_line);
/* The first changed line from @from on, or their number. */
guint    tl_rung_same_until (const TlRung *rung,
                             guint         from);

/* The part of a printed stream (emit/stream.h) that is about PU @pu: the header and
 * its section. (transfer full) */
char    *tl_stream_of_pu (const char *printed,
                          guint       pu);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRung, tl_rung_free)
