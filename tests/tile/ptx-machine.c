/* A machine for PTX: each thread runs until it must wait for the others. */
#include "ptx-machine.h"

#include <math.h>
#include <string.h>

enum
{
  MAX_OPERANDS = 20,
};

typedef struct
{
  gboolean predicated;
  guint    predicate;
  char    *op;
  guint    n;
  char    *operands[MAX_OPERANDS];
} Instruction;

typedef struct
{
  guint32  *r;
  float    *f;
  guint64  *d;
  guint16  *h;
  gboolean *p;
  guint     at;
  gboolean  done;
} Thread;

typedef struct
{
  GArray          *code;   /* of Instruction */
  GHashTable      *labels; /* name -> place + 1 */
  guint            counts[5];
  guint            n_buffers;
  Thread          *threads;
  guint            n_threads;
  guint            block[2];
  guint8          *shared;
  guint64          shared_bytes;
  const PtxBuffer *buffers;
} Machine;

static void
clear_instruction (gpointer data)
{
  Instruction *at = data;

  g_free (at->op);
  for (guint i = 0; i < at->n; i++)
    g_free (at->operands[i]);
}

static void
parse_line (Machine *m, char *text)
{
  Instruction at = { 0 };

  g_strstrip (text);
  if (text[0] == '$')
    {
      text[strlen (text) - 1] = '\0';
      g_hash_table_insert (m->labels, g_strdup (text), GUINT_TO_POINTER (m->code->len + 1));
      return;
    }
  static const char *const files[]
      = { ".reg .b32 %r<", ".reg .f32 %f<", ".reg .b64 %d<", ".reg .pred %p<", ".reg .b16 %h<" };
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (g_str_has_prefix (text, files[i]))
      m->counts[i] = (guint) atoi (text + strlen (files[i]));
  if (text[0] == '\0' || text[0] == '.' || text[0] == '{' || text[0] == '}')
    return;
  if (text[0] == '@')
    {
      at.predicated = TRUE;
      at.predicate = (guint) atoi (text + 3);
      text = strchr (text, ' ') + 1;
    }
  g_strdelimit (text, ",;{}[]", ' ');
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  at.op = g_strdup (words[0]);
  for (guint i = 1; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      {
        ck_assert_uint_lt (at.n, MAX_OPERANDS);
        at.operands[at.n++] = g_strdup (words[i]);
      }
  g_array_append_val (m->code, at);
}

static guint
number_of (const char *operand)
{
  return (guint) atoi (operand + 2);
}

static guint32
value32 (const Machine *m, const Thread *t, const char *operand)
{
  if (operand[0] == '%' && operand[1] == 'r')
    return t->r[number_of (operand)];
  if (strcmp (operand, "%tid.x") == 0)
    return (guint32) (t - m->threads);
  if (strcmp (operand, "%ctaid.x") == 0 || strcmp (operand, "%ctaid.y") == 0)
    return m->block[operand[7] - 'x'];
  if (strcmp (operand, "tiles") == 0)
    return 0;
  return (guint32) strtoll (operand, NULL, 0);
}

static float
value_float (const Thread *t, const char *operand)
{
  guint32 bits;
  float   value;

  if (operand[0] == '%')
    return t->f[number_of (operand)];
  bits = (guint32) strtoul (operand + 2, NULL, 16);
  memcpy (&value, &bits, sizeof value);
  return value;
}

static guint8 *
shared_at (const Machine *m, guint64 at, guint bytes)
{
  ck_assert_uint_le (at + bytes, m->shared_bytes);
  ck_assert_uint_eq (at % bytes, 0);
  return m->shared + at;
}

static guint8 *
global_at (const Machine *m, guint64 address, guint bytes)
{
  guint8 *at = GSIZE_TO_POINTER ((gsize) address);

  for (guint i = 0; i < m->n_buffers; i++)
    if (at >= m->buffers[i].data && at + bytes <= m->buffers[i].data + m->buffers[i].size)
      return at;
  ck_abort_msg ("a global address lies outside");
}

/* Of a finite float; rounds to nearest even. */
static guint32
half_bits (float value, gboolean bf16)
{
  guint32 bits;
  int     exponent;

  memcpy (&bits, &value, sizeof bits);
  if (bf16)
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  if (isnan (value))
    return 0x7fff;
  if (fabsf (value) >= 65520)
    return (bits >> 16 & 0x8000) | 0x7c00;
  if (value == 0)
    return bits >> 16 & 0x8000;
  frexpf (value, &exponent);
  int   place = MAX (exponent - 11, -24);
  float units = rintf (ldexpf (fabsf (value), -place));
  return (bits >> 16 & 0x8000) + ((guint32) (place + 24) << 10) + (guint32) units;
}

static float
half_value (guint32 code, gboolean bf16)
{
  guint32 bits = code << 16;
  float   value;

  memcpy (&value, &bits, sizeof value);
  if (bf16)
    return value;
  int exponent = (int) (code >> 10 & 31), fraction = (int) (code & 1023);
  value = exponent == 31  ? (fraction ? NAN : HUGE_VALF)
          : exponent == 0 ? ldexpf ((float) fraction, -24)
                          : ldexpf ((float) (fraction + 1024), exponent - 25);
  return code >> 15 & 1 ? -value : value;
}

/* A warp's product: where elements lie as the PTX manual's figures have it. */
static void
mma (Machine *m, const Instruction *at, guint warp)
{
  Thread  *t = m->threads + 32 * warp;
  gboolean bf16 = strstr (at->op, "bf16") != NULL;
  float    a[16][16], b[16][8];

  for (guint lane = 0; lane < 32; lane++)
    {
      for (guint x = 0; x < 4; x++)
        for (guint y = 0; y < 2; y++)
          a[lane / 4 + x % 2 * 8][lane % 4 * 2 + y + x / 2 * 8]
              = half_value (t[lane].r[number_of (at->operands[4 + x])] >> 16 * y & 0xffff, bf16);
      for (guint x = 0; x < 2; x++)
        for (guint y = 0; y < 2; y++)
          b[lane % 4 * 2 + y + x * 8][lane / 4]
              = half_value (t[lane].r[number_of (at->operands[8 + x])] >> 16 * y & 0xffff, bf16);
    }
  for (guint lane = 0; lane < 32; lane++)
    for (guint x = 0; x < 4; x++)
      {
        volatile float sum = t[lane].f[number_of (at->operands[10 + x])];

        for (guint k = 0; k < 16; k++)
          sum = sum + a[lane / 4 + x / 2 * 8][k] * b[k][lane % 4 * 2 + x % 2];
        t[lane].f[number_of (at->operands[x])] = sum;
      }
}

static void
load_shared (Machine *m, Thread *t, const Instruction *at)
{
  gboolean    vector = strstr (at->op, ".v") != NULL;
  guint       n = vector ? (guint) (at->op[11] - '0') : 1;
  guint       bytes = g_str_has_suffix (at->op, "u8") ? 1 : g_str_has_suffix (at->op, "u16") ? 2 : 4;
  const char *plus = strchr (at->operands[n], '+');
  guint64     address = (guint64) value32 (m, t, at->operands[n]) + (plus != NULL ? strtoull (plus, NULL, 10) : 0);

  shared_at (m, address, n * bytes);
  for (guint i = 0; i < n; i++)
    {
      guint32 value = 0;

      memcpy (&value, m->shared + address + i * bytes, bytes);
      t->r[number_of (at->operands[i])] = GUINT32_FROM_LE (value);
    }
}

/* A warp's load of four 8 x 8 matrices: lane 8 x + i points at row i of matrix x; of each matrix lane l gets the words of
 * row l div 4, columns l mod 4 * 2 and the next. */
static void
load_matrices (Machine *m, const Instruction *at, guint warp)
{
  Thread *t = m->threads + 32 * warp;
  guint32 words[32][4];

  for (guint lane = 0; lane < 32; lane++)
    for (guint x = 0; x < 4; x++)
      {
        guint64 row = value32 (m, &t[8 * x + lane / 4], at->operands[4]);

        ck_assert_uint_eq (row % 16, 0);
        memcpy (&words[lane][x], shared_at (m, row + lane % 4 * 4, 4), 4);
      }
  for (guint lane = 0; lane < 32; lane++)
    for (guint x = 0; x < 4; x++)
      t[lane].r[number_of (at->operands[x])] = GUINT32_FROM_LE (words[lane][x]);
}

static void
load_global (Machine *m, Thread *t, const Instruction *at)
{
  guint16 value;

  memcpy (&value, global_at (m, t->d[number_of (at->operands[1])], 2), 2);
  t->r[number_of (at->operands[0])] = GUINT16_FROM_LE (value);
}

static guint32
compute (const char *op, guint32 a, guint32 b)
{
  static const char *const names[]
      = { "and.b32", "or.b32", "xor.b32", "shr.u32", "shl.b32", "add.u32", "mul.lo.u32", "div.u32", "rem.u32" };
  guint i = 0;

  while (i < G_N_ELEMENTS (names) && strcmp (op, names[i]) != 0)
    i++;
  switch (i)
    {
    case 0:
      return a & b;
    case 1:
      return a | b;
    case 2:
      return a ^ b;
    case 3:
      return b < 32 ? a >> b : 0;
    case 4:
      return b < 32 ? a << b : 0;
    case 5:
      return a + b;
    case 6:
      return a * b;
    case 7:
      return a / b;
    case 8:
      return a % b;
    default:
      ck_abort_msg ("there is no %s", op);
    }
}

static void
set_predicate (Machine *m, Thread *t, const Instruction *at)
{
  guint32  a = value32 (m, t, at->operands[1]), b = value32 (m, t, at->operands[2]);
  gboolean result = strstr (at->op, ".lt") != NULL ? a < b : strstr (at->op, ".ge") != NULL ? a >= b : a == b;

  if (strstr (at->op, ".and") != NULL)
    result = result && t->p[number_of (at->operands[3])];
  t->p[number_of (at->operands[0])] = result;
}

static void
convert (Machine *m, Thread *t, const Instruction *at)
{
  if (strstr (at->op, "x2") != NULL)
    {
      gboolean bf16 = strstr (at->op, "bf16") != NULL;

      t->r[number_of (at->operands[0])] = half_bits (value_float (t, at->operands[1]), bf16) << 16
                                          | half_bits (value_float (t, at->operands[2]), bf16);
    }
  else if (g_str_has_suffix (at->op, "s32"))
    t->f[number_of (at->operands[0])] = (float) (gint32) value32 (m, t, at->operands[1]);
  else
    t->f[number_of (at->operands[0])] = (float) value32 (m, t, at->operands[1]);
}

static void
extract (Machine *m, Thread *t, const Instruction *at)
{
  guint   from = value32 (m, t, at->operands[2]), bits = value32 (m, t, at->operands[3]);
  guint32 value = value32 (m, t, at->operands[1]) >> from & ((1u << bits) - 1);

  if (g_str_has_prefix (at->op, "bfe.s32") && value >> (bits - 1))
    value |= ~((1u << bits) - 1);
  t->r[number_of (at->operands[0])] = value;
}

/* Byte i of the result is the byte of a and b that nibble i of the selector names. */
static void
permute (Machine *m, Thread *t, const Instruction *at)
{
  guint64 both = (guint64) value32 (m, t, at->operands[2]) << 32 | value32 (m, t, at->operands[1]);
  guint32 selector = value32 (m, t, at->operands[3]), value = 0;

  for (guint i = 0; i < 4; i++)
    value |= (guint32) (both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
  t->r[number_of (at->operands[0])] = value;
}

static void
move (Machine *m, Thread *t, const Instruction *at)
{
  const char *to = at->operands[0], *from = at->operands[1];

  if (to[1] == 'f' && from[1] == 'r')
    memcpy (&t->f[number_of (to)], &t->r[number_of (from)], 4);
  else if (to[1] == 'f')
    t->f[number_of (to)] = value_float (t, from);
  else
    t->r[number_of (to)] = value32 (m, t, from);
}

static void
copy_async (Machine *m, Thread *t, const Instruction *at)
{
  guint   bytes = value32 (m, t, at->operands[2]), size = at->n > 3 ? value32 (m, t, at->operands[3]) : bytes;
  guint8 *to = shared_at (m, value32 (m, t, at->operands[0]), bytes);
  guint64 from = t->d[number_of (at->operands[1])];

  ck_assert_uint_eq (from % bytes, 0);
  memset (to, 0, bytes);
  if (size > 0)
    memcpy (to, global_at (m, from, bytes), size);
}

/* FALSE when the thread must wait for the others here. */
static gboolean
step (Machine *m, Thread *t)
{
  const Instruction *at = &g_array_index (m->code, Instruction, t->at);
  const char        *op = at->op;

  if (at->predicated && !t->p[at->predicate])
    {
      t->at++;
      return TRUE;
    }
  if (g_str_has_prefix (op, "mma") || g_str_has_prefix (op, "bar") || g_str_has_prefix (op, "ldmatrix"))
    return FALSE;
  t->at++;
  if (strcmp (op, "ret") == 0)
    t->done = TRUE;
  else if (strcmp (op, "bra") == 0)
    t->at = GPOINTER_TO_UINT (g_hash_table_lookup (m->labels, at->operands[0])) - 1;
  else if (g_str_has_prefix (op, "ld.param"))
    t->d[number_of (at->operands[0])]
        = GPOINTER_TO_SIZE (m->buffers[strchr ("awcs", at->operands[1][0]) - "awcs"].data);
  else if (g_str_has_prefix (op, "ld.shared"))
    load_shared (m, t, at);
  else if (strcmp (op, "ld.global.u16") == 0)
    load_global (m, t, at);
  else if (strcmp (op, "cvt.u16.u32") == 0)
    t->h[number_of (at->operands[0])] = (guint16) value32 (m, t, at->operands[1]);
  else if (strcmp (op, "cvt.f32.f16") == 0)
    t->f[number_of (at->operands[0])] = half_value (t->h[number_of (at->operands[1])], FALSE);
  else if (g_str_has_prefix (op, "cp.async.ca"))
    copy_async (m, t, at);
  else if (g_str_has_prefix (op, "mov"))
    move (m, t, at);
  else if (g_str_has_prefix (op, "setp"))
    set_predicate (m, t, at);
  else if (strcmp (op, "selp.u32") == 0)
    t->r[number_of (at->operands[0])] = value32 (m, t, at->operands[t->p[number_of (at->operands[3])] ? 1 : 2]);
  else if (strcmp (op, "selp.f32") == 0)
    t->f[number_of (at->operands[0])] = value_float (t, at->operands[t->p[number_of (at->operands[3])] ? 1 : 2]);
  else if (g_str_has_prefix (op, "bfe"))
    extract (m, t, at);
  else if (strcmp (op, "prmt.b32") == 0)
    permute (m, t, at);
  else if (g_str_has_prefix (op, "cvt.rn"))
    convert (m, t, at);
  else if (strcmp (op, "mul.f32") == 0)
    t->f[number_of (at->operands[0])] = value_float (t, at->operands[1]) * value_float (t, at->operands[2]);
  else if (strcmp (op, "shf.r.wrap.b32") == 0)
    t->r[number_of (at->operands[0])]
        = (guint32) (((guint64) value32 (m, t, at->operands[2]) << 32 | value32 (m, t, at->operands[1]))
                     >> (value32 (m, t, at->operands[3]) & 31));
  else if (strcmp (op, "mad.lo.u32") == 0)
    t->r[number_of (at->operands[0])]
        = value32 (m, t, at->operands[1]) * value32 (m, t, at->operands[2]) + value32 (m, t, at->operands[3]);
  else if (strcmp (op, "mad.wide.u32") == 0 || strcmp (op, "mul.wide.u32") == 0)
    t->d[number_of (at->operands[0])] = (guint64) value32 (m, t, at->operands[1]) * value32 (m, t, at->operands[2])
                                        + (at->n > 3 ? t->d[number_of (at->operands[3])] : 0);
  else if (strcmp (op, "add.u64") == 0)
    t->d[number_of (at->operands[0])] = t->d[number_of (at->operands[1])] + t->d[number_of (at->operands[2])];
  else if (strcmp (op, "st.global.f32") == 0)
    memcpy (global_at (m, t->d[number_of (at->operands[0])], 4), &t->f[number_of (at->operands[1])], 4);
  else if (!g_str_has_prefix (op, "cvta") && !g_str_has_prefix (op, "cp.async"))
    t->r[number_of (at->operands[0])] = compute (op, value32 (m, t, at->operands[1]), value32 (m, t, at->operands[2]));
  return TRUE;
}

static void
run_block (Machine *m)
{
  for (guint i = 0; i < m->n_threads; i++)
    {
      m->threads[i].at = 0;
      m->threads[i].done = FALSE;
    }
  memset (m->shared, 0xee, m->shared_bytes);
  while (!m->threads[0].done)
    {
      for (guint i = 0; i < m->n_threads; i++)
        while (!m->threads[i].done && step (m, &m->threads[i]))
          continue;
      for (guint i = 1; i < m->n_threads; i++)
        ck_assert (m->threads[i].at == m->threads[0].at && m->threads[i].done == m->threads[0].done);
      if (m->threads[0].done)
        break;
      const Instruction *at = &g_array_index (m->code, Instruction, m->threads[0].at);
      for (guint w = 0; !g_str_has_prefix (at->op, "bar") && w < m->n_threads / 32; w++)
        if (g_str_has_prefix (at->op, "mma"))
          mma (m, at, w);
        else
          load_matrices (m, at, w);
      for (guint i = 0; i < m->n_threads; i++)
        m->threads[i].at++;
    }
}

void
ptx_run (const char *text, guint threads, const guint *grid, const PtxBuffer *buffers, guint n_buffers,
         guint64 shared_bytes)
{
  Machine m = { .n_threads = threads, .buffers = buffers, .n_buffers = n_buffers, .shared_bytes = shared_bytes };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  m.code = g_array_new (FALSE, FALSE, sizeof (Instruction));
  g_array_set_clear_func (m.code, clear_instruction);
  m.labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    parse_line (&m, lines[i]);
  m.shared = g_malloc (shared_bytes);
  m.threads = g_new0 (Thread, threads);
  for (guint i = 0; i < threads; i++)
    {
      m.threads[i].r = g_new0 (guint32, m.counts[0]);
      m.threads[i].f = g_new0 (float, m.counts[1]);
      m.threads[i].d = g_new0 (guint64, m.counts[2]);
      m.threads[i].p = g_new0 (gboolean, m.counts[3]);
      m.threads[i].h = g_new0 (guint16, m.counts[4]);
    }
  for (m.block[1] = 0; m.block[1] < grid[1]; m.block[1]++)
    for (m.block[0] = 0; m.block[0] < grid[0]; m.block[0]++)
      run_block (&m);
  for (guint i = 0; i < threads; i++)
    {
      g_free (m.threads[i].r);
      g_free (m.threads[i].f);
      g_free (m.threads[i].d);
      g_free (m.threads[i].p);
      g_free (m.threads[i].h);
    }
  g_free (m.threads);
  g_free (m.shared);
  g_hash_table_unref (m.labels);
  g_array_unref (m.code);
}
