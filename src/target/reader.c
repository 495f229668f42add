/* From a document, or one --set, to facts. Shape is told here in our own words; the
 * schema is asked afterwards, so that both say the same. */
#include <string.h>

#include "target/target-private.h"

#define MAX_REPORTS 40

TlFacts *
tl_facts_new (void)
{
  TlFacts *facts = g_new0 (TlFacts, 1);

  facts->knobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  facts->inputs = g_ptr_array_new_with_free_func (g_free);
  return facts;
}

void
tl_facts_free (TlFacts *facts)
{
  for (guint i = 0; i < TL_N_KEYS; i++)
    {
      tl_fact_clear (&facts->fact[i]);
      for (guint t = 0; t < TL_MAX_TIERS; t++)
        if (facts->tier[i][t] != NULL)
          {
            tl_fact_clear (facts->tier[i][t]);
            g_free (facts->tier[i][t]);
          }
    }
  g_free (facts->name);
  g_free (facts->title);
  g_free (facts->file);
  g_hash_table_unref (facts->knobs);
  g_ptr_array_unref (facts->inputs);
  g_free (facts);
}

/* A new value of a key for all tiers puts those of single tiers aside. */
static void
store (TlFacts *facts, TlKeyId id, int tier, TlFact *fact)
{
  const TlFact *pus = &facts->fact[TL_K_PUS];

  if (id == TL_K_PUS && pus->set && facts->fact[TL_K_SEARCH_PUS].layer >= pus->layer)
    facts->former_pus = pus->list[0].value;
  if (tier < 0)
    {
      for (guint t = 0; t < TL_MAX_TIERS; t++)
        if (facts->tier[id][t] != NULL && facts->tier[id][t]->layer < fact->layer)
          {
            tl_fact_clear (facts->tier[id][t]);
            g_clear_pointer (&facts->tier[id][t], g_free);
          }
      tl_fact_clear (&facts->fact[id]);
      facts->fact[id] = *fact;
    }
  else
    {
      if (facts->tier[id][tier] == NULL)
        facts->tier[id][tier] = g_new0 (TlFact, 1);
      tl_fact_clear (facts->tier[id][tier]);
      *facts->tier[id][tier] = *fact;
    }
  memset (fact, 0, sizeof *fact);
}

typedef struct
{
  const char *file;
  TlFacts    *facts;
  TlDiags    *diags;
  guint       errors;
} Reader;

