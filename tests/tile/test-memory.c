/* Memory of all kinds, loops, copies and semaphores; and each fault that a run can have. */
#include "workshop.h"

#include <string.h>

/* Through a swizzled tile in shared memory: written in one layout, read in another, seen from
 * other sides. */
START_TEST (through_shared_memory)
{
  gint16 a[8 * 16], turned[16 * 8], flat[128], corner[6];
  g_autoptr (Workshop) shop = workshop_new (8);
  guint x = reg (shop, "i16", "spatial(8,1).local(1,16)"), t = reg (shop, "i16", "spatial(8,1).local(2,8)");
  guint f = reg (shop, "i16", "auto_local_spatial(8,[128])"), c = reg (shop, "i16", "replicated(2,3,num_workers=8)");
  guint s = shared (shop, "i16", "row_major_swizzle([8,16],2)"), p = shared (shop, "i16", NULL);
  guint whole = shared (shop, "i16", "row_major(8,16)"), line = shared (shop, "i16", NULL);
  guint part = shared (shop, "i16", NULL);

  for (guint i = 0; i < 128; i++)
    a[i] = (gint16) (i * 201);
  load (shop, x, a, sizeof a);
  op (shop, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  op (shop, TL_TILE_ALLOCATE_SHARED, whole, 0, 0);
  op (shop, TL_TILE_STORE_SHARED, 0, x, s);
  op (shop, TL_TILE_STORE_SHARED, 0, x, whole);
  op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_PERMUTE_SHARED, .result = p, .operands = { s }, .n_dims = 2, .dims = { 1, 0 } });
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_RESHAPE_SHARED, .result = line, .operands = { whole }, .n_dims = 1, .dims = { 128 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_SLICE_SHARED,
                                   .result = part,
                                   .operands = { s },
                                   .n_offsets = 2,
                                   .offsets = { number (shop, 3), number (shop, 7) },
                                   .n_dims = 2,
                                   .dims = { 0, 1 },
                                   .n_sizes = 2,
                                   .sizes = { number (shop, 2), number (shop, 3) } });
  op (shop, TL_TILE_LOAD_SHARED, t, p, 0);
  op (shop, TL_TILE_LOAD_SHARED, f, line, 0);
  op (shop, TL_TILE_LOAD_SHARED, c, part, 0);
  store (shop, t, turned, sizeof turned);
  store (shop, f, flat, sizeof flat);
  store (shop, c, corner, sizeof corner);
  op (shop, TL_TILE_FREE_SHARED, 0, s, 0);
  run_well (shop);
  for (guint i = 0; i < 128; i++)
    {
      ck_assert_int_eq (turned[i], a[i % 8 * 16 + i / 8]);
      ck_assert_int_eq (flat[i], a[i]);
    }
  for (guint i = 0; i < 6; i++)
    ck_assert_int_eq (corner[i], a[(3 + i / 3) * 16 + 7 + i % 3]);
  ck_assert_uint_eq (shop->report.shared_peak, 512);
}
END_TEST

