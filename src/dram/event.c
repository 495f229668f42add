/* Names of the engine's events. */
#include "dram/event.h"

const char *
tl_event_kind_name (TlEventKind kind)
{
  return kind == TL_EVENT_FORWARD ? "FORWARD" : tl_command_name ((TlCommandKind) kind);
}

const char *
tl_close_reason_name (TlCloseReason reason)
{
  static const char *const names[TL_N_CLOSE_REASONS] = { "", "conflict", "page", "refresh" };

  return reason < TL_N_CLOSE_REASONS ? names[reason] : "?";
}
