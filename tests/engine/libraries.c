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

/* Ends of a global alignment that cost nothing: gaps before the first and behind the last letter
 * of q, and of r. */
typedef enum
{
  Q_BEGIN = 1,
  Q_END = 2,
  R_BEGIN = 4,
  R_END = 8,
  LOCAL = 16, /* alone */
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
  static const char matrix[] = "  A C G T\nA 2 -3 -1 -3\nC -3 2 -3 -1\nG -1 -3 2 -3\nT -3 -1 -3 2\n";
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GBytes) own = g_bytes_new_static (matrix, strlen (matrix));

  add_sequence (inputs, "q", q);
  add_sequence (inputs, "r", r);
  tl_inputs_add (inputs, "own", own);
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

/* --- parasail --- */

#ifdef HAVE_PARASAIL

typedef struct
{
  const char              *score; /* config line's value */
  const parasail_matrix_t *matrix;
  int                      open; /* of a gap of n letters: open + extend * n; 0: linear */
  int                      extend;
} Costs;

/* A border's value: 0 where that end is free. */
static char *
border_of (const char *cells, const char *loop, gboolean free_end, gboolean affine)
{
  return free_end
             ? g_strdup_printf ("  %s = 0\n", cells)
             : g_strdup_printf (affine ? "  %s = -gap.open - gap.extend * %s\n" : "  %s = -gap * %s\n", cells, loop);
}

static char *
program_of (Form form, const Costs *costs, const char *result)
{
  gboolean         affine = costs->open > 0;
  g_autofree char *column = border_of ("H[i,0]", "i", form & Q_BEGIN, affine);
  g_autofree char *row = border_of ("H[0,j]", "j", form & R_BEGIN, affine);
  g_autofree char *gap = affine ? g_strdup_printf ("open %d extend %d", costs->open, costs->extend)
                                : g_strdup_printf ("%d", costs->extend);
  GString         *text = g_string_new ("algorithm a\n  H[i,j] = ");

  g_string_append_printf (text, affine ? AFFINE : LINEAR, form == LOCAL ? "0, " : "");
  if (form != LOCAL)
    g_string_append_printf (text, "  H[0,0] = 0\n%s%s", column, row);
  g_string_append_printf (text, "%s" LETTERS "config score = %s, gap = %s\n", result, costs->score, gap);
  return g_string_free (text, FALSE);
}

typedef parasail_result_t *(*Aligner) (const char *q, int n, const char *r, int m, int open, int extend,
                                       const parasail_matrix_t *matrix);

/* Of 16 bits and of 32; no functions of theirs have three free ends. Its striped kernels are not
 * asked: where a gap's first letter costs no more than the next ones they miss a few of the best
 * scores. */
static const Aligner aligners[LOCAL + 1][2] = {
  [0] = { parasail_nw_scan_16, parasail_nw_scan_32 },
  [Q_BEGIN] = { parasail_sg_qb_scan_16, parasail_sg_qb_scan_32 },
  [Q_END] = { parasail_sg_qe_scan_16, parasail_sg_qe_scan_32 },
  [Q_BEGIN | Q_END] = { parasail_sg_qx_scan_16, parasail_sg_qx_scan_32 },
  [R_BEGIN] = { parasail_sg_db_scan_16, parasail_sg_db_scan_32 },
  [R_END] = { parasail_sg_de_scan_16, parasail_sg_de_scan_32 },
  [R_BEGIN | R_END] = { parasail_sg_dx_scan_16, parasail_sg_dx_scan_32 },
  [Q_BEGIN | R_BEGIN] = { parasail_sg_qb_db_scan_16, parasail_sg_qb_db_scan_32 },
  [Q_BEGIN | R_END] = { parasail_sg_qb_de_scan_16, parasail_sg_qb_de_scan_32 },
  [Q_END | R_BEGIN] = { parasail_sg_qe_db_scan_16, parasail_sg_qe_db_scan_32 },
  [Q_END | R_END] = { parasail_sg_qe_de_scan_16, parasail_sg_qe_de_scan_32 },
  [Q_BEGIN | Q_END | R_BEGIN | R_END] = { parasail_sg_scan_16, parasail_sg_scan_32 },
  [LOCAL] = { parasail_sw_scan_16, parasail_sw_scan_32 },
};

