/* Greedy placement by latency sensitivity. GenMLIR section 3.3; models.md section 3. */
#include "passes/sigma.h"

#include <string.h>

/* a/b against c/d as exact 128-bit products; x/0 is infinite for x > 0, 0/0 is 0. */
static int
compare_ratio (guint64 a, guint64 b, guint64 c, guint64 d)
{
  gboolean          first = b == 0 && a > 0;
  gboolean          second = d == 0 && c > 0;
  unsigned __int128 left = (unsigned __int128) a * (d == 0 ? 1 : d);
  unsigned __int128 right = (unsigned __int128) c * (b == 0 ? 1 : b);

  if (first || second)
    return (int) first - (int) second;
  return left < right ? -1 : left > right;
}

int
tl_sigma_compare (const TlMemoryObject *a, const TlMemoryObject *b)
{
  int order = compare_ratio (b->dependent, b->streamed, a->dependent, a->streamed);

  return order != 0 ? order : strcmp (a->name, b->name);
}

/* Greatest sigma first; insertion keeps the order of full ties. */
static void
order_objects (const TlMemoryObject *objects, guint n_objects, guint *order)
{
  for (guint i = 0; i < n_objects; i++)
    {
      guint at = i;

      for (; at > 0 && tl_sigma_compare (&objects[order[at - 1]], &objects[i]) > 0; at--)
        order[at] = order[at - 1];
      order[at] = i;
    }
}

gboolean
tl_sigma_place (const TlMemoryObject *objects, guint n_objects, guint64 *room, guint n_tiers, GArray *shares,
                guint64 *missing)
{
  g_autofree guint *order = g_new (guint, n_objects + 1);
  guint             tier = 0;
  guint64           lost = 0;

  order_objects (objects, n_objects, order);
  for (guint o = 0; o < n_objects; o++)
    {
      guint64 left = objects[order[o]].bytes;

      while (left > 0 && tier < n_tiers)
        {
          TlTierShare share = { order[o], tier, MIN (left, room[tier]) };

          room[tier] -= share.bytes;
          left -= share.bytes;
          if (share.bytes > 0)
            g_array_append_val (shares, share);
          if (room[tier] == 0)
            tier++;
        }
      lost += left;
    }
  if (missing != NULL)
    *missing = lost;
  return lost == 0;
}

double
tl_sigma_cost (const TlMemoryObject *objects, guint n_objects, const GArray *shares, const double *latency)
{
  double cost = 0;

  for (guint s = 0; s < shares->len; s++)
    {
      const TlTierShare    *share = &g_array_index (shares, TlTierShare, s);
      const TlMemoryObject *object = &objects[share->object];

      g_return_val_if_fail (share->object < n_objects, cost);
      cost += (double) object->dependent / (double) MAX (object->streamed, 1) * (double) share->bytes
              * latency[share->tier];
    }
  return cost;
}
