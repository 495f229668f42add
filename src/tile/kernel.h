/* Tile kernels: programs of one thread block, whose instructions move and compute whole
 * tiles. A register tensor is spread over the threads by its layout, element after element
 * a string of bits in each thread; shared and global tensors lie in memory. Tilus, the
 * thread-block virtual machine. A kernel is built here, checked by tile/plan.h and run by
 * tile/run.h. */
#pragma once

#include "layout/element-type.h"
#include "layout/layout.h"
#include "layout/shared.h"

/* Expressions of scalars: offsets, sizes, functions of an index or of elements. Their
 * values are doubles, so integers are exact to 2^53. */
typedef enum
{
  TL_TILE_CONSTANT,
  TL_TILE_VARIABLE, /* a block index or a loop's variable */
  TL_TILE_INDEX,    /* coordinate of the element in dimension a */
  TL_TILE_ELEMENT,  /* value of the element of operand a (0 or 1) */
  TL_TILE_PLUS,
  TL_TILE_MINUS,
  TL_TILE_TIMES,
  TL_TILE_OVER,      /* the quotient of reals */
  TL_TILE_FLOOR_DIV, /* of integers, rounded down */
  TL_TILE_MODULO,    /* of integers, sign of the divisor */
  TL_TILE_LEAST,
  TL_TILE_GREATEST,
  TL_TILE_LESS, /* comparisons and logic are 0 or 1 */
  TL_TILE_LESS_EQUAL,
  TL_TILE_EQUAL,
  TL_TILE_BOTH,
  TL_TILE_EITHER,
  TL_TILE_BIT_AND, /* of integers below 2^53 */
  TL_TILE_BIT_OR,
  TL_TILE_BIT_XOR,
  TL_TILE_SHIFT_LEFT,
  TL_TILE_SHIFT_RIGHT,
  TL_TILE_SELECT, /* a != 0 ? b : c */
  TL_TILE_N_EXPRS,
} TlTileExprKind;

typedef enum
{
  TL_TILE_REGISTER,
  TL_TILE_SHARED,
  TL_TILE_GLOBAL,
} TlTileSpace;

/* Registers have a layout. A shared tensor's layout belongs to the instruction that
 * allocates it; slices and other forms of it have their shape from theirs. A global
 * tensor's sizes are known when it runs. */
typedef struct
{
  TlTileSpace   space;
  char         *name;
  TlElementType type; /* at most 32 bits */
  TlLayout      layout;
  TlShared      shared;
} TlTileTensor;

typedef enum
{
  TL_TILE_NO_OP,
  /* Registers. */
  TL_TILE_ALLOCATE_REGISTER,  /* result = function of the index, or 0 */
  TL_TILE_ASSIGN,             /* result = operand */
  TL_TILE_SLICE_ASSIGN,       /* part of result, from starts on, = operand; dims of result */
  TL_TILE_SLICE_REGISTER,     /* result = part of operand, from starts on; dims of operand */
  TL_TILE_VIEW,               /* result shares the operand's bits, from local amount on */
  TL_TILE_CAST,               /* result = operand, each value converted: nearest even, saturating */
  TL_TILE_SQUEEZE,            /* result shares the operand's bits without dims of size 1 */
  TL_TILE_UNSQUEEZE,          /* ... with dims of size 1 put in */
  TL_TILE_TRANSPOSE,          /* ... dimension i of result is dims[i] of operand */
  TL_TILE_RESHAPE,            /* ... in result's shape, row-major */
  TL_TILE_REPEAT,             /* operand again and again along dimension dims[0] */
  TL_TILE_REPEAT_INTERLEAVE,  /* each element amount times along dimension dims[0] */
  /* Element by element; operands' dimensions of size 1 are stretched. */
  TL_TILE_NEG,
  TL_TILE_ABS,
  TL_TILE_CLIP,               /* to low..high */
  TL_TILE_ADD,
  TL_TILE_SUB,
  TL_TILE_MUL,
  TL_TILE_DIV,                /* of integers: rounded toward zero */
  TL_TILE_MOD,                /* sign of the dividend */
  TL_TILE_WHERE,              /* operand 0 != 0 ? operand 1 : operand 2 */
  TL_TILE_UNARY,              /* function of the element and the index */
  TL_TILE_BINARY,
  /* Along dimension dims[0]. */
  TL_TILE_REDUCE,             /* fold, first to last; flag keeps the dimension as 1 */
  TL_TILE_SCAN,               /* prefixes of the fold; flag leaves the element itself out */
  TL_TILE_SHUFFLE_DOWN,       /* thread t gets from t + amount, inside groups of width */
  TL_TILE_SHUFFLE_UP,         /* ... from t - amount; threads without a source keep their own */
  /* Global memory. */
  TL_TILE_ALLOCATE_GLOBAL,    /* one for all blocks, of sizes; flag: zero; else to be written first */
  TL_TILE_GLOBAL_VIEW,        /* buffer amount as sizes with strides (row-major without) */
  TL_TILE_SLICE_GLOBAL,       /* from offsets on, dims of it */
  TL_TILE_LOAD_GLOBAL,        /* from offsets on along dims; 0 outside */
  TL_TILE_STORE_GLOBAL,       /* operand 0 to operand 1; nothing outside */
  TL_TILE_LOAD_GLOBAL_GENERIC, /* element at function of the index where mask is not 0 */
  TL_TILE_STORE_GLOBAL_GENERIC,
  /* Shared memory. */
  TL_TILE_ALLOCATE_SHARED,
  TL_TILE_FREE_SHARED,
  TL_TILE_SLICE_SHARED,       /* from offsets on, dims of it, sizes (constants) along them */
  TL_TILE_RESHAPE_SHARED,     /* a whole tensor in shape dims */
  TL_TILE_PERMUTE_SHARED,     /* dimension i of result is dims[i] of operand */
  TL_TILE_LOAD_SHARED,
  TL_TILE_STORE_SHARED,       /* operand 0 to operand 1 */
  /* Copies that go on while the threads do. */
  TL_TILE_COPY_ASYNC,         /* global operand 0 from offsets on along dims to shared operand 1 */
  TL_TILE_COPY_ASYNC_GENERIC, /* element at function of the index where mask is not 0 */
  TL_TILE_COMMIT_GROUP,
  TL_TILE_WAIT_GROUP,         /* until at most amount groups are under way */
  TL_TILE_WAIT_ALL,
  TL_TILE_DOT,                /* result = operand 0 x operand 1 + operand 2 */
  TL_TILE_SYNC_THREADS,
  TL_TILE_LOCK_SEMAPHORE,     /* i32 operand 0 at offsets: wait until it is function */
  TL_TILE_RELEASE_SEMAPHORE,  /* ... make it function */
  TL_TILE_PRINT_TENSOR,
  TL_TILE_FORMAT_PRINT,       /* text, then function's value if there is one */
  TL_TILE_ANNOTATE_LAYOUT,    /* states that the operand's layout is result's */
  TL_TILE_EXIT,
  /* All threads together: what they depend on is the same for the block. */
  TL_TILE_FOR,                /* variable amount from offsets[0] to below offsets[1] by offsets[2] */
  TL_TILE_IF,                 /* function is not 0 */
  TL_TILE_ELSE,
  TL_TILE_END,
  TL_TILE_N_OPS,
} TlTileOp;

