/* A lesson is played on a worker; the window shows what was revealed of it. */
#include "app/lesson-window.h"

#include "app/window.h"
#include "scene/paint.h"
#include "scene/view-lesson.h"

#include <glib/gi18n.h>

struct _TlLessonWindow
{
  AdwWindow     parent_instance;
  TlLesson     *lesson;
  TlLessonPlay *play;  /* of the case shown, NULL until it is played */
  guint         index; /* of the case */
  guint         revealed;
  char          guess;
  TlScene      *scene; /* as last drawn */
  GCancellable *playing;

  AdwWindowTitle *title;
  GtkButton      *present_button;
  GtkButton      *program_button;
  GtkLabel       *text;
  GtkBox         *cases;
  GtkLabel       *case_text;
  GtkLabel       *setting;
  GtkDrawingArea *canvas;
  GtkLabel       *question;
  GtkLabel       *caption;
  GtkBox         *answers;
  GtkLabel       *history;
  GtkButton      *back_button;
  GtkButton      *reveal_button;
  GtkButton      *next_button;
};

G_DEFINE_FINAL_TYPE (TlLessonWindow, tl_lesson_window, ADW_TYPE_WINDOW)

static gboolean
moment_of (TlLessonWindow *window, TlLessonMoment *moment)
{
  *moment = (TlLessonMoment) {
    .lesson = window->lesson, .play = window->play, .revealed = window->revealed, .guess = window->guess
  };
  return window->play != NULL;
}

/* Everything that depends on what is revealed. */
static void
update (TlLessonWindow *window)
{
  TlLessonMoment moment;
  gboolean       played = moment_of (window, &moment);
  guint          n = played ? window->play->outcomes->len : 0;
  gboolean       asked = window->revealed < n;

  g_clear_pointer (&window->scene, tl_scene_free);
  gtk_widget_queue_draw (GTK_WIDGET (window->canvas));
  gtk_widget_set_sensitive (GTK_WIDGET (window->back_button), window->revealed > 0 || window->guess != 0);
  gtk_widget_set_sensitive (GTK_WIDGET (window->reveal_button), asked);
  gtk_widget_set_sensitive (GTK_WIDGET (window->next_button), window->index + 1 < window->lesson->cases->len);
  if (played && !asked)
    gtk_widget_add_css_class (GTK_WIDGET (window->next_button), "suggested-action");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (window->next_button), "suggested-action");
  gtk_widget_set_sensitive (GTK_WIDGET (window->answers), asked);
  gtk_widget_set_visible (GTK_WIDGET (window->question), asked);
  if (!played)
    return;
  g_autofree char *caption = tl_lesson_caption (&moment);
  g_autofree char *history = tl_lesson_history (&moment);
  gtk_label_set_text (window->caption, caption);
  gtk_label_set_text (window->history, history);
  g_autofree char *description
      = *history != '\0' ? g_strdup_printf (_ ("%s So far: %s"), caption, history) : g_strdup (caption);
  gtk_accessible_update_property (GTK_ACCESSIBLE (window->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, window->lesson->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* --- Playing a case --- */

typedef struct
{
  guint    index;
  TlDiags *diags;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  tl_diags_unref (task->diags);
  g_free (task);
}

static void
play_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Task *work = data;

  g_task_return_pointer (task,
                         tl_lesson_play (TL_LESSON_WINDOW (source)->lesson, work->index, cancellable, work->diags),
                         (GDestroyNotify) tl_lesson_play_free);
}

static void
on_played (GObject *source, GAsyncResult *result, gpointer data)
{
  TlLessonWindow *window = TL_LESSON_WINDOW (source);
  Task           *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TlLessonPlay) play = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_task_get_cancellable (G_TASK (result)) != window->playing)
    return;
  g_clear_object (&window->playing);
  window->play = g_steal_pointer (&play);
  update (window);
  if (window->play == NULL && tl_diags_count (work->diags) > 0)
    {
      const TlDiag    *diag = tl_diags_get (work->diags, 0);
      g_autofree char *text
          = diag->reason != NULL ? g_strdup_printf ("%s: %s", diag->message, diag->reason) : g_strdup (diag->message);
      gtk_label_set_text (window->caption, text);
    }
}

