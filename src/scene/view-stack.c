/* The flat stack: one strip a tier, one column a bank group, one bar a bank at the
 * tier of its open row. A bar's height tells its state before its colour does. The
 * ring lies unrolled under the shafts, at their pitch. models.md section 2. */
#include "base/number.h"
#include "scene/marks.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABELS      74 /* px left of the shafts */
#define RING_HEIGHT 76
#define LEGEND      40

typedef struct
{
  TlScene            *scene;
  const TlView       *view;
  const TlPimMachine *machine;
  float               x, y;  /* of the first shaft, of the top strip */
  float               pitch; /* a shaft */
  float               bank;  /* pitch of a bank inside it */
  float               bar;   /* width of a bank's bar */
  float               strip; /* height of a tier's strip */
} Stack;

static float
shelf_y (const Stack *stack, guint tier)
{
  return stack->y + (stack->machine->tiers - tier) * stack->strip - 4;
}

static float
shaft_x (const Stack *stack, guint pu)
{
  return stack->x + pu * stack->pitch;
}

/* Lower strips have no room for a bar under their label. */
#define LEAST_STRIP 24

static void
draw_tier (const Stack *stack, guint tier, guint64 slowest)
{
  TlScene         *scene = stack->scene;
  TlThemeKind      theme = scene->theme;
  guint64          tRCD = stack->machine->tier[tier].tRCD;
  float            y = shelf_y (stack, tier), width = stack->machine->pus * stack->pitch;
  g_autofree char *latency = tl_format_ps (tRCD);
  g_autofree char *cycle = tl_format_ps (stack->machine->tier[tier].tRC);
  g_autofree char *title = g_strdup_printf ("tier %u: a row opens in %s, row cycle %s", tier, latency, cycle);
  TlColor          color = tl_theme_tier (theme, tier, stack->machine->tiers);
  gboolean         roomy = stack->strip >= LEAST_STRIP;
  float            baseline = roomy ? y - stack->strip * 0.45f : y - 1;

  tl_scene_begin (scene, "tier", title, tier, "tier-%u", tier);
  tl_scene_rect (scene, tl_box (stack->x, y - stack->strip + 10, width, stack->strip - 10),
                 tl_fill (tl_theme_color (theme, TL_ROLE_SLOT)));
  tl_scene_rect (scene, tl_box (stack->x, y, width, 2), tl_fill (color));
  tl_scene_label (scene, stack->x - 8, baseline, TL_ANCHOR_END, 10.5f, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                  "%s", latency);
  tl_scene_label (scene, stack->x - LABELS + 2, baseline, TL_ANCHOR_START, 11, TRUE,
                  tl_theme_color (theme, TL_ROLE_INK), "T%u", tier);
  TlStyle bar = tl_fill (color);
  bar.radius = 2;
  TlStyle rail = tl_fill (tl_theme_color (theme, TL_ROLE_LINE));
  rail.radius = 2;
  if (roomy)
    tl_scene_rect (scene, tl_box (stack->x - LABELS + 2, baseline + 6, LABELS - 10, 4), rail);
  if (roomy && slowest > 0)
    tl_scene_rect (scene, tl_box (stack->x - LABELS + 2, baseline + 6, (LABELS - 10) * (float) tRCD / slowest, 4), bar);
  tl_scene_hit (scene, tl_box (stack->x - LABELS, y - stack->strip + 10, LABELS - 4, stack->strip - 8));
  tl_scene_end (scene);
}

static const char *const state_words[]
    = { "closed",     "row open",     "being closed", "being opened", "being opened after a conflict",
        "being read", "being written" };

