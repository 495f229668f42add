/* Commands to a DRAM as engines emit and checkers read them. */
#pragma once

#include "target/memory.h"

typedef enum
{
  TL_COMMAND_ACT, /* open row */
  TL_COMMAND_RD,  /* read one unit of the open row */
  TL_COMMAND_WR,
  TL_COMMAND_PRE, /* close the open row */
  TL_COMMAND_REF, /* refresh; domain is any of the scope that is refreshed, all of it closed */
} TlCommandKind;
#define TL_N_COMMANDS 5

typedef struct
{
  guint64 time;   /* ps */
  guint32 domain; /* numbered as in target/memory.h; on pim PU * banks + bank */
  guint32 row;    /* of the domain; on pim tier * rows + row in the tier */
  guint16 column; /* unit within the row */
  guint8  kind;   /* TlCommandKind */
} TlCommand;

/* "ACT", "RD", "WR", "PRE", "REF". */
const char *tl_command_name (TlCommandKind    kind);
/* "ACT domain 5 row 17 at 2.29 ns". (transfer full) */
char       *tl_command_text (const TlCommand *command);
/* Stable sort by time. */
void        tl_commands_sort (TlCommand      *commands,
                              gsize           n);