static void
show_case (TlLessonWindow *window, guint index)
{
  const TlLessonCase *at = g_ptr_array_index (window->lesson->cases, index);
  GtkWidget          *button = gtk_widget_get_first_child (GTK_WIDGET (window->cases));
  g_autofree char    *setting = g_strjoinv (", ", at->set);

  if (window->playing != NULL)
    g_cancellable_cancel (window->playing);
  g_clear_object (&window->playing);
  g_clear_pointer (&window->play, tl_lesson_play_free);
  window->index = index;
  window->revealed = 0;
  window->guess = 0;
  gtk_label_set_text (window->case_text, at->text);
  gtk_label_set_text (window->setting, setting);
  gtk_widget_set_visible (GTK_WIDGET (window->setting), *setting != '\0');
  gtk_label_set_text (window->caption, _ ("One moment…"));
  gtk_label_set_text (window->history, "");
  for (guint i = 0; i < index; i++)
    button = gtk_widget_get_next_sibling (button);
  if (!gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  update (window);

  Task *work = g_new0 (Task, 1);
  work->index = index;
  work->diags = tl_diags_new ();
  window->playing = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (window, window->playing, on_played, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, work, task_free);
  g_task_run_in_thread (task, play_in_thread);
}

/* --- What can be done --- */

static void
reveal (TlLessonWindow *window)
{
  if (window->play == NULL || window->revealed >= window->play->outcomes->len)
    return;
  window->revealed++;
  window->guess = 0;
  update (window);
}

static void
guess (TlLessonWindow *window, char letter)
{
  if (window->play == NULL || window->revealed >= window->play->outcomes->len)
    return;
  if (g_array_index (window->play->outcomes, TlLessonOutcome, window->revealed).letter == letter)
    {
      reveal (window);
      return;
    }
  window->guess = letter;
  update (window);
}

/* A wrong guess is taken back first, then what was revealed is covered again. */
static void
back (TlLessonWindow *window)
{
  if (window->guess != 0)
    window->guess = 0;
  else if (window->revealed > 0)
    window->revealed--;
  update (window);
}

static void
turn_case (TlLessonWindow *window, int by)
{
  if (by < 0 ? window->index > 0 : window->index + 1 < window->lesson->cases->len)
    show_case (window, window->index + by);
}

static void
present (TlLessonWindow *window)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (window)))
    gtk_window_unfullscreen (GTK_WINDOW (window));
  else
    gtk_window_fullscreen (GTK_WINDOW (window));
}

static void
on_fullscreen (TlLessonWindow *window)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (window)))
    gtk_widget_add_css_class (GTK_WIDGET (window), "presenting");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (window), "presenting");
}

static void
open_program (TlLessonWindow *window)
{
  g_autofree char *text = tl_lesson_program (window->lesson, window->index);
  GtkApplication  *application = gtk_window_get_application (GTK_WINDOW (window));

  if (text == NULL || !ADW_IS_APPLICATION (application))
    return;
  TlWindow *program = tl_window_new (ADW_APPLICATION (application));
  tl_window_load (program, text, NULL, NULL);
  gtk_window_present (GTK_WINDOW (program));
}

static void
on_answer (GtkButton *button, TlLessonWindow *window)
{
  guint                 n;
  const TlLessonChoice *choices = tl_lesson_choices (window->lesson->scene, &n);

  for (guint i = 0; i < n; i++)
    if (choices[i].letter == GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "letter")))
      guess (window, choices[i].letter);
}

static void
on_case (GtkToggleButton *button, TlLessonWindow *window)
{
  guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "index"));

  if (gtk_toggle_button_get_active (button) && index != window->index)
    show_case (window, index);
}