/* Windows that stick out read zeros and write nothing; slices, strides and functions. */
START_TEST (windows_on_global_memory)
{
  gint32 a[5 * 7], out[5 * 7], column[8], sparse[16];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint g = view (shop, "i32", a, sizeof a, 2, 5, 7), o = view (shop, "i32", out, sizeof out, 2, 5, 7);
  guint c = view (shop, "i32", column, sizeof column, 1, 8), d = view (shop, "i32", sparse, sizeof sparse, 1, 16);
  guint x = reg (shop, "i32", "spatial(4,1).local(1,4)"), y = reg (shop, "i32", "local(2).spatial(4)");
  guint row = tl_tile_global (shop->kernel, "column", type_of ("i32"));
  guint i0 = tl_tile_index (shop->kernel, 0);

  memset (out, 255, sizeof out);
  memset (sparse, 0, sizeof sparse);
  for (guint i = 0; i < 35; i++)
    a[i] = (gint32) i + 1;
  TlTileInstruction in = { .op = TL_TILE_LOAD_GLOBAL,
                           .result = x,
                           .operands = { g },
                           .n_offsets = 2,
                           .offsets = { number (shop, 3), number (shop, -2) },
                           .n_dims = 2,
                           .dims = { 0, 1 } };
  TlTileInstruction to = in;
  to.op = TL_TILE_STORE_GLOBAL;
  to.result = 0;
  to.operands[0] = x;
  to.operands[1] = o;
  add (shop, in);
  add (shop, to);
  /* Column 6 from row 1 on. */
  add (shop, (TlTileInstruction) { .op = TL_TILE_SLICE_GLOBAL,
                                   .result = row,
                                   .operands = { g },
                                   .n_offsets = 2,
                                   .offsets = { number (shop, 1), number (shop, 6) },
                                   .n_dims = 1 });
  add (shop, (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL,
                                   .result = y,
                                   .operands = { row },
                                   .n_offsets = 1,
                                   .offsets = { number (shop, 0) },
                                   .n_dims = 1 });
  add (shop, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL,
                                   .operands = { y, c },
                                   .n_offsets = 1,
                                   .offsets = { number (shop, 0) },
                                   .n_dims = 1 });
  /* Where the index is even, to twice the index. */
  guint odd = tl_tile_binary (shop->kernel, TL_TILE_MODULO, i0, number (shop, 2));
  add (shop, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL_GENERIC,
                                   .operands = { y, d },
                                   .function = tl_tile_binary (shop->kernel, TL_TILE_TIMES, i0, number (shop, 2)),
                                   .mask = tl_tile_binary (shop->kernel, TL_TILE_EQUAL, odd, number (shop, 0)) });
  run_well (shop);
  for (guint i = 0; i < 35; i++)
    ck_assert_int_eq (out[i], i / 7 >= 3 && i % 7 < 2 ? a[i] : -1);
  for (guint i = 0; i < 8; i++)
    ck_assert_int_eq (column[i], i < 4 ? a[(i + 1) * 7 + 6] : 0);
  for (guint i = 0; i < 16; i++)
    ck_assert_int_eq (sparse[i], i % 4 == 0 ? column[i / 2] : 0);
}
END_TEST

/* sum over rows with a loop, printing on the way, and leaving early in one block. */
START_TEST (control)
{
  gint32 a[6 * 4], out[2 * 4] = { 0 };
  g_autoptr (Workshop) shop = workshop_new (4);
  guint  g = view (shop, "i32", a, sizeof a, 2, 6, 4), o = view (shop, "i32", out, sizeof out, 2, 2, 4);
  guint  x = reg (shop, "i32", "spatial(4)"), sum = reg (shop, "i32", "spatial(4)");
  gint64 variable;
  guint  i = tl_tile_loop_variable (shop->kernel, "i", &variable), block = tl_tile_block_index (shop->kernel, 0);
  guint  zero = number (shop, 0), two = number (shop, 2);

  for (guint k = 0; k < 24; k++)
    a[k] = (gint32) k;
  op (shop, TL_TILE_ALLOCATE_REGISTER, sum, 0, 0);
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_FOR, .amount = variable, .n_offsets = 3, .offsets = { block, number (shop, 6), two } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL,
                                   .result = x,
                                   .operands = { g },
                                   .n_offsets = 2,
                                   .offsets = { i, zero },
                                   .n_dims = 1,
                                   .dims = { 1 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_IF,
                                   .function = tl_tile_binary (shop->kernel, TL_TILE_EQUAL, i, number (shop, 4)) });
  op (shop, TL_TILE_SUB, sum, sum, x);
  op (shop, TL_TILE_ELSE, 0, 0, 0);
  op (shop, TL_TILE_ADD, sum, sum, x);
  op (shop, TL_TILE_END, 0, 0, 0);
  add (shop, (TlTileInstruction) { .op = TL_TILE_FORMAT_PRINT, .text = "row", .function = i });
  op (shop, TL_TILE_END, 0, 0, 0);
  add (shop, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL,
                                   .operands = { sum, o },
                                   .n_offsets = 2,
                                   .offsets = { block, zero },
                                   .n_dims = 1,
                                   .dims = { 1 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_IF, .function = block });
  op (shop, TL_TILE_EXIT, 0, 0, 0);
  op (shop, TL_TILE_END, 0, 0, 0);
  op (shop, TL_TILE_PRINT_TENSOR, 0, sum, 0);
  ck_assert (run (shop, 2));
  for (guint k = 0; k < 4; k++)
    {
      ck_assert_int_eq (out[k], a[k] + a[8 + k] - a[16 + k]);
      ck_assert_int_eq (out[4 + k], a[4 + k] + a[12 + k] + a[20 + k]);
    }
  ck_assert_str_eq (shop->report.printed, "row 0\nrow 2\nrow 4\nr4 [4]\n-8 -7 -6 -5\nrow 1\nrow 3\nrow 5\n");
}
END_TEST

