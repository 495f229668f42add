/* The inner loops of the functional closure: one tile update and one row update for
 * each element type and pair of operators. Plain C over 64 elements that the
 * compiler turns into vector code, eight steps of k in registers; built for several
 * instruction sets, chosen when the program starts. */
#include "sim/closure-private.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_UNDEFINED__)
#define CLONES __attribute__ ((target_clones ("default", "avx2", "arch=x86-64-v4")))
#else
#define CLONES
#endif

#define LESS(t, c)    ((t) < (c))
#define MORE(t, c)    ((t) > (c))
#define SUM(a, b)     ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define LOWER(a, b)   ((a) < (b) ? (a) : (b))
#define UPPER(a, b)   ((a) > (b) ? (a) : (b))

/* Rounds as TlRounding says. Overflow is judged after rounding, so that the bits
 * above the top become inf and nothing saturates. */
static inline float
round_narrow (float value, const TlRounding *to)
{
  guint32 bits, odd;
  float   near;

  memcpy (&bits, &value, sizeof bits);
  odd = bits >> to->cut & 1;
  bits += (1u << (to->cut - 1)) - 1 + odd;
  bits &= ~((1u << to->cut) - 1);
  memcpy (&near, &bits, sizeof near);
  float magnitude = value < 0 ? -value : value;
  float small = (value + to->shift) - to->shift;
  float rounded = magnitude < to->least ? small : near;
  rounded = rounded > to->top ? (float) INFINITY : rounded;
  rounded = rounded < -to->top ? -(float) INFINITY : rounded;
  return rounded;
}

/* inf absorbs; a sum past the type is no path's length (tl_closure_reach) and as good
 * as none: inf. */
static inline gint64
careful_sum (gint64 a, gint64 b, gint64 inf)
{
  gint64 sum = (gint64) ((guint64) a + (guint64) b);
  gint64 past = ((a ^ sum) & (b ^ sum)) >> 63; /* all ones when the sum wrapped */
  gint64 none = -(gint64) ((a == inf) | (b == inf)) | past;
  return (inf & none) | (sum & ~none);
}

#define CAREFUL_LOW(a, b)    careful_sum (a, b, TL_INF)
#define CAREFUL_HIGH(a, b)   careful_sum (a, b, -TL_INF)
#define NARROW_SUM(a, b)     round_narrow ((a) + (b), rounding)
#define NARROW_PRODUCT(a, b) round_narrow ((a) * (b), rounding)

