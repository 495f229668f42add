/* Tags and framing that the encoder and the decoder share. */
#pragma once

#include "emit/stream.h"

#define TL_STREAM_MAGIC "\x89TLS\r\n\x1a\n"
#define TL_STREAM_MAGIC_BYTES 8
#define TL_STREAM_VERSION 1
/* Magic, version u32, sections u32, file length u64, FNV-1a 64 of all before it. */
#define TL_STREAM_HEADER_BYTES 32
/* Tag and payload length before, FNV-1a 64 of tag, length and payload after it. */
#define TL_STREAM_FRAME_BYTES 16

/* The sections before those of the PUs, in this order. */
#define TL_STREAM_TAGS { "PROG", "MACH", "SEMI", "DATA", "LAYT", "CODE" }
#define TL_STREAM_N_TAGS 6
#define TL_STREAM_PU_TAG "PU  "

#define TL_STREAM_MAX_TEXT (1u << 16)
