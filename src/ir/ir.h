/* The intermediate representation: operations with operands, results, attributes
 * and regions, as in MLIR's generic form, owned by a module's arena. A module is
 * built by one thread and then only read. DESIGN.md section 5; the operations
 * themselves are in src/ir/DIALECTS.md. */
#pragma once

#include "base/diag.h"

typedef struct _TlModule   TlModule;
typedef struct _TlOp       TlOp;
typedef struct _TlRegion   TlRegion;
typedef struct _TlBlock    TlBlock;
typedef struct _TlValue    TlValue;
typedef struct _TlAttr     TlAttr;
typedef struct _TlLocation TlLocation;

/* Canonical text, interned in its module: equal types are equal pointers there. */
typedef const char *TlType;

/* Bounds of what is parsed and verified; deeper or larger is refused. */
#define TL_IR_MAX_DEPTH 64
#define TL_IR_MAX_ATTR_NODES (1u << 20)

typedef enum
{
  TL_ATTR_UNIT,
  TL_ATTR_BOOL,    /* integer 0 or 1 */
  TL_ATTR_INTEGER, /* integer, type (i64 unless said) */
  TL_ATTR_FLOAT,   /* real, type (f64 unless said) */
  TL_ATTR_STRING,  /* text, unescaped, without NULs */
  TL_ATTR_SYMBOL,  /* text, without the @ */
  TL_ATTR_ARRAY,   /* items */
  TL_ATTR_DICT,    /* items, names; sorted by name */
  TL_ATTR_TYPE,    /* type */
  TL_ATTR_MAP,     /* text: "(d0, d1) -> (d1)" */
  TL_ATTR_OPAQUE,  /* text without the #: "dp.inf", "gendram.owner<(i * 21 + j) mod 32>" */
} TlAttrKind;

/* Immutable once made. */
struct _TlAttr
{
  TlAttrKind           kind;
  gint64               integer;
  double               real;
  const char          *text;
  TlType               type;
  const TlAttr *const *items;
  const char *const   *names;
  guint                n_items;
  guint32              nodes; /* of the whole tree, itself included */
};

typedef struct
{
  const char   *name;
  const TlAttr *value;
} TlNamedAttr;

typedef enum
{
  TL_LOCATION_UNKNOWN,
  TL_LOCATION_FILE,  /* text:line:column */
  TL_LOCATION_NAME,  /* text, parts[0] (may be absent) */
  TL_LOCATION_FUSED, /* parts: all places an operation stems from */
} TlLocationKind;

struct _TlLocation
{
  TlLocationKind           kind;
  const char              *text;
  guint                    line;
  guint                    column;
  const TlLocation *const *parts;
  guint                    n_parts;
};

struct _TlValue
{
  TlType   type;
  TlOp    *op;    /* whose result this is, or NULL */
  TlBlock *block; /* whose argument this is, or NULL */
  guint    index;
};

struct _TlOp
{
  const char       *name; /* "dp.grid_update" */
  const TlLocation *location;
  TlModule         *module;
  TlBlock          *block; /* that holds it, or NULL */
  TlOp             *prev;
  TlOp             *next;
  TlValue         **operands;
  guint             n_operands;
  TlValue         **results;
  guint             n_results;
  TlNamedAttr      *attrs; /* sorted by name */
  guint             n_attrs;
  TlRegion        **regions;
  guint             n_regions;
};

/* One block a region is all that Tierloom's dialects use; the parser takes more
 * (the verifier then says no). */
struct _TlRegion
{
  TlOp     *op;
  TlBlock **blocks;
  guint     n_blocks;
};

struct _TlBlock
{
  TlRegion *region;
  TlValue **arguments;
  guint     n_arguments;
  TlOp     *first;
  TlOp     *last;
};

/* A module with an empty body. Returns: (transfer full) */
TlModule         *tl_module_new        (void);
TlModule         *tl_module_ref        (TlModule   *module);
void              tl_module_unref      (TlModule   *module);
/* The "builtin.module" itself: its attributes are the module's. */
TlOp             *tl_module_op         (const TlModule *module);
TlBlock          *tl_module_body       (const TlModule *module);
/* The first operation of that name in the body, or NULL. */
TlOp             *tl_module_find       (const TlModule *module,
                                        const char     *name);
/* The operation of the body whose sym_name that is, or NULL. */
TlOp             *tl_module_symbol     (const TlModule *module,
                                        const char     *symbol);
/* Points all operands that were @old at @replacement. */
void              tl_module_replace    (TlModule   *module,
                                        TlValue    *old,
                                        TlValue    *replacement);
/* Interned copies that live as long as the module. */
const char       *tl_module_intern     (TlModule   *module,
                                        const char *text);

/* Builds: everything made belongs to the module. */
TlOp             *tl_op_new            (TlModule         *module,
                                        const char       *name,
                                        const TlLocation *location);
void              tl_op_add_operand    (TlOp             *op,
                                        TlValue          *value);
TlValue          *tl_op_add_result     (TlOp             *op,
                                        TlType            type);
/* A new region with one empty block. */
TlBlock          *tl_op_add_region     (TlOp             *op);
/* Replaces the attribute of that name; @value NULL removes it. */
void              tl_op_set            (TlOp             *op,
                                        const char       *name,
                                        const TlAttr     *value);
const TlAttr     *tl_op_attr           (const TlOp       *op,
                                        const char       *name);
