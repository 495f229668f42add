/* Shared by the files of this folder: the table of keys, what a file or an override
 * says of each (facts), and the steps from text to a target. */
#pragma once

#include <libxml/tree.h>

#include "target/target.h"

/* --- keys.c: every number and choice a target has --- */

typedef enum
{
  TL_KEY_COUNT,      /* 8, 1_000, 2^13 */
  TL_KEY_TIME,       /* 5 ns, 3 cycles */
  TL_KEY_TIER_TIME,  /* one time a tier: see TlFact */
  TL_KEY_CURVE,      /* three times a, b, c: a + b x + c x^2 */
  TL_KEY_CLOCK,      /* 1 GHz, 1 ns */
  TL_KEY_SIZE,       /* 1 KiB, 8192 bits */
  TL_KEY_ENERGY,     /* 7.48 pJ */
  TL_KEY_BIT_ENERGY, /* 0.429 pJ/bit */
  TL_KEY_CHOICE,     /* one of choices */
  TL_KEY_MAP,        /* an address map */
} TlKeyKind;

typedef enum
{
  TL_K_CHANNELS,
  TL_K_PSEUDO_CHANNELS,
  TL_K_TIERS,
  TL_K_LAYERS,
  TL_K_GROUPS,
  TL_K_BANKS,
  TL_K_ROWS,
  TL_K_COLUMNS,
  TL_K_BEAT,
  TL_K_QUANTUM,
  TL_K_ROW,
  TL_K_CAPACITY,
  TL_K_DATA_BUS,
  TL_K_COMMAND_BUS,
  TL_K_MAP,
  TL_K_CLOCK,
  TL_K_TRCD,
  TL_K_TRCD_CURVE,
  TL_K_TRAS,
  TL_K_TRP,
  TL_K_TRC,
  TL_K_TRTP,
  TL_K_TWR,
  TL_K_TCL,
  TL_K_TCWL,
  TL_K_TCCD,
  TL_K_BURST,
  TL_K_TRRD,
  TL_K_TRRD_SCOPE,
  TL_K_TFAW,
  TL_K_TFAW_SCOPE,
  TL_K_TWTR,
  TL_K_REFRESH,
  TL_K_REFRESH_SCOPE,
  TL_K_TREFI,
  TL_K_TRFC,
  TL_K_PUS,
  TL_K_SEARCH_PUS,
  TL_K_PES,
  TL_K_SCRATCHPAD,
  TL_K_PE_MEMORY,
  TL_K_RING_WIDTH,
  TL_K_RING_HOP,
  TL_K_MACS,
  TL_K_ISSUE,
  TL_K_SCHEDULER,
  TL_K_QUEUE,
  TL_K_AGE,
  TL_K_WRITE_QUEUE,
  TL_K_WRITE_HIGH,
  TL_K_WRITE_LOW,
  TL_K_DRAM_ENERGY,
  TL_K_ALU_ENERGY,
  TL_K_SRAM_LOCAL_ENERGY,
  TL_K_SRAM_SHARED_ENERGY,
  TL_K_HOP_ENERGY,
  TL_K_ACTIVATE_ENERGY,
  TL_K_WRITE_ENERGY,
  TL_K_REFRESH_ENERGY,
  TL_N_KEYS
} TlKeyId;

#define TL_ON_PIM (1u << TL_MACHINE_PIM)
#define TL_ON_CU (1u << TL_MACHINE_CU)
#define TL_ON_BOTH (TL_ON_PIM | TL_ON_CU)

typedef struct
{
  const char *name;
  const char *section;  /* the element it stands in */
  TlKeyKind   kind;
  guint       machines; /* TL_ON_... */
  guint64     min;      /* COUNT: the value; times in ps; sizes in bytes */
  guint64     max;
  const char *choices;  /* CHOICE: words in the order of the enum, parted by blanks */
  const char *meaning;
} TlKey;

const TlKey *tl_key          (TlKeyId     id);
/* FALSE when there is no key of that name. */
gboolean     tl_key_find     (const char *name,
                              TlKeyId    *id);
/* The key most like @name, or NULL when none is near. */
const char  *tl_key_nearest  (const char *name);
/* Knobs that a target may set: the config keys of a program. */
gboolean     tl_knob_known   (const char *name);

/* --- quantity.c: values as written --- */

typedef struct
{
  guint64  value;  /* COUNT, ps, bytes, fJ, index of the choice; CURVE: fs */
  gboolean cycles; /* a time in cycles of the machine's clock */
} TlQuantity;

/* What one file or override says of one key. A time of a tier is a list of one or
 * more, or "tRCD + time", or "time + time a tier". */
typedef struct
{
  gboolean   set;
  TlQuantity list[TL_MAX_TIERS];
  guint      n;
  gboolean   above_trcd;
  gboolean   has_step;
  TlQuantity step;
  char      *text;   /* trimmed, blanks folded */
  TlMark     mark;
  char      *origin;
  char      *file;
  guint      line;
  guint      layer;  /* the base of all is 0; overrides are highest */
} TlFact;

