/* The canvas makes its scene anew when something it shows changes; the snapshotter
 * finds out what of it looks different. */
#include "app/canvas-private.h"

#include "app/snapshot.h"
#include "app/why-card.h"

#include <math.h>
#include <stdio.h>

#include <glib/gi18n.h>

struct _TlCanvas
{
  GtkWidget      parent_instance;
  TlDesk        *desk;
  TlViewKind     kind;
  char          *label;
  TlScene       *scene; /* NULL: to be made */
  double         zoom;  /* widget px a scene px */
  TlSnapshotter *snapshotter;
  gboolean       fresh;   /* of a run that was not drawn yet */
  char          *told;    /* description as last told to accessible readers */
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
  gtk_widget_queue_draw (GTK_WIDGET (canvas));
}

/* What a change must be of to matter to a view. */
static guint
cares_for (TlViewKind kind)
{
  switch (kind)
    {
    case TL_VIEW_TIMELINE:
    case TL_VIEW_WINDOW:
      return G_MAXUINT;
    case TL_VIEW_STATUS:
      return TL_DESK_RUN | TL_DESK_THEME;
    case TL_VIEW_WHY:
      return TL_DESK_RUN | TL_DESK_THEME | TL_DESK_SELECTION;
    case TL_VIEW_INSPECTOR:
      return TL_DESK_RUN | TL_DESK_THEME | TL_DESK_SELECTION | TL_DESK_TIME;
    default:
      return TL_DESK_RUN | TL_DESK_THEME | TL_DESK_SELECTION | TL_DESK_TIME | TL_DESK_HOVER;
    }
}

static void
on_changed (TlDesk *desk, guint what, TlCanvas *canvas)
{
  if ((what & TL_DESK_RUN) != 0)
    canvas->fresh = TRUE;
  if ((what & cares_for (canvas->kind)) != 0)
    drop_scene (canvas);
}

/* Cards and counters are words: they are told as they stand. (transfer full) */
static char *
words_of (const TlScene *scene)
{
  GString *words = g_string_new (NULL);

  for (guint p = 0; p < scene->primitives->len; p++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, p);
      if (primitive->kind == TL_PRIMITIVE_TEXT && primitive->text.text[0] != '\0')
        g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", primitive->text.text);
    }
  return g_string_free (words, FALSE);
}

/* The description changes with every step; it is told when it can be listened to.
 * What is selected is said too: the keyboard walks over items that only the eye sees. */
static void
tell (TlCanvas *canvas)
{
  const char    *id = tl_desk_selection (canvas->desk);
  const TlGroup *selected = id != NULL ? tl_scene_find (canvas->scene, id, NULL) : NULL;

  if (tl_player_is_playing (tl_desk_player (canvas->desk)) || canvas->scene->description == NULL)
    return;
  g_autofree char *description
      = canvas->kind == TL_VIEW_INSPECTOR || canvas->kind == TL_VIEW_STATUS ? words_of (canvas->scene)
        : selected != NULL && selected->title != NULL
            ? g_strdup_printf (_ ("Selected: %s. %s"), selected->title, canvas->scene->description)
            : g_strdup (canvas->scene->description);
  if (g_strcmp0 (description, canvas->told) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, canvas->label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  g_free (canvas->told);
  canvas->told = g_steal_pointer (&description);
}

/* The desktop's text factor, as far as the view still has room for what it shows. */
static double
zoom_of (TlViewKind kind, int width, int height)
{
  static const struct
  {
    float width, height;
  } least[TL_N_ALL_VIEWS] = {
    [TL_VIEW_WINDOW] = { 1000, 640 }, [TL_VIEW_STACK] = { 520, 320 },     [TL_VIEW_ISO] = { 480, 340 },
    [TL_VIEW_RING] = { 300, 300 },    [TL_VIEW_TILES] = { 200, 140 },     [TL_VIEW_TIMELINE] = { 640, 160 },
    [TL_VIEW_STATUS] = { 960, 22 },   [TL_VIEW_INSPECTOR] = { 240, 110 }, [TL_VIEW_WHY] = { 540, 330 },
    [TL_VIEW_SPOTS] = { 300, 240 },   [TL_VIEW_MATRIX] = { 520, 320 },
  };
  int dpi = 0;

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  double zoom = MIN (dpi / (96.0 * 1024), MIN (width / least[kind].width, height / least[kind].height));
  return zoom > 1.05 ? floor (zoom * 16) / 16 : 1;
}

/* What a run of requests shows in the place of a view that only tiles and PUs have. */
static TlViewKind
of_replay (TlViewKind kind)
{
  return kind == TL_VIEW_TILES ? TL_VIEW_SPOTS : kind == TL_VIEW_ISO ? TL_VIEW_STACK : kind;
}

static void
make_scene (TlCanvas *canvas, float width, float height)
{
  TlView view;

  canvas->scene = tl_scene_new (width, height, tl_desk_theme (canvas->desk));
  if (!tl_desk_view (canvas->desk, has_lanes (canvas->kind) ? (guint) MAX (width - 130, 64) : 0, &view))
    return;
  tl_view_draw (view.replay != NULL ? of_replay (canvas->kind) : canvas->kind, canvas->scene,
                tl_box (0, 0, width, height), &view);
  tell (canvas);
}

static void
tl_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TlCanvas *canvas = TL_CANVAS (widget);
  int       width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width <= 0 || height <= 0)
    return;
  canvas->zoom = zoom_of (canvas->kind, width, height);
  float scene_width = (float) (width / canvas->zoom), scene_height = (float) (height / canvas->zoom);
  if (canvas->scene == NULL || canvas->scene->width != scene_width || canvas->scene->height != scene_height)
    {
      g_clear_pointer (&canvas->scene, tl_scene_free);
      make_scene (canvas, scene_width, scene_height);
    }
  gboolean stale = tl_live_is_stale (tl_desk_live (canvas->desk));
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (stale)
    gtk_snapshot_push_opacity (snapshot, 0.45);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, (float) canvas->zoom, (float) canvas->zoom);
  tl_snapshotter_draw (canvas->snapshotter, widget, canvas->scene, canvas->zoom, snapshot);
  gtk_snapshot_restore (snapshot);
  if (stale)
    gtk_snapshot_pop (snapshot);
  gtk_snapshot_pop (snapshot);
  if (canvas->fresh && !stale)
    {
      canvas->fresh = FALSE;
      g_log ("tierloom", G_LOG_LEVEL_DEBUG, "drawn: %s", tl_view_name (canvas->kind));
    }
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 1, 1, width - 2, height - 2);
}

