/* The domains of a memory: a strip for each tier (of a channel where tiers are few), one
 * cell a domain; on pim machines a bank stands in the strip of its open row's tier. A
 * cell says what is done to its row by fill, mark and letter. ux.md 4.3, tokens.md. */
#include "scene/replay-view.h"

#include "base/number.h"
#include "scene/marks.h"

#include <math.h>

#define LABELS      84
#define LEGEND      41
#define MOST_CELLS  4096
#define FEW_TIERS   3
#define LEAST_STRIP 20

typedef enum
{
  CELL_NONE, /* on pim: the open row lies in another tier */
  CELL_CLOSED,
  CELL_IDLE,
  CELL_CLOSING,
  CELL_OPENING,
  CELL_REOPENING,
  CELL_READING,
  CELL_WRITING,
  N_CELLS
} Cell;

typedef struct
{
  TlScene              *scene;
  const TlView         *view;
  const TlMemory       *memory;
  const TlReplayMoment *moment;
  gboolean              by_channel; /* strips are channels, or parts of them */
  guint                 each;       /* then: domains of a strip */
  guint                 strips, columns;
  float                 x, y, pitch, strip;
} Stack;

static const char *const cell_words[N_CELLS] = {
  "",           "closed",       "row open", "row being closed", "row being opened", "row being opened after a conflict",
  "being read", "being written"
};

static void
lay_out (Stack *stack, TlBox box)
{
  const TlMemory *memory = stack->memory;
  guint           parts = memory->channels * memory->pseudo_channels, domains = tl_memory_domains (memory);

  const guint strips[] = { parts * memory->tiers, parts, memory->channels };

  stack->by_channel = memory->kind == TL_MACHINE_CU && memory->tiers <= FEW_TIERS && parts > 1;
  stack->strips = memory->tiers;
  /* The finest division that leaves a strip its height. */
  for (guint i = 0; stack->by_channel && i < G_N_ELEMENTS (strips); i++)
    {
      stack->strips = strips[i];
      if ((box.height - LEGEND - 12) / (float) strips[i] >= LEAST_STRIP)
        break;
    }
  stack->each = MAX (domains / stack->strips, 1);
  stack->columns = memory->kind == TL_MACHINE_PIM ? domains : stack->each;
  stack->x = box.x + LABELS;
  stack->y = box.y + 8;
  stack->pitch = (box.width - LABELS - 14) / (float) MAX (stack->columns, 1);
  if (stack->pitch > 4)
    stack->pitch = floorf (MIN (stack->pitch, 72));
  stack->strip = floorf (MIN ((box.height - LEGEND - 12) / (float) MAX (stack->strips, 1), 64));
}

/* Strip from the top and column of @domain; on pim of its row's tier. */
static void
place (const Stack *stack, guint32 domain, guint tier, guint *strip, guint *column)
{
  const TlMemory *memory = stack->memory;
  guint32         banks = memory->groups * memory->banks;

  if (memory->kind == TL_MACHINE_PIM)
    {
      *strip = memory->tiers - 1 - tier;
      *column = domain;
    }
  else if (stack->by_channel)
    {
      *strip = domain / stack->each;
      *column = domain % stack->each;
    }
  else
    {
      *strip = memory->tiers - 1 - tier;
      *column = domain % banks + banks * (domain / (banks * memory->tiers));
    }
}

static Cell
cell_of (const Stack *stack, guint32 d)
{
  const TlDomainMoment *domain = &stack->moment->domains[d];
  const TlTierTiming   *tier = &stack->memory->tier[domain->tier];
  guint64               now = stack->moment->time;

  if (!domain->open)
    {
      gboolean closing = domain->last_kind != TL_CLASS_NONE
                         && (domain->reserved || (domain->since > 0 && now < domain->since + tier->tRP));
      return closing ? CELL_CLOSING : CELL_CLOSED;
    }
  if (domain->last_kind == TL_EVENT_ACT && now < domain->since + tier->tRCD)
    return domain->last_class == TL_ROW_CONFLICT ? CELL_REOPENING : CELL_OPENING;
  if (domain->last_kind == TL_EVENT_RD && now < domain->last + tier->tCL + stack->memory->burst)
    return CELL_READING;
  if (domain->last_kind == TL_EVENT_WR && now < domain->last + tier->tCWL + stack->memory->burst)
    return CELL_WRITING;
  return CELL_IDLE;
}

/* --- strips --- */