/* Boxes of all banks in one state; drawn at once, so that a state is one path. */
static void
draw_state (const Stack *stack, TlBankState state)
{
  static const struct
  {
    guint8   role;
    float    height;
    gboolean hollow;
  } looks[] = {
    [TL_BANK_IDLE] = { TL_ROLE_IDLE, 0.34f, FALSE },    [TL_BANK_CLOSING] = { TL_ROLE_CONFLICT, 0.56f, TRUE },
    [TL_BANK_OPENING] = { TL_ROLE_MISS, 0.92f, FALSE }, [TL_BANK_REOPENING] = { TL_ROLE_CONFLICT, 1.0f, FALSE },
    [TL_BANK_READING] = { TL_ROLE_HIT, 0.68f, FALSE },  [TL_BANK_WRITING] = { TL_ROLE_HIT, 0.68f, FALSE },
  };
  const TlFrame *frame = stack->view->frame;
  TlThemeKind    theme = stack->scene->theme;
  guint          banks = frame->moment->n_banks;
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));

  for (guint i = 0; i < frame->moment->n_pus * banks; i++)
    {
      if (frame->bank[i].state != state)
        continue;
      float height = roundf (looks[state].height * stack->strip);
      TlBox box = tl_box (shaft_x (stack, i / banks) + 1 + (i % banks) * stack->bank,
                          shelf_y (stack, frame->bank[i].tier) - height, stack->bar, height);
      g_array_append_val (boxes, box);
    }
  TlColor color = tl_theme_color (theme, looks[state].role);
  TlStyle style
      = looks[state].hollow ? tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), color, 1) : tl_fill (color);
  if (!looks[state].hollow && state != TL_BANK_IDLE)
    {
      style.stroke = tl_theme_color (theme, TL_ROLE_OUTLINE);
      style.width = 0.6f;
    }
  if (theme == TL_THEME_PRINT && state == TL_BANK_IDLE)
    style = tl_fill_stroke (color, tl_theme_color (theme, TL_ROLE_INK), 0.5f);
  if (theme == TL_THEME_PRINT && state == TL_BANK_OPENING)
    style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), color, 1);
  if (state == TL_BANK_WRITING)
    {
      style.texture = TL_TEXTURE_HORIZONTAL;
      style.texture_color = tl_theme_color (theme, TL_ROLE_VIEW);
    }
  tl_scene_rects (stack->scene, (const TlBox *) boxes->data, boxes->len, style);
}

/* One group a shaft: hit areas of its banks stand in it. */
static void
draw_shaft (const Stack *stack, guint pu)
{
  TlScene       *scene = stack->scene;
  const TlFrame *frame = stack->view->frame;
  guint          banks = frame->moment->n_banks;

  for (guint b = 0; b < banks; b++)
    {
      const TlBankFrame *bank = &frame->bank[pu * banks + b];
      g_autofree char   *title = bank->state == TL_BANK_CLOSED
                                     ? g_strdup_printf ("PU %u, bank %u: closed", pu, b)
                                     : g_strdup_printf ("PU %u, bank %u: row %u of T%u, %s", pu, b,
                                                        (guint) (bank->row % MAX (stack->machine->rows, 1)), bank->tier,
                                                        state_words[bank->state]);
      tl_scene_begin (scene, "bank", title, (guint64) pu << 32 | b, "bank-%u-%u", pu, b);
      tl_scene_hit (scene, tl_box (shaft_x (stack, pu) + b * stack->bank, stack->y, stack->bank,
                                   stack->machine->tiers * stack->strip));
      tl_scene_end (scene);
    }
}

/* From each PU a line up to the row being opened or read in its group. */
static void
draw_paths (const Stack *stack, float bottom)
{
  const TlFrame *frame = stack->view->frame;
  guint          banks = frame->moment->n_banks;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TlPathStep));

  for (guint i = 0; i < frame->moment->n_pus * banks; i++)
    {
      if (frame->bank[i].state < TL_BANK_OPENING)
        continue;
      float      x = shaft_x (stack, i / banks) + 1 + stack->bar / 2 + (i % banks) * stack->bank;
      TlPathStep move = { 'M', { x, bottom } }, line = { 'L', { x, shelf_y (stack, frame->bank[i].tier) + 2 } };
      g_array_append_val (steps, move);
      g_array_append_val (steps, line);
    }
  tl_scene_path (stack->scene, (const TlPathStep *) steps->data, steps->len,
                 tl_stroke (tl_color_alpha (tl_theme_color (stack->scene->theme, TL_ROLE_BROADCAST_EDGE), 0.55), 1.2f));
}

