/* Tensors of model files as matrices: safetensors and GGUF, told apart by their first bytes. Only the header and the
 * wanted tensor are looked at, and no count in the file is trusted before it is checked against the file's length.
 * language.md, Inputs. Within src/input. */
#pragma once

#include "input/input.h"

#define TL_TENSOR_MAX_DIMS 8

/* One tensor as a file's header tells it. */
typedef struct
{
  const char *name; /* not terminated */
  gsize       name_length;
  char        type[24]; /* as the format calls it: "BF16", "Q4_0" */
  guint       n_dims;
  guint64     dims[TL_TENSOR_MAX_DIMS]; /* slowest first, whatever the file's order */
  guint64     offset; /* of its data in the file, bytes */
  guint64     length; /* G_MAXUINT64: as its shape and type say */
  gsize       told_at; /* where its header stands, bytes */
} TlTensorEntry;

/* A header in the making. */
typedef struct
{
  const char   *file;   /* for diagnostics */
  const guint8 *bytes;
  gsize         length;
  TlDiags      *diags;
  GArray       *entries; /* of TlTensorEntry */
} TlTensorHeader;

/* Says what is wrong at a byte of the file; FALSE. */
gboolean tl_tensor_fail         (TlTensorHeader *header,
                                 gsize           at,
                                 const char     *reason, /* or NULL */
                                 const char     *format,
                                 ...) G_GNUC_PRINTF (4, 5);
/* All entries of a file of that format. FALSE with a diagnostic. */
gboolean tl_safetensors_header  (TlTensorHeader *header);
gboolean tl_gguf_header         (TlTensorHeader *header);
gboolean tl_is_gguf             (const guint8   *bytes,
                                 gsize           length);

/* Reads the tensor that input->plan names into input->dense, in the plan's element type, or in the file's where that
 * has none. FALSE with diagnostics. */
gboolean tl_read_tensor         (TlInput        *input,
                                 const guint8   *bytes,
                                 gsize           length,
                                 TlDiags        *diags);
