/* What makes a source view an editor of GenDSL: language, colours from the tree,
 * squiggles and gutter marks of the newest build, messages where the pointer or the
 * caret is, completion, find. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

/* Lives as long as @view. */
void tl_editor_attach (GtkSourceView *view,
                       TlDesk        *desk);
