/* The state of reading a module's text, shared by parse.c and parse-attr.c. */
#pragma once

#include "ir/ir-private.h"

typedef struct
{
  TlSource   *source;
  TlDiags    *diags;
  TlModule   *module;
  const char *start;
  const char *at;
  const char *end;
  gboolean    failed;
  GHashTable *values;         /* name -> Pack, those in sight */
  GPtrArray  *defined;        /* names in the order they came in sight */
  GHashTable *maps;           /* alias -> TlAttr */
  GHashTable *locations;      /* alias -> TlLocation, its content perhaps still to come */
  GPtrArray  *used_locations; /* of operations */
  guint64     attr_nodes;     /* so far */
} TlIrParser;

/* Adds the first error, at @at. Returns FALSE. */
gboolean          tl_ir_fail                (TlIrParser *parser, const char *at, const char *format, ...) G_GNUC_PRINTF (3, 4);
void              tl_ir_skip                (TlIrParser *parser); /* white space and comments */
gboolean          tl_ir_take                (TlIrParser *parser, const char *token);
gboolean          tl_ir_expect              (TlIrParser *parser, const char *token, const char *where);
char             *tl_ir_word                (TlIrParser *parser, const char *extra);
gboolean          tl_ir_unsigned            (TlIrParser *parser, guint64 most, guint64 *value);
gboolean          tl_ir_next_is             (TlIrParser *parser, char c);
/* Steps over <...> with all brackets and strings inside; "->" is no bracket. */
gboolean          tl_ir_skip_balanced       (TlIrParser *parser);
/* NULL after an error. */
char             *tl_ir_parse_string        (TlIrParser *parser); /* (transfer full) */
TlType            tl_ir_parse_type          (TlIrParser *parser);
const TlAttr     *tl_ir_parse_attr          (TlIrParser *parser, guint depth);
const TlAttr     *tl_ir_parse_map           (TlIrParser *parser); /* "<...>" behind affine_map */
const TlLocation *tl_ir_parse_location_body (TlIrParser *parser); /* "(...)" behind loc */
gboolean          tl_ir_parse_alias         (TlIrParser *parser); /* "#name = ..." */
/* All aliases defined, none inside itself, and the whole not too large written out. */
gboolean          tl_ir_check_locations     (TlIrParser *parser);
