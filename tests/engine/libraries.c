/* Whole programs beside parasail and edlib. */
#include "libraries.h"

#include "support-engine.h"

#include "engine/grid-run.h"
#include "input/sequence.h"

#ifdef HAVE_PARASAIL
#include <parasail.h>
#endif
#ifdef HAVE_EDLIB
#include <edlib.h>
#endif

#define LETTERS "data q = sequence(\"q\")\ndata r = sequence(\"r\")\n"
#define LINEAR  "max(%sH[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j\n"
#define AFFINE                                                                                                         \
  "max(%sH[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n"                                                  \
  "  E[i,j] = max(H[i,j-1] - gap.open - gap.extend, E[i,j-1] - gap.extend)  for i, j\n"                                \
  "  F[i,j] = max(H[i-1,j] - gap.open - gap.extend, F[i-1,j] - gap.extend)  for i, j\n"

typedef enum
{
  LOCAL,
  GLOBAL,
  SEMI_GLOBAL, /* all of q somewhere in r */
} Form;

/* --- Ours, from text to values --- */

static void
add_sequence (TlInputs *inputs, const char *name, const char *letters)
{
  g_autofree char *text = g_strdup_printf (">%s\n%s\n", name, letters);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  tl_inputs_add (inputs, name, bytes);
}

static TlGridHit
score_of (const char *program, const char *q, const char *r)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  add_sequence (inputs, "q", q);
  add_sequence (inputs, "r", r);
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", program, strlen (program), inputs, NULL, NULL, NULL);
  TlGridRunOptions options = { .threads = 1 };
  g_autofree char *said = diags_text (build->diags);

  ck_assert_msg (build->grid != NULL && tl_diags_errors (build->diags) == 0, "%s\n%s", program, said);
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  ck_assert (run->complete);
  TlGridHit hit = g_array_index (run->hits, TlGridHit, 0);
  hit.query = hit.target = hit.score = hit.cigar = NULL; /* the run's own */
  ck_assert (hit.found);
  return hit;
}

#if defined HAVE_PARASAIL || defined HAVE_EDLIB
static char *
borders_of (const char *table, Form form, gboolean affine)
{
  if (form == LOCAL)
    return g_strdup ("");
  if (!affine)
    return g_strdup_printf ("  %s[i,0] = -gap * i\n  %s[0,j] = %s\n", table, table, form == GLOBAL ? "-gap * j" : "0");
  return g_strdup_printf ("  %s[0,0] = 0\n  %s[i,0] = -gap.open - gap.extend * i\n  %s[0,j] = %s\n", table, table,
                          table, form == GLOBAL ? "-gap.open - gap.extend * j" : "0");
}
#endif

/* --- parasail --- */

#ifdef HAVE_PARASAIL

typedef struct
{
  const char              *score; /* config line's value */
  const parasail_matrix_t *matrix;
  int                      open; /* of a gap of n letters: open + extend * n; 0: linear */
  int                      extend;
} Costs;

static char *
program_of (Form form, const Costs *costs, const char *result)
{
  gboolean         affine = costs->open > 0;
  g_autofree char *borders = borders_of ("H", form, affine);
  g_autofree char *gap = affine ? g_strdup_printf ("open %d extend %d", costs->open, costs->extend)
                                : g_strdup_printf ("%d", costs->extend);
  const char      *floor = form == LOCAL ? "0, " : "";
  GString         *text = g_string_new ("algorithm a\n  H[i,j] = ");

  g_string_append_printf (text, affine ? AFFINE : LINEAR, floor);
  g_string_append_printf (text, "%s%s" LETTERS "config score = %s, gap = %s\n", borders, result, costs->score, gap);
  return g_string_free (text, FALSE);
}

