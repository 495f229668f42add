/* Conventions that every command keeps: help, version, exit statuses, streams. */
#include "support/support.h"
#include "tierc.h"

#include <signal.h>
#include <string.h>

#define APSP                                                                                                           \
  "algorithm apsp\n"                                                                                                   \
  "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"                                                             \
  "data D: i32 = road(300, 7)\n"                                                                                       \
  "config target = gendram\n"

static const char *const commands[] = { "check", "build", "run", "figure", "replay", "plan", "ptx", "target", "study" };

START_TEST (every_command_helps)
{
  g_auto (Tierc) help = tierc (NULL, commands[_i], "--help", NULL);
  g_auto (Tierc) word = tierc (NULL, "help", commands[_i], NULL);
  g_auto (Tierc) version = tierc (NULL, commands[_i], "--version", NULL);

  ck_assert_int_eq (help.status, 0);
  ck_assert_ptr_nonnull (strstr (help.out, commands[_i]));
  ck_assert_ptr_nonnull (strstr (help.out, "--set"));
  ck_assert_str_eq (help.err, "");
  ck_assert_str_eq (word.out, help.out);
  ck_assert_int_eq (version.status, 0);
  ck_assert (g_str_has_prefix (version.out, "tierc "));
}
END_TEST

START_TEST (tierc_itself_helps)
{
  g_auto (Tierc) help = tierc (NULL, "--help", NULL);
  g_auto (Tierc) bare = tierc (NULL, NULL);
  g_auto (Tierc) version = tierc (NULL, "--version", NULL);

  ck_assert_int_eq (help.status, 0);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    ck_assert_ptr_nonnull (strstr (help.out, commands[i]));
  ck_assert_int_eq (bare.status, 2);
  ck_assert_int_eq (version.status, 0);
}
END_TEST

/* Every option of the help is in the manual and in the completion, and the other way round. */
START_TEST (manual_and_completion_know_the_options)
{
  g_autofree char *man_path = tl_test_source_path ("data/man/tierc.1");
  g_autofree char *completion_path = tl_test_source_path ("data/completion/tierc");
  g_autofree char *man = NULL;
  g_autofree char *completion = NULL;
  g_auto (Tierc) help = tierc (NULL, commands[_i], "--help", NULL);

  ck_assert (g_file_get_contents (man_path, &man, NULL, NULL));
  ck_assert (g_file_get_contents (completion_path, &completion, NULL, NULL));
  /* The manual writes a hyphen as an escape. */
  g_auto (GStrv) escaped = g_strsplit (man, "\\-", -1);
  g_autofree char *plain = g_strjoinv ("-", escaped);
  guint            n = 0;
  for (const char *at = strstr (help.out, "--"); at != NULL; at = strstr (at + 2, "--"))
    {
      gsize            length = 2 + strspn (at + 2, "abcdefghijklmnopqrstuvwxyz-");
      g_autofree char *option = g_strndup (at, length);

      if (length == 2)
        continue;
      ck_assert_msg (strstr (plain, option) != NULL, "the manual lacks %s", option);
      if (strcmp (option, "--scheduled") != 0 && strcmp (option, "--from") != 0)
        ck_assert_msg (strstr (completion, option) != NULL, "the completion lacks %s", option);
      n++;
    }
  ck_assert_uint_gt (n, 3);
}
END_TEST

