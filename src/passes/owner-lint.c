/* The ownership lint: owners of a tile column, and what a lack of them costs under
 * strict barriers, from loads alone. GenMLIR Eq. 2 with M a multiple of P gives each
 * tile column one owner. models.md section 3. */
#include "passes/lint.h"

#include "base/number.h"
#include "passes/passes-private.h"

#include <string.h>

/* Loads of each PU: in tile row i at rows[i * P + p], in tile column j likewise, and
 * in all. For linear rules rows that are congruent mod P are equal, so only the first
 * min(M, P) are held: n_classes of them, row i is row i mod n_classes. */
typedef struct
{
  guint32  tiles;
  guint32  pus;
  guint32  n_classes;
  guint32 *rows;
  guint32 *columns;
  guint64 *all;
  guint32 *pivot; /* owner of (k,k), k < n_classes */
} Loads;

static void
loads_init (Loads *loads, guint32 tiles, guint32 pus, guint32 n_classes)
{
  loads->tiles = tiles;
  loads->pus = pus;
  loads->n_classes = n_classes;
  loads->rows = g_new0 (guint32, (gsize) n_classes * pus);
  loads->columns = g_new0 (guint32, (gsize) n_classes * pus);
  loads->all = g_new0 (guint64, pus);
  loads->pivot = g_new0 (guint32, n_classes);
}

static void
loads_clear (Loads *loads)
{
  g_free (loads->rows);
  g_free (loads->columns);
  g_free (loads->all);
  g_free (loads->pivot);
}

static void
loads_of_map (Loads *loads, const guint16 *owner, guint32 tiles, guint32 pus)
{
  loads_init (loads, tiles, pus, tiles);
  for (guint32 i = 0; i < tiles; i++)
    for (guint32 j = 0; j < tiles; j++)
      {
        guint32 p = owner[(gsize) i * tiles + j];

        loads->rows[(gsize) i * pus + p]++;
        loads->columns[(gsize) j * pus + p]++;
        loads->all[p]++;
      }
  for (guint32 k = 0; k < tiles; k++)
    loads->pivot[k] = owner[(gsize) k * tiles + k];
}

/* Members of 0..M-1 that are r mod P. */
static guint32
class_size (guint32 tiles, guint32 pus, guint32 r)
{
  return r < tiles ? (tiles - 1 - r) / pus + 1 : 0;
}

/* Owner (a i + b j + c) mod P: j runs through the residues with the counts of its
 * classes, so one row is P additions, and there are at most P different rows. */
static void
loads_of_linear (Loads *loads, guint32 a, guint32 b, guint32 c, guint32 tiles, guint32 pus)
{
  guint32 n = MIN (tiles, pus);

  loads_init (loads, tiles, pus, n);
  for (guint32 r = 0; r < n; r++)
    {
      guint32 times = class_size (tiles, pus, r);
      guint32 row = (guint32) (((guint64) a * r + c) % pus);
      guint32 column = (guint32) (((guint64) b * r + c) % pus);

      loads->pivot[r] = (guint32) (((guint64) a * r + (guint64) b * r + c) % pus);
      for (guint32 s = 0; s < n; s++)
        {
          guint32 size = class_size (tiles, pus, s);

          loads->rows[(gsize) r * pus + row] += size;
          loads->columns[(gsize) r * pus + column] += size;
          loads->all[row] += (guint64) times * size;
          row += b;
          row -= row >= pus ? pus : 0;
          column += a;
          column -= column >= pus ? pus : 0;
        }
    }
}

/* T = sum over k of (1 + largest row-and-column load + largest internal load). */
static guint64
count_steps (const Loads *loads)
{
  guint64 steps = 0;

  for (guint32 k = 0; k < loads->n_classes; k++)
    {
      const guint32 *row = loads->rows + (gsize) k * loads->pus;
      const guint32 *column = loads->columns + (gsize) k * loads->pus;
      guint64        cross = 0;
      guint64        internal = 0;
      guint32        times = loads->n_classes < loads->tiles ? class_size (loads->tiles, loads->n_classes, k) : 1;

      for (guint32 p = 0; p < loads->pus; p++)
        {
          guint64 pivot = p == loads->pivot[k];

          cross = MAX (cross, row[p] + (guint64) column[p] - 2 * pivot);
          internal = MAX (internal, loads->all[p] + pivot - row[p] - column[p]);
        }
      steps += times * (1 + cross + internal);
    }
  return steps;
}

static guint32
fewest_owners (const guint32 *loads, guint32 n, guint32 pus)
{
  guint32 fewest = pus;

  for (guint32 r = 0; r < n; r++)
    {
      guint32 owners = 0;

      for (guint32 p = 0; p < pus; p++)
        owners += loads[(gsize) r * pus + p] > 0;
      fewest = MIN (fewest, owners);
    }
  return fewest;
}

static TlOwnerLint
judge (const Loads *loads)
{
  TlOwnerLint lint = { 0 };
  Loads       skewed;
  guint32     columns = fewest_owners (loads->columns, loads->n_classes, loads->pus);
  guint32     rows = fewest_owners (loads->rows, loads->n_classes, loads->pus);

  lint.wanted = MIN (loads->tiles, loads->pus);
  lint.rows = rows < columns;
  lint.owners = MIN (rows, columns);
  lint.fires = lint.owners < lint.wanted;
  lint.steps = count_steps (loads);
  loads_of_linear (&skewed, (loads->tiles | 1) % loads->pus, 1 % loads->pus, 0, loads->tiles, loads->pus);
  lint.skewed_steps = count_steps (&skewed);
  loads_clear (&skewed);
  if (lint.skewed_steps < lint.steps)
    lint.loss = 1.0 - (double) lint.skewed_steps / (double) lint.steps;
  return lint;
}

