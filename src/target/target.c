/* The door: a name or bytes in, an immutable target out. The layers of a target are
 * its bases from the ground up, itself, and the overrides. */
#include "target/target.h"

#include <string.h>

#include "base/word.h"
#include "target/target-private.h"

#define MAX_BASES 8

/* A target that is being read, and who derives from it. */
typedef struct _Chain Chain;
struct _Chain
{
  const char  *file;
  const Chain *from;
};

static gboolean read_layers (TlFacts *facts, const char *file, const char *bytes, gsize length,
                             const TlTargetSearch *search, const Chain *from, TlDiags *diags);

static char *
chain_text (const Chain *chain)
{
  GString *text = g_string_new (chain->file);

  for (chain = chain->from; chain != NULL; chain = chain->from)
    {
      g_string_prepend (text, " -> ");
      g_string_prepend (text, chain->file);
    }
  return g_string_free (text, FALSE);
}

static gboolean
read_base (TlFacts *facts, const char *base, xmlDoc *doc, const TlTargetSearch *search, const Chain *chain,
           TlDiags *diags)
{
  guint    line = MAX (xmlGetLineNo (xmlDocGetRootElement (doc)), 0);
  guint    depth = 0;
  gboolean failed;

  g_autoptr (TlTargetFile) found = tl_lookup_name (base, search, chain->file, diags, &failed);
  if (found == NULL)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-base", chain->file, line, 0,
                                      "the base \"%.80s\" %s", base, failed ? "cannot be read" : "is not known");
      if (!failed)
        tl_diag_reason (diag, "targets are looked up beside the program, in TIERLOOM_TARGETS, then where installed");
      return FALSE;
    }
  for (const Chain *at = chain; at != NULL; at = at->from, depth++)
    if (strcmp (at->file, found->file) == 0)
      {
        Chain            link = { found->file, chain };
        g_autofree char *text = chain_text (&link);
        TlDiag          *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-cycle", chain->file, line, 0,
                                                 "the target is its own base");
        tl_diag_reason (diag, "%s", text);
        return FALSE;
      }
  if (depth > MAX_BASES)
    {
      g_autofree char *text = chain_text (chain);
      TlDiag          *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-depth", chain->file, line, 0,
                                               "more than %d targets derive from one another", MAX_BASES);
      tl_diag_reason (diag, "%s", text);
      return FALSE;
    }
  gsize       length = 0;
  const char *bytes = g_bytes_get_data (found->bytes, &length);
  return read_layers (facts, found->file, bytes, length, search, chain, diags);
}

/* Lays the file over its bases; facts->layer counts them. Presets were held against
 * the schema when they were built in. */
static gboolean
read_layers (TlFacts *facts, const char *file, const char *bytes, gsize length, const TlTargetSearch *search,
             const Chain *from, TlDiags *diags)
{
  Chain        chain = { file, from };
  TlTargetRoot root;
  xmlDoc      *doc = tl_xml_read (file, bytes, length, diags);

  if (doc == NULL)
    return FALSE;
  gboolean good = tl_reader_root (file, doc, &root, diags);
  if (good && root.base != NULL)
    good = read_base (facts, root.base, doc, search, &chain, diags);
  if (good)
    good = tl_reader_facts (file, doc, facts, diags)
           && (tl_lookup_is_built_in (file) || tl_xml_validate (file, doc, diags));
  if (good)
    {
      g_free (facts->name);
      g_free (facts->file);
      facts->name = g_strdup (root.name);
      facts->file = g_strdup (file);
      facts->line = MAX (xmlGetLineNo (xmlDocGetRootElement (doc)), 0);
      facts->layer++;
      g_ptr_array_add (facts->inputs, g_strdup (file));
    }
  g_free (root.name);
  g_free (root.base);
  xmlFreeDoc (doc);
  return good;
}

TlTarget *
tl_target_parse (const char *file, const char *bytes, gsize length, const TlTargetSearch *search,
                 const char *const *overrides, TlDiags *diags)
{
  g_autoptr (TlFacts) facts = tl_facts_new ();
  gboolean good;

  g_return_val_if_fail (file != NULL && bytes != NULL && diags != NULL, NULL);
  if (!read_layers (facts, file, bytes, length, search, NULL, diags))
    return NULL;
  good = TRUE;
  for (guint i = 0; overrides != NULL && overrides[i] != NULL; i++)
    good &= tl_reader_override (overrides[i], facts, diags);
  if (!good)
    return NULL;

  g_autoptr (TlTarget) target = g_new0 (TlTarget, 1);
  g_atomic_ref_count_init (&target->refs);
  target->name = g_strdup (facts->name);
  target->title = g_strdup (facts->title != NULL ? facts->title : "");
  target->file = g_strdup (file);
  target->knobs = g_array_new (FALSE, FALSE, sizeof (TlKnob));
  target->rows = g_array_new (FALSE, FALSE, sizeof (TlTargetRow));
  target->strings = g_string_chunk_new (4096);
  if (!tl_resolve (target, facts, diags))
    return NULL;
  return g_steal_pointer (&target);
}

static TlTarget *
parse_file (const TlTargetFile *file, const TlTargetSearch *search, const char *const *overrides, TlDiags *diags)
{
  gsize       length = 0;
  const char *bytes = g_bytes_get_data (file->bytes, &length);

  return tl_target_parse (file->file, bytes != NULL ? bytes : "", length, search, overrides, diags);
}

