/* The row-reuse kernel of a fixed domain map: the subspace K of the domain kernel H
 * with dim K = min(c, dim H) that holds the most weight. Exact by branch and bound
 * over the cosets of what is chosen so far, and greedy to stand beside it (papers.md
 * section 3.1). */
#pragma once

#include "place/histogram.h"

#define TL_ROW_KERNEL_NODE_LIMIT 50000000u

typedef struct
{
  TlSubspace kernel;
  guint64    weight; /* over the kernel, repeats included: the hits */
  guint64    nodes;  /* of the search */
  gboolean   exact;  /* FALSE: the node limit or the watch came first, the kernel is the best met */
} TlRowKernel;

/* A search's room, reusable: some twenty bytes a vector. */
typedef struct _TlRowKernelSearch TlRowKernelSearch;

TlRowKernelSearch *tl_row_kernel_search_new  (guint              bits);
void            tl_row_kernel_search_free (TlRowKernelSearch    *search);
/* Called now and then, about every millisecond; FALSE stops the search, which then keeps the best
 * that it met. @watch may be NULL. */
void            tl_row_kernel_search_watch (TlRowKernelSearch   *search,
                                       gboolean         (*watch) (gpointer data),
                                       gpointer           data);

/* The heaviest K of dimension min(c, dim H) inside @domain_kernel; the same one on every machine.
 * Only kernels of at least @at_least weight are looked for: when there is none, *result has weight 0
 * and dim 0. */
void            tl_row_kernel_exact       (TlRowKernelSearch    *search,
                                       const TlHistogram *histogram,
                                       const TlSubspace  *domain_kernel,
                                       guint              c,
                                       guint64            at_least,
                                       guint64            node_limit,
                                       TlRowKernel          *result);
/* All kernels of exactly @weight, each once; FALSE when @visit or the watch stopped it. */
gboolean        tl_row_kernel_each        (TlRowKernelSearch    *search,
                                       const TlHistogram *histogram,
                                       const TlSubspace  *domain_kernel,
                                       guint              c,
                                       guint64            weight,
                                       TlSubspaceVisit    visit,
                                       gpointer           data);
/* c times the vector with the largest gain of the whole new span, ties to the
 * smallest, until nothing is gained. Returns the weight. */
guint64         tl_row_kernel_greedy      (const TlHistogram *histogram,
                                       guint              c,
                                       TlSubspace        *kernel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRowKernelSearch, tl_row_kernel_search_free)
