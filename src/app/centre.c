/* Names and pictures change only when another kind of run comes. */
#include "app/centre.h"

#include <glib/gi18n.h>

typedef enum
{
  KIND_TIERS,    /* tiers, banks, the ring */
  KIND_PIPELINE, /* Search PUs, a queue, Compute PUs */
  KIND_WAVES,    /* one problem */
  KIND_REQUESTS, /* of a product or a trace */
  N_KINDS
} Kind;

static const struct
{
  const char *title, *page;
  const char *first, *first_name; /* NULL: there is only one picture */
  const char *second, *second_name;
  TlViewKind  second_kind;
} kinds[N_KINDS] = {
  [KIND_TIERS]
  = { N_ ("Stack"), N_ ("Tiles"), N_ ("Flat"), N_ ("Flat stack"), N_ ("Iso"), N_ ("Stack in projection"), TL_VIEW_ISO },
  [KIND_PIPELINE] = { N_ ("Pipeline"), N_ ("Tiles"), N_ ("PUs"), N_ ("Search, queue and Compute"), N_ ("Matrix"),
                      N_ ("Matrix and alignment"), TL_VIEW_MATRIX },
  [KIND_WAVES] = { N_ ("Matrix"), N_ ("Tiles"), NULL, NULL, NULL, NULL, TL_VIEW_STACK },
  [KIND_REQUESTS] = { N_ ("Stack"), N_ ("Hot spots"), NULL, NULL, NULL, NULL, TL_VIEW_STACK },
};

typedef struct
{
  TlCentreParts parts;
  Kind          kind;
} Centre;

static Kind
kind_of (TlDesk *desk)
{
  const TlGridRun *grid = tl_live_grid (tl_desk_live (desk));

  if (tl_desk_replay (desk) != NULL)
    return KIND_REQUESTS;
  return grid == NULL || grid->sim == NULL ? KIND_TIERS : grid->sim->program->streams ? KIND_PIPELINE : KIND_WAVES;
}

static void
show_picture (Centre *centre)
{
  gboolean second = kinds[centre->kind].second != NULL && gtk_toggle_button_get_active (centre->parts.second);

  tl_canvas_set_kind (centre->parts.middle, second ? kinds[centre->kind].second_kind : TL_VIEW_STACK);
}

static void
name_button (GtkToggleButton *button, const char *label, const char *name)
{
  gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
show_kind (Centre *centre)
{
  const TlCentreParts *parts = &centre->parts;
  Kind                 kind = centre->kind;

  gtk_label_set_text (parts->title, _ (kinds[kind].title));
  gtk_stack_page_set_title (parts->page, _ (kinds[kind].page));
  gtk_widget_set_visible (parts->both, kinds[kind].first != NULL);
  if (kinds[kind].first != NULL)
    {
      name_button (parts->first, _ (kinds[kind].first), _ (kinds[kind].first_name));
      name_button (parts->second, _ (kinds[kind].second), _ (kinds[kind].second_name));
    }
  tl_canvas_set_label (parts->middle, _ (kinds[kind].title));
  tl_canvas_set_label (parts->right, kind == KIND_TIERS ? _ ("Tile map") : _ (kinds[kind].page));
  show_picture (centre);
}

static void
on_desk (TlDesk *desk, guint what, Centre *centre)
{
  Kind kind = kind_of (desk);

  if ((what & TL_DESK_RUN) == 0 || kind == centre->kind)
    return;
  centre->kind = kind;
  show_kind (centre);
}

static void
centre_free (gpointer data)
{
  Centre *centre = data;

  g_signal_handlers_disconnect_by_data (centre->parts.desk, centre);
  g_object_unref (centre->parts.desk);
  g_free (centre);
}

void
tl_centre_attach (const TlCentreParts *parts)
{
  Centre *centre = g_new0 (Centre, 1);

  centre->parts = *parts;
  g_object_ref (parts->desk);
  centre->kind = kind_of (parts->desk);
  show_kind (centre);
  g_signal_connect (parts->desk, "changed", G_CALLBACK (on_desk), centre);
  g_signal_connect_swapped (parts->second, "toggled", G_CALLBACK (show_picture), centre);
  g_object_set_data_full (G_OBJECT (parts->both), "tl-centre", centre, centre_free);
}
