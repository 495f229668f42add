/* The load recipe: how the threads fetch a tile of elements of any width as bytes, so
 * that a View gives every thread its elements. For a thread of B bits, in pieces of
 * n1 = gcd(B, 128) bits, n2 = B / n1 of them:
 *   memory bit of (thread t, bit p) = ((p div n1) * T + t) * n1 + p mod n1
 * which is the layout local(n2).spatial(T).local(n1) of bits. Where B is no multiple of
 * 8 bits, g = 8 / gcd(B, 8) neighbouring threads share a byte, and there are three ways. */
#pragma once

#include "layout/layout.h"

typedef enum
{
  TL_LOAD_REPEAT,      /* a tile r times as long: r * B bits a thread, whole bytes */
  TL_LOAD_SHARED_BYTE, /* all g threads load the byte, each takes its piece out */
  TL_LOAD_PAD,         /* each thread's bits are padded to whole bytes */
} TlLoadWay;

typedef struct
{
  TlLoadWay way;
  guint     threads;
  guint     element_bits;
  guint     thread_bits; /* B: of a thread of the tile asked for */
  guint     image_bits;  /* of a thread after loading: r * B, B, or B padded */
  guint     piece_bits;  /* n1 */
  guint     pieces;      /* n2 */
  guint     owners;      /* g, of a byte; 1 with the ways that share none */
  guint     repeat;      /* r; 1 with the other ways */
  guint64   bytes;       /* of memory for the tile */
  TlLayout  target;      /* of the elements: the layout asked for, or r of it along dimension 0 */
  TlLayout  load;        /* of the bytes, one dimension; shared bytes are replicated */
  /* What a thread does, on a machine with 32-bit registers. */
  guint     loads;
  guint     width;       /* bytes of a load */
  guint     merges;      /* of loaded pieces into whole registers */
  guint     shifts;      /* that take a piece out of a shared byte */
} TlLoadRecipe;

/* For a tile of elements of @element_bits (1..64) under @target. @repeat: r for
 * TL_LOAD_REPEAT, 0 for the least that makes whole bytes. FALSE and *reason (transfer
 * full, may be NULL). */
gboolean    tl_load_recipe_make     (TlLoadRecipe    *recipe,
                                     guint            element_bits,
                                     const TlLayout  *target,
                                     TlLoadWay        way,
                                     guint            repeat,
                                     char           **reason);
/* The r with which a thread's pieces are whole registers, so that none need be merged. */
guint       tl_load_recipe_aligned  (guint            element_bits,
                                     const TlLayout  *target);
/* Where in memory bit @bit (below image_bits) of thread @thread lies. */
guint64     tl_load_recipe_place    (const TlLoadRecipe *recipe,
                                     guint               thread,
                                     guint               bit);
/* The memory image of a tile of up to 8-bit elements: @codes of recipe->target in row-major
 * order, @bytes of recipe->bytes, all of which are written. And back. */
void        tl_load_recipe_pack     (const TlLoadRecipe *recipe,
                                     const guint8       *codes,
                                     guint8             *bytes);
void        tl_load_recipe_unpack   (const TlLoadRecipe *recipe,
                                     const guint8       *bytes,
                                     guint8             *codes);
/* "repeat", "share", "pad"; FALSE when @name is none. */
const char *tl_load_way_name        (TlLoadWay        way);
/* "3 loads of 1 byte, 2 merges, 0 shifts". (transfer full) */
char       *tl_load_recipe_cost     (const TlLoadRecipe *recipe);
