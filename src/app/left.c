/* Puts the parts in their places, and Ctrl+F where it works from anywhere. */
#include "app/left.h"

#include "app/choices-panel.h"
#include "app/editor.h"
#include "app/find-bar.h"
#include "app/ladder.h"
#include "app/problems.h"
#include "app/run-panel.h"

static gboolean
on_find (GtkWidget *widget, GVariant *args, gpointer bar)
{
  tl_find_bar_open (bar);
  return TRUE;
}

static void
add_find (const TlLeftParts *parts)
{
  GtkWidget          *bar = tl_find_bar_new (parts->editor);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_box_insert_child_after (parts->column, bar, gtk_widget_get_first_child (GTK_WIDGET (parts->column)));
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_f, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (on_find, bar, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (parts->column), keys);
}

void
tl_left_attach (const TlLeftParts *parts)
{
  tl_editor_attach (parts->editor, parts->desk);
  add_find (parts);
  tl_problems_attach (parts->problems, parts->problems_frame, parts->editor, parts->desk);
  tl_choices_panel_attach (parts->choices, parts->card, parts->summary, parts->editor, parts->desk);
  tl_run_panel_attach (parts->run, parts->desk);
  tl_ladder_attach (parts->passes, parts->editor, parts->desk);
}

void
tl_left_opened (GtkSourceView *editor, gboolean example)
{
  tl_choices_panel_opened (editor, example);
}