#define STEP(n, COMBINE, BETTER)                                                                                       \
  t = COMBINE (a##n, rest[n * TL_STRIP + j]);                                                                          \
  value = BETTER (t, value) ? t : value;

#define DEFINE_KERNEL(NAME, T, COMBINE, BETTER)                                                                        \
  CLONES static void NAME##_update (void *restrict c_data, gsize ldc, const void *restrict a_data, gsize lda,          \
                                    const void *restrict b_data, guint rows, guint depth, guint width,                 \
                                    const TlRounding *rounding)                                                        \
  {                                                                                                                    \
    T       *c = c_data;                                                                                               \
    const T *a = a_data, *b = b_data;                                                                                  \
    for (gsize k = 0; k < depth; k += TL_DEPTH)                                                                        \
      for (gsize i = 0; i < rows; i++)                                                                                 \
        {                                                                                                              \
          const T *left = a + i * lda + k;                                                                             \
          const T  a0 = left[0], a1 = left[1], a2 = left[2], a3 = left[3];                                             \
          const T  a4 = left[4], a5 = left[5], a6 = left[6], a7 = left[7];                                             \
          for (gsize lane = 0; lane < width; lane += TL_LANE)                                                          \
            {                                                                                                          \
              T *restrict row = c + i * ldc + lane;                                                                    \
              const T *restrict rest = b + k * TL_STRIP + lane;                                                        \
              for (gsize j = 0; j < TL_LANE; j++)                                                                      \
                {                                                                                                      \
                  T value = row[j], t;                                                                                 \
                  STEP (0, COMBINE, BETTER)                                                                            \
                  STEP (1, COMBINE, BETTER)                                                                            \
                  STEP (2, COMBINE, BETTER)                                                                            \
                  STEP (3, COMBINE, BETTER)                                                                            \
                  STEP (4, COMBINE, BETTER)                                                                            \
                  STEP (5, COMBINE, BETTER)                                                                            \
                  STEP (6, COMBINE, BETTER)                                                                            \
                  STEP (7, COMBINE, BETTER)                                                                            \
                  row[j] = value;                                                                                      \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
  }                                                                                                                    \
  CLONES static void NAME##_relax (void *restrict c_data, const void *restrict a_data, const void *restrict b_data,    \
                                   guint width, const TlRounding *rounding)                                            \
  {                                                                                                                    \
    const T a = *(const T *) a_data;                                                                                   \
    for (gsize lane = 0; lane < width; lane += TL_LANE)                                                                \
      {                                                                                                                \
        T *restrict row = (T *) c_data + lane;                                                                         \
        const T *restrict rest = (const T *) b_data + lane;                                                            \
        for (gsize j = 0; j < TL_LANE; j++)                                                                            \
          {                                                                                                            \
            T t = COMBINE (a, rest[j]);                                                                                \
            row[j] = BETTER (t, row[j]) ? t : row[j];                                                                  \
          }                                                                                                            \
      }                                                                                                                \
  }                                                                                                                    \
  static gboolean NAME##_passed (gconstpointer value, gconstpointer one)                                               \
  {                                                                                                                    \
    return BETTER (*(const T *) value, *(const T *) one);                                                              \
  }

#define KERNEL(NAME, TEXT, T, EXACT)                                                                                   \
  {                                                                                                                    \
    TEXT, sizeof (T), EXACT, NAME##_update, NAME##_relax, NAME##_passed                                                \
  }

DEFINE_KERNEL (min_plus_i16, gint16, SUM, LESS)
DEFINE_KERNEL (min_plus_i32, gint32, SUM, LESS)
DEFINE_KERNEL (min_plus_i64, gint64, SUM, LESS)
DEFINE_KERNEL (min_plus_f32, float, SUM, LESS)
DEFINE_KERNEL (min_plus_f64, double, SUM, LESS)
DEFINE_KERNEL (max_plus_i16, gint16, SUM, MORE)
DEFINE_KERNEL (max_plus_i32, gint32, SUM, MORE)
DEFINE_KERNEL (max_plus_i64, gint64, SUM, MORE)
DEFINE_KERNEL (max_plus_f32, float, SUM, MORE)
DEFINE_KERNEL (max_plus_f64, double, SUM, MORE)
DEFINE_KERNEL (max_min_u8, guint8, LOWER, MORE)
DEFINE_KERNEL (max_min_i16, gint16, LOWER, MORE)
DEFINE_KERNEL (max_min_i32, gint32, LOWER, MORE)
DEFINE_KERNEL (max_min_i64, gint64, LOWER, MORE)
DEFINE_KERNEL (max_min_f32, float, LOWER, MORE)
DEFINE_KERNEL (max_min_f64, double, LOWER, MORE)
DEFINE_KERNEL (min_max_u8, guint8, UPPER, LESS)
DEFINE_KERNEL (min_max_i16, gint16, UPPER, LESS)
DEFINE_KERNEL (min_max_i32, gint32, UPPER, LESS)
DEFINE_KERNEL (min_max_i64, gint64, UPPER, LESS)
DEFINE_KERNEL (min_max_f32, float, UPPER, LESS)
DEFINE_KERNEL (min_max_f64, double, UPPER, LESS)
DEFINE_KERNEL (max_times_f32, float, PRODUCT, MORE)
DEFINE_KERNEL (max_times_f64, double, PRODUCT, MORE)
DEFINE_KERNEL (min_plus_careful, gint64, CAREFUL_LOW, LESS)
DEFINE_KERNEL (max_plus_careful, gint64, CAREFUL_HIGH, MORE)
DEFINE_KERNEL (min_plus_narrow, float, NARROW_SUM, LESS)
DEFINE_KERNEL (max_plus_narrow, float, NARROW_SUM, MORE)
DEFINE_KERNEL (max_times_narrow, float, NARROW_PRODUCT, MORE)

static const TlKernel min_plus[] = { { NULL },
                                     KERNEL (min_plus_i16, "min-plus i16, sentinel", gint16, TRUE),
                                     KERNEL (min_plus_i32, "min-plus i32, sentinel", gint32, TRUE),
                                     KERNEL (min_plus_i64, "min-plus i64, sentinel", gint64, TRUE),
                                     KERNEL (min_plus_f32, "min-plus f32", float, FALSE),
                                     KERNEL (min_plus_f64, "min-plus f64", double, FALSE) };
static const TlKernel max_plus[] = { { NULL },
                                     KERNEL (max_plus_i16, "max-plus i16, sentinel", gint16, TRUE),
                                     KERNEL (max_plus_i32, "max-plus i32, sentinel", gint32, TRUE),
                                     KERNEL (max_plus_i64, "max-plus i64, sentinel", gint64, TRUE),
                                     KERNEL (max_plus_f32, "max-plus f32", float, FALSE),
                                     KERNEL (max_plus_f64, "max-plus f64", double, FALSE) };
static const TlKernel max_min[]
    = { KERNEL (max_min_u8, "max-min u8", guint8, TRUE),   KERNEL (max_min_i16, "max-min i16", gint16, TRUE),
        KERNEL (max_min_i32, "max-min i32", gint32, TRUE), KERNEL (max_min_i64, "max-min i64", gint64, TRUE),
        KERNEL (max_min_f32, "max-min f32", float, TRUE),  KERNEL (max_min_f64, "max-min f64", double, TRUE) };
static const TlKernel min_max[]
    = { KERNEL (min_max_u8, "min-max u8", guint8, TRUE),   KERNEL (min_max_i16, "min-max i16", gint16, TRUE),
        KERNEL (min_max_i32, "min-max i32", gint32, TRUE), KERNEL (min_max_i64, "min-max i64", gint64, TRUE),
        KERNEL (min_max_f32, "min-max f32", float, TRUE),  KERNEL (min_max_f64, "min-max f64", double, TRUE) };
static const TlKernel max_times[] = { { NULL },
                                      { NULL },
                                      { NULL },
                                      { NULL },
                                      KERNEL (max_times_f32, "max-times f32", float, FALSE),
                                      KERNEL (max_times_f64, "max-times f64", double, FALSE) };
static const TlKernel min_careful[TL_N_STORAGES]
    = { [TL_STORAGE_I64] = KERNEL (min_plus_careful, "min-plus i64, careful", gint64, TRUE) };
static const TlKernel max_careful[TL_N_STORAGES]
    = { [TL_STORAGE_I64] = KERNEL (max_plus_careful, "max-plus i64, careful", gint64, TRUE) };
static const TlKernel narrow[TL_N_PAIRS]
    = { [TL_PAIR_MIN_PLUS] = KERNEL (min_plus_narrow, "min-plus narrow float", float, FALSE),
        [TL_PAIR_MAX_PLUS] = KERNEL (max_plus_narrow, "max-plus narrow float", float, FALSE),
        [TL_PAIR_MAX_TIMES] = KERNEL (max_times_narrow, "max-times narrow float", float, FALSE) };

const TlKernel *
tl_kernel_find (TlStorage storage, TlPair pair, gboolean is_narrow)
{
  static const TlKernel *const table[TL_N_PAIRS]
      = { min_plus, max_plus, max_min, min_max, max_times, min_careful, max_careful };
  const TlKernel *kernel = &table[pair][storage];

  if (is_narrow && narrow[pair].update != NULL)
    kernel = &narrow[pair];
  return kernel->update != NULL ? kernel : NULL;
}