TlTarget *
tl_target_load_file (const char *path, const TlTargetSearch *search, const char *const *overrides, TlDiags *diags)
{
  g_return_val_if_fail (path != NULL && diags != NULL, NULL);
  g_autoptr (TlTargetFile) file = tl_lookup_file (path, search, diags);
  return file != NULL ? parse_file (file, search, overrides, diags) : NULL;
}

TlTarget *
tl_target_load (const char *name, const TlTargetSearch *search, const char *const *overrides, TlSource *source,
                TlSpan span, TlDiags *diags)
{
  g_autoptr (TlTargetFile) file = NULL;
  gboolean failed = FALSE;

  g_return_val_if_fail (name != NULL && diags != NULL, NULL);
  if (g_str_has_suffix (name, ".xml") || strchr (name, '/') != NULL)
    {
      file = tl_lookup_file (name, search, diags);
      failed = file == NULL;
    }
  else
    file = tl_lookup_name (name, search, NULL, diags, &failed);
  if (file == NULL && !failed)
    {
      g_autoptr (GPtrArray) names = tl_lookup_names (search);
      GString *list = g_string_new (NULL);
      for (guint i = 0; i < names->len; i++)
        g_string_append_printf (list, "%s%s", i == 0 ? "" : ", ", (char *) g_ptr_array_index (names, i));
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "unknown-target", source, span,
                                   "there is no target \"%.80s\"", name);
      tl_diag_reason (diag,
                      "%.80s.xml is neither beside the program, nor in TIERLOOM_TARGETS, nor installed; there are %s",
                      name, list->str);
      const char *meant = tl_word_nearest (name, (const char *const *) names->pdata, names->len);
      if (meant != NULL)
        {
          g_autofree char *title = g_strdup_printf ("write %s", meant);
          tl_diag_fix (diag, title, span, meant);
        }
      g_string_free (list, TRUE);
    }
  return file != NULL ? parse_file (file, search, overrides, diags) : NULL;
}

TlTarget *
tl_target_ref (TlTarget *target)
{
  g_atomic_ref_count_inc (&target->refs);
  return target;
}

void
tl_target_unref (TlTarget *target)
{
  if (!g_atomic_ref_count_dec (&target->refs))
    return;
  g_free (target->name);
  g_free (target->title);
  g_free (target->file);
  g_free (target->map_text);
  g_free (target->map_reason);
  g_clear_pointer (&target->map, tl_address_map_unref);
  g_array_unref (target->knobs);
  g_array_unref (target->rows);
  g_string_chunk_free (target->strings);
  g_free (target);
}

const char *
tl_target_name (const TlTarget *target)
{
  return target->name;
}

const char *
tl_target_title (const TlTarget *target)
{
  return target->title;
}

const char *
tl_target_file (const TlTarget *target)
{
  return target->file;
}

TlMachineKind
tl_target_kind (const TlTarget *target)
{
  return target->kind;
}

guint64
tl_target_hash (const TlTarget *target)
{
  return target->hash;
}

const TlPimMachine *
tl_target_pim_machine (const TlTarget *target)
{
  return target->kind == TL_MACHINE_PIM ? &target->pim : NULL;
}

const TlCuMachine *
tl_target_cu_machine (const TlTarget *target)
{
  return target->kind == TL_MACHINE_CU ? &target->cu : NULL;
}

const TlMemory *
tl_target_memory (const TlTarget *target)
{
  return &target->memory;
}

const TlDramEnergy *
tl_target_energy (const TlTarget *target)
{
  return &target->energy;
}

TlAddressMap *
tl_target_map (const TlTarget *target)
{
  return target->map;
}

const char *
tl_target_map_reason (const TlTarget *target)
{
  return target->map_reason;
}

const char *
tl_target_knob (const TlTarget *target, const char *key)
{
  for (guint i = 0; i < target->knobs->len; i++)
    if (strcmp (g_array_index (target->knobs, TlKnob, i).key, key) == 0)
      return g_array_index (target->knobs, TlKnob, i).value;
  return NULL;
}

guint
tl_target_n_knobs (const TlTarget *target)
{
  return target->knobs->len;
}

void
tl_target_get_knob (const TlTarget *target, guint index, const char **key, const char **value)
{
  g_return_if_fail (index < target->knobs->len);
  *key = g_array_index (target->knobs, TlKnob, index).key;
  *value = g_array_index (target->knobs, TlKnob, index).value;
}

static void
entry_free (gpointer data)
{
  TlTargetEntry *entry = data;

  g_free (entry->name);
  g_free (entry->file);
  g_free (entry->title);
  g_free (entry);
}

GPtrArray *
tl_target_list (const TlTargetSearch *search)
{
  g_autoptr (GPtrArray) names = tl_lookup_names (search);
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlTarget) target = tl_target_load (name, search, NULL, NULL, tl_span (0, 0), diags);
      if (target == NULL)
        continue;
      TlTargetEntry *entry = g_new0 (TlTargetEntry, 1);
      entry->name = g_strdup (name);
      entry->file = g_strdup (target->file);
      entry->title = g_strdup (target->title);
      entry->kind = target->kind;
      g_ptr_array_add (entries, entry);
    }
  return entries;
}
