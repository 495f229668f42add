/* Lessons: small files that ask what will happen and can be answered by running the
 * machine. A lesson never holds the answer that is shown: outcomes are worked out
 * from the target, the mapping or a run; the expectation in the file is what tests
 * compare them with. ux.md 4.12. */
#pragma once

#include "engine/run.h"

/* What a lesson looks at. */
typedef enum
{
  TL_LESSON_ROWS,   /* units of one tile on a cu target, one after the other: row-buffer classes */
  TL_LESSON_OWNERS, /* owners of a tile column and of an anti-diagonal */
  TL_LESSON_TIERS,  /* conflicts and makespan against the case before */
} TlLessonScene;

/* One of the answers, the same for all questions of a scene. */
typedef struct
{
  char        letter; /* 'H': what is typed */
  const char *name;   /* "hit" */
  const char *when;   /* "the row is open already" */
} TlLessonChoice;

/* A setting of a knob and what is asked of it. */
typedef struct
{
  char   *name;   /* "row = bit 2" */
  char   *text;   /* said before; may be "" */
  char   *answer; /* said when all is revealed; may be "" */
  char  **set;    /* "KEY=VALUE", NULL-terminated; keys are among the lesson's knobs */
  char   *expect; /* letters without blanks, "MCCCCCCC"; "" where nothing is asked */
  guint   line;   /* in the file */
} TlLessonCase;

/* Immutable once read. */
typedef struct
{
  char          *name; /* "rows-and-banks" */
  char          *file; /* what diagnostics call it */
  char          *title;
  TlLessonScene  scene;
  char          *text;
  char          *question;
  char         **knobs;   /* keys that may be set, NULL-terminated */
  GArray        *units;   /* of guint64; rows only */
  char          *program; /* owners and tiers only, else NULL */
  GPtrArray     *cases;   /* of TlLessonCase *, at least one */
} TlLesson;

/* No lesson is longer, no list of units. */
#define TL_LESSON_MAX_BYTES (256 * 1024)
#define TL_LESSON_MAX_UNITS 256
#define TL_LESSON_MAX_CASES 16

/* Reads a lesson. @file is what diagnostics name. NULL after errors.
 * Returns: (transfer full) */
TlLesson             *tl_lesson_parse    (const char          *file,
                                          const char          *bytes,
                                          gsize                length,
                                          TlDiags             *diags);
/* One of those built in ("rows-and-banks") or, when @name holds a slash or ends in
 * ".xml", a file. Returns: (transfer full) */
TlLesson             *tl_lesson_load     (const char          *name,
                                          TlDiags             *diags);
void                  tl_lesson_free     (TlLesson            *lesson);
/* Names of the lessons that are built in, in teaching order; NULL-terminated. */
const char *const    *tl_lesson_names    (void);
/* Answers of a scene; *n of them. */
const TlLessonChoice *tl_lesson_choices  (TlLessonScene        scene,
                                          guint               *n);

/* One question answered by the machine. */
typedef struct
{
  char     letter;
  char    *what;     /* what is asked about: "unit 4", "owners of tile column 0", "makespan" */
  char    *value;    /* what came of it: "row 0 was open, row 1 is wanted", "2 of 16" */
  guint64  unit;     /* rows: the unit, its coordinates, the row open before it */
  guint32  domain;
  guint64  row;
  guint64  column;
  gboolean open;
  guint64  open_row;
  guint64  before;   /* owners: how many there can be, then how many there are; tiers: the case before and this one */
  guint64  now;
} TlLessonOutcome;

/* A case played out. */
typedef struct
{
  guint         index;    /* of the case */
  GArray       *outcomes; /* of TlLessonOutcome */
  TlTarget     *target;   /* rows: the machine; NULL else */
  TlBuild      *build;    /* owners and tiers; NULL else */
  TlRun        *run;      /* tiers; NULL else */
} TlLessonPlay;

/* Plays case @index. NULL with diagnostics when the machine refuses it.
 * Returns: (transfer full) */
TlLessonPlay         *tl_lesson_play     (const TlLesson      *lesson,
                                          guint                index,
                                          GCancellable        *cancellable,
                                          TlDiags             *diags);
void                  tl_lesson_play_free (TlLessonPlay       *play);
/* The letters of all outcomes, "MCCCCCCC". (transfer full) */
char                 *tl_lesson_letters  (const TlLessonPlay  *play);
/* Plays all cases and compares with what the file expects: an error for each that
 * differs. TRUE when all are as expected. */
gboolean              tl_lesson_check    (const TlLesson      *lesson,
                                          TlDiags             *diags);
/* The program with a case's settings written into its text; NULL for rows, or when
 * the program's text is wrong. (transfer full) */
char                 *tl_lesson_program  (const TlLesson      *lesson,
                                          guint                index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlLesson, tl_lesson_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlLessonPlay, tl_lesson_play_free)