typedef enum
{
  TL_TILE_SUM,
  TL_TILE_MIN,
  TL_TILE_MAX,
  TL_TILE_ANY,
  TL_TILE_ALL,
} TlTileFold;

/* One instruction; what its op does not name is 0. Numbers of tensors and expressions
 * start at 1, so that 0 is none. */
typedef struct
{
  TlTileOp    op;
  guint       result;
  guint       operands[3];
  guint       n_offsets;
  guint       offsets[TL_LAYOUT_MAX_DIMS]; /* expressions */
  guint       n_sizes;
  guint       sizes[TL_LAYOUT_MAX_DIMS]; /* expressions */
  guint       n_strides;
  guint       strides[TL_LAYOUT_MAX_DIMS]; /* expressions, in elements */
  guint       n_dims;
  gint64      dims[TL_LAYOUT_MAX_DIMS];
  gint64      starts[TL_LAYOUT_MAX_DIMS]; /* of slices of registers, one for each dimension */
  guint       function;
  guint       mask;
  gint64      amount;
  gint64      width;
  double      low, high;
  TlTileFold  fold;
  gboolean    flag;
  const char *text; /* of the kernel's arena when it is added */
} TlTileInstruction;

typedef struct _TlTileKernel TlTileKernel;

/* Of one to 1,024 threads. (transfer full) */
TlTileKernel      *tl_tile_kernel_new       (const char         *name,
                                             guint               threads);
void               tl_tile_kernel_free      (TlTileKernel       *kernel);
const char        *tl_tile_kernel_name      (const TlTileKernel *kernel);
guint              tl_tile_kernel_threads   (const TlTileKernel *kernel);
guint              tl_tile_kernel_length    (const TlTileKernel *kernel);
guint              tl_tile_kernel_n_tensors (const TlTileKernel *kernel);
const TlTileInstruction *tl_tile_kernel_at  (const TlTileKernel *kernel,
                                             guint               instruction);
const TlTileTensor *tl_tile_kernel_tensor   (const TlTileKernel *kernel,
                                             guint               tensor);

/* Variables; each function gives an expression. */
/* Of dimension 0..2. */
guint tl_tile_block_index (TlTileKernel *kernel, guint dimension);
/* The number for TL_TILE_FOR's amount is in *variable. */
guint tl_tile_loop_variable (TlTileKernel *kernel, const char *name, gint64 *variable);
guint tl_tile_number      (TlTileKernel *kernel, double value);
guint tl_tile_index       (TlTileKernel *kernel, guint dimension);
guint tl_tile_element     (TlTileKernel *kernel, guint operand);
guint tl_tile_binary      (TlTileKernel *kernel, TlTileExprKind kind, guint a, guint b);
guint tl_tile_select      (TlTileKernel *kernel, guint condition, guint a, guint b);

/* Declares a tensor; only a register may come to be without an instruction, and must be
 * written before it is read. */
guint tl_tile_register    (TlTileKernel *kernel, const char *name, TlElementType type, const TlLayout *layout);
guint tl_tile_shared      (TlTileKernel *kernel, const char *name, TlElementType type, const TlShared *layout);
guint tl_tile_global      (TlTileKernel *kernel, const char *name, TlElementType type);
/* Number of the buffer for TL_TILE_GLOBAL_VIEW's amount. */
gint64 tl_tile_buffer     (TlTileKernel *kernel, const char *name);

/* Its number, from 0. */
guint tl_tile_add         (TlTileKernel *kernel, TlTileInstruction instruction);

const char *tl_tile_op_name (TlTileOp op);
/* The whole, numbered, with its tensors. (transfer full) */
char *tl_tile_kernel_to_text (const TlTileKernel *kernel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTileKernel, tl_tile_kernel_free)
