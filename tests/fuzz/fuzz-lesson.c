/* Lesson files: any bytes give a lesson or diagnostics; a lesson about rows plays. */
#include <stdint.h>
#include <stdlib.h>

#include "engine/lesson.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_parse ("fuzz.xml", (const char *) data, size, diags);

  if ((lesson == NULL) != (tl_diags_errors (diags) > 0))
    abort ();
  /* Programs are fuzzed elsewhere; here one is only edited. */
  for (guint c = 0; lesson != NULL && c < lesson->cases->len; c++)
    if (lesson->scene == TL_LESSON_ROWS)
      {
        guint before = tl_diags_errors (diags);
        g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, c, NULL, diags);
        if ((play == NULL) != (tl_diags_errors (diags) > before))
          abort ();
        if (play != NULL && play->outcomes->len != lesson->units->len)
          abort ();
      }
    else
      g_free (tl_lesson_program (lesson, c));
  return 0;
}
