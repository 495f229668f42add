/* The tree as canonical text: one spelling for each tree, so that printing and
 * parsing again gives the same tree. Comments and layout are not kept. */
#pragma once

#include "dsl/ast.h"

/* (transfer full) */
char *tl_ast_text  (const TlAst  *ast);
/* One expression: "min(D[i,j], D[i,k] + D[k,j])". (transfer full) */
char *tl_expr_text (const TlExpr *expr);