static parasail_result_t *
score_of_parasail (const char *q, int n, const char *r, int m, Form form, const Costs *costs)
{
  int                open = costs->open + costs->extend; /* theirs holds the first letter */
  parasail_result_t *theirs = aligners[form][0](q, n, r, m, open, costs->extend, costs->matrix);

  if (!parasail_result_is_saturated (theirs))
    return theirs;
  parasail_result_free (theirs);
  return aligners[form][1](q, n, r, m, open, costs->extend, costs->matrix);
}

/* Ours: of both ends free, the better of two results. */
static TlGridHit
score_of_form (const char *q, const char *r, Form form, const Costs *costs)
{
  static const char *const results[] = { "  result = last H\n", "  result = max over i (H[i, last])\n",
                                         "  result = max over j (H[last, j])\n", "  result = max H\n" };
  TlGridHit                best = { 0 };

  for (guint way = 0; way < 4; way++)
    {
      gboolean asked = way == 3   ? form == LOCAL
                       : way == 2 ? (form & R_END) != 0
                       : way == 1 ? (form & Q_END) != 0
                                  : (form & (Q_END | R_END | LOCAL)) == 0;
      if (!asked)
        continue;
      g_autofree char *program = program_of (form, costs, results[way]);
      TlGridHit        hit = score_of (program, q, r);
      if (!best.found || hit.value > best.value)
        best = hit;
    }
  return best;
}

static void
compare_parasail (const char *q, const char *r, Form form, const Costs *costs)
{
  int                n = (int) strlen (q), m = (int) strlen (r);
  parasail_result_t *theirs = score_of_parasail (q, n, r, m, form, costs);
  int                score = theirs->score, end_i = theirs->end_query + 1, end_j = theirs->end_ref + 1;
  TlGridHit          ours = score_of_form (q, r, form, costs);

  parasail_result_free (theirs);
  ck_assert_msg (ours.value == score, "form %d, %s, open %d: %d, not %d", form, costs->score, costs->open,
                 (int) ours.value, score);
  if ((form & (Q_END | R_END | LOCAL)) == 0)
    {
      ck_assert_uint_eq (ours.end_i, n);
      ck_assert_uint_eq (ours.end_j, m);
      return;
    }
  /* Ours is the first of the best cells by rows; theirs, maybe another, holds the same score. */
  if ((form & (Q_END | R_END)) == R_END)
    ck_assert ((int) ours.end_i == n && (int) ours.end_j <= end_j);
  if ((form & (Q_END | R_END)) == Q_END)
    ck_assert ((int) ours.end_j == m && (int) ours.end_i <= end_i);
  if (form != LOCAL)
    return;
  ck_assert ((int) ours.end_i <= end_i);
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
compare_pair (const char *q, const char *r, const TlCompareShare *share, guint turn)
{
#ifdef HAVE_PARASAIL
  /* The ends that parasail's own functions are called after: qb qe qx db de dx qb_de qe_db. */
  static const Form  named[] = { LOCAL,   0,     Q_BEGIN,         Q_END,           Q_BEGIN | Q_END,
                                 R_BEGIN, R_END, R_BEGIN | R_END, Q_BEGIN | R_END, Q_END | R_BEGIN };
  guint              n = share->every ? LOCAL + 1 : G_N_ELEMENTS (named);
  parasail_matrix_t *equal = parasail_matrix_create ("ACGT", 1, -1), *own = parasail_matrix_create ("ACGT", 2, -3);

  /* Transitions, A to G and C to T, cost less. */
  for (int a = 0; a < 4; a++)
    parasail_matrix_set_value (own, a, a ^ 2, -1);
  for (guint f = 0; f < n; f++)
    for (guint affine = 0; affine < 2; affine++)
      for (guint kind = 0; kind < 2; kind++)
        {
          const Costs costs = { kind ? "matrix \"own\"" : "match 1 mismatch -1", kind ? own : equal, affine ? 3 : 0,
                                affine ? 1 : 1 + (int) kind };

          if (aligners[share->every ? f : named[f]][0] == NULL)
            continue;
          if (share->every || kind == ((f + affine + turn) & 1))
            compare_parasail (q, r, share->every ? f : named[f], &costs);
          if (share->every && f == LOCAL)
            check_first (q, r, &costs);
        }
  parasail_matrix_free (equal);
  parasail_matrix_free (own);
#endif
#ifdef HAVE_EDLIB
  compare_edlib (q, r);
#endif
}

/* --- Reads --- */

static const char *const files[TL_READ_FILES][2] = {
  { "lambda-pacbio15.fastq", "lambda.fa" },      { "lambda-ont2d30.fastq", "lambda.fa" },
  { "lambda-ont-real.fastq", "lambda.fa" },      { "shigellaA-pacbio15.fastq", "shigellaA.fa" },
  { "shigellaA-ont2d30.fastq", "shigellaA.fa" },
};

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

/* Each @step-th read mapped by a program of our own: where its stretch of the genome lies. */
static TlGridRun *
map_reads (const TlSequences *reads, guint step, const TlSequences *genome)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) chosen = g_string_new (NULL);
  g_autofree char  *letters = g_strndup (genome->letters, genome->n_letters);
  static const char text[]
      = "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "
        "within band\ndata q = reads(\"q\")\ndata r = sequence(\"r\")\ndata PTR, CAL = index(r, k = 11)\n"
        "data hits = stream(PTR, CAL, q)\nconfig score = match 2 mismatch -4, gap = 2\nconfig band = adaptive(64, "
        "15%)\n";

  for (guint k = 0; k < reads->records->len; k += MIN (step, reads->records->len))
    {
      const TlSequenceRecord *record = tl_sequences_get (reads, k);
      g_string_append_printf (chosen, ">%s\n%.*s\n", record->name, (int) record->length,
                              reads->letters + record->start);
    }
  g_autoptr (GBytes) bytes = g_bytes_new (chosen->str, chosen->len);
  tl_inputs_add (inputs, "q", bytes);
  add_sequence (inputs, "r", letters);
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlGridRunOptions options = { .trace = TRUE };
  ck_assert_ptr_nonnull (build->grid);
  return tl_grid_run (build, &options);
}

