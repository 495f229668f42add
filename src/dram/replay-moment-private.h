/* What the room's files share of moments. */
#pragma once

#include "dram/carry-private.h"
#include "dram/replay-moment.h"

/* TlEntry.state of one that was forwarded as it came in and never waits. */
#define TL_ENTRY_FORWARDED 0xff

void tl_replay_moment_carry (TlReplayMoment *moment,
                      TlCarry  *carry);