/* The bar beneath a disc tells what its PU does. */
static void
draw_activity (const Stack *stack, guint pu, float x, float y)
{
  const TlPuMoment *moment = &stack->view->frame->moment->pu[pu];
  TlThemeKind       theme = stack->scene->theme;
  float             width = MIN (13, stack->pitch - 2);
  TlBox             box = tl_box (x - width / 2, y, width, 5);
  TlStyle style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_WAIT), tl_theme_color (theme, TL_ROLE_INK3), 0.6f);

  if (stack->view->frame->moment->sending && stack->view->frame->moment->broadcast.pu == pu)
    style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_BROADCAST), tl_theme_color (theme, TL_ROLE_OUTLINE), 0.6f);
  else if (moment->activity == TL_PU_COMPUTING)
    {
      style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_COMPUTE), tl_theme_color (theme, TL_ROLE_OUTLINE), 0.6f);
      style.texture = theme == TL_THEME_PRINT ? TL_TEXTURE_DIAGONAL : TL_TEXTURE_NONE;
      style.texture_color = tl_theme_color (theme, TL_ROLE_VIEW);
    }
  else if (moment->activity != TL_PU_IDLE)
    style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_QUEUE), tl_theme_color (theme, TL_ROLE_OUTLINE), 0.6f);
  else if (moment->wait == TL_WAIT_RING || moment->wait == TL_WAIT_OPERAND)
    {
      style.texture = moment->wait == TL_WAIT_RING ? TL_TEXTURE_VERTICAL : TL_TEXTURE_HORIZONTAL;
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK2);
    }
  if (moment->activity == TL_PU_IDLE && moment->wait == TL_WAIT_BARRIER)
    {
      TlStyle stroke = tl_fill (tl_theme_color (theme, TL_ROLE_INK2));
      tl_scene_rect (stack->scene, tl_box (x - 2.5f, y, 1.6f, 6), stroke);
      tl_scene_rect (stack->scene, tl_box (x + 1, y, 1.6f, 6), stroke);
      return;
    }
  if (moment->activity == TL_PU_IDLE && (moment->wait == TL_WAIT_END || moment->wait == TL_WAIT_NONE))
    return;
  tl_scene_rect (stack->scene, box, style);
}

static const char *
activity_words (const TlPuMoment *pu)
{
  static const char *const words[] = { "idle", "writes a received copy", "reads", "computes", "writes back" };
  static const char *const waits[]
      = { "idle", "waits for a tile", "waits for the ring", "waits at the barrier", "has finished" };

  return pu->activity == TL_PU_IDLE ? waits[pu->wait] : words[pu->activity];
}

