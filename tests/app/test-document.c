/* Files, recovery and session: every fault has its words, and no fault loses text. */
#include "app/document-file.h"
#include "app/figure.h"
#include "app/recovery.h"
#include "app/session.h"
#include "engine/build.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *
place (const char *name)
{
  return g_build_filename (tl_test_folder (), name, NULL);
}

static void
read_all (const char *path, char **text, TlDocumentStamp *stamp)
{
  g_autofree char *name = NULL;
  g_autofree char *state = NULL;
  g_autoptr (GError) error = NULL;

  ck_assert_msg (tl_document_file_read (path, text, &name, &state, stamp, &error), "%s",
                 error != NULL ? error->message : "");
  ck_assert_ptr_null (state);
}

static int
read_fault (const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *state = NULL;
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;

  ck_assert (!tl_document_file_read (path, &text, &name, &state, &stamp, &error));
  ck_assert (error->domain == TL_DOCUMENT_ERROR);
  g_autofree char *base = g_path_get_basename (path);
  ck_assert_msg (strstr (error->message, base) != NULL, "%s", error->message);
  return error->code;
}

START_TEST (text_comes_back_with_its_mode)
{
  g_autofree char *path = place ("mode.gdsl");
  g_autofree char *link = place ("link.gdsl");
  g_autofree char *text = NULL;
  TlDocumentStamp  stamp, again;
  struct stat      info;

  ck_assert (g_file_set_contents (path, "\xef\xbb\xbf# ä\n", -1, NULL));
  ck_assert_int_eq (g_chmod (path, 0640), 0);
  ck_assert_int_eq (symlink ("mode.gdsl", link), 0);
  read_all (link, &text, &stamp);
  ck_assert_str_eq (text, "# ä\n");
  ck_assert (tl_document_file_write (link, "new\n", &stamp, &again, NULL));
  ck_assert (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  ck_assert_int_eq (stat (path, &info), 0);
  ck_assert_int_eq (info.st_mode & 0777, 0640);
  ck_assert (!tl_document_file_changed (path, &again, NULL));
}
END_TEST

START_TEST (faults_of_reading_have_words)
{
  g_autofree char *missing = place ("missing.gdsl");
  g_autofree char *bytes = place ("bytes.gdsl");
  g_autofree char *folder = place ("folder.gdsl");
  g_autofree char *pipe = place ("pipe.gdsl");
  g_autofree char *huge = place ("huge.gdsl");
  g_autofree char *picture = place ("picture.svg");
  g_autofree char *nul = place ("nul.gdsl");

  ck_assert_int_eq (read_fault (missing), TL_DOCUMENT_ERROR_GONE);
  ck_assert (g_file_set_contents (bytes, "algorithm \xff\xfe\n", -1, NULL));
  ck_assert_int_eq (read_fault (bytes), TL_DOCUMENT_ERROR_NO_TEXT);
  ck_assert (g_file_set_contents (nul, "a\0b", 3, NULL));
  ck_assert_int_eq (read_fault (nul), TL_DOCUMENT_ERROR_NO_TEXT);
  ck_assert_int_eq (g_mkdir (folder, 0700), 0);
  ck_assert_int_eq (read_fault (folder), TL_DOCUMENT_ERROR_NO_TEXT);
  ck_assert_int_eq (mkfifo (pipe, 0600), 0);
  ck_assert_int_eq (read_fault (pipe), TL_DOCUMENT_ERROR_NO_TEXT);
  ck_assert (g_file_set_contents (huge, "", 0, NULL));
  ck_assert_int_eq (truncate (huge, (off_t) TL_DOCUMENT_MAX_BYTES + 1), 0);
  ck_assert_int_eq (read_fault (huge), TL_DOCUMENT_ERROR_NO_TEXT);
  ck_assert (g_file_set_contents (picture, "<svg xmlns='http://www.w3.org/2000/svg'/>", -1, NULL));
  ck_assert_int_eq (read_fault (picture), TL_DOCUMENT_ERROR_NO_TEXT);
}
END_TEST

static int
write_fault (const char *path, const TlDocumentStamp *expected)
{
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;

  ck_assert (!tl_document_file_write (path, "mine\n", expected, &stamp, &error));
  ck_assert (error->domain == TL_DOCUMENT_ERROR);
  return error->code;
}

static void
expect_contents (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  ck_assert_str_eq (text, expected);
}

START_TEST (a_file_of_others_is_not_overwritten)
{
  g_autofree char *path = place ("shared.gdsl");
  g_autofree char *text = NULL;
  TlDocumentStamp  stamp;
  gboolean         gone;

  ck_assert (g_file_set_contents (path, "old\n", -1, NULL));
  read_all (path, &text, &stamp);
  ck_assert (g_file_set_contents (path, "old\n", -1, NULL)); /* written anew, the same */
  ck_assert (!tl_document_file_changed (path, &stamp, &gone));
  ck_assert (g_file_set_contents (path, "new\n", -1, NULL)); /* as long as before */
  ck_assert (tl_document_file_changed (path, &stamp, &gone));
  ck_assert_int_eq (write_fault (path, &stamp), TL_DOCUMENT_ERROR_CHANGED);
  expect_contents (path, "new\n");
  ck_assert_int_eq (g_unlink (path), 0);
  ck_assert (!tl_document_file_changed (path, &stamp, &gone));
  ck_assert (gone);
  ck_assert (tl_document_file_write (path, "mine\n", &stamp, &stamp, NULL));
  expect_contents (path, "mine\n");
}
END_TEST

START_TEST (a_read_only_file_stays)
{
  g_autofree char *path = place ("fixed.gdsl");
  g_autofree char *nowhere = place ("no/such/folder.gdsl");

  ck_assert (g_file_set_contents (path, "old\n", -1, NULL));
  ck_assert_int_eq (g_chmod (path, 0444), 0);
  ck_assert_int_eq (write_fault (path, NULL), TL_DOCUMENT_ERROR_READ_ONLY);
  expect_contents (path, "old\n");
  ck_assert_int_eq (write_fault (nowhere, NULL), TL_DOCUMENT_ERROR_GONE);
  ck_assert_int_eq (write_fault ("/proc/tierloom.gdsl", NULL), TL_DOCUMENT_ERROR_GONE);
}
END_TEST

/* A limit on file size stands in for a full disk: write() fails half way in both. */
START_TEST (a_full_disk_leaves_the_old_text)
{
  g_autofree char *folder = place ("full");
  g_autofree char *path = g_build_filename (folder, "full.gdsl", NULL);
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;
  struct rlimit   before, small;
  guint           n = 0;

  ck_assert_int_eq (g_mkdir (folder, 0700), 0);
  ck_assert (g_file_set_contents (path, "old\n", -1, NULL));
  ck_assert_int_eq (getrlimit (RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 4096;
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  ck_assert_int_eq (setrlimit (RLIMIT_FSIZE, &small), 0);
  gboolean written = tl_document_file_write (path, text, NULL, &stamp, &error);
  ck_assert_int_eq (setrlimit (RLIMIT_FSIZE, &before), 0);
  signal (SIGXFSZ, handler);
  ck_assert (!written);
  ck_assert_int_eq (error->code, TL_DOCUMENT_ERROR_FULL);
  expect_contents (path, "old\n");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  ck_assert_uint_eq (n, 1);
}
END_TEST

START_TEST (a_figure_opens_again)
{
  static const char program[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                "data D: i32 = road(96, 7)\nconfig target = gendram\n";
  g_autofree char  *targets = tl_test_source_path ("targets");
  g_autofree char  *path = place ("figure.svg");
  g_autofree char  *text = NULL;
  g_autofree char  *name = NULL;
  g_autofree char  *state = NULL;
  g_autofree char  *selection = NULL;
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;

  g_setenv ("TIERLOOM_TARGETS", targets, TRUE);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions build_options = { 0 };
  g_autoptr (TlBuild) build = tl_build ("small.gdsl", program, strlen (program), inputs, &build_options, NULL, NULL);
  TlRunOptions options = { .skip_values = TRUE };
  g_autoptr (TlRun) run = tl_run (build, &options, NULL);
  ck_assert_ptr_nonnull (run->sim);
  TlFigureWish wish = {
    .picture = { .kind = TL_VIEW_TILES, .theme = TL_THEME_PRINT, .time = run->sim->makespan / 2, .selection = "pu-3" },
    .width_mm = 84,
  };
  g_autoptr (GBytes) bytes = tl_figure_bytes (run, &wish, "small.gdsl", &error);
  g_autoptr (GBytes) same = tl_figure_bytes (run, &wish, "small.gdsl", &error);
  ck_assert_ptr_nonnull (bytes);
  ck_assert (g_bytes_equal (bytes, same));
  ck_assert (tl_document_bytes_write (path, bytes, &error));
  ck_assert (tl_document_file_read (path, &text, &name, &state, &stamp, &error));
  ck_assert_str_eq (text, program);
  ck_assert_str_eq (name, "small.gdsl");
  ck_assert (!stamp.known);
  TlPicture picture = { 0 };
  tl_picture_parse (state, &picture, &selection);
  ck_assert_int_eq (picture.kind, TL_VIEW_TILES);
  ck_assert_uint_eq (picture.time, wish.picture.time);
  ck_assert_str_eq (selection, "pu-3");
  wish.format = TL_FIGURE_PNG;
  wish.width_px = 640;
  g_autoptr (GBytes) png = tl_figure_bytes (run, &wish, "small.gdsl", &error);
  const guint8 *head = g_bytes_get_data (png, NULL);
  ck_assert_uint_eq (head[18] << 8 | head[19], 640);
}
END_TEST

START_TEST (a_killed_process_leaves_its_text)
{
  g_autofree char *folder = place ("recovery");
  TlRecoveryEntry  entry = { (char *) "one\ttwo\\\n  ä\n",
                             (char *) "/a/b.gdsl",
                             NULL,
                             (char *) "b.gdsl",
                             { .known = TRUE, .inode = 5, .hash = G_MAXUINT64 } };
  pid_t            child = fork ();

  if (child == 0)
    {
      TlRecovery *recovery = tl_recovery_new (folder);
      tl_recovery_write (recovery, &entry, NULL);
      kill (getpid (), SIGKILL);
    }
  ck_assert_int_eq (waitpid (child, NULL, 0), child);
  g_autoptr (GPtrArray) orphans = tl_recovery_orphans (folder);
  ck_assert_uint_eq (orphans->len, 1);
  TlOrphan *orphan = orphans->pdata[0];
  ck_assert_str_eq (orphan->entry.text, entry.text);
  ck_assert_str_eq (orphan->entry.path, entry.path);
  ck_assert_ptr_null (orphan->entry.folder);
  ck_assert (orphan->entry.stamp.hash == G_MAXUINT64);
  /* Ours now: nobody else takes it, and it is still there. */
  g_autoptr (GPtrArray) none = tl_recovery_orphans (folder);
  ck_assert_uint_eq (none->len, 0);
  tl_recovery_clear (orphan->recovery);
  g_ptr_array_set_size (orphans, 0);
  g_autoptr (GPtrArray) after = tl_recovery_orphans (folder);
  ck_assert_uint_eq (after->len, 0);
}
END_TEST

START_TEST (a_damaged_recovery_is_put_aside)
{
  g_autofree char *folder = place ("damaged");
  g_autofree char *file = g_build_filename (folder, "x.recovery", NULL);
  g_autofree char *aside = g_build_filename (folder, "x.broken", NULL);

  ck_assert_int_eq (g_mkdir (folder, 0700), 0);
  ck_assert (g_file_set_contents (file, "\xff\0[", 3, NULL));
  g_autoptr (GPtrArray) orphans = tl_recovery_orphans (folder);
  ck_assert_uint_eq (orphans->len, 0);
  ck_assert (g_file_test (aside, G_FILE_TEST_EXISTS));
  ck_assert (!g_file_test (file, G_FILE_TEST_EXISTS));
}
END_TEST

START_TEST (a_recovery_folder_that_cannot_be_is_said)
{
  g_autofree char *file = place ("not-a-folder");
  g_autofree char *folder = g_build_filename (file, "recovery", NULL);
  g_autoptr (TlRecovery) recovery = tl_recovery_new (folder);
  g_autoptr (GError) error = NULL;
  TlRecoveryEntry entry = { .text = (char *) "x" };

  ck_assert (g_file_set_contents (file, "", 0, NULL));
  ck_assert (!tl_recovery_write (recovery, &entry, &error));
  ck_assert_int_eq (error->code, TL_DOCUMENT_ERROR_UNWRITABLE);
}
END_TEST

START_TEST (a_session_comes_back)
{
  g_autofree char *file = place ("state/session");
  TlSession        kept = { (char *) "/a/ä b.gdsl", (char *) "view=iso;time=12;select=tile-3-5", 1280, 800, TRUE, 77 };
  g_auto (TlSession) session = { 0 };

  ck_assert (!tl_session_load (file, &session));
  ck_assert (tl_session_save (file, &kept));
  ck_assert (tl_session_load (file, &session));
  ck_assert_str_eq (session.path, kept.path);
  ck_assert_str_eq (session.state, kept.state);
  ck_assert_int_eq (session.width, 1280);
  ck_assert_int_eq (session.height, 800);
  ck_assert (session.maximized);
  ck_assert_int_eq (session.cursor, 77);
  tl_session_clear (&session);
  ck_assert (g_file_set_contents (file, "[Session]\nwidth=-5\nheight=9999999\ncursor=-3\n", -1, NULL));
  ck_assert (tl_session_load (file, &session));
  ck_assert_int_eq (session.width, 0);
  ck_assert_int_eq (session.height, 0);
  ck_assert_int_eq (session.cursor, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("app-document");
  TCase *tcase = tcase_create ("document");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, text_comes_back_with_its_mode);
  tcase_add_test (tcase, faults_of_reading_have_words);
  tcase_add_test (tcase, a_file_of_others_is_not_overwritten);
  tcase_add_test (tcase, a_read_only_file_stays);
  tcase_add_test (tcase, a_full_disk_leaves_the_old_text);
  tcase_add_test (tcase, a_figure_opens_again);
  tcase_add_test (tcase, a_killed_process_leaves_its_text);
  tcase_add_test (tcase, a_damaged_recovery_is_put_aside);
  tcase_add_test (tcase, a_recovery_folder_that_cannot_be_is_said);
  tcase_add_test (tcase, a_session_comes_back);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
