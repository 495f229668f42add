/* Reading lessons: the schema tells the shape, the rest is checked here with the
 * file's lines. */
#include "engine/lesson.h"

#include "engine/lesson-resource.h"
#include "target/xml.h"

#include <glib/gstdio.h>
#include <string.h>

static const TlXmlKind lesson_kind
    = { .word = "lesson", .file_code = "lesson-file", .shape_code = "lesson-shape", .max_bytes = TL_LESSON_MAX_BYTES };

static const TlLessonChoice row_choices[] = {
  { 'H', "hit", "the row is open already" },
  { 'M', "opening miss", "no row is open: one has to be opened" },
  { 'C', "conflict", "another row is open: it has to be closed first" },
};
static const TlLessonChoice owner_choices[] = {
  { 'A', "all that can", "as many PUs as there are tiles or PUs" },
  { 'F', "fewer", "more than one, but fewer than can" },
  { 'O', "one", "a single PU does all of it" },
};
static const TlLessonChoice tier_choices[] = {
  { 'F', "falls", "by more than 1 %" },
  { 'S', "stays", "within 1 %" },
  { 'R', "rises", "by more than 1 %" },
};

static const struct
{
  const char           *name;
  const TlLessonChoice *choices;
  guint                 n_choices;
} scenes[] = {
  [TL_LESSON_ROWS] = { "rows", row_choices, G_N_ELEMENTS (row_choices) },
  [TL_LESSON_OWNERS] = { "owners", owner_choices, G_N_ELEMENTS (owner_choices) },
  [TL_LESSON_TIERS] = { "tiers", tier_choices, G_N_ELEMENTS (tier_choices) },
};

typedef struct
{
  TlLesson *lesson;
  TlDiags  *diags;
  gboolean  failed;
} Reader;

const TlLessonChoice *
tl_lesson_choices (TlLessonScene scene, guint *n)
{
  *n = scenes[scene].n_choices;
  return scenes[scene].choices;
}

static TlDiag *fault (Reader *reader, xmlNode *node, const char *code, const char *format, ...) G_GNUC_PRINTF (4, 5);

static TlDiag *
fault (Reader *reader, xmlNode *node, const char *code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  reader->failed = TRUE;
  return tl_diags_add_at (reader->diags, TL_SEVERITY_ERROR, code, reader->lesson->file,
                          (guint) MAX (xmlGetLineNo (node), 0), 0, "%s", message);
}

static char *
content (xmlNode *node)
{
  xmlChar *value = xmlNodeGetContent (node);
  char    *copy = g_strdup (value != NULL ? (char *) value : "");

  xmlFree (value);
  return copy;
}

/* Prose: runs of blanks and line ends are one blank. */
static char *
prose (xmlNode *node)
{
  g_autofree char *text = content (node);
  GString         *out = g_string_new (NULL);
  gboolean         gap = FALSE;

  for (const char *at = text; *at != '\0'; at++)
    if (g_ascii_isspace (*at))
      gap = out->len > 0;
    else
      {
        if (gap)
          g_string_append_c (out, ' ');
        g_string_append_c (out, *at);
        gap = FALSE;
      }
  return g_string_free (out, FALSE);
}

static gboolean
is_element (xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, name) == 0;
}

static void
read_units (Reader *reader, xmlNode *node)
{
  g_autofree char *text = prose (node);
  g_auto (GStrv) words = g_strsplit (text, " ", 0);

  for (guint i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      guint64 unit;
      if (reader->lesson->units->len == TL_LESSON_MAX_UNITS)
        {
          fault (reader, node, "lesson-units", "a lesson has at most %d units", TL_LESSON_MAX_UNITS);
          return;
        }
      if (!g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXINT64, &unit, NULL))
        {
          fault (reader, node, "lesson-units", "\"%.40s\" is not the number of a unit", words[i]);
          return;
        }
      g_array_append_val (reader->lesson->units, unit);
    }
  if (reader->lesson->units->len == 0)
    fault (reader, node, "lesson-units", "there are no units to ask about");
}

static void
read_program (Reader *reader, xmlNode *node)
{
  char *text = content (node);
  char *start = text;

  while (*start == '\n' || *start == '\r')
    start++;
  g_strchomp (start);
  reader->lesson->program = g_strconcat (start, "\n", NULL);
  if (*start == '\0')
    fault (reader, node, "lesson-program", "the program is empty");
  g_free (text);
}

