/* A team of threads: jobs are handed out under a lock, pieces by an atomic counter. */
#include "sim/closure-team.h"

typedef struct
{
  TlTeam  *team;
  guint    number;
  GThread *thread;
} Worker;

struct _TlTeam
{
  GMutex     lock;
  GCond      begin;
  GCond      done;
  guint      size;
  Worker    *workers; /* size - 1, numbers from 1 */
  guint64    job;     /* rises with every job */
  guint      busy;    /* workers that have not finished the job */
  gboolean   stop;
  TlTeamWork work;
  gpointer   data;
  guint64    n;
  guint64    next; /* atomic */
};

static void
do_pieces (TlTeam *team, guint number)
{
  for (;;)
    {
      guint64 item = __atomic_fetch_add (&team->next, 1, __ATOMIC_RELAXED);
      if (item >= team->n)
        return;
      team->work (team->data, item, number);
    }
}

static gpointer
worker_main (gpointer data)
{
  Worker *worker = data;
  TlTeam *team = worker->team;
  guint64 seen = 0;

  g_mutex_lock (&team->lock);
  for (;;)
    {
      while (team->job == seen && !team->stop)
        g_cond_wait (&team->begin, &team->lock);
      if (team->stop)
        break;
      seen = team->job;
      g_mutex_unlock (&team->lock);
      do_pieces (team, worker->number);
      g_mutex_lock (&team->lock);
      if (--team->busy == 0)
        g_cond_signal (&team->done);
    }
  g_mutex_unlock (&team->lock);
  return NULL;
}

TlTeam *
tl_team_new (guint size)
{
  TlTeam *team = g_new0 (TlTeam, 1);

  team->size = size > 0 ? MIN (size, 256) : MAX (g_get_num_processors (), 1);
  g_mutex_init (&team->lock);
  g_cond_init (&team->begin);
  g_cond_init (&team->done);
  team->workers = g_new0 (Worker, team->size);
  guint started = 1;
  for (; started < team->size; started++)
    {
      Worker *worker = &team->workers[started - 1];
      *worker = (Worker) { team, started, NULL };
      worker->thread = g_thread_try_new ("tierloom-values", worker_main, worker, NULL);
      if (worker->thread == NULL)
        break;
    }
  team->size = started;
  return team;
}

guint
tl_team_size (TlTeam *team)
{
  return team->size;
}

void
tl_team_run (TlTeam *team, guint64 n, TlTeamWork work, gpointer data)
{
  if (team->size == 1 || n <= 1)
    {
      for (guint64 item = 0; item < n; item++)
        work (data, item, 0);
      return;
    }
  g_mutex_lock (&team->lock);
  team->work = work;
  team->data = data;
  team->n = n;
  team->next = 0;
  team->busy = team->size - 1;
  team->job++;
  g_cond_broadcast (&team->begin);
  g_mutex_unlock (&team->lock);
  do_pieces (team, 0);
  g_mutex_lock (&team->lock);
  while (team->busy > 0)
    g_cond_wait (&team->done, &team->lock);
  g_mutex_unlock (&team->lock);
}

void
tl_team_free (TlTeam *team)
{
  g_mutex_lock (&team->lock);
  team->stop = TRUE;
  g_cond_broadcast (&team->begin);
  g_mutex_unlock (&team->lock);
  for (guint i = 0; i + 1 < team->size; i++)
    g_thread_join (team->workers[i].thread);
  g_mutex_clear (&team->lock);
  g_cond_clear (&team->begin);
  g_cond_clear (&team->done);
  g_free (team->workers);
  g_free (team);
}
