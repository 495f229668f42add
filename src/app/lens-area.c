/* Draws by the snapshotter, as the canvases do, so that what did not change is not painted again. */
#include "app/lens-area.h"

#include "app/snapshot.h"

#include <adwaita.h>
#include <math.h>

struct _TlLensArea
{
  GtkWidget          parent_instance;
  const TlLensCalls *calls;
  gpointer           data;
  char              *label;
  char              *told; /* description a screen reader has */
  TlScene           *scene;
  TlSnapshotter     *snapshotter;
  double             zoom;
  char              *from; /* id under the start of a drag, or NULL */
};

G_DEFINE_FINAL_TYPE (TlLensArea, tl_lens_area, GTK_TYPE_WIDGET)

void
tl_lens_area_changed (TlLensArea *area)
{
  g_clear_pointer (&area->scene, tl_scene_free);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

const TlScene *
tl_lens_area_scene (TlLensArea *area)
{
  return area->scene;
}

static void
tell (TlLensArea *area)
{
  const char *description = area->scene->description != NULL ? area->scene->description : "";

  if (g_strcmp0 (description, area->told) == 0)
    return;
  g_free (area->told);
  area->told = g_strdup (description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, area->label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, area->told, -1);
}

/* The desktop's text factor, as far as there is room. */
static double
zoom_of (int width, int height)
{
  int dpi = 0;

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  double zoom = MIN (dpi / (96.0 * 1024), MIN (width / 1000.0, height / 480.0));
  return zoom > 1.05 ? floor (zoom * 16) / 16 : 1;
}

/* The scene of now, for drawing and for picking: what is pointed at may come before the next frame. */
static gboolean
make_scene (TlLensArea *area)
{
  int         width = gtk_widget_get_width (GTK_WIDGET (area)), height = gtk_widget_get_height (GTK_WIDGET (area));
  TlThemeKind theme = adw_style_manager_get_dark (adw_style_manager_get_default ()) ? TL_THEME_DARK : TL_THEME_LIGHT;

  if (width <= 0 || height <= 0)
    return FALSE;
  area->zoom = zoom_of (width, height);
  float scene_width = (float) (width / area->zoom), scene_height = (float) (height / area->zoom);
  if (area->scene == NULL || area->scene->width != scene_width || area->scene->height != scene_height
      || area->scene->theme != theme)
    {
      g_clear_pointer (&area->scene, tl_scene_free);
      area->scene = area->calls->draw (scene_width, scene_height, theme, area->data);
      tell (area);
    }
  return TRUE;
}

static void
tl_lens_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TlLensArea *area = TL_LENS_AREA (widget);
  int         width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (!make_scene (area))
    return;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, (float) area->zoom, (float) area->zoom);
  tl_snapshotter_draw (area->snapshotter, widget, area->scene, area->zoom, snapshot);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 1, 1, width - 2, height - 2);
}

/* --- Pointer and keys --- */

static const TlGroup *
pick (TlLensArea *area, double x, double y)
{
  return make_scene (area) ? tl_scene_pick (area->scene, (float) (x / area->zoom), (float) (y / area->zoom)) : NULL;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, TlLensArea *area)
{
  const TlGroup *group = pick (area, x, y);

  if (area->calls->point != NULL)
    area->calls->point (group, (float) (x / area->zoom), (float) (y / area->zoom), area->data);
}

/* Asked for, not set: a tooltip's text that is set becomes the description that screen readers have. */
static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  const TlGroup *group = keyboard ? NULL : pick (TL_LENS_AREA (widget), x, y);

  if (group == NULL || group->title == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, group->title);
  return TRUE;
}

static void
on_leave (GtkEventControllerMotion *controller, TlLensArea *area)
{
  if (area->calls->point != NULL)
    area->calls->point (NULL, -1, -1, area->data);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, TlLensArea *area)
{
  const TlGroup *group = pick (area, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (area));
  g_free (area->from);
  area->from = group != NULL ? g_strdup (group->id) : NULL;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, TlLensArea *area)
{
  double x, y;

  if (area->from == NULL || area->calls->drag == NULL || !gtk_gesture_drag_get_start_point (gesture, &x, &y)
      || fabs (dx) + fabs (dy) < 4)
    return;
  area->calls->drag (area->from, pick (area, x + dx, y + dy), FALSE, area->data);
}

/* What was hardly moved was pressed. */
static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, TlLensArea *area)
{
  double x, y;

  if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  const TlGroup *over = pick (area, x + dx, y + dy);
  if (fabs (dx) + fabs (dy) >= 4 && area->calls->drag != NULL && area->from != NULL)
    area->calls->drag (area->from, over, TRUE, area->data);
  else if (area->calls->press != NULL)
    area->calls->press (pick (area, x, y), (float) (x / area->zoom), (float) (y / area->zoom), area->data);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlLensArea *area)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 || area->calls->key == NULL)
    return FALSE;
  return area->calls->key (key, state, area->data);
}

/* --- Set up --- */

static void
tl_lens_area_dispose (GObject *object)
{
  TlLensArea *area = TL_LENS_AREA (object);

  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), area);
  g_clear_pointer (&area->scene, tl_scene_free);
  g_clear_pointer (&area->snapshotter, tl_snapshotter_free);
  g_clear_pointer (&area->label, g_free);
  g_clear_pointer (&area->told, g_free);
  g_clear_pointer (&area->from, g_free);
  G_OBJECT_CLASS (tl_lens_area_parent_class)->dispose (object);
}

static void
tl_lens_area_class_init (TlLensAreaClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_lens_area_dispose;
  widget_class->snapshot = tl_lens_area_snapshot;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tl_lens_area_init (TlLensArea *area)
{
  GtkWidget          *widget = GTK_WIDGET (area);
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkGesture         *drag = gtk_gesture_drag_new ();

  area->zoom = 1;
  area->snapshotter = tl_snapshotter_new ();
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), area);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), area);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), area);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), area);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), area);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), area);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (tl_lens_area_changed), area);
}

GtkWidget *
tl_lens_area_new (const TlLensCalls *calls, gpointer data, const char *label)
{
  TlLensArea *area = g_object_new (TL_TYPE_LENS_AREA, NULL);

  area->calls = calls;
  area->data = data;
  area->label = g_strdup (label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_WIDGET (area);
}
