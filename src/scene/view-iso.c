/* The stack in parallel projection: tiers as slabs over the logic die, bank groups on
 * an 8-wide grid in the ring's order, rows as blocks. And the ring as a circle. */
#include "base/number.h"
#include "scene/marks.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>

typedef struct
{
  TlScene            *scene;
  const TlView       *view;
  const TlPimMachine *machine;
  guint               columns, rows; /* of the grid of bank groups */
  float               x0, y0, ux, uy, vx, vy, tz, slab, block;
} Iso;

static void
project (const Iso *iso, float u, float v, float z, float *x, float *y)
{
  *x = iso->x0 + iso->ux * u + iso->vx * v;
  *y = iso->y0 + iso->uy * u + iso->vy * v - z;
}

/* Grid cell of a PU so that neighbours on the ring are neighbours on the grid: along
 * the front row, then in turns through the columns from 1, back down column 0. */
static void
cell_of (const Iso *iso, guint pu, guint *u, guint *v)
{
  guint columns = iso->columns, rows = iso->rows, inner = columns - 1;

  if (pu < columns)
    {
      *u = pu;
      *v = 0;
      return;
    }
  guint rest = pu - columns, row = rest / MAX (inner, 1) + 1;
  if (row < rows && inner > 0)
    {
      guint along = rest % inner;
      *v = row;
      *u = row % 2 == 1 ? columns - 1 - along : 1 + along;
      return;
    }
  guint back = rest - inner * (rows - 1);
  *u = 0;
  *v = rows - 1 - MIN (back, rows - 1);
}

static void
slab_quad (const Iso *iso, float z, float margin, float corner[8])
{
  float u = iso->columns + margin, v = iso->rows + margin;

  project (iso, -margin, -margin, z, &corner[0], &corner[1]);
  project (iso, u, -margin, z, &corner[2], &corner[3]);
  project (iso, u, v, z, &corner[4], &corner[5]);
  project (iso, -margin, v, z, &corner[6], &corner[7]);
}

/* Front and right faces of a slab of @height under the quad. */
static void
draw_sides (const Iso *iso, const float corner[8], float height, TlColor front, TlColor right)
{
  const float near_face[]
      = { corner[0], corner[1], corner[2], corner[3], corner[2], corner[3] + height, corner[0], corner[1] + height };
  const float far_face[]
      = { corner[2], corner[3], corner[4], corner[5], corner[4], corner[5] + height, corner[2], corner[3] + height };

  tl_scene_polygon (iso->scene, near_face, 4, TRUE, tl_fill (front));
  tl_scene_polygon (iso->scene, far_face, 4, TRUE, tl_fill (right));
}

static void
bank_quad (const Iso *iso, guint pu, guint bank, float z, float corner[8])
{
  guint u, v;
  float pitch = 0.86f / iso->machine->banks;

  cell_of (iso, pu, &u, &v);
  float left = u + 0.08f + pitch * bank, right = left + pitch * 0.86f;
  project (iso, left, v + 0.14f, z, &corner[0], &corner[1]);
  project (iso, right, v + 0.14f, z, &corner[2], &corner[3]);
  project (iso, right, v + 0.86f, z, &corner[4], &corner[5]);
  project (iso, left, v + 0.86f, z, &corner[6], &corner[7]);
}

static void
draw_bank (const Iso *iso, guint pu, guint bank, const TlBankFrame *frame, float z)
{
  static const TlRole roles[]
      = { TL_ROLE_SLOT, TL_ROLE_IDLE, TL_ROLE_CONFLICT, TL_ROLE_MISS, TL_ROLE_CONFLICT, TL_ROLE_HIT, TL_ROLE_HIT };
  TlThemeKind theme = iso->scene->theme;
  TlColor color = tl_theme_color (theme, roles[frame->state]), outline = tl_theme_color (theme, TL_ROLE_OUTLINE_SOLID);
  float   corner[8], height = frame->state >= TL_BANK_READING ? iso->block * 0.72f : iso->block;

  if (frame->state == TL_BANK_IDLE || frame->state == TL_BANK_CLOSING)
    {
      bank_quad (iso, pu, bank, z, corner);
      tl_scene_polygon (iso->scene, corner, 4, TRUE,
                        frame->state == TL_BANK_IDLE
                            ? tl_fill_stroke (tl_color_alpha (color, 0.75), theme == TL_THEME_PRINT ? outline : 0, 0.5f)
                            : tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), color, 1.1f));
      return;
    }
  bank_quad (iso, pu, bank, z + height, corner);
  draw_sides (iso, corner, height, tl_color_over (0x000000ff, color, 0.16), tl_color_over (0x000000ff, color, 0.32));
  tl_scene_polygon (iso->scene, corner, 4, TRUE, tl_fill_stroke (color, outline, 0.6f));
}

