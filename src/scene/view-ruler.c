/* The right card of the register lens: the bits of one thread with the elements of both sides of a View above and
 * below, the verdict, the layout in four notations, and the traced element's way. The bits shown are an example; where
 * they are cut is not. */
#include "layout/element-code.h"
#include "layout/packing.h"
#include "layout/view.h"
#include "scene/marks.h"
#include "scene/view-register-private.h"

#include <math.h>
#include <string.h>

enum
{
  WORD = 32,     /* bits of a register */
  MOST_WORDS = 3 /* registers drawn */
};

static TlColor
role (const Lens *lens, TlRole name)
{
  return tl_theme_color (lens->scene->theme, name);
}

float
tl_lens_paragraph (TlScene *scene, TlBox box, TlColor color, float size, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);
  float y = box.y;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s %s", line->str, words[i]) : g_strdup (words[i]);
      if (line->len > 0 && tl_scene_text_width (longer, size, FALSE, FALSE) > box.width)
        {
          tl_scene_label (scene, box.x, y, TL_ANCHOR_START, size, FALSE, color, "%s", line->str);
          g_string_assign (line, words[i]);
          y += size * 1.4f;
        }
      else
        g_string_assign (line, longer);
    }
  if (line->len > 0)
    {
      tl_scene_label (scene, box.x, y, TL_ANCHOR_START, size, FALSE, color, "%s", line->str);
      y += size * 1.4f;
    }
  return y;
}

static void
mono (const Lens *lens, float x, float y, TlAnchor anchor, float size, TlColor color, const char *text)
{
  TlText label = { .x = x, .y = y, .size = size, .anchor = anchor, .mono = TRUE, .color = color, .text = text };

  tl_scene_text (lens->scene, &label);
}

/* --- The ruler --- */

/* The thread whose bits are shown: the one that is traced. */
static guint
shown_thread (const Lens *lens)
{
  const TlLayout *layout = &lens->of->from.layout;
  gint64          element = lens->moment->element;
  guint           local;

  if (element < 0 || (guint64) element >= tl_layout_elements (layout))
    return MIN (lens->moment->thread, lens->threads - 1);
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  tl_layout_where (layout, (guint64) element, threads, &local);
  return threads[0];
}

/* An example that shows every bit moving: 12 34 56 78 .. in hexadecimal. */
static void
example_bits (guint8 *bytes, gsize n)
{
  static const guint8 pattern[] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0 };

  for (gsize i = 0; i < n; i++)
    bytes[i] = pattern[i % sizeof pattern];
}

static char *
value_text (TlElementType type, guint64 code)
{
  if (type.kind == TL_ELEMENT_UINT && type.bits % 4 == 0)
    return g_strdup_printf ("0x%0*" G_GINT64_MODIFIER "x", type.bits / 4, code);
  if (!tl_element_type_exact (type))
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", code);
  return g_strdup_printf ("%.6g", tl_element_decode (type, code));
}

typedef struct
{
  TlBox   box;   /* of a register's bits */
  guint64 first; /* bit of it */
  guint   n;     /* bits */
  float   pitch;
} Row;