static TlDiag *complain (Reader *reader, const xmlNode *node, const char *code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static TlDiag *
complain (Reader *reader, const xmlNode *node, const char *code, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *message = NULL;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  reader->errors++;
  return tl_diags_add_at (reader->diags, TL_SEVERITY_ERROR, code, reader->file, MAX (xmlGetLineNo (node), 0), 0, "%s",
                          message);
}

static const char *
word (const xmlChar *text)
{
  return (const char *) text;
}

static char *
attribute (xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp (node, (const xmlChar *) name);
  char    *copy = value != NULL ? g_strdup (word (value)) : NULL;

  xmlFree (value);
  return copy;
}

/* Attributes other than @allowed (parted by blanks) are refused. */
static void
check_attributes (Reader *reader, xmlNode *node, const char *allowed)
{
  g_auto (GStrv) names = g_strsplit (allowed, " ", -1);

  if (node->nsDef != NULL || node->ns != NULL)
    complain (reader, node, "target-shape", "<%s> has a namespace; targets have none", word (node->name));
  for (xmlAttr *at = node->properties; at != NULL; at = at->next)
    if (at->ns != NULL || !g_strv_contains ((const char *const *) names, word (at->name)))
      complain (reader, node, "unknown-attribute", "<%s> has no attribute \"%s\"", word (node->name), word (at->name));
}

/* The text of an element that holds nothing else; NULL with a diagnostic. */
static char *
text_of (Reader *reader, xmlNode *node)
{
  GString *text = g_string_new (NULL);

  for (xmlNode *at = node->children; at != NULL; at = at->next)
    if (at->type == XML_TEXT_NODE || at->type == XML_CDATA_SECTION_NODE)
      g_string_append (text, word (at->content));
    else if (at->type != XML_COMMENT_NODE && at->type != XML_PI_NODE)
      {
        complain (reader, at, "target-shape", "<%s> holds a value and nothing else", word (node->name));
        g_string_free (text, TRUE);
        return NULL;
      }
  return g_string_free (text, FALSE);
}

/* Elements only: blanks and comments pass. */
static gboolean
is_element (Reader *reader, xmlNode *node)
{
  if (node->type == XML_ELEMENT_NODE)
    return reader->errors < MAX_REPORTS;
  if (node->type == XML_COMMENT_NODE || node->type == XML_PI_NODE)
    return FALSE;
  if (!xmlIsBlankNode (node))
    {
      TlDiag     *diag = complain (reader, node, "target-shape", "there is text where elements are wanted");
      /* libxml2 gives a text the line of its end. */
      const char *at = word (node->content);
      for (at += strspn (at, " \t\r\n"); *at != '\0'; at++)
        diag->from.line -= *at == '\n' && diag->from.line > 1;
      diag->to = diag->from;
    }
  return FALSE;
}

static gboolean
read_mark (Reader *reader, xmlNode *node, TlMark *mark)
{
  g_autofree char *text = attribute (node, "mark");

  *mark = TL_MARK_ASSUMED;
  if (text == NULL || strcmp (text, "A") == 0)
    return TRUE;
  if (strcmp (text, "P") == 0)
    *mark = TL_MARK_PAPER;
  else if (strcmp (text, "D") == 0)
    *mark = TL_MARK_DERIVED;
  else
    {
      TlDiag *diag = complain (reader, node, "target-mark", "\"%s\" is no mark of <%s>", text, word (node->name));
      tl_diag_reason (diag, "P is stated by a paper, D derived from its figures, A assumed");
      return FALSE;
    }
  return TRUE;
}

/* -1 when not said. */
static gboolean
read_tier (Reader *reader, xmlNode *node, const TlKey *key, int *tier)
{
  g_autofree char *text = attribute (node, "tier");
  guint64          value;

  *tier = -1;
  if (text == NULL)
    return TRUE;
  if (key->kind != TL_KEY_TIER_TIME)
    {
      complain (reader, node, "target-tier", "<%s> is the same in all tiers", key->name);
      return FALSE;
    }
  if (!g_ascii_string_to_unsigned (text, 10, 0, TL_MAX_TIERS - 1, &value, NULL))
    {
      complain (reader, node, "target-tier", "\"%s\" is no tier (0 .. %d)", text, TL_MAX_TIERS - 1);
      return FALSE;
    }
  *tier = value;
  return TRUE;
}

/* @lines: by key and tier + 1, where this file said it; 0 when not yet. */
static void
read_key (Reader *reader, xmlNode *node, const char *section, guint *lines)
{
  const char *name = word (node->name);
  TlKeyId     id;

  if (!tl_key_find (name, &id))
    {
      const char *nearest = tl_key_nearest (name);
      TlDiag     *diag = complain (reader, node, "unknown-element", "<%s> is not known in <%s>", name, section);
      if (nearest != NULL)
        tl_diag_reason (diag, "did you mean <%s>?", nearest);
      else
        tl_diag_reason (diag, "no number of a machine has that name; take the element out");
      return;
    }
  const TlKey *key = tl_key (id);
  if (strcmp (key->section, section) != 0)
    {
      complain (reader, node, "target-shape", "<%s> belongs into <%s>, not <%s>", name, key->section, section);
      return;
    }
  check_attributes (reader, node, key->kind == TL_KEY_TIER_TIME ? "mark source tier" : "mark source");

  TlFact           fact = { .set = TRUE, .layer = reader->facts->layer };
  g_autofree char *text = text_of (reader, node);
  g_autofree char *reason = NULL;
  int              tier;
  if (text == NULL || !read_mark (reader, node, &fact.mark) || !read_tier (reader, node, key, &tier))
    return;
  guint *line = &lines[id * (TL_MAX_TIERS + 1) + tier + 1];
  if (*line != 0)
    {
      TlDiag *diag = complain (reader, node, "target-twice", "<%s> is given twice", name);
      tl_diag_reason (diag, "line %u gives it too", *line);
      return;
    }
  fact.line = *line = MAX (xmlGetLineNo (node), 1);
  if (!tl_fact_parse (&fact, key, tier >= 0, text, &reason))
    {
      TlDiag *diag = complain (reader, node, "target-value", "%s is no value of %s",
                               fact.text != NULL && *fact.text != '\0' ? fact.text : "nothing", name);
      tl_diag_reason (diag, "%s", reason);
      tl_fact_clear (&fact);
      return;
    }
  fact.file = g_strdup (reader->file);
  fact.origin = attribute (node, "source");
  store (reader->facts, id, tier, &fact);
}

static void
read_knobs (Reader *reader, xmlNode *node)
{
  for (xmlAttr *at = node->properties; at != NULL; at = at->next)
    {
      g_autofree char *value = attribute (node, word (at->name));
      if (at->ns != NULL || value == NULL || !tl_knob_known (word (at->name)))
        complain (reader, node, "target-knob", "\"%s\" is no knob that a target may set", word (at->name));
      else
        {
          g_strstrip (value);
          if (*value == '\0')
            complain (reader, node, "target-knob", "the knob \"%s\" has no value", word (at->name));
          else
            g_hash_table_replace (reader->facts->knobs, g_strdup (word (at->name)), g_steal_pointer (&value));
        }
    }
  if (node->ns != NULL || node->nsDef != NULL)
    complain (reader, node, "target-shape", "<knobs> has a namespace; targets have none");
  for (xmlNode *at = node->children; at != NULL; at = at->next)
    if (is_element (reader, at))
      complain (reader, at, "target-shape", "<knobs> holds attributes only");
}

/* Reads the attributes of <target>; the rest follows in tl_reader_facts. */
gboolean
tl_reader_root (const char *file, xmlDoc *doc, TlTargetRoot *root, TlDiags *diags)
{
  Reader   reader = { .file = file, .diags = diags };
  xmlNode *node = xmlDocGetRootElement (doc);

  memset (root, 0, sizeof *root);
  if (node == NULL || strcmp (word (node->name), "target") != 0)
    {
      TlDiag *diag
          = node != NULL
                ? complain (&reader, node, "target-shape", "the file's root is <%s>, not <target>", word (node->name))
                : tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-shape", file, 0, 0, "the file has no <target>");
      tl_diag_reason (diag, "a machine is <target name=\"x\" base=\"gendram\"/>, with the numbers that differ inside");
      return FALSE;
    }
  check_attributes (&reader, node, "name base machine version");
  root->name = attribute (node, "name");
  root->base = attribute (node, "base");
  g_autofree char *version = attribute (node, "version");
  if (root->name == NULL || *root->name == '\0')
    complain (&reader, node, "target-shape", "<target> has no name");
  else if (strlen (root->name) > 64
           || strspn (root->name, G_CSET_A_2_Z G_CSET_a_2_z "0123456789-_.") != strlen (root->name))
    complain (&reader, node, "target-shape", "\"%.80s\" is no name for a target", root->name);
  if (version != NULL && strcmp (version, "1") != 0)
    complain (&reader, node, "target-version", "version \"%s\" of target files is not known; this is version 1",
              version);
  return reader.errors == 0;
}

static void
read_machine (Reader *reader, xmlNode *node)
{
  g_autofree char *machine = attribute (node, "machine");
  TlFacts         *facts = reader->facts;

  if (machine == NULL)
    {
      if (!facts->has_kind)
        {
          TlDiag *diag = complain (reader, node, "target-shape", "<target> has neither a base nor a machine");
          tl_diag_reason (diag, "machine=\"pim\" or machine=\"cu\"");
        }
      return;
    }
  if (strcmp (machine, "pim") != 0 && strcmp (machine, "cu") != 0)
    {
      complain (reader, node, "target-shape", "\"%s\" is no machine: pim or cu", machine);
      return;
    }
  TlMachineKind kind = strcmp (machine, "pim") == 0 ? TL_MACHINE_PIM : TL_MACHINE_CU;
  if (facts->has_kind && facts->kind != kind)
    complain (reader, node, "target-shape", "the base is a %s machine, this one cannot be a %s machine",
              facts->kind == TL_MACHINE_PIM ? "pim" : "cu", machine);
  facts->has_kind = TRUE;
  facts->kind = kind;
}

/* What stands once in a file: sections, title, knobs. FALSE when seen before. */
static gboolean
first_time (Reader *reader, xmlNode *node, GHashTable *seen)
{
  if (g_hash_table_add (seen, g_strdup (word (node->name))))
    return TRUE;
  complain (reader, node, "target-twice", "<%s> is given twice", word (node->name));
  return FALSE;
}

gboolean
tl_reader_facts (const char *file, xmlDoc *doc, TlFacts *facts, TlDiags *diags)
{
  static const char *const sections[] = { "organisation", "timing", "processing", "compute", "energy", NULL };
  Reader                   reader = { .file = file, .facts = facts, .diags = diags };
  xmlNode                 *root = xmlDocGetRootElement (doc);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint *lines = g_new0 (guint, TL_N_KEYS * (TL_MAX_TIERS + 1));

  read_machine (&reader, root);
  for (xmlNode *node = root->children; node != NULL; node = node->next)
    {
      if (!is_element (&reader, node))
        continue;
      const char *name = word (node->name);
      TlKeyId     id;
      if (g_strv_contains (sections, name))
        {
          check_attributes (&reader, node, "");
          if (first_time (&reader, node, seen))
            for (xmlNode *child = node->children; child != NULL; child = child->next)
              if (is_element (&reader, child))
                read_key (&reader, child, name, lines);
        }
      else if (strcmp (name, "knobs") == 0)
        {
          if (first_time (&reader, node, seen))
            read_knobs (&reader, node);
        }
      else if (strcmp (name, "title") == 0 || strcmp (name, "note") == 0)
        {
          g_autofree char *text = text_of (&reader, node);
          check_attributes (&reader, node, "");
          if (text != NULL && strcmp (name, "title") == 0 && first_time (&reader, node, seen))
            {
              g_free (facts->title);
              facts->title = g_strstrip (g_steal_pointer (&text));
            }
        }
      else if (tl_key_find (name, &id))
        complain (&reader, node, "target-shape", "<%s> belongs into <%s>", name, tl_key (id)->section);
      else
        tl_diag_reason (complain (&reader, node, "unknown-element", "<%s> is not known in <target>", name),
                        "it holds title, note, organisation, timing, processing or compute, energy and knobs");
    }
  return reader.errors == 0;
}

/* "KEY=VALUE", KEY with ".TIER" for a time of one tier; quantum is beat on pim. */
gboolean
tl_reader_override (const char *override, TlFacts *facts, TlDiags *diags)
{
  const char      *start = g_str_has_prefix (override, "target.") ? override + strlen ("target.") : override;
  const char      *equals = strchr (start, '=');
  g_autofree char *file = g_strdup_printf ("--set target.%s", start);
  g_autofree char *reason = NULL;
  TlFact           fact = { .set = TRUE, .layer = facts->layer, .mark = TL_MARK_SET };
  TlKeyId          id;
  int              tier = -1;

  if (equals == NULL)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-set", file, 0, 0, "a value is missing: target.KEY=VALUE");
      return FALSE;
    }
  g_autofree char *key = g_strstrip (g_strndup (start, equals - start));
  g_autofree char *name = g_strdup (key);
  char            *dot = strrchr (name, '.');
  if (dot != NULL)
    {
      guint64 value;
      *dot = '\0';
      if (g_ascii_string_to_unsigned (dot + 1, 10, 0, TL_MAX_TIERS - 1, &value, NULL))
        tier = value;
      else
        *dot = '.';
    }
  if (!tl_key_find (name, &id))
    {
      const char *nearest = tl_key_nearest (name);
      TlDiag     *diag
          = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "unknown-key", file, 0, 0, "a target has no number \"%s\"", key);
      if (nearest != NULL)
        tl_diag_reason (diag, "did you mean target.%s?", nearest);
      return FALSE;
    }
  /* Whoever sets the unit of a request need not know what the machine calls it. */
  if (id == TL_K_QUANTUM && facts->kind == TL_MACHINE_PIM)
    id = TL_K_BEAT;
  if (tier >= 0 && tl_key (id)->kind != TL_KEY_TIER_TIME)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-tier", file, 0, 0, "%s is the same in all tiers", name);
      return FALSE;
    }
  if (!tl_fact_parse (&fact, tl_key (id), tier >= 0, equals + 1, &reason))
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-value", file, 0, 0, "%s is no value of %s",
                                      fact.text != NULL && *fact.text != '\0' ? fact.text : "nothing", name);
      tl_diag_reason (diag, "%s", reason);
      tl_fact_clear (&fact);
      return FALSE;
    }
  fact.file = g_steal_pointer (&file);
  fact.origin = g_strdup ("set by you");
  store (facts, id, tier, &fact);
  return TRUE;
}
