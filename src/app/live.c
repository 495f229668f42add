/* One worker builds and runs, one computes values once there is a picture and the
 * keyboard rests. A text that arrives while a
 * worker is busy cancels it and waits for it to notice; only the newest waits. */
#include "app/live.h"

#include <string.h>

/* Of a product: enough to see how its operands meet the row buffers, quick enough to be live. */
#define SHOWN_CTAS 16

/* Milliseconds after a run: first the picture. */
#define VALUES_DELAY 600

struct _TlLive
{
  GObject       parent_instance;
  char         *name, *path, *folder, *text;
  guint         generation; /* of the newest text */
  guint         built;      /* generation of build */
  TlBuild      *build;
  TlRun        *run;
  TlGridRun    *grid;        /* instead of run */
  TlProductRun *product;     /* instead of both */
  TlReplayRun  *replay;      /* of product */
  TlDiags      *said;        /* by the run of build, shown or not */
  TlDiags      *values;      /* what is wrong with those of run */
  GCancellable *cancellable; /* of the work under way, NULL when there is none */
  GCancellable *values_cancellable;
  gboolean      stale;
  guint         start;        /* idle that starts work, 0: none */
  guint         values_start; /* timeout that starts values, 0: none */
};

G_DEFINE_FINAL_TYPE (TlLive, tl_live, G_TYPE_OBJECT)

enum
{
  BUILT,
  RAN,
  VALUED,
  STALE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  guint         generation;
  char         *name, *path, *folder, *text;
  TlBuild      *previous; /* reused where nothing changed; may be NULL */
  TlBuild      *build;
  TlRun        *run;
  TlGridRun    *grid;
  TlProductRun *product;
  TlReplayRun  *replay;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->name);
  g_free (work->path);
  g_free (work->folder);
  g_free (work->text);
  g_clear_pointer (&work->previous, tl_build_unref);
  g_clear_pointer (&work->build, tl_build_unref);
  g_clear_pointer (&work->run, tl_run_unref);
  tl_grid_run_free (work->grid);
  tl_product_run_free (work->product);
  g_clear_pointer (&work->replay, tl_replay_run_unref);
  g_free (work);
}

static void start_work (TlLive *live);

static void
work_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work            *work = data;
  g_autofree char *folder = work->path != NULL ? g_path_get_dirname (work->path) : g_strdup (work->folder);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, work->folder);
  TlBuildOptions options = { .path = work->path, .dumps = TRUE };

  work->build = tl_build (work->name, work->text, strlen (work->text), inputs, &options, work->previous, cancellable);
  if (work->build->complete && work->build->program != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      TlRunOptions run = { .skip_values = TRUE };
      work->run = tl_run (work->build, &run, cancellable);
    }
  if (work->build->complete && work->build->pipe != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      TlGridRunOptions run = { .time = TRUE, .skip_values = TRUE, .cancellable = cancellable };
      work->grid = tl_grid_run (work->build, &run);
    }
  if (work->build->complete && work->build->product != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      TlProductRunOptions run
          = { .ctas = SHOWN_CTAS, .record = 1u << TL_PRODUCT_PLACED, .skip_values = TRUE, .cancellable = cancellable };
      work->product = tl_product_run (work->build, &run);
      if (work->product->complete)
        work->replay = tl_product_replay (work->product, NULL);
    }
  g_task_return_boolean (task, TRUE);
}

static void
set_stale (TlLive *live, gboolean stale)
{
  if (live->stale == stale)
    return;
  live->stale = stale;
  g_signal_emit (live, signals[STALE], 0);
}

static void
values_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, tl_run_check_values (data, cancellable), (GDestroyNotify) tl_diags_unref);
}

static void
values_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TlLive *live = TL_LIVE (source);
  g_autoptr (TlDiags) diags = g_task_propagate_pointer (G_TASK (result), NULL);

  if (diags == NULL || live->run == NULL || g_task_get_task_data (G_TASK (result)) != live->run->build)
    return;
  g_clear_pointer (&live->values, tl_diags_unref);
  live->values = g_steal_pointer (&diags);
  g_signal_emit (live, signals[VALUED], 0);
}

