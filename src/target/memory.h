/* The DRAM of a machine, flat: how it is divided, its timings in picoseconds, and
 * which part shares which bus or activation window. One form for both machines, so
 * that one set of bank rules, one counter and one checker serve both (models.md
 * sections 1 and 2). */
#pragma once

#include "target/pim-machine.h"

typedef enum
{
  TL_MACHINE_PIM, /* a bank is a shaft through all tiers; its row number fixes the tier */
  TL_MACHINE_CU,  /* each tier has banks of its own: a domain is a tier-bank pair */
} TlMachineKind;

/* What shares a bus or a window of activations. */
typedef enum
{
  TL_SCOPE_CHANNEL,
  TL_SCOPE_PSEUDO_CHANNEL,
  TL_SCOPE_TIER,  /* a tier of a (pseudo-)channel; on pim the same as the pseudo-channel */
  TL_SCOPE_GROUP, /* a bank group (of a tier on cu) */
  TL_SCOPE_BANK,  /* one domain */
} TlScope;
#define TL_N_SCOPES 5

typedef enum
{
  TL_COMMAND_BUS_NONE,   /* commands never wait for one another */
  TL_COMMAND_BUS_SINGLE, /* a channel takes one command a clock */
  TL_COMMAND_BUS_SPLIT,  /* one column and one row command a clock */
} TlCommandBus;

typedef enum
{
  TL_PAGES_OPEN,   /* a row stays open until another is wanted */
  TL_PAGES_CLOSED, /* a row stays open across all its wanted beats, then is closed */
} TlPages;

typedef struct
{
  TlMachineKind kind;
  guint32       clock;           /* ps */
  guint32       channels;
  guint32       pseudo_channels; /* a channel */
  guint32       tiers;           /* or ranks */
  guint32       groups;          /* bank groups a pseudo-channel (and tier on cu) */
  guint32       banks;           /* a group */
  guint64       rows;            /* a bank and tier */
  guint32       columns;         /* units a row */
  guint32       unit_bytes;      /* one column access: a beat on pim, a quantum on cu */
  guint32       row_bytes;       /* columns * unit_bytes */
  guint64       capacity;        /* bytes */
  guint32       burst;           /* ps the data bus is busy for one unit */
  guint32       tCCD;
  guint32       tRRD;            /* 0: no rule, and no order between banks */
  guint32       tFAW;            /* 0: no rule */
  guint32       tWTR;
  guint32       tREFI;           /* 0: refresh off */
  guint32       tRFC;
  TlScope       data_bus;        /* what shares one data bus (tCCD, tWTR, overlap) */
  TlScope       tRRD_scope;
  TlScope       tFAW_scope;
  TlScope       refresh_scope;   /* what one REF refreshes */
  TlCommandBus  command_bus;
  TlPages       pages;
  TlTierTiming  tier[TL_MAX_TIERS];
} TlMemory;

/* The memory of a pim machine: data bus, tRRD, tFAW and refresh a group, no command
 * bus, closed pages. What a stream carries is enough. */
void    tl_memory_from_pim  (TlMemory           *memory,
                             const TlPimMachine *machine);

/* Domains are numbered channel, pseudo-channel, (tier on cu,) group, bank, the bank
 * fastest; on pim domain d belongs to PU d / banks. At most 2^20 (checked when a
 * target is read). */
guint32 tl_memory_domains   (const TlMemory     *memory);
/* Row numbers of a domain: rows on cu, tiers * rows on pim (row / rows is the tier). */
guint64 tl_memory_domain_rows (const TlMemory   *memory);
/* How many parts of @scope there are, and which one domain @domain is in. Every
 * domain lies in one part; TL_SCOPE_BANK gives the domain itself. */
guint32 tl_memory_scopes    (const TlMemory     *memory,
                             TlScope             scope);
guint32 tl_memory_scope_of  (const TlMemory     *memory,
                             TlScope             scope,
                             guint32             domain);
/* Tier of a row of a domain. */
guint32 tl_memory_tier_of   (const TlMemory     *memory,
                             guint32             domain,
                             guint64             row);
/* "tier 3 bank 5": the levels from the channel down, those of one part left out. (transfer full) */
char   *tl_memory_domain_name (const TlMemory   *memory,
                               guint32           domain);
/* The same short: "T3.B5", "C0.P1.G2.B3". (transfer full) */
char   *tl_memory_domain_label (const TlMemory  *memory,
                                guint32          domain);
