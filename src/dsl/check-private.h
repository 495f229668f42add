/* What the files of the checks share: the names of a program and their use. */
#pragma once

#include "dsl/report-private.h"

/* An array: data that is declared, or what an algorithm gives values to. */
typedef struct
{
  const char       *name;
  const TlDataDecl *data;     /* NULL: known by its assignments only */
  guint             rank;     /* 0: not known yet */
  guint             rank_max; /* a matrix may also be a vector: rank..rank_max */
  TlSpan            rank_span;
  gboolean          written;
  gboolean          used;
  gboolean          one_based; /* letters of sequences count from 1 */
} TlArrayName;

typedef enum
{
  TL_SCOPE_LOOP,
  TL_SCOPE_TEMPORARY,
} TlScopeKind;

/* A name with a reach: a loop or a temporary. */
typedef struct
{
  const char   *name;
  TlScopeKind   kind;
  TlSpan        span;
  const TlExpr *range; /* loops: NULL when it runs over an extent */
  guint         extent; /* loops: variable of the extent checks, see check-extents.c */
  gboolean      implicit; /* loop of a one-line recurrence */
  gboolean      starts_at_one;
  gboolean      start_unknown;
  gboolean      used;
} TlScopeName;

typedef struct _TlExtents TlExtents;

typedef struct
{
  const TlAst *ast;
  TlReporter   reporter;
  GHashTable  *arrays;    /* name -> TlArrayName, owned */
  GPtrArray   *array_order;
  GHashTable  *sizes;     /* names of extents, a set */
  GHashTable  *used_ops;  /* a set */
  GHashTable  *ops;       /* name -> TlOpDecl */
  GArray      *scope;     /* of TlScopeName: the loops around */
  GHashTable  *temporaries; /* name -> TlScopeName, owned: they live to the end of the algorithm */
  const TlStmt *nest;     /* the outermost loop around, or NULL */
  GHashTable  *lost;      /* names that lines left out may have declared, or NULL */
  GArray      *unused_loops; /* of TlScopeName */
  GHashTable  *unknown;   /* names reported once, a set */
  gboolean     in_result; /* "last" is known */
  gboolean     reads_data;
  guint        n_results;
  TlExtents   *extents;
} TlChecker;

/* --- check-data.c --- */
void         tl_check_data       (TlChecker      *checker);
void         tl_check_unused     (TlChecker      *checker);
void         tl_check_places     (TlChecker      *checker);
void         tl_check_semirings  (TlChecker      *checker);
void         tl_check_ops        (TlChecker      *checker);

/* --- check-config.c --- */
void         tl_check_config     (TlChecker      *checker);

/* --- check-stmt.c --- */
void         tl_check_algorithm  (TlChecker      *checker,
                                  const TlAlgorithm *algorithm);
void         tl_check_unused_loops (TlChecker    *checker);
/* Whether the nest around gives @name a value, if later: what it then holds is said where the
 * recurrence is recognised. */
gboolean     tl_check_is_carried (const TlChecker *checker,
                                  const char      *name);

/* --- check-names.c --- */
/* Arrays that statements give values to, and names in ranges and shapes. */
void         tl_check_collect    (TlChecker      *checker);
void         tl_check_expr       (TlChecker      *checker,
                                  const TlExpr   *expr);
void         tl_check_subscript  (TlChecker      *checker,
                                  const TlExpr   *expr,
                                  gboolean        is_target);
/* A loop's name: not another loop's around it. @implicit: runs over an extent. */
void         tl_check_push_loop  (TlChecker      *checker,
                                  const TlLoopName *loop,
                                  gboolean        implicit);
/* Back to @depth loops; those not used are noted. */
void         tl_check_pop_scope  (TlChecker      *checker,
                                  guint           depth);
/* Whether a line that could not be read may have declared @name. */
gboolean     tl_check_may_be_lost (TlChecker     *checker,
                                  const char     *name);
/* Names of all arrays. (transfer container) */
GPtrArray   *tl_check_known_arrays (const TlChecker *checker);
TlArrayName *tl_check_array      (const TlChecker *checker,
                                  const char     *name);
TlArrayName *tl_check_add_array  (TlChecker      *checker,
                                  const char     *name);
/* Loops first, then temporaries. */
TlScopeName *tl_check_scope_find (const TlChecker *checker,
                                  const char     *name);
const TlOpDecl *tl_check_op      (const TlChecker *checker,
                                  const char     *name);
/* Reports a name that nothing declares, with the nearest of what is known. */
void         tl_check_unknown    (TlChecker      *checker,
                                  const char     *what,
                                  const char     *name,
                                  TlSpan          span,
                                  GPtrArray      *known);

/* --- check-extents.c --- */
TlExtents   *tl_extents_new      (TlChecker      *checker);
void         tl_extents_free     (TlExtents      *extents);
/* Shapes of the declarations, before any algorithm. */
void         tl_extents_declare  (TlExtents      *extents);
/* A loop's extent variable. */
guint        tl_extents_loop     (TlExtents      *extents,
                                  const TlScopeName *loop);
/* One use of an array under the loops in scope: what it says about extents, and
 * kept for the checks of tl_extents_finish. */
void         tl_extents_use      (TlExtents      *extents,
                                  const TlArrayName *array,
                                  const TlExpr   *subscript,
                                  gboolean        is_target);
/* Subscripts that leave their extent whatever the data. */
void         tl_extents_finish   (TlExtents      *extents);
