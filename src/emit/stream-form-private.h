/* The form of a stream file as tables: what the numbers of a record are and what its sections hold, each said once for
 * writing and for reading. */
#pragma once

#include "emit/program-private.h"
#include "emit/stream-bytes-private.h"

/* --- Fields of a record, in the order of their bytes --- */

typedef enum
{
  TL_STREAM_TEXT,   /* a string; (transfer full) when read */
  TL_STREAM_NUMBER, /* at most 32 bits, and no more than its member holds */
  TL_STREAM_WIDE,   /* 64 bits */
  TL_STREAM_REAL,   /* a double, bit by bit */
} TlStreamFieldKind;

typedef struct
{
  TlStreamFieldKind kind;
  guint             at;    /* of the member in the record */
  guint             bytes; /* of the member */
} TlStreamField;

#define TL_STREAM_FIELD(kind, record, member)                                                                          \
  {                                                                                                                    \
    TL_STREAM_##kind, G_STRUCT_OFFSET (record, member), sizeof (((record *) NULL)->member)                             \
  }

void tl_put_fields (GByteArray          *out,
                    gconstpointer        record,
                    const TlStreamField *fields,
                    guint                n);
void tl_get_fields (TlStreamReader      *reader,
                    gpointer             record,
                    const TlStreamField *fields,
                    guint                n);

/* --- Parts that the forms share --- */

void tl_put_machine (GByteArray         *out,
                     const TlPimMachine *machine);
void tl_get_machine (TlStreamReader     *reader,
                     TlPimMachine       *machine);
void tl_put_data    (GByteArray         *out,
                     const char         *base,
                     const GPtrArray    *sources);
/* @base is replaced, @sources filled. */
void tl_get_data    (TlStreamReader     *reader,
                     char              **base,
                     GPtrArray          *sources);

/* Numbers the distinct codes of @n PUs as they first appear: that of PU p is number[p], first written for PU
 * first[number[p]]. Returns how many there are. */
guint32 tl_number_codes (const TlCodeView   *codes,
                         guint32             n,
                         guint32            *first,
                         guint32            *number);
void    tl_put_code     (GByteArray         *out,
                         TlCodeView          code);

/* --- Sections --- */

typedef struct
{
  char tag[5];
  void (*put) (GByteArray     *out,
               gconstpointer   program);
  void (*get) (TlStreamReader *reader,
               gpointer        program);
} TlStreamSection;

typedef struct
{
  const TlStreamSection *sections;
  guint                  n_sections;
  /* Sections behind those of the table, one for each PU; NULL: none. */
  guint32 (*n_more)   (gconstpointer   program);
  void    (*put_more) (GByteArray     *out,
                       gconstpointer   program);
  void    (*get_more) (TlStreamReader *file,
                       gpointer        program);
  /* Derives what the bytes do not hold, or says why it cannot be. */
  gboolean (*complete) (gpointer       program,
                        char         **reason);
} TlStreamForm;

/* Returns: (transfer full) */
GBytes  *tl_stream_write (const TlStreamForm *form,
                          gconstpointer       program);
/* Fills @program, which is new. Its encoding must be the same bytes again, so that one program has one spelling. FALSE
 * with an error as in tl_stream_decode. */
gboolean tl_stream_read  (const TlStreamForm *form,
                          gpointer            program,
                          gconstpointer       data,
                          gsize               length,
                          const char         *name,
                          TlDiags            *diags);
