/* Bytes between DRAM and the PUs' memories, in closed form and by replaying an LRU
 * memory (models.md section 3, Traffic). Of one stream of tile operations: for k,
 * pivot, then row and column tiles, then the rest; each reads C, then its operands, and
 * writes C, all of them touches. */
#pragma once

#include <glib.h>

/* 3 w n^3: every update reads two operands, its own value, and writes it back (the
 * paper's count). bytes is w. */
double   tl_traffic_b0          (guint64 n,
                                 guint32 bytes);
/* 4 w n^3 / B. */
double   tl_traffic_b3          (guint64 n,
                                 guint32 tile,
                                 guint32 bytes);

typedef struct
{
  guint64 read;    /* bytes fetched */
  guint64 written; /* bytes of dirty tiles written back, the last ones at the end too */
} TlTraffic;

typedef enum
{
  TL_TOUCH_C_FIRST,        /* C, A_ik, A_kj, then C written: the definition */
  TL_TOUCH_OPERANDS_FIRST, /* A_ik, A_kj, then C: lets A_ik survive */
} TlTouchOrder;

/* LRU over whole tiles (padded) of @tile x @tile elements of @bytes each in @sram bytes;
 * plain replay: M^3 operations. Where no tile fits every touch moves it. */
void     tl_traffic_replay      (guint32       tiles,
                                 guint32       tile,
                                 guint32       bytes,
                                 guint64       sram,
                                 TlTouchOrder  order,
                                 TlTraffic    *traffic);
/* Equal to the plain replay, in about M^2 steps: rows of internal tiles are taken as
 * one once their behaviour repeats. */
void     tl_traffic_replay_fast (guint32       tiles,
                                 guint32       tile,
                                 guint32       bytes,
                                 guint64       sram,
                                 TlTouchOrder  order,
                                 TlTraffic    *traffic);
