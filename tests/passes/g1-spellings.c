/* The generator of equal spellings. */
#include "g1-spellings.h"

#include "support/support.h"

#include <string.h>

static const struct
{
  const char *type;
  const char *reference;
} spelled[N_SPELLED] = {
  { "i32",
    "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32\nconfig target = gendram\n" },
  { "bool",
    "algorithm reach\n  D[i,j] = D[i,j] or (D[i,k] and D[k,j])  for k, i, j\ndata D: bool\nconfig target = gendram\n" },
  { "i32", "algorithm widest\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))  for k, i, j\ndata D: i32\nconfig target = "
           "gendram\n" },
  { "i32", "algorithm minimax\n  D[i,j] = min(D[i,j], max(D[i,k], D[k,j]))  for k, i, j\ndata D: i32\nconfig target = "
           "gendram\n" },
};

const char *
spelled_reference (Spelled which)
{
  return spelled[which].reference;
}

typedef struct
{
  Spelled     which;
  guint64    *state;
  GString    *text;
  const char *name[3];  /* of i, j, k */
  guint       style[3]; /* bounds of i, j, k: 0, 1, 2 */
  const char *temp[4];
  char       *cell[3]; /* D[i,j], D[i,k], D[k,j] as spelled */
  guint       indent;
} Speller;

static guint
pick (Speller *s, guint n)
{
  return (guint) tl_test_random_below (s->state, n);
}

#define ANY(s, ...) any ((s), (const char *const[]) { __VA_ARGS__, NULL })

static const char *
any (Speller *s, const char *const *choices)
{
  guint n = 0;
  while (choices[n] != NULL)
    n++;
  return choices[pick (s, n)];
}

/* Replaces $C $L $R $T (cells and a text) in @format. */
static char *
fill (Speller *s, const char *format, const char *t)
{
  GString *text = g_string_new (NULL);

  for (; *format != '\0'; format++)
    if (*format == '$')
      switch (*++format)
        {
        case 'C':
          g_string_append (text, s->cell[0]);
          break;
        case 'L':
          g_string_append (text, s->cell[1]);
          break;
        case 'R':
          g_string_append (text, s->cell[2]);
          break;
        default:
          g_string_append (text, t);
        }
    else
      g_string_append_c (text, *format);
  return g_string_free (text, FALSE);
}

static char *
subscript (Speller *s, guint loop)
{
  if (s->style[loop] == 2)
    return g_strconcat (s->name[loop], ANY (s, "-1", " - 1"), NULL);
  return g_strdup (s->name[loop]);
}

static char *
cell (Speller *s, guint first, guint second)
{
  g_autofree char *a = subscript (s, first);
  g_autofree char *b = subscript (s, second);
  return g_strconcat ("D[", a, ANY (s, ",", ", "), b, "]", NULL);
}

static void
line (Speller *s, const char *text)
{
  for (guint i = 0; i < s->indent; i++)
    g_string_append_c (s->text, ' ');
  g_string_append (s->text, text);
  if (pick (s, 12) == 0)
    g_string_append (s->text, "  # so it is");
  g_string_append_c (s->text, '\n');
}

/* The combination as one expression. */
static char *
combination (Speller *s)
{
  switch (s->which)
    {
    case SPELL_SHORTEST:
      return fill (s, ANY (s, "$L + $R", "$R + $L", "($L) + ($R)", "$L - (-$R)", "-(-$L - $R)", "$R + $L + 0"), "");
    case SPELL_CLOSURE:
      return fill (s,
                   ANY (s, "$L and $R", "$R and $L", "not (not $L or not $R)", "min($L, $R)", "($L if $R else false)",
                        "(false if not $L else $R)"),
                   "");
    case SPELL_WIDEST:
      return fill (s,
                   ANY (s, "min($L, $R)", "min($R, $L)", "-max(-$L, -$R)", "($L if $L < $R else $R)",
                        "($R if $L >= $R else $L)", "($L if not ($L > $R) else $R)"),
                   "");
    default:
      return fill (s,
                   ANY (s, "max($L, $R)", "max($R, $L)", "-min(-$L, -$R)", "($L if $L > $R else $R)",
                        "($R if $L <= $R else $L)", "($L if not ($L < $R) else $R)"),
                   "");
    }
}

/* The whole new value as one expression of the old one and T. */
static char *
new_value (Speller *s, const char *t)
{
  switch (s->which)
    {
    case SPELL_CLOSURE:
      return fill (s,
                   ANY (s, "$C or ($T)", "($T) or $C", "max($C, $T)", "not (not $C and not ($T))", "true if $T else $C",
                        "$C if not ($T) else true", "true if $C else ($T)"),
                   t);
    case SPELL_WIDEST:
      return fill (s,
                   ANY (s, "max($C, $T)", "max($T, $C)", "-min(-$C, -($T))", "$C if $C > $T else $T",
                        "$T if $C <= $T else $C", "$C if not ($C < $T) else $T", "$T if -($T) < -$C else $C"),
                   t);
    default:
      return fill (s,
                   ANY (s, "min($C, $T)", "min($T, $C)", "-max(-$C, -($T))", "$C if $C < $T else $T",
                        "$T if $C >= $T else $C", "$C if not ($C > $T) else $T", "$T if -($T) > -$C else $C"),
                   t);
    }
}