static void
draw_pu (const Stack *stack, guint pu, float y, float radius)
{
  TlScene          *scene = stack->scene;
  TlThemeKind       theme = scene->theme;
  const TlPuMoment *moment = stack->view->frame != NULL ? &stack->view->frame->moment->pu[pu] : NULL;
  float             x = shaft_x (stack, pu) + stack->pitch / 2;
  gboolean          sends = stack->view->frame != NULL && stack->view->frame->moment->sending
                   && stack->view->frame->moment->broadcast.pu == pu;
  g_autofree char *title = NULL;
  TlStyle          style = tl_fill_stroke (tl_theme_color (theme, sends ? TL_ROLE_BROADCAST : TL_ROLE_VIEW),
                                           tl_theme_color (theme, TL_ROLE_OUTLINE), 1);

  if (moment == NULL || moment->k == G_MAXUINT32)
    title = g_strdup_printf ("PU %u", pu);
  else
    title = g_strdup_printf ("PU %u: %s%s[%u,%u], step %u", pu, activity_words (moment),
                             moment->activity == TL_PU_IDLE ? "; last " : " ", moment->i, moment->j, moment->k);
  tl_scene_begin (scene, "pu", title, pu, "pu-%u", pu);
  if (pu < stack->machine->search_pus)
    tl_mark_hexagon (scene, x, y, radius * 1.05f, style);
  else
    tl_scene_ellipse (scene, x, y, radius, radius, style);
  if (radius >= 6.5f)
    tl_scene_label (scene, x, y + 3.2f, TL_ANCHOR_MIDDLE, 9,
                    sends || (moment != NULL && moment->activity != TL_PU_IDLE),
                    sends && theme != TL_THEME_PRINT ? tl_color_ink_on (tl_theme_color (theme, TL_ROLE_BROADCAST))
                                                     : tl_theme_color (theme, TL_ROLE_INK),
                    "%u", pu);
  if (moment != NULL && radius >= 4)
    draw_activity (stack, pu, x, y + radius + 5);
  tl_scene_hit (scene, tl_box (x - stack->pitch / 2, y - radius - 2, stack->pitch, 2 * radius + 14));
  tl_scene_end (scene);
}

/* Both directions of the broadcast under way, from its owner outwards, wrapping at
 * the ends. */
static void
draw_tracks (const Stack *stack, float y)
{
  TlScene       *scene = stack->scene;
  TlThemeKind    theme = scene->theme;
  const TlFrame *frame = stack->view->frame;
  guint          pus = stack->machine->pus;
  float          width = pus * stack->pitch;

  for (guint direction = 0; direction < 2; direction++)
    {
      float    at = y + direction * 12;
      gboolean right = direction == 0;
      TlStyle  rail = tl_fill (tl_theme_color (theme, TL_ROLE_LINE));
      tl_scene_layer (scene, TL_LAYER_STATIC);
      tl_scene_rect (scene, tl_box (stack->x, at - 3, width, 6), rail);
      tl_scene_label (scene, stack->x - 8, at + 3, TL_ANCHOR_END, 10.5f, FALSE, tl_theme_color (theme, TL_ROLE_INK2),
                      right ? "ring, rising" : "falling");
      tl_scene_layer (scene, TL_LAYER_MOVING);
      if (frame == NULL || frame->hops == 0 || !(frame->moment->sending || frame->moment->hopping))
        continue;
      guint source = frame->moment->broadcast.pu;
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));
      for (guint hop = 0; hop < frame->hops; hop++)
        {
          guint from = right ? (source + hop) % pus : (source + pus - hop) % pus;
          float x = shaft_x (stack, from) + stack->pitch / 2;
          TlBox box = tl_box (right ? x : x - stack->pitch, at - 3, stack->pitch, 6);
          if (box.x < stack->x)
            box = tl_box (stack->x, at - 3, stack->pitch / 2, 6);
          else if (box.x + box.width > stack->x + width)
            box.width = stack->pitch / 2;
          g_array_append_val (boxes, box);
        }
      tl_scene_rects (scene, (const TlBox *) boxes->data, boxes->len,
                      tl_fill (tl_theme_color (theme, TL_ROLE_BROADCAST)));
      for (guint hop = 1; hop < frame->hops; hop += 2)
        {
          guint pu = right ? (source + hop) % pus : (source + pus - hop) % pus;
          tl_mark_chevron (scene, shaft_x (stack, pu) + stack->pitch / 2, at, 5, right,
                           tl_theme_color (theme, TL_ROLE_BROADCAST_EDGE), 1.4f);
        }
      guint       head = right ? (source + frame->hops) % pus : (source + pus - frame->hops) % pus;
      float       x = shaft_x (stack, head) + stack->pitch / 2;
      const float arrow[] = { x - (right ? 5 : -5), at - 6, x + (right ? 5 : -5), at, x - (right ? 5 : -5), at + 6 };
      tl_scene_polygon (scene, arrow, 3, TRUE,
                        tl_fill_stroke (tl_theme_color (theme, TL_ROLE_BROADCAST),
                                        tl_theme_color (theme, TL_ROLE_BROADCAST_EDGE), 1));
    }
}

