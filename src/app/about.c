/* The about window, with what the drawing and the machine rest on. */
#include "app/about.h"

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

void
tl_about_show (GtkWindow *parent)
{
  GtkWidget *about = g_object_new (
      ADW_TYPE_ABOUT_WINDOW, "transient-for", parent, "modal", TRUE, "application-name", "Tierloom", "application-icon",
      "io.github.tierloom.Tierloom", "version", TL_VERSION, "developer-name", _ ("The Tierloom authors"),
      "license-type", GTK_LICENSE_MIT_X11, "comments",
      _ ("A laboratory for DRAM stacked in tiers: write a recurrence, see it compiled, placed and run to the "
         "picosecond, and take the picture with you."),
      /* Translators: your names, one a line. */
      "translator-credits", _ ("translator-credits"), NULL);
  char debug[256];

  g_snprintf (debug, sizeof debug, "Tierloom %s\nGTK %u.%u.%u\nlibadwaita %u.%u.%u\nGLib %u.%u.%u\n", TL_VERSION,
              gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (), adw_get_major_version (),
              adw_get_minor_version (), adw_get_micro_version (), glib_major_version, glib_minor_version,
              glib_micro_version);
  adw_about_window_set_debug_info (ADW_ABOUT_WINDOW (about), debug);
  gtk_window_present (GTK_WINDOW (about));
}
