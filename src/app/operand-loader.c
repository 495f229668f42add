/* A plan takes a tenth of a second and more, so it is made beside the main thread. */
#include "app/operand-loader.h"

#include "place/product.h"

#include <glib/gi18n.h>

gboolean
tl_operand_names (TlWindow *window, const char *names[TL_N_GEMM_OPERANDS])
{
  TlBuild *build = tl_live_build (tl_desk_live (tl_window_desk (window)));
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  TlProduct product;

  if (build == NULL || build->ast == NULL || build->target == NULL || tl_target_kind (build->target) != TL_MACHINE_CU
      || !tl_product_read (build->ast, 2, &product, ignored))
    return FALSE;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    names[i] = product.operand[i];
  return TRUE;
}

static void
fill_menu (GtkDropDown *what, TlLive *live)
{
  GtkStringList *list = GTK_STRING_LIST (gtk_drop_down_get_model (what));
  TlWindow      *window = g_object_get_data (G_OBJECT (what), "program");
  const char    *names[TL_N_GEMM_OPERANDS];

  if (g_list_model_get_n_items (G_LIST_MODEL (list)) > 1 || window == NULL || !tl_operand_names (window, names))
    return;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      g_autofree char *label = g_strdup_printf (_ ("%s of the program"), names[i]);
      gtk_string_list_append (list, label);
    }
  gtk_drop_down_set_selected (what, 1 + TL_GEMM_B);
}

static void
forget_program (GtkDropDown *what, GObject *gone)
{
  g_object_set_data (G_OBJECT (what), "program", NULL);
}

/* A lens may be opened before the program's first build is there. */
void
tl_operand_menu (TlWindow *window, GtkDropDown *what)
{
  TlLive *live = tl_desk_live (tl_window_desk (window));

  g_object_set_data (G_OBJECT (what), "program", window);
  g_signal_connect_object (window, "destroy", G_CALLBACK (forget_program), what, G_CONNECT_SWAPPED);
  g_signal_connect_object (live, "built", G_CALLBACK (fill_menu), what, G_CONNECT_SWAPPED);
  fill_menu (what, live);
}

typedef struct
{
  TlBuild      *build;
  TlGemmOperand operand;
  GCancellable *cancellable;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  tl_build_unref (work->build);
  g_clear_object (&work->cancellable);
  g_free (work);
}

static gboolean
go_on (double fraction, gpointer data)
{
  return !g_cancellable_is_cancelled (data);
}

static void
plan_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlOperandTile *tile = tl_operand_tile_new (work->build, work->operand, go_on, work->cancellable, diags);

  if (tile != NULL)
    g_task_return_pointer (task, tile, (GDestroyNotify) tl_operand_tile_free);
  else if (tl_diags_count (diags) == 0)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else
    {
      const TlDiag *diag = tl_diags_get (diags, 0);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s%s%s", diag->message,
                               diag->reason != NULL ? ": " : "", diag->reason != NULL ? diag->reason : "");
    }
}

void
tl_operand_load (GObject *source, TlWindow *window, TlGemmOperand operand, GCancellable *cancellable,
                 GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, data);
  Work *work = g_new0 (Work, 1);

  work->build = tl_build_ref (tl_live_build (tl_desk_live (tl_window_desk (window))));
  work->operand = operand;
  work->cancellable = g_object_ref (cancellable);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, plan_in_thread);
}

TlOperandTile *
tl_operand_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
