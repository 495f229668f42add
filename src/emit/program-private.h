/* What the builder and the decoder share: both fill the plain fields and the
 * owner map of a program and leave the rest to be derived here. */
#pragma once

#include "emit/program-build.h"

#include <string.h>

/* One reference, all pointers NULL but the empty lists. */
TlPimProgram *tl_pim_program_alloc   (void);
/* Ranges of a machine's numbers. */
gboolean      tl_pim_machine_ranges  (const TlPimMachine *machine,
                                      char              **reason);
/* Ranges of every plain number; nothing derived is looked at. */
gboolean      tl_pim_program_ranges  (const TlPimProgram *program,
                                      char              **reason);
/* Fills tier from the rule. FALSE when the tiles do not fit. */
gboolean      tl_pim_program_place   (TlPimProgram       *program,
                                      char              **reason);
/* Fills streams (owner runs and loop code) from owner and knobs. */
void          tl_pim_program_streams (TlPimProgram       *program);
/* Fills objects: shares of D and of the copies in each tier. */
void          tl_pim_program_shares  (TlPimProgram       *program);
/* The loop code of every PU under the knobs. (transfer full) */
TlCode       *tl_pim_program_code    (const TlPimProgram *program,
                                      guint              *n_code);

/* Steps of one PU, of whichever kind of program. */
typedef struct
{
  const TlCode *steps;
  guint         n;
} TlCodeView;

gboolean tl_code_equal (TlCodeView a,
                        TlCodeView b);

/* For people: folder and sources of the data a program reads. */
void     tl_print_data (GString         *out,
                        const char      *base,
                        const GPtrArray *sources);

/* Have tile rows @a and @b the same runs? */
static inline gboolean
tl_pu_same_row (const TlPuStream *stream, guint32 a, guint32 b)
{
  guint32 n = stream->row_runs[a + 1] - stream->row_runs[a];

  return n == stream->row_runs[b + 1] - stream->row_runs[b]
         && (n == 0
             || memcmp (&stream->runs[stream->row_runs[a]], &stream->runs[stream->row_runs[b]], n * sizeof (TlTileRun))
                    == 0);
}