/* A condition under which the cell takes T. */
static char *
better (Speller *s, const char *t)
{
  switch (s->which)
    {
    case SPELL_CLOSURE:
      return fill (s, ANY (s, "$T", "not not ($T)", "($T) == true", "$T and not $C", "not $C and ($T)", "($T) > $C"),
                   t);
    case SPELL_WIDEST:
      return fill (s,
                   ANY (s, "$T > $C", "$T >= $C", "$C < $T", "$C <= $T", "not ($T <= $C)", "not ($C > $T)",
                        "-($T) < -$C", "$C - ($T) < 0", "0 < $T - $C"),
                   t);
    default:
      return fill (s,
                   ANY (s, "$T < $C", "$T <= $C", "$C > $T", "$C >= $T", "not ($T >= $C)", "not ($C < $T)",
                        "-($T) > -$C", "$C - ($T) > 0", "0 > $T - $C"),
                   t);
    }
}

/* A condition that is false only where the update changes nothing. */
static char *
guard (Speller *s, gboolean row_only)
{
  if (pick (s, 3) == 0 && !row_only)
    {
      const char *ends[2] = { s->name[pick (s, 2)], s->name[2] };
      guint       turn = pick (s, 2);
      guint       end = ends[0] == s->name[0] ? 0 : 1;
      /* Shifted ranges have other first values. */
      if ((s->style[end] == 2) == (s->style[2] == 2))
        return g_strconcat (ends[turn], " != ", ends[!turn], NULL);
    }
  switch (s->which)
    {
    case SPELL_CLOSURE:
      return fill (s, row_only ? ANY (s, "$L", "$L == true") : ANY (s, "$L", "$R", "$L or $R"), "");
    case SPELL_WIDEST:
      return fill (s,
                   row_only ? ANY (s, "$L > 0", "$L != 0", "not ($L == 0)")
                            : ANY (s, "$L > 0", "$R != 0", "$R > 0 and $L > 0"),
                   "");
    default:
      return fill (s,
                   row_only ? ANY (s, "$L != inf", "$L < inf", "not ($L == inf)")
                            : ANY (s, "$L != inf", "$R < inf", "$L < inf and $R < inf", "not ($L == inf or $R == inf)"),
                   "");
    }
}

/* The statements of the innermost loop; FALSE for one that needs lines of its own. */
static void
body (Speller *s)
{
  g_autofree char *t = combination (s);
  guint            temps = pick (s, 4);
  guint            start = s->indent;

  if (pick (s, 4) == 0)
    {
      g_autofree char *condition = guard (s, FALSE);
      g_autofree char *text = g_strconcat ("if ", condition, ":", NULL);
      line (s, text);
      s->indent += 2;
    }
  /* Operands, then the combination, in temporaries. */
  if (temps == 3)
    {
      char            *kept[2] = { s->cell[1], s->cell[2] };
      g_autofree char *first = g_strconcat (s->temp[1], " = ", s->cell[1], NULL);
      g_autofree char *second = g_strconcat (s->temp[2], " = ", s->cell[2], NULL);
      line (s, first);
      line (s, second);
      s->cell[1] = (char *) s->temp[1];
      s->cell[2] = (char *) s->temp[2];
      g_free (t);
      t = combination (s);
      s->cell[1] = kept[0];
      s->cell[2] = kept[1];
    }
  if (temps >= 1)
    {
      g_autofree char *text = g_strconcat (s->temp[0], " = ", t, NULL);
      line (s, text);
      g_free (t);
      t = g_strdup (s->temp[0]);
    }
  if (temps == 2)
    {
      g_autofree char *text = g_strconcat (s->temp[3], " = ", t, NULL);
      line (s, text);
      g_free (t);
      t = g_strdup (s->temp[3]);
    }
  guint form = pick (s, 5);
  if (form == 0)
    {
      g_autofree char *value = new_value (s, t);
      g_autofree char *text = g_strconcat (s->cell[0], " = ", value, NULL);
      line (s, text);
    }
  else if (form == 1)
    {
      g_autofree char *value = new_value (s, t);
      g_autofree char *first = g_strconcat ("new_", s->temp[0], " = ", value, NULL);
      g_autofree char *second = g_strconcat (s->cell[0], " = new_", s->temp[0], NULL);
      line (s, first);
      line (s, second);
    }
  else
    {
      g_autofree char *condition = better (s, t);
      g_autofree char *kept = s->which == SPELL_CLOSURE && pick (s, 2) ? g_strdup ("true") : g_strdup (t);
      g_autofree char *text = g_strconcat ("if ", condition, ": ", s->cell[0], " = ", kept, NULL);
      g_autofree char *negated = g_strconcat ("if not (", condition, "):", NULL);
      g_autofree char *keep = g_strconcat (s->cell[0], " = ", s->cell[0], NULL);
      g_autofree char *take = g_strconcat (s->cell[0], " = ", kept, NULL);
      if (form != 4)
        line (s, text);
      else
        {
          line (s, negated);
          s->indent += 2;
          line (s, keep);
          s->indent -= 2;
          line (s, "else:");
          s->indent += 2;
          line (s, take);
          s->indent -= 2;
        }
    }
  s->indent = start;
}

