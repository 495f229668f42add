/* Playing a lesson: the outcomes come from the bank rules, the owner map and the
 * simulator, never from the lesson's file. */
#include "base/number.h"
#include "dram/in-order.h"
#include "dsl/edit.h"
#include "engine/lesson.h"

#include <string.h>

static void
outcome_clear (gpointer data)
{
  TlLessonOutcome *outcome = data;

  g_free (outcome->what);
  g_free (outcome->value);
}

static TlLessonPlay *
play_new (guint index)
{
  TlLessonPlay *play = g_new0 (TlLessonPlay, 1);

  play->index = index;
  play->outcomes = g_array_new (FALSE, TRUE, sizeof (TlLessonOutcome));
  g_array_set_clear_func (play->outcomes, outcome_clear);
  return play;
}

void
tl_lesson_play_free (TlLessonPlay *play)
{
  if (play == NULL)
    return;
  g_array_unref (play->outcomes);
  g_clear_pointer (&play->target, tl_target_unref);
  g_clear_pointer (&play->run, tl_run_unref);
  g_clear_pointer (&play->build, tl_build_unref);
  g_free (play);
}

static gboolean
refuse (TlDiags *diags, const TlLesson *lesson, const TlLessonCase *at, const char *message, const char *reason)
{
  TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "lesson-case", lesson->file, at->line, 0,
                                  "case \"%.60s\": %s", at->name, message);

  if (reason != NULL)
    tl_diag_reason (diag, "%s", reason);
  return FALSE;
}

/* --- Rows --- */

static char *
row_words (const TlLessonOutcome *outcome)
{
  if (!outcome->open)
    return g_strdup_printf ("no row was open; row %" G_GUINT64_FORMAT " is opened", outcome->row);
  if (outcome->open_row == outcome->row)
    return g_strdup_printf ("row %" G_GUINT64_FORMAT " was open, and row %" G_GUINT64_FORMAT " is wanted", outcome->row,
                            outcome->row);
  return g_strdup_printf ("row %" G_GUINT64_FORMAT " was open, row %" G_GUINT64_FORMAT " is wanted", outcome->open_row,
                          outcome->row);
}

/* The class of each unit from a closed start; what was open before it from the
 * requests before it in the same bank. */
static gboolean
play_rows (TlLessonPlay *play, const TlLesson *lesson, const TlLessonCase *at, TlDiags *diags)
{
  static const char letters[] = { [TL_ROW_HIT] = 'H', [TL_ROW_MISS] = 'M', [TL_ROW_CONFLICT] = 'C' };
  TlTargetSearch    search = { 0 };
  const char       *name = strchr (at->set[0], '=') + 1;

  play->target = tl_target_load (name, &search, NULL, NULL, (TlSpan) { 0 }, diags);
  if (play->target == NULL)
    return FALSE;
  TlAddressMap *map = tl_target_map (play->target);
  if (map == NULL)
    return refuse (diags, lesson, at, "the target has no address map", tl_target_map_reason (play->target));
  guint              bits = tl_address_map_bits (map);
  const guint64     *units = (const guint64 *) lesson->units->data;
  guint              n = lesson->units->len;
  const char        *page = tl_target_knob (play->target, "page");
  TlPages            pages = page != NULL && strcmp (page, "closed") == 0 ? TL_PAGES_CLOSED : TL_PAGES_OPEN;
  g_autofree guint8 *classes = g_new0 (guint8, n);
  for (guint i = 0; i < n; i++)
    if (bits < 64 && units[i] >> bits != 0)
      {
        g_autofree char *message
            = g_strdup_printf ("unit %" G_GUINT64_FORMAT " lies past the capacity of %s", units[i], name);
        return refuse (diags, lesson, at, message, NULL);
      }
  g_autoptr (TlInOrder) counter = tl_in_order_new (map, pages);
  tl_in_order_classify (counter, units, n, classes);
  for (guint i = 0; i < n; i++)
    {
      TlPlaceOf       place = tl_address_map_split (map, units[i]);
      guint64         word = tl_address_map_apply (map, units[i]) >> tl_address_map_column_bits (map);
      guint           row_bits = tl_address_map_row_bits (map);
      TlLessonOutcome outcome = { .letter = letters[classes[i]],
                                  .unit = units[i],
                                  .domain = (guint32) (word >> row_bits),
                                  .row = place.at[TL_LEVEL_ROW],
                                  .column = place.at[TL_LEVEL_COLUMN] };
      for (guint j = 0; j < i; j++)
        {
          const TlLessonOutcome *before = &g_array_index (play->outcomes, TlLessonOutcome, j);
          if (before->domain == outcome.domain)
            {
              outcome.open = TRUE;
              outcome.open_row = before->row;
            }
        }
      /* A closed page shuts behind a run of one row. */
      if (classes[i] == TL_ROW_MISS)
        outcome.open = FALSE;
      outcome.what = g_strdup_printf ("unit %" G_GUINT64_FORMAT, units[i]);
      outcome.value = row_words (&outcome);
      g_array_append_val (play->outcomes, outcome);
    }
  return TRUE;
}

