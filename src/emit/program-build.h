/* A whole program from plain parameters: what the emitter fills from a module,
 * and what tests fill by hand. */
#pragma once

#include "emit/program.h"

/* All pointers are borrowed and copied. A zeroed struct with machine, n and
 * semiring set is complete: everything else has its default. */
typedef struct
{
  const char         *name;         /* NULL: "program" */
  const char         *target;       /* NULL: "gendram" */
  const TlPimMachine *machine;
  guint32             n;            /* nodes, 1.. */
  guint32             tile;         /* B; 0: B* = floor (sqrt (S / (3 buffers w))) */
  guint32             element_bits; /* 0: the carrier's element type's */
  const TlSemiring   *semiring;
  const char         *owner_rule;   /* NULL: "modulo". "modulo" and "skewed" need no map */
  const guint16      *owner;        /* M * M owners, or NULL: by the rule */
  guint16           **take_owner;   /* the same, taken over and set to NULL instead of copied; NULL: none */
  TlPlaceRule         place;        /* zeroed: all in tier 0 */
  TlEdges             edges;
  TlCopies            copies;
  TlCopyWrites        copy_writes;
  TlRing              ring;
  guint32             buffers;      /* 0: 1 */
  TlBarriers          barriers;
  TlPage              page;
  TlValues            values;
  TlBaseline          baseline;
  guint64             seed;
  gboolean            cycle_check;
  const char         *mode;         /* NULL: "broadcast" */
  const char         *base;         /* NULL: "" */
  const TlDataSource *data;         /* data[0] names the matrix; none: "D" */
  guint               n_data;
  const TlObjectShare *objects;     /* the memory layout; NULL: D as placed, and the copies */
  guint               n_objects;
} TlPimProgramSpec;

/* Builds streams, owner map, tiers and the shares of D and of the copies. NULL
 * when a number is out of range, the tiles do not fit their tiers, or an owner is
 * no PU; @reason (transfer full, may be NULL) says which. Returns: (transfer full) */
TlPimProgram *tl_pim_program_build     (const TlPimProgramSpec *spec,
                                        char                  **reason);

/* B* = floor (sqrt (S / (3 buffers w))): the largest legal tile. */
guint32       tl_pim_legal_tile        (const TlPimMachine     *machine,
                                        guint32                 element_bits,
                                        guint32                 buffers);
/* Owner of tile (i,j): (i*M + j) mod P, or with @skewed (i*(M|1) + j) mod P. */
static inline guint32
tl_pim_owner (guint32 i, guint32 j, guint32 tiles, guint32 pus, gboolean skewed)
{
  return (guint32) (((guint64) i * (skewed ? tiles | 1 : tiles) + j) % pus);
}

/* Tiles of which PU @pu keeps copies at once: one for each tile row and one for
 * each tile column in which it owns a tile (264 at M = 256, P = 32). */
guint32       tl_pim_program_copies    (const TlPimProgram     *program,
                                        guint32                 pu);

/* The same program with another machine, e.g. one timing changed; shapes (PUs,
 * tiers, capacities) stay. Returns: (transfer full), NULL when the machine is
 * out of range or has other PUs. */
TlPimProgram *tl_pim_program_with_machine (const TlPimProgram  *program,
                                           const TlPimMachine  *machine,
                                           char               **reason);

/* The program on the first @tiles x @tiles tiles, a fill spread evenly over its tiers:
 * much the same operations, far fewer of them. Returns: (transfer full) */
TlPimProgram *tl_pim_program_corner    (const TlPimProgram     *program,
                                        guint32                 tiles);

/* Is every number in range, and do streams, owners, knobs and code agree?
 * The decoder and the builder end with it. */
gboolean      tl_pim_program_check     (const TlPimProgram     *program,
                                        char                  **reason);