static void
draw_ring (const Stack *stack, float y)
{
  TlScene    *scene = stack->scene;
  TlThemeKind theme = scene->theme;
  float       width = stack->machine->pus * stack->pitch, radius = MIN (7.6f, stack->pitch / 2 - 1);
  TlStyle     die = tl_fill_stroke (tl_theme_color (theme, theme == TL_THEME_PRINT ? TL_ROLE_VIEW : TL_ROLE_HEADER),
                                    tl_theme_color (theme, TL_ROLE_LINE), 1);

  die.radius = 8;
  tl_scene_begin (scene, "ring", "logic die: the PUs and their ring", 0, "ring");
  tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_rect (scene, tl_box (stack->x - LABELS - 4, y, width + LABELS + 8, RING_HEIGHT), die);
  tl_scene_label (scene, stack->x - LABELS + 2, y + 17, TL_ANCHOR_START, 11, TRUE, tl_theme_color (theme, TL_ROLE_INK),
                  "Logic die");
  tl_scene_label (scene, stack->x - LABELS + 2, y + 30, TL_ANCHOR_START, 10.5f, FALSE,
                  tl_theme_color (theme, TL_ROLE_INK2), "%u PUs", stack->machine->pus);
  draw_tracks (stack, y + 48);
  if (stack->view->frame != NULL && stack->view->frame->moment->sending)
    {
      float x = shaft_x (stack, stack->view->frame->moment->broadcast.pu) + stack->pitch / 2;
      tl_scene_line (scene, x, y + 22, x, y + 60, tl_stroke (tl_theme_color (theme, TL_ROLE_BROADCAST_EDGE), 2));
    }
  for (guint p = 0; p < stack->machine->pus; p++)
    draw_pu (stack, p, y + 16, radius);
  tl_scene_end (scene);
}

/* Shafts whose PU has received the broadcast under way. */
static void
draw_reached (const Stack *stack)
{
  const TlFrame *frame = stack->view->frame;
  guint          pus = stack->machine->pus;
  TlColor        tint = tl_color_alpha (tl_theme_color (stack->scene->theme, TL_ROLE_BROADCAST), 0.13);
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (TlBox));

  if (stack->scene->theme == TL_THEME_PRINT || frame->hops == 0)
    return;
  for (guint p = 0; p < pus; p++)
    {
      guint ahead = (p + pus - frame->moment->broadcast.pu) % pus;
      if (MIN (ahead, pus - ahead) > frame->hops)
        continue;
      TlBox box = tl_box (shaft_x (stack, p), stack->y, stack->pitch, stack->machine->tiers * stack->strip);
      g_array_append_val (boxes, box);
    }
  tl_scene_rects (stack->scene, (const TlBox *) boxes->data, boxes->len, tl_fill (tint));
}

/* The tiers that hold the matrix: a ring round each. */
static void
draw_tiers_chosen (const Stack *stack, gboolean selected)
{
  const TlPimProgram *program = stack->view->program;
  gboolean            holds[TL_MAX_TIERS] = { FALSE };

  for (gsize t = 0; t < (gsize) program->tiles * program->tiles; t++)
    holds[program->tier[t]] = TRUE;
  for (guint tier = 0; tier < stack->machine->tiers; tier++)
    {
      TlBox box = tl_box (stack->x, shelf_y (stack, tier) - stack->strip + 8, stack->pitch * stack->machine->pus,
                          stack->strip - 6);
      if (!holds[tier])
        continue;
      if (selected)
        tl_mark_selected (stack->scene, box, stack->scene->theme);
      else
        tl_mark_hovered (stack->scene, box, stack->scene->theme);
    }
}