/* Our read as it lies in the genome, and its stretch with 40 letters on both sides. */
static void
compare_read (const TlSequences *reads, guint k, const TlGridHit *hit, const TlSequences *genome,
              const TlCompareShare *share)
{
  const TlSequenceRecord *record = tl_sequences_get (reads, k);
  g_autofree char        *q = g_strndup (reads->letters + record->start, record->length);

  if (hit->reverse)
    {
      g_autofree char *turned = g_strdup (q);
      tl_sequence_complement (q, record->length, turned);
      memcpy (q, turned, record->length);
    }
  q[MIN (record->length, share->most)] = '\0';
  guint64 start = hit->start_j > hit->start_i ? hit->start_j - hit->start_i : 0, from = start > 40 ? start - 40 : 0;
  guint64 to = MIN (start + MIN (record->length + record->length / 8, share->most) + 40, genome->n_letters);
  g_autofree char *r = g_strndup (genome->letters + from, to - from);
  compare_pair (q, r, share, k);
}

guint
tl_compare_reads (guint file, const TlCompareShare *share)
{
  guint compared = 0, at = 0;
#if defined HAVE_PARASAIL || defined HAVE_EDLIB
  g_autoptr (TlSequences) reads = read_sequences (files[file][0]);
  g_autoptr (TlSequences) genome = read_sequences (files[file][1]);

  if (reads == NULL || genome == NULL)
    return 0;
  guint step = MIN (share->step, reads->records->len);
  g_autoptr (TlGridRun) run = map_reads (reads, step, genome);
  for (guint k = 0; k < reads->records->len; k += step, at++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, at);

      if (!hit->found)
        continue; /* nothing to compare it with */
      compare_read (reads, k, hit, genome, share);
      compared++;
    }
#endif
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
        for (Form form = 0; form <= LOCAL; form++)
          if (aligners[form][0] != NULL)
            compare_parasail (q->str, r->str, form, &all[c]);
    }
  return pairs;
#else
  return 0;
#endif
}
