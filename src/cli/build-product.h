/* What `tierc build` shows of knobs, and of a product on a compute unit. Private to src/cli. */
#pragma once

#include "cli/cli.h"

/* For people: tiles, layouts, and what was replayed to choose them. */
void      tl_cli_build_product_print (const TlBuild *build);
/* (transfer full) */
JsonNode *tl_cli_build_product_json  (const TlBuild *build);
/* Every knob with its value, who chose it, what it follows from and, in brackets, what it may be. Nothing for builds of
 * modules and streams, whose knobs nobody can turn. */
void      tl_cli_build_knobs_print   (const TlBuild *build);
/* The member "knobs" of the object that @builder is in: [{key, operand, value, chosen, rule, legal}]. */
void      tl_json_knobs              (JsonBuilder   *builder,
                                      const TlBuild *build);
/* Begins the object that tells of a product: program, target, m, n, k and tile, in this order. */
void      tl_cli_product_head       (JsonBuilder       *builder,
                                     const char        *name,
                                     const char        *target,
                                     const TlGemmShape *shape);