static void
tl_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *card = g_object_get_data (G_OBJECT (widget), "why-card");

  if (card != NULL)
    gtk_popover_present (GTK_POPOVER (card));
}

void
tl_canvas_why (TlCanvas *canvas)
{
  const char *id = tl_desk_selection (canvas->desk);
  int         width = gtk_widget_get_width (GTK_WIDGET (canvas)), height = gtk_widget_get_height (GTK_WIDGET (canvas));
  TlBox       box = tl_box ((float) (width / canvas->zoom / 2), 20, 0, 0), found;
  unsigned    pu, bank;

  /* What was selected just now moved the moment, and dropped the scene. */
  if (canvas->scene == NULL && width > 0 && height > 0)
    make_scene (canvas, (float) (width / canvas->zoom), (float) (height / canvas->zoom));
  if (canvas->scene != NULL && id != NULL)
    {
      TlReplayTrack       *replay = tl_desk_replay (canvas->desk);
      const TlReplayShown *shown = replay != NULL ? tl_replay_track_shown (replay, id) : NULL;
      g_autofree char     *of_bank
          = shown != NULL && shown->conflict != NULL ? g_strdup_printf ("domain-%u", shown->conflict->cause.domain)
            : sscanf (id, "conflict-%u-%u", &pu, &bank) == 2 ? g_strdup_printf ("bank-%u-%u", pu, bank)
                                                             : NULL;
      if (tl_scene_find (canvas->scene, id, &found) != NULL && found.width > 0)
        box = found;
      else if (of_bank != NULL && tl_scene_find (canvas->scene, of_bank, &found) != NULL && found.width > 0)
        box = found;
    }
  tl_why_card_show (GTK_WIDGET (canvas), canvas->desk, (box.x + box.width / 2) * canvas->zoom,
                    (box.y + MIN (box.height, 40) / 2) * canvas->zoom);
}

/* What lies at a place of the widget. */
static const TlGroup *
pick (TlCanvas *canvas, double x, double y)
{
  return canvas->scene != NULL ? tl_scene_pick (canvas->scene, (float) (x / canvas->zoom), (float) (y / canvas->zoom))
                               : NULL;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, TlCanvas *canvas)
{
  const TlGroup *group = pick (canvas, x, y);

  if (g_strcmp0 (tl_desk_hover (canvas->desk), group != NULL ? group->id : NULL) != 0)
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
  guint64        end = tl_player_end (tl_desk_player (canvas->desk));
  x /= canvas->zoom;
  y /= canvas->zoom;
  if (strip == NULL || end == 0 || x < box.x || x > box.x + box.width)
    return FALSE;
  double share = (x - box.x) / box.width;
  if (y < box.y + box.height)
    tl_player_seek (tl_desk_player (canvas->desk), (guint64) (share * end));
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
  const TlGroup *group = pick (canvas, x, y);

  /* The focus leaves the editor, whose caret was the hover: that drops the scene the group is in. */
  g_autofree char *id = group != NULL ? g_strdup (group->id) : NULL;
  gtk_widget_grab_focus (GTK_WIDGET (canvas));
  gboolean conflict = id != NULL && g_str_has_prefix (id, "conflict-");
  if (!conflict && seek_at (canvas, x, y))
    return;
  tl_desk_select (canvas->desk, id);
  if (id == NULL)
    return;
  g_signal_emit (canvas, signals[CHOSEN], 0, id);
  if (canvas->kind != TL_VIEW_WHY && tl_why_card_find (canvas->desk))
    tl_why_card_show (GTK_WIDGET (canvas), canvas->desk, x, y);
}