static void
keep_said (TlLive *live, TlDiags *diags)
{
  g_clear_pointer (&live->said, tl_diags_unref);
  live->said = diags != NULL ? tl_diags_ref (diags) : NULL;
}

static void
grid_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TlGridRunOptions run = { .time = TRUE, .trace = TRUE, .cancellable = cancellable };

  g_task_return_pointer (task, tl_grid_run (data, &run), (GDestroyNotify) tl_grid_run_free);
}

/* The same time again, and now the values with it. */
static void
grid_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TlLive    *live = TL_LIVE (source);
  TlGridRun *grid = g_task_propagate_pointer (G_TASK (result), NULL);

  if (grid == NULL || live->grid == NULL || live->build != g_task_get_task_data (G_TASK (result)) || grid->cancelled)
    {
      tl_grid_run_free (grid);
      return;
    }
  keep_said (live, grid->diags);
  if (grid->sim == NULL)
    {
      tl_grid_run_free (grid);
      g_signal_emit (live, signals[VALUED], 0);
      return;
    }
  TlGridRun *before = live->grid;
  live->grid = grid;
  g_signal_emit (live, signals[RAN], 0);
  tl_grid_run_free (before);
}

static void
stop_values (TlLive *live)
{
  g_clear_handle_id (&live->values_start, g_source_remove);
  g_cancellable_cancel (live->values_cancellable);
  g_clear_object (&live->values_cancellable);
}

static gboolean
start_values (gpointer data)
{
  TlLive *live = data;

  live->values_start = 0;
  live->values_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task
      = g_task_new (live, live->values_cancellable, live->grid != NULL ? grid_done : values_done, NULL);
  g_task_set_task_data (task, tl_build_ref (live->grid != NULL ? live->build : live->run->build),
                        (GDestroyNotify) tl_build_unref);
  g_task_run_in_thread (task, live->grid != NULL ? grid_thread : values_thread);
  return G_SOURCE_REMOVE;
}

/* Makes place for the newest run, of whatever kind. What is shown now is freed only when
 * everybody has heard of the new one. */
static void
show (TlLive *live, Work *work)
{
  TlRun        *run = live->run;
  TlGridRun    *grid = live->grid;
  TlProductRun *product = live->product;
  TlReplayRun  *replay = live->replay;

  g_clear_pointer (&live->values, tl_diags_unref);
  live->run = g_steal_pointer (&work->run);
  live->grid = g_steal_pointer (&work->grid);
  live->product = g_steal_pointer (&work->product);
  live->replay = g_steal_pointer (&work->replay);
  /* The desk lets go of the old run before anybody asks it for a moment. */
  live->stale = FALSE;
  g_signal_emit (live, signals[RAN], 0);
  g_signal_emit (live, signals[STALE], 0);
  g_clear_pointer (&run, tl_run_unref);
  tl_grid_run_free (grid);
  tl_product_run_free (product);
  g_clear_pointer (&replay, tl_replay_run_unref);
  /* Of a product they would tell nothing that can be seen. */
  if (live->product == NULL)
    live->values_start = g_timeout_add_full (G_PRIORITY_LOW, VALUES_DELAY, start_values, live, NULL);
}

static void
work_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TlLive *live = TL_LIVE (source);
  Work   *work = g_task_get_task_data (G_TASK (result));

  g_clear_object (&live->cancellable);
  if (work->generation != live->generation)
    {
      start_work (live);
      return;
    }
  g_clear_pointer (&live->build, tl_build_unref);
  live->build = g_steal_pointer (&work->build);
  live->built = work->generation;
  keep_said (live, work->run != NULL       ? work->run->diags
                   : work->grid != NULL    ? work->grid->diags
                   : work->product != NULL ? work->product->diags
                                           : NULL);
  g_signal_emit (live, signals[BUILT], 0);
  if ((work->run != NULL && work->run->complete)
      || (work->grid != NULL && work->grid->complete && work->grid->sim != NULL) || work->replay != NULL)
    show (live, work);
}

