/* The canvas draws its scene into a cairo node that is kept until something it
 * shows changes. */
#include "app/canvas.h"

#include "scene/paint.h"

#include <glib/gi18n.h>

struct _TlCanvas
{
  GtkWidget      parent_instance;
  TlDesk        *desk;
  TlViewKind     kind;
  char          *label;
  TlScene       *scene;   /* NULL: to be made */
  GskRenderNode *node;    /* of the scene, NULL: to be made */
  guint          focused; /* item the keyboard is on */
};

G_DEFINE_FINAL_TYPE (TlCanvas, tl_canvas, GTK_TYPE_WIDGET)

enum
{
  CHOSEN,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static gboolean
has_lanes (TlViewKind kind)
{
  return kind == TL_VIEW_TIMELINE || kind == TL_VIEW_WINDOW;
}

static void
drop_scene (TlCanvas *canvas)
{
  g_clear_pointer (&canvas->scene, tl_scene_free);
  g_clear_pointer (&canvas->node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (canvas));
}

static void
on_changed (TlDesk *desk, guint what, TlCanvas *canvas)
{
  if (what == TL_DESK_WINDOW && !has_lanes (canvas->kind))
    return;
  drop_scene (canvas);
}

static void
make_scene (TlCanvas *canvas, int width, int height)
{
  TlView view;

  canvas->scene = tl_scene_new (width, height, tl_desk_theme (canvas->desk));
  if (!tl_desk_view (canvas->desk, has_lanes (canvas->kind) ? (guint) MAX (width - 130, 64) : 0, &view))
    return;
  tl_view_draw (canvas->kind, canvas->scene, tl_box (0, 0, width, height), &view);
  /* What is selected is said too: the keyboard walks over items that only the eye sees. */
  const char      *id = tl_desk_selection (canvas->desk);
  const TlGroup   *selected = id != NULL ? tl_scene_find (canvas->scene, id, NULL) : NULL;
  g_autofree char *description
      = selected != NULL && selected->title != NULL
            ? g_strdup_printf (_ ("Selected: %s. %s"), selected->title, canvas->scene->description)
            : g_strdup (canvas->scene->description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, canvas->label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
tl_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TlCanvas *canvas = TL_CANVAS (widget);
  int       width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width <= 0 || height <= 0)
    return;
  if (canvas->scene == NULL || canvas->scene->width != width || canvas->scene->height != height)
    {
      drop_scene (canvas);
      make_scene (canvas, width, height);
    }
  if (canvas->node == NULL)
    {
      graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
      canvas->node = gsk_cairo_node_new (&bounds);
      cairo_t *cr = gsk_cairo_node_get_draw_context (canvas->node);
      tl_paint_cairo (canvas->scene, cr);
      cairo_destroy (cr);
    }
  gboolean stale = tl_live_is_stale (tl_desk_live (canvas->desk));
  if (stale)
    gtk_snapshot_push_opacity (snapshot, 0.45);
  gtk_snapshot_append_node (snapshot, canvas->node);
  if (stale)
    gtk_snapshot_pop (snapshot);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 1, 1, width - 2, height - 2);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, TlCanvas *canvas)
{
  const TlGroup *group = canvas->scene != NULL ? tl_scene_pick (canvas->scene, (float) x, (float) y) : NULL;

  gtk_widget_set_tooltip_text (GTK_WIDGET (canvas), group != NULL ? group->title : NULL);
  tl_desk_set_hover (canvas->desk, group != NULL ? group->id : NULL);
}

static void
on_leave (GtkEventControllerMotion *controller, TlCanvas *canvas)
{
  tl_desk_set_hover (canvas->desk, NULL);
}

/* Seeks to where the strip or the lanes were hit. */
static gboolean
seek_at (TlCanvas *canvas, double x, double y)
{
  TlBox box;
  if (canvas->scene == NULL || !has_lanes (canvas->kind))
    return FALSE;
  const TlGroup *strip = tl_scene_find (canvas->scene, "whole-run", &box);
  TlSimRun      *run = tl_player_run (tl_desk_player (canvas->desk));
  if (strip == NULL || run == NULL || x < box.x || x > box.x + box.width)
    return FALSE;
  double share = (x - box.x) / box.width;
  if (y < box.y + box.height)
    tl_player_seek (tl_desk_player (canvas->desk), (guint64) (share * run->makespan));
  else
    {
      guint64 from, to;
      tl_desk_window (canvas->desk, &from, &to);
      tl_player_seek (tl_desk_player (canvas->desk), from + (guint64) (share * (to - from)));
    }
  return TRUE;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, TlCanvas *canvas)
{
  const TlGroup *group = canvas->scene != NULL ? tl_scene_pick (canvas->scene, (float) x, (float) y) : NULL;

  gtk_widget_grab_focus (GTK_WIDGET (canvas));
  if (seek_at (canvas, x, y))
    return;
  g_autofree char *id = group != NULL ? g_strdup (group->id) : NULL;
  tl_desk_select (canvas->desk, id);
  if (id != NULL)
    g_signal_emit (canvas, signals[CHOSEN], 0, id);
}