/* Before the focused button, which would take Space and the arrows for itself. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlLessonWindow *window)
{
  guint                 n;
  const TlLessonChoice *choices = tl_lesson_choices (window->lesson->scene, &n);
  gunichar              letter = g_unichar_toupper (gdk_keyval_to_unicode (key));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (letter == (gunichar) choices[i].letter)
      {
        guess (window, choices[i].letter);
        return TRUE;
      }
  switch (key)
    {
    case GDK_KEY_space:
      if (GTK_IS_BUTTON (gtk_window_get_focus (GTK_WINDOW (window))))
        return FALSE;
      reveal (window);
      return TRUE;
    case GDK_KEY_Right:
      reveal (window);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_BackSpace:
      back (window);
      return TRUE;
    case GDK_KEY_Page_Down:
      turn_case (window, 1);
      return TRUE;
    case GDK_KEY_Page_Up:
      turn_case (window, -1);
      return TRUE;
    case GDK_KEY_F11:
      present (window);
      return TRUE;
    case GDK_KEY_Escape:
      if (gtk_window_is_fullscreen (GTK_WINDOW (window)))
        gtk_window_unfullscreen (GTK_WINDOW (window));
      else
        gtk_window_close (GTK_WINDOW (window));
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- The picture --- */

static void
on_draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  TlLessonWindow *window = data;
  TlLessonMoment  moment;
  TlThemeKind theme = adw_style_manager_get_dark (adw_style_manager_get_default ()) ? TL_THEME_DARK : TL_THEME_LIGHT;

  g_clear_pointer (&window->scene, tl_scene_free);
  if (!moment_of (window, &moment) || width <= 0 || height <= 0)
    return;
  window->scene = tl_scene_new (width, height, theme);
  /* The list is made for 1000 x 420; a wide window leaves room at both sides. */
  float shown = MIN ((float) width, height * 1000.0f / 420);
  tl_view_lesson (window->scene, tl_box ((width - shown) / 2, 0, shown, MIN ((float) height, shown * 0.5f)), &moment);
  tl_paint_cairo (window->scene, cr);
}

static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, TlLessonWindow *window)
{
  const TlGroup *group = window->scene != NULL && !keyboard ? tl_scene_pick (window->scene, x, y) : NULL;

  if (group == NULL || group->title == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, group->title);
  return TRUE;
}

/* --- Set up --- */

static void
fill_cases (TlLessonWindow *window)
{
  GtkToggleButton *first = NULL;

  for (guint i = 0; i < window->lesson->cases->len; i++)
    {
      const TlLessonCase *at = g_ptr_array_index (window->lesson->cases, i);
      GtkWidget          *button = gtk_toggle_button_new_with_label (at->name);
      g_autofree char    *label = g_strdup_printf (_ ("Case %s"), at->name);
      g_object_set_data (G_OBJECT (button), "index", GUINT_TO_POINTER (i));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
      gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), first);
      if (first == NULL)
        first = GTK_TOGGLE_BUTTON (button);
      gtk_box_append (window->cases, button);
      g_signal_connect (button, "toggled", G_CALLBACK (on_case), window);
    }
}

static void
fill_answers (TlLessonWindow *window)
{
  guint                 n;
  const TlLessonChoice *choices = tl_lesson_choices (window->lesson->scene, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("%c  %s", choices[i].letter, choices[i].name);
      g_autofree char *label = g_strdup_printf (_ ("Answer %s: %s"), choices[i].name, choices[i].when);
      GtkWidget       *button = gtk_button_new_with_label (text);
      g_object_set_data (G_OBJECT (button), "letter", GINT_TO_POINTER (choices[i].letter));
      gtk_widget_set_tooltip_text (button, choices[i].when);
      gtk_widget_add_css_class (button, "lesson-answer");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
      gtk_box_append (window->answers, button);
      g_signal_connect (button, "clicked", G_CALLBACK (on_answer), window);
    }
}

