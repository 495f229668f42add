/* What the commands of tierc share. Private to src/cli. */
#pragma once

#include "base/diag.h"
#include "engine/build.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

/* Exit statuses. */
enum
{
  TL_EXIT_FINE = 0,
  TL_EXIT_WRONG = 1,       /* the program or an input is wrong, or a file cannot be written */
  TL_EXIT_USAGE = 2,       /* the command line is wrong */
  TL_EXIT_INTERRUPTED = 3, /* by Ctrl-C or a termination signal; what was done is kept */
};
/* Of the functions that may end a command early: go on. */
#define TL_GO_ON (-1)

typedef struct
{
  GCancellable *cancellable; /* triggered by the first Ctrl-C; the second ends at once */
} TlCli;

typedef struct
{
  const char *name;
  const char *arguments; /* "FILE" */
  const char *summary;   /* one line */
  const char *details;   /* shown below the options; NULL for none */
  int (*run) (TlCli *cli, int argc, char **argv); /* argv[0] is the command's name */
} TlCliCommand;

extern const TlCliCommand tl_cli_check;
extern const TlCliCommand tl_cli_build;
extern const TlCliCommand tl_cli_run;
extern const TlCliCommand tl_cli_figure;
extern const TlCliCommand tl_cli_replay;
extern const TlCliCommand tl_cli_plan;
extern const TlCliCommand tl_cli_layout;
extern const TlCliCommand tl_cli_ptx;
extern const TlCliCommand tl_cli_target;
extern const TlCliCommand tl_cli_study;

/* --- options.c --- */

/* Parses options, answers --help and --version. @entries ends with an empty one;
 * @arguments receives what is left (transfer full, NULL-terminated). Returns
 * TL_GO_ON or an exit status. */
int      tl_cli_options       (const TlCliCommand *command,
                               const GOptionEntry *entries,
                               int                 argc,
                               char              **argv,
                               char             ***arguments);
/* Says what is wrong with the command line. Returns TL_EXIT_USAGE. */
int      tl_cli_usage         (const TlCliCommand *command,
                               const char         *format,
                               ...) G_GNUC_PRINTF (2, 3);
/* Whether every --set argument is KEY=VALUE. @sets may be NULL. Returns TL_GO_ON or
 * an exit status. */
int      tl_cli_settings_valid (const TlCliCommand *command,
                                char              **sets);

/* --- output.c --- */

/* A file that appears whole or not at all: written beside its name and renamed by
 * commit. "-" is standard output. What is no regular file (a pipe, a device) is
 * written directly. */
typedef struct _TlOutput TlOutput;

/* NULL after saying why on standard error. (transfer full) */
TlOutput *tl_output_open      (const char *path);
FILE     *tl_output_file      (TlOutput   *output);
/* Renames into place. FALSE, after saying why, when anything could not be written. */
gboolean  tl_output_commit    (TlOutput   *output);
/* Also after commit; without it leaves nothing behind. */
void      tl_output_free      (TlOutput   *output);
/* All three steps. @length < 0: NUL-terminated. Returns TL_EXIT_FINE or TL_EXIT_WRONG. */
int       tl_output_write     (const char    *path,
                               gconstpointer  data,
                               gssize         length);
/* Whether something could be written to @path later, said now: before a long run.
 * FALSE after saying why. NULL and "-" are fine. */
gboolean  tl_output_probe     (const char *path);
/* One JSON object, indented, with a newline, to a file or "-"; consumes it. Returns
 * TL_EXIT_FINE or TL_EXIT_WRONG. */
int       tl_cli_write_json   (const char *path,
                               JsonNode   *root);
/* The whole of a file, "-" standard input, at most @limit bytes. NULL after saying
 * why. (transfer full) */
GBytes   *tl_cli_read         (const char *path,
                               gsize       limit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlOutput, tl_output_free)

/* --- diagnostics.c --- */

