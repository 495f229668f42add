/* Running the built tierc from a suite. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct
{
  int   status; /* exit status; -signal when it was killed */
  char *out;
  char *err;
  gsize out_length;
} Tierc;

/* Runs it in the test's private folder. @input may be NULL. Arguments end with NULL. */
Tierc       tierc           (const char *input,
                             ...) G_GNUC_NULL_TERMINATED;
Tierc       tierc_argv      (const char        *input,
                             const char *const *arguments);
void        tierc_clear     (Tierc      *self);
/* Path of the program under test. (transfer full) */
char       *tierc_path      (void);

/* Writes a file of the private folder; @length < 0: NUL-terminated. */
void        put_file        (const char *name,
                             const char *data,
                             gssize      length);
/* FALSE when there is no such file. */
gboolean    file_exists     (const char *name);
/* (transfer full), NULL when there is no such file. */
char       *get_file        (const char *name,
                             gsize      *length);
/* Names in the private folder, sorted, joined by blanks. (transfer full) */
char       *list_files      (void);

/* The object that is the whole of @text; aborts when it is none. (transfer full) */
JsonNode   *json_of         (const char *text);
/* The node at "owner.min", NULL when there is none. */
JsonNode   *json_at         (JsonNode   *root,
                             const char *path);
gint64      json_int_at     (JsonNode   *root,
                             const char *path);
const char *json_text_at    (JsonNode   *root,
                             const char *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tierc, tierc_clear)
