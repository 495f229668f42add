/* Printing an element's way to DRAM and what a place of DRAM holds. Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "place/chain.h"
#include "target/target.h"

/* "3,17" of --element, or a usage error of @command said. Returns TL_GO_ON or an exit status. */
int  tl_cli_read_element        (const TlCliCommand *command,
                                 const char         *text,
                                 guint64            *row,
                                 guint64            *column);
/* "tier=0,bank=1,row=0,column=2" of --at; levels that are not named are 0. */
int  tl_cli_read_place          (const TlCliCommand *command,
                                 const char         *text,
                                 const TlAddressMap *map,
                                 TlPlaceOf          *place);
/* A line for each run of bits; @name is the operand's. */
void tl_cli_print_element       (const TlChain        *chain,
                                 const TlAddressMap   *map,
                                 guint32               quantum,
                                 const char           *name,
                                 const TlChainElement *element);
/* The elements of the unit at @address. */
void tl_cli_print_unit          (const TlChain        *chain,
                                 const TlAddressMap   *map,
                                 guint32               quantum,
                                 const char           *name,
                                 guint64               address);
/* Members "tile", "inside", "threads", "local" and "parts" of the object that @builder is in. */
void tl_cli_json_element        (JsonBuilder          *builder,
                                 const TlAddressMap   *map,
                                 const TlChainElement *element);
/* Members "place", "address", "unit", "tile" and "elements". */
void tl_cli_json_unit           (JsonBuilder          *builder,
                                 const TlChain        *chain,
                                 const TlAddressMap   *map,
                                 guint32               quantum,
                                 guint64               address);