static void
on_drag (GtkGestureDrag *gesture, double dx, double dy, TlCanvas *canvas)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    seek_at (canvas, x + dx, y);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, TlCanvas *canvas)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (!has_lanes (canvas->kind))
    return FALSE;
  if (dx != 0 || (state & GDK_SHIFT_MASK) != 0)
    tl_desk_pan (canvas->desk, (dx != 0 ? dx : dy) * 0.1);
  else
    tl_desk_zoom (canvas->desk, dy > 0 ? 1.25 : 0.8, 0.3);
  return TRUE;
}

/* Moves the selection to the item @by places on in reading order. */
static void
walk (TlCanvas *canvas, int by)
{
  if (canvas->scene == NULL)
    return;
  g_autoptr (GArray) items = tl_scene_items (canvas->scene);
  if (items->len == 0)
    return;
  const char *selection = tl_desk_selection (canvas->desk);
  for (guint i = 0; i < items->len && selection != NULL; i++)
    if (g_str_equal (g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, i)).id, selection))
      canvas->focused = i;
  canvas->focused = (canvas->focused + items->len + (guint) (by % (int) items->len)) % items->len;
  g_autofree char *id
      = g_strdup (g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, canvas->focused)).id);
  tl_desk_select (canvas->desk, id);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlCanvas *canvas)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_period:
      walk (canvas, 1);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_comma:
      walk (canvas, -1);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (tl_desk_selection (canvas->desk) != NULL)
        g_signal_emit (canvas, signals[CHOSEN], 0, tl_desk_selection (canvas->desk));
      return TRUE;
    case GDK_KEY_Escape:
      tl_desk_select (canvas->desk, NULL);
      return TRUE;
    case GDK_KEY_w:
      tl_desk_zoom (canvas->desk, 0.8, 0.3);
      return has_lanes (canvas->kind);
    case GDK_KEY_s:
      tl_desk_zoom (canvas->desk, 1.25, 0.3);
      return has_lanes (canvas->kind);
    case GDK_KEY_a:
      tl_desk_pan (canvas->desk, -0.25);
      return has_lanes (canvas->kind);
    case GDK_KEY_d:
      tl_desk_pan (canvas->desk, 0.25);
      return has_lanes (canvas->kind);
    default:
      return FALSE;
    }
}

void
tl_canvas_set_kind (TlCanvas *canvas, TlViewKind kind)
{
  if (canvas->kind == kind)
    return;
  canvas->kind = kind;
  drop_scene (canvas);
}

TlViewKind
tl_canvas_kind (TlCanvas *canvas)
{
  return canvas->kind;
}

const TlScene *
tl_canvas_scene (TlCanvas *canvas)
{
  return canvas->scene;
}

static void
tl_canvas_dispose (GObject *object)
{
  TlCanvas *canvas = TL_CANVAS (object);

  if (canvas->desk != NULL)
    g_signal_handlers_disconnect_by_data (canvas->desk, canvas);
  g_clear_object (&canvas->desk);
  g_clear_pointer (&canvas->scene, tl_scene_free);
  g_clear_pointer (&canvas->node, gsk_render_node_unref);
  g_clear_pointer (&canvas->label, g_free);
  G_OBJECT_CLASS (tl_canvas_parent_class)->dispose (object);
}

static void
tl_canvas_class_init (TlCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_canvas_dispose;
  widget_class->snapshot = tl_canvas_snapshot;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[CHOSEN]
      = g_signal_new ("chosen", TL_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tl_canvas_init (TlCanvas *canvas)
{
  GtkWidget          *widget = GTK_WIDGET (canvas);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture         *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();

  gtk_widget_set_focusable (widget, TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), canvas);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), canvas);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), canvas);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), canvas);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), canvas);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag), canvas);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
tl_canvas_new (TlDesk *desk, TlViewKind kind, const char *label)
{
  TlCanvas *canvas = g_object_new (TL_TYPE_CANVAS, NULL);

  canvas->desk = g_object_ref (desk);
  canvas->kind = kind;
  canvas->label = g_strdup (label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (desk, "changed", G_CALLBACK (on_changed), canvas);
  return GTK_WIDGET (canvas);
}
