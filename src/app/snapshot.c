/* Nodes are found again by what their primitive looks like. Plain fills become colour
 * nodes, text becomes text nodes; the rest is drawn by the cairo painter into nodes of
 * tight bounds. */
#include "app/snapshot.h"

#include "scene/paint.h"

#include <math.h>
#include <string.h>

/* More boxes than this in one primitive are one cairo node, not one node each. */
#define COLOR_NODES 64

struct _TlSnapshotter
{
  PangoContext  *context;
  GHashTable    *nodes;  /* hash -> GskRenderNode *, of the last drawing */
  GskRenderNode *ground; /* the static layer, or NULL */
  guint64        ground_hash;
  double         scale;
};

TlSnapshotter *
tl_snapshotter_new (void)
{
  TlSnapshotter *snapshotter = g_new0 (TlSnapshotter, 1);

  snapshotter->nodes
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) gsk_render_node_unref);
  return snapshotter;
}

void
tl_snapshotter_free (TlSnapshotter *snapshotter)
{
  if (snapshotter == NULL)
    return;
  g_hash_table_unref (snapshotter->nodes);
  g_clear_pointer (&snapshotter->ground, gsk_render_node_unref);
  g_clear_object (&snapshotter->context);
  g_free (snapshotter);
}

static GdkRGBA
rgba (TlColor color)
{
  return (GdkRGBA) { (color >> 24 & 0xff) / 255.0f, (color >> 16 & 0xff) / 255.0f, (color >> 8 & 0xff) / 255.0f,
                     (color & 0xff) / 255.0f };
}

static gboolean
is_plain (const TlPrimitive *primitive)
{
  const TlStyle *style = &primitive->style;

  return primitive->kind == TL_PRIMITIVE_RECTS && primitive->rects.count <= COLOR_NODES && style->radius == 0
         && style->texture == TL_TEXTURE_NONE && ((style->stroke & 0xff) == 0 || style->width <= 0);
}

static void
append_boxes (const TlScene *scene, const TlPrimitive *primitive, GtkSnapshot *snapshot)
{
  GdkRGBA color = rgba (primitive->style.fill);

  for (guint i = 0; i < primitive->rects.count; i++)
    {
      const TlBox *box = &g_array_index (scene->boxes, TlBox, primitive->rects.first + i);
      gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height));
    }
}

static void
append_text (TlSnapshotter *snapshotter, const TlText *text, GtkSnapshot *snapshot)
{
  g_autoptr (PangoLayout) layout = tl_paint_layout (text, snapshotter->context);
  GdkRGBA color = rgba (text->color);
  int     width;

  pango_layout_get_size (layout, &width, NULL);
  double share = text->anchor == TL_ANCHOR_START ? 0 : text->anchor == TL_ANCHOR_END ? 1 : 0.5;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) (text->x - share * width / PANGO_SCALE),
                                                text->y - (float) pango_layout_get_baseline (layout) / PANGO_SCALE));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

/* Returns: (transfer full), NULL when there is nothing to see */
static GskRenderNode *
make_node (TlSnapshotter *snapshotter, const TlScene *scene, const TlPrimitive *primitive)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  if (is_plain (primitive))
    append_boxes (scene, primitive, snapshot);
  else if (primitive->kind == TL_PRIMITIVE_TEXT)
    append_text (snapshotter, &primitive->text, snapshot);
  else
    {
      TlBox    box = tl_scene_bounds (scene, primitive);
      cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (box.x, box.y, box.width, box.height));
      tl_paint_primitive (scene, primitive, cr);
      cairo_destroy (cr);
    }
  return gtk_snapshot_free_to_node (snapshot);
}

static guint64
static_hash (const TlScene *scene)
{
  guint64 hash = scene->theme + 1;

  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      if (primitive->layer == TL_LAYER_STATIC)
        hash = (hash ^ tl_scene_hash (scene, primitive)) * G_GUINT64_CONSTANT (1099511628211);
    }
  return hash;
}

/* The static layer in device pixels, drawn from there by cairo: as a texture node it would be taken over as a whole, pixel
 * by pixel, every frame. */
static GskRenderNode *
make_ground (const TlScene *scene, double scale)
{
  int              width = MAX ((int) ceil (scene->width * scale), 1);
  int              height = MAX ((int) ceil (scene->height * scale), 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t         *cr = cairo_create (surface);
  GskRenderNode   *node
      = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, (float) (width / scale), (float) (height / scale)));

  cairo_scale (cr, scale, scale);
  tl_paint_layer (scene, TL_LAYER_STATIC, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  cr = gsk_cairo_node_get_draw_context (node);
  cairo_scale (cr, 1.0 / scale, 1.0 / scale);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return node;
}

static void
draw_ground (TlSnapshotter *snapshotter, const TlScene *scene, double scale, GtkSnapshot *snapshot)
{
  guint64 hash = static_hash (scene);

  hash ^= (guint64) (scene->width * 4099) << 20 ^ (guint64) (scene->height * 131);
  if (snapshotter->ground == NULL || snapshotter->ground_hash != hash || snapshotter->scale != scale)
    {
      g_clear_pointer (&snapshotter->ground, gsk_render_node_unref);
      snapshotter->ground = make_ground (scene, scale);
      snapshotter->ground_hash = hash;
      snapshotter->scale = scale;
    }
  gtk_snapshot_append_node (snapshot, snapshotter->ground);
}

void
tl_snapshotter_draw (TlSnapshotter *snapshotter, GtkWidget *widget, const TlScene *scene, double zoom,
                     GtkSnapshot *snapshot)
{
  GHashTable *before = snapshotter->nodes;
  guint       clips = 0;

  if (snapshotter->context == NULL)
    {
      snapshotter->context = gtk_widget_create_pango_context (widget);
      tl_paint_context (snapshotter->context);
    }
  draw_ground (snapshotter, scene, gtk_widget_get_scale_factor (widget) * zoom, snapshot);
  snapshotter->nodes
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) gsk_render_node_unref);
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      if (primitive->kind == TL_PRIMITIVE_CLIP_BEGIN)
        {
          const TlBox *clip = &primitive->clip;
          gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (clip->x, clip->y, clip->width, clip->height));
          clips++;
          continue;
        }
      if (primitive->kind == TL_PRIMITIVE_CLIP_END && clips > 0)
        {
          gtk_snapshot_pop (snapshot);
          clips--;
          continue;
        }
      if (primitive->kind > TL_PRIMITIVE_GRID || primitive->layer == TL_LAYER_STATIC)
        continue;
      guint64        hash = tl_scene_hash (scene, primitive);
      GskRenderNode *node = g_hash_table_lookup (before, &hash);
      if (node != NULL)
        gsk_render_node_ref (node);
      else
        node = make_node (snapshotter, scene, primitive);
      if (node == NULL)
        continue;
      gtk_snapshot_append_node (snapshot, node);
      g_hash_table_insert (snapshotter->nodes, g_memdup2 (&hash, sizeof hash), node);
    }
  while (clips-- > 0)
    gtk_snapshot_pop (snapshot);
  g_hash_table_unref (before);
}
