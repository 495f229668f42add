/* One operand is planned at a time: choosing another cancels the one before. */
#include "app/lens-window.h"

#include "app/operand-loader.h"

#include <glib/gi18n.h>

typedef struct
{
  TlWindow     *program; /* weak */
  GCancellable *loading;
  gboolean      leaving; /* the menu is being set, not chosen from */

  GtkDropDown     *what;
  AdwHeaderBar    *header;
  GtkBox          *box;
  GtkWidget       *area;
  AdwToastOverlay *toasts;
} TlLensWindowPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TlLensWindow, tl_lens_window, ADW_TYPE_WINDOW)

static TlLensWindowPrivate *
of (TlLensWindow *window)
{
  return tl_lens_window_get_instance_private (window);
}

static void
stop_loading (TlLensWindowPrivate *lens)
{
  if (lens->loading != NULL)
    g_cancellable_cancel (lens->loading);
  g_clear_object (&lens->loading);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  TlLensWindow        *window = TL_LENS_WINDOW (source);
  TlLensWindowPrivate *lens = of (window);
  g_autoptr (GError) error = NULL;
  g_autoptr (TlOperandTile) tile = tl_operand_load_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != lens->loading)
    return;
  g_clear_object (&lens->loading);
  g_autofree char *why = tile == NULL ? g_strdup (error->message)
                                      : TL_LENS_WINDOW_GET_CLASS (window)->show_tile (window, g_steal_pointer (&tile));
  if (why == NULL)
    return;
  tl_lens_window_say (window, why);
  tl_lens_window_leave_tile (window);
}

static void
on_what (TlLensWindow *window)
{
  TlLensWindowPrivate *lens = of (window);
  TlLensWindowClass *class = TL_LENS_WINDOW_GET_CLASS (window);
  guint       selected = gtk_drop_down_get_selected (lens->what);
  const char *names[TL_N_GEMM_OPERANDS];

  if (lens->leaving)
    return;
  stop_loading (lens);
  if (selected == 0 && class->show_own != NULL)
    class->show_own (window);
  if (selected == 0 || selected > TL_N_GEMM_OPERANDS || lens->program == NULL
      || !tl_operand_names (lens->program, names))
    return;
  lens->loading = g_cancellable_new ();
  tl_operand_load (G_OBJECT (window), lens->program, (TlGemmOperand) (selected - 1), lens->loading, on_loaded, NULL);
}

static void
tl_lens_window_dispose (GObject *object)
{
  TlLensWindowPrivate *lens = of (TL_LENS_WINDOW (object));

  stop_loading (lens);
  g_clear_weak_pointer (&lens->program);
  G_OBJECT_CLASS (tl_lens_window_parent_class)->dispose (object);
}

static void
tl_lens_window_class_init (TlLensWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tl_lens_window_dispose;
}

static void
tl_lens_window_init (TlLensWindow *window)
{
  TlLensWindowPrivate *lens = of (window);

  lens->header = ADW_HEADER_BAR (adw_header_bar_new ());
  lens->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  lens->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  gtk_box_append (lens->box, GTK_WIDGET (lens->header));
  adw_toast_overlay_set_child (lens->toasts, GTK_WIDGET (lens->box));
  adw_window_set_content (ADW_WINDOW (window), GTK_WIDGET (lens->toasts));
}

void
tl_lens_window_fill (TlLensWindow *window, const char *own, const TlLensCalls *calls, const char *label)
{
  TlLensWindowPrivate *lens = of (window);

  g_return_if_fail (lens->what == NULL);
  lens->what = GTK_DROP_DOWN (gtk_drop_down_new_from_strings ((const char *const[]) { own, NULL }));
  gtk_accessible_update_property (GTK_ACCESSIBLE (lens->what), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("What is shown"), -1);
  g_signal_connect_swapped (lens->what, "notify::selected", G_CALLBACK (on_what), window);
  adw_header_bar_pack_start (lens->header, GTK_WIDGET (lens->what));
  lens->area = tl_lens_area_new (calls, window, label);
}

AdwHeaderBar *
tl_lens_window_header (TlLensWindow *window)
{
  return of (window)->header;
}

GtkBox *
tl_lens_window_box (TlLensWindow *window)
{
  return of (window)->box;
}

TlLensArea *
tl_lens_window_area (TlLensWindow *window)
{
  return TL_LENS_AREA (of (window)->area);
}

TlWindow *
tl_lens_window_program (TlLensWindow *window)
{
  return of (window)->program;
}

void
tl_lens_window_say (TlLensWindow *window, const char *text)
{
  adw_toast_overlay_add_toast (of (window)->toasts, adw_toast_new (text));
}

void
tl_lens_window_leave_tile (TlLensWindow *window)
{
  TlLensWindowPrivate *lens = of (window);

  lens->leaving = TRUE;
  gtk_drop_down_set_selected (lens->what, 0);
  lens->leaving = FALSE;
}

void
tl_lens_window_open (GType type, TlWindow *program)
{
  TlLensWindow *window = g_object_new (type, "application", gtk_window_get_application (GTK_WINDOW (program)), NULL);
  TlLensWindowPrivate *lens = of (window);

  g_set_weak_pointer (&lens->program, program);
  tl_operand_menu (program, lens->what);
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_grab_focus (lens->area);
}
