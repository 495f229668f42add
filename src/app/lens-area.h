/* A picture of a lens that has a window of its own: draws a scene, keeps what it drew, says what lies under the pointer,
 * and is a thing for keys and screen readers. What it shows and does comes from its maker. */
#pragma once

#include "scene/scene.h"

#include <gtk/gtk.h>

/* All are called from the main thread; but draw each may be NULL. @group is NULL where nothing lies. */
typedef struct
{
  TlScene *(*draw)  (float          width,
                     float          height,
                     TlThemeKind    theme,
                     gpointer       data); /* (transfer full) */
  void     (*point) (const TlGroup *group,
                     float          x,
                     float          y,
                     gpointer       data); /* the pointer is here; x < 0: it left */
  void     (*press) (const TlGroup *group,
                     float          x,
                     float          y,
                     gpointer       data);
  /* From where it was pressed to what is under the pointer, while it is held and when it is let go. */
  void     (*drag)  (const char    *from_id,
                     const TlGroup *over,
                     gboolean       done,
                     gpointer       data);
  gboolean (*key)   (guint           key,
                     GdkModifierType state,
                     gpointer        data);
} TlLensCalls;

#define TL_TYPE_LENS_AREA (tl_lens_area_get_type ())
G_DECLARE_FINAL_TYPE (TlLensArea, tl_lens_area, TL, LENS_AREA, GtkWidget)

/* @calls must outlive it. @label: what a screen reader calls it. */
GtkWidget     *tl_lens_area_new     (const TlLensCalls *calls,
                                     gpointer           data,
                                     const char        *label);
/* Something that is drawn is another now. */
void           tl_lens_area_changed (TlLensArea        *area);
/* As last drawn; NULL before. */
const TlScene *tl_lens_area_scene   (TlLensArea        *area);
