/* Preferences, each row bound to its key. */
#include "app/preferences.h"

#include "app/settings.h"

#include <adwaita.h>
#include <glib/gi18n.h>

static const char *const schemes[] = { "default", "light", "dark" };

static GtkWidget *
row_new (const char *title, const char *subtitle, GtkWidget *suffix)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (suffix, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), suffix);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), suffix);
  gtk_accessible_update_property (GTK_ACCESSIBLE (suffix), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return row;
}

static GtkWidget *
switch_row (const char *title, const char *subtitle, const char *key)
{
  GtkWidget *control = gtk_switch_new ();

  g_settings_bind (tl_settings (), key, control, "active", G_SETTINGS_BIND_DEFAULT);
  return row_new (title, subtitle, control);
}

static void
on_scheme (AdwComboRow *row, GParamSpec *pspec, gpointer data)
{
  guint chosen = adw_combo_row_get_selected (row);

  if (chosen < G_N_ELEMENTS (schemes))
    g_settings_set_string (tl_settings (), "color-scheme", schemes[chosen]);
}

static GtkWidget *
scheme_row (void)
{
  const char *const names[] = { _ ("As the desktop"), _ ("Light"), _ ("Dark"), NULL };
  GtkWidget        *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) model = gtk_string_list_new (names);
  g_autofree char *now = tl_settings_string ("color-scheme");

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Theme"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (model));
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_equal (now, schemes[i]))
      adw_combo_row_set_selected (ADW_COMBO_ROW (row), i);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Theme"), -1);
  g_signal_connect (row, "notify::selected", G_CALLBACK (on_scheme), NULL);
  return row;
}

static GtkWidget *
dwell_row (void)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (10, 5000, 10);

  g_settings_bind (tl_settings (), "dwell", spin, "value", G_SETTINGS_BIND_DEFAULT);
  return row_new (_ ("Time a Step Is Shown"), _ ("Milliseconds, while playing"), spin);
}

static void
on_font (GtkFontButton *button, GParamSpec *pspec, gpointer data)
{
  g_autofree char *font = gtk_font_chooser_get_font (GTK_FONT_CHOOSER (button));

  g_settings_set_string (tl_settings (), "editor-font", font != NULL ? font : "");
}

static void
on_font_reset (GtkButton *button, gpointer data)
{
  g_settings_reset (tl_settings (), "editor-font");
}

static gboolean
only_monospace (const PangoFontFamily *family, const PangoFontFace *face, gpointer data)
{
  return pango_font_family_is_monospace ((PangoFontFamily *) family);
}

static GtkWidget *
font_row (void)
{
  g_autofree char *now = tl_settings_string ("editor-font");
  GtkWidget       *button = gtk_font_button_new_with_font (*now != '\0' ? now : "Monospace 11");
  GtkWidget       *reset = gtk_button_new_from_icon_name ("edit-clear-symbolic");
  GtkWidget       *row;

  gtk_font_chooser_set_filter_func (GTK_FONT_CHOOSER (button), only_monospace, NULL, NULL);
  g_signal_connect (button, "notify::font-desc", G_CALLBACK (on_font), NULL);
  g_signal_connect (reset, "clicked", G_CALLBACK (on_font_reset), NULL);
  gtk_widget_set_valign (reset, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (reset, "flat");
  gtk_widget_set_tooltip_text (reset, _ ("Use the standard font"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (reset), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Use the standard font"),
                                  -1);
  row = row_new (_ ("Editor Font"), "", button);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), reset);
  return row;
}

static GtkWidget *
group_new (const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  return group;
}

static void
add (GtkWidget *group, GtkWidget *row)
{
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

void
tl_preferences_show (GtkWindow *parent)
{
  GtkWidget *window = g_object_new (ADW_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "modal", TRUE,
                                    "search-enabled", FALSE, "default-width", 560, "default-height", 520, NULL);
  GtkWidget *page = adw_preferences_page_new ();

  if (tl_settings () == NULL)
    {
      GtkWidget *group = group_new (_ ("Preferences Are Not Available"));
      adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group),
                                             _ ("The list of preferences (a GSettings schema) is not installed. "
                                                "Tierloom works with the standard ones."));
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
    }
  else
    {
      GtkWidget *looks = group_new (_ ("Appearance"));
      GtkWidget *motion = group_new (_ ("Motion"));
      GtkWidget *documents = group_new (_ ("Programs"));
      add (looks, scheme_row ());
      add (looks, font_row ());
      add (motion, switch_row (_ ("Animations"), _ ("Off: every change is shown at once"), "animations"));
      add (motion, dwell_row ());
      add (documents,
           switch_row (_ ("Keep Unsaved Changes"), _ ("A copy is kept for the case of a crash"), "autosave"));
      add (documents, switch_row (_ ("Go On Where You Stopped"), _ ("Open the last program at its last moment"),
                                  "restore-session"));
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (looks));
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (motion));
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (documents));
    }
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  gtk_window_present (GTK_WINDOW (window));
}