static void
tl_lesson_window_dispose (GObject *object)
{
  TlLessonWindow *window = TL_LESSON_WINDOW (object);

  if (window->playing != NULL)
    g_cancellable_cancel (window->playing);
  g_clear_object (&window->playing);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), window);
  g_clear_pointer (&window->scene, tl_scene_free);
  g_clear_pointer (&window->play, tl_lesson_play_free);
  G_OBJECT_CLASS (tl_lesson_window_parent_class)->dispose (object);
}

/* The worker may still read the lesson while the window is disposed of. */
static void
tl_lesson_window_finalize (GObject *object)
{
  tl_lesson_free (TL_LESSON_WINDOW (object)->lesson);
  G_OBJECT_CLASS (tl_lesson_window_parent_class)->finalize (object);
}

static void
tl_lesson_window_class_init (TlLessonWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_lesson_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = tl_lesson_window_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tierloom/Tierloom/lesson.ui");
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, title);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, present_button);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, program_button);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, text);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, cases);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, case_text);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, setting);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, canvas);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, question);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, caption);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, answers);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, history);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, back_button);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, reveal_button);
  gtk_widget_class_bind_template_child (widget_class, TlLessonWindow, next_button);
}

static void
on_next (TlLessonWindow *window)
{
  turn_case (window, 1);
}

static void
tl_lesson_window_init (TlLessonWindow *window)
{
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (window));
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), window);
  gtk_widget_add_controller (GTK_WIDGET (window), key);
  gtk_drawing_area_set_draw_func (window->canvas, on_draw, window, NULL);
  g_signal_connect (window->canvas, "query-tooltip", G_CALLBACK (on_tooltip), window);
  g_signal_connect_swapped (window->back_button, "clicked", G_CALLBACK (back), window);
  g_signal_connect_swapped (window->reveal_button, "clicked", G_CALLBACK (reveal), window);
  g_signal_connect_swapped (window->next_button, "clicked", G_CALLBACK (on_next), window);
  g_signal_connect_swapped (window->present_button, "clicked", G_CALLBACK (present), window);
  g_signal_connect_swapped (window->program_button, "clicked", G_CALLBACK (open_program), window);
  g_signal_connect (window, "notify::fullscreened", G_CALLBACK (on_fullscreen), NULL);
  g_signal_connect_swapped (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw),
                            window->canvas);
}

static void
set_lesson (TlLessonWindow *window, TlLesson *lesson)
{
  window->lesson = lesson;
  adw_window_title_set_title (window->title, lesson->title);
  gtk_window_set_title (GTK_WINDOW (window), lesson->title);
  gtk_label_set_text (window->text, lesson->text);
  gtk_label_set_text (window->question, lesson->question);
  gtk_widget_set_visible (GTK_WIDGET (window->program_button), lesson->program != NULL);
  fill_cases (window);
  fill_answers (window);
  show_case (window, 0);
  gtk_widget_grab_focus (GTK_WIDGET (window->reveal_button));
}

/* Opens a lesson; what is wrong with it is said over @parent (may be NULL). */
static void
open_lesson (GtkApplication *application, GtkWindow *parent, const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlLesson *lesson = tl_lesson_load (name, diags);

  if (lesson == NULL)
    {
      g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
      GtkWidget       *dialog = adw_message_dialog_new (parent, _ ("The lesson cannot be shown"), text);
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("Close"));
      gtk_window_present (GTK_WINDOW (dialog));
      return;
    }
  TlLessonWindow *window = g_object_new (TL_TYPE_LESSON_WINDOW, "application", application, NULL);
  set_lesson (window, lesson);
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkApplication *application = data;

  open_lesson (application, gtk_application_get_active_window (application), g_variant_get_string (parameter, NULL));
}

void
tl_lessons_add (GtkApplication *application)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new ("lesson", G_VARIANT_TYPE_STRING);

  g_signal_connect (action, "activate", G_CALLBACK (on_lesson), application);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
}
