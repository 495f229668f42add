/* CuTe layouts: nested shape with strides of the same form, first mode fastest; and
 * their algebra. */
#pragma once

#include <glib.h>

/* Immutable. */
typedef struct _TlCute TlCute;

/* "((2,2),3):((24,2),8)"; numbers may be parted by spaces too. NULL with a reason.
 * (transfer full) */
TlCute  *tl_cute_parse         (const char  *text,
                                char       **reason);
/* (transfer full) */
char    *tl_cute_to_text       (const TlCute *layout);
void     tl_cute_free          (TlCute       *layout);
/* Domain, and last value plus one. */
guint64  tl_cute_size          (const TlCute *layout);
guint64  tl_cute_cosize        (const TlCute *layout);
/* Value at a one-dimensional coordinate. */
guint64  tl_cute_at            (const TlCute *layout,
                                guint64       coordinate);

/* All (transfer full); NULL with a reason where a divisibility does not hold. */

/* Without modes of size 1 and with neighbours joined that continue each other. */
TlCute  *tl_cute_coalesce      (const TlCute *layout);
/* a after b: result(i) = a(b(i)). */
TlCute  *tl_cute_compose       (const TlCute *a,
                                const TlCute *b,
                                char        **reason);
/* Ordered, disjoint from @layout, filling up to @size. */
TlCute  *tl_cute_complement    (const TlCute *layout,
                                guint64       size,
                                char        **reason);
/* a after (b, complement of b in a). */
TlCute  *tl_cute_divide        (const TlCute *a,
                                const TlCute *b,
                                char        **reason);
/* (a, complement of a after b). */
TlCute  *tl_cute_product       (const TlCute *a,
                                const TlCute *b,
                                char        **reason);
/* layout(result(i)) = i; result(layout(i)) = i. */
TlCute  *tl_cute_right_inverse (const TlCute *layout);
TlCute  *tl_cute_left_inverse  (const TlCute *layout,
                                char        **reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlCute, tl_cute_free)
