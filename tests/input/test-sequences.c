/* FASTA and FASTQ: counts of real files, htslib's own reader beside ours, faults with
 * their places, complements. */
#include "input/input.h"
#include "support/support.h"

#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <string.h>
#include <zlib.h>

static TlSequences *
read_text (const char *text, gssize length, TlDiags *diags)
{
  return tl_sequences_read ("f", text, length < 0 ? strlen (text) : (gsize) length, TL_INPUT_MAX_BYTES, diags);
}

/* Counts as the data's README has them; the last row is wrong. */
static const struct
{
  const char *file;
  guint       records;
  guint64     letters;
  gboolean    wrong;
} files[] = {
  { "data/lambda.fa", 1, 48502, FALSE },
  { "data/shigellaA.fa", 1, 215774, FALSE },
  { "data/human-mt.fa", 1, 16569, FALSE },
  { "data/lambda-pacbio15.fastq", 40, 239209, FALSE },
  { "data/lambda-ont2d30.fastq", 40, 239866, FALSE },
  { "data/shigellaA-pacbio15.fastq", 36, 216448, FALSE },
  { "data/shigellaA-ont2d30.fastq", 36, 215893, FALSE },
  { "data/lambda-ont-real.fastq", 48, 292947, FALSE },
  { "data/lambda.fa", 1, 48503, TRUE },
};

START_TEST (real_files_have_their_counts)
{
  g_autofree char *path = tl_test_shared_path (files[_i].file);
  g_autofree char *bytes = NULL;
  gsize            length = 0;
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (path == NULL)
    {
      tl_test_skip ("%s is not there", files[_i].file);
      return;
    }
  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  g_autoptr (TlSequences) sequences = read_text (bytes, (gssize) length, diags);
  ck_assert_ptr_nonnull (sequences);
  gboolean equal = sequences->records->len == files[_i].records && sequences->n_letters == files[_i].letters;
  ck_assert_int_eq (equal, !files[_i].wrong);
  ck_assert_uint_eq (sequences->n_unknown, 0);
}
END_TEST

/* --- htslib reads the same --- */

static void
compare_with_htslib (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize            length = 0;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  htsFile   *file = hts_open (path, "r");
  bam1_t    *record = bam_init1 ();
  sam_hdr_t *header = sam_hdr_read (file);
  guint      n = 0;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  g_autoptr (TlSequences) sequences = read_text (bytes, (gssize) length, diags);
  ck_assert_ptr_nonnull (sequences);
  for (; sam_read1 (file, header, record) >= 0; n++)
    {
      const TlSequenceRecord *ours = tl_sequences_get (sequences, n);
      const char             *letters = sequences->letters + ours->start;
      g_autofree char        *back = g_malloc (ours->length);

      ck_assert_str_eq (ours->name, bam_get_qname (record));
      ck_assert_uint_eq (ours->length, (guint64) record->core.l_qseq);
      tl_sequence_complement (letters, ours->length, back);
      for (guint64 i = 0; i < ours->length; i++)
        {
          int code = bam_seqi (bam_get_seq (record), i);
          /* Bit 0 is A, 1 C, 2 G, 3 T: the complement turns the four bits round. */
          int turned = (code & 1) << 3 | (code & 2) << 1 | (code & 4) >> 1 | (code & 8) >> 3;

          ck_assert_int_eq (letters[i], seq_nt16_str[code]);
          ck_assert_int_eq (back[ours->length - 1 - i], seq_nt16_str[turned]);
        }
    }
  ck_assert_uint_eq (n, sequences->records->len);
  bam_destroy1 (record);
  sam_hdr_destroy (header);
  hts_close (file);
}

START_TEST (htslib_reads_the_same_of_real_files)
{
  g_autofree char *path = tl_test_shared_path (files[_i].file);

  if (path == NULL)
    tl_test_skip ("%s is not there", files[_i].file);
  else
    compare_with_htslib (path);
}
END_TEST

static const char *const well_formed[] = {
  ">a comment\nACGTN\nacgtn\n\n>b\nRYKMBDHVSWN\n",
  "@r1 x\nACGT\n+\n@!~I\n@r2\nACGT\n+r2\nIIII\n",
  "@r1\nAC\nGT\n+\nII\n@I\n@r2\nTTTT\n+\nIIII\n",
  ">last\nACGT",
};

