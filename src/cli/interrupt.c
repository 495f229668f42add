/* Ctrl-C as a cancellable: a thread waits for the signals that all others block, so
 * no handler and no global is needed. */
#include "cli/cli.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

/* After a Ctrl-C everything ends by itself within moments, unless it waits for input that does not come. */
#define GRACE_SECONDS 10

static void
fill_set (sigset_t *set)
{
  sigemptyset (set);
  sigaddset (set, SIGINT);
  sigaddset (set, SIGTERM);
  sigaddset (set, SIGHUP);
}

static gpointer
wait_for_signals (gpointer data)
{
  g_autoptr (GCancellable) cancellable = data;
  sigset_t set;
  int      signal_number;

  fill_set (&set);
  if (sigwait (&set, &signal_number) == 0)
    g_cancellable_cancel (cancellable);
  /* Asked twice, or left alone too long: what goes on does not look at the cancellable. */
  const struct timespec grace = { .tv_sec = GRACE_SECONDS };
  sigtimedwait (&set, NULL, &grace);
  _exit (TL_EXIT_INTERRUPTED);
}

void
tl_cli_catch_interrupts (GCancellable *cancellable)
{
  sigset_t set;

  fill_set (&set);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, g_object_ref (cancellable)));
}
