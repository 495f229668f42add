/* What only the module as a whole can get wrong: its knobs, its machine, and how many
 * operations each pass group leaves. */
#include "ir/dialect-private.h"

/* Knobs whose values are words; NULL-ended by the naming function. */
static gboolean
is_word (const char *text, const char *(*name) (int) )
{
  const char *word;

  for (int v = 0; (word = name (v)) != NULL; v++)
    if (g_str_equal (word, text))
      return TRUE;
  return FALSE;
}

#define WORDS(function)                                                                                                \
  static const char *word_##function (int value)                                                                       \
  {                                                                                                                    \
    return tl_##function##_name (value);                                                                               \
  }

WORDS (barriers)
WORDS (baseline)
WORDS (copies)
WORDS (copy_writes)
WORDS (edges)
WORDS (page)
WORDS (ring)
WORDS (values)

static const char *
word_place (int value)
{
  return value == 0 ? "auto" : tl_place_name (value - 1);
}

typedef struct
{
  const char *key;
  const char *(*word) (int);
  gint64 low;
  gint64 high;
} KnobRule;

/* owner and moves have rules of their own. */
static const KnobRule knob_rules[] = {
  { "barriers", word_barriers },
  { "baseline", word_baseline },
  { "buffers", NULL, 1, 2 },
  { "compute", NULL, 0, TL_MAX_PUS },
  { "copies", word_copies },
  { "copy_writes", word_copy_writes },
  { "edges", word_edges },
  { "page", word_page },
  { "place", word_place },
  { "place_first", NULL, 0, TL_MAX_TIERS - 1 },
  { "place_last", NULL, 0, TL_MAX_TIERS - 1 },
  { "precision", NULL, 1, 64 },
  { "ring", word_ring },
  { "search", NULL, 0, TL_MAX_PUS },
  { "seed", NULL, G_MININT64, G_MAXINT64 },
  { "tile", NULL, 0, G_MAXUINT32 },
  { "values", word_values },
};

static gboolean
check_knobs (TlVerifier *verifier)
{
  const TlOp   *op = verifier->module->op;
  const TlAttr *knobs = tl_op_attr (op, "gendram.knobs");
  const TlAttr *owner = tl_attr_get (knobs, "owner");
  const TlAttr *moves = tl_attr_get (knobs, "moves");
  const TlAttr *queue = tl_attr_get (knobs, "queue");
  const guint   wanted = G_N_ELEMENTS (knob_rules) + 1;

  for (guint k = 0; k < G_N_ELEMENTS (knob_rules); k++)
    {
      const KnobRule *rule = &knob_rules[k];
      const TlAttr   *value = tl_attr_get (knobs, rule->key);

      if (value == NULL)
        return tl_ir_reject (verifier, op, "gendram.knobs: %s is missing", rule->key);
      if (rule->word != NULL
              ? value->kind != TL_ATTR_STRING || !is_word (value->text, rule->word)
              : value->kind != TL_ATTR_INTEGER || value->integer < rule->low || value->integer > rule->high)
        return tl_ir_reject (verifier, op, "gendram.knobs: %s has a value that it cannot have", rule->key);
    }
  if (owner == NULL || owner->kind != TL_ATTR_STRING || (moves != NULL && moves->kind != TL_ATTR_ARRAY))
    return tl_ir_reject (verifier, op, "gendram.knobs: owner is a string, moves a list");
  if (queue != NULL && (queue->kind != TL_ATTR_INTEGER || queue->integer < 1 || queue->integer > G_MAXINT32))
    return tl_ir_reject (verifier, op, "gendram.knobs: queue has a value that it cannot have");
  if (knobs->n_items != wanted + (moves != NULL) + (queue != NULL))
    return tl_ir_reject (verifier, op, "gendram.knobs has %u entries, not %u", knobs->n_items,
                         wanted + (moves != NULL) + (queue != NULL));
  return TRUE;
}

gboolean
tl_ir_check_module (TlVerifier *verifier)
{
  static const struct
  {
    const char *name;
    guint       least[5];
    guint       most[5];
  } counts[] = {
    /* by group; 0 is never reached: dp.group is required */
    { "dp.semiring", { 0, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1 } },
    { "dp.data", { 0, 1, 1, 1, 1 }, { 0, 1024, 1024, 1024, 1024 } },
    { "dp.grid_update", { 0, 1, 0, 0, 0 }, { 0, 1, 0, 0, 0 } },
    { "dp.blocked_update", { 0, 0, 1, 1, 1 }, { 0, 0, 1, 1, 1 } },
    { "dp.buffer", { 0, 0, 3, 3, 3 }, { 0, 0, 3, 3, 3 } },
    { "gendram.place", { 0, 0, 0, 1, 1 }, { 0, 0, 0, 1, 1 } },
    { "gendram.reserve", { 0, 0, 0, 0, 0 }, { 0, 0, 0, 1, 1 } },
    { "dp.result", { 0, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1 } },
  };
  const TlOp *op = verifier->module->op;
  gboolean    wave = tl_module_find (verifier->module, "dp.wavefront_update") != NULL;
  const TlOp *update = tl_module_find (verifier->module, "dp.grid_update");
  gboolean    grid = wave || (update != NULL && tl_op_attr (update, "alternatives") != NULL);
  gint64      pus = tl_ir_machine (verifier, "pus");
  gint64      tiers = tl_ir_machine (verifier, "tiers");

  if (tl_ir_is_product (verifier))
    return tl_ir_check_product_module (verifier);
  if (pus < 1 || pus > TL_MAX_PUS || tiers < 1 || tiers > TL_MAX_TIERS)
    return tl_ir_reject (verifier, op, "gendram.target has no sensible pus and tiers");
  if (verifier->group >= 3 && !wave && !g_str_equal (tl_op_text (op, "gendram.mode"), "broadcast"))
    return tl_ir_reject (verifier, op, "gendram.mode = \"%s\": a closure broadcasts", tl_op_text (op, "gendram.mode"));
  if (wave && !tl_ir_check_waves (verifier))
    return FALSE;
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      guint found = 0;

      /* One update, blocked or in wavefronts; the latter says its buffers itself and lies in objects. */
      if (wave
          && (g_str_equal (counts[c].name, "dp.blocked_update") || g_str_equal (counts[c].name, "dp.buffer")
              || g_str_has_prefix (counts[c].name, "gendram.")))
        {
          if (tl_module_find (verifier->module, counts[c].name) != NULL)
            return tl_ir_reject (verifier, op, "holds \"%s\" beside wavefronts", counts[c].name);
          continue;
        }

      if (grid && g_str_equal (counts[c].name, "dp.data"))
        continue; /* a grid may count paths over nothing but its borders */
      for (const TlOp *inner = op->regions[0]->blocks[0]->first; inner != NULL; inner = inner->next)
        found += tl_ir_is (inner, counts[c].name);
      if (found < counts[c].least[verifier->group] || found > counts[c].most[verifier->group])
        return tl_ir_reject (verifier, op, "holds %u \"%s\" after group %d, not %u", found, counts[c].name,
                             verifier->group,
                             found < counts[c].least[verifier->group] ? counts[c].least[verifier->group]
                                                                      : counts[c].most[verifier->group]);
    }
  return check_knobs (verifier);
}