void     tl_fact_clear    (TlFact      *fact);
/* Parses @text as a value of @key into @fact's numbers. FALSE and *reason (transfer
 * full) when it is none. @one_tier: a single time, for one tier. */
gboolean tl_fact_parse    (TlFact      *fact,
                           const TlKey *key,
                           gboolean     one_tier,
                           const char  *text,
                           char       **reason);
/* Exact text with a unit. (transfer full) */
char    *tl_quantity_time (guint64      ps);
char    *tl_quantity_size (guint64      bytes);
char    *tl_quantity_energy (guint64    fj,
                             gboolean   per_bit);

/* --- facts of a whole target, all layers folded --- */

typedef struct
{
  TlFact      fact[TL_N_KEYS];
  TlFact     *tier[TL_N_KEYS][TL_MAX_TIERS]; /* of one tier, or NULL */
  gboolean    has_kind;
  TlMachineKind kind;
  char       *name;
  char       *title;
  char       *file;
  guint       line;   /* of the root element */
  guint       layer;  /* number of the layer being read */
  guint32     former_pus; /* as the layer that says search_pus has them */
  GHashTable *knobs;  /* name -> value */
  GPtrArray  *inputs; /* of char *: files read */
} TlFacts;

TlFacts *tl_facts_new   (void);
void     tl_facts_free  (TlFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlFacts, tl_facts_free)

/* --- target-xml.c: the hardened reader of xml.h for targets --- */

/* A document, or NULL with diagnostics. No network, no DOCTYPE, no entities. */
xmlDoc  *tl_xml_read     (const char *file,
                          const char *bytes,
                          gsize       length,
                          TlDiags    *diags);
/* RELAX NG by the schema built into the library. FALSE with diagnostics. */
gboolean tl_xml_validate (const char *file,
                          xmlDoc     *doc,
                          TlDiags    *diags);

/* --- reader.c: a document's facts --- */

/* What stands at the root. Strings are transfer full. */
typedef struct
{
  char *name;
  char *base;
} TlTargetRoot;

/* FALSE with diagnostics. */
gboolean tl_reader_root  (const char   *file,
                          xmlDoc       *doc,
                          TlTargetRoot *root,
                          TlDiags      *diags);
/* Lays the document's facts over @facts as layer facts->layer. FALSE after errors. */
gboolean tl_reader_facts (const char   *file,
                          xmlDoc       *doc,
                          TlFacts      *facts,
                          TlDiags      *diags);
/* The same of one "KEY=VALUE". */
gboolean tl_reader_override (const char *override,
                             TlFacts    *facts,
                             TlDiags    *diags);

/* --- lookup.c: names to files --- */

typedef struct
{
  char   *file;  /* as shown */
  GBytes *bytes;
} TlTargetFile;

/* Finds target @name: beside the program, beside @beside (a file, or NULL), in the
 * folders, installed, built in. NULL without a diagnostic when there is none; with
 * one when there is and it cannot be read. Free with tl_target_file_free. */
TlTargetFile *tl_lookup_name (const char           *name,
                              const TlTargetSearch *search,
                              const char           *beside,
                              TlDiags              *diags,
                              gboolean             *failed);
TlTargetFile *tl_lookup_file (const char           *path,
                              const TlTargetSearch *search,
                              TlDiags              *diags);
gboolean      tl_lookup_is_built_in (const char *file);
/* All names that may be targets, rising. (transfer full), of char * */
GPtrArray    *tl_lookup_names (const TlTargetSearch *search);
void          tl_target_file_free (TlTargetFile     *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTargetFile, tl_target_file_free)

/* --- map-text.c: maps as written --- */

/* Which unit bits make up each bit of each level. */
typedef struct
{
  guint   width[TL_N_LEVELS];
  guint64 bits[TL_N_LEVELS][64];
} TlMapBits;

/* Fills @map->bits (its widths are set) from text. FALSE with *reason. */
gboolean tl_map_read     (const char *text,
                          TlMapBits  *map,
                          char      **reason);

/* --- resolve.c: facts to numbers --- */

struct _TlTarget
{
  gatomicrefcount refs;
  char           *name;
  char           *title;
  char           *file;
  TlMachineKind   kind;
  TlMemory        memory;
  TlPimMachine    pim;
  TlCuMachine     cu;
  TlDramEnergy    energy;
  guint32         layers;
  char           *map_text; /* as written */
  TlAddressMap   *map;
  char           *map_reason;
  guint64         hash;
  GArray         *knobs; /* of TlKnob, by name */
  GArray         *rows;  /* of TlTargetRow */
  GStringChunk   *strings;
};

typedef struct
{
  const char *key;
  const char *value;
} TlKnob;

/* Fills @target from @facts: derives, checks, makes the rows. FALSE with diagnostics. */
gboolean tl_resolve      (TlTarget    *target,
                          TlFacts     *facts,
                          TlDiags     *diags);
/* rows.c: fills target->rows and target->hash. */
void     tl_target_describe (TlTarget *target,
                             TlFacts  *facts);
