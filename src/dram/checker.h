/* The timing checker: reads a command stream and says what breaks the rules. It is
 * written apart from bank-rules.h and shares nothing with it but the description of
 * the memory: it keeps the history of commands and compares pairs. */
#pragma once

#include "dram/command.h"

/* One breach. Rules: "closed row", "wrong row", "two open rows", "tRCD", "tRAS",
 * "tRP", "tRC", "tCCD", "tRRD", "tFAW", "tRTP", "tWR", "tWTR", "tRFC", "refresh open",
 * "refresh late", "data bus", "command bus", "place" (no such domain, row or
 * column), "order" (time runs backwards). */
typedef struct
{
  const char *rule;
  TlCommand   first;   /* the earlier of the pair; equal to second where there is none */
  TlCommand   second;
  guint64     missing; /* ps that second comes too early (refresh: too late) */
} TlBreach;

typedef struct _TlChecker TlChecker;

/* @memory is copied. Keeps at most @max_breaches (the count goes on). Returns:
 * (transfer full) */
TlChecker      *tl_checker_new      (const TlMemory  *memory,
                                     guint            max_breaches);
void            tl_checker_free     (TlChecker       *checker);
/* The next command in order of time. On machines whose groups are independent
 * (pim) the order need hold only within a group, else within a channel. A wrong command is noted and then
 * taken as issued. */
void            tl_checker_feed     (TlChecker       *checker,
                                     const TlCommand *command);
/* The run ends at @time: refreshes that fell due are looked for. */
void            tl_checker_finish   (TlChecker       *checker,
                                     guint64          time);
guint64         tl_checker_count    (const TlChecker *checker);
/* NULL past the kept ones. */
const TlBreach *tl_checker_breach   (const TlChecker *checker,
                                     guint            index);
/* "tRCD: RD domain 5 row 17 column 0 at 4000 ps after ACT ..., off by 1200 ps". (transfer full) */
char           *tl_breach_text      (const TlBreach  *breach);

/* Sorts a copy and checks all of it; the first breach, if any, to *breach. TRUE when
 * there is none. Ends at the last command. */
gboolean        tl_check_commands   (const TlMemory  *memory,
                                     const TlCommand *commands,
                                     gsize            n,
                                     TlBreach        *breach);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlChecker, tl_checker_free)
