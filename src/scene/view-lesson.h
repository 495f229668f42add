/* A lesson as a picture: what is asked about, what came before, and nothing of what
 * is still to be guessed. Ids: "lesson-bank-0", "lesson-buffer", "lesson-request",
 * "lesson-history-3", "lesson-question-1". */
#pragma once

#include "engine/lesson.h"
#include "scene/scene.h"

typedef struct
{
  const TlLesson     *lesson;
  const TlLessonPlay *play;
  guint               revealed; /* outcomes shown; the next one is being asked */
  char                guess;    /* a wrong answer to it, 0: none given */
} TlLessonMoment;

/* Wants at least 640 x 320; type grows with the box. */
void  tl_view_lesson    (TlScene              *scene,
                         TlBox                 box,
                         const TlLessonMoment *moment);
/* "M C C C ?"; without the mark when all is revealed. (transfer full) */
char *tl_lesson_history (const TlLessonMoment *moment);
/* The moment in sentences, for caption and screen reader: it never gives away what
 * is covered. (transfer full) */
char *tl_lesson_caption (const TlLessonMoment *moment);
