/* Runs of wavefronts in other tools' formats, and their streams: damaged, alone, with the
 * values they bring. */
#include "support-pipe.h"

#include "sim/pipe-export.h"

/* --- Other tools' formats --- */

typedef gboolean (*Export) (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error);

static char *
exported (const TlPipeRun *run, Export export)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  ck_assert (export(run, stream, NULL, &error));
  ck_assert (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  ck_assert (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static guint
occurrences (const char *text, const char *what)
{
  guint n = 0;

  for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
    n++;
  return n;
}

/* Each says every command, stretch and level once, in order of time. */
START_TEST (exports_hold_what_happened)
{
  static const guint       lengths[] = { 300, 500, 90, 400 };
  static const char *const texts[] = { STREAM, ALIGN "data q = genome(300, 1)\ndata r = genome(280, 2)\n"
                                                     "config band = 60, copy_writes = charged\n" SCORES };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (texts[_i % 2], inputs,
                                         SETS (_i < 2 ? "page=closed" : "page=open", "tile=48",
                                               _i < 2 ? NULL : "target.refresh=on", "target.tREFI=900ns"));
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  g_autofree char *vcd = exported (sim, tl_pipe_export_vcd), *again = exported (sim, tl_pipe_export_vcd);
  g_autofree char *chrome = exported (sim, tl_pipe_export_chrome), *table = exported (sim, tl_pipe_export_commands);
  g_autofree char *spans = exported (sim, tl_pipe_export_spans);
  g_auto (GStrv) lines = g_strsplit (vcd, "\n", -1);
  guint64 time = 0;

  ck_assert_str_eq (vcd, again);
  ck_assert_uint_eq (occurrences (vcd, "$var "), 32 * 9 + 1);
  ck_assert_uint_eq (occurrences (vcd, "\nsACT "), sim->total.act);
  ck_assert_uint_eq (occurrences (vcd, "\nsRD "), sim->total.rd);
  ck_assert_uint_eq (occurrences (vcd, "\nsPRE "), sim->total.pre);
  ck_assert_uint_eq (occurrences (vcd, "\nsREF "), 4 * sim->total.ref);
  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    {
      g_autofree char *word = g_strdup_printf ("\ns%s ", tl_pipe_span_name ((TlPipeSpanKind) kind));
      g_autofree char *slice = g_strdup_printf ("{\"name\":\"%s\",", tl_pipe_span_name ((TlPipeSpanKind) kind));
      guint            n = 0;

      g_strdelimit (word + 2, " ", '_');
      word[strlen (word) - 1] = ' ';
      for (guint s = 0; s < sim->spans->len; s++)
        n += g_array_index (sim->spans, TlPipeSpan, s).kind == kind;
      ck_assert_uint_eq (occurrences (vcd, word), n);
      ck_assert_uint_eq (occurrences (chrome, slice), n);
      ck_assert_uint_eq (n > 0, _i % 2 == 0 ? kind <= TL_PIPE_SPAN_BARRIER && kind != TL_PIPE_SPAN_STALL
                                            : kind == TL_PIPE_SPAN_SWEEP || kind >= TL_PIPE_SPAN_BARRIER);
    }
  for (guint l = 0; lines[l] != NULL; l++)
    if (lines[l][0] == '#')
      {
        guint64 now = g_ascii_strtoull (lines[l] + 1, NULL, 10);
        ck_assert (now > time || time == 0);
        time = now;
      }
  ck_assert_uint_eq (time, sim->makespan);
  ck_assert_uint_eq (occurrences (chrome, "{\"name\":\"row\""), sim->total.act);
  ck_assert_uint_eq (occurrences (chrome, "{\"name\":\"queue\""), sim->levels->len);
  ck_assert_uint_eq (occurrences (chrome, "{"), occurrences (chrome, "}"));
  ck_assert_uint_eq (occurrences (table, "\n"), sim->commands->len + 1);
  ck_assert_uint_eq (occurrences (spans, "\n"), sim->spans->len + sim->levels->len + 1);
}
END_TEST

/* --- Streams --- */

/* The same program with one step of one PU's code left out, as bytes and back. */
static TlPipeProgram *
without_step (TlBuild *build, guint32 pu, TlPipeCode kind, TlDiags *diags)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_program_deeper (build->pipe, build->pipe->depth);
  TlPipeStream *stream = &program->pus[pu];

  for (guint s = 0; s < stream->n_code; s++)
    if (stream->code[s].kind == kind)
      {
        memmove (&stream->code[s], &stream->code[s + 1], (stream->n_code - s - 1) * sizeof (TlCode));
        stream->n_code--;
        break;
      }
  g_autoptr (GBytes) bytes = tl_pipe_encode (program);
  return tl_pipe_decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "x.tls", diags);
}

