/* What stayed as it was is folded, as in the window's ladder. */
#include "scene/view-passes.h"

#include "scene/rungs.h"

#include <math.h>
#include <string.h>

enum
{
  MARGIN = 14,
  PITCH = 14,       /* of lines */
  HEAD = 28,        /* of a group */
  GAP = 10,         /* between groups */
  CHIP = 17,        /* a chip and the space behind it */
  MOST_CHIPS = 3,   /* lines of the text named before a line of a module */
  FOLD_FROM = 3,    /* shorter runs of unchanged lines are shown */
  MOST_SOURCE = 200 /* lines of text shown */
};

static const float TEXT = 10;

/* A row of a group: a line of its module, or how many are not shown. */
typedef struct
{
  const TlRungLine *line; /* NULL: a fold */
  guint             index;
  guint             folded;
  gboolean          cut; /* left out for want of room, not because they are as before */
} Row;

typedef struct
{
  TlRung *rung; /* NULL: not reached */
  GArray *rows; /* of Row */
} Group;

typedef struct
{
  TlScene *scene;
  TlBox    box;
  float    split; /* x where the modules begin */
  char   **source;
  guint    n_source;
  gboolean stems[MOST_SOURCE + 1]; /* line of the text -> some line stems from it */
  Group    group[TL_N_PASS_GROUPS];
} Ladder;

const char *
tl_pass_group_name (guint group)
{
  static const char *const names[TL_N_PASS_GROUPS] = { "recognised", "tiled", "mapped", "communicating" };

  return names[group];
}

/* --- texts --- */

/* Where the signature " : (types) -> types" of an operation begins: outside strings and brackets; or the end. */
static const char *
signature_of (const char *line)
{
  gboolean    quoted = FALSE;
  int         depth = 0;
  /* A line may close brackets that others opened. */
  const char *found = NULL;

  for (const char *at = line; *at != '\0'; at++)
    {
      if (*at == '\\' && quoted && at[1] != '\0')
        at++;
      else if (*at == '"')
        quoted = !quoted;
      else if (quoted)
        continue;
      else if (strchr ("([{<", *at) != NULL)
        depth++;
      else if (strchr (")]}>", *at) != NULL && !(*at == '>' && at > line && at[-1] == '-'))
        depth = MAX (depth - 1, 0);
      else if (depth == 0 && found == NULL && g_str_has_prefix (at, " : "))
        found = at;
    }
  return found != NULL ? found : line + strlen (line);
}

/* Appends @text of @length without the quotes of names and the types of integers. */
static void
append_brief (GString *out, const char *text, gsize length)
{
  for (gsize at = 0; at < length; at++)
    {
      gsize close = at + 1;
      if (text[at] == '"')
        {
          while (close < length && text[close] != '"')
            close += text[close] == '\\' && close + 1 < length ? 2 : 1;
          gboolean name = close + 1 < length && text[close + 1] == '(';
          g_string_append_len (out, text + at + name, (gssize) (close - at + 1 - 2 * (gsize) name));
          at = close;
        }
      else if (length - at >= strlen (" : i64") && g_str_has_prefix (text + at, " : i64"))
        at += strlen (" : i64") - 1;
      else
        g_string_append_c (out, text[at]);
    }
}

char *
tl_passes_brief (const char *line)
{
  const char *signature = signature_of (line);
  const char *result = g_strrstr (signature, " -> ");
  GString    *out = g_string_new (NULL);

  append_brief (out, line, (gsize) (signature - line));
  if (result != NULL && !g_str_has_prefix (result, " -> ()"))
    append_brief (out, result, strlen (result));
  return g_string_free (out, FALSE);
}

static char *
cut_to (const char *text, float width)
{
  guint room = (guint) MAX (width / tl_scene_text_width ("0", TEXT, FALSE, TRUE), 4);

  if (g_utf8_strlen (text, -1) <= (glong) room)
    return g_strdup (text);
  g_autofree char *start = g_utf8_substring (text, 0, (glong) room - 1);
  return g_strconcat (start, "…", NULL);
}

/* --- what is shown --- */

static void
group_clear (Group *group)
{
  g_clear_pointer (&group->rung, tl_rung_free);
  g_clear_pointer (&group->rows, g_array_unref);
}

static void
make_group (Group *group, const char *dump, const char *before)
{
  group->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  if (dump == NULL)
    return;
  group->rung = tl_rung_new (dump, before);
  for (guint l = 0; l < group->rung->lines->len;)
    {
      guint until = tl_rung_same_until (group->rung, l);
      Row   row = { group->rung->lines->pdata[l], l, 1, FALSE };
      if (until >= l + FOLD_FROM)
        {
          row.line = NULL;
          row.folded = until - l;
        }
      g_array_append_val (group->rows, row);
      l += row.folded;
    }
}

/* At most @most rows, the last of them saying how many lines are left out. */
static void
cut_group (Group *group, guint most)
{
  if (group->rows->len <= most || most == 0)
    return;
  Row row = { NULL, 0, 0, TRUE };
  for (guint r = most - 1; r < group->rows->len; r++)
    row.folded += g_array_index (group->rows, Row, r).folded;
  g_array_set_size (group->rows, most - 1);
  g_array_append_val (group->rows, row);
}