static void
compare_parasail (const char *q, const char *r, Form form, const Costs *costs)
{
  int                n = (int) strlen (q), m = (int) strlen (r);
  int                open = costs->open + costs->extend; /* theirs holds the first letter */
  /* Its striped kernels are not asked: where a gap's first letter costs no more than the next
   * ones they miss a few of the best scores. */
  parasail_result_t *theirs = form == LOCAL ? parasail_sw_scan_32 (q, n, r, m, open, costs->extend, costs->matrix)
                              : form == GLOBAL
                                  ? parasail_nw_scan_32 (q, n, r, m, open, costs->extend, costs->matrix)
                                  : parasail_sg_dx_scan_32 (q, n, r, m, open, costs->extend, costs->matrix);
  int                score = theirs->score, end_i = theirs->end_query + 1, end_j = theirs->end_ref + 1;
  const char        *result = form == LOCAL    ? "  result = max H\n"
                              : form == GLOBAL ? "  result = last H\n"
                                               : "  result = max over j (H[last, j])\n";
  g_autofree char   *program = program_of (form, costs, result);
  TlGridHit          ours = score_of (program, q, r);

  parasail_result_free (theirs);
  ck_assert_msg (ours.value == score, "form %d, open %d: %d, not %d", form, costs->open, (int) ours.value, score);
  if (form == GLOBAL)
    {
      ck_assert_uint_eq (ours.end_i, n);
      ck_assert_uint_eq (ours.end_j, m);
      return;
    }
  /* Ours is the first of the best cells by rows; theirs, maybe another, holds the same score. */
  ck_assert (form == SEMI_GLOBAL ? (int) ours.end_i == n && (int) ours.end_j <= end_j : (int) ours.end_i <= end_i);
  if (score == 0 || ((int) ours.end_i == end_i && (int) ours.end_j == end_j))
    return;
  g_autofree char *last = program_of (form, costs, "  result = last H\n");
  g_autofree char *q_part = g_strndup (q, (gsize) end_i), *r_part = g_strndup (r, (gsize) end_j);
  ck_assert_int_eq (score_of (last, q_part, r_part).value, score);
}

/* No earlier cell in row order is as good: the rows before ours alone, and ours up to the column before. */
static void
check_first (const char *q, const char *r, const Costs *costs)
{
  g_autofree char *program = program_of (LOCAL, costs, "  result = max H\n");
  TlGridHit        ours = score_of (program, q, r);

  if (ours.end_i > 1)
    {
      g_autofree char *rows = g_strndup (q, ours.end_i - 1);
      ck_assert (score_of (program, rows, r).value < ours.value);
    }
  if (ours.end_j > 1)
    {
      g_autofree char *rows = g_strndup (q, ours.end_i), *columns = g_strndup (r, ours.end_j - 1);
      ck_assert (score_of (program, rows, columns).value < ours.value);
    }
}
#endif

/* --- edlib --- */

#ifdef HAVE_EDLIB
static void
compare_edlib (const char *q, const char *r)
{
  for (guint infix = 0; infix < 2; infix++)
    {
      EdlibAlignConfig config
          = edlibNewAlignConfig (-1, infix ? EDLIB_MODE_HW : EDLIB_MODE_NW, EDLIB_TASK_DISTANCE, NULL, 0);
      EdlibAlignResult theirs = edlibAlign (q, (int) strlen (q), r, (int) strlen (r), config);
      g_autofree char *program = g_strdup_printf (
          "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
          "  E[i,0] = i\n  E[0,j] = %s\n  result = %s\n" LETTERS,
          infix ? "0" : "j", infix ? "min over j (E[last, j])" : "last E");
      TlGridHit ours = score_of (program, q, r);

      ck_assert_int_eq (ours.value, theirs.editDistance);
      /* All ends are theirs, rising; ours is the first. */
      ck_assert_int_eq (ours.end_j, theirs.endLocations[0] + 1);
      edlibFreeAlignResult (theirs);
    }
}
#endif

/* --- Pairs --- */

static void
compare_pair (const char *q, const char *r, gboolean few)
{
#ifdef HAVE_PARASAIL
  parasail_matrix_t *matrix = parasail_matrix_create ("ACGT", 2, -4);
  const Costs        all[] = { { "match 2 mismatch -4", matrix, 0, 2 }, { "match 2 mismatch -4", matrix, 4, 1 } };

  for (guint c = 0; c < (few ? 1 : G_N_ELEMENTS (all)); c++)
    for (Form form = LOCAL; form <= (few ? LOCAL : SEMI_GLOBAL); form++)
      compare_parasail (q, r, form, &all[c]);
  if (!few)
    check_first (q, r, &all[0]);
  parasail_matrix_free (matrix);
#endif
#ifdef HAVE_EDLIB
  compare_edlib (q, r);
#endif
}

/* The stretch of the genome that a read is compared with: its own, and 40 letters on both sides. */
static char *
stretch_of (const TlSequences *genome, guint64 start, guint64 length, guint most)
{
  guint64 from = start > 40 ? start - 40 : 0, to = MIN (start + MIN (length, most) + 40, genome->n_letters);

  return g_strndup (genome->letters + from, to - from);
}