/* Blocks add their numbers to one place, the last block first. */
static Workshop *
ordered_sum (gint32 *total, gint32 *turn, guint blocks, gboolean lock)
{
  Workshop *shop = workshop_new (2);
  guint     x = reg (shop, "i32", "spatial(2)"), y = reg (shop, "i32", "spatial(2)");
  guint     t = view (shop, "i32", total, 2 * sizeof *total, 1, 2), s = view (shop, "i32", turn, sizeof *turn, 1, 1);
  guint     zero = number (shop, 0), block = tl_tile_block_index (shop->kernel, 0);
  guint     mine = tl_tile_binary (shop->kernel, TL_TILE_MINUS, number (shop, blocks - 1), block);
  guint     next = tl_tile_binary (shop->kernel, TL_TILE_PLUS, mine, number (shop, 1));
  TlTileInstruction at = { .n_offsets = 1, .offsets = { zero }, .n_dims = 1 };

  if (lock)
    add (shop,
         (TlTileInstruction) {
             .op = TL_TILE_LOCK_SEMAPHORE, .operands = { s }, .n_offsets = 1, .offsets = { zero }, .function = mine });
  at.op = TL_TILE_LOAD_GLOBAL;
  at.result = x;
  at.operands[0] = t;
  add (shop, at);
  /* total = total * 2 + block */
  guint doubled = tl_tile_binary (shop->kernel, TL_TILE_TIMES, tl_tile_element (shop->kernel, 0), number (shop, 2));
  add (shop, (TlTileInstruction) { .op = TL_TILE_UNARY,
                                   .result = y,
                                   .operands = { x },
                                   .function = tl_tile_binary (shop->kernel, TL_TILE_PLUS, doubled, block) });
  at.op = TL_TILE_STORE_GLOBAL;
  at.result = 0;
  at.operands[0] = y;
  at.operands[1] = t;
  add (shop, at);
  if (lock)
    add (shop, (TlTileInstruction) { .op = TL_TILE_RELEASE_SEMAPHORE,
                                     .operands = { s },
                                     .n_offsets = 1,
                                     .offsets = { zero },
                                     .function = next });
  return shop;
}

START_TEST (semaphores_order_blocks)
{
  gint32 total[2] = { 0, 1 }, turn = 0, expected[2] = { 0, 1 };
  g_autoptr (Workshop) shop = ordered_sum (total, &turn, 5, TRUE);

  ck_assert_msg (run (shop, 5), "%s", shop->report.fault.message);
  for (gint b = 4; b >= 0; b--)
    for (guint i = 0; i < 2; i++)
      expected[i] = expected[i] * 2 + b;
  ck_assert_mem_eq (total, expected, sizeof total);
  ck_assert_int_eq (turn, 5);
}
END_TEST

static const TlTileFault *
fault_of (Workshop *shop, guint blocks, TlTileFaultKind kind)
{
  ck_assert_msg (!run (shop, blocks), "it ran");
  ck_assert_msg (shop->report.fault.kind == kind, "%s: %s", tl_tile_fault_kind_name (shop->report.fault.kind),
                 shop->report.fault.message);
  return &shop->report.fault;
}