static const struct
{
  const char *arguments[6];
  const char *says;
} wrong[] = {
  { { "frobnicate" }, "no command \"frobnicate\"" },
  { { "chekc", "x.gdsl" }, "did you mean \"check\"" },
  { { "check" }, "one FILE" },
  { { "check", "a", "b" }, "one FILE" },
  { { "check", "--format=xml", "a" }, "text, json or sarif" },
  { { "check", "--bogus", "a" }, "bogus" },
  { { "build" }, "one FILE" },
  { { "build", "--dump=g9", "a" }, "g1, g2, g3, g4 or all" },
  { { "build", "--from=g0", "a" }, "g1, g2, g3 or g4" },
  { { "build", "--from=g3", "--dump=g1", "a" }, "holds no module after g1" },
  { { "build", "--emit=elf", "a" }, "mlir, streams or json" },
  { { "build", "--dump=g1", "--emit=json", "a" }, "exclude" },
  { { "build", "-o", "out.xyz", "a" }, "--emit" },
  { { "run", "--full", "--memo", "a" }, "exclude" },
  { { "run", "--result=x.txt", "a" }, ".npy, .csv or .paf" },
  { { "run", "--commands=x.txt", "a" }, ".csv, .vcd or .json" },
  { { "run", "--set", "tile", "a" }, "KEY=VALUE" },
  { { "run", "--set", "=5", "a" }, "KEY=VALUE" },
  { { "replay", "a" }, "--target" },
  { { "replay", "--target=lesson" }, "one TRACE" },
  { { "replay", "--target=lesson", "--scheduled", "--in-order", "a" }, "exclude" },
  { { "replay", "--target=lesson", "--in-order", "--set=queue=4", "a" }, "scheduled" },
  { { "replay", "--target=lesson", "--in-order", "--refresh=none", "a" }, "scheduled" },
  { { "replay", "--target=lesson", "--window=65", "a" }, "1 to 64" },
  { { "replay", "--target=lesson", "--policy=lifo", "a" }, "plain-fr-fcfs" },
  { { "replay", "--target=lesson", "--refresh=some", "a" }, "all-bank" },
  { { "replay", "--target=lesson", "--causes=-1", "a" }, "0 to 10000" },
  { { "replay", "--target=lesson", "--set", "tile=4", "a" }, "scheduler" },
  { { "replay", "--target=lesson", "--set", "page=ajar", "a" }, "open or closed" },
  { { "plan" }, "--sequence=FILE" },
  { { "plan", "a.gdsl", "--bits=4" }, "go with --sequence" },
  { { "plan", "a.gdsl", "b.gdsl" }, "one FILE" },
  { { "plan", "--sequence=s", "a.gdsl" }, "leave out" },
  { { "plan", "--sequence=s", "--columns=2", "--domains=1" }, "--bits is missing" },
  { { "plan", "--sequence=s", "--bits=17", "--columns=2", "--domains=1" }, "1 to 16, not 17" },
  { { "target" }, "list" },
  { { "target", "show" }, "show NAME" },
  { { "target", "list", "x" }, "list" },
};

START_TEST (wrong_usage_is_two)
{
  g_auto (Tierc) result = tierc_argv (NULL, wrong[_i].arguments);

  ck_assert_msg (result.status == 2, "%d\n%s", result.status, result.err);
  ck_assert_msg (strstr (result.err, wrong[_i].says) != NULL, "%s", result.err);
  ck_assert_ptr_nonnull (strstr (result.err, "--help"));
  ck_assert_str_eq (result.out, "");
}
END_TEST

START_TEST (a_hyphen_reads_standard_input)
{
  g_auto (Tierc) check = tierc (APSP, "check", "-", NULL);
  g_auto (Tierc) json = tierc (APSP, "run", "--json", "-", NULL);
  g_auto (Tierc) bad = tierc ("algorithm\n", "check", "-", NULL);

  ck_assert_msg (check.status == 0, "%s", check.err);
  ck_assert_int_eq (json.status, 0);
  g_autoptr (JsonNode) root = json_of (json.out);
  ck_assert_int_eq (json_int_at (root, "n"), 300);
  ck_assert_int_eq (bad.status, 1);
  ck_assert_ptr_nonnull (strstr (bad.err, "<stdin>:1:"));
}
END_TEST

START_TEST (a_full_disk_is_no_success)
{
  g_auto (Tierc) probe = tierc (APSP, "build", "--emit=json", "-o", "/dev/full", "-", NULL);

  ck_assert_int_eq (probe.status, 1);
  ck_assert_ptr_nonnull (strstr (probe.err, "/dev/full"));
}
END_TEST

START_TEST (ctrl_c_is_three)
{
  g_autofree char *path = tierc_path ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_build_filename (tl_test_folder (), "big.gdsl", NULL);
  g_autofree char *output = g_build_filename (tl_test_folder (), "big.npy", NULL);
  g_autofree char *result = g_strdup_printf ("--result=%s", output);

  put_file ("big.gdsl",
            "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
            "data D: i32 = road(20000, 7)\nconfig target = gendram\n",
            -1);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, path,
                              "run", "--full", result, program, NULL);
  ck_assert_msg (process != NULL, "%s", error != NULL ? error->message : "");
  g_usleep (G_USEC_PER_SEC / 2);
  g_subprocess_send_signal (process, SIGINT);
  ck_assert (g_subprocess_wait (process, NULL, NULL));
  ck_assert (g_subprocess_get_if_exited (process));
  ck_assert_int_eq (g_subprocess_get_exit_status (process), 3);
  g_autofree char *files = list_files ();
  ck_assert_msg (strstr (files, "big.npy") == NULL, "%s", files);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-usage");
  TCase *tcase = tcase_create ("usage");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, every_command_helps, 0, G_N_ELEMENTS (commands));
  tcase_add_test (tcase, tierc_itself_helps);
  tcase_add_loop_test (tcase, manual_and_completion_know_the_options, 0, G_N_ELEMENTS (commands));
  tcase_add_loop_test (tcase, wrong_usage_is_two, 0, G_N_ELEMENTS (wrong));
  tcase_add_test (tcase, a_hyphen_reads_standard_input);
  tcase_add_test (tcase, a_full_disk_is_no_success);
  tcase_add_test (tcase, ctrl_c_is_three);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
