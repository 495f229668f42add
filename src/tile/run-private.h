/* A run's state: blocks under way, their registers and memory, who touched what. */
#pragma once

#include "tile/plan-private.h"
#include "tile/run.h"

#include <string.h>

/* Who last touched a granule of memory. Epochs of a block rise with each barrier; 0 is never. */
typedef struct
{
  guint32 block, epoch, thread, instruction;
} TlTileTouch;

typedef struct
{
  TlTileTouch write;
  TlTileTouch reads[2]; /* by two different threads, if two have read */
  guint32     copy;     /* 1 + instruction of a copy to it that is not waited for */
} TlTileShadow;

typedef struct
{
  guint8       *data;
  guint64       bits;
  TlTileShadow *shadow; /* NULL: only read */
  gboolean      fresh;  /* nobody wrote to it before the launch */
  guint         allocated_by; /* 1 + instruction, 0 for the launch's */
} TlTileMemory;

typedef struct
{
  gboolean defined;
  guint    memory;
  guint64  base; /* bits */
  gint64   shape[TL_LAYOUT_MAX_DIMS];
  gint64   strides[TL_LAYOUT_MAX_DIMS]; /* elements */
} TlTileGlobalView;

/* A slot of shared memory from its allocation to its freeing. */
typedef struct
{
  gboolean live;
  guint64  base, bits;
} TlTileSlot;

typedef struct
{
  gboolean defined;
  guint    slot;
  gint64   offsets[TL_LAYOUT_MAX_DIMS]; /* by dimension of the root */
} TlTileSharedView;

/* A piece of an asynchronous copy: what goes where, as it was when it began. */
typedef struct
{
  guint64 to;   /* bit of shared memory */
  guint64 from; /* bit of global memory; G_MAXUINT64: none, a zero goes in */
  guint32 code;
} TlTilePiece;

typedef struct
{
  guint   instruction;
  guint   tensor; /* shared */
  guint   memory; /* global */
  guint   group;  /* G_MAXUINT: not committed */
  GArray *pieces; /* of TlTilePiece */
} TlTileCopy;

typedef struct
{
  guint             number;   /* of the block in the grid */
  guint             index[3];
  guint             at;       /* instruction */
  guint             epoch;
  guint32          *clock;    /* with semaphores: epochs of each other block that are over */
  double           *variables;
  guint8          **storages; /* by storage; each threads * strides[storage] bytes */
  gboolean         *written;
  TlTileGlobalView *globals;  /* by tensor */
  TlTileSharedView *shareds;
  GArray           *slots;    /* of TlTileSlot */
  TlTileMemory      shared;
  guint64           shared_used; /* bytes so far */
  guint64           shared_room; /* bytes that the data and the shadow are there for */
  GPtrArray        *copies;   /* of TlTileCopy, oldest first */
  guint             groups;   /* committed so far */
  gboolean          done;
  gboolean          waiting;  /* for a semaphore */
} TlTileBlock;

typedef struct
{
  const TlTilePlan   *plan;
  const TlTileKernel *kernel;
  const TlTileLaunch *launch;
  TlTileReport       *report;
  guint64             n_blocks;
  gsize              *strides;    /* bytes of a thread, by storage */
  GArray             *memories;   /* of TlTileMemory */
  GHashTable         *semaphores; /* bit address -> guint32 *clock */
  gboolean            has_semaphores;
  GString            *printed;
  double             *values[4];  /* room for a thread's elements */
  gint64             *integers[4];
} TlTileRun;

/* Ends the run with a fault; returns FALSE. */
gboolean tl_tile_fault (TlTileRun         *run,
                        const TlTileBlock *block,
                        TlTileFaultKind    kind,
                        guint              thread,
                        const TlTileTouch *other,
                        const char        *format,
                        ...) G_GNUC_PRINTF (6, 7);

/* run-register.c */
gboolean tl_tile_run_register (TlTileRun *run, TlTileBlock *block);
gboolean tl_tile_run_dot      (TlTileRun *run, TlTileBlock *block);
void     tl_tile_print_tensor (TlTileRun *run, TlTileBlock *block, guint tensor);
/* FALSE with a fault when the register was never written. */
gboolean tl_tile_readable     (TlTileRun *run, TlTileBlock *block, guint tensor);

/* run-memory.c */
gboolean tl_tile_run_memory   (TlTileRun *run, TlTileBlock *block);
/* run-copy.c */
gboolean tl_tile_run_copy     (TlTileRun *run, TlTileBlock *block);
void     tl_tile_copy_free    (gpointer copy);

/* run-access.c: reading and writing @bits bits at @at for @thread, with all checks. */
gboolean tl_tile_read         (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at,
                               guint bits, guint thread, guint32 *code);
gboolean tl_tile_write        (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at,
                               guint bits, guint thread, guint32 code);
/* Bits of memory without any check. */
guint32  tl_tile_peek         (const guint8 *data, guint64 at, guint bits);
void     tl_tile_poke         (guint8 *data, guint64 at, guint bits, guint32 code);
/* A copy to the place begins, and ends. */
gboolean tl_tile_copy_begin   (TlTileRun *run, TlTileBlock *block, guint64 at, guint bits);
void     tl_tile_copy_end     (TlTileRun *run, TlTileBlock *block, guint64 at, guint bits, guint instruction,
                               guint32 code);