/* Prints all of @diags on standard error, sorted; under those of @source (may be
 * NULL) the line they are about. */
void      tl_cli_diags_print  (TlDiags    *diags,
                               TlSource   *source);
/* The member "diagnostics" of the object that @builder is in. */
void      tl_json_diags       (JsonBuilder *builder,
                               TlDiags     *diags,
                               TlSource    *source);
/* {"diagnostics": [...]}; (transfer full) */
JsonNode *tl_cli_diags_json   (TlDiags    *diags,
                               TlSource   *source);
/* SARIF 2.1.0. (transfer full) */
JsonNode *tl_cli_diags_sarif  (TlDiags    *diags,
                               TlSource   *source);

/* --- source.c --- */

/* What a command was asked to work on: a program, a module or a stream, and where
 * the files that it names are. */
typedef struct
{
  char     *name; /* what diagnostics call it: the path, or "<stdin>" */
  char     *path; /* NULL for standard input */
  GBytes   *bytes;
  TlInputs *inputs;
  TlStage   stage; /* told by its first bytes */
} TlCliSource;

/* Settings change lines of a program text; of a module or a stream there are none to
 * change. Returns TL_GO_ON or an exit status. */
int       tl_cli_source_judge_settings (const TlCliSource  *source,
                                        const TlCliCommand *command,
                                        char              **sets);
/* FALSE after saying why. */
gboolean  tl_cli_source_open  (TlCliSource        *source,
                               const char         *path);
void      tl_cli_source_clear (TlCliSource        *source);
/* Builds; fills in options->path. */
TlBuild  *tl_cli_source_build (const TlCliSource  *source,
                               TlBuildOptions     *options,
                               GCancellable       *cancellable);
/* Prints the build's diagnostics. Returns TL_GO_ON when it is complete, else an
 * exit status. */
int       tl_cli_build_judge  (TlBuild            *build);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlCliSource, tl_cli_source_clear)

/* --- progress.c --- */

typedef struct _TlProgress TlProgress;

/* Shows, from a second on and when standard error is a terminal, what goes on, how
 * far and how long still. (transfer full) */
TlProgress *tl_progress_new   (const char *what);
/* @fraction 0..1, negative when the end is not known; @detail may be NULL. From any thread. */
void        tl_progress_show  (TlProgress *progress,
                               double      fraction,
                               const char *detail);
/* The same of @done among @total, 0 when the end is not known; @progress is a TlProgress. */
void        tl_progress_count (guint64     done,
                               guint64     total,
                               gpointer    progress);
/* Wipes its line. */
void        tl_progress_free  (TlProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlProgress, tl_progress_free)

/* --- json.c --- */

/* Members of the object that @builder is in. */
void      tl_json_int         (JsonBuilder *builder,
                               const char  *name,
                               guint64      value);
void      tl_json_flag        (JsonBuilder *builder,
                               const char  *name,
                               gboolean     value);
void      tl_json_double      (JsonBuilder *builder,
                               const char  *name,
                               double       value);
/* null for NULL; what is no UTF-8 is made so. */
void      tl_json_text        (JsonBuilder *builder,
                               const char  *name,
                               const char  *value);
/* A number when @text is one, null when it is NULL or empty, else a string. */
void      tl_json_scalar      (JsonBuilder *builder,
                               const char  *name,
                               const char  *text);
/* 16 hex digits. */
void      tl_json_hash        (JsonBuilder *builder,
                               const char  *name,
                               guint64      hash);
/* @name NULL inside an array or at the root. */
void      tl_json_begin_object (JsonBuilder *builder,
                                const char  *name);
void      tl_json_begin_array (JsonBuilder *builder,
                               const char  *name);

/* --- interrupt.c --- */

/* From now on SIGINT, SIGTERM and SIGHUP cancel @cancellable; a second one ends the
 * process with TL_EXIT_INTERRUPTED. Call before any thread is started. */
void      tl_cli_catch_interrupts (GCancellable *cancellable);
