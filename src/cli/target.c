/* tierc target: the machines there are, one in full, and whether a file is one. */
#include "target/target.h"
#include "base/number.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *
kind_name (TlMachineKind kind)
{
  return kind == TL_MACHINE_PIM ? "pim" : "cu";
}

static int
list (const TlTargetSearch *search, gboolean json)
{
  g_autoptr (GPtrArray) entries = tl_target_list (search);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!json)
    {
      for (guint i = 0; i < entries->len; i++)
        {
          const TlTargetEntry *entry = g_ptr_array_index (entries, i);
          printf ("%-18s %-4s %s\n", entry->name, kind_name (entry->kind), entry->title);
        }
      return TL_EXIT_FINE;
    }
  tl_json_begin_object (builder, NULL);
  tl_json_begin_array (builder, "targets");
  for (guint i = 0; i < entries->len; i++)
    {
      const TlTargetEntry *entry = g_ptr_array_index (entries, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "name", entry->name);
      tl_json_text (builder, "kind", kind_name (entry->kind));
      tl_json_text (builder, "title", entry->title);
      tl_json_text (builder, "file", entry->file);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return tl_cli_write_json ("-", json_builder_get_root (builder));
}

static JsonNode *
target_json (const TlTarget *target)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *map = NULL;

  if (tl_target_map (target) != NULL)
    map = tl_address_map_to_text (tl_target_map (target));
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "name", tl_target_name (target));
  tl_json_text (builder, "kind", kind_name (tl_target_kind (target)));
  tl_json_text (builder, "title", tl_target_title (target));
  tl_json_text (builder, "file", tl_target_file (target));
  tl_json_hash (builder, "hash", tl_target_hash (target));
  tl_json_int (builder, "capacity", tl_target_memory (target)->capacity);
  tl_json_begin_array (builder, "numbers");
  for (guint i = 0; i < tl_target_n_rows (target); i++)
    {
      const TlTargetRow *row = tl_target_row (target, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "key", row->key);
      tl_json_text (builder, "section", row->section);
      tl_json_text (builder, "value", row->value);
      tl_json_text (builder, "meaning", row->meaning);
      tl_json_text (builder, "mark", tl_mark_text (row->mark));
      tl_json_text (builder, "origin", row->origin);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  tl_json_begin_object (builder, "knobs");
  for (guint i = 0; i < tl_target_n_knobs (target); i++)
    {
      const char *key, *value;

      tl_target_get_knob (target, i, &key, &value);
      tl_json_text (builder, key, value);
    }
  json_builder_end_object (builder);
  tl_json_text (builder, "map", map);
  tl_json_text (builder, "map_reason", map == NULL ? tl_target_map_reason (target) : NULL);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* @is_file: check FILE, which may be "-"; else show NAME. */
static int
load (const char *name, gboolean is_file, const TlTargetSearch *search, char **overrides, gboolean json)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = NULL;

  if (is_file)
    {
      if (strcmp (name, "-") == 0)
        {
          g_autoptr (GBytes) bytes = tl_cli_read (name, TL_TARGET_MAX_BYTES);
          if (bytes == NULL)
            return TL_EXIT_WRONG;
          gsize       length;
          const char *data = g_bytes_get_data (bytes, &length);
          target = tl_target_parse ("<stdin>", data, length, search, (const char *const *) overrides, diags);
        }
      else
        target = tl_target_load_file (name, search, (const char *const *) overrides, diags);
    }
  else
    target = tl_target_load (name, search, (const char *const *) overrides, NULL, tl_span (0, 0), diags);

  if (is_file && json)
    {
      int status = tl_cli_write_json ("-", tl_cli_diags_json (diags, NULL));
      return target != NULL ? status : TL_EXIT_WRONG;
    }
  tl_cli_diags_print (diags, NULL);
  if (target == NULL)
    return TL_EXIT_WRONG;
  if (json)
    return tl_cli_write_json ("-", target_json (target));
  if (is_file)
    {
      g_autofree char *capacity = tl_format_bytes (tl_target_memory (target)->capacity);
      printf ("%s: %s, a %s target of %s: nothing wrong\n", name, tl_target_name (target),
              kind_name (tl_target_kind (target)), capacity);
    }
  else
    {
      g_autofree char *text = tl_target_show (target);
      fputs (text, stdout);
    }
  return TL_EXIT_FINE;
}

static int
target (TlCli *cli, int argc, char **argv)
{
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) folders = NULL;
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets, N_ ("Override a number before it is shown or checked"),
      "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_target, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if ((status = tl_cli_settings_valid (&tl_cli_target, sets)) != TL_GO_ON)
    return status;
  guint       n = g_strv_length (arguments);
  const char *verb = n > 0 ? arguments[0] : "";
  folders = tl_target_folders ();
  TlTargetSearch search = { NULL, (const char *const *) folders };
  if (strcmp (verb, "list") == 0 && n == 1)
    return list (&search, json);
  if (strcmp (verb, "show") == 0 && n == 2)
    return load (arguments[1], FALSE, &search, sets, json);
  if (strcmp (verb, "check") == 0 && n == 2)
    return load (arguments[1], TRUE, &search, sets, json);
  if (strcmp (verb, "keys") == 0 && n == 1)
    {
      g_autofree char *text = tl_target_keys_text ();
      fputs (text, stdout);
      return TL_EXIT_FINE;
    }
  return tl_cli_usage (&tl_cli_target, "say list, show NAME, check FILE or keys");
}

const TlCliCommand tl_cli_target = {
  .name = "target",
  .arguments = "list|show NAME|check FILE|keys",
  .summary = N_ ("Machine descriptions: list, show, check"),
  .details = N_ ("list names those that can be found: in the folders of TIERLOOM_TARGETS, installed, and\n"
                 "built in. keys lists what --set target.KEY=VALUE takes."),
  .run = target,
};