static void
draw_chosen (const Stack *stack, const char *id, gboolean selected)
{
  guint pu, bank, i, j;
  TlBox box;

  if (id == NULL)
    return;
  if (sscanf (id, "bank-%u-%u", &pu, &bank) == 2 && pu < stack->machine->pus && bank < stack->machine->banks)
    box = tl_box (shaft_x (stack, pu) + bank * stack->bank, stack->y, stack->bank,
                  stack->machine->tiers * stack->strip - 2);
  else if ((sscanf (id, "pu-%u", &pu) == 1 || sscanf (id, "lane-pu-%u", &pu) == 1) && pu < stack->machine->pus)
    box = tl_box (shaft_x (stack, pu), stack->y, stack->pitch, stack->machine->tiers * stack->strip + 30);
  else if (sscanf (id, "tile-%u-%u", &i, &j) == 2 && i < stack->view->program->tiles && j < stack->view->program->tiles)
    {
      guint tier = tl_pim_program_tier (stack->view->program, i, j);
      pu = stack->view->program->owner[(gsize) i * stack->view->program->tiles + j];
      box = tl_box (shaft_x (stack, pu), shelf_y (stack, tier) - stack->strip + 8, stack->pitch, stack->strip - 6);
    }
  else if (strcmp (id, "tiers") == 0)
    {
      draw_tiers_chosen (stack, selected);
      return;
    }
  else
    return;
  if (selected)
    tl_mark_selected (stack->scene, box, stack->scene->theme);
  else
    tl_mark_hovered (stack->scene, box, stack->scene->theme);
}

/* What the bars' heights and the marks under the discs mean. */
static void
draw_legend (const Stack *stack, float x, float y, float width)
{
  static const struct
  {
    const char *words;
    guint8      role;
    float       height;
    gboolean    hollow;
  } rows[] = { { "open, idle", TL_ROLE_IDLE, 7, FALSE },
               { "being closed", TL_ROLE_CONFLICT, 9, TRUE },
               { "opened, was closed", TL_ROLE_MISS, 12, FALSE },
               { "opened after a conflict", TL_ROLE_CONFLICT, 13, FALSE },
               { "read or written", TL_ROLE_HIT, 10, FALSE } };
  static const struct
  {
    const char *words;
    guint8      role;
    TlTexture   texture;
  } pus[] = { { "sends", TL_ROLE_BROADCAST, TL_TEXTURE_NONE },
              { "computes", TL_ROLE_COMPUTE, TL_TEXTURE_NONE },
              { "moves a tile", TL_ROLE_QUEUE, TL_TEXTURE_NONE },
              { "waits for a tile", TL_ROLE_WAIT, TL_TEXTURE_HORIZONTAL },
              { "waits for the ring", TL_ROLE_WAIT, TL_TEXTURE_VERTICAL } };
  TlScene    *scene = stack->scene;
  TlThemeKind theme = scene->theme;
  TlColor     ink = tl_theme_color (theme, TL_ROLE_INK), ink2 = tl_theme_color (theme, TL_ROLE_INK2);
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), view = tl_theme_color (theme, TL_ROLE_VIEW);
  TlLayer     before = tl_scene_layer (scene, TL_LAYER_STATIC);
  float       at = x + 34;

  tl_scene_label (scene, x, y, TL_ANCHOR_START, 10.5f, TRUE, ink, "row");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      float wide = tl_scene_text_width (rows[i].words, 10.5f, FALSE, FALSE);
      if (at + 8 + wide > x + width)
        break;
      TlColor color = tl_theme_color (theme, rows[i].role);
      TlStyle style = rows[i].hollow ? tl_fill_stroke (view, color, 1)
                                     : tl_fill_stroke (color, i == 0 && theme != TL_THEME_PRINT ? 0 : outline, 0.6f);
      if (theme == TL_THEME_PRINT && i == 2)
        style = tl_fill_stroke (view, color, 1);
      tl_scene_rect (scene, tl_box (at, y + 1 - rows[i].height, 3, rows[i].height), style);
      tl_scene_label (scene, at + 8, y, TL_ANCHOR_START, 10.5f, FALSE, ink2, "%s", rows[i].words);
      at += wide + 24;
    }
  y += 17;
  at = x + 34;
  tl_scene_label (scene, x, y, TL_ANCHOR_START, 10.5f, TRUE, ink, "PU");
  for (guint i = 0; i < G_N_ELEMENTS (pus); i++)
    {
      float wide = tl_scene_text_width (pus[i].words, 10.5f, FALSE, FALSE);
      if (at + 18 + wide > x + width)
        break;
      TlStyle style = tl_fill_stroke (tl_theme_color (theme, pus[i].role),
                                      i < 3 ? outline : tl_theme_color (theme, TL_ROLE_INK3), 0.6f);
      style.texture = theme == TL_THEME_PRINT && i == 1 ? TL_TEXTURE_DIAGONAL : pus[i].texture;
      style.texture_color = i < 3 ? view : ink2;
      tl_scene_rect (scene, tl_box (at, y - 6, 13, 5), style);
      tl_scene_label (scene, at + 18, y, TL_ANCHOR_START, 10.5f, FALSE, ink2, "%s", pus[i].words);
      at += wide + 34;
    }
  const char *barrier = "waits at the barrier";
  if (at + 12 + tl_scene_text_width (barrier, 10.5f, FALSE, FALSE) <= x + width)
    {
      tl_scene_rect (scene, tl_box (at, y - 7, 1.6f, 7), tl_fill (ink2));
      tl_scene_rect (scene, tl_box (at + 3.5f, y - 7, 1.6f, 7), tl_fill (ink2));
      tl_scene_label (scene, at + 10, y, TL_ANCHOR_START, 10.5f, FALSE, ink2, "%s", barrier);
    }
  tl_scene_layer (scene, before);
}