/* Value of an integer or bool attribute, @otherwise when there is none. */
gint64            tl_op_integer        (const TlOp       *op,
                                        const char       *name,
                                        gint64            otherwise);
/* Text of a string, symbol, map or opaque attribute, or NULL. */
const char       *tl_op_text           (const TlOp       *op,
                                        const char       *name);
TlValue          *tl_block_add_argument (TlBlock         *block,
                                        TlType            type);
void              tl_block_append      (TlBlock          *block,
                                        TlOp             *op);
void              tl_block_insert      (TlBlock          *block,
                                        TlOp             *before, /* NULL: at the end */
                                        TlOp             *op);
/* Takes it out of its block; it may be put in again. */
void              tl_op_remove         (TlOp             *op);

const TlAttr     *tl_attr_unit         (TlModule   *module);
const TlAttr     *tl_attr_bool         (TlModule   *module,
                                        gboolean    value);
const TlAttr     *tl_attr_integer      (TlModule   *module,
                                        gint64      value); /* i64 */
const TlAttr     *tl_attr_typed_integer (TlModule  *module,
                                        gint64      value,
                                        TlType      type);
const TlAttr     *tl_attr_float        (TlModule   *module,
                                        double      value); /* f64; finite */
const TlAttr     *tl_attr_string       (TlModule   *module,
                                        const char *text);
const TlAttr     *tl_attr_symbol       (TlModule   *module,
                                        const char *name);
const TlAttr     *tl_attr_array        (TlModule            *module,
                                        const TlAttr *const *items,
                                        guint                n_items);
const TlAttr     *tl_attr_integers     (TlModule            *module,
                                        const gint64        *values,
                                        guint                n_values);
/* Sorts a copy of @items by name; names must differ. */
const TlAttr     *tl_attr_dict         (TlModule            *module,
                                        const TlNamedAttr   *items,
                                        guint                n_items);
const TlAttr     *tl_attr_type         (TlModule   *module,
                                        TlType      type);
const TlAttr     *tl_attr_map          (TlModule   *module,
                                        const char *text); /* "(d0, d1) -> (d1)" */
/* @text: "dp.inf" or "gendram.owner<...>" with balanced brackets and no < or > of
 * other meaning. */
const TlAttr     *tl_attr_opaque       (TlModule   *module,
                                        const char *text);
const TlAttr     *tl_attr_get          (const TlAttr *dict,
                                        const char   *name); /* NULL when absent */
/* The body of an opaque attribute of that name: "gendram.owner" of
 * gendram.owner<X> gives X, of one without brackets "". NULL when it is another.
 * (transfer full) */
char             *tl_attr_body         (const TlAttr *attr,
                                        const char   *name);

const TlLocation *tl_location_unknown  (TlModule   *module);
const TlLocation *tl_location_file     (TlModule   *module,
                                        const char *file,
                                        guint       line,
                                        guint       column);
/* Where @span of @source starts. @source NULL: unknown. */
const TlLocation *tl_location_span     (TlModule   *module,
                                        TlSource   *source,
                                        TlSpan      span);
const TlLocation *tl_location_name     (TlModule         *module,
                                        const char       *name,
                                        const TlLocation *child); /* may be NULL */
/* Equal and unknown parts are dropped, nested fusions flattened; one left is itself. */
const TlLocation *tl_location_fused    (TlModule                *module,
                                        const TlLocation *const *parts,
                                        guint                    n_parts);
/* The first file:line:column in it, or NULL. */
const TlLocation *tl_location_first    (const TlLocation *location);

/* Types: made from text (white space is brought to the canonical form). */
TlType            tl_type              (TlModule   *module,
                                        const char *text);
/* memref<rowsxcolumnsxELEMENT>; 0 is "?". @element is MLIR's word: i32, ui8, f32. */
TlType            tl_type_matrix       (TlModule   *module,
                                        guint64     rows,
                                        guint64     columns,
                                        const char *element);
/* Takes memref<RxCxE> apart; FALSE when it is none. @element: (transfer full), may be NULL. */
gboolean          tl_type_as_matrix    (const char *type,
                                        guint64    *rows,
                                        guint64    *columns,
                                        char      **element);
/* The parameters of "!gendram.tile<A, B : i64, ...>" split at top-level commas and
 * stripped; NULL when @type is not of that name. (transfer full), NULL-terminated. */
char            **tl_type_parameters   (const char *type,
                                        const char *name); /* "gendram.tile" */

typedef enum
{
  TL_PRINT_DEFAULT = 0,
  TL_PRINT_NO_LOC  = 1 << 0, /* without loc(...): byte-identical for all spellings */
} TlPrintFlags;

/* Generic-form MLIR text, ending in a newline. Deterministic. (transfer full) */
char             *tl_module_print      (const TlModule *module,
                                        TlPrintFlags    flags);

/* Reads what tl_module_print writes and what mlir-opt 14 and 15 print back for it
 * with --mlir-print-op-generic (with or without --mlir-print-debuginfo). At the
 * first fault: an error with line and column in @diags and NULL. The result is not
 * verified. Returns: (transfer full) */
TlModule         *tl_module_parse      (TlSource       *source,
                                        TlDiags        *diags);

/* Structure (definition before use, types, shape of regions, terminators) and the
 * dialects' own rules (DIALECTS.md). Each fault adds an error "invalid-ir" that
 * names the operation and the reason. FALSE when there was one. */
gboolean          tl_module_verify     (const TlModule *module,
                                        TlDiags        *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlModule, tl_module_unref)
