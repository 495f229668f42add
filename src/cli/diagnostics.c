/* Diagnostics as text, JSON and SARIF 2.1.0. */
#include "cli/cli.h"
#include "config.h"

#include <string.h>

/* The line a diagnostic is about, with the part it means underlined. Long lines are
 * left out: they say nothing to the eye. */
static void
print_excerpt (const TlDiag *diag, const TlSource *source)
{
  if (source == NULL || diag->from.line == 0 || diag->from.column == 0
      || strcmp (diag->file, tl_source_name (source)) != 0)
    return;
  g_autofree char *line = tl_source_line (source, diag->from.line);
  if (line == NULL || strlen (line) > 240 || !g_utf8_validate (line, -1, NULL))
    return;
  glong       length = g_utf8_strlen (line, -1);
  glong       start = (glong) diag->from.column - 1;
  glong       end = diag->to.line == diag->from.line ? (glong) diag->to.column - 1 : length;
  GString    *under = g_string_new (NULL);
  const char *at = line;

  /* Tabs stay tabs, so that the mark stands below what it means. */
  for (glong i = 0; i < MIN (start, length); i++, at = g_utf8_next_char (at))
    g_string_append_c (under, *at == '\t' ? '\t' : ' ');
  g_string_append_c (under, '^');
  for (glong i = start + 1; i < MIN (end, length); i++)
    g_string_append_c (under, '~');
  fprintf (stderr, "  | %s\n  | %s\n", line, under->str);
  g_string_free (under, TRUE);
}

void
tl_cli_diags_print (TlDiags *diags, TlSource *source)
{
  tl_diags_sort (diags);
  for (guint i = 0; i < tl_diags_count (diags); i++)
    {
      const TlDiag    *diag = tl_diags_get (diags, i);
      g_autofree char *text = tl_diag_to_text (diag);
      char            *rest = strchr (text, '\n');

      /* The excerpt stands between the message and its reason. */
      fwrite (text, 1, rest + 1 - text, stderr);
      print_excerpt (diag, source);
      fputs (rest + 1, stderr);
    }
}

static void
add_edit (JsonBuilder *builder, const TlEdit *edit, const TlSource *source)
{
  TlPosition from = source != NULL ? tl_source_position (source, edit->span.start) : (TlPosition) { 0, 0 };
  TlPosition to = source != NULL ? tl_source_position (source, edit->span.end) : (TlPosition) { 0, 0 };

  json_builder_begin_object (builder);
  tl_json_int (builder, "line", from.line);
  tl_json_int (builder, "column", from.column);
  tl_json_int (builder, "end_line", to.line);
  tl_json_int (builder, "end_column", to.column);
  tl_json_text (builder, "replacement", edit->replacement);
  json_builder_end_object (builder);
}