static void
draw_strip (const Stack *stack, guint strip)
{
  TlScene         *scene = stack->scene;
  TlThemeKind      theme = scene->theme;
  const TlMemory  *memory = stack->memory;
  guint32          first = stack->by_channel ? strip * stack->each : 0; /* domain */
  guint            tier = stack->by_channel ? tl_memory_tier_of (memory, first, 0) : memory->tiers - 1 - strip;
  guint            part = tl_memory_scope_of (memory, TL_SCOPE_PSEUDO_CHANNEL, first), slowest = 1;
  gboolean         whole = stack->strips <= memory->channels; /* channels are not divided */
  float            y = stack->y + strip * stack->strip, middle = y + stack->strip / 2;
  g_autofree char *latency = tl_format_ps (memory->tier[tier].tRCD), *cycle = tl_format_ps (memory->tier[tier].tRC);
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;

  if (!stack->by_channel)
    name = g_strdup_printf ("T%u", tier);
  else if (whole || memory->pseudo_channels == 1)
    name = g_strdup_printf ("C%u", part / memory->pseudo_channels);
  else
    name = g_strdup_printf ("C%u.P%u", part / memory->pseudo_channels, part % memory->pseudo_channels);
  if (stack->by_channel && stack->each == memory->groups * memory->banks && memory->tiers > 1)
    {
      g_autofree char *channel = g_steal_pointer (&name);
      name = g_strdup_printf ("%s T%u", channel, tier);
    }
  for (guint t = 0; t < memory->tiers; t++)
    slowest = MAX (slowest, memory->tier[t].tRCD);
  title = g_strdup_printf ("%s: a row opens in %s, row cycle %s", name, latency, cycle);
  tl_scene_begin (scene, "tier", title, strip, "tier-%u", stack->by_channel ? strip : tier);
  if (memory->kind == TL_MACHINE_PIM)
    tl_scene_rect (scene, tl_box (stack->x, y + 1, stack->columns * stack->pitch, stack->strip - 4),
                   tl_fill (tl_theme_color (theme, TL_ROLE_SLOT)));
  tl_scene_rect (scene, tl_box (stack->x, y + stack->strip - 2, stack->columns * stack->pitch, 2),
                 tl_fill (tl_theme_tier (theme, tier, memory->tiers)));
  if (stack->strip >= 12)
    tl_scene_label (scene, stack->x - LABELS + 8, middle + 4, TL_ANCHOR_START, stack->strip >= 16 ? 11 : 9.5f, TRUE,
                    tl_theme_color (theme, TL_ROLE_INK), "%s", name);
  if (stack->strip >= 26 && !stack->by_channel)
    {
      TlStyle bar = tl_fill (tl_theme_tier (theme, tier, memory->tiers)),
              rail = tl_fill (tl_theme_color (theme, TL_ROLE_LINE));
      if (theme == TL_THEME_PRINT)
        rail = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), tl_theme_color (theme, TL_ROLE_INK), 0.4f);
      bar.radius = rail.radius = 2;
      tl_scene_label (scene, stack->x - 10, middle + 4, TL_ANCHOR_END, 10.5f, FALSE,
                      tl_theme_color (theme, TL_ROLE_INK2), "%s", latency);
      tl_scene_rect (scene, tl_box (stack->x - LABELS + 8, middle + 8, LABELS - 18, 4), rail);
      tl_scene_rect (scene,
                     tl_box (stack->x - LABELS + 8, middle + 8,
                             (LABELS - 18) * (float) memory->tier[tier].tRCD / (float) slowest, 4),
                     bar);
    }
  tl_scene_hit (scene, tl_box (stack->x - LABELS, y, LABELS - 4, stack->strip));
  tl_scene_end (scene);
}

/* --- cells --- */

static TlStyle
cell_style (TlThemeKind theme, Cell cell)
{
  TlColor view = tl_theme_color (theme, TL_ROLE_VIEW), outline = tl_theme_color (theme, TL_ROLE_OUTLINE);
  TlColor slot = tl_theme_color (theme, TL_ROLE_SLOT), red = tl_theme_color (theme, TL_ROLE_CONFLICT);
  double  share = theme == TL_THEME_PRINT ? 0 : 0.6;
  TlStyle style = tl_fill (slot);

  switch (cell)
    {
    case CELL_CLOSING:
      style = tl_fill_stroke (view, red, 1.4f);
      break;
    case CELL_OPENING:
      style = tl_fill_stroke (tl_color_over (tl_theme_color (theme, TL_ROLE_MISS), view, share), outline, 1);
      style.texture = TL_TEXTURE_DIAGONAL;
      break;
    case CELL_REOPENING:
      style = tl_fill_stroke (tl_color_over (red, view, share), outline, 1.4f);
      style.texture = TL_TEXTURE_CROSS;
      break;
    case CELL_READING:
    case CELL_WRITING:
      style = tl_fill_stroke (tl_color_over (tl_theme_color (theme, TL_ROLE_HIT), view, share), outline, 1);
      break;
    default:
      break;
    }
  style.texture_color = tl_color_alpha (theme == TL_THEME_PRINT ? outline : view, theme == TL_THEME_PRINT ? 1 : 0.5);
  return style;
}

