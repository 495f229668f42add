/* Words of enumerations. */
#include "passes/words-private.h"

#include "ir/schedule.h"
#include "passes/cu-knobs.h"

#include <string.h>

const char *
tl_word_barriers (int value)
{
  return tl_barriers_name (value);
}

const char *
tl_word_edges (int value)
{
  return tl_edges_name (value);
}

const char *
tl_word_copies (int value)
{
  return tl_copies_name (value);
}

const char *
tl_word_copy_writes (int value)
{
  return tl_copy_writes_name (value);
}

const char *
tl_word_ring (int value)
{
  return tl_ring_name (value);
}

const char *
tl_word_page (int value)
{
  return tl_page_name (value);
}

const char *
tl_word_values (int value)
{
  return tl_values_name (value);
}

const char *
tl_word_baseline (int value)
{
  return tl_baseline_name (value);
}

const char *
tl_word_place (int value)
{
  return tl_place_name (value);
}

const char *
tl_word_cu_place (int value)
{
  return tl_cu_place_name ((guint) value);
}

static const char *
word_of (const char *const *words, int n, int value)
{
  return value >= 0 && value < n ? words[value] : NULL;
}

const char *
tl_word_weights (int value)
{
  static const char *const words[] = { "kxn", "nxk" };

  return word_of (words, G_N_ELEMENTS (words), value);
}

const char *
tl_word_scope (int value)
{
  static const char *const words[] = { "channel", "pseudo_channel", "tier", "group", "bank" };

  return word_of (words, G_N_ELEMENTS (words), value);
}

const char *
tl_word_bus (int value)
{
  static const char *const words[] = { "none", "single", "split" };

  return word_of (words, G_N_ELEMENTS (words), value);
}

const char *
tl_word_scheduler (int value)
{
  static const char *const words[] = { "fr-fcfs", "plain-fr-fcfs", "in-order" };

  return word_of (words, G_N_ELEMENTS (words), value);
}

int
tl_word_find (TlWordFunc words, const char *text)
{
  const char *word;

  for (int value = 0; (word = words (value)) != NULL; value++)
    if (strcmp (word, text) == 0)
      return value;
  return -1;
}