START_TEST (htslib_reads_the_same_of_small_files)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), "small", NULL);

  ck_assert (g_file_set_contents (path, well_formed[_i], -1, NULL));
  compare_with_htslib (path);
}
END_TEST

/* --- Faults --- */

static const struct
{
  const char *text;
  const char *code;
  guint       line, column;
} faults[] = {
  { "", "empty-file", 1, 1 },
  { " \n\t\n", "empty-file", 1, 1 },
  { "ACGT\n", "unknown-format", 1, 1 },
  { "\n\nhello\n", "unknown-format", 3, 1 },
  { ">\nACGT\n", "no-name", 1, 1 },
  { "> a\nACGT\n", "no-name", 1, 1 },
  { ">a\nAC-GT\n", "bad-letter", 2, 3 },
  { ">a\nACGT\nAC7T\n", "bad-letter", 3, 3 },
  { ">a\nAC\xc3\xa4T\n", "bad-letter", 2, 3 },
  { ">a\n>b\nAC\n", "empty-sequence", 1, 1 },
  { ">b\nAC\n>a\n", "empty-sequence", 3, 1 },
  { "@r\nACGT\n", "quality-count", 3, 1 },
  { "@r\nACGT\n+\nII\n", "quality-count", 5, 1 },
  { "@r\nACGT\n+\nIIIII\n", "quality-count", 4, 1 },
  { "@r\nACGT\n+\nIII\n@s\nAC\n+\nII\n", "quality-count", 5, 1 },
  { "@r\nACGT\n+s\nIIII\n", "other-name", 3, 2 },
  { "@r\nACGT\n+\nII\x7fI\n", "bad-quality", 4, 3 },
  { "@r\nACGT\n+\nIIII\nACGT\n", "no-record", 5, 1 },
  { "@r\nACGT\n+\nIIII\n>s\nACGT\n", "no-record", 5, 1 },
};

START_TEST (faults_are_said_with_their_place)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSequences) sequences = read_text (faults[_i].text, -1, diags);

  ck_assert_ptr_null (sequences);
  ck_assert_uint_ge (tl_diags_count (diags), 1);
  const TlDiag *diag = tl_diags_get (diags, 0);
  ck_assert_str_eq (diag->code, faults[_i].code);
  ck_assert_uint_eq (diag->from.line, faults[_i].line);
  ck_assert_uint_eq (diag->from.column, faults[_i].column);
  ck_assert_ptr_nonnull (diag->reason);
}
END_TEST

START_TEST (what_is_no_fault)
{
  static const char *const texts[]
      = { "\xef\xbb\xbf>a\r\nAC\r\ngt\r\n", ">a\tb\n\nAC GT", "\n\n>a\nA\n\nC\nG\nT\n\n", "@a\n\nACGT\n\n+\n\nIIII" };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSequences) sequences = read_text (texts[_i], -1, diags);

  ck_assert_ptr_nonnull (sequences);
  ck_assert_str_eq (tl_sequences_get (sequences, 0)->name, "a");
  ck_assert_uint_eq (sequences->n_letters, 4);
  ck_assert (memcmp (sequences->letters, "ACGT", 4) == 0);
}
END_TEST

/* --- Packed files --- */

