/* Syntax trees of layout expressions; register and shared layouts evaluate them. */
#pragma once

#include <glib.h>

typedef enum
{
  TL_EXPR_INT,
  TL_EXPR_BOOL,
  TL_EXPR_LIST,    /* of integers */
  TL_EXPR_CALL,    /* name(args) */
  TL_EXPR_COMPOSE, /* children multiplied, outermost first */
} TlExprKind;

typedef struct _TlExpr TlExpr;
struct _TlExpr
{
  TlExprKind kind;
  gsize      at;      /* bytes from the start of the text */
  gint64     value;   /* integer or boolean */
  GArray    *list;    /* of gint64 */
  char      *name;    /* of a call */
  char      *keyword; /* "ranks" of ranks=[..], or NULL; only of arguments */
  GPtrArray *children;
};

typedef struct
{
  gsize  at;
  char **reason; /* may be NULL */
} TlExprError;

/* NULL after setting the error. At most 64 KiB of text, 64 calls deep. */
TlExpr       *tl_expr_parse    (const char  *text,
                                gssize       length,
                                TlExprError *error);
void          tl_expr_free     (TlExpr *expr);
/* Records the place and the reason. Returns FALSE. */
gboolean      tl_expr_refuse   (TlExprError  *error,
                                const TlExpr *expr,
                                const char   *format,
                                ...) G_GNUC_PRINTF (3, 4);
/* Gives a refusal of the algebra, @reason (transfer full), the place of the call or product. Returns @fine. */
gboolean      tl_expr_judge    (gboolean      fine,
                                const TlExpr *expr,
                                char        **reason,
                                TlExprError  *error);
/* Refuses a call of a function that there is not, with the nearest of @names. */
gboolean      tl_expr_unknown  (TlExprError       *error,
                                const TlExpr      *call,
                                const char        *what,
                                const char *const *names,
                                guint              n);
/* Arguments of @call by the names in @parameters ("layout dims keepdims="): by place or
 * by keyword; those that end in "=" may be absent (NULL). */
gboolean      tl_expr_bind     (const TlExpr  *call,
                                const char    *parameters,
                                const TlExpr **arguments,
                                TlExprError   *error);
/* An integer list; a bare integer is a list of one. */
gboolean      tl_expr_ints     (const TlExpr  *expr,
                                const gint64 **ints,
                                guint         *n,
                                TlExprError   *error);
gboolean      tl_expr_int      (const TlExpr  *expr,
                                gint64        *value,
                                TlExprError   *error);
/* The leading integers of a call such as spatial(8,4); a single list is taken apart.
 * @ints holds at most @room of them. Keywords remain for the caller. */
gboolean      tl_expr_sizes    (const TlExpr *call,
                                gint64       *ints,
                                guint         room,
                                guint        *n,
                                TlExprError  *error);
/* Keyword argument or NULL. */
const TlExpr *tl_expr_keyword  (const TlExpr *call,
                                const char   *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlExpr, tl_expr_free)