/* --- Owners and tiers --- */

static gboolean
build_case (TlLessonPlay *play, const TlLesson *lesson, const TlLessonCase *at, GCancellable *cancellable,
            TlDiags *diags)
{
  TlBuildOptions options = { .config = (const char *const *) at->set };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autofree char *name = g_strdup_printf ("%s.gdsl", lesson->name);

  play->build = tl_build (name, lesson->program, strlen (lesson->program), inputs, &options, NULL, cancellable);
  if (play->build->complete && play->build->program != NULL)
    return TRUE;
  tl_diags_append (diags, play->build->diags);
  return refuse (diags, lesson, at, "its program cannot be built", NULL);
}

static void
add_spread (TlLessonPlay *play, const char *what, guint owners, guint can)
{
  TlLessonOutcome outcome = { .letter = owners == 1 && can > 1 ? 'O'
                                        : owners < can         ? 'F'
                                                               : 'A',
                              .what = g_strdup (what),
                              .value = g_strdup_printf ("%u of %u", owners, can),
                              .before = can,
                              .now = owners };

  g_array_append_val (play->outcomes, outcome);
}

/* Fewest different owners of a tile column, and the owners of the long anti-diagonal. */
static void
play_owners (TlLessonPlay *play)
{
  const TlPimProgram *program = play->build->program;
  guint32             tiles = program->tiles, pus = program->machine.pus, can = MIN (tiles, pus);
  g_autofree guint8  *seen = g_new0 (guint8, pus);
  guint               diagonal = 0, columns = G_MAXUINT;

  for (guint32 i = 0; i < tiles; i++)
    {
      guint16 owner = program->owner[(gsize) i * tiles + (tiles - 1 - i)];
      diagonal += !seen[owner];
      seen[owner] = 1;
    }
  for (guint32 j = 0; j < tiles; j++)
    {
      guint owners = 0;
      memset (seen, 0, pus);
      for (guint32 i = 0; i < tiles; i++)
        {
          guint16 owner = program->owner[(gsize) i * tiles + j];
          owners += !seen[owner];
          seen[owner] = 1;
        }
      columns = MIN (columns, owners);
    }
  add_spread (play, "PUs of a tile column", columns, can);
  add_spread (play, "PUs of the long anti-diagonal", diagonal, can);
}

/* Letter of @now against @before: within 1 % it stays. */
static char
change (guint64 before, guint64 now)
{
  double share = before > 0 ? (double) now / before - 1 : now > 0 ? 1 : 0;

  return share > 0.01 ? 'R' : share < -0.01 ? 'F' : 'S';
}

static void
add_change (TlLessonPlay *play, const char *what, guint64 before, guint64 now, char *(*format) (guint64))
{
  g_autofree char *then = format (before), *text = format (now);
  double           share = before > 0 ? (double) now / before - 1 : 0;
  TlLessonOutcome  outcome = { .letter = change (before, now), .what = g_strdup (what), .before = before, .now = now };

  outcome.value = g_strdup_printf ("%s before, %s now (%s%.1f %%)", then, text, share > 0 ? "+" : "", share * 100);
  g_array_append_val (play->outcomes, outcome);
}