START_TEST (blocks_race_without_semaphores)
{
  gint32 total[2] = { 0, 1 }, turn = 0;
  g_autoptr (Workshop) shop = ordered_sum (total, &turn, 3, FALSE);
  const TlTileFault *fault = fault_of (shop, 3, TL_TILE_FAULT_RACE);

  ck_assert_uint_eq (fault->block[0], 1);
  ck_assert (fault->has_other);
  ck_assert_uint_eq (fault->other_block[0], 0);
  ck_assert_msg (strstr (fault->message, "block (1, 0, 0)") != NULL, "%s", fault->message);
}
END_TEST

START_TEST (deadlock)
{
  gint32 total[2] = { 0, 1 }, turn = 7;
  g_autoptr (Workshop) shop = ordered_sum (total, &turn, 3, TRUE);

  fault_of (shop, 3, TL_TILE_FAULT_DEADLOCK);
}
END_TEST

/* Register @x written to a shared tile in one layout and read in another. @barriers: a bit for
 * one between them, and one before the tile is written again. */
static Workshop *
exchange (gint32 *a, guint barriers)
{
  Workshop *shop = workshop_new (4);
  guint     x = reg (shop, "i32", "spatial(4)"), y = reg (shop, "i32", "replicated(4,num_workers=4)");
  guint     s = shared (shop, "i32", "row_major(4)");

  load (shop, x, a, 4 * sizeof *a);
  op (shop, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  op (shop, TL_TILE_STORE_SHARED, 0, x, s); /* instruction 3 */
  if (barriers & 1)
    op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
  op (shop, TL_TILE_LOAD_SHARED, y, s, 0);
  if (barriers & 2)
    op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
  op (shop, TL_TILE_STORE_SHARED, 0, x, s);
  return shop;
}

START_TEST (threads_race_without_barriers)
{
  gint32 a[4] = { 1, 2, 3, 4 };
  g_autoptr (Workshop) fine = exchange (a, 3);
  g_autoptr (Workshop) first = exchange (a, 2);
  g_autoptr (Workshop) second = exchange (a, 1);

  run_well (fine);
  /* Thread 0 reads element 1, which thread 1 wrote. */
  const TlTileFault *fault = fault_of (first, 1, TL_TILE_FAULT_RACE);
  ck_assert_uint_eq (fault->instruction, 4);
  ck_assert_uint_eq (fault->thread, 0);
  ck_assert_uint_eq (fault->other_instruction, 3);
  ck_assert_uint_eq (fault->other_thread, 1);
  ck_assert_msg (strstr (fault->message, "load_shared") != NULL && strstr (fault->message, "store_shared") != NULL,
                 "%s", fault->message);
  /* Thread 0 writes element 0, which others have read. */
  fault = fault_of (second, 1, TL_TILE_FAULT_RACE);
  ck_assert_uint_eq (fault->instruction, 6);
  ck_assert_uint_eq (fault->thread, 0);
  ck_assert_uint_ne (fault->other_thread, 0);
  ck_assert_uint_eq (fault->other_instruction, 5);
}
END_TEST

/* Two threads write different bits of one byte: no race; of one element: a race. */
START_TEST (narrow_elements_race_by_element)
{
  guint8 bits = 0, one = 0;
  g_autoptr (Workshop) shop = workshop_new (2);
  guint x = reg (shop, "u3", "spatial(2)");
  guint i0 = tl_tile_index (shop->kernel, 0);
  guint g = view (shop, "u3", &bits, 1, 1, 2), h = view (shop, "u3", &one, 1, 1, 2);

  add (shop, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_REGISTER,
                                   .result = x,
                                   .function = tl_tile_binary (shop->kernel, TL_TILE_PLUS, i0, number (shop, 5)) });
  add (shop, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL_GENERIC, .operands = { x, g }, .function = i0 });
  add (shop,
       (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL_GENERIC, .operands = { x, h }, .function = number (shop, 1) });
  const TlTileFault *fault = fault_of (shop, 1, TL_TILE_FAULT_RACE);
  ck_assert_uint_eq (bits, 5 | 6 << 3);
  ck_assert_uint_eq (fault->thread, 1);
  ck_assert_uint_eq (fault->other_thread, 0);
}
END_TEST

