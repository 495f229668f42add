/* Lessons for a class: the next outcome stays covered until it is guessed or
 * revealed. Everything by keyboard: the answers' letters, Space or Right reveals,
 * Left covers again, Page Up and Page Down change the case, F11 presents. */
#pragma once

#include <adwaita.h>

#define TL_TYPE_LESSON_WINDOW (tl_lesson_window_get_type ())
G_DECLARE_FINAL_TYPE (TlLessonWindow, tl_lesson_window, TL, LESSON_WINDOW, AdwWindow)

/* Adds the action app.lesson, whose parameter is a name as tl_lesson_load takes it. */
void        tl_lessons_add  (GtkApplication *application);