void
tl_json_diags (JsonBuilder *builder, TlDiags *diags, TlSource *source)
{
  tl_diags_sort (diags);
  tl_json_begin_array (builder, "diagnostics");
  for (guint i = 0; i < tl_diags_count (diags); i++)
    {
      const TlDiag *diag = tl_diags_get (diags, i);

      json_builder_begin_object (builder);
      tl_json_text (builder, "code", diag->code);
      tl_json_text (builder, "severity", tl_severity_name (diag->severity));
      tl_json_text (builder, "file", diag->file);
      tl_json_int (builder, "line", diag->from.line);
      tl_json_int (builder, "column", diag->from.column);
      tl_json_int (builder, "end_line", diag->to.line);
      tl_json_int (builder, "end_column", diag->to.column);
      tl_json_text (builder, "message", diag->message);
      tl_json_text (builder, "reason", diag->reason);
      json_builder_set_member_name (builder, "fixes");
      json_builder_begin_array (builder);
      for (guint f = 0; f < diag->fixes->len; f++)
        {
          const TlFix *fix = g_ptr_array_index (diag->fixes, f);

          json_builder_begin_object (builder);
          tl_json_text (builder, "title", fix->title);
          json_builder_set_member_name (builder, "edits");
          json_builder_begin_array (builder);
          for (guint e = 0; e < fix->edits->len; e++)
            add_edit (builder, &g_array_index (fix->edits, TlEdit, e), source);
          json_builder_end_array (builder);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
tl_cli_diags_json (TlDiags *diags, TlSource *source)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_diags (builder, diags, source);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* {"text": ...} as SARIF wants messages. */
static void
add_message (JsonBuilder *builder, const char *name, const char *text)
{
  tl_json_begin_object (builder, name);
  tl_json_text (builder, "text", text);
  json_builder_end_object (builder);
}

static void
add_artifact (JsonBuilder *builder, const char *file)
{
  g_autofree char *uri = g_uri_escape_string (file, "/", FALSE);

  tl_json_begin_object (builder, "artifactLocation");
  tl_json_text (builder, "uri", uri);
  json_builder_end_object (builder);
}

static void
add_region (JsonBuilder *builder, const char *name, TlPosition from, TlPosition to)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "startLine", from.line);
  if (from.column > 0)
    tl_json_int (builder, "startColumn", from.column);
  if (to.line >= from.line && to.column > 0)
    {
      tl_json_int (builder, "endLine", to.line);
      tl_json_int (builder, "endColumn", to.column);
    }
  json_builder_end_object (builder);
}

static void
add_sarif_fix (JsonBuilder *builder, const TlDiag *diag, const TlFix *fix, const TlSource *source)
{
  tl_json_begin_object (builder, NULL);
  add_message (builder, "description", fix->title);
  tl_json_begin_array (builder, "artifactChanges");
  tl_json_begin_object (builder, NULL);
  add_artifact (builder, diag->file);
  tl_json_begin_array (builder, "replacements");
  for (guint e = 0; e < fix->edits->len; e++)
    {
      const TlEdit *edit = &g_array_index (fix->edits, TlEdit, e);

      tl_json_begin_object (builder, NULL);
      add_region (builder, "deletedRegion", tl_source_position (source, edit->span.start),
                  tl_source_position (source, edit->span.end));
      add_message (builder, "insertedContent", edit->replacement);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_sarif_result (JsonBuilder *builder, const TlDiag *diag, const TlSource *source)
{
  g_autofree char *text = diag->reason != NULL ? g_strdup_printf ("%s, because %s", diag->message, diag->reason)
                                               : g_strdup (diag->message);

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "ruleId", diag->code);
  /* SARIF's words for severities are ours. */
  tl_json_text (builder, "level", tl_severity_name (diag->severity));
  add_message (builder, "message", text);
  if (diag->file[0] != '\0')
    {
      tl_json_begin_array (builder, "locations");
      tl_json_begin_object (builder, NULL);
      tl_json_begin_object (builder, "physicalLocation");
      add_artifact (builder, diag->file);
      if (diag->from.line > 0)
        add_region (builder, "region", diag->from, diag->to);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
      json_builder_end_array (builder);
    }
  if (source != NULL && diag->fixes->len > 0 && strcmp (diag->file, tl_source_name (source)) == 0)
    {
      tl_json_begin_array (builder, "fixes");
      for (guint f = 0; f < diag->fixes->len; f++)
        add_sarif_fix (builder, diag, g_ptr_array_index (diag->fixes, f), source);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

JsonNode *
tl_cli_diags_sarif (TlDiags *diags, TlSource *source)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  tl_diags_sort (diags);
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "$schema",
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
  tl_json_text (builder, "version", "2.1.0");
  tl_json_begin_array (builder, "runs");
  tl_json_begin_object (builder, NULL);
  tl_json_begin_object (builder, "tool");
  tl_json_begin_object (builder, "driver");
  tl_json_text (builder, "name", "tierc");
  tl_json_text (builder, "version", TL_VERSION);
  tl_json_begin_array (builder, "rules");
  for (guint i = 0; i < tl_diags_count (diags); i++)
    if (g_hash_table_add (seen, tl_diags_get (diags, i)->code))
      {
        tl_json_begin_object (builder, NULL);
        tl_json_text (builder, "id", tl_diags_get (diags, i)->code);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  tl_json_text (builder, "columnKind", "unicodeCodePoints");
  tl_json_begin_array (builder, "results");
  for (guint i = 0; i < tl_diags_count (diags); i++)
    add_sarif_result (builder, tl_diags_get (diags, i), source);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
