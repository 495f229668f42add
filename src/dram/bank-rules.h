/* The bank rules: the earliest legal time of a command from what went before, and
 * what a command does to the state. One set for both machines (models.md sections
 * 2 and 3). Commands are given in program order: the order in which the machine
 * decides on them. Within a domain, and of column commands within a data bus, that
 * is the order of time; activations of different banks may be earlier in time than
 * ones given before them when tRRD is 0.
 *
 *   ACT  >= PRE + tRP, ACT + tRC of the domain; last ACT of the scope + tRRD; fourth
 *           last + tFAW; REF + tRFC
 *   RD, WR >= ACT + tRCD; last column of the bus + max (tCCD, burst); such that the
 *           data do not meet those of the column before; RD: end of write data + tWTR
 *   PRE  >= ACT + tRAS; last read column + tRTP; end of write data + tWR
 *   REF  >= PRE + tRP of every domain refreshed; REF + tRFC
 *
 * Data lie on the bus from column + tCL (read) or + tCWL (write) for burst. Timings
 * are those of the tier of the row concerned; tRP and tRC those of the row that is
 * closed or was opened before. A command bus adds one clock between commands. */
#pragma once

#include "dram/command.h"

/* Earliest time of a command that the state forbids whatever the time: a column
 * command to a closed or another row, ACT of an open domain, PRE of a closed one,
 * REF of an open one. */
#define TL_TIME_NEVER G_MAXUINT64

/* What a request finds, judged before the first command on its behalf (models.md
 * section 2). */
typedef enum
{
  TL_ROW_HIT,
  TL_ROW_MISS,      /* the domain is closed */
  TL_ROW_CONFLICT,  /* another row is open */
  TL_ROW_FORWARDED, /* served from the write queue, no command */
} TlRowClass;
#define TL_N_ROW_CLASSES 4

/* "hit", "miss", "conflict", "forwarded". */
const char  *tl_row_class_name        (TlRowClass         row_class);

typedef struct _TlBankRules TlBankRules;

/* All domains closed, nothing issued yet. @memory is copied. About 80 bytes a
 * domain. Returns: (transfer full) */
TlBankRules *tl_bank_rules_new        (const TlMemory    *memory);
void         tl_bank_rules_free       (TlBankRules       *rules);
void         tl_bank_rules_reset      (TlBankRules       *rules);
/* Makes @rules' state that of @from, which was made for the same memory. */
void         tl_bank_rules_copy       (TlBankRules       *rules,
                                       const TlBankRules *from);

/* Earliest legal time of @command, not before its time field. */
guint64      tl_bank_rules_earliest   (const TlBankRules *rules,
                                       const TlCommand   *command);
/* Issues @command at its time, which must be legal (asserted). */
void         tl_bank_rules_apply      (TlBankRules       *rules,
                                       const TlCommand   *command);
/* End of the data of a column command issued at its time. */
guint64      tl_bank_rules_data_end   (const TlBankRules *rules,
                                       const TlCommand   *command);

/* FALSE when the domain is closed; *row, if not NULL, is its open row. */
gboolean     tl_bank_rules_open_row   (const TlBankRules *rules,
                                       guint32            domain,
                                       guint32           *row);
TlRowClass   tl_bank_rules_classify   (const TlBankRules *rules,
                                       guint32            domain,
                                       guint32            row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlBankRules, tl_bank_rules_free)
