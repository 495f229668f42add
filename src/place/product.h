/* A matrix product in a program: C[m,n] = C[m,n] + A[m,k] * W[k,n] over two arrays that are not C, as a
 * statement of its own or in a nest, terms and factors in either order; its sizes and elements from the data
 * lines, the rest from config: tile, quantum, resident, skew, slab, weights (language.md). */
#pragma once

#include "dsl/ast.h"
#include "place/gemm-stream.h"
#include "target/target.h"

typedef struct
{
  const char   *name;                        /* of the algorithm; owned by the tree, as all names here */
  const char   *output;                      /* C */
  const char   *operand[TL_N_GEMM_OPERANDS]; /* A and W */
  TlElementType type[TL_N_GEMM_OPERANDS];
  TlGemmShape   shape;                       /* row-major, not packed */
} TlProduct;

/* What is not said: tiles of 64 x 128 x 64, cut to the matrices; one resident CTA; weights in the order in which W
 * is subscripted; quanta of @quantum bytes. FALSE with diagnostics ("no-product", "product-sizes",
 * "product-tile") when the program is no product, a size is not known or a tile row is no whole number
 * of bytes. @ast has passed the checks. */
gboolean tl_product_read (const TlAst *ast,
                          guint32      quantum,
                          TlProduct   *product,
                          TlDiags     *diags);
/* What is known of an operand's data from the data themselves; zeros where nothing is. */
typedef struct
{
  guint64       rows, columns;
  TlElementType element; /* bits 0: not known */
} TlOperandFacts;

/* The same on a compute unit: quanta are its units, and what no line says its own <knobs> may. @facts is called with
 * the name of each operand and fills what is known; NULL: nothing is. */
gboolean tl_product_read_on (const TlAst    *ast,
                             const TlTarget *target,
                             void          (*facts) (const char *name, TlOperandFacts *known, gconstpointer data),
                             gconstpointer   data,
                             TlProduct      *product,
                             TlDiags        *diags);
/* The same of operands that are known: @left is M x K, @right K x N, or N x K when @transposed. @facts of both; may be
 * NULL. */
gboolean tl_product_of   (const TlAst          *ast,
                          const char           *output,
                          const char           *left,
                          const char           *right,
                          gboolean              transposed,
                          const TlOperandFacts *facts,
                          const TlTarget       *target,
                          TlProduct            *product,
                          TlDiags              *diags);
