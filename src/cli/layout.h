/* What tierc layout says of a View and of loads. Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "layout/convert.h"
#include "layout/recipe.h"
#include "layout/view.h"

/* A type by its name, or a usage error said. Returns TL_GO_ON or an exit status. */
int  tl_layout_read_type    (const char    *name,
                             TlElementType *type);
/* "i6:local(2,1).spatial(8,4)"; says what is wrong. Returns TL_GO_ON or an exit status. */
int  tl_layout_read_side    (const char    *text,
                             TlElementType *type,
                             TlLayout      *layout);

void tl_layout_print_view   (const TlView  *view);
void tl_layout_print_recipe (TlElementType  type,
                             const TlLayout *layout);
/* Members "view" and "recipe" of the object that @builder is in. */
void tl_layout_json_view    (JsonBuilder   *builder,
                             const TlView  *view);
void tl_layout_json_recipe  (JsonBuilder   *builder,
                             TlElementType  type,
                             const TlLayout *layout);
/* Where the element at the coordinates @text is: with @target (a name, or NULL) down to its place in DRAM. Returns an
 * exit status. */
int  tl_layout_print_element (const char     *text,
                              TlElementType   type,
                              const TlLayout *layout,
                              const char     *target,
                              gboolean        json);
