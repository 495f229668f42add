/* The numbers of a pim target that its programs and its simulator need, flat and
 * self-contained: a stream carries them, so that it runs without the target file.
 * All times in integer picoseconds. models.md sections 1 and 3. */
#pragma once

#include <glib.h>

#define TL_MAX_TIERS 32
#define TL_MAX_PUS 1024
#define TL_MAX_BANKS 64 /* a bank group */

typedef struct
{
  guint32 tRCD;
  guint32 tRAS;
  guint32 tRP;
  guint32 tRC;  /* at least tRAS + tRP unless the target says otherwise */
  guint32 tRTP; /* last read column to PRE */
  guint32 tWR;  /* end of the last write beat to PRE */
  guint32 tCL;  /* read column to first data */
  guint32 tCWL; /* write column to first data */
} TlTierTiming;

typedef struct
{
  guint32      clock;          /* ps a cycle */
  guint32      pus;            /* 1..TL_MAX_PUS; PU p owns bank group p */
  guint32      search_pus;     /* of which these search */
  guint32      pes;            /* lanes of a PU: updates a cycle */
  guint32      channels;
  guint32      groups;         /* bank groups a channel */
  guint32      banks;          /* banks a group, 1..TL_MAX_BANKS */
  guint32      tiers;          /* 1..TL_MAX_TIERS */
  guint64      rows;           /* rows a bank and tier */
  guint32      row_bytes;
  guint32      beat_bytes;     /* one column access */
  guint64      tier_bytes;     /* capacity of one tier, whole stack */
  guint64      sram_bytes;     /* S: scratchpad + PE memories of one PU */
  guint64      scratchpad_bytes;
  guint32      ring_bytes;     /* bytes a cycle and link */
  guint32      ring_hop;       /* cycles a hop */
  guint32      burst;          /* ps the data bus is busy for one beat */
  guint32      tCCD;           /* column to column on one data bus */
  guint32      tRRD;           /* ACT to ACT in one group; 0: no rule */
  guint32      tFAW;           /* four ACTs in one group; 0: no rule */
  guint32      tWTR;           /* end of write data to read column */
  guint32      tREFI;          /* 0: refresh off */
  guint32      tRFC;
  TlTierTiming tier[TL_MAX_TIERS];
  /* Energy (assumed): femtojoules. */
  guint32      dram_fj_per_bit;
  guint32      alu_fj;
  guint32      sram_local_fj;
  guint32      sram_shared_fj;
  guint32      hop_fj_per_bit;
} TlPimMachine;