static void
draw_tier (const Iso *iso, guint tier)
{
  TlScene    *scene = iso->scene;
  TlThemeKind theme = scene->theme;
  float       z = tier * iso->tz, corner[8];
  TlColor     color = tl_theme_tier (theme, tier, iso->machine->tiers), view = tl_theme_color (theme, TL_ROLE_VIEW);
  g_autofree char *latency = tl_format_ps (iso->machine->tier[tier].tRCD);
  g_autofree char *title = g_strdup_printf ("tier %u: a row opens in %s", tier, latency);
  g_autoptr (GArray) grid = g_array_new (FALSE, FALSE, sizeof (TlPathStep));

  tl_scene_begin (scene, "tier", title, tier, "tier-%u", tier);
  slab_quad (iso, z, 0.16f, corner);
  draw_sides (iso, corner, iso->slab, color, tl_color_over (0x000000ff, color, 0.2));
  tl_scene_polygon (scene, corner, 4, TRUE, tl_fill_stroke (tl_color_over (color, view, 0.2), color, 1));
  tl_scene_hit_quad (scene, corner);
  for (guint u = 0; u <= iso->columns + iso->rows + 1; u++)
    {
      TlPathStep move = { 'M', { 0 } }, line = { 'L', { 0 } };
      gboolean   along = u <= iso->columns;
      float      at = along ? u : u - iso->columns - 1;
      project (iso, along ? at : 0, along ? 0 : at, z, &move.x[0], &move.x[1]);
      project (iso, along ? at : iso->columns, along ? iso->rows : at, z, &line.x[0], &line.x[1]);
      g_array_append_val (grid, move);
      g_array_append_val (grid, line);
    }
  tl_scene_path (scene, (const TlPathStep *) grid->data, grid->len, tl_stroke (tl_color_alpha (color, 0.35), 0.6f));
  if (iso->view->frame != NULL)
    for (guint v = iso->rows; v-- > 0;)
      for (guint p = 0; p < iso->machine->pus; p++)
        {
          guint cu, cv;
          cell_of (iso, p, &cu, &cv);
          for (guint b = 0; cv == v && b < iso->machine->banks; b++)
            {
              const TlBankFrame *frame = &iso->view->frame->bank[p * iso->machine->banks + b];
              if (frame->state != TL_BANK_CLOSED && frame->tier == tier)
                draw_bank (iso, p, b, frame, z);
            }
        }
  tl_scene_label (scene, corner[0] - 46, corner[1] + 2, TL_ANCHOR_END, 11, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                  "%s", latency);
  tl_scene_label (scene, corner[0] - 18, corner[1] + 2, TL_ANCHOR_END, 12, TRUE, tl_theme_color (theme, TL_ROLE_INK),
                  "T%u", tier);
  TlStyle bar = tl_fill (color), rail = tl_fill (tl_theme_color (theme, TL_ROLE_LINE));
  guint64 slowest = MAX (iso->machine->tier[iso->machine->tiers - 1].tRCD, 1u);
  bar.radius = rail.radius = 2;
  tl_scene_rect (scene, tl_box (corner[0] - 98, corner[1] + 7, 80, 4), rail);
  tl_scene_rect (scene, tl_box (corner[0] - 98, corner[1] + 7, 80.0f * iso->machine->tier[tier].tRCD / slowest, 4),
                 bar);
  tl_scene_end (scene);
}