static void
draw_mark (TlScene *scene, Cell cell, float x, float y, float size)
{
  TlThemeKind theme = scene->theme;
  TlColor     outline = tl_theme_color (theme, TL_ROLE_OUTLINE), view = tl_theme_color (theme, TL_ROLE_VIEW);

  switch (cell)
    {
    case CELL_CLOSING:
      tl_mark_triangle (scene, x, y, size, FALSE, view, tl_theme_color (theme, TL_ROLE_CONFLICT));
      break;
    case CELL_OPENING:
      tl_mark_diamond (scene, x, y, size, view, tl_theme_color (theme, TL_ROLE_MISS_INK));
      break;
    case CELL_REOPENING:
      tl_mark_cross (scene, x, y, size, tl_theme_color (theme, TL_ROLE_CONFLICT), outline);
      break;
    case CELL_READING:
      tl_mark_disc (scene, x, y, size, tl_theme_color (theme, TL_ROLE_HIT), outline);
      break;
    case CELL_WRITING:
      tl_scene_rect (scene, tl_box (x - size / 2, y - size / 2, size, size),
                     tl_fill_stroke (tl_theme_color (theme, TL_ROLE_HIT), outline, 1));
      break;
    default:
      break;
    }
}

static const char *
class_letter (guint8 row_class)
{
  static const char *const letters[TL_N_ROW_CLASSES] = { "H", "M", "C", "F" };

  return row_class < TL_N_ROW_CLASSES ? letters[row_class] : "";
}

static char *
cell_title (const Stack *stack, guint32 d, Cell cell)
{
  const TlDomainMoment *domain = &stack->moment->domains[d];
  g_autofree char      *name = tl_memory_domain_name (stack->memory, d);
  const char           *last = domain->last_class < TL_N_ROW_CLASSES ? tl_row_class_name (domain->last_class) : NULL;
  GString              *text = g_string_new (name);

  g_string_append_printf (text, ": %s", cell_words[cell]);
  if (domain->open)
    g_string_append_printf (text, ", row %u", domain->row);
  else if (domain->reserved)
    g_string_append_printf (text, ", row %u for row %u", domain->row, domain->wanted);
  if (last != NULL)
    g_string_append_printf (text, ", last a %s", last);
  return g_string_free (text, FALSE);
}

static void
draw_cell (const Stack *stack, guint32 d)
{
  const TlDomainMoment *domain = &stack->moment->domains[d];
  TlScene              *scene = stack->scene;
  TlThemeKind           theme = scene->theme;
  Cell                  cell = cell_of (stack, d);
  guint                 strip, column;
  gboolean              roomy = stack->pitch >= 26 && stack->strip >= 24;

  place (stack, d, domain->tier, &strip, &column);
  TlBox box
      = tl_box (stack->x + column * stack->pitch + (stack->pitch > 6 ? 1 : 0), stack->y + strip * stack->strip + 1,
                stack->pitch > 6 ? stack->pitch - 2 : MAX (stack->pitch - 0.5f, 1), stack->strip - 4);
  g_autofree char *title = cell_title (stack, d, cell);
  TlStyle          style = cell_style (theme, cell);
  if (stack->pitch < 6)
    {
      style.width = 0;
      style.texture = TL_TEXTURE_NONE;
    }
  tl_scene_begin (scene, "domain", title, d, "domain-%u", d);
  tl_scene_rect (scene, box, style);
  if (domain->open && cell == CELL_IDLE)
    tl_scene_rect (scene, tl_box (box.x, box.y + box.height * 0.66f, box.width, box.height * 0.34f),
                   tl_fill_stroke (tl_theme_color (theme, TL_ROLE_IDLE), tl_theme_color (theme, TL_ROLE_INK),
                                   theme == TL_THEME_PRINT ? 0.5f : 0));
  if (roomy)
    {
      draw_mark (scene, cell, box.x + 9, box.y + 9, 10);
      tl_scene_label (scene, box.x + box.width - 4, box.y + 12, TL_ANCHOR_END, 9.5f, TRUE,
                      tl_theme_color (theme, TL_ROLE_INK), "%s", class_letter (domain->last_class));
      if (domain->open)
        {
          g_autofree char *row = g_strdup_printf ("%u", domain->row);
          TlColor          ink = cell == CELL_IDLE && theme != TL_THEME_PRINT
                                     ? tl_color_ink_on (tl_theme_color (theme, TL_ROLE_IDLE))
                                     : tl_theme_color (theme, TL_ROLE_INK);
          if (tl_scene_text_width (row, 9.5f, FALSE, TRUE) < box.width - 2)
            tl_scene_text (scene, &(TlText) { .x = box.x + box.width / 2,
                                              .y = box.y + box.height - 3,
                                              .size = 9.5f,
                                              .mono = TRUE,
                                              .anchor = TL_ANCHOR_MIDDLE,
                                              .color = ink,
                                              .text = row });
        }
    }
  else if (stack->pitch >= 10 && stack->strip >= 14)
    draw_mark (scene, cell, box.x + box.width / 2, box.y + box.height / 2, 8);
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
}

