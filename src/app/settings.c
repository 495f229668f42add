/* Finding the schema without GLib's abort when it is missing, and a place to keep
 * settings where the desktop has none. */
#define G_SETTINGS_ENABLE_BACKEND
#include "app/settings.h"

#include "config.h"

#include <gio/gsettingsbackend.h>

#define SCHEMA "io.github.tierloom.Tierloom"

static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  GSettingsSchema       *schema = installed != NULL ? g_settings_schema_source_lookup (installed, SCHEMA, TRUE) : NULL;
  static const char *const places[] = { TL_BUILT_DATA, TL_DATADIR "/glib-2.0/schemas" };

  for (guint i = 0; i < G_N_ELEMENTS (places) && schema == NULL; i++)
    {
      g_autoptr (GSettingsSchemaSource) source
          = g_settings_schema_source_new_from_directory (places[i], installed, TRUE, NULL);
      schema = source != NULL ? g_settings_schema_source_lookup (source, SCHEMA, FALSE) : NULL;
    }
  return schema;
}

/* Debian without the desktop's settings service would forget everything: a key file then. */
static GSettingsBackend *
find_backend (void)
{
  g_autoptr (GSettingsBackend) standard = g_settings_backend_get_default ();

  if (g_getenv ("GSETTINGS_BACKEND") != NULL
      || g_strcmp0 (G_OBJECT_TYPE_NAME (standard), "GMemorySettingsBackend") != 0)
    return g_steal_pointer (&standard);
  g_autofree char *file = g_build_filename (g_get_user_config_dir (), "tierloom", "settings", NULL);
  return g_keyfile_settings_backend_new (file, "/", NULL);
}

GSettings *
tl_settings (void)
{
  GApplication *application = g_application_get_default ();
  GSettings    *settings;

  if (application == NULL)
    return NULL;
  settings = g_object_get_data (G_OBJECT (application), "tierloom-settings");
  if (settings == NULL && g_object_get_data (G_OBJECT (application), "tierloom-no-settings") == NULL)
    {
      g_autoptr (GSettingsSchema) schema = find_schema ();
      if (schema == NULL)
        {
          g_object_set_data (G_OBJECT (application), "tierloom-no-settings", GINT_TO_POINTER (1));
          return NULL;
        }
      g_autoptr (GSettingsBackend) backend = find_backend ();
      settings = g_settings_new_full (schema, backend, NULL);
      g_object_set_data_full (G_OBJECT (application), "tierloom-settings", settings, g_object_unref);
    }
  return settings;
}

gboolean
tl_settings_boolean (const char *key, gboolean otherwise)
{
  return tl_settings () != NULL ? g_settings_get_boolean (tl_settings (), key) : otherwise;
}

char *
tl_settings_string (const char *key)
{
  return tl_settings () != NULL ? g_settings_get_string (tl_settings (), key) : g_strdup ("");
}