static void
draw_die (const Iso *iso, float z)
{
  TlScene       *scene = iso->scene;
  TlThemeKind    theme = scene->theme;
  const TlFrame *frame = iso->view->frame;
  TlColor        top = tl_theme_color (theme, TL_ROLE_HEADER), view = tl_theme_color (theme, TL_ROLE_VIEW);
  float          corner[8], rx = MIN (12.5f, iso->ux * 0.24f), ry = rx * 0.55f;
  guint          pus = iso->machine->pus;

  tl_scene_begin (scene, "ring", "logic die: the PUs and their ring", 0, "ring");
  slab_quad (iso, z, 0.16f, corner);
  draw_sides (iso, corner, 10, tl_color_over (0x000000ff, top, 0.25), tl_color_over (0x000000ff, top, 0.4));
  tl_scene_polygon (scene, corner, 4, TRUE, tl_fill_stroke (top, tl_theme_color (theme, TL_ROLE_INK3), 1));
  for (guint p = 0; p < pus; p++)
    {
      guint    u1, v1, u2, v2;
      float    xy[4];
      gboolean carries = FALSE;
      cell_of (iso, p, &u1, &v1);
      cell_of (iso, (p + 1) % pus, &u2, &v2);
      project (iso, u1 + 0.5f, v1 + 0.5f, z, &xy[0], &xy[1]);
      project (iso, u2 + 0.5f, v2 + 0.5f, z, &xy[2], &xy[3]);
      if (frame != NULL && frame->hops > 0)
        {
          guint ahead = (p + pus - frame->moment->broadcast.pu) % pus;
          carries = ahead < frame->hops || pus - ahead <= frame->hops;
        }
      tl_scene_line (scene, xy[0], xy[1], xy[2], xy[3],
                     carries ? tl_stroke (tl_theme_color (theme, TL_ROLE_BROADCAST), 5)
                             : tl_stroke (tl_theme_color (theme, TL_ROLE_LINE), 3));
    }
  for (guint v = iso->rows; v-- > 0;)
    for (guint p = 0; p < pus; p++)
      {
        guint u, row;
        float x, y;
        cell_of (iso, p, &u, &row);
        if (row != v)
          continue;
        project (iso, u + 0.5f, row + 0.5f, z, &x, &y);
        const TlPuMoment *moment = frame != NULL ? &frame->moment->pu[p] : NULL;
        gboolean          sends = frame != NULL && frame->moment->sending && frame->moment->broadcast.pu == p;
        TlColor           fill = view;
        if (sends)
          fill = tl_theme_color (theme, TL_ROLE_BROADCAST);
        else if (moment != NULL && moment->activity == TL_PU_COMPUTING)
          fill = tl_color_over (tl_theme_color (theme, TL_ROLE_COMPUTE), view, theme == TL_THEME_PRINT ? 0 : 0.55);
        else if (moment != NULL && moment->activity != TL_PU_IDLE)
          fill = tl_color_over (tl_theme_color (theme, TL_ROLE_QUEUE), view, theme == TL_THEME_PRINT ? 0 : 0.55);
        g_autofree char *title = g_strdup_printf ("PU %u", p);
        tl_scene_begin (scene, "pu", title, p, "pu-%u", p);
        tl_scene_ellipse (scene, x, y, rx, ry, tl_fill_stroke (fill, tl_theme_color (theme, TL_ROLE_OUTLINE), 1));
        if (rx >= 8)
          tl_scene_label (scene, x, y + 3.2f, TL_ANCHOR_MIDDLE, 9, sends,
                          tl_theme_color (theme, sends && theme == TL_THEME_DARK ? TL_ROLE_OUTLINE_SOLID : TL_ROLE_INK),
                          "%u", p);
        tl_scene_hit (scene, tl_box (x - rx, y - ry, 2 * rx, 2 * ry));
        tl_scene_end (scene);
      }
  tl_scene_label (scene, corner[0] - 18, corner[1] + 2, TL_ANCHOR_END, 12, TRUE, tl_theme_color (theme, TL_ROLE_INK),
                  "Logic die");
  tl_scene_end (scene);
}

void
tl_view_iso (TlScene *scene, TlBox box, const TlView *view)
{
  Iso   iso = { .scene = scene, .view = view, .machine = &view->program->machine };
  guint pus = iso.machine->pus, tiers = iso.machine->tiers;

  iso.columns = pus >= 8 ? 8 : pus;
  iso.rows = (pus + iso.columns - 1) / iso.columns;
  float room = box.width - 120;
  iso.ux = room / (iso.columns + 0.46f * iso.rows + 0.6f);
  iso.uy = iso.ux * 0.06f;
  iso.vx = iso.ux * 0.46f;
  iso.vy = -MIN (iso.ux * 0.16f, 10);
  iso.slab = 5;
  iso.block = 5;
  float lift = iso.rows * fabsf (iso.vy);
  /* No slab may hide the discs of the die beneath. */
  float die = MAX (44, iso.rows * (fabsf (iso.vy) + iso.vx * iso.uy / iso.ux) + iso.slab + 4);
  iso.tz = MAX (12, (box.height - die - lift - iso.uy * iso.columns - 40) / MAX (tiers - 1, 1u));
  iso.x0 = box.x + 112;
  iso.y0 = box.y + box.height - die - 20 - iso.uy * iso.columns;
  draw_die (&iso, -die);
  for (guint t = 0; t < tiers; t++)
    draw_tier (&iso, t);
}