/* Mapped by a program of our own, where there is no truth: as good a stretch as any. */
static TlGridRun *
map_reads (const char *folder, const char *reads, const char *genome)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);
  g_autofree char *text = g_strdup_printf (
      "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "
      "within band\ndata q = reads(\"%s.fastq\")\ndata r = sequence(\"%s\")\ndata PTR, CAL = index(r, k = 11)\n"
      "data hits = stream(PTR, CAL, q)\nconfig score = match 2 mismatch -4, gap = 2\nconfig band = adaptive(64, "
      "15%%)\n",
      reads, genome);
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlGridRunOptions options = { .trace = TRUE };

  ck_assert_ptr_nonnull (build->grid);
  return tl_grid_run (build, &options);
}

static TlSequences *
read_sequences (const char *name)
{
  g_autofree char *relative = g_strconcat ("data/", name, NULL), *path = tl_test_shared_path (relative);
  g_autofree char *text = NULL;
  gsize            length;
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (path == NULL || !g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  return tl_sequences_read (path, text, length, 0, diags);
}

static guint
compare_file (const char *reads_name, const char *genome_name, guint most, gboolean few)
{
  g_autofree char *reads_file = g_strconcat (reads_name, ".fastq", NULL);
  g_autoptr (TlSequences) reads = read_sequences (reads_file);
  g_autoptr (TlSequences) genome = read_sequences (genome_name);
  g_autofree char *path = tl_test_shared_path ("data/lambda.fa");

  if (reads == NULL || genome == NULL || path == NULL)
    return 0;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (TlGridRun) run = map_reads (folder, reads_name, genome_name);
  guint compared = 0, all = tl_test_rounds (reads->records->len);

  for (guint k = 0; k < all; k++)
    {
      const TlSequenceRecord *record = tl_sequences_get (reads, k);
      const TlGridHit        *hit = &g_array_index (run->hits, TlGridHit, k);
      g_autofree char        *q = g_strndup (reads->letters + record->start, record->length);

      if (!hit->found)
        continue; /* nothing to compare it with */
      if (hit->reverse)
        {
          g_autofree char *turned = g_strdup (q);
          tl_sequence_complement (q, record->length, turned);
          memcpy (q, turned, record->length);
        }
      guint64 start = hit->start_j > hit->start_i ? hit->start_j - hit->start_i : 0;
      q[MIN (record->length, most)] = '\0';
      g_autofree char *r = stretch_of (genome, start, record->length + record->length / 8, most);
      compare_pair (q, r, few);
      compared++;
    }
  return compared;
}

guint
tl_compare_reads (guint most, gboolean few)
{
  static const char *const files[][2] = {
    { "lambda-pacbio15", "lambda.fa" },      { "lambda-ont2d30", "lambda.fa" },
    { "lambda-ont-real", "lambda.fa" },      { "shigellaA-pacbio15", "shigellaA.fa" },
    { "shigellaA-ont2d30", "shigellaA.fa" },
  };
  guint compared = 0;

  for (guint f = 0; f < G_N_ELEMENTS (files); f++)
    compared += compare_file (files[f][0], files[f][1], most, few);
  return compared;
}

guint
tl_compare_proteins (guint pairs)
{
#ifdef HAVE_PARASAIL
  static const char letters[] = "ARNDCQEGHILKMFPSTWYV";
  guint64           state = tl_test_seed ();
  const Costs       all[] = { { "matrix \"BLOSUM62\"", parasail_matrix_lookup ("blosum62"), 0, 4 },
                              { "matrix \"BLOSUM62\"", parasail_matrix_lookup ("blosum62"), 10, 1 } };

  for (guint k = 0; k < pairs; k++)
    {
      g_autoptr (GString) q = g_string_new (NULL), r = g_string_new (NULL);

      for (guint i = 0, n = 1 + (guint) tl_test_random_below (&state, 200); i < n; i++)
        g_string_append_c (q, letters[tl_test_random_below (&state, 20)]);
      for (guint i = 0; i < q->len; i++)
        if (tl_test_random_below (&state, 6) > 0)
          g_string_append_c (r, q->str[i]);
        else
          for (guint n = (guint) tl_test_random_below (&state, 4); n > 0; n--)
            g_string_append_c (r, letters[tl_test_random_below (&state, 20)]);
      if (r->len == 0)
        g_string_append_c (r, 'W');
      for (guint c = 0; c < G_N_ELEMENTS (all); c++)
        for (Form form = LOCAL; form <= SEMI_GLOBAL; form++)
          compare_parasail (q->str, r->str, form, &all[c]);
    }
  return pairs;
#else
  return 0;
#endif
}