/* Elements of one side over one register: cells cut where the register ends. */
static void
draw_elements (const Lens *lens, const Row *row, TlElementType type, const guint8 *bytes, gboolean above, guint local,
               guint64 n)
{
  g_autofree char *name = tl_element_type_name (type);
  TlColor hue = tl_color_over (role (lens, above ? TL_ROLE_QUEUE : TL_ROLE_MISS), role (lens, TL_ROLE_CARD), 0.45);
  TlColor lit = tl_color_over (role (lens, above ? TL_ROLE_QUEUE : TL_ROLE_MISS), role (lens, TL_ROLE_CARD), 0.9);
  float   y = above ? row->box.y - 32 : row->box.y + row->box.height + 6;

  if (lens->scene->theme == TL_THEME_PRINT)
    hue = lit = role (lens, TL_ROLE_CARD);
  for (guint64 e = row->first / type.bits; e < n && e * type.bits < row->first + row->n; e++)
    {
      guint64          from = MAX (e * type.bits, row->first), to = MIN ((e + 1) * type.bits, row->first + row->n);
      TlBox            box = tl_box (row->box.x + (float) (from - row->first) * row->pitch + 0.5f, y,
                                     (float) (to - from) * row->pitch - 1, 26);
      g_autofree char *value = value_text (type, tl_bits_get (bytes, e * type.bits, type.bits));
      g_autofree char *label = g_strdup_printf ("%s[%" G_GUINT64_FORMAT "]", name, e);
      g_autofree char *title
          = g_strdup_printf ("%s: bits %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of the thread, value %s", label,
                             e * type.bits, (e + 1) * type.bits - 1, value);
      TlStyle style
          = tl_fill_stroke (above && e == local ? lit : hue, role (lens, TL_ROLE_OUTLINE), above && e == local ? 2 : 1);
      float both = tl_scene_text_width (label, 10, TRUE, FALSE) + tl_scene_text_width (value, 10, FALSE, FALSE) + 14;

      style.radius = 3;
      tl_scene_begin (lens->scene, above ? "source" : "target", title, e, "%s-%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                      above ? "source" : "target", e, row->first);
      tl_scene_rect (lens->scene, box, style);
      if (both <= box.width)
        {
          tl_scene_label (lens->scene, box.x + 5, box.y + 17, TL_ANCHOR_START, 10, TRUE, role (lens, TL_ROLE_INK), "%s",
                          label);
          tl_scene_label (lens->scene, box.x + box.width - 5, box.y + 17, TL_ANCHOR_END, 10, FALSE,
                          role (lens, TL_ROLE_INK), "%s", value);
        }
      else if (tl_scene_text_width (value, 10, FALSE, FALSE) + 4 <= box.width)
        tl_scene_label (lens->scene, box.x + box.width / 2, box.y + 17, TL_ANCHOR_MIDDLE, 10, FALSE,
                        role (lens, TL_ROLE_INK), "%s", value);
      tl_scene_hit (lens->scene, box);
      tl_scene_end (lens->scene);
      /* Where an element ends. */
      float x = row->box.x + (float) (from - row->first) * row->pitch;
      tl_scene_line (lens->scene, x, above ? y + 26 : y, x, above ? row->box.y : row->box.y + row->box.height,
                     tl_stroke (role (lens, TL_ROLE_INK2), 1.2f));
    }
}

static void
draw_bits (const Lens *lens, const Row *row, const guint8 *bytes)
{
  g_autoptr (GArray) ones = g_array_new (FALSE, FALSE, sizeof (TlBox));
  g_autoptr (GArray) zeros = g_array_new (FALSE, FALSE, sizeof (TlBox));

  for (guint i = 0; i < row->n; i++)
    {
      TlBox box
          = tl_box (row->box.x + (float) i * row->pitch + 0.5f, row->box.y + 0.5f, row->pitch - 1, row->box.height - 1);
      g_array_append_val (tl_bits_get (bytes, row->first + i, 1) != 0 ? ones : zeros, box);
    }
  if (zeros->len > 0)
    tl_scene_rects (lens->scene, (const TlBox *) zeros->data, zeros->len,
                    tl_fill_stroke (role (lens, TL_ROLE_SLOT), role (lens, TL_ROLE_LINE), 1));
  if (ones->len > 0)
    tl_scene_rects (lens->scene, (const TlBox *) ones->data, ones->len,
                    tl_fill_stroke (role (lens, TL_ROLE_IDLE), role (lens, TL_ROLE_OUTLINE), 1));
  for (guint i = 0; row->pitch >= 8 && i < row->n; i++)
    {
      gboolean one = tl_bits_get (bytes, row->first + i, 1) != 0;
      TlColor  ink = one && lens->scene->theme != TL_THEME_PRINT ? tl_color_ink_on (role (lens, TL_ROLE_IDLE))
                                                                 : role (lens, TL_ROLE_INK2);
      mono (lens, row->box.x + ((float) i + 0.5f) * row->pitch, row->box.y + row->box.height / 2 + 3.5f,
            TL_ANCHOR_MIDDLE, 9, ink, one ? "1" : "0");
    }
}

/* Bit numbers where either side begins an element, and at the end, as far as they keep apart. */
static void
draw_positions (const Lens *lens, const Row *row, float y)
{
  const TlRegisterLens *of = lens->of;
  float                 last = -100;

  for (guint i = 0; i <= row->n; i++)
    {
      guint64 at = row->first + i;
      float   x = row->box.x + (float) i * row->pitch;

      if (i != 0 && i != row->n && at % of->from.type.bits != 0 && !(of->judged && at % of->to.type.bits == 0))
        continue;
      if (x - last < 15 && i != row->n)
        continue;
      if (i == row->n && x - last < 15)
        break;
      tl_scene_label (lens->scene, x, y, TL_ANCHOR_MIDDLE, 9, FALSE, role (lens, TL_ROLE_INK2), "%" G_GUINT64_FORMAT,
                      at);
      last = x;
    }
}

/* Returns the y below. */
static float
draw_ruler (const Lens *lens, float y, float foot)
{
  const TlRegisterLens *of = lens->of;
  TlBox                 card = lens->card[2];
  guint64               bits = (guint64) lens->locals * of->from.type.bits;
  guint64               words = (bits + WORD - 1) / WORD;
  gsize                 n_bytes = (gsize) ((words + 1) * WORD / 8 + 8);
  float                 room = card.width - 28, step = of->judged ? 108 : 74;
  guint64               shown = CLAMP ((guint64) MAX ((foot - y) / step, 1), 1, MIN (words, MOST_WORDS));
  guint                 lit = G_MAXUINT, local;
  /* Only the registers that are drawn are looked at, and the element across the last one's end. */
  n_bytes = MIN (n_bytes, (gsize) (MOST_WORDS + 3) * WORD / 8 + 16);
  g_autofree guint8 *bytes = g_new (guint8, n_bytes);

  example_bits (bytes, n_bytes);
  if (lens->moment->element >= 0 && (guint64) lens->moment->element < tl_layout_elements (&of->from.layout))
    {
      g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (&of->from.layout));
      tl_layout_where (&of->from.layout, (guint64) lens->moment->element, threads, &local);
      lit = local;
    }
  for (guint64 w = 0; w < shown; w++)
    {
      guint n = (guint) MIN (bits - w * WORD, (guint64) WORD);
      float pitch = MIN (15, room / (float) (words > 1 ? WORD : n));
      Row   row = { tl_box (card.x + 14, y + 32, pitch * (float) n, 20), w * WORD, n, pitch };

      draw_elements (lens, &row, of->from.type, bytes, TRUE, lit, lens->locals);
      draw_bits (lens, &row, bytes);
      if (of->judged)
        draw_elements (lens, &row, of->to.type, bytes, FALSE, lit, tl_layout_locals (&of->to.layout));
      draw_positions (lens, &row, row.box.y + row.box.height + (of->judged ? 44 : 13));
      y += step;
    }
  if (words > shown)
    {
      tl_scene_label (lens->scene, card.x + 14, y + 4, TL_ANCHOR_START, 10, FALSE, role (lens, TL_ROLE_INK2),
                      "and %" G_GUINT64_FORMAT " more registers of the thread, alike", words - shown);
      y += 16;
    }
  return y;
}