/* Streams that nobody would emit: the machine says who waits for what. */
START_TEST (deadlocks_are_reported)
{
  static const struct
  {
    guint32     pu;
    TlPipeCode  kind;
    const char *says;
  } rows[] = {
    { 12, TL_PIPE_RECEIVE, "PU 12 sweeps waves before it has received a candidate" },
    { 31, TL_PIPE_BARRIER, "waits at a barrier that not all PUs reach" },
    { 8, TL_PIPE_SWEEP, NULL }, /* somebody else's tiles are not done: nothing hangs */
    { 3, TL_PIPE_SEND, NULL },
    { 3, TL_PIPE_LOOKUP, NULL },
  };
  static const guint lengths[] = { 300, 300, 300, 300, 300, 300, 300, 300, 300, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, SETS ("queue=2"));
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlPipeProgram) damaged = without_step (build, rows[_i].pu, rows[_i].kind, diags);
  g_autofree char *said = diags_text (diags);
  TlPipeProgram   *kept = build->pipe;

  ck_assert_msg (damaged != NULL, "%s", said);
  build->pipe = damaged;
  TlGridRunOptions options = { .time = TRUE, .skip_values = TRUE };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  build->pipe = kept;
  if (rows[_i].says == NULL)
    {
      ck_assert (run->complete);
      return;
    }
  ck_assert (!run->complete && run->sim == NULL);
  ck_assert_str_eq (tl_diags_get (run->diags, 0)->code, "deadlock");
  ck_assert_msg (strstr (tl_diags_get (run->diags, 0)->message, rows[_i].says) != NULL, "%s",
                 tl_diags_get (run->diags, 0)->message);
}
END_TEST

/* A Compute PU without any code takes no candidate: places are never given back. */
START_TEST (a_queue_that_nobody_empties_is_reported)
{
  static const guint lengths[] = { 300, 300, 300, 300, 300, 300, 300, 300, 300, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, SETS ("queue=2"));
  g_autoptr (TlPipeProgram) program = tl_pipe_program_deeper (build->pipe, 2);
  TlPipeProgram *kept = build->pipe;

  for (guint32 pu = 8; pu < 32; pu++)
    program->pus[pu].n_code = 0;
  build->pipe = program;
  TlGridRunOptions options = { .time = TRUE, .skip_values = TRUE };
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  build->pipe = kept;
  ck_assert (!run->complete);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (run->diags, 0)->message, "a place in the queue, which nobody empties"));
}
END_TEST

/* A stream file is the whole program: it runs alone, to the same picosecond; damage is seen. */
START_TEST (streams_run_alone_and_show_damage)
{
  static const guint lengths[] = { 400, 700, 60, 300 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, NULL);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  gsize            length;
  const guint8    *data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions   options = { .from = TL_STAGE_STREAM };
  guint64          state = tl_test_seed () + 3;
  g_autofree char *text = tl_pipe_print (build->pipe);

  ck_assert_int_eq (tl_build_sniff (data, length), TL_STAGE_STREAM);
  g_autoptr (TlBuild) alone = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);
  ck_assert (alone->complete && alone->pipe != NULL && alone->grid == NULL);
  g_autoptr (TlGridRun) again = must_time (alone, FALSE);
  ck_assert_uint_eq (again->sim->makespan, run->sim->makespan);
  ck_assert_uint_eq (again->sim->total.act, run->sim->total.act);
  g_autoptr (GBytes) encoded = tl_pipe_encode (alone->pipe);
  ck_assert (g_bytes_equal (encoded, build->stream));
  ck_assert_ptr_nonnull (strstr (text, "PUs 0 to 7\n  for-reads\n    lookup PTR, CAL\n    send\n  end-reads\n"));
  ck_assert_ptr_nonnull (strstr (text, "PUs 8 to 31\n  for-jobs\n    receive\n    for-waves\n      sweep\n"));
  for (guint round = 0; round < tl_test_rounds (400); round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (data, length);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      gsize at = tl_test_random_below (&state, length);

      bytes[at] ^= (guint8) (1 + tl_test_random_below (&state, 255));
      ck_assert_ptr_null (tl_pipe_decode (bytes, length, "x.tls", diags));
      ck_assert_uint_eq (tl_diags_errors (diags), 1);
      ck_assert_ptr_null (tl_pipe_decode (data, at, "x.tls", diags));
    }
}
END_TEST

/* Files of the texts below. */
static TlInputs *
files_of_streams (void)
{
  static const guint lengths[] = { 300, 500, 90 };
  TlInputs          *inputs = reads_of (lengths, G_N_ELEMENTS (lengths));

  add_text (inputs, "m", "-4,-1,-6,-2\n-3,-8,-5,-7\n-3,-2,-8,-5\n-7,0,-7,-5\n");
  add_text (inputs, "o", "2\n0\n2\n1\n0\n0\n1\n1\n");
  add_text (inputs, "sub.txt", "   A  C  G  T\nA  3 -2 -1 -2\nC -2  3 -2 -1\nG -1 -2  3 -2\nT -2 -1 -2  3\n");
  return inputs;
}

