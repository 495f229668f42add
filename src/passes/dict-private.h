/* Numbers and words of structures as entries of dictionary attributes, and back: what knobs and machines of both
 * kinds of target share when they go into a module and come out of one. */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"
#include "passes/words-private.h"

/* A guint32 or guint64 of a structure, and what it may be. */
typedef struct
{
  const char *key;
  gsize       offset;
  guint       bytes; /* 4 or 8 */
  guint64     least, most;
} TlField;

#define TL_FIELD(type, field, low, high)                                                                               \
  {                                                                                                                    \
#field, G_STRUCT_OFFSET(type, field), sizeof(((type *) 0)->field), low, high                                       \
  }

guint64     tl_field_get       (gconstpointer   base,
                                const TlField  *field);
void        tl_field_set       (gpointer        base,
                                const TlField  *field,
                                guint64         value);

/* --- into a module --- */

TlNamedAttr tl_dict_number     (TlModule       *module,
                                const char     *key,
                                guint64         value);
TlNamedAttr tl_dict_text       (TlModule       *module,
                                const char     *key,
                                const char     *text);
/* All of @fields, as many @items. Returns how many. */
guint       tl_dict_fields     (TlModule       *module,
                                gconstpointer   base,
                                const TlField  *fields,
                                guint           n,
                                TlNamedAttr    *items);
/* The timing of each tier, a dictionary each: entry "tier". @base: the first of @tiers structures of @size bytes. */
TlNamedAttr tl_dict_tiers      (TlModule       *module,
                                gconstpointer   base,
                                gsize           size,
                                guint           tiers,
                                const TlField  *fields,
                                guint           n);

/* --- and back --- */

/* Reads the entries of one dictionary; the first that is not as it should be is said. */
typedef struct
{
  const TlAttr *dict;
  const char   *name; /* what diagnostics call it: "tile.knobs" */
  TlDiags      *diags;
  gboolean      right;
} TlDictReader;

/* Of the module's attribute @name. A module without it is complained of. */
TlDictReader tl_dict_reader    (const TlModule *module,
                                const char     *name,
                                TlDiags        *diags);
void        tl_dict_complain   (TlDictReader   *reader,
                                const char     *key,
                                const char     *what);
/* @least when it is not one or out of range. */
guint64     tl_dict_read_number (TlDictReader  *reader,
                                 const char    *key,
                                 guint64        least,
                                 guint64        most);
/* "" when there is none. */
const char *tl_dict_read_text  (TlDictReader   *reader,
                                const char     *key);
/* Its place among the @words, 0 when it is none of them. */
guint       tl_dict_read_word  (TlDictReader   *reader,
                                const char     *key,
                                TlWordFunc      words);
void        tl_dict_read_fields (TlDictReader  *reader,
                                 gpointer       base,
                                 const TlField *fields,
                                 guint          n);
void        tl_dict_read_tiers (TlDictReader   *reader,
                                gpointer        base,
                                gsize           size,
                                guint           tiers,
                                const TlField  *fields,
                                guint           n);