/* --- The verdict --- */

static void
check_mark (const Lens *lens, float x, float y, float size, gboolean fine)
{
  TlColor color = role (lens, fine ? TL_ROLE_COMPUTE_INK : TL_ROLE_CONFLICT_INK);
  float   r = size / 2;

  if (fine)
    {
      const TlPathStep steps[]
          = { { 'M', { x - r, y } }, { 'L', { x - r / 3, y + r * 0.7f } }, { 'L', { x + r, y - r } } };
      tl_scene_path (lens->scene, steps, 3, tl_stroke (color, 2));
    }
  else
    {
      const TlPathStep steps[] = {
        { 'M', { x - r, y - r } }, { 'L', { x + r, y + r } }, { 'M', { x - r, y + r } }, { 'L', { x + r, y - r } }
      };
      tl_scene_path (lens->scene, steps, 4, tl_stroke (color, 2));
    }
}

static float
draw_checks (const Lens *lens, float y)
{
  const TlRegisterLens *of = lens->of;
  float                 x = lens->card[2].x + 20;
  guint64               from = (guint64) tl_layout_locals (&of->from.layout) * of->from.type.bits;
  guint64               to = (guint64) tl_layout_locals (&of->to.layout) * of->to.type.bits;
  gboolean              threads = tl_layout_threads (&of->from.layout) == tl_layout_threads (&of->to.layout);
  g_autofree char      *bits
      = from == to ? g_strdup_printf ("%" G_GUINT64_FORMAT " bits a thread", from)
                   : g_strdup_printf ("%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " bits a thread", from, to);
  const struct
  {
    const char *text;
    gboolean    fine;
    gboolean    known;
  } checks[] = { { threads ? "same threads" : "other threads", threads, TRUE },
                 { bits, from == to, TRUE },
                 { of->condition == 3 ? "copies differ" : "no copy split", of->condition != 3,
                   of->condition != 1 && of->condition != 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      if (!checks[i].known)
        continue;
      check_mark (lens, x, y - 4, 9, checks[i].fine);
      tl_scene_label (lens->scene, x + 10, y, TL_ANCHOR_START, 11, FALSE, role (lens, TL_ROLE_INK2), "%s",
                      checks[i].text);
      x += 26 + tl_scene_text_width (checks[i].text, 11, FALSE, FALSE);
    }
  return y + 18;
}

/* What the same View would cost if elements lay apart: why packing matters. */
static void
other_packing (const Lens *lens, float y)
{
  const TlRegisterLens *of = lens->of;
  guint64               moved;

  if (of->from.type.bits == of->to.type.bits
      || tl_view_keeps_place (TL_PACKING_WORD_EACH, of->from.type.bits, lens->locals, of->to.type.bits, &moved))
    return;
  tl_scene_label (lens->scene, lens->card[2].x + 14, y, TL_ANCHOR_START, 10.5f, FALSE, role (lens, TL_ROLE_INK2),
                  "With one element a register instead, bit %" G_GUINT64_FORMAT " would be the first to move.", moved);
}

static float
draw_verdict (const Lens *lens, float y)
{
  const TlRegisterLens *of = lens->of;
  TlBox                 card = lens->card[2];
  TlRole                hue = of->free ? TL_ROLE_COMPUTE : of->condition == 3 ? TL_ROLE_MISS : TL_ROLE_CONFLICT;
  TlRole           ink = of->free ? TL_ROLE_COMPUTE_INK : of->condition == 3 ? TL_ROLE_MISS_INK : TL_ROLE_CONFLICT_INK;
  guint64          bits = (guint64) lens->locals * of->from.type.bits;
  g_autofree char *head = of->free             ? g_strdup ("0 instructions")
                          : of->condition == 3 ? g_strdup ("Ill-defined (C3)")
                          : of->condition > 0  ? g_strdup_printf ("Not free (C%u)", of->condition)
                                               : g_strdup ("Not free");
  g_autofree char *said
      = of->free ? g_strdup_printf ("Both cut the same %" G_GUINT64_FORMAT "-bit string; no bit moves.", bits)
                 : g_strdup (of->message);
  float   lines = ceilf (tl_scene_text_width (said, 11, FALSE, FALSE) / (card.width - 84));
  TlBox   box = tl_box (card.x + 12, y, card.width - 24, 32 + 15.4f * lines);
  TlStyle style = tl_fill_stroke (lens->scene->theme == TL_THEME_PRINT
                                      ? role (lens, TL_ROLE_CARD)
                                      : tl_color_over (role (lens, hue), role (lens, TL_ROLE_CARD), 0.16),
                                  role (lens, hue), 1);

  style.radius = 8;
  tl_scene_begin (lens->scene, "verdict", of->message, 0, "register-verdict");
  tl_scene_rect (lens->scene, box, style);
  tl_scene_ellipse (lens->scene, box.x + 22, box.y + 24, 10, 10, tl_stroke (role (lens, ink), 2));
  check_mark (lens, box.x + 22, box.y + 24, 9, of->free);
  tl_scene_label (lens->scene, box.x + 44, box.y + 20, TL_ANCHOR_START, 13, TRUE, role (lens, ink), "%s", head);
  tl_lens_paragraph (lens->scene, tl_box (box.x + 44, box.y + 37, box.width - 56, box.height), role (lens, TL_ROLE_INK),
                     11, said);
  tl_scene_hit (lens->scene, box);
  tl_scene_end (lens->scene);
  y = draw_checks (lens, box.y + box.height + 20);
  if (of->free)
    {
      other_packing (lens, y);
      return y + 14;
    }
  g_autoptr (GPtrArray) moves = tl_register_lens_moves (of, 4);
  for (guint i = 0; i < moves->len; i++, y += 14)
    tl_scene_label (lens->scene, card.x + 14, y, TL_ANCHOR_START, 10.5f, FALSE, role (lens, TL_ROLE_CONFLICT_INK), "%s",
                    (const char *) moves->pdata[i]);
  return y + 6;
}

/* --- Notations and way --- */

static void
draw_notations (const Lens *lens, float y)
{
  TlBox card = lens->card[2];
  /* What fits at 10 px in the fixed font. */
  guint room = (guint) MAX ((card.width - 28 - 86) / tl_scene_text_width ("0", 10, FALSE, TRUE), 8);

  for (TlNotation n = 0; n < TL_N_NOTATIONS; n++, y += 16)
    {
      const char      *text = lens->of->notation[n] != NULL ? lens->of->notation[n] : lens->of->why_not[n];
      g_autofree char *cut = g_utf8_strlen (text, -1) > (glong) room ? g_utf8_substring (text, 0, room - 1) : NULL;
      g_autofree char *shown = cut != NULL ? g_strconcat (cut, "…", NULL) : g_strdup (text);

      tl_scene_begin (lens->scene, "notation", text, n, "notation-%u", n);
      tl_scene_label (lens->scene, card.x + 14, y, TL_ANCHOR_START, 10.5f, FALSE, role (lens, TL_ROLE_INK2), "%s",
                      tl_notation_name (n));
      if (lens->of->notation[n] != NULL)
        mono (lens, card.x + 100, y, TL_ANCHOR_START, 10, role (lens, TL_ROLE_INK), shown);
      else
        tl_scene_label (lens->scene, card.x + 100, y, TL_ANCHOR_START, 10.5f, FALSE, role (lens, TL_ROLE_INK3),
                        "none: %s", shown);
      tl_scene_hit (lens->scene, tl_box (card.x + 14, y - 11, card.width - 28, 15));
      tl_scene_end (lens->scene);
    }
}

enum
{
  WAY_HEIGHT = 110,
  NOTATIONS_HEIGHT = 4 * 16 + 8,
};

void
tl_lens_draw_view (const Lens *lens)
{
  const TlRegisterLens *of = lens->of;
  TlBox                 card = lens->card[2];
  float                 y = card.y + 40;
  float                 foot = card.y + card.height - WAY_HEIGHT - (lens->moment->notations ? NOTATIONS_HEIGHT : 0);

  if (!of->from.valid)
    {
      tl_lens_card (lens->scene, card, "View", NULL);
      return;
    }
  g_autofree char *from = tl_element_type_name (of->from.type);
  g_autofree char *to = of->judged ? tl_element_type_name (of->to.type) : NULL;
  g_autofree char *what = of->judged ? g_strdup_printf ("%s[%u] read as %s[%u]", from, lens->locals, to,
                                                        tl_layout_locals (&of->to.layout))
                                     : g_strdup_printf ("%s[%u]", from, lens->locals);
  g_autofree char *rest = g_strdup_printf ("%s, thread %u", what, shown_thread (lens));

  tl_lens_card (lens->scene, card, of->viewed ? "View" : "Bits", rest);
  y = draw_ruler (lens, y, foot - (of->judged ? 120 : of->viewed ? 50 : 0)) + 8;
  if (of->judged)
    draw_verdict (lens, y);
  else if (of->viewed)
    {
      tl_scene_begin (lens->scene, "problem", of->to.reason, 0, "register-view-problem");
      tl_mark_warning (lens->scene, card.x + 24, y + 8, 14, lens->scene->theme);
      tl_lens_paragraph (lens->scene, tl_box (card.x + 40, y + 12, card.width - 56, 40), role (lens, TL_ROLE_INK), 11,
                         of->to.reason);
      tl_scene_hit (lens->scene, tl_box (card.x + 14, y, card.width - 28, 30));
      tl_scene_end (lens->scene);
    }
  if (lens->moment->notations)
    draw_notations (lens, foot + 12);
}

void
tl_lens_draw_way (const Lens *lens)
{
  g_autoptr (GPtrArray) lines = tl_register_lens_trace (lens->of, lens->moment);
  TlBox card = lens->card[2];
  float y = card.y + card.height - WAY_HEIGHT;

  tl_scene_line (lens->scene, card.x + 14, y, card.x + card.width - 14, y, tl_stroke (role (lens, TL_ROLE_LINE), 1));
  if (lines->len == 0)
    {
      tl_scene_label (lens->scene, card.x + 14, y + 22, TL_ANCHOR_START, 11, FALSE, role (lens, TL_ROLE_INK2),
                      "Point at a cell: its thread, bits and bytes");
      return;
    }
  for (guint i = 0; i < MIN (lines->len, 6); i++)
    tl_scene_label (lens->scene, card.x + 14, y + 18 + 15 * (float) i, TL_ANCHOR_START, i == 0 ? 12 : 11, i == 0,
                    role (lens, TL_ROLE_INK), "%s", (const char *) lines->pdata[i]);
}