static char *
header (Speller *s, guint loop)
{
  static const char *const ranges[3] = { "0..N", "0..=N-1", "1..N+1" };
  return g_strconcat ("for ", s->name[loop], " in ", ranges[s->style[loop]], ":", NULL);
}

static void
nest (Speller *s, const guint order[3])
{
  guint    layout = pick (s, 3);
  gboolean hoist = FALSE;

  s->indent = 2;
  if (layout == 0)
    {
      g_autofree char *a = header (s, order[0]);
      g_autofree char *b = header (s, order[1]);
      g_autofree char *c = header (s, order[2]);
      g_autofree char *all = g_strconcat (a, " ", b, " ", c, NULL);
      line (s, all);
      s->indent += 2;
    }
  else
    for (guint i = 0; i < 3; i++)
      {
        g_autofree char *one = header (s, order[i]);
        if (layout == 2 && i == 0)
          {
            g_autofree char *two = header (s, order[1]);
            g_autofree char *both = g_strconcat (one, " ", two, NULL);
            line (s, both);
            i = 1;
          }
        else
          line (s, one);
        s->indent += 2;
        if (i != 1 || order[1] != 0 || pick (s, 3) != 0)
          continue;
        /* Between the headers of i and j: the row's operand read once, or a guard on it. */
        hoist = pick (s, 2);
        if (hoist)
          {
            g_autofree char *row = g_strconcat ("row = ", s->cell[1], NULL);
            line (s, row);
            g_free (s->cell[1]);
            s->cell[1] = g_strdup ("row");
          }
        if (!hoist || pick (s, 2))
          {
            g_autofree char *condition = guard (s, TRUE);
            g_autofree char *text = g_strconcat ("if ", condition, ":", NULL);
            line (s, text);
            s->indent += 2;
          }
      }
  body (s);
}

static void
one_line (Speller *s, const guint order[3])
{
  for (guint i = 0; i < 3; i++)
    s->style[i] = 0;
  g_autofree char *t = combination (s);
  g_autofree char *bracketed = g_strconcat ("(", t, ")", NULL);
  g_autofree char *value = new_value (s, bracketed);

  g_string_append_printf (s->text, "  %s = %s  for %s, %s, %s\n", s->cell[0], value, s->name[order[0]],
                          s->name[order[1]], s->name[order[2]]);
}

char *
spell (Spelled which, guint64 *state)
{
  static const char *const names[][3] = {
    { "i", "j", "k" },         { "a", "b", "via" },  { "x", "y", "z" }, { "j", "k", "i" },
    { "von", "nach", "über" }, { "p1", "p2", "p3" }, { "k", "i", "j" }, { "_u", "_v", "_w" },
  };
  static const char *const temps[][4]
      = { { "t", "l", "r", "tt" }, { "sum", "left", "right", "best_" }, { "neu", "q1", "q2", "q3" } };
  Speller  s = { .which = which, .state = state, .text = g_string_new (NULL) };
  guint    chosen = pick (&s, G_N_ELEMENTS (names)), temp = pick (&s, G_N_ELEMENTS (temps));
  guint    turned = pick (&s, 2);
  guint    order[3] = { 2, turned, !turned };
  gboolean line_form = pick (&s, 6) == 0;

  memcpy (s.name, names[chosen], sizeof s.name);
  memcpy (s.temp, temps[temp], sizeof s.temp);
  for (guint i = 0; i < 3; i++)
    s.style[i] = line_form ? 0 : pick (&s, 3);
  s.cell[0] = cell (&s, 0, 1);
  s.cell[1] = cell (&s, 0, 2);
  s.cell[2] = cell (&s, 2, 1);
  g_string_append_printf (s.text, "algorithm %s\n", ANY (&s, "apsp", "floyd_warshall", "A", "weg"));
  if (line_form)
    one_line (&s, order);
  else
    nest (&s, order);
  g_string_append_printf (s.text, "data D: %s\nconfig target = gendram\n", spelled[which].type);
  for (guint i = 0; i < 3; i++)
    g_free (s.cell[i]);
  return g_string_free (s.text, FALSE);
}