static void
make_groups (Group *groups, const TlPassesShown *shown)
{
  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    make_group (&groups[g], shown->dump[g], g > 0 ? shown->dump[g - 1] : NULL);
}

static float
height_of (const Group *groups)
{
  float height = 2 * MARGIN + TL_N_PASS_GROUPS * HEAD + (TL_N_PASS_GROUPS - 1) * GAP;

  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    height += PITCH * (float) groups[g].rows->len;
  return height;
}

/* The longest groups give way until all fit; each keeps its first lines. */
static void
fit (Group *groups, float height)
{
  while (height_of (groups) > height)
    {
      Group *longest = &groups[0];
      for (guint g = 1; g < TL_N_PASS_GROUPS; g++)
        if (groups[g].rows->len > longest->rows->len)
          longest = &groups[g];
      if (longest->rows->len <= 2)
        return;
      cut_group (longest, longest->rows->len - 1);
    }
}

float
tl_view_passes_height (const TlPassesShown *shown)
{
  Group groups[TL_N_PASS_GROUPS] = { 0 };
  g_auto (GStrv) lines = g_strsplit (shown->source, "\n", MOST_SOURCE);

  make_groups (groups, shown);
  float height = height_of (groups);
  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    group_clear (&groups[g]);
  return MAX (height, 2 * MARGIN + HEAD + PITCH * (float) g_strv_length (lines));
}

/* --- drawing --- */

static TlColor
role (const Ladder *ladder, TlRole name)
{
  return tl_theme_color (ladder->scene->theme, name);
}

static void
mono (const Ladder *ladder, float x, float y, TlAnchor anchor, gboolean italic, TlColor color, const char *text)
{
  TlText label = {
    .x = x, .y = y, .size = TEXT, .anchor = anchor, .mono = TRUE, .italic = italic, .color = color, .text = text
  };

  tl_scene_text (ladder->scene, &label);
}

/* The number of a line of the text, in that line's hue. */
static void
draw_chip (const Ladder *ladder, float x, float y, guint line)
{
  gboolean         print = ladder->scene->theme == TL_THEME_PRINT;
  TlColor          fill = print ? role (ladder, TL_ROLE_CARD)
                                : tl_color_over (tl_theme_owner (ladder->scene->theme, line), role (ladder, TL_ROLE_VIEW), 0.55);
  TlStyle          style = tl_fill_stroke (fill, role (ladder, print ? TL_ROLE_OUTLINE : TL_ROLE_LINE), 1);
  g_autofree char *number = g_strdup_printf ("%u", line);

  style.radius = 3;
  tl_scene_rect (ladder->scene, tl_box (x, y - 9.5f, CHIP - 3, 11), style);
  tl_scene_label (ladder->scene, x + (CHIP - 3) / 2.0f, y - 1, TL_ANCHOR_MIDDLE, 8.5f, TRUE,
                  print ? role (ladder, TL_ROLE_INK) : tl_color_ink_on (fill), "%s", number);
}

static void
draw_chips (const Ladder *ladder, float right, float y, const TlRungLine *line)
{
  guint shown = MIN (line->lines->len, MOST_CHIPS);

  for (guint c = 0; c < shown; c++)
    draw_chip (ladder, right - CHIP * (float) (shown - c), y, g_array_index (line->lines, guint, c));
}

static void
draw_source (Ladder *ladder)
{
  float x = ladder->box.x + MARGIN, y = ladder->box.y + MARGIN + 12;
  float foot = ladder->box.y + ladder->box.height - MARGIN;
  guint lines = ladder->n_source;

  tl_scene_label (ladder->scene, x, y, TL_ANCHOR_START, 12, TRUE, role (ladder, TL_ROLE_INK), "Program");
  y += HEAD - 8;
  for (guint l = 0; l < lines; l++, y += PITCH)
    {
      if (y + PITCH > foot && l + 1 < lines)
        {
          tl_scene_label (ladder->scene, x + CHIP + 4, y, TL_ANCHOR_START, TEXT, FALSE, role (ladder, TL_ROLE_INK2),
                          "··· and %u more lines", lines - l);
          return;
        }
      g_autofree char *flat = g_strdelimit (g_strdup (ladder->source[l]), "\t", ' ');
      g_autofree char *text = cut_to (flat, ladder->split - x - CHIP - 16);
      tl_scene_begin (ladder->scene, "source", ladder->source[l], l + 1, "source-%u", l + 1);
      if (ladder->stems[l + 1])
        draw_chip (ladder, x, y, l + 1);
      mono (ladder, x + CHIP + 4, y, TL_ANCHOR_START, FALSE,
            role (ladder, ladder->stems[l + 1] ? TL_ROLE_INK : TL_ROLE_INK2), text);
      tl_scene_hit (ladder->scene, tl_box (x, y - 10, ladder->split - x - 8, PITCH));
      tl_scene_end (ladder->scene);
    }
}

