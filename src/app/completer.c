/* A provider that asks suggest.c for the place of the caret. */
#include "app/completer.h"

#include "app/buffer.h"
#include "app/suggest.h"
#include "target/target.h"

#include <glib/gi18n.h>
#include <string.h>

/* --- one proposal --- */

#define TL_TYPE_PROPOSAL (tl_proposal_get_type ())
G_DECLARE_FINAL_TYPE (TlProposal, tl_proposal, TL, PROPOSAL, GObject)

struct _TlProposal
{
  GObject parent_instance;
  char   *text;
  char   *note;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TlProposal, tl_proposal, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROPOSAL, NULL))

static void
tl_proposal_finalize (GObject *object)
{
  TlProposal *proposal = TL_PROPOSAL (object);

  g_free (proposal->text);
  g_free (proposal->note);
  G_OBJECT_CLASS (tl_proposal_parent_class)->finalize (object);
}

static void
tl_proposal_class_init (TlProposalClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tl_proposal_finalize;
}

static void
tl_proposal_init (TlProposal *proposal)
{
}

/* --- the provider --- */

#define TL_TYPE_COMPLETER (tl_completer_get_type ())
G_DECLARE_FINAL_TYPE (TlCompleter, tl_completer, TL, COMPLETER, GObject)

struct _TlCompleter
{
  GObject parent_instance;
  char  **targets;
};

static char *
completer_title (GtkSourceCompletionProvider *provider)
{
  return g_strdup ("GenDSL");
}

/* The word before @at as suggest.c takes it begins at @start. */
static GPtrArray *
suggest_at (TlCompleter *completer, const GtkTextIter *at, GtkTextIter *start)
{
  GtkTextBuffer *buffer = gtk_text_iter_get_buffer (at);
  GtkTextIter    first;
  guint32        word;

  gtk_text_buffer_get_start_iter (buffer, &first);
  g_autofree char *before = gtk_text_buffer_get_text (buffer, &first, at, TRUE);
  g_autofree char *text = tl_buffer_text (buffer);
  g_autoptr (TlSource) source = tl_source_new ("", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  GPtrArray *list = tl_suggest (ast, (guint32) strlen (before), (const char *const *) completer->targets, &word);
  tl_buffer_iter (buffer, text, word, start);
  return list;
}

static GListModel *
completer_populate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GError **error)
{
  GListStore *store = g_list_store_new (GTK_SOURCE_TYPE_COMPLETION_PROPOSAL);
  GtkTextIter begin, end, start;

  gtk_source_completion_context_get_bounds (context, &begin, &end);
  g_autoptr (GPtrArray) list = suggest_at (TL_COMPLETER (provider), &end, &start);
  g_autofree char *word = gtk_text_iter_get_slice (&start, &end);
  for (guint s = 0; s < list->len; s++)
    {
      const TlSuggestion *suggestion = list->pdata[s];
      if (strcmp (suggestion->text, word) == 0 && list->len == 1)
        break;
      g_autoptr (TlProposal) proposal = g_object_new (TL_TYPE_PROPOSAL, NULL);
      proposal->text = g_strdup (suggestion->text);
      proposal->note = g_strdup (suggestion->note);
      g_list_store_append (store, proposal);
    }
  return G_LIST_MODEL (store);
}

/* What fits depends on the place, not on the word alone: asked again, in place. */
static void
completer_refilter (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GListModel *model)
{
  g_autoptr (GListModel) fresh = completer_populate (provider, context, NULL);
  guint n = g_list_model_get_n_items (fresh);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, g_list_model_get_item (fresh, i));
  g_list_store_splice (G_LIST_STORE (model), 0, g_list_model_get_n_items (model), items->pdata, n);
}

static void
completer_display (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
                   GtkSourceCompletionProposal *proposal, GtkSourceCompletionCell *cell)
{
  TlProposal *shown = TL_PROPOSAL (proposal);

  switch (gtk_source_completion_cell_get_column (cell))
    {
    case GTK_SOURCE_COMPLETION_COLUMN_TYPED_TEXT:
      gtk_source_completion_cell_set_text (cell, shown->text);
      break;
    case GTK_SOURCE_COMPLETION_COLUMN_AFTER:
    case GTK_SOURCE_COMPLETION_COLUMN_COMMENT:
      gtk_source_completion_cell_set_text (cell, shown->note);
      break;
    default:
      gtk_source_completion_cell_set_text (cell, NULL);
    }
}

static void
completer_activate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
                    GtkSourceCompletionProposal *proposal)
{
  TlProposal    *chosen = TL_PROPOSAL (proposal);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter    begin, end, start;

  gtk_source_completion_context_get_bounds (context, &begin, &end);
  g_autoptr (GPtrArray) list = suggest_at (TL_COMPLETER (provider), &end, &start);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, chosen->text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

static gboolean
completer_trigger (GtkSourceCompletionProvider *provider, const GtkTextIter *iter, gunichar letter)
{
  GtkTextIter before = *iter;

  if (letter != ' ')
    return letter == '=' || letter == ',';
  /* "config owner = ": the space asks too. */
  while (gtk_text_iter_backward_char (&before) && gtk_text_iter_get_char (&before) == ' ')
    ;
  return gtk_text_iter_get_char (&before) == '=' || gtk_text_iter_get_char (&before) == ',';
}

static void
completer_interface (GtkSourceCompletionProviderInterface *interface)
{
  interface->get_title = completer_title;
  interface->populate = completer_populate;
  interface->refilter = completer_refilter;
  interface->display = completer_display;
  interface->activate = completer_activate;
  interface->is_trigger = completer_trigger;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TlCompleter, tl_completer, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROVIDER, completer_interface))

static void
tl_completer_finalize (GObject *object)
{
  g_strfreev (TL_COMPLETER (object)->targets);
  G_OBJECT_CLASS (tl_completer_parent_class)->finalize (object);
}

static void
tl_completer_class_init (TlCompleterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tl_completer_finalize;
}

static void
tl_completer_init (TlCompleter *completer)
{
}

char **
tl_target_names (const char *path)
{
  g_auto (GStrv) folders = tl_target_folders ();
  TlTargetSearch search = { .program = path, .folders = (const char *const *) folders };
  g_autoptr (GPtrArray) entries = tl_target_list (&search);
  GStrvBuilder *names = g_strv_builder_new ();

  for (guint e = 0; e < entries->len; e++)
    g_strv_builder_add (names, ((const TlTargetEntry *) entries->pdata[e])->name);
  char **list = g_strv_builder_end (names);
  g_strv_builder_unref (names);
  return list;
}

void
tl_completer_attach (GtkSourceView *view, TlDesk *desk)
{
  g_autoptr (TlCompleter) completer = g_object_new (TL_TYPE_COMPLETER, NULL);

  completer->targets = tl_target_names (NULL);
  gtk_source_completion_add_provider (gtk_source_view_get_completion (view),
                                      GTK_SOURCE_COMPLETION_PROVIDER (completer));
}
