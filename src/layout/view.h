/* View: the same bits of every thread read as other elements under another layout.
 *
 * From X (b bits, layout L: T threads x E locals) to Y (b', L': T' x E') with dense packing:
 *   C1  T = T'
 *   C2  E * b = E' * b'
 *   C3  threads that hold the same elements of Y hold the same elements of X
 * Under C1 and C2 the register image stays as it is, bit for bit, whatever the layouts:
 * the View is free. It is well defined (all copies of an element of Y agree, for every
 * content of X) exactly under C3. */
#pragma once

#include "layout/element-type.h"
#include "layout/layout.h"
#include "layout/packing.h"

typedef enum
{
  TL_VIEW_FREE,
  TL_VIEW_NOT_FREE,    /* bits would have to move, or there are too few or too many */
  TL_VIEW_ILL_DEFINED, /* copies of one element would differ */
} TlViewVerdict;

typedef struct
{
  TlViewVerdict verdict;
  guint         condition; /* 1..3 for the one that fails, 0 */
  guint         threads;   /* of X */
  guint64       bits;      /* of a thread of X */
  guint         first;     /* C3: two threads that show it */
  guint         second;
  char         *message;   /* one sentence */
} TlView;

typedef struct
{
  TlElementType   type;
  const TlLayout *layout;
} TlViewSide;

/* Judges the View of @from as @to from bit @offset of each thread on. @part: Y may use
 * fewer bits than are left; the others are not read. An offset that is no multiple of
 * 32 bits, the size of a register, is not free. Fills @view. */
void        tl_view_judge        (TlView     *view,
                                  TlViewSide  from,
                                  TlViewSide  to,
                                  guint64     offset,
                                  gboolean    part);
void        tl_view_clear        (TlView     *view);
/* "free", "not-free", "ill-defined". */
const char *tl_view_verdict_name (TlViewVerdict verdict);
/* Whether @locals elements of @bits bits, placed by @packing, keep all of their bits in
 * place when read as elements of @other_bits, which divide the total; else *moved (may be
 * NULL) is the first bit of the string that would move. */
gboolean    tl_view_keeps_place  (TlPacking   packing,
                                  guint       bits,
                                  guint64     locals,
                                  guint       other_bits,
                                  guint64    *moved);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlView, tl_view_clear)
