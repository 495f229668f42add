/* What the room's files share of moments. */
#pragma once

#include "dram/carry-private.h"
#include "dram/moment.h"

/* TlEntry.state of one that was forwarded as it came in and never waits. */
#define TL_ENTRY_FORWARDED 0xff

void tl_moment_carry (TlMoment *moment,
                      TlCarry  *carry);
