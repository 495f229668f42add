/* Sensitivities are runs of their own: they wait until the text has been left alone for
 * a while, work on a thread and are dropped when the text changes. */
#include "app/run-panel.h"

#include "app/facts.h"
#include "base/number.h"

#include <glib/gi18n.h>

#define QUIET_MS 1200

typedef struct
{
  GtkBox       *box;
  TlDesk       *desk;
  GtkBox       *sense;
  guint         wait;        /* timeout, 0: none */
  GCancellable *cancellable; /* of the sensitivities under way */
} RunPanel;

static void
clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static GtkWidget *
text (const char *words, const char *css, gboolean wrap)
{
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (wrap)
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  else
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css);
  return label;
}

static void
add_heading (GtkBox *box, const char *words)
{
  gtk_box_append (box, text (words, "run-heading", FALSE));
}

static void
add_facts (GtkBox *box, const GPtrArray *facts)
{
  for (guint f = 0; f < facts->len; f++)
    {
      const TlFact *fact = facts->pdata[f];
      GtkWidget    *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *bar = gtk_level_bar_new ();
      GtkWidget    *label = text (fact->label, "fact-label", FALSE), *value = text (fact->value, "fact-value", FALSE);

      gtk_widget_set_size_request (label, 118, -1);
      gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), fact->share);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_LOW);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_HIGH);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_FULL);
      gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
      gtk_widget_set_hexpand (bar, TRUE);
      g_autofree char *spoken = g_strdup_printf ("%s: %s %s", fact->label, fact->value, fact->note);
      gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
      gtk_label_set_xalign (GTK_LABEL (value), 1);
      gtk_widget_set_size_request (value, 84, -1);
      gtk_box_append (GTK_BOX (line), label);
      gtk_box_append (GTK_BOX (line), bar);
      gtk_box_append (GTK_BOX (line), value);
      gtk_widget_add_css_class (line, "fact");
      gtk_box_append (box, line);
      if (fact->note[0] != '\0')
        {
          GtkWidget *note = text (fact->note, "fact-note", TRUE);
          gtk_box_append (box, note);
        }
    }
}

/* --- sensitivities --- */

static void
sense_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TlRun *run = data;

  g_task_return_pointer (task, tl_sensitivities (run->build->program, run->sim->makespan, cancellable),
                         (GDestroyNotify) g_array_unref);
}

static void
sense_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GArray) found = g_task_propagate_pointer (G_TASK (result), NULL);
  TlRun    *run = g_task_get_task_data (G_TASK (result));
  RunPanel *panel = g_object_get_data (source, "tl-run");

  if (found == NULL || panel == NULL || tl_live_run (tl_desk_live (panel->desk)) != run)
    return;
  g_autoptr (GPtrArray) facts = tl_sense_facts (found, run->sim->makespan);
  clear (panel->sense);
  if (facts->len == 0)
    return;
  /* xgettext:no-c-format, a share in words */
  add_heading (panel->sense, _ ("If an assumption were 20 % less / more"));
  add_facts (panel->sense, facts);
}

static gboolean
start_sense (gpointer data)
{
  RunPanel *panel = data;
  TlRun    *run = tl_live_run (tl_desk_live (panel->desk));

  panel->wait = 0;
  if (run == NULL || run->sim == NULL || tl_live_is_busy (tl_desk_live (panel->desk))
      || !gtk_widget_get_mapped (GTK_WIDGET (panel->box)))
    return G_SOURCE_REMOVE;
  panel->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (panel->box, panel->cancellable, sense_done, NULL);
  g_task_set_task_data (task, tl_run_ref (run), (GDestroyNotify) tl_run_unref);
  g_task_run_in_thread (task, sense_thread);
  return G_SOURCE_REMOVE;
}

static void
stop_sense (RunPanel *panel)
{
  g_clear_handle_id (&panel->wait, g_source_remove);
  g_cancellable_cancel (panel->cancellable);
  g_clear_object (&panel->cancellable);
}