void
tl_view_stack (TlScene *scene, TlBox box, const TlView *view)
{
  const TlPimMachine *machine = &view->program->machine;
  Stack               stack = { .scene = scene, .view = view, .machine = machine };
  float               width = box.width - LABELS - 12;
  float               legend = box.height >= RING_HEIGHT + 14 + LEGEND + machine->tiers * 26.0f ? LEGEND : 0;
  guint64             slowest = 0;

  stack.x = box.x + LABELS + 4;
  stack.y = box.y + 2;
  stack.pitch = width / machine->pus;
  if (stack.pitch > 4)
    stack.pitch = floorf (MIN (stack.pitch, 40));
  stack.bank = (stack.pitch - 2) / machine->banks;
  if (stack.bank >= 2)
    stack.bank = floorf (stack.bank);
  stack.bar = CLAMP (stack.bank - 1, 1, 5);
  stack.strip = floorf (MIN (120, (box.height - RING_HEIGHT - 14 - legend) / machine->tiers));
  for (guint t = 0; t < machine->tiers; t++)
    slowest = MAX (slowest, machine->tier[t].tRCD);

  TlLayer before = tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_begin (scene, "stack", "tiers of the stack, one column a bank group", 0, "stack");
  for (guint t = machine->tiers; t-- > 0;)
    draw_tier (&stack, t, slowest);
  tl_scene_layer (scene, TL_LAYER_MOVING);
  if (view->frame != NULL)
    {
      draw_reached (&stack);
      draw_paths (&stack, stack.y + machine->tiers * stack.strip + 10);
      for (TlBankState state = TL_BANK_IDLE; state <= TL_BANK_WRITING; state++)
        draw_state (&stack, state);
      for (guint p = 0; p < machine->pus; p++)
        draw_shaft (&stack, p);
    }
  tl_scene_end (scene);
  draw_ring (&stack, stack.y + machine->tiers * stack.strip + 8);
  if (legend > 0)
    draw_legend (&stack, box.x + 8, stack.y + machine->tiers * stack.strip + 8 + RING_HEIGHT + 14, box.width - 16);
  draw_chosen (&stack, view->hover, FALSE);
  draw_chosen (&stack, view->selection, TRUE);
  tl_scene_layer (scene, before);
}
