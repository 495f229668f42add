/* A PU of a pipeline: a disc with its number, coloured while it works, and under it a bar
 * that says by its texture or strokes what it does. */
#include "scene/marks.h"
#include "scene/pipe-private.h"

#include <string.h>

static gboolean
works (guint kind)
{
  return kind < TL_PIPE_N_SPANS && kind != TL_PIPE_SPAN_WAIT && kind != TL_PIPE_SPAN_BARRIER
         && kind != TL_PIPE_SPAN_EDGES;
}

TlStyle
tl_pipe_style (TlThemeKind theme, guint kind)
{
  static const struct
  {
    TlRole    role;
    TlTexture texture; /* over the colour */
    TlTexture print;
  } looks[TL_PIPE_N_SPANS] = {
    [TL_PIPE_SPAN_LOOKUP] = { TL_ROLE_HIT, TL_TEXTURE_DOTS, TL_TEXTURE_DOTS },
    [TL_PIPE_SPAN_SEND] = { TL_ROLE_BROADCAST, TL_TEXTURE_NONE, TL_TEXTURE_VERTICAL },
    [TL_PIPE_SPAN_STALL] = { TL_ROLE_CONFLICT, TL_TEXTURE_DIAGONAL, TL_TEXTURE_CROSS },
    [TL_PIPE_SPAN_WAIT] = { TL_ROLE_WAIT, TL_TEXTURE_HORIZONTAL, TL_TEXTURE_HORIZONTAL },
    [TL_PIPE_SPAN_SWEEP] = { TL_ROLE_COMPUTE, TL_TEXTURE_NONE, TL_TEXTURE_SOLID },
    [TL_PIPE_SPAN_BARRIER] = { TL_ROLE_WAIT, TL_TEXTURE_NONE, TL_TEXTURE_NONE },
    [TL_PIPE_SPAN_EDGES] = { TL_ROLE_WAIT, TL_TEXTURE_VERTICAL, TL_TEXTURE_VERTICAL },
  };
  TlColor outline = tl_theme_color (theme, TL_ROLE_OUTLINE);
  TlStyle style = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_VIEW), outline, 1);

  if (kind >= TL_PIPE_N_SPANS)
    return style;
  if (!works (kind))
    style.stroke = tl_theme_color (theme, TL_ROLE_INK3);
  if (theme == TL_THEME_PRINT)
    {
      style.texture = looks[kind].print;
      style.texture_color = tl_theme_color (theme, TL_ROLE_INK);
      return style;
    }
  style.fill = tl_theme_color (theme, looks[kind].role);
  style.texture = looks[kind].texture;
  style.texture_color
      = tl_color_alpha (tl_theme_color (theme, works (kind) ? TL_ROLE_VIEW : TL_ROLE_INK3), works (kind) ? 0.55 : 1);
  return style;
}

void
tl_pipe_cue (TlScene *scene, float x, float y, guint kind)
{
  TlThemeKind theme = scene->theme;
  TlStyle     stroke = tl_stroke (tl_theme_color (theme, TL_ROLE_INK2), 1.6f);
  TlStyle     style = tl_pipe_style (theme, kind);

  if (kind >= TL_PIPE_N_SPANS)
    return;
  if (kind == TL_PIPE_SPAN_BARRIER)
    {
      tl_scene_line (scene, x - 2, y - 3, x - 2, y + 3, stroke);
      tl_scene_line (scene, x + 2, y - 3, x + 2, y + 3, stroke);
      return;
    }
  tl_scene_rect (scene, tl_box (x - 7, y - 3, 14, 6), style);
}

void
tl_pipe_mark (TlScene *scene, const TlView *view, const char *kind, guint number, TlBox box)
{
  char id[32];

  g_snprintf (id, sizeof id, "%s-%u", kind, number);
  if (g_strcmp0 (view->selection, id) == 0)
    tl_mark_selected (scene, box, scene->theme);
  else if (g_strcmp0 (view->hover, id) == 0)
    tl_mark_hovered (scene, box, scene->theme);
}

void
tl_pipe_draw_pu (TlScene *scene, const TlView *view, const TlPipeMoment *moment, guint pu, float x, float y,
                 float radius)
{
  const TlPipeProgram *program = view->pipe->grid->sim->program;
  TlThemeKind          theme = scene->theme;
  const TlPipeSpan    *span = &moment->at[pu];
  guint                kind = span->to > 0 ? span->kind : TL_PIPE_N_SPANS;
  gboolean             search = program->streams && pu < program->search;
  TlBox                box = tl_box (x - radius, y - radius, 2 * radius, 2 * radius + 10);
  TlStyle              style = tl_pipe_style (theme, kind);
  g_autofree char     *title = g_strdup_printf ("%s PU %u: %s", search ? "Search" : "Compute", pu,
                                            kind < TL_PIPE_N_SPANS ? tl_pipe_words (kind) : "idle");

  style.texture = TL_TEXTURE_NONE;
  if (!works (kind))
    style.fill = tl_theme_color (theme, TL_ROLE_VIEW);
  else if (theme == TL_THEME_PRINT)
    style.fill = tl_theme_color (theme, TL_ROLE_INK);
  if (radius < 5)
    style.width = 0.6f;
  tl_scene_begin (scene, "pu", title, pu, "pu-%u", pu);
  if (search)
    tl_mark_hexagon (scene, x, y, radius, style);
  else
    tl_scene_ellipse (scene, x, y, radius, radius, style);
  if (radius >= 7)
    tl_scene_label (scene, x, y + 3.4f, TL_ANCHOR_MIDDLE,
                    radius >= 18   ? 12
                    : radius >= 11 ? 10
                                   : 9,
                    works (kind),
                    works (kind) ? tl_color_ink_on (style.fill)
                                 : tl_theme_color (theme, kind < TL_PIPE_N_SPANS ? TL_ROLE_INK : TL_ROLE_INK2),
                    "%u", pu);
  tl_pipe_cue (scene, x, y + radius + 6, kind);
  tl_scene_hit (scene, box);
  tl_scene_end (scene);
  tl_pipe_mark (scene, view, "pu", pu, box);
}

void
tl_pipe_draw_legend (TlScene *scene, float x, float y, float right, const TlPipeRun *run)
{
  static const char *const words[TL_PIPE_N_SPANS] = {
    [TL_PIPE_SPAN_LOOKUP] = "looks up",           [TL_PIPE_SPAN_SEND] = "sends",
    [TL_PIPE_SPAN_STALL] = "stalled, queue full", [TL_PIPE_SPAN_WAIT] = "waits, queue empty",
    [TL_PIPE_SPAN_SWEEP] = "sweeps a tile",       [TL_PIPE_SPAN_BARRIER] = "waits at the barrier",
    [TL_PIPE_SPAN_EDGES] = "waits for edges",
  };

  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    {
      const char *word = words[kind] != NULL ? words[kind] : tl_pipe_span_name ((TlPipeSpanKind) kind);
      float       width = tl_scene_text_width (word, 10.5f, FALSE, FALSE) + 31;

      if ((!run->program->streams && kind < TL_PIPE_SPAN_SWEEP) || (!run->charged && kind == TL_PIPE_SPAN_EDGES))
        continue;
      if (x + width - 10 > right)
        return;
      tl_pipe_cue (scene, x + 7, y - 3.5f, kind);
      tl_scene_label (scene, x + 18, y, TL_ANCHOR_START, 10.5f, FALSE, tl_theme_color (scene->theme, TL_ROLE_INK2),
                      "%s", word);
      x += width;
    }
}
