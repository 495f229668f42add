/* A run of a product on a compute unit: how long it takes as its operands are stored, packed and placed, what their
 * row buffers make of each, and its values. */
#pragma once

#include "emit/cu-program.h"
#include "engine/build.h"
#include "sim/cu-machine.h"
#include "sim/matrix.h"

typedef enum
{
  TL_PRODUCT_CONVENTIONAL, /* row by row, as the operands are stored */
  TL_PRODUCT_PACKED,       /* each tile contiguous */
  TL_PRODUCT_PLACED,       /* as the program says: planned, or by its place lines */
} TlProductLayout;
#define TL_N_PRODUCT_LAYOUTS 3

/* "conventional", "packed", "placed"; NULL past the last. */
const char *tl_product_layout_name (TlProductLayout layout);
/* FALSE when @text is none of them. */
gboolean    tl_product_layout_parse (const char      *text,
                                     TlProductLayout *layout);

typedef struct
{
  guint64       ctas;          /* replay only the first so many; 0: all */
  gboolean      placed_only;   /* leave the two baselines out */
  guint         only;          /* 1 << TlProductLayout of those to replay; 0: all */
  guint         record;        /* 1 << TlProductLayout of those whose accesses are kept */
  gboolean      force_values;  /* wanted whatever the program says: --result */
  gboolean      skip_values;
  GCancellable *cancellable;   /* may be NULL */
  void        (*progress) (guint64 done, guint64 total, gpointer user); /* may be NULL */
  gpointer      user;
} TlProductRunOptions;

/* One layout, counted in order and replayed with time. */
typedef struct
{
  gboolean        done;
  TlInOrderCounts in_order;  /* of the CTAs that are replayed, in source order */
  guint64         classes[TL_N_GEMM_OPERANDS][TL_N_ROW_CLASSES]; /* the same for each operand */
  TlCuResult      replay;
  double          energy_pj;
} TlProductReplay;

/* Read-only for everyone. */
typedef struct
{
  TlBuild        *build;
  TlDiags        *diags;
  gboolean        complete;
  gboolean        cancelled;
  guint64         ctas, all_ctas;
  TlProductReplay of[TL_N_PRODUCT_LAYOUTS];
  gboolean        fallback; /* the placed one was slower than the conventional one by more than 2 %, and the latter
                             * was taken instead: PLACED holds its numbers */
  guint64         refused_ps; /* the kernel of what was given up; 0 unless fallback came in this run */
  TlMatrix       *values;   /* C, or NULL */
  char           *values_reason; /* why there are none; NULL with them */
  guint64         hash;     /* of the values, as .npy has them */
  double          least, greatest; /* of C */
  gint64          simulate_ns, values_ns;
} TlProductRun;

/* @build->product must not be NULL. Never fails: what is wrong is in the result's diags. (transfer full) */
TlProductRun *tl_product_run      (TlBuild                   *build,
                                   const TlProductRunOptions *options);
void          tl_product_run_free (TlProductRun              *run);

/* Kernel time of @before over that of @after. */
double        tl_product_speed_up (const TlProductRun        *run,
                                   TlProductLayout            before,
                                   TlProductLayout            after);
/* Share of the kernel in which the core stalled. */
double        tl_product_stalled  (const TlProductReplay     *replay);
/* More than 2 % slower. */
gboolean      tl_product_slower   (guint64                    kernel,
                                   guint64                    conventional);
/* Requests of a replay that only tells layouts apart. */
#define TL_PRODUCT_SAMPLE (1u << 16)
/* What the machine takes. */
void          tl_product_work     (TlCuWork                  *work,
                                   const TlGemmShape         *shape,
                                   const TlGemmPlacing       *placing,
                                   guint                      stages,
                                   TlPage                     page,
                                   const TlMemory            *memory,
                                   TlAddressMap              *map,
                                   const TlCuMachine         *machine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlProductRun, tl_product_run_free)