static gboolean
run_case (TlLessonPlay *play, const TlLesson *lesson, const TlLessonCase *at, GCancellable *cancellable, TlDiags *diags)
{
  const TlRunOptions options = { .skip_values = TRUE };

  if (!build_case (play, lesson, at, cancellable, diags))
    return FALSE;
  play->run = tl_run (play->build, &options, cancellable);
  if (play->run->complete)
    return TRUE;
  tl_diags_append (diags, play->run->diags);
  return refuse (diags, lesson, at, "its program cannot be run", NULL);
}

static gboolean
play_tiers (TlLessonPlay *play, const TlLesson *lesson, guint index, GCancellable *cancellable, TlDiags *diags)
{
  if (!run_case (play, lesson, g_ptr_array_index (lesson->cases, index), cancellable, diags))
    return FALSE;
  if (index == 0)
    return TRUE;
  g_autoptr (TlLessonPlay) before = play_new (index - 1);
  if (!run_case (before, lesson, g_ptr_array_index (lesson->cases, index - 1), cancellable, diags))
    return FALSE;
  add_change (play, "row conflicts", before->run->rows.conflict, play->run->rows.conflict, tl_format_count);
  add_change (play, "makespan", before->run->makespan_ps, play->run->makespan_ps, tl_format_ps);
  return TRUE;
}

TlLessonPlay *
tl_lesson_play (const TlLesson *lesson, guint index, GCancellable *cancellable, TlDiags *diags)
{
  g_return_val_if_fail (index < lesson->cases->len, NULL);
  g_autoptr (TlLessonPlay) play = play_new (index);
  const TlLessonCase *at = g_ptr_array_index (lesson->cases, index);
  gboolean            played = FALSE;

  switch (lesson->scene)
    {
    case TL_LESSON_ROWS:
      played = play_rows (play, lesson, at, diags);
      break;
    case TL_LESSON_OWNERS:
      played = build_case (play, lesson, at, cancellable, diags);
      if (played)
        play_owners (play);
      break;
    case TL_LESSON_TIERS:
    default:
      played = play_tiers (play, lesson, index, cancellable, diags);
    }
  return played ? g_steal_pointer (&play) : NULL;
}

char *
tl_lesson_letters (const TlLessonPlay *play)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < play->outcomes->len; i++)
    g_string_append_c (text, g_array_index (play->outcomes, TlLessonOutcome, i).letter);
  return g_string_free (text, FALSE);
}

gboolean
tl_lesson_check (const TlLesson *lesson, TlDiags *diags)
{
  gboolean well = TRUE;

  for (guint c = 0; c < lesson->cases->len; c++)
    {
      const TlLessonCase *at = g_ptr_array_index (lesson->cases, c);
      g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, c, NULL, diags);
      g_autofree char *letters = play != NULL ? tl_lesson_letters (play) : NULL;
      if (letters != NULL && strcmp (letters, at->expect) != 0)
        {
          g_autofree char *message = g_strdup_printf ("%s came out where %s is expected", letters, at->expect);
          refuse (diags, lesson, at, message, NULL);
          letters[0] = '\0';
        }
      well &= letters != NULL && strcmp (letters, at->expect) == 0;
    }
  return well;
}

char *
tl_lesson_program (const TlLesson *lesson, guint index)
{
  g_return_val_if_fail (index < lesson->cases->len, NULL);
  const TlLessonCase *at = g_ptr_array_index (lesson->cases, index);

  if (lesson->program == NULL)
    return NULL;
  g_autofree char *text = g_strdup (lesson->program);
  for (guint s = 0; at->set[s] != NULL; s++)
    {
      const char      *equals = strchr (at->set[s], '=');
      g_autofree char *key = g_strndup (at->set[s], (gsize) (equals - at->set[s]));
      g_autoptr (TlSource) source = tl_source_new (lesson->name, text, -1);
      g_autoptr (TlDiags) ignored = tl_diags_new ();
      g_autoptr (TlAst) ast = tl_parse (source, ignored);
      if (tl_diags_errors (ignored) > 0)
        return NULL;
      g_autoptr (GArray) edits = g_str_has_prefix (key, "place.")
                                     ? tl_edit_place (ast, key + strlen ("place."), equals + 1)
                                     : tl_edit_config (ast, key, equals + 1);
      g_free (text);
      text = tl_edit_apply (source, edits, NULL);
    }
  return g_steal_pointer (&text);
}
