/* What `tierc build` shows of a product on a compute unit. Private to src/cli. */
#pragma once

#include "cli/cli.h"

/* For people: tiles, layouts, and what was replayed to choose them. */
void      tl_cli_build_product_print (const TlBuild *build);
/* (transfer full) */
JsonNode *tl_cli_build_product_json  (const TlBuild *build);