START_TEST (out_of_bounds)
{
  gint32 a[4] = { 0 };
  g_autoptr (Workshop) generic = workshop_new (4);
  g_autoptr (Workshop) large = workshop_new (4);
  g_autoptr (Workshop) slice = workshop_new (4);
  guint x = reg (generic, "i32", "spatial(4)"), g = view (generic, "i32", a, sizeof a, 1, 4);

  add (generic,
       (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL_GENERIC,
                             .result = x,
                             .operands = { g },
                             .function = tl_tile_binary (generic->kernel, TL_TILE_TIMES,
                                                         tl_tile_index (generic->kernel, 0), number (generic, 2)) });
  const TlTileFault *fault = fault_of (generic, 1, TL_TILE_FAULT_OUT_OF_BOUNDS);
  ck_assert_uint_eq (fault->instruction, 1);
  ck_assert_uint_eq (fault->thread, 2);
  ck_assert_msg (g_str_has_prefix (fault->message, "instruction 1 (load_global_generic), thread 2"), "%s",
                 fault->message);
  /* A view that says more than the buffer has. */
  x = reg (large, "i32", "local(2).spatial(4)");
  load (large, x, a, sizeof a);
  fault = fault_of (large, 1, TL_TILE_FAULT_OUT_OF_BOUNDS);
  ck_assert_uint_eq (fault->thread, 0);
  /* Stage 3 of 3. */
  guint s = shared (slice, "i32", "row_major(3,4)"), p = shared (slice, "i32", NULL);
  op (slice, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  guint at = add (slice, (TlTileInstruction) {
                             .op = TL_TILE_SLICE_SHARED,
                             .result = p,
                             .operands = { s },
                             .n_offsets = 2,
                             .offsets = { tl_tile_binary (slice->kernel, TL_TILE_PLUS,
                                                          tl_tile_block_index (slice->kernel, 0), number (slice, 1)),
                                          number (slice, 0) },
                             .n_dims = 1,
                             .dims = { 1 },
                             .n_sizes = 1,
                             .sizes = { number (slice, 4) } });
  fault = fault_of (slice, 3, TL_TILE_FAULT_OUT_OF_BOUNDS);
  ck_assert_uint_eq (fault->instruction, at);
  ck_assert_uint_eq (fault->block[0], 2);
}
END_TEST

/* A copy of 8 numbers to shared memory and a read of them; letters: c commit, w wait for the
 * group, a wait for all, s sync, r read, x write. */
static Workshop *
copying (gint32 *a, const char *script)
{
  Workshop *shop = workshop_new (4);
  guint     g = view (shop, "i32", a, 8 * sizeof *a, 1, 6), s = shared (shop, "i32", "row_major(8)");
  guint     x = reg (shop, "i32", "spatial(4).local(2)"), o = reg (shop, "i32", "spatial(4).local(2)");

  op (shop, TL_TILE_ALLOCATE_REGISTER, o, 0, 0);
  op (shop, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
  add (shop, (TlTileInstruction) { .op = TL_TILE_COPY_ASYNC,
                                   .operands = { g, s },
                                   .n_offsets = 1,
                                   .offsets = { number (shop, 0) },
                                   .n_dims = 1 });
  for (; *script != '\0'; script++)
    switch (*script)
      {
      case 'c':
        op (shop, TL_TILE_COMMIT_GROUP, 0, 0, 0);
        break;
      case 'w':
        op (shop, TL_TILE_WAIT_GROUP, 0, 0, 0);
        break;
      case 'a':
        op (shop, TL_TILE_WAIT_ALL, 0, 0, 0);
        break;
      case 's':
        op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
        break;
      case 'r':
        op (shop, TL_TILE_LOAD_SHARED, x, s, 0);
        break;
      case 'x':
        op (shop, TL_TILE_STORE_SHARED, 0, o, s);
        break;
      case 'g':
        add (shop, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL,
                                         .operands = { o, g },
                                         .n_offsets = 1,
                                         .offsets = { number (shop, 0) },
                                         .n_dims = 1 });
        break;
      default:
        store (shop, x, a + 8, 8 * sizeof *a);
      }
  return shop;
}

START_TEST (copies)
{
  static const struct
  {
    const char *script;
    int         fault; /* -1: none */
  } cases[] = {
    { "cwsro", -1 },
    { "asro", -1 },
    { "csro", TL_TILE_FAULT_UNDER_WAY }, /* not waited for */
    { "wsro", TL_TILE_FAULT_UNDER_WAY }, /* of no group, so the wait is for nothing */
    { "cwro", TL_TILE_FAULT_RACE },      /* others cannot see it yet */
    { "csx", TL_TILE_FAULT_UNDER_WAY },
    { "cgw", TL_TILE_FAULT_RACE }, /* the source is overwritten while it is read */
    { "cwsxsr", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint32 a[16] = { 5, 6, 7, 8, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1, -1, -1 };
      g_autoptr (Workshop) shop = copying (a, cases[i].script);

      if (cases[i].fault >= 0)
        {
          fault_of (shop, 1, (TlTileFaultKind) cases[i].fault);
          continue;
        }
      run_well (shop);
      ck_assert_uint_eq (shop->report.copied_bytes, 32);
      /* The tensor has six elements; the copy's last two are zeros. */
      for (guint k = 0; strchr (cases[i].script, 'o') != NULL && k < 8; k++)
        ck_assert_int_eq (a[8 + k], k < 6 ? (gint) k + 5 : 0);
    }
}
END_TEST

/* With two groups under way, waiting for all but one brings the first. */
START_TEST (groups_end_in_order)
{
  gint32 a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[4];
  for (guint second = 0; second < 2; second++)
    {
      g_autoptr (Workshop) shop = workshop_new (4);
      guint g = view (shop, "i32", a, sizeof a, 1, 8), s[2], x = reg (shop, "i32", "spatial(4)");

      for (guint i = 0; i < 2; i++)
        {
          s[i] = shared (shop, "i32", "row_major(4)");
          op (shop, TL_TILE_ALLOCATE_SHARED, s[i], 0, 0);
          guint offset
              = tl_tile_binary (shop->kernel, TL_TILE_PLUS, tl_tile_index (shop->kernel, 0), number (shop, 4 * i));
          add (shop,
               (TlTileInstruction) { .op = TL_TILE_COPY_ASYNC_GENERIC, .operands = { g, s[i] }, .function = offset });
          op (shop, TL_TILE_COMMIT_GROUP, 0, 0, 0);
        }
      add (shop, (TlTileInstruction) { .op = TL_TILE_WAIT_GROUP, .amount = 1 });
      op (shop, TL_TILE_SYNC_THREADS, 0, 0, 0);
      op (shop, TL_TILE_LOAD_SHARED, x, s[second], 0);
      store (shop, x, out, sizeof out);
      if (second)
        fault_of (shop, 1, TL_TILE_FAULT_UNDER_WAY);
      else
        {
          run_well (shop);
          ck_assert_mem_eq (out, a, sizeof out);
        }
    }
}
END_TEST

START_TEST (memory_that_is_not_there)
{
  gint32 a[4] = { 0 };
  /* A register nobody wrote. */
  g_autoptr (Workshop) unwritten = workshop_new (4);
  store (unwritten, reg (unwritten, "i32", "spatial(4)"), a, sizeof a);
  ck_assert_uint_eq (fault_of (unwritten, 1, TL_TILE_FAULT_UNWRITTEN)->instruction, 1);
  /* Shared memory nobody wrote, and after it is freed. */
  for (guint freed = 0; freed < 2; freed++)
    {
      g_autoptr (Workshop) shop = workshop_new (4);
      guint s = shared (shop, "i32", "row_major(4)"), x = reg (shop, "i32", "spatial(4)");

      op (shop, TL_TILE_ALLOCATE_SHARED, s, 0, 0);
      if (freed)
        op (shop, TL_TILE_FREE_SHARED, 0, s, 0);
      op (shop, TL_TILE_LOAD_SHARED, x, s, 0);
      fault_of (shop, 1, freed ? TL_TILE_FAULT_FREED : TL_TILE_FAULT_UNWRITTEN);
    }
  /* Global memory that was not cleared, and that was. */
  for (guint clean = 0; clean < 2; clean++)
    {
      g_autoptr (Workshop) shop = workshop_new (4);
      guint g = tl_tile_global (shop->kernel, "g", type_of ("i32")), x = reg (shop, "i32", "spatial(4)");

      add (
          shop,
          (TlTileInstruction) {
              .op = TL_TILE_ALLOCATE_GLOBAL, .result = g, .n_sizes = 1, .sizes = { number (shop, 4) }, .flag = clean });
      add (shop, (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL,
                                       .result = x,
                                       .operands = { g },
                                       .n_offsets = 1,
                                       .offsets = { number (shop, 0) },
                                       .n_dims = 1 });
      if (clean)
        run_well (shop);
      else
        fault_of (shop, 1, TL_TILE_FAULT_UNWRITTEN);
    }
  /* More shared memory than a block has. */
  g_autoptr (Workshop) large = workshop_new (4);
  op (large, TL_TILE_ALLOCATE_SHARED, shared (large, "i32", "row_major(65536)"), 0, 0);
  fault_of (large, 1, TL_TILE_FAULT_MEMORY);
}
END_TEST

START_TEST (other_faults)
{
  gint32 a[4] = { 6, 7, 8, 9 }, b[4] = { 1, 2, 0, 1 };
  g_autoptr (Workshop) divides = workshop_new (4);
  guint x = reg (divides, "i32", "spatial(4)"), y = reg (divides, "i32", "spatial(4)");
  load (divides, x, a, sizeof a);
  load (divides, y, b, sizeof b);
  op (divides, TL_TILE_DIV, x, x, y);
  const TlTileFault *fault = fault_of (divides, 1, TL_TILE_FAULT_ARITHMETIC);
  ck_assert_uint_eq (fault->thread, 2);
  ck_assert_uint_eq (fault->instruction, 4);

  for (guint stuck = 0; stuck < 2; stuck++)
    {
      g_autoptr (Workshop) loops = workshop_new (4);
      gint64 variable;

      tl_tile_loop_variable (loops->kernel, "i", &variable);
      add (loops, (TlTileInstruction) { .op = TL_TILE_FOR,
                                        .amount = variable,
                                        .n_offsets = 3,
                                        .offsets
                                        = { number (loops, 0), number (loops, 1e9), number (loops, stuck ? 0 : 1) } });
      op (loops, TL_TILE_END, 0, 0, 0);
      fault_of (loops, 1, stuck ? TL_TILE_FAULT_LAUNCH : TL_TILE_FAULT_TOO_LONG);
    }
  g_autoptr (Workshop) launched = workshop_new (4);
  load (launched, reg (launched, "i32", "spatial(4)"), a, sizeof a);
  launched->n_buffers = 0;
  fault_of (launched, 1, TL_TILE_FAULT_LAUNCH);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-memory");
  TCase *tcase = tcase_create ("memory");

  tcase_add_test (tcase, through_shared_memory);
  tcase_add_test (tcase, windows_on_global_memory);
  tcase_add_test (tcase, control);
  tcase_add_test (tcase, semaphores_order_blocks);
  tcase_add_test (tcase, blocks_race_without_semaphores);
  tcase_add_test (tcase, deadlock);
  tcase_add_test (tcase, threads_race_without_barriers);
  tcase_add_test (tcase, narrow_elements_race_by_element);
  tcase_add_test (tcase, out_of_bounds);
  tcase_add_test (tcase, copies);
  tcase_add_test (tcase, groups_end_in_order);
  tcase_add_test (tcase, memory_that_is_not_there);
  tcase_add_test (tcase, other_faults);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