static void
draw_row (const Ladder *ladder, guint g, const Row *row, float y)
{
  float x = ladder->split + CHIP * MOST_CHIPS + 4, width = ladder->box.x + ladder->box.width - MARGIN - x;

  if (row->line == NULL)
    {
      g_autofree char *text
          = row->cut ? g_strdup_printf ("··· and %u more", row->folded)
                     : g_strdup_printf ("··· %u line%s as before", row->folded, row->folded == 1 ? "" : "s");
      mono (ladder, x, y, TL_ANCHOR_START, TRUE, role (ladder, TL_ROLE_INK2), text);
      return;
    }
  g_autofree char *brief = tl_passes_brief (row->line->text);
  g_autofree char *text = cut_to (brief, width);
  tl_scene_begin (ladder->scene, "operation", row->line->text, row->index, "line-%u-%u", g + 1, row->index + 1);
  draw_chips (ladder, x - 4, y, row->line);
  mono (ladder, x, y, TL_ANCHOR_START, FALSE, role (ladder, row->line->changed ? TL_ROLE_INK : TL_ROLE_INK2), text);
  tl_scene_hit (ladder->scene, tl_box (x, y - 10, width, PITCH));
  tl_scene_end (ladder->scene);
}

static char *
tally_of (const Group *group, gboolean first)
{
  const TlRung *rung = group->rung;

  if (rung == NULL)
    return g_strdup ("the build did not get here");
  if (first)
    return g_strdup_printf ("%u lines", rung->lines->len);
  if (rung->removed > 0)
    return g_strdup_printf ("%u of %u lines new or changed, %u gone", rung->changed, rung->lines->len, rung->removed);
  return g_strdup_printf ("%u of %u lines new or changed", rung->changed, rung->lines->len);
}

static void
draw_group (const Ladder *ladder, guint g, float y)
{
  const Group     *group = &ladder->group[g];
  g_autofree char *tally = tally_of (group, g == 0);
  g_autofree char *title = g_strdup_printf ("G%u %s: %s", g + 1, tl_pass_group_name (g), tally);
  float            right = ladder->box.x + ladder->box.width - MARGIN;
  TlBox            head = tl_box (ladder->split, y, right - ladder->split, HEAD - 8);

  tl_scene_begin (ladder->scene, "group", title, g, "group-%u", g + 1);
  tl_scene_line (ladder->scene, head.x, y + HEAD - 8, right, y + HEAD - 8, tl_stroke (role (ladder, TL_ROLE_LINE), 1));
  tl_scene_label (ladder->scene, head.x, y + 13, TL_ANCHOR_START, 12, TRUE,
                  role (ladder, group->rung != NULL ? TL_ROLE_INK : TL_ROLE_INK2), "G%u  %s", g + 1,
                  tl_pass_group_name (g));
  tl_scene_label (ladder->scene, right, y + 13, TL_ANCHOR_END, 10.5f, FALSE, role (ladder, TL_ROLE_INK2), "%s", tally);
  tl_scene_hit (ladder->scene, head);
  tl_scene_end (ladder->scene);
  y += HEAD + 4;
  for (guint r = 0; r < group->rows->len; r++, y += PITCH)
    draw_row (ladder, g, &g_array_index (group->rows, Row, r), y);
}

/* As wide as the text wants, between a quarter and two fifths of the picture. */
static float
split_of (const Ladder *ladder)
{
  float widest = 0;

  for (guint l = 0; l < ladder->n_source; l++)
    widest = MAX (widest, tl_scene_text_width (ladder->source[l], TEXT, FALSE, TRUE));
  return ladder->box.x + floorf (CLAMP (widest + MARGIN + CHIP + 24, ladder->box.width / 4, ladder->box.width * 0.4f));
}

void
tl_view_passes (TlScene *scene, TlBox box, const TlPassesShown *shown)
{
  Ladder ladder = { .scene = scene, .box = box };
  g_auto (GStrv) source = g_strsplit (shown->source, "\n", -1);
  float y = box.y + MARGIN;

  ladder.source = source;
  ladder.n_source = MIN (g_strv_length (source), MOST_SOURCE);
  while (ladder.n_source > 0 && source[ladder.n_source - 1][0] == '\0')
    ladder.n_source--;
  ladder.split = split_of (&ladder);
  make_groups (ladder.group, shown);
  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    for (guint l = 0; ladder.group[g].rung != NULL && l < ladder.group[g].rung->lines->len; l++)
      for (guint s = 1; s <= ladder.n_source; s++)
        ladder.stems[s] |= tl_rung_stems (ladder.group[g].rung->lines->pdata[l], s);
  fit (ladder.group, box.height);

  tl_scene_rect (scene, box, tl_fill (role (&ladder, TL_ROLE_VIEW)));
  tl_scene_clip (scene, box);
  tl_scene_line (scene, ladder.split - 8, box.y + MARGIN, ladder.split - 8, box.y + box.height - MARGIN,
                 tl_stroke (role (&ladder, TL_ROLE_LINE), 1));
  draw_source (&ladder);
  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    {
      draw_group (&ladder, g, y);
      y += HEAD + GAP + PITCH * (float) ladder.group[g].rows->len;
      group_clear (&ladder.group[g]);
    }
  tl_scene_unclip (scene);
}
