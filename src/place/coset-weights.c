/* Weights of the cosets of a quotient, plainly and by the wider instructions of x86. */
#include "place/coset-weights.h"

#include <stdlib.h>

static gint32
fold_plain (const gint32 *in, guint32 size, guint32 vector, gint32 *out)
{
  guint32 block = 1u << (31 - __builtin_clz (vector));
  guint32 low = vector ^ block;
  gint32  most = TL_COSET_FORBIDDEN;

  for (guint32 done = 0; done < size; done += 2 * block, in += 2 * block, out += block)
    for (guint32 i = 0; i < block; i++)
      {
        out[i] = MAX (in[i] + in[block + (i ^ low)], TL_COSET_FORBIDDEN);
        most = MAX (most, out[i]);
      }
  return most;
}

static guint32
list_plain (const gint32 *weight, guint32 from, guint32 size, gint32 threshold, guint64 *keys)
{
  guint32 n = 0;

  for (guint32 i = from; i < size; i++)
    if (weight[i] >= threshold)
      keys[n++] = tl_coset_key (weight[i], i);
  return n;
}

#ifdef __x86_64__
#include <immintrin.h>

gboolean
tl_coset_wide (void)
{
  return __builtin_cpu_supports ("avx2") != 0;
}

/* Blocks of at least eight: the eight of the other half stand where XOR with @vector puts them, turned inside. */
__attribute__ ((target ("avx2"))) static gint32
fold_wide (const gint32 *in, guint32 size, guint32 vector, gint32 *out)
{
  guint32 block = 1u << (31 - __builtin_clz (vector));
  guint32 low = (vector ^ block) & ~7u;
  __m256i turn = _mm256_xor_si256 (_mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32 (vector & 7));
  __m256i forbidden = _mm256_set1_epi32 (TL_COSET_FORBIDDEN);
  __m256i most = forbidden;
  gint32  each[8];

  for (guint32 done = 0; done < size; done += 2 * block, in += 2 * block, out += block)
    for (guint32 i = 0; i < block; i += 8)
      {
        __m256i x = _mm256_loadu_si256 ((const __m256i *) (const void *) (in + i));
        __m256i y = _mm256_loadu_si256 ((const __m256i *) (const void *) (in + block + (i ^ low)));
        __m256i sum = _mm256_max_epi32 (_mm256_add_epi32 (x, _mm256_permutevar8x32_epi32 (y, turn)), forbidden);

        _mm256_storeu_si256 ((__m256i *) (void *) (out + i), sum);
        most = _mm256_max_epi32 (most, sum);
      }
  _mm256_storeu_si256 ((__m256i *) (void *) each, most);
  for (guint i = 1; i < 8; i++)
    each[0] = MAX (each[0], each[i]);
  return each[0];
}

__attribute__ ((target ("avx2"))) static guint32
list_wide (const gint32 *weight, guint32 size, gint32 threshold, guint64 *keys)
{
  __m256i below = _mm256_set1_epi32 (threshold - 1);
  guint32 n = 0;

  for (guint32 at = 0; at < size; at += 8)
    {
      __m256i x = _mm256_loadu_si256 ((const __m256i *) (const void *) (weight + at));
      guint32 found = (guint32) _mm256_movemask_ps (_mm256_castsi256_ps (_mm256_cmpgt_epi32 (x, below)));

      if (at == 0)
        found &= ~1u;
      for (; found != 0; found &= found - 1)
        {
          guint32 i = at + (guint32) __builtin_ctz (found);
          keys[n++] = tl_coset_key (weight[i], i);
        }
    }
  return n;
}
#else
gboolean
tl_coset_wide (void)
{
  return FALSE;
}

#define fold_wide                                fold_plain
#define list_wide(weight, size, threshold, keys) list_plain (weight, 1, size, threshold, keys)
#endif

gint32
tl_coset_fold (gboolean wide, const gint32 *in, guint32 size, guint32 vector, gint32 *out)
{
  return wide && vector >= 8 ? fold_wide (in, size, vector, out) : fold_plain (in, size, vector, out);
}

guint32
tl_coset_list (gboolean wide, const gint32 *weight, guint32 size, gint32 threshold, guint64 *keys)
{
  return wide && size >= 8 ? list_wide (weight, size, threshold, keys) : list_plain (weight, 1, size, threshold, keys);
}

void
tl_coset_sort (guint64 *keys, guint32 n)
{
  static const guint32 gaps[]
      = { 3735498, 1394190, 520350, 194211, 72484, 27053, 10098, 3770, 1408, 526, 197, 74, 28, 11, 4, 1 };

  for (guint g = 0; g < G_N_ELEMENTS (gaps); g++)
    for (guint32 gap = gaps[g], i = gap; i < n; i++)
      {
        guint64 key = keys[i];
        guint32 at = i;

        for (; at >= gap && keys[at - gap] < key; at -= gap)
          keys[at] = keys[at - gap];
        keys[at] = key;
      }
}