static void
on_stale (TlLive *live, RunPanel *panel)
{
  if (tl_live_is_stale (live))
    stop_sense (panel);
}

static void
show_product (RunPanel *panel, const TlProductRun *run)
{
  g_autoptr (GPtrArray) facts = tl_product_facts (run);
  g_autofree char *title = g_strdup_printf (_ ("%.2f× as quick as row by row"),
                                            tl_product_speed_up (run, TL_PRODUCT_CONVENTIONAL, TL_PRODUCT_PLACED));
  g_autofree char *some = tl_format_count (run->ctas), *all = tl_format_count (run->all_ctas);
  g_autofree char *part = g_strdup_printf (
      _ ("The first %s of %s blocks; the paper's geometric mean over its 108 cases is 1.77×."), some, all);

  clear (panel->box);
  panel->sense = NULL;
  gtk_box_append (panel->box,
                  text (run->fallback ? _ ("No plan is quicker than row by row") : title, "run-title", TRUE));
  gtk_box_append (panel->box, text (part, "run-limit", TRUE));
  add_heading (panel->box, _ ("Time of the kernel"));
  add_facts (panel->box, facts);
}

static void
update (RunPanel *panel)
{
  TlRun *run = tl_live_run (tl_desk_live (panel->desk));

  stop_sense (panel);
  if (tl_live_product (tl_desk_live (panel->desk)) != NULL)
    {
      show_product (panel, tl_live_product (tl_desk_live (panel->desk)));
      return;
    }
  if (tl_live_grid (tl_desk_live (panel->desk)) != NULL)
    {
      const TlPipeRun *waves = tl_live_grid (tl_desk_live (panel->desk))->sim;
      g_autofree char *time = tl_format_ps (waves->makespan);
      g_autofree char *line = g_strdup_printf (_ ("%s, %.2f× faster than one PU"), time,
                                               (double) waves->alone / (double) MAX (waves->makespan, 1));

      clear (panel->box);
      panel->sense = NULL;
      gtk_box_append (panel->box, text (line, "run-title", TRUE));
      return;
    }
  if (run == NULL || !run->complete)
    return;
  g_autoptr (GPtrArray) flows = tl_flow_facts (run), times = tl_time_facts (run);
  g_autofree char *limit = tl_limit_text (run), *makespan = tl_format_ps (run->makespan_ps);
  double           over = (double) run->makespan_ps / MAX (run->bound_ps, 1);
  g_autofree char *title = g_strdup_printf (_ ("%s, %.2f× the bound"), makespan, over);

  clear (panel->box);
  gtk_box_append (panel->box, text (title, "run-title", TRUE));
  gtk_box_append (panel->box, text (limit, "run-limit", TRUE));
  add_heading (panel->box, _ ("All PUs' time"));
  add_facts (panel->box, times);
  add_heading (panel->box, _ ("Flows"));
  add_facts (panel->box, flows);
  panel->sense = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (panel->box, GTK_WIDGET (panel->sense));
  panel->wait = g_timeout_add (QUIET_MS, start_sense, panel);
}

static void
run_panel_free (gpointer data)
{
  RunPanel *panel = data;

  g_signal_handlers_disconnect_by_data (tl_desk_live (panel->desk), panel);
  stop_sense (panel);
  g_object_unref (panel->desk);
  g_free (panel);
}

void
tl_run_panel_attach (GtkBox *box, TlDesk *desk)
{
  RunPanel *panel = g_new0 (RunPanel, 1);

  panel->box = box;
  panel->desk = g_object_ref (desk);
  g_signal_connect_swapped (tl_desk_live (desk), "ran", G_CALLBACK (update), panel);
  g_signal_connect (tl_desk_live (desk), "stale", G_CALLBACK (on_stale), panel);
  g_signal_connect_swapped (box, "map", G_CALLBACK (update), panel);
  g_object_set_data_full (G_OBJECT (box), "tl-run", panel, run_panel_free);
}
