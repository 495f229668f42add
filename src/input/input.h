/* Data of a program: a source call such as graph("f.gr") or road(1024, 7) becomes a
 * plan, a plan (with the file's bytes, if it wants a file) becomes an input, an
 * input gives facts for the passes and a dense matrix for a run with values.
 * language.md, Values and Inputs.
 *
 *   plan = tl_input_plan (call, diags)
 *   input = tl_input_load (plan, bytes, length, diags)   // bytes NULL for generators
 *   tl_input_check (input, semiring, closure, diags)
 *   matrix = tl_input_matrix (input, semiring, limit, diags)
 */
#pragma once

#include "base/diag.h"
#include "input/sequence.h"
#include "ir/semiring.h"
#include "passes/recurrence.h"
#include "sim/matrix.h"

/* --- The call, its arguments already evaluated --- */

typedef enum { TL_ARGUMENT_INTEGER, TL_ARGUMENT_REAL, TL_ARGUMENT_STRING } TlArgumentKind;

typedef struct
{
  const char    *name; /* NULL for a positional one */
  TlArgumentKind kind;
  gint64         integer;
  double         real;
  const char    *text;
  TlSpan         span; /* where it stands in the program */
} TlInputArgument;

/* "data NAME: ELEMENT[SHAPE] = FUNCTION (ARGUMENTS)". Graphs are told apart by content
 * (SNAP edge list, DIMACS .gr, MatrixMarket; plain or gzip). In an edge list or .gr a
 * listed arc is true for bool whatever its weight, in a MatrixMarket file 0 is false.
 *
 * Generators, the same on every machine:
 * random (seed): every element uniform in low..high, by default 0..15 (bool 0..1), and
 * -8..7 for signed and float types outside closures; as D of a closure its diagonal is
 * one (+) the element. With degree = d: d * n arcs between random nodes instead.
 * road (n, seed): crossings of a grid of about 100 m, moved by up to 30 m, ways removed
 * but for a spanning tree until 1.25 a node are left, one in twelve of the rest one-way;
 * lengths in decimetres, 1 to 1.25 times the straight line.
 * powerlaw (n, seed): preferential attachment, each node joins degree / 2 others (3 by
 * default) with a chance that grows with their degree; both directions, unweighted. */
typedef struct
{
  TlSource              *source;   /* the program's text, for diagnostics; may be NULL */
  TlSpan                 span;     /* of the call, or of the data statement without one */
  const char            *function; /* "graph", "matrix", "random", "road", "powerlaw", "reads", "sequence", "genome";
                                     * NULL: random (0) */
  const TlInputArgument *arguments;
  guint                  n_arguments;
  TlElementType          element;  /* i32 is usual when none is written; bits 0 for a tensor's own */
  guint64                rows;     /* declared extents, 0 when not declared or not yet known */
  guint64                columns;
  gboolean               closure;  /* the data is D of a closure: random ones are then not negative */
} TlInputCall;

typedef enum
{
  TL_INPUT_GRAPH,    /* graph ("f") */
  TL_INPUT_MATRIX,   /* matrix ("f.csv") */
  TL_INPUT_RANDOM,   /* random (seed [, n] [, low = L] [, high = H] [, degree = d]) */
  TL_INPUT_ROAD,     /* road (n, seed) */
  TL_INPUT_POWERLAW, /* powerlaw (n, seed [, degree = d]) */
  TL_INPUT_READS,    /* reads ("f"): any number of records */
  TL_INPUT_SEQUENCE, /* sequence ("f"): one record */
  TL_INPUT_GENOME,   /* genome (n, seed): one record, n letters A, C, G, T */
  TL_INPUT_TENSOR,   /* tensor ("f.safetensors" or "f.gguf", "name"): a matrix of a model file */
} TlInputKind;

typedef struct
{
  TlInputKind   kind;
  char         *file;   /* as written, NULL for generators: fetch its bytes and load */
  char         *tensor; /* TENSOR: its name in the file */
  TlElementType element; /* bits 0 of a tensor: as the file has it */
  guint64       rows;   /* generators: the extents; files: declared ones, 0 if none */
  guint64       columns;
  guint64       seed;
  gint64        low;    /* random: least and greatest value */
  gint64        high;
  double        degree; /* arcs a node; 0 for a dense random matrix */
  gboolean      closure; /* of the call */
  TlSource     *source; /* owned reference or NULL, for diagnostics */
  TlSpan        span;
} TlInputPlan;

/* Whether data may be read from a call of that name. */
gboolean     tl_input_knows        (const char        *function);
/* NULL when the call is wrong; @diags then says which argument, why and how it
 * goes. Returns: (transfer full) */
TlInputPlan *tl_input_plan         (const TlInputCall *call,
                                    TlDiags           *diags);
TlInputPlan *tl_input_plan_copy    (const TlInputPlan *plan);
void         tl_input_plan_free    (TlInputPlan       *plan);

