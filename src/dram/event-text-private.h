/* What the formats of event-text.c are: text that is appended to. */
#pragma once

#include "dram/event-text.h"

typedef struct
{
  gpointer (*begin) (GString         *text,
                     const TlMemory  *memory); /* memory outlives it */
  void     (*add)   (gpointer         state,
                     GString         *text,
                     const TlEvent   *event);
  void     (*end)   (gpointer         state,
                     GString         *text);
  void     (*free)  (gpointer         state);
} TlEventTextFormat;

extern const TlEventTextFormat tl_event_text_vcd;
extern const TlEventTextFormat tl_event_text_chrome;