void
tl_view_ring (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPimMachine *machine = &view->program->machine;
  const TlFrame      *frame = view->frame;
  TlThemeKind         theme = scene->theme;
  float               cx = box.x + box.width / 2, cy = box.y + box.height / 2;
  float               radius = MIN (box.width, box.height) / 2 - 26;
  float               disc = MIN (13, (float) (G_PI * radius / machine->pus) - 1);

  tl_scene_begin (scene, "ring", "the PUs on their ring", 0, "ring");
  tl_scene_ellipse (scene, cx, cy, radius, radius, tl_stroke (tl_theme_color (theme, TL_ROLE_LINE), 5));
  for (guint p = 0; p < machine->pus; p++)
    {
      double from = -G_PI_2 + 2 * G_PI * p / machine->pus, to = -G_PI_2 + 2 * G_PI * (p + 1) / machine->pus;
      if (frame == NULL || frame->hops == 0)
        break;
      guint ahead = (p + machine->pus - frame->moment->broadcast.pu) % machine->pus;
      if (!(ahead < frame->hops || machine->pus - ahead <= frame->hops))
        continue;
      tl_scene_line (scene, cx + radius * (float) cos (from), cy + radius * (float) sin (from),
                     cx + radius * (float) cos (to), cy + radius * (float) sin (to),
                     tl_stroke (tl_theme_color (theme, TL_ROLE_BROADCAST), 6));
    }
  for (guint p = 0; p < machine->pus; p++)
    {
      double            angle = -G_PI_2 + 2 * G_PI * p / machine->pus;
      float             x = cx + radius * (float) cos (angle), y = cy + radius * (float) sin (angle);
      const TlPuMoment *moment = frame != NULL ? &frame->moment->pu[p] : NULL;
      gboolean          sends = frame != NULL && frame->moment->sending && frame->moment->broadcast.pu == p;
      TlRole            role = sends                                              ? TL_ROLE_BROADCAST
                               : moment == NULL || moment->activity == TL_PU_IDLE ? TL_ROLE_VIEW
                               : moment->activity == TL_PU_COMPUTING              ? TL_ROLE_COMPUTE
                                                                                  : TL_ROLE_QUEUE;
      TlColor           fill = tl_color_over (tl_theme_color (theme, role), tl_theme_color (theme, TL_ROLE_VIEW),
                                    theme == TL_THEME_PRINT ? 0 : 0.6);
      g_autofree char  *title = g_strdup_printf ("PU %u", p);
      tl_scene_begin (scene, "pu", title, p, "pu-%u", p);
      if (p < machine->search_pus)
        tl_mark_hexagon (scene, x, y, disc, tl_fill_stroke (fill, tl_theme_color (theme, TL_ROLE_OUTLINE), 1));
      else
        tl_scene_ellipse (scene, x, y, disc, disc, tl_fill_stroke (fill, tl_theme_color (theme, TL_ROLE_OUTLINE), 1));
      if (disc >= 7)
        tl_scene_label (scene, x, y + 3.4f, TL_ANCHOR_MIDDLE, 9.5f, sends, tl_theme_color (theme, TL_ROLE_INK), "%u",
                        p);
      tl_scene_hit (scene, tl_box (x - disc, y - disc, 2 * disc, 2 * disc));
      tl_scene_end (scene);
    }
  if (frame != NULL && (frame->moment->sending || frame->moment->hopping))
    {
      tl_scene_label (scene, cx, cy - 4, TL_ANCHOR_MIDDLE, 14, TRUE, tl_theme_color (theme, TL_ROLE_BROADCAST_INK),
                      "[%u,%u] from PU %u", frame->moment->broadcast.i, frame->moment->broadcast.j,
                      frame->moment->broadcast.pu);
      tl_scene_label (scene, cx, cy + 16, TL_ANCHOR_MIDDLE, 12, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                      "%u hops out", frame->hops);
    }
  tl_scene_end (scene);
}
