/* The screen's painter: turns scenes into render nodes and keeps those that did not
 * change, so that GTK repaints only where something moved. The static layer becomes
 * one texture, kept until it looks different. */
#pragma once

#include "scene/scene.h"

#include <gtk/gtk.h>

typedef struct _TlSnapshotter TlSnapshotter;

TlSnapshotter *tl_snapshotter_new  (void);
void           tl_snapshotter_free (TlSnapshotter *snapshotter);
/* Draws @scene into @snapshot; @widget gives fonts and scale, @zoom is how much @snapshot magnifies already. */
void           tl_snapshotter_draw (TlSnapshotter *snapshotter,
                                    GtkWidget     *widget,
                                    const TlScene *scene,
                                    double         zoom,
                                    GtkSnapshot   *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSnapshotter, tl_snapshotter_free)
