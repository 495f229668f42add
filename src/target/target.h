/* Machine descriptions: targets/NAME.xml read, inherited, overridden, checked and
 * flattened. A target is immutable and reference-counted. models.md sections 1, 2, 6
 * and language.md "Config and place". */
#pragma once

#include "base/diag.h"
#include "target/address-map.h"

/* Numbers of a compute unit beside its stack that are not its memory's. */
typedef enum
{
  TL_SCHEDULER_FR_FCFS,       /* ready hits first; a row with waiting hits stays open */
  TL_SCHEDULER_PLAIN_FR_FCFS, /* ready hits first */
  TL_SCHEDULER_IN_ORDER,
} TlScheduler;

typedef struct
{
  guint32     clock;       /* ps a cycle */
  guint32     macs;        /* multiply-adds a cycle of the tensor core */
  guint32     issue;       /* requests a cycle */
  TlScheduler scheduler;
  guint32     window;      /* requests the scheduler sees (key "queue") */
  guint32     write_queue; /* writes it holds */
  guint32     write_high;  /* draining starts here */
  guint32     write_low;   /* and stops here */
  guint64     age;         /* ps after which a waiting request may close a row with hits */
} TlCuMachine;

/* What commands cost, fJ (keys of section "energy"; assumed where no paper says). */
typedef struct
{
  guint64 activate;      /* an ACT and its PRE */
  guint64 read_per_bit;
  guint64 write_per_bit;
  guint64 refresh;       /* a REF */
} TlDramEnergy;

typedef struct _TlTarget TlTarget;

/* Where targets are looked up, in this order: the folder of the program, @folders,
 * the installed folder, and the presets built into the library (so that a name that
 * ships with Tierloom is found from a source tree too). */
typedef struct
{
  const char        *program; /* path of the program file; NULL or "-": none */
  const char *const *folders; /* NULL-terminated, or NULL */
} TlTargetSearch;

/* The folders of the environment variable TIERLOOM_TARGETS (colon-separated), for
 * TlTargetSearch.folders. Never NULL. (transfer full) */
char    **tl_target_folders    (void);

/* Loads by name (gendram) or by file ("my.xml", relative to the program), then
 * applies @overrides: NULL or a NULL-terminated list of "KEY=VALUE" ("pus=8",
 * "tRRD=5ns", "tRCD.3=9 ns"; a leading "target." is allowed, quantum is a pim
 * machine's beat). Later ones win.
 * What is wrong goes to @diags: an unknown name at @span of @source (both as
 * tl_diags_add takes them), faults of the file at its lines, faults of an override
 * with the override as the file. Returns: (transfer full), NULL after errors. */
TlTarget *tl_target_load       (const char           *name,
                                const TlTargetSearch *search,
                                const char *const    *overrides,
                                TlSource             *source,
                                TlSpan                span,
                                TlDiags              *diags);
/* No target file is longer. */
#define TL_TARGET_MAX_BYTES (1 << 20)

/* The same from a file, whatever its name; bases are looked up beside it too. */
TlTarget *tl_target_load_file  (const char           *path,
                                const TlTargetSearch *search,
                                const char *const    *overrides,
                                TlDiags              *diags);
/* The same from bytes at hand; @file is what diagnostics name. */
TlTarget *tl_target_parse      (const char           *file,
                                const char           *bytes,
                                gsize                 length,
                                const TlTargetSearch *search,
                                const char *const    *overrides,
                                TlDiags              *diags);
TlTarget *tl_target_ref        (TlTarget             *target);
void      tl_target_unref      (TlTarget             *target);

const char          *tl_target_name        (const TlTarget *target);
const char          *tl_target_title       (const TlTarget *target); /* one line; "" when not said */
/* The file it came from, "(built in)/gendram.xml" for presets of the library. */
const char          *tl_target_file        (const TlTarget *target);
TlMachineKind        tl_target_kind        (const TlTarget *target);
/* FNV-1a 64 over every resolved number, choice, knob and the map; comments, notes,
 * spelling and where it was found do not count. */
guint64              tl_target_hash        (const TlTarget *target);
/* NULL on cu targets. */
const TlPimMachine  *tl_target_pim_machine (const TlTarget *target);
/* NULL on pim targets. */
const TlCuMachine   *tl_target_cu_machine  (const TlTarget *target);
const TlMemory      *tl_target_memory      (const TlTarget *target);
/* All zero when the target says nothing of energy. */
const TlDramEnergy  *tl_target_energy      (const TlTarget *target);
/* NULL when the target has none; then tl_target_map_reason says why. */
TlAddressMap        *tl_target_map         (const TlTarget *target);
const char          *tl_target_map_reason  (const TlTarget *target);

/* Default knobs, <knobs edges="padded"/>; the program's config wins. NULL when the
 * target says nothing of @key. Values are as written; who reads them checks them. */
const char          *tl_target_knob        (const TlTarget *target,
                                            const char     *key);
guint                tl_target_n_knobs     (const TlTarget *target);
void                 tl_target_get_knob    (const TlTarget *target,
                                            guint           index, /* by name, rising */
                                            const char    **key,
                                            const char    **value);

/* How well a number is founded (models.md): a paper states it, it is derived
 * exactly from a paper's figures, it is assumed, the user set it, or it follows from
 * the others. */
typedef enum { TL_MARK_PAPER, TL_MARK_DERIVED, TL_MARK_ASSUMED, TL_MARK_SET, TL_MARK_FOLLOWS } TlMark;

/* One number or choice as shown. Owned by the target. */
typedef struct
{
  const char *key;
  const char *section; /* "organisation", "timing", ... */
  const char *value;   /* with its unit, exact; a list when tiers differ */
  const char *meaning; /* one line */
  TlMark      mark;
  const char *origin;  /* what the mark rests on; "" when not said */
  const char *file;    /* where it was said; "" when it is a default or follows from others */
  guint       line;    /* 0: not in a file */
} TlTargetRow;

/* All of them, in the order of the schema. */
guint                tl_target_n_rows      (const TlTarget *target);
const TlTargetRow   *tl_target_row         (const TlTarget *target,
                                            guint           index);
/* "P", "D", "A", "set" or "=". */
const char          *tl_mark_text          (TlMark          mark);
/* What `tierc target show` prints: rows with marks and origins, capacity, address
 * bits and the map. (transfer full) */
char                *tl_target_show        (const TlTarget *target);

typedef struct
{
  char         *name;
  char         *file;
  char         *title;
  TlMachineKind kind;
} TlTargetEntry;

/* The targets that can be named, by name; a name found twice is listed once, as it
 * is looked up. Files that are no targets are left out. (transfer full), of
 * TlTargetEntry *, free function set. */
GPtrArray           *tl_target_list        (const TlTargetSearch *search);

/* Every key that --set target.KEY=VALUE takes, with kind, range and meaning, one a
 * line. (transfer full) */
char                *tl_target_keys_text   (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTarget, tl_target_unref)