static GByteArray *
pack (const char *text)
{
  GByteArray *packed = g_byte_array_new ();
  z_stream    stream = { 0 };

  ck_assert_int_eq (deflateInit2 (&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  g_byte_array_set_size (packed, (guint) deflateBound (&stream, strlen (text)));
  stream.next_in = (Bytef *) text;
  stream.avail_in = (uInt) strlen (text);
  stream.next_out = packed->data;
  stream.avail_out = packed->len;
  ck_assert_int_eq (deflate (&stream, Z_FINISH), Z_STREAM_END);
  g_byte_array_set_size (packed, packed->len - stream.avail_out);
  deflateEnd (&stream);
  return packed;
}

START_TEST (packed_files_are_read)
{
  g_autoptr (GByteArray) first = pack (">a\nACGT\n");
  g_autoptr (GByteArray) second = pack ("ACGTTT\n>b\nNN\n");
  g_autoptr (TlDiags) diags = tl_diags_new ();

  g_byte_array_append (first, second->data, second->len);
  g_autoptr (TlSequences) sequences = read_text ((const char *) first->data, first->len, diags);
  ck_assert_ptr_nonnull (sequences);
  ck_assert_uint_eq (sequences->records->len, 2);
  ck_assert_uint_eq (tl_sequences_get (sequences, 0)->length, 10);
  ck_assert_uint_eq (sequences->n_unknown, 2);
}
END_TEST

/* A file cut off anywhere is refused, and no read goes past a bound. */
START_TEST (damaged_packed_files_are_refused)
{
  g_autoptr (GByteArray) packed = pack (">a\nACGTACGTTTTTCCCC\n");

  for (guint length = 2; length < packed->len; length++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlSequences) sequences = read_text ((const char *) packed->data, length, diags);
      ck_assert_ptr_null (sequences);
      ck_assert_uint_ge (tl_diags_errors (diags), 1);
    }
  g_autofree char *many = g_strnfill (1 << 20, 'A');
  g_autofree char *text = g_strconcat (">a\n", many, NULL);
  g_autoptr (GByteArray) bomb = pack (text);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  ck_assert_ptr_null (tl_sequences_read ("f", bomb->data, bomb->len, 1 << 16, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "file-too-large");
}
END_TEST

/* --- Calls --- */

static TlInput *
load (const char *function, const char *text, TlDiags *diags)
{
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "f" };
  TlInputCall     call = { .function = function, .arguments = &file, .n_arguments = 1 };

  ck_assert (tl_element_type_parse ("i32", &call.element));
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  ck_assert_ptr_nonnull (plan);
  return tl_input_load (plan, "f", text, strlen (text), diags);
}

START_TEST (one_sequence_or_many)
{
  const char *text = ">a\nACGT\n>b\nTTT\n";
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) reads = load ("reads", text, diags);
  g_autoptr (TlInput) one = load ("sequence", ">a\nACGT\n", diags);

  ck_assert_ptr_nonnull (reads);
  ck_assert_ptr_nonnull (one);
  ck_assert_uint_eq (reads->rows, 7);
  ck_assert_uint_eq (one->rows, 4);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
  g_autoptr (TlInput) two = load ("sequence", text, diags);
  ck_assert_ptr_null (two);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "second-record");
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 3);
}
END_TEST

START_TEST (genomes_are_the_same_everywhere)
{
  g_autoptr (TlSequences) a = tl_sequences_generate (32, 7);
  g_autoptr (TlSequences) b = tl_sequences_generate (100000, 7);
  guint64 counts[256] = { 0 };

  ck_assert (memcmp (a->letters, b->letters, 32) == 0);
  for (guint64 i = 0; i < b->n_letters; i++)
    counts[(guchar) b->letters[i]]++;
  for (const char *c = "ACGT"; *c != '\0'; c++)
    ck_assert (counts[(guchar) *c] > 24000 && counts[(guchar) *c] < 26000);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("input-sequences");
  TCase *tcase = tcase_create ("sequences");

  hts_set_log_level (HTS_LOG_OFF);
  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, real_files_have_their_counts, 0, G_N_ELEMENTS (files));
  tcase_add_loop_test (tcase, htslib_reads_the_same_of_real_files, 0, G_N_ELEMENTS (files) - 1);
  tcase_add_loop_test (tcase, htslib_reads_the_same_of_small_files, 0, G_N_ELEMENTS (well_formed));
  tcase_add_loop_test (tcase, faults_are_said_with_their_place, 0, G_N_ELEMENTS (faults));
  tcase_add_loop_test (tcase, what_is_no_fault, 0, 4);
  tcase_add_test (tcase, packed_files_are_read);
  tcase_add_test (tcase, damaged_packed_files_are_refused);
  tcase_add_test (tcase, one_sequence_or_many);
  tcase_add_test (tcase, genomes_are_the_same_everywhere);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