static void
start_work (TlLive *live)
{
  Work *work = g_new0 (Work, 1);

  work->generation = live->generation;
  work->name = g_strdup (live->name);
  work->path = g_strdup (live->path);
  work->folder = g_strdup (live->folder);
  work->text = g_strdup (live->text);
  work->previous = live->build != NULL ? tl_build_ref (live->build) : NULL;
  live->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (live, live->cancellable, work_done, NULL);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
}

/* Work starts when the main loop comes round: an edit of several steps is one text. */
static gboolean
on_start (gpointer data)
{
  TlLive *live = data;

  live->start = 0;
  if (live->cancellable == NULL)
    start_work (live);
  return G_SOURCE_REMOVE;
}

void
tl_live_set_text (TlLive *live, const char *name, const char *path, const char *folder, const char *text)
{
  g_return_if_fail (TL_IS_LIVE (live));
  g_return_if_fail (text != NULL);

  if (live->text != NULL && g_str_equal (live->text, text) && g_strcmp0 (live->path, path) == 0
      && g_strcmp0 (live->name, name) == 0 && g_strcmp0 (live->folder, folder) == 0)
    return;
  g_free (live->name);
  g_free (live->path);
  g_free (live->folder);
  g_free (live->text);
  live->name = g_strdup (name);
  live->path = g_strdup (path);
  live->folder = g_strdup (folder);
  live->text = g_strdup (text);
  live->generation++;
  set_stale (live, TRUE);
  stop_values (live);
  if (live->cancellable != NULL)
    g_cancellable_cancel (live->cancellable);
  else if (live->start == 0)
    live->start = g_idle_add_full (G_PRIORITY_HIGH, on_start, live, NULL);
}

TlBuild *
tl_live_build (TlLive *live)
{
  return live->build;
}

TlRun *
tl_live_run (TlLive *live)
{
  return live->run;
}

const TlProductRun *
tl_live_product (TlLive *live)
{
  return live->product;
}

TlReplayRun *
tl_live_replay (TlLive *live)
{
  return live->replay;
}

TlDiags *
tl_live_run_diags (TlLive *live)
{
  return live->said;
}

const TlGridRun *
tl_live_grid (TlLive *live)
{
  return live->grid;
}

TlDiags *
tl_live_value_diags (TlLive *live)
{
  return live->values;
}

gboolean
tl_live_is_stale (TlLive *live)
{
  return live->stale;
}

gboolean
tl_live_is_busy (TlLive *live)
{
  return live->cancellable != NULL || live->start != 0;
}

static void
tl_live_dispose (GObject *object)
{
  TlLive *live = TL_LIVE (object);

  g_clear_handle_id (&live->start, g_source_remove);
  g_cancellable_cancel (live->cancellable);
  stop_values (live);
  G_OBJECT_CLASS (tl_live_parent_class)->dispose (object);
}

static void
tl_live_finalize (GObject *object)
{
  TlLive *live = TL_LIVE (object);

  g_clear_object (&live->cancellable);
  g_clear_pointer (&live->values, tl_diags_unref);
  g_clear_pointer (&live->said, tl_diags_unref);
  g_clear_pointer (&live->run, tl_run_unref);
  g_clear_pointer (&live->grid, tl_grid_run_free);
  g_clear_pointer (&live->product, tl_product_run_free);
  g_clear_pointer (&live->replay, tl_replay_run_unref);
  g_clear_pointer (&live->build, tl_build_unref);
  g_free (live->name);
  g_free (live->path);
  g_free (live->folder);
  g_free (live->text);
  G_OBJECT_CLASS (tl_live_parent_class)->finalize (object);
}

static void
tl_live_class_init (TlLiveClass *klass)
{
  static const char *const names[N_SIGNALS] = { "built", "ran", "valued", "stale" };
  GObjectClass            *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tl_live_dispose;
  object_class->finalize = tl_live_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], TL_TYPE_LIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tl_live_init (TlLive *live)
{
}

TlLive *
tl_live_new (void)
{
  return g_object_new (TL_TYPE_LIVE, NULL);
}