static void
loads_of_rule (Loads *loads, const TlOwnerRule *rule)
{
  guint32             tiles = tl_owner_rule_tiles (rule);
  guint32             pus = tl_owner_rule_pus (rule);
  g_autofree guint16 *map = NULL;
  guint32             a;
  guint32             b;
  guint32             c;
  guint               n_moves;

  tl_owner_rule_moves (rule, &n_moves);
  if (tl_owner_rule_linear (rule, &a, &b, &c) && n_moves == 0)
    {
      loads_of_linear (loads, a, b, c, tiles, pus);
      return;
    }
  map = g_new (guint16, (gsize) tiles * tiles);
  tl_owner_rule_fill (rule, map);
  loads_of_map (loads, map, tiles, pus);
}

guint64
tl_owner_steps (const TlOwnerRule *rule)
{
  Loads   loads;
  guint64 steps;

  loads_of_rule (&loads, rule);
  steps = count_steps (&loads);
  loads_clear (&loads);
  return steps;
}

guint64
tl_owner_map_steps (const guint16 *owner, guint32 tiles, guint32 pus)
{
  Loads   loads;
  guint64 steps;

  loads_of_map (&loads, owner, tiles, pus);
  steps = count_steps (&loads);
  loads_clear (&loads);
  return steps;
}

guint64
tl_owner_copies (const TlOwnerRule *rule, guint64 *most)
{
  Loads   loads;
  guint64 sum = 0;

  loads_of_rule (&loads, rule);
  *most = 0;
  for (guint32 p = 0; p < loads.pus; p++)
    {
      guint64 own = 0;

      for (guint32 r = 0; r < loads.n_classes; r++)
        {
          guint32 times = loads.n_classes < loads.tiles ? class_size (loads.tiles, loads.n_classes, r) : 1;

          own += times
                 * (guint64) ((loads.rows[(gsize) r * loads.pus + p] > 0)
                              + (loads.columns[(gsize) r * loads.pus + p] > 0));
        }
      sum += own;
      *most = MAX (*most, own);
    }
  loads_clear (&loads);
  return sum;
}

TlOwnerLint
tl_owner_lint_rule (const TlOwnerRule *rule)
{
  Loads       loads;
  TlOwnerLint lint;

  loads_of_rule (&loads, rule);
  lint = judge (&loads);
  loads_clear (&loads);
  return lint;
}

TlOwnerLint
tl_owner_lint_map (const guint16 *owner, guint32 tiles, guint32 pus)
{
  Loads       loads;
  TlOwnerLint lint;

  loads_of_map (&loads, owner, tiles, pus);
  lint = judge (&loads);
  loads_clear (&loads);
  return lint;
}

/* Where the program has no owner line the fix appends one. */
static void
add_fix (TlDiag *diag, TlSource *source, TlSpan span)
{
  const char *text = tl_source_text (source);
  guint32     end = tl_source_length (source);
  gboolean    whole_line = end == 0 || text[end - 1] == '\n';

  if (span.end > span.start)
    tl_diag_fix (diag, "set owner = skewed", span, "skewed");
  else
    tl_diag_fix (diag, "add config owner = skewed", tl_span (end, end),
                 whole_line ? "config owner = skewed\n" : "\nconfig owner = skewed\n");
}

TlDiag *
tl_pass_lint_owner (const TlOwnerLint *lint, const char *rule_name, guint32 tiles, guint32 pus, TlBarriers barriers,
                    TlSource *source, TlSpan span, TlDiags *diags)
{
  const char      *line = lint->rows ? "row" : "column";
  g_autofree char *loss = NULL;
  TlDiag          *diag;

  if (!lint->fires)
    return NULL;
  if (lint->loss <= 0)
    loss = g_strdup ("none: the skewed rule would be no faster");
  else
    {
      g_autofree char *share = tl_format_percent (lint->loss, lint->loss < 0.01 ? 2 : 0);

      loss = g_strdup_printf ("%s%s of the run", barriers == TL_BARRIERS_STRICT ? "" : "up to ", share);
    }
  diag = tl_diags_add (diags, TL_SEVERITY_WARNING, lint->rows ? "owner-rows" : "owner-columns", source, span,
                       "the owner rule %s gives a tile %s only %u owner%s of %u possible; predicted loss %s", rule_name,
                       line, lint->owners, lint->owners == 1 ? "" : "s", lint->wanted, loss);
  tl_diag_reason (
      diag,
      "M = %u tiles a side on P = %u PUs: the tiles of %s k fall to few PUs, which do them one after the other "
      "while the rest wait; %" G_GUINT64_FORMAT " steps under strict barriers, %" G_GINT64_FORMAT
      " with (i * (M | 1) + j) mod P",
      tiles, pus, line, lint->steps, lint->skewed_steps);
  if (source != NULL && lint->loss > 0)
    add_fix (diag, source, span);
  return diag;
}

gboolean
tl_lint_owner (const TlOwnerLint *lint, const char *rule_name, guint32 tiles, guint32 pus, TlBarriers barriers,
               TlSource *source, TlSpan span, TlDiags *diags)
{
  return tl_pass_lint_owner (lint, rule_name, tiles, pus, barriers, source, span, diags) != NULL;
}