/* --- The input --- */

/* Nodes are 0..n-1 in rising order of their original ids. */
typedef struct
{
  guint64   n;
  guint64   n_arcs;  /* as listed, both directions of a symmetric file's entries */
  guint32  *from;    /* n_arcs each */
  guint32  *to;
  TlScalar *weight;  /* NULL: every arc weighs one unit (1, true) */
  gint64   *ids;     /* original ids, rising; NULL: node v is first_id + v */
  gint64    first_id;
} TlGraph;

/* A place in the file that a value came from; line 0 when generated. */
typedef struct
{
  guint64 line;
  guint64 column;
} TlInputPlace;

typedef struct
{
  gatomicrefcount refs;
  TlInputKind     kind;
  char           *name;     /* of the file as the user gave it, or the call: "road(1024, 7)" */
  const char     *format;   /* "FASTA", "FASTQ", "SNAP edge list", "DIMACS .gr", "MatrixMarket", "dense matrix", "safetensors", "GGUF", "generated" */
  TlElementType   element;
  guint64         rows;         /* of a matrix; letters of all records */
  guint64         columns;      /* 1 for letters */
  guint64         content_hash; /* FNV-1a 64 of the file's bytes as given; 0 when generated */
  gboolean        bounds_known; /* there is at least one finite value */
  TlScalar        low;          /* least finite weight or element */
  TlScalar        high;
  TlInputPlace    low_place;
  TlInputPlace    high_place;
  gboolean        has_inf;      /* dense: an infinity stands in it */
  gboolean        has_minus_inf;
  TlInputPlace    inf_place;
  TlInputPlace    minus_inf_place;
  TlGraph        *graph;        /* graphs, read or generated; else NULL */
  TlMatrix       *dense;        /* matrix files; else NULL */
  TlSequences    *sequences;    /* reads, sequence, genome; else NULL: such an input is no matrix */
  TlInputPlan    *plan;         /* owned */
} TlInput;

/* Limits of every reader. */
#define TL_INPUT_MAX_BYTES (G_GUINT64_CONSTANT (512) << 20) /* of text, also after gunzip */
#define TL_INPUT_MAX_TENSORS (G_GUINT64_CONSTANT (4) << 30) /* bytes of a file of tensors */
#define TL_INPUT_MAX_NODES G_GUINT64_CONSTANT (0x7fffffff)

/* Makes the input from the file's bytes (@name: the file as the user gave it, for
 * diagnostics) or, for generators, from nothing. The bytes may be gzip. Never makes
 * the dense matrix of a graph. NULL when something is wrong; counts that a file
 * declares and does not hold are said in @diags too. Returns: (transfer full) */
TlInput     *tl_input_load         (const TlInputPlan *plan,
                                    const char        *name,
                                    gconstpointer      bytes,
                                    gsize              length,
                                    TlDiags           *diags);
/* A diagnostic for a file that could not be fetched: place in the program, reason,
 * remedy. */
void         tl_input_missing      (const TlInputPlan *plan,
                                    const GError      *error,
                                    TlDiags           *diags);
TlInput     *tl_input_ref          (TlInput           *input);
void         tl_input_unref        (TlInput           *input);

/* Original id of node @node, for messages: "node 17 (id 3466)". */
gint64       tl_input_node_id      (const TlInput     *input,
                                    guint64            node);

/* Fills @facts for the data called @data; facts->name is (transfer full). */
void         tl_input_facts        (const TlInput     *input,
                                    const char        *data,
                                    TlDataFacts       *facts);

/* Whether every value lies on the semiring's carrier, the matrix is square for a
 * closure, and (n - 1) max|w| fits the type; else FALSE with the value's place and
 * the type that does. */
gboolean     tl_input_check        (const TlInput     *input,
                                    const TlSemiring  *semiring,
                                    gboolean           closure,
                                    TlDiags           *diags);

/* The dense matrix over @semiring: missing arc zero, diagonal one (+) self-loops,
 * repeated arcs combined with (+); a dense file as it stands. @limit in bytes, 0
 * for TL_MATRIX_LIMIT. NULL with a diagnostic when it does not fit the limit.
 * Call tl_input_check before. Returns: (transfer full) */
TlMatrix    *tl_input_matrix       (const TlInput     *input,
                                    const TlSemiring  *semiring,
                                    guint64            limit,
                                    TlDiags           *diags);

/* --- Operator tables: op f = table ("f.csv") --- */

/* Reads a square table of side 1..256 whose entries are 0..side-1 into
 * op->kind, size and table. FALSE with diagnostics when it is none. */
gboolean     tl_input_table        (const char        *name,
                                    gconstpointer      bytes,
                                    gsize              length,
                                    TlOperator        *op,
                                    TlDiags           *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlInputPlan, tl_input_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlInput, tl_input_unref)
