/* Linear layouts over GF(2): maps from named groups of input bits to named groups of
 * output bits, given by the value of each power of two; L(x ^ y) = L(x) ^ L(y). Outputs
 * are packed into one word, the first output lowest. Triton's LinearLayout. */
#pragma once

#include <glib.h>

enum
{
  TL_LINEAR_MAX_DIMS = 8,
  TL_LINEAR_MAX_BITS = 32, /* of one input */
  TL_LINEAR_NAME = 16,
};

typedef struct
{
  char    name[TL_LINEAR_NAME];
  guint   n_bits;
  guint64 bases[TL_LINEAR_MAX_BITS]; /* packed outputs of bit k */
} TlLinearIn;

typedef struct
{
  char  name[TL_LINEAR_NAME];
  guint n_bits;
} TlLinearOut;

/* A value type; at most 63 output bits in all. */
typedef struct
{
  guint       n_in;
  guint       n_out;
  TlLinearIn  in[TL_LINEAR_MAX_DIMS];
  TlLinearOut out[TL_LINEAR_MAX_DIMS];
} TlLinear;

/* As in layout.h: FALSE and a *reason in words. */

/* "in1:[4.2 2.1 1.0] in2:[1.2 2.1]": one basis a word, its outputs parted by dots.
 * Outputs are named out1, out2, ..; each as wide as its largest basis needs, or as
 * @widths (bits, or NULL) says. A bare list has one input, in1. */
gboolean tl_linear_parse       (TlLinear    *linear,
                                const char  *text,
                                const guint *widths,
                                char       **reason);
/* The same form. (transfer full) */
char    *tl_linear_to_text     (const TlLinear *linear);
/* One input onto one output: size 2^n_bits, the identity or all zero. */
void     tl_linear_identity    (TlLinear   *linear,
                                guint       n_bits,
                                const char *in,
                                const char *out);
void     tl_linear_zeros       (TlLinear   *linear,
                                guint       n_bits,
                                const char *in,
                                const char *out);
/* Packed output at inputs[i] of each input; and one output of it. */
guint64  tl_linear_apply       (const TlLinear *linear,
                                const guint64  *inputs);
guint64  tl_linear_field       (const TlLinear *linear,
                                guint64         packed,
                                guint           out);
gboolean tl_linear_surjective  (const TlLinear *linear);
/* @after after @linear: its inputs are the outputs, by order and width. */
gboolean tl_linear_compose     (TlLinear       *result,
                                const TlLinear *linear,
                                const TlLinear *after,
                                char          **reason);
/* Direct sum: inputs and outputs of one name join, those of @outer above. */
gboolean tl_linear_product     (TlLinear       *result,
                                const TlLinear *inner,
                                const TlLinear *outer,
                                char          **reason);
/* The C with linear = inner * C. */
gboolean tl_linear_divide_left (TlLinear       *result,
                                const TlLinear *linear,
                                const TlLinear *inner,
                                char          **reason);
/* The C with a(x) = b(C(x)), smallest where there is a choice; b must reach all of a. */
gboolean tl_linear_invert_and_compose (TlLinear       *result,
                                       const TlLinear *a,
                                       const TlLinear *b,
                                       char          **reason);
/* The inverse of a one-to-one layout. */
gboolean tl_linear_invert      (TlLinear       *result,
                                const TlLinear *linear,
                                char          **reason);
/* All inputs in a row (the first lowest), cut anew; outputs likewise. */
gboolean tl_linear_reshape_ins  (TlLinear          *result,
                                 const TlLinear    *linear,
                                 const char *const *names,
                                 const guint       *bits,
                                 guint              n,
                                 char             **reason);
gboolean tl_linear_reshape_outs (TlLinear          *result,
                                 const TlLinear    *linear,
                                 const char *const *names,
                                 const guint       *bits,
                                 guint              n,
                                 char             **reason);
/* Bits of all its outputs together. */
guint    tl_linear_out_bits    (const TlLinear *linear);
/* Largest V with L(a V + v) = L(a V) + v in the first input and output. */
guint64  tl_linear_consecutive (const TlLinear *linear);
/* Bits of each input that the bits before them make superfluous. */
void     tl_linear_free_bits   (const TlLinear *linear,
                                guint64        *masks);
/* Bit k of input @in becomes bit order[k] of before. */
gboolean tl_linear_reorder     (TlLinear       *result,
                                const TlLinear *linear,
                                guint           in,
                                const guint    *order,
                                char          **reason);