/* How an instruction's elements lie in a shared tensor as it is now. */
typedef struct
{
  const TlTileRoot *root;
  const guint32    *raw;    /* NULL: the part does not begin at 0 */
  const guint32    *coords;
  const TlTileSharedPlan *plan;
  gint64            offsets[TL_LAYOUT_MAX_DIMS];
  guint64           fixed;  /* offset of what all elements share */
  guint64           base;   /* bits */
  guint             bits;
} TlTilePlacer;

void     tl_tile_placer_init  (const TlTileRun *run, const TlTileBlock *block, guint tensor, TlTilePlacer *placer);
/* Where coordinates lie, by the tables of all dimensions. */
guint64  tl_tile_placer_slow  (const TlTilePlacer *placer, gsize element);

/* Bit of shared memory of the instruction's element @element. */
static inline guint64
tl_tile_place (const TlTilePlacer *placer, gsize element)
{
  const TlSwizzle *swizzle = &placer->root->layout.swizzle;
  guint64 offset = placer->raw != NULL ? placer->fixed + placer->raw[element] : tl_tile_placer_slow (placer, element);

  if (swizzle->bits > 0)
    offset ^= (offset >> swizzle->shift) & (((G_GUINT64_CONSTANT (1) << swizzle->bits) - 1) << swizzle->base);
  return placer->base + offset * placer->bits;
}

/* Whether the tensor is there, and inside what it is a part of. */
gboolean tl_tile_shared_ready (TlTileRun *run, TlTileBlock *block, guint tensor);
/* Bit of global memory of a window's coordinates: FALSE when outside the tensor. */
gboolean tl_tile_window_place (const TlTileRun *run, const TlTileBlock *block, guint global, const gint64 *offsets,
                               const guint32 *coords, guint64 *at);
/* The same of @n coordinates by the instruction's functions: FALSE where the mask leaves them out. */
gboolean tl_tile_generic_place (const TlTileRun *run, const TlTileBlock *block, guint global, const guint32 *coords,
                                guint n, guint64 *at);
/* Offsets of the instruction, evaluated. */
void     tl_tile_offsets      (const TlTileRun *run, const TlTileBlock *block, gint64 *offsets);

static inline const TlTileInstruction *
tl_tile_now (const TlTileRun *run, const TlTileBlock *block)
{
  return &g_array_index (run->kernel->code, TlTileInstruction, block->at);
}

static inline const TlTileTensor *
tl_tile_tensor (const TlTileRun *run, guint tensor)
{
  return &g_array_index (run->kernel->tensors, TlTileTensor, tensor);
}

/* What the threads of the block did before is ordered before what they do from here on. */
static inline void
tl_tile_barrier (TlTileRun *run, TlTileBlock *block)
{
  block->epoch++;
  run->report->barriers++;
}

/* The bytes of thread @thread from the first of a register on; its first bit is bit % 8 = 0. */
static inline guint8 *
tl_tile_bytes (const TlTileRun *run, const TlTileBlock *block, guint tensor, guint thread)
{
  const TlTileRegisterPlan *reg = &run->plan->registers[tensor];

  return block->storages[reg->storage] + thread * run->strides[reg->storage] + reg->bit / 8;
}

static inline guint64
tl_tile_load64 (const guint8 *bytes)
{
  guint64 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Element @local of @bits (1..32) of a string of bits that has 8 bytes to spare. */
static inline guint32
tl_tile_get (const guint8 *bytes, guint bits, guint local)
{
  guint   at = local * bits;
  guint16 half;
  guint32 word;

  switch (bits)
    {
    case 8:
      return bytes[local];
    case 16:
      memcpy (&half, bytes + 2 * local, sizeof half);
      return GUINT16_FROM_LE (half);
    case 32:
      memcpy (&word, bytes + 4 * local, sizeof word);
      return GUINT32_FROM_LE (word);
    default:
      return (guint32) (tl_tile_load64 (bytes + at / 8) >> at % 8) & ((G_GUINT64_CONSTANT (1) << bits) - 1);
    }
}

static inline void
tl_tile_put (guint8 *bytes, guint bits, guint local, guint32 code)
{
  guint   at = local * bits;
  guint16 half = GUINT16_TO_LE ((guint16) code);
  guint32 word = GUINT32_TO_LE (code);
  guint64 wide, mask;

  switch (bits)
    {
    case 8:
      bytes[local] = (guint8) code;
      return;
    case 16:
      memcpy (bytes + 2 * local, &half, sizeof half);
      return;
    case 32:
      memcpy (bytes + 4 * local, &word, sizeof word);
      return;
    default:
      mask = ((G_GUINT64_CONSTANT (1) << bits) - 1) << at % 8;
      wide = (tl_tile_load64 (bytes + at / 8) & ~mask) | (((guint64) code << at % 8) & mask);
      wide = GUINT64_TO_LE (wide);
      memcpy (bytes + at / 8, &wide, sizeof wide);
    }
}