static void
read_set (Reader *reader, xmlNode *node, GPtrArray *set)
{
  g_autofree char *key = tl_xml_attribute (node, "key");
  g_autofree char *value = tl_xml_attribute (node, "value");

  g_strstrip (key);
  g_strstrip (value);
  if (!g_strv_contains ((const char *const *) reader->lesson->knobs, key))
    tl_diag_reason (fault (reader, node, "lesson-knob", "\"%.60s\" is no knob of this lesson", key),
                    "only what a knob element names may be set");
  else if (*value == '\0' || strpbrk (value, "\r\n") != NULL || strpbrk (key, "=\r\n") != NULL)
    fault (reader, node, "lesson-knob", "the value of \"%.60s\" is not one line of text", key);
  else
    g_ptr_array_add (set, g_strdup_printf ("%s=%s", key, value));
}

/* How many questions a case of the scene asks. */
static guint
questions (const TlLesson *lesson, guint index)
{
  switch (lesson->scene)
    {
    case TL_LESSON_ROWS:
      return lesson->units->len;
    case TL_LESSON_OWNERS:
      return 2;
    case TL_LESSON_TIERS:
    default:
      return index == 0 ? 0 : 2;
    }
}

static char *
read_expect (Reader *reader, xmlNode *node, guint wanted)
{
  g_autofree char *text = content (node);
  GString         *letters = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at++)
    {
      gboolean known = FALSE;
      for (guint i = 0; i < scenes[reader->lesson->scene].n_choices; i++)
        known |= scenes[reader->lesson->scene].choices[i].letter == *at;
      if (g_ascii_isspace (*at))
        continue;
      if (!known)
        {
          fault (reader, node, "lesson-expect", "\"%.1s\" is no answer in a lesson about %s",
                 g_ascii_isgraph (*at) ? at : "?", scenes[reader->lesson->scene].name);
          break;
        }
      g_string_append_c (letters, *at);
    }
  if (!reader->failed && letters->len != wanted)
    fault (reader, node, "lesson-expect", "%" G_GSIZE_FORMAT " answers are expected where %u are asked for",
           letters->len, wanted);
  return g_string_free (letters, FALSE);
}

static void
case_free (gpointer data)
{
  TlLessonCase *at = data;

  g_free (at->name);
  g_free (at->text);
  g_free (at->answer);
  g_strfreev (at->set);
  g_free (at->expect);
  g_free (at);
}

static void
read_case (Reader *reader, xmlNode *node)
{
  TlLesson     *lesson = reader->lesson;
  TlLessonCase *at = g_new0 (TlLessonCase, 1);
  GPtrArray    *set = g_ptr_array_new ();
  guint         index = lesson->cases->len;

  if (index == TL_LESSON_MAX_CASES)
    {
      fault (reader, node, "lesson-cases", "a lesson has at most %d cases", TL_LESSON_MAX_CASES);
      g_ptr_array_unref (set);
      g_free (at);
      return;
    }
  g_ptr_array_add (lesson->cases, at);
  at->name = tl_xml_attribute (node, "name");
  at->line = (guint) MAX (xmlGetLineNo (node), 0);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (is_element (child, "set"))
      read_set (reader, child, set);
    else if (is_element (child, "text"))
      at->text = prose (child);
    else if (is_element (child, "answer"))
      at->answer = prose (child);
    else if (is_element (child, "expect"))
      at->expect = read_expect (reader, child, questions (lesson, index));
  g_ptr_array_add (set, NULL);
  at->set = (char **) g_ptr_array_free (set, FALSE);
  if (at->text == NULL)
    at->text = g_strdup ("");
  if (at->answer == NULL)
    at->answer = g_strdup ("");
  if (lesson->scene == TL_LESSON_ROWS
      && (at->set[0] == NULL || at->set[1] != NULL || !g_str_has_prefix (at->set[0], "target=")))
    fault (reader, node, "lesson-knob", "a case of a lesson about rows sets the target and nothing else");
}

static void
read_knobs (Reader *reader, xmlNode *root)
{
  GPtrArray *knobs = g_ptr_array_new ();

  for (xmlNode *child = root->children; child != NULL; child = child->next)
    if (is_element (child, "knob"))
      g_ptr_array_add (knobs, g_strstrip (tl_xml_attribute (child, "key")));
  g_ptr_array_add (knobs, NULL);
  reader->lesson->knobs = (char **) g_ptr_array_free (knobs, FALSE);
}