static void
on_drag (GtkGestureDrag *gesture, double dx, double dy, TlCanvas *canvas)
{
  double x, y;

  if (fabs (dx) > 2 && gtk_gesture_drag_get_start_point (gesture, &x, &y))
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

static void
select_item (TlCanvas *canvas, const GArray *items, guint index)
{
  g_autofree char *id
      = g_strdup (g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, index)).id);

  canvas->focused = index;
  tl_desk_select (canvas->desk, id);
}

/* Index of the selection among the items, or of the one last walked to. */
static guint
current_item (TlCanvas *canvas, const GArray *items)
{
  const char *selection = tl_desk_selection (canvas->desk);

  for (guint i = 0; i < items->len && selection != NULL; i++)
    if (g_str_equal (g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, i)).id, selection))
      canvas->focused = i;
  return MIN (canvas->focused, items->len - 1);
}

void
tl_canvas_turn (TlCanvas *canvas, int by)
{
  if (canvas->scene == NULL)
    return;
  g_autoptr (GArray) items = tl_scene_items (canvas->scene);
  if (items->len > 0)
    select_item (canvas, items,
                 (current_item (canvas, items) + items->len + (guint) (by % (int) items->len)) % items->len);
}

void
tl_canvas_walk (TlCanvas *canvas, int dx, int dy)
{
  if (canvas->scene == NULL)
    return;
  g_autoptr (GArray) items = tl_scene_items (canvas->scene);
  if (items->len == 0)
    return;
  guint at = current_item (canvas, items), best = at;
  float nearest = G_MAXFLOAT;
  TlBox here, there;
  tl_scene_find (canvas->scene, g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, at)).id,
                 &here);
  for (guint i = 0; i < items->len; i++)
    {
      const TlGroup *group = &g_array_index (canvas->scene->groups, TlGroup, g_array_index (items, guint32, i));
      tl_scene_find (canvas->scene, group->id, &there);
      float along = (there.x + there.width / 2 - here.x - here.width / 2) * (float) dx
                    + (there.y + there.height / 2 - here.y - here.height / 2) * (float) dy;
      float across = fabsf (there.x - here.x) * (float) abs (dy) + fabsf (there.y - here.y) * (float) abs (dx);
      float distance = along + 2 * across;
      if (i == at || along < 2 || distance >= nearest)
        continue;
      nearest = distance;
      best = i;
    }
  select_item (canvas, items, best);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlCanvas *canvas)
{
  return tl_canvas_key (canvas, canvas->desk, key, state);
}

static void
on_focus (GtkEventControllerFocus *controller, TlCanvas *canvas)
{
  if (canvas->kind != TL_VIEW_WHY && canvas->kind != TL_VIEW_STATUS)
    tl_desk_set_focused (canvas->desk, G_OBJECT (canvas));
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

const char *
tl_canvas_label (TlCanvas *canvas)
{
  return canvas->label;
}

void
tl_canvas_set_label (TlCanvas *canvas, const char *label)
{
  if (g_strcmp0 (canvas->label, label) == 0)
    return;
  g_free (canvas->label);
  canvas->label = g_strdup (label);
  g_clear_pointer (&canvas->told, g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
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
  g_clear_pointer (&canvas->snapshotter, tl_snapshotter_free);
  GtkWidget *card = g_object_get_data (object, "why-card");
  if (card != NULL)
    {
      g_object_set_data (object, "why-card", NULL);
      gtk_widget_unparent (card);
    }
  g_clear_pointer (&canvas->told, g_free);
  g_clear_pointer (&canvas->label, g_free);
  G_OBJECT_CLASS (tl_canvas_parent_class)->dispose (object);
}

static void
tl_canvas_class_init (TlCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_canvas_dispose;
  widget_class->snapshot = tl_canvas_snapshot;
  widget_class->size_allocate = tl_canvas_size_allocate;
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

  canvas->zoom = 1;
  canvas->snapshotter = tl_snapshotter_new ();
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
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus), canvas);
  gtk_widget_add_controller (widget, focus);
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
