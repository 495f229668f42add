/* Columns of a table whose rows are the lines of a GtkStringList, their fields set apart by tabs. */
#pragma once

#include <gtk/gtk.h>

/* @field counts from 0; the last one a row has may hold no tab, all beyond it are empty. */
void tl_text_column_add (GtkColumnView *view,
                         const char    *title,
                         guint          field,
                         gboolean       expand);
/* (transfer full) */
char *tl_text_field     (const char    *row,
                         guint          field);
