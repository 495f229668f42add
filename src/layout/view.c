/* The verdict on a View. */
#include "layout/view.h"

typedef struct
{
  guint64 to;   /* what the thread holds of Y as its local 0 */
  guint64 from; /* and of X */
  guint   thread;
} Holding;

static int
compare_holdings (gconstpointer a, gconstpointer b)
{
  const Holding *x = a, *y = b;

  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* A layout is a sum of a thread's part and a local's part, so two threads hold the same
 * elements exactly when their local 0 is the same element. */
static gboolean
copies_agree (const TlLayout *from, const TlLayout *to, guint *first, guint *second)
{
  guint               n = tl_layout_threads (to);
  g_autofree Holding *holdings = NULL;

  if (tl_layout_copies (to) == 1)
    return TRUE;
  holdings = g_new (Holding, n);
  for (guint t = 0; t < n; t++)
    holdings[t] = (Holding) { tl_layout_index (to, t, 0), tl_layout_index (from, t, 0), t };
  qsort (holdings, n, sizeof *holdings, compare_holdings);
  for (guint i = 1; i < n; i++)
    if (holdings[i].to == holdings[i - 1].to && holdings[i].from != holdings[i - 1].from)
      {
        *first = holdings[i - 1].thread;
        *second = holdings[i].thread;
        return FALSE;
      }
  return TRUE;
}

static void
refuse (TlView *view, TlViewVerdict verdict, guint condition, char *message)
{
  view->verdict = verdict;
  view->condition = condition;
  view->message = message;
}

void
tl_view_judge (TlView *view, TlViewSide from, TlViewSide to, guint64 offset, gboolean part)
{
  guint            threads = tl_layout_threads (to.layout);
  guint64          bits = (guint64) tl_layout_locals (to.layout) * to.type.bits;
  g_autofree char *from_name = tl_element_type_name (from.type);
  g_autofree char *to_name = tl_element_type_name (to.type);

  *view = (TlView) { .threads = tl_layout_threads (from.layout),
                     .bits = (guint64) tl_layout_locals (from.layout) * from.type.bits };
  guint64 left = view->bits - MIN (view->bits, offset);
  if (view->threads != threads)
    refuse (view, TL_VIEW_NOT_FREE, 1,
            g_strdup_printf ("one side has %u threads, the other %u: bits would have to move between threads",
                             view->threads, threads));
  else if (bits > left || (bits < left && !part))
    refuse (view, TL_VIEW_NOT_FREE, 2,
            g_strdup_printf ("a thread has %" G_GUINT64_FORMAT " bits (%u x %s) to read as %" G_GUINT64_FORMAT
                             " (%u x %s): there are %s",
                             left, tl_layout_locals (from.layout), from_name, bits, tl_layout_locals (to.layout),
                             to_name, bits > left ? "too few" : "too many"));
  else if (!copies_agree (from.layout, to.layout, &view->first, &view->second))
    refuse (view, TL_VIEW_ILL_DEFINED, 3,
            g_strdup_printf ("threads %u and %u would hold copies of the same elements, but what they hold now, "
                             "elements %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT ", may differ",
                             view->first, view->second, tl_layout_index (from.layout, view->first, 0),
                             tl_layout_index (from.layout, view->second, 0)));
  else if (offset % 32 != 0)
    refuse (view, TL_VIEW_NOT_FREE, 0,
            g_strdup_printf ("it begins at bit %" G_GUINT64_FORMAT
                             " of a thread, inside a register: every word would have to be shifted",
                             offset));
  else
    refuse (
        view, TL_VIEW_FREE, 0,
        g_strdup_printf ("all %" G_GUINT64_FORMAT " bits of each thread stay where they are: 0 instructions", bits));
}

void
tl_view_clear (TlView *view)
{
  g_clear_pointer (&view->message, g_free);
}

const char *
tl_view_verdict_name (TlViewVerdict verdict)
{
  static const char *const names[] = { "free", "not-free", "ill-defined" };

  return names[verdict];
}

gboolean
tl_view_keeps_place (TlPacking packing, guint bits, guint64 locals, guint other_bits, guint64 *moved)
{
  for (guint64 p = 0; p < locals * bits; p++)
    if (tl_packing_place (packing, bits, p / bits, (guint) (p % bits))
        != tl_packing_place (packing, other_bits, p / other_bits, (guint) (p % other_bits)))
      {
        if (moved != NULL)
          *moved = p;
        return FALSE;
      }
  return TRUE;
}