/* A stream alone gives what its program gives: scores, ends, ways, states, picoseconds. */
START_TEST (streams_bring_their_values)
{
  static const char *const texts[] = {
    STREAM,
    STREAM "config values = off\n",
    ALIGN "data q = genome(300, 1)\ndata r = genome(280, 2)\nconfig band = 60\n" SCORES,
    "algorithm adaptive\n"
    "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j within band\n"
    "data q = genome(700, 1)\ndata r = genome(700, 1)\nconfig band = adaptive(64), tile = 16\n" SCORES,
    "algorithm nw\n  N[i,j] = max(N[i-1,j-1] + score(q[i], r[j]), N[i-1,j] - 3, N[i,j-1] - 3)  for i, j\n"
    "  N[i,0] = -3 * i\n  N[0,j] = -3 * j\n  result = last N\ndata q = genome(120, 1)\ndata r = genome(130, 2)\n"
    "config score = matrix \"sub.txt\"\n",
    "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
    "  E[i,0] = i\n  E[0,j] = j\ndata q = genome(300, 1)\ndata r = genome(300, 2)\n",
    "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
    "  result = max over s (V[last, s])\ndata A = matrix(\"m\")\ndata B = matrix(\"m\")\ndata o = matrix(\"o\")\n",
  };
  g_autoptr (TlInputs) inputs = files_of_streams ();
  g_autoptr (TlBuild) build = must_make (texts[_i], inputs, NULL);
  gsize          length;
  gconstpointer  data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions options = { .from = TL_STAGE_STREAM };
  g_autoptr (TlBuild) stream = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);
  gboolean wanted = _i != 1;
  g_autoptr (TlGridRun) run = must_time (build, wanted);
  g_autoptr (TlGridRun) alone = must_time (stream, wanted);

  ck_assert (stream->complete && stream->grid == NULL && *stream->pipe->text != '\0');
  ck_assert_uint_eq (alone->sim->makespan, run->sim->makespan);
  ck_assert_uint_eq (alone->sim->skipped, run->sim->skipped);
  ck_assert_uint_eq (alone->hash, run->hash);
  ck_assert_uint_eq (alone->cells, run->cells);
  ck_assert_uint_eq (alone->cells > 0, wanted);
  ck_assert_uint_eq (alone->hits->len, run->hits->len);
  for (guint k = 0; wanted && k < run->hits->len; k++)
    {
      ck_assert_str_eq (g_array_index (alone->hits, TlGridHit, k).score, g_array_index (run->hits, TlGridHit, k).score);
      ck_assert_str_eq (g_array_index (alone->hits, TlGridHit, k).cigar, g_array_index (run->hits, TlGridHit, k).cigar);
    }
  ck_assert_uint_eq (alone->path != NULL, _i == 6);
  if (run->path != NULL)
    ck_assert_mem_eq (alone->path->data, run->path->data, run->path->len * sizeof (guint32));
}
END_TEST

/* Other data than it was compiled for are refused; of a module nobody knows the recurrence. */
START_TEST (streams_say_what_they_lack)
{
  g_autoptr (TlInputs) inputs = files_of_streams ();
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, NULL);
  gsize            length;
  gconstpointer    data = g_bytes_get_data (build->stream, &length);
  TlBuildOptions   options = { .from = TL_STAGE_STREAM }, dump = { .dumps = TRUE }, from = { .from = TL_STAGE_G3 };
  TlGridRunOptions values = { .time = TRUE };
  g_autoptr (TlBuild) stream = tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);

  add_text (inputs, "reads", ">other\nACGTACGTACGTACGTACGTACGTACGT\n");
  g_autoptr (TlGridRun) run = tl_grid_run (stream, &values);
  ck_assert (!run->complete);
  ck_assert_str_eq (tl_diags_get (run->diags, 0)->code, "content-changed");

  g_autoptr (TlBuild) dumped = tl_build ("p.gdsl", STREAM, strlen (STREAM), inputs, &dump, NULL, NULL);
  g_autoptr (TlBuild) module
      = tl_build ("p.mlir", dumped->dump[TL_STAGE_G3], strlen (dumped->dump[TL_STAGE_G3]), inputs, &from, NULL, NULL);
  ck_assert (module->complete && *module->pipe->text == '\0');
  g_autoptr (TlGridRun) timed = tl_grid_run (module, &values);
  ck_assert (timed->complete && timed->sim != NULL && timed->cells == 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-pipe-streams");
  TCase *tcase = tcase_create ("pipe");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, exports_hold_what_happened, 0, 4);
  tcase_add_loop_test (tcase, deadlocks_are_reported, 0, 5);
  tcase_add_test (tcase, a_queue_that_nobody_empties_is_reported);
  tcase_add_test (tcase, streams_run_alone_and_show_damage);
  tcase_add_loop_test (tcase, streams_bring_their_values, 0, 7);
  tcase_add_test (tcase, streams_say_what_they_lack);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
