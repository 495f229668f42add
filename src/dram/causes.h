/* Why rows were closed: one record for each conflict, and in bounded memory which
 * pairs of rows and which differences of addresses cost most (models.md section 2). */
#pragma once

#include <glib.h>

/* A conflict. Unit bits are those of the address map: bit i of a difference is b_i. */
typedef struct
{
  guint64 time;        /* ps, of the PRE */
  guint64 opener;      /* the request that had opened the row */
  guint64 closer;      /* the request that had it closed */
  guint64 opener_unit;
  guint64 closer_unit; /* opener_unit ^ closer_unit: the address bits that differ */
  guint64 lost;        /* ps from the PRE until the wanted row can be read: PRE to ACT, and tRCD */
  guint32 domain;
  guint32 open_row;    /* closed by it */
  guint32 wanted_row;
} TlCause;

/* Two rows of a domain that push each other out, whichever came first. */
typedef struct
{
  guint32 domain;
  guint32 row_a; /* the lower */
  guint32 row_b;
  guint64 count; /* conflicts; may be too high by up to error, never too low */
  guint64 error; /* 0: exact */
  guint64 lost;  /* ps, of those seen since it was last forgotten */
  guint64 opener; /* the latest of them */
  guint64 closer;
} TlRowPair;

typedef struct
{
  guint64 bits; /* opener_unit ^ closer_unit */
  guint64 count;
  guint64 error;
  guint64 lost;
} TlDifference;

typedef struct _TlCauses TlCauses;

/* Keeps the first @keep records whole. About 0.25 MiB and 64 bytes a kept record: at
 * most 2,048 pairs and as many differences are counted at a time; a new one takes
 * over the rarest of its four neighbours and inherits its count as error, so that a
 * frequent one is never missed. Returns: (transfer full) */
TlCauses      *tl_causes_new         (guint           keep);
void           tl_causes_free        (TlCauses       *causes);
void           tl_causes_add         (TlCauses       *causes,
                                      const TlCause  *cause);
guint64        tl_causes_count       (const TlCauses *causes);
guint64        tl_causes_lost        (const TlCauses *causes); /* ps, of all */
/* The kept records, in the order in which their rows were opened. */
guint          tl_causes_n_kept      (const TlCauses *causes);
const TlCause *tl_causes_kept        (const TlCauses *causes,
                                      guint           index);
/* The @n most frequent by what is certain (count - error), most first; ties by domain
 * and rows, or by bits.
 * (transfer full), of TlRowPair and TlDifference */
GArray        *tl_causes_row_pairs   (const TlCauses *causes,
                                      guint           n);
GArray        *tl_causes_differences (const TlCauses *causes,
                                      guint           n);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlCauses, tl_causes_free)