/* More domains than can be told apart: one picture of colours. */
static void
draw_grid (const Stack *stack)
{
  TlThemeKind        theme = stack->scene->theme;
  TlColor            view = tl_theme_color (theme, TL_ROLE_VIEW), colors[N_CELLS];
  g_autofree guint8 *cells = g_malloc0 ((gsize) stack->strips * stack->columns);

  for (guint c = 0; c < N_CELLS; c++)
    colors[c] = cell_style (theme, (Cell) c).fill;
  colors[CELL_NONE] = view;
  colors[CELL_IDLE] = tl_theme_color (theme, TL_ROLE_IDLE);
  colors[CELL_CLOSING] = colors[CELL_REOPENING] = tl_theme_color (theme, TL_ROLE_CONFLICT);
  for (guint32 d = 0; d < stack->moment->n_domains; d++)
    {
      guint strip, column;
      place (stack, d, stack->moment->domains[d].tier, &strip, &column);
      cells[(gsize) strip * stack->columns + column] = (guint8) cell_of (stack, d);
    }
  tl_scene_grid (stack->scene, tl_box (stack->x, stack->y, stack->columns * stack->pitch, stack->strips * stack->strip),
                 stack->columns, stack->strips, cells, colors, N_CELLS);
}

static void
draw_legend (const Stack *stack, float y)
{
  static const Cell        cells[] = { CELL_READING, CELL_WRITING, CELL_OPENING, CELL_CLOSING, CELL_REOPENING };
  static const char *const words[] = { "read", "written", "opening miss", "being closed", "opened after a conflict" };
  TlScene                 *scene = stack->scene;
  float                    x = stack->x;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      draw_mark (scene, cells[i], x + 5, y - 4, 9);
      tl_scene_label (scene, x + 14, y, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2),
                      "%s", words[i]);
      x += 14 + tl_scene_text_width (words[i], 10.5f, FALSE, FALSE) + 18;
    }
  /* What the letters and numbers in the cells are, where there are some. */
  if (stack->pitch >= 26 && stack->strip >= 24)
    {
      static const char letters[] = "H M C: last hit, miss, conflict; below the open row";
      if (x + tl_scene_text_width (letters, 10.5f, FALSE, FALSE) < stack->x + stack->columns * stack->pitch + 12)
        tl_scene_label (scene, x, y, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2), "%s",
                        letters);
      else if (stack->columns > 4)
        tl_scene_label (scene, stack->x, y + 15, TL_ANCHOR_START, 10.5f, FALSE,
                        tl_theme_color (scene->theme, TL_ROLE_INK2), "%s", letters);
    }
}

static void
draw_chosen (const Stack *stack, const char *id, gboolean selected)
{
  guint   strip, column;
  guint32 domain;

  if (!tl_replay_domain_of (stack->view->replay->run, id, &domain))
    {
      const TlReplayConflict *conflict = stack->view->replay->conflict;
      if (!selected || conflict == NULL)
        return;
      domain = conflict->cause.domain;
    }
  place (stack, domain, stack->moment->domains[domain].tier, &strip, &column);
  TlBox box
      = tl_box (stack->x + column * stack->pitch, stack->y + strip * stack->strip, stack->pitch, stack->strip - 2);
  if (selected)
    tl_mark_selected (stack->scene, box, stack->scene->theme);
  else
    tl_mark_hovered (stack->scene, box, stack->scene->theme);
}

void
tl_replay_view_stack (TlScene *scene, TlBox box, const TlView *view)
{
  Stack stack = {
    .scene = scene, .view = view, .memory = tl_replay_run_memory (view->replay->run), .moment = view->replay->moment
  };

  lay_out (&stack, box);
  TlLayer before = tl_scene_layer (scene, TL_LAYER_STATIC);
  tl_scene_rect (scene, box, tl_fill (tl_theme_color (scene->theme, TL_ROLE_VIEW)));
  for (guint strip = 0; strip < stack.strips; strip++)
    draw_strip (&stack, strip);
  draw_legend (&stack, stack.y + stack.strips * stack.strip + 18);
  tl_scene_layer (scene, TL_LAYER_MOVING);
  if (stack.moment->n_domains > MOST_CELLS || stack.pitch < 3)
    draw_grid (&stack);
  else
    for (guint32 d = 0; d < stack.moment->n_domains; d++)
      draw_cell (&stack, d);
  draw_chosen (&stack, view->hover, FALSE);
  draw_chosen (&stack, view->selection, TRUE);
  tl_scene_layer (scene, before);
}
