/* What is under a point, where a thing is, and the order in which a keyboard walks. */
#include "scene/scene.h"

#include <string.h>

static gboolean
in_box (const TlBox *box, float x, float y)
{
  return x >= box->x && y >= box->y && x < box->x + box->width && y < box->y + box->height;
}

/* Inside a convex quadrilateral: on the same side of all four edges. */
static gboolean
in_quad (const float *corner, float x, float y)
{
  gboolean left = FALSE, right = FALSE;

  for (guint i = 0; i < 4; i++)
    {
      const float *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % 4);
      float        side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
      left |= side > 0;
      right |= side < 0;
    }
  return !(left && right);
}

const TlGroup *
tl_scene_pick (const TlScene *scene, float x, float y)
{
  for (guint i = scene->hits->len; i-- > 0;)
    {
      const TlHit *hit = &g_array_index (scene->hits, TlHit, i);
      if (in_box (&hit->box, x, y) && (!hit->quad || in_quad (hit->corner, x, y)))
        return &g_array_index (scene->groups, TlGroup, hit->group);
    }
  return NULL;
}

const TlGroup *
tl_scene_find (const TlScene *scene, const char *id, TlBox *box)
{
  for (guint g = 0; g < scene->groups->len; g++)
    {
      const TlGroup *group = &g_array_index (scene->groups, TlGroup, g);
      gboolean       any = FALSE;
      if (strcmp (group->id, id) != 0)
        continue;
      for (guint i = 0; box != NULL && i < scene->hits->len; i++)
        {
          const TlHit *hit = &g_array_index (scene->hits, TlHit, i);
          if (hit->group != g)
            continue;
          if (!any)
            *box = hit->box;
          else
            {
              float right = MAX (box->x + box->width, hit->box.x + hit->box.width);
              float bottom = MAX (box->y + box->height, hit->box.y + hit->box.height);
              box->x = MIN (box->x, hit->box.x);
              box->y = MIN (box->y, hit->box.y);
              box->width = right - box->x;
              box->height = bottom - box->y;
            }
          any = TRUE;
        }
      if (!any && box != NULL)
        *box = tl_box (0, 0, 0, 0);
      return group;
    }
  return NULL;
}

typedef struct
{
  guint32 group;
  int     row;
  float   x;
} Item;

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *first = a, *second = b;

  if (first->row != second->row)
    return first->row < second->row ? -1 : 1;
  if (first->x != second->x)
    return first->x < second->x ? -1 : 1;
  return first->group < second->group ? -1 : first->group > second->group;
}

GArray *
tl_scene_items (const TlScene *scene)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autofree guint8 *seen = g_new0 (guint8, scene->groups->len + 1);

  for (guint i = 0; i < scene->hits->len; i++)
    {
      const TlHit *hit = &g_array_index (scene->hits, TlHit, i);
      if (seen[hit->group])
        continue;
      seen[hit->group] = 1;
      Item item = { hit->group, (int) (hit->box.y / 8), hit->box.x };
      g_array_append_val (items, item);
    }
  g_array_sort (items, compare_items);

  GArray *groups = g_array_sized_new (FALSE, FALSE, sizeof (guint32), items->len);
  for (guint i = 0; i < items->len; i++)
    g_array_append_val (groups, g_array_index (items, Item, i).group);
  return groups;
}