static void
read_root (Reader *reader, xmlNode *root)
{
  TlLesson        *lesson = reader->lesson;
  g_autofree char *scene = tl_xml_attribute (root, "scene");
  xmlNode         *subject = NULL;

  lesson->name = tl_xml_attribute (root, "name");
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    if (strcmp (scenes[i].name, scene) == 0)
      lesson->scene = i;
  read_knobs (reader, root);
  for (xmlNode *child = root->children; child != NULL; child = child->next)
    if (is_element (child, "title"))
      lesson->title = prose (child);
    else if (is_element (child, "text"))
      lesson->text = prose (child);
    else if (is_element (child, "question"))
      lesson->question = prose (child);
    else if (is_element (child, "units") || is_element (child, "program"))
      subject = child;
  if (is_element (subject, "units") != (lesson->scene == TL_LESSON_ROWS))
    {
      fault (reader, subject, "lesson-scene", "a lesson about %s has %s", scene,
             lesson->scene == TL_LESSON_ROWS ? "units and no program" : "a program and no units");
      return;
    }
  if (lesson->scene == TL_LESSON_ROWS)
    read_units (reader, subject);
  else
    read_program (reader, subject);
  for (xmlNode *child = root->children; child != NULL && !reader->failed; child = child->next)
    if (is_element (child, "case"))
      read_case (reader, child);
}

static xmlRelaxNG *
schema (void)
{
  static gsize parsed = 0;

  return tl_xml_schema (&parsed, tl_lesson_get_resource (), "/tierloom/lessons/lesson.rng");
}

TlLesson *
tl_lesson_parse (const char *file, const char *bytes, gsize length, TlDiags *diags)
{
  xmlDoc *doc = tl_xml_load (&lesson_kind, file, bytes, length, diags);

  if (doc == NULL)
    return NULL;
  if (!tl_xml_check (&lesson_kind, schema (), file, doc, diags))
    {
      xmlFreeDoc (doc);
      return NULL;
    }
  g_autoptr (TlLesson) lesson = g_new0 (TlLesson, 1);
  Reader reader = { .lesson = lesson, .diags = diags };
  lesson->file = g_strdup (file);
  lesson->units = g_array_new (FALSE, FALSE, sizeof (guint64));
  lesson->cases = g_ptr_array_new_with_free_func (case_free);
  read_root (&reader, xmlDocGetRootElement (doc));
  xmlFreeDoc (doc);
  return reader.failed ? NULL : g_steal_pointer (&lesson);
}

const char *const *
tl_lesson_names (void)
{
  static const char *const names[] = { "rows-and-banks", "owners-and-m", "tiers", NULL };

  return names;
}

TlLesson *
tl_lesson_load (const char *name, TlDiags *diags)
{
  g_autoptr (GError) error = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".xml"))
    {
      g_autofree char *bytes = NULL;
      gsize            length = 0;
      GStatBuf         status;
      if (g_stat (name, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > TL_LESSON_MAX_BYTES)
        g_set_error (&error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "it is larger than a lesson may be (%d bytes)",
                     TL_LESSON_MAX_BYTES);
      else if (g_file_test (name, G_FILE_TEST_EXISTS) && !g_file_test (name, G_FILE_TEST_IS_REGULAR))
        g_set_error (&error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "it is no regular file");
      else if (g_file_get_contents (name, &bytes, &length, &error))
        return tl_lesson_parse (name, bytes, length, diags);
      tl_diag_reason (
          tl_diags_add_at (diags, TL_SEVERITY_ERROR, "lesson-file", name, 0, 0, "the lesson cannot be read"), "%s",
          error->message);
      return NULL;
    }
  g_autofree char *path = g_strdup_printf ("/tierloom/lessons/%s.xml", name);
  g_autofree char *file = g_strdup_printf ("(built in)/%s.xml", name);
  if (g_strv_contains (tl_lesson_names (), name))
    {
      g_autoptr (GBytes) bytes
          = g_resource_lookup_data (tl_lesson_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      gsize       length = 0;
      const char *text = g_bytes_get_data (bytes, &length);
      return tl_lesson_parse (file, text, length, diags);
    }
  TlDiag *diag
      = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "lesson-file", name, 0, 0, "there is no lesson of that name");
  g_autofree char *all = g_strjoinv (", ", (char **) tl_lesson_names ());
  tl_diag_reason (diag, "the lessons are %s; a file's name ends in .xml", all);
  return NULL;
}

void
tl_lesson_free (TlLesson *lesson)
{
  if (lesson == NULL)
    return;
  g_free (lesson->name);
  g_free (lesson->file);
  g_free (lesson->title);
  g_free (lesson->text);
  g_free (lesson->question);
  g_strfreev (lesson->knobs);
  g_array_unref (lesson->units);
  g_free (lesson->program);
  g_ptr_array_unref (lesson->cases);
  g_free (lesson);
}
